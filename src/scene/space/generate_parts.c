/* The list of generators, and their building blocks. */
#include "base/angle.h"
#include "scene/space/generate.h"

const tr3_generator tr3_generators[] = {
    {"sheet3d", "size x size cubes 1 m apart on balls, which hang at rest on the top row", 4000, tr3_generate_sheet},
    {"lattice3d", "size x size x size balls 1 m apart, joined in three directions, at rest on the top layer", 250,
     tr3_generate_lattice},
    {"chains3d", "size chains of 20 links, swinging down from one static body", 1000000, tr3_generate_chains},
    {"bridge3d", "size planks of 1 m on hinges, in an arc between two static posts", 10000000, tr3_generate_bridge},
    {"hub3d", "size bodies of 0.5 kg on one hub of 10,000 kg that turns about its pinned axis", 10000000,
     tr3_generate_hub},
    {"ragdolls3d", "size ragdolls of 11 bodies with cones, twists and limits, each on a rope", 1000000,
     tr3_generate_ragdolls},
    {"quadrupeds3d", "size robots with four legs, which hang by their backs, of 13 bodies and 12 hinges with servos",
     1000000, tr3_generate_quadrupeds},
    {TR_NULL, TR_NULL, 0, TR_NULL},
};

tr_status tr3_generate_static(tr3_builder *builder, const char *name, tr_dvec3 position, tr_error *error)
{
    tr3_scene_body *body = TR_NULL;
    tr_status status = tr3_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.type = TR_STATIC;
    body->def.position = position;
    return name != TR_NULL ? tr_scene_copy_text(name, &body->name, error) : TR_OK;
}

/* a new body and its shape; the density is still that of the default */
static tr_status add_solid(tr3_builder *builder, tr3_scene_shape_type type, tr_dvec3 position, float mass,
                           tr3_scene_shape **shape, tr_error *error)
{
    tr3_scene_body *body = TR_NULL;
    uint32_t index = builder->scene->body_count;
    tr_status status = tr3_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.position = position;
    body->def.mass = mass;
    return tr3_builder_shape(builder, type, index, shape, error);
}

/* gives the last shape the density that its body's mass asks for, and the body the moments of the shape */
static void weigh(tr3_builder *builder)
{
    tr3_scene *scene = builder->scene;
    tr3_scene_shape *shape = &scene->shapes[scene->shape_count - 1];
    tr3_body_def *def = &scene->bodies[shape->body].def;
    shape->density = 1.0f;
    tr3_mass unit = tr3_scene_mass(scene, scene->shape_count - 1, 1);
    const double density = (double)def->mass / unit.mass;
    shape->density = (float)density;
    def->inertia = (tr_sym3){(float)(density * unit.inertia.xx),
                             (float)(density * unit.inertia.yy),
                             (float)(density * unit.inertia.zz),
                             0.0f,
                             0.0f,
                             0.0f};
}

tr_status tr3_generate_ball(tr3_builder *builder, tr_dvec3 position, float radius, float mass, tr_error *error)
{
    tr3_scene_shape *shape = TR_NULL;
    tr_status status = add_solid(builder, TR3_SCENE_SPHERE, position, mass, &shape, error);
    if (status != TR_OK)
        return status;
    shape->radius = radius;
    weigh(builder);
    return TR_OK;
}

tr_status tr3_generate_box(tr3_builder *builder, tr_dvec3 position, tr_quat rotation, tr_vec3 half, float mass,
                           tr_error *error)
{
    tr3_scene_shape *shape = TR_NULL;
    tr_status status = add_solid(builder, TR3_SCENE_BOX, position, mass, &shape, error);
    if (status != TR_OK)
        return status;
    shape->half = half;
    weigh(builder);
    builder->scene->bodies[shape->body].def.rotation = rotation;
    return TR_OK;
}

tr_status tr3_generate_capsule(tr3_builder *builder, tr_dvec3 position, uint32_t axis, float reach, float radius,
                               float mass, tr_error *error)
{
    tr3_scene_shape *shape = TR_NULL;
    tr_status status = add_solid(builder, TR3_SCENE_CAPSULE, position, mass, &shape, error);
    if (status != TR_OK)
        return status;
    const float end = reach - radius;
    shape->to = (tr_vec3){axis == 0 ? end : 0.0f, axis == 1 ? end : 0.0f, axis == 2 ? end : 0.0f};
    shape->from = (tr_vec3){-shape->to.x, -shape->to.y, -shape->to.z};
    shape->radius = radius;
    weigh(builder);
    return TR_OK;
}

tr_status tr3_generate_joint(tr3_builder *builder, tr3_joint_type type, uint32_t a, uint32_t b, tr_vec3 anchor_a,
                             tr_vec3 anchor_b, tr3_scene_joint **out, tr_error *error)
{
    tr3_scene_joint *joint = TR_NULL;
    tr_status status = tr3_builder_joint(builder, type, &joint, error);
    if (status != TR_OK)
        return status;
    joint->body_a = a;
    joint->body_b = b;
    joint->def.anchor_a = anchor_a;
    joint->def.anchor_b = anchor_b;
    if (out != TR_NULL)
        *out = joint;
    return TR_OK;
}

tr_dvec3 tr3_generate_place(uint32_t i, uint32_t count, double dx, double dz)
{
    const uint32_t side = tr_side(count), rows = (count + side - 1) / side;
    return (tr_dvec3){((double)(i / side) - 0.5 * (double)(rows - 1)) * dx, 0.0,
                      ((double)(i % side) - 0.5 * (double)(side - 1)) * dz};
}
