/*
 * Prints the state hashes of four scenes after 1, 10, 100, ... steps and after the last, on the instruction set that is in
 * use (TRAMMEL_ISA chooses): a grid of revolutes, ragdolls, every type of joint with a hub, contacts. The output is the same for
 * every compiler, machine and instruction set; each scene is run on 1, 2, ... threads, which must agree. No test
 * framework: it is built for machines that have none.
 *
 * Usage: trammel-hash [STEPS [THREADS]]; 300 steps, on 1 to 2 threads. Exit codes: 1 failed, or the threads disagree;
 * 2 wrong command line; 77 TRAMMEL_ISA is not available here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hash.h"

enum { MOST_HASHES = 16 };

typedef struct hashes {
    uint32_t count;
    long step[MOST_HASHES];
    uint64_t state[MOST_HASHES];
} hashes;

/* enough joints that a step takes eight threads; contacts take four */
typedef struct hashed_scene {
    const char *name;
    uint32_t size; /* of what is generated; 0: made here */
} hashed_scene;

static const hashed_scene scenes[] = {{"grid", 65}, {"ragdolls", 730}, {"mixed", 0}, {"contacts", 0}};

static tr_status make(const hashed_scene *it, tr2_world *world, discs *falling)
{
    if (falling != NULL)
        return discs_make(falling, world);
    if (it->size == 0)
        return make_mixed(world);
    tr2_scene *scene = NULL;
    tr_status status = tr2_scene_generate(it->name, it->size, &scene, NULL);
    if (status == TR_OK)
        status = tr2_scene_build(scene, world, NULL, NULL, NULL);
    tr2_scene_destroy(scene);
    return status;
}

static tr_status run(tr2_world *world, discs *falling, long steps, hashes *out)
{
    long next = 1;
    for (long i = 1; i <= steps; i++) {
        tr_status status = falling != NULL ? discs_find(falling, world) : TR_OK;
        if (status == TR_OK)
            status = tr2_world_step(world, 1.0 / 60.0, 4);
        if (status != TR_OK)
            return status;
        if (i != next && i != steps)
            continue;
        out->step[out->count] = i;
        out->state[out->count++] = tr2_world_state_hash(world);
        next = i == next ? 10 * next : next;
    }
    return TR_OK;
}

/* false after a message */
static bool hashes_of(const hashed_scene *it, bool contacts, uint32_t threads, long steps, hashes *out)
{
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.threads = threads;
    discs *falling = contacts ? discs_create() : NULL;
    tr_status status = contacts && falling == NULL ? TR_ERROR_MEMORY : tr2_world_create(&def, &world, NULL);
    if (status == TR_OK)
        status = make(it, world, falling);
    if (status == TR_OK)
        status = run(world, falling, steps, out);
    if (status != TR_OK)
        fprintf(stderr, "%s: %s: %s\n", it->name, tr_status_name(status), tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    discs_destroy(falling);
    return status == TR_OK;
}

static bool print_scene(const hashed_scene *it, bool contacts, long steps, uint32_t threads)
{
    hashes one = {0};
    if (!hashes_of(it, contacts, 1, steps, &one))
        return false;
    for (uint32_t t = 2; t <= threads; t++) {
        hashes other = {0};
        if (!hashes_of(it, contacts, t, steps, &other))
            return false;
        for (uint32_t i = 0; i < one.count; i++) {
            if (other.state[i] != one.state[i]) {
                fprintf(stderr, "%s: on %u threads another state after %ld steps\n", it->name, t, one.step[i]);
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < one.count; i++)
        printf("%s %ld %016" PRIx64 "\n", it->name, one.step[i], one.state[i]);
    return true;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("TRAMMEL_ISA");
    tr_isa isa;
    if (wanted != NULL && (!tr_isa_from_name(wanted, &isa) || !tr_isa_available(isa)))
        return 77;
    long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 300, threads = argc > 2 ? strtol(argv[2], NULL, 10) : 2;
    if (steps < 1 || threads < 1 || threads > 64) {
        fprintf(stderr, "usage: trammel-hash [STEPS [THREADS]]\n");
        return 2;
    }
    const size_t count = sizeof scenes / sizeof scenes[0];
    for (size_t i = 0; i < count; i++)
        if (!print_scene(&scenes[i], i + 1 == count, steps, (uint32_t)threads))
            return 1;
    return 0;
}
