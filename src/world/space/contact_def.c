/* What definitions and settings of contacts have in space only (world/core/contact.c). */
#include <float.h>
#include <math.h>

#include "world/core/check.h"
#include "world/core/contact.h"

tr3_contact_def tr3_contact_def_default(void)
{
    tr3_contact_def def;
    memset(&def, 0, sizeof def);
    def.normal.y = 1.0f;
    def.point_count = 1;
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++)
        def.point_id[i] = i;
    return def;
}

tr_status tr3_contact_check_own(const tr3_check *check, const tr3_contact_def *def)
{
    tr_status status = tr3_check_not_negative(check, "torsional_friction", (double)def->torsional_friction);
    if (status == TR_OK)
        status = tr3_check_not_negative(check, "rolling_resistance", (double)def->rolling_resistance);
    return status != TR_OK ? status : tr3_check_vec(check, "surface_velocity", def->surface_velocity);
}

bool tr3_contact_is_own_good(const tr3_contact_def *def)
{
    return def->torsional_friction >= 0.0f && def->torsional_friction <= FLT_MAX && def->rolling_resistance >= 0.0f &&
           def->rolling_resistance <= FLT_MAX && isfinite(tr3_extent(def->surface_velocity));
}

tr3_contact_settings tr3_contact_settings_default(float length_unit)
{
    return (tr3_contact_settings){
        .frequency = 45.0f, .damping_ratio = 10.0f, .push_speed = 3.0f * length_unit, .bounce_speed = length_unit};
}

tr_status tr3_check_own_contact_settings(const tr3_check *check, const tr3_contact_settings *settings)
{
    (void)check;
    (void)settings;
    return TR_OK;
}

void tr3_contact_settings_write(tr3_world *world, const tr3_contact_settings *settings)
{
    world->settings.contacts = *settings;
}
