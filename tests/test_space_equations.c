/* The equations of every type of joint in space: J and dJ/dt v are derivatives. */
#include "equation_rates.h"

#include "base/angle.h"
#include "solver/space/geometry.h"

typedef struct moving_frame {
    tr_dvec3 x, v, a, w, alpha; /* w in the world's axes */
    tr3_dquat q;
} moving_frame;

struct motion_of_ends {
    moving_frame body[4]; /* A, B and their carriers */
    tr_dvec3 anchor[2];   /* in the bodies' frames */
    tr_dvec3 center[2];   /* of mass, of the carriers, in theirs */
};

static tr3_dquat rotation_by(tr_dvec3 v)
{
    double angle = sqrt(tr3_dot(v, v)), s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    return (tr3_dquat){s * v.x, s * v.y, s * v.z, cos(0.5 * angle)};
}

/* to third order in time, which a central difference does not see */
static moving_frame frame_at(const motion_of_ends *m, uint32_t end, double t)
{
    moving_frame f = m->body[end];
    tr_dvec3 turn = tr3_plus(tr3_times(t, f.w), tr3_times(0.5 * t * t, f.alpha));
    f.q = tr3_compose(rotation_by(turn), f.q);
    f.x = tr3_plus(f.x, tr3_plus(tr3_times(t, f.v), tr3_times(0.5 * t * t, f.a)));
    f.v = tr3_plus(f.v, tr3_times(t, f.a));
    f.w = tr3_plus(f.w, tr3_times(t, f.alpha));
    return f;
}

static void equations_at(const motion_of_ends *m, double time, const tr3_joint_def *def, tr3_equations *out)
{
    moving_frame a = frame_at(m, 0, time), b = frame_at(m, 1, time);
    tr3_joint_pose p;
    memset(&p, 0, sizeof p);
    memset(out, 0, sizeof *out);
    p.r_a = tr3_turned(a.q, m->anchor[0]);
    p.r_b = tr3_turned(b.q, m->anchor[1]);
    p.d = tr3_minus(tr3_plus(b.x, p.r_b), tr3_plus(a.x, p.r_a));
    p.d_rate = tr3_minus(tr3_plus(b.v, tr3_cross(b.w, p.r_b)), tr3_plus(a.v, tr3_cross(a.w, p.r_a)));
    p.w_a = a.w;
    p.w_b = b.w;
    tr3_dquat reference = tr3_normalised(tr3_widen_quat(def->reference));
    p.relative = tr3_compose(tr3_compose(tr3_conjugate(a.q), b.q), tr3_conjugate(reference));
    if (p.relative.w < 0.0)
        p.relative = (tr3_dquat){-p.relative.x, -p.relative.y, -p.relative.z, -p.relative.w};
    p.to_world = a.q;
    p.axis = tr3_turned(a.q, tr3_widen(def->axis));
    p.axis_b = tr3_turned(a.q, tr3_turned(p.relative, tr3_widen(def->axis)));
    tr_dvec3 n = tr3_widen(def->axis), v = {p.relative.x, p.relative.y, p.relative.z};
    p.angle = 2.0 * atan2(tr3_dot(v, n), p.relative.w);
    for (uint32_t end = 0; end < 4; end++) {
        const moving_frame f = frame_at(m, end, time);
        const tr_dvec3 to_origin = end < 2 ? f.x : tr3_minus(f.x, tr3_turned(f.q, m->center[end - 2]));
        p.body[end] = (tr3_joint_place){f.x, to_origin, f.v, f.w, f.q};
    }
    tr3_joint_types[def->type]->equations(def, &p, out);
}

