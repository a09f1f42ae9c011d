/* The list of generators, and their building blocks. */
#include "scene/plane/generate.h"

const tr2_generator tr2_generators[] = {
    {"grid", "size x size bodies 1 m apart, revolutes to the right and below, seven static bodies at the top", 4000,
     tr2_generate_grid},
    {"chains", "size chains of 20 links, swinging down from one static body", 1000000, tr2_generate_chains},
    {"bridge", "size planks of 1 m in an arc between two static posts", 10000000, tr2_generate_bridge},
    {"ragdolls", "size ragdolls of 11 bodies with limits and weak springs, each on a rope", 1000000,
     tr2_generate_ragdolls},
    {"hub", "size bodies of 0.5 kg on one hub of 10,000 kg that turns about its pinned centre", 10000000,
     tr2_generate_hub},
    {"pyramid", "a pyramid of size rows of boxes of 1 m", 4000, tr2_generate_pyramid},
    {"pyramids", "size x size pyramids of 10 rows, in storeys", 400, tr2_generate_pyramids},
    {"column", "size boxes on each other, ten times as heavy at the top as at the foot", 100000, tr2_generate_column},
    {"tower", "size layers: three short blocks, then a long one across them", 1000000, tr2_generate_tower},
    {"cards", "a house of cards of size storeys", 1000, tr2_generate_cards},
    {"arch", "an arch of 17 stones that carries size slabs", 1000, tr2_generate_arch},
    {"tumbler", "size x size boxes in a drum that turns", 4000, tr2_generate_tumbler},
    {"rain", "size ragdolls that fall over slabs into a bin", 1000000, tr2_generate_rain},
    {"heap", "size ragdolls that fall on flat ground, close together", 1000000, tr2_generate_heap},
    {"smash", "a wall of size x size boxes, weightless, that a heavy block hits at 40 m/s", 4000, tr2_generate_smash},
    {"discs", "size discs of 0.5 m in a square, half of it full, that a paddle stirs", 10000000, tr2_generate_discs},
    {"crowd", "size people who walk through a hall, a fifth of them tethered by ropes in groups of five", 10000000,
     tr2_generate_crowd},
    {"debris", "a building of size bricks held by welds that break, and a ball that hits it", 1000000,
     tr2_generate_debris},
    {NULL, NULL, 0, NULL},
};

tr_status tr2_generate_reserve(tr2_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes,
                               uint32_t vertices, tr_error *error)
{
    tr_status status = tr2_builder_reserve(builder, bodies, joints, shapes, error);
    return status == TR_OK ? tr2_builder_reserve_vertices(builder, vertices, error) : status;
}

tr_vec2 tr2_generate_place(uint32_t n, uint32_t count, uint32_t side, float dx, float dy)
{
    uint32_t rows = (count + side - 1) / side;
    tr_vec2 place = {((float)(n % side) - 0.5f * (float)(side - 1)) * dx,
                     (0.5f * (float)(rows - 1) - (float)(n / side)) * dy};
    return place;
}

tr_status tr2_generate_static(tr2_builder *builder, const char *name, tr_error *error)
{
    tr2_scene_body *body = NULL;
    tr_status status = tr2_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.type = TR_STATIC;
    return tr_scene_copy_text(name, &body->name, error);
}

tr_status tr2_generate_disc_shape(tr2_builder *builder, uint32_t body, float radius, float density, tr_error *error)
{
    tr2_scene_shape *shape = NULL;
    tr_status status = tr2_builder_shape(builder, TR2_SCENE_CIRCLE, body, &shape, error);
    if (status != TR_OK)
        return status;
    shape->radius = radius;
    shape->density = density;
    return tr2_builder_vertex(builder, (tr_vec2){0.0f, 0.0f}, error);
}

tr_status tr2_generate_room(tr2_builder *builder, uint64_t bodies, uint64_t shapes, tr_error *error)
{
    if (bodies > INT32_MAX / 4 || shapes > INT32_MAX / 4)
        return tr_scene_fail(error, TR_ERROR_LIMIT, "the scene would have more than 2^31 - 1 vertices");
    return tr2_generate_reserve(builder, (uint32_t)bodies, 0, (uint32_t)shapes, 4 * (uint32_t)shapes, error);
}

/* adds a rectangle to a body's shapes */
static tr_status add_rectangle(tr2_builder *builder, uint32_t body, tr_vec2 center, tr_vec2 half,
                               tr2_scene_shape **shape, tr_error *error)
{
    tr_status status = tr2_builder_shape(builder, TR2_SCENE_POLYGON, body, shape, error);
    const tr_vec2 corners[4] = {{half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}, {-half.x, -half.y}};
    for (uint32_t i = 0; i < 4 && status == TR_OK; i++) {
        tr_vec2 corner = {center.x + corners[i].x, center.y + corners[i].y};
        status = tr2_builder_vertex(builder, corner, error);
    }
    return status;
}

tr_status tr2_generate_slab(tr2_builder *builder, uint32_t body, tr_vec2 center, tr_vec2 half, float friction,
                            tr_error *error)
{
    tr2_scene_shape *shape = NULL;
    tr_status status = add_rectangle(builder, body, center, half, &shape, error);
    if (status == TR_OK)
        shape->friction = friction;
    return status;
}

