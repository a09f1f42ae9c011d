/* Passes the cases, which are in C, to Google Benchmark, and provides Box2D 2.4, which is in C++, as an engine. */
#include "bench.h"

#include <string>

#include <benchmark/benchmark.h>

#if TR_BENCH_BOX2D
#include <memory>
#include <utility>
#include <vector>

#include <box2d/box2d.h>
#endif

namespace
{

/* one repetition: as many iterations as the case has, with the times that the case itself measured */
void run_case(benchmark::State &state, const bench_case &bench)
{
    bench_run run = {};
    run.of = &bench;
    bench.begin(&run);
    if (run.error != nullptr)
        state.SkipWithError(run.error);
    for (auto _ : state) {
        state.SetIterationTime(bench.iterate(&run));
        if (run.error != nullptr) {
            state.SkipWithError(run.error);
            break;
        }
    }
    bench.end(&run);
    for (uint32_t i = 0; i < run.counter_count; i++)
        state.counters[run.counters[i].name] = run.counters[i].value;
    state.SetLabel(run.label);
    if (run.error != nullptr)
        state.SkipWithError(run.error);
}

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    bench_suite suite;
    if (!bench_suite_make(&suite)) {
        bench_suite_free(&suite);
        return 1;
    }
    benchmark::AddCustomContext("trammel", tr_version_string());
    benchmark::AddCustomContext("trammel_build", tr_build_options());
    benchmark::AddCustomContext("trammel_isa", tr_isa_name(tr_get_isa()));
    benchmark::AddCustomContext("trammel_cores", std::to_string(tr_physical_cores()));
    for (uint32_t i = 0; i < suite.count; i++) {
        const bench_case &bench = suite.cases[i];
        benchmark::RegisterBenchmark(bench.name, run_case, bench)
            ->Iterations(bench.iterations)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    bench_suite_free(&suite);
    return 0;
}

/*
 * Box2D 2.4 as an engine, if installed. A revolute joint keeps its limit, but Box2D 2.4 has no spring for it. A rope is
 * a distance joint that has only limits. Walkers are pushed by a force (bench_walk). A breakable weld is destroyed
 * after the step in which its reaction was too large. In scenes that collide, circles and polygons collide.
 */
#if TR_BENCH_BOX2D

namespace
{

struct box2d_world {
    explicit box2d_world(const b2Vec2 &gravity) : world(gravity)
    {
    }
    b2World world;
    std::vector<b2Body *> bodies;
    std::vector<std::pair<b2Body *, bench_walk>> walks;
    std::vector<std::pair<b2Joint *, tr_break_at>> brittle;
    bench_options options = {};
};

b2Vec2 vec(tr_vec2 v)
{
    return b2Vec2(v.x, v.y);
}

b2Body *box2d_body(b2World &world, const tr2_body_def &def)
{
    b2BodyDef made;
    made.type = def.type == TR_STATIC ? b2_staticBody : def.type == TR_KINEMATIC ? b2_kinematicBody : b2_dynamicBody;
    made.position.Set(static_cast<float>(def.position.x), static_cast<float>(def.position.y));
    made.angle = static_cast<float>(def.angle);
    made.linearVelocity = vec(def.velocity);
    made.angularVelocity = def.angular_velocity;
    made.linearDamping = def.linear_damping;
    made.angularDamping = def.angular_damping;
    made.gravityScale = def.gravity_scale;
    made.fixedRotation = def.fixed_rotation;
    b2Body *body = world.CreateBody(&made);
    /* Box2D's inertia is about the body's origin */
    b2MassData mass;
    mass.mass = def.mass;
    mass.center = vec(def.center);
    mass.I = def.inertia + def.mass * b2Dot(mass.center, mass.center);
    body->SetMassData(&mass);
    return body;
}

/* fixtures have no density, because the body's mass is already set */
bool box2d_fixture(box2d_world &w, const tr2_scene &scene, const tr2_scene_shape &shape)
{
    const tr_vec2 *vertices = scene.vertices + shape.first_vertex;
    b2CircleShape circle;
    b2PolygonShape polygon;
    b2FixtureDef made;
    if (shape.type == TR2_SCENE_CIRCLE) {
        circle.m_p = vec(vertices[0]);
        circle.m_radius = shape.radius;
        made.shape = &circle;
    } else {
        b2Vec2 corners[b2_maxPolygonVertices];
        if (shape.type == TR2_SCENE_CHAIN || shape.vertex_count > b2_maxPolygonVertices)
            return false;
        for (uint32_t i = 0; i < shape.vertex_count; i++)
            corners[i] = vec(vertices[i]);
        polygon.Set(corners, static_cast<int32>(shape.vertex_count));
        made.shape = &polygon;
    }
    made.friction = shape.friction;
    made.restitution = shape.restitution;
    made.filter.groupIndex = static_cast<int16>(shape.filter.group);
    return w.bodies[shape.body]->CreateFixture(&made) != nullptr;
}

/* what joints of all types have */
template <typename Def> Def box2d_joint_def(const box2d_world &w, const tr2_scene_joint &joint)
{
    Def made;
    made.bodyA = w.bodies[joint.body_a];
    made.bodyB = w.bodies[joint.body_b];
    made.localAnchorA = vec(joint.def.anchor_a);
    made.localAnchorB = vec(joint.def.anchor_b);
    made.collideConnected = joint.def.collide_connected;
    return made;
}

bool box2d_joint(box2d_world &w, const tr2_scene &scene, const tr2_scene_joint &joint)
{
    const tr2_joint_def &def = joint.def;
    if (def.type == TR2_REVOLUTE) {
        auto made = box2d_joint_def<b2RevoluteJointDef>(w, joint);
        made.referenceAngle = def.reference_angle;
        made.enableLimit = def.limit.enable;
        made.lowerAngle = def.limit.lower;
        made.upperAngle = def.limit.upper;
        made.enableMotor = def.motor.enable;
        made.motorSpeed = def.motor.speed;
        made.maxMotorTorque = def.motor.maximum;
        return w.world.CreateJoint(&made) != nullptr;
    }
    if (def.type == TR2_DISTANCE) {
        auto made = box2d_joint_def<b2DistanceJointDef>(w, joint);
        made.length = def.length;
        made.minLength = def.linear.kind == TR_RIGID ? def.length : def.limit.lower;
        made.maxLength = def.linear.kind == TR_RIGID ? def.length : def.limit.upper;
        return w.world.CreateJoint(&made) != nullptr;
    }
    if (def.type == TR2_WELD) {
        auto made = box2d_joint_def<b2WeldJointDef>(w, joint);
        made.referenceAngle = def.reference_angle;
        b2Joint *weld = w.world.CreateJoint(&made);
        if (weld != nullptr && (def.break_at.force > 0.0f || def.break_at.torque > 0.0f))
            w.brittle.emplace_back(weld, def.break_at);
        return weld != nullptr;
    }
    bench_walk walk;
    if (bench_walk_of(&scene, &joint, &walk)) {
        w.walks.emplace_back(w.bodies[joint.body_b], walk);
        return true;
    }
    return false;
}

void *box2d_create(const tr2_scene *scene, const bench_options *options)
{
    auto w = std::make_unique<box2d_world>(vec(scene->gravity));
    w->options = *options;
    w->world.SetAllowSleeping(false);
    w->world.SetWarmStarting(true);
    w->world.SetContinuousPhysics(options->continuous);
    for (uint32_t i = 0; i < scene->body_count; i++)
        w->bodies.push_back(box2d_body(w->world, scene->bodies[i].def));
    for (uint32_t i = 0; scene->collide && i < scene->shape_count; i++)
        if (!box2d_fixture(*w, *scene, scene->shapes[i]))
            return nullptr;
    for (uint32_t i = 0; i < scene->joint_count; i++)
        if (!box2d_joint(*w, *scene, scene->joints[i]))
            return nullptr;
    return w.release();
}

void box2d_destroy(void *world)
{
    delete static_cast<box2d_world *>(world);
}

/* destroys the welds whose reaction in a step of h seconds exceeded their thresholds */
void box2d_break(box2d_world &w, float h)
{
    size_t kept = 0;
    for (const auto &[joint, limit] : w.brittle) {
        const float force = joint->GetReactionForce(1.0f / h).Length();
        const float torque = b2Abs(joint->GetReactionTorque(1.0f / h));
        if ((limit.force > 0.0f && force > limit.force) || (limit.torque > 0.0f && torque > limit.torque))
            w.world.DestroyJoint(joint);
        else
            w.brittle[kept++] = {joint, limit};
    }
    w.brittle.resize(kept);
}

bool box2d_step(void *world, double dt)
{
    auto *w = static_cast<box2d_world *>(world);
    const float h = static_cast<float>(dt / w->options.substeps);
    for (uint32_t i = 0; i < w->options.substeps; i++) {
        for (const auto &[body, walk] : w->walks) {
            const b2Vec2 v = body->GetLinearVelocity();
            body->ApplyForceToCenter(vec(bench_walk_force(&walk, {v.x, v.y}, h)), true);
        }
        w->world.Step(h, static_cast<int32>(w->options.iterations), static_cast<int32>(w->options.position_iterations));
        box2d_break(*w, h);
    }
    return true;
}

void box2d_read(void *world, tr2_transform *out)
{
    for (const b2Body *body : static_cast<box2d_world *>(world)->bodies) {
        const b2Transform &t = body->GetTransform();
        *out++ = {{static_cast<double>(t.p.x), static_cast<double>(t.p.y)},
                  static_cast<double>(body->GetAngle()),
                  t.q.c,
                  t.q.s};
    }
}

} // namespace

const bench_engine *bench_engine_box2d(void)
{
    static const bench_engine engine = {"box2d", box2d_create, box2d_destroy, box2d_step, box2d_read,
                                        nullptr, nullptr,      nullptr,       nullptr,    nullptr};
    return &engine;
}

#else

const bench_engine *bench_engine_box2d(void)
{
    return nullptr;
}

#endif
