/* What is linked: the version, and what was built in. */
#include "trammel/trammel.h"

uint32_t tr_version(void)
{
    return TR_VERSION;
}

const char *tr_version_string(void)
{
    return TR_VERSION_STRING;
}

/* Words joined by one space at compile time; the first carries no space, so each option brings its own and the
   result starts after it. */
#ifdef TR_WITH_OPENMP
#define OPENMP " openmp"
#else
#define OPENMP ""
#endif
#ifdef TR_WITH_HWLOC
#define HWLOC " hwloc"
#else
#define HWLOC ""
#endif
#ifdef TR_WITH_SCENES
#define SCENES " scenes"
#else
#define SCENES ""
#endif

const char *tr_build_options(void)
{
    static const char options[] = OPENMP HWLOC SCENES;
    return options[0] == ' ' ? options + 1 : options;
}
