/*
 * Default floating-point arithmetic: round to nearest, keep denormals, no traps. An application's threads may run in
 * another mode (audio and game engines flush denormals to zero), but a step must give the same bits in all of them.
 */
#ifndef TR_BASE_ARITHMETIC_H
#define TR_BASE_ARITHMETIC_H

#include <fenv.h>

/* the environment that the thread had before */
typedef struct tr_arithmetic {
    fenv_t environment;
} tr_arithmetic;

/* Switches the calling thread to default arithmetic; returns what tr_arithmetic_restore() needs. */
static inline tr_arithmetic tr_arithmetic_plain(void)
{
    tr_arithmetic before;
    fegetenv(&before.environment);
    fesetenv(FE_DFL_ENV);
    return before;
}

static inline void tr_arithmetic_restore(const tr_arithmetic *before)
{
    fesetenv(&before->environment);
}

#endif
