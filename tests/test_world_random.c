/*
 * A long random walk through the API beside a model that is too simple to be wrong: what was set must be read, old ids
 * must stay dead, counts must agree, refused calls must change nothing. The first half keeps to everyday scenes (joints
 * that begin where their bodies are, changes of centimetres), where no body may ever turn non-finite; the second takes
 * any float there is, where nothing may crash and what is shown must still be finite.
 *
 * TR_RANDOM_CALLS sets the number of calls, TR_RANDOM_SEED where the walk begins.
 */
#include <stdlib.h>

#include "solver/joint_fields.h"
#include "world_fixture.h"

enum { MOST_BODIES = 60, MOST_JOINTS = 120, GRAVES = 64, DEFAULT_CALLS = 60000 };

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
    uint64_t steps, refused, events, broken;
} walk;

/*
 * Chance
 */
static uint32_t draw(walk *it, uint32_t below)
{
    it->random = it->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((it->random >> 33) * below >> 31);
}

static bool chance(walk *it, uint32_t percent)
{
    return draw(it, 100) < percent;
}

static float between(walk *it, float low, float high)
{
    return low + (high - low) * (float)draw(it, 1u << 20) / (float)(1u << 20);
}

/* numbers at the ends of what there is, and some that are none */
static float odd_number(walk *it)
{
    static const float numbers[] = {0.0f,  -0.0f,  1e-45f, -1e-45f, 1e-38f,  -1e-30f,  1.0f,     -1.0f,
                                    1e10f, -1e10f, 1e20f,  -1e30f,  3.4e38f, -3.4e38f, INFINITY, NAN};
    return numbers[draw(it, sizeof numbers / sizeof numbers[0])];
}

static float number(walk *it, float low, float high)
{
    return it->extreme && chance(it, 15) ? odd_number(it) : between(it, low, high);
}

/*
 * The model's opinion
 */
static bool finite2(tr_vec2 v)
{
    return isfinite(v.x) && isfinite(v.y);
}

static bool inverse_exists(float value)
{
    return value == 0.0f || isfinite(1.0f / value);
}

static bool body_is_good(const tr2_body_def *def)
{
    bool finite = isfinite(def->position.x) && isfinite(def->position.y) && isfinite(def->angle) &&
                  finite2(def->velocity) && isfinite(def->angular_velocity) && isfinite(def->mass) &&
                  isfinite(def->inertia) && finite2(def->center) && isfinite(def->gravity_scale) &&
                  isfinite(def->linear_damping) && isfinite(def->angular_damping);
    return finite && def->mass >= 0.0f && (def->mass > 0.0f || def->type != TR_DYNAMIC) && def->inertia >= 0.0f &&
           inverse_exists(def->mass) && inverse_exists(def->inertia) && def->linear_damping >= 0.0f &&
           def->angular_damping >= 0.0f && fabs(def->angle) <= 1e12;
}

static bool value_is_good(tr2_joint_type type, tr2_field field, float value)
{
    if (!tr2_joint_type_has(type, field) || !isfinite(value))
        return false;
    switch (tr2_field_infos[field].kind) {
    case TR2_KIND_NOT_NEGATIVE:
        return value >= 0.0f;
    case TR2_KIND_NOT_POSITIVE:
        return value <= 0.0f;
    case TR2_KIND_NOT_ZERO:
        return value != 0.0f;
    case TR2_KIND_BOOL:
        return value == 0.0f || value == 1.0f;
    case TR2_KIND_KIND:
        return value == 0.0f || value == 1.0f || value == 2.0f || value == 3.0f;
    case TR2_KIND_FLOAT:
    case TR2_KIND_DOUBLE:
        break;
    }
    return true;
}

/* what the world makes of a definition by itself: axes of length 1, an offset that was left to it */
static void fill_in(tr2_joint_def *def, const tr2_joint_def *kept)
{
    def->axis = kept->axis;
    def->axis_b = kept->axis_b;
    as_kept(def, kept);
}

/* one number written into a definition, as a caller would */
static void write_value(tr2_joint_def *def, tr2_field field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (tr2_field_infos[field].kind == TR2_KIND_BOOL || tr2_field_infos[field].kind == TR2_KIND_KIND)
        bits = (uint32_t)value;
    tr2_field_write(def, field, bits);
}

