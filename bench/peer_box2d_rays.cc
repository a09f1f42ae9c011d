/* Box2D 2.4 as an engine that casts rays, if installed. */
#include "rays.h"

#if TR_BENCH_BOX2D

#include <box2d/box2d.h>

namespace
{

void *create(const ray_scene *scene)
{
    b2World *world = new b2World(b2Vec2(0.0f, 0.0f));
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const ray_shape &it = scene->shapes[i];
        b2BodyDef def;
        def.position.Set(static_cast<float>(it.x), static_cast<float>(it.y));
        def.angle = it.angle;
        b2Body *body = world->CreateBody(&def);
        b2PolygonShape box;
        b2CircleShape circle;
        box.SetAsBox(it.half_x, it.half_y > 0.0f ? it.half_y : 1.0f);
        circle.m_radius = it.half_x;
        body->CreateFixture(it.half_y > 0.0f ? static_cast<b2Shape *>(&box) : &circle, 0.0f);
    }
    world->Step(1.0f / 60.0f, 1, 1);
    return world;
}

void destroy(void *world)
{
    delete static_cast<b2World *>(world);
}

class nearest : public b2RayCastCallback
{
  public:
    float fraction = 1.0f;
    float ReportFixture(b2Fixture *, const b2Vec2 &, const b2Vec2 &, float at) override
    {
        fraction = at;
        return at;
    }
};

void cast(void *world, const ray_scene *scene)
{
    for (uint32_t i = 0; i < scene->ray_count; i++) {
        b2Vec2 from(static_cast<float>(scene->x[i]), static_cast<float>(scene->y[i]));
        nearest found;
        static_cast<b2World *>(world)->RayCast(&found, from,
                                               from + b2Vec2(scene->translation_x[i], scene->translation_y[i]));
        scene->fraction[i] = found.fraction;
    }
}

const ray_engine engine = {"box2d", create, destroy, cast};

} // namespace

const ray_engine *ray_engine_box2d(void)
{
    return &engine;
}

#else

const ray_engine *ray_engine_box2d(void)
{
    return nullptr;
}

#endif
