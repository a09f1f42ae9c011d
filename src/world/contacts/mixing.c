/* The material of a contact, from those of its two shapes: the world's rules, or the application's mixer. */
#include <float.h>
#include <math.h>

#include "collide/geometry/vector.h"
#include "world/collision/collision_internal.h"
#include "world/recording/tape.h"

static float mixed_by(tr2_mixing rule, float a, float b)
{
    switch (rule) {
    case TR2_MIXING_AVERAGE:
        /* halves first: the sum of two large numbers is infinite */
        return 0.5f * a + 0.5f * b;
    case TR2_MIXING_MINIMUM:
        return tr_min(a, b);
    case TR2_MIXING_MAXIMUM:
        return tr_max(a, b);
    case TR2_MIXING_MULTIPLY:
        return a * b;
    case TR2_MIXING_GEOMETRIC_MEAN:
    case TR2_MIXING_COUNT:
        break;
    }
    return sqrtf(a * b);
}

/* a mixer's number within what a surface may have */
static float sane(float value, float lower, float upper, float rule)
{
    return !isfinite(value) ? rule : value < lower ? lower : value > upper ? upper : value;
}

static tr2_mixed_shape mixed_shape(const tr2_shapes *shapes, uint32_t row)
{
    return (tr2_mixed_shape){shapes->id[row], shapes->surface[row], shapes->user_data[row]};
}

static tr2_surface ask_mixer(const tr2_world *world, uint32_t row_a, uint32_t row_b, tr2_surface rule)
{
    const tr2_collision *it = &world->collision;
    tr2_mixed_shape a = mixed_shape(&world->shapes, row_a), b = mixed_shape(&world->shapes, row_b);
    tr2_surface mixed = rule;
    if (!tr2_tape_answer_mix(world, a.shape.index, b.shape.index, &mixed)) {
        it->mixer(&a, &b, &mixed, it->mixer_context);
        tr2_tape_keep_mix(world, a.shape.index, b.shape.index, &mixed);
    }
    return (tr2_surface){
        .friction = sane(mixed.friction, 0.0f, FLT_MAX, rule.friction),
        .restitution = sane(mixed.restitution, 0.0f, TR2_RESTITUTION_MAX, rule.restitution),
        .rolling_resistance = sane(mixed.rolling_resistance, 0.0f, FLT_MAX, rule.rolling_resistance),
        .tangent_speed = sane(mixed.tangent_speed, -FLT_MAX, FLT_MAX, rule.tangent_speed),
    };
}

tr2_surface tr2_mix_surfaces(const tr2_world *world, uint32_t row_a, uint32_t row_b)
{
    const tr2_contact_settings *rules = &world->settings.contacts;
    const tr2_surface *a = &world->shapes.surface[row_a], *b = &world->shapes.surface[row_b];
    tr2_surface mixed = {
        .friction = mixed_by(rules->friction_mixing, a->friction, b->friction),
        .restitution = mixed_by(rules->restitution_mixing, a->restitution, b->restitution),
        .rolling_resistance = tr_max(a->rolling_resistance, b->rolling_resistance),
        .tangent_speed = a->tangent_speed + b->tangent_speed,
    };
    /* of two above 1, the product or mean may be more than either */
    mixed.restitution = tr_min(mixed.restitution, TR2_RESTITUTION_MAX);
    return world->collision.mixer != NULL ? ask_mixer(world, row_a, row_b, mixed) : mixed;
}

void tr2_surfaces_remix(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    for (uint32_t i = 0; i < it->count; i++)
        it->pairs[i].flags |= TR2_PAIR_FRESH;
}

tr_status tr2_do_world_set_surface_mixer(tr2_world *world, tr2_surface_mixer mixer, void *context)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    world->collision.mixer = mixer;
    world->collision.mixer_context = context;
    tr2_surfaces_remix(world);
    tr2_sleep_wake_all(world);
    return TR_OK;
}

const char *tr2_mixing_name(tr2_mixing mixing)
{
    static const char *const names[TR2_MIXING_COUNT] = {
        [TR2_MIXING_GEOMETRIC_MEAN] = "geometric_mean",
        [TR2_MIXING_AVERAGE] = "average",
        [TR2_MIXING_MINIMUM] = "minimum",
        [TR2_MIXING_MAXIMUM] = "maximum",
        [TR2_MIXING_MULTIPLY] = "multiply",
    };
    return (uint32_t)mixing < TR2_MIXING_COUNT ? names[mixing] : "unknown";
}
