/* Benchmark cases in plain C, which bench_shim.cc passes to Google Benchmark, and the engines that they compare. */
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
    void *state;       /* of the case */
    const char *error; /* any of the three functions may set it: the repetition is reported as failed */
    bench_counter counters[BENCH_COUNTERS];
    uint32_t counter_count;
    char label[BENCH_NAME_SIZE]; /* printed after the counters; empty: nothing */
} bench_run;

typedef struct bench_case {
    char name[BENCH_NAME_SIZE];
    uint32_t iterations; /* per repetition */
    void *setting;       /* from malloc; the suite frees it */
    void (*begin)(bench_run *run);
    double (*iterate)(bench_run *run); /* returns the seconds to report */
    void (*end)(bench_run *run);       /* called after an error, too, with whatever begin has made */
} bench_case;

typedef struct bench_suite {
    bench_case *cases;
    uint32_t count, capacity;
    void **owned; /* from malloc; freed with the suite */
    uint32_t owned_count, owned_capacity;
    bool failed; /* out of memory: the suite is incomplete */
} bench_suite;

/* All cases. False if out of memory. */
bool bench_suite_make(bench_suite *suite);
void bench_suite_free(bench_suite *suite);
/* Adds a case and takes ownership of its setting. */
void bench_suite_add(bench_suite *suite, bench_case added);
/* Zeroed memory that lives as long as the suite; null if out of memory. */
void *bench_suite_own(bench_suite *suite, size_t size);

void bench_count(bench_run *run, const char *name, double value);
/* Time of a monotonic clock, s. */
double bench_clock(void);
/* The CPU time of the calling thread in seconds: also on a busy machine. */
double bench_thread_clock(void);
/* Sorts the values and returns the median; 0 if there are none. */
double bench_median(double *values, uint32_t count);
/* Nothing sleeps in this world: what is measured is the work of all its joints and bodies. False if it is refused. */
bool bench_stays_awake(tr2_world *world);
/* What cases of the application's contacts measure in each iteration: the seconds of setting them, and of the step. */
#define BENCH_SETS 128u

typedef struct bench_sets {
    double set[BENCH_SETS], step[BENCH_SETS]; /* 0: none was made */
    uint32_t samples;
} bench_sets;

/* Notes the times of an iteration and returns their sum. */
double bench_sets_add(bench_sets *sets, double set, double step);
/* Counts the medians and the least step for each of `count` contacts (or joints in their place). */
void bench_count_sets(bench_run *run, bench_sets *sets, uint32_t count);
/* Sets the repetition's error; an earlier one is kept. */
void bench_fail(bench_run *run, const char *reason);

/* Families of cases. */
void bench_add_steps(bench_suite *suite);      /* step_cases.c: steps of whole scenes in every engine */
void bench_add_methods(bench_suite *suite);    /* method_cases.c: the same steps by every method */
void bench_add_exact(bench_suite *suite);      /* method_cases.c: what sweeps cannot hold, by them and directly */
void bench_add_strained(bench_suite *suite);   /* strained_cases.c: heavy on light bodies, and bodies in random order */
void bench_add_plans(bench_suite *suite);      /* plan_cases.c: cost of edits and plans */
void bench_add_joints(bench_suite *suite);     /* joint_cases.c: cost of a visit of each joint type */
void bench_add_contacts(bench_suite *suite);   /* contact_cases.c: setting contacts, and steps with them */
void bench_add_collisions(bench_suite *suite); /* collide_cases.c: cost of a pair of shapes */
void bench_add_worlds(bench_suite *suite);     /* world_cases.c: steps of worlds that collide, in every engine */
void bench_add_spikes(bench_suite *suite);     /* spike_cases.c: how evenly long the steps of large worlds are */
void bench_add_rays(bench_suite *suite);       /* ray_cases.c: cost of a ray in every engine */
void bench_add_broad(bench_suite *suite);      /* broad_cases.c: cost of the broad phase */
void bench_add_space(bench_suite *suite);      /* space_cases.c: steps in space: sheets of each type, scenes */
void bench_add_piles(bench_suite *suite);      /* pile_cases.c: contacts of the application in space */
void bench_add_snapshots(bench_suite *suite);  /* snapshot_cases.c: saving worlds, and going back */
void bench_add_rings(bench_suite *suite);      /* ring_cases.c: frames that are kept, and going back */
void bench_add_sleep(bench_suite *suite);      /* sleep_cases.c: steps beside what sleeps; waking */

/*
 * Engines. Each builds a world from a scene's bodies and joints, and from its circles and polygons if `collide` is set.
 */
