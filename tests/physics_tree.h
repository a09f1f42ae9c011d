/* Random trees of bodies tied by joints of every type, each satisfied where it begins. */
#ifndef TR_TESTS_PHYSICS_TREE_H
#define TR_TESTS_PHYSICS_TREE_H

#include "physics.h"

#define TREE_MOST 16

typedef struct tree {
    uint32_t bodies;
    tr2_body body[TREE_MOST];
    tr2_joint joint[TREE_MOST]; /* joint[i] ties body i to an earlier one; none for i = 0 */
} tree;

/* one draw after the other: compilers differ in the order of arguments */
static inline tr_softness random_softness(uint64_t *seed, double least, double most, double least_damping,
                                          double most_damping)
{
    double stiffness = random_between(seed, least, most);
    return tr_physical((float)stiffness, (float)random_between(seed, least_damping, most_damping));
}

/* acts on A and B by itself, between them and the world: not for bodies that are to be free */
static inline bool hangs_on_the_world(tr2_joint_type type)
{
    return tr2_joint_type_has(type, TR2_FIELD_GROUND_A_X) || tr2_joint_type_has(type, TR2_FIELD_MESHED);
}

typedef struct tree_options {
    double mass_ratio; /* masses lie between 1 and this */
    bool features;     /* springs, limits, soft rows, friction with little force; else everything rigid */
    double spin;       /* velocities up to this, m/s and rad/s */
    double x, y;       /* of the first body */
    uint32_t only;     /* 1 + the type of all joints; 0: of any type */
    bool hung;         /* also of those types that hang on the world, and keep no momentum */
} tree_options;

/* springs toward where the joint is, damped; limits a little around it */
static inline void add_features(tr2_joint_def *def, uint64_t *seed, double coordinate)
{
    bool translates = tr2_joint_type_has(def->type, TR2_FIELD_AXIS_X);
    if (tr2_joint_type_has(def->type, TR2_FIELD_SPRING_ENABLE)) {
        def->spring.enable = random_between(seed, 0, 1) < 0.5;
        def->spring.target = (float)coordinate;
        def->spring.softness = random_softness(seed, 5, 50, 0.1, 2);
    }
    if (tr2_joint_type_has(def->type, TR2_FIELD_LIMIT_ENABLE)) {
        def->limit.enable = translates || random_between(seed, 0, 1) < 0.5;
        def->limit.lower = (float)(coordinate - random_between(seed, 0.05, 0.5));
        def->limit.upper = (float)(coordinate + random_between(seed, 0.05, 0.5));
        if (tr2_joint_type_has(def->type, TR2_FIELD_LENGTH) && def->limit.lower < 0.0f)
            def->limit.lower = 0.0f;
    }
    if (random_between(seed, 0, 1) < 0.3 && tr2_joint_type_has(def->type, TR2_FIELD_LINEAR_KIND))
        def->linear = random_softness(seed, 200, 2000, 1, 20);
    if (random_between(seed, 0, 1) < 0.3 && tr2_joint_type_has(def->type, TR2_FIELD_ANGULAR_KIND))
        def->angular = random_softness(seed, 50, 500, 0.5, 5);
}

/* ties `b` to `a` at a point near the middle between them */
static inline tr2_joint_def tie(const tr2_world *world, tr2_body a, tr2_body b, tr2_joint_type type, bool features,
                                uint64_t *seed)
{
    tr2_body_def at_a = body_now(world, a), at_b = body_now(world, b);
    double x = 0.5 * (at_a.position.x + at_b.position.x) + random_between(seed, -0.1, 0.1);
    double y = 0.5 * (at_a.position.y + at_b.position.y) + random_between(seed, -0.1, 0.1);
    tr2_joint_def def = joint_between(type, a, b, local_point_of(world, a, x, y), local_point_of(world, b, x, y));
    if (!tr2_joint_type_has(type, TR2_FIELD_ANCHOR_A_X))
        def.anchor_a = def.anchor_b = (tr_vec2){0.0f, 0.0f};
    double coordinate = 0.0, angle = at_b.angle - at_a.angle;
    bool translates = tr2_joint_type_has(type, TR2_FIELD_AXIS_X);
    if (tr2_joint_type_has(type, TR2_FIELD_LENGTH)) {
        def.anchor_a = (tr_vec2){0.1f, 0.0f};
        def.anchor_b = (tr_vec2){-0.1f, 0.0f};
        double dx = at_b.position.x - 0.1 * cos(at_b.angle) - at_a.position.x - 0.1 * cos(at_a.angle);
        double dy = at_b.position.y - 0.1 * sin(at_b.angle) - at_a.position.y - 0.1 * sin(at_a.angle);
        coordinate = hypot(dx, dy);
        def.length = (float)coordinate;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_GROUND_A_X)) {
        def.ground_a = (tr_dvec2){x, y + 1.0};
        def.ground_b = (tr_dvec2){x, y + 1.5};
        def.anchor_a = def.anchor_b = (tr_vec2){0.0f, 0.0f};
        def.length = (float)(hypot(at_a.position.x - x, at_a.position.y - y - 1.0) +
                             hypot(at_b.position.x - x, at_b.position.y - y - 1.5));
    }
    if (tr2_joint_type_has(type, TR2_FIELD_REFERENCE_ANGLE))
        def.reference_angle = (float)angle;
    if (translates) {
        double turn = random_between(seed, -PI, PI);
        def.axis = (tr_vec2){(float)cos(turn), (float)sin(turn)};
    }
    /* of a stiffness that does not go with the place: a frequency's does, and may give energy */
    if (type == TR2_JOINT_TARGET)
        def.linear = tr_physical(500.0f, 5.0f);
    if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_MAX_FORCE)) {
        def.drive.max_force = 5.0f;
        def.drive.max_torque = 1.0f;
    }
    if (translates && tr2_joint_type_has(type, TR2_FIELD_LIMIT_ENABLE))
        def.limit = (tr_limit){true, -0.3f, 0.3f};
    if (features)
        add_features(&def, seed, coordinate);
    return def;
}

