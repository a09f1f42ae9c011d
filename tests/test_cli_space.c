/* The program in space: the same report as in the plane, trajectories with quaternions, and pictures from any side. */
#if defined(TR_PROGRAM)

#include "cli/pictures.h"
#include "cli/program.h"

#include "trammel/trammel.h"

#include <math.h>

#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
#define HAS_SCENES true
#else
#define HAS_SCENES false
#endif
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
#define HAS_PICTURES true
#else
#define HAS_PICTURES false
#endif

/*
 * Reports
 */

/* Adds the paths of all keys of an object to a text, one a line, in their order, but not the keys within those objects
   of which each run or each dimension has its own. */
static void list_keys(const char *object, const char *prefix, char *out, size_t room)
{
    static const char *const own[] = {"joints_by_type", "islands_by_size", "shapes_by_type"};
    const char *at = json_space(object);
    assert_int_equal(*at, '{');
    for (at = json_space(at + 1); *at == '"';) {
        const char *end = json_text(at), *value = json_space(json_space(end) + 1);
        char path[128];
        snprintf(path, sizeof path, "%s%s%.*s", prefix, prefix[0] != 0 ? "." : "", (int)(end - at - 2), at + 1);
        size_t used = strlen(out);
        snprintf(out + used, room - used, "%s\n", path);
        bool closed = *value != '{';
        for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
            closed = closed || strcmp(path, own[i]) == 0;
        }
        if (!closed) {
            list_keys(value, path, out, room);
        }
        at = json_space(json_skip(value));
        at = *at == ',' ? json_space(at + 1) : at;
    }
}

static void expect_keys(const char *arguments, const char *keys)
{
    char found[8192] = "";
    outcome o = run(arguments);
    assert_int_equal(o.code, 0);
    assert_string_equal(o.err, "");
    assert_true(json_is_valid(o.out));
    list_keys(o.out, "", found, sizeof found);
    assert_string_equal(found, keys);
    outcome_free(&o);
}

static void every_kind_has_the_keys_of_the_plane(void **state)
{
    (void)state;
    char of_run[8192] = "", arguments[128];
    outcome o = run("run chains:2 --steps 20 --threads 1 --json");
    list_keys(o.out, "", of_run, sizeof of_run);
    assert_non_null(strstr(of_run, "energy.drift\n"));
    outcome_free(&o);
    for (uint32_t k = 0; k < tr3_scene_generator_count(); ++k) {
        snprintf(arguments, sizeof arguments, "run %s:3 --steps 20 --threads 1 --json", tr3_scene_generator_name(k));
        expect_keys(arguments, of_run);
    }
    o = run("run ragdolls3d:3 --steps 20 --json");
    assert_true(json_number(o.out, "bodies") == 34.0 && json_number(o.out, "moving_bodies") == 33.0);
    assert_true(json_number(o.out, "joints") == 33.0 && json_number(o.out, "joints_by_type.hinge") == 12.0);
    assert_true(json_number(o.out, "joints_by_type.ball") == 18.0);
    assert_true(json_number(o.out, "joints_by_type.slider") == 0.0);
    assert_true(json_number(o.out, "islands") == 3.0 && json_number(o.out, "islands_by_size.8") == 3.0);
    outcome_free(&o);
}

static void info_tells_all_three_axes(void **state)
{
    (void)state;
    /* the plane's keys, and z */
    char of_info[8192] = "", arguments[128];
    outcome o = run("info chains:2 --json");
    list_keys(o.out, "", of_info, sizeof of_info);
    outcome_free(&o);
    static const char *const inserted[][2] = {{"extent.y_max\n", "extent.z_min\nextent.z_max\n"},
                                              {"gravity.y\n", "gravity.z\n"}};
    for (size_t i = 0; i < 2; ++i) {
        char *at = strstr(of_info, inserted[i][0]);
        assert_non_null(at);
        at += strlen(inserted[i][0]);
        const size_t more = strlen(inserted[i][1]);
        memmove(at + more, at, strlen(at) + 1);
        memcpy(at, inserted[i][1], more);
    }
    for (uint32_t k = 0; k < tr3_scene_generator_count(); ++k) {
        snprintf(arguments, sizeof arguments, "info %s:3 --json", tr3_scene_generator_name(k));
        expect_keys(arguments, of_info);
    }

    /* two cylinders of 2.4 m along z, and planks between them */
    o = run("info bridge3d:3 --json");
    assert_true(fabs(json_number(o.out, "extent.z_min") + 1.2) < 1e-6);
    assert_true(fabs(json_number(o.out, "extent.z_max") - 1.2) < 1e-6);
    assert_true(json_number(o.out, "gravity.y") < 0.0 && json_number(o.out, "gravity.z") == 0.0);
    assert_true(json_number(o.out, "shapes_by_type.box") == 3.0);
    assert_true(json_number(o.out, "shapes_by_type.cylinder") == 2.0);
    outcome_free(&o);
    /* the same in the table */
    o = run("info bridge3d:3");
    assert_non_null(strstr(o.out, "z from"));
    assert_non_null(strstr(o.out, "box 3"));
    outcome_free(&o);
}

