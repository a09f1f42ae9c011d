/* Finds connected groups of bodies with union-find. */
#include "cli/core/groups.h"
#include "base/sets.h"

#include <stdlib.h>
#include <string.h>

static bool is_static(const trn_scene *scene, uint32_t body)
{
    return scene->bodies[body].def.type == TR_STATIC;
}

static void unite(const trn_scene *scene, uint32_t *parent, uint32_t a, uint32_t b)
{
    if (!is_static(scene, a) && !is_static(scene, b)) {
        tr_set_unite(parent, a, b);
    }
}

void trn_groups_free(groups *g)
{
    free(g->of_body);
    free(g->body_count);
    free(g->joint_count);
    free(g->anchored);
    free(g->pinned);
    memset(g, 0, sizeof *g);
}

bool trn_groups_find(groups *g, const trn_scene *scene)
{
    /* one entry more than needed, so that an empty scene needs no special case */
    size_t n = (size_t)scene->body_count + 1;
    memset(g, 0, sizeof *g);
    uint32_t *parent = calloc(n, sizeof *parent);
    g->of_body = calloc(n, sizeof *g->of_body);
    g->body_count = calloc(n, sizeof *g->body_count);
    g->joint_count = calloc(n, sizeof *g->joint_count);
    g->anchored = calloc(n, sizeof *g->anchored);
    g->pinned = calloc(n, sizeof *g->pinned);
    if (parent == NULL || g->of_body == NULL || g->body_count == NULL || g->joint_count == NULL ||
        g->anchored == NULL || g->pinned == NULL) {
        free(parent);
        trn_groups_free(g);
        return false;
    }

    /* the smaller index is the root, so that groups are numbered by their first body */
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        parent[i] = i;
    }
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        trn_scene_joint *joint = &scene->joints[j];
        unite(scene, parent, joint->body_a, joint->body_b);
        for (uint32_t end = 0; end < 2; ++end) {
            const uint32_t *carrier = trn_scene_carrier(joint, end);
            if (carrier != NULL && *carrier > 0) {
                unite(scene, parent, end == 0 ? joint->body_a : joint->body_b, *carrier - 1);
            }
        }
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        if (is_static(scene, i)) {
            g->of_body[i] = NO_GROUP;
            continue;
        }
        uint32_t root = tr_set_root(parent, i);
        g->of_body[i] = root == i ? g->count++ : g->of_body[root];
        ++g->body_count[g->of_body[i]];
    }

    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        uint32_t a = scene->joints[j].body_a, b = scene->joints[j].body_b;
        uint32_t group = is_static(scene, a) ? g->of_body[b] : g->of_body[a];
        if (group != NO_GROUP) {
            ++g->joint_count[group];
            if (is_static(scene, a) || is_static(scene, b)) {
                g->anchored[group] = true;
                g->pinned[is_static(scene, a) ? a : b] = true;
            }
        }
    }
    free(parent);
    return true;
}
