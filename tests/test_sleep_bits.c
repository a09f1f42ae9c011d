/* Sleep changes no bit that it should not: by threads, sets, patches, plans, snapshots, or memory that runs out. In the
   plane. */
#include "all_threads.h"
#include "allocator.h"
#include "sleep_world.h"
#include "world/collision/collision_internal.h"

/*
 * The same bits: balls rain on heaps of boxes that sleep in between
 */
enum { HEAPS = 12, RAIN_STEPS = 900 };

typedef struct rain {
    tr2_world *world;
    uint64_t random;
    tr2_body balls[64];
    uint32_t ball_count;
    uint32_t slept, woken; /* events */
} rain;

static rain make_rain(uint32_t threads)
{
    rain it = {.random = 7};
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = true;
    def.threads = threads;
    MUST(tr2_world_create(&def, &it.world, NULL));
    if (threads > 1)
        step_on_all_threads(it.world);
    tr2_body floor = body_of(it.world, TR_STATIC, 0.0, -0.5);
    (void)shape_on(it.world, tr2_box_on(floor, 200.0f, 0.5f));
    for (int heap = 0; heap < HEAPS; heap++) {
        for (int row = 0; row < 5; row++) {
            for (int i = 0; i < 5 - row; i++)
                (void)box_at(it.world, 8.0 * heap + i + 0.5 * row, 0.5 + row);
        }
        /* a chain that hangs over it */
        tr2_body above = body_of(it.world, TR_STATIC, 8.0 * heap + 6.0, 6.0);
        for (int i = 0; i < 4; i++) {
            tr2_body link = body_of(it.world, TR_DYNAMIC, 8.0 * heap + 6.0, 5.75 - 0.5 * i);
            (void)shape_on(it.world, tr2_box_on(link, 0.1f, 0.25f));
            (void)join_at(it.world, TR2_JOINT_REVOLUTE, above, link, 8.0 * heap + 6.0, 6.0 - 0.5 * i);
            above = link;
        }
    }
    return it;
}

static void rain_on(rain *it, uint32_t step)
{
    if (step % 45 == 0 && it->ball_count < 64) {
        random_step(&it->random);
        double x = (double)(it->random >> 40) / (double)(1 << 24) * 8.0 * HEAPS;
        tr2_body ball = body_of(it->world, TR_DYNAMIC, x, 9.0);
        (void)shape_on(it->world, tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.4f));
        it->balls[it->ball_count++] = ball;
    }
    if (step % 200 == 199 && it->ball_count > 1)
        MUST(tr2_world_destroy_body(it->world, it->balls[--it->ball_count]));
    if (step % 150 == 149)
        MUST(tr2_body_apply_impulse_to_center(it->world, it->balls[0], (tr_vec2){3.0f, 3.0f}));
    steps(it->world, DT, 4, 1);
    tr2_sleep_event_view events = tr2_world_sleep_events(it->world);
    for (uint32_t i = 0; i < events.count; i++) {
        it->slept += events.event[i].asleep;
        it->woken += !events.event[i].asleep;
    }
}

static void run_rain(uint32_t threads, uint64_t *hashes)
{
    rain it = make_rain(threads);
    for (uint32_t i = 0; i < RAIN_STEPS; i++) {
        rain_on(&it, i);
        hashes[i] = tr2_world_state_hash(it.world);
    }
    /* it is what it should be: islands sleep and wake again */
    assert_true(it.woken > 50 && it.slept > it.woken);
    tr2_world_destroy(it.world);
}

static void every_number_of_threads_and_every_set_gives_the_same_bits(void **state)
{
    (void)state;
    static uint64_t want[RAIN_STEPS], is[RAIN_STEPS];
    tr_isa chosen = tr_get_isa();
    run_rain(1, want);
    for (uint32_t threads = 2; threads <= 8; threads *= 2) {
        run_rain(threads, is);
        assert_memory_equal(is, want, sizeof want);
    }
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa) || (tr_isa)isa == chosen)
            continue;
        MUST(tr_set_isa((tr_isa)isa));
        run_rain(1, is);
        MUST(tr_set_isa(chosen));
        assert_memory_equal(is, want, sizeof want);
    }
}

