/*
 * Every kernel of every instruction set gives the bits of the scalar one: on random blocks with random masses (also of
 * bodies that cannot turn or move), all variations of the joints' numbers, empty lanes, fixed rows shared among lanes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

#include "instrumented.h"
#include "kernel_rig.h"

#define SEEDS TRIALS(120)

/* the passes over joints are those of tr2_pass_kind */
enum { WARM_ANEW = TR_PASS_COUNT, PREPARE, VELOCITIES, POSITIONS, BOTH, RIG_PASS_COUNT };

static const char *const pass_names[RIG_PASS_COUNT] = {[TR_PASS_WARM_START] = "warm start",
                                                       [TR_PASS_SOLVE] = "solve",
                                                       [TR_PASS_RELAX] = "relax",
                                                       [TR_PASS_STEP] = "step",
                                                       [TR_PASS_PROJECT] = "project",
                                                       [TR_PASS_BOUNCE] = "bounce",
                                                       [WARM_ANEW] = "warm start anew",
                                                       [TR_PASS_REBOUND] = "rebound",
                                                       [PREPARE] = "prepare",
                                                       [VELOCITIES] = "integrate velocities",
                                                       [POSITIONS] = "integrate positions",
                                                       [BOTH] = "integrate both"};

static void run_pass(const tr2_kernels *kernels, uint32_t kernel, rig *r, int pass)
{
    tr2_kernel_context context = rig_context(r);
    switch (pass) {
    case PREPARE:
        rig_prepare(r, kernels, kernel);
        break;
    case VELOCITIES:
        kernels->integrate_velocities(&context, 0, RIG_ROWS, TR_ALL_ROWS);
        break;
    case POSITIONS:
        kernels->integrate_positions(&context, 0, RIG_ROWS, TR_ALL_ROWS);
        break;
    case BOTH:
        kernels->integrate_both(&context, 0, RIG_ROWS);
        break;
    default:
        rig_pass(r, kernels, kernel, pass, 0, RIG_BLOCKS);
        break;
    }
}

/* bits, but one not-a-number is as good as another */
static bool same_floats(const void *a, const void *b, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        float x, y;
        memcpy(&x, (const char *)a + i * sizeof x, sizeof x);
        memcpy(&y, (const char *)b + i * sizeof y, sizeof y);
        if (memcmp(&x, &y, sizeof x) != 0 && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

static bool same_rigs(const rig *a, const rig *b)
{
    bool same = same_floats(a->velocities, b->velocities, sizeof a->velocities) &&
                same_floats(a->poses, b->poses, sizeof a->poses) && same_floats(a->low, b->low, sizeof a->low) &&
                same_floats(a->place, b->place, sizeof a->place) && memcmp(a->marks, b->marks, sizeof a->marks) == 0;
    for (uint32_t i = 0; i < RIG_BLOCKS; i++)
        same = same && memcmp(&a->block[i].bodies, &b->block[i].bodies, sizeof a->block[i].bodies) == 0 &&
               same_floats(a->block[i].column, b->block[i].column, sizeof a->block[i].column);
    return same;
}

static bool fixed_rows_are_as_they_were(const rig *a, const rig *b)
{
    return memcmp(a->velocities + RIG_MOVING, b->velocities + RIG_MOVING,
                  (RIG_ROWS - RIG_MOVING) * sizeof a->velocities[0]) == 0;
}

/* two steps' worth of passes, each compared with the scalar ones */
static void compare(tr_isa isa, uint32_t kernel, uint64_t seed, void (*change)(rig *), uint8_t flags)
{
    static const int passes[] = {PREPARE,         VELOCITIES,         TR_PASS_WARM_START, TR_PASS_SOLVE,
                                 TR_PASS_SOLVE,   POSITIONS,          TR_PASS_RELAX,      VELOCITIES,
                                 TR_PASS_STEP,    TR_PASS_WARM_START, TR_PASS_SOLVE,      POSITIONS,
                                 WARM_ANEW,       TR_PASS_SOLVE,      TR_PASS_RELAX,      BOTH,
                                 TR_PASS_PROJECT, TR_PASS_PROJECT,    TR_PASS_STEP,       TR_PASS_BOUNCE,
                                 TR_PASS_REBOUND, TR_PASS_REBOUND};
    static rig scalar, wide, before;
    rig_fill(&scalar, seed);
    if (change != NULL)
        change(&scalar);
    rig_give_carriers(&scalar, kernel);
    wide = scalar;
    for (uint32_t b = 0; b < RIG_BLOCKS; b++)
        wide.flags[b] |= flags;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        before = wide;
        run_pass(&tr2_kernels_scalar, kernel, &scalar, passes[i]);
        run_pass(tr2_kernels_of(isa), kernel, &wide, passes[i]);
        if (!same_rigs(&scalar, &wide))
            fail_msg("kernel %u (%s), %s, %s, seed %u: not the bits of the scalar kernel", kernel,
                     tr2_joint_types[kernel / 2]->name, tr_isa_name(isa), pass_names[passes[i]], (unsigned)seed);
        bool integrates = passes[i] == VELOCITIES || passes[i] == POSITIONS || passes[i] == BOTH;
        if (!integrates && !fixed_rows_are_as_they_were(&before, &wide))
            fail_msg("kernel %u, %s, %s, seed %u: a fixed row was written", kernel, tr_isa_name(isa),
                     pass_names[passes[i]], (unsigned)seed);
    }
}

static void compare_all(uint32_t seeds, void (*change)(rig *), uint8_t flags)
{
    uint32_t sets = 0;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        assert_non_null(tr2_kernels_of((tr_isa)isa));
        sets++;
        for (uint32_t kernel = 0; kernel < TR_KERNEL_COUNT; kernel++) {
            assert_true(tr2_kernels_of((tr_isa)isa)->joints[kernel].column_count <= RIG_COLUMNS);
            assert_true(tr2_kernels_of((tr_isa)isa)->placed[kernel].columns <= RIG_PLACES);
            for (uint32_t seed = 0; seed < seeds; seed++)
                compare((tr_isa)isa, kernel, seed, change, flags);
        }
    }
#if defined(__x86_64__) || defined(__aarch64__)
    /* the scalar one alone would prove nothing */
    assert_true(sets >= 2);
#endif
}

