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
tr_status trn_check_vec2(const trn_check *check, const char *name_x, const char *name_y, tr_vec2 value);
tr_status trn_check_dvec2(const trn_check *check, const char *name_x, const char *name_y, tr_dvec2 value);
/* These, and TR_ERROR_NEGATIVE. */
tr_status trn_check_not_negative(const trn_check *check, const char *name, double value);
/* These, and TR_ERROR_ZERO. */
tr_status trn_check_not_positive(const trn_check *check, const char *name, double value);
tr_status trn_check_positive(const trn_check *check, const char *name, double value);
/* A result of valid input that does not fit its type: TR_ERROR_RANGE. */
tr_status trn_check_result(const trn_check *check, const char *name, double value);

/* TR_ERROR_NULL_ID, _FOREIGN_ID, _STALE_ID. */
tr_status trn_check_body(const trn_check *check, const char *name, const trn_world *world, trn_body id);
/* body_a and body_b of an object that connects two: each must be valid, and they must differ. */
tr_status trn_check_bodies(const trn_check *check, const trn_world *world, trn_body a, trn_body b);
tr_status trn_check_joint(const trn_check *check, const char *name, const trn_world *world, trn_joint id);
tr_status trn_check_shape_id(const trn_check *check, const char *name, const trn_world *world, trn_shape id);

/* Whether `more` objects fit into the numbering, 2^bits - 1 in total: TR_ERROR_LIMIT. */
#define TR_BODY_BITS  31u
#define TR_JOINT_BITS 30u /* joints and contacts; TR_EDGES_MAX */
tr_status trn_check_room(const trn_check *check, const tr_pool *pool, uint32_t more, uint32_t bits);

/* A body's angle: finite, and |angle| <= TRN_ANGLE_MAX. */
tr_status trn_check_angle(const trn_check *check, const char *name, double angle);
/* A body's mass and inertia; `dynamic`: the mass must be positive. TR_ERROR_RANGE if an inverse would be infinite. */
tr_status trn_check_mass(const trn_check *check, bool dynamic, float mass, float inertia);

/* A joint's thresholds. */
tr_status trn_check_event_at(const trn_check *check, const tr_event_at *event_at);
tr_status trn_check_break_at(const trn_check *check, const tr_break_at *break_at);
/* A joint's type and the numbers of its definition, without its bodies and their consequences. */
tr_status trn_check_joint_def(const trn_check *check, const trn_joint_def *def);
/* Conditions on several numbers together, each of which is valid. */
tr_status trn_check_joint_whole(const trn_check *check, const trn_joint_def *def);
/* One number of a definition, as the bits in its column. */
tr_status trn_check_field(const trn_check *check, trn_field field, uint32_t bits);

/* Friction, restitution, rolling resistance and tangent speed of a shape. */
tr_status trn_check_surface(const trn_check *check, const trn_surface *surface);
/* A shape's definition without the body, in a world with this length unit (m); *out receives its geometry. */
tr_status trn_check_shape(const trn_check *check, float unit, const trn_shape_def *def, trn_geometry *out);
/* Whether a body can have the total mass of its unmarked shapes. A static body can always: it does not need it yet. */
tr_status trn_shapes_check_mass(const trn_check *check, trn_world *world, uint32_t body_slot);
/* Whether a static body can have the mass of its shapes if it is due, and makes room for it. */
tr_status trn_shapes_check_due(const trn_check *check, trn_world *world, uint32_t body_slot);
/* Computes it now if it is due; it must be checked. */
void trn_shapes_weigh(trn_world *world, uint32_t body_slot);

#endif
