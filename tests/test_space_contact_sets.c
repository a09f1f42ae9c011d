/* The application's set of contacts in space: what carries over, what is refused, what its impulses do to bodies, and
   that worlds with contacts have the same bits everywhere, sleep, are saved and are recorded. */
#define TR_DIMENSION 3

#include "all_threads.h"
#include "allocator.h"
#include "hash.h"
#include "instrumented.h"
#include "space_bits.h"
#include "space_contacts.h"

#define G 9.81

/*
 * A heap: boxes and balls with everything that contacts have, on a floor, and some on joints
 */
enum { THINGS = 24, MOST = 2 * THINGS };

typedef struct heap {
    tr3_world *world;
    space_plane floor;
    tr3_body thing[THINGS];
    tr3_contact_def defs[MOST];
    uint32_t count;
} heap;

static const tr_dvec3 half_box = {0.3, 0.2, 0.4};
#define RADIUS 0.25

static bool is_box(uint32_t i)
{
    return i % 3 == 0;
}

static heap heap_in(tr3_world *world)
{
    heap it = {.world = world, .floor = space_floor(world)};
    for (uint32_t i = 0; i < THINGS; i++) {
        const tr_dvec3 at = {0.55 * (i % 4), 0.3 + 0.52 * (i / 8), 0.55 * (i / 4 % 2) + 0.1 * (i / 8)};
        it.thing[i] = is_box(i) ? space_box(world, at, half_box, 2.0) : space_ball(world, at, RADIUS, 1.0 + 0.1 * i);
    }
    for (uint32_t i = 0; i + 8 < THINGS; i += 8) {
        const tr_dvec3 at = space_now(world, it.thing[i]).position;
        tr3_joint_def joint =
            space_between(world, TR3_JOINT_BALL, it.thing[i], it.thing[i + 1], at, (tr_vec3){0.0f, 1.0f, 0.0f});
        (void)space_joint(world, &joint);
    }
    return it;
}

static void add(heap *it, tr3_contact_def def, uint32_t i)
{
    if ((double)def.separation[0] > 0.3)
        return;
    def.friction = 0.2f + 0.1f * (float)(i % 5);
    def.restitution = i % 4 == 1 ? 0.6f : 0.0f;
    def.torsional_friction = i % 3 == 1 ? 0.01f : 0.0f;
    def.rolling_resistance = i % 5 == 2 ? 0.02f : 0.0f;
    def.surface_velocity = (tr_vec3){i % 7 == 3 ? 0.5f : 0.0f, 0.0f, 0.1f};
    def.id = i;
    it->defs[it->count++] = def;
}

/* things touch the floor and, as balls, each other */
static void find(heap *it)
{
    it->count = 0;
    for (uint32_t i = 0; i < THINGS; i++)
        add(it,
            is_box(i) ? space_box_on(it->world, &it->floor, it->thing[i], half_box)
                      : space_ball_on(it->world, &it->floor, it->thing[i], RADIUS),
            i);
    for (uint32_t i = 0; i + 1 < THINGS && it->count < MOST; i++)
        add(it, space_ball_on_ball(it->world, it->thing[i], RADIUS, it->thing[i + 1], RADIUS), i);
}

static void heap_step(heap *it)
{
    find(it);
    SPACE_OK(tr3_world_set_contacts(it->world, it->defs, it->count));
    SPACE_OK(tr3_world_step(it->world, SPACE_DT, 4));
}

static tr3_world *heap_after(tr_method method, uint32_t threads)
{
    heap it = heap_in(space_world(method, (tr_vec3){1.0f, (float)-G, 0.5f}, threads));
    if (threads > 1)
        step_on_all_threads(it.world);
    for (int step = 0; step < 20; step++)
        heap_step(&it);
    assert_true(it.count > THINGS / 2);
    return it.world;
}

static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    space_same_bits(heap_after, 5, 2);
}

/*
 * Impulses
 */
typedef struct pushed {
    tr3_world *world;
    tr3_body body[2];
    tr3_body_def before[2];
} pushed;

static tr_dvec3 some(uint64_t *seed, double size)
{
    const double x = (double)space_random(seed), y = (double)space_random(seed), z = (double)space_random(seed);
    return (tr_dvec3){size * x, size * y, size * z};
}

