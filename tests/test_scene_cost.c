/*
 * Reading, writing, building and generating scenes takes time in proportion to their size, also where they are wrong.
 * Instructions are counted with callgrind, because times on a busy machine prove nothing: the test runs itself under
 * valgrind, which counts each case apart. Where there is no valgrind it is skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "instrumented.h"
#include "trammel/scene2.h"

/*
 * The larger size is four times the smaller. Linear work takes four times as many instructions, and 4.3 times at most
 * with what grows by doubling; work of which a fifth is quadratic at the larger size takes 4.7 times.
 */
#define SMALL 500u
#define LARGE (4 * SMALL)
#define MOST  4.7

/*
 * Texts
 */
typedef struct text {
    char *bytes;
    size_t size, capacity;
} text;

static void add(text *t, const char *words)
{
    size_t length = strlen(words);
    if (t->size + length + 1 > t->capacity) {
        t->capacity = 2 * (t->size + length + 1);
        t->bytes = realloc(t->bytes, t->capacity);
        if (t->bytes == NULL)
            abort();
    }
    memcpy(t->bytes + t->size, words, length + 1);
    t->size += length;
}

/* `before`, then n times `each` with the place of "%u" taken by the number, between commas, then `after` */
static void repeat(text *t, const char *before, uint32_t n, const char *each, const char *after)
{
    const char *place = strstr(each, "%u");
    char words[512];
    add(t, before);
    for (uint32_t i = 0; i < n; i++) {
        int head = place != NULL ? (int)(place - each) : (int)strlen(each);
        char number[16] = "";
        if (place != NULL)
            snprintf(number, sizeof number, "%u", i);
        snprintf(words, sizeof words, "%s%.*s%s%s", i > 0 ? "," : "", head, each, number,
                 place != NULL ? place + 2 : "");
        add(t, words);
    }
    add(t, after);
}

#define LONG_NAME                                                                                                      \
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
    "xxxx"                                                                                                             \
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
    "xxxx"
#define TWO_BODIES "\"bodies\": [{\"type\": \"static\"}, {}]"
#define JOINT      "{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 1"
#define SQUARE     "\"vertices\": [[0, 0], [1, 0], [0, 1]]"

/* a text that is `before`, n times `each`, `after` */
typedef struct written {
    const char *name, *before, *each, *after;
    bool wrong; /* the reader refuses it, or the world that is built */
} written;

