/* What --out writes: trajectories that agree with each other, pictures with something in them, whole files or none. */
#if defined(TR_PROGRAM)

#include "cli/pictures.h"
#include "cli/program.h"
#include "instrumented.h"

#include "trammel/trammel.h"

#include <dirent.h>
#include <math.h>

/* how many entries the folder has whose name begins so */
static uint32_t count_entries(const char *folder, const char *prefix)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    }
    closedir(directory);
    return count;
}

#define NUMBERS 10 /* of a CSV line, without the name: step, time, body, and 7 of the state */

/* reads the numbers of a CSV line; the name stands in quotes or is empty */
static const char *read_csv_line(const char *at, double out[NUMBERS])
{
    char *end;
    for (int k = 0; k < NUMBERS; ++k) {
        if (k == 3) {
            if (*at == '"') {
                at = strchr(at + 1, '"') + 1;
            }
            assert_int_equal(*at, ',');
            ++at;
        }
        out[k] = strtod(at, &end);
        assert_ptr_not_equal(end, at);
        at = end;
        assert_int_equal(*at, k == NUMBERS - 1 ? '\n' : ',');
        ++at;
    }
    return at;
}

static void csv_and_npy_hold_the_same_numbers(void **state)
{
    (void)state;
    expect("run chains:2 --steps 25 --every 5 --quiet --out a.csv --out a.npy", 0, NULL);
    char *csv = read_whole("a.csv", NULL);
    size_t size = 0;
    char *npy = read_whole("a.npy", &size);
    assert_non_null(csv);
    assert_non_null(npy);

    /* the header of NumPy's format 1.0, and the shape in it */
    assert_memory_equal(npy, "\x93NUMPY\x01\x00", 8);
    size_t header = (size_t)(unsigned char)npy[8] + 256u * (unsigned char)npy[9];
    assert_int_equal((10 + header) % 64, 0);
    assert_int_equal(npy[10 + header - 1], '\n');
    assert_non_null(strstr(npy + 10, "'descr': '<f8'"));
    assert_non_null(strstr(npy + 10, "'fortran_order': False"));
    const char *shape = strstr(npy + 10, "'shape': (");
    assert_non_null(shape);
    unsigned frames = 0, bodies = 0, fields = 0;
    assert_int_equal(sscanf(shape, "'shape': (%u, %u, %u)", &frames, &bodies, &fields), 3);
    assert_int_equal(frames, 6);
    assert_int_equal(bodies, 41);
    assert_int_equal(fields, 7);
    assert_int_equal(size, 10 + header + (size_t)frames * bodies * fields * sizeof(double));

    const char *at = strchr(csv, '\n') + 1;
    assert_int_equal(strncmp(csv, "step,time,body,name,x,y,angle,vx,vy,w,asleep\n", (size_t)(at - csv)), 0);
    const char *data = npy + 10 + header;
    for (unsigned f = 0; f < frames; ++f) {
        for (unsigned b = 0; b < bodies; ++b) {
            double line[NUMBERS], row[7];
            at = read_csv_line(at, line);
            memcpy(row, data, sizeof row);
            data += sizeof row;
            assert_true(line[0] == 5.0 * f);
            assert_true(fabs(line[1] - line[0] / 60.0) < 1e-12);
            assert_true(line[2] == b);
            // positions have all their digits; velocities are floats in nine digits
            for (int k = 0; k < 3; ++k) {
                assert_true(line[3 + k] == row[k]);
            }
            for (int k = 3; k < 7; ++k) {
                assert_true((float)line[3 + k] == (float)row[k]);
            }
        }
    }
    assert_int_equal(*at, 0);
    free(csv);
    free(npy);
}

/* the bodies' places, found through the library itself */
static void the_trajectory_is_what_the_world_does(void **state)
{
    (void)state;
    expect("run bridge:4 --steps 30 --every 30 --quiet --out world.csv", 0, NULL);
    char *csv = read_whole("world.csv", NULL);
    assert_non_null(csv);

    tr2_scene *scene = NULL;
    tr2_world *world = NULL;
    assert_int_equal(tr2_scene_generate("bridge", 4, &scene, NULL), TR_OK);
    tr2_world_def def = tr2_scene_world_def(scene);
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body *bodies = calloc(scene->body_count, sizeof *bodies);
    assert_non_null(bodies);
    assert_int_equal(tr2_scene_build(scene, world, bodies, NULL, NULL), TR_OK);
    const char *at = strchr(csv, '\n') + 1;
    for (uint32_t frame = 0; frame < 2; ++frame) {
        for (uint32_t i = 0; i < scene->body_count; ++i) {
            double line[NUMBERS];
            tr2_body_def now;
            at = read_csv_line(at, line);
            assert_int_equal(tr2_body_get(world, bodies[i], &now), TR_OK);
            assert_true(line[3] == now.position.x && line[4] == now.position.y && line[5] == now.angle);
            assert_true((float)line[6] == now.velocity.x && (float)line[7] == now.velocity.y);
        }
        for (uint32_t step = 0; step < 30 && frame == 0; ++step) {
            assert_int_equal(tr2_world_step(world, 1.0 / scene->hertz, scene->substeps), TR_OK);
        }
    }
    assert_int_equal(*at, 0);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
    free(bodies);
    free(csv);
}

