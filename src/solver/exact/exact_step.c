/* A step of the direct method: kicks and drifts of islands, and what is written to the tables. */
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "solver/exact/exact_border.h"
#include "solver/exact/lanes/exact_lanes.h"

tr_status trn_exact_create(tr_memory *memory, trn_exact **out)
{
    *out = tr_allocate(memory, sizeof **out);
    if (*out == NULL)
        return TR_ERROR_MEMORY;
    (*out)->memory = memory;
    return TR_OK;
}

void trn_exact_destroy(trn_exact *it)
{
    if (it == NULL)
        return;
    tr_memory *m = it->memory;
    trn_exact_forget_shapes(it, true);
    for (uint32_t w = 0; w < it->worker_count; w++) {
        tr_factor_destroy(it->workers[w].factor);
        tr_release(m, it->workers[w].x, it->workers[w].room * sizeof *it->workers[w].x);
        tr_release(m, it->workers[w].lanes, it->workers[w].lanes_size);
    }
    tr_release(m, it->state, it->state_capacity * sizeof *it->state);
    tr_release(m, it->begun, it->begun_capacity * sizeof *it->begun);
    tr_release(m, it->moving, it->moving_capacity * sizeof *it->moving);
    tr_release(m, it->movers, it->mover_capacity * sizeof *it->movers);
    tr_release(m, it->parent, it->parent_capacity * sizeof *it->parent);
    tr_release(m, it->bodies, it->body_capacity * sizeof *it->bodies);
    tr_release(m, it->body_row, it->body_row_capacity * sizeof *it->body_row);
    tr_release(m, it->joints, it->joint_capacity * sizeof *it->joints);
    tr_release(m, it->pins, it->pin_capacity * sizeof *it->pins);
    tr_release(m, it->turns, it->turn_capacity * sizeof *it->turns);
    tr_release(m, it->rows, it->row_capacity * sizeof *it->rows);
    tr_release(m, it->jacobian, it->block_capacity * sizeof *it->jacobian);
    tr_release(m, it->islands, it->island_capacity * sizeof *it->islands);
    tr_release(m, it->chunks, it->chunk_capacity * sizeof *it->chunks);
    tr_release(m, it->kind, it->kind_capacity * sizeof *it->kind);
    tr_release(m, it->sequence, it->sequence_capacity * sizeof *it->sequence);
    tr_release(m, it->order, it->order_capacity * sizeof *it->order);
    tr_release(m, it->touches, it->touch_capacity * sizeof *it->touches);
    tr_release(m, it->touch_order, it->touch_order_capacity * sizeof *it->touch_order);
    tr_release(m, it->rests, it->rest_capacity * sizeof *it->rests);
    tr_release(m, it->touched, it->touched_capacity * sizeof *it->touched);
    tr_release(m, it->shapes, it->shape_capacity * sizeof *it->shapes);
    tr_release(m, it->motions, it->motion_capacity * sizeof *it->motions);
    tr_release(m, it->key, it->key_capacity);
    tr_release(m, it->cells, it->cells_capacity);
    tr_release(m, it->workers, it->worker_count * sizeof *it->workers);
    trn_exact_free_borders(it);
    tr_release(m, it->divided, it->divided_capacity * sizeof *it->divided);
    tr_release(m, it->pieces, it->pieces_size);
    tr_release(m, it->stages, it->stage_capacity * sizeof *it->stages);
    tr_release(m, it->works, it->work_capacity * sizeof *it->works);
    tr_release(m, it, sizeof *it);
}

void trn_exact_put_back(const trn_exact_kick *kick, trn_exact_body *body)
{
    trn_exact *it = kick->step->exact;
    const double none[TRN_DEGREES] = {0.0};
    body->bad = true;
    it->state[body->row] = it->begun[body->row];
    trn_exact_set_velocity(&it->state[body->row], none);
}

static void find_fall(const trn_exact_kick *kick, trn_exact_body *body)
{
    const trn_bodies *bodies = kick->step->system->bodies;
    const uint32_t row = body->row;
    /* one that is not late falls by half a sub-step in the first kick, whatever its island does */
    const bool whole = kick->elapsed > 0.0 || kick->last || (kick->step->exact->kind[row] & TR_EXACT_LATE) != 0;
    const double time = whole ? kick->time : 0.5 * kick->h;
    double v[TRN_DEGREES], torque[TRN_DEGREES];
    trn_exact_inertia(bodies, &kick->step->exact->state[row], body);
    trn_exact_velocity(&kick->step->exact->state[row], v);
    trn_dvec pull = trn_plus(trn_times((double)trn_body_number(bodies->gravity_scale, row, 1.0f),
                                       trn_widen(kick->step->system->settings.gravity)),
                             trn_times(1.0 / body->mass, trn_widen(trn_body_force(bodies, row))));
    trn_equation_put(torque, pull, trn_widen_spin(trn_body_torque(bodies, row)));
    /* a second-order damping that never turns a velocity back */
    const double c[2] = {time * (double)trn_body_number(bodies->linear_damping, row, 0.0f),
                         time * (double)trn_body_number(bodies->angular_damping, row, 0.0f)};
    for (uint32_t i = 0; i < TRN_DEGREES; i++) {
        double rate = torque[i], own = c[i >= TRN_AXES];
        if (i >= TRN_AXES) {
            rate = 0.0;
            for (uint32_t k = 0; k < TRN_SPINS; k++)
                rate += body->inverse[i - TRN_AXES][k] * torque[TRN_AXES + k];
        }
        body->fall[i] = time * rate - (own + 0.5 * own * own) / (1.0 + own + 0.5 * own * own) * v[i];
    }
}

