/* Bad input to joints, row by row as docs/errors.md has it: the status, the sentence, and a world that is as it was. */
#include "solver/core/joint_fields.h"
#include "solver/core/joint_types.h"
#include "world_errors.h"

/* one bad definition, by each of the three ways in */
static void reject_joint(scene *it, const tr2_joint_def *def, tr_status status, const char *sentence)
{
    char expected[TR_MESSAGE_SIZE];
    snprintf(expected, sizeof expected, "create_joint: def.%s", sentence);
    REJECT(tr2_world_create_joint(it->world, def, NULL), status, expected);
    tr2_joint_def defs[2] = {it->joint_defs[0], *def};
    snprintf(expected, sizeof expected, "create_joints: defs[1].%s", sentence);
    REJECT(tr2_world_create_joints(it->world, defs, 2, NULL), status, expected);
    if ((uint32_t)def->type < TR2_JOINT_TYPE_COUNT) {
        snprintf(expected, sizeof expected, "joint_set: def.%s", sentence);
        REJECT(tr2_joint_set(it->world, it->joint[def->type], def), status, expected);
    }
}

static void joints_refuse_bad_bodies(void **state)
{
    scene *it = *state;
    tr2_joint_def def = it->joint_defs[TR2_REVOLUTE];
    const tr2_body null = {0, 0, 0};
    def.body_a = null;
    reject_joint(it, &def, TR_ERROR_NULL_ID, "body_a is the null id");
    def.body_a = it->foreign;
    reject_joint(it, &def, TR_ERROR_FOREIGN_ID, "body_a " FOREIGN);
    def.body_a = it->dead;
    reject_joint(it, &def, TR_ERROR_STALE_ID, "body_a is stale (slot 3, generation 0)");
    def.body_a = it->a;
    def.body_b = it->dead;
    reject_joint(it, &def, TR_ERROR_STALE_ID, "body_b is stale (slot 3, generation 0)");
    def.body_b = it->a;
    reject_joint(it, &def, TR_ERROR_SELF_JOINT, "body_b is body_a (slot 1)");
    def = it->joint_defs[TR2_REVOLUTE];
    char sentence[64];
    snprintf(sentence, sizeof sentence, "type is %d, no type of joint", (int)TR2_JOINT_TYPE_COUNT);
    def.type = TR2_JOINT_TYPE_COUNT;
    reject_joint(it, &def, TR_ERROR_RANGE, sentence);
    def.type = (tr2_joint_type)-1;
    reject_joint(it, &def, TR_ERROR_RANGE, "type is -1, no type of joint");
}

static void a_joint_keeps_its_type_and_bodies(void **state)
{
    scene *it = *state;
    tr2_joint_def def = it->joint_defs[TR2_WELD];
    REJECT(tr2_joint_set(it->world, it->joint[TR2_REVOLUTE], &def), TR_ERROR_RANGE,
           "joint_set: def.type is weld, but the joint is revolute");
    def.body_a = it->ground;
    REJECT(tr2_joint_set(it->world, it->joint[TR2_WELD], &def), TR_ERROR_RANGE,
           "joint_set: def.body_a is not the joint's");
    def = it->joint_defs[TR2_WELD];
    def.body_b = it->ground;
    REJECT(tr2_joint_set(it->world, it->joint[TR2_WELD], &def), TR_ERROR_RANGE,
           "joint_set: def.body_b is not the joint's");
}

/* how each field may be wrong, as the header says it */
static bool is_switch(tr2_field field)
{
    return tr2_field_infos[field].kind == TR_KIND_BOOL;
}

static bool is_kind(tr2_field field)
{
    return tr2_field_infos[field].kind == TR_KIND_KIND;
}

static bool must_not_be_negative(tr2_field field)
{
    return tr2_field_infos[field].kind == TR_KIND_NOT_NEGATIVE;
}

static bool must_not_be_positive(tr2_field field)
{
    return tr2_field_infos[field].kind == TR_KIND_NOT_POSITIVE;
}

