/* Generators of scenes of joints in space: sheets, lattices, chains, bridges, hubs, hanging ragdolls. */
#include "base/angle.h"
#include "scene/space/generate.h"

static const tr_quat upright = {0.0f, 0.0f, 0.0f, 1.0f};

/* a ball from each body to the one before it along an axis: half a metre from either */
static tr_status add_link(tr3_builder *builder, uint32_t a, uint32_t b, tr_vec3 toward, tr_error *error)
{
    tr_vec3 there = {0.5f * toward.x, 0.5f * toward.y, 0.5f * toward.z}, back = {-there.x, -there.y, -there.z};
    return tr3_generate_joint(builder, TR3_JOINT_BALL, a, b, there, back, TR_NULL, error);
}

tr_status tr3_generate_sheet(tr3_builder *builder, uint32_t n, tr_error *error)
{
    const float half = 0.4f, mass = 1.0f;
    tr_status status = tr3_builder_reserve(builder, n * n, 2 * n * (n - 1), n * n, error);
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t column = 0; column < n && status == TR_OK; column++) {
            uint32_t index = builder->scene->body_count;
            tr_dvec3 position = {(double)column, -(double)row, 0.0};
            status = tr3_generate_box(builder, position, upright, (tr_vec3){half, half, half}, mass, error);
            if (status == TR_OK && row == 0)
                builder->scene->bodies[index].def.type = TR_STATIC;
            if (status == TR_OK && row > 0)
                status = add_link(builder, index - n, index, (tr_vec3){0.0f, -1.0f, 0.0f}, error);
            if (status == TR_OK && column > 0)
                status = add_link(builder, index - 1, index, (tr_vec3){1.0f, 0.0f, 0.0f}, error);
        }
    }
    return status;
}

tr_status tr3_generate_lattice(tr3_builder *builder, uint32_t n, tr_error *error)
{
    const float radius = 0.3f, mass = 1.0f;
    tr_status status = tr3_builder_reserve(builder, n * n * n, 3 * n * n * (n - 1), n * n * n, error);
    for (uint32_t i = 0; i < n * n * n && status == TR_OK; i++) {
        uint32_t x = i % n, z = i / n % n, y = i / (n * n);
        status = tr3_generate_ball(builder, (tr_dvec3){(double)x, -(double)y, (double)z}, radius, mass, error);
        if (status == TR_OK && y == 0)
            builder->scene->bodies[i].def.type = TR_STATIC;
        if (status == TR_OK && x > 0)
            status = add_link(builder, i - 1, i, (tr_vec3){1.0f, 0.0f, 0.0f}, error);
        if (status == TR_OK && z > 0)
            status = add_link(builder, i - n, i, (tr_vec3){0.0f, 0.0f, 1.0f}, error);
        if (status == TR_OK && y > 0)
            status = add_link(builder, i - n * n, i, (tr_vec3){0.0f, -1.0f, 0.0f}, error);
    }
    return status;
}

static tr_vec3 narrow(tr_dvec3 v)
{
    return (tr_vec3){(float)v.x, (float)v.y, (float)v.z};
}

#define CHAIN_LINKS 20u

/* chains that start horizontal and swing down; all hang from one static body */
tr_status tr3_generate_chains(tr3_builder *builder, uint32_t n, tr_error *error)
{
    const float reach = 0.25f, radius = 0.06f, mass = 1.0f;
    const tr_vec3 right = {reach, 0.0f, 0.0f}, left = {-reach, 0.0f, 0.0f};
    tr_status status = tr3_builder_reserve(builder, n * CHAIN_LINKS + 1, n * CHAIN_LINKS, n * CHAIN_LINKS, error);
    if (status == TR_OK)
        status = tr3_generate_static(builder, "ground", (tr_dvec3){0.0, 0.0, 0.0}, error);
    for (uint32_t chain = 0; chain < n && status == TR_OK; chain++) {
        tr_dvec3 top = tr3_generate_place(chain, n, 24.0, 1.0);
        for (uint32_t link = 0; link < CHAIN_LINKS && status == TR_OK; link++) {
            uint32_t index = builder->scene->body_count;
            tr_dvec3 position = {top.x + (2.0 * (double)link + 1.0) * (double)reach, top.y, top.z};
            status = tr3_generate_capsule(builder, position, 0, reach, radius, mass, error);
            if (status == TR_OK)
                status = tr3_generate_joint(builder, TR3_JOINT_BALL, link == 0 ? 0 : index - 1, index,
                                            link == 0 ? narrow(top) : right, left, TR_NULL, error);
        }
    }
    return status;
}

