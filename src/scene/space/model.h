/*
 * What the readers of URDF and MJCF share: attributes with errors that name file, line, element and attribute; notices;
 * bodies, solids and joints made from these.
 */
#ifndef TR_SCENE_SPACE_MODEL_H
#define TR_SCENE_SPACE_MODEL_H

#include <jansson.h>

#include "scene/core/storage.h"
#include "scene/space/robot.h"
#include "scene/xml.h"

#ifdef TR_WITH_XML

/* What a notice is about; the line is that of the first place. */
#define TR3_MODEL_NOTES     64u
#define TR3_MODEL_NOTE_SIZE 200u
typedef struct tr3_model_note {
    char text[TR3_MODEL_NOTE_SIZE];
    uint32_t file, line, count;
} tr3_model_note;

/* A link or body of the file: where it is in the scene. */
typedef struct tr3_model_part {
    const char *name; /* may be null */
    uint32_t node;
    uint32_t body;   /* index into the scene's bodies */
    tr3_frame frame; /* its own, in that body */
} tr3_model_part;

/* An entry of a sorted list of names. */
typedef struct tr3_model_name {
    const char *name;
    uint32_t index;
} tr3_model_name;

/* A loop: `number` in the options, or in the side file, where it is in this line. */
typedef struct tr3_model_loop {
    tr3_import_loop loop;
    bool in_file;
    uint32_t number, line;
} tr3_model_loop;

/* Names of those of the side file are in its document. */
typedef struct tr3_model_loops {
    tr3_model_loop *loop;
    uint32_t count;
    json_t *document;
} tr3_model_loops;

/* `options` is never null. */
typedef struct tr3_model {
    tr3_builder *builder;
    tr_error *error;
    const tr_xml *xml;
    const tr3_import_options *options;
    tr3_model_loops loops;
    uint32_t note_count;
    bool notes_left_out;
    tr3_model_note notes[TR3_MODEL_NOTES];
} tr3_model;

/* Each fills the model's builder from a document with the right root. */
tr_status tr3_read_urdf(tr3_model *model);
tr_status tr3_read_mjcf(tr3_model *model);

/* TR_ERROR_PARSE with file, line, element, attribute (may be null) and the sentence. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
tr_status
tr3_model_fail(const tr3_model *model, uint32_t node, const char *attribute, const char *format, ...);
/* Counts a notice about a node; those that differ only in the place are one. Never fails. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
tr3_model_notice(tr3_model *model, uint32_t node, const char *attribute, const char *format, ...);
/* Hands the notices to the scene. */
tr_status tr3_model_give_notices(tr3_model *model);
/* A notice for each attribute and each child that is in neither of the null-terminated lists. */
void tr3_model_known(tr3_model *model, uint32_t node, const char *const *attributes, const char *const *children);

/*
 * Numbers in an attribute: all of at most TR3_MODEL_GREATEST, so that sums of them fit a float. If it is absent, *out is
 * unchanged. `least` to `most` of them; *count, which may be null, is how many, 0 if it is absent.
 */
tr_status tr3_model_numbers(const tr3_model *model, uint32_t node, const char *attribute, uint32_t least, uint32_t most,
                            double *out, uint32_t *count);
tr_status tr3_model_number(const tr3_model *model, uint32_t node, const char *attribute, double *out);
tr_status tr3_model_vec(const tr3_model *model, uint32_t node, const char *attribute, tr_dvec3 *out);
/* a vector of length 1 in that direction; TR_ERROR_PARSE if it is zero. `out` must be of length 1 before */
tr_status tr3_model_direction(const tr3_model *model, uint32_t node, const char *attribute, tr_dvec3 *out);
/* Fails below 0, and if it does not fit a float. */
tr_status tr3_model_size(const tr3_model *model, uint32_t node, const char *attribute, double value, float *out);

