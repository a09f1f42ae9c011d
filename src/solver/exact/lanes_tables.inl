/* What islands side by side read from the tables, and write to them (solver/exact/lanes.inl). */

/* the share of a velocity that is lost in a time: of second order, and never more than all of it */
static double lost(double c)
{
    return (c + 0.5 * c * c) / (1.0 + c + 0.5 * c * c);
}

static void read_body(lane_pack *p, uint32_t b, int lane, uint32_t row, bool moves)
{
    const trn_exact_step *step = p->step;
    const trn_bodies *bodies = step->system->bodies;
    const trn_body_state *state = &step->exact->state[row];
    lane_body *to = &p->bodies[b];
    double v[DEGREES], pull[DEGREES];
    trn_exact_velocity(state, v);
    const double mass = moves ? (double)bodies->mass[row] : 1.0;
    const trn_dvec rate = trn_plus(
        trn_times((double)trn_body_number(bodies->gravity_scale, row, 1.0f), trn_widen(step->system->settings.gravity)),
        trn_times(1.0 / mass, trn_widen(trn_body_force(bodies, row))));
    trn_equation_put(pull, rate, trn_widen_spin(trn_body_torque(bodies, row)));
    const double damping[2] = {(double)trn_body_number(bodies->linear_damping, row, 0.0f),
                               (double)trn_body_number(bodies->angular_damping, row, 0.0f)};
    to->mass[lane] = mass;
    to->inverse_mass[lane] = 1.0 / mass;
    for (int i = 0; i < DEGREES; i++) {
        to->v[i][lane] = v[i];
        to->pull[i][lane] = pull[i];
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            to->damping[i][k][lane] = lost((i == 0 ? 0.5 : 1.0) * step->h * damping[k]);
    double center[AXES];
    trn_exact_center(state, center);
    for (int i = 0; i < AXES; i++)
        to->center.x[i][lane] = center[i];
    lane_pose_read(&to->pose, lane, bodies, row, state, moves);
    lane_inertia_read(to, lane, bodies, row, moves);
}

/* what moves along a coordinate: of which row each feature is, in which column its impulse */
static void read_law(lane_pack *p, lane_row *row, int lane, const trn_exact_joint *from, const trn_equations *equations,
                     const trn_exact_group *group)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    const trn_settings *settings = &step->system->settings;
    lane_law *law = row->law;
    const trn_equation *first = &equations->row[group->first];
    const double value = first->turned ? -first->value : first->value;
    const double wild = row->linear ? (double)TR_SANE_SPEED * step->unit : (double)TR_SANE_TURN / step->h;
    law->value[lane] = value;
    law->length[lane] = first->length > 0.0 ? first->length : 1.0;
    law->stiffness[lane] = law->damping[lane] = 0.0;
    law->physical[lane] = 0;
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++) {
        lane_feature *to = &law->feature[f];
        const int8_t at = group->feature[f];
        const trn_equation *own = &equations->row[at < 0 ? 0 : at];
        const bool turned = at >= 0 && own->turned;
        to->there[lane] = to->held[lane] = at >= 0 ? -1 : 0;
        to->top[lane] = 0;
        to->column[lane] = at >= 0 ? (int8_t)own->column : -1;
        to->least[lane] = to->most[lane] = to->offset[lane] = to->force[lane] = 0.0;
        to->total[0][lane] = to->total[1][lane] = 0.0;
        if (at < 0)
            continue;
        law->used |= 1u << f;
        to->least[lane] = turned ? -own->most : own->least;
        to->most[lane] = turned ? -own->least : own->most;
        to->offset[lane] = f == TR_EXACT_MOTOR ? own->speed : turned ? own->value + value : own->value - value;
        double force = own->column < 0 ? 0.0
                                       : (double)trn_joint_impulse(joints, (uint32_t)own->column, from->row) *
                                             (double)step->solver->report.inv_h / law->length[lane];
        to->force[lane] = turned ? -force : force;
        if ((f == TR_EXACT_LOWER || f == TR_EXACT_UPPER) && !(force > 0.0)) {
            to->held[lane] = 0;
            to->top[lane] = f == TR_EXACT_UPPER ? -1 : 0;
        }
        if (f == TR_EXACT_MOTOR && fabs(own->speed) > wild)
            p->bad[lane] = -1;
        if (f != TR_EXACT_SPRING)
            continue;
        const tr_softness softness = own->softness.kind == TR_RIGID
                                         ? tr_frequency(settings->joint_frequency, settings->joint_damping_ratio)
                                         : own->softness;
        const double omega = TR_TURN * (double)softness.a;
        law->physical[lane] = softness.kind == TR_PHYSICAL ? -1 : 0;
        law->stiffness[lane] = softness.kind == TR_PHYSICAL ? (double)softness.a : omega * omega;
        law->damping[lane] = softness.kind == TR_PHYSICAL ? (double)softness.b : 2.0 * (double)softness.b * omega;
    }
    double sum = 0.0;
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++)
        sum += law->feature[f].force[lane];
    row->force[lane] = sum;
}

