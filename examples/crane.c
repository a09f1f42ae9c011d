/* A crane: a driven counterweight pulls a rope over two pulleys on the mast and lifts the jib, which carries a load
   at its tip. */
#include <stdio.h>
#include <trammel/trammel.h>

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

enum { GROUND, JIB, LOAD, WEIGHT, BODIES };

static tr_status make_bodies(tr2_world *world, tr2_body *ids)
{
    tr2_body_def bodies[BODIES];
    for (int i = 0; i < BODIES; i++)
        bodies[i] = tr2_body_def_default();
    bodies[GROUND].type = TR_STATIC;

    /* the jib: 6 m, 300 kg, horizontal, on a pivot at (0, 2) */
    bodies[JIB].position = (tr_dvec2){3.0, 2.0};
    bodies[JIB].mass = 300.0f;
    bodies[JIB].inertia = 300.0f * 6.0f * 6.0f / 12.0f;

    bodies[LOAD].position = (tr_dvec2){6.0, 0.5};
    bodies[LOAD].mass = 200.0f;
    bodies[LOAD].inertia = 20.0f;

    /* the counterweight in a shaft behind the mast */
    bodies[WEIGHT].position = (tr_dvec2){-1.0, 3.0};
    bodies[WEIGHT].mass = 500.0f;
    bodies[WEIGHT].inertia = 50.0f;
    return tr2_world_create_bodies(world, bodies, BODIES, ids);
}

/* returns the rope and the winch, whose values the program prints and changes */
static tr_status make_joints(tr2_world *world, const tr2_body *ids, tr2_joint *rope, tr2_joint *winch)
{
    /* points in world coordinates; the functions below derive anchors, axis and length from the bodies' positions */
    const tr_dvec2 foot = {0.0, 2.0}, tip = {6.0, 2.0}, load = {6.0, 0.5}, shaft = {-1.0, 3.0}, eye = {5.5, 2.0};
    const tr_vec2 up = {0.0f, 1.0f};
    tr2_joint_def defs[4];
    tr2_joint_def *pivot = &defs[0], *hook = &defs[1], *pulley = &defs[2], *guide = &defs[3];
    tr_status status = tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, ids[GROUND], ids[JIB], foot, foot, up, pivot);

    /* the load hangs from the tip on a rope as long as their distance */
    if (status == TR_OK)
        status = tr2_joint_def_between(world, TR2_JOINT_DISTANCE, ids[JIB], ids[LOAD], tip, load, up, hook);
    if (status == TR_OK)
        tr2_joint_def_make_rope(hook, hook->length);

    /* the rope runs from the counterweight over two pulleys on the mast to the jib; ratio 2: the force on the jib is
       twice that on the counterweight */
    *pulley = tr2_joint_def_default(TR2_JOINT_PULLEY);
    pulley->body_a = ids[WEIGHT];
    pulley->body_b = ids[JIB];
    pulley->ground_a = (tr_dvec2){-1.0, 5.0};
    pulley->ground_b = (tr_dvec2){0.0, 5.0};
    pulley->ratio = 2.0f;
    if (status == TR_OK)
        status = tr2_joint_def_initialize(world, pulley, shaft, eye, up);

    /* a prismatic joint guides the counterweight; its motor moves it between two stops */
    if (status == TR_OK)
        status = tr2_joint_def_between(world, TR2_JOINT_PRISMATIC, ids[GROUND], ids[WEIGHT], shaft, shaft, up, guide);
    if (status != TR_OK)
        return status;
    guide->motor = (tr_motor){true, 0.0f, 30000.0f};
    guide->limit = (tr_limit){true, -1.1f, 0.0f};

    tr2_joint joints[4];
    status = tr2_world_create_joints(world, defs, 4, joints);
    *rope = joints[2];
    *winch = joints[3];
    return status;
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);
    tr2_body ids[BODIES];
    tr2_joint rope, winch;
    tr_status status = make_bodies(world, ids);
    if (status == TR_OK)
        status = make_joints(world, ids, &rope, &winch);

    for (int i = 0; i < 600 && status == TR_OK; i++) {
        /* the counterweight moves down and lifts the jib, then moves up again */
        float speed = i < 120 ? 0.0f : i < 300 ? -0.4f : i < 360 ? 0.0f : i < 540 ? 0.4f : 0.0f;
        status = tr2_joint_set_motor_speed(world, winch, speed);
        if (status == TR_OK)
            status = tr2_world_step(world, 1.0 / 60.0, 8);
        tr2_reaction reaction;
        tr2_body_def jib;
        if (status == TR_OK && i % 60 == 59 && tr2_joint_reaction(world, rope, &reaction) == TR_OK &&
            tr2_body_get(world, ids[JIB], &jib) == TR_OK)
            printf("%2d s  jib at %5.1f degrees, rope pulls with %6.0f N\n", (i + 1) / 60, jib.angle * 57.29577951,
                   (double)-reaction.upper);
    }
    if (status != TR_OK)
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
