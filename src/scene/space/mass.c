/*
 * Mass properties of solids of uniform density. About the centre of a solid, with its axis along z: a cylinder of mass
 * m, radius r and length l has I_z = m r^2 / 2 and I_x = I_y = m (3 r^2 + l^2) / 12. A capsule is such a cylinder and
 * two half balls; a half ball has its centroid 3 r / 8 beyond the flat side and I_x = 83 m r^2 / 320 about it.
 */
#include "base/angle.h"
#include "scene/core/storage.h"

#include <math.h>

typedef struct sums {
    double mass;
    tr_dvec3 first;   /* first moments about the body's origin */
    tr_dsym3 inertia; /* about the body's origin */
} sums;

/* adds a solid: its mass, its centre, and its tensor about it */
static void add(sums *total, double mass, tr_dvec3 c, tr_dsym3 own)
{
    total->mass += mass;
    total->first.x += mass * c.x;
    total->first.y += mass * c.y;
    total->first.z += mass * c.z;
    total->inertia.xx += own.xx + mass * (c.y * c.y + c.z * c.z);
    total->inertia.yy += own.yy + mass * (c.z * c.z + c.x * c.x);
    total->inertia.zz += own.zz + mass * (c.x * c.x + c.y * c.y);
    total->inertia.xy += own.xy - mass * c.x * c.y;
    total->inertia.xz += own.xz - mass * c.x * c.z;
    total->inertia.yz += own.yz - mass * c.y * c.z;
}

/* the tensor of a body of revolution: `axial` about the unit vector n, `across` about every axis normal to it */
static tr_dsym3 revolved(tr_dvec3 n, double axial, double across)
{
    double d = axial - across;
    return (tr_dsym3){across + d * n.x * n.x, across + d * n.y * n.y, across + d * n.z * n.z,
                      d * n.x * n.y,          d * n.x * n.z,          d * n.y * n.z};
}

static void add_round(sums *total, const tr3_scene_shape *shape)
{
    const double r = (double)shape->radius, density = (double)shape->density;
    const tr_dvec3 a = {(double)shape->from.x, (double)shape->from.y, (double)shape->from.z};
    const tr_dvec3 b = {(double)shape->to.x, (double)shape->to.y, (double)shape->to.z};
    tr_dvec3 n = {b.x - a.x, b.y - a.y, b.z - a.z};
    const double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    n = length > 0.0 ? (tr_dvec3){n.x / length, n.y / length, n.z / length} : (tr_dvec3){0.0, 0.0, 1.0};
    const tr_dvec3 center = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
    const double tube = density * TR_PI * r * r * length;
    double mass = tube, axial = 0.5 * tube * r * r, across = tube * (3.0 * r * r + length * length) / 12.0;
    if (shape->type == TR3_SCENE_CAPSULE) {
        const double ball = density * 4.0 / 3.0 * TR_PI * r * r * r, away = 0.5 * length + 0.375 * r;
        mass += ball;
        axial += 0.4 * ball * r * r;
        across += ball * (83.0 / 320.0 * r * r + away * away);
    }
    add(total, mass, center, revolved(n, axial, across));
}

static void add_sphere(sums *total, const tr3_scene_shape *shape)
{
    const double r = (double)shape->radius, mass = (double)shape->density * 4.0 / 3.0 * TR_PI * r * r * r;
    const double moment = 0.4 * mass * r * r;
    add(total, mass, (tr_dvec3){(double)shape->center.x, (double)shape->center.y, (double)shape->center.z},
        (tr_dsym3){moment, moment, moment, 0.0, 0.0, 0.0});
}

static void add_box(sums *total, const tr3_scene_shape *shape)
{
    const double x = (double)shape->half.x, y = (double)shape->half.y, z = (double)shape->half.z;
    const double mass = (double)shape->density * 8.0 * x * y * z;
    const double moments[3] = {mass * (y * y + z * z) / 3.0, mass * (z * z + x * x) / 3.0,
                               mass * (x * x + y * y) / 3.0};
    tr3_dquat q = tr3_normalised(tr3_widen_quat(shape->rotation));
    const tr_dvec3 axes[3] = {tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0}),
                              tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0})};
    tr_dsym3 tensor = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const tr_dvec3 n = axes[i];
        tensor.xx += moments[i] * n.x * n.x;
        tensor.yy += moments[i] * n.y * n.y;
        tensor.zz += moments[i] * n.z * n.z;
        tensor.xy += moments[i] * n.x * n.y;
        tensor.xz += moments[i] * n.x * n.z;
        tensor.yz += moments[i] * n.y * n.z;
    }
    add(total, mass, (tr_dvec3){(double)shape->center.x, (double)shape->center.y, (double)shape->center.z}, tensor);
}

tr3_mass tr3_scene_mass(const tr3_scene *scene, uint32_t first, uint32_t count)
{
    sums total = {0};
    for (uint32_t i = first; i < first + count; i++) {
        const tr3_scene_shape *shape = &scene->shapes[i];
        if (!(shape->density > 0.0f))
            continue;
        if (shape->type == TR3_SCENE_SPHERE)
            add_sphere(&total, shape);
        else if (shape->type == TR3_SCENE_BOX)
            add_box(&total, shape);
        else
            add_round(&total, shape);
    }
    tr3_mass result = {0};
    if (!(total.mass > 0.0) || !isfinite(total.mass))
        return result;
    const tr_dvec3 c = {total.first.x / total.mass, total.first.y / total.mass, total.first.z / total.mass};
    sums about = {.inertia = total.inertia};
    add(&about, -total.mass, c, (tr_dsym3){0});
    result.mass = total.mass;
    result.center = c;
    result.inertia = about.inertia;
    return result;
}
