/* Strict parsing of numbers, and messages about those that are wrong. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cli_number cli_parse_real(const char *text, double low, double high, double *out)
{
    /* strtod alone would accept leading blanks, words and hexadecimal */
    if (text[0] == 0 || strspn(text, "+-.0123456789eE") != strlen(text)) {
        return CLI_NUMBER_MALFORMED;
    }
    char *end = NULL;
    double value = strtod(text, &end);
    if (*end != 0 || end == text) {
        return CLI_NUMBER_MALFORMED;
    }
    /* a number beyond the doubles is read as an infinity */
    if (!isfinite(value) || value < low || value > high) {
        return CLI_NUMBER_OUT_OF_RANGE;
    }
    *out = value;
    return CLI_NUMBER_GOOD;
}

cli_number cli_parse_count(const char *text, uint32_t low, uint32_t high, uint32_t *out)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    if (digits[0] == 0 || strspn(digits, "0123456789") != strlen(digits)) {
        return CLI_NUMBER_MALFORMED;
    }
    errno = 0;
    unsigned long long value = strtoull(digits, NULL, 10);
    if (digits != text || errno != 0 || value < low || value > high) {
        return CLI_NUMBER_OUT_OF_RANGE;
    }
    *out = (uint32_t)value;
    return CLI_NUMBER_GOOD;
}

/* part k of a text that `between` divides; false if there is none, or it is too long */
static bool part_of(const char *text, char between, uint32_t k, char *part, size_t size)
{
    for (; k > 0; --k) {
        text = strchr(text, between);
        if (text == NULL) {
            return false;
        }
        ++text;
    }
    const char *end = strchr(text, between);
    size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    if (length >= size) {
        return false;
    }
    memcpy(part, text, length);
    part[length] = 0;
    return true;
}

cli_number cli_parse_reals(const char *text, char between, uint32_t least, uint32_t most, double low, double high,
                           double *out, uint32_t *count)
{
    char part[64];
    double values[CLI_REALS] = {0.0};
    uint32_t found = 1;
    cli_number worst = CLI_NUMBER_GOOD;
    for (const char *at = text; (at = strchr(at, between)) != NULL; ++at) {
        ++found;
    }
    if (found < least || found > most || found > CLI_REALS) {
        return CLI_NUMBER_MALFORMED;
    }
    for (uint32_t k = 0; k < found; ++k) {
        cli_number number = part_of(text, between, k, part, sizeof part) ? cli_parse_real(part, low, high, &values[k])
                                                                         : CLI_NUMBER_MALFORMED;
        if (number == CLI_NUMBER_MALFORMED) {
            return number;
        }
        worst = number != CLI_NUMBER_GOOD ? number : worst;
    }
    if (worst == CLI_NUMBER_GOOD) {
        memcpy(out, values, found * sizeof *out);
        *count = found;
    }
    return worst;
}

/* a bound as a person writes it: "1024", "1e9", "2147483647" */
static const char *bound(double value, char text[32])
{
    snprintf(text, 32, "%g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, 32, "%.10g", value);
    }
    char *exponent = strstr(text, "e+");
    if (exponent != NULL) {
        char *digits = exponent + 2 + strspn(exponent + 2, "0");
        memmove(exponent + 1, digits, strlen(digits) + 1);
    }
    return text;
}

static int refuse(const char *command, const char *option, cli_number number, const char *text, const char *what,
                  double low, double high, const char *also)
{
    char least[32], most[32];
    return cli_misuse(command, "--%s: '%s' is %s %s from %s to %s%s", option, text,
                      number == CLI_NUMBER_OUT_OF_RANGE ? "out of range: it must be" : "not", what, bound(low, least),
                      bound(high, most), also);
}

int cli_read_real(const char *command, const char *option, const char *text, const char *what, double low, double high,
                  const char *also, double *out)
{
    cli_number number = cli_parse_real(text, low, high, out);
    return number == CLI_NUMBER_GOOD ? CLI_OK : refuse(command, option, number, text, what, low, high, also);
}

int cli_read_count(const char *command, const char *option, const char *text, uint32_t low, uint32_t high,
                   const char *also, uint32_t *out)
{
    cli_number number = cli_parse_count(text, low, high, out);
    return number == CLI_NUMBER_GOOD ? CLI_OK
                                     : refuse(command, option, number, text, "a whole number", low, high, also);
}

int cli_read_reals(const char *command, const char *option, const char *text, const char *form, char between,
                   uint32_t least, uint32_t most, double low, double high, double *out, uint32_t *count)
{
    char part[64] = "", what[64];
    double ignored = 0.0;
    uint32_t found = 0;
    cli_number number = cli_parse_reals(text, between, least, most, low, high, out, &found);
    if (number == CLI_NUMBER_GOOD) {
        if (count != NULL) {
            *count = found;
        }
        return CLI_OK;
    }
    snprintf(what, sizeof what, "%s, each", form);
    /* name the number that is too small or too large */
    for (uint32_t k = 0; number == CLI_NUMBER_OUT_OF_RANGE && part_of(text, between, k, part, sizeof part); ++k) {
        if (cli_parse_real(part, low, high, &ignored) != CLI_NUMBER_GOOD) {
            text = part;
            break;
        }
    }
    return refuse(command, option, number, text, what, low, high, "");
}
