/*
 * Scenes in space: the contents of a scene file as plain arrays. tr3_scene_load() reads one, tr3_scene_build() puts it
 * into a world. The verbs, guarantees and errors are those of trammel/scene2.h.
 *
 * The file is Trammel's own JSON (docs/scene-format.md) with "dimension": 3, or a robot in URDF or MJCF
 * (docs/urdf-mjcf.md). tr_scene_load() reads a file of either dimension. In a library built without scene readers the
 * calls that read and write return TR_ERROR_UNSUPPORTED; built without expat it reads no URDF and MJCF.
 */
#ifndef TRAMMEL_SCENE3_H
#define TRAMMEL_SCENE3_H

#include "trammel/joints3.h"
#include "trammel/scene2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Solids of uniform density. They are drawn and give mass. They do not collide yet. */
typedef enum tr3_scene_shape_type {
    TR3_SCENE_SPHERE,   /* `center`, `radius` */
    TR3_SCENE_CAPSULE,  /* `from`, `to`: the ends of its axis; `radius` */
    TR3_SCENE_CYLINDER, /* `from`, `to`: the centres of its ends; `radius` */
    TR3_SCENE_BOX,      /* `center`, `rotation`, `half` */
    TR3_SCENE_SHAPE_TYPE_COUNT
} tr3_scene_shape_type;

/* Points are in m, in the body's frame. Members that the type does not have are zero, and `rotation` none. */
typedef struct tr3_scene_shape {
    tr3_scene_shape_type type;
    uint32_t body; /* index into bodies */
    tr_vec3 center;
    tr_quat rotation; /* of the box's axes to the body's frame */
    tr_vec3 half;     /* m, half of each edge */
    tr_vec3 from, to;
    float radius;  /* m */
    float density; /* kg/m^3; default of files: 1000 */
    uint64_t user_data;
    char *name; /* may be null */
} tr3_scene_shape;

typedef struct tr3_scene_body {
    tr3_body_def def;
    char *name; /* may be null */
} tr3_scene_body;

/* The ids in `def` are ignored: `body_a` and `body_b` index the scene's bodies. */
typedef struct tr3_scene_joint {
    tr3_joint_def def;
    uint32_t body_a, body_b;
    uint32_t carrier_a, carrier_b; /* of a GEAR or PULLEY: index + 1; 0: the world */
    char *name;                    /* may be null */
} tr3_scene_joint;

typedef struct tr3_scene {
    char *name;      /* may be null */
    char *format;    /* "trammel", "generated", "urdf", "mjcf" */
    tr_vec3 gravity; /* m/s^2 */
    double hertz;    /* steps per second */
    uint32_t substeps;
    tr_method method; /* as in tr3_world_def */
    uint32_t sweeps;
    float joint_frequency; /* as in tr3_world_def */
    float joint_damping_ratio;
    float direct_load;
    float length_unit; /* for your own scene: 1 */
    tr_breaking breaking;
    tr_sleep_settings sleep;
    tr3_scene_body *bodies;
    uint32_t body_count;
    tr3_scene_joint *joints;
    uint32_t joint_count;
    tr3_scene_shape *shapes;
    uint32_t shape_count;
    char **notices; /* messages of the reader: unknown keys, and what it left out (once each) */
    uint32_t notice_count;
} tr3_scene;

/* Frees a scene and all that it holds. Null is fine. */
TR_API void tr3_scene_destroy(tr3_scene *scene);

/*
 * Reads a scene from a file or from text. What begins neither as XML nor as a JSON object is taken for a robot if its
 * name ends as that of one (.urdf, .xml, .mjcf). Messages name the text by `label`. `error` may be null. On failure
 * *out is untouched.
 * Errors: TR_ERROR_FILE, _PARSE (the message has file, line or JSON path, and what was expected; also a scene of the
 * plane), _MEMORY, _UNSUPPORTED, _NULL.
 */
TR_API tr_status tr3_scene_load(const char *path, tr3_scene **out, tr_error *error);
TR_API tr_status tr3_scene_parse(const char *text, size_t size, const char *label, tr3_scene **out, tr_error *error);

/* The same for a scene of either dimension: sets one of the two to the scene, and the other to null. */
TR_API tr_status tr_scene_load(const char *path, tr2_scene **plane, tr3_scene **space, tr_error *error);
TR_API tr_status tr_scene_parse(const char *text, size_t size, const char *label, tr2_scene **plane, tr3_scene **space,
                                tr_error *error);

