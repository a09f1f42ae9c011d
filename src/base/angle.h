/* Pi and the full turn. C17 has no constants for them. */
#ifndef TR_BASE_ANGLE_H
#define TR_BASE_ANGLE_H

#define TR_PI   3.141592653589793238462643383280
#define TR_TURN 6.283185307179586476925286766559 /* rad */

#endif
