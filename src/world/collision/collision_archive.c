/*
 * The collision of shapes in an archive: boxes, trees, pairs and manifolds, and touches to be reported. The index of
 * pairs is made again when a step needs it. What the application has set (filter, mixer) and what is measured (times)
 * belongs to the world that reads.
 */
#include <string.h>

#include "world/collision/collision_internal.h"
#include "world/contacts/contact_row.h"

/* Shapes that were destroyed since the last step: a list, each in a block of its own. */
static void visit_gone(tr2_collision *it, tr_archive *archive)
{
    uint32_t count = it->gone_count;
    tr_archive_value(archive, count);
    if (tr_archive_reads(archive))
        tr2_gone_release(it, archive->memory);
    tr2_gone_shape **end = &it->first_gone;
    for (uint32_t i = 0; i < count && tr_archive_goes_on(archive); i++) {
        if (tr_archive_reads(archive)) {
            *end = tr_allocate(archive->memory, sizeof **end);
            if (*end == NULL) {
                archive->status = TR_ERROR_MEMORY;
                return;
            }
            (*end)->size = sizeof **end;
            it->gone_count++;
        }
        tr2_gone_shape *gone = *end;
        tr_archive_value(archive, gone->id);
        tr_archive_value(archive, gone->body);
        tr_archive_value(archive, gone->user_data);
        end = &gone->next;
    }
}

/* Whether no search writes the place of a shape again, while it stands still, or rests. The next step lets a body that has
   woken move. */
static bool is_placed(const tr2_world *world, uint32_t row)
{
    const tr2_broad *broad = &world->collision.broad;
    const uint32_t slot = world->shapes.id[row].index - 1;
    /* what rests is looked for by no search */
    const bool rests = row >= world->shapes.rest_first && row < world->shapes.rest_end;
    if (slot >= broad->state_capacity || TR2_PROXY_KIND(broad->states[slot]) != TR2_PROXY_FIXED ||
        (!rests && (world->shapes.flags[row] & TR2_SHAPE_FRESH) != 0))
        return false;
    /* bodies are not checked yet while they are read */
    const uint32_t body_row = world->body_pool.row[world->shapes.body[row].index - 1];
    return body_row < world->bodies.table.count && (world->bodies.flags[body_row] & TR_BODY_WAKING) == 0;
}

/* where shapes are that stand still; the next search finds the others */
static void visit_places(tr2_world *world, tr_archive *archive)
{
    tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    const bool reads = tr_archive_reads(archive);
    if (reads &&
        !tr_grow(archive->memory, (void **)&it->places, &it->place_capacity, shapes->pool.capacity, sizeof *it->places))
        archive->status = TR_ERROR_MEMORY;
    for (uint32_t row = 0; row < shapes->table.count && archive->status == TR_OK; row++) {
        tr2_shape_place *place = &it->places[shapes->id[row].index - 1];
        if (reads)
            *place = (tr2_shape_place){.geometry = shapes->geometry[row]};
        if (!is_placed(world, row))
            continue;
        tr_archive_value(archive, place->at);
        tr_archive_value(archive, place->c);
        tr_archive_value(archive, place->s);
    }
}

static bool is_pair_sound(const tr2_world *world, uint32_t number)
{
    const tr2_pair *pair = &world->collision.pairs[number];
    const tr2_shapes *shapes = &world->shapes;
    if (pair->a >= pair->b || pair->b >= shapes->pool.count || tr2_pair_touches(pair) > 2 || tr2_pair_held(pair) > 2)
        return false;
    if (tr2_shape_is_there(shapes, pair->a, pair->generation_a) &&
        tr2_shape_is_there(shapes, pair->b, pair->generation_b)) {
        /* the kind of a pair says how much of a geometry is read */
        const tr2_geometry *a = shapes->geometry[shapes->pool.row[pair->a]];
        const tr2_geometry *b = shapes->geometry[shapes->pool.row[pair->b]];
        uint32_t fresh = (shapes->flags[shapes->pool.row[pair->a]] | shapes->flags[shapes->pool.row[pair->b]]);
        const uint32_t kinds = TR2_PAIR_CIRCLES | TR2_PAIR_QUADS | TR2_PAIR_ROUND | TR2_PAIR_SENSOR;
        bool same = ((tr2_pair_flags(world, pair->a, pair->b) ^ pair->flags) & kinds) == 0;
        if (!same && (fresh & TR2_SHAPE_FRESH) == 0)
            return false;
        if ((pair->flags & TR2_PAIR_CIRCLES) != 0 &&
            (a->kind != TR2_GEOMETRY_CIRCLE || b->kind != TR2_GEOMETRY_CIRCLE) && (fresh & TR2_SHAPE_FRESH) == 0)
            return false;
    }
    if (pair->contact == TR_NONE)
        return true;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    if (pair->contact >= world->joint_pool.count || tr_pool_is_free(&world->joint_pool, pair->contact) ||
        tr2_joint_type_of(world, pair->contact) != TR_CONTACT)
        return false;
    uint32_t row = world->joint_pool.row[pair->contact];
    return (contacts->flags[row] & TR2_CONTACT_OF_SHAPES) != 0 &&
           tr2_contact_own(contacts, TR2_CONTACT_ORDER, row) == number;
}

