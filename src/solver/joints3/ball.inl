/*
 * Ball: holds a point of B at a point of A; B can rotate freely (source 004).
 *
 *   C = d = (pB + rB) - (pA + rA)                  3 rows
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *   K = (mA + mB) 1 - X(a) IA X(a) - X(rB) IB X(rB)          (m, I: inverse masses and inertias)
 *
 * The arm is a, not rA, because d is measured in the frame that rotates with A: both ends of the force act at B's
 * anchor, and angular momentum is conserved even if d is not zero. If IA and IB are numbers, K^-1 is a sum of positive
 * terms: even_inverse (space/kernels/rows.inl).
 *
 * Nearly so it is between axial bodies (space/kernels/setup.inl): with IA = i 1 + e rA rA^T, and IB likewise, rB x p has no
 * part along rB, so B turns as if IB were a number; and IA (a x p) = i (a x p) + e (n . p) rA with n = rA x d, so K has
 * e n n^T besides.
 *
 * The rotations that it leaves free can have a spring toward the reference rotation and friction, three rows each with
 * K = IA + IB, and limits: of the angle between the axes of A and B (the cone), and of the rotation about the axis (the
 * twist). With the relative rotation q = (v, s) in A's frame and the axis x: twist = 2 atan2(v . x, s), and its rate is
 * that about xA + xB, over 1 + xA . xB. Its row is about the unit vector u along xA + xB, and its error the twist times
 * |xA + xB|/2, so that it fades where the axes are opposite and there is no twist. The cone's row is about xA x xB. In
 * the kernels a twist or an angle from a limit is twice the sine of half of it, which takes no arc.
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
#include "solver/space/kernels/ball.inl"
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