/* takes up the change of velocity and the correction, and moves */
void trn_exact_move_body(const trn_exact_kick *kick, trn_exact_body *body)
{
    trn_exact *it = kick->step->exact;
    trn_body_state *state = &it->state[body->row];
    double v[TRN_DEGREES];
    trn_exact_velocity(state, v);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        v[i] += body->change[i];
    trn_exact_set_velocity(state, v);
    trn_exact_shift(state, body->shift);
    if (!kick->last)
        trn_exact_drift(kick->step->system->bodies, body->row, state, kick->h, true);
    if (body->bad || !trn_exact_is_sane(state, kick->h, kick->step->unit))
        trn_exact_put_back(kick, body);
}

void trn_exact_begin_body(const trn_exact_kick *kick, trn_exact_body *body)
{
    trn_body_state next = kick->step->exact->state[body->row];
    double v[TRN_DEGREES];
    find_fall(kick, body);
    trn_exact_velocity(&next, v);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        v[i] += body->fall[i];
    trn_exact_set_velocity(&next, v);
    if (!body->bad && trn_exact_is_sane(&next, kick->h, kick->step->unit))
        return;
    trn_exact_put_back(kick, body);
    trn_exact_inertia(kick->step->system->bodies, &kick->step->exact->state[body->row], body);
    memset(body->fall, 0, sizeof body->fall);
}

static void run_kick(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    trn_exact_body *bodies = &it->bodies[island->first_body];
    for (uint32_t b = 0; b < island->body_count; b++)
        trn_exact_begin_body(kick, &bodies[b]);
    if (island->joint_count > 0) {
        trn_exact_evaluate(kick);
        trn_exact_solve(kick);
    } else {
        for (uint32_t b = 0; b < island->body_count; b++)
            memcpy(bodies[b].change, bodies[b].fall, sizeof bodies[b].change);
    }
    for (uint32_t b = 0; b < island->body_count; b++)
        trn_exact_move_body(kick, &bodies[b]);
}

void trn_exact_write_places(const trn_exact_joint *joint, const trn_joints *joints)
{
    if (joint->place >= 0 && joints->impulse[joint->place] != NULL)
        joints->impulse[joint->place][joint->row] = tr_finite_float(joint->angle);
    const trn_joint_type_info *info = trn_joint_types[joint->type];
    for (uint32_t i = 0, place = 0; info->wind != NULL && i < info->impulse_count; i++)
        if (info->impulse_roles[i] == TR_ROLE_PLACE && joints->impulse[i] != NULL)
            joints->impulse[i][joint->row] = tr_finite_float(joint->last[place++]);
}

static void write_joint(const trn_exact_step *step, trn_exact_joint *joint)
{
    const trn_exact *it = step->exact;
    const trn_joints *joints = &step->system->joints[joint->type];
    const trn_watched *watched = &step->solver->watched;
    const bool watches = trn_exact_is_watched(watched, joint->slot);
    if (joint->type != TR_CONTACT && trn_joint_types[joint->type]->keeps_speed) {
        /* that after the last kick */
        trn_joint_pose pose;
        trn_equations equations;
        trn_exact_equations(it, step->system, joint, step->h * step->substeps, &pose, &equations);
        trn_exact_follow(joint, &pose);
    }
    trn_exact_write_places(joint, joints);
    for (uint32_t r = 0; r < joint->row_count; r++) {
        const trn_exact_row *row = &it->rows[joint->first_row + r];
        if (row->column < 0 || joints->impulse[row->column] == NULL)
            continue;
        /* as that of a whole sub-step */
        joints->impulse[row->column][joint->row] = trn_exact_impulse(row->length * row->force * step->h);
        if (watches) {
            trn_watched_add(watched, joint->slot, (uint32_t)row->column, tr_finite_float(row->length * row->total[0]),
                            true);
            trn_watched_add(watched, joint->slot, (uint32_t)row->column, tr_finite_float(row->length * row->total[1]),
                            false);
        }
    }
    if (joint->type == TR_CONTACT)
        trn_exact_contact_write(step, joint);
}

