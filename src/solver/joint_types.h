/*
 * The table of joint types, on the host's side: what a type is called, which fields it has, how it is measured. The
 * wide side, its kernels, is in the same file of joints2/; joints2/table.h lists those files once for both.
 */
#ifndef TR_SOLVER_JOINT_TYPES_H
#define TR_SOLVER_JOINT_TYPES_H

#include "plan/plan.h"
#include "solver/joint_fields.h"

#define TR2_MAX_IMPULSES 8
#define TR2_MAX_OWN      16 /* columns that one table has and no tr2_field names */

/* The tables: one per public type, then the contacts, which no tr2_joint names. */
#define TR2_CONTACT     ((tr2_joint_type)TR2_JOINT_TYPE_COUNT)
#define TR2_TABLE_COUNT (TR2_JOINT_TYPE_COUNT + 1)

/* One body by itself, in double precision. */
typedef struct tr2_joint_place {
    tr_dvec2 center, origin; /* m, in the world */
    tr_dvec2 velocity;       /* m/s, of the anchor; a carrier's of its centre */
    double angle, w;         /* rad, unwrapped; rad/s */
    double c, s;             /* rotation */
} tr2_joint_place;

/* Where two bodies and a joint's frames are now, in double precision; all vectors in the world's frame. */
typedef struct tr2_joint_pose {
    tr_dvec2 r_a, r_b;             /* anchors from the centres of mass */
    tr_dvec2 d;                    /* anchor_b - anchor_a */
    tr_dvec2 d_rate;               /* its velocity */
    tr_dvec2 axis;                 /* A's axis */
    double angle;                  /* of B less ratio times A's less reference_angle, unwrapped */
    double angle_rate;             /* rad/s */
    double w_a;                    /* rad/s, of A */
    double c_a, s_a;               /* rotation of A */
    tr2_joint_place body[TR_ENDS]; /* A, B, their carriers (where there is none: the world, all 0): each by itself */
} tr2_joint_pose;

typedef struct tr2_joint_measure {
    float linear_error, angular_error; /* as in tr2_joint_error_value */
    bool linear_rigid, angular_rigid;  /* whether such rows count in a world's measure */
    float coordinate, rate;            /* the free coordinate */
    double energy;                     /* J stored in springs of known stiffness */
} tr2_joint_measure;

/* bits of the flags column */
#define TR2_JOINT_COLLIDE  1u
#define TR2_JOINT_FEATURED 2u  /* of a contact: solved by the kernel with two points */
#define TR2_JOINT_DISABLED 4u  /* keeps its place and does nothing */
#define TR2_JOINT_DIRECT   8u  /* solved as part of a tree; its lane does nothing */
#define TR2_JOINT_STIFF    16u /* turns a body back faster than a sub-step can follow: stiffness.c */

/* What a row of a joint does; one that is off has no impulse. A sum is no row: it adds up a row's over the step.
   Nor is a place, a coordinate that goes from step to step as impulses do, but unscaled. */
typedef enum tr2_role {
    TR2_ROLE_ROW,
    TR2_ROLE_SPRING,
    TR2_ROLE_MOTOR,
    TR2_ROLE_LIMIT,
    TR2_ROLE_FRICTION,
    TR2_ROLE_SUM,
    TR2_ROLE_PLACE
} tr2_role;

/* What a joint holds of one body against another where a tree of joints is solved exactly (trees.h). */
typedef enum tr2_tie_kind {
    TR2_TIE_NONE,   /* nothing that a tree could solve */
    TR2_TIE_POINT,  /* a point to a point */
    TR2_TIE_WELD,   /* and its angle */
    TR2_TIE_LENGTH, /* a point at a length from a point */
    TR2_TIE_SLIDE,  /* a point on an axis of A, and its angle */
} tr2_tie_kind;

/* How many of a body's three freedoms it takes, where the other body does not move. */
static inline uint32_t tr2_tie_rows(tr2_tie_kind tie)
{
    static const uint8_t rows[] = {
        [TR2_TIE_NONE] = 0, [TR2_TIE_POINT] = 2, [TR2_TIE_WELD] = 3, [TR2_TIE_LENGTH] = 1, [TR2_TIE_SLIDE] = 2};
    return rows[tie];
}

/* Whether the two bodies turn together. */
static inline bool tr2_tie_holds_angle(tr2_tie_kind tie)
{
    return tie == TR2_TIE_WELD || tie == TR2_TIE_SLIDE;
}

typedef struct tr2_joint_type_info {
    const char *name;
    uint64_t fields;       /* mask over tr2_field */
    uint64_t plain_fields; /* those of them that the plain kernel reads, beside PLAIN_FIELDS (kernels.inl) */
    uint32_t own_count;    /* columns of the table's own, beside the fields */
    uint32_t own_read[2];  /* how many of them the plain kernel reads, and the featured one */
    uint32_t impulse_count;
    const char *impulse_names[TR2_MAX_IMPULSES];
    tr2_role impulse_roles[TR2_MAX_IMPULSES]; /* rows first: 0 is TR2_ROLE_ROW */
    /* how the angle is used: whether `turn` is kept (the relative angle begins within half a turn of the reference) */
    bool has_angle;
    /* two more bodies, tr2_joints.carrier_a and carrier_b, that the featured kernel ties: its last two columns are their
       state rows (carried.inl); the plain one serves where both are the world */
    bool has_carriers;
    bool angle_is_free; /* the angle is what the joint leaves free: only features act on it */
    /* what serves as a spring where the type does not have the group of that name; may be null */
    const char *spring_is;
    /* what begins otherwise than in other types; may be null */
    void (*set_defaults)(tr2_joint_def *def);
    /* whether this definition needs the kernel with limits, springs, motors and softness; else the plain one serves */
    bool (*is_featured)(const tr2_joint_def *def);
    /* fills in what a definition leaves to where the bodies are when the joint is made or set; null: nothing */
    void (*complete)(tr2_joint_def *def, const tr2_joint_pose *pose);
    void (*measure)(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out);
    /* `impulse`: impulse_count numbers in N s or N m s; fills force and torque on B and the features' shares, times inv_h */
    void (*reaction)(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                     tr2_reaction *out);
    /* no force or torque on B is more than the sum of the impulses' magnitudes times inv_h: no ratio enlarges a row */
    bool has_unit_rows;
    tr2_tie_kind tie; /* of a definition that the plain kernel serves: all that it does */
} tr2_joint_type_info;

/* Contacts have no is_featured, measure and reaction: the world knows which they are and asks otherwise. */
extern const tr2_joint_type_info *const tr2_joint_types[TR2_TABLE_COUNT];

/* Kernels come in two variants for each type. */
#define TR2_KERNEL_COUNT (2 * TR2_TABLE_COUNT)
static inline uint32_t tr2_kernel_of(tr2_joint_type type, bool featured)
{
    return 2 * (uint32_t)type + (featured ? 1u : 0u);
}

static inline tr2_joint_type tr2_kernel_type(uint32_t kernel)
{
    return (tr2_joint_type)(kernel / 2);
}

static inline bool tr2_kernel_is_featured(uint32_t kernel)
{
    return kernel % 2 == 1;
}

static inline bool tr2_kernel_has_carriers(uint32_t kernel)
{
    return tr2_kernel_is_featured(kernel) && tr2_joint_types[tr2_kernel_type(kernel)]->has_carriers;
}

#endif
