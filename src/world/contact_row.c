/* A contact as a row of its table: from places in the world to places in the frames of its bodies. */
#include "world/contact_row.h"

#include <math.h>

uint32_t tr2_contact_append(tr2_world *world, tr2_body body_a, tr2_body body_b, uint64_t user_data)
{
    tr2_joints *contacts = &world->joints[TR2_CONTACT];
    uint32_t row = tr_table_append(&contacts->table);
    uint32_t slot = tr_pool_take(&world->joint_pool, row);
    world->joint_type[slot] = (uint8_t)TR2_CONTACT;
    contacts->id[row] = (tr2_joint){slot + 1, world->tag, world->joint_pool.generation[slot]};
    contacts->body_a[row] = body_a;
    contacts->body_b[row] = body_b;
    contacts->user_data[row] = user_data;
    return slot;
}

/*
 * Places in the frames of the bodies
 */

/* A vector as the solver's kernels turn it, and back: in float, so that the same bits come out. */
static tr_vec2 turn(float c, float s, tr_vec2 v)
{
    tr_vec2 out = {c * v.x - s * v.y, s * v.x + c * v.y};
    return out;
}

static tr_vec2 turn_back(float c, float s, double x, double y)
{
    tr_vec2 out = {(float)((double)c * x + (double)s * y), (float)((double)c * y - (double)s * x)};
    return out;
}

/* a point of the world from the body's origin, in its frame */
static tr_vec2 local_point(const tr2_bodies *bodies, uint32_t row, tr_dvec2 point)
{
    tr_vec2 out =
        turn_back(bodies->c[row], bodies->s[row], point.x - bodies->center_x[row], point.y - bodies->center_y[row]);
    out.x += bodies->local_center_x[row];
    out.y += bodies->local_center_y[row];
    return out;
}

/* from the centre of mass, in the world's frame, as the kernels compute it */
static tr_vec2 arm_of(const tr2_bodies *bodies, uint32_t row, tr_vec2 local)
{
    tr_vec2 from_center = {local.x - bodies->local_center_x[row], local.y - bodies->local_center_y[row]};
    return turn(bodies->c[row], bodies->s[row], from_center);
}

/* Where the points are. What n . d is not, to rounding, is kept beside it: the separation is the finder's to the last bit
   that counts, also far from the bodies' origins. */
static void write_points(const tr2_bodies *bodies, tr2_joints *it, uint32_t row, uint32_t a, uint32_t b,
                         const tr2_contact_places *places)
{
    tr_vec2 axis = places->axis, local_a = places->local_a, local_b = places->local_b;
    tr_vec2 n = turn(bodies->c[a], bodies->s[a], axis);
    tr_vec2 ra = arm_of(bodies, a, local_a), rb = arm_of(bodies, b, local_b);
    tr_vec2 d = {(float)(bodies->center_x[b] - bodies->center_x[a]) + (rb.x - ra.x),
                 (float)(bodies->center_y[b] - bodies->center_y[a]) + (rb.y - ra.y)};
    it->field[TR2_AXIS_X][row] = axis.x;
    it->field[TR2_AXIS_Y][row] = axis.y;
    it->field[TR2_ANCHOR_A_X][row] = local_a.x;
    it->field[TR2_ANCHOR_A_Y][row] = local_a.y;
    it->field[TR2_ANCHOR_B_X][row] = local_b.x;
    it->field[TR2_ANCHOR_B_Y][row] = local_b.y;
    it->own[TR2_CONTACT_SEPARATION_0][row] = places->separation[0] - (n.x * d.x + n.y * d.y);
    if (places->point_count < 2)
        return;
    tr_vec2 second_a = places->second_a, second_b = places->second_b;
    tr_vec2 along_a = turn(bodies->c[a], bodies->s[a], second_a), along_b = turn(bodies->c[b], bodies->s[b], second_b);
    d.x += along_b.x - along_a.x;
    d.y += along_b.y - along_a.y;
    it->own[TR2_CONTACT_SECOND_A_X][row] = second_a.x;
    it->own[TR2_CONTACT_SECOND_A_Y][row] = second_a.y;
    it->own[TR2_CONTACT_SECOND_B_X][row] = second_b.x;
    it->own[TR2_CONTACT_SECOND_B_Y][row] = second_b.y;
    it->own[TR2_CONTACT_SEPARATION_1][row] = places->separation[1] - (n.x * d.x + n.y * d.y);
}