/* in every frame as the world says it; what sleeps has no velocity, and stays */
static void a_column_says_which_bodies_sleep(void **state)
{
    (void)state;
    enum { BODIES = 8, FRAMES = 121 }; /* a tower of three floors, and the ground */
    expect("run tower:3 --seconds 2 --quiet --out asleep.csv", 0, NULL);
    expect("run tower:3 --seconds 2 --no-sleep --quiet --out awake.csv", 0, NULL);
    char *asleep = read_whole("asleep.csv", NULL), *awake = read_whole("awake.csv", NULL);
    assert_non_null(asleep);
    assert_non_null(awake);
    const char *at = strchr(asleep, '\n') + 1, *other = strchr(awake, '\n') + 1;
    double before[BODIES][NUMBERS] = {{0}};
    uint32_t sleepers = 0, first = 0;
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        sleepers = 0;
        for (uint32_t body = 0; body < BODIES; ++body) {
            double line[NUMBERS];
            other = read_csv_line(other, line);
            assert_true(line[NUMBERS - 1] == 0.0);
            at = read_csv_line(at, line);
            assert_true(line[0] == frame && line[2] == body);
            bool sleeps = line[NUMBERS - 1] == 1.0;
            assert_true(sleeps || line[NUMBERS - 1] == 0.0);
            sleepers += sleeps;
            assert_false(sleeps && (line[6] != 0.0 || line[7] != 0.0 || line[8] != 0.0));
            /* a frame later it has not moved, and sleeps on */
            if (before[body][NUMBERS - 1] == 1.0) {
                assert_memory_equal(line + 3, before[body] + 3, (NUMBERS - 3) * sizeof *line);
            }
            memcpy(before[body], line, sizeof line);
        }
        first = first == 0 && sleepers > 0 ? frame : first;
    }
    assert_int_equal(*at, 0);
    assert_int_equal(sleepers, BODIES - 1);
    assert_in_range(first, 30, FRAMES - 2);
    free(asleep);
    free(awake);
}

/* from the frame on in which it sleeps, a body is greyed */
static void what_sleeps_is_greyed(void **state)
{
    (void)state;
    expect("run tower:3 --seconds 2 --sleep --quiet --out asleep.anim.svg", 0, NULL);
    expect("run tower:3 --seconds 2 --no-sleep --quiet --out awake.anim.svg", 0, NULL);
    char *asleep = read_whole("asleep.anim.svg", NULL), *awake = read_whole("awake.anim.svg", NULL);
    assert_true(is_well_formed(asleep));
    /* three layers of four blocks: once with the colour of what is loose, and grey from then on */
    uint32_t greyed = count_of(asleep, "attributeName=\"fill\" calcMode=\"discrete\" values=\"#e4d5b4;#d8d5cf\"");
    assert_true(greyed >= 6);
    assert_int_equal(count_of(awake, "calcMode=\"discrete\""), 0);
    free(asleep);
    free(awake);
}