static pushed two_bodies(uint64_t *seed, tr_method method)
{
    pushed it = {.world = space_world(method, (tr_vec3){0.0f, 0.0f, 0.0f}, 1)};
    for (int i = 0; i < 2; i++) {
        tr3_body_def def = tr3_body_def_default();
        def.position = some(seed, 2.0);
        const tr_vec3 q = space_narrow(some(seed, 1.0));
        def.rotation = (tr_quat){q.x, q.y, q.z, 1.0f};
        def.velocity = space_narrow(some(seed, 2.0));
        def.angular_velocity = space_narrow(some(seed, 1.0));
        def.mass = 1.5f + space_random(seed);
        def.inertia = (tr_sym3){0.8f, 0.9f, 1.1f, 0.1f, 0.0f, -0.05f};
        def.center = space_narrow(some(seed, 0.2));
        SPACE_OK(tr3_world_create_body(it.world, &def, &it.body[i]));
        it.before[i] = space_now(it.world, it.body[i]);
    }
    return it;
}

static tr_dvec3 center_of(const tr3_body_def *def)
{
    return space_plus(def->position, space_turned(def->rotation, space_wide(def->center)));
}

/* inertia of a definition times a vector of the world */
static tr_dvec3 inertia_times(const tr3_body_def *def, tr_dvec3 v)
{
    const tr_quat back = {-def->rotation.x, -def->rotation.y, -def->rotation.z, def->rotation.w};
    const tr_sym3 *i = &def->inertia;
    v = space_turned(back, v);
    v = (tr_dvec3){(double)i->xx * v.x + (double)i->xy * v.y + (double)i->xz * v.z,
                   (double)i->xy * v.x + (double)i->yy * v.y + (double)i->yz * v.z,
                   (double)i->xz * v.x + (double)i->yz * v.y + (double)i->zz * v.z};
    return space_turned(def->rotation, v);
}

/* n . (a point of B minus the same point of A), as a function of a small motion of both */
static double separation(const pushed *it, const tr3_contact_def *def, uint32_t point, const double x[12])
{
    double value = 0.0;
    for (int i = 0; i < 2; i++) {
        const tr_dvec3 center = center_of(&it->before[i]), arm = space_minus(def->point[point], center);
        const double *own = x + 6 * i, angle = space_length((tr_dvec3){own[3], own[4], own[5]});
        const double s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
        const tr_quat q = {(float)(s * own[3]), (float)(s * own[4]), (float)(s * own[5]), (float)cos(0.5 * angle)};
        const tr_dvec3 moved = space_plus((tr_dvec3){own[0], own[1], own[2]}, space_minus(space_turned(q, arm), arm));
        value += (i == 0 ? -1.0 : 1.0) * space_dot(space_wide(def->normal), moved);
    }
    return value;
}

/*
 * A collision changes momenta by J^T lambda, with J by central differences of the separations: of the normal impulses,
 * and so of friction along its own directions, which are that of a contact whose normal they are. Momentum and angular
 * momentum stay. One sub-step of a microsecond: bodies do not move.
 */
