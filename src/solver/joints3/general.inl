/*
 * General (six degrees of freedom): each of three travels of B's anchor along the axes of a frame in A, and of three
 * angles of B, is locked, or free with all features.
 *
 *   travels  x . d, y . d, z . d                          J = (-n, -(a x n), n, rB x n),  a = rA + d
 *   angles   of B about x, then y1, then zB               J = (0, -p, 0, p)
 *
 * y1 is y turned about x by the first angle, the axis of the second rotation: yB if the third angle is locked, else y if
 * the first is, else u/c with u = zB x x and c = +-|u|. With z1 = x x y1 the angles and the p of their rates are
 *
 *   first   that of y1 about x from y      p = x if the third is locked, else y1 x zB / c,  c = zB . z1
 *   second  that of zB about y1 from z1    p = y1
 *   third   that of yB about zB from y1    p = zB if the first is locked, else z1 / c
 *
 * Only if both the first and the third are free, p is not defined near a quarter turn of the second; there it is
 * shortened below |c| = GENERAL_LEAST. Of the two signs of c, for which both are half a turn apart, that nearer to the
 * last angles is taken, so that they go on through a quarter turn. What is locked is one block of rows, along n, and
 *
 *   first   C = yB . z, J = yB x z if the third is locked, too, else C = -zB . y, J = y x zB
 *   second  C = zB . x, J = zB x x
 *   third   C = -yB . x, J = x x yB
 *
 * which hold any of them alone or together at any other angle.
 */
#ifdef TR_JOINT_HOST

/* where a coordinate's features begin among the impulses: after the rows */
#define GENERAL_FEATURES(k) (6 + (int)(k)*TR_FEATURE_IMPULSES)

static bool general_is_featured(const tr3_joint_def *def)
{
    bool featured = frame_is_featured(def);
    for (uint32_t i = 0; i < TR3_COORDINATES; i++)
        featured = featured || !tr3_def_features(def, i).locked;
    return featured;
}

static void general_defaults(tr3_joint_def *def)
{
    def->locked = def->second.locked = def->third.locked = true;
    def->fourth.locked = def->fifth.locked = def->sixth.locked = true;
}

/* the angles of a pose and their axes */
typedef struct general_turn {
    tr_dvec3 x, y, z, xb, yb, zb, y1, z1;
    bool first, third; /* locked */
    double cosine;     /* of the second */
    double angle[3];
} general_turn;

/* the angles with an axis y1, wound to the turns nearest to the last ones; the sum of their distances from these */
static double general_angles(general_turn *t, tr_dvec3 y1, const double last[3])
{
    t->y1 = y1;
    t->z1 = measure_cross(t->x, y1);
    t->cosine = measure_dot(t->zb, t->z1);
    t->angle[0] = atan2(measure_dot(t->z, y1), measure_dot(t->y, y1));
    t->angle[1] = atan2(measure_dot(t->zb, t->x), t->cosine);
    t->angle[2] = atan2(measure_dot(measure_cross(y1, t->yb), t->zb), measure_dot(y1, t->yb));
    double apart = 0.0;
    for (int i = 0; i < 3; i++) {
        t->angle[i] = tr3_angle_near(t->angle[i], last[i]);
        apart += fabs(t->angle[i] - last[i]);
    }
    return apart;
}

static general_turn general_turn_of(const frame_pose *f, const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    general_turn t = {.x = f->x, .y = f->y, .z = f->z, .xb = f->xb, .yb = f->yb, .zb = measure_cross(f->xb, f->yb)};
    t.first = def->fourth.locked;
    t.third = def->sixth.locked;
    if (t.first || t.third) {
        general_angles(&t, t.third ? t.yb : t.y, pose->last);
        return t;
    }
    const tr_dvec3 u = measure_cross(t.zb, t.x);
    const double length = measure_length(u);
    const tr_dvec3 y1 = length > 0.0 ? tr3_over(u, length) : t.y;
    general_turn other = t;
    const double apart = general_angles(&t, y1, pose->last);
    return general_angles(&other, tr3_times(-1.0, y1), pose->last) < apart ? other : t;
}

