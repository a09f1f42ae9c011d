/*
 * Which islands the direct method takes, and what joins them for a step, depends on what there is and not on the order in
 * which bodies and joints were made: each scene is made 20 times, in orders that are shuffled.
 */
#include "physics.h"
#include "solver/core/solver_internal.h"
#include "world/core/world_internal.h"

enum { BODIES_MOST = 3700, JOINTS_MOST = 7200, ORDERS = 20 };

typedef struct planned_joint {
    uint32_t a, b; /* b: NOTHING for the world */
    double x, y;
} planned_joint;

/* bodies and joints before they are made in some order */
typedef struct scene {
    uint32_t count, joint_count;
    struct {
        double x, y, mass, radius; /* radius 0: it has no shape */
    } body[BODIES_MOST];
    planned_joint joint[JOINTS_MOST];
} scene;

static scene plan;

static uint32_t add(double x, double y, double mass, double radius)
{
    assert_true(plan.count < BODIES_MOST);
    plan.body[plan.count].x = x;
    plan.body[plan.count].y = y;
    plan.body[plan.count].mass = mass;
    plan.body[plan.count].radius = radius;
    return plan.count++;
}

static void pin(uint32_t a, uint32_t b)
{
    assert_true(plan.joint_count < JOINTS_MOST);
    plan.joint[plan.joint_count++] =
        (planned_joint){a, b, 0.5 * (plan.body[a].x + plan.body[b].x), 0.5 * (plan.body[a].y + plan.body[b].y)};
}

/* bodies of 1 kg in a row from (x, y) to the right, each pinned to the one before, the first to `before` */
static uint32_t add_chain(uint32_t before, double x, double y, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t link = add(x + i, y, 1.0, 0.0);
        pin(before, link);
        before = link;
    }
    return before;
}

/* bodies of 1 kg in a square, each pinned to those beside it; returns its last corner, the first is the first body */
static uint32_t add_lattice(uint32_t side)
{
    const uint32_t first = plan.count;
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t body = add(i % side, i / side, 1.0, 0.0);
        if (i % side > 0)
            pin(body - 1, body);
        if (i >= side)
            pin(body - side, body);
    }
    return first + side * side - 1;
}

static void shuffle(uint64_t *seed, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t other = (uint32_t)random_between(seed, 0.0, i + 1.0), was = order[i];
        order[i] = order[other];
        order[other] = was;
    }
}

/* Makes the scene, in the order of a seed, steps it once and says of each body whether it was solved directly; in all. */
static uint32_t choose(uint64_t seed, bool solved[BODIES_MOST])
{
    static uint32_t order[JOINTS_MOST];
    static tr2_body made[BODIES_MOST];
    tr2_world *world = world_of(0.0, 60.0f);
    uint32_t count = 0;
    shuffle(&seed, order, plan.count);
    for (uint32_t i = 0; i < plan.count; i++) {
        const uint32_t k = order[i];
        made[k] = body_at(world, plan.body[k].x, plan.body[k].y, 0.0, plan.body[k].mass, plan.body[k].mass);
        tr2_shape_def disc = tr2_circle_on(made[k], (tr_vec2){0.0f, 0.0f}, (float)plan.body[k].radius);
        disc.density = 0.0f;
        if (plan.body[k].radius > 0.0)
            MUST(tr2_world_create_shape(world, &disc, NULL));
    }
    shuffle(&seed, order, plan.joint_count);
    for (uint32_t i = 0; i < plan.joint_count; i++) {
        const planned_joint *joint = &plan.joint[order[i]];
        (void)revolute(world, made[joint->a], made[joint->b], local_point_of(world, made[joint->a], joint->x, joint->y),
                       local_point_of(world, made[joint->b], joint->x, joint->y));
    }
    steps(world, 1.0 / 60.0, 1, 1);
    const trn_chosen *chosen = &world->solver->chosen;
    for (uint32_t k = 0; k < plan.count; k++) {
        const uint32_t vertex = made[k].index - 1;
        solved[k] =
            vertex < chosen->mark_capacity && (chosen->marks[vertex] & (TR_CHOSEN_CORE | TR_CHOSEN_TOUCHING)) != 0;
        count += solved[k] ? 1u : 0u;
    }
    tr2_world_destroy(world);
    return count;
}

static void choose_always(const char *what, uint32_t wanted)
{
    static bool first[BODIES_MOST], other[BODIES_MOST];
    for (uint64_t seed = 1; seed <= TRIALS(ORDERS); seed++) {
        const uint32_t count = choose(seed, seed == 1 ? first : other);
        if (count != wanted)
            fail_msg("%s, order %u: %u bodies are solved directly, not %u", what, (uint32_t)seed, count, wanted);
        for (uint32_t k = 0; k < plan.count && seed > 1; k++)
            if (first[k] != other[k])
                fail_msg("%s, order %u: body %u is solved in another way", what, (uint32_t)seed, k);
    }
    plan.count = plan.joint_count = 0;
}

/* A square of 18 x 18 is too much work by itself, and not for a long chain of which it is a part, wherever the search begins:
   loads strain both ends. */
static void an_island_is_chosen_as_a_whole(void **state)
{
    (void)state;
    uint32_t corner = add_lattice(18);
    pin(0, add(-1.0, 0.0, 1000.0, 0.0));
    choose_always("a square", 0);
    /* seen from a part of it */
    (void)add_lattice(60);
    pin(0, add(-1.0, 0.0, 1000.0, 0.0));
    choose_always("a great square", 0);
    corner = add_lattice(18);
    pin(0, add(-1.0, 0.0, 1000.0, 0.0));
    const uint32_t last = add_chain(corner, 18.0, 17.0, 1400);
    pin(last, add(1418.0, 17.0, 1000.0, 0.0));
    choose_always("a square on a chain", 324 + 1400 + 2);
}

/* three bodies on pins, the first so heavy that it strains the second, the last with a disc of 0.1 m at (x, y) */
static void add_machine(double x, double y)
{
    const uint32_t heavy = add(x - 1.0, y, 1000.0, 0.0), link = add(x - 0.5, y, 1.0, 0.0), end = add(x, y, 1.0, 0.1);
    pin(heavy, link);
    pin(link, end);
}

/* Machines at a row of discs: all that hangs together is solved directly, or each machine by itself. All but one of the
   machines count, too. */
static void what_touches_joins_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        uint32_t machines, discs, wanted;
    } cases[] = {{1, TR_CHOSEN_TOUCHES, TR_CHOSEN_TOUCHES + 3},     {1, TR_CHOSEN_TOUCHES + 1, 3},
                 {2, TR_CHOSEN_TOUCHES - 3, TR_CHOSEN_TOUCHES + 3}, {2, TR_CHOSEN_TOUCHES - 2, 6},
                 {4, TR_CHOSEN_TOUCHES - 9, TR_CHOSEN_TOUCHES + 3}, {4, TR_CHOSEN_TOUCHES - 8, 12}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        /* one before the row, others below it */
        for (uint32_t i = 0; i < cases[k].machines; i++)
            add_machine(0.199 * i, i == 0 ? 0.0 : -0.199);
        for (uint32_t i = 0; i < cases[k].discs; i++)
            (void)add(0.199 * (i + 1), 0.0, 1.0, 0.1);
        char what[40];
        (void)snprintf(what, sizeof what, "%u machines, %u discs", cases[k].machines, cases[k].discs);
        choose_always(what, cases[k].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_island_is_chosen_as_a_whole),
        cmocka_unit_test(what_touches_joins_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
