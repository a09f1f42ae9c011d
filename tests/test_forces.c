/* Explosions, wind and fluids against closed forms, and against sums over many small pieces. */
#include "forces.h"

/*
 * Submerged areas
 */
static tr2_submersion submersion(const tr2_world *world, tr2_body id, double level)
{
    tr2_fluid fluid = tr2_fluid_default();
    fluid.point.y = level;
    fluid.point.x = 3.0; /* any point of the surface */
    tr2_submersion out;
    assert_int_equal(tr2_body_submersion(world, id, &fluid, &out, NULL), TR_OK);
    return out;
}

/* a circle segment: r^2 (a - sin a cos a), with the centroid (2 r sin^3 a) / (3 (a - sin a cos a)) below the centre */
static void submerged_areas_are_exact(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body square = solid(world, box(0.5f, 0.5f), 10.0, 1.0, 1.0f), ball = solid(world, disc(0.75f), -3.0, 2.0, 1.0f);
    tr2_shape_def rod = tr2_capsule_on(nobody, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, 0.25f);
    tr2_body pill = solid(world, rod, 0.0, 0.0, 1.0f);
    for (int i = -2; i <= 12; i++) {
        double depth = 0.1 * i, inside = fmin(fmax(depth, 0.0), 1.0);
        tr2_submersion out = submersion(world, square, 0.5 + depth);
        NEARLY(out.area, inside, 1e-6);
        NEARLY(out.centroid.y, inside > 0.0 ? 0.5 + 0.5 * inside : 1.0, 1e-6);
        NEARLY(out.centroid.x, 10.0, 1e-6);

        double cosine = fmin(fmax(-(0.15 * i - 0.75) / 0.75, -1.0), 1.0), a = acos(cosine);
        double part = a - sin(a) * cos(a);
        out = submersion(world, ball, 2.0 - 0.75 + 0.15 * i);
        NEARLY(out.area, 0.5625 * part, 1e-6);
        NEARLY(out.centroid.y, part > 1e-9 ? 2.0 - 2.0 * 0.75 * pow(sin(a), 3.0) / (3.0 * part) : 2.0, 1e-5);

        /* a rectangle between the halves of a disc */
        double level = fmin(fmax(0.05 * i - 0.25, -0.25), 0.25);
        a = acos(-level / 0.25);
        out = submersion(world, pill, 0.05 * i - 0.25);
        NEARLY(out.area, 0.0625 * (a - sin(a) * cos(a)) + 2.0 * (level + 0.25), 1e-6);
        NEARLY(out.centroid.x, 0.0, 1e-6);
    }
}

