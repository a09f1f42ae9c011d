/* The scene of contacts in space: boxes and balls fall on the ground and on each other, some of them joined in pairs. Only
   sums, products, quotients and square roots. */
#define TR_DIMENSION 3

#include <math.h>
#include <stdlib.h>

#include "hash.h"

enum { LANDINGS = 256, MOST = 8 * LANDINGS };

#define HALF   0.4 /* m: of a box's edge, and the radius of a ball */
#define MARGIN 0.1

struct landings {
    uint32_t bodies; /* of LANDINGS; every third one is a box, the others are balls */
    tr3_body ground, ids[LANDINGS];
    tr3_transform at[LANDINGS];
    tr3_contact_def contacts[MOST];
    uint32_t count;
};

landings *landings_create(void)
{
    return calloc(1, sizeof(landings));
}

void landings_destroy(landings *it)
{
    free(it);
}

static bool is_box(uint32_t i)
{
    return i % 3 == 0;
}

/* columns of four */
tr_status landings_make(landings *it, tr3_world *world, uint32_t count)
{
    it->bodies = count < LANDINGS ? count : LANDINGS;
    tr3_body_def def = tr3_body_def_default();
    def.type = TR_STATIC;
    tr_status status = tr3_world_create_body(world, &def, &it->ground);
    def.type = TR_DYNAMIC;
    def.inertia = (tr_sym3){0.1f, 0.1f, 0.1f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < it->bodies && status == TR_OK; i++) {
        const uint32_t column = i / 4, row = i % 4;
        def.position = (tr_dvec3){1.25 * (column % 8) + 0.0625 * row, 0.5 + 0.875 * row, 1.25 * (column / 8)};
        def.angular_velocity = (tr_vec3){0.5f * (float)(i % 3), 0.25f, -0.5f * (float)(i % 5)};
        status = tr3_world_create_body(world, &def, &it->ids[i]);
    }
    for (uint32_t i = 7; i < it->bodies && status == TR_OK; i += 8) {
        tr3_joint_def joint = tr3_joint_def_default(TR3_JOINT_BALL);
        joint.body_a = it->ids[i - 1];
        joint.body_b = it->ids[i];
        joint.anchor_a = (tr_vec3){0.0f, 0.4375f, 0.0f};
        joint.anchor_b = (tr_vec3){0.0f, -0.4375f, 0.0f};
        status = tr3_world_create_joint(world, &joint, NULL);
    }
    return status;
}

/* a contact with what all have; null: there is no room */
static tr3_contact_def *add(landings *it, tr3_body a, tr3_body b, uint32_t kind)
{
    if (it->count == MOST)
        return NULL;
    tr3_contact_def *contact = &it->contacts[it->count++];
    *contact = tr3_contact_def_default();
    contact->body_a = a;
    contact->body_b = b;
    contact->point_count = 0;
    contact->friction = 0.25f + 0.25f * (float)(kind % 3);
    contact->restitution = kind % 4 == 0 ? 0.5f : 0.0f;
    contact->torsional_friction = kind % 2 == 0 ? 0.02f : 0.0f;
    contact->rolling_resistance = kind % 5 == 0 ? 0.01f : 0.0f;
    return contact;
}

static void add_point(tr3_contact_def *contact, tr_dvec3 point, double separation, uint32_t id)
{
    const uint32_t k = contact->point_count++;
    contact->point[k] = point;
    contact->separation[k] = (float)separation;
    contact->point_id[k] = id;
}

/* v + 2 w (u x v) + 2 u x (u x v) */
static tr_dvec3 turned(tr_quat q, tr_dvec3 v)
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const tr_dvec3 t = {2.0 * (y * v.z - z * v.y), 2.0 * (z * v.x - x * v.z), 2.0 * (x * v.y - y * v.x)};
    return (tr_dvec3){v.x + w * t.x + (y * t.z - z * t.y), v.y + w * t.y + (z * t.x - x * t.z),
                      v.z + w * t.z + (x * t.y - y * t.x)};
}

/* up to four corners of a box; the lowest point of a ball */
static void meet_ground(landings *it, uint32_t i)
{
    const tr_dvec3 center = it->at[i].position;
    tr3_contact_def *contact = NULL;
    if (center.y > 1.75 * HALF + MARGIN)
        return;
    if (!is_box(i)) {
        if (center.y - HALF < MARGIN)
            contact = add(it, it->ground, it->ids[i], i);
        if (contact != NULL)
            add_point(contact, (tr_dvec3){center.x, 0.5 * (center.y - HALF), center.z}, center.y - HALF, 0);
        return;
    }
    for (uint32_t corner = 0; corner < 8; corner++) {
        const tr_dvec3 local = {(corner & 1) != 0 ? HALF : -HALF, (corner & 2) != 0 ? HALF : -HALF,
                                (corner & 4) != 0 ? HALF : -HALF};
        const tr_dvec3 arm = turned(it->at[i].rotation, local);
        const tr_dvec3 point = {center.x + arm.x, center.y + arm.y, center.z + arm.z};
        if (point.y > MARGIN)
            continue;
        contact = contact != NULL ? contact : add(it, it->ground, it->ids[i], i);
        if (contact == NULL || contact->point_count == TR3_CONTACT_POINTS)
            return;
        add_point(contact, (tr_dvec3){point.x, 0.5 * point.y, point.z}, point.y, corner);
        /* a conveyor under some */
        if (i % 9 == 0)
            contact->surface_velocity = (tr_vec3){0.5f, 0.0f, 0.25f};
    }
}

/* as of two balls */
static void meet(landings *it, uint32_t i, uint32_t k)
{
    const tr_dvec3 a = it->at[i].position, b = it->at[k].position;
    const tr_dvec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
    const double square = d.x * d.x + d.y * d.y + d.z * d.z, most = 2.0 * HALF + MARGIN;
    if (!(square < most * most) || !(square > 1e-6) || (k % 8 == 7 && i + 1 == k))
        return;
    const double length = sqrt(square);
    tr3_contact_def *contact = add(it, it->ids[i], it->ids[k], i + k);
    if (contact == NULL)
        return;
    contact->normal = (tr_vec3){(float)(d.x / length), (float)(d.y / length), (float)(d.z / length)};
    add_point(contact, (tr_dvec3){a.x + 0.5 * d.x, a.y + 0.5 * d.y, a.z + 0.5 * d.z}, length - 2.0 * HALF, 0);
}

tr_status landings_find(landings *it, tr3_world *world)
{
    tr_status status = TR_OK;
    it->count = 0;
    for (uint32_t i = 0; i < it->bodies && status == TR_OK; i++)
        status = tr3_body_get_transform(world, it->ids[i], &it->at[i]);
    for (uint32_t i = 0; i < it->bodies && status == TR_OK; i++) {
        meet_ground(it, i);
        for (uint32_t k = i + 1; k < it->bodies; k++)
            meet(it, i, k);
    }
    return status == TR_OK ? tr3_world_set_contacts(world, it->contacts, it->count) : status;
}
