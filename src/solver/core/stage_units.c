/* Stages over units: whole steps of those that nothing outside affects, and visits to the others. */
#include <string.h>

#include "parallel/topology.h"
#include "solver/core/stages.h"

/* the clock of a worker for a unit, if the unit is timed */
typedef struct trn_watch {
    double *seconds; /* per label; null: not timed */
    double since;
} trn_watch;

/* Reading the clock takes as long as solving ten joints. So only every eighth unit is timed, or about four units if
   there are more than MANY_UNITS: enough to estimate how the time is shared. If there are fewer, even that would take
   long, so only some steps are timed. */
#define MANY_UNITS  32u
#define TIMED_STEPS 8u

bool trn_is_timed(const trn_solver *solver)
{
    return !solver->shares_known || solver->unit_count > MANY_UNITS || solver->report.steps % TIMED_STEPS == 0;
}

static trn_watch watch_start(const trn_step *step, uint32_t unit, uint32_t worker)
{
    uint32_t every = step->solver->unit_count > MANY_UNITS ? step->solver->unit_count / 4 : MANY_UNITS / 4;
    trn_watch watch = {step->timed && unit % every == 0 ? step->samples[worker].seconds : NULL, 0.0};
    if (watch.seconds != NULL)
        watch.since = tr_clock_seconds();
    return watch;
}

static void watch_note(trn_watch *watch, tr_stage label)
{
    if (watch->seconds == NULL)
        return;
    double now = tr_clock_seconds();
    watch->seconds[label] += now - watch->since;
    watch->since = now;
}

void trn_share_seconds(trn_solver *solver, uint32_t workers, tr_pipeline_report *report)
{
    double sums[TR_STAGE_COUNT] = {0}, all = 0.0, visits = report->seconds[TR_STAGE_COUNT];
    const trn_samples *samples = solver->samples.data;
    for (uint32_t worker = 0; worker < workers; worker++) {
        for (uint32_t label = 0; label < TR_STAGE_COUNT; label++) {
            sums[label] += samples[worker].seconds[label];
            all += samples[worker].seconds[label];
        }
    }
    solver->shares_known = solver->shares_known || all > 0.0;
    for (uint32_t label = 0; label < TR_STAGE_COUNT; label++) {
        if (all > 0.0)
            solver->label_shares[label] = sums[label] / all;
        report->seconds[label] += visits * solver->label_shares[label];
    }
}

static void prepare_rows(trn_step *step, const trn_kernel_context *context, const trn_unit *unit)
{
    const trn_chunk *chunks = (const trn_chunk *)step->solver->chunks.data + unit->first_chunk;
    if (step->stiffness != NULL && step->solver->hub_count == 0)
        trn_sum_stiffness(step, chunks, unit->chunk_count);
    trn_prepare_rows(step, context, unit);
    trn_begin_low(step, context, unit);
}

/* the rows must be prepared */
static void prepare_joints(trn_step *step, const trn_kernel_context *context, const trn_unit *unit)
{
    const trn_chunk *chunks = (const trn_chunk *)step->solver->chunks.data + unit->first_chunk;
    for (uint32_t c = 0; c < unit->chunk_count;) {
        const trn_chunk all = trn_next_chunks(chunks, unit->chunk_count, &c);
        trn_prepare_chunk(step, context, &all);
    }
}

/* Whether the joints of a unit are prepared before its first visit: contacts read velocities as the step begins, and
   before that visit the seams change some. */
static bool is_early(const trn_step *step, const trn_unit *unit)
{
    const trn_chunk *chunks = (const trn_chunk *)step->solver->chunks.data + unit->first_chunk;
    bool contacts = false;
    for (uint32_t c = 0; c < unit->chunk_count && !contacts; c++)
        contacts = trn_kernel_type(chunks[c].kernel) == TR_CONTACT;
    return contacts;
}

static void finish_unit(trn_step *step, const trn_kernel_context *context, const trn_unit *unit)
{
    const trn_chunk *chunks = (const trn_chunk *)step->solver->chunks.data + unit->first_chunk;
    for (uint32_t c = 0; c < unit->chunk_count;) {
        const trn_chunk all = trn_next_chunks(chunks, unit->chunk_count, &c);
        trn_finish_chunk(step, &all);
    }
    trn_finish_rows(step, context, unit);
    trn_end_low(step, context, unit);
}

/* a whole unit keeps its worker's columns for the entire step; others only until the next visit */
static trn_keep keep_of(const trn_step *step, const trn_unit *unit, uint32_t worker)
{
    if (unit->place_count == 0)
        return (trn_keep){NULL, false};
    if (step->all_places != NULL && !unit->whole)
        return (trn_keep){step->all_places + (size_t)unit->first_place * TR_LANES, true};
    return (trn_keep){step->unit_places + (size_t)worker * step->solver->unit_places * TR_LANES, unit->whole};
}