static void every_kernel_is_bit_equal_to_the_scalar_one(void **state)
{
    (void)state;
    compare_all(SEEDS, NULL, 0);
}

/* rows of the null body's kind at moving rows too: joints between bodies none of which can be moved */
static void make_immovable(rig *r)
{
    for (uint32_t i = 0; i < RIG_MOVING; i++) {
        r->frames[i].inverse_inertia *= i % 3 == 0 ? 0.0f : 1.0f;
        r->frames[i].inverse_mass *= i % 4 == 0 ? 0.0f : 1.0f;
    }
}

static void bodies_without_inverse_mass_are_no_exception(void **state)
{
    (void)state;
    compare_all(SEEDS / 4, make_immovable, 0);
}

/* what overflows: speeds of every absurd kind, among sane ones */
static void make_wild(rig *r)
{
    static const float wild[] = {INFINITY, -INFINITY, NAN, 3e38f, 2e18f, -2e18f, 1e30f, 1e12f};
    for (uint32_t i = 0; i < RIG_MOVING; i += 3) {
        float value = wild[rig_bits(r) % (sizeof wild / sizeof wild[0])];
        switch (rig_bits(r) % 3) {
        case 0:
            r->velocities[i].x = value;
            break;
        case 1:
            r->velocities[i].y = value;
            break;
        default:
            r->velocities[i].w = value;
            break;
        }
    }
}

static void numbers_that_are_not_finite_are_no_exception(void **state)
{
    (void)state;
    compare_all(SEEDS / 4, make_wild, 0);
}

/* the groups of a run, in any order and anywhere */
static void line_up(rig *r)
{
    static const int32_t group_a[] = {8, 0, 12, 4}, group_b[] = {0, 12, 4, 8};
    for (uint32_t b = 0; b < RIG_BLOCKS; b++)
        for (int32_t i = 0; i < TR_LANES; i++) {
            int32_t group = i % TR_RUN_GROUP, place = i / TR_RUN_GROUP;
            r->block[b].bodies.a[i] = TR2_ROW * ((int32_t)b * TR_LANES + group_a[group] + place);
            r->block[b].bodies.b[i] = TR2_ROW * ((1 - (int32_t)b) * TR_LANES + group_b[group] + place);
        }
}

