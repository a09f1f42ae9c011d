/* The instruction set in use: the library's only global state. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/base.h"

static const struct {
    const char *name;
    uint32_t width;
} sets[TR_ISA_COUNT] = {
    [TR_ISA_SCALAR] = {"scalar", 1},  [TR_ISA_SSE2] = {"sse2", 4}, [TR_ISA_AVX2] = {"avx2", 8},
    [TR_ISA_AVX512] = {"avx512", 16}, [TR_ISA_NEON] = {"neon", 4},
};

#define UNCHOSEN TR_ISA_COUNT

static _Atomic int chosen = UNCHOSEN;

static bool known(tr_isa isa)
{
    return (unsigned)isa < TR_ISA_COUNT;
}

const char *tr_isa_name(tr_isa isa)
{
    return known(isa) ? sets[isa].name : "unknown";
}

uint32_t tr_isa_width(tr_isa isa)
{
    return known(isa) ? sets[isa].width : 0;
}

bool tr_isa_from_name(const char *name, tr_isa *out)
{
    for (int i = 0; name != NULL && out != NULL && i < TR_ISA_COUNT; i++) {
        if (strcmp(name, sets[i].name) != 0)
            continue;
        *out = (tr_isa)i;
        return true;
    }
    return false;
}

bool tr_isa_available(tr_isa isa)
{
    switch (isa) {
    case TR_ISA_SCALAR:
        return true;
#if defined(__x86_64__)
    case TR_ISA_SSE2:
        return true;
#if defined(TR_HAVE_AVX2)
    case TR_ISA_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
#endif
#if defined(TR_HAVE_AVX512)
    case TR_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
#elif defined(__aarch64__)
    case TR_ISA_NEON:
        return true;
#endif
    default:
        return false;
    }
}

/* the one that TRAMMEL_ISA names, if it is available, otherwise the widest */
static tr_isa first_choice(void)
{
    tr_isa isa;
    if (tr_isa_from_name(getenv("TRAMMEL_ISA"), &isa) && tr_isa_available(isa))
        return isa;
    static const tr_isa by_width[] = {TR_ISA_AVX512, TR_ISA_AVX2, TR_ISA_NEON, TR_ISA_SSE2};
    for (size_t i = 0; i < sizeof by_width / sizeof by_width[0]; i++)
        if (tr_isa_available(by_width[i]))
            return by_width[i];
    return TR_ISA_SCALAR;
}

tr_isa tr_get_isa(void)
{
    int isa = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (isa == UNCHOSEN) {
        isa = (int)first_choice();
        atomic_store_explicit(&chosen, isa, memory_order_relaxed);
    }
    return (tr_isa)isa;
}

tr_status tr_set_isa(tr_isa isa)
{
    if (!known(isa))
        return TR_ERROR_RANGE;
    if (!tr_isa_available(isa))
        return TR_ERROR_UNSUPPORTED;
    atomic_store_explicit(&chosen, (int)isa, memory_order_relaxed);
    return TR_OK;
}