/* of a free angle: p, and its derivative in time; false where it is not defined */
static bool general_axis(const general_turn *t, const tr3_joint_pose *pose, int angle, tr_dvec3 *p, tr_dvec3 *change)
{
    const tr_dvec3 wa = pose->w_a, wb = pose->w_b;
    if (t->third || t->first) {
        const bool of_b = angle == 2 || (angle == 1 && t->third);
        *p = angle == 0 ? t->x : angle == 1 ? t->y1 : t->zb;
        *change = measure_cross(of_b ? wb : wa, *p);
        return true;
    }
    return frame_free_axis(pose, t->x, t->zb, t->y1, t->cosine, angle, p, change);
}

/* what locks an angle: C = b . a for b fixed in B and a in A, J about b x a */
static void general_lock(const general_turn *t, int angle, tr_dvec3 *a, tr_dvec3 *b)
{
    *b = angle == 2 || (angle == 0 && t->third) ? t->yb : t->zb;
    *a = angle == 1 ? t->x : angle == 2 ? tr3_times(-1.0, t->x) : t->third ? t->z : tr3_times(-1.0, t->y);
}

/* the row of a coordinate, or what locks it; false where it is not defined */
static bool general_course(const general_turn *t, const tr3_joint_pose *pose, const view *v, bool locked,
                           int coordinate, tr3_equation *out)
{
    const tr_dvec3 axis[3] = {t->x, t->y, t->z}, w = tr3_minus(pose->w_b, pose->w_a);
    tr_dvec3 p, change, a, b;
    if (coordinate < 3) {
        *out = equation_along(v, axis[coordinate]);
        return true;
    }
    if (locked) {
        general_lock(t, coordinate - 3, &a, &b);
        change = tr3_plus(measure_cross(measure_cross(pose->w_b, b), a), measure_cross(b, measure_cross(pose->w_a, a)));
        *out = equation_about(pose, measure_cross(b, a));
        out->value = measure_dot(b, a);
    } else {
        if (!general_axis(t, pose, coordinate - 3, &p, &change))
            return false;
        *out = equation_about(pose, p);
        out->value = t->angle[coordinate - 3];
    }
    out->bend = measure_dot(change, w);
    return true;
}

static void general_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    const frame_pose f = frame_pose_of(def, pose);
    const general_turn t = general_turn_of(&f, def, pose);
    const view v = view_of_pose(pose);
    double square[2] = {0.0, 0.0}, beyond[2] = {0.0, 0.0};
    bool locked[2] = {false, false};
    for (int i = 0; i < TR3_COORDINATES; i++) {
        const tr3_features free = tr3_def_features(def, (uint32_t)i);
        const int kind = i / 3;
        tr3_equation row = equation_empty();
        if (!general_course(&t, pose, &v, free.locked, i, &row))
            row.value = t.angle[i - 3];
        locked[kind] = locked[kind] || free.locked;
        if (free.locked) {
            square[kind] += row.value * row.value;
        } else {
            beyond[kind] = fmax(beyond[kind], limit_violation(&free.limit, row.value));
            out->energy += spring_energy(&free.spring, row.value);
        }
        out->further[i] = (tr_joint_coordinate_value){(float)row.value, (float)row.rate};
    }
    out->coordinate = out->further[0].value;
    out->rate = out->further[0].rate;
    out->energy += softness_energy(def->linear, sqrt(square[0])) + softness_energy(def->angular, sqrt(square[1]));
    out->linear_rigid = locked[0] && softness_is_rigid(def->linear);
    out->angular_rigid = locked[1] && softness_is_rigid(def->angular);
    out->linear_error = (float)fmax(beyond[0], out->linear_rigid ? sqrt(square[0]) : 0.0);
    out->angular_error = (float)fmax(beyond[1], out->angular_rigid ? sqrt(square[1]) : 0.0);
}

static void general_wind(const tr3_joint_def *def, tr3_joint_pose *pose)
{
    const frame_pose f = frame_pose_of(def, pose);
    const general_turn t = general_turn_of(&f, def, pose);
    for (int i = 0; i < 3; i++)
        pose->last[i] = t.angle[i];
}

