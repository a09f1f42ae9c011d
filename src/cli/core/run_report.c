/* The report of a run, in the order of the table. */
#include "cli/core/run_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void trn_report_scene(report *r, const trn_scene *scene, const char *source)
{
    report_text(r, "version", NULL, tr_version_string());
    report_text(r, "scene", "scene", source);
    report_text(r, "name", scene->name != NULL ? "name" : NULL, scene->name);
    report_text(r, "format", "format", scene->format);
}

void trn_report_joints_by_type(report *r, const tr_statistics *statistics)
{
    report_object(r, "joints_by_type", "  by type");
    for (int type = 0; type < TRN_JOINT_TYPE_COUNT; ++type) {
        /* JSON lists every type, the table only those in use */
        const char *name = trn_joint_type_name((trn_joint_type)type);
        uint32_t count = statistics->joints_of_type[type];
        report_count(r, name, count > 0 ? name : NULL, count);
    }
    report_end(r);
}

void trn_report_notices(report *r, const trn_scene *scene)
{
    const char *silent = scene->shape_count > 0 ? trn_no_collision(scene) : NULL;
    bool said = silent == NULL;
    for (uint32_t i = 0; i < scene->notice_count; ++i) {
        report_text(r, NULL, "", scene->notices[i]);
        said = said || strcmp(scene->notices[i], silent) == 0;
    }
    if (!said) {
        report_text(r, NULL, "", silent);
    }
}

static void report_spread(report *r, const char *key, const char *label, spread s, const char *unit)
{
    report_object(r, key, label);
    report_real(r, "min", "min", 1e3 * s.min, unit);
    report_real(r, "median", "median", 1e3 * s.median, unit);
    report_real(r, "p99", "p99", 1e3 * s.p99, unit);
    report_end(r);
}

/* a frequency of 0 is no spring, but a row that is off */
static bool is_soft(tr_softness s)
{
    return s.kind != TR_RIGID && !(s.kind == TR_FREQUENCY && s.a == 0.0f);
}

/* lists what may change the energy; an empty text if nothing does */
static void explain_energy(char *text, size_t size, const trn_scene *scene, bool contacts, bool broken)
{
    bool motors = false, friction = false, limits = false, springs = false, damping = false, kinematic = false;
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        const trn_joint_def *def = &scene->joints[j].def;
        motors = motors || (def->motor.enable && def->motor.maximum > 0.0f) || trn_joint_is_driven(def);
        friction = friction || trn_joint_is_rubbed(def);
        limits = limits || def->limit.enable;
        springs = springs || def->spring.enable || is_soft(def->linear) || is_soft(def->angular);
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const trn_body_def *def = &scene->bodies[i].def;
        if (!def->enabled)
            continue;
        damping = damping || def->linear_damping > 0.0f || def->angular_damping > 0.0f;
        kinematic = kinematic || (def->type == TR_KINEMATIC && (!trn_is_same(def->velocity, (trn_vec){0}) ||
                                                                trn_spin_size(def->angular_velocity) > 0.0));
    }
    snprintf(text, size, "not conserved:%s%s%s%s%s%s%s%s", contacts ? " contacts," : "",
             broken ? " broken joints," : "", motors ? " motors," : "", friction ? " friction," : "",
             limits ? " limits," : "", springs ? " springs with damping," : "", damping ? " damping of bodies," : "",
             kinematic ? " kinematic bodies," : "");
    size_t length = strlen(text);
    if (contacts || broken || motors || friction || limits || springs || damping || kinematic) {
        text[length - 1] = 0;
    } else {
        text[0] = 0;
    }
}

/* share of the largest energy: less exchange than this is rounding error of velocities and angles (floats) */
#define LEAST_EXCHANGE 1e-6

static void report_energy(report *r, run_texts *texts, const simulation *sim)
{
    double start = sim->start.kinetic_energy + sim->start.potential_energy;
    double end = sim->end.kinetic_energy + sim->end.potential_energy;
    /* relative to the energy exchanged between its forms, because the zero of potential energy is arbitrary */
    double exchanged = fmax(fabs(sim->end.potential_energy - sim->start.potential_energy),
                            fmax(sim->start.kinetic_energy, sim->end.kinetic_energy));
    /* omit the ratio if both sides are rounding error */
    double largest = fmax(fmax(fabs(sim->start.potential_energy), fabs(sim->end.potential_energy)), exchanged);
    bool is_told = exchanged > LEAST_EXCHANGE * largest;
    explain_energy(texts->energy, sizeof texts->energy, sim->scene, sim->touched,
                   trn_world_statistics(sim->world).broken_joints > 0);
    report_object(r, "energy", "energy");
    report_real(r, "start", "start", start, "J");
    report_real(r, "end", "end", end, "J");
    report_real(r, "drift", "drift", end - start, "J");
    report_real(r, "exchanged", is_told ? "exchanged" : NULL, exchanged, "J");
    report_real(r, "relative_drift", is_told ? "drift by exchanged" : NULL, is_told ? (end - start) / exchanged : NAN,
                NULL);
    report_text(r, "note", texts->energy[0] != 0 ? "" : NULL, texts->energy[0] != 0 ? texts->energy : NULL);
    report_end(r);
}

