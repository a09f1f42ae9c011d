/*
 * Gears between joints on bodies that move: planetary sets against Willis' equation and energy, racks on carts, gears
 * of three bodies in all their orders, and what a free machine keeps.
 */
#include "physics.h"

#define STEP (1.0 / 240.0)

/* teeth; a ring's teeth point inwards: sun + 2 planet = ring */
#define SUN    24.0
#define PLANET 18.0
#define RING   60.0

#define PLANETS_MOST 100

static tr2_joint gear_between(tr2_world *world, tr2_joint a, tr2_joint b, double ratio)
{
    tr2_joint_def def;
    MUST(tr2_gear_between(world, a, b, (float)ratio, &def));
    return join(world, def);
}

static void drive(tr2_world *world, tr2_joint joint, double speed)
{
    MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_ENABLE, 1.0f));
    MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_SPEED, (float)speed));
    MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_MAXIMUM, 1e4f));
}

/* sun, ring and planets, all on bearings of the carrier; gears between those bearings */
typedef struct planetary {
    tr2_world *world;
    tr2_body sun, ring, carrier, planet[PLANETS_MOST];
    tr2_joint on_sun, on_ring, on_planet[PLANETS_MOST];
    tr2_joint inner[PLANETS_MOST], outer[PLANETS_MOST]; /* sun to planet, ring to planet */
    uint32_t planets;
} planetary;

/* inertias of the parts, kg m^2; planets of 0.1 kg go round at 1 m */
static const double i_sun = 0.3, i_ring = 2.0, i_carrier = 1.5, i_planet = 0.02, m_planet = 0.1, arm = 1.0;

/* `heavy`: how many times as heavy carrier, sun and ring are */
static planetary planetary_of(tr2_world *world, uint32_t planets, double heavy)
{
    planetary p = {.world = world, .planets = planets};
    tr_vec2 middle = {0, 0};
    p.carrier = body_at(world, 0, 0, 0, heavy, heavy * i_carrier);
    p.sun = body_at(world, 0, 0, 0.3, heavy, heavy * i_sun);
    p.ring = body_at(world, 0, 0, -0.2, heavy, heavy * i_ring);
    p.on_sun = revolute(world, p.carrier, p.sun, middle, middle);
    p.on_ring = revolute(world, p.carrier, p.ring, middle, middle);
    for (uint32_t i = 0; i < planets; i++) {
        double at = 2.0 * PI * i / planets;
        p.planet[i] = body_at(world, arm * cos(at), arm * sin(at), at, m_planet, i_planet);
        tr_vec2 pin = {(float)(arm * cos(at)), (float)(arm * sin(at))};
        p.on_planet[i] = revolute(world, p.carrier, p.planet[i], pin, middle);
        /* outside against outside turns the other way, inside against outside the same */
        p.inner[i] = gear_between(world, p.on_sun, p.on_planet[i], SUN / PLANET);
        p.outer[i] = gear_between(world, p.on_ring, p.on_planet[i], -RING / PLANET);
    }
    return p;
}

static double spin(const planetary *p, tr2_body body)
{
    return (double)body_now(p->world, body).angular_velocity;
}

/* Willis: (w_sun - w_carrier) / (w_ring - w_carrier) = -z_ring / z_sun, for speeds and for angles since the
   beginning */
static void check_willis(const planetary *p, double tolerance)
{
    double sun = spin(p, p->sun), ring = spin(p, p->ring), carrier = spin(p, p->carrier);
    NEAR("Willis, speeds", SUN * (sun - carrier) + RING * (ring - carrier), 0.0, tolerance * RING);
    double turned_sun = body_now(p->world, p->sun).angle - 0.3, turned_ring = body_now(p->world, p->ring).angle + 0.2;
    double turned = body_now(p->world, p->carrier).angle;
    NEAR("Willis, angles", SUN * (turned_sun - turned) + RING * (turned_ring - turned), 0.0, tolerance * RING);
    for (uint32_t i = 0; i < p->planets; i++) {
        double planet = spin(p, p->planet[i]);
        NEAR("planet", PLANET * (planet - carrier) + SUN * (sun - carrier), 0.0, tolerance * PLANET);
    }
}

