/* Internal interface between the parts of the reader of MJCF. */
#ifndef TR_SCENE_SPACE_MJCF_H
#define TR_SCENE_SPACE_MJCF_H

#include "scene/space/model.h"

#ifdef TR_WITH_XML

#define MJCF_NONE UINT32_MAX

/* Elements that default classes describe. */
typedef enum mjcf_kind {
    MJCF_GEOM,
    MJCF_JOINT,
    MJCF_MOTOR,
    MJCF_POSITION,
    MJCF_VELOCITY,
    MJCF_GENERAL,
    MJCF_EQUALITY,
    MJCF_TENDON,
    MJCF_OTHER, /* without defaults */
    MJCF_KIND_COUNT
} mjcf_kind;

/* What one <default> says, or what is said of a kind twice in it; the rest is that of `parent`. */
typedef struct mjcf_class {
    uint32_t parent;
    uint32_t node[MJCF_KIND_COUNT];
} mjcf_class;

/* An element whose absent attributes are those of its class. */
typedef struct mjcf_at {
    mjcf_kind kind;
    uint32_t node, class;
} mjcf_at;

typedef enum mjcf_joint_type { MJCF_FREE, MJCF_BALL, MJCF_SLIDE, MJCF_HINGE, MJCF_JOINT_TYPE_COUNT } mjcf_joint_type;

typedef struct mjcf_joint {
    mjcf_at at;
    const char *name;
    mjcf_joint_type type;
    uint32_t qpos;      /* its first coordinate */
    tr_dvec3 pos, axis; /* in the frame of its body */
    double reference;   /* its coordinate as the file has the bodies, m or rad */
    bool limited;
    double range[2];
    double stiffness, damping, rest, friction;
    double armature;    /* kg or kg m^2 */
    double tuned[2];    /* springdamper: time constant, s, and damping ratio */
    uint32_t made;      /* index into the scene's joints, or MJCF_NONE; */
    uint8_t coordinate; /* which one of that it is, */
    bool backward;      /* and whether it counts the other way */
} mjcf_joint;

/* Joints of one body, one after the other, that are one joint of the scene. */
typedef struct mjcf_joined {
    uint32_t count;
    tr3_joint_type type;
    tr_dvec3 pos, x, y;                  /* anchor and frame, in the frame of the body; y of types with a frame */
    uint8_t coordinate[TR3_COORDINATES]; /* of each of them, that of the scene's joint; */
    bool backward[TR3_COORDINATES];      /* whether it counts the other way */
} mjcf_joined;

typedef struct mjcf_body {
    uint32_t parent, class;
    tr3_frame local;             /* in its parent, as the file has it */
    tr3_mass mass;               /* its own, in its frame; of a leader then that of all that it leads */
    uint32_t first_joint, count; /* without a free joint */
    uint32_t free_joint;         /* or MJCF_NONE */
    uint32_t freedoms;           /* of its joints */
    uint32_t leader;             /* the body whose frame is that of the scene's body */
    uint32_t first_carrier;      /* index into the scene's bodies: see tr3_mjcf_make_carriers() */
    double lift;                 /* gravcomp: the part of its weight that is taken off */
    bool has_inertial, moves_by_itself;
} mjcf_body;

typedef struct mjcf_geom {
    uint32_t node, body;
    tr3_scene_shape_type type;
    double size[3], density;
    tr3_frame frame; /* in its body */
} mjcf_geom;

/* A sum of coordinates of joints, each once, times factors. */
#define MJCF_TERMS 8u
typedef struct mjcf_terms {
    uint32_t count, joint[MJCF_TERMS];
    double factor[MJCF_TERMS];
    bool whole; /* no term is left out */
} mjcf_terms;

typedef struct mjcf_tendon {
    mjcf_at at;
    const char *name;
    bool fixed; /* otherwise it has no terms */
    mjcf_terms terms;
} mjcf_tendon;

/* What pulls a sum of coordinates toward a length. */
typedef struct mjcf_pull {
    uint32_t node;
    const char *stiffness_is, *damping_is; /* attributes, for messages */
    double stiffness, damping, length;
} mjcf_pull;

