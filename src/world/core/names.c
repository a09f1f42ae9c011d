/* Names of enumerators, and the default joint definition. */
#include <float.h>
#include <string.h>

#include "world/core/world_internal.h"

const char *trn_joint_type_name(trn_joint_type type)
{
    return (uint32_t)type < TRN_JOINT_TYPE_COUNT ? trn_joint_types[type]->name : "unknown";
}

const char *trn_field_name(trn_field field)
{
    return (uint32_t)field < TRN_FIELD_COUNT ? trn_field_infos[field].name : "unknown";
}

bool trn_joint_type_has(trn_joint_type type, trn_field field)
{
    if ((uint32_t)type >= TRN_JOINT_TYPE_COUNT || (uint32_t)field >= TRN_FIELD_COUNT)
        return false;
    return (trn_joint_types[type]->fields & TR_BIT(field)) != 0;
}

const char *tr_stage_name(tr_stage stage)
{
    static const char *const names[TR_STAGE_COUNT] = {
        [TR_STAGE_BROAD] = "broad",     [TR_STAGE_NARROW] = "narrow",       [TR_STAGE_PLAN] = "plan",
        [TR_STAGE_PREPARE] = "prepare", [TR_STAGE_INTEGRATE] = "integrate", [TR_STAGE_WARM_START] = "warm_start",
        [TR_STAGE_SOLVE] = "solve",     [TR_STAGE_RELAX] = "relax",         [TR_STAGE_FINISH] = "finish",
    };
    return (uint32_t)stage < TR_STAGE_COUNT ? names[stage] : "unknown";
}

const char *tr_method_name(tr_method method)
{
    static const char *const names[TR_METHOD_COUNT] = {
        [TR_SOFT_STEP] = "soft_step",
        [TR_SMALL_STEP] = "small_step",
        [TR_POSITION_BASED] = "position_based",
        [TR_SEQUENTIAL_IMPULSES] = "sequential_impulses",
    };
    return (uint32_t)method < TR_METHOD_COUNT ? names[method] : "unknown";
}

const char *tr_breaking_name(tr_breaking breaking)
{
    static const char *const names[TR_BREAKING_COUNT] = {
        [TR_BREAKING_ALL] = "all",
        [TR_BREAKING_ONE_PER_GROUP] = "one_per_group",
        [TR_BREAKING_ONE_PER_ISLAND] = "one_per_island",
    };
    return (uint32_t)breaking < TR_BREAKING_COUNT ? names[breaking] : "unknown";
}

const char *trn_mixing_name(trn_mixing mixing)
{
    static const char *const names[TRN_MIXING_COUNT] = {
        [TRN_MIXING_GEOMETRIC_MEAN] = "geometric_mean",
        [TRN_MIXING_AVERAGE] = "average",
        [TRN_MIXING_MINIMUM] = "minimum",
        [TRN_MIXING_MAXIMUM] = "maximum",
        [TRN_MIXING_MULTIPLY] = "multiply",
    };
    return (uint32_t)mixing < TRN_MIXING_COUNT ? names[mixing] : "unknown";
}

trn_joint_def trn_joint_def_default(trn_joint_type type)
{
    /* zero is the default of all other fields; TR_RIGID is zero */
    trn_joint_def def;
    memset(&def, 0, sizeof def);
    def.type = type;
    def.axis.x = 1.0f;
    def.length = 1.0f;
    def.ratio = 1.0f;
    def.axis_b.x = 1.0f;
    /* what has no maximum set is unbounded */
    def.motor.maximum = FLT_MAX;
    def.drive.max_force = FLT_MAX;
    def.drive.max_torque = FLT_MAX;
    def.max_force = FLT_MAX;
    def.enabled = true;
    if ((uint32_t)type < TRN_JOINT_TYPE_COUNT && trn_joint_types[type]->set_defaults != NULL)
        trn_joint_types[type]->set_defaults(&def);
    return def;
}

trn_body_def trn_body_def_default(void)
{
    trn_body_def def;
    memset(&def, 0, sizeof def);
    def.type = TR_DYNAMIC;
    def.mass = 1.0f;
    def.inertia = 1.0f;
    def.gravity_scale = 1.0f;
    def.enabled = true;
    return def;
}
