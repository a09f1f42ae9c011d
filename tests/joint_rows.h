/*
 * What the rows of every type of joint are, written out in double precision from the coordinates C that the joints
 * hold, with the sign rule C = (B side) - (A side); and the means to take the same rows out of the kernels.
 *
 * A new type of joint needs one line in `descriptions`; and a case in coordinate_at() if its coordinate is new.
 */
#ifndef TR_TESTS_JOINT_ROWS_H
#define TR_TESTS_JOINT_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "kernel_rig.h"

/* velocities of up to four bodies, or a row of J: A's x, y, turn, then B's, then those of their carriers */
#define QUAD (3 * TR_ENDS)
typedef struct quad {
    double v[QUAD];
} quad;

static inline double dot_quad(const quad *a, const quad *b)
{
    double sum = 0.0;
    for (int i = 0; i < QUAD; i++)
        sum += a->v[i] * b->v[i];
    return sum;
}

/* centres and angles of A, B and their carriers; of the world 0 */
typedef struct place {
    double x[TR_ENDS], y[TR_ENDS], angle[TR_ENDS];
} place;

/*
 * Coordinates
 */
typedef enum coordinate {
    NO_ROW, /* 0, so that a type that nobody has described is found out */
    ANGLE,  /* of B less that of A */
    LENGTH, /* |d|, d = anchor B - anchor A */
    ACROSS, /* d across A's axis */
    ALONG,  /* d along A's axis */
    SEEN_X, /* d as A sees it, in a frame that turns with A */
    SEEN_Y,
    ROPE,   /* over two wheels in the world: ratio |anchor A - ground A| + |anchor B - ground B| */
    MESH,   /* angle or travel of B, plus ratio times that of A, each against its carrier */
    GEARED, /* the angle of B less ratio times that of A */
} coordinate;

/* what a softness of a frequency is relative to */
typedef enum relative_to {
    OWN_K,      /* each row's own */
    MEAN_POINT, /* of a point's two rows the mean, of others their own */
    WHOLE_BLOCK /* the block as a matrix */
} relative_to;

typedef struct joint_description {
    int row[TR2_MAX_IMPULSES]; /* the coordinate that each column of impulses acts on; negative: the other way */
    uint32_t held; /* how many of the first rows are solved last and as one, so that they hold after a pass */
    relative_to frequency;
    bool drives;    /* the rows are capped; the plain kernel drives a velocity and holds nothing */
    bool unrelaxed; /* rigid rows keep their bias when relaxing */
    bool outside;   /* acts on B from outside: momentum is not kept */
} joint_description;

static const joint_description descriptions[TR2_JOINT_TYPE_COUNT] = {
    [TR2_REVOLUTE] = {{SEEN_X, SEEN_Y, ANGLE, ANGLE, ANGLE, -ANGLE, ANGLE}, .held = 2, .frequency = WHOLE_BLOCK},
    [TR2_DISTANCE] = {{LENGTH, LENGTH, LENGTH, -LENGTH, LENGTH}, .held = 1},
    [TR2_PRISMATIC] = {{ACROSS, ANGLE, ALONG, ALONG, ALONG, -ALONG, ALONG}, .held = 2},
    [TR2_WELD] = {{SEEN_X, SEEN_Y, ANGLE}, .held = 3, .frequency = MEAN_POINT},
    [TR2_WHEEL] = {{ACROSS, ALONG, ALONG, -ALONG, ALONG, ANGLE}, .held = 1},
    [TR2_LINE] = {{ACROSS, ALONG, ALONG, ALONG, -ALONG, ALONG}, .held = 1},
    [TR2_LINEAR_MOTOR] = {.row = {ALONG, ALONG, ALONG, ALONG, -ALONG}},
    [TR2_ANGLE] = {{GEARED, GEARED, GEARED, GEARED, -GEARED, GEARED}, .held = 1},
    [TR2_TARGET] = {{SEEN_X, SEEN_Y}, .held = 2, .frequency = WHOLE_BLOCK, .unrelaxed = true},
    [TR2_MOTOR] = {{SEEN_X, SEEN_Y, ANGLE}, .held = 2, .frequency = WHOLE_BLOCK, .drives = true},
    [TR2_FRICTION_JOINT] = {.row = {SEEN_X, SEEN_Y, ANGLE}}, /* holds nothing for certain: it only brakes */
    [TR2_PULLEY] = {{-ROPE}, .outside = true},               /* an inequality: nothing is held for certain */
    [TR2_GEAR] = {{MESH}, .held = 1},
};

