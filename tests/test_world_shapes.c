/* Worlds of shapes: nothing that touches is missed, whatever is edited; the same bits everywhere; touches are told. */
#include "all_threads.h"
#include "instrumented.h"
#include "shape_fixture.h"
#include "weightless.h"
#include "world/collision/collision_internal.h"
#include "world/contacts/contact_row.h"

/* a shape of any kind, around the body's origin or beside it */
static tr2_shape_def draw_shape(uint64_t *seed, tr2_body body)
{
    tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(draw(seed) * TR2_SHAPE_KIND_COUNT));
    def.body = body;
    float size = 0.2f + (float)draw(seed), x = (float)draw(seed) - 0.5f;
    for (uint32_t i = 0; i < def.point_count; i++)
        def.point[i] = (tr_vec2){size * def.point[i].x + x, size * def.point[i].y};
    def.radius *= size * 0.5f;
    def.density = draw(seed) < 0.7 ? 1.0f : 0.0f;
    def.filter.category = draw(seed) < 0.3 ? 2 : 1;
    def.filter.mask = draw(seed) < 0.2 ? 1 : UINT64_MAX;
    def.filter.group = draw(seed) < 0.2 ? (int32_t)(draw(seed) * 5.0) - 2 : 0;
    def.sensor = draw(seed) < 0.1;
    def.contact_events = draw(seed) < 0.9;
    def.hit_events = draw(seed) < 0.2;
    return def;
}

/*
 * Against brute force
 */

/* The index of all pairs, each of which must be there once. The world keeps its own only at times. */
static tr2_pair_index index_pairs(tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    tr2_pair_index out;
    tr2_pair_index_init(&out, &world->memory);
    assert_int_equal(tr2_pair_index_reserve(&out, it->pairs, it->count), TR_OK);
    for (uint32_t i = 0; i < it->count; i++) {
        uint32_t a = it->pairs[i].a, b = it->pairs[i].b;
        assert_int_equal(tr2_pair_index_find(&out, it->pairs, a, b), TR2_PAIR_UNKNOWN);
        tr2_pair_index_put(&out, it->pairs, i);
        if (it->index_steps > 0)
            assert_int_equal(tr2_pair_index_find(&it->index, it->pairs, a, b), i);
    }
    return out;
}

static bool has_contact(const tr2_world *world, const tr2_pair_index *index, uint32_t a, uint32_t b)
{
    const tr2_collision *it = &world->collision;
    uint32_t pair = tr2_pair_index_find(index, it->pairs, a < b ? a : b, a < b ? b : a);
    if (pair == TR2_PAIR_UNKNOWN)
        return false;
    bool sensor = (it->pairs[pair].flags & TR2_PAIR_SENSOR) != 0;
    return sensor ? it->manifolds[pair].count > 0 : it->pairs[pair].contact != TR_NONE;
}

static tr2_transform transform_of(const tr2_world *world, tr2_body body)
{
    tr2_transform out;
    assert_ok(world, tr2_world_get_transforms(world, &body, 1, &out));
    return out;
}

/* Whether two shapes must have a contact: they overlap. With what stands still by 2 cm, since at inner corners, which
   are not deeper, there is none (docs/collision-design.md, floors of many pieces). */
static bool must_touch(const tr2_world *world, uint32_t a, uint32_t b)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t row_a = shapes->pool.row[a], row_b = shapes->pool.row[b];
    tr2_transform frame_a = transform_of(world, shapes->body[row_a]);
    tr2_transform frame_b = transform_of(world, shapes->body[row_b]);
    tr2_manifold found =
        tr2_collide(shapes->geometry[row_a], tr2_pose_between(&frame_a, &frame_b), shapes->geometry[row_b], 0.0f);
    bool still = (tr2_pair_flags(world, a, b) & (TR2_PAIR_STILL | TR2_PAIR_SENSOR)) == TR2_PAIR_STILL;
    return found.count > 0 && (!still || tr2_least_separation(&found) < -0.02f);
}

