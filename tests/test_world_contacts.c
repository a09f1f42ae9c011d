/* The host's set of contacts: what carries over from set to set, what is refused, what a failure leaves behind. */
#include "world_errors.h"

/*
 * What carries over
 */
#define DISCS 12

typedef struct row {
    tr2_world *world;
    tr2_body ground, disc[DISCS];
    tr2_contact_def defs[DISCS];
} row;

/* discs that lie on the ground, each heavier than the one before */
static void lay_out(row *it, tr2_world *world)
{
    it->world = world;
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_STATIC;
    assert_ok(world, tr2_world_create_body(world, &def, &it->ground));
    for (int i = 0; i < DISCS; i++) {
        def = tr2_body_def_default();
        def.position = (tr_dvec2){2.0 * i, 0.5};
        def.mass = (float)(i + 1);
        assert_ok(world, tr2_world_create_body(world, &def, &it->disc[i]));
        it->defs[i] = tr2_contact_def_default();
        it->defs[i].body_a = it->ground;
        it->defs[i].body_b = it->disc[i];
        it->defs[i].point[0].x = 2.0 * i;
        it->defs[i].friction = 0.5f;
        it->defs[i].id = 100u + (uint64_t)i;
    }
}

static tr2_contact_impulse impulse_at(const tr2_world *world, uint32_t index)
{
    tr2_contact_impulse out;
    assert_ok(world, tr2_world_get_contact_impulses(world, index, 1, &out));
    return out;
}

static void impulses_go_with_id_and_bodies(void **state)
{
    row it;
    lay_out(&it, ((fixture *)*state)->world);
    tr2_world *w = it.world;
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    for (int i = 0; i < 30; i++)
        assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    tr2_contact_impulse before[DISCS];
    assert_ok(w, tr2_world_get_contact_impulses(w, 0, DISCS, before));
    for (int i = 0; i < DISCS; i++)
        assert_true(fabsf(before[i].normal[0] * 240.0f / (9.81f * (float)(i + 1)) - 1.0f) < 0.01f);

    /* in the other order, every third gone, another with a new id, another with other bodies */
    tr2_contact_def next[DISCS];
    uint32_t from[DISCS], count = 0;
    for (uint32_t i = DISCS; i-- > 0;) {
        if (i % 3 == 2)
            continue;
        from[count] = i;
        next[count] = it.defs[i];
        if (i == 4)
            next[count].id = 7;
        if (i == 6) {
            next[count].body_a = it.disc[6];
            next[count].body_b = it.ground;
            next[count].normal.y = -1.0f;
        }
        count++;
    }
    uint64_t hash = tr2_world_state_hash(w);
    assert_ok(w, tr2_world_set_contacts(w, next, count));
    assert_int_equal(tr2_world_contact_count(w), count);
    assert_int_equal(tr2_world_statistics(w).contacts, count);
    for (uint32_t i = 0; i < count; i++) {
        bool kept = from[i] != 4 && from[i] != 6;
        assert_true(impulse_at(w, i).normal[0] == (kept ? before[from[i]].normal[0] : 0.0f));
    }

    /* none, and all again: cold */
    assert_ok(w, tr2_world_set_contacts(w, NULL, 0));
    assert_int_equal(tr2_world_contact_count(w), 0);
    assert_int_equal(tr2_world_statistics(w).solved_joints, 0);
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    assert_true(impulse_at(w, 3).normal[0] == 0.0f);
    assert_true(tr2_world_state_hash(w) != hash);
}

/* what stays keeps its place: the same contacts again do not make a new layout, and mean the same step */
static void the_same_contacts_again_change_nothing(void **state)
{
    row it;
    lay_out(&it, ((fixture *)*state)->world);
    tr2_world *w = it.world;
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    for (int i = 0; i < 5; i++)
        assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    uint64_t hash = tr2_world_state_hash(w);
    test_fail_in(&((fixture *)*state)->allocator, 0);
    /* its arrays of old and new, which change places each time, are both there by now */
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            test_fail_in(&((fixture *)*state)->allocator, 1);
        assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    }
    assert_int_equal(((fixture *)*state)->allocator.calls, 0);
    test_fail_in(&((fixture *)*state)->allocator, 0);
    assert_true(tr2_world_state_hash(w) == hash);
}

