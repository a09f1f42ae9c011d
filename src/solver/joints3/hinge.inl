/*
 * Hinge: holds a point of B at a point of A, and the axes of both together; B rotates about the axis.
 *
 *   C = (d, b1 . t, b2 . t),  t = xA x xB: the axes' cross product, and b1, b2 across A's axis
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *       ( 0,  -b1, 0,     b1)
 *       ( 0,  -b2, 0,     b2)
 *
 * t vanishes at the mirrored pose, too: where xA . xB < 0, it gets the length 1, and turns B back. The free coordinate
 * is the rotation of B about the axis from the reference: the twist of the relative rotation q = (v, s) in A's frame,
 * 2 atan2(v . xA, s), continued over whole turns from where it was in the last visit; its row is about A's axis.
 */
#ifdef TR_JOINT_HOST

static bool hinge_is_featured(const tr3_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
}

static void hinge_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    double separation = measure_length(pose->d);
    double tilt = measure_angle(pose->axis, pose->axis_b), beyond = limit_violation(&def->limit, pose->angle);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->angular_rigid = softness_is_rigid(def->angular);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->angular_error = (float)(out->angular_rigid && tilt > beyond ? tilt : beyond);
    out->coordinate = (float)pose->angle;
    out->rate = (float)(measure_dot(pose->axis, pose->w_b) - measure_dot(pose->axis, pose->w_a));
    out->energy = softness_energy(def->linear, separation) + softness_energy(def->angular, tilt) +
                  spring_energy(&def->spring, pose->angle);
}

/* impulses: point 3, two across the axis, features, angle; the two directions across are those of measure_across() */
static void hinge_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                           tr3_reaction *out)
{
    tr_dvec3 b1, b2;
    measure_across(def, pose, &b1, &b2);
    double along = (double)features_reaction(impulse, 5, inv_h, out);
    double p1 = (double)(impulse[3] * inv_h), p2 = (double)(impulse[4] * inv_h);
    out->force = measure_force(impulse, 0, inv_h);
    out->torque = (tr_vec3){(float)(b1.x * p1 + b2.x * p2 + pose->axis.x * along),
                            (float)(b1.y * p1 + b2.y * p2 + pose->axis.y * along),
                            (float)(b1.z * p1 + b2.z * p2 + pose->axis.z * along)};
}

static void hinge_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    tr_dvec3 b[2], tilt = measure_cross(pose->axis, pose->axis_b);
    measure_across(def, pose, &b[0], &b[1]);
    double sine = measure_length(tilt);
    if (measure_dot(pose->axis, pose->axis_b) < 0.0)
        tilt = sine > 0.0 ? tr3_over(tilt, sine) : b[0];
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    for (int i = 0; i < 2; i++) {
        tr3_equation row = equation_about(pose, b[i]);
        row.value = measure_dot(b[i], tilt);
        equations_hold(out, row, def->angular, 3 + i);
    }
    equations_block(out, 2, TR_BLOCK_K);
    tr3_equation free = equation_about(pose, pose->axis);
    free.value = pose->angle;
    equations_free(out, free, def, 5);
}

