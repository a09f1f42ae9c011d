/*
 * Joints in space that leave several coordinates free: each feature does on each coordinate what it does on any, the
 * forces are the gradients of the energies that are measured, and machines of such joints move as mechanics says.
 */
#define TR_DIMENSION 3

#include "base/angle.h"
#include "instrumented.h"
#include "solver/space/geometry.h"
#include "space.h"
#include "space_features.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -9.81f, 0.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const tr_vec3 unit = {1.0f, 1.0f, 1.0f};

static void run(tr3_world *world, int steps)
{
    for (int step = 0; step < steps; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
}

static tr_joint_coordinate_value coordinate(const tr3_world *world, tr3_joint joint, uint32_t k)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate_of(world, joint, k, &at));
    return at;
}

static void near_to(const char *what, tr3_joint_type type, uint32_t k, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s of coordinate %u of a %s: %.9g, not %.9g", what, k, tr3_joint_type_name(type), have, want);
}

/*
 * Features: B, of 2 kg and 0.5 kg m^2, at the point where it is held to a static A; on a distance 1 m from there
 */
typedef struct bench {
    tr3_world *world;
    tr3_body b;
    tr3_joint_def def;
    double k;     /* 1/m or 1/I of the coordinate */
    double start; /* the coordinate where it begins, from which features are given */
    double pitch; /* of a screw, m per radian: both coordinates move together; else 0 */
    bool linear;  /* it is a travel */
} bench;

/* types with free coordinates that have all features; a circle, whose angle is there only where the anchors are apart, has
   its own test */
static bool has_features(tr3_joint_type type)
{
    return space_coordinates(type) > 0 && type != TR3_JOINT_CIRCLE;
}

static const tr_vec3 slope = {0.48f, 0.6f, 0.64f};

