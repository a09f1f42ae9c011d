/* A walk of public calls at random on a world in space: its state, and what arguments are drawn from. */
#ifndef TR_TESTS_SPACE_WALK_H
#define TR_TESTS_SPACE_WALK_H

#include <float.h>

#include "space.h"
#include "space_features.h"

enum { MOST_BODIES = 60, MOST_JOINTS = 90, BATCH = 8 };

/* what arguments are drawn from in one call */
typedef enum mood { PLAIN, EDGES, NOT_NUMBERS } mood;

typedef struct walk {
    tr3_world *world;
    uint64_t random;
    mood mood;
    bool extreme; /* numbers at the edges of floats, not only zeros and ones, in calls that may succeed */
    tr3_body bodies[MOST_BODIES];
    tr3_joint joints[MOST_JOINTS];
    tr3_body dead_body;
    tr3_joint dead_joint;
    uint32_t body_count, joint_count;
    uint64_t digest; /* of statuses and results */
    uint32_t calls, steps, refused, events, quarantines;
    uint64_t before, whole_before; /* the state hash; and all that can be read, if watched */
    bool watched;
} walk;

static inline uint32_t draw(walk *it, uint32_t below)
{
    return random_index(&it->random, below);
}

static inline bool chance(walk *it, uint32_t percent)
{
    return draw(it, 100) < percent;
}

static inline float number(walk *it)
{
    static const float edges[] = {0.0f, -0.0f, 1.0f, -1.0f, 3.14159274f, -3.14159274f, 3.14159298f};
    static const float ends[] = {FLT_MAX, -FLT_MAX, FLT_MIN, 1e-45f, -1e-45f, 1e-38f, 1e30f, -1e30f,   1e19f,
                                 -1e19f,  1e10f,    -1e10f,  1e-20f, 1e-10f,  1e5f,   -1e5f, 2.9e-39f, 1e8f};
    static const float others[] = {NAN, -NAN, INFINITY, -INFINITY};
    if (it->mood == EDGES && chance(it, 30))
        return it->extreme && chance(it, 50) ? ends[draw(it, sizeof ends / sizeof ends[0])]
                                             : edges[draw(it, sizeof edges / sizeof edges[0])];
    if (it->mood == NOT_NUMBERS && chance(it, 20))
        return others[draw(it, sizeof others / sizeof others[0])];
    return 2.0f * space_random(&it->random);
}

static inline float positive(walk *it)
{
    float value = number(it);
    return it->mood == PLAIN || chance(it, 80) ? fabsf(value) : value;
}

static inline double real(walk *it)
{
    static const double ends[] = {DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, 1e300, -1e100, 1e39, 1e12, -1e6};
    if (it->mood == EDGES && it->extreme && chance(it, 10))
        return ends[draw(it, sizeof ends / sizeof ends[0])];
    return (double)number(it) * 4.0;
}

static inline tr_vec3 vector(walk *it)
{
    tr_vec3 v;
    v.x = number(it);
    v.y = number(it);
    v.z = number(it);
    return v;
}

static inline tr_dvec3 place(walk *it)
{
    tr_dvec3 v;
    v.x = real(it);
    v.y = real(it);
    v.z = real(it);
    return v;
}

static inline tr_quat rotation(walk *it)
{
    tr_quat q;
    q.x = number(it);
    q.y = number(it);
    q.z = number(it);
    q.w = number(it);
    return q;
}

static inline tr_sym3 inertia(walk *it)
{
    tr_sym3 s = {0};
    if (chance(it, 10))
        return s;
    float size = positive(it);
    s.xx = size * (1.0f + 0.1f * space_random(&it->random));
    s.yy = size * (1.0f + 0.1f * space_random(&it->random));
    s.zz = size;
    if (chance(it, 40)) {
        s.xy = size * 0.1f * number(it);
        s.xz = size * 0.1f * number(it);
        s.yz = size * 0.1f * number(it);
    }
    if (it->mood != PLAIN && chance(it, 20))
        s.zz = number(it);
    return s;
}

static inline bool flag(walk *it)
{
    return chance(it, 50);
}

/* an enumerator, or one beside them */
static inline uint32_t choice(walk *it, uint32_t count)
{
    return it->mood != PLAIN && chance(it, 10) ? count + draw(it, 3) : draw(it, count);
}

static inline tr3_body body(walk *it)
{
    if (it->mood != PLAIN && chance(it, 10)) {
        tr3_body odd[] = {{0}, it->dead_body, it->bodies[0], {UINT32_MAX, 1, 0}, {1, 1, 999}};
        odd[2].world = 2;
        return odd[draw(it, sizeof odd / sizeof odd[0])];
    }
    return it->body_count > 0 ? it->bodies[draw(it, it->body_count)] : (tr3_body){0};
}

static inline tr3_joint joint(walk *it)
{
    if (it->mood != PLAIN && chance(it, 10)) {
        tr3_joint odd[] = {{0}, it->dead_joint, it->joints[0], {UINT32_MAX, 1, 0}, {1, 1, 999}};
        odd[2].world = 2;
        return odd[draw(it, sizeof odd / sizeof odd[0])];
    }
    return it->joint_count > 0 ? it->joints[draw(it, it->joint_count)] : (tr3_joint){0};
}

/* the pointer, or null */
static inline void *maybe(walk *it, void *pointer)
{
    return it->mood != PLAIN && chance(it, 3) ? NULL : pointer;
}

static inline tr3_world *world_of(walk *it)
{
    return maybe(it, it->world);
}