static const written texts[] = {
    {"own: unknown keys of the scene", "{\"trammel\": 1, ", "\"key%u\": 1", "}", false},
    {"own: unknown keys of the world", "{\"trammel\": 1, \"world\": {", "\"key%u\": 1", "}}", false},
    {"own: unknown keys of a body", "{\"trammel\": 1, \"bodies\": [{", "\"key%u\": 1", "}]}", false},
    {"own: unknown keys of a shape", "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"circle\",",
     "\"key%u\": 1", "}]}]}", false},
    {"own: unknown keys of a joint", "{\"trammel\": 1, " TWO_BODIES ", \"joints\": [" JOINT ",", "\"key%u\": 1", "}]}",
     false},
    {"own: unknown keys of a motor", "{\"trammel\": 1, " TWO_BODIES ", \"joints\": [" JOINT ", \"motor\": {",
     "\"key%u\": 1", "}}]}", false},
    {"own: a key of its own in each body", "{\"trammel\": 1, \"bodies\": [", "{\"key%u\": 1}", "]}", false},
    {"own: a key of its own in each joint", "{\"trammel\": 1, " TWO_BODIES ", \"joints\": [", JOINT ", \"key%u\": 1}",
     "]}", false},
    {"own: unknown keys that begin alike", "{\"trammel\": 1, ", "\"" LONG_NAME "%u\": 1", "}", false},
    {"own: unknown keys, then a mistake", "{\"trammel\": 1, ", "\"key%u\": 1", ", \"bodies\": 3}", true},
    {"own: a key that is there twice", "{\"trammel\": 1, ", "\"key%u\": 1", ", \"key0\": 2}", true},
    {"own: text behind the scene", "{\"trammel\": 1, ", "\"key%u\": 1", "}}", true},
    {"own: lines before a mistake", "{\"trammel\": 1, \"bodies\": [", "{\n\n}\n", "!]}", true},
    {"own: one name for all bodies", "{\"trammel\": 1, \"bodies\": [", "{\"name\": \"a\"}",
     "], \"joints\": [{\"type\": \"weld\", \"body_a\": \"a\", \"body_b\": 1}]}", true},
    {"own: long names that begin alike", "{\"trammel\": 1, \"bodies\": [", "{\"name\": \"" LONG_NAME "%u\"}",
     "], \"joints\": [{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 1}]}", false},
    {"own: joints between two bodies", "{\"trammel\": 1, " TWO_BODIES ", \"joints\": [", JOINT "}", "]}", false},
    {"own: shapes of one body", "{\"trammel\": 1, \"bodies\": [{\"shapes\": [",
     "{\"type\": \"circle\", \"radius\": 1, \"density\": 1}", "]}]}", false},
    {"own: bodies with a polygon", "{\"trammel\": 1, \"bodies\": [",
     "{\"shapes\": [{\"type\": \"polygon\", \"radius\": 1, \"density\": 1, " SQUARE "}]}", "]}", false},
    {"own: vertices of a chain", "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"chain\", \"vertices\": [",
     "[%u, 1]", "]}]}]}", false},
    {"own: vertices of a polygon",
     "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"polygon\", \"density\": 1, \"vertices\": [[0, 1],",
     "[%u, 0]", "]}]}]}", false},
    {"own: a last vertex that is none",
     "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"chain\", \"vertices\": [", "[%u, 1]", ", {}, 3]}]}]}",
     true},
    {"own: arrays where none belong", "{\"trammel\": 1, \"name\": [", "[]", "]}", true},
    {"own: digits of a number", "{\"trammel\": 1, \"bodies\": [{\"mass\": 1.0,", "\"key%u\": 1.00000000000000000000",
     "}]}", false},
    {"R.U.B.E.: unknown keys of the scene", "{\"gravity\": 0, ", "\"key%u\": 1", "}", false},
    {"R.U.B.E.: unknown keys of a body", "{\"gravity\": 0, \"body\": [{", "\"key%u\": 1", "}]}", false},
    {"R.U.B.E.: unknown keys of a fixture", "{\"gravity\": 0, \"body\": [{\"fixture\": [{", "\"key%u\": 1", "}]}]}",
     false},
    {"R.U.B.E.: unknown keys of a joint",
     "{\"gravity\": 0, \"body\": [{}, {\"type\": 2}], \"joint\": [{\"type\": \"weld\", \"bodyB\": 1, ", "\"key%u\": 1",
     "}]}", false},
    {"R.U.B.E.: a key of its own in each body", "{\"gravity\": 0, \"body\": [", "{\"type\": 2, \"key%u\": 1}", "]}",
     false},
    {"R.U.B.E.: unknown keys, then a mistake", "{\"gravity\": 0, ", "\"key%u\": 1", ", \"body\": 3}", true},
    {"R.U.B.E.: joints that are left out", "{\"gravity\": 0, \"body\": [{}, {\"type\": 2}], \"joint\": [",
     "{\"type\": \"gear\", \"joint1\": %u}", "]}", false},
    {"R.U.B.E.: joints, the last of which is wrong", "{\"gravity\": 0, \"body\": [{}, {\"type\": 2}], \"joint\": [",
     "{\"type\": \"rope\", \"bodyB\": 1}", ", {\"type\": \"rope\"}]}", true},
    {"R.U.B.E.: fixtures of one body", "{\"gravity\": 0, \"body\": [{\"type\": 2, \"fixture\": [",
     "{\"density\": 1, \"circle\": {\"radius\": 1}}", "]}]}", false},
    {"R.U.B.E.: fixtures without a shape", "{\"gravity\": 0, \"body\": [{\"type\": 2, \"fixture\": [",
     "{\"name\": \"f%u\"}", "]}]}", false},
    {"R.U.B.E.: bodies named and notified", "{\"gravity\": 0, \"body\": [", "{\"type\": 2, \"name\": \"b%u\"}", "]}",
     false},
};
#define TEXT_COUNT (sizeof texts / sizeof texts[0])

/*
 * What is counted: callgrind is told this function's name
 */
typedef struct job {
    const written *of; /* parses `bytes` */
    const char *kind;  /* or generates */
    tr2_scene *scene;  /* or builds a scene, captures its world and writes what it captured */
    const char *bytes;
    size_t size;
    tr_status expected;
} job;

bool trammel_costed(const job *it);

