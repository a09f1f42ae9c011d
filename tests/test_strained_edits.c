/*
 * Edits beside islands that are solved directly because they are strained: islands are chosen anew only where an edit hangs
 * together with one of them or with a strained body, and in any case the bits are those of a world that looks at all of
 * them before each step.
 */
#include "solver/core/solver_internal.h"
#include "strained.h"
#include "world/core/world_internal.h"

static tr2_joint tie(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b)
{
    tr2_body_def at = body_now(world, b);
    return join(world, joint_between(type, a, b, local_point_of(world, a, at.position.x, at.position.y),
                                     (tr_vec2){0.0f, 0.0f}));
}

static uint64_t searches_of(const tr2_world *world)
{
    return world->solver->chosen.searches;
}

/* the world that was edited as it is, and the other likewise, of which all is looked at again: both step to the same
   state */
static void step_alike(tr2_world *world, tr2_world *other)
{
    steps(world, 1.0 / 60.0, 2, 1);
    tr_plan_touch(other->plan);
    steps(other, 1.0 / 60.0, 2, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, tr2_world_statistics(other).exact_joints);
    assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(other));
}

/*
 * Pairs of loose bodies are tied, first of all joints, and untied; then come three hung chains with balls, so that a
 * pair's joint that goes has a chain's put into its row.
 */
enum { PAIRS = 100, CHAINS = 3, LINKS = 6 };

typedef struct park {
    tr2_world *world;
    tr2_body loose[2 * PAIRS], ball[CHAINS];
    tr2_joint pair[PAIRS];
} park;

static park make_park(void)
{
    park p = {.world = strained_world(10.0, TR_SOFT_STEP, 10.0f)};
    for (uint32_t i = 0; i < 2 * PAIRS; i++)
        p.loose[i] = body_at(p.world, 100.0 + 1.5 * i, 0.0, 0.0, 1.0, 0.1);
    for (uint32_t i = 0; i < PAIRS; i++)
        p.pair[i] = tie(p.world, TR2_JOINT_REVOLUTE, p.loose[2 * i], p.loose[2 * i + 1]);
    for (uint32_t c = 0; c < CHAINS; c++) {
        tr2_body above = static_at(p.world, 5.0 * c, 0.0);
        for (uint32_t i = 1; i <= LINKS; i++) {
            p.ball[c] = body_at(p.world, 5.0 * c + i, 0.0, 0.0, i == LINKS ? 100.0 : 1.0, i == LINKS ? 10.0 : 0.1);
            tie(p.world, TR2_JOINT_REVOLUTE, above, p.ball[c]);
            above = p.ball[c];
        }
    }
    return p;
}

/* unties or ties a pair; or, every eighth time, ties a loose body to a ball. Returns whether that is one of an island. */
static bool edit_park(park *p, uint32_t round)
{
    uint32_t i = round / 2 % PAIRS;
    if (round % 8 == 7) {
        tie(p->world, TR2_JOINT_REVOLUTE, p->ball[round / 8 % CHAINS], p->loose[2 * PAIRS - 1 - round / 8 * 2]);
        return true;
    }
    if (round % 2 == 0)
        MUST(tr2_world_destroy_joint(p->world, p->pair[i]));
    else
        p->pair[i] = tie(p->world, TR2_JOINT_REVOLUTE, p->loose[2 * i], p->loose[2 * i + 1]);
    return false;
}

static void an_edit_beside_islands_leaves_them_as_they_are(void **state)
{
    (void)state;
    park it = make_park(), other = make_park();
    uint32_t kept = 0, sought = 0;
    for (uint32_t round = 0; round < 64; round++) {
        step_alike(it.world, other.world);
        uint64_t layouts = tr2_world_statistics(it.world).full_layouts;
        uint64_t searches = searches_of(it.world);
        bool of_island = edit_park(&it, round);
        (void)edit_park(&other, round);
        step_alike(it.world, other.world);
        /* unless a full plan has come in between: then all bodies have other rows */
        if (tr2_world_statistics(it.world).full_layouts == layouts) {
            assert_int_equal(searches_of(it.world) != searches, of_island);
            kept += !of_island;
            sought += of_island;
        }
        assert_true(tr2_world_statistics(it.world).exact_joints >= CHAINS * LINKS);
    }
    assert_true(kept > 40 && sought > 4);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

/*
 * first - heavy are pinned, which strains first; a triangle of welds hangs on first, of which one side comes and goes far
 * from there.
 */
typedef struct loop {
    tr2_world *world;
    tr2_body near, left, right;
    tr2_joint across;
} loop;

static loop make_loop(void)
{
    loop l = {.world = strained_world(10.0, TR_SOFT_STEP, 10.0f)};
    tr2_body first = body_at(l.world, 0, 0, 0, 1, 0.1), heavy = body_at(l.world, 2, 0, 0, 1000, 100);
    tr2_body leaf = body_at(l.world, 0, 1, 0, 1, 0.1);
    l.near = body_at(l.world, -1, 0, 0, 1, 0.1);
    l.left = body_at(l.world, -2, 1, 0, 1, 0.1);
    l.right = body_at(l.world, -2, -1, 0, 1, 0.1);
    tie(l.world, TR2_JOINT_REVOLUTE, first, heavy);
    tie(l.world, TR2_JOINT_REVOLUTE, first, leaf);
    tie(l.world, TR2_JOINT_WELD, first, l.near);
    tie(l.world, TR2_JOINT_WELD, l.near, l.left);
    tie(l.world, TR2_JOINT_WELD, l.near, l.right);
    l.across = tie(l.world, TR2_JOINT_WELD, l.left, l.right);
    /* so many others that one edit makes no full plan */
    for (int i = 0; i < PAIRS; i++) {
        tr2_body a = body_at(l.world, 10.0 + 3.0 * i, 0.0, 0.0, 1.0, 0.1);
        tie(l.world, TR2_JOINT_REVOLUTE, a, body_at(l.world, 11.0 + 3.0 * i, 0.0, 0.0, 1.0, 0.1));
    }
    return l;
}

static void a_joint_far_from_what_is_strained_is_of_its_island(void **state)
{
    (void)state;
    loop it = make_loop(), other = make_loop();
    step_alike(it.world, other.world);
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 6);
    MUST(tr2_world_destroy_joint(it.world, it.across));
    MUST(tr2_world_destroy_joint(other.world, other.across));
    step_alike(it.world, other.world);
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 5);
    (void)tie(it.world, TR2_JOINT_WELD, it.left, it.right);
    (void)tie(other.world, TR2_JOINT_WELD, other.left, other.right);
    step_alike(it.world, other.world);
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 6);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