/* the float members of a definition that fields are; null for switches and kinds */
static float *member(tr2_joint_def *def, tr2_field field)
{
    if (is_switch(field) || is_kind(field) || tr2_field_infos[field].kind == TR_KIND_DOUBLE)
        return NULL;
    return (float *)(void *)((char *)def + tr2_field_infos[field].offset);
}

static void reject_number(scene *it, tr2_joint_type type, tr2_field field, float value, tr_status status,
                          const char *what)
{
    char sentence[TR_MESSAGE_SIZE / 2];
    snprintf(sentence, sizeof sentence, "%s %s", tr2_field_name(field), what);
    tr2_joint_def def = it->joint_defs[type];
    bool wide = tr2_field_infos[field].kind == TR_KIND_DOUBLE;
    if (wide)
        tr2_field_write_double(&def, field, (double)value);
    else if (member(&def, field) != NULL)
        *member(&def, field) = value;
    if (wide || member(&def, field) != NULL)
        reject_joint(it, &def, status, sentence);
    char expected[TR_MESSAGE_SIZE];
    snprintf(expected, sizeof expected, "joint_set_value: %s", sentence);
    REJECT(tr2_joint_set_value(it->world, it->joint[type], field, value), status, expected);
}

static void every_number_of_every_joint_refuses_bad_values(void **state)
{
    scene *it = *state;
    for (int t = 0; t < TR2_JOINT_TYPE_COUNT; t++) {
        for (int f = 0; f < TR2_FIELD_COUNT; f++) {
            tr2_joint_type type = (tr2_joint_type)t;
            tr2_field field = (tr2_field)f;
            char sentence[TR_MESSAGE_SIZE];
            if (!tr2_joint_type_has(type, field)) {
                snprintf(sentence, sizeof sentence, "joint_set_value: a %s joint has no %s", tr2_joint_type_name(type),
                         tr2_field_name(field));
                REJECT(tr2_joint_set_value(it->world, it->joint[type], field, 1.0f), TR_ERROR_NO_PROPERTY, sentence);
                continue;
            }
            reject_number(it, type, field, NAN, TR_ERROR_NAN, "is NaN");
            reject_number(it, type, field, INFINITY, TR_ERROR_INFINITE, "is infinite");
            reject_number(it, type, field, -INFINITY, TR_ERROR_INFINITE, "is infinite");
            if (must_not_be_negative(field))
                reject_number(it, type, field, -2.0f, TR_ERROR_NEGATIVE, "is -2, must not be negative");
            if (must_not_be_positive(field))
                reject_number(it, type, field, 2.0f, TR_ERROR_RANGE, "is 2, must not be positive");
            if (tr2_field_infos[field].kind == TR_KIND_NOT_ZERO)
                reject_number(it, type, field, 0.0f, TR_ERROR_ZERO, "is zero");
            if (is_switch(field)) {
                reject_number(it, type, field, 0.5f, TR_ERROR_RANGE, "is 0.5, must be a whole number from 0 to 1");
                reject_number(it, type, field, 2.0f, TR_ERROR_RANGE, "is 2, must be a whole number from 0 to 1");
            }
            if (is_kind(field)) {
                reject_number(it, type, field, 4.0f, TR_ERROR_RANGE, "is 4, must be a whole number from 0 to 3");
                reject_number(it, type, field, -1.0f, TR_ERROR_RANGE, "is -1, must be a whole number from 0 to 3");
            }
        }
        char sentence[64];
        snprintf(sentence, sizeof sentence, "joint_set_value: field is %d, no field of a joint", (int)TR2_FIELD_COUNT);
        REJECT(tr2_joint_set_value(it->world, it->joint[t], TR2_FIELD_COUNT, 0.0f), TR_ERROR_RANGE, sentence);
        REJECT(tr2_joint_set_value(it->world, it->joint[t], (tr2_field)-1, 0.0f), TR_ERROR_RANGE,
               "joint_set_value: field is -1, no field of a joint");
    }
}

