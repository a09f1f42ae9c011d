/* Declarations that every part of Trammel shares: statuses, vectors, hooks, instruction sets, softness, version. */
#ifndef TRAMMEL_BASE_H
#define TRAMMEL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trammel/version.h"

#if defined(_WIN32)
#define TR_API
#elif defined(__GNUC__)
#define TR_API __attribute__((visibility("default")))
#else
#define TR_API
#endif

/* The null pointer of inline functions. C++ hosts may treat zero as a null pointer as an error. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define TR_NULL nullptr
#else
#define TR_NULL NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Statuses
 *
 * Every call that can fail returns a tr_status. A call that fails changes nothing (docs/errors.md has the few
 * exceptions, all after TR_ERROR_MEMORY). A tr_error holds a sentence that names the invalid argument. Calls on a world
 * store it in the world: tr2_world_last_error(). Other calls have an `error` argument. Queries have one too, because
 * several threads may query one world at the same time.
 */
typedef enum tr_status {
    TR_OK = 0,
    TR_ERROR_NULL,        /* a pointer that must not be null is null */
    TR_ERROR_NAN,         /* a number is NaN */
    TR_ERROR_INFINITE,    /* a number is infinite */
    TR_ERROR_NEGATIVE,    /* a number that must not be negative is negative */
    TR_ERROR_ZERO,        /* a number that must be positive is zero (a dynamic body's mass, an axis of no length) */
    TR_ERROR_RANGE,       /* a number or enumerator lies outside its range (lower limit above upper, unknown type) */
    TR_ERROR_NULL_ID,     /* an id is the null id */
    TR_ERROR_STALE_ID,    /* an id names something that was destroyed, or never was */
    TR_ERROR_FOREIGN_ID,  /* an id belongs to another world */
    TR_ERROR_SELF_JOINT,  /* a joint names the same body twice */
    TR_ERROR_NO_PROPERTY, /* this type of joint does not have that property */
    TR_ERROR_MEMORY,      /* the allocator returned null */
    TR_ERROR_LIMIT,       /* a count would pass 2^31 - 1 (joints: 2^30 - 1), or a size would pass size_t */
    /* not on this machine (an instruction set), not in this build (a scene reader), of another version (a snapshot) */
    TR_ERROR_UNSUPPORTED,
    TR_ERROR_FILE,  /* a file cannot be opened, read or written */
    TR_ERROR_PARSE, /* a file or a snapshot has the wrong content; of a scene the message has line or JSON path */
    TR_STATUS_COUNT
} tr_status;

/* The name of a status, as in the enumeration ("TR_ERROR_NAN"). Never null. */
TR_API const char *tr_status_name(tr_status status);

#define TR_MESSAGE_SIZE 256

/* A failure and its message. `message` is empty if status is TR_OK, and always ends in a zero byte. */
typedef struct tr_error {
    tr_status status;
    char message[TR_MESSAGE_SIZE];
} tr_error;

/* Vectors: float for anything relative to a body and for velocities and forces, double for positions in the world. */
typedef struct tr_vec2 {
    float x, y;
} tr_vec2;

typedef struct tr_dvec2 {
    double x, y;
} tr_dvec2;

typedef struct tr_vec3 {
    float x, y, z;
} tr_vec3;

typedef struct tr_dvec3 {
    double x, y, z;
} tr_dvec3;

/* A rotation in space: a unit quaternion x i + y j + z k + w. A turn by the angle a about the unit vector n is
   (n sin(a/2), cos(a/2)); q and -q are the same rotation. */
typedef struct tr_quat {
    float x, y, z, w;
} tr_quat;

/* A symmetric 3x3 matrix, such as a tensor of inertia. */
typedef struct tr_sym3 {
    float xx, yy, zz, xy, xz, yz;
} tr_sym3;

typedef struct tr_dsym3 {
    double xx, yy, zz, xy, xz, yz;
} tr_dsym3;

/*
 * Hooks
 */

/* Memory. `allocate` returns `size` bytes aligned to `alignment` (a power of two, at most 4096), or null.
   `release` receives the same size. Both null: the C library's. Called only on the thread that calls Trammel. */
typedef struct tr_allocator {
    void *(*allocate)(size_t size, size_t alignment, void *context);
    void (*release)(void *memory, size_t size, void *context);
    void *context;
} tr_allocator;

typedef enum tr_log_level { TR_LOG_INFO, TR_LOG_WARNING } tr_log_level;

/* Log. Null: no messages. The library itself never writes to stdout or stderr. */
typedef struct tr_log {
    void (*write)(tr_log_level level, const char *message, void *context);
    void *context;
} tr_log;

