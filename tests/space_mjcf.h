/* What tests of MJCF share: models in short. */
#ifndef TR_TESTS_SPACE_MJCF_H
#define TR_TESTS_SPACE_MJCF_H

#include "space_model.h"

#define PI 3.14159265358979323846

/* what is in the world, and beside it */
#define WORLD(inside)        "<mujoco><worldbody>\n" inside "</worldbody></mujoco>"
#define BESIDE(rest, inside) "<mujoco>" rest "<worldbody>\n" inside "</worldbody></mujoco>"
#define BALL                 "<geom size='.1'/>"

/* two bodies that are free */
#define TWO                                                                                                            \
    "<worldbody><body name='a' pos='1 0 0'><freejoint/>" BALL "</body>"                                                \
    "<body name='b' pos='3 0 0' euler='0 0 90'><freejoint/>" BALL "</body></worldbody>\n"

static const double ball_mass = 1000.0 * 4.0 / 3.0 * PI * 0.001;

/* a ball that hangs on joints */
static inline tr3_scene *with_joint(const char *beside, const char *joint)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco>%s<worldbody>\n<body name='b' pos='1 2 3' euler='0 0 90'>" BALL "%s</body></worldbody></mujoco>",
             beside, joint);
    return model(text);
}

#endif
