/*
 * The packed data of a step follows edits of joints and contacts piece by piece. Whatever is edited, it must be what it
 * would be if it were made anew: two worlds get the same edits, one of them forgets its layout before every step. And
 * an edit must not lay out more than what it changes.
 */
#include "instrumented.h"
#include "random.h"
#include "solver/core/solver_internal.h"
#include "weightless.h"
#include "world/core/world_internal.h"
#include "world_fixture.h"

#define DT   (1.0 / 60.0)
#define SIDE 16u
#define MOST 900u
#define HEAP 240u
enum { CHAIN = 3 };

/* A lattice of discs in small units, hung up, with loose discs about, and the joints that were made since; and a chain
   apart. */
typedef struct zoo {
    tr2_world *world;
    tr2_body bodies[SIDE * SIDE], links[CHAIN];
    tr2_joint joints[MOST];
    uint32_t joint_count;
    uint32_t phase; /* 0, 1: the first of two bodies gets joints, then the second; 2, 3: they lose them */
    uint64_t random;
} zoo;

static uint32_t draw(zoo *it, uint32_t below)
{
    return random_index(&it->random, below);
}

static tr2_body add_disc(zoo *it, uint32_t place)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.position = (tr_dvec2){(double)(place % SIDE), -(double)(place / SIDE)};
    def.linear_damping = def.angular_damping = 0.5f;
    def.type = place < SIDE && place % 5 == 0 ? TR_STATIC : TR_DYNAMIC;
    assert_ok(it->world, tr2_world_create_body(it->world, &def, &id));
    tr2_shape_def disc = weightless(tr2_circle_on(id, (tr_vec2){0.0f, 0.0f}, place % 3 == 0 ? 0.48f : 0.3f));
    assert_ok(it->world, tr2_world_create_shape(it->world, &disc, NULL));
    return id;
}

/* soft, so that whatever is joined keeps calm */
static void add_joint(zoo *it, tr2_joint_type type, uint32_t a, uint32_t b)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    def.body_a = it->bodies[a];
    def.body_b = it->bodies[b];
    def.length = 1.0f;
    if (tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND))
        def.linear = tr_frequency(2.0f, 1.0f);
    if (tr2_joint_type_has(type, TR2_FIELD_ANGULAR_KIND))
        def.angular = tr_frequency(2.0f, 1.0f);
    if (type == TR2_JOINT_GEAR && a > 0 && b > 0 && draw(it, 2) == 0)
        def.carrier_a = def.carrier_b = it->bodies[a != 1 && b != 1 ? 1 : 2];
    def.collide_connected = draw(it, 2) == 0;
    bool same = def.carrier_a.index != 0 &&
                (def.carrier_a.index == def.body_a.index || def.carrier_a.index == def.body_b.index);
    if (a == b || same || it->joint_count == MOST)
        return;
    assert_ok(it->world, tr2_world_create_joint(it->world, &def, &it->joints[it->joint_count++]));
}

/*
 * A rigid pin half way between two bodies as they stand. Not between distant ones:
 * on long arms bodies whose inertia is small against m r^2 whip, and their world may run wild (docs/solver.md).
 */
#define PIN_REACH 1.5 /* m */

static void add_pin(zoo *it, uint32_t a, uint32_t b)
{
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    tr2_body_def at[2];
    if (a == b || it->joint_count == MOST)
        return;
    assert_ok(it->world, tr2_body_get(it->world, it->bodies[a], &at[0]));
    assert_ok(it->world, tr2_body_get(it->world, it->bodies[b], &at[1]));
    tr_vec2 *anchor[2] = {&def.anchor_a, &def.anchor_b};
    double x = 0.5 * (at[0].position.x + at[1].position.x), y = 0.5 * (at[0].position.y + at[1].position.y);
    if (hypot(at[1].position.x - at[0].position.x, at[1].position.y - at[0].position.y) > PIN_REACH)
        return;
    for (int i = 0; i < 2; i++) {
        double dx = x - at[i].position.x, dy = y - at[i].position.y, c = cos(at[i].angle), s = sin(at[i].angle);
        *anchor[i] = (tr_vec2){(float)(c * dx + s * dy), (float)(c * dy - s * dx)};
    }
    def.body_a = it->bodies[a];
    def.body_b = it->bodies[b];
    assert_ok(it->world, tr2_world_create_joint(it->world, &def, &it->joints[it->joint_count++]));
}

