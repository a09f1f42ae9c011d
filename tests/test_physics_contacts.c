/* Contacts against the laws of impact, friction and rolling. */
#include "contacts.h"

#define DT (1.0 / 60.0)

/* m: gravity sinks a disc by g / omega^2, 0.123 mm at 45 Hz (docs/contacts.md) */
#define SINK 1.3e-4

/*
 * Impact. Reference numbers: truth/impulse_pulley_soft_top_crank.json, restitution_2d,
 * J = -(1 + e) v_rel . n / (1/m1 + 1/m2 + (r1 x n)^2/I1 + (r2 x n)^2/I2).
 */
typedef struct impact {
    const char *name;
    double m1, i1, r1[2], v1[3], m2, i2, r2[2], v2[3], n[2], e, j, after1[3], after2[3];
} impact;

static const impact impacts[] = {
    {"equal discs, head on",
     1,
     1,
     {0.5, 0},
     {1, 0, 0},
     1,
     1,
     {-0.5, 0},
     {-1, 0, 0},
     {1, 0},
     1,
     2,
     {-1, 0, 0},
     {1, 0, 0}},
    {"off centre",
     2,
     0.3,
     {0.4, 0.25},
     {3, -1, 2},
     5,
     1.2,
     {-0.6, -0.1},
     {-0.5, 0.25, -1},
     {0.8, 0.6},
     0.5,
     3.60077854671280277,
     {1.55968858131487889, -2.08023356401384083, 1.5198961937716263},
     {0.0761245674740484429, 0.682093425605536332, -1.84018166089965398}},
    {"tip of a rod on the floor",
     1e30,
     1e30,
     {0, 0},
     {0, 0, 0},
     1,
     0.0833333333333333333,
     {0.433012701892219323, -0.25},
     {0, -4, 0},
     {0, 1},
     0.8,
     2.21538461538461538,
     {0, -2.21538461538461538e-30, 0},
     {0, -1.78461538461538462, 11.5114761364577691}},
};

static tr2_body thrown(tr2_world *world, const double r[2], double m, double i, const double v[3])
{
    tr2_body body = body_at(world, -r[0], -r[1], 0.0, m, i);
    MUST(tr2_body_set_velocity(world, body, (tr_vec2){(float)v[0], (float)v[1]}, (float)v[2]));
    return body;
}

static void impulses_of_collisions_are_those_of_the_formula(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof impacts / sizeof impacts[0]; k++) {
        for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
            const impact *it = &impacts[k];
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_body a = thrown(world, it->r1, it->m1, it->i1, it->v1);
            tr2_body b = thrown(world, it->r2, it->m2, it->i2, it->v2);
            tr2_contact_def def = contact_between(a, b, (tr_dvec2){it->n[0], it->n[1]}, 0);
            def.restitution = (float)it->e;
            MUST(tr2_world_set_contacts(world, &def, 1));
            steps(world, 1e-3, substeps, 1);
            const double *after[2] = {it->after1, it->after2};
            const tr2_body bodies[2] = {a, b};
            /* float: 1e-7 of the numbers, some dozen roundings */
            for (int i = 0; i < 2; i++) {
                tr2_body_def now = body_now(world, bodies[i]);
                NEAR(it->name, (double)now.velocity.x, after[i][0], 2e-6);
                NEAR(it->name, (double)now.velocity.y, after[i][1], 2e-6);
                NEAR(it->name, (double)now.angular_velocity, after[i][2], 1e-5);
            }
            NEAR(it->name, (double)impulse_of(world, 0).total[0], it->j, 3e-6);
            tr2_world_destroy(world);
        }
    }
}

/* A flat box comes up again flat: both its corners bounce at once. */
static void a_flat_box_bounces_without_turning(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    plane floor = plane_at(world, 0.0);
    tr2_body box = body_at(world, 0.0, 0.25, 0.0, 1.0, (4.0 + 0.25) / 12.0);
    MUST(tr2_body_set_velocity(world, box, (tr_vec2){0.0f, -3.0f}, 0.0f));
    tr2_contact_def def = box_on(world, floor.body, floor.normal, (tr_dvec2){0.0, 0.0}, box, 1.0, 0.25);
    def.restitution = 0.5f;
    MUST(tr2_world_set_contacts(world, &def, 1));
    steps(world, 1e-3, 4, 1);
    tr2_body_def now = body_now(world, box);
    /* six sweeps over two points whose K have 0.65 of each other */
    NEAR("speed up", (double)now.velocity.y, 1.5, 0.01);
    NEAR("turning", (double)now.angular_velocity, 0.0, 0.02);
    tr2_world_destroy(world);
}

