/* A contact as a table row: converts world positions to arms from the bodies' centres of mass. */
#include "world/contacts/contact_row.h"

#include <math.h>

#include "collide/geometry/vector.h"

/* how far a contact may rotate (rad) or slide (relative to its size) before its normal and arms are updated:
   docs/contacts.md */
#define SAME_PLACE 0.05f

uint32_t tr2_contact_replace(tr2_world *world, uint32_t slot, tr2_body body_a, tr2_body body_b, uint64_t user_data)
{
    uint32_t row = world->joint_pool.row[slot];
    tr2_contact_forget(world, row);
    tr_table_clear(&world->joints[TR_CONTACT].table, row);
    return tr2_contact_fill(world, row, body_a, body_b, user_data);
}

/*
 * Positions
 */
static tr2_contact_places places_read(const tr2_joints *it, uint32_t row)
{
    float *const *own = it->own;
    tr2_contact_places p = {.normal = {own[TR2_CONTACT_NORMAL_X][row], own[TR2_CONTACT_NORMAL_Y][row]},
                            .arm_a = {own[TR2_CONTACT_ARM_A_X][row], own[TR2_CONTACT_ARM_A_Y][row]},
                            .arm_b = {own[TR2_CONTACT_ARM_B_X][row], own[TR2_CONTACT_ARM_B_Y][row]},
                            .second = {own[TR2_CONTACT_SECOND_X][row], own[TR2_CONTACT_SECOND_Y][row]}};
    return p;
}

void tr2_contact_write_single(tr2_joints *it, uint32_t row, const tr2_contact_places *p)
{
    float *const *own = it->own;
    own[TR2_CONTACT_NORMAL_X][row] = p->normal.x;
    own[TR2_CONTACT_NORMAL_Y][row] = p->normal.y;
    own[TR2_CONTACT_ARM_A_X][row] = p->arm_a.x;
    own[TR2_CONTACT_ARM_A_Y][row] = p->arm_a.y;
    own[TR2_CONTACT_ARM_B_X][row] = p->arm_b.x;
    own[TR2_CONTACT_ARM_B_Y][row] = p->arm_b.y;
    it->impulse[TR2_CONTACT_SEPARATION_0][row] = p->separation[0];
}

static void places_write(tr2_joints *it, uint32_t row, const tr2_contact_places *p)
{
    float *const *own = it->own;
    tr2_contact_write_single(it, row, p);
    own[TR2_CONTACT_SECOND_X][row] = p->second.x;
    own[TR2_CONTACT_SECOND_Y][row] = p->second.y;
}

/* squared distance */
static float apart(tr_vec2 a, tr_vec2 b)
{
    tr_vec2 d = tr_sub(a, b);
    return tr_dot(d, d);
}

/* Whether a contact is unchanged, except for little rotation or sliding. Its size is the distance of its points or
   the shorter arm (as for a thin plate), whichever is larger. */
static bool is_same_place(const tr2_joints *it, uint32_t row, const tr2_contact_places *b)
{
    const tr_vec2 zero = {0.0f, 0.0f};
    const float slack = SAME_PLACE * SAME_PLACE;
    tr2_contact_places a = places_read(it, row);
    float size = tr_min(apart(a.arm_a, zero), apart(a.arm_b, zero)), wide = apart(a.second, zero);
    if (wide > size)
        size = wide;
    return apart(a.normal, b->normal) <= slack && apart(a.arm_a, b->arm_a) <= slack * size &&
           apart(a.arm_b, b->arm_b) <= slack * size && apart(a.second, b->second) <= slack * size;
}

/* Assigns the old impulses to the new points, by id, or by position if ids are equal. Returns whether the points are
   the same, in the same order. */
static bool carry_impulses(tr2_joints *it, uint32_t row, uint32_t point_count, const uint32_t *point_id)
{
    static const int first[2] = {TR2_CONTACT_NORMAL_0, TR2_CONTACT_NORMAL_1};
    const uint32_t old_id[2] = {tr2_contact_own(it, TR2_CONTACT_POINT_ID_0, row),
                                tr2_contact_own(it, TR2_CONTACT_POINT_ID_1, row)};
    uint32_t old_count = (it->flags[row] & TR_JOINT_FEATURED) != 0 ? 2 : 1;
    if (old_count == point_count && old_id[0] == point_id[0] && (old_count == 1 || old_id[1] == point_id[1]))
        return true;
    float old[TR2_CONTACT_IMPULSES], kept = 0.0f;
    uint32_t taken = TR_NONE;
    for (int i = 0; i < TR2_CONTACT_IMPULSES; i++)
        old[i] = it->impulse[i][row];
    for (uint32_t point = 0; point < 2; point++) {
        uint32_t from = TR_NONE;
        for (uint32_t k = 0; k < old_count && point < point_count; k++) {
            if (old_id[k] == point_id[point] && (from == TR_NONE || k == point))
                from = k;
        }
        /* of two with the id of one old point, the first has its impulses */
        if (from == taken)
            from = TR_NONE;
        taken = from;
        /* the normal impulse and its total */
        for (int i = 0; i < 2; i++)
            it->impulse[first[point] + i][row] = from == TR_NONE ? 0.0f : old[first[from] + i];
        kept += it->impulse[first[point]][row];
    }
    /* scale friction with the part of the normal load that persists */
    float load = old[TR2_CONTACT_NORMAL_0] + old[TR2_CONTACT_NORMAL_1];
    it->impulse[TR2_CONTACT_TANGENT][row] = kept > 0.0f ? old[TR2_CONTACT_TANGENT] * (kept / load) : 0.0f;
    return false;
}

