/*
 * Ball: holds a point of B at a point of A; B can rotate freely (source 004).
 *
 *   C = d = (pB + rB) - (pA + rA)                  3 rows
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *   K = (mA + mB) 1 - X(a) IA X(a) - X(rB) IB X(rB)          (m, I: inverse masses and inertias)
 *
 * The arm is a, not rA, because d is measured in the frame that rotates with A: both ends of the force act at B's
 * anchor, and angular momentum is conserved even if d is not zero. If IA and IB are numbers, K^-1 is a sum of positive
 * terms: even_inverse (space/rows.inl).
 *
 * Nearly so it is between axial bodies (space/setup.inl): with IA = i 1 + e rA rA^T, and IB likewise, rB x p has no
 * part along rB, so B turns as if IB were a number; and IA (a x p) = i (a x p) + e (n . p) rA with n = rA x d, so K has
 * e n n^T besides.
 *
 * The rotations that it leaves free can have a spring toward the reference rotation and friction, three rows each with
 * K = IA + IB, and limits: of the angle between the axes of A and B (the cone), and of the rotation about the axis (the
 * twist). With the relative rotation q = (v, s) in A's frame and the axis x: twist = 2 atan2(v . x, s), and its rate is
 * that about xA + xB, over 1 + xA . xB. Its row is about the unit vector u along xA + xB, and its error the twist times
 * |xA + xB|/2, so that it fades where the axes are opposite and there is no twist. The cone's row is about xA x xB.
 */
#ifdef TR_JOINT_HOST

static bool ball_is_featured(const tr3_joint_def *def)
{
    return def->friction > 0.0f || !softness_is_rigid(def->linear) || !softness_is_off(def->angular) ||
           def->cone_angle < (float)TR_PI || def->twist.enable;
}

static void ball_defaults(tr3_joint_def *def)
{
    def->angular = tr_frequency(0.0f, 0.0f);
}

static void ball_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    double separation = measure_length(pose->d), turned = measure_turn(pose);
    double swing = acos(measure_clamp(measure_dot(pose->axis, pose->axis_b)));
    double beyond = fmax(0.0, swing - (double)def->cone_angle);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->angular_error = (float)fmax(beyond, limit_violation(&def->twist, measure_twist(pose, def)));
    out->energy = softness_energy(def->linear, separation) + softness_energy(def->angular, turned);
}

/* impulses: point 3, spring 3, friction 3, cone, lower and upper twist; with the axes as they are now */
static void ball_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                          tr3_reaction *out)
{
    (void)def;
    tr_dvec3 across = measure_cross(pose->axis, pose->axis_b);
    tr_dvec3 along = {pose->axis.x + pose->axis_b.x, pose->axis.y + pose->axis_b.y, pose->axis.z + pose->axis_b.z};
    double sine = measure_length(across), length = measure_length(along);
    double cone = sine > 0.0 ? -(double)impulse[9] / sine : 0.0;
    double twist = length > 0.0 ? ((double)impulse[10] - (double)impulse[11]) / length : 0.0;
    out->force = measure_force(impulse, 0, inv_h);
    out->torque = measure_force(impulse, 3, inv_h);
    tr_vec3 friction = measure_force(impulse, 6, inv_h);
    out->torque.x += friction.x + (float)((across.x * cone + along.x * twist) * (double)inv_h);
    out->torque.y += friction.y + (float)((across.y * cone + along.y * twist) * (double)inv_h);
    out->torque.z += friction.z + (float)((across.z * cone + along.z * twist) * (double)inv_h);
    out->lower = impulse[10] * inv_h;
    out->upper = -(impulse[9] + impulse[11]) * inv_h;
}

static void ball_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    equations_rotation(out, pose, def->angular, TR_BLOCK_K, 3);
    if (def->cone_angle < (float)TR_PI)
        equations_cone(out, def, pose);
    equations_twist(out, def, pose);
    if (def->friction > 0.0f) {
        uint32_t first = out->count;
        equations_rotation(out, pose, tr_rigid(), TR_OWN_K, 6);
        equations_rub(out, first, def->friction);
    }
}