static bool is_turnable(const trn_chunk *chunk)
{
    return trn_kernel_type(chunk->kernel) == TR_CONTACT && !chunk->fixed && chunk->count > 0;
}

/* The colours of a unit's contacts, but for those with fixed bodies, which come last; by colour. */
typedef struct trn_turns {
    uint8_t instead[TR_COLORS_MOVING]; /* the colour that a pass visits in the place of this one: trn_step.turn */
    uint32_t first[TR_COLORS_MOVING], end[TR_COLORS_MOVING]; /* all its chunks are among these of the unit */
} trn_turns;

/* Whole colours change places, because the number of a colour's chunks depends on the history of the layout. */
static void find_turns(const trn_step *step, const trn_unit *unit, trn_turns *out)
{
    const trn_chunk *chunks = (const trn_chunk *)step->solver->chunks.data + unit->first_chunk;
    uint64_t colors = 0;
    for (uint32_t c = 0; c < unit->chunk_count; c++) {
        const uint32_t color = chunks[c].color;
        if (!is_turnable(&chunks[c]))
            continue;
        if ((colors >> color & 1u) == 0)
            out->first[color] = c;
        out->end[color] = c + 1;
        colors |= UINT64_C(1) << color;
    }
    uint8_t sorted[TR_COLORS_MOVING];
    uint32_t count = 0, turn = step->turn;
    for (uint64_t left = colors; left != 0; left &= left - 1)
        sorted[count++] = (uint8_t)__builtin_ctzll(left);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = (i + (turn < 2 ? 0 : count / 2)) % count;
        out->instead[sorted[i]] = sorted[turn % 2 == 0 ? place : count - 1 - place];
    }
}

/* state of a worker during its visit to a unit */
typedef struct trn_visitor {
    trn_step *step;
    const trn_kernel_context *context;
    const trn_unit *unit;
    const trn_turns *turns;
    trn_keep keep;
    trn_watch watch;
    bool moving;   /* positions have yet to move: those of ... */
    trn_part part; /* ... these rows; if all, in one pass with velocities if these come next */
    /* of visits that prefetch: */
    trn_kernel_context *aimed; /* the context, to be changed from pass to pass; null: there is no prefetching */
    const trn_unit *next;      /* unit of the next visit; null: none */
    bool fetched;              /* this unit's blocks are in the cache */
    uint32_t passes, share;    /* number of passes that prefetch a part of the next unit, and of the current one */
    uint32_t row;              /* the next unit's rows up to here have been prefetched */
} trn_visitor;

static void finish_moving(trn_visitor *v)
{
    if (!v->moving)
        return;
    v->moving = false;
    v->step->kernels->integrate_positions(v->context, v->unit->first_row, v->unit->row_count, v->part);
    watch_note(&v->watch, TR_STAGE_INTEGRATE);
}

/* the first row of the first group on the rim, from `row` on; `end` if there is none */
static uint32_t rim_from(const trn_step *step, uint32_t row, uint32_t end)
{
    while (row < end && (step->context.rims[row / TR_LANES] & trn_rim_bit(row)) == 0)
        row += TR_RUN_GROUP;
    return row;
}

/* of one group of rows; restrict allows vectorisation */
static void add_ahead(float *restrict v, float *restrict ahead)
{
    TR_TILE_LOOP
    for (uint32_t i = 0; i < 4 * TR_RUN_GROUP; i++) {
        v[i] += ahead[i];
        ahead[i] = 0.0f;
    }
}

/* adds what the seams' warm start has changed ahead of time */
static void catch_up(trn_step *step, const trn_unit *unit)
{
    uint32_t end = unit->first_row + unit->row_count;
    for (uint32_t row = rim_from(step, unit->first_row, end); row < end; row = rim_from(step, row + TR_RUN_GROUP, end))
        for (int part = 0; part < TRN_PARTS; part++)
            add_ahead(trn_group_of(step->context.velocities, row, part),
                      trn_group_of(step->ahead.velocities, row, part));
}

/* nothing is ahead of time yet; after everything that reads the places */
static void begin_ahead(const trn_step *step, const trn_unit *unit)
{
    uint32_t end = step->ahead.velocities != NULL ? unit->first_row + unit->row_count : 0;
    for (uint32_t row = rim_from(step, unit->first_row, end); row < end; row = rim_from(step, row + TR_RUN_GROUP, end))
        for (int part = 0; part < TRN_PARTS; part++)
            memset(trn_group_of(step->ahead.velocities, row, part), 0, 4 * TR_RUN_GROUP * sizeof(float));
}

