/* Drawings: a scene as marks attached to bodies. A drawing is made once; each frame transforms it. Independent of
   the file format. */
#ifndef TR_CLI_DRAWING_H
#define TR_CLI_DRAWING_H

#include "cli/core/groups.h"
#include "cli/core/palette.h"

typedef enum mark_kind {
    MARK_LINE,   /* a polyline in A's frame; if A and B differ it has two points, and the second is in B's frame */
    MARK_LOOP,   /* a closed polygon in A's frame */
    MARK_CIRCLE, /* one point in A's frame, and a radius */
    MARK_SPRING, /* a zig-zag from a point of A to a point of B */
    MARK_ROPE,   /* a line from a point of A to a point of B, dotted while shorter than `size` */
    MARK_ARROW   /* from a point of B, the second, along a vector of A, the first: B may rotate under it */
} mark_kind;

typedef enum mark_dash { DASH_NONE, DASH_DASHED, DASH_DOTTED } mark_dash;

#define NO_JOINT UINT32_MAX

typedef struct mark {
    mark_kind kind;
    mark_dash dash;
    uint32_t body_a, body_b;
    uint32_t joint; /* the joint that gives the colour; NO_JOINT: the mark's own colour */
    uint32_t first_point, point_count;
    float size;       /* m: radius of a circle, length of a rope */
    float width;      /* pixels, of the stroke; 0: none */
    uint32_t stroke;  /* 0xRRGGBB */
    uint32_t fill;    /* 0xRRGGBB */
    float alpha;      /* of the stroke */
    float fill_alpha; /* 0: not filled; a joint's fill has the joint's colour */
} mark;

/* Marks of bodies come first, static to dynamic; marks of joints follow in the scene's order. */
typedef struct drawing {
    mark *marks;
    uint32_t mark_count, mark_capacity;
    tr_vec2 *points;
    uint32_t point_count, point_capacity;
    uint32_t first_joint_mark;
    bool failed; /* out of memory */
} drawing;

/* Input of the function that draws a joint of one type. */
typedef struct joint_pen {
    drawing *drawing;
    const tr2_joint_def *def;
    uint32_t joint, body_a, body_b;
    uint32_t world; /* index that stands for the world as a body, at `origin` */
    tr_dvec2 origin;
    const tr2_body_def *at_a, *at_b; /* definitions of the bodies in the scene */
    double carried_a, carried_b;     /* rad, angles of a gear's carriers; 0: the world */
    tr_vec2 center_a, center_b;      /* of mass, in the bodies' frames */
    bool ground_a, ground_b;         /* the joint only pushes from this end, which is static: nothing is drawn there */
    bool arm_a, arm_b;               /* whether to draw a line from the centre of mass to the anchor */
    bool simple;                     /* too small for glyphs: lines only */
    float glyph;                     /* m: half the size of a ring or cross */
    float reach;                     /* m: typical distance of an anchor from the centre */
    float width;                     /* pixels, of lines */
} joint_pen;

/* The appearance of a joint type. joint_look_of() has one for each type. */
typedef struct joint_look {
    uint32_t color; /* 0xRRGGBB */
    void (*draw)(joint_pen *pen);
} joint_look;

const joint_look *joint_look_of(tr2_joint_type type);

/* Makes the marks of a scene; `scale` in pixels per metre. Sets drawing->failed if out of memory. */
void drawing_make(drawing *d, const tr2_scene *scene, const groups *g, double reach, double scale);
void drawing_free(drawing *d);

/* Adds a mark with its points. */
void drawing_add(drawing *d, mark m, const tr_vec2 *points, uint32_t count);

/* World position of a point of a body, m. */
tr_dvec2 drawing_place(const snapshot *s, uint32_t body, tr_vec2 point);
/* The points of a zig-zag from p to q, in any unit; p and q are the first and the last. */
#define SPRING_POINTS 12u
void drawing_zigzag(tr_dvec2 p, tr_dvec2 q, double amplitude, tr_dvec2 out[SPRING_POINTS]);
/* The points of the polyline that is an arrow from p to q. */
#define ARROW_POINTS 5u
void drawing_arrow(tr_dvec2 p, tr_dvec2 q, tr_dvec2 out[ARROW_POINTS]);
/* The ends of a mark between two bodies, m. */
void drawing_ends(const drawing *d, const mark *m, const snapshot *s, tr_dvec2 out[2]);

#endif
