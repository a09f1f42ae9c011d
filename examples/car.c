/*
 * A car on hilly ground: a chassis on two wheel joints with springs and a motor. The application finds the contacts
 * between wheels and ground itself and passes them to the world. Prints the distance driven and the spring travel. In
 * scenes/car.json, Trammel finds the contacts of a similar car.
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

enum { GROUND, CHASSIS, REAR, FRONT, BODIES };

static const float radius = 0.35f; /* m, of a wheel */

static int fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* height of the ground: level at first, then growing hills */
static double height(double x)
{
    return x < 4.0 ? 0.0 : 0.015 * (x - 4.0) * sin(1.1 * (x - 4.0));
}

/* x of the ground's point nearest to (x, y), by a few Newton steps */
static double nearest(double x, double y)
{
    const double e = 1e-4;
    double u = x;
    for (int i = 0; i < 8; i++) {
        double h = height(u), slope = (height(u + e) - height(u - e)) / (2.0 * e);
        double change = ((u - x) + (h - y) * slope) / (1.0 + slope * slope);
        u -= change;
    }
    return u;
}

/* the contact between the ground and a wheel */
static tr2_contact_def touch(tr2_body ground, tr2_body wheel, tr_dvec2 center, uint64_t id)
{
    double u = nearest(center.x, center.y), h = height(u);
    double nx = center.x - u, ny = center.y - h, distance = hypot(nx, ny);
    tr2_contact_def contact = tr2_contact_def_default();
    contact.body_a = ground;
    contact.body_b = wheel;
    contact.normal = (tr_vec2){(float)(nx / distance), (float)(ny / distance)};
    contact.separation[0] = (float)distance - radius;
    contact.point[0] = (tr_dvec2){u, h};
    contact.friction = 0.9f;
    contact.rolling_resistance = 0.01f * radius;
    contact.id = id;
    return contact;
}

static void make_bodies(tr2_body_def *defs)
{
    for (int i = 0; i < BODIES; i++)
        defs[i] = tr2_body_def_default();
    defs[GROUND].type = TR_STATIC;
    defs[CHASSIS].position.y = 0.8;
    defs[CHASSIS].mass = 900.0f;
    defs[CHASSIS].inertia = 800.0f;
    for (int i = REAR; i <= FRONT; i++) {
        defs[i].position.x = i == REAR ? -1.2 : 1.2;
        defs[i].position.y = (double)radius;
        defs[i].mass = 30.0f;
        defs[i].inertia = 0.5f * 30.0f * radius * radius;
    }
}

/* a wheel joint with a spring; the rear one has a motor */
static tr2_joint_def axle(const tr2_body *bodies, int wheel)
{
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_WHEEL);
    def.body_a = bodies[CHASSIS];
    def.body_b = bodies[wheel];
    def.anchor_a = (tr_vec2){wheel == REAR ? -1.2f : 1.2f, radius - 0.8f};
    def.axis = (tr_vec2){0.0f, 1.0f};
    def.spring = (tr_spring){true, -0.1f, tr_physical(40000.0f, 4000.0f)};
    def.limit = (tr_limit){true, -0.25f, 0.2f};
    def.motor = (tr_motor){wheel == REAR, -25.0f, 900.0f};
    return def;
}

int main(void)
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    if (tr2_world_create(&world_def, &world, &error) != TR_OK)
        return fail(error.message);

    tr2_body_def defs[BODIES];
    tr2_body bodies[BODIES];
    make_bodies(defs);
    tr_status status = tr2_world_create_bodies(world, defs, BODIES, bodies);
    tr2_joint axles[2];
    if (status == TR_OK) {
        tr2_joint_def joints[2] = {axle(bodies, REAR), axle(bodies, FRONT)};
        status = tr2_world_create_joints(world, joints, 2, axles);
    }

    for (int i = 0; i < 720 && status == TR_OK; i++) {
        tr2_transform at[BODIES];
        tr2_contact_def contacts[2];
        status = tr2_world_get_transforms(world, bodies, BODIES, at);
        for (int w = 0; w < 2; w++)
            contacts[w] = touch(bodies[GROUND], bodies[REAR + w], at[REAR + w].position, (uint64_t)w);
        if (status == TR_OK)
            status = tr2_world_set_contacts(world, contacts, 2);
        if (status == TR_OK)
            status = tr2_world_step(world, 1.0 / 120.0, 4);
        tr_joint_coordinate_value travel[2];
        if (status == TR_OK && i % 60 == 59 && tr2_joint_coordinate(world, axles[0], &travel[0]) == TR_OK &&
            tr2_joint_coordinate(world, axles[1], &travel[1]) == TR_OK)
            printf("%.1f s  %6.2f m, %5.1f degrees; springs %6.3f m and %6.3f m\n", (i + 1) / 120.0,
                   at[CHASSIS].position.x, at[CHASSIS].angle * 57.29577951308232, (double)travel[0].value,
                   (double)travel[1].value);
    }
    if (status != TR_OK)
        fail(tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status == TR_OK ? 0 : 1;
}
