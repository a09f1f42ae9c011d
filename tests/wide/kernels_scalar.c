#define TR_WIDTH 1
#define WIDE_OPS wide_ops_scalar
#include "wide_ops.inl"
