/* Generated scenes: the calls over each dimension's list of generators. */
#include "scene/core/storage.h"

#include <stdio.h>
#include <string.h>

uint32_t trn_scene_generator_count(void)
{
    uint32_t count = 0;
    while (trn_generators[count].name != NULL)
        count++;
    return count;
}

const char *trn_scene_generator_name(uint32_t index)
{
    return index < trn_scene_generator_count() ? trn_generators[index].name : NULL;
}

const char *trn_scene_generator_help(uint32_t index)
{
    return index < trn_scene_generator_count() ? trn_generators[index].help : NULL;
}

static tr_status fail_unknown(const char *kind, tr_error *error)
{
    char names[256] = "";
    const uint32_t count = trn_scene_generator_count();
    for (uint32_t i = 0; i < count; i++) {
        size_t used = strlen(names);
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        (void)snprintf(names + used, sizeof names - used, "%s%s", between, trn_generators[i].name);
    }
    return tr_scene_fail(error, TR_ERROR_RANGE, "there is no generated scene \"%.40s\"; there are %s", kind, names);
}

tr_status trn_scene_generate(const char *kind, uint32_t size, trn_scene **out, tr_error *error)
{
    if (kind == NULL || out == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "%s: `kind` and `out` must not be null", __func__);
    const trn_generator *found = NULL;
    for (uint32_t i = 0; trn_generators[i].name != NULL; i++)
        if (strcmp(trn_generators[i].name, kind) == 0)
            found = &trn_generators[i];
    if (found == NULL)
        return fail_unknown(kind, error);
    if (size == 0 || size > found->maximum)
        return tr_scene_fail(error, TR_ERROR_RANGE, "%s: the size must lie between 1 and %u, it is %u", found->name,
                             found->maximum, size);

    trn_builder builder;
    tr_status status = trn_builder_start(&builder, "generated", error);
    if (status != TR_OK)
        return status;
    builder.scene->gravity.y = -10.0f;
    status = tr_scene_copy_text(found->name, &builder.scene->name, error);
    if (status == TR_OK)
        status = found->make(&builder, size, error);
    if (status != TR_OK) {
        trn_builder_drop(&builder);
        return status;
    }
    *out = trn_builder_take(&builder);
    return TR_OK;
}
