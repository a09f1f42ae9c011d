#include "world/core/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

trn_check trn_check_of(const trn_world *world, const char *call, const char *subject)
{
    trn_world *it = trn_mutable(world);
    return (trn_check){&it->last_error, call, subject, TR_NONE, &it->last_error_busy};
}

/* if several threads fail at once, one error is kept; none waits for another */
static void publish(const trn_check *check, const tr_error *made)
{
    if (check->busy != NULL && atomic_flag_test_and_set_explicit(check->busy, memory_order_acquire))
        return;
    *check->error = *made;
    if (check->busy != NULL)
        atomic_flag_clear_explicit(check->busy, memory_order_release);
}

tr_status trn_check_fail(const trn_check *check, tr_status status, const char *name, const char *format, ...)
{
    if (check->error == NULL)
        return status;

    /* "defs[3]", "defs[3].mass", "mass" or nothing */
    char culprit[96] = "";
    char index[16] = "";
    if (check->index != TR_NONE)
        snprintf(index, sizeof index, "[%u]", (unsigned)check->index);
    const char *dot = check->subject[0] != '\0' && name[0] != '\0' ? "." : "";
    snprintf(culprit, sizeof culprit, "%s%s%s%s", check->subject, index, dot, name);

    char sentence[TR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);

    tr_error made = {.status = status};
    int written = snprintf(made.message, TR_MESSAGE_SIZE, "%s: %s%s%s", check->call, culprit,
                           culprit[0] != '\0' ? " " : "", sentence);
    /* mark a truncated message */
    if (written >= TR_MESSAGE_SIZE)
        memcpy(made.message + TR_MESSAGE_SIZE - 4, "...", 4);
    publish(check, &made);
    return status;
}

/*
 * Numbers
 */
tr_status trn_check_pointer(const trn_check *check, const char *name, const void *pointer)
{
    return pointer == NULL ? trn_check_fail(check, TR_ERROR_NULL, name, "is null") : TR_OK;
}

tr_status trn_check_list(const trn_check *check, const void *out, uint32_t capacity, const uint32_t *count)
{
    tr_status status = trn_check_pointer(check, "count", count);
    return status == TR_OK && capacity > 0 ? trn_check_pointer(check, "out", out) : status;
}

tr_status trn_check_finite(const trn_check *check, const char *name, double value)
{
    if (isnan(value))
        return trn_check_fail(check, TR_ERROR_NAN, name, "is NaN");
    if (isinf(value))
        return trn_check_fail(check, TR_ERROR_INFINITE, name, "is infinite");
    return TR_OK;
}

tr_status trn_check_not_negative(const trn_check *check, const char *name, double value)
{
    tr_status status = trn_check_finite(check, name, value);
    if (status == TR_OK && value < 0.0)
        status = trn_check_fail(check, TR_ERROR_NEGATIVE, name, "is %g, must not be negative", value);
    return status;
}

tr_status trn_check_not_positive(const trn_check *check, const char *name, double value)
{
    tr_status status = trn_check_finite(check, name, value);
    if (status == TR_OK && value > 0.0)
        status = trn_check_fail(check, TR_ERROR_RANGE, name, "is %g, must not be positive", value);
    return status;
}

tr_status trn_check_positive(const trn_check *check, const char *name, double value)
{
    tr_status status = trn_check_not_negative(check, name, value);
    if (status == TR_OK && value == 0.0)
        status = trn_check_fail(check, TR_ERROR_ZERO, name, "is zero, must be positive");
    return status;
}

tr_status trn_check_result(const trn_check *check, const char *name, double value)
{
    return isfinite(value) ? TR_OK : trn_check_fail(check, TR_ERROR_RANGE, name, "would not be finite");
}

tr_status trn_check_inverse(const trn_check *check, const char *name, float value)
{
    if (value > 0.0f && isinf(1.0f / value))
        return trn_check_fail(check, TR_ERROR_RANGE, name, "is %g, so small that its inverse is infinite",
                              (double)value);
    return TR_OK;
}

tr_status trn_check_mass(const trn_check *check, bool dynamic, float mass, trn_inertia inertia)
{
    tr_status status =
        dynamic ? trn_check_positive(check, "mass", (double)mass) : trn_check_not_negative(check, "mass", (double)mass);
    if (status == TR_OK)
        status = trn_check_inverse(check, "mass", mass);
    return status != TR_OK ? status : trn_check_inertia(check, inertia);
}

/*
 * Ids: bodies, joints and shapes have the same three parts.
 */
