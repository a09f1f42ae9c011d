/* Every number that can be read of a world after a step, one after another: to see whether all are finite, and to
   compare what two worlds show. Ids, counts, kinds and user data are left out. */
#ifndef TR_TESTS_READABLE_H
#define TR_TESTS_READABLE_H

#include "world_fixture.h"

/* takes a number, what it is, and the slot of what it belongs to */
typedef void take_number(void *context, const char *name, uint32_t slot, double value);

typedef struct reader {
    take_number *take;
    void *context;
} reader;

static inline void take_vec2(const reader *to, const char *name, uint32_t slot, tr_vec2 v)
{
    to->take(to->context, name, slot, (double)v.x);
    to->take(to->context, name, slot, (double)v.y);
}

static inline void take_dvec2(const reader *to, const char *name, uint32_t slot, tr_dvec2 v)
{
    to->take(to->context, name, slot, v.x);
    to->take(to->context, name, slot, v.y);
}

static inline void read_body_columns(const tr2_world *world, const reader *to)
{
    tr2_body_view view = tr2_world_bodies(world);
    const struct {
        const char *name;
        const double *column;
    } doubles[] = {{"center_x", view.center_x}, {"center_y", view.center_y}, {"angle", view.angle}};
    const struct {
        const char *name;
        const float *column;
    } floats[] = {
        {"c", view.c},
        {"s", view.s},
        {"velocity_x", view.velocity_x},
        {"velocity_y", view.velocity_y},
        {"angular_velocity", view.angular_velocity},
        {"local_center_x", view.local_center_x},
        {"local_center_y", view.local_center_y},
        {"mass", view.mass},
        {"inertia", view.inertia},
        {"inverse_mass", view.inverse_mass},
        {"inverse_inertia", view.inverse_inertia},
        {"gravity_scale", view.gravity_scale},
        {"linear_damping", view.linear_damping},
        {"angular_damping", view.angular_damping},
        {"sleep_scale", view.sleep_scale},
        {"force_x", view.force_x},
        {"force_y", view.force_y},
        {"torque", view.torque},
    };
    for (uint32_t row = 0; row < view.count; row++) {
        uint32_t slot = view.id[row].index - 1;
        for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++)
            to->take(to->context, doubles[i].name, slot, doubles[i].column[row]);
        for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
            to->take(to->context, floats[i].name, slot, (double)floats[i].column[row]);
    }
}

static inline void read_bodies(const tr2_world *world, const reader *to)
{
    tr2_body_view view = tr2_world_bodies(world);
    for (uint32_t row = 0; row < view.count; row++) {
        uint32_t slot = view.id[row].index - 1;
        tr2_body_def def;
        assert_ok(world, tr2_body_get(world, view.id[row], &def));
        take_dvec2(to, "body_get position", slot, def.position);
        to->take(to->context, "body_get angle", slot, def.angle);
        take_vec2(to, "body_get velocity", slot, def.velocity);
        to->take(to->context, "body_get angular_velocity", slot, (double)def.angular_velocity);
        to->take(to->context, "body_get mass", slot, (double)def.mass);
        to->take(to->context, "body_get inertia", slot, (double)def.inertia);
        take_vec2(to, "body_get center", slot, def.center);
        tr2_transform transform;
        assert_ok(world, tr2_body_get_transform(world, view.id[row], &transform));
        take_dvec2(to, "transform position", slot, transform.position);
        to->take(to->context, "transform angle", slot, transform.angle);
        /* these refuse what does not fit */
        tr_dvec2 point;
        tr_vec2 vector;
        if (tr2_body_world_point(world, view.id[row], (tr_vec2){1.0f, 2.0f}, &point) == TR_OK)
            take_dvec2(to, "world_point", slot, point);
        if (tr2_body_local_point(world, view.id[row], (tr_dvec2){1.0, 2.0}, &vector) == TR_OK)
            take_vec2(to, "local_point", slot, vector);
        if (tr2_body_point_velocity(world, view.id[row], (tr_dvec2){1.0, 2.0}, &vector) == TR_OK)
            take_vec2(to, "point_velocity", slot, vector);
    }
}

static inline void take_reaction(const reader *to, uint32_t slot, const tr2_reaction *reaction)
{
    take_vec2(to, "reaction force", slot, reaction->force);
    to->take(to->context, "reaction torque", slot, (double)reaction->torque);
    to->take(to->context, "reaction spring", slot, (double)reaction->spring);
    to->take(to->context, "reaction motor", slot, (double)reaction->motor);
    to->take(to->context, "reaction lower", slot, (double)reaction->lower);
    to->take(to->context, "reaction upper", slot, (double)reaction->upper);
    to->take(to->context, "reaction friction", slot, (double)reaction->friction);
}

