/*
 * Linear motor: moves a point of B along an axis of A and leaves everything else free.
 *
 *   C = n . d,  d = (pB + rB) - (pA + rA),  n the axis
 *   J = (-n, -((rA + d) x n), n, rB x n)
 *   motor: J v = speed, |lambda| <= h maximum
 *
 * The plain kernel has only the motor; the featured one adds spring, limits and friction.
 */
#ifdef TR_JOINT_HOST

static bool linear_motor_is_featured(const tr2_joint_def *def)
{
    return def->spring.enable || def->limit.enable || def->friction > 0.0f;
}

static void linear_motor_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    slide_measure(def, pose, out);
    /* only the limits are rigid */
    out->linear_rigid = def->limit.enable;
    out->linear_error = (float)limit_violation(&def->limit, measure_dot(pose->axis, pose->d));
}

static void linear_motor_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse,
                                  float inv_h, tr2_reaction *out)
{
    (void)def;
    out->motor = impulse[0] * inv_h;
    out->spring = impulse[1] * inv_h;
    out->friction = impulse[2] * inv_h;
    out->lower = impulse[3] * inv_h;
    out->upper = -(impulse[4] * inv_h);
    double along =
        (double)out->motor + (double)out->spring + (double)out->friction + (double)out->lower + (double)out->upper;
    slide_force(pose, along, 0.0, out);
}

static void linear_motor_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    tr2_equation along = equation_along(&v, pose->axis);
    equations_spring(out, along, def, 1);
    equations_motor(out, along, &def->motor, 0);
    equations_limit(out, along, &def->limit, 3);
    equations_friction(out, along, def->friction, 2);
}

static const tr2_joint_type_info linear_motor_info = {
    .name = "linear_motor",
    .fields =
        TR2_GROUP_ANCHORS | TR2_GROUP_AXIS | TR2_GROUP_SPRING | TR2_GROUP_MOTOR | TR2_GROUP_LIMIT | TR2_GROUP_FRICTION,
    .plain_fields = TR2_GROUP_MOTOR,
    .impulse_count = 5,
    .impulse_names = {"motor", "spring", "friction", "lower", "upper"},
    .impulse_roles = {TR_ROLE_MOTOR, TR_ROLE_SPRING, TR_ROLE_FRICTION, TR_ROLE_LIMIT, TR_ROLE_LIMIT},
    .is_featured = linear_motor_is_featured,
    .measure = linear_motor_measure,
    .equations = linear_motor_equations,
    .reaction = linear_motor_reaction,
};

#endif

#ifdef TR_JOINT_KERNEL

enum {
    linear_motor_plain_impulses = 1,
    linear_motor_featured_impulses = 5,
    linear_motor_is_common = false,
    linear_motor_few_need = 0
};

enum {
    LINEAR_MOTOR_N,                                           /* along the axis */
    LINEAR_MOTOR_AXIS_X = LINEAR_MOTOR_N + DIRECTION_COLUMNS, /* at the start of the step */
    LINEAR_MOTOR_AXIS_Y,
    LINEAR_MOTOR_ALONG, /* n . d */
    LINEAR_MOTOR_BASE,
    LINEAR_MOTOR_FREE = LINEAR_MOTOR_BASE + BASE_COLUMNS,
    linear_motor_plain_columns = linear_motor_plain_impulses + LINEAR_MOTOR_FREE + FREE_MOTOR_IMPULSE + 1,
    linear_motor_featured_columns = linear_motor_featured_impulses + LINEAR_MOTOR_FREE + FREE_COLUMNS
};

/* in the order of solving; the motor's impulse is stored first, because the plain kernel has no other */
static const freedom linear_motor_ease = {.spring = true, .friction = true};
static const freedom linear_motor_drive = {.motor = true};
static const freedom linear_motor_stops = {.limit = true};
enum { LINEAR_MOTOR_DRIVE = 0, LINEAR_MOTOR_EASE = 1, LINEAR_MOTOR_STOPS = 3 };

TR_INLINE void linear_motor_refresh(float *c, const anchors *n, w2 axis)
{
    direction_put(c, LINEAR_MOTOR_N, direction_of(axis, n->arm, n->rb));
    put(c, LINEAR_MOTOR_ALONG, dot(axis, n->d));
}

TR_INLINE void linear_motor_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                                    float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? linear_motor_featured_impulses : linear_motor_plain_impulses);
    base_put(c, LINEAR_MOTOR_BASE, s);
    freedom_prepare(k, f, lane, linear_motor_drive, c, LINEAR_MOTOR_FREE);
    if (featured) {
        freedom_prepare(k, f, lane, linear_motor_ease, c, LINEAR_MOTOR_FREE);
        freedom_prepare(k, f, lane, linear_motor_stops, c, LINEAR_MOTOR_FREE);
    }
    w2 axis = axis_first(s, f, lane);
    put(c, LINEAR_MOTOR_AXIS_X, axis.x);
    put(c, LINEAR_MOTOR_AXIS_Y, axis.y);
    anchors n = anchors_first(s);
    linear_motor_refresh(c, &n, axis);
}

TR_INLINE void linear_motor_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                                  motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? linear_motor_featured_impulses : linear_motor_plain_impulses);
    masses m = masses_get(c, LINEAR_MOTOR_BASE);

    if (pass.refresh) {
        anchors now = anchors_now(c, LINEAR_MOTOR_BASE, at);
        w2 axis0 = {get(c, LINEAR_MOTOR_AXIS_X), get(c, LINEAR_MOTOR_AXIS_Y)};
        linear_motor_refresh(c, &now, rotate(at->a.c, at->a.s, axis0));
    }
    course n = course_along(direction_get(c, LINEAR_MOTOR_N));

    if (pass.warm_start) {
        freedom_warm_start(a, b, m, linear_motor_drive, n, impulses, LINEAR_MOTOR_DRIVE);
        if (featured) {
            freedom_warm_start(a, b, m, linear_motor_ease, n, impulses, LINEAR_MOTOR_EASE);
            freedom_warm_start(a, b, m, linear_motor_stops, n, impulses, LINEAR_MOTOR_STOPS);
        }
        return;
    }

    wf along = begun(k, pass, get(c, LINEAR_MOTOR_ALONG), free_rate(a, b, linear_motor_drive, n));
    if (featured)
        freedom_solve(k, pass, a, b, m, linear_motor_ease, n, along, c, LINEAR_MOTOR_FREE, impulses, LINEAR_MOTOR_EASE);
    freedom_solve(k, pass, a, b, m, linear_motor_drive, n, along, c, LINEAR_MOTOR_FREE, impulses, LINEAR_MOTOR_DRIVE);
    if (featured)
        freedom_solve(k, pass, a, b, m, linear_motor_stops, n, along, c, LINEAR_MOTOR_FREE, impulses,
                      LINEAR_MOTOR_STOPS);
}

#endif

#ifdef TR_JOINT_LOOK

enum { linear_motor_color = 0x00897b }; /* 0xRRGGBB */

/* the axis on A and a head on B that is pushed along it; from the ground, an arrow on the body that is pushed */
static void draw_linear_motor(joint_pen *pen)
{
    arms(pen);
    if (pen->ground_a || pen->ground_b) {
        float way = pen->def->motor.speed < 0.0f ? -1.0f : 1.0f;
        tr_vec2 axis = unit_axis(pen);
        push(pen, (tr_vec2){way * axis.x, way * axis.y});
        return;
    }
    rail(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

#endif
