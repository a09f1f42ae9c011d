/*
 * Structures at rest: chains against the discrete catenary, a column of links, cantilevers. What a joint reports is the
 * force that statics asks of it.
 */
#include "physics.h"

#define LONGEST 20

/* where the joints of a hanging chain of N uniform links of 1 kg come to rest, from the balance of each link:
   tan(angle of link i) = m g (i - (N + 1) / 2) / H, with H such that the links span the supports */
typedef struct hanging_chain {
    uint32_t links;
    double length, span, pull;                     /* of a link, m; between the supports, m; H, N */
    double x[LONGEST / 2 + 1], y[LONGEST / 2 + 1]; /* joints of the left half */
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
};

/* N links from joint to joint; joint j holds link j to what is before it */
typedef struct chain {
    tr2_world *world;
    uint32_t links;
    tr2_body link[LONGEST];
    tr2_joint joint[LONGEST + 1];
} chain;

/* uniform links of 1 kg laid from (0, 0) along the angles given, the first one held to the ground */
static chain make_chain(tr2_joint_type type, uint32_t links, double length, const double *angle, float frequency)
{
    chain c = {.world = world_of(G, frequency), .links = links};
    tr2_body before = static_at(c.world, 0, 0);
    double x = 0.0, y = 0.0;
    for (uint32_t i = 0; i < links; i++) {
        double half_x = 0.5 * length * cos(angle[i]), half_y = 0.5 * length * sin(angle[i]);
        c.link[i] = body_at(c.world, x + half_x, y + half_y, angle[i], 1.0, length * length / 12.0);
        MUST(tr2_body_set_damping(c.world, c.link[i], 1.0f, 1.0f));
        tr_vec2 end = {i == 0 ? 0.0f : 0.5f * (float)length, 0.0f}, begin = {-0.5f * (float)length, 0.0f};
        c.joint[i] = join(c.world, joint_between(type, before, c.link[i], end, begin));
        before = c.link[i];
        x += 2.0 * half_x;
        y += 2.0 * half_y;
    }
    return c;
}

/* long enough that damping of 1/s leaves nothing of the motion; then finely, so that softness leaves no sag */
static void settle(chain *c, uint32_t seconds)
{
    steps(c->world, 1.0 / 60.0, 8, 60 * seconds);
    steps(c->world, 1.0 / 60.0, 32, 240);
}

static tr_dvec2 end_of(const chain *c, uint32_t link, double length)
{
    tr2_body_def b = body_now(c->world, c->link[link]);
    tr_dvec2 end = {b.position.x + 0.5 * length * cos(b.angle), b.position.y + 0.5 * length * sin(b.angle)};
    return end;
}

/* as stiff as the sub-step allows: a row held at f Hz sags by F / (m (2 pi f)^2) under its load, which then is nothing */
#define STIFF 1e4f

/*
 * Places: float has 1e-7 of a few metres, and a chain of N links held at 480 Hz rings by N times some micrometres, which
 * one sweep per sub-step does not damp out. Forces ring by 1e-3 of the largest.
 */
static void a_hanging_chain_is_the_discrete_catenary(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof hanging_chains / sizeof hanging_chains[0]; n++) {
        const hanging_chain *h = &hanging_chains[n];
        /* begins as a V of two straight halves */
        double angle[LONGEST], slope = acos(h->span / (h->links * h->length));
        for (uint32_t i = 0; i < h->links; i++)
            angle[i] = i < h->links / 2 ? -slope : slope;
        chain c = make_chain(TR2_REVOLUTE, h->links, h->length, angle, STIFF);
        tr_vec2 end = {0.5f * (float)h->length, 0.0f}, origin = {0.0f, 0.0f};
        c.joint[h->links] = revolute(c.world, c.link[h->links - 1], static_at(c.world, h->span, 0.0), end, origin);
        settle(&c, 20);

        uint32_t every = h->links > 10 ? 2 : 1;
        for (uint32_t j = every; j < h->links; j += every) {
            tr_dvec2 at = end_of(&c, j - 1, h->length);
            bool left = j <= h->links / 2;
            uint32_t k = (left ? j : h->links - j) / every;
            NEAR("x of a joint", at.x, left ? h->x[k] : h->span - h->x[k], 2e-5 * h->links);
            NEAR("y of a joint", at.y, h->y[k], 2e-5 * h->links);
        }
        /* joint j pulls the link to its right towards the left support, and carries what the right half does not */
        double largest = hypot(h->pull, 0.5 * h->links * G);
        for (uint32_t j = 0; j <= h->links; j++) {
            tr2_reaction r = reaction_of(c.world, c.joint[j]);
            NEAR("horizontal pull", (double)r.force.x, -h->pull, 1.5e-3 * largest);
            NEAR("vertical pull", (double)r.force.y, G * (0.5 * h->links - j), 1.5e-3 * largest);
        }
        tr2_world_destroy(c.world);
    }
}

