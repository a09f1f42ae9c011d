/* What pictures of space are made of: the camera, solids as flat pieces, their order, and what does not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(TR_PROGRAM)

#include "cli/space/solids.h"
#include "space.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/*
 * The camera
 */
static void camera_axes_are_orthonormal_and_right_handed(void **state)
{
    (void)state;
    static const tr_vec3 gravities[] = {{0.0f, -10.0f, 0.0f}, {0.0f, 0.0f, -10.0f}, {-10.0f, 0.0f, 0.0f},
                                        {0.0f, 0.0f, 0.0f},   {3.0f, -4.0f, 3.0f},  {0.0f, 9.81f, 0.0f}};
    for (size_t g = 0; g < sizeof gravities / sizeof gravities[0]; ++g) {
        const tr3_scene scene = {.gravity = gravities[g]};
        for (int yaw = -360; yaw <= 360; yaw += 45) {
            for (int pitch = -90; pitch <= 90; pitch += 15) {
                const tr3_camera c = tr3_camera_make(&scene, (const double[2]){yaw, pitch});
                assert_true(fabs(tr3_dot(c.right, c.right) - 1.0) < 1e-12);
                assert_true(fabs(tr3_dot(c.up, c.up) - 1.0) < 1e-12);
                assert_true(fabs(tr3_dot(c.right, c.up)) < 1e-12);
                const tr_dvec3 back = tr3_cross(c.right, c.up);
                assert_true(space_length(space_minus(back, c.back)) < 1e-12);
            }
        }
    }
}

