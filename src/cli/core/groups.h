/* Connected groups: bodies that can move and are connected by the scene's joints. */
#ifndef TR_CLI_GROUPS_H
#define TR_CLI_GROUPS_H

#include "cli/core/dimension.h"

#define NO_GROUP UINT32_MAX

typedef struct groups {
    uint32_t count;
    uint32_t *of_body;     /* group of each body; NO_GROUP for static bodies */
    uint32_t *body_count;  /* of each group */
    uint32_t *joint_count; /* of each group, with joints to static bodies */
    bool *anchored;        /* of each group: it has a joint to a static body */
    bool *pinned;          /* of each static body: it has a joint */
} groups;

/* False if out of memory; then there is nothing to free. */
bool trn_groups_find(groups *g, const trn_scene *scene);
void trn_groups_free(groups *g);

#endif
