/* A host in C: two bodies and a revolute joint, stepped; the state must be the same every time and the joint must
   hold. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <trammel/trammel.h>

/* Swings a rod about a fixed body for half a second. */
static tr_status swing(uint64_t *hash, double *separation)
{
    tr2_world_def world_def = tr2_world_def_default();
    world_def.threads = 1;
    tr2_world *world = NULL;
    tr_error error;
    tr_status status = tr2_world_create(&world_def, &world, &error);
    if (status != TR_OK)
        return status;

    tr2_body_def bodies[2] = {tr2_body_def_default(), tr2_body_def_default()};
    bodies[0].type = TR_STATIC;
    bodies[1].position.x = 1.0;
    tr2_body ids[2];
    status = tr2_world_create_bodies(world, bodies, 2, ids);
    if (status == TR_OK) {
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        joint.body_a = ids[0];
        joint.body_b = ids[1];
        joint.anchor_b.x = -1.0f;
        status = tr2_world_create_joint(world, &joint, NULL);
    }
    for (int i = 0; i < 30 && status == TR_OK; ++i)
        status = tr2_world_step(world, 1.0 / 60.0, 4);
    *hash = tr2_world_state_hash(world);
    *separation = tr2_world_measure(world).joint_error_max;
    tr2_world_destroy(world);
    return status;
}

int main(void)
{
    if (tr_version() != TR_VERSION || strcmp(tr_version_string(), TR_VERSION_STRING) != 0) {
        fprintf(stderr, "header %s, library %s\n", TR_VERSION_STRING, tr_version_string());
        return 1;
    }
    uint64_t hash[2] = {0, 0};
    double separation = 0.0;
    for (int i = 0; i < 2; ++i) {
        tr_status status = swing(&hash[i], &separation);
        if (status != TR_OK) {
            fprintf(stderr, "%s\n", tr_status_name(status));
            return 1;
        }
    }
    /* half a millimetre would be a joint that does not hold a rod of one metre */
    if (hash[0] != hash[1] || !(separation < 5e-4)) {
        fprintf(stderr, "hash %016" PRIx64 " and %016" PRIx64 ", separation %g\n", hash[0], hash[1], separation);
        return 1;
    }
    printf("%016" PRIx64 "\n", hash[0]);
    return 0;
}