/* of all kinds of shapes at all angles, against a grid of points; both sides of the surface add up to the whole */
static void submerged_areas_are_those_of_points(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 3;
    for (int i = 0; i < 60; i++) {
        tr2_shape_def def = tr2_shape_def_default(i % 3 == 0 ? TR2_CAPSULE : TR2_POLYGON);
        def.radius = i % 3 == 2 ? 0.0f : 0.1f + 0.4f * (float)draw(&seed);
        def.point_count = i % 3 == 0 ? 2 : 6;
        for (uint32_t k = 0; k < def.point_count; k++)
            def.point[k] = (tr_vec2){3.0f * (float)draw(&seed) - 1.5f, 3.0f * (float)draw(&seed) - 1.5f};
        def.body = make_turned(world, TR_DYNAMIC, 1.0, 2.0, 6.0 * draw(&seed));
        def.density = 1.0f;
        (void)add(world, def);
        tr2_fluid fluid = tr2_fluid_default();
        fluid.point = (tr_dvec2){1.0 + draw(&seed), 2.0 + draw(&seed)};
        fluid.normal = (tr_vec2){(float)draw(&seed) - 0.5f, 5.0f * (float)draw(&seed) - 2.5f};
        tr2_submersion in, out, all;
        assert_int_equal(tr2_body_submersion(world, def.body, &fluid, &in, NULL), TR_OK);
        double area = 0.0, x = 0.0, y = 0.0, cell = 1.0 / 128.0;
        tr2_points point = {1, NULL, NULL};
        for (int k = 0; k < 1024 * 1024; k += 17) {
            double px = -3.0 + cell * (k % 1024) + 1e-4, py = -2.0 + cell * (double)(k / 1024) + 1e-4;
            if ((px - fluid.point.x) * (double)fluid.normal.x + (py - fluid.point.y) * (double)fluid.normal.y > 0.0)
                continue;
            uint32_t first[2];
            point.x = &px;
            point.y = &py;
            assert_int_equal(tr2_world_overlap_points(world, &point, NULL, NULL, 0, first, NULL), TR_OK);
            area += first[1] * 17.0 * cell * cell;
            x += first[1] * 17.0 * cell * cell * px;
            y += first[1] * 17.0 * cell * cell * py;
        }
        NEARLY(in.area, area, 0.03);
        NEARLY(in.area * in.centroid.x, x, 0.06);
        NEARLY(in.area * in.centroid.y, y, 0.06);
        fluid.normal = (tr_vec2){-fluid.normal.x, -fluid.normal.y};
        assert_int_equal(tr2_body_submersion(world, def.body, &fluid, &out, NULL), TR_OK);
        fluid.point = (tr_dvec2){1000.0 * (double)fluid.normal.x, 1000.0 * (double)fluid.normal.y};
        fluid.normal = (tr_vec2){fluid.normal.x, fluid.normal.y};
        assert_int_equal(tr2_body_submersion(world, def.body, &fluid, &all, NULL), TR_OK);
        float mass;
        tr2_transform at;
        assert_ok(world, tr2_body_get_mass(world, def.body, &mass, NULL, NULL));
        assert_ok(world, tr2_body_get_transform(world, def.body, &at));
        NEARLY(in.area + out.area, (double)mass, 1e-5);
        NEARLY(all.area, (double)mass, 1e-5);
        assert_ok(world, tr2_world_destroy_body(world, def.body));
    }
}

/*
 * Floating
 */
static void float_for(tr2_world *world, const tr2_fluid *fluid, int steps)
{
    for (int i = 0; i < steps; i++) {
        assert_ok(world, tr2_world_apply_buoyancy(world, fluid, NULL, TR2_ALL_BODIES, DT));
        assert_ok(world, tr2_world_step(world, (double)DT, 4));
    }
}

/* Archimedes: a box comes to rest with the ratio of the densities under water; a heavier one sinks as g (1 -
   1/ratio) */
static void floats_lie_as_deep_as_their_density(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body light[5];
    for (int i = 0; i < 5; i++)
        light[i] = solid(world, box(1.0f, 0.5f), 10.0 * i, 0.2, 150.0f * (float)(i + 1));
    tr2_fluid fluid = tr2_fluid_default();
    fluid.damping = 3.0f;
    float_for(world, &fluid, 2000);
    for (int i = 0; i < 5; i++) {
        tr2_body_def now = body_now(world, light[i]);
        NEARLY(0.5 - now.position.y, 0.15 * (i + 1), 1e-4);
        NEARLY(now.angle, 0.0, 1e-4);
    }
    tr2_body stone = solid(world, box(0.2f, 0.2f), -10.0, -5.0, 2500.0f);
    fluid.damping = fluid.drag = 0.0f;
    float_for(world, &fluid, 50);
    NEARLY((double)body_now(world, stone).velocity.y, -9.81 * (1.0 - 0.4) * 0.5, 1e-4);
}

/* the torque of a heeled box is its weight times the righting arm: sin a (I/V + B^2...) by the wall-sided formula
   GZ = sin a (GM + BM tan^2 a / 2), with BM = b^3 / (12 b d), GM = KB + BM - KG */
