/*
 * Features of the angle that a joint of a tree leaves free: spring, friction, motor, limits. The impulse l of each on B
 * is a falling function of the rate w of B relative to A: the upper bound below the feature's own rate, the lower bound
 * above it, and at that rate whatever keeps it. A spring's l = (rate - w) / yields connects the bounds. So at most one
 * feature (the keeper) keeps its rate, which is a row of the angle; the others are at their bounds, and a spring is a
 * row with compliance.
 *
 * The solution decides which feature is the keeper: a keeper whose impulse would exceed its bounds lets go, and if the
 * rate passes that of another feature, that becomes the keeper. The tree is solved again until nothing changes, mostly
 * a few times. A step starts from the impulses in the table, so that its results depend on the state alone.
 */
#include <math.h>

#include "solver/core/method.h"
#include "solver/trees/trees_tie.h"

#define UNBOUNDED 1e30

/* N m s: bound of a motor or friction; above any real one, and below a limit's */
#define MOST_CAPPED 1e18

/* rad/s: a correction of a limit that is slower than this may leave its speed */
#define PUSHES 1e-3

/* compliance of a limit that gives way, as a share of the response of the two bodies alone: much less than that of
   bodies, which move instead if they can, and much more than that of pins and contacts */
#define GIVES_WAY 0.01

/* impulse columns in the table, by feature */
static const uint32_t column[TR2_TURN_PARTS] = {2, 6, 3, 4, 5};

/* a softness from its three fields, as in softness.inl: compliance, absolute and as a share of the bodies' response,
   and the correction rate of the error */
static void soften(const tr2_step *step, const tr2_joints *joints, tr2_field field, uint32_t row, double *yields,
                   double *share, double *rate)
{
    double h = (double)step->context.h, a = number_of(joints, field + 1, row), b = number_of(joints, field + 2, row);
    uint32_t kind = tr2_joint_cell(joints, field, row);
    *share = 0.0;
    if (kind == TR_PHYSICAL) {
        double c = b + h * a;
        *yields = c > 0.0 ? 1.0 / (h * c) : UNBOUNDED;
        *rate = c > 0.0 ? a / c : 0.0;
        return;
    }
    if (kind == TR_RAW) {
        *yields = a;
        *rate = b / h;
        return;
    }
    tr2_soft soft = kind == TR_RIGID ? step->context.rigid : tr2_soft_of((float)a, (float)b, step->context.h);
    double scale = (double)soft.mass_scale;
    *yields = scale > 0.0 ? 0.0 : UNBOUNDED;
    *share = scale > 0.0 ? (1.0 - scale) / scale : 0.0;
    *rate = scale > 0.0 ? (double)soft.bias_rate : 0.0;
}

/* finds the bound, if any, at which a feature was, from its last impulse */
static void take_side(tr2_turn_piece *part, double impulse)
{
    part->impulse = impulse;
    /* compare as floats, because the table has floats */
    part->side = impulse >= (double)(float)part->most ? 1 : impulse <= (double)(float)part->least ? -1 : 0;
}

static void prepare_point(const tr2_step *step, tr2_trees_turn *turn, const tr2_joints *joints, uint32_t row)
{
    turn->point_yields = turn->point_share = 0.0;
    turn->point_rate = (double)step->context.inv_h;
    if (!tr2_is_rigid_cell(tr2_joint_cell(joints, TR2_FIELD_LINEAR_KIND, row)))
        soften(step, joints, TR2_FIELD_LINEAR_KIND, row, &turn->point_yields, &turn->point_share, &turn->point_rate);
}

