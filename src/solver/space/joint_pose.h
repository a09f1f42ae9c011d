/* The state of a joint's bodies and frames: what measures and reactions are computed from. */
#ifndef TR_SPACE_JOINT_POSE_H
#define TR_SPACE_JOINT_POSE_H

#include <math.h>

#include "base/angle.h"
#include "trammel/joints3.h"

/* A rotation, or a quaternion's parts, in double precision. */
typedef struct tr3_dquat {
    double x, y, z, w;
} tr3_dquat;

/* Pose and motion of a body, of which poses of joints are made. */
typedef struct tr3_body_state {
    tr_dvec3 center;      /* m, of mass */
    tr3_dquat rotation;   /* of the body's frame to the world */
    tr_dvec3 velocity, w; /* m/s, rad/s */
    tr_vec3 local_center;
} tr3_body_state;

/* State of one body, in double precision. */
typedef struct tr3_joint_place {
    tr_dvec3 center, origin; /* m, in the world */
    tr_dvec3 velocity, w;    /* m/s, of the centre of mass; rad/s */
    tr3_dquat rotation;      /* of its frame to the world */
} tr3_joint_place;

/* Current state of the bodies and frames of a joint, in double precision; all vectors in world axes. */
typedef struct tr3_joint_pose {
    tr_dvec3 r_a, r_b; /* from the centres of mass to the anchors */
    tr_dvec3 d;        /* anchor_b - anchor_a */
    tr_dvec3 d_rate;   /* its velocity */
    tr_dvec3 w_a, w_b; /* rad/s */
    tr_dvec3 axis;     /* A's axis; B's: */
    tr_dvec3 axis_b;
    tr3_dquat relative; /* rotation of B relative to A and to the reference, in A's frame; w >= 0 */
    tr3_dquat to_world; /* rotation of A's frame to the world */
    double angle;       /* rad, rotation of B about the axis, with whole turns */
    double last[3];     /* rad, angles that the joint keeps among its impulses, as they were: which turn they are in */
    tr3_joint_place body[4]; /* A, B and their carriers, each by itself; 0 for the world. Of types with carriers only */
} tr3_joint_pose;

/* The angle of all that differ by whole turns which is nearest to `last`. */
static inline double tr3_angle_near(double angle, double last)
{
    return angle + TR_TURN * rint((last - angle) / TR_TURN);
}

#endif
