/* Output files that are written completely or not at all: to a temporary file in the same folder, renamed when
   complete. */
#ifndef TR_CLI_OUTPUT_H
#define TR_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef enum output_kind {
    OUTPUT_CSV,      /* trajectory as text */
    OUTPUT_NPY,      /* trajectory as a NumPy array */
    OUTPUT_SVG,      /* strip of frames */
    OUTPUT_PNG,      /* strip of frames */
    OUTPUT_ANIMATED, /* animated SVG */
    OUTPUT_SNAPSHOT, /* the state of the world */
    OUTPUT_SCENE,    /* the state of the world as a scene */
    OUTPUT_LOG,      /* of calls; written while the world runs, in its place */
    OUTPUT_UNKNOWN
} output_kind;

typedef struct output {
    const char *path; /* as on the command line */
    output_kind kind;
    char *target;    /* the path to replace, with links resolved; null before output_resolve() */
    char *temporary; /* null if nothing is open */
    FILE *stream;
} output;

/* The kind by the end of the name: .csv .npy .png .svg .anim.svg, in any case. */
output_kind output_kind_of(const char *path);
static inline bool output_is_picture(output_kind kind)
{
    return kind == OUTPUT_SVG || kind == OUTPUT_PNG || kind == OUTPUT_ANIMATED;
}

/* Whether a file can be written at `path`; if not, says why on stderr. It tries and leaves no trace, so that a missing
   folder is found before the computation. Devices and pipes pass. */
bool output_check(const char *path);
/* Resolves the path, so that two paths of the same file have the same target, and checks it likewise. Refuses anything
   but a regular file. Reports errors on stderr. */
bool output_resolve(output *o);
/* Opens the temporary file of a resolved output. Reports errors on stderr. */
bool output_open(output *o);
/* Renames the file to its target. If any write failed: false, with a message, and removes the temporary file. */
bool output_commit(output *o);
/* Removes the temporary file and frees the output's memory; may be called in any state. */
void output_discard(output *o);

#endif