/* the world's axis along which gravity pulls most is upright in the picture, and is not tilted by the yaw */
static void the_vertical_is_the_axis_of_gravity(void **state)
{
    (void)state;
    static const struct {
        tr_vec3 gravity;
        tr_dvec3 up;
    } cases[] = {{{0.0f, -10.0f, 0.0f}, {0.0, 1.0, 0.0}}, {{0.0f, 0.0f, 0.0f}, {0.0, 1.0, 0.0}},
                 {{0.0f, 0.0f, -10.0f}, {0.0, 0.0, 1.0}}, {{-1.0f, 0.5f, 0.5f}, {1.0, 0.0, 0.0}},
                 {{2.0f, 3.0f, -4.0f}, {0.0, 0.0, 1.0}},  {{0.0f, 10.0f, 0.0f}, {0.0, 1.0, 0.0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const tr3_scene scene = {.gravity = cases[i].gravity};
        for (int yaw = -180; yaw <= 180; yaw += 30) {
            const tr3_camera level = tr3_camera_make(&scene, (const double[2]){yaw, 0.0});
            assert_true(space_length(space_minus(level.up, cases[i].up)) < 1e-12);
            const tr3_camera above = tr3_camera_make(&scene, (const double[2]){yaw, 90.0});
            assert_true(space_length(space_minus(above.back, cases[i].up)) < 1e-12);
            const tr3_camera tilted = tr3_camera_make(&scene, (const double[2]){yaw, 30.0});
            assert_true(fabs(tr3_dot(tilted.right, cases[i].up)) < 1e-12);
            assert_true(fabs(tr3_dot(tilted.back, cases[i].up) - 0.5) < 1e-12);
        }
    }
    /* as in the plane; and a quarter turn to the right */
    const tr3_scene scene = {.gravity = {0.0f, -10.0f, 0.0f}};
    const tr3_camera front = tr3_camera_make(&scene, (const double[2]){0.0, 0.0});
    assert_true(space_length(space_minus(front.right, (tr_dvec3){1.0, 0.0, 0.0})) < 1e-12);
    assert_true(space_length(space_minus(front.back, (tr_dvec3){0.0, 0.0, 1.0})) < 1e-12);
    const tr3_camera side = tr3_camera_make(&scene, (const double[2]){90.0, 0.0});
    assert_true(space_length(space_minus(side.back, (tr_dvec3){1.0, 0.0, 0.0})) < 1e-12);
    const tr3_camera usual = tr3_camera_make(&scene, NULL);
    const tr3_camera same = tr3_camera_make(&scene, (const double[2]){TR3_CAMERA_YAW, TR3_CAMERA_PITCH});
    assert_memory_equal(&usual, &same, sizeof usual);
}

/*
 * Scenes of a few bodies in one frame
 */
#define MOST_BODIES 64
#define MOST_JOINTS 24

typedef struct stage {
    tr3_scene scene;
    tr3_scene_body bodies[MOST_BODIES];
    tr3_scene_shape shapes[MOST_BODIES];
    tr3_scene_joint joints[MOST_JOINTS];
    tr3_transform transforms[MOST_BODIES + 1];
    bool broken[MOST_JOINTS];
    snapshot frame;
    groups groups;
    view view;
    picture picture;
    palette colors;
    solids solids;
} stage;

static void stage_begin(stage *s)
{
    memset(s, 0, sizeof *s);
    s->scene =
        (tr3_scene){.gravity = {0.0f, -10.0f, 0.0f}, .bodies = s->bodies, .shapes = s->shapes, .joints = s->joints};
    s->colors.mode = COLOR_TYPE;
    s->view.camera = tr3_camera_make(&s->scene, NULL);
    s->view.reach = 0.5;
}

static uint32_t stage_body(stage *s, tr_body_type type, tr_dvec3 at, tr_quat rotation)
{
    const uint32_t body = s->scene.body_count++;
    assert_true(body < MOST_BODIES);
    s->bodies[body].def = tr3_body_def_default();
    s->bodies[body].def.type = type;
    s->bodies[body].def.position = at;
    s->transforms[body] = (tr3_transform){at, rotation};
    return body;
}

static void stage_shape(stage *s, uint32_t body, tr3_scene_shape shape)
{
    shape.body = body;
    shape.rotation = shape.type == TR3_SCENE_BOX ? shape.rotation : (tr_quat){0};
    s->shapes[s->scene.shape_count++] = shape;
}

static void stage_joint(stage *s, tr3_joint_type type, uint32_t a, uint32_t b)
{
    tr3_scene_joint *joint = &s->joints[s->scene.joint_count++];
    joint->def = tr3_joint_def_default(type);
    joint->def.anchor_a = joint->def.anchor_b = (tr_vec3){0.4f, 0.1f, 0.0f};
    joint->body_a = a;
    joint->body_b = b;
}

/* draws the frame at so many pixels per metre */
static void stage_draw(stage *s, double scale)
{
    assert_true(tr3_groups_find(&s->groups, &s->scene));
    s->frame.transforms = s->transforms;
    s->picture = (picture){.scene = &s->scene, .groups = &s->groups};
    solids_begin(&s->solids, &s->picture, &s->view, scale, &s->colors, false);
    solids_draw(&s->solids, &s->frame, (tr_dvec2){0.0, 0.0});
    assert_false(s->solids.failed);
}

static void stage_end(stage *s)
{
    solids_free(&s->solids);
    tr3_groups_free(&s->groups);
}

static const tr_quat no_turn = {0.0f, 0.0f, 0.0f, 1.0f};

static tr_quat random_turn(uint64_t *seed)
{
    const tr3_dquat q = {(double)space_random(seed), (double)space_random(seed), (double)space_random(seed),
                         (double)space_random(seed)};
    return tr3_narrow_quat(tr3_normalised(q));
}

/* twice the area inside a polygon, in square pixels */
static double area_of(const solids *s, const piece *p)
{
    double sum = 0.0;
    const tr_dvec2 *points = s->points + p->first_point;
    for (uint32_t k = 0; k < p->point_count; ++k) {
        const tr_dvec2 a = points[k], b = points[(k + 1) % p->point_count];
        sum += a.x * b.y - a.y * b.x;
    }
    return 0.5 * fabs(sum);
}

/* the mean of a piece's points, in pixels */
static tr_dvec2 middle_of(const solids *s, const piece *p)
{
    tr_dvec2 sum = {0.0, 0.0};
    for (uint32_t k = 0; k < p->point_count; ++k) {
        sum.x += s->points[p->first_point + k].x / p->point_count;
        sum.y += s->points[p->first_point + k].y / p->point_count;
    }
    return sum;
}

/* whether that is where a point of the world is in the picture */
static bool is_at(const stage *s, const piece *p, tr_dvec3 at)
{
    const tr_dvec2 place = tr3_camera_at(&s->view.camera, at), middle = middle_of(&s->solids, p);
    return hypot(middle.x - s->solids.scale * place.x, middle.y + s->solids.scale * place.y) < 1e-3;
}

/* the faces of a box that are turned to the viewer cover it once: their areas are those of its projection */
static void a_box_shows_at_most_three_faces(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const double scale = 100.0;
    for (int i = 0; i < 200; ++i) {
        stage s;
        stage_begin(&s);
        const tr_quat turn = i == 0 ? no_turn : random_turn(&seed), within = i < 2 ? no_turn : random_turn(&seed);
        if (i == 0) {
            s.view.camera = tr3_camera_make(&s.scene, (const double[2]){0.0, 0.0});
        }
        const tr_vec3 half = {0.5f, 0.3f, 0.2f};
        uint32_t body = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.1, 0.2, 0.3}, turn);
        stage_shape(&s, body, (tr3_scene_shape){.type = TR3_SCENE_BOX, .half = half, .rotation = within});
        stage_draw(&s, scale);
        const tr3_dquat q = tr3_compose(tr3_widen_quat(turn), tr3_widen_quat(within));
        const double h[3] = {(double)half.x, (double)half.y, (double)half.z};
        double expected = 0.0, found = 0.0;
        uint32_t seen = 0;
        for (int k = 0; k < 3; ++k) {
            const tr_dvec3 axis = tr3_turned(q, (tr_dvec3){k == 0, k == 1, k == 2});
            const double toward = tr3_dot(axis, s.view.camera.back);
            expected += fabs(toward) * 4.0 * h[(k + 1) % 3] * h[(k + 2) % 3];
            /* one piece is the face on that side */
            const tr_dvec3 face = tr3_plus(s.transforms[body].position, tr3_times(toward > 0.0 ? h[k] : -h[k], axis));
            for (uint32_t n = 0; n < s.solids.piece_count && fabs(toward) > 1e-6; ++n) {
                seen += is_at(&s, &s.solids.pieces[n], face);
            }
        }
        assert_int_equal(seen, s.solids.piece_count);
        assert_int_equal(s.solids.count, 1);
        assert_in_range(s.solids.piece_count, 1, 3);
        assert_true(i > 0 || s.solids.piece_count == 1);
        for (uint32_t k = 0; k < s.solids.piece_count; ++k) {
            assert_int_equal(s.solids.pieces[k].kind, PIECE_POLYGON);
            assert_int_equal(s.solids.pieces[k].point_count, 4);
            found += area_of(&s.solids, &s.solids.pieces[k]);
        }
        assert_true(fabs(found - expected * scale * scale) < 1e-3 * found);
        stage_end(&s);
    }
}

