/* Describes a scene without simulating it. */
#include "base/sets.h"
#include "cli/cli.h"
#include "cli/core/run_report.h"
#include "cli/core/simulation.h"
#include "cli/progress.h"
#include "cli/scenes.h"

#include <math.h>
#include <stdlib.h>

static void report_bodies(report *r, const trn_scene *scene)
{
    uint32_t of_type[3] = {0, 0, 0}, disabled = 0;
    double least = INFINITY, most = 0.0, total = 0.0;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const trn_body_def *def = &scene->bodies[i].def;
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

static void report_shapes(report *r, const trn_scene *scene)
{
    uint32_t of_type[TRN_SCENE_SHAPE_TYPE_COUNT] = {0}, sensors = 0;
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        ++of_type[scene->shapes[i].type];
        sensors += trn_shape_is_sensor(&scene->shapes[i]) ? 1 : 0;
    }
    report_count(r, "shapes", "shapes", scene->shape_count);
    report_object(r, "shapes_by_type", scene->shape_count > 0 ? "  by type" : NULL);
    for (int type = 0; type < TRN_SCENE_SHAPE_TYPE_COUNT; ++type) {
        const char *name = trn_scene_shape_type_name((uint32_t)type);
        report_count(r, name, of_type[type] > 0 ? name : NULL, of_type[type]);
    }
    report_count(r, "sensor", sensors > 0 ? "of these sensors" : NULL, sensors);
    report_end(r);
}

static const char *const axis_names[] = {"x", "y", "z"};

/* reports the bounding box of all bodies' origins and shapes */
static void report_extent(report *r, const trn_scene *scene)
{
    static const char *const keys[][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
    static const char *const labels[] = {"x from", "y from", "z from"};
    double low[TRN_SCENE_AXES], high[TRN_SCENE_AXES];
    for (int k = 0; k < TRN_SCENE_AXES; ++k) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const double *at = &scene->bodies[i].def.position.x;
        for (int k = 0; k < TRN_SCENE_AXES; ++k) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        const trn_scene_shape *shape = &scene->shapes[i];
        trn_vec point = {0};
        double radius = 0.0;
        for (uint32_t v = 0; v < trn_shape_bound(scene, shape, v, &point, &radius); ++v) {
            trn_dvec place = trn_def_place(&scene->bodies[shape->body].def, point);
            const double *at = &place.x;
            for (int k = 0; k < TRN_SCENE_AXES; ++k) {
                low[k] = fmin(low[k], at[k] - radius);
                high[k] = fmax(high[k], at[k] + radius);
            }
        }
    }
    report_object(r, "extent", "extent");
    for (int k = 0; k < TRN_SCENE_AXES; ++k) {
        report_real(r, keys[k][0], labels[k], low[k], "m");
        report_real(r, keys[k][1], "to", high[k], "m");
    }
    report_end(r);
}

/* reports the number of joints per body, and the body with most joints */
static bool report_degree(report *r, const trn_scene *scene)
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

/* joints that connect what others connect already; all that does not move is one */
static bool count_loops(const trn_scene *scene, uint32_t *out)
{
    uint32_t *parent = calloc((size_t)scene->body_count + 1, sizeof *parent), ground = scene->body_count;
    if (parent == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        parent[i] = i;
    }
    parent[ground] = ground;
    *out = 0;
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        const trn_scene_joint *joint = &scene->joints[j];
        const trn_body_def *a = &scene->bodies[joint->body_a].def, *b = &scene->bodies[joint->body_b].def;
        if (!joint->def.enabled || !a->enabled || !b->enabled || trn_joint_is_loose(&joint->def)) {
            continue;
        }
        uint32_t one = a->type == TR_DYNAMIC ? joint->body_a : ground,
                 other = b->type == TR_DYNAMIC ? joint->body_b : ground;
        *out += tr_set_root(parent, one) == tr_set_root(parent, other) ? 1 : 0;
        tr_set_unite(parent, one, other);
    }
    free(parent);
    return true;
}

#define MOST_COUNTED 3000u /* joints: the equations of larger scenes are not solved for their rank */

/*
 * How many numbers say the velocities of all bodies: those of free bodies, less the rank of what joints always hold. The
 * rank is that of a world in which nothing else acts; NaN if there are too many joints.
 */