/* Body 0 is the world. `start` and `rest` are poses in the world: as the simulation starts, and as the file has the bodies. */
typedef struct mjcf {
    tr3_model *model;
    mjcf_class *classes;
    tr3_model_name *class_names; /* sorted */
    mjcf_joint *joints;
    tr3_model_name *joint_names; /* sorted */
    mjcf_body *bodies;
    tr3_model_part *parts;      /* of the bodies */
    tr3_model_name *body_names; /* sorted */
    tr3_frame *start, *rest;
    mjcf_geom *geoms;
    mjcf_tendon *tendons;
    tr3_model_name *tendon_names; /* sorted */
    double *qpos;                 /* of the keyframe; null: none */
    uint32_t class_count, class_capacity, class_name_count, class_name_capacity;
    uint32_t body_count, body_capacity, joint_count, joint_capacity, geom_count, geom_capacity;
    uint32_t tendon_count, tendon_capacity;
    uint32_t main_class, qpos_count;
    /* <compiler> */
    double angle; /* rad in the file's unit */
    char sequence[4];
    bool auto_limits, always_geoms, never_geoms;
    bool lacks_bodies; /* elements that make bodies are left out: what names one that is not there may mean theirs */
} mjcf;

/*
 * Classes and attributes (mjcf_classes.c)
 */
tr_status tr3_mjcf_read_compiler(mjcf *it);
tr_status tr3_mjcf_read_classes(mjcf *it);
/* The class of an element in which `around` holds if it names none. */
tr_status tr3_mjcf_class_of(const mjcf *it, uint32_t node, const char *attribute, uint32_t around, uint32_t *out);
tr_status tr3_mjcf_at_of(const mjcf *it, mjcf_kind kind, uint32_t node, uint32_t around, mjcf_at *out);
/* The node that has the attribute: the element, or one of its class; MJCF_NONE. */
uint32_t tr3_mjcf_holder(const mjcf *it, const mjcf_at *at, const char *attribute);
const char *tr3_mjcf_get(const mjcf *it, const mjcf_at *at, const char *attribute);
/* As the functions of tr3_model. */
tr_status tr3_mjcf_numbers(const mjcf *it, const mjcf_at *at, const char *attribute, uint32_t least, uint32_t most,
                           double *out, uint32_t *count);
tr_status tr3_mjcf_number(const mjcf *it, const mjcf_at *at, const char *attribute, double *out);
/* "true", "false", or "auto", which is `automatic`; if it is absent, too. */
/* What is read of elements, and what says only how they look, how soft they are, or what of another solver is. */
extern const char *const tr3_mjcf_geom_known[],
    *const tr3_mjcf_joint_known[], *const tr3_mjcf_drive_known[], *const tr3_mjcf_general_known[],
                                                                      *const tr3_mjcf_tendon_known[],
                                                                          *const tr3_mjcf_equality_known[];

tr_status tr3_mjcf_flag(const mjcf *it, const mjcf_at *at, const char *attribute, bool automatic, bool *out);
/* A range of two numbers, *count 2 or 0, and whether it holds: as `limited` says, else if it is one with `autolimits`. */
tr_status tr3_mjcf_range(const mjcf *it, const mjcf_at *at, const char *range, const char *limited, double ends[2],
                         uint32_t *count, bool *holds);
/* The frame of an element: pos, and one of quat, axisangle, xyaxes, zaxis and euler. */
tr_status tr3_mjcf_frame(const mjcf *it, const mjcf_at *at, tr3_frame *out);
/* The least turn that brings z into this direction, of length 1. */
tr3_dquat tr3_mjcf_turn_z(tr_dvec3 direction);

/*
 * Bodies (mjcf_bodies.c, mjcf_geoms.c)
 */

/* Reads <worldbody>: bodies, joints and geoms. */
tr_status tr3_mjcf_read_bodies(mjcf *it);
tr_status tr3_mjcf_read_geom(mjcf *it, uint32_t node, uint32_t body, uint32_t class, const tr3_frame *around);
tr_status tr3_mjcf_read_inertial(mjcf *it, uint32_t node, uint32_t body);

