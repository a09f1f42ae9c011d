/* What the tests of contacts share: a host in small, which finds the contacts of discs and boxes with a plane. */
#ifndef TR_TESTS_CONTACTS_H
#define TR_TESTS_CONTACTS_H

#include "physics.h"

/* a half-plane: everything on the side that `normal` does not point to; through the origin */
typedef struct plane {
    tr2_body body; /* static, A of every contact */
    tr_dvec2 normal;
} plane;

static inline plane plane_at(tr2_world *world, double slope)
{
    plane p = {static_at(world, 0.0, 0.0), {-sin(slope), cos(slope)}};
    return p;
}

static inline double height_over(const plane *p, tr_dvec2 point)
{
    return p->normal.x * point.x + p->normal.y * point.y;
}

/* along the plane, downhill for a positive slope being -x */
static inline double along(const plane *p, tr_dvec2 v)
{
    return p->normal.y * v.x - p->normal.x * v.y;
}

static inline tr_dvec2 wide_of(tr_vec2 v)
{
    return (tr_dvec2){(double)v.x, (double)v.y};
}

static inline tr2_body disc_at(tr2_world *world, double x, double y, double radius, double mass)
{
    return body_at(world, x, y, 0.0, mass, 0.5 * mass * radius * radius);
}

static inline tr2_contact_def contact_between(tr2_body a, tr2_body b, tr_dvec2 normal, uint64_t id)
{
    tr2_contact_def def = tr2_contact_def_default();
    def.body_a = a;
    def.body_b = b;
    def.normal = (tr_vec2){(float)normal.x, (float)normal.y};
    def.id = id;
    return def;
}

/* a disc over a plane: the point lies halfway between the surfaces */
static inline tr2_contact_def disc_on_plane(const tr2_world *world, const plane *p, tr2_body disc, double radius)
{
    tr2_contact_def def = contact_between(p->body, disc, p->normal, disc.index);
    tr_dvec2 center = body_now(world, disc).position;
    double height = height_over(p, center), gap = height - radius, down = 0.5 * (height + radius);
    def.point[0] = (tr_dvec2){center.x - down * p->normal.x, center.y - down * p->normal.y};
    def.separation[0] = (float)gap;
    return def;
}

/* a box of the given halves: its two lower corners, against a plane given by a point and a normal */
static inline tr2_contact_def box_on(const tr2_world *world, tr2_body below, tr_dvec2 normal, tr_dvec2 on, tr2_body box,
                                     double half_width, double half_height)
{
    tr2_contact_def def = contact_between(below, box, normal, box.index);
    tr2_body_def b = body_now(world, box);
    double c = cos(b.angle), s = sin(b.angle);
    def.point_count = 2;
    for (int i = 0; i < 2; i++) {
        double x = i == 0 ? -half_width : half_width, y = -half_height;
        tr_dvec2 corner = {b.position.x + c * x - s * y, b.position.y + s * x + c * y};
        double gap = normal.x * (corner.x - on.x) + normal.y * (corner.y - on.y);
        def.point[i] = (tr_dvec2){corner.x - 0.5 * gap * normal.x, corner.y - 0.5 * gap * normal.y};
        def.separation[i] = (float)gap;
    }
    return def;
}

static inline tr2_contact_impulse impulse_of(const tr2_world *world, uint32_t contact)
{
    tr2_contact_impulse out;
    MUST(tr2_world_get_contact_impulses(world, contact, 1, &out));
    return out;
}

#endif
