/*
 * Fuzzes both scene readers and the writer: whatever parses is written, parsed again and written again, and the two
 * texts must be equal. Built by preset `fuzz` with libFuzzer's main; with TR_FUZZ_REPLAY defined the file is only the
 * target, for tests that replay a corpus.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/scene2.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what, const tr_error *error)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", what, error->message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_error error = {TR_OK, ""};
    tr2_scene *scene = NULL, *again = NULL;
    tr_status status = tr2_scene_parse((const char *)data, size, "fuzz", &scene, &error);
    if (status != TR_OK) {
        require(scene == NULL && error.status == status && error.message[0] != '\0', "failure without a reason",
                &error);
        return 0;
    }
    char *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0;
    require(tr2_scene_write(scene, &first, &first_size, &error) == TR_OK, "a read scene cannot be written", &error);
    require(tr2_scene_parse(first, first_size, "again", &again, &error) == TR_OK, "a written scene cannot be read",
            &error);
    require(tr2_scene_write(again, &second, &second_size, &error) == TR_OK, "cannot be written twice", &error);
    require(first_size == second_size && memcmp(first, second, first_size) == 0, "the two texts differ", &error);
    require(scene->body_count == again->body_count && scene->joint_count == again->joint_count &&
                scene->shape_count == again->shape_count,
            "counts differ", &error);
    free(first);
    free(second);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(again);
    return 0;
}