static bool joint_is_good(const tr2_joint_def *def)
{
    for (int field = 0; field < TR2_FIELD_COUNT; field++) {
        uint32_t bits = tr2_field_read(def, (tr2_field)field);
        float value;
        memcpy(&value, &bits, sizeof value);
        tr2_field_kind kind = tr2_field_infos[field].kind;
        if (tr2_joint_type_has(def->type, (tr2_field)field) && kind != TR2_KIND_BOOL && kind != TR2_KIND_KIND &&
            !value_is_good(def->type, (tr2_field)field, value))
            return false;
    }
    bool raw = true;
    for (int field = 0; field < TR2_FIELD_COUNT; field++) {
        if (tr2_field_infos[field].kind == TR2_KIND_KIND && tr2_field_read(def, (tr2_field)field) == TR_RAW) {
            uint32_t bits = tr2_field_read(def, (tr2_field)(field + 2));
            float factor;
            memcpy(&factor, &bits, sizeof factor);
            raw = raw && factor <= 1.0f;
        }
    }
    bool axis = !tr2_joint_type_has(def->type, TR2_AXIS_X) || def->axis.x != 0.0f || def->axis.y != 0.0f;
    bool axis_b = !tr2_joint_type_has(def->type, TR2_AXIS_B_X) || def->axis_b.x != 0.0f || def->axis_b.y != 0.0f;
    bool ratio = !tr2_joint_type_has(def->type, TR2_RATIO) ||
                 (tr2_joint_type_has(def->type, TR2_GROUND_A_X) ? def->ratio > 0.0f : def->ratio != 0.0f);
    bool limit = !tr2_joint_type_has(def->type, TR2_LIMIT_LOWER) || def->limit.lower <= def->limit.upper;
    const float thresholds[] = {def->event_at.force, def->event_at.torque, def->break_at.force, def->break_at.torque,
                                def->break_at.impulse};
    for (size_t i = 0; i < sizeof thresholds / sizeof thresholds[0]; i++)
        if (!(isfinite(thresholds[i]) && thresholds[i] >= 0.0f))
            return false;
    bool torques = !def->equal_torque || def->ratio > 0.0f;
    bool carriers = def->carrier_a.index != def->body_a.index && def->carrier_b.index != def->body_b.index;
    bool bodies = def->body_a.index != def->body_b.index && carriers;
    return axis && axis_b && ratio && torques && limit && raw && bodies;
}

/*
 * What the world says must be what the model says
 */
static void check_body(walk *it, const model_body *body)
{
    tr2_body_def def;
    it->calls++;
    assert_ok(it->world, tr2_body_get(it->world, body->id, &def));
    assert_int_equal(def.type, body->def.type);
    assert_true(def.mass == body->def.mass && def.inertia == body->def.inertia);
    assert_true(def.center.x == body->def.center.x && def.center.y == body->def.center.y);
    assert_true(def.gravity_scale == body->def.gravity_scale);
    assert_true(def.linear_damping == body->def.linear_damping && def.angular_damping == body->def.angular_damping);
    assert_int_equal(def.fixed_rotation, body->def.fixed_rotation);
    assert_int_equal(def.bullet, body->def.bullet);
    assert_true(def.user_data == body->def.user_data);
    assert_true(isfinite(def.position.x) && isfinite(def.position.y) && isfinite(def.angle));
    assert_true(finite2(def.velocity) && isfinite(def.angular_velocity));
}

static void check_joint(walk *it, const model_joint *joint)
{
    tr2_joint_def def;
    it->calls++;
    assert_ok(it->world, tr2_joint_get(it->world, joint->id, &def));
    assert_same_joint(&def, &joint->def);
}

