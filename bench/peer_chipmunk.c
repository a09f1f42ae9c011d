/*
 * Chipmunk 7 as an engine, if installed. A revolute joint is a pivot, with a rotary limit and a damped rotary spring if
 * it has those. A weld is a pivot and a gear, and breaks after the step in which its reaction was too large. A rope is
 * a slide joint. Walkers are pushed by a force (bench_walk). In scenes that collide, circles and polygons collide.
 */
#include "bench.h"

#if TR_BENCH_CHIPMUNK

#include <math.h>
#include <stdlib.h>

#include <chipmunk/chipmunk.h>

typedef struct walker {
    cpBody *body;
    bench_walk walk;
} walker;

/* a breakable weld; pivot is null once it has broken */
typedef struct brittle_weld {
    cpConstraint *pivot, *gear;
    tr_break_at limit;
} brittle_weld;

typedef struct chipmunk_world {
    cpSpace *space;
    cpBody **bodies;
    uint32_t body_count, substeps;
    cpConstraint **constraints;
    uint32_t constraint_count;
    cpShape **shapes;
    uint32_t shape_count;
    walker *walkers;
    uint32_t walker_count;
    brittle_weld *welds;
    uint32_t weld_count;
} chipmunk_world;

static void destroy(void *context)
{
    chipmunk_world *w = context;
    if (w == NULL)
        return;
    /* free the space first, because it still accesses its bodies then */
    if (w->space != NULL)
        cpSpaceFree(w->space);
    for (uint32_t i = 0; i < w->shape_count; i++)
        cpShapeFree(w->shapes[i]);
    for (uint32_t i = 0; i < w->constraint_count; i++)
        cpConstraintFree(w->constraints[i]);
    for (uint32_t i = 0; w->bodies != NULL && i < w->body_count && w->bodies[i] != NULL; i++)
        cpBodyFree(w->bodies[i]);
    free(w->welds);
    free(w->walkers);
    free(w->shapes);
    free(w->constraints);
    free(w->bodies);
    free(w);
}

static cpVect vect(tr_vec2 v)
{
    return cpv((cpFloat)v.x, (cpFloat)v.y);
}

static cpBody *make_body(cpSpace *space, const tr2_body_def *def)
{
    cpBody *body = NULL;
    if (def->type == TR_STATIC) {
        body = cpBodyNewStatic();
    } else if (def->type == TR_KINEMATIC) {
        body = cpBodyNewKinematic();
        cpBodySetVelocity(body, vect(def->velocity));
        cpBodySetAngularVelocity(body, (cpFloat)def->angular_velocity);
    } else {
        body = cpBodyNew((cpFloat)def->mass, (cpFloat)def->inertia);
        cpBodySetCenterOfGravity(body, vect(def->center));
        cpBodySetVelocity(body, vect(def->velocity));
        cpBodySetAngularVelocity(body, (cpFloat)def->angular_velocity);
    }
    cpBodySetPosition(body, cpv(def->position.x, def->position.y));
    cpBodySetAngle(body, def->angle);
    cpSpaceAddBody(space, body);
    return body;
}

/* Chipmunk multiplies friction coefficients; the others take the root of the product. */
static bool make_shape(chipmunk_world *w, const tr2_scene *scene, const tr2_scene_shape *shape)
{
    const tr_vec2 *vertices = scene->vertices + shape->first_vertex;
    cpVect corners[TR2_SHAPE_POINTS] = {{0.0, 0.0}};
    cpBody *body = w->bodies[shape->body];
    if (shape->type == TR2_SCENE_CHAIN || shape->vertex_count > TR2_SHAPE_POINTS)
        return false;
    for (uint32_t i = 0; i < shape->vertex_count; i++)
        corners[i] = vect(vertices[i]);
    cpShape *made = shape->type == TR2_SCENE_CIRCLE ? cpCircleShapeNew(body, (cpFloat)shape->radius, corners[0])
                                                    : cpPolyShapeNewRaw(body, (int)shape->vertex_count, corners, 0.0);
    cpShapeSetFriction(made, sqrt((cpFloat)shape->friction));
    cpShapeSetElasticity(made, (cpFloat)shape->restitution);
    cpShapeSetFilter(made, cpShapeFilterNew((cpGroup)(shape->filter.group < 0 ? -shape->filter.group : 0),
                                            CP_ALL_CATEGORIES, CP_ALL_CATEGORIES));
    cpSpaceAddShape(w->space, made);
    w->shapes[w->shape_count++] = made;
    return true;
}

