/* Worlds in space: a sheet of balls and rows of the first types of joints with all their features, and rows of the
   others. */
#define TR_DIMENSION 3

#include <stdio.h>

#include "../all_threads.h"
#include "../space_features.h"
#include "hash.h"

/* the first call that fails */
static tr_status also(tr_status status, tr_status next)
{
    return status != TR_OK ? status : next;
}

static tr_status body_at(tr3_world *world, tr_body_type type, tr_dvec3 at, float least, tr3_body *out)
{
    tr3_body_def def = tr3_body_def_default();
    def.type = type;
    def.position = at;
    def.inertia = (tr_sym3){least, 0.12f, 0.14f, 0.01f, 0.0f, 0.02f};
    return tr3_world_create_body(world, &def, out);
}

/* the first types of the worlds after the first one */
#define FIRST_FRAMED TR3_JOINT_CYLINDRICAL
#define FIRST_RATIO  TR3_JOINT_SCREW
#define FIRST_LINK   TR3_JOINT_CIRCLE

static tr_status join(tr3_world *world, tr3_joint_type type, tr3_body a, tr3_body b, tr_dvec3 at, uint32_t i)
{
    tr3_joint_def def = tr3_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    tr_status status = tr3_joint_def_initialize(world, &def, at, at, (tr_vec3){0.25f * (float)(i % 3), 1.0f, 0.5f});
    if (type == TR3_JOINT_HINGE || type == TR3_JOINT_SLIDER) {
        def.limit = (tr_limit){true, -0.4f, 0.6f};
        def.spring = (tr_spring){i % 2 == 0, 0.2f, tr_frequency(2.0f, 0.3f)};
        def.motor = (tr_motor){i % 3 == 0, 1.0f, 2.0f};
        def.friction = 0.1f;
    }
    if (type == TR3_JOINT_BALL && i > 0) {
        def.cone_angle = 0.7f;
        def.twist = (tr_limit){true, -0.5f, 0.5f};
        def.friction = 0.05f;
        def.angular = tr_frequency(1.0f, 0.5f);
    }
    if (type == TR3_JOINT_WELD && i % 2 == 0)
        def.angular = tr_frequency(5.0f, 0.5f);
    if (type == TR3_JOINT_DISTANCE)
        def.length = 0.5f;
    if (type >= FIRST_FRAMED)
        space_give_features(&def, i);
    if (type == TR3_JOINT_SCREW)
        def.pitch = 0.1f;
    if (type == TR3_JOINT_PULLEY || type == TR3_JOINT_GEAR) {
        def.ratio = 0.5f + 0.25f * (float)(i % 4);
        /* each on the other in turn */
        if (i % 3 == 1)
            def.carrier_a = b;
        if (i % 3 == 2)
            def.carrier_b = a;
        def.slides_a = type == TR3_JOINT_GEAR && i % 2 == 0;
        def.slides_b = type == TR3_JOINT_GEAR && i % 5 == 0;
    }
    if (type == TR3_JOINT_PULLEY && i % 4 == 3)
        def.linear = tr_physical(20.0f, 1.0f);
    if (type == TR3_JOINT_CIRCLE) {
        /* a link across the axis */
        status = also(status, tr3_joint_def_initialize(world, &def, at, (tr_dvec3){at.x, at.y + 0.25, at.z - 0.5},
                                                       (tr_vec3){0.25f * (float)(i % 3), 1.0f, 0.5f}));
    }
    if (type == TR3_JOINT_INERTER) {
        def.inertance = 0.25f + 0.25f * (float)(i % 3);
        status = also(status, join(world, TR3_JOINT_HINGE, a, b, at, i));
    }
    return also(status, tr3_world_create_joint(world, &def, NULL));
}

/* three joints of each of these types in a row, the first at the ground */
static tr_status make_rows(tr3_world *world, tr3_body ground, uint32_t rows, uint32_t first, uint32_t types)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < rows * types; i++) {
        tr3_body last = ground;
        for (uint32_t j = 0; j < 3 && status == TR_OK; j++) {
            tr3_body next;
            tr_dvec3 at = {4.0 * i + j, 20.0, 5.0};
            status = body_at(world, TR_DYNAMIC, (tr_dvec3){at.x + 0.5, at.y, at.z}, 0.1f, &next);
            if (status == TR_OK)
                status = join(world, (tr3_joint_type)(first + i % types), last, next, at, 1 + i);
            last = next;
        }
    }
    return status;
}

/* Arms of three balls that fall until they press on narrow limits, which no spring keeps them from: round cones and
   elliptic ones, some with springs and motors of their coordinates. */
