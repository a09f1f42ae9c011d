/* What the blocks of C in the documents take for granted (docs/README.md): a world, and bodies named for what they are.
   Everything else a block declares itself. */
#ifndef TR_TESTS_DOCUMENTS_BLOCKS_H
#define TR_TESTS_DOCUMENTS_BLOCKS_H

#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

extern tr2_world *world;
extern tr2_body ground, box, body, crate, cab, car, wheel, slider, bead, puck, pinion, rack, driver, driven;
extern tr2_body frame, door, arm, post, load, counterweight;

#endif