static void write_scene(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void shapes_are_said_not_to_collide(void **state)
{
    (void)state;
    outcome o = run("run ragdolls3d:1 --steps 1 --json");
    assert_non_null(strstr(json_find(o.out, "notices"), "do not collide"));
    outcome_free(&o);
    /* also beside a notice that has the word; not where there are no shapes */
    write_scene("collide.json", "{\"trammel\": 1, \"dimension\": 3, \"world\": {\"collide\": true}, \"bodies\": "
                                "[{\"shapes\": [{\"type\": \"sphere\", "
                                "\"radius\": 1}]}]}");
    o = run("info collide.json");
    assert_non_null(strstr(o.out, "world.collide"));
    assert_non_null(strstr(o.out, "do not collide"));
    outcome_free(&o);
    write_scene("bare.json", "{\"trammel\": 1, \"dimension\": 3, \"bodies\": [{}]}");
    o = run("info bare.json");
    assert_null(strstr(o.out, "collide"));
    outcome_free(&o);
}

static void options_override_the_scene(void **state)
{
    (void)state;
    outcome o = run("run sheet3d:4 --seconds 0.5 --hertz 120 --substeps 7 --gravity 0,0,0 --method small_step --json");
    assert_int_equal(o.code, 0);
    assert_true(json_number(o.out, "steps") == 60.0 && json_number(o.out, "hertz") == 120.0);
    assert_true(json_number(o.out, "substeps") == 7.0);
    assert_non_null(strstr(o.out, "\"method\": \"small_step\""));
    /* nothing pulls and nothing moves: energy is exactly what it was */
    assert_true(json_number(o.out, "energy.drift") == 0.0);
    outcome_free(&o);
    /* each of the three numbers counts */
    static const char *const gravities[] = {"3,-10,0", "0,-13,0", "0,-10,3"};
    outcome plain = run("run sheet3d:4 --steps 10 --gravity 0,-10,0 --json");
    for (size_t i = 0; i < 3; ++i) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "run sheet3d:4 --steps 10 --gravity %s --json", gravities[i]);
        outcome other = run(arguments);
        assert_int_equal(other.code, 0);
        assert_false(json_same(plain.out, other.out, "state_hash"));
        outcome_free(&other);
    }
    outcome_free(&plain);
}

static void a_generated_file_runs_as_the_made_scene_does(void **state)
{
    (void)state;
    if (!HAS_SCENES) {
        print_message("skipped: built without scene readers\n");
        skip();
    }
    char arguments[128];
    for (uint32_t k = 0; k < tr3_scene_generator_count(); ++k) {
        snprintf(arguments, sizeof arguments, "generate %s --size 4 -o made.json", tr3_scene_generator_name(k));
        expect(arguments, 0, NULL);
        snprintf(arguments, sizeof arguments, "run %s:4 --steps 10 --json", tr3_scene_generator_name(k));
        outcome made = run(arguments), read = run("run made.json --steps 10 --json");
        assert_int_equal(made.code, 0);
        assert_int_equal(read.code, 0);
        assert_true(json_same(made.out, read.out, "state_hash"));
        outcome_free(&made);
        outcome_free(&read);
    }
    char before[512];
    snprintf(before, sizeof before, "'%s' generate hub3d:4 |", TR_PROGRAM);
    outcome piped = run_with(before, "run - --steps 10 --json"), direct = run("run hub3d:4 --steps 10 --json");
    assert_int_equal(piped.code, 0);
    assert_true(json_same(piped.out, direct.out, "state_hash"));
    outcome_free(&piped);
    outcome_free(&direct);
}

