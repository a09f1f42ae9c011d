/*
 * What a world of the plane has beside bodies and joints: shapes, their collision, and the application's contacts; and
 * what the core asks of them, by names that space has as well.
 */
#ifndef TR_PLANE_PARTS_H
#define TR_PLANE_PARTS_H

#include "plan/plan.h"
#include "trammel/statistics2.h"
#include "world/collision/collision.h"
#include "world/core/contact_set.h"
#include "world/shapes/shape.h"

/* members of the world; the last: pairs and contacts of shapes */
#define TR2_WORLD_PARTS                                                                                                \
    tr2_contact_set contacts;                                                                                          \
    tr2_shapes shapes;                                                                                                 \
    tr2_collision collision;

/* The parts are in this memory, that of the world or of another whose state this one will become. False if out of
   memory; what was made is freed with the world. */
bool tr2_parts_init(tr2_world *world, tr_memory *memory);
void tr2_parts_free(tr2_world *world, tr_memory *memory);

/* Visits the parts and their settings (base/archive.h), after all else of the world. When all tables are read and sound:
   whether the parts are, too; they then complete themselves, which may fail for lack of memory (the archive's status).
   Exchanges the states of two worlds, but for what the application has set. */
void tr2_parts_archive(tr2_world *world, tr_archive *archive);
bool tr2_parts_enter(tr2_world *world, tr_archive *archive);
void tr2_parts_swap(tr2_world *world, tr2_world *other);

/* Which callbacks the application has set, as bits; and puts others in their place, which change nothing: in a replay. */
uint32_t tr2_parts_hooks(const tr2_world *world);
void tr2_parts_set_hooks(tr2_world *world, uint32_t hooks);

/* Whether some contact may bounce; the number of contacts. */
bool tr2_parts_bounce(const tr2_world *world);
/* whether there is something for which it matters how bodies move within a step */
bool tr2_parts_follow(const tr2_world *world);
uint32_t tr2_parts_contacts(const tr2_world *world);

/*
 * A step. keep(): before it changes anything. begin(): before the plan is made, and ready(): after, when it cannot change
 * any more. write(): of these joints and contacts (trn_system.write_contacts) the contacts, which are read while the
 * step can still fail. find_contact(): of a contact in a row, while it is solved (trn_system.find_contact). All others can
 * fail, the first three with a
 * message; undo() then undoes what they have done, and needs no memory. settle(): when nothing can fail any more, before
 * bodies move. end(): after the solver, for a step in parts after each of them (`last`: then it lists the events of the
 * step). idle(): a step of no length.
 */
tr_status tr2_parts_keep(tr2_world *world, const tr2_check *check);
tr_status tr2_parts_begin(tr2_world *world, const tr2_check *check, double dt);
tr_status tr2_parts_ready(tr2_world *world, const tr2_check *check);
bool tr2_parts_write(tr2_world *world, const uint64_t *joints, uint32_t count);
bool tr2_parts_find_contact(const tr2_world *world, uint32_t row, const tr2_body_state *const body[2],
                            tr2_found_contact *out);
void tr2_parts_settle(tr2_world *world);
void tr2_parts_undo(tr2_world *world);
void tr2_parts_end(tr2_world *world, bool last);
void tr2_parts_idle(tr2_world *world);
/* After a call that has made them begin or find: no body has changed if it has failed. */
void tr2_parts_leave(tr2_world *world, bool failed);
/* Begins as a step that is as long as the last one; the times are still those of the last step. */
tr_status tr2_parts_find(tr2_world *world, const tr2_check *check);

/* Their part of the statistics: sizes and times; seconds of the last step; what more threads would have saved of it. */
void tr2_parts_describe(const tr2_world *world, tr_statistics *out);
double tr2_parts_seconds(const tr2_world *world);
double tr2_parts_saves(const tr2_world *world, uint32_t threads);

/* Whether a static body can have the mass of its shapes if it is due, and makes room for it. */
tr_status tr2_shapes_check_due(const tr2_check *check, tr2_world *world, uint32_t body_slot);
/* Computes it now if it is due; it must be checked. */
void tr2_shapes_weigh(tr2_world *world, uint32_t body_slot);

/* Takes the contact of a pair of shapes from it. */
void tr2_pair_forget(tr2_world *world, uint32_t pair);
/* Whether a row's contact is the application's, not one of shapes. */
bool tr2_contact_is_given(const tr2_world *world, uint32_t row);

#endif