static void impulses_act_along_the_derivatives_of_separations(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < TRIALS(60); trial++) {
        pushed it = two_bodies(&seed, (tr_method)(trial % TR_METHOD_COUNT));
        tr3_contact_def def = space_between_bodies(it.body[0], it.body[1], (tr_dvec3){0.0, 1.0, 0.0});
        const tr_dvec3 n = some(&seed, 1.0), from = some(&seed, 1.0);
        def.normal = space_narrow(space_times(1.0 / space_length(n), n));
        def.point_count = 1 + (uint32_t)trial % 4;
        for (uint32_t p = 0; p < def.point_count; p++)
            def.point[p] = space_plus(from, some(&seed, 0.5));
        /* in the direct method a step has two kicks, and friction is known of the last one only */
        const bool rubs = trial % TR_METHOD_COUNT != TR_DIRECT;
        def.friction = rubs ? 0.4f : 0.0f;
        def.torsional_friction = rubs ? 0.1f : 0.0f;
        def.rolling_resistance = rubs ? 0.05f : 0.0f;
        SPACE_OK(tr3_world_set_contacts(it.world, &def, 1));
        SPACE_OK(tr3_world_step(it.world, 1e-6, 1));
        const tr3_contact_impulse got = space_impulse(it.world, 0);
        double want[12] = {0.0}, length = 0.0;
        for (uint32_t p = 0; p < def.point_count; p++) {
            for (int axis = 0; axis < 4; axis++) {
                /* the normal, and friction along the axes of the world */
                tr3_contact_def along = def;
                const double lambda = axis == 0   ? (double)got.total[p]
                                      : axis == 1 ? (double)got.friction[p].x
                                      : axis == 2 ? (double)got.friction[p].y
                                                  : (double)got.friction[p].z;
                if (axis > 0)
                    along.normal = (tr_vec3){axis == 1, axis == 2, axis == 3};
                for (int k = 0; k < 12; k++) {
                    double x[12] = {0.0};
                    x[k] = 1e-3;
                    const double up = separation(&it, &along, p, x);
                    x[k] = -1e-3;
                    want[k] += lambda * (up - separation(&it, &along, p, x)) / 2e-3;
                }
                length += fabs(lambda);
            }
        }
        const tr_dvec3 turn =
            space_plus(space_wide(got.rolling), space_times((double)got.torsion, space_wide(def.normal)));
        const double turns[3] = {turn.x, turn.y, turn.z};
        for (int k = 0; k < 3; k++) {
            want[3 + k] -= turns[k];
            want[9 + k] += turns[k];
        }
        /* float: some dozen roundings of 1e-7 */
        for (int i = 0; i < 2; i++) {
            const tr3_body_def now = space_now(it.world, it.body[i]);
            const tr_dvec3 v = space_minus(space_wide(now.velocity), space_wide(it.before[i].velocity));
            const tr_dvec3 w = space_minus(space_wide(now.angular_velocity), space_wide(it.before[i].angular_velocity));
            const tr_dvec3 p = space_times((double)now.mass, v), l = inertia_times(&now, w);
            const double have[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
            for (int k = 0; k < 6; k++)
                SPACE_NEAR(tr_method_name((tr_method)(trial % TR_METHOD_COUNT)), have[k], want[6 * i + k],
                           3e-5 * (1.0 + length));
        }
        tr3_world_destroy(it.world);
    }
}

/* Free bodies that collide for a second keep momentum and angular momentum, by each method. */
static void momenta_of_free_bodies_stay(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        uint64_t seed = 9;
        pushed it = two_bodies(&seed, (tr_method)method);
        tr_dvec3 sum[2][2] = {{{0}}};
        for (int step = 0; step <= 120; step++) {
            const tr3_body_def now[2] = {space_now(it.world, it.body[0]), space_now(it.world, it.body[1])};
            if (step == 0 || step == 120) {
                for (int i = 0; i < 2; i++) {
                    const tr_dvec3 p = space_times((double)now[i].mass, space_wide(now[i].velocity));
                    const tr_dvec3 l = space_plus(space_cross(center_of(&now[i]), p),
                                                  inertia_times(&now[i], space_wide(now[i].angular_velocity)));
                    sum[step > 0][0] = space_plus(sum[step > 0][0], p);
                    sum[step > 0][1] = space_plus(sum[step > 0][1], l);
                }
            }
            /* as if bodies were balls about other points than their centres, which overlap a little */
            const tr_dvec3 d = space_minus(now[1].position, now[0].position);
            const double length = space_length(d);
            tr3_contact_def def = space_between_bodies(it.body[0], it.body[1], space_times(1.0 / length, d));
            def.point[0] = space_plus(now[0].position, space_times(0.5, d));
            def.separation[0] = (float)(length - 3.0);
            def.friction = 0.7f;
            def.restitution = 0.5f;
            def.torsional_friction = def.rolling_resistance = 0.05f;
            SPACE_OK(tr3_world_set_contacts(it.world, &def, 1));
            SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
        }
        SPACE_NEAR("momentum", space_length(space_minus(sum[1][0], sum[0][0])), 0.0, 1e-4);
        /* the order of integration shows: velocities are those before the motion of a sub-step */
        SPACE_NEAR(tr_method_name((tr_method)method), space_length(space_minus(sum[1][1], sum[0][1])), 0.0, 2e-3);
        tr3_world_destroy(it.world);
    }
}

