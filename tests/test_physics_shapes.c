/* Bodies with shapes against laws: they rest on floors, slide and stop, bounce, roll, and stand on each other. */
#include "world_fixture.h"

#define HZ 60.0

static tr2_shape add(tr2_world *world, tr2_shape_def def)
{
    tr2_shape id;
    assert_ok(world, tr2_world_create_shape(world, &def, &id));
    return id;
}

static tr2_body make(tr2_world *world, tr_body_type type, double x, double y, double angle)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.angle = angle;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

/* a floor whose surface is y = 0 */
static tr2_body make_floor(tr2_world *world, tr2_surface surface)
{
    tr2_body floor = make(world, TR_STATIC, 0.0, -1.0, 0.0);
    tr2_shape_def def = tr2_box_on(floor, 200.0f, 1.0f);
    def.surface = surface;
    add(world, def);
    return floor;
}

static tr2_body make_dense(tr2_world *world, double x, double y, tr2_shape_def def)
{
    tr2_body body = make(world, TR_DYNAMIC, x, y, 0.0);
    def.body = body;
    def.density = 1000.0f;
    add(world, def);
    return body;
}

static void run(tr2_world *world, double seconds)
{
    for (int i = 0; i < (int)(seconds * HZ + 0.5); i++)
        assert_ok(world, tr2_world_step(world, 1.0 / HZ, 4));
}

static tr2_body_def state_of(const tr2_world *world, tr2_body body)
{
    tr2_body_def def;
    assert_ok(world, tr2_body_get(world, body, &def));
    return def;
}

static const tr2_surface rough = {0.6f, 0.0f, 0.0f, 0.0f};
static const tr2_body nobody = {0, 0, 0};

/* Each kind falls from a little above and rests on a floor: by half its height above it, to the overlap that pushing
   out leaves (a few millimetres), at rest. */
static void every_kind_rests_on_every_floor(void **state)
{
    (void)state;
    tr2_shape_def kinds[4] = {tr2_circle_on(nobody, (tr_vec2){0.0f, 0.0f}, 0.5f), tr2_box_on(nobody, 0.5f, 0.5f),
                              tr2_shape_def_default(TR2_CAPSULE), tr2_box_on(nobody, 0.4f, 0.4f)};
    kinds[3].radius = 0.1f;
    for (uint32_t floor_kind = 0; floor_kind < 3; floor_kind++) {
        for (uint32_t kind = 0; kind < 4; kind++) {
            tr2_world_def world_def = tr2_world_def_default();
            tr2_world *world;
            assert_int_equal(tr2_world_create(&world_def, &world, NULL), TR_OK);
            if (floor_kind == 0) {
                make_floor(world, rough);
            } else if (floor_kind == 1) {
                add(world, tr2_segment_on(make(world, TR_STATIC, 0.0, 0.0, 0.0), (tr_vec2){-20.0f, 0.0f},
                                          (tr_vec2){20.0f, 0.0f}));
            } else {
                tr2_chain_def chain = tr2_chain_def_default();
                tr_vec2 points[5] = {{20.0f, 0.0f}, {8.0f, 0.0f}, {0.3f, 0.0f}, {-7.0f, 0.0f}, {-20.0f, 0.0f}};
                chain.points = points;
                chain.count = 5;
                chain.shape.body = make(world, TR_STATIC, 0.0, 0.0, 0.0);
                assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
            }
            tr2_body body = make_dense(world, 0.0, 0.8, kinds[kind]);
            run(world, 3.0);
            tr2_body_def now = state_of(world, body);
            if (fabs(now.position.y - 0.5) > 0.01 || fabs((double)now.velocity.y) > 1e-3)
                fail_msg("kind %u on floor %u: at %g, moving with %g", kind, floor_kind, now.position.y,
                         (double)now.velocity.y);
            tr2_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_rests_on_every_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