static const tr3_joint_type_info ball_info = {
    .name = "ball",
    .spring_is = "`angular`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR |
              TR3_GROUP_FRICTION | TR3_GROUP_SWING,
    .impulse_count = 12,
    .impulse_names = {"point.x", "point.y", "point.z", "spring.x", "spring.y", "spring.z", "friction.x", "friction.y",
                      "friction.z", "cone", "twist.lower", "twist.upper"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_SPRING, TR_ROLE_SPRING, TR_ROLE_SPRING,
                      TR_ROLE_FRICTION, TR_ROLE_FRICTION, TR_ROLE_FRICTION, TR_ROLE_LIMIT, TR_ROLE_LIMIT,
                      TR_ROLE_LIMIT},
    .set_defaults = ball_defaults,
    .is_featured = ball_is_featured,
    .measure = ball_measure,
    .equations = ball_equations,
    .reaction = ball_reaction,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { ball_plain_impulses = 3, ball_featured_impulses = 12, ball_is_common = true };

enum {
    BALL_BASE,
    BALL_SOFT = BALL_BASE + BASE_COLUMNS,
    BALL_SPRING = BALL_SOFT + SOFT_COLUMNS,
    BALL_RELATION = BALL_SPRING + SOFT_COLUMNS, /* B's principal axes in A's at the reference, a quaternion */
    BALL_AXIS_A = BALL_RELATION + 4,            /* the axis in each body's principal axes */
    BALL_AXIS_B = BALL_AXIS_A + 3,
    BALL_FRICTION = BALL_AXIS_B + 3, /* N m s, greatest impulse */
    BALL_CONE,                       /* cosine of the angle; */
    BALL_CONE_ANGLE,                 /* far, if there is no limit */
    BALL_LOWER,
    BALL_UPPER,
    BALL_FEATURED_END,
    ball_plain_columns = ball_plain_impulses + BALL_SOFT,
    ball_featured_columns = ball_featured_impulses + BALL_FEATURED_END
};

TR_INLINE void ball_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? ball_featured_impulses : ball_plain_impulses);
    base_put(c, BALL_BASE, s);
    if (!featured)
        return;
    softness_put(c, BALL_SOFT, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    softness_put(c, BALL_SPRING, softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane));
    w4 relation = relation_of(s, f, lane);
    w3 axis = axis_of(s, f, lane);
    put4(c, BALL_RELATION, relation);
    put3(c, BALL_AXIS_A, axis);
    put3(c, BALL_AXIS_B, rotated(turn_back(relation), axis));
    put(c, BALL_FRICTION, wf_set(k->h) * field(f, TR3_FIELD_FRICTION, lane));
    wf cone = field(f, TR3_FIELD_CONE_ANGLE, lane);
    put(c, BALL_CONE_ANGLE, wf_select(wf_lt(cone, wf_set((float)TR_PI)), cone, wf_set(TR_FAR)));
    wm twist = wf_lt(wf_zero(), field(f, TR3_FIELD_TWIST_ENABLE, lane));
    put(c, BALL_LOWER, wf_select(twist, field(f, TR3_FIELD_TWIST_LOWER, lane), wf_set(-TR_FAR)));
    put(c, BALL_UPPER, wf_select(twist, field(f, TR3_FIELD_TWIST_UPPER, lane), wf_set(TR_FAR)));
}

/* columns stored outside the block: arms and error, then levers and factors of K or, between even or axial bodies, the
   inverse of K */
enum {
    BALL_ARM,
    BALL_RB = BALL_ARM + 3,
    BALL_D = BALL_RB + 3,
    BALL_LEVERS_A = BALL_D + 3,
    BALL_LEVERS_B = BALL_LEVERS_A + 9,
    BALL_FACTORS = BALL_LEVERS_B + 9,
    BALL_PLACES = BALL_FACTORS + 6,
    BALL_INVERSE = BALL_D + 3,
    BALL_ACROSS = BALL_INVERSE + 5
};