/*
 * Trajectories
 */
#define NUMBERS 17 /* of a CSV line, without the name: step, time, body, and 14 of the state */

static const char *read_csv_line(const char *at, double out[NUMBERS])
{
    for (int k = 0; k < NUMBERS; ++k) {
        if (k == 3) {
            at = *at == '"' ? strchr(at + 1, '"') + 1 : at;
            assert_int_equal(*at, ',');
            ++at;
        }
        char *end;
        out[k] = strtod(at, &end);
        assert_ptr_not_equal(end, at);
        assert_int_equal(*end, k + 1 == NUMBERS ? '\n' : ',');
        at = end + 1;
    }
    return at;
}

static void csv_and_npy_hold_the_same_numbers(void **state)
{
    (void)state;
    expect("run ragdolls3d:2 --steps 25 --every 5 --quiet --out a.csv --out a.npy", 0, NULL);
    size_t size = 0;
    char *csv = read_whole("a.csv", NULL), *npy = read_whole("a.npy", &size);
    assert_non_null(csv);
    assert_non_null(npy);
    const size_t header = (size_t)(unsigned char)npy[8] + 256u * (unsigned char)npy[9];
    unsigned frames = 0, bodies = 0, fields = 0;
    const char *shape = strstr(npy + 10, "'shape': (");
    assert_non_null(shape);
    assert_int_equal(sscanf(shape, "'shape': (%u, %u, %u)", &frames, &bodies, &fields), 3);
    assert_int_equal(frames, 6);
    assert_int_equal(bodies, 23);
    assert_int_equal(fields, 14);
    assert_int_equal(size, 10 + header + (size_t)frames * bodies * fields * sizeof(double));

    const char *at = strchr(csv, '\n') + 1;
    assert_int_equal(
        strncmp(csv, "step,time,body,name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,asleep\n", (size_t)(at - csv)), 0);
    const char *data = npy + 10 + header;
    double turned = 0.0;
    for (unsigned f = 0; f < frames; ++f) {
        for (unsigned b = 0; b < bodies; ++b) {
            double line[NUMBERS], row[14], square = 0.0;
            at = read_csv_line(at, line);
            memcpy(row, data, sizeof row);
            data += sizeof row;
            assert_true(line[0] == 5.0 * f && line[2] == b && fabs(line[1] - line[0] / 60.0) < 1e-12);
            /* positions have all their digits; what follows are floats in nine */
            for (int k = 0; k < 14; ++k) {
                assert_true(k < 3 ? line[3 + k] == row[k] : (float)line[3 + k] == (float)row[k]);
            }
            for (int k = 3; k < 7; ++k) {
                square += row[k] * row[k];
            }
            assert_true(fabs(square - 1.0) < 1e-5); /* of floats that are rounded in every sub-step */
            turned = fmax(turned, 1.0 - fabs(row[6]));
        }
    }
    assert_true(turned > 1e-3);
    assert_int_equal(*at, 0);
    free(csv);
    free(npy);
}

/* the bodies' states, found through the library itself */
static void the_trajectory_is_what_the_world_does(void **state)
{
    (void)state;
    expect("run chains3d:2 --steps 30 --every 30 --quiet --out world.csv", 0, NULL);
    char *csv = read_whole("world.csv", NULL);
    assert_non_null(csv);
    tr3_scene *scene = NULL;
    tr3_world *world = NULL;
    assert_int_equal(tr3_scene_generate("chains3d", 2, &scene, NULL), TR_OK);
    tr3_world_def def = tr3_scene_world_def(scene);
    assert_int_equal(tr3_world_create(&def, &world, NULL), TR_OK);
    tr3_body *bodies = calloc(scene->body_count, sizeof *bodies);
    assert_non_null(bodies);
    assert_int_equal(tr3_scene_build(scene, world, bodies, NULL, NULL), TR_OK);
    const char *at = strchr(csv, '\n') + 1;
    for (uint32_t frame = 0; frame < 2; ++frame) {
        for (uint32_t i = 0; i < scene->body_count; ++i) {
            double line[NUMBERS];
            tr3_body_def now;
            at = read_csv_line(at, line);
            assert_int_equal(tr3_body_get(world, bodies[i], &now), TR_OK);
            const float expected[] = {
                now.rotation.x, now.rotation.y, now.rotation.z,         now.rotation.w,         now.velocity.x,
                now.velocity.y, now.velocity.z, now.angular_velocity.x, now.angular_velocity.y, now.angular_velocity.z};
            assert_true(line[3] == now.position.x && line[4] == now.position.y && line[5] == now.position.z);
            for (int k = 0; k < 10; ++k) {
                assert_true((float)line[6 + k] == expected[k]);
            }
            assert_true(line[NUMBERS - 1] == (now.awake ? 0.0 : 1.0));
        }
        for (uint32_t step = 0; step < 30 && frame == 0; ++step) {
            assert_int_equal(tr3_world_step(world, 1.0 / scene->hertz, scene->substeps), TR_OK);
        }
    }
    assert_int_equal(*at, 0);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
    free(bodies);
    free(csv);
}

