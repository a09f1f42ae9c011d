/*
 * Mass of solids: against closed forms, against sums over a fine grid of points, and by what must not change it:
 * rotation, place, and the order of shapes.
 */
#include "instrumented.h"
#include "scene/core/storage.h"
#include "space_scene.h"

#define PI 3.14159265358979323846

static tr3_scene_shape solid(tr3_scene_shape_type type, float density)
{
    tr3_scene_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.type = type;
    shape.density = density;
    shape.rotation.w = 1.0f;
    return shape;
}

static tr3_mass mass_of(tr3_scene_shape *shapes, uint32_t count)
{
    const tr3_scene scene = {.shapes = shapes, .shape_count = count};
    return tr3_scene_mass(&scene, 0, count);
}

/* relative to the mass and to the sum of the moments */
static void assert_near(const tr3_mass *have, double mass, tr_dvec3 center, tr_dsym3 inertia, double slack,
                        double reach)
{
    const double trace = inertia.xx + inertia.yy + inertia.zz;
    const double wrong[6] = {have->inertia.xx - inertia.xx, have->inertia.yy - inertia.yy,
                             have->inertia.zz - inertia.zz, have->inertia.xy - inertia.xy,
                             have->inertia.xz - inertia.xz, have->inertia.yz - inertia.yz};
    if (!(fabs(have->mass - mass) <= slack * mass))
        fail_msg("mass %.9g, not %.9g", have->mass, mass);
    if (!(space_length(space_minus(have->center, center)) <= slack * reach))
        fail_msg("centre %.9g %.9g %.9g, not %.9g %.9g %.9g", have->center.x, have->center.y, have->center.z, center.x,
                 center.y, center.z);
    for (uint32_t i = 0; i < 6; i++)
        if (!(fabs(wrong[i]) <= slack * trace))
            fail_msg("part %u of the tensor is off by %.3g of its trace", i, wrong[i] / trace);
}

/* the numbers below are exact in floats, so that only the sums in double are left */
static void solids_have_their_closed_forms(void **state)
{
    (void)state;
    const double slack = 1e-14;
    const double rho = 2.5, r = 0.75, l = 3.0;
    tr3_scene_shape sphere = solid(TR3_SCENE_SPHERE, 2.5f), box = solid(TR3_SCENE_BOX, 2.5f);
    tr3_scene_shape cylinder = solid(TR3_SCENE_CYLINDER, 2.5f), capsule = solid(TR3_SCENE_CAPSULE, 2.5f);
    tr3_mass mass;

    sphere.radius = 0.75f;
    sphere.center = (tr_vec3){1.0f, -2.0f, 0.5f};
    double m = rho * 4.0 / 3.0 * PI * r * r * r, i = 0.4 * m * r * r;
    mass = mass_of(&sphere, 1);
    assert_near(&mass, m, (tr_dvec3){1.0, -2.0, 0.5}, (tr_dsym3){i, i, i, 0.0, 0.0, 0.0}, slack, 1.0);

    box.half = (tr_vec3){0.5f, 1.0f, 2.0f};
    m = rho * 8.0;
    mass = mass_of(&box, 1);
    assert_near(&mass, m, (tr_dvec3){0.0, 0.0, 0.0},
                (tr_dsym3){m * 5.0 / 3.0, m * 4.25 / 3.0, m * 1.25 / 3.0, 0.0, 0.0, 0.0}, slack, 1.0);
    /* a quarter turn about x swaps y and z, up to the rounding of the float rotation, which is made a unit one */
    box.rotation = (tr_quat){0.70710678f, 0.0f, 0.0f, 0.70710678f};
    mass = mass_of(&box, 1);
    assert_near(&mass, m, (tr_dvec3){0.0, 0.0, 0.0},
                (tr_dsym3){m * 5.0 / 3.0, m * 1.25 / 3.0, m * 4.25 / 3.0, 0.0, 0.0, 0.0}, slack, 1.0);

    cylinder.radius = 0.75f;
    cylinder.from = (tr_vec3){-1.5f, 1.0f, 0.0f};
    cylinder.to = (tr_vec3){1.5f, 1.0f, 0.0f};
    m = rho * PI * r * r * l;
    i = m * (3.0 * r * r + l * l) / 12.0;
    mass = mass_of(&cylinder, 1);
    assert_near(&mass, m, (tr_dvec3){0.0, 1.0, 0.0}, (tr_dsym3){0.5 * m * r * r, i, i, 0.0, 0.0, 0.0}, slack, 1.0);

    /* by its two balls and its tube: each half ball beyond its flat side, by the theorem of parallel axes */
    capsule.radius = 0.75f;
    capsule.from = (tr_vec3){0.0f, 0.0f, 2.0f};
    capsule.to = (tr_vec3){0.0f, 0.0f, 5.0f};
    const double tube = rho * PI * r * r * l, ball = rho * 4.0 / 3.0 * PI * r * r * r, far = 0.5 * l + 0.375 * r;
    const double own = 0.4 * ball * r * r - ball * 0.375 * r * 0.375 * r;
    i = tube * (3.0 * r * r + l * l) / 12.0 + own + ball * far * far;
    mass = mass_of(&capsule, 1);
    assert_near(&mass, tube + ball, (tr_dvec3){0.0, 0.0, 3.5},
                (tr_dsym3){i, i, 0.5 * tube * r * r + 0.4 * ball * r * r, 0.0, 0.0, 0.0}, slack, 1.0);
    /* without length it is a ball, and a cylinder is nothing */
    capsule.to = capsule.from;
    mass = mass_of(&capsule, 1);
    i = 0.4 * ball * r * r;
    assert_near(&mass, ball, (tr_dvec3){0.0, 0.0, 2.0}, (tr_dsym3){i, i, i, 0.0, 0.0, 0.0}, slack, 1.0);
    cylinder.to = cylinder.from;
    mass = mass_of(&cylinder, 1);
    assert_true(mass.mass == 0.0 && mass.inertia.xx == 0.0);
}

