/* Destroying joints, bodies and shapes takes time in proportion to what is destroyed: destroy_cost.h. */
#define JOINT_TYPE TR2_JOINT_REVOLUTE

#include "destroy_cost.h"

typedef struct shapes_case {
    const char *name;
    tr_body_type type;
} shapes_case;

/* shapes of one body */
static double time_shapes(const void *of, destroy_order order, uint32_t count)
{
    const shapes_case *it = of;
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *world = NULL;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body_def body_def = tr2_body_def_default();
    tr2_shape_def *defs = calloc(count, sizeof *defs);
    tr2_shape *shapes = calloc(count, sizeof *shapes);
    uint32_t *next = order_of(order, count);
    tr2_body body;
    assert_true(defs != NULL && shapes != NULL);
    body_def.type = it->type;
    assert_int_equal(tr2_world_create_body(world, &body_def, &body), TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = tr2_circle_on(body, (tr_vec2){0.1f * (float)i, 0.0f}, 0.04f);
        defs[i].density = 1.0f;
    }
    assert_int_equal(tr2_world_create_shapes(world, defs, count, shapes), TR_OK);
    assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 1), TR_OK);
    clock_t begin = clock();
    if (order == AT_ONCE)
        assert_int_equal(tr2_world_destroy_shapes(world, shapes, count), TR_OK);
    for (uint32_t i = 0; i < count && order != AT_ONCE; i++)
        assert_int_equal(tr2_world_destroy_shape(world, shapes[next[i]]), TR_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    tr2_world_destroy(world);
    free(defs);
    free(shapes);
    free(next);
    return seconds;
}

static void shapes_go_in_linear_time(void **state)
{
    (void)state;
    static const shapes_case cases[] = {
        {"shapes of a static body", TR_STATIC},
    };
    if (TR_ADDRESS_SANITIZER || TR_THREAD_SANITIZER)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_linear(cases[i].name, time_shapes, &cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_go_in_linear_time),
        cmocka_unit_test(the_first_step_takes_linear_time),
        cmocka_unit_test(shapes_go_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