static void move_velocities(trn_visitor *v, trn_part part)
{
    const trn_kernels *kernels = v->step->kernels;
    if (v->part != TR_ALL_ROWS)
        finish_moving(v);
    if (v->moving)
        kernels->integrate_both(v->context, v->unit->first_row, v->unit->row_count);
    else
        kernels->integrate_velocities(v->context, v->unit->first_row, v->unit->row_count, part);
    v->moving = false;
    if (v->step->ahead.velocities != NULL && !v->unit->whole && part == TR_ALL_ROWS)
        catch_up(v->step, v->unit);
}

/* how many blocks the next unit's blocks of a kernel are behind this unit's; 0: not known */
static uint32_t distance_to(const trn_solver *solver, const trn_unit *unit, const trn_unit *next, uint32_t kernel)
{
    const trn_chunk *own = (const trn_chunk *)solver->chunks.data + unit->first_chunk,
                    *own_end = own + unit->chunk_count;
    const trn_chunk *of = (const trn_chunk *)solver->chunks.data + next->first_chunk, *of_end = of + next->chunk_count;
    while (own < own_end && own->kernel != kernel)
        own++;
    while (of < of_end && of->kernel != kernel)
        of++;
    return own < own_end && of < of_end && of->first > own->first ? of->first - own->first : 0;
}

/*
 * Sets what a pass over a chunk prefetches: a share of the next unit, so that memory and the core work at the same
 * time. If nobody has prefetched this unit, the first pass prefetches its blocks.
 */
static void aim(trn_visitor *v, const trn_chunk *chunk)
{
    trn_prefetch *prefetch = &v->aimed->prefetch;
    if (!v->fetched) {
        *prefetch = v->step->context.prefetch;
        return;
    }
    *prefetch = (trn_prefetch){0};
    if (v->next == NULL)
        return;
    const trn_solver *solver = v->step->solver;
    uint32_t lines = (uint32_t)(solver->blocks[chunk->kernel].stride / TR_ALIGNMENT);
    *prefetch = (trn_prefetch){.ahead = distance_to(solver, v->unit, v->next, chunk->kernel),
                               .first_line = lines * v->share / v->passes,
                               .end_line = lines * (v->share + 1) / v->passes,
                               .row = v->row,
                               .end_row = v->next->first_row + v->next->row_count};
    if (prefetch->ahead > 0)
        v->row += TR_RUN_GROUP * chunk->count;
}

/* after a pass */
static void count_pass(trn_visitor *v)
{
    v->share += v->fetched;
    v->fetched = true;
}

static void pass_chunk(trn_visitor *v, const trn_chunk *chunk, const trn_action *action, bool last)
{
    if (v->aimed != NULL)
        aim(v, chunk);
    trn_pass_chunk(v->step, v->context, chunk, action, v->keep, last);
}

static uint32_t number_of(const trn_visitor *v)
{
    return (uint32_t)(v->unit - (const trn_unit *)v->step->solver->units.data);
}

/* joints by colours, contacts by the colours in turn */
static void pass_unit(trn_visitor *v, const trn_action *action, bool last)
{
    const uint32_t count = v->unit->chunk_count;
    const trn_chunk *chunks = (const trn_chunk *)v->step->solver->chunks.data + v->unit->first_chunk;
    for (uint32_t c = 0; c < count;) {
        if (!is_turnable(&chunks[c])) {
            const trn_chunk all = trn_next_chunks(chunks, count, &c);
            pass_chunk(v, &all, action, last);
            continue;
        }
        const uint32_t of = c++;
        if (v->turns->first[chunks[of].color] != of)
            continue;
        const uint32_t color = v->turns->instead[chunks[of].color];
        for (uint32_t i = v->turns->first[color]; i < v->turns->end[color]; i++) {
            if (is_turnable(&chunks[i]) && chunks[i].color == color)
                pass_chunk(v, &chunks[i], action, last);
        }
        if (v->step->program.borders)
            trn_answer_in(v->step, number_of(v), action);
    }
}

/* Islands with borders in a whole unit respond to an action. Sweeps that relax afterwards are repeated while they do much to
   them: what sweeps and islands do to each other in one turn is little where heavy things lie on light ones. */
static void let_respond(trn_visitor *v, const trn_action *action, bool last)
{
    const trn_step *step = v->step;
    bool more = trn_respond_in(step, number_of(v), action) && trn_repeats(&step->program, action);
    for (uint32_t i = 1; i < TR_BORDER_PASSES && more; i++) {
        pass_unit(v, action, last);
        more = trn_respond_in(step, number_of(v), action);
    }
}