/* impulses: the locked rows, then the features of each coordinate */
static void general_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                             tr3_reaction *out)
{
    const frame_pose f = frame_pose_of(def, pose);
    const general_turn t = general_turn_of(&f, def, pose);
    const tr_dvec3 axis[3] = {f.x, f.y, f.z};
    tr_dvec3 force = {0.0, 0.0, 0.0}, torque = force;
    for (int i = TR3_COORDINATES - 1; i >= 0; i--) {
        /* the first is the last, which stays in `out` */
        const double held = (double)(impulse[i] * inv_h);
        const double free = (double)features_reaction(impulse, GENERAL_FEATURES(i), inv_h, out);
        tr_dvec3 p, change, a, b;
        if (i < 3) {
            force = tr3_plus(force, tr3_times(held + free, axis[i]));
        } else if (tr3_def_features(def, (uint32_t)i).locked) {
            general_lock(&t, i - 3, &a, &b);
            torque = tr3_plus(torque, tr3_times(held, measure_cross(b, a)));
        } else if (general_axis(&t, pose, i - 3, &p, &change)) {
            torque = tr3_plus(torque, tr3_times(free, p));
        }
    }
    out->force = tr3_narrow(force);
    out->torque = tr3_narrow(torque);
}

static void general_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    const frame_pose f = frame_pose_of(def, pose);
    const general_turn t = general_turn_of(&f, def, pose);
    const view v = view_of_pose(pose);
    for (int kind = 0; kind < 2; kind++) {
        const uint32_t first = out->count;
        for (int i = 3 * kind; i < 3 * kind + 3; i++) {
            tr3_equation row;
            if (tr3_def_features(def, (uint32_t)i).locked && general_course(&t, pose, &v, true, i, &row))
                equations_hold(out, row, kind == 0 ? def->linear : def->angular, i);
        }
        if (out->count > first)
            equations_block(out, out->count - first, TR_BLOCK_K);
    }
    for (int i = 0; i < TR3_COORDINATES; i++) {
        tr3_equation row;
        if (tr3_def_features(def, (uint32_t)i).locked)
            continue;
        /* where it is not defined it moves nothing: the number of rows does not depend on the pose */
        if (!general_course(&t, pose, &v, false, i, &row)) {
            row = equation_about(pose, (tr_dvec3){0.0, 0.0, 0.0});
            row.value = t.angle[i - 3];
        }
        frame_features(out, row, def, i, GENERAL_FEATURES(i));
    }
}

static const tr3_joint_type_info general_info = {
    .name = "general",
    .fields = TR3_GROUP_ANCHORS | FRAME_FIELDS | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR | TR3_GROUP_GENERAL,
    .impulse_count = 39,
    .features_at = 6,
    .impulse_names = {"x", "y", "z", "angle_x", "angle_y", "angle_z", FEATURE_NAMES(""), FEATURE_NAMES("second."),
                      FEATURE_NAMES("third."), FEATURE_NAMES("fourth."), FEATURE_NAMES("fifth."),
                      FEATURE_NAMES("sixth."), "fourth.angle", "fifth.angle", "sixth.angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES,
                      FEATURE_ROLES, FEATURE_ROLES, FEATURE_ROLES, FEATURE_ROLES, FEATURE_ROLES, TR_ROLE_PLACE,
                      TR_ROLE_PLACE, TR_ROLE_PLACE},
    .is_featured = general_is_featured,
    .set_defaults = general_defaults,
    .wind = general_wind,
    .measure = general_measure,
    .equations = general_equations,
    .reaction = general_reaction,
    .has_unit_rows = false, /* p may be long; angles are among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

enum { general_plain_impulses = 6, general_featured_impulses = 39, general_is_common = false };

/* where the angles are among the impulses */
enum { GENERAL_ANGLES = 36 };

enum {
    GENERAL_HAS = FRAME_PLAIN_END, /* the same in all lanes: what some joint of the block has, GENERAL_HAS_... */
    GENERAL_FREE,
    /* what only blocks with rows that are held need: 1 or 0 of each coordinate, and the softnesses */
    GENERAL_LOCKED = GENERAL_FREE + TR3_COORDINATES * FREE_COLUMNS,
    GENERAL_LINEAR = GENERAL_LOCKED + TR3_COORDINATES,
    GENERAL_ANGULAR = GENERAL_LINEAR + SOFT_COLUMNS,
    GENERAL_FEATURED_END = GENERAL_ANGULAR + SOFT_COLUMNS,
    GENERAL_FEW_NEED = GENERAL_FEATURED_END - GENERAL_LOCKED,
    general_plain_columns = general_plain_impulses + FRAME_PLAIN_END,
    general_featured_columns = general_featured_impulses + GENERAL_FEATURED_END
};

enum { GENERAL_HAS_LOCKS = 1, GENERAL_HAS_LOCKED_ANGLES = 2 };

/* least |c| with which p is computed: 5.7 degrees from a quarter turn */
#define GENERAL_LEAST 0.1f

/* features of a coordinate that is locked: all off */
TR_INLINE void features_off(wm off, float *c, int first)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    softness s = softness_get(c, first + FREE_SPRING_SOFT);
    s.mass_scale = wf_select(off, zero, s.mass_scale);
    s.impulse_scale = wf_select(off, one, s.impulse_scale);
    s.keep = wf_select(off, one, s.keep);
    softness_put(c, first + FREE_SPRING_SOFT, s);
    put(c, first + FREE_MOTOR_IMPULSE, wf_select(off, zero, get(c, first + FREE_MOTOR_IMPULSE)));
    put(c, first + FREE_LOWER, wf_select(off, wf_set(-TR_FAR), get(c, first + FREE_LOWER)));
    put(c, first + FREE_UPPER, wf_select(off, wf_set(TR_FAR), get(c, first + FREE_UPPER)));
    put(c, first + FREE_FRICTION_IMPULSE, wf_select(off, zero, get(c, first + FREE_FRICTION_IMPULSE)));
}

