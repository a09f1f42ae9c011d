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

/* what acts along a coordinate; the last impulses are those of a row of this length */
static void read_law(lane_pack *p, lane_row *row, int lane, const trn_exact_joint *from, const trn_exact_law *law,
                     double length)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    const trn_settings *settings = &step->system->settings;
    lane_law *to = row->law;
    const double wild = row->linear ? (double)TR_SANE_SPEED * step->unit : (double)TR_SANE_TURN / step->h;
    const double inv_h = (double)step->solver->report.inv_h / length;
    const tr_softness softness = law->softness.kind == TR_RIGID
                                     ? tr_frequency(settings->joint_frequency, settings->joint_damping_ratio)
                                     : law->softness;
    const double omega = TR_TURN * (double)softness.a;
    to->used |= law->there;
    to->value[lane] = to->beside[lane] = law->value;
    to->length[lane] = length;
    to->physical[lane] = softness.kind == TR_PHYSICAL ? -1 : 0;
    to->stiffness[lane] = softness.kind == TR_PHYSICAL ? (double)softness.a : omega * omega;
    to->damping[lane] = softness.kind == TR_PHYSICAL ? (double)softness.b : 2.0 * (double)softness.b * omega;
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++) {
        lane_feature *own = &to->feature[f];
        const bool there = (law->there >> f & 1) != 0, stop = f == TR_EXACT_LOWER || f == TR_EXACT_UPPER;
        own->there[lane] = own->held[lane] = there ? -1 : 0;
        own->top[lane] = 0;
        own->column[lane] = law->column[f];
        own->least[lane] = law->least[f];
        own->most[lane] = law->most[f];
        own->offset[lane] = law->offset[f];
        own->force[lane] = own->total[0][lane] = own->total[1][lane] = 0.0;
        if (!there)
            continue;
        const double force =
            law->column[f] < 0 ? 0.0 : (double)trn_joint_impulse(joints, (uint32_t)law->column[f], from->row) * inv_h;
        own->force[lane] = f == TR_EXACT_UPPER ? -force : force;
        row->force[lane] += own->force[lane];
        if (stop && !(force > 0.0)) {
            own->held[lane] = 0;
            own->top[lane] = f == TR_EXACT_UPPER ? -1 : 0;
        }
        if (f == TR_EXACT_MOTOR && fabs(law->offset[f]) > wild)
            p->bad[lane] = -1;
    }
}

/* rows of a joint: those of a point as they are in its columns, of others as its equations say */
static void read_rows(lane_pack *p, uint32_t j, int lane, trn_exact_joint *from)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    const double inv_h = (double)step->solver->report.inv_h;
    lane_joint *to = &p->joints[j];
    const bool by_equations = to->source == TR_EXACT_BY_EQUATIONS;
    trn_joint_pose pose;
    trn_equations equations;
    trn_exact_group groups[TR_EXACT_ROWS_MOST];
    if (by_equations) {
        trn_exact_equations(step->exact, step->system, from, 0.0, &pose, &equations);
        (void)trn_exact_form(from->type, &equations, groups);
    }
    for (uint32_t r = 0; r < to->row_count; r++) {
        lane_row *row = &to->rows[r];
        const trn_equation *own = by_equations ? &equations.row[groups[r].first] : NULL;
        const int32_t column = by_equations ? own->column : (int32_t)r;
        row->first[lane] = by_equations ? (int8_t)groups[r].first : (int8_t)r;
        row->column[lane] = row->kind == TR_EXACT_LAW ? -1 : (int8_t)column;
        row->total[0][lane] = row->total[1][lane] = row->force[lane] = 0.0;
        if (row->kind != TR_EXACT_LAW) {
            if (column >= 0)
                row->force[lane] = (double)trn_joint_impulse(joints, (uint32_t)column, from->row) * inv_h;
            if (row->kind == TR_EXACT_RUBBED)
                row->rub->most[lane] = own->most;
        } else if (by_equations) {
            const trn_exact_law law = trn_exact_law_of(&equations, &groups[r]);
            read_law(p, row, lane, from, &law, own->length > 0.0 ? own->length : 1.0);
        } else {
            read_law(p, row, lane, from, &from->law, 1.0);
        }
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
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        row->kind = (trn_exact_row_kind)trn_exact_row_form(form, r);
        row->linear = trn_exact_row_is_linear(form, r);
        row->law = NULL;
        row->rub = NULL;
        if (joint->source == TR_EXACT_BY_TURN && r == AXES) {
            memset(row->j, 0, sizeof row->j);
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
static void write_impulse(const lane_pack *p, const trn_exact_joint *to, int32_t column, int lane, double sign,
                          wd force, const wd total[2])
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[to->type];
    const trn_watched *watched = &step->solver->watched;
    if (column < 0 || joints->impulse[column] == NULL)
        return;
    /* not minus: what is 0 remains so */
    joints->impulse[column][to->row] = trn_exact_impulse(0.0 + sign * force[lane] * step->h);
    if (!trn_exact_is_watched(watched, to->slot))
        return;
    for (uint32_t half = 0; half < 2; half++)
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
            write_impulse(p, to, own->column[lane], lane, f == TR_EXACT_UPPER ? -length : length, own->force,
                          own->total);
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