static void points_keep_their_impulses_by_their_ids(void **state)
{
    tr2_world *w = ((fixture *)*state)->world;
    row it;
    lay_out(&it, w);
    tr2_contact_def box = it.defs[0];
    /* off centre: the two points carry different weights */
    box.point_count = 2;
    box.point[0].x = -0.5;
    box.point[1].x = 0.2;
    box.point_id[0] = 11;
    box.point_id[1] = 12;
    assert_ok(w, tr2_world_set_contacts(w, &box, 1));
    for (int i = 0; i < 30; i++)
        assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    tr2_contact_impulse before = impulse_at(w, 0);
    assert_true(before.normal[0] > 0.0f && before.normal[1] > 1.5f * before.normal[0]);
    assert_true(before.total[1] > 3.0f * before.normal[1]);

    /* changed places */
    tr2_contact_def other = box;
    other.point[0] = box.point[1];
    other.point[1] = box.point[0];
    other.point_id[0] = 12;
    other.point_id[1] = 11;
    assert_ok(w, tr2_world_set_contacts(w, &other, 1));
    tr2_contact_impulse after = impulse_at(w, 0);
    assert_true(after.normal[0] == before.normal[1] && after.normal[1] == before.normal[0]);
    assert_true(after.tangent[0] == before.tangent[1] && after.total[1] == before.total[0]);

    /* one lost: the one that stays is the second of before */
    other.point_count = 1;
    other.point[0] = box.point[0];
    other.point_id[0] = 11;
    assert_ok(w, tr2_world_set_contacts(w, &other, 1));
    after = impulse_at(w, 0);
    assert_true(after.normal[0] == before.normal[0] && after.normal[1] == 0.0f && after.total[1] == 0.0f);

    /* and one won, which is new */
    assert_ok(w, tr2_world_set_contacts(w, &box, 1));
    after = impulse_at(w, 0);
    assert_true(after.normal[0] == before.normal[0] && after.normal[1] == 0.0f);

    /* without ids, by place */
    box.point_id[0] = box.point_id[1] = 5;
    assert_ok(w, tr2_world_set_contacts(w, &box, 1));
    assert_true(impulse_at(w, 0).normal[0] == 0.0f);
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    before = impulse_at(w, 0);
    assert_ok(w, tr2_world_set_contacts(w, &box, 1));
    assert_true(impulse_at(w, 0).normal[1] == before.normal[1] && before.normal[1] > 0.0f);

    /* one lost and won again without ids: the old one keeps what it has, and the new one has nothing */
    box.point_count = 1;
    assert_ok(w, tr2_world_set_contacts(w, &box, 1));
    box.point_count = 2;
    assert_ok(w, tr2_world_set_contacts(w, &box, 1));
    after = impulse_at(w, 0);
    assert_true(after.normal[0] == before.normal[0] && after.normal[1] == 0.0f);
}

static void contacts_go_with_their_bodies_and_leave_their_place_empty(void **state)
{
    row it;
    lay_out(&it, ((fixture *)*state)->world);
    tr2_world *w = it.world;
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    float last = impulse_at(w, DISCS - 1).normal[0];
    tr2_body gone[2] = {it.disc[3], it.disc[7]};
    assert_ok(w, tr2_world_destroy_bodies(w, gone, 2));
    assert_int_equal(tr2_world_contact_count(w), DISCS);
    assert_int_equal(tr2_world_statistics(w).contacts, DISCS - 2);
    assert_true(impulse_at(w, 3).normal[0] == 0.0f && impulse_at(w, 7).total[0] == 0.0f);
    assert_true(impulse_at(w, DISCS - 1).normal[0] == last && last > 0.0f);
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_int_equal(tr2_world_set_contacts(w, it.defs, DISCS), TR_ERROR_STALE_ID);
    assert_string_equal(tr2_world_last_error(w)->message,
                        "set_contacts: defs[3].body_b is stale (slot 4, generation 0)");
    assert_int_equal(tr2_world_statistics(w).contacts, DISCS - 2);
    assert_ok(w, tr2_world_destroy_body(w, it.ground));
    assert_int_equal(tr2_world_statistics(w).contacts, 0);
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
}

/* contacts lie in slots of joints, but no joint's id reaches one */
static void ids_of_joints_never_name_contacts(void **state)
{
    row it;
    lay_out(&it, ((fixture *)*state)->world);
    tr2_world *w = it.world;
    tr2_joint joint = make_joint(w, TR2_JOINT_WELD, it.disc[0], it.disc[1]);
    assert_ok(w, tr2_world_destroy_joint(w, joint));
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    for (uint16_t generation = 0; generation < 3; generation++) {
        for (uint32_t index = 1; index < 20; index++) {
            tr2_joint guess = {index, 7, generation};
            assert_false(tr2_joint_is_valid(w, guess));
            assert_int_equal(tr2_world_destroy_joint(w, guess), TR_ERROR_STALE_ID);
        }
    }
    /* a joint in a slot that contacts had */
    assert_ok(w, tr2_world_set_contacts(w, NULL, 0));
    tr2_joint other = make_joint(w, TR2_JOINT_WELD, it.disc[0], it.disc[1]);
    assert_true(tr2_joint_is_valid(w, other) && !tr2_joint_is_valid(w, joint));
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    assert_int_equal(tr2_world_statistics(w).joints, 1);
    assert_true(tr2_joint_is_valid(w, other));
}