/* the outline of a cylinder is convex, and holds an area as large as a side and an end have in the picture */
static void a_cylinder_is_its_hull_and_the_end_that_is_seen(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const double scale = 100.0, radius = 0.4, length = 1.2;
    for (int i = 0; i < 200; ++i) {
        stage s;
        stage_begin(&s);
        uint32_t body = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, random_turn(&seed));
        stage_shape(&s, body,
                    (tr3_scene_shape){.type = TR3_SCENE_CYLINDER,
                                      .from = {-0.6f, 0.0f, 0.0f},
                                      .to = {0.6f, 0.0f, 0.0f},
                                      .radius = (float)radius});
        stage_draw(&s, scale);
        assert_int_equal(s.solids.piece_count, 2);
        const piece *outline = &s.solids.pieces[0], *end = &s.solids.pieces[1];
        const tr_dvec2 *corners = s.solids.points + outline->first_point, *rim = s.solids.points + end->first_point;
        /* every turn goes the same way, and the end lies inside */
        for (uint32_t k = 0; k < outline->point_count; ++k) {
            const tr_dvec2 a = corners[k], b = corners[(k + 1) % outline->point_count],
                           c = corners[(k + 2) % outline->point_count];
            assert_true((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0.0);
            for (uint32_t n = 0; n < end->point_count; ++n) {
                assert_true((b.x - a.x) * (rim[n].y - a.y) - (b.y - a.y) * (rim[n].x - a.x) > -1e-6);
            }
        }
        const tr_dvec3 axis = tr3_turned(tr3_widen_quat(s.transforms[body].rotation), (tr_dvec3){1.0, 0.0, 0.0});
        const double toward = fabs(tr3_dot(axis, s.view.camera.back));
        const double nearer = tr3_dot(axis, s.view.camera.back) > 0.0 ? 0.6 : -0.6;
        assert_true(is_at(&s, end, tr3_times(nearer, axis)));
        const double round = 3.14159265 * radius * radius * toward;
        const double side = 2.0 * radius * length * sqrt(fmax(1.0 - toward * toward, 0.0));
        /* a circle of 24 corners lacks 1.1 % of its area */
        assert_true(fabs(area_of(&s.solids, outline) / (scale * scale) - round - side) < 0.02 * (round + side));
        assert_true(fabs(area_of(&s.solids, end) / (scale * scale) - round) < 0.02 * round + 1e-9);
        stage_end(&s);
    }
}

