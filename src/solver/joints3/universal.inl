/*
 * Universal (Cardan, Hooke): holds a point of B at a point of A, and an axis of B across an axis of A, as a cross piece
 * between two forks does.
 *
 *   C = (d, -x . yB)
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *       ( 0,   -n, 0,      n),  n = x x yB / |x x yB|
 *
 * The free coordinates are the angle of yB about x, and that of xB about yB, each with its row and all features
 * (space/frame.h).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(universal, 3, 1, 0)
FRAME_WIND(universal, 3, 1, 0)

static const tr3_joint_type_info universal_info = {
    .name = "universal",
    .fields = TR3_GROUP_ANCHORS | FRAME_FIELDS | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR | TR3_GROUP_2_COORDINATES,
    .impulse_count = FRAME_IMPULSES(3, 1, 0),
    .features_at = FRAME_ROWS(3, 1, 0),
    .impulse_names = {"point.x", "point.y", "point.z", "across", FEATURE_NAMES(""), FEATURE_NAMES("second."), "angle",
                      "second.angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, FEATURE_ROLES, TR_ROLE_PLACE,
                      TR_ROLE_PLACE},
    .is_featured = frame_is_featured,
    .wind = universal_wind,
    .measure = universal_measure,
    .equations = universal_equations,
    .reaction = universal_reaction,
    .has_unit_rows = false, /* the angles are among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(universal, 3, 1, 0)

#endif

#ifdef TR_JOINT_LOOK

enum { universal_color = 0xad1457 }; /* 0xRRGGBB */

/* the cross piece: a pin along the axis of A, and one along that of B */
static void draw_universal(const joint_pen *pen)
{
    arms(pen);
    stroke(pen, anchor_a(pen), axis_of(pen));
    stroke(pen, anchor_a(pen), axis_2_in_b(pen));
}

#endif
