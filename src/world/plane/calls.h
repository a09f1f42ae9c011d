/* The calls that only worlds of the plane have (world/recording/calls.h), and what of a body's motion is hashed. */
#ifndef TR_PLANE_CALLS_H
#define TR_PLANE_CALLS_H

#include "trammel/character2.h"
#include "trammel/contacts2.h"
#include "trammel/forces2.h"
#include "trammel/joints2.h"
#include "trammel/shapes2.h"
#include "trammel/world2.h"

#define TR2_OWN_CALLS(X)                                                                                               \
    X(body_set_bullet, (VALUE, plain, tr2_body, id), (VALUE, flag, bool, bullet))                                      \
    X(body_update_mass_from_shapes, (VALUE, plain, tr2_body, id))                                                      \
    X(world_create_shapes, (LIST, shape_def, tr2_shape_def, defs), (IDS, count, tr2_shape, ids))                       \
    X(world_create_shape, (ONE, shape_def, tr2_shape_def, def), (IDS, 1, tr2_shape, id))                               \
    X(world_create_chain, (CHAIN, , tr2_chain_def, def), (IDS, links_of(def), tr2_shape, ids))                         \
    X(world_destroy_shapes, (LIST, plain, tr2_shape, ids))                                                             \
    X(world_destroy_shape, (VALUE, plain, tr2_shape, id))                                                              \
    X(shape_set, (VALUE, plain, tr2_shape, id), (ONE, shape_def, tr2_shape_def, def))                                  \
    X(shape_set_surface, (VALUE, plain, tr2_shape, id), (VALUE, plain, tr2_surface, surface))                          \
    X(shape_set_filter, (VALUE, plain, tr2_shape, id), (VALUE, filter, tr2_filter, filter))                            \
    X(shape_set_sensor, (VALUE, plain, tr2_shape, id), (VALUE, flag, bool, sensor))                                    \
    X(shape_set_user_data, (VALUE, plain, tr2_shape, id), (VALUE, plain, uint64_t, user_data))                         \
    X(world_set_contacts, (LIST, contact_def, tr2_contact_def, defs))                                                  \
    X(world_set_contact_settings, (ONE, plain, tr2_contact_settings, settings))                                        \
    X(world_set_contact_filter, (HOOK, filter, tr2_contact_filter, filter))                                            \
    X(world_set_surface_mixer, (HOOK, mixer, tr2_surface_mixer, mixer))                                                \
    X(world_explode, (ONE, explosion, tr2_explosion, explosion))                                                       \
    X(world_apply_wind, (ONE, wind, tr2_wind, wind), (SOME, plain, tr2_body, bodies), (VALUE, plain, float, dt))       \
    X(world_apply_buoyancy, (ONE, fluid, tr2_fluid, fluid), (SOME, plain, tr2_body, bodies),                           \
      (VALUE, plain, float, dt))                                                                                       \
    X(character_move, (STATE, character, tr2_character, character), (VALUE, plain, tr_vec2, velocity),                 \
      (VALUE, plain, float, dt), (RESULT, character_result, tr2_character_result, result))

/*
 * The application's callbacks, in a replay: what they answered is in the log
 */
static inline bool tr2_stand_in_filter(const tr2_shape_contact *contact, void *context)
{
    (void)contact;
    (void)context;
    return true;
}

static inline void tr2_stand_in_mixer(const tr2_mixed_shape *a, const tr2_mixed_shape *b, tr2_surface *mixed,
                                      void *context)
{
    (void)a;
    (void)b;
    (void)mixed;
    (void)context;
}

static inline bool tr2_stand_in_accept(tr2_shape shape, uint32_t index, void *context)
{
    (void)shape;
    (void)index;
    (void)context;
    return true;
}

/* X(column): what hashes of the motion cover: places; cosine and sine follow from the angle. And velocities. */
#define TR2_PLACE_COLUMNS(X)                                                                                           \
    X(center_x)                                                                                                        \
    X(center_y)                                                                                                        \
    X(angle)
#define TR2_VELOCITY_COLUMNS(X)                                                                                        \
    X(velocity_x)                                                                                                      \
    X(velocity_y)                                                                                                      \
    X(angular_velocity)

#endif
