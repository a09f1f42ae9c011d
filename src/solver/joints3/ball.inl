/*
 * Ball: holds a point of B at a point of A; B can rotate freely (source 004).
 *
 *   C = d = (pB + rB) - (pA + rA)                  3 rows
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *   K = (mA + mB) 1 - X(a) IA X(a) - X(rB) IB X(rB)          (m, I: inverse masses and inertias)
 *
 * The arm is a, not rA, because d is measured in the frame that rotates with A: both ends of the force act at B's
 * anchor, and angular momentum is conserved even if d is not zero. If IA and IB are numbers, K^-1 is a sum of positive
 * terms: even_inverse (space/rows.inl).
 *
 * Nearly so it is between axial bodies (space/setup.inl): with IA = i 1 + e rA rA^T, and IB likewise, rB x p has no
 * part along rB, so B turns as if IB were a number; and IA (a x p) = i (a x p) + e (n . p) rA with n = rA x d, so K has
 * e n n^T besides.
 *
 * The rotations that it leaves free can have a spring toward the reference rotation and friction, three rows each with
 * K = IA + IB, and limits: of the angle between the axes of A and B (the cone), and of the rotation about the axis (the
 * twist). With the relative rotation q = (v, s) in A's frame and the axis x: twist = 2 atan2(v . x, s), and its rate is
 * that about xA + xB, over 1 + xA . xB. Its row is about the unit vector u along xA + xB, and its error the twist times
 * |xA + xB|/2, so that it fades where the axes are opposite and there is no twist. The cone's row is about xA x xB.
 *
 * The coordinates are the twist and the parts of the swing a n along y and z, fixed in A across x, with the angle a between
 * the axes, n = xA x xB / |xA x xB| and u = n x xA. With the relative angular velocity w, a' = n . w, and n turns about xA
 * by (xA - cot a u) . w. So the rates of the coordinates are p . w with
 *
 *   twist           p = (xA + xB)/(1 + xA . xB)
 *   swing along e   p = (e . n) n + (e . u) (a cot a u - a xA)
 *
 * Springs act along these, and motors about x, y and z fixed in B. An elliptic cone is C = 1 - |(swing y/b, swing z/c)|,
 * with the half angles b and c, along the gradient of C. Where the axes are opposite, a = pi, the p of swings are not
 * defined; near it p is shortened.
 */
#ifdef TR_JOINT_HOST

#include "solver/space/second_axis.h"

/* the first impulse of the coordinates, two for each */
#define BALL_DRIVES   12
#define BALL_DRIVE(k) (BALL_DRIVES + 2 * (int)(k))
#define BALL_TURNS    3

static bool ball_is_elliptic(const tr3_joint_def *def)
{
    return def->cone_angle_2 > 0.0f && def->cone_angle_2 != def->cone_angle;
}

static bool ball_has_cone(const tr3_joint_def *def)
{
    return def->cone_angle < (float)TR_PI || ball_is_elliptic(def);
}

static bool ball_is_featured(const tr3_joint_def *def)
{
    bool featured = def->friction > 0.0f || !softness_is_rigid(def->linear) || !softness_is_off(def->angular) ||
                    ball_has_cone(def) || def->twist.enable;
    for (uint32_t k = 0; k < BALL_TURNS; k++) {
        const tr3_uses uses = tr3_def_uses(def, k);
        featured = featured || uses.spring || uses.motor;
    }
    return featured;
}

static void ball_defaults(tr3_joint_def *def)
{
    def->angular = tr_frequency(0.0f, 0.0f);
}

/* how the axis of B leans */
typedef struct ball_swing {
    tr_dvec3 x, e[2], n, u; /* e: y and z */
    double angle, shrink;   /* a; a cot a, */
    double lag, slope;      /* (a cot a - 1)/a, and the derivative of a cot a */
    bool moves;             /* the axes are not opposite */
} ball_swing;

static ball_swing ball_swing_of(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    const tr_dvec3 normal = measure_cross(pose->axis, pose->axis_b);
    const double sine = measure_length(normal), cosine = measure_dot(pose->axis, pose->axis_b);
    ball_swing s = {.x = pose->axis, .angle = tr_arctan2(sine, cosine), .moves = sine > 1e-6 || cosine > 0.0};
    s.e[0] = measure_rotate(&pose->to_world, tr3_widen(tr3_second_axis(def->axis, def->axis_2)));
    s.e[1] = measure_cross(s.x, s.e[0]);
    s.n = sine > 0.0 ? tr3_over(normal, sine) : s.e[0];
    s.u = measure_cross(s.n, s.x);
    if (s.angle < 1e-3) {
        s.shrink = 1.0 - s.angle * s.angle / 3.0;
        s.lag = -s.angle / 3.0;
        s.slope = -2.0 * s.angle / 3.0;
    } else if (s.moves) {
        s.shrink = s.angle * cosine / sine;
        s.lag = (s.shrink - 1.0) / s.angle;
        s.slope = cosine / sine - s.angle / (sine * sine);
    }
    return s;
}

