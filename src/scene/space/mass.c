/*
 * Mass properties of solids of uniform density. About the centre of a solid, with its axis along z: a cylinder of mass
 * m, radius r and length l has I_z = m r^2 / 2 and I_x = I_y = m (3 r^2 + l^2) / 12. A capsule is such a cylinder and
 * two half balls; a half ball has its centroid 3 r / 8 beyond the flat side and I_x = 83 m r^2 / 320 about it.
 *
 * Tensors are summed about the common centre of mass, which is found first: about the body's origin they would be
 * differences of large numbers for shapes that lie far from it.
 */
#include "base/angle.h"
#include "scene/core/storage.h"

#include <math.h>

typedef struct solid {
    double mass;
    tr_dvec3 center;
    tr_dsym3 inertia; /* about the centre */
} solid;

tr_dsym3 tr3_tensor_of(const double moments[3], const tr_dvec3 axes[3])
{
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
    return tensor;
}

void tr3_axes_of(tr3_dquat turn, tr_dvec3 axes[3])
{
    axes[0] = tr3_turned(turn, (tr_dvec3){1.0, 0.0, 0.0});
    axes[1] = tr3_turned(turn, (tr_dvec3){0.0, 1.0, 0.0});
    axes[2] = tr3_turned(turn, (tr_dvec3){0.0, 0.0, 1.0});
}

/* the tensor of a body of revolution: `axial` about the unit vector n, `across` about every axis normal to it */
static tr_dsym3 revolved(tr_dvec3 n, double axial, double across)
{
    double d = axial - across;
    return (tr_dsym3){across + d * n.x * n.x, across + d * n.y * n.y, across + d * n.z * n.z,
                      d * n.x * n.y,          d * n.x * n.z,          d * n.y * n.z};
}

static solid of_ends(const tr3_scene_shape *shape)
{
    const double r = (double)shape->radius, density = (double)shape->density;
    const tr_dvec3 a = tr3_widen(shape->from), b = tr3_widen(shape->to);
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
    return (solid){mass, center, revolved(n, axial, across)};
}

static solid of_sphere(const tr3_scene_shape *shape)
{
    const double r = (double)shape->radius, mass = (double)shape->density * 4.0 / 3.0 * TR_PI * r * r * r;
    const double moment = 0.4 * mass * r * r;
    return (solid){mass, tr3_widen(shape->center), (tr_dsym3){moment, moment, moment, 0.0, 0.0, 0.0}};
}

static solid of_box(const tr3_scene_shape *shape)
{
    const double x = (double)shape->half.x, y = (double)shape->half.y, z = (double)shape->half.z;
    const double mass = (double)shape->density * 8.0 * x * y * z;
    const double moments[3] = {mass * (y * y + z * z) / 3.0, mass * (z * z + x * x) / 3.0,
                               mass * (x * x + y * y) / 3.0};
    tr3_dquat q = tr3_normalised(tr3_widen_quat(shape->rotation));
    tr_dvec3 axes[3];
    tr3_axes_of(q, axes);
    return (solid){mass, tr3_widen(shape->center), tr3_tensor_of(moments, axes)};
}

/* without mass if it has no density */
static solid of_shape(const tr3_scene_shape *shape)
{
    if (!(shape->density > 0.0f))
        return (solid){0};
    return shape->type == TR3_SCENE_SPHERE ? of_sphere(shape)
           : shape->type == TR3_SCENE_BOX  ? of_box(shape)
                                           : of_ends(shape);
}

/* adds a tensor, and that of a mass at a distance */
static void add(tr_dsym3 *total, const tr_dsym3 *own, double mass, tr_dvec3 d)
{
    total->xx += own->xx + mass * (d.y * d.y + d.z * d.z);
    total->yy += own->yy + mass * (d.z * d.z + d.x * d.x);
    total->zz += own->zz + mass * (d.x * d.x + d.y * d.y);
    total->xy += own->xy - mass * d.x * d.y;
    total->xz += own->xz - mass * d.x * d.z;
    total->yz += own->yz - mass * d.y * d.z;
}

void tr3_mass_add(tr3_mass *whole, const tr3_mass *part)
{
    const double mass = whole->mass + part->mass;
    if (!(part->mass > 0.0))
        return;
    /* about the new centre each is where its share of the mass puts it */
    const tr_dvec3 d = tr3_minus(part->center, whole->center);
    const double share = part->mass / mass;
    add(&whole->inertia, &part->inertia, whole->mass * share, d);
    whole->center = whole->mass > 0.0 ? tr3_plus(whole->center, tr3_times(share, d)) : part->center;
    whole->mass = mass;
}

bool tr3_mass_set(const tr3_mass *mass, tr3_body_def *def)
{
    const double from[] = {mass->mass,       mass->center.x,   mass->center.y,   mass->center.z,   mass->inertia.xx,
                           mass->inertia.yy, mass->inertia.zz, mass->inertia.xy, mass->inertia.xz, mass->inertia.yz};
    float *const to[] = {&def->mass,       &def->center.x,   &def->center.y,   &def->center.z,   &def->inertia.xx,
                         &def->inertia.yy, &def->inertia.zz, &def->inertia.xy, &def->inertia.xz, &def->inertia.yz};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        if (!tr_scene_to_float(from[i], to[i]))
            return false;
    }
    /* the products of a symmetric body are zero but for rounding, and a diagonal tensor costs less */
    const double small = 1e-7 * (mass->inertia.xx + mass->inertia.yy + mass->inertia.zz);
    for (size_t i = 7; i < 10; i++) {
        if (fabs(from[i]) < small)
            *to[i] = 0.0f;
    }
    return true;
}

tr3_mass tr3_scene_mass(const tr3_scene *scene, uint32_t first, uint32_t count)
{
    tr3_mass total = {0};
    for (uint32_t i = first; i < first + count; i++)
        total.mass += of_shape(&scene->shapes[i]).mass;
    if (!(total.mass > 0.0))
        return total;
    /* by parts of the mass: a sum of mean places, which is exactly the place if there is one */
    for (uint32_t i = first; i < first + count; i++) {
        const solid it = of_shape(&scene->shapes[i]);
        const double part = it.mass / total.mass;
        total.center.x += part * it.center.x;
        total.center.y += part * it.center.y;
        total.center.z += part * it.center.z;
    }
    for (uint32_t i = first; i < first + count; i++) {
        const solid it = of_shape(&scene->shapes[i]);
        const tr_dvec3 away = {it.center.x - total.center.x, it.center.y - total.center.y,
                               it.center.z - total.center.z};
        add(&total.inertia, &it.inertia, it.mass, away);
    }
    return total;
}
