/* The equations of motion: reading them from a world, springs, islands. */
#include "world/instant/instant.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/sets.h"

/*
 * Bodies
 */
static bool is_moving(const trn_bodies *bodies, uint32_t row)
{
    return trn_body_is_dynamic(bodies, row) && (bodies->flags[row] & TR_BODY_QUARANTINED) == 0;
}

static tr_status read_bodies(trn_instant *it)
{
    const trn_bodies *bodies = &it->world->bodies;
    const uint32_t count = bodies->table.count;
    uint32_t moving = 0;
    for (uint32_t row = 0; row < count; row++)
        moving += is_moving(bodies, row) ? 1u : 0u;
    it->body_count = moving;
    it->moving = tr_allocate_array(&it->memory, count, sizeof *it->moving);
    it->bodies = tr_allocate_array(&it->memory, moving, sizeof *it->bodies);
    if ((it->moving == NULL && count > 0) || (it->bodies == NULL && moving > 0))
        return TR_ERROR_MEMORY;
    for (uint32_t row = 0, next = 0; row < count; row++) {
        it->moving[row] = TR_NONE;
        if (!is_moving(bodies, row))
            continue;
        it->moving[row] = next;
        trn_inertial_of(it->world, row, &it->bodies[next++]);
    }
    return TR_OK;
}

/*
 * Joints
 */

/* a joint's rows with respect to its moving bodies, each once */
typedef struct joint_rows {
    const trn_equations *from;
    uint32_t body[TR_ENDS], table_row[TR_ENDS], body_count;
    bool grounded[TR_EQUATIONS_MAX];
    double j[TR_EQUATIONS_MAX][TR_ENDS][TRN_DEGREES],
        response[TR_EQUATIONS_MAX][TR_ENDS][TRN_DEGREES]; /* J, M^-1 J^T */
} joint_rows;

/* Whether a row changes if all its bodies move as one, as seen from the first. Of rows that have all of
   their numbers yet. */
static bool is_grounded(const trn_instant *it, const joint_rows *rows, uint32_t r)
{
    const trn_bodies *bodies = &it->world->bodies;
    double sum[TRN_DEGREES] = {0.0}, size[TRN_DEGREES] = {0.0};
    for (uint32_t b = 0; b < rows->body_count; b++) {
        trn_dvec arm = trn_minus(trn_body_mass_center(bodies, rows->table_row[b]),
                                 trn_body_mass_center(bodies, rows->table_row[0]));
        double moment[TRN_DEGREES];
        trn_dvec linear = trn_equation_linear(rows->j[r][b]);
        trn_equation_put(moment, linear, trn_moment(arm, linear));
        for (uint32_t i = 0; i < TRN_DEGREES; i++) {
            double angular = i < TRN_AXES ? 0.0 : rows->j[r][b][i];
            sum[i] += moment[i] + angular;
            size[i] += fabs(moment[i]) + fabs(angular);
        }
    }
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        if (fabs(sum[i]) > 1e-9 * size[i])
            return true;
    return false;
}

static void merge_ends(const trn_instant *it, const uint32_t rows[TR_ENDS], const trn_equations *from, joint_rows *out)
{
    uint32_t at[TR_ENDS];
    memset(out, 0, sizeof *out);
    out->from = from;
    for (uint32_t end = 0; end < TR_ENDS; end++) {
        uint32_t body = rows[end] != TR_NONE ? it->moving[rows[end]] : TR_NONE;
        at[end] = 0;
        while (at[end] < out->body_count && out->body[at[end]] != body)
            at[end]++;
        if (body == TR_NONE)
            at[end] = TR_NONE;
        if (at[end] == out->body_count) {
            out->table_row[out->body_count] = rows[end];
            out->body[out->body_count++] = body;
        }
    }
    for (uint32_t r = 0; r < from->count; r++) {
        for (uint32_t end = 0; end < TR_ENDS; end++)
            for (uint32_t i = 0; i < TRN_DEGREES && at[end] != TR_NONE; i++)
                out->j[r][at[end]][i] += from->row[r].j[end][i];
        out->grounded[r] = is_grounded(it, out, r);
        for (uint32_t b = 0; b < out->body_count; b++) {
            const trn_inertial *body = &it->bodies[out->body[b]];
            /* what cannot rotate has no such number in the system */
            for (uint32_t i = TRN_AXES; i < TRN_DEGREES && !body->turns; i++)
                out->j[r][b][i] = 0.0;
            trn_inertial_respond(body, out->j[r][b], out->response[r][b]);
        }
    }
}