/* the row of a coordinate; p' . w in A's frame is written with a' = n . w and what n turns by, times a */
static tr3_equation ball_turn(const ball_swing *s, const tr3_joint_def *def, const tr3_joint_pose *pose, int coordinate)
{
    if (coordinate == 0)
        return equation_twist(def, pose);
    if (!s->moves) {
        /* no way is the shortest: moves nothing */
        tr3_equation none = equation_about(pose, (tr_dvec3){0.0, 0.0, 0.0});
        none.value = s->angle * measure_dot(s->e[coordinate - 1], s->n);
        return none;
    }
    const tr_dvec3 e = s->e[coordinate - 1], w = tr3_minus(pose->w_b, pose->w_a);
    const double c = measure_dot(e, s->n), d = measure_dot(e, s->u);
    const double wn = measure_dot(s->n, w), wu = measure_dot(s->u, w), wx = measure_dot(s->x, w);
    const tr_dvec3 tilted = tr3_minus(tr3_times(s->shrink, s->u), tr3_times(s->angle, s->x));
    tr3_equation row = equation_about(pose, tr3_plus(tr3_times(c, s->n), tr3_times(d, tilted)));
    const double around = s->angle * wx - s->shrink * wu;
    row.value = s->angle * c;
    row.bend += s->lag * around * (d * wn + c * wu) - c * around * wx + d * wn * (s->slope * wu - wx);
    return row;
}

/* of an elliptic cone m |h|, h the swing over the half angles, of which m is the lesser */
static tr3_equation ball_ellipse(const ball_swing *s, const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    const double m = (double)fminf(def->cone_angle, def->cone_angle_2);
    tr3_equation of[2] = {equation_scaled(ball_turn(s, def, pose, 1), m / (double)def->cone_angle),
                          equation_scaled(ball_turn(s, def, pose, 2), m / (double)def->cone_angle_2)};
    const double size = hypot(of[0].value, of[1].value);
    if (!(size > 0.0))
        return of[0];
    tr3_equation row = equation_scaled(of[0], of[0].value / size);
    const double share = of[1].value / size;
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t i = 0; i < TR3_DEGREES; i++)
            row.j[end][i] += share * of[1].j[end][i];
    row.value = size;
    row.rate += share * of[1].rate;
    row.bend += share * of[1].bend + (of[0].rate * of[0].rate + of[1].rate * of[1].rate - row.rate * row.rate) / size;
    return row;
}

/* rad, by which the axis is out of the cone */
static double ball_beyond(const ball_swing *s, const tr3_joint_def *def)
{
    if (!ball_is_elliptic(def))
        return fmax(0.0, s->angle - (double)def->cone_angle);
    const double share = hypot(measure_dot(s->n, s->e[0]) / (double)def->cone_angle,
                               measure_dot(s->n, s->e[1]) / (double)def->cone_angle_2);
    return fmax(0.0, s->angle - 1.0 / share);
}

/* of a coordinate; the target of a twist is as near as may be */
static double ball_from_target(const tr3_features *f, int coordinate, double value)
{
    const double target = (double)f->spring.target;
    return coordinate == 0 ? tr3_angle_near(value, target) : value;
}

static void ball_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    double separation = measure_length(pose->d), turned = measure_turn(pose);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->energy = softness_energy(def->linear, separation) + softness_energy(def->angular, turned);
    const bool sprung = def->spring.enable || def->second.spring.enable || def->third.spring.enable;
    if (!sprung && !ball_has_cone(def) && !def->twist.enable)
        return;
    const ball_swing swing = ball_swing_of(def, pose);
    const double twist = measure_twist(pose, def);
    out->angular_error = (float)fmax(ball_beyond(&swing, def), limit_violation(&def->twist, twist));
    for (int k = 0; k < BALL_TURNS && sprung; k++) {
        const tr3_features f = tr3_def_features(def, (uint32_t)k);
        const double value = k == 0 ? twist : swing.angle * measure_dot(swing.e[k - 1], swing.n);
        out->energy += spring_energy(&f.spring, ball_from_target(&f, k, value));
    }
}