/* apart from all else, its links of one mass */
static void add_chain(zoo *it)
{
    for (uint32_t i = 0; i < CHAIN; i++) {
        tr2_body_def link = tr2_body_def_default();
        tr2_joint_def hinge = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        link.position.x = 100.0 + i;
        link.linear_damping = link.angular_damping = 0.5f;
        assert_ok(it->world, tr2_world_create_body(it->world, &link, &it->links[i]));
        if (i == 0)
            continue;
        hinge.body_a = it->links[i - 1];
        hinge.body_b = it->links[i];
        hinge.anchor_a.x = 0.5f;
        hinge.anchor_b.x = -0.5f;
        assert_ok(it->world, tr2_world_create_joint(it->world, &hinge, NULL));
    }
}

static void make(zoo *it, uint32_t threads)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = threads;
    assert_int_equal(tr2_world_create(&def, &it->world, NULL), TR_OK);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        it->bodies[i] = add_disc(it, i);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE > 0 && i % 7 > 0)
            add_joint(it, TR2_JOINT_REVOLUTE, i - 1, i);
        if (i >= SIDE && i % 11 > 0)
            add_joint(it, TR2_JOINT_WELD, i - SIDE, i);
    }
    add_chain(it);
    tr_plan_set_unit_size(it->world->plan, 40);
    assert_ok(it->world, tr2_world_optimize(it->world));
}

/* the newest joint of a body, or any */
static uint32_t pick_joint(zoo *it, tr2_body body)
{
    for (uint32_t i = it->joint_count; i-- > 0 && draw(it, 400) > 0;) {
        tr2_joint_def def;
        assert_ok(it->world, tr2_joint_get(it->world, it->joints[i], &def));
        if (def.body_a.index == body.index || def.body_b.index == body.index)
            return i;
    }
    return draw(it, it->joint_count);
}

static void edit_joint(zoo *it, uint32_t what, uint32_t body)
{
    /* two bodies have joints with many, so that they are split, and are not, and are again */
    uint32_t hub = it->phase % 2 == 0 ? SIDE + 5 : 3 * SIDE + 9;
    if (what < (it->phase < 2 ? 80 : 10) || it->joint_count == 0) {
        uint32_t other = draw(it, 2) == 0 ? hub : draw(it, SIDE * SIDE);
        if (draw(it, 6) == 0)
            add_pin(it, body, draw(it, 2) == 0 ? (body + 1) % (SIDE * SIDE) : draw(it, SIDE * SIDE));
        else
            add_joint(it, draw(it, 2) == 0 ? TR2_JOINT_REVOLUTE : (tr2_joint_type)draw(it, TR2_JOINT_TYPE_COUNT), body,
                      other);
        return;
    }
    uint32_t joint = pick_joint(it, it->bodies[hub]);
    if (what < 90) {
        assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[joint]));
        it->joints[joint] = it->joints[--it->joint_count];
        return;
    }
    tr2_joint_def def;
    assert_ok(it->world, tr2_joint_get(it->world, it->joints[joint], &def));
    if (!tr2_joint_type_has(def.type, TR2_FIELD_SPRING_ENABLE))
        return;
    /* a rigid spring would unwind at once whatever the bodies have turned since */
    def.spring.softness = tr_frequency(2.0f, 1.0f);
    def.spring.enable = !def.spring.enable;
    assert_ok(it->world, tr2_joint_set(it->world, it->joints[joint], &def));
}

