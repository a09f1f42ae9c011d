/* Four lanes: every 64-bit ARM processor. */
#if defined(__aarch64__)
#define TR_WIDTH  4
#define TR2_QUADS tr2_quads_neon
#include "collide/quads.inl"
#else
typedef int tr_not_on_this_machine;
#endif
