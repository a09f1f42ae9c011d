/*
 * Parallel: keeps an axis of B parallel to an axis of A, and nothing else: upright bodies, alignment.
 *
 *   C = (y . t, z . t),  t = x x xB; y, z across A's axis x
 *   J = (0, -n, 0, n)  for n = y, z
 *
 * The free coordinate is the angle about x, with its row and all features (space/frame.h).
 */
#ifdef TR_JOINT_HOST

FRAME_HOST(parallel, 0, 2, 0)
FRAME_WIND(parallel, 0, 2, 0)

static const tr3_joint_type_info parallel_info = {
    .name = "parallel",
    .fields = FRAME_FIELDS | TR3_GROUP_ANGULAR | TR3_GROUP_FEATURES,
    .impulse_count = FRAME_IMPULSES(0, 2, 0),
    .features_at = FRAME_ROWS(0, 2, 0),
    .impulse_names = {"tilt.1", "tilt.2", FEATURE_NAMES(""), "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, TR_ROLE_PLACE},
    .is_featured = frame_is_featured,
    .wind = parallel_wind,
    .measure = parallel_measure,
    .equations = parallel_equations,
    .reaction = parallel_reaction,
    .has_unit_rows = false, /* the angle is among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

FRAME_KERNELS(parallel, 0, 2, 0)

#endif

#ifdef TR_JOINT_LOOK

enum { parallel_color = 0x607d8b }; /* 0xRRGGBB */

/* the axis at both bodies */
static void draw_parallel(const joint_pen *pen)
{
    stroke(pen, tr3_place(pen->a, pen->center_a), axis_of(pen));
    stroke(pen, tr3_place(pen->b, pen->center_b), axis_of(pen));
}

#endif
