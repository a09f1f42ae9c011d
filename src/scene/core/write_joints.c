/* Writer of the joints of Trammel's own JSON format: the counterpart of read_own_joints.c. */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include <stdio.h>
#include <string.h>

#include "scene/core/joint_paths.h"
#include "scene/core/own.h"

/* whether fields `field` .. `field + count - 1` have their defaults; a and b of a rigid softness are ignored */
static bool is_default(const trn_joint_def *def, const trn_joint_def *defaults, uint32_t field, uint32_t count)
{
    if (trn_field_infos[field].kind == TR_KIND_KIND && trn_field_read(def, (trn_field)field) == TR_RIGID &&
        trn_field_read(defaults, (trn_field)field) == TR_RIGID)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = trn_field_infos[field + i].offset;
        if (trn_field_infos[field + i].kind == TR_KIND_DOUBLE
                ? memcmp((const char *)def + offset, (const char *)defaults + offset, sizeof(double)) != 0
                : trn_field_read(def, (trn_field)(field + i)) != trn_field_read(defaults, (trn_field)(field + i)))
            return false;
    }
    return true;
}

static void put_softness(tr_line *out, const char *key, const trn_joint_def *def, uint32_t field)
{
    uint32_t kind = trn_field_read(def, (trn_field)field);
    if (kind == TR_RIGID) {
        tr_put_word(out, key, tr_softness_words[kind]);
        return;
    }
    tr_put_key(out, key);
    tr_line inner = {out->text, false};
    tr_put_word(&inner, "kind", tr_softness_words[kind]);
    tr_put_float(&inner, tr_softness_keys[kind][0], trn_field_read_float(def, field + 1));
    tr_put_float(&inner, tr_softness_keys[kind][1], trn_field_read_float(def, field + 2));
    tr_put_end(&inner);
}

static void put_field(tr_line *out, const char *key, const trn_joint_def *def, uint32_t field, uint32_t count)
{
    trn_field_kind kind = trn_field_infos[field].kind;
    double wide[TR_PATH_AXES] = {0.0};
    float narrow[TR_PATH_AXES] = {0.0f};
    for (uint32_t i = 0; i < count && i < TR_PATH_AXES; i++) {
        if (kind == TR_KIND_DOUBLE)
            wide[i] = trn_field_read_double(def, (trn_field)(field + i));
        else
            narrow[i] = trn_field_read_float(def, field + i);
    }
    if (kind == TR_KIND_KIND)
        put_softness(out, key, def, field);
    else if (kind == TR_KIND_DOUBLE && count > 1)
        tr_put_doubles(out, key, wide, count);
    else if (kind == TR_KIND_DOUBLE)
        tr_put_double(out, key, wide[0]);
    else if (count > 1)
        tr_put_floats(out, key, narrow, count);
    else if (kind == TR_KIND_BOOL)
        tr_put_bool(out, key, trn_field_read(def, (trn_field)field) != 0);
    else
        tr_put_float(out, key, narrow[0]);
}

/* groups within groups, at most */
#define DEEPEST 2

/* the objects of groups that are being written, within a joint's */
typedef struct groups {
    tr_line *line[DEEPEST + 1];
    tr_line own[DEEPEST];
    char name[DEEPEST][TR_PATH_SIZE];
    uint32_t depth;
} groups;

/* ends the groups that the next value is not in, and begins those that it is in; `path`: "second.motor", or "" */
static tr_line *in_group(groups *it, char *path)
{
    uint32_t depth = 0;
    for (char *name = path; name != NULL && *name != '\0' && depth < DEEPEST; depth++) {
        char *dot = strchr(name, '.');
        if (dot != NULL)
            *dot = '\0';
        while (it->depth > depth && strcmp(it->name[depth], name) != 0)
            tr_put_end(it->line[it->depth--]);
        if (it->depth == depth) {
            tr_put_key(it->line[depth], name);
            snprintf(it->name[depth], sizeof it->name[depth], "%s", name);
            it->own[depth].started = false;
            it->depth++;
        }
        name = dot != NULL ? dot + 1 : NULL;
    }
    while (it->depth > depth)
        tr_put_end(it->line[it->depth--]);
    return it->line[depth];
}