static bool count_freedom(const trn_scene *scene, double *out)
{
    *out = NAN;
    if (scene->joint_count > MOST_COUNTED) {
        return true;
    }
    trn_scene bare = *scene;
    bare.shape_count = 0;
    bare.joints = malloc(((size_t)scene->joint_count + 1) * sizeof *bare.joints);
    if (bare.joints == NULL) {
        return false;
    }
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        bare.joints[j] = scene->joints[j];
        trn_joint_strip(&bare.joints[j].def);
    }
    trn_world_def def = trn_scene_world_def(&bare);
    def.threads = 1;
    trn_world *world = NULL;
    tr_accelerations_options options = tr_accelerations_options_default();
    tr_accelerations_report rows = {0};
    options.motors = false;
    tr_status status = trn_world_create(&def, &world, NULL);
    if (status == TR_OK) {
        status = trn_scene_build(&bare, world, NULL, NULL, NULL);
    }
    if (status == TR_OK) {
        status = trn_world_set_gravity(world, (trn_vec){0});
    }
    const trn_accelerations all = {0};
    if (status == TR_OK) {
        status = trn_world_accelerations(world, &all, &options, &rows);
    }
    trn_world_destroy(world);
    free(bare.joints);
    if (status != TR_OK) {
        return status != TR_ERROR_MEMORY;
    }
    double moves = 0.0;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const trn_body_def *body = &scene->bodies[i].def;
        if (body->type == TR_DYNAMIC && body->enabled) {
            moves += trn_body_turns(body) ? TRN_DEGREES : TRN_SCENE_AXES;
        }
    }
    *out = moves - rows.rows + rows.redundant;
    return true;
}

static bool report_freedom(report *r, const trn_scene *scene)
{
    uint32_t loops = 0;
    double freedom = NAN;
    if (!count_loops(scene, &loops) || !count_freedom(scene, &freedom)) {
        return false;
    }
    report_count(r, "loops", "loops of joints", loops);
    report_real(r, "degrees_of_freedom", isnan(freedom) ? NULL : "degrees of freedom", freedom, NULL);
    return true;
}

static bool fill(report *r, const trn_scene *scene, const simulation *sim, const char *source)
{
    tr_statistics s = trn_world_statistics(sim->world);
    trn_report_scene(r, scene, source);
    report_list(r, "notices", "notices");
    trn_report_notices(r, scene);
    report_end(r);

    report_count(r, "bodies", "bodies", scene->body_count);
    report_bodies(r, scene);
    report_extent(r, scene);
    report_shapes(r, scene);
    report_count(r, "joints", "joints", scene->joint_count);
    trn_report_joints_by_type(r, &s);
    bool made = report_degree(r, scene) && report_freedom(r, scene);

    report_object(r, "gravity", "gravity");
    const float *gravity = &scene->gravity.x;
    for (int k = 0; k < TRN_SCENE_AXES; ++k) {
        report_real(r, axis_names[k], axis_names[k], (double)gravity[k], "m/s^2");
    }
    report_end(r);
    report_real(r, "hertz", "step rate", scene->hertz, "Hz");
    report_count(r, "substeps", "sub-steps", scene->substeps);
    report_count(r, "islands", "islands", s.islands);
    report_count(r, "largest_island", "  largest, bodies", s.largest_island);
    report_count(r, "colors", "colours", s.colors);
    report_real(r, "lane_fill", "lanes filled", s.lane_fill, NULL);
    trn_report_clusters(r, &s);
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

int trn_info_scene(const trn_scene *scene, const char *source, bool json)
{
    simulation sim;
    if (!trn_simulation_begin(&sim, scene, NULL, 0, source, 1, 0, true)) {
        return CLI_FAILED;
    }
    report r = {0};
    int code = CLI_OK;
    progress_note(true, "planning");
    tr_status status = trn_world_optimize(sim.world);
    progress_erase();
    if (status != TR_OK) {
        code = cli_fail("%s", trn_world_last_error(sim.world)->message);
    } else if (!fill(&r, scene, &sim, source) ||
               !(json ? report_print_json(&r, stdout) : report_print_table(&r, stdout))) {
        code = cli_fail("out of memory");
    }
    report_free(&r);
    trn_simulation_free(&sim);
    return code;
}