static const tr3_joint_type_info hinge_info = {
    .name = "hinge",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR |
              TR3_GROUP_SPRING | TR3_GROUP_MOTOR | TR3_GROUP_LIMIT | TR3_GROUP_FRICTION,
    .impulse_count = 11,
    .impulse_names = {"point.x", "point.y", "point.z", "across.1", "across.2", "spring", "motor", "lower", "upper",
                      "friction", "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, TR_ROLE_PLACE},
    .is_featured = hinge_is_featured,
    .measure = hinge_measure,
    .equations = hinge_equations,
    .reaction = hinge_reaction,
    .has_unit_rows = false, /* the angle is among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

enum { hinge_plain_impulses = 5, hinge_featured_impulses = 11, hinge_is_common = false, hinge_few_need = 0 };

enum {
    HINGE_BASE,
    HINGE_AXIS_A = HINGE_BASE + BASE_COLUMNS, /* in each body's principal axes */
    HINGE_AXIS_B = HINGE_AXIS_A + 3,
    HINGE_ACROSS = HINGE_AXIS_B + 3,   /* one direction across it, in A's */
    HINGE_RELATION = HINGE_ACROSS + 3, /* B's principal axes in A's at the reference, with features only */
    HINGE_TWIST = HINGE_RELATION + 4,  /* the product of the axis and it; with features only */
    HINGE_DECAY = HINGE_TWIST + 4,     /* impulse scale of rigid rows */
    HINGE_SOFT,                        /* more than 0: some rows are soft, and the last columns are set */
    HINGE_FREE,
    HINGE_LINEAR = HINGE_FREE + FREE_COLUMNS,
    HINGE_ANGULAR = HINGE_LINEAR + SOFT_COLUMNS,
    HINGE_END = HINGE_ANGULAR + SOFT_COLUMNS,
    hinge_plain_columns = hinge_plain_impulses + HINGE_RELATION,
    hinge_featured_columns = hinge_featured_impulses + HINGE_END
};

static const freedom hinge_freedom = {.spring = true, .motor = true, .limit = true, .friction = true};

TR_INLINE void hinge_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                             float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? hinge_featured_impulses : hinge_plain_impulses);
    w4 relation = relation_of(s, f, lane);
    w3 axis = axis_of(s, f, lane);
    base_put(c, HINGE_BASE, s);
    put3(c, HINGE_AXIS_A, axis);
    put3(c, HINGE_AXIS_B, rotated(turn_back(relation), axis));
    put3(c, HINGE_ACROSS, across_of(s, f, lane));
    if (!featured)
        return;
    put4(c, HINGE_RELATION, relation);
    put4(c, HINGE_TWIST, turn_after((w4){axis.x, axis.y, axis.z, wf_zero()}, relation));
    const softness linear = softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane);
    const softness angular = softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane);
    const wf soft = linear.keep + angular.keep;
    put(c, HINGE_DECAY, linear.impulse_scale);
    put(c, HINGE_SOFT, soft);
    if (!wm_all(wf_eq(soft, wf_zero()))) {
        softness_put(c, HINGE_LINEAR, linear);
        softness_put(c, HINGE_ANGULAR, angular);
    }
    freedom_prepare(k, f, lane, hinge_freedom, c, HINGE_FREE);
}

/* Columns stored outside the block: arms and errors, directions, inertias, and -K^-1 of the five rows. */
enum {
    HINGE_ARM,
    HINGE_RB = HINGE_ARM + 3,
    HINGE_ERROR = HINGE_RB + 3,
    HINGE_ABOUT = HINGE_ERROR + 5, /* the two directions across the axis */
    HINGE_II_A = HINGE_ABOUT + 6,
    HINGE_II_B = HINGE_II_A + 6,
    HINGE_INVERSE = HINGE_II_B + 6,
    HINGE_PLAIN_PLACES = HINGE_INVERSE + 15,
    HINGE_ALONG = HINGE_PLAIN_PLACES, /* the axis */
    HINGE_COUPLED = HINGE_ALONG + 3,  /* K of the row about it with the five */
    HINGE_FREE_K = HINGE_COUPLED + 5, /* and with itself */
    HINGE_SPRING,                     /* spring_mass() */
    HINGE_FEATURED_PLACES
};

/*
 * With K = (P C, C^T A) of the point and of the rows across, and H = -C A^-1:
 *
 *   -K^-1 (r, s) = (p, H^T p - A^-1 s),  p = -(P + H C^T)^-1 (r + H s)
 *
 * Two inverses, that of A of three numbers and that of the point of six, take as many operations as a triangular
 * factor, but far fewer of them wait for another.
 */
typedef struct hinge_inverse {
    wf across[3]; /* -A^-1: 11, 12, 22 */
    w3 h[2];
    sym3 point; /* -(P + H C^T)^-1 */
} hinge_inverse;

/* K of the point, of the directions across, and of each of these with the point */
typedef struct hinge_k {
    sym3 point;
    wf across[3]; /* 11, 12, 22 */
    w3 beside[2];
} hinge_k;

