/* The definitions of worlds of the plane (world/recording/visits.inl). */
static inline void visit_body_def(tr_archive *archive, void *data, size_t size)
{
    tr2_body_def *def = data;
    (void)size;
    visit_common_of_body(archive, def);
    tr_archive_value(archive, def->angle);
    tr_archive_flag(archive, &def->bullet);
}

static inline void visit_drive(tr_archive *archive, tr2_drive *drive)
{
    tr_archive_flag(archive, &drive->position);
    tr_archive_value(archive, drive->velocity);
    tr_archive_value(archive, drive->angular_velocity);
    tr_archive_value(archive, drive->offset);
    tr_archive_value(archive, drive->angular_offset);
    tr_archive_value(archive, drive->softness);
    tr_archive_value(archive, drive->max_force);
    tr_archive_value(archive, drive->max_torque);
}

static inline void visit_joint_def(tr_archive *archive, void *data, size_t size)
{
    tr2_joint_def *def = data;
    (void)size;
    visit_common_of_joint(archive, def);
    tr_archive_value(archive, def->carrier_a);
    tr_archive_value(archive, def->carrier_b);
    tr_archive_value(archive, def->reference_angle);
    visit_drive(archive, &def->drive);
    tr_archive_value(archive, def->ratio);
    tr_archive_value(archive, def->ground_a);
    tr_archive_value(archive, def->ground_b);
    tr_archive_value(archive, def->axis_b);
    tr_archive_flag(archive, &def->slides_a);
    tr_archive_flag(archive, &def->slides_b);
    tr_archive_value(archive, def->offset);
    tr_archive_flag(archive, &def->meshed);
    tr_archive_flag(archive, &def->equal_torque);
    tr_archive_value(archive, def->max_force);
}

/*
 * Shapes
 */
static inline void visit_filter(tr_archive *archive, void *data, size_t size)
{
    tr2_filter *filter = data;
    (void)size;
    tr_archive_value(archive, filter->category);
    tr_archive_value(archive, filter->mask);
    tr_archive_value(archive, filter->group);
}

static inline void visit_shape_def(tr_archive *archive, void *data, size_t size)
{
    tr2_shape_def *def = data;
    (void)size;
    tr_archive_value(archive, def->body);
    tr_archive_value(archive, def->kind);
    tr_archive_value(archive, def->point_count);
    tr_archive_value(archive, def->point);
    tr_archive_value(archive, def->radius);
    tr_archive_value(archive, def->before);
    tr_archive_value(archive, def->after);
    tr_archive_flag(archive, &def->has_before);
    tr_archive_flag(archive, &def->has_after);
    tr_archive_value(archive, def->half_extent);
    tr_archive_value(archive, def->density);
    tr_archive_value(archive, def->surface);
    visit_filter(archive, &def->filter, sizeof def->filter);
    tr_archive_flag(archive, &def->sensor);
    tr_archive_flag(archive, &def->contact_events);
    tr_archive_flag(archive, &def->hit_events);
    tr_archive_flag(archive, &def->custom_filter);
    tr_archive_value(archive, def->user_data);
}

/* all but the points, which the table visits as a list */
static inline void visit_chain_def(tr_archive *archive, void *data, size_t size)
{
    tr2_chain_def *def = data;
    (void)size;
    tr_archive_value(archive, def->count);
    tr_archive_flag(archive, &def->loop);
    visit_shape_def(archive, &def->shape, sizeof def->shape);
}

static inline void visit_contact_def(tr_archive *archive, void *data, size_t size)
{
    tr2_contact_def *def = data;
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
    tr_archive_value(archive, def->tangent_speed);
    tr_archive_value(archive, def->rolling_resistance);
    tr_archive_value(archive, def->id);
}

/*
 * What queries take part in
 */
static inline void visit_query(tr_archive *archive, tr2_query *query)
{
    bool asks = !tr_archive_reads(archive) && query->accept != NULL;
    visit_filter(archive, &query->filter, sizeof query->filter);
    tr_archive_flag(archive, &query->sensors);
    tr_archive_flag(archive, &asks);
    if (tr_archive_reads(archive)) {
        query->accept = asks ? tr2_stand_in_accept : NULL;
        query->context = NULL;
    }
}

static inline void visit_explosion(tr_archive *archive, void *data, size_t size)
{
    tr2_explosion *explosion = data;
    (void)size;
    tr_archive_value(archive, explosion->position);
    tr_archive_value(archive, explosion->radius);
    tr_archive_value(archive, explosion->falloff);
    tr_archive_value(archive, explosion->impulse_per_length);
    visit_query(archive, &explosion->query);
}

static inline void visit_wind(tr_archive *archive, void *data, size_t size)
{
    tr2_wind *wind = data;
    (void)size;
    tr_archive_value(archive, wind->velocity);
    tr_archive_value(archive, wind->density);
    tr_archive_value(archive, wind->drag);
    tr_archive_value(archive, wind->lift);
    visit_query(archive, &wind->query);
}

static inline void visit_fluid(tr_archive *archive, void *data, size_t size)
{
    tr2_fluid *fluid = data;
    (void)size;
    tr_archive_value(archive, fluid->point);
    tr_archive_value(archive, fluid->normal);
    tr_archive_value(archive, fluid->density);
    tr_archive_value(archive, fluid->velocity);
    tr_archive_value(archive, fluid->drag);
    tr_archive_value(archive, fluid->damping);
    visit_query(archive, &fluid->query);
}

static inline void visit_character(tr_archive *archive, void *data, size_t size)
{
    tr2_character *character = data;
    tr2_character_def *def = &character->def;
    (void)size;
    tr_archive_value(archive, def->radius);
    tr_archive_value(archive, def->height);
    tr_archive_value(archive, def->up);
    tr_archive_value(archive, def->max_slope);
    tr_archive_value(archive, def->step_up);
    tr_archive_value(archive, def->step_down);
    tr_archive_value(archive, def->skin);
    tr_archive_value(archive, def->mass);
    tr_archive_value(archive, def->max_force);
    visit_query(archive, &def->query);
    tr_archive_value(archive, def->body);
    tr_archive_value(archive, character->position);
    tr_archive_value(archive, character->ground);
    tr_archive_value(archive, character->ground_anchor);
    tr_archive_value(archive, character->ground_point);
}

static inline void visit_character_result(tr_archive *archive, void *data, size_t size)
{
    tr2_character_result *result = data;
    (void)size;
    tr_archive_value(archive, result->position);
    tr_archive_value(archive, result->velocity);
    tr_archive_flag(archive, &result->on_ground);
    tr_archive_flag(archive, &result->crushed);
    tr_archive_value(archive, result->ground_normal);
    tr_archive_value(archive, result->ground_velocity);
    tr_archive_value(archive, result->ground);
    tr_archive_value(archive, result->ground_shape);
    tr_archive_value(archive, result->hit_count);
    for (uint32_t i = 0; i < result->hit_count && i < TR2_CHARACTER_HITS; i++) {
        tr_archive_value(archive, result->hits[i].shape);
        tr_archive_value(archive, result->hits[i].body);
        tr_archive_value(archive, result->hits[i].point);
        tr_archive_value(archive, result->hits[i].normal);
        tr_archive_value(archive, result->hits[i].impulse);
    }
}