static void prepare_spring(const tr2_step *step, tr2_trees_turn *turn, const tr2_joints *joints, uint32_t row)
{
    tr2_turn_piece *spring = &turn->part[TR2_TURN_SPRING];
    double h = (double)step->context.h, k = turn->inverse_inertia[0] + turn->inverse_inertia[1], share;
    double least = number_of(joints, TR2_FIELD_SPRING_FORCE_LOWER, row),
           most = number_of(joints, TR2_FIELD_SPRING_FORCE_UPPER, row);
    bool capped = least != 0.0 || most != 0.0;
    spring->least = capped ? h * least : -UNBOUNDED;
    spring->most = capped ? h * most : UNBOUNDED;
    turn->target = number_of(joints, TR2_FIELD_SPRING_TARGET, row);
    soften(step, joints, TR2_FIELD_SPRING_KIND, row, &spring->yields, &share, &turn->spring_rate);
    spring->yields += share * k;
    /* a rigid spring gets the least compliance for which its impulse can be computed from its rate */
    if (spring->yields < 1e-6 * k)
        spring->yields = 1e-6 * k;
    spring->on = tr2_joint_cell(joints, TR2_FIELD_SPRING_ENABLE, row) != 0 && spring->yields < UNBOUNDED && k > 0.0;
}

void tr2_turn_prepare(const tr2_step *step, tr2_trees_turn *turn, const tr2_trees_tie *tie, uint32_t a, uint32_t b,
                      double angle)
{
    const tr2_bodies *bodies = step->system->bodies;
    const tr2_joints *joints = &step->system->joints[tie->type];
    uint32_t row = tie->row;
    double h = (double)step->context.h;
    tr2_turn_piece *part = turn->part;
    memset(turn, 0, sizeof *turn);
    turn->angle = angle;
    turn->inverse_mass = (double)tr2_body_inverse_mass(bodies, a) + (double)tr2_body_inverse_mass(bodies, b);
    turn->inverse_inertia[0] = (double)tr2_body_inverse_inertia(bodies, a);
    turn->inverse_inertia[1] = (double)tr2_body_inverse_inertia(bodies, b);
    prepare_point(step, turn, joints, row);
    prepare_spring(step, turn, joints, row);
    part[TR2_TURN_FRICTION].most = h * number_of(joints, TR2_FIELD_FRICTION, row);
    part[TR2_TURN_MOTOR].most =
        tr2_joint_cell(joints, TR2_FIELD_MOTOR_ENABLE, row) != 0 ? h * number_of(joints, TR2_FIELD_MOTOR_MAXIMUM, row) : 0.0;
    part[TR2_TURN_MOTOR].rate = number_of(joints, TR2_FIELD_MOTOR_SPEED, row);
    for (uint32_t i = TR2_TURN_FRICTION; i <= TR2_TURN_MOTOR; i++) {
        part[i].most = fmin(part[i].most, MOST_CAPPED);
        part[i].least = -part[i].most;
        part[i].on = part[i].most > 0.0;
    }
    part[TR2_TURN_LOWER].most = UNBOUNDED;
    part[TR2_TURN_UPPER].least = -UNBOUNDED;
    part[TR2_TURN_LOWER].on = part[TR2_TURN_UPPER].on = tr2_joint_cell(joints, TR2_FIELD_LIMIT_ENABLE, row) != 0;
    turn->lower = number_of(joints, TR2_FIELD_LIMIT_LOWER, row);
    turn->upper = number_of(joints, TR2_FIELD_LIMIT_UPPER, row);

    double factor = step->solver->last_h > 0.0f ? h / (double)step->solver->last_h : 0.0;
    for (uint32_t i = 0; i < TR2_TURN_PARTS; i++) {
        double impulse = factor * (double)tr2_joint_impulse(joints, column[i], row);
        take_side(&part[i], i == TR2_TURN_UPPER ? -impulse : impulse);
    }
}

/* below its rate, a feature's impulse is at the upper bound */
static int side_at(const tr2_turn_piece *part, double rate)
{
    return rate < part->rate ? 1 : -1;
}

/* a fixed order for equal rates; otherwise the states of two features might never settle */
static int side_by(const tr2_trees_turn *turn, uint32_t part, uint32_t keeper)
{
    static const int rank[TR2_TURN_PARTS] = {
        [TR2_TURN_LOWER] = 0, [TR2_TURN_FRICTION] = 1, [TR2_TURN_MOTOR] = 2, [TR2_TURN_UPPER] = 3};
    double own = turn->part[part].rate, kept = turn->part[keeper].rate;
    return kept < own || (kept == own && rank[keeper] < rank[part]) ? 1 : -1;
}