/*
 * Sets
 */
static heap two_things(void)
{
    heap it = {.world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, (float)-G, 0.0f}, 1)};
    it.floor = space_floor(it.world);
    it.thing[0] = space_box(it.world, (tr_dvec3){0.0, half_box.y, 0.0}, half_box, 2.0);
    it.thing[1] = space_ball(it.world, (tr_dvec3){2.0, RADIUS, 0.0}, RADIUS, 1.0);
    it.defs[0] = space_box_on(it.world, &it.floor, it.thing[0], half_box);
    it.defs[1] = space_ball_on(it.world, &it.floor, it.thing[1], RADIUS);
    it.defs[0].friction = it.defs[1].friction = 0.5f;
    it.count = 2;
    return it;
}

static void impulses_go_with_ids(void **state)
{
    (void)state;
    heap it = two_things();
    SPACE_OK(tr3_body_apply_impulse_to_center(it.world, it.thing[0], (tr_vec3){3.0f, 0.0f, 1.0f}));
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 2));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    const tr3_contact_impulse box = space_impulse(it.world, 0), ball = space_impulse(it.world, 1);
    assert_true(box.normal[0] > 0.0f && box.normal[3] > 0.0f && ball.normal[0] > 0.0f);
    assert_true(box.friction[0].x < 0.0f && box.friction[0].y == 0.0f);

    /* in the other order, the points of the box turned about, one of them new */
    tr3_contact_def next[2] = {it.defs[1], it.defs[0]};
    for (uint32_t i = 0; i < 4; i++) {
        next[1].point[i] = it.defs[0].point[3 - i];
        next[1].point_id[i] = i == 2 ? 77 : 3 - i;
    }
    SPACE_OK(tr3_world_set_contacts(it.world, next, 2));
    tr3_contact_impulse after = space_impulse(it.world, 1);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(after.normal[i] == (i == 2 ? 0.0f : box.normal[3 - i]));
        assert_true(after.friction[i].x == (i == 2 ? 0.0f : box.friction[3 - i].x));
    }
    assert_true(space_impulse(it.world, 0).normal[0] == ball.normal[0]);
    /* a normal that turns takes friction with it, as far as it is across the new one */
    next[1].normal = (tr_vec3){0.28f, 0.96f, 0.0f};
    SPACE_OK(tr3_world_set_contacts(it.world, next, 2));
    const float x = after.friction[0].x, z = after.friction[0].z;
    after = space_impulse(it.world, 1);
    SPACE_NEAR("x", (double)after.friction[0].x, 0.96 * 0.96 * (double)x, 1e-6);
    SPACE_NEAR("z", (double)after.friction[0].z, (double)z, 1e-6);
    /* another id: nothing carries over; fewer points; none */
    next[1].id = 4;
    SPACE_OK(tr3_world_set_contacts(it.world, next, 2));
    assert_true(space_impulse(it.world, 1).normal[0] == 0.0f);
    next[0].point_count = 1;
    next[1].point_count = 2;
    SPACE_OK(tr3_world_set_contacts(it.world, next, 2));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    assert_true(space_impulse(it.world, 1).normal[2] == 0.0f);
    assert_int_equal(tr3_world_contact_count(it.world), 2);
    assert_int_equal(tr3_world_statistics(it.world).contacts, 2);
    SPACE_OK(tr3_world_destroy_body(it.world, it.thing[0]));
    assert_int_equal(tr3_world_contact_count(it.world), 2);
    assert_int_equal(tr3_world_statistics(it.world).contacts, 1);
    assert_true(space_impulse(it.world, 1).total[0] == 0.0f);
    SPACE_OK(tr3_world_set_contacts(it.world, NULL, 0));
    assert_int_equal(tr3_world_contact_count(it.world), 0);
    tr3_world_destroy(it.world);
}

