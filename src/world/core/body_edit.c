/* Bodies: single properties, forces and impulses. */
#include "world/core/body.h"

/* the common start of these functions: checks world and id, and prepares `check` for the following values */
static tr_status begin(const trn_world *world, trn_check *check, const char *call, trn_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    *check = trn_check_of(world, call, "");
    return trn_check_body(check, "id", world, id);
}

/* releases a body from quarantine, because it was set again */
static void end_quarantine(trn_bodies *bodies, uint32_t row)
{
    bodies->flags[row] &= ~(TR_BODY_QUARANTINED | TR_BODY_REPORTED);
    trn_body_update_inverse(bodies, row);
}

/*
 * Position and motion
 */
tr_status trn_body_set_transform(trn_world *world, trn_body id, tr_dvec2 position, double angle)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_transform", id);
    if (status == TR_OK)
        status = trn_check_dvec2(&check, "position.x", "position.y", position);
    if (status == TR_OK)
        status = trn_check_angle(&check, "angle", angle);
    if (status != TR_OK)
        return status;

    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    tr_vec2 local = trn_body_center(bodies, row);
    trn_placement placement = trn_placement_of(position, angle, local);
    trn_place_body(bodies, row, &placement);
    end_quarantine(bodies, row);
    trn_shapes_touch(world, id.index - 1);
    return TR_OK;
}

tr_status trn_body_set_velocity(trn_world *world, trn_body id, tr_vec2 velocity, float angular_velocity)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_velocity", id);
    if (status == TR_OK)
        status = trn_check_vec2(&check, "velocity.x", "velocity.y", velocity);
    if (status == TR_OK)
        status = trn_check_finite(&check, "angular_velocity", (double)angular_velocity);
    if (status != TR_OK)
        return status;
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    if (bodies->type[row] != TR_STATIC) {
        bodies->velocity_x[row] = velocity.x;
        bodies->velocity_y[row] = velocity.y;
        bodies->angular_velocity[row] = angular_velocity;
    }
    end_quarantine(bodies, row);
    return TR_OK;
}

/*
 * Properties
 */

/* a new centre of mass in the world and its velocity: the origin and the velocities of all points stay */
typedef struct new_center {
    tr_dvec2 place;
    float velocity_x, velocity_y;
} new_center;

/* an unchanged centre must not move by rounding */
static bool is_center(const trn_bodies *bodies, uint32_t row, tr_vec2 center)
{
    tr_vec2 now = trn_body_center(bodies, row);
    return center.x == now.x && center.y == now.y;
}

static new_center center_at(const trn_bodies *bodies, uint32_t row, tr_vec2 center)
{
    tr_dvec2 origin = trn_body_origin(bodies, row);
    tr_dvec2 arm = trn_rotate(bodies->c[row], bodies->s[row], center);
    double w = (double)bodies->angular_velocity[row];
    new_center out = {{origin.x + arm.x, origin.y + arm.y}, 0.0f, 0.0f};
    out.velocity_x = (float)((double)bodies->velocity_x[row] - w * (out.place.y - bodies->center_y[row]));
    out.velocity_y = (float)((double)bodies->velocity_y[row] + w * (out.place.x - bodies->center_x[row]));
    return out;
}

tr_status trn_body_check_mass(const trn_check *check, trn_bodies *bodies, uint32_t row, float mass, float inertia,
                              tr_vec2 center)
{
    tr_status status = trn_check_mass(check, trn_body_type_of(bodies, row) == TR_DYNAMIC, mass, inertia);
    if (status == TR_OK)
        status = trn_check_vec2(check, "center.x", "center.y", center);
    if (status != TR_OK || is_center(bodies, row, center))
        return status;
    new_center moved = center_at(bodies, row, center);
    status = trn_check_result(check, "velocity.x of the new center", (double)moved.velocity_x);
    if (status == TR_OK)
        status = trn_check_result(check, "velocity.y of the new center", (double)moved.velocity_y);
    if (status == TR_OK && !trn_bodies_hold_centers(bodies))
        status = trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for a center apart from the origin");
    return status;
}

void trn_body_write_mass(trn_bodies *bodies, uint32_t row, float mass, float inertia, tr_vec2 center)
{
    if (!is_center(bodies, row, center)) {
        new_center moved = center_at(bodies, row, center);
        bodies->center_x[row] = moved.place.x;
        bodies->center_y[row] = moved.place.y;
        bodies->velocity_x[row] = moved.velocity_x;
        bodies->velocity_y[row] = moved.velocity_y;
        trn_body_write_center(bodies, row, center);
    }
    bodies->mass[row] = mass;
    bodies->inertia[row] = inertia;
    bodies->flags[row] &= ~TR_BODY_WEIGH;
    trn_body_update_inverse(bodies, row);
}

