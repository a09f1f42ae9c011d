/*
 * An application that finds its own contacts: a few thousand discs fall on the ground between two walls and come to
 * rest. A uniform grid of their centres gives the pairs of neighbours. Those that touch or nearly touch become
 * contacts, which the world solves. Usage: falling_discs [DISCS [SECONDS]]; 2000 discs for 6 s.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <trammel/trammel.h>

#define CELL 0.6 /* m: largest diameter plus margin, so that only discs in neighbouring cells can touch */
#define MARGIN                                                                                                         \
    0.1 /* m: gaps up to this become contacts, too; a disc that moves farther in a step can overlap a little */
#define STEP      (1.0 / 60.0)
#define MOST_EACH 8 /* contacts per disc: room for six neighbours, and two more for walls and gaps */

typedef struct host {
    tr2_world *world;
    uint32_t count;
    double width;
    float *radius;
    tr2_body ground, *ids;
    tr_dvec2 *at;     /* m, of the centres */
    double *farthest; /* m: largest distance that a disc moves in a step */
    tr2_contact_def *contacts;
    uint32_t contact_count;
    uint32_t columns, rows;
    uint32_t *first, *next; /* lists: first disc of each cell, next disc in the cell; `count` ends a list */
} host;

static bool allocate(host *h)
{
    h->columns = (uint32_t)(h->width / CELL) + 1;
    h->rows = 2 * (h->count / h->columns + 16);
    h->radius = calloc(h->count, sizeof *h->radius);
    h->ids = calloc(h->count, sizeof *h->ids);
    h->at = calloc(h->count, sizeof *h->at);
    h->farthest = calloc(h->count, sizeof *h->farthest);
    h->contacts = calloc((size_t)MOST_EACH * h->count, sizeof *h->contacts);
    h->first = calloc((size_t)h->columns * h->rows, sizeof *h->first);
    h->next = calloc(h->count, sizeof *h->next);
    return h->radius && h->ids && h->at && h->farthest && h->contacts && h->first && h->next;
}

static void release(host *h)
{
    tr2_world_destroy(h->world);
    free(h->radius);
    free(h->ids);
    free(h->at);
    free(h->farthest);
    free(h->contacts);
    free(h->first);
    free(h->next);
}

/* discs of three sizes in rows above the ground, slightly out of line */
static tr_status make_discs(host *h)
{
    tr2_body_def ground = tr2_body_def_default();
    ground.type = TR_STATIC;
    tr_status status = tr2_world_create_body(h->world, &ground, &h->ground);
    tr2_body_def *defs = calloc(h->count, sizeof *defs);
    if (defs == NULL)
        return TR_ERROR_MEMORY;
    uint32_t across = (uint32_t)(h->width / CELL) - 1;
    for (uint32_t i = 0; i < h->count; i++) {
        float r = 0.15f + 0.05f * (float)(i % 3);
        h->radius[i] = r;
        defs[i] = tr2_body_def_default();
        defs[i].position.x = CELL * (1.0 + i % across) + 0.05 * (i / across % 2);
        defs[i].position.y = CELL * (1.0 + i / across);
        defs[i].mass = 1000.0f * 3.14159265f * r * r;
        defs[i].user_data = i;
        defs[i].inertia = 0.5f * defs[i].mass * r * r;
    }
    if (status == TR_OK)
        status = tr2_world_create_bodies(h->world, defs, h->count, h->ids);
    free(defs);
    return status;
}

/* adds a contact at which B's surface is `gap` away from A's along the normal */
static void add_contact(host *h, tr2_body a, tr2_body b, tr_vec2 normal, tr_dvec2 point, double gap, uint64_t id)
{
    if (h->contact_count == MOST_EACH * h->count)
        return;
    tr2_contact_def *c = &h->contacts[h->contact_count++];
    *c = tr2_contact_def_default();
    c->body_a = a;
    c->body_b = b;
    c->normal = normal;
    c->point[0] = point;
    c->separation[0] = (float)gap;
    c->friction = 0.5f;
    c->restitution = 0.2f;
    c->rolling_resistance = 0.002f;
    c->id = id;
}

/* contact of a disc with the half-plane through (x, y) with the given normal */
static void touch_plane(host *h, uint32_t i, double x, double y, tr_vec2 normal, uint64_t plane)
{
    tr_dvec2 p = h->at[i];
    double nx = (double)normal.x, ny = (double)normal.y, r = (double)h->radius[i];
    double height = nx * (p.x - x) + ny * (p.y - y), down = 0.5 * (height + r);
    tr_dvec2 point = {p.x - down * nx, p.y - down * ny};
    if (height - r <= MARGIN + h->farthest[i])
        add_contact(h, h->ground, h->ids[i], normal, point, height - r, plane);
}

static void touch_disc(host *h, uint32_t i, uint32_t k)
{
    tr_dvec2 p = h->at[i], q = h->at[k];
    double x = q.x - p.x, y = q.y - p.y, square = x * x + y * y;
    double reach = (double)h->radius[i] + (double)h->radius[k];
    if (square > (reach + MARGIN) * (reach + MARGIN) || square == 0.0)
        return;
    double length = sqrt(square), from = 0.5 * (length + (double)h->radius[i] - (double)h->radius[k]) / length;
    tr_vec2 normal = {(float)(x / length), (float)(y / length)};
    tr_dvec2 point = {p.x + from * x, p.y + from * y};
    /* a pair has at most one contact, so the bodies alone identify it */
    add_contact(h, h->ids[i], h->ids[k], normal, point, length - reach, 0);
}

