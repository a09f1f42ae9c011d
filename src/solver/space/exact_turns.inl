/* Rows of rotation of islands side by side, as solver/space/equations.inl has them (solver/space/exact_lanes.inl). */

/* As tr_arctan2(). */
TR_INLINE wd lane_arctan2(wd y, wd x)
{
    const wd a = wd_abs(y), b = wd_abs(x), none = wd_set(0.0), one = wd_set(1.0);
    const wdm steep = wd_lt(b, a);
    const wd low = wd_select(steep, b, a), high = wd_select(steep, a, b);
    /* above the tangent of an eighth of pi it is taken from a quarter */
    const wdm over = wd_lt(wd_set(0.41421356237309503) * high, low);
    const wd under = wd_select(over, low + high, high);
    const wd t = wd_select(over, low - high, low) / wd_select(wd_lt(none, under), under, one);
    const wd z = t * t, w = z * z;
    const wd odd =
        z * (wd_set(3.33333333333329318027e-01) +
             w * (wd_set(1.42857142725034663711e-01) +
                  w * (wd_set(9.09088713343650656196e-02) +
                       w * (wd_set(6.66107313738753120669e-02) +
                            w * (wd_set(4.97687799461593236017e-02) + w * wd_set(1.62858201153657823623e-02))))));
    const wd even =
        w * (wd_set(-1.99999999998764832476e-01) +
             w * (wd_set(-1.11111104054623557880e-01) +
                  w * (wd_set(-7.69187620504482999495e-02) +
                       w * (wd_set(-5.83357013379057348645e-02) + w * wd_set(-3.65315727442169155270e-02)))));
    const wd turned = t * (odd + even);
    wd angle = wd_select(over, wd_set(7.85398163397448278999e-01) - ((turned - wd_set(3.06161699786838301793e-17)) - t),
                         t - turned);
    angle = wd_select(steep, wd_set(1.57079632679489661923) - angle, angle);
    angle = wd_select(wd_lt(x, none), wd_set(3.14159265358979323846) - angle, angle);
    return wd_select(wd_lt(y, none), -angle, angle);
}

/* the axes of one lane's joint */
static void lane_turn_read(const lane_pack *p, lane_joint *to, int lane, const tr3_exact_joint *from)
{
    /* friction alone has none */
    if (to->rows[3].kind == TR_EXACT_RUBBED)
        return;
    const tr_dvec3 axis = tr3_widen(from->def.axis), across = tr3_across(axis);
    const tr3_dquat back = tr3_conjugate(tr3_normalised(tr3_widen_quat(from->def.reference)));
    to->turn->wound[lane] = from->angle;
    const tr_dvec3 all[2][2] = {{axis, across}, {tr3_turned(back, axis), tr3_turned(back, across)}};
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 2; i++) {
            double own[3] = {all[end][i].x, all[end][i].y, all[end][i].z};
            if (from->at[end] != TR_ENDS)
                tr3_exact_principal_of(p->step->system->bodies, from->end[end], all[end][i], own);
            lv *out = i == 0 ? &to->turn->axis[end] : &to->turn->across[end];
            UNROLLED
            for (int k = 0; k < 3; k++)
                out->x[k][lane] = own[k];
        }
}

static void lane_turn_write(const lane_joint *from, int lane, tr3_exact_joint *to)
{
    if (from->row_count > 3 && from->rows[3].kind == TR_EXACT_KEPT)
        to->angle = from->turn->wound[lane];
}

TR_INLINE lv lane_cross(lv a, lv b)
{
    return lane_whirl((ls){{a.x[0], a.x[1], a.x[2]}}, b);
}

/* how the bodies of a joint turn, and J M^-1 J^T of rotations */
typedef struct lane_turning {
    lv w, across; /* of B against A; the product of A's and B's */
    wd k[3][3];
} lane_turning;

/* a row about e */
TR_INLINE void lane_about(lane_row *row, const lane_turning *t, lv e)
{
    row->u = lv_dot(e, t->w);
    row->bend = -lv_dot(e, t->across);
    row->close = row->k = wd_set(0.0);
    UNROLLED
    for (int i = 0; i < 3; i++) {
        row->j[0][3 + i] = -e.x[i];
        row->j[1][3 + i] = e.x[i];
        row->k = row->k + e.x[i] * (t->k[i][0] * e.x[0] + t->k[i][1] * e.x[1] + t->k[i][2] * e.x[2]);
    }
}