TR_INLINE hinge_inverse hinge_inverse_of(const hinge_k *k, wm *good)
{
    hinge_inverse r;
    const w3 c1 = k->beside[0], c2 = k->beside[1];
    const wf first = minus_inverse(k->across[0], good), l = k->across[1] * first;
    const wf second = minus_inverse(k->across[2] + l * k->across[1], good);
    r.across[2] = second;
    r.across[1] = l * second;
    r.across[0] = first + l * r.across[1];
    const w3 h2 = times(second, add(c2, times(l, c1))), h1 = add(times(first, c1), times(l, h2));
    r.h[0] = h1;
    r.h[1] = h2;
    const sym3 *p = &k->point;
    const sym3 point = {p->xx + (h1.x * c1.x + h2.x * c2.x), p->yy + (h1.y * c1.y + h2.y * c2.y),
                        p->zz + (h1.z * c1.z + h2.z * c2.z), p->xy + (h1.y * c1.x + h2.y * c2.x),
                        p->xz + (h1.z * c1.x + h2.z * c2.x), p->yz + (h1.z * c1.y + h2.z * c2.y)};
    r.point = sym3_minus_inverse(&point, good);
    return r;
}

/* where something is not positive: between bodies that cannot move, and in lanes without a joint */
static __attribute__((noinline)) void hinge_invert_some(const hinge_k *k, hinge_inverse *out)
{
    *out = hinge_inverse_of(k, NULL);
}

TR_INLINE hinge_inverse hinge_invert(const hinge_k *k)
{
    wm good = wf_lt(wf_zero(), wf_set(1.0f));
    hinge_inverse r = hinge_inverse_of(k, &good);
    if (__builtin_expect(!wm_all(good), 0)) {
        const hinge_k again = *k;
        hinge_inverse some;
        hinge_invert_some(&again, &some);
        r = some;
    }
    return r;
}

TR_INLINE void hinge_inverse_put(float *to, const hinge_inverse *v)
{
    put3(to, HINGE_INVERSE, (w3){v->across[0], v->across[1], v->across[2]});
    put3(to, HINGE_INVERSE + 3, v->h[0]);
    put3(to, HINGE_INVERSE + 6, v->h[1]);
    put_sym3(to, HINGE_INVERSE + 9, &v->point);
}

/* x := -K^-1 x */
TR_INLINE void hinge_solve(const float *place, wf *x)
{
    const w3 across = get3(place, HINGE_INVERSE);
    const w3 h1 = get3(place, HINGE_INVERSE + 3), h2 = get3(place, HINGE_INVERSE + 6);
    const sym3 point = get_sym3(place, HINGE_INVERSE + 9);
    const w3 rest = {x[0] + (h1.x * x[3] + h2.x * x[4]), x[1] + (h1.y * x[3] + h2.y * x[4]),
                     x[2] + (h1.z * x[3] + h2.z * x[4])};
    const w3 p = sym3_times(&point, rest);
    const wf first = across.x * x[3] + across.y * x[4], second = across.y * x[3] + across.z * x[4];
    x[0] = p.x;
    x[1] = p.y;
    x[2] = p.z;
    x[3] = first + dot(h1, p);
    x[4] = second + dot(h2, p);
}

/* the errors across: B's axis along the directions, turned; of mirrored axes those of tilt_of() */
TR_INLINE void hinge_put_tilt(float *to, w3 axis, w3 first, w3 second, w3 of_b)
{
    wf e1 = -dot(second, of_b), e2 = dot(first, of_b);
    const wm mirrored = wf_lt(dot(axis, of_b), wf_zero());
    if (__builtin_expect(wm_bits(mirrored) != 0, 0)) {
        const w3 t = tilt_of(axis, of_b);
        e1 = wf_select(mirrored, dot(first, t), e1);
        e2 = wf_select(mirrored, dot(second, t), e2);
    }
    put(to, HINGE_ERROR + 3, e1);
    put(to, HINGE_ERROR + 4, e2);
}

/* the change of wB - wA about `n` by forces along each of the world's axes */
TR_INLINE w3 hinge_beside(const point_levers *turn, w3 n)
{
    return (w3){dot(n, turn->x), dot(n, turn->y), dot(n, turn->z)};
}

/* Computes and stores the columns: one body after the other, as all at once need more registers than there are. A plain
   hinge has no row about the axis. */
