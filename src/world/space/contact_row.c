/* A contact in space as a table row: converts world positions to arms from the bodies' centres of mass. */
#include <math.h>

#include "world/core/body.h"
#include "world/core/contact.h"

/* how far a contact may rotate (rad) or slide (relative to its size) before its normal and arms are updated:
   docs/contacts.md */
#define SAME_PLACE 0.05f

/* The geometry of a contact, in world axes. */
typedef struct places {
    tr_vec3 normal;                          /* unit vector */
    tr_vec3 arm_a, arm_b;                    /* m, from each body's centre of mass to the first point */
    tr_vec3 further[TR3_CONTACT_POINTS - 1]; /* m, from the first point to the others */
    uint32_t count;
} places;

/*
 * Columns
 */
static void vector_write(tr3_joints *it, int first, uint32_t row, tr_vec3 v)
{
    it->own[first][row] = v.x;
    it->own[first + 1][row] = v.y;
    it->own[first + 2][row] = v.z;
}

static places places_read(const tr3_joints *it, uint32_t row)
{
    places p = {.normal = tr3_contact_vector(it->own, TR3_CONTACT_NORMAL, row),
                .arm_a = tr3_contact_vector(it->own, TR3_CONTACT_ARM_A, row),
                .arm_b = tr3_contact_vector(it->own, TR3_CONTACT_ARM_B, row),
                .count = tr3_contact_count(it->own, row)};
    for (int i = 0; i < TR3_CONTACT_POINTS - 1; i++)
        p.further[i] = tr3_contact_vector(it->own, TR3_CONTACT_FURTHER + 3 * i, row);
    return p;
}

static void places_write(tr3_joints *it, uint32_t row, const places *p)
{
    vector_write(it, TR3_CONTACT_NORMAL, row, p->normal);
    vector_write(it, TR3_CONTACT_ARM_A, row, p->arm_a);
    vector_write(it, TR3_CONTACT_ARM_B, row, p->arm_b);
    it->own[TR3_CONTACT_COUNT][row] = (float)p->count;
    for (int i = 0; i < TR3_CONTACT_POINTS - 1; i++)
        vector_write(it, TR3_CONTACT_FURTHER + 3 * i, row, p->further[i]);
}

/*
 * Positions
 */
static double apart(tr_vec3 a, tr_vec3 b)
{
    tr_dvec3 d = tr3_minus(tr3_widen(a), tr3_widen(b));
    return tr3_dot(d, d);
}

/* Whether a contact is unchanged, except for little rotation or sliding. Its size is the distance of its points or the
   shorter arm (as for a thin plate), whichever is larger. */
static bool is_same_place(const places *a, const places *b)
{
    const tr_vec3 zero = {0.0f, 0.0f, 0.0f};
    const double slack = (double)(SAME_PLACE * SAME_PLACE);
    double size = fmin(apart(a->arm_a, zero), apart(a->arm_b, zero));
    for (uint32_t i = 0; i + 1 < a->count; i++)
        size = fmax(size, apart(a->further[i], zero));
    bool same = apart(a->normal, b->normal) <= slack && apart(a->arm_a, b->arm_a) <= slack * size &&
                apart(a->arm_b, b->arm_b) <= slack * size;
    for (uint32_t i = 0; i + 1 < a->count && same; i++)
        same = apart(a->further[i], b->further[i]) <= slack * size;
    return same;
}

static tr_vec3 arm_of(tr_dvec3 point, tr_dvec3 from)
{
    return tr3_narrow(tr3_minus(point, from));
}

/* the application's points are in world coordinates */
static places places_of(const tr3_world *world, const tr3_contact_def *def)
{
    const tr3_bodies *bodies = &world->bodies;
    places out = {.normal = tr3_narrow(tr3_over(tr3_widen(def->normal), tr3_size(def->normal))),
                  .arm_a = arm_of(def->point[0], tr3_body_mass_center(bodies, tr3_body_row(world, def->body_a))),
                  .arm_b = arm_of(def->point[0], tr3_body_mass_center(bodies, tr3_body_row(world, def->body_b))),
                  .count = def->point_count};
    for (uint32_t i = 1; i < def->point_count; i++)
        out.further[i - 1] = arm_of(def->point[i], def->point[0]);
    return out;
}

/*
 * Impulses
 */

/* which of the old points a new one is, by id, and by position if ids are equal; TR_NONE: it is new */
static uint32_t old_point(const tr3_joints *it, uint32_t row, uint32_t count, uint32_t point, uint32_t id)
{
    uint32_t from = TR_NONE;
    for (uint32_t k = 0; k < count; k++) {
        if (tr3_contact_own(it, TR3_CONTACT_POINT_ID + (int)k, row) == id && (from == TR_NONE || k == point))
            from = k;
    }
    return from;
}

/* the sum of the normal impulses */
static float load_of(const tr3_joints *it, uint32_t row)
{
    float load = 0.0f;
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++)
        load += it->impulse[tr3_contact_impulse_of(i)][row];
    return load;
}