static void a_heeled_box_is_righted(void **state)
{
    tr2_world *world = world_of(state);
    double breadth = 2.0, height = 0.6, draught = 0.3;
    for (int i = -3; i <= 3; i++) {
        double heel = 0.05 * i;
        tr2_body id = make_turned(world, TR_DYNAMIC, 0.0, 0.0, heel);
        tr2_shape_def def = tr2_box_on(id, 1.0f, 0.3f);
        def.density = 500.0f;
        (void)add(world, def);
        tr2_fluid fluid = tr2_fluid_default();
        assert_ok(world, tr2_world_apply_buoyancy(world, &fluid, &id, 1, DT));
        double force[3];
        waiting(world, id, force);
        double bm = breadth * breadth / (12.0 * draught), gm = draught / 2.0 + bm - height / 2.0, weight = 600.0 * 9.81;
        double arm = sin(heel) * (gm + 0.5 * bm * tan(heel) * tan(heel));
        NEARLY(force[0], 0.0, 1e-3);
        NEARLY(force[1], weight, 0.5);
        NEARLY(force[2], -weight * arm, 1e-4 * weight);
        assert_ok(world, tr2_world_destroy_body(world, id));
    }
}

/* without drag and damping a bobbing box keeps its energy: for many periods the height does not grow */
static void bobbing_gains_no_energy(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body id = solid(world, box(0.5f, 0.5f), 0.0, 0.1, 500.0f);
    tr2_fluid fluid = tr2_fluid_default();
    fluid.drag = fluid.damping = 0.0f;
    double highest = 0.0, lowest = 1.0, late = 0.0;
    for (int i = 0; i < 6000; i++) {
        assert_ok(world, tr2_world_apply_buoyancy(world, &fluid, NULL, TR2_ALL_BODIES, 1.0f / 60.0f));
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        double y = body_now(world, id).position.y;
        highest = fmax(highest, y);
        lowest = fmin(lowest, y);
        if (i >= 5400)
            late = fmax(late, y);
    }
    assert_true(highest < 0.1001 && lowest > -0.1001 && late > 0.01);
}

/* the frequency of bobbing: w^2 = g / draught */
static void bobbing_has_its_frequency(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body id = solid(world, box(0.5f, 0.5f), 0.0, 0.05, 500.0f);
    tr2_fluid fluid = tr2_fluid_default();
    fluid.drag = fluid.damping = 0.0f;
    double before = 0.05, crossed = -1.0;
    int crossings = 0;
    for (int i = 0; i < 4000 && crossings < 11; i++) {
        assert_ok(world, tr2_world_apply_buoyancy(world, &fluid, &id, 1, 0.005f));
        assert_ok(world, tr2_world_step(world, 0.005, 4));
        double y = body_now(world, id).position.y;
        if ((y < 0.0) != (before < 0.0)) {
            crossings++;
            double time = 0.005 * (i + before / (before - y));
            if (crossings == 1)
                crossed = time;
            else if (crossings == 11)
                NEARLY((time - crossed) / 10.0, PI / sqrt(9.81 / 0.5), 2e-3);
        }
        before = y;
    }
    assert_int_equal(crossings, 11);
}

/* damping: a submerged body's momentum and spin decay at the rate of damping times the ratio of the densities */
static void damping_is_a_rate(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    tr2_body id = solid(world, box(0.5f, 0.2f), 0.0, -10.0, 2000.0f);
    assert_ok(world, tr2_body_set_velocity(world, id, (tr_vec2){3.0f, -1.0f}, 2.0f));
    tr2_fluid fluid = tr2_fluid_default();
    fluid.drag = 0.0f;
    fluid.damping = 1.0f;
    fluid.velocity.x = 1.0f;
    double force[3];
    assert_ok(world, tr2_world_apply_buoyancy(world, &fluid, &id, 1, DT));
    waiting(world, id, force);
    float inertia;
    assert_ok(world, tr2_body_get_mass(world, id, NULL, &inertia, NULL));
    NEARLY(force[0], -0.4 * 1000.0 * 2.0, 1e-2);
    NEARLY(force[1], 0.4 * 1000.0 * 1.0, 1e-2);
    NEARLY(force[2], -0.5 * (double)inertia * 2.0, 1e-2);
}

