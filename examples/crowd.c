/*
 * A crowd: discs that walk through a hall to goals of their own, alone or in groups tied by ropes. The steering is part
 * of this example: people push towards their goals, avoid those ahead and pass them on the right. The world handles
 * collisions and ropes. Usage: crowd [PEOPLE [SECONDS]]; 2,000 for 5 s. A fifth of the people walk in groups of five.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <trammel/trammel.h>

#define STEP     (1.0 / 60.0)
#define SUBSTEPS 4
#define GROUP    5    /* people in a group; a rope ties each to the one before */
#define ROOM     0.45 /* m^2 of floor area per person */
#define CELL     1.0  /* m: how far people look ahead */
#define PACE     1.4  /* m/s */
#define PATIENCE 0.5  /* s: time constant in which people reach the velocity that they want */
#define SLACK    0.9f /* m: length of a rope between centres */
#define GRIP     4.0  /* m/s^2: about as hard as a person pushes off the ground */

typedef struct person {
    double x, y, vx, vy, mass;
    double goal_x, goal_y; /* m; a group uses the goal of its first person */
    uint32_t leader;
    uint32_t next; /* next person in the same cell; `people` ends the list */
} person;

typedef struct crowd {
    tr2_world *world;
    uint32_t people, ropes;
    double side; /* m, of the hall, which is centred on the origin */
    uint64_t random;
    tr2_body *ids;
    person *all;
    uint32_t cells, *first; /* number along a side; the first person in each cell */
    uint32_t arrived;
} crowd;

static double uniform(crowd *c, double low, double high)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(c->random >> 40) / 16777216.0;
}

/*
 * The hall and the people
 */
static void choose_goal(crowd *c, person *who)
{
    double most = 0.45 * c->side;
    who->goal_x = uniform(c, -most, most);
    who->goal_y = uniform(c, -most, most);
}

static tr_status make_walls(crowd *c)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body hall;
    def.type = TR_STATIC;
    tr_status status = tr2_world_create_body(c->world, &def, &hall);
    if (status != TR_OK)
        return status;
    /* clockwise, so that the outside is solid */
    float h = (float)(0.5 * c->side);
    const tr_vec2 corners[4] = {{-h, -h}, {-h, h}, {h, h}, {h, -h}};
    tr2_chain_def walls = tr2_chain_def_default();
    walls.points = corners;
    walls.count = 4;
    walls.loop = true;
    walls.shape.body = hall;
    return tr2_world_create_chain(c->world, &walls, NULL);
}

static tr_status make_people(crowd *c)
{
    tr2_body_def *bodies = calloc(c->people, sizeof *bodies);
    tr2_shape_def *shapes = calloc(c->people, sizeof *shapes);
    tr_status status = bodies != NULL && shapes != NULL ? TR_OK : TR_ERROR_MEMORY;
    uint32_t across = (uint32_t)ceil(sqrt((double)c->people));
    for (uint32_t i = 0; i < c->people && status == TR_OK; i++) {
        /* rows in alternating directions with small random offsets; the first person of a group chooses its goal */
        person *who = &c->all[i];
        uint32_t row = i / across, column = row % 2 == 0 ? i % across : across - 1 - i % across;
        double pitch = c->side / across;
        bodies[i] = tr2_body_def_default();
        bodies[i].position.x = pitch * (column + 0.5) - 0.5 * c->side + uniform(c, -0.05, 0.05);
        bodies[i].position.y = pitch * (row + 0.5) - 0.5 * c->side + uniform(c, -0.05, 0.05);
        bodies[i].user_data = i;
        who->leader = i / GROUP < c->ropes / (GROUP - 1) ? i - i % GROUP : i;
        choose_goal(c, who);
    }
    if (status == TR_OK)
        status = tr2_world_create_bodies(c->world, bodies, c->people, c->ids);
    for (uint32_t i = 0; i < c->people && status == TR_OK; i++) {
        shapes[i] = tr2_circle_on(c->ids[i], (tr_vec2){0.0f, 0.0f}, (float)uniform(c, 0.2, 0.28));
        shapes[i].density = 400.0f; /* 50 to 98 kg */
        shapes[i].surface.friction = 0.1f;
        shapes[i].contact_events = false;
    }
    if (status == TR_OK)
        status = tr2_world_create_shapes(c->world, shapes, c->people, NULL);
    free(bodies);
    free(shapes);
    return status;
}

