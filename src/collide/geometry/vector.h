/* Vectors of floats, and poses: the operations used by the geometry. */
#ifndef TR2_COLLIDE_VECTOR_H
#define TR2_COLLIDE_VECTOR_H

#include <math.h>

#include "collide/geometry/geometry.h"

static inline tr_vec2 tr_add(tr_vec2 a, tr_vec2 b)
{
    return (tr_vec2){a.x + b.x, a.y + b.y};
}

static inline tr_vec2 tr_sub(tr_vec2 a, tr_vec2 b)
{
    return (tr_vec2){a.x - b.x, a.y - b.y};
}

static inline tr_vec2 tr_scale(float k, tr_vec2 a)
{
    return (tr_vec2){k * a.x, k * a.y};
}

/* a + k b */
static inline tr_vec2 tr_along(tr_vec2 a, float k, tr_vec2 b)
{
    return (tr_vec2){a.x + k * b.x, a.y + k * b.y};
}

static inline tr_vec2 tr_negative(tr_vec2 a)
{
    return (tr_vec2){-a.x, -a.y};
}

static inline tr_vec2 tr_middle(tr_vec2 a, tr_vec2 b)
{
    return (tr_vec2){0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
}

static inline float tr_dot(tr_vec2 a, tr_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline float tr_cross(tr_vec2 a, tr_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/* rotated by 90 degrees counter-clockwise: the direction of an edge, from its outward normal */
static inline tr_vec2 tr_left(tr_vec2 a)
{
    return (tr_vec2){-a.y, a.x};
}

/* rotated by 90 degrees clockwise: the outward normal of an edge, from its direction */
static inline tr_vec2 tr_right(tr_vec2 a)
{
    return (tr_vec2){a.y, -a.x};
}

static inline float tr_length(tr_vec2 a)
{
    return sqrtf(a.x * a.x + a.y * a.y);
}

static inline float tr_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float tr_max(float a, float b)
{
    return a > b ? a : b;
}

/* a rotation about the origin */
static inline tr2_pose tr_turn_pose(float c, float s)
{
    return (tr2_pose){{0.0f, 0.0f}, c, s};
}

static inline tr_vec2 tr_rotate(tr2_pose q, tr_vec2 a)
{
    return (tr_vec2){q.c * a.x - q.s * a.y, q.s * a.x + q.c * a.y};
}

static inline tr_vec2 tr_rotate_back(tr2_pose q, tr_vec2 a)
{
    return (tr_vec2){q.c * a.x + q.s * a.y, q.c * a.y - q.s * a.x};
}

static inline tr_vec2 tr_to_outer(tr2_pose q, tr_vec2 a)
{
    return (tr_vec2){(q.c * a.x - q.s * a.y) + q.p.x, (q.s * a.x + q.c * a.y) + q.p.y};
}

static inline tr_vec2 tr_to_inner(tr2_pose q, tr_vec2 a)
{
    return tr_rotate_back(q, tr_sub(a, q.p));
}

/* the pose of A in B's frame, if `pose` is B's in A's frame */
static inline tr2_pose tr_inverse(tr2_pose pose)
{
    return (tr2_pose){tr_negative(tr_rotate_back(pose, pose.p)), pose.c, -pose.s};
}

#endif
