/* Contacts of the application: its set is replaced as a whole; impulses and places in the plan persist. */
#include "world/core/contact.h"

#include <float.h>
#include <math.h>

#include "world/core/check.h"

/* tolerance of a normal's squared length: more than a few roundings in float */
#define NORMAL_SLACK 1e-3

void trn_contacts_init(trn_contact_set *set, tr_memory *memory)
{
    tr_map_init(&set->slots, memory);
}

void trn_contacts_free(trn_contact_set *set, tr_memory *memory)
{
    tr_map_free(&set->slots);
    tr_release(memory, set->order, set->order_capacity * sizeof *set->order);
    tr_release(memory, set->next, set->next_capacity * sizeof *set->next);
    tr_release(memory, set->removed, set->removed_capacity * sizeof *set->removed);
    tr_release(memory, set->added, set->added_capacity * sizeof *set->added);
}

void trn_contacts_archive(trn_contact_set *set, tr_archive *archive)
{
    tr_archive_flag(archive, &set->bounces);
    tr_archive_value(archive, set->count);
    tr_archive_array(archive, (void **)&set->order, &set->order_capacity, set->count, 0, sizeof *set->order);
}

static tr_map_key key_of(uint64_t id, trn_body a, trn_body b)
{
    tr_map_key key = {id, (uint64_t)a.index << 32 | b.index};
    return key;
}

static tr_map_key key_of_row(const trn_joints *contacts, uint32_t row)
{
    return key_of(contacts->user_data[row], contacts->body_a[row], contacts->body_b[row]);
}

void trn_contact_forget(trn_world *world, uint32_t row)
{
    const trn_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t order = trn_contact_own(contacts, TRN_CONTACT_ORDER, row);
    if (!trn_contact_is_given(world, row)) {
        trn_pair_forget(world, order);
        return;
    }
    tr_map_remove(&world->contacts.slots, key_of_row(contacts, row));
    world->contacts.order[order] = TR_NONE;
}

bool trn_contacts_enter(trn_world *world, tr_archive *archive)
{
    trn_contact_set *set = &world->contacts;
    const trn_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t given = 0, listed = 0;
    for (uint32_t row = 0; row < contacts->table.count; row++)
        given += trn_contact_is_given(world, row);
    tr_map_clear(&set->slots);
    if (!tr_map_reserve(&set->slots, given)) {
        archive->status = TR_ERROR_MEMORY;
        return true;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t slot = set->order[i];
        if (slot == TR_NONE)
            continue;
        if (slot >= world->joint_pool.count || tr_pool_is_free(&world->joint_pool, slot) ||
            trn_joint_type_of(world, slot) != TR_CONTACT)
            return false;
        uint32_t row = world->joint_pool.row[slot];
        if (!trn_contact_is_given(world, row) || trn_contact_own(contacts, TRN_CONTACT_ORDER, row) != i ||
            tr_map_find(&set->slots, key_of_row(contacts, row)) != TR_MAP_NONE)
            return false;
        tr_map_put(&set->slots, key_of_row(contacts, row), slot);
        listed++;
    }
    return listed == given;
}

/*
 * Checks
 */
static tr_status check_normal(const trn_check *check, trn_vec normal)
{
    tr_status status = trn_check_vec(check, "normal", normal);
    if (status == TR_OK && !(trn_square(normal) > 0.0))
        status = trn_check_fail(check, TR_ERROR_ZERO, "normal", "has no length");
    if (status == TR_OK && fabs(trn_square(normal) - 1.0) > NORMAL_SLACK)
        status = trn_check_fail(check, TR_ERROR_RANGE, "normal", "has length %g, must have 1", trn_size(normal));
    return status;
}

/* a point is stored relative to each body's origin, as a float */
static bool is_near(const trn_world *world, trn_body body, trn_dvec point)
{
    const double most = 1e38;
    return trn_is_within(trn_minus(point, trn_body_mass_center(&world->bodies, trn_body_row(world, body))), most);
}

static tr_status check_point(const trn_check *check, const trn_world *world, const trn_contact_def *def, uint32_t i)
{
    static const char *const names[][2] = {{"point[0]", "separation[0]"},
                                           {"point[1]", "separation[1]"},
                                           {"point[2]", "separation[2]"},
                                           {"point[3]", "separation[3]"}};
    tr_status status = trn_check_dvec(check, names[i][0], def->point[i]);
    if (status == TR_OK)
        status = trn_check_finite(check, names[i][1], (double)def->separation[i]);
    if (status == TR_OK && !(is_near(world, def->body_a, def->point[i]) && is_near(world, def->body_b, def->point[i])))
        status = trn_check_fail(check, TR_ERROR_RANGE, names[i][0], "is too far from a body");
    return status;
}

