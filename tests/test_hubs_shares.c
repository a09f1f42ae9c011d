/*
 * The masses of split bodies are distributed over their copies again only if something has changed that they depend on.
 * Whatever is edited, they must be what they would be if they were computed in every step.
 */
#include "instrumented.h"
#include "random.h"
#include "solver/core/solver_internal.h"
#include "world/core/world_internal.h"
#include "world_fixture.h"

#define DT     (1.0 / 60.0)
#define SPOKES 120u
#define HUBS   2u
#define MOST   400u

/* two hubs, spokes around both, and a body that carries gears */
typedef struct wheel {
    tr2_world *world;
    tr2_body ground, hubs[HUBS], spokes[SPOKES];
    tr2_joint joints[MOST];
    uint32_t joint_count;
    uint64_t random;
} wheel;

static uint32_t draw(wheel *it, uint32_t below)
{
    return random_index(&it->random, below);
}

static float number(wheel *it, float least, float most)
{
    return least + (most - least) * (float)draw(it, 1000) / 1000.0f;
}

static tr2_body add_body(const wheel *it, tr_body_type type, double x, double y, float mass)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.mass = mass;
    def.inertia = 0.1f * mass;
    def.linear_damping = def.angular_damping = 0.5f;
    assert_ok(it->world, tr2_world_create_body(it->world, &def, &id));
    return id;
}

static tr2_body add_spoke(const wheel *it, uint32_t i)
{
    double angle = 6.283185307179586 * i / SPOKES;
    return add_body(it, TR_DYNAMIC, 2.0 * cos(angle), 2.0 * sin(angle), 0.5f);
}

/* of any type between a spoke and a hub, where the spoke stands; rigid ones with features are burdens */
static void add_joint(wheel *it, tr2_joint_type type)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    uint32_t spoke = draw(it, SPOKES);
    double angle = 6.283185307179586 * spoke / SPOKES;
    if (it->joint_count == MOST)
        return;
    def.body_a = it->hubs[draw(it, HUBS)];
    def.body_b = it->spokes[spoke];
    if (tr2_joint_type_has(type, TR2_FIELD_ANCHOR_A_X))
        def.anchor_a = (tr_vec2){(float)(2.0 * cos(angle)), (float)(2.0 * sin(angle))};
    if (type == TR2_JOINT_DISTANCE) {
        def.anchor_a = (tr_vec2){0.0f, 0.0f};
        def.length = 2.0f;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_SPRING_ENABLE) && draw(it, 2) == 0) {
        def.spring.enable = true;
        def.spring.softness = tr_frequency(1.0f, 1.0f);
    }
    assert_ok(it->world, tr2_world_create_joint(it->world, &def, &it->joints[it->joint_count++]));
}

static void make(wheel *it)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    *it = (wheel){.random = 3};
    def.threads = 1;
    def.gravity = (tr_vec2){0.0f, 0.0f};
    assert_int_equal(tr2_world_create(&def, &it->world, NULL), TR_OK);
    it->ground = add_body(it, TR_STATIC, 0.0, 0.0, 1.0f);
    for (uint32_t i = 0; i < HUBS; i++) {
        it->hubs[i] = add_body(it, TR_DYNAMIC, 0.0, 0.0, 100.0f);
        (void)make_joint(it->world, TR2_JOINT_REVOLUTE, it->ground, it->hubs[i]);
    }
    for (uint32_t i = 0; i < SPOKES; i++)
        it->spokes[i] = add_spoke(it, i);
    for (uint32_t i = 0; i < 2 * SPOKES; i++)
        add_joint(it, draw(it, 3) == 0 ? TR2_JOINT_PRISMATIC : draw(it, 2) == 0 ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE);
    assert_ok(it->world, tr2_world_step(it->world, DT, 2));
}

static void edit_body(wheel *it)
{
    tr2_body id = draw(it, 10) == 0 ? it->hubs[draw(it, HUBS)] : it->spokes[draw(it, SPOKES)];
    tr2_body_def def;
    assert_ok(it->world, tr2_body_get(it->world, id, &def));
    switch (draw(it, 6)) {
    case 0:
        assert_ok(it->world,
                  tr2_body_set_mass(it->world, id, def.mass * number(it, 0.8f, 1.2f), def.inertia,
                                    draw(it, 2) == 0 ? def.center : (tr_vec2){number(it, 0.0f, 0.1f), 0.0f}));
        return;
    case 1:
        assert_ok(it->world, tr2_body_set_fixed_rotation(it->world, id, draw(it, 2) == 0));
        return;
    case 2:
        def.inertia *= number(it, 0.8f, 1.2f);
        assert_ok(it->world, tr2_body_set(it->world, id, &def));
        return;
    case 3:
        assert_ok(it->world, tr2_body_set_enabled(it->world, id, draw(it, 2) == 0));
        return;
    case 4:
        assert_ok(it->world, tr2_body_set_type(it->world, id, draw(it, 4) == 0 ? TR_KINEMATIC : TR_DYNAMIC));
        return;
    default:;
        tr2_shape_def disc = tr2_circle_on(id, (tr_vec2){0.0f, 0.0f}, number(it, 0.1f, 0.2f));
        disc.density = 10.0f;
        assert_ok(it->world, tr2_world_create_shape(it->world, &disc, NULL));
    }
}

