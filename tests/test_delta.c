/* A delta and its base give back the snapshot, whatever that was; what is no delta is refused. */
#include "recorded.h"
#include "trammel/delta.h"

/* makes a delta of exactly its size, in blocks of their own; and back */
static size_t there_and_back(const unsigned char *base, size_t base_size, const unsigned char *bytes, size_t size)
{
    size_t bound = tr_delta_bound(size), used = 0, again = 0;
    unsigned char *delta = malloc(bound), *exact, *out = malloc(size + 1);
    tr_error error;
    assert_int_equal(tr_delta_make(base, base_size, bytes, size, delta, bound, &used, &error), TR_OK);
    assert_true(used <= bound);
    assert_int_equal(tr_delta_make(base, base_size, bytes, size, delta, used, &again, &error), TR_OK);
    assert_int_equal(used, again);
    assert_int_equal(
        tr_delta_make(base, base_size, bytes, size, out, used - 1 < size ? used - 1 : size, &again, &error),
        TR_ERROR_RANGE);
    exact = malloc(used);
    memcpy(exact, delta, used);
    assert_int_equal(tr_delta_target_size(exact, used), size);
    assert_int_equal(tr_delta_apply(base, base_size, exact, used, out, size, &again, &error), TR_OK);
    assert_int_equal(again, size);
    assert_memory_equal(out, bytes, size);
    free(delta);
    free(exact);
    free(out);
    return used;
}

static void bytes_come_back(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (uint32_t i = 0; i < TRIALS(3000); i++) {
        size_t base_size = 64 + random_index(&random, 2000), size = 1 + random_index(&random, 2000);
        unsigned char *base = malloc(base_size), *bytes = malloc(size);
        for (size_t k = 0; k < base_size; k++)
            base[k] = (unsigned char)random_index(&random, 256);
        for (size_t k = 0; k < size; k++)
            bytes[k] = k < base_size ? base[k] : 0;
        for (uint32_t changes = random_index(&random, 30); changes > 0; changes--)
            bytes[random_index(&random, (uint32_t)size)] ^= 1;
        if (size > 32)
            there_and_back(base, base_size, bytes, size);
        free(base);
        free(bytes);
    }
}

/* a ring of deltas: back to each, on with the same bits */
static void a_world_goes_back_by_deltas(void **state)
{
    (void)state;
    tr2_world *world = walk_world("grid", 12);
    walk_state base, frames[8];
    uint64_t hashes[8];
    for (uint32_t i = 0; i < 20; i++)
        walk_step(world, i, 0, NULL);
    base = walk_save(world);
    for (uint32_t i = 0; i < 8; i++) {
        walk_state whole = walk_save(world);
        frames[i] = (walk_state){malloc(tr_delta_bound(whole.size)), 0};
        assert_int_equal(tr_delta_make(base.bytes, base.size, whole.bytes, whole.size, frames[i].bytes,
                                       tr_delta_bound(whole.size), &frames[i].size, NULL),
                         TR_OK);
        /* nothing differs, or what moves */
        assert_true(i == 0 ? frames[i].size < 64 : frames[i].size < whole.size / 2);
        free(whole.bytes);
        hashes[i] = walk_step(world, 20 + i, 0, NULL);
    }
    for (uint32_t i = 8; i-- > 0;) {
        size_t size = tr_delta_target_size(frames[i].bytes, frames[i].size);
        unsigned char *whole = malloc(size);
        assert_int_equal(
            tr_delta_apply(base.bytes, base.size, frames[i].bytes, frames[i].size, whole, size, &size, NULL), TR_OK);
        walk_ok(world, tr2_world_restore(world, whole, size));
        assert_true(walk_step(world, 20 + i, 0, NULL) == hashes[i]);
        free(whole);
        free(frames[i].bytes);
    }
    free(base.bytes);
    tr2_world_destroy(world);
}

static void damage_is_refused(void **state)
{
    (void)state;
    tr2_world *world = walk_world("chains", 1), *other = walk_world("chains", 1);
    walk_state base = walk_save(world), whole;
    for (uint32_t i = 0; i < 5; i++)
        walk_step(world, i, 2, NULL);
    whole = walk_save(world);
    size_t bound = tr_delta_bound(whole.size), used = 0, size = 0;
    unsigned char *delta = malloc(bound), *out = malloc(1u << 20);
    tr_error error;
    assert_int_equal(tr_delta_make(base.bytes, base.size, whole.bytes, whole.size, delta, bound, &used, &error), TR_OK);
    uint32_t taken = 0;
    for (size_t at = 0; at < used; at++) {
        delta[at] ^= (unsigned char)(1u << at % 8);
        tr_status status = tr_delta_apply(base.bytes, base.size, delta, used, out, 1u << 20, &size, &error);
        assert_true(status == TR_ERROR_PARSE || status == TR_ERROR_RANGE || status == TR_OK);
        /* of what the delta cannot know, the snapshot does */
        const tr_status restored = status == TR_OK ? tr2_world_restore(other, out, size) : TR_ERROR_PARSE;
        assert_true(restored == TR_ERROR_PARSE || restored == TR_ERROR_UNSUPPORTED); /* the bits of its version */
        taken += status == TR_OK;
        delta[at] ^= (unsigned char)(1u << at % 8);
    }
    assert_true(taken > 0);
    for (size_t cut = 0; cut < used; cut++) {
        unsigned char *own = malloc(cut + 1);
        memcpy(own, delta, cut);
        assert_int_equal(tr_delta_apply(base.bytes, base.size, own, cut, out, 1u << 20, &size, &error), TR_ERROR_PARSE);
        free(own);
    }
    /* another base; too little room; null */
    assert_int_equal(tr_delta_apply(whole.bytes, whole.size, delta, used, out, 1u << 20, &size, &error),
                     TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "another base"));
    assert_int_equal(tr_delta_apply(base.bytes, base.size, delta, used, out, whole.size - 1, &size, &error),
                     TR_ERROR_RANGE);
    assert_int_equal(tr_delta_make(base.bytes, 63, whole.bytes, whole.size, delta, bound, &used, &error),
                     TR_ERROR_RANGE);
    assert_int_equal(tr_delta_make(NULL, 64, whole.bytes, whole.size, delta, bound, &used, &error), TR_ERROR_NULL);
    assert_int_equal(tr_delta_apply(base.bytes, base.size, NULL, 64, out, 1u << 20, &size, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_delta_target_size(whole.bytes, whole.size), 0);
    free(delta);
    free(out);
    free(base.bytes);
    free(whole.bytes);
    tr2_world_destroy(world);
    tr2_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_back),
        cmocka_unit_test(a_world_goes_back_by_deltas),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
