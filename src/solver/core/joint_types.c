#include "solver/core/joint_types.h"

#include <math.h>

#include TRN_MEASURES_FILE
#include TRN_EQUATIONS_FILE

#define TR_JOINT_HOST
#include TRN_JOINTS_FILE

#define ENTRY(enumerator, name) [enumerator] = &name##_info,
const trn_joint_type_info *const trn_joint_types[TR_TABLE_COUNT] = {TRN_TABLES(ENTRY)};
