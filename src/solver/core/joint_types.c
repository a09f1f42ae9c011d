#include "solver/core/joint_types.h"

#include <math.h>

#include "solver/plane/measure.inl"

#define TR_JOINT_HOST
#include "solver/joints2/table.h"

#define ENTRY(enumerator, name) [enumerator] = &name##_info,
const trn_joint_type_info *const trn_joint_types[TR_TABLE_COUNT] = {TRN_TABLES(ENTRY)};
