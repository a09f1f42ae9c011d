/* Many contacts: a hundred thousand random sets against a plain model, and the same bits on every set and thread. */
#include "all_threads.h"
#include "contacts.h"
#include "instrumented.h"
#include "world_fixture.h"

/*
 * Random sets
 */
#define BODIES 40
#define IDS    120 /* contacts that there may be: each has its pair of bodies while these live */
#define SETS   TRIALS(100000)

typedef struct candidate {
    uint32_t a, b; /* into the bodies */
    bool given;    /* in the last set */
    uint32_t place;
} candidate;

typedef struct walk {
    tr2_world *world;
    uint64_t seed;
    tr2_body body[BODIES];
    candidate of[IDS];
    tr2_contact_def defs[IDS + 1];
    uint32_t chosen[IDS + 1];
    tr2_contact_impulse impulses[IDS], before[IDS];
    uint32_t count; /* of the last set */
    uint64_t kept;  /* impulses that were not 0 and stayed */
} walk;

static uint32_t draw(walk *it, uint32_t limit)
{
    return (uint32_t)random_between(&it->seed, 0.0, (double)limit);
}

static void new_body(walk *it, uint32_t i)
{
    tr2_body_def def = tr2_body_def_default();
    def.type = i < 3 ? TR_STATIC : i == 3 ? TR_KINEMATIC : TR_DYNAMIC;
    def.position = (tr_dvec2){0.4 * (i % 8), 0.4 * (i / 8)};
    def.mass = 1.0f + 0.25f * (float)(i % 5);
    def.inertia = 0.02f;
    MUST(tr2_world_create_body(it->world, &def, &it->body[i]));
}

/* another body in the place of one: its contacts are gone */
static void replace_body(walk *it)
{
    uint32_t i = draw(it, BODIES);
    MUST(tr2_world_destroy_body(it->world, it->body[i]));
    new_body(it, i);
    for (uint32_t k = 0; k < IDS; k++)
        if (it->of[k].a == i || it->of[k].b == i)
            it->of[k].given = false;
}

static void choose_pair(walk *it, uint32_t k)
{
    it->of[k].a = draw(it, BODIES);
    do
        it->of[k].b = draw(it, BODIES);
    while (it->of[k].b == it->of[k].a);
    it->of[k].given = false;
}

static tr2_contact_def define(walk *it, uint32_t k)
{
    tr2_contact_def def = tr2_contact_def_default();
    double angle = random_between(&it->seed, 0.0, 2.0 * PI);
    def.body_a = it->body[it->of[k].a];
    def.body_b = it->body[it->of[k].b];
    def.normal = (tr_vec2){(float)cos(angle), (float)sin(angle)};
    def.point_count = 1 + draw(it, 2);
    def.point[0] = body_now(it->world, def.body_b).position;
    def.point[1] = (tr_dvec2){def.point[0].x + 0.1, def.point[0].y};
    def.separation[0] = (float)random_between(&it->seed, -0.01, 0.02);
    def.separation[1] = (float)random_between(&it->seed, -0.01, 0.02);
    def.friction = 0.4f;
    def.restitution = draw(it, 4) == 0 ? 0.5f : 0.0f;
    def.rolling_resistance = 0.01f;
    def.id = k;
    return def;
}