/*
 * A crowd on a lattice, every eighth body heavy, every twentieth standing. Joints of three kinds between near ones come
 * and go at random, so that there are always some hundred islands, with loops, and hubs in loops; masses change, too.
 */
enum { WIDE = 20, CROWD = WIDE * WIDE, TIES = 400, ROUNDS = 150 };

typedef struct crowd {
    tr2_world *world;
    tr2_body body[CROWD];
    tr2_joint tie[TIES];
    bool is_tied[TIES];
} crowd;

static crowd *make_crowd(void)
{
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->world = strained_world(0.0, TR_SOFT_STEP, 10.0f);
    for (uint32_t i = 0; i < CROWD; i++) {
        double x = 2.0 * (i % WIDE), y = 2.0 * (i / WIDE), mass = i % 8 == 3 ? 50.0 : 1.0;
        c->body[i] = i % 20 == 7 ? static_at(c->world, x, y) : body_at(c->world, x, y, 0.0, mass, 0.1 * mass);
    }
    return c;
}

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* one of the bodies around another, or itself */
static uint32_t neighbour_of(uint32_t *seed, uint32_t i)
{
    uint32_t x = i % WIDE + draw(seed, 3), y = i / WIDE + draw(seed, 3);
    x = x < 1 ? 0 : x > WIDE ? WIDE - 1 : x - 1;
    y = y < 1 ? 0 : y > WIDE ? WIDE - 1 : y - 1;
    return y * WIDE + x;
}

/* some numbers are hubs' */
static void edit_crowd(crowd *c, uint32_t *seed)
{
    static const tr2_joint_type types[] = {TR2_JOINT_REVOLUTE, TR2_JOINT_REVOLUTE, TR2_JOINT_WELD, TR2_JOINT_PRISMATIC};
    uint32_t t = draw(seed, TIES), a = draw(seed, 3) == 0 ? 211 * (1 + draw(seed, 2)) % CROWD : draw(seed, CROWD);
    uint32_t b = neighbour_of(seed, a), type = draw(seed, 4), what = draw(seed, 16);
    if (what == 0) {
        MUST(tr2_body_set_mass(c->world, c->body[CROWD - 1], 1.0f + (float)(t % 3) * 20.0f, 0.5f,
                               (tr_vec2){0.0f, 0.0f}));
    } else if (c->is_tied[t]) {
        MUST(tr2_world_destroy_joint(c->world, c->tie[t]));
        c->is_tied[t] = false;
    } else if (a != b && (a % 20 != 7 || b % 20 != 7)) {
        c->tie[t] = tie(c->world, types[type], c->body[a], c->body[b]);
        c->is_tied[t] = true;
    }
}

static void random_edits_find_what_a_search_of_everything_finds(void **state)
{
    (void)state;
    crowd *it = make_crowd(), *other = make_crowd();
    uint32_t seeds[2] = {1, 1}, kept = 0, sought = 0;
    for (uint32_t i = 0; i < TIES; i++) {
        edit_crowd(it, &seeds[0]);
        edit_crowd(other, &seeds[1]);
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint64_t searches = searches_of(it->world);
        const uint32_t edits = 1 + round % 2;
        for (uint32_t i = 0; i < edits; i++) {
            edit_crowd(it, &seeds[0]);
            edit_crowd(other, &seeds[1]);
        }
        step_alike(it->world, other->world);
        kept += searches_of(it->world) == searches;
        sought += searches_of(it->world) != searches;
    }
    assert_true(tr2_world_statistics(it->world).exact_joints > 20);
    assert_true(kept > 20 && sought > 20);
    tr2_world_destroy(it->world);
    tr2_world_destroy(other->world);
    free(it);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_beside_islands_leaves_them_as_they_are),
        cmocka_unit_test(a_joint_far_from_what_is_strained_is_of_its_island),
        cmocka_unit_test(random_edits_find_what_a_search_of_everything_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
