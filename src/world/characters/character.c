/* Characters: definitions, checks, and a move as a whole. */
#include "trammel/character2.h"

#include <string.h>

#include "base/arithmetic.h"
#include "solver/core/system.h"
#include "world/characters/character.h"
#include "world/queries/query.h"
#include "world/shapes/shape_check.h"

#define SLOPE_MOST 1.5f /* rad */

tr2_character_def tr2_character_def_default(void)
{
    tr2_character_def def;
    memset(&def, 0, sizeof def);
    def.radius = 0.3f;
    def.height = 1.8f;
    def.up.y = 1.0f;
    def.max_slope = 0.873f;
    def.step_up = 0.35f;
    def.step_down = 0.35f;
    def.skin = 0.01f;
    def.mass = 80.0f;
    def.max_force = 500.0f;
    def.query = tr2_query_default();
    return def;
}

/* in double: a direction of any length that floats have */
static tr_dvec2 direction_of(tr_vec2 v)
{
    tr_dvec2 wide = tr_widen(v);
    return tr_dscale(1.0 / tr_dlength(wide), wide);
}

static tr2_shape_def shape_with(const tr2_character_def *def, double guard)
{
    tr_dvec2 up = direction_of(def->up);
    float radius = (float)((double)def->radius + guard);
    tr_vec2 low = tr_narrow(tr_dscale((double)def->radius, up));
    tr_vec2 high = tr_narrow(tr_dscale((double)def->height - (double)def->radius, up));
    tr2_body none = {0, 0, 0};
    /* a core that floats cannot tell from a point */
    if (!(def->height > 2.000001f * def->radius))
        return tr2_circle_on(none, low, radius);
    return tr2_capsule_on(none, low, high, radius);
}

tr2_shape_def tr2_character_shape(const tr2_character_def *def)
{
    return shape_with(def, 0.0);
}

static tr_status check_def(const tr2_check *check, const tr2_world *world, const tr2_character_def *def)
{
    tr_status status = tr2_check_positive(check, "def.radius", (double)def->radius);
    if (status == TR_OK)
        status = tr2_check_positive(check, "def.height", (double)def->height);
    if (status == TR_OK && def->height < 2.0f * def->radius)
        status = tr2_check_fail(check, TR_ERROR_RANGE, "def.height", "is %g m, less than twice the radius",
                                (double)def->height);
    if (status == TR_OK)
        status = tr2_check_vec(check, "def.up", def->up);
    if (status == TR_OK && def->up.x == 0.0f && def->up.y == 0.0f)
        status = tr2_check_fail(check, TR_ERROR_ZERO, "def.up", "is (0, 0)");
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "def.max_slope", (double)def->max_slope);
    if (status == TR_OK && def->max_slope > SLOPE_MOST)
        status = tr2_check_fail(check, TR_ERROR_RANGE, "def.max_slope", "is %g rad, must be 0 to %g",
                                (double)def->max_slope, (double)SLOPE_MOST);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "def.step_up", (double)def->step_up);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "def.step_down", (double)def->step_down);
    if (status == TR_OK)
        status = tr2_check_positive(check, "def.skin", (double)def->skin);
    if (status == TR_OK && !(def->skin < def->radius))
        status = tr2_check_fail(check, TR_ERROR_RANGE, "def.skin", "is %g m, must be less than the radius",
                                (double)def->skin);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "def.mass", (double)def->mass);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "def.max_force", (double)def->max_force);
    if (status == TR_OK && def->body.index != 0)
        status = tr2_check_body(check, "def.body", world, def->body);
    return status;
}

static tr_status check_move(const tr2_check *check, const tr2_world *world, const tr2_character *character,
                            tr_vec2 velocity, float dt)
{
    tr_status status = check_def(check, world, &character->def);
    tr2_geometry geometry;
    tr2_shape_def shape;
    if (status == TR_OK) {
        shape = shape_with(&character->def, (double)character->def.skin);
        status = tr2_check_shape(check, world->settings.length_unit, &shape, &geometry);
    }
    if (status == TR_OK)
        status = tr2_check_dvec(check, "position", character->position);
    if (status == TR_OK)
        status = tr2_check_dvec(check, "ground_anchor", character->ground_anchor);
    if (status == TR_OK)
        status = tr2_check_dvec(check, "ground_point", character->ground_point);
    if (status == TR_OK)
        status = tr2_check_vec(check, "velocity", velocity);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "dt", (double)dt);
    if (status == TR_OK)
        status = tr2_check_result(check, "the way along x", (double)(velocity.x * dt));
    return status != TR_OK ? status : tr2_check_result(check, "the way along y", (double)(velocity.y * dt));
}

/* the ground of the last move, if it still is one */
static bool has_ground(const tr2_world *world, const tr2_character *character)
{
    return tr2_body_is_valid(world, character->ground) &&
           !tr2_body_is_disabled(world, tr2_body_row(world, character->ground));
}

static tr_dvec2 anchor_in_world(const tr2_world *world, tr2_body body, tr_dvec2 anchor)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, body);
    double c = (double)bodies->c[row], s = (double)bodies->s[row];
    tr_dvec2 origin = tr2_body_origin(bodies, row);
    return (tr_dvec2){origin.x + (c * anchor.x - s * anchor.y), origin.y + (s * anchor.x + c * anchor.y)};
}

