/* Joints: reactions, measurements and views. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "world/core/check.h"

void trn_joint_pose_read(const trn_world *world, trn_joint_type type, uint32_t row, const trn_joint_def *def,
                         trn_joint_pose *out)
{
    uint32_t rows[TR_ENDS];
    trn_joint_rows(world, def, rows);
    trn_joint_pose_get(&world->bodies, rows, def, trn_joint_turn(world, type, row), out);
    trn_joint_pose_wind(&world->joints[type], type, row, out);
}

static void react(const trn_world *world, uint32_t slot, const float *impulse, float inv_t, trn_reaction *out)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    const trn_joint_type_info *info = trn_joint_types[type];
    if (info->reacts_by_impulses) {
        info->reaction(NULL, NULL, impulse, inv_t, out);
        return;
    }
    uint32_t row = world->joint_pool.row[slot];
    trn_joint_def def;
    trn_joint_pose pose;
    trn_joint_read(world, type, row, &def);
    trn_joint_pose_read(world, type, row, &def, &pose);
    info->reaction(&def, &pose, impulse, inv_t, out);
}

void trn_joint_reaction_of(const trn_world *world, uint32_t slot, const float *impulse, float inv_t, trn_reaction *out)
{
    /* each part of the reaction fits a float, so that no sum of them is NaN; the sums are made to fit afterwards */
    const double most = fmin(0.99 * (double)FLT_MAX / (double)inv_t, (double)FLT_MAX);
    float fitting[TRN_MAX_IMPULSES];
    for (uint32_t i = 0; i < TRN_MAX_IMPULSES; i++)
        fitting[i] = (float)tr_within((double)impulse[i], most);
    memset(out, 0, sizeof *out);
    react(world, slot, fitting, inv_t, out);
    float all[sizeof *out / sizeof(float)];
    _Static_assert(sizeof all == sizeof *out, "a reaction is made of floats");
    memcpy(all, out, sizeof all);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        all[i] = tr_finite_float((double)all[i]);
    memcpy(out, all, sizeof all);
}

void trn_joint_reaction_read(const trn_world *world, uint32_t slot, trn_reaction *out)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    uint32_t row = world->joint_pool.row[slot];
    float impulse[TRN_MAX_IMPULSES] = {0.0f};
    for (uint32_t i = 0; i < trn_joint_types[type]->impulse_count; i++)
        impulse[i] = trn_joint_impulse(&world->joints[type], i, row);
    trn_joint_reaction_of(world, slot, impulse, trn_solver_last(world->solver)->inv_h, out);
}

/* the common start of these queries: checks world, id and output */
static tr_status check_query(const trn_world *world, const char *call, trn_joint id, const void *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, call, "");
    tr_status status = trn_check_pointer(&check, "out", out);
    return status != TR_OK ? status : trn_check_joint(&check, "id", world, id);
}

tr_status trn_joint_reaction(const trn_world *world, trn_joint id, trn_reaction *out)
{
    tr_status status = check_query(world, "joint_reaction", id, out);
    if (status == TR_OK)
        trn_joint_reaction_read(world, id.index - 1, out);
    return status;
}

tr_status trn_joint_measure_read(const trn_world *world, const char *call, trn_joint id, const void *out,
                                 trn_joint_measure *result)
{
    memset(result, 0, sizeof *result);
    tr_status status = check_query(world, call, id, out);
    if (status != TR_OK)
        return status;
    trn_joint_type type = trn_joint_type_of(world, id.index - 1);
    uint32_t row = world->joint_pool.row[id.index - 1];
    trn_joint_def def;
    trn_joint_pose pose;
    trn_joint_read(world, type, row, &def);
    trn_joint_pose_read(world, type, row, &def, &pose);
    trn_joint_types[type]->measure(&def, &pose, result);
    if (trn_joint_types[type]->coordinates != NULL)
        trn_joint_types[type]->coordinates(&def, &pose, result);
    float *const all[] = {&result->linear_error, &result->angular_error, &result->coordinate, &result->rate};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i] = tr_finite_float((double)*all[i]);
    for (uint32_t i = 1; i < TRN_COORDINATES; i++) {
        result->further[i].value = tr_finite_float((double)result->further[i].value);
        result->further[i].rate = tr_finite_float((double)result->further[i].rate);
    }
    if (!trn_joint_is_enabled(&world->joints[type], row))
        result->linear_error = result->angular_error = 0.0f;
    return TR_OK;
}

tr_status trn_joint_error(const trn_world *world, trn_joint id, tr_joint_error_value *out)
{
    trn_joint_measure result;
    tr_status status = trn_joint_measure_read(world, "joint_error", id, out, &result);
    if (status == TR_OK) {
        out->linear = result.linear_error;
        out->angular = result.angular_error;
    }
    return status;
}

tr_status trn_joint_coordinate(const trn_world *world, trn_joint id, tr_joint_coordinate_value *out)
{
    trn_joint_measure result;
    tr_status status = trn_joint_measure_read(world, "joint_coordinate", id, out, &result);
    if (status == TR_OK) {
        out->value = result.coordinate;
        out->rate = result.rate;
    }
    return status;
}

tr_status trn_joint_color(const trn_world *world, trn_joint id, uint32_t *out)
{
    tr_status status = check_query(world, "joint_color", id, out);
    if (status == TR_OK)
        *out = tr_plan_color(world->plan, id.index - 1);
    return status;
}

/* creates the columns of ids and bodies if nobody has read them before */
static bool make_ids(const trn_world *world, trn_joints *joints, trn_joint_type type)
{
    bool had = joints->id != NULL;
    /* write nothing if they exist: several threads may ask */
    if (had || joints->table.count == 0 || !trn_joints_hold_ids(joints, type))
        return had;
    for (uint32_t row = 0; row < joints->table.count; row++) {
        uint32_t slot = joints->slot[row];
        TR_TABLE_PUT(trn_joint, joints, id, row, trn_joint_id_of(world, slot));
        TR_TABLE_PUT(trn_body, joints, body_a, row, trn_joint_body_of(world, slot, 0));
        TR_TABLE_PUT(trn_body, joints, body_b, row, trn_joint_body_of(world, slot, 1));
    }
    return true;
}

trn_joint_view trn_world_joints(const trn_world *world, trn_joint_type type)
{
    trn_joint_view view;
    memset(&view, 0, sizeof view);
    if (world == NULL || (uint32_t)type >= TRN_JOINT_TYPE_COUNT)
        return view;
    trn_joints *joints = &trn_mutable(world)->joints[type];
    view.impulse_count = trn_joint_types[type]->impulse_count;
    view.impulse_name = trn_joint_types[type]->impulse_names;
    if (!make_ids(world, joints, type))
        return view;
    view.count = joints->table.count;
    view.id = joints->id;
    view.body_a = joints->body_a;
    view.body_b = joints->body_b;
    trn_joint_view_carriers(&view, joints);
    view.user_data = joints->user_data;
    for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++)
        view.field[field] = joints->field[field];
    view.impulse = (const float *const *)joints->impulse;
    return view;
}
