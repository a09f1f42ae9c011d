/* The calls of worlds in space behind those of the core (world/recording/calls.h), and what of a body's motion is hashed. */
#ifndef TR_SPACE_CALLS_H
#define TR_SPACE_CALLS_H

#include "trammel/contacts3.h"
#include "trammel/joints3.h"
#include "trammel/world3.h"

#define TR3_OWN_CALLS(X)                                                                                               \
    X(world_set_contacts, (LIST, contact_def, tr3_contact_def, defs))                                                  \
    X(world_set_contact_settings, (ONE, plain, tr3_contact_settings, settings))

/* X(column): what hashes of the motion cover: places, and velocities */
#define TR3_PLACE_COLUMNS(X)                                                                                           \
    X(center_x)                                                                                                        \
    X(center_y)                                                                                                        \
    X(center_z)                                                                                                        \
    X(rotation_x)                                                                                                      \
    X(rotation_y)                                                                                                      \
    X(rotation_z)                                                                                                      \
    X(rotation_w)
#define TR3_VELOCITY_COLUMNS(X)                                                                                        \
    X(velocity_x)                                                                                                      \
    X(velocity_y)                                                                                                      \
    X(velocity_z)                                                                                                      \
    X(angular_velocity_x)                                                                                              \
    X(angular_velocity_y)                                                                                              \
    X(angular_velocity_z)

#endif
