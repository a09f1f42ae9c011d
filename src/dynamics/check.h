/*
 * Checks of definitions without a world. On failure each writes a message that names the member ("impact:
 * def.body_a.arm.x is NaN"); on success it writes nothing. A member is a path of two parts: `part` may be "".
 */
#ifndef TR_DYNAMICS_CHECK_H
#define TR_DYNAMICS_CHECK_H

#include "trammel/impact.h"

/* The call being checked. */
typedef struct tr_check {
    tr_error *error;     /* receives status and message; may be null */
    const char *call;    /* "impact" */
    const char *subject; /* "def"; "" if the members have their own names */
    bool plane;          /* the inverse inertia is one number */
} tr_check;

/* Writes "call: subject.member.part message" and returns the status. */
tr_status tr_check_fail(const tr_check *check, tr_status status, const char *member, const char *part,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));

/* TR_ERROR_NULL. */
tr_status tr_check_pointer(const tr_check *check, const char *name, const void *pointer);
/* TR_ERROR_NAN, _INFINITE. */
tr_status tr_check_finite(const tr_check *check, const char *member, const char *part, double value);
tr_status tr_check_vec3(const tr_check *check, const char *member, const char *part, tr_dvec3 value);
/* These, and TR_ERROR_NEGATIVE. */
tr_status tr_check_not_negative(const tr_check *check, const char *member, const char *part, double value);
/* All of these, and TR_ERROR_RANGE for a tensor that is none. */
tr_status tr_check_body(const tr_check *check, const char *member, const tr3_point_body *body);
/* These of vec3, and TR_ERROR_ZERO. */
tr_status tr_check_direction(const tr_check *check, const char *member, tr_dvec3 value);
/* Results of valid input that do not fit a double: TR_ERROR_RANGE. */
tr_status tr_check_result(const tr_check *check, const char *name, double value);
tr_status tr_check_motion(const tr_check *check, const char *name, tr_dvec3 linear, tr_dvec3 angular);

#endif