/*
 * Pictures
 */
static void pictures_have_the_size_asked_for_and_something_in_them(void **state)
{
    (void)state;
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
    static const char *const colors[] = {"type", "force", "graph"};
    static const char *const views[] = {"follow", "fixed", "all"};
    for (uint32_t k = 0; k < tr3_scene_generator_count(); ++k) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "run %s:4 --seconds 0.5 --color %s --view %s --size 600x400 --quiet --out p.png --out p.svg",
                 tr3_scene_generator_name(k), colors[k % 3], views[(k / 3 + k) % 3]);
        expect(arguments, 0, NULL);
        int width = 0, height = 0;
        assert_int_equal(colors_of_png("p.png", &width, &height), 64);
        assert_int_equal(width, 600);
        assert_int_equal(height, 400);
        char *svg = read_whole("p.svg", NULL);
        assert_non_null(svg);
        assert_true(is_well_formed(svg));
        assert_true(count_of(svg, "<path") > 20);
        free(svg);
    }
    /* a body can be picked */
    expect("run ragdolls3d:4 --seconds 1 --follow '#14' --frames 1 --quiet --out one.png", 0, NULL);
    expect("run ragdolls3d:4 --seconds 1 --follow '#3' --frames 1 --quiet --out other.png", 0, NULL);
    size_t size = 0, other_size = 0;
    char *one = read_whole("one.png", &size), *other = read_whole("other.png", &other_size);
    assert_true(size != other_size || memcmp(one, other, size) != 0);
    free(one);
    free(other);
#else
    expect("run sheet3d:3 --steps 1 --out p.png", 1, "TRAMMEL_WITH_PICTURES");
    assert_false(file_exists("p.png"));
#endif
}

/* the animated SVG of some arguments */
static char *animate(const char *arguments)
{
    char command[256];
    snprintf(command, sizeof command, "run %s --quiet --out a.anim.svg", arguments);
    expect(command, 0, NULL);
    char *svg = read_whole("a.anim.svg", NULL);
    assert_non_null(svg);
    assert_true(is_well_formed(svg));
    return svg;
}

static void an_animation_shows_one_drawing_after_the_other(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        uint32_t frames;
    } cases[] = {{"ragdolls3d:1 --seconds 1 --key-frames 11", 11},
                 {"ragdolls3d:1 --seconds 1 --key-frames 2", 2},
                 {"ragdolls3d:1 --seconds 1 --key-frames 61", 61},
                 {"bridge3d:4 --steps 7", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char *svg = animate(cases[i].arguments);
        assert_int_equal(count_of(svg, "<animate attributeName=\"visibility\""), cases[i].frames);
        assert_non_null(strstr(svg, ">x</text>"));
        assert_non_null(strstr(svg, ">z</text>"));
        /* all but the first are hidden where nothing is animated */
        assert_int_equal(count_of(svg, "<g visibility=\"hidden\">"), cases[i].frames - 1);
        /* each has its drawing, and its time begins where that of the one before ends */
        double end = 0.0;
        const char *at = svg;
        for (uint32_t frame = 0; frame < cases[i].frames; ++frame) {
            at = strstr(at, "<animate attributeName=\"visibility\"");
            const char *times = strstr(at, "keyTimes=\"0;"), *close = strstr(at, "</g>\n");
            assert_non_null(times);
            assert_non_null(close);
            times += strlen("keyTimes=\"0;");
            char *after;
            const double first = strtod(times, &after);
            if (frame > 0) {
                assert_true(fabs(first - end) < 1e-5);
            }
            end = frame > 0 && *after == ';' ? strtod(after + 1, NULL) : first;
            const char *piece = strstr(at, "<path");
            assert_true(piece != NULL && piece < close);
            at = close;
        }
        free(svg);
    }
}

