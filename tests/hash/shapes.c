/*
 * The scene of shapes: boxes, rounded polygons, capsules, discs, bullets and bodies of two shapes, some of them
 * jointed, fall onto a chain between two walls, a belt, a paddle that turns and a lift, through a sensor. Numbers that
 * floats have exactly, and no sine of the compiler's library.
 */
#include "hash.h"

enum { COLUMNS = 40, POINTS = 66 };

#define APART 0.75 /* m, between bodies */

static const tr_vec2 hexagon[] = {{0.25f, 0.0f},  {0.125f, 0.21875f},   {-0.125f, 0.21875f},
                                  {-0.25f, 0.0f}, {-0.125f, -0.21875f}, {0.125f, -0.21875f}};

/* from right to left: what is on its left is below */
static tr_status make_floor(tr2_world *world, tr2_body ground)
{
    tr_vec2 points[POINTS];
    for (uint32_t i = 0; i < POINTS; i++)
        points[i] = (tr_vec2){0.5f * (float)(POINTS - 1 - i) - 0.5f, 0.125f * (float)(i * i % 5)};
    tr2_chain_def chain = tr2_chain_def_default();
    chain.points = points;
    chain.count = POINTS;
    chain.shape.body = ground;
    return tr2_world_create_chain(world, &chain, NULL);
}

static tr_status make_still(tr2_world *world)
{
    tr2_body ground;
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_STATIC;
    tr_status status = tr2_world_create_body(world, &def, &ground);
    if (status == TR_OK)
        status = make_floor(world, ground);
    tr2_shape_def shapes[4] = {tr2_segment_on(ground, (tr_vec2){-0.25f, -1.0f}, (tr_vec2){-0.25f, 100.0f}),
                               tr2_segment_on(ground, (tr_vec2){32.0f, 100.0f}, (tr_vec2){32.0f, -1.0f}),
                               tr2_box_on(ground, 3.0f, 0.25f), tr2_circle_on(ground, (tr_vec2){20.0f, 4.0f}, 2.0f)};
    for (uint32_t i = 0; i < 4; i++) {
        shapes[2].point[i].x += 24.0f;
        shapes[2].point[i].y += 3.0f;
    }
    shapes[2].surface.tangent_speed = 1.5f;
    shapes[3].sensor = true;
    return status == TR_OK ? tr2_world_create_shapes(world, shapes, 4, NULL) : status;
}

static tr_status make_moved(tr2_world *world)
{
    tr2_body paddle, lift = {0};
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_KINEMATIC;
    def.position = (tr_dvec2){9.0, 4.0};
    def.angular_velocity = 2.0f;
    tr_status status = tr2_world_create_body(world, &def, &paddle);
    def.position = (tr_dvec2){15.0, 1.0};
    def.angular_velocity = 0.0f;
    def.velocity.y = 0.25f;
    if (status == TR_OK)
        status = tr2_world_create_body(world, &def, &lift);
    tr2_shape_def shapes[2] = {tr2_box_on(paddle, 3.0f, 0.25f), tr2_box_on(lift, 1.5f, 0.125f)};
    shapes[1].surface.friction = 1.0f;
    return status == TR_OK ? tr2_world_create_shapes(world, shapes, 2, NULL) : status;
}

/* the shapes of the i-th body; how many */
static uint32_t shapes_of(uint32_t i, tr2_body body, tr2_shape_def shapes[2])
{
    uint32_t count = 1;
    switch (i % 7) {
    case 0:
    case 1:
        shapes[0] = tr2_box_on(body, 0.25f, 0.1875f);
        break;
    case 2:
        shapes[0] = tr2_shape_def_default(TR2_POLYGON);
        shapes[0].point_count = 6;
        for (uint32_t k = 0; k < 6; k++)
            shapes[0].point[k] = hexagon[k];
        shapes[0].radius = 0.0625f;
        break;
    case 3:
        shapes[0] = tr2_shape_def_default(TR2_CAPSULE);
        shapes[0].point[0] = (tr_vec2){-0.1875f, 0.0f};
        shapes[0].point[1] = (tr_vec2){0.1875f, 0.0625f};
        shapes[0].radius = 0.125f;
        break;
    case 4:
        shapes[0] = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.25f);
        shapes[0].surface.rolling_resistance = 0.0625f;
        break;
    case 5: /* the bullets */
        shapes[0] = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.0625f);
        shapes[0].surface.restitution = 0.5f;
        break;
    default:
        shapes[0] = tr2_box_on(body, 0.3125f, 0.0625f);
        shapes[1] = tr2_circle_on(body, (tr_vec2){0.25f, 0.125f}, 0.125f);
        count = 2;
    }
    for (uint32_t k = 0; k < count; k++) {
        shapes[k].body = body;
        shapes[k].density = 100.0f + 50.0f * (float)(i % 5);
        shapes[k].filter.group = i % 31 == 0 ? -1 : 0;
        shapes[k].hit_events = i % 3 == 0;
    }
    return count;
}

tr_status make_shapes(tr2_world *world, uint32_t rows)
{
    tr_status status = make_still(world);
    if (status == TR_OK)
        status = make_moved(world);
    tr2_body before = {0};
    for (uint32_t i = 0; i < rows * COLUMNS && status == TR_OK; i++) {
        uint32_t column = i % COLUMNS, row = i / COLUMNS;
        tr2_body_def def = tr2_body_def_default();
        def.position = (tr_dvec2){1.0 + APART * column + 0.0625 * (row % 3), 8.0 + APART * row};
        def.angle = i % 12 < 8 ? 0.25 * (i % 13) : 0.0;
        def.bullet = i % 7 == 5 && i % 12 < 8;
        def.velocity = def.bullet ? (tr_vec2){i % 2 == 0 ? 40.0f : -40.0f, -60.0f} : (tr_vec2){0.0f, -0.5f};
        def.angular_velocity = i % 12 < 8 ? 0.5f * (float)(i % 9) : 0.0f;
        tr2_body body;
        tr2_shape_def shapes[2];
        status = tr2_world_create_body(world, &def, &body);
        if (status == TR_OK)
            status = tr2_world_create_shapes(world, shapes, shapes_of(i, body, shapes), NULL);
        /* chains of four */
        if (status == TR_OK && i % 12 >= 9 && column > 0) {
            tr2_joint_def pin = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
            pin.body_a = before;
            pin.body_b = body;
            pin.anchor_a = (tr_vec2){0.375f, 0.0f};
            pin.anchor_b = (tr_vec2){-0.375f, 0.0f};
            status = tr2_world_create_joint(world, &pin, NULL);
        }
        before = body;
    }
    return status;
}