void tr2_contact_write_places(tr2_world *world, uint32_t row, const tr2_contact_places *places)
{
    tr2_joints *it = &world->joints[TR_CONTACT];
    bool kept = carry_impulses(it, row, places->point_count, places->point_id);
    if (!kept || places->point_count < 2 || places->ahead || !is_same_place(it, row, places))
        places_write(it, row, places);
    it->impulse[TR2_CONTACT_SEPARATION_0][row] = places->separation[0];
    it->impulse[TR2_CONTACT_SEPARATION_1][row] = places->point_count == 2 ? places->separation[1] : 0.0f;
    /* this also clears the mark of a set in progress */
    it->flags[row] = (it->flags[row] & (TR2_CONTACT_OF_SHAPES | TR_JOINT_WAS_EXACT)) |
                     (places->point_count == 2 ? TR_JOINT_FEATURED : 0);
    tr2_contact_set_own(it, TR2_CONTACT_POINT_ID_0, row, places->point_id[0]);
    tr2_contact_set_own(it, TR2_CONTACT_POINT_ID_1, row, places->point_id[1]);
}

static tr_vec2 less(tr_dvec2 p, double x, double y)
{
    return (tr_vec2){(float)(p.x - x), (float)(p.y - y)};
}

/* the application's points are in world coordinates */
static tr2_contact_places places_of(const tr2_world *world, const tr2_contact_def *def)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = tr2_body_row(world, def->body_a), b = tr2_body_row(world, def->body_b);
    double x = (double)def->normal.x, y = (double)def->normal.y, length = sqrt(x * x + y * y);
    tr2_contact_places out = {.normal = {(float)(x / length), (float)(y / length)}, .point_count = def->point_count};
    out.arm_a = less(def->point[0], bodies->center_x[a], bodies->center_y[a]);
    out.arm_b = less(def->point[0], bodies->center_x[b], bodies->center_y[b]);
    for (uint32_t i = 0; i < def->point_count; i++) {
        out.separation[i] = def->separation[i];
        out.point_id[i] = def->point_id[i];
    }
    if (def->point_count == 2)
        out.second = less(def->point[1], def->point[0].x, def->point[0].y);
    return out;
}

void tr2_contact_write(tr2_world *world, uint32_t row, const tr2_contact_def *def, uint32_t order)
{
    tr2_joints *it = &world->joints[TR_CONTACT];
    tr2_contact_places places = places_of(world, def);
    tr2_contact_write_places(world, row, &places);
    it->own[TR2_CONTACT_FRICTION][row] = def->friction;
    it->own[TR2_CONTACT_RESTITUTION][row] = def->restitution;
    world->contacts.bounces = world->contacts.bounces || def->restitution > 0.0f;
    it->own[TR2_CONTACT_TANGENT_SPEED][row] = def->tangent_speed;
    it->own[TR2_CONTACT_ROLLING][row] = def->rolling_resistance;
    tr2_contact_set_own(it, TR2_CONTACT_ORDER, row, order);
}

void tr2_contact_read_impulse(const tr2_joints *it, uint32_t row, tr2_contact_impulse *out)
{
    float *const *impulse = it->impulse;
    out->normal[0] = impulse[TR2_CONTACT_NORMAL_0][row];
    out->normal[1] = impulse[TR2_CONTACT_NORMAL_1][row];
    /* friction acts on both points together: divide it in proportion to the normal impulses */
    float tangent = impulse[TR2_CONTACT_TANGENT][row], load = out->normal[0] + out->normal[1];
    out->tangent[1] = load > 0.0f ? tangent * (out->normal[1] / load) : 0.0f;
    out->tangent[0] = tangent - out->tangent[1];
    out->rolling = impulse[TR2_CONTACT_TURN][row];
    /* sums of added and removed impulses end at 0 only up to rounding */
    out->total[0] = fmaxf(impulse[TR2_CONTACT_TOTAL_0][row], 0.0f);
    out->total[1] = fmaxf(impulse[TR2_CONTACT_TOTAL_1][row], 0.0f);
}
