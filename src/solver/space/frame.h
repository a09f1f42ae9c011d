/*
 * Joints that hold some directions and rotations of a frame fixed in A, and leave the others as free coordinates with
 * all features. Of the frame, x is `axis`, y `axis_2`, z = x x y; xB and yB are these axes fixed in B at the reference.
 *
 *   directions held           rows C                   free coordinates
 *   3                         d                        -
 *   2, those across x         y . d, z . d             x . d
 *   1, x                      x . d                    y . d, z . d
 *   0                         -                        -
 *
 *   rotations held
 *   2, the tilt of x          y . t, z . t, t = x x xB the angle of yB about x from y
 *   1, yB stays across x      -x . yB                  that angle, and that of xB about yB from x
 *   0                         -                        -
 *
 * Rows of directions are those of a slider, J = (-n, -(a x n), n, rB x n). Rows of rotation, (0, -n, 0, n), are about y
 * and z, or about the unit vector along x x yB; those of the angles about x and yB. Angles count over whole turns: the
 * last ones are kept among the impulses.
 *
 * A thread is one more row, which ties the travel along x to the angle: C = x . d - p angle, p = pitch / 2 pi. It needs
 * the angle in the plain kernel, too, which therefore has all impulses.
 */
#ifndef TR_SPACE_FRAME_H
#define TR_SPACE_FRAME_H

/* how many directions (0 to 3) and rotations (0 to 2) a type holds, and threads (0 or 1), of a type that holds two of
   both */
typedef struct frame_rows {
    int linear, angular, thread;
} frame_rows;

/* free coordinates: directions first, then angles */
#define FRAME_SLIDES(linear)               ((linear) == 2 ? 1 : (linear) == 1 ? 2 : 0)
#define FRAME_TURNS(angular)               ((angular) == 2 ? 1 : (angular) == 1 ? 2 : 0)
#define FRAME_COORDINATES(linear, angular) (FRAME_SLIDES(linear) + FRAME_TURNS(angular))

/* impulses: of the rows, the thread last, of the features of each coordinate, and the angles */
#define FRAME_ROWS(linear, angular, thread) ((linear) + (angular) + (thread))
#define FRAME_ANGLE_AT(linear, angular, thread)                                                                        \
    (FRAME_ROWS(linear, angular, thread) + TR_FEATURE_IMPULSES * FRAME_COORDINATES(linear, angular))
#define FRAME_IMPULSES(linear, angular, thread) (FRAME_ANGLE_AT(linear, angular, thread) + FRAME_TURNS(angular))

#endif