/* of what is not about joints there is little: each such edit makes everything anew */
static void edit(zoo *it)
{
    uint32_t what = draw(it, 100), body = draw(it, SIDE * SIDE), rare = draw(it, 400);
    if (rare == 0)
        assert_ok(it->world, tr2_world_optimize(it->world));
    else if (rare == 1)
        assert_ok(it->world, tr2_body_set_type(it->world, it->bodies[body], (tr_body_type)draw(it, 3)));
    else if (rare > 370)
        /* a light one that ties heavy ones together is strained, and ceases to be */
        assert_ok(it->world, tr2_body_set_mass(it->world, it->links[body % CHAIN], draw(it, 2) == 0 ? 30.0f : 1.0f,
                                               0.4f, (tr_vec2){0.0f, 0.0f}));
    else if (rare == 2) {
        assert_ok(it->world, tr2_world_destroy_body(it->world, it->bodies[body]));
        it->bodies[body] = add_disc(it, body);
    } else
        edit_joint(it, what, body);
    /* joints go with their bodies */
    for (uint32_t i = it->joint_count; i-- > 0;) {
        if (!tr2_joint_is_valid(it->world, it->joints[i]))
            it->joints[i] = it->joints[--it->joint_count];
    }
}

/*
 * What is laid out
 */
static const tr2_span_place *place_of(const tr2_solver *solver, const tr_plan_span *span)
{
    return (const tr2_span_place *)solver->span_places.data + span->number;
}

/* the null row, and the fixed bodies behind it, lie beyond rows kept for copies, of which there may be more or fewer */
static uint32_t row_from_null(const tr2_solver *solver, int32_t number)
{
    uint32_t row = (uint32_t)(number / TR2_ROW);
    return row < solver->null_row ? row : row - solver->null_row + (1u << 30);
}

static void assert_same_rows(const tr2_solver *a, const int32_t *is, const tr2_solver *b, const int32_t *want)
{
    for (uint32_t lane = 0; lane < TR_LANES; lane++)
        assert_int_equal(row_from_null(a, is[lane]), row_from_null(b, want[lane]));
}

/* bodies, carriers, rows and flags of a block */
static void assert_same_block(const tr2_solver *a, const tr2_solver *b, const tr_plan_span *is,
                              const tr_plan_span *want, uint32_t block)
{
    const tr2_blocks *blocks = &a->blocks[is->kind], *others = &b->blocks[is->kind];
    uint32_t at = tr2_span_block(place_of(a, is), block), there = tr2_span_block(place_of(b, want), block);
    const int32_t *x = (const int32_t *)(void *)(blocks->data + at * blocks->stride);
    const int32_t *y = (const int32_t *)(void *)(others->data + there * others->stride);
    const size_t end = blocks->stride / sizeof *x;
    assert_same_rows(a, x, b, y);
    assert_same_rows(a, x + TR_LANES, b, y + TR_LANES);
    for (size_t column = 2; tr2_kernel_has_carriers(is->kind) && column > 0; column--)
        assert_same_rows(a, x + end - column * TR_LANES, b, y + end - column * TR_LANES);
    assert_memory_equal(blocks->rows + (size_t)at * TR_LANES, others->rows + (size_t)there * TR_LANES,
                        TR_LANES * sizeof(uint32_t));
    assert_int_equal(blocks->flags[at], others->flags[there]);
}

/* whether a joint of the unit has a body that the host moves, by way of the plan's edges */
static bool is_driven(const tr2_world *world, const tr_plan_layout *plan, uint32_t unit)
{
    bool driven = false;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        for (uint32_t e = 0; span->unit == unit && e < span->edge_count; e++) {
            for (uint32_t end = 0; end < tr_plan_end_count(world->plan, span->edges[e]); end++) {
                uint32_t vertex = tr_plan_end(world->plan, span->edges[e], end);
                driven = driven || world->bodies.type[world->body_pool.row[vertex]] == TR_KINEMATIC;
            }
        }
    }
    return driven;
}

