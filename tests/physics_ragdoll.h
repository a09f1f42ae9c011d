/* Random ragdolls: eleven bodies of a human's tree, tied by ten hinges with limits. */
#ifndef TR_TESTS_PHYSICS_RAGDOLL_H
#define TR_TESTS_PHYSICS_RAGDOLL_H

#include "physics.h"

#define RAGDOLL_BODIES 11

typedef struct ragdoll {
    tr2_body body[RAGDOLL_BODIES];
    tr2_joint hinge[RAGDOLL_BODIES]; /* hinge[i] ties body i to its parent; none for the first */
} ragdoll;

/* a part hangs from its parent: where on it, from its middle in halves of its length and width; which way it points */
typedef struct ragdoll_part {
    uint32_t parent;
    double along, across, way; /* way: rad, 0 straight on from the parent */
    double length, width;      /* m */
} ragdoll_part;

static const ragdoll_part ragdoll_parts[RAGDOLL_BODIES] = {
    {0, 0, 0, 0, 0.25, 0.32}, {0, 1, 0, 0, 0.52, 0.36},     {1, 1, 0, 0, 0.28, 0.18}, {0, -1, -0.7, PI, 0.42, 0.15},
    {3, 1, 0, 0, 0.45, 0.11}, {1, 0.8, -1, PI, 0.30, 0.10}, {5, 1, 0, 0, 0.36, 0.08}, {0, -1, 0.7, PI, 0.42, 0.15},
    {7, 1, 0, 0, 0.45, 0.11}, {1, 0.8, 1, PI, 0.30, 0.10},  {9, 1, 0, 0, 0.36, 0.08},
};

typedef struct ragdoll_options {
    double mass_ratio; /* masses lie between 1 kg and this */
    double speed;      /* of the parts, each on its own: m/s; and rad/s twice that */
} ragdoll_options;

/* the hip at the origin; every other part bent within the limits of its hinge, of a size of its own */
static inline ragdoll make_ragdoll(tr2_world *world, uint64_t *seed, ragdoll_options options)
{
    ragdoll r;
    double x[RAGDOLL_BODIES] = {0.0}, y[RAGDOLL_BODIES] = {0.0}, angle[RAGDOLL_BODIES] = {0.0};
    double length[RAGDOLL_BODIES], width[RAGDOLL_BODIES];
    for (uint32_t i = 0; i < RAGDOLL_BODIES; i++) {
        const ragdoll_part *part = &ragdoll_parts[i];
        const uint32_t p = part->parent;
        double size = random_between(seed, 0.7, 1.4), lower = -random_between(seed, 0.1, 2.0),
               upper = random_between(seed, 0.1, 2.0), bend = random_between(seed, lower, upper);
        length[i] = part->length * size;
        width[i] = part->width * size;
        angle[i] = i == 0 ? random_between(seed, -PI, PI) : angle[p] + part->way + bend;
        tr_vec2 on_parent = {(float)(0.5 * part->along * length[p]), (float)(0.5 * part->across * width[p])};
        tr_vec2 on_part = {-0.5f * (float)length[i], 0.0f};
        if (i > 0) {
            double c = cos(angle[p]), s = sin(angle[p]), px = (double)on_parent.x, py = (double)on_parent.y;
            x[i] = x[p] + c * px - s * py + 0.5 * length[i] * cos(angle[i]);
            y[i] = y[p] + s * px + c * py + 0.5 * length[i] * sin(angle[i]);
        }
        double mass = exp(random_between(seed, 0.0, log(options.mass_ratio)));
        r.body[i] =
            body_at(world, x[i], y[i], angle[i], mass, mass * (length[i] * length[i] + width[i] * width[i]) / 12.0);
        double v = options.speed;
        tr_vec2 velocity = {(float)random_between(seed, -v, v), (float)random_between(seed, -v, v)};
        MUST(tr2_body_set_velocity(world, r.body[i], velocity, (float)random_between(seed, -2.0 * v, 2.0 * v)));
        if (i == 0)
            continue;
        tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, r.body[p], r.body[i], on_parent, on_part);
        def.reference_angle = (float)part->way;
        def.limit = (tr_limit){true, (float)lower, (float)upper};
        r.hinge[i] = join(world, def);
    }
    return r;
}

#endif