static tr_status check_surface(const trn_check *check, const trn_contact_def *def)
{
    tr_status status = trn_check_not_negative(check, "friction", (double)def->friction);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "restitution", (double)def->restitution);
    if (status == TR_OK && def->restitution > TRN_RESTITUTION_MAX)
        status = trn_check_fail(check, TR_ERROR_RANGE, "restitution", "is %s, must be 0 to %g",
                                tr_number((double)def->restitution).text, (double)TRN_RESTITUTION_MAX);
    return status != TR_OK ? status : trn_contact_check_own(check, def);
}

/* checks the numbers one by one, for the message */
static __attribute__((noinline)) tr_status check_numbers(const trn_check *check, const trn_world *world,
                                                         const trn_contact_def *def)
{
    tr_status status = check_normal(check, def->normal);
    if (status == TR_OK && def->point_count - 1 >= TRN_CONTACT_POINTS)
        status = trn_check_fail(check, TR_ERROR_RANGE, "point_count", "is %u, must be 1 %s %u", def->point_count,
                                TRN_CONTACT_POINTS == 2 ? "or" : "to", (uint32_t)TRN_CONTACT_POINTS);
    for (uint32_t i = 0; i < TRN_CONTACT_POINTS && i < def->point_count && status == TR_OK; i++)
        status = check_point(check, world, def, i);
    return status != TR_OK ? status : check_surface(check, def);
}

/* A quick check that suffices for valid numbers; comparisons are false for NaN. */
static bool are_good(const trn_world *world, const trn_contact_def *def)
{
    bool good = fabs(trn_square(def->normal) - 1.0) <= NORMAL_SLACK && def->point_count - 1 < TRN_CONTACT_POINTS &&
                def->friction >= 0.0f && def->friction <= FLT_MAX && def->restitution >= 0.0f &&
                def->restitution <= TRN_RESTITUTION_MAX && trn_contact_is_own_good(def);
    for (uint32_t i = 0; good && i < def->point_count; i++)
        good = fabsf(def->separation[i]) <= FLT_MAX && is_near(world, def->body_a, def->point[i]) &&
               is_near(world, def->body_b, def->point[i]);
    return good;
}

static tr_status check_def(const trn_check *check, const trn_world *world, const trn_contact_def *def)
{
    tr_status status = trn_check_bodies(check, world, def->body_a, def->body_b);
    return status != TR_OK || are_good(world, def) ? status : check_numbers(check, world, def);
}

static tr_status check_defs(const trn_world *world, trn_check *check, const trn_contact_def *defs, uint32_t count)
{
    check->subject = "defs";
    tr_status status = count > 0 ? trn_check_pointer(check, "", defs) : TR_OK;
    if (status == TR_OK)
        status = trn_check_room(check, &world->joint_pool, count, TR_JOINT_BITS);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check->index = i;
        status = check_def(check, world, &defs[i]);
    }
    return status;
}

/*
 * The set
 */
uint32_t trn_contact_fill(trn_world *world, uint32_t row, trn_body body_a, trn_body body_b, uint64_t user_data)
{
    trn_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t slot = tr_pool_take(&world->joint_pool, row);
    TR_TABLE_PUT(uint32_t, contacts, slot, row, slot);
    TR_TABLE_PUT(trn_body, contacts, body_a, row, body_a);
    TR_TABLE_PUT(trn_body, contacts, body_b, row, body_b);
    TR_TABLE_PUT(uint64_t, contacts, user_data, row, user_data);
    return slot;
}

uint32_t trn_contact_append(trn_world *world, trn_body body_a, trn_body body_b, uint64_t user_data)
{
    return trn_contact_fill(world, tr_table_append(&world->joints[TR_CONTACT].table), body_a, body_b, user_data);
}

static uint32_t row_of(const trn_world *world, uint32_t slot)
{
    return world->joint_pool.row[slot];
}

/* whether a slot is not in use yet, only assigned to a new contact */
static bool is_promised(const tr_pool *pool, uint32_t slot)
{
    return slot >= pool->count || tr_pool_is_free(pool, slot);
}

/* makes room for any set of `count` contacts; after a failure only capacities have changed */
static bool reserve(trn_world *world, uint32_t count)
{
    trn_contact_set *set = &world->contacts;
    tr_pool *pool = &world->joint_pool;
    trn_joints *contacts = &world->joints[TR_CONTACT];
    bool ok =
        tr_pool_reserve(pool, count) &&
        tr_grow(&world->memory, (void **)&set->next, &set->next_capacity, count, sizeof *set->next) &&
        tr_grow(&world->memory, (void **)&set->removed, &set->removed_capacity, set->count, sizeof *set->removed) &&
        tr_grow(&world->memory, (void **)&set->added, &set->added_capacity, count, sizeof *set->added) &&
        tr_map_reserve(&set->slots, contacts->table.count + count) &&
        tr_table_reserve(&contacts->table, contacts->table.count + count);
    trn_joints_refresh(contacts, TR_CONTACT);
    return ok;
}

