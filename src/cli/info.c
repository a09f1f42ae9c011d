/* trammel info: describes a scene without simulating it. */
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/run_report.h"
#include "cli/simulation.h"
#include "scene/core/storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_info_help(FILE *stream)
{
    fputs("Says what is in a scene: bodies, joints, shapes, masses, extent, the solver's plan and the joint errors\n"
          "that it starts with.\n"
          "\n"
          "Usage: trammel info SCENE [--json]\n"
          "\n"
          "SCENE is a file, '-' for standard input, or a generated scene such as grid:100.\n"
          "\n"
          "Options:\n"
          "      --json  one JSON object instead of the table (keys: docs/program.md)\n"
          "  -h, --help  this text\n"
          "\n"
          "Examples:\n"
          "  trammel info truck.json\n"
          "  trammel generate bridge --size 200 | trammel info - --json\n"
          "\n"
          "Exit codes: 0 done; 1 failed (file, scene, memory); 2 wrong command line.\n",
          stream);
}

static void report_bodies(report *r, const tr2_scene *scene)
{
    uint32_t of_type[3] = {0, 0, 0}, disabled = 0;
    double least = INFINITY, most = 0.0, total = 0.0;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const tr2_body_def *def = &scene->bodies[i].def;
        if (!def->enabled) {
            ++disabled;
            continue;
        }
        ++of_type[def->type];
        if (def->type == TR_DYNAMIC) {
            least = fmin(least, (double)def->mass);
            most = fmax(most, (double)def->mass);
            total += (double)def->mass;
        }
    }
    bool any = of_type[TR_DYNAMIC] > 0;
    report_object(r, "bodies_by_type", "  by type");
    report_count(r, "static", "static", of_type[TR_STATIC]);
    report_count(r, "kinematic", "kinematic", of_type[TR_KINEMATIC]);
    report_count(r, "dynamic", "dynamic", of_type[TR_DYNAMIC]);
    report_count(r, "disabled", disabled > 0 ? "disabled" : NULL, disabled);
    report_end(r);
    report_object(r, "mass", "mass");
    report_real(r, "min", "min", any ? least : NAN, "kg");
    report_real(r, "max", "max", any ? most : NAN, "kg");
    report_real(r, "total", "total", total, "kg");
    report_real(r, "ratio", "ratio", any ? most / least : NAN, NULL);
    report_end(r);
}

static void report_shapes(report *r, const tr2_scene *scene)
{
    uint32_t of_type[TR2_SCENE_SHAPE_TYPE_COUNT] = {0}, sensors = 0;
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        ++of_type[scene->shapes[i].type];
        sensors += scene->shapes[i].sensor ? 1 : 0;
    }
    report_count(r, "shapes", "shapes", scene->shape_count);
    report_object(r, "shapes_by_type", scene->shape_count > 0 ? "  by type" : NULL);
    for (int type = 0; type < TR2_SCENE_SHAPE_TYPE_COUNT; ++type) {
        const char *name = tr2_scene_shape_infos[type].name;
        report_count(r, name, of_type[type] > 0 ? name : NULL, of_type[type]);
    }
    report_count(r, "sensor", sensors > 0 ? "of these sensors" : NULL, sensors);
    report_end(r);
}

/* reports the bounding box of all bodies' origins and shapes */
static void report_extent(report *r, const tr2_scene *scene)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const double at[2] = {scene->bodies[i].def.position.x, scene->bodies[i].def.position.y};
        for (int k = 0; k < 2; ++k) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        const tr2_scene_shape *shape = &scene->shapes[i];
        const tr2_body_def *def = &scene->bodies[shape->body].def;
        double c = cos(def->angle), s = sin(def->angle);
        double radius = (double)shape->radius;
        for (uint32_t v = 0; v < shape->vertex_count; ++v) {
            tr_vec2 p = scene->vertices[shape->first_vertex + v];
            const double at[2] = {def->position.x + c * p.x - s * p.y, def->position.y + s * p.x + c * p.y};
            for (int k = 0; k < 2; ++k) {
                low[k] = fmin(low[k], at[k] - radius);
                high[k] = fmax(high[k], at[k] + radius);
            }
        }
    }
    report_object(r, "extent", "extent");
    report_real(r, "x_min", "x from", low[0], "m");
    report_real(r, "x_max", "to", high[0], "m");
    report_real(r, "y_min", "y from", low[1], "m");
    report_real(r, "y_max", "to", high[1], "m");
    report_end(r);
}