/* a pair knows whether it has a contact, and of how many points: quick tests look only at its flags */
static void check_flags(const tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    for (uint32_t i = 0; i < it->count; i++) {
        const tr2_pair *pair = &it->pairs[i];
        uint32_t points = 0;
        if (pair->contact != TR_NONE)
            points = tr2_contact_kernel(world, pair->contact) == tr2_contact_kernel_of(2) ? 2 : 1;
        assert_int_equal(tr2_pair_held(pair), points);
    }
}

/* as a step does: edits have woken what they touched, of which the trees of boxes are told first */
static void collide(tr2_world *world)
{
    assert_true(tr2_sleep_begin(world));
    assert_true(tr2_collide_keep(world));
    assert_int_equal(tr2_collide_begin(world, 1.0 / 60.0), TR_OK);
    tr2_collide_finish(world);
}

/* each two shapes that are wanted and overlap have a contact, and none that are not wanted */
static uint32_t check_all_pairs(tr2_world *world)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t contacts = 0, n = shapes->table.count;
    check_flags(world);
    tr2_pair_index index = index_pairs(world);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            uint32_t a = shapes->id[i].index - 1, b = shapes->id[k].index - 1;
            if (a > b) {
                uint32_t swap = a;
                a = b;
                b = swap;
            }
            bool wanted = tr2_pair_is_wanted(world, a, b);
            bool touches = must_touch(world, a, b);
            bool has = has_contact(world, &index, a, b);
            if ((wanted && touches && !has) || (!wanted && has))
                fail_msg("shapes %u and %u: wanted %d, touch %d, contact %d", a, b, wanted, touches, has);
            contacts += has;
        }
    }
    tr2_pair_index_free(&index);
    return contacts;
}

typedef struct zoo {
    tr2_world *world;
    uint64_t seed;
    tr2_body bodies[60];
    tr2_shape shapes[150];
    tr2_joint joints[20];
} zoo;

static tr2_body draw_body(zoo *it)
{
    tr2_body *slot = &it->bodies[(uint32_t)(draw(&it->seed) * 60.0)];
    if (!tr2_body_is_valid(it->world, *slot)) {
        double kind = draw(&it->seed);
        *slot = make(it->world,
                     kind < 0.2   ? TR_STATIC
                     : kind < 0.3 ? TR_KINEMATIC
                                  : TR_DYNAMIC,
                     8.0 * draw(&it->seed), 8.0 * draw(&it->seed));
    }
    return *slot;
}

static void edit_joint(zoo *it)
{
    tr2_joint *joint = &it->joints[(uint32_t)(draw(&it->seed) * 20.0)];
    tr2_body a = draw_body(it), b = draw_body(it);
    tr2_joint_def def;
    if (!tr2_joint_is_valid(it->world, *joint)) {
        def = tr2_joint_def_default(TR2_JOINT_TARGET);
        def.body_a = a;
        def.body_b = b;
        def.collide_connected = draw(&it->seed) < 0.3;
        if (a.index != b.index)
            assert_ok(it->world, tr2_world_create_joint(it->world, &def, joint));
    } else if (draw(&it->seed) < 0.5) {
        assert_ok(it->world, tr2_joint_get(it->world, *joint, &def));
        def.collide_connected = !def.collide_connected;
        assert_ok(it->world, tr2_joint_set(it->world, *joint, &def));
    } else {
        assert_ok(it->world, tr2_world_destroy_joint(it->world, *joint));
    }
}

/* a bowl of four points on the body; its segments are kept where there is room */
static void edit_chain(zoo *it, tr2_body body)
{
    const tr_vec2 points[4] = {{1.0f, 0.5f}, {0.5f, 0.0f}, {-0.5f, 0.0f}, {-1.0f, 0.5f}};
    tr2_chain_def def = tr2_chain_def_default();
    tr2_shape segments[4];
    def.points = points;
    def.count = 4;
    def.loop = draw(&it->seed) < 0.3;
    def.shape.body = body;
    uint32_t count = def.loop ? 4 : 3;
    assert_ok(it->world, tr2_world_create_chain(it->world, &def, segments));
    for (uint32_t i = 0; i < count; i++) {
        tr2_shape *slot = &it->shapes[(uint32_t)(draw(&it->seed) * 150.0)];
        if (!tr2_shape_is_valid(it->world, *slot))
            *slot = segments[i];
        else
            assert_ok(it->world, tr2_world_destroy_shape(it->world, segments[i]));
    }
}

