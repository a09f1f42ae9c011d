/* The edits of a walk: what is created, destroyed, set and pushed, in the world and in the model. */
#include "walk.h"

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
    def.sleep_scale = chance(it, 50) ? 1.0f : number(it, 0.0f, 2.0f);
    def.fixed_rotation = chance(it, 10);
    def.enabled = !chance(it, 10);
    def.bullet = chance(it, 10);
    def.user_data = it->random;
    return def;
}

static float random_value(walk *it, tr2_field field)
{
    switch (tr2_field_infos[field].kind) {
    case TR_KIND_BOOL:
        return (float)draw(it, 2);
    case TR_KIND_KIND:
        return (float)draw(it, 4);
    case TR_KIND_NOT_NEGATIVE:
        return number(it, 0.0f, 10.0f);
    case TR_KIND_NOT_POSITIVE:
        return number(it, -10.0f, 0.0f);
    case TR_KIND_NOT_ZERO:
        return chance(it, 50) ? number(it, 0.5f, 2.0f) : number(it, -2.0f, -0.5f);
    case TR_KIND_FLOAT:
    case TR_KIND_DOUBLE:
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
    if (tr2_joint_type_has(def->type, TR2_FIELD_ANCHOR_A_X)) {
        def->anchor_a = into_frame(&at[0], x, y);
        def->anchor_b = into_frame(&at[1], x, y);
    }
    if (tr2_joint_type_has(def->type, TR2_FIELD_REFERENCE_ANGLE))
        def->reference_angle = (float)(at[1].angle - (double)def->ratio * at[0].angle);
    if (tr2_joint_type_has(def->type, TR2_FIELD_GROUND_A_X)) {
        def->ratio = fabsf(def->ratio);
        double a = hypot(x - def->ground_a.x, y - def->ground_a.y), b = hypot(x - def->ground_b.x, y - def->ground_b.y);
        def->length = (float)((double)def->ratio * a + b);
    } else if (tr2_joint_type_has(def->type, TR2_FIELD_LENGTH)) {
        def->anchor_a.x = def->anchor_a.y = def->anchor_b.x = def->anchor_b.y = 0.0f;
        def->length = (float)hypot(at[1].position.x - at[0].position.x, at[1].position.y - at[0].position.y);
        def->limit.lower = 0.0f;
        def->limit.upper += def->length;
    }
    if (tr2_joint_type_has(def->type, TR2_FIELD_MESHED))
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
        bool wrong = chance(it, 5) && tr2_joint_type_has(type, TR2_FIELD_LIMIT_LOWER);
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
        def.event_at = (tr_event_at){number(it, 0.0f, 20.0f), number(it, 0.0f, 20.0f)};
    if (chance(it, 20)) {
        tr_break_at break_at = {number(it, 0.0f, 200.0f), number(it, 0.0f, 200.0f), number(it, 0.0f, 2.0f),
                                draw(it, 5)};
        def.break_at = break_at;
    }
    def.collide_connected = chance(it, 50);
    def.user_data = it->random;
    return def;
}

void create_bodies(walk *it)
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

void create_joints(walk *it)
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
        if (type == TR2_JOINT_GEAR && chance(it, 60)) {
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

void bury_joint(walk *it, uint32_t i)
{
    it->dead_joints[it->dead_joint_count++ % GRAVES] = it->joints[i].id;
    it->joints[i] = it->joints[--it->joint_count];
}

void destroy_bodies(walk *it)
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

void destroy_joint(walk *it)
{
    if (it->joint_count == 0)
        return;
    uint32_t i = draw(it, it->joint_count);
    it->calls++;
    assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[i].id));
    bury_joint(it, i);
}

void set_joint_value(walk *it)
{
    if (it->joint_count == 0)
        return;
    model_joint *joint = &it->joints[draw(it, it->joint_count)];
    tr2_field field = (tr2_field)draw(it, TR2_FIELD_COUNT);
    float value = chance(it, 10) ? odd_number(it) : random_value(it, field);
    bool place = field <= TR2_FIELD_ANCHOR_B_Y || field == TR2_FIELD_REFERENCE_ANGLE || field == TR2_FIELD_LENGTH ||
                 field == TR2_FIELD_LIMIT_LOWER || field == TR2_FIELD_LIMIT_UPPER || field == TR2_FIELD_RATIO ||
                 field == TR2_FIELD_OFFSET || (field >= TR2_FIELD_GROUND_A_X && field <= TR2_FIELD_GROUND_B_Y);
    /* what a gear counts is another number altogether when it counts it otherwise */
    if (!it->extreme && joint->def.type == TR2_JOINT_GEAR &&
        (field == TR2_FIELD_AXIS_X || field == TR2_FIELD_AXIS_Y ||
         (field >= TR2_FIELD_AXIS_B_X && field <= TR2_FIELD_SLIDES_B)))
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

void set_joint(walk *it)
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

void set_body(walk *it)
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
    switch (draw(it, 11)) {
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
    case 8:
        trial.sleep_scale = def.sleep_scale;
        ok = accepted(it, tr2_body_set_sleep_scale(it->world, body->id, def.sleep_scale), body_is_good(&trial));
        break;
    case 9:
        trial.enabled = def.enabled;
        ok = accepted(it, tr2_body_set_enabled(it->world, body->id, def.enabled), true);
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

void push_body(walk *it)
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

void use_dead_ids(walk *it)
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
