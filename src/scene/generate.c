/*
 * Made scenes. Everything is computed with exact or plain double arithmetic (no libm), so that a scene is the same, bit
 * for bit, wherever it is made.
 */
#include "base/angle.h"
#include "scene/storage.h"

#include <string.h>

typedef struct generator {
    const char *name, *help;
    uint32_t maximum; /* size; keeps a scene below some 16 GB */
    tr_status (*make)(tr2_builder *builder, uint32_t size, tr_error *error);
} generator;

/* sine and cosine by their series, for abs(x) <= pi: about 1e-15 */
static double cosine(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 2; k <= 34; k += 2) {
        term *= -x * x / (double)(k * (k - 1));
        sum += term;
    }
    return sum;
}

static double sine(double x)
{
    double sum = x, term = x;
    for (int k = 3; k <= 35; k += 2) {
        term *= -x * x / (double)(k * (k - 1));
        sum += term;
    }
    return sum;
}

/* the smallest n with n * n >= count: how many columns a square arrangement needs */
static uint32_t square_side(uint32_t count)
{
    uint32_t side = 1;
    while ((uint64_t)side * side < count)
        side++;
    return side;
}

/* where the n-th of `count` things stands in `side` columns about the world's origin; rows go down */
static tr_vec2 square_place(uint32_t n, uint32_t count, uint32_t side, float dx, float dy)
{
    uint32_t rows = (count + side - 1) / side;
    tr_vec2 place = {((float)(n % side) - 0.5f * (float)(side - 1)) * dx,
                     (0.5f * (float)(rows - 1) - (float)(n / side)) * dy};
    return place;
}

static tr_status add_static(tr2_builder *builder, const char *name, tr_error *error)
{
    tr2_scene_body *body = NULL;
    tr_status status = tr2_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.type = TR_STATIC;
    return tr2_scene_copy_text(name, &body->name, error);
}

static tr_status add_disc_shape(tr2_builder *builder, uint32_t body, float radius, float density, tr_error *error)
{
    tr2_scene_shape *shape = NULL;
    tr_status status = tr2_builder_shape(builder, TR2_SHAPE_CIRCLE, body, &shape, error);
    if (status != TR_OK)
        return status;
    shape->radius = radius;
    shape->density = density;
    return tr2_builder_vertex(builder, (tr_vec2){0.0f, 0.0f}, error);
}

/* a dynamic body shaped as a box about its centre, with the mass that goes with it */
static tr_status add_box(tr2_builder *builder, tr_dvec2 position, double angle, float width, float height, float mass,
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
    status = tr2_builder_shape(builder, TR2_SHAPE_POLYGON, index, &shape, error);
    if (status != TR_OK)
        return status;
    shape->density = mass / (width * height);
    float x = 0.5f * width, y = 0.5f * height;
    const tr_vec2 corners[4] = {{x, -y}, {x, y}, {-x, y}, {-x, -y}};
    for (uint32_t i = 0; i < 4 && status == TR_OK; i++)
        status = tr2_builder_vertex(builder, corners[i], error);
    return status;
}

static tr_status add_revolute(tr2_builder *builder, uint32_t a, uint32_t b, tr_vec2 anchor_a, tr_vec2 anchor_b,
                              tr_error *error)
{
    tr2_scene_joint *joint = NULL;
    tr_status status = tr2_builder_joint(builder, TR2_REVOLUTE, &joint, error);
    if (status != TR_OK)
        return status;
    joint->body_a = a;
    joint->body_b = b;
    joint->def.anchor_a = anchor_a;
    joint->def.anchor_b = anchor_b;
    return TR_OK;
}

/* the joint grid of the benchmarks: column by column, each body tied to the one above and the one to the left */
static tr_status make_grid(tr2_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = tr2_builder_reserve(builder, n * n, 2 * n * (n - 1), 0, 0, error);
    const float radius = 0.4f, mass = 1.0f;
    for (uint32_t column = 0; column < n; column++) {
        for (uint32_t row = 0; row < n && status == TR_OK; row++) {
            uint32_t index = builder->scene->body_count;
            tr2_scene_body *body = NULL;
            status = tr2_builder_body(builder, &body, error);
            if (status != TR_OK)
                return status;
            body->def.position = (tr_dvec2){(double)column, -(double)row};
            body->def.mass = mass;
            body->def.inertia = 0.5f * mass * radius * radius;
            if (row == 0 && column + 3 >= n / 2 && column <= n / 2 + 3)
                body->def.type = TR_STATIC;
            if (row > 0)
                status = add_revolute(builder, index - 1, index, (tr_vec2){0.0f, -0.5f}, (tr_vec2){0.0f, 0.5f}, error);
            if (status == TR_OK && column > 0)
                status = add_revolute(builder, index - n, index, (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f}, error);
        }
    }
    return status;
}