static void assert_same_layout(const tr2_world *is, const tr2_world *want)
{
    const tr2_solver *a = is->solver, *b = want->solver;
    const tr_plan_layout *plan, *other;
    assert_int_equal(tr_plan_layout_get(is->plan, &plan), TR_OK);
    assert_int_equal(tr_plan_layout_get(want->plan, &other), TR_OK);
    assert_int_equal(plan->span_count, other->span_count);
    uint32_t blocks[TR_KERNEL_COUNT] = {0};
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        uint32_t count = (span->edge_count + TR_LANES - 1) / TR_LANES;
        for (uint32_t k = 0; k < count; k++)
            assert_same_block(a, b, span, &other->spans[i], k);
        blocks[span->kind] += count;
    }
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++)
        assert_true(a->blocks[k].count == blocks[k] && b->blocks[k].count == blocks[k]);
    /* nothing is left unsolved where no island is solved directly */
    const tr2_chunk *chunks = a->chunks.data;
    for (uint32_t c = 0; c < a->chunk_count; c++)
        assert_true(!chunks[c].idle || a->chosen.idles);
    assert_int_equal(a->plan_units, b->plan_units);
    for (uint32_t u = 0; u < a->plan_units; u++) {
        const tr2_unit *x = (const tr2_unit *)a->units.data + u, *y = (const tr2_unit *)b->units.data + u;
        assert_true(x->first_row == y->first_row && x->row_count == y->row_count && x->moves == y->moves);
        assert_true(x->whole == y->whole && x->driven == is_driven(is, plan, u));
    }
    assert_int_equal(a->hub_count, b->hub_count);
    assert_int_equal(a->first_copy, b->first_copy);
}

#define STEPS 300u

/* m/s and rad/s: of 160 worlds, the fastest body of any reaches 250 */
#define CALM 300.0f

static void assert_calm(const zoo *it)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        tr2_body_def body;
        assert_ok(it->world, tr2_body_get(it->world, it->bodies[i], &body));
        assert_true(hypotf(body.velocity.x, body.velocity.y) < CALM && fabsf(body.angular_velocity) < CALM);
    }
}

/* one world, or with a second one beside it that is laid out anew in every step; returns how many contacts there
   were */
static uint64_t run(uint32_t threads, bool beside, uint64_t *hashes)
{
    static zoo it, other;
    uint64_t contacts = 0;
    uint32_t split_before = 0, lone = 0, exact_before = 0, grown = 0;
    it = (zoo){.random = 6};
    other = it;
    make(&it, threads);
    if (beside)
        make(&other, threads);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t edits = step % 3 == 0 ? 0 : draw(&it, 20);
        it.phase = other.phase = step / 25 % 4;
        other.random = it.random;
        for (uint32_t i = 0; i < edits; i++) {
            edit(&it);
            if (beside)
                edit(&other);
        }
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
        hashes[step] = tr2_world_state_hash(it.world);
        assert_calm(&it);
        contacts += tr2_world_statistics(it.world).contacts;
        uint32_t split_now = tr2_world_statistics(it.world).split_bodies;
        lone += split_before == 2 && split_now == 1;
        split_before = split_now;
        uint32_t exact_now = tr2_world_statistics(it.world).exact_joints;
        grown += exact_now > exact_before;
        exact_before = exact_now;
        if (!beside)
            continue;
        tr_plan_touch(other.world->plan);
        assert_ok(other.world, tr2_world_step(other.world, DT, 2));
        assert_true(tr2_world_state_hash(other.world) == hashes[step]);
        /* unless something has fallen asleep since */
        if (it.world->solver->plan_version == tr_plan_version(it.world->plan))
            assert_same_layout(it.world, other.world);
    }
    assert_int_equal(tr2_world_statistics(it.world).nonfinite_bodies, 0);
    assert_true(contacts > STEPS && lone > 0 && grown > 10);
    tr2_world_destroy(it.world);
    if (beside)
        tr2_world_destroy(other.world);
    return contacts;
}

static void a_patched_layout_is_that_made_anew(void **state)
{
    (void)state;
    uint64_t hashes[STEPS];
    assert_true(run(2, true, hashes) > 1000);
}