/* the flag changes how the same rows are reached */
static void runs_are_solved_as_by_index(void **state)
{
    (void)state;
    compare_all(SEEDS / 4, line_up, TR_BLOCK_RUN);
}

/* geometry that nobody reads again need not be kept: impulses and bodies are the same without it */
static void what_is_not_kept_is_not_missed(void **state)
{
    (void)state;
    static const int passes[] = {TR_PASS_STEP, TR_PASS_PROJECT, TR_PASS_RELAX};
    static rig kept, passing;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        const tr2_kernels *kernels = tr_isa_available((tr_isa)isa) ? tr2_kernels_of((tr_isa)isa) : NULL;
        for (uint32_t kernel = 0; kernels != NULL && kernel < TR_KERNEL_COUNT; kernel++) {
            const tr2_joint_kernel *k = &kernels->joints[kernel];
            const tr2_placed *placed = &kernels->placed[kernel];
            rig_fill(&kept, kernel + 3);
            rig_give_carriers(&kept, kernel);
            run_pass(kernels, kernel, &kept, PREPARE);
            passing = kept;
            tr2_kernel_context context = rig_context(&passing);
            tr2_blocks blocks = rig_blocks(&passing);
            run_pass(kernels, kernel, &kept, WARM_ANEW);
            if (placed->warm_start != NULL)
                placed->warm_start(&context, &blocks, 0, RIG_BLOCKS, NULL, placed->columns);
            for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
                run_pass(kernels, kernel, &kept, passes[i]);
                k->pass[passes[i]](&context, &blocks, 0, RIG_BLOCKS, NULL, placed->columns);
            }
            assert_true(same_floats(kept.velocities, passing.velocities, sizeof kept.velocities));
            for (uint32_t b = 0; b < RIG_BLOCKS; b++)
                assert_true(same_floats(kept.block[b].column, passing.block[b].column,
                                        k->impulse_count * TR_LANES * sizeof(float)));
        }
    }
}

/* Where bodies stand is computed by the pass that needs it first, or by one before: what comes of it is the same. */
static void places_computed_anew_are_those_that_were_kept(void **state)
{
    (void)state;
    static const int known[] = {TR_PASS_WARM_START, TR_PASS_SOLVE}, anew[] = {WARM_ANEW, TR_PASS_STEP};
    static rig kept, fresh;
    uint32_t placed = 0;
    for (uint32_t kernel = 0; kernel < TR_KERNEL_COUNT; kernel++) {
        if (tr2_kernels_scalar.placed[kernel].columns == 0)
            continue;
        placed++;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            rig_fill(&kept, kernel + i);
            run_pass(&tr2_kernels_scalar, kernel, &kept, PREPARE);
            run_pass(&tr2_kernels_scalar, kernel, &kept, POSITIONS);
            run_pass(&tr2_kernels_scalar, kernel, &kept, TR_PASS_RELAX);
            fresh = kept;
            memset(fresh.place, 0xff, sizeof fresh.place);
            run_pass(&tr2_kernels_scalar, kernel, &kept, known[i]);
            run_pass(&tr2_kernels_scalar, kernel, &fresh, anew[i]);
            assert_true(same_floats(kept.velocities, fresh.velocities, sizeof kept.velocities));
            assert_true(same_floats(kept.block, fresh.block, sizeof kept.block));
            /* and are kept in turn, without the columns that the kernel has not */
            for (uint32_t b = 0; b < RIG_BLOCKS; b++)
                assert_true(same_floats(kept.place[b], fresh.place[b],
                                        tr2_kernels_scalar.placed[kernel].columns * sizeof kept.place[b][0]));
        }
    }
    assert_true(placed > 0);
}