/* one lane's joint; `field` is any number of its definition */
typedef struct joint {
    const rig *rig;
    uint32_t row; /* in the rig's columns */
    tr2_joint_type type;
    int32_t end[TR_ENDS]; /* state rows of A, B and their carriers */
    double anchor[2][2];  /* from the centres of mass */
    double origin[2][2];  /* of the carriers, likewise */
    double frame;         /* angle of the frame in which SEEN_X and SEEN_Y are written */
} joint;

static inline double joint_field(const joint *j, tr2_field field)
{
    if (tr2_field_infos[field].kind == TR_KIND_DOUBLE)
        return j->rig->wide_field[field][j->row];
    return (double)j->rig->field[field][j->row];
}

static inline bool joint_switch(const joint *j, tr2_field field)
{
    uint32_t bits;
    memcpy(&bits, &j->rig->field[field][j->row], sizeof bits);
    return bits != 0;
}

static inline void anchor_at(const joint *j, const place *p, int body, double out[2])
{
    double c = cos(p->angle[body]), s = sin(p->angle[body]);
    out[0] = p->x[body] + c * j->anchor[body][0] - s * j->anchor[body][1];
    out[1] = p->y[body] + s * j->anchor[body][0] + c * j->anchor[body][1];
}

/* from a ground point to an anchor */
static inline double rope_at(const joint *j, const double anchor[2], tr2_field ground_x)
{
    return hypot(anchor[0] - joint_field(j, ground_x), anchor[1] - joint_field(j, (tr2_field)(ground_x + 1)));
}

/* of an anchor along an axis of the side's carrier, from that one's origin */
static inline double travel_at(const joint *j, const place *p, int side, const double anchor[2], double x, double y)
{
    double c = cos(p->angle[2 + side]), s = sin(p->angle[2 + side]);
    double origin[2] = {p->x[2 + side] + c * j->origin[side][0] - s * j->origin[side][1],
                        p->y[2 + side] + s * j->origin[side][0] + c * j->origin[side][1]};
    return (c * x - s * y) * (anchor[0] - origin[0]) + (s * x + c * y) * (anchor[1] - origin[1]);
}

/* `which` may be negative: the same the other way */
static inline double coordinate_at(const joint *j, const place *p, int which)
{
    double a[2], b[2];
    anchor_at(j, p, 0, a);
    anchor_at(j, p, 1, b);
    double d[2] = {b[0] - a[0], b[1] - a[1]};
    double c = cos(p->angle[0]), s = sin(p->angle[0]), x = joint_field(j, TR2_AXIS_X), y = joint_field(j, TR2_AXIS_Y);
    double n[2] = {c * x - s * y, s * x + c * y}, turned = j->frame - p->angle[0];
    switch (which) {
    case ANGLE:
        return p->angle[1] - p->angle[0];
    case GEARED:
        return p->angle[1] - joint_field(j, TR2_RATIO) * p->angle[0];
    case LENGTH:
        return sqrt(d[0] * d[0] + d[1] * d[1]);
    case ACROSS:
        return -n[1] * d[0] + n[0] * d[1];
    case ALONG:
        return n[0] * d[0] + n[1] * d[1];
    case SEEN_X:
        return cos(turned) * d[0] - sin(turned) * d[1];
    case SEEN_Y:
        return sin(turned) * d[0] + cos(turned) * d[1];
    case ROPE:
        return joint_field(j, TR2_RATIO) * rope_at(j, a, TR2_GROUND_A_X) + rope_at(j, b, TR2_GROUND_B_X);
    case MESH: {
        double on_a = joint_switch(j, TR2_SLIDES_A) ? travel_at(j, p, 0, a, x, y) : p->angle[0] - p->angle[2];
        double bx = joint_field(j, TR2_AXIS_B_X), by = joint_field(j, TR2_AXIS_B_Y);
        double on_b = joint_switch(j, TR2_SLIDES_B) ? travel_at(j, p, 1, b, bx, by) : p->angle[1] - p->angle[3];
        return on_b + joint_field(j, TR2_RATIO) * on_a;
    }
    default:
        assert_true(which < 0);
        return -coordinate_at(j, p, -which);
    }
}

