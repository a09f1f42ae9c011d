/* The scene of contacts: discs of three sizes fall into a box. Only sums, products, quotients and square roots. */
#include <math.h>
#include <stdlib.h>

#include "hash.h"

enum { DISCS = 1600, ACROSS = 40, COLUMNS = 48, ROWS = 128, MOST = 8 * DISCS };

#define CELL   0.5
#define MARGIN 0.02

struct discs {
    uint32_t discs; /* of DISCS */
    tr2_body ground, ids[DISCS];
    double x[DISCS], y[DISCS], reach[DISCS]; /* m; where the centres are, how far they go in a step */
    uint32_t first[COLUMNS * ROWS], next[DISCS];
    tr2_contact_def contacts[MOST];
    uint32_t count;
};

discs *discs_create(void)
{
    return calloc(1, sizeof(discs));
}

void discs_destroy(discs *d)
{
    free(d);
}

static double radius_of(uint32_t i)
{
    return 0.15 + 0.03125 * (double)(i % 3);
}

tr_status discs_make(discs *d, tr2_world *world, uint32_t count)
{
    d->discs = count < DISCS ? count : DISCS;
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_STATIC;
    tr_status status = tr2_world_create_body(world, &def, &d->ground);
    for (uint32_t i = 0; i < d->discs && status == TR_OK; i++) {
        double r = radius_of(i);
        def = tr2_body_def_default();
        def.position.x = CELL * (1.0 + i % ACROSS) + 0.0625 * (i / ACROSS % 2);
        def.position.y = CELL * (1.0 + i / ACROSS);
        def.mass = (float)(300.0 * r * r);
        def.inertia = 0.5f * def.mass * (float)(r * r);
        def.user_data = i;
        status = tr2_world_create_body(world, &def, &d->ids[i]);
    }
    return status;
}

static void add(discs *d, tr2_body a, tr2_body b, double nx, double ny, double x, double y, double gap, uint64_t id)
{
    if (d->count == MOST)
        return;
    tr2_contact_def *c = &d->contacts[d->count++];
    *c = tr2_contact_def_default();
    c->body_a = a;
    c->body_b = b;
    c->normal = (tr_vec2){(float)nx, (float)ny};
    c->point[0] = (tr_dvec2){x, y};
    c->separation[0] = (float)gap;
    c->friction = 0.5f;
    c->restitution = 0.25f;
    c->rolling_resistance = 0.002f;
    c->id = id;
}

static void touch_plane(discs *d, uint32_t i, double x, double nx, double ny, uint64_t id)
{
    double r = radius_of(i), height = nx * (d->x[i] - x) + ny * d->y[i], down = 0.5 * (height + r);
    if (height - r <= MARGIN + d->reach[i])
        add(d, d->ground, d->ids[i], nx, ny, d->x[i] - down * nx, d->y[i] - down * ny, height - r, id);
}

static void touch_disc(discs *d, uint32_t i, uint32_t k)
{
    double x = d->x[k] - d->x[i], y = d->y[k] - d->y[i], square = x * x + y * y;
    double both = radius_of(i) + radius_of(k);
    if (square > (both + MARGIN) * (both + MARGIN) || square == 0.0)
        return;
    double length = sqrt(square), from = 0.5 * (length + radius_of(i) - radius_of(k)) / length;
    add(d, d->ids[i], d->ids[k], x / length, y / length, d->x[i] + from * x, d->y[i] + from * y, length - both, 0);
}

static uint32_t cell_of(double at, uint32_t cells)
{
    double cell = at / CELL;
    return cell < 0.0 ? 0 : cell >= (double)cells ? cells - 1 : (uint32_t)cell;
}

/* rows of the view are in no order that stays: user_data says which disc is which */
static void read_bodies(discs *d, const tr2_world *world)
{
    tr2_body_view v = tr2_world_bodies(world);
    for (uint32_t row = 0; row < v.count; row++) {
        if (v.type[row] != TR_DYNAMIC)
            continue;
        uint64_t i = v.user_data[row];
        double vx = (double)v.velocity_x[row], vy = (double)v.velocity_y[row];
        d->x[i] = v.center_x[row];
        d->y[i] = v.center_y[row];
        d->reach[i] = sqrt(vx * vx + vy * vy) / 60.0;
    }
}

tr_status discs_find(discs *d, tr2_world *world)
{
    read_bodies(d, world);
    d->count = 0;
    for (uint32_t c = 0; c < COLUMNS * ROWS; c++)
        d->first[c] = DISCS;
    for (uint32_t i = 0; i < d->discs; i++) {
        uint32_t x = cell_of(d->x[i], COLUMNS), y = cell_of(d->y[i], ROWS);
        touch_plane(d, i, 0.0, 0.0, 1.0, 1);
        touch_plane(d, i, 0.0, 1.0, 0.0, 2);
        touch_plane(d, i, CELL * (ACROSS + 1), -1.0, 0.0, 3);
        /* the discs that are in the grid already, so that each pair is met once */
        for (uint32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < ROWS; v++)
            for (uint32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < COLUMNS; u++)
                for (uint32_t k = d->first[v * COLUMNS + u]; k != DISCS; k = d->next[k])
                    touch_disc(d, k, i);
        d->next[i] = d->first[y * COLUMNS + x];
        d->first[y * COLUMNS + x] = i;
    }
    return tr2_world_set_contacts(world, d->contacts, d->count);
}