static void an_animation_is_one_svg_that_moves_every_body(void **state)
{
    (void)state;
    expect("run chains:1 --seconds 1 --key-frames 11 --quiet --out a.anim.svg", 0, NULL);
    char *svg = read_whole("a.anim.svg", NULL);
    assert_non_null(svg);
    assert_true(is_well_formed(svg));
    assert_non_null(strstr(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
    /* twenty links turn and move; the ground stands */
    assert_int_equal(count_of(svg, "type=\"rotate\""), 20);
    assert_non_null(strstr(svg, "dur=\"1s\""));
    const char *values = strstr(svg, "type=\"rotate\" additive=\"sum\" values=\"");
    assert_non_null(values);
    values = strchr(strstr(values, "values"), '"') + 1;
    size_t length = strcspn(values, "\""), separators = 0;
    for (size_t i = 0; i < length; ++i) {
        separators += values[i] == ';';
    }
    assert_int_equal(separators, 10);
    free(svg);

    /* a plain .svg moves when asked to; colours of forces move too */
    expect("run chains:1 --seconds 1 --animate --color force --quiet --out b.svg", 0, NULL);
    svg = read_whole("b.svg", NULL);
    assert_true(is_well_formed(svg));
    assert_non_null(strstr(svg, "attributeName=\"stroke\""));
    free(svg);
}

static void scenes_of_nothing_can_be_drawn(void **state)
{
    (void)state;
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("chains", 1, &scene, NULL), TR_OK);
    uint32_t bodies = scene->body_count, joints = scene->joint_count, shapes = scene->shape_count;
    scene->body_count = scene->joint_count = scene->shape_count = 0;
    assert_int_equal(tr2_scene_save(scene, "nothing.json", NULL), TR_OK);
    scene->body_count = bodies;
    scene->joint_count = joints;
    scene->shape_count = shapes;
    tr2_scene_destroy(scene);
    expect("run nothing.json --steps 3 --quiet --out n.anim.svg --out n.csv --out n.npy", 0, NULL);
    char *svg = read_whole("n.anim.svg", NULL);
    assert_true(is_well_formed(svg));
    free(svg);
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
    expect("run nothing.json --steps 3 --quiet --out n.png --view all", 0, NULL);
#endif
#else
    print_message("skipped: built without scene readers\n");
    skip();
#endif
}

static void pictures_have_the_size_asked_for_and_something_in_them(void **state)
{
    (void)state;
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
    static const char *const colors[] = {"type", "force", "graph"};
    static const char *const views[] = {"follow", "fixed", "all"};
    for (int k = 0; k < 3; ++k) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "run ragdolls:4 --seconds 1 --color %s --view %s --size 600x400 --quiet --out p.png --out p.svg",
                 colors[k], views[k]);
        expect(arguments, 0, NULL);
        size_t size = 0;
        char *png = read_whole("p.png", &size);
        assert_true(size > 8);
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
        free(png);
        int width = 0, height = 0;
        assert_int_equal(colors_of_png("p.png", &width, &height), 64);
        assert_int_equal(width, 600);
        assert_int_equal(height, 400);

        char *svg = read_whole("p.svg", NULL);
        assert_non_null(svg);
        assert_true(is_well_formed(svg));
        assert_true(count_of(svg, "<path") > 100);
        free(svg);
    }
    /* a body can be picked, and a strip of one frame is the end */
    expect("run ragdolls:4 --seconds 1 --follow '#5' --frames 1 --quiet --out one.png", 0, NULL);
#else
    expect("run grid:3 --steps 1 --out p.png", 1, "TRAMMEL_WITH_PICTURES");
    assert_false(file_exists("p.png"));
#endif
}

