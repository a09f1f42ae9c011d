/*
 * An application with contacts of its own in space, beside the laws that they obey: a box on a slope, a ball that rolls
 * down, a ball that spins on the spot, and Newton's cradle. Returns 1 if something is off by more than it should be.
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

#define STEP     (1.0 / 240.0)
#define SUBSTEPS 4
#define GRAVITY  9.81

static bool right = true;

static void show(const char *what, double have, double want, double slack)
{
    const bool near = fabs(have - want) <= slack;
    printf("  %-44s %9.4f, by the law %9.4f%s\n", what, have, want, near ? "" : "  <- off");
    right = right && near;
}

static void check(const tr3_world *world, tr_status status)
{
    if (status == TR_OK)
        return;
    fprintf(stderr, "%s\n", tr3_world_last_error(world)->message);
    right = false;
}

static tr3_world *make_world(tr3_body *floor)
{
    tr3_world_def settings = tr3_world_def_default();
    settings.gravity = (tr_vec3){0.0f, (float)-GRAVITY, 0.0f};
    settings.sleep.enable = false;
    tr3_world *world;
    if (tr3_world_create(&settings, &world, NULL) != TR_OK)
        return NULL;
    tr3_body_def def = tr3_body_def_default();
    def.type = TR_STATIC;
    check(world, tr3_world_create_body(world, &def, floor));
    return world;
}

static tr_dvec3 position_of(const tr3_world *world, tr3_body body)
{
    tr3_transform at;
    check(world, tr3_body_get_transform(world, body, &at));
    return at.position;
}

static tr_vec3 velocity_of(const tr3_world *world, tr3_body body)
{
    tr_vec3 v, w;
    check(world, tr3_body_get_velocity(world, body, &v, &w));
    return v;
}

/* a vector in the world of one in a rotated frame */
static tr_dvec3 turned(tr_quat q, tr_dvec3 v)
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double a = 2.0 * (y * v.z - z * v.y), b = 2.0 * (z * v.x - x * v.z), c = 2.0 * (x * v.y - y * v.x);
    return (tr_dvec3){v.x + w * a + y * c - z * b, v.y + w * b + z * a - x * c, v.z + w * c + x * b - y * a};
}

/* the slope goes down along (cos, -sin, 0) through the origin; its normal is (sin, cos, 0) */
static double height_over(double slope, tr_dvec3 p)
{
    return sin(slope) * p.x + cos(slope) * p.y;
}

/* a box of 1 m x 0.4 m x 1 m: the four corners of its underside are the points of one contact */
static void box_on_slope(double slope, double friction, int steps)
{
    tr3_body floor, box;
    tr3_world *world = make_world(&floor);
    if (world == NULL)
        return;
    tr3_body_def def = tr3_body_def_default();
    def.position = (tr_dvec3){0.2 * sin(slope), 0.2 * cos(slope), 0.0};
    def.rotation = (tr_quat){0.0f, 0.0f, (float)sin(-0.5 * slope), (float)cos(-0.5 * slope)};
    def.mass = 2.0f;
    def.inertia = (tr_sym3){2.0f * 1.16f / 12.0f, 2.0f * 2.0f / 12.0f, 2.0f * 1.16f / 12.0f, 0.0f, 0.0f, 0.0f};
    check(world, tr3_world_create_body(world, &def, &box));
    for (int step = 0; step < steps; step++) {
        tr3_transform at;
        check(world, tr3_body_get_transform(world, box, &at));
        tr3_contact_def contact = tr3_contact_def_default();
        contact.body_a = floor;
        contact.body_b = box;
        contact.normal = (tr_vec3){(float)sin(slope), (float)cos(slope), 0.0f};
        contact.friction = (float)friction;
        contact.point_count = 4;
        for (int i = 0; i < 4; i++) {
            const tr_dvec3 arm =
                turned(at.rotation, (tr_dvec3){i < 2 ? -0.5 : 0.5, -0.2, i == 1 || i == 2 ? -0.5 : 0.5});
            const tr_dvec3 corner = {at.position.x + arm.x, at.position.y + arm.y, at.position.z + arm.z};
            contact.point[i] = corner;
            contact.separation[i] = (float)height_over(slope, corner);
        }
        check(world, tr3_world_set_contacts(world, &contact, 1));
        check(world, tr3_world_step(world, STEP, SUBSTEPS));
    }
    const double held = friction >= tan(slope) ? 0.0 : GRAVITY * (sin(slope) - friction * cos(slope)) * steps * STEP;
    const tr_vec3 v = velocity_of(world, box);
    char what[64];
    snprintf(what, sizeof what, "friction of %.2f times the slope's, m/s", friction / tan(slope));
    /* while the contact sinks to its depth, in the first tenth of a second, its friction is up to a tenth too low */
    show(what, cos(slope) * (double)v.x - sin(slope) * (double)v.y, held, held > 0.0 ? 0.03 : 0.002);
    tr3_world_destroy(world);
}

static void put_ball(tr3_world *world, tr3_body *out, tr_dvec3 at, tr_vec3 v, tr_vec3 w, float radius)
{
    tr3_body_def def = tr3_body_def_default();
    def.position = at;
    def.velocity = v;
    def.angular_velocity = w;
    const float moment = 0.4f * def.mass * radius * radius;
    def.inertia = (tr_sym3){moment, moment, moment, 0.0f, 0.0f, 0.0f};
    check(world, tr3_world_create_body(world, &def, out));
}

