/*
 * The columns of definitions as they were when joints were read, so that a step that has the same ones need not read them
 * again: to compare whole columns takes a tenth of that. Not in a world of sweeps, where most rows may be of joints that are
 * swept.
 */
#include <string.h>

#include "solver/exact/exact.h"

typedef struct visit {
    unsigned char *to;         /* null: compares, or counts */
    const unsigned char *with; /* null: counts */
    size_t at, size;           /* of `with` */
    bool same;
} visit;

static void visit_bytes(visit *it, const void *bytes, size_t size)
{
    if (it->to != NULL && size > 0)
        memcpy(it->to + it->at, bytes, size);
    else if (it->with != NULL && size > 0)
        it->same = it->same && size <= it->size - it->at && memcmp(it->with + it->at, bytes, size) == 0;
    if (it->same)
        it->at += size;
}

/* counts and which columns there are come first, so that what follows has a meaning of its own */
static void visit_type(visit *it, const trn_joints *joints)
{
    const uint32_t count = joints->table.count;
    uint8_t there[TRN_FIELD_COUNT];
    for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++)
        there[field] = joints->field[field] != NULL;
    const uint8_t turns = joints->turn != NULL;
    visit_bytes(it, &count, sizeof count);
    visit_bytes(it, there, sizeof there);
    visit_bytes(it, &turns, sizeof turns);
    visit_bytes(it, joints->preset, sizeof joints->preset);
    for (uint32_t field = 0; field < TRN_FIELD_COUNT && it->same; field++) {
        const size_t size = trn_field_infos[field].kind == TR_KIND_DOUBLE ? sizeof(double) : sizeof(float);
        if (there[field])
            visit_bytes(it, joints->field[field], count * size);
    }
    if (turns)
        visit_bytes(it, joints->turn, count * sizeof *joints->turn);
}

static void visit_types(const trn_exact *exact, const trn_system *system, visit *it)
{
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT && it->same; type++) {
        const bool reads = system->joints[type].table.count > 0 && (exact->plain_types >> type & 1) == 0;
        const uint8_t mark = reads;
        visit_bytes(it, &mark, sizeof mark);
        if (reads)
            visit_type(it, &system->joints[type]);
    }
}

bool trn_exact_cells_are_same(const trn_exact *it, const trn_system *system)
{
    visit with = {.with = it->cells, .size = it->cells_size, .same = it->cells_size > 0};
    visit_types(it, system, &with);
    return with.same && with.at == it->cells_size;
}

bool trn_exact_keep_cells(trn_exact *it, const trn_system *system)
{
    visit count = {.same = true};
    it->cells_size = 0;
    visit_types(it, system, &count);
    if (count.at > UINT32_MAX)
        return true;
    if (!tr_grow(it->memory, (void **)&it->cells, &it->cells_capacity, (uint32_t)count.at, sizeof *it->cells))
        return false;
    visit to = {.to = it->cells, .same = true};
    visit_types(it, system, &to);
    it->cells_size = (uint32_t)to.at;
    return true;
}
