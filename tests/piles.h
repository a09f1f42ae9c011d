/*
 * What the tests of stacks share: a host in small for convex polygons, which finds who touches whom and gives the
 * points, two for an edge on an edge. The reference for how far apart is plain: the axis of least overlap, then
 * clipping.
 */
#ifndef TR_TESTS_PILES_H
#define TR_TESTS_PILES_H

#include "physics.h"

#define PILE_CORNERS 8
#define PILE_MARGIN  0.02 /* m: gaps that are given as contacts */
#define PILE_FAT     0.1  /* m: pairs are sought anew when a body has moved half as far */

/* a convex polygon about its centre of mass, counter-clockwise */
typedef struct convex {
    int count;
    tr_dvec2 corner[PILE_CORNERS], normal[PILE_CORNERS]; /* normal[i]: of the edge from corner[i] to the next */
    double radius, area, inertia;                        /* m; m^2; of a density of 1 */
} convex;

typedef struct pile_pair {
    uint32_t a, b;
} pile_pair;

typedef struct pile {
    tr2_world *world;
    uint32_t count, capacity, pair_count, pair_capacity, contact_count;
    tr2_body *ids;
    convex *shapes;
    bool *fixed;
    tr2_transform *now, *paired; /* as they are, and as the pairs were sought */
    uint32_t *order;             /* by the left end */
    pile_pair *pairs;
    tr2_contact_def *defs;
    float friction;
} pile;

static inline tr_dvec2 pile_turn(const tr2_transform *t, tr_dvec2 v)
{
    double c = cos(t->angle), s = sin(t->angle);
    return (tr_dvec2){c * v.x - s * v.y, s * v.x + c * v.y};
}

