/* Generators of stable piles: boxes that would stand for ever if they were perfectly rigid. */
#include "scene/plane/generate.h"

#include "base/angle.h"

#define FRICTION 0.6f

/* turns collision on and adds the ground: a static slab whose top is at y = 0 */
static tr_status begin_pile(tr2_builder *builder, uint64_t bodies, float half_width, float friction, tr_error *error)
{
    builder->scene->collide = true;
    tr_status status = tr2_generate_room(builder, bodies + 1, bodies + 1, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "ground", error);
    if (status == TR_OK)
        status = tr2_generate_slab(builder, 0, (tr_vec2){0.0f, -1.0f}, (tr_vec2){half_width, 1.0f}, friction, error);
    return status;
}

/* a box; `density` in kg/m^2 */
static tr_status add_block(tr2_builder *builder, double x, double y, double angle, float width, float height,
                           float density, float friction, tr_error *error)
{
    tr_status status =
        tr2_generate_box(builder, (tr_dvec2){x, y}, angle, width, height, density * width * height, error);
    if (status == TR_OK)
        builder->scene->shapes[builder->scene->shape_count - 1].friction = friction;
    return status;
}

static tr_status add_pyramid(tr2_builder *builder, uint32_t rows, double x, double y, tr_error *error)
{
    tr_status status = TR_OK;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = row; i < rows && status == TR_OK; i++)
            status = add_block(builder, x + 0.5 * (row + 1) + (double)(i - row) - 0.5 * rows, y + row + 0.5, 0.0, 1.0f,
                               1.0f, 1.0f, FRICTION, error);
    return status;
}

tr_status tr2_generate_pyramid(tr2_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = begin_pile(builder, (uint64_t)n * (n + 1) / 2, 0.5f * (float)n + 4.0f, FRICTION, error);
    if (status == TR_OK)
        status = add_pyramid(builder, n, 0.0, 0.0, error);
    return status;
}

#define SMALL_ROWS 10u

tr_status tr2_generate_pyramids(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const double pitch = SMALL_ROWS + 2.0;
    const float half_width = 0.5f * (float)(pitch * n) + 1.0f;
    tr_status status =
        begin_pile(builder, (uint64_t)n * n * (SMALL_ROWS * (SMALL_ROWS + 1) / 2) + n, half_width, FRICTION, error);
    for (uint32_t storey = 1; storey < n && status == TR_OK; storey++)
        status = tr2_generate_slab(builder, 0, (tr_vec2){0.0f, (float)(pitch * storey) - 0.25f},
                                   (tr_vec2){half_width, 0.25f}, FRICTION, error);
    for (uint32_t storey = 0; storey < n; storey++)
        for (uint32_t i = 0; i < n && status == TR_OK; i++)
            status = add_pyramid(builder, SMALL_ROWS, pitch * (i - 0.5 * (n - 1)), pitch * storey, error);
    return status;
}

/* each box is slightly off the one below; densities rise linearly to ten times the first at the top */
tr_status tr2_generate_column(tr2_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = begin_pile(builder, n, 6.0f, FRICTION, error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        float density = n == 1 ? 1.0f : 1.0f + 9.0f * (float)i / (float)(n - 1);
        status = add_block(builder, 0.01 * (i % 3), 0.5 + i, 0.0, 1.0f, 1.0f, density, FRICTION, error);
    }
    return status;
}

tr_status tr2_generate_tower(tr2_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = begin_pile(builder, 2 * (uint64_t)n + 1, 4.0f, FRICTION, error);
    for (uint32_t i = 0; i < n; i++) {
        double y = 0.15 + 0.3 * i;
        if (i % 2 == 1 && status == TR_OK)
            status = add_block(builder, 0.0, y, 0.0, 1.5f, 0.3f, 1.0f, FRICTION, error);
        for (int k = -1; k <= 1 && i % 2 == 0 && status == TR_OK; k++)
            status = add_block(builder, 0.5 * k, y, 0.0, 0.498f, 0.3f, 1.0f, FRICTION, error);
    }
    return status;
}

