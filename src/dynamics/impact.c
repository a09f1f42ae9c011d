/* One impact: the plane is solved as a part of space. */
#include "trammel/impact.h"

#include <math.h>

#include "base/arithmetic.h"
#include "dynamics/check.h"
#include "dynamics/row.h"

tr2_impact_def tr2_impact_def_default(void)
{
    return (tr2_impact_def){.restitution = 0.0};
}

tr3_impact_def tr3_impact_def_default(void)
{
    return (tr3_impact_def){.restitution = 0.0};
}

static tr_status check_velocity(const tr_check *check, const char *member, const tr3_velocity *velocity)
{
    tr_status status = tr_check_vec3(check, member, "linear", velocity->linear);
    if (status != TR_OK)
        return status;
    return check->plane ? tr_check_finite(check, member, "angular", velocity->angular.z)
                        : tr_check_vec3(check, member, "angular", velocity->angular);
}

static tr_status check_def(const tr_check *check, const tr3_impact_def *def)
{
    tr_status status = tr_check_body(check, "body_a", &def->body_a);
    if (status == TR_OK)
        status = tr_check_body(check, "body_b", &def->body_b);
    if (status == TR_OK)
        status = check_velocity(check, "velocity_a", &def->velocity_a);
    if (status == TR_OK)
        status = check_velocity(check, "velocity_b", &def->velocity_b);
    if (status == TR_OK)
        status = tr_check_direction(check, "normal", def->normal);
    if (status == TR_OK)
        status = tr_check_not_negative(check, "restitution", "", def->restitution);
    return status != TR_OK ? status : tr_check_not_negative(check, "bounce_speed", "", def->bounce_speed);
}

static double impulse_of(const tr3_impact_def *def, const tr_row *row, double rate)
{
    bool acts = def->bilateral ? rate != 0.0 : rate < 0.0;
    if (!acts || row->held)
        return 0.0;
    double restitution = fabs(rate) > def->bounce_speed ? def->restitution : 0.0;
    return -(1.0 + restitution) * rate / row->k;
}

static tr3_velocity pushed(const tr3_velocity *velocity, double impulse, const tr_push *push)
{
    return (tr3_velocity){tr_row_add(velocity->linear, impulse, push->move),
                          tr_row_add(velocity->angular, impulse, push->turn)};
}

static tr_status impact(const tr_check *check, const tr3_impact_def *def, tr3_impact_result *out)
{
    tr_status status = check_def(check, def);
    if (status != TR_OK)
        return status;

    tr_row row = tr_row_make(&def->body_a, &def->body_b, def->normal);
    double rate = tr_row_rate(&row, &def->velocity_a, &def->velocity_b);
    status = tr_check_result(check, "inverse_effective_mass", row.k);
    if (status == TR_OK)
        status = tr_check_result(check, "normal_velocity", rate);
    if (status != TR_OK)
        return status;

    double impulse = impulse_of(def, &row, rate);
    tr3_impact_result result = {impulse, rate, row.k, pushed(&def->velocity_a, -impulse, &row.a),
                                pushed(&def->velocity_b, impulse, &row.b)};
    status = tr_check_result(check, "impulse", impulse);
    if (status == TR_OK)
        status = tr_check_motion(check, "velocity_a", result.velocity_a.linear, result.velocity_a.angular);
    if (status == TR_OK)
        status = tr_check_motion(check, "velocity_b", result.velocity_b.linear, result.velocity_b.angular);
    if (status == TR_OK)
        *out = result;
    return status;
}

tr_status tr3_impact(const tr3_impact_def *def, tr3_impact_result *out, tr_error *error)
{
    const tr_check check = {error, "impact", "def", false};
    tr_status status = tr_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr_check_pointer(&check, "out", out);
    if (status != TR_OK)
        return status;

    tr_arithmetic before = tr_arithmetic_plain();
    status = impact(&check, def, out);
    tr_arithmetic_restore(&before);
    return status;
}

static tr3_velocity velocity_in_space(const tr2_velocity *velocity)
{
    return (tr3_velocity){tr_in_space(velocity->linear), {.z = velocity->angular}};
}

static tr2_velocity velocity_in_plane(const tr3_velocity *velocity)
{
    return (tr2_velocity){tr_in_plane(velocity->linear), velocity->angular.z};
}

tr_status tr2_impact(const tr2_impact_def *def, tr2_impact_result *out, tr_error *error)
{
    const tr_check check = {error, "impact", "def", true};
    tr_status status = tr_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr_check_pointer(&check, "out", out);
    if (status != TR_OK)
        return status;

    const tr3_impact_def space = {
        .body_a = tr_body_in_space(&def->body_a),
        .body_b = tr_body_in_space(&def->body_b),
        .velocity_a = velocity_in_space(&def->velocity_a),
        .velocity_b = velocity_in_space(&def->velocity_b),
        .normal = tr_in_space(def->normal),
        .restitution = def->restitution,
        .bounce_speed = def->bounce_speed,
        .bilateral = def->bilateral,
    };
    tr3_impact_result result;
    tr_arithmetic before = tr_arithmetic_plain();
    status = impact(&check, &space, &result);
    tr_arithmetic_restore(&before);
    if (status == TR_OK)
        *out = (tr2_impact_result){result.impulse, result.normal_velocity, result.inverse_effective_mass,
                                   velocity_in_plane(&result.velocity_a), velocity_in_plane(&result.velocity_b)};
    return status;
}
