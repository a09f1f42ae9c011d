/*
 * Reading, writing and making scenes with memory that runs out: at every single allocation in turn, the call fails with
 * TR_ERROR_MEMORY, leaves the result untouched and leaks nothing. The room's sources are compiled into this test so
 * that its own malloc is theirs.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "trammel/scene2.h"

#ifdef TR_WITH_SCENES

#include <jansson.h>

static uint64_t allowed = UINT64_MAX; /* allocations until memory runs out */
static int64_t live;                  /* blocks not yet released */
static bool json_ran_out;             /* the first refusal was jansson's, whose lexer calls it an invalid token */

static bool runs_out(void)
{
    if (allowed == 0)
        return true;
    allowed--;
    return false;
}

static void *scarce_malloc(size_t size)
{
    void *block = runs_out() ? NULL : malloc(size);
    live += block != NULL ? 1 : 0;
    return block;
}

static void *json_malloc(size_t size)
{
    json_ran_out = json_ran_out || allowed == 0;
    return scarce_malloc(size);
}

static void *scarce_calloc(size_t count, size_t size)
{
    void *block = runs_out() ? NULL : calloc(count, size);
    live += block != NULL ? 1 : 0;
    return block;
}

static void *scarce_realloc(void *old, size_t size)
{
    void *block = runs_out() ? NULL : realloc(old, size);
    live += block != NULL && old == NULL ? 1 : 0;
    return block;
}

static void scarce_free(void *block)
{
    live -= block != NULL ? 1 : 0;
    free(block);
}

/* cmocka and realpath keep the real ones; saving, which frees what realpath gives, is not counted here */
#define malloc  scarce_malloc
#define calloc  scarce_calloc
#define realloc scarce_realloc
#define free    scarce_free
/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "scene/generate.c"
#include "scene/json_read.c"
#include "scene/load.c"
#include "scene/mass.c"
#include "scene/read_own.c"
#include "scene/read_rube.c"
#include "scene/read_rube_joints.c"
#include "scene/storage.c"
#include "scene/text.c"
#include "scene/write.c"
/* NOLINTEND(bugprone-suspicious-include) */
#undef malloc
#undef calloc
#undef realloc
#undef free

static const char *const own_text =
    "{\"trammel\": 1, \"name\": \"n\", \"odd\": 1, \"bodies\": [{\"name\": \"a\", \"shapes\": ["
    "{\"type\": \"polygon\", \"name\": \"p\", \"density\": 1, \"vertices\": [[0, 0], [1, 0], [1, 1], [0, 1]]}]},"
    "{\"name\": \"b\"}, {}], \"joints\": [{\"type\": \"revolute\", \"name\": \"j\", \"body_a\": \"a\","
    "\"body_b\": \"b\", \"motor\": {\"speed\": 1}, \"odd\": 1}]}";

static const char *const rube_text =
    "{\"gravity\": 0, \"odd\": 1, \"body\": [{\"name\": \"a\", \"fixture\": [{\"name\": \"f\", \"chain\": "
    "{\"vertices\":"
    "{\"x\": [0, 1], \"y\": [0, 1]}}}]}, {\"type\": 2}], \"joint\": [{\"name\": \"j\", \"type\": \"weld\","
    "\"bodyB\": 1}, {\"type\": \"gear\"}]}";

/* one call whose memory runs out; *scene or *text is set on success */
typedef tr_status attempt(tr2_scene **scene, char **text, tr_error *error);

static tr_status parse_own(tr2_scene **scene, char **text, tr_error *error)
{
    (void)text;
    return tr2_scene_parse(own_text, strlen(own_text), "test", scene, error);
}

static tr_status parse_rube(tr2_scene **scene, char **text, tr_error *error)
{
    (void)text;
    return tr2_scene_parse(rube_text, strlen(rube_text), "test", scene, error);
}

static tr_status make_ragdolls_of_three(tr2_scene **scene, char **text, tr_error *error)
{
    (void)text;
    return tr2_scene_generate("ragdolls", 3, scene, error);
}

static tr_status make_hub_of_three(tr2_scene **scene, char **text, tr_error *error)
{
    (void)text;
    return tr2_scene_generate("hub", 3, scene, error);
}

static tr2_scene *to_write;

static tr_status write_one(tr2_scene **scene, char **text, tr_error *error)
{
    (void)scene;
    return tr2_scene_write(to_write, text, NULL, error);
}

/* with 0, 1, 2, ... allocations allowed, until the call succeeds; how many it took */
static uint64_t exhaust(attempt *call)
{
    for (uint64_t count = 0; count < 100000; count++) {
        tr2_scene *scene = NULL;
        char *text = NULL;
        tr_error error = {TR_OK, ""};
        int64_t before = live;
        allowed = count;
        json_ran_out = false;
        tr_status status = call(&scene, &text, &error);
        bool done = allowed > 0;
        allowed = UINT64_MAX;
        if (status == TR_OK) {
            /* giving back unused room may fail without harm, so success can come before memory suffices */
            tr2_scene_destroy(scene);
            scarce_free(text);
            assert_int_equal(live, before);
            if (done)
                return count;
            continue;
        }
        if (status != TR_ERROR_MEMORY && !(json_ran_out && status == TR_ERROR_PARSE))
            fail_msg("%s: %s", tr_status_name(status), error.message);
        assert_int_equal(error.status, status);
        assert_null(scene);
        assert_null(text);
        if (live != before)
            fail_msg("%lld blocks leaked at allocation %llu", (long long)(live - before), (unsigned long long)count);
    }
    fail_msg("never enough memory");
    return 0;
}

static void parsing_our_format_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(exhaust(parse_own) > 50);
}

static void parsing_rube_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(exhaust(parse_rube) > 50);
}

static void making_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(exhaust(make_ragdolls_of_three) > 5);
    assert_true(exhaust(make_hub_of_three) > 5);
}

static void writing_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_int_equal(tr2_scene_parse(own_text, strlen(own_text), "test", &to_write, NULL), TR_OK);
    assert_true(exhaust(write_one) > 10);
    tr2_scene_destroy(to_write);
}

int main(void)
{
    json_set_alloc_funcs(json_malloc, scarce_free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsing_our_format_survives_every_failed_allocation),
        cmocka_unit_test(parsing_rube_survives_every_failed_allocation),
        cmocka_unit_test(making_survives_every_failed_allocation),
        cmocka_unit_test(writing_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