static tr2_joint to_ground(tr2_world *world, tr2_body ground, tr2_body body)
{
    return revolute(world, ground, body, (tr_vec2){0, 0}, (tr_vec2){0, 0});
}

/* carrier driven, ring held: the sun turns 1 + z_ring/z_sun times as fast, planets 1 - z_ring/z_planet times */
static void a_driven_carrier_drives_its_sun_by_willis(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    planetary p = planetary_of(world, 3, 1.0);
    drive(world, to_ground(world, ground, p.ring), 0.0);
    drive(world, to_ground(world, ground, p.carrier), 2.0);
    steps(world, STEP, 4, 4800);
    check_willis(&p, 2e-4);
    NEAR("carrier", spin(&p, p.carrier), 2.0, 1e-3);
    NEAR("sun", spin(&p, p.sun), 2.0 * (1.0 + RING / SUN), 2e-3);
    NEAR("planet", spin(&p, p.planet[1]), 2.0 * (1.0 - RING / PLANET), 2e-3);
    assert_true(body_now(world, p.sun).angle > 100.0);
    tr2_world_destroy(world);
}

/* carrier free: with the ring held it follows the sun by z_sun/(z_sun + z_ring); with both driven it goes between */
static void a_free_carrier_follows_sun_and_ring(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body ground = static_at(world, 0, 0);
        planetary p = planetary_of(world, 4, 1.0);
        double w_sun = 7.0, w_ring = held ? 0.0 : -1.5;
        drive(world, to_ground(world, ground, p.ring), w_ring);
        drive(world, to_ground(world, ground, p.sun), w_sun);
        steps(world, STEP, 4, 2400);
        check_willis(&p, 2e-4);
        NEAR("carrier", spin(&p, p.carrier), (SUN * w_sun + RING * w_ring) / (SUN + RING), 2e-3);
        tr2_world_destroy(world);
    }
}

/*
 * A torque T on the sun, ring held: one degree of freedom, whose inertia seen at the sun is the sum of I (w/w_sun)^2
 * and m v^2/w_sun^2; so w_sun = T t / that. Nothing is lost: the kinetic energy is the work. The ring's bearing holds
 * the rest of the torque, (z_ring/z_sun) T and what it takes to speed up the planets.
 */