typedef struct bench_options {
    uint32_t substeps;   /* sub-steps per step */
    uint32_t iterations; /* velocity iterations per sub-step, in engines that iterate */
    uint32_t position_iterations;
    bool continuous; /* for Box2D only: with its continuous collision */
    tr_isa isa;      /* this and the next ones: for Trammel only */
    uint32_t threads;
    tr_method method;
    uint32_t sweeps; /* 0: the method's default */
} bench_options;

typedef struct bench_engine {
    const char *name;
    void *(*create)(const tr2_scene *scene, const bench_options *options); /* null on failure */
    void (*destroy)(void *world);
    bool (*step)(void *world, double dt);
    void (*read)(void *world, tr2_transform *out);     /* transforms of the scene's bodies; needs position, c, s */
    uint64_t (*hash)(void *world);                     /* hash of the state; null: not available */
    void (*stepped)(void *world);                      /* called after a step, not timed; null: nothing to do */
    void (*report)(void *world, bench_run *run);       /* the engine's own counters, per joint; null: none */
    tr2_measures (*measure)(void *world);              /* energies; null: not available */
    void (*report_world)(void *world, bench_run *run); /* counters of a world that collides; null: none */
} bench_engine;

const bench_engine *bench_engine_trammel(void);
/* Null if the engine is not in this build. */
const bench_engine *bench_engine_box2d(void);
const bench_engine *bench_engine_chipmunk(void);

/*
 * A walker: a linear motor between a static and a dynamic body, for engines without that joint. Before each step they
 * apply the force, up to the motor's maximum, that gives the body its speed by the end of the step.
 */
typedef struct bench_walk {
    tr_vec2 ahead; /* of length 1 */
    float speed;   /* m/s */
    float most;    /* N, the maximum */
    float mass;    /* kg, of B, the body that is pushed */
} bench_walk;

/* False if the joint is not such a motor. */
bool bench_walk_of(const tr2_scene *scene, const tr2_scene_joint *joint, bench_walk *out);
tr_vec2 bench_walk_force(const bench_walk *walk, tr_vec2 velocity, float h);

/* Errors of the rigid joints, m, by the same code for all engines: computed in double from the bodies' transforms.
   Revolute: the distance of the anchors. Distance: the deviation from its length, or the violation of its limits. */
typedef struct bench_joint_error {
    double sum_of_squares, max;
    uint32_t joints;
} bench_joint_error;

/* The next state of a generator of pseudo-random numbers (Knuth's MMIX), the same on every machine; its high bits are
   the good ones. */
static inline void bench_random_step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
}

/* Distance between the anchors of a joint, m. */
double bench_anchors_apart(const tr2_scene_joint *joint, const tr2_transform *bodies);
bench_joint_error bench_measure(const tr2_scene *scene, const tr2_transform *bodies);

/* Steps of a scene as a case (step_cases.c). An iteration is one step; each repetition starts with a new scene. */
typedef struct bench_accuracy bench_accuracy;

typedef struct bench_step_setting {
    const bench_engine *engine; /* null: not in this build; then no case is added */
    bench_options options;
    const char *kind; /* for tr2_scene_generate */
    uint32_t size, steps;
    tr_status (*make)(uint32_t size, tr2_scene **out); /* null: tr2_scene_generate */
    /* m, of the bodies from the true motion after `steps` steps; null: the joints' errors are measured instead */
    double (*deviation)(uint32_t size, const tr2_transform *bodies, uint32_t steps);
    bench_accuracy *accuracy; /* null: not measured */
} bench_step_setting;

/*
 * Machines (machines.c); `direct_load` is infinite, so the world's method solves them whatever they carry
 */
/* A chain of links of 1 kg and 1 m that starts horizontal, with a ball of `load` kg at its end. */
tr_status bench_make_chain(uint32_t links, float load, tr2_scene **out);
/* A cantilever of bars of 1 kg and 1 m on pins, with a weight of 100 kg at its end. At most 62 triangles. */
tr_status bench_make_truss(uint32_t triangles, tr2_scene **out);
/* The closed linkage of the IFToMM benchmark A02, and the distance of its first coupler from where it should be. */
tr_status bench_make_linkage(uint32_t windows, tr2_scene **out);
double bench_linkage_deviation(uint32_t windows, const tr2_transform *bodies, uint32_t steps);
tr_status bench_make_pendulum(uint32_t size, tr2_scene **out);
double bench_pendulum_deviation(uint32_t size, const tr2_transform *bodies, uint32_t steps);

/* The results of one run, shared by the cases that must agree; lives as long as the suite. Null if out of memory. */
bench_accuracy *bench_accuracy_make(bench_suite *suite);
/* Adds a case named GROUP/KIND-SIZE/ENGINE/NAME. */
void bench_add_step_case(bench_suite *suite, const char *group, const char *name, bench_step_setting setting);

#ifdef __cplusplus
}
#endif

#endif
