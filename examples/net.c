/*
 * A net of knots and cords that hangs by its upper edge, with a stone in its middle. The cords are distance joints that
 * only pull. Halfway through, every second cord at the edge is cut. Prints the lowest knot and the load on the edge.
 * scenes/net.json is a similar net.
 */
#include <stdio.h>
#include <trammel/trammel.h>

enum { COLUMNS = 24, ROWS = 16, KNOTS = COLUMNS * ROWS, MOST_CORDS = 2 * KNOTS };

static const float knot_mass = 0.2f, stone_mass = 10.0f; /* kg */
static const float mesh = 0.25f;                         /* m */

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* a cord of mesh length that can go slack */
static tr2_joint_def cord(tr2_body a, tr2_body b)
{
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    def.body_a = a;
    def.body_b = b;
    tr2_joint_def_make_rope(&def, mesh);
    return def;
}

static void make_knots(tr2_body_def *defs)
{
    for (int i = 0; i < KNOTS; i++) {
        int row = i / COLUMNS;
        defs[i] = tr2_body_def_default();
        defs[i].type = row == 0 ? TR_STATIC : TR_DYNAMIC;
        defs[i].position.x = (double)(mesh * (float)(i % COLUMNS));
        defs[i].position.y = (double)(-mesh * (float)row);
        defs[i].mass = i == KNOTS / 2 + COLUMNS / 2 ? stone_mass : knot_mass;
        defs[i].inertia = 0.0f; /* point masses: no torque acts on them */
        defs[i].linear_damping = 0.3f;
    }
}

/* cords to the right neighbour and to the one below */
static uint32_t make_cords(const tr2_body *knots, tr2_joint_def *defs)
{
    uint32_t count = 0;
    for (int i = 0; i < KNOTS; i++) {
        if (i / COLUMNS > 0 && i % COLUMNS + 1 < COLUMNS)
            defs[count++] = cord(knots[i], knots[i + 1]);
        if (i + COLUMNS < KNOTS)
            defs[count++] = cord(knots[i], knots[i + COLUMNS]);
    }
    return count;
}

/* also while it sleeps: then its type is that of a static one */
static bool is_dynamic(const tr2_body_view *bodies, uint32_t row)
{
    return bodies->type[row] == TR_DYNAMIC || (bodies->flags[row] & TR_BODY_ASLEEP) != 0;
}

/* prints the sum of the forces in the edge's cords and the height of the lowest knot */
static tr_status report(const tr2_world *world, const tr2_joint *cords, uint32_t count, double seconds)
{
    tr2_body_view bodies = tr2_world_bodies(world);
    double lowest = 0.0, carried = 0.0, weight = 0.0;
    for (uint32_t row = 0; row < bodies.count; row++) {
        lowest = bodies.center_y[row] < lowest ? bodies.center_y[row] : lowest;
        weight += is_dynamic(&bodies, row) ? 9.81 * (double)bodies.mass[row] : 0.0;
    }
    for (uint32_t i = 0; i < count; i++) {
        tr2_reaction reaction;
        tr_status status = tr2_joint_reaction(world, cords[i], &reaction);
        if (status != TR_OK)
            return status;
        carried += (double)reaction.force.y;
    }
    printf("%4.1f s  lowest knot %.3f m, the edge carries %.1f N of %.1f N\n", seconds, lowest, carried, weight);
    return TR_OK;
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);

    static tr2_body_def knot_defs[KNOTS];
    static tr2_joint_def cord_defs[MOST_CORDS];
    static tr2_body knots[KNOTS];
    static tr2_joint cords[MOST_CORDS];
    make_knots(knot_defs);
    tr_status status = tr2_world_create_bodies(world, knot_defs, KNOTS, knots);
    uint32_t count = status == TR_OK ? make_cords(knots, cord_defs) : 0;
    if (status == TR_OK)
        status = tr2_world_create_joints(world, cord_defs, count, cords);

    /* the cords of the upper row are the first COLUMNS joints */
    for (int i = 0; i < 600 && status == TR_OK; i++) {
        status = tr2_world_step(world, 1.0 / 60.0, 8);
        if (status == TR_OK && i % 60 == 59)
            status = report(world, cords, COLUMNS, (i + 1) / 60.0);
        /* cut every second cord of the edge halfway through */
        for (uint32_t c = 1; i == 299 && status == TR_OK && c < COLUMNS; c += 2)
            status = tr2_joint_set_enabled(world, cords[c], false);
    }
    if (status != TR_OK)
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
