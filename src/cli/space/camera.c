/* The camera in space, and what pictures need to know of shapes. */
#include <math.h>

#include "base/angle.h"
#include "cli/space/space.h"

tr3_camera tr3_camera_make(const tr3_scene *scene, const double *angles)
{
    /* what is to the right, up and toward the viewer at angles 0, 0, for each vertical axis */
    static const tr_dvec3 axes[3][3] = {
        {{0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
        {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
        {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}},
    };
    const tr_vec3 g = scene->gravity;
    const int vertical = fabsf(g.x) > fabsf(g.y) && fabsf(g.x) > fabsf(g.z) ? 0 : fabsf(g.z) > fabsf(g.y) ? 2 : 1;
    const double yaw = (angles != NULL ? angles[0] : TR3_CAMERA_YAW) * TR_PI / 180.0;
    const double pitch = (angles != NULL ? angles[1] : TR3_CAMERA_PITCH) * TR_PI / 180.0;
    const tr_dvec3 right = axes[vertical][0], up = axes[vertical][1], back = axes[vertical][2];
    const tr_dvec3 level = tr3_plus(tr3_times(cos(yaw), back), tr3_times(sin(yaw), right));
    return (tr3_camera){
        .right = tr3_minus(tr3_times(cos(yaw), right), tr3_times(sin(yaw), back)),
        .up = tr3_minus(tr3_times(cos(pitch), up), tr3_times(sin(pitch), level)),
        .back = tr3_plus(tr3_times(cos(pitch), level), tr3_times(sin(pitch), up)),
    };
}

uint32_t tr3_shape_bound(const tr3_scene *scene, const tr3_scene_shape *shape, uint32_t k, tr_vec3 *point,
                         double *radius)
{
    (void)scene;
    *radius = (double)shape->radius;
    if (shape->type == TR3_SCENE_SPHERE) {
        *point = shape->center;
        return 1;
    }
    if (shape->type != TR3_SCENE_BOX) {
        *point = k == 0 ? shape->from : shape->to;
        return 2;
    }
    const tr_vec3 half = shape->half;
    const tr_dvec3 corner = {(k & 1) != 0 ? (double)half.x : -(double)half.x,
                             (k & 2) != 0 ? (double)half.y : -(double)half.y,
                             (k & 4) != 0 ? (double)half.z : -(double)half.z};
    *point = tr3_narrow(
        tr3_plus(tr3_widen(shape->center), tr3_turned(tr3_normalised(tr3_widen_quat(shape->rotation)), corner)));
    return 8;
}
