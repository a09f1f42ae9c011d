/* A gear train: a motor turns a pinion, the pinion turns a wheel at a third of its speed, and the wheel lifts a rack
   of 20 kg. */
#include <stdio.h>
#include <trammel/trammel.h>

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* creates a gear between two existing joints */
static tr_status mesh(tr2_world *world, tr2_joint a, tr2_joint b, float ratio, tr2_joint *gear)
{
    tr2_joint_def def;
    tr_status status = tr2_gear_between(world, a, b, ratio, &def);
    return status == TR_OK ? tr2_world_create_joint(world, &def, gear) : status;
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);

    /* the frame, two wheels on it, and a rack of 20 kg beside the second wheel */
    enum { FRAME, PINION, WHEEL, RACK, BODIES };
    tr2_body_def bodies[BODIES];
    for (int i = 0; i < BODIES; i++)
        bodies[i] = tr2_body_def_default();
    bodies[FRAME].type = TR_STATIC;
    bodies[PINION].mass = 1.0f;
    bodies[PINION].inertia = 0.01f;
    bodies[WHEEL].position.x = 0.4;
    bodies[WHEEL].mass = 9.0f;
    bodies[WHEEL].inertia = 0.4f;
    bodies[RACK].position.x = 0.5;
    bodies[RACK].mass = 20.0f;
    tr2_body ids[BODIES];
    tr_status status = tr2_world_create_bodies(world, bodies, BODIES, ids);

    /* two revolute joints and a prismatic one; the first has the motor */
    tr2_joint_def defs[3] = {tr2_joint_def_default(TR2_JOINT_REVOLUTE), tr2_joint_def_default(TR2_JOINT_REVOLUTE),
                             tr2_joint_def_default(TR2_JOINT_PRISMATIC)};
    for (int i = 0; i < 3 && status == TR_OK; i++) {
        defs[i].body_a = ids[FRAME];
        defs[i].body_b = ids[PINION + i];
        defs[i].anchor_a = (tr_vec2){(float)bodies[PINION + i].position.x, 0.0f};
    }
    defs[0].motor = (tr_motor){true, -6.0f, 20.0f};
    defs[2].axis = (tr_vec2){0.0f, 1.0f};
    tr2_joint joints[3], gears[2];
    if (status == TR_OK)
        status = tr2_world_create_joints(world, defs, 3, joints);

    /* 12 teeth drive 36; the wheel's pinion of 0.1 m radius lifts the rack on its right by 0.1 m per radian */
    if (status == TR_OK)
        status = mesh(world, joints[0], joints[1], 12.0f / 36.0f, &gears[0]);
    if (status == TR_OK)
        status = mesh(world, joints[1], joints[2], -0.1f, &gears[1]);

    for (int i = 0; i < 300 && status == TR_OK; i++) {
        status = tr2_world_step(world, 1.0 / 60.0, 4);
        tr_joint_coordinate_value motor, wheel, rack;
        tr2_reaction drive;
        if (status == TR_OK && i % 60 == 59 && tr2_joint_coordinate(world, joints[0], &motor) == TR_OK &&
            tr2_joint_coordinate(world, joints[1], &wheel) == TR_OK &&
            tr2_joint_coordinate(world, joints[2], &rack) == TR_OK &&
            tr2_joint_reaction(world, joints[0], &drive) == TR_OK)
            printf("%d s  motor %7.3f rad with %.3f N m, wheel %7.3f rad, rack %6.3f m\n", (i + 1) / 60,
                   (double)motor.value, (double)drive.motor, (double)wheel.value, (double)rack.value);
    }
    if (status != TR_OK)
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
