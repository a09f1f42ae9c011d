/* What definitions and settings of contacts have in the plane only (world/core/contact.c). */
#include <float.h>
#include <math.h>

#include "world/contacts/contact_row.h"
#include "world/core/check.h"

tr2_contact_def tr2_contact_def_default(void)
{
    tr2_contact_def def;
    memset(&def, 0, sizeof def);
    def.normal.y = 1.0f;
    def.point_count = 1;
    def.point_id[1] = 1;
    return def;
}

tr_status tr2_contact_check_own(const tr2_check *check, const tr2_contact_def *def)
{
    tr_status status = tr2_check_finite(check, "tangent_speed", (double)def->tangent_speed);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "rolling_resistance", (double)def->rolling_resistance);
    return status;
}

bool tr2_contact_is_own_good(const tr2_contact_def *def)
{
    return fabsf(def->tangent_speed) <= FLT_MAX && def->rolling_resistance >= 0.0f &&
           def->rolling_resistance <= FLT_MAX;
}

/*
 * Settings
 */
tr2_contact_settings tr2_contact_settings_default(float length_unit)
{
    return (tr2_contact_settings){.frequency = 45.0f,
                                  .damping_ratio = 10.0f,
                                  .push_speed = 3.0f * length_unit,
                                  .bounce_speed = length_unit,
                                  .hit_speed = length_unit,
                                  .friction_mixing = TR2_MIXING_GEOMETRIC_MEAN,
                                  .restitution_mixing = TR2_MIXING_MAXIMUM};
}

static tr_status check_mixing(const tr2_check *check, const char *name, tr2_mixing mixing)
{
    if ((uint32_t)mixing >= TR2_MIXING_COUNT)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "is %d, no rule of mixing", (int)mixing);
    return TR_OK;
}

tr_status tr2_check_own_contact_settings(const tr2_check *check, const tr2_contact_settings *settings)
{
    tr_status status = tr2_check_not_negative(check, "hit_speed", (double)settings->hit_speed);
    if (status == TR_OK)
        status = check_mixing(check, "friction_mixing", settings->friction_mixing);
    if (status == TR_OK)
        status = check_mixing(check, "restitution_mixing", settings->restitution_mixing);
    return status;
}

void tr2_contact_settings_write(tr2_world *world, const tr2_contact_settings *settings)
{
    tr2_contact_settings *now = &world->settings.contacts;
    bool remix =
        now->friction_mixing != settings->friction_mixing || now->restitution_mixing != settings->restitution_mixing;
    *now = *settings;
    if (remix)
        tr2_surfaces_remix(world);
}
