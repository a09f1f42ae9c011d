/* What the tests of contacts in space share: a host in small, which finds the contacts of balls and boxes with a plane,
   and of balls with each other. */
#ifndef TR_TESTS_SPACE_CONTACTS_H
#define TR_TESTS_SPACE_CONTACTS_H

#include "space.h"

#define SPACE_DT (1.0 / 60.0)

/* everything on the side that `normal` does not point to */
typedef struct space_plane {
    tr3_body body; /* A of every contact */
    tr_dvec3 normal, point;
} space_plane;

static inline tr_dvec3 space_plus(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tr_dvec3 space_times(double k, tr_dvec3 v)
{
    return (tr_dvec3){k * v.x, k * v.y, k * v.z};
}

static inline double space_dot(tr_dvec3 a, tr_dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tr_dvec3 space_cross(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline tr_dvec3 space_wide(tr_vec3 v)
{
    return (tr_dvec3){(double)v.x, (double)v.y, (double)v.z};
}

static inline tr_vec3 space_narrow(tr_dvec3 v)
{
    return (tr_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static inline tr_dvec3 space_turned(tr_quat q, tr_dvec3 v)
{
    tr_dvec3 u = {(double)q.x, (double)q.y, (double)q.z}, t = space_times(2.0, space_cross(u, v));
    return space_plus(space_plus(v, space_times((double)q.w, t)), space_cross(u, t));
}

static inline tr3_body_def space_now(const tr3_world *world, tr3_body body)
{
    tr3_body_def def;
    SPACE_OK(tr3_body_get(world, body, &def));
    return def;
}

static inline space_plane space_floor(tr3_world *world)
{
    return (space_plane){space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 0.0f, (tr_vec3){0.0f, 0.0f, 0.0f}),
                         {0.0, 1.0, 0.0},
                         {0.0, 0.0, 0.0}};
}

static inline tr3_body space_ball(tr3_world *world, tr_dvec3 at, double radius, double mass)
{
    const float inertia = (float)(0.4 * mass * radius * radius);
    return space_body(world, TR_DYNAMIC, at, (float)mass, (tr_vec3){inertia, inertia, inertia});
}

static inline tr3_body space_box(tr3_world *world, tr_dvec3 at, tr_dvec3 half, double mass)
{
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z, k = mass / 3.0;
    return space_body(world, TR_DYNAMIC, at, (float)mass,
                      (tr_vec3){(float)(k * (y + z)), (float)(k * (x + z)), (float)(k * (x + y))});
}

static inline tr3_contact_def space_between_bodies(tr3_body a, tr3_body b, tr_dvec3 normal)
{
    tr3_contact_def def = tr3_contact_def_default();
    def.body_a = a;
    def.body_b = b;
    def.normal = space_narrow(normal);
    return def;
}

/* a point of B's surface, over A's along the normal by `gap` */
static inline void space_add_point(tr3_contact_def *def, uint32_t index, tr_dvec3 on_b, double gap)
{
    def->point[index] = space_minus(on_b, space_times(0.5 * gap, space_wide(def->normal)));
    def->separation[index] = (float)gap;
}

static inline tr3_contact_def space_ball_on(const tr3_world *world, const space_plane *p, tr3_body ball, double radius)
{
    tr3_contact_def def = space_between_bodies(p->body, ball, p->normal);
    const tr_dvec3 low = space_minus(space_now(world, ball).position, space_times(radius, p->normal));
    space_add_point(&def, 0, low, space_dot(p->normal, space_minus(low, p->point)));
    return def;
}

static inline tr3_contact_def space_ball_on_ball(const tr3_world *world, tr3_body a, double ra, tr3_body b, double rb)
{
    const tr_dvec3 from = space_now(world, a).position, d = space_minus(space_now(world, b).position, from);
    const double length = space_length(d);
    tr3_contact_def def = space_between_bodies(a, b, space_times(1.0 / length, d));
    space_add_point(&def, 0, space_plus(from, space_times(1.0 - rb / length, d)), length - ra - rb);
    return def;
}

/* the four corners of the face that looks at the plane */
static inline tr3_contact_def space_box_on(const tr3_world *world, const space_plane *p, tr3_body box, tr_dvec3 half)
{
    tr3_contact_def def = space_between_bodies(p->body, box, p->normal);
    const tr3_body_def now = space_now(world, box);
    const double h[3] = {half.x, half.y, half.z};
    tr_dvec3 axis[3];
    int down = 0;
    for (int i = 0; i < 3; i++) {
        axis[i] = space_turned(now.rotation, (tr_dvec3){i == 0, i == 1, i == 2});
        if (fabs(space_dot(axis[i], p->normal)) > fabs(space_dot(axis[down], p->normal)))
            down = i;
    }
    const double side = space_dot(axis[down], p->normal) > 0.0 ? -1.0 : 1.0;
    const int u = (down + 1) % 3, v = (down + 2) % 3;
    def.point_count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        tr_dvec3 corner = space_plus(now.position, space_times(side * h[down], axis[down]));
        corner = space_plus(corner, space_times(i % 2 == 0 ? h[u] : -h[u], axis[u]));
        corner = space_plus(corner, space_times(i < 2 ? h[v] : -h[v], axis[v]));
        space_add_point(&def, i, corner, space_dot(p->normal, space_minus(corner, p->point)));
    }
    return def;
}

/* the upper face of a box that lies nearly flat */
static inline space_plane space_top_of(const tr3_world *world, tr3_body box, tr_dvec3 half)
{
    const tr3_body_def now = space_now(world, box);
    const tr_dvec3 up = space_turned(now.rotation, (tr_dvec3){0.0, 1.0, 0.0});
    return (space_plane){box, up, space_plus(now.position, space_times(half.y, up))};
}

static inline tr3_contact_impulse space_impulse(const tr3_world *world, uint32_t contact)
{
    tr3_contact_impulse out;
    SPACE_OK(tr3_world_get_contact_impulses(world, contact, 1, &out));
    return out;
}

#define SPACE_NEAR(what, have, want, slack)                                                                            \
    do {                                                                                                               \
        const double have_ = (have), want_ = (want);                                                                   \
        if (!(fabs(have_ - want_) <= (slack)))                                                                         \
            fail_msg("%s: %.9g, must be %.9g within %g", what, have_, want_, (double)(slack));                         \
    } while (0)

#endif