static void check_everything(walk *it)
{
    for (uint32_t i = 0; i < it->body_count; i++)
        check_body(it, &it->bodies[i]);
    for (uint32_t i = 0; i < it->joint_count; i++)
        check_joint(it, &it->joints[i]);
    for (uint32_t i = 0; i < GRAVES && i < it->dead_body_count; i++)
        assert_false(tr2_body_is_valid(it->world, it->dead_bodies[i]));
    for (uint32_t i = 0; i < GRAVES && i < it->dead_joint_count; i++)
        assert_false(tr2_joint_is_valid(it->world, it->dead_joints[i]));

    tr2_statistics statistics = tr2_world_statistics(it->world);
    assert_int_equal(statistics.bodies, it->body_count);
    assert_int_equal(statistics.joints, it->joint_count);
    uint32_t of_type[TR2_JOINT_TYPE_COUNT] = {0};
    for (uint32_t i = 0; i < it->joint_count; i++)
        of_type[it->joints[i].def.type]++;
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        assert_int_equal(statistics.joints_of_type[type], of_type[type]);
        assert_int_equal(tr2_world_joints(it->world, (tr2_joint_type)type).count, of_type[type]);
    }
    tr2_body_view view = tr2_world_bodies(it->world);
    assert_int_equal(view.count, it->body_count);
    uint32_t moving = 0;
    for (uint32_t row = 0; row < view.count; row++) {
        assert_true(tr2_body_is_valid(it->world, view.id[row]));
        moving += view.type[row] == TR_DYNAMIC;
        float length = view.c[row] * view.c[row] + view.s[row] * view.s[row];
        assert_true(fabsf(length - 1.0f) < 1e-5f);
    }
    assert_int_equal(statistics.moving_bodies, moving);
    if (!it->extreme)
        assert_int_equal(statistics.nonfinite_bodies, 0);
    it->calls += 2;
}

/* a refusal must be told from a success, and a success must not be refused where nothing is extreme */
static bool accepted(walk *it, tr_status status, bool good)
{
    it->calls++;
    if (status != TR_OK) {
        it->refused++;
        assert_int_equal(tr2_world_last_error(it->world)->status, status);
        assert_true(strlen(tr2_world_last_error(it->world)->message) > 10);
    }
    if (!good)
        assert_int_not_equal(status, TR_OK);
    else if (!it->extreme)
        assert_ok(it->world, status);
    return status == TR_OK;
}

/*
 * Moves
 */
static tr2_body_def random_body(walk *it)
{
    tr2_body_def def = tr2_body_def_default();
    uint32_t type = draw(it, 10);
    def.type = type == 0 ? TR_STATIC : type == 1 ? TR_KINEMATIC : TR_DYNAMIC;
    float speed = def.type == TR_DYNAMIC ? 1.0f : 0.05f; /* what is driven apart for ever must break at last */
    def.position.x = (double)number(it, -2.0f, 2.0f);
    def.position.y = (double)number(it, -2.0f, 2.0f);
    def.angle = (double)number(it, -10.0f, 10.0f);
    def.velocity.x = number(it, -speed, speed);
    def.velocity.y = number(it, -speed, speed);
    def.angular_velocity = number(it, -speed, speed);
    def.mass = number(it, 0.5f, 5.0f);
    def.inertia = chance(it, 10) ? 0.0f : number(it, 0.5f, 5.0f);
    def.center.x = chance(it, 50) ? 0.0f : number(it, -0.5f, 0.5f);
    def.center.y = chance(it, 50) ? 0.0f : number(it, -0.5f, 0.5f);
    def.gravity_scale = number(it, -1.0f, 1.0f);
    def.linear_damping = number(it, 0.1f, 2.0f);
    def.angular_damping = number(it, 0.1f, 2.0f);
    def.fixed_rotation = chance(it, 10);
    def.bullet = chance(it, 10);
    def.user_data = it->random;
    return def;
}

static float random_value(walk *it, tr2_field field)
{
    switch (tr2_field_infos[field].kind) {
    case TR2_KIND_BOOL:
        return (float)draw(it, 2);
    case TR2_KIND_KIND:
        return (float)draw(it, 4);
    case TR2_KIND_NOT_NEGATIVE:
        return number(it, 0.0f, 10.0f);
    case TR2_KIND_NOT_POSITIVE:
        return number(it, -10.0f, 0.0f);
    case TR2_KIND_NOT_ZERO:
        return chance(it, 50) ? number(it, 0.5f, 2.0f) : number(it, -2.0f, -0.5f);
    case TR2_KIND_FLOAT:
    case TR2_KIND_DOUBLE:
        break;
    }
    return number(it, -3.0f, 3.0f);
}

/* a point of the world in a body's frame */
static tr_vec2 into_frame(const tr2_transform *frame, double x, double y)
{
    double dx = x - frame->position.x, dy = y - frame->position.y;
    tr_vec2 out = {(float)((double)frame->c * dx + (double)frame->s * dy),
                   (float)((double)frame->c * dy - (double)frame->s * dx)};
    return out;
}

