/* Contacts in space against the laws of friction, rolling, spinning and impact, by each method. */
#include "instrumented.h"
#include "space_contacts.h"

#define G 9.81

static const tr_dvec3 half_box = {0.3, 0.2, 0.4};

/* down a slope by `slope` in the direction `toward`, both rad, of a floor that is level */
static tr_vec3 downhill(double slope, double toward)
{
    return (tr_vec3){(float)(G * sin(slope) * cos(toward)), (float)(-G * cos(slope)),
                     (float)(G * sin(slope) * sin(toward))};
}

static bool starts_from_zero(tr_method method)
{
    return method == TR_SMALL_STEP || method == TR_POSITION_BASED;
}

/*
 * A box on a slope stays below the angle of friction, and above it slides straight down with g (sin - mu cos): in every
 * direction. A pyramid of friction would hold it in some directions up to sqrt 2 times the slope, and turn it aside in
 * others.
 */
static void boxes_slip_at_the_angle_of_friction_in_all_directions(void **state)
{
    (void)state;
    const double mu = 0.5, seconds = 1.0;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int i = 0; i < 7; i++) {
            for (int over = 0; over < 2; over++) {
                const double slope = atan(mu * (over == 1 ? 1.1 : 0.97)), toward = 0.9 * i;
                tr3_world *world = space_world((tr_method)method, downhill(slope, toward), 1);
                const space_plane floor = space_floor(world);
                const tr3_body box = space_box(world, (tr_dvec3){0.0, half_box.y, 0.0}, half_box, 2.0);
                for (int step = 0; step < 60; step++) {
                    tr3_contact_def def = space_box_on(world, &floor, box, half_box);
                    def.friction = (float)mu;
                    SPACE_OK(tr3_world_set_contacts(world, &def, 1));
                    SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
                }
                const tr3_body_def now = space_now(world, box);
                const double a = over == 1 ? G * (sin(slope) - mu * cos(slope)) : 0.0;
                const double along = now.position.x * cos(toward) + now.position.z * sin(toward);
                const double aside = now.position.z * cos(toward) - now.position.x * sin(toward);
                /* first the box sinks into its contacts, with more friction or less for some sub-steps; where friction
                   starts from 0 in each sub-step, what is left after its sweeps is a creep of some mm/s */
                const double slack = 0.002 + 0.03 * a + (starts_from_zero((tr_method)method) ? 0.007 : 0.0);
                SPACE_NEAR(tr_method_name((tr_method)method), along, 0.5 * a * seconds * seconds, slack);
                SPACE_NEAR("aside", aside, 0.0, slack);
                SPACE_NEAR("height", now.position.y, half_box.y, 2e-3);
                tr3_world_destroy(world);
            }
        }
    }
}

/* 5/7 g sin(slope), the rotation that belongs to it, and no more of it by any method */
static void balls_roll_without_slipping(void **state)
{
    (void)state;
    const double slope = 0.2, radius = 0.25;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int resists = 0; resists < 2; resists++) {
            tr3_world *world = space_world((tr_method)method, downhill(slope, 0.6), 1);
            const space_plane floor = space_floor(world);
            const tr3_body ball = space_ball(world, (tr_dvec3){0.0, radius, 0.0}, radius, 3.0);
            const double resistance = resists == 1 ? 0.02 : 0.0;
            for (int step = 0; step < 120; step++) {
                tr3_contact_def def = space_ball_on(world, &floor, ball, radius);
                def.friction = 0.8f;
                def.rolling_resistance = (float)resistance;
                SPACE_OK(tr3_world_set_contacts(world, &def, 1));
                SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
            }
            /* m a = m g sin - F, I a/r = F r - c m g cos, I = 2/5 m r^2 */
            const double a = 5.0 / 7.0 * (G * sin(slope) - resistance / radius * G * cos(slope));
            const tr3_body_def now = space_now(world, ball);
            const double speed = space_length(space_wide(now.velocity)),
                         spin = space_length(space_wide(now.angular_velocity));
            SPACE_NEAR(tr_method_name((tr_method)method), speed, 2.0 * a, 0.005 * 2.0 * a);
            SPACE_NEAR("spin", spin * radius, speed, 0.002 * speed);
            SPACE_NEAR("direction", atan2((double)now.velocity.z, (double)now.velocity.x), 0.6, 1e-3);
            tr3_world_destroy(world);
        }
    }
}