double trn_exact_first_time(const trn_exact_step *step, const trn_exact_island *island)
{
    const trn_exact *it = step->exact;
    bool late = false;
    for (uint32_t b = 0; b < island->body_count; b++)
        late = late || (it->kind[it->bodies[island->first_body + b].row] & TR_EXACT_LATE) != 0;
    return late ? step->h : 0.5 * step->h;
}

static void run_kicks(const trn_exact_step *step, trn_exact_worker *worker, trn_exact_island *island)
{
    const trn_exact *it = step->exact;
    const double first = trn_exact_first_time(step, island);
    const bool untouched = trn_exact_is_untouched(it, island);
    island->solves = island->most = island->unsettled = 0;
    for (uint32_t s = 0; s <= step->substeps; s++) {
        const bool last = s == step->substeps;
        const trn_exact_kick kick = {.step = step,
                                     .worker = worker,
                                     .island = island,
                                     .shape = island->joint_count > 0 ? &it->shapes[island->shape] : NULL,
                                     .h = step->h,
                                     .time = s == 0 ? first
                                             : last ? 0.5 * step->h
                                                    : step->h,
                                     .elapsed = s * step->h,
                                     .last = last,
                                     .counts = s == 0 ? 0.5 * step->h / first : 1.0,
                                     .early = s < step->substeps / 2,
                                     .untouched = untouched};
        run_kick(&kick);
    }
}

static void run_island(const trn_exact_step *step, trn_exact_worker *worker, trn_exact_island *island)
{
    trn_exact *it = step->exact;
    trn_bodies *bodies = step->system->bodies;
    /* one with a border has made its step beside the sweeps: exact_border.c */
    const bool bordered = trn_exact_has_border(it, island);
    if (!bordered)
        run_kicks(step, worker, island);
    for (uint32_t b = 0; b < island->body_count; b++) {
        const trn_exact_body *body = &it->bodies[island->first_body + b];
        uint32_t *flags = &bodies->flags[body->row];
        *flags = bordered ? *flags | TR_BODY_LATE : *flags & ~TR_BODY_LATE;
        worker->stopped = worker->stopped || body->bad;
        if (body->bad)
            trn_body_quarantine(bodies, body->row);
        else
            trn_exact_state_write(bodies, body->row, &it->state[body->row], trn_exact_motions(it));
    }
    for (uint32_t j = 0; j < island->joint_count; j++)
        write_joint(step, &it->joints[island->first_joint + j]);
}

void trn_exact_run_alone(const trn_exact_step *step, uint32_t worker, uint32_t island)
{
    trn_exact *it = step->exact;
    trn_exact_island alone = it->islands[island];
    trn_exact_copy(it, step->system, worker, &alone, (double)step->solver->report.inv_h);
    run_island(step, &it->workers[worker], &alone);
    it->islands[island].solves = alone.solves;
    it->islands[island].most = alone.most;
    it->islands[island].unsettled = alone.unsettled;
}

/* Islands from a place of the sequence on: twins together, and none that is cut. Returns how many. */
static uint32_t run_islands(const trn_exact_step *step, uint32_t worker_number, const uint32_t *sequence, uint32_t most)
{
    trn_exact *it = step->exact;
    trn_exact_worker *worker = &it->workers[worker_number];
    const trn_exact_island *first = &it->islands[sequence[0]];
    uint32_t count = 1;
    if (!first->plain) {
        run_island(step, worker, &it->islands[sequence[0]]);
        return 1;
    }
    const trn_exact_shape *shape = &it->shapes[first->lane_shape];
    if (trn_exact_is_cut(it, first))
        return 1;
    const uint32_t room = trn_exact_lanes_for(it, shape, it->lanes->count)->count;
    while (count < most && count < room && it->islands[sequence[count]].plain &&
           it->islands[sequence[count]].lane_shape == first->lane_shape &&
           !trn_exact_is_cut(it, &it->islands[sequence[count]]))
        count++;
    const trn_exact_lanes *lanes = trn_exact_lanes_for(it, shape, count);
    const bool same = worker->lanes_of == lanes && worker->lanes_shape == shape->serial;
    const uint32_t failed = lanes->run(step, worker->lanes, sequence, count, same);
    worker->lanes_of = lanes;
    worker->lanes_shape = shape->serial;
    for (uint32_t i = 0; i < count; i++) {
        if ((failed >> i & 1) != 0)
            trn_exact_run_alone(step, worker_number, sequence[i]);
    }
    return count;
}

static void run_chunk(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    const trn_exact_step *step = context;
    const trn_exact *it = step->exact;
    const trn_exact_chunk *own = &it->chunks[chunk];
    for (uint32_t i = 0; i < own->count;)
        i += run_islands(step, worker, it->sequence + own->first + i, own->count - i);
}