/* planks of 1 m along an arc of 0.8 rad between two static posts; every joint starts with zero error */
tr_status tr3_generate_bridge(tr3_builder *builder, uint32_t n, tr_error *error)
{
    const double arc = 0.8, step = arc / (double)n, radius = 0.5 / tr_sine(0.5 * step);
    const double apothem = radius * tr_cosine(0.5 * step), level = radius * tr_cosine(0.5 * arc);
    const tr_vec3 right = {0.5f, 0.0f, 0.0f}, left = {-0.5f, 0.0f, 0.0f}, middle = {0.0f, 0.0f, 0.0f};
    tr_status status = tr3_builder_reserve(builder, n + 2, n + 1, n + 2, error);
    for (uint32_t post = 0; post < 2 && status == TR_OK; post++) {
        const double side = post == 0 ? -1.0 : 1.0;
        status = tr3_generate_static(builder, post == 0 ? "left post" : "right post",
                                     (tr_dvec3){side * radius * tr_sine(0.5 * arc), 0.0, 0.0}, error);
        tr3_scene_shape *beam = TR_NULL;
        if (status == TR_OK)
            status = tr3_builder_shape(builder, TR3_SCENE_CYLINDER, post, &beam, error);
        if (status != TR_OK)
            return status;
        beam->from = (tr_vec3){0.0f, 0.0f, -1.0f};
        beam->to = (tr_vec3){0.0f, 0.0f, 1.0f};
        beam->radius = 0.2f;
    }
    for (uint32_t plank = 0; plank <= n && status == TR_OK; plank++) {
        /* the middle of a chord lies at radius * cos(step / 2) from the arc's centre */
        const double angle = ((double)plank + 0.5) * step - 0.5 * arc;
        const tr_quat rotation = {0.0f, 0.0f, (float)tr_sine(0.5 * angle), (float)tr_cosine(0.5 * angle)};
        tr_dvec3 position = {apothem * tr_sine(angle), level - apothem * tr_cosine(angle), 0.0};
        tr3_scene_joint *hinge = TR_NULL;
        if (plank < n)
            status = tr3_generate_box(builder, position, rotation, (tr_vec3){0.48f, 0.0625f, 0.9f}, 20.0f, error);
        const uint32_t a = plank == 0 ? 0 : plank + 1, b = plank == n ? 1 : plank + 2;
        if (status == TR_OK)
            status = tr3_generate_joint(builder, TR3_JOINT_HINGE, a, b, plank == 0 ? middle : right,
                                        plank == n ? middle : left, &hinge, error);
        if (status == TR_OK)
            hinge->def.axis = (tr_vec3){0.0f, 0.0f, 1.0f};
    }
    return status;
}

/* bodies of 0.5 kg on rings, each on a ball of one hub of 10 t that turns about a vertical axis */
tr_status tr3_generate_hub(tr3_builder *builder, uint32_t n, tr_error *error)
{
    uint32_t rings = 0;
    for (uint32_t room = 0; room < n; rings++)
        room += tr_ring_capacity(rings);
    const float spin = 0.5f, mass = 0.5f, radius = 0.15f, thick = 0.1f;
    const float hub_mass = 10000.0f, hub_radius = 2.0f + 0.5f * (float)(rings - 1) + 0.3f;
    const tr_vec3 middle = {0.0f, 0.0f, 0.0f};

    tr_status status = tr3_builder_reserve(builder, n + 2, n + 1, n + 1, error);
    if (status == TR_OK)
        status = tr3_generate_static(builder, "ground", (tr_dvec3){0.0, 0.0, 0.0}, error);
    tr3_scene_body *hub = TR_NULL;
    if (status == TR_OK)
        status = tr3_builder_body(builder, &hub, error);
    tr3_scene_shape *disc = TR_NULL;
    if (status == TR_OK)
        status = tr3_builder_shape(builder, TR3_SCENE_CYLINDER, 1, &disc, error);
    if (status != TR_OK)
        return status;
    disc->from = (tr_vec3){0.0f, -thick, 0.0f};
    disc->to = (tr_vec3){0.0f, thick, 0.0f};
    disc->radius = hub_radius;
    disc->density = hub_mass / ((float)TR_PI * hub_radius * hub_radius * 2.0f * thick);
    const float across = hub_mass * (3.0f * hub_radius * hub_radius + 4.0f * thick * thick) / 12.0f;
    hub->def.mass = hub_mass;
    hub->def.inertia = (tr_sym3){across, 0.5f * hub_mass * hub_radius * hub_radius, across, 0.0f, 0.0f, 0.0f};
    hub->def.angular_velocity.y = spin;
    status = tr_scene_copy_text("hub", &hub->name, error);
    tr3_scene_joint *hinge = TR_NULL;
    if (status == TR_OK)
        status = tr3_generate_joint(builder, TR3_JOINT_HINGE, 0, 1, middle, middle, &hinge, error);
    if (status == TR_OK)
        hinge->def.axis = (tr_vec3){0.0f, 1.0f, 0.0f};

    uint32_t left = n;
    for (uint32_t ring = 0; left > 0 && status == TR_OK; ring++) {
        /* a partly filled ring is spread evenly, so that gravity stays balanced */
        uint32_t capacity = tr_ring_capacity(ring), count = left < capacity ? left : capacity;
        double distance = 2.0 + 0.5 * (double)ring;
        for (uint32_t i = 0; i < count && status == TR_OK; i++) {
            double angle = TR_TURN * (double)i / (double)count - TR_PI;
            uint32_t index = builder->scene->body_count;
            tr_dvec3 at = {distance * tr_cosine(angle), (double)(thick + radius), distance * tr_sine(angle)};
            status = tr3_generate_ball(builder, at, radius, mass, error);
            if (status != TR_OK)
                return status;
            /* spin x arm, about +y */
            builder->scene->bodies[index].def.velocity = (tr_vec3){spin * (float)at.z, 0.0f, -spin * (float)at.x};
            builder->scene->bodies[index].def.angular_velocity.y = spin;
            status = tr3_generate_joint(builder, TR3_JOINT_BALL, 1, index, narrow(at), middle, TR_NULL, error);
        }
        left -= count;
    }
    return status;
}

