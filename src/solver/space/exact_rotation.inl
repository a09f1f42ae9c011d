/* Rotation of bodies of islands side by side, in a kick (solver/space/exact_lanes.inl). */

/* q turned by a rotation vector in the world */
TR_INLINE wdm lane_turn_by(wd q[4], const wd by[3])
{
    const wd square = by[0] * by[0] + by[1] * by[1] + by[2] * by[2], half = wd_set(0.5), one = wd_set(1.0);
    const wdm small = wd_le(square, wd_set(4.0 * LANE_SMALL * LANE_SMALL));
    wdm sane = small;
    wd turn[4], s;
    lane_sincos_core(one, wd_set(0.25) * square, &s, &turn[3]);
    s = half * s;
    if (wd_any(~small)) {
        const wd angle = wd_sqrt(square);
        wd far_s, far_c;
        lane_sincos(half * angle, &far_s, &far_c);
        s = wd_select(small, s, far_s / angle);
        turn[3] = wd_select(small, turn[3], far_c);
        sane = wd_le(angle, wd_set(1e9));
    }
    UNROLLED
    for (int i = 0; i < 3; i++)
        turn[i] = s * by[i];
    lane_compose(turn, q, q);
    return sane;
}

/* q turned by a correction: what it does not turn, the next one will. The length is that of (t/2, 1), which is next to 1. */
TR_INLINE void lane_correct(wd q[4], const wd by[3])
{
    const wd half = wd_set(0.5), one = wd_set(1.0);
    wd turn[4] = {half * by[0], half * by[1], half * by[2], one};
    const wd more = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    const wdm far = wd_lt(wd_set(1e-2), more);
    wd scale = one - more * (half - more * (wd_set(0.375) - wd_set(0.3125) * more));
    if (wd_any(far))
        scale = wd_select(far, one / wd_sqrt(one + more), scale);
    UNROLLED
    for (int i = 0; i < 4; i++)
        turn[i] = scale * turn[i];
    lane_compose(turn, q, q);
}

/* a turn about the principal axis 1 or 2 for a time, which keeps the angular momentum in the world */
TR_INLINE wdm lane_turn_about(wd q[4], wd l[3], int axis, wd angle)
{
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    wd half_s, half_c;
    lane_small_sincos(wd_set(0.5) * angle, &half_s, &half_c);
    const wd two = wd_set(2.0), s = two * half_s * half_c, c = wd_set(1.0) - two * half_s * half_s;
    const wd along = q[3] * half_s + q[axis] * half_c, w = q[3] * half_c - q[axis] * half_s;
    const wd q_next = q[next] * half_c + q[last] * half_s, q_last = q[last] * half_c - q[next] * half_s;
    q[axis] = along;
    q[3] = w;
    q[next] = q_next;
    q[last] = q_last;
    const wd a = l[next], b = l[last];
    l[next] = c * a + s * b;
    l[last] = c * b - s * a;
    return wd_le(wd_abs(angle), wd_set(1e9));
}

/* by a unit quaternion, or its inverse with `sign` -1 */
TR_INLINE void lane_quat_turned(const wd q[4], double sign, const wd v[3], wd out[3])
{
    const wd w = wd_set(sign) * q[3], two = wd_set(2.0);
    const ls u = {{q[0], q[1], q[2]}};
    const lv c = lane_whirl(u, (lv){{v[0], v[1], v[2]}}), cc = lane_whirl(u, c);
    UNROLLED
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + two * (w * c.x[i] + cc.x[i]);
}

/* Turns by a correction, and freely for a time (solver/space/exact_bodies.c). Whether the pose is still one. */
TR_INLINE wdm lane_rotate(lane_body *body, ls by, double h)
{
    lane_pose *pose = &body->pose;
    wd *q = pose->q, l[3] = {wd_set(0.0), wd_set(0.0), wd_set(0.0)}, world[3];
    wdm sane = wd_le(wd_abs(by.x[0]), wd_set(DBL_MAX));
    lane_correct(q, by.x);
    if (h > 0.0) {
        const wd half = wd_set(0.5 * h);
        lane_quat_turned(q, -1.0, body->v + 3, l);
        UNROLLED
        for (int i = 0; i < 3; i++)
            l[i] = pose->moment[i] * l[i];
        if (pose->uneven[0])
            sane &= lane_turn_about(q, l, 1, half * pose->excess[0] * l[1]);
        if (pose->uneven[1])
            sane &= lane_turn_about(q, l, 2, wd_set(h) * pose->excess[1] * l[2]);
        lane_quat_turned(q, 1.0, l, world);
        UNROLLED
        for (int i = 0; i < 3; i++)
            world[i] = wd_set(h) * pose->inverse_moment[0] * world[i];
        sane &= lane_turn_by(q, world);
        if (pose->uneven[0])
            sane &= lane_turn_about(q, l, 1, half * pose->excess[0] * l[1]);
    }
    /* Newton's step for the inverse of a length that rounding has left next to 1 */
    const wd scale = wd_set(1.5) - wd_set(0.5) * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    /* a turn by nothing may change -0 to 0, and is left out only if no lane needs it */
    UNROLLED
    for (int i = 0; i < 4; i++)
        q[i] = scale * q[i] + wd_set(0.0);
    /* what moves no more is not seen from anywhere */
    if (h > 0.0) {
        lv w;
        lane_matrix(pose);
        UNROLLED
        for (int i = 0; i < 3; i++)
            w.x[i] = pose->inverse_moment[i] * l[i];
        w = lane_turned(pose, w);
        UNROLLED
        for (int i = 0; i < 3; i++)
            body->v[3 + i] = w.x[i] + wd_set(0.0);
    }
    return sane & wd_le(wd_abs(q[3]), wd_set(2.0));
}
