/* The principal axes of a body in the direct method. */
#ifndef TR_SPACE_EXACT_BODIES_H
#define TR_SPACE_EXACT_BODIES_H

#include "solver/exact/exact.h"

/* The rotation of a body's principal axes to the world, and its moments (kg m^2), both in a cyclic order in which the
   middle moment comes first; and back. */
void tr3_exact_principal_read(const tr3_bodies *bodies, uint32_t row, const tr3_body_state *state, tr3_dquat *q,
                              double moment[3]);
/* A vector of the body's axes in these. */
void tr3_exact_principal_of(const tr3_bodies *bodies, uint32_t row, tr_dvec3 v, double out[3]);
void tr3_exact_principal_write(const tr3_bodies *bodies, uint32_t row, tr3_body_state *state, tr3_dquat q);

#endif