/* the first sweep of impulses that start at 0 keeps the places that the second would compute */
static void places_kept_by_a_sweep_from_0_serve_the_next(void **state)
{
    (void)state;
    static rig kept, fresh;
    uint32_t found = 0;
    for (uint32_t kernel = 0; kernel < TR_KERNEL_COUNT; kernel++) {
        const tr2_placed *placed = &tr2_kernels_scalar.placed[kernel];
        if (placed->step_afresh == NULL)
            continue;
        found++;
        rig_fill(&kept, kernel);
        run_pass(&tr2_kernels_scalar, kernel, &kept, PREPARE);
        run_pass(&tr2_kernels_scalar, kernel, &kept, POSITIONS);
        const tr2_kernel_context context = rig_context(&kept);
        const tr2_blocks blocks = rig_blocks(&kept);
        placed->step_afresh(&context, &blocks, 0, RIG_BLOCKS, kept.place[0][0], RIG_PLACES);
        fresh = kept;
        memset(fresh.place, 0xff, sizeof fresh.place);
        run_pass(&tr2_kernels_scalar, kernel, &kept, TR_PASS_SOLVE);
        run_pass(&tr2_kernels_scalar, kernel, &fresh, TR_PASS_STEP);
        assert_true(same_floats(kept.velocities, fresh.velocities, sizeof kept.velocities));
        assert_true(same_floats(kept.block, fresh.block, sizeof kept.block));
    }
    assert_true(found > 0);
}

/* the sub-range asked for is all that is touched */
static void only_the_blocks_asked_for_are_visited(void **state)
{
    (void)state;
    static rig one, both;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const tr2_kernels *kernels = tr2_kernels_of((tr_isa)isa);
        for (uint32_t kernel = 0; kernel < TR_KERNEL_COUNT; kernel++) {
            rig_fill(&one, kernel + 7);
            rig_give_carriers(&one, kernel);
            run_pass(kernels, kernel, &one, PREPARE);
            both = one;
            for (int pass = 0; pass <= WARM_ANEW; pass++)
                rig_pass(&one, kernels, kernel, pass, 1, 1);
            assert_memory_equal(&one.block[0], &both.block[0], sizeof one.block[0]);
            assert_memory_equal(&one.place[0], &both.place[0], sizeof one.place[0]);
            assert_memory_not_equal(&one.block[1], &both.block[1], sizeof one.block[1]);
            /* rows of the first block's lanes alone have not moved */
            bool visited[RIG_ROWS] = {false};
            for (uint32_t i = 0; i < TR_LANES; i++) {
                visited[one.block[1].bodies.a[i] / TR2_ROW] = visited[one.block[1].bodies.b[i] / TR2_ROW] = true;
                visited[one.carrier[0][TR_LANES + i]] = visited[one.carrier[1][TR_LANES + i]] = true;
            }
            for (uint32_t i = 0; i < RIG_ROWS; i++)
                if (!visited[i])
                    assert_memory_equal(&one.velocities[i], &both.velocities[i], sizeof one.velocities[i]);
        }
    }
}

/* Positions and then velocities come to the same bits in one go: rows and tiles, where all fall and where some do, and
   where some are not sane. */
static void moving_in_one_go_is_moving_twice(void **state)
{
    (void)state;
    static rig twice, once;
    for (uint32_t seed = 0; seed < TRIALS(40); seed++) {
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            const tr2_kernels *kernels = tr_isa_available((tr_isa)isa) ? tr2_kernels_of((tr_isa)isa) : NULL;
            rig_fill(&twice, seed);
            if ((seed & 2) != 0)
                make_wild(&twice);
            for (uint32_t i = 0; (seed & 4) != 0 && i < RIG_ROWS; i++)
                twice.marks[i] |= TR_MARK_FALLS;
            once = twice;
            tr2_kernel_context on_twice = rig_context(&twice), on_once = rig_context(&once);
            on_twice.tiled = on_once.tiled = (seed & 8) != 0;
            if (kernels == NULL)
                continue;
            kernels->integrate_positions(&on_twice, 0, RIG_ROWS, TR_ALL_ROWS);
            kernels->integrate_velocities(&on_twice, 0, RIG_ROWS, TR_ALL_ROWS);
            kernels->integrate_both(&on_once, 0, RIG_ROWS);
            assert_true(same_rigs(&twice, &once));
        }
    }
}

