/*
 * Contacts of the direct method that are found anew in each kick, where their bodies turn much within a step.
 */
#include "exact_world.h"

#include "solver/exact/exact.h"

#define DT (1.0 / 60.0)

/* The points of a found contact are the contact's that they are nearest to; of one point it is the deepest. */
static void points_keep_their_places(void **state)
{
    (void)state;
    const tr2_exact_contact two = {.normal = {0.0, 1.0},
                                   .arm_a = {1.0, 0.5},
                                   .arm_b = {1.0, -0.5},
                                   .further = {{0.0, 0.0}, {-2.0, 0.0}},
                                   .points = 2};
    tr2_found_contact found = {.normal = {0.6, 0.8}, .reach = 9.0};
    tr2_exact_contact c = two;
    /* both, in the other order */
    found.count = 2;
    found.arm[0] = (tr_dvec2){-1.1, 0.6};
    found.arm[1] = (tr_dvec2){0.9, 0.4};
    found.separation[0] = -0.1;
    found.separation[1] = 0.2;
    tr2_exact_contact_found(&c, &found, (tr_dvec2){0.25, 1.0});
    assert_true(c.there[0] && c.there[1]);
    NEAR("gap of the first", c.gap[0], 0.2, 0.0);
    NEAR("gap of the second", c.gap[1], -0.1, 0.0);
    NEAR("normal", c.normal.x, 0.6, 0.0);
    NEAR("arm of A", c.arm_a.x, 0.9, 0.0);
    NEAR("arm of B along x", c.arm_b.x, 0.65, 1e-15);
    NEAR("arm of B along y", c.arm_b.y, -0.6, 1e-15);
    NEAR("to the second along x", c.further[1].x, -2.0, 1e-15);
    NEAR("to the second along y", c.further[1].y, 0.2, 1e-15);
    /* one, which is the second */
    c = two;
    found.count = 1;
    tr2_exact_contact_found(&c, &found, (tr_dvec2){0.25, 1.0});
    assert_true(!c.there[0] && c.there[1]);
    NEAR("gap of the one", c.gap[1], -0.1, 0.0);
    NEAR("gap of what is not there", c.gap[0], 9.0, 0.0);
    NEAR("arm of the one", c.arm_a.x + c.further[1].x, -1.1, 1e-15);
    /* two of a contact that has one point */
    c = two;
    c.points = 1;
    found.count = 2;
    found.separation[0] = 0.3;
    tr2_exact_contact_found(&c, &found, (tr_dvec2){0.25, 1.0});
    NEAR("the deepest", c.gap[0], 0.2, 0.0);
    NEAR("its arm", c.arm_a.x, 0.9, 0.0);
    /* none: it is as it was */
    c = two;
    found.count = 0;
    tr2_exact_contact_found(&c, &found, (tr_dvec2){0.25, 1.0});
    assert_true(!c.there[0] && !c.there[1]);
    NEAR("normal of none", c.normal.y, 1.0, 0.0);
}

/*
 * A plank on a hinge lies on a disc that the host moves towards the hinge at 3 m/s: its angle is that whose sine is the sum
 * of the disc's radius and half the plank's thickness over the distance. In a sub-step of h the plank goes along the tangent
 * of its arc and is then off by h^2/2 times the acceleration of the disc's distance from it, which is below 200 m/s^2: 1.8 mm,
 * at 0.4 m 5 mrad. With the normal of the start of the step it would be up to sixteen times that.
 */
static void a_plank_follows_a_disc(bool capsule)
{
    const double radius = 0.25, half = 0.05, speed = 3.0;
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, 0.0);
    const double begin = asin((radius + half) / 1.2);
    tr2_body plank = body_at(world, cos(begin), sin(begin), 0.0, 2.0, 0.7);
    MUST(tr2_body_set_transform(world, plank, (tr_dvec2){cos(begin), sin(begin)}, begin));
    tr2_shape_def shape = capsule ? tr2_capsule_on(plank, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, (float)half)
                                  : tr2_box_on(plank, 1.0f, (float)half);
    shape.surface.friction = 0.0f;
    shape.density = 0.0f;
    MUST(tr2_world_create_shape(world, &shape, NULL));
    (void)join(world, joint_between(TR2_JOINT_REVOLUTE, ground, plank, (tr_vec2){0.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}));
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_KINEMATIC;
    def.position.x = 1.2;
    def.velocity.x = (float)-speed;
    tr2_body disc;
    MUST(tr2_world_create_body(world, &def, &disc));
    tr2_shape_def round = tr2_circle_on(disc, (tr_vec2){0.0f, 0.0f}, (float)radius);
    round.surface.friction = 0.0f;
    MUST(tr2_world_create_shape(world, &round, NULL));
    double worst = 0.0;
    uint32_t steps_made = 0;
    while (body_now(world, disc).position.x > 0.40) {
        steps(world, DT, 4, 1);
        const double want = asin((radius + half) / body_now(world, disc).position.x);
        worst = steps_made++ > 1 ? fmax(worst, fabs(body_now(world, plank).angle - want)) : worst;
    }
    print_message("a plank of a %s is off by %.2g rad\n", capsule ? "capsule" : "box", worst);
    assert_true(steps_made > 10);
    NEAR("angle", worst, 0.0, 5e-3);
    tr2_world_destroy(world);
}

static void planks_follow_a_disc(void **state)
{
    (void)state;
    a_plank_follows_a_disc(false);
    a_plank_follows_a_disc(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_keep_their_places),
        cmocka_unit_test(planks_follow_a_disc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
