/* Trammel's version. The build reads it from this header. */
#ifndef TRAMMEL_VERSION_H
#define TRAMMEL_VERSION_H

#define TR_VERSION_MAJOR  0
#define TR_VERSION_MINOR  1
#define TR_VERSION_PATCH  0
#define TR_VERSION_STRING "0.1.0"
/* Comparable with < and >: 0x00MMmmpp. */
#define TR_VERSION ((TR_VERSION_MAJOR << 16) | (TR_VERSION_MINOR << 8) | TR_VERSION_PATCH)

#endif