static tr_status make_arms(tr3_world *world, tr3_body ground, uint32_t arms)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < arms; i++) {
        tr3_body last = ground;
        for (uint32_t j = 0; j < 3 && status == TR_OK; j++) {
            tr3_body next;
            const tr_dvec3 at = {4.0 * i + j, 20.0, 5.0};
            status = body_at(world, TR_DYNAMIC, (tr_dvec3){at.x + 0.5, at.y, at.z}, 0.1f, &next);
            tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_BALL);
            def.body_a = last;
            def.body_b = next;
            status =
                also(status, tr3_joint_def_initialize(world, &def, at, at, (tr_vec3){1.0f, 0.25f * (float)j, 0.0f}));
            def.cone_angle = 0.2f;
            def.cone_angle_2 = i % 3 == 1 ? 0.4f : 0.0f;
            def.twist = (tr_limit){true, -0.1f, 0.1f};
            def.friction = i % 2 == 0 ? 0.05f : 0.0f;
            def.spring = (tr_spring){i % 4 == 2, 0.3f, tr_frequency(1.0f, 0.3f)};
            def.motor = (tr_motor){i % 4 == 2, 1.0f, 0.5f};
            def.third.motor = (tr_motor){i % 4 == 3, -1.0f, 0.5f};
            if (i % 5 == 4)
                def.linear = tr_frequency(8.0f, 0.5f);
            status = also(status, status == TR_OK ? tr3_world_create_joint(world, &def, NULL) : status);
            last = next;
        }
    }
    return status;
}

/* side x side bodies on balls, held along one edge */
static tr_status make_sheet(tr3_world *world, tr3_body ground, uint32_t side)
{
    tr3_body above[64], left = ground;
    tr_status status = side <= 64 ? TR_OK : TR_ERROR_RANGE;
    for (uint32_t i = 0; i < side * side && status == TR_OK; i++) {
        uint32_t x = i % side, y = i / side;
        tr_dvec3 at = {(double)x, 0.0, (double)y};
        tr3_body next;
        status = body_at(world, TR_DYNAMIC, at, 0.1f, &next);
        if (status == TR_OK)
            status = join(world, TR3_JOINT_BALL, y > 0 ? above[x] : ground, next, (tr_dvec3){at.x, 0.0, at.z - 0.5}, 0);
        if (status == TR_OK && x > 0)
            status = join(world, TR3_JOINT_BALL, left, next, (tr_dvec3){at.x - 0.5, 0.0, at.z}, 0);
        above[x] = left = next;
    }
    return status;
}

tr_status make_space(tr3_world *world, uint32_t size, space_kind kind)
{
    tr3_body ground = {0};
    tr_status status = body_at(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 0.1f, &ground);
    if (kind == SPACE_FRAMED && status == TR_OK)
        return make_rows(world, ground, size, FIRST_FRAMED, FIRST_RATIO - FIRST_FRAMED);
    if (kind == SPACE_RATIOS && status == TR_OK)
        return make_rows(world, ground, size, FIRST_RATIO, FIRST_LINK - FIRST_RATIO);
    if (kind == SPACE_LINKS && status == TR_OK)
        return make_rows(world, ground, size, FIRST_LINK, TR3_JOINT_TYPE_COUNT - FIRST_LINK);
    if (kind == SPACE_ARMS && status == TR_OK)
        return make_arms(world, ground, size);
    status = also(status, status == TR_OK ? make_rows(world, ground, size, 0, FIRST_FRAMED) : status);
    return also(status, status == TR_OK ? make_sheet(world, ground, size) : status);
}

bool hash_space(uint32_t size, uint32_t threads, long steps, space_kind kind, hash_list *out)
{
    tr3_world *world = NULL;
    tr3_world_def def = tr3_world_def_default();
    def.threads = threads;
    def.sleep.enable = false;
    landings *falling = kind == SPACE_LANDINGS ? landings_create() : NULL;
    tr_status status =
        kind == SPACE_LANDINGS && falling == NULL ? TR_ERROR_MEMORY : tr3_world_create(&def, &world, NULL);
    if (status == TR_OK) {
        step_on_all_threads(world);
        status = falling != NULL ? landings_make(falling, world, size) : make_space(world, size, kind);
    }
    long next = 1;
    for (long i = 1; i <= steps && status == TR_OK; i++) {
        status = falling != NULL ? landings_find(falling, world) : TR_OK;
        if (status == TR_OK)
            status = tr3_world_step(world, 1.0 / 60.0, 4);
        if (status != TR_OK || (i != next && i != steps))
            continue;
        out->step[out->count] = i;
        out->state[out->count++] = tr3_world_state_hash(world);
        next = i == next ? next_hashed(next) : next;
    }
    if (status != TR_OK)
        fprintf(stderr, "space: %s: %s\n", tr_status_name(status), tr3_world_last_error(world)->message);
    tr3_world_destroy(world);
    landings_destroy(falling);
    return status == TR_OK;
}