/* a call that is refused names what is wrong, and changes nothing */
/* an application that leaves all point ids 0: what becomes four points has the impulse of the one that it was */
static void points_with_equal_ids_share_no_impulse(void **state)
{
    (void)state;
    heap it = two_things();
    memset(it.defs[0].point_id, 0, sizeof it.defs[0].point_id);
    it.defs[0].point_count = 1;
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 1));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    const float before = space_impulse(it.world, 0).normal[0];
    assert_true(before > 0.0f);
    it.defs[0].point_count = 4;
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 1));
    const tr3_contact_impulse after = space_impulse(it.world, 0);
    assert_true(after.normal[0] == before);
    for (uint32_t i = 1; i < 4; i++)
        assert_true(after.normal[i] == 0.0f);
    tr3_world_destroy(it.world);
}

static void refused(heap *it, tr_status want, const char *message)
{
    const uint64_t hash = tr3_world_state_hash(it->world);
    assert_int_equal(tr3_world_set_contacts(it->world, it->defs, 2), want);
    if (strcmp(tr3_world_last_error(it->world)->message, message) != 0)
        fail_msg("\"%s\"\n    must be \"%s\"", tr3_world_last_error(it->world)->message, message);
    assert_true(tr3_world_state_hash(it->world) == hash);
    assert_int_equal(tr3_world_contact_count(it->world), 2);
}

#define REFUSED(status, message, change)                                                                               \
    do {                                                                                                               \
        const tr3_contact_def good_ = it.defs[1];                                                                      \
        tr3_contact_def *def = &it.defs[1];                                                                            \
        change;                                                                                                        \
        refused(&it, status, "set_contacts: " message);                                                                \
        it.defs[1] = good_;                                                                                            \
    } while (0)

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    heap it = two_things();
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 2));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    REFUSED(TR_ERROR_NULL_ID, "defs[1].body_a is the null id", def->body_a = (tr3_body){0});
    REFUSED(TR_ERROR_SELF_JOINT, "defs[1].body_b is body_a (slot 0)", def->body_b = def->body_a);
    REFUSED(TR_ERROR_NAN, "defs[1].normal.z is NaN", def->normal.z = NAN);
    REFUSED(TR_ERROR_ZERO, "defs[1].normal has no length", def->normal = (tr_vec3){0});
    REFUSED(TR_ERROR_RANGE, "defs[1].normal has length 2, must have 1", def->normal.y = 2.0f);
    REFUSED(TR_ERROR_RANGE, "defs[1].point_count is 0, must be 1 to 4", def->point_count = 0);
    REFUSED(TR_ERROR_RANGE, "defs[1].point_count is 5, must be 1 to 4", def->point_count = 5);
    REFUSED(TR_ERROR_INFINITE, "defs[1].point[0].z is infinite", def->point[0].z = -INFINITY);
    REFUSED(TR_ERROR_RANGE, "defs[1].point[0] is too far from a body", def->point[0].x = 1e39);
    REFUSED(TR_ERROR_NAN, "defs[1].separation[0] is NaN", def->separation[0] = NAN);
    REFUSED(TR_ERROR_NEGATIVE, "defs[1].friction is -1, must not be negative", def->friction = -1.0f);
    REFUSED(TR_ERROR_NEGATIVE, "defs[1].restitution is -1, must not be negative", def->restitution = -1.0f);
    REFUSED(TR_ERROR_RANGE, "defs[1].restitution is 11, must be 0 to 10", def->restitution = 11.0f);
    REFUSED(TR_ERROR_NEGATIVE, "defs[1].torsional_friction is -1, must not be negative",
            def->torsional_friction = -1.0f);
    REFUSED(TR_ERROR_INFINITE, "defs[1].rolling_resistance is infinite", def->rolling_resistance = INFINITY);
    REFUSED(TR_ERROR_NAN, "defs[1].surface_velocity.y is NaN", def->surface_velocity.y = NAN);
    REFUSED(TR_ERROR_RANGE, "defs[1].id is 0, as another's between the same bodies", *def = it.defs[0]);
    /* what lies beyond the points is not read */
    it.defs[1].point[1].x = NAN;
    it.defs[1].separation[3] = NAN;
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 2));
    assert_int_equal(tr3_world_set_contacts(NULL, it.defs, 2), TR_ERROR_NULL);
    assert_int_equal(tr3_world_set_contacts(it.world, NULL, 2), TR_ERROR_NULL);
    tr3_contact_impulse out;
    assert_int_equal(tr3_world_get_contact_impulses(it.world, 1, 2, &out), TR_ERROR_RANGE);
    assert_int_equal(tr3_world_get_contact_impulses(it.world, 0, 1, NULL), TR_ERROR_NULL);
    tr3_contact_settings settings = tr3_world_contact_settings(it.world);
    settings.frequency = 0.0f;
    assert_int_equal(tr3_world_set_contact_settings(it.world, &settings), TR_ERROR_ZERO);
    settings.frequency = 20.0f;
    settings.push_speed = -1.0f;
    assert_int_equal(tr3_world_set_contact_settings(it.world, &settings), TR_ERROR_NEGATIVE);
    settings.push_speed = 2.0f;
    SPACE_OK(tr3_world_set_contact_settings(it.world, &settings));
    settings = tr3_world_contact_settings(it.world);
    assert_true(settings.frequency == 20.0f && settings.push_speed == 2.0f && settings.bounce_speed == 1.0f);
    tr3_world_destroy(it.world);
}

