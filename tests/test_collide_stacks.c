/*
 * Stacks of shapes that stand: what the world finds by itself carries piles as well as a host's contacts do
 * (test_physics_stacks.c), at the default of 4 sub-steps of 1/60 s. No engine's numbers are needed: rigid boxes that
 * carry their load inside their base stand for ever. Overlaps are measured by geometry alone.
 */
#include "physics.h"

#include "overlaps.h"

#define DT (1.0 / 60.0)

/* what a pile must keep to */
typedef struct bounds {
    double seconds;
    double aside, sunk, turned; /* m, m and rad from where each body was set: no body leaves its place */
    double lean;                /* m, that the bodies of a height have gone aside in the mean */
    double overlap;             /* m, after the first second */
    double energy;              /* J, in the last second */
} bounds;

typedef struct stand {
    tr2_scene *scene;
    tr2_world *world;
    tr2_body *ids;
    tr2_transform *first, *now;
} stand;

static stand stand_of(const char *kind, uint32_t size)
{
    stand it = {0};
    MUST(tr2_scene_generate(kind, size, &it.scene, NULL));
    tr2_world_def def = tr2_scene_world_def(it.scene);
    def.threads = 1;
    MUST(tr2_world_create(&def, &it.world, NULL));
    uint32_t count = it.scene->body_count;
    it.ids = calloc(count, sizeof *it.ids);
    it.first = calloc(count, sizeof *it.first);
    it.now = calloc(count, sizeof *it.now);
    assert_true(it.ids != NULL && it.first != NULL && it.now != NULL);
    MUST(tr2_scene_build(it.scene, it.world, it.ids, NULL, NULL));
    MUST(tr2_world_get_transforms(it.world, it.ids, count, it.first));
    return it;
}

static void stand_free(stand *it)
{
    tr2_world_destroy(it->world);
    tr2_scene_destroy(it->scene);
    free(it->ids);
    free(it->first);
    free(it->now);
}

/* The greatest mean of how far bodies of one height have come: what spreads to both sides does not lean. */
static double lean_of(const stand *it)
{
    double most = 0.0;
    for (uint32_t i = 0; i < it->scene->body_count; i++) {
        double sum = 0.0, count = 0.0;
        for (uint32_t k = 0; k < it->scene->body_count; k++) {
            bool level = it->first[k].position.y == it->first[i].position.y;
            sum += level ? it->now[k].position.x - it->first[k].position.x : 0.0;
            count += level;
        }
        most = fmax(most, fabs(sum / count));
    }
    return most;
}

static void stands(const char *kind, uint32_t size, bounds most)
{
    stand it = stand_of(kind, size);
    double energy = 0.0, deep = 0.0, aside = 0.0, sunk = 0.0, turned = 0.0;
    int count = TRIALS((int)(most.seconds / DT + 0.5));
    for (int i = 0; i < count; i++) {
        steps(it.world, DT, 4, 1);
        if (i >= 60 && (i % 60 == 0 || count - i <= 4))
            deep = fmax(deep, deepest_overlap(it.world).depth);
        if (i >= count - 60)
            energy = fmax(energy, tr2_world_measure(it.world).kinetic_energy);
    }
    MUST(tr2_world_get_transforms(it.world, it.ids, it.scene->body_count, it.now));
    for (uint32_t i = 0; i < it.scene->body_count; i++) {
        aside = fmax(aside, fabs(it.now[i].position.x - it.first[i].position.x));
        sunk = fmax(sunk, fabs(it.now[i].position.y - it.first[i].position.y));
        turned = fmax(turned, fabs(it.now[i].angle - it.first[i].angle));
    }
    double lean = lean_of(&it);
    stand_free(&it);
    NEAR(kind, aside, 0.0, most.aside);
    NEAR(kind, lean, 0.0, most.lean);
    NEAR(kind, sunk, 0.0, most.sunk);
    NEAR(kind, turned, 0.0, most.turned);
    NEAR(kind, deep, 0.0, most.overlap);
    if (TRIALS(60) == 60) /* it settles within the whole time */
        NEAR(kind, energy, 0.0, most.energy);
}

/* The bounds of how far a pile sinks and overlaps are those of the soft push, p K/(h omega^2) for what a contact
   carries (docs/contacts.md), summed over the height; half as much again while it settles. */
static void a_pyramid_of_forty_rows_stands(void **state)
{
    (void)state;
    stands("pyramid", 40, (bounds){60.0, 0.02, 0.1, 0.01, 0.005, 0.008, 1e-6});
}

/* Sixteen seconds are enough to see it swing, which is what pyramids did that did not stand; the minute is run by hand
   with TR_STACK_SECONDS=60. */
static void a_pyramid_of_a_hundred_rows_stands(void **state)
{
    (void)state;
    /* it swings with 500 J then, and with 15 J after 5 s as it should; symmetric as it is, it may spread but not
       lean */
    const char *text = getenv("TR_STACK_SECONDS");
    double seconds = text != NULL ? strtod(text, NULL) : 16.0;
    /* while it swings it goes farther */
    bool settled = seconds >= 16.0 && TRIALS(60) == 60;
    stands("pyramid", 100,
           (bounds){seconds, settled ? 0.03 : 0.06, 0.5, 0.01, settled ? 0.01 : 0.03, 0.02,
                    seconds < 16.0   ? 1e3
                    : seconds < 60.0 ? 2.0
                                     : 1e-3});
}

/* upside down: the top is ten times as heavy as the foot, and all the heavy ones ride on the light */
static void a_column_that_grows_heavier_upwards_stands(void **state)
{
    (void)state;
    stands("column", 20, (bounds){60.0, 0.1, 0.25, 0.02, 0.1, 0.04, 1e-2});
}

/* of forty layers: three short blocks, then a long one across them */
static void a_tower_of_layers_stands(void **state)
{
    (void)state;
    stands("tower", 40, (bounds){60.0, 0.1, 0.3, 0.02, 0.1, 0.015, 1e-2});
}

/* five storeys of cards that fall into place by 1 or 2 cm each; 1e-9 J is 1 mm/s of one card */
static void a_house_of_cards_stands(void **state)
{
    (void)state;
    stands("cards", 5, (bounds){60.0, 0.03, 0.1, 0.1, 0.02, 0.004, 1e-9});
}

/* Stones begin without thrust, so that those beside the crown slip until the arch holds: by 15 to 18 cm with any number
   of sub-steps from 4 to 32, at 60 and at 240 Hz. */
static void an_arch_stands(void **state)
{
    (void)state;
    stands("arch", 4, (bounds){60.0, 0.1, 0.25, 0.02, 0.03, 0.01, 1e-6});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pyramid_of_forty_rows_stands),
        cmocka_unit_test(a_pyramid_of_a_hundred_rows_stands),
        cmocka_unit_test(a_column_that_grows_heavier_upwards_stands),
        cmocka_unit_test(a_tower_of_layers_stands),
        cmocka_unit_test(a_house_of_cards_stands),
        cmocka_unit_test(an_arch_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