static cpConstraint *keep(chipmunk_world *w, cpConstraint *constraint, bool collide)
{
    cpConstraintSetCollideBodies(constraint, collide ? cpTrue : cpFalse);
    cpSpaceAddConstraint(w->space, constraint);
    w->constraints[w->constraint_count++] = constraint;
    return constraint;
}

static void make_weld(chipmunk_world *w, cpBody *a, cpBody *b, const tr2_joint_def *def)
{
    bool collide = def->collide_connected;
    cpConstraint *pivot = keep(w, cpPivotJointNew2(a, b, vect(def->anchor_a), vect(def->anchor_b)), collide);
    cpConstraint *gear = keep(w, cpGearJointNew(a, b, (cpFloat)def->reference_angle, 1.0), collide);
    if (def->break_at.force > 0.0f || def->break_at.torque > 0.0f)
        w->welds[w->weld_count++] = (brittle_weld){pivot, gear, def->break_at};
}

/* removes the welds whose reaction in a step of h seconds exceeded their thresholds */
static void break_welds(chipmunk_world *w, double h)
{
    for (uint32_t i = 0; i < w->weld_count; i++) {
        brittle_weld *weld = &w->welds[i];
        if (weld->pivot == NULL)
            continue;
        double force = cpConstraintGetImpulse(weld->pivot) / h, torque = cpConstraintGetImpulse(weld->gear) / h;
        double most_force = (double)weld->limit.force, most_torque = (double)weld->limit.torque;
        if ((most_force > 0.0 && force > most_force) || (most_torque > 0.0 && torque > most_torque)) {
            cpSpaceRemoveConstraint(w->space, weld->pivot);
            cpSpaceRemoveConstraint(w->space, weld->gear);
            weld->pivot = NULL;
        }
    }
}

/* stiffness and damping of a rotary spring from its frequency and damping ratio */
static cpConstraint *make_rotary_spring(cpBody *a, cpBody *b, const tr_spring *spring)
{
    double stiffness = (double)spring->softness.a, damping = (double)spring->softness.b;
    if (spring->softness.kind == TR_FREQUENCY) {
        double inverse = 0.0;
        inverse += cpBodyGetType(a) == CP_BODY_TYPE_DYNAMIC ? 1.0 / cpBodyGetMoment(a) : 0.0;
        inverse += cpBodyGetType(b) == CP_BODY_TYPE_DYNAMIC ? 1.0 / cpBodyGetMoment(b) : 0.0;
        double omega = 2.0 * 3.14159265358979323846 * (double)spring->softness.a;
        stiffness = omega * omega / inverse;
        damping = 2.0 * (double)spring->softness.b * omega / inverse;
    }
    /* Chipmunk's rest angle is A's angle minus B's */
    return cpDampedRotarySpringNew(a, b, -(cpFloat)spring->target, stiffness, damping);
}

