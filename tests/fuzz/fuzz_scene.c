/*
 * Fuzzes the scene readers of both dimensions, the writers and the builders: whatever parses is written, parsed again
 * and written again, and the two texts must be equal; a world takes all of it or nothing. Built by preset `clang-asan` with
 * libFuzzer's main; with TR_FUZZ_REPLAY defined the file is only the target, for tests that replay a corpus.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* written as a robot, or refused with a reason; what is written may be too deep to be read, or have greater numbers */
static void check_export(const tr3_scene *scene)
{
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        tr_error error = {TR_OK, ""};
        char *text = NULL, *notices = NULL;
        size_t size = 0;
        tr3_scene *back = NULL;
        tr_status status = tr3_scene_export_text(scene, (tr3_export_format)format, &text, &size, &notices, &error);
        require((status == TR_OK) == (text != NULL) && (text != NULL) == (notices != NULL) &&
                    (status == TR_OK || (error.status == status && error.message[0] != '\0')),
                "not written without a reason", &error);
        if (text != NULL)
            (void)tr3_scene_import_text(text, size, "export", NULL, &back, &error);
        tr3_scene_destroy(back);
        free(text);
        free(notices);
    }
}

/* a file in the folder where the fuzzer runs, of this process, which is written anew for each input that has one */
static const char *write_loops(const uint8_t *bytes, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "fuzz_loops_%ld.json", (long)getpid());
    FILE *file = fopen(path, "wb");
    const int written = file != NULL && fwrite(bytes, 1, size, file) == size;
    require(file != NULL && fclose(file) == 0 && written, "the file of loops is not written", &(tr_error){TR_OK, ""});
    return path;
}

/* a robot also with every option, and with the side file of loops, null: none; what is neither URDF nor MJCF is refused */
static void check_options(const char *text, size_t size, const char *loops_file)
{
    const tr3_import_loop loop = {"a", "b", TR3_JOINT_HINGE, {1.0f, 2.0f, 3.0f}, {0.0f, 1.0f, 1.0f}, NULL};
    const tr3_import_options options[] = {
        {.fix_base = true},         {.weld_fixed = true},
        {.keyframe = "k"},          {.fix_base = true, .weld_fixed = true, .loops = &loop, .loop_count = 1},
        {.loops_file = loops_file}, {.loops = &loop, .loop_count = 1, .loops_file = loops_file}};
    const size_t count = sizeof options / sizeof options[0];
    for (size_t i = 0; i < (loops_file != NULL ? count : count - 2); i++) {
        tr_error error = {TR_OK, ""};
        tr3_scene *scene = NULL;
        tr_status status = tr3_scene_import_text(text, size, "fuzz", &options[i], &scene, &error);
        require((status == TR_OK) == (scene != NULL) &&
                    (status == TR_OK || (error.status == status && error.message[0] != '\0')),
                "refused without a reason", &error);
        if (scene != NULL)
            tr3_check_scene(scene);
        tr3_scene_destroy(scene);
    }
}

/* after a text of XML a zero byte may follow, and then a side file of loops */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_error error = {TR_OK, ""};
    tr2_scene *plane = NULL;
    tr3_scene *space = NULL;
    if (size > 0 && data[0] == '<') {
        const uint8_t *end = memchr(data, '\0', size);
        const size_t text = end != NULL ? (size_t)(end - data) : size;
        const char *loops_file = end != NULL ? write_loops(end + 1, size - text - 1) : NULL;
        check_options((const char *)data, text, loops_file);
        if (loops_file != NULL)
            (void)remove(loops_file);
        size = text;
    }
    tr_status status = tr_scene_parse((const char *)data, size, "fuzz", &plane, &space, &error);
    if (status != TR_OK) {
        require(plane == NULL && space == NULL && error.status == status && error.message[0] != '\0',
                "failure without a reason", &error);
        return 0;
    }
    require((plane == NULL) != (space == NULL), "a scene of no dimension, or of both", &error);
    if (plane != NULL)
        tr2_check_scene(plane);
    else {
        tr3_check_scene(space);
        check_export(space);
    }
    tr2_scene_destroy(plane);
    tr3_scene_destroy(space);
    return 0;
}