static void ball_coordinates(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    const ball_swing swing = ball_swing_of(def, pose);
    for (int k = 0; k < BALL_TURNS; k++) {
        const tr3_equation row = ball_turn(&swing, def, pose, k);
        out->further[k] = (tr_joint_coordinate_value){(float)row.value, (float)row.rate};
    }
    out->coordinate = out->further[0].value;
    out->rate = out->further[0].rate;
}

/* x, y or z, fixed in B */
static tr_dvec3 ball_axis(const tr3_joint_def *def, const tr3_joint_pose *pose, int coordinate)
{
    const tr_dvec3 y = tr3_widen(tr3_second_axis(def->axis, def->axis_2));
    const tr_dvec3 yb = measure_rotate(&pose->to_world, measure_rotate(&pose->relative, y));
    return coordinate == 0 ? pose->axis_b : coordinate == 1 ? yb : measure_cross(pose->axis_b, yb);
}

/* the torque of springs and motors along the coordinates */
static tr_dvec3 ball_driven(const ball_swing *s, const tr3_joint_def *def, const tr3_joint_pose *pose,
                            const float *impulse)
{
    tr_dvec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < BALL_TURNS; k++) {
        const double spring = (double)impulse[BALL_DRIVE(k)], motor = (double)impulse[BALL_DRIVE(k) + 1];
        if (spring != 0.0) {
            const tr3_equation row = ball_turn(s, def, pose, k);
            sum = tr3_plus(sum, tr3_times(spring, tr3_equation_angular(row.j[1])));
        }
        if (motor != 0.0)
            sum = tr3_plus(sum, tr3_times(motor, ball_axis(def, pose, k)));
    }
    return sum;
}

/* the torque of the cone's impulse: about the common normal of the axes, or along the ellipse's gradient */
static tr_dvec3 ball_lean(const ball_swing *s, const tr3_joint_def *def, const tr3_joint_pose *pose, double impulse)
{
    if (!ball_is_elliptic(def)) {
        tr_dvec3 across = measure_cross(pose->axis, pose->axis_b);
        double sine = measure_length(across);
        return tr3_times(sine > 0.0 ? impulse / sine : 0.0, across);
    }
    tr3_equation row = ball_ellipse(s, def, pose);
    tr_dvec3 p = tr3_equation_angular(row.j[1]);
    double length = measure_length(p);
    return tr3_times(length > 0.0 ? impulse / length : 0.0, p);
}

/* impulses: point 3, spring 3, friction 3, cone, lower and upper twist, then spring and motor of each coordinate; with
   the axes as they are now */
static void ball_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                          tr3_reaction *out)
{
    const ball_swing swing = ball_swing_of(def, pose);
    tr_dvec3 lean = ball_lean(&swing, def, pose, -(double)impulse[9]);
    tr_dvec3 driven = ball_driven(&swing, def, pose, impulse);
    tr_dvec3 along = {pose->axis.x + pose->axis_b.x, pose->axis.y + pose->axis_b.y, pose->axis.z + pose->axis_b.z};
    double length = measure_length(along);
    double twist = length > 0.0 ? ((double)impulse[10] - (double)impulse[11]) / length : 0.0;
    out->force = measure_force(impulse, 0, inv_h);
    out->torque = measure_force(impulse, 3, inv_h);
    tr_vec3 friction = measure_force(impulse, 6, inv_h);
    out->torque.x += friction.x + (float)((lean.x + along.x * twist + driven.x) * (double)inv_h);
    out->torque.y += friction.y + (float)((lean.y + along.y * twist + driven.y) * (double)inv_h);
    out->torque.z += friction.z + (float)((lean.z + along.z * twist + driven.z) * (double)inv_h);
    out->lower = impulse[10] * inv_h;
    out->upper = -(impulse[9] + impulse[11]) * inv_h;
    out->spring = impulse[BALL_DRIVE(0)] * inv_h;
    out->motor = impulse[BALL_DRIVE(0) + 1] * inv_h;
}

