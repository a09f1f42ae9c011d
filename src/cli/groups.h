/* Which bodies hang together: connected groups of bodies that can move, over the scene's joints. */
#ifndef TR_CLI_GROUPS_H
#define TR_CLI_GROUPS_H

#include "trammel/scene2.h"

#define NO_GROUP UINT32_MAX

typedef struct groups {
    uint32_t count;
    uint32_t *of_body;     /* NO_GROUP for static bodies */
    uint32_t *body_count;  /* of each group */
    uint32_t *joint_count; /* of each group; a joint to a static body counts */
    bool *anchored;        /* joined to a static body */
    bool *pinned;          /* of each static body: something is joined to it */
} groups;

/* False when there is no memory: then there is nothing to free. */
bool groups_find(groups *g, const tr2_scene *scene);
void groups_free(groups *g);

#endif