/* reports the number of joints per body, and the body with most joints */
static bool report_degree(report *r, const tr2_scene *scene)
{
    uint32_t *degree = calloc((size_t)scene->body_count + 1, sizeof *degree);
    if (degree == NULL) {
        return false;
    }
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        ++degree[scene->joints[j].body_a];
        ++degree[scene->joints[j].body_b];
    }
    uint32_t busiest = 0, jointed = 0;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        busiest = degree[i] > degree[busiest] ? i : busiest;
        jointed += degree[i] > 0 ? 1 : 0;
    }
    report_object(r, "degree", "joints on a body");
    report_real(r, "mean", "mean", jointed > 0 ? 2.0 * scene->joint_count / jointed : NAN, NULL);
    report_count(r, "max", "max", degree[busiest]);
    report_count(r, "max_body", scene->joint_count > 0 ? "on body" : NULL, busiest);
    const char *name = scene->body_count > 0 ? scene->bodies[busiest].name : NULL;
    report_text(r, "max_body_name", scene->joint_count > 0 && name != NULL ? "" : NULL, name);
    report_end(r);
    free(degree);
    return true;
}

static bool fill(report *r, const tr2_scene *scene, const simulation *sim, const char *source)
{
    tr_statistics s = tr2_world_statistics(sim->world);
    report_scene(r, scene, source);
    report_list(r, "notices", "notices");
    report_notices(r, scene);
    report_end(r);

    report_count(r, "bodies", "bodies", scene->body_count);
    report_bodies(r, scene);
    report_extent(r, scene);
    report_shapes(r, scene);
    report_count(r, "joints", "joints", scene->joint_count);
    report_joints_by_type(r, &s);
    bool made = report_degree(r, scene);

    report_object(r, "gravity", "gravity");
    report_real(r, "x", "x", (double)scene->gravity.x, "m/s^2");
    report_real(r, "y", "y", (double)scene->gravity.y, "m/s^2");
    report_end(r);
    report_real(r, "hertz", "step rate", scene->hertz, "Hz");
    report_count(r, "substeps", "sub-steps", scene->substeps);
    report_count(r, "islands", "islands", s.islands);
    report_count(r, "largest_island", "  largest, bodies", s.largest_island);
    report_count(r, "colors", "colours", s.colors);
    report_real(r, "lane_fill", "lanes filled", s.lane_fill, NULL);
    report_clusters(r, &s);
    report_count(r, "watched_joints", s.watched_joints > 0 ? "joints watched" : NULL, s.watched_joints);
    report_count(r, "split_bodies", s.split_bodies > 0 ? "bodies split" : NULL, s.split_bodies);

    report_object(r, "joint_error", "joint error");
    report_real(r, "rms", "rms", sim->start.joint_error_rms, "m");
    report_real(r, "max", "max", sim->start.joint_error_max, "m");
    report_end(r);
    report_object(r, "joint_angle_error", "angle error");
    report_real(r, "rms", "rms", sim->start.joint_angle_error_rms, "rad");
    report_real(r, "max", "max", sim->start.joint_angle_error_max, "rad");
    report_end(r);
    return made;
}

static int print_info(const tr2_scene *scene, const char *source, bool json)
{
    simulation sim;
    if (!simulation_begin(&sim, scene, source, 1, 0, true)) {
        return CLI_FAILED;
    }
    report r = {0};
    int code = CLI_OK;
    progress_note(true, "planning");
    tr_status status = tr2_world_optimize(sim.world);
    progress_erase();
    if (status != TR_OK) {
        code = cli_fail("%s", tr2_world_last_error(sim.world)->message);
    } else if (!fill(&r, scene, &sim, source) ||
               !(json ? report_print_json(&r, stdout) : report_print_table(&r, stdout))) {
        code = cli_fail("out of memory");
    }
    report_free(&r);
    simulation_free(&sim);
    return code;
}

int cli_info(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 256},
        {"help", no_argument, NULL, 257},
        {NULL, 0, NULL, 0},
    };
    bool json = false;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (option) {
        case 256:
            json = true;
            break;
        case 'h':
        case 257:
            cli_info_help(stdout);
            return cli_finish_output(CLI_OK);
        default:
            return cli_bad_option("info", argv, options, option);
        }
    }
    if (argc - optind != 1) {
        return cli_misuse("info", argc == optind ? "which scene?" : "one scene at a time; '%s' is one too many",
                          argc == optind ? "" : argv[optind + 1]);
    }
    tr2_scene *scene = NULL;
    int code = cli_open_scene("info", argv[optind], true, &scene);
    code = code == CLI_OK ? print_info(scene, argv[optind], json) : code;
    tr2_scene_destroy(scene);
    return code == CLI_OK ? cli_finish_output(code) : code;
}
