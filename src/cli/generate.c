/* trammel generate: writes a generated scene. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scenes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_generate_help(FILE *stream)
{
    fputs("Makes a scene, or reads one from a file of any format, and writes it as Trammel's JSON.\n"
          "\n"
          "Usage: trammel generate KIND --size N [-o FILE]\n"
          "       trammel generate SCENE [-o FILE]\n"
          "\n"
          "SCENE is a file (Trammel's JSON, R.U.B.E.'s, URDF, MJCF), or '-' for standard input.\n"
          "\n"
          "Kinds:\n",
          stream);
    for (uint32_t i = 0; i < tr2_scene_generator_count(); ++i) {
        fprintf(stream, "  %-12s%s\n", tr2_scene_generator_name(i), tr2_scene_generator_help(i));
    }
    fputs("\nKinds in space:\n", stream);
    for (uint32_t i = 0; i < tr3_scene_generator_count(); ++i) {
        fprintf(stream, "  %-12s%s\n", tr3_scene_generator_name(i), tr3_scene_generator_help(i));
    }
    fputs("\n"
          "Options:\n"
          "  -n, --size N       how large, from 1; what it counts is said above\n"
          "  -o, --output FILE  where to write; '-' or nothing: standard output. A file is replaced at\n"
          "                     once when it is complete, or not at all\n"
          "  -h, --help         this text\n"
          "\n" CLI_ROBOT_HELP "\n"
          "The same scenes can be run without a file: 'trammel run grid:100'.\n"
          "\n"
          "Examples:\n"
          "  trammel generate grid --size 100 -o grid.json\n"
          "  trammel generate ragdolls3d --size 9 -o ragdolls.json\n"
          "  trammel generate hub --size 5000 | trammel info -\n"
          "  trammel generate robot.urdf --fix-base -o robot.json\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, memory, built without scenes); 2 wrong command line.\n",
          stream);
}

/* prints the scene on standard output */
static int print_scene(const cli_scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    tr_error error = {TR_OK, ""};
    tr_status status = scene->plane != NULL ? tr2_scene_write(scene->plane, &text, &size, &error)
                                            : tr3_scene_write(scene->space, &text, &size, &error);
    if (status != TR_OK) {
        return cli_fail("%s", error.message);
    }
    progress_erase();
    fwrite(text, 1, size, stdout);
    if (size > 0 && text[size - 1] != '\n') {
        fputc('\n', stdout);
    }
    free(text);
    return CLI_OK;
}

int cli_generate(int argc, char **argv)
{
    static const struct option options[] = {
        {"size", required_argument, NULL, 256},
        {"output", required_argument, NULL, 257},
        {"help", no_argument, NULL, 258},
        CLI_ROBOT_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    const char *path = NULL;
    uint32_t size = 0;
    cli_robot_options robot = {0};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":n:o:h", options, NULL)) != -1;) {
        switch (option) {
        case 'n':
        case 256:
            if (cli_read_count("generate", "size", optarg, 1, INT32_MAX, "", &size) != CLI_OK) {
                return CLI_USAGE;
            }
            break;
        case 'o':
        case 257:
            path = strcmp(optarg, "-") == 0 ? NULL : optarg;
            break;
        case 'h':
        case 258:
            cli_generate_help(stdout);
            return cli_finish_output(CLI_OK);
        default:
            if (cli_is_robot_option(option)) {
                int code = cli_robot_option(&robot, "generate", option, optarg);
                if (code != CLI_OK) {
                    return code;
                }
                break;
            }
            return cli_bad_option("generate", argv, options, option);
        }
    }
    if (argc - optind != 1) {
        return cli_misuse("generate",
                          argc == optind ? "which kind of scene?" : "one kind of scene at a time; '%s' is one too many",
                          argc == optind ? "" : argv[optind + 1]);
    }
    const char *kind = argv[optind];
    const bool made = cli_find_kind(kind, strlen(kind)) != NULL, is_input = strcmp(kind, "-") == 0;
    if (!made && !is_input && access(kind, F_OK) != 0) {
        char kinds[CLI_KINDS_SIZE];
        cli_guess guess = {.wrong = kind};
        return cli_misuse("generate", "there is no kind or file '%s'%s; there are: %s", kind, cli_kind_hint(&guess),
                          cli_kinds(kinds, sizeof kinds));
    }
    if (made ? size == 0 || robot.given : size != 0) {
        return cli_misuse("generate", made && size == 0 ? "--size is missing"
                                      : made ? "--fix-base, --weld-fixed, --pose and --loop are for URDF and MJCF"
                                             : "--size is of generated scenes, not of files");
    }

    if (path != NULL && !output_check(path)) {
        return CLI_FAILED;
    }

    cli_scene scene = {NULL, NULL};
    tr_error error = {TR_OK, ""};
    int code = CLI_OK;
    if (made) {
        progress_note(true, "making %s:%u", kind, size);
        if (cli_make_scene(kind, size, &scene, &error) != TR_OK) {
            return error.status == TR_ERROR_RANGE ? cli_misuse("generate", "%s", error.message)
                                                  : cli_fail("%s", error.message);
        }
    } else {
        code = cli_open_scene("generate", kind, &robot, true, &scene);
    }
    if (made) {
        progress_note(true, "writing %s:%u", kind, size);
    } else {
        progress_note(true, "writing %s", cli_source_name(kind));
    }
    if (code == CLI_OK && path == NULL) {
        code = print_scene(&scene);
    } else if (code == CLI_OK && (scene.plane != NULL ? tr2_scene_save(scene.plane, path, &error)
                                                      : tr3_scene_save(scene.space, path, &error)) != TR_OK) {
        code = cli_fail("%s", error.message);
    }
    progress_erase();
    cli_scene_free(&scene);
    return code == CLI_OK ? cli_finish_output(code) : code;
}