/* the impulse of a spring at a rate, within its bounds */
static double spring_at(tr2_turn_piece *spring, double rate)
{
    double impulse = (spring->rate - rate) / spring->yields;
    spring->side = impulse >= spring->most ? 1 : impulse <= spring->least ? -1 : 0;
    return spring->side > 0 ? spring->most : spring->side < 0 ? spring->least : impulse;
}

/* the keeper is the highest-ranking feature that is not at a bound */
static void find_keeper(tr2_trees_turn *turn)
{
    turn->keeper = TR_NONE;
    turn->given = 0.0;
    for (uint32_t i = TR2_TURN_PARTS; i-- > TR2_TURN_FRICTION;) {
        tr2_turn_piece *part = &turn->part[i];
        if (!part->on || part->side != 0)
            continue;
        if (turn->keeper == TR_NONE)
            turn->keeper = i;
        else
            part->side = side_by(turn, i, turn->keeper);
    }
    const tr2_turn_piece *spring = &turn->part[TR2_TURN_SPRING];
    turn->row = turn->keeper != TR_NONE || (spring->on && spring->side == 0);
    for (uint32_t i = 0; turn->keeper == TR_NONE && i < TR2_TURN_PARTS; i++) {
        const tr2_turn_piece *part = &turn->part[i];
        if (part->on && part->side != 0)
            turn->given += part->side > 0 ? part->most : part->least;
    }
}

/* rate of a gap at its limit: an open gap may close within the sub-step; a violated limit is corrected softly */
static double opening(const tr2_step *step, double gap)
{
    const tr2_kernel_context *k = &step->context;
    return gap > 0.0 ? -gap * (double)k->inv_h : fmin(-gap * (double)k->slip_rate, (double)TR_LIMIT_SPEED);
}

bool tr2_turn_pushes(const tr2_trees_turn *turn)
{
    const tr2_turn_piece *part = turn->part;
    return (turn->keeper == TR2_TURN_LOWER && part[TR2_TURN_LOWER].rate > PUSHES) ||
           (turn->keeper == TR2_TURN_UPPER && part[TR2_TURN_UPPER].rate < -PUSHES);
}

bool tr2_turn_take_over(tr2_trees_turn *turn, double rate)
{
    for (uint32_t i = TR2_TURN_LOWER; i <= TR2_TURN_UPPER; i++) {
        tr2_turn_piece *part = &turn->part[i];
        double sign = i == TR2_TURN_LOWER ? 1.0 : -1.0, wanted = sign * part->rate;
        if (part->on && part->side != 0 && wanted > PUSHES && sign * rate < wanted) {
            part->side = 0;
            return true;
        }
    }
    return false;
}

bool tr2_turn_takes_over(const tr2_trees_turn *turn)
{
    return tr2_turn_pushes(turn) && turn->part[turn->keeper].impulse == 0.0;
}

double tr2_turn_limit_rate(const tr2_trees_turn *turn, double sign)
{
    bool is_limit = turn->keeper == TR2_TURN_LOWER || turn->keeper == TR2_TURN_UPPER;
    return is_limit ? -sign * turn->part[turn->keeper].rate : 0.0;
}

void tr2_turn_leave(tr2_trees_turn *turn, double impulse)
{
    if (turn->keeper != TR_NONE)
        turn->part[turn->keeper].impulse -= impulse;
}

double tr2_turn_place(const tr2_step *step, tr2_trees_turn *turn, double turned, double sign)
{
    double angle = turn->angle + turned;
    turn->part[TR2_TURN_SPRING].rate = -turn->spring_rate * (angle - turn->target);
    turn->part[TR2_TURN_LOWER].rate = opening(step, angle - turn->lower);
    turn->part[TR2_TURN_UPPER].rate = -opening(step, turn->upper - angle);
    find_keeper(turn);
    turn->yields = turn->keeper == TR_NONE ? turn->part[TR2_TURN_SPRING].yields : 0.0;
    if (turn->gives_way && tr2_turn_pushes(turn))
        turn->yields = GIVES_WAY * (turn->inverse_inertia[0] + turn->inverse_inertia[1]);
    uint32_t row = turn->keeper != TR_NONE ? turn->keeper : TR2_TURN_SPRING;
    return turn->row ? -sign * turn->part[row].rate : 0.0;
}