static void act(trn_visitor *v, const trn_action *action, bool last)
{
    trn_part part = action->rim_first && !v->unit->whole ? TR_INNER_ROWS : TR_ALL_ROWS;
    if (action->kind == TR_MOVE_POSITIONS) {
        v->moving = true;
        v->part = part;
    }
    if (action->kind == TR_MOVE_POSITIONS && !(v->step->program.borders && trn_is_responded_to(action)))
        return;
    if (action->kind != TR_MOVE_VELOCITIES)
        finish_moving(v);
    if (action->kind == TR_MOVE_VELOCITIES)
        move_velocities(v, part);
    if (action->kind == TR_PASS) {
        pass_unit(v, action, last);
        count_pass(v);
    }
    if (v->step->program.borders && v->unit->whole && trn_is_responded_to(action))
        let_respond(v, action, last);
    v->keep.here = v->keep.here || (action->kind == TR_PASS && !last);
    watch_note(&v->watch, action->label);
}

/* Lets the passes of a whole unit prefetch the next one, which this worker will probably take: most of a small unit's time
   it would wait for memory else. `context`: a copy for this unit */
static void begin_fetching(trn_visitor *v, trn_kernel_context *context)
{
    const trn_step *step = v->step;
    const trn_unit *next = v->unit + 1, *end = (const trn_unit *)step->solver->units.data + step->solver->unit_count;
    const trn_action *actions = step->solver->actions.data;
    if (step->context.prefetch.ahead == 0 || next >= end || !next->whole)
        return;
    *context = *v->context;
    v->aimed = context;
    v->context = context;
    v->fetched = true;
    for (uint32_t i = 0; i < step->solver->action_count; i++)
        v->passes += actions[i].kind == TR_PASS;
    v->next = next;
    v->row = next->first_row;
}

/* runs the whole step of a unit, while its data stay in one core's caches */
static void step_unit(trn_step *step, const trn_unit *unit, uint32_t worker, trn_watch watch)
{
    trn_turns turns;
    find_turns(step, unit, &turns);
    trn_visitor v = {.step = step,
                     .context = trn_unit_is_tiled(step->solver, unit) ? &step->tiled : &step->near,
                     .unit = unit,
                     .turns = &turns,
                     .keep = keep_of(step, unit, worker),
                     .watch = watch};
    const trn_action *actions = step->solver->actions.data;
    prepare_rows(step, v.context, unit);
    prepare_joints(step, v.context, unit);
    step->kernels->begin_rows(v.context, unit->first_row, unit->row_count);
    watch_note(&v.watch, TR_STAGE_PREPARE);
    trn_kernel_context aimed;
    begin_fetching(&v, &aimed);
    for (uint32_t i = 0; i < step->solver->action_count; i++)
        act(&v, &actions[i], false);
    for (uint32_t i = 0; step->program.bounces && i <= TR_REBOUNDS; i++) {
        trn_action action = trn_bounce_at(i);
        act(&v, &action, true);
    }
    finish_moving(&v);
    finish_unit(step, v.context, unit);
    watch_note(&v.watch, TR_STAGE_FINISH);
}

void trn_run_rows(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    trn_step *step = context;
    const trn_stage_data *stage = data;
    const trn_unit *unit = (const trn_unit *)step->solver->units.data + stage->first + chunk;
    if (unit->idle)
        return;
    trn_prepare_rows(step, &step->context, unit);
    trn_begin_low(step, &step->context, unit);
    step->kernels->begin_rows(&step->context, unit->first_row, unit->row_count);
}

void trn_run_units(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    trn_step *step = context;
    const trn_unit *unit = (const trn_unit *)step->solver->units.data + chunk;
    if (unit->idle)
        return;
    trn_watch watch = watch_start(step, chunk, worker);
    if (unit->whole) {
        step_unit(step, unit, worker, watch);
        return;
    }
    prepare_rows(step, &step->context, unit);
    /* all of it sleeps: no visit comes */
    if (!unit->moves)
        step->kernels->begin_rows(&step->context, unit->first_row, unit->row_count);
    if (is_early(step, unit))
        prepare_joints(step, &step->context, unit);
    watch_note(&watch, TR_STAGE_PREPARE);
}

static const trn_unit *visited(const trn_step *step, uint32_t visit)
{
    uint32_t unit = ((const uint32_t *)step->solver->visits.data)[visit];
    return (const trn_unit *)step->solver->units.data + unit;
}

