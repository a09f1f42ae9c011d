/* Outlines of shapes. */
#include "world/forces/outline.h"

#include "solver/core/system.h"

static tr_dvec2 unit(tr_dvec2 v)
{
    return tr_dscale(1.0 / tr_dlength(v), v);
}

/* rotated by 90 degrees counter-clockwise */
static tr_dvec2 left_of(tr_dvec2 v)
{
    return (tr_dvec2){-v.y, v.x};
}

/*
 * Outlines
 */
static void add_line(tr2_outline *out, tr_dvec2 from, tr_dvec2 to, tr_dvec2 normal)
{
    out->piece[out->count++] = (tr2_piece){from, to, normal, normal, {0.0, 0.0}, 0.0};
}

static tr2_piece arc_of(tr_dvec2 center, double radius, tr_dvec2 from, tr_dvec2 to)
{
    return (tr2_piece){tr_dalong(center, radius, from), tr_dalong(center, radius, to), from, to, center, radius};
}

/* by half a turn at most, in quarters */
static void add_arc(tr2_outline *out, tr_dvec2 center, double radius, tr_dvec2 from, tr_dvec2 to)
{
    if (tr_ddot(from, to) >= 0.0) {
        out->piece[out->count++] = arc_of(center, radius, from, to);
        return;
    }
    /* across the difference: of opposite directions the sum has none */
    tr_dvec2 middle = unit(left_of(tr_dsub(from, to)));
    out->piece[out->count++] = arc_of(center, radius, from, middle);
    out->piece[out->count++] = arc_of(center, radius, middle, to);
}

static tr_dvec2 corner_of(const tr2_geometry *geometry, const tr2_turned *at, uint32_t i)
{
    tr_vec2 p = geometry->corners[i < geometry->count ? i : 0].point;
    double x = (double)p.x - (double)at->center.x, y = (double)p.y - (double)at->center.y;
    return (tr_dvec2){at->c * x - at->s * y, at->s * x + at->c * y};
}

void tr2_outline_make(const tr2_geometry *geometry, const tr2_turned *at, tr2_outline *out)
{
    double r = (double)geometry->radius;
    tr_dvec2 first = corner_of(geometry, at, 0);
    out->count = 0;
    out->has_area = !tr2_is_line(geometry);
    if (geometry->kind == TR2_GEOMETRY_CIRCLE) {
        static const tr_dvec2 axes[] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}, {1.0, 0.0}};
        for (uint32_t i = 0; i < 4; i++)
            add_arc(out, first, r, axes[i], axes[i + 1]);
        return;
    }
    uint32_t edges = geometry->count;
    tr_dvec2 last = corner_of(geometry, at, edges - 1), side = tr_dsub(first, last);
    tr_dvec2 before = unit((tr_dvec2){side.y, -side.x});
    for (uint32_t i = 0; i < edges; i++) {
        tr_dvec2 from = corner_of(geometry, at, i), to = corner_of(geometry, at, i + 1);
        side = tr_dsub(to, from);
        tr_dvec2 normal = unit((tr_dvec2){side.y, -side.x});
        if (r > 0.0)
            add_arc(out, from, r, before, normal);
        add_line(out, tr_dalong(from, r, normal), tr_dalong(to, r, normal), normal);
        before = normal;
    }
}

/*
 * Pieces
 */
static uint32_t cut_line(const tr2_piece *piece, tr_dvec2 axis, double level, tr2_piece out[3])
{
    double from = tr_ddot(piece->from, axis) - level, to = tr_ddot(piece->to, axis) - level;
    out[0] = *piece;
    if (!((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)))
        return 1;
    out[1] = *piece;
    out[0].to = out[1].from = tr_dalong(piece->from, from / (from - to), tr_dsub(piece->to, piece->from));
    return 2;
}

/* whether a direction is inside an arc of at most a quarter turn */
static bool is_within(const tr2_piece *arc, tr_dvec2 normal)
{
    return tr_dcross(arc->normal_from, normal) > 0.0 && tr_dcross(normal, arc->normal_to) > 0.0;
}

