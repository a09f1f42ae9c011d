/*
 * Plane: holds a point of B in a plane of A; B rotates freely.
 *
 *   C = x . d,  x the plane's normal
 *   J = (-x, -(a x x), x, rB x x),  a = rA + d
 *
 * The free coordinates are y . d and z . d, each with its row and all features (space/frame.h).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(plane, 1, 0, 0)

static const tr3_joint_type_info plane_info = {
    .name = "plane",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_AXIS_2 | TR3_GROUP_LINEAR | TR3_GROUP_2_COORDINATES,
    .impulse_count = FRAME_IMPULSES(1, 0, 0),
    .features_at = FRAME_ROWS(1, 0, 0),
    .impulse_names = {"normal", FEATURE_NAMES(""), FEATURE_NAMES("second.")},
    .impulse_roles = {TR_ROLE_ROW, FEATURE_ROLES, FEATURE_ROLES},
    .is_featured = frame_is_featured,
    .measure = plane_measure,
    .equations = plane_equations,
    .reaction = plane_reaction,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(plane, 1, 0, 0)

#endif

#ifdef TR_JOINT_LOOK

enum { plane_color = 0x9e7b2f }; /* 0xRRGGBB */

/* a square in the plane, and a dot on it */
static void draw_plane(const joint_pen *pen)
{
    arms(pen);
    patch(pen, axis_of(pen));
    dot(pen, anchor_b(pen), (pen->simple ? 0.5 : 0.7) * pen->glyph);
}

#endif