/* brings the records of a unit's bodies, from a row on, into the cache, which a pass would wait for one by one */
static void prefetch_rows(const trn_kernel_context *context, const trn_unit *unit, uint32_t row)
{
    for (; row < unit->first_row + unit->row_count; row += TR_RUN_GROUP) {
        for (int part = 0; part < TRN_PARTS; part++) {
            __builtin_prefetch(trn_group_of(context->velocities, row, part), 1);
            __builtin_prefetch(trn_group_of(context->poses, row, part));
        }
    }
}

/* the first visit begins with what is left to prepare */
static void begin_visit(trn_visitor *v)
{
    trn_step *step = v->step;
    if (!is_early(step, v->unit))
        prepare_joints(step, v->context, v->unit);
    step->kernels->begin_rows(v->context, v->unit->first_row, v->unit->row_count);
    begin_ahead(step, v->unit);
    watch_note(&v->watch, TR_STAGE_PREPARE);
}

/* `context`: a copy for this visit */
static void begin_prefetching(trn_visitor *v, const trn_stage_data *stage, uint32_t visit, uint32_t worker,
                              trn_kernel_context *context)
{
    const trn_solver *solver = v->step->solver;
    bool fetched = v->step->samples[worker].fetched == visit + 1;
    v->aimed = context;
    v->context = context;
    if (!fetched)
        prefetch_rows(context, v->unit, v->unit->first_row);
    /* preparing them brings blocks into the cache */
    v->fetched = fetched || (stage->begins && !is_early(v->step, v->unit));
    v->passes = stage->passes - (v->fetched ? 0 : 1);
    if (v->passes == 0 || visit + 1 >= solver->visit_loose)
        return;
    v->next = visited(v->step, visit + 1);
    v->row = v->next->first_row;
}

static void end_prefetching(const trn_visitor *v, uint32_t visit, uint32_t worker)
{
    v->step->samples[worker].fetched = v->next != NULL ? visit + 2 : 0;
    if (v->next != NULL)
        prefetch_rows(v->context, v->next, v->row);
}

void trn_run_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    trn_step *step = context;
    const trn_stage_data *stage = data;
    const uint32_t visit = stage->first + chunk;
    const bool prefetches = step->context.prefetch.ahead > 0 && stage->passes > 0;
    const trn_unit *unit = visited(step, visit);
    if (stage->action.repeats && !trn_is_near_border(step, ((const uint32_t *)step->solver->visits.data)[visit]))
        return;
    trn_kernel_context aimed = step->near;
    trn_turns turns;
    find_turns(step, unit, &turns);
    trn_visitor v = {.step = step,
                     .context = &step->near,
                     .unit = unit,
                     .turns = &turns,
                     .keep = keep_of(step, unit, worker),
                     .watch = watch_start(step, chunk, worker)};
    bool stays = v.keep.here;
    if (prefetches)
        begin_prefetching(&v, stage, visit, worker, &aimed);
    if (stage->begins)
        begin_visit(&v);
    const trn_action *actions = (const trn_action *)step->solver->actions.data + stage->first_action;
    for (uint32_t i = 0; i < stage->actions; i++)
        act(&v, &actions[i], !stays && i + 1 == stage->actions);
    finish_moving(&v);
    if (prefetches)
        end_prefetching(&v, visit, worker);
    if (stage->finishes) {
        finish_unit(step, v.context, v.unit);
        watch_note(&v.watch, TR_STAGE_FINISH);
    }
}

void trn_run_move_rim(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const trn_stage_data *stage = data;
    trn_step *step = context;
    const trn_unit *unit = visited(step, chunk);
    if (stage->action.kind == TR_MOVE_POSITIONS) {
        step->kernels->integrate_positions(&step->context, unit->first_row, unit->row_count, TR_RIM_ROWS);
        return;
    }
    /* at first, in the place of poses are frames, which units have yet to prepare their joints from */
    trn_kernel_context still = step->context;
    if (stage->action.substep == 0)
        still.poses = NULL;
    step->kernels->integrate_velocities(&still, unit->first_row, unit->row_count, TR_RIM_ROWS);
    if (stage->action.substep > 0)
        catch_up(step, unit);
}

void trn_run_begin_ahead(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const trn_stage_data *stage = data;
    begin_ahead(context, visited(context, stage->first + chunk));
}

void trn_run_bounce_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    const trn_stage_data *stage = data;
    trn_step *step = context;
    const trn_unit *unit = visited(step, stage->first + chunk);
    trn_turns turns;
    find_turns(step, unit, &turns);
    trn_visitor v = {
        .step = step, .context = &step->context, .unit = unit, .turns = &turns, .keep = keep_of(step, unit, worker)};
    act(&v, &stage->action, true);
}
