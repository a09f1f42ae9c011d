/*
 * Memory that runs out anywhere in the life of a world. A scenario is run again and again, and each time another of its
 * allocations fails. A call that fails leaves the world as it was, byte by byte. It is made once more, and in the end all
 * must be as if nothing had failed: the states after each call, ids, events, answers of queries. Then it is not made
 * again, and all must be as if it had been left out. The world's allocator and the malloc of src/scene are counted alike.
 *
 * Allocations that the same chain of callers makes, up to the line of the scenario, are alike: the first and the last of
 * these fail, and of the others one in a few, from another one on in each chain. TR_MEMORY_EVERY sets in how many; 1 is
 * all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__has_include)
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define KNOWS_CALLERS
#endif
#endif

#include "hash.h"
#include "instrumented.h"
#include "random.h"
#include "recorded.h"
#include "scarce.h"
#include "trammel/scene2.h"
#include "world/core/world_internal.h"
#include "world_fixture.h"

/* the one that is scarce now; null: there is enough */
static test_allocator *scarce;

/* Which functions made each allocation of a run: a hash of the chain of them. */
typedef struct chains {
    uint64_t *of;
    size_t count, capacity;
} chains;

/* of the run that is being watched; null: none is */
static chains *watched;

static void note_callers(void)
{
    uint64_t hash = 0;
    if (watched == NULL)
        return;
    if (watched->count == watched->capacity) {
        watched->capacity = 2 * watched->capacity + 64;
        watched->of = realloc(watched->of, watched->capacity * sizeof *watched->of);
        assert_non_null(watched->of);
    }
#ifdef KNOWS_CALLERS
    void *callers[64];
    int count = backtrace(callers, sizeof callers / sizeof callers[0]);
    hash = mix_bytes(hash, callers, (size_t)count * sizeof callers[0]);
#else
    hash = watched->count;
#endif
    watched->of[watched->count++] = hash;
}

static void *allocate(size_t size, size_t alignment, void *context)
{
    note_callers();
    return test_allocate(size, alignment, context);
}

static bool runs_out(void)
{
    if (scarce == NULL)
        return false;
    note_callers();
    if (++scarce->calls != scarce->fail_at)
        return false;
    scarce->failures++;
    return true;
}

void *scarce_malloc(size_t size)
{
    return runs_out() ? NULL : malloc(size);
}

void *scarce_calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : calloc(count, size);
}

void *scarce_realloc(void *old, size_t size)
{
    return runs_out() ? NULL : realloc(old, size);
}

void scarce_free(void *block)
{
    free(block);
}

char *scarce_realpath(const char *path, char *resolved)
{
    return realpath(path, resolved);
}

#define NONE UINT32_MAX

/*
 * The whole state of a world, as a snapshot has it, part by part
 */
enum {
    PART_PLAN,
    PART_SOLVER,
    PART_BODIES,
    PART_JOINTS,
    PART_WATCHES,
    PART_SLEEP,
    PART_CONTACTS,
    PART_SHAPES,
    PART_COLLISION,
    PARTS
};

static const char *const part_names[PARTS] = {"plan",    "solver",   "bodies", "joints",
                                              "watches", "sleep", "contacts", "shapes", "collision"};

/* an archive that does not read does not write to the world */
static void visit_part(tr2_world *world, uint32_t part, tr_archive *archive)
{
    tr2_solver_state solver = tr2_solver_state_of(world->solver);
    switch (part) {
    case PART_PLAN:
        tr_plan_archive(world->plan, archive);
        break;
    case PART_SOLVER:
        tr2_solver_state_archive(&solver, archive);
        break;
    case PART_BODIES:
        tr_pool_archive(&world->body_pool, archive);
        tr2_bodies_archive(&world->bodies, archive);
        break;
    case PART_JOINTS:
        tr_pool_archive(&world->joint_pool, archive);
        for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
            tr2_joints_archive(&world->joints[type], archive, (tr2_joint_type)type);
        break;
    case PART_WATCHES:
        tr2_watches_archive(&world->watches, archive, &world->joint_pool);
        break;
    case PART_SLEEP:
        tr2_sleep_archive(world, archive);
        break;
    case PART_CONTACTS:
        tr2_contacts_archive(&world->contacts, archive);
        break;
    case PART_SHAPES:
        tr2_shapes_archive(&world->shapes, archive, &world->body_pool);
        break;
    default:
        tr2_collision_archive(world, archive);
        break;
    }
}

typedef struct parts {
    uint64_t hash[PARTS];
} parts;

static parts parts_of(tr2_world *world)
{
    parts out;
    for (uint32_t part = 0; part < PARTS; part++) {
        tr_archive archive = {.mode = TR_ARCHIVE_COUNT};
        visit_part(world, part, &archive);
        tr_archive write = {.mode = TR_ARCHIVE_WRITE, .bytes = malloc(archive.at + 1), .size = archive.at};
        assert_non_null(write.bytes);
        visit_part(world, part, &write);
        assert_true(write.status == TR_OK && write.at == archive.at);
        out.hash[part] = mix_bytes(0, write.bytes, write.at);
        free(write.bytes);
    }
    return out;
}

