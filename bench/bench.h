/*
 * A benchmark as plain C: what bench_shim.cc hands to Google Benchmark, and the engines that the cases compare.
 */
#ifndef TR_BENCH_H
#define TR_BENCH_H

#include "trammel/trammel.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Cases
 */
#define BENCH_NAME_SIZE 96
#define BENCH_COUNTERS  24

typedef struct bench_counter {
    const char *name;
    double value;
} bench_counter;

/* One repetition of a case. */
typedef struct bench_run {
    const struct bench_case *of;
    void *state;       /* the case's own */
    const char *error; /* set by any of the three functions: the repetition is reported as failed */
    bench_counter counters[BENCH_COUNTERS];
    uint32_t counter_count;
} bench_run;

typedef struct bench_case {
    char name[BENCH_NAME_SIZE];
    uint32_t iterations; /* per repetition */
    void *setting;       /* from malloc; the suite frees it */
    void (*begin)(bench_run *run);
    double (*iterate)(bench_run *run); /* returns the seconds that count */
    void (*end)(bench_run *run);       /* after an error too, with whatever begin has made */
} bench_case;

typedef struct bench_suite {
    bench_case *cases;
    uint32_t count, capacity;
    void **owned; /* from malloc; freed with the suite */
    uint32_t owned_count, owned_capacity;
    bool failed; /* there was no memory: the suite is not whole */
} bench_suite;

/* All cases. False when there is no memory. */
bool bench_suite_make(bench_suite *suite);
void bench_suite_free(bench_suite *suite);
/* Adds a case; takes over its setting. */
void bench_suite_add(bench_suite *suite, bench_case added);
/* Zeroed memory that lives as long as the suite; null when there is none. */
void *bench_suite_own(bench_suite *suite, size_t size);

void bench_count(bench_run *run, const char *name, double value);
/* A clock in seconds that only goes forward. */
double bench_clock(void);
/* Sorts the values. 0 where there are none. */
double bench_median(double *values, uint32_t count);
/* The reason as kept for the repetition's report: the first one stays. */
void bench_fail(bench_run *run, const char *reason);

/* Families of cases. */
void bench_add_steps(bench_suite *suite);      /* step_cases.c: steps of whole scenes in every engine */
void bench_add_methods(bench_suite *suite);    /* method_cases.c: the same steps by every method */
void bench_add_trees(bench_suite *suite);      /* tree_cases.c: heavy on light, and bodies in any order */
void bench_add_plans(bench_suite *suite);      /* plan_cases.c: what edits and plans cost */
void bench_add_joints(bench_suite *suite);     /* joint_cases.c: what a visit of each type of joint costs */
void bench_add_contacts(bench_suite *suite);   /* contact_cases.c: sets of contacts, and steps with them */
void bench_add_collisions(bench_suite *suite); /* collide_cases.c: what a pair of shapes costs */
void bench_add_worlds(bench_suite *suite);     /* world_cases.c: steps of worlds that collide, in every engine */
void bench_add_rays(bench_suite *suite);       /* ray_cases.c: what a ray costs in every engine */

/*
 * Engines: each makes a world of a scene's bodies and joints; of its circles and polygons too, where it says `collide`.
 */
typedef struct bench_options {
    uint32_t substeps;   /* a step is cut into so many */
    uint32_t iterations; /* of velocity in each sub-step, where the engine iterates */
    uint32_t position_iterations;
    tr_isa isa; /* Trammel, and so are those below */
    uint32_t threads;
    tr2_method method;
    uint32_t sweeps; /* 0: the method's own */
} bench_options;

typedef struct bench_engine {
    const char *name;
    void *(*create)(const tr2_scene *scene, const bench_options *options); /* null on failure */
    void (*destroy)(void *world);
    bool (*step)(void *world, double dt);
    void (*read)(void *world, tr2_transform *out);     /* where the scene's bodies are; position, c and s are needed */
    uint64_t (*hash)(void *world);                     /* of the state; null: the engine has none */
    void (*stepped)(void *world);                      /* after a step, outside of the time; null: nothing */
    void (*report)(void *world, bench_run *run);       /* counters of its own, per joint; null: none */
    tr2_measures (*measure)(void *world);              /* energies; null: the engine has none */
    void (*report_world)(void *world, bench_run *run); /* counters of a world that collides; null: none */
} bench_engine;

const bench_engine *bench_engine_trammel(void);
/* Null where this build is without them. */
const bench_engine *bench_engine_box2d(void);
const bench_engine *bench_engine_chipmunk(void);

/*
 * Someone who walks: a linear motor between what is fixed and a body, for engines that have none. Before each of their steps
 * they push with the force that brings the body to its speed by the end of it, as far as the motor's maximum goes.
 */
typedef struct bench_walk {
    tr_vec2 ahead; /* of length 1 */
    float speed;   /* m/s */
    float most;    /* N */
    float mass;    /* kg, of the body that is pushed: B */
} bench_walk;

/* False where the joint is something else. */
bool bench_walk_of(const tr2_scene *scene, const tr2_scene_joint *joint, bench_walk *out);
tr_vec2 bench_walk_force(const bench_walk *walk, tr_vec2 velocity, float h);

/* How far the joints that are held rigidly are from closed, m, for all engines alike: computed in double from where the
   bodies are. Revolute: the distance of the anchors; distance: off its length, or beyond its limits. */
typedef struct bench_joint_error {
    double sum_of_squares, max;
    uint32_t joints;
} bench_joint_error;

/* m; between the anchors of a joint */
double bench_anchors_apart(const tr2_scene_joint *joint, const tr2_transform *bodies);
bench_joint_error bench_measure(const tr2_scene *scene, const tr2_transform *bodies);

/*
 * Steps of a scene as a case (step_cases.c): an iteration is one step, a repetition begins with the scene as it was made.
 */
typedef struct bench_accuracy bench_accuracy;

typedef struct bench_step_setting {
    const bench_engine *engine; /* null: not in this build, and no case is added */
    bench_options options;
    const char *kind; /* of tr2_scene_generate */
    uint32_t size, steps;
    tr_status (*make)(uint32_t size, tr2_scene **out); /* null: tr2_scene_generate */
    bench_accuracy *accuracy;                          /* null: not looked at */
} bench_step_setting;

/* Links of 1 kg and 1 m, level, that swing down with a ball of 1,000 kg at the end. */
tr_status bench_make_heavy_chain(uint32_t links, tr2_scene **out);

/* What one run from the start gives, shared by the cases that must agree; lives as long as the suite. Null without memory. */
bench_accuracy *bench_accuracy_make(bench_suite *suite);
/* Adds a case named GROUP/KIND-SIZE/ENGINE/NAME. */
void bench_add_step_case(bench_suite *suite, const char *group, const char *name, bench_step_setting setting);

#ifdef __cplusplus
}
#endif

#endif
