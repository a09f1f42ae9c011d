/*
 * One impact or one correction of a position, of two bodies, without a world: pure functions for applications that
 * move bodies themselves, and for checking what a solver did. docs/impact.md has the derivation, after A. Vaxman,
 * Solving for Constraints with Rigid Bodies (2019).
 *
 * Both act at a point of each body along a unit vector n. On B they act along n, on A against it. With inverse masses
 * m, inverse inertias I, and arms r from the centres of mass to the points,
 *
 *     K = mA + mB + (rA x n) . IA (rA x n) + (rB x n) . IB (rB x n)                                       1/kg
 *     impact:      impulse = -(1 + restitution) n . (vB + wB x rB - vA - wA x rA) / K                      N s
 *     correction:  lambda  = -share C / K                                                                  kg m
 *
 * A body that cannot move has zero inverses; its velocity still counts. A body on a fixed axle has no inverse mass, but
 * an inverse inertia about the axle, and its arm is from there. If no motion of either body can change the distance
 * along n, the result is 0.
 *
 * Vectors are in the world's axes. In the plane the angular quantities are scalars, counter-clockwise; in space they
 * are vectors by the right hand. The functions write nothing but *out and *error, and on failure not *out; they may be
 * called on any number of threads at the same time, and give the same bits on every machine. `error` may be null.
 *
 * Errors: TR_ERROR_NULL (def, out), _NAN, _INFINITE, _NEGATIVE (inverse masses, inverse inertias and the diagonals of
 * their tensors, restitution, bounce_speed, share, slop), _ZERO (a normal or direction without length), _RANGE (a share
 * above 1, a tensor with a negative eigenvalue, a result beyond the largest double).
 */
#ifndef TRAMMEL_IMPACT_H
#define TRAMMEL_IMPACT_H

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body, as felt at one of its points. */
typedef struct tr2_point_body {
    double inverse_mass;    /* 1/kg, >= 0 */
    double inverse_inertia; /* 1/(kg m^2), >= 0, about the centre of mass */
    tr_dvec2 arm;           /* m, from the centre of mass to the point */
} tr2_point_body;

typedef struct tr3_point_body {
    double inverse_mass; /* 1/kg, >= 0 */
    /* 1/(kg m^2), about the centre of mass, in the world's axes: R I^-1 R^T with the body's rotation R. Its eigenvalues
       are >= 0; for tensors that were rounded, >= -1e-6 of the greatest entry */
    tr_dsym3 inverse_inertia;
    tr_dvec3 arm; /* m, from the centre of mass to the point */
} tr3_point_body;

typedef struct tr2_velocity {
    tr_dvec2 linear; /* m/s, of the centre of mass */
    double angular;  /* rad/s */
} tr2_velocity;

typedef struct tr3_velocity {
    tr_dvec3 linear;  /* m/s, of the centre of mass */
    tr_dvec3 angular; /* rad/s */
} tr3_velocity;

typedef struct tr2_displacement {
    tr_dvec2 linear; /* m, of the centre of mass */
    double angular;  /* rad */
} tr2_displacement;

typedef struct tr3_displacement {
    tr_dvec3 linear;  /* m, of the centre of mass */
    tr_dvec3 angular; /* rad: the axis times the angle */
} tr3_displacement;

/*
 * Impacts
 */

typedef struct tr2_impact_def {
    tr2_point_body body_a, body_b; /* the arms lead to the point where they meet */
    tr2_velocity velocity_a, velocity_b;
    tr_dvec2 normal;     /* from A to B, of any length above 0 */
    double restitution;  /* >= 0; 0: no rebound, 1: no loss, above 1 an impact adds energy */
    double bounce_speed; /* m/s, >= 0: restitution needs a faster approach than this, a slower one has none */
    /* false: a contact, which acts only if the points approach; true: a rod or joint, which also stops them from moving
       apart */
    bool bilateral;
} tr2_impact_def;