/* J M^-1 J'^T of two rows, of one body */
static double body_k(const joint_rows *rows, uint32_t r, uint32_t other, uint32_t body)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        sum += rows->j[r][body][i] * rows->response[other][body][i];
    return sum;
}

static double rows_k(const joint_rows *rows, uint32_t r, uint32_t other)
{
    double sum = 0.0;
    for (uint32_t b = 0; b < rows->body_count; b++)
        sum += body_k(rows, r, other, b);
    return sum;
}

/* what a row is at this instant */
typedef enum role { IDLE, HELD, STOP, SPRING, UNKNOWN } role;

static bool is_at_stop(const trn_instant *it, const trn_equation *row)
{
    double gap = it->options.stop_gap;
    if (row->linear)
        gap *= (double)it->world->settings.length_unit;
    return row->value <= gap && row->rate <= gap;
}

static role role_of(const trn_instant *it, const trn_equation *row)
{
    if (row->kind == TR_EQUATION_FRICTION || row->kind == TR_EQUATION_IDLE || row->kind == TR_EQUATION_ACROSS ||
        row->bent)
        return IDLE;
    if (row->kind == TR_EQUATION_MOTOR)
        return it->options.motors ? HELD : IDLE;
    if (row->kind == TR_EQUATION_STOP)
        return is_at_stop(it, row) ? STOP : IDLE;
    switch (row->softness.kind) {
    case TR_FREQUENCY:
        return row->softness.a > 0.0f ? SPRING : IDLE;
    case TR_PHYSICAL:
        return row->softness.a > 0.0f || row->softness.b > 0.0f ? SPRING : IDLE;
    case TR_RAW:
        return row->softness.a > 0.0f ? UNKNOWN : HELD;
    default:
        return row->kind == TR_EQUATION_SPRING ? SPRING : HELD;
    }
}

/* x := K^-1 x for the rows from `first` on, by K = L D L^T; where nothing can move, the result is 0 */
static void solve_block(const joint_rows *rows, uint32_t first, uint32_t count, double x[TR_EQUATIONS_MAX])
{
    double l[TR_EQUATIONS_MAX][TR_EQUATIONS_MAX], d[TR_EQUATIONS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k <= i; k++) {
            double sum = rows_k(rows, first + i, first + k);
            for (uint32_t m = 0; m < k; m++)
                sum -= l[i][m] * d[m] * l[k][m];
            if (k == i)
                d[i] = sum > 1e-12 * rows_k(rows, first + i, first + i) ? sum : 0.0;
            else
                l[i][k] = d[k] > 0.0 ? sum / d[k] : 0.0;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < i; m++)
            x[i] -= l[i][m] * x[m];
    for (uint32_t i = count; i-- > 0;) {
        x[i] = d[i] > 0.0 ? x[i] / d[i] : 0.0;
        for (uint32_t m = i + 1; m < count; m++)
            x[i] -= l[m][i] * x[m];
    }
}