#define CHAIN_LINKS 20u

/* chains that start out level and swing down; all hang from one static body */
static tr_status make_chains(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const float length = 0.5f, width = 0.1f, mass = 1.0f;
    const uint32_t side = square_side(n);
    tr_status status =
        tr2_builder_reserve(builder, n * CHAIN_LINKS + 1, n * CHAIN_LINKS, n * CHAIN_LINKS, 4 * n * CHAIN_LINKS, error);
    if (status == TR_OK)
        status = add_static(builder, "ground", error);
    for (uint32_t chain = 0; chain < n && status == TR_OK; chain++) {
        tr_vec2 top = square_place(chain, n, side, 12.0f, 12.0f);
        for (uint32_t link = 0; link < CHAIN_LINKS && status == TR_OK; link++) {
            uint32_t index = builder->scene->body_count;
            tr_dvec2 position = {(double)top.x + ((double)link + 0.5) * (double)length, (double)top.y};
            status = add_box(builder, position, 0.0, length, width, mass, error);
            if (status != TR_OK)
                break;
            tr_vec2 right = {0.5f * length, 0.0f}, left = {-0.5f * length, 0.0f};
            status = link == 0 ? add_revolute(builder, 0, index, top, left, error)
                               : add_revolute(builder, index - 1, index, right, left, error);
        }
    }
    return status;
}

/* planks of 1 m along an arc of 0.8 rad, between two static posts: every joint starts closed */
static tr_status make_bridge(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const double arc = 0.8, step = arc / (double)n, radius = 0.5 / sine(0.5 * step);
    tr_status status = tr2_builder_reserve(builder, n + 2, n + 1, n + 2, 4 * n + 2, error);
    tr_vec2 right = {0.5f, 0.0f}, left = {-0.5f, 0.0f}, middle = {0.0f, 0.0f};
    for (uint32_t post = 0; post < 2 && status == TR_OK; post++) {
        status = add_static(builder, post == 0 ? "left post" : "right post", error);
        if (status != TR_OK)
            break;
        double side = post == 0 ? -1.0 : 1.0;
        builder->scene->bodies[post].def.position.x = side * radius * sine(0.5 * arc);
        status = add_disc_shape(builder, post, 0.2f, 0.0f, error);
    }
    /* a chord's middle lies at radius * cos(step / 2) along the mean direction */
    double apothem = radius * cosine(0.5 * step), level = radius * cosine(0.5 * arc);
    for (uint32_t plank = 0; plank < n && status == TR_OK; plank++) {
        double angle = ((double)plank + 0.5) * step - 0.5 * arc;
        tr_dvec2 position = {apothem * sine(angle), level - apothem * cosine(angle)};
        status = add_box(builder, position, angle, 1.0f, 0.125f, 5.0f, error);
        if (status == TR_OK)
            status = plank == 0 ? add_revolute(builder, 0, 2, middle, left, error)
                                : add_revolute(builder, plank + 1, plank + 2, right, left, error);
    }
    if (status == TR_OK)
        status = add_revolute(builder, n + 1, 1, right, middle, error);
    return status;
}

/* a person of 1.75 m and 70 kg, seen from the front, the hip's centre at the origin */
#define RAGDOLL_BODIES 11u
#define RAGDOLL_HINGES 10u
typedef struct ragdoll_part {
    const char *name;
    float x, y, width, height; /* m */
    float mass;                /* kg */
} ragdoll_part;

enum { HIP, TORSO, HEAD, THIGH_L, SHIN_L, ARM_L, FOREARM_L, THIGH_R, SHIN_R, ARM_R, FOREARM_R };