static void edit_joint(wheel *it)
{
    tr2_joint id = it->joints[draw(it, it->joint_count)];
    tr2_joint_def def;
    assert_ok(it->world, tr2_joint_get(it->world, id, &def));
    switch (draw(it, 4)) {
    case 0:
        assert_ok(it->world, tr2_joint_set_enabled(it->world, id, !def.enabled));
        return;
    case 1:
        def.anchor_a.x += tr2_joint_type_has(def.type, TR2_FIELD_ANCHOR_A_X) ? number(it, 0.0f, 0.01f) : 0.0f;
        break;
    case 2:
        if (tr2_joint_type_has(def.type, TR2_FIELD_LINEAR_KIND))
            def.linear =
                def.linear.kind == TR_RIGID ? tr_frequency(2.0f, 1.0f) : tr2_joint_def_default(def.type).linear;
        break;
    default:
        def.spring.enable = tr2_joint_type_has(def.type, TR2_FIELD_SPRING_ENABLE) && !def.spring.enable;
        def.spring.softness = def.spring.enable ? tr_frequency(1.0f, 1.0f) : def.spring.softness;
    }
    assert_ok(it->world, tr2_joint_set(it->world, id, &def));
}

static void edit(wheel *it)
{
    uint32_t what = draw(it, 100), spoke = draw(it, SPOKES);
    if (what < 40 && it->joint_count > 0)
        edit_joint(it);
    else if (what < 80)
        edit_body(it);
    else if (what < 87)
        add_joint(it, (tr2_joint_type)draw(it, TR2_JOINT_TYPE_COUNT));
    else if (what < 95 && it->joint_count > 0)
        assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[draw(it, it->joint_count)]));
    else if (what < 97)
        assert_ok(it->world, tr2_world_optimize(it->world));
    else {
        assert_ok(it->world, tr2_world_destroy_body(it->world, it->spokes[spoke]));
        it->spokes[spoke] = add_spoke(it, spoke);
    }
    for (uint32_t i = it->joint_count; i-- > 0;) {
        if (!tr2_joint_is_valid(it->world, it->joints[i]))
            it->joints[i] = it->joints[--it->joint_count];
    }
}

static tr2_system system_of(tr2_world *world)
{
    return (tr2_system){.bodies = &world->bodies,
                        .body_pool = &world->body_pool,
                        .joints = world->joints,
                        .joint_pool = &world->joint_pool,
                        .plan = world->plan,
                        .loads = world->loads,
                        .settings = world->settings};
}

/* the shares are as they are computed anew; returns whether some body is too heavily loaded */
static bool assert_shares_stay(tr2_world *world)
{
    tr2_solver *solver = world->solver;
    const tr2_system system = system_of(world);
    const tr2_array *arrays[] = {&solver->share, &solver->inertia_share, &solver->burden};
    static float before[3][4096];
    bool heavier = false;
    const uint64_t shares = solver->report.shares;
    assert_true(solver->state_count <= 4096);
    for (uint32_t i = 0; i < 3 && solver->hub_count > 0; i++)
        memcpy(before[i], arrays[i]->data, solver->state_count * sizeof(float));
    solver->shares_due = true;
    tr2_share_masses(solver, &system);
    solver->report.shares = shares;
    for (uint32_t h = 0; h < solver->hub_count; h++) {
        const tr2_hub *hub = (const tr2_hub *)solver->hubs.data + h;
        heavier = heavier || hub->heavier > 1.0f;
        for (uint32_t i = 0; i < 3; i++) {
            const float *now = arrays[i]->data;
            assert_true(before[i][hub->row] == now[hub->row]);
            assert_memory_equal(before[i] + hub->first_copy, now + hub->first_copy, hub->copies * sizeof *now);
        }
    }
    return heavier;
}

/* the same of those of the next step */
static bool assert_shares_known(tr2_world *world)
{
    const tr2_system system = system_of(world);
    assert_int_equal(tr2_solver_layout(world->solver, &system), TR_OK);
    tr2_share_masses(world->solver, &system);
    return assert_shares_stay(world);
}

static void shares_are_those_of_the_world_after_any_edit(void **state)
{
    (void)state;
    wheel it;
    uint32_t split = 0, heavier = 0;
    make(&it);
    for (uint32_t step = 0; step < TRIALS(1500); step++) {
        edit(&it);
        heavier += assert_shares_known(it.world);
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
        (void)assert_shares_known(it.world);
        split += tr2_world_statistics(it.world).split_bodies;
    }
    assert_true(split > TRIALS(750) && heavier > 0);
    tr2_world_destroy(it.world);
}