static bool build_and_write(const job *it)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *world = NULL;
    tr2_scene *captured = NULL;
    char *out = NULL;
    tr_error error = {TR_OK, ""};
    /* one entry more than needed, so that no size is zero */
    tr2_shape *shapes = calloc((size_t)tr2_scene_shape_id_count(it->scene) + 1, sizeof *shapes);
    bool good = shapes != NULL && tr2_world_create(&def, &world, NULL) == TR_OK &&
                tr2_scene_build_shapes(it->scene, world, NULL, NULL, shapes, &error) == it->expected;
    if (good && it->expected == TR_OK)
        good =
            tr2_scene_capture(world, &captured, NULL) == TR_OK && tr2_scene_write(captured, &out, NULL, NULL) == TR_OK;
    tr2_scene_destroy(captured);
    tr2_world_destroy(world);
    free(shapes);
    free(out);
    return good;
}

__attribute__((noinline)) bool trammel_costed(const job *it)
{
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (it->scene != NULL)
        return build_and_write(it);
    tr_status status = it->kind != NULL ? tr2_scene_generate(it->kind, (uint32_t)it->size, &scene, &error)
                                        : tr2_scene_parse(it->bytes, it->size, "text", &scene, &error);
    tr2_scene_destroy(scene);
    if (status != it->expected)
        fprintf(stderr, "%s\n", error.message);
    return status == it->expected;
}

/*
 * Scenes that are built: what a scene holds most of, and what is wrong with the last of it
 */
typedef struct built {
    const char *name, *each, *after;
    tr_status expected;
} built;

static const built scenes[] = {
    {"build: circles", "{\"shapes\": [{\"type\": \"circle\", \"radius\": 0.1}], \"position\": [%u, 0]}",
     "], \"joints\": [", TR_OK},
    {"build: chains", "{\"type\": \"static\", \"shapes\": [{\"type\": \"chain\", " SQUARE "}], \"position\": [%u, 0]}",
     "], \"joints\": [", TR_OK},
    {"build: a last shape that the world refuses",
     "{\"shapes\": [{\"type\": \"circle\", \"radius\": 0.1}], \"position\": [%u, 0]}",
     ", {\"shapes\": [{\"type\": \"circle\", \"radius\": 0.1, \"friction\": -1}]}], \"joints\": [", TR_ERROR_NEGATIVE},
    {"build: a last body that the world refuses", "{\"position\": [%u, 0]}", ", {\"mass\": -1}], \"joints\": [",
     TR_ERROR_NEGATIVE},
    {"build: a last joint that the world refuses", "{\"position\": [%u, 0]}",
     "], \"joints\": [{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 1, \"motor\": {\"maximum\": -1}}",
     TR_ERROR_NEGATIVE},
};
#define SCENE_COUNT (sizeof scenes / sizeof scenes[0])

/* joints between two bodies; `before` is the rest of the world's members and the bodies */
static const written jointed[] = {
    {"build: joints between two bodies", "}, " TWO_BODIES, JOINT "}", "", false},
    {"build: joints, the last of which the world refuses", "}, " TWO_BODIES, JOINT "}",
     "," JOINT ", \"motor\": {\"maximum\": -1}}", true},
    {"build: joints, and a number that the world refuses", ", \"joint_frequency\": -1}, " TWO_BODIES, JOINT "}", "",
     true},
};
#define JOINTED_COUNT (sizeof jointed / sizeof jointed[0])

#define CASE_COUNT (TEXT_COUNT + SCENE_COUNT + JOINTED_COUNT + tr2_scene_generator_count())

static const char *name_of(size_t i)
{
    if (i < TEXT_COUNT)
        return texts[i].name;
    i -= TEXT_COUNT;
    if (i < SCENE_COUNT)
        return scenes[i].name;
    i -= SCENE_COUNT;
    return i < JOINTED_COUNT ? jointed[i].name : tr2_scene_generator_name((uint32_t)(i - JOINTED_COUNT));
}

/* the size of a generator is a side or a number; what is made grows fourfold with either */
static size_t generator_size(const char *kind, uint32_t n)
{
    static const char *const squares[] = {"grid", "pyramid", "pyramids", "cards", "tumbler", "smash"};
    const uint32_t parts = strcmp(kind, "pyramids") == 0 ? 55 : 1;
    /* these are quick, so there may be more */
    const uint32_t most = 2 * n;
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++) {
        if (strcmp(squares[i], kind) != 0)
            continue;
        uint32_t side = 1;
        while ((side + 1) * (side + 1) * parts <= most)
            side++;
        return side;
    }
    return n <= SMALL ? SMALL / 10 : LARGE / 10;
}

static tr2_scene *scene_of(const text *t)
{
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr2_scene_parse(t->bytes, t->size, "text", &scene, &error) != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    return scene;
}

