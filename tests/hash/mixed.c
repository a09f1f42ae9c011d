/* The scene with every type of joint, with and without every feature, a body with so many joints that it is split, and
   strained islands. */
#include "hash.h"

enum { COUNT = 240, SPOKES = 400, LINKS = 30 };

/* far from the origin, turned, and of different masses */
static tr_status make_row(tr2_world *world, int row, tr2_body *bodies)
{
    for (int i = 0; i < COUNT; i++) {
        tr2_body_def def = tr2_body_def_default();
        def.type = i % 60 == 0 ? TR_STATIC : i % 60 == 30 ? TR_KINEMATIC : TR_DYNAMIC;
        def.position = (tr_dvec2){1000.0 + 0.75 * i, 4.0 * row + 0.25 * (i % 7)};
        def.angle = 0.125 * ((i + row) % 11);
        def.velocity.y = i % 60 == 30 ? 0.5f : 0.0f;
        def.mass = 0.5f + 0.25f * (float)((i + row) % 9);
        def.inertia = 0.05f * def.mass;
        def.angular_damping = 0.125f * (float)(i % 3);
        tr_status status = tr2_world_create_body(world, &def, &bodies[i]);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

/* everything that the type has, by its fields; `variant` 0 to 3 is how much of it */
static tr2_joint_def mixed_joint(tr2_joint_type type, int variant)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    if (tr2_joint_type_has(type, TR2_FIELD_ANCHOR_A_X)) {
        def.anchor_a = (tr_vec2){0.375f, 0.0625f};
        def.anchor_b = (tr_vec2){-0.375f, 0.03125f};
    }
    if (tr2_joint_type_has(type, TR2_FIELD_RATIO))
        def.ratio = type == TR2_JOINT_ANGLE && variant == 1 ? -0.75f : 1.25f;
    if (tr2_joint_type_has(type, TR2_FIELD_EQUAL_TORQUE))
        def.equal_torque = variant == 2;
    if (tr2_joint_type_has(type, TR2_FIELD_MAX_FORCE))
        def.max_force = 2.0f + 8.0f * (float)variant;
    if (tr2_joint_type_has(type, TR2_FIELD_LENGTH))
        def.length = 0.25f;
    if (tr2_joint_type_has(type, TR2_FIELD_AXIS_X))
        def.axis = (tr_vec2){0.6f, 0.8f};
    if (tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND) && variant == 1)
        def.linear = tr_frequency(5.0f, 0.5f);
    if (tr2_joint_type_has(type, TR2_FIELD_SPRING_ENABLE) && variant != 0)
        def.spring = (tr_spring){true, 0.125f, variant == 2 ? tr_physical(40.0f, 1.0f) : tr_frequency(2.0f, 0.25f)};
    if (tr2_joint_type_has(type, TR2_FIELD_SPRING_FORCE_LOWER) && variant == 3)
        def.spring_force = (tr_force_range){-3.0f, 5.0f};
    if (tr2_joint_type_has(type, TR2_FIELD_MOTOR_ENABLE) && variant == 3)
        def.motor = (tr_motor){true, 1.5f, 4.0f};
    if (tr2_joint_type_has(type, TR2_FIELD_LIMIT_ENABLE) && variant >= 2)
        def.limit = (tr_limit){true, type == TR2_JOINT_DISTANCE ? 0.125f : -0.25f, 0.375f};
    if (tr2_joint_type_has(type, TR2_FIELD_FRICTION) && variant == 1)
        def.friction = 0.25f;
    if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_MAX_FORCE)) {
        def.drive.max_force = 20.0f;
        def.drive.max_torque = 2.0f;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_POSITION)) {
        def.drive.position = variant % 2 == 1;
        def.drive.softness = tr_frequency(3.0f, 1.0f);
    }
    return def;
}

