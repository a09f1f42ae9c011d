/* How joints are solved in lanes. */
#include <string.h>

#include "solver/exact/lanes/exact_lanes.h"

static bool is_off(tr_softness s)
{
    return (s.kind == TR_FREQUENCY && s.a == 0.0f) || (s.kind == TR_PHYSICAL && s.a == 0.0f && s.b == 0.0f);
}

static bool has_bounds(const trn_equation *from)
{
    return from->least > -INFINITY || from->most < INFINITY;
}

/* TR_EXACT_FEATURES: none that lanes know */
static trn_exact_feature feature_of(const trn_equation *from)
{
    const bool rigid = trn_exact_is_rigid(from);
    if (!rigid && from->softness.kind == TR_RAW)
        return TR_EXACT_FEATURES;
    switch (from->kind) {
    case TR_EQUATION_ROW:
        return !rigid ? TR_EXACT_SPRING : has_bounds(from) ? TR_EXACT_FEATURES : TR_EXACT_RIGID;
    case TR_EQUATION_SPRING:
        return TR_EXACT_SPRING;
    case TR_EQUATION_MOTOR:
        return rigid ? TR_EXACT_MOTOR : TR_EXACT_SPRING;
    case TR_EQUATION_STOP:
        return from->turned ? TR_EXACT_UPPER : TR_EXACT_LOWER;
    case TR_EQUATION_FRICTION:
        return TR_EXACT_FRICTION;
    default:
        return TR_EXACT_FEATURES;
    }
}

static trn_exact_group *begin_group(trn_exact_group *out, uint32_t count, trn_exact_row_kind kind, uint32_t first)
{
    trn_exact_group *group = &out[count];
    group->kind = kind;
    group->first = first;
    for (uint32_t i = 0; i < TR_EXACT_FEATURES; i++)
        group->feature[i] = -1;
    return group;
}

/* adds the rows of a block; the number of rows then, or one that is too large */
static uint32_t add_block(const trn_equation *from, uint32_t at, trn_exact_group *out, uint32_t count)
{
    const bool rubs = from->kind == TR_EQUATION_FRICTION && from->most < INFINITY;
    const bool kept = from->kind == TR_EQUATION_ROW && trn_exact_is_rigid(from) && !has_bounds(from);
    const bool soft = from->kind == TR_EQUATION_ROW || from->kind == TR_EQUATION_SPRING;
    if (rubs && from->block > TR_EXACT_RUBBED_MOST)
        return TR_EXACT_ROWS_MOST + 1;
    if (!rubs && !kept)
        return soft && is_off(from->softness) ? count : TR_EXACT_ROWS_MOST + 1;
    /* of a joint's rows that rub all are one block */
    for (uint32_t i = 0; i < count; i++)
        if (rubs && out[i].kind == TR_EXACT_RUBBED)
            return TR_EXACT_ROWS_MOST + 1;
    if (count + from->block > TR_EXACT_ROWS_MOST)
        return TR_EXACT_ROWS_MOST + 1;
    for (uint32_t i = 0; i < from->block; i++)
        begin_group(out, count + i, rubs ? TR_EXACT_RUBBED : TR_EXACT_KEPT, at + i)->feature[TR_EXACT_RIGID] =
            (int8_t)(at + i);
    return count + from->block;
}

/* adds a row by itself, likewise */
static uint32_t add_row(const trn_equation *from, uint32_t at, trn_exact_group *out, uint32_t count)
{
    const trn_exact_feature feature = feature_of(from);
    if (feature == TR_EXACT_FEATURES || (!from->joined && count == TR_EXACT_ROWS_MOST) || (from->joined && count == 0))
        return TR_EXACT_ROWS_MOST + 1;
    if (!from->joined) {
        begin_group(out, count, feature == TR_EXACT_RIGID ? TR_EXACT_KEPT : TR_EXACT_LAW, at)->feature[feature] =
            (int8_t)at;
        return count + 1;
    }
    trn_exact_group *group = &out[count - 1];
    if (group->kind == TR_EXACT_RUBBED || group->feature[feature] >= 0)
        return TR_EXACT_ROWS_MOST + 1;
    group->kind = TR_EXACT_LAW;
    group->feature[feature] = (int8_t)at;
    return count;
}

uint32_t trn_exact_form(trn_joint_type type, const trn_equations *equations, trn_exact_group out[TR_EXACT_ROWS_MOST])
{
    uint32_t count = 0, form = 0;
    for (uint32_t r = 0; r < equations->count && count <= TR_EXACT_ROWS_MOST;) {
        const trn_equation *from = &equations->row[r];
        if (from->kind == TR_EQUATION_ACROSS) {
            /* lanes have none: evaluate_length() */
            r++;
            continue;
        }
        count = from->block > 1 ? add_block(from, r, out, count) : add_row(from, r, out, count);
        r += from->block > 1 ? from->block : 1;
    }
    if (count == 0 || count > TR_EXACT_ROWS_MOST)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        form |= ((uint32_t)out[i].kind | (equations->row[out[i].first].linear ? 4u : 0u)) << (2 + 3 * i);
    const uint32_t rest = form >> (2 + 3 * TRN_AXES), points = form & ~(rest << (2 + 3 * TRN_AXES));
    const bool point = (points | TR_EXACT_BY_POINT) == TR_EXACT_FORM_POINT;
    if (point && rest == 0 && TRN_IS_PLACED(type))
        return TR_EXACT_FORM_POINT;
    const bool length = type == TRN_JOINT_DISTANCE && count == 1;
    const bool turns = length || (point && trn_exact_turns_in_lanes(type, equations, out, count));
    return form | (turns ? TR_EXACT_BY_TURN : TR_EXACT_BY_EQUATIONS);
}

trn_exact_law trn_exact_law_of(const trn_equations *equations, const trn_exact_group *group)
{
    const trn_equation *first = &equations->row[group->first];
    trn_exact_law law;
    memset(&law, 0, sizeof law);
    law.value = first->turned ? -first->value : first->value;
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++) {
        law.column[f] = -1;
        if (group->feature[f] < 0)
            continue;
        const trn_equation *from = &equations->row[group->feature[f]];
        law.there |= (uint8_t)(1u << f);
        law.column[f] = (int8_t)from->column;
        law.least[f] = from->turned ? -from->most : from->least;
        law.most[f] = from->turned ? -from->least : from->most;
        law.offset[f] = from->turned ? from->value + law.value : from->value - law.value;
        if (f == TR_EXACT_MOTOR)
            law.offset[f] = from->speed;
        if (f == TR_EXACT_SPRING)
            law.softness = from->softness;
    }
    return law;
}
