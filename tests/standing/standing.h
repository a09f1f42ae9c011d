/* Columns of boxes on the ground, and whether they stand: for the tables of docs/collision.md and the test of them. */
#ifndef TR_TESTS_STANDING_H
#define TR_TESTS_STANDING_H

#include <math.h>

#include "trammel/trammel.h"

enum { STANDING_MOST = 16 };

typedef struct standing_column {
    uint32_t boxes;     /* 2 to STANDING_MOST */
    double side;        /* m, of a box */
    float unit;         /* m, tr2_world_def.length_unit */
    double gravity;     /* m/s^2 */
    double top_heavier; /* mass of the topmost box over that of each other */
    double hertz;
    uint32_t substeps;
    bool stiff; /* contacts as stiff as the sub-steps allow, and pushed out at any speed, instead of the defaults */
} standing_column;

/* ten boxes of 1 m and equal mass at the default settings */
static inline standing_column standing_default(void)
{
    return (standing_column){
        .boxes = 10, .side = 1.0, .unit = 1.0f, .gravity = 9.81, .top_heavier = 1.0, .hertz = 60.0, .substeps = 4};
}

/* s; in 100 of these a box falls by 5,000 times its side, so that whatever leans has fallen */
static inline double standing_period(const standing_column *it)
{
    return sqrt(it->side / it->gravity);
}

static inline tr_status standing_make(const standing_column *it, tr2_world **world, tr2_body *ids)
{
    tr2_world_def def = tr2_world_def_default();
    def.gravity = (tr_vec2){0.0f, (float)-it->gravity};
    def.length_unit = it->unit;
    def.threads = 1;
    tr_status status = tr2_world_create(&def, world, NULL);
    tr2_contact_settings settings = tr2_contact_settings_default(it->unit);
    if (it->stiff)
        settings.frequency = settings.push_speed = 1e6f;
    if (status == TR_OK)
        status = tr2_world_set_contact_settings(*world, &settings);
    const float half = (float)(0.5 * it->side);
    for (uint32_t i = 0; i <= it->boxes && status == TR_OK; i++) {
        bool ground = i == 0;
        tr2_body_def body = tr2_body_def_default();
        body.type = ground ? TR_STATIC : TR_DYNAMIC;
        /* each is a little aside of the one below */
        body.position = (tr_dvec2){0.01 * it->side * (i % 3), ((double)i - 0.5) * it->side};
        tr2_body id;
        status = tr2_world_create_body(*world, &body, &id);
        tr2_shape_def shape = tr2_box_on(id, ground ? 20.0f * half : half, half);
        /* the others weigh 1 kg */
        double mass = i == it->boxes ? it->top_heavier : 1.0;
        shape.density = (float)(mass / (it->side * it->side));
        if (status == TR_OK)
            status = tr2_world_create_shape(*world, &shape, NULL);
        ids[i] = id;
    }
    return status;
}

/* Whether no box is farther from its place than a quarter of its side, after 10 s and after 100 periods. */
static inline bool standing_stands(const standing_column *it)
{
    tr2_world *world = NULL;
    tr2_body ids[STANDING_MOST + 1];
    bool stands = standing_make(it, &world, ids) == TR_OK;
    uint64_t steps = (uint64_t)(it->hertz * fmax(10.0, 100.0 * standing_period(it)));
    for (uint64_t step = 1; step <= steps && stands; step++) {
        stands = tr2_world_step(world, 1.0 / it->hertz, it->substeps) == TR_OK;
        for (uint32_t i = 1; i <= it->boxes && stands && (step % 64 == 0 || step == steps); i++) {
            tr2_transform at;
            stands = tr2_world_get_transforms(world, &ids[i], 1, &at) == TR_OK;
            double x = at.position.x - 0.01 * it->side * (i % 3), y = at.position.y - ((double)i - 0.5) * it->side;
            stands = stands && fabs(x) <= 0.25 * it->side && fabs(y) <= 0.25 * it->side;
        }
    }
    tr2_world_destroy(world);
    return stands;
}

/* The least power of two of sub-steps with which it stands, up to `most`; 0: with none. */
static inline uint32_t standing_substeps(standing_column it, uint32_t most)
{
    for (it.substeps = 1; it.substeps <= most; it.substeps *= 2) {
        if (standing_stands(&it))
            return it.substeps;
    }
    return 0;
}

/*
 * How far the boxes sink into each other altogether, m, by the softness of contacts (docs/contacts.md): one that is as
 * stiff as sub-steps of h seconds allow has a frequency of 0.2/h, and yields by p K/(h omega^2), twice as stiff on the
 * ground.
 */
static inline double standing_sink(const standing_column *it)
{
    const double omega = 0.4 * 3.14159265358979 * it->hertz * it->substeps;
    double sink = 0.0, load = it->top_heavier;
    for (uint32_t above = 1; above <= it->boxes; above++) {
        bool ground = above == it->boxes;
        double inverse = (above == 1 ? 1.0 / it->top_heavier : 1.0) + (ground ? 0.0 : 1.0);
        sink += load * it->gravity * inverse / (omega * omega * (ground ? 4.0 : 1.0));
        load += 1.0;
    }
    return sink;
}

#endif
