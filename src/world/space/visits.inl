/* The definitions of worlds in space (world/core/visits.inl). */
static inline void visit_body_def(tr_archive *archive, void *data, size_t size)
{
    tr3_body_def *def = data;
    (void)size;
    visit_common_of_body(archive, def);
    tr_archive_value(archive, def->rotation);
}

static inline void visit_joint_def(tr_archive *archive, void *data, size_t size)
{
    tr3_joint_def *def = data;
    (void)size;
    visit_common_of_joint(archive, def);
    tr_archive_value(archive, def->reference);
    tr_archive_value(archive, def->cone_angle);
    visit_limit(archive, &def->twist);
}
