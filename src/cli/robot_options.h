/* Options of the commands that read a scene, for URDF and MJCF. */
#ifndef TR_CLI_ROBOT_OPTIONS_H
#define TR_CLI_ROBOT_OPTIONS_H

#include "trammel/trammel.h"

#include <getopt.h>

#define CLI_ROBOT_LOOPS 64u

/* Begins zero. `given`: there were any. */
typedef struct cli_robot_options {
    bool given;
    tr3_import_options import; /* without the loops: see cli_robot_import() */
    tr3_import_loop loops[CLI_ROBOT_LOOPS];
    uint32_t loop_count;
} cli_robot_options;

/* Values of the long options; the first is above those that commands use themselves. */
enum {
    CLI_ROBOT_FIX_BASE = 1024,
    CLI_ROBOT_WELD_FIXED,
    CLI_ROBOT_POSE,
    CLI_ROBOT_LOOP,
    CLI_ROBOT_LOOPS_FILE,
    CLI_ROBOT_END
};

/* clang-format off */
#define CLI_ROBOT_LONG_OPTIONS                                                                                         \
    {"fix-base", no_argument, NULL, CLI_ROBOT_FIX_BASE},                                                               \
    {"weld-fixed", no_argument, NULL, CLI_ROBOT_WELD_FIXED},                                                           \
    {"pose", required_argument, NULL, CLI_ROBOT_POSE},                                                                 \
    {"loop", required_argument, NULL, CLI_ROBOT_LOOP},                                                                 \
    {"loops", required_argument, NULL, CLI_ROBOT_LOOPS_FILE}

#define CLI_ROBOT_HELP                                                                                                 \
    "Robots (URDF, MJCF; docs/urdf-mjcf.md):\n"                                                                        \
    "      --fix-base       the base does not move\n"                                                                  \
    "      --weld-fixed     links that are fixed to each other are welded; else they are one body\n"                   \
    "      --pose NAME      start from this keyframe of an MJCF file\n"                                                \
    "      --loop A:B:X,Y,Z a ball joint between links A and B, at a point of A; as often as you like. With\n"             \
    "                       :hinge:X,Y,Z, :slider:X,Y,Z (an axis in A's frame) or :weld after it, that joint\n"        \
    "      --loops FILE     such joints from a JSON file: {\"loops\": [{\"body_a\": \"A\", \"body_b\": \"B\",\n"          \
    "                       \"type\": \"hinge\", \"anchor\": [X, Y, Z], \"axis\": [X, Y, Z]}, ...]}\n"
/* clang-format on */

static inline bool cli_is_robot_option(int option)
{
    return option >= CLI_ROBOT_FIX_BASE && option < CLI_ROBOT_END;
}

/* Takes one of these options; `value` must outlive it and is split in place. CLI_OK, or CLI_USAGE after a message. */
int cli_robot_option(cli_robot_options *robot, const char *command, int option, char *value);
/* The options as tr3_scene_import() takes them; valid as long as `robot`. */
tr3_import_options cli_robot_import(const cli_robot_options *robot);

#endif