tr_status tr2_generate_box(tr2_builder *builder, tr_dvec2 position, double angle, float width, float height, float mass,
                           tr_error *error)
{
    uint32_t index = builder->scene->body_count;
    tr2_scene_body *body = NULL;
    tr_status status = tr2_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.position = position;
    body->def.angle = angle;
    body->def.mass = mass;
    body->def.inertia = mass * (width * width + height * height) / 12.0f;

    tr2_scene_shape *shape = NULL;
    status =
        add_rectangle(builder, index, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.5f * width, 0.5f * height}, &shape, error);
    if (status == TR_OK)
        shape->density = mass / (width * height);
    return status;
}

tr_status tr2_generate_revolute(tr2_builder *builder, uint32_t a, uint32_t b, tr_vec2 anchor_a, tr_vec2 anchor_b,
                                tr_error *error)
{
    tr2_scene_joint *joint = NULL;
    tr_status status = tr2_builder_joint(builder, TR2_JOINT_REVOLUTE, &joint, error);
    if (status != TR_OK)
        return status;
    joint->body_a = a;
    joint->body_b = b;
    joint->def.anchor_a = anchor_a;
    joint->def.anchor_b = anchor_b;
    return TR_OK;
}

/* a person of 1.75 m and 70 kg, seen from the front, with the centre of the hip at the origin */
typedef struct ragdoll_part {
    const char *name;
    float x, y, width, height; /* m */
    float mass;                /* kg */
} ragdoll_part;

enum { HIP, TORSO, HEAD, THIGH_L, SHIN_L, ARM_L, FOREARM_L, THIGH_R, SHIN_R, ARM_R, FOREARM_R };

static const ragdoll_part ragdoll_parts[TR2_RAGDOLL_BODIES] = {
    {"hip", 0.0f, 0.0f, 0.32f, 0.20f, 11.0f},
    {"torso", 0.0f, 0.36f, 0.36f, 0.52f, 24.0f},
    {"head", 0.0f, 0.76f, 0.18f, 0.28f, 5.0f},
    {"left thigh", -0.10f, -0.31f, 0.15f, 0.42f, 8.0f},
    {"left shin", -0.10f, -0.745f, 0.11f, 0.45f, 4.0f},
    {"left arm", -0.24f, 0.45f, 0.10f, 0.30f, 2.0f},
    {"left forearm", -0.24f, 0.12f, 0.08f, 0.36f, 1.0f},
    {"right thigh", 0.10f, -0.31f, 0.15f, 0.42f, 8.0f},
    {"right shin", 0.10f, -0.745f, 0.11f, 0.45f, 4.0f},
    {"right arm", 0.24f, 0.45f, 0.10f, 0.30f, 2.0f},
    {"right forearm", 0.24f, 0.12f, 0.08f, 0.36f, 1.0f},
};

typedef struct ragdoll_hinge {
    uint32_t a, b;
    float x, y;         /* m, in the frame of the table above */
    float lower, upper; /* rad */
} ragdoll_hinge;

static const ragdoll_hinge ragdoll_hinges[TR2_RAGDOLL_HINGES] = {
    {HIP, TORSO, 0.0f, 0.10f, -0.4f, 0.4f},      {TORSO, HEAD, 0.0f, 0.62f, -0.6f, 0.6f},
    {HIP, THIGH_L, -0.10f, -0.10f, -0.9f, 0.3f}, {THIGH_L, SHIN_L, -0.10f, -0.52f, -0.1f, 1.2f},
    {TORSO, ARM_L, -0.24f, 0.60f, -2.8f, 0.2f},  {ARM_L, FOREARM_L, -0.24f, 0.30f, -1.8f, 0.1f},
    {HIP, THIGH_R, 0.10f, -0.10f, -0.3f, 0.9f},  {THIGH_R, SHIN_R, 0.10f, -0.52f, -1.2f, 0.1f},
    {TORSO, ARM_R, 0.24f, 0.60f, -0.2f, 2.8f},   {ARM_R, FOREARM_R, 0.24f, 0.30f, -0.1f, 1.8f},
};

tr_status tr2_generate_ragdoll(tr2_builder *builder, tr_vec2 place, tr_error *error)
{
    uint32_t first = builder->scene->body_count;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < TR2_RAGDOLL_BODIES && status == TR_OK; i++) {
        const ragdoll_part *part = &ragdoll_parts[i];
        tr_dvec2 position = {(double)place.x + (double)part->x, (double)place.y + (double)part->y};
        status = tr2_generate_box(builder, position, 0.0, part->width, part->height, part->mass, error);
    }
    for (uint32_t i = 0; i < TR2_RAGDOLL_HINGES && status == TR_OK; i++) {
        const ragdoll_hinge *hinge = &ragdoll_hinges[i];
        const ragdoll_part *a = &ragdoll_parts[hinge->a], *b = &ragdoll_parts[hinge->b];
        status = tr2_generate_revolute(builder, first + hinge->a, first + hinge->b,
                                       (tr_vec2){hinge->x - a->x, hinge->y - a->y},
                                       (tr_vec2){hinge->x - b->x, hinge->y - b->y}, error);
        if (status != TR_OK)
            break;
        /* joints move freely within their limits, and a weak spring pulls them back */
        tr2_joint_def *def = &builder->scene->joints[builder->scene->joint_count - 1].def;
        def->limit = (tr_limit){true, hinge->lower, hinge->upper};
        def->spring.enable = true;
        def->spring.softness = tr_frequency(1.0f, 0.5f);
    }
    return status;
}

const char *tr2_generate_part_name(uint32_t part)
{
    return ragdoll_parts[part].name;
}