/* Poses of the bodies: with the keyframe's coordinates, or as the file has them. `joints`: only the first of the body's
   own joints count. */
tr3_frame tr3_mjcf_pose(const mjcf *it, uint32_t body, const tr3_frame *parent, const double *qpos, uint32_t joints);

/*
 * The scene (mjcf_joints.c, mjcf_more.c)
 */
tr_status tr3_mjcf_make_bodies(mjcf *it);
tr_status tr3_mjcf_read_joint(mjcf *it, uint32_t node, uint32_t body, uint32_t class, const tr3_frame *around);
/* Which of the body's joints from number `first` on are one joint of the scene, and which one (mjcf_joined.c). */
mjcf_joined tr3_mjcf_joined(const mjcf *it, const mjcf_body *of, uint32_t first);
/* Some direction across one of length 1. */
tr_dvec3 tr3_mjcf_across(tr_dvec3 n);
/* Makes the carriers between the joints of a body, before it is made itself, and takes their mass from it
   (mjcf_carriers.c). */
tr_status tr3_mjcf_make_carriers(mjcf *it, uint32_t body);
tr_status tr3_mjcf_make_joints(mjcf *it, uint32_t body);
tr_status tr3_mjcf_read_keyframe(mjcf *it);
/* Reads all elements of all sections of a name. */
tr_status tr3_mjcf_read_contacts(mjcf *it);

/* which of some words an attribute is; *out stays if it is not there; `what`: "this or that", for the error */
tr_status tr3_mjcf_word(const mjcf *it, uint32_t node, const char *attribute, const char *const *words,
                        const char *what, uint32_t *out);
tr_status tr3_mjcf_read_sections(mjcf *it, const char *section, tr_status (*read)(mjcf *it, uint32_t node));
tr_status tr3_mjcf_read_equalities(mjcf *it);
tr_status tr3_mjcf_read_actuators(mjcf *it);

/*
 * What has to do with the inertia that joints move (mjcf_inertia.c)
 */

/* Sets the springs of joints that have a `springdamper`, when poses are known. */
void tr3_mjcf_tune_springs(mjcf *it);
/* Makes an inerter of a joint's armature, when the joint is made. */
tr_status tr3_mjcf_make_armature(mjcf *it, const mjcf_joint *joint);

/*
 * Fixed tendons (mjcf_tendons.c)
 */

/* Reads <tendon>, when the joints are made, and makes gears of those with springs. */
tr_status tr3_mjcf_read_tendons(mjcf *it);
/* The tendon that an attribute names; null: there is no attribute. TR_ERROR_PARSE: no such tendon. */
tr_status tr3_mjcf_find_tendon(const mjcf *it, const mjcf_at *at, const char *attribute, const mjcf_tendon **out);
/* What couples two joints or two tendons in <equality>: coefficients of a polynomial. */
typedef struct mjcf_coupling {
    mjcf_at at;
    double a[5];
    bool active;
} mjcf_coupling;
/* Reads it; `first` and `second` are the attributes that name the two. */
tr_status tr3_mjcf_begin_coupling(mjcf *it, uint32_t node, const char *first, const char *second, mjcf_coupling *out);
/* Says which coefficients a gear does not have: an offset, and with `bent` those of powers. */
void tr3_mjcf_lose_coefficients(mjcf *it, const mjcf_coupling *coupling, bool bent);
/* <tendon> in <equality> */
tr_status tr3_mjcf_read_held_tendon(mjcf *it, uint32_t node);
void tr3_mjcf_add_term(mjcf_terms *terms, uint32_t joint, double factor);
/* Whether a sum is what a gear holds: of two joints of the scene. Makes that gear, or one that is a spring. */
bool tr3_mjcf_is_gear(const mjcf *it, const mjcf_terms *terms);
tr_status tr3_mjcf_make_gear(mjcf *it, const mjcf_terms *terms, const char *name, tr3_scene_joint **out);
tr_status tr3_mjcf_make_spring(mjcf *it, const mjcf_terms *terms, const mjcf_pull *pull, const char *name);

#endif

#endif