/* discs that rain onto a trough: contacts come and go, and no joint keeps their units from being swept to and fro */
static tr2_world *make_heap(void)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body_def body = tr2_body_def_default();
    tr2_body id;
    body.type = TR_STATIC;
    assert_ok(world, tr2_world_create_body(world, &body, &id));
    for (int side = -1; side <= 1; side++) {
        tr2_shape_def wall = tr2_segment_on(id, (tr_vec2){side < 1 ? -6.0f : 6.0f, side == 0 ? 0.0f : 20.0f},
                                            (tr_vec2){side < 0 ? -6.0f : 6.0f, 0.0f});
        assert_ok(world, tr2_world_create_shape(world, &wall, NULL));
    }
    body.type = TR_DYNAMIC;
    for (uint32_t i = 0; i < HEAP; i++) {
        body.position = (tr_dvec2){(double)(i % 10) - 4.5 + 0.1 * (double)(i % 3), 0.6 + 1.1 * (double)(i / 10)};
        assert_ok(world, tr2_world_create_body(world, &body, &id));
        tr2_shape_def disc = weightless(tr2_circle_on(id, (tr_vec2){0.0f, 0.0f}, i % 3 == 0 ? 0.48f : 0.3f));
        assert_ok(world, tr2_world_create_shape(world, &disc, NULL));
    }
    for (int step = 0; step < 60; step++)
        assert_ok(world, tr2_world_step(world, DT, 2));
    tr_plan_set_unit_size(world->plan, 60);
    assert_ok(world, tr2_world_optimize(world));
    return world;
}

/* whoever goes over the chunks of all units must find each only once */
static void assert_spare_chunks_are_empty(const tr2_world *world)
{
    const tr2_solver *solver = world->solver;
    const tr2_chunk *chunks = solver->chunks.data;
    for (uint32_t u = 0; u < solver->plan_units; u++) {
        const tr2_unit *unit = (const tr2_unit *)solver->units.data + u;
        /* units without chunks have no room for any */
        for (uint32_t c = unit->chunk_count; unit->chunk_count > 0 && c < unit->chunk_room; c++)
            assert_int_equal(chunks[unit->first_chunk + c].count, 0);
    }
}

static void a_patched_heap_has_the_bits_of_one_made_anew(void **state)
{
    (void)state;
    tr2_world *it = make_heap(), *other = make_heap();
    for (uint32_t step = 0; step < 200; step++) {
        /* it slides to and fro, so that contacts come where there were some */
        tr_vec2 pull = {step / 40 % 2 == 0 ? 3.0f : -3.0f, -9.0f};
        assert_ok(it, tr2_world_set_gravity(it, pull));
        assert_ok(other, tr2_world_set_gravity(other, pull));
        assert_ok(it, tr2_world_step(it, DT, 2));
        tr_plan_touch(other->plan);
        assert_ok(other, tr2_world_step(other, DT, 2));
        assert_true(tr2_world_state_hash(it) == tr2_world_state_hash(other));
        assert_spare_chunks_are_empty(it);
    }
    tr_statistics statistics = tr2_world_statistics(it);
    assert_true(statistics.partial_layouts > 50 && statistics.clusters > 3 && statistics.contacts > HEAP);
    tr2_world_destroy(it);
    tr2_world_destroy(other);
}

static void edited_worlds_have_the_bits_of_the_oracle(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    assert_int_equal(tr_set_isa(TR_ISA_SCALAR), TR_OK);
    run(1, false, want);
    assert_int_equal(tr_set_isa(chosen), TR_OK);
    run(2, false, is);
    assert_memory_equal(is, want, sizeof want);
}

/*
 * How much is laid out
 */
#define UNTOUCHED 0x80u /* a bit of a block's flags that means nothing */

static uint32_t count_untouched(const tr2_solver *solver)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++)
        for (uint32_t b = 0; b < solver->block_end[k]; b++)
            count += (solver->blocks[k].flags[b] & UNTOUCHED) != 0;
    return count;
}

static uint32_t mark_untouched(tr2_solver *solver)
{
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++)
        for (uint32_t b = 0; b < solver->block_end[k]; b++)
            solver->blocks[k].flags[b] |= UNTOUCHED;
    return count_untouched(solver);
}

