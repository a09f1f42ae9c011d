/*
 * Which islands the direct method solves in a world of sweeps (docs/exact.md): those of bodies that ask for it, and those
 * with a body that carries too much for sweeps. What joints connect through moving
 * bodies is solved as a whole. What hangs together with such an island by contacts joins it for the step, if that is few
 * bodies. Otherwise nothing does, and its contacts with all that moves, of other islands, too, are a border.
 *
 * In the sweeps the bodies of these islands have no gravity and no forces, and joints and contacts among them no effect;
 * but islands with a border are swept, too, because these contacts are solved there (exact_border.c). The direct step
 * comes after it.
 */
#ifndef TR_SOLVER_EXACT_CHOOSE_H
#define TR_SOLVER_EXACT_CHOOSE_H

#include "solver/core/system.h"

/*
 * Of an island that is solved directly because it is strained: moving bodies, from which on it is, if it has more loops,
 * only if it is not too much work; how many these are; and work, for each of its bodies and besides (trn_chosen_work(): 4
 * for each body of a chain, 11 for spokes that are tied in pairs, 48 for those that are tied all around, 400 for those of a
 * square lattice of 300; n square roots of n times LATTICE_WORK for one of n bodies). The same if only levers strain it, which many bodies that hold each other bear.
 * Joints between the same two bodies, at most. Bodies that hang together by contacts, at most, besides those of islands that
 * ask for it and of the largest other island.
 */
#define TR_CHOSEN_MOST         256u
#define TR_CHOSEN_LOOPS        64
#define TR_CHOSEN_WORK         64u
#define TR_CHOSEN_WORK_MORE    65536u
#define TR_CHOSEN_LEVER_MOST   8u
#define TR_CHOSEN_LEVER_WORK   10u
#define TR_CHOSEN_LATTICE_WORK 20.0
#define TR_CHOSEN_BESIDE       32u
#define TR_CHOSEN_TOUCHES      12u

/* Where there are no contacts, chunks of chosen joints are left out of the sweeps if that saves more than laying all joints
   out when some change: from this many bodies on, or this share of all. With contacts islands may be swept, too, and
   joints would be laid out in full whenever contacts come and go. */
#define TR_CHOSEN_IDLE_FROM  128u
#define TR_CHOSEN_IDLE_SHARE 4u

/* marks of vertices */
#define TR_CHOSEN_STRAINED 1u  /* it carries too much */
#define TR_CHOSEN_CORE     2u  /* of an island that is chosen */
#define TR_CHOSEN_TOUCHING 4u  /* of one that has joined it */
#define TR_CHOSEN_REFUSED  8u  /* of one that cannot, in this search */
#define TR_CHOSEN_APART    16u /* of an island that is by itself in this step: what hangs together with it is too much */
#define TR_CHOSEN_LEVER    32u  /* strained only by the lever on which it hangs */
#define TR_CHOSEN_SEEN     64u  /* while news is looked at */
#define TR_CHOSEN_MET      128u /* while a body of many joints is looked at */
#define TR_CHOSEN_STRAINS  (TR_CHOSEN_STRAINED | TR_CHOSEN_LEVER)

typedef struct trn_chosen {
    tr_memory *memory;
    uint8_t *marks; /* by vertex */
    uint32_t *list; /* vertices: of the islands chosen, one after another, then of those that have joined them */
    uint32_t *first, *refused; /* place in the list of each island; vertices that are marked as refused */
    uint32_t *island; /* of each vertex of an island: which one. The first `asked` ones are of bodies that ask */
    uint32_t *group;  /* islands that hang together, while they are looked at */
    uint8_t *found;   /* of each island: a trn_join */
    uint32_t *wanted; /* vertices of bodies that ask for it, when the list was made */
    /* Marked for the step: rows of bodies, ascending; joints and contacts, type << 32 | row, ascending. Without contacts they
       are `listed` while the plan and the islands stay; `released`: the last release was of them. */
    uint32_t *rows;
    uint64_t *joints;
    uint32_t *last_bodies, *last_joints; /* vertices and edges that were in the last step of sweeps */
    uint32_t *local;                     /* of vertices of an island that is looked at, their place in it */
    uint32_t *wide;                      /* vertices of many joints of the news, while it is looked at */
    uint32_t mark_capacity, list_capacity, first_capacity, refused_capacity, wanted_capacity, row_capacity,
        joint_capacity, last_body_capacity, last_joint_capacity, wide_capacity, wide_count, local_capacity,
        found_capacity, island_capacity, group_capacity, asked;
    uint32_t core, count, island_count, refused_count, wanted_count, joint_count, last_body_count, last_joint_count;
    uint32_t strained;   /* vertices with a mark of these */
    bool strain_changed; /* others were, before the last look */
    bool failed;         /* memory has been short while islands were looked at */
    bool look_again;     /* some search was refused, or all are to be looked at */
    bool
        idles; /* chunks, units and hubs of the present layout may be idle, because their joints are all of chosen islands */
    bool known;           /* the marks are those of the tables' masses and joints */
    uint64_t searches;    /* how often islands were chosen */
    uint64_t list_number; /* how often what is marked for a step was listed */
    bool listed, released;
    uint64_t listed_version, listed_searches; /* of the plan; */
    /* No joint but last_joints has TR_JOINT_WAS_EXACT, and no body but last_bodies what floats leave of a velocity. */
    bool last_known;
} trn_chosen;