static const ragdoll_part ragdoll_parts[RAGDOLL_BODIES] = {
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

static const ragdoll_hinge ragdoll_hinges[RAGDOLL_HINGES] = {
    {HIP, TORSO, 0.0f, 0.10f, -0.4f, 0.4f},      {TORSO, HEAD, 0.0f, 0.62f, -0.6f, 0.6f},
    {HIP, THIGH_L, -0.10f, -0.10f, -0.9f, 0.3f}, {THIGH_L, SHIN_L, -0.10f, -0.52f, -0.1f, 1.2f},
    {TORSO, ARM_L, -0.24f, 0.60f, -2.8f, 0.2f},  {ARM_L, FOREARM_L, -0.24f, 0.30f, -1.8f, 0.1f},
    {HIP, THIGH_R, 0.10f, -0.10f, -0.3f, 0.9f},  {THIGH_R, SHIN_R, 0.10f, -0.52f, -1.2f, 0.1f},
    {TORSO, ARM_R, 0.24f, 0.60f, -0.2f, 2.8f},   {ARM_R, FOREARM_R, 0.24f, 0.30f, -0.1f, 1.8f},
};

static tr_status add_ragdoll(tr2_builder *builder, tr_vec2 place, tr_error *error)
{
    uint32_t first = builder->scene->body_count;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < RAGDOLL_BODIES && status == TR_OK; i++) {
        const ragdoll_part *part = &ragdoll_parts[i];
        tr_dvec2 position = {(double)place.x + (double)part->x, (double)place.y + (double)part->y};
        status = add_box(builder, position, 0.0, part->width, part->height, part->mass, error);
    }
    for (uint32_t i = 0; i < RAGDOLL_HINGES && status == TR_OK; i++) {
        const ragdoll_hinge *hinge = &ragdoll_hinges[i];
        const ragdoll_part *a = &ragdoll_parts[hinge->a], *b = &ragdoll_parts[hinge->b];
        status = add_revolute(builder, first + hinge->a, first + hinge->b, (tr_vec2){hinge->x - a->x, hinge->y - a->y},
                              (tr_vec2){hinge->x - b->x, hinge->y - b->y}, error);
        if (status != TR_OK)
            break;
        /* joints give way within their range, and a little muscle pulls them back */
        tr2_joint_def *def = &builder->scene->joints[builder->scene->joint_count - 1].def;
        def->limit = (tr_limit){true, hinge->lower, hinge->upper};
        def->spring.enable = true;
        def->spring.softness = tr_frequency(1.0f, 0.5f);
    }
    if (status != TR_OK)
        return status;

    /* the head hangs on a rope that starts slack and to the side, so that the ragdoll falls, is caught and swings */
    tr2_scene_joint *rope = NULL;
    status = tr2_builder_joint(builder, TR2_DISTANCE, &rope, error);
    if (status != TR_OK)
        return status;
    rope->body_a = 0;
    rope->body_b = first + HEAD;
    rope->def.anchor_a = (tr_vec2){place.x + 0.5f, place.y + 1.5f};
    rope->def.anchor_b = (tr_vec2){0.0f, 0.14f};
    rope->def.length = 1.0f;
    rope->def.linear = tr_frequency(0.0f, 0.0f);
    rope->def.limit = (tr_limit){true, 0.0f, 1.0f};
    return TR_OK;
}

static tr_status make_ragdolls(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const uint32_t side = square_side(n);
    tr_status status = tr2_builder_reserve(builder, n * RAGDOLL_BODIES + 1, n * (RAGDOLL_HINGES + 1),
                                           n * RAGDOLL_BODIES, 4 * n * RAGDOLL_BODIES, error);
    if (status == TR_OK)
        status = add_static(builder, "ground", error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++)
        status = add_ragdoll(builder, square_place(i, n, side, 3.0f, 4.0f), error);
    /* names would be most of a large file */
    for (uint32_t i = 0; n == 1 && i < RAGDOLL_BODIES && status == TR_OK; i++)
        status = tr2_scene_copy_text(ragdoll_parts[i].name, &builder->scene->bodies[1 + i].name, error);
    return status;
}

#define HUB_PITCH 0.4

/* how many bodies of a ring stand HUB_PITCH apart */
static uint32_t ring_capacity(uint32_t ring)
{
    return (uint32_t)(TR_TURN * (2.0 + 0.5 * (double)ring) / HUB_PITCH);
}