/* A joint that comes is in one block. One that goes leaves a hole in one, filled from another; and the last row of the
   table takes its row, whose lane is in a third. */
static void an_edit_lays_out_no_more_than_three_blocks(void **state)
{
    (void)state;
    static zoo it;
    it = (zoo){.random = 6};
    make(&it, 1);
    assert_ok(it.world, tr2_world_step(it.world, DT, 2));
    uint32_t patched = 0;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t all = mark_untouched(it.world->solver);
        uint32_t a = draw(&it, SIDE * SIDE), b = draw(&it, SIDE * SIDE);
        if (i % 2 == 0 && a != b)
            add_joint(&it, TR2_JOINT_REVOLUTE, a, b);
        else
            assert_ok(it.world, tr2_world_destroy_joint(it.world, it.joints[--it.joint_count]));
        /* without shapes, whose contacts would come and go as well */
        tr2_solver *solver = it.world->solver;
        tr2_system system = {.bodies = &it.world->bodies,
                             .body_pool = &it.world->body_pool,
                             .joints = it.world->joints,
                             .joint_pool = &it.world->joint_pool,
                             .plan = it.world->plan};
        assert_int_equal(tr2_solver_layout(solver, &system), TR_OK);
        assert_in_range(all - count_untouched(solver), 0, 3);
        patched += all - count_untouched(solver);
    }
    assert_true(patched > 100);
    tr2_world_destroy(it.world);
}

static uint32_t count_idle(const tr2_solver *solver)
{
    const tr2_chunk *chunks = solver->chunks.data;
    uint32_t idle = 0;
    for (uint32_t c = 0; c < solver->chunk_count; c++)
        idle += chunks[c].idle;
    return idle;
}

/* A chain with a heavy end is solved directly. Without that end it is swept, though no span has more blocks or fewer. */
static void joints_of_an_island_that_is_no_longer_strained_are_swept_again(void **state)
{
    (void)state;
    enum { LINKS = 31 };
    tr2_world *world;
    tr2_world_def world_def = tr2_world_def_default();
    tr2_body bodies[LINKS + 1];
    tr2_joint last = {0};
    assert_int_equal(tr2_world_create(&world_def, &world, NULL), TR_OK);
    for (uint32_t i = 0; i <= LINKS; i++) {
        tr2_body_def def = tr2_body_def_default();
        def.position.x = i;
        def.mass = i == LINKS ? 1000.0f : 1.0f;
        assert_ok(world, tr2_world_create_body(world, &def, &bodies[i]));
    }
    for (uint32_t i = 0; i < LINKS; i++) {
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        def.body_a = bodies[i];
        def.body_b = bodies[i + 1];
        def.anchor_a.x = 0.5f;
        def.anchor_b.x = -0.5f;
        assert_ok(world, tr2_world_create_joint(world, &def, &last));
    }
    assert_ok(world, tr2_world_step(world, DT, 4));
    assert_true(count_idle(world->solver) > 0);
    uint64_t layouts = tr2_solver_last(world->solver)->layouts;
    assert_ok(world, tr2_world_destroy_joint(world, last));
    assert_ok(world, tr2_world_step(world, DT, 4));
    assert_true(tr2_solver_last(world->solver)->layouts == layouts);
    assert_int_equal(world->solver->chosen.core, 0);
    assert_int_equal(count_idle(world->solver), 0);
    tr2_world_destroy(world);
}

/*
 * A unit goes through a step by itself until an edit ties it to a body that the host moves: that one moves with the
 * others, in each sub-step. The pin's error is then what a soft row leaves, under 1 mm for a body of 1 kg at 2 m/s (it
 * follows at once or not at all: the mover is 2 m away after a second).
 */
