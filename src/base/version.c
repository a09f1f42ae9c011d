/* Version and build options of the library. */
#include "trammel/trammel.h"

uint32_t tr_version(void)
{
    return TR_VERSION;
}

const char *tr_version_string(void)
{
    return TR_VERSION_STRING;
}

/* Concatenates option names at compile time. Each option brings a leading space; the result starts after the first. */
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
#ifdef TR_WITH_XML
#define XML " xml"
#else
#define XML ""
#endif

const char *tr_build_options(void)
{
    static const char options[] = OPENMP HWLOC SCENES XML;
    return options[0] == ' ' ? options + 1 : options;
}