/* its mass, or that of its shapes again; how it moves and is stopped */
static void edit_body(zoo *it, tr2_body body)
{
    tr2_world *world = it->world;
    double what = draw(&it->seed);
    float mass = 0.1f + (float)draw(&it->seed), x = (float)draw(&it->seed) - 0.5f;
    if (what < 0.3) {
        assert_ok(world, tr2_body_set_mass(world, body, mass, 0.2f * mass, (tr_vec2){0.2f * x, 0.0f}));
    } else if (what < 0.5) {
        tr_status status = tr2_body_update_mass_from_shapes(world, body);
        assert_true(status == TR_OK || status == TR_ERROR_ZERO);
    } else if (what < 0.7) {
        assert_ok(world, tr2_body_set_bullet(world, body, draw(&it->seed) < 0.5));
    } else if (what < 0.8) {
        assert_ok(world, tr2_body_set_fixed_rotation(world, body, draw(&it->seed) < 0.5));
    } else if (what < 0.9) {
        assert_ok(world, tr2_body_set_enabled(world, body, draw(&it->seed) < 0.5));
    } else {
        tr2_transform at = transform_of(world, body);
        assert_ok(world, tr2_body_apply_impulse(world, body, (tr_vec2){10.0f * x, mass}, at.position));
    }
}

static void edit(zoo *it)
{
    tr2_world *world = it->world;
    double what = draw(&it->seed);
    tr2_body body = draw_body(it);
    tr2_shape *shape = &it->shapes[(uint32_t)(draw(&it->seed) * 150.0)];
    bool there = tr2_shape_is_valid(world, *shape);
    if (what < 0.45 && !there) {
        *shape = add(world, draw_shape(&it->seed, body));
    } else if (what < 0.46) {
        edit_chain(it, body);
    } else if (what < 0.5) {
        edit_body(it, body);
    } else if (what < 0.55 && there) {
        assert_ok(world, tr2_world_destroy_shape(world, *shape));
    } else if (what < 0.65 && there) {
        tr2_shape_def old, def;
        assert_ok(world, tr2_shape_get(world, *shape, &old));
        def = draw_shape(&it->seed, old.body);
        assert_ok(world, tr2_shape_set(world, *shape, &def));
    } else if (what < 0.7) {
        assert_ok(world, tr2_body_set_type(world, body, (tr_body_type)(draw(&it->seed) * 3.0)));
    } else if (what < 0.8) {
        tr_dvec2 place = {8.0 * draw(&it->seed), 8.0 * draw(&it->seed)};
        assert_ok(world, tr2_body_set_transform(world, body, place, 6.0 * draw(&it->seed)));
    } else if (what < 0.9) {
        edit_joint(it);
    } else if (what < 0.92) {
        assert_ok(world, tr2_world_destroy_body(world, body));
    } else if (what < 0.97) {
        tr_vec2 velocity = {(float)(20.0 * draw(&it->seed) - 10.0), (float)(20.0 * draw(&it->seed) - 10.0)};
        assert_ok(world, tr2_body_set_velocity(world, body, velocity, (float)(10.0 * draw(&it->seed))));
    } else {
        assert_ok(world, tr2_world_optimize(world));
    }
}

static void nothing_that_touches_is_missed_whatever_is_edited(void **state)
{
    zoo it = {.world = world_of(state), .seed = 3};
    assert_ok(it.world, tr2_world_set_gravity(it.world, (tr_vec2){0.0f, 0.0f}));
    uint64_t contacts = 0;
    for (uint32_t step = 0; step < 600; step++) {
        /* with pauses, in which the world gives up its index of pairs */
        uint32_t edits = step % 100 < 60 ? (uint32_t)(10.0 * draw(&it.seed)) : 0;
        for (uint32_t i = 0; i < edits; i++)
            edit(&it);
        /* where the bodies are now, before they move */
        collide(it.world);
        if (step % 4 == 0)
            contacts += check_all_pairs(it.world);
        assert_ok(it.world, tr2_world_step(it.world, 1.0 / 60.0, 4));
    }
    assert_true(contacts > 1000);
}