/* One run of a scenario. */
typedef struct run {
    test_allocator allocator;
    tr2_world *world;
    uint64_t random;
    uint64_t digest;       /* of all that the calls have given, and of the states after them */
    uint64_t state;        /* the world's state hash after the last call */
    uint64_t bodies;       /* and that of its bodies alone */
    uint32_t call;         /* how many there have been */
    uint32_t refused;      /* of these, for memory */
    uint32_t skip;         /* the call that is left out; NONE: none */
    bool gives_up;         /* does not make a call again that was refused */
    const char *failed_in; /* the call in which an allocation failed */
    uint64_t *until;       /* how many allocations there have been after each call; null: not asked for */
    const uint64_t *known; /* the same of the undisturbed run; null: this is it */
    parts before;          /* the world before the call in which the allocation fails */
    memory_log log;        /* the whole run is recorded */
} run;

/* most calls of a scenario */
#define CALLS_MOST 1024u

static void note_bytes(run *it, const void *data, size_t size)
{
    it->digest = mix_bytes(it->digest, data, size);
}

#define NOTE(it, value) note_bytes(it, &(value), sizeof(value))

/* of the bodies alone */
static uint64_t hash_bodies(const tr2_world *world)
{
    uint64_t hash = 0;
    for (uint32_t slot = 0; slot < world->body_pool.count; slot++) {
        if (tr_pool_is_free(&world->body_pool, slot))
            continue;
        const tr2_bodies *bodies = &world->bodies;
        uint32_t row = world->body_pool.row[slot];
        const double numbers[] = {
            bodies->center_x[row],           bodies->center_y[row],           bodies->angle[row],
            (double)bodies->velocity_x[row], (double)bodies->velocity_y[row], (double)bodies->angular_velocity[row],
            (double)bodies->mass[row],       (double)bodies->type[row]};
        hash = mix_bytes(hash, numbers, sizeof numbers);
    }
    return hash;
}

static void note_state(run *it)
{
    it->state = tr2_world_state_hash(it->world);
    it->bodies = hash_bodies(it->world);
    NOTE(it, it->state);
    NOTE(it, it->bodies);
}

/* of a step: its events, but for padding */
static void note_events(run *it)
{
    tr2_event_view events = tr2_world_events(it->world);
    for (uint32_t i = 0; i < events.count; i++) {
        const tr2_event *event = &events.event[i];
        NOTE(it, event->kind);
        NOTE(it, event->joint);
        NOTE(it, event->user_data);
        NOTE(it, event->steps);
    }
    tr2_touch_view touches = tr2_world_touches(it->world);
    for (uint32_t i = 0; i < touches.count; i++) {
        const tr2_touch_event *event = &touches.event[i];
        NOTE(it, event->kind);
        NOTE(it, event->shape_a);
        NOTE(it, event->shape_b);
        NOTE(it, event->body_a);
        NOTE(it, event->body_b);
        NOTE(it, event->user_data_a);
        NOTE(it, event->user_data_b);
        NOTE(it, event->point);
    }
}

/* whether the next call is the one that is left out */
static bool skips(run *it)
{
    if (it->call != it->skip)
        return false;
    it->call++;
    note_state(it);
    return true;
}

/* before each call, and again if it was refused */
static void keep_if_it_fails(run *it)
{
    if (it->known == NULL || it->allocator.failures > 0 || it->allocator.fail_at <= it->allocator.calls ||
        it->allocator.fail_at > it->known[it->call])
        return;
    it->before = parts_of(it->world);
}

/* Whether a part may be written otherwise after a call was refused. The plan counts its changes and keeps lists that have
   become empty; tables of bodies and joints keep columns that they have got; a step may know which joints will be solved
   exactly. What is said by these is the same. */
static bool may_be_rewritten(const char *what, uint32_t part)
{
    bool step = strstr(what, "_step(") != NULL;
    return part == PART_PLAN || (part == PART_SOLVER && step) || (part == PART_JOINTS && (step || strstr(what, "joint") != NULL)) ||
           (part == PART_BODIES && (step || strstr(what, "_scene_build") != NULL));
}

/* a part of the world that is not what it was before the call; null: there is none */
static const char *changed_part(const run *it, const char *what)
{
    const parts now = parts_of(it->world);
    for (uint32_t part = 0; part < PARTS; part++) {
        if (now.hash[part] != it->before.hash[part] && !may_be_rewritten(what, part))
            return part_names[part];
    }
    return NULL;
}

/* whether there is a world without the call */
static bool may_be_left_out(const char *what)
{
    return strstr(what, "_world_create(") == NULL;
}

/* Whether a call has to be made again: it was refused for memory, and has changed nothing. Where a call was left out,
   others are refused that need what it would have made. */
static bool again(run *it, tr_status status, const char *what)
{
    if (it->failed_in == NULL && it->allocator.failures > 0)
        it->failed_in = what;
    if (status == TR_ERROR_MEMORY && it->refused == 0) {
        it->refused++;
        assert_true(it->allocator.failures == 1);
        if (tr2_world_state_hash(it->world) != it->state || hash_bodies(it->world) != it->bodies)
            fail_msg("%s (allocation %llu): refused, and the state has changed", what,
                     (unsigned long long)it->allocator.fail_at);
        const char *changed = changed_part(it, what);
        if (changed != NULL)
            fail_msg("%s (allocation %llu): refused, and the state of %s has changed", what,
                     (unsigned long long)it->allocator.fail_at, changed);
        if (!it->gives_up || !may_be_left_out(what))
            return true;
        it->skip = it->call;
        (void)skips(it);
        return false;
    }
    if (it->call > it->skip)
        NOTE(it, status);
    else if (status != TR_OK)
        fail_msg("%s (allocation %llu): %s: %s", what, (unsigned long long)it->allocator.fail_at,
                 tr_status_name(status), tr2_world_last_error(it->world)->message);
    if (it->until != NULL) {
        assert_true(it->call < CALLS_MOST);
        it->until[it->call] = it->allocator.calls;
    }
    it->call++;
    note_state(it);
    return false;
}

