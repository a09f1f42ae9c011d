/* Fits the camera's window to a scene. */
#include "cli/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN         1.16 /* size of the window relative to what it shows */
#define NEIGHBOURHOOD  4.0  /* groups within this many sizes of the main group are shown, too */
#define LARGEST_GROWTH 2.5  /* how far the window may grow when the followed bodies spread out */

typedef struct box {
    double x0, y0, x1, y1;
} box;

static const box empty_box = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static bool box_is_empty(box b)
{
    return !(b.x0 <= b.x1);
}

static void box_add(box *b, double x, double y)
{
    if (isfinite(x) && isfinite(y)) {
        b->x0 = fmin(b->x0, x);
        b->y0 = fmin(b->y0, y);
        b->x1 = fmax(b->x1, x);
        b->y1 = fmax(b->y1, y);
    }
}

static void box_join(box *b, box other)
{
    if (!box_is_empty(other)) {
        box_add(b, other.x0, other.y0);
        box_add(b, other.x1, other.y1);
    }
}

static double box_size(box b)
{
    return box_is_empty(b) ? 0.0 : fmax(b.x1 - b.x0, b.y1 - b.y0);
}

static double box_gap(box a, box b)
{
    double x = fmax(0.0, fmax(a.x0 - b.x1, b.x0 - a.x1)), y = fmax(0.0, fmax(a.y0 - b.y1, b.y0 - a.y1));
    return fmax(x, y);
}

static void add_point(box *b, const tr2_transform *t, tr_vec2 p, double radius)
{
    double x = t->position.x + (double)t->c * p.x - (double)t->s * p.y;
    double y = t->position.y + (double)t->s * p.x + (double)t->c * p.y;
    box_add(b, x - radius, y - radius);
    box_add(b, x + radius, y + radius);
}

/* the bounding boxes of all groups in one frame, from shapes, centres of mass and anchors */
static void measure_groups(box *boxes, const tr2_scene *scene, const groups *g, const snapshot *s, double reach)
{
    for (uint32_t i = 0; i < g->count; ++i) {
        boxes[i] = empty_box;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        if (g->of_body[i] != NO_GROUP) {
            add_point(&boxes[g->of_body[i]], &s->transforms[i], scene->bodies[i].def.center, 0.3 * reach);
        }
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        const tr2_scene_shape *shape = &scene->shapes[i];
        uint32_t group = g->of_body[shape->body];
        for (uint32_t k = 0; group != NO_GROUP && k < shape->vertex_count; ++k) {
            double radius = (double)shape->radius;
            add_point(&boxes[group], &s->transforms[shape->body], scene->vertices[shape->first_vertex + k], radius);
        }
    }
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        const tr2_scene_joint *joint = &scene->joints[j];
        uint32_t a = g->of_body[joint->body_a], b = g->of_body[joint->body_b];
        uint32_t group = a != NO_GROUP ? a : b;
        if (group != NO_GROUP) {
            add_point(&boxes[group], &s->transforms[joint->body_a], joint->def.anchor_a, 0.0);
            add_point(&boxes[group], &s->transforms[joint->body_b], joint->def.anchor_b, 0.0);
            if (tr2_joint_type_has(joint->def.type, TR2_FIELD_GROUND_A_X)) {
                box_add(&boxes[group], joint->def.ground_a.x, joint->def.ground_a.y);
                box_add(&boxes[group], joint->def.ground_b.x, joint->def.ground_b.y);
            }
        }
    }
}

/* the group with most joints; among equals the one with most bodies, then the first */
static uint32_t main_group(const groups *g)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < g->count; ++i) {
        if (g->joint_count[i] > g->joint_count[best] ||
            (g->joint_count[i] == g->joint_count[best] && g->body_count[i] > g->body_count[best])) {
            best = i;
        }
    }
    return best;
}

/*
 * Marks the groups near the main one, and those near them in turn. The gap is measured from the bounding box of all
 * marked groups: in compact scenes that gives the same result as comparing pairs, in a few passes.
 */