/* the anchors meet between the bodies, the angle is the bodies' own, the limits hold */
static void fit_to_bodies(walk *it, tr2_joint_def *def)
{
    const tr2_body ids[2] = {def->body_a, def->body_b};
    tr2_transform at[2];
    assert_ok(it->world, tr2_world_get_transforms(it->world, ids, 2, at));
    double x = 0.5 * (at[0].position.x + at[1].position.x), y = 0.5 * (at[0].position.y + at[1].position.y);
    if (tr2_joint_type_has(def->type, TR2_ANCHOR_A_X)) {
        def->anchor_a = into_frame(&at[0], x, y);
        def->anchor_b = into_frame(&at[1], x, y);
    }
    if (tr2_joint_type_has(def->type, TR2_REFERENCE_ANGLE))
        def->reference_angle = (float)(at[1].angle - (double)def->ratio * at[0].angle);
    if (tr2_joint_type_has(def->type, TR2_GROUND_A_X)) {
        def->ratio = fabsf(def->ratio);
        double a = hypot(x - def->ground_a.x, y - def->ground_a.y), b = hypot(x - def->ground_b.x, y - def->ground_b.y);
        def->length = (float)((double)def->ratio * a + b);
    } else if (tr2_joint_type_has(def->type, TR2_LENGTH)) {
        def->anchor_a.x = def->anchor_a.y = def->anchor_b.x = def->anchor_b.y = 0.0f;
        def->length = (float)hypot(at[1].position.x - at[0].position.x, at[1].position.y - at[0].position.y);
        def->limit.lower = 0.0f;
        def->limit.upper += def->length;
    }
    if (tr2_joint_type_has(def->type, TR2_MESHED))
        def->meshed = false;
}

static tr2_joint_def random_joint(walk *it, tr2_joint_type type, tr2_body a, tr2_body b)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    for (int i = 0; i < TR2_FIELD_COUNT; i++) {
        tr2_field field = (tr2_field)i;
        bool often = chance(it, 50);
        if (often && tr2_joint_type_has(type, field))
            write_value(&def, field, random_value(it, field));
    }
    if (!it->extreme) {
        def.spring.target *= 0.1f;
        bool wrong = chance(it, 5) && tr2_joint_type_has(type, TR2_LIMIT_LOWER);
        def.limit.lower = wrong ? 1.0f : -fabsf(def.limit.lower);
        def.limit.upper = wrong ? -1.0f : fabsf(def.limit.upper);
        if (!wrong)
            fit_to_bodies(it, &def);
    } else if (def.limit.lower > def.limit.upper && chance(it, 90)) {
        float lower = def.limit.upper;
        def.limit.upper = def.limit.lower;
        def.limit.lower = lower;
    }
    if (chance(it, 30))
        def.event_at = (tr2_event_at){number(it, 0.0f, 20.0f), number(it, 0.0f, 20.0f)};
    if (chance(it, 20)) {
        tr2_break_at break_at = {number(it, 0.0f, 200.0f), number(it, 0.0f, 200.0f), number(it, 0.0f, 2.0f),
                                 draw(it, 5)};
        def.break_at = break_at;
    }
    def.collide_connected = chance(it, 50);
    def.user_data = it->random;
    return def;
}

static void create_bodies(walk *it)
{
    tr2_body_def defs[4] = {0};
    tr2_body ids[4];
    uint32_t count = draw(it, 4) + 1;
    if (it->body_count + count > MOST_BODIES)
        return;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = random_body(it);
        good = good && body_is_good(&defs[i]);
    }
    if (accepted(it, tr2_world_create_bodies(it->world, defs, count, ids), good)) {
        for (uint32_t i = 0; i < count; i++) {
            model_body made = {ids[i], defs[i]};
            it->bodies[it->body_count++] = made;
        }
    }
}

static void create_joints(walk *it)
{
    tr2_joint_def defs[4] = {0};
    tr2_joint ids[4];
    uint32_t count = draw(it, 4) + 1;
    if (it->joint_count + count > MOST_JOINTS || it->body_count < 2)
        return;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        tr2_joint_type type = (tr2_joint_type)draw(it, TR2_JOINT_TYPE_COUNT);
        defs[i] =
            random_joint(it, type, it->bodies[draw(it, it->body_count)].id, it->bodies[draw(it, it->body_count)].id);
        if (type == TR2_GEAR && chance(it, 60)) {
            defs[i].carrier_a = it->bodies[draw(it, it->body_count)].id;
            if (chance(it, 70))
                defs[i].carrier_b = it->bodies[draw(it, it->body_count)].id;
        }
        good = good && joint_is_good(&defs[i]);
    }
    if (accepted(it, tr2_world_create_joints(it->world, defs, count, ids), good)) {
        for (uint32_t i = 0; i < count; i++) {
            model_joint made = {ids[i], defs[i]};
            tr2_joint_def kept;
            assert_ok(it->world, tr2_joint_get(it->world, ids[i], &kept));
            fill_in(&made.def, &kept);
            it->joints[it->joint_count++] = made;
        }
    }
}

