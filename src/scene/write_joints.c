/* Writer of the joints of Trammel's own JSON format: the counterpart of read_own_joints.c. */
#include "scene/storage.h"

#ifdef TR_WITH_SCENES

#include <stdio.h>
#include <string.h>

#include "scene/joint_paths.h"
#include "scene/own.h"

const char *const tr2_softness_words[TR2_SOFTNESS_WORD_COUNT] = {
    [TR_RIGID] = "rigid", [TR_FREQUENCY] = "frequency", [TR_PHYSICAL] = "physical", [TR_RAW] = "raw"};
const char *const tr2_softness_keys[TR2_SOFTNESS_WORD_COUNT][2] = {[TR_RIGID] = {NULL, NULL},
                                                                   [TR_FREQUENCY] = {"frequency", "damping_ratio"},
                                                                   [TR_PHYSICAL] = {"stiffness", "damping"},
                                                                   [TR_RAW] = {"softness", "bias_factor"}};

/* whether fields `field` .. `field + count - 1` have their defaults; a and b of a rigid softness are ignored */
static bool is_default(const tr2_joint_def *def, const tr2_joint_def *defaults, uint32_t field, uint32_t count)
{
    if (count == 3 && tr2_field_read(def, (tr2_field)field) == TR_RIGID &&
        tr2_field_read(defaults, (tr2_field)field) == TR_RIGID)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = tr2_field_infos[field + i].offset;
        if (tr2_field_infos[field + i].kind == TR_KIND_DOUBLE
                ? memcmp((const char *)def + offset, (const char *)defaults + offset, sizeof(double)) != 0
                : tr2_field_read(def, (tr2_field)(field + i)) != tr2_field_read(defaults, (tr2_field)(field + i)))
            return false;
    }
    return true;
}

static void put_softness(tr2_line *out, const char *key, const tr2_joint_def *def, uint32_t field)
{
    uint32_t kind = tr2_field_read(def, (tr2_field)field);
    if (kind == TR_RIGID) {
        tr2_put_word(out, key, tr2_softness_words[kind]);
        return;
    }
    tr2_put_key(out, key);
    tr2_line inner = {out->text, false};
    tr2_put_word(&inner, "kind", tr2_softness_words[kind]);
    tr2_put_float(&inner, tr2_softness_keys[kind][0], tr2_field_read_float(def, field + 1));
    tr2_put_float(&inner, tr2_softness_keys[kind][1], tr2_field_read_float(def, field + 2));
    tr2_put_end(&inner);
}

static void put_field(tr2_line *out, const char *key, const tr2_joint_def *def, uint32_t field, uint32_t count)
{
    bool wide = tr2_field_infos[field].kind == TR_KIND_DOUBLE;
    if (count == 3)
        put_softness(out, key, def, field);
    else if (wide && count == 2)
        tr2_put_dvec2(out, key,
                      (tr_dvec2){tr2_field_read_double(def, (tr2_field)field),
                                 tr2_field_read_double(def, (tr2_field)(field + 1))});
    else if (wide)
        tr2_put_double(out, key, tr2_field_read_double(def, (tr2_field)field));
    else if (count == 2)
        tr2_put_vec2(out, key, (tr_vec2){tr2_field_read_float(def, field), tr2_field_read_float(def, field + 1)});
    else if (tr2_field_infos[field].kind == TR_KIND_BOOL)
        tr2_put_bool(out, key, tr2_field_read(def, (tr2_field)field) != 0);
    else
        tr2_put_float(out, key, tr2_field_read_float(def, field));
}

/* writes the fields that the type has and that differ from the default; paths are at most one group deep */
static void put_fields(tr2_line *out, const tr2_joint_def *def, const tr2_joint_def *defaults)
{
    char open[TR2_PATH_SIZE] = "";
    tr2_line group = {out->text, false};
    uint32_t count = 0;
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field += count) {
        char path[TR2_PATH_SIZE];
        snprintf(path, sizeof path, "%s", tr2_field_infos[field].name);
        char *dot = strrchr(path, '.');
        const char *tail = dot != NULL ? dot + 1 : "";
        count = strcmp(tail, "x") == 0 ? 2 : strcmp(tail, "kind") == 0 ? 3 : 1;
        if (!tr2_joint_type_has(def->type, (tr2_field)field) || is_default(def, defaults, field, count))
            continue;
        /* "motor.speed": group "motor", key "speed"; "drive.offset.x": group "drive", key "offset" */
        if (count > 1) {
            *dot = '\0';
            dot = strrchr(path, '.');
        }
        const char *key = dot != NULL ? dot + 1 : path;
        if (dot != NULL)
            *dot = '\0';
        const char *wanted = dot != NULL ? path : "";
        if (strcmp(open, wanted) != 0) {
            if (*open != '\0')
                tr2_put_end(&group);
            group.started = false;
            snprintf(open, sizeof open, "%s", wanted);
            if (*open != '\0')
                tr2_put_key(out, open);
        }
        put_field(*open != '\0' ? &group : out, key, def, field, count);
    }
    if (*open != '\0')
        tr2_put_end(&group);
}

/* a threshold of 0 means none */
static void put_threshold(tr2_line *out, const char *key, float value)
{
    if (value != 0.0f)
        tr2_put_float(out, key, value);
}

static void put_thresholds(tr2_line *out, const tr_event_at *event_at, const tr_break_at *break_at)
{
    tr2_line inner = {out->text, false};
    if (event_at->force != 0.0f || event_at->torque != 0.0f) {
        tr2_put_key(out, "event");
        put_threshold(&inner, "force", event_at->force);
        put_threshold(&inner, "torque", event_at->torque);
        tr2_put_end(&inner);
    }
    if (break_at->force == 0.0f && break_at->torque == 0.0f && break_at->impulse == 0.0f && break_at->steps == 0)
        return;
    inner.started = false;
    tr2_put_key(out, "break");
    put_threshold(&inner, "force", break_at->force);
    put_threshold(&inner, "torque", break_at->torque);
    put_threshold(&inner, "impulse", break_at->impulse);
    if (break_at->steps > 0) {
        tr2_put_key(&inner, "steps");
        tr_text_u64(inner.text, break_at->steps);
    }
    tr2_put_end(&inner);
}

static void put_carrier(tr2_line *out, const char *key, uint32_t carrier)
{
    if (carrier == 0)
        return;
    tr2_put_key(out, key);
    tr_text_u64(out->text, carrier - 1);
}

void tr2_write_own_joint(tr_text *text, const tr2_scene_joint *joint)
{
    tr2_joint_def defaults = tr2_joint_def_default(joint->def.type);
    tr2_line out = {text, false};
    tr2_put_word(&out, "type", tr2_joint_type_name(joint->def.type));
    tr2_put_string(&out, "name", joint->name);
    tr2_put_key(&out, "body_a");
    tr_text_u64(text, joint->body_a);
    tr2_put_key(&out, "body_b");
    tr_text_u64(text, joint->body_b);
    put_carrier(&out, "carrier_a", joint->carrier_a);
    put_carrier(&out, "carrier_b", joint->carrier_b);
    put_fields(&out, &joint->def, &defaults);
    put_thresholds(&out, &joint->def.event_at, &joint->def.break_at);
    if (joint->def.enabled != defaults.enabled)
        tr2_put_bool(&out, "enabled", joint->def.enabled);
    if (joint->def.collide_connected != defaults.collide_connected)
        tr2_put_bool(&out, "collide_connected", joint->def.collide_connected);
    tr2_put_user_data(&out, joint->def.user_data);
    tr2_put_end(&out);
}

#endif
