/* Functions for the types' measurements that both dimensions have: softness, limits, features of a free coordinate. */
#include "solver/core/joint_types.h"

static bool softness_is_rigid(tr_softness s)
{
    return s.kind == TR_RIGID;
}

/* J; only a physical stiffness is known without the masses */
static double softness_energy(tr_softness s, double c)
{
    return s.kind == TR_PHYSICAL ? 0.5 * (double)s.a * c * c : 0.0;
}

/* distance of c outside of the limits; 0 inside */
static double limit_violation(const tr_limit *limit, double c)
{
    if (!limit->enable)
        return 0.0;
    if (c < (double)limit->lower)
        return (double)limit->lower - c;
    if (c > (double)limit->upper)
        return c - (double)limit->upper;
    return 0.0;
}

static double spring_energy(const tr_spring *spring, double c)
{
    return spring->enable ? softness_energy(spring->softness, c - (double)spring->target) : 0.0;
}

/* Shares of the free coordinate's features, with impulses from `first` on: spring, motor, lower, upper, friction.
   Returns the sum. */
static float features_reaction(const float *impulse, int first, float inv_h, trn_reaction *out)
{
    out->spring = impulse[first] * inv_h;
    out->motor = impulse[first + 1] * inv_h;
    out->lower = impulse[first + 2] * inv_h;
    out->upper = -(impulse[first + 3] * inv_h);
    out->friction = impulse[first + 4] * inv_h;
    return out->spring + out->motor + out->lower + out->upper + out->friction;
}

static bool features_enabled(const trn_joint_def *def)
{
    return def->spring.enable || def->motor.enable || def->limit.enable || def->friction > 0.0f;
}

/* the roles of those impulses, in this order */
#define FEATURE_ROLES TR_ROLE_SPRING, TR_ROLE_MOTOR, TR_ROLE_LIMIT, TR_ROLE_LIMIT, TR_ROLE_FRICTION
/* and their names, after what says of which coordinate */
#define FEATURE_NAMES(of) of "spring", of "motor", of "lower", of "upper", of "friction"