/* a spring along a coordinate, a motor about an axis of B; those of the first are named in the reaction */
static void ball_drive(const ball_swing *s, const tr3_joint_def *def, const tr3_joint_pose *pose, int coordinate,
                       tr3_equations *out)
{
    const tr3_features f = tr3_def_features(def, (uint32_t)coordinate);
    const uint32_t first = out->count;
    tr3_joint_def of = *def;
    of.spring = f.spring;
    of.spring_force = f.spring_force;
    if (f.spring.enable) {
        tr3_equation row = ball_turn(s, def, pose, coordinate);
        row.value = ball_from_target(&f, coordinate, row.value);
        equations_spring(out, row, &of, BALL_DRIVE(coordinate));
    }
    if (f.motor.enable)
        equations_motor(out, equation_about(pose, ball_axis(def, pose, coordinate)), &f.motor,
                        BALL_DRIVE(coordinate) + 1);
    for (uint32_t i = first; i < out->count && coordinate > 0; i++)
        out->row[i].part = TR_PART_NONE;
}

/* the kernels' impulses of cone and twist are those of rows of length 1 */
static tr3_equation ball_of_length(tr3_equation row)
{
    row.length = measure_length(tr3_equation_angular(row.j[1]));
    return row;
}

static void ball_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    equations_rotation(out, pose, def->angular, TR_BLOCK_K, 3);
    const ball_swing swing = ball_swing_of(def, pose);
    if (!ball_is_elliptic(def) && ball_has_cone(def))
        equations_cone(out, def, pose);
    else if (ball_has_cone(def))
        equations_upper(out, ball_of_length(ball_ellipse(&swing, def, pose)),
                        (double)fminf(def->cone_angle, def->cone_angle_2), 9);
    equations_limit(out, ball_of_length(equation_twist(def, pose)), &def->twist, 10);
    for (int k = 0; k < BALL_TURNS; k++)
        ball_drive(&swing, def, pose, k, out);
    if (def->friction > 0.0f) {
        uint32_t first = out->count;
        equations_rotation(out, pose, tr_rigid(), TR_OWN_K, 6);
        equations_rub(out, first, def->friction);
    }
}

static const tr3_joint_type_info ball_info = {
    .name = "ball",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_AXIS_2 | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR |
              TR3_GROUP_ANGULAR | TR3_GROUP_FRICTION | TR3_GROUP_SWING | TR3_GROUP_3_DRIVES,
    .impulse_count = BALL_DRIVE(BALL_TURNS),
    .features_at = BALL_DRIVES,
    .features_apart = 2,
    .impulse_names = {"point.x", "point.y", "point.z", "spring.x", "spring.y", "spring.z", "friction.x", "friction.y",
                      "friction.z", "cone", "twist.lower", "twist.upper", "spring", "motor", "second.spring",
                      "second.motor", "third.spring", "third.motor"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_SPRING, TR_ROLE_SPRING, TR_ROLE_SPRING,
                      TR_ROLE_FRICTION, TR_ROLE_FRICTION, TR_ROLE_FRICTION, TR_ROLE_LIMIT, TR_ROLE_LIMIT, TR_ROLE_LIMIT,
                      TR_ROLE_SPRING, TR_ROLE_MOTOR, TR_ROLE_SPRING, TR_ROLE_MOTOR, TR_ROLE_SPRING, TR_ROLE_MOTOR},
    .set_defaults = ball_defaults,
    .is_featured = ball_is_featured,
    .measure = ball_measure,
    .coordinates = ball_coordinates,
    .equations = ball_equations,
    .reaction = ball_reaction,
    .has_unit_rows = true,
    .feature_length = 40.0f, /* of p with BALL_LEAST: pi (1 + 1/BALL_LEAST) at most */
};

#endif

#ifdef TR_JOINT_KERNEL

enum { ball_plain_impulses = 3, ball_featured_impulses = 18, ball_is_common = true };

/* the least sine with which p is computed where the axes are more than a right angle apart: 5.7 degrees from opposite */
#define BALL_LEAST 0.1f

enum {
    BALL_BASE,
    BALL_SOFT = BALL_BASE + BASE_COLUMNS,
    BALL_SPRING = BALL_SOFT + SOFT_COLUMNS,
    BALL_RELATION = BALL_SPRING + SOFT_COLUMNS, /* B's principal axes in A's at the reference, a quaternion */
    BALL_AXIS_A = BALL_RELATION + 4,            /* the axis in each body's principal axes */
    BALL_AXIS_B = BALL_AXIS_A + 3,
    BALL_FRICTION = BALL_AXIS_B + 3, /* N m s, greatest impulse */
    BALL_CONE_ANGLE,                 /* far, if there is no limit */
    BALL_CONE_SECOND,                /* of an elliptic cone one over the second angle; 0 of a round one */
    BALL_LOWER,
    BALL_UPPER,
    /* 1 or 0: whether there is the spring of the rotations; some spring or motor of a coordinate; one of these or some
       limit */
    BALL_SPRUNG,
    BALL_DRIVEN,
    BALL_LEANS,
    BALL_SECOND_A, /* the second axis in each body's principal axes */
    BALL_SECOND_B = BALL_SECOND_A + 3,
    BALL_FIRST_DRIVE = BALL_SECOND_B + 3, /* of the coordinates */
    BALL_FEATURED_END = BALL_FIRST_DRIVE + 3 * FREE_DRIVE_COLUMNS,
    ball_plain_columns = ball_plain_impulses + BALL_SOFT,
    ball_featured_columns = ball_featured_impulses + BALL_FEATURED_END
};

