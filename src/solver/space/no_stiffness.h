/* In space sweeps count no restoring torques: what the core asks of them (solver/plane/stiffness.h) does nothing. */
#ifndef TR_SPACE_NO_STIFFNESS_H
#define TR_SPACE_NO_STIFFNESS_H

static inline tr_status tr3_reserve_stiffness(tr3_solver *solver, const tr3_system *system)
{
    (void)solver;
    (void)system;
    return TR_OK;
}

static inline void tr3_begin_stiffness(tr3_step *step)
{
    (void)step;
}

static inline void tr3_end_stiffness(tr3_solver *solver)
{
    (void)solver;
}

static inline void tr3_sum_stiffness(const tr3_step *step, const tr3_chunk *chunks, uint32_t count)
{
    (void)step;
    (void)chunks;
    (void)count;
}

static inline void tr3_see_stiffness(const tr3_step *step, const tr3_chunk *chunk)
{
    (void)step;
    (void)chunk;
}

static inline void tr3_look_for_stiffness(const tr3_step *step, uint32_t kernel, uint32_t block)
{
    (void)step;
    (void)kernel;
    (void)block;
}

#endif