static void choose_groups(bool *shown, const groups *g, const box *boxes, uint32_t main)
{
    box grown = boxes[main];
    double gap = NEIGHBOURHOOD * box_size(grown);
    bool jointed = g->joint_count[main] > 0, changed = true;
    shown[main] = true;
    for (uint32_t pass = 0; changed && pass < 8; ++pass) {
        changed = false;
        for (uint32_t i = 0; i < g->count; ++i) {
            bool candidate = !shown[i] && (g->joint_count[i] > 0 || !jointed) && !box_is_empty(boxes[i]);
            if (candidate && box_gap(grown, boxes[i]) <= gap) {
                shown[i] = changed = true;
                box_join(&grown, boxes[i]);
            }
        }
    }
}

uint32_t view_find_body(const tr2_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        if (scene->bodies[i].name != NULL && strcmp(scene->bodies[i].name, name) == 0) {
            return i;
        }
    }
    char *end = NULL;
    unsigned long long index = name[0] == '#' && name[1] != 0 ? strtoull(name + 1, &end, 10) : UINT32_MAX;
    return end != NULL && *end == 0 && index < scene->body_count ? (uint32_t)index : UINT32_MAX;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* the median distance of an anchor from the centre of its moving body; a fortieth of the scene if there is none */
static bool find_reach(double *reach, const tr2_scene *scene, const groups *g)
{
    float *distances = calloc((size_t)scene->joint_count * 2 + 1, sizeof *distances);
    if (distances == NULL) {
        return false;
    }
    size_t count = 0;
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        const tr2_scene_joint *joint = &scene->joints[j];
        const uint32_t body[2] = {joint->body_a, joint->body_b};
        const tr_vec2 anchor[2] = {joint->def.anchor_a, joint->def.anchor_b};
        for (uint32_t k = 0; k < 2; ++k) {
            tr_vec2 center = scene->bodies[body[k]].def.center;
            float distance = hypotf(anchor[k].x - center.x, anchor[k].y - center.y);
            if (g->of_body[body[k]] != NO_GROUP && distance > 0.0f) {
                distances[count++] = distance;
            }
        }
    }
    qsort(distances, count, sizeof *distances, compare_floats);
    *reach = count > 0 ? (double)distances[count / 2] : 0.0;
    free(distances);

    /* ignore distances that are rounding error of anchors at centres of mass */
    box all = empty_box;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        box_add(&all, scene->bodies[i].def.position.x, scene->bodies[i].def.position.y);
    }
    if (!(*reach > 0.0) || *reach < 1e-5 * box_size(all)) {
        *reach = box_size(all) > 0.0 ? box_size(all) / 40.0 : 0.5;
    }
    return true;
}

/* the bounding box of everything, for scenes in which nothing moves */
static box whole_scene(const tr2_scene *scene, const snapshot *s)
{
    box all = empty_box;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        add_point(&all, &s->transforms[i], scene->bodies[i].def.center, 0.0);
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        const tr2_scene_shape *shape = &scene->shapes[i];
        for (uint32_t k = 0; k < shape->vertex_count; ++k) {
            add_point(&all, &s->transforms[shape->body], scene->vertices[shape->first_vertex + k],
                      (double)shape->radius);
        }
    }
    return all;
}

static box join_chosen(const groups *g, const box *boxes, const bool *chosen)
{
    box sum = empty_box;
    for (uint32_t i = 0; i < g->count; ++i) {
        if (chosen[i]) {
            box_join(&sum, boxes[i]);
        }
    }
    return sum;
}

/* chooses the groups that the camera follows: of those shown at first, the anchored ones, if any */
static bool choose_followed(bool *followed, const groups *g, const bool *shown)
{
    bool anchored = false;
    for (uint32_t i = 0; i < g->count; ++i) {
        anchored = anchored || (shown[i] && g->anchored[i]);
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        followed[i] = shown[i] && (g->anchored[i] || !anchored);
    }
    return anchored;
}

/* input for the size of the windows */
typedef struct extent {
    box start;            /* what the first window shows */
    box all;              /* the same, and the followed groups over all frames */
    double width, height; /* m: the largest of any frame */
} extent;

