/* A shape that leaves its body the mass that the test has given it. */
#ifndef TR_TESTS_WEIGHTLESS_H
#define TR_TESTS_WEIGHTLESS_H

#include "trammel/shapes2.h"

static inline tr2_shape_def weightless(tr2_shape_def def)
{
    def.density = 0.0f;
    return def;
}

#endif