/* a call, and once more if there was no memory for it, unless it is left out */
#define DO(it, call)                                                                                                   \
    do {                                                                                                               \
        if (skips(it))                                                                                                 \
            break;                                                                                                     \
        keep_if_it_fails(it);                                                                                          \
    } while (again(it, call, #call))

static void step(run *it, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        DO(it, tr2_world_step(it->world, 1.0 / 60.0, 4));
        note_events(it);
    }
}

static float draw(run *it)
{
    return (float)random_index(&it->random, 10000) / 10000.0f;
}

/* What returns no status may come back empty. A view of all columns or of none. */
static void look(run *it)
{
    tr2_body_view bodies = tr2_world_bodies(it->world);
    const void *const columns[] = {bodies.id,
                                   bodies.local_center_x,
                                   bodies.local_center_y,
                                   bodies.inverse_mass,
                                   bodies.inverse_inertia,
                                   bodies.gravity_scale,
                                   bodies.linear_damping,
                                   bodies.angular_damping,
                                   bodies.sleep_scale,
                                   bodies.force_x,
                                   bodies.force_y,
                                   bodies.torque,
                                   bodies.user_data};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        assert_true((columns[i] != NULL) == (bodies.id != NULL));
    assert_true(bodies.count == 0 || bodies.id != NULL);
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_view joints = tr2_world_joints(it->world, (tr2_joint_type)type);
        assert_true(joints.count == 0 || (joints.id != NULL && joints.body_a != NULL && joints.body_b != NULL));
    }
    tr_statistics statistics = tr2_world_statistics(it->world);
    NOTE(it, statistics.bodies);
    (void)again(it, TR_OK, "views");
}

static void ask(run *it)
{
    double x[40], y[40];
    float translation_x[40], translation_y[40], fraction[40] = {0.0f}, distance[40] = {0.0f};
    tr2_shape hit[40] = {{0}}, nearest[40] = {{0}}, list[200] = {{0}};
    uint32_t first[41] = {0};
    for (uint32_t i = 0; i < 40; i++) {
        x[i] = 40.0 * (double)draw(it) - 20.0;
        y[i] = 40.0 * (double)draw(it) - 20.0;
        translation_x[i] = 40.0f * draw(it) - 20.0f;
        translation_y[i] = 40.0f * draw(it) - 20.0f;
    }
    tr2_query query = tr2_query_default();
    query.sensors = true;
    tr2_rays rays = {40, x, y, translation_x, translation_y};
    tr2_hits hits = {.shape = hit, .fraction = fraction};
    tr2_points points = {40, x, y};
    tr2_nearest near = {.shape = nearest, .distance = distance};
    tr2_shape_def shape = tr2_circle_on((tr2_body){0}, (tr_vec2){0.0f, 0.0f}, 3.0f);
    tr2_poses places = {40, x, y, NULL};
    DO(it, tr2_world_cast_rays(it->world, &rays, &query, &hits, NULL));
    NOTE(it, hit);
    NOTE(it, fraction);
    DO(it, tr2_world_nearest_shapes(it->world, &points, 5.0f, &query, &near, NULL));
    NOTE(it, nearest);
    NOTE(it, distance);
    DO(it, tr2_world_overlap_shapes(it->world, &shape, &places, &query, list, 200, first, NULL));
    NOTE(it, list);
    NOTE(it, first);
}

static void begin(run *it)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.tag = 7;
    def.allocator = test_hooks(&it->allocator);
    def.allocator.allocate = allocate;
    while (tr2_world_create(&def, &it->world, NULL) == TR_ERROR_MEMORY && it->refused == 0) {
        it->refused++;
        it->failed_in = "tr2_world_create()";
    }
    assert_non_null(it->world);
    note_state(it);
    tr_sink sink = {log_write, log_close, &it->log};
    DO(it, tr2_world_record(it->world, &sink));
}

/*
 * Scenes: built, captured, destroyed and built again
 */
static const tr2_scene *yard; /* that life_of_a_scene() builds */

static void build(run *it, const tr2_scene *scene, tr2_body *bodies)
{
    tr2_joint *joints = calloc((size_t)scene->joint_count + 1, sizeof *joints);
    tr2_shape *shapes = calloc((size_t)tr2_scene_shape_id_count(scene) + 1, sizeof *shapes);
    tr_error error = {TR_OK, ""};
    DO(it, tr2_scene_build_shapes(scene, it->world, bodies, joints, shapes, &error));
    note_bytes(it, bodies, scene->body_count * sizeof *bodies);
    note_bytes(it, joints, scene->joint_count * sizeof *joints);
    note_bytes(it, shapes, tr2_scene_shape_id_count(scene) * sizeof *shapes);
    free(joints);
    free(shapes);
}