static bench bench_of(tr3_joint_type type, uint32_t k)
{
    const bool rod = type == TR3_JOINT_DISTANCE;
    bench it = {.linear = k < space_slides(type) || rod, .start = rod ? 1.0 : 0.0};
    it.k = it.linear ? 0.5 : 2.0;
    it.world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body a = space_body(it.world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    it.b = space_body(it.world, TR_DYNAMIC, tr3_times(it.start, tr3_widen(slope)), 2.0f, (tr_vec3){0.5f, 0.5f, 0.5f});
    it.def = space_between(it.world, type, a, it.b, (tr_dvec3){0.0, 0.0, 0.0}, slope);
    if (rod)
        it.def.anchor_b = still;
    if (type == TR3_JOINT_SCREW) {
        /* what moves is m + I / p^2, or I + m p^2 */
        it.pitch = 0.5;
        it.def.pitch = (float)(TR_TURN * it.pitch);
        it.k = 1.0 / (it.linear ? 2.0 + 0.5 / (it.pitch * it.pitch) : 0.5 + 2.0 * it.pitch * it.pitch);
    }
    for (uint32_t i = 0; type == TR3_JOINT_GENERAL && i < TR3_COORDINATES; i++)
        tr3_def_set_features(&it.def, i, (tr3_features){.locked = i != k});
    return it;
}

/* features of a coordinate that counts from where it begins; the spring of a distance is its length's softness */
static void give(bench *it, uint32_t k, tr3_features f)
{
    f.limit.lower += (float)it->start;
    f.limit.upper += (float)it->start;
    if (it->def.type == TR3_JOINT_DISTANCE) {
        it->def.linear = f.spring.enable ? f.spring.softness : tr_frequency(0.0f, 0.0f);
        it->def.length = (float)it->start + f.spring.target;
        f.spring = tr3_joint_def_default(TR3_JOINT_DISTANCE).spring;
    }
    tr3_def_set_features(&it->def, k, f);
}

static double moved(const bench *it, tr3_joint joint, uint32_t k)
{
    return (double)coordinate(it->world, joint, k).value - it->start;
}

/* the direction of a coordinate at the reference: axes of the frame in A */
static tr_vec3 direction_of(const bench *it, uint32_t k)
{
    const tr3_joint_type type = it->def.type;
    if (type == TR3_JOINT_DISTANCE)
        return slope;
    const tr_dvec3 x = tr3_widen(it->def.axis), y = tr3_widen(it->def.axis_2), axis[3] = {x, y, tr3_cross(x, y)};
    if (type == TR3_JOINT_GENERAL)
        return tr3_narrow(axis[k % 3]);
    if (it->linear)
        return tr3_narrow(axis[space_slides(type) == 2 ? k + 1 : 0]);
    return tr3_narrow(axis[k - space_slides(type)]);
}

/* gives B a velocity along the coordinate, and along that which moves with it; the rest stays 0 */
static void push(const bench *it, uint32_t k, float rate)
{
    const tr_dvec3 n = tr3_widen(direction_of(it, k));
    const double tied = it->pitch == 0.0 ? 0.0 : it->linear ? 1.0 / it->pitch : it->pitch;
    const tr_vec3 own = tr3_narrow(tr3_times((double)rate, n)), other = tr3_narrow(tr3_times((double)rate * tied, n));
    SPACE_OK(tr3_body_set_velocity(it->world, it->b, it->linear ? own : other, it->linear ? other : own));
}

/* a constant force, or torque, along the coordinate, for some steps */
static void press(const bench *it, uint32_t k, float force, int steps)
{
    const tr_vec3 n = direction_of(it, k), f = {force * n.x, force * n.y, force * n.z};
    for (int i = 0; i < steps; i++) {
        SPACE_OK(it->linear ? tr3_body_apply_force_to_center(it->world, it->b, f)
                            : tr3_body_apply_torque(it->world, it->b, f));
        run(it->world, 1);
    }
}

/* the other coordinates, and what is held, have not moved, or as the thread ties them */
static void check_others(const bench *it, tr3_joint joint, uint32_t k)
{
    const double tied = it->pitch == 0.0 ? 0.0 : it->linear ? 1.0 / it->pitch : it->pitch;
    for (uint32_t i = 0; i < space_coordinates(it->def.type); i++)
        if (i != k)
            near_to("another", it->def.type, i, moved(it, joint, i), tied * moved(it, joint, k), 1e-4);
    tr_joint_error_value error;
    SPACE_OK(tr3_joint_error(it->world, joint, &error));
    near_to("error", it->def.type, k, (double)error.linear, 0.0, 1e-4);
    near_to("angular error", it->def.type, k, (double)error.angular, 0.0, 1e-3);
}

#define FOR_COORDINATES(tried)                                                                                         \
    uint32_t tried = 0;                                                                                                \
    for (tr3_joint_type type = 0; type < TR3_JOINT_TYPE_COUNT; type++)                                                 \
        for (uint32_t k = 0; has_features(type) && k < space_coordinates(type); k++, tried++)

static void motors_drive_every_coordinate(void **state)
{
    (void)state;
    FOR_COORDINATES(tried)
    {
        bench it = bench_of(type, k);
        give(&it, k, (tr3_features){.motor = {true, 0.5f, 0.25f}});
        tr3_joint joint = space_joint(it.world, &it.def);
        run(it.world, 12);
        near_to("rate", type, k, (double)coordinate(it.world, joint, k).rate, 0.2 * 0.25 * it.k, 1e-5);
        near_to("value", type, k, moved(&it, joint, k), 0.02 * 0.25 * it.k, 2e-3);
        run(it.world, (int)(150.0 / it.k));
        near_to("speed", type, k, (double)coordinate(it.world, joint, k).rate, 0.5, 1e-4);
        check_others(&it, joint, k);
        tr3_world_destroy(it.world);
    }
    assert_true(tried >= 22);
}

static void springs_balance_a_force(void **state)
{
    (void)state;
    FOR_COORDINATES(tried)
    {
        bench it = bench_of(type, k);
        give(&it, k, (tr3_features){.spring = {true, 0.1f, tr_physical(20.0f, 5.0f)}});
        tr3_joint joint = space_joint(it.world, &it.def);
        press(&it, k, 3.0f, 600);
        near_to("place", type, k, moved(&it, joint, k), 0.1 + 3.0 / 20.0, 2e-3);
        check_others(&it, joint, k);
        /* a bounded one gives way */
        give(&it, k, (tr3_features){.spring = {true, 0.1f, tr_physical(20.0f, 5.0f)}, .spring_force = {-2.0f, 2.0f}});
        SPACE_OK(tr3_joint_set(it.world, joint, &it.def));
        push(&it, k, 0.0f);
        const double before = (double)coordinate(it.world, joint, k).rate;
        press(&it, k, 3.0f, 12);
        near_to("rate", type, k, (double)coordinate(it.world, joint, k).rate - before, 0.2 * (3.0 - 2.0) * it.k, 2e-2);
        tr3_world_destroy(it.world);
    }
}

static void limits_stop_every_coordinate(void **state)
{
    (void)state;
    FOR_COORDINATES(tried)
    {
        for (int side = -1; side <= 1; side += 2) {
            bench it = bench_of(type, k);
            give(&it, k, (tr3_features){.limit = {true, -0.3f, 0.3f}});
            tr3_joint joint = space_joint(it.world, &it.def);
            push(&it, k, (float)side * 2.0f);
            run(it.world, 60);
            near_to("stop", type, k, moved(&it, joint, k), side * 0.3, 2e-3);
            near_to("rate", type, k, (double)coordinate(it.world, joint, k).rate, 0.0, 1e-3);
            check_others(&it, joint, k);
            tr3_world_destroy(it.world);
        }
    }
}

/* whatever the thread makes of mass and inertia: up to a thousand times as much moves as along the coordinate alone */
static void stops_hold_a_thread_of_any_pitch(void **state)
{
    (void)state;
    static const double pitches[] = {0.016, 0.08, 0.3, 0.8, 2.0, 8.0};
    for (uint32_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof pitches / sizeof pitches[0]; i++) {
            bench it = bench_of(TR3_JOINT_SCREW, k);
            it.pitch = pitches[i];
            it.def.pitch = (float)(TR_TURN * it.pitch);
            give(&it, k, (tr3_features){.limit = {true, -0.3f, 0.3f}});
            tr3_joint joint = space_joint(it.world, &it.def);
            push(&it, k, 2.0f);
            run(it.world, 60);
            near_to("stop", TR3_JOINT_SCREW, k, moved(&it, joint, k), 0.3, 1e-4);
            near_to("rate", TR3_JOINT_SCREW, k, (double)coordinate(it.world, joint, k).rate, 0.0, 1e-3);
            tr3_world_destroy(it.world);
        }
    }
}

