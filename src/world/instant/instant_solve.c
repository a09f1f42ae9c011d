/*
 * The equations of motion of one island after another.
 *
 * With a0 the accelerations without held rows, A = J M^-1 J^T and b = -(J a0 + dJ/dt v), the forces are A lambda = b.
 * A has on its diagonal what rows yield by themselves, as inertias do. The sparse factor is of [M J^T; J -E], which solves (A + E) z = r. At first E is 0, and rows that others hold already
 * are left out (their pivots vanish). If there are none, lambda is found with that factor. If there are some, A has a
 * null space N, and is factored again with a small E = e diag(K): then
 *
 *   - what of dJ/dt v no accelerations can satisfy is E N; (E (A + E)^-1)^k keeps it and lets all else vanish;
 *   - conjugate gradients that are preconditioned with (A + E)^-1 and begin at 0 end at the lambda for which
 *     lambda . E lambda is least;
 *   - rounding has left some N in lambda; ((A + E)^-1 E)^k keeps that alone, and it is subtracted.
 *
 * Stops push only: of the sets of them that may hold, block principal pivoting finds the one in which all push and no
 * other is passed (Judice, Pires 1994), with the rule of one index, here the greatest, where blocks make no progress (Murty 1974).
 */
#include "world/instant/instant.h"

#include <math.h>
#include <string.h>

/* a pivot of a row below this share of its K: other rows hold it */
#define REDUNDANT 1e-8
/* e, and what it grows to where rounding is more */
/* rounds, and powers of the filter */
#define GRADIENTS_MOST 60
#define ROUNDS_MOST    12
#define FILTERS        5
#define STOP_ROUNDS    60
#define BLOCK_ROUNDS   10
/* of the largest acceleration: what of a wrong sign is rounding */
#define STOP_SLACK 1e-10

/* One island; arrays have room for the largest. Rows and bodies are numbered within it. */
typedef struct island {
    trn_instant *of;
    tr_sparse *sparse;
    tr_factor *factor;
    const uint32_t *bodies, *joints; /* of the world's */
    uint32_t body_count, joint_count, row_count, edge_count;
    uint32_t *local;     /* of all bodies: their number in their island */
    uint32_t *first_row; /* of each joint */
    uint8_t *size;
    tr_sparse_edge *edges;
    const trn_held_row **row;
    bool *active, *grounded;
    double *least;                                                     /* of each number of the system */
    double *x;                                                         /* the same */
    double *right, *lambda, *residual, *step, *pull, *scratch, *fresh; /* of rows */
    double (*motion)[TRN_DEGREES];                                     /* of bodies */
    void *block;
    size_t block_size;
    uint32_t redundant;
    double regular; /* e */
} island;

/* out: of each body, J^T in */
static void to_bodies(const island *it, const double *in, double (*out)[TRN_DEGREES])
{
    memset(out, 0, it->body_count * sizeof *out);
    for (uint32_t j = 0; j < it->joint_count; j++) {
        const trn_instant_joint *joint = &it->of->joints[it->joints[j]];
        const double(*block)[TRN_DEGREES] = (const double(*)[TRN_DEGREES])(it->of->jacobian + joint->block);
        const double *force = in + it->first_row[j];
        for (uint32_t b = 0; b < joint->body_count; b++) {
            double *to = out[it->local[joint->body[b]]];
            for (uint32_t r = 0; r < joint->row_count; r++, block++)
                for (uint32_t k = 0; k < TRN_DEGREES && it->active[it->first_row[j] + r]; k++)
                    to[k] += force[r] * (*block)[k];
        }
    }
}

/* out: of each row, active or not, J in */
static void to_rows(const island *it, double (*in)[TRN_DEGREES], double *out)
{
    memset(out, 0, it->row_count * sizeof *out);
    for (uint32_t j = 0; j < it->joint_count; j++) {
        const trn_instant_joint *joint = &it->of->joints[it->joints[j]];
        const double(*block)[TRN_DEGREES] = (const double(*)[TRN_DEGREES])(it->of->jacobian + joint->block);
        double *to = out + it->first_row[j];
        for (uint32_t b = 0; b < joint->body_count; b++) {
            const double *from = in[it->local[joint->body[b]]];
            for (uint32_t r = 0; r < joint->row_count; r++, block++)
                for (uint32_t k = 0; k < TRN_DEGREES; k++)
                    to[r] += (*block)[k] * from[k];
        }
    }
}

