/*
 * A scene while it is being filled. tr2_scene itself has counts only; the capacities live here, so that readers and
 * generators append in constant time. Whoever starts a builder ends it with tr2_builder_take() or _drop().
 */
#ifndef TR_SCENE_STORAGE_H
#define TR_SCENE_STORAGE_H

#include "trammel/scene2.h"

typedef struct tr2_builder {
    tr2_scene *scene;
    uint32_t body_capacity, joint_capacity, shape_capacity, vertex_capacity, notice_capacity;
} tr2_builder;

/* Writes a failure's sentence; `error` may be null. Returns `status`, so that callers can return it in turn. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
tr2_scene_fail(tr_error *error, tr_status status, const char *format, ...);

/* An empty scene: gravity and softness as tr2_world_def_default(), 60 Hz, 4 sub-steps. TR_ERROR_MEMORY. */
tr_status tr2_builder_start(tr2_builder *builder, const char *format, tr_error *error);
/* Gives the scene away, trimmed to size; the builder is empty afterwards. */
tr2_scene *tr2_builder_take(tr2_builder *builder);
void tr2_builder_drop(tr2_builder *builder);

/* Makes room beforehand, where the counts are known. TR_ERROR_MEMORY. */
tr_status tr2_builder_reserve(tr2_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes,
                              uint32_t vertices, tr_error *error);

/*
 * Each appends one entry at its default and hands out its address, valid until the next append of the same kind.
 * TR_ERROR_MEMORY, TR_ERROR_LIMIT (2^31 - 1 entries).
 */
tr_status tr2_builder_body(tr2_builder *builder, tr2_scene_body **out, tr_error *error);
tr_status tr2_builder_joint(tr2_builder *builder, tr2_joint_type type, tr2_scene_joint **out, tr_error *error);
/* The shape starts with no vertices; those that tr2_builder_vertex appends next are its own. */
tr_status tr2_builder_shape(tr2_builder *builder, tr2_scene_shape_type type, uint32_t body, tr2_scene_shape **out,
                            tr_error *error);
/* Appends a vertex to the last shape. */
tr_status tr2_builder_vertex(tr2_builder *builder, tr_vec2 vertex, tr_error *error);
/* Appends a notice, unless the same is there already. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
tr2_builder_notice(tr2_builder *builder, tr_error *error, const char *format, ...);

/* What a type of shape is called in files, how many vertices it has, and what it becomes in a world where that is one shape. */
typedef struct tr2_scene_shape_info {
    const char *name;
    uint32_t least, most; /* vertices */
    tr2_shape_kind kind;
} tr2_scene_shape_info;

extern const tr2_scene_shape_info tr2_scene_shape_infos[TR2_SCENE_SHAPE_TYPE_COUNT];

/* Whether a shape's body and vertices are in the scene, and are as many as its type has. */
bool tr2_scene_shape_is_whole(const tr2_scene *scene, const tr2_scene_shape *shape);
/* Whether a polygon becomes one shape of a world: convex, of no more corners than that has. Others become outlines. */
bool tr2_scene_is_convex(const tr2_scene *scene, const tr2_scene_shape *polygon);

/* Rounds to float; false where the value is beyond all finite floats, or NaN. */
bool tr2_scene_to_float(double value, float *out);

/* What is said of shapes in a scene that does not ask for collision. */
extern const char tr2_scene_no_collision[];

/* The shapes of a scene that collides, on the bodies that were made of it, and their ids; `ids` may be null. Those that were
   made stay on failure: they go with their bodies. */
tr_status tr2_scene_add_shapes(const tr2_scene *scene, tr2_world *world, const tr2_body *bodies, tr2_shape *ids,
                               tr_error *error);

/* A copy of a string for a scene to own. TR_ERROR_MEMORY. */
tr_status tr2_scene_copy_text(const char *text, char **out, tr_error *error);

/* Turns a polygon's vertices counter-clockwise; false where they have no area, or none that is more than rounding. */
bool tr2_scene_orient(tr_vec2 *vertices, uint32_t count);

/* Mass, centre and inertia about the centre, by area and density, of one body's shapes. */
typedef struct tr2_mass {
    double mass;    /* kg; 0 where no shape has area and density */
    double x, y;    /* m, the centre of mass in the body's frame */
    double inertia; /* kg m^2 about the centre of mass */
} tr2_mass;

/* Of shapes first .. first + count - 1, which must be one body's. Chains have no area; polygons are counter-clockwise. */
tr2_mass tr2_scene_mass(const tr2_scene *scene, uint32_t first, uint32_t count);

#endif