static tr_dvec2 anchor_in_body(const tr2_world *world, tr2_body body, tr_dvec2 point)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, body);
    tr_dvec2 origin = tr2_body_origin(bodies, row);
    return tr2_unrotate(bodies->c[row], bodies->s[row], tr_dsub(point, origin));
}

/* its weight on a dynamic body */
static void press(tr2_walker *it)
{
    tr_dvec2 gravity = tr_widen(tr2_world_gravity(it->world));
    uint32_t row = tr2_body_row(it->world, it->ground.at.body);
    double mass = (double)it->def->mass;
    if (tr_ddot(gravity, it->up) < 0.0 && mass * it->dt > 0.0 && tr2_body_inverse_mass(&it->world->bodies, row) > 0.0f)
        tr2_walker_push(it, &it->ground.at, tr_dscale(mass * it->dt, gravity));
}

static void begin(tr2_walker *it, tr2_world *world, const tr2_character *character, float dt,
                  tr2_character_result *result)
{
    float c, s;
    memset(it, 0, sizeof *it);
    memset(result, 0, sizeof *result);
    it->world = world;
    it->def = &character->def;
    it->shape = tr2_character_shape(&character->def);
    it->guarded = shape_with(&character->def, TR2_WALKER_GUARD * (double)character->def.skin);
    tr2_walker_ask(it);
    it->at = character->position;
    it->up = direction_of(character->def.up);
    it->right = (tr_dvec2){it->up.y, -it->up.x};
    tr2_rotation((double)character->def.max_slope, &c, &s);
    it->steepest = (double)c;
    it->skin = (double)character->def.skin;
    it->dt = (double)dt;
    it->budget = (double)character->def.max_force * it->dt;
    it->result = result;
}

static void finish(const tr2_walker *it, tr2_character *character)
{
    tr2_character_result *result = it->result;
    const tr2_stand *ground = &it->ground;
    character->position = result->position = it->at;
    result->on_ground = it->walking;
    result->velocity = tr_narrow(it->walking ? tr_dscale(it->speed, it->right) : it->velocity);
    character->ground = (tr2_body){0, 0, 0};
    character->ground_anchor = character->ground_point = (tr_dvec2){0.0, 0.0};
    if (!it->walking)
        return;
    result->ground_normal = tr_narrow(ground->normal);
    result->ground_velocity = tr_narrow(ground->velocity);
    character->ground = result->ground = ground->at.body;
    result->ground_shape = ground->at.shape;
    character->ground_anchor = anchor_in_body(it->world, ground->at.body, ground->at.point);
    /* not the point itself: the next move compares it with what rounding makes of the anchor */
    character->ground_point = anchor_in_world(it->world, ground->at.body, character->ground_anchor);
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void move(tr2_walker *it, const tr2_character *character, tr_vec2 velocity)
{
    tr_dvec2 wish = tr_widen(velocity), way = {0.0, 0.0}, carrying = {0.0, 0.0};
    double drop = (double)it->def->step_down + 2.0 * it->skin;
    bool grounded = has_ground(it->world, character);
    if (grounded) {
        tr_dvec2 now = anchor_in_world(it->world, character->ground, character->ground_anchor);
        way = tr_dsub(now, character->ground_point);
        carrying = tr2_walker_point_velocity(it, character->ground, now);
    }
    it->velocity = tr_dalong(wish, 1.0, carrying);

    it->ignored = grounded ? character->ground : (tr2_body){0, 0, 0};
    tr2_walker_carry(it, way);
    it->ignored = (tr2_body){0, 0, 0};
    tr2_walker_recover(it);

    /* it jumps, walks, or has lost its ground */
    bool jumps = grounded && tr_ddot(wish, it->up) > TR2_WALKER_RISE;
    if (grounded && !jumps) {
        it->walking = true;
        it->speed = tr_ddot(wish, it->right);
        it->ground = (tr2_stand){.normal = it->up, .velocity = carrying};
        tr2_stand ground = tr2_walker_ground(it, drop);
        it->walking = ground.found;
        it->ground = ground;
    }
    tr2_walker_go(it, grounded ? wish : it->velocity);
    tr2_walker_settle(it, it->walking ? drop : 2.0 * it->skin);
    if (it->walking)
        press(it);
}

tr_status tr2_do_character_move(tr2_world *world, tr2_character *character, tr_vec2 velocity, float dt,
                                tr2_character_result *result)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "character_move", "");
    tr_status status = tr2_check_pointer(&check, "character", character);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "result", result);
    if (status == TR_OK)
        status = check_move(&check, world, character, velocity, dt);
    if (status != TR_OK)
        return status;
    tr2_walker it;
    tr2_character_result made;
    begin(&it, world, character, dt, &made);
    tr_arithmetic before = tr_arithmetic_plain();
    move(&it, character, velocity);
    tr_arithmetic_restore(&before);
    if (it.status != TR_OK) {
        tr2_walker_undo(&it);
        return tr2_check_fail(&check, it.status, "", "%s", it.error.message);
    }
    finish(&it, character);
    *result = made;
    return TR_OK;
}