/* the forces of a block of soft rows */
static void spring_forces(const trn_instant *it, const joint_rows *rows, uint32_t first, uint32_t count,
                          double force[TR_EQUATIONS_MAX])
{
    const trn_equation *row = &rows->from->row[first];
    const trn_settings *settings = &it->world->settings;
    tr_softness s = row->softness;
    if (s.kind == TR_RIGID)
        s = tr_frequency(settings->joint_frequency, settings->joint_damping_ratio);
    const bool physical = s.kind == TR_PHYSICAL;
    const double omega = TR_TURN * (double)s.a;
    const double stiffness = physical ? (double)s.a : omega * omega;
    const double damping = physical ? (double)s.b : 2.0 * (double)s.b * omega;
    double mean = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        force[i] = -stiffness * row[i].value - damping * row[i].rate;
        mean += rows_k(rows, first + i, first + i) / (double)count;
    }
    if (!physical && row->relative == TR_BLOCK_K)
        solve_block(rows, first, count, force);
    else if (!physical)
        for (uint32_t i = 0; i < count; i++)
            force[i] = mean > 0.0 ? force[i] / mean : 0.0;
    /* bounds */
    double square = 0.0;
    for (uint32_t i = 0; i < count; i++)
        square += force[i] * force[i];
    if (count == 1)
        force[0] = fmin(fmax(force[0], row->least), row->most);
    else if (square > row->most * row->most)
        for (uint32_t i = 0; i < count; i++)
            force[i] *= row->most / sqrt(square);
}

/* the mean K of the held rows that are linear, or angular */
static double mean_k(const joint_rows *rows, const uint32_t *held, uint32_t count, bool linear)
{
    double sum = 0.0;
    uint32_t of = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (rows->from->row[held[i]].linear != linear)
            continue;
        sum += rows_k(rows, held[i], held[i]);
        of++;
    }
    return of > 0 ? sum / (double)of : 0.0;
}

/* a body's share of K that is enough for its joint to be eliminated after it alone */
#define OPENING_SHARE 1e-4