tr_status trn_check_id(const trn_check *check, const char *name, const trn_world *world, const tr_pool *pool,
                       uint32_t index, uint16_t tag, uint16_t generation)
{
    if (index == 0)
        return trn_check_fail(check, TR_ERROR_NULL_ID, name, "is the null id");
    if (tag != world->tag)
        return trn_check_fail(check, TR_ERROR_FOREIGN_ID, name, "belongs to another world (tag %u; this one's is %u)",
                              (unsigned)tag, (unsigned)world->tag);
    if (index > pool->count)
        return trn_check_fail(check, TR_ERROR_STALE_ID, name, "is stale (slot %u was never used)", index - 1);
    if (tr_pool_is_free(pool, index - 1) || pool->generation[index - 1] != generation)
        return trn_check_fail(check, TR_ERROR_STALE_ID, name, "is stale (slot %u, generation %u)", index - 1,
                              (unsigned)generation);
    return TR_OK;
}

tr_status trn_check_body(const trn_check *check, const char *name, const trn_world *world, trn_body id)
{
    return trn_check_id(check, name, world, &world->body_pool, id.index, id.world, id.generation);
}

tr_status trn_check_body_call(trn_check *check, const char *call, const trn_world *world, trn_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    *check = trn_check_of(world, call, "");
    return trn_check_body(check, "id", world, id);
}

tr_status trn_check_bodies(const trn_check *check, const trn_world *world, trn_body a, trn_body b)
{
    tr_status status = trn_check_body(check, "body_a", world, a);
    if (status == TR_OK)
        status = trn_check_body(check, "body_b", world, b);
    if (status == TR_OK && a.index == b.index)
        status = trn_check_fail(check, TR_ERROR_SELF_JOINT, "body_b", "is body_a (slot %u)", a.index - 1);
    return status;
}

tr_status trn_check_joint(const trn_check *check, const char *name, const trn_world *world, trn_joint id)
{
    tr_status status = trn_check_id(check, name, world, &world->joint_pool, id.index, id.world, id.generation);
    /* contacts have slots, too, but their ids are never given out */
    if (status == TR_OK && trn_joint_type_of(world, id.index - 1) == TR_CONTACT)
        status = trn_check_fail(check, TR_ERROR_STALE_ID, name, "is stale (slot %u, generation %u)", id.index - 1,
                                (unsigned)id.generation);
    return status;
}

tr_status trn_check_room(const trn_check *check, const tr_pool *pool, uint32_t more, uint32_t bits)
{
    uint64_t slots = (uint64_t)pool->count + (more > pool->free_count ? more - pool->free_count : 0);
    if (slots > (UINT64_C(1) << bits) - 1)
        return trn_check_fail(check, TR_ERROR_LIMIT, "", "would pass 2^%u - 1 (%u more)", bits, more);
    return TR_OK;
}

/*
 * Joint definitions
 */
tr_status trn_check_field(const trn_check *check, trn_field field, uint32_t bits)
{
    const trn_field_info *info = &trn_field_infos[field];
    float number;
    memcpy(&number, &bits, sizeof number);
    switch (info->kind) {
    case TR_KIND_FLOAT:
    case TR_KIND_DOUBLE:
        return trn_check_finite(check, info->name, (double)number);
    case TR_KIND_NOT_NEGATIVE:
        return trn_check_not_negative(check, info->name, (double)number);
    case TR_KIND_NOT_POSITIVE:
        return trn_check_not_positive(check, info->name, (double)number);
    case TR_KIND_NOT_ZERO:
        if (number == 0.0f)
            return trn_check_fail(check, TR_ERROR_ZERO, info->name, "is zero");
        return trn_check_finite(check, info->name, (double)number);
    case TR_KIND_KIND:
        if (bits > TR_RAW)
            return trn_check_fail(check, TR_ERROR_RANGE, info->name, "is %d, no kind of softness", (int)bits);
        return TR_OK;
    case TR_KIND_BOOL:
        break;
    }
    return TR_OK;
}

/* A number that the type lacks must have its default; zeros of either sign are equal. */
static bool is_default(trn_field field, uint32_t bits, uint32_t standard)
{
    if (bits == standard)
        return true;
    trn_field_kind kind = trn_field_infos[field].kind;
    float a, b;
    memcpy(&a, &bits, sizeof a);
    memcpy(&b, &standard, sizeof b);
    return kind != TR_KIND_BOOL && kind != TR_KIND_KIND && a == b;
}

/* the kinds of softnesses */
#define KIND_BIT(field, kind, member) | (TR_KIND_##kind == TR_KIND_KIND ? TR_BIT(field) : 0)
static const trn_mask kind_fields = 0 TRN_JOINT_FIELDS(KIND_BIT);
#undef KIND_BIT