/*
 * Sums over points
 */
static double squared_distance(tr_dvec3 p, tr_dvec3 a, tr_dvec3 b, double *along)
{
    const tr_dvec3 d = space_minus(b, a), e = space_minus(p, a);
    const double length = d.x * d.x + d.y * d.y + d.z * d.z, dot = d.x * e.x + d.y * e.y + d.z * e.z;
    *along = dot / length;
    const double t = fmin(fmax(*along, 0.0), 1.0);
    const tr_dvec3 off = {e.x - t * d.x, e.y - t * d.y, e.z - t * d.z};
    return off.x * off.x + off.y * off.y + off.z * off.z;
}

/* by the matrix of the quaternion, which is another way than that of src/scene */
static bool is_inside_box(const tr3_scene_shape *box, tr_dvec3 p)
{
    const double x = (double)box->rotation.x, y = (double)box->rotation.y, z = (double)box->rotation.z,
                 w = (double)box->rotation.w, s = 2.0 / (x * x + y * y + z * z + w * w);
    const double rows[3][3] = {{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                               {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
                               {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}};
    const double d[3] = {p.x - (double)box->center.x, p.y - (double)box->center.y, p.z - (double)box->center.z};
    const double half[3] = {(double)box->half.x, (double)box->half.y, (double)box->half.z};
    for (uint32_t c = 0; c < 3; c++)
        if (fabs(rows[0][c] * d[0] + rows[1][c] * d[1] + rows[2][c] * d[2]) > half[c])
            return false;
    return true;
}

static bool is_inside(const tr3_scene_shape *shape, tr_dvec3 p)
{
    const double r = (double)shape->radius;
    const tr_dvec3 a = {(double)shape->from.x, (double)shape->from.y, (double)shape->from.z};
    const tr_dvec3 b = {(double)shape->to.x, (double)shape->to.y, (double)shape->to.z};
    const tr_dvec3 c = {(double)shape->center.x, (double)shape->center.y, (double)shape->center.z};
    double along = 0.5;
    switch (shape->type) {
    case TR3_SCENE_SPHERE:
        return space_length(space_minus(p, c)) <= r;
    case TR3_SCENE_CAPSULE:
        return squared_distance(p, a, b, &along) <= r * r;
    case TR3_SCENE_CYLINDER:
        return squared_distance(p, a, b, &along) <= r * r && along >= 0.0 && along <= 1.0;
    default:
        return is_inside_box(shape, p);
    }
}

/* along each edge of a cube that holds all; sanitizers make a point ten times as slow */
enum { POINTS = TR_ADDRESS_SANITIZER ? 80 : 160 };

static tr3_mass sum_of_points(const tr3_scene_shape *shapes, uint32_t count, double reach)
{
    const double h = 2.0 * reach / POINTS, cell = h * h * h;
    double mass = 0.0;
    tr_dvec3 first = {0.0, 0.0, 0.0};
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;
    for (uint32_t n = 0; n < POINTS * POINTS * POINTS; n++) {
        const tr_dvec3 p = {(n % POINTS + 0.5) * h - reach, (n / POINTS % POINTS + 0.5) * h - reach,
                            (n / POINTS / POINTS + 0.5) * h - reach};
        double m = 0.0;
        for (uint32_t i = 0; i < count; i++)
            m += is_inside(&shapes[i], p) ? cell * (double)shapes[i].density : 0.0;
        mass += m;
        first = (tr_dvec3){first.x + m * p.x, first.y + m * p.y, first.z + m * p.z};
        xx += m * p.x * p.x;
        yy += m * p.y * p.y;
        zz += m * p.z * p.z;
        xy += m * p.x * p.y;
        xz += m * p.x * p.z;
        yz += m * p.y * p.z;
    }
    const tr_dvec3 c = {first.x / mass, first.y / mass, first.z / mass};
    xx -= mass * c.x * c.x;
    yy -= mass * c.y * c.y;
    zz -= mass * c.z * c.z;
    return (tr3_mass){
        mass, c, {yy + zz, zz + xx, xx + yy, mass * c.x * c.y - xy, mass * c.x * c.z - xz, mass * c.y * c.z - yz}};
}

/*
 * Of a cell at the surface the sum takes all or nothing. With some 10,000 to 40,000 such cells per solid of 100,000 or
 * more, each wrong by a third of a cell at random, that is some 5e-4 of the whole: the bound is twice that, and a wrong
 * coefficient is 1e-2 or more.
 */
#define POINTS_SLACK (1e-3 * (160 / POINTS) * (160 / POINTS))

static void solids_have_the_mass_of_their_points(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (uint32_t trial = 0; trial < 8; trial++) {
        tr3_scene_shape shapes[4];
        const uint32_t count = trial < 4 ? 1 : 4; /* each alone, and all on one body */
        for (uint32_t i = 0; i < count; i++) {
            float n[14];
            for (uint32_t k = 0; k < 14; k++)
                n[k] = space_random(&seed);
            shapes[i] = solid((tr3_scene_shape_type)((trial + i) % 4), 1.0f + 0.5f * n[0]);
            shapes[i].center = (tr_vec3){0.3f * n[1], 0.3f * n[2], 0.3f * n[3]};
            shapes[i].rotation = (tr_quat){n[4], n[5], n[6], n[7]};
            shapes[i].half = (tr_vec3){0.3f + 0.1f * n[8], 0.4f + 0.1f * n[9], 0.2f + 0.1f * n[10]};
            shapes[i].from = (tr_vec3){0.3f * n[1] - 0.2f, 0.3f * n[2] - 0.2f, 0.3f * n[3] - 0.2f};
            shapes[i].to = (tr_vec3){0.3f * n[8] + 0.2f, 0.3f * n[9] + 0.2f, 0.3f * n[10] + 0.2f};
            shapes[i].radius = 0.35f + 0.1f * n[11];
        }
        tr3_mass have = mass_of(shapes, count), points = sum_of_points(shapes, count, 1.0);
        assert_near(&have, points.mass, points.center, points.inertia, POINTS_SLACK, 1.0);
    }
}

/* about the common centre the tensor is as exact 1,000 km from the origin as at it */
static void place_and_order_change_nothing(void **state)
{
    (void)state;
    tr3_scene_shape shapes[3] = {solid(TR3_SCENE_SPHERE, 1.0f), solid(TR3_SCENE_BOX, 2.0f),
                                 solid(TR3_SCENE_CAPSULE, 3.0f)};
    shapes[0].radius = 1.0f;
    shapes[1].half = (tr_vec3){0.5f, 0.25f, 2.0f};
    shapes[1].center = (tr_vec3){1.0f, 2.0f, 0.0f};
    shapes[1].rotation = (tr_quat){0.1f, 0.5f, -0.3f, 0.7f};
    shapes[2].from = (tr_vec3){0.0f, 1.0f, 0.0f};
    shapes[2].to = (tr_vec3){1.0f, 1.0f, 3.0f};
    shapes[2].radius = 0.5f;
    const tr3_mass near = mass_of(shapes, 3);
    for (uint32_t i = 0; i < 3; i++) {
        shapes[i].center.x += 1048576.0f;
        shapes[i].from.x += 1048576.0f;
        shapes[i].to.x += 1048576.0f;
    }
    const tr3_mass there = mass_of(shapes, 3);
    const tr_dvec3 moved = {near.center.x + 1048576.0, near.center.y, near.center.z};
    assert_near(&there, near.mass, moved, near.inertia, 1e-9, 1.0);
    const tr3_scene_shape first = shapes[0];
    shapes[0] = shapes[2];
    shapes[2] = first;
    const tr3_mass turned = mass_of(shapes, 3);
    assert_near(&turned, near.mass, moved, near.inertia, 1e-9, 1.0);
}

#ifdef TR_WITH_SCENES

/* which of the three members a file states decides whether shapes give mass */
static void files_take_mass_from_shapes_unless_they_state_it(void **state)
{
    (void)state;
#define BOX "\"shapes\": [{\"type\": \"box\", \"center\": [1, 0, 0], \"half\": [0.5, 1, 1.5], \"density\": 10}]"
    tr3_scene *scene = space_parse(
        "{\"trammel\": 1, \"dimension\": 3, \"bodies\": [{" BOX "}, {\"mass\": 5, " BOX "}, {\"inertia\": 2, " BOX
        "}, {\"center\": [0, 0, 0], " BOX "}, {\"type\": \"static\", " BOX "}, {\"shapes\": [{\"type\": \"sphere\","
        "\"radius\": 1, \"density\": 0}]}, {\"shapes\": [{\"type\": \"sphere\", \"radius\": 1}]}]}");
    const tr3_body_def standard = tr3_body_def_default();
    const tr3_body_def *body = &scene->bodies[0].def;
    assert_true(body->mass == 60.0f && body->center.x == 1.0f && body->center.y == 0.0f);
    assert_true(body->inertia.xx == 65.0f && body->inertia.yy == 50.0f && body->inertia.zz == 25.0f);
    assert_true(body->inertia.xy == 0.0f && body->inertia.xz == 0.0f && body->inertia.yz == 0.0f);
    for (uint32_t i = 1; i < 6; i++) {
        body = &scene->bodies[i].def;
        assert_true(body->mass == (i == 1 ? 5.0f : standard.mass));
        assert_true(body->inertia.xx == (i == 2 ? 2.0f : standard.inertia.xx));
        assert_true(body->center.x == 0.0f);
    }
    /* of water, if it does not say */
    assert_true(fabsf(scene->bodies[6].def.mass - 4188.79f) < 0.01f);
    tr3_scene_destroy(scene);
}

/* what a reader computed is what it would compute again, and a world takes it, however the solid lies */
static void computed_mass_is_taken_by_a_world(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (uint32_t trial = 0; trial < 300; trial++) {
        char text[600];
        float n[10];
        for (uint32_t i = 0; i < 10; i++)
            n[i] = space_random(&seed);
        const double scale = pow(10.0, 3.0 * (double)n[9]);
        /* thin rods and flat plates, too: moments up to 1e5 apart */
        snprintf(
            text, sizeof text,
            "{\"trammel\": 1, \"dimension\": 3, \"bodies\": [{\"shapes\": [{\"type\": \"box\", \"half\": [%g, %g, %g],"
            "\"center\": [%g, %g, %g], \"rotation\": [%g, %g, %g, %g]}%s]}]}",
            scale * pow(10.0, (double)n[0]), scale * pow(10.0, (double)n[1]), scale * pow(10.0, (double)n[2]),
            scale * (double)n[3], scale * (double)n[4], scale * (double)n[5], (double)n[6], (double)n[7], (double)n[8],
            (double)n[9],
            trial % 2 == 0 ? ""
                           : ", {\"type\": \"cylinder\", \"from\": [0, 0, 0], \"to\": [0, 0.01, 0.1], \"radius\": 1}");
        tr3_scene *scene = space_parse(text);
        tr3_world_destroy(space_build(scene));
        tr3_scene_destroy(scene);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_have_their_closed_forms),
        cmocka_unit_test(solids_have_the_mass_of_their_points),
        cmocka_unit_test(place_and_order_change_nothing),
#ifdef TR_WITH_SCENES
        cmocka_unit_test(files_take_mass_from_shapes_unless_they_state_it),
        cmocka_unit_test(computed_mass_is_taken_by_a_world),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