/*
 * Explosions
 */

/* far away every shape receives the impulse per length times its width, straight away from the centre */
static void an_explosion_pushes_by_width(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    for (int i = 0; i < 8; i++) {
        double angle = 0.7 * i, x = 2000.0 * cos(angle), y = 2000.0 * sin(angle);
        tr2_body id = make_turned(world, TR_DYNAMIC, 1000.0 + x, y, angle);
        tr2_shape_def def = i % 2 == 0 ? tr2_box_on(id, 0.2f, 0.4f) : disc(0.4f);
        def.body = id;
        def.density = 100.0f;
        (void)add(world, def);
        tr2_explosion blast = tr2_explosion_default();
        blast.position.x = 1000.0;
        blast.radius = 3000.0f;
        assert_ok(world, tr2_world_explode(world, &blast));
        tr2_body_def now = body_now(world, id);
        float mass;
        assert_ok(world, tr2_body_get_mass(world, id, &mass, NULL, NULL));
        NEARLY((double)(mass * now.velocity.x), 80.0 * cos(angle), 0.02);
        NEARLY((double)(mass * now.velocity.y), 80.0 * sin(angle), 0.02);
        NEARLY((double)now.angular_velocity, 0.0, 1e-4);
        assert_ok(world, tr2_world_destroy_body(world, id));
    }
}

/* of a wall of length L at the distance D: 2 D atan(L / 2D), and beyond the radius the sum of small pieces */
static void an_explosion_is_an_integral(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    static const float near[] = {1e-3f, 0.1f, 0.7f, 2.0f, 5.0f};
    for (uint32_t i = 0; i < 5; i++) {
        for (int fading = 0; fading < 2; fading++) {
            double distance = (double)near[i];
            tr2_body id = solid(world, box(0.5f, 2.0f), 0.5 + distance, 1.0, 10.0f);
            tr2_explosion blast = tr2_explosion_default();
            blast.radius = fading ? 1.0f : 100.0f;
            blast.falloff = 3.0f;
            blast.impulse_per_length = 7.0f;
            assert_ok(world, tr2_world_explode(world, &blast));
            double x = 0.0, y = 0.0, turn = 0.0;
            for (int k = 0; k < 400000; k++) {
                double s = -1.0 + 4.0 * (k + 0.5) / 400000.0, d = hypot(distance, s);
                double strength = fading ? fmin(fmax(1.0 - (d - 1.0) / 3.0, 0.0), 1.0) : 1.0;
                double size = 7.0 * strength * 1e-5 * distance / (d * d);
                x += size * distance;
                y += size * s;
                turn += -0.5 * size * s - (s - 1.0) * size * distance;
            }
            float mass, inertia;
            assert_ok(world, tr2_body_get_mass(world, id, &mass, &inertia, NULL));
            tr2_body_def now = body_now(world, id);
            NEARLY((double)(mass * now.velocity.x), x, 2e-3);
            NEARLY((double)(mass * now.velocity.y), y, 2e-3);
            NEARLY((double)(inertia * now.angular_velocity), turn, 4e-3);
            if (!fading)
                NEARLY(x, 7.0 * distance * (atan(3.0 / distance) + atan(1.0 / distance)), 1e-3);
            assert_ok(world, tr2_world_destroy_body(world, id));
        }
    }
    /* a disc: the same integral over the angle under which it is seen */
    tr2_body ball = solid(world, disc(1.0f), 3.0, 0.0, 10.0f);
    tr2_explosion blast = tr2_explosion_default();
    blast.radius = 1.0f;
    blast.falloff = 2.0f;
    assert_ok(world, tr2_world_explode(world, &blast));
    double x = 0.0, most = asin(1.0 / 3.0);
    for (int k = 0; k < 100000; k++) {
        double a = most * (2.0 * (k + 0.5) / 100000.0 - 1.0);
        double d = 3.0 * cos(a) - sqrt(1.0 - 9.0 * sin(a) * sin(a));
        x += 100.0 * fmin(fmax(1.0 - (d - 1.0) / 2.0, 0.0), 1.0) * d * cos(a) * most * 2e-5;
    }
    NEARLY(10.0 * PI * (double)body_now(world, ball).velocity.x, x, 1e-3 * x);
}