/* joint j of N links carries (N - j) m g; at the default 60 Hz the column is quiet, and the sum is exact to float's
   rounding of the impulses of twenty links */
static void each_joint_of_a_column_carries_what_hangs_below(void **state)
{
    (void)state;
    double angle[LONGEST];
    for (int i = 0; i < LONGEST; i++)
        angle[i] = -0.5 * PI;
    chain c = make_chain(TR2_REVOLUTE, LONGEST, 1.0, angle, 60.0f);
    settle(&c, 10);
    /* damping carries a little of a body that one sweep leaves with a speed of g h */
    for (uint32_t i = 0; i < c.links; i++)
        MUST(tr2_body_set_damping(c.world, c.link[i], 0.0f, 0.0f));
    steps(c.world, 1.0 / 60.0, 32, 240);
    for (uint32_t j = 0; j < c.links; j++) {
        tr2_reaction r = reaction_of(c.world, c.joint[j]);
        NEAR("weight", (double)r.force.y, G * (c.links - j), 0.01);
        NEAR("sideways", (double)r.force.x, 0.0, 0.01);
        assert_true(r.torque == 0.0f && r.spring == 0.0f && r.motor == 0.0f && r.lower == 0.0f && r.upper == 0.0f);
    }
    tr2_world_destroy(c.world);
}

/*
 * Links of 1 m and 1 kg welded in a row to a wall: weld j holds (N - j) m g and the moment m g l (N - j)^2 / 2. One sweep
 * per sub-step leaves the welds off balance by some thousandths of the largest moment; what the welds give way under it,
 * M (iA + iB) / (2 pi f)^2 or 6e-4 rad at the wall, sums up to a tip 14 mm low.
 */
static void welds_of_a_cantilever_hold_force_and_moment(void **state)
{
    (void)state;
    const uint32_t links = 8;
    const double level[LONGEST] = {0.0};
    chain c = make_chain(TR2_WELD, links, 1.0, level, STIFF);
    settle(&c, 4);
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
 * The same with an angular spring of k N m/rad in every joint: the angles of balance k (a_j - a_(j-1)) = -M_j, by Newton's
 * method. One sweep of stiff springs per sub-step is not quite balanced while links still creep: a thousandth of the tip.
 */
static void a_springy_cantilever_bends_as_statics_says(void **state)
{
    (void)state;
    static const struct {
        float k;
        double tip_x, tip_y, first, last;
    } truth[] = {
        {2000.0f, 7.41693563123675068, -2.87559339151380935, -0.14836126480385, -0.46344286396765},
        {20000.0f, 7.99315966388159022, -0.317482640476515209, -0.015685986080096, -0.049987814119768},
    };
    for (size_t n = 0; n < sizeof truth / sizeof truth[0]; n++) {
        const uint32_t links = 8;
        const double level[LONGEST] = {0.0};
        chain c = make_chain(TR2_WELD, links, 1.0, level, STIFF);
        for (uint32_t j = 0; j < links; j++) {
            tr2_joint_def def;
            MUST(tr2_joint_get(c.world, c.joint[j], &def));
            def.angular = tr_physical(truth[n].k, 50.0f);
            MUST(tr2_joint_set(c.world, c.joint[j], &def));
        }
        settle(&c, 10);
        tr_dvec2 tip = end_of(&c, links - 1, 1.0);
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
        cmocka_unit_test(each_joint_of_a_column_carries_what_hangs_below),
        cmocka_unit_test(welds_of_a_cantilever_hold_force_and_moment),
        cmocka_unit_test(a_springy_cantilever_bends_as_statics_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