/* half-kilogram bodies on rings about one of 10 t, which is pinned at its centre and turns */
static tr_status make_hub(tr2_builder *builder, uint32_t n, tr_error *error)
{
    uint32_t rings = 0;
    for (uint32_t room = 0; room < n; rings++)
        room += ring_capacity(rings);
    const float spin = 0.5f, mass = 0.5f, radius = 0.15f;
    const float hub_mass = 10000.0f, hub_radius = 2.0f + 0.5f * (float)(rings - 1) + 0.3f;

    tr_status status = tr2_builder_reserve(builder, n + 2, n + 1, n + 1, n + 1, error);
    if (status == TR_OK)
        status = add_static(builder, "ground", error);
    tr2_scene_body *hub = NULL;
    if (status == TR_OK)
        status = tr2_builder_body(builder, &hub, error);
    if (status != TR_OK)
        return status;
    hub->def.mass = hub_mass;
    hub->def.inertia = 0.5f * hub_mass * hub_radius * hub_radius;
    hub->def.angular_velocity = spin;
    status = tr2_scene_copy_text("hub", &hub->name, error);
    if (status == TR_OK)
        status = add_disc_shape(builder, 1, hub_radius, hub_mass / ((float)TR_PI * hub_radius * hub_radius), error);
    if (status == TR_OK)
        status = add_revolute(builder, 0, 1, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f}, error);

    uint32_t left = n;
    for (uint32_t ring = 0; left > 0 && status == TR_OK; ring++) {
        /* a ring that is not full is spread evenly, so that gravity stays balanced */
        uint32_t capacity = ring_capacity(ring), count = left < capacity ? left : capacity;
        double distance = 2.0 + 0.5 * (double)ring;
        for (uint32_t i = 0; i < count && status == TR_OK; i++) {
            double angle = TR_TURN * (double)i / (double)count - TR_PI;
            uint32_t index = builder->scene->body_count;
            tr_vec2 anchor = {(float)(distance * cosine(angle)), (float)(distance * sine(angle))};
            tr2_scene_body *body = NULL;
            status = tr2_builder_body(builder, &body, error);
            if (status != TR_OK)
                return status;
            body->def.position = (tr_dvec2){(double)anchor.x, (double)anchor.y};
            body->def.velocity = (tr_vec2){-spin * anchor.y, spin * anchor.x};
            body->def.angular_velocity = spin;
            body->def.mass = mass;
            body->def.inertia = 0.5f * mass * radius * radius;
            status = add_disc_shape(builder, index, radius, mass / ((float)TR_PI * radius * radius), error);
            if (status == TR_OK)
                status = add_revolute(builder, 1, index, anchor, (tr_vec2){0.0f, 0.0f}, error);
        }
        left -= count;
    }
    return status;
}

static const generator generators[] = {
    {"grid", "size x size bodies 1 m apart, revolutes to the right and below, seven static bodies at the top", 4000,
     make_grid},
    {"chains", "size chains of 20 links, swinging down from one static body", 1000000, make_chains},
    {"bridge", "size planks of 1 m in an arc between two static posts", 10000000, make_bridge},
    {"ragdolls", "size ragdolls of 11 bodies with limits and weak springs, each on a rope", 1000000, make_ragdolls},
    {"hub", "size bodies of 0.5 kg on one hub of 10,000 kg that turns about its pinned centre", 10000000, make_hub},
};

#define GENERATOR_COUNT ((uint32_t)(sizeof generators / sizeof generators[0]))

uint32_t tr2_scene_generator_count(void)
{
    return GENERATOR_COUNT;
}

const char *tr2_scene_generator_name(uint32_t index)
{
    return index < GENERATOR_COUNT ? generators[index].name : NULL;
}

const char *tr2_scene_generator_help(uint32_t index)
{
    return index < GENERATOR_COUNT ? generators[index].help : NULL;
}

tr_status tr2_scene_generate(const char *kind, uint32_t size, tr2_scene **out, tr_error *error)
{
    if (kind == NULL || out == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_generate: `kind` and `out` must not be null");
    const generator *found = NULL;
    for (uint32_t i = 0; i < GENERATOR_COUNT; i++)
        if (strcmp(generators[i].name, kind) == 0)
            found = &generators[i];
    if (found == NULL)
        return tr2_scene_fail(error, TR_ERROR_RANGE,
                              "there is no made scene \"%.40s\"; there are grid, chains, bridge, ragdolls and hub",
                              kind);
    if (size == 0 || size > found->maximum)
        return tr2_scene_fail(error, TR_ERROR_RANGE, "%s: the size must lie between 1 and %u, it is %u", found->name,
                              found->maximum, size);

    tr2_builder builder;
    tr_status status = tr2_builder_start(&builder, "generated", error);
    if (status != TR_OK)
        return status;
    builder.scene->gravity = (tr_vec2){0.0f, -10.0f};
    status = tr2_scene_copy_text(found->name, &builder.scene->name, error);
    if (status == TR_OK)
        status = found->make(&builder, size, error);
    if (status != TR_OK) {
        tr2_builder_drop(&builder);
        return status;
    }
    *out = tr2_builder_take(&builder);
    return TR_OK;
}