trn_body_weight trn_body_weight_of(const trn_bodies *bodies, uint32_t row)
{
    return (trn_body_weight){bodies->mass[row], bodies->inertia[row], trn_body_center(bodies, row),
                             (bodies->flags[row] & TR_BODY_FIXED_ROTATION) == 0};
}

void trn_body_weigh_trees(trn_world *world, uint32_t row, trn_body_weight before)
{
    trn_body_weight now = trn_body_weight_of(&world->bodies, row);
    if (now.mass != before.mass || now.inertia != before.inertia || now.center.x != before.center.x ||
        now.center.y != before.center.y || now.turns != before.turns) {
        tr_plan_touch_vertex(world->plan, world->bodies.slot[row]);
        world->loads++;
    }
}

tr_status trn_body_set_mass(trn_world *world, trn_body id, float mass, float inertia, tr_vec2 center)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_mass", id);
    if (status != TR_OK)
        return status;
    uint32_t row = trn_body_row(world, id);
    status = trn_body_check_mass(&check, &world->bodies, row, mass, inertia, center);
    if (status != TR_OK)
        return status;
    trn_body_weight before = trn_body_weight_of(&world->bodies, row);
    trn_body_write_mass(&world->bodies, row, mass, inertia, center);
    trn_body_weigh_trees(world, row, before);
    return TR_OK;
}

/* adds the columns that a setter writes; `def`: a definition with defaults elsewhere */
static tr_status hold(trn_world *world, const trn_check *check, const trn_body_def *def)
{
    if (trn_bodies_hold(&world->bodies, def))
        return TR_OK;
    return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for what no body had yet");
}

tr_status trn_body_set_damping(trn_world *world, trn_body id, float linear, float angular)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_damping", id);
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
        world->bodies.linear_damping[trn_body_row(world, id)] = linear;
    if (status == TR_OK && world->bodies.angular_damping != NULL)
        world->bodies.angular_damping[trn_body_row(world, id)] = angular;
    return status;
}

tr_status trn_body_set_gravity_scale(trn_world *world, trn_body id, float scale)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_gravity_scale", id);
    if (status == TR_OK)
        status = trn_check_finite(&check, "scale", (double)scale);
    trn_body_def def = trn_body_def_default();
    def.gravity_scale = scale;
    if (status == TR_OK)
        status = hold(world, &check, &def);
    if (status == TR_OK && world->bodies.gravity_scale != NULL)
        world->bodies.gravity_scale[trn_body_row(world, id)] = scale;
    return status;
}

tr_status trn_body_set_bullet(trn_world *world, trn_body id, bool bullet)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_bullet", id);
    if (status != TR_OK)
        return status;
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    bodies->bullets -= (bodies->flags[row] & TR_BODY_BULLET) != 0;
    bodies->bullets += bullet;
    bodies->flags[row] = (bodies->flags[row] & ~TR_BODY_BULLET) | (bullet ? TR_BODY_BULLET : 0);
    return TR_OK;
}

tr_status trn_body_set_fixed_rotation(trn_world *world, trn_body id, bool fixed)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_fixed_rotation", id);
    if (status != TR_OK)
        return status;
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    trn_body_weight before = trn_body_weight_of(bodies, row);
    bodies->flags[row] &= ~TR_BODY_FIXED_ROTATION;
    bodies->flags[row] |= fixed ? TR_BODY_FIXED_ROTATION : 0;
    trn_body_update_inverse(bodies, row);
    trn_body_weigh_trees(world, row, before);
    return TR_OK;
}

tr_status trn_body_set_user_data(trn_world *world, trn_body id, uint64_t user_data)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_set_user_data", id);
    trn_body_def def = trn_body_def_default();
    def.user_data = user_data;
    if (status == TR_OK)
        status = hold(world, &check, &def);
    if (status == TR_OK && world->bodies.user_data != NULL)
        world->bodies.user_data[trn_body_row(world, id)] = user_data;
    return status;
}

/*
 * Forces and impulses: sums of three components, each of which must remain finite
 */
typedef struct push {
    double x, y, turn;
} push;

/* a force or impulse at a point, with its moment about the centre of mass */
static push push_at(const trn_bodies *bodies, uint32_t row, tr_vec2 amount, tr_dvec2 point)
{
    double arm_x = point.x - bodies->center_x[row];
    double arm_y = point.y - bodies->center_y[row];
    push out = {(double)amount.x, (double)amount.y, arm_x * (double)amount.y - arm_y * (double)amount.x};
    return out;
}

