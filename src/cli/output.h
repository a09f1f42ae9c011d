/* Files that are written whole or not at all: into a temporary beside the target, renamed when complete. */
#ifndef TR_CLI_OUTPUT_H
#define TR_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef enum output_kind {
    OUTPUT_CSV,      /* trajectory as text */
    OUTPUT_NPY,      /* trajectory as a NumPy array */
    OUTPUT_SVG,      /* strip of frames */
    OUTPUT_PNG,      /* strip of frames */
    OUTPUT_ANIMATED, /* an SVG that moves */
    OUTPUT_UNKNOWN
} output_kind;

typedef struct output {
    const char *path; /* as the user wrote it */
    output_kind kind;
    char *target;    /* what is replaced: the real path, links followed; null before output_resolve() */
    char *temporary; /* null when nothing is open */
    FILE *stream;
} output;

/* What the end of the name asks for: .csv .npy .png .svg .anim.svg, in any case. */
output_kind output_kind_of(const char *path);
static inline bool output_is_picture(output_kind kind)
{
    return kind == OUTPUT_SVG || kind == OUTPUT_PNG || kind == OUTPUT_ANIMATED;
}

/* Finds out which file the path means: two paths of one file have the same target. Says on stderr what is wrong. */
bool output_resolve(output *o);
/* Opens the temporary of what is resolved, so that a place that cannot be written is known before anything is computed. Says on stderr
   what is wrong. */
bool output_open(output *o);
/* Puts the file in its place. False, with a message and nothing left behind, where any write has failed. */
bool output_commit(output *o);
/* Removes the temporary and frees what the output holds; fine at any time. */
void output_discard(output *o);

#endif