/* known before the scene is made or read, which can take long, and said in so many words */
static void a_place_that_cannot_be_written_fails_at_once(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder.csv", 0777), 0);
    FILE *file = fopen("file", "w");
    assert_non_null(file);
    fclose(file);
    static const struct {
        const char *path, *phrase;
    } cases[] = {{"no/such/folder/a.csv", "no/such/folder/a.csv: there is no folder 'no/such/folder'"},
                 {"/no-such-folder/a.csv", "there is no folder '/no-such-folder'"},
                 {"file/a.csv", "file/a.csv: 'file' is not a folder"},
                 {"file/b/a.csv", "file/b/a.csv: 'file/b' is not a folder"},
                 {"folder.csv", "folder.csv: is a directory"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        /* the file of the scene is not there: what is said first was found first */
        char arguments[256];
        snprintf(arguments, sizeof arguments, "run missing.json --out %s", cases[i].path);
        expect(arguments, 1, cases[i].phrase);
        snprintf(arguments, sizeof arguments, "run missing.json --out good.csv --out %s", cases[i].path);
        expect(arguments, 1, cases[i].phrase);
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
        snprintf(arguments, sizeof arguments, "generate grid --size 3 -o %s", cases[i].path);
        expect(arguments, 1, cases[i].phrase);
#endif
    }
    /* an existing file and a folder that refuse; a superuser may write even there */
    assert_int_equal(mkdir("closed", 0555), 0);
    assert_int_equal(chmod("file", 0444), 0);
    if (access("file", W_OK) != 0) {
        assert_int_equal(rename("file", "file.csv"), 0);
        expect("run missing.json --out file.csv", 1, "file.csv: cannot be written: Permission denied");
        expect("run missing.json --out closed/a.csv", 1, "closed/a.csv: no file can be made in its folder");
        assert_int_equal(rename("file.csv", "file"), 0);
    }
    assert_int_equal(unlink("file"), 0);
    assert_int_equal(rmdir("closed"), 0);
    /* even a superuser can make no file here */
    if (file_exists("/proc/self")) {
        expect("run missing.json --out /proc/a.csv", 1, "/proc/a.csv: no file can be made in its folder");
    }
    assert_int_equal(count_entries(".", "good.csv"), 0);
}

static void files_are_whole_or_absent(void **state)
{
    (void)state;
    /* an old file stays until its successor is complete, and nothing else is left in the folder */
    FILE *file = fopen("kept.csv", "w");
    assert_non_null(file);
    fputs("old\n", file);
    fclose(file);
    char command[512];
    snprintf(command, sizeof command,
             "'%s' run grid:60 --seconds 100000 --out kept.csv --quiet 2>err.txt & pid=$!; "
             "until ls kept.csv.* >/dev/null 2>&1; do sleep 0.05; done; kill -TERM $pid; wait $pid",
             TR_PROGRAM);
    int status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    char *text = read_whole("kept.csv", NULL);
    assert_string_equal(text, "old\n");
    free(text);
    assert_int_equal(count_entries(".", "kept.csv"), 1);
    text = read_whole("err.txt", NULL);
    assert_non_null(strstr(text, "interrupted"));
    free(text);

    expect("run grid:3 --steps 1 --quiet --out kept.csv", 0, NULL);
    text = read_whole("kept.csv", NULL);
    assert_int_equal(strncmp(text, "step,", 5), 0);
    free(text);
    assert_int_equal(count_entries(".", "kept.csv"), 1);
}

/* the files that are complete by then stay away with the one that is not */
static void an_interrupt_while_pictures_are_drawn_leaves_every_file_as_it_was(void **state)
{
    (void)state;
    static const char *const signals[] = {"INT", "TERM"};
    for (int i = 0; i < 2; ++i) {
        FILE *file = fopen("moving.anim.svg", "w");
        assert_non_null(file);
        fputs("old\n", file);
        fclose(file);
        /* drawing has begun when the picture's temporary has content; a shell lets its background ignore SIGINT */
        char command[768];
        snprintf(command, sizeof command,
                 "env --default-signal=INT '%s' run grid:100 --steps %d --key-frames 100 --quiet --out way.csv "
                 "--out moving.anim.svg --out second.anim.svg 2>err.txt & pid=$!; "
                 "until [ -s \"$(echo moving.anim.svg.*)\" ]; do sleep 0.01; done; kill -%s $pid; wait $pid",
                 TR_PROGRAM, TRIALS(100), signals[i]);
        int status = system(command);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        char *text = read_whole("moving.anim.svg", NULL), *message = read_whole("err.txt", NULL);
        assert_string_equal(text, "old\n");
        assert_non_null(strstr(message, "while pictures were drawn; no file was written"));
        free(text);
        free(message);
        assert_int_equal(count_entries(".", "moving"), 1);
        assert_int_equal(count_entries(".", "way.csv"), 0);
        assert_int_equal(count_entries(".", "second"), 0);
    }
}

static void links_stay_links(void **state)
{
    (void)state;
    assert_int_equal(mkdir("real", 0777), 0);
    FILE *file = fopen("real/target.csv", "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(symlink("real/target.csv", "link.csv"), 0);
    expect("run grid:3 --steps 1 --quiet --out link.csv", 0, NULL);
    struct stat status;
    assert_int_equal(lstat("link.csv", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    char *text = read_whole("real/target.csv", NULL);
    assert_int_equal(strncmp(text, "step,", 5), 0);
    free(text);

    /* a link and what it leads to are one file, and nothing is written over it */
    expect("run grid:3 --steps 1 --quiet --out link.csv --out real/target.csv", 2, "one file");
    assert_int_equal(mkdir("other", 0777), 0);
    assert_int_equal(symlink("../other", "real/way"), 0);
    expect("run grid:3 --steps 1 --quiet --out real/way/new.csv --out other/new.csv", 2, "one file");
    assert_int_equal(count_entries("other", "new.csv"), 0);
    /* the same name in two folders is two files */
    expect("run grid:3 --steps 1 --quiet --out real/new.csv --out other/new.csv", 0, NULL);
    assert_true(file_exists("real/new.csv") && file_exists("other/new.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_sleeps_is_greyed),
        cmocka_unit_test(csv_and_npy_hold_the_same_numbers),
        cmocka_unit_test(a_column_says_which_bodies_sleep),
        cmocka_unit_test(the_trajectory_is_what_the_world_does),
        cmocka_unit_test(an_animation_is_one_svg_that_moves_every_body),
        cmocka_unit_test(scenes_of_nothing_can_be_drawn),
        cmocka_unit_test(pictures_have_the_size_asked_for_and_something_in_them),
        cmocka_unit_test(a_place_that_cannot_be_written_fails_at_once),
        cmocka_unit_test(files_are_whole_or_absent),
        cmocka_unit_test(an_interrupt_while_pictures_are_drawn_leaves_every_file_as_it_was),
        cmocka_unit_test(links_stay_links),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

/* without the program there is nothing to test */
int main(void)
{
    return 0;
}

#endif