static void bury_joint(walk *it, uint32_t i)
{
    it->dead_joints[it->dead_joint_count++ % GRAVES] = it->joints[i].id;
    it->joints[i] = it->joints[--it->joint_count];
}

static void destroy_bodies(walk *it)
{
    tr2_body ids[3];
    uint32_t at[3];
    uint32_t count = draw(it, 3) + 1;
    if (it->body_count < 3)
        return;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        at[i] = draw(it, it->body_count);
        ids[i] = it->bodies[at[i]].id;
        for (uint32_t k = 0; k < i; k++)
            good = good && at[k] != at[i];
    }
    tr_status status = tr2_world_destroy_bodies(it->world, ids, count);
    it->calls++;
    assert_int_equal(status, good ? TR_OK : TR_ERROR_STALE_ID);
    for (uint32_t n = 0; n < count && good; n++) {
        for (uint32_t i = it->joint_count; i-- > 0;) {
            const tr2_joint_def *def = &it->joints[i].def;
            const tr2_body all[] = {def->body_a, def->body_b, def->carrier_a, def->carrier_b};
            bool goes = false;
            for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
                goes = goes || all[k].index == ids[n].index;
            if (goes)
                bury_joint(it, i);
        }
        for (uint32_t i = it->body_count; i-- > 0;) {
            if (it->bodies[i].id.index != ids[n].index)
                continue;
            it->dead_bodies[it->dead_body_count++ % GRAVES] = ids[n];
            it->bodies[i] = it->bodies[--it->body_count];
        }
    }
}

static void destroy_joint(walk *it)
{
    if (it->joint_count == 0)
        return;
    uint32_t i = draw(it, it->joint_count);
    it->calls++;
    assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[i].id));
    bury_joint(it, i);
}

static void set_joint_value(walk *it)
{
    if (it->joint_count == 0)
        return;
    model_joint *joint = &it->joints[draw(it, it->joint_count)];
    tr2_field field = (tr2_field)draw(it, TR2_FIELD_COUNT);
    float value = chance(it, 10) ? odd_number(it) : random_value(it, field);
    bool place = field <= TR2_ANCHOR_B_Y || field == TR2_REFERENCE_ANGLE || field == TR2_LENGTH ||
                 field == TR2_LIMIT_LOWER || field == TR2_LIMIT_UPPER || field == TR2_RATIO || field == TR2_OFFSET ||
                 (field >= TR2_GROUND_A_X && field <= TR2_GROUND_B_Y);
    /* what a gear counts is another number altogether when it counts it otherwise */
    if (!it->extreme && joint->def.type == TR2_GEAR &&
        (field == TR2_AXIS_X || field == TR2_AXIS_Y || (field >= TR2_AXIS_B_X && field <= TR2_SLIDES_B)))
        return;
    if (!it->extreme && place && isfinite(value) && tr2_joint_type_has(joint->def.type, field)) {
        uint32_t bits = tr2_field_read(&joint->def, field);
        memcpy(&value, &bits, sizeof value);
        value += between(it, -0.05f, 0.05f);
    }
    bool good = value_is_good(joint->def.type, field, value);
    tr2_joint_def def = joint->def;
    if (good) {
        write_value(&def, field, value);
        good = joint_is_good(&def);
    }
    /* numbers that are good, but not of an everyday scene */
    if (!it->extreme && good && fabsf(value) > 1e5f)
        return;
    if (accepted(it, tr2_joint_set_value(it->world, joint->id, field, value), good)) {
        tr2_joint_def kept;
        assert_ok(it->world, tr2_joint_get(it->world, joint->id, &kept));
        fill_in(&def, &kept);
        joint->def = def;
    }
    check_joint(it, joint);
}

static void set_joint(walk *it)
{
    if (it->joint_count == 0)
        return;
    model_joint *joint = &it->joints[draw(it, it->joint_count)];
    tr2_joint_def def = random_joint(it, joint->def.type, joint->def.body_a, joint->def.body_b);
    def.carrier_a = joint->def.carrier_a;
    def.carrier_b = joint->def.carrier_b;
    if (accepted(it, tr2_joint_set(it->world, joint->id, &def), joint_is_good(&def))) {
        tr2_joint_def kept;
        assert_ok(it->world, tr2_joint_get(it->world, joint->id, &kept));
        fill_in(&def, &kept);
        joint->def = def;
    }
    check_joint(it, joint);
}