/* arms, error, levers and K at the current poses */
typedef struct ball_place {
    w3 arm, rb, d;
    point_levers a, b;
    sym3_factors k;
} ball_place;

TR_INLINE void levers_put(float *c, int first, const point_levers *l)
{
    put3(c, first, l->x);
    put3(c, first + 3, l->y);
    put3(c, first + 6, l->z);
}

TR_INLINE point_levers levers_get(const float *c, int first)
{
    return (point_levers){get3(c, first), get3(c, first + 3), get3(c, first + 6)};
}

/* but for the levers */
TR_INLINE void ball_place_put(float *c, const ball_place *p)
{
    put3(c, BALL_ARM, p->arm);
    put3(c, BALL_RB, p->rb);
    put3(c, BALL_D, p->d);
    put3(c, BALL_FACTORS, (w3){p->k.dx, p->k.dy, p->k.dz});
    put3(c, BALL_FACTORS + 3, (w3){p->k.lyx, p->k.lzx, p->k.lzy});
}

TR_INLINE ball_place ball_place_get(const float *c)
{
    w3 d = get3(c, BALL_FACTORS), l = get3(c, BALL_FACTORS + 3);
    return (ball_place){get3(c, BALL_ARM),
                        get3(c, BALL_RB),
                        get3(c, BALL_D),
                        levers_get(c, BALL_LEVERS_A),
                        levers_get(c, BALL_LEVERS_B),
                        {d.x, d.y, d.z, l.x, l.y, l.z}};
}

/* Computes it, and stores it unless `to` is null. One body after the other, with poses loaded as they are needed: all at
   once need more registers than there are. */
TR_INLINE ball_place ball_place_of(tr3_pass pass, const float *c, const pose_pair *at, float *to)
{
    const wf im = get(c, BALL_BASE + BASE_IM_A) + get(c, BALL_BASE + BASE_IM_B);
    sym3 kk = {im, im, im, wf_zero(), wf_zero(), wf_zero()};
    ball_place p;
    axes r = axes_of(rotation_late(pass, at, true));
    sym3 ii = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_B));
    p.rb = to_world(&r, get3(c, BALL_BASE + BASE_LB));
    p.b = point_levers_of(&ii, p.rb);
    point_k_add(&kk, &p.b, p.rb);
    if (to != NULL)
        levers_put(to, BALL_LEVERS_B, &p.b);
    r = axes_of(rotation_late(pass, at, false));
    w3 apart = add(get3(c, BALL_BASE + BASE_D), apart_late(pass, at));
    p.d = add(apart, minus(p.rb, to_world(&r, get3(c, BALL_BASE + BASE_LA))));
    p.arm = add(apart, p.rb);
    ii = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_A));
    p.a = point_levers_of(&ii, p.arm);
    point_k_add(&kk, &p.a, p.arm);
    p.k = sym3_factor(&kk);
    if (to != NULL) {
        levers_put(to, BALL_LEVERS_A, &p.a);
        ball_place_put(to, &p);
    }
    return p;
}

/* the rows of the limits: the angle between the axes about their common normal, and the twist about their sum */
typedef struct swing {
    jacobian cone, twist;
    wf angle, turn; /* rad */
    wf scale;       /* of errors of the twist */
} swing;

TR_INLINE swing swing_of(const float *c, const anchors *n, const pose_pair *at)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    w3 a = to_world(&n->a, get3(c, BALL_AXIS_A)), b = to_world(&n->b, get3(c, BALL_AXIS_B));
    w3 normal = cross(a, b);
    wf sine = wf_sqrt(dot(normal, normal)), cosine = dot(a, b);
    wm some = wf_lt(wf_set(1e-6f), sine);
    normal = w3_select(some, times(one / wf_select(some, sine, one), normal), w3_zero());
    /* the relative rotation in A's principal axes */
    w4 q = turn_after(turn_after(turn_back(at->a.q), at->b.q), turn_back(get4(c, BALL_RELATION)));
    wf about = dot((w3){q.x, q.y, q.z}, get3(c, BALL_AXIS_A));
    wm back = wf_lt(q.w, zero);
    w3 along = add(a, b);
    wf length = wf_sqrt(dot(along, along));
    wm together = wf_lt(wf_set(1e-3f), length);
    along = w3_select(together, times(one / wf_select(together, length, one), along), w3_zero());
    swing r = {row_about(normal), row_about(along), wf_atan2(sine, cosine),
               wf_set(2.0f) * wf_atan2(wf_select(back, -about, about), wf_abs(q.w)), wf_set(0.5f) * length};
    return r;
}