/* two bodies that mirror each other receive opposite impulses; static ones, filtered ones, those out of reach and what
   contains the centre receive none */
static void explosions_are_symmetric_and_filtered(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    tr2_body left = solid(world, box(0.5f, 0.3f), -2.0, 0.5, 10.0f),
             right = solid(world, box(0.5f, 0.3f), 2.0, 0.5, 10.0f);
    tr2_body far = solid(world, box(0.5f, 0.3f), 8.0, 0.0, 10.0f), around = solid(world, disc(0.4f), 0.0, 0.0, 10.0f);
    tr2_shape_def other = disc(0.3f);
    other.filter.category = 2;
    tr2_body ghost = solid(world, other, 0.0, 1.5, 10.0f);
    tr2_body wall = make(world, TR_STATIC, 0.0, -2.0);
    (void)add(world, tr2_box_on(wall, 1.0f, 1.0f));
    tr2_explosion blast = tr2_explosion_default();
    blast.query.filter.mask = 1;
    assert_ok(world, tr2_world_explode(world, &blast));
    tr2_body_def a = body_now(world, left), b = body_now(world, right);
    assert_true(b.velocity.x > 1.0f && b.velocity.y > 0.0f);
    NEARLY((double)a.velocity.x, -(double)b.velocity.x, 1e-5);
    NEARLY((double)a.velocity.y, (double)b.velocity.y, 1e-5);
    NEARLY((double)a.angular_velocity, -(double)b.angular_velocity, 1e-5);
    assert_true(body_now(world, far).velocity.x == 0.0f && body_now(world, around).velocity.x == 0.0f);
    assert_true(body_now(world, ghost).velocity.y == 0.0f && body_now(world, wall).velocity.y == 0.0f);
    /* an implosion takes it back */
    blast.impulse_per_length = -blast.impulse_per_length;
    assert_ok(world, tr2_world_explode(world, &blast));
    NEARLY((double)body_now(world, right).velocity.x, 0.0, 1e-5);
}

/*
 * Lists, repeats, errors
 */
