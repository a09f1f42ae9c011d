/* Bodies of the plane in their table: centre of mass, inertia, rotation. Included by solver/core/system.h. */
#ifndef TR_PLANE_BODIES_H
#define TR_PLANE_BODIES_H

/* local_center of a row. Write it only with tr2_body_write_center(), and values other than 0 only after
   tr2_bodies_hold_centers(). */
static inline tr_vec2 tr2_body_center(const tr2_bodies *bodies, uint32_t row)
{
    tr_vec2 center = {tr2_body_number(bodies->local_center_x, row, 0.0f),
                      tr2_body_number(bodies->local_center_y, row, 0.0f)};
    return center;
}

void tr2_body_write_center(tr2_bodies *bodies, uint32_t row, tr_vec2 center);

static inline float tr2_body_inverse_inertia(const tr2_bodies *bodies, uint32_t row)
{
    bool turnable = bodies->type[row] == TR_DYNAMIC && bodies->inertia[row] > 0.0f &&
                    (bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_FIXED_ROTATION)) == 0;
    return turnable ? 1.0f / bodies->inertia[row] : 0.0f;
}

/* Cosine and sine as the solver computes them, bit-identical on every machine. */
void tr2_rotation(double angle, float *c, float *s);

#endif
