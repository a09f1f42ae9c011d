/* Generators of scenes of falling, tumbling and crashing bodies, modelled on benchmarks of other engines. */
#include "scene/plane/generate.h"

#include "base/angle.h"

#define FRICTION 0.6f

/* static walls on body 0 around the area from `lower` to `upper`; `open`: without a lid */
static tr_status add_bin(tr2_builder *builder, tr_vec2 lower, tr_vec2 upper, bool open, float friction, tr_error *error)
{
    const float thick = 1.0f, x = 0.5f * (lower.x + upper.x), y = 0.5f * (lower.y + upper.y);
    const float half_x = 0.5f * (upper.x - lower.x), half_y = 0.5f * (upper.y - lower.y);
    const tr_vec2 centers[4] = {{x, lower.y - thick}, {lower.x - thick, y}, {upper.x + thick, y}, {x, upper.y + thick}};
    const tr_vec2 flat = {half_x + 2.0f * thick, thick}, upright = {thick, half_y};
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < (open ? 3u : 4u) && status == TR_OK; i++)
        status = tr2_generate_slab(builder, 0, centers[i], i % 3 == 0 ? flat : upright, friction, error);
    return status;
}

/* Box2D's benchmark is n = 45: a drum of 20 m with 45 x 45 boxes of 25 cm. Other sizes are about as full. */
tr_status tr2_generate_tumbler(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const double pitch = 0.4, half = 0.2 * n + 1.0;
    const float side = (float)half, degrees = 25.0f;
    builder->scene->collide = true;
    tr_status status = tr2_generate_room(builder, (uint64_t)n * n + 1, (uint64_t)n * n + 4, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "drum", error);
    if (status == TR_OK)
        status = add_bin(builder, (tr_vec2){-side, -side}, (tr_vec2){side, side}, false, FRICTION, error);
    if (status != TR_OK)
        return status;
    builder->scene->bodies[0].def.type = TR_KINEMATIC;
    builder->scene->bodies[0].def.angular_velocity = degrees / 360.0f * (float)TR_TURN;
    for (uint32_t i = 0; i < n * n && status == TR_OK; i++) {
        tr_dvec2 place = {pitch * (i % n - 0.5 * (n - 1)), pitch * (i / n - 0.5 * (n - 1))};
        status = tr2_generate_box(builder, place, 0.0, 0.25f, 0.25f, 0.0625f, error);
        if (status == TR_OK)
            builder->scene->shapes[builder->scene->shape_count - 1].friction = FRICTION;
    }
    return status;
}

/* the parts of one ragdoll do not collide with each other, only with other ragdolls */
static tr_status add_falling_ragdoll(tr2_builder *builder, uint32_t number, tr_vec2 place, tr_error *error)
{
    uint32_t first = builder->scene->shape_count;
    tr_status status = tr2_generate_ragdoll(builder, place, error);
    for (uint32_t i = first; i < builder->scene->shape_count; i++) {
        builder->scene->shapes[i].friction = FRICTION;
        builder->scene->shapes[i].filter.group = -(int32_t)(number + 1);
    }
    return status;
}

tr_status tr2_generate_rain(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const float pitch_x = 1.5f, pitch_y = 2.5f, slab = 1.0f;
    const uint32_t columns = 2 * tr_side(n), rows = (n + columns - 1) / columns;
    const float half = 0.5f * pitch_x * (float)columns;
    builder->scene->collide = true;
    tr_status status =
        tr2_generate_room(builder, (uint64_t)n * TR2_RAGDOLL_BODIES + 1, (uint64_t)n * TR2_RAGDOLL_BODIES + 3, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "bin", error);
    if (status == TR_OK)
        status = add_bin(builder, (tr_vec2){-half, 0.0f}, (tr_vec2){half, 10.0f + pitch_y * (float)rows}, true,
                         FRICTION, error);
    /* two rows of slabs with gaps wide enough for a ragdoll */
    for (uint32_t i = 0; i < 2 * (columns / 4) && status == TR_OK; i++) {
        float shift = i % 2 == 0 ? 0.0f : 2.0f * pitch_x;
        tr_vec2 center = {4.0f * pitch_x * (float)(i / 2) - half + 2.0f * pitch_x + shift, i % 2 == 0 ? 4.0f : 7.0f};
        status = tr2_generate_slab(builder, 0, center, (tr_vec2){slab, 0.25f}, FRICTION, error);
    }
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        /* the rows of ragdolls fall one after the other, each a little to the side of the last */
        float aside = 0.2f * (float)(i / columns % 3) - 0.2f;
        tr_vec2 place = {pitch_x * ((float)(i % columns) - 0.5f * (float)(columns - 1)) + aside,
                         10.0f + pitch_y * (float)(i / columns)};
        status = add_falling_ragdoll(builder, i, place, error);
    }
    return status;
}