/* the pairs of shapes that touch, or of a sensor and what it sees, as the events have told */
typedef struct told_pairs {
    uint32_t count;
    struct {
        tr2_shape a, b;
        bool sensor;
    } pair[1024];
} told_pairs;

static bool is_same(tr2_shape a, tr2_shape b)
{
    return a.index == b.index && a.generation == b.generation;
}

/* what begins has not begun, and what ends has */
static void check_turns(told_pairs *told, const tr2_touch_event *touch)
{
    bool sensor = touch->kind == TR2_OVERLAP_BEGIN || touch->kind == TR2_OVERLAP_END;
    bool begins = touch->kind == TR2_TOUCH_BEGIN || touch->kind == TR2_OVERLAP_BEGIN;
    uint32_t at = 0;
    while (at < told->count && !(told->pair[at].sensor == sensor && is_same(told->pair[at].a, touch->shape_a) &&
                                 is_same(told->pair[at].b, touch->shape_b)))
        at++;
    if (begins == (at < told->count))
        fail_msg("shapes %u and %u %s twice", touch->shape_a.index, touch->shape_b.index, begins ? "begin" : "end");
    if (begins) {
        assert_true(told->count < 1024);
        told->pair[told->count].a = touch->shape_a;
        told->pair[told->count].b = touch->shape_b;
        told->pair[told->count++].sensor = sensor;
    } else {
        told->pair[at] = told->pair[--told->count];
    }
}

static bool is_silent(const tr2_world *world, tr2_shape id)
{
    tr2_shape_def def;
    assert_ok(world, tr2_shape_get(world, id, &def));
    return !def.contact_events;
}

/* the end of what has no events now is not told; they may be wanted again, and it begins again */
static void forget_silent(const tr2_world *world, told_pairs *told)
{
    for (uint32_t i = told->count; i-- > 0;) {
        tr2_shape a = told->pair[i].a, b = told->pair[i].b;
        if (tr2_shape_is_valid(world, a) && tr2_shape_is_valid(world, b) &&
            (is_silent(world, a) || is_silent(world, b)))
            told->pair[i] = told->pair[--told->count];
    }
}

/* every number of every body, quarantined or not; touches name shapes that were there, and take turns */
static void check_world(const tr2_world *world, told_pairs *told)
{
    tr2_body_view bodies = tr2_world_bodies(world);
    for (uint32_t i = 0; i < bodies.count; i++) {
        tr2_body_def now;
        assert_ok(world, tr2_body_get(world, bodies.id[i], &now));
        assert_true(isfinite(now.position.x) && isfinite(now.position.y) && isfinite(now.angle));
        assert_true(isfinite(now.velocity.x) && isfinite(now.velocity.y) && isfinite(now.angular_velocity));
    }
    tr2_touch_view touches = tr2_world_touches(world);
    for (uint32_t i = 0; i < touches.count; i++) {
        const tr2_touch_event *touch = &touches.event[i];
        assert_true(touch->shape_a.index != 0 && touch->shape_b.index != 0);
        if (touch->kind == TR2_TOUCH_BEGIN || touch->kind == TR2_OVERLAP_BEGIN)
            assert_true(tr2_shape_is_valid(world, touch->shape_a) && tr2_shape_is_valid(world, touch->shape_b));
        if (touch->kind != TR2_TOUCH_HIT)
            check_turns(told, touch);
    }
    forget_silent(world, told);
}

/* Shapes, chains, bodies, joints, masses, bullets, threads: as many edits as TR_RANDOM_EDITS says; a million passed
   with the address and undefined behaviour sanitizers. Numbers stay finite; a joint may still spin a body up until it
   is quarantined. */
