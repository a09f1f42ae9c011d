/*
 * The core is written once and compiled once per dimension, as kernels are once per instruction set: solver/core,
 * solver/kernels and world/core. There a name that begins with trn_ or TRN_ is that of the dimension: trn_world is
 * tr2_world in the plane and tr3_world in space. The build lists these names (cmake/dimension_names.cmake). What a
 * dimension supplies is in solver/plane and solver/space, world/plane and world/space.
 *
 * TR_DIMENSION is 2 or 3; a file that does not say is of the plane.
 */
#ifndef TR_SOLVER_DIMENSION_H
#define TR_SOLVER_DIMENSION_H

#ifndef TR_DIMENSION
#define TR_DIMENSION 2
#endif

#if TR_DIMENSION == 2
#include "names2.h"
#include "solver/plane/plane.h"
#else
#include "names3.h"
#include "solver/space/space.h"
#endif

#endif
