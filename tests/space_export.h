/* Robots that are written and read again, for tests: what must be the same. */
#ifndef TR_TESTS_SPACE_EXPORT_H
#define TR_TESTS_SPACE_EXPORT_H

#include "instrumented.h"
#include "scene/core/storage.h"
#include "solver/space/definitions.h"
#include "space_model.h"

/* bodies for scenes and models */
#define BALL "<geom size='.1'/>"

#define CHAIN_BODIES                                                                                                   \
    "<worldbody><body name='a' pos='0 0 1'><joint name='x' axis='0 1 0' ref='5'/>" BALL                                \
    "<body name='b' pos='.5 0 0'><joint name='y' type='slide' axis='1 0 0' range='-.3 .3'/>" BALL                      \
    "<body name='c' pos='.5 0 0'><joint name='z' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body></body></body>"    \
    "<body name='d' pos='0 3 1'><freejoint/>" BALL "</body></worldbody>"

#define SCENE(bodies, joints)                                                                                          \
    "{\"trammel\": 1, \"dimension\": 3, \"world\": {\"gravity\": [0, 0, -9.81], \"hertz\": 240}, \"bodies\": ["        \
    "{\"type\": \"static\", \"name\": \"post\", \"position\": [0, 0, 2], \"rotation\": [0, 0.6, 0, 0.8]}, " bodies     \
    "], \"joints\": [" joints "]}"
#define BODY(name, at)                                                                                                 \
    "{\"name\": \"" name "\", \"position\": [" at "], \"inertia\": [0.1, 0.2, 0.25], \"center\": [0.1, 0, 0]}"

/*
 * Comparing
 */

/* what a scene is in a world, at the start */
typedef struct stage {
    tr3_scene *scene;
    tr3_world *world;
    tr3_body *bodies;
    tr3_joint *joints;
} stage;

static inline stage put_on(tr3_scene *scene)
{
    stage it = {.scene = scene, .world = space_world_of(scene)};
    tr_error error = {TR_OK, ""};
    it.bodies = calloc((size_t)scene->body_count + 1, sizeof *it.bodies);
    it.joints = calloc((size_t)scene->joint_count + 1, sizeof *it.joints);
    assert_true(it.bodies != NULL && it.joints != NULL);
    if (tr3_scene_build(scene, it.world, it.bodies, it.joints, &error) != TR_OK)
        fail_msg("%s", error.message);
    return it;
}

static inline void take_off(stage *it)
{
    tr3_world_destroy(it->world);
    tr3_scene_destroy(it->scene);
    free(it->bodies);
    free(it->joints);
}

static inline tr_dvec3 place_of(const tr3_body_def *def, tr_vec3 point)
{
    return tr3_plus(def->position, tr3_turned(tr3_normalised(tr3_widen_quat(def->rotation)), tr3_widen(point)));
}

static inline void near(const char *name, const char *what, double have, double want, double tolerance)
{
    if (!(fabs(have - want) <= tolerance))
        fail_msg("%s: %s is %.9g, not %.9g", name, what, have, want);
}

static inline void near_vec(const char *name, const char *what, tr_dvec3 have, tr_dvec3 want, double tolerance)
{
    if (!(space_length(space_minus(have, want)) <= tolerance))
        fail_msg("%s: %s is %.9g %.9g %.9g, not %.9g %.9g %.9g", name, what, have.x, have.y, have.z, want.x, want.y,
                 want.z);
}

/* the rotational inertia about a direction of the world */
static inline double moment_about(const tr3_body_def *def, tr_dvec3 n)
{
    const tr_dvec3 u = tr3_turned(tr3_conjugate(tr3_normalised(tr3_widen_quat(def->rotation))), n);
    const tr_sym3 i = def->inertia;
    return (double)i.xx * u.x * u.x + (double)i.yy * u.y * u.y + (double)i.zz * u.z * u.z +
           2.0 * ((double)i.xy * u.x * u.y + (double)i.xz * u.x * u.z + (double)i.yz * u.y * u.z);
}

