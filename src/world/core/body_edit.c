/* Bodies: single properties, forces and impulses. */
#include "world/core/body.h"
#include "world/core/joint_def.h"

/* releases a body from quarantine, because it was set again */
static void end_quarantine(trn_bodies *bodies, uint32_t row)
{
    bodies->flags[row] &= ~(TR_BODY_QUARANTINED | TR_BODY_REPORTED);
    trn_body_update_inverse(bodies, row);
}

/*
 * Position and motion
 */
tr_status trn_do_body_set_transform(trn_world *world, trn_body id, trn_dvec position, trn_orientation orientation)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_transform", world, id);
    if (status == TR_OK)
        status = trn_check_dvec(&check, "position", position);
    if (status == TR_OK)
        status = trn_check_orientation(&check, orientation);
    if (status != TR_OK)
        return status;

    trn_sleep_disturb(world, id.index - 1);
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    trn_place_body(bodies, row, position, orientation, trn_body_center(bodies, row));
    end_quarantine(bodies, row);
    trn_shapes_touch(world, id.index - 1);
    return TR_OK;
}

tr_status trn_do_body_set_velocity(trn_world *world, trn_body id, trn_vec velocity, trn_spin angular_velocity)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_velocity", world, id);
    if (status == TR_OK)
        status = trn_check_vec(&check, "velocity", velocity);
    if (status == TR_OK)
        status = trn_check_spin(&check, "angular_velocity", angular_velocity);
    if (status != TR_OK)
        return status;
    trn_sleep_disturb(world, id.index - 1);
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    if (bodies->type[row] != TR_STATIC)
        trn_body_write_velocity(bodies, row, velocity, angular_velocity);
    bodies->flags[row] &= ~TR_BODY_LATE;
    end_quarantine(bodies, row);
    trn_body_begin_speeds(world, id.index - 1);
    return TR_OK;
}

/*
 * Properties
 */

/* a new centre of mass in the world and its velocity: the origin and the velocities of all points stay */
typedef struct new_center {
    trn_dvec place;
    trn_vec velocity;
} new_center;

/* an unchanged centre must not move by rounding */
static bool is_center(const trn_bodies *bodies, uint32_t row, trn_vec center)
{
    return trn_is_same(center, trn_body_center(bodies, row));
}

static new_center center_at(const trn_bodies *bodies, uint32_t row, trn_vec center)
{
    trn_dvec place = trn_plus(trn_body_origin(bodies, row), trn_body_rotate(bodies, row, center));
    trn_dspin w = trn_widen_spin(trn_body_angular_velocity(bodies, row));
    trn_dvec added = trn_whirl(w, trn_minus(place, trn_body_mass_center(bodies, row)));
    return (new_center){place, trn_narrow(trn_plus(trn_widen(trn_body_linear_velocity(bodies, row)), added))};
}

tr_status trn_body_check_mass(const trn_check *check, trn_bodies *bodies, uint32_t row, float mass, trn_inertia inertia,
                              trn_vec center)
{
    tr_status status = trn_check_mass(check, trn_body_type_of(bodies, row) == TR_DYNAMIC, mass, inertia);
    if (status == TR_OK)
        status = trn_check_vec(check, "center", center);
    if (status == TR_OK && !is_center(bodies, row, center))
        status = trn_check_result_vec(check, "the velocity of the new center", center_at(bodies, row, center).velocity);
    trn_body_def def = trn_body_def_default();
    def.inertia = inertia;
    def.center = center;
    if (status == TR_OK && !trn_bodies_hold(bodies, &def))
        status = trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for what no body had yet");
    return status;
}

void trn_body_write_mass(trn_bodies *bodies, uint32_t row, float mass, trn_inertia inertia, trn_vec center)
{
    if (!is_center(bodies, row, center)) {
        new_center moved = center_at(bodies, row, center);
        trn_body_write_mass_center(bodies, row, moved.place);
        trn_body_write_velocity(bodies, row, moved.velocity, trn_body_angular_velocity(bodies, row));
        trn_body_write_center(bodies, row, center);
    }
    TR_TABLE_PUT(float, bodies, mass, row, mass);
    trn_body_write_inertia(bodies, row, inertia);
    bodies->flags[row] &= ~TR_BODY_WEIGH;
    trn_body_update_inverse(bodies, row);
}

trn_body_weight trn_body_weight_of(const trn_bodies *bodies, uint32_t row)
{
    return (trn_body_weight){bodies->mass[row], trn_body_inertia(bodies, row), trn_body_center(bodies, row),
                             (bodies->flags[row] & TR_BODY_FIXED_ROTATION) == 0};
}

