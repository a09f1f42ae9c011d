/*
 * Solves the rows of a tree's contacts: Gauss-Seidel over their dense matrix. Joints turn much of a push along the
 * normal into one across it (a leg that slants), so a point is solved together with its friction.
 */
#include "solver/trees/trees_touch.h"

#define SWEEPS 24u

/* share of the response of the two bodies alone that joints must leave; else they alone keep bodies of the same tree
   apart */
#define NO_WAY 1e-4

static void change_row(tr2_touch_rows *rows, uint32_t row, double next)
{
    double more = next - rows->row[row].change;
    if (more == 0.0)
        return;
    rows->row[row].change = next;
    const double *column = column_of(rows, row);
    for (uint32_t i = 0; i < rows->count; i++)
        rows->now[i] += column[i] * more;
}

/* whether the joints leave a point between bodies of the same tree no way to go */
static bool has_no_way(tr2_touch_rows *rows, uint32_t i)
{
    const tr2_touch_row *row = &rows->row[i];
    return row->inside && column_of(rows, i)[i] < NO_WAY * row->alone;
}

/* a point without friction; returns the change of its rate */
static double visit_smooth(tr2_touch_rows *rows, uint32_t i)
{
    tr2_touch_row *row = &rows->row[i];
    double k = column_of(rows, i)[i] + row->yields;
    if (!(k > 0.0))
        return 0.0;
    if (has_no_way(rows, i)) {
        change_row(rows, i, -row->before);
        return 0.0;
    }
    double next = row->change + (row->wanted - rows->now[i] - row->yields * (row->before + row->change)) / k;
    next = row->before + next > 0.0 ? next : -row->before;
    next = fabs(next) <= (double)TR_SANE_IMPULSE ? next : 0.0;
    double change = k * fabs(next - row->change);
    change_row(rows, i, next);
    return change;
}

/*
 * Solves a point and its friction alone, with the matrix k of both rows and their rates b without impulses: none if it
 * does not approach, else it sticks, if that impulse is within the cone, or slips on the side where friction opposes
 * the slip. As k is positive definite one of these is a solution; the last resort is for rounding.
 */
static void solve_pair(const double k[3], const double b[2], double friction, double out[2])
{
    out[0] = out[1] = 0.0;
    if (b[0] >= 0.0)
        return;
    double determinant = k[0] * k[2] - k[1] * k[1];
    if (determinant > 0.0) {
        out[0] = (k[1] * b[1] - k[2] * b[0]) / determinant;
        out[1] = (k[1] * b[0] - k[0] * b[1]) / determinant;
        if (out[0] > 0.0 && fabs(out[1]) <= friction * out[0])
            return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        double share = (b[1] > 0.0) == (i == 0) ? -friction : friction, own = k[0] + share * k[1];
        out[0] = own > 0.0 ? -b[0] / own : 0.0;
        out[1] = share * out[0];
        if (own > 0.0 && (b[1] + k[1] * out[0] + k[2] * out[1]) * share <= 0.0)
            return;
    }
    out[0] = -b[0] / k[0];
    out[1] = 0.0;
}

/* a point and its share of friction; returns the greater change of their rates */
static double visit_rough(tr2_touch_rows *rows, uint32_t i)
{
    tr2_touch_row *row = &rows->row[i], *rub = &rows->row[row->rub];
    const double k[3] = {column_of(rows, i)[i] + row->yields, column_of(rows, i)[row->rub],
                         column_of(rows, row->rub)[row->rub] + rub->yields};
    double impulse = row->before + row->change, next[2] = {0.0, 0.0};
    if (!(k[0] > 0.0))
        return 0.0;
    const double b[2] = {
        rows->now[i] - row->wanted + row->yields * impulse - (k[0] * impulse + k[1] * row->rubbed),
        rows->now[row->rub] - rub->wanted + rub->yields * (rub->before + rub->change) -
            (k[1] * impulse + k[2] * row->rubbed),
    };
    if (!has_no_way(rows, i))
        solve_pair(k, b, row->friction, next);
    if (!(fabs(next[0]) <= (double)TR_SANE_IMPULSE && fabs(next[1]) <= (double)TR_SANE_IMPULSE))
        next[0] = next[1] = 0.0;
    double change = next[0] - impulse, slip = next[1] - row->rubbed;
    change_row(rows, i, row->change + change);
    change_row(rows, row->rub, rub->change + slip);
    row->rubbed = next[1];
    return fmax(k[0] * fabs(change), k[2] * fabs(slip));
}

/* rolling resistance, up to its share of the normal impulses of its contact; returns the change of its rate, times the
   length unit */
static double visit_rolling(tr2_touch_rows *rows, uint32_t i)
{
    const tr2_touch_row *row = &rows->row[i];
    double k = column_of(rows, i)[i] + row->yields, load = 0.0;
    for (uint32_t p = 0; p < rows->points; p++)
        load += rows->row[p].touch == row->touch ? rows->row[p].before + rows->row[p].change : 0.0;
    if (!(k > 0.0))
        return 0.0;
    double most = row->friction * load, impulse = row->before + row->change;
    double next = fmax(-most, fmin(impulse - (rows->now[i] + row->yields * impulse) / k, most));
    change_row(rows, i, row->change + (next - impulse));
    return rows->unit * (k * fabs(next - impulse));
}

/* projected Gauss-Seidel over the points */
void tr2_solve_rows(tr2_touch_rows *rows)
{
    double most = INFINITY;
    for (uint32_t i = 0; i < rows->count; i++)
        rows->now[i] = rows->row[i].rate;
    for (uint32_t sweep = 0; sweep < SWEEPS && most > TR2_NEAR_ENOUGH * rows->unit; sweep++) {
        most = 0.0;
        for (uint32_t i = 0; i < rows->points; i++)
            most = fmax(most, rows->row[i].rub == TR_NONE ? visit_smooth(rows, i) : visit_rough(rows, i));
        for (uint32_t i = rows->rubs; i < rows->count; i++)
            most = fmax(most, visit_rolling(rows, i));
    }
}
