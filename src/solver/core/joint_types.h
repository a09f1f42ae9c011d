/*
 * Descriptions of the joint types: name, fields, measurement. The SIMD kernels of a type are in the same file of
 * joints2/; joints2/table.h lists these files once for both.
 */
#ifndef TR_SOLVER_JOINT_TYPES_H
#define TR_SOLVER_JOINT_TYPES_H

#include "plan/plan.h"
#include "solver/core/equations.h"
#include "solver/core/joint_fields.h"

/* The joint tables: one per public type, then that of the contacts, which have no trn_joint. */
#define TR_CONTACT     ((trn_joint_type)TRN_JOINT_TYPE_COUNT)
#define TR_TABLE_COUNT (TRN_JOINT_TYPE_COUNT + 1)

typedef struct trn_joint_measure {
    float linear_error, angular_error;                  /* as in tr_joint_error_value */
    bool linear_rigid, angular_rigid;                   /* whether the errors count in the world's measures */
    float coordinate, rate;                             /* the free coordinate */
    tr_joint_coordinate_value further[TRN_COORDINATES]; /* [k]: coordinate k, from 1 on */
    float span;                                         /* m, what `length` is now, if it is not the coordinate; 0 */
    double energy;                                      /* J, energy of springs with a known stiffness */
    double kinetic_energy;                              /* J, of an inertia of the joint's own */
} trn_joint_measure;

/* impulses of a free coordinate's features: spring, motor, lower, upper, friction */
#define TR_FEATURE_IMPULSES 5

/* bits of the flags column */
#define TR_JOINT_COLLIDE  1u
#define TR_JOINT_FEATURED 2u  /* of a contact: solved by the two-point kernel */
#define TR_JOINT_DISABLED 4u  /* keeps its lane and has no effect */
#define TR_JOINT_STIFF    16u /* its restoring torque is too stiff for a sub-step: stiffness.c */
#define TR_JOINT_SPARE    32u /* has no effect: enough others hold the same two bodies (world/joint_share.h) */
#define TR_JOINT_RESTING  64u /* has no effect while one of its bodies is disabled */
#define TR_JOINT_EXACT                                                                                                 \
    128u /* solved by the direct method in this step; its lane has no effect; never set between steps */
#define TR_JOINT_WAS_EXACT 256u /* a joint that was, in the last step in which it was solved */

/* a joint that has no effect, whoever solves it */
#define TR_JOINT_OFF (TR_JOINT_DISABLED | TR_JOINT_SPARE | TR_JOINT_RESTING)

/* In a column of softness kinds: TR_RIGID_BESIDE + n is rigid, and beside other joints that together hold n rows more
   than the three freedoms (world/joint_share.h). */
#define TR_RIGID_BESIDE 3u
static inline bool trn_is_rigid_cell(uint32_t kind)
{
    return kind == (uint32_t)TR_RIGID || kind > TR_RIGID_BESIDE;
}

/* Meaning of a joint's impulse columns. A row that is off has impulse 0. A sum is no row: it adds up a row's impulse
   over the step. A place is a coordinate that persists between steps like an impulse, but is never scaled. */
typedef enum trn_role {
    TR_ROLE_ROW,
    TR_ROLE_SPRING,
    TR_ROLE_MOTOR,
    TR_ROLE_LIMIT,
    TR_ROLE_FRICTION,
    TR_ROLE_SUM,
    TR_ROLE_PLACE
} trn_role;

/* What a joint of the plane holds of one body, if the other cannot move. */
typedef enum trn_tie_kind {
    TR_TIE_NONE,   /* none of these */
    TR_TIE_POINT,  /* point to point */
    TR_TIE_WELD,   /* point to point, and the angle */
    TR_TIE_LENGTH, /* distance of two points */
    TR_TIE_SLIDE,  /* point on an axis of A, and the angle */
    TR_TIE_LINE,   /* point on an axis of A */
    TR_TIE_KINDS
} trn_tie_kind;

/* Number of a body's degrees of freedom that the joint removes, if the other body cannot move. */
static inline uint32_t trn_tie_rows(trn_tie_kind tie)
{
    static const uint8_t rows[TR_TIE_KINDS] = {[TR_TIE_NONE] = 0,   [TR_TIE_POINT] = 2, [TR_TIE_WELD] = 3,
                                               [TR_TIE_LENGTH] = 1, [TR_TIE_SLIDE] = 2, [TR_TIE_LINE] = 1};
    return rows[tie];
}

/* Whether the joint fixes the relative angle. */
static inline bool trn_tie_holds_angle(trn_tie_kind tie)
{
    return tie == TR_TIE_WELD || tie == TR_TIE_SLIDE;
}

