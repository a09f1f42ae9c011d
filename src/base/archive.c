#include "base/archive.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

void tr_archive_refuse(tr_archive *archive)
{
    if (archive->status == TR_OK)
        archive->status = TR_ERROR_PARSE;
}

static void note_shape(tr_archive *archive, size_t size)
{
    uint64_t mixed = (archive->shape ^ size) * 0x9E3779B97F4A7C15u;
    archive->shape = mixed ^ mixed >> 29;
}

/*
 * The hash of a run of bytes is made of those of pieces, each while it is in the first cache.
 */
#define PIECE 8192u

static uint64_t hash_on(uint64_t hash, const unsigned char *bytes, size_t size)
{
    uint64_t mixed = (hash ^ tr_archive_hash(bytes, size)) * 0x9E3779B97F4A7C15u;
    return mixed ^ mixed >> 29;
}

static void hash_run(tr_archive *archive)
{
    if (archive->at > archive->hashed)
        archive->hash = hash_on(archive->hash, archive->bytes + archive->hashed, archive->at - archive->hashed);
    archive->hashed = archive->at;
}

static void write_hashed(tr_archive *archive, const unsigned char *data, size_t size)
{
    while (size > 0) {
        size_t left = archive->hashed + PIECE - archive->at, part = size < left ? size : left;
        memcpy(archive->bytes + archive->at, data, part);
        archive->at += part;
        data += part;
        size -= part;
        if (part == left)
            hash_run(archive);
    }
}

/*
 * Pieces: a mark, and from the next cache line on the bytes, or what was there before, if they are all zero. What is
 * written by one call must be read by one call, and compared by one.
 */
#define PIECES_LEAST 1024u /* bytes that are laid out so */
#define LINE         64u

static bool is_zero(const unsigned char *bytes, size_t size)
{
    uint64_t any = 0, word[8];
    size_t at = 0;
#ifdef __SSE2__
    /* whatever is all zero is read for this alone */
    for (; size - at >= 2 * LINE; at += 2 * LINE) {
        const __m128i *lines = (const __m128i *)(const void *)(bytes + at);
        __m128i all = _mm_loadu_si128(lines);
        for (int i = 1; i < 8; i++)
            all = _mm_or_si128(all, _mm_loadu_si128(lines + i));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) != 0xffff)
            return false;
    }
#endif
    for (; any == 0 && size - at >= sizeof word; at += sizeof word) {
        memcpy(word, bytes + at, sizeof word);
        any = (word[0] | word[1] | word[2] | word[3]) | (word[4] | word[5] | word[6] | word[7]);
    }
    for (; any == 0 && at < size; at++)
        any = bytes[at];
    return any == 0;
}

/* Copies to a cache line without reading it, and past the caches: what is kept is seldom read soon. That takes two thirds
   of memcpy()'s time. */