static void a_planetary_set_has_its_reduced_inertia(void **state)
{
    (void)state;
    const double torque = 0.8, carrier = SUN / (SUN + RING);
    const double planet = carrier - (1.0 - carrier) * SUN / PLANET;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    planetary p = planetary_of(world, 3, 1.0);
    tr2_joint_def weld = joint_between(TR2_JOINT_WELD, ground, p.ring, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    weld.reference_angle = -0.2f;
    (void)join(world, weld);
    for (int i = 0; i < 960; i++) {
        MUST(tr2_body_apply_torque(world, p.sun, (float)torque));
        steps(world, STEP, 4, 1);
    }
    double reduced =
        i_sun + carrier * carrier * (i_carrier + 3 * m_planet * arm * arm) + 3 * planet * planet * i_planet;
    double wanted = torque / reduced * 960 * STEP;
    NEAR("speed of the sun", spin(&p, p.sun), wanted, 2e-3 * wanted);
    double work = torque * (body_now(world, p.sun).angle - 0.3);
    NEAR("energy", tr2_world_measure(world).kinetic_energy, work, 2e-3 * work);
    check_willis(&p, 5e-4);
    tr2_world_destroy(world);
}

/*
 * A free machine of planets that spins and drifts: both momenta stay for 10,000 steps, and Willis holds. One planet
 * alone meshes with the ring: the others would be held twice. What is left is rounding: speeds of 2 rad/s are floats,
 * and what each sub-step adds to them is some of their last digits.
 */
static void a_free_planetary_set_keeps_its_momentum(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    planetary p = planetary_of(world, 3, 1.0);
    MUST(tr2_world_destroy_joint(world, p.outer[1]));
    MUST(tr2_world_destroy_joint(world, p.outer[2]));
    MUST(tr2_body_set_velocity(world, p.sun, (tr_vec2){0.4f, -0.1f}, 3.0f));
    MUST(tr2_body_set_velocity(world, p.ring, (tr_vec2){0, 0}, 0.5f));
    tr2_measures before = tr2_world_measure(world);
    steps(world, 1.0 / 60.0, 4, TRIALS(10000));
    tr2_measures after = tr2_world_measure(world);
    NEAR("momentum x", after.momentum.x, before.momentum.x, 1e-5);
    NEAR("momentum y", after.momentum.y, before.momentum.y, 1e-5);
    NEAR("angular momentum", after.angular_momentum, before.angular_momentum, 1e-4 * before.angular_momentum);
    assert_true(after.kinetic_energy < before.kinetic_energy && after.kinetic_energy > 0.9);
    check_willis(&p, 1e-3);
    tr2_world_destroy(world);
}

/*
 * A rack in a guide and a pinion on a bearing of one cart, which is pulled along and turns: the rack's travel against
 * the cart is the pinion's turn against it times the radius, however the cart moves; and where nothing holds the cart,
 * a motor between pinion and cart changes neither momentum.
 */
static void a_rack_on_a_cart_goes_by_the_turn_against_the_cart(void **state)
{
    (void)state;
    const double radius = 0.3, way = 0.7;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body cart = body_at(world, 5, 1, 0.4, 10.0, 6.0), pinion = body_at(world, 5, 1, 0, 0.5, 0.05);
    tr2_body rack = body_at(world, 5.5, 1.4, 0, 0.8, 0.1);
    tr2_joint bearing = revolute(world, cart, pinion, local_point_of(world, cart, 5, 1), (tr_vec2){0, 0});
    tr2_joint_def slide =
        joint_between(TR2_JOINT_PRISMATIC, cart, rack, local_point_of(world, cart, 5.5, 1.4), (tr_vec2){0, 0});
    slide.axis = (tr_vec2){(float)cos(way), (float)sin(way)};
    slide.reference_angle = -0.4f;
    tr2_joint guide = join(world, slide);
    tr2_joint gear = gear_between(world, bearing, guide, -radius);
    MUST(tr2_body_set_velocity(world, cart, (tr_vec2){1.5f, -0.7f}, 1.1f));
    double turn = (double)coordinate_of(world, bearing).value, travel = (double)coordinate_of(world, guide).value;
    drive(world, bearing, 3.0);
    steps(world, STEP, 4, 4);
    tr2_measures before = tr2_world_measure(world);
    for (int i = 0; i < 12; i++) {
        drive(world, bearing, i % 2 == 0 ? 3.0 : -2.0);
        steps(world, STEP, 4, 120);
        double turned = (double)coordinate_of(world, bearing).value - turn;
        NEAR("travel", (double)coordinate_of(world, guide).value - travel, radius * turned, 2e-4);
        NEAR("speed", (double)coordinate_of(world, guide).rate, radius * (double)coordinate_of(world, bearing).rate,
             2e-3);
        NEAR("C", (double)coordinate_of(world, gear).value, 0.0, 2e-4);
    }
    assert_true(fabs(body_now(world, cart).angle) > 2.0);
    tr2_measures after = tr2_world_measure(world);
    /* rounding: carts of 10 kg that begin up to 5 cm/s faster end with up to 1.9e-4 in x, after 5,760 sub-steps */
    NEAR("momentum x", after.momentum.x, before.momentum.x, 3e-4);
    NEAR("momentum y", after.momentum.y, before.momentum.y, 3e-4);
    NEAR("angular momentum", after.angular_momentum, before.angular_momentum, 2e-4 * fabs(before.angular_momentum));
    tr2_world_destroy(world);
}

/* two of the joints of a chain X - Y - Z, in all orders and ways round: each is that of B against A, whatever ends they
   share */
static void gears_of_three_bodies_hold_whichever_they_share(void **state)
{
    (void)state;
    const double ratio = 1.7;
    for (int way = 0; way < 8; way++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body x = body_at(world, 0, 0, 0.1, 1.0, 0.4), y = body_at(world, 1, 0, -0.2, 2.0, 0.7),
                 z = body_at(world, 2, 0.5, 0.3, 1.5, 0.3);
        tr_vec2 xy = local_point_of(world, x, 0.5, 0), yx = local_point_of(world, y, 0.5, 0);
        tr_vec2 yz = local_point_of(world, y, 1.5, 0), zy = local_point_of(world, z, 1.5, 0);
        tr2_joint first = way & 1 ? revolute(world, y, x, yx, xy) : revolute(world, x, y, xy, yx);
        tr2_joint second = way & 2 ? revolute(world, z, y, zy, yz) : revolute(world, y, z, yz, zy);
        tr2_joint a = way & 4 ? second : first, b = way & 4 ? first : second;
        tr2_joint gear = gear_between(world, a, b, ratio);
        double begun = (double)coordinate_of(world, b).value + ratio * (double)coordinate_of(world, a).value;
        MUST(tr2_body_set_velocity(world, x, (tr_vec2){0, 0}, 4.0f));
        MUST(tr2_body_set_velocity(world, z, (tr_vec2){0.3f, 0}, -2.0f));
        steps(world, STEP, 4, 8);
        tr2_measures before = tr2_world_measure(world);
        steps(world, STEP, 4, 2400);
        tr2_measures after = tr2_world_measure(world);
        double now = (double)coordinate_of(world, b).value + ratio * (double)coordinate_of(world, a).value;
        NEAR("coordinates", now, begun, 2e-3);
        NEAR("C", (double)coordinate_of(world, gear).value, 0.0, 2e-3);
        NEAR("angular momentum", after.angular_momentum, before.angular_momentum,
             2e-4 * (1.0 + fabs(before.angular_momentum)));
        NEAR("momentum", after.momentum.x, before.momentum.x, 1e-4);
        tr2_world_destroy(world);
    }
}

/* two joints of the same two bodies: the gear holds both coordinates still, for C alone is two of one angle */
static void two_joints_of_the_same_two_bodies_can_be_geared(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = body_at(world, 0, 0, 0, 1.0, 0.5), b = body_at(world, 1, 0, 0, 1.0, 0.5);
    tr2_joint one = revolute(world, a, b, (tr_vec2){0.5f, 0}, (tr_vec2){-0.5f, 0});
    tr2_joint other = revolute(world, a, b, (tr_vec2){0.5f, 0}, (tr_vec2){-0.5f, 0});
    (void)gear_between(world, one, other, 1.0);
    MUST(tr2_body_set_velocity(world, a, (tr_vec2){0, 0}, 3.0f));
    steps(world, STEP, 4, 480);
    NEAR("angle", (double)coordinate_of(world, one).value, 0.0, 1e-3);
    NEAR("rate", (double)coordinate_of(world, one).rate, 0.0, 1e-3);
    tr2_world_destroy(world);
}

/* a carrier with a hundred planets, sun and ring among them, is split in copies, and all mesh as one */
static void a_carrier_with_a_hundred_planets_is_split(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    planetary p = planetary_of(world, 100, 20.0);
    drive(world, to_ground(world, ground, p.ring), 0.0);
    drive(world, to_ground(world, ground, p.carrier), 1.0);
    steps(world, STEP, 4, 2400);
    assert_int_equal(tr2_world_statistics(world).split_bodies, 3);
    NEAR("carrier", spin(&p, p.carrier), 1.0, 5e-3);
    NEAR("sun", spin(&p, p.sun), 1.0 + RING / SUN, 2e-2);
    check_willis(&p, 2e-2);
    tr2_world_destroy(world);
}

/* off, a gear does nothing; switched on with `meshed` false it meshes where it is; a joint that is gone changes
   nothing */
static void a_gear_on_a_carrier_can_be_opened_and_closed(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body carrier = body_at(world, 0, 0, 0, 1, 1), a = body_at(world, -1, 0, 0, 1, 0.2),
             b = body_at(world, 1, 0, 0, 1, 0.4);
    tr2_joint on_a = revolute(world, carrier, a, (tr_vec2){-1, 0}, (tr_vec2){0, 0});
    tr2_joint on_b = revolute(world, carrier, b, (tr_vec2){1, 0}, (tr_vec2){0, 0});
    tr2_joint gear = gear_between(world, on_a, on_b, 2.0);
    MUST(tr2_joint_set_enabled(world, gear, false));
    MUST(tr2_body_set_velocity(world, a, (tr_vec2){0, 0}, 5.0f));
    steps(world, STEP, 4, 240);
    NEAR("b is free", (double)body_now(world, b).angular_velocity, 0.0, 1e-4);
    NEAR("no reaction", (double)reaction_of(world, gear).torque, 0.0, 0.0);
    tr2_joint_def def;
    MUST(tr2_joint_get(world, gear, &def));
    def.enabled = true;
    def.meshed = false;
    MUST(tr2_joint_set(world, gear, &def));
    NEAR("C", (double)coordinate_of(world, gear).value, 0.0, 1e-6);
    MUST(tr2_world_destroy_joint(world, on_b));
    steps(world, STEP, 4, 240);
    double wa = (double)body_now(world, a).angular_velocity, wb = (double)body_now(world, b).angular_velocity;
    double wc = (double)body_now(world, carrier).angular_velocity;
    NEAR("mesh", (wb - wc) + 2.0 * (wa - wc), 0.0, 1e-3);
    assert_true(fabs(wb) > 0.5);
    tr2_world_destroy(world);
}

/* any of its four bodies takes a gear with it; the three others stay, and what was joined to them */
static void a_gear_goes_with_any_of_its_bodies(void **state)
{
    (void)state;
    for (int gone = 0; gone < 4; gone++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body body[4];
        for (int i = 0; i < 4; i++)
            body[i] = body_at(world, i, 0, 0, 1, 1);
        tr2_joint one = revolute(world, body[2], body[0], (tr_vec2){-2, 0}, (tr_vec2){0, 0});
        tr2_joint two = revolute(world, body[3], body[1], (tr_vec2){-2, 0}, (tr_vec2){0, 0});
        tr2_joint gear = gear_between(world, one, two, 0.5);
        steps(world, STEP, 4, 2);
        assert_int_equal(tr2_world_statistics(world).islands, 1);
        MUST(tr2_world_destroy_body(world, body[gone]));
        assert_false(tr2_joint_is_valid(world, gear));
        assert_int_equal(tr2_world_statistics(world).joints, 1);
        steps(world, STEP, 4, 2);
        tr2_world_destroy(world);
    }
}

/* a carrier may be held and let go; where nothing of it moves a gear is not solved, and has no reaction */
static void a_carrier_that_becomes_static_still_carries(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body carrier = body_at(world, 0, 0, 0.5, 1, 1), a = body_at(world, -1, 0, 0, 1, 0.2),
             b = body_at(world, 1, 0, 0, 1, 0.4);
    tr2_joint on_a = revolute(world, carrier, a, local_point_of(world, carrier, -1, 0), (tr_vec2){0, 0});
    tr2_joint on_b = revolute(world, carrier, b, local_point_of(world, carrier, 1, 0), (tr_vec2){0, 0});
    tr2_joint gear = gear_between(world, on_a, on_b, 2.0);
    drive(world, on_a, 3.0);
    steps(world, STEP, 4, 240);
    static const tr_body_type types[] = {TR_STATIC, TR_DYNAMIC, TR_KINEMATIC, TR_DYNAMIC};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        MUST(tr2_body_set_type(world, carrier, types[i]));
        if (types[i] == TR_KINEMATIC)
            MUST(tr2_body_set_velocity(world, carrier, (tr_vec2){0.5f, 0}, 0.8f));
        steps(world, STEP, 4, 240);
        NEAR("rate of a", (double)coordinate_of(world, on_a).rate, 3.0, 2e-3);
        NEAR("rate of b", (double)coordinate_of(world, on_b).rate, -6.0, 4e-3);
        NEAR("C", (double)coordinate_of(world, gear).value, 0.0, 1e-3);
    }
    const tr2_body all[] = {carrier, a, b};
    for (int i = 0; i < 3; i++)
        MUST(tr2_body_set_type(world, all[i], TR_STATIC));
    uint32_t color;
    MUST(tr2_joint_color(world, gear, &color));
    assert_int_equal(color, UINT32_MAX);
    NEAR("no reaction", (double)reaction_of(world, gear).torque, 0.0, 0.0);
    tr2_world_destroy(world);
}

