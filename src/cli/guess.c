/* The likely name for a mistyped one, by edit distance. */
#include "cli/cli.h"

#include <string.h>

#define LONGEST 63u /* longer names are not compared */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * The number of letters to insert, delete, replace or swap with their neighbour that make `a` into `b` (optimal string
 * alignment distance). cost[i % 3][k]: of the first i letters of `a` and the first k of `b`.
 */
static uint32_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t cost[3][LONGEST + 1];
    for (size_t k = 0; k <= b_length; ++k) {
        cost[0][k] = (uint32_t)k;
    }
    for (size_t i = 1; i <= a_length; ++i) {
        uint32_t *now = cost[i % 3];
        const uint32_t *before = cost[(i + 2) % 3], *two_before = cost[(i + 1) % 3];
        now[0] = (uint32_t)i;
        for (size_t k = 1; k <= b_length; ++k) {
            uint32_t replaced = before[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
            now[k] = least(replaced, least(before[k], now[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
                now[k] = least(now[k], two_before[k - 2] + 1);
            }
        }
    }
    return cost[a_length % 3][b_length];
}

void cli_guess_name(cli_guess *guess, const char *name)
{
    size_t wrong = strlen(guess->wrong), right = strlen(name);
    if (wrong == 0 || wrong > LONGEST || right > LONGEST) {
        return;
    }
    /* a third of the letters may be wrong; among equals the first name stays */
    uint32_t distance = edit_distance(guess->wrong, wrong, name, right);
    size_t longer = wrong > right ? wrong : right;
    if (3u * distance <= longer + 1 && (guess->likely == NULL || distance < guess->distance)) {
        guess->likely = name;
        guess->distance = distance;
    }
}

const char *cli_guess_hint(cli_guess *guess, const char *prefix)
{
    guess->hint[0] = 0;
    if (guess->likely != NULL) {
        snprintf(guess->hint, sizeof guess->hint, " (did you mean %s%s?)", prefix, guess->likely);
    }
    return guess->hint;
}

int cli_read_name(const char *command, const char *option, const char *text, const char *const *names, uint32_t count,
                  uint32_t *chosen)
{
    char list[160] = "";
    cli_guess guess = {.wrong = text};
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(text, names[i]) == 0) {
            *chosen = i;
            return CLI_OK;
        }
        size_t used = strlen(list);
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", between, names[i]);
        cli_guess_name(&guess, names[i]);
    }
    return cli_misuse(command, "--%s: '%s' is not %s%s", option, text, list, cli_guess_hint(&guess, ""));
}

int cli_read_isa(const char *command, const char *text, tr_isa *out)
{
    const char *names[TR_ISA_COUNT];
    uint32_t chosen = 0;
    for (int i = 0; i < TR_ISA_COUNT; ++i) {
        names[i] = tr_isa_name((tr_isa)i);
    }
    int code = cli_read_name(command, "isa", text, names, TR_ISA_COUNT, &chosen);
    *out = (tr_isa)chosen;
    return code;
}

int cli_bad_option(const char *command, char **argv, const struct option *options, int returned)
{
    /* long options have values above the characters, so optopt tells the cases apart */
    const char *text = argv[optind - 1];
    if (returned == ':') {
        return cli_misuse(command, "option '%s' needs a value", text);
    }
    if (optopt >= 256) {
        return cli_misuse(command, "option '%s' takes no value", text);
    }
    if (optopt != 0) {
        return cli_misuse(command, "unknown option '-%c'", optopt);
    }

    /* a part of several names, or a name that is none */
    char name[LONGEST + 1], matches[160] = "";
    const char *start = text + strspn(text, "-");
    size_t length = strcspn(start, "="), used = 0;
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, start);
    cli_guess guess = {.wrong = name};
    for (const struct option *o = options; o->name != NULL; ++o) {
        cli_guess_name(&guess, o->name);
        if (length > 0 && strncmp(o->name, start, length) == 0 && used < sizeof matches) {
            int added = snprintf(matches + used, sizeof matches - used, "%s--%s", used > 0 ? ", " : "", o->name);
            used += added > 0 ? (size_t)added : 0;
        }
    }
    if (used > 0) {
        return cli_misuse(command, "option '%s' is ambiguous: %s", text, matches);
    }
    return cli_misuse(command, "unknown option '%s'%s", text, cli_guess_hint(&guess, "--"));
}