/* the rows of a hinge: where its axes are more than a right angle apart, what is between them gets the length 1 */
static void lane_hinge_turns(lane_joint *joint, const lane_turning *t, lv axis, lv first, lv second, lv normal, wd sine,
                             wd cosine)
{
    const wd none = wd_set(0.0), one = wd_set(1.0);
    const wdm back = wd_lt(cosine, none), has = wd_lt(none, sine);
    const wd scale = one / wd_select(back & has, sine, one);
    lv tilt;
    UNROLLED
    for (int i = 0; i < 3; i++)
        tilt.x[i] = scale * wd_select(back & ~has, first.x[i], normal.x[i]);
    /* adding it leaves the nearest integer in the low bits */
    const wd magic = wd_set(6755399441055744.0), whole = wd_set(TR_TURN);
    joint->turn->wound =
        joint->turn->angle + whole * (((joint->turn->wound - joint->turn->angle) / whole + magic) - magic);
    lane_about(&joint->rows[3], t, first);
    lane_about(&joint->rows[4], t, second);
    joint->rows[3].close = lv_dot(first, tilt);
    joint->rows[4].close = lv_dot(second, tilt);
    if (joint->row_count <= 5)
        return;
    lane_about(&joint->rows[5], t, axis);
    joint->rows[5].law->value = joint->turn->wound + joint->turn->beside[0];
}

/* the last three rows, about the axes of the world */
static void lane_rub_turns(lane_joint *joint, const lane_turning *t)
{
    lane_row *rows = joint->rows + joint->row_count - 3;
    for (uint32_t r = 0; r < 3; r++) {
        lv e = {{wd_set(0.0), wd_set(0.0), wd_set(0.0)}};
        e.x[r] = wd_set(1.0);
        lane_about(&rows[r], t, e);
    }
}

/* those of a ball; where axes are parallel the cone has none, where they are opposite the twist */
static void lane_ball_turns(lane_joint *joint, const lane_turning *t, lv axis, lv axis_b, lv normal, wd sine, wd cosine)
{
    lane_row *cone = &joint->rows[3], *twist = &joint->rows[4];
    const wd none = wd_set(0.0), one = wd_set(1.0), whole = one + cosine;
    const wdm leans = wd_lt(none, sine), moves = wd_lt(wd_set(1e-9), whole);
    const wd per_sine = wd_select(leans, one / wd_select(leans, sine, one), none);
    const wd per_whole = wd_select(moves, one / wd_select(moves, whole, one), none);
    lane_about(cone, t, lv_times(per_sine, normal));
    const wd across = lv_dot(t->w, t->w) - cone->u * cone->u;
    cone->bend = cone->bend + per_sine * (cosine * across - lv_dot(axis, t->w) * lv_dot(axis_b, t->w));
    cone->law->value = lane_arctan2(sine, cosine) + joint->turn->beside[0];
    const lv along = lv_times(per_whole, lv_plus(axis, axis_b));
    lane_about(twist, t, along);
    twist->bend = twist->bend - per_whole * (twist->u * lv_dot(axis, lane_cross(t->w, axis_b)));
    twist->law->value = joint->turn->angle + joint->turn->beside[1];
    twist->law->length = wd_select(moves, wd_sqrt(lv_dot(along, along)), one);
    if (joint->row_count > 5)
        lane_rub_turns(joint, t);
}

/* The rows at the present state, but for their features. The angle about the axis is that of the direction across B's, when
   B's axis is turned back to A's the shortest way. */
static void lane_turns(lane_pack *p, lane_joint *joint)
{
    const lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const lv wa = {{a->v[3], a->v[4], a->v[5]}}, wb = {{b->v[3], b->v[4], b->v[5]}};
    lane_turning turning = {.w = lv_minus(wb, wa), .across = lane_cross(wa, wb)};
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            turning.k[i][k] = wd_set(0.0);
            if (joint->end[0] < p->body_count)
                turning.k[i][k] = turning.k[i][k] + a->inverse[i][k];
            if (joint->end[1] < p->body_count)
                turning.k[i][k] = turning.k[i][k] + b->inverse[i][k];
        }
    if (joint->rows[3].kind == TR_EXACT_RUBBED) {
        lane_rub_turns(joint, &turning);
        return;
    }
    const lv axis = lane_turned(&a->pose, joint->turn->axis[0]), first = lane_turned(&a->pose, joint->turn->across[0]);
    const lv axis_b = lane_turned(&b->pose, joint->turn->axis[1]),
             across = lane_turned(&b->pose, joint->turn->across[1]);
    const lv second = lane_cross(axis, first), normal = lane_cross(axis, axis_b);
    const wd sine = wd_sqrt(lv_dot(normal, normal)), cosine = lv_dot(axis, axis_b), whole = wd_set(1.0) + cosine;
    const wd beyond = lv_dot(across, axis);
    joint->turn->angle = lane_arctan2(whole * lv_dot(second, across) - beyond * lv_dot(second, axis_b),
                                      whole * lv_dot(first, across) - beyond * lv_dot(first, axis_b));
    if (joint->rows[3].kind == TR_EXACT_KEPT)
        lane_hinge_turns(joint, &turning, axis, first, second, normal, sine, cosine);
    else
        lane_ball_turns(joint, &turning, axis, axis_b, normal, sine, cosine);
}
