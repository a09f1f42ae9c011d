/* A mass on a spring as the soft step takes it, the same in both dimensions. */
#ifndef TR_TESTS_OSCILLATOR_H
#define TR_TESTS_OSCILLATOR_H

/*
 * One sub-step of the scheme (docs/solver.md), written out for a mass on a spring: the solve makes the velocity that of
 * implicit Euler, from where the body is; the position moves with it; the relaxing pass takes the spring's impulse
 * anew where the body has come to.
 */
static inline void oscillator_substep(double frequency, double ratio, double h, double *x, double *v)
{
    double w = 2.0 * 3.14159265358979323846 * frequency, hold = 1.0 + 2.0 * h * ratio * w + h * h * w * w;
    double before = *v;
    *x += h * ((before - h * w * w * *x) / hold);
    *v = (before - h * w * w * *x) / hold;
}

#endif
