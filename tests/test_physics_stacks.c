/*
 * Stacks that stand: piles of boxes as a host gives them, at the default of 4 sub-steps of 1/60 s, come to rest and
 * stay. No engine's numbers are needed: rigid boxes that carry their load inside their base stand for ever.
 */
#include "piles.h"

#define DT (1.0 / 60.0)

static pile pile_on_ground(float friction)
{
    pile p = {.world = world_of(10.0, 60.0f), .friction = friction};
    (void)pile_add_box(&p, 0.0, -1.0, 200.0, 1.0, 0.0, 0.0);
    return p;
}

/* what a pile must keep to */
typedef struct bounds {
    double seconds;
    double aside, turned; /* m and rad from where each body was set: no body leaves its place */
    double overlap;       /* m, after the first second */
    double energy;        /* J, in the last second */
} bounds;

static void stands(const char *what, pile *p, bounds most)
{
    tr2_transform *first = calloc(p->count, sizeof *first);
    assert_non_null(first);
    MUST(tr2_world_get_transforms(p->world, p->ids, p->count, first));
    double energy = 0.0, overlap = 0.0;
    int count = (int)(most.seconds / DT + 0.5);
    for (int i = 0; i < count; i++) {
        double deepest = pile_step(p, DT, 4);
        if (i >= 60)
            overlap = fmax(overlap, deepest);
        if (i >= count - 60)
            energy = fmax(energy, tr2_world_measure(p->world).kinetic_energy);
    }
    double aside = 0.0, turned = 0.0;
    for (uint32_t i = 0; i < p->count; i++) {
        aside = fmax(aside, fabs(p->now[i].position.x - first[i].position.x));
        turned = fmax(turned, fabs(p->now[i].angle - first[i].angle));
    }
    free(first);
    pile_free(p);
    NEAR(what, aside, 0.0, most.aside);
    NEAR(what, turned, 0.0, most.turned);
    NEAR(what, overlap, 0.0, most.overlap);
    NEAR(what, energy, 0.0, most.energy);
}

/* a column of boxes of 1 m, each a little beside the one below, of the given densities at the foot and at the top */
static pile column(int count, double foot, double top)
{
    pile p = pile_on_ground(0.6f);
    for (int i = 0; i < count; i++)
        (void)pile_add_box(&p, 0.01 * (i % 3), 0.5 + i, 0.5, 0.5, 0.0, foot + (top - foot) * i / (count - 1));
    return p;
}

/* The boxes at the foot carry a hundred times their weight. Pushed with an impulse per sub-step they overlap by what
   the soft push needs, 31 mm under all of it (docs/contacts.md), and by half more while the column settles. */
static void a_column_of_a_hundred_boxes_stands(void **state)
{
    (void)state;
    pile p = column(100, 1.0, 1.0);
    stands("column", &p, (bounds){60.0, 0.15, 0.01, 0.05, 1e-3});
}

/* upside down: the top is ten times as heavy as the foot, and all the heavy ones ride on the light */
static void a_column_that_grows_heavier_upwards_stands(void **state)
{
    (void)state;
    pile p = column(20, 1.0, 10.0);
    stands("upside down", &p, (bounds){60.0, 0.15, 0.02, 0.035, 1e-2});
}

/* and as badly as can be: the lower ten carry ten that are ten times as heavy */
static void a_column_of_ten_light_boxes_carries_ten_heavy_ones(void **state)
{
    (void)state;
    pile p = pile_on_ground(0.6f);
    for (int i = 0; i < 20; i++)
        (void)pile_add_box(&p, 0.01 * (i % 3), 0.5 + i, 0.5, 0.5, 0.0, i < 10 ? 1.0 : 10.0);
    stands("ten on ten", &p, (bounds){60.0, 0.15, 0.02, 0.04, 1e-2});
}

static void a_pyramid_of_forty_rows_stands(void **state)
{
    (void)state;
    pile p = pile_on_ground(0.6f);
    for (int i = 0; i < 40; i++)
        for (int j = i; j < 40; j++)
            (void)pile_add_box(&p, 0.5 * (i + 1) + (j - i) - 20.0, i + 0.5, 0.5, 0.5, 0.0, 1.0);
    stands("pyramid", &p, (bounds){20.0, 0.05, 0.01, 0.006, 1e-3});
}

/* of forty layers: three short blocks, then a long one across them */
static void a_tower_of_layers_stands(void **state)
{
    (void)state;
    pile p = pile_on_ground(0.6f);
    for (int i = 0; i < 40; i++) {
        double y = 0.15 + 0.3 * i;
        if (i % 2 == 1)
            (void)pile_add_box(&p, 0.0, y, 0.75, 0.15, 0.0, 1.0);
        for (int k = -1; k <= 1 && i % 2 == 0; k++)
            (void)pile_add_box(&p, 0.5 * k, y, 0.249, 0.15, 0.0, 1.0);
    }
    stands("tower", &p, (bounds){60.0, 0.1, 0.02, 0.015, 1e-2});
}

/* Five storeys of cards of 40 cm and 2 mm, leaning by 25 degrees, that fall into place by 1 or 2 cm. After Box2D's
   sample. */
