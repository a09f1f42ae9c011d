/*
 * Prints the state hashes of eleven scenes after 1, 3, 10, 30, 100, ... steps and after the last, on the instruction
 * set that is in use (TRAMMEL_ISA chooses): a grid of revolutes, ragdolls, every type of joint with a hub, contacts of
 * a host, shapes that collide (whose events are part of the hash), and in space joints in five worlds, and contacts of
 * a host. The output is the same for every compiler, machine and instruction set; each scene is run on 1, 2, ...
 * threads, which must agree. No test framework: it is built for machines that have none.
 *
 * Usage: trammel-hash [STEPS [THREADS [small]]]; 300 steps, on 1 to 2 threads; small scenes are for processors that are
 * emulated. Exit codes: 1 failed, or the threads disagree; 2 wrong command line; 77 TRAMMEL_ISA is not available here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_threads.h"
#include "hash.h"

typedef enum scene_kind { GENERATED, MIXED, DISCS, SHAPES, SPACE } scene_kind;

typedef struct hashed_scene {
    const char *name;
    scene_kind kind;
    uint32_t size[2]; /* full and small */
    space_kind space; /* of SPACE */
} hashed_scene;

static const hashed_scene scenes[] = {
    {"grid", GENERATED, {65, 20}, SPACE_COMMON},    {"ragdolls", GENERATED, {730, 70}, SPACE_COMMON},
    {"mixed", MIXED, {36, 4}, SPACE_COMMON},        {"contacts", DISCS, {1600, 240}, SPACE_COMMON},
    {"shapes", SHAPES, {36, 6}, SPACE_COMMON},      {"space", SPACE, {48, 12}, SPACE_COMMON},
    {"frames", SPACE, {12, 4}, SPACE_FRAMED},       {"ratios", SPACE, {24, 8}, SPACE_RATIOS},
    {"landings", SPACE, {200, 24}, SPACE_LANDINGS}, {"links", SPACE, {24, 8}, SPACE_LINKS},
    {"arms", SPACE, {48, 12}, SPACE_ARMS}};

static tr_status generate(const char *name, uint32_t size, tr2_world *world)
{
    tr2_scene *scene = NULL;
    tr_status status = tr2_scene_generate(name, size, &scene, NULL);
    if (status == TR_OK)
        status = tr2_scene_build(scene, world, NULL, NULL, NULL);
    tr2_scene_destroy(scene);
    return status;
}

static tr_status make(const hashed_scene *it, uint32_t size, tr2_world *world, discs *falling)
{
    switch (it->kind) {
    case MIXED:
        return make_mixed(world, size);
    case DISCS:
        return discs_make(falling, world, size);
    case SHAPES:
        return make_shapes(world, size);
    case GENERATED:
    case SPACE:
        break;
    }
    return generate(it->name, size, world);
}

/* what happened in the step, in its order, mixed into what happened before (the multiplier of FNV-1a, 64 bits) */
static uint64_t with_touches(uint64_t hash, const tr2_world *world)
{
    tr2_touch_view touches = tr2_world_touches(world);
    for (uint32_t i = 0; i < touches.count; i++) {
        const tr2_touch_event *event = &touches.event[i];
        uint64_t about[4] = {event->kind, event->shape_a.index, event->shape_b.index, 0};
        memcpy(&about[3], &event->point.x, sizeof about[3]);
        for (int k = 0; k < 4; k++)
            hash = (hash ^ about[k]) * 0x100000001b3u;
    }
    return hash;
}

static tr_status run(tr2_world *world, discs *falling, long steps, hash_list *out)
{
    long next = 1;
    uint64_t happened = 0;
    for (long i = 1; i <= steps; i++) {
        tr_status status = falling != NULL ? discs_find(falling, world) : TR_OK;
        if (status == TR_OK)
            status = tr2_world_step(world, 1.0 / 60.0, 4);
        if (status != TR_OK)
            return status;
        happened = with_touches(happened, world);
        if (i != next && i != steps)
            continue;
        out->step[out->count] = i;
        out->state[out->count++] = tr2_world_state_hash(world) ^ happened;
        next = i == next ? next_hashed(next) : next;
    }
    return TR_OK;
}

/* false after a message */
static bool hashes_of(const hashed_scene *it, bool small, uint32_t threads, long steps, hash_list *out)
{
    if (it->kind == SPACE)
        return hash_space(it->size[small], threads, steps, it->space, out);
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.threads = threads;
    discs *falling = it->kind == DISCS ? discs_create() : NULL;
    tr_status status = it->kind == DISCS && falling == NULL ? TR_ERROR_MEMORY : tr2_world_create(&def, &world, NULL);
    if (status == TR_OK)
        step_on_all_threads(world);
    if (status == TR_OK)
        status = make(it, it->size[small], world, falling);
    /* what is hashed is motion */
    const tr_sleep_settings awake = {.enable = false};
    if (status == TR_OK)
        status = tr2_world_set_sleep(world, &awake);
    if (status == TR_OK)
        status = run(world, falling, steps, out);
    if (status != TR_OK)
        fprintf(stderr, "%s: %s: %s\n", it->name, tr_status_name(status), tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    discs_destroy(falling);
    return status == TR_OK;
}

static bool print_scene(const hashed_scene *it, bool small, long steps, uint32_t threads)
{
    hash_list one = {0};
    if (!hashes_of(it, small, 1, steps, &one))
        return false;
    for (uint32_t t = 2; t <= threads; t++) {
        hash_list other = {0};
        if (!hashes_of(it, small, t, steps, &other))
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
    bool small = argc > 3 && strcmp(argv[3], "small") == 0;
    if (steps < 1 || threads < 1 || threads > 64 || argc > 4 || (argc > 3 && !small)) {
        fprintf(stderr, "usage: trammel-hash [STEPS [THREADS [small]]]\n");
        return 2;
    }
    const size_t count = sizeof scenes / sizeof scenes[0];
    for (size_t i = 0; i < count; i++)
        if (!print_scene(&scenes[i], small, steps, (uint32_t)threads))
            return 1;
    return 0;
}
