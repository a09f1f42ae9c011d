/* Destroying joints and bodies in space takes time in proportion to what is destroyed: destroy_cost.h. */
#define TR_DIMENSION 3
#define JOINT_TYPE   TR3_JOINT_BALL

#include "destroy_cost.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_go_in_linear_time),
        cmocka_unit_test(the_first_step_takes_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