/* what is patched when islands sleep and wake gives the bits of a layout that is made afresh in every step */
static void patches_give_the_bits_of_a_fresh_layout(void **state)
{
    (void)state;
    rain it = make_rain(1), other = make_rain(1);
    for (uint32_t i = 0; i < RAIN_STEPS; i++) {
        tr_plan_touch(other.world->plan);
        rain_on(&it, i);
        rain_on(&other, i);
        if (tr2_world_state_hash(it.world) != tr2_world_state_hash(other.world))
            fail_msg("another state after step %u", i + 1);
    }
    tr_statistics patched = tr2_world_statistics(it.world), afresh = tr2_world_statistics(other.world);
    assert_true(patched.full_layouts < afresh.full_layouts / 2);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

/*
 * A fresh plan orders the rows of what is awake. The rows of what sleeps, which may be very many, stay where they are but
 * for those in whose place the others come.
 */
static void a_fresh_plan_leaves_the_rows_of_what_sleeps(void **state)
{
    (void)state;
    enum { SLEEP = 200, AWAKE = 12, PLANS = 5 };
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.sleep.enable = true;
    MUST(tr2_world_create(&def, &world, NULL));
    (void)shape_on(world, tr2_box_on(body_of(world, TR_STATIC, 0.0, -0.5), 600.0f, 0.5f));
    for (int i = 0; i < SLEEP; i++)
        (void)box_at(world, 2.0 * (i / 4), 0.5 + i % 4);
    steps(world, DT, 4, 120);
    assert_int_equal(sleepers(world), SLEEP);
    /* these have the last rows, until a plan gives them the first ones */
    for (int i = 0; i < AWAKE; i++)
        MUST(tr2_body_set_allow_sleep(world, box_at(world, -10.0 - 2.0 * (i / 2), 0.5 + i % 2), false));
    for (int plan = 0; plan < PLANS; plan++) {
        const tr2_joints *contacts = &world->joints[TR_CONTACT];
        steps(world, DT, 4, 1);
        uint32_t bodies = world->bodies.table.count, rows = contacts->table.count, moved = 0, moved_contacts = 0;
        uint32_t *body_rows = calloc(bodies, sizeof *body_rows), *contact_rows = calloc(rows, sizeof *contact_rows);
        assert_true(body_rows != NULL && contact_rows != NULL);
        memcpy(body_rows, world->bodies.slot, bodies * sizeof *body_rows);
        memcpy(contact_rows, contacts->slot, rows * sizeof *contact_rows);
        MUST(tr2_world_optimize(world));
        assert_int_equal(world->bodies.table.count, bodies);
        assert_int_equal(contacts->table.count, rows);
        for (uint32_t row = 0; row < bodies; row++)
            moved += world->bodies.slot[row] != body_rows[row];
        for (uint32_t row = 0; row < rows; row++)
            moved_contacts += contacts->slot[row] != contact_rows[row];
        /* each of those awake takes the row of one that sleeps, at most */
        assert_in_range(moved, 0, 2 * (AWAKE + 2));
        assert_in_range(moved_contacts, 0, 4 * AWAKE);
        for (uint32_t row = 0; row < bodies; row++)
            assert_int_equal(world->body_pool.row[world->bodies.slot[row]], row);
        for (uint32_t row = 0; row < rows; row++)
            assert_int_equal(world->joint_pool.row[contacts->slot[row]], row);
        free(body_rows);
        free(contact_rows);
        /* another box, whose contact comes last */
        MUST(tr2_body_set_allow_sleep(world, box_at(world, -100.0 - 2.0 * plan, 0.5), false));
    }
    tr2_world_destroy(world);
}

static void a_restored_world_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    rain it = make_rain(1);
    void *bytes = NULL;
    for (uint32_t i = 0; i < RAIN_STEPS; i++) {
        rain_on(&it, i);
        if (i % 60 != 7)
            continue;
        size_t size = tr2_world_save_size(it.world);
        bytes = realloc(bytes, size);
        assert_non_null(bytes);
        MUST(tr2_world_save(it.world, bytes, size, &size));
        rain other = it;
        tr2_world_def def = tr2_world_def_default();
        MUST(tr2_world_create(&def, &other.world, NULL));
        if (tr2_world_restore(other.world, bytes, size) != TR_OK)
            fail_msg("step %u: %s", i, tr2_world_last_error(other.world)->message);
        rain same = it;
        /* and this one goes back to where it was */
        uint64_t hashes[90];
        for (uint32_t k = 0; k < 90; k++) {
            rain_on(&other, i + 1 + k);
            hashes[k] = tr2_world_state_hash(other.world);
        }
        for (uint32_t k = 0; k < 90; k++) {
            rain_on(&same, i + 1 + k);
            if (tr2_world_state_hash(same.world) != hashes[k])
                fail_msg("restored after step %u: another state %u steps later", i, k + 1);
        }
        MUST(tr2_world_restore(it.world, bytes, size));
        tr2_world_destroy(other.world);
    }
    free(bytes);
    tr2_world_destroy(it.world);
}

