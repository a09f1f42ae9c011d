/* The operations of simd/wide.h and simd/rows.h as functions over 16 floats, so that a test can call them at every
   width. */
#ifndef TR_TESTS_WIDE_OPS_H
#define TR_TESTS_WIDE_OPS_H

#include <stdbool.h>
#include <stdint.h>

#define WIDE_LANES 16 /* a multiple of every width */

typedef enum wide_op {
    WIDE_ADD,
    WIDE_SUBTRACT,
    WIDE_MULTIPLY,
    WIDE_DIVIDE,
    WIDE_NEGATE,
    WIDE_SQRT,
    WIDE_ABS,
    WIDE_LT, /* masks come back as 1 and 0 */
    WIDE_LE,
    WIDE_EQ,
    WIDE_AND,    /* a < b and b < c */
    WIDE_OR,     /* a < b or b < c */
    WIDE_SELECT, /* a < b ? c : a */
    WIDE_MIN,
    WIDE_MAX,
    WIDE_CLAMP, /* a between b and c */
    WIDE_KEEP,  /* a < b ? c : 0 */
    WIDE_ROUND,
    WIDE_INVERSE_OR_ZERO,
    WIDE_SINE,
    WIDE_COSINE,
    WIDE_NEAR,  /* 1 unless |a| <= TR_SINCOS_NEAR and wf_sincos_near() differs from wf_sincos() of all lanes */
    WIDE_ATAN2, /* of a over b */
    WIDE_OP_COUNT
} wide_op;

/* Each works on WIDE_LANES lanes. */
typedef struct wide_ops {
    uint32_t width;
    void (*run)(wide_op op, const float *a, const float *b, const float *c, float *out);
    void (*set)(float value, float *out);
    /* whether wm_all says yes for every group of `width` lanes in which all a < b: `out` gets 1 or 0 per lane */
    void (*all)(const float *a, const float *b, float *out);
    /* wm_bits of a < b of each group: 1 or 0 per lane */
    void (*bits)(const float *a, const float *b, float *out);
    void (*load_rows)(const float *base, const int32_t *index, int32_t stride, float (*out)[WIDE_LANES]);
    void (*store_rows)(float *base, const int32_t *index, int32_t stride, float (*in)[WIDE_LANES]);
    void (*store_rows_below)(float *base, const int32_t *index, int32_t stride, float (*in)[WIDE_LANES], int32_t end);
    /* of the four groups of rows at index[0 .. 3] */
    void (*load_groups)(const float *base, const int32_t *index, float (*out)[WIDE_LANES]);
    void (*store_groups)(float *base, const int32_t *index, float (*in)[WIDE_LANES]);
    /* x and y of b less a: of 16 rows each, and of four groups of rows each */
    void (*difference_rows)(const double *base, const int32_t *a, const int32_t *b, float (*out)[WIDE_LANES]);
    void (*difference_groups)(const double *base, const int32_t *a, const int32_t *b, float (*out)[WIDE_LANES]);
} wide_ops;

extern const wide_ops wide_ops_scalar;
#if defined(__x86_64__)
extern const wide_ops wide_ops_sse2;
extern const wide_ops wide_ops_avx2;
extern const wide_ops wide_ops_avx512;
#elif defined(__aarch64__)
extern const wide_ops wide_ops_neon;
#endif

#endif
