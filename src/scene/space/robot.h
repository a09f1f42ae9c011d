/* What readers and writers of robots share: frames, and the world that a robot is in. */
#ifndef TR_SCENE_SPACE_ROBOT_H
#define TR_SCENE_SPACE_ROBOT_H

#include <math.h>

#include "base/angle.h"
#include "scene/core/storage.h"
#include "scene/numbers.h"

/* The pose of a frame in another. */
typedef struct tr3_frame {
    tr_dvec3 at;
    tr3_dquat turn; /* of length 1 */
} tr3_frame;

static const tr3_frame tr3_frame_same = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};

/* a frame in `outer`, which is itself in another, in that */
static inline tr3_frame tr3_frame_in(const tr3_frame *outer, const tr3_frame *inner)
{
    return (tr3_frame){tr3_plus(outer->at, tr3_turned(outer->turn, inner->at)),
                       tr3_normalised(tr3_compose(outer->turn, inner->turn))};
}

static inline tr3_frame tr3_frame_inverse(const tr3_frame *frame)
{
    const tr3_dquat back = tr3_conjugate(frame->turn);
    return (tr3_frame){tr3_turned(back, tr3_times(-1.0, frame->at)), back};
}

/* A turn by `angle` (rad, of any size) about a unit vector, without libm: the same bits on every machine. */
static inline tr3_dquat tr3_turn_about(tr_dvec3 axis, double angle)
{
    /* remainder() is exact */
    const double half = remainder(0.5 * angle, TR_TURN), s = tr_sine(half);
    return tr3_normalised((tr3_dquat){s * axis.x, s * axis.y, s * axis.z, tr_cosine(half)});
}

/* The greatest number that a reader takes, and a writer writes: sums of such fit a float. */
#define TR3_MODEL_GREATEST 1e18

/* The world that a robot is in, if its file does not say: z is up; short steps and stiff joints, which hold a robot's arm
   within a millimetre. */
#define TR3_MODEL_HERTZ 240.0
static inline void tr3_model_preset(tr3_scene *scene)
{
    scene->gravity = (tr_vec3){0.0f, 0.0f, -9.81f};
    scene->hertz = TR3_MODEL_HERTZ;
    scene->joint_frequency = (float)TR3_MODEL_HERTZ;
}

#endif