static void life_of_a_scene(run *it)
{
    tr2_scene *copy = NULL;
    tr2_body *bodies = calloc((size_t)yard->body_count + 1, sizeof *bodies);
    tr2_body *others = calloc((size_t)yard->body_count + 1, sizeof *others);
    begin(it);
    build(it, yard, bodies);
    look(it);
    step(it, 3);
    DO(it, tr2_scene_capture(it->world, &copy, NULL));
    if (copy != NULL)
        build(it, copy, others);
    step(it, 1);
    DO(it, tr2_world_destroy_bodies(it->world, bodies, yard->body_count));
    step(it, 1);
    build(it, yard, bodies);
    step(it, 2);
    ask(it);
    DO(it, tr2_world_destroy_bodies(it->world, others, yard->body_count / 2));
    DO(it, tr2_world_optimize(it->world));
    step(it, 5);
    look(it);
    step(it, 3);
    tr2_scene_destroy(copy);
    free(bodies);
    free(others);
}

/*
 * A crowd of shapes: fast ones, sensors, bullets; all that can be edited
 */
enum { CROWD = 130 };

static void crowd_bodies(run *it, tr2_body *ids, uint32_t count, float speed)
{
    tr2_body_def defs[CROWD];
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){20.0 * (double)draw(it) - 10.0, 20.0 * (double)draw(it) - 9.0};
        defs[i].velocity = (tr_vec2){speed * (draw(it) - 0.5f), speed * (draw(it) - 0.5f)};
        defs[i].bullet = i % 10 == 0;
        defs[i].type = i % 25 == 24 ? TR_KINEMATIC : TR_DYNAMIC;
    }
    DO(it, tr2_world_create_bodies(it->world, defs, count, ids));
    note_bytes(it, ids, count * sizeof *ids);
}

static void crowd_shapes(run *it, const tr2_body *bodies, tr2_shape *ids, uint32_t count)
{
    tr2_shape_def defs[CROWD];
    for (uint32_t i = 0; i < count; i++) {
        float size = 0.2f + 0.3f * draw(it);
        defs[i] = i % 3 == 0 ? tr2_circle_on(bodies[i], (tr_vec2){0.0f, 0.0f}, size)
                             : tr2_offset_box_on(bodies[i], size, 0.3f, (tr_vec2){0.1f, 0.0f}, 1.0f, 0.0f);
        defs[i].density = i % 2 == 0 ? 1.0f : 0.0f;
        defs[i].sensor = i % 20 == 19;
        defs[i].hit_events = i % 4 == 0;
        defs[i].user_data = i;
    }
    DO(it, tr2_world_create_shapes(it->world, defs, count, ids));
    note_bytes(it, ids, count * sizeof *ids);
}

static void crowd_floor(run *it)
{
    const tr_vec2 points[] = {{-30.0f, 20.0f}, {-30.0f, -10.0f}, {30.0f, -10.0f}, {30.0f, 20.0f}};
    tr2_body_def ground = tr2_body_def_default();
    tr2_chain_def chain = tr2_chain_def_default();
    tr2_body body = {0};
    tr2_shape ids[3] = {{0}};
    ground.type = TR_STATIC;
    DO(it, tr2_world_create_body(it->world, &ground, &body));
    chain.shape.body = body;
    chain.points = points;
    chain.count = 4;
    DO(it, tr2_world_create_chain(it->world, &chain, ids));
    NOTE(it, ids);
}

static void life_of_a_crowd(run *it)
{
    tr2_body bodies[2 * CROWD] = {{0}};
    tr2_shape shapes[2 * CROWD] = {{0}};
    tr2_shape_def shape = tr2_shape_def_default(TR2_CIRCLE);
    uint32_t count = 0;
    begin(it);
    crowd_floor(it);
    crowd_bodies(it, bodies, CROWD, 60.0f);
    crowd_shapes(it, bodies, shapes, CROWD);
    step(it, 3);
    ask(it);
    crowd_bodies(it, bodies + CROWD, 40, 5.0f);
    crowd_shapes(it, bodies + CROWD, shapes + CROWD, 40);
    step(it, 1);
    /* a second shape moves the centre of mass */
    shape = tr2_circle_on(bodies[3], (tr_vec2){0.4f, 0.2f}, 0.3f);
    shape.density = 2.0f;
    DO(it, tr2_world_create_shape(it->world, &shape, &shapes[2 * CROWD - 1]));
    step(it, 1);
    for (uint32_t i = 20; i < 50; i++) {
        DO(it, tr2_shape_get(it->world, shapes[i], &shape));
        shape.density = 3.0f;
        shape.radius = 0.1f;
        DO(it, tr2_shape_set(it->world, shapes[i], &shape));
    }
    step(it, 1);
    DO(it, tr2_shape_set_sensor(it->world, shapes[9], true));
    DO(it, tr2_shape_set_filter(it->world, shapes[10], (tr2_filter){2, 4, 0}));
    DO(it, tr2_body_set_type(it->world, bodies[11], TR_STATIC));
    DO(it, tr2_body_set_enabled(it->world, bodies[12], false));
    DO(it, tr2_body_set_damping(it->world, bodies[13], 0.1f, 0.2f));
    DO(it, tr2_body_set_gravity_scale(it->world, bodies[14], 0.5f));
    DO(it, tr2_body_set_sleep_scale(it->world, bodies[14], 0.5f));
    DO(it, tr2_body_set_user_data(it->world, bodies[15], 9));
    DO(it, tr2_body_set_mass(it->world, bodies[16], 2.0f, 3.0f, (tr_vec2){0.1f, 0.1f}));
    DO(it, tr2_body_apply_force_to_center(it->world, bodies[17], (tr_vec2){50.0f, 90.0f}));
    step(it, 1);
    DO(it, tr2_world_destroy_shapes(it->world, shapes + 60, 30));
    DO(it, tr2_world_destroy_bodies(it->world, bodies + 100, 30));
    step(it, 1);
    look(it);
    DO(it, tr2_body_set_enabled(it->world, bodies[12], true));
    DO(it, tr2_body_set_type(it->world, bodies[11], TR_DYNAMIC));
    step(it, 1);
    crowd_bodies(it, bodies + 100, 30, 100.0f);
    crowd_shapes(it, bodies + 100, shapes + 100, 30);
    step(it, 3);
    DO(it, tr2_world_get_shape_contacts(it->world, NULL, 0, &count));
    NOTE(it, count);
    DO(it, tr2_world_set_threads(it->world, 2));
    DO(it, tr2_world_optimize(it->world));
    step(it, 3);
    ask(it);
    /* a crowd that becomes small */
    DO(it, tr2_world_destroy_bodies(it->world, bodies, 80));
    step(it, 1);
    crowd_bodies(it, bodies, 20, 5.0f);
    crowd_shapes(it, bodies, shapes, 20);
    step(it, 3);
}

