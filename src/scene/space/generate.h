/* Generators of scenes in space and their building blocks; arithmetic as in scene/numbers.h. */
#ifndef TR_SCENE_SPACE_GENERATE_H
#define TR_SCENE_SPACE_GENERATE_H

#include "scene/core/storage.h"
#include "scene/numbers.h"

/* Each of these appends to the scene. Errors are those of the builder. */
tr_status tr3_generate_static(tr3_builder *builder, const char *name, tr_dvec3 position, tr_error *error);
/* A dynamic solid about its centre of mass, of uniform density. */
tr_status tr3_generate_ball(tr3_builder *builder, tr_dvec3 position, float radius, float mass, tr_error *error);
tr_status tr3_generate_box(tr3_builder *builder, tr_dvec3 position, tr_quat rotation, tr_vec3 half, float mass,
                           tr_error *error);
/* A capsule whose length, with its round ends, is 2 `reach` along the axis 0, 1 or 2 (x, y or z). */
tr_status tr3_generate_capsule(tr3_builder *builder, tr_dvec3 position, uint32_t axis, float reach, float radius,
                               float mass, tr_error *error);
/* A joint with these anchors; *out is valid until the next joint. */
tr_status tr3_generate_joint(tr3_builder *builder, tr3_joint_type type, uint32_t a, uint32_t b, tr_vec3 anchor_a,
                             tr_vec3 anchor_b, tr3_scene_joint **out, tr_error *error);

/* The corner nearest to the origin of cell i of a square arrangement of `count` cells of `dx` by `dz` metres, centred on
   the origin. */
tr_dvec3 tr3_generate_place(uint32_t i, uint32_t count, double dx, double dz);

tr_status tr3_generate_sheet(tr3_builder *builder, uint32_t n, tr_error *error);
tr_status tr3_generate_lattice(tr3_builder *builder, uint32_t n, tr_error *error);
tr_status tr3_generate_chains(tr3_builder *builder, uint32_t n, tr_error *error);
tr_status tr3_generate_bridge(tr3_builder *builder, uint32_t n, tr_error *error);
tr_status tr3_generate_hub(tr3_builder *builder, uint32_t n, tr_error *error);
tr_status tr3_generate_ragdolls(tr3_builder *builder, uint32_t n, tr_error *error);
tr_status tr3_generate_quadrupeds(tr3_builder *builder, uint32_t n, tr_error *error);

#endif
