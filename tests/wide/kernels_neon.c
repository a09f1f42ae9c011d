#if defined(__aarch64__)
#define TR_WIDTH 4
#define WIDE_OPS wide_ops_neon
#include "wide_ops.inl"
#else
typedef int tr_not_on_this_machine;
#endif