static void set_body(walk *it)
{
    if (it->body_count == 0)
        return;
    model_body *body = &it->bodies[draw(it, it->body_count)];
    tr2_body_def def = random_body(it);
    tr2_body_def trial = body->def;
    if (!it->extreme) {
        tr2_transform now;
        assert_ok(it->world, tr2_world_get_transforms(it->world, &body->id, 1, &now));
        def.position.x = now.position.x + 0.02 * def.position.x;
        def.position.y = now.position.y + 0.02 * def.position.y;
        def.angle = now.angle + 0.01 * def.angle;
        def.type = chance(it, 80) ? TR_DYNAMIC : def.type;
    }
    bool ok = false;
    switch (draw(it, 9)) {
    case 0:
        ok = accepted(it, tr2_body_set(it->world, body->id, &def), body_is_good(&def));
        trial = def;
        break;
    case 1: {
        bool good = isfinite(def.position.x) && isfinite(def.position.y) && fabs(def.angle) <= 1e12;
        if (accepted(it, tr2_body_set_transform(it->world, body->id, def.position, def.angle), good)) {
            tr2_transform transform;
            assert_ok(it->world, tr2_world_get_transforms(it->world, &body->id, 1, &transform));
            assert_true(transform.angle == def.angle);
            double slack = 1e-12 * (fabs(def.position.x) + fabs((double)body->def.center.x) +
                                    fabs((double)body->def.center.y) + 1.0);
            assert_true(fabs(transform.position.x - def.position.x) <= slack);
        }
        break;
    }
    case 2:
        accepted(it, tr2_body_set_velocity(it->world, body->id, def.velocity, def.angular_velocity),
                 finite2(def.velocity) && isfinite(def.angular_velocity));
        break;
    case 3:
        trial.mass = def.mass;
        trial.inertia = def.inertia;
        trial.center = def.center;
        ok = accepted(it, tr2_body_set_mass(it->world, body->id, def.mass, def.inertia, def.center),
                      body_is_good(&trial));
        break;
    case 4:
        trial.type = def.type;
        ok = accepted(it, tr2_body_set_type(it->world, body->id, def.type), body_is_good(&trial));
        break;
    case 5:
        trial.linear_damping = def.linear_damping;
        trial.angular_damping = def.angular_damping;
        ok = accepted(it, tr2_body_set_damping(it->world, body->id, def.linear_damping, def.angular_damping),
                      body_is_good(&trial));
        break;
    case 6:
        trial.gravity_scale = def.gravity_scale;
        ok = accepted(it, tr2_body_set_gravity_scale(it->world, body->id, def.gravity_scale), body_is_good(&trial));
        break;
    case 7:
        trial.fixed_rotation = def.fixed_rotation;
        ok = accepted(it, tr2_body_set_fixed_rotation(it->world, body->id, def.fixed_rotation), true);
        break;
    default:
        trial.user_data = def.user_data;
        ok = accepted(it, tr2_body_set_user_data(it->world, body->id, def.user_data), true);
        break;
    }
    if (ok)
        body->def = trial;
    check_body(it, body);
}

static void push_body(walk *it)
{
    if (it->body_count == 0)
        return;
    tr2_body id = it->bodies[draw(it, it->body_count)].id;
    tr_vec2 amount = {number(it, -20.0f, 20.0f), number(it, -20.0f, 20.0f)};
    tr_dvec2 point = {(double)number(it, -2.0f, 2.0f), (double)number(it, -2.0f, 2.0f)};
    bool good = finite2(amount) && isfinite(point.x) && isfinite(point.y);
    switch (draw(it, 5)) {
    case 0:
        accepted(it, tr2_body_apply_force(it->world, id, amount, point), good);
        break;
    case 1:
        accepted(it, tr2_body_apply_force_to_center(it->world, id, amount), finite2(amount));
        break;
    case 2:
        accepted(it, tr2_body_apply_torque(it->world, id, amount.x), isfinite(amount.x));
        break;
    case 3:
        accepted(it, tr2_body_apply_impulse(it->world, id, amount, point), good);
        break;
    default:
        accepted(it, tr2_body_apply_angular_impulse(it->world, id, amount.x), isfinite(amount.x));
        break;
    }
}