static inline void same_body(const char *name, const tr3_body_def *have, const tr3_body_def *want)
{
    static const tr_dvec3 directions[6] = {{1, 0, 0},     {0, 1, 0},     {0, 0, 1},
                                           {0.6, 0.8, 0}, {0.6, 0, 0.8}, {0, 0.6, 0.8}};
    const double trace = (double)want->inertia.xx + (double)want->inertia.yy + (double)want->inertia.zz;
    assert_int_equal(have->type, want->type);
    near(name, "mass", (double)have->mass, (double)want->mass, 1e-6 * (double)want->mass);
    near_vec(name, "centre", place_of(have, have->center), place_of(want, want->center), 2e-6);
    for (int k = 0; k < 6; k++)
        near(name, "inertia", moment_about(have, directions[k]), moment_about(want, directions[k]), 2e-6 * trace);
    near(name, "gravity_scale", (double)have->gravity_scale, (double)want->gravity_scale, 1e-6);
}

static inline double value_of(const stage *it, uint32_t joint, uint32_t coordinate)
{
    tr_joint_coordinate_value value = {0.0f, 0.0f};
    SPACE_OK(tr3_joint_coordinate_of(it->world, it->joints[joint], coordinate, &value));
    return (double)value.value;
}

/* limits and springs, counted from where the joint is */
static inline void same_features(const char *name, const tr3_features *have, double have_at, const tr3_features *want,
                                 double want_at, bool mjcf)
{
    /* a slider of URDF without a limit has one that is far away */
    const bool free = have->limit.enable && have->limit.upper > 9e8f;
    assert_int_equal(have->limit.enable && !free, want->limit.enable);
    if (want->limit.enable) {
        near(name, "lower", (double)have->limit.lower - have_at, (double)want->limit.lower - want_at, 3e-6);
        near(name, "upper", (double)have->limit.upper - have_at, (double)want->limit.upper - want_at, 3e-6);
    }
    assert_int_equal(have->spring.enable, want->spring.enable);
    if (want->spring.enable) {
        near(name, "stiffness", (double)have->spring.softness.a, (double)want->spring.softness.a, 1e-6);
        near(name, "damping", (double)have->spring.softness.b, (double)want->spring.softness.b, 1e-6);
        if (want->spring.softness.a > 0.0f)
            near(name, "target", (double)have->spring.target - have_at, (double)want->spring.target - want_at, 3e-6);
        near(name, "least force", (double)have->spring_force.lower, (double)want->spring_force.lower, 1e-6);
        near(name, "greatest force", (double)have->spring_force.upper, (double)want->spring_force.upper, 1e-6);
    }
    assert_int_equal(have->motor.enable, want->motor.enable);
    /* one that is off and has no force is not written as MJCF */
    if (want->motor.maximum < 1e17f && !(mjcf && want->motor.maximum == 0.0f))
        near(name, "motor", (double)have->motor.maximum, (double)want->motor.maximum, 0.0);
    else
        assert_true(have->motor.maximum > 1e17f);
    near(name, "speed", (double)have->motor.speed, mjcf ? 0.0 : fabs((double)want->motor.speed), 0.0);
    near(name, "friction", (double)have->friction, (double)want->friction, 0.0);
}

static inline void same_joint(const char *name, const stage *read, uint32_t at, const stage *from, uint32_t j)
{
    const tr3_scene_joint *have = &read->scene->joints[at], *want = &from->scene->joints[j];
    const tr3_body_def *b = &read->scene->bodies[have->body_b].def, *of = &from->scene->bodies[want->body_b].def;
    if (have->def.type != want->def.type)
        fail_msg("%s is a %s, not a %s", name, tr3_joint_type_name(have->def.type),
                 tr3_joint_type_name(want->def.type));
    assert_int_equal(have->def.enabled, want->def.enabled);
    if (want->def.type == TR3_JOINT_GEAR) {
        near(name, "ratio", (double)have->def.ratio, (double)want->def.ratio, 1e-6 * fabs((double)want->def.ratio));
        assert_int_equal(have->def.angular.kind, want->def.angular.kind);
        near(name, "stiffness", (double)have->def.angular.a, (double)want->def.angular.a, 1e-6);
        near(name, "damping", (double)have->def.angular.b, (double)want->def.angular.b, 1e-6);
        return;
    }
    near(name, "inertance", (double)have->def.inertance, (double)want->def.inertance, 0.0);
    near_vec(name, "anchor", place_of(b, have->def.anchor_b), place_of(of, want->def.anchor_b), 3e-6);
    if (want->def.type == TR3_JOINT_BALL) {
        near(name, "cone", (double)have->def.cone_angle, (double)want->def.cone_angle, 0.0);
        near(name, "stiffness", (double)have->def.angular.a, (double)want->def.angular.a, 0.0);
        near(name, "damping", (double)have->def.angular.b, (double)want->def.angular.b, 0.0);
        near(name, "friction", (double)have->def.friction, (double)want->def.friction, 0.0);
        return;
    }
    if (want->def.type == TR3_JOINT_WELD)
        return;
    const tr3_body_def *a = &read->scene->bodies[have->body_a].def, *to = &from->scene->bodies[want->body_a].def;
    const bool mjcf = strcmp(read->scene->format, "mjcf") == 0;
    const tr_dvec3 axis = tr3_turned(tr3_widen_quat(a->rotation), tr3_widen(have->def.axis));
    const tr_dvec3 wanted = tr3_turned(tr3_widen_quat(to->rotation), tr3_widen(want->def.axis));
    near_vec(name, "axis", axis, tr3_over(wanted, space_length(wanted)), 3e-6);
    for (uint32_t k = 0; k < TR3_COORDINATES && want->def.type != TR3_JOINT_WELD; k++) {
        const tr3_features f = tr3_def_features(&have->def, k), g = tr3_def_features(&want->def, k);
        if (tr3_joint_type_has(want->def.type, tr3_field_of(TR3_FIELD_LIMIT_ENABLE, k)) && !g.locked)
            same_features(name, &f, value_of(read, at, k), &g, value_of(from, j, k), mjcf);
    }
}