TR_INLINE void hinge_place(tr3_pass pass, bool featured, const float *c, const pose_pair *at, float *to)
{
    const wf im = get(c, HINGE_BASE + BASE_IM_A) + get(c, HINGE_BASE + BASE_IM_B);
    hinge_k k = {.point = {im, im, im, wf_zero(), wf_zero(), wf_zero()}};
    axes r = axes_of(rotation_late(pass, at, true));
    const sym3 ii_b = inverse_inertia(&r, get3(c, HINGE_BASE + BASE_II_B));
    const w3 rb = to_world(&r, get3(c, HINGE_BASE + BASE_LB)), of_b = to_world(&r, get3(c, HINGE_AXIS_B));
    put_sym3(to, HINGE_II_B, &ii_b);
    put3(to, HINGE_RB, rb);
    point_levers turn = point_levers_of(&ii_b, rb);
    point_k_add(&k.point, &turn, rb);

    r = axes_of(rotation_late(pass, at, false));
    const w3 axis = to_world(&r, get3(c, HINGE_AXIS_A)), first = to_world(&r, get3(c, HINGE_ACROSS));
    const w3 second = cross(axis, first), ra = to_world(&r, get3(c, HINGE_BASE + BASE_LA));
    const w3 apart = add(get3(c, HINGE_BASE + BASE_D), apart_late(pass, at)), arm = add(apart, rb);
    const sym3 ii_a = inverse_inertia(&r, get3(c, HINGE_BASE + BASE_II_A));
    put_sym3(to, HINGE_II_A, &ii_a);
    put3(to, HINGE_ARM, arm);
    put3(to, HINGE_ERROR, minus(arm, ra));
    hinge_put_tilt(to, axis, first, second, of_b);
    put3(to, HINGE_ABOUT, first);
    put3(to, HINGE_ABOUT + 3, second);
    const point_levers of_a = point_levers_of(&ii_a, arm);
    point_k_add(&k.point, &of_a, arm);
    turn = (point_levers){add(turn.x, of_a.x), add(turn.y, of_a.y), add(turn.z, of_a.z)};

    const sym3 spin = sym3_sum(&ii_a, &ii_b);
    const w3 one = sym3_times(&spin, first), two = sym3_times(&spin, second);
    k.across[0] = dot(first, one);
    k.across[1] = dot(second, one);
    k.across[2] = dot(second, two);
    k.beside[0] = hinge_beside(&turn, first);
    k.beside[1] = hinge_beside(&turn, second);
    if (featured) {
        put3(to, HINGE_ALONG, axis);
        put3(to, HINGE_COUPLED, hinge_beside(&turn, axis));
        const wf free = dot(axis, sym3_times(&spin, axis));
        put3(to, HINGE_COUPLED + 3, (w3){dot(axis, one), dot(axis, two), free});
        put(to, HINGE_SPRING, spring_mass(c, HINGE_FREE, free));
    }
    const hinge_inverse inverse = hinge_invert(&k);
    hinge_inverse_put(to, &inverse);
}

/* the rows without K; `angular`: 2, or 3 with that about the axis */
TR_INLINE row_block hinge_rows(const float *place, int angular)
{
    row_block h;
    row_block_begin(&h, 3, angular, get3(place, HINGE_ARM), get3(place, HINGE_RB));
    h.about_vectors = true;
    h.about[0] = get3(place, HINGE_ABOUT);
    h.about[1] = get3(place, HINGE_ABOUT + 3);
    if (angular > 2)
        h.about[2] = get3(place, HINGE_ALONG);
    return h;
}

TR_INLINE masses hinge_masses(const float *c, const float *place)
{
    return (masses){.im_a = get(c, HINGE_BASE + BASE_IM_A),
                    .im_b = get(c, HINGE_BASE + BASE_IM_B),
                    .ii_a = get_sym3(place, HINGE_II_A),
                    .ii_b = get_sym3(place, HINGE_II_B)};
}

