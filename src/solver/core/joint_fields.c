#include "solver/core/joint_fields.h"

#include <string.h>

#define FIELD(suffix, kind, member) [TRN_FIELD_##suffix] = {#member, TR_KIND_##kind, offsetof(trn_joint_def, member)},
const trn_field_info trn_field_infos[TRN_FIELD_COUNT] = {TRN_JOINT_FIELDS(FIELD)};
#undef FIELD

void trn_field_write(trn_joint_def *def, trn_field field, uint32_t bits)
{
    unsigned char *member = (unsigned char *)def + trn_field_infos[field].offset;
    if (trn_field_infos[field].kind == TR_KIND_BOOL) {
        bool value = bits != 0;
        memcpy(member, &value, sizeof value);
        return;
    }
    if (trn_field_infos[field].kind == TR_KIND_DOUBLE) {
        float value;
        memcpy(&value, &bits, sizeof value);
        trn_field_write_double(def, field, (double)value);
        return;
    }
    memcpy(member, &bits, sizeof bits);
}

void trn_field_write_double(trn_joint_def *def, trn_field field, double value)
{
    memcpy((unsigned char *)def + trn_field_infos[field].offset, &value, sizeof value);
}

size_t trn_field_size(trn_field field)
{
    return trn_field_infos[field].kind == TR_KIND_DOUBLE ? sizeof(double) : sizeof(float);
}
