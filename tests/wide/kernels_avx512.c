#if defined(__x86_64__) && defined(__AVX512F__)
#define TR_WIDTH 16
#define WIDE_OPS wide_ops_avx512
#include "wide_ops.inl"
#else
typedef int tr_not_on_this_machine;
#endif
