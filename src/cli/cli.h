/* The trammel program: functions common to its commands. Each command is one file with one entry point, which
   returns an exit code. */
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

/* Exit codes, as promised to scripts in docs/program.md. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,       /* a file, a scene, memory, an instruction set that this machine lacks */
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

/* Prints "trammel: " and the message on stderr; returns CLI_FAILED. */
int cli_fail(const char *format, ...) CLI_PRINTF(1, 2);
/* The same for errors of the command line, with a pointer to --help; returns CLI_USAGE. */
int cli_misuse(const char *command, const char *format, ...) CLI_PRINTF(2, 3);
/* Reports an error of getopt_long, given its return value ('?' or ':'). */
int cli_bad_option(const char *command, char **argv, int returned);

/* Parse a number that is the whole text, finite and within [low, high]; false otherwise, with *out unchanged. */
bool cli_parse_real(const char *text, double low, double high, double *out);
bool cli_parse_count(const char *text, uint32_t low, uint32_t high, uint32_t *out);
/* Parses two reals with one character between them: "0,-9.81". */
bool cli_parse_pair(const char *text, char between, double low, double high, double out[2]);

/* The length of the UTF-8 sequence at `text`; 0 if it is invalid. */
size_t cli_utf8_length(const unsigned char *text);
/* Replaces control characters and bytes that are not UTF-8 by question marks. */
void cli_clean_text(char *text);

/* The kind of generated scene named by the first `length` characters, or null; and the list of all kinds, "grid,
   chains, ...". */
const char *cli_find_kind(const char *text, size_t length);
const char *cli_kinds(char *text, size_t size);
/* The name of a scene's source for messages. */
const char *cli_source_name(const char *source);
/* Opens a scene from a file, from standard input ("-") or from a generator ("grid:100"). Reports errors on stderr. */
int cli_open_scene(const char *command, const char *source, tr2_scene **out);

/* Flushes stdout and reports a failure: the last call of every command. */
int cli_finish_output(int code);

#endif