double tr2_turn_yields(const tr2_trees_turn *turn)
{
    return turn->row ? turn->yields : 0.0;
}

/* the keeper's impulse is the row's minus those of the others; if it exceeds its bounds it lets go, and beyond a
   limit's bound that takes over */
static bool settle_kept(tr2_trees_turn *turn, double impulse)
{
    tr2_turn_piece *keeper = &turn->part[turn->keeper], *spring = &turn->part[TR2_TURN_SPRING];
    bool changed = false;
    keeper->impulse = impulse;
    if (spring->on)
        keeper->impulse -= spring->impulse = spring_at(spring, keeper->rate);
    for (uint32_t i = TR2_TURN_FRICTION; i < TR2_TURN_PARTS; i++) {
        tr2_turn_piece *part = &turn->part[i];
        if (!part->on || part == keeper)
            continue;
        part->side = side_by(turn, i, turn->keeper);
        part->impulse = part->side > 0 ? part->most : part->least;
        if (fabs(part->impulse) >= UNBOUNDED) {
            part->side = 0;
            part->impulse = 0.0;
            keeper->side = side_by(turn, turn->keeper, i);
            changed = true;
        }
        keeper->impulse -= part->impulse;
    }
    if (!changed && (keeper->impulse > keeper->most || keeper->impulse < keeper->least)) {
        keeper->side = keeper->impulse > keeper->most ? 1 : -1;
        changed = true;
    }
    return changed;
}

/* The feature whose rate was passed becomes the keeper: of several the one passed first, and of equal ones the
   highest-ranking. */
static bool settle_free(tr2_trees_turn *turn, double rate)
{
    tr2_turn_piece *spring = &turn->part[TR2_TURN_SPRING], *first = NULL;
    int side = spring->side;
    if (spring->on)
        spring->impulse = spring_at(spring, rate);
    for (uint32_t i = TR2_TURN_PARTS; i-- > TR2_TURN_FRICTION;) {
        tr2_turn_piece *part = &turn->part[i];
        if (!part->on)
            continue;
        part->impulse = part->side > 0 ? part->most : part->least;
        bool sooner = first == NULL || (part->side < 0 ? part->rate > first->rate : part->rate < first->rate);
        if (side_at(part, rate) != part->side && sooner)
            first = part;
    }
    if (first != NULL)
        first->side = 0;
    return first != NULL || spring->side != side;
}

void tr2_turn_let_go(tr2_trees_turn *turn, double rate)
{
    double k = turn->inverse_inertia[0] + turn->inverse_inertia[1];
    for (uint32_t i = TR2_TURN_FRICTION; i <= TR2_TURN_MOTOR; i++) {
        tr2_turn_piece *part = &turn->part[i];
        if (part->on && part->side == 0 && fabs(part->rate - rate) > part->most * k)
            part->side = side_at(part, rate);
    }
}

bool tr2_turn_settle(tr2_trees_turn *turn, double rate, double impulse)
{
    return turn->keeper != TR_NONE ? settle_kept(turn, impulse) : settle_free(turn, rate);
}

void tr2_turn_finish(const tr2_trees_turn *turn, const tr2_joints *joints, uint32_t row, bool on)
{
    for (uint32_t i = 0; i < TR2_TURN_PARTS; i++) {
        const tr2_turn_piece *part = &turn->part[i];
        double impulse = on && part->on && fabs(part->impulse) < UNBOUNDED ? part->impulse : 0.0;
        if (joints->impulse[column[i]] != NULL)
            joints->impulse[column[i]][row] = (float)(i == TR2_TURN_UPPER ? -impulse : impulse);
    }
}