/* impulses go with their points: old ones are found by id, or by place where ids do not tell points apart */
static void carry_impulses(tr2_joints *it, uint32_t row, uint32_t point_count, const uint32_t *point_id)
{
    static const int first[2] = {TR2_CONTACT_NORMAL_0, TR2_CONTACT_NORMAL_1};
    const uint32_t old_id[2] = {tr2_contact_own(it, TR2_CONTACT_POINT_ID_0, row),
                                tr2_contact_own(it, TR2_CONTACT_POINT_ID_1, row)};
    uint32_t old_count = (it->flags[row] & TR2_JOINT_FEATURED) != 0 ? 2 : 1;
    if (old_count == point_count && old_id[0] == point_id[0] && (old_count == 1 || old_id[1] == point_id[1]))
        return;
    float old[TR2_CONTACT_IMPULSES];
    for (int i = 0; i < TR2_CONTACT_IMPULSES; i++)
        old[i] = it->impulse[i][row];
    for (uint32_t point = 0; point < 2; point++) {
        uint32_t from = TR_NONE;
        for (uint32_t k = 0; k < old_count && point < point_count; k++) {
            if (old_id[k] == point_id[point] && (from == TR_NONE || k == point))
                from = k;
        }
        for (int i = 0; i < 3; i++)
            it->impulse[first[point] + i][row] = from == TR_NONE ? 0.0f : old[first[from] + i];
    }
}

void tr2_contact_write_places(tr2_world *world, uint32_t row, const tr2_contact_places *places)
{
    tr2_joints *it = &world->joints[TR2_CONTACT];
    carry_impulses(it, row, places->point_count, places->point_id);
    write_points(&world->bodies, it, row, tr2_body_row(world, it->body_a[row]), tr2_body_row(world, it->body_b[row]),
                 places);
    /* the mark of a set that is being made goes with it */
    it->flags[row] = (it->flags[row] & TR2_CONTACT_OF_SHAPES) | (places->point_count == 2 ? TR2_JOINT_FEATURED : 0);
    tr2_contact_set_own(it, TR2_CONTACT_POINT_ID_0, row, places->point_id[0]);
    tr2_contact_set_own(it, TR2_CONTACT_POINT_ID_1, row, places->point_id[1]);
}

/* a host's places are in the world */
static tr2_contact_places places_of(const tr2_world *world, const tr2_contact_def *def)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = tr2_body_row(world, def->body_a), b = tr2_body_row(world, def->body_b);
    double normal_x = (double)def->normal.x, normal_y = (double)def->normal.y;
    double length = sqrt(normal_x * normal_x + normal_y * normal_y);
    tr2_contact_places out = {.axis = turn_back(bodies->c[a], bodies->s[a], normal_x / length, normal_y / length),
                              .point_count = def->point_count};
    out.local_a = local_point(bodies, a, def->point[0]);
    out.local_b = local_point(bodies, b, def->point[0]);
    for (uint32_t i = 0; i < 2; i++) {
        out.separation[i] = def->separation[i];
        out.point_id[i] = def->point_id[i];
    }
    if (def->point_count == 2) {
        double x = def->point[1].x - def->point[0].x, y = def->point[1].y - def->point[0].y;
        out.second_a = turn_back(bodies->c[a], bodies->s[a], x, y);
        out.second_b = turn_back(bodies->c[b], bodies->s[b], x, y);
    }
    return out;
}

void tr2_contact_write(tr2_world *world, uint32_t row, const tr2_contact_def *def, uint32_t order)
{
    tr2_joints *it = &world->joints[TR2_CONTACT];
    tr2_contact_places places = places_of(world, def);
    tr2_contact_write_places(world, row, &places);
    it->own[TR2_CONTACT_FRICTION][row] = def->friction;
    it->own[TR2_CONTACT_RESTITUTION][row] = def->restitution;
    it->own[TR2_CONTACT_TANGENT_SPEED][row] = def->tangent_speed;
    it->own[TR2_CONTACT_ROLLING][row] = def->rolling_resistance;
    tr2_contact_set_own(it, TR2_CONTACT_ORDER, row, order);
}
