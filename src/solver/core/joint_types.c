#include "solver/core/joint_types.h"

#include <math.h>

#include "solver/plane/measure.inl"

#define TR2_JOINT_HOST
#include "solver/joints2/table.h"

#define ENTRY(enumerator, name) [enumerator] = &name##_info,
const tr2_joint_type_info *const tr2_joint_types[TR2_TABLE_COUNT] = {TR2_TABLES(ENTRY)};