static void put(double to[6], tr_dvec3 linear, tr_dvec3 angular)
{
    const double all[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    memcpy(to, all, sizeof all);
}

static void part_at(const motion_of_ends *m, uint32_t end, double velocity[6], double acceleration[6])
{
    put(velocity, m->body[end].v, m->body[end].w);
    put(acceleration, m->body[end].a, m->body[end].alpha);
}

static void seen_from_a(const motion_of_ends *m, double time, double vector[3])
{
    tr3_dquat since = tr3_compose(frame_at(m, 0, time).q, tr3_conjugate(m->body[0].q));
    tr_dvec3 seen = tr3_turned(tr3_conjugate(since), (tr_dvec3){vector[0], vector[1], vector[2]});
    vector[0] = seen.x;
    vector[1] = seen.y;
    vector[2] = seen.z;
}

/* 2 vec(q), a tilt and the angle about an axis have the rate J v only where the joint is satisfied */
static bool has_exact_value(const tr3_joint_def *def, const tr3_equation *row)
{
    /* what a twist adds to the thread, and to a ratio */
    if (def->type == TR3_JOINT_SCREW && row->block == 1 && row->column == 4)
        return false;
    if (def->type == TR3_JOINT_GEAR)
        return def->slides_a && def->slides_b;
    /* an inertia has no error, and the angle of a circle is what it is anywhere */
    if (def->type == TR3_JOINT_INERTER || def->type == TR3_JOINT_CIRCLE)
        return def->type == TR3_JOINT_CIRCLE;
    const bool alone = row->block == 1 && row->kind != TR_EQUATION_MOTOR;
    return row->linear || (def->type == TR3_JOINT_BALL && alone) ||
           (def->type == TR3_JOINT_GENERAL && !def->fourth.locked && !def->sixth.locked);
}

static tr_dvec3 any_vector(uint64_t *seed, double most)
{
    double x = any_number(seed, most), y = any_number(seed, most);
    return (tr_dvec3){x, y, any_number(seed, most)};
}

static motion_of_ends any_motion(uint64_t *seed)
{
    motion_of_ends m;
    for (int i = 0; i < 4; i++) {
        moving_frame *f = &m.body[i];
        f->x = any_vector(seed, 3.0);
        f->v = any_vector(seed, 3.0);
        f->a = any_vector(seed, 20.0);
        f->w = any_vector(seed, 3.0);
        f->alpha = any_vector(seed, 20.0);
        f->q = rotation_by(any_vector(seed, 1.0));
        *(i < 2 ? &m.anchor[i] : &m.center[i - 2]) = any_vector(seed, 2.0);
    }
    return m;
}

static tr3_joint_def any_joint(tr3_joint_type type)
{
    tr3_joint_def def = tr3_joint_def_default(type);
    def.axis = (tr_vec3){0.48f, -0.6f, 0.64f};
    def.reference = (tr_quat){0.1f, 0.2f, -0.1f, 0.9f};
    def.length = 0.1f;
    def.spring = (tr_spring){true, 0.2f, tr_physical(10.0f, 1.0f)};
    def.limit = (tr_limit){true, -0.4f, 0.7f};
    def.motor = (tr_motor){true, 1.0f, 5.0f};
    def.cone_angle = 0.5f;
    def.twist = (tr_limit){true, -0.3f, 0.4f};
    def.axis_2 = (tr_vec3){0.78086881f, 0.62469505f, 0.0f};
    def.locked = type == TR3_JOINT_GENERAL;
    def.second = (tr3_features){.spring = def.spring, .motor = def.motor, .limit = {true, -0.2f, 0.3f}};
    def.third = def.fourth = def.fifth = def.second;
    def.ratio = 0.7f;
    def.pitch = 1.3f;
    def.inertance = 2.0f;
    def.axis_b = (tr_vec3){0.0f, 0.6f, 0.8f};
    def.reference_b = (tr_quat){-0.3f, 0.1f, 0.2f, 0.8f};
    def.ground_a = (tr_dvec3){0.5, 4.0, -1.0};
    def.ground_b = (tr_dvec3){-1.0, 0.5, 3.0};
    def.sixth = (tr3_features){.limit = {true, -0.1f, 0.1f}, .locked = type == TR3_JOINT_GENERAL};
    return def;
}

static void every_row_is_a_derivative(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        uint32_t rows = 0;
        for (int round = 0; round < 400; round++) {
            motion_of_ends m = any_motion(&seed);
            tr3_joint_def def = any_joint((tr3_joint_type)type);
            /* angles one after another are not defined near a quarter turn */
            if (type == TR3_JOINT_GENERAL)
                m.body[1].q = tr3_compose(tr3_compose(m.body[0].q, rotation_by(any_vector(&seed, 0.6))),
                                          tr3_normalised(tr3_widen_quat(def.reference)));
            /* round cones, and elliptic ones */
            def.cone_angle_2 = round % 2 == 0 ? 0.0f : 0.8f;
            def.slides_a = round % 2 == 1;
            def.slides_b = round % 4 > 1;
            /* about an axis of A, or one of three angles */
            if (type == TR3_JOINT_INERTER && round % 8 > 3)
                def.axis_b = (tr_vec3){0.0f, 0.0f, 0.0f};
            def.across = round % 2 == 0;
            if (type == TR3_JOINT_PULLEY && round % 2 == 1)
                def.linear = tr_physical(10.0f, 1.0f);
            def.fourth.locked = type == TR3_JOINT_GENERAL && round % 4 == 1;
            def.sixth.locked = type == TR3_JOINT_GENERAL && round % 3 == 1;
            /* a block of three is taken for one along the world's axes */
            def.fifth.locked = type == TR3_JOINT_GENERAL && round % 5 == 1 && round % 12 != 1;
            check_rates(&m, &def, &rows);
        }
        /* friction is no row */
        assert_true(rows >= 400 || type == TR3_JOINT_FRICTION);
    }
}