/*
 * Friction
 */

/* A block on a slope, watched for two seconds after one to settle: how far it slid, and what its speed grew. */
static double slide(tr_method method, double slope, double friction, double *distance)
{
    tr2_world *world = world_of(G, 60.0f);
    MUST(tr2_world_set_method(world, method, 0));
    plane p = plane_at(world, slope);
    tr2_body_def def = tr2_body_def_default();
    def.fixed_rotation = true;
    def.position = (tr_dvec2){0.5 * p.normal.x, 0.5 * p.normal.y};
    tr2_body body;
    MUST(tr2_world_create_body(world, &def, &body));
    double from = 0.0, speed = 0.0;
    for (int i = 0; i < 180; i++) {
        if (i == 60) {
            from = along(&p, body_now(world, body).position);
            speed = along(&p, wide_of(body_now(world, body).velocity));
        }
        tr2_contact_def contact = disc_on_plane(world, &p, body, 0.5);
        contact.friction = (float)friction;
        MUST(tr2_world_set_contacts(world, &contact, 1));
        steps(world, DT, 4, 1);
    }
    *distance = from - along(&p, body_now(world, body).position);
    speed -= along(&p, wide_of(body_now(world, body).velocity));
    tr2_world_destroy(world);
    return speed;
}

/* Coulomb: what does not roll sticks on a slope up to tan(angle) = friction, and slides with g (sin - friction cos) */
static void a_block_begins_to_slide_at_the_critical_angle(void **state)
{
    (void)state;
    static const double frictions[] = {0.1, 0.5, 1.0}, beyond[] = {0.01, 0.2, 0.4};
    for (size_t k = 0; k < 3; k++) {
        double critical = atan(frictions[k]), distance;
        (void)slide(TR_SOFT_STEP, 0.99 * critical, frictions[k], &distance);
        NEAR("creep below the critical angle", distance, 0.0, 1e-4);
        for (size_t i = 0; i < 3; i++) {
            double angle = critical * (1.0 + beyond[i]), a = G * (sin(angle) - frictions[k] * cos(angle));
            double speed = slide(TR_SOFT_STEP, angle, frictions[k], &distance);
            NEAR("speed gained over a t", speed / (2.0 * a), 1.0, 0.01);
        }
    }
}

/* Coulomb's law of every method, also of those whose impulses begin afresh in every sub-step */
static void every_method_slides_alike(void **state)
{
    (void)state;
    double critical = atan(0.5), distance, a = G * (sin(1.3 * critical) - 0.5 * cos(1.3 * critical));
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        (void)slide((tr_method)method, 0.97 * critical, 0.5, &distance);
        NEAR(tr_method_name((tr_method)method), distance, 0.0, 1e-3);
        double speed = slide((tr_method)method, 1.3 * critical, 0.5, &distance);
        NEAR(tr_method_name((tr_method)method), speed / (2.0 * a), 1.0, 0.01);
    }
}

/* also where impulses begin afresh in every sub-step; without friction it would slide at 6.8 m/s */
static void every_method_has_friction(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        tr2_world *world = world_of(G, 60.0f);
        MUST(tr2_world_set_method(world, (tr_method)method, 0));
        plane p = plane_at(world, 0.9 * atan(0.5));
        tr2_body_def def = tr2_body_def_default();
        def.fixed_rotation = true;
        def.position = (tr_dvec2){0.5 * p.normal.x, 0.5 * p.normal.y};
        tr2_body body;
        MUST(tr2_world_create_body(world, &def, &body));
        for (int i = 0; i < 120; i++) {
            tr2_contact_def contact = disc_on_plane(world, &p, body, 0.5);
            contact.friction = 0.5f;
            MUST(tr2_world_set_contacts(world, &contact, 1));
            steps(world, DT, 8, 1);
        }
        tr2_body_def now = body_now(world, body);
        NEAR(tr_method_name((tr_method)method), along(&p, wide_of(now.velocity)), 0.0, 1e-3);
        NEAR("height", height_over(&p, now.position), 0.5, SINK);
        NEAR("force over weight", (double)impulse_of(world, 0).total[0] / (DT * G * cos(0.9 * atan(0.5))), 1.0, 0.01);
        tr2_world_destroy(world);
    }
}