/* a ball and a capsule look the same from all sides */
static void round_solids_keep_their_size(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int i = 0; i < 50; ++i) {
        stage s;
        stage_begin(&s);
        uint32_t ball = stage_body(&s, TR_DYNAMIC, (tr_dvec3){2.0, 0.0, 0.0}, random_turn(&seed));
        stage_shape(&s, ball,
                    (tr3_scene_shape){.type = TR3_SCENE_SPHERE, .center = {0.1f, 0.0f, 0.0f}, .radius = 0.3f});
        stage_draw(&s, 100.0);
        assert_true(s.solids.piece_count >= 3);
        assert_int_equal(s.solids.pieces[0].kind, PIECE_DISC);
        assert_true(fabs((double)s.solids.pieces[0].size - 30.0) < 1e-4);
        const tr_dvec2 middle = s.solids.points[s.solids.pieces[0].first_point];
        for (uint32_t k = 1; k < s.solids.piece_count; ++k) {
            const piece *p = &s.solids.pieces[k];
            for (uint32_t n = 0; n < p->point_count; ++n) {
                const tr_dvec2 at = s.solids.points[p->first_point + n];
                const double reach = p->kind == PIECE_DISC ? (double)p->size : 0.0;
                assert_true(hypot(at.x - middle.x, at.y - middle.y) + reach < 30.0 + 1e-3);
            }
        }
        stage_end(&s);

        stage_begin(&s);
        uint32_t limb = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, random_turn(&seed));
        stage_shape(&s, limb, (tr3_scene_shape){.type = TR3_SCENE_CAPSULE, .to = {0.0f, 0.5f, 0.0f}, .radius = 0.1f});
        stage_draw(&s, 100.0);
        assert_int_equal(s.solids.pieces[0].kind, PIECE_LINE);
        assert_int_equal(s.solids.pieces[0].point_count, 2);
        assert_true(fabs((double)s.solids.pieces[0].size - 20.0) < 1e-4);
        stage_end(&s);
    }
}

