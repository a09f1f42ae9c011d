/* Measures, equations and reactions of joints with a frame: solver/space/frame.h. */
#include "solver/space/frame.h"

/* the frame's axes in the world, and how B is turned in it */
typedef struct frame_pose {
    tr_dvec3 x, y, z, xb, yb;
} frame_pose;

static frame_pose frame_pose_of(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    const tr_dvec3 y = tr3_widen(def->axis_2);
    frame_pose f = {.x = pose->axis, .y = measure_rotate(&pose->to_world, y), .xb = pose->axis_b};
    f.z = measure_cross(f.x, f.y);
    f.yb = measure_rotate(&pose->to_world, measure_rotate(&pose->relative, y));
    return f;
}

/* the angle of v about a unit vector from another vector across it, in the turn that is nearest to `last` */
static double frame_angle(tr_dvec3 from, tr_dvec3 v, tr_dvec3 about, double last)
{
    return tr3_angle_near(atan2(measure_dot(measure_cross(from, v), about), measure_dot(from, v)), last);
}

/*
 * Three angles of B: about x, fixed in A, then about y1, across both, then about zB, fixed in B. u = zB x x is c y1. Of
 * one of them the p for which its rate is p . (wB - wA), and its derivative in time; false where it is not defined.
 */
static bool frame_free_axis(const tr3_joint_pose *pose, tr_dvec3 x, tr_dvec3 zb, tr_dvec3 y1, double c, int angle,
                            tr_dvec3 *p, tr_dvec3 *change)
{
    const double square = c * c;
    const tr_dvec3 u = measure_cross(zb, x), x_rate = measure_cross(pose->w_a, x),
                   z_rate = measure_cross(pose->w_b, zb);
    const tr_dvec3 u_rate = tr3_plus(measure_cross(z_rate, x), measure_cross(zb, x_rate));
    if (!(square > 1e-9))
        return false;
    if (angle == 1) {
        *p = y1;
        *change = tr3_over(tr3_part_across(y1, u_rate), c);
        return true;
    }
    /* u x zB / c^2 and x x u / c^2 */
    tr_dvec3 top = angle == 0 ? measure_cross(u, zb) : measure_cross(x, u);
    tr_dvec3 rate = angle == 0 ? tr3_plus(measure_cross(u_rate, zb), measure_cross(u, z_rate))
                               : tr3_plus(measure_cross(x_rate, u), measure_cross(x, u_rate));
    *p = tr3_over(top, square);
    *change = tr3_over(tr3_minus(rate, tr3_times(2.0 * measure_dot(u, u_rate), *p)), square);
    return true;
}

/* the direction of a free coordinate, or the axis that its angle is about */
static tr_dvec3 frame_direction(const frame_pose *f, frame_rows has, int coordinate)
{
    const int turn = coordinate - FRAME_SLIDES(has.linear);
    if (turn < 0)
        return has.linear == 2 ? f->x : coordinate == 0 ? f->y : f->z;
    return turn == 0 ? f->x : f->yb;
}

/* the row of a free coordinate */
static tr3_equation frame_course(const frame_pose *f, const tr3_joint_pose *pose, const view *v, frame_rows has,
                                 int coordinate)
{
    const int turn = coordinate - FRAME_SLIDES(has.linear);
    const tr_dvec3 n = frame_direction(f, has, coordinate);
    if (turn < 0)
        return equation_along(v, n);
    tr3_equation row = equation_about(pose, n);
    row.value =
        turn == 0 ? frame_angle(f->y, f->yb, f->x, pose->last[0]) : frame_angle(f->x, f->xb, f->yb, pose->last[1]);
    return row;
}

/* all features of a coordinate; those of the first are named in the reaction */
static void frame_features(tr3_equations *out, tr3_equation row, const tr3_joint_def *def, int coordinate, int column)
{
    const tr3_features f = tr3_def_features(def, (uint32_t)coordinate);
    const uint32_t first = out->count;
    tr3_joint_def of = *def;
    of.spring = f.spring;
    of.spring_force = f.spring_force;
    of.motor = f.motor;
    of.limit = f.limit;
    of.friction = f.friction;
    equations_free(out, row, &of, column);
    for (uint32_t i = first; i < out->count && coordinate > 0; i++)
        out->row[i].part = TR_PART_NONE;
}

