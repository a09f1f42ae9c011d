/*
 * Structures at rest: chains against the discrete catenary, a column of links, cantilevers. What a joint reports is the
 * force that statics asks of it.
 */
#include "physics.h"

#define LONGEST 100
#define PLACES  5 /* of a chain's left half are compared, evenly; all of a short one's */

/* where the joints of a hanging chain of N uniform links of 1 kg come to rest, from the balance of each link:
   tan(angle of link i) = m g (i - (N + 1) / 2) / H, with H such that the links span the supports */
typedef struct hanging_chain {
    uint32_t links;
    double length, span, pull;           /* of a link, m; between the supports, m; H, N */
    double x[PLACES + 1], y[PLACES + 1]; /* joints of the left half */
} hanging_chain;

static const hanging_chain hanging_chains[] = {
    {4, 1.0, 3.0, 10.7565350110143506, {0, 0.59013338043643, 1.5}, {0, -0.80730576196053, -1.2222066351868}},
    {10,
     1.0,
     8.0,
     33.0892370968332003,
     {0, 0.59977361453247, 1.2936971120389, 2.097086421158, 3.0108090691806, 4.0},
     {0, -0.80016973906207, -1.5202184732519, -2.1156726007825, -2.5220110342225, -2.6686442582364}},
    {20,
     0.5,
     6.0,
     32.0007302605558975,
     {0, 0.34152686328969, 0.76522013586098, 1.3137402964372, 2.05149802766, 3.0},
     {0, -0.93970271976348, -1.845092979794, -2.6799673172691, -3.3498817213253, -3.6345261606545}},
    {40,
     0.25,
     8.0,
     132.688255467470292,
     {0, 0.60141156822048, 1.2968613061341, 2.101058605709, 3.0138295898545, 4.0},
     {0.0, -0.79837958433127, -1.5158405871497, -2.1077907296806, -2.5104008908198, -2.6552586115597}},
    {100,
     0.1,
     5.0,
     112.637080480096758,
     {0, 0.24809522578658, 0.5614345705467, 0.98217943943969, 1.5961163227386, 2.5},
     {0.0, -0.96861311722669, -1.9179360188233, -2.8240293759946, -3.6076840997661, -3.9823122773743}},
};

/* N links from joint to joint; joint j holds link j to what is before it */
typedef struct chain {
    tr2_world *world;
    uint32_t links;
    tr2_body link[LONGEST];
    tr2_joint joint[LONGEST + 1];
} chain;

/* uniform links laid from (0, 0) along the angles given, the first one held to the ground */
static chain make_chain(tr2_joint_type type, uint32_t links, double length, double mass, const double *angle,
                        float frequency)
{
    chain c = {.world = world_of(G, frequency), .links = links};
    tr2_body before = static_at(c.world, 0, 0);
    double x = 0.0, y = 0.0;
    for (uint32_t i = 0; i < links; i++) {
        double half_x = 0.5 * length * cos(angle[i]), half_y = 0.5 * length * sin(angle[i]);
        c.link[i] = body_at(c.world, x + half_x, y + half_y, angle[i], mass, mass * length * length / 12.0);
        MUST(tr2_body_set_damping(c.world, c.link[i], 1.0f, 1.0f));
        tr_vec2 end = {i == 0 ? 0.0f : 0.5f * (float)length, 0.0f}, begin = {-0.5f * (float)length, 0.0f};
        c.joint[i] = join(c.world, joint_between(type, before, c.link[i], end, begin));
        before = c.link[i];
        x += 2.0 * half_x;
        y += 2.0 * half_y;
    }
    return c;
}

/* Long enough that damping of 1/s leaves nothing of the motion; then finely, with joints that are held at the same frequency:
   that rises in proportion with the sub-steps from 1,000 per second on. */
static void settle(chain *c, uint32_t seconds, float frequency)
{
    steps(c->world, 1.0 / 60.0, 8, 60 * seconds);
    MUST(tr2_world_set_joint_softness(c->world, frequency * 1000.0f / 1920.0f, 2.0f));
    steps(c->world, 1.0 / 60.0, 32, 240);
}

static tr_dvec2 end_of(const chain *c, uint32_t link, double length)
{
    tr2_body_def b = body_now(c->world, c->link[link]);
    tr_dvec2 end = {b.position.x + 0.5 * length * cos(b.angle), b.position.y + 0.5 * length * sin(b.angle)};
    return end;
}

/* as stiff as the sub-step allows: a row held at f Hz sags by F / (m (2 pi f)^2) under its load, which then is
   nothing */
#define STIFF 1e4f

/* how far a chain at rest is from the discrete catenary: the places that are compared, m, and forces over the
   largest */
typedef struct chain_errors {
    uint32_t places;
    tr_dvec2 place[2 * PLACES], force[LONGEST + 1];
} chain_errors;