/* rows of a joint: of a point as they are in its columns, of others as its equations say */
static void read_rows(lane_pack *p, uint32_t j, int lane, trn_exact_joint *from)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    const double inv_h = (double)step->solver->report.inv_h;
    lane_joint *to = &p->joints[j];
    trn_joint_pose pose;
    trn_equations equations;
    trn_exact_group groups[TR_EXACT_ROWS_MOST];
    const bool point = to->source == TR_EXACT_BY_POINT;
    if (!point) {
        trn_exact_equations(step->exact, step->system, from, 0.0, &pose, &equations);
        (void)trn_exact_form(from->type, &equations, groups);
    }
    for (uint32_t r = 0; r < to->row_count; r++) {
        lane_row *row = &to->rows[r];
        const trn_equation *own = point ? NULL : &equations.row[groups[r].first];
        const int32_t column = point ? (int32_t)r : own->column;
        row->first[lane] = point ? (int8_t)r : (int8_t)groups[r].first;
        row->column[lane] = row->kind == TR_EXACT_LAW ? -1 : (int8_t)column;
        row->total[0][lane] = row->total[1][lane] = row->force[lane] = 0.0;
        if (row->kind == TR_EXACT_LAW)
            read_law(p, row, lane, from, &equations, &groups[r]);
        else if (column >= 0)
            row->force[lane] = (double)trn_joint_impulse(joints, (uint32_t)column, from->row) * inv_h;
        if (row->kind == TR_EXACT_RUBBED)
            row->rub->most[lane] = own->most;
    }
    if (to->source == TR_EXACT_BY_TURN) {
        const lane_row *row = &to->rows[AXES];
        row->law->origin[lane] =
            row->law->value[lane] - (lane_angle(&p->bodies[to->end[1]])[lane] - lane_angle(&p->bodies[to->end[0]])[lane]);
    }
}

static void read_joint(lane_pack *p, uint32_t j, int lane, trn_exact_joint *from, uint32_t first_body)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    lane_joint *to = &p->joints[j];
    for (uint32_t end = 0; end < 2; end++) {
        const uint32_t row = from->end[end];
        if (from->at[end] != TR_ENDS) {
            to->end[end] = from->body[from->at[end]] - first_body;
            p->bodies[to->end[end]].followed |= to->source == TR_EXACT_BY_EQUATIONS;
        } else {
            if (lane == 0)
                to->end[end] = p->all_bodies++;
            read_body(p, to->end[end], lane, row, false);
        }
        if (to->source == TR_EXACT_BY_EQUATIONS)
            continue;
        float anchor[AXES];
        for (uint32_t i = 0; i < AXES; i++) {
            const uint32_t bits =
                trn_joint_cell(joints, (trn_field)((uint32_t)TRN_FIELD_ANCHOR_A_X + end * AXES + i), from->row);
            memcpy(&anchor[i], &bits, sizeof bits);
        }
        double local[AXES];
        lane_anchor(step->system->bodies, row, &step->exact->state[row], anchor, local, from->at[end] != TR_ENDS);
        for (int i = 0; i < AXES; i++)
            to->anchor[end].x[i][lane] = local[i];
    }
    read_rows(p, j, lane, from);
}

/* what all lanes have of a joint */
static void begin_lane_joint(lane_pack *p, lane_joint *joint, uint32_t form, uint32_t number)
{
    lane_rub *rub = NULL;
    joint->source = trn_exact_source_of(form);
    joint->row_count = trn_exact_width(form);
    joint->number = number;
    joint->rows = p->rows + p->row_count;
    p->row_count += joint->row_count;
    memset(joint->rows, 0, joint->row_count * sizeof *joint->rows);
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        row->kind = (trn_exact_row_kind)trn_exact_row_form(form, r);
        row->linear = trn_exact_row_is_linear(form, r);
        if (joint->source != TR_EXACT_BY_EQUATIONS && r < AXES) {
            row->j[0][r] = wd_set(-1.0);
            row->j[1][r] = wd_set(1.0);
        } else if (joint->source != TR_EXACT_BY_EQUATIONS) {
            row->j[0][AXES] = wd_set(-1.0);
            row->j[1][AXES] = wd_set(1.0);
        }
        if (row->kind == TR_EXACT_LAW) {
            row->law = &p->laws[p->law_count++];
            row->law->used = 0;
        }
        if (row->kind != TR_EXACT_RUBBED)
            continue;
        if (rub == NULL) {
            rub = &p->rubs[p->rub_count++];
            rub->count = 0;
            rub->first = row;
        }
        rub->count++;
        row->rub = rub;
    }
}

/* The numbers of bodies are read and written body by body, because those of twins are mostly beside each other; the tables
   are large, so a body's are asked for some bodies ahead. */
#define AHEAD 4u