static inline void read_joint(const tr2_world *world, tr2_joint id, tr2_joint_type type, const reader *to)
{
    uint32_t slot = id.index - 1;
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++) {
        float value;
        if (!tr2_joint_type_has(type, (tr2_field)field))
            continue;
        assert_ok(world, tr2_joint_get_value(world, id, (tr2_field)field, &value));
        to->take(to->context, tr2_field_name((tr2_field)field), slot, (double)value);
    }
    tr2_reaction reaction;
    assert_ok(world, tr2_joint_reaction(world, id, &reaction));
    take_reaction(to, slot, &reaction);
    tr_joint_error_value error;
    assert_ok(world, tr2_joint_error(world, id, &error));
    to->take(to->context, "error linear", slot, (double)error.linear);
    to->take(to->context, "error angular", slot, (double)error.angular);
    tr_joint_coordinate_value coordinate;
    assert_ok(world, tr2_joint_coordinate(world, id, &coordinate));
    to->take(to->context, "coordinate value", slot, (double)coordinate.value);
    to->take(to->context, "coordinate rate", slot, (double)coordinate.rate);
}

static inline void read_joints(const tr2_world *world, const reader *to)
{
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_view view = tr2_world_joints(world, (tr2_joint_type)type);
        for (uint32_t row = 0; row < view.count; row++) {
            read_joint(world, view.id[row], (tr2_joint_type)type, to);
            for (uint32_t i = 0; i < view.impulse_count; i++) {
                if (view.impulse[i] != NULL)
                    to->take(to->context, view.impulse_name[i], view.id[row].index - 1, (double)view.impulse[i][row]);
            }
        }
    }
    tr2_event_view events = tr2_world_events(world);
    for (uint32_t i = 0; i < events.count; i++)
        take_reaction(to, events.event[i].joint.index - 1, &events.event[i].reaction);
}

static inline void take_contact_impulse(const reader *to, uint32_t index, const tr2_contact_impulse *impulse)
{
    for (uint32_t i = 0; i < 2; i++) {
        to->take(to->context, "contact normal", index, (double)impulse->normal[i]);
        to->take(to->context, "contact tangent", index, (double)impulse->tangent[i]);
        to->take(to->context, "contact total", index, (double)impulse->total[i]);
    }
    to->take(to->context, "contact rolling", index, (double)impulse->rolling);
}

static inline void read_contacts(const tr2_world *world, const reader *to)
{
    for (uint32_t i = 0; i < tr2_world_contact_count(world); i++) {
        tr2_contact_impulse impulse;
        assert_ok(world, tr2_world_get_contact_impulses(world, i, 1, &impulse));
        take_contact_impulse(to, i, &impulse);
    }
    enum { MOST = 512 };
    static tr2_shape_contact contacts[MOST];
    uint32_t count;
    assert_ok(world, tr2_world_get_shape_contacts(world, contacts, MOST, &count));
    assert_true(count <= MOST);
    for (uint32_t i = 0; i < count; i++) {
        take_contact_impulse(to, i, &contacts[i].impulse);
        take_vec2(to, "contact of shapes: normal", i, contacts[i].normal);
        for (uint32_t k = 0; k < 2; k++) {
            take_dvec2(to, "contact of shapes: point", i, contacts[i].point[k]);
            to->take(to->context, "contact of shapes: separation", i, (double)contacts[i].separation[k]);
        }
    }
    tr2_touch_view touches = tr2_world_touches(world);
    for (uint32_t i = 0; i < touches.count; i++) {
        take_dvec2(to, "touch point", i, touches.event[i].point);
        take_vec2(to, "touch normal", i, touches.event[i].normal);
        to->take(to->context, "touch speed", i, (double)touches.event[i].speed);
    }
}

static inline void read_measures(const tr2_world *world, const reader *to)
{
    tr2_measures m = tr2_world_measure(world);
    to->take(to->context, "kinetic_energy", 0, m.kinetic_energy);
    to->take(to->context, "potential_energy", 0, m.potential_energy);
    take_dvec2(to, "momentum", 0, m.momentum);
    to->take(to->context, "angular_momentum", 0, m.angular_momentum);
    to->take(to->context, "joint_error_rms", 0, m.joint_error_rms);
    to->take(to->context, "joint_error_max", 0, m.joint_error_max);
    to->take(to->context, "joint_angle_error_rms", 0, m.joint_angle_error_rms);
    to->take(to->context, "joint_angle_error_max", 0, m.joint_angle_error_max);
}

static inline void read_everything(const tr2_world *world, const reader *to)
{
    read_body_columns(world, to);
    read_bodies(world, to);
    read_joints(world, to);
    read_contacts(world, to);
    read_measures(world, to);
}

#endif
