#include "solver/core/kernels.h"

#include "simd/sets.h"

#define ENTRY(NAME, suffix) [TR_ISA_##NAME] = &trn_kernels_##suffix,
static const trn_kernels *const sets[TR_ISA_COUNT] = {TR_ISA_SETS(ENTRY)};
#undef ENTRY

const trn_kernels *trn_kernels_of(tr_isa isa)
{
    return (unsigned)isa < TR_ISA_COUNT ? sets[isa] : NULL;
}
