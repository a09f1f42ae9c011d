/* The choice of instruction set: names, what can be had, forcing one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solver/core/kernels.h"
#include "trammel/trammel.h"

/* the environment is read when the choice is first asked for, which is here */
static void the_environment_chooses_first(void **state)
{
    (void)state;
    assert_int_equal(setenv("TRAMMEL_ISA", "scalar", 1), 0);
    assert_int_equal(tr_get_isa(), TR_ISA_SCALAR);
    /* later changes of it are not looked at */
    assert_int_equal(setenv("TRAMMEL_ISA", "sse2", 1), 0);
    assert_int_equal(tr_get_isa(), TR_ISA_SCALAR);
}

static void each_set_has_a_name_a_width_and_kernels(void **state)
{
    (void)state;
    for (int i = 0; i < TR_ISA_COUNT; i++) {
        tr_isa isa = (tr_isa)i, found = TR_ISA_COUNT;
        assert_true(tr_isa_from_name(tr_isa_name(isa), &found));
        assert_int_equal(found, isa);
        uint32_t width = tr_isa_width(isa);
        assert_true(width == 1 || width == 4 || width == 8 || width == 16);
        if (tr_isa_available(isa))
            assert_non_null(tr2_kernels_of(isa));
    }
    tr_isa found = TR_ISA_COUNT;
    assert_false(tr_isa_from_name("sse9", &found));
    assert_false(tr_isa_from_name(NULL, &found));
    assert_int_equal(found, TR_ISA_COUNT);
    assert_string_equal(tr_isa_name((tr_isa)99), "unknown");
    assert_int_equal(tr_isa_width((tr_isa)99), 0);
}

static void a_set_is_forced_or_refused(void **state)
{
    (void)state;
    assert_true(tr_isa_available(TR_ISA_SCALAR));
    assert_int_equal(tr_set_isa((tr_isa)99), TR_ERROR_RANGE);
    for (int i = 0; i < TR_ISA_COUNT; i++) {
        tr_isa before = tr_get_isa(), isa = (tr_isa)i;
        if (tr_isa_available(isa)) {
            assert_int_equal(tr_set_isa(isa), TR_OK);
            assert_int_equal(tr_get_isa(), isa);
        } else {
            assert_int_equal(tr_set_isa(isa), TR_ERROR_UNSUPPORTED);
            assert_int_equal(tr_get_isa(), before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_chooses_first),
        cmocka_unit_test(each_set_has_a_name_a_width_and_kernels),
        cmocka_unit_test(a_set_is_forced_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