/* what keeps yB across x: about n = u/|u|, u = x x yB, with n' = (u' - n (n . u'))/|u| */
static tr3_equation frame_across(const frame_pose *f, const tr3_joint_pose *pose)
{
    tr_dvec3 u = measure_cross(f->x, f->yb), w = tr3_minus(pose->w_b, pose->w_a);
    double length = measure_length(u);
    tr3_equation row = equation_about(pose, length > 0.0 ? tr3_over(u, length) : f->z);
    row.value = -measure_dot(f->x, f->yb);
    if (!(length > 0.0))
        return row;
    tr_dvec3 n = tr3_over(u, length);
    tr_dvec3 change = tr3_plus(measure_cross(measure_cross(pose->w_a, f->x), f->yb),
                               measure_cross(f->x, measure_cross(pose->w_b, f->yb)));
    row.bend = measure_dot(w, tr3_over(tr3_part_across(n, change), length));
    return row;
}

/* travel along x less that of the turns */
static tr3_equation frame_thread(const frame_pose *f, const tr3_joint_def *def, const tr3_joint_pose *pose,
                                 const view *v, frame_rows has)
{
    const tr3_equation turn = frame_course(f, pose, v, has, FRAME_SLIDES(has.linear));
    return equation_sum(equation_along(v, f->x), equation_scaled(turn, -(double)def->pitch / TR_TURN));
}

/* the angles as they are now */
static void frame_wind(const tr3_joint_def *def, tr3_joint_pose *pose, frame_rows has)
{
    const frame_pose f = frame_pose_of(def, pose);
    const view v = view_of_pose(pose);
    for (int i = 0; i < FRAME_TURNS(has.angular); i++)
        pose->last[i] = frame_course(&f, pose, &v, has, FRAME_SLIDES(has.linear) + i).value;
}

static void frame_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, frame_rows has, tr3_equations *out)
{
    const frame_pose f = frame_pose_of(def, pose);
    const view v = view_of_pose(pose);
    const tr_dvec3 across[2] = {f.y, f.z};
    if (has.linear == 3)
        equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    for (int i = 0; i < has.linear && has.linear < 3; i++)
        equations_hold(out, equation_along(&v, has.linear == 2 ? across[i] : f.x), def->linear, i);
    if (has.linear == 2)
        equations_block(out, 2, TR_BLOCK_K);
    tr_dvec3 tilt = measure_cross(f.x, f.xb);
    double sine = measure_length(tilt);
    if (measure_dot(f.x, f.xb) < 0.0)
        tilt = sine > 0.0 ? tr3_over(tilt, sine) : f.y;
    for (int i = 0; i < 2 && has.angular == 2; i++) {
        tr3_equation row = equation_about(pose, across[i]);
        row.value = measure_dot(across[i], tilt);
        equations_hold(out, row, def->angular, has.linear + i);
    }
    if (has.angular == 2)
        equations_block(out, 2, TR_BLOCK_K);
    if (has.angular == 1)
        equations_hold(out, frame_across(&f, pose), def->angular, has.linear);
    if (has.thread > 0)
        equations_hold(out, frame_thread(&f, def, pose, &v, has), def->linear, has.linear + has.angular);
    for (int i = 0; i < FRAME_COORDINATES(has.linear, has.angular); i++)
        frame_features(out, frame_course(&f, pose, &v, has, i), def, i,
                       FRAME_ROWS(has.linear, has.angular, has.thread) + i * TR_FEATURE_IMPULSES);
}

static void frame_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, frame_rows has, tr3_joint_measure *out)
{
    const frame_pose f = frame_pose_of(def, pose);
    const view v = view_of_pose(pose);
    const double along = measure_dot(f.x, pose->d), apart = measure_length(pose->d);
    const double off = has.linear == 3   ? apart
                       : has.linear == 2 ? measure_length(measure_cross(f.x, pose->d))
                       : has.linear == 1 ? fabs(along)
                                         : 0.0;
    const double turned = has.angular == 2   ? measure_angle(f.x, f.xb)
                          : has.angular == 1 ? fabs(asin(measure_clamp(measure_dot(f.x, f.yb))))
                                             : 0.0;
    out->linear_rigid = has.linear > 0 && softness_is_rigid(def->linear);
    out->angular_rigid = has.angular > 0 && softness_is_rigid(def->angular);
    const double slip = has.thread > 0 ? fabs(frame_thread(&f, def, pose, &v, has).value) : 0.0;
    double linear = out->linear_rigid ? fmax(off, slip) : 0.0, angular = out->angular_rigid ? turned : 0.0;
    out->energy = softness_energy(def->linear, off) + softness_energy(def->angular, turned);
    if (has.thread > 0)
        out->energy += softness_energy(def->linear, slip);
    for (int i = 0; i < FRAME_COORDINATES(has.linear, has.angular); i++) {
        const tr3_features free = tr3_def_features(def, (uint32_t)i);
        const tr3_equation row = frame_course(&f, pose, &v, has, i);
        const double beyond = limit_violation(&free.limit, row.value);
        if (i < FRAME_SLIDES(has.linear))
            linear = fmax(linear, beyond);
        else
            angular = fmax(angular, beyond);
        out->energy += spring_energy(&free.spring, row.value);
        out->further[i] = (tr_joint_coordinate_value){(float)row.value, (float)row.rate};
        if (i == 0) {
            out->coordinate = (float)row.value;
            out->rate = (float)row.rate;
        }
    }
    out->linear_error = (float)linear;
    out->angular_error = (float)angular;
}