/* Assigns the old impulses to the new points. Returns whether the points are the same, in the same order. */
static bool carry_points(tr3_joints *it, uint32_t row, const tr3_contact_def *def)
{
    const uint32_t count = (it->flags[row] & TR_JOINT_FEATURED) != 0 ? tr3_contact_count(it->own, row) : 1;
    uint32_t from[TR3_CONTACT_POINTS];
    bool same = count == def->point_count;
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++) {
        from[i] = i < def->point_count ? old_point(it, row, count, i, def->point_id[i]) : TR_NONE;
        /* of several with the id of one old point, the first has its impulses */
        for (uint32_t k = 0; k < i && from[i] != TR_NONE; k++)
            from[i] = from[k] == from[i] ? TR_NONE : from[i];
        same = same && (i >= count || from[i] == i);
    }
    if (same)
        return true;
    float old[TR3_CONTACT_POINTS][TR3_CONTACT_POINT_IMPULSES];
    const float load = load_of(it, row);
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++)
        for (int k = 0; k < TR3_CONTACT_POINT_IMPULSES; k++)
            old[i][k] = it->impulse[tr3_contact_impulse_of(i) + k][row];
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++)
        for (int k = 0; k < TR3_CONTACT_POINT_IMPULSES; k++)
            it->impulse[tr3_contact_impulse_of(i) + k][row] = from[i] == TR_NONE ? 0.0f : old[from[i]][k];
    /* scale what the points share with the part of the normal load that persists */
    const float kept = load_of(it, row), share = kept > 0.0f ? kept / load : 0.0f;
    for (int k = 0; k < 3; k++)
        it->impulse[TR3_CONTACT_TWIST + k][row] =
            share < 1.0f ? share * it->impulse[TR3_CONTACT_TWIST + k][row] : it->impulse[TR3_CONTACT_TWIST + k][row];
    return false;
}

/* a vector across the normal from its two numbers */
static tr_dvec3 across_read(const tr3_joints *it, int first, uint32_t row, const tr_dvec3 across[2])
{
    return tr3_plus(tr3_times((double)it->impulse[first][row], across[0]),
                    tr3_times((double)it->impulse[first + 1][row], across[1]));
}

/* friction and rolling keep their directions in the world */
static void carry_across(tr3_joints *it, uint32_t row, tr_vec3 from, tr_vec3 to)
{
    tr_dvec3 before[2], after[2];
    tr3_contact_across(from, before);
    tr3_contact_across(to, after);
    for (uint32_t i = 0; i <= TR3_CONTACT_POINTS; i++) {
        const int at = i == TR3_CONTACT_POINTS ? TR3_CONTACT_TURN : tr3_contact_impulse_of(i) + TR3_CONTACT_RUB_0;
        const tr_dvec3 p = across_read(it, at, row, before);
        it->impulse[at][row] = (float)tr3_dot(p, after[0]);
        it->impulse[at + 1][row] = (float)tr3_dot(p, after[1]);
    }
}

void tr3_contact_write(tr3_world *world, uint32_t row, const tr3_contact_def *def, uint32_t order)
{
    tr3_joints *it = &world->joints[TR_CONTACT];
    const places now = places_of(world, def), before = places_read(it, row);
    const bool kept = carry_points(it, row, def);
    if (!kept || now.count < 2 || !is_same_place(&before, &now)) {
        if (!tr3_is_same(before.normal, now.normal))
            carry_across(it, row, before.normal, now.normal);
        places_write(it, row, &now);
    }
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++) {
        it->impulse[tr3_contact_impulse_of(i) + TR3_CONTACT_SEPARATION_0][row] =
            i < now.count ? def->separation[i] : 0.0f;
        tr3_contact_set_own(it, TR3_CONTACT_POINT_ID + (int)i, row, i < now.count ? def->point_id[i] : 0);
    }
    /* this also clears the mark of a set in progress */
    it->flags[row] = (it->flags[row] & TR_JOINT_WAS_EXACT) | (now.count > 1 ? TR_JOINT_FEATURED : 0);
    it->own[TR3_CONTACT_FRICTION][row] = def->friction;
    it->own[TR3_CONTACT_RESTITUTION][row] = def->restitution;
    world->contacts.bounces = world->contacts.bounces || def->restitution > 0.0f;
    it->own[TR3_CONTACT_TORSION][row] = def->torsional_friction;
    it->own[TR3_CONTACT_ROLLING][row] = def->rolling_resistance;
    vector_write(it, TR3_CONTACT_SURFACE, row, def->surface_velocity);
    tr3_contact_set_own(it, TR3_CONTACT_ORDER, row, order);
}

void tr3_contact_read_impulse(const tr3_joints *it, uint32_t row, tr3_contact_impulse *out)
{
    tr_dvec3 across[2];
    tr3_contact_across(tr3_contact_vector(it->own, TR3_CONTACT_NORMAL, row), across);
    for (uint32_t i = 0; i < TR3_CONTACT_POINTS; i++) {
        const int at = tr3_contact_impulse_of(i);
        out->normal[i] = it->impulse[at][row];
        out->friction[i] = tr3_narrow(across_read(it, at + TR3_CONTACT_RUB_0, row, across));
        /* sums of added and removed impulses end at 0 only up to rounding */
        out->total[i] = fmaxf(it->impulse[at + TR3_CONTACT_TOTAL_0][row], 0.0f);
    }
    out->torsion = it->impulse[TR3_CONTACT_TWIST][row];
    out->rolling = tr3_narrow(across_read(it, TR3_CONTACT_TURN, row, across));
}