/* impulses with features, after those of the point; of the limits: cone, lower and upper twist; then spring and motor of
   each coordinate */
enum { BALL_SPRING_IMPULSES = 3, BALL_FRICTION_IMPULSES = 6, BALL_LIMIT_IMPULSES = 9, BALL_DRIVE_IMPULSES = 12 };

static const freedom ball_spring = {.spring = true}, ball_motor = {.motor = true};

/* the second axis in A's frame, of length 1; where it is not given, that of tr3_second_axis() */
TR_INLINE w3 ball_second_axis(tr3_fields f, int lane)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    w3 given = field3(f, TR3_FIELD_AXIS_2_X, lane), x = field3(f, TR3_FIELD_AXIS_X, lane);
    wm first = wf_lt(wf_abs(x.x), wf_set(0.6f));
    w3 some = {wf_keep(first, one), wf_select(first, zero, one), zero};
    some = minus(some, times(dot(some, x), x));
    some = times(one / wf_sqrt(dot(some, some)), some);
    return w3_select(wf_eq(dot(given, given), zero), some, given);
}

/* an impulse that is kept in some lanes; a feature that is off leaves none */
TR_INLINE void ball_keep(wm on, float *impulses, int at)
{
    put(impulses, at, wf_keep(on, get(impulses, at)));
}

/* Springs and motors of the coordinates; returns which lanes have some. If none has, no visit reads their columns. */
TR_INLINE wf ball_prepare_drives(const tr3_kernel_context *k, tr3_fields f, int lane, float *c, float *impulses)
{
    wf driven = wf_zero();
    for (int i = 0; i < 3; i++) {
        const tr3_fields of = f + TR3_FEATURES_OF(i);
        const wf spring = field(of, TR3_FIELD_SPRING_ENABLE, lane), motor = field(of, TR3_FIELD_MOTOR_ENABLE, lane);
        ball_keep(wf_lt(wf_zero(), spring), impulses, BALL_DRIVE_IMPULSES + 2 * i);
        ball_keep(wf_lt(wf_zero(), motor), impulses, BALL_DRIVE_IMPULSES + 2 * i + 1);
        driven = wf_max(driven, wf_max(spring, motor));
    }
    put(c, BALL_DRIVEN, driven);
    for (int i = 0; i < 3 && !wm_all(wf_eq(driven, wf_zero())); i++) {
        const int first = BALL_FIRST_DRIVE + i * FREE_DRIVE_COLUMNS;
        freedom_prepare(k, f + TR3_FEATURES_OF(i), lane, ball_spring, c, first);
        freedom_prepare(k, f + TR3_FEATURES_OF(i), lane, ball_motor, c, first);
    }
    return driven;
}

/* cone and twist; returns which lanes have some */
TR_INLINE wf ball_prepare_limits(tr3_fields f, int lane, float *c, float *impulses)
{
    const wf zero = wf_zero(), far = wf_set(TR_FAR), pi = wf_set((float)TR_PI);
    const wf cone = field(f, TR3_FIELD_CONE_ANGLE, lane), second = field(f, TR3_FIELD_CONE_ANGLE_2, lane);
    const wf twist = field(f, TR3_FIELD_TWIST_ENABLE, lane);
    const wm round = wm_or(wf_eq(second, zero), wf_eq(second, cone)), narrow = wf_lt(cone, pi);
    const wm twists = wf_lt(zero, twist);
    const wf angle = wf_select(round, wf_select(narrow, cone, far), cone);
    put(c, BALL_CONE_SECOND, wf_select(round, zero, wf_inverse_or_zero(second)));
    put(c, BALL_CONE_ANGLE, angle);
    put(c, BALL_LOWER, wf_select(twists, field(f, TR3_FIELD_TWIST_LOWER, lane), -far));
    put(c, BALL_UPPER, wf_select(twists, field(f, TR3_FIELD_TWIST_UPPER, lane), far));
    ball_keep(wf_lt(angle, far), impulses, BALL_LIMIT_IMPULSES);
    ball_keep(twists, impulses, BALL_LIMIT_IMPULSES + 1);
    ball_keep(twists, impulses, BALL_LIMIT_IMPULSES + 2);
    return wf_max(twist, wf_keep(wf_lt(angle, far), wf_set(1.0f)));
}

