/* Names of enumerators, and the default joint definition. */
#include <float.h>
#include <string.h>

#include "world/core/world_internal.h"

const char *tr2_joint_type_name(tr2_joint_type type)
{
    return (uint32_t)type < TR2_JOINT_TYPE_COUNT ? tr2_joint_types[type]->name : "unknown";
}

const char *tr2_field_name(tr2_field field)
{
    return (uint32_t)field < TR2_FIELD_COUNT ? tr2_field_infos[field].name : "unknown";
}

bool tr2_joint_type_has(tr2_joint_type type, tr2_field field)
{
    if ((uint32_t)type >= TR2_JOINT_TYPE_COUNT || (uint32_t)field >= TR2_FIELD_COUNT)
        return false;
    return (tr2_joint_types[type]->fields & TR2_BIT(field)) != 0;
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

const char *tr2_method_name(tr2_method method)
{
    static const char *const names[TR2_METHOD_COUNT] = {
        [TR2_SOFT_STEP] = "soft_step",
        [TR2_SMALL_STEP] = "small_step",
        [TR2_POSITION_BASED] = "position_based",
        [TR2_SEQUENTIAL_IMPULSES] = "sequential_impulses",
    };
    return (uint32_t)method < TR2_METHOD_COUNT ? names[method] : "unknown";
}

tr2_joint_def tr2_joint_def_default(tr2_joint_type type)
{
    /* zero is the default of all other fields; TR_RIGID is zero */
    tr2_joint_def def;
    memset(&def, 0, sizeof def);
    def.type = type;
    def.axis.x = 1.0f;
    def.length = 1.0f;
    def.ratio = 1.0f;
    def.axis_b.x = 1.0f;
    def.max_force = FLT_MAX;
    def.enabled = true;
    if ((uint32_t)type < TR2_JOINT_TYPE_COUNT && tr2_joint_types[type]->set_defaults != NULL)
        tr2_joint_types[type]->set_defaults(&def);
    return def;
}

tr2_body_def tr2_body_def_default(void)
{
    tr2_body_def def;
    memset(&def, 0, sizeof def);
    def.type = TR_DYNAMIC;
    def.mass = 1.0f;
    def.inertia = 1.0f;
    def.gravity_scale = 1.0f;
    def.enabled = true;
    return def;
}
