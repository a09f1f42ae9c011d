/* What the two ways to settle rows share: exact_solve.c, exact_descend.c. */
#ifndef TR_SOLVER_EXACT_DESCEND_H
#define TR_SOLVER_EXACT_DESCEND_H

#include "solver/exact/exact.h"

/* J of a row times changes of velocities */
double trn_exact_rate_of(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t r, const double *x);
/* What rates of a row are measured in: m/s of the world's unit, or rad/s. */
double trn_exact_unit_of(const trn_exact_kick *kick, const trn_exact_row *row);
/* The greatest numbers: impulses as changes of rates, and rates. */
double trn_exact_greatest_of(const trn_exact_kick *kick);
/* What a row has to become at the rate w. */
trn_exact_state trn_exact_next_state(const trn_exact_row *row, double w, double greatest, bool contact);
/* The solution for the rows that are held. */
void trn_exact_solve_once(const trn_exact_kick *kick, uint32_t *solves);
/* Settles rows from the velocities without impulses. Whether they have. */
bool trn_exact_descend(const trn_exact_kick *kick, uint32_t *solves);

#endif
