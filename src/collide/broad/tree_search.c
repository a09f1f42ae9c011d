/*
 * Searches of a tree that start with what is near: boxes along a translated box, and boxes around a point. Each result
 * shortens the rest of the search, so that of a long cast only the beginning is searched.
 *
 * Numbers are floats relative to the tree's origin. Boxes are widened by a few units of the last place of the numbers
 * compared with them, so that rounding hides nothing.
 */
#include "collide/broad/tree.h"

#include <float.h>
#include <math.h>

/* relative to a coordinate: covers the rounding of a difference, a quotient, and the input */
#define SLACK (8.0f * FLT_EPSILON)

/* the rest of the search, per level: a node, its children that are reached, and their distances */
typedef struct frame {
    uint32_t node, bits;
    float at[TR2_TREE_WIDTH];
} frame;

/* finds the children of a node within `most`, and their distances */
typedef uint32_t measure_fn(const void *search, const tr2_tree_node *node, float most, float *at);

static float above(double value)
{
    float rounded = (float)value;
    return rounded + fabsf(rounded) * 2.0f * FLT_EPSILON;
}

/* limited to the range of floats, as for boxes */
static float place(double value, double origin)
{
    const double most = 3e38;
    double from = value - origin;
    return (float)(from < -most ? -most : from > most ? most : from);
}

/* the nearest of the remaining children; the first of equals */
static uint32_t take_nearest(frame *it)
{
    uint32_t best = (uint32_t)__builtin_ctz(it->bits);
    for (uint32_t left = it->bits & (it->bits - 1); left != 0; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(left);
        if (it->at[k] < it->at[best])
            best = k;
    }
    it->bits &= ~(1u << best);
    return best;
}

static inline void descend(const tr2_tree *tree, measure_fn *measure, const void *search, double most,
                           tr2_tree_met_fn *met, void *context)
{
    if (tree->level_count == 0 || !(most >= 0.0))
        return;
    frame stack[TR2_TREE_LEVELS];
    float limit = above(most);
    uint32_t level = tree->level_count - 1;
    stack[level].node = 0;
    stack[level].bits = measure(search, tree->levels[level].nodes, limit, stack[level].at);
    for (;;) {
        frame *it = &stack[level];
        if (it->bits == 0) {
            if (++level == tree->level_count)
                return;
            continue;
        }
        uint32_t child = take_nearest(it);
        /* the others are no nearer */
        if (it->at[child] > limit) {
            it->bits = 0;
            continue;
        }
        uint32_t below = it->node * TR2_TREE_WIDTH + child;
        if (level > 0) {
            level--;
            stack[level].node = below;
            stack[level].bits = measure(search, &tree->levels[level].nodes[below], limit, stack[level].at);
            continue;
        }
        most = met(context, tree->proxies[below], most);
        if (!(most >= 0.0))
            return;
        limit = above(most);
    }
}

/*
 * Casts: when the centre is within each box widened by the half sides
 */
typedef struct line {
    float x, y;                 /* start */
    float inverse_x, inverse_y; /* of the translation; finite */
    float half_x, half_y;
} line;

static float inverse_of(float way)
{
    const float least = 1e-30f;
    return 1.0f / (fabsf(way) > least ? way : way < 0.0f ? -least : least);
}

static uint32_t cross(const void *search, const tr2_tree_node *node, float most, float *at)
{
    const line *it = search;
    float from[TR2_TREE_WIDTH], to[TR2_TREE_WIDTH];
    for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++) {
        float x0 = (node->lower_x[k] - it->half_x - it->x) * it->inverse_x;
        float x1 = (node->upper_x[k] + it->half_x - it->x) * it->inverse_x;
        float y0 = (node->lower_y[k] - it->half_y - it->y) * it->inverse_y;
        float y1 = (node->upper_y[k] + it->half_y - it->y) * it->inverse_y;
        float x_from = x0 < x1 ? x0 : x1, x_to = x0 < x1 ? x1 : x0;
        float y_from = y0 < y1 ? y0 : y1, y_to = y0 < y1 ? y1 : y0;
        float first = x_from > y_from ? x_from : y_from, last = x_to < y_to ? x_to : y_to;
        from[k] = first > 0.0f ? first : 0.0f;
        to[k] = last < most ? last : most;
    }
    uint32_t bits = 0;
    for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++) {
        /* an empty box has swapped corners, which would seem to contain the whole line */
        uint32_t hit = (uint32_t)(from[k] <= to[k]) & (uint32_t)(node->lower_x[k] <= node->upper_x[k]);
        bits |= hit << k;
        at[k] = from[k];
    }
    return bits;
}

void tr2_tree_cast_box(const tr2_tree *tree, const tr2_tree_cast *cast, double most, tr2_tree_met_fn *met,
                       void *context)
{
    float x = place(cast->x, tree->origin_x), y = place(cast->y, tree->origin_y);
    float translation_x = place(cast->translation_x, 0.0), translation_y = place(cast->translation_y, 0.0);
    line search = {
        x, y, inverse_of(translation_x), inverse_of(translation_y), above(cast->half_x), above(cast->half_y)};
    search.half_x += SLACK * (fabsf(x) + fabsf(translation_x) + search.half_x);
    search.half_y += SLACK * (fabsf(y) + fabsf(translation_y) + search.half_y);
    descend(tree, cross, &search, most, met, context);
}

/*
 * Searches around a point
 */
typedef struct middle {
    float x, y, slack;
} middle;

static uint32_t reach(const void *search, const tr2_tree_node *node, float most, float *at)
{
    const middle *it = search;
    float far[TR2_TREE_WIDTH];
    for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++) {
        float left = node->lower_x[k] - it->x, right = it->x - node->upper_x[k];
        float down = node->lower_y[k] - it->y, up = it->y - node->upper_y[k];
        float x = left > right ? left : right, y = down > up ? down : up;
        x = x > 0.0f ? x : 0.0f;
        y = y > 0.0f ? y : 0.0f;
        /* where the squares are no floats, the greater of both is still a lower bound */
        float square = x * x + y * y, larger = x > y ? x : y;
        float away = (square <= FLT_MAX ? sqrtf(square) : larger) * (1.0f - SLACK) - it->slack;
        far[k] = away > 0.0f ? away : 0.0f;
    }
    uint32_t bits = 0;
    for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++) {
        uint32_t hit = (uint32_t)(far[k] <= most) & (uint32_t)(node->lower_x[k] <= node->upper_x[k]);
        bits |= hit << k;
        at[k] = far[k];
    }
    return bits;
}

void tr2_tree_near(const tr2_tree *tree, double x, double y, double most, tr2_tree_met_fn *met, void *context)
{
    middle search = {place(x, tree->origin_x), place(y, tree->origin_y), 0.0f};
    search.slack = SLACK * (fabsf(search.x) + fabsf(search.y));
    descend(tree, reach, &search, most, met, context);
}