static uint32_t cell_index(double x, uint32_t cells)
{
    double at = x / CELL;
    return at < 0.0 ? 0 : at >= (double)cells ? cells - 1 : (uint32_t)at;
}

static void find_contacts(host *h)
{
    h->contact_count = 0;
    for (uint32_t c = 0; c < h->columns * h->rows; c++)
        h->first[c] = h->count;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t x = cell_index(h->at[i].x, h->columns), y = cell_index(h->at[i].y, h->rows);
        touch_plane(h, i, 0.0, 0.0, (tr_vec2){0.0f, 1.0f}, 1);
        touch_plane(h, i, 0.0, 0.0, (tr_vec2){1.0f, 0.0f}, 2);
        touch_plane(h, i, h->width, 0.0, (tr_vec2){-1.0f, 0.0f}, 3);
        /* test only discs already in the grid, so that each pair is found once; pass the lower index first */
        for (uint32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < h->rows; v++)
            for (uint32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < h->columns; u++)
                for (uint32_t k = h->first[v * h->columns + u]; k != h->count; k = h->next[k])
                    touch_disc(h, k, i);
        h->next[i] = h->first[y * h->columns + x];
        h->first[y * h->columns + x] = i;
    }
}

/* also while it sleeps: then its type is that of a static one */
static bool is_dynamic(const tr2_body_view *bodies, uint32_t row)
{
    return bodies->type[row] == TR_DYNAMIC || (bodies->flags[row] & TR_BODY_ASLEEP) != 0;
}

/* the order of the view's rows can change; user_data identifies the disc */
static void read_bodies(host *h)
{
    tr2_body_view bodies = tr2_world_bodies(h->world);
    for (uint32_t row = 0; row < bodies.count; row++) {
        if (!is_dynamic(&bodies, row))
            continue;
        uint64_t i = bodies.user_data[row];
        h->at[i] = (tr_dvec2){bodies.center_x[row], bodies.center_y[row]};
        h->farthest[i] = STEP * hypot((double)bodies.velocity_x[row], (double)bodies.velocity_y[row]);
    }
}

/* prints the forces of the last step's contacts and the deepest overlap */
static void summary(const host *h, double seconds)
{
    double deepest = 0.0, fastest = 0.0, force = 0.0, weight = 0.0;
    for (uint32_t i = 0; i < h->contact_count; i++) {
        tr2_contact_impulse impulse;
        if (tr2_world_get_contact_impulses(h->world, i, 1, &impulse) == TR_OK && h->contacts[i].id == 1)
            force += (double)impulse.total[0] / STEP;
        if (-(double)h->contacts[i].separation[0] > deepest)
            deepest = -(double)h->contacts[i].separation[0];
    }
    tr2_body_view bodies = tr2_world_bodies(h->world);
    for (uint32_t row = 0; row < bodies.count; row++) {
        double speed = hypot((double)bodies.velocity_x[row], (double)bodies.velocity_y[row]);
        fastest = speed > fastest ? speed : fastest;
        weight += is_dynamic(&bodies, row) ? 9.81 * (double)bodies.mass[row] : 0.0;
    }
    printf("%.1f s  %5u contacts  fastest %6.3f m/s  deepest %6.2f mm  the ground carries %3.0f %%\n", seconds,
           h->contact_count, fastest, 1e3 * deepest, 100.0 * force / weight);
}

static tr_status run(host *h, double seconds)
{
    tr_status status = make_discs(h);
    int steps = (int)(seconds / STEP + 0.5);
    for (int i = 0; i < steps && status == TR_OK; i++) {
        read_bodies(h);
        find_contacts(h);
        status = tr2_world_set_contacts(h->world, h->contacts, h->contact_count);
        if (status == TR_OK)
            status = tr2_world_step(h->world, STEP, 4);
        if (status == TR_OK && ((i + 1) % 60 == 0 || i + 1 == steps))
            summary(h, (i + 1) * STEP);
    }
    return status;
}

int main(int argc, char **argv)
{
    host h = {.count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000};
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 6.0;
    if (h.count < 1 || h.count > 1000000 || !(seconds > 0.0 && seconds <= 3600.0)) {
        fprintf(stderr, "usage: falling_discs [DISCS [SECONDS]]\n");
        return 2;
    }
    h.width = CELL * ceil(sqrt((double)h.count) + 4.0);
    tr2_world_def def = tr2_world_def_default();
    tr_error error = {TR_OK, ""};
    tr_status status = allocate(&h) ? tr2_world_create(&def, &h.world, &error) : TR_ERROR_MEMORY;
    if (status == TR_OK) {
        status = run(&h, seconds);
        error = *tr2_world_last_error(h.world);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message[0] != '\0' ? error.message : "no memory");
    release(&h);
    return status == TR_OK ? 0 : 1;
}