void trn_body_weigh(trn_world *world, uint32_t row, trn_body_weight before)
{
    trn_body_weight now = trn_body_weight_of(&world->bodies, row);
    if (now.mass != before.mass || !trn_is_same_inertia(now.inertia, before.inertia) ||
        !trn_is_same(now.center, before.center) || now.turns != before.turns) {
        tr_plan_touch_vertex(world->plan, world->bodies.slot[row]);
        world->loads++;
    }
}

tr_status trn_do_body_set_mass(trn_world *world, trn_body id, float mass, trn_inertia inertia, trn_vec center)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_mass", world, id);
    if (status != TR_OK)
        return status;
    uint32_t row = trn_body_row(world, id);
    status = trn_body_check_mass(&check, &world->bodies, row, mass, inertia, center);
    if (status != TR_OK)
        return status;
    trn_sleep_rouse(world, id.index - 1);
    row = trn_body_row(world, id);
    trn_body_weight before = trn_body_weight_of(&world->bodies, row);
    trn_body_write_mass(&world->bodies, row, mass, inertia, center);
    trn_body_weigh(world, row, before);
    return TR_OK;
}

/* adds the columns that a setter writes; `def`: a definition with defaults elsewhere */
static tr_status hold(trn_world *world, const trn_check *check, const trn_body_def *def)
{
    if (trn_bodies_hold(&world->bodies, def))
        return TR_OK;
    return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for what no body had yet");
}

tr_status trn_do_body_set_damping(trn_world *world, trn_body id, float linear, float angular)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_damping", world, id);
    if (status == TR_OK)
        status = trn_check_not_negative(&check, "linear", (double)linear);
    if (status == TR_OK)
        status = trn_check_not_negative(&check, "angular", (double)angular);
    trn_body_def def = trn_body_def_default();
    def.linear_damping = linear;
    def.angular_damping = angular;
    if (status == TR_OK)
        status = hold(world, &check, &def);
    if (status == TR_OK && world->bodies.linear_damping != NULL)
        TR_TABLE_PUT(float, &world->bodies, linear_damping, trn_body_row(world, id), linear);
    if (status == TR_OK && world->bodies.angular_damping != NULL)
        TR_TABLE_PUT(float, &world->bodies, angular_damping, trn_body_row(world, id), angular);
    return status;
}

tr_status trn_do_body_set_gravity_scale(trn_world *world, trn_body id, float scale)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_gravity_scale", world, id);
    if (status == TR_OK)
        status = trn_check_finite(&check, "scale", (double)scale);
    trn_body_def def = trn_body_def_default();
    def.gravity_scale = scale;
    if (status == TR_OK)
        status = hold(world, &check, &def);
    if (status == TR_OK)
        trn_sleep_rouse(world, id.index - 1);
    if (status == TR_OK && world->bodies.gravity_scale != NULL)
        TR_TABLE_PUT(float, &world->bodies, gravity_scale, trn_body_row(world, id), scale);
    return status;
}

/* what is asleep stays so: how long a body has been at rest is judged anew after each step */
tr_status trn_do_body_set_sleep_scale(trn_world *world, trn_body id, float scale)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_sleep_scale", world, id);
    if (status == TR_OK)
        status = trn_check_not_negative(&check, "scale", (double)scale);
    trn_body_def def = trn_body_def_default();
    def.sleep_scale = scale;
    if (status == TR_OK)
        status = hold(world, &check, &def);
    if (status == TR_OK && world->bodies.sleep_scale != NULL)
        TR_TABLE_PUT(float, &world->bodies, sleep_scale, trn_body_row(world, id), scale);
    return status;
}

tr_status trn_do_body_set_fixed_rotation(trn_world *world, trn_body id, bool fixed)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_fixed_rotation", world, id);
    if (status != TR_OK)
        return status;
    trn_sleep_rouse(world, id.index - 1);
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    trn_body_weight before = trn_body_weight_of(bodies, row);
    trn_body_set_flag(bodies, row, TR_BODY_FIXED_ROTATION, fixed);
    trn_body_update_inverse(bodies, row);
    trn_body_weigh(world, row, before);
    return TR_OK;
}

tr_status trn_do_body_set_direct(trn_world *world, trn_body id, bool direct)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_direct", world, id);
    if (status != TR_OK)
        return status;
    trn_sleep_rouse(world, id.index - 1);
    trn_bodies *bodies = &world->bodies;
    bodies->direct -= trn_body_set_flag(bodies, trn_body_row(world, id), TR_BODY_WANTS_DIRECT, direct);
    bodies->direct += direct;
    return TR_OK;
}

tr_status trn_do_body_set_user_data(trn_world *world, trn_body id, uint64_t user_data)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_user_data", world, id);
    trn_body_def def = trn_body_def_default();
    def.user_data = user_data;
    if (status == TR_OK)
        status = hold(world, &check, &def);
    if (status == TR_OK && world->bodies.user_data != NULL)
        TR_TABLE_PUT(uint64_t, &world->bodies, user_data, trn_body_row(world, id), user_data);
    return status;
}

