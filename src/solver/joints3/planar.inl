/*
 * Planar: a plane of B slides in a plane of A, whose normal is the axis, and rotates about the normal.
 *
 *   C = (x . d, y . t, z . t),  t = x x xB; y, z across the normal x
 *   J = (-x, -(a x x), x, rB x x),  a = rA + d
 *       ( 0,       -n, 0,      n)  for n = y, z
 *
 * The free coordinates are y . d, z . d and the angle about x, each with its row and all features (space/frame.h).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(planar, 1, 2, 0)
FRAME_WIND(planar, 1, 2, 0)

static const tr3_joint_type_info planar_info = {
    .name = "planar",
    .fields = TR3_GROUP_ANCHORS | FRAME_FIELDS | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR | TR3_GROUP_3_COORDINATES,
    .impulse_count = FRAME_IMPULSES(1, 2, 0),
    .features_at = FRAME_ROWS(1, 2, 0),
    .impulse_names = {"normal", "tilt.1", "tilt.2", FEATURE_NAMES(""), FEATURE_NAMES("second."),
                      FEATURE_NAMES("third."), "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, FEATURE_ROLES, FEATURE_ROLES,
                      TR_ROLE_PLACE},
    .is_featured = frame_is_featured,
    .wind = planar_wind,
    .measure = planar_measure,
    .equations = planar_equations,
    .reaction = planar_reaction,
    .has_unit_rows = false, /* the angle is among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(planar, 1, 2, 0)

#endif

#ifdef TR_JOINT_LOOK

enum { planar_color = 0x5d4037 }; /* 0xRRGGBB */

/* a square in the plane, and a dot on it */
static void draw_planar(const joint_pen *pen)
{
    arms(pen);
    patch(pen, axis_of(pen));
    if (!pen->simple) {
        dot(pen, anchor_b(pen), 0.6 * pen->glyph);
    }
}

#endif