/* Tiles come to the bits of rows: where all fall and where some do, and where some are not sane. */
static void tiles_move_as_rows_do(void **state)
{
    (void)state;
    static rig rows, tiled;
    for (uint32_t seed = 0; seed < TRIALS(40); seed++) {
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            const tr2_kernels *kernels = tr_isa_available((tr_isa)isa) ? tr2_kernels_of((tr_isa)isa) : NULL;
            rig_fill(&rows, seed);
            rows.even = true; /* as in all worlds with tiles */
            memset(rows.low, 0, sizeof rows.low);
            if ((seed & 2) != 0)
                make_wild(&rows);
            for (uint32_t i = 0; (seed & 4) != 0 && i < RIG_ROWS; i++)
                rows.marks[i] |= TR_MARK_FALLS;
            tiled = rows;
            tr2_kernel_context in_rows = rig_context(&rows), in_tiles = rig_context(&tiled);
            in_tiles.tiled = true;
            if (kernels == NULL)
                continue;
            kernels->turn_tiles(&in_tiles, 0, RIG_ROWS);
            for (int step = 0; step < 2; step++) {
                void (*integrate)(const tr2_kernel_context *, uint32_t, uint32_t, tr2_part) =
                    step == (int)(seed >> 3 & 1u) ? kernels->integrate_positions : kernels->integrate_velocities;
                integrate(&in_rows, 0, RIG_ROWS, TR_ALL_ROWS);
                integrate(&in_tiles, 0, RIG_ROWS, TR_ALL_ROWS);
            }
            kernels->turn_tiles(&in_rows, 0, RIG_ROWS);
            /* in tiles they are elsewhere */
            assert_int_equal(memcmp(rows.low, tiled.low, sizeof rows.low) == 0, !rows.fine);
            memset(rows.low, 0, sizeof rows.low);
            memset(tiled.low, 0, sizeof tiled.low);
            assert_true(same_rigs(&rows, &tiled));
        }
    }
}

/* While no body has moved, the first warm start does what the one that reads poses does, and reads none. */
static void the_first_warm_start_reads_no_poses(void **state)
{
    (void)state;
    static rig moved, first;
    for (uint32_t kernel = 0; kernel < TR_KERNEL_COUNT; kernel++) {
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            const tr2_kernels *kernels = tr_isa_available((tr_isa)isa) ? tr2_kernels_of((tr_isa)isa) : NULL;
            if (kernels == NULL || kernels->placed[kernel].columns == 0)
                continue;
            rig_fill(&moved, kernel);
            for (uint32_t i = 0; i < RIG_ROWS; i++)
                moved.poses[i] = (tr2_body_pose){0.0f, 0.0f, 1.0f, 0.0f};
            rig_prepare(&moved, kernels, kernel);
            first = moved;
            tr2_kernel_context on_moved = rig_context(&moved), on_first = rig_context(&first);
            on_first.poses = NULL;
            tr2_blocks blocks = rig_blocks(&moved), others = rig_blocks(&first);
            kernels->placed[kernel].warm_start(&on_moved, &blocks, 0, RIG_BLOCKS, moved.place[0][0], RIG_PLACES);
            kernels->placed[kernel].warm_first(&on_first, &others, 0, RIG_BLOCKS, first.place[0][0], RIG_PLACES);
            assert_true(same_rigs(&moved, &first));
        }
    }
}

/* The rim and the other rows, one after the other, move as all do at once, wherever the groups of the rim are. */
static void parts_move_as_the_whole_does(void **state)
{
    (void)state;
    static rig whole, parts;
    for (uint32_t seed = 0; seed < TRIALS(40); seed++) {
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            const tr2_kernels *kernels = tr_isa_available((tr_isa)isa) ? tr2_kernels_of((tr_isa)isa) : NULL;
            rig_fill(&whole, seed);
            if ((seed & 2) != 0)
                make_wild(&whole);
            uint8_t rims[RIG_ROWS / TR_LANES];
            for (uint32_t i = 0; i < RIG_ROWS / TR_LANES; i++)
                rims[i] = (uint8_t)(rig_bits(&whole) % 16);
            parts = whole;
            tr2_kernel_context on_whole = rig_context(&whole), on_parts = rig_context(&parts);
            on_whole.rims = on_parts.rims = rims;
            if (kernels == NULL)
                continue;
            for (int step = 0; step < 2; step++) {
                void (*integrate)(const tr2_kernel_context *, uint32_t, uint32_t, tr2_part) =
                    step == 0 ? kernels->integrate_positions : kernels->integrate_velocities;
                integrate(&on_whole, 0, RIG_ROWS, TR_ALL_ROWS);
                integrate(&on_parts, 0, RIG_ROWS, TR_RIM_ROWS);
                assert_false(same_rigs(&whole, &parts));
                integrate(&on_parts, 0, RIG_ROWS, TR_INNER_ROWS);
                assert_true(same_rigs(&whole, &parts));
            }
        }
    }
}

