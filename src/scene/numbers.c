#include "scene/numbers.h"

#include "base/angle.h"

double tr_cosine(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 2; k <= 34; k += 2) {
        term *= -x * x / (double)(k * (k - 1));
        sum += term;
    }
    return sum;
}

double tr_sine(double x)
{
    double sum = x, term = x;
    for (int k = 3; k <= 35; k += 2) {
        term *= -x * x / (double)(k * (k - 1));
        sum += term;
    }
    return sum;
}

uint32_t tr_side(uint32_t count)
{
    uint32_t side = 1;
    while ((uint64_t)side * side < count)
        side++;
    return side;
}

uint32_t tr_ring_capacity(uint32_t ring)
{
    return (uint32_t)(TR_TURN * (2.0 + 0.5 * (double)ring) / 0.4);
}