/* pinned to the world, with spokes of different masses at different distances */
static tr_status make_hub(tr2_world *world)
{
    tr2_body ground = {0}, hub = {0}, spoke = {0};
    tr2_body_def def = tr2_body_def_default();
    def.position = (tr_dvec2){-100.0, 0.0};
    def.mass = 100.0f;
    def.inertia = 50.0f;
    tr_status status = tr2_world_create_body(world, &def, &hub);
    def.type = TR_STATIC;
    if (status == TR_OK)
        status = tr2_world_create_body(world, &def, &ground);
    tr2_joint_def pin = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    pin.body_a = ground;
    pin.body_b = hub;
    if (status == TR_OK)
        status = tr2_world_create_joint(world, &pin, NULL);
    for (int i = 0; i < SPOKES && status == TR_OK; i++) {
        /* around a square: no sine of the compiler's library */
        float along = (float)(i % 100) / 50.0f - 1.0f, r = 2.0f + 0.25f * (float)(i % 3);
        tr_vec2 out = i < 100   ? (tr_vec2){r, r * along}
                      : i < 200 ? (tr_vec2){-r, r * along}
                      : i < 300 ? (tr_vec2){r * along, r}
                                : (tr_vec2){r * along, -r};
        tr2_body_def end = tr2_body_def_default();
        end.position = (tr_dvec2){-100.0 + (double)out.x, (double)out.y};
        end.mass = 0.5f + 0.03125f * (float)(i % 13);
        end.inertia = 0.125f * end.mass;
        status = tr2_world_create_body(world, &end, &spoke);
        tr2_joint_def joint = tr2_joint_def_default(i % 4 == 3 ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE);
        joint.body_a = hub;
        joint.body_b = spoke;
        joint.anchor_a = (tr_vec2){0.5f * out.x, 0.5f * out.y};
        joint.anchor_b = (tr_vec2){-0.5f * out.x, -0.5f * out.y};
        if (status == TR_OK)
            status = tr2_world_create_joint(world, &joint, NULL);
    }
    return status;
}

/* light bodies that carry heavy ones, whose islands are solved directly: a chain with a ball at its end, and a hub that is split */
static tr_status make_strained(tr2_world *world)
{
    tr2_body last = {0}, next = {0}, hub = {0};
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_STATIC;
    def.position = (tr_dvec2){0.0, 500.0};
    tr_status status = tr2_world_create_body(world, &def, &last);
    tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    joint.anchor_b = (tr_vec2){-0.5f, 0.0f};
    for (int i = 0; i < LINKS && status == TR_OK; i++) {
        def.type = TR_DYNAMIC;
        def.position.x = i + 0.5;
        def.mass = i + 1 < LINKS ? 1.0f : 1000.0f;
        def.inertia = 0.125f * def.mass;
        status = tr2_world_create_body(world, &def, &next);
        joint.body_a = last;
        joint.body_b = next;
        joint.anchor_a.x = i == 0 ? 0.0f : 0.5f;
        if (status == TR_OK)
            status = tr2_world_create_joint(world, &joint, NULL);
        last = next;
    }
    def.position = (tr_dvec2){-300.0, 500.0};
    def.mass = 10.0f;
    def.inertia = 1000.0f;
    if (status == TR_OK)
        status = tr2_world_create_body(world, &def, &hub);
    joint.body_a = hub;
    joint.anchor_b = (tr_vec2){0.0f, 0.0f};
    def.mass = 0.5f;
    def.inertia = 0.0625f;
    for (int i = 0; i < SPOKES && status == TR_OK; i++) {
        joint.anchor_a = (tr_vec2){0.25f * (float)(i % 20 - 10), 0.25f * (float)(i / 20 - 7)};
        def.position = (tr_dvec2){-300.0 + (double)joint.anchor_a.x, 500.0 + (double)joint.anchor_a.y};
        def.velocity.x = 0.125f * (float)(i % 5);
        status = tr2_world_create_body(world, &def, &joint.body_b);
        if (status == TR_OK)
            status = tr2_world_create_joint(world, &joint, NULL);
    }
    return status;
}

tr_status make_mixed(tr2_world *world, uint32_t rows)
{
    tr_status status = TR_OK;
    for (int row = 0; row < (int)rows && status == TR_OK; row++) {
        tr2_body bodies[COUNT];
        status = make_row(world, row, bodies);
        for (int i = 0; i + 1 < COUNT && status == TR_OK; i++) {
            int place = i + 5 * row;
            tr2_joint_def def =
                mixed_joint((tr2_joint_type)(place % TR2_JOINT_TYPE_COUNT), place / TR2_JOINT_TYPE_COUNT % 4);
            def.body_a = bodies[i];
            def.body_b = bodies[i + 1];
            status = tr2_world_create_joint(world, &def, NULL);
        }
    }
    if (status == TR_OK)
        status = make_hub(world);
    return status == TR_OK ? make_strained(world) : status;
}