/* colours of forces, the plan's, and each side give pictures of their own */
static void the_camera_and_the_colours_change_the_picture(void **state)
{
    (void)state;
    static const char *const options[] = {"",
                                          " --camera 0,0",
                                          " --camera 90,0",
                                          " --camera 0,90",
                                          " --camera 35,-20",
                                          " --camera -35,20",
                                          " --color force",
                                          " --color graph",
                                          " --gravity 0,0,-10"};
    enum { COUNT = sizeof options / sizeof options[0] };
    char *pictures[COUNT], arguments[128];
    for (size_t i = 0; i < COUNT; ++i) {
        snprintf(arguments, sizeof arguments, "ragdolls3d:2 --steps 10 --key-frames 2%s", options[i]);
        pictures[i] = animate(arguments);
        for (size_t k = 0; k < i; ++k) {
            assert_string_not_equal(pictures[i], pictures[k]);
        }
    }
    /* the default, and a whole turn */
    char *same = animate("ragdolls3d:2 --steps 10 --key-frames 2 --camera 35,20");
    assert_string_equal(same, pictures[0]);
    free(same);
    same = animate("ragdolls3d:2 --steps 10 --key-frames 2 --camera -325,20");
    assert_string_equal(same, pictures[0]);
    free(same);
    for (size_t i = 0; i < COUNT; ++i) {
        free(pictures[i]);
    }
}

/* the file of a large scene has few bytes for each body and joint, as many small pieces share a path */
static void moving_pictures_of_crowds_are_small(void **state)
{
    (void)state;
    char *svg = animate("sheet3d:60 --steps 10 --key-frames 2 --gravity 3,-8,5");
    const double pieces = 2.0 * (3600.0 + 7080.0);
    assert_true((double)strlen(svg) < 30.0 * pieces);
    assert_true((double)strlen(svg) > 3.0 * pieces);
    free(svg);
}

/* what lies beyond the window or is not finite is left out, whatever is drawn there */
static void pictures_of_what_is_far_away_end(void **state)
{
    (void)state;
    if (!HAS_SCENES) {
        print_message("skipped: built without scene readers\n");
        skip();
    }
    static const char *const scenes[] = {
        "{\"trammel\":1,\"dimension\":3,\"bodies\":[{\"type\":\"static\",\"position\":[1e20,0,0]},"
        "{\"position\":[1e20,1,0]}],\"joints\":[{\"type\":\"ball\",\"body_a\":0,\"body_b\":1,\"anchor_b\":[0,-1,0]}]}",
        "{\"trammel\":1,\"dimension\":3,\"bodies\":[{\"type\":\"static\"},{\"position\":[1,0,0]},"
        "{\"position\":[1e300,0,0],\"shapes\":[{\"type\":\"sphere\",\"radius\":1}]},{\"position\":[-1e300,5,0]},"
        "{\"position\":[0,0,-1e300],\"shapes\":[{\"type\":\"box\",\"half\":[1,1,1]}]}],"
        "\"joints\":[{\"type\":\"hinge\",\"body_a\":0,\"body_b\":1,\"anchor_b\":[-1,0,0]}]}",
        /* solids of every size, static, as their mass would not fit */
        "{\"trammel\":1,\"dimension\":3,\"bodies\":[{\"mass\":1,\"position\":[1,0,0]},{\"type\":\"static\",\"shapes\":["
        "{\"type\":\"sphere\",\"radius\":1e30},{\"type\":\"capsule\",\"from\":[-1e30,0,0],\"to\":[3e38,0,0],\"radius\":"
        "1e-30},{\"type\":\"cylinder\",\"from\":[-3e38,0,0],\"to\":[3e38,1,0],\"radius\":3e38},"
        "{\"type\":\"box\",\"half\":[1e30,1e-30,3e38]},{\"type\":\"box\",\"half\":[1e-30,1e-30,1e-30]},"
        "{\"type\":\"cylinder\",\"from\":[1,1,1],\"to\":[1,1,1.0000002],\"radius\":1e-30}]}],\"joints\":[{\"type\":"
        "\"weld\","
        "\"body_a\":0,\"body_b\":1,\"anchor_b\":[1,0,0]}]}"};
    static const char *const views[] = {"follow", "fixed", "all"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        write_scene("far.json", scenes[i]);
        for (size_t v = 0; v < sizeof views / sizeof views[0]; ++v) {
            char arguments[160];
            snprintf(arguments, sizeof arguments, "run far.json --steps 2 --quiet --view %s%s --out far.anim.svg",
                     views[v], HAS_PICTURES ? " --out far.png" : "");
            outcome o = run(arguments);
            char *svg = read_whole("far.anim.svg", NULL);
            if (o.code != 0 || svg == NULL || !is_well_formed(svg) || strstr(svg, "nan") || strstr(svg, "inf")) {
                fail_msg("%s: scene %zu: exit code %d, %s", arguments, i, o.code, o.err);
            }
            free(svg);
            outcome_free(&o);
        }
    }
}

