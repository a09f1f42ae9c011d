/* The list of cases, and helper functions of all of them. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

void bench_suite_add(bench_suite *suite, bench_case added)
{
    if (suite->count == suite->capacity) {
        uint32_t capacity = suite->capacity == 0 ? 32 : 2 * suite->capacity;
        bench_case *cases = realloc(suite->cases, capacity * sizeof *cases);
        if (cases == NULL) {
            free(added.setting);
            suite->failed = true;
            return;
        }
        suite->cases = cases;
        suite->capacity = capacity;
    }
    suite->cases[suite->count++] = added;
}

void *bench_suite_own(bench_suite *suite, size_t size)
{
    if (suite->owned_count == suite->owned_capacity) {
        uint32_t capacity = suite->owned_capacity == 0 ? 32 : 2 * suite->owned_capacity;
        void **owned = realloc(suite->owned, capacity * sizeof *owned);
        if (owned == NULL) {
            suite->failed = true;
            return NULL;
        }
        suite->owned = owned;
        suite->owned_capacity = capacity;
    }
    void *memory = calloc(1, size);
    if (memory == NULL) {
        suite->failed = true;
        return NULL;
    }
    suite->owned[suite->owned_count++] = memory;
    return memory;
}

bool bench_suite_make(bench_suite *suite)
{
    *suite = (bench_suite){0};
    bench_add_steps(suite);
    bench_add_methods(suite);
    bench_add_exact(suite);
    bench_add_strained(suite);
    bench_add_plans(suite);
    bench_add_contacts(suite);
    bench_add_collisions(suite);
    bench_add_broad(suite);
    bench_add_worlds(suite);
    bench_add_spikes(suite);
    bench_add_rays(suite);
    bench_add_joints(suite);
    bench_add_space(suite);
    bench_add_piles(suite);
    bench_add_snapshots(suite);
    bench_add_rings(suite);
    bench_add_sleep(suite);
    return !suite->failed;
}

void bench_suite_free(bench_suite *suite)
{
    for (uint32_t i = 0; i < suite->count; i++)
        free(suite->cases[i].setting);
    for (uint32_t i = 0; i < suite->owned_count; i++)
        free(suite->owned[i]);
    free(suite->cases);
    free(suite->owned);
    *suite = (bench_suite){0};
}

void bench_count(bench_run *run, const char *name, double value)
{
    if (run->counter_count < BENCH_COUNTERS)
        run->counters[run->counter_count++] = (bench_counter){name, value};
}

double bench_sets_add(bench_sets *sets, double set, double step)
{
    sets->set[sets->samples] = set;
    sets->step[sets->samples++] = step;
    return set + step;
}

void bench_count_sets(bench_run *run, bench_sets *sets, uint32_t count)
{
    const double each = 1e9 / count;
    const double set = bench_median(sets->set, sets->samples), step = bench_median(sets->step, sets->samples);
    if (set > 0.0)
        bench_count(run, "set_ns_per_contact", each * set);
    if (step > 0.0) {
        bench_count(run, "step_ns_per_contact", each * step);
        bench_count(run, "step_ns_least", each * sets->step[0]); /* sorted now */
    }
}

void bench_fail(bench_run *run, const char *reason)
{
    if (run->error == NULL)
        run->error = reason;
}

double bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_thread_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool bench_stays_awake(tr2_world *world)
{
    tr_sleep_settings settings;
    if (tr2_world_get_sleep(world, &settings) != TR_OK)
        return false;
    settings.enable = false;
    return tr2_world_set_sleep(world, &settings) == TR_OK;
}

double bench_median(double *values, uint32_t count)
{
    if (count == 0)
        return 0.0;
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 == 1 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

bool bench_walk_of(const tr2_scene *scene, const tr2_scene_joint *joint, bench_walk *out)
{
    const tr2_joint_def *def = &joint->def;
    if (def->type != TR2_JOINT_LINEAR_MOTOR || scene->bodies[joint->body_a].def.type == TR_DYNAMIC)
        return false;
    *out = (bench_walk){def->axis, def->motor.speed, def->motor.maximum, scene->bodies[joint->body_b].def.mass};
    return true;
}

tr_vec2 bench_walk_force(const bench_walk *walk, tr_vec2 velocity, float h)
{
    float lacks = walk->speed - (walk->ahead.x * velocity.x + walk->ahead.y * velocity.y);
    float force = fminf(fmaxf(walk->mass * lacks / h, -walk->most), walk->most);
    return (tr_vec2){force * walk->ahead.x, force * walk->ahead.y};
}

/* world position of a point in a body's frame */
static tr_dvec2 world_point(const tr2_transform *body, tr_vec2 local)
{
    double c = (double)body->c, s = (double)body->s, x = (double)local.x, y = (double)local.y;
    return (tr_dvec2){body->position.x + (c * x - s * y), body->position.y + (s * x + c * y)};
}

double bench_anchors_apart(const tr2_scene_joint *joint, const tr2_transform *bodies)
{
    tr_dvec2 a = world_point(&bodies[joint->body_a], joint->def.anchor_a);
    tr_dvec2 b = world_point(&bodies[joint->body_b], joint->def.anchor_b);
    return hypot(b.x - a.x, b.y - a.y);
}

bench_joint_error bench_measure(const tr2_scene *scene, const tr2_transform *bodies)
{
    bench_joint_error result = {0.0, 0.0, 0};
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr2_scene_joint *joint = &scene->joints[i];
        const tr2_joint_def *def = &joint->def;
        double error = bench_anchors_apart(joint, bodies);
        if (def->type == TR2_JOINT_DISTANCE) {
            double length = error;
            error = def->linear.kind == TR_RIGID ? fabs(length - (double)def->length) : 0.0;
            if (def->limit.enable)
                error = fmax(error, fmax(length - (double)def->limit.upper, (double)def->limit.lower - length));
        } else if (def->type != TR2_JOINT_REVOLUTE) {
            continue;
        }
        result.joints++;
        result.sum_of_squares += error * error;
        /* the negated comparison also catches NaN */
        if (!(error <= result.max))
            result.max = error;
    }
    return result;
}
