/*
 * Builder of scenes. A scene has only counts; the capacities live in the builder, so that readers and generators append
 * in amortised constant time. End a started builder with trn_builder_take() or trn_builder_drop().
 *
 * This folder is compiled once per dimension (solver/dimension.h): scene/plane and scene/space have what differs, which
 * is shapes, the settings of a world that one of them does not have, and generators.
 */
#ifndef TR_SCENE_STORAGE_H
#define TR_SCENE_STORAGE_H

#include "scene/common.h"
#include "solver/dimension.h"

#if TR_DIMENSION == 2
#include "scene/plane/scene.h"
#else
#include "scene/space/scene.h"
#endif

typedef struct trn_builder {
    trn_scene *scene;
    uint32_t body_capacity, joint_capacity, shape_capacity, notice_capacity;
    uint32_t vertex_capacity; /* of the plane */
} trn_builder;

/* An empty scene: gravity and softness as trn_world_def_default(), 60 Hz, 4 sub-steps. TR_ERROR_MEMORY. */
tr_status trn_builder_start(trn_builder *builder, const char *format, tr_error *error);
/* Hands over the scene, trimmed to size; the builder is empty afterwards. */
trn_scene *trn_builder_take(trn_builder *builder);
void trn_builder_drop(trn_builder *builder);

/* Reserves room if the counts are known. TR_ERROR_MEMORY. */
tr_status trn_builder_reserve(trn_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes, tr_error *error);

/*
 * Each appends one entry with default values. *out is valid until the next append of the same kind.
 * TR_ERROR_MEMORY, TR_ERROR_LIMIT (2^31 - 1 entries).
 */
tr_status trn_builder_body(trn_builder *builder, trn_scene_body **out, tr_error *error);
tr_status trn_builder_joint(trn_builder *builder, trn_joint_type type, trn_scene_joint **out, tr_error *error);
tr_status trn_builder_shape(trn_builder *builder, trn_scene_shape_type type, uint32_t body, trn_scene_shape **out,
                            tr_error *error);
/* Appends a notice unless the scene already has the same one. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
trn_builder_notice(trn_builder *builder, tr_error *error, const char *format, ...);

/* What writers need before they read a scene: rejects indices that would be out of bounds, there or in a reader of what
   they write. TR_ERROR_RANGE, _SELF_JOINT, and those of trn_scene_check_own(). */
tr_status trn_scene_check(const trn_scene *scene, tr_error *error);

/*
 * Builds a scene's bodies and joints into a world and then calls `more`, which may be null, with the ids of the bodies.
 * If that fails, the world is as it was, so `more` must have left nothing behind. As trn_scene_build().
 */
typedef tr_status trn_scene_more(const trn_scene *scene, trn_world *world, const trn_body *bodies, void *context,
                                 tr_error *error);
tr_status trn_scene_build_with(const trn_scene *scene, trn_world *world, trn_body *bodies, trn_joint *joints,
                               trn_scene_more *more, void *context, tr_error *error);

/* What can be said of the world that a scene becomes, before its first step. */
typedef struct trn_survey {
    trn_measures measures;
    uint64_t state_hash;
    uint32_t joints_of_type[TRN_JOINT_TYPE_COUNT];
} trn_survey;

/*
 * Surveys a scene in an empty world, which has its bodies and shapes afterwards, but none of its joints: only some
 * thousands of these exist at a time, and no plan of all. The numbers have the bits of those of the built world. Errors
 * as trn_scene_build(), but a joint that is refused is not named.
 */
tr_status trn_scene_survey(const trn_scene *scene, trn_world *world, trn_survey *out, tr_error *error);

/*
 * What each dimension has of its own
 */

/* The single properties of a body's definition, as files have them, in the order of the writer. */
typedef enum trn_scene_kind {
    TR_SCENE_FLOAT,
    TR_SCENE_DOUBLE,
    TR_SCENE_BOOL,
    TR_SCENE_VECTOR,   /* trn_vec */
    TR_SCENE_POINT,    /* trn_dvec */
    TR_SCENE_ROTATION, /* tr_quat */
    TR_SCENE_TENSOR    /* tr_sym3 */
} trn_scene_kind;

typedef struct trn_scene_property {
    const char *key;
    trn_scene_kind kind;
    size_t offset; /* in trn_body_def */
} trn_scene_property;

#define TR_SCENE_PROPERTIES 24 /* the most that there may be: each file that lists them asserts it */
extern const trn_scene_property trn_scene_body_properties[];
extern const uint32_t trn_scene_body_property_count;

/* Names of the types of shapes: TRN_SCENE_SHAPE_TYPE_COUNT entries. */
const char *trn_scene_shape_type_name(uint32_t type);
/* Whether a shape's type, body and vertices exist. */
bool trn_scene_shape_is_whole(const trn_scene *scene, const trn_scene_shape *shape);

/* Sets defaults of a new scene and of a new shape; both are zero before. */
void trn_scene_preset(trn_scene *scene);
void trn_scene_preset_shape(const trn_scene *scene, trn_scene_shape *shape);
/* Frees, and trims to size, the arrays that only this dimension has. */
void trn_scene_free_own(trn_scene *scene);
void trn_scene_trim_own(trn_scene *scene);

/* Checks the settings that only this dimension has before they are written. */
tr_status trn_scene_check_own(const trn_scene *scene, tr_error *error);
/* Sets these settings of a world. */
tr_status trn_scene_set_own(const trn_scene *scene, trn_world *world);
/* Captures these settings, and the shapes. place[i]: the scene's index of the body in slot i - 1. */
tr_status trn_scene_capture_own(const trn_world *world, trn_builder *builder, const uint32_t *place, tr_error *error);

/* A generator of scenes; the list ends with a null name. */
typedef struct trn_generator {
    const char *name, *help;
    uint32_t maximum; /* greatest size; keeps a scene below some 16 GB */
    tr_status (*make)(trn_builder *builder, uint32_t size, tr_error *error);
} trn_generator;

extern const trn_generator trn_generators[];

#endif
