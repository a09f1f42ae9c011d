/* Explosions: impulses on what of outlines faces a point. */
#include <string.h>

#include "base/arithmetic.h"
#include "world/forces/forces.h"

#define REACH_MOST 1e9 /* m, as of shapes: floats hold the squares */

tr2_explosion tr2_explosion_default(void)
{
    tr2_explosion it;
    memset(&it, 0, sizeof it);
    it.radius = 1.0f;
    it.falloff = 4.0f;
    it.impulse_per_length = 100.0f;
    it.query = tr2_query_default();
    return it;
}

typedef struct blast {
    tr_dvec2 center; /* from the body's centre of mass */
    double radius, falloff, impulse;
} blast;

static double strength_at(const blast *it, double distance)
{
    double beyond = distance - it->radius;
    if (beyond <= 0.0)
        return it->impulse;
    return beyond < it->falloff ? it->impulse * (1.0 - beyond / it->falloff) : 0.0;
}

/* of a piece that faces the centre everywhere or nowhere: the width that is seen is (-n.u) dl */
static void press_piece(const blast *it, const tr2_piece *piece, tr2_load *total)
{
    tr2_sample samples[TR2_SAMPLES];
    tr2_piece_samples(piece, samples);
    for (uint32_t i = 0; i < TR2_SAMPLES; i++) {
        tr_dvec2 out = tr_dsub(samples[i].point, it->center);
        double distance = tr_dlength(out), facing = -tr_ddot(samples[i].normal, out);
        if (!(facing > 0.0))
            continue;
        double size = samples[i].length * facing / (distance * distance) * strength_at(it, distance);
        tr2_load_add(total, tr_dscale(size, out), samples[i].point);
    }
}

/* A line is cut where the strength has a kink, and ever finer towards the point that is nearest to the centre: the
   width that is seen of it is D / (D^2 + s^2) ds, with the distance D of the line. */
static void press_line(const blast *it, const tr2_piece *line, tr2_load *total)
{
    tr_dvec2 along = {-line->normal_from.y, line->normal_from.x};
    double height = tr_ddot(tr_dsub(it->center, line->from), line->normal_from);
    if (!(height > 0.0))
        return;
    double foot = tr_ddot(it->center, along), places[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        double reach = i == 0 ? it->radius : it->radius + it->falloff, square = reach * reach - height * height;
        if (square > 0.0) {
            places[count++] = foot - sqrt(square);
            places[count++] = foot + sqrt(square);
        }
    }
    places[count++] = foot;
    double far = height;
    while (count + 2 <= 15) {
        places[count++] = foot - far;
        places[count++] = foot + far;
        far *= 4.0;
    }
    /* in order: a cut leaves the part behind it for the next one */
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && places[k] < places[k - 1]; k--) {
            double swap = places[k];
            places[k] = places[k - 1];
            places[k - 1] = swap;
        }
    tr2_piece rest = *line, parts[3];
    for (uint32_t i = 0; i < count; i++) {
        if (tr2_piece_cut(&rest, along, places[i], parts) < 2)
            continue;
        press_piece(it, &parts[0], total);
        rest = parts[1];
    }
    press_piece(it, &rest, total);
}

/* an arc is cut where it turns away from the centre, and into quarters, because the strength has kinks */
static void press_arc(const blast *it, const tr2_piece *arc, tr2_load *total)
{
    tr_dvec2 away = tr_dsub(arc->center, it->center);
    double level = tr_ddot(arc->center, away) - arc->radius * arc->radius;
    tr2_piece parts[3], half[3], quarter[3];
    uint32_t count = tr2_piece_cut(arc, away, level, parts);
    for (uint32_t i = 0; i < count; i++) {
        tr_dvec2 chord = tr_dsub(parts[i].to, parts[i].from);
        uint32_t halves = tr2_piece_cut(&parts[i], chord, tr_ddot(tr2_piece_middle(&parts[i]), chord), half);
        for (uint32_t k = 0; k < halves; k++) {
            chord = tr_dsub(half[k].to, half[k].from);
            uint32_t quarters = tr2_piece_cut(&half[k], chord, tr_ddot(tr2_piece_middle(&half[k]), chord), quarter);
            for (uint32_t n = 0; n < quarters; n++)
                press_piece(it, &quarter[n], total);
        }
    }
}

static bool contains(const tr2_outline *outline, tr_dvec2 point, const tr2_geometry *geometry, const tr2_turned *at)
{
    tr_vec2 local = {(float)(at->c * point.x + at->s * point.y) + at->center.x,
                     (float)(at->c * point.y - at->s * point.x) + at->center.y};
    return outline->has_area && tr2_geometry_contains(geometry, local);
}

