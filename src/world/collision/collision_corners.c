/*
 * Inner corners: what slides over a floor of several shapes must not catch where they join.
 *
 * Each pair of shapes is looked at by itself. So the floor's next piece has a corner, or a side, in front of what
 * slides towards it, and a contact there brakes it or throws it up. But a shape that lies on a face of one piece is
 * wholly on one side of that face's plane, and cannot touch a piece that is wholly on the other side, except by its own
 * face. Such contacts are taken away, or become contacts with that face.
 *
 * The pieces stand still against each other: shapes of static bodies, or of one kinematic body.
 */
#include <math.h>

#include "collide/geometry/vector.h"
#include "world/collision/collision_internal.h"
#include "world/core/body.h"

#define GROUPS_PER_CHUNK 32u
/* faces that one shape lies on */
#define FACES_MOST 8u

/* units, and a share of the size of the shape that moves: pieces may stand out by less of the two without being a
   step */
#define STEP_MOST  0.001f
#define STEP_SHARE 0.01f
/* units; what is deeper in a shape does not lie on it */
#define OVERLAP_MOST 0.02f
/* units; planes are told apart from here on */
#define SAME_PLANE 0.0001f
/* Sines of angles: a normal is that of a face, though a box may be slightly tilted; it is not turned from one; a
   circle's is exact. */
#define FACE_SINE  0.005f
#define TURN_SINE  0.001f
#define EXACT_SINE 0.00001f
/* cosine, 60 degrees: a side is hidden from what lies on a face if it is turned from that face by more */
#define SIDE_COSINE 0.5f

/* The work of a step: chains of links that have two contacts or more. */
typedef struct corner_step {
    const tr2_collide_step *step;
    uint32_t *groups; /* the last link of each; places + 1 */
    uint32_t count;
} corner_step;

/* A contact, seen from the shape that moves: in the axes of the world, from its middle. */
typedef struct still_contact {
    uint32_t pair;
    const tr2_shape_place *still, *moving;
    tr_vec2 normal;   /* from what stands still */
    float separation; /* m, the least */
    float unit;       /* m, the world's length unit */
    uint32_t body;    /* TR_NONE: any static one; the kinematic one's slot otherwise */
    uint32_t face;    /* of what stands still, whose normal this is; TR_NONE: of none */
} still_contact;

/* A face that a shape lies on. */
typedef struct support {
    still_contact contact;
    float height; /* m, of its plane along the normal */
} support;

static bool is_round(const tr2_shape_place *place)
{
    return place->geometry->kind == TR2_GEOMETRY_CIRCLE;
}

/* edges that collide */
static uint32_t edges_of(const tr2_geometry *geometry)
{
    switch (geometry->kind) {
    case TR2_GEOMETRY_CIRCLE:
        return 0;
    case TR2_GEOMETRY_CHAIN:
        return 1;
    default:
        return geometry->count;
    }
}

/* the edge of a shape whose normal is nearest to one in the world; TR_NONE: none is within the sine */
static uint32_t edge_along(const tr2_shape_place *place, tr_vec2 normal, float sine)
{
    const tr2_geometry *geometry = place->geometry;
    tr_vec2 own = tr_rotate_back(tr2_place_turn(place), normal);
    uint32_t edges = edges_of(geometry), best = TR_NONE;
    float most = 0.0f;
    for (uint32_t i = 0; i < edges; i++) {
        float along = tr_dot(geometry->corners[i].normal, own);
        best = along > most ? i : best;
        most = tr_max(along, most);
    }
    return best != TR_NONE && fabsf(tr_cross(geometry->corners[best].normal, own)) <= sine ? best : TR_NONE;
}

