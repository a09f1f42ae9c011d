/*
 * Cylindrical: B slides along an axis of A and rotates about it; the axes of both stay on one line.
 *
 *   C = (y . d, z . d, y . t, z . t),  t = x x xB; y, z across A's axis x
 *   J = (-n, -(a x n), n, rB x n)  for n = y, z,  a = rA + d
 *       ( 0,       -n, 0,      n)  for n = y, z
 *
 * The free coordinates are the travel x . d, and the angle about x, each with its row and all features
 * (space/frame.h).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(cylindrical, 2, 2, 0)
FRAME_WIND(cylindrical, 2, 2, 0)

static const tr3_joint_type_info cylindrical_info = {
    .name = "cylindrical",
    .fields = TR3_GROUP_ANCHORS | FRAME_FIELDS | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR | TR3_GROUP_2_COORDINATES,
    .impulse_count = FRAME_IMPULSES(2, 2, 0),
    .features_at = FRAME_ROWS(2, 2, 0),
    .impulse_names = {"across.1", "across.2", "tilt.1", "tilt.2", FEATURE_NAMES(""), FEATURE_NAMES("second."), "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, FEATURE_ROLES, TR_ROLE_PLACE},
    .is_featured = frame_is_featured,
    .wind = cylindrical_wind,
    .measure = cylindrical_measure,
    .equations = cylindrical_equations,
    .reaction = cylindrical_reaction,
    .has_unit_rows = false, /* the angle is among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(cylindrical, 2, 2, 0)

#endif

#ifdef TR_JOINT_LOOK

enum { cylindrical_color = 0x00796b }; /* 0xRRGGBB */

/* a rail along the axis, as long as the limits say, and a pin on it */
static void draw_cylindrical(const joint_pen *pen)
{
    arms(pen);
    rail(pen, axis_of(pen), pen->def->limit);
    stroke(pen, anchor_b(pen), axis_of(pen));
}

#endif