static void friction_brakes_every_coordinate(void **state)
{
    (void)state;
    FOR_COORDINATES(tried)
    {
        bench it = bench_of(type, k);
        give(&it, k, (tr3_features){.friction = 1.0f});
        tr3_joint joint = space_joint(it.world, &it.def);
        press(&it, k, 0.9f, 60);
        near_to("place", type, k, moved(&it, joint, k), 0.0, 1e-5);
        press(&it, k, 1.5f, 12);
        near_to("rate", type, k, (double)coordinate(it.world, joint, k).rate, 0.2 * 0.5 * it.k, 1e-4);
        run(it.world, 120);
        near_to("end", type, k, (double)coordinate(it.world, joint, k).rate, 0.0, 1e-5);
        check_others(&it, joint, k);
        tr3_world_destroy(it.world);
    }
}

/* a motor, against a spring and friction, into a limit: forces add up, and the reaction says so */
static void features_act_together(void **state)
{
    (void)state;
    FOR_COORDINATES(tried)
    {
        bench it = bench_of(type, k);
        give(&it, k,
             (tr3_features){.spring = {true, 0.0f, tr_physical(10.0f, 1.0f)},
                            .motor = {true, 1.0f, 6.0f},
                            .limit = {true, -1.0f, 0.25f},
                            .friction = 1.0f});
        tr3_joint joint = space_joint(it.world, &it.def);
        run(it.world, 300);
        near_to("stop", type, k, moved(&it, joint, k), 0.25, 2e-3);
        if (k == 0) {
            tr3_reaction r;
            SPACE_OK(tr3_joint_reaction(it.world, joint, &r));
            near_to("motor", type, k, (double)r.motor, 6.0, 1e-3);
            near_to("spring", type, k, (double)r.spring, -2.5, 2e-2);
            near_to("sum", type, k, (double)(r.motor + r.spring + r.upper + r.lower + r.friction), 0.0, 1e-3);
            tr_vec3 n = direction_of(&it, k), all = it.linear ? r.force : r.torque;
            near_to("force", type, k, tr3_dot(tr3_widen(n), tr3_widen(all)), 0.0, 1e-3);
        }
        check_others(&it, joint, k);
        tr3_world_destroy(it.world);
    }
}