/* where the corners of a shape are along a normal, from the middle of another: the least and the most */
static void span_along(const tr2_shape_place *place, const tr2_shape_place *from, tr_vec2 normal, float *least,
                       float *most)
{
    const tr2_geometry *geometry = place->geometry;
    tr_vec2 own = tr_rotate_back(tr2_place_turn(place), normal);
    tr_vec2 apart = {(float)(place->at.x - from->at.x), (float)(place->at.y - from->at.y)};
    float middle = tr_dot(normal, apart) - tr_dot(own, geometry->center);
    *least = *most = tr_dot(own, geometry->corners[0].point);
    for (uint32_t i = 1; i < geometry->count; i++) {
        float along = tr_dot(own, geometry->corners[i].point);
        *least = tr_min(along, *least);
        *most = tr_max(along, *most);
    }
    *least += middle - geometry->radius;
    *most += middle + geometry->radius;
}

static still_contact contact_of(const tr2_world *world, uint32_t index)
{
    const tr2_collision *it = &world->collision;
    const tr2_pair *pair = &it->pairs[index];
    const tr2_manifold *manifold = &it->manifolds[index];
    bool still_b = (pair->flags & TR2_PAIR_STILL_B) != 0;
    uint32_t slot = still_b ? pair->b : pair->a;
    still_contact out = {.pair = index,
                         .still = &it->places[slot],
                         .moving = &it->places[still_b ? pair->a : pair->b],
                         .unit = world->settings.length_unit};
    /* of circles it is in the axes of the world already */
    bool circles = (pair->flags & TR2_PAIR_CIRCLES) != 0;
    tr_vec2 normal = circles ? manifold->normal : tr_rotate(tr2_place_turn(&it->places[pair->a]), manifold->normal);
    out.normal = still_b ? tr_negative(normal) : normal;
    out.separation = manifold->points[0].separation;
    if (manifold->count == 2 && !circles)
        out.separation = tr_min(out.separation, manifold->points[1].separation);
    tr2_body body = world->shapes.body[world->shapes.pool.row[slot]];
    out.body = world->bodies.type[tr2_body_row(world, body)] == TR_STATIC ? TR_NONE : body.index - 1;
    out.face = edge_along(out.still, out.normal, is_round(out.moving) ? EXACT_SINE : FACE_SINE);
    return out;
}

/* how far a piece may stand out */
static float step_of(const still_contact *it)
{
    return tr_min(STEP_MOST * it->unit, STEP_SHARE * it->moving->at.extent);
}

/* Whether what stands still is wholly behind a face that is lain on, or met in this step, and what touches is another
   side or a corner. The face is the one that is deeper; of what is still apart, that which is met first: the face. */
static bool is_hidden(const still_contact *it, const support *by)
{
    const tr_vec2 normal = by->contact.normal;
    float along = tr_dot(it->normal, normal);
    if (it->body != by->contact.body || it->pair == by->contact.pair ||
        it->separation < tr_min(by->contact.separation, 0.0f) - step_of(it))
        return false;
    if (along > 0.0f && fabsf(tr_cross(it->normal, normal)) <= (is_round(it->moving) ? EXACT_SINE : TURN_SINE))
        return false;
    if (it->face != TR_NONE && along >= SIDE_COSINE)
        return false;
    float least, most;
    span_along(it->still, it->moving, normal, &least, &most);
    return most <= by->height + step_of(it);
}

/* Whether a contact is with a face, and the shape that moves is wholly before it. */
static bool supports(const still_contact *it, support *out)
{
    if (it->face == TR_NONE || it->separation < -OVERLAP_MOST * it->unit)
        return false;
    const tr2_geometry *geometry = it->still->geometry;
    const tr2_corner *corner = &geometry->corners[it->face];
    tr_vec2 apart = {(float)(it->still->at.x - it->moving->at.x), (float)(it->still->at.y - it->moving->at.y)};
    tr_vec2 normal = tr_rotate(tr2_place_turn(it->still), corner->normal);
    out->contact = *it;
    out->contact.normal = normal;
    out->height = tr_dot(normal, apart) + tr_dot(corner->normal, tr_sub(corner->point, geometry->center));
    out->height += geometry->radius;
    float least, most;
    span_along(it->moving, it->moving, normal, &least, &most);
    return least >= out->height + tr_min(it->separation, 0.0f) - step_of(it);
}

