/* Breaking one joint at a time in space: breaking_bridge.h. */
#define TR_DIMENSION 3
#define HINGE        TR3_JOINT_BALL

#include "breaking_bridge.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bridge_loses_one_of_a_group_or_island),
        cmocka_unit_test(ropes_go_one_after_the_other),
        cmocka_unit_test(one_goes_after_each_substep),
        cmocka_unit_test(forces_last_for_all_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
