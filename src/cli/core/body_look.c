#include "cli/core/body_look.h"

static const body_look static_look = {0xcfcdc6, 0x8b897f};
static const body_look kinematic_look = {0xa9bdd8, 0x4a6894};
static const body_look loose_look = {0xe4d5b4, 0xa8966a}; /* moving, but joined to nothing */
static const body_look group_looks[] = {
    {0x8fb8de, 0x2f5f8f}, {0xf3b97c, 0xa8641a}, {0x98cf98, 0x3c7d3c}, {0xe89a9a, 0xa13c3c},
    {0xc3a5d6, 0x6d4a87}, {0x8fd0cb, 0x2f7f79}, {0xe8d27a, 0x8f7a1e}, {0xcaa88f, 0x7a5638},
};

body_look trn_body_look_of(const trn_scene *scene, const groups *g, uint32_t body)
{
    uint32_t group = g->of_body[body];
    if (group == NO_GROUP) {
        return static_look;
    }
    if (scene->bodies[body].def.type == TR_KINEMATIC) {
        return kinematic_look;
    }
    if (g->joint_count[group] == 0) {
        return loose_look;
    }
    return group_looks[group % (sizeof group_looks / sizeof group_looks[0])];
}

uint32_t trn_body_look_asleep(uint32_t color)
{
    const uint32_t red = color >> 16 & 0xff, green = color >> 8 & 0xff, blue = color & 0xff;
    /* four fifths of the way to a grey of the same brightness */
    const uint32_t grey = (3 * red + 6 * green + blue) / 10;
    return (red + 4 * grey) / 5 << 16 | (green + 4 * grey) / 5 << 8 | (blue + 4 * grey) / 5;
}