static tr_status add_force(trn_world *world, const trn_check *check, trn_body id, push force)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    float x = (float)((double)trn_body_number(bodies->force_x, row, 0.0f) + force.x);
    float y = (float)((double)trn_body_number(bodies->force_y, row, 0.0f) + force.y);
    float torque = (float)((double)trn_body_number(bodies->torque, row, 0.0f) + force.turn);
    tr_status status = trn_check_result(check, "the sum of forces along x", (double)x);
    if (status == TR_OK)
        status = trn_check_result(check, "the sum of forces along y", (double)y);
    if (status == TR_OK)
        status = trn_check_result(check, "the sum of torques", (double)torque);
    if (status != TR_OK || bodies->type[row] != TR_DYNAMIC)
        return status;
    if (!trn_bodies_hold_forces(bodies))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for forces");
    bodies->force_x[row] = x;
    bodies->force_y[row] = y;
    bodies->torque[row] = torque;
    return TR_OK;
}

static tr_status add_impulse(trn_world *world, const trn_check *check, trn_body id, push impulse)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    double inverse_mass = (double)trn_body_inverse_mass(bodies, row);
    float x = (float)((double)bodies->velocity_x[row] + inverse_mass * impulse.x);
    float y = (float)((double)bodies->velocity_y[row] + inverse_mass * impulse.y);
    double inverse_inertia = (double)trn_body_inverse_inertia(bodies, row);
    float w = (float)((double)bodies->angular_velocity[row] + inverse_inertia * impulse.turn);
    tr_status status = trn_check_result(check, "the velocity along x", (double)x);
    if (status == TR_OK)
        status = trn_check_result(check, "the velocity along y", (double)y);
    if (status == TR_OK)
        status = trn_check_result(check, "the angular velocity", (double)w);
    if (status == TR_OK) {
        bodies->velocity_x[row] = x;
        bodies->velocity_y[row] = y;
        bodies->angular_velocity[row] = w;
    }
    return status;
}

tr_status trn_body_apply_force(trn_world *world, trn_body id, tr_vec2 force, tr_dvec2 point)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_apply_force", id);
    if (status == TR_OK)
        status = trn_check_vec2(&check, "force.x", "force.y", force);
    if (status == TR_OK)
        status = trn_check_dvec2(&check, "point.x", "point.y", point);
    if (status != TR_OK)
        return status;
    return add_force(world, &check, id, push_at(&world->bodies, trn_body_row(world, id), force, point));
}

tr_status trn_body_apply_force_to_center(trn_world *world, trn_body id, tr_vec2 force)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_apply_force_to_center", id);
    if (status == TR_OK)
        status = trn_check_vec2(&check, "force.x", "force.y", force);
    push central = {(double)force.x, (double)force.y, 0.0};
    return status != TR_OK ? status : add_force(world, &check, id, central);
}

tr_status trn_body_apply_torque(trn_world *world, trn_body id, float torque)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_apply_torque", id);
    if (status == TR_OK)
        status = trn_check_finite(&check, "torque", (double)torque);
    push turn = {0.0, 0.0, (double)torque};
    return status != TR_OK ? status : add_force(world, &check, id, turn);
}

tr_status trn_body_apply_impulse(trn_world *world, trn_body id, tr_vec2 impulse, tr_dvec2 point)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_apply_impulse", id);
    if (status == TR_OK)
        status = trn_check_vec2(&check, "impulse.x", "impulse.y", impulse);
    if (status == TR_OK)
        status = trn_check_dvec2(&check, "point.x", "point.y", point);
    if (status != TR_OK)
        return status;
    return add_impulse(world, &check, id, push_at(&world->bodies, trn_body_row(world, id), impulse, point));
}

tr_status trn_body_apply_impulse_to_center(trn_world *world, trn_body id, tr_vec2 impulse)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_apply_impulse_to_center", id);
    if (status == TR_OK)
        status = trn_check_vec2(&check, "impulse.x", "impulse.y", impulse);
    push central = {(double)impulse.x, (double)impulse.y, 0.0};
    return status != TR_OK ? status : add_impulse(world, &check, id, central);
}

tr_status trn_body_apply_angular_impulse(trn_world *world, trn_body id, float impulse)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_apply_angular_impulse", id);
    if (status == TR_OK)
        status = trn_check_finite(&check, "impulse", (double)impulse);
    push turn = {0.0, 0.0, (double)impulse};
    return status != TR_OK ? status : add_impulse(world, &check, id, turn);
}