typedef struct tr3_impact_def {
    tr3_point_body body_a, body_b;
    tr3_velocity velocity_a, velocity_b;
    tr_dvec3 normal;
    double restitution;
    double bounce_speed;
    bool bilateral;
} tr3_impact_def;

typedef struct tr2_impact_result {
    double impulse;                /* N s, on B along the normal, on A against it; >= 0 unless bilateral */
    double normal_velocity;        /* m/s, before: of B's point relative to A's along the normal; < 0: they approach */
    double inverse_effective_mass; /* 1/kg: K */
    tr2_velocity velocity_a, velocity_b; /* after */
} tr2_impact_result;

typedef struct tr3_impact_result {
    double impulse;
    double normal_velocity;
    double inverse_effective_mass;
    tr3_velocity velocity_a, velocity_b;
} tr3_impact_result;

/* All zero: bodies that cannot move, no restitution, a contact. The normal must be set. */
TR_API tr2_impact_def tr2_impact_def_default(void);
TR_API tr3_impact_def tr3_impact_def_default(void);

/*
 * The impulse of one impact without friction, and the velocities after it. The relative velocity along the normal
 * becomes -restitution times what it was. Linear momentum is conserved, and angular momentum if both arms lead to the
 * same point; with restitution up to 1 no energy is gained, unless from a body that cannot move.
 */
TR_API tr_status tr2_impact(const tr2_impact_def *def, tr2_impact_result *out, tr_error *error);
TR_API tr_status tr3_impact(const tr3_impact_def *def, tr3_impact_result *out, tr_error *error);

/*
 * Corrections
 */

typedef struct tr2_correction_def {
    tr2_point_body body_a, body_b;
    /* of any length above 0: that in which C grows when B's point moves. A contact's normal from A to B; from A's
       anchor to B's for points that must coincide; against that for a rope */
    tr_dvec2 direction;
    /* m: the constraint function C, 0 where it is satisfied. A contact's separation; the distance of two points that
       must coincide; the length of a rope minus the distance of its ends */
    double error;
    double share;     /* 0 to 1: the share of C to correct; default 1 */
    double slop;      /* m, >= 0: an abs(C) up to this stays; of more, only what is beyond it counts */
    bool bilateral;   /* false: a contact or rope, C >= 0, which needs no correction when positive; true: C = 0 */
    bool linear_only; /* the bodies do not turn, as if without inverse inertia */
} tr2_correction_def;

typedef struct tr3_correction_def {
    tr3_point_body body_a, body_b;
    tr_dvec3 direction;
    double error;
    double share;
    double slop;
    bool bilateral;
    bool linear_only;
} tr3_correction_def;

typedef struct tr2_correction_result {
    double lambda;                 /* kg m, on B along the direction, on A against it; lambda K is the change of C */
    double inverse_effective_mass; /* 1/kg: K */
    tr2_displacement displacement_a, displacement_b; /* to add to the poses */
} tr2_correction_result;

typedef struct tr3_correction_result {
    double lambda;
    double inverse_effective_mass;
    tr3_displacement displacement_a, displacement_b;
} tr3_correction_result;

/* Share 1; all else zero: bodies that cannot move, a contact that touches. The direction must be set. */
TR_API tr2_correction_def tr2_correction_def_default(void);
TR_API tr3_correction_def tr3_correction_def_default(void);

/*
 * Displacements that take the given share of the error away; of all such, the least by mass and inertia. Exact for
 * translations; of rotations what is left is of second order in their angles, so correct again where that matters. The
 * common centre of mass stays. The rotations balance the moment of the translations if the line from one point to the
 * other is along the direction; with linear_only nothing does.
 */
TR_API tr_status tr2_correction(const tr2_correction_def *def, tr2_correction_result *out, tr_error *error);
TR_API tr_status tr3_correction(const tr3_correction_def *def, tr3_correction_result *out, tr_error *error);

#ifdef __cplusplus
}
#endif

#endif