/*
 * Forces and impulses, each number of which must remain finite
 */
typedef struct push {
    trn_dvec force;
    trn_dspin turn; /* about the centre of mass */
} push;

/* a force or impulse at a point */
static push push_at(const trn_bodies *bodies, uint32_t row, trn_vec amount, trn_dvec point)
{
    trn_dvec force = trn_widen(amount);
    return (push){force, trn_moment(trn_minus(point, trn_body_mass_center(bodies, row)), force)};
}

static tr_status add_force(trn_world *world, const trn_check *check, trn_body id, push by)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    trn_vec force = trn_narrow(trn_plus(trn_widen(trn_body_force(bodies, row)), by.force));
    trn_spin torque = trn_narrow_spin(trn_plus_spin(trn_widen_spin(trn_body_torque(bodies, row)), by.turn));
    tr_status status = trn_check_result_vec(check, "the sum of forces", force);
    if (status == TR_OK)
        status = trn_check_result_spin(check, "the sum of torques", torque);
    if (status != TR_OK || !trn_body_is_dynamic(bodies, row))
        return status;
    if (!trn_bodies_hold_forces(bodies))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for forces");
    trn_sleep_rouse(world, id.index - 1);
    trn_body_write_force(bodies, trn_body_row(world, id), force, torque);
    return TR_OK;
}

static tr_status add_impulse(trn_world *world, const trn_check *check, trn_body id, push by)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    trn_dvec gain = trn_times((double)trn_body_inverse_mass(bodies, row), by.force);
    trn_dspin turn = trn_body_respond(bodies, row, by.turn);
    trn_vec velocity = trn_narrow(trn_plus(trn_widen(trn_body_linear_velocity(bodies, row)), gain));
    trn_spin w = trn_narrow_spin(trn_plus_spin(trn_widen_spin(trn_body_angular_velocity(bodies, row)), turn));
    tr_status status = trn_check_result_vec(check, "the velocity", velocity);
    if (status == TR_OK)
        status = trn_check_result_spin(check, "the angular velocity", w);
    if (status != TR_OK)
        return status;
    trn_sleep_rouse(world, id.index - 1);
    trn_body_write_velocity(bodies, trn_body_row(world, id), velocity, w);
    return TR_OK;
}

static const trn_dvec no_force = {0};
static const trn_dspin no_turn = {0};

tr_status trn_do_body_apply_force(trn_world *world, trn_body id, trn_vec force, trn_dvec point)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_apply_force", world, id);
    if (status == TR_OK)
        status = trn_check_vec(&check, "force", force);
    if (status == TR_OK)
        status = trn_check_dvec(&check, "point", point);
    if (status != TR_OK)
        return status;
    return add_force(world, &check, id, push_at(&world->bodies, trn_body_row(world, id), force, point));
}

tr_status trn_do_body_apply_force_to_center(trn_world *world, trn_body id, trn_vec force)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_apply_force_to_center", world, id);
    if (status == TR_OK)
        status = trn_check_vec(&check, "force", force);
    push central = {trn_widen(force), no_turn};
    return status != TR_OK ? status : add_force(world, &check, id, central);
}

tr_status trn_do_body_apply_torque(trn_world *world, trn_body id, trn_spin torque)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_apply_torque", world, id);
    if (status == TR_OK)
        status = trn_check_spin(&check, "torque", torque);
    push turn = {no_force, trn_widen_spin(torque)};
    return status != TR_OK ? status : add_force(world, &check, id, turn);
}

tr_status trn_do_body_apply_impulse(trn_world *world, trn_body id, trn_vec impulse, trn_dvec point)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_apply_impulse", world, id);
    if (status == TR_OK)
        status = trn_check_vec(&check, "impulse", impulse);
    if (status == TR_OK)
        status = trn_check_dvec(&check, "point", point);
    if (status != TR_OK)
        return status;
    return add_impulse(world, &check, id, push_at(&world->bodies, trn_body_row(world, id), impulse, point));
}

tr_status trn_do_body_apply_impulse_to_center(trn_world *world, trn_body id, trn_vec impulse)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_apply_impulse_to_center", world, id);
    if (status == TR_OK)
        status = trn_check_vec(&check, "impulse", impulse);
    push central = {trn_widen(impulse), no_turn};
    return status != TR_OK ? status : add_impulse(world, &check, id, central);
}

tr_status trn_do_body_apply_angular_impulse(trn_world *world, trn_body id, trn_spin impulse)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_apply_angular_impulse", world, id);
    if (status == TR_OK)
        status = trn_check_spin(&check, "impulse", impulse);
    push turn = {no_force, trn_widen_spin(impulse)};
    return status != TR_OK ? status : add_impulse(world, &check, id, turn);
}