/* the index of what is written for entry i: by its name, or by its number */
static inline uint32_t found_body(const tr3_scene *read, const tr3_scene *from, uint32_t i)
{
    char number[32];
    snprintf(number, sizeof number, "body %u", i);
    const char *name = from->bodies[i].name != NULL ? from->bodies[i].name : number;
    const uint32_t found = tr3_scene_find_body(read, name);
    if (found == UINT32_MAX)
        fail_msg("there is no body %s", name);
    return found;
}

static inline uint32_t find_joint(const tr3_scene *read, const tr3_scene *from, uint32_t i)
{
    char name[96];
    snprintf(name, sizeof name, "joint %u", i);
    if (from->joints[i].name != NULL)
        snprintf(name, sizeof name, "%s", from->joints[i].name);
    uint32_t found = tr3_scene_find_joint(read, name);
    /* parts of it are joined again */
    const size_t length = strlen(name);
    for (uint32_t j = 0; j < read->joint_count && found == UINT32_MAX; j++) {
        const char *other = read->joints[j].name;
        if (other != NULL && strncmp(other, name, length) == 0 && other[length] == '+')
            found = j;
    }
    return found;
}

/* the farthest that a body's centre is from where it should be, after a second, m */
static inline double run_both(stage *read, stage *from)
{
    double worst = 0.0;
    for (int step = 0; step < 240; step++) {
        SPACE_OK(tr3_world_step(read->world, 1.0 / 240.0, 4));
        SPACE_OK(tr3_world_step(from->world, 1.0 / 240.0, 4));
    }
    assert_int_equal(tr3_world_statistics(from->world).nonfinite_bodies, 0);
    for (uint32_t b = 0; b < from->scene->body_count; b++) {
        tr3_body_def have, want;
        if (from->scene->bodies[b].def.type != TR_DYNAMIC)
            continue;
        SPACE_OK(tr3_body_get(read->world, read->bodies[found_body(read->scene, from->scene, b)], &have));
        SPACE_OK(tr3_body_get(from->world, from->bodies[b], &want));
        worst = fmax(worst, space_length(space_minus(place_of(&have, have.center), place_of(&want, want.center))));
    }
    return worst;
}

/* what is lost of the world is not what is compared */
static inline void adopt_world(tr3_scene *to, const tr3_scene *from)
{
    to->gravity = from->gravity;
    to->hertz = from->hertz;
    to->substeps = from->substeps;
    to->joint_frequency = from->joint_frequency;
    to->joint_damping_ratio = from->joint_damping_ratio;
}

static inline char *export_of(const tr3_scene *scene, tr3_export_format format, char **notices)
{
    char *text = NULL;
    size_t size = 0;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_export_text(scene, format, &text, &size, notices, &error) != TR_OK)
        fail_msg("%s", error.message);
    assert_int_equal(size, strlen(text));
    return text;
}

