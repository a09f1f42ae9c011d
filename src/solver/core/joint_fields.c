#include "solver/core/joint_fields.h"

#include <string.h>

#define FIELD(suffix, kind, member) [TR2_##suffix] = {#member, TR2_KIND_##kind, offsetof(tr2_joint_def, member)},
const tr2_field_info tr2_field_infos[TR2_FIELD_COUNT] = {TR2_JOINT_FIELDS(FIELD)};
#undef FIELD

void tr2_field_write(tr2_joint_def *def, tr2_field field, uint32_t bits)
{
    unsigned char *member = (unsigned char *)def + tr2_field_infos[field].offset;
    if (tr2_field_infos[field].kind == TR2_KIND_BOOL) {
        bool value = bits != 0;
        memcpy(member, &value, sizeof value);
        return;
    }
    if (tr2_field_infos[field].kind == TR2_KIND_DOUBLE) {
        float value;
        memcpy(&value, &bits, sizeof value);
        tr2_field_write_double(def, field, (double)value);
        return;
    }
    memcpy(member, &bits, sizeof bits);
}

void tr2_field_write_double(tr2_joint_def *def, tr2_field field, double value)
{
    memcpy((unsigned char *)def + tr2_field_infos[field].offset, &value, sizeof value);
}

size_t tr2_field_size(tr2_field field)
{
    return tr2_field_infos[field].kind == TR2_KIND_DOUBLE ? sizeof(double) : sizeof(float);
}