/* whether each contact of shapes is that of a pair, and the pairs are of shapes; the tables are sound */
static bool are_pairs_sound(const tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t with = 0, of_shapes = 0;
    for (uint32_t i = 0; i < it->count; i++) {
        if (!is_pair_sound(world, i) || it->manifolds[i].count > 2)
            return false;
        with += it->pairs[i].contact != TR_NONE;
    }
    for (uint32_t row = 0; row < contacts->table.count; row++)
        of_shapes += (contacts->flags[row] & TR2_CONTACT_OF_SHAPES) != 0;
    return with == of_shapes;
}

/* those of pairs that touch; the others have none */
static void visit_manifolds(tr2_collision *it, tr_archive *archive)
{
    tr_archive_array(archive, (void **)&it->manifolds, &it->manifold_capacity, 0, it->count, sizeof *it->manifolds);
    for (uint32_t i = 0; i < it->count && archive->status == TR_OK; i++) {
        if (tr2_pair_touches(&it->pairs[i]) > 0)
            tr_archive_bytes(archive, &it->manifolds[i], sizeof it->manifolds[i]);
    }
}

static void visit_rest(tr2_collision *it, tr_archive *archive, uint32_t slots)
{
    /* as if there were room for no more than are needed: a step that was refused may have made more */
    uint32_t count = it->rest_first_capacity < slots ? it->rest_first_capacity : slots;
    while (!tr_archive_reads(archive) && count > 0 && it->rest_first[count - 1] == 0)
        count--;
    tr_archive_value(archive, it->resting);
    tr_archive_value(archive, it->contact_rest_first);
    tr_archive_value(archive, it->contact_rest_end);
    tr_archive_flag(archive, &it->rest_again);
    tr_archive_value(archive, count);
    if (it->resting > it->count || count > slots)
        tr_archive_refuse(archive);
    if (tr_archive_reads(archive))
        it->sensing = TR_NONE;
    if (tr_archive_reads(archive) && archive->status == TR_OK) {
        tr2_before *before = &it->before;
        if (!tr_grow(archive->memory, (void **)&before->manifolds, &before->manifold_capacity, it->resting,
                     sizeof *before->manifolds))
            archive->status = TR_ERROR_MEMORY;
        else if (it->resting > 0)
            memcpy(before->manifolds, it->manifolds, it->resting * sizeof *before->manifolds);
    }
    tr_archive_array(archive, (void **)&it->rest_links, &it->rest_link_capacity, it->resting, 0,
                     sizeof *it->rest_links);
    tr_archive_array(archive, (void **)&it->rest_first, &it->rest_first_capacity, count, 0, sizeof *it->rest_first);
}

