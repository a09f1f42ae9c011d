/*
 * Screw: a cylindrical joint whose travel is a pitch times the turns about the axis.
 *
 *   C = (y . d, z . d, y . t, z . t, x . d - p angle),  p = pitch / 2 pi, t = x x xB; y, z across A's axis x
 *   J = (-n, -(a x n), n, rB x n)            for n = y, z,  a = rA + d
 *       ( 0,       -n, 0,      n)            for n = y, z
 *       (-x, -(a x x) + p x, x, rB x x - p x)
 *
 * The last row, the thread, is solved before the others, which are a block. The free coordinates are the travel x . d,
 * and the angle about x, of which each determines the other, each with its row and all features (space/frame.h), which are
 * solved across the thread's row (frame_tied).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(screw, 2, 2, 1)
FRAME_WIND(screw, 2, 2, 1)

static const tr3_joint_type_info screw_info = {
    .name = "screw",
    .fields = TR3_GROUP_ANCHORS | FRAME_FIELDS | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR | TR3_GROUP_2_COORDINATES |
              TR3_GROUP_PITCH,
    .plain_fields = TR3_GROUP_PITCH,
    .impulse_count = FRAME_IMPULSES(2, 2, 1),
    .features_at = FRAME_ROWS(2, 2, 1),
    .impulse_names = {"across.1", "across.2", "tilt.1", "tilt.2", "thread", FEATURE_NAMES(""), FEATURE_NAMES("second."),
                      "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, FEATURE_ROLES,
                      TR_ROLE_PLACE},
    .is_featured = frame_is_featured,
    .wind = screw_wind,
    .measure = screw_measure,
    .equations = screw_equations,
    .reaction = screw_reaction,
    .has_unit_rows = false, /* the thread turns, too; the angle is among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(screw, 2, 2, 1)

#endif

#ifdef TR_JOINT_LOOK

enum { screw_color = 0x3949ab }; /* 0xRRGGBB */

/* a rail along the axis, as long as the limits say, and on it three turns of a thread */
static void draw_screw(const joint_pen *pen)
{
    const tr_dvec3 axis = axis_of(pen), y = axis_2_of(pen), z = tr3_cross(axis, y), at = anchor_b(pen);
    const double radius = 0.9 * pen->glyph, length = 3.6 * pen->glyph;
    enum { POINTS = 36 };
    arms(pen);
    rail(pen, axis, pen->def->limit);
    tr_dvec3 last = at;
    for (int i = 0; i <= POINTS && !pen->simple; i++) {
        const double turn = 3.0 * i / POINTS;
        const tr_dvec3 around =
            tr3_plus(tr3_times(radius * cos(TR_TURN * turn), y),
                     tr3_times((pen->def->pitch < 0.0f ? -radius : radius) * sin(TR_TURN * turn), z));
        const tr_dvec3 next = tr3_plus(tr3_plus(at, around), tr3_times(length * (turn / 3.0 - 0.5), axis));
        if (i > 0) {
            line(pen, last, next, false);
        }
        last = next;
    }
}

#endif
