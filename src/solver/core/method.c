#include "solver/core/method.h"

#include <math.h>

#include "base/angle.h"

static const trn_scheme schemes[TR_METHOD_COUNT] = {
    [TR_SOFT_STEP] =
        {.warm_start = true, .relax_each = true, .first = TR_PASS_SOLVE, .next = TR_PASS_SOLVE, .sweeps = 1},
    [TR_SMALL_STEP] = {.relax_last = true, .first = TR_PASS_STEP, .next = TR_PASS_SOLVE, .sweeps = 1},
    [TR_POSITION_BASED] = {.positions_first = true, .first = TR_PASS_PROJECT, .next = TR_PASS_PROJECT, .sweeps = 1},
    /* of no passes: solver/exact */
    [TR_DIRECT] = {.warm_start = true, .first = TR_PASS_SOLVE, .next = TR_PASS_SOLVE, .sweeps = 1},
    [TR_SEQUENTIAL_IMPULSES] = {.warm_start = true, .first = TR_PASS_STEP, .next = TR_PASS_SOLVE, .sweeps = 8},
};

const trn_scheme *trn_scheme_of(tr_method method)
{
    return &schemes[method];
}

uint32_t trn_sweeps_of(const trn_settings *settings)
{
    return settings->sweeps > 0 ? settings->sweeps : schemes[settings->method].sweeps;
}

trn_soft trn_soft_of(float frequency, float damping_ratio, float h)
{
    float omega = (float)TR_TURN * frequency;
    float a1 = 2.0f * damping_ratio + h * omega;
    float a2 = h * omega * a1;
    float a3 = 1.0f / (1.0f + a2);
    trn_soft soft = {omega / a1, a2 * a3, a3};
    return soft;
}

/* A rigid row: corrects a share of its error per sub-step, scales its effective mass, and decays its impulse per
   sweep. */
static trn_soft hard_row(float share, float relaxation, float leak, float correction_h)
{
    trn_soft hard = {share / correction_h, relaxation, leak};
    return hard;
}

/* share of a spring's impulse decay that a rigid row has: it is that much stiffer, and equally calm */
#define RIGID_LEAK 0.75f

/*
 * The small step removes less of a rigid row's rate than a sweep could, so that rows that share bodies do not
 * overshoot, but corrects more of its error: in a lattice a sweep reaches only neighbours, so that an error that is
 * corrected just in full remains. A row by itself swings around 0, and a sub-step leaves sqrt(1 - relaxation) of its
 * swing, 45 %. Lattices gain energy from a share of 2 on (docs/notes/solver-experiments.md has what was tried).
 */
#define SMALL_STEP_RELAXATION 0.8f
#define SMALL_STEP_SHARE      1.65f

/*
 * The position based method projects rows of positions in full, one by one. Springs, motors and friction are rows of
 * velocities, which contain what rows of positions have just corrected, so joints with features correct each other too
 * much, by turns: light links on servos shook with opposite signs in each sub-step, and more so from one to the next.
 * Rows that are held beside features are therefore projected by this share: one by itself leaves sqrt(1 - share) of its
 * swing, as in the small step. In the plane, where such links have one moment and no tilt, no case is known, and the whole
 * is more exact.
 */
#define PROJECTED_DRIVEN (TR_DIMENSION == 3 ? 0.8f : 1.0f)

/* limits only push, so what they correct too much would stay */
#define SMALL_STEP_LIMIT 0.9f

/* gears close loops of bodies that are hinged to each other: in a planetary set they and the hinges excite each other
   from a relaxation of 0.7 on */
#define SMALL_STEP_GEAR 0.6f

/* the classic method corrects only this share; in lattices and under heavy bodies it diverges unless impulses decay */
#define BAUMGARTE      0.2f
#define BAUMGARTE_LEAK 0.06f

/* Errors grow with the length of a sub-step. To correct all of a large one within a much shorter sub-step is a blow, so
   the time shrinks by this factor per step at most. */
#define CORRECTION_SHRINKS 0.85f

float trn_correction_h(float h, float last)
{
    return h > CORRECTION_SHRINKS * last ? h : CORRECTION_SHRINKS * last;
}

float trn_held_at(float frequency, float most, bool *clamped)
{
    *clamped = frequency > most * 1.00001f;
    return frequency > most ? most : frequency;
}

/* of the sub-step rate: up to there frequencies rise in fine steps; what asks for more gets that */
#define FINE_SHARE 0.0625f

trn_soft trn_rigid_of(const trn_settings *settings, float h, float correction_h, bool *clamped)
{
    *clamped = false;
    switch (settings->method) {
    case TR_SMALL_STEP:
        return hard_row(SMALL_STEP_SHARE, SMALL_STEP_RELAXATION, 0.0f, correction_h);
    case TR_POSITION_BASED:
        return hard_row(1.0f, 1.0f, 0.0f, correction_h);
    case TR_SEQUENTIAL_IMPULSES:
        return hard_row(BAUMGARTE, 1.0f, BAUMGARTE_LEAK, correction_h);
    default:
        break;
    }
    /* above a quarter of the sub-step rate, lattices become unstable, even if chains converge */
    float held = trn_held_at(settings->joint_frequency, 0.25f / h, clamped);
    /* Rows that are held at the same frequency give way by as much however short the sub-step is, which then gains nothing. So
       in fine steps it rises with the rate, and a sub-step is as stable as one of TR_FINE_H. */
    const float most = FINE_SHARE / h;
    if (h < TR_FINE_H && held < most)
        held = fminf(held * (TR_FINE_H / h), most);
    trn_soft soft = trn_soft_of(held, settings->joint_damping_ratio, h);
    soft.impulse_scale *= RIGID_LEAK;
    return soft;
}

trn_soft trn_driven_of(const trn_settings *settings, trn_soft rigid, float correction_h)
{
    if (settings->method != TR_POSITION_BASED)
        return rigid;
    return hard_row(1.0f, PROJECTED_DRIVEN, 0.0f, correction_h);
}

/* in the small step, all of the error with this relaxation */
static trn_soft calmer(const trn_settings *settings, trn_soft rigid, float relaxation, float correction_h)
{
    return settings->method == TR_SMALL_STEP ? hard_row(1.0f, relaxation, 0.0f, correction_h) : rigid;
}

trn_soft trn_limit_of(const trn_settings *settings, trn_soft rigid, float correction_h)
{
    return calmer(settings, rigid, SMALL_STEP_LIMIT, correction_h);
}

trn_soft trn_gear_of(const trn_settings *settings, trn_soft rigid, float correction_h)
{
    return calmer(settings, rigid, SMALL_STEP_GEAR, correction_h);
}
