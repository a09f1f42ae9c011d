/*
 * A building of bricks and mortar, and a ball that is thrown at it. Each brick is a polygon. Each joint of mortar is a
 * weld that breaks at a given force or torque; loose bricks fall on what still stands. The scene is a generated one:
 * `trammel run debris:20000` runs the same. Usage: debris [BRICKS [SECONDS]]; 1,500 for 3 s.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <trammel/trammel.h>

/* prints how much broke, the number of pieces, the farthest brick and the greatest speed */
static void summary(const tr2_world *world, double seconds, uint64_t welds)
{
    tr_statistics statistics = tr2_world_statistics(world);
    tr2_body_view bodies = tr2_world_bodies(world);
    double fastest = 0.0, farthest = 0.0;
    for (uint32_t row = 0; row < bodies.count; row++) {
        double speed = hypot((double)bodies.velocity_x[row], (double)bodies.velocity_y[row]);
        fastest = speed > fastest ? speed : fastest;
        farthest = bodies.center_x[row] > farthest ? bodies.center_x[row] : farthest;
    }
    printf("%4.1f s  %6u of %u welds broken  %6u contacts  %5u pieces  fastest %5.1f m/s  farthest %5.1f m  step %.2f "
           "ms\n",
           seconds, (unsigned)statistics.broken_joints, (unsigned)welds, statistics.contacts, statistics.islands,
           fastest, farthest, 1e3 * statistics.seconds);
}

/* the greatest force that broke a weld in the last step; 0 if none broke */
static float hardest_blow(const tr2_world *world)
{
    float most = 0.0f;
    tr2_event_view events = tr2_world_events(world);
    for (uint32_t i = 0; i < events.count; i++) {
        tr_vec2 force = events.event[i].reaction.force;
        float size = hypotf(force.x, force.y);
        most = events.event[i].kind == TR_EVENT_BROKEN && size > most ? size : most;
    }
    return most;
}

static tr_status run(tr2_world *world, const tr2_scene *scene, double seconds)
{
    float hardest = 0.0f;
    int steps = (int)(seconds * scene->hertz + 0.5), each = (int)(scene->hertz / 2.0);
    for (int i = 0; i < steps; i++) {
        tr_status status = tr2_world_step(world, 1.0 / scene->hertz, scene->substeps);
        if (status != TR_OK)
            return status;
        float blow = hardest_blow(world);
        hardest = blow > hardest ? blow : hardest;
        if ((i + 1) % each == 0 || i + 1 == steps)
            summary(world, (i + 1) / scene->hertz, scene->joint_count);
    }
    printf("the hardest blow that a weld broke under: %.0f kN\n", 1e-3 * (double)hardest);
    return TR_OK;
}

int main(int argc, char **argv)
{
    uint32_t bricks = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1500;
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 3.0;
    if (!(seconds > 0.0 && seconds <= 3600.0)) {
        fprintf(stderr, "usage: debris [BRICKS [SECONDS]]\n");
        return 2;
    }
    tr2_scene *scene = NULL;
    tr2_world *world = NULL;
    tr_error error = {TR_OK, ""};
    tr_status status = tr2_scene_generate("debris", bricks, &scene, &error);
    if (status == TR_OK) {
        tr2_world_def def = tr2_scene_world_def(scene);
        status = tr2_world_create(&def, &world, &error);
    }
    if (status == TR_OK)
        status = tr2_scene_build(scene, world, NULL, NULL, &error);
    if (status == TR_OK) {
        status = run(world, scene, seconds);
        error = *tr2_world_last_error(world);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
    return status == TR_OK ? 0 : 1;
}
