/* What scenes of both dimensions share: errors, texts and growing arrays. */
#ifndef TR_SCENE_COMMON_H
#define TR_SCENE_COMMON_H

#include "trammel/base.h"

/* Writes a message to `error`, which may be null. Returns `status`, so that callers can return it in turn. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
tr_scene_fail(tr_error *error, tr_status status, const char *format, ...);

/* Makes names from files safe for terminals: removes control characters and a UTF-8 sequence that was cut at the
   end. */
void tr_scene_tidy(char *text);

/* A copy of a string that the scene will own. TR_ERROR_MEMORY. */
tr_status tr_scene_copy_text(const char *text, char **out, tr_error *error);

/* Rounds to float; false for NaN and for values beyond the finite floats. */
bool tr_scene_to_float(double value, float *out);

/* Makes room for `needed` entries of `size` bytes; entries are kept, new room is not initialised. TR_ERROR_MEMORY,
   TR_ERROR_LIMIT (2^31 - 1 entries). */
tr_status tr_scene_grow(void **array, uint32_t *capacity, uint32_t needed, size_t size, tr_error *error);
/* Releases the room beyond the last entry; if realloc fails, the larger block stays valid. */
void *tr_scene_trim(void *array, uint32_t count, size_t size);

/* Whether two values are equal to the bit: -0 is not 0. */
bool tr_scene_same_bits(const void *a, const void *b, size_t size);

/* The order of ids by their slots, for qsort(). */
int tr_scene_by_slot(const void *a, const void *b);

/* The notice about shapes in a scene that does not ask for collision. */
extern const char tr_scene_no_collision[];

#endif
