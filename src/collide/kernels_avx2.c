/* Eight lanes. */
#if defined(__x86_64__) && defined(__AVX2__)
#define TR_WIDTH  8
#define TR2_QUADS tr2_quads_avx2
#include "collide/quads.inl"
#else
typedef int tr_not_on_this_machine;
#endif
