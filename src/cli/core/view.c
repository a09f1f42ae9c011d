/* Fits the camera's window to a scene. */
#include "cli/core/view.h"
#include "cli/arrays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN        1.16 /* size of the window relative to what it shows */
#define NEIGHBOURHOOD 4.0  /* groups within this many sizes of the main group are shown, too */
#define LARGEST_STILL                                                                                                  \
    4.0 /* a window that holds all frames stays where it is, if it is at most so many times as large */
#define LARGEST_GROWTH 2.5 /* how far a window that moves may grow when the followed bodies spread out */
#define SMOOTHING      1.0 /* s: the path of a window that moves is averaged over so much time before and after */

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

static void add_point(box *b, const trn_camera *camera, const trn_transform *t, trn_vec p, double radius)
{
    tr_dvec2 at = trn_camera_place(camera, t, p);
    box_add(b, at.x - radius, at.y - radius);
    box_add(b, at.x + radius, at.y + radius);
}

static void add_shape(box *b, const trn_camera *camera, const trn_scene *scene, const trn_scene_shape *shape,
                      const trn_transform *t)
{
    trn_vec point = {0};
    double radius = 0.0;
    for (uint32_t k = 0; k < trn_shape_bound(scene, shape, k, &point, &radius); ++k) {
        add_point(b, camera, t, point, radius);
    }
}

/* adds the end of a joint on a body; a static one that is about as small as those that move is then in the picture */
static void add_end(box *b, const trn_camera *camera, const trn_body_def *def, const trn_transform *t, trn_vec anchor,
                    double reach)
{
    add_point(b, camera, t, anchor, 0.0);
    double arm = trn_size(trn_narrow(trn_minus(trn_widen(anchor), trn_widen(def->center))));
    if (def->type == TR_STATIC && arm < TRN_SUPPORT_REACH * reach) {
        add_point(b, camera, t, def->center, reach);
    }
}