/* what some joint of a block has, from its columns */
TR_INLINE int general_has_of(const float *c)
{
    return (int)c[TR_LANES * GENERAL_HAS];
}

/* Stores what some lane of the block has, when all have been prepared; `c`: of the lanes from `lane` on. */
TR_INLINE void general_put_has(float *c, int lane, wm locked, wm locked_angles)
{
    float *all = c - lane;
    int has = lane > 0 ? general_has_of(all) : 0;
    has |= wm_bits(locked) != 0 ? GENERAL_HAS_LOCKS : 0;
    has |= wm_bits(locked_angles) != 0 ? GENERAL_HAS_LOCKED_ANGLES : 0;
    for (int i = 0; i < TR_LANES; i += TR_WIDTH)
        put(all + i, GENERAL_HAS, wf_set((float)has));
}

TR_INLINE void general_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                               float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? general_featured_impulses : general_plain_impulses);
    frame_prepare(k, false, (frame_rows){3, 3, 0}, f, lane, s, c);
    if (!featured)
        return;
    softness_put(c, GENERAL_LINEAR, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    softness_put(c, GENERAL_ANGULAR, softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane));
    wm some[2] = {wf_lt(wf_zero(), wf_zero()), wf_lt(wf_zero(), wf_zero())};
    for (int i = 0; i < TR3_COORDINATES; i++) {
        const int first = GENERAL_FREE + i * FREE_COLUMNS;
        wm locked = wf_lt(wf_zero(), field(f + TR3_FEATURES_OF(i), TR3_FIELD_LOCKED, lane));
        put(c, GENERAL_LOCKED + i, wf_keep(locked, wf_set(1.0f)));
        some[i / 3] = wm_or(some[i / 3], locked);
        freedom_prepare(k, f + TR3_FEATURES_OF(i), lane, whole_freedom, c, first);
        features_off(locked, c, first);
        /* what a coordinate that is locked or free now was before leaves no impulses */
        put(impulses, i, wf_keep(locked, get(impulses, i)));
        for (int p = 0; p < TR_FEATURE_IMPULSES; p++) {
            const int at = 6 + i * TR_FEATURE_IMPULSES + p;
            put(impulses, at, wf_select(locked, wf_zero(), get(impulses, at)));
        }
    }
    general_put_has(c, lane, wm_or(some[0], some[1]), some[1]);
}

/* the angles and the axes of their rates; of what is locked C and J */
typedef struct general_axes {
    w3 p[3], lock[3];
    wf angle[3], error[3];
} general_axes;

/* the angles with an axis y1, within half a turn */
TR_INLINE void general_angles(const frame *of, w3 zb, w3 y1, wf angle[3])
{
    const w3 z1 = cross(of->x, y1);
    angle[0] = wf_atan2(dot(of->z, y1), dot(of->y, y1));
    angle[1] = wf_atan2(dot(zb, of->x), dot(zb, z1));
    angle[2] = wf_atan2(dot(cross(y1, of->yb), zb), dot(y1, of->yb));
}