/* if the type has its spring elsewhere, the message says where */
static tr_status no_property(const trn_check *check, const trn_joint_type_info *info, trn_field field)
{
    bool spring = (TRN_GROUP_SPRING & TR_BIT(field)) != 0 && info->spring_is != NULL;
    return trn_check_fail(check, TR_ERROR_NO_PROPERTY, trn_field_infos[field].name,
                          "is set, but a %s joint does not have it%s%s", info->name, spring ? ": its spring is " : "",
                          spring ? info->spring_is : "");
}

/* correcting more than the whole error per sub-step overshoots and diverges */
static tr_status check_bias_factors(const trn_check *check, const trn_joint_def *def)
{
    for (trn_mask left = kind_fields; left != 0; left &= left - 1) {
        uint32_t i = trn_mask_first(left);
        if (trn_field_read(def, (trn_field)i) != TR_RAW)
            continue;
        /* the fields of a softness are consecutive: kind, a, b */
        uint32_t bits = trn_field_read(def, (trn_field)(i + 2));
        float factor;
        memcpy(&factor, &bits, sizeof factor);
        if (factor > 1.0f)
            return trn_check_fail(check, TR_ERROR_RANGE, trn_field_infos[i + 2].name,
                                  "is %s, a bias factor must not be above 1", tr_number((double)factor).text);
    }
    return TR_OK;
}

tr_status trn_check_joint_whole(const trn_check *check, const trn_joint_def *def)
{
    const trn_joint_type_info *info = trn_joint_types[def->type];
    tr_status status = trn_check_joint_own(check, def);
    if (status != TR_OK)
        return status;
    if ((info->fields & TRN_GROUP_LIMIT) != 0 && def->limit.lower > def->limit.upper)
        return trn_check_fail(check, TR_ERROR_RANGE, "limit.lower", "is %s, above limit.upper, %s",
                              tr_number((double)def->limit.lower).text, tr_number((double)def->limit.upper).text);
    /* of a joint with a length, the limits are those of that length */
    const trn_mask length_limit = TRN_GROUP_LENGTH | TRN_GROUP_LIMIT;
    if ((info->fields & length_limit) == length_limit && def->limit.enable && def->limit.upper < 0.0f)
        return trn_check_fail(check, TR_ERROR_NEGATIVE, "limit.upper", "is %g, a length must not be negative",
                              (double)def->limit.upper);
    return check_bias_factors(check, def);
}

tr_status trn_check_event_at(const trn_check *check, const tr_event_at *event_at)
{
    tr_status status = trn_check_not_negative(check, "event_at.force", (double)event_at->force);
    return status != TR_OK ? status : trn_check_not_negative(check, "event_at.torque", (double)event_at->torque);
}

tr_status trn_check_break_at(const trn_check *check, const tr_break_at *break_at)
{
    tr_status status = trn_check_not_negative(check, "break_at.force", (double)break_at->force);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "break_at.torque", (double)break_at->torque);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "break_at.impulse", (double)break_at->impulse);
    return status;
}

tr_status trn_check_joint_def(const trn_check *check, const trn_joint_def *def)
{
    if ((uint32_t)def->type >= TRN_JOINT_TYPE_COUNT)
        return trn_check_fail(check, TR_ERROR_RANGE, "type", "is %d, no type of joint", (int)def->type);

    /* checks each number by its kind, or that it has its default if the type lacks it */
    const trn_joint_type_info *info = trn_joint_types[def->type];
    trn_joint_def standard = trn_joint_def_default(def->type);
    const uint32_t checked = trn_check_fields(def, &standard);
    for (uint32_t i = 0; i < TRN_FIELD_COUNT; i = i + 1 == checked ? TRN_FIELD_AFTER_FURTHER : i + 1) {
        trn_field field = (trn_field)i;
        uint32_t bits = trn_field_read(def, field);
        tr_status status = TR_OK;
        if (trn_info_has(info, field))
            status = trn_field_infos[field].kind == TR_KIND_DOUBLE
                         ? trn_check_finite(check, trn_field_name(field), trn_field_read_double(def, field))
                         : trn_check_field(check, field, bits);
        else if (!is_default(field, bits, trn_field_read(&standard, field)))
            status = no_property(check, info, field);
        if (status != TR_OK)
            return status;
    }

    tr_status status = trn_check_event_at(check, &def->event_at);
    if (status == TR_OK)
        status = trn_check_break_at(check, &def->break_at);
    return status != TR_OK ? status : trn_check_joint_whole(check, def);
}