static void use_dead_ids(walk *it)
{
    tr2_body_def def;
    tr2_joint_def joint;
    if (it->dead_body_count > 0) {
        tr2_body id = it->dead_bodies[draw(it, it->dead_body_count < GRAVES ? it->dead_body_count : GRAVES)];
        assert_int_equal(tr2_body_get(it->world, id, &def), TR_ERROR_STALE_ID);
        assert_int_equal(tr2_world_destroy_body(it->world, id), TR_ERROR_STALE_ID);
        it->calls += 2;
    }
    if (it->dead_joint_count > 0) {
        tr2_joint id = it->dead_joints[draw(it, it->dead_joint_count < GRAVES ? it->dead_joint_count : GRAVES)];
        assert_int_equal(tr2_joint_get(it->world, id, &joint), TR_ERROR_STALE_ID);
        assert_int_equal(tr2_world_destroy_joint(it->world, id), TR_ERROR_STALE_ID);
        it->calls += 2;
    }
    /* ids that are any bits at all */
    tr2_body wild = {draw(it, 200), (uint16_t)(chance(it, 50) ? 7 : draw(it, 65536)), (uint16_t)draw(it, 3)};
    tr_status status = tr2_body_get(it->world, wild, &def);
    assert_int_equal(status == TR_OK, tr2_body_is_valid(it->world, wild));
    it->calls += 2;
}

static void ask(walk *it)
{
    tr2_measures measures = tr2_world_measure(it->world);
    if (!it->extreme)
        assert_true(isfinite(measures.kinetic_energy) && isfinite(measures.joint_error_rms));
    assert_true(tr2_world_state_hash(it->world) == tr2_world_state_hash(it->world));
    it->calls += 3;
    if (it->joint_count == 0)
        return;
    tr2_joint id = it->joints[draw(it, it->joint_count)].id;
    tr2_reaction reaction;
    tr2_joint_error_value error;
    tr2_joint_coordinate_value coordinate;
    uint32_t color;
    assert_ok(it->world, tr2_joint_reaction(it->world, id, &reaction));
    assert_ok(it->world, tr2_joint_error(it->world, id, &error));
    assert_ok(it->world, tr2_joint_coordinate(it->world, id, &coordinate));
    assert_ok(it->world, tr2_joint_color(it->world, id, &color));
    it->calls += 4;
    if (!it->extreme) {
        assert_true(finite2(reaction.force) && isfinite(reaction.torque));
        assert_true(error.linear >= 0.0f && error.angular >= 0.0f);
    }
}

/* A joint that is torn apart, or whose spring pulls from far, is not of an everyday scene any more. */
static bool is_torn(walk *it, const model_joint *joint)
{
    tr2_joint_error_value error;
    tr2_joint_coordinate_value coordinate;
    assert_ok(it->world, tr2_joint_error(it->world, joint->id, &error));
    assert_ok(it->world, tr2_joint_coordinate(it->world, joint->id, &coordinate));
    bool pulls = joint->def.spring.enable && fabsf(coordinate.value - joint->def.spring.target) > 0.3f;
    return error.linear > 0.3f || error.angular > 0.3f || pulls;
}

static void take_out_torn_joints(walk *it)
{
    for (uint32_t i = it->joint_count; i-- > 0;) {
        if (!is_torn(it, &it->joints[i]))
            continue;
        assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[i].id));
        bury_joint(it, i);
    }
}

static bool is_over(const tr2_event_at *event_at, const tr2_reaction *reaction)
{
    return (event_at->force > 0.0f && hypot((double)reaction->force.x, (double)reaction->force.y) > event_at->force) ||
           (event_at->torque > 0.0f && fabsf(reaction->torque) > event_at->torque);
}

