/*
 * Fuzzes the scene readers of both dimensions, the writers and the builders: whatever parses is written, parsed again
 * and written again, and the two texts must be equal; a world takes all of it or nothing. Built by preset `fuzz` with
 * libFuzzer's main; with TR_FUZZ_REPLAY defined the file is only the target, for tests that replay a corpus.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/trammel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what, const tr_error *error)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", what, error->message);
    abort();
}

#define IN(name) tr2_##name
#include "fuzz_scene.inl"
#undef IN
#define IN(name) tr3_##name
#include "fuzz_scene.inl"
#undef IN

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_error error = {TR_OK, ""};
    tr2_scene *plane = NULL;
    tr3_scene *space = NULL;
    tr_status status = tr_scene_parse((const char *)data, size, "fuzz", &plane, &space, &error);
    if (status != TR_OK) {
        require(plane == NULL && space == NULL && error.status == status && error.message[0] != '\0',
                "failure without a reason", &error);
        return 0;
    }
    require((plane == NULL) != (space == NULL), "a scene of no dimension, or of both", &error);
    if (plane != NULL)
        tr2_check_scene(plane);
    else
        tr3_check_scene(space);
    tr2_scene_destroy(plane);
    tr3_scene_destroy(space);
    return 0;
}
