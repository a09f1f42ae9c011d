/* Options for URDF and MJCF. */
#include "cli/robot_options.h"
#include "cli/cli.h"

#include <string.h>

/* A:B:X,Y,Z */
static int read_loop(cli_robot_options *robot, const char *command, char *value)
{
    double point[3];
    char *first = strchr(value, ':'), *last = strrchr(value, ':');
    if (robot->loop_count == CLI_ROBOT_LOOPS) {
        return cli_misuse(command, "--loop: at most %u of them", CLI_ROBOT_LOOPS);
    }
    if (first == NULL || first == last || first == value || last == first + 1) {
        return cli_misuse(command, "--loop: '%s' is not A:B:X,Y,Z, two links and a point of the first", value);
    }
    int code =
        cli_read_reals(command, "loop", last + 1, "A:B:X,Y,Z with a point in m", ',', 3, 3, -1e9, 1e9, point, NULL);
    if (code != CLI_OK) {
        return code;
    }
    *first = *last = 0;
    robot->loops[robot->loop_count++] = (tr3_import_loop){.body_a = value,
                                                          .body_b = first + 1,
                                                          .type = TR3_JOINT_BALL,
                                                          .anchor = {(float)point[0], (float)point[1], (float)point[2]},
                                                          .axis = {1.0f, 0.0f, 0.0f}};
    return CLI_OK;
}

int cli_robot_option(cli_robot_options *robot, const char *command, int option, char *value)
{
    robot->given = true;
    switch (option) {
    case CLI_ROBOT_FIX_BASE:
        robot->import.fix_base = true;
        return CLI_OK;
    case CLI_ROBOT_WELD_FIXED:
        robot->import.weld_fixed = true;
        return CLI_OK;
    case CLI_ROBOT_POSE:
        robot->import.keyframe = value;
        return CLI_OK;
    default:
        return read_loop(robot, command, value);
    }
}

tr3_import_options cli_robot_import(const cli_robot_options *robot)
{
    tr3_import_options options = robot->import;
    options.loops = robot->loops;
    options.loop_count = robot->loop_count;
    return options;
}