static void respond(island *it)
{
    for (uint32_t b = 0; b < it->body_count; b++) {
        double in[TRN_DEGREES];
        memcpy(in, it->motion[b], sizeof in);
        trn_inertial_respond(&it->of->bodies[it->bodies[b]], in, it->motion[b]);
    }
}

/* out := A in, of active rows */
static void multiply(island *it, const double *in, double *out)
{
    to_bodies(it, in, it->motion);
    respond(it);
    to_rows(it, it->motion, out);
    for (uint32_t r = 0; r < it->row_count; r++)
        out[r] = it->active[r] ? out[r] + it->row[r]->compliance * in[r] : 0.0;
}

/* out := (A + E)^-1 in */
static void precondition(island *it, const double *in, double *out)
{
    double *forces = it->x + (size_t)it->body_count * TRN_DEGREES;
    memset(it->x, 0, (size_t)it->body_count * TRN_DEGREES * sizeof *it->x);
    for (uint32_t r = 0; r < it->row_count; r++)
        forces[r] = it->active[r] ? -in[r] : 0.0;
    tr_factor_solve(it->factor, it->x);
    for (uint32_t r = 0; r < it->row_count; r++)
        out[r] = it->active[r] ? forces[r] : 0.0;
}

static double dot(const island *it, const double *a, const double *b)
{
    double sum = 0.0;
    for (uint32_t r = 0; r < it->row_count; r++)
        sum += a[r] * b[r];
    return sum;
}

/* The factor with E = e diag(K); returns the number of rows left out. With E no pivot is smaller than its part of E, but
   for rounding. */
static uint32_t factor(island *it, double e)
{
    tr_factor_begin(it->factor, it->sparse);
    double block[TR_SPARSE_SIZE * TR_SPARSE_SIZE];
    for (uint32_t b = 0; b < it->body_count; b++) {
        const trn_inertial *body = &it->of->bodies[it->bodies[b]];
        memset(block, 0, sizeof block);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            for (uint32_t k = 0; k <= i; k++)
                block[i * TRN_DEGREES + k] = i < TRN_AXES    ? (i == k ? body->mass : 0.0)
                                             : k >= TRN_AXES ? body->inertia[i - TRN_AXES][k - TRN_AXES]
                                                             : 0.0;
        tr_factor_add(it->factor, b, b, block);
    }
    for (uint32_t j = 0; j < it->joint_count; j++) {
        const trn_instant_joint *joint = &it->of->joints[it->joints[j]];
        const uint32_t node = it->body_count + j, n = joint->row_count, first = it->first_row[j];
        memset(block, 0, sizeof block);
        /* a stop that does not hold is an unknown by itself */
        for (uint32_t r = 0; r < n; r++)
            block[r * n + r] =
                it->active[first + r] ? -e * it->row[first + r]->k - it->row[first + r]->compliance : -1.0;
        tr_factor_add(it->factor, node, node, block);
        for (uint32_t b = 0; b < joint->body_count; b++) {
            const double(*from)[TRN_DEGREES] = (const double(*)[TRN_DEGREES])(it->of->jacobian + joint->block + b * n);
            for (uint32_t k = 0; k < TRN_DEGREES; k++)
                for (uint32_t r = 0; r < n; r++)
                    block[k * n + r] = it->active[first + r] ? from[r][k] : 0.0;
            tr_factor_add(it->factor, it->local[joint->body[b]], node, block);
        }
    }
    const size_t numbers = (size_t)it->body_count * TRN_DEGREES;
    for (uint32_t r = 0; r < it->row_count; r++)
        it->least[numbers + r] = !it->active[r] ? 0.0 : (e > 0.0 ? 0.5 * e : REDUNDANT) * it->row[r]->k;
    return tr_factor_make(it->factor, it->least);
}

/* out := (A + E)^-1 in once more, with what the factor's rounding leaves of it: along N that may be some of E itself */
static void solve_regular(island *it, const double *in, double *out)
{
    precondition(it, in, out);
    multiply(it, out, it->pull);
    for (uint32_t r = 0; r < it->row_count; r++)
        it->scratch[r] = in[r] - it->pull[r] - it->regular * it->row[r]->k * out[r];
    precondition(it, it->scratch, it->scratch);
    for (uint32_t r = 0; r < it->row_count; r++)
        out[r] += it->scratch[r];
}