static chain_errors hang_chain(const hanging_chain *h, float frequency)
{
    chain_errors e = {.places = 0};
    /* begins as a V of two straight halves */
    double angle[LONGEST], slope = acos(h->span / (h->links * h->length)), half = 0.5 * h->links;
    for (uint32_t i = 0; i < h->links; i++)
        angle[i] = i < h->links / 2 ? -slope : slope;
    chain c = make_chain(TR2_JOINT_REVOLUTE, h->links, h->length, 1.0, angle, frequency);
    tr_vec2 end = {0.5f * (float)h->length, 0.0f}, origin = {0.0f, 0.0f};
    c.joint[h->links] = revolute(c.world, c.link[h->links - 1], static_at(c.world, h->span, 0.0), end, origin);
    settle(&c, 20, frequency);
    uint32_t every = h->links > 2 * PLACES ? h->links / (2 * PLACES) : 1;
    for (uint32_t j = every; j < h->links; j += every) {
        tr_dvec2 at = end_of(&c, j - 1, h->length);
        bool left = j <= h->links / 2;
        uint32_t k = (left ? j : h->links - j) / every;
        e.place[e.places++] = (tr_dvec2){at.x - (left ? h->x[k] : h->span - h->x[k]), at.y - h->y[k]};
    }
    /* joint j pulls the link to its right towards the left support, and carries what the right half does not */
    double largest = hypot(h->pull, half * G);
    for (uint32_t j = 0; j <= h->links; j++) {
        tr2_reaction r = reaction_of(c.world, c.joint[j]);
        e.force[j].x = ((double)r.force.x + h->pull) / largest;
        e.force[j].y = ((double)r.force.y - G * (half - j)) / largest;
    }
    tr2_world_destroy(c.world);
    return e;
}

/*
 * Places: float has 1e-7 of a few metres, and a chain of N links held at 480 Hz rings by N times some micrometres,
 * which one sweep per sub-step does not damp out. Forces ring by 1e-3 of the largest.
 */
static void a_hanging_chain_is_the_discrete_catenary(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof hanging_chains / sizeof hanging_chains[0]; n++) {
        const hanging_chain *h = &hanging_chains[n];
        if (h->links > 20)
            continue;
        chain_errors e = hang_chain(h, STIFF);
        for (uint32_t i = 0; i < e.places; i++)
            NEAR("place of a joint", hypot(e.place[i].x, e.place[i].y), 0.0, 2e-5 * h->links);
        for (uint32_t j = 0; j <= h->links; j++)
            NEAR("force", hypot(e.force[j].x, e.force[j].y), 0.0, 2e-3);
    }
}

/*
 * Long chains ring at 480 Hz, and sag by decimetres at 60 Hz: each joint gives way by 3/4 F K / (2 pi f)^2. Twice the
 * frequency must leave a quarter of that, and then the two, extrapolated to joints that do not give way, are the
 * discrete catenary, to what is of the next order: the square of the strain, (0.17 m / 10 m)^2 of ten metres.
 */
static void long_chains_tend_to_the_catenary_as_joints_stiffen(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof hanging_chains / sizeof hanging_chains[0]; n++) {
        const hanging_chain *h = &hanging_chains[n];
        if (h->links <= 20)
            continue;
        chain_errors soft = hang_chain(h, 60.0f), stiff = hang_chain(h, 120.0f);
        for (uint32_t i = 0; i < stiff.places; i++) {
            NEAR("x extrapolated", (4.0 * stiff.place[i].x - soft.place[i].x) / 3.0, 0.0, 3e-3);
            NEAR("y extrapolated", (4.0 * stiff.place[i].y - soft.place[i].y) / 3.0, 0.0, 3e-3);
        }
        for (uint32_t j = 0; j <= h->links; j++) {
            NEAR("pull extrapolated", (4.0 * stiff.force[j].x - soft.force[j].x) / 3.0, 0.0, 1e-3);
            NEAR("weight extrapolated", (4.0 * stiff.force[j].y - soft.force[j].y) / 3.0, 0.0, 1e-3);
        }
        /* and there was something to extrapolate */
        assert_true(soft.place[PLACES - 1].y < -0.05 && stiff.place[PLACES - 1].y < -0.01);
    }
}

/* joint j of N links carries (N - j) m g, and with a heavy body M at the end M g more; at 60 Hz the column
   is quiet, and the sum is exact to float's rounding of the impulses of twenty links */
static void each_joint_of_a_column_carries_what_hangs_below(void **state)
{
    (void)state;
    enum { LINKS = 20 };
    for (int heavy = 0; heavy < 2; heavy++) {
        const double weight = heavy ? 100.0 * G : 0.0;
        double angle[LINKS];
        for (int i = 0; i < LINKS; i++)
            angle[i] = -0.5 * PI;
        chain c = make_chain(TR2_JOINT_REVOLUTE, LINKS, 1.0, 1.0, angle, 60.0f);
        tr2_body ball = body_at(c.world, 0.0, -(double)LINKS, 0.0, heavy ? 100.0 : 1.0, 10.0);
        if (heavy)
            (void)revolute(c.world, c.link[LINKS - 1], ball, (tr_vec2){0.5f, 0}, (tr_vec2){0, 0});
        settle(&c, 10, 60.0f);
        /* damping carries a little of a body that one sweep leaves with a speed of g h */
        for (uint32_t i = 0; i < c.links; i++)
            MUST(tr2_body_set_damping(c.world, c.link[i], 0.0f, 0.0f));
        steps(c.world, 1.0 / 60.0, 32, 240);
        for (uint32_t j = 0; j < c.links; j++) {
            tr2_reaction r = reaction_of(c.world, c.joint[j]);
            NEAR("weight", (double)r.force.y, G * (c.links - j) + weight, 0.01);
            NEAR("sideways", (double)r.force.x, 0.0, 0.01);
            assert_true(r.torque == 0.0f && r.spring == 0.0f && r.motor == 0.0f && r.lower == 0.0f && r.upper == 0.0f);
        }
        tr2_world_destroy(c.world);
    }
}

