/* The names of what worlds of both dimensions share. */
#include "trammel/common.h"

const char *tr_stage_name(tr_stage stage)
{
    static const char *const names[TR_STAGE_COUNT] = {
        [TR_STAGE_BROAD] = "broad",     [TR_STAGE_NARROW] = "narrow",       [TR_STAGE_PLAN] = "plan",
        [TR_STAGE_PREPARE] = "prepare", [TR_STAGE_INTEGRATE] = "integrate", [TR_STAGE_WARM_START] = "warm_start",
        [TR_STAGE_SOLVE] = "solve",     [TR_STAGE_RELAX] = "relax",         [TR_STAGE_FINISH] = "finish",
    };
    return (uint32_t)stage < TR_STAGE_COUNT ? names[stage] : "unknown";
}

const char *tr_method_name(tr_method method)
{
    static const char *const names[TR_METHOD_COUNT] = {
        [TR_SOFT_STEP] = "soft_step",
        [TR_SMALL_STEP] = "small_step",
        [TR_POSITION_BASED] = "position_based",
        [TR_SEQUENTIAL_IMPULSES] = "sequential_impulses",
        [TR_DIRECT] = "direct",
    };
    return (uint32_t)method < TR_METHOD_COUNT ? names[method] : "unknown";
}

const char *tr_breaking_name(tr_breaking breaking)
{
    static const char *const names[TR_BREAKING_COUNT] = {
        [TR_BREAKING_ALL] = "all",
        [TR_BREAKING_ONE_PER_GROUP] = "one_per_group",
        [TR_BREAKING_ONE_PER_ISLAND] = "one_per_island",
        [TR_BREAKING_ONE_PER_SUBSTEP] = "one_per_substep",
    };
    return (uint32_t)breaking < TR_BREAKING_COUNT ? names[breaking] : "unknown";
}
