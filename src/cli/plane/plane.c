#include "cli/plane/plane.h"

static bool is_pushed(const tr2_joint_def *def)
{
    return tr2_joint_type_has(def->type, TR2_FIELD_DRIVE_MAX_FORCE) &&
           (def->drive.max_force > 0.0f || def->drive.max_torque > 0.0f);
}

/* a drive whose target is rest can only dissipate energy: it acts as friction */
bool tr2_joint_is_rubbed(const tr2_joint_def *def)
{
    const tr2_drive *d = &def->drive;
    bool still = !d->position && d->velocity.x == 0.0f && d->velocity.y == 0.0f && d->angular_velocity == 0.0f;
    return def->friction > 0.0f || (is_pushed(def) && still);
}

bool tr2_joint_is_driven(const tr2_joint_def *def)
{
    return is_pushed(def) && !tr2_joint_is_rubbed(def);
}

bool tr2_joint_only_pushes(const tr2_joint_def *def)
{
    bool anchored = tr2_joint_type_has(def->type, TR2_FIELD_ANCHOR_A_X),
         holds = tr2_joint_type_has(def->type, TR2_FIELD_LINEAR_KIND);
    bool couples = tr2_joint_type_has(def->type, TR2_FIELD_RATIO);
    return anchored && !holds && !couples && !def->drive.position && !def->spring.enable && !def->limit.enable;
}
