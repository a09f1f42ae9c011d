#include "solver/core/kernels.h"

#include "simd/sets.h"

#define ENTRY(NAME, suffix) [TR_ISA_##NAME] = &tr2_kernels_##suffix,
static const tr2_kernels *const sets[TR_ISA_COUNT] = {TR_ISA_SETS(ENTRY)};
#undef ENTRY

const tr2_kernels *tr2_kernels_of(tr_isa isa)
{
    return (unsigned)isa < TR_ISA_COUNT ? sets[isa] : NULL;
}