/*
 * Forces of kernels, as the gradient of the energy that is measured: any small violation, springs of known stiffness
 */
static double energy_of(tr3_world *world, const tr3_body *bodies, const tr3_transform *at, int end, int degree,
                        double change)
{
    for (int i = 0; i < 2; i++) {
        tr_dvec3 place = at[i].position;
        tr3_dquat q = tr3_widen_quat(at[i].rotation);
        if (i == end && degree < 3)
            *(degree == 0 ? &place.x : degree == 1 ? &place.y : &place.z) += change;
        if (i == end && degree >= 3) {
            double s = sin(0.5 * change);
            tr3_dquat turn = {degree == 3 ? s : 0.0, degree == 4 ? s : 0.0, degree == 5 ? s : 0.0, cos(0.5 * change)};
            q = tr3_compose(turn, q);
        }
        SPACE_OK(tr3_body_set_transform(world, bodies[i], place, tr3_narrow_quat(q)));
    }
    return tr3_world_measure(world).potential_energy;
}

static void make_sprung(tr3_joint_def *def, uint64_t *seed)
{
    if (tr3_joint_type_has(def->type, TR3_FIELD_LINEAR_A))
        def->linear = tr_physical(50.0f, 0.0f);
    if (tr3_joint_type_has(def->type, TR3_FIELD_ANGULAR_A))
        def->angular = tr_physical(30.0f, 0.0f);
    for (uint32_t k = 0; k < space_coordinates(def->type); k++)
        if (tr3_joint_type_has(def->type, tr3_field_of(TR3_FIELD_SPRING_ENABLE, k)))
            tr3_def_set_features(
                def, k,
                (tr3_features){.spring = {true, 0.3f * space_random(seed), tr_physical(10.0f, 0.0f)},
                               .locked = def->type == TR3_JOINT_GENERAL && random_index(seed, 2) == 0});
}

