/* The definitions of worlds in space (world/recording/visits.inl). */
static inline void visit_body_def(tr_archive *archive, void *data, size_t size)
{
    tr3_body_def *def = data;
    (void)size;
    visit_common_of_body(archive, def);
    tr_archive_value(archive, def->rotation);
}

/* of a further free coordinate */
static inline void visit_features(tr_archive *archive, tr3_features *features)
{
    visit_spring(archive, &features->spring);
    tr_archive_value(archive, features->spring_force);
    visit_motor(archive, &features->motor);
    visit_limit(archive, &features->limit);
    tr_archive_value(archive, features->friction);
    tr_archive_flag(archive, &features->locked);
}

static inline void visit_joint_def(tr_archive *archive, void *data, size_t size)
{
    tr3_joint_def *def = data;
    (void)size;
    visit_common_of_joint(archive, def);
    tr_archive_value(archive, def->reference);
    tr_archive_value(archive, def->cone_angle);
    tr_archive_value(archive, def->cone_angle_2);
    visit_limit(archive, &def->twist);
    tr_archive_value(archive, def->axis_2);
    tr_archive_value(archive, def->max_force);
    tr_archive_value(archive, def->max_torque);
    tr_archive_flag(archive, &def->locked);
    tr3_features *const further[] = {&def->second, &def->third, &def->fourth, &def->fifth, &def->sixth};
    for (uint32_t i = 0; i < TR3_COORDINATES - 1; i++)
        visit_features(archive, further[i]);
    tr_archive_value(archive, def->carrier_a);
    tr_archive_value(archive, def->carrier_b);
    tr_archive_value(archive, def->ratio);
    tr_archive_value(archive, def->pitch);
    tr_archive_value(archive, def->axis_b);
    tr_archive_value(archive, def->reference_b);
    tr_archive_flag(archive, &def->slides_a);
    tr_archive_flag(archive, &def->slides_b);
    tr_archive_flag(archive, &def->meshed);
    tr_archive_value(archive, def->offset);
    tr_archive_value(archive, def->ground_a);
    tr_archive_value(archive, def->ground_b);
    tr_archive_value(archive, def->inertance);
    tr_archive_flag(archive, &def->across);
}

static inline void visit_contact_def(tr_archive *archive, void *data, size_t size)
{
    tr3_contact_def *def = data;
    (void)size;
    tr_archive_value(archive, def->body_a);
    tr_archive_value(archive, def->body_b);
    tr_archive_value(archive, def->normal);
    tr_archive_value(archive, def->point_count);
    tr_archive_value(archive, def->point);
    tr_archive_value(archive, def->separation);
    tr_archive_value(archive, def->point_id);
    tr_archive_value(archive, def->friction);
    tr_archive_value(archive, def->restitution);
    tr_archive_value(archive, def->torsional_friction);
    tr_archive_value(archive, def->rolling_resistance);
    tr_archive_value(archive, def->surface_velocity);
    tr_archive_value(archive, def->id);
}