static bool add_held(trn_instant *it, const joint_rows *rows, const uint32_t *held, uint32_t count,
                     trn_instant_joint *joint)
{
    double k[2] = {mean_k(rows, held, count, false), mean_k(rows, held, count, true)};
    uint32_t kept[TR_EQUATIONS_MAX], n = 0;
    /* nothing can move along a row without K, so it holds nothing */
    for (uint32_t i = 0; i < count; i++)
        if (k[rows->from->row[held[i]].linear] > 0.0)
            kept[n++] = held[i];
    const uint32_t blocks = n * rows->body_count;
    if (it->row_count > UINT32_MAX - n || it->block_count > UINT32_MAX - blocks)
        return false;
    if (!tr_grow(&it->memory, (void **)&it->rows, &it->row_capacity, it->row_count + n, sizeof *it->rows) ||
        !tr_grow(&it->memory, (void **)&it->jacobian, &it->block_capacity, it->block_count + blocks,
                 sizeof *it->jacobian))
        return false;
    joint->first_row = it->row_count;
    joint->row_count = n;
    joint->block = it->block_count;
    for (uint32_t i = 0; i < n; i++)
        joint->grounded = joint->grounded || rows->grounded[kept[i]];
    for (uint32_t b = 0; b < rows->body_count; b++) {
        joint->opens[b] = true;
        for (uint32_t i = 0; i < n; i++) {
            double own = k[rows->from->row[kept[i]].linear];
            joint->opens[b] = joint->opens[b] && body_k(rows, kept[i], kept[i], b) >= OPENING_SHARE * own;
            memcpy(it->jacobian[it->block_count++], rows->j[kept[i]][b], sizeof *it->jacobian);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const trn_equation *row = &rows->from->row[kept[i]];
        it->rows[it->row_count++] =
            (trn_held_row){.equation = joint->first_equation + kept[i],
                           .bend = row->bend,
                           .k = k[row->linear],
                           .compliance = row->kind == TR_EQUATION_INERTIA ? 1.0 / row->inertance : 0.0,
                           .stop = row->kind == TR_EQUATION_STOP};
    }
    return true;
}

/* Springs push the bodies; rows that are held are added to the system. */
static bool add_equations(trn_instant *it, const joint_rows *rows, bool *incomplete, trn_instant_joint *joint)
{
    const trn_equations *from = rows->from;
    uint32_t held[TR_EQUATIONS_MAX] = {0}, held_count = 0;
    *incomplete = from->incomplete;
    if (it->force_count > UINT32_MAX - from->count || !tr_grow(&it->memory, (void **)&it->forces, &it->force_capacity,
                                                               it->force_count + from->count, sizeof *it->forces))
        return false;
    joint->first_equation = it->force_count;
    it->force_count += from->count;
    for (uint32_t first = 0; first < from->count; first += from->row[first].block) {
        const uint32_t count = from->row[first].block;
        double force[TR_EQUATIONS_MAX] = {0.0};
        const role does = role_of(it, &from->row[first]);
        *incomplete = *incomplete || does == UNKNOWN;
        if (does == SPRING)
            spring_forces(it, rows, first, count, force);
        for (uint32_t i = 0; i < count; i++) {
            it->forces[joint->first_equation + first + i] = force[i];
            if (does == HELD || does == STOP)
                held[held_count++] = first + i;
            for (uint32_t b = 0; b < rows->body_count && does == SPRING; b++)
                for (uint32_t k = 0; k < TRN_DEGREES; k++)
                    it->bodies[rows->body[b]].acceleration[k] += force[i] * rows->response[first + i][b][k];
        }
    }
    return add_held(it, rows, held, held_count, joint);
}

void trn_equations_read(const trn_world *world, trn_joint_type type, uint32_t row, const trn_joint_def *def,
                        trn_joint_pose *pose, trn_equations *out)
{
    out->count = 0;
    out->incomplete = false;
    trn_joint_pose_read(world, type, row, def, pose);
    trn_joint_types[type]->equations(def, pose, out);
}

static tr_status add_joint(trn_instant *it, trn_joint_type type, uint32_t row, const trn_joint_def *def)
{
    const trn_world *world = it->world;
    uint32_t ends[TR_ENDS];
    trn_joint_pose pose;
    trn_equations equations;
    joint_rows rows;
    trn_joint_rows(world, def, ends);
    trn_equations_read(world, type, row, def, &pose, &equations);
    merge_ends(it, ends, &equations, &rows);
    if (rows.body_count == 0)
        return TR_OK;
    if (!tr_grow(&it->memory, (void **)&it->joints, &it->joint_capacity, it->joint_count + 1, sizeof *it->joints))
        return TR_ERROR_MEMORY;
    trn_instant_joint *joint = &it->joints[it->joint_count];
    memset(joint, 0, sizeof *joint);
    joint->slot = world->joints[type].slot[row];
    joint->body_count = rows.body_count;
    memcpy(joint->body, rows.body, sizeof joint->body);
    bool incomplete;
    if (!add_equations(it, &rows, &incomplete, joint))
        return TR_ERROR_MEMORY;
    joint->incomplete = incomplete;
    it->joint_of_slot[joint->slot] = it->joint_count++;
    return TR_OK;
}

static tr_status read_joints(trn_instant *it)
{
    const trn_world *world = it->world;
    const uint32_t slots = world->joint_pool.count;
    it->joint_of_slot = tr_allocate_array(&it->memory, slots, sizeof *it->joint_of_slot);
    if (it->joint_of_slot == NULL && slots > 0)
        return TR_ERROR_MEMORY;
    for (uint32_t slot = 0; slot < slots; slot++)
        it->joint_of_slot[slot] = TR_NONE;
    tr_status status = TR_OK;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        const trn_joints *joints = &world->joints[type];
        const trn_mask held = trn_joint_fields_held(joints, (trn_joint_type)type);
        trn_joint_def def = trn_joint_def_default((trn_joint_type)type);
        for (uint32_t row = 0; row < joints->table.count && status == TR_OK; row++) {
            if (!trn_joint_is_enabled(joints, row))
                continue;
            trn_joint_read_row(world, (trn_joint_type)type, held, row, &def);
            status = add_joint(it, (trn_joint_type)type, row, &def);
        }
    }
    return status;
}

/*
 * Islands: bodies that joints with held rows connect
 */
/* numbers of elements by island become where each island's begin: first[island + 1] is where the next one's end */
static void begin_lists(uint32_t *first, uint32_t islands)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < islands; i++) {
        uint32_t count = first[i];
        first[i] = sum;
        sum += count;
    }
    first[islands] = sum;
}

