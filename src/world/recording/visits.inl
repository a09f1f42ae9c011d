/*
 * The definitions that calls take, as bytes and back (base/archive.h): visit_<how>() names the members of a type once, so
 * that a record has no padding, and a bool that is read is one. tests/test_recording.c sees a member that is missing.
 */
#include "base/archive.h"

static inline void visit_plain(tr_archive *archive, void *data, size_t size)
{
    tr_archive_bytes(archive, data, size);
}

static inline void visit_flag(tr_archive *archive, void *data, size_t size)
{
    (void)size;
    tr_archive_flag(archive, data);
}

static inline void visit_sleep_settings(tr_archive *archive, void *data, size_t size)
{
    tr_sleep_settings *settings = data;
    (void)size;
    tr_archive_flag(archive, &settings->enable);
    tr_archive_value(archive, settings->speed);
    tr_archive_value(archive, settings->angular_speed);
    tr_archive_value(archive, settings->time);
}

static inline void visit_spring(tr_archive *archive, tr_spring *spring)
{
    tr_archive_flag(archive, &spring->enable);
    tr_archive_value(archive, spring->target);
    tr_archive_value(archive, spring->softness);
}

static inline void visit_motor(tr_archive *archive, tr_motor *motor)
{
    tr_archive_flag(archive, &motor->enable);
    tr_archive_value(archive, motor->speed);
    tr_archive_value(archive, motor->maximum);
}

static inline void visit_limit(tr_archive *archive, tr_limit *limit)
{
    tr_archive_flag(archive, &limit->enable);
    tr_archive_value(archive, limit->lower);
    tr_archive_value(archive, limit->upper);
}

/* what definitions of bodies and of joints have in both dimensions */
static inline void visit_common_of_body(tr_archive *archive, trn_body_def *def)
{
    tr_archive_value(archive, def->type);
    tr_archive_value(archive, def->position);
    tr_archive_value(archive, def->velocity);
    tr_archive_value(archive, def->angular_velocity);
    tr_archive_value(archive, def->mass);
    tr_archive_value(archive, def->inertia);
    tr_archive_value(archive, def->center);
    tr_archive_value(archive, def->gravity_scale);
    tr_archive_value(archive, def->linear_damping);
    tr_archive_value(archive, def->angular_damping);
    tr_archive_flag(archive, &def->fixed_rotation);
    tr_archive_flag(archive, &def->direct);
    tr_archive_flag(archive, &def->enabled);
    tr_archive_flag(archive, &def->allow_sleep);
    tr_archive_flag(archive, &def->awake);
    tr_archive_value(archive, def->sleep_scale);
    tr_archive_value(archive, def->user_data);
}

static inline void visit_common_of_joint(tr_archive *archive, trn_joint_def *def)
{
    tr_archive_value(archive, def->type);
    tr_archive_value(archive, def->body_a);
    tr_archive_value(archive, def->body_b);
    tr_archive_value(archive, def->anchor_a);
    tr_archive_value(archive, def->anchor_b);
    tr_archive_value(archive, def->axis);
    tr_archive_value(archive, def->length);
    tr_archive_value(archive, def->linear);
    tr_archive_value(archive, def->angular);
    visit_spring(archive, &def->spring);
    tr_archive_value(archive, def->spring_force);
    visit_motor(archive, &def->motor);
    visit_limit(archive, &def->limit);
    tr_archive_value(archive, def->friction);
    tr_archive_value(archive, def->event_at);
    tr_archive_value(archive, def->break_at);
    tr_archive_flag(archive, &def->enabled);
    tr_archive_flag(archive, &def->collide_connected);
    tr_archive_value(archive, def->user_data);
}

#if TR_DIMENSION == 2
#include "world/plane/visits.inl"
#else
#include "world/space/visits.inl"
#endif