/* the program's other face: runs case i of size n */
static int run_case(size_t i, uint32_t n)
{
    text t = {NULL, 0, 0};
    job it = {NULL, NULL, NULL, NULL, 0, TR_OK};
    bool reads = false;
    if (i < TEXT_COUNT) {
        repeat(&t, texts[i].before, n, texts[i].each, texts[i].after);
        it.expected = texts[i].wrong ? TR_ERROR_PARSE : TR_OK;
        reads = true;
    } else if (i - TEXT_COUNT < SCENE_COUNT) {
        const built *b = &scenes[i - TEXT_COUNT];
        repeat(&t, "{\"trammel\": 1, \"world\": {\"collide\": true}, \"bodies\": [", n, b->each, b->after);
        add(&t, "]}");
        it.expected = b->expected;
    } else if (i - TEXT_COUNT - SCENE_COUNT < JOINTED_COUNT) {
        const written *w = &jointed[i - TEXT_COUNT - SCENE_COUNT];
        add(&t, "{\"trammel\": 1, \"world\": {\"collide\": true");
        add(&t, w->before);
        repeat(&t, ", \"joints\": [", n, w->each, w->after);
        add(&t, "]}");
        it.expected = w->wrong ? TR_ERROR_NEGATIVE : TR_OK;
    } else {
        it.kind = name_of(i);
        it.size = generator_size(it.kind, n);
    }
    if (reads) {
        it.bytes = t.bytes;
        it.size = t.size;
    } else if (it.kind == NULL) {
        it.scene = scene_of(&t);
        if (it.scene == NULL)
            return 1;
    }
    bool good = trammel_costed(&it);
    tr2_scene_destroy(it.scene);
    free(t.bytes);
    return good ? 0 : 1;
}

/*
 * All cases, small and large, each in a child, since what an allocation costs depends on what was freed before it: the
 * tables of jansson, whose seed is random, made a third of some counts. Prints the process of each, in order, for
 * callgrind's files are named after it.
 */
static int run_all(void)
{
    for (size_t i = 0; i < 2 * CASE_COUNT; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(run_case(i / 2, i % 2 == 0 ? SMALL : LARGE));
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "%s: did not end as it should\n", name_of(i / 2));
            return 1;
        }
        printf("%ld\n", (long)child);
    }
    return 0;
}

/*
 * The test
 */
static char program[4096], folder[] = "/tmp/trammel-scene-cost-XXXXXX";

/* what callgrind counted in the next process that `processes` lists */
static double next_count(FILE *processes)
{
    char path[64], line[256];
    double counted = 0.0;
    assert_non_null(fgets(line, sizeof line, processes));
    snprintf(path, sizeof path, "%s/out.%ld", folder, strtol(line, NULL, 10));
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s is not there", path);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "totals: ", 8) == 0)
            counted = strtod(line + 8, NULL);
    fclose(file);
    return counted;
}

static void the_work_grows_with_the_size_and_no_faster(void **state)
{
    (void)state;
#if !defined(TR_WITH_SCENES) || !TR_WITH_SCENES
    print_message("skipped: built without scene readers\n");
    skip();
#endif
    if (TR_ADDRESS_SANITIZER || TR_THREAD_SANITIZER || system("valgrind --version >/dev/null 2>&1") != 0) {
        print_message("skipped: no valgrind here, or a sanitizer that it does not go with\n");
        skip();
    }
    char command[8192];
    snprintf(command, sizeof command,
             "valgrind --quiet --tool=callgrind --toggle-collect=trammel_costed --callgrind-out-file='%s/out.%%p' '%s' "
             "all >'%s/processes'",
             folder, program, folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/processes", folder);
    FILE *processes = fopen(command, "r");
    assert_non_null(processes);
    bool good = true;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        double small = next_count(processes), large = next_count(processes);
        assert_true(small > 0.0);
        if (large > MOST * small)
            print_error("%s: %.2f times as many instructions for four times as much\n", name_of(i), large / small);
        good = good && large <= MOST * small;
        if (getenv("TR_COST_VERBOSE") != NULL)
            print_message("%-55s %11.0f instructions, %4.2f times\n", name_of(i), large, large / small);
    }
    fclose(processes);
    assert_true(good);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_all();
    /* one case of one size, for a look by hand */
    if (argc == 3)
        return run_case(strtoul(argv[1], NULL, 10), (uint32_t)strtoul(argv[2], NULL, 10));
    if (realpath(argv[0], program) == NULL)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_work_grows_with_the_size_and_no_faster)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