/* finds the centre of each window: the first shows all groups chosen; later ones move with the followed groups */
static extent track(view *v, const tr2_scene *scene, const groups *g, const film *f, const bool *shown,
                    const bool *followed, box *boxes)
{
    extent e = {empty_box, empty_box, 0.0, 0.0};
    box last = empty_box;
    tr_dvec2 offset = {0.0, 0.0};
    for (uint32_t i = 0; i < f->count; ++i) {
        measure_groups(boxes, scene, g, &f->frames[i], v->reach);
        box now = g->count > 0 ? join_chosen(g, boxes, followed) : whole_scene(scene, &f->frames[i]);
        now = box_is_empty(now) ? last : now;
        if (i == 0) {
            e.start = g->count > 0 ? join_chosen(g, boxes, shown) : now;
            if (box_is_empty(e.start)) {
                e.start = now = (box){-1.0, -1.0, 1.0, 1.0};
            }
            offset.x = 0.5 * (e.start.x0 + e.start.x1 - now.x0 - now.x1);
            offset.y = 0.5 * (e.start.y0 + e.start.y1 - now.y0 - now.y1);
            e.width = e.start.x1 - e.start.x0;
            e.height = e.start.y1 - e.start.y0;
            e.all = e.start;
        }
        last = now;
        v->center[i].x = 0.5 * (now.x0 + now.x1) + offset.x;
        v->center[i].y = 0.5 * (now.y0 + now.y1) + offset.y;
        e.width = fmax(e.width, now.x1 - now.x0);
        e.height = fmax(e.height, now.y1 - now.y0);
        box_join(&e.all, now);
    }
    return e;
}

static void place_windows(view *v, extent e, view_kind kind, bool anchored)
{
    /* anchored groups swing but stay in place: keep the window fixed unless it would have to be far larger */
    double limit = LARGEST_GROWTH * box_size(e.start), width = e.width, height = e.height;
    bool stays = kind == VIEW_FOLLOW && anchored && box_size(e.all) <= limit;
    if (kind == VIEW_FIXED || stays) {
        width = e.all.x1 - e.all.x0;
        height = e.all.y1 - e.all.y0;
        for (uint32_t i = 0; i < v->count; ++i) {
            v->center[i] = (tr_dvec2){0.5 * (e.all.x0 + e.all.x1), 0.5 * (e.all.y0 + e.all.y1)};
        }
    } else if (kind == VIEW_FOLLOW && limit > 0.0) {
        width = fmin(width, limit);
        height = fmin(height, limit);
    }
    double least = fmax(2.0 * v->reach, 0.05 * fmax(width, height));
    v->width = MARGIN * fmax(width, least);
    v->height = MARGIN * fmax(height, least);
}

bool view_fit(view *v, const tr2_scene *scene, const groups *g, const film *f, view_kind kind, const char *name)
{
    memset(v, 0, sizeof *v);
    v->count = f->count;
    v->center = calloc((size_t)f->count + 1, sizeof *v->center);
    box *boxes = calloc((size_t)g->count + 1, sizeof *boxes);
    bool *shown = calloc((size_t)g->count + 1, sizeof *shown);
    bool *followed = calloc((size_t)g->count + 1, sizeof *followed);
    bool anchored = false;
    bool made = v->center != NULL && boxes != NULL && shown != NULL && followed != NULL;
    made = made && find_reach(&v->reach, scene, g);

    if (made && g->count > 0 && f->count > 0) {
        measure_groups(boxes, scene, g, &f->frames[0], v->reach);
        uint32_t body = name != NULL ? view_find_body(scene, name) : UINT32_MAX;
        if (body != UINT32_MAX && g->of_body[body] != NO_GROUP) {
            shown[g->of_body[body]] = followed[g->of_body[body]] = true;
            anchored = g->anchored[g->of_body[body]];
        } else if (kind == VIEW_ALL) {
            for (uint32_t i = 0; i < g->count; ++i) {
                shown[i] = followed[i] = true;
            }
        } else {
            choose_groups(shown, g, boxes, main_group(g));
            anchored = choose_followed(followed, g, shown);
        }
    }
    if (made) {
        place_windows(v, track(v, scene, g, f, shown, followed, boxes), kind, anchored);
    }
    free(boxes);
    free(shown);
    free(followed);
    if (!made) {
        view_free(v);
    }
    return made;
}

void view_free(view *v)
{
    free(v->center);
    memset(v, 0, sizeof *v);
}

double view_round_length(double least)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    if (!(least > 0.0) || !isfinite(least)) {
        return 1.0;
    }
    double power = pow(10.0, floor(log10(least)));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        if (steps[i] * power >= least) {
            return steps[i] * power;
        }
    }
    return 10.0 * power;
}
