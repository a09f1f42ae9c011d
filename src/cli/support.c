/* Messages, texts and the sources of scenes. */
#include "base/stream.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/scenes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_fail(const char *format, ...)
{
    va_list arguments;
    progress_erase();
    va_start(arguments, format);
    fputs("trammel: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return CLI_FAILED;
}

int cli_misuse(const char *command, const char *format, ...)
{
    va_list arguments;
    progress_erase();
    va_start(arguments, format);
    fprintf(stderr, "trammel%s%s: ", command[0] != 0 ? " " : "", command);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nTry 'trammel%s%s --help'.\n", command[0] != 0 ? " " : "", command);
    va_end(arguments);
    return CLI_USAGE;
}

size_t cli_utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        size_t length;
    } forms[] = {{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                 {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    /* overlong forms and surrogates are invalid */
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; ++f) {
        if (text[0] < forms[f].low || text[0] > forms[f].high) {
            continue;
        }
        for (size_t i = 1; i < forms[f].length; ++i) {
            unsigned char low = i == 1 ? forms[f].second_low : 0x80, high = i == 1 ? forms[f].second_high : 0xbf;
            if (text[i] < low || text[i] > high) {
                return 0;
            }
        }
        return forms[f].length;
    }
    return 0;
}

void cli_clean_text(char *text)
{
    while (*text != 0) {
        size_t length = cli_utf8_length((const unsigned char *)text);
        if (length == 0 || (unsigned char)*text < 0x20) {
            *text = '?';
            length = 1;
        }
        text += length;
    }
}

int cli_choose_isa(const tr_isa *option)
{
    const char *source = option != NULL ? "--isa" : "TRAMMEL_ISA";
    const char *name = option != NULL ? tr_isa_name(*option) : getenv("TRAMMEL_ISA");
    tr_isa isa = TR_ISA_SCALAR;
    if (name == NULL || name[0] == 0 || (tr_isa_from_name(name, &isa) && tr_set_isa(isa) == TR_OK)) {
        return CLI_OK;
    }
    char names[128] = "";
    for (int i = 0; i < TR_ISA_COUNT; ++i) {
        if (tr_isa_available((tr_isa)i)) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, " %s", tr_isa_name((tr_isa)i));
        }
    }
    return cli_fail("%s: %s is not available here; there are:%s", source, name, names);
}

/* the name of kind `i` of both dimensions; null past the end */
static const char *kind_name(uint32_t i)
{
    uint32_t plane = tr2_scene_generator_count();
    return i < plane ? tr2_scene_generator_name(i) : tr3_scene_generator_name(i - plane);
}

const char *cli_find_kind(const char *text, size_t length)
{
    const char *name;
    for (uint32_t i = 0; (name = kind_name(i)) != NULL; ++i) {
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            return name;
        }
    }
    return NULL;
}

const char *cli_kind_hint(cli_guess *guess)
{
    const char *name;
    for (uint32_t i = 0; (name = kind_name(i)) != NULL; ++i) {
        cli_guess_name(guess, name);
    }
    return cli_guess_hint(guess, "");
}

const char *cli_kinds(char *text, size_t size)
{
    size_t used = 0;
    const char *name;
    text[0] = 0;
    for (uint32_t i = 0; (name = kind_name(i)) != NULL && used < size; ++i) {
        int length = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
        used += length > 0 ? (size_t)length : 0;
    }
    return text;
}

/* TR_ERROR_RANGE, _MEMORY */
static tr_status make_scene(const char *kind, uint32_t size, cli_scene *out, tr_error *error)
{
    for (uint32_t i = 0; i < tr3_scene_generator_count(); ++i) {
        if (strcmp(tr3_scene_generator_name(i), kind) == 0) {
            return tr3_scene_generate(kind, size, &out->space, error);
        }
    }
    return tr2_scene_generate(kind, size, &out->plane, error);
}

const char *cli_source_name(const char *source)
{
    return strcmp(source, "-") == 0 ? "standard input" : source;
}

static void read_standard_input(const cli_robot_options *robot, cli_scene *out, tr_error *error)
{
    const tr3_import_options import = cli_robot_import(robot);
    char *text = NULL;
    size_t size = 0;
    const char *name = cli_source_name("-");
    error->status = tr_read_stream(stdin, &text, &size);
    if (error->status == TR_OK && robot->given) {
        error->status = tr3_scene_import_text(text, size, name, &import, &out->space, error);
    } else if (error->status == TR_OK) {
        (void)tr_scene_parse(text, size, name, &out->plane, &out->space, error);
    } else {
        const char *reason = error->status == TR_ERROR_MEMORY ? "not enough memory to read it" : strerror(errno);
        snprintf(error->message, sizeof error->message, "%s: %s", name, reason);
    }
    free(text);
}

