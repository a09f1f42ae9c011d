/* Scenes of files that may not be there, and of texts. */
#ifndef TR_TEST_SCENE_FILE_H
#define TR_TEST_SCENE_FILE_H

#include "shared_file.h"
#include "trammel/scene2.h"

/* of a text that is right: what is wrong with it fails the test, here and below */
static inline tr2_scene *parse(const char *text)
{
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr2_scene_parse(text, strlen(text), "test", &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

static inline char *write_text(const tr2_scene *scene)
{
    char *text = NULL;
    tr_error error = {TR_OK, ""};
    if (tr2_scene_write(scene, &text, NULL, &error) != TR_OK)
        fail_msg("%s", error.message);
    return text;
}

/* written and read again */
static inline tr2_scene *round_trip(const tr2_scene *scene)
{
    char *text = write_text(scene);
    tr2_scene *back = parse(text);
    free(text);
    return back;
}

/* skips the test where there is no such file, but in CI */
static inline tr2_scene *load_file(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    require_file(path);
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr2_scene_load(path, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

#endif