static void edits_while_things_fall_never_do_harm(void **state)
{
    zoo it = {.world = world_of(state), .seed = 11};
    static told_pairs told;
    const char *text = getenv("TR_RANDOM_EDITS");
    /* slowly, so that much of it is there to touch */
    assert_ok(it.world, tr2_world_set_gravity(it.world, (tr_vec2){0.0f, -1.0f}));
    uint64_t wanted = text != NULL ? strtoull(text, NULL, 10) : TRIALS(20000), edits = 0, contacts = 0;
    for (uint64_t step = 0; edits < wanted; step++) {
        for (uint32_t i = (uint32_t)(12.0 * draw(&it.seed)); i > 0; i--, edits++)
            edit(&it);
        if (draw(&it.seed) < 0.02)
            assert_ok(it.world, tr2_world_set_threads(it.world, 1 + (uint32_t)(3.0 * draw(&it.seed))));
        /* now and then: a few bodies take longer on many */
        it.world->solver->on_all_threads = draw(&it.seed) < 0.1;
        if (step % 500 == 0) {
            collide(it.world);
            (void)check_all_pairs(it.world);
        }
        assert_ok(it.world, tr2_world_step(it.world, 1.0 / 60.0, 4));
        contacts += tr2_world_statistics(it.world).contacts;
        check_world(it.world, &told);
    }
    print_message("%llu edits, %llu contacts\n", (unsigned long long)edits, (unsigned long long)contacts);
    assert_true(contacts > wanted);
}

/*
 * The same bits
 */
#define STEPS 120u

static void run_pile(uint32_t threads, uint64_t *hashes)
{
    tr2_world *world = world_on_all_threads(threads, NULL);
    tr2_chain_def bowl = tr2_chain_def_default();
    tr_vec2 points[41];
    for (int i = 0; i <= 40; i++)
        points[i] = (tr_vec2){30.0f - 1.5f * (float)i, 0.03f * (float)((i - 20) * (i - 20))};
    bowl.points = points;
    bowl.count = 41;
    bowl.shape.body = make(world, TR_STATIC, 0.0, 0.0);
    assert_ok(world, tr2_world_create_chain(world, &bowl, NULL));
    uint64_t seed = 9;
    for (uint32_t i = 0; i < 600; i++) {
        tr2_body body =
            make(world, TR_DYNAMIC, 1.1 * (double)(i % 30) - 16.0 + 0.3 * draw(&seed), 8.0 + 1.1 * (double)(i / 30));
        tr2_shape_def shape = draw_shape(&seed, body);
        shape.density = 1.0f;
        shape.filter = weightless(tr2_shape_def_default(TR2_CIRCLE)).filter;
        add(world, shape.kind == TR2_CHAIN_SEGMENT || shape.kind == TR2_SEGMENT
                       ? weightless(tr2_box_on(body, 0.3f, 0.2f))
                       : shape);
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        hashes[i] = tr2_world_state_hash(world);
    }
    assert_true(tr2_world_statistics(world).contacts > 600);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
}

static void piles_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    assert_int_equal(tr_set_isa(TR_ISA_SCALAR), TR_OK);
    run_pile(1, want);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        assert_int_equal(tr_set_isa((tr_isa)isa), TR_OK);
        run_pile(1 + (uint32_t)isa % 3, is);
        assert_memory_equal(is, want, sizeof want);
    }
    assert_int_equal(tr_set_isa(chosen), TR_OK);
}

/*
 * Touches
 */
static uint32_t count_touches(const tr2_world *world, tr2_touch_kind kind, tr2_touch_event *last)
{
    tr2_touch_view view = tr2_world_touches(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        if (view.event[i].kind != kind)
            continue;
        *last = view.event[i];
        count++;
    }
    return count;
}