/* after filling, each entry is where its island ends */
static void rewind_lists(uint32_t *first, uint32_t islands)
{
    for (uint32_t i = islands; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
}

static tr_status find_islands(trn_instant *it)
{
    const size_t n = it->body_count;
    it->island_of = tr_allocate_array(&it->memory, n, sizeof *it->island_of);
    it->body_list = tr_allocate_array(&it->memory, n, sizeof *it->body_list);
    it->joint_list = tr_allocate_array(&it->memory, it->joint_count, sizeof *it->joint_list);
    it->first_body = tr_allocate_array(&it->memory, n + 1, sizeof *it->first_body);
    it->first_joint = tr_allocate_array(&it->memory, n + 1, sizeof *it->first_joint);
    it->wanted = tr_allocate_array(&it->memory, n, sizeof *it->wanted);
    if (it->first_body == NULL || it->first_joint == NULL || (it->joint_list == NULL && it->joint_count > 0) ||
        (n > 0 && (it->island_of == NULL || it->body_list == NULL || it->wanted == NULL)))
        return TR_ERROR_MEMORY;

    uint32_t *parent = it->body_list;
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i;
    for (uint32_t j = 0; j < it->joint_count; j++)
        for (uint32_t b = 1; b < it->joints[j].body_count && it->joints[j].row_count > 0; b++)
            tr_set_unite(parent, it->joints[j].body[0], it->joints[j].body[b]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = tr_set_root(parent, i);
        it->island_of[i] = root == i ? it->island_count++ : it->island_of[root];
        it->first_body[it->island_of[i]]++;
    }
    for (uint32_t j = 0; j < it->joint_count; j++)
        if (it->joints[j].row_count > 0)
            it->first_joint[it->island_of[it->joints[j].body[0]]]++;
    begin_lists(it->first_body, it->island_count);
    begin_lists(it->first_joint, it->island_count);
    for (uint32_t i = 0; i < n; i++)
        it->body_list[it->first_body[it->island_of[i]]++] = i;
    for (uint32_t j = 0; j < it->joint_count; j++)
        if (it->joints[j].row_count > 0)
            it->joint_list[it->first_joint[it->island_of[it->joints[j].body[0]]]++] = j;
    rewind_lists(it->first_body, it->island_count);
    rewind_lists(it->first_joint, it->island_count);
    return TR_OK;
}

tr_status trn_instant_make(trn_instant *instant, const trn_world *world, const tr_accelerations_options *options)
{
    memset(instant, 0, sizeof *instant);
    instant->world = world;
    instant->options = *options;
    tr_memory_init(&instant->memory, world->memory.allocator);
    tr_status status = read_bodies(instant);
    if (status == TR_OK)
        status = read_joints(instant);
    return status != TR_OK ? status : find_islands(instant);
}

void trn_instant_free(trn_instant *instant)
{
    trn_instant *it = instant;
    const size_t n = it->body_count;
    tr_memory *memory = &it->memory;
    tr_release(memory, it->moving, it->world->bodies.table.count * sizeof *it->moving);
    tr_release(memory, it->bodies, n * sizeof *it->bodies);
    tr_release(memory, it->joint_of_slot, it->world->joint_pool.count * sizeof *it->joint_of_slot);
    tr_release(memory, it->joints, it->joint_capacity * sizeof *it->joints);
    tr_release(memory, it->rows, it->row_capacity * sizeof *it->rows);
    tr_release(memory, it->jacobian, it->block_capacity * sizeof *it->jacobian);
    tr_release(memory, it->forces, it->force_capacity * sizeof *it->forces);
    tr_release(memory, it->island_of, n * sizeof *it->island_of);
    tr_release(memory, it->body_list, n * sizeof *it->body_list);
    tr_release(memory, it->joint_list, it->joint_count * sizeof *it->joint_list);
    tr_release(memory, it->first_body, (n + 1) * sizeof *it->first_body);
    tr_release(memory, it->first_joint, (n + 1) * sizeof *it->first_joint);
    tr_release(memory, it->wanted, n * sizeof *it->wanted);
}
