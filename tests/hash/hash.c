/*
 * Prints the state hash of five made scenes and of one with every type of joint and feature, on the instruction set that
 * is in use (TRAMMEL_ISA chooses). The output is the same for every compiler, machine and instruction set; each scene is
 * run on 1, 2 and 3 threads, which must agree. No test framework: it is built for machines that have none.
 *
 * Usage: trammel-hash [STEPS]; 300. Exit codes: 1 failed, or the threads disagree; 77 TRAMMEL_ISA is not available here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "trammel/trammel.h"

/* a row of bodies, each joined to the next by a joint of the next type, with and without features; made far from the
   origin, turned, and of different masses */
static tr_status build_mixed(tr2_world *world)
{
    enum { COUNT = 240 };
    tr2_body bodies[COUNT];
    for (int i = 0; i < COUNT; i++) {
        tr2_body_def def = tr2_body_def_default();
        def.type = i % 60 == 0 ? TR_STATIC : i % 60 == 30 ? TR_KINEMATIC : TR_DYNAMIC;
        def.position = (tr_dvec2){1000.0 + 0.75 * i, 0.25 * (i % 7)};
        def.angle = 0.125 * (i % 11);
        def.velocity.y = i % 60 == 30 ? 0.5f : 0.0f;
        def.mass = 0.5f + 0.25f * (float)(i % 9);
        def.inertia = 0.05f * def.mass;
        def.angular_damping = 0.125f * (float)(i % 3);
        tr_status status = tr2_world_create_body(world, &def, &bodies[i]);
        if (status != TR_OK)
            return status;
    }
    for (int i = 0; i + 1 < COUNT; i++) {
        tr2_joint_type type = (tr2_joint_type)(i % TR2_JOINT_TYPE_COUNT);
        int variant = i / TR2_JOINT_TYPE_COUNT % 4;
        tr2_joint_def def = tr2_joint_def_default(type);
        def.body_a = bodies[i];
        def.body_b = bodies[i + 1];
        if (tr2_joint_type_has(type, TR2_ANCHOR_A_X)) {
            def.anchor_a = (tr_vec2){0.375f, 0.0625f};
            def.anchor_b = (tr_vec2){-0.375f, 0.03125f};
        }
        if (tr2_joint_type_has(type, TR2_RATIO))
            def.ratio = type == TR2_ANGLE && variant == 1 ? -0.75f : 1.25f;
        if (tr2_joint_type_has(type, TR2_EQUAL_TORQUE))
            def.equal_torque = variant == 2;
        if (tr2_joint_type_has(type, TR2_MAX_FORCE))
            def.max_force = 2.0f + 8.0f * (float)variant;
        if (tr2_joint_type_has(type, TR2_LENGTH))
            def.length = 0.25f;
        if (tr2_joint_type_has(type, TR2_AXIS_X))
            def.axis = (tr_vec2){0.6f, 0.8f};
        if (tr2_joint_type_has(type, TR2_LINEAR_KIND) && variant == 1)
            def.linear = tr_frequency(5.0f, 0.5f);
        if (tr2_joint_type_has(type, TR2_SPRING_ENABLE) && variant != 0)
            def.spring = (tr_spring){true, 0.125f, variant == 2 ? tr_physical(40.0f, 1.0f) : tr_frequency(2.0f, 0.25f)};
        if (tr2_joint_type_has(type, TR2_MOTOR_ENABLE) && variant == 3)
            def.motor = (tr_motor){true, 1.5f, 4.0f};
        if (tr2_joint_type_has(type, TR2_LIMIT_ENABLE) && variant >= 2)
            def.limit = (tr_limit){true, type == TR2_DISTANCE ? 0.125f : -0.25f, 0.375f};
        if (tr2_joint_type_has(type, TR2_DRIVE_MAX_FORCE)) {
            def.drive.max_force = 20.0f;
            def.drive.max_torque = 2.0f;
            def.drive.position = variant % 2 == 1;
            def.drive.softness = tr_frequency(3.0f, 1.0f);
        }
        tr_status status = tr2_world_create_joint(world, &def, NULL);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

/* `kind` null: the mixed scene. False after a message. */
static bool hash_of(const char *kind, uint32_t size, uint32_t threads, long steps, uint64_t *out)
{
    tr2_scene *scene = NULL;
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.threads = threads;
    tr_status status = kind != NULL ? tr2_scene_generate(kind, size, &scene, NULL) : TR_OK;
    if (status == TR_OK)
        status = tr2_world_create(&def, &world, NULL);
    if (status == TR_OK)
        status = kind != NULL ? tr2_scene_build(scene, world, NULL, NULL, NULL) : build_mixed(world);
    for (long i = 0; i < steps && status == TR_OK; i++)
        status = tr2_world_step(world, 1.0 / 60.0, 4);
    if (status == TR_OK)
        *out = tr2_world_state_hash(world);
    else
        fprintf(stderr, "%s: %s\n", kind != NULL ? kind : "mixed", tr_status_name(status));
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
    return status == TR_OK;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("TRAMMEL_ISA");
    tr_isa isa;
    if (wanted != NULL && (!tr_isa_from_name(wanted, &isa) || !tr_isa_available(isa)))
        return 77;
    long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 300;
    /* large enough that a step takes several threads */
    static const struct {
        const char *kind;
        uint32_t size;
    } scenes[] = {{"grid", 45}, {"chains", 160}, {"bridge", 200}, {"ragdolls", 290}, {"hub", 3300}, {NULL, 0}};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        uint64_t hash = 0;
        for (uint32_t threads = 1; threads <= 3; threads++) {
            uint64_t other;
            if (!hash_of(scenes[i].kind, scenes[i].size, threads, steps, &other))
                return 1;
            if (threads > 1 && other != hash) {
                fprintf(stderr, "%s: %u threads give another state\n", scenes[i].kind, threads);
                return 1;
            }
            hash = other;
        }
        printf("%s %016" PRIx64 "\n", scenes[i].kind != NULL ? scenes[i].kind : "mixed", hash);
    }
    return 0;
}
