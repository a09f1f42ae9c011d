/*
 * Hubs of every mass: a body on a pin with bodies of 0.5 kg all around, in balance, so that nothing is to move: at
 * every ratio of masses, at every ratio of inertias, with few joints and with many. What is off is what joints give way
 * by: of a body of mass m that hangs by a spring of the joints' frequency f, m g / k = g / (2 pi f)^2 = 0.07 mm at 60
 * Hz, and some times that where masses are unlike.
 */
#include "contacts.h"
#include "strained.h"

#define SPOKE 0.5 /* kg */

/* what ties spokes to each other, so that joints form loops: pins between every two, or rods all around */
typedef enum bracing { NO_BRACES, PAIRS, RIM } bracing;

typedef struct rung {
    uint32_t spokes;
    double mass, inertia, reach; /* kg, kg m^2, m */
    tr_method method;
    tr2_joint_type type;
    bracing braces;
    double rate; /* rad/s: all turns about the pin */
    bool spring; /* along the axis; then every other joint is a plain revolute, if `mixed` */
    bool mixed;
    bool free; /* the hub has no pin */
} rung;

static void brace(tr2_world *world, bracing braces, uint32_t i, tr2_body a, tr2_body b)
{
    tr_dvec2 p = body_now(world, a).position, q = body_now(world, b).position;
    /* a hundredth beyond the line between them: on it three pins are a dead centre, where a pair whips (docs/exact.md, Limits) */
    double x = 1.01 * 0.5 * (p.x + q.x), y = 1.01 * 0.5 * (p.y + q.y);
    if (braces == PAIRS && i % 2 == 1)
        (void)revolute(world, a, b, local_point_of(world, a, x, y), local_point_of(world, b, x, y));
    if (braces != RIM)
        return;
    tr2_joint_def def = joint_between(TR2_JOINT_DISTANCE, a, b, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    def.length = (float)hypot(p.x - q.x, p.y - q.y);
    (void)join(world, def);
}

/* spokes all around, in balance; the hub on its pin */
static tr2_world *make_rung(rung r)
{
    tr2_world *world = strained_world(10.0, r.method, 10.0f);
    tr2_body ground = static_at(world, 0.0, 0.0), hub = body_at(world, 0.0, 0.0, 0.0, r.mass, r.inertia);
    if (!r.free)
        (void)revolute(world, ground, hub, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    MUST(tr2_body_set_velocity(world, hub, (tr_vec2){0.0f, 0.0f}, (float)r.rate));
    tr2_body before = hub;
    for (uint32_t i = 0; i < r.spokes; i++) {
        double angle = 2.0 * PI * i / r.spokes;
        tr_vec2 at = {(float)(r.reach * cos(angle)), (float)(r.reach * sin(angle))};
        tr2_body spoke = body_at(world, (double)at.x, (double)at.y, 0.0, SPOKE, 0.005);
        MUST(
            tr2_body_set_velocity(world, spoke, (tr_vec2){-(float)r.rate * at.y, (float)r.rate * at.x}, (float)r.rate));
        tr2_joint_def def = joint_between(r.type, hub, spoke, at, (tr_vec2){0.0f, 0.0f});
        /* slides go around, so that gravity may move them along */
        def.axis = r.type != TR2_JOINT_REVOLUTE ? (tr_vec2){(float)-sin(angle), (float)cos(angle)} : def.axis;
        if (r.spring)
            def.spring = (tr_spring){.enable = true, .softness = tr_frequency(5.0f, 0.5f)};
        if (r.mixed && i % 2 == 1)
            def = joint_between(TR2_JOINT_REVOLUTE, hub, spoke, at, (tr_vec2){0.0f, 0.0f});
        (void)join(world, def);
        if (i > 0)
            brace(world, r.braces, i, before, spoke);
        before = spoke;
    }
    return world;
}

/* the most that joints are off, rms, over so many steps; no body may be put in quarantine */
static double worst_of(rung r, uint32_t count)
{
    tr2_world *world = make_rung(r);
    double worst = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        double rms = tr2_world_measure(world).joint_error_rms;
        worst = rms <= worst ? worst : rms;
    }
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
    return worst;
}

static void check(rung r, uint32_t count, double most)
{
    double worst = worst_of(r, TRIALS(count));
    if (!(worst <= most)) {
        print_error("%u spokes at %g m on %g kg, %g kg m^2, method %d: off by %g m\n", r.spokes, r.reach, r.mass,
                    r.inertia, (int)r.method, worst);
        fail();
    }
}

static const double masses[] = {1, 3, 6, 10, 16, 30, 50, 100, 300, 1000, 10000};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A disc of uniform density, whose rim the spokes are on: its inertia is half of what its mass would have there. */
static void a_disc_holds_its_spokes_at_every_mass(void **state)
{
    (void)state;
    static const uint32_t spokes[] = {2, 4, 8, 20, 32, 33, 100, 300};
    static const double reaches[] = {0.5, 10.0};
    for (size_t n = 0; n < COUNT(spokes); n++) {
        for (size_t m = 0; m < COUNT(masses); m++) {
            for (size_t k = 0; k < COUNT(reaches); k++) {
                double inertia = 0.5 * masses[m] * reaches[k] * reaches[k];
                check((rung){.spokes = spokes[n],
                             .mass = masses[m],
                             .inertia = inertia,
                             .reach = reaches[k],
                             .method = TR_SOFT_STEP},
                      90, 1e-3);
            }
        }
    }
}

/* The inertia that a definition begins with, 1 kg m^2, is next to nothing against 0.5 kg at 10 m, whatever the hub
   weighs. */
static void what_hardly_resists_turning_holds_its_spokes(void **state)
{
    (void)state;
    static const uint32_t spokes[] = {4, 5, 6, 8, 20, 33, 100, 300};
    for (size_t n = 0; n < COUNT(spokes); n++) {
        for (size_t m = 0; m < COUNT(masses); m++)
            check((rung){.spokes = spokes[n], .mass = masses[m], .inertia = 1.0, .reach = 10.0, .method = TR_SOFT_STEP},
                  150, 1e-3);
    }
}

/* Methods that hold rigid rows without softness begin with the whole of a step's fall: 8 sub-steps of the small step
   leave g h^2. */
static void every_method_holds_them(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (size_t m = 0; m < COUNT(masses); m++) {
            double inertia = 0.5 * masses[m] * 100.0;
            check(
                (rung){
                    .spokes = 100, .mass = masses[m], .inertia = inertia, .reach = 10.0, .method = (tr_method)method},
                90, 5e-3);
            check(
                (rung){.spokes = 20, .mass = masses[m], .inertia = inertia, .reach = 10.0, .method = (tr_method)method},
                90, 5e-3);
        }
    }
}

