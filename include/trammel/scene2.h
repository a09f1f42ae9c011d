/*
 * Scenes: the contents of a scene file as plain arrays. tr2_scene_load() reads one, tr2_scene_build() puts it into a
 * world.
 *
 * Two formats are read: Trammel's own JSON (docs/scene-format.md) and R.U.B.E. / b2dJson JSON as the editor writes it.
 * In a library built without scene readers the calls that read and write return TR_ERROR_UNSUPPORTED; the rest works.
 */
#ifndef TRAMMEL_SCENE2_H
#define TRAMMEL_SCENE2_H

#include "trammel/base.h"
#include "trammel/contacts2.h"
#include "trammel/joints2.h"
#include "trammel/shapes2.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shapes are drawn and give mass. They collide if the scene's `collide` is set. */
typedef enum tr2_scene_shape_type {
    TR2_SCENE_CIRCLE,  /* one vertex (the centre) and a radius */
    TR2_SCENE_POLYGON, /* closed, counter-clockwise, convex or not. A polygon that is not convex or has over 16 corners
                          collides as its outline. A radius rounds a convex one outward */
    TR2_SCENE_CHAIN,   /* open line; `closed` joins the last vertex to the first. It collides on both sides, or, with
                          `one_sided`, on the right of its direction */
    TR2_SCENE_CAPSULE, /* two vertices and a radius */
    TR2_SCENE_SEGMENT, /* two vertices; thin, both sides collide */
    TR2_SCENE_SHAPE_TYPE_COUNT
} tr2_scene_shape_type;

typedef struct tr2_scene_shape {
    tr2_scene_shape_type type;
    uint32_t body;         /* index into bodies */
    uint32_t first_vertex; /* into vertices */
    uint32_t vertex_count;
    float radius;          /* m; circles, capsules, polygons */
    bool closed;           /* chains */
    bool one_sided;        /* chains */
    tr_vec2 before, after; /* one-sided open chains: the points that would continue it, if it has them */
    bool has_before, has_after;
    bool sensor;
    float density; /* kg/m^2 */
    float friction, restitution;
    float rolling_resistance, tangent_speed; /* as in tr2_surface */
    tr2_filter filter;
    bool contact_events, hit_events, custom_filter; /* as in tr2_shape_def */
    uint64_t user_data;
    char *name; /* may be null */
} tr2_scene_shape;

typedef struct tr2_scene_body {
    tr2_body_def def;
    char *name; /* may be null */
} tr2_scene_body;

/* The ids in `def` are ignored: `body_a` and `body_b` index the scene's bodies. */
typedef struct tr2_scene_joint {
    tr2_joint_def def;
    uint32_t body_a, body_b;
    uint32_t carrier_a, carrier_b; /* of a GEAR: index + 1; 0: the world */
    char *name;                    /* may be null */
} tr2_scene_joint;

typedef struct tr2_scene {
    char *name;      /* may be null */
    char *format;    /* "trammel", "rube", "generated" */
    tr_vec2 gravity; /* m/s^2 */
    double hertz;    /* steps per second */
    uint32_t substeps;
    tr_method method; /* as in tr2_world_def */
    uint32_t sweeps;
    float joint_frequency; /* as in tr2_world_def */
    float joint_damping_ratio;
    float direct_load;
    float length_unit; /* for your own scene: 1 */
    tr_breaking breaking;
    tr_sleep_settings sleep;
    tr2_contact_settings contacts; /* for your own scene: tr2_contact_settings_default(length_unit) */
    bool collide;                  /* whether the shapes collide; otherwise they are drawn and give mass */
    tr2_scene_body *bodies;
    uint32_t body_count;
    tr2_scene_joint *joints;
    uint32_t joint_count;
    tr2_scene_shape *shapes;
    uint32_t shape_count;
    tr_vec2 *vertices; /* m, in the body's frame */
    uint32_t vertex_count;
    char **notices; /* messages of the reader: unknown keys (once each), features not simulated, repairs */
    uint32_t notice_count;
} tr2_scene;

/* Frees a scene and all that it holds. Null is fine. */
TR_API void tr2_scene_destroy(tr2_scene *scene);

/*
 * Reads a scene from a file or from text; the format is recognised by the content. Messages name the text by `label`.
 * `error` may be null. On failure *out is untouched.
 * Errors: TR_ERROR_FILE, _PARSE (the message has file, line or JSON path, and what was expected), _MEMORY,
 * _UNSUPPORTED, _NULL.
 */
TR_API tr_status tr2_scene_load(const char *path, tr2_scene **out, tr_error *error);
TR_API tr_status tr2_scene_parse(const char *text, size_t size, const char *label, tr2_scene **out, tr_error *error);

/* Writes Trammel's own JSON, with every property; numbers read back to the same bits. The file is replaced atomically:
   on failure an old one stays as it was. TR_ERROR_NULL, _FILE, _NAN, _INFINITE, _RANGE (an index of the scene),
   _SELF_JOINT, _PARSE (a name that is not UTF-8), _MEMORY, _UNSUPPORTED. */
TR_API tr_status tr2_scene_save(const tr2_scene *scene, const char *path, tr_error *error);
/* The same as text; release it with free(). The same errors except _FILE. */
TR_API tr_status tr2_scene_write(const tr2_scene *scene, char **out, size_t *size, tr_error *error);