static void contacts_that_cannot_move_do_nothing(void **state)
{
    row it;
    lay_out(&it, ((fixture *)*state)->world);
    tr2_world *w = it.world;
    for (int i = 0; i < DISCS; i++)
        assert_ok(w, tr2_body_set_type(w, it.disc[i], i % 2 == 0 ? TR_STATIC : TR_KINEMATIC));
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_int_equal(tr2_world_statistics(w).solved_joints, 0);
    assert_int_equal(tr2_world_statistics(w).contacts, DISCS);
    assert_true(impulse_at(w, 5).normal[0] == 0.0f);
    assert_ok(w, tr2_body_set_type(w, it.disc[5], TR_DYNAMIC));
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_true(impulse_at(w, 5).normal[0] > 0.0f);
    assert_ok(w, tr2_body_set_type(w, it.disc[5], TR_STATIC));
    assert_true(impulse_at(w, 5).normal[0] == 0.0f);
}

static void too_stiff_contacts_are_counted(void **state)
{
    row it;
    lay_out(&it, ((fixture *)*state)->world);
    tr2_world *w = it.world;
    assert_ok(w, tr2_world_set_contacts(w, it.defs, DISCS));
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_int_equal(tr2_world_statistics(w).clamped_contacts, 0);
    /* a fifth of 240 Hz is not too much */
    tr2_contact_settings settings = tr2_contact_settings_default(1.0f);
    settings.frequency = 48.0f;
    assert_ok(w, tr2_world_set_contact_settings(w, &settings));
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_int_equal(tr2_world_statistics(w).clamped_contacts, 0);
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 2));
    assert_int_equal(tr2_world_statistics(w).clamped_contacts, DISCS);
}

/*
 * What is refused
 */
static tr2_contact_def good_contact(const scene *it)
{
    tr2_contact_def def = tr2_contact_def_default();
    def.body_a = it->ground;
    def.body_b = it->a;
    def.point_count = 2;
    return def;
}

static void reject_contact(scene *it, tr2_contact_def def, tr_status status, const char *sentence)
{
    char expected[TR_MESSAGE_SIZE];
    tr2_contact_def defs[3] = {good_contact(it), def, good_contact(it)};
    defs[0].id = 1;
    defs[2].id = 2;
    snprintf(expected, sizeof expected, "set_contacts: defs[1].%s", sentence);
    reject(it, "set_contacts", tr2_world_set_contacts(it->world, defs, 3), status, expected);
    assert_int_equal(tr2_world_contact_count(it->world), 1);
    assert_int_equal(tr2_world_statistics(it->world).contacts, 1);
}

