/*
 * A ragdoll of eleven parts: revolute joints with limits, and springs and friction in place of muscles. A hand (a
 * target joint) holds it by the neck, swings it in a circle and lets go. Prints its position and the force of the hand.
 * scenes/ragdoll.json is a similar ragdoll.
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* a part: its parent, where it is attached, length and mass, and the limits of its joint */
typedef struct part {
    int parent;
    float at;           /* m, along the parent from its upper end */
    float length, mass; /* m, kg */
    float lower, upper; /* rad */
} part;

static const part parts[] = {
    {-1, 0.0f, 0.50f, 35.0f, 0.0f, 0.0f},                                      /* torso */
    {0, 0.0f, -0.25f, 5.0f, -0.5f, 0.5f},                                      /* head, pointing up */
    {0, 0.05f, 0.30f, 2.2f, -2.5f, 0.8f}, {2, 0.30f, 0.28f, 1.6f, 0.0f, 2.4f}, /* arms */
    {0, 0.05f, 0.30f, 2.2f, -2.5f, 0.8f}, {4, 0.30f, 0.28f, 1.6f, 0.0f, 2.4f},
    {0, 0.50f, 0.42f, 8.0f, -0.6f, 1.8f}, {6, 0.42f, 0.42f, 4.0f, -2.4f, 0.0f}, /* legs */
    {0, 0.50f, 0.42f, 8.0f, -0.6f, 1.8f}, {8, 0.42f, 0.42f, 4.0f, -2.4f, 0.0f},
    {7, 0.42f, 0.20f, 1.0f, -0.5f, 0.5f}, /* a foot */
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* parts hang straight down: computes their upper ends, then their centres */
static void make_parts(tr2_body_def *defs)
{
    float upper[PARTS];
    for (int i = 0; i < PARTS; i++) {
        const part *p = &parts[i];
        upper[i] = p->parent < 0 ? 0.0f : upper[p->parent] - p->at;
        defs[i] = tr2_body_def_default();
        defs[i].position.y = (double)(upper[i] - 0.5f * p->length);
        defs[i].mass = p->mass;
        defs[i].inertia = p->mass * p->length * p->length / 12.0f;
    }
}

static tr2_joint_def hinge(const tr2_body *bodies, int i)
{
    const part *p = &parts[i];
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    def.body_a = bodies[p->parent];
    def.body_b = bodies[i];
    def.anchor_a.y = 0.5f * parts[p->parent].length - p->at;
    def.anchor_b.y = 0.5f * p->length;
    def.limit = (tr_limit){true, p->lower, p->upper};
    def.spring = (tr_spring){true, 0.0f, tr_physical(2.0f, 0.2f)};
    def.friction = 0.5f;
    return def;
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);

    tr2_body_def defs[PARTS + 1];
    tr2_body bodies[PARTS + 1];
    make_parts(defs);
    defs[PARTS] = tr2_body_def_default();
    defs[PARTS].type = TR_STATIC;
    tr_status status = tr2_world_create_bodies(world, defs, PARTS + 1, bodies);

    tr2_joint_def joints[PARTS];
    tr2_joint ids[PARTS];
    for (int i = 1; i < PARTS; i++)
        joints[i - 1] = hinge(bodies, i);
    tr2_joint_def *hand = &joints[PARTS - 1];
    *hand = tr2_joint_def_default(TR2_JOINT_TARGET);
    hand->body_a = bodies[PARTS];
    hand->body_b = bodies[0];
    hand->anchor_b.y = 0.25f;
    hand->linear = tr_frequency(4.0f, 0.7f);
    hand->max_force = 3000.0f;
    if (status == TR_OK)
        status = tr2_world_create_joints(world, joints, PARTS, ids);

    /* the hand moves in a circle for four seconds, then lets go */
    for (int i = 0; i < 300 && status == TR_OK; i++) {
        float t = (float)i / 60.0f;
        if (i < 240) {
            status = tr2_joint_set_value(world, ids[PARTS - 1], TR2_FIELD_ANCHOR_A_X, 0.5f * sinf(2.0f * t));
            if (status == TR_OK)
                status = tr2_joint_set_value(world, ids[PARTS - 1], TR2_FIELD_ANCHOR_A_Y, 0.5f - 0.5f * cosf(2.0f * t));
        } else if (i == 240) {
            status = tr2_joint_set_enabled(world, ids[PARTS - 1], false);
        }
        if (status == TR_OK)
            status = tr2_world_step(world, 1.0 / 60.0, 4);
        tr2_transform torso;
        tr2_reaction pull;
        if (status == TR_OK && i % 30 == 29 && tr2_world_get_transforms(world, bodies, 1, &torso) == TR_OK &&
            tr2_joint_reaction(world, ids[PARTS - 1], &pull) == TR_OK)
            printf("%.1f s  torso at (%6.3f, %7.3f) m, the hand pulls with %6.1f N\n", (i + 1) / 60.0, torso.position.x,
                   torso.position.y, hypot((double)pull.force.x, (double)pull.force.y));
    }
    if (status == TR_OK)
        printf("largest joint error %.2f mm\n", 1e3 * tr2_world_measure(world).joint_error_max);
    else
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
