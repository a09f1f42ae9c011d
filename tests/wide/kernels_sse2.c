#if defined(__x86_64__)
#define TR_WIDTH 4
#define WIDE_OPS wide_ops_sse2
#include "wide_ops.inl"
#else
typedef int tr_not_on_this_machine;
#endif