/* deeper ones first; of equals that of the first pair */
static bool comes_before(const still_contact *a, const still_contact *b)
{
    return a->separation < b->separation || (a->separation == b->separation && a->pair < b->pair);
}

static bool is_same_face(const support *a, const support *b)
{
    return a->contact.body == b->contact.body && tr_dot(a->contact.normal, b->contact.normal) > 0.0f &&
           fabsf(tr_cross(a->contact.normal, b->contact.normal)) <= TURN_SINE &&
           fabsf(a->height - b->height) <= SAME_PLANE * a->contact.unit;
}

/* keeps faces in order, those of one plane once; the last is lost where there are too many */
static uint32_t insert(support *faces, uint32_t count, const support *face)
{
    uint32_t place = 0;
    while (place < count && !comes_before(&face->contact, &faces[place].contact)) {
        if (is_same_face(&faces[place], face))
            return count;
        place++;
    }
    uint32_t end = count < FACES_MOST ? count : FACES_MOST - 1;
    if (place > end)
        return count;
    for (uint32_t i = end; i > place; i--)
        faces[i] = faces[i - 1];
    faces[place] = *face;
    return end + 1;
}

/* the faces that a shape lies on; what is hidden by a deeper one is none */
static uint32_t find_supports(const tr2_world *world, uint32_t last, support *faces)
{
    const tr2_still_link *links = world->collision.links;
    uint32_t count = 0, kept = 0;
    for (uint32_t link = last; link != 0; link = links[link - 1].before) {
        still_contact contact = contact_of(world, links[link - 1].pair);
        support face;
        if (supports(&contact, &face))
            count = insert(faces, count, &face);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool hidden = false;
        for (uint32_t k = 0; k < kept && !hidden; k++)
            hidden = is_hidden(&faces[i].contact, &faces[k]);
        if (!hidden)
            faces[kept++] = faces[i];
    }
    return kept;
}

/* What is left of a hidden contact: where the shape is over the piece's own face, a contact with that. False: it
   stays. */
static bool straighten(tr2_world *world, const still_contact *it, const support *by, float dt)
{
    tr2_collision *collision = &world->collision;
    tr2_pair *pair = &collision->pairs[it->pair];
    uint32_t points = 0;
    if (!is_round(it->moving)) {
        uint32_t face = edge_along(it->still, by->contact.normal, FACE_SINE);
        /* a corner below what is tilted holds it, and nothing else would */
        if (face == TR_NONE && tr_dot(it->normal, by->contact.normal) >= SIDE_COSINE)
            return false;
        if (face != TR_NONE) {
            tr2_shape_pair frames = tr2_pair_frames(world, pair, dt);
            bool still_b = (pair->flags & TR2_PAIR_STILL_B) != 0;
            tr2_manifold found =
                tr2_collide_edge(frames.a, frames.b_in_a, frames.b, frames.margin, face, still_b, it->unit);
            points = found.count;
            if (points > 0)
                collision->manifolds[it->pair] = found;
        }
    }
    pair->flags &= ~TR2_PAIR_FOUND;
    pair->flags |= points * TR2_PAIR_POINT;
    return true;
}

/* true where something has changed */
static bool settle_group(tr2_world *world, uint32_t last, float dt)
{
    const tr2_still_link *links = world->collision.links;
    support faces[FACES_MOST];
    uint32_t count = find_supports(world, last, faces);
    bool changed = false;
    for (uint32_t link = last; count > 0 && link != 0; link = links[link - 1].before) {
        still_contact contact = contact_of(world, links[link - 1].pair);
        bool settled = false;
        for (uint32_t k = 0; k < count && !settled; k++)
            settled = is_hidden(&contact, &faces[k]) && straighten(world, &contact, &faces[k], dt);
        changed = changed || settled;
    }
    return changed;
}