/* Sorts `count` names; entries whose name is null go first. */
void tr3_model_sort(tr3_model_name *names, uint32_t count);
/* The index of the first entry of that name, by index; UINT32_MAX. */
uint32_t tr3_model_find(const tr3_model_name *names, uint32_t count, const char *name);

/*
 * Mass
 */

/* A mass in an outer frame. */
tr3_mass tr3_mass_in(const tr3_frame *outer, const tr3_mass *mass);
/*
 * Makes the inertia one that a body may have, with a notice if it is changed: of a mass without inertia that of a ball of
 * 1 cm; moments that are not positive, or whose sum is less than the third, are raised. TR_ERROR_PARSE if one about
 * an axis of its frame is negative.
 */
tr_status tr3_model_mend(tr3_model *model, uint32_t node, tr3_mass *mass);
/* The least principal moment, over the greatest, and how much the two smaller exceed the greatest, over that: not
   negative of an inertia that a body may have. */
void tr3_inertia_margins(const tr_dsym3 *inertia, double *least, double *triangle);
/*
 * Carriers: bodies between the joints that a body hangs on (carriers.c). tr3_carriers_take() leaves to a body what its
 * carriers do not take; true: they lie at their pivots, which are in its frame. tr3_carrier_mass() is that of one, of a
 * body that was `whole`.
 */
#define TR3_CARRIERS      5u   /* at most; a body has six freedoms */
#define TR3_CARRIER_SHARE 0.05 /* of mass and inertia; less makes joints less exact, more the motion of the body */
bool tr3_carriers_take(tr3_mass *body, const tr_dvec3 *pivots, uint32_t count);
tr3_mass tr3_carrier_mass(const tr3_mass *whole, tr_dvec3 pivot, bool at_pivot);
/* The mass of a body that has none and must move: a thousandth of another, as a ball of 1 cm. With a notice. */
#define TR3_SMALL_SHARE 1e-3
tr3_mass tr3_model_small(tr3_model *model, uint32_t node, double other);

/* Makes a gear between two hinges or sliders of the scene, by index: coordinate of b + ratio * coordinate of a, not 0, stays
   as it is when the scene is built. */
tr_status tr3_model_gear(const tr3_model *model, uint32_t joint_a, uint32_t joint_b, double ratio,
                         tr3_scene_joint **out);

/*
 * Bodies, solids, joints
 */
tr_status tr3_model_body(const tr3_model *model, uint32_t node, const char *name, tr_body_type type,
                         const tr3_frame *pose, const tr3_mass *mass, uint32_t *out);
/* A solid about the origin of `frame`, a frame of the body: a box of half edges `size`, or a ball of the radius size[0],
   or what is round about z, of the radius size[0] and the half length size[1]. `attribute` names the sizes in messages;
   they must be above 0. */
tr_status tr3_model_solid(tr3_model *model, uint32_t node, const char *attribute, tr3_scene_shape_type type,
                          const double size[3], const tr3_frame *frame, uint32_t body, double density,
                          const char *name);
/* A joint whose frame is `in_a` in A and `in_b` in B; the axis is in that frame, of length 1. */
tr_status tr3_model_joint(const tr3_model *model, tr3_joint_type type, const char *name, uint32_t body_a,
                          uint32_t body_b, const tr3_frame *in_a, const tr3_frame *in_b, tr_dvec3 axis,
                          tr3_scene_joint **out);

/*
 * Loops (import_loops.c)
 */

/* Reads and checks those of the options and of the side file, when the builder has started. Release them with
   tr3_model_drop_loops(), also after a failure. */
tr_status tr3_model_take_loops(tr3_model *model);
void tr3_model_drop_loops(tr3_model *model);
/* Their joints, at the poses `pose` of the scene's bodies. */
tr_status tr3_model_close_loops(const tr3_model *model, const tr3_model_part *parts, const tr3_model_name *names,
                                uint32_t count, const tr3_frame *pose);
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
tr_status
tr3_model_loop_fail(const tr3_model *model, uint32_t number, tr_status status, const char *format, ...);

#endif

#endif
