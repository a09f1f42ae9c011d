/* A scene of either dimension, and what the commands do with it. */
#ifndef TR_CLI_SCENES_H
#define TR_CLI_SCENES_H

#include "cli/robot_options.h"
#include "cli/run_options.h"
#include "trammel/trammel.h"

/* One of the two is null. */
typedef struct cli_scene {
    tr2_scene *plane;
    tr3_scene *space;
} cli_scene;

static inline void cli_scene_free(cli_scene *scene)
{
    tr2_scene_destroy(scene->plane);
    tr3_scene_destroy(scene->space);
}

/* Opens a scene from a file, from standard input ("-") or from a generator ("grid:100"). Reports errors on stderr; with
   `show`, a terminal there sees what is under way. `robot`: options that only URDF and MJCF have. */
int cli_open_scene(const char *command, const char *source, const cli_robot_options *robot, bool show, cli_scene *out);

/* Reads a whole file; free *out. Reports errors on stderr. */
int cli_read_file(const char *path, char **out, size_t *size);
/* Reads a snapshot, and makes a scene of what is in it, which says what there is to report and to draw. Frees nothing:
   free *out. Reports errors on stderr. */
int cli_open_snapshot(const char *path, char **out, size_t *size, cli_scene *scene);
/* The scene of a snapshot (core/state.c). */
tr_status tr2_state_open(const void *state, size_t size, tr2_scene **out, tr_error *error);
tr_status tr3_state_open(const void *state, size_t size, tr3_scene **out, tr_error *error);

/* `trammel run` after its options (core/run_scene.c): an exit code. Changes the scene as the options say. */
int tr2_run_scene(run_options *o, tr2_scene *scene);
int tr3_run_scene(run_options *o, tr3_scene *scene);

/* `trammel info` after its options (core/info_scene.c). */
int tr2_info_scene(const tr2_scene *scene, const char *source, bool json);
int tr3_info_scene(const tr3_scene *scene, const char *source, bool json);

#endif