/* the changes that a new set makes */
typedef struct change {
    uint32_t entered; /* definitions with a slot, existing or assigned */
    uint32_t added, removed;
} change;

/* removes the marks and assignments of a set, after a failure or when it is complete */
static void take_back(trn_world *world, const trn_contact_def *defs, const change *it)
{
    trn_contact_set *set = &world->contacts;
    for (uint32_t i = 0; i < it->entered; i++) {
        if (set->next[i] == TR_NONE)
            continue;
        if (is_promised(&world->joint_pool, set->next[i]))
            tr_map_remove(&set->slots, key_of(defs[i].id, defs[i].body_a, defs[i].body_b));
        else
            world->joints[TR_CONTACT].flags[row_of(world, set->next[i])] &= ~TR_JOINT_MARKED;
    }
}

/* the slot of an existing contact, which is nearly always at the same place of the last set */
static uint32_t find_slot(const trn_world *world, tr_map_key key, uint32_t place)
{
    const trn_contact_set *set = &world->contacts;
    if (place < set->count && set->order[place] != TR_NONE) {
        tr_map_key there = key_of_row(&world->joints[TR_CONTACT], row_of(world, set->order[place]));
        if (there.a == key.a && there.b == key.b)
            return set->order[place];
    }
    return tr_map_find(&set->slots, key);
}

/* a contact with a disabled body does nothing, and gets no slot */
static bool rests(const trn_world *world, const trn_contact_def *def)
{
    return trn_body_is_disabled(world, trn_body_row(world, def->body_a)) ||
           trn_body_is_disabled(world, trn_body_row(world, def->body_b));
}

/* Finds each definition's slot or assigns one, and marks kept contacts. False if a definition occurs twice. */
static bool enter(trn_world *world, const trn_contact_def *defs, uint32_t count, change *it)
{
    trn_contact_set *set = &world->contacts;
    const tr_pool *pool = &world->joint_pool;
    uint32_t *flags = world->joints[TR_CONTACT].flags;
    for (; it->entered < count; it->entered++) {
        const trn_contact_def *def = &defs[it->entered];
        set->next[it->entered] = TR_NONE;
        if (rests(world, def))
            continue;
        tr_map_key key = key_of(def->id, def->body_a, def->body_b);
        uint32_t slot = find_slot(world, key, it->entered);
        if (slot == TR_MAP_NONE) {
            slot = it->added == 0 ? tr_pool_coming(pool) : tr_pool_coming_after(pool, set->added[it->added - 1].edge);
            tr_map_put(&set->slots, key, slot);
            set->added[it->added++] = (tr_plan_edge){slot, def->body_a.index - 1, def->body_b.index - 1,
                                                     trn_contact_kernel_of(def->point_count)};
        } else {
            if (is_promised(pool, slot) || (flags[row_of(world, slot)] & TR_JOINT_MARKED) != 0)
                return false;
            flags[row_of(world, slot)] |= TR_JOINT_MARKED;
        }
        set->next[it->entered] = slot;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t slot = set->order[i];
        if (slot != TR_NONE && (flags[row_of(world, slot)] & TR_JOINT_MARKED) == 0)
            set->removed[it->removed++] = slot;
    }
    return true;
}

/* moves kept contacts with a changed number of points to another span; going back needs no memory */
static tr_status set_kinds(trn_world *world, const trn_contact_def *defs, uint32_t count, bool back)
{
    const trn_contact_set *set = &world->contacts;
    for (uint32_t i = 0; i < count; i++) {
        if (set->next[i] == TR_NONE || is_promised(&world->joint_pool, set->next[i]) ||
            trn_contact_kernel(world, set->next[i]) == trn_contact_kernel_of(defs[i].point_count))
            continue;
        tr_status status = tr_plan_set_kind(world->plan, set->next[i],
                                            back ? trn_contact_kernel(world, set->next[i])
                                                 : trn_contact_kernel_of(defs[i].point_count));
        if (status != TR_OK) {
            (void)set_kinds(world, defs, i, true);
            return status;
        }
    }
    return TR_OK;
}

/* updates the plan, all or nothing */
static tr_status replan(trn_world *world, const trn_contact_def *defs, uint32_t count, const change *it)
{
    const trn_contact_set *set = &world->contacts;
    tr_status status = set_kinds(world, defs, count, false);
    if (status != TR_OK)
        return status;
    if (it->removed + it->added > 0)
        status = tr_plan_exchange(world->plan, set->removed, it->removed, set->added, it->added);
    if (status != TR_OK)
        (void)set_kinds(world, defs, count, true);
    return status;
}

