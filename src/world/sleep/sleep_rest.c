/* Which bodies are at rest, and for how long. */
#include <float.h>

#include "base/arithmetic.h"
#include "world/core/body.h"
#include "world/sleep/sleep_internal.h"

#define ROWS_PER_CHUNK 1024u
#define ROWS_PER_RUN   16u

/* What shakes in place is slower than so many times the threshold, and goes no farther than that part of the way on which
   what is slow may be. */
#define SHAKE    5.0
#define IN_PLACE 0.1

/* what a body is slower than while it is at rest, squared, where its scale is 1 */
typedef struct thresholds {
    double speed, spin;
} thresholds;

static thresholds scaled(thresholds most, double by)
{
    return (thresholds){by * by * most.speed, by * by * most.spin};
}

static bool is_slow(const trn_bodies *bodies, uint32_t row, thresholds most)
{
    return trn_square(trn_body_linear_velocity(bodies, row)) < most.speed &&
           trn_spin_square(trn_body_angular_velocity(bodies, row)) < most.spin;
}

/* Whether nothing is to be written to a run of rows, because all move and none was at rest before. A body that has been
   searched has been at rest. */
static bool all_move(const trn_bodies *bodies, uint32_t row, thresholds most)
{
    uint32_t rest = 0;
    for (uint32_t i = row; i < row + ROWS_PER_RUN; i++) {
        rest |= (uint32_t)(trn_square(trn_body_linear_velocity(bodies, i)) < most.speed) &
                (uint32_t)(trn_spin_square(trn_body_angular_velocity(bodies, i)) < most.spin);
        rest |= (uint32_t)(bodies->still[i] > 0.0f);
    }
    return rest == 0;
}

/* where a body is from now on judged from */
static void set_anchor(trn_sleep *sleep, uint32_t slot, trn_anchor now)
{
    trn_sleep_use(sleep, slot);
    sleep->anchors[slot] = now;
}

/*
 * Whether a body is at rest: slow, and near where it was. What corrects joints and contacts moves bodies without a velocity
 * that remains: in each sleep.time a body may go as far as one of the threshold's speed would. And rows of contacts and
 * joints may push a body that is wedged in a heap to and fro for ever, by a millimetre and faster than the threshold: it
 * rests, too, once it has been slow, while it stays in place.
 */
static bool rests_now(trn_world *world, uint32_t row, thresholds most, double dt)
{
    const trn_bodies *bodies = &world->bodies;
    const double time = (double)world->settings.sleep.time;
    trn_anchor *anchor = &world->sleep.anchors[bodies->slot[row]];
    const trn_anchor now = {trn_body_mass_center(bodies, row), trn_body_orientation(bodies, row), 0.0};
    const bool slow = is_slow(bodies, row, most);
    if (!(bodies->still[row] > 0.0f) || bodies->still[row] >= FLT_MAX) {
        if (slow)
            set_anchor(&world->sleep, bodies->slot[row], now);
        return slow;
    }
    if (!slow && !is_slow(bodies, row, scaled(most, SHAKE)))
        return false;
    anchor->since += dt;
    const double moved = trn_square(trn_narrow(trn_minus(now.center, anchor->center)));
    const double turned = trn_turn_square(now.orientation, anchor->orientation);
    const thresholds near = scaled(most, anchor->since > time ? anchor->since : time),
                     place = scaled(most, IN_PLACE * time);
    if (anchor->since >= time)
        *anchor = now;
    return moved < near.speed && turned < near.spin && (slow || (moved < place.speed && turned < place.spin));
}

/* for how long a body has been at rest */
static void time_row(trn_world *world, uint32_t row, thresholds most, double dt)
{
    trn_bodies *bodies = &world->bodies;
    if ((bodies->flags[row] & TR_BODY_ASLEEP) != 0)
        return;
    most = scaled(most, (double)trn_body_number(bodies->sleep_scale, row, 1.0f));
    bool rests = bodies->type[row] == TR_DYNAMIC && (bodies->flags[row] & TR_BODY_NEVER_SLEEPS) == 0 &&
                 rests_now(world, row, most, dt);
    float longer = (float)((double)bodies->still[row] + dt);
    /* nobody asks for it any more */
    if (!rests && bodies->still[row] > 0.0f)
        world->sleep.anchors[bodies->slot[row]] = (trn_anchor){0};
    bodies->still[row] = rests ? (longer < FLT_MAX ? longer : FLT_MAX) : 0.0f;
    bodies->flags[row] &= rests ? ~0u : ~TR_BODY_SEARCHED;
}

static void time_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    trn_world *world = context;
    const double dt = *(const double *)stage_data;
    trn_bodies *bodies = &world->bodies;
    const tr_sleep_settings *settings = &world->settings.sleep;
    const double speed = (double)settings->speed * (double)world->settings.length_unit;
    const double spin = (double)settings->angular_speed;
    const thresholds most = {speed * speed, spin * spin};
    const tr_row_range rows =
        tr_rows_of_chunk(bodies->table.count, bodies->rest_first, bodies->rest_end, chunk, ROWS_PER_CHUNK);
    for (uint32_t row = rows.first; (row = trn_bodies_awake(bodies, row)) < rows.end;) {
        uint32_t stop = row < bodies->rest_first && bodies->rest_first < rows.end ? bodies->rest_first : rows.end;
        for (; stop - row >= ROWS_PER_RUN && bodies->sleep_scale == NULL && all_move(bodies, row, most);)
            row += ROWS_PER_RUN;
        for (uint32_t i = 0; i < ROWS_PER_RUN && row < stop; i++, row++)
            time_row(world, row, most, dt);
    }
}

static uint32_t chunks_of(const trn_world *world)
{
    const trn_bodies *bodies = &world->bodies;
    uint32_t count = bodies->table.count - (bodies->rest_end - bodies->rest_first);
    return count / ROWS_PER_CHUNK + (count % ROWS_PER_CHUNK != 0);
}

bool trn_sleep_judge_reserve(trn_world *world)
{
    return tr_team_reserve(world->team, 1, chunks_of(world)) == TR_OK;
}

void trn_sleep_judge(trn_world *world, double dt)
{
    tr_pipeline_stage stage = {time_chunk, &dt, chunks_of(world), 0, false, 0};
    uint32_t workers = trn_solver_last(world->solver)->threads;
    tr_arithmetic before = tr_arithmetic_plain();
    tr_team_run(world->team, &stage, 1, workers > 0 ? workers : 1, world, NULL);
    tr_arithmetic_restore(&before);
}
