/* The application's contacts, as a part of a world. */
#ifndef TR_WORLD_CONTACT_SET_H
#define TR_WORLD_CONTACT_SET_H

#include "base/map.h"
#include "plan/plan.h"
#include "solver/dimension.h"

typedef struct trn_check trn_check;

/* Rows and slots are with those of the joints: joints[TR_CONTACT], joint_pool. */
typedef struct trn_contact_set {
    tr_map slots;    /* joint slot by the application's id and the bodies */
    uint32_t *order; /* joint slot of each definition last set; TR_NONE: removed with one of its bodies */
    uint32_t count, order_capacity;
    uint32_t *next; /* the next order, while a set is being made */
    uint32_t next_capacity;
    uint32_t *removed; /* joint slots */
    uint32_t removed_capacity;
    tr_plan_edge *added;
    uint32_t added_capacity;
    bool bounces; /* some contact has had restitution */
} trn_contact_set;

void trn_contacts_init(trn_contact_set *set, tr_memory *memory);
void trn_contacts_free(trn_contact_set *set, tr_memory *memory);
/* Visits the set (base/archive.h). Afterwards, when all tables are sound: makes what follows from them; false if they
   are not those of the set, or if out of memory (the archive's status). */
void trn_contacts_archive(trn_contact_set *set, tr_archive *archive);
bool trn_contacts_enter(trn_world *world, tr_archive *archive);

/* The numbers of the settings: TR_ERROR_NAN, _INFINITE, _NEGATIVE, _ZERO, _RANGE. */
tr_status trn_check_contact_settings(const trn_check *check, const trn_contact_settings *settings);

/* Removes a contact from the map and the order, before its row and slot. */
void trn_contact_forget(trn_world *world, uint32_t row);

#endif
