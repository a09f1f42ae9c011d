/* Basics of all joints on TR_WIDTH lanes: passes, columns of a block, sane impulses. */
#include "base/angle.h"
#include "simd/rows.h"
#include "solver/core/kernels.h"

/* what a pass does; constants after inlining */
typedef struct trn_pass {
    bool warm_start;
    bool refresh; /* recomputes the geometry from the current poses */
    bool biased;  /* corrects errors, with the method's softness for rigid rows */
    bool project; /* positions have moved with this sub-step's velocities; changes move them, too */
    bool still;   /* no body has moved yet, and poses are not read */
    bool afresh;  /* impulses are 0 before it, and are not read */
    bool bounce;  /* applies restitution */
    bool rebound; /* the same again, to make the bounces of a body consistent */
    bool even;    /* in space, known in the visit: TR_BLOCK_EVEN */
    bool axial;   /* likewise, TR_BLOCK_AXIAL */
    /* velocities have yet to be loaded, from there; null: they are */
    const struct visited *unread;
    float *place; /* separate geometry columns of these lanes; null: no later pass reads them */
} trn_pass;

/* column `index` of the lanes at c */
TR_INLINE wf get(const float *c, int index)
{
    return wf_load(c + TR_LANES * index);
}

TR_INLINE void put(float *c, int index, wf value)
{
    wf_store(c + TR_LANES * index, value);
}

/* Drops an impulse that is not finite or absurd, so that a body that overflows does not affect its neighbours. Usually
   all lanes are sane: then nothing waits for the result of the test. */
TR_INLINE wf sane(wf impulse)
{
    wm fine = wf_le(wf_abs(impulse), wf_set(TR_SANE_IMPULSE));
    if (__builtin_expect(wm_all(fine), 1))
        return impulse;
    return wf_keep(fine, impulse);
}