/* below a few pixels a solid is one line, as long and as wide as the solid */
static void small_solids_keep_their_length_and_width(void **state)
{
    (void)state;
    static const struct {
        tr3_scene_shape shape;
        double length, width; /* m */
    } cases[] = {
        {{.type = TR3_SCENE_BOX, .half = {1.0f, 0.1f, 0.2f}, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}}, 1.6, 0.4},
        {{.type = TR3_SCENE_BOX, .half = {0.5f, 0.5f, 0.5f}, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}}, 0.0, 1.0},
        {{.type = TR3_SCENE_SPHERE, .radius = 0.5f}, 0.0, 1.0},
        {{.type = TR3_SCENE_CAPSULE, .from = {-0.5f, 0.0f, 0.0f}, .to = {0.5f, 0.0f, 0.0f}, .radius = 0.2f}, 1.0, 0.4},
        {{.type = TR3_SCENE_CYLINDER, .from = {-0.5f, 0.0f, 0.0f}, .to = {0.5f, 0.0f, 0.0f}, .radius = 0.2f}, 0.6, 0.4},
        {{.type = TR3_SCENE_CYLINDER, .from = {-0.1f, 0.0f, 0.0f}, .to = {0.1f, 0.0f, 0.0f}, .radius = 0.5f}, 0.0, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        stage s;
        stage_begin(&s);
        s.view.camera = tr3_camera_make(&s.scene, (const double[2]){0.0, 0.0});
        stage_shape(&s, stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, no_turn), cases[i].shape);
        stage_draw(&s, 5.0);
        assert_int_equal(s.solids.piece_count, 1);
        assert_int_equal(s.solids.list[0].kind, SOLID_SMALL);
        const piece *p = &s.solids.pieces[0];
        assert_int_equal(p->kind, PIECE_LINE);
        assert_int_equal(p->point_count, 2);
        const tr_dvec2 *ends = s.solids.points + p->first_point;
        assert_true(fabs(hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y) - 5.0 * cases[i].length) < 1e-5);
        assert_true(fabs((double)p->size - 5.0 * cases[i].width) < 1e-5);
        stage_end(&s);
    }
}

static void what_is_nearer_comes_later(void **state)
{
    (void)state;
    uint64_t seed = 17;
    stage s;
    stage_begin(&s);
    for (int i = 0; i < 40; ++i) {
        const tr_dvec3 at = {3.0 * (double)space_random(&seed), 3.0 * (double)space_random(&seed),
                             3.0 * (double)space_random(&seed)};
        uint32_t body = stage_body(&s, i % 3 == 0 ? TR_STATIC : TR_DYNAMIC, at, random_turn(&seed));
        stage_shape(&s, body, (tr3_scene_shape){.type = TR3_SCENE_SPHERE, .radius = 0.2f});
    }
    /* a floor under all of them, whose middle is nearer than most */
    uint32_t floor_body = stage_body(&s, TR_STATIC, (tr_dvec3){0.0, -4.0, 0.0}, no_turn);
    stage_shape(&s, floor_body,
                (tr3_scene_shape){.type = TR3_SCENE_BOX, .half = {9.0f, 0.1f, 9.0f}, .rotation = no_turn});
    stage_draw(&s, 60.0);
    assert_int_equal(s.solids.count, 41);
    assert_int_equal(s.solids.list[0].order, 40);
    double depth = -INFINITY;
    for (uint32_t i = 1; i < s.solids.count; ++i) {
        const solid *one = &s.solids.list[i];
        const tr_dvec3 at = s.transforms[s.shapes[one->order].body].position;
        const double now = tr3_dot(s.view.camera.back, at);
        assert_true(now >= depth && fabs(now - one->depth) < 1e-9);
        depth = now;
        /* its pieces are those of its own ball */
        const tr_dvec2 place = tr3_camera_at(&s.view.camera, at);
        const tr_dvec2 drawn = s.solids.points[s.solids.pieces[one->first_piece].first_point];
        assert_true(fabs(drawn.x - 60.0 * place.x) < 1e-6 && fabs(drawn.y + 60.0 * place.y) < 1e-6);
    }
    stage_end(&s);
}

/*
 * Joints
 */