/* the hub of the design's table, 5,000 spokes: light, in between, and heavy */
static void five_thousand_spokes_hold(void **state)
{
    (void)state;
    static const double hubs[] = {10, 300, 1000, 2000, 10000};
    for (size_t m = 0; m < COUNT(hubs); m++)
        check((rung){.spokes = 5000, .mass = hubs[m], .inertia = 50.0 * hubs[m], .reach = 10.0, .method = TR_SOFT_STEP},
              20, 1e-3);
}

/* Joints in loops: what is left to the sweeps ties spokes alone. All turn, at 0.5 rad/s. */
static void hubs_hold_where_joints_form_loops(void **state)
{
    (void)state;
    static const bracing all[] = {PAIRS, RIM};
    static const uint32_t spokes[] = {8, 20, 100, 1000};
    for (size_t k = 0; k < COUNT(all); k++) {
        for (size_t n = 0; n < COUNT(spokes); n++) {
            for (size_t m = 0; m < COUNT(masses); m++) {
                double inertia = 50.0 * masses[m];
                check((rung){.spokes = spokes[n],
                             .mass = masses[m],
                             .inertia = inertia,
                             .reach = 10.0,
                             .braces = all[k],
                             .rate = 0.5},
                      spokes[n] > 100 ? 30 : 90, 1e-3);
            }
        }
    }
}

/* bodies that slide on a hub, and turn with it */
static void hubs_hold_what_slides_on_them(void **state)
{
    (void)state;
    static const uint32_t spokes[] = {8, 20, 100, 1000};
    for (size_t n = 0; n < COUNT(spokes); n++) {
        for (size_t m = 0; m < COUNT(masses); m++) {
            check((rung){.spokes = spokes[n],
                         .mass = masses[m],
                         .inertia = 50.0 * masses[m],
                         .reach = 10.0,
                         .type = TR2_JOINT_PRISMATIC,
                         .rate = 0.5},
                  spokes[n] > 100 ? 30 : 90, 1e-3);
        }
    }
}

/* Lines and wheels hold one row: with sweeps, hubs of 10 kg threw them off at any number of spokes. */
static void hubs_hold_lines_and_wheels(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_LINE, TR2_JOINT_WHEEL};
    static const uint32_t spokes[] = {8, 100, 1000};
    static const double hubs[] = {1, 10, 100, 10000};
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t n = 0; n < COUNT(spokes); n++) {
            for (size_t m = 0; m < COUNT(hubs); m++) {
                check((rung){.spokes = spokes[n],
                             .mass = hubs[m],
                             .inertia = 50.0 * hubs[m],
                             .reach = 10.0,
                             .type = types[t],
                             .rate = 0.5},
                      30, 1e-3);
            }
        }
    }
}