static void a_house_of_cards_stands(void **state)
{
    (void)state;
    pile p = pile_on_ground(0.7f);
    const double half = 0.2, thick = 0.001, lean = 25.0 * PI / 180.0;
    double y = half - 0.02, left = 0.0;
    for (int storey = 5; storey > 0; storey--) {
        double x = left;
        for (int i = 0; i < storey; i++) {
            if (i + 1 < storey)
                (void)pile_add_box(&p, x + 0.25, y + half - 0.015, thick, half, 0.5 * PI, 1.0);
            (void)pile_add_box(&p, x, y, thick, half, -lean, 1.0);
            (void)pile_add_box(&p, x + 0.175, y, thick, half, lean, 1.0);
            x += 0.35;
        }
        y += 2.0 * half - 0.03;
        left += 0.175;
    }
    /* nothing of it weighs more than a gram: 1e-9 J is 1 mm/s of one card */
    stands("cards", &p, (bounds){20.0, 0.03, 0.1, 0.004, 1e-9});
}

/* Stones along a catenary, without which their thrust would leave them. After Box2D's sample. */
static void an_arch_stands(void **state)
{
    (void)state;
    static const double inner[9][2] =
        {{16, 0},           {14.9380, 5.1336}, {13.7987, 10.2493}, {12.5625, 15.3411}, {11.2004, 20.3986},
         {9.6652, 25.4037}, {7.8718, 30.3179}, {5.6352, 35.0382},  {2.4059, 39.0955}},
                        outer[9][2] = {{24, 0},
                                       {22.3362, 6.0230},
                                       {20.5494, 12.0096},
                                       {18.6085, 17.9470},
                                       {16.4677, 23.8137},
                                       {14.0533, 29.5708},
                                       {11.2355, 35.1378},
                                       {7.7526, 40.3045},
                                       {3.0169, 44.2889}};
    const double scale = 0.25;
    pile p = pile_on_ground(0.6f);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < 8; i++) {
            const double *ring[4] = {inner[i], outer[i], outer[i + 1], inner[i + 1]};
            tr_dvec2 corners[4];
            for (int k = 0; k < 4; k++)
                corners[side > 0 ? k : 3 - k] = (tr_dvec2){side * scale * ring[k][0], scale * ring[k][1]};
            (void)pile_add(&p, corners, 4, 1.0);
        }
    }
    tr_dvec2 key[4] = {{-scale * inner[8][0], scale * inner[8][1]},
                       {scale * inner[8][0], scale * inner[8][1]},
                       {scale * outer[8][0], scale * outer[8][1]},
                       {-scale * outer[8][0], scale * outer[8][1]}};
    (void)pile_add(&p, key, 4, 1.0);
    for (int i = 0; i < 4; i++)
        (void)pile_add_box(&p, 0.0, 0.5 + scale * outer[8][1] + i, 2.0, 0.5, 0.0, 1.0);
    stands("arch", &p, (bounds){20.0, 0.1, 0.02, 0.01, 1e-6});
}

/* Within a twentieth of a radian a kept contact goes on pushing along its old normal, beyond it along the new one; a
   contact whose points are others follows at once. Without friction nothing else pushes sideways. */
static void a_normal_stays_while_it_turns_little(void **state)
{
    (void)state;
    static const struct {
        double turn;
        uint32_t id;
        bool follows;
    } cases[] = {{0.0, 0, false}, {0.04, 0, false}, {-0.04, 0, false},
                 {0.06, 0, true}, {-0.06, 0, true}, {0.04, 7, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        pile p = pile_on_ground(0.0f);
        uint32_t box = pile_add_box(&p, 0.0, 0.5, 0.5, 0.5, 0.0, 1.0);
        for (int i = 0; i < 10; i++)
            (void)pile_step(&p, DT, 4);
        (void)pile_find(&p);
        assert_int_equal(p.contact_count, 1);
        p.defs[0].normal = (tr_vec2){(float)sin(cases[k].turn), (float)cos(cases[k].turn)};
        p.defs[0].point_id[0] += cases[k].id;
        MUST(tr2_world_set_contacts(p.world, p.defs, 1));
        steps(p.world, DT, 4, 1);
        /* g/60 in the step, tan(turn) of it to the side */
        double aside = (double)body_now(p.world, p.ids[box]).velocity.x, want = 10.0 * DT * tan(cases[k].turn);
        NEAR("speed to the side", aside, cases[k].follows ? want : 0.0, cases[k].follows ? 0.2 * fabs(want) : 1e-7);
        pile_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_of_a_hundred_boxes_stands),
        cmocka_unit_test(a_column_that_grows_heavier_upwards_stands),
        cmocka_unit_test(a_column_of_ten_light_boxes_carries_ten_heavy_ones),
        cmocka_unit_test(a_normal_stays_while_it_turns_little),
        cmocka_unit_test(a_pyramid_of_forty_rows_stands),
        cmocka_unit_test(a_tower_of_layers_stands),
        cmocka_unit_test(a_house_of_cards_stands),
        cmocka_unit_test(an_arch_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