static tr2_load blast_load(const tr2_world *world, uint32_t shape_row, uint32_t body_row,
                           const tr2_explosion *explosion)
{
    const tr2_bodies *bodies = &world->bodies;
    const tr2_geometry *geometry = world->shapes.geometry[shape_row];
    tr2_turned at = tr2_force_pose(bodies, body_row);
    blast it = {
        {explosion->position.x - bodies->center_x[body_row], explosion->position.y - bodies->center_y[body_row]},
        (double)explosion->radius,
        (double)explosion->falloff,
        (double)explosion->impulse_per_length};
    tr2_outline outline;
    tr2_load total = {{0.0, 0.0}, 0.0};
    tr2_outline_make(geometry, &at, &outline);
    if (contains(&outline, it.center, geometry, &at))
        return total;
    for (uint32_t i = 0; i < outline.count; i++) {
        if (outline.piece[i].radius > 0.0)
            press_arc(&it, &outline.piece[i], &total);
        else
            press_line(&it, &outline.piece[i], &total);
    }
    return total;
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) tr_status explode(tr2_ledger *it, const tr2_explosion *explosion,
                                                   const tr2_shape *found, uint32_t count)
{
    const tr2_world *world = it->world;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        uint32_t row = world->shapes.pool.row[found[i].index - 1];
        uint32_t body = tr2_body_row(world, world->shapes.body[row]);
        if (!tr2_force_moves(&world->bodies, body))
            continue;
        tr2_load amount = blast_load(world, row, body, explosion);
        status = tr2_ledger_give(it, body, &amount);
    }
    return status;
}

static tr_status check_explosion(const tr2_check *check, const tr2_explosion *explosion)
{
    tr_status status = tr2_check_dvec(check, "position", explosion->position);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "radius", (double)explosion->radius);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "falloff", (double)explosion->falloff);
    if (status == TR_OK)
        status = tr2_check_finite(check, "impulse_per_length", (double)explosion->impulse_per_length);
    if (status == TR_OK && (double)explosion->radius + (double)explosion->falloff > REACH_MOST)
        status = tr2_check_fail(check, TR_ERROR_RANGE, "radius", "and falloff reach beyond 1e9 m");
    return status;
}

/* the query of an explosion, whose context it is */
typedef struct blast_query {
    const tr2_world *world;
    const tr2_query *query;
} blast_query;

static bool accepts(tr2_shape shape, uint32_t index, void *context)
{
    const blast_query *it = context;
    return tr2_query_accepts(it->world, it->query, shape, index);
}

tr_status tr2_do_world_explode(tr2_world *world, const tr2_explosion *explosion)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "explode", "");
    tr_status status = tr2_check_pointer(&check, "explosion", explosion);
    check.subject = "explosion";
    if (status == TR_OK)
        status = check_explosion(&check, explosion);
    if (status != TR_OK || !(explosion->radius + explosion->falloff > 0.0f))
        return status;

    /* the shapes in reach, in order of their indices */
    tr2_shape_def reach =
        tr2_circle_on((tr2_body){0, 0, 0}, (tr_vec2){0.0f, 0.0f}, explosion->radius + explosion->falloff);
    tr2_poses place = {1, &explosion->position.x, &explosion->position.y, NULL};
    blast_query own = {world, &explosion->query};
    tr2_query query = explosion->query;
    query.accept = query.accept != NULL ? accepts : NULL;
    query.context = &own;
    uint32_t first[2];
    tr_error error;
    status = tr2_world_overlap_shapes(world, &reach, &place, &query, NULL, 0, first, &error);
    if (status != TR_OK)
        return tr2_check_fail(&check, status, "", "%s", error.message);
    uint32_t count = first[1];
    if (count == 0)
        return TR_OK;
    tr2_ledger it;
    check.subject = "";
    status = tr2_ledger_open(&it, world, &check, count, true);
    if (status != TR_OK)
        return status;
    tr2_shape *found = tr_allocate_array(&world->memory, count, sizeof *found);
    if (found == NULL) {
        status = tr2_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for the shapes in reach");
    } else {
        (void)tr2_world_overlap_shapes(world, &reach, &place, &query, found, count, first, NULL);
        tr_arithmetic before = tr_arithmetic_plain();
        status = explode(&it, explosion, found, first[1] < count ? first[1] : count);
        tr_arithmetic_restore(&before);
    }
    tr_release(&world->memory, found, (size_t)count * sizeof *found);
    return tr2_ledger_close(&it, status);
}
