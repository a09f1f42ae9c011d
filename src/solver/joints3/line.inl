/*
 * Line: holds a point of B on a line of A; B rotates freely.
 *
 *   C = (y . d, z . d),  y, z across the line's direction x
 *   J = (-n, -(a x n), n, rB x n)  for n = y, z,  a = rA + d
 *
 * The free coordinate is x . d, with its row and all features (space/frame.h).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(line, 2, 0, 0)

static const tr3_joint_type_info line_info = {
    .name = "line",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_AXIS_2 | TR3_GROUP_LINEAR | TR3_GROUP_FEATURES,
    .impulse_count = FRAME_IMPULSES(2, 0, 0),
    .features_at = FRAME_ROWS(2, 0, 0),
    .impulse_names = {"across.1", "across.2", FEATURE_NAMES("")},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES},
    .is_featured = frame_is_featured,
    .measure = line_measure,
    .equations = line_equations,
    .reaction = line_reaction,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(line, 2, 0, 0)

#endif

#ifdef TR_JOINT_LOOK

enum { line_color = 0x558b2f }; /* 0xRRGGBB */

/* a rail along the line, as long as the limits say, and a dot on it */
static void draw_line(const joint_pen *pen)
{
    arms(pen);
    rail(pen, axis_of(pen), pen->def->limit);
    dot(pen, anchor_b(pen), (pen->simple ? 0.5 : 0.7) * pen->glyph);
}

#endif