/* what integration does is written out: v scale + gain, or v + h gravity of what falls, or, in fine steps, v + (v scale +
   gain) and what was left; then x + h v and the angle, or
   a row put back and marked */
static void integration_is_what_it_says(void **state)
{
    (void)state;
    static rig before, r;
    for (uint32_t seed = 0; seed < TRIALS(50); seed++) {
        rig_fill(&r, seed);
        make_wild(&r);
        before = r;
        run_pass(&tr2_kernels_scalar, 0, &r, VELOCITIES);
        for (uint32_t i = 0; i < RIG_MOVING; i++) {
            bool falls = (before.marks[i] & TR_MARK_FALLS) != 0;
            const float fall[3] = {falls ? r.h * r.gravity.x : 0.0f, falls ? r.h * r.gravity.y : 0.0f, 0.0f};
            float want[3] = {before.velocities[i].x, before.velocities[i].y, before.velocities[i].w};
            for (uint32_t m = 0; m < 3 && r.fine; m++) {
                float more = (r.even ? fall[m] : r.gain[4 * i + m]) + before.low[4 * i + m];
                more += r.even ? 0.0f : want[m] * r.scale[4 * i + m];
                want[m] += more;
            }
            for (uint32_t m = 0; m < 3 && !r.fine; m++)
                want[m] = r.even ? want[m] + fall[m] : want[m] * r.scale[4 * i + m] + r.gain[4 * i + m];
            bool sane = fabsf(want[0]) <= TR_SANE_SPEED && fabsf(want[1]) <= TR_SANE_SPEED &&
                        fabsf(r.h * want[2]) <= TR_SANE_TURN;
            assert_int_equal(r.marks[i] & TR_MARK_BAD, sane ? 0 : TR_MARK_BAD);
            for (uint32_t m = 0; m < 3 && !sane; m++)
                want[m] = 0.0f;
            assert_true(same_floats(want, &r.velocities[i], sizeof want));
        }
        rig_fill(&r, seed);
        make_wild(&r);
        before = r;
        run_pass(&tr2_kernels_scalar, 0, &r, POSITIONS);
        for (uint32_t i = 0; i < RIG_ROWS; i++) {
            const tr2_body_velocity *v = &before.velocities[i], *after = &r.velocities[i];
            const tr2_body_pose *p = &r.poses[i];
            bool sane =
                fabsf(v->x) <= TR_SANE_SPEED && fabsf(v->y) <= TR_SANE_SPEED && fabsf(r.h * v->w) <= TR_SANE_TURN;
            assert_int_equal(r.marks[i] & TR_MARK_BAD, sane ? 0 : TR_MARK_BAD);
            float x = sane ? v->x : 0.0f, y = sane ? v->y : 0.0f, w = sane ? v->w : 0.0f;
            assert_true(after->x == x && after->y == y && after->w == w && after->angle == r.h * w);
            assert_true(p->x == r.h * x && p->y == r.h * y);
            assert_true(fabs((double)p->c - cos((double)(r.h * w))) < 2e-7);
            assert_true(fabs((double)p->s - sin((double)(r.h * w))) < 2e-7);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_bit_equal_to_the_scalar_one),
        cmocka_unit_test(bodies_without_inverse_mass_are_no_exception),
        cmocka_unit_test(numbers_that_are_not_finite_are_no_exception),
        cmocka_unit_test(runs_are_solved_as_by_index),
        cmocka_unit_test(what_is_not_kept_is_not_missed),
        cmocka_unit_test(places_computed_anew_are_those_that_were_kept),
        cmocka_unit_test(places_kept_by_a_sweep_from_0_serve_the_next),
        cmocka_unit_test(only_the_blocks_asked_for_are_visited),
        cmocka_unit_test(moving_in_one_go_is_moving_twice),
        cmocka_unit_test(tiles_move_as_rows_do),
        cmocka_unit_test(the_first_warm_start_reads_no_poses),
        cmocka_unit_test(parts_move_as_the_whole_does),
        cmocka_unit_test(integration_is_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