static void bad_contacts_are_refused(void **state)
{
    scene *it = *state;
    tr2_contact_def kept = good_contact(it);
    assert_ok(it->world, tr2_world_set_contacts(it->world, &kept, 1));
    it->hash = tr2_world_state_hash(it->world);
#define BAD(member, value, status, sentence)                                                                           \
    do {                                                                                                               \
        tr2_contact_def def = good_contact(it);                                                                        \
        def.member = value;                                                                                            \
        reject_contact(it, def, status, sentence);                                                                     \
    } while (0)
    const tr2_body null = {0, 0, 0};
    BAD(body_a, null, TR_ERROR_NULL_ID, "body_a is the null id");
    BAD(body_b, null, TR_ERROR_NULL_ID, "body_b is the null id");
    BAD(body_a, it->foreign, TR_ERROR_FOREIGN_ID, "body_a " FOREIGN);
    BAD(body_b, it->dead, TR_ERROR_STALE_ID, "body_b is stale (slot 3, generation 0)");
    BAD(body_b, it->never, TR_ERROR_STALE_ID, "body_b is stale (slot 999 was never used)");
    BAD(body_b, it->ground, TR_ERROR_SELF_JOINT, "body_b is body_a (slot 0)");
    BAD(normal.x, NAN, TR_ERROR_NAN, "normal.x is NaN");
    BAD(normal.y, INFINITY, TR_ERROR_INFINITE, "normal.y is infinite");
    BAD(normal.y, 0.0f, TR_ERROR_ZERO, "normal has no length");
    BAD(normal.y, 1.001f, TR_ERROR_RANGE, "normal has length 1.001, must have 1");
    BAD(normal.x, 3e38f, TR_ERROR_RANGE, "normal has length 3e+38, must have 1");
    BAD(point_count, 0, TR_ERROR_RANGE, "point_count is 0, must be 1 or 2");
    BAD(point_count, 3, TR_ERROR_RANGE, "point_count is 3, must be 1 or 2");
    BAD(point[0].x, (double)NAN, TR_ERROR_NAN, "point[0].x is NaN");
    BAD(point[0].y, (double)-INFINITY, TR_ERROR_INFINITE, "point[0].y is infinite");
    BAD(point[1].y, (double)NAN, TR_ERROR_NAN, "point[1].y is NaN");
    BAD(point[1].x, 1e39, TR_ERROR_RANGE, "point[1] is too far from a body");
    BAD(separation[0], NAN, TR_ERROR_NAN, "separation[0] is NaN");
    BAD(separation[1], INFINITY, TR_ERROR_INFINITE, "separation[1] is infinite");
    BAD(friction, NAN, TR_ERROR_NAN, "friction is NaN");
    BAD(friction, INFINITY, TR_ERROR_INFINITE, "friction is infinite");
    BAD(friction, -0.5f, TR_ERROR_NEGATIVE, "friction is -0.5, must not be negative");
    BAD(restitution, NAN, TR_ERROR_NAN, "restitution is NaN");
    BAD(restitution, -1.0f, TR_ERROR_NEGATIVE, "restitution is -1, must not be negative");
    BAD(restitution, 15.0f, TR_ERROR_RANGE, "restitution is 15, must be 0 to 10");
    BAD(tangent_speed, -INFINITY, TR_ERROR_INFINITE, "tangent_speed is infinite");
    BAD(tangent_speed, NAN, TR_ERROR_NAN, "tangent_speed is NaN");
    BAD(rolling_resistance, NAN, TR_ERROR_NAN, "rolling_resistance is NaN");
    BAD(rolling_resistance, -1.0f, TR_ERROR_NEGATIVE, "rolling_resistance is -1, must not be negative");
    BAD(id, 1, TR_ERROR_RANGE, "id is 1, as another's between the same bodies");
#undef BAD
    REJECT(tr2_world_set_contacts(it->world, NULL, 1), TR_ERROR_NULL, "set_contacts: defs is null");
    REJECT(tr2_world_set_contacts(it->world, &kept, UINT32_MAX), TR_ERROR_LIMIT,
           "set_contacts: defs would pass 2^30 - 1 (4294967295 more)");
    assert_int_equal(tr2_world_set_contacts(NULL, &kept, 1), TR_ERROR_NULL);

    /* numbers of points that are not there are not read; a normal that is nearly one is made one */
    tr2_contact_def odd = good_contact(it);
    odd.point_count = 1;
    odd.point[1].x = (double)NAN;
    odd.separation[1] = NAN;
    odd.normal = (tr_vec2){0.60001f, 0.80001f};
    assert_ok(it->world, tr2_world_set_contacts(it->world, &odd, 1));
}

