/*
 * Internal interface between the parts of the writers of URDF and MJCF.
 *
 * Both formats are trees: each body hangs on one other by what is here a limb. The joints of the scene are limbs
 * (export_tree.c), or they close loops, or no format can say them. A limb with several free coordinates is a series of
 * hinges and slides.
 */
#ifndef TR_SCENE_SPACE_EXPORT_H
#define TR_SCENE_SPACE_EXPORT_H

#include "scene/space/robot.h"

#ifdef TR_WITH_SCENES

#include "scene/text.h"
#include "solver/space/definitions.h"

#define EXPORT_NONE UINT32_MAX

typedef enum export_kind {
    EXPORT_ROOT, /* hangs on nothing */
    EXPORT_FIXED,
    EXPORT_BALL,
    EXPORT_AXES
} export_kind;

/* One hinge or slide of a limb. */
typedef struct export_axis {
    bool slides;
    uint8_t coordinate; /* of the scene's joint */
    tr_dvec3 axis;      /* in the parent's frame, where the coordinates before it are 0; of length 1 */
    double start;       /* m or rad */
    double zero;        /* URDF: the scene's coordinate where that of the file is 0; */
    uint32_t leader;    /* the body whose limb has the axis that this one mimics, or EXPORT_NONE; */
    uint32_t led_by;    /* which of that; */
    double factor;      /* and the ratio of the coordinates */
    bool leads;         /* another mimics it */
    double armature;    /* kg m^2 or kg, of the inerters that go with it; of a ball, in the first axis */
} export_axis;

/* How a body hangs on its parent. */
typedef struct export_limb {
    export_kind kind;
    uint32_t parent, joint;                 /* EXPORT_NONE of a root */
    uint32_t first_child, last_child, next; /* bodies */
    tr_dvec3 anchor, pivot;                 /* the joint's point in the parent's frame, and in its own */
    tr3_dquat rest;                         /* rotation in the parent's frame where all coordinates are 0 */
    uint32_t count;                         /* of axes */
    export_axis axes[TR3_COORDINATES];
    double rotors[2][6]; /* of a ball: the sums of its inerters about axes of it, and of its parent */
    uint32_t first_link; /* URDF: index into link_names of the first of the links between its joints */
    uint32_t root_part;  /* URDF: of a root: index into part_names of the joint that fixes it to the world */
} export_limb;

/* What is lost, and of which bodies or joints: the first ones, and how many. */
#define EXPORT_LOSSES      64u
#define EXPORT_LOSS_SIZE   256u
#define EXPORT_LOSS_PLACES 3u
typedef struct export_loss {
    char text[EXPORT_LOSS_SIZE];
    const char *what;     /* "body", "joint", "shape", "world" */
    uint32_t count, last; /* last: its index */
    char places[EXPORT_LOSS_PLACES][64];
} export_loss;

typedef struct exporter {
    const tr3_scene *scene;
    tr3_export_format format;
    tr_error *error;
    tr_text text;
    export_limb *limbs;             /* of the bodies */
    uint32_t *order;                /* bodies, parents before their children */
    uint32_t *limb_of;              /* of the joints: the body that hangs on it, or EXPORT_NONE */
    uint32_t *first_shape, *shapes; /* those of body b are shapes[first_shape[b]] to before first_shape[b + 1] */
    uint32_t *first_part;           /* of the joints: of their names in part_names; one entry more than joints */
    char **link_names;              /* of the bodies, then of the links between joints; "world" last */
    char **part_names;              /* of the joints, then of those between the world and roots */
    char **shape_names;             /* as they are, "" without one; the scene's last */
    uint32_t order_count, link_count, part_count;
    uint32_t loss_count;
    bool losses_left_out;
    export_loss losses[EXPORT_LOSSES];
} exporter;

/* What tr3_scene_check() says, and: TR_ERROR_NAN, _INFINITE, _ZERO (an axis or a rotation). (export_check.c) */
tr_status tr3_export_check(const tr3_scene *scene, tr_error *error);

/*
 * The tree (export_tree.c)
 */

