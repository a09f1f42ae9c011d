/* Generators of scenes of joints: lattices, chains, bridges, hanging ragdolls, hubs. */
#include "scene/plane/generate.h"

#include "base/angle.h"

/* the joint grid of the benchmarks: column by column, each body joined to the ones above and to the left */
tr_status tr2_generate_grid(tr2_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = tr2_generate_reserve(builder, n * n, 2 * n * (n - 1), 0, 0, error);
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
                status = tr2_generate_revolute(builder, index - 1, index, (tr_vec2){0.0f, -0.5f}, (tr_vec2){0.0f, 0.5f},
                                               error);
            if (status == TR_OK && column > 0)
                status = tr2_generate_revolute(builder, index - n, index, (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f},
                                               error);
        }
    }
    return status;
}

#define CHAIN_LINKS 20u

/* chains that start horizontal and swing down; all hang from one static body */
tr_status tr2_generate_chains(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const float length = 0.5f, width = 0.1f, mass = 1.0f;
    const uint32_t side = tr_side(n);
    tr_status status = tr2_generate_reserve(builder, n * CHAIN_LINKS + 1, n * CHAIN_LINKS, n * CHAIN_LINKS,
                                            4 * n * CHAIN_LINKS, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "ground", error);
    for (uint32_t chain = 0; chain < n && status == TR_OK; chain++) {
        tr_vec2 top = tr2_generate_place(chain, n, side, 12.0f, 12.0f);
        for (uint32_t link = 0; link < CHAIN_LINKS && status == TR_OK; link++) {
            uint32_t index = builder->scene->body_count;
            tr_dvec2 position = {(double)top.x + ((double)link + 0.5) * (double)length, (double)top.y};
            status = tr2_generate_box(builder, position, 0.0, length, width, mass, error);
            if (status != TR_OK)
                break;
            tr_vec2 right = {0.5f * length, 0.0f}, left = {-0.5f * length, 0.0f};
            status = link == 0 ? tr2_generate_revolute(builder, 0, index, top, left, error)
                               : tr2_generate_revolute(builder, index - 1, index, right, left, error);
        }
    }
    return status;
}

/* planks of 1 m along an arc of 0.8 rad between two static posts; every joint starts with zero error */
tr_status tr2_generate_bridge(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const double arc = 0.8, step = arc / (double)n, radius = 0.5 / tr_sine(0.5 * step);
    tr_status status = tr2_generate_reserve(builder, n + 2, n + 1, n + 2, 4 * n + 2, error);
    tr_vec2 right = {0.5f, 0.0f}, left = {-0.5f, 0.0f}, middle = {0.0f, 0.0f};
    for (uint32_t post = 0; post < 2 && status == TR_OK; post++) {
        status = tr2_generate_static(builder, post == 0 ? "left post" : "right post", error);
        if (status != TR_OK)
            break;
        double side = post == 0 ? -1.0 : 1.0;
        builder->scene->bodies[post].def.position.x = side * radius * tr_sine(0.5 * arc);
        status = tr2_generate_disc_shape(builder, post, 0.2f, 0.0f, error);
    }
    /* the middle of a chord lies at radius * cos(step / 2) from the arc's centre */
    double apothem = radius * tr_cosine(0.5 * step), level = radius * tr_cosine(0.5 * arc);
    for (uint32_t plank = 0; plank < n && status == TR_OK; plank++) {
        double angle = ((double)plank + 0.5) * step - 0.5 * arc;
        tr_dvec2 position = {apothem * tr_sine(angle), level - apothem * tr_cosine(angle)};
        status = tr2_generate_box(builder, position, angle, 1.0f, 0.125f, 5.0f, error);
        if (status == TR_OK)
            status = plank == 0 ? tr2_generate_revolute(builder, 0, 2, middle, left, error)
                                : tr2_generate_revolute(builder, plank + 1, plank + 2, right, left, error);
    }
    if (status == TR_OK)
        status = tr2_generate_revolute(builder, n + 1, 1, right, middle, error);
    return status;
}