/* Takes out of a vector what is along E N, or, of forces, along N; in some rounds, because each leaves a little. */
static void subtract_null(island *it, double *from, bool forces)
{
    double before = INFINITY, *null = it->residual;
    for (int round = 0; round < ROUNDS_MOST; round++) {
        double all = 0.0, most = 0.0;
        for (uint32_t r = 0; r < it->row_count; r++)
            all = fmax(all, fabs(from[r]));
        if (all == 0.0)
            return;
        memcpy(null, from, it->row_count * sizeof *from);
        for (int power = 0; power < (forces ? 2 : FILTERS); power++) {
            for (uint32_t r = 0; r < it->row_count; r++)
                it->fresh[r] = forces ? it->regular * it->row[r]->k * null[r] : null[r];
            solve_regular(it, it->fresh, null);
            for (uint32_t r = 0; r < it->row_count && !forces; r++)
                null[r] *= it->regular * it->row[r]->k;
        }
        for (uint32_t r = 0; r < it->row_count; r++) {
            most = fmax(most, fabs(null[r]));
            from[r] -= null[r];
        }
        if (most <= 1e-14 * all || most > 0.5 * before)
            return;
        before = most;
    }
}

/* residual := right - A lambda, without what rounding has added of E N */
static void find_residual(island *it)
{
    multiply(it, it->lambda, it->pull);
    for (uint32_t r = 0; r < it->row_count; r++)
        it->residual[r] = it->right[r] - it->pull[r];
    if (it->redundant == 0)
        return;
    precondition(it, it->residual, it->pull);
    for (uint32_t r = 0; r < it->row_count; r++)
        it->residual[r] -= it->regular * it->row[r]->k * it->pull[r];
}

/* lambda := A^-1 right by conjugate gradients that begin with what it is. *scale: the square of right's norm, which the
   first call finds; until what is left is rounding, and no longer shrinks. */
static void find_forces(island *it, double *scale)
{
    const uint32_t n = it->row_count;
    double before = 0.0;
    for (int round = 0; round < GRADIENTS_MOST; round++) {
        find_residual(it);
        double *z = it->scratch;
        precondition(it, it->residual, z);
        double now = dot(it, it->residual, z);
        if (*scale == 0.0)
            *scale = now;
        const double end = it->redundant > 0 ? 1e-26 : 1e-34;
        if (!(now > end * *scale) || (round > 0 && now <= 1e-12 * *scale && now > 0.25 * before))
            return;
        if (round == 0)
            memset(it->step, 0, n * sizeof *it->step);
        for (uint32_t r = 0; r < n; r++)
            it->step[r] = z[r] + (round > 0 ? now / before : 0.0) * it->step[r];
        multiply(it, it->step, it->pull);
        double along = dot(it, it->step, it->pull);
        /* what hardly has a rate is along N, but for rounding */
        if (!(along > (it->redundant > 0 ? 1e-2 * now : 0.0)))
            return;
        for (uint32_t r = 0; r < n; r++)
            it->lambda[r] += now / along * it->step[r];
        before = now;
    }
}

/* J a0 of all rows, into `pull` */
static void free_rates(island *it)
{
    for (uint32_t b = 0; b < it->body_count; b++)
        memcpy(it->motion[b], it->of->bodies[it->bodies[b]].acceleration, sizeof *it->motion);
    to_rows(it, it->motion, it->pull);
}

/* forces of the active rows */
static void solve_rows(island *it)
{
    it->redundant = factor(it, 0.0);
    free_rates(it);
    for (uint32_t r = 0; r < it->row_count; r++) {
        it->right[r] = it->active[r] ? -it->pull[r] : 0.0;
        it->step[r] = it->active[r] ? it->row[r]->bend : 0.0;
    }
    if (it->redundant > 0) {
        static const double shares[] = {1e-7, 1e-6, 1e-5, 1e-4};
        const size_t count = sizeof shares / sizeof shares[0];
        size_t k = 0;
        do
            it->regular = shares[k++];
        while (factor(it, it->regular) > 0 && k < count);
        subtract_null(it, it->step, false);
    }
    for (uint32_t r = 0; r < it->row_count; r++)
        it->right[r] -= it->step[r];
    memset(it->lambda, 0, it->row_count * sizeof *it->lambda);
    double scale = 0.0;
    find_forces(it, &scale);
    if (it->redundant > 0) {
        subtract_null(it, it->lambda, true);
        /* which rounds, too */
        find_forces(it, &scale);
    }
}

