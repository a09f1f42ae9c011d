/* The model: chance, what calls ought to accept, and whether the world says the same. */
#include "../random.h"
#include "walk.h"

/*
 * Chance
 */
uint32_t draw(walk *it, uint32_t below)
{
    return random_index(&it->random, below);
}

bool chance(walk *it, uint32_t percent)
{
    return draw(it, 100) < percent;
}

float between(walk *it, float low, float high)
{
    return low + (high - low) * (float)draw(it, 1u << 20) / (float)(1u << 20);
}

/* numbers at the ends of what there is, and some that are none */
float odd_number(walk *it)
{
    static const float numbers[] = {0.0f,  -0.0f,  1e-45f, -1e-45f, 1e-38f,  -1e-30f,  1.0f,     -1.0f,
                                    1e10f, -1e10f, 1e20f,  -1e30f,  3.4e38f, -3.4e38f, INFINITY, NAN};
    return numbers[draw(it, sizeof numbers / sizeof numbers[0])];
}

float number(walk *it, float low, float high)
{
    return it->extreme && chance(it, 15) ? odd_number(it) : between(it, low, high);
}

/*
 * The model's opinion
 */
bool finite2(tr_vec2 v)
{
    return isfinite(v.x) && isfinite(v.y);
}

static bool inverse_exists(float value)
{
    return value == 0.0f || isfinite(1.0f / value);
}

bool body_is_good(const tr2_body_def *def)
{
    bool finite = isfinite(def->position.x) && isfinite(def->position.y) && isfinite(def->angle) &&
                  finite2(def->velocity) && isfinite(def->angular_velocity) && isfinite(def->mass) &&
                  isfinite(def->inertia) && finite2(def->center) && isfinite(def->gravity_scale) &&
                  isfinite(def->linear_damping) && isfinite(def->angular_damping) && isfinite(def->sleep_scale);
    return finite && def->mass >= 0.0f && (def->mass > 0.0f || def->type != TR_DYNAMIC) && def->inertia >= 0.0f &&
           inverse_exists(def->mass) && inverse_exists(def->inertia) && def->linear_damping >= 0.0f &&
           def->angular_damping >= 0.0f && def->sleep_scale >= 0.0f && fabs(def->angle) <= 1e12;
}

bool value_is_good(tr2_joint_type type, tr2_field field, float value)
{
    if (!tr2_joint_type_has(type, field) || !isfinite(value))
        return false;
    switch (tr2_field_infos[field].kind) {
    case TR_KIND_NOT_NEGATIVE:
        return value >= 0.0f;
    case TR_KIND_NOT_POSITIVE:
        return value <= 0.0f;
    case TR_KIND_NOT_ZERO:
        return value != 0.0f;
    case TR_KIND_BOOL:
        return value == 0.0f || value == 1.0f;
    case TR_KIND_KIND:
        return value == 0.0f || value == 1.0f || value == 2.0f || value == 3.0f;
    case TR_KIND_FLOAT:
    case TR_KIND_DOUBLE:
        break;
    }
    return true;
}

/* what the world makes of a definition by itself: axes of length 1, an offset that was left to it */
void fill_in(tr2_joint_def *def, const tr2_joint_def *kept)
{
    def->axis = kept->axis;
    def->axis_b = kept->axis_b;
    as_kept(def, kept);
}

/* one number written into a definition, as a caller would */
void write_value(tr2_joint_def *def, tr2_field field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (tr2_field_infos[field].kind == TR_KIND_BOOL || tr2_field_infos[field].kind == TR_KIND_KIND)
        bits = (uint32_t)value;
    tr2_field_write(def, field, bits);
}