/* A body that turns non-finite is held still, and what touches it goes on. */
static void quarantine_does_not_spread(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        heap it = heap_in(space_world((tr_method)method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1));
        for (int step = 0; step < 20; step++) {
            if (step == 5)
                SPACE_OK(tr3_body_set_velocity(it.world, it.thing[6], (tr_vec3){3e38f, 0.0f, 3e38f}, (tr_vec3){0}));
            heap_step(&it);
        }
        assert_int_equal(tr3_world_statistics(it.world).nonfinite_bodies, 1);
        for (uint32_t i = 0; i < THINGS; i++)
            assert_true(space_length(space_now(it.world, it.thing[i]).position) < 100.0);
        tr3_world_destroy(it.world);
    }
}

/*
 * Sleep, snapshots, memory
 */
static void heaps_sleep_and_wake(void **state)
{
    (void)state;
    heap it = two_things();
    tr3_world_def def;
    SPACE_OK(tr3_world_get(it.world, &def));
    def.sleep.enable = true;
    SPACE_OK(tr3_world_set_sleep(it.world, &def.sleep));
    const tr3_body on_top = space_ball(it.world, (tr_dvec3){0.0, 2.0 * half_box.y + RADIUS, 0.0}, RADIUS, 1.0);
    for (int step = 0; step < 120; step++) {
        const space_plane top = space_top_of(it.world, it.thing[0], half_box);
        tr3_contact_def defs[3] = {it.defs[0], it.defs[1], space_ball_on(it.world, &top, on_top, RADIUS)};
        defs[2].friction = 0.5f;
        defs[2].rolling_resistance = 0.01f;
        SPACE_OK(tr3_world_set_contacts(it.world, defs, 3));
        SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
        it.defs[2] = defs[2];
    }
    assert_int_equal(tr3_world_statistics(it.world).sleeping_bodies, 3);
    /* the same set again wakes nothing; the ball on top wakes the box below it; a contact that goes wakes its bodies */
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 3));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    assert_int_equal(tr3_world_statistics(it.world).sleeping_bodies, 3);
    SPACE_OK(tr3_body_apply_impulse_to_center(it.world, on_top, (tr_vec3){0.2f, 0.0f, 0.0f}));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    bool awake;
    SPACE_OK(tr3_body_is_awake(it.world, it.thing[0], &awake));
    assert_true(awake);
    assert_int_equal(tr3_world_statistics(it.world).sleeping_bodies, 1);
    SPACE_OK(tr3_world_set_contacts(it.world, it.defs, 1));
    SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    assert_int_equal(tr3_world_statistics(it.world).sleeping_bodies, 0);
    for (int step = 0; step < 20; step++)
        SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
    assert_true(space_now(it.world, it.thing[1]).position.y < 0.1);
    tr3_world_destroy(it.world);
}