/* the bounding boxes of all groups in one frame, from shapes, centres of mass and anchors */
static void measure_groups(box *boxes, const trn_camera *camera, const trn_scene *scene, const groups *g,
                           const snapshot *s, double reach)
{
    for (uint32_t i = 0; i < g->count; ++i) {
        boxes[i] = empty_box;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        if (g->of_body[i] != NO_GROUP) {
            add_point(&boxes[g->of_body[i]], camera, &s->transforms[i], scene->bodies[i].def.center, 0.3 * reach);
        }
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        const trn_scene_shape *shape = &scene->shapes[i];
        uint32_t group = g->of_body[shape->body];
        if (group != NO_GROUP) {
            add_shape(&boxes[group], camera, scene, shape, &s->transforms[shape->body]);
        }
    }
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        const trn_scene_joint *joint = &scene->joints[j];
        uint32_t a = g->of_body[joint->body_a], b = g->of_body[joint->body_b];
        uint32_t group = a != NO_GROUP ? a : b;
        if (group != NO_GROUP) {
            bool pushes = trn_joint_only_pushes(&joint->def);
            if (a != NO_GROUP || !pushes) {
                add_end(&boxes[group], camera, &scene->bodies[joint->body_a].def, &s->transforms[joint->body_a],
                        joint->def.anchor_a, reach);
            }
            if (b != NO_GROUP || !pushes) {
                add_end(&boxes[group], camera, &scene->bodies[joint->body_b].def, &s->transforms[joint->body_b],
                        joint->def.anchor_b, reach);
            }
            trn_dvec ground;
            for (uint32_t k = 0; k < trn_joint_ground(&joint->def, k, &ground); ++k) {
                tr_dvec2 at = trn_camera_at(camera, ground);
                box_add(&boxes[group], at.x, at.y);
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
    bool changed = true;
    shown[main] = true;
    for (uint32_t pass = 0; changed && pass < 8; ++pass) {
        changed = false;
        for (uint32_t i = 0; i < g->count; ++i) {
            if (!shown[i] && !box_is_empty(boxes[i]) && box_gap(grown, boxes[i]) <= gap) {
                shown[i] = changed = true;
                box_join(&grown, boxes[i]);
            }
        }
    }
}

uint32_t trn_view_find_body(const trn_scene *scene, const char *name)
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
static bool find_reach(double *reach, const trn_camera *camera, const trn_scene *scene, const groups *g)
{
    float *distances = calloc((size_t)scene->joint_count * 2 + 1, sizeof *distances);
    if (distances == NULL) {
        return false;
    }
    size_t count = 0;
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        const trn_scene_joint *joint = &scene->joints[j];
        const uint32_t body[2] = {joint->body_a, joint->body_b};
        const trn_vec anchor[2] = {joint->def.anchor_a, joint->def.anchor_b};
        for (uint32_t k = 0; k < 2; ++k) {
            trn_dvec center = trn_widen(scene->bodies[body[k]].def.center);
            float distance = (float)trn_size(trn_narrow(trn_minus(trn_widen(anchor[k]), center)));
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
        tr_dvec2 at = trn_camera_at(camera, scene->bodies[i].def.position);
        box_add(&all, at.x, at.y);
    }
    if (!(*reach > 0.0) || *reach < 1e-5 * box_size(all)) {
        *reach = box_size(all) > 0.0 ? box_size(all) / 40.0 : 0.5;
    }
    return true;
}

/* the bounding box of everything, for scenes in which nothing moves */
static box whole_scene(const trn_camera *camera, const trn_scene *scene, const snapshot *s)
{
    box all = empty_box;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        add_point(&all, camera, &s->transforms[i], scene->bodies[i].def.center, 0.0);
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        const trn_scene_shape *shape = &scene->shapes[i];
        add_shape(&all, camera, scene, shape, &s->transforms[shape->body]);
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
static void choose_followed(bool *followed, const groups *g, const bool *shown)
{
    bool anchored = false;
    for (uint32_t i = 0; i < g->count; ++i) {
        anchored = anchored || (shown[i] && g->anchored[i]);
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        followed[i] = shown[i] && (g->anchored[i] || !anchored);
    }
}

/* what the windows are to show */
typedef struct extent {
    box start;            /* in the first window */
    box all;              /* the same, and the followed groups over all frames */
    box *frames;          /* the followed groups in each frame */
    double width, height; /* m: the largest of any frame */
    tr_dvec2 offset;      /* from the middle of the followed groups to that of the first window */
} extent;

/* what each frame is to show: the first all groups chosen, later ones those that are followed */
static void measure_frames(extent *e, const view *v, const trn_scene *scene, const groups *g, const film *f,
                           const bool *shown, const bool *followed, box *boxes)
{
    box last = empty_box;
    e->all = e->start = empty_box;
    for (uint32_t i = 0; i < f->count; ++i) {
        measure_groups(boxes, &v->camera, scene, g, &f->frames[i], v->reach);
        box now = g->count > 0 ? join_chosen(g, boxes, followed) : whole_scene(&v->camera, scene, &f->frames[i]);
        now = box_is_empty(now) ? last : now;
        if (i == 0) {
            e->start = g->count > 0 ? join_chosen(g, boxes, shown) : now;
            if (box_is_empty(e->start)) {
                e->start = now = (box){-1.0, -1.0, 1.0, 1.0};
            }
            e->offset.x = 0.5 * (e->start.x0 + e->start.x1 - now.x0 - now.x1);
            e->offset.y = 0.5 * (e->start.y0 + e->start.y1 - now.y0 - now.y1);
            e->width = e->start.x1 - e->start.x0;
            e->height = e->start.y1 - e->start.y0;
            e->all = e->start;
        }
        last = e->frames[i] = now;
        e->width = fmax(e->width, now.x1 - now.x0);
        e->height = fmax(e->height, now.y1 - now.y0);
        box_join(&e->all, now);
    }
}

/*
 * Windows that move
 */
/* whether the camera follows a body that has a finite position */
static bool is_followed(const trn_camera *camera, const groups *g, const bool *followed, const snapshot *s,
                        uint32_t body)
{
    tr_dvec2 at = trn_camera_at(camera, s->transforms[body].position);
    return g->of_body[body] != NO_GROUP && followed[g->of_body[body]] && isfinite(at.x) && isfinite(at.y);
}

/* the position of the followed body that is nearest to the median of each coordinate: where most of them are, wherever
   the fastest go; `fallback` if there is none */
static tr_dvec2 find_middle(const trn_camera *camera, const trn_scene *scene, const groups *g, const bool *followed,
                            const snapshot *s, double *places, tr_dvec2 fallback)
{
    double median[2] = {fallback.x, fallback.y}, least = INFINITY;
    for (int is_y = 0; is_y < 2; ++is_y) {
        size_t count = 0;
        for (uint32_t i = 0; i < scene->body_count; ++i) {
            if (is_followed(camera, g, followed, s, i)) {
                tr_dvec2 at = trn_camera_at(camera, s->transforms[i].position);
                places[count++] = is_y ? at.y : at.x;
            }
        }
        qsort(places, count, sizeof *places, compare_doubles);
        median[is_y] = count > 0 ? places[count / 2] : median[is_y];
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        tr_dvec2 at = trn_camera_at(camera, s->transforms[i].position);
        double distance = is_followed(camera, g, followed, s, i) ? hypot(at.x - median[0], at.y - median[1]) : INFINITY;
        if (distance < least) {
            least = distance;
            fallback = at;
        }
    }
    return fallback;
}

/* the average over the time around a frame, with weights that fall to zero at SMOOTHING; symmetric at the ends, so that
   the first and the last frame keep their place */
static double smoothed(const film *f, const double *path, uint32_t i)
{
    double sum = 0.0, weights = 0.0, time = f->frames[i].time;
    double reach = fmin(SMOOTHING, fmin(time - f->frames[0].time, f->frames[f->count - 1].time - time));
    for (uint32_t k = i + 1; k-- > 0 && (k == i || time - f->frames[k].time < reach);) {
        double weight = k == i ? 1.0 : 1.0 - (time - f->frames[k].time) / reach;
        sum += weight * path[k];
        weights += weight;
    }
    for (uint32_t k = i + 1; k < f->count && f->frames[k].time - time < reach; ++k) {
        double weight = 1.0 - (f->frames[k].time - time) / reach;
        sum += weight * path[k];
        weights += weight;
    }
    return sum / weights;
}

/* the place nearest to `center` from which a window of this size shows all from low to high; if it is too small for
   that, the nearest from which all of it is used */
static double within(double center, double low, double high, double size)
{
    double a = high - 0.5 * size, b = low + 0.5 * size;
    return fmin(fmax(center, fmin(a, b)), fmax(a, b));
}

/* a smooth path of the window's centre that keeps the followed bodies inside, or most of them if they spread too far */
static bool lead_window(view *v, const extent *e, const trn_scene *scene, const groups *g, const film *f,
                        const bool *followed, double width, double height)
{
    double *x = calloc((size_t)f->count + 1, sizeof *x), *y = calloc((size_t)f->count + 1, sizeof *y);
    double *places = calloc((size_t)scene->body_count + 1, sizeof *places);
    bool made = x != NULL && y != NULL && places != NULL;
    for (uint32_t i = 0; made && i < f->count; ++i) {
        box now = e->frames[i];
        bool wide = now.x1 - now.x0 > width, high = now.y1 - now.y0 > height;
        tr_dvec2 whole = {0.5 * (now.x0 + now.x1) + e->offset.x, 0.5 * (now.y0 + now.y1) + e->offset.y};
        tr_dvec2 middle =
            wide || high ? find_middle(&v->camera, scene, g, followed, &f->frames[i], places, whole) : whole;
        x[i] = within(wide ? middle.x : whole.x, now.x0, now.x1, width);
        y[i] = within(high ? middle.y : whole.y, now.y0, now.y1, height);
    }
    for (uint32_t i = 0; made && i < f->count; ++i) {
        /* the first window shows more than what is followed */
        box now = i == 0 ? e->start : e->frames[i];
        v->center[i].x = within(smoothed(f, x, i), now.x0, now.x1, width);
        v->center[i].y = within(smoothed(f, y, i), now.y0, now.y1, height);
    }
    free(x);
    free(y);
    free(places);
    return made;
}

static bool place_windows(view *v, const extent *e, view_kind kind, const trn_scene *scene, const groups *g,
                          const film *f, const bool *followed)
{
    bool stays = kind == VIEW_FOLLOW && box_size(e->all) <= LARGEST_STILL * box_size(e->start), made = true;
    double limit = LARGEST_GROWTH * box_size(e->start), width = e->width, height = e->height;
    if (kind == VIEW_FIXED || stays) {
        width = e->all.x1 - e->all.x0;
        height = e->all.y1 - e->all.y0;
        for (uint32_t i = 0; i < v->count; ++i) {
            v->center[i] = (tr_dvec2){0.5 * (e->all.x0 + e->all.x1), 0.5 * (e->all.y0 + e->all.y1)};
        }
    } else {
        if (kind == VIEW_FOLLOW && limit > 0.0) {
            width = fmin(width, limit);
            height = fmin(height, limit);
        }
        made = lead_window(v, e, scene, g, f, followed, width, height);
    }
    double least = fmax(2.0 * v->reach, 0.05 * fmax(width, height));
    v->width = MARGIN * fmax(width, least);
    v->height = MARGIN * fmax(height, least);
    return made;
}

bool trn_view_fit(view *v, const trn_scene *scene, const groups *g, const film *f, view_kind kind, const char *name,
                  const double *angles)
{
    memset(v, 0, sizeof *v);
    v->camera = trn_camera_make(scene, angles);
    v->count = f->count;
    v->center = calloc((size_t)f->count + 1, sizeof *v->center);
    box *boxes = calloc((size_t)g->count + 1, sizeof *boxes);
    bool *shown = calloc((size_t)g->count + 1, sizeof *shown);
    bool *followed = calloc((size_t)g->count + 1, sizeof *followed);
    extent e = {.frames = calloc((size_t)f->count + 1, sizeof *e.frames)};
    bool made = e.frames != NULL && v->center != NULL && boxes != NULL && shown != NULL && followed != NULL;
    made = made && find_reach(&v->reach, &v->camera, scene, g);

    if (made && g->count > 0 && f->count > 0) {
        measure_groups(boxes, &v->camera, scene, g, &f->frames[0], v->reach);
        uint32_t body = name != NULL ? trn_view_find_body(scene, name) : UINT32_MAX;
        if (body != UINT32_MAX && g->of_body[body] != NO_GROUP) {
            shown[g->of_body[body]] = followed[g->of_body[body]] = true;
        } else if (kind == VIEW_ALL) {
            for (uint32_t i = 0; i < g->count; ++i) {
                shown[i] = followed[i] = true;
            }
        } else {
            choose_groups(shown, g, boxes, main_group(g));
            choose_followed(followed, g, shown);
        }
    }
    if (made) {
        measure_frames(&e, v, scene, g, f, shown, followed, boxes);
        made = place_windows(v, &e, kind, scene, g, f, followed);
    }
    free(e.frames);
    free(boxes);
    free(shown);
    free(followed);
    if (!made) {
        trn_view_free(v);
    }
    return made;
}

void trn_view_free(view *v)
{
    free(v->center);
    memset(v, 0, sizeof *v);
}
