/* Writers of URDF and MJCF: what the formats cannot say, as notices that name the first bodies or joints of each. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* the entry of a sentence; null: there is no room */
static export_loss *entry_of(exporter *it, const char *what, const char *format, va_list arguments)
{
    char text[EXPORT_LOSS_SIZE];
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    tr_scene_tidy(text);
    for (uint32_t i = 0; i < it->loss_count; i++)
        if (strcmp(it->losses[i].text, text) == 0 && strcmp(it->losses[i].what, what) == 0)
            return &it->losses[i];
    if (it->loss_count == EXPORT_LOSSES) {
        it->losses_left_out = true;
        return NULL;
    }
    export_loss *made = &it->losses[it->loss_count++];
    *made = (export_loss){.what = what};
    memcpy(made->text, text, sizeof text);
    return made;
}

static void lose(exporter *it, const char *what, const char *name, uint32_t index, const char *format,
                 va_list arguments)
{
    export_loss *entry = entry_of(it, what, format, arguments);
    if (entry == NULL || (entry->count > 0 && entry->last == index))
        return;
    if (entry->count < EXPORT_LOSS_PLACES) {
        char *place = entry->places[entry->count];
        if (name != NULL && name[0] != '\0')
            snprintf(place, sizeof entry->places[0], "\"%.59s\"", name);
        else
            snprintf(place, sizeof entry->places[0], "%u", index);
        tr_scene_tidy(place);
    }
    entry->count++;
    entry->last = index;
}

void tr3_lose_body(exporter *it, uint32_t body, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lose(it, "body", it->scene->bodies[body].name, body, format, arguments);
    va_end(arguments);
}

void tr3_lose_joint(exporter *it, uint32_t joint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lose(it, "joint", it->scene->joints[joint].name, joint, format, arguments);
    va_end(arguments);
}

void tr3_lose_world(exporter *it, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)entry_of(it, "world", format, arguments);
    va_end(arguments);
}

/*
 * What neither format says
 */

static void lose_of_world(exporter *it)
{
    const tr3_scene *scene = it->scene;
    const tr3_world_def standard = tr3_world_def_default();
    const tr_sleep_settings *sleep = &scene->sleep, *usual = &standard.sleep;
    tr3_scene robot = {0};
    tr3_model_preset(&robot);
    if (scene->joint_frequency != robot.joint_frequency || scene->joint_damping_ratio != standard.joint_damping_ratio)
        tr3_lose_world(it, "joints of %g Hz and damping ratio %g: a reader has them at %g Hz and %g",
                       (double)scene->joint_frequency, (double)scene->joint_damping_ratio,
                       (double)robot.joint_frequency, (double)standard.joint_damping_ratio);
    if (scene->method != standard.method || scene->sweeps != 0)
        tr3_lose_world(it, "method and sweeps are not written");
    if (scene->substeps != 4)
        tr3_lose_world(it, "%u sub-steps: a reader takes 4", scene->substeps);
    if (scene->direct_load != standard.direct_load || scene->breaking != standard.breaking)
        tr3_lose_world(it, "direct_load and breaking are not written");
    if (scene->length_unit != standard.length_unit)
        tr3_lose_world(it, "a length unit of %g m is not written", (double)scene->length_unit);
    if (sleep->enable != usual->enable || sleep->speed != usual->speed ||
        sleep->angular_speed != usual->angular_speed || sleep->time != usual->time)
        tr3_lose_world(it, "settings of sleep are not written");
}