/* where a joint that holds rotations is satisfied and moves as it may, its values have the rates J v */
static void rows_of_satisfied_joints_are_derivatives_of_their_errors(void **state)
{
    (void)state;
    const tr3_joint_type types[] = {TR3_JOINT_HINGE,    TR3_JOINT_SLIDER,      TR3_JOINT_WELD,
                                    TR3_JOINT_DISTANCE, TR3_JOINT_CYLINDRICAL, TR3_JOINT_PLANAR,
                                    TR3_JOINT_PARALLEL, TR3_JOINT_UNIVERSAL,   TR3_JOINT_SCREW};
    uint64_t seed = 4;
    for (int round = 0; round < 1800; round++) {
        tr3_joint_def def = any_joint(types[round % 9]);
        motion_of_ends m = any_motion(&seed);
        moving_frame *a = &m.body[0], *b = &m.body[1];
        tr_dvec3 axis = tr3_turned(a->q, tr3_widen(def.axis));
        tr_dvec3 pin = tr3_turned(a->q, tr3_widen(def.axis_2));
        bool turns = def.type != TR3_JOINT_SLIDER && def.type != TR3_JOINT_WELD;
        double angle = turns ? any_number(&seed, 1.0) : 0.0, turning = turns ? any_number(&seed, 2.0) : 0.0;
        bool both = def.type == TR3_JOINT_UNIVERSAL;
        double other = both ? any_number(&seed, 1.0) : 0.0, bending = both ? any_number(&seed, 2.0) : 0.0;
        tr3_dquat about = rotation_by(tr3_times(angle / sqrt(tr3_dot(axis, axis)), axis));
        pin = tr3_turned(about, pin);
        about = tr3_compose(rotation_by(tr3_times(other / sqrt(tr3_dot(pin, pin)), pin)), about);
        b->q = tr3_compose(tr3_compose(about, a->q), tr3_normalised(tr3_widen_quat(def.reference)));
        b->w = tr3_plus(a->w, tr3_plus(tr3_times(turning, axis), tr3_times(bending, pin)));
        const double h = 1e-4;
        tr3_equations now, back, forth;
        equations_at(&m, 0.0, &def, &now);
        equations_at(&m, -h, &def, &back);
        equations_at(&m, h, &def, &forth);
        turn_blocks(&m, -h, &back);
        turn_blocks(&m, h, &forth);
        for (uint32_t i = 0; i < now.count; i++) {
            if (now.row[i].linear && !(def.type == TR3_JOINT_SCREW && now.row[i].column == 4))
                continue;
            /* C'' = J a + dJ/dt v as well */
            double first = (forth.row[i].value - back.row[i].value) / (2.0 * h);
            double second = (forth.row[i].value - 2.0 * now.row[i].value + back.row[i].value) / (h * h);
            double change = now.row[i].bend;
            for (uint32_t end = 0; end < 2; end++) {
                double velocity[6], acceleration[6];
                part_at(&m, end, velocity, acceleration);
                for (int k = 0; k < 6; k++)
                    change += now.row[i].j[end][k] * acceleration[k];
            }
            if (fabs(first - now.row[i].rate) > 1e-5 || fabs(second - change) > 1e-4 * (1.0 + fabs(change)))
                fail_msg("%s row %u: rate %.9g, C' %.9g; J a + dJ/dt v %.9g, C'' %.9g", tr3_joint_types[def.type]->name,
                         i, now.row[i].rate, first, change, second);
        }
    }
}