bool joint_is_good(const tr2_joint_def *def)
{
    for (int field = 0; field < TR2_FIELD_COUNT; field++) {
        uint32_t bits = tr2_field_read(def, (tr2_field)field);
        float value;
        memcpy(&value, &bits, sizeof value);
        tr2_field_kind kind = tr2_field_infos[field].kind;
        if (!tr2_joint_type_has(def->type, (tr2_field)field) || kind == TR_KIND_BOOL || kind == TR_KIND_KIND)
            continue;
        /* as a float a double may be infinite */
        if (kind == TR_KIND_DOUBLE ? !isfinite(tr2_field_read_double(def, (tr2_field)field))
                                   : !value_is_good(def->type, (tr2_field)field, value))
            return false;
    }
    bool raw = true;
    for (int field = 0; field < TR2_FIELD_COUNT; field++) {
        if (tr2_field_infos[field].kind == TR_KIND_KIND && tr2_field_read(def, (tr2_field)field) == TR_RAW) {
            uint32_t bits = tr2_field_read(def, (tr2_field)(field + 2));
            float factor;
            memcpy(&factor, &bits, sizeof factor);
            raw = raw && factor <= 1.0f;
        }
    }
    bool axis = !tr2_joint_type_has(def->type, TR2_FIELD_AXIS_X) || def->axis.x != 0.0f || def->axis.y != 0.0f;
    bool axis_b = !tr2_joint_type_has(def->type, TR2_FIELD_AXIS_B_X) || def->axis_b.x != 0.0f || def->axis_b.y != 0.0f;
    bool ratio = !tr2_joint_type_has(def->type, TR2_FIELD_RATIO) ||
                 (tr2_joint_type_has(def->type, TR2_FIELD_GROUND_A_X) ? def->ratio > 0.0f : def->ratio != 0.0f);
    bool limit = !tr2_joint_type_has(def->type, TR2_FIELD_LIMIT_LOWER) || def->limit.lower <= def->limit.upper;
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
void check_body(walk *it, const model_body *body)
{
    tr2_body_def def;
    it->calls++;
    assert_ok(it->world, tr2_body_get(it->world, body->id, &def));
    assert_int_equal(def.type, body->def.type);
    assert_true(def.mass == body->def.mass && def.inertia == body->def.inertia);
    assert_true(def.center.x == body->def.center.x && def.center.y == body->def.center.y);
    assert_true(def.gravity_scale == body->def.gravity_scale && def.sleep_scale == body->def.sleep_scale);
    assert_true(def.linear_damping == body->def.linear_damping && def.angular_damping == body->def.angular_damping);
    assert_int_equal(def.fixed_rotation, body->def.fixed_rotation);
    assert_int_equal(def.bullet, body->def.bullet);
    assert_int_equal(def.enabled, body->def.enabled);
    assert_true(def.user_data == body->def.user_data);
    assert_true(isfinite(def.position.x) && isfinite(def.position.y) && isfinite(def.angle));
    assert_true(finite2(def.velocity) && isfinite(def.angular_velocity));
}

void check_joint(walk *it, const model_joint *joint)
{
    tr2_joint_def def;
    it->calls++;
    assert_ok(it->world, tr2_joint_get(it->world, joint->id, &def));
    assert_same_joint(&def, &joint->def);
}

void check_everything(walk *it)
{
    for (uint32_t i = 0; i < it->body_count; i++)
        check_body(it, &it->bodies[i]);
    for (uint32_t i = 0; i < it->joint_count; i++)
        check_joint(it, &it->joints[i]);
    for (uint32_t i = 0; i < GRAVES && i < it->dead_body_count; i++)
        assert_false(tr2_body_is_valid(it->world, it->dead_bodies[i]));
    for (uint32_t i = 0; i < GRAVES && i < it->dead_joint_count; i++)
        assert_false(tr2_joint_is_valid(it->world, it->dead_joints[i]));

    tr_statistics statistics = tr2_world_statistics(it->world);
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
        moving += view.type[row] == TR_DYNAMIC || (view.flags[row] & TR_BODY_ASLEEP) != 0;
        float length = view.c[row] * view.c[row] + view.s[row] * view.s[row];
        assert_true(fabsf(length - 1.0f) < 1e-5f);
    }
    assert_int_equal(statistics.moving_bodies, moving);
    if (!it->extreme)
        assert_int_equal(statistics.nonfinite_bodies, 0);
    it->calls += 2;
}

/* a refusal must be told from a success, and a success must not be refused where nothing is extreme */
bool accepted(walk *it, tr_status status, bool good)
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