/* The application's job system (docs/threads.md has an example). `run` must call task(argument, worker) exactly once
   for each worker = 0 .. worker_count - 1. It may use any threads, and may make several calls one after another on one
   thread. It must return after all of them have returned. worker_count is at most the world's number of threads. A step
   calls `run` a few times, once if there are no shapes, and never for a small world. Null: OpenMP. */
typedef struct tr_host {
    void (*run)(void (*task)(void *argument, uint32_t worker), void *argument, uint32_t worker_count, void *context);
    void *context;
} tr_host;

/*
 * Instruction sets
 *
 * All give bit-identical results. At first use the library chooses the widest one that the processor has. The
 * environment variable TRAMMEL_ISA ("scalar", "sse2", "avx2", "avx512", "neon") can name another one; an unknown or
 * unavailable name is ignored. tr_set_isa() overrides both. This choice is the library's only global state.
 */
typedef enum tr_isa { TR_ISA_SCALAR, TR_ISA_SSE2, TR_ISA_AVX2, TR_ISA_AVX512, TR_ISA_NEON, TR_ISA_COUNT } tr_isa;

TR_API const char *tr_isa_name(tr_isa isa);                  /* "scalar", ...; "unknown" outside the enumeration */
TR_API bool tr_isa_available(tr_isa isa);                    /* in this build, and this processor has it */
TR_API uint32_t tr_isa_width(tr_isa isa);                    /* float lanes: 1, 4, 8, 16 */
TR_API bool tr_isa_from_name(const char *name, tr_isa *out); /* false: no such name; *out is untouched then */
TR_API tr_isa tr_get_isa(void);
/* Forces an instruction set for the later steps of all worlds. Do not call it while a step runs. TR_ERROR_RANGE,
   TR_ERROR_UNSUPPORTED. */
TR_API tr_status tr_set_isa(tr_isa isa);

/* The number of physical cores that this process may use, at least 1. It respects the CPU binding and the control
   group's quota. Without hwloc it counts hardware threads. The upper bound for worlds with `threads` 0. */
TR_API uint32_t tr_physical_cores(void);

/* The optional parts of this build, as text: "openmp hwloc scenes xml". */
TR_API const char *tr_build_options(void);

/* Statistics count islands by size: class k has islands of 2^k to 2^(k + 1) - 1 bodies. */
#define TR_ISLAND_SIZES 32

/*
 * Softness
 *
 * The stiffness of a group of rows (a row is one scalar constraint). RIGID uses the world's joint frequency, at most a
 * quarter of the sub-step rate, in proportion with that rate above 1,000 per second, and the world's damping ratio. A
 * relaxing pass then removes the velocity that the correction of positions has added. The other kinds are springs of the given stiffness and are not relaxed.
 *
 * The stiffness of FREQUENCY follows from the effective mass of the row. For an angle this is the effective inertia of
 * both bodies about their centres of mass; a body that is hinged away from its centre therefore swings more slowly. A
 * single mass on a spring is stable at any stiffness. Springs in a row become unstable at a frequency of about half the
 * sub-step rate (docs/solver.md).
 */
typedef enum tr_softness_kind {
    TR_RIGID = 0,     /* a, b unused */
    TR_FREQUENCY = 1, /* a: frequency in Hz (>= 0; 0: no spring), b: damping ratio (>= 0) */
    TR_PHYSICAL = 2,  /* a: stiffness in N/m or N m/rad (>= 0), b: damping in N s/m or N m s/rad (>= 0) */
    TR_RAW = 3 /* a: softness in 1/kg or 1/(kg m^2) (>= 0), added to K = J M^-1 J^T; b: bias factor (0 to 1), the share
                         of the error C that one sub-step corrects: (K + a) dlambda = -(J v + b C/h + a lambda) */
} tr_softness_kind;

typedef struct tr_softness {
    tr_softness_kind kind;
    float a, b;
} tr_softness;

static inline tr_softness tr_rigid(void)
{
    tr_softness s = {TR_RIGID, 0.0f, 0.0f};
    return s;
}
static inline tr_softness tr_frequency(float hertz, float damping_ratio)
{
    tr_softness s = {TR_FREQUENCY, hertz, damping_ratio};
    return s;
}
static inline tr_softness tr_physical(float stiffness, float damping)
{
    tr_softness s = {TR_PHYSICAL, stiffness, damping};
    return s;
}
static inline tr_softness tr_raw(float softness, float bias_factor)
{
    tr_softness s = {TR_RAW, softness, bias_factor};
    return s;
}

#ifdef __cplusplus
}
#endif

#endif