/* of a ball of radius 0.2 m on a slope, or on level ground */
static tr3_contact_def touch(tr3_body floor, tr3_body ball, tr_dvec3 at, double slope)
{
    tr3_contact_def contact = tr3_contact_def_default();
    contact.body_a = floor;
    contact.body_b = ball;
    contact.normal = (tr_vec3){(float)sin(slope), (float)cos(slope), 0.0f};
    contact.separation[0] = (float)(height_over(slope, at) - 0.2);
    contact.point[0] = (tr_dvec3){at.x - 0.2 * sin(slope), at.y - 0.2 * cos(slope), at.z};
    return contact;
}

static void ball_on_slope(double slope)
{
    tr3_body floor, ball;
    tr3_world *world = make_world(&floor);
    if (world == NULL)
        return;
    const tr_vec3 still = {0.0f, 0.0f, 0.0f};
    put_ball(world, &ball, (tr_dvec3){0.2 * sin(slope), 0.2 * cos(slope), 0.0}, still, still, 0.2f);
    for (int step = 0; step < 480; step++) {
        tr3_contact_def contact = touch(floor, ball, position_of(world, ball), slope);
        contact.friction = 0.6f;
        check(world, tr3_world_set_contacts(world, &contact, 1));
        check(world, tr3_world_step(world, STEP, SUBSTEPS));
    }
    const tr_vec3 v = velocity_of(world, ball);
    show("a ball rolls down for 2 s, m/s", hypot((double)v.x, (double)v.y), 5.0 / 7.0 * GRAVITY * sin(slope) * 2.0,
         0.02);
    tr3_world_destroy(world);
}

/* spin decays by torsional friction c: m g c = 2/5 m r^2 |w'| */
static void spinning_ball(void)
{
    tr3_body floor, ball;
    tr3_world *world = make_world(&floor);
    if (world == NULL)
        return;
    put_ball(world, &ball, (tr_dvec3){0.0, 0.2, 0.0}, (tr_vec3){0.0f, 0.0f, 0.0f}, (tr_vec3){0.0f, 20.0f, 0.0f}, 0.2f);
    for (int step = 0; step < 240; step++) {
        tr3_contact_def contact = touch(floor, ball, position_of(world, ball), 0.0);
        contact.friction = 0.5f;
        contact.torsional_friction = 0.01f;
        check(world, tr3_world_set_contacts(world, &contact, 1));
        check(world, tr3_world_step(world, STEP, SUBSTEPS));
    }
    tr_vec3 v, w;
    check(world, tr3_body_get_velocity(world, ball, &v, &w));
    show("a spin of 20 rad/s after 1 s, rad/s", (double)w.y, 20.0 - GRAVITY * 0.01 / (0.4 * 0.2 * 0.2), 0.05);
    tr3_world_destroy(world);
}

/* five balls on rods, with gaps of 1 cm; two are lifted, and two go up at the other end */
static void cradle(void)
{
    enum { BALLS = 5 };
    tr3_body frame, ball[BALLS];
    tr3_world *world = make_world(&frame);
    if (world == NULL)
        return;
    const double spacing = 0.41, length = 2.0, lift = 0.3;
    for (int i = 0; i < BALLS; i++) {
        const double angle = i < 2 ? -lift : 0.0;
        const tr_dvec3 pin = {spacing * i, length, 0.0};
        const tr_vec3 still = {0.0f, 0.0f, 0.0f};
        put_ball(world, &ball[i], (tr_dvec3){pin.x + length * sin(angle), length - length * cos(angle), 0.0}, still,
                 still, 0.2f);
        tr3_joint_def rod;
        check(world, tr3_joint_def_between(world, TR3_JOINT_DISTANCE, frame, ball[i], pin, position_of(world, ball[i]),
                                           (tr_vec3){0.0f, 0.0f, 1.0f}, &rod));
        check(world, tr3_world_create_joint(world, &rod, NULL));
    }
    double highest[BALLS] = {0.0};
    for (int step = 0; step < 500; step++) {
        tr3_contact_def contacts[BALLS];
        uint32_t count = 0;
        for (int i = 0; i + 1 < BALLS; i++) {
            const tr_dvec3 a = position_of(world, ball[i]), b = position_of(world, ball[i + 1]);
            const tr_dvec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
            const double apart = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
            if (apart > 0.6)
                continue;
            tr3_contact_def *contact = &contacts[count++];
            *contact = tr3_contact_def_default();
            contact->body_a = ball[i];
            contact->body_b = ball[i + 1];
            contact->normal = (tr_vec3){(float)(d.x / apart), (float)(d.y / apart), (float)(d.z / apart)};
            contact->point[0] = (tr_dvec3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
            contact->separation[0] = (float)(apart - 0.4);
            contact->restitution = 1.0f;
        }
        check(world, tr3_world_set_contacts(world, contacts, count));
        check(world, tr3_world_step(world, STEP, SUBSTEPS));
        for (int i = 0; i < BALLS; i++)
            highest[i] = fmax(highest[i], step > 200 ? position_of(world, ball[i]).y : 0.0);
    }
    const double height = length - length * cos(lift);
    for (int i = 0; i < BALLS; i++) {
        char what[64];
        snprintf(what, sizeof what, "cradle: ball %d goes up by, m", i + 1);
        show(what, highest[i], i < 3 ? 0.0 : height, 0.15 * height);
    }
    tr3_world_destroy(world);
}

int main(void)
{
    const double slope = 0.4;
    printf("contacts of the application:\n");
    box_on_slope(slope, 1.01 * tan(slope), 480);
    box_on_slope(slope, 0.99 * tan(slope), 480);
    box_on_slope(slope, 0.5 * tan(slope), 480);
    ball_on_slope(slope);
    spinning_ball();
    cradle();
    return right ? 0 : 1;
}