/* whether a resting pair is in the lists of its shapes, and these are of what rests */
static bool is_rest_sound(const tr2_collision *it, uint32_t pair)
{
    const uint32_t slots[2] = {it->pairs[pair].a, it->pairs[pair].b}, places = 2 * it->resting;
    const tr2_rest_link *link = &it->rest_links[pair];
    bool sound = true;
    for (uint32_t side = 0; side < 2 && sound; side++) {
        uint32_t place = 2 * pair + side, before = link->before[side], after = link->after[side];
        if (slots[side] >= it->rest_first_capacity || (before != TR_NONE && before >= places) ||
            (after != TR_NONE && after >= places))
            return false;
        sound = before == TR_NONE ? it->rest_first[slots[side]] == place + 1
                                  : it->rest_links[before / 2].after[before % 2] == place;
        sound = sound && (after == TR_NONE || it->rest_links[after / 2].before[after % 2] == place);
        for (uint32_t i = 0; i < 2 && sound; i++) {
            uint32_t other = i == 0 ? before : after;
            sound =
                other == TR_NONE || (other % 2 == 0 ? it->pairs[other / 2].a : it->pairs[other / 2].b) == slots[side];
        }
    }
    return sound;
}

static bool are_rests_sound(const tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    bool sound = it->contact_rest_first <= it->contact_rest_end &&
                 it->contact_rest_end <= world->joints[TR_CONTACT].table.count && it->resting <= it->count &&
                 shapes->rest_first <= shapes->rest_end && shapes->rest_end <= shapes->table.count &&
                 it->broad.resting == shapes->rest_end - shapes->rest_first;
    for (uint32_t row = 0; row < shapes->table.count && sound; row++) {
        uint32_t body = world->body_pool.row[shapes->body[row].index - 1];
        bool rests = row >= shapes->rest_first && row < shapes->rest_end;
        sound = rests == ((world->bodies.flags[body] & TR_BODY_ASLEEP) != 0);
    }
    for (uint32_t i = 0; i < it->resting && sound; i++)
        sound = tr2_shape_is_there(shapes, it->pairs[i].a, it->pairs[i].generation_a) &&
                tr2_shape_is_there(shapes, it->pairs[i].b, it->pairs[i].generation_b) && is_rest_sound(it, i);
    for (uint32_t slot = 0; slot < it->rest_first_capacity && sound; slot++) {
        uint32_t place = it->rest_first[slot] - 1;
        sound = it->rest_first[slot] == 0 ||
                (place / 2 < it->resting && it->rest_links[place / 2].before[place % 2] == TR_NONE &&
                 (place % 2 == 0 ? it->pairs[place / 2].a : it->pairs[place / 2].b) == slot);
    }
    for (uint32_t row = it->contact_rest_first; row < it->contact_rest_end && sound; row++)
        sound = tr2_contact_rests(world, row);
    return sound;
}

void tr2_collision_archive(tr2_world *world, tr_archive *archive)
{
    tr2_collision *it = &world->collision;
    tr2_broad_archive(&it->broad, archive, world->shapes.pool.count);
    visit_places(world, archive);
    visit_gone(it, archive);
    tr_archive_flag(archive, &it->fresh);
    tr_archive_value(archive, it->count);
    if (it->count > TR2_PAIRS_MOST)
        tr_archive_refuse(archive);
    tr_archive_array(archive, (void **)&it->pairs, &it->capacity, it->count, 0, sizeof *it->pairs);
    visit_manifolds(it, archive);
    visit_rest(it, archive, world->shapes.pool.count);
    tr_archive_value(archive, it->ended_count);
    tr_archive_array(archive, (void **)&it->ended, &it->ended_capacity, it->ended_count, 0, sizeof *it->ended);
    tr_archive_value(archive, it->event_count);
    tr_archive_array(archive, (void **)&it->events, &it->event_capacity, it->event_count, 0, sizeof *it->events);
    if (!tr_archive_reads(archive))
        return;
    it->index_steps = 0;
    it->bullet_count = 0;
}

bool tr2_collision_is_sound(const tr2_world *world)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_broad *broad = &world->collision.broad;
    for (uint32_t row = 0; row < shapes->table.count; row++) {
        uint32_t slot = shapes->id[row].index - 1;
        /* every shape is in a tree */
        if (slot >= broad->state_capacity || TR2_PROXY_IN(broad->states[slot]) == TR2_PROXY_NONE)
            return false;
    }
    for (uint32_t slot = 0; slot < shapes->pool.count && slot < broad->state_capacity; slot++) {
        if (tr_pool_is_free(&shapes->pool, slot) && broad->states[slot] != 0)
            return false;
    }
    return are_pairs_sound(world) && are_rests_sound(world);
}