static void lists_and_bits(void **state)
{
    uint64_t want = 0;
    tr2_world *world = world_of(state);
    tr_isa best = tr_get_isa();
    for (int round = 0; round <= TR_ISA_COUNT; round++) {
        if (round > 0 && tr_set_isa((tr_isa)(round - 1)) != TR_OK)
            continue;
        tr2_world_def world_def = tr2_world_def_default();
        world_def.tag = 9;
        tr2_world *other;
        assert_int_equal(tr2_world_create(&world_def, &other, NULL), TR_OK);
        uint64_t seed = 31;
        for (int i = 0; i < 80; i++) {
            tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(i % TR2_SHAPE_KIND_COUNT));
            def.body = make_turned(other, TR_DYNAMIC, 2.0 * (i % 10), 2.0 * (double)(i / 10) - 8.0, 6.0 * draw(&seed));
            def.density = 300.0f;
            (void)add(other, def);
        }
        tr2_wind wind = tr2_wind_default();
        wind.velocity.x = 9.0f;
        wind.lift = 1.0f;
        tr2_fluid fluid = tr2_fluid_default();
        for (int i = 0; i < 60; i++) {
            tr2_explosion blast = tr2_explosion_default();
            blast.position = (tr_dvec2){0.3 * i, 1.0};
            assert_ok(other, tr2_world_explode(other, &blast));
            assert_ok(other, tr2_world_apply_wind(other, &wind, NULL, TR2_ALL_BODIES, DT));
            assert_ok(other, tr2_world_apply_buoyancy(other, &fluid, NULL, TR2_ALL_BODIES, DT));
            assert_ok(other, tr2_world_step(other, (double)DT, 4));
        }
        uint64_t hash = tr2_world_state_hash(other);
        assert_true(round == 0 || hash == want);
        want = hash;
        tr2_world_destroy(other);
    }
    assert_int_equal(tr_set_isa(best), TR_OK);

    /* listed twice, it receives it twice; an empty list nothing, all of it also those not listed */
    still(world);
    tr2_body a = solid(world, disc(0.5f), 0.0, 0.0, 1000.0f), b = solid(world, disc(0.5f), 5.0, 0.0, 1000.0f);
    tr2_body twice[2] = {a, a};
    tr2_wind wind = tr2_wind_default();
    wind.velocity.x = 10.0f;
    double one[3], two[3];
    assert_ok(world, tr2_world_apply_wind(world, &wind, twice, 2, DT));
    assert_ok(world, tr2_world_apply_wind(world, &wind, NULL, 0, DT));
    assert_ok(world, tr2_world_apply_wind(world, &wind, NULL, TR2_ALL_BODIES, 0.0f));
    waiting(world, a, two);
    waiting(world, b, one);
    assert_true(one[0] == 0.0);
    NEARLY(two[0], 120.0, 1e-3);
    assert_ok(world, tr2_world_apply_wind(world, &wind, NULL, TR2_ALL_BODIES, DT));
    waiting(world, b, one);
    NEARLY(one[0], 60.0, 1e-3);
}

