/*
 * Builder of scenes. tr2_scene has only counts; the capacities live in the builder, so that readers and generators
 * append in amortised constant time. End a started builder with tr2_builder_take() or tr2_builder_drop().
 */
#ifndef TR_SCENE_STORAGE_H
#define TR_SCENE_STORAGE_H

#include "trammel/scene2.h"

typedef struct tr2_builder {
    tr2_scene *scene;
    uint32_t body_capacity, joint_capacity, shape_capacity, vertex_capacity, notice_capacity;
} tr2_builder;

/* Writes a message to `error`, which may be null. Returns `status`, so that callers can return it in turn. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
tr2_scene_fail(tr_error *error, tr_status status, const char *format, ...);

/* An empty scene: gravity and softness as tr2_world_def_default(), 60 Hz, 4 sub-steps. TR_ERROR_MEMORY. */
tr_status tr2_builder_start(tr2_builder *builder, const char *format, tr_error *error);
/* Hands over the scene, trimmed to size; the builder is empty afterwards. */
tr2_scene *tr2_builder_take(tr2_builder *builder);
void tr2_builder_drop(tr2_builder *builder);

/* Reserves room if the counts are known. TR_ERROR_MEMORY. */
tr_status tr2_builder_reserve(tr2_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes,
                              uint32_t vertices, tr_error *error);

/*
 * Each appends one entry with default values. *out is valid until the next append of the same kind.
 * TR_ERROR_MEMORY, TR_ERROR_LIMIT (2^31 - 1 entries).
 */
tr_status tr2_builder_body(tr2_builder *builder, tr2_scene_body **out, tr_error *error);
tr_status tr2_builder_joint(tr2_builder *builder, tr2_joint_type type, tr2_scene_joint **out, tr_error *error);
/* The shape starts without vertices; tr2_builder_vertex() then appends to it. */
tr_status tr2_builder_shape(tr2_builder *builder, tr2_scene_shape_type type, uint32_t body, tr2_scene_shape **out,
                            tr_error *error);
/* Appends a vertex to the last shape. */
tr_status tr2_builder_vertex(tr2_builder *builder, tr_vec2 vertex, tr_error *error);
/* Appends a notice unless the scene already has the same one. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
tr2_builder_notice(tr2_builder *builder, tr_error *error, const char *format, ...);

/* A shape type: its name in files, its number of vertices, and the kind of the world's shape if it becomes a single
   one. */
typedef struct tr2_scene_shape_info {
    const char *name;
    uint32_t least, most; /* number of vertices */
    tr2_shape_kind kind;
} tr2_scene_shape_info;

extern const tr2_scene_shape_info tr2_scene_shape_infos[TR2_SCENE_SHAPE_TYPE_COUNT];

/* Whether a shape's body and vertices exist, and the number of vertices suits its type. */
bool tr2_scene_shape_is_whole(const tr2_scene *scene, const tr2_scene_shape *shape);
/* Whether a polygon becomes a single shape of a world: it is convex and has no more corners than a shape can have. */
bool tr2_scene_is_convex(const tr2_scene *scene, const tr2_scene_shape *polygon);

/* Rounds to float; false for NaN and for values beyond the finite floats. */
bool tr2_scene_to_float(double value, float *out);

/* The notice about shapes in a scene that does not ask for collision. */
extern const char tr2_scene_no_collision[];

/* Creates the shapes of a scene that collides on `bodies`, which were built from it. `ids` may be null. On failure
   the shapes made so far remain; they are destroyed with their bodies. */
tr_status tr2_scene_add_shapes(const tr2_scene *scene, tr2_world *world, const tr2_body *bodies, tr2_shape *ids,
                               tr_error *error);

/* A copy of a string that the scene will own. TR_ERROR_MEMORY. */
tr_status tr2_scene_copy_text(const char *text, char **out, tr_error *error);

/* Makes a polygon counter-clockwise; false if its area is no larger than rounding error. */
bool tr2_scene_orient(tr_vec2 *vertices, uint32_t count);

/* Mass, centre of mass and inertia of one body's shapes, from their areas and densities. */
typedef struct tr2_mass {
    double mass;    /* kg; 0 if no shape has area and density */
    double x, y;    /* m, the centre of mass in the body's frame */
    double inertia; /* kg m^2 about the centre of mass */
} tr2_mass;

/* Mass of shapes first .. first + count - 1, which must be of one body. Chains have no area; polygons must be
   counter-clockwise. */
tr2_mass tr2_scene_mass(const tr2_scene *scene, uint32_t first, uint32_t count);

#endif