/* dw/dt = -c m g/I about the normal, until it stands still; then it stays so */
static void spin_about_the_normal_dies_linearly(void **state)
{
    (void)state;
    const double radius = 0.2, mass = 2.0, torsion = 0.01, inertia = 0.4 * mass * radius * radius;
    const double rate = torsion * mass * G / inertia;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        tr3_world *world = space_world((tr_method)method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1);
        const space_plane floor = space_floor(world);
        const tr3_body ball = space_ball(world, (tr_dvec3){0.0, radius, 0.0}, radius, mass);
        SPACE_OK(tr3_body_set_velocity(world, ball, (tr_vec3){0}, (tr_vec3){0.0f, 5.0f, 0.0f}));
        for (int step = 1; step <= 180; step++) {
            tr3_contact_def def = space_ball_on(world, &floor, ball, radius);
            def.friction = 0.5f;
            def.torsional_friction = (float)torsion;
            SPACE_OK(tr3_world_set_contacts(world, &def, 1));
            SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
            if (step % 30 != 0)
                continue;
            const tr3_body_def now = space_now(world, ball);
            /* the first sub-steps have no normal impulse yet, or one that is too large: a few of them in doubt */
            SPACE_NEAR(tr_method_name((tr_method)method), (double)now.angular_velocity.y,
                       fmax(5.0 - rate * step * SPACE_DT, 0.0), 0.03);
            SPACE_NEAR("x", now.position.x, 0.0, 1e-4);
        }
        const double normal = (double)space_impulse(world, 0).normal[0] * 240.0;
        SPACE_NEAR("force", normal, mass * G, 0.02 * mass * G);
        tr3_world_destroy(world);
    }
}

/* m/s: a belt carries what is on it in any direction, and a ball that rolls on it as 2/7 of its speed */
static void belts_carry(void **state)
{
    (void)state;
    const tr_vec3 belt = {0.9f, 0.0f, -1.2f};
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        tr3_world *world = space_world((tr_method)method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1);
        const space_plane floor = space_floor(world);
        const tr3_body box = space_box(world, (tr_dvec3){0.0, half_box.y, 0.0}, half_box, 2.0);
        const tr3_body ball = space_ball(world, (tr_dvec3){5.0, 0.25, 0.0}, 0.25, 1.0);
        for (int step = 0; step < 120; step++) {
            tr3_contact_def defs[2] = {space_box_on(world, &floor, box, half_box),
                                       space_ball_on(world, &floor, ball, 0.25)};
            for (int i = 0; i < 2; i++) {
                defs[i].friction = 0.6f;
                defs[i].surface_velocity = belt;
            }
            SPACE_OK(tr3_world_set_contacts(world, defs, 2));
            SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
        }
        const tr3_body_def a = space_now(world, box), b = space_now(world, ball);
        SPACE_NEAR(tr_method_name((tr_method)method), (double)a.velocity.x, (double)belt.x, 2e-3);
        SPACE_NEAR("box, z", (double)a.velocity.z, (double)belt.z, 2e-3);
        SPACE_NEAR("ball, x", (double)b.velocity.x, 2.0 / 7.0 * (double)belt.x, 2e-3);
        SPACE_NEAR("ball, z", (double)b.velocity.z, 2.0 / 7.0 * (double)belt.z, 2e-3);
        tr3_world_destroy(world);
    }
}

/* a ball that falls from h rises to e^2 h, and a flat box comes up flat */
static void heights_of_bounces(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int i = 1; i <= 4; i++) {
            const double e = 0.25 * i, h = 1.0;
            tr3_world *world = space_world((tr_method)method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1);
            const space_plane floor = space_floor(world);
            const tr3_body ball = space_ball(world, (tr_dvec3){0.0, h + 0.2, 0.0}, 0.2, 1.0);
            const tr3_body box = space_box(world, (tr_dvec3){3.0, h + half_box.y, 0.0}, half_box, 2.0);
            double top[2] = {0.0, 0.0};
            for (int step = 0; step < 60; step++) {
                tr3_contact_def defs[2] = {space_ball_on(world, &floor, ball, 0.2),
                                           space_box_on(world, &floor, box, half_box)};
                for (int k = 0; k < 2; k++)
                    defs[k].restitution = (float)e;
                SPACE_OK(tr3_world_set_contacts(world, defs, 2));
                SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
                const tr3_body_def a = space_now(world, ball), b = space_now(world, box);
                if (a.velocity.y > 0.0f)
                    top[0] = fmax(top[0], a.position.y - 0.2 + 0.5 * (double)(a.velocity.y * a.velocity.y) / G);
                if (b.velocity.y > 0.0f)
                    top[1] = fmax(top[1], b.position.y - half_box.y + 0.5 * (double)(b.velocity.y * b.velocity.y) / G);
                /* later the least bounces have ended, and a corner lands before the others */
                if (step < 36)
                    SPACE_NEAR("spin", space_length(space_wide(b.angular_velocity)), 0.0, 0.02);
            }
            SPACE_NEAR(tr_method_name((tr_method)method), top[0], e * e * h, 0.02 * h);
            SPACE_NEAR("box", top[1], e * e * h, 0.03 * h);
            tr3_world_destroy(world);
        }
    }
}