TR_INLINE void ball_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? ball_featured_impulses : ball_plain_impulses);
    base_put(c, BALL_BASE, s);
    if (!featured)
        return;
    const wf one = wf_set(1.0f);
    const softness spring = softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane);
    const wf friction = wf_set(k->h) * field(f, TR3_FIELD_FRICTION, lane);
    w4 relation = relation_of(s, f, lane);
    w3 axis = axis_of(s, f, lane);
    softness_put(c, BALL_SOFT, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    softness_put(c, BALL_SPRING, spring);
    put4(c, BALL_RELATION, relation);
    put3(c, BALL_AXIS_A, axis);
    put3(c, BALL_AXIS_B, rotated(turn_back(relation), axis));
    put(c, BALL_FRICTION, friction);
    const wm rubs = wf_lt(wf_zero(), friction);
    const wm sprung = wm_or(wf_lt(wf_zero(), spring.mass_scale), wf_lt(spring.keep, one));
    put(c, BALL_SPRUNG, wf_keep(sprung, one));
    for (int i = 0; i < 3; i++) {
        ball_keep(sprung, impulses, BALL_SPRING_IMPULSES + i);
        ball_keep(rubs, impulses, BALL_FRICTION_IMPULSES + i);
    }
    const wf driven = ball_prepare_drives(k, f, lane, c, impulses);
    put(c, BALL_LEANS, wf_max(driven, ball_prepare_limits(f, lane, c, impulses)));
    if (!wm_all(wf_eq(wf_max(driven, get(c, BALL_CONE_SECOND)), wf_zero()))) {
        const w3 y = from_frame(s, s->fa, ball_second_axis(f, lane));
        put3(c, BALL_SECOND_A, y);
        put3(c, BALL_SECOND_B, rotated(turn_back(relation), y));
    }
}

/* columns stored outside the block: arms and error, then levers and factors of K or, between even or axial bodies, the
   inverse of K */
enum {
    BALL_ARM,
    BALL_RB = BALL_ARM + 3,
    BALL_D = BALL_RB + 3,
    BALL_LEVERS_A = BALL_D + 3,
    BALL_LEVERS_B = BALL_LEVERS_A + 9,
    BALL_FACTORS = BALL_LEVERS_B + 9,
    BALL_PLACES = BALL_FACTORS + 6,
    BALL_INVERSE = BALL_D + 3,
    BALL_ACROSS = BALL_INVERSE + 5
};

/* arms, error, levers and K at the current poses */
typedef struct ball_place {
    w3 arm, rb, d;
    point_levers a, b;
    sym3_factors k;
} ball_place;

TR_INLINE void levers_put(float *c, int first, const point_levers *l)
{
    put3(c, first, l->x);
    put3(c, first + 3, l->y);
    put3(c, first + 6, l->z);
}

TR_INLINE point_levers levers_get(const float *c, int first)
{
    return (point_levers){get3(c, first), get3(c, first + 3), get3(c, first + 6)};
}

/* but for the levers */
TR_INLINE void ball_place_put(float *c, const ball_place *p)
{
    put3(c, BALL_ARM, p->arm);
    put3(c, BALL_RB, p->rb);
    put3(c, BALL_D, p->d);
    put3(c, BALL_FACTORS, (w3){p->k.dx, p->k.dy, p->k.dz});
    put3(c, BALL_FACTORS + 3, (w3){p->k.lyx, p->k.lzx, p->k.lzy});
}

TR_INLINE ball_place ball_place_get(const float *c)
{
    w3 d = get3(c, BALL_FACTORS), l = get3(c, BALL_FACTORS + 3);
    return (ball_place){get3(c, BALL_ARM),
                        get3(c, BALL_RB),
                        get3(c, BALL_D),
                        levers_get(c, BALL_LEVERS_A),
                        levers_get(c, BALL_LEVERS_B),
                        {d.x, d.y, d.z, l.x, l.y, l.z}};
}

/* Computes it, and stores it unless `to` is null. One body after the other, with poses loaded as they are needed: all at
   once need more registers than there are. */
