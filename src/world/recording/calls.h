/*
 * The table of calls: every public function that changes a world, with its arguments. From it are made the public
 * functions, which record themselves if the world is recorded (calls.c), and what reads a recorded call and makes it
 * again. A call's own code is trn_do_<name>.
 *
 * X(name, argument, ...), and an argument is (kind, how, type, name):
 *
 *   VALUE    `type name`
 *   ONE      `const type *name`
 *   LIST     `const type *name, uint32_t count`
 *   SOME     the same; with the count UINT32_MAX there is no list
 *   IDS      `type *name`, an output of so many ids as `how` says; may be null
 *   STATE    `type *name`, read and written
 *   RESULT   `type *name`, an output
 *   CHAIN    `const tr2_chain_def *name`
 *   HOOK     `type name, void *context`: a callback; recorded is whether there is one
 *   BYTES    `const void *name, size_t size`
 *   NOTHING
 *
 * `how` names the function trn_visit_<how>() that names the members of the type once, for writing and for reading
 * (base/archive.h); or, for a HOOK, tr2_stand_in_<how>, which takes the callback's place in a replay.
 */
#ifndef TR_WORLD_CALLS_H
#define TR_WORLD_CALLS_H

#include "solver/dimension.h"
#if TR_DIMENSION == 2
#include "world/plane/calls.h"
#else
#include "world/space/calls.h"
#endif

#define TR_CALLS(X)                                                                                                    \
    X(world_set_gravity, (VALUE, plain, trn_vec, gravity))                                                             \
    X(world_set_joint_softness, (VALUE, plain, float, frequency), (VALUE, plain, float, damping_ratio))                \
    X(world_set_method, (VALUE, plain, tr_method, method), (VALUE, plain, uint32_t, sweeps))                           \
    X(world_set_direct_load, (VALUE, plain, float, load))                                                              \
    X(world_set_breaking, (VALUE, plain, tr_breaking, breaking))                                                       \
    X(world_set_sleep, (ONE, sleep_settings, tr_sleep_settings, settings))                                             \
    X(world_step, (VALUE, plain, double, dt), (VALUE, plain, uint32_t, substeps))                                      \
    X(world_optimize, (NOTHING, , , ))                                                                                 \
    X(world_restore, (BYTES, , , memory))                                                                              \
    X(world_create_bodies, (LIST, body_def, trn_body_def, defs), (IDS, count, trn_body, ids))                          \
    X(world_create_body, (ONE, body_def, trn_body_def, def), (IDS, 1, trn_body, id))                                   \
    X(world_destroy_bodies, (LIST, plain, trn_body, ids))                                                              \
    X(world_destroy_body, (VALUE, plain, trn_body, id))                                                                \
    X(body_set, (VALUE, plain, trn_body, id), (ONE, body_def, trn_body_def, def))                                      \
    X(body_set_transform, (VALUE, plain, trn_body, id), (VALUE, plain, trn_dvec, position),                            \
      (VALUE, plain, trn_orientation, orientation))                                                                    \
    X(body_set_velocity, (VALUE, plain, trn_body, id), (VALUE, plain, trn_vec, velocity),                              \
      (VALUE, plain, trn_spin, angular_velocity))                                                                      \
    X(body_set_mass, (VALUE, plain, trn_body, id), (VALUE, plain, float, mass), (VALUE, plain, trn_inertia, inertia),  \
      (VALUE, plain, trn_vec, center))                                                                                 \
    X(body_set_type, (VALUE, plain, trn_body, id), (VALUE, plain, tr_body_type, type))                                 \
    X(body_set_damping, (VALUE, plain, trn_body, id), (VALUE, plain, float, linear), (VALUE, plain, float, angular))   \
    X(body_set_gravity_scale, (VALUE, plain, trn_body, id), (VALUE, plain, float, scale))                              \
    X(body_set_fixed_rotation, (VALUE, plain, trn_body, id), (VALUE, flag, bool, fixed))                               \
    X(body_set_direct, (VALUE, plain, trn_body, id), (VALUE, flag, bool, direct))                                      \
    X(body_set_user_data, (VALUE, plain, trn_body, id), (VALUE, plain, uint64_t, user_data))                           \
    X(body_set_enabled, (VALUE, plain, trn_body, id), (VALUE, flag, bool, enabled))                                    \
    X(body_set_awake, (VALUE, plain, trn_body, id), (VALUE, flag, bool, awake))                                        \
    X(body_set_allow_sleep, (VALUE, plain, trn_body, id), (VALUE, flag, bool, allow))                                  \
    X(body_set_sleep_scale, (VALUE, plain, trn_body, id), (VALUE, plain, float, scale))                                \
    X(body_apply_force, (VALUE, plain, trn_body, id), (VALUE, plain, trn_vec, force), (VALUE, plain, trn_dvec, point)) \
    X(body_apply_force_to_center, (VALUE, plain, trn_body, id), (VALUE, plain, trn_vec, force))                        \
    X(body_apply_torque, (VALUE, plain, trn_body, id), (VALUE, plain, trn_spin, torque))                               \
    X(body_apply_impulse, (VALUE, plain, trn_body, id), (VALUE, plain, trn_vec, impulse),                              \
      (VALUE, plain, trn_dvec, point))                                                                                 \
    X(body_apply_impulse_to_center, (VALUE, plain, trn_body, id), (VALUE, plain, trn_vec, impulse))                    \
    X(body_apply_angular_impulse, (VALUE, plain, trn_body, id), (VALUE, plain, trn_spin, impulse))                     \
    X(world_create_joints, (LIST, joint_def, trn_joint_def, defs), (IDS, count, trn_joint, ids))                       \
    X(world_create_joint, (ONE, joint_def, trn_joint_def, def), (IDS, 1, trn_joint, id))                               \
    X(world_destroy_joints, (LIST, plain, trn_joint, ids))                                                             \
    X(world_destroy_joint, (VALUE, plain, trn_joint, id))                                                              \
    X(joint_set, (VALUE, plain, trn_joint, id), (ONE, joint_def, trn_joint_def, def))                                  \
    X(joint_set_value, (VALUE, plain, trn_joint, id), (VALUE, plain, trn_field, field), (VALUE, plain, float, value))  \
    X(joint_set_enabled, (VALUE, plain, trn_joint, id), (VALUE, flag, bool, enabled))                                  \
    X(joint_set_collide_connected, (VALUE, plain, trn_joint, id), (VALUE, flag, bool, collide))                        \
    X(joint_set_user_data, (VALUE, plain, trn_joint, id), (VALUE, plain, uint64_t, user_data))                         \
    X(joint_set_event_at, (VALUE, plain, trn_joint, id), (VALUE, plain, tr_event_at, event_at))                        \
    X(joint_set_break_at, (VALUE, plain, trn_joint, id), (VALUE, plain, tr_break_at, break_at))                        \
    TRN_OWN_CALLS(X)

