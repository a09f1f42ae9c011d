/*
 * The fields of a joint definition: kinds, and reading and writing them by number. Each dimension has its own list,
 * TRN_JOINT_FIELDS. In a column, a field takes four bytes (a float, or a uint32_t for booleans and softness kinds), or
 * eight (a double).
 */
#ifndef TR_SOLVER_JOINT_FIELDS_H
#define TR_SOLVER_JOINT_FIELDS_H

#include <stddef.h>
#include <string.h>

#include "solver/dimension.h"

typedef enum trn_field_kind {
    TR_KIND_FLOAT,        /* any finite number */
    TR_KIND_NOT_NEGATIVE, /* a finite number >= 0 */
    TR_KIND_NOT_POSITIVE, /* <= 0 */
    TR_KIND_NOT_ZERO,     /* a finite number other than 0 */
    TR_KIND_BOOL,
    TR_KIND_KIND,  /* tr_softness_kind */
    TR_KIND_DOUBLE /* any finite number, in double precision */
} trn_field_kind;

typedef struct trn_field_info {
    const char *name; /* the path in trn_joint_def */
    trn_field_kind kind;
    size_t offset; /* of the member in trn_joint_def */
} trn_field_info;

/* TRN_FIELD_COUNT entries */
extern const trn_field_info trn_field_infos[];

/* Reads a field of kind TR_KIND_DOUBLE in full precision. */
static inline double trn_field_read_double(const trn_joint_def *def, trn_field field)
{
    double value;
    memcpy(&value, (const unsigned char *)def + trn_field_infos[field].offset, sizeof value);
    return value;
}

/* Converts a field of a definition to the four bytes stored in a column, and back. A double becomes the nearest
   float. Reading is inline, because creating a joint reads all fields several times. */
static inline uint32_t trn_field_read(const trn_joint_def *def, trn_field field)
{
    const trn_field_info *info = &trn_field_infos[field];
    const unsigned char *member = (const unsigned char *)def + info->offset;
    uint32_t bits = 0;
    if (info->kind == TR_KIND_BOOL) {
        bool value;
        memcpy(&value, member, sizeof value);
        return value ? 1u : 0u;
    }
    if (info->kind == TR_KIND_DOUBLE) {
        float value = (float)trn_field_read_double(def, field);
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    memcpy(&bits, member, sizeof bits);
    return bits;
}

void trn_field_write(trn_joint_def *def, trn_field field, uint32_t bits);

void trn_field_write_double(trn_joint_def *def, trn_field field, double value);

/* Size of a field in its column, bytes. */
size_t trn_field_size(trn_field field);

/* A field in a trn_mask, a mask over trn_field. It has room for the first fields; of those beyond, a type has a range
   (trn_joint_type_info.beyond), which has no bits. */
#define TR_MASK_BITS  ((uint32_t)(8 * sizeof(trn_mask)))
#define TR_BIT(field) ((uint32_t)(field) < TR_MASK_BITS ? (trn_mask)1 << ((uint32_t)(field) % TR_MASK_BITS) : 0)

/* The lowest field of a mask that is not empty, and the number of fields in one. */
static inline uint32_t trn_mask_first(trn_mask mask)
{
    const uint64_t low = (uint64_t)mask;
    if (sizeof mask == sizeof low || low != 0)
        return (uint32_t)__builtin_ctzll(low);
    return 64 + (uint32_t)__builtin_ctzll((uint64_t)(mask >> TRN_MASK_HIGH));
}

static inline uint32_t trn_mask_count(trn_mask mask)
{
    uint32_t count = (uint32_t)__builtin_popcountll((uint64_t)mask);
    if (sizeof mask > sizeof(uint64_t))
        count += (uint32_t)__builtin_popcountll((uint64_t)(mask >> TRN_MASK_HIGH));
    return count;
}

#endif