/* J a + dJ/dt v of all rows into `residual`, and accelerations into `motion` */
static void move_bodies(island *it)
{
    to_bodies(it, it->lambda, it->motion);
    respond(it);
    for (uint32_t b = 0; b < it->body_count; b++)
        for (uint32_t k = 0; k < TRN_DEGREES; k++)
            it->motion[b][k] += it->of->bodies[it->bodies[b]].acceleration[k];
    to_rows(it, it->motion, it->residual);
    for (uint32_t r = 0; r < it->row_count; r++)
        it->residual[r] += it->row[r]->bend + it->row[r]->compliance * it->lambda[r];
}

/* whether a stop pulls, or is passed */
static bool is_wrong(const island *it, uint32_t r, double slack)
{
    if (!it->row[r]->stop)
        return false;
    return it->active[r] ? it->lambda[r] * it->row[r]->k < -slack : it->residual[r] < -slack;
}

static bool settle_stops(island *it)
{
    uint32_t fewest = UINT32_MAX, patience = BLOCK_ROUNDS;
    for (int round = 0; round < STOP_ROUNDS; round++) {
        solve_rows(it);
        move_bodies(it);
        double greatest = 0.0;
        for (uint32_t r = 0; r < it->row_count; r++)
            greatest = fmax(greatest, fmax(fabs(it->right[r]), fabs(it->lambda[r] * it->row[r]->k)));
        uint32_t wrong = 0, last = 0;
        for (uint32_t r = 0; r < it->row_count; r++) {
            if (!is_wrong(it, r, STOP_SLACK * greatest))
                continue;
            wrong++;
            last = r;
        }
        if (wrong == 0)
            return true;
        bool all = wrong < fewest || patience > 0;
        patience = wrong < fewest ? BLOCK_ROUNDS : patience > 0 ? patience - 1 : 0;
        fewest = wrong < fewest ? wrong : fewest;
        for (uint32_t r = 0; r < it->row_count; r++)
            if (is_wrong(it, r, STOP_SLACK * greatest) && (all || r == last))
                it->active[r] = !it->active[r];
    }
    /* the forces are those of a set that is not the right one */
    solve_rows(it);
    move_bodies(it);
    return false;
}

/* takes the structure of an island */
static tr_status plan_island(island *it, uint32_t number)
{
    const trn_instant *of = it->of;
    it->bodies = of->body_list + of->first_body[number];
    it->joints = of->joint_list + of->first_joint[number];
    it->body_count = of->first_body[number + 1] - of->first_body[number];
    it->joint_count = of->first_joint[number + 1] - of->first_joint[number];
    it->row_count = it->edge_count = 0;
    for (uint32_t b = 0; b < it->body_count; b++) {
        it->local[it->bodies[b]] = b;
        it->size[b] = TRN_DEGREES;
        it->grounded[b] = !of->bodies[it->bodies[b]].turns;
    }
    for (uint32_t j = 0; j < it->joint_count; j++) {
        const trn_instant_joint *joint = &of->joints[it->joints[j]];
        it->first_row[j] = it->row_count;
        it->size[it->body_count + j] = (uint8_t)joint->row_count;
        it->grounded[it->body_count + j] = joint->grounded;
        for (uint32_t r = 0; r < joint->row_count; r++, it->row_count++) {
            it->row[it->row_count] = &of->rows[joint->first_row + r];
            it->active[it->row_count] = true;
        }
        for (uint32_t b = 0; b < joint->body_count; b++)
            it->edges[it->edge_count++] =
                (tr_sparse_edge){it->local[joint->body[b]], it->body_count + j, joint->opens[b]};
    }
    const tr_sparse_shape shape = {it->body_count + it->joint_count,
                                   it->body_count,
                                   it->size,
                                   it->grounded,
                                   NULL,
                                   it->edges,
                                   it->edge_count,
                                   NULL,
                                   false};
    tr_status status = tr_sparse_plan(it->sparse, &shape);
    return status == TR_OK && !tr_factor_reserve(it->factor, it->sparse) ? TR_ERROR_MEMORY : status;
}

