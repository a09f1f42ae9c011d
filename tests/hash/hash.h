/* The scenes whose states are hashed: how each is made, and what it needs before each step. */
#ifndef TR_TESTS_HASH_H
#define TR_TESTS_HASH_H

#include "trammel/trammel.h"

enum { MOST_HASHES = 16 };

/* of a world, after 1, 3, 10, 30, 100, ... steps and after the last */
typedef struct hash_list {
    uint32_t count;
    long step[MOST_HASHES];
    uint64_t state[MOST_HASHES];
} hash_list;

/* the step after `last` whose state is hashed: a run of fewer steps is compared with the beginning of a longer one */
static inline long next_hashed(long last)
{
    return last % 3 == 0 ? last / 3 * 10 : 3 * last;
}

/* Rows of bodies, each joined to the next by a joint of the next type, with and without features; a hub of 400 spokes;
   a heavy chain and a light hub, whose islands are solved directly. */
tr_status make_mixed(tr2_world *world, uint32_t rows);

/* Rows of bodies with shapes of every kind, which fall onto what stands still and what is moved. */
tr_status make_shapes(tr2_world *world, uint32_t rows);

/* Discs that fall into a box; their contacts are found here, in plain arithmetic that is the same everywhere. */
typedef struct discs discs;

discs *discs_create(void); /* null: no memory */
void discs_destroy(discs *d);
tr_status discs_make(discs *d, tr2_world *world, uint32_t count); /* at most 1,600 */
tr_status discs_find(discs *d, tr2_world *world);                 /* before each step */

/* In space: a sheet of balls and rows of the first types of joints with all their features; or rows of the types from
   the cylindrical on; or of screws, gears and pulleys; or of circles, and hinges with inerters; or arms whose balls
   press on their limits; `size` of each. Or boxes and balls that fall. */
typedef enum space_kind {
    SPACE_COMMON,
    SPACE_FRAMED,
    SPACE_RATIOS,
    SPACE_LINKS,
    SPACE_ARMS,
    SPACE_LANDINGS
} space_kind;
tr_status make_space(tr3_world *world, uint32_t size, space_kind kind);

/* The contacts of those that fall are found here, in plain arithmetic that is the same everywhere. */
typedef struct landings landings;

landings *landings_create(void); /* null: no memory */
void landings_destroy(landings *it);
tr_status landings_make(landings *it, tr3_world *world, uint32_t count); /* at most 256 */
tr_status landings_find(landings *it, tr3_world *world);                 /* before each step */

/* steps such a world; false after a message */
bool hash_space(uint32_t size, uint32_t threads, long steps, space_kind kind, hash_list *out);

#endif
