/* Principal axes of a tensor of inertia. */
#include "solver/space/geometry.h"

/* Each sweep squares the size of what is off the diagonal, once that is small: six bring any tensor of floats to the
   rounding of double. */
#define SWEEPS 12

typedef struct tensor {
    double a[3][3]; /* symmetric */
    double v[3][3]; /* columns: the axes so far */
} tensor;

/* rotates about the axis that is neither p nor q, so that a[p][q] becomes 0 */
static void rotate(tensor *it, int p, int q)
{
    if (it->a[p][q] == 0.0)
        return;
    /* the tangent of the smaller of the two angles that do it */
    double theta = (it->a[q][q] - it->a[p][p]) / (2.0 * it->a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    it->a[p][p] -= t * it->a[p][q];
    it->a[q][q] += t * it->a[p][q];
    it->a[p][q] = it->a[q][p] = 0.0;
    double rp = it->a[r][p], rq = it->a[r][q];
    it->a[r][p] = it->a[p][r] = c * rp - s * rq;
    it->a[r][q] = it->a[q][r] = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        double vp = it->v[i][p], vq = it->v[i][q];
        it->v[i][p] = c * vp - s * vq;
        it->v[i][q] = s * vp + c * vq;
    }
}

/* from the greatest of the four parts, so that nothing small is divided by */
static tr3_dquat quat_of(double m[3][3])
{
    double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(trace + 1.0);
        return (tr3_dquat){(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s, 0.25 * s};
    }
    int i = m[1][1] > m[0][0] ? 1 : 0;
    i = m[2][2] > m[i][i] ? 2 : i;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double s = 2.0 * sqrt(1.0 + m[i][i] - m[j][j] - m[k][k]);
    double part[3];
    part[i] = 0.25 * s;
    part[j] = (m[j][i] + m[i][j]) / s;
    part[k] = (m[k][i] + m[i][k]) / s;
    return (tr3_dquat){part[0], part[1], part[2], (m[k][j] - m[j][k]) / s};
}

void tr3_principal(tr3_inertia inertia, tr_dvec3 *moments, tr3_dquat *frame)
{
    double xy = (double)inertia.xy, xz = (double)inertia.xz, yz = (double)inertia.yz;
    tensor it = {{{(double)inertia.xx, xy, xz}, {xy, (double)inertia.yy, yz}, {xz, yz, (double)inertia.zz}},
                 {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(&it, 0, 1);
        rotate(&it, 0, 2);
        rotate(&it, 1, 2);
    }
    *moments = (tr_dvec3){it.a[0][0], it.a[1][1], it.a[2][2]};
    *frame = tr3_normalised(quat_of(it.v));
}