/* Fills limbs, order and limb_of. TR_ERROR_MEMORY. */
tr_status tr3_export_tree(exporter *it);
/* Whether a body moves by forces. */
static inline bool tr3_export_moves(const exporter *it, uint32_t body)
{
    return it->scene->bodies[body].def.type == TR_DYNAMIC;
}
tr3_frame tr3_export_pose(const exporter *it, uint32_t body);
static inline bool tr3_export_is_in_place(const tr3_body_def *def)
{
    return def->position.x == 0.0 && def->position.y == 0.0 && def->position.z == 0.0 && def->rotation.x == 0.0f &&
           def->rotation.y == 0.0f && def->rotation.z == 0.0f;
}
/* The static body of the name that is the world of the file, or EXPORT_NONE. */
uint32_t tr3_export_find_world(const exporter *it);
/* The axis of a limb in the parent's frame as the limb is, with what the coordinates before it turn. */
tr_dvec3 tr3_export_axis_now(const export_limb *limb, uint32_t axis);
/* The axis of a limb that is one side of a gear, and whether it counts the other way; null: there is none. */
const export_axis *tr3_export_side(const exporter *it, const tr3_scene_joint *gear, uint32_t side, uint32_t *body,
                                   bool *backward);
/* How much more than at the start a gear's coordinate of B plus ratio times that of A is to be. A stiff gear that moves
   is off by less than EXPORT_GAP. */
#define EXPORT_GAP 1e-3 /* m or rad */
double tr3_export_gear_gap(const exporter *it, const tr3_scene_joint *gear);

/* The axis of a limb that an inerter goes with, or null; and fills in the armature of all (export_rotors.c). */
export_axis *tr3_export_rotor(const exporter *it, uint32_t joint);
void tr3_export_find_rotors(exporter *it);

/*
 * Names and texts (export_text.c)
 */

/* Names links and parts of joints, each once. TR_ERROR_MEMORY, _PARSE (a name that is not UTF-8). */
tr_status tr3_export_names(exporter *it);
/* The name of the link or body; of the number that a joint was cut into. */
static inline const char *tr3_export_body_name(const exporter *it, uint32_t body)
{
    return it->link_names[body];
}
static inline const char *tr3_export_part_name(const exporter *it, uint32_t joint, uint32_t part)
{
    return it->part_names[it->first_part[joint] + part];
}
/* The index of "world" among the names of links. */
static inline uint32_t tr3_export_world(const exporter *it)
{
    return it->link_count;
}
/* Starts a line of the document, at a depth. */
void tr3_export_line(exporter *it, uint32_t depth, const char *words);
/* ` key="..."`. Numbers beyond TR3_MODEL_GREATEST are written as that, with a notice. */
void tr3_export_word(exporter *it, const char *key, const char *word);
void tr3_export_numbers(exporter *it, const char *key, const double *numbers, uint32_t count);
static inline void tr3_export_number(exporter *it, const char *key, double number)
{
    tr3_export_numbers(it, key, &number, 1);
}
static inline void tr3_export_vec(exporter *it, const char *key, tr_dvec3 v)
{
    tr3_export_numbers(it, key, (const double[3]){v.x, v.y, v.z}, 3);
}
/* A limit or a greatest force, at most TR3_MODEL_GREATEST; what is cut is a loss, but FLT_MAX, which bounds nothing. */
double tr3_export_bound(exporter *it, uint32_t joint, double value);
/* If a number or name could not be written: the error that says of which. `what` may be null. */
tr_status tr3_export_explain(const exporter *it, const char *what, uint32_t index);

/*
 * Losses (export_losses.c)
 */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void
tr3_lose_body(exporter *it, uint32_t body, const char *format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void
tr3_lose_joint(exporter *it, uint32_t joint, const char *format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
tr3_lose_world(exporter *it, const char *format, ...);
/* What neither format says of bodies, joints that are written, and worlds. */
void tr3_lose_common(exporter *it);
/* What is lost of the features of an axis, beside what the format itself says. */
void tr3_lose_features(exporter *it, uint32_t joint, const tr3_features *f);
/* Appends one line for each. */
void tr3_export_notices(const exporter *it, tr_text *out);

/*
 * The formats (write_urdf.c, write_mjcf.c): each fills the text.
 */
tr_status tr3_write_urdf(exporter *it);
/* Which axes mimic others, and where the coordinates of the file are 0 (urdf_coordinates.c). */
void tr3_urdf_coordinates(exporter *it);
/* Whether a planar joint is one of URDF's: along all three coordinates acts the same, and that is no limit and no motor. */
bool tr3_urdf_is_planar(const tr3_joint_def *def);
tr_status tr3_write_mjcf(exporter *it);
/* <equality>, <tendon> and <actuator> (write_mjcf_more.c) */
tr_status tr3_write_mjcf_more(exporter *it);
/* Whether a spring is an actuator that holds a position: one whose force has bounds, toward 0. */
bool tr3_mjcf_is_servo(const tr3_features *f);

#endif

#endif
