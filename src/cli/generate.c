/* trammel generate: writes a scene, which it makes or reads. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scenes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void cli_generate_help(FILE *stream)
{
    fputs("Makes a scene, or reads one from a file of any format, and writes it as Trammel's JSON, URDF or MJCF.\n"
          "\n"
          "Usage: trammel generate KIND --size N [-o FILE] [--format NAME]\n"
          "       trammel generate SCENE [-o FILE] [--format NAME]\n"
          "\n"
          "SCENE is a file (Trammel's JSON, R.U.B.E.'s, URDF, MJCF), '-' for standard input, or a kind\n"
          "with its size: grid:100.\n"
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
          "      --format NAME  json, urdf or mjcf; by default as the file ends: .urdf, .xml and .mjcf, else\n"
          "                     json. What URDF and MJCF cannot say is listed on standard error\n"
          "  -h, --help         this text\n"
          "\n" CLI_ROBOT_HELP "\n"
          "The same scenes can be run without a file: 'trammel run grid:100'.\n"
          "\n"
          "Examples:\n"
          "  trammel generate grid --size 100 -o grid.json\n"
          "  trammel generate ragdolls3d --size 9 -o ragdolls.json\n"
          "  trammel generate hub --size 5000 | trammel info -\n"
          "  trammel generate robot.urdf --fix-base -o robot.json\n"
          "  trammel generate legs.xml -o legs.urdf\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, memory, built without scenes); 2 wrong command line.\n",
          stream);
}

/* How to write: Trammel's own format, or a robot's. */
enum { FORMAT_JSON, FORMAT_URDF, FORMAT_MJCF, FORMAT_COUNT };
static const char *const format_names[FORMAT_COUNT] = {"json", "urdf", "mjcf"};

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), size = strlen(end);
    return length > size && strcasecmp(path + length - size, end) == 0;
}

static uint32_t format_of(const char *path)
{
    if (path == NULL) {
        return FORMAT_JSON;
    }
    return ends_with(path, ".urdf")                              ? FORMAT_URDF
           : ends_with(path, ".xml") || ends_with(path, ".mjcf") ? FORMAT_MJCF
                                                                 : FORMAT_JSON;
}

/* prints a text on standard output */
static int print_text(char *text, size_t size)
{
    progress_erase();
    fwrite(text, 1, size, stdout);
    if (size > 0 && text[size - 1] != '\n') {
        fputc('\n', stdout);
    }
    free(text);
    return CLI_OK;
}

/* on standard output, or into a file */
static int write_own(const cli_scene *scene, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    tr_error error = {TR_OK, ""};
    tr_status status;
    if (path != NULL) {
        status = scene->plane != NULL ? tr2_scene_save(scene->plane, path, &error)
                                      : tr3_scene_save(scene->space, path, &error);
    } else {
        status = scene->plane != NULL ? tr2_scene_write(scene->plane, &text, &size, &error)
                                      : tr3_scene_write(scene->space, &text, &size, &error);
    }
    if (status != TR_OK) {
        return cli_fail("%s", error.message);
    }
    return path != NULL ? CLI_OK : print_text(text, size);
}

/* the same as a robot; says what is lost */
static int write_robot(const cli_scene *scene, const char *path, tr3_export_format format)
{
    char *text = NULL, *notices = NULL;
    size_t size = 0;
    tr_error error = {TR_OK, ""};
    if (scene->space == NULL) {
        return cli_fail("URDF and MJCF are of space, and this is a scene of the plane");
    }
    tr_status status = path != NULL ? tr3_scene_export(scene->space, format, path, &notices, &error)
                                    : tr3_scene_export_text(scene->space, format, &text, &size, &notices, &error);
    if (status != TR_OK) {
        return cli_fail("%s", error.message);
    }
    progress_erase();
    for (char *line = notices, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        cli_clean_text(line);
        fprintf(stderr, "trammel: %s\n", line);
    }
    free(notices);
    return path != NULL ? CLI_OK : print_text(text, size);
}

static int write_scene(const cli_scene *scene, const char *path, uint32_t format)
{
    return format == FORMAT_JSON ? write_own(scene, path)
                                 : write_robot(scene, path, format == FORMAT_URDF ? TR3_EXPORT_URDF : TR3_EXPORT_MJCF);
}

int cli_generate(int argc, char **argv)
{
    static const struct option options[] = {
        {"size", required_argument, NULL, 256},
        {"output", required_argument, NULL, 257},
        {"help", no_argument, NULL, 258},
        {"format", required_argument, NULL, 259},
        CLI_ROBOT_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    const char *path = NULL;
    uint32_t size = 0, format = FORMAT_COUNT;
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
        case 259:
            if (cli_read_name("generate", "format", optarg, format_names, FORMAT_COUNT, &format) != CLI_OK) {
                return CLI_USAGE;
            }
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
    /* a kind and --size are one way to say "grid:100" */
    const char *source = argv[optind];
    char sized[64];
    const char *colon = strchr(source, ':');
    const bool kind = cli_find_kind(source, strcspn(source, ":")) != NULL, is_input = strcmp(source, "-") == 0;
    if (colon == NULL && !kind && !is_input && access(source, F_OK) != 0) {
        char kinds[CLI_KINDS_SIZE];
        cli_guess guess = {.wrong = source};
        return cli_misuse("generate", "there is no kind or file '%s'%s; there are: %s", source, cli_kind_hint(&guess),
                          cli_kinds(kinds, sizeof kinds));
    }
    if (kind && colon == NULL) {
        if (size == 0) {
            return cli_misuse("generate", "--size is missing");
        }
        snprintf(sized, sizeof sized, "%s:%u", source, size);
        source = sized;
    } else if (size != 0) {
        return cli_misuse("generate",
                          kind ? "'%s' says its size, and --size is one too many"
                               : "--size is of generated scenes, and '%s' is none",
                          source);
    }

    if (path != NULL && !output_check(path)) {
        return CLI_FAILED;
    }

    cli_scene scene = {NULL, NULL};
    int code = cli_open_scene("generate", source, &robot, true, &scene);
    if (code == CLI_OK) {
        progress_note(true, "writing %s", cli_source_name(source));
        code = write_scene(&scene, path, format < FORMAT_COUNT ? format : format_of(path));
    }
    progress_erase();
    cli_scene_free(&scene);
    return code == CLI_OK ? cli_finish_output(code) : code;
}