static void kinds_of_softness_outside_the_enumeration_are_refused(void **state)
{
    scene *it = *state;
    tr2_joint_def def = it->joint_defs[TR2_PRISMATIC];
    def.linear.kind = (tr_softness_kind)4;
    reject_joint(it, &def, TR_ERROR_RANGE, "linear.kind is 4, no kind of softness");
    def = it->joint_defs[TR2_PRISMATIC];
    def.linear = tr_raw(0.1f, 1.5f);
    reject_joint(it, &def, TR_ERROR_RANGE, "linear.b is 1.5, a bias factor must not be above 1");
    def.linear = tr_rigid();
    def.angular.kind = (tr_softness_kind)-1;
    reject_joint(it, &def, TR_ERROR_RANGE, "angular.kind is -1, no kind of softness");
    def = it->joint_defs[TR2_PRISMATIC];
    def.spring.softness.kind = (tr_softness_kind)9;
    reject_joint(it, &def, TR_ERROR_RANGE, "spring.softness.kind is 9, no kind of softness");
    def = it->joint_defs[TR2_MOTOR];
    def.drive.softness.kind = (tr_softness_kind)4;
    reject_joint(it, &def, TR_ERROR_RANGE, "drive.softness.kind is 4, no kind of softness");
}

static void groups_that_a_type_does_not_have_must_stay_at_their_defaults(void **state)
{
    scene *it = *state;
    for (int t = 0; t < TR2_JOINT_TYPE_COUNT; t++) {
        for (int f = 0; f < TR2_FIELD_COUNT; f++) {
            tr2_joint_def def = it->joint_defs[t];
            tr2_field field = (tr2_field)f;
            if (tr2_joint_type_has((tr2_joint_type)t, field) || member(&def, field) == NULL)
                continue;
            char sentence[TR_MESSAGE_SIZE / 2];
            /* who misses a spring is told what the type has in its place */
            const char *spring =
                strncmp(tr2_field_name(field), "spring", 6) == 0 ? tr2_joint_types[t]->spring_is : NULL;
            snprintf(sentence, sizeof sentence, "%s is set, but a %s joint does not have it%s%s", tr2_field_name(field),
                     tr2_joint_type_name((tr2_joint_type)t), spring != NULL ? ": its spring is " : "",
                     spring != NULL ? spring : "");
            *member(&def, field) = 2.0f;
            reject_joint(it, &def, TR_ERROR_NO_PROPERTY, sentence);
            *member(&def, field) = NAN;
            reject_joint(it, &def, TR_ERROR_NO_PROPERTY, sentence);
        }
    }
    tr2_joint_def def = it->joint_defs[TR2_WELD];
    def.motor.enable = true;
    reject_joint(it, &def, TR_ERROR_NO_PROPERTY, "motor.enable is set, but a weld joint does not have it");
    def = it->joint_defs[TR2_MOTOR];
    def.linear.kind = TR_FREQUENCY;
    reject_joint(it, &def, TR_ERROR_NO_PROPERTY, "linear.kind is set, but a motor joint does not have it");
    /* minus zero is zero */
    def = it->joint_defs[TR2_MOTOR];
    def.reference_angle = -0.0f;
    assert_ok(it->world, tr2_joint_set(it->world, it->joint[TR2_MOTOR], &def));
}