static inline double pile_dot(tr_dvec2 a, tr_dvec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* from corners anywhere; the centre of mass goes to *center */
static inline convex convex_of(const tr_dvec2 *corners, int count, tr_dvec2 *center)
{
    convex it = {.count = count};
    double area = 0.0, x = 0.0, y = 0.0;
    for (int i = 0; i < count; i++) {
        tr_dvec2 p = corners[i], q = corners[(i + 1) % count];
        double twice = p.x * q.y - p.y * q.x;
        area += 0.5 * twice;
        x += twice * (p.x + q.x) / 6.0;
        y += twice * (p.y + q.y) / 6.0;
    }
    *center = (tr_dvec2){x / area, y / area};
    it.area = area;
    for (int i = 0; i < count; i++)
        it.corner[i] = (tr_dvec2){corners[i].x - center->x, corners[i].y - center->y};
    for (int i = 0; i < count; i++) {
        tr_dvec2 p = it.corner[i], q = it.corner[(i + 1) % count];
        double length = hypot(q.x - p.x, q.y - p.y);
        it.normal[i] = (tr_dvec2){(q.y - p.y) / length, -(q.x - p.x) / length};
        it.radius = fmax(it.radius, hypot(p.x, p.y));
        it.inertia += (p.x * q.y - p.y * q.x) * (pile_dot(p, p) + pile_dot(p, q) + pile_dot(q, q)) / 12.0;
    }
    return it;
}

static inline void *pile_grown(void *data, size_t count, size_t size)
{
    void *grown = realloc(data, count * size);
    assert_non_null(grown);
    return grown;
}

/* a polygon, given by corners in the world; `density` 0 is fixed */
static inline uint32_t pile_add(pile *p, const tr_dvec2 *corners, int count, double density)
{
    if (p->count == p->capacity) {
        p->capacity = p->capacity > 0 ? 2 * p->capacity : 64;
        p->ids = pile_grown(p->ids, p->capacity, sizeof *p->ids);
        p->shapes = pile_grown(p->shapes, p->capacity, sizeof *p->shapes);
        p->fixed = pile_grown(p->fixed, p->capacity, sizeof *p->fixed);
        p->now = pile_grown(p->now, p->capacity, sizeof *p->now);
        p->paired = pile_grown(p->paired, p->capacity, sizeof *p->paired);
        p->order = pile_grown(p->order, p->capacity, sizeof *p->order);
    }
    tr_dvec2 center;
    convex shape = convex_of(corners, count, &center);
    p->ids[p->count] = density > 0.0
                           ? body_at(p->world, center.x, center.y, 0.0, density * shape.area, density * shape.inertia)
                           : static_at(p->world, center.x, center.y);
    p->shapes[p->count] = shape;
    p->fixed[p->count] = !(density > 0.0);
    p->order[p->count] = p->count;
    p->pair_count = 0;
    p->paired[p->count].position.x = NAN;
    return p->count++;
}

/* half sizes; turned by `angle` */
static inline uint32_t pile_add_box(pile *p, double x, double y, double half_width, double half_height, double angle,
                                    double density)
{
    tr2_transform t = {.angle = angle};
    tr_dvec2 corners[4] = {
        {-half_width, -half_height}, {half_width, -half_height}, {half_width, half_height}, {-half_width, half_height}};
    for (int i = 0; i < 4; i++) {
        corners[i] = pile_turn(&t, corners[i]);
        corners[i].x += x;
        corners[i].y += y;
    }
    return pile_add(p, corners, 4, density);
}

static inline void pile_free(pile *p)
{
    tr2_world_destroy(p->world);
    free(p->ids);
    free(p->shapes);
    free(p->fixed);
    free(p->now);
    free(p->paired);
    free(p->order);
    free(p->pairs);
    free(p->defs);
}

static inline double pile_left(const pile *p, uint32_t i)
{
    return p->now[i].position.x - p->shapes[i].radius;
}

/* pairs that are near, by a sweep from left to right; kept until something has moved far */
static inline void pile_seek_pairs(pile *p)
{
    bool still = true;
    for (uint32_t i = 0; i < p->count && still; i++)
        still = hypot(p->now[i].position.x - p->paired[i].position.x, p->now[i].position.y - p->paired[i].position.y) +
                    p->shapes[i].radius * fabs(p->now[i].angle - p->paired[i].angle) <
                0.5 * (PILE_FAT - PILE_MARGIN);
    if (still)
        return;
    memcpy(p->paired, p->now, p->count * sizeof *p->now);
    p->pair_count = 0;
    for (uint32_t i = 1; i < p->count; i++) {
        uint32_t it = p->order[i], k = i;
        for (; k > 0 && pile_left(p, p->order[k - 1]) > pile_left(p, it); k--)
            p->order[k] = p->order[k - 1];
        p->order[k] = it;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t a = p->order[i];
        double reach = p->now[a].position.x + p->shapes[a].radius + PILE_FAT;
        for (uint32_t k = i + 1; k < p->count && pile_left(p, p->order[k]) <= reach; k++) {
            uint32_t b = p->order[k];
            double x = p->now[b].position.x - p->now[a].position.x, y = p->now[b].position.y - p->now[a].position.y;
            if (hypot(x, y) > p->shapes[a].radius + p->shapes[b].radius + PILE_FAT || (p->fixed[a] && p->fixed[b]))
                continue;
            if (p->pair_count == p->pair_capacity) {
                p->pair_capacity = p->pair_capacity > 0 ? 2 * p->pair_capacity : 256;
                p->pairs = pile_grown(p->pairs, p->pair_capacity, sizeof *p->pairs);
                p->defs = pile_grown(p->defs, p->pair_capacity, sizeof *p->defs);
            }
            p->pairs[p->pair_count++] = a < b ? (pile_pair){a, b} : (pile_pair){b, a};
        }
    }
}

/* a polygon in the world, less `from` */
static inline void pile_place(const convex *shape, const tr2_transform *t, tr_dvec2 from, convex *out)
{
    double c = cos(t->angle), s = sin(t->angle), x = t->position.x - from.x, y = t->position.y - from.y;
    out->count = shape->count;
    for (int i = 0; i < shape->count; i++) {
        tr_dvec2 p = shape->corner[i], n = shape->normal[i];
        out->corner[i] = (tr_dvec2){c * p.x - s * p.y + x, s * p.x + c * p.y + y};
        out->normal[i] = (tr_dvec2){c * n.x - s * n.y, s * n.x + c * n.y};
    }
}

/* the edge of `a` that `b` is farthest outside of, and how far */
static inline double pile_outside(const convex *a, const convex *b, int *edge)
{
    double most = -INFINITY;
    for (int i = 0; i < a->count; i++) {
        double least = INFINITY;
        for (int k = 0; k < b->count; k++) {
            tr_dvec2 d = {b->corner[k].x - a->corner[i].x, b->corner[k].y - a->corner[i].y};
            least = fmin(least, pile_dot(a->normal[i], d));
        }
        if (least > most) {
            most = least;
            *edge = i;
        }
    }
    return most;
}

/* the points of `b` near an edge of `a`, by how far along it they lie; a gap beyond the margin gives none */
static inline uint32_t pile_clip(const convex *a, int edge, const convex *b, tr_dvec2 point[2], double gap[2])
{
    tr_dvec2 n = a->normal[edge], t = {-n.y, n.x}, from = a->corner[edge];
    int facing = 0;
    for (int i = 1; i < b->count; i++)
        if (pile_dot(b->normal[i], n) < pile_dot(b->normal[facing], n))
            facing = i;
    tr_dvec2 end[2] = {b->corner[(facing + 1) % b->count], b->corner[facing]};
    tr_dvec2 to = a->corner[(edge + 1) % a->count];
    double low = pile_dot(from, t), high = pile_dot(to, t), at[2] = {pile_dot(end[0], t), pile_dot(end[1], t)};
    /* b's edge runs against a's: end[0] comes first along t */
    if (at[1] < low || at[0] > high)
        return 0;
    uint32_t count = 0;
    for (int i = 0; i < 2; i++) {
        double want = fmin(fmax(at[i], low), high), span = at[1] - at[0];
        double share = span > 1e-9 ? (want - at[0]) / span : (double)i;
        tr_dvec2 p = {end[0].x + share * (end[1].x - end[0].x), end[0].y + share * (end[1].y - end[0].y)};
        gap[i] = n.x * (p.x - from.x) + n.y * (p.y - from.y);
        point[i] = (tr_dvec2){p.x - 0.5 * gap[i] * n.x, p.y - 0.5 * gap[i] * n.y};
        count += gap[i] <= PILE_MARGIN;
    }
    return count;
}

static inline bool pile_touch(const pile *p, pile_pair pair, tr2_contact_def *def)
{
    tr_dvec2 from = p->now[pair.a].position;
    convex a, b;
    pile_place(&p->shapes[pair.a], &p->now[pair.a], from, &a);
    pile_place(&p->shapes[pair.b], &p->now[pair.b], from, &b);
    int edge_a = 0, edge_b = 0;
    double gap_a = pile_outside(&a, &b, &edge_a), gap_b = pile_outside(&b, &a, &edge_b);
    if (fmax(gap_a, gap_b) > PILE_MARGIN)
        return false;
    /* of two edges as good, the same one in every step */
    bool flip = gap_b > gap_a + 5e-4;
    tr_dvec2 point[2], n = flip ? b.normal[edge_b] : a.normal[edge_a];
    double gap[2];
    uint32_t count = flip ? pile_clip(&b, edge_b, &a, point, gap) : pile_clip(&a, edge_a, &b, point, gap);
    if (count == 0)
        return false;
    *def = tr2_contact_def_default();
    def->body_a = p->ids[pair.a];
    def->body_b = p->ids[pair.b];
    def->normal = flip ? (tr_vec2){(float)-n.x, (float)-n.y} : (tr_vec2){(float)n.x, (float)n.y};
    def->friction = p->friction;
    def->point_count = count;
    /* points are named by which comes first along the edge of the body with the lower number */
    uint32_t k = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t it = flip ? 1 - i : i;
        if (gap[it] > PILE_MARGIN)
            continue;
        def->point[k] = (tr_dvec2){from.x + point[it].x, from.y + point[it].y};
        def->separation[k] = (float)gap[it];
        def->point_id[k++] = i;
    }
    return true;
}

/* what touches as the bodies stand; returns the deepest overlap, m */
static inline double pile_find(pile *p)
{
    MUST(tr2_world_get_transforms(p->world, p->ids, p->count, p->now));
    pile_seek_pairs(p);
    double deepest = 0.0;
    p->contact_count = 0;
    for (uint32_t i = 0; i < p->pair_count; i++) {
        tr2_contact_def *def = &p->defs[p->contact_count];
        if (!pile_touch(p, p->pairs[i], def))
            continue;
        p->contact_count++;
        for (uint32_t k = 0; k < def->point_count; k++)
            deepest = fmax(deepest, (double)-def->separation[k]);
    }
    return deepest;
}

static inline double pile_step(pile *p, double dt, uint32_t substeps)
{
    double deepest = pile_find(p);
    MUST(tr2_world_set_contacts(p->world, p->defs, p->contact_count));
    steps(p->world, dt, substeps, 1);
    return deepest;
}

#endif
