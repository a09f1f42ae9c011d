/* The trammel program: what its commands share. A command is one file with one entry point that returns an exit code.
 */
#ifndef TR_CLI_CLI_H
#define TR_CLI_CLI_H

#include "trammel/trammel.h"

#include <getopt.h>
#include <stdio.h>

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Exit codes, as docs/program.md promises them to scripts. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,       /* a file, a scene, memory, an instruction set that is not here */
    CLI_USAGE = 2,        /* the command line */
    CLI_NONFINITE = 3,    /* the simulation ended with bodies that are no longer finite */
    CLI_INTERRUPTED = 130 /* stopped by the keyboard; no file was written */
};

int cli_run(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_generate(int argc, char **argv);

void cli_run_help(FILE *stream);
void cli_info_help(FILE *stream);
void cli_generate_help(FILE *stream);

/* "trammel: " and a sentence on stderr; returns CLI_FAILED. */
int cli_fail(const char *format, ...) CLI_PRINTF(1, 2);
/* The same for the command line, with a pointer to --help; returns CLI_USAGE. */
int cli_misuse(const char *command, const char *format, ...) CLI_PRINTF(2, 3);
/* Says what getopt_long did not like, from what it returned ('?' or ':'). */
int cli_bad_option(const char *command, char **argv, int returned);

/* Numbers of the command line: the whole text, finite, within [low, high]; false and *out untouched otherwise. */
bool cli_parse_real(const char *text, double low, double high, double *out);
bool cli_parse_count(const char *text, uint32_t low, uint32_t high, uint32_t *out);
/* Two reals with one character between them: "0,-9.81". */
bool cli_parse_pair(const char *text, char between, double low, double high, double out[2]);

/* The length of the UTF-8 sequence at `text`; 0 where it is none. */
size_t cli_utf8_length(const unsigned char *text);
/* Puts question marks in place of bytes that are not UTF-8 and of control characters. */
void cli_clean_text(char *text);

/* The name of the kind of made scene that `length` characters are, or null; and all of them, "grid, chains, ...". */
const char *cli_find_kind(const char *text, size_t length);
const char *cli_kinds(char *text, size_t size);
/* What a scene's source is called in messages. */
const char *cli_source_name(const char *source);
/* A scene from a file, from standard input ("-") or made on the spot ("grid:100"). Says what is wrong on stderr. */
int cli_open_scene(const char *command, const char *source, tr2_scene **out);

/* Flushes stdout and says so where that failed: the last thing that a command does. */
int cli_finish_output(int code);

#endif
