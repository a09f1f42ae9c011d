/* What floats leave of the velocities of bodies in fine steps: from its columns to the state of a step, and back. */
#include <string.h>

#include "solver/core/stages.h"

/* of a member of a part of a row's velocity, which is in rows or in a tile */
static float *low_of(const trn_kernel_context *k, uint32_t row, int part, int member)
{
    if (!k->tiled)
        return k->low + trn_row_offset(row) + 4 * TR_LANES * part + member;
    return k->low + trn_row_offset(row - row % TR_LANES) + 4 * TR_LANES * part + TR_LANES * member +
           TR_RUN_PLACE(row % TR_LANES);
}

void trn_begin_low(const trn_step *step, const trn_kernel_context *k, const trn_unit *unit)
{
    if (k->low == NULL)
        return;
    const trn_bodies *bodies = step->system->bodies;
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    memset(k->low + trn_row_offset(unit->first_row), 0,
           (size_t)unit->row_count * (TRN_TILE / TR_LANES) * sizeof *k->low);
    for (uint32_t row = unit->first_row; row < unit->first_row + unit->row_count; row++) {
        const uint32_t body = body_of_state[row];
        if (body == TR_NONE || (k->marks[row] & TR_MARK_FALLS) == 0)
            continue;
#define LOAD(part, member, name) *low_of(k, row, part, member) = bodies->name[body];
        TRN_VELOCITY_LOW(LOAD)
#undef LOAD
    }
}

void trn_end_low(const trn_step *step, const trn_kernel_context *k, const trn_unit *unit)
{
    if (k->low == NULL)
        return;
    const trn_bodies *bodies = step->system->bodies;
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    const uint32_t unmoved = TR_BODY_QUARANTINED | TR_BODY_DIRECT;
    for (uint32_t row = unit->first_row; row < unit->first_row + unit->row_count; row++) {
        const uint32_t body = body_of_state[row];
        /* copies are not the row of their body */
        if (body == TR_NONE || state_of_body[body] != row || (k->marks[row] & TR_MARK_FALLS) == 0 ||
            (bodies->flags[body] & unmoved) != 0)
            continue;
#define STORE(part, member, name) bodies->name[body] = *low_of(k, row, part, member);
        TRN_VELOCITY_LOW(STORE)
#undef STORE
    }
}
