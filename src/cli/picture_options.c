#include "cli/picture_options.h"

#include <math.h>
#include <stddef.h>

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