void trn_chosen_free(trn_chosen *it, tr_memory *memory);

/* exact_strain.c: examines the vertices of the news, or all; *changed: there were any. False: out of memory. */
bool trn_strain_renew(trn_solver *solver, const trn_system *system, bool all, bool *changed);
/* The kinds of edges whose news it needs. */
uint64_t trn_strain_kinds(void);

/* exact_choose.c and exact_join.c share these: room for a search, or false; whether a body moves and is in no list; whether an
   edge leads on: a joint does, also one that is switched off. */
bool trn_chosen_reserve(trn_chosen *it, tr_memory *memory, const trn_system *system);
bool trn_chosen_is_free(const trn_chosen *it, const trn_system *system, uint32_t vertex);
bool trn_chosen_leads_on(const trn_system *system, uint32_t edge);
/* Appends all that joints connect to a body, marked as touching. False: it is more than so many bodies, or joints side by side
   are too many; its bodies are marked as refused until that is forgotten. */
bool trn_chosen_add_touching(trn_chosen *it, const trn_system *system, uint32_t vertex, uint32_t most);
void trn_chosen_forget_refused(trn_chosen *it);

/* exact_worth.c: the work of solving so many bodies in the list from a place on, of an island that has this mark. False: out of
   memory. */
bool trn_chosen_work(trn_chosen *it, const trn_system *system, uint32_t first, uint32_t count, uint8_t mark,
                     uint64_t *work);

/* Whether no body is chosen, nor would be. And whether the list is still that of the bodies that ask for it; and these are
   awake as they were. */
static inline bool trn_chosen_is_idle(const trn_chosen *it, const trn_bodies *bodies)
{
    return bodies->direct == 0 && it->strained == 0 && it->core == 0;
}
bool trn_chosen_is_wanted(const trn_chosen *it, const trn_system *system);
bool trn_chosen_is_valid(const trn_chosen *it, const trn_system *system);
/* Whether the news since the list was made leaves it as it is, if rows have not moved: no other body is strained, and no
   joint of an island has changed. */
bool trn_chosen_stays(const trn_chosen *it, const trn_system *system);

/* Chooses anew if there is news: the islands of bodies that ask for it, then those with a strained body.
   TR_ERROR_MEMORY. */
tr_status trn_choose_all(trn_solver *solver, const trn_system *system, bool news);

/* Before a step: what joins by contacts; marks bodies and joints for the step, and lists them. False: out of memory;
   nothing is marked. */
bool trn_choose_for_step(trn_solver *solver, const trn_system *system);
/* The next step lists anew what it marks. */
void trn_chosen_forget_lists(trn_chosen *it);
/* Takes the marks away again, before or after the step. */
void trn_choose_end(trn_solver *solver, const trn_system *system);
/* When nothing can fail any more: drops the impulses of joints that are chosen no longer, and what floats leave of the
   velocities of such bodies, and of all that are not, but in a fine step. */
void trn_choose_release(trn_solver *solver, const trn_system *system, bool fine);
/* Chunks of which all joints are of chosen islands are idle, and units and split bodies that only these act on, if that
   pays. */
void trn_choose_idle(trn_solver *solver, const trn_system *system);

/* How many bodies from the first on have rows side by side, at least; they are sorted. */
static inline uint32_t trn_chosen_rows_run(const uint32_t *rows, uint32_t count)
{
    while (rows[count - 1] - rows[0] != count - 1)
        count = (count + 1) / 2;
    return count;
}

/* The same of joints, which are sorted by types and rows. */
static inline uint32_t trn_chosen_run(const uint64_t *joints, uint32_t count)
{
    while (joints[count - 1] - joints[0] != count - 1)
        count = (count + 1) / 2;
    return count;
}

#endif