TR_INLINE ball_place ball_place_of(tr3_pass pass, const float *c, const pose_pair *at, float *to)
{
    const wf im = get(c, BALL_BASE + BASE_IM_A) + get(c, BALL_BASE + BASE_IM_B);
    sym3 kk = {im, im, im, wf_zero(), wf_zero(), wf_zero()};
    ball_place p;
    axes r = axes_of(rotation_late(pass, at, true));
    sym3 ii = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_B));
    p.rb = to_world(&r, get3(c, BALL_BASE + BASE_LB));
    p.b = point_levers_of(&ii, p.rb);
    point_k_add(&kk, &p.b, p.rb);
    if (to != NULL)
        levers_put(to, BALL_LEVERS_B, &p.b);
    r = axes_of(rotation_late(pass, at, false));
    w3 apart = add(get3(c, BALL_BASE + BASE_D), apart_late(pass, at));
    p.d = add(apart, minus(p.rb, to_world(&r, get3(c, BALL_BASE + BASE_LA))));
    p.arm = add(apart, p.rb);
    ii = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_A));
    p.a = point_levers_of(&ii, p.arm);
    point_k_add(&kk, &p.a, p.arm);
    p.k = sym3_factor(&kk);
    if (to != NULL) {
        levers_put(to, BALL_LEVERS_A, &p.a);
        ball_place_put(to, &p);
    }
    return p;
}

/* the change of the point's impulse p, all rigid, for the error and what K^-1 makes of a rate; may not be finite */
TR_INLINE w3 ball_change(const tr3_kernel_context *k, tr3_pass pass, masses m, w3 solved, w3 p)
{
    if (!pass.biased)
        return minus(w3_zero(), solved);
    softness s = softness_held(k, m);
    return minus(times(-s.mass_scale, solved), times(s.impulse_scale, p));
}

/* the rate, and as much of the error d as is corrected in this pass */
TR_INLINE w3 ball_rate(const tr3_kernel_context *k, tr3_pass pass, const motion *a, const motion *b, w3 arm, w3 rb,
                       w3 d)
{
    w3 rate = point_rate(a, b, arm, rb);
    if (pass.biased)
        rate = add(rate, times(wf_set(k->rigid.bias_rate), begun3(k, pass, d, rate)));
    return rate;
}

/* The same between bodies whose inertia is a number, or axial ones: of these `across` is rA x d. */
typedef struct even_place {
    w3 arm, rb, d, across;
    even_inverse k;
} even_place;

TR_INLINE void even_place_put(float *c, const even_place *p, bool axial)
{
    put3(c, BALL_ARM, p->arm);
    put3(c, BALL_RB, p->rb);
    put3(c, BALL_D, p->d);
    put3(c, BALL_INVERSE, (w3){p->k.k, p->k.pair, p->k.both});
    put(c, BALL_INVERSE + 3, p->k.on_a);
    put(c, BALL_INVERSE + 4, p->k.on_b);
    if (axial)
        put3(c, BALL_ACROSS, p->across);
}

TR_INLINE even_place even_place_get(const float *c, bool axial)
{
    even_place p = {.arm = get3(c, BALL_ARM), .rb = get3(c, BALL_RB), .d = get3(c, BALL_D)};
    const w3 k = get3(c, BALL_INVERSE);
    p.k = (even_inverse){k.x, k.y, get(c, BALL_INVERSE + 3), get(c, BALL_INVERSE + 4), k.z};
    p.across = axial ? get3(c, BALL_ACROSS) : w3_zero();
    return p;
}

TR_INLINE even_place even_place_of(const masses *m, const float *c, const pose_pair *at, bool axial, float *to)
{
    even_place p;
    const w3 ra = turned_vector(at->a.q, get3(c, BALL_BASE + BASE_LA));
    const w3 apart = add(get3(c, BALL_BASE + BASE_D), at->apart);
    p.rb = turned_vector(at->b.q, get3(c, BALL_BASE + BASE_LB));
    p.d = add(apart, minus(p.rb, ra));
    p.arm = add(apart, p.rb);
    p.k = even_inverse_of(m, p.arm, p.rb);
    p.across = axial ? cross(ra, p.d) : w3_zero();
    if (to != NULL)
        even_place_put(to, &p, axial);
    return p;
}