static void a_conveyor_gives_its_speed(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    plane floor = plane_at(world, 0.0);
    tr2_body box = body_at(world, 0.0, 0.25, 0.0, 1.0, 0.1);
    for (int i = 0; i < 60; i++) {
        tr2_contact_def def = box_on(world, floor.body, floor.normal, (tr_dvec2){0.0, 0.0}, box, 0.25, 0.25);
        def.friction = 0.5f;
        /* along the normal turned by a quarter, which is -x here */
        def.tangent_speed = -2.0f;
        MUST(tr2_world_set_contacts(world, &def, 1));
        /* at 0.5 g it takes 0.41 s */
        if (i == 12)
            NEAR("speed while it slips", (double)body_now(world, box).velocity.x, 0.5 * G * 12.0 * DT, 0.05);
        steps(world, DT, 4, 1);
    }
    NEAR("speed", (double)body_now(world, box).velocity.x, 2.0, 1e-3);
    tr2_world_destroy(world);
}

/*
 * Rolling
 */

/* a disc that rolls down without slipping: a = 2/3 g sin, I = m r^2 / 2; friction of at least a third of the slope */
static void a_disc_rolls_down_at_two_thirds(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    const double slope = 0.3, radius = 0.4;
    plane p = plane_at(world, slope);
    tr2_body disc = disc_at(world, radius * p.normal.x, radius * p.normal.y, radius, 3.0);
    for (int i = 0; i < 120; i++) {
        tr2_contact_def def = disc_on_plane(world, &p, disc, radius);
        def.friction = 0.6f;
        MUST(tr2_world_set_contacts(world, &def, 1));
        steps(world, DT, 4, 1);
    }
    tr2_body_def now = body_now(world, disc);
    double speed = -along(&p, wide_of(now.velocity)), want = 2.0 / 3.0 * G * sin(slope) * 2.0;
    /* the first sub-step slips: g sin / 240 of 480 sub-steps */
    NEAR("speed", speed / want, 1.0, 2e-3);
    /* it rolls on a point 0.06 mm inside its rim, half of what it sinks in */
    NEAR("turning", (double)now.angular_velocity * radius / speed, 1.0, 1e-3);
    NEAR("height", height_over(&p, now.position), radius, SINK);
    tr2_world_destroy(world);
}

/*
 * Rolling resistance of length c: the torque c m g about the point of contact, whose inertia is 3/2 m r^2, takes v down
 * by 2 c g / (3 r) a second: it rolls 3 r v^2 / (4 c g) far.
 */
static void rolling_resistance_stops_a_disc_where_the_formula_says(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    const double radius = 0.3, v = 1.5, c = 0.02;
    plane floor = plane_at(world, 0.0);
    tr2_body disc = disc_at(world, 0.0, radius, radius, 2.0);
    MUST(tr2_body_set_velocity(world, disc, (tr_vec2){(float)v, 0.0f}, (float)(-v / radius)));
    for (int i = 0; i < 300; i++) {
        tr2_contact_def def = disc_on_plane(world, &floor, disc, radius);
        def.friction = 0.5f;
        def.rolling_resistance = (float)c;
        MUST(tr2_world_set_contacts(world, &def, 1));
        steps(world, DT, 4, 1);
    }
    tr2_body_def now = body_now(world, disc);
    NEAR("distance", now.position.x / (3.0 * radius * v * v / (4.0 * c * G)), 1.0, 0.01);
    NEAR("speed", (double)now.velocity.x, 0.0, 1e-5);
    NEAR("turning", (double)now.angular_velocity, 0.0, 1e-4);
    tr2_world_destroy(world);
}

/* discs may turn fast: the plane under them stays where it is */
static void a_disc_that_spins_in_place_stays_at_its_height(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    plane floor = plane_at(world, 0.0);
    tr2_body disc = disc_at(world, 0.0, 0.5, 0.5, 1.0);
    MUST(tr2_body_set_velocity(world, disc, (tr_vec2){0.0f, 0.0f}, 60.0f));
    for (int i = 0; i < 60; i++) {
        tr2_contact_def def = disc_on_plane(world, &floor, disc, 0.5);
        MUST(tr2_world_set_contacts(world, &def, 1));
        steps(world, DT, 4, 1);
        NEAR("height", body_now(world, disc).position.y, 0.5, SINK);
    }
    tr2_world_destroy(world);
}