/* winds them to the turns nearest to the last ones; the sum of their distances from these */
TR_INLINE wf general_wound(const wf last[3], wf angle[3])
{
    for (int i = 0; i < 3; i++)
        angle[i] = angle_within(angle[i], last[i]);
    return (wf_abs(angle[0] - last[0]) + wf_abs(angle[1] - last[1])) + wf_abs(angle[2] - last[2]);
}

/* `last`: the angles of the last visit; `first`, `third`: lanes in which these are locked */
TR_INLINE void general_free_axes(const frame *of, w3 zb, wm first, wm third, const wf last[3], general_axes *r)
{
    const wf one = wf_set(1.0f), least = wf_set(GENERAL_LEAST), zero = wf_zero();
    const w3 u = cross(zb, of->x);
    const wf length = wf_sqrt(dot(u, u));
    const wm defined = wf_lt(wf_set(1e-6f), length);
    const w3 unit = w3_select(defined, times(one / wf_select(defined, length, one), u), of->y);
    const w3 y1 = w3_select(third, of->yb, w3_select(first, of->y, unit));
    general_angles(of, zb, y1, r->angle);
    /* those with -y1 */
    const wf half = wf_set((float)TR_PI);
    wf other[3] = {r->angle[0] + half, half - r->angle[1], r->angle[2] + half};
    const wf apart = general_wound(last, r->angle);
    const w3 against = times(wf_set(-1.0f), y1);
    const wm held = wm_or(first, third);
    wm back = wf_lt(general_wound(last, other), apart);
    back = wm_and(back, wf_eq(wf_keep(held, one), zero));
    for (int i = 0; i < 3; i++)
        r->angle[i] = wf_select(back, other[i], r->angle[i]);
    const w3 axis = w3_select(back, against, y1), z1 = cross(of->x, axis);
    const wf cosine = dot(zb, z1), inverse = cosine / wf_max(cosine * cosine, least * least);
    r->p[0] = w3_select(held, of->x, times(inverse, cross(axis, zb)));
    r->p[1] = axis;
    r->p[2] = w3_select(held, zb, times(inverse, z1));
}

TR_INLINE void general_locks(const frame *of, w3 zb, wm third, general_axes *r)
{
    const w3 b = w3_select(third, of->yb, zb), a = w3_select(third, of->z, times(wf_set(-1.0f), of->y));
    r->lock[0] = cross(b, a);
    r->lock[1] = cross(zb, of->x);
    r->lock[2] = cross(of->x, of->yb);
    r->error[0] = dot(b, a);
    r->error[1] = dot(zb, of->x);
    r->error[2] = -dot(of->yb, of->x);
}

/* Columns stored outside the block: arms and error, inertias, the frame's axes, those of the angles' rates, and what locks
   angles, with its error. The angles are among the impulses. */
enum {
    GENERAL_ARM,
    GENERAL_RB = GENERAL_ARM + 3,
    GENERAL_D = GENERAL_RB + 3,
    GENERAL_II_A = GENERAL_D + 3,
    GENERAL_II_B = GENERAL_II_A + 6,
    GENERAL_ALONG = GENERAL_II_B + 6,
    GENERAL_P = GENERAL_ALONG + 9,
    GENERAL_LOCK = GENERAL_P + 9,
    GENERAL_ERROR = GENERAL_LOCK + 9,
    GENERAL_PLACES = GENERAL_ERROR + 3
};