/*
 * Links of 1 m and 1 kg welded in a row to a wall: weld j holds (N - j) m g and the moment m g l (N - j)^2 / 2. One
 * sweep per sub-step leaves the welds off balance by some thousandths of the largest moment; what the welds give way
 * under it, M (iA + iB) / (2 pi f)^2 or 6e-4 rad at the wall, sums up to a tip 14 mm low.
 */
static void welds_of_a_cantilever_hold_force_and_moment(void **state)
{
    (void)state;
    const uint32_t links = 8;
    const double level[LONGEST] = {0.0};
    chain c = make_chain(TR2_JOINT_WELD, links, 1.0, 1.0, level, STIFF);
    settle(&c, 4, STIFF);
    steps(c.world, 1.0 / 60.0, 32, 240);
    for (uint32_t j = 0; j < links; j++) {
        tr2_reaction r = reaction_of(c.world, c.joint[j]);
        double n = links - j;
        NEAR("force", (double)r.force.y, n * G, 0.003 * links * G);
        NEAR("sideways", (double)r.force.x, 0.0, 0.003 * links * G);
        NEAR("moment", (double)r.torque, 0.5 * G * n * n, 0.004 * 0.5 * G * links * links);
        assert_true(error_of(c.world, c.joint[j]).angular < 1e-3f);
    }
    NEAR("tip", end_of(&c, links - 1, 1.0).y, 0.0, 0.02);
    tr2_world_destroy(c.world);
}

/*
 * The same with an angular spring of k N m/rad in every joint: the angles of balance k (a_j - a_(j-1)) = -M_j, by
 * Newton's method. One sweep of stiff springs per sub-step is not quite balanced while links still creep: a thousandth
 * of the tip.
 */
static void a_springy_cantilever_bends_as_statics_says(void **state)
{
    (void)state;
    static const struct {
        uint32_t links;
        double length; /* of a link of as many kilograms, m */
        float k;
        double tip_x, tip_y, first, last;
    } truth[] = {
        {8, 1.0, 2000.0f, 7.41693563123675068, -2.87559339151380935, -0.14836126480385, -0.46344286396765},
        {8, 1.0, 20000.0f, 7.99315966388159022, -0.317482640476515209, -0.015685986080096, -0.049987814119768},
        {16, 0.5, 40000.0f, 7.99442793527778539, -0.283240318998980814, -0.0078440503918655, -0.045828746061952},
    };
    for (size_t n = 0; n < sizeof truth / sizeof truth[0]; n++) {
        const uint32_t links = truth[n].links;
        const double level[LONGEST] = {0.0};
        chain c = make_chain(TR2_JOINT_WELD, links, truth[n].length, truth[n].length, level, STIFF);
        for (uint32_t j = 0; j < links; j++) {
            tr2_joint_def def;
            MUST(tr2_joint_get(c.world, c.joint[j], &def));
            def.angular = tr_physical(truth[n].k, 50.0f);
            MUST(tr2_joint_set(c.world, c.joint[j], &def));
        }
        /* from the start: at 8 sub-steps one sweep does not hold 16 links so stiff, and they break into a flutter */
        steps(c.world, 1.0 / 60.0, 32, 1200);
        tr_dvec2 tip = end_of(&c, links - 1, truth[n].length);
        NEAR("first angle", body_now(c.world, c.link[0]).angle, truth[n].first, 0.002 * fabs(truth[n].first));
        NEAR("last angle", body_now(c.world, c.link[links - 1]).angle, truth[n].last, 0.002 * fabs(truth[n].last));
        NEAR("tip x", tip.x, truth[n].tip_x, 2e-3);
        NEAR("tip y", tip.y, truth[n].tip_y, 0.002 * fabs(truth[n].tip_y));
        /* the spring's moment is in the reaction: k times the angle, at the wall */
        tr2_reaction r = reaction_of(c.world, c.joint[0]);
        NEAR("moment", (double)r.torque, -(double)truth[n].k * truth[n].first,
             0.005 * (double)truth[n].k * fabs(truth[n].first));
        tr2_world_destroy(c.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_chain_is_the_discrete_catenary),
        cmocka_unit_test(long_chains_tend_to_the_catenary_as_joints_stiffen),
        cmocka_unit_test(each_joint_of_a_column_carries_what_hangs_below),
        cmocka_unit_test(welds_of_a_cantilever_hold_force_and_moment),
        cmocka_unit_test(a_springy_cantilever_bends_as_statics_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