/*
 * Ragdolls: a person of 1.75 m and 70 kg that looks along +z, with the centre of the hip at the origin
 */
typedef struct ragdoll_part {
    const char *name;
    tr_vec3 at;   /* m, the centre */
    tr_vec3 half; /* m, half the size of a box; of a capsule along y: half its width, half its length, 0 */
    float mass;   /* kg */
} ragdoll_part;

enum { HIP, TORSO, HEAD, THIGH_L, SHIN_L, ARM_L, FOREARM_L, THIGH_R, SHIN_R, ARM_R, FOREARM_R, PART_COUNT };

static const ragdoll_part parts[PART_COUNT] = {
    {"hip", {0.0f, 0.0f, 0.0f}, {0.16f, 0.10f, 0.09f}, 11.0f},
    {"torso", {0.0f, 0.36f, 0.0f}, {0.18f, 0.25f, 0.11f}, 24.0f},
    {"head", {0.0f, 0.77f, 0.0f}, {0.09f, 0.14f, 0.0f}, 5.0f},
    {"left thigh", {0.10f, -0.31f, 0.0f}, {0.075f, 0.21f, 0.0f}, 8.0f},
    {"left shin", {0.10f, -0.745f, 0.0f}, {0.055f, 0.225f, 0.0f}, 4.0f},
    {"left arm", {0.245f, 0.45f, 0.0f}, {0.05f, 0.15f, 0.0f}, 2.0f},
    {"left forearm", {0.245f, 0.12f, 0.0f}, {0.04f, 0.18f, 0.0f}, 1.0f},
    {"right thigh", {-0.10f, -0.31f, 0.0f}, {0.075f, 0.21f, 0.0f}, 8.0f},
    {"right shin", {-0.10f, -0.745f, 0.0f}, {0.055f, 0.225f, 0.0f}, 4.0f},
    {"right arm", {-0.245f, 0.45f, 0.0f}, {0.05f, 0.15f, 0.0f}, 2.0f},
    {"right forearm", {-0.245f, 0.12f, 0.0f}, {0.04f, 0.18f, 0.0f}, 1.0f},
};

/* a ball: the cone about `axis` (a limb's direction in A) and the twist to either side. A hinge about x has no cone:
   `lower` and `upper` limit its angle, which is positive when the limb bends backward */
typedef struct ragdoll_joint {
    uint32_t a, b;
    tr_vec3 at; /* m, in the frame of the table above */
    float cone, lower, upper;
} ragdoll_joint;