/*
 * URDF and MJCF. tr3_scene_load() reads them with the default options. docs/urdf-mjcf.md says what becomes of each
 * element; what is left out is in `notices`, with its line.
 */

/* A joint that closes a loop, which URDF cannot say. It holds at the start pose. Links that fixed joints have made one
   body cannot be joined. */
typedef struct tr3_import_loop {
    const char *body_a, *body_b; /* names of links (URDF) or bodies (MJCF) */
    tr3_joint_type type;         /* TR3_JOINT_BALL, _HINGE, _SLIDER or _WELD */
    tr_vec3 anchor;              /* m, in the frame of A's link; of a slider a point of its line */
    tr_vec3 axis;                /* in the frame of A's link, of any length but 0; not read of a weld */
    const char *name;            /* of the joint; may be null */
} tr3_import_loop;

typedef struct tr3_import_options {
    bool fix_base;        /* roots (URDF), and bodies that would move freely (MJCF), are static; default false */
    bool weld_fixed;      /* bodies that a file fixes to each other are welded; default false: they are one body */
    const char *keyframe; /* MJCF: the name of the pose to start from; null, the default: that of the bodies */
    const tr3_import_loop *loops;
    uint32_t loop_count;
    const char *loops_file; /* path of a JSON file with further loops (docs/urdf-mjcf.md); null, the default: none */
} tr3_import_options;

TR_API tr3_import_options tr3_import_options_default(void);

/*
 * Reads a robot from a file or from text, as tr3_scene_load() and tr3_scene_parse(). `options` may be null: the default.
 * An MJCF text cannot include files. Errors: as tr3_scene_load(), also TR_ERROR_PARSE (neither URDF nor MJCF; the
 * message has file, line, element and attribute; or that of the loop in its file), TR_ERROR_RANGE (a keyframe, or a link
 * of a loop, that is not there; a type of joint that closes no loop), _SELF_JOINT (a loop within one body), _ZERO (a
 * loop's axis), _NAN, _INFINITE, and for text, too, _FILE (a loops_file that cannot be read).
 */
TR_API tr_status tr3_scene_import(const char *path, const tr3_import_options *options, tr3_scene **out,
                                  tr_error *error);
TR_API tr_status tr3_scene_import_text(const char *text, size_t size, const char *label,
                                       const tr3_import_options *options, tr3_scene **out, tr_error *error);

/* Writes Trammel's own JSON, with every property; numbers read back to the same bits. The file is replaced atomically:
   on failure an old one stays as it was. TR_ERROR_NULL, _FILE, _NAN, _INFINITE, _RANGE (an index of the scene),
   _SELF_JOINT, _PARSE (a name that is not UTF-8), _MEMORY, _UNSUPPORTED. */
TR_API tr_status tr3_scene_save(const tr3_scene *scene, const char *path, tr_error *error);
/* The same as text; release it with free(). The same errors except _FILE. */
TR_API tr_status tr3_scene_write(const tr3_scene *scene, char **out, size_t *size, tr_error *error);

/*
 * Writes a robot. docs/urdf-mjcf.md says what becomes of what, and what the formats cannot say. Bodies and joints have
 * their names, or "body 3", "joint 3" by index; a name that there is already gets its index, and what XML cannot hold is
 * written as \u0001. Poses are those of the start.
 * `notices` may be null; otherwise it receives what is lost, one sentence in each line, which names bodies or joints; ""
 * if nothing is. Release text and notices with free(). On failure nothing is made, and an old file stays as it was.
 * Errors: as tr3_scene_save() and tr3_scene_write(), also TR_ERROR_ZERO (an axis or a rotation), _RANGE (no such format).
 */
typedef enum tr3_export_format { TR3_EXPORT_URDF, TR3_EXPORT_MJCF, TR3_EXPORT_FORMAT_COUNT } tr3_export_format;

TR_API tr_status tr3_scene_export(const tr3_scene *scene, tr3_export_format format, const char *path, char **notices,
                                  tr_error *error);
TR_API tr_status tr3_scene_export_text(const tr3_scene *scene, tr3_export_format format, char **out, size_t *size,
                                       char **notices, tr_error *error);