static void take_results(island *it, bool settled)
{
    trn_instant *of = it->of;
    tr_accelerations_report *report = &of->report;
    for (uint32_t b = 0; b < it->body_count; b++)
        memcpy(of->bodies[it->bodies[b]].acceleration, it->motion[b], sizeof *it->motion);
    for (uint32_t r = 0; r < it->row_count; r++) {
        of->forces[it->row[r]->equation] = it->active[r] ? it->lambda[r] : 0.0;
        if (!it->active[r])
            continue;
        report->rows++;
        report->error = fmax(report->error, fabs(it->residual[r]));
    }
    report->redundant += it->redundant;
    report->unsettled += settled ? 0u : 1u;
}

/* Makes room for the largest wanted island. */
static tr_status make_room(island *it)
{
    const trn_instant *of = it->of;
    size_t bodies = 0, joints = 0, rows = 0, edges = 0;
    for (uint32_t i = 0; i < of->island_count; i++) {
        size_t own_rows = 0, own_edges = 0, first = of->first_joint[i], end = of->first_joint[i + 1];
        if (!of->wanted[i] || first == end)
            continue;
        for (size_t j = first; j < end; j++) {
            own_rows += of->joints[of->joint_list[j]].row_count;
            own_edges += of->joints[of->joint_list[j]].body_count;
        }
        size_t own_bodies = of->first_body[i + 1] - of->first_body[i];
        bodies = own_bodies > bodies ? own_bodies : bodies;
        joints = end - first > joints ? end - first : joints;
        rows = own_rows > rows ? own_rows : rows;
        edges = own_edges > edges ? own_edges : edges;
    }
    if (joints == 0)
        return TR_OK;
    const size_t numbers = bodies * TRN_DEGREES + rows;
    it->block_size = (2 * numbers + 7 * rows + bodies * TRN_DEGREES) * sizeof(double) + rows * sizeof(void *) +
                     edges * sizeof(tr_sparse_edge) + (of->body_count + joints) * sizeof(uint32_t) +
                     2 * (bodies + joints) + rows;
    it->block = tr_allocate(&it->of->memory, it->block_size);
    it->sparse = tr_sparse_create(&it->of->memory);
    it->factor = tr_factor_create(&it->of->memory);
    if (it->block == NULL || it->sparse == NULL || it->factor == NULL)
        return TR_ERROR_MEMORY;
    double *at = it->block;
    double **const numbers_of[] = {&it->least, &it->x};
    double **const rows_of[] = {&it->right, &it->lambda, &it->residual, &it->step, &it->pull, &it->scratch, &it->fresh};
    for (size_t i = 0; i < 2; i++, at += numbers)
        *numbers_of[i] = at;
    for (size_t i = 0; i < 7; i++, at += rows)
        *rows_of[i] = at;
    it->motion = (double(*)[TRN_DEGREES])at;
    it->row = (const trn_held_row **)(void *)(it->motion + bodies);
    it->edges = (tr_sparse_edge *)(void *)(it->row + rows);
    it->local = (uint32_t *)(void *)(it->edges + edges);
    it->first_row = it->local + of->body_count;
    it->size = (uint8_t *)(it->first_row + joints);
    it->active = (bool *)(it->size + bodies + joints);
    it->grounded = it->active + rows;
    return TR_OK;
}

tr_status trn_instant_solve(trn_instant *instant)
{
    island it = {.of = instant};
    tr_status status = make_room(&it);
    for (uint32_t i = 0; i < instant->island_count && status == TR_OK; i++) {
        if (!instant->wanted[i])
            continue;
        instant->report.islands++;
        if (instant->first_joint[i] == instant->first_joint[i + 1])
            continue;
        status = plan_island(&it, i);
        if (status != TR_OK)
            break;
        bool settled = settle_stops(&it);
        take_results(&it, settled);
    }
    for (uint32_t j = 0; j < instant->joint_count; j++)
        if (instant->wanted[instant->island_of[instant->joints[j].body[0]]])
            instant->report.left_out += instant->joints[j].incomplete ? 1u : 0u;
    tr_sparse_destroy(it.sparse);
    tr_factor_destroy(it.factor);
    tr_release(&instant->memory, it.block, it.block_size);
    return status;
}