static const ragdoll_joint joints[PART_COUNT - 1] = {
    {HIP, TORSO, {0.0f, 0.10f, 0.0f}, 0.5f, -0.5f, 0.5f},
    {TORSO, HEAD, {0.0f, 0.62f, 0.0f}, 0.7f, -1.0f, 1.0f},
    {HIP, THIGH_L, {0.10f, -0.10f, 0.0f}, 1.0f, -0.5f, 0.5f},
    {THIGH_L, SHIN_L, {0.10f, -0.52f, 0.0f}, 0.0f, -0.05f, 2.2f},
    {TORSO, ARM_L, {0.245f, 0.60f, 0.0f}, 1.6f, -0.8f, 0.8f},
    {ARM_L, FOREARM_L, {0.245f, 0.30f, 0.0f}, 0.0f, -2.4f, 0.05f},
    {HIP, THIGH_R, {-0.10f, -0.10f, 0.0f}, 1.0f, -0.5f, 0.5f},
    {THIGH_R, SHIN_R, {-0.10f, -0.52f, 0.0f}, 0.0f, -0.05f, 2.2f},
    {TORSO, ARM_R, {-0.245f, 0.60f, 0.0f}, 1.6f, -0.8f, 0.8f},
    {ARM_R, FOREARM_R, {-0.245f, 0.30f, 0.0f}, 0.0f, -2.4f, 0.05f},
};

static tr_vec3 from_to(tr_vec3 from, tr_vec3 to)
{
    return (tr_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
}

static tr_status add_ragdoll(tr3_builder *builder, tr_dvec3 place, tr_error *error)
{
    const uint32_t first = builder->scene->body_count;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < PART_COUNT && status == TR_OK; i++) {
        const ragdoll_part *part = &parts[i];
        tr_dvec3 at = {place.x + (double)part->at.x, place.y + (double)part->at.y, place.z + (double)part->at.z};
        status = part->half.z > 0.0f
                     ? tr3_generate_box(builder, at, upright, part->half, part->mass, error)
                     : tr3_generate_capsule(builder, at, 1, part->half.y, part->half.x, part->mass, error);
    }
    for (uint32_t i = 0; i < PART_COUNT - 1 && status == TR_OK; i++) {
        const ragdoll_joint *joint = &joints[i];
        const tr3_joint_type type = joint->cone > 0.0f ? TR3_JOINT_BALL : TR3_JOINT_HINGE;
        tr3_scene_joint *made = TR_NULL;
        status = tr3_generate_joint(builder, type, first + joint->a, first + joint->b,
                                    from_to(parts[joint->a].at, joint->at), from_to(parts[joint->b].at, joint->at),
                                    &made, error);
        if (status != TR_OK)
            return status;
        made->def.friction = 1.0f;
        if (type == TR3_JOINT_HINGE) {
            made->def.limit = (tr_limit){true, joint->lower, joint->upper};
            continue;
        }
        made->def.axis = (tr_vec3){0.0f, joint->b == TORSO || joint->b == HEAD ? 1.0f : -1.0f, 0.0f};
        made->def.cone_angle = joint->cone;
        made->def.twist = (tr_limit){true, joint->lower, joint->upper};
    }
    return status;
}

/* ties the head to a rope that starts slack and to one side: the ragdoll falls, is caught and swings */
static tr_status add_rope(tr3_builder *builder, uint32_t head, tr_dvec3 place, tr_error *error)
{
    const tr_vec3 top = {(float)place.x + 0.4f, (float)place.y + 1.5f, (float)place.z + 0.3f};
    tr3_scene_joint *rope = TR_NULL;
    tr_status status =
        tr3_generate_joint(builder, TR3_JOINT_DISTANCE, 0, head, top, (tr_vec3){0.0f, 0.14f, 0.0f}, &rope, error);
    if (status == TR_OK) {
        rope->def.length = 1.0f;
        tr3_joint_def_make_rope(&rope->def, 1.0f);
    }
    return status;
}

tr_status tr3_generate_ragdolls(tr3_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = tr3_builder_reserve(builder, n * PART_COUNT + 1, n * PART_COUNT, n * PART_COUNT, error);
    if (status == TR_OK)
        status = tr3_generate_static(builder, "ground", (tr_dvec3){0.0, 0.0, 0.0}, error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        tr_dvec3 place = tr3_generate_place(i, n, 2.5, 2.5);
        uint32_t first = builder->scene->body_count;
        status = add_ragdoll(builder, place, error);
        if (status == TR_OK)
            status = add_rope(builder, first + HEAD, place, error);
    }
    /* names would take up most of a large file, so only a single ragdoll has them */
    for (uint32_t i = 0; n == 1 && i < PART_COUNT && status == TR_OK; i++)
        status = tr_scene_copy_text(parts[i].name, &builder->scene->bodies[1 + i].name, error);
    return status;
}
