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
    CLI_DIFFERS = 4,      /* a replay had other bits than the recording */
    CLI_INTERRUPTED = 130 /* stopped by the keyboard; no file was written */
};

int cli_run(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_generate(int argc, char **argv);
int cli_replay(int argc, char **argv);

void cli_run_help(FILE *stream);
void cli_info_help(FILE *stream);
void cli_generate_help(FILE *stream);
void cli_replay_help(FILE *stream);

/* Prints "trammel: " and the message on stderr; returns CLI_FAILED. */
int cli_fail(const char *format, ...) CLI_PRINTF(1, 2);
/* The same for errors of the command line, with a pointer to --help; returns CLI_USAGE. */
int cli_misuse(const char *command, const char *format, ...) CLI_PRINTF(2, 3);
/* Reports an error of getopt_long, given the command's options and the return value ('?' or ':'). An unknown option is
   reported with the likely one. */
int cli_bad_option(const char *command, char **argv, const struct option *options, int returned);

/*
 * What a mistyped name was likely to be: cli_guess() is told each name that would be right, and keeps the one with the
 * smallest edit distance. Begins as {wrong text}.
 */
typedef struct cli_guess {
    const char *wrong;
    const char *likely; /* null: no name is close */
    uint32_t distance;  /* of `likely` */
    char hint[64];      /* for cli_guess_hint() */
} cli_guess;

/* Considers a name, whose text must outlive the guess. */
void cli_guess_name(cli_guess *guess, const char *name);
/* " (did you mean PREFIXNAME?)", or an empty text if no name is close. Valid as long as the guess. */
const char *cli_guess_hint(cli_guess *guess, const char *prefix);

/* What is wrong with a number in a text. */
typedef enum cli_number {
    CLI_NUMBER_GOOD,
    CLI_NUMBER_MALFORMED,   /* not a number of that kind, or more than a number */
    CLI_NUMBER_OUT_OF_RANGE /* a number, but not within [low, high] */
} cli_number;

/* Parse a number that is the whole text, finite and within [low, high]; otherwise *out is unchanged. */
cli_number cli_parse_real(const char *text, double low, double high, double *out);
cli_number cli_parse_count(const char *text, uint32_t low, uint32_t high, uint32_t *out);
/* Parses `least` to `most` reals with one character between them: "0,-9.81". *count is how many there are. At most
   CLI_REALS. */
#define CLI_REALS 3u
cli_number cli_parse_reals(const char *text, char between, uint32_t least, uint32_t most, double low, double high,
                           double *out, uint32_t *count);

/* The same for the value of an option. On failure: CLI_USAGE, with a message that says what is wrong and the range.
   `what` is the value's kind ("a time in seconds"); `also` follows the range (" (automatic)"), or is empty. */
int cli_read_real(const char *command, const char *option, const char *text, const char *what, double low, double high,
                  const char *also, double *out);
int cli_read_count(const char *command, const char *option, const char *text, uint32_t low, uint32_t high,
                   const char *also, uint32_t *out);
/* `form` is how they are written: "X,Y". `count` may be null. */
int cli_read_reals(const char *command, const char *option, const char *text, const char *form, char between,
                   uint32_t least, uint32_t most, double low, double high, double *out, uint32_t *count);

/* Reads one of several names; on failure, CLI_USAGE, with a message that has the list and the likely one. */
int cli_read_name(const char *command, const char *option, const char *text, const char *const *names, uint32_t count,
                  uint32_t *chosen);
/* The same for an instruction set; and chooses one: that of the option --isa, or, if that is null, of the environment.
   Unlike the library, reports one that is not available. */
int cli_read_isa(const char *command, const char *text, tr_isa *out);
int cli_choose_isa(const tr_isa *option);

/* The length of the UTF-8 sequence at `text`; 0 if it is invalid. */
size_t cli_utf8_length(const unsigned char *text);
/* Replaces control characters and bytes that are not UTF-8 by question marks. */
void cli_clean_text(char *text);

/* The kind of generated scene, of either dimension, named by the first `length` characters, or null; and the list of
   all kinds, "grid, chains, ...". */
const char *cli_find_kind(const char *text, size_t length);
const char *cli_kinds(char *text, size_t size);
#define CLI_KINDS_SIZE 512 /* enough for that list */
/* The hint about a kind that does not exist: see cli_guess_hint(). */
const char *cli_kind_hint(cli_guess *guess);
/* The name of a scene's source for messages. */
const char *cli_source_name(const char *source);
/* Flushes stdout and reports a failure: the last call of every command. */
int cli_finish_output(int code);

#endif