static inline tr_softness softness(walk *it)
{
    tr_softness s = {(tr_softness_kind)choice(it, 4), positive(it), positive(it)};
    if (s.kind == TR_RAW && chance(it, 80))
        s.b = fabsf(space_random(&it->random));
    return s;
}

static inline tr_limit limit(walk *it)
{
    tr_limit l = {flag(it), -positive(it), positive(it)};
    return l;
}

static inline tr3_body_def body_def(walk *it)
{
    tr3_body_def def = tr3_body_def_default();
    def.type = (tr_body_type)(chance(it, 80) ? (uint32_t)TR_DYNAMIC : choice(it, 3));
    def.position = place(it);
    if (flag(it))
        def.rotation = rotation(it);
    def.velocity = vector(it);
    def.angular_velocity = vector(it);
    def.mass = positive(it);
    def.inertia = inertia(it);
    if (chance(it, 30))
        def.center = vector(it);
    if (chance(it, 10)) {
        def.gravity_scale = number(it);
        def.linear_damping = positive(it);
        def.angular_damping = positive(it);
        def.sleep_scale = positive(it);
        def.fixed_rotation = flag(it);
        def.enabled = flag(it);
        def.user_data = draw(it, 100);
    }
    return def;
}

/* the features of its type; some of another */
static inline void features(walk *it, tr3_joint_def *def)
{
    bool ball = def->type == TR3_JOINT_BALL, distance = def->type == TR3_JOINT_DISTANCE;
    bool moves = tr3_joint_type_has(def->type, TR3_FIELD_SPRING_ENABLE);
    bool any = it->mood != PLAIN && chance(it, 3);
    if (chance(it, 30))
        def->linear = softness(it);
    if ((!distance || any) && chance(it, 30))
        def->angular = softness(it);
    if (moves || any) {
        def->spring = (tr_spring){flag(it), number(it), softness(it)};
    }
    if ((moves || distance || any) && flag(it)) {
        def->spring_force = (tr_force_range){-positive(it), positive(it)};
        def->motor = (tr_motor){flag(it), number(it), positive(it)};
        if (!ball || any)
            def->limit = limit(it);
    }
    if (ball || any) {
        def->cone_angle = positive(it);
        def->cone_angle_2 = flag(it) ? positive(it) : 0.0f;
        def->twist = limit(it);
    }
    if ((moves || ball || distance || any) && flag(it))
        def->friction = positive(it);
    if (distance || any)
        def->length = positive(it);
    for (uint32_t k = 1; k < TR3_COORDINATES; k++) {
        bool has = tr3_joint_type_has(def->type, tr3_field_of(TR3_FIELD_SPRING_ENABLE, k));
        if (!(has || (any && chance(it, 5))) || flag(it))
            continue;
        tr3_features f = {.spring = {flag(it), number(it), softness(it)},
                          .motor = {flag(it), number(it), positive(it)}};
        if (!ball || any) {
            f.limit = limit(it);
            f.friction = flag(it) ? positive(it) : 0.0f;
        }
        f.locked = def->type == TR3_JOINT_GENERAL && flag(it);
        tr3_def_set_features(def, k, f);
    }
    if (chance(it, 20))
        def->event_at = (tr_event_at){positive(it), positive(it)};
    if (chance(it, 5))
        def->break_at = (tr_break_at){100.0f * positive(it), 100.0f * positive(it), positive(it), draw(it, 3)};
    def->enabled = chance(it, 95);
    def->collide_connected = chance(it, 20);
    def->user_data = chance(it, 20) ? draw(it, 100) : 0;
}

static inline tr3_joint_def joint_def(walk *it)
{
    tr3_joint_def def = tr3_joint_def_default((tr3_joint_type)choice(it, TR3_JOINT_TYPE_COUNT));
    def.body_a = body(it);
    def.body_b = body(it);
    if (flag(it)) {
        tr_dvec3 at = place(it), other = place(it);
        (void)tr3_joint_def_initialize(world_of(it), &def, at, flag(it) ? at : other, vector(it));
    } else {
        def.anchor_a = vector(it);
        def.anchor_b = vector(it);
        if (tr3_joint_type_has(def.type, TR3_FIELD_AXIS_X))
            def.axis = vector(it);
        if (tr3_joint_type_has(def.type, TR3_FIELD_AXIS_2_X) && flag(it))
            def.axis_2 = vector(it);
        if (tr3_joint_type_has(def.type, TR3_FIELD_REFERENCE_X) && flag(it))
            def.reference = rotation(it);
    }
    if (tr3_joint_type_has(def.type, TR3_FIELD_PITCH))
        def.pitch = number(it);
    if (tr3_joint_type_has(def.type, TR3_FIELD_RATIO)) {
        def.ratio = def.type == TR3_JOINT_PULLEY ? positive(it) : number(it);
        if (flag(it))
            def.carrier_a = body(it);
        if (flag(it))
            def.carrier_b = body(it);
    }
    if (tr3_joint_type_has(def.type, TR3_FIELD_AXIS_B_X)) {
        def.axis_b = vector(it);
        def.reference_b = flag(it) ? rotation(it) : def.reference_b;
        def.slides_a = flag(it);
        def.slides_b = flag(it);
        def.meshed = flag(it);
        def.offset = (double)number(it);
    }
    if (tr3_joint_type_has(def.type, TR3_FIELD_GROUND_A_X)) {
        def.ground_a = place(it);
        def.ground_b = place(it);
    }
    features(it, &def);
    return def;
}

#endif