static void every_type_of_joint_leaves_a_mark(void **state)
{
    (void)state;
    static const double scales[] = {100.0, 2.0};
    for (int type = 0; type < TR3_JOINT_TYPE_COUNT; ++type) {
        for (int shaped = 0; shaped < 2; ++shaped) {
            for (int small = 0; small < 2; ++small) {
                stage s;
                stage_begin(&s);
                uint32_t a = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, no_turn);
                uint32_t b = stage_body(&s, TR_DYNAMIC, (tr_dvec3){1.0, 0.0, 0.0}, no_turn);
                for (uint32_t body = 0; body < 2 && shaped; ++body) {
                    stage_shape(&s, body, (tr3_scene_shape){.type = TR3_SCENE_SPHERE, .radius = 0.3f});
                }
                stage_joint(&s, (tr3_joint_type)type, a, b);
                stage_draw(&s, scales[small]);
                const uint32_t color = tr3_joint_look_of((tr3_joint_type)type)->color;
                uint32_t marks = 0, pieces = s.solids.piece_count;
                for (uint32_t k = 0; k < pieces; ++k) {
                    marks += s.solids.pieces[k].color == color;
                }
                assert_true(marks > 0);
                /* in front of both bodies, which are behind it by less than its reach */
                const solid *last = &s.solids.list[s.solids.count - 1];
                assert_int_equal(s.solids.pieces[last->first_piece].color, color);
                assert_int_equal(last->kind, small ? SOLID_SMALL_JOINT : SOLID_WHOLE);
                stage_end(&s);

                /* a joint that broke is gone */
                s.broken[0] = true;
                s.frame.broken = s.broken;
                stage_draw(&s, scales[small]);
                assert_true(s.solids.piece_count < pieces);
                for (uint32_t k = 0; k < s.solids.piece_count; ++k) {
                    assert_int_not_equal(s.solids.pieces[k].color, color);
                }
                stage_end(&s);
            }
        }
        for (int other = 0; other < type; ++other) {
            assert_int_not_equal(tr3_joint_look_of((tr3_joint_type)type)->color,
                                 tr3_joint_look_of((tr3_joint_type)other)->color);
        }
    }
}

/* a static body without shapes is seen where joints hold on to it, and nowhere else */
static void supports_are_where_joints_hold(void **state)
{
    (void)state;
    stage s;
    stage_begin(&s);
    uint32_t ground = stage_body(&s, TR_STATIC, (tr_dvec3){50.0, 0.0, 0.0}, no_turn);
    uint32_t body = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, no_turn);
    stage_joint(&s, TR3_JOINT_BALL, ground, body);
    s.joints[0].def.anchor_a = (tr_vec3){-49.6f, 0.1f, 0.0f};
    stage_draw(&s, 100.0);
    for (uint32_t k = 0; k < s.solids.point_count; ++k) {
        assert_true(hypot(s.solids.points[k].x, s.solids.points[k].y) < 100.0);
    }
    uint32_t pieces = s.solids.piece_count;
    stage_end(&s);
    s.scene.joint_count = 0;
    stage_draw(&s, 100.0);
    /* a cube of three faces, a dot and an arm */
    assert_true(s.solids.piece_count + 4 <= pieces);
    stage_end(&s);
}

/* the window shows the static body that carries what moves, and not one whose joint is far from it */
static void the_camera_shows_what_carries(void **state)
{
    (void)state;
    for (int far = 0; far < 2; ++far) {
        stage s;
        stage_begin(&s);
        uint32_t top = stage_body(&s, TR_STATIC, (tr_dvec3){0.0, far ? 30.0 : 1.0, 0.0}, no_turn);
        uint32_t body = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, no_turn);
        stage_joint(&s, TR3_JOINT_BALL, top, body);
        s.joints[0].def.anchor_a = (tr_vec3){0.0f, far ? -29.5f : -0.5f, 0.0f};
        s.joints[0].def.anchor_b = (tr_vec3){0.0f, 0.5f, 0.0f};
        s.frame.transforms = s.transforms;
        film f = {.count = 1, .taken = 1, .frames = &s.frame, .mode = COLOR_TYPE};
        assert_true(tr3_groups_find(&s.groups, &s.scene));
        view v;
        assert_true(tr3_view_fit(&v, &s.scene, &s.groups, &f, VIEW_FOLLOW, NULL, NULL));
        const tr_dvec2 at = tr3_camera_at(&v.camera, s.transforms[top].position);
        assert_int_equal(fabs(at.y - v.center[0].y) < 0.5 * v.height, !far);
        tr3_view_free(&v);
        tr3_groups_free(&s.groups);
    }
}

/*
 * What does not fit
 */