/* three rows of rotation at once, but for some lanes: they keep identical bits, whatever the other lanes have */
TR_INLINE void spin_apply_but(wm idle, motion *a, motion *b, const masses *m, w3 p)
{
    w3 a_before = a->w, b_before = b->w;
    spin_apply(a, b, m, p);
    a->w = w3_select(idle, a_before, a->w);
    b->w = w3_select(idle, b_before, b->w);
}

/* lanes in which a feature has no impulse and cannot get one; `most` as in rests() */
TR_INLINE wm rests3(wf most, w3 p)
{
    return wm_and(wf_eq(most, wf_zero()), wf_eq(wf_abs(p.x) + wf_abs(p.y) + wf_abs(p.z), wf_zero()));
}

TR_INLINE void ball_limit(const tr3_kernel_context *k, tr3_pass pass, motion *a, motion *b, const masses *m,
                          const jacobian *r, wf gap, bool upper, float *impulses, int at)
{
    wf impulse = get(impulses, at), rate = row_rate(a, b, r);
    rate = upper ? -rate : rate;
    gap = begun(k, pass, gap, rate);
    wf change = limit_change(k, pass, gap, rate, wf_inverse_or_zero(row_k(m, r)), impulse);
    put(impulses, at, impulse + change);
    row_apply(a, b, m, r, upper ? -change : change);
}

TR_INLINE void ball_features(const tr3_kernel_context *k, tr3_pass pass, motion *a, motion *b, const anchors *n,
                             const pose_pair *at, float *impulses, const float *c)
{
    const masses *m = &n->m;
    swing w = swing_of(c, n, at);
    if (pass.warm_start) {
        spin_apply(a, b, m, add(get3(impulses, 3), get3(impulses, 6)));
        row_apply(a, b, m, &w.cone, -get(impulses, 9));
        row_apply(a, b, m, &w.twist, get(impulses, 10) - get(impulses, 11));
        return;
    }
    sym3 kk = sym3_sum(&m->ii_a, &m->ii_b);
    w3 friction = get3(impulses, 6);
    wf most = get(c, BALL_FRICTION);
    wm idle = rests3(most, friction);
    if (!wm_all(idle)) {
        w3 change = sym3_solve(&kk, minus(a->w, b->w));
        change = capped_change3(change, friction, most);
        put3(impulses, 6, w3_select(idle, friction, add(friction, change)));
        spin_apply_but(idle, a, b, m, change);
    }
    softness s = softness_get(c, BALL_SPRING);
    if (!pass.biased)
        s = softness_relaxed(s);
    w3 p = get3(impulses, 3);
    idle = rests3(s.mass_scale, p);
    if (!wm_all(idle)) {
        w3 rate = minus(b->w, a->w);
        w3 error = begun3(k, pass, turned(at, get4(c, BALL_RELATION)), rate);
        w3 change = sane3(point_soft_change(&kk, s, rate, error, p));
        put3(impulses, 3, w3_select(idle, p, add(p, change)));
        spin_apply_but(idle, a, b, m, change);
    }
    ball_limit(k, pass, a, b, m, &w.twist, w.scale * (w.turn - get(c, BALL_LOWER)), false, impulses, 10);
    ball_limit(k, pass, a, b, m, &w.twist, w.scale * (get(c, BALL_UPPER) - w.turn), true, impulses, 11);
    ball_limit(k, pass, a, b, m, &w.cone, get(c, BALL_CONE_ANGLE) - w.angle, true, impulses, 9);
}

