/*
 * Scenes that others drew, and the car: they run for 20 s and stay on their ground. Nothing passes through anything,
 * which geometry alone says (overlaps.h), nothing explodes, nothing falls out of the world.
 */
#include "physics.h"

#include "overlaps.h"
#include "scene_file.h"

#ifdef TR_WITH_SCENES

typedef struct bounds {
    const char *folder, *name;
    double depth;   /* m, after the first second: scenes may begin with overlaps */
    double fastest; /* m/s, of any body at any time */
    double energy;  /* J, at the end */
} bounds;

/* the fastest of all, and whether none is below the lowest of what is fixed */
static double look_at_bodies(const tr2_world *world, double floor)
{
    double fastest = 0.0;
    tr2_body_view view = tr2_world_bodies(world);
    for (uint32_t i = 0; i < view.count; i++) {
        tr2_body_def now;
        MUST(tr2_body_get(world, view.id[i], &now));
        fastest = fmax(fastest, hypot((double)now.velocity.x, (double)now.velocity.y));
        if (now.type == TR_DYNAMIC && !(now.position.y > floor))
            fail_msg("body %u is at %g, below the lowest ground at %g", i, now.position.y, floor);
    }
    return fastest;
}

static double lowest_ground(const tr2_world *world)
{
    double lowest = INFINITY;
    for (uint32_t i = 0; i < world->shapes.table.count; i++) {
        placed_shape placed;
        tr2_body_def body;
        MUST(tr2_body_get(world, world->shapes.body[i], &body));
        assert_true(place_shape(world, i, &placed));
        if (body.type == TR_STATIC)
            lowest = fmin(lowest, placed.low);
    }
    return lowest;
}

static void runs(bounds most)
{
    tr2_scene *scene = load_file(most.folder, most.name);
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = 1;
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    MUST(tr2_scene_build(scene, world, NULL, NULL, NULL));
    double floor = lowest_ground(world), deepest = 0.0, fastest = 0.0;
    uint32_t hertz = (uint32_t)scene->hertz, count = TRIALS(20) * hertz;
    for (uint32_t i = 0; i < count; i++) {
        steps(world, 1.0 / hertz, scene->substeps, 1);
        fastest = fmax(fastest, look_at_bodies(world, floor));
        if (i >= hertz)
            deepest = fmax(deepest, deepest_overlap(world).depth);
    }
    double energy = tr2_world_measure(world).kinetic_energy;
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
    NEAR(most.name, deepest, 0.0, most.depth);
    NEAR(most.name, fastest, 0.0, most.fastest);
    if (TRIALS(20) == 20)
        NEAR(most.name, energy, 0.0, most.energy);
}

#define RUBE TR_SHARED_DIR "/scenes/rube2d"

/* On tyres of 20 plates of some 80 g each: the plates carry the truck. Something small keeps turning, with 0.39 J. */
static void the_truck_stands_on_its_tyres(void **state)
{
    (void)state;
    runs((bounds){RUBE, "von_truck.json", 0.02, 10.0, 0.5});
}

static void the_walker_stands_on_its_feet(void **state)
{
    (void)state;
    runs((bounds){RUBE, "von_walker.json", 0.02, 10.0, 1e-4});
}

/* Ragdolls without limits fold and fall: what touches in them is solved with their joints (docs/solver.md). A lever
   then throws a ball at 28 m/s, which its end stop leads on a circle of 4.4 m: that is below 2 cm (docs/collision-design.md,
   bodies that turn). Two light bodies are caught between heavy ones and what stands still, all swept: a plate of 26 g below
   a paddle, and the lever of 1.7 kg below the ball of 7.9 kg, which comes at 10 m/s. By how that meets the lever it is 1.5 to
   5.4 cm deep in a single step, and comes to rest, or rolls on at 1 m/s: in 32 runs from starts that differ by less than
   0.2 mm, with two ways of solving the ragdolls. */
static void the_machine_runs_down(void **state)
{
    (void)state;
    runs((bounds){RUBE, "von_rube.json", 0.06, 35.0, 15.0});
}

/* bodies that the host moves, which carry 2 kJ */
static void joints_between_moving_bodies_hold(void **state)
{
    (void)state;
    runs((bounds){RUBE, "ind_joints.json", 0.02, 15.0, 5e3});
}

/* On the hill it rolls slowly to and fro around where its motor holds it, 870 kg at less than 1 m/s. (Boxes that a car
   presses against a wall give way by more: test_physics_press.c.) */
static void the_car_stays_on_its_hill(void **state)
{
    (void)state;
    runs((bounds){TR_SCENES_DIR, "car.json", 0.02, 15.0, 435.0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truck_stands_on_its_tyres), cmocka_unit_test(the_walker_stands_on_its_feet),
        cmocka_unit_test(the_machine_runs_down),         cmocka_unit_test(joints_between_moving_bodies_hold),
        cmocka_unit_test(the_car_stays_on_its_hill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
