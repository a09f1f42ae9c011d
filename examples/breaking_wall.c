/*
 * A wall of bricks, each welded to its neighbours by joints that break. A heavy ball on a rope is thrown away from the
 * wall; when the rope goes taut, it tears a piece out. Prints how many welds broke, when, and the load on the first
 * ones. Bricks do not collide, so loose ones fall through the rest. scenes/wall.json is the same wall.
 */
#include <stdio.h>
#include <trammel/trammel.h>

enum { COLUMNS = 8, ROWS = 10, BRICKS = COLUMNS * ROWS, MOST_WELDS = 3 * BRICKS };

static const float width = 0.6f, height = 0.3f; /* m, of a brick */
static const float brick_mass = 18.0f;          /* kg */
static const float ball_mass = 400.0f, ball_radius = 0.4f;

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* every other row is offset by half a brick */
static float offset(int row)
{
    return row % 2 == 1 ? 0.5f * width : 0.0f;
}

static tr2_body_def brick_at(int row, int column)
{
    tr2_body_def def = tr2_body_def_default();
    def.position.x = (double)(width * (float)column + offset(row));
    def.position.y = (double)(height * ((float)row + 0.5f));
    def.mass = brick_mass;
    def.inertia = brick_mass * (width * width + height * height) / 12.0f;
    return def;
}

/* a weld of B to A with the strength of mortar; anchors (x, y) from A's centre and (bx, by) from B's */
static tr2_joint_def weld(tr2_body a, float x, float y, tr2_body b, float bx, float by)
{
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_WELD);
    def.body_a = a;
    def.body_b = b;
    def.anchor_a.x = x;
    def.anchor_a.y = y;
    def.anchor_b.x = bx;
    def.anchor_b.y = by;
    def.break_at.force = 4000.0f; /* N */
    def.break_at.torque = 300.0f; /* N m */
    return def;
}

/* welds each brick to its right neighbour, and to the two bricks below it or the ground; returns the number of welds */
static uint32_t make_welds(tr2_body ground, const tr2_body *bricks, tr2_joint_def *welds)
{
    uint32_t count = 0;
    float half = 0.5f * width, quarter = 0.25f * width, up = 0.5f * height;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            tr2_body brick = bricks[COLUMNS * row + column];
            if (column + 1 < COLUMNS)
                welds[count++] = weld(brick, half, 0.0f, bricks[COLUMNS * row + column + 1], -half, 0.0f);
            if (row == 0) {
                /* the welds to the ground do not break */
                welds[count] = weld(ground, width * (float)column, 0.0f, brick, 0.0f, -up);
                welds[count++].break_at = (tr_break_at){0};
                continue;
            }
            /* the bricks below, a quarter brick to the left and to the right */
            int left = row % 2 == 1 ? column : column - 1;
            const tr2_body *below = bricks + COLUMNS * (row - 1);
            if (left >= 0)
                welds[count++] = weld(below[left], quarter, up, brick, -quarter, -up);
            if (left + 1 < COLUMNS)
                welds[count++] = weld(below[left + 1], -quarter, up, brick, quarter, -up);
        }
    }
    return count;
}

static tr_status build(tr2_world *world, uint32_t *weld_count)
{
    tr2_body_def defs[BRICKS + 2];
    tr2_body ids[BRICKS + 2];
    for (int i = 0; i < BRICKS; i++)
        defs[i] = brick_at(i / COLUMNS, i % COLUMNS);
    defs[BRICKS] = tr2_body_def_default();
    defs[BRICKS].type = TR_STATIC;

    /* the ball is thrown to the right */
    tr2_body_def *ball = &defs[BRICKS + 1];
    *ball = tr2_body_def_default();
    ball->position.x = 5.5;
    ball->position.y = 2.6;
    ball->velocity.x = 6.0f;
    ball->velocity.y = 4.0f;
    ball->mass = ball_mass;
    ball->inertia = 0.5f * ball_mass * ball_radius * ball_radius;
    tr_status status = tr2_world_create_bodies(world, defs, BRICKS + 2, ids);
    if (status != TR_OK)
        return status;

    static tr2_joint_def welds[MOST_WELDS];
    *weld_count = make_welds(ids[BRICKS], ids, welds);
    status = tr2_world_create_joints(world, welds, *weld_count, NULL);

    tr2_joint_def rope = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    rope.body_a = ids[COLUMNS * 7 + 5];
    rope.body_b = ids[BRICKS + 1];
    tr2_joint_def_make_rope(&rope, 4.5f);
    return status == TR_OK ? tr2_world_create_joint(world, &rope, NULL) : status;
}

/* prints what broke in the last step on one line */
static void print_events(const tr2_world *world, double time)
{
    tr2_event_view events = tr2_world_events(world);
    if (events.count == 0)
        return;
    const tr2_reaction *r = &events.event[0].reaction;
    printf("%.3f s  %2u broke, the first under (%6.0f, %6.0f) N and %5.0f N m; %u pieces now\n", time, events.count,
           (double)r->force.x, (double)r->force.y, (double)r->torque, tr2_world_statistics(world).islands);
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);
    uint32_t welds = 0;
    tr_status status = build(world, &welds);
    for (int i = 0; i < 120 && status == TR_OK; i++) {
        status = tr2_world_step(world, 1.0 / 60.0, 8);
        print_events(world, (i + 1) / 60.0);
    }
    if (status == TR_OK)
        printf("%u of %u welds broke\n", (unsigned)tr2_world_statistics(world).broken_joints, welds);
    else
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
