/* The list of generators. */
#include "scene/generate.h"

#include <stdio.h>
#include <string.h>

typedef struct generator {
    const char *name, *help;
    uint32_t maximum; /* greatest size; keeps a scene below some 16 GB */
    tr_status (*make)(tr2_builder *builder, uint32_t size, tr_error *error);
} generator;

static const generator generators[] = {
    {"grid", "size x size bodies 1 m apart, revolutes to the right and below, seven static bodies at the top", 4000,
     tr2_generate_grid},
    {"chains", "size chains of 20 links, swinging down from one static body", 1000000, tr2_generate_chains},
    {"bridge", "size planks of 1 m in an arc between two static posts", 10000000, tr2_generate_bridge},
    {"ragdolls", "size ragdolls of 11 bodies with limits and weak springs, each on a rope", 1000000,
     tr2_generate_ragdolls},
    {"hub", "size bodies of 0.5 kg on one hub of 10,000 kg that turns about its pinned centre", 10000000,
     tr2_generate_hub},
    {"pyramid", "a pyramid of size rows of boxes of 1 m", 4000, tr2_generate_pyramid},
    {"pyramids", "size x size pyramids of 10 rows, in storeys", 400, tr2_generate_pyramids},
    {"column", "size boxes on each other, ten times as heavy at the top as at the foot", 100000, tr2_generate_column},
    {"tower", "size layers: three short blocks, then a long one across them", 1000000, tr2_generate_tower},
    {"cards", "a house of cards of size storeys", 1000, tr2_generate_cards},
    {"arch", "an arch of 17 stones that carries size slabs", 1000, tr2_generate_arch},
    {"tumbler", "size x size boxes in a drum that turns", 4000, tr2_generate_tumbler},
    {"rain", "size ragdolls that fall over slabs into a bin", 1000000, tr2_generate_rain},
    {"smash", "a wall of size x size boxes, weightless, that a heavy block hits at 40 m/s", 4000, tr2_generate_smash},
    {"discs", "size discs of 0.5 m in a square, half of it full, that a paddle stirs", 10000000, tr2_generate_discs},
    {"crowd", "size people who walk through a hall, a fifth of them tethered by ropes in groups of five", 10000000,
     tr2_generate_crowd},
    {"debris", "a building of size bricks held by welds that break, and a ball that hits it", 1000000,
     tr2_generate_debris},
};

#define GENERATOR_COUNT ((uint32_t)(sizeof generators / sizeof generators[0]))

uint32_t tr2_scene_generator_count(void)
{
    return GENERATOR_COUNT;
}

const char *tr2_scene_generator_name(uint32_t index)
{
    return index < GENERATOR_COUNT ? generators[index].name : NULL;
}

const char *tr2_scene_generator_help(uint32_t index)
{
    return index < GENERATOR_COUNT ? generators[index].help : NULL;
}

static tr_status fail_unknown(const char *kind, tr_error *error)
{
    char names[256] = "";
    for (uint32_t i = 0; i < GENERATOR_COUNT; i++) {
        size_t used = strlen(names);
        const char *between = i == 0 ? "" : i + 1 < GENERATOR_COUNT ? ", " : " and ";
        (void)snprintf(names + used, sizeof names - used, "%s%s", between, generators[i].name);
    }
    return tr2_scene_fail(error, TR_ERROR_RANGE, "there is no generated scene \"%.40s\"; there are %s", kind, names);
}

tr_status tr2_scene_generate(const char *kind, uint32_t size, tr2_scene **out, tr_error *error)
{
    if (kind == NULL || out == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_generate: `kind` and `out` must not be null");
    const generator *found = NULL;
    for (uint32_t i = 0; i < GENERATOR_COUNT; i++)
        if (strcmp(generators[i].name, kind) == 0)
            found = &generators[i];
    if (found == NULL)
        return fail_unknown(kind, error);
    if (size == 0 || size > found->maximum)
        return tr2_scene_fail(error, TR_ERROR_RANGE, "%s: the size must lie between 1 and %u, it is %u", found->name,
                              found->maximum, size);

    tr2_builder builder;
    tr_status status = tr2_builder_start(&builder, "generated", error);
    if (status != TR_OK)
        return status;
    builder.scene->gravity = (tr_vec2){0.0f, -10.0f};
    status = tr2_scene_copy_text(found->name, &builder.scene->name, error);
    if (status == TR_OK)
        status = found->make(&builder, size, error);
    if (status != TR_OK) {
        tr2_builder_drop(&builder);
        return status;
    }
    *out = tr2_builder_take(&builder);
    return TR_OK;
}