static void reading_and_settings_refuse_bad_numbers(void **state)
{
    scene *it = *state;
    tr2_contact_def kept = good_contact(it);
    assert_ok(it->world, tr2_world_set_contacts(it->world, &kept, 1));
    it->hash = tr2_world_state_hash(it->world);
    tr2_contact_impulse out[2];
    REJECT(tr2_world_get_contact_impulses(it->world, 0, 1, NULL), TR_ERROR_NULL, "get_contact_impulses: out is null");
    REJECT(tr2_world_get_contact_impulses(it->world, 0, 2, out), TR_ERROR_RANGE,
           "get_contact_impulses: first and count are 0 and 2, but there are 1 contacts");
    REJECT(tr2_world_get_contact_impulses(it->world, 1, 1, out), TR_ERROR_RANGE,
           "get_contact_impulses: first and count are 1 and 1, but there are 1 contacts");
    assert_ok(it->world, tr2_world_get_contact_impulses(it->world, 9, 0, NULL));
    assert_int_equal(tr2_world_get_contact_impulses(NULL, 0, 1, out), TR_ERROR_NULL);
    assert_int_equal(tr2_world_contact_count(NULL), 0);

#define BAD(member, value, status, sentence)                                                                           \
    do {                                                                                                               \
        tr2_contact_settings settings = tr2_contact_settings_default(1.0f);                                            \
        settings.member = value;                                                                                       \
        REJECT(tr2_world_set_contact_settings(it->world, &settings), status,                                           \
               "set_contact_settings: settings." sentence);                                                            \
    } while (0)
    BAD(frequency, NAN, TR_ERROR_NAN, "frequency is NaN");
    BAD(frequency, 0.0f, TR_ERROR_ZERO, "frequency is zero, must be positive");
    BAD(frequency, INFINITY, TR_ERROR_INFINITE, "frequency is infinite");
    BAD(damping_ratio, -1.0f, TR_ERROR_NEGATIVE, "damping_ratio is -1, must not be negative");
    BAD(push_speed, -1.0f, TR_ERROR_NEGATIVE, "push_speed is -1, must not be negative");
    BAD(push_speed, NAN, TR_ERROR_NAN, "push_speed is NaN");
    BAD(bounce_speed, -1.0f, TR_ERROR_NEGATIVE, "bounce_speed is -1, must not be negative");
    BAD(hit_speed, -1.0f, TR_ERROR_NEGATIVE, "hit_speed is -1, must not be negative");
    BAD(hit_speed, NAN, TR_ERROR_NAN, "hit_speed is NaN");
#undef BAD
    REJECT(tr2_world_set_contact_settings(it->world, NULL), TR_ERROR_NULL, "set_contact_settings: settings is null");
    assert_int_equal(tr2_world_set_contact_settings(NULL, NULL), TR_ERROR_NULL);
    assert_true(tr2_world_contact_settings(NULL).frequency == 0.0f);
    tr2_contact_settings mine = {.frequency = 20.0f, .damping_ratio = 5.0f, .restitution_mixing = TR2_MIXING_AVERAGE};
    assert_ok(it->world, tr2_world_set_contact_settings(it->world, &mine));
    tr2_contact_settings now = tr2_world_contact_settings(it->world);
    assert_memory_equal(&now, &mine, sizeof now);
}

/*
 * Memory
 */

/* a set that keeps some, drops some, adds some and changes numbers of points, with each allocation failing in turn */
static void a_set_that_finds_no_memory_changes_nothing(void **state)
{
    fixture *owner = *state;
    tr2_world *w = owner->world;
    row it;
    lay_out(&it, w);
    /* more contacts on one disc than one copy of it has room for */
    enum { MANY = 90 };
    tr2_contact_def first[DISCS], second[MANY];
    memcpy(first, it.defs, sizeof first);
    for (uint32_t i = 0; i < MANY; i++) {
        second[i] = it.defs[i % 5];
        second[i].id = 200 + i;
        second[i].point_count = 1 + i % 2;
        if (i >= 10) {
            second[i].body_a = it.disc[11];
            second[i].body_b = it.disc[i % 11];
        } else {
            second[i].id = 100 + i % 5 + 1000 * (i / 5);
        }
    }
    assert_ok(w, tr2_world_set_contacts(w, first, DISCS));
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
    assert_ok(w, tr2_world_set_contacts(w, first, DISCS));
    uint64_t hash = tr2_world_state_hash(w);
    tr_statistics before = tr2_world_statistics(w);
    uint64_t n = 1;
    for (;; n++) {
        test_fail_in(&owner->allocator, n);
        tr_status status = tr2_world_set_contacts(w, second, MANY);
        test_fail_in(&owner->allocator, 0);
        if (status == TR_OK)
            break;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_string_equal(tr2_world_last_error(w)->message, "set_contacts: no memory for 90 contacts");
        assert_true(tr2_world_state_hash(w) == hash);
        tr_statistics after = tr2_world_statistics(w);
        assert_int_equal(after.contacts, before.contacts);
        assert_int_equal(after.colors, before.colors);
        assert_int_equal(after.blocks, before.blocks);
        assert_int_equal(after.solved_joints, before.solved_joints);
        assert_int_equal(after.islands, before.islands);
        /* and the set can still be replaced by itself */
        assert_ok(w, tr2_world_set_contacts(w, first, DISCS));
        assert_true(tr2_world_state_hash(w) == hash);
    }
    assert_true(n > 15);
    assert_int_equal(tr2_world_statistics(w).contacts, MANY);
    assert_true(tr2_world_statistics(w).split_bodies > 0);
    assert_ok(w, tr2_world_step(w, 1.0 / 60.0, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(impulses_go_with_id_and_bodies),          TEST(the_same_contacts_again_change_nothing),
        TEST(points_keep_their_impulses_by_their_ids), TEST(contacts_go_with_their_bodies_and_leave_their_place_empty),
        TEST(ids_of_joints_never_name_contacts),       TEST(contacts_that_cannot_move_do_nothing),
        TEST(too_stiff_contacts_are_counted),          CASE(bad_contacts_are_refused),
        CASE(reading_and_settings_refuse_bad_numbers), TEST(a_set_that_finds_no_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