static void carriers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = body_at(world, 0, 0, 0, 1, 1), b = body_at(world, 1, 0, 0, 1, 1), c = body_at(world, 2, 0, 0, 1, 1);
    tr2_joint_def def = joint_between(TR2_JOINT_GEAR, a, b, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    tr2_joint joint;
    def.carrier_a = a;
    assert_int_equal(tr2_world_create_joint(world, &def, &joint), TR_ERROR_SELF_JOINT);
    assert_string_equal(tr2_world_last_error(world)->message, "create_joint: def.carrier_a is body_a (slot 0)");
    def.carrier_a = c;
    def.carrier_b = b;
    assert_int_equal(tr2_world_create_joint(world, &def, &joint), TR_ERROR_SELF_JOINT);
    def.carrier_b = (tr2_body){77, c.world, 0};
    assert_int_equal(tr2_world_create_joint(world, &def, &joint), TR_ERROR_STALE_ID);
    def.carrier_b = c;
    MUST(tr2_world_create_joint(world, &def, &joint));

    /* what a joint is made of stays */
    MUST(tr2_joint_get(world, joint, &def));
    assert_int_equal(def.carrier_a.index, c.index);
    assert_int_equal(def.carrier_b.index, c.index);
    tr2_joint_view view = tr2_world_joints(world, TR2_JOINT_GEAR);
    assert_int_equal(view.carrier_a[0].index, c.index);
    assert_null(tr2_world_joints(world, TR2_JOINT_REVOLUTE).carrier_a);
    def.carrier_a = (tr2_body){0, 0, 0};
    assert_int_equal(tr2_joint_set(world, joint, &def), TR_ERROR_RANGE);
    tr2_joint_def other = joint_between(TR2_JOINT_REVOLUTE, a, b, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    other.carrier_b = c;
    assert_int_equal(tr2_world_create_joint(world, &other, &joint), TR_ERROR_NO_PROPERTY);
    tr2_world_destroy(world);
}

/*
 * The small step corrects more than the error of hinges. With the same share for gears, the set of scenes/planets.json
 * hums, with joints 0.5 and 0.16 mm open; as it is, they are 4 and 1 um open.
 */
static void planets_do_not_hum_in_the_small_step(void **state)
{
    (void)state;
    for (uint32_t substeps = 8; substeps <= 16; substeps += 8) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_scene *scene = NULL;
        tr_error error;
        assert_int_equal(tr2_scene_load(TR_SCENES_DIR "/planets.json", &scene, &error), TR_OK);
        MUST(tr2_scene_build(scene, world, NULL, NULL, NULL));
        tr2_scene_destroy(scene);
        MUST(tr2_world_set_method(world, TR_SMALL_STEP, 0));
        steps(world, 1.0 / 60.0, substeps, 600);
        assert_true(tr2_world_measure(world).joint_error_max < 5e-5);
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driven_carrier_drives_its_sun_by_willis),
        cmocka_unit_test(a_free_carrier_follows_sun_and_ring),
        cmocka_unit_test(a_planetary_set_has_its_reduced_inertia),
        cmocka_unit_test(a_free_planetary_set_keeps_its_momentum),
        cmocka_unit_test(planets_do_not_hum_in_the_small_step),
        cmocka_unit_test(a_rack_on_a_cart_goes_by_the_turn_against_the_cart),
        cmocka_unit_test(gears_of_three_bodies_hold_whichever_they_share),
        cmocka_unit_test(two_joints_of_the_same_two_bodies_can_be_geared),
        cmocka_unit_test(a_carrier_with_a_hundred_planets_is_split),
        cmocka_unit_test(a_gear_on_a_carrier_can_be_opened_and_closed),
        cmocka_unit_test(a_gear_goes_with_any_of_its_bodies),
        cmocka_unit_test(a_carrier_that_becomes_static_still_carries),
        cmocka_unit_test(carriers_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