/*
 * Creates the scene's bodies, joints and, if `collide` is set, shapes in a world; all or none. Also sets the world's
 * gravity, method, sweeps, joint softness and direct_load to the scene's. To use other settings, set them afterwards.
 * The world must have the scene's length unit: make it with tr2_scene_world_def().
 * `bodies` and `joints` receive the ids, in the scene's order; both may be null.
 * Errors: TR_ERROR_NULL, _RANGE (an index of the scene; another length unit), and those of the world's calls. The
 * message names the invalid object as the file does.
 */
TR_API tr_status tr2_scene_build(const tr2_scene *scene, tr2_world *world, tr2_body *bodies, tr2_joint *joints,
                                 tr_error *error);
/* The same, with the ids of the shapes: `shapes` (tr2_scene_shape_id_count() entries) may be null. The ids of the
   scene's shape i follow those of shape i - 1; tr2_scene_shape_part_count() is the number of ids of one shape. */
TR_API tr_status tr2_scene_build_shapes(const tr2_scene *scene, tr2_world *world, tr2_body *bodies, tr2_joint *joints,
                                        tr2_shape *shapes, tr_error *error);
/* The number of shapes that the scene's shape i becomes in a world (a chain that collides on both sides becomes two
   chains). 0 past the end, and if the scene does not collide. tr2_scene_shape_id_count() is the sum over all shapes. */
TR_API uint32_t tr2_scene_shape_part_count(const tr2_scene *scene, uint32_t i);
TR_API uint32_t tr2_scene_shape_id_count(const tr2_scene *scene);

/*
 * Makes a scene from the current state of a world, to save it or to build it into another world. The scene has the
 * world's settings, and its bodies, joints and shapes in the order of their slots, each as its tr2_..._get() returns
 * it. It has no impulses, full turns of joint angles, contacts of trammel/contacts2.h, forces, quarantine and
 * no_warm_starting. Bodies have their current masses. Shapes that are built from a scene have density 0, so that these
 * masses stay. hertz and substeps are at their defaults. No other call on the world may run at the same time.
 * Errors: TR_ERROR_NULL, _MEMORY.
 */
TR_API tr_status tr2_scene_capture(const tr2_world *world, tr2_scene **out, tr_error *error);

/*
 * A snapshot of a running world (tr2_world_save(), docs/snapshots.md) in a file, and back. The file is replaced
 * atomically: on failure an old one stays as it was. `error` may be null.
 * Errors: TR_ERROR_NULL, _FILE, _MEMORY; those of tr2_world_restore(); _UNSUPPORTED also without scene readers.
 */
TR_API tr_status tr2_world_save_file(const tr2_world *world, const char *path, tr_error *error);
TR_API tr_status tr2_world_restore_file(tr2_world *world, const char *path, tr_error *error);

/*
 * Begins to record the calls that change a world (trammel/recording.h) into a file, which is made anew. What there is of
 * the log is in the file before each step, whatever becomes of the program. Its first 256 KiB are mapped into memory
 * until tr2_world_stop_recording() ends it: nothing may make the file shorter before. `error` may be null.
 * Errors: TR_ERROR_NULL, _FILE; those of tr2_world_record(); _UNSUPPORTED without scene readers.
 */
TR_API tr_status tr2_world_record_file(tr2_world *world, const char *path, tr_error *error);

/* The index of the first body, joint or shape of that name; UINT32_MAX if there is none. */
TR_API uint32_t tr2_scene_find_body(const tr2_scene *scene, const char *name);
TR_API uint32_t tr2_scene_find_joint(const tr2_scene *scene, const char *name);
TR_API uint32_t tr2_scene_find_shape(const tr2_scene *scene, const char *name);

/*
 * Sets `copies` of a scene beside itself, itself included: bodies, joints and shapes, `spacing` m apart in a row along x.
 * 0: as far as its bodies reach along x, and two units of length. Copies have no names. On failure the scene
 * is as it was.
 * Errors: TR_ERROR_NULL, _RANGE (no copy; a spacing that is negative, not finite or above 1e9 m), _LIMIT (more than
 * 2^31 - 1 of one kind), _MEMORY.
 */
TR_API tr_status tr2_scene_repeat(tr2_scene *scene, uint32_t copies, double spacing, tr_error *error);

/* A world definition with the scene's gravity, method, sweeps, joint softness, direct_load, length_unit and breaking;
   the rest at its default. */
TR_API tr2_world_def tr2_scene_world_def(const tr2_scene *scene);

/*
 * Generated scenes. `kind` is one of tr2_scene_generator_name(0 .. tr2_scene_generator_count() - 1): "grid" (size x
 * size bodies 1 m apart, revolutes to the right and below, seven static bodies in the middle of the top row), "chains"
 * (size chains of 20), "bridge" (size planks), "ragdolls" (size ragdolls of 11 bodies), "hub" (size bodies on one), and
 * scenes that collide: "pyramid", "pyramids", "column", "tower", "cards", "arch" stand; "tumbler", "rain", "heap",
 * "smash", "discs", "crowd", "debris" move. tr2_scene_generator_help() says what the size counts.
 * Errors: TR_ERROR_NULL, _RANGE (no such kind, size 0 or too large), _MEMORY.
 */
TR_API uint32_t tr2_scene_generator_count(void);
TR_API const char *tr2_scene_generator_name(uint32_t index); /* null past the end */
TR_API const char *tr2_scene_generator_help(uint32_t index); /* one line */
TR_API tr_status tr2_scene_generate(const char *kind, uint32_t size, tr2_scene **out, tr_error *error);

#ifdef __cplusplus
}
#endif

#endif
