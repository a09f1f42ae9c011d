/*
 * Weld: holds a point of B at a point of A, and B's rotation to A's: one block of 6 rows; point and rotation have their
 * own softness.
 *
 *   C = (d, t),  t = 2 vec(q), q = qB conj(qA reference) with the sign that makes its scalar part positive
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *       ( 0,   -1, 0,      1)
 *
 * t is the rotation vector up to its third power; its rate is wB - wA where t is 0.
 */
#ifdef TR_JOINT_HOST

static bool weld_is_featured(const tr3_joint_def *def)
{
    return !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
}

static void weld_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    double separation = measure_length(pose->d), turned = measure_turn(pose);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->angular_rigid = softness_is_rigid(def->angular);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->angular_error = out->angular_rigid ? (float)turned : 0.0f;
    out->energy = softness_energy(def->linear, separation) + softness_energy(def->angular, turned);
}

static void weld_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    equations_rotation(out, pose, def->angular, TR_BLOCK_K, 3);
}

static const tr3_joint_type_info weld_info = {
    .name = "weld",
    .spring_is = "`linear` and `angular`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR,
    .impulse_count = 6,
    .impulse_names = {"point.x", "point.y", "point.z", "rotation.x", "rotation.y", "rotation.z"},
    .is_featured = weld_is_featured,
    .measure = weld_measure,
    .equations = weld_equations,
    .reaction = measure_block,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { weld_plain_impulses = 6, weld_featured_impulses = 6, weld_is_common = false, weld_few_need = 0 };

enum {
    WELD_BASE,
    WELD_RELATION = WELD_BASE + BASE_COLUMNS,
    WELD_LINEAR = WELD_RELATION + 4,
    WELD_ANGULAR = WELD_LINEAR + SOFT_COLUMNS,
    weld_plain_columns = weld_plain_impulses + WELD_LINEAR,
    weld_featured_columns = weld_featured_impulses + WELD_ANGULAR + SOFT_COLUMNS
};

TR_INLINE void weld_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * weld_plain_impulses;
    base_put(c, WELD_BASE, s);
    put4(c, WELD_RELATION, relation_of(s, f, lane));
    if (!featured)
        return;
    softness_put(c, WELD_LINEAR, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    softness_put(c, WELD_ANGULAR, softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane));
}

TR_INLINE void weld_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * weld_plain_impulses;
    const anchors n = anchors_now(c, WELD_BASE, at);
    row_block h;
    row_block_begin(&h, 3, 3, n.arm, n.rb);
    if (pass.warm_start) {
        motions_late(pass, a, b);
        held_warm_start(&h, a, b, &n.m, impulses);
        return;
    }
    w3 t = turned(at, get4(c, WELD_RELATION));
    const wf error[HELD_MOST] = {n.d.x, n.d.y, n.d.z, t.x, t.y, t.z};
    if (!featured) {
        held_k(&h, &n.m);
        held_invert(&h);
        motions_late(pass, a, b);
        held_rigid_visit(k, pass, &h, a, b, &n.m, error, impulses);
        return;
    }
    motions_late(pass, a, b);
    held_visit(k, pass, &h, a, b, &n.m, softness_get(c, WELD_LINEAR), softness_get(c, WELD_ANGULAR), error, impulses);
}

#endif

#ifdef TR_JOINT_LOOK

enum { weld_color = 0x444444 }; /* 0xRRGGBB */

/* a square dot */
static void draw_weld(const joint_pen *pen)
{
    const tr_dvec3 at = anchor_a(pen), right = tr3_times(0.7 * pen->glyph, pen->solids->view->camera.right);
    const tr_dvec3 up = tr3_times(0.7 * pen->glyph, pen->solids->view->camera.up);
    arms(pen);
    if (pen->simple) {
        dot(pen, at, 0.5 * pen->glyph);
        return;
    }
    solids_piece(pen->solids, (piece){.kind = PIECE_POLYGON, .color = pen->color, .edge = 0xffffff, .edge_width = 0.7f},
                 (const tr_dvec3[4]){tr3_minus(tr3_minus(at, right), up), tr3_minus(tr3_plus(at, right), up),
                                     tr3_plus(tr3_plus(at, right), up), tr3_plus(tr3_minus(at, right), up)},
                 4);
}

#endif
