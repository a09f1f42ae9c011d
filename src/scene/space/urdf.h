/* Internal interface between the parts of the reader of URDF. */
#ifndef TR_SCENE_SPACE_URDF_H
#define TR_SCENE_SPACE_URDF_H

#include "scene/space/model.h"

#ifdef TR_WITH_XML

#define URDF_NONE UINT32_MAX

typedef enum urdf_type {
    URDF_REVOLUTE,
    URDF_CONTINUOUS,
    URDF_PRISMATIC,
    URDF_FIXED,
    URDF_FLOATING,
    URDF_PLANAR,
    URDF_TYPE_COUNT
} urdf_type;

typedef struct urdf_joint {
    uint32_t node, parent, child; /* parent, child: links */
    uint32_t next;                /* of the joints with the same parent */
    urdf_type type;
    bool merges;      /* its child is a part of its parent's body */
    tr3_frame origin; /* of the child in the parent, where the joint's coordinate is 0 */
    tr_dvec3 axis;    /* in the joint's frame, of length 1 */
    tr_limit limit;
    bool has_effort;
    float effort;    /* N or N m */
    float speed;     /* the greatest, m/s or rad/s; 0: none */
    double start;    /* m or rad: the coordinate that it starts from */
    uint32_t mimics; /* the joint whose coordinate this one's is `factor` times, but for an offset, or URDF_NONE */
    double factor;
    uint32_t made; /* index into the scene's joints */
} urdf_joint;

typedef struct urdf_link {
    uint32_t joint;  /* whose child it is, or URDF_NONE */
    uint32_t first;  /* joint whose parent it is */
    uint32_t leader; /* the link whose frame is that of its body */
    uint32_t donor;  /* of a leader without mass: the leader that gives it a share, or URDF_NONE */
    bool reached;
    tr3_frame pose; /* in the world */
    tr3_mass mass;  /* its own, in its frame; of a leader then that of the body */
} urdf_link;

typedef struct urdf {
    tr3_model *model;
    urdf_link *links;
    tr3_model_part *parts; /* of the links */
    tr3_model_name *names; /* of the links, sorted */
    uint32_t *order;       /* links from the roots outwards */
    tr3_frame *poses;      /* of the scene's bodies */
    urdf_joint *joints;
    uint32_t link_count, joint_count, order_count;
} urdf;

/* Which joints mimic others, when all are read: where they start. Gears for them, when the joints are made
   (urdf_mimic.c). */
tr_status tr3_urdf_read_mimics(urdf *it);
tr_status tr3_urdf_make_mimics(urdf *it);
/* Puts links and joints, which are read, into order: from the roots outwards, with poses, and with the bodies that links
   are parts of. TR_ERROR_PARSE: joints are a circle. */
tr_status tr3_urdf_spread(urdf *it);
/* Makes the bodies of the scene (urdf_bodies.c). */
tr_status tr3_urdf_make_bodies(urdf *it);

#endif

#endif
