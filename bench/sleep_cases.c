/*
 * Sleep: steps of a thousand bodies that are awake, alone and beside many that sleep; and what an island takes that
 * wakes and falls asleep again. One thread. CPU time, because what is measured is short.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DT 0.016666666666666666

/* boxes per stack; steps until all that may sleep do, and at most */
enum { STACK_AWAKE = 10, STACK_ASLEEP = 5, SETTLE = 120, SETTLE_MOST = 2400 };

typedef enum sleep_kind { STACKS, DISCS, WAKE, PYRAMID, SLEEP_KINDS } sleep_kind;
static const char *const kind_names[SLEEP_KINDS] = {"stacks", "discs", "wake", "pyramid"};

typedef struct sleep_setting {
    sleep_kind kind;
    uint32_t awake, asleep;
} sleep_setting;

typedef struct sleep_state {
    tr2_world *world;
    tr2_body first; /* of those that sleep */
    bool good;
    double least; /* s */
} sleep_state;

static tr2_body add_body(sleep_state *it, tr_body_type type, double x, double y, bool sleeps)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id = {0, 0, 0};
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.allow_sleep = sleeps;
    def.awake = !sleeps;
    it->good = it->good && tr2_world_create_body(it->world, &def, &id) == TR_OK;
    return id;
}

static void add_shape(sleep_state *it, tr2_shape_def def)
{
    it->good = it->good && tr2_world_create_shape(it->world, &def, NULL) == TR_OK;
}

static void add_box(sleep_state *it, tr_body_type type, double x, double y, float half_x, float half_y, bool sleeps)
{
    tr2_body id = add_body(it, type, x, y, sleeps);
    if (sleeps && it->first.index == 0 && type == TR_DYNAMIC)
        it->first = id;
    add_shape(it, tr2_box_on(id, half_x, half_y));
}

/* floors of a kilometre each, so that contacts are as exact everywhere */
static void add_floors(sleep_state *it, double left, double right)
{
    const uint32_t count = (uint32_t)ceil((right - left) / 1000.0);
    for (uint32_t i = 0; i < count; i++)
        add_box(it, TR_STATIC, left + 1000.0 * i + 500.0, -0.5, 500.0f, 0.5f, true);
}

static void add_stacks(sleep_state *it, uint32_t count, uint32_t each, double from, bool sleep)
{
    for (uint32_t i = 0; i < count; i++)
        add_box(it, TR_DYNAMIC, from + 2.0 * (i / each), 0.5 + 0.999 * (i % each), 0.5f, 0.5f, sleep);
}

/* rows of boxes, each shorter by one than the one below */
static void add_pyramid(sleep_state *it, uint32_t count)
{
    uint32_t row = 0, wide = 1, left = count;
    while (wide * (wide + 1) / 2 < count)
        wide++;
    for (; left > 0; row++, wide--) {
        for (uint32_t i = 0; i < wide && left > 0; i++, left--)
            add_box(it, TR_DYNAMIC, i + 0.5 * row, 0.5 + row, 0.5f, 0.5f, true);
    }
}

/* elastic discs in a yard, whose contacts come and go */
static void add_discs(sleep_state *it, uint32_t count)
{
    enum { ACROSS = 32 };
    add_box(it, TR_STATIC, -0.5, 0.0, 0.5f, 200.0f, true);
    add_box(it, TR_STATIC, 1.2 * ACROSS + 1.5, 0.0, 0.5f, 200.0f, true);
    for (uint32_t i = 0; i < count; i++) {
        tr2_body id = add_body(it, TR_DYNAMIC, 1.0 + 1.2 * (i % ACROSS), 1.0 + 1.5 * (i / ACROSS), false);
        tr2_shape_def disc = tr2_circle_on(id, (tr_vec2){0.0f, 0.0f}, 0.4f);
        disc.surface.restitution = 1.0f;
        add_shape(it, disc);
        tr_vec2 velocity = {(float)(i * 37 % 11) - 5.0f, (float)(i * 17 % 7) - 3.0f};
        it->good = it->good && tr2_body_set_velocity(it->world, id, velocity, 0.0f) == TR_OK;
    }
}