static void copy_past(unsigned char *to, const unsigned char *from, size_t size)
{
    size_t at = 0;
#ifdef __SSE2__
    /* lines at once: a seventh faster than 16 bytes at once */
    for (; size - at >= LINE; at += LINE) {
        const __m128i *lines = (const __m128i *)(const void *)(from + at);
        const __m128i a = _mm_loadu_si128(lines), b = _mm_loadu_si128(lines + 1), c = _mm_loadu_si128(lines + 2),
                      d = _mm_loadu_si128(lines + 3);
        __m128i *out = (__m128i *)(void *)(to + at);
        _mm_stream_si128(out, a);
        _mm_stream_si128(out + 1, b);
        _mm_stream_si128(out + 2, c);
        _mm_stream_si128(out + 3, d);
    }
    for (; size - at >= 16; at += 16)
        _mm_stream_si128((__m128i *)(void *)(to + at), _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
#endif
    memcpy(to + at, from + at, size - at);
}

/* before another thread may read it */
static void settle_copies(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

static void visit_piece(tr_archive *archive, unsigned char *mark, unsigned char *at, unsigned char *data, size_t size)
{
    enum { ZERO, BYTES };
    if (archive->mode == TR_ARCHIVE_WRITE) {
        *mark = is_zero(data, size) ? ZERO : BYTES;
        if (*mark == BYTES)
            copy_past(at, data, size);
    } else if (archive->mode == TR_ARCHIVE_COMPARE) {
        archive->differs = *mark == ZERO ? !is_zero(data, size) : memcmp(data, at, size) != 0;
    } else if (*mark == ZERO) {
        memset(data, 0, size);
    } else {
        memcpy(data, at, size);
    }
}

static void visit_pieces(tr_archive *archive, unsigned char *data, size_t size)
{
    while (size > 0 && tr_archive_goes_on(archive)) {
        const size_t piece = size < PIECE ? size : PIECE, at = archive->at / LINE * LINE + LINE;
        if (archive->mode != TR_ARCHIVE_COUNT) {
            if (at > archive->size || piece > archive->size - at) {
                tr_archive_refuse(archive);
                return;
            }
            visit_piece(archive, archive->bytes + archive->at, archive->bytes + at, data, piece);
        }
        archive->at = at + piece;
        data += piece;
        size -= piece;
    }
}

void tr_archive_bytes(tr_archive *archive, void *data, size_t size)
{
    if (!tr_archive_goes_on(archive))
        return;
    if (archive->version != NULL && !archive->in_group && size >= PIECES_LEAST) {
        visit_pieces(archive, data, size);
        return;
    }
    if (archive->mode == TR_ARCHIVE_COUNT) {
        archive->at += size;
        return;
    }
    if (size > archive->size - archive->at) {
        tr_archive_refuse(archive);
        return;
    }
    if (archive->mode == TR_ARCHIVE_WRITE && archive->parts != NULL && archive->version == NULL) {
        write_hashed(archive, data, size);
        return;
    }
    unsigned char *at = archive->bytes + archive->at;
    if (archive->mode == TR_ARCHIVE_WRITE && size > 0)
        memcpy(at, data, size);
    else if (archive->mode == TR_ARCHIVE_READ && size > 0)
        memcpy(data, at, size);
    else if (archive->mode == TR_ARCHIVE_COMPARE && size > 0)
        archive->differs = memcmp(data, at, size) != 0;
    archive->at += size;
}

void tr_archive_member(tr_archive *archive, void *data, size_t size)
{
    if (!tr_archive_goes_on(archive))
        return;
    note_shape(archive, size);
    tr_archive_bytes(archive, data, size);
}

void tr_archive_flag(tr_archive *archive, bool *value)
{
    /* what is overwritten may be no bool */
    unsigned char byte = !tr_archive_reads(archive) && *value ? 1 : 0;
    tr_archive_bytes(archive, &byte, 1);
    if (tr_archive_reads(archive) && archive->status == TR_OK)
        *value = byte != 0;
}

bool tr_archive_has(tr_archive *archive, uint32_t count, size_t size)
{
    if (archive->status == TR_OK && archive->mode != TR_ARCHIVE_COUNT && size > 0 &&
        count > (archive->size - archive->at) / size)
        tr_archive_refuse(archive);
    return archive->status == TR_OK;
}

/* makes room for what is read; keeps nothing of what was there */
static bool reserve(tr_archive *archive, void **data, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed > 0 && needed <= *capacity)
        return true;
    tr_release(archive->memory, *data, *capacity * size);
    *data = NULL;
    *capacity = 0;
    if (needed == 0)
        return true;
    *data = tr_allocate_array(archive->memory, needed, size);
    if (*data == NULL) {
        archive->status = TR_ERROR_MEMORY;
        return false;
    }
    *capacity = needed;
    return true;
}

void tr_archive_array(tr_archive *archive, void **data, uint32_t *capacity, uint32_t count, uint32_t room, size_t size)
{
    if (!tr_archive_goes_on(archive) || !tr_archive_has(archive, count, size))
        return;
    note_shape(archive, size);
    bool reads = tr_archive_reads(archive);
    if (reads && !reserve(archive, data, capacity, count > room ? count : room, size))
        return;
    tr_archive_bytes(archive, *data, count * size);
    if (reads && archive->status == TR_OK && *capacity > count)
        memset((unsigned char *)*data + count * size, 0, (*capacity - count) * size);
}

/*
 * Groups
 */

/* the visit goes on behind a group, in whose place there is this part */
static void leave(tr_archive *archive, const tr_archive_group *group, tr_archive_part part)
{
    if (archive->mode == TR_ARCHIVE_WRITE && archive->parts != NULL) {
        archive->hash = archive->parts->loose;
        archive->hashed = archive->at;
        archive->parts->part[archive->part] = part;
    }
    archive->part++;
    archive->in_group = false;
    archive->shape = archive->outer_shape;
    note_shape(archive, (size_t)group->shape);
}

/* whether the bytes have the group, of which this is known, in this part */
static bool is_part(const tr_archive *archive, const tr_archive_group *group, tr_archive_part part)
{
    const bool known = archive->version != NULL ? group->version != 0 : group->known;
    return known && part.at == archive->at && part.size == group->size &&
           part.hash == (archive->version != NULL ? group->version : group->hash) &&
           group->size <= archive->size - archive->at;
}

bool tr_archive_begin(tr_archive *archive, tr_archive_group *group)
{
    if (!tr_archive_goes_on(archive))
        return false;
    archive->outer_shape = archive->shape;
    archive->begin = archive->at;
    archive->shape = 0;
    bool skips = false;
    if (archive->parts == NULL) {
        skips = archive->mode == TR_ARCHIVE_COUNT && (group->known || group->version != 0);
    } else if (archive->part == TR_ARCHIVE_PARTS) {
        tr_archive_refuse(archive);
        return false;
    } else if (archive->mode == TR_ARCHIVE_WRITE) {
        if (archive->version == NULL)
            hash_run(archive);
        archive->parts->loose = archive->hash;
        archive->hash = 0;
        skips = archive->before != NULL && is_part(archive, group, archive->before->part[archive->part]);
    } else {
        const tr_archive_part part = archive->parts->part[archive->part];
        skips = is_part(archive, group, part);
        /* other versions may have the same bytes */
        if (!skips && archive->mode == TR_ARCHIVE_COMPARE && group->known && archive->version == NULL) {
            archive->differs = true;
            return false;
        }
    }
    if (skips) {
        archive->at += group->size;
        leave(archive, group,
              (tr_archive_part){archive->begin, group->size, archive->version != NULL ? group->version : group->hash});
    } else if (tr_archive_reads(archive)) {
        tr_archive_touch(group);
    }
    archive->in_group = !skips;
    return !skips;
}

void tr_archive_end(tr_archive *archive, tr_archive_group *group)
{
    if (!tr_archive_goes_on(archive))
        return;
    tr_archive_part part = {archive->begin, archive->at - archive->begin, 0};
    if (archive->parts != NULL && archive->mode == TR_ARCHIVE_WRITE && archive->version != NULL) {
        part.hash = group->version != 0 ? group->version : ++*archive->version;
    } else if (archive->parts != NULL && archive->mode == TR_ARCHIVE_WRITE) {
        hash_run(archive);
        part.hash = archive->hash;
    } else if (archive->parts != NULL) {
        const tr_archive_part *is = &archive->parts->part[archive->part];
        if (is->at != part.at || is->size != part.size) {
            tr_archive_refuse(archive);
            return;
        }
        part.hash = is->hash;
    }
    tr_archive_group now = *group;
    now.shape = archive->shape;
    now.size = (size_t)part.size;
    if (archive->version != NULL) {
        now.version = part.hash;
    } else {
        now.known = true;
        now.hash = part.hash;
    }
    if (archive->parts != NULL && archive->notes)
        *group = now;
    leave(archive, &now, part);
}

void tr_archive_finish(tr_archive *archive)
{
    if (archive->version == NULL)
        hash_run(archive);
    else
        settle_copies();
    archive->parts->loose = archive->hash;
    for (uint32_t i = archive->part; i < TR_ARCHIVE_PARTS; i++)
        archive->parts->part[i] = (tr_archive_part){0};
}

static uint64_t hash_of_run(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (size_t part; size > 0; bytes += part, size -= part) {
        part = size < PIECE ? size : PIECE;
        hash = hash_on(hash, bytes, part);
    }
    return hash;
}

bool tr_archive_sum(tr_archive_parts *parts, const unsigned char *bytes, size_t first, size_t size)
{
    uint64_t loose = 0;
    size_t at = first;
    uint32_t i = 0;
    for (; i < TR_ARCHIVE_PARTS && parts->part[i].at != 0; i++) {
        tr_archive_part *part = &parts->part[i];
        if (part->at < at || part->at > size || part->size > size - part->at)
            return false;
        loose = hash_of_run(loose, bytes + at, (size_t)part->at - at);
        part->hash = hash_of_run(0, bytes + part->at, (size_t)part->size);
        at = (size_t)(part->at + part->size);
    }
    for (; i < TR_ARCHIVE_PARTS; i++)
        parts->part[i] = (tr_archive_part){0};
    parts->loose = hash_of_run(loose, bytes + at, size - at);
    return true;
}

/*
 * The hash: eight lanes of words, so that the products of neighbouring words do not wait for each other; one product for
 * two words. Each step is a bijection of the lane's state, for any words, and of each word, for any state; and so is the
 * end.
 */
#define LANES 8u
#define PRIME UINT64_C(0x9E3779B97F4A7C15)
#define OTHER UINT64_C(0xD1B54A32D192ED03)

static uint64_t turn(uint64_t x)
{
    return x << 29 | x >> 35;
}

static uint64_t word_at(const unsigned char *at, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, at, size);
    return word;
}

uint64_t tr_archive_hash(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t lane[LANES], hash = (uint64_t)size * PRIME;
    for (uint32_t i = 0; i < LANES; i++)
        lane[i] = PRIME + i * OTHER;
    size_t left = size;
    for (; left >= 16 * LANES; left -= 16 * LANES, at += 16 * LANES) {
        for (size_t i = 0; i < LANES; i++)
            lane[i] = turn((lane[i] ^ word_at(at + 8 * i, 8)) * OTHER) + word_at(at + 8 * (LANES + i), 8);
    }
    for (uint32_t i = 0; left > 0; i++) {
        size_t part = left < 8 ? left : 8;
        lane[i % LANES] = turn((lane[i % LANES] ^ word_at(at, part)) * OTHER);
        left -= part;
        at += part;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        hash = turn((hash ^ lane[i]) * PRIME);
        hash ^= hash >> 31;
    }
    return hash;
}