/* wakes what contacts come to or go from */
static void rouse_changed(trn_world *world, const change *it)
{
    const trn_contact_set *set = &world->contacts;
    for (uint32_t i = 0; i < it->added; i++) {
        trn_sleep_rouse(world, set->added[i].vertex_a);
        trn_sleep_rouse(world, set->added[i].vertex_b);
    }
    for (uint32_t i = 0; i < it->removed; i++) {
        trn_sleep_rouse(world, world->joints[TR_CONTACT].body_a[row_of(world, set->removed[i])].index - 1);
        trn_sleep_rouse(world, world->joints[TR_CONTACT].body_b[row_of(world, set->removed[i])].index - 1);
    }
}

/* updates rows and slots; everything that could fail is done */
static void commit(trn_world *world, const trn_contact_def *defs, uint32_t count, const change *it)
{
    trn_contact_set *set = &world->contacts;
    for (uint32_t i = 0; i < count; i++) {
        if (set->next[i] == TR_NONE || !is_promised(&world->joint_pool, set->next[i]))
            continue;
        trn_contact_append(world, defs[i].body_a, defs[i].body_b, defs[i].id);
    }
    rouse_changed(world, it);
    for (uint32_t i = 0; i < it->removed; i++)
        trn_joint_drop(world, set->removed[i], TR_CONTACT);
    for (uint32_t i = 0; i < count; i++) {
        if (set->next[i] != TR_NONE)
            trn_contact_write(world, row_of(world, set->next[i]), &defs[i], i);
    }

    uint32_t *old = set->order, old_capacity = set->order_capacity;
    set->order = set->next;
    set->order_capacity = set->next_capacity;
    set->count = count;
    set->next = old;
    set->next_capacity = old_capacity;
}

tr_status trn_do_world_set_contacts(trn_world *world, const trn_contact_def *defs, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "set_contacts", "");
    tr_status status = check_defs(world, &check, defs, count);
    if (status != TR_OK)
        return status;
    change it = {0, 0, 0};
    if (!reserve(world, count)) {
        status = TR_ERROR_MEMORY;
    } else if (!enter(world, defs, count, &it)) {
        check.index = it.entered;
        status = trn_check_fail(&check, TR_ERROR_RANGE, "id", "is %llu, as another's between the same bodies",
                                (unsigned long long)defs[it.entered].id);
        take_back(world, defs, &it);
        return status;
    } else {
        status = replan(world, defs, count, &it);
    }
    if (status != TR_OK) {
        take_back(world, defs, &it);
        check.subject = "";
        check.index = TR_NONE;
        return trn_check_fail(&check, status, "", "no memory for %u contacts", count);
    }
    commit(world, defs, count, &it);
    return TR_OK;
}

/*
 * Queries
 */
uint32_t trn_world_contact_count(const trn_world *world)
{
    return world != NULL ? world->contacts.count : 0;
}

tr_status trn_world_get_contact_impulses(const trn_world *world, uint32_t first, uint32_t count,
                                         trn_contact_impulse *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    trn_check check = trn_check_of(world, "get_contact_impulses", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    const trn_contact_set *set = &world->contacts;
    if (status == TR_OK && (first >= set->count || count > set->count - first))
        status = trn_check_fail(&check, TR_ERROR_RANGE, "first", "and count are %u and %u, but there are %u contacts",
                                first, count, set->count);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = set->order[first + i];
        if (slot == TR_NONE)
            memset(&out[i], 0, sizeof out[i]);
        else
            trn_contact_read_impulse(&world->joints[TR_CONTACT], row_of(world, slot), &out[i]);
    }
    return TR_OK;
}

/*
 * Settings
 */
tr_status trn_check_contact_settings(const trn_check *check, const trn_contact_settings *settings)
{
    tr_status status = trn_check_positive(check, "frequency", (double)settings->frequency);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "damping_ratio", (double)settings->damping_ratio);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "push_speed", (double)settings->push_speed);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "bounce_speed", (double)settings->bounce_speed);
    return status != TR_OK ? status : trn_check_own_contact_settings(check, settings);
}

tr_status trn_do_world_set_contact_settings(trn_world *world, const trn_contact_settings *settings)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "set_contact_settings", "");
    tr_status status = trn_check_pointer(&check, "settings", settings);
    check.subject = "settings";
    if (status == TR_OK)
        status = trn_check_contact_settings(&check, settings);
    if (status != TR_OK)
        return status;
    trn_contact_settings_write(world, settings);
    trn_sleep_wake_all(world);
    return TR_OK;
}

trn_contact_settings trn_world_contact_settings(const trn_world *world)
{
    return world != NULL ? world->settings.contacts : (trn_contact_settings){0};
}