static bool is_zero(tr_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static void lose_of_body(exporter *it, uint32_t b)
{
    const tr3_body_def *def = &it->scene->bodies[b].def, standard = tr3_body_def_default();
    const tr_sym3 i = def->inertia;
    if (def->user_data != 0)
        tr3_lose_body(it, b, "user_data is not written");
    if (!def->enabled)
        tr3_lose_body(it, b, "is off, which is not written: a reader has it on");
    if (def->type == TR_STATIC)
        return;
    if (!is_zero(def->velocity) || !is_zero(def->angular_velocity))
        tr3_lose_body(it, b, "its velocity is not written: robots start at rest");
    if (def->type != TR_DYNAMIC)
        return;
    if (def->gravity_scale != standard.gravity_scale && it->format == TR3_EXPORT_URDF)
        tr3_lose_body(it, b, "gravity_scale is not written: all fall alike");
    if (def->linear_damping != 0.0f || def->angular_damping != 0.0f)
        tr3_lose_body(it, b, "linear_damping and angular_damping are not written");
    if (def->fixed_rotation)
        tr3_lose_body(it, b, "fixed_rotation is not written");
    else if (i.xx == 0.0f && i.yy == 0.0f && i.zz == 0.0f)
        tr3_lose_body(it, b, "a mass without inertia: a reader gives it that of a ball of 1 cm");
    if (def->direct)
        tr3_lose_body(it, b, "direct is not written");
    if (!def->allow_sleep || def->sleep_scale != standard.sleep_scale)
        tr3_lose_body(it, b, "allow_sleep and sleep_scale are not written");
}

static void lose_of_joint(exporter *it, uint32_t j)
{
    const tr3_joint_def *def = &it->scene->joints[j].def;
    const bool soft = def->linear.kind != TR_RIGID ||
                      (def->angular.kind != TR_RIGID && def->type != TR3_JOINT_BALL && def->type != TR3_JOINT_GEAR);
    const bool written = it->limb_of[j] != EXPORT_NONE || def->type == TR3_JOINT_BALL || def->type == TR3_JOINT_HINGE ||
                         def->type == TR3_JOINT_WELD || def->type == TR3_JOINT_GEAR;
    if (!written)
        return;
    if (soft)
        tr3_lose_joint(it, j, "how soft it is is not written: it is stiff");
    if (def->event_at.force > 0.0f || def->event_at.torque > 0.0f || def->break_at.force > 0.0f ||
        def->break_at.torque > 0.0f || def->break_at.impulse > 0.0f)
        tr3_lose_joint(it, j, "event_at and break_at are not written");
    if (def->collide_connected)
        tr3_lose_joint(it, j, "collide_connected is not written");
    if (def->user_data != 0)
        tr3_lose_joint(it, j, "user_data is not written");
    if (def->type == TR3_JOINT_SCREW)
        tr3_lose_joint(it, j, "its pitch is not written: it slides and turns freely");
}

/* how far apart the joint's points are, of limbs that hold them together */
static void lose_gap(exporter *it, uint32_t body)
{
    const export_limb *limb = &it->limbs[body];
    for (uint32_t k = 0; k < limb->count; k++)
        if (limb->axes[k].slides)
            return;
    const tr3_frame parent = tr3_export_pose(it, limb->parent), child = tr3_export_pose(it, body);
    const tr_dvec3 one = tr3_plus(parent.at, tr3_turned(parent.turn, limb->anchor));
    const tr_dvec3 other = tr3_plus(child.at, tr3_turned(child.turn, limb->pivot)), gap = tr3_minus(one, other);
    if (tr3_dot(gap, gap) > 1e-8)
        tr3_lose_joint(it, limb->joint, "its anchors start apart, and are written as one point");
}

void tr3_lose_common(exporter *it)
{
    lose_of_world(it);
    for (uint32_t b = 0; b < it->scene->body_count; b++)
        lose_of_body(it, b);
    for (uint32_t j = 0; j < it->scene->joint_count; j++)
        lose_of_joint(it, j);
    for (uint32_t b = 0; b < it->scene->body_count; b++)
        if (it->limbs[b].kind != EXPORT_ROOT)
            lose_gap(it, b);
    for (uint32_t s = 0; s < it->scene->shape_count; s++)
        if (it->scene->shapes[s].user_data != 0) {
            tr3_lose_body(it, it->scene->shapes[s].body, "user_data of its shapes is not written");
            break;
        }
}

void tr3_lose_features(exporter *it, uint32_t joint, const tr3_features *f)
{
    if (it->format == TR3_EXPORT_MJCF && f->motor.speed != 0.0f && f->motor.maximum > 0.0f)
        tr3_lose_joint(it, joint, "the speed of its motor is not written: it starts at 0");
    if (f->spring.enable && f->spring.softness.kind != TR_PHYSICAL)
        tr3_lose_joint(it, joint, "a spring that is not given by stiffness and damping is not written");
}

void tr3_export_notices(const exporter *it, tr_text *out)
{
    tr_text_append(out, "");
    for (uint32_t i = 0; i < it->loss_count; i++) {
        const export_loss *loss = &it->losses[i];
        tr_text_append(out, loss->what);
        for (uint32_t k = 0; k < loss->count && k < EXPORT_LOSS_PLACES; k++) {
            tr_text_append(out, k > 0 ? ", " : " ");
            tr_text_append(out, loss->places[k]);
        }
        if (loss->count > EXPORT_LOSS_PLACES) {
            tr_text_append(out, " and ");
            tr_text_u64(out, loss->count - EXPORT_LOSS_PLACES);
            tr_text_append(out, " more");
        }
        tr_text_append(out, ": ");
        tr_text_append(out, loss->text);
        tr_text_append(out, "\n");
    }
    if (it->losses_left_out)
        tr_text_append(out, "further notices are left out\n");
}

#endif