/* writes the fields that the type has and that differ from the default */
static void put_fields(tr_line *out, const trn_joint_def *def, const trn_joint_def *defaults)
{
    groups open = {.line = {out, &open.own[0], &open.own[1]}, .own = {{out->text, false}, {out->text, false}}};
    char none[] = "";
    uint32_t count = 0;
    for (uint32_t field = 0; field < TRN_FIELD_COUNT; field += count) {
        char path[TR_PATH_SIZE];
        snprintf(path, sizeof path, "%s", trn_field_infos[field].name);
        char *dot = strrchr(path, '.');
        count = trn_path_count(field);
        if (!trn_joint_type_has(def->type, (trn_field)field) || is_default(def, defaults, field, count))
            continue;
        /* "motor.speed": group "motor", key "speed"; "drive.offset.x": group "drive", key "offset" */
        if (count > 1) {
            *dot = '\0';
            dot = strrchr(path, '.');
        }
        const char *key = dot != NULL ? dot + 1 : path;
        if (dot != NULL)
            *dot = '\0';
        put_field(in_group(&open, dot != NULL ? path : none), key, def, field, count);
    }
    in_group(&open, none);
}

/* a threshold of 0 means none */
static void put_threshold(tr_line *out, const char *key, float value)
{
    if (value != 0.0f)
        tr_put_float(out, key, value);
}

static void put_thresholds(tr_line *out, const tr_event_at *event_at, const tr_break_at *break_at)
{
    tr_line inner = {out->text, false};
    if (event_at->force != 0.0f || event_at->torque != 0.0f) {
        tr_put_key(out, "event");
        put_threshold(&inner, "force", event_at->force);
        put_threshold(&inner, "torque", event_at->torque);
        tr_put_end(&inner);
    }
    if (break_at->force == 0.0f && break_at->torque == 0.0f && break_at->impulse == 0.0f && break_at->steps == 0)
        return;
    inner.started = false;
    tr_put_key(out, "break");
    put_threshold(&inner, "force", break_at->force);
    put_threshold(&inner, "torque", break_at->torque);
    put_threshold(&inner, "impulse", break_at->impulse);
    if (break_at->steps > 0) {
        tr_put_key(&inner, "steps");
        tr_text_u64(inner.text, break_at->steps);
    }
    tr_put_end(&inner);
}

static void put_carriers(tr_line *out, const trn_scene_joint *joint)
{
    static const char *const keys[] = {"carrier_a", "carrier_b"};
    trn_scene_joint copy = *joint;
    for (uint32_t end = 0; end < 2; end++) {
        const uint32_t *carrier = trn_scene_carrier(&copy, end);
        if (carrier == NULL || *carrier == 0)
            continue;
        tr_put_key(out, keys[end]);
        tr_text_u64(out->text, *carrier - 1);
    }
}

void trn_write_own_joint(tr_text *text, const trn_scene_joint *joint)
{
    trn_joint_def defaults = trn_joint_def_default(joint->def.type);
    tr_line out = {text, false};
    tr_put_word(&out, "type", trn_joint_type_name(joint->def.type));
    tr_put_string(&out, "name", joint->name);
    tr_put_key(&out, "body_a");
    tr_text_u64(text, joint->body_a);
    tr_put_key(&out, "body_b");
    tr_text_u64(text, joint->body_b);
    put_carriers(&out, joint);
    put_fields(&out, &joint->def, &defaults);
    put_thresholds(&out, &joint->def.event_at, &joint->def.break_at);
    if (joint->def.enabled != defaults.enabled)
        tr_put_bool(&out, "enabled", joint->def.enabled);
    if (joint->def.collide_connected != defaults.collide_connected)
        tr_put_bool(&out, "collide_connected", joint->def.collide_connected);
    tr_put_user_data(&out, joint->def.user_data);
    tr_put_end(&out);
}

#endif