/* the change of the point's impulse p, all rigid, for the error and what K^-1 makes of a rate; may not be finite */
TR_INLINE w3 ball_change(const tr3_kernel_context *k, tr3_pass pass, masses m, w3 solved, w3 p)
{
    if (!pass.biased)
        return minus(w3_zero(), solved);
    softness s = softness_held(k, m);
    return minus(times(-s.mass_scale, solved), times(s.impulse_scale, p));
}

/* the rate, and as much of the error d as is corrected in this pass */
TR_INLINE w3 ball_rate(const tr3_kernel_context *k, tr3_pass pass, const motion *a, const motion *b, w3 arm, w3 rb,
                       w3 d)
{
    w3 rate = point_rate(a, b, arm, rb);
    if (pass.biased)
        rate = add(rate, times(wf_set(k->rigid.bias_rate), begun3(k, pass, d, rate)));
    return rate;
}

/* The same between bodies whose inertia is a number, or axial ones: of these `across` is rA x d. */
typedef struct even_place {
    w3 arm, rb, d, across;
    even_inverse k;
} even_place;

TR_INLINE void even_place_put(float *c, const even_place *p, bool axial)
{
    put3(c, BALL_ARM, p->arm);
    put3(c, BALL_RB, p->rb);
    put3(c, BALL_D, p->d);
    put3(c, BALL_INVERSE, (w3){p->k.k, p->k.pair, p->k.both});
    put(c, BALL_INVERSE + 3, p->k.on_a);
    put(c, BALL_INVERSE + 4, p->k.on_b);
    if (axial)
        put3(c, BALL_ACROSS, p->across);
}

TR_INLINE even_place even_place_get(const float *c, bool axial)
{
    even_place p = {.arm = get3(c, BALL_ARM), .rb = get3(c, BALL_RB), .d = get3(c, BALL_D)};
    const w3 k = get3(c, BALL_INVERSE);
    p.k = (even_inverse){k.x, k.y, get(c, BALL_INVERSE + 3), get(c, BALL_INVERSE + 4), k.z};
    p.across = axial ? get3(c, BALL_ACROSS) : w3_zero();
    return p;
}

TR_INLINE even_place even_place_of(const masses *m, const float *c, const pose_pair *at, bool axial, float *to)
{
    even_place p;
    const w3 ra = turned_vector(at->a.q, get3(c, BALL_BASE + BASE_LA));
    const w3 apart = add(get3(c, BALL_BASE + BASE_D), at->apart);
    p.rb = turned_vector(at->b.q, get3(c, BALL_BASE + BASE_LB));
    p.d = add(apart, minus(p.rb, ra));
    p.arm = add(apart, p.rb);
    p.k = even_inverse_of(m, p.arm, p.rb);
    p.across = axial ? cross(ra, p.d) : w3_zero();
    if (to != NULL)
        even_place_put(to, &p, axial);
    return p;
}

/* what A's own axis adds to its change of spin by -p */
TR_INLINE void axial_apply(motion *a, const float *c, const even_place *n, w3 p)
{
    const wf beside = get(c, BALL_BASE + AXIAL_BESIDE) * dot(n->across, p);
    a->w = minus(a->w, times(beside, minus(n->arm, n->d)));
}

/* K^-1 with what A's own axis adds, from that without, which is enough where it adds less than a sixteenth of the least
   that K is in any direction; elsewhere by the formula of Sherman and Morrison. */
TR_INLINE w3 axial_solved(const float *c, const masses *m, const even_place *n, w3 solved)
{
    const wf beside = get(c, BALL_BASE + AXIAL_BESIDE), more = beside * dot(n->across, n->across);
    const wm near = wf_le(wf_abs(more), wf_set(0.0625f) * (m->im_a + m->im_b));
    if (__builtin_expect(wm_all(near), 1))
        return solved;
    const w3 column = even_solve(&n->k, n->arm, n->rb, n->across);
    const wf by = beside * wf_inverse_of_positive(wf_set(1.0f) + beside * dot(n->across, column));
    return w3_select(near, solved, minus(solved, times(by * dot(n->across, solved), column)));
}