/* n balls come in, n go out; the others stay */
static void newtons_cradle_counts(void **state)
{
    (void)state;
    enum { BALLS = 5 };
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int in = 1; in <= 3; in++) {
            tr3_world *world = space_world((tr_method)method, (tr_vec3){0.0f, 0.0f, 0.0f}, 1);
            tr3_body ball[BALLS];
            for (int i = 0; i < BALLS; i++) {
                /* a row along a diagonal, with gaps that a ball crosses in four steps: one impact after the other */
                const double at = (0.2 + 0.008) * i - (i < in ? 0.1 : 0.0);
                ball[i] = space_ball(world, (tr_dvec3){0.6 * at, 0.0, 0.8 * at}, 0.1, 1.5);
                const float v = i < in ? 2.0f : 0.0f;
                SPACE_OK(tr3_body_set_velocity(world, ball[i], (tr_vec3){0.6f * v, 0.0f, 0.8f * v}, (tr_vec3){0}));
            }
            for (int step = 0; step < 400; step++) {
                tr3_contact_def defs[BALLS - 1];
                for (int i = 0; i + 1 < BALLS; i++) {
                    defs[i] = space_ball_on_ball(world, ball[i], 0.1, ball[i + 1], 0.1);
                    defs[i].restitution = 1.0f;
                }
                SPACE_OK(tr3_world_set_contacts(world, defs, BALLS - 1));
                SPACE_OK(tr3_world_step(world, 1e-3, 2));
            }
            for (int i = 0; i < BALLS; i++) {
                const tr3_body_def now = space_now(world, ball[i]);
                const double speed = 0.6 * (double)now.velocity.x + 0.8 * (double)now.velocity.z;
                SPACE_NEAR(tr_method_name((tr_method)method), speed, i >= BALLS - in ? 2.0 : 0.0, 0.01);
            }
            tr3_world_destroy(world);
        }
    }
}

/*
 * Piles
 */
#define BOXES 5

typedef struct stack {
    tr3_world *world;
    space_plane floor;
    tr3_body box[BOXES];
    tr_dvec3 half;
    uint64_t fresh; /* added to the ids in each step: nothing carries over */
} stack;

static stack make_stack(tr_method method)
{
    stack it = {.world = space_world(method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1), .half = {0.5, 0.25, 0.4}};
    it.floor = space_floor(it.world);
    for (int i = 0; i < BOXES; i++)
        it.box[i] = space_box(it.world, (tr_dvec3){0.02 * (i % 2), it.half.y * (2 * i + 1), 0.0}, it.half, 4.0);
    return it;
}

static void step_stack(stack *it)
{
    tr3_contact_def defs[BOXES];
    for (int i = 0; i < BOXES; i++) {
        const space_plane below = i == 0 ? it->floor : space_top_of(it->world, it->box[i - 1], it->half);
        defs[i] = space_box_on(it->world, &below, it->box[i], it->half);
        defs[i].friction = 0.5f;
        defs[i].id = it->fresh;
    }
    SPACE_OK(tr3_world_set_contacts(it->world, defs, BOXES));
    SPACE_OK(tr3_world_step(it->world, SPACE_DT, 4));
}

static double energy_of(const stack *it)
{
    return tr3_world_measure(it->world).kinetic_energy;
}

/* where they began, but for what they sink: g/omega^2 per box that is above, at 45 Hz 0.12 mm, and for what creeps, 1 cm/s
   at most; the points carry the weight above */
