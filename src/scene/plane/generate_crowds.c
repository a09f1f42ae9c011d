/* Generators of scenes with joints and collision: a crowd with ropes between people, a building that breaks. */
#include "scene/plane/generate.h"

#include <stdlib.h>

#include "base/angle.h"

/* a pseudo-random number from 0 to below 1, the same on every machine */
static float draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(*seed >> 40) / 16777216.0f;
}

/*
 * A crowd, seen from above
 */
#define GROUP    5u    /* people in a group; a rope ties each to the one before */
#define ROOM     0.45f /* m^2 of floor area per person */
#define PACE     1.4f  /* m/s */
#define PUSH     4.0f  /* N per kg: about as hard as a person pushes off the ground */
#define ROPE     0.9f  /* m, greatest distance between centres */
#define HEADINGS 16u

/* four walls around a square, on body 0 */
static tr_status add_hall(tr2_builder *builder, float half, tr_error *error)
{
    const float thick = 0.5f;
    tr_status status = tr2_generate_static(builder, "hall", error);
    for (uint32_t i = 0; i < 4 && status == TR_OK; i++) {
        float side = i % 2 == 0 ? half + thick : -half - thick;
        tr_vec2 center = i < 2 ? (tr_vec2){side, 0.0f} : (tr_vec2){0.0f, side};
        tr_vec2 halves = i < 2 ? (tr_vec2){thick, half} : (tr_vec2){half + 2.0f * thick, thick};
        status = tr2_generate_slab(builder, 0, center, halves, 0.1f, error);
    }
    return status;
}

/* a person who walks in the direction `heading`, driven by a motor between the person and the ground */
static tr_status add_person(tr2_builder *builder, tr_vec2 place, float radius, uint32_t heading, tr_error *error)
{
    const float mass = 400.0f * (float)TR_PI * radius * radius; /* 50 to 98 kg */
    double angle = TR_TURN * (double)heading / HEADINGS - TR_PI;
    tr_vec2 ahead = {(float)tr_cosine(angle), (float)tr_sine(angle)};
    uint32_t index = builder->scene->body_count;
    tr2_scene_body *body = NULL;
    tr_status status = tr2_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.position = (tr_dvec2){(double)place.x, (double)place.y};
    body->def.mass = mass;
    body->def.inertia = 0.5f * mass * radius * radius;
    status = tr2_generate_disc_shape(builder, index, radius, 400.0f, error);
    if (status != TR_OK)
        return status;
    builder->scene->shapes[builder->scene->shape_count - 1].friction = 0.1f;
    tr2_scene_joint *legs = NULL;
    status = tr2_builder_joint(builder, TR2_JOINT_LINEAR_MOTOR, &legs, error);
    if (status != TR_OK)
        return status;
    legs->body_a = 0;
    legs->body_b = index;
    legs->def.axis = ahead;
    legs->def.motor = (tr_motor){true, PACE, PUSH * mass};
    legs->def.collide_connected = true;
    return TR_OK;
}

static tr_status add_rope(tr2_builder *builder, uint32_t a, uint32_t b, tr_error *error)
{
    tr2_scene_joint *rope = NULL;
    tr_status status = tr2_builder_joint(builder, TR2_JOINT_DISTANCE, &rope, error);
    if (status != TR_OK)
        return status;
    rope->body_a = a;
    rope->body_b = b;
    rope->def.linear = tr_frequency(0.0f, 0.0f);
    rope->def.limit = (tr_limit){true, 0.0f, ROPE};
    rope->def.collide_connected = true;
    return TR_OK;
}

/* Fills the rows in alternating directions, so that consecutive people are neighbours. In every fifth group, ropes
   tie the people together and they share one heading. */
tr_status tr2_generate_crowd(tr2_builder *builder, uint32_t n, tr_error *error)
{
    const uint32_t side = tr_side(n);
    const float pitch = 0.67f, half = 0.5f * pitch * (float)side + 0.1f;
    builder->scene->collide = true;
    builder->scene->gravity = (tr_vec2){0.0f, 0.0f};
    uint64_t seed = 1;
    tr_status status = tr2_generate_reserve(builder, n + 1, n + n / GROUP, n + 4, n + 16, error);
    if (status == TR_OK)
        status = add_hall(builder, half, error);
    uint32_t heading = 0;
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        uint32_t row = i / side, column = row % 2 == 0 ? i % side : side - 1 - i % side;
        bool tethered = i / GROUP % 5 == 0 && i % GROUP > 0;
        tr_vec2 place = tr2_generate_place(row * side + column, side * side, side, pitch, pitch);
        place.x += 0.1f * draw(&seed) - 0.05f;
        place.y += 0.1f * draw(&seed) - 0.05f;
        if (!tethered)
            heading = (uint32_t)(draw(&seed) * (float)HEADINGS);
        status = add_person(builder, place, 0.2f + 0.08f * draw(&seed), heading, error);
        if (status == TR_OK && tethered)
            status = add_rope(builder, i, i + 1, error);
    }
    return status;
}

/*
 * A building that breaks
 */
#define BRICK_X       0.5f
#define BRICK_Y       0.3f
#define BRICK_DENSITY 400.0f /* kg/m^2: a wall 20 cm thick */
#define STOREY        10u    /* rows */
#define BAY           12u    /* columns */

/* the window openings: storeys and piers remain around them */
static bool is_window(uint32_t row, uint32_t column)
{
    return row % STOREY >= 3 && row % STOREY < 8 && column % BAY >= 4 && column % BAY < 8;
}