static uint32_t cut_arc(const tr2_piece *piece, tr_dvec2 axis, double level, tr2_piece out[3])
{
    double length = tr_dlength(axis);
    out[0] = *piece;
    if (!(length > 0.0))
        return 1;
    /* the circle's points at the level: its normals have this cosine with the axis */
    tr_dvec2 along = tr_dscale(1.0 / length, axis);
    double cosine = (level / length - tr_ddot(piece->center, along)) / piece->radius;
    if (!(fabs(cosine) < 1.0))
        return 1;
    double sine = sqrt(1.0 - cosine * cosine);
    tr_dvec2 cut[2];
    uint32_t cuts = 0;
    for (int side = -1; side <= 1; side += 2) {
        tr_dvec2 normal = tr_dalong(tr_dscale(cosine, along), side * sine, left_of(along));
        if (is_within(piece, normal))
            cut[cuts++] = normal;
    }
    if (cuts == 2 && tr_dcross(cut[0], cut[1]) < 0.0) {
        tr_dvec2 swap = cut[0];
        cut[0] = cut[1];
        cut[1] = swap;
    }
    tr_dvec2 from = piece->normal_from;
    for (uint32_t i = 0; i < cuts; i++) {
        out[i] = arc_of(piece->center, piece->radius, from, cut[i]);
        from = cut[i];
    }
    out[cuts] = arc_of(piece->center, piece->radius, from, piece->normal_to);
    return cuts + 1;
}

uint32_t tr2_piece_cut(const tr2_piece *piece, tr_dvec2 axis, double level, tr2_piece out[3])
{
    return piece->radius > 0.0 ? cut_arc(piece, axis, level, out) : cut_line(piece, axis, level, out);
}

tr_dvec2 tr2_piece_middle(const tr2_piece *piece)
{
    if (piece->radius > 0.0)
        return tr_dalong(piece->center, piece->radius, unit(tr_dalong(piece->normal_from, 1.0, piece->normal_to)));
    return tr_dscale(0.5, tr_dalong(piece->from, 1.0, piece->to));
}

void tr2_piece_samples(const tr2_piece *piece, tr2_sample out[TR2_SAMPLES])
{
    /* Gauss and Legendre, from 0 to 1 */
    static const double place[TR2_SAMPLES] = {0.0469100770306680, 0.2307653449471584, 0.5, 0.7692346550528415,
                                              0.9530899229693320};
    static const double weight[TR2_SAMPLES] = {0.1184634425280945, 0.2393143352496833, 0.2844444444444444,
                                               0.2393143352496833, 0.1184634425280945};
    if (!(piece->radius > 0.0)) {
        tr_dvec2 way = tr_dsub(piece->to, piece->from);
        for (uint32_t i = 0; i < TR2_SAMPLES; i++)
            out[i] =
                (tr2_sample){tr_dalong(piece->from, place[i], way), piece->normal_from, weight[i] * tr_dlength(way)};
        return;
    }
    tr_dvec2 from = piece->normal_from, to = piece->normal_to;
    double angle = tr_angle_of(tr_ddot(from, to), fabs(tr_dcross(from, to)));
    for (uint32_t i = 0; i < TR2_SAMPLES; i++) {
        float c, s;
        tr2_rotation(place[i] * angle, &c, &s);
        tr_dvec2 normal = tr_dalong(tr_dscale((double)c, from), (double)s, left_of(from));
        out[i] =
            (tr2_sample){tr_dalong(piece->center, piece->radius, normal), normal, weight[i] * angle * piece->radius};
    }
}

/*
 * Moments
 */

/* a polygon that is walked along, corner by corner */
typedef struct walk {
    tr2_moments sum;
    bool begun;
    tr_dvec2 first, last;
} walk;

static void go_to(walk *it, tr_dvec2 point)
{
    if (it->begun)
        tr2_moments_triangle(&it->sum, it->last, point);
    else
        it->first = point;
    it->begun = true;
    it->last = point;
}

tr2_moments tr2_outline_moments(const tr2_outline *outline, tr_dvec2 axis, double level)
{
    walk it = {{0.0, 0.0, 0.0, 0.0}, false, {0.0, 0.0}, {0.0, 0.0}};
    if (!outline->has_area)
        return it.sum;
    for (uint32_t i = 0; i < outline->count; i++) {
        tr2_piece parts[3];
        uint32_t count = tr2_piece_cut(&outline->piece[i], axis, level, parts);
        for (uint32_t k = 0; k < count; k++) {
            const tr2_piece *part = &parts[k];
            if (tr_ddot(tr2_piece_middle(part), axis) > level)
                continue;
            go_to(&it, part->from);
            /* an arc is a detour to its centre, and a sector */
            if (part->radius > 0.0) {
                go_to(&it, part->center);
                tr2_moments_sector(&it.sum, part->center, part->radius, part->normal_from, part->normal_to);
            }
            go_to(&it, part->to);
        }
    }
    if (it.begun)
        go_to(&it, it.first);
    return it.sum;
}