/* Cards of 40 cm by 2 mm, leaning by 25 degrees, that drop by 1 or 2 cm at the start. After Box2D's sample. */
tr_status tr2_generate_cards(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const double half = 0.2, lean = 25.0 / 360.0 * TR_TURN;
    const float thick = 0.002f, length = 0.4f, friction = 0.7f;
    tr_status status = begin_pile(builder, 3 * (uint64_t)n * (n + 1) / 2, 1.0f + 0.2f * (float)n, friction, error);
    double y = half - 0.02, left = -0.175 * (double)(n - 1) - 0.0875;
    for (uint32_t storey = n; storey > 0; storey--) {
        double x = left;
        for (uint32_t i = 0; i < storey && status == TR_OK; i++) {
            if (i + 1 < storey)
                status = add_block(builder, x + 0.25, y + half - 0.015, 0.25 * TR_TURN, thick, length, 1.0f, friction,
                                   error);
            if (status == TR_OK)
                status = add_block(builder, x, y, -lean, thick, length, 1.0f, friction, error);
            if (status == TR_OK)
                status = add_block(builder, x + 0.175, y, lean, thick, length, 1.0f, friction, error);
            x += 0.35;
        }
        y += 2.0 * half - 0.03;
        left += 0.175;
    }
    return status;
}

/* inner and outer corners of the stones from foot to crown, close to catenaries. After Box2D's sample. */
#define ARCH_STONES 8u
static const float arch_inner[ARCH_STONES + 1][2] = {
    {4.0f, 0.0f},         {3.7345f, 1.2834f},    {3.449675f, 2.562325f}, {3.140625f, 3.835275f}, {2.8001f, 5.09965f},
    {2.4163f, 6.350925f}, {1.96795f, 7.579475f}, {1.4088f, 8.75955f},    {0.601475f, 9.773875f},
};
static const float arch_outer[ARCH_STONES + 1][2] = {
    {6.0f, 0.0f},          {5.58405f, 1.50575f},   {5.13735f, 3.0024f},
    {4.652125f, 4.48675f}, {4.116925f, 5.953425f}, {3.513325f, 7.392675f},
    {2.808875f, 8.78445f}, {1.93815f, 10.076125f}, {0.754225f, 11.072225f},
};

/* a stone from its corners (counter-clockwise, world coordinates), on a body at the world's origin */
static tr_status add_stone(tr2_builder *builder, const tr_vec2 *corners, uint32_t count, tr_error *error)
{
    uint32_t body_index = builder->scene->body_count, first = builder->scene->shape_count;
    tr2_scene_body *body = NULL;
    tr2_scene_shape *shape = NULL;
    tr_status status = tr2_builder_body(builder, &body, error);
    if (status == TR_OK)
        status = tr2_builder_shape(builder, TR2_SCENE_POLYGON, body_index, &shape, error);
    if (status != TR_OK)
        return status;
    shape->density = 1.0f;
    shape->friction = FRICTION;
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = tr2_builder_vertex(builder, corners[i], error);
    if (status != TR_OK)
        return status;
    tr2_mass mass = tr2_scene_mass(builder->scene, first, 1);
    body->def.mass = (float)mass.mass;
    body->def.inertia = (float)mass.inertia;
    body->def.center = (tr_vec2){(float)mass.x, (float)mass.y};
    return TR_OK;
}

tr_status tr2_generate_arch(tr2_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status = begin_pile(builder, 2 * ARCH_STONES + 1 + (uint64_t)n, 8.0f, FRICTION, error);
    for (uint32_t i = 0; i < 2 * ARCH_STONES && status == TR_OK; i++) {
        uint32_t k = i / 2;
        const float *ring[4] = {arch_inner[k], arch_outer[k], arch_outer[k + 1], arch_inner[k + 1]};
        tr_vec2 corners[4];
        for (uint32_t c = 0; c < 4; c++)
            corners[i % 2 == 0 ? c : 3 - c] = (tr_vec2){i % 2 == 0 ? ring[c][0] : -ring[c][0], ring[c][1]};
        status = add_stone(builder, corners, 4, error);
    }
    const float *inner = arch_inner[ARCH_STONES], *outer = arch_outer[ARCH_STONES];
    const tr_vec2 key[4] = {{-inner[0], inner[1]}, {inner[0], inner[1]}, {outer[0], outer[1]}, {-outer[0], outer[1]}};
    if (status == TR_OK)
        status = add_stone(builder, key, 4, error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++)
        status = add_block(builder, 0.0, 0.5 + (double)outer[1] + i, 0.0, 4.0f, 1.0f, 1.0f, FRICTION, error);
    return status;
}