/* dC/dt along a velocity: a central difference, good to some 1e-9 */
static inline double coordinate_rate(const joint *j, const place *p, int which, const quad *v)
{
    const double e = 1e-6;
    joint seen = *j;
    seen.frame = p->angle[0];
    place forth = *p, back = *p;
    for (int body = 0; body < TR_ENDS; body++) {
        forth.x[body] += e * v->v[3 * body];
        forth.y[body] += e * v->v[3 * body + 1];
        forth.angle[body] += e * v->v[3 * body + 2];
        back.x[body] -= e * v->v[3 * body];
        back.y[body] -= e * v->v[3 * body + 1];
        back.angle[body] -= e * v->v[3 * body + 2];
    }
    return (coordinate_at(&seen, &forth, which) - coordinate_at(&seen, &back, which)) / (2.0 * e);
}

/* a row of J */
static inline quad jacobian_of(const joint *j, const place *p, int which)
{
    quad row;
    for (int i = 0; i < QUAD; i++) {
        quad unit = {{0.0}};
        unit.v[i] = 1.0;
        row.v[i] = coordinate_rate(j, p, which, &unit);
    }
    return row;
}

static inline bool is_angular(int which)
{
    return abs(which) == ANGLE || abs(which) == GEARED;
}

static inline bool has_equal_torque(const joint *j)
{
    uint32_t bits;
    memcpy(&bits, &j->rig->field[TR2_EQUAL_TORQUE][j->row], sizeof bits);
    return bits != 0;
}

/* What an impulse of 1 pushes the bodies with: along the row of J, but where equal and opposite torques are asked
   for. */
static inline quad push_of(const joint *j, const place *p, int which)
{
    quad row = jacobian_of(j, p, abs(which) == GEARED && has_equal_torque(j) ? (which < 0 ? -ANGLE : ANGLE) : which);
    quad sum = row;
    /* a body at two ends is pushed at both */
    for (int end = 0; end < TR_ENDS; end++)
        for (int other = 0; other < TR_ENDS; other++)
            for (int i = 0; i < 3 && other != end && j->end[other] == j->end[end]; i++)
                sum.v[3 * end + i] += row.v[3 * other + i];
    return sum;
}

/* along J, what torques of angles differ by is left to the bearings of the axles; so it is where a gear's are the
   world's */
static inline bool keeps_momentum(const joint *j)
{
    if (j->type == TR2_GEAR)
        return j->end[2] < RIG_MOVING && j->end[3] < RIG_MOVING;
    return j->type != TR2_ANGLE || has_equal_torque(j);
}

/* where a direction is not defined there is nothing to compare */
static inline bool is_singular(const joint *j, const place *p)
{
    double a[2], b[2];
    anchor_at(j, p, 0, a);
    anchor_at(j, p, 1, b);
    if (j->type == TR2_PULLEY)
        return rope_at(j, a, TR2_GROUND_A_X) < 0.05 || rope_at(j, b, TR2_GROUND_B_X) < 0.05;
    return j->type == TR2_DISTANCE && hypot(b[0] - a[0], b[1] - a[1]) < 0.05;
}