/* bodies that move as they are told; islands have read their velocities */
static void move_driven(const trn_exact_step *step)
{
    trn_exact *it = step->exact;
    trn_bodies *bodies = step->system->bodies;
    for (uint32_t row = 0; row < it->body_rows; row++) {
        if (bodies->type[row] != TR_KINEMATIC || (bodies->flags[row] & TR_BODY_QUARANTINED) != 0)
            continue;
        trn_exact_drift(bodies, row, &it->state[row], step->h * step->substeps, false);
        if (trn_exact_is_sane(&it->state[row], step->h, step->unit)) {
            trn_exact_state_write(bodies, row, &it->state[row], trn_exact_motions(it));
        } else {
            it->state[row] = it->begun[row];
            trn_body_quarantine(bodies, row);
        }
    }
}

static void report(const trn_exact *it, trn_solver_report *out)
{
    out->direct_solves = out->direct_most = out->direct_unsettled = out->direct_islands = 0;
    for (uint32_t i = 0; i < it->island_count; i++) {
        out->direct_islands += it->islands[i].joint_count > 0 ? 1u : 0u;
        out->direct_solves += it->islands[i].solves;
        out->direct_most = it->islands[i].most > out->direct_most ? it->islands[i].most : out->direct_most;
        out->direct_unsettled += it->islands[i].unsettled > 0 ? 1u : 0u;
    }
}

tr_status trn_exact_reserve(trn_exact *it, const trn_solver *solver, trn_system *system, uint32_t substeps, bool mixed)
{
    it->kept = it->kept && it->mixed == mixed;
    it->mixed = mixed;
    it->chosen = mixed ? &solver->chosen : NULL;
    if (!trn_bodies_hold_low(system->bodies))
        return TR_ERROR_MEMORY;
    tr_status status = trn_exact_read(it, system, (double)solver->report.inv_h, tr_team_threads(system->team));
    if (status != TR_OK)
        return status;
    it->follows = TRN_HAS_SHAPES && system->follows;
    if (it->follows &&
        !tr_grow(it->memory, (void **)&it->motions, &it->motion_capacity, it->body_rows, sizeof *it->motions))
        return TR_ERROR_MEMORY;
    if (!trn_exact_reserve_pieces(it, substeps, tr_team_threads(system->team)) ||
        !trn_exact_reserve_borders(it, solver, system) ||
        !tr_grow(it->memory, (void **)&it->stages, &it->stage_capacity, 1, sizeof *it->stages))
        return TR_ERROR_MEMORY;
    it->stages[it->stage_count++] = (tr_pipeline_stage){run_chunk, NULL, it->chunk_count, TR_STAGE_SOLVE, false, 0};
    trn_exact_add_stages(it, substeps);
    return tr_team_reserve(system->team, it->stage_count,
                           it->chunk_count > it->pack_count ? it->chunk_count : it->pack_count);
}

void trn_exact_run(trn_exact *it, trn_solver *solver, trn_system *system, double dt, uint32_t substeps,
                   uint32_t workers, tr_pipeline_report *pipeline)
{
    trn_exact_step step = {.exact = it,
                           .solver = solver,
                           .system = system,
                           .h = dt / substeps,
                           .unit = (double)system->settings.length_unit,
                           .substeps = substeps};
#if TRN_HAS_SHAPES
    /* of what does not move, or is stopped */
    for (uint32_t i = 0; it->follows && it->mixed && i < it->mover_count; i++)
        memset(&it->motions[it->movers[i]], 0, sizeof *it->motions);
    if (it->follows && !it->mixed)
        memset(it->motions, 0, it->body_rows * sizeof *it->motions);
#endif
    tr_team_run(system->team, it->stages, it->stage_count, workers, &step, pipeline);
    it->pieces_of = it->divided_count > 0 ? it->lanes : NULL;
    bool stopped = false;
    for (uint32_t w = 0; w < it->worker_count; w++) {
        stopped = stopped || it->workers[w].stopped;
        it->workers[w].stopped = false;
    }
    it->kept = it->kept && !stopped;
    /* what is stopped is swept, as a body that does not move */
    if (it->mixed && stopped)
        trn_solver_forget_layout(solver);
    /* in a world of sweeps these have moved them */
    if (!it->mixed)
        move_driven(&step);
    report(it, &solver->report);
    /* shapes that no island has are kept only while they are few */
    uint32_t used = 0;
    for (uint32_t i = 0; i < it->shape_count; i++)
        used += it->shapes[i].used == it->steps ? 1u : 0u;
    if (it->shape_count > 2 * used + 16) {
        trn_exact_forget_shapes(it, false);
        it->kept = false;
    }
}

uint32_t trn_exact_joint_count(const trn_exact *it)
{
    return it->joint_count - it->contact_count;
}
