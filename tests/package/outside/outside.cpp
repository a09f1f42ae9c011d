// A host in C++: the same swing as outside.c, with the library's handles in a smart pointer.
#include <trammel/trammel.h>

#include <cinttypes>
#include <cstdio>
#include <memory>

int main()
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *raw = nullptr;
    if (tr2_world_create(&def, &raw, nullptr) != TR_OK)
        return 1;
    std::unique_ptr<tr2_world, decltype(&tr2_world_destroy)> world(raw, tr2_world_destroy);

    tr2_body_def bodies[2] = {tr2_body_def_default(), tr2_body_def_default()};
    bodies[0].type = TR_STATIC;
    bodies[1].position.x = 1.0;
    tr2_body ids[2];
    if (tr2_world_create_bodies(world.get(), bodies, 2, ids) != TR_OK)
        return 1;

    tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    joint.body_a = ids[0];
    joint.body_b = ids[1];
    joint.anchor_b.x = -1.0f;
    tr2_joint id;
    if (tr2_world_create_joint(world.get(), &joint, &id) != TR_OK)
        return 1;
    for (int i = 0; i < 30; ++i) {
        tr_status status = tr2_world_step(world.get(), 1.0 / 60.0, 4);
        if (status != TR_OK) {
            std::fprintf(stderr, "%s: %s\n", tr_status_name(status), tr2_world_last_error(world.get())->message);
            return 1;
        }
    }
    std::printf("%016" PRIx64 "\n", tr2_world_state_hash(world.get()));
    return 0;
}
