/* The colours of joints. */
#ifndef TR_CLI_PALETTE_H
#define TR_CLI_PALETTE_H

#include "cli/core/snapshot.h"

#define PALETTE_LEVELS 32u
#define PALETTE_IDS    256u

typedef struct palette {
    color_mode mode;
    double low, high;          /* N; COLOR_FORCE: the ends of the logarithmic scale */
    uint32_t colors;           /* COLOR_GRAPH: number of colours */
    uint32_t ids[PALETTE_IDS]; /* COLOR_GRAPH: the first of them, ascending; the plan's numbers have gaps */
} palette;

palette trn_palette_fit(const film *f, const trn_scene *scene);
/* The colour level of a joint. Joints of one level share a colour; higher levels are drawn above lower ones. */
uint32_t trn_palette_level(const palette *p, const trn_scene *scene, const snapshot *s, uint32_t joint);
uint32_t trn_palette_color(const palette *p, uint32_t level);
/* The colour of a type, 0xRRGGBB; from the type's file in solver/joints2 or joints3. */
uint32_t trn_type_color(trn_joint_type type);

#endif
