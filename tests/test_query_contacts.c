/* Contacts of shapes that are placed in a world: against brute force, and against those that bodies get. */
#include "query_world.h"
#include "weightless.h"
#include "world/shapes/shape_check.h"

static tr2_geometry geometry_of(const tr2_shape_def *def)
{
    tr2_geometry out;
    tr2_shape_def solid = *def;
    /* on both sides */
    if (solid.kind == TR2_CHAIN_SEGMENT)
        solid.kind = TR2_SEGMENT;
    assert_int_equal(tr2_check_shape(&TR_CHECK_SILENT, 1.0f, &solid, &out), TR_OK);
    return out;
}

static tr2_transform pose(double x, double y, float angle)
{
    tr2_transform out = {{x, y}, (double)angle, 1.0f, 0.0f};
    tr2_rotation(out.angle, &out.c, &out.s);
    return out;
}

/* the same contact as every shape by itself gives, in the world */
static void assert_is_contact(const tr2_query_contact *it, const placed *shape, const tr2_manifold *want)
{
    float c = shape->frame.c, s = shape->frame.s;
    assert_int_equal(it->shape.index, shape->id.index);
    assert_int_equal(it->point_count, want->count);
    assert_true(fabsf(it->normal.x - (c * want->normal.x - s * want->normal.y)) < 1e-6f);
    assert_true(fabsf(it->normal.y - (s * want->normal.x + c * want->normal.y)) < 1e-6f);
    for (uint32_t i = 0; i < 2; i++) {
        const tr2_manifold_point *point = &want->points[i];
        bool has = i < want->count;
        assert_true(it->separation[i] == (has ? point->separation : 0.0f));
        double x = (double)c * (double)point->point.x - (double)s * (double)point->point.y;
        double y = (double)s * (double)point->point.x + (double)c * (double)point->point.y;
        assert_true(fabs(it->point[i].x - (has ? shape->frame.position.x + x : 0.0)) < 1e-9);
        assert_true(fabs(it->point[i].y - (has ? shape->frame.position.y + y : 0.0)) < 1e-9);
    }
}

static void contacts_are_those_of_brute_force(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 17;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_query_contact found[40 * RAYS];
    static uint32_t first[RAYS + 1];
    static float angle[RAYS];
    uint32_t met = 0, gaps = 0;
    fill(world, &seed, bodies, 0.0);
    for (uint32_t round = 0; round < 10; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_shape_def def = weightless(tr2_shape_def_default((tr2_shape_kind)(round % TR2_SHAPE_KIND_COUNT)));
        tr2_geometry laid = geometry_of(&def);
        tr2_query query = draw_query(&seed);
        float margin = round % 3 == 0 ? 0.0f : (float)draw(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        for (uint32_t i = 0; i < RAYS; i++)
            angle[i] = 6.0f * (float)draw(&seed);
        tr2_poses poses = {RAYS, it.x, it.y, round == 3 ? NULL : angle};
        assert_int_equal(tr2_world_collide_shapes(world, &def, &poses, margin, &query, found, 40 * RAYS, first, NULL),
                         TR_OK);
        for (uint32_t i = 0; i < RAYS; i++) {
            tr2_transform at = pose(it.x[i], it.y[i], round == 3 ? 0.0f : angle[i]);
            uint32_t next = first[i];
            for (uint32_t h = first[i]; h < first[i + 1]; h++)
                assert_true(found[h].index == i && (h == first[i] || found[h - 1].shape.index < found[h].shape.index));
            for (uint32_t k = 0; k < count; k++) {
                tr2_pose pose = tr2_pose_between(&shapes[k].frame, &at);
                tr2_manifold want = tr2_collide_solid(shapes[k].geometry, pose, &laid, margin, 1.0f);
                if (!shapes[k].wanted || want.count == 0)
                    continue;
                uint32_t h = first[i];
                while (h < first[i + 1] && found[h].shape.index != shapes[k].id.index)
                    h++;
                assert_true(h < first[i + 1]);
                assert_is_contact(&found[h], &shapes[k], &want);
                gaps += found[h].separation[0] > 0.0f;
                next++;
            }
            assert_int_equal(next, first[i + 1]);
        }
        met += first[RAYS];
    }
    assert_true(met > 10000 && gaps > 3000);
}

/* as the first step finds them for a body that does not move, with the margin of slow bodies */
static void contacts_are_those_of_a_body(void **state)
{
    tr2_world *world = world_of(state);
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    uint64_t seed = 19;
    for (uint32_t i = 0; i < 300; i++) {
        tr2_shape_def def = weightless(tr2_shape_def_default((tr2_shape_kind)(i % TR2_SHAPE_KIND_COUNT)));
        def.body = make_turned(world, TR_STATIC, 4.0 * (i % 20), 4.0 * (double)(i / 20), 6.0 * draw(&seed));
        add(world, def);
    }
    uint32_t met = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(draw(&seed) * TR2_CHAIN_SEGMENT));
        if (draw(&seed) < 0.5)
            def = weightless(tr2_shape_def_default(TR2_POLYGON));
        double x = 76.0 * draw(&seed), y = 56.0 * draw(&seed);
        float angle = 6.0f * (float)draw(&seed);
        tr2_query_contact found[8];
        uint32_t first[2], count;
        tr2_poses poses = {1, &x, &y, &angle};
        assert_int_equal(tr2_world_collide_shapes(world, &def, &poses, 0.02f, NULL, found, 8, first, NULL), TR_OK);
        def.body = make_turned(world, TR_DYNAMIC, x, y, (double)angle);
        add(world, def);
        assert_ok(world, tr2_world_step(world, 1e-9, 1));
        tr2_shape_contact contacts[8];
        assert_ok(world, tr2_body_contacts(world, def.body, contacts, 8, &count));
        assert_int_equal(count, first[1]);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t h = 0;
            while (h < first[1] && found[h].shape.index != contacts[k].shape_a.index)
                h++;
            assert_true(h < first[1]);
            assert_int_equal(found[h].point_count, contacts[k].point_count);
            assert_true(fabsf(found[h].normal.x - contacts[k].normal.x) < 1e-5f);
            assert_true(fabsf(found[h].normal.y - contacts[k].normal.y) < 1e-5f);
            for (uint32_t p = 0; p < contacts[k].point_count; p++) {
                assert_true(fabsf(found[h].separation[p] - contacts[k].separation[p]) < 1e-5f);
                assert_true(fabs(found[h].point[p].x - contacts[k].point[p].x) < 1e-5);
                assert_true(fabs(found[h].point[p].y - contacts[k].point[p].y) < 1e-5);
            }
            met++;
        }
        assert_ok(world, tr2_world_destroy_body(world, def.body));
    }
    assert_true(met > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(contacts_are_those_of_brute_force),
        TEST(contacts_are_those_of_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