/*
 * Creates the scene's bodies and joints in a world; all or none. Also sets the world's gravity, method, sweeps, joint
 * softness and direct_load to the scene's. To use other settings, set them afterwards. The world must have the scene's
 * length unit: make it with tr3_scene_world_def().
 * `bodies` and `joints` receive the ids, in the scene's order; both may be null.
 * Errors: TR_ERROR_NULL, _RANGE (an index of the scene; another length unit), and those of the world's calls. The
 * message names the invalid object as the file does.
 */
TR_API tr_status tr3_scene_build(const tr3_scene *scene, tr3_world *world, tr3_body *bodies, tr3_joint *joints,
                                 tr_error *error);

/*
 * Makes a scene from the current state of a world, to save it or to build it into another world. The scene has the
 * world's settings, and its bodies and joints in the order of their slots, each as its tr3_..._get() returns it. It has
 * no impulses, full turns of joint angles, forces, quarantine and no_warm_starting, and no shapes: a world in space has
 * none. hertz and substeps are at their defaults. No other call on the world may run at the same time.
 * Errors: TR_ERROR_NULL, _MEMORY.
 */
TR_API tr_status tr3_scene_capture(const tr3_world *world, tr3_scene **out, tr_error *error);

/*
 * A snapshot of a running world (tr3_world_save(), docs/snapshots.md) in a file, and back. The file is replaced
 * atomically: on failure an old one stays as it was. `error` may be null.
 * Errors: TR_ERROR_NULL, _FILE, _MEMORY; those of tr3_world_restore(); _UNSUPPORTED also without scene readers.
 */
TR_API tr_status tr3_world_save_file(const tr3_world *world, const char *path, tr_error *error);
TR_API tr_status tr3_world_restore_file(tr3_world *world, const char *path, tr_error *error);

/*
 * Begins to record the calls that change a world (trammel/recording.h) into a file, which is made anew. What there is of
 * the log is in the file before each step, whatever becomes of the program. Its first 256 KiB are mapped into memory
 * until tr3_world_stop_recording() ends it: nothing may make the file shorter before. `error` may be null.
 * Errors: TR_ERROR_NULL, _FILE; those of tr3_world_record(); _UNSUPPORTED without scene readers.
 */
TR_API tr_status tr3_world_record_file(tr3_world *world, const char *path, tr_error *error);

/* The index of the first body, joint or shape of that name; UINT32_MAX if there is none. */
TR_API uint32_t tr3_scene_find_body(const tr3_scene *scene, const char *name);
TR_API uint32_t tr3_scene_find_joint(const tr3_scene *scene, const char *name);
TR_API uint32_t tr3_scene_find_shape(const tr3_scene *scene, const char *name);

/*
 * Sets `copies` of a scene beside itself, itself included: bodies, joints and shapes, `spacing` m apart in a
 * square along x and across it, on the level.
 * 0: as far as its bodies reach along x, and two units of length. Copies have no names. On failure the scene
 * is as it was.
 * Errors: TR_ERROR_NULL, _RANGE (no copy; a spacing that is negative, not finite or above 1e9 m), _LIMIT (more than
 * 2^31 - 1 of one kind), _MEMORY.
 */
TR_API tr_status tr3_scene_repeat(tr3_scene *scene, uint32_t copies, double spacing, tr_error *error);

/* A world definition with the scene's gravity, method, sweeps, joint softness, direct_load, length_unit and breaking;
   the rest at its default. */
TR_API tr3_world_def tr3_scene_world_def(const tr3_scene *scene);

/*
 * Generated scenes in space. `kind` is one of tr3_scene_generator_name(0 .. tr3_scene_generator_count() - 1): "sheet3d"
 * (size x size bodies 1 m apart, the first row static, balls to the right and below), "lattice3d" (size x size x size
 * bodies, the top layer static), "chains3d" (size chains of 20), "bridge3d" (size planks on hinges), "hub3d" (size
 * bodies on one), "ragdolls3d" (size ragdolls of 11 bodies), "quadrupeds3d" (size robots with four
 * legs). tr3_scene_generator_help() says what the size counts.
 * Errors: TR_ERROR_NULL, _RANGE (no such kind, size 0 or too large), _MEMORY.
 */
TR_API uint32_t tr3_scene_generator_count(void);
TR_API const char *tr3_scene_generator_name(uint32_t index); /* null past the end */
TR_API const char *tr3_scene_generator_help(uint32_t index); /* one line */
TR_API tr_status tr3_scene_generate(const char *kind, uint32_t size, tr3_scene **out, tr_error *error);

#ifdef __cplusplus
}
#endif

#endif