/* A crowd whose neighbours world_optimize looks for, and that is elsewhere when the next step does. */
static void life_of_a_crowd_that_turns(run *it)
{
    enum { SOME = 60 };
    tr2_body bodies[SOME] = {{0}};
    tr2_shape shapes[SOME] = {{0}};
    begin(it);
    crowd_floor(it);
    crowd_bodies(it, bodies, SOME, 60.0f);
    crowd_shapes(it, bodies, shapes, SOME);
    for (uint32_t round = 0; round < 2; round++) {
        step(it, 2);
        DO(it, tr2_world_optimize(it->world));
        for (uint32_t i = round; i < SOME; i += 3) {
            tr_vec2 velocity = {60.0f * (draw(it) - 0.5f), 60.0f * (draw(it) - 0.5f)};
            tr_dvec2 place = {20.0 * (double)draw(it) - 10.0, 20.0 * (double)draw(it) - 9.0};
            DO(it, tr2_body_set_velocity(it->world, bodies[i], velocity, 0.0f));
            if (i % 2 == 0)
                DO(it, tr2_body_set_transform(it->world, bodies[i], place, 0.0));
        }
    }
    step(it, 6);
    ask(it);
}

/* heavy rocks that do not move: they get the mass of their shapes in the next step or world_optimize, around a centre
   that is not the origin of all */
static void rocks(run *it, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr2_body_def def = tr2_body_def_default();
        tr2_body body = {0};
        def.type = TR_STATIC;
        def.position = (tr_dvec2){3.0 * (double)draw(it), -3.0 * (double)i};
        DO(it, tr2_world_create_body(it->world, &def, &body));
        tr2_shape_def shape = tr2_circle_on(body, (tr_vec2){0.3f * (float)i, 0.1f}, 0.4f);
        shape.density = 5.0f;
        DO(it, tr2_world_create_shape(it->world, &shape, NULL));
    }
}

/* Static bodies that are weighed in a call that fails. */
static void life_of_rocks(run *it)
{
    tr2_body bodies[40] = {{0}};
    tr2_shape shapes[40] = {{0}};
    begin(it);
    rocks(it, 2);
    crowd_bodies(it, bodies, 40, 5.0f);
    crowd_shapes(it, bodies, shapes, 40);
    step(it, 2);
    rocks(it, 3);
    DO(it, tr2_world_optimize(it->world));
    rocks(it, 2);
    step(it, 1);
    rocks(it, 1);
    look(it);
    DO(it, tr2_world_optimize(it->world));
    step(it, 2);
}

/* A crowd at rest that bursts by forces, which its shapes' boxes do not foresee: they leave them within the step, and
   the trees are sorted after it. */
static void life_of_a_burst(run *it)
{
    enum { SIDE = 12 };
    tr2_body_def defs[SIDE * SIDE];
    tr2_body bodies[SIDE * SIDE] = {{0}};
    tr2_shape_def shapes[SIDE * SIDE];
    tr_vec2 places[SIDE * SIDE];
    begin(it);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        places[i] = (tr_vec2){0.45f * (float)(i % SIDE) - 2.4f, 0.45f * (float)(i / SIDE) - 2.4f};
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){(double)places[i].x, (double)places[i].y};
    }
    DO(it, tr2_world_create_bodies(it->world, defs, SIDE * SIDE, bodies));
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        shapes[i] = tr2_circle_on(bodies[i], (tr_vec2){0.0f, 0.0f}, 0.2f);
    DO(it, tr2_world_create_shapes(it->world, shapes, SIDE * SIDE, NULL));
    step(it, 2);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        tr_vec2 force = {4000.0f * places[i].x, 4000.0f * places[i].y};
        DO(it, tr2_body_apply_force_to_center(it->world, bodies[i], force));
    }
    step(it, 1);
    /* back again */
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        DO(it,
           tr2_body_set_velocity(it->world, bodies[i], (tr_vec2){-20.0f * places[i].y, -30.0f * places[i].x}, 0.0f));
    step(it, 20);
}