/* beside joints that would let the bodies fly apart, to where arms of a kilometre are all that float has room for */
static inline void hinge(tr2_world *world, tr2_body a, tr2_body b)
{
    tr2_body_def at_a = body_now(world, a), at_b = body_now(world, b);
    double x = 0.5 * (at_a.position.x + at_b.position.x), y = 0.5 * (at_a.position.y + at_b.position.y);
    (void)revolute(world, a, b, local_point_of(world, a, x, y), local_point_of(world, b, x, y));
}

/* a tree's energy of motion and height; springs are not counted */
static inline double tree_energy(const tr2_world *world, const tree *t)
{
    double energy = 0.0, g = -(double)tr2_world_gravity(world).y;
    for (uint32_t i = 0; i < t->bodies; i++) {
        tr2_body_def b = body_now(world, t->body[i]);
        double vx = (double)b.velocity.x, vy = (double)b.velocity.y, w = (double)b.angular_velocity;
        energy += 0.5 * ((double)b.mass * (vx * vx + vy * vy) + (double)b.inertia * w * w) +
                  (double)b.mass * g * b.position.y;
    }
    return energy;
}

static inline double tree_mass(const tr2_world *world, const tree *t)
{
    double mass = 0.0;
    for (uint32_t i = 0; i < t->bodies; i++)
        mass += (double)body_now(world, t->body[i]).mass;
    return mass;
}

static inline tr2_joint_type any_type(uint64_t *seed, bool hung)
{
    tr2_joint_type types[TR2_JOINT_TYPE_COUNT];
    uint32_t count = 0;
    for (int i = 0; i < TR2_JOINT_TYPE_COUNT; i++) {
        if (hung || !hangs_on_the_world((tr2_joint_type)i))
            types[count++] = (tr2_joint_type)i;
    }
    return types[(uint32_t)random_between(seed, 0, count)];
}

static inline tree make_tree(tr2_world *world, uint64_t *seed, tree_options options)
{
    tree t = {.bodies = 6 + (uint32_t)random_between(seed, 0, TREE_MOST - 6)};
    for (uint32_t i = 0; i < t.bodies; i++) {
        uint32_t parent = i == 0 ? 0 : (uint32_t)random_between(seed, 0, i);
        double x = options.x, y = options.y, way = random_between(seed, -PI, PI);
        if (i > 0) {
            tr2_body_def p = body_now(world, t.body[parent]);
            x = p.position.x + cos(way);
            y = p.position.y + sin(way);
        }
        double mass = exp(random_between(seed, 0.0, log(options.mass_ratio)));
        double angle = random_between(seed, -PI, PI), inertia = mass * random_between(seed, 0.05, 0.2);
        t.body[i] = body_at(world, x, y, angle, mass, inertia);
        tr_vec2 v = {(float)random_between(seed, -options.spin, options.spin),
                     (float)random_between(seed, -options.spin, options.spin)};
        MUST(tr2_body_set_velocity(world, t.body[i], v, (float)random_between(seed, -options.spin, options.spin)));
        if (i > 0) {
            tr2_joint_type type = any_type(seed, options.hung);
            if (options.only > 0)
                type = (tr2_joint_type)(options.only - 1);
            tr2_joint_def def = tie(world, t.body[parent], t.body[i], type, options.features, seed);
            t.joint[i] = join(world, def);
            if (type == TR2_JOINT_LINEAR_MOTOR || type == TR2_JOINT_ANGLE)
                hinge(world, t.body[parent], t.body[i]);
        }
    }
    return t;
}

#endif