/* Computes and stores them; what locks angles only if some joint of the block has a locked one. */
TR_INLINE void general_place(const float *c, int has, float *impulses, const pose_pair *at, float *to)
{
    const wf zero = wf_zero();
    const bool locks = (has & GENERAL_HAS_LOCKED_ANGLES) != 0;
    const anchors n = anchors_now(c, FRAME_BASE, at);
    const frame of = frame_of(&n, c, true);
    const w3 zb = cross(of.xb, of.yb);
    const wf first_locked = locks ? get(c, GENERAL_LOCKED + 3) : zero;
    const wf third_locked = locks ? get(c, GENERAL_LOCKED + 5) : zero;
    const wm first = wf_lt(zero, first_locked), third = wf_lt(zero, third_locked);
    general_axes turn;
    wf last[3];
    for (int i = 0; i < 3; i++)
        last[i] = get(impulses, GENERAL_ANGLES + i);
    general_free_axes(&of, zb, first, third, last, &turn);
    put3(to, GENERAL_ARM, n.arm);
    put3(to, GENERAL_RB, n.rb);
    put3(to, GENERAL_D, n.d);
    put_sym3(to, GENERAL_II_A, &n.m.ii_a);
    put_sym3(to, GENERAL_II_B, &n.m.ii_b);
    put3(to, GENERAL_ALONG, of.x);
    put3(to, GENERAL_ALONG + 3, of.y);
    put3(to, GENERAL_ALONG + 6, of.z);
    for (int i = 0; i < 3; i++) {
        put3(to, GENERAL_P + 3 * i, turn.p[i]);
        put(impulses, GENERAL_ANGLES + i, turn.angle[i]);
    }
    if (!locks)
        return;
    general_locks(&of, zb, third, &turn);
    for (int i = 0; i < 3; i++) {
        put3(to, GENERAL_LOCK + 3 * i, turn.lock[i]);
        put(to, GENERAL_ERROR + i, turn.error[i]);
    }
}

/* the rows that are held, in a block that has some; what locks angles is 0 if none is locked */
TR_INLINE void general_rows(row_block *h, const float *c, int has, const float *place)
{
    h->along_vectors = h->about_vectors = h->masked = true;
    for (int i = 0; i < 3; i++) {
        h->along[i] = get3(place, GENERAL_ALONG + 3 * i);
        h->about[i] = (has & GENERAL_HAS_LOCKED_ANGLES) != 0 ? get3(place, GENERAL_LOCK + 3 * i) : w3_zero();
    }
    for (int i = 0; i < TR3_COORDINATES; i++)
        h->held[i] = wf_lt(wf_zero(), get(c, GENERAL_LOCKED + i));
}

/* whether some lane holds one of these rows */
TR_INLINE bool general_holds(const wm *held, int count)
{
    wm some = held[0];
    for (int i = 1; i < count; i++)
        some = wm_or(some, held[i]);
    return wm_bits(some) != 0;
}

/* the axes of the frame, or those of the angles' rates */
TR_INLINE w3 general_course(const float *place, int i)
{
    return get3(place, i < 3 ? GENERAL_ALONG + 3 * i : GENERAL_P + 3 * (i - 3));
}

/* applies the impulses of the rows held and of the features */
TR_INLINE void general_warm_start(const masses *m, int has, row_block *h, const float *place, const float *c,
                                  const float *impulses, motion *a, motion *b)
{
    relative r;
    relative_begin(&r, true, true);
    r.force = r.torque = w3_zero();
    if ((has & GENERAL_HAS_LOCKS) != 0) {
        general_rows(h, c, has, place);
        relative_holds(&r, h, impulses);
    }
    for (int i = 0; i < TR3_COORDINATES; i++)
        relative_drives(&r, i < 3, general_course(place, i), impulses, 6 + i * TR_FEATURE_IMPULSES);
    relative_apply(a, b, m, h->arm, h->rb, &r);
}

/* the features of all coordinates, of which those of what is locked do next to nothing, and then the rows held */
TR_INLINE void general_solve(const tr3_kernel_context *k, tr3_pass pass, const masses *m, int has, row_block *h,
                             const float *place, float *impulses, const float *c, motion *a, motion *b)
{
    const w3 d = get3(place, GENERAL_D);
    relative r;
    relative_begin(&r, true, true);
    relative_k(&r, m, h->arm, h->rb);
    relative_rates(&r, a, b, h->arm, h->rb);
    for (int i = 0; i < TR3_COORDINATES; i++) {
        if (i == 3)
            relative_turn(&r);
        const w3 axis = general_course(place, i);
        const wf value = i < 3 ? dot(axis, d) : get(impulses, GENERAL_ANGLES + i % 3);
        relative_features(k, pass, &r, i < 3, axis, value, c, GENERAL_FREE + i * FREE_COLUMNS, impulses,
                          6 + i * TR_FEATURE_IMPULSES);
    }
    relative_push(&r);
    if ((has & GENERAL_HAS_LOCKS) != 0)
        general_rows(h, c, has, place);
    if ((has & GENERAL_HAS_LOCKS) != 0 && general_holds(h->held, TR3_COORDINATES)) {
        const bool locks = (has & GENERAL_HAS_LOCKED_ANGLES) != 0;
        wf error[HELD_MOST];
        for (int i = 0; i < 3; i++) {
            error[i] = wf_keep(h->held[i], dot(h->along[i], d));
            error[3 + i] = locks ? wf_keep(h->held[3 + i], get(place, GENERAL_ERROR + i)) : wf_zero();
        }
        relative_hold(k, pass, &r, h, softness_get(c, GENERAL_LINEAR), softness_get(c, GENERAL_ANGULAR), error,
                      impulses);
    }
    relative_apply(a, b, m, h->arm, h->rb, &r);
}