static void ask_for(const lane_pack *p, const trn_exact_island *first, uint32_t b)
{
    const trn_exact *it = p->step->exact;
    if (b >= p->body_count)
        return;
    const uint32_t row = it->bodies[first->first_body + b].row;
    const unsigned char *state = (const unsigned char *)&it->state[row];
    for (uint32_t byte = 0; byte < TR_DOUBLES * sizeof *it->state; byte += TR_ALIGNMENT)
        __builtin_prefetch(state + byte, 1);
}

static void read_islands(lane_pack *p)
{
    const trn_exact *it = p->step->exact;
    const trn_exact_island *first = p->own[0];
    uint32_t number = p->body_count * DEGREES;
    for (uint32_t b = 0; b < p->body_count; b++) {
        ask_for(p, first, b + AHEAD);
        p->bodies[b].followed = false;
        for (int lane = 0; lane < TR_DOUBLES; lane++)
            read_body(p, b, lane, it->bodies[p->own[lane]->first_body + b].row, true);
    }
    for (uint32_t j = 0; j < p->joint_count; j++) {
        begin_lane_joint(p, &p->joints[j], it->joints[first->first_joint + j].form, number);
        number += p->joints[j].row_count;
        for (int lane = 0; lane < TR_DOUBLES; lane++)
            read_joint(p, j, lane, &it->joints[p->own[lane]->first_joint + j], p->own[lane]->first_body);
    }
}

/* sign: of the direction in which the impulse is counted */
static void write_impulse(const lane_pack *p, const trn_exact_joint *to, int32_t column, int lane, double sign, wd force,
                          const wd total[2])
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[to->type];
    const trn_watched *watched = &step->solver->watched;
    if (column < 0 || joints->impulse[column] == NULL)
        return;
    /* not minus: what is 0 remains so */
    joints->impulse[column][to->row] = trn_exact_impulse(0.0 + sign * force[lane] * step->h);
    for (uint32_t half = 0; half < 2 && trn_exact_is_watched(watched, to->slot); half++)
        trn_watched_add(watched, to->slot, (uint32_t)column, tr_finite_float(sign * total[half][lane]), half == 0);
}

static void write_joint(const lane_pack *p, int lane, const lane_joint *joint, const trn_exact_joint *to)
{
    if (joint->source == TR_EXACT_BY_EQUATIONS)
        trn_exact_write_places(to, &p->step->system->joints[to->type]);
    for (uint32_t r = 0; r < joint->row_count; r++) {
        const lane_row *row = &joint->rows[r];
        write_impulse(p, to, row->column[lane], lane, 1.0, row->force, row->total);
        if (row->kind != TR_EXACT_LAW)
            continue;
        EACH_FEATURE(row->law, f)
        {
            const lane_feature *own = &row->law->feature[f];
            const double length = row->law->length[lane];
            write_impulse(p, to, own->column[lane], lane, f == TR_EXACT_UPPER ? -length : length, own->force, own->total);
        }
    }
}

static void write_state(const lane_pack *p, uint32_t b, int lane, uint32_t row)
{
    const lane_body *body = &p->bodies[b];
    trn_body_state *state = &p->step->exact->state[row];
    double v[DEGREES], center[AXES];
    for (int i = 0; i < DEGREES; i++)
        v[i] = body->v[i][lane];
    for (int i = 0; i < AXES; i++)
        center[i] = body->center.x[i][lane];
    trn_exact_set_velocity(state, v);
    trn_exact_set_center(state, center);
    lane_pose_write(&body->pose, lane, p->step->system->bodies, row, state);
}

/* states of a body in all lanes, for equations */
static void follow_body(const lane_pack *p, uint32_t b)
{
    const trn_exact *it = p->step->exact;
    for (int lane = 0; lane < (int)p->count; lane++)
        if (p->bad[lane] == 0)
            write_state(p, b, lane, it->bodies[p->own[lane]->first_body + b].row);
}

/* of lanes that have not failed */
static void write_islands(const lane_pack *p)
{
    const trn_exact *it = p->step->exact;
    for (uint32_t b = 0; b < p->body_count; b++) {
        ask_for(p, p->own[0], b + AHEAD);
        for (int lane = 0; lane < (int)p->count; lane++) {
            const uint32_t row = it->bodies[p->own[lane]->first_body + b].row;
            if (p->bad[lane] != 0)
                continue;
            write_state(p, b, lane, row);
            trn_exact_state_write(p->step->system->bodies, row, &it->state[row]);
        }
    }
    for (uint32_t j = 0; j < p->joint_count; j++)
        for (int lane = 0; lane < (int)p->count; lane++)
            if (p->bad[lane] == 0)
                write_joint(p, lane, &p->joints[j], &it->joints[p->own[lane]->first_joint + j]);
    for (int lane = 0; lane < (int)p->count; lane++) {
        p->own[lane]->solves = (uint32_t)p->solves[lane];
        p->own[lane]->most = (uint32_t)p->most[lane];
        p->own[lane]->unsettled = 0;
    }
}

