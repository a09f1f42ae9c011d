/*
 * Prints the tables of docs/collision.md about the sizes, gravities, masses and steps with which columns of ten boxes
 * stand: the least power of two of sub-steps that each needs. The same on every machine; takes minutes.
 */
#include <stdio.h>

#include "standing/standing.h"

enum { MOST_SUBSTEPS = 1024 };

/* with the default settings of contacts, then with stiff ones */
static void print_least(standing_column it)
{
    for (int stiff = 0; stiff < 2; stiff++) {
        it.stiff = stiff == 1;
        uint32_t least = standing_substeps(it, MOST_SUBSTEPS);
        if (least == 0)
            printf("%snone", stiff ? ", " : " | ");
        else
            printf("%s%u", stiff ? ", " : " | ", least);
    }
    fflush(stdout);
}

static void print_sizes(void)
{
    static const double sides[] = {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 1e3, 1e4};
    printf("| side, at 60 Hz and 9.81 m/s^2 | ten, `length_unit` 1 | ten, `length_unit` = side | three, the same |\n"
           "|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        standing_column it = standing_default();
        it.side = sides[i];
        printf("| %g m", sides[i]);
        print_least(it);
        it.unit = (float)sides[i];
        print_least(it);
        it.boxes = 3;
        print_least(it);
        printf(" |\n");
    }
}

static const double hertz[] = {30.0, 60.0, 240.0};
enum { HERTZ_COUNT = sizeof hertz / sizeof hertz[0] };

static void print_gravities(void)
{
    static const double gravities[] = {0.1, 1.0, 10.0, 100.0, 300.0, 1e3, 1e4, 1e5};
    printf("\n| gravity, boxes of 1 m | 30 Hz | 60 Hz | 240 Hz |\n|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof gravities / sizeof gravities[0]; i++) {
        printf("| %g m/s^2", gravities[i]);
        for (size_t k = 0; k < HERTZ_COUNT; k++) {
            standing_column it = standing_default();
            it.gravity = gravities[i];
            it.hertz = hertz[k];
            print_least(it);
        }
        printf(" |\n");
    }
}

static void print_masses(void)
{
    static const double heavier[] = {1e-6, 1e-3, 1.0, 10.0, 100.0, 300.0, 1e3, 1e4, 1e5, 1e6};
    printf("\n| topmost box, masses of each other | 30 Hz | 60 Hz | 240 Hz |\n|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof heavier / sizeof heavier[0]; i++) {
        printf("| %g", heavier[i]);
        for (size_t k = 0; k < HERTZ_COUNT; k++) {
            standing_column it = standing_default();
            it.top_heavier = heavier[i];
            it.hertz = hertz[k];
            print_least(it);
        }
        printf(" |\n");
    }
}

int main(void)
{
    print_sizes();
    print_gravities();
    print_masses();
    return 0;
}
