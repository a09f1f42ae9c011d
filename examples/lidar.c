/* A robot among falling boxes asks the world between steps: rays all around, room to stand, and the nearest shape. */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

#define RAYS  72
#define BOXES 40

static const double turn = 6.283185307179586;

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* a floor of chain segments, solid below, with boxes above it */
static tr_status build(tr2_world *world, tr2_body *floor)
{
    tr2_body_def ground = tr2_body_def_default();
    ground.type = TR_STATIC;
    tr_status status = tr2_world_create_body(world, &ground, floor);
    const tr_vec2 points[4] = {{20.0f, 6.0f}, {12.0f, 0.0f}, {-12.0f, 0.0f}, {-20.0f, 6.0f}};
    tr2_chain_def chain = tr2_chain_def_default();
    chain.points = points;
    chain.count = 4;
    chain.shape.body = *floor;
    if (status == TR_OK)
        status = tr2_world_create_chain(world, &chain, NULL);
    for (uint32_t i = 0; i < BOXES && status == TR_OK; i++) {
        tr2_body_def def = tr2_body_def_default();
        def.position = (tr_dvec2){-9.0 + 2.0 * (i % 10), 1.0 + 1.5 * (i / 10)};
        tr2_body body;
        status = tr2_world_create_body(world, &def, &body);
        tr2_shape_def box = tr2_box_on(body, 0.4f, 0.4f);
        box.density = 100.0f;
        if (status == TR_OK)
            status = tr2_world_create_shape(world, &box, NULL);
    }
    return status;
}

/* casts a ray in each direction, all in one call with arrays */
static tr_status look(const tr2_world *world, double x, double y, tr_error *error)
{
    double from_x[RAYS], from_y[RAYS];
    float translation_x[RAYS], translation_y[RAYS], fraction[RAYS];
    for (uint32_t i = 0; i < RAYS; i++) {
        from_x[i] = x;
        from_y[i] = y;
        translation_x[i] = 30.0f * (float)cos(turn * i / RAYS);
        translation_y[i] = 30.0f * (float)sin(turn * i / RAYS);
    }
    tr2_rays rays = {RAYS, from_x, from_y, translation_x, translation_y};
    tr2_hits hits = {.fraction = fraction};
    tr_status status = tr2_world_cast_rays(world, &rays, NULL, &hits, error);
    for (uint32_t i = 0; i < RAYS && status == TR_OK; i += 6)
        printf("%4d degrees: %5.2f m\n", (int)(360 * i / RAYS), 30.0 * (double)fraction[i]);
    return status;
}

/* filter of the query below: any shape but the floor's segments */
static bool not_floor(tr2_shape shape, uint32_t index, void *context)
{
    const tr2_world *world = context;
    tr2_shape_def def;
    (void)index;
    return tr2_shape_get(world, shape, &def) != TR_OK || def.kind != TR2_CHAIN_SEGMENT;
}

static tr_status stand(tr2_world *world, double x, double y, tr_error *error)
{
    tr2_shape_def robot = tr2_shape_def_default(TR2_CAPSULE);
    robot.point[0] = (tr_vec2){0.0f, -0.5f};
    robot.point[1] = (tr_vec2){0.0f, 0.5f};
    robot.radius = 0.3f;
    tr2_poses pose = {1, &x, &y, NULL};
    uint32_t first[2];
    tr_status status = tr2_world_overlap_shapes(world, &robot, &pose, NULL, NULL, 0, first, error);
    if (status != TR_OK)
        return status;

    tr2_query query = tr2_query_default();
    query.accept = not_floor;
    query.context = world;
    tr2_points point = {1, &x, &y};
    float distance;
    double near_x, near_y;
    tr2_nearest nearest = {.distance = &distance, .point_x = &near_x, .point_y = &near_y};
    status = tr2_world_nearest_shapes(world, &point, 100.0f, &query, &nearest, error);
    if (status == TR_OK)
        printf("at (%4.1f, %4.1f): %u in the way; the nearest box is %.2f m off, at (%.2f, %.2f)\n", x, y, first[1],
               (double)distance, near_x, near_y);
    return status;
}

int main(void)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr2_body floor;
    tr_error error;
    if (tr2_world_create(&def, &world, &error) != TR_OK)
        return fail(error.message);
    tr_status status = build(world, &floor);
    for (int i = 0; i < 180 && status == TR_OK; i++)
        status = tr2_world_step(world, 1.0 / 60.0, 4);
    if (status != TR_OK) {
        int result = fail(tr2_world_last_error(world)->message);
        tr2_world_destroy(world);
        return result;
    }

    /* queries do not change the world, so they report errors through an argument */
    status = look(world, 0.1, 5.0, &error);
    if (status == TR_OK)
        status = stand(world, 0.0, 1.0, &error);
    if (status == TR_OK)
        status = stand(world, 9.0, 1.0, &error);
    if (status != TR_OK)
        fail(error.message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
