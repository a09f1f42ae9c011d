/* Options for URDF and MJCF. */
#include "cli/robot_options.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* the last part of a text, which it is cut off from; null: there is none */
static char *cut_last(char *text)
{
    char *colon = strrchr(text, ':');
    if (colon == NULL) {
        return NULL;
    }
    *colon = 0;
    return colon + 1;
}

/* the type of a loop by its name, or TR3_JOINT_TYPE_COUNT */
static tr3_joint_type loop_type(const char *name)
{
    static const tr3_joint_type types[] = {TR3_JOINT_BALL, TR3_JOINT_HINGE, TR3_JOINT_SLIDER, TR3_JOINT_WELD};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        if (strcmp(name, tr3_joint_type_name(types[i])) == 0) {
            return types[i];
        }
    }
    return TR3_JOINT_TYPE_COUNT;
}

/* whether so many colons are left, so that a part is no name of a link */
static bool has_colons(const char *text, int count)
{
    for (; *text != 0; ++text) {
        count -= *text == ':' ? 1 : 0;
    }
    return count <= 0;
}

/* A:B:X,Y,Z, and what closes the loop: :ball, :weld, :hinge:X,Y,Z or :slider:X,Y,Z with an axis */
static int read_loop(cli_robot_options *robot, const char *command, char *value)
{
    static const char form[] =
        "A:B:X,Y,Z, two links and a point of the first, or with :hinge:X,Y,Z, :slider:X,Y,Z or :weld after it";
    tr3_import_loop loop = {.type = TR3_JOINT_BALL, .axis = {1.0f, 0.0f, 0.0f}};
    double point[3], axis[3] = {1.0, 0.0, 0.0};
    char whole[256];
    if (robot->loop_count == CLI_ROBOT_LOOPS) {
        return cli_misuse(command, "--loop: at most %u of them", CLI_ROBOT_LOOPS);
    }
    snprintf(whole, sizeof whole, "%s", value);
    char *last = cut_last(value), *along = NULL;
    if (last != NULL && has_colons(value, 2) && loop_type(last) != TR3_JOINT_TYPE_COUNT) {
        loop.type = loop_type(last);
        last = cut_last(value);
    } else if (last != NULL && has_colons(value, 3)) {
        char *type = strrchr(value, ':') + 1;
        if (loop_type(type) != TR3_JOINT_TYPE_COUNT) {
            loop.type = loop_type(type);
            along = last;
            (void)cut_last(value);
            last = cut_last(value);
        }
    }
    const bool aligned = loop.type == TR3_JOINT_HINGE || loop.type == TR3_JOINT_SLIDER;
    char *colon = strchr(value, ':');
    if (last == NULL || colon == NULL || colon == value || colon[1] == 0 || aligned != (along != NULL)) {
        return cli_misuse(command, "--loop: '%s' is not %s", whole, form);
    }
    int code = cli_read_reals(command, "loop", last, "A:B:X,Y,Z with a point in m", ',', 3, 3, -1e9, 1e9, point, NULL);
    if (code == CLI_OK && along != NULL) {
        code = cli_read_reals(command, "loop", along, "an axis X,Y,Z", ',', 3, 3, -1e9, 1e9, axis, NULL);
    }
    if (code != CLI_OK) {
        return code;
    }
    *colon = 0;
    loop.body_a = value;
    loop.body_b = colon + 1;
    loop.anchor = (tr_vec3){(float)point[0], (float)point[1], (float)point[2]};
    loop.axis = (tr_vec3){(float)axis[0], (float)axis[1], (float)axis[2]};
    robot->loops[robot->loop_count++] = loop;
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
    case CLI_ROBOT_LOOPS_FILE:
        robot->import.loops_file = value;
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
