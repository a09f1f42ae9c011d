/* Arithmetic of generators: exact or in plain double arithmetic (no libm), so that a scene is bit-identical on every
   machine. */
#ifndef TR_SCENE_NUMBERS_H
#define TR_SCENE_NUMBERS_H

#include <stdint.h>

/* Sine and cosine by their series, for abs(x) <= pi; error about 1e-15. */
double tr_sine(double x);
double tr_cosine(double x);

/* The smallest n with n * n >= count: the number of columns of a square arrangement. */
uint32_t tr_side(uint32_t count);

/* How many bodies fit on a ring of a hub, 2 m + ring / 2 from its centre, 0.4 m apart. */
uint32_t tr_ring_capacity(uint32_t ring);

#endif