TR_INLINE void general_featured_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                                      const pose_pair *at)
{
    const float *c = impulses + TR_LANES * general_featured_impulses;
    const int has = general_has_of(c);
    float own[GENERAL_PLACES * TR_LANES], *place = pass.place;
    if (pass.refresh) {
        if (place == NULL)
            place = own;
        general_place(c, has, impulses, at, place);
    }
    const masses m = {.im_a = get(c, FRAME_BASE + BASE_IM_A),
                      .im_b = get(c, FRAME_BASE + BASE_IM_B),
                      .ii_a = get_sym3(place, GENERAL_II_A),
                      .ii_b = get_sym3(place, GENERAL_II_B)};
    row_block h;
    row_block_begin(&h, 3, 3, get3(place, GENERAL_ARM), get3(place, GENERAL_RB));
    motions_late(pass, a, b);
    if (pass.warm_start)
        general_warm_start(&m, has, &h, place, c, impulses, a, b);
    else
        general_solve(k, pass, &m, has, &h, place, impulses, c, a, b);
}

/* all locked */
TR_INLINE void general_plain_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                                   const pose_pair *at)
{
    const float *c = impulses + TR_LANES * general_plain_impulses;
    const wm every = wf_lt(wf_zero(), wf_set(1.0f));
    const anchors n = anchors_now(c, FRAME_BASE, at);
    const frame of = frame_of(&n, c, true);
    row_block h;
    row_block_begin(&h, 3, 3, n.arm, n.rb);
    h.along_vectors = h.about_vectors = true;
    h.along[0] = of.x;
    h.along[1] = of.y;
    h.along[2] = of.z;
    general_axes turn;
    general_locks(&of, cross(of.xb, of.yb), every, &turn);
    wf error[HELD_MOST];
    for (int i = 0; i < 3; i++) {
        h.held[i] = h.held[3 + i] = every;
        h.about[i] = turn.lock[i];
        error[i] = dot(h.along[i], n.d);
        error[3 + i] = turn.error[i];
    }
    if (!pass.warm_start) {
        held_k(&h, &n.m);
        held_invert(&h);
    }
    motions_late(pass, a, b);
    if (pass.warm_start)
        held_warm_start(&h, a, b, &n.m, impulses);
    else
        held_rigid_visit(k, pass, &h, a, b, &n.m, error, impulses);
}

TR_INLINE void general_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                             motion *b, const pose_pair *at)
{
    if (featured)
        general_featured_visit(k, pass, impulses, a, b, at);
    else
        general_plain_visit(k, pass, impulses, a, b, at);
}

#endif

#ifdef TR_JOINT_LOOK

enum { general_color = 0x37474f }; /* 0xRRGGBB */

/* the axes of the frame in A that are free to move along, as rails, and a dot */
static void draw_general(const joint_pen *pen)
{
    const tr_dvec3 x = axis_of(pen), y = axis_2_of(pen), axis[3] = {x, y, tr3_cross(x, y)};
    arms(pen);
    for (uint32_t i = 0; i < 3; i++) {
        const tr3_features f = tr3_def_features(pen->def, i), turn = tr3_def_features(pen->def, i + 3);
        if (!f.locked) {
            rail(pen, axis[i], f.limit);
        }
        if (!turn.locked) {
            stroke(pen, anchor_a(pen), axis[i]);
        }
    }
    dot(pen, anchor_b(pen), (pen->simple ? 0.4 : 0.6) * pen->glyph);
}

#endif