/* joints that do nothing */
static inline bool is_idle(const tr3_scene *scene, uint32_t j)
{
    const tr3_scene_joint *joint = &scene->joints[j];
    return scene->bodies[joint->body_a].def.type != TR_DYNAMIC && scene->bodies[joint->body_b].def.type != TR_DYNAMIC;
}

/* notices about bodies, and about joints that do something, but for motors that cannot, and the speeds of motors */
static inline bool loses(const char *notices)
{
    for (const char *line = notices; *line != '\0';) {
        const char *end = strchr(line, '\n'), *idle = strstr(line, "is between bodies that do not move");
        const char *weak = strstr(line, "a motor without force is not written");
        const char *speed = strstr(line, "the speed of its motor is not written");
        if (strncmp(line, "world: ", 7) != 0 && (idle == NULL || idle > end) && (weak == NULL || weak > end) &&
            (speed == NULL || speed > end))
            return true;
        line = end + 1;
    }
    return false;
}

/* what has no name may have got one by its number */
static inline void same_name(const char *what, const char *have, const char *want)
{
    if (have != NULL && (want == NULL || strcmp(have, want) != 0))
        fail_msg("%s: \"%s\" is written as \"%s\"", what, have, want != NULL ? want : "");
}

/* Writes, reads and compares; consumes the scene. Solids are counted: some formats say no density. */
static inline void goes_and_comes(const char *what, tr3_scene *scene, tr3_export_format format)
{
    char *notices = NULL, *text = export_of(scene, format, &notices);
    const tr3_import_options options = {.weld_fixed = true};
    if (loses(notices))
        fail_msg("%s: something is lost: %s", what, notices);
    tr3_scene *back = model_with(text, options);
    /* what is written of what was read has the same bodies and joints, in the same order; last digits may differ */
    char *again = export_of(back, format, NULL);
    tr3_scene *third = model_with(again, options);
    assert_int_equal(back->body_count, third->body_count);
    assert_int_equal(back->joint_count, third->joint_count);
    for (uint32_t b = 0; b < back->body_count; b++)
        same_name(what, back->bodies[b].name, third->bodies[b].name);
    for (uint32_t j = 0; j < back->joint_count; j++) {
        same_name(what, back->joints[j].name, third->joints[j].name);
        assert_int_equal(back->joints[j].def.type, third->joints[j].def.type);
        assert_int_equal(back->joints[j].body_a, third->joints[j].body_a);
        assert_int_equal(back->joints[j].body_b, third->joints[j].body_b);
    }
    tr3_scene_destroy(third);
    /* URDF has no capsules: a cylinder and two balls */
    uint32_t shapes = scene->shape_count;
    for (uint32_t i = 0; i < scene->shape_count && format == TR3_EXPORT_URDF; i++)
        shapes += scene->shapes[i].type == TR3_SCENE_CAPSULE ? 2 : 0;
    assert_int_equal(back->shape_count, shapes);
    uint32_t idle = 0;
    for (uint32_t j = 0; j < scene->joint_count; j++)
        idle += is_idle(scene, j) ? 1 : 0;
    assert_int_equal(back->joint_count + idle, scene->joint_count);
    adopt_world(back, scene);
    stage read = put_on(back), from = put_on(scene);
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (scene->bodies[b].def.type == TR_DYNAMIC) {
            const uint32_t found = found_body(back, scene, b);
            same_body(back->bodies[found].name, &back->bodies[found].def, &scene->bodies[b].def);
        }
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        /* a mimic has no name of its own, nor has a body without joints */
        const tr3_joint_type type = scene->joints[j].def.type;
        if (is_idle(scene, j) || (type == TR3_JOINT_GEAR && format == TR3_EXPORT_URDF) ||
            (type == TR3_JOINT_WELD && format == TR3_EXPORT_MJCF && find_joint(back, scene, j) == UINT32_MAX))
            continue;
        const uint32_t found = find_joint(back, scene, j);
        if (found == UINT32_MAX)
            fail_msg("there is no joint %u", j);
        same_joint(back->joints[found].name, &read, found, &from, j);
    }
    const double apart = run_both(&read, &from);
    print_message("%-40s %s: %.2g mm apart after 1 s\n", what, format == TR3_EXPORT_URDF ? "URDF" : "MJCF",
                  1e3 * apart);
    if (!(apart < 1e-4))
        fail_msg("%s: %g m apart after 1 s", what, apart);
    take_off(&read);
    take_off(&from);
    free(text);
    free(again);
    free(notices);
}

#endif