/* a ball falls through a sensor onto a floor, from 2 m: it hits with sqrt(2 g h), once, and is taken away */
static void touches_are_told_once_each(void **state)
{
    tr2_world *world = world_of(state);
    tr2_shape floor =
        add(world, tr2_segment_on(make(world, TR_STATIC, 0.0, 0.0), (tr_vec2){-5.0f, 0.0f}, (tr_vec2){5.0f, 0.0f}));
    tr2_shape_def gate_def = weightless(tr2_box_on(make(world, TR_STATIC, 0.0, 1.5), 1.0f, 0.1f));
    gate_def.sensor = true;
    tr2_shape gate = add(world, gate_def);
    tr2_body body = make(world, TR_DYNAMIC, 0.0, 2.5);
    tr2_shape_def ball_def = weightless(tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.5f));
    ball_def.hit_events = true;
    tr2_shape ball = add(world, ball_def);
    uint32_t counts[5] = {0};
    tr2_touch_event last[5];
    for (uint32_t step = 0; step < 120; step++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        for (int kind = 0; kind < 5; kind++)
            counts[kind] += count_touches(world, (tr2_touch_kind)kind, &last[kind]);
    }
    assert_int_equal(counts[TR2_OVERLAP_BEGIN], 1);
    assert_int_equal(counts[TR2_OVERLAP_END], 1);
    assert_int_equal(last[TR2_OVERLAP_END].shape_a.index, gate.index);
    assert_int_equal(last[TR2_OVERLAP_END].shape_b.index, ball.index);
    assert_int_equal(counts[TR2_TOUCH_BEGIN], 1);
    assert_int_equal(counts[TR2_TOUCH_END], 0);
    assert_int_equal(counts[TR2_TOUCH_HIT], 1);
    assert_int_equal(last[TR2_TOUCH_HIT].shape_a.index, floor.index);
    /* a step's gravity more or less */
    assert_true(fabs((double)last[TR2_TOUCH_HIT].speed - sqrt(2.0 * 9.81 * 2.0)) < 9.81 / 60.0);
    assert_true(fabsf(last[TR2_TOUCH_HIT].normal.y - 1.0f) < 1e-6f && fabs(last[TR2_TOUCH_HIT].point.y) < 0.15);

    assert_ok(world, tr2_world_destroy_body(world, body));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_int_equal(count_touches(world, TR2_TOUCH_END, &last[0]), 1);
    assert_int_equal(last[0].shape_b.index, ball.index);
    assert_false(tr2_shape_is_valid(world, last[0].shape_b));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_int_equal(tr2_world_touches(world).count, 0);
}

/* a host's contact holds one ball while the world finds the other's: each by its own, and neither takes the other's
   away */
static void a_host_s_contacts_and_shapes_go_together(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body floor = make(world, TR_STATIC, 0.0, 0.0);
    add(world, tr2_segment_on(floor, (tr_vec2){-5.0f, 0.0f}, (tr_vec2){5.0f, 0.0f}));
    tr2_body bare = make(world, TR_DYNAMIC, -2.0, 0.5), round = make(world, TR_DYNAMIC, 2.0, 0.5);
    add(world, weightless(tr2_circle_on(round, (tr_vec2){0.0f, 0.0f}, 0.5f)));
    for (uint32_t step = 0; step < 120; step++) {
        tr2_contact_def def = tr2_contact_def_default();
        tr2_transform at = transform_of(world, bare);
        def.body_a = floor;
        def.body_b = bare;
        def.point[0] = (tr_dvec2){at.position.x, 0.0};
        def.separation[0] = (float)(at.position.y - 0.5);
        assert_ok(world, tr2_world_set_contacts(world, &def, 1));
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_int_equal(tr2_world_contact_count(world), 1);
        assert_int_equal(tr2_world_statistics(world).contacts, 2);
    }
    assert_true(fabs(transform_of(world, bare).position.y - 0.5) < 0.01);
    assert_true(fabs(transform_of(world, round).position.y - 0.5) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_that_touches_is_missed_whatever_is_edited),
        TEST(edits_while_things_fall_never_do_harm),
        TEST(piles_have_the_same_bits_everywhere),
        TEST(touches_are_told_once_each),
        TEST(a_host_s_contacts_and_shapes_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