static void a_unit_that_is_tied_to_what_the_host_moves_is_visited(void **state)
{
    (void)state;
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    world_def.gravity = (tr_vec2){0.0f, 0.0f};
    assert_int_equal(tr2_world_create(&world_def, &world, NULL), TR_OK);
    tr2_body pair[2] = {make_body(world, 0.0, 0.0), make_body(world, 1.0, 0.0)}, mover;
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_KINEMATIC;
    def.velocity.x = 2.0f;
    assert_ok(world, tr2_world_create_body(world, &def, &mover));
    tr2_joint tie;
    tr2_joint_def pin = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    pin.body_a = pair[0];
    pin.body_b = pair[1];
    pin.anchor_a.x = 1.0f;
    assert_ok(world, tr2_world_create_joint(world, &pin, NULL));
    assert_ok(world, tr2_world_optimize(world));
    assert_ok(world, tr2_world_step(world, DT, 4));
    const tr2_unit *unit = world->solver->units.data;
    assert_true(world->solver->plan_units == 1 && unit->whole);
    pin.body_a = mover;
    pin.body_b = pair[0];
    pin.anchor_a.x = -2.0f * (float)DT;
    assert_ok(world, tr2_world_create_joint(world, &pin, &tie));
    for (uint32_t i = 0; i < 60; i++)
        assert_ok(world, tr2_world_step(world, DT, 4));
    unit = world->solver->units.data;
    assert_true(world->solver->plan_units == 1 && !unit->whole);
    assert_ok(world, tr2_body_get(world, pair[0], &def));
    assert_true(fabs(def.position.x - 2.0) < 1e-3);
    assert_ok(world, tr2_world_destroy_joint(world, tie));
    assert_ok(world, tr2_world_step(world, DT, 4));
    unit = world->solver->units.data;
    assert_true(world->solver->plan_units == 1 && unit->whole);
    tr2_world_destroy(world);
}

/*
 * Memory that runs out
 */
static uint64_t run_out(uint64_t failing, bool *failed)
{
    static zoo it;
    test_allocator allocator = {0};
    it = (zoo){.random = 6};
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.allocator = test_hooks(&allocator);
    assert_int_equal(tr2_world_create(&def, &it.world, NULL), TR_OK);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        it.bodies[i] = make_body(it.world, (double)(i % SIDE), (double)(i / SIDE));
    for (uint32_t i = 0; i + 1 < SIDE * SIDE; i++)
        add_joint(&it, TR2_JOINT_REVOLUTE, i, i + 1);
    assert_ok(it.world, tr2_world_step(it.world, DT, 2));
    /* more blocks than there is room for, and a body that is split */
    for (uint32_t i = 0; i < 60; i++)
        add_joint(&it, i % 2 == 0 ? TR2_JOINT_REVOLUTE : TR2_JOINT_DISTANCE, 7, 20 + 3 * i);
    test_fail_in(&allocator, failing);
    tr_status status = tr2_world_step(it.world, DT, 2);
    *failed = allocator.failures > 0;
    test_fail_in(&allocator, 0);
    assert_int_equal(status, *failed ? TR_ERROR_MEMORY : TR_OK);
    if (*failed)
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
    uint64_t hash = tr2_world_state_hash(it.world);
    tr2_world_destroy(it.world);
    assert_true(allocator.held == 0 && allocator.mismatches == 0);
    return hash;
}

static void a_step_that_finds_no_memory_after_edits_can_be_made_again(void **state)
{
    (void)state;
    bool failed;
    uint64_t undisturbed = run_out(0, &failed), failing = 1;
    for (failed = true; failed; failing++)
        assert_true(run_out(failing, &failed) == undisturbed);
    assert_true(failing > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_patched_layout_is_that_made_anew),
        cmocka_unit_test(a_patched_heap_has_the_bits_of_one_made_anew),
        cmocka_unit_test(edited_worlds_have_the_bits_of_the_oracle),
        cmocka_unit_test(an_edit_lays_out_no_more_than_three_blocks),
        cmocka_unit_test(joints_of_an_island_that_is_no_longer_strained_are_swept_again),
        cmocka_unit_test(a_unit_that_is_tied_to_what_the_host_moves_is_visited),
        cmocka_unit_test(a_step_that_finds_no_memory_after_edits_can_be_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