#define HINGE_FRICTION 0.5f /* N m; without it the arms that hang freely swing for half a minute */

/* ragdolls that fall close together on flat ground */
tr_status tr2_generate_heap(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const float pitch_x = 1.2f, pitch_y = 2.2f;
    const uint32_t columns = 2 * tr_side(n);
    const float width = pitch_x * (float)columns;
    builder->scene->collide = true;
    tr_status status =
        tr2_generate_room(builder, (uint64_t)n * TR2_RAGDOLL_BODIES + 1, (uint64_t)n * TR2_RAGDOLL_BODIES + 1, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "ground", error);
    if (status == TR_OK)
        status = tr2_generate_slab(builder, 0, (tr_vec2){0.0f, -1.0f}, (tr_vec2){2.0f * width + 10.0f, 1.0f}, FRICTION,
                                   error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        /* each row falls a little to the side of the last, so that nobody stands on a head */
        float aside = 0.25f * (float)(i / columns % 3) - 0.25f;
        tr_vec2 place = {pitch_x * ((float)(i % columns) - 0.5f * (float)(columns - 1)) + aside,
                         1.5f + pitch_y * (float)(i / columns)};
        status = add_falling_ragdoll(builder, i, place, error);
    }
    for (uint32_t i = 0; i < builder->scene->joint_count; i++)
        builder->scene->joints[i].def.friction = HINGE_FRICTION;
    return status;
}

tr_status tr2_generate_smash(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const double pitch = 0.4;
    tr_status status = tr2_generate_room(builder, (uint64_t)n * n + 1, (uint64_t)n * n + 1, error);
    builder->scene->collide = true;
    builder->scene->gravity = (tr_vec2){0.0f, 0.0f};
    float side = 0.1f * (float)n;
    if (status == TR_OK)
        status = tr2_generate_box(builder, (tr_dvec2){-(double)side, 0.0}, 0.0, side, side, 8.0f * side * side, error);
    if (status != TR_OK)
        return status;
    builder->scene->bodies[0].def.velocity.x = 40.0f;
    builder->scene->shapes[0].friction = FRICTION;
    for (uint32_t i = 0; i < n * n && status == TR_OK; i++) {
        tr_dvec2 place = {pitch * (0.5 + i / n), pitch * (i % n - 0.5 * (n - 1))};
        status = tr2_generate_box(builder, place, 0.0, 0.4f, 0.4f, 0.16f, error);
        if (status == TR_OK)
            builder->scene->shapes[builder->scene->shape_count - 1].friction = FRICTION;
    }
    return status;
}

/* A square full of discs, stirred by a rotating paddle in the middle, so that nothing comes to rest. */
tr_status tr2_generate_discs(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const float radius = 0.25f, pitch = 0.627f, mass = 0.2f, tip_speed = 4.0f;
    const uint32_t side = tr_side(n);
    const float half = 0.5f * pitch * (float)side + 2.0f * radius;
    builder->scene->collide = true;
    builder->scene->gravity = (tr_vec2){0.0f, 0.0f};
    tr_status status = tr2_generate_room(builder, (uint64_t)n + 2, (uint64_t)n + 5, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "walls", error);
    if (status == TR_OK)
        status = add_bin(builder, (tr_vec2){-half, -half}, (tr_vec2){half, half}, false, FRICTION, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "paddle", error);
    if (status == TR_OK)
        status = tr2_generate_slab(builder, 1, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.9f * half, 0.4f * radius}, FRICTION,
                                   error);
    if (status != TR_OK)
        return status;
    builder->scene->bodies[1].def.type = TR_KINEMATIC;
    builder->scene->bodies[1].def.angular_velocity = tip_speed / (0.9f * half);
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        uint32_t index = builder->scene->body_count;
        tr2_scene_body *body = NULL;
        status = tr2_builder_body(builder, &body, error);
        if (status != TR_OK)
            break;
        tr_vec2 place = tr2_generate_place(i, side * side, side, pitch, pitch);
        body->def.position = (tr_dvec2){(double)place.x, (double)(place.y + (place.y < 0.0f ? -radius : radius))};
        body->def.mass = mass;
        body->def.inertia = 0.5f * mass * radius * radius;
        status = tr2_generate_disc_shape(builder, index, radius, mass / ((float)TR_PI * radius * radius), error);
        if (status == TR_OK)
            builder->scene->shapes[builder->scene->shape_count - 1].friction = FRICTION;
    }
    return status;
}