static void report_errors(report *r, const simulation *sim)
{
    report_object(r, "joint_error", "joint error");
    bool stepped = sim->error.steps > 0, settled = sim->settled.steps > 0;
    report_real(r, "rms", "rms", stepped ? trn_run_error_rms(&sim->error) : sim->start.joint_error_rms, "m");
    report_real(r, "max", "max", stepped ? sim->error.max : sim->start.joint_error_max, "m");
    report_real(r, "start_rms", "at start", sim->start.joint_error_rms, "m");
    report_real(r, "end_rms", "at end", sim->end.joint_error_rms, "m");
    report_real(r, "settled_rms", "after 1 s", trn_run_error_rms(&sim->settled), "m");
    report_real(r, "settled_worst_rms", NULL, settled ? sim->settled.worst_rms : NAN, "m");
    report_end(r);
    report_object(r, "joint_angle_error", "angle error");
    report_real(r, "rms", "rms", sim->end.joint_angle_error_rms, "rad");
    report_real(r, "max", "max", sim->end.joint_angle_error_max, "rad");
    report_end(r);
}

/* the plan of the joints, which a survey does not make */
static void report_no_plan(report *r)
{
    static const char *const keys[] = {"islands",
                                       "colors",
                                       "lane_fill",
                                       "blocks",
                                       "batches",
                                       "clusters",
                                       "boundary_joints",
                                       "identical_islands",
                                       "independent_clusters",
                                       "interleaved_clusters",
                                       "contiguous_blocks",
                                       "exact_joints",
                                       "max_degree",
                                       "split_bodies",
                                       "body_copies"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        report_real(r, keys[i], NULL, NAN, NULL);
    }
    report_object(r, "islands_by_size", NULL);
    report_end(r);
}

static void report_plan(report *r, run_texts *texts, const tr_statistics *s)
{
    report_count(r, "islands", "islands", s->islands);
    trn_report_islands(r, texts, s);
    report_count(r, "colors", "colours", s->colors);
    report_real(r, "lane_fill", "lanes filled", s->lane_fill, NULL);
    report_count(r, "blocks", NULL, s->blocks);
    report_count(r, "batches", NULL, s->batches);
    trn_report_clusters(r, s);
    report_count(r, "independent_clusters", s->independent_clusters > 0 ? "clusters alone" : NULL,
                 s->independent_clusters);
    report_count(r, "interleaved_clusters", NULL, s->interleaved_clusters);
    report_count(r, "contiguous_blocks", NULL, s->contiguous_blocks);
    report_count(r, "exact_joints", s->exact_joints > 0 ? "exact joints" : NULL, s->exact_joints);
    const bool direct = s->direct_solves > 0;
    report_count(r, "direct_islands", direct ? "direct islands" : NULL, s->direct_islands);
    report_count(r, "direct_solves", direct ? "  systems solved" : NULL, s->direct_solves);
    report_count(r, "direct_solves_max", direct ? "  at most at once" : NULL, s->direct_solves_max);
    report_count(r, "direct_unsettled", direct ? "  unsettled islands" : NULL, s->direct_unsettled);
    report_count(r, "max_degree", NULL, s->max_degree);
    report_count(r, "split_bodies", s->split_bodies > 0 ? "bodies split" : NULL, s->split_bodies);
    report_count(r, "body_copies", s->split_bodies > 0 ? "  copies" : NULL, s->body_copies);
}