static tr_status make_ropes(crowd *c)
{
    tr2_joint_def *ropes = calloc(c->ropes + 1, sizeof *ropes);
    uint32_t count = 0;
    for (uint32_t i = 1; i < c->people && ropes != NULL; i++) {
        if (c->all[i].leader == i)
            continue;
        tr2_joint_def *rope = &ropes[count++];
        *rope = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        rope->body_a = c->ids[i - 1];
        rope->body_b = c->ids[i];
        tr2_joint_def_make_rope(rope, SLACK);
        rope->collide_connected = true;
    }
    tr_status status = ropes != NULL ? tr2_world_create_joints(c->world, ropes, count, NULL) : TR_ERROR_MEMORY;
    free(ropes);
    return status;
}

/*
 * Steering
 */
static uint32_t cell_of(const crowd *c, double along)
{
    double cell = (along + 0.5 * c->side) / CELL;
    return cell < 0.0 ? 0 : cell >= (double)c->cells ? c->cells - 1 : (uint32_t)cell;
}

/* also while it sleeps: then its type is that of a static one */
static bool is_dynamic(const tr2_body_view *bodies, uint32_t row)
{
    return bodies->type[row] == TR_DYNAMIC || (bodies->flags[row] & TR_BODY_ASLEEP) != 0;
}

static void look_around(crowd *c)
{
    for (uint32_t i = 0; i < c->cells * c->cells; i++)
        c->first[i] = c->people;
    /* the order of the view's rows can change; user_data identifies the person */
    tr2_body_view bodies = tr2_world_bodies(c->world);
    for (uint32_t row = 0; row < bodies.count; row++) {
        if (!is_dynamic(&bodies, row))
            continue;
        person *who = &c->all[bodies.user_data[row]];
        who->x = bodies.center_x[row];
        who->y = bodies.center_y[row];
        who->vx = (double)bodies.velocity_x[row];
        who->vy = (double)bodies.velocity_y[row];
        who->mass = (double)bodies.mass[row];
    }
    for (uint32_t i = 0; i < c->people; i++) {
        uint32_t *first = &c->first[cell_of(c, c->all[i].y) * c->cells + cell_of(c, c->all[i].x)];
        c->all[i].next = *first;
        *first = i;
    }
}

/* steers away from a person who is near and ahead, and to the right */
static void avoid(const person *who, const person *other, double ahead_x, double ahead_y, double *x, double *y)
{
    double dx = other->x - who->x, dy = other->y - who->y, square = dx * dx + dy * dy;
    if (square >= CELL * CELL || !(square > 0.0))
        return;
    double distance = sqrt(square), ahead = (dx * ahead_x + dy * ahead_y) / distance;
    if (ahead <= 0.0)
        return;
    double nearness = (1.0 - distance / CELL) * ahead;
    *x += nearness * (ahead_y - dx / distance);
    *y += nearness * (-ahead_x - dy / distance);
}

