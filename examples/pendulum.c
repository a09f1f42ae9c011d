/* The smallest application: a rod on a pivot, simulated for two seconds, printed ten times a second. */
#include <stdio.h>
#include <trammel/trammel.h>

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);

    /* a rod of 1 m and 1 kg, horizontal, with its left end at the origin */
    tr2_body_def bodies[2] = {tr2_body_def_default(), tr2_body_def_default()};
    bodies[0].type = TR_STATIC;
    bodies[1].position.x = 0.5;
    bodies[1].mass = 1.0f;
    bodies[1].inertia = 1.0f / 12.0f;
    tr2_body ids[2];
    tr_status status = tr2_world_create_bodies(world, bodies, 2, ids);

    tr2_joint_def pivot = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    pivot.body_a = ids[0];
    pivot.body_b = ids[1];
    pivot.anchor_b.x = -0.5f;
    tr2_joint joint;
    if (status == TR_OK)
        status = tr2_world_create_joint(world, &pivot, &joint);

    for (int i = 0; i < 120 && status == TR_OK; i++) {
        status = tr2_world_step(world, 1.0 / 60.0, 4);
        tr_joint_coordinate_value angle;
        tr2_reaction reaction;
        if (status == TR_OK && i % 6 == 5 && tr2_joint_coordinate(world, joint, &angle) == TR_OK &&
            tr2_joint_reaction(world, joint, &reaction) == TR_OK)
            printf("%.1f s  angle %7.4f rad  pivot pulls with (%7.3f, %7.3f) N\n", (i + 1) / 60.0, (double)angle.value,
                   (double)reaction.force.x, (double)reaction.force.y);
    }
    if (status != TR_OK)
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