/* The direct method takes a hub that is too light; as it was, 200 spokes were thrown off 10 kg. A spring of 5 Hz sags by 1 cm, which is no
   error of a joint. */
static void hubs_hold_spokes_on_springs(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_LINE, TR2_JOINT_WHEEL, TR2_JOINT_PRISMATIC};
    static const uint32_t spokes[] = {40, 200, 2000};
    static const double hubs[] = {1, 10, 10000};
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t n = 0; n < COUNT(spokes); n++) {
            for (size_t m = 0; m < 2 * COUNT(hubs); m++) {
                check((rung){.spokes = spokes[n],
                             .mass = hubs[m / 2],
                             .inertia = 50.0 * hubs[m / 2],
                             .reach = 10.0,
                             .type = types[t],
                             .rate = 0.5,
                             .spring = true,
                             .mixed = m % 2 == 1},
                      40, 2e-3);
            }
        }
    }
}

/*
 * Forces on a free hub of 10 kg that sweeps, if they must, treat as heavier, because 200 spokes hang on springs: by the
 * factor (m / 3.5 + i / 3) / 0.8 of what they hold relative to its own mass and inertia. Sweeps conserve the momentum of that
 * heavier body, and the direct method that of the body. So the common centre of mass, with its mass in the sum M, moves by F t (t + h) / (2 M), directly by
 * F t^2 / (2 M), and the angular momentum is the torque times t. Gravity is an acceleration: all fall alike. Speeds are at most 0.3 m/s, or 10 m/s in
 * the fall, and each of 240 sub-steps rounds them to 6e-8 of that.
 */
static void forces_act_on_a_hub_as_heavy_as_sweeps_take_it(void **state)
{
    (void)state;
    enum { SPOKES = 200 };
    const double mass = 10.0, inertia = 500.0, reach = 10.0, force = 60.0, torque = 3000.0, t = 1.0, h = 1.0 / 240.0;
    const double swept = (SPOKES * SPOKE / (3.5 * mass) + SPOKES * SPOKE * reach * reach / (3.0 * inertia)) / 0.8;
    for (int each = 0; each < 6; each++) {
        const int run = each % 3;
        const bool direct = each > 2;
        const double heavier = direct ? 1.0 : swept;
        tr2_world *world = make_rung((rung){.spokes = SPOKES,
                                            .mass = mass,
                                            .inertia = inertia,
                                            .reach = reach,
                                            .type = TR2_JOINT_PRISMATIC,
                                            .spring = true,
                                            .free = true});
        MUST(tr2_world_set_direct_load(world, direct ? 10.0f : INFINITY));
        MUST(tr2_world_set_gravity(world, (tr_vec2){0.0f, run == 2 ? -10.0f : 0.0f}));
        /* a copy, as steps may change the order of the view */
        tr2_body_view view = tr2_world_bodies(world);
        tr2_body id[2 + SPOKES];
        assert_int_equal(view.count, 2 + SPOKES);
        memcpy(id, view.id, sizeof id);
        for (int i = 0; i < 60; i++) {
            MUST(tr2_body_apply_force_to_center(world, id[1], (tr_vec2){run == 0 ? (float)force : 0.0f, 0.0f}));
            MUST(tr2_body_apply_torque(world, id[1], run == 1 ? (float)torque : 0.0f));
            steps(world, 1.0 / 60.0, 4, 1);
        }
        double all = 0.0, x = 0.0, angular = 0.0, lowest = 0.0, highest = -INFINITY;
        for (uint32_t i = 1; i < 2 + SPOKES; i++) {
            tr2_body_def b = body_now(world, id[i]);
            double factor = i == 1 ? heavier : 1.0, m = factor * (double)b.mass;
            all += m;
            x += m * b.position.x;
            angular += factor * (double)b.inertia * (double)b.angular_velocity +
                       m * (b.position.x * (double)b.velocity.y - b.position.y * (double)b.velocity.x);
            lowest = fmin(lowest, (double)b.velocity.y);
            highest = fmax(highest, (double)b.velocity.y);
        }
        assert_int_equal(tr2_world_statistics(world).direct_islands, direct ? 1 : 0);
        if (run == 0)
            NEAR("centre of mass", x / all, force * t * (direct ? t : t + h) / (2.0 * all), 1e-5);
        if (run == 1)
            NEAR("angular momentum", angular, torque * t, 1e-3 * torque);
        if (run == 2) {
            NEAR("lowest", lowest, -10.0 * t, 1e-4);
            NEAR("highest", highest, -10.0 * t, 1e-4);
        }
        tr2_world_destroy(world);
    }
}