static void stacks_stand_still(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        stack it = make_stack((tr_method)method);
        for (int step = 0; step < 300; step++)
            step_stack(&it);
        /* J: 20 kg at a creep of 1 mm/s are 1e-5, at 8 mm/s 6e-4 */
        SPACE_NEAR(tr_method_name((tr_method)method), energy_of(&it), 0.0,
                   starts_from_zero((tr_method)method) ? 1e-3 : 1e-5);
        for (int i = 0; i < BOXES; i++) {
            const tr3_body_def now = space_now(it.world, it.box[i]);
            const double creep = starts_from_zero((tr_method)method) ? 0.01 * 5.0 : 0.0;
            SPACE_NEAR("x", now.position.x, 0.02 * (i % 2), 1e-3 + creep);
            SPACE_NEAR("z", now.position.z, 0.0, 1e-3 + creep);
            SPACE_NEAR("y", now.position.y, it.half.y * (2 * i + 1), 0.012 + creep);
            const tr3_contact_impulse p = space_impulse(it.world, (uint32_t)i);
            const double force = 240.0 * (double)(p.normal[0] + p.normal[1] + p.normal[2] + p.normal[3]);
            SPACE_NEAR("force", force, 4.0 * G * (BOXES - i),
                       (starts_from_zero((tr_method)method) ? 0.05 : 0.01) * 4.0 * G * (BOXES - i));
        }
        tr3_world_destroy(it.world);
    }
}

/* steps until the stack moves less than 1e-4 J for ten steps on end */
static int steps_to_rest(stack *it, bool cold)
{
    int still = 0, step = 0;
    while (step < 600 && still < 10) {
        it->fresh += cold;
        step_stack(it);
        still = energy_of(it) < 1e-4 ? still + 1 : 0;
        step++;
    }
    tr3_world_destroy(it->world);
    return step;
}

static void impulses_that_carry_over_make_piles_settle_sooner(void **state)
{
    (void)state;
    stack warm = make_stack(TR_SOFT_STEP), cold = make_stack(TR_SOFT_STEP);
    const int sooner = steps_to_rest(&warm, false), later = steps_to_rest(&cold, true);
    print_message("at rest after %d steps, and after %d if nothing carries over\n", sooner, later);
    assert_true(sooner < 120 && later > sooner + 20);
}

/* a body with more contacts than one copy takes is split; what lies on it lies still all the same, and weighs what it does */
static void plates_carry_many(void **state)
{
    (void)state;
    enum { SIDE = 8, BALLS = SIDE * SIDE };
    const tr_dvec3 half = {2.0, 0.1, 2.0};
    const double radius = 0.15;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        tr3_world *world = space_world((tr_method)method, (tr_vec3){0.0f, (float)-G, 0.0f}, 1);
        const space_plane floor = space_floor(world);
        const tr3_body plate = space_box(world, (tr_dvec3){0.0, half.y, 0.0}, half, 100.0);
        tr3_body ball[BALLS];
        for (int i = 0; i < BALLS; i++) {
            const double x = 0.45 * (i % SIDE - 3.5), z = 0.45 * (i / SIDE - 3.5);
            ball[i] = space_ball(world, (tr_dvec3){x, 2.0 * half.y + radius, z}, radius, 1.0);
        }
        for (int step = 0; step < (method == TR_DIRECT ? 10 : 120); step++) {
            tr3_contact_def defs[BALLS + 1];
            const space_plane top = space_top_of(world, plate, half);
            for (int i = 0; i < BALLS; i++) {
                defs[i] = space_ball_on(world, &top, ball[i], radius);
                defs[i].friction = 0.5f;
                defs[i].rolling_resistance = 0.001f;
            }
            defs[BALLS] = space_box_on(world, &floor, plate, half);
            defs[BALLS].friction = 0.5f;
            SPACE_OK(tr3_world_set_contacts(world, defs, BALLS + 1));
            SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
        }
        double sum = 0.0;
        for (uint32_t i = 0; i < BALLS; i++)
            sum += 240.0 * (double)space_impulse(world, i).normal[0];
        SPACE_NEAR(tr_method_name((tr_method)method), sum, BALLS * G, 0.02 * BALLS * G);
        const tr3_contact_impulse p = space_impulse(world, BALLS);
        const double force = 240.0 * (double)(p.normal[0] + p.normal[1] + p.normal[2] + p.normal[3]);
        SPACE_NEAR("floor", force, (100 + BALLS) * G, 0.03 * (100 + BALLS) * G);
        SPACE_NEAR("energy", tr3_world_measure(world).kinetic_energy, 0.0, 0.01);
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_slip_at_the_angle_of_friction_in_all_directions),
        cmocka_unit_test(balls_roll_without_slipping),
        cmocka_unit_test(spin_about_the_normal_dies_linearly),
        cmocka_unit_test(belts_carry),
        cmocka_unit_test(heights_of_bounces),
        cmocka_unit_test(newtons_cradle_counts),
        cmocka_unit_test(stacks_stand_still),
        cmocka_unit_test(plates_carry_many),
        cmocka_unit_test(impulses_that_carry_over_make_piles_settle_sooner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
