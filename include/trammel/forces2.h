/*
 * Forces from the shapes of bodies: explosions, wind, fluids. They act on dynamic bodies through the outlines of their
 * shapes, at the current poses; sensors have none unless the query asks for them. A shape counts as if it were alone:
 * nothing lies in the shadow of another, and where shapes of a body overlap, both count, as for its mass.
 *
 * docs/forces.md has the equations and examples.
 *
 * Errors of all calls: TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _NULL_ID, _STALE_ID, _FOREIGN_ID, _MEMORY; _RANGE: a
 * velocity or a sum of forces would not be finite. All or none: on failure no body has received anything.
 */
#ifndef TRAMMEL_FORCES2_H
#define TRAMMEL_FORCES2_H

#include "trammel/base.h"
#include "trammel/queries2.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Explosions
 */
typedef struct tr2_explosion {
    tr_dvec2 position;        /* m, its centre, in the world */
    float radius;             /* m, >= 0; full strength up to this distance; default 1 */
    float falloff;            /* m, >= 0; beyond it the strength falls linearly to zero over this length; default 4 */
    float impulse_per_length; /* N s/m, default 100; negative: an implosion */
    tr2_query query;          /* the shapes that it reaches; `index` of `accept` is 0 */
} tr2_explosion;

TR_API tr2_explosion tr2_explosion_default(void);

/* Gives bodies an impulse, now. Each piece of an outline that faces the centre receives impulse_per_length times its
   width as seen from the centre, times the strength at its distance, straight away from the centre. So a shape's
   impulse is proportional to its width across the blast, and turns it if the blast meets it off its centre of mass. A
   shape that contains the centre receives nothing. TR_ERROR_RANGE also: radius + falloff above 1e9 m. */
TR_API tr_status tr2_world_explode(tr2_world *world, const tr2_explosion *explosion);

/* As a count of bodies: all of the world; the list is not read. */
#define TR2_ALL_BODIES UINT32_MAX

/*
 * Wind
 */
typedef struct tr2_wind {
    tr_vec2 velocity; /* m/s, of the air; default (0, 0): air at rest, which brakes */
    float density;    /* kg/m^2, >= 0, of the air, as that of shapes; default 1.2: a slice of air 1 m deep */
    float drag;       /* coefficient, >= 0; default 1 */
    float lift;       /* coefficient, >= 0; default 0 */
    tr2_query query;  /* the shapes on which it acts; `index` of `accept` is 0 */
} tr2_wind;

TR_API tr2_wind tr2_wind_default(void);

/*
 * Applies drag and lift to `count` bodies as forces of the next step, of `dt` seconds. On each piece of an outline, of
 * length l and outward normal n, that meets the air at the relative velocity w (w.n < 0) acts
 *     density / 2 l (-w.n) (drag w + lift |w| (-n.p) p),    p: the unit vector perpendicular to w.
 * The relative velocity is that of the piece: drag slows rotation down too. Over a whole outline drag adds up to
 * density / 2 drag |w|^2 times the width across the wind; lift acts on slanting plates. Segments meet it on both sides.
 * Drag that would do more than stop a body relative to the air within `dt` is reduced, so light bodies do not
 * oscillate. dt 0 applies nothing. A body that is listed twice receives it twice.
 */
TR_API tr_status tr2_world_apply_wind(tr2_world *world, const tr2_wind *wind, const tr2_body *bodies, uint32_t count,
                                      float dt);

/*
 * Fluids
 */
typedef struct tr2_fluid {
    tr_dvec2 point;   /* m, any point of the surface, in the world; default (0, 0) */
    tr_vec2 normal;   /* out of the fluid, not zero; default (0, 1) */
    float density;    /* kg/m^2, >= 0, as that of shapes; default 1000: a slice of water 1 m deep */
    tr_vec2 velocity; /* m/s, of the fluid; default (0, 0) */
    float drag;       /* coefficient, >= 0, as of wind, for the outline under the surface; default 1 */
    float damping;    /* 1/s, >= 0; each submerged element of area resists with damping density dA (v - velocity);
                         default 0.5 */
    tr2_query query;  /* the shapes on which it acts; `index` of `accept` is 0 */
} tr2_fluid;

TR_API tr2_fluid tr2_fluid_default(void);

/* Applies buoyancy, drag and damping to `count` bodies as forces of the next step, of `dt` seconds. Buoyancy is minus
   the world's gravity times the density times the submerged area, at the centroid of that area. It is computed for the
   middle of the step, where the body's velocity leads, so that bobbing gains no energy. Drag and damping are limited as
   those of wind. dt 0 applies nothing. TR_ERROR_ZERO: `normal`. */
TR_API tr_status tr2_world_apply_buoyancy(tr2_world *world, const tr2_fluid *fluid, const tr2_body *bodies,
                                          uint32_t count, float dt);

/* What of a body lies in a fluid; exact for every kind of shape. Lines have no area. */
typedef struct tr2_submersion {
    double area;       /* m^2 */
    tr_dvec2 centroid; /* m, in the world; of a body without submerged area its centre of mass */
} tr2_submersion;

TR_API tr_status tr2_body_submersion(const tr2_world *world, tr2_body id, const tr2_fluid *fluid, tr2_submersion *out,
                                     tr_error *error);

#ifdef __cplusplus
}
#endif

#endif