/* With a thousand joints and more, a body may carry 1.9 times its own mass and inertia before it is solved exactly;
   sweeps run wild from three times on. */
static void heavy_hubs_of_many_spokes_are_left_to_sweeps(void **state)
{
    (void)state;
    static const uint32_t spokes[] = {1000, 3000};
    for (size_t n = 0; n < COUNT(spokes); n++) {
        for (int k = 0; k < 2; k++) {
            double mass = SPOKE * spokes[n] / (k == 0 ? 1.9 : 2.0);
            tr2_world *world = make_rung((rung){
                .spokes = spokes[n], .mass = mass, .inertia = mass, .reach = 1.0, .method = TR_SOFT_STEP, .rate = 0.5});
            steps(world, 1.0 / 60.0, 4, 60);
            assert_int_equal(tr2_world_statistics(world).exact_joints, k == 0 ? 0 : spokes[n] + 1);
            NEAR("rms error", tr2_world_measure(world).joint_error_rms, 0.0, 1e-3);
            tr2_world_destroy(world);
        }
    }
}

/* a body's inertia, and a joint's anchor, decide too: what is set later is as what was made so */
static void inertias_and_anchors_that_are_set_later_count(void **state)
{
    (void)state;
    tr2_world *world =
        make_rung((rung){.spokes = 20, .mass = 100.0, .inertia = 1e4, .reach = 10.0, .method = TR_SOFT_STEP});
    tr2_body hub = tr2_world_bodies(world).id[1];
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    MUST(tr2_body_set_mass(world, hub, 100.0f, 1.0f, (tr_vec2){0.0f, 0.0f}));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 21);
    MUST(tr2_body_set_fixed_rotation(world, hub, true));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    MUST(tr2_body_set_fixed_rotation(world, hub, false));
    /* each joint a little off the hub's centre */
    tr2_joint_view joints = tr2_world_joints(world, TR2_JOINT_REVOLUTE);
    for (uint32_t i = 0; i < joints.count; i++) {
        MUST(tr2_joint_set_value(world, joints.id[i], TR2_FIELD_ANCHOR_A_X, 0.01f));
        MUST(tr2_joint_set_value(world, joints.id[i], TR2_FIELD_ANCHOR_A_Y, 0.0f));
    }
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    tr2_world_destroy(world);
}

/* What a host's contacts, two with each spoke, have to do with hubs in loops: nothing, and so nothing changes when
   islands are chosen anew. */
static void contacts_do_not_decide_what_is_exact(void **state)
{
    (void)state;
    tr2_world *world = make_rung(
        (rung){.spokes = 8, .mass = 1.0, .inertia = 50.0, .reach = 10.0, .method = TR_SOFT_STEP, .braces = PAIRS});
    tr2_contact_def contacts[16];
    tr2_body floor = static_at(world, 0.0, -20.0), one = body_at(world, 30.0, 0.0, 0.0, 1.0, 1.0);
    tr2_body other = body_at(world, 31.0, 0.0, 0.0, 1.0, 1.0);
    for (uint32_t i = 0; i < 16; i++) {
        tr2_body spoke = tr2_world_bodies(world).id[2 + i / 2];
        contacts[i] = contact_between(floor, spoke, (tr_dvec2){0.0, 1.0}, i);
        contacts[i].point[0] = body_now(world, spoke).position;
        contacts[i].separation[0] = 0.01f;
    }
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 13);
    MUST(tr2_world_set_contacts(world, contacts, 16));
    (void)revolute(world, one, other, (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 13);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_holds_its_spokes_at_every_mass),
        cmocka_unit_test(what_hardly_resists_turning_holds_its_spokes),
        cmocka_unit_test(every_method_holds_them),
        cmocka_unit_test(five_thousand_spokes_hold),
        cmocka_unit_test(hubs_hold_where_joints_form_loops),
        cmocka_unit_test(hubs_hold_what_slides_on_them),
        cmocka_unit_test(hubs_hold_lines_and_wheels),
        cmocka_unit_test(hubs_hold_spokes_on_springs),
        cmocka_unit_test(forces_act_on_a_hub_as_heavy_as_sweeps_take_it),
        cmocka_unit_test(heavy_hubs_of_many_spokes_are_left_to_sweeps),
        cmocka_unit_test(inertias_and_anchors_that_are_set_later_count),
        cmocka_unit_test(contacts_do_not_decide_what_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