/* wheels that are held on axes of moving carriers: the ratio of the angles has the rate J v, and J a + dJ/dt v */
static void ratios_of_held_wheels_are_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int round = 0; round < 400; round++) {
        tr3_joint_def def = any_joint(TR3_JOINT_GEAR);
        def.slides_a = round % 3 == 1;
        def.slides_b = round % 3 == 2;
        motion_of_ends m = any_motion(&seed);
        for (uint32_t end = 0; end < 2; end++) {
            const moving_frame *on = &m.body[2 + end];
            moving_frame *wheel = &m.body[end];
            const tr_dvec3 n = tr3_turned(on->q, tr3_widen(end == 0 ? def.axis : def.axis_b));
            const tr_dvec3 axis = tr3_over(n, sqrt(tr3_dot(n, n)));
            const tr_quat reference = end == 0 ? def.reference : def.reference_b;
            wheel->q = tr3_compose(tr3_compose(rotation_by(tr3_times(any_number(&seed, 2.0), axis)), on->q),
                                   tr3_normalised(tr3_widen_quat(reference)));
            wheel->w = tr3_plus(on->w, tr3_times(any_number(&seed, 2.0), axis));
        }
        const double h = 1e-4;
        tr3_equations now, back, forth;
        equations_at(&m, 0.0, &def, &now);
        equations_at(&m, -h, &def, &back);
        equations_at(&m, h, &def, &forth);
        double first = (forth.row[0].value - back.row[0].value) / (2.0 * h), change = now.row[0].bend;
        double of_rate = (forth.row[0].rate - back.row[0].rate) / (2.0 * h);
        for (uint32_t end = 0; end < 4; end++) {
            double velocity[6], acceleration[6];
            part_at(&m, end, velocity, acceleration);
            for (int k = 0; k < 6; k++)
                change += now.row[0].j[end][k] * acceleration[k];
        }
        if (fabs(first - now.row[0].rate) > 2e-5 || fabs(of_rate - change) > 1e-4 * (1.0 + fabs(change)))
            fail_msg("round %d: rate %.9g, C' %.9g; J a + dJ/dt v %.9g, C'' %.9g", round, now.row[0].rate, first,
                     change, of_rate);
    }
}

static void every_type_has_equations(void **state)
{
    (void)state;
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++)
        assert_true(tr3_joint_types[type]->equations != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_equations),
        cmocka_unit_test(every_row_is_a_derivative),
        cmocka_unit_test(rows_of_satisfied_joints_are_derivatives_of_their_errors),
        cmocka_unit_test(ratios_of_held_wheels_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