static void forces_are_gradients_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (uint32_t round = 0; round < TRIALS(40) * TR3_JOINT_TYPE_COUNT; round++) {
        const tr3_joint_type type = (tr3_joint_type)(round % TR3_JOINT_TYPE_COUNT);
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body bodies[2];
        for (int i = 0; i < 2; i++) {
            tr3_body_def def = tr3_body_def_default();
            def.type = TR_DYNAMIC;
            def.position = (tr_dvec3){(double)i, 0.25 * i, 0.0};
            def.rotation = (tr_quat){space_random(&seed), space_random(&seed), space_random(&seed), 1.0f};
            SPACE_OK(tr3_world_create_body(world, &def, &bodies[i]));
        }
        tr_vec3 axis = {space_random(&seed), space_random(&seed), 0.7f};
        tr3_joint_def def = space_between(world, type, bodies[0], bodies[1], (tr_dvec3){0.6, -0.1, 0.2}, axis);
        make_sprung(&def, &seed);
        if (type == TR3_JOINT_DISTANCE || type == TR3_JOINT_CIRCLE)
            def.anchor_b = (tr_vec3){0.3f, 0.2f, 0.1f};
        /* taut */
        if (type == TR3_JOINT_PULLEY)
            def.length -= 0.3f;
        space_joint(world, &def);
        /* a violation of 5 mm and 5 mrad, and what the type may move by, which the springs' targets stand for */
        tr3_transform at[2];
        for (int i = 0; i < 2; i++)
            SPACE_OK(tr3_body_get_transform(world, bodies[i], &at[i]));
        at[1].position.x += 0.005 * (double)space_random(&seed);
        at[1].position.y += 0.005 * (double)space_random(&seed);
        at[1].position.z += 0.005 * (double)space_random(&seed);
        float s = 0.0025f;
        tr3_dquat turn = {(double)(s * space_random(&seed)), (double)(s * space_random(&seed)),
                          (double)(s * space_random(&seed)), 1.0};
        at[1].rotation = tr3_narrow_quat(tr3_normalised(tr3_compose(turn, tr3_widen_quat(at[1].rotation))));
        double gradient[2][6], size = 0.0;
        for (int end = 0; end < 2; end++)
            for (int degree = 0; degree < 6; degree++) {
                const double e = 1e-3;
                double forth = energy_of(world, bodies, at, end, degree, e);
                gradient[end][degree] = (forth - energy_of(world, bodies, at, end, degree, -e)) / (2.0 * e);
                size = fmax(size, fabs(gradient[end][degree]));
            }
        energy_of(world, bodies, at, 2, 0, 0.0);
        for (int i = 0; i < 2; i++)
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], still, still));
        const double time = 1e-4;
        SPACE_OK(tr3_world_step(world, time, 1));
        for (int end = 0; end < 2; end++) {
            tr_vec3 v, w;
            SPACE_OK(tr3_body_get_velocity(world, bodies[end], &v, &w));
            const float rate[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
            for (int degree = 0; degree < 6; degree++) {
                double force = (double)rate[degree] / time;
                if (!(fabs(force + gradient[end][degree]) <= 0.02 * size + 1e-3))
                    fail_msg("%s, round %u: force %g on body %d along %d, the energy's gradient is %g of %g",
                             tr3_joint_type_name(type), round, force, end, degree, gradient[end][degree], size);
            }
        }
        tr3_world_destroy(world);
    }
}

/*
 * Machines
 */

/* types of a pair, also without free coordinates; a circle's is elsewhere */
static bool is_of_pairs(tr3_joint_type type)
{
    return has_features(type) || type == TR3_JOINT_WELD;
}