static void begin(bench_run *run)
{
    const sleep_setting *setting = run->of->setting;
    sleep_state *it = calloc(1, sizeof *it);
    run->state = it;
    if (it == NULL) {
        bench_fail(run, "out of memory");
        return;
    }
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.sleep.enable = true;
    it->good = tr2_world_create(&def, &it->world, NULL) == TR_OK;
    double width = 2.0 * (setting->asleep / STACK_ASLEEP) + 2000.0;
    add_floors(it, -width, 2000.0);
    if (setting->kind == PYRAMID)
        add_pyramid(it, setting->asleep);
    else
        add_stacks(it, setting->asleep, setting->kind == WAKE ? setting->asleep : STACK_ASLEEP, 1000.0 - width, true);
    if (setting->kind == DISCS)
        add_discs(it, setting->awake);
    else
        add_stacks(it, setting->awake, STACK_AWAKE, 0.0, false);
    uint32_t most = setting->kind == PYRAMID ? SETTLE_MOST : SETTLE;
    /* what is awake goes on from the same step alone and beside what sleeps */
    bool compared = setting->awake > 0 && setting->kind != WAKE;
    for (uint32_t i = 0;
         i < most && it->good && (compared || tr2_world_statistics(it->world).sleeping_bodies < setting->asleep); i++)
        it->good = tr2_world_step(it->world, DT, 4) == TR_OK;
    if (setting->kind == WAKE && it->good)
        it->good = tr2_body_set_awake(it->world, it->first, false) == TR_OK;
    if (!it->good)
        bench_fail(run, "cannot make the world");
    else if (tr2_world_statistics(it->world).sleeping_bodies != setting->asleep)
        bench_fail(run, "not all sleep that should");
}

/* a step; or an island is woken, stepped, and put to sleep again, of which the step is not counted */
static double iterate(bench_run *run)
{
    sleep_state *it = run->state;
    const sleep_setting *setting = run->of->setting;
    bool wakes = setting->kind == WAKE;
    double start = bench_thread_clock(), seconds = 0.0;
    bool good = true;
    if (wakes) {
        good = tr2_body_set_awake(it->world, it->first, true) == TR_OK &&
               tr2_body_set_awake(it->world, it->first, false) == TR_OK;
        seconds = bench_thread_clock() - start;
    }
    good = good && tr2_world_step(it->world, DT, 4) == TR_OK;
    if (!wakes)
        seconds = bench_thread_clock() - start;
    if (!good)
        bench_fail(run, tr2_world_last_error(it->world)->message);
    it->least = it->least > 0.0 && it->least < seconds ? it->least : seconds;
    return seconds;
}

static void end(bench_run *run)
{
    sleep_state *it = run->state;
    const sleep_setting *setting = run->of->setting;
    if (it == NULL)
        return;
    if (run->error == NULL) {
        bench_count(run, "least_us", 1e6 * it->least);
        if (setting->kind == WAKE)
            bench_count(run, "ns_per_body", 1e9 * it->least / setting->asleep);
    }
    tr2_world_destroy(it->world);
    free(it);
}

void bench_add_sleep(bench_suite *suite)
{
    static const sleep_setting settings[] = {
        {STACKS, 1000, 0}, {STACKS, 1000, 100000}, {DISCS, 1000, 0},   {DISCS, 1000, 100000}, {WAKE, 0, 10},
        {WAKE, 1000, 10},  {WAKE, 0, 40},          {STACKS, 0, 20000}, {PYRAMID, 0, 20000},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        sleep_setting *setting = malloc(sizeof *setting);
        if (setting == NULL) {
            suite->failed = true;
            return;
        }
        *setting = settings[i];
        bench_case added = {.iterations = 300, .setting = setting, .begin = begin, .iterate = iterate, .end = end};
        (void)snprintf(added.name, sizeof added.name, "sleep/%s/%u-awake-%u-asleep", kind_names[setting->kind],
                       setting->awake, setting->asleep);
        bench_suite_add(suite, added);
    }
}
