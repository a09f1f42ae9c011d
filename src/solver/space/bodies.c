/* Bodies in space in their table: what is too long for bodies.h. */
#include "solver/core/system.h"

void tr3_body_write_center(tr3_bodies *bodies, uint32_t row, tr_vec3 center)
{
    if (bodies->local_center_x != NULL && bodies->local_center_y != NULL && bodies->local_center_z != NULL) {
        TR_TABLE_PUT(float, bodies, local_center_x, row, center.x);
        TR_TABLE_PUT(float, bodies, local_center_y, row, center.y);
        TR_TABLE_PUT(float, bodies, local_center_z, row, center.z);
    }
    bodies->off_center = bodies->off_center || center.x != 0.0f || center.y != 0.0f || center.z != 0.0f;
}

/*
 * Rotation
 */
static void write_principal_rotation(tr3_bodies *bodies, uint32_t row, tr_quat q)
{
    bodies->rotation_x[row] = q.x;
    bodies->rotation_y[row] = q.y;
    bodies->rotation_z[row] = q.z;
    bodies->rotation_w[row] = q.w;
    if (bodies->rotation_x_low != NULL) {
        bodies->rotation_x_low[row] = bodies->rotation_y_low[row] = 0.0f;
        bodies->rotation_z_low[row] = bodies->rotation_w_low[row] = 0.0f;
    }
}

/* writes the rotation of the body, of length 1, to the column of its principal axes */
static void write_rotation(tr3_bodies *bodies, uint32_t row, tr3_dquat q)
{
    if (tr3_body_is_tilted(bodies, row))
        q = tr3_normalised(tr3_compose(q, tr3_widen_quat(tr3_body_frame_rotation(bodies, row))));
    write_principal_rotation(bodies, row, tr3_narrow_quat(q));
}

void tr3_body_write_orientation(tr3_bodies *bodies, uint32_t row, tr3_orientation rotation)
{
    tr_quat now = tr3_body_orientation(bodies, row);
    if (rotation.x == now.x && rotation.y == now.y && rotation.z == now.z && rotation.w == now.w)
        return;
    tr3_dquat q = tr3_widen_quat(rotation);
    /* as with axes, what has length 1 up to rounding stays as it is: a definition that was read makes the same body */
    write_rotation(bodies, row, fabs(tr3_quat_square(q) - 1.0) <= 2.4e-7 ? q : tr3_normalised(q));
}

/*
 * Inertia
 */
static void write_frame(tr3_bodies *bodies, uint32_t row, tr_quat frame)
{
    if (bodies->frame_x == NULL || bodies->frame_y == NULL || bodies->frame_z == NULL || bodies->frame_w == NULL)
        return;
    TR_TABLE_PUT(float, bodies, frame_x, row, frame.x);
    TR_TABLE_PUT(float, bodies, frame_y, row, frame.y);
    TR_TABLE_PUT(float, bodies, frame_z, row, frame.z);
    TR_TABLE_PUT(float, bodies, frame_w, row, frame.w);
}

void tr3_body_begin(tr3_bodies *bodies, uint32_t row)
{
    tr_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    write_principal_rotation(bodies, row, none);
    write_frame(bodies, row, none);
}

tr3_inertia tr3_body_inertia(const tr3_bodies *bodies, uint32_t row)
{
    tr3_inertia out = {bodies->inertia_x[row], bodies->inertia_y[row], bodies->inertia_z[row], 0.0f, 0.0f, 0.0f};
    if (!tr3_body_is_tilted(bodies, row))
        return out;
    /* the sum over the axes of moment * axis * transposed axis */
    tr3_dquat frame = tr3_normalised(tr3_widen_quat(tr3_body_frame_rotation(bodies, row)));
    tr_dvec3 x = tr3_turned(frame, (tr_dvec3){1.0, 0.0, 0.0});
    tr_dvec3 y = tr3_turned(frame, (tr_dvec3){0.0, 1.0, 0.0});
    tr_dvec3 z = tr3_turned(frame, (tr_dvec3){0.0, 0.0, 1.0});
    double a = (double)out.xx, b = (double)out.yy, c = (double)out.zz;
    return (tr3_inertia){
        .xx = (float)(a * x.x * x.x + b * y.x * y.x + c * z.x * z.x),
        .yy = (float)(a * x.y * x.y + b * y.y * y.y + c * z.y * z.y),
        .zz = (float)(a * x.z * x.z + b * y.z * y.z + c * z.z * z.z),
        .xy = (float)(a * x.x * x.y + b * y.x * y.y + c * z.x * z.y),
        .xz = (float)(a * x.x * x.z + b * y.x * y.z + c * z.x * z.z),
        .yz = (float)(a * x.y * x.z + b * y.y * y.z + c * z.y * z.z),
    };
}

void tr3_body_write_inertia(tr3_bodies *bodies, uint32_t row, tr3_inertia inertia)
{
    /* computing the axes again would turn them by a rounding */
    if (tr3_is_same_inertia(tr3_body_inertia(bodies, row), inertia))
        return;
    bool was_tilted = tr3_body_is_tilted(bodies, row);
    tr3_dquat rotation = tr3_body_rotation(bodies, row), frame;
    tr_dvec3 moments;
    tr3_principal(inertia, &moments, &frame);
    TR_TABLE_PUT(float, bodies, inertia_x, row, (float)moments.x);
    TR_TABLE_PUT(float, bodies, inertia_y, row, (float)moments.y);
    TR_TABLE_PUT(float, bodies, inertia_z, row, (float)moments.z);
    write_frame(bodies, row, tr3_narrow_quat(frame));
    if (was_tilted || tr3_body_is_tilted(bodies, row))
        write_rotation(bodies, row, rotation);
}

tr3_dspin tr3_body_respond(const tr3_bodies *bodies, uint32_t row, tr3_dspin impulse)
{
    tr_vec3 inverse = tr3_body_inverse_inertia(bodies, row);
    tr3_dquat axes = tr3_normalised(tr3_widen_quat(tr3_body_principal_rotation(bodies, row)));
    tr_dvec3 own = tr3_turned(tr3_conjugate(axes), impulse);
    return tr3_turned(axes,
                      (tr_dvec3){(double)inverse.x * own.x, (double)inverse.y * own.y, (double)inverse.z * own.z});
}