/* the names of a call's own code and of its public function, which the list of names cannot know */
#if TR_DIMENSION == 2
#define TR_CALL_DO(name)     tr2_do_##name
#define TR_CALL_PUBLIC(name) tr2_##name
#else
#define TR_CALL_DO(name)     tr3_do_##name
#define TR_CALL_PUBLIC(name) tr3_##name
#endif

/* m argument, for each of up to four arguments */
#define TR_EACH_1(m, a)                m a
#define TR_EACH_2(m, a, b)             m a m b
#define TR_EACH_3(m, a, b, c)          m a m b m c
#define TR_EACH_4(m, a, b, c, d)       m a m b m c m d
#define TR_EACH_OF(a, b, c, d, m, ...) m
#define TR_EACH(m, ...)                TR_EACH_OF(__VA_ARGS__, TR_EACH_4, TR_EACH_3, TR_EACH_2, TR_EACH_1, )(m, __VA_ARGS__)

/* an argument as a parameter, behind the world */
#define TR_PARAMETER(kind, how, type, name) TR_PARAMETER_##kind(type, name)
#define TR_PARAMETER_VALUE(type, name)      , type name
#define TR_PARAMETER_ONE(type, name)        , const type *name
#define TR_PARAMETER_LIST(type, name)       , const type *name, uint32_t count
#define TR_PARAMETER_SOME(type, name)       , const type *name, uint32_t count
#define TR_PARAMETER_IDS(type, name)        , type *name
#define TR_PARAMETER_STATE(type, name)      , type *name
#define TR_PARAMETER_RESULT(type, name)     , type *name
#define TR_PARAMETER_CHAIN(type, name)      , const type *name
#define TR_PARAMETER_HOOK(type, name)       , type name, void *context
#define TR_PARAMETER_BYTES(type, name)      , const void *name, size_t size
#define TR_PARAMETER_NOTHING(type, name)

#define TR_CALL_PROTOTYPE(name, ...)                                                                                   \
    tr_status TR_CALL_DO(name)(TR_CALL_PUBLIC(world) * world TR_EACH(TR_PARAMETER, __VA_ARGS__));
TR_CALLS(TR_CALL_PROTOTYPE)
#undef TR_CALL_PROTOTYPE

typedef enum tr_call {
#define TR_CALL_ENUMERATOR(name, ...) TR_CALL_##name,
    TR_CALLS(TR_CALL_ENUMERATOR)
#undef TR_CALL_ENUMERATOR
        TR_CALL_COUNT
} tr_call;

#endif
