#if defined(__x86_64__) && defined(__AVX2__)
#define TR_WIDTH 8
#define WIDE_OPS wide_ops_avx2
#include "wide_ops.inl"
#else
typedef int tr_not_on_this_machine;
#endif