/* what does not change them: steps, motion, speeds of motors, forces, gravity, settings */
static void shares_are_computed_once_while_nothing_changes_them(void **state)
{
    (void)state;
    wheel it;
    make(&it);
    assert_ok(it.world, tr2_world_step(it.world, DT, 1));
    assert_int_equal(tr2_world_statistics(it.world).split_bodies, 2);
    const uint64_t shares = it.world->solver->report.shares;
    for (uint32_t step = 0; step < 20; step++) {
        tr2_joint_def def;
        assert_ok(it.world, tr2_joint_get(it.world, it.joints[step], &def));
        def.spring.softness = tr_frequency(1.5f, 1.0f);
        if (def.spring.enable)
            assert_ok(it.world, tr2_joint_set(it.world, it.joints[step], &def));
        assert_ok(it.world, tr2_body_set_velocity(it.world, it.spokes[step], (tr_vec2){0.1f, 0.0f}, 0.0f));
        assert_ok(it.world, tr2_body_apply_force_to_center(it.world, it.hubs[0], (tr_vec2){1.0f, 0.0f}));
        assert_ok(it.world, tr2_world_set_gravity(it.world, (tr_vec2){0.0f, -(float)step}));
        (void)assert_shares_known(it.world);
        assert_ok(it.world, tr2_world_step(it.world, DT, 1 + step % 4));
    }
    assert_true(it.world->solver->report.shares == shares);
    assert_ok(it.world, tr2_body_set_mass(it.world, it.spokes[0], 0.7f, 0.1f, (tr_vec2){0.0f, 0.0f}));
    assert_ok(it.world, tr2_world_step(it.world, DT, 1));
    assert_true(it.world->solver->report.shares == shares + 1);
    tr2_world_destroy(it.world);
}

/* the arm of a contact, and that of a carrier, are others after each step */
static void shares_of_contacts_and_carriers_follow_their_motion(void **state)
{
    (void)state;
    wheel it;
    make(&it);
    tr2_contact_def contact = tr2_contact_def_default();
    contact.body_a = it.hubs[0];
    contact.body_b = add_body(&it, TR_DYNAMIC, 0.0, 1.0, 1.0f);
    for (uint32_t step = 0; step < 5; step++) {
        contact.point[0].x = 0.1 * step;
        assert_ok(it.world, tr2_world_set_contacts(it.world, &contact, 1));
        (void)assert_shares_known(it.world);
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
    }
    assert_ok(it.world, tr2_world_set_contacts(it.world, NULL, 0));
    tr2_joint_def gear = tr2_joint_def_default(TR2_JOINT_GEAR);
    gear.body_a = it.spokes[0];
    gear.body_b = it.spokes[1];
    gear.carrier_a = gear.carrier_b = it.hubs[0];
    gear.slides_a = gear.slides_b = true;
    assert_ok(it.world, tr2_world_create_joint(it.world, &gear, NULL));
    for (uint32_t step = 0; step < 5; step++) {
        assert_ok(it.world, tr2_body_set_velocity(it.world, it.spokes[0], (tr_vec2){1.0f, 0.0f}, 0.0f));
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
        (void)assert_shares_known(it.world);
    }
    tr2_world_destroy(it.world);
}

/* a large disc on which small ones fall from all sides, one after the other: a step's shares are of its own contacts */
static void shares_are_of_the_contacts_of_the_step(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    wheel it = {0};
    def.gravity = (tr_vec2){0.0f, 0.0f};
    assert_int_equal(tr2_world_create(&def, &it.world, NULL), TR_OK);
    tr2_shape_def disc = tr2_circle_on(add_body(&it, TR_DYNAMIC, 0.0, 0.0, 5.0f), (tr_vec2){0.0f, 0.0f}, 4.0f);
    assert_ok(it.world, tr2_world_create_shape(it.world, &disc, NULL));
    for (uint32_t i = 0; i < SPOKES; i++) {
        const double angle = 6.283185307179586 * i / SPOKES, away = 4.1 + 0.002 * i;
        const tr2_body body = add_body(&it, TR_DYNAMIC, away * cos(angle), away * sin(angle), 0.1f);
        disc = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.1f);
        assert_ok(it.world, tr2_world_create_shape(it.world, &disc, NULL));
        assert_ok(it.world, tr2_body_set_velocity(
                                it.world, body, (tr_vec2){-2.0f * (float)cos(angle), -2.0f * (float)sin(angle)}, 0.0f));
    }
    uint32_t grown = 0, contacts = 0;
    for (uint32_t step = 0; step < 20; step++) {
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
        (void)assert_shares_stay(it.world);
        const tr_statistics now = tr2_world_statistics(it.world);
        grown += now.split_bodies > 0 && now.contacts > contacts;
        contacts = now.contacts;
    }
    assert_true(grown > 2);
    tr2_world_destroy(it.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_those_of_the_world_after_any_edit),
        cmocka_unit_test(shares_are_computed_once_while_nothing_changes_them),
        cmocka_unit_test(shares_of_contacts_and_carriers_follow_their_motion),
        cmocka_unit_test(shares_are_of_the_contacts_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