/*
 * The rig's lanes as the tests see them: all blocks, all with two moving bodies
 */
static inline void rig_two_moving(rig *r, uint64_t seed)
{
    rig_fill(r, seed);
    for (uint32_t b = 0; b < RIG_BLOCKS; b++) {
        for (int32_t i = 0; i < TR_LANES; i++) {
            r->block[b].bodies.a[i] = TR2_ROW * ((i + 5 * (int32_t)b) % TR_LANES);
            r->block[b].bodies.b[i] = TR2_ROW * (TR_LANES + (3 * i + (int32_t)b) % TR_LANES);
            r->joint_rows[b * TR_LANES + (uint32_t)i] = b * TR_LANES + (uint32_t)i;
        }
        r->flags[b] = 0;
    }
    /* all on, no force capped, no friction */
    memset(r->joint_flags, 0, sizeof r->joint_flags);
    memset(r->field[TR2_SPRING_FORCE_LOWER], 0, sizeof r->field[0]);
    memset(r->field[TR2_SPRING_FORCE_UPPER], 0, sizeof r->field[0]);
    memset(r->field[TR2_FRICTION], 0, sizeof r->field[0]);
    /* near the origin: differences of positions are not the matter here */
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        r->wide_field[TR2_GROUND_A_X][i] -= 1000.0;
        r->wide_field[TR2_GROUND_B_X][i] -= 1000.0;
        r->wide_field[TR2_GROUND_A_Y][i] += 500.0;
        r->wide_field[TR2_GROUND_B_Y][i] += 500.0;
    }
    for (uint32_t i = 0; i < RIG_ROWS; i++) {
        if (i == RIG_NULL)
            continue;
        r->places[i].x -= 1000.0;
        r->places[i].y += 500.0;
        if (i < RIG_MOVING && r->frames[i].inverse_inertia == 0.0f)
            r->frames[i].inverse_inertia = 2.0f;
    }
}

static inline void ends_of(const rig *r, uint32_t block, uint32_t lane, int32_t end[TR_ENDS])
{
    end[0] = r->block[block].bodies.a[lane] / TR2_ROW;
    end[1] = r->block[block].bodies.b[lane] / TR2_ROW;
    end[2] = r->carrier[0][block * TR_LANES + lane];
    end[3] = r->carrier[1][block * TR_LANES + lane];
}

static inline joint joint_of(const rig *r, tr2_joint_type type, uint32_t block, uint32_t lane)
{
    uint32_t row = block * TR_LANES + lane;
    joint j = {.rig = r, .row = row, .type = type};
    ends_of(r, block, lane, j.end);
    for (int i = 0; i < 2; i++) {
        j.origin[i][0] = -(double)r->local_center_x[j.end[2 + i]];
        j.origin[i][1] = -(double)r->local_center_y[j.end[2 + i]];
    }
    j.anchor[0][0] = (double)r->field[TR2_ANCHOR_A_X][row] - (double)r->local_center_x[j.end[0]];
    j.anchor[0][1] = (double)r->field[TR2_ANCHOR_A_Y][row] - (double)r->local_center_y[j.end[0]];
    j.anchor[1][0] = (double)r->field[TR2_ANCHOR_B_X][row] - (double)r->local_center_x[j.end[1]];
    j.anchor[1][1] = (double)r->field[TR2_ANCHOR_B_Y][row] - (double)r->local_center_y[j.end[1]];
    return j;
}

/* where the bodies of a lane are: as the step began, plus what they have moved since */
static inline place place_of(const rig *r, uint32_t block, uint32_t lane)
{
    place p;
    int32_t row[TR_ENDS];
    ends_of(r, block, lane, row);
    for (int i = 0; i < TR_ENDS; i++) {
        p.x[i] = r->places[row[i]].x + (double)r->poses[row[i]].x;
        p.y[i] = r->places[row[i]].y + (double)r->poses[row[i]].y;
        p.angle[i] = r->angle[row[i]] + (double)r->velocities[row[i]].angle;
    }
    return p;
}

