/* Numbers at random of which some are as large or as small as floats allow. */
#ifndef TR_TESTS_EXTREME_H
#define TR_TESTS_EXTREME_H

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "random.h"

typedef struct draw {
    uint64_t random;
    uint32_t odd; /* percent of numbers that are extreme */
} draw;

static inline uint32_t below(draw *it, uint32_t count)
{
    return random_index(&it->random, count);
}

static inline float between(draw *it, float low, float high)
{
    return low + (high - low) * (float)below(it, 1u << 20) / (float)(1u << 20);
}

static inline float extreme(draw *it)
{
    static const float sizes[] = {0.0f,  1e-45f, 1e-38f, 1e-30f, 1e-20f, 1e-10f, 1e5f,  1e8f,
                                  1e10f, 1e15f,  1e19f,  1e25f,  1e30f,  1e35f,  3e38f, FLT_MAX};
    float size = sizes[below(it, sizeof sizes / sizeof sizes[0])];
    return below(it, 2) == 0 ? size : -size;
}

static inline float number(draw *it, float low, float high)
{
    float usual = between(it, low, high);
    return below(it, 100) < it->odd ? extreme(it) : usual;
}

static inline draw draw_of(uint64_t seed)
{
    static const uint32_t odds[] = {1, 5, 20, 60};
    draw it = {seed * 0x9E3779B97F4A7C15u + 1, 0};
    random_step(&it.random);
    it.odd = odds[below(&it, 4)];
    return it;
}

static inline uint64_t from_environment(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : standard;
}

#endif