/* ties the head to a rope that starts slack and to one side: the ragdoll falls, is caught and swings */
static tr_status add_rope(tr2_builder *builder, uint32_t head, tr_vec2 place, tr_error *error)
{
    tr2_scene_joint *rope = NULL;
    tr_status status = tr2_builder_joint(builder, TR2_JOINT_DISTANCE, &rope, error);
    if (status != TR_OK)
        return status;
    rope->body_a = 0;
    rope->body_b = head;
    rope->def.anchor_a = (tr_vec2){place.x + 0.5f, place.y + 1.5f};
    rope->def.anchor_b = (tr_vec2){0.0f, 0.14f};
    rope->def.length = 1.0f;
    rope->def.linear = tr_frequency(0.0f, 0.0f);
    rope->def.limit = (tr_limit){true, 0.0f, 1.0f};
    return TR_OK;
}

tr_status tr2_generate_ragdolls(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const uint32_t side = tr_side(n);
    tr_status status = tr2_generate_reserve(builder, n * TR2_RAGDOLL_BODIES + 1, n * (TR2_RAGDOLL_HINGES + 1),
                                            n * TR2_RAGDOLL_BODIES, 4 * n * TR2_RAGDOLL_BODIES, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "ground", error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        tr_vec2 place = tr2_generate_place(i, n, side, 3.0f, 4.0f);
        uint32_t first = builder->scene->body_count;
        status = tr2_generate_ragdoll(builder, place, error);
        if (status == TR_OK)
            status = add_rope(builder, first + TR2_RAGDOLL_HEAD, place, error);
    }
    /* names would take up most of a large file, so only a single ragdoll has them */
    for (uint32_t i = 0; n == 1 && i < TR2_RAGDOLL_BODIES && status == TR_OK; i++)
        status = tr_scene_copy_text(tr2_generate_part_name(i), &builder->scene->bodies[1 + i].name, error);
    return status;
}

/* bodies of 0.5 kg on rings, each pinned to one rotating hub of 10 t, which is pinned to the ground */
tr_status tr2_generate_hub(tr2_builder *builder, uint32_t n, tr_error *error)
{
    uint32_t rings = 0;
    for (uint32_t room = 0; room < n; rings++)
        room += tr_ring_capacity(rings);
    const float spin = 0.5f, mass = 0.5f, radius = 0.15f;
    const float hub_mass = 10000.0f, hub_radius = 2.0f + 0.5f * (float)(rings - 1) + 0.3f;

    tr_status status = tr2_generate_reserve(builder, n + 2, n + 1, n + 1, n + 1, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "ground", error);
    tr2_scene_body *hub = NULL;
    if (status == TR_OK)
        status = tr2_builder_body(builder, &hub, error);
    if (status != TR_OK)
        return status;
    hub->def.mass = hub_mass;
    hub->def.inertia = 0.5f * hub_mass * hub_radius * hub_radius;
    hub->def.angular_velocity = spin;
    status = tr_scene_copy_text("hub", &hub->name, error);
    if (status == TR_OK)
        status =
            tr2_generate_disc_shape(builder, 1, hub_radius, hub_mass / ((float)TR_PI * hub_radius * hub_radius), error);
    if (status == TR_OK)
        status = tr2_generate_revolute(builder, 0, 1, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f}, error);

    uint32_t left = n;
    for (uint32_t ring = 0; left > 0 && status == TR_OK; ring++) {
        /* a partly filled ring is spread evenly, so that gravity stays balanced */
        uint32_t capacity = tr_ring_capacity(ring), count = left < capacity ? left : capacity;
        double distance = 2.0 + 0.5 * (double)ring;
        for (uint32_t i = 0; i < count && status == TR_OK; i++) {
            double angle = TR_TURN * (double)i / (double)count - TR_PI;
            uint32_t index = builder->scene->body_count;
            tr_vec2 anchor = {(float)(distance * tr_cosine(angle)), (float)(distance * tr_sine(angle))};
            tr2_scene_body *body = NULL;
            status = tr2_builder_body(builder, &body, error);
            if (status != TR_OK)
                return status;
            body->def.position = (tr_dvec2){(double)anchor.x, (double)anchor.y};
            body->def.velocity = (tr_vec2){-spin * anchor.y, spin * anchor.x};
            body->def.angular_velocity = spin;
            body->def.mass = mass;
            body->def.inertia = 0.5f * mass * radius * radius;
            status = tr2_generate_disc_shape(builder, index, radius, mass / ((float)TR_PI * radius * radius), error);
            if (status == TR_OK)
                status = tr2_generate_revolute(builder, 1, index, anchor, (tr_vec2){0.0f, 0.0f}, error);
        }
        left -= count;
    }
    return status;
}