/* whatever the poses and sizes, all that is drawn is finite, and what is in its place is still drawn */
static void what_is_far_or_no_number_is_left_out(void **state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double places[] = {1e30, -1e300, DBL_MAX, nan, inf, -inf};
    const float sizes[] = {1.0f, 1e-38f, 1e30f, FLT_MAX};
    const tr_quat turns[] = {{0.0f, 0.0f, 0.0f, 1.0f}, {NAN, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; ++p) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * sizeof turns / sizeof turns[0]; ++i) {
            const float size = sizes[i % 4];
            const tr_quat turn = turns[i / 4];
            stage s;
            stage_begin(&s);
            uint32_t good = stage_body(&s, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, no_turn);
            stage_shape(&s, good, (tr3_scene_shape){.type = TR3_SCENE_SPHERE, .radius = 0.3f});
            const tr_dvec3 at = {places[p], 0.0, i % 2 == 0 ? places[p] : 0.0};
            uint32_t bad[TR3_JOINT_TYPE_COUNT];
            for (uint32_t k = 0; k < TR3_JOINT_TYPE_COUNT; ++k) {
                bad[k] = stage_body(&s, TR_DYNAMIC, at, turn);
                s.bodies[bad[k]].def.center.x = size;
            }
            stage_shape(&s, bad[0], (tr3_scene_shape){.type = TR3_SCENE_SPHERE, .radius = size});
            stage_shape(&s, bad[1],
                        (tr3_scene_shape){.type = TR3_SCENE_BOX, .half = {size, size, 1.0f}, .rotation = no_turn});
            stage_shape(
                &s, bad[2],
                (tr3_scene_shape){
                    .type = TR3_SCENE_CAPSULE, .from = {-size, 0.0f, 0.0f}, .to = {size, size, 0.0f}, .radius = size});
            stage_shape(
                &s, bad[3],
                (tr3_scene_shape){
                    .type = TR3_SCENE_CYLINDER, .from = {-size, 0.0f, 0.0f}, .to = {size, size, 0.0f}, .radius = size});
            for (int type = 0; type < TR3_JOINT_TYPE_COUNT; ++type) {
                stage_joint(&s, (tr3_joint_type)type, good, bad[type]);
                s.joints[type].def.anchor_b.y = -size;
            }
            for (int small = 0; small < 2; ++small) {
                stage_draw(&s, small ? 2.0 : 100.0);
                for (uint32_t k = 0; k < s.solids.point_count; ++k) {
                    assert_true(fabs(s.solids.points[k].x) < 1e6 && fabs(s.solids.points[k].y) < 1e6);
                }
                bool seen = false;
                for (uint32_t k = 0; k < s.solids.piece_count; ++k) {
                    assert_true(s.solids.pieces[k].size >= 0.0f && s.solids.pieces[k].size < 1e6f);
                    const tr_dvec2 first = s.solids.points[s.solids.pieces[k].first_point];
                    seen = seen || (fabs(first.x) < 1.0 && fabs(first.y) < 1.0);
                }
                assert_true(seen);
                for (uint32_t k = 0; k < s.solids.count; ++k) {
                    assert_true(isfinite(s.solids.list[k].depth));
                }
                stage_end(&s);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_axes_are_orthonormal_and_right_handed),
        cmocka_unit_test(the_vertical_is_the_axis_of_gravity),
        cmocka_unit_test(a_box_shows_at_most_three_faces),
        cmocka_unit_test(a_cylinder_is_its_hull_and_the_end_that_is_seen),
        cmocka_unit_test(round_solids_keep_their_size),
        cmocka_unit_test(small_solids_keep_their_length_and_width),
        cmocka_unit_test(what_is_nearer_comes_later),
        cmocka_unit_test(every_type_of_joint_leaves_a_mark),
        cmocka_unit_test(supports_are_where_joints_hold),
        cmocka_unit_test(the_camera_shows_what_carries),
        cmocka_unit_test(what_is_far_or_no_number_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* without the program there is nothing to test */
int main(void)
{
    return 0;
}

#endif
