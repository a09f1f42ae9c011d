/* The colours of joints. */
#include "cli/core/palette.h"

#include <math.h>
#include <string.h>

/* binary search: the index of a colour in the list, or where to insert it */
static uint32_t rank_of(const palette *p, uint32_t id)
{
    uint32_t low = 0, high = p->colors;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void learn_color(palette *p, uint32_t id)
{
    uint32_t rank = rank_of(p, id);
    if (id != UINT32_MAX && p->colors < PALETTE_IDS && (rank == p->colors || p->ids[rank] != id)) {
        memmove(p->ids + rank + 1, p->ids + rank, (p->colors - rank) * sizeof *p->ids);
        p->ids[rank] = id;
        ++p->colors;
    }
}

palette trn_palette_fit(const film *f, const trn_scene *scene)
{
    /* show at most four decades below the greatest force */
    palette p = {.mode = f->mode, .low = INFINITY};
    for (uint32_t i = 0; i < f->taken; ++i) {
        const snapshot *s = &f->frames[i];
        for (uint32_t j = 0; s->force != NULL && j < scene->joint_count; ++j) {
            if (s->force[j] > 0.0f && isfinite(s->force[j])) {
                p.low = fmin(p.low, (double)s->force[j]);
                p.high = fmax(p.high, (double)s->force[j]);
            }
        }
        for (uint32_t j = 0; s->color != NULL && j < scene->joint_count; ++j) {
            learn_color(&p, s->color[j]);
        }
    }
    if (!(p.high > 0.0)) {
        p.low = p.high = 1.0;
    }
    p.low = fmax(p.low, 1e-4 * p.high);
    if (p.high < 1.01 * p.low) {
        p.low = 0.1 * p.high;
    }
    return p;
}

uint32_t trn_palette_level(const palette *p, const trn_scene *scene, const snapshot *s, uint32_t joint)
{
    if (p->mode == COLOR_TYPE) {
        return (uint32_t)scene->joints[joint].def.type;
    }
    if (p->mode == COLOR_GRAPH) {
        /* the last level is for joints without a colour in the plan */
        return s->color[joint] == UINT32_MAX ? PALETTE_LEVELS - 1 : rank_of(p, s->color[joint]) % (PALETTE_LEVELS - 1);
    }
    double force = (double)s->force[joint];
    if (!(force > p->low)) {
        return 0;
    }
    double part = log(fmin(force, p->high) / p->low) / log(p->high / p->low);
    return (uint32_t)(part * (PALETTE_LEVELS - 1) + 0.5);
}

static uint32_t mix(uint32_t from, uint32_t to, double part)
{
    uint32_t color = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        double a = (from >> shift) & 0xff, b = (to >> shift) & 0xff;
        color |= (uint32_t)(a + (b - a) * part + 0.5) << shift;
    }
    return color;
}

uint32_t trn_palette_color(const palette *p, uint32_t level)
{
    if (p->mode == COLOR_TYPE) {
        return trn_type_color((trn_joint_type)level);
    }
    if (p->mode == COLOR_FORCE) {
        static const uint32_t stops[] = {0xc3cfdd, 0x6f9bc8, 0x3c6db0, 0x8e5ea2, 0xe08214, 0xd7301f, 0x7f0000};
        double at = (double)level / (PALETTE_LEVELS - 1) * (sizeof stops / sizeof stops[0] - 1);
        uint32_t stop = (uint32_t)fmin(at, sizeof stops / sizeof stops[0] - 2);
        return mix(stops[stop], stops[stop + 1], at - stop);
    }

    if (level == PALETTE_LEVELS - 1) {
        return 0xb0aea6;
    }

    /* space hues by the golden angle, so that consecutive colours differ clearly */
    double hue = fmod(0.58 + 0.61803398875 * level, 1.0) * 6.0;
    double rise = hue - floor(hue);
    static const uint32_t wheel[] = {0xd62728, 0xc9a800, 0x2ca02c, 0x17a3b8, 0x2b50c8, 0xb030b0};
    uint32_t from = (uint32_t)hue % 6;
    return mix(wheel[from], wheel[(from + 1) % 6], rise);
}