/* Columns of boxes and linked bodies that fall asleep on the ground; then some are hit, shaken or moved, and others wake with
   them. */
static void life_of_sleepers(run *it)
{
    enum { COLUMNS = 6, HIGH = 3, ALL = COLUMNS * HIGH };
    tr2_body bodies[ALL] = {{0}}, ball = {0};
    tr2_body_def def = tr2_body_def_default();
    tr2_shape_def shape = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f);
    bool awake = true;
    begin(it);
    def.type = TR_STATIC;
    DO(it, tr2_world_create_body(it->world, &def, &ball));
    shape = tr2_offset_box_on(ball, 30.0f, 1.0f, (tr_vec2){0.0f, -11.0f}, 1.0f, 0.0f);
    DO(it, tr2_world_create_shape(it->world, &shape, NULL));
    def.type = TR_DYNAMIC;
    DO(it, tr2_world_set_sleep(it->world, &(tr_sleep_settings){true, 0.05f, 0.1f, 0.1f}));
    for (uint32_t i = 0; i < ALL; i++) {
        def.position = (tr_dvec2){1.5 * (i % COLUMNS), -9.5 + 1.0 * (i / COLUMNS)};
        DO(it, tr2_world_create_body(it->world, &def, &bodies[i]));
        shape = tr2_box_on(bodies[i], 0.5f, 0.5f);
        DO(it, tr2_world_create_shape(it->world, &shape, NULL));
    }
    for (uint32_t i = 0; i + 1 < COLUMNS; i += 3) {
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        joint.body_a = bodies[ALL - 1 - i];
        joint.body_b = bodies[ALL - 2 - i];
        joint.length = 1.5f;
        DO(it, tr2_world_create_joint(it->world, &joint, NULL));
    }
    step(it, 64);
    DO(it, tr2_body_is_awake(it->world, bodies[0], &awake));
    assert_true(!awake || it->skip != NONE);
    for (uint32_t round = 0; round < 3; round++) {
        def.position = (tr_dvec2){1.5 * round - 0.9, -9.6};
        def.velocity = (tr_vec2){10.0f, 0.0f};
        DO(it, tr2_world_create_body(it->world, &def, &ball));
        shape = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f);
        DO(it, tr2_world_create_shape(it->world, &shape, NULL));
        step(it, 3);
        DO(it, tr2_body_apply_impulse_to_center(it->world, bodies[COLUMNS - 1 - round], (tr_vec2){2.0f, 0.0f}));
        step(it, 1);
        DO(it, tr2_world_optimize(it->world));
        DO(it, tr2_body_set_awake(it->world, bodies[3], true));
        DO(it, tr2_world_destroy_body(it->world, ball));
        step(it, 2);
    }
    ask(it);
}

/*
 * Joints of all types on one body, beside others, with thresholds; contacts of the application
 */
enum { STAR = 72 };

static void set_contacts(run *it, const tr2_body *bodies, uint32_t from, uint32_t count)
{
    tr2_contact_def defs[STAR];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t one = from + i;
        defs[i] = tr2_contact_def_default();
        defs[i].body_a = bodies[one % 3];
        defs[i].body_b = bodies[3 + one % (STAR - 3)];
        defs[i].id = one;
        defs[i].point_count = 1 + (one + from / 5) % 2;
        defs[i].point[0] = defs[i].point[1] = (tr_dvec2){0.5 * one, 0.0};
        defs[i].point[1].y = 0.5;
        defs[i].friction = 0.5f;
    }
    DO(it, tr2_world_set_contacts(it->world, defs, count));
}

