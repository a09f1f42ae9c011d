/* The principal axes of a body in the direct method. */
#ifndef TR_SPACE_EXACT_BODIES_H
#define TR_SPACE_EXACT_BODIES_H

#include "solver/exact/exact.h"

/* A body's moments (kg m^2) in a cyclic order in which the middle one comes first, of two equal ones the first of these; the
   number of that axis; and the rotation from principal axes in this order to those in their own. */
tr3_dquat tr3_exact_principal_order(const tr3_bodies *bodies, uint32_t row, double moment[3], int *first);
/* A vector of the body's axes in these. */
void tr3_exact_principal_of(const tr3_bodies *bodies, uint32_t row, tr_dvec3 v, double out[3]);
/* The rotation of a state from that of these axes. */
void tr3_exact_principal_write(const tr3_bodies *bodies, uint32_t row, tr3_body_state *state, tr3_dquat q);

#endif