/* what is restored goes on with the same bits, in the same world and in another one */
static void snapshots_have_contacts(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        static unsigned char bytes[1u << 18];
        heap it = heap_in(space_world((tr_method)method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1)), other = it;
        for (int step = 0; step < 15; step++)
            heap_step(&it);
        find(&it);
        SPACE_OK(tr3_world_set_contacts(it.world, it.defs, it.count));
        size_t size;
        const uint32_t count = it.count;
        SPACE_OK(tr3_world_save(it.world, bytes, sizeof bytes, &size));
        uint64_t hash[10];
        for (int step = 0; step < 10; step++) {
            SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
            hash[step] = tr3_world_state_hash(it.world);
            heap_step(&it);
        }
        other.world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, 0.0f, 0.0f}, 1);
        for (int k = 0; k < 2; k++) {
            heap *to = k == 0 ? &it : &other;
            SPACE_OK(tr3_world_restore(to->world, bytes, size));
            assert_int_equal(tr3_world_contact_count(to->world), count);
            for (int step = 0; step < 10; step++) {
                SPACE_OK(tr3_world_step(to->world, SPACE_DT, 4));
                assert_true(tr3_world_state_hash(to->world) == hash[step]);
                heap_step(to);
            }
        }
        tr3_world_destroy(it.world);
        tr3_world_destroy(other.world);
    }
}

/* each allocation of a life fails once: the call is refused, changes nothing, and is made again */
static uint64_t life(test_allocator *allocator, uint64_t *refusals)
{
    tr3_world_def def = tr3_world_def_default();
    def.threads = 1;
    def.allocator = test_hooks(allocator);
    tr3_world *world = NULL;
    while (tr3_world_create(&def, &world, NULL) == TR_ERROR_MEMORY)
        ++*refusals;
    heap it = {.world = world};
    tr3_body_def bodies[THINGS + 1];
    for (uint32_t i = 0; i <= THINGS; i++) {
        bodies[i] = tr3_body_def_default();
        bodies[i].type = i == THINGS ? TR_STATIC : TR_DYNAMIC;
        bodies[i].position = i == THINGS ? (tr_dvec3){0.0, 0.0, 0.0} : (tr_dvec3){0.52 * i, RADIUS, 0.0};
    }
    tr3_body ids[THINGS + 1];
    while (tr3_world_create_bodies(world, bodies, THINGS + 1, ids) == TR_ERROR_MEMORY)
        ++*refusals;
    memcpy(it.thing, ids, sizeof it.thing);
    it.floor = (space_plane){ids[THINGS], {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int step = 0; step < 8; step++) {
        find(&it);
        for (uint32_t i = 0; step % 3 == 2 && i < it.count; i++)
            it.defs[i].id += (uint64_t)step;
        const uint32_t count = step % 4 == 3 ? it.count / 2 : it.count;
        uint64_t hash = tr3_world_state_hash(world);
        tr_status status;
        while ((status = tr3_world_set_contacts(world, it.defs, count)) == TR_ERROR_MEMORY) {
            assert_true(tr3_world_state_hash(world) == hash);
            ++*refusals;
        }
        SPACE_OK(status);
        hash = tr3_world_state_hash(world);
        while ((status = tr3_world_step(world, SPACE_DT, 2)) == TR_ERROR_MEMORY) {
            assert_true(tr3_world_state_hash(world) == hash);
            ++*refusals;
        }
        SPACE_OK(status);
    }
    const uint64_t hash = tr3_world_state_hash(world);
    tr3_world_destroy(world);
    assert_int_equal(allocator->held, 0);
    assert_int_equal(allocator->mismatches, 0);
    return hash;
}

static void without_memory_sets_stay_as_they_were(void **state)
{
    (void)state;
    uint64_t refusals = 0, tried = 0;
    test_allocator allocator = {0};
    const uint64_t want = life(&allocator, &refusals), calls = allocator.calls;
    assert_int_equal(refusals, 0);
    for (uint64_t n = 1; n <= calls; n += 1 + 4 / TRIALS(4)) {
        allocator = (test_allocator){.fail_at = n};
        assert_true(life(&allocator, &refusals) == want);
        assert_int_equal(allocator.failures, 1);
        tried++;
    }
    assert_true(refusals > tried / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(impulses_act_along_the_derivatives_of_separations),
        cmocka_unit_test(momenta_of_free_bodies_stay),
        cmocka_unit_test(impulses_go_with_ids),
        cmocka_unit_test(points_with_equal_ids_share_no_impulse),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(quarantine_does_not_spread),
        cmocka_unit_test(heaps_sleep_and_wake),
        cmocka_unit_test(snapshots_have_contacts),
        cmocka_unit_test(without_memory_sets_stay_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