static inline quad velocity_of(const rig *r, uint32_t block, uint32_t lane)
{
    int32_t row[TR_ENDS];
    quad v;
    ends_of(r, block, lane, row);
    for (int i = 0; i < TR_ENDS; i++) {
        v.v[3 * i] = (double)r->velocities[row[i]].x;
        v.v[3 * i + 1] = (double)r->velocities[row[i]].y;
        v.v[3 * i + 2] = (double)r->velocities[row[i]].w;
    }
    return v;
}

static inline quad inverse_masses_of(const rig *r, uint32_t block, uint32_t lane)
{
    int32_t row[TR_ENDS];
    quad m;
    ends_of(r, block, lane, row);
    for (int i = 0; i < TR_ENDS; i++) {
        m.v[3 * i] = m.v[3 * i + 1] = (double)r->frames[row[i]].inverse_mass;
        m.v[3 * i + 2] = (double)r->frames[row[i]].inverse_inertia;
    }
    return m;
}

/* a row of J from what its impulse does */
static inline quad over_inverse_masses(const quad *row, const quad *inverse_masses)
{
    quad j;
    for (int i = 0; i < QUAD; i++)
        j.v[i] = inverse_masses->v[i] > 0.0 ? row->v[i] / inverse_masses->v[i] : 0.0;
    return j;
}

static inline quad times_inverse_masses(const quad *row, const quad *inverse_masses)
{
    quad j;
    for (int i = 0; i < QUAD; i++)
        j.v[i] = row->v[i] * inverse_masses->v[i];
    return j;
}

/* moves every body a little, as half a step of sub-steps would have */
static inline void move(rig *r)
{
    for (uint32_t i = 0; i < RIG_MOVING; i++) {
        float angle = rig_random(r, -0.6f, 0.6f), c, s;
        tr2_rotation((double)angle, &c, &s);
        r->velocities[i].angle = angle;
        r->poses[i] = (tr2_body_pose){rig_random(r, -0.3f, 0.3f), rig_random(r, -0.3f, 0.3f), c, s};
    }
}

/*
 * The kernels
 */
static inline void prepare(rig *r, uint32_t kernel)
{
    rig_give_carriers(r, kernel);
    rig_prepare(r, &tr2_kernels_scalar, kernel);
}

static inline void pass(rig *r, uint32_t kernel, uint32_t block, bool relax)
{
    rig_pass(r, &tr2_kernels_scalar, kernel, relax ? TR_PASS_RELAX : TR_PASS_SOLVE, block, 1);
}

/* M^-1 J^T of one row of the kernel, lane by lane of one block, as it stands after prepare or relax: bodies at rest, an
   impulse of 1 in that row and in nothing else */
static inline void take_row(const rig *prepared, uint32_t kernel, uint32_t block, uint32_t row, quad *out)
{
    static rig r;
    const tr2_joint_kernel *k = &tr2_kernels_scalar.joints[kernel];
    r = *prepared;
    for (uint32_t i = 0; i < RIG_ROWS; i++)
        r.velocities[i].x = r.velocities[i].y = r.velocities[i].w = 0.0f;
    for (uint32_t i = 0; i < k->impulse_count; i++)
        for (uint32_t lane = 0; lane < TR_LANES; lane++)
            r.block[block].column[i][lane] = i == row ? 1.0f : 0.0f;
    rig_pass(&r, &tr2_kernels_scalar, kernel, TR_PASS_WARM_START, block, 1);
    for (uint32_t lane = 0; lane < TR_LANES; lane++)
        out[lane] = velocity_of(&r, block, lane);
}

#endif