static void life_of_joints(run *it)
{
    tr2_body_def body_defs[STAR];
    tr2_body bodies[STAR] = {{0}};
    tr2_joint_def defs[STAR];
    tr2_joint joints[STAR] = {{0}}, more[STAR] = {{0}};
    begin(it);
    for (uint32_t i = 0; i < STAR; i++) {
        body_defs[i] = tr2_body_def_default();
        body_defs[i].position.x = 0.5 * i;
        body_defs[i].type = i % 30 == 29 ? TR_STATIC : TR_DYNAMIC;
    }
    DO(it, tr2_world_create_bodies(it->world, body_defs, STAR, bodies));
    NOTE(it, bodies);
    for (uint32_t i = 0; i + 1 < STAR; i++) {
        defs[i] = tr2_joint_def_default((tr2_joint_type)(i % TR2_JOINT_TYPE_COUNT));
        defs[i].body_a = bodies[0];
        defs[i].body_b = bodies[i + 1];
    }
    DO(it, tr2_world_create_joints(it->world, defs, STAR - 1, joints));
    note_bytes(it, joints, (STAR - 1) * sizeof *joints);
    step(it, 1);
    set_contacts(it, bodies, 0, 20);
    step(it, 1);
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_def def = odd_joint((tr2_joint_type)type);
        def.body_a = defs[type].body_a;
        def.body_b = defs[type].body_b;
        DO(it, tr2_joint_set(it->world, joints[type], &def));
    }
    step(it, 1);
    /* beside those there are, of the second ten bodies */
    for (uint32_t i = 0; i < 20; i++) {
        defs[i] = tr2_joint_def_default(i % 2 == 0 ? TR2_JOINT_REVOLUTE : TR2_JOINT_WELD);
        defs[i].body_a = bodies[0];
        defs[i].body_b = bodies[10 + i / 2];
    }
    DO(it, tr2_world_create_joints(it->world, defs, 20, more));
    note_bytes(it, more, 20 * sizeof *more);
    step(it, 1);
    DO(it, tr2_world_destroy_joints(it->world, more, 7));
    set_contacts(it, bodies, 5, 40);
    step(it, 1);
    DO(it, tr2_joint_set_break_at(it->world, joints[26], (tr_break_at){1.0f, 1.0f, 0.0f, 2}));
    DO(it, tr2_joint_set_event_at(it->world, joints[27], (tr_event_at){1.0f, 1.0f}));
    DO(it, tr2_joint_set_user_data(it->world, joints[27], 5));
    DO(it, tr2_joint_set_enabled(it->world, joints[28], false));
    DO(it, tr2_joint_set_collide_connected(it->world, joints[30], true));
    DO(it, tr2_joint_set_value(it->world, joints[39], TR2_FIELD_MOTOR_ENABLE, 1.0f));
    step(it, 2);
    look(it);
    DO(it, tr2_body_set_type(it->world, bodies[0], TR_STATIC));
    step(it, 1);
    DO(it, tr2_body_set_enabled(it->world, bodies[1], false));
    DO(it, tr2_body_set_type(it->world, bodies[0], TR_DYNAMIC));
    set_contacts(it, bodies, 20, 60);
    step(it, 1);
    DO(it, tr2_world_destroy_bodies(it->world, bodies + 40, 20));
    DO(it, tr2_world_create_bodies(it->world, body_defs + 40, 20, bodies + 40));
    NOTE(it, bodies);
    for (uint32_t i = 0; i < 19; i++) {
        defs[i] = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        defs[i].body_a = bodies[40 + i];
        defs[i].body_b = bodies[41 + i];
    }
    DO(it, tr2_world_create_joints(it->world, defs, 19, more));
    note_bytes(it, more, 19 * sizeof *more);
    step(it, 1);
    set_contacts(it, bodies, 20, 10);
    DO(it, tr2_world_optimize(it->world));
    step(it, 2);
}

/*
 * Trees that are solved exactly: a light hub with many spokes, and chains with heavy ends that touch each other
 */
static void life_of_trees(run *it)
{
    tr2_body_def defs[60];
    tr2_body bodies[60] = {{0}};
    tr2_joint_def joint_defs[60];
    tr2_joint joints[60] = {{0}};
    begin(it);
    for (uint32_t i = 0; i < 60; i++) {
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){0.25 * i, -0.5 * i};
        defs[i].type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        defs[i].mass = i % 10 == 9 ? 200.0f : 1.0f;
    }
    DO(it, tr2_world_create_bodies(it->world, defs, 60, bodies));
    for (uint32_t i = 1; i < 60; i++) {
        joint_defs[i] = tr2_joint_def_default(i % 7 == 0 ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE);
        joint_defs[i].body_a = i % 10 == 0 || i > 30 ? bodies[i > 30 ? 30 : 0] : bodies[i - 1];
        joint_defs[i].body_b = bodies[i];
        joint_defs[i].friction = joint_defs[i].type == TR2_JOINT_REVOLUTE && i % 5 == 0 ? 0.2f : 0.0f;
        DO(it, tr2_joint_def_initialize(it->world, &joint_defs[i], defs[i].position, defs[i].position,
                                        (tr_vec2){1.0f, 0.0f}));
    }
    DO(it, tr2_world_create_joints(it->world, joint_defs + 1, 59, joints + 1));
    step(it, 2);
    DO(it, tr2_body_set_mass(it->world, bodies[5], 400.0f, 1.0f, (tr_vec2){0.2f, 0.0f}));
    look(it);
    step(it, 2);
    set_contacts(it, bodies, 0, 12);
    step(it, 2);
    DO(it, tr2_world_destroy_body(it->world, bodies[19]));
    step(it, 2);
    DO(it, tr2_joint_set_value(it->world, joints[33], TR2_FIELD_LIMIT_ENABLE, 1.0f));
    DO(it, tr2_world_set_direct_load(it->world, 3.0f));
    step(it, 2);
    DO(it, tr2_world_set_method(it->world, TR_SMALL_STEP, 0));
    step(it, 2);
    DO(it, tr2_world_optimize(it->world));
    step(it, 4);
}

/*
 * All runs of a scenario
 */
typedef void scenario(run *it);

/* of allocations that are alike one in so many fails; and with sanitizers one in so many of those that are chosen */
#define REPEATS 4u
#define STRIDE  (TRIALS(4) < 4 ? 4u : 1u)

/* What was recorded is made again, whatever had failed: all of it, or up to where there was no memory to record more. */
static void play(run *it)
{
    /* steps that fail, and records, are what is special; of the others some */
    bool played = it->refused == 0 || strstr(it->failed_in, "_step(") != NULL || it->allocator.fail_at % 8 == 0;
    bool began = it->log.size > 0, whole = tr2_world_is_recording(it->world);
    tr_status status = tr2_world_stop_recording(it->world);
    assert_int_equal(status, !began || whole ? TR_OK : TR_ERROR_MEMORY);
    assert_int_equal(it->log.closed, began);
    tr2_world *world = log_world(1);
    tr_replay replay = tr_replay_of(it->log.bytes, it->log.size);
    tr_replay_record record = {.kind = TR_REPLAY_END};
    do {
        if (began && played)
            record = log_next(world, &replay);
    } while (record.kind != TR_REPLAY_END && record.kind != TR_REPLAY_CUT_OFF);
    assert_true((record.kind == TR_REPLAY_END) == (!began || !played || whole));
    tr2_world_destroy(world);
    log_free(&it->log);
}