/*
 * Gaps and overlaps
 */

/* ten times the gap in one step, and yet it stops at the surface */
static void a_fast_body_stops_at_the_surface(void **state)
{
    (void)state;
    static const uint32_t substeps[] = {1, 4, 8};
    for (size_t k = 0; k < 3; k++) {
        tr2_world *world = world_of(0.0, 60.0f);
        plane floor = plane_at(world, 0.0);
        tr2_body disc = disc_at(world, 0.0, 1.2, 0.2, 1.0);
        MUST(tr2_body_set_velocity(world, disc, (tr_vec2){0.0f, -600.0f}, 0.0f));
        tr2_contact_def def = disc_on_plane(world, &floor, disc, 0.2);
        MUST(tr2_world_set_contacts(world, &def, 1));
        steps(world, DT, substeps[k], 1);
        NEAR("height", body_now(world, disc).position.y, 0.2, 1e-5);
        NEAR("speed", (double)body_now(world, disc).velocity.y, 0.0, 1e-4);
        NEAR("total impulse", (double)impulse_of(world, 0).total[0], 600.0, 1e-2);
        tr2_world_destroy(world);
    }
}

/* an overlap goes away, no faster than the push speed, and leaves no speed behind */
static void an_overlap_is_pushed_out_gently(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    plane floor = plane_at(world, 0.0);
    tr2_body disc = disc_at(world, 0.0, 0.0, 0.5, 1.0);
    double before = 0.0;
    for (int i = 0; i < 300; i++) {
        tr2_contact_def def = disc_on_plane(world, &floor, disc, 0.5);
        MUST(tr2_world_set_contacts(world, &def, 1));
        steps(world, DT, 4, 1);
        tr2_body_def now = body_now(world, disc);
        assert_true(now.position.y - before <= 3.0 * DT + 1e-6);
        assert_true(now.position.y >= before && now.position.y <= 0.5 + 1e-5);
        NEAR("speed left behind", (double)now.velocity.y, 0.0, 1e-4);
        before = now.position.y;
    }
    NEAR("height", before, 0.5, 1e-3);
    tr2_world_destroy(world);
}

/* a gap that the body does not cross in a step is no contact */
static void an_open_gap_does_nothing(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    plane floor = plane_at(world, 0.0);
    tr2_body disc = disc_at(world, 0.0, 0.7, 0.2, 1.0);
    MUST(tr2_body_set_velocity(world, disc, (tr_vec2){0.5f, -1.0f}, 2.0f));
    tr2_contact_def def = disc_on_plane(world, &floor, disc, 0.2);
    def.friction = 1.0f;
    MUST(tr2_world_set_contacts(world, &def, 1));
    steps(world, DT, 4, 1);
    tr2_body_def now = body_now(world, disc);
    assert_true(now.velocity.x == 0.5f && now.velocity.y == -1.0f && now.angular_velocity == 2.0f);
    assert_true(impulse_of(world, 0).total[0] == 0.0f);
    tr2_world_destroy(world);
}

/*
 * Stacks
 */
#define BOXES 10

static void give_stack(tr2_world *world, const plane *floor, const tr2_body *boxes)
{
    tr2_contact_def defs[BOXES];
    for (int i = 0; i < BOXES; i++) {
        tr2_body below = i == 0 ? floor->body : boxes[i - 1];
        tr2_body_def b = body_now(world, below);
        tr_dvec2 normal = {-sin(b.angle), cos(b.angle)}, top = b.position;
        double half = i == 0 ? 0.0 : 0.5;
        top.x += half * normal.x;
        top.y += half * normal.y;
        defs[i] = box_on(world, below, normal, top, boxes[i], 0.5, 0.5);
        defs[i].friction = 0.6f;
    }
    MUST(tr2_world_set_contacts(world, defs, BOXES));
}

/*
 * A contact that is pushed with the impulse p in each sub-step sinks in until the soft push holds it: by
 * K p (1 / mass scale - 1) / bias rate (docs/contacts.md), here 0.3 mm for each box above, 16 mm at the top; the
 * ground holds with twice the frequency.
 */
