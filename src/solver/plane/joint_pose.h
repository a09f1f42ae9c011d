/* The state of a joint's bodies and frames: what measures and reactions are computed from. */
#ifndef TR_PLANE_JOINT_POSE_H
#define TR_PLANE_JOINT_POSE_H

#include "plan/plan.h"
#include "trammel/joints2.h"

/* Pose and motion of a body, of which poses of joints are made. */
typedef struct tr2_body_state {
    tr_dvec2 center;   /* m, of mass */
    double angle;      /* rad */
    double c, s;       /* its cosine and sine */
    tr_dvec2 velocity; /* m/s */
    double w;          /* rad/s */
    tr_vec2 local_center;
} tr2_body_state;

/* State of one body, in double precision. */
typedef struct tr2_joint_place {
    tr_dvec2 center, origin; /* m, in the world */
    tr_dvec2 velocity;       /* m/s, of the anchor; for a carrier, of its centre of mass */
    double angle, w;         /* rad, not wrapped; rad/s */
    double c, s;             /* rotation */
} tr2_joint_place;

/* Current state of the bodies and frames of a joint, in double precision; all vectors in world axes. */
typedef struct tr2_joint_pose {
    tr_dvec2 r_a, r_b;             /* from the centres of mass to the anchors */
    tr_dvec2 d;                    /* anchor_b - anchor_a */
    tr_dvec2 d_rate;               /* its velocity */
    tr_dvec2 axis;                 /* A's axis */
    double angle;                  /* angleB - ratio angleA - reference_angle, not wrapped */
    double angle_rate;             /* rad/s */
    double w_a;                    /* rad/s, of A */
    double c_a, s_a;               /* rotation of A */
    tr2_joint_place body[TR_ENDS]; /* A, B and their carriers, each by itself; all 0 for the world */
} tr2_joint_pose;

#endif