/* two free bodies with all features of each type: 10,000 steps keep momentum, and nothing blows up */
static void free_pairs_keep_momentum(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (uint32_t round = 0; round < 4 * TR3_JOINT_TYPE_COUNT; round++) {
        const tr3_joint_type type = (tr3_joint_type)(round % TR3_JOINT_TYPE_COUNT);
        if (!is_of_pairs(type))
            continue;
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body bodies[2];
        for (int i = 0; i < 2; i++) {
            bodies[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){(double)i, 0.1 * i, 0.0}, 1.0f + 0.5f * (float)i,
                                   (tr_vec3){0.25f, 0.3f, 0.35f});
            tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
            tr_vec3 w = {space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], v, w));
        }
        tr_vec3 axis = {space_random(&seed), space_random(&seed), 1.0f};
        tr3_joint_def def = space_between(world, type, bodies[0], bodies[1], (tr_dvec3){0.5, 0.0, 0.1}, axis);
        space_give_features(&def, round);
        /* without motors energy does not grow; a frequency is no energy that is measured, and so not stored */
        for (uint32_t k = 0; k < space_coordinates(type); k++) {
            tr3_features f = tr3_def_features(&def, k);
            f.motor.enable = false;
            f.spring.softness = tr_physical(5.0f, 0.1f);
            f.limit = (tr_limit){true, -0.4f, 0.5f};
            tr3_def_set_features(&def, k, f);
        }
        if (type == TR3_JOINT_DISTANCE) {
            def.anchor_a = (tr_vec3){0.1f, -0.3f, 0.0f};
            def.length = 0.7f;
            def.limit = (tr_limit){true, 0.4f, 0.9f};
            def.linear = tr_physical(5.0f, 0.1f);
            def.spring = tr3_joint_def_default(type).spring;
        }
        if (type == TR3_JOINT_WELD)
            def.angular = tr_physical(5.0f, 0.1f);
        if (type == TR3_JOINT_SCREW)
            def.pitch = 0.5f;
        space_joint(world, &def);
        tr3_measures begin = tr3_world_measure(world);
        run(world, TRIALS(10000));
        tr3_measures end = tr3_world_measure(world);
        double moved = space_length(space_minus(end.momentum, begin.momentum));
        double turned = space_length(space_minus(end.angular_momentum, begin.angular_momentum));
        double before = begin.kinetic_energy + begin.potential_energy,
               after = end.kinetic_energy + end.potential_energy;
        if (!(moved <= 5e-4) || !(turned <= 5e-3 * (1.0 + space_length(begin.angular_momentum))) ||
            !(after <= 1.01 * before))
            fail_msg("%s, round %u: momentum off by %g, angular momentum by %g of %g; energy %g of %g",
                     tr3_joint_type_name(type), round, moved, turned, space_length(begin.angular_momentum), after,
                     before);
        tr3_world_destroy(world);
    }
}

/* a body held out sideways by one joint or the other, at 1 kg and gravity: the same motion */
static void compare(const char *what, const tr3_joint_def *one, const tr3_joint_def *other, double slack)
{
    tr_dvec3 at[2];
    tr_vec3 force[2];
    for (int w = 0; w < 2; w++) {
        tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
        tr3_body a = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
        tr3_body b = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.1}, 1.0f, (tr_vec3){0.1f, 0.12f, 0.14f});
        tr3_joint_def def = w == 0 ? *one : *other;
        def.body_a = a;
        def.body_b = b;
        def.anchor_b = (tr_vec3){-0.5f, 0.0f, -0.1f};
        tr3_joint joint = space_joint(world, &def);
        for (int i = 0; i < 60; i++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 16));
        tr3_body_def now;
        tr3_reaction r;
        SPACE_OK(tr3_body_get(world, b, &now));
        SPACE_OK(tr3_joint_reaction(world, joint, &r));
        at[w] = now.position;
        force[w] = r.force;
        tr3_world_destroy(world);
    }
    double apart = space_length(space_minus(at[0], at[1]));
    double differ = space_length(space_minus(tr3_widen(force[0]), tr3_widen(force[1])));
    if (!(apart <= slack) || !(differ <= 40.0 * slack))
        fail_msg("%s: %g m apart, forces differ by %g N", what, apart, differ);
}

static void a_general_joint_is_each_of_the_others(void **state)
{
    (void)state;
    tr3_joint_def general = tr3_joint_def_default(TR3_JOINT_GENERAL), weld = tr3_joint_def_default(TR3_JOINT_WELD);
    compare("weld", &general, &weld, 1e-3);
    tr3_joint_def hinge = tr3_joint_def_default(TR3_JOINT_HINGE);
    general.axis = hinge.axis = (tr_vec3){0.0f, 0.6f, 0.8f};
    general.fourth.locked = false;
    hinge.spring = general.fourth.spring = (tr_spring){true, 0.2f, tr_physical(3.0f, 0.1f)};
    compare("hinge", &general, &hinge, 2e-3);
    tr3_joint_def slider = tr3_joint_def_default(TR3_JOINT_SLIDER);
    general.fourth = (tr3_features){.locked = true};
    general.locked = false;
    slider.axis = general.axis;
    slider.limit = general.limit = (tr_limit){true, -0.5f, 0.5f};
    compare("slider", &general, &slider, 2e-3);
    tr3_joint_def cylindrical = tr3_joint_def_default(TR3_JOINT_CYLINDRICAL);
    cylindrical.axis = general.axis;
    cylindrical.limit = general.limit;
    general.fourth.locked = false;
    compare("cylindrical", &general, &cylindrical, 2e-3);
    tr3_joint_def universal = tr3_joint_def_default(TR3_JOINT_UNIVERSAL);
    universal.axis = general.axis;
    universal.axis_2 = general.axis_2 = x_axis;
    universal.second.friction = general.fifth.friction = 0.3f;
    general.limit.enable = false;
    general.locked = true;
    general.fifth.locked = false;
    compare("universal", &general, &universal, 2e-3);
    tr3_joint_def ball = tr3_joint_def_default(TR3_JOINT_BALL);
    general.fifth.friction = 0.0f;
    general.sixth.locked = false;
    compare("ball", &general, &ball, 2e-3);
}

