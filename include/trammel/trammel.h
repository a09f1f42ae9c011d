/* Trammel: joints and contacts between rigid bodies, solved with SIMD and threads. Includes all other headers. */
#ifndef TRAMMEL_H
#define TRAMMEL_H

#include "trammel/accelerations.h"
#include "trammel/base.h"
#include "trammel/character2.h"
#include "trammel/contacts2.h"
#include "trammel/contacts3.h"
#include "trammel/delta.h"
#include "trammel/forces2.h"
#include "trammel/impact.h"
#include "trammel/joints2.h"
#include "trammel/joints3.h"
#include "trammel/queries2.h"
#include "trammel/recording.h"
#include "trammel/scene2.h"
#include "trammel/scene3.h"
#include "trammel/shapes2.h"
#include "trammel/statistics2.h"
#include "trammel/statistics3.h"
#include "trammel/world2.h"
#include "trammel/world3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the linked library; TR_VERSION and TR_VERSION_STRING are that of the header. */
TR_API uint32_t tr_version(void);
TR_API const char *tr_version_string(void);

#ifdef __cplusplus
}
#endif

#endif