/*
 * All of them
 */

/* `groups` keeps those in which something has changed; 0 in the place of others */
static void settle_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const corner_step *it = context;
    uint32_t first = chunk * GROUPS_PER_CHUNK, end = tr2_chunk_end(it->count, first, GROUPS_PER_CHUNK);
    for (uint32_t i = first; i < end; i++) {
        if (!settle_group(it->step->world, it->groups[i], (float)it->step->dt))
            it->groups[i] = 0;
    }
}

static uint32_t moving_slot(const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_STILL_B) != 0 ? pair->a : pair->b;
}

/* contacts with what stands still, by the shape that moves, in the order of pairs; returns how many */
static uint32_t link_contacts(tr2_collision *it, uint32_t chunks)
{
    uint32_t count = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        /* as many as were counted; most chunks have none */
        uint32_t end = count + it->counts[chunk].still;
        for (uint32_t i = it->resting + chunk * TR2_PAIRS_PER_CHUNK; count < end; i++) {
            const tr2_pair *pair = &it->pairs[i];
            if ((pair->flags & TR2_PAIR_STILL) == 0 || tr2_pair_points(pair) == 0)
                continue;
            uint32_t *last = &it->last_still[moving_slot(pair)];
            it->links[count] = (tr2_still_link){i, *last};
            *last = ++count;
        }
    }
    return count;
}

/* lists the shapes that have two contacts or more, by their last links; these are forgotten */
static uint32_t list_groups(tr2_collision *it, uint32_t links)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < links; i++) {
        uint32_t *last = &it->last_still[moving_slot(&it->pairs[it->links[i].pair])];
        if (*last != i + 1)
            continue;
        *last = 0;
        if (it->links[i].before != 0)
            it->groups[count++] = i + 1;
    }
    return count;
}

/* what chunks of pairs come to, where a contact is gone or another */
static void count_again(tr2_collision *it, const corner_step *step, uint32_t pairs)
{
    bool any = false;
    for (uint32_t i = 0; i < step->count; i++) {
        for (uint32_t link = step->groups[i]; link != 0; link = it->links[link - 1].before) {
            it->counts[tr2_chunk_of_pair(it, it->links[link - 1].pair)].still = TR_NONE;
            any = true;
        }
    }
    for (uint32_t chunk = 0; any && chunk < tr2_pair_chunks(pairs); chunk++) {
        if (it->counts[chunk].still == TR_NONE)
            it->counts[chunk] = tr2_count_pairs(it, tr2_pairs_of_chunk(it, pairs, chunk));
    }
}

bool tr2_collide_corners(tr2_collide_step *step)
{
    tr2_collision *it = &step->world->collision;
    tr_memory *m = &step->world->memory;
    uint32_t pairs = tr2_pair_count(it), chunks = tr2_pair_chunks(pairs), contacts = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++)
        contacts += it->counts[chunk].still;
    if (contacts < 2)
        return true;
    if (!tr_grow(m, (void **)&it->links, &it->link_capacity, contacts, sizeof *it->links) ||
        !tr_grow(m, (void **)&it->groups, &it->group_capacity, contacts / 2, sizeof *it->groups) ||
        !tr_grow(m, (void **)&it->last_still, &it->last_still_capacity, it->place_capacity, sizeof *it->last_still))
        return false;
    corner_step corners = {step, it->groups, list_groups(it, link_contacts(it, chunks))};
    uint32_t group_chunks = tr2_chunks_of(corners.count, GROUPS_PER_CHUNK);
    if (corners.count == 0)
        return true;
    if (tr_team_reserve(step->world->team, 1, group_chunks) != TR_OK)
        return false;
    uint32_t workers = group_chunks > 1 ? step->workers : 1;
    tr_team_run_stage(step->world->team, settle_chunk, group_chunks, workers, &corners);
    count_again(it, &corners, pairs);
    return true;
}