static run once(scenario *live, run it)
{
    it.random = 1;
    scarce = &it.allocator;
    live(&it);
    scarce = NULL;
    watched = NULL;
    play(&it);
    tr2_world_destroy(it.world);
    assert_int_equal(it.allocator.held, 0);
    assert_int_equal(it.allocator.mismatches, 0);
    return it;
}

/* The digests of runs in which one call is left out, by that call; each is made when it is first needed. */
static uint64_t digest_without(scenario *live, uint32_t call, uint64_t *digests)
{
    if (digests[call] == 0)
        digests[call] = once(live, (run){.skip = call}).digest;
    return digests[call];
}

/* counts, and tells of the first few */
static void expect(bool same, const run *it, const char *how, uint32_t *differ)
{
    if (!same && ++*differ <= 20)
        print_message("allocation %llu: the world ends otherwise if it fails in %s and that is %s\n",
                      (unsigned long long)it->allocator.fail_at, it->failed_in, how);
}

/* Whether an allocation fails in some run: the first and the last one of a chain of callers, and one in `every` of the
   others, those of each chain from another one on. */
static bool is_chosen(const chains *all, size_t n, uint64_t every)
{
    uint64_t before = 0, after = 0;
    size_t first = n;
    for (size_t i = all->count; i-- > 0;) {
        if (all->of[i] != all->of[n])
            continue;
        before += i < n;
        after += i > n;
        first = i;
    }
    return before == 0 || after == 0 || (before + first) % every == 0;
}

static void exhaust(scenario *live)
{
    const char *text = getenv("TR_MEMORY_EVERY");
    uint64_t every = text != NULL ? strtoull(text, NULL, 10) : REPEATS, chosen = 0, refused = 0;
    uint64_t *until = calloc(CALLS_MOST, sizeof *until), *digests = calloc(CALLS_MOST, sizeof *digests);
    chains all = {NULL, 0, 0};
    uint32_t differ = 0, left_out = 0;
    assert_true(until != NULL && digests != NULL);
    watched = &all;
    const run undisturbed = once(live, (run){.skip = NONE, .until = until});
    assert_int_equal(all.count, undisturbed.allocator.calls);
    for (uint64_t n = 1; n <= undisturbed.allocator.calls; n++) {
        if (!is_chosen(&all, n - 1, every > 0 ? every : 1) || (text == NULL && chosen++ % STRIDE != 0))
            continue;
        const run fails = {.allocator = {.fail_at = n}, .skip = NONE, .known = until};
        const run it = once(live, fails);
        assert_int_equal(it.allocator.failures, 1);
        expect(it.digest == undisturbed.digest, &it, "made again", &differ);
        refused += it.refused;
        if (it.refused == 0 || !may_be_left_out(it.failed_in))
            continue;
        run gives_up = fails;
        gives_up.gives_up = true;
        const run without = once(live, gives_up);
        expect(without.digest == digest_without(live, without.skip, digests), &without, "left out", &differ);
        left_out++;
    }
    print_message("%llu allocations, %llu calls refused and made again, %u left out\n",
                  (unsigned long long)undisturbed.allocator.calls, (unsigned long long)refused, left_out);
    free(all.of);
    free(until);
    free(digests);
    assert_int_equal(differ, 0);
    assert_true(refused > 0 && left_out > 0);
}

static void a_crowd_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_a_crowd);
}

static void a_crowd_that_turns_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_a_crowd_that_turns);
}

static void a_burst_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_a_burst);
}

static void sleepers_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_sleepers);
}

static void rocks_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_rocks);
}

static void joints_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_joints);
}

static void trees_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_trees);
}

static void end_the_same(tr2_scene *scene, bool collide)
{
    scene->collide = collide;
    yard = scene;
    exhaust(life_of_a_scene);
    tr2_scene_destroy(scene);
}

static void scenes_end_the_same_whatever_fails(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
#ifdef TR_WITH_SCENES
    assert_int_equal(tr2_scene_load(TR_SCENES_DIR "/demo.json", &scene, NULL), TR_OK);
#else
    assert_int_equal(tr2_scene_generate("bridge", 40, &scene, NULL), TR_OK);
#endif
    end_the_same(scene, false);
}

static void scenes_that_collide_end_the_same_whatever_fails(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("ragdolls", 3, &scene, NULL), TR_OK);
    end_the_same(scene, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_end_the_same_whatever_fails),
        cmocka_unit_test(scenes_that_collide_end_the_same_whatever_fails),
        cmocka_unit_test(a_crowd_ends_the_same_whatever_fails),
        cmocka_unit_test(a_crowd_that_turns_ends_the_same_whatever_fails),
        cmocka_unit_test(a_burst_ends_the_same_whatever_fails),
        cmocka_unit_test(sleepers_end_the_same_whatever_fails),
        cmocka_unit_test(rocks_end_the_same_whatever_fails),
        cmocka_unit_test(joints_end_the_same_whatever_fails),
        cmocka_unit_test(trees_end_the_same_whatever_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