static void a_stack_of_ten_boxes_stands(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    plane floor = plane_at(world, 0.0);
    tr2_body boxes[BOXES];
    for (int i = 0; i < BOXES; i++)
        boxes[i] = body_at(world, 0.01 * (i % 3), 0.5 + i, 0.0, 1.0, 1.0 / 6.0);
    for (int i = 0; i < 600; i++) {
        give_stack(world, &floor, boxes);
        steps(world, DT, 4, 1);
    }
    double sunk = 0.0;
    for (int i = 0; i < BOXES; i++) {
        tr2_body_def now = body_now(world, boxes[i]);
        NEAR("x", now.position.x, 0.01 * (i % 3), 2e-3);
        double h = DT / 4.0, omega = 2.0 * PI * (i == 0 ? 90.0 : 45.0), a1 = 20.0 + h * omega, a2 = h * omega * a1;
        double k = i == 0 ? 2.5 : 5.0;
        sunk += k * (0.5 * G * h * (BOXES - i)) / a2 * (a1 / omega);
        NEAR("y", now.position.y, 0.5 + i - sunk, 5e-4);
        NEAR("angle", now.angle, 0.0, 2e-3);
        NEAR("speed", hypot((double)now.velocity.x, (double)now.velocity.y), 0.0, 2e-3);
        /* the weight of what is above: over both points, over the length of a sub-step */
        tr2_contact_impulse impulse = impulse_of(world, (uint32_t)i);
        double force = (double)(impulse.normal[0] + impulse.normal[1]) * 240.0;
        NEAR("force between boxes, over the weight above", force / (G * (BOXES - i)), 1.0, 0.01);
        NEAR("impulse over the step", (double)(impulse.total[0] + impulse.total[1]) / DT / (G * (BOXES - i)), 1.0,
             0.01);
    }
    tr2_world_destroy(world);
}

/* contacts push along one line: two free bodies keep their momentum, also of rotation */
static void contacts_between_free_bodies_keep_momentum(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    uint64_t seed = 5;
    tr2_body a = disc_at(world, -0.5, 0.1, 0.5, 2.0), b = disc_at(world, 0.5, -0.1, 0.5, 1.0);
    MUST(tr2_body_set_velocity(world, a, (tr_vec2){2.0f, 0.3f}, 3.0f));
    MUST(tr2_body_set_velocity(world, b, (tr_vec2){-1.0f, 0.5f}, (float)random_between(&seed, 1.0, 2.0)));
    tr2_measures before = tr2_world_measure(world);
    tr2_contact_def def = contact_between(a, b, (tr_dvec2){0.8, -0.6}, 1);
    def.friction = 0.7f;
    def.restitution = 0.4f;
    def.rolling_resistance = 0.05f;
    MUST(tr2_world_set_contacts(world, &def, 1));
    steps(world, 1e-3, 4, 1);
    tr2_measures after = tr2_world_measure(world);
    assert_true(impulse_of(world, 0).total[0] > 0.5f && impulse_of(world, 0).tangent[0] != 0.0f);
    NEAR("momentum x", after.momentum.x, before.momentum.x, 1e-6);
    NEAR("momentum y", after.momentum.y, before.momentum.y, 1e-6);
    /* the point slips on by 1e-3 s of a few m/s before the last of the impulse has come */
    NEAR("angular momentum", after.angular_momentum, before.angular_momentum, 2e-3);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_of_collisions_are_those_of_the_formula),
        cmocka_unit_test(a_flat_box_bounces_without_turning),
        cmocka_unit_test(a_block_begins_to_slide_at_the_critical_angle),
        cmocka_unit_test(every_method_slides_alike),
        cmocka_unit_test(every_method_has_friction),
        cmocka_unit_test(a_conveyor_gives_its_speed),
        cmocka_unit_test(a_disc_rolls_down_at_two_thirds),
        cmocka_unit_test(rolling_resistance_stops_a_disc_where_the_formula_says),
        cmocka_unit_test(a_disc_that_spins_in_place_stays_at_its_height),
        cmocka_unit_test(a_fast_body_stops_at_the_surface),
        cmocka_unit_test(an_overlap_is_pushed_out_gently),
        cmocka_unit_test(an_open_gap_does_nothing),
        cmocka_unit_test(a_stack_of_ten_boxes_stands),
        cmocka_unit_test(contacts_between_free_bodies_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
