/* A walk at random through the API: the world, the model beside it, and what both are asked to do. */
#ifndef TR_TEST_WALK_H
#define TR_TEST_WALK_H

#include "../world_fixture.h"
#include "solver/core/joint_fields.h"

enum { MOST_BODIES = 60, MOST_JOINTS = 120, GRAVES = 64 };

typedef struct model_body {
    tr2_body id;
    tr2_body_def def; /* mass and properties; motion is the world's after a step */
} model_body;

typedef struct model_joint {
    tr2_joint id;
    tr2_joint_def def;
} model_joint;

typedef struct walk {
    tr2_world *world;
    uint64_t random;
    uint64_t calls;
    bool extreme;
    model_body bodies[MOST_BODIES];
    model_joint joints[MOST_JOINTS];
    uint32_t body_count, joint_count;
    tr2_body dead_bodies[GRAVES];
    tr2_joint dead_joints[GRAVES];
    uint32_t dead_body_count, dead_joint_count;
    uint64_t steps, refused, events, broken, slept;
} walk;

/* model.c */
uint32_t draw(walk *it, uint32_t below);
bool chance(walk *it, uint32_t percent);
float between(walk *it, float low, float high);
float odd_number(walk *it);
float number(walk *it, float low, float high);
bool finite2(tr_vec2 v);
bool body_is_good(const tr2_body_def *def);
bool value_is_good(tr2_joint_type type, tr2_field field, float value);
void fill_in(tr2_joint_def *def, const tr2_joint_def *kept);
void write_value(tr2_joint_def *def, tr2_field field, float value);
bool joint_is_good(const tr2_joint_def *def);
void check_body(walk *it, const model_body *body);
void check_joint(walk *it, const model_joint *joint);
void check_everything(walk *it);
bool accepted(walk *it, tr_status status, bool good);

/* edits.c: one call or batch of calls each, valid or not */
void create_bodies(walk *it);
void create_joints(walk *it);
void bury_joint(walk *it, uint32_t i);
void destroy_bodies(walk *it);
void destroy_joint(walk *it);
void set_joint_value(walk *it);
void set_joint(walk *it);
void set_body(walk *it);
void push_body(walk *it);
void use_dead_ids(walk *it);

#endif