/* every joint over its threshold has its event and no other has; the broken ones are gone */
static void take_events(walk *it)
{
    tr2_event_view events = tr2_world_events(it->world);
    uint32_t over = 0, said = 0, broken_over = 0;
    for (uint32_t e = 0; e < events.count; e++) {
        const tr2_event *event = &events.event[e];
        uint32_t i = 0;
        while (i < it->joint_count && it->joints[i].id.index != event->joint.index)
            i++;
        assert_true(i < it->joint_count);
        assert_true(event->user_data == it->joints[i].def.user_data && event->steps > 0);
        assert_true(e == 0 || event->joint.index >= events.event[e - 1].joint.index);
        if (event->kind == TR2_EVENT_THRESHOLD) {
            assert_true(is_over(&it->joints[i].def.event_at, &event->reaction));
            said++;
            continue;
        }
        assert_true(event->steps >= it->joints[i].def.break_at.steps);
        broken_over += is_over(&it->joints[i].def.event_at, &event->reaction);
        bury_joint(it, i);
        it->broken++;
    }
    for (uint32_t i = 0; i < it->joint_count; i++) {
        tr2_reaction reaction;
        assert_ok(it->world, tr2_joint_reaction(it->world, it->joints[i].id, &reaction));
        over += is_over(&it->joints[i].def.event_at, &reaction);
    }
    assert_int_equal(said, over + broken_over);
    it->events += events.count;
}

static void step(walk *it)
{
    if (!it->extreme)
        take_out_torn_joints(it);
    bool good = true;
    double dt = 1.0 / 60.0;
    uint32_t substeps = it->extreme ? draw(it, 4) + 1 : draw(it, 3) + 4;
    if (chance(it, 5)) {
        dt = (double)odd_number(it);
        good = isfinite(dt) && dt >= 0.0;
        /* valid, but not of an everyday scene */
        if (!it->extreme && good)
            dt = 0.0;
    }
    if (!accepted(it, tr2_world_step(it->world, dt, substeps), good))
        return;
    it->steps++;
    if (dt > 0.0)
        take_events(it);
    else
        assert_int_equal(tr2_world_events(it->world).count, 0);
    tr2_body_view view = tr2_world_bodies(it->world);
    for (uint32_t row = 0; row < view.count; row++) {
        assert_true(isfinite(view.center_x[row]) && isfinite(view.center_y[row]) && isfinite(view.angle[row]));
        assert_true(isfinite(view.velocity_x[row]) && isfinite(view.velocity_y[row]));
        assert_true(isfinite(view.angular_velocity[row]));
        if (!it->extreme)
            assert_int_equal(view.flags[row] & TR2_BODY_QUARANTINED, 0);
    }
}

static void move(walk *it)
{
    uint32_t kind = draw(it, 100);
    if (kind < 8)
        create_bodies(it);
    else if (kind < 18)
        create_joints(it);
    else if (kind < 22)
        destroy_bodies(it);
    else if (kind < 28)
        destroy_joint(it);
    else if (kind < 42)
        set_joint_value(it);
    else if (kind < 50)
        set_joint(it);
    else if (kind < 64)
        set_body(it);
    else if (kind < 72)
        push_body(it);
    else if (kind < 78)
        use_dead_ids(it);
    else if (kind < 82)
        ask(it);
    else if (kind < 83)
        accepted(it, tr2_world_optimize(it->world), true);
    else if (kind < 84)
        accepted(it, tr2_world_set_threads(it->world, draw(it, 3) + 1), true);
    else
        step(it);
}

static uint64_t from_environment(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : standard;
}

static void wander(void **state, bool extreme)
{
    fixture *owner = *state;
    walk *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->world = owner->world;
    it->random = from_environment("TR_RANDOM_SEED", 1);
    it->extreme = extreme;
    uint64_t calls = from_environment("TR_RANDOM_CALLS", DEFAULT_CALLS) / 2;
    for (uint64_t moves = 0; it->calls < calls; moves++) {
        move(it);
        if (moves % 500 == 0)
            check_everything(it);
    }
    check_everything(it);
    /* the walk has been somewhere */
    assert_true(it->steps > calls / 20 && it->refused > calls / 100);
    assert_true(it->dead_body_count > 0 && it->dead_joint_count > 0);
    assert_true(it->events > 50 && it->broken > 5);
    assert_true(tr2_world_statistics(it->world).broken_joints == it->broken);
    print_message("%llu calls, %llu steps, %llu refused, %u quarantines said, %llu events, %llu joints broken\n",
                  (unsigned long long)it->calls, (unsigned long long)it->steps, (unsigned long long)it->refused,
                  owner->warnings, (unsigned long long)it->events, (unsigned long long)it->broken);
    if (!extreme)
        assert_int_equal(owner->warnings, 0);
    free(it);
}

static void everyday_numbers_never_turn_non_finite(void **state)
{
    wander(state, false);
}

static void extreme_numbers_never_crash_and_never_show(void **state)
{
    wander(state, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everyday_numbers_never_turn_non_finite),
        TEST(extreme_numbers_never_crash_and_never_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
