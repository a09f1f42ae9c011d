/* Names of enumerators, and the default joint definition. */
#include <float.h>
#include <string.h>

#include "world/core/joint_def.h"

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
    return trn_info_has(trn_joint_types[type], field);
}

trn_joint_def trn_joint_def_default(trn_joint_type type)
{
    /* zero is the default of all other fields; TR_RIGID is zero */
    trn_joint_def def;
    memset(&def, 0, sizeof def);
    def.type = type;
    def.axis.x = 1.0f;
    def.length = 1.0f;
    /* what has no maximum set is unbounded */
    def.motor.maximum = FLT_MAX;
    trn_joint_def_preset(&def);
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
    trn_body_def_preset(&def);
    def.gravity_scale = 1.0f;
    def.enabled = true;
    def.allow_sleep = true;
    def.awake = true;
    def.sleep_scale = 1.0f;
    return def;
}