static void report_structure(report *r, run_texts *texts, const simulation *sim, const tr_statistics *s)
{
    report_count(r, "bodies", "bodies", s->bodies);
    report_count(r, "moving_bodies", "  moving", s->moving_bodies);
    report_count(r, "sleeping_bodies", s->sleeping_bodies > 0 ? "  asleep" : NULL, s->sleeping_bodies);
    report_real(r, "asleep_seconds", sim->asleep > 0 ? "  all since" : NULL,
                sim->asleep > 0 ? sim->asleep / sim->hertz : NAN, "s");
    report_count(r, "joints", "joints", s->joints);
    trn_report_joints_by_type(r, s);
    report_count(r, "broken_joints", s->broken_joints > 0 ? "joints broken" : NULL, s->broken_joints);
    report_count(r, "events", sim->events > s->broken_joints ? "events" : NULL, sim->events);
    if (sim->surveyed) {
        report_no_plan(r);
    } else {
        report_plan(r, texts, s);
    }
    report_count(r, "clamped_joints", NULL, s->clamped_joints);
    report_count(r, "clamped_contacts", NULL, s->clamped_contacts);
    report_count(r, "plan_rebuilds", NULL, s->plan_rebuilds);
    report_count(r, "full_layouts", NULL, s->full_layouts);
    report_count(r, "partial_layouts", s->partial_layouts > 0 ? "partial layouts" : NULL, s->partial_layouts);
    report_count(r, "threads", "threads", s->steps > 0 ? s->threads : trn_world_threads(sim->world));
    report_count(r, "threads_allowed", NULL, trn_world_threads(sim->world));
    report_text(r, "method", "method", tr_method_name(sim->scene->method));
    report_text(r, "isa", "instruction set", tr_isa_name(tr_get_isa()));
}

static void report_time(report *r, simulation *sim, const tr_statistics *s)
{
    report_real(r, "hertz", "step rate", sim->hertz, "Hz");
    report_count(r, "substeps", "sub-steps", sim->substeps);
    report_count(r, "steps", "steps", sim->done);
    report_real(r, "seconds", "simulated", trn_simulation_time(sim), "s");
    spread whole = trn_simulation_spread(sim, TR_STAGE_COUNT);
    report_spread(r, "step_ms", "time of a step", whole, "ms");
    report_object(r, "stage_ms", "  by stage");
    for (uint32_t stage = 0; stage < TR_STAGE_COUNT; ++stage) {
        const char *name = tr_stage_name((tr_stage)stage);
        bool idle = stage < TR_STAGE_PLAN && !trn_world_collides(sim->world);
        report_spread(r, name, idle ? NULL : name, trn_simulation_spread(sim, stage), "ms");
    }
    report_end(r);
    report_real(r, "ns_per_joint_step", "per joint and step",
                s->solved_joints > 0 ? 1e9 * whole.median / s->solved_joints : NAN, "ns");
}

void trn_run_report(report *r, run_texts *texts, simulation *sim, const char *source, const output *outputs,
                    uint32_t output_count)
{
    tr_statistics s = trn_simulation_statistics(sim);
    trn_report_scene(r, sim->scene, source);
    report_list(r, "notices", "notices");
    trn_report_notices(r, sim->scene);
    if (s.clamped_joints > 0) {
        snprintf(texts->clamped, sizeof texts->clamped,
                 "rigid joints held softer than asked, at a quarter of the sub-step rate (%g Hz): %u",
                 0.25 * sim->hertz * sim->substeps, s.clamped_joints);
        report_text(r, NULL, "", texts->clamped);
    }
    if (sim->scene->method == TR_SEQUENTIAL_IMPULSES && sim->substeps > 1 && s.joints > 0) {
        snprintf(texts->substeps, sizeof texts->substeps,
                 "sequential_impulses with %u sub-steps: chains of joints can explode; use --substeps 1, or "
                 "another method",
                 sim->substeps);
        report_text(r, NULL, "", texts->substeps);
    }
    if (s.nonfinite_bodies > 0) {
        snprintf(texts->quarantined, sizeof texts->quarantined,
                 "bodies that became non-finite, were put back and are held still: %u", s.nonfinite_bodies);
        report_text(r, NULL, "", texts->quarantined);
    }
    report_end(r);

    report_structure(r, texts, sim, &s);
    report_time(r, sim, &s);
    trn_report_work(r, texts, sim, &s);
    report_errors(r, sim);
    report_energy(r, texts, sim);
    report_count(r, "nonfinite_bodies", "non-finite bodies", s.nonfinite_bodies);
    if (sim->surveyed) {
        report_real(r, "bytes", NULL, NAN, NULL);
    } else {
        report_count(r, "bytes", NULL, s.bytes);
    }
    snprintf(texts->hash, sizeof texts->hash, "%016" PRIx64, trn_simulation_hash(sim));
    report_text(r, "state_hash", "state hash", texts->hash);
    report_list(r, "files", "files");
    for (uint32_t i = 0; i < output_count; ++i) {
        report_text(r, NULL, "", outputs[i].path);
    }
    report_end(r);
}
