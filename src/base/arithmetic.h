/*
 * Plain arithmetic: rounding to nearest, denormal numbers kept, no traps. A host may run its threads otherwise (audio and
 * game engines flush denormals to zero), and the same step must give the same bits all the same.
 */
#ifndef TR_BASE_ARITHMETIC_H
#define TR_BASE_ARITHMETIC_H

#include <fenv.h>

/* what the thread had before */
typedef struct tr_arithmetic {
    fenv_t environment;
} tr_arithmetic;

/* Makes the calling thread's arithmetic plain. */
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
