/* The equations of every type of joint in the plane: J and dJ/dt v are derivatives. */
#include "equation_rates.h"

struct motion_of_ends {
    double x[TR_ENDS][3], v[TR_ENDS][3], a[TR_ENDS][3]; /* x, y, angle at time 0; all 0 of the world */
    tr_dvec2 anchor[2], origin[2];                      /* of A and B; of their carriers: in the bodies' frames */
};

static tr_dvec2 turned(double angle, tr_dvec2 v)
{
    return (tr_dvec2){cos(angle) * v.x - sin(angle) * v.y, sin(angle) * v.x + cos(angle) * v.y};
}

static void state_at(const motion_of_ends *m, uint32_t end, double t, double x[3], double v[3])
{
    for (int k = 0; k < 3; k++) {
        x[k] = m->x[end][k] + t * m->v[end][k] + 0.5 * t * t * m->a[end][k];
        v[k] = m->v[end][k] + t * m->a[end][k];
    }
}

static void equations_at(const motion_of_ends *m, double time, const tr2_joint_def *def, tr2_equations *out)
{
    tr2_joint_pose p;
    memset(&p, 0, sizeof p);
    memset(out, 0, sizeof *out);
    for (uint32_t end = 0; end < TR_ENDS; end++) {
        tr2_joint_place *body = &p.body[end];
        double x[3], v[3];
        state_at(m, end, time, x, v);
        tr_dvec2 r = turned(x[2], end < 2 ? m->anchor[end] : m->origin[end - 2]);
        body->center = (tr_dvec2){x[0], x[1]};
        body->angle = x[2];
        body->c = cos(x[2]);
        body->s = sin(x[2]);
        body->w = v[2];
        body->velocity = (tr_dvec2){v[0], v[1]};
        if (end < 2) {
            body->velocity = (tr_dvec2){v[0] - v[2] * r.y, v[1] + v[2] * r.x};
            *(end == 0 ? &p.r_a : &p.r_b) = r;
        } else {
            body->origin = (tr_dvec2){x[0] + r.x, x[1] + r.y};
        }
    }
    const tr2_joint_place *a = &p.body[0], *b = &p.body[1];
    p.d = (tr_dvec2){b->center.x + p.r_b.x - a->center.x - p.r_a.x, b->center.y + p.r_b.y - a->center.y - p.r_a.y};
    p.d_rate = (tr_dvec2){b->velocity.x - a->velocity.x, b->velocity.y - a->velocity.y};
    p.axis = turned(a->angle, (tr_dvec2){(double)def->axis.x, (double)def->axis.y});
    p.w_a = a->w;
    p.c_a = a->c;
    p.s_a = a->s;
    p.angle = b->angle - (double)def->ratio * a->angle - (double)def->reference_angle;
    p.angle_rate = b->w - (double)def->ratio * a->w;
    tr2_joint_types[def->type]->equations(def, &p, out);
}

static void part_at(const motion_of_ends *m, uint32_t end, double velocity[3], double acceleration[3])
{
    memcpy(velocity, m->v[end], sizeof m->v[end]);
    memcpy(acceleration, m->a[end], sizeof m->a[end]);
}

static void seen_from_a(const motion_of_ends *m, double time, double vector[2])
{
    double x[3], v[3];
    state_at(m, 0, time, x, v);
    tr_dvec2 seen = turned(m->x[0][2] - x[2], (tr_dvec2){vector[0], vector[1]});
    vector[0] = seen.x;
    vector[1] = seen.y;
}

static bool has_exact_value(const tr2_joint_def *def, const tr2_equation *row)
{
    (void)def;
    (void)row;
    return true;
}

static motion_of_ends any_motion(uint64_t *seed, bool carriers)
{
    motion_of_ends m;
    memset(&m, 0, sizeof m);
    for (uint32_t end = 0; end < (carriers ? TR_ENDS : 2u); end++)
        for (int k = 0; k < 3; k++) {
            m.x[end][k] = any_number(seed, 3.0);
            m.v[end][k] = any_number(seed, 3.0);
            m.a[end][k] = any_number(seed, 20.0);
        }
    for (int i = 0; i < 2; i++) {
        m.anchor[i] = (tr_dvec2){any_number(seed, 2.0), any_number(seed, 2.0)};
        m.origin[i] = carriers ? (tr_dvec2){any_number(seed, 1.0), any_number(seed, 1.0)} : (tr_dvec2){0.0, 0.0};
    }
    return m;
}

/* with all features on, so that each row is there */
static tr2_joint_def any_joint(uint64_t *seed, tr2_joint_type type)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    def.axis = (tr_vec2){0.6f, -0.8f};
    def.axis_b = (tr_vec2){-0.28f, 0.96f};
    def.reference_angle = 0.3f;
    def.length = 0.1f;
    def.spring = (tr_spring){true, 0.2f, tr_physical(10.0f, 1.0f)};
    def.limit = (tr_limit){true, -0.4f, 0.7f};
    def.motor = (tr_motor){true, 1.0f, 5.0f};
    def.linear = random_index(seed, 2) == 0 ? tr_rigid() : tr_physical(10.0f, 1.0f);
    def.drive.position = random_index(seed, 2) == 0;
    if (type == TR2_JOINT_ANGLE || type == TR2_JOINT_PULLEY || type == TR2_JOINT_GEAR)
        def.ratio = (float)(1.5 + any_number(seed, 1.0));
    def.ground_a = (tr_dvec2){any_number(seed, 1.0), 9.0};
    def.ground_b = (tr_dvec2){any_number(seed, 1.0), 8.0};
    def.slides_a = random_index(seed, 2) == 0;
    def.slides_b = random_index(seed, 2) == 0;
    return def;
}

static void every_row_is_a_derivative(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        uint32_t rows = 0;
        for (int round = 0; round < 400; round++) {
            motion_of_ends m = any_motion(&seed, type == TR2_JOINT_GEAR);
            tr2_joint_def def = any_joint(&seed, (tr2_joint_type)type);
            /* the offset is in the pose's d, but turns with A: the rate is that of d */
            def.drive.offset = (tr_vec2){0.0f, 0.0f};
            check_rates(&m, &def, &rows);
        }
        assert_true(rows >= 400);
    }
}

/* a type that has no equations would be taken to do nothing */
static void every_type_has_equations(void **state)
{
    (void)state;
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++)
        assert_true(tr2_joint_types[type]->equations != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_equations),
        cmocka_unit_test(every_row_is_a_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