/* of bodies whose inertia is a number, or of axial ones */
TR_INLINE masses ball_even_masses(const float *c)
{
    masses m = {.im_a = get(c, BALL_BASE + BASE_IM_A), .im_b = get(c, BALL_BASE + BASE_IM_B), .even = true};
    m.ii_a.xx = get(c, BALL_BASE + BASE_II_A);
    m.ii_b.xx = get(c, BALL_BASE + BASE_II_B);
    return m;
}

/* what A's own axis adds to its change of spin by -p */
TR_INLINE void axial_apply(motion *a, const float *c, const even_place *n, w3 p)
{
    const wf beside = get(c, BALL_BASE + AXIAL_BESIDE) * dot(n->across, p);
    a->w = minus(a->w, times(beside, minus(n->arm, n->d)));
}

/* K^-1 with what A's own axis adds, from that without, which is enough where it adds less than a sixteenth of the least
   that K is in any direction; elsewhere by the formula of Sherman and Morrison. */
TR_INLINE w3 axial_solved(const float *c, const masses *m, const even_place *n, w3 solved)
{
    const wf beside = get(c, BALL_BASE + AXIAL_BESIDE), more = beside * dot(n->across, n->across);
    const wm near = wf_le(wf_abs(more), wf_set(0.0625f) * (m->im_a + m->im_b));
    if (__builtin_expect(wm_all(near), 1))
        return solved;
    const w3 column = even_solve(&n->k, n->arm, n->rb, n->across);
    const wf by = beside * wf_inverse_of_positive(wf_set(1.0f) + beside * dot(n->across, column));
    return w3_select(near, solved, minus(solved, times(by * dot(n->across, solved), column)));
}

/* a plain ball between bodies whose inertia is a number, or axial ones */
TR_INLINE void ball_even_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                               const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_plain_impulses;
    const masses m = ball_even_masses(c);
    float *to = pass.refresh && !pass.project ? pass.place : NULL;
    const even_place n =
        pass.refresh ? even_place_of(&m, c, at, pass.axial, to) : even_place_get(pass.place, pass.axial);
    w3 p = get3(impulses, 0);
    motions_late(pass, a, b);
    if (pass.warm_start) {
        point_apply(a, b, &m, n.arm, n.rb, p);
        if (pass.axial)
            axial_apply(a, c, &n, p);
        return;
    }
    w3 solved = even_solve(&n.k, n.arm, n.rb, ball_rate(k, pass, a, b, n.arm, n.rb, n.d));
    if (pass.axial)
        solved = axial_solved(c, &m, &n, solved);
    w3 change = sane3(ball_change(k, pass, m, solved, p));
    put3(impulses, 0, add(p, change));
    point_apply(a, b, &m, n.arm, n.rb, change);
    if (pass.axial)
        axial_apply(a, c, &n, change);
}

/* between any */
TR_INLINE void ball_plain_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                                const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_plain_impulses;
    const masses m = {.im_a = get(c, BALL_BASE + BASE_IM_A), .im_b = get(c, BALL_BASE + BASE_IM_B)};
    float *to = pass.refresh && !pass.project ? pass.place : NULL;
    ball_place n = pass.refresh ? ball_place_of(pass, c, at, to) : ball_place_get(pass.place);
    motions_late(pass, a, b);
    w3 p = get3(impulses, 0);
    if (pass.warm_start) {
        point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, p);
        return;
    }
    w3 solved = sym3_solved(&n.k, ball_rate(k, pass, a, b, n.arm, n.rb, n.d));
    w3 change = sane3(ball_change(k, pass, m, solved, p));
    if (to != NULL) {
        /* the levers have been stored: read again, they take no registers meanwhile */
        put3(impulses, 0, add(p, change));
        n.a = levers_get(to, BALL_LEVERS_A);
        n.b = levers_get(to, BALL_LEVERS_B);
        point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, change);
        return;
    }
    point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, change);
    put3(impulses, 0, add(p, change));
}

#include "solver/space/ball_features.inl"

TR_INLINE void ball_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    if (!featured && (pass.even || pass.axial)) {
        ball_even_visit(k, pass, impulses, a, b, at);
        return;
    }
    if (!featured) {
        ball_plain_visit(k, pass, impulses, a, b, at);
        return;
    }
    ball_featured_visit(k, pass, impulses, a, b, at);
}

#endif

#ifdef TR_JOINT_LOOK

enum { ball_color = 0x1f6fb4 }; /* 0xRRGGBB */

/* a dot */
static void draw_ball(const joint_pen *pen)
{
    arms(pen);
    dot(pen, anchor_b(pen), (pen->simple ? 0.5 : 0.7) * pen->glyph);
}

#endif