static void numbers_that_do_not_go_together_are_refused(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    tr2_joint_def def = it->joint_defs[TR2_PRISMATIC];
    def.axis = no_vec2;
    reject_joint(it, &def, TR_ERROR_ZERO, "axis has no length");
    def = it->joint_defs[TR2_WHEEL];
    def.axis = no_vec2;
    reject_joint(it, &def, TR_ERROR_ZERO, "axis has no length");
    def = it->joint_defs[TR2_DISTANCE];
    def.limit.lower = 2.0f;
    def.limit.upper = 1.5f;
    def.limit.enable = false;
    reject_joint(it, &def, TR_ERROR_RANGE, "limit.lower is 2, above limit.upper, 1.5");
    def.limit = (tr_limit){true, -2.0f, -1.0f};
    reject_joint(it, &def, TR_ERROR_NEGATIVE, "limit.upper is -1, a length must not be negative");
    REJECT(tr2_joint_set_value(w, it->joint[TR2_REVOLUTE], TR2_LIMIT_LOWER, 1.0f), TR_ERROR_RANGE,
           "joint_set_value: limit.lower is 1, above limit.upper, 0.75");

    def = it->joint_defs[TR2_ANGLE];
    def.ratio = -1.5f;
    reject_joint(it, &def, TR_ERROR_RANGE, "ratio is -1.5, must be positive with equal_torque");
    REJECT(tr2_joint_set_value(w, it->joint[TR2_ANGLE], TR2_RATIO, -2.0f), TR_ERROR_RANGE,
           "joint_set_value: ratio is -2, must be positive with equal_torque");

    /* finite, but not from the centre of mass; and an angle that takes more turns than can be counted */
    tr2_body_def wide = tr2_body_def_default();
    wide.center.x = -3e38f;
    wide.user_data = 1;
    tr2_body id;
    assert_ok(w, tr2_world_create_body(w, &wide, &id));
    def = tr2_joint_def_default(TR2_WELD);
    def.body_a = it->a;
    def.body_b = id;
    def.anchor_b.x = 3e38f;
    assert_int_equal(tr2_world_create_joint(w, &def, NULL), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(w)->message,
                        "create_joint: def.anchor_b from body_b's center would not be finite");
    assert_ok(w, tr2_world_destroy_body(w, id));
    /* numbers just outside of their range are told from its end */
    def = it->joint_defs[TR2_REVOLUTE];
    def.limit = (tr_limit){true, nextafterf(1.0f, 2.0f), 1.0f};
    REJECT(tr2_world_create_joint(w, &def, NULL), TR_ERROR_RANGE,
           "create_joint: def.limit.lower is 1.00000012, above limit.upper, 1");
}

/* the same bad number in a definition, and by the call that sets its group alone */
static void reject_threshold(scene *it, float value, tr_status status, const char *what)
{
    static const char *const names[5] = {"event_at.force", "event_at.torque", "break_at.force", "break_at.torque",
                                         "break_at.impulse"};
    for (int t = 0; t < TR2_JOINT_TYPE_COUNT; t++) {
        for (int i = 0; i < 5; i++) {
            tr2_joint_def def = it->joint_defs[t];
            float *const members[5] = {&def.event_at.force, &def.event_at.torque, &def.break_at.force,
                                       &def.break_at.torque, &def.break_at.impulse};
            *members[i] = value;
            char sentence[TR_MESSAGE_SIZE / 2], expected[TR_MESSAGE_SIZE];
            snprintf(sentence, sizeof sentence, "%s %s", names[i], what);
            reject_joint(it, &def, status, sentence);
            snprintf(expected, sizeof expected, "joint_set_%s_at: %s", i < 2 ? "event" : "break", sentence);
            if (i < 2)
                REJECT(tr2_joint_set_event_at(it->world, it->joint[t], def.event_at), status, expected);
            else
                REJECT(tr2_joint_set_break_at(it->world, it->joint[t], def.break_at), status, expected);
        }
    }
}

static void thresholds_refuse_bad_values(void **state)
{
    reject_threshold(*state, NAN, TR_ERROR_NAN, "is NaN");
    reject_threshold(*state, INFINITY, TR_ERROR_INFINITE, "is infinite");
    reject_threshold(*state, -INFINITY, TR_ERROR_INFINITE, "is infinite");
    reject_threshold(*state, -2.0f, TR_ERROR_NEGATIVE, "is -2, must not be negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(joints_refuse_bad_bodies),
        CASE(a_joint_keeps_its_type_and_bodies),
        CASE(every_number_of_every_joint_refuses_bad_values),
        CASE(kinds_of_softness_outside_the_enumeration_are_refused),
        CASE(groups_that_a_type_does_not_have_must_stay_at_their_defaults),
        CASE(numbers_that_do_not_go_together_are_refused),
        CASE(thresholds_refuse_bad_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
