/*
 * Contacts in the solver: another joint table, not among the public types, with columns of its own. Contacts are edges
 * of the same plan and share spans of its colours. The plain kernel handles one point, the featured kernel two to four.
 */
#ifndef TR_SOLVER_CONTACT3_H
#define TR_SOLVER_CONTACT3_H

#include "solver/space/geometry.h"
#include "trammel/contacts3.h"

/* Columns that only contacts have, four bytes each. The last ones are integers that the kernels do not read. Vectors are
   three columns, in world axes, as at the start of the step. */
enum {
    TR3_CONTACT_NORMAL,
    TR3_CONTACT_ARM_A = TR3_CONTACT_NORMAL + 3, /* m, from A's centre of mass to where the first point's impulse acts */
    TR3_CONTACT_ARM_B = TR3_CONTACT_ARM_A + 3,  /* the same from B's centre of mass */
    TR3_CONTACT_SURFACE = TR3_CONTACT_ARM_B + 3, /* m/s */
    TR3_CONTACT_FRICTION = TR3_CONTACT_SURFACE + 3,
    TR3_CONTACT_RESTITUTION,
    TR3_CONTACT_TORSION,
    TR3_CONTACT_ROLLING,
    TR3_CONTACT_PLAIN_COUNT,                     /* columns of the plain kernel */
    TR3_CONTACT_COUNT = TR3_CONTACT_PLAIN_COUNT, /* number of points, as a float */
    TR3_CONTACT_FURTHER,                         /* m, three vectors, from the first point to the others */
    TR3_CONTACT_KERNEL_COUNT = TR3_CONTACT_FURTHER + 3 * (TR3_CONTACT_POINTS - 1), /* columns of the featured kernel */
    TR3_CONTACT_POINT_ID = TR3_CONTACT_KERNEL_COUNT,
    TR3_CONTACT_ORDER = TR3_CONTACT_POINT_ID + TR3_CONTACT_POINTS, /* index in the application's array */
    TR3_CONTACT_OWN_COUNT
};

/* Impulses of a point. The total is the sum of the normal impulse over the step; it starts at 0. The separation (m) is a
   state of the point: it is updated like an impulse during the step and kept for the next one. Friction is along the
   two directions of tr3_contact_across(). */
enum {
    TR3_CONTACT_NORMAL_0,
    TR3_CONTACT_TOTAL_0,
    TR3_CONTACT_SEPARATION_0,
    TR3_CONTACT_RUB_0,
    TR3_CONTACT_POINT_IMPULSES = TR3_CONTACT_RUB_0 + 2
};

/* Those of a contact: of its first point, about the normal, about the two directions across it, of further points. */
enum {
    TR3_CONTACT_TWIST = TR3_CONTACT_POINT_IMPULSES,
    TR3_CONTACT_TURN,
    TR3_CONTACT_NORMAL_1 = TR3_CONTACT_TURN + 2,
    TR3_CONTACT_IMPULSES = TR3_CONTACT_NORMAL_1 + (TR3_CONTACT_POINTS - 1) * TR3_CONTACT_POINT_IMPULSES
};

/* Columns of a row: a vector, and the number of points, which is 1 until it is written. */
static inline tr_vec3 tr3_contact_vector(float *const *own, int first, uint32_t row)
{
    return (tr_vec3){own[first][row], own[first + 1][row], own[first + 2][row]};
}

static inline uint32_t tr3_contact_count(float *const *own, uint32_t row)
{
    uint32_t count = 1;
    while (count < TR3_CONTACT_POINTS && own[TR3_CONTACT_COUNT][row] > (float)count)
        count++;
    return count;
}

/* Two directions across a normal, by its numbers as floats. */
static inline void tr3_contact_across(tr_vec3 normal, tr_dvec3 across[2])
{
    const tr_dvec3 n = tr3_widen(normal);
    across[0] = tr3_across(n);
    across[1] = tr3_cross(n, across[0]);
}

/* The first impulse of a point. */
static inline int tr3_contact_impulse_of(uint32_t point)
{
    return point == 0 ? TR3_CONTACT_NORMAL_0 : TR3_CONTACT_NORMAL_1 + (int)(point - 1) * TR3_CONTACT_POINT_IMPULSES;
}

#endif