/* two shafts on hinges, bent by b, with a universal between: w2/w1 = cos b / (1 - sin^2 b cos^2 t), t from the bend's
   plane */
static void a_universal_drives_as_cardan_says(void **state)
{
    (void)state;
    const double bend = 0.5;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body in = space_body(world, TR_DYNAMIC, (tr_dvec3){-0.5, 0.0, 0.0}, 1.0f, (tr_vec3){0.1f, 0.2f, 0.2f});
    tr3_body out = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5 * cos(bend), 0.5 * sin(bend), 0.0}, 1.0f,
                              (tr_vec3){0.05f, 0.05f, 0.05f});
    const tr_vec3 leaving = {(float)cos(bend), (float)sin(bend), 0.0f};
    tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, ground, in, (tr_dvec3){-0.5, 0.0, 0.0}, x_axis);
    def.motor = (tr_motor){true, 2.0f, 1000.0f};
    tr3_joint first = space_joint(world, &def);
    def =
        space_between(world, TR3_JOINT_HINGE, ground, out, (tr_dvec3){0.5 * cos(bend), 0.5 * sin(bend), 0.0}, leaving);
    tr3_joint second = space_joint(world, &def);
    /* the fork of the first shaft is along z, that of the second in the plane of the bend */
    def = space_between(world, TR3_JOINT_UNIVERSAL, in, out, (tr_dvec3){0.0, 0.0, 0.0}, z_axis);
    def.axis_2 = (tr_vec3){-leaving.y, leaving.x, 0.0f};
    tr3_joint cross = space_joint(world, &def);
    double greatest = 0.0, least = 10.0;
    for (int i = 0; i < 480; i++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 120.0, 8));
        tr_joint_coordinate_value a = coordinate(world, first, 0), b = coordinate(world, second, 0);
        if (i < 60)
            continue;
        double ratio = (double)b.rate / (double)a.rate;
        /* the fork begins across the plane of the bend */
        double t = (double)a.value + TR_PI / 2.0;
        double expected = cos(bend) / (1.0 - pow(sin(bend) * cos(t), 2.0));
        if (fabs(ratio - expected) > 5e-3)
            fail_msg("step %d: the shafts' ratio is %g, not %g", i, ratio, expected);
        greatest = fmax(greatest, ratio);
        least = fmin(least, ratio);
        tr_joint_error_value error;
        SPACE_OK(tr3_joint_error(world, cross, &error));
        assert_true((double)error.linear < 1e-3 && (double)error.angular < 2e-3);
    }
    near_to("greatest", TR3_JOINT_UNIVERSAL, 0, greatest, 1.0 / cos(bend), 5e-3);
    near_to("least", TR3_JOINT_UNIVERSAL, 0, least, cos(bend), 5e-3);
    tr3_world_destroy(world);
}

