/*
 * Checks of the caller's arguments. On failure each writes a message that names the argument ("create_bodies:
 * defs[3].mass is NaN"); on success it writes nothing.
 */
#ifndef TR_WORLD_CHECK_H
#define TR_WORLD_CHECK_H

#include "base/number.h"
#include "world/core/world_internal.h"

/* The call and argument being checked: the first half of the message. */
typedef struct trn_check {
    tr_error *error;     /* receives status and message; may be null */
    const char *call;    /* "create_bodies" */
    const char *subject; /* "defs", "def", "ids"; "" if the values have their own names */
    uint32_t index;      /* element of the subject; TR_NONE: it is no array */
    atomic_flag *busy;   /* lock of an error that several threads may write; null: only one does */
} trn_check;

/* A check that writes no message. */
#define TR_CHECK_SILENT ((trn_check){NULL, "", "", TR_NONE, NULL})

/* A check that writes to the world's last error, the only thing that several threads may write concurrently in calls
   on a const world. */
trn_check trn_check_of(const trn_world *world, const char *call, const char *subject);

/* Writes "call: subject[index].name message" and returns the status; `name` may be "" for the subject itself. */
tr_status trn_check_fail(const trn_check *check, tr_status status, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* TR_ERROR_NULL. */
tr_status trn_check_pointer(const trn_check *check, const char *name, const void *pointer);
/* The output of a list of at most `capacity` elements, and its count: TR_ERROR_NULL. */
tr_status trn_check_list(const trn_check *check, const void *out, uint32_t capacity, const uint32_t *count);
/* TR_ERROR_NAN, _INFINITE. */
tr_status trn_check_finite(const trn_check *check, const char *name, double value);
tr_status trn_check_vec(const trn_check *check, const char *name, trn_vec value);
tr_status trn_check_dvec(const trn_check *check, const char *name, trn_dvec value);
tr_status trn_check_spin(const trn_check *check, const char *name, trn_spin value);
/* These, and TR_ERROR_NEGATIVE. */
tr_status trn_check_not_negative(const trn_check *check, const char *name, double value);
/* These, and TR_ERROR_ZERO. */
tr_status trn_check_not_positive(const trn_check *check, const char *name, double value);
tr_status trn_check_positive(const trn_check *check, const char *name, double value);
/* A result of valid input that does not fit its type: TR_ERROR_RANGE. */
tr_status trn_check_result(const trn_check *check, const char *name, double value);
tr_status trn_check_result_vec(const trn_check *check, const char *name, trn_vec value);
tr_status trn_check_result_spin(const trn_check *check, const char *name, trn_spin value);

/* TR_ERROR_NULL_ID, _FOREIGN_ID, _STALE_ID. The first function is for ids of any kind, by their three parts. */
tr_status trn_check_id(const trn_check *check, const char *name, const trn_world *world, const tr_pool *pool,
                       uint32_t index, uint16_t tag, uint16_t generation);
tr_status trn_check_body(const trn_check *check, const char *name, const trn_world *world, trn_body id);
/* The beginning of a call on one body: its world (TR_ERROR_NULL), then its id; `check` is for what the call checks next. */
tr_status trn_check_body_call(trn_check *check, const char *call, const trn_world *world, trn_body id);
/* body_a and body_b of an object that connects two: each must be valid, and they must differ. */
tr_status trn_check_bodies(const trn_check *check, const trn_world *world, trn_body a, trn_body b);
tr_status trn_check_joint(const trn_check *check, const char *name, const trn_world *world, trn_joint id);

/* The settings of a world, as trn_world_create() refuses them. */
tr_status trn_check_world_def(const trn_check *check, const trn_world_def *def);

/* Whether `more` objects fit into the numbering, 2^bits - 1 in total: TR_ERROR_LIMIT. */
#define TR_BODY_BITS  31u
#define TR_JOINT_BITS 30u /* joints and contacts; TR_EDGES_MAX */
tr_status trn_check_room(const trn_check *check, const tr_pool *pool, uint32_t more, uint32_t bits);

/* A body's rotation, by its name in a definition: TR_ERROR_NAN, _INFINITE; _RANGE (an angle beyond +-1e12 rad), or
   _ZERO (a quaternion of no length). */
tr_status trn_check_orientation(const trn_check *check, trn_orientation orientation);
/* A body's inertia, and its mass as well; `dynamic`: the mass must be positive. TR_ERROR_RANGE if an inverse would be
   infinite, or if no body has such an inertia. */
tr_status trn_check_inertia(const trn_check *check, trn_inertia inertia);
tr_status trn_check_mass(const trn_check *check, bool dynamic, float mass, trn_inertia inertia);
/* A number whose inverse must be finite, or 0: TR_ERROR_RANGE. */
tr_status trn_check_inverse(const trn_check *check, const char *name, float value);

/* A joint's thresholds. */
tr_status trn_check_event_at(const trn_check *check, const tr_event_at *event_at);
tr_status trn_check_break_at(const trn_check *check, const tr_break_at *break_at);
/* A joint's type and the numbers of its definition, without its bodies and their consequences. */
tr_status trn_check_joint_def(const trn_check *check, const trn_joint_def *def);
/* Conditions on several numbers together, each of which is valid; the second function has those of one dimension. */
tr_status trn_check_joint_whole(const trn_check *check, const trn_joint_def *def);
tr_status trn_check_joint_own(const trn_check *check, const trn_joint_def *def);
/* How many of the fields before TRN_FIELD_AFTER_FURTHER a check of a definition must read, beside the type's default;
   it reads all from there on. */
uint32_t trn_check_fields(const trn_joint_def *def, const trn_joint_def *standard);
/* One number of a definition, as the bits in its column. */
tr_status trn_check_field(const trn_check *check, trn_field field, uint32_t bits);

#endif