/*
 * Memory that runs out: what is refused is called again, and the end is the same
 */
static uint64_t run_scarce(test_allocator *allocator, uint64_t fail_at, uint32_t *refused)
{
    rest it;
    tr2_world_def def = tr2_world_def_default();
    *allocator = (test_allocator){.fail_at = fail_at};
    def.sleep.enable = true;
    def.threads = 1;
    def.tag = 9;
    def.allocator = test_hooks(allocator);
    *refused = 0;
#define AGAIN(call)                                                                                                    \
    do {                                                                                                               \
        tr_status status_ = (call);                                                                                    \
        while (status_ == TR_ERROR_MEMORY) {                                                                           \
            ++*refused;                                                                                                \
            status_ = (call);                                                                                          \
        }                                                                                                              \
        MUST(status_);                                                                                                 \
    } while (0)
    AGAIN(tr2_world_create(&def, &it.world, NULL));
    tr2_body boxes[12];
    for (uint32_t i = 0; i < 12; i++) {
        tr2_body_def body = tr2_body_def_default();
        body.type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        body.position = (tr_dvec2){i == 0 ? 0.0 : 2.0 * ((i - 1) / 3), i == 0 ? -0.5 : 0.5 + (i - 1) % 3};
        AGAIN(tr2_world_create_body(it.world, &body, &boxes[i]));
        tr2_shape_def shape = tr2_box_on(boxes[i], i == 0 ? 50.0f : 0.5f, 0.5f);
        AGAIN(tr2_world_create_shape(it.world, &shape, NULL));
    }
    for (uint32_t i = 0; i < 150; i++) {
        if (i == 60)
            AGAIN(tr2_body_apply_impulse_to_center(it.world, boxes[3], (tr_vec2){2.0f, 0.0f}));
        if (i == 70) {
            tr2_body_def body = tr2_body_def_default();
            body.position = (tr_dvec2){4.0, 5.0};
            AGAIN(tr2_world_create_body(it.world, &body, &it.rider));
            tr2_shape_def shape = tr2_circle_on(it.rider, (tr_vec2){0.0f, 0.0f}, 0.3f);
            AGAIN(tr2_world_create_shape(it.world, &shape, NULL));
        }
        if (i == 100)
            AGAIN(tr2_body_set_awake(it.world, boxes[5], false));
        if (i == 110)
            AGAIN(tr2_world_optimize(it.world));
        if (i == 120)
            AGAIN(tr2_body_set_type(it.world, boxes[10], TR_STATIC));
        AGAIN(tr2_world_step(it.world, DT, 4));
    }
#undef AGAIN
    uint64_t hash = tr2_world_state_hash(it.world);
    tr2_world_destroy(it.world);
    assert_int_equal(allocator->held, 0);
    assert_int_equal(allocator->mismatches, 0);
    return hash;
}

static void what_is_refused_for_memory_can_be_called_again(void **state)
{
    (void)state;
    test_allocator allocator;
    uint32_t refused, any = 0;
    uint64_t want = run_scarce(&allocator, 0, &refused), calls = allocator.calls;
    assert_int_equal(refused, 0);
    for (uint64_t n = 1; n <= calls; n++) {
        if (run_scarce(&allocator, n, &refused) != want)
            fail_msg("another end when allocation %u of %u fails", (unsigned)n, (unsigned)calls);
        any += refused;
    }
    assert_true(any > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_and_every_set_gives_the_same_bits),
        cmocka_unit_test(patches_give_the_bits_of_a_fresh_layout),
        cmocka_unit_test(a_fresh_plan_leaves_the_rows_of_what_sleeps),
        cmocka_unit_test(a_restored_world_goes_on_with_the_same_bits),
        cmocka_unit_test(what_is_refused_for_memory_can_be_called_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