/* reports a missing file, with a hint if the name looks like a generated scene's without a size */
static int explain_missing(const char *command, const char *source, const tr_error *error)
{
    char kinds[CLI_KINDS_SIZE], kind[32];
    /* kinds in space end in a digit and a letter */
    size_t letters = strspn(source, "abcdefghijklmnopqrstuvwxyz0123456789");
    const char *rest = source + letters;
    snprintf(kind, sizeof kind, "%.*s", letters < sizeof kind ? (int)letters : (int)sizeof kind - 1, source);
    cli_guess guess = {.wrong = kind};
    if (*rest == 0 && cli_find_kind(source, letters) != NULL) {
        return cli_misuse(command, "%s (a generated scene has a size: '%s:100')", error->message, source);
    }
    if (letters > 0 && *rest == ':' && strspn(rest + 1, "0123456789") == strlen(rest + 1)) {
        return cli_misuse(command, "'%s' is no file, and '%.*s' no kind of generated scene%s; there are: %s", source,
                          (int)letters, source, cli_kind_hint(&guess), cli_kinds(kinds, sizeof kinds));
    }
    return cli_fail("%s", error->message);
}

static int open_scene(const char *command, const char *source, const cli_robot_options *robot, cli_scene *out)
{
    const tr3_import_options import = cli_robot_import(robot);
    tr_error error = {TR_OK, ""};
    size_t length = strcspn(source, ":");
    const char *kind = source[length] == ':' ? cli_find_kind(source, length) : NULL;

    if (source[0] == 0) {
        return cli_misuse(command,
                          "the scene's name is empty; give a file, '-' for standard input, or a generated scene "
                          "such as 'grid:100'");
    }
    if (strcmp(source, "-") == 0) {
        read_standard_input(robot, out, &error);
    } else if (kind != NULL && robot->given) {
        return cli_misuse(command,
                          "--fix-base, --weld-fixed, --pose, --loop and --loops are for URDF and MJCF, not for '%s'",
                          source);
    } else if (kind != NULL) {
        uint32_t size = 0;
        if (cli_parse_count(source + length + 1, 1, INT32_MAX, &size) != CLI_NUMBER_GOOD) {
            return cli_misuse(command, "'%s': after '%s:' goes a size, a whole number from 1 to %d", source, kind,
                              INT32_MAX);
        }
        if (make_scene(kind, size, out, &error) == TR_ERROR_RANGE) {
            return cli_misuse(command, "%s", error.message);
        }
    } else if ((robot->given ? tr3_scene_import(source, &import, &out->space, &error)
                             : tr_scene_load(source, &out->plane, &out->space, &error)) == TR_ERROR_FILE &&
               access(source, F_OK) != 0) {
        return explain_missing(command, source, &error);
    }
    if (error.status == TR_OK) {
        return CLI_OK;
    }
    return cli_fail("%s", error.message[0] != 0 ? error.message : tr_status_name(error.status));
}

int cli_open_scene(const char *command, const char *source, const cli_robot_options *robot, bool show, cli_scene *out)
{
    bool made = source[strcspn(source, ":")] == ':' && cli_find_kind(source, strcspn(source, ":")) != NULL;
    progress_note(show, "%s %s", made ? "making" : "reading", cli_source_name(source));
    int code = open_scene(command, source, robot, out);
    progress_erase();
    return code;
}

int cli_read_file(const char *path, char **out, size_t *size)
{
    FILE *file = fopen(path, "rb");
    tr_status status = file != NULL ? tr_read_stream(file, out, size) : TR_ERROR_FILE;
    int code = status == TR_OK ? CLI_OK
                               : cli_fail("%s: %s", path,
                                          status == TR_ERROR_MEMORY ? "not enough memory to read it" : strerror(errno));
    if (file != NULL) {
        fclose(file);
    }
    return code;
}

int cli_open_snapshot(const char *path, char **out, size_t *size, cli_scene *scene)
{
    tr_error error = {TR_OK, ""};
    int code = cli_read_file(path, out, size);
    if (code != CLI_OK) {
        return code;
    }
    tr_status status = tr2_state_open(*out, *size, &scene->plane, &error);
    if (status == TR_ERROR_UNSUPPORTED) {
        status = tr3_state_open(*out, *size, &scene->space, &error);
    }
    return status == TR_OK ? CLI_OK : cli_fail("%s: %s", path, error.message);
}

int cli_finish_output(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        /* no message if the reader of the pipe has closed it */
        if (errno != EPIPE) {
            cli_fail("cannot write to standard output: %s", strerror(errno));
        }
        return CLI_FAILED;
    }
    return code;
}
