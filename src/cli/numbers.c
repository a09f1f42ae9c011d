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

/* copies what is before `between`; null if there is no such character or too much text */
static const char *second_of(const char *text, char between, char *first, size_t size)
{
    const char *cut = strchr(text, between);
    if (cut == NULL || (size_t)(cut - text) >= size) {
        return NULL;
    }
    memcpy(first, text, (size_t)(cut - text));
    first[cut - text] = 0;
    return cut + 1;
}

cli_number cli_parse_pair(const char *text, char between, double low, double high, double out[2])
{
    char first[64];
    const char *second = second_of(text, between, first, sizeof first);
    if (second == NULL) {
        return CLI_NUMBER_MALFORMED;
    }
    double pair[2] = {0.0, 0.0};
    cli_number x = cli_parse_real(first, low, high, &pair[0]), y = cli_parse_real(second, low, high, &pair[1]);
    if (x == CLI_NUMBER_MALFORMED || y == CLI_NUMBER_MALFORMED) {
        return CLI_NUMBER_MALFORMED;
    }
    if (x != CLI_NUMBER_GOOD || y != CLI_NUMBER_GOOD) {
        return CLI_NUMBER_OUT_OF_RANGE;
    }
    out[0] = pair[0];
    out[1] = pair[1];
    return CLI_NUMBER_GOOD;
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

int cli_read_pair(const char *command, const char *option, const char *text, const char *form, char between, double low,
                  double high, double out[2])
{
    char first[64] = "", what[64];
    double ignored = 0.0;
    cli_number number = cli_parse_pair(text, between, low, high, out);
    if (number == CLI_NUMBER_GOOD) {
        return CLI_OK;
    }
    snprintf(what, sizeof what, "%s, each", form);
    if (number == CLI_NUMBER_OUT_OF_RANGE) {
        /* name the number that is too small or too large */
        const char *second = second_of(text, between, first, sizeof first);
        bool is_first = second == NULL || cli_parse_real(first, low, high, &ignored) != CLI_NUMBER_GOOD;
        text = is_first ? first : second;
    }
    return refuse(command, option, number, text, what, low, high, "");
}
