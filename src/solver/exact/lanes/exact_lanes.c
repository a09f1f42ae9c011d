/* Which islands are solved side by side, in which order, and with what memory. */
#include "solver/exact/lanes/exact_lanes.h"

#include "simd/sets.h"

/* rows of the islands that one worker takes at once, about; by rows of joints and of bodies */
#define CHUNK_ROWS 256u
/* twins that are not parted by the end of a chunk: as many as the widest set solves at once */
#define TWINS 8u

#define DECLARE(NAME, suffix) extern const trn_exact_lanes trn_exact_lanes_##suffix;
TR_ISA_SETS(DECLARE)
#undef DECLARE

#define ENTRY(NAME, suffix) [TR_ISA_##NAME] = &trn_exact_lanes_##suffix,
static const trn_exact_lanes *const sets[TR_ISA_COUNT] = {TR_ISA_SETS(ENTRY)};
#undef ENTRY

const trn_exact_lanes *trn_exact_lanes_of(tr_isa isa)
{
    return (unsigned)isa < TR_ISA_COUNT ? sets[isa] : NULL;
}

/* Islands of each shape one after another, in the order of shapes; those that are not plain last. */
static void order_islands(trn_exact *it)
{
    uint32_t at = 0;
    for (uint32_t s = 0; s < it->shape_count; s++)
        it->shapes[s].next = 0;
    for (uint32_t i = 0; i < it->island_count; i++)
        if (it->islands[i].plain)
            it->shapes[it->islands[i].lane_shape].next++;
    for (uint32_t s = 0; s < it->shape_count; s++) {
        const uint32_t count = it->shapes[s].next;
        it->shapes[s].next = at;
        at += count;
    }
    for (uint32_t i = 0; i < it->island_count; i++)
        it->sequence[it->islands[i].plain ? it->shapes[it->islands[i].lane_shape].next++ : at++] = i;
}

bool trn_exact_sort_islands(trn_exact *it)
{
    uint32_t rows = CHUNK_ROWS, twins = 0;
    const trn_exact_island *before = NULL;
    it->chunk_count = 0;
    if (!tr_grow(it->memory, (void **)&it->sequence, &it->sequence_capacity, it->island_count, sizeof *it->sequence))
        return false;
    order_islands(it);
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[it->sequence[i]];
        const bool twin = before != NULL && island->plain && before->plain && before->lane_shape == island->lane_shape;
        twins = twin ? twins + 1 : 0;
        if (rows >= CHUNK_ROWS && (it->chunk_count == 0 || twins % TWINS == 0)) {
            if (!tr_grow(it->memory, (void **)&it->chunks, &it->chunk_capacity, it->chunk_count + 1,
                         sizeof *it->chunks))
                return false;
            it->chunks[it->chunk_count++] = (trn_exact_chunk){i, 0};
            rows = 0;
        }
        it->chunks[it->chunk_count - 1].count++;
        rows += island->row_count + island->body_count;
        before = island;
    }
    return true;
}

bool trn_exact_reserve_lanes(trn_exact *it, trn_exact_worker *worker)
{
    size_t most = 0;
    for (uint32_t s = 0; s < it->shape_count; s++) {
        const trn_exact_shape *shape = &it->shapes[s];
        const bool used =
            shape->used == it->steps && shape->program.column_count > 0 && (shape->cut == NULL || shape->touched > 0);
        const size_t bytes = used ? trn_exact_lanes_for(it, shape, it->lanes->count)->bytes(shape) : 0;
        most = bytes > most ? bytes : most;
    }
    if (most <= worker->lanes_size)
        return true;
    tr_release(it->memory, worker->lanes, worker->lanes_size);
    worker->lanes_of = NULL;
    worker->lanes = tr_allocate(it->memory, most);
    worker->lanes_size = worker->lanes != NULL ? most : 0;
    return worker->lanes != NULL;
}