/* a plain ball between bodies whose inertia is a number, or axial ones */
TR_INLINE void ball_even_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                               const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_plain_impulses;
    masses m = {.im_a = get(c, BALL_BASE + BASE_IM_A), .im_b = get(c, BALL_BASE + BASE_IM_B), .even = true};
    m.ii_a.xx = get(c, BALL_BASE + BASE_II_A);
    m.ii_b.xx = get(c, BALL_BASE + BASE_II_B);
    float *to = pass.refresh && !pass.project ? pass.place : NULL;
    const even_place n =
        pass.refresh ? even_place_of(&m, c, at, pass.axial, to) : even_place_get(pass.place, pass.axial);
    w3 p = get3(impulses, 0);
    motions_late(pass, a, b);
    if (pass.warm_start) {
        point_apply(a, b, &m, n.arm, n.rb, p);
        if (pass.axial)
            axial_apply(a, c, &n, p);
        return;
    }
    w3 solved = even_solve(&n.k, n.arm, n.rb, ball_rate(k, pass, a, b, n.arm, n.rb, n.d));
    if (pass.axial)
        solved = axial_solved(c, &m, &n, solved);
    w3 change = sane3(ball_change(k, pass, m, solved, p));
    put3(impulses, 0, add(p, change));
    point_apply(a, b, &m, n.arm, n.rb, change);
    if (pass.axial)
        axial_apply(a, c, &n, change);
}

/* between any */
TR_INLINE void ball_plain_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                                const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_plain_impulses;
    const masses m = {.im_a = get(c, BALL_BASE + BASE_IM_A), .im_b = get(c, BALL_BASE + BASE_IM_B)};
    float *to = pass.refresh && !pass.project ? pass.place : NULL;
    ball_place n = pass.refresh ? ball_place_of(pass, c, at, to) : ball_place_get(pass.place);
    motions_late(pass, a, b);
    w3 p = get3(impulses, 0);
    if (pass.warm_start) {
        point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, p);
        return;
    }
    w3 solved = sym3_solved(&n.k, ball_rate(k, pass, a, b, n.arm, n.rb, n.d));
    w3 change = sane3(ball_change(k, pass, m, solved, p));
    if (to != NULL) {
        /* the levers have been stored: read again, they take no registers meanwhile */
        put3(impulses, 0, add(p, change));
        n.a = levers_get(to, BALL_LEVERS_A);
        n.b = levers_get(to, BALL_LEVERS_B);
        point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, change);
        return;
    }
    point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, change);
    put3(impulses, 0, add(p, change));
}

TR_INLINE void ball_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    if (!featured && (pass.even || pass.axial)) {
        ball_even_visit(k, pass, impulses, a, b, at);
        return;
    }
    if (!featured) {
        ball_plain_visit(k, pass, impulses, a, b, at);
        return;
    }
    float *c = impulses + TR_LANES * ball_featured_impulses;
    anchors n = anchors_now(c, BALL_BASE, at, false);
    w3 p = get3(impulses, 0);
    motions_late(pass, a, b);
    ball_features(k, pass, a, b, &n, at, impulses, c);
    if (pass.warm_start) {
        point_apply(a, b, &n.m, n.arm, n.rb, p);
        return;
    }
    softness s = softness_get(c, BALL_SOFT);
    if (!pass.biased)
        s = softness_relaxed(s);
    sym3 kk = point_k(&n.m, n.arm, n.rb);
    w3 rate = point_rate(a, b, n.arm, n.rb), error = begun3(k, pass, n.d, rate);
    w3 change = sane3(point_soft_change(&kk, s, rate, error, p));
    put3(impulses, 0, add(p, change));
    point_apply(a, b, &n.m, n.arm, n.rb, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { ball_color = 0x1f6fb4 }; /* 0xRRGGBB */

/* a dot */
static void draw_ball(const joint_pen *pen)
{
    arms(pen);
    dot(pen, anchor_b(pen), (pen->simple ? 0.5 : 0.7) * pen->glyph);
}

#endif
