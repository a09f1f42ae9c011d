/*
 * Generators of scenes and their building blocks. All computation is exact or in plain double arithmetic (no libm), so
 * that a scene is bit-identical on every machine.
 */
#ifndef TR_SCENE_GENERATE_H
#define TR_SCENE_GENERATE_H

#include "scene/core/storage.h"
#include "scene/numbers.h"

/* Reserves room; `vertices`: of all shapes. TR_ERROR_MEMORY. */
tr_status tr2_generate_reserve(tr2_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes,
                               uint32_t vertices, tr_error *error);
/* Position of item n of `count`, in `side` columns centred on the world's origin; rows go down. */
tr_vec2 tr2_generate_place(uint32_t n, uint32_t count, uint32_t side, float dx, float dy);

/* Each of these appends to the scene. Errors are those of the builder. */
tr_status tr2_generate_static(tr2_builder *builder, const char *name, tr_error *error);
tr_status tr2_generate_disc_shape(tr2_builder *builder, uint32_t body, float radius, float density, tr_error *error);
/* A dynamic box about its centre of mass, with a shape of matching density. */
tr_status tr2_generate_box(tr2_builder *builder, tr_dvec2 position, double angle, float width, float height, float mass,
                           tr_error *error);
tr_status tr2_generate_revolute(tr2_builder *builder, uint32_t a, uint32_t b, tr_vec2 anchor_a, tr_vec2 anchor_b,
                                tr_error *error);

/* Reserves room for bodies, and for shapes of up to four vertices. TR_ERROR_LIMIT, TR_ERROR_MEMORY. */
tr_status tr2_generate_room(tr2_builder *builder, uint64_t bodies, uint64_t shapes, tr_error *error);
/* A massless box for static bodies; `half`: half its width and height. */
tr_status tr2_generate_slab(tr2_builder *builder, uint32_t body, tr_vec2 center, tr_vec2 half, float friction,
                            tr_error *error);

/* A person of 1.75 m and 70 kg, seen from the front, with the centre of the hip at `place`. */
#define TR2_RAGDOLL_BODIES 11u
#define TR2_RAGDOLL_HINGES 10u
#define TR2_RAGDOLL_HEAD   2u /* index of the head among the bodies */
tr_status tr2_generate_ragdoll(tr2_builder *builder, tr_vec2 place, tr_error *error);
const char *tr2_generate_part_name(uint32_t part); /* of a body of the ragdoll */

/* Scenes of joints (generate_joints.c). */
tr_status tr2_generate_grid(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_chains(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_bridge(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_ragdolls(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_hub(tr2_builder *builder, uint32_t n, tr_error *error);

/* Scenes that collide: stable piles (generate_piles.c) and falling bodies (generate_heaps.c). */
tr_status tr2_generate_pyramid(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_pyramids(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_column(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_tower(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_cards(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_arch(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_tumbler(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_rain(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_heap(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_smash(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_discs(tr2_builder *builder, uint32_t n, tr_error *error);

/* Scenes with joints and collision (generate_crowds.c). */
tr_status tr2_generate_crowd(tr2_builder *builder, uint32_t n, tr_error *error);
tr_status tr2_generate_debris(tr2_builder *builder, uint32_t n, tr_error *error);

#endif
