/* Stages of a step in which islands that are cut (exact_cut.c) are solved: their pieces in parallel, and what these share. */
#include "solver/exact/lanes/exact_lanes.h"

/* solutions of a kick, at most; stages of each kick with questions, and before and after all kicks */
#define ROUNDS      3u
#define KICK_STAGES (5u * ROUNDS + 4u)
#define END_STAGES  5u
/* Memory of pieces per thread, bytes, from which on the caches of a core do not hold what a kick needs of them, about a third.
   With less, what a worker takes from another would be another chunk in each direction. */
#define TO_AND_FRO_FROM ((size_t)4 << 20)

static trn_exact_cut *cut_of(const trn_exact *it, const trn_exact_divided *island)
{
    return it->shapes[it->islands[island->island].lane_shape].cut;
}

bool trn_exact_reserve_pieces(trn_exact *it, uint32_t substeps, uint32_t threads)
{
    size_t bytes = 0;
    const uint32_t before = it->divided_count;
    bool kept = it->pieces_of == it->lanes;
    it->divided_count = it->pack_count = it->stage_count = 0;
    it->pieces_of = NULL;
    it->pieces_kept = false;
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[i];
        if (!trn_exact_is_cut(it, island))
            continue;
        if (!tr_grow(it->memory, (void **)&it->divided, &it->divided_capacity, it->divided_count + 1,
                     sizeof *it->divided))
            return false;
        const trn_exact_shape *shape = &it->shapes[island->lane_shape];
        trn_exact_divided *to = &it->divided[it->divided_count];
        kept = kept && it->divided_count < before && to->at == bytes && to->shape == shape->serial;
        *to = (trn_exact_divided){.island = i, .first_pack = it->pack_count, .at = bytes, .shape = shape->serial};
        it->divided_count++;
        it->pack_count += it->lanes->packs(shape->cut);
        bytes += it->lanes->cut_bytes(shape->cut);
    }
    it->to_and_fro = bytes / threads >= TO_AND_FRO_FROM;
    if (it->divided_count == 0)
        return true;
    const uint64_t stages = KICK_STAGES * ((uint64_t)substeps + 1) + END_STAGES + 1;
    if (stages > UINT32_MAX ||
        !tr_grow(it->memory, (void **)&it->stages, &it->stage_capacity, (uint32_t)stages, sizeof *it->stages) ||
        !tr_grow(it->memory, (void **)&it->works, &it->work_capacity, (uint32_t)stages, sizeof *it->works))
        return false;
    if (bytes > it->pieces_size) {
        tr_release(it->memory, it->pieces, it->pieces_size);
        it->pieces = tr_allocate(it->memory, bytes);
        it->pieces_size = it->pieces != NULL ? bytes : 0;
        kept = false;
    }
    if (it->pieces == NULL)
        return false;
    it->pieces_kept = kept;
    return true;
}

/* One piece, or a few side by side. */
static void run_pack(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const trn_exact_step *step = context;
    const trn_exact *it = step->exact;
    const trn_exact_work *work = data;
    uint32_t low = 0, high = it->divided_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (it->divided[middle].first_pack <= chunk)
            low = middle;
        else
            high = middle;
    }
    const trn_exact_divided *own = &it->divided[low];
    (void)it->lanes->run_pieces(step, it->pieces + own->at, own->island, *work, chunk - own->first_pack);
}

/* what pieces of an island share */
static void run_shared(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    const trn_exact_step *step = context;
    trn_exact *it = step->exact;
    const trn_exact_work *work = data;
    trn_exact_divided *own = &it->divided[chunk];
    if (work->phase == TR_EXACT_BEGIN)
        it->lanes->begin_cut(cut_of(it, own), it->pieces + own->at, it->pieces_kept);
    else
        own->asks = it->lanes->run_pieces(step, it->pieces + own->at, own->island, *work, 0);
    if (work->phase == TR_EXACT_CHECK && own->asks)
        trn_exact_run_alone(step, worker, own->island);
}

/* whether some island asks for the stages that come next */
static bool is_asked_for(const void *context)
{
    const trn_exact *it = ((const trn_exact_step *)context)->exact;
    bool some = false;
    for (uint32_t i = 0; i < it->divided_count; i++)
        some = some || it->divided[i].asks;
    return some;
}

/* From one stage that goes through all that pieces have to the next the direction changes. */
static bool is_backward(trn_exact_phase phase)
{
    return phase == TR_EXACT_READ || phase == TR_EXACT_FACTOR || phase == TR_EXACT_RELEASE || phase == TR_EXACT_WRITE;
}

static void add_stage(trn_exact *it, trn_exact_phase phase, uint32_t kick, uint32_t round, bool shared)
{
    trn_exact_work *work = &it->works[it->stage_count];
    *work = (trn_exact_work){phase, kick, round};
    it->stages[it->stage_count++] = (tr_pipeline_stage){shared ? run_shared : run_pack,
                                                        work,
                                                        shared ? it->divided_count : it->pack_count,
                                                        TR_STAGE_SOLVE,
                                                        !shared && it->to_and_fro && is_backward(phase),
                                                        0};
}

/* Begins stages that are made only if some island asks for them; returns where. */
static uint32_t begin_optional(trn_exact *it)
{
    static const tr_pipeline_question question = {is_asked_for};
    it->stages[it->stage_count] = (tr_pipeline_stage){NULL, &question, 1, TR_STAGE_SOLVE, false, 0};
    return it->stage_count++;
}

static void end_optional(trn_exact *it, uint32_t first)
{
    it->stages[first].optional = it->stage_count - 1 - first;
}

static void add_kick(trn_exact *it, uint32_t kick)
{
    uint32_t again[ROUNDS];
    add_stage(it, TR_EXACT_EVALUATE, kick, 0, false);
    add_stage(it, TR_EXACT_SHARE_STIFFNESS, kick, 0, true);
    const uint32_t factors = begin_optional(it);
    add_stage(it, TR_EXACT_FACTOR, kick, 0, false);
    end_optional(it, factors);
    add_stage(it, TR_EXACT_TRUNK, kick, 0, true);
    add_stage(it, TR_EXACT_RELEASE, kick, 0, false);
    const uint32_t gains = begin_optional(it);
    for (uint32_t round = 1; round < ROUNDS; round++) {
        add_stage(it, TR_EXACT_WEIGH, kick, round - 1, true);
        again[round] = begin_optional(it);
        add_stage(it, TR_EXACT_FACTOR, kick, round, false);
        add_stage(it, TR_EXACT_TRUNK, kick, round, true);
        add_stage(it, TR_EXACT_RELEASE, kick, round, false);
    }
    for (uint32_t round = 1; round < ROUNDS; round++)
        end_optional(it, again[round]);
    add_stage(it, TR_EXACT_PUSH, kick, 0, false);
    end_optional(it, gains);
    add_stage(it, TR_EXACT_SHARE_CHANGE, kick, 0, true);
}

void trn_exact_add_stages(trn_exact *it, uint32_t substeps)
{
    if (it->divided_count == 0)
        return;
    add_stage(it, TR_EXACT_BEGIN, 0, 0, true);
    add_stage(it, TR_EXACT_READ, 0, 0, false);
    for (uint32_t kick = 0; kick <= substeps; kick++)
        add_kick(it, kick);
    add_stage(it, TR_EXACT_MOVE, substeps, 0, false);
    add_stage(it, TR_EXACT_CHECK, substeps, 0, true);
    add_stage(it, TR_EXACT_WRITE, substeps, 0, false);
}
