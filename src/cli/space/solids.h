/*
 * Pictures of space: each frame becomes a list of flat pieces, sorted from the farthest to the nearest, which canvas.c
 * paints with cairo and animate.c writes as SVG.
 */
#ifndef TR_CLI_SOLIDS_H
#define TR_CLI_SOLIDS_H

#include "cli/core/palette.h"
#include "cli/core/picture.h"

typedef enum piece_kind {
    PIECE_POLYGON, /* filled, closed */
    PIECE_LINE,    /* a polyline with round ends, `size` wide */
    PIECE_DISC     /* filled, of the radius `size` about one point */
} piece_kind;

typedef struct piece {
    piece_kind kind;
    uint32_t color;   /* 0xRRGGBB, of the fill or of the line */
    uint32_t edge;    /* of the outline */
    float edge_width; /* pixels; 0: no outline. That of a line is all around it */
    float size;       /* pixels */
    bool dotted;
    uint32_t first_point, point_count;
} piece;

typedef enum solid_kind {
    SOLID_WHOLE,      /* its pieces are in front of each other as they come */
    SOLID_SMALL,      /* it may change places with others at about the same depth */
    SOLID_SMALL_JOINT /* the same, in front of bodies */
} solid_kind;

/* Consecutive pieces. */
typedef struct solid {
    double depth; /* m, toward the viewer */
    uint32_t order;
    solid_kind kind;
    uint32_t first_piece, piece_count;
} solid;

typedef struct solids {
    solid *list;
    uint32_t count, capacity;
    piece *pieces;
    uint32_t piece_count, piece_capacity;
    tr_dvec2 *points; /* pixels from the middle of the window; y goes down */
    uint32_t point_count, point_capacity;
    bool failed; /* out of memory */
    /* of the frame */
    const picture *picture;
    const view *view;
    const palette *colors;
    const snapshot *snapshot;
    tr_dvec2 center; /* m, the middle of the window in the picture's plane */
    double scale;    /* pixels per metre */
    bool *shaped;    /* of each body: it has shapes */
    double typical;  /* m: the median radius of shapes */
    bool plain;      /* draws every solid and joint as if it were small */
} solids;

/* What the frames of a picture share; `scale` in pixels per metre. Sets `failed` if out of memory. */
void solids_begin(solids *s, const picture *p, const view *v, double scale, const palette *colors, bool plain);
void solids_free(solids *s);

/* Makes the pieces of a frame whose window has its middle there, in place of those of the frame before. */
void solids_draw(solids *s, const snapshot *frame, tr_dvec2 center);

/*
 * For the functions that draw joints (picture_joints.c, solver/joints3/)
 */
typedef struct joint_pen {
    solids *solids;
    const tr3_joint_def *def;
    const tr3_transform *a, *b; /* poses of the bodies */
    tr3_transform carrier[2];   /* of their carriers; the world's */
    tr_vec3 center_a, center_b; /* of mass, in the bodies' frames */
    bool arm_a, arm_b;          /* whether to draw a line from the centre of mass to the anchor */
    bool simple;                /* too small for glyphs */
    uint32_t color;
    double glyph; /* m: half the size of a ring or square */
    double reach; /* m: typical distance of an anchor from the centre */
    float width;  /* pixels, of lines */
} joint_pen;

/* The appearance of a joint type. */
typedef struct joint_look {
    uint32_t color; /* 0xRRGGBB */
    void (*draw)(const joint_pen *pen);
} joint_look;

const joint_look *tr3_joint_look_of(tr3_joint_type type);

/* Begins a solid at a place of the world, `bias` m nearer to the viewer; the pieces that follow belong to it. */
void solids_add(solids *s, tr_dvec3 at, double bias, solid_kind kind);
/* Adds a piece through points of the world. */
void solids_piece(solids *s, piece p, const tr_dvec3 *points, uint32_t count);

/* The colours of the axes x, y and z. */
extern const uint32_t solids_axis_colors[3];

/* A colour times a brightness: 1 leaves it. */
uint32_t solids_shade(uint32_t color, double brightness);

#endif