/* a random part of the candidates in a random order; sometimes with one that must be refused */
static void set_some(walk *it)
{
    uint32_t percent = draw(it, 101), count = 0;
    for (uint32_t k = 0; k < IDS; k++) {
        if (draw(it, 100) >= percent)
            continue;
        if (draw(it, 200) == 0)
            choose_pair(it, k);
        uint32_t at = draw(it, count + 1);
        it->chosen[count] = it->chosen[at];
        it->chosen[at] = k;
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        it->defs[i] = define(it, it->chosen[i]);
    if (count > 0 && draw(it, 10) == 0) {
        /* the last is bad, or there twice */
        it->defs[count] = it->defs[draw(it, count)];
        tr_status want = TR_ERROR_RANGE;
        if (draw(it, 2) == 0) {
            it->defs[count].friction = -1.0f;
            want = TR_ERROR_NEGATIVE;
        }
        uint64_t hash = tr2_world_state_hash(it->world);
        assert_int_equal(tr2_world_set_contacts(it->world, it->defs, count + 1), want);
        assert_true(tr2_world_state_hash(it->world) == hash);
        assert_int_equal(tr2_world_contact_count(it->world), it->count);
        for (uint32_t k = 0; k < IDS; k++)
            it->of[k].given = false;
        it->count = 0;
        MUST(tr2_world_set_contacts(it->world, NULL, 0));
        return;
    }
    MUST(tr2_world_get_contact_impulses(it->world, 0, it->count, it->before));
    MUST(tr2_world_set_contacts(it->world, it->defs, count));
    MUST(tr2_world_get_contact_impulses(it->world, 0, count, it->impulses));
    bool given[IDS] = {false};
    for (uint32_t i = 0; i < count; i++) {
        candidate *c = &it->of[it->chosen[i]];
        float want = c->given ? it->before[c->place].normal[0] : 0.0f;
        assert_true(it->impulses[i].normal[0] == want);
        it->kept += want > 0.0f;
        c->place = i;
        given[it->chosen[i]] = true;
    }
    for (uint32_t k = 0; k < IDS; k++)
        it->of[k].given = given[k];
    it->count = count;
    assert_int_equal(tr2_world_contact_count(it->world), count);
}

/* ids keep their impulses, what is refused changes nothing, nothing crashes or is lost */
static void random_sets_keep_the_impulses_of_what_stays(void **state)
{
    (void)state;
    static walk it;
    memset(&it, 0, sizeof it);
    it.seed = 17;
    it.world = world_of(G, 60.0f);
    for (uint32_t i = 0; i < BODIES; i++)
        new_body(&it, i);
    for (uint32_t i = 4; i + 1 < BODIES; i += 3)
        (void)revolute(it.world, it.body[i], it.body[i + 1], (tr_vec2){0.2f, 0.0f}, (tr_vec2){-0.2f, 0.0f});
    for (uint32_t k = 0; k < IDS; k++)
        choose_pair(&it, k);
    for (uint32_t n = 0; n < SETS; n++) {
        set_some(&it);
        if (n % 16 == 0)
            MUST(tr2_world_step(it.world, 1.0 / 60.0, 2));
        if (n % 128 == 5)
            replace_body(&it);
        if (n % 1024 == 7)
            MUST(tr2_world_optimize(it.world));
        if (n % 256 == 0) {
            uint32_t present = 0;
            for (uint32_t k = 0; k < IDS; k++)
                present += it.of[k].given;
            assert_int_equal(tr2_world_statistics(it.world).contacts, present);
        }
    }
    assert_true(it.kept > SETS);
    assert_int_equal(tr2_world_statistics(it.world).nonfinite_bodies, 0);
    tr2_world_destroy(it.world);
}

/*
 * The same bits
 */
#define COLUMNS 50
#define LAYERS  40
#define RADIUS  0.25
#define STEPS   24

typedef struct pile {
    tr2_world *world;
    tr2_body ground, disc[COLUMNS * LAYERS];
    tr2_contact_def defs[3 * COLUMNS * LAYERS];
} pile;

static void touch(pile *it, uint32_t *count, tr2_body a, tr2_body b, tr_dvec2 from, tr_dvec2 to, double radii)
{
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    tr2_contact_def *def = &it->defs[(*count)++];
    *def = contact_between(a, b, (tr_dvec2){x / length, y / length}, 0);
    def->point[0] = (tr_dvec2){0.5 * (from.x + to.x), 0.5 * (from.y + to.y)};
    def->separation[0] = (float)(length - radii);
    def->friction = 0.4f;
    def->restitution = 0.3f;
    def->rolling_resistance = 0.01f;
}

/* neighbours in the rows that the discs were made in; those that come apart are given every third step only */
static void give(pile *it, uint32_t step)
{
    static tr_dvec2 at[COLUMNS * LAYERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < COLUMNS * LAYERS; i++)
        at[i] = body_now(it->world, it->disc[i]).position;
    for (uint32_t i = 0; i < COLUMNS * LAYERS; i++) {
        if (i < COLUMNS)
            touch(it, &count, it->ground, it->disc[i], (tr_dvec2){at[i].x, -1.0}, at[i], 1.0 + RADIUS);
        if (i % COLUMNS > 0)
            touch(it, &count, it->disc[i - 1], it->disc[i], at[i - 1], at[i], 2.0 * RADIUS);
        if (i >= COLUMNS)
            touch(it, &count, it->disc[i - COLUMNS], it->disc[i], at[i - COLUMNS], at[i], 2.0 * RADIUS);
        if (count > 0 && it->defs[count - 1].separation[0] > 0.02f && step % 3 != 0)
            count--;
    }
    MUST(tr2_world_set_contacts(it->world, it->defs, count));
}

static uint32_t run_pile(uint32_t threads, uint64_t *hashes)
{
    static pile it;
    it.world = world_on_all_threads(threads, NULL);
    it.ground = static_at(it.world, 0.0, 0.0);
    uint64_t seed = 3;
    uint32_t most = 0;
    for (uint32_t i = 0; i < COLUMNS * LAYERS; i++) {
        double x = 2.02 * RADIUS * (i % COLUMNS) + random_between(&seed, -0.01, 0.01);
        it.disc[i] = body_at(it.world, x, RADIUS + 2.02 * RADIUS * (i / COLUMNS), 0.0, 1.0, 0.03);
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        give(&it, i);
        MUST(tr2_world_step(it.world, 1.0 / 60.0, 4));
        hashes[i] = tr2_world_state_hash(it.world);
        uint32_t used = tr2_world_statistics(it.world).threads;
        most = used > most ? used : most;
    }
    tr_statistics statistics = tr2_world_statistics(it.world);
    assert_true(statistics.contacts > 2000 && statistics.nonfinite_bodies == 0);
    tr2_world_destroy(it.world);
    return most;
}

static void contacts_give_the_same_bits_on_every_set_and_thread(void **state)
{
    (void)state;
    static uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    MUST(tr_set_isa(TR_ISA_SCALAR));
    assert_int_equal(run_pile(1, want), 1);
    for (uint32_t i = 1; i < STEPS; i++)
        assert_true(want[i] != want[i - 1]);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa) || isa == TR_ISA_SCALAR)
            continue;
        MUST(tr_set_isa((tr_isa)isa));
        (void)run_pile(2, is);
        assert_memory_equal(is, want, sizeof is);
    }
    MUST(tr_set_isa(chosen));
    for (uint32_t threads = 1; threads <= 4; threads++) {
        uint32_t used = run_pile(threads, is);
        assert_true(threads_of(threads) == 1 || threads == 1 ? used == 1 : used >= 2);
        assert_memory_equal(is, want, sizeof is);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets_keep_the_impulses_of_what_stays),
        cmocka_unit_test(contacts_give_the_same_bits_on_every_set_and_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
