/* trammel info: describes a scene without simulating it. */
#include "cli/cli.h"
#include "cli/scenes.h"

void cli_info_help(FILE *stream)
{
    fputs("Says what is in a scene: bodies, joints, shapes, masses, extent, the solver's plan and the joint errors\n"
          "that it starts with.\n"
          "\n"
          "Usage: trammel info SCENE [--json]\n"
          "\n"
          "SCENE is a file (JSON, URDF, MJCF), '-' for standard input, or a generated scene such as grid:100 or "
          "sheet3d:30.\n"
          "\n"
          "Options:\n"
          "      --json  one JSON object instead of the table (keys: docs/program.md)\n"
          "  -h, --help  this text\n"
          "\n" CLI_ROBOT_HELP "\n"
          "Examples:\n"
          "  trammel info truck.json\n"
          "  trammel info robot.urdf\n"
          "  trammel generate bridge --size 200 | trammel info - --json\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, scene, memory); 2 wrong command line.\n",
          stream);
}

int cli_info(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 256},
        {"help", no_argument, NULL, 257},
        CLI_ROBOT_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    cli_robot_options robot = {0};
    bool json = false;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (option) {
        case 256:
            json = true;
            break;
        case 'h':
        case 257:
            cli_info_help(stdout);
            return cli_finish_output(CLI_OK);
        default:
            if (cli_is_robot_option(option)) {
                int code = cli_robot_option(&robot, "info", option, optarg);
                if (code != CLI_OK) {
                    return code;
                }
                break;
            }
            return cli_bad_option("info", argv, options, option);
        }
    }
    if (argc - optind != 1) {
        return cli_misuse("info", argc == optind ? "which scene?" : "one scene at a time; '%s' is one too many",
                          argc == optind ? "" : argv[optind + 1]);
    }
    cli_scene scene = {NULL, NULL};
    int code = cli_open_scene("info", argv[optind], &robot, true, &scene);
    if (code == CLI_OK) {
        code = scene.plane != NULL ? tr2_info_scene(scene.plane, argv[optind], json)
                                   : tr3_info_scene(scene.space, argv[optind], json);
    }
    cli_scene_free(&scene);
    return code == CLI_OK ? cli_finish_output(code) : code;
}