/* a body at the end of the floats is caught, counted, told, and still drawn */
static void a_run_that_ends_with_non_finite_bodies_exits_3(void **state)
{
    (void)state;
    if (!HAS_SCENES) {
        print_message("skipped: built without scene readers\n");
        skip();
    }
    write_scene(
        "wild.json",
        "{\"trammel\":1,\"dimension\":3,\"bodies\":[{\"mass\":1,\"inertia\":[1,1,1],\"velocity\":"
        "[3e38,3e38,3e38],\"angular_velocity\":[3e38,3e38,0],\"shapes\":[{\"type\":\"sphere\",\"radius\":0.1}]},"
        "{\"mass\":1,\"inertia\":[1,1,1],\"position\":[1,0,0]},{\"mass\":1,\"position\":[5,0,0],"
        "\"velocity\":[0,1e30,0]}],\"joints\":[{\"type\":\"ball\",\"body_a\":0,\"body_b\":1,\"anchor_a\":"
        "[0.5,0,0],\"anchor_b\":[-0.5,0,0]}]}\n");
    char arguments[160];
    snprintf(arguments, sizeof arguments, "run wild.json --steps 20 --json --out wild.csv --out wild.anim.svg%s",
             HAS_PICTURES ? " --out wild.png" : "");
    outcome o = run(arguments);
    assert_int_equal(o.code, 3);
    assert_true(json_is_valid(o.out));
    assert_true(json_number(o.out, "nonfinite_bodies") >= 1.0);
    assert_non_null(strstr(o.out, "became non-finite"));
    char *svg = read_whole("wild.anim.svg", NULL);
    assert_true(file_exists("wild.csv"));
    assert_non_null(svg);
    assert_true(is_well_formed(svg));
    free(svg);
    outcome_free(&o);
}

static void scenes_of_nothing_can_be_drawn(void **state)
{
    (void)state;
    if (!HAS_SCENES) {
        print_message("skipped: built without scene readers\n");
        skip();
    }
    write_scene("nothing.json", "{\"trammel\":1,\"dimension\":3}");
    expect("run nothing.json --steps 3 --quiet --out n.anim.svg --out n.csv --out n.npy", 0, NULL);
    expect("info nothing.json", 0, NULL);
    if (HAS_PICTURES) {
        expect("run nothing.json --steps 3 --quiet --out n.png --view all --camera 10,10", 0, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_the_keys_of_the_plane),
        cmocka_unit_test(info_tells_all_three_axes),
        cmocka_unit_test(shapes_are_said_not_to_collide),
        cmocka_unit_test(options_override_the_scene),
        cmocka_unit_test(a_generated_file_runs_as_the_made_scene_does),
        cmocka_unit_test(csv_and_npy_hold_the_same_numbers),
        cmocka_unit_test(the_trajectory_is_what_the_world_does),
        cmocka_unit_test(pictures_have_the_size_asked_for_and_something_in_them),
        cmocka_unit_test(an_animation_shows_one_drawing_after_the_other),
        cmocka_unit_test(the_camera_and_the_colours_change_the_picture),
        cmocka_unit_test(moving_pictures_of_crowds_are_small),
        cmocka_unit_test(pictures_of_what_is_far_away_end),
        cmocka_unit_test(a_run_that_ends_with_non_finite_bodies_exits_3),
        cmocka_unit_test(scenes_of_nothing_can_be_drawn),
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
