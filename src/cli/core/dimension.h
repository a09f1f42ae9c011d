/*
 * This folder is compiled once per dimension (solver/dimension.h). cli/plane and cli/space have what differs: how
 * places of the world come to be places of a picture, what a trajectory holds, and how bodies and joints are drawn.
 */
#ifndef TR_CLI_DIMENSION_H
#define TR_CLI_DIMENSION_H

#include "scene/core/storage.h"
#include "trammel/trammel.h"

#if TR_DIMENSION == 2
#include "cli/plane/plane.h"
#else
#include "cli/space/space.h"
#endif

#endif