static bool make_joint(chipmunk_world *w, const tr2_scene *scene, const tr2_scene_joint *joint)
{
    const tr2_joint_def *def = &joint->def;
    cpBody *a = w->bodies[joint->body_a], *b = w->bodies[joint->body_b];
    /* Chipmunk aborts on a joint between bodies that cannot move */
    if (cpBodyGetType(a) != CP_BODY_TYPE_DYNAMIC && cpBodyGetType(b) != CP_BODY_TYPE_DYNAMIC)
        return true;
    if (def->type == TR2_JOINT_DISTANCE) {
        if (def->linear.kind == TR_RIGID)
            keep(w,
                 cpSlideJointNew(a, b, vect(def->anchor_a), vect(def->anchor_b), (cpFloat)def->length,
                                 (cpFloat)def->length),
                 def->collide_connected);
        else if (def->limit.enable)
            keep(w,
                 cpSlideJointNew(a, b, vect(def->anchor_a), vect(def->anchor_b), (cpFloat)def->limit.lower,
                                 (cpFloat)def->limit.upper),
                 def->collide_connected);
        return true;
    }
    if (bench_walk_of(scene, joint, &w->walkers[w->walker_count].walk)) {
        w->walkers[w->walker_count++].body = b;
        return true;
    }
    if (def->type == TR2_JOINT_WELD) {
        make_weld(w, a, b, def);
        return true;
    }
    if (def->type != TR2_JOINT_REVOLUTE)
        return false;
    bool collide = def->collide_connected;
    keep(w, cpPivotJointNew2(a, b, vect(def->anchor_a), vect(def->anchor_b)), collide);
    if (def->limit.enable)
        keep(w, cpRotaryLimitJointNew(a, b, (cpFloat)def->limit.lower, (cpFloat)def->limit.upper), collide);
    if (def->spring.enable)
        keep(w, make_rotary_spring(a, b, &def->spring), collide);
    return true;
}

static void *create(const tr2_scene *scene, const bench_options *options)
{
    chipmunk_world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->body_count = scene->body_count;
    w->substeps = options->substeps;
    w->space = cpSpaceNew();
    w->bodies = calloc((size_t)scene->body_count + 1, sizeof *w->bodies);
    w->constraints = calloc(3 * (size_t)scene->joint_count + 1, sizeof(cpConstraint *));
    w->shapes = calloc((size_t)scene->shape_count + 1, sizeof(cpShape *));
    w->walkers = calloc((size_t)scene->joint_count + 1, sizeof *w->walkers);
    w->welds = calloc((size_t)scene->joint_count + 1, sizeof *w->welds);
    bool made = w->space != NULL && w->bodies != NULL && w->constraints != NULL && w->shapes != NULL &&
                w->walkers != NULL && w->welds != NULL;
    if (made) {
        cpSpaceSetGravity(w->space, vect(scene->gravity));
        cpSpaceSetIterations(w->space, (int)options->iterations);
        /* m; Chipmunk's default of 0.1 is meant for pixels */
        cpSpaceSetCollisionSlop(w->space, 0.005);
    }
    for (uint32_t i = 0; made && i < scene->body_count; i++)
        w->bodies[i] = make_body(w->space, &scene->bodies[i].def);
    for (uint32_t i = 0; made && scene->collide && i < scene->shape_count; i++)
        made = make_shape(w, scene, &scene->shapes[i]);
    for (uint32_t i = 0; made && i < scene->joint_count; i++)
        made = make_joint(w, scene, &scene->joints[i]);
    if (!made) {
        destroy(w);
        return NULL;
    }
    return w;
}

static bool step(void *context, double dt)
{
    chipmunk_world *w = context;
    double h = dt / w->substeps;
    for (uint32_t i = 0; i < w->substeps; i++) {
        for (uint32_t k = 0; k < w->walker_count; k++) {
            cpVect v = cpBodyGetVelocity(w->walkers[k].body);
            tr_vec2 force = bench_walk_force(&w->walkers[k].walk, (tr_vec2){(float)v.x, (float)v.y}, (float)h);
            cpBodySetForce(w->walkers[k].body, vect(force));
        }
        cpSpaceStep(w->space, h);
        break_welds(w, h);
    }
    return true;
}

static void read(void *context, tr2_transform *out)
{
    chipmunk_world *w = context;
    for (uint32_t i = 0; i < w->body_count; i++) {
        cpVect position = cpBodyGetPosition(w->bodies[i]);
        double angle = cpBodyGetAngle(w->bodies[i]);
        out[i] = (tr2_transform){{position.x, position.y}, angle, (float)cos(angle), (float)sin(angle)};
    }
}

const bench_engine *bench_engine_chipmunk(void)
{
    static const bench_engine engine = {"chipmunk", create, destroy, step, read, NULL, NULL, NULL, NULL, NULL};
    return &engine;
}

#else

const bench_engine *bench_engine_chipmunk(void)
{
    return NULL;
}

#endif
