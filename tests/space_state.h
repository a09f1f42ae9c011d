/* All that can be read of a world in space, as one number: the state, and what was set. */
#ifndef TR_TESTS_SPACE_STATE_H
#define TR_TESTS_SPACE_STATE_H

#include "hash.h"
#include "space.h"

#define SPACE_MIX(hash, value) ((hash) = mix_bytes(hash, &(value), sizeof(value)))

/* by members: there is padding */
static inline uint64_t space_mix_body(uint64_t hash, const tr3_body_def *def)
{
    SPACE_MIX(hash, def->type);
    SPACE_MIX(hash, def->position);
    SPACE_MIX(hash, def->rotation);
    SPACE_MIX(hash, def->velocity);
    SPACE_MIX(hash, def->angular_velocity);
    SPACE_MIX(hash, def->mass);
    SPACE_MIX(hash, def->inertia);
    SPACE_MIX(hash, def->center);
    SPACE_MIX(hash, def->gravity_scale);
    SPACE_MIX(hash, def->linear_damping);
    SPACE_MIX(hash, def->angular_damping);
    SPACE_MIX(hash, def->sleep_scale);
    SPACE_MIX(hash, def->fixed_rotation);
    SPACE_MIX(hash, def->enabled);
    SPACE_MIX(hash, def->user_data);
    return hash;
}

static inline uint64_t space_mix_joint(uint64_t hash, const tr3_world *world, tr3_joint id)
{
    tr3_joint_def def;
    tr3_reaction reaction;
    uint32_t color;
    SPACE_OK(tr3_joint_get(world, id, &def));
    SPACE_OK(tr3_joint_reaction(world, id, &reaction));
    SPACE_OK(tr3_joint_color(world, id, &color));
    for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++) {
        float value = 0.0f;
        if (tr3_joint_type_has(def.type, field))
            SPACE_OK(tr3_joint_get_value(world, id, field, &value));
        SPACE_MIX(hash, value);
    }
    SPACE_MIX(hash, def.type);
    SPACE_MIX(hash, def.body_a);
    SPACE_MIX(hash, def.body_b);
    SPACE_MIX(hash, def.event_at);
    SPACE_MIX(hash, def.break_at);
    SPACE_MIX(hash, def.enabled);
    SPACE_MIX(hash, def.collide_connected);
    SPACE_MIX(hash, def.user_data);
    SPACE_MIX(hash, reaction);
    return hash;
}

static inline uint64_t space_mix_world(uint64_t hash, const tr3_world *world)
{
    tr3_world_def def;
    SPACE_OK(tr3_world_get(world, &def));
    SPACE_MIX(hash, def.gravity);
    SPACE_MIX(hash, def.joint_frequency);
    SPACE_MIX(hash, def.joint_damping_ratio);
    SPACE_MIX(hash, def.method);
    SPACE_MIX(hash, def.sweeps);
    SPACE_MIX(hash, def.direct_load);
    SPACE_MIX(hash, def.breaking);
    tr3_event_view events = tr3_world_events(world);
    for (uint32_t i = 0; i < events.count; i++) {
        SPACE_MIX(hash, events.event[i].kind);
        SPACE_MIX(hash, events.event[i].joint);
        SPACE_MIX(hash, events.event[i].reaction);
        SPACE_MIX(hash, events.event[i].steps);
    }
    return hash;
}

/* of the world and of those of these bodies and joints that are in it */
static inline uint64_t space_state(const tr3_world *world, const tr3_body *bodies, uint32_t body_count,
                                   const tr3_joint *joints, uint32_t joint_count)
{
    uint64_t hash = space_mix_world(tr3_world_state_hash(world), world);
    for (uint32_t i = 0; i < body_count; i++) {
        tr3_body_def def;
        uint32_t count;
        if (!tr3_body_is_valid(world, bodies[i]))
            continue;
        SPACE_OK(tr3_body_get(world, bodies[i], &def));
        SPACE_OK(tr3_body_joints(world, bodies[i], NULL, 0, &count));
        hash = space_mix_body(hash, &def);
        SPACE_MIX(hash, count);
    }
    for (uint32_t i = 0; i < joint_count; i++)
        if (tr3_joint_is_valid(world, joints[i]))
            hash = space_mix_joint(hash, world, joints[i]);
    return hash;
}

#endif