static tr_status steer(crowd *c, uint32_t i)
{
    person *who = &c->all[i], *leader = &c->all[who->leader];
    double x = leader->goal_x - who->x, y = leader->goal_y - who->y, far = sqrt(x * x + y * y);
    if (far < 2.0) {
        c->arrived++;
        choose_goal(c, leader);
        far = 2.0;
    }
    double ahead_x = x / far, ahead_y = y / far, want_x = ahead_x, want_y = ahead_y;
    uint32_t column = cell_of(c, who->x), row = cell_of(c, who->y);
    for (uint32_t v = row > 0 ? row - 1 : 0; v <= row + 1 && v < c->cells; v++)
        for (uint32_t u = column > 0 ? column - 1 : 0; u <= column + 1 && u < c->cells; u++)
            for (uint32_t k = c->first[v * c->cells + u]; k != c->people; k = c->all[k].next)
                avoid(who, &c->all[k], ahead_x, ahead_y, &want_x, &want_y);
    double length = sqrt(want_x * want_x + want_y * want_y), pace = PACE / (length > 1.0 ? length : 1.0);
    double push_x = (pace * want_x - who->vx) / PATIENCE, push_y = (pace * want_y - who->vy) / PATIENCE;
    double push = sqrt(push_x * push_x + push_y * push_y), most = who->mass * (push > GRIP ? GRIP / push : 1.0);
    return tr2_body_apply_force_to_center(c->world, c->ids[i],
                                          (tr_vec2){(float)(most * push_x), (float)(most * push_y)});
}

static void summary(const crowd *c, double seconds)
{
    double speed = 0.0, longest = 0.0;
    for (uint32_t i = 0; i < c->people; i++) {
        const person *who = &c->all[i];
        speed += sqrt(who->vx * who->vx + who->vy * who->vy) / c->people;
        if (who->leader == i)
            continue;
        double dx = who->x - c->all[i - 1].x, dy = who->y - c->all[i - 1].y, length = sqrt(dx * dx + dy * dy);
        longest = length > longest ? length : longest;
    }
    tr_statistics statistics = tr2_world_statistics(c->world);
    printf("%4.1f s  %6u contacts  mean speed %.2f m/s  longest rope %.3f m  %u have arrived  step %.2f ms\n", seconds,
           statistics.contacts, speed, longest, c->arrived, 1e3 * statistics.seconds);
}

static tr_status run(crowd *c, double seconds)
{
    tr_status status = make_walls(c);
    if (status == TR_OK)
        status = make_people(c);
    if (status == TR_OK)
        status = make_ropes(c);
    int steps = (int)(seconds / STEP + 0.5);
    for (int n = 0; n < steps && status == TR_OK; n++) {
        look_around(c);
        for (uint32_t i = 0; i < c->people && status == TR_OK; i++)
            status = steer(c, i);
        if (status == TR_OK)
            status = tr2_world_step(c->world, STEP, SUBSTEPS);
        if (status == TR_OK && ((n + 1) % 60 == 0 || n + 1 == steps))
            summary(c, (n + 1) * STEP);
    }
    return status;
}

int main(int argc, char **argv)
{
    crowd c = {.people = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000, .random = 1};
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 5.0;
    if (c.people < GROUP || c.people > 1000000 || !(seconds > 0.0 && seconds <= 3600.0)) {
        fprintf(stderr, "usage: crowd [PEOPLE [SECONDS]]\n");
        return 2;
    }
    c.side = sqrt(ROOM * c.people);
    c.cells = (uint32_t)(c.side / CELL) + 1;
    c.ropes = c.people / GROUP / 5 * (GROUP - 1);
    c.ids = calloc(c.people, sizeof *c.ids);
    c.all = calloc(c.people, sizeof *c.all);
    c.first = calloc((size_t)c.cells * c.cells, sizeof *c.first);
    tr2_world_def def = tr2_world_def_default();
    def.gravity = (tr_vec2){0.0f, 0.0f}; /* seen from above */
    tr_error error = {TR_OK, ""};
    tr_status status = c.ids != NULL && c.all != NULL && c.first != NULL ? TR_OK : TR_ERROR_MEMORY;
    if (status == TR_OK)
        status = tr2_world_create(&def, &c.world, &error);
    if (status == TR_OK) {
        status = run(&c, seconds);
        error = *tr2_world_last_error(c.world);
    }
    /* errors from outside the world have no message */
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.status == status ? error.message : tr_status_name(status));
    tr2_world_destroy(c.world);
    free(c.ids);
    free(c.all);
    free(c.first);
    return status == TR_OK ? 0 : 1;
}