/* Welds brick B to A, the brick on its left or below it. The weld breaks at 20 kN plus four times `load` (N). */
static tr_status add_mortar(tr2_builder *builder, uint32_t a, uint32_t b, tr_vec2 on_a, tr_vec2 on_b, float load,
                            tr_error *error)
{
    tr2_scene_joint *weld = NULL;
    tr_status status = tr2_builder_joint(builder, TR2_JOINT_WELD, &weld, error);
    if (status != TR_OK)
        return status;
    weld->body_a = a;
    weld->body_b = b;
    weld->def.anchor_a = on_a;
    weld->def.anchor_b = on_b;
    weld->def.break_at.force = 20e3f + 4.0f * load;
    weld->def.break_at.torque = 0.25f * BRICK_X * (20e3f + 4.0f * load);
    return TR_OK;
}

typedef struct building {
    tr2_builder *builder;
    uint32_t bricks, columns; /* bricks still to be laid; columns of the wall */
    uint32_t *top;            /* per column: the last brick laid, or NO_BRICK above an opening */
} building;

#define NO_BRICK UINT32_MAX

/* a brick and its welds to the bricks on its left and below; `load`: N, the weight that it carries */
static tr_status add_brick(building *it, uint32_t row, uint32_t column, float load, tr_error *error)
{
    const float half_x = 0.5f * BRICK_X, half_y = 0.5f * BRICK_Y;
    const float x = BRICK_X * ((float)column + 0.5f - 0.5f * (float)it->columns), y = BRICK_Y * ((float)row + 0.5f);
    tr2_builder *builder = it->builder;
    uint32_t brick = builder->scene->body_count, left = column > 0 ? it->top[column - 1] : NO_BRICK;
    uint32_t below = it->top[column];
    tr_status status = tr2_generate_box(builder, (tr_dvec2){(double)x, (double)y}, 0.0, BRICK_X, BRICK_Y,
                                        BRICK_X * BRICK_Y * BRICK_DENSITY, error);
    if (status != TR_OK)
        return status;
    builder->scene->shapes[builder->scene->shape_count - 1].friction = 0.6f;
    it->top[column] = brick;
    it->bricks--;
    if (left != NO_BRICK)
        status = add_mortar(builder, left, brick, (tr_vec2){half_x, 0.0f}, (tr_vec2){-half_x, 0.0f}, load, error);
    if (status == TR_OK && below != NO_BRICK)
        status = add_mortar(builder, below, brick, (tr_vec2){0.0f, half_y}, (tr_vec2){0.0f, -half_y}, load, error);
    return status;
}

static tr_status add_course(building *it, uint32_t row, float load, tr_error *error)
{
    tr_status status = TR_OK;
    for (uint32_t column = 0; column < it->columns && it->bricks > 0 && status == TR_OK; column++) {
        if (is_window(row, column))
            it->top[column] = NO_BRICK;
        else
            status = add_brick(it, row, column, load, error);
    }
    return status;
}

static tr_status add_ball(tr2_builder *builder, tr_dvec2 place, float radius, float speed, tr_error *error)
{
    const float density = 2000.0f, mass = density * (float)TR_PI * radius * radius;
    uint32_t index = builder->scene->body_count;
    tr2_scene_body *body = NULL;
    tr_status status = tr2_builder_body(builder, &body, error);
    if (status != TR_OK)
        return status;
    body->def.position = place;
    body->def.mass = mass;
    body->def.inertia = 0.5f * mass * radius * radius;
    body->def.velocity.x = speed;
    status = tr2_generate_disc_shape(builder, index, radius, density, error);
    if (status == TR_OK)
        builder->scene->shapes[builder->scene->shape_count - 1].friction = 0.6f;
    return status;
}

/* the number of columns, in whole bays, that makes the wall about half as wide again (in bricks) as high */
static uint32_t building_columns(uint32_t n)
{
    uint32_t columns = BAY;
    while ((uint64_t)2u * (uint64_t)columns * columns < 3u * (uint64_t)n)
        columns += BAY;
    return columns;
}

tr_status tr2_generate_debris(tr2_builder *builder, uint32_t n, tr_error *error)
{
    building it = {builder, n, building_columns(n), NULL};
    const float half = 0.5f * BRICK_X * (float)it.columns;
    const uint32_t rows = n / it.columns + n / it.columns / 5 + 1; /* windows take a sixth */
    it.top = malloc(it.columns * sizeof *it.top);
    if (it.top == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "no memory for a building of %u bricks", n);
    for (uint32_t column = 0; column < it.columns; column++)
        it.top[column] = NO_BRICK;
    builder->scene->collide = true;
    builder->scene->substeps = 8;
    tr_status status = tr2_generate_room(builder, (uint64_t)n + 2, (uint64_t)n + 2, error);
    if (status == TR_OK)
        status = tr2_generate_static(builder, "ground", error);
    if (status == TR_OK)
        status =
            tr2_generate_slab(builder, 0, (tr_vec2){0.0f, -1.0f}, (tr_vec2){3.0f * half + 50.0f, 1.0f}, 0.6f, error);
    uint32_t row = 0;
    for (; it.bricks > 0 && status == TR_OK; row++) {
        float above = row < rows ? (float)(rows - row) : 1.0f;
        status = add_course(&it, row, 10.0f * above * BRICK_X * BRICK_Y * BRICK_DENSITY, error);
    }
    free(it.top);
    float height = BRICK_Y * (float)row, radius = 0.12f * height + 0.3f;
    if (status == TR_OK)
        status = add_ball(builder, (tr_dvec2){-(double)half - 4.0 * (double)radius, 0.5 * (double)height}, radius,
                          40.0f, error);
    return status;
}