typedef struct trn_joint_type_info {
    const char *name;
    trn_mask fields;       /* those that the type has */
    trn_mask plain_fields; /* those that the plain kernel reads in addition to PLAIN_FIELDS (kernels.inl) */
    /* further ones, for which a mask has no room: from this one on. Their columns always exist, and both kernels read
       them; none is a softness. */
    uint32_t beyond, beyond_count;
    uint32_t own_count;   /* columns of this table beyond the fields */
    uint32_t own_read[2]; /* how many of these the plain and the featured kernel read */
    uint32_t impulse_count;
    uint32_t features_at;    /* the impulse with which the features of the coordinates begin; 0: of one coordinate */
    uint32_t features_apart; /* impulses of each coordinate; 0: TR_FEATURE_IMPULSES */
    const char *impulse_names[TRN_MAX_IMPULSES];
    trn_role impulse_roles[TRN_MAX_IMPULSES]; /* rows first: 0 is TR_ROLE_ROW */
    /* whether the kernels use the relative angle and `turn` is kept (it starts within half a turn of the reference) */
    bool has_angle;
    /* has two more bodies, trn_joints.carrier_a and carrier_b, used by the featured kernel, whose last two columns
       are their state rows (carried.inl); the plain kernel is used if both are the world */
    bool has_carriers;
    bool angle_is_free; /* the joint leaves the angle free: only features act on it */
    /* name of the field that is the spring, if the type has no group of that name; may be null */
    const char *spring_is;
    /* sets defaults that differ from those of other types; may be null */
    void (*set_defaults)(trn_joint_def *def);
    /* whether a definition needs the featured kernel (limits, springs, motors, softness) instead of the plain one */
    bool (*is_featured)(const trn_joint_def *def);
    /* fills in values that depend on the bodies' positions when the joint is created or set; may be null */
    void (*complete)(trn_joint_def *def, const trn_joint_pose *pose);
    /* of a type whose `offset` is that of angles which go on over whole turns: what the turns since the joint was made add
       to it; and writes the angles, as they are now, to where the pose has the last ones. May be null */
    double (*turned)(const trn_joint_def *def, const trn_joint_pose *pose);
    void (*wind)(const trn_joint_def *def, trn_joint_pose *pose);
    bool keeps_speed; /* the place that wind() writes is a speed, which begins as that of the bodies */
    void (*measure)(const trn_joint_def *def, const trn_joint_pose *pose, trn_joint_measure *out);
    /* the coordinates, if measure() leaves them out, since measures of the world do not need them; may be null */
    void (*coordinates)(const trn_joint_def *def, const trn_joint_pose *pose, trn_joint_measure *out);
    /* `impulse`: impulse_count numbers, N s or N m s; computes force and torque on B and the shares of the features;
       inv_h: 1 / sub-step */
    void (*reaction)(const trn_joint_def *def, const trn_joint_pose *pose, const float *impulse, float inv_h,
                     trn_reaction *out);
    /* appends the rows of a joint that acts, at the level of accelerations */
    void (*equations)(const trn_joint_def *def, const trn_joint_pose *pose, trn_equations *out);
    /* whether force and torque on B are at most inv_h times the sum of the impulses' magnitudes (no ratio scales a
       row) */
    bool has_unit_rows;
    /* then, how much more of the impulses from features_at on, at most, as of rows that may be long; 0: no more */
    float feature_length;
    bool reacts_by_impulses; /* reaction() reads neither the definition nor the pose, which may be null */
    trn_tie_kind tie;        /* for definitions of the plain kernel */
} trn_joint_type_info;

/* Contacts have no is_featured, measure and reaction; the world handles them separately. */
extern const trn_joint_type_info *const trn_joint_types[TR_TABLE_COUNT];

/* Whether the type has a field. */
static inline bool trn_info_has(const trn_joint_type_info *info, uint32_t field)
{
    if (field < TR_MASK_BITS)
        return (info->fields & TR_BIT(field)) != 0;
    return field - info->beyond < info->beyond_count;
}

/* Each type has two kernels: plain and featured. */
#define TR_KERNEL_COUNT (2 * TR_TABLE_COUNT)
static inline uint32_t trn_kernel_of(trn_joint_type type, bool featured)
{
    return 2 * (uint32_t)type + (featured ? 1u : 0u);
}

static inline trn_joint_type trn_kernel_type(uint32_t kernel)
{
    return (trn_joint_type)(kernel / 2);
}

static inline bool trn_kernel_is_featured(uint32_t kernel)
{
    return kernel % 2 == 1;
}

static inline bool trn_kernel_has_carriers(uint32_t kernel)
{
    return trn_kernel_is_featured(kernel) && trn_joint_types[trn_kernel_type(kernel)]->has_carriers;
}

#endif