/* the changes x of the impulses for rates x, in lanes that are soft */
static __attribute__((noinline)) void hinge_soft_changes(const tr3_kernel_context *k, tr3_pass pass, const float *c,
                                                         const float *place, const float *impulses, wf *x)
{
    const masses m = hinge_masses(c, place);
    row_block h = hinge_rows(place, 2);
    wf error[5];
    for (int i = 0; i < 5; i++)
        error[i] = get(place, HINGE_ERROR + i);
    held_k(&h, &m);
    held_changes(k, pass, &h, softness_get(c, HINGE_LINEAR), softness_get(c, HINGE_ANGULAR), error, impulses, x);
}

/* the same where all are rigid */
TR_INLINE void hinge_changes(const tr3_kernel_context *k, tr3_pass pass, softness s, const float *place,
                             const float *impulses, wf *x)
{
    for (int i = 0; i < 5 && pass.biased; i++)
        x[i] = x[i] + s.bias_rate * begun(k, pass, get(place, HINGE_ERROR + i), x[i]);
    hinge_solve(place, x);
    for (int i = 0; i < 5 && pass.biased; i++)
        x[i] = s.mass_scale * x[i] - s.impulse_scale * get(impulses, i);
}

/* adds to the rates what an impulse about the axis changes them by */
TR_INLINE void hinge_couple(const float *place, wf impulse, wf *x)
{
    for (int i = 0; i < 5; i++)
        x[i] = x[i] + get(place, HINGE_COUPLED + i) * impulse;
}

TR_INLINE void hinge_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                           motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? hinge_featured_impulses : hinge_plain_impulses);
    float own[HINGE_FEATURED_PLACES * TR_LANES], *place = pass.place;
    if (pass.refresh) {
        if (place == NULL)
            place = own;
        hinge_place(pass, featured, c, at, place);
        if (featured)
            put(impulses, 10,
                angle_between(rotation_late(pass, at, false), rotation_late(pass, at, true), get4(c, HINGE_RELATION),
                              get4(c, HINGE_TWIST), get(impulses, 10)));
    }
    motions_late(pass, a, b);
    const int angular = featured ? 3 : 2;
    row_block h = hinge_rows(place, angular);
    masses m = hinge_masses(c, place);
    wf x[HELD_MOST];
    if (pass.warm_start) {
        for (int i = 0; i < 5; i++)
            x[i] = get(impulses, i);
        if (featured)
            x[5] = freedom_sum(hinge_freedom, impulses, 5);
        held_apply(&h, a, b, &m, x);
        return;
    }
    held_rates(&h, a, b, x);
    if (!featured) {
        hinge_changes(k, pass, pass.biased ? softness_held(k, m) : softness_rigid(k), place, impulses, x);
    } else {
        const wf angle = begun(k, pass, get(impulses, 10), x[5]);
        const wf spring = get(place, HINGE_SPRING);
        x[5] = freedom_change_by(k, pass, hinge_freedom, x[5], get(place, HINGE_FREE_K), &spring, angle, c, HINGE_FREE,
                                 impulses, 5);
        hinge_couple(place, x[5], x);
        softness s = softness_hard(k->driven);
        s.impulse_scale = get(c, HINGE_DECAY);
        hinge_changes(k, pass, s, place, impulses, x);
        const wm soft = wf_lt(wf_zero(), get(c, HINGE_SOFT));
        if (__builtin_expect(wm_bits(soft) != 0, 0)) {
            wf y[HELD_MOST];
            held_rates(&h, a, b, y);
            hinge_couple(place, x[5], y);
            hinge_soft_changes(k, pass, c, place, impulses, y);
            for (int i = 0; i < 5; i++)
                x[i] = wf_select(soft, y[i], x[i]);
        }
    }
    held_sane(5, x);
    for (int i = 0; i < 5; i++)
        put(impulses, i, get(impulses, i) + x[i]);
    /* read again, they take no registers meanwhile */
    motions_again(pass, a, b);
    h = hinge_rows(place, angular);
    m = hinge_masses(c, place);
    held_apply(&h, a, b, &m, x);
}

#endif

#ifdef TR_JOINT_LOOK

enum { hinge_color = 0x8e24aa }; /* 0xRRGGBB */

/* a pin along the axis */
static void draw_hinge(const joint_pen *pen)
{
    arms(pen);
    stroke(pen, anchor_a(pen), axis_of(pen));
}

#endif
