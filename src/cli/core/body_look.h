/* The colours of bodies. */
#ifndef TR_CLI_BODY_LOOK_H
#define TR_CLI_BODY_LOOK_H

#include "cli/core/groups.h"

typedef struct body_look {
    uint32_t fill, stroke; /* 0xRRGGBB */
} body_look;

/* Bodies of one group have one colour; static, kinematic and loose ones their own. */
body_look trn_body_look_of(const trn_scene *scene, const groups *g, uint32_t body);

/* a colour of what sleeps: greyed */
uint32_t trn_body_look_asleep(uint32_t color);

#endif