static void frame_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, frame_rows has, const float *impulse,
                           float inv_h, tr3_reaction *out)
{
    const frame_pose f = frame_pose_of(def, pose);
    const tr_dvec3 across[2] = {f.y, f.z};
    tr_dvec3 force = {0.0, 0.0, 0.0}, torque = force;
    const float *angular = impulse + has.linear;
    if (has.linear == 3)
        force = tr3_widen(measure_force(impulse, 0, inv_h));
    for (int i = 0; i < has.linear && has.linear < 3; i++)
        force = tr3_plus(force, tr3_times((double)(impulse[i] * inv_h), has.linear == 2 ? across[i] : f.x));
    for (int i = 0; i < has.angular; i++) {
        tr_dvec3 u = measure_cross(f.x, f.yb), n = across[i];
        double length = measure_length(u);
        if (has.angular == 1)
            n = length > 0.0 ? tr3_over(u, length) : f.z;
        torque = tr3_plus(torque, tr3_times((double)(angular[i] * inv_h), n));
    }
    if (has.thread > 0) {
        const double held = (double)(impulse[has.linear + has.angular] * inv_h);
        force = tr3_plus(force, tr3_times(held, f.x));
        torque = tr3_plus(torque, tr3_times(-held * (double)def->pitch / TR_TURN, f.x));
    }
    for (int i = FRAME_COORDINATES(has.linear, has.angular) - 1; i >= 0; i--) {
        /* the first is the last, which stays in `out` */
        const int first = FRAME_ROWS(has.linear, has.angular, has.thread) + i * TR_FEATURE_IMPULSES;
        const tr_dvec3 part =
            tr3_times((double)features_reaction(impulse, first, inv_h, out), frame_direction(&f, has, i));
        if (i < FRAME_SLIDES(has.linear))
            force = tr3_plus(force, part);
        else
            torque = tr3_plus(torque, part);
    }
    out->force = tr3_narrow(force);
    out->torque = tr3_narrow(torque);
}

static bool frame_is_featured(const tr3_joint_def *def)
{
    bool featured = !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
    for (uint32_t i = 0; i < TR3_COORDINATES && !featured; i++) {
        const tr3_uses uses = tr3_def_uses(def, i);
        featured = uses.spring || uses.motor || uses.limit || uses.friction;
    }
    return featured;
}

#define FRAME_FIELDS TR3_GROUP_AXIS | TR3_GROUP_AXIS_2 | TR3_GROUP_REFERENCE

/* the functions of a type */
#define FRAME_HOST(name, linear_, angular_, thread_)                                                                   \
    static void name##_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)           \
    {                                                                                                                  \
        frame_measure(def, pose, (frame_rows){linear_, angular_, thread_}, out);                                       \
    }                                                                                                                  \
    static void name##_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)             \
    {                                                                                                                  \
        frame_equations(def, pose, (frame_rows){linear_, angular_, thread_}, out);                                     \
    }                                                                                                                  \
    static void name##_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse,            \
                                float inv_h, tr3_reaction *out)                                                        \
    {                                                                                                                  \
        frame_reaction(def, pose, (frame_rows){linear_, angular_, thread_}, impulse, inv_h, out);                      \
    }

/* of one with angles */
#define FRAME_WIND(name, linear_, angular_, thread_)                                                                   \
    static void name##_wind(const tr3_joint_def *def, tr3_joint_pose *pose)                                            \
    {                                                                                                                  \
        frame_wind(def, pose, (frame_rows){linear_, angular_, thread_});                                               \
    }