static void invalid_input_changes_nothing(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ids[3];
    for (int i = 0; i < 3; i++)
        ids[i] = solid(world, disc(0.5f), 2.0 * i, 0.0, i == 1 ? 1e-30f : 1.0f);
    assert_ok(world, tr2_body_set_velocity(world, ids[1], (tr_vec2){-1e20f, 0.0f}, 0.0f));
    uint64_t before = tr2_world_state_hash(world);
    tr2_explosion blast = tr2_explosion_default();
    tr2_wind wind = tr2_wind_default();
    tr2_fluid fluid = tr2_fluid_default();
    tr2_submersion out = {5.0, {6.0, 7.0}};
    tr_error error;
    assert_int_equal(tr2_world_explode(NULL, &blast), TR_ERROR_NULL);
    assert_int_equal(tr2_world_explode(world, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_apply_wind(world, NULL, ids, 3, DT), TR_ERROR_NULL);
    assert_int_equal(tr2_world_apply_wind(world, &wind, NULL, 3, DT), TR_ERROR_NULL);
    assert_int_equal(tr2_world_apply_buoyancy(world, NULL, ids, 3, DT), TR_ERROR_NULL);
    assert_int_equal(tr2_body_submersion(world, ids[0], &fluid, NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_body_submersion(world, nobody, &fluid, &out, &error), TR_ERROR_NULL_ID);
    assert_string_equal(error.message, "body_submersion: id is the null id");
    blast.radius = -1.0f;
    assert_int_equal(tr2_world_explode(world, &blast), TR_ERROR_NEGATIVE);
    assert_string_equal(tr2_world_last_error(world)->message, "explode: explosion.radius is -1, must not be negative");
    blast.radius = 1e9f;
    assert_int_equal(tr2_world_explode(world, &blast), TR_ERROR_RANGE);
    blast.radius = NAN;
    assert_int_equal(tr2_world_explode(world, &blast), TR_ERROR_NAN);
    /* the light body in the middle cannot take it: the first one gives it back */
    blast = tr2_explosion_default();
    blast.position.x = -1.0;
    blast.impulse_per_length = 1e10f;
    assert_int_equal(tr2_world_explode(world, &blast), TR_ERROR_RANGE);
    wind.drag = -1.0f;
    assert_int_equal(tr2_world_apply_wind(world, &wind, ids, 3, DT), TR_ERROR_NEGATIVE);
    wind.drag = INFINITY;
    assert_int_equal(tr2_world_apply_wind(world, &wind, ids, 3, DT), TR_ERROR_INFINITE);
    wind = tr2_wind_default();
    assert_int_equal(tr2_world_apply_wind(world, &wind, ids, 3, -DT), TR_ERROR_NEGATIVE);
    wind.density = 1e20f;
    wind.velocity.x = 1e20f;
    assert_int_equal(tr2_world_apply_wind(world, &wind, ids, 3, 1e-30f), TR_ERROR_RANGE);
    tr2_body list[2] = {ids[0], {77, 7, 0}};
    wind = tr2_wind_default();
    assert_int_equal(tr2_world_apply_wind(world, &wind, list, 2, DT), TR_ERROR_STALE_ID);
    fluid.normal.y = 0.0f;
    assert_int_equal(tr2_world_apply_buoyancy(world, &fluid, ids, 3, DT), TR_ERROR_ZERO);
    assert_int_equal(tr2_body_submersion(world, ids[0], &fluid, &out, NULL), TR_ERROR_ZERO);
    fluid = tr2_fluid_default();
    fluid.damping = NAN;
    assert_int_equal(tr2_world_apply_buoyancy(world, &fluid, ids, 3, DT), TR_ERROR_NAN);
    assert_true(out.area == 5.0 && out.centroid.y == 7.0);
    assert_true(tr2_world_state_hash(world) == before);
    for (int i = 0; i < 3; i++) {
        double force[3];
        waiting(world, ids[i], force);
        assert_true(force[0] == 0.0 && force[1] == 0.0 && force[2] == 0.0);
    }
}

/* wherever memory ends, nothing has changed, and with memory the call works */
static void without_memory_nothing_changes(void **state)
{
    tr2_world *world = world_of(state);
    test_allocator *allocator = &((fixture *)*state)->allocator;
    tr2_body id = solid(world, disc(0.5f), 2.0, 0.0, 1.0f);
    tr2_explosion blast = tr2_explosion_default();
    tr2_wind wind = tr2_wind_default();
    wind.velocity.x = 1.0f;
    uint64_t before = tr2_world_state_hash(world);
    uint32_t failures = 0;
    for (int call = 0; call < 2; call++) {
        tr_status status = TR_ERROR_MEMORY;
        for (uint32_t after = 1; status == TR_ERROR_MEMORY; after++) {
            assert_true(tr2_world_state_hash(world) == before);
            allocator->fail_at = allocator->calls + after;
            status = call == 0 ? tr2_world_apply_wind(world, &wind, &id, 1, DT) : tr2_world_explode(world, &blast);
            allocator->fail_at = 0;
            failures += status != TR_OK;
        }
        assert_int_equal(status, TR_OK);
    }
    assert_true(failures >= 4);
    double force[3];
    waiting(world, id, force);
    assert_true(force[0] > 0.0 && body_now(world, id).velocity.x > 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(submerged_areas_are_exact),
        TEST(submerged_areas_are_those_of_points),
        TEST(floats_lie_as_deep_as_their_density),
        TEST(a_heeled_box_is_righted),
        TEST(bobbing_gains_no_energy),
        TEST(bobbing_has_its_frequency),
        TEST(damping_is_a_rate),
        TEST(an_explosion_pushes_by_width),
        TEST(an_explosion_is_an_integral),
        TEST(explosions_are_symmetric_and_filtered),
        TEST(lists_and_bits),
        TEST(invalid_input_changes_nothing),
        TEST(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
