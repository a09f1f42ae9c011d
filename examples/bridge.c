/*
 * A rope bridge of planks between two posts, created from arrays in two calls, with a crate on a spring in the middle.
 * Prints the sag, and that the two posts together carry the weight. scenes/bridge.json is a similar bridge.
 */
#include <stdio.h>
#include <trammel/trammel.h>

enum { PLANKS = 30, BODIES = PLANKS + 2, JOINTS = PLANKS + 2 };

static const float plank_mass = 20.0f, crate_mass = 60.0f; /* kg */
static const float gravity = 9.81f;

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* body 0 is the ground, 1 to PLANKS are the planks in a row, the last is the crate below the middle */
static void make_bodies(tr2_body_def *defs)
{
    for (int i = 0; i < BODIES; i++)
        defs[i] = tr2_body_def_default();
    defs[0].type = TR_STATIC;
    for (int i = 1; i <= PLANKS; i++) {
        defs[i].position.x = i - 0.5;
        defs[i].mass = plank_mass;
        defs[i].inertia = plank_mass / 12.0f;
        defs[i].angular_damping = 0.5f;
        defs[i].linear_damping = 0.5f;
    }
    defs[BODIES - 1].position.x = 0.5 * PLANKS;
    defs[BODIES - 1].position.y = -2.0;
    defs[BODIES - 1].mass = crate_mass;
    defs[BODIES - 1].inertia = 10.0f;
    defs[BODIES - 1].linear_damping = 0.5f;
}

/* revolute joints between neighbours and to the posts, which stand closer than the bridge is long; the spring is
   last */
static void make_joints(const tr2_body *bodies, tr2_joint_def *defs)
{
    for (int i = 0; i <= PLANKS; i++) {
        defs[i] = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        defs[i].body_a = bodies[i];
        defs[i].body_b = bodies[i < PLANKS ? i + 1 : 0];
        defs[i].anchor_a.x = i > 0 ? 0.5f : 0.0f;
        defs[i].anchor_b.x = i < PLANKS ? -0.5f : 0.97f * PLANKS;
        defs[i].friction = 2.0f; /* N m: the ropes rub */
    }
    tr2_joint_def *spring = &defs[JOINTS - 1];
    *spring = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    spring->body_a = bodies[PLANKS / 2];
    spring->body_b = bodies[BODIES - 1];
    spring->anchor_a.x = 0.5f;
    spring->length = 2.0f;
    spring->linear = tr_physical(4000.0f, 200.0f);
    spring->spring_force.lower = -1e6f; /* acts as an elastic rope: it pulls but does not push */
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);

    tr2_body_def body_defs[BODIES];
    tr2_body bodies[BODIES];
    make_bodies(body_defs);
    tr_status status = tr2_world_create_bodies(world, body_defs, BODIES, bodies);

    tr2_joint_def joint_defs[JOINTS];
    tr2_joint joints[JOINTS];
    if (status == TR_OK) {
        make_joints(bodies, joint_defs);
        status = tr2_world_create_joints(world, joint_defs, JOINTS, joints);
    }

    for (int i = 0; i < 1200 && status == TR_OK; i++) {
        status = tr2_world_step(world, 1.0 / 60.0, 8);
        tr2_transform middle;
        if (status == TR_OK && i % 120 == 119 &&
            tr2_world_get_transforms(world, &bodies[PLANKS / 2], 1, &middle) == TR_OK)
            printf("%4.0f s  sag %.3f m\n", (i + 1) / 60.0, -middle.position.y);
    }

    /* the left post pulls the first plank up; the last plank pulls the right post down */
    tr2_reaction left, right;
    if (status == TR_OK)
        status = tr2_joint_reaction(world, joints[0], &left);
    if (status == TR_OK)
        status = tr2_joint_reaction(world, joints[PLANKS], &right);
    if (status == TR_OK)
        printf("the posts carry %.1f N; the bridge weighs %.1f N\n", (double)(left.force.y - right.force.y),
               (double)((PLANKS * plank_mass + crate_mass) * gravity));
    if (status != TR_OK)
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
