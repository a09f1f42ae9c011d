#include <math.h>

#include "base/angle.h"
#include "solver/core/system.h"
#include "solver/plane/rotation.h"

void tr2_rotation(double angle, float *c, float *s)
{
    if (fabs(angle) > TR2_ROTATION_MOST)
        angle = fmod(angle, TR_TURN); /* fmod is exact, so the result is the same on every machine */
    tr2_rotation_of(angle, c, s);
}