/* angles count whole turns, also those that are no first coordinate */
static void angles_count_turns(void **state)
{
    (void)state;
    static const struct {
        tr3_joint_type type;
        uint32_t k;
    } of[] = {{TR3_JOINT_HINGE, 0},    {TR3_JOINT_CYLINDRICAL, 1}, {TR3_JOINT_PLANAR, 2},
              {TR3_JOINT_PARALLEL, 0}, {TR3_JOINT_UNIVERSAL, 0},   {TR3_JOINT_UNIVERSAL, 1},
              {TR3_JOINT_GENERAL, 3},  {TR3_JOINT_GENERAL, 4},     {TR3_JOINT_GENERAL, 5}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        bench it = bench_of(of[i].type, of[i].k);
        tr3_def_set_features(&it.def, of[i].k, (tr3_features){.friction = 1e-6f, .limit = {true, -20.0f, 20.0f}});
        tr3_joint joint = space_joint(it.world, &it.def);
        push(&it, of[i].k, 9.0f);
        run(it.world, 120);
        near_to("angle", of[i].type, of[i].k, (double)coordinate(it.world, joint, of[i].k).value, 18.0, 1e-2);
        run(it.world, 60);
        near_to("stop", of[i].type, of[i].k, (double)coordinate(it.world, joint, of[i].k).value, 20.0, 1e-2);
        tr3_world_destroy(it.world);
    }
    bench it = bench_of(TR3_JOINT_CYLINDRICAL, 0);
    tr3_joint joint = space_joint(it.world, &it.def);
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate_of(it.world, joint, 5, &at));
    assert_true(at.value == 0.0f && at.rate == 0.0f);
    assert_int_equal(tr3_joint_coordinate_of(it.world, joint, 6, &at), TR_ERROR_RANGE);
    assert_string_equal(tr3_world_last_error(it.world)->message,
                        "joint_coordinate_of: coordinate is 6, must be below 6");
    assert_int_equal(tr3_joint_coordinate_of(NULL, joint, 0, &at), TR_ERROR_NULL);
    tr3_world_destroy(it.world);
}

/* a feature that is switched off, and a coordinate that is locked, leave no impulse behind */
static void what_is_switched_off_has_no_impulse(void **state)
{
    (void)state;
    FOR_COORDINATES(tried)
    {
        bench it = bench_of(type, k);
        tr3_def_set_features(&it.def, k, (tr3_features){.motor = {true, 1.0f, 5.0f}, .limit = {true, -1.0f, 0.1f}});
        tr3_joint joint = space_joint(it.world, &it.def);
        run(it.world, 60);
        tr3_def_set_features(&it.def, k, (tr3_features){.locked = type == TR3_JOINT_GENERAL});
        SPACE_OK(tr3_joint_set(it.world, joint, &it.def));
        push(&it, k, 0.0f);
        tr3_joint_view view = tr3_world_joints(it.world, type);
        uint32_t features = 0;
        for (uint32_t i = 0; i < view.impulse_count; i++) {
            const char *name = view.impulse_name[i];
            bool feature = strstr(name, "motor") != NULL || strstr(name, "upper") != NULL;
            features += feature ? 1u : 0u;
            if (feature && view.impulse[i] != NULL && view.impulse[i][0] != 0.0f)
                fail_msg("%s: impulse %s is %g", tr3_joint_type_name(type), name, (double)view.impulse[i][0]);
        }
        assert_int_equal(features, 2 * space_coordinates(type));
        tr3_world_destroy(it.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motors_drive_every_coordinate),
        cmocka_unit_test(springs_balance_a_force),
        cmocka_unit_test(limits_stop_every_coordinate),
        cmocka_unit_test(stops_hold_a_thread_of_any_pitch),
        cmocka_unit_test(friction_brakes_every_coordinate),
        cmocka_unit_test(features_act_together),
        cmocka_unit_test(forces_are_gradients_of_the_energy),
        cmocka_unit_test(free_pairs_keep_momentum),
        cmocka_unit_test(a_general_joint_is_each_of_the_others),
        cmocka_unit_test(a_universal_drives_as_cardan_says),
        cmocka_unit_test(angles_count_turns),
        cmocka_unit_test(what_is_switched_off_has_no_impulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
