/* What islands side by side read from the tables, and write to them (solver/exact/lanes/lanes.inl). */

/* the share of a velocity that is lost in a time: of second order, and never more than all of it */
static wd lost(wd c)
{
    const wd gone = c + wd_set(0.5) * c * c;
    return gone / (wd_set(1.0) + gone);
}

/* a body in all lanes */
static void read_body(const lane_pack *p, lane_body *body, const lane_places *at, bool moves)
{
    const trn_bodies *bodies = p->step->system->bodies;
    const double *gravity = p->gravity;
    const wd scale = lane_floats(bodies->gravity_scale, at, 1.0f), none = wd_set(0.0);
    body->rest->mass = moves ? lane_floats(bodies->mass, at, 0.0f) : wd_set(1.0);
    body->inverse_mass = wd_set(1.0) / body->rest->mass;
    lane_pull_read(body, bodies, at);
    lane_local_read(body, bodies, at);
    body->weighed = true;
    for (int i = 0; i < AXES; i++) {
        body->rest->pull[i] = scale * wd_set(gravity[i]) + body->inverse_mass * body->rest->pull[i];
        body->weighed = body->weighed && !wd_any((wdm)body->rest->pull[i] != (wdm)wd_set(gravity[i]));
    }
    const wd damping[2] = {lane_floats(bodies->linear_damping, at, 0.0f),
                           lane_floats(bodies->angular_damping, at, 0.0f)};
    body->damped = wd_any(~((wdm)(damping[0] == none) & (wdm)(damping[1] == none)));
    body->twisted = body->damped;
    for (int i = AXES; i < DEGREES; i++)
        body->twisted = body->twisted || wd_any(~(wdm)(body->rest->pull[i] == none));
    for (int k = 0; k < 2 && body->damped; k++) {
        body->rest->damping[0][k] = lost(wd_set(0.5 * p->step->h) * damping[k]);
        body->rest->damping[1][k] = lost(wd_set(p->step->h) * damping[k]);
    }
    lane_inertia_read(body, bodies, at, moves);
    lane_state_read(p, body, at, moves);
    lane_inertia_finish(body);
}

/* what acts along a coordinate; the last impulses are those of a row of this length */
static void read_law(lane_pack *p, lane_row *row, int lane, const trn_exact_pin *from, const trn_exact_law *law,
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
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++)
        if (((law->there & ~to->used) >> f & 1) != 0) {
            memset(&to->feature[f], 0, sizeof to->feature[f]);
            memset(to->feature[f].column, -1, sizeof to->feature[f].column);
        }
    to->used |= law->there;
    to->value[lane] = law->value;
    to->length[lane] = length;
    to->physical[lane] = softness.kind == TR_PHYSICAL ? -1 : 0;
    to->stiffness[lane] = softness.kind == TR_PHYSICAL ? (double)softness.a : omega * omega;
    to->damping[lane] = softness.kind == TR_PHYSICAL ? (double)softness.b : 2.0 * (double)softness.b * omega;
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++) {
        lane_feature *own = &to->feature[f];
        const bool there = (law->there >> f & 1) != 0, stop = f == TR_EXACT_LOWER || f == TR_EXACT_UPPER;
        if (!there)
            continue;
        own->there[lane] = own->held[lane] = -1;
        own->column[lane] = law->column[f];
        own->least[lane] = law->least[f];
        own->most[lane] = law->most[f];
        own->offset[lane] = law->offset[f];
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

/* what changes with the state, of one lane's joint */
static void take_equations(lane_joint *to, int lane, const trn_joint_pose *pose, const trn_equations *equations)
{
    const trn_dvec arm[2] = {pose->r_a, pose->r_b};
    double parts[DEGREES];
    for (int end = 0; end < 2; end++) {
        trn_equation_put(parts, arm[end], trn_equation_angular(equations->row[0].j[0]));
        for (int i = 0; i < AXES; i++)
            to->anchor[end].x[i][lane] = parts[i];
    }
    for (uint32_t r = 0; r < to->row_count; r++) {
        lane_row *row = &to->rows[r];
        const trn_equation *from = &equations->row[row->first[lane]];
        const double sign = from->turned ? -1.0 : 1.0;
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < DEGREES; i++)
                row->j[end][i][lane] = sign * from->j[end][i];
        row->u[lane] = sign * from->rate;
        row->bend[lane] = sign * from->bend;
        row->close[lane] = sign * from->value;
        if (row->kind != TR_EXACT_LAW)
            continue;
        row->law->value[lane] = sign * from->value;
        row->law->length[lane] = from->length > 0.0 ? from->length : 1.0;
    }
}

/* Rows of one lane's joint beside those of a point. The joint itself is read only for what its features need. */
static void read_turns(lane_pack *p, lane_joint *to, int lane, const trn_exact_pin *pin, uint32_t number)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[pin->type];
    const trn_exact_turn *turn = &step->exact->turns[number];
    const trn_exact_joint *from = &step->exact->joints[number];
    for (uint32_t r = to->points, laws = 0; r < to->row_count; r++) {
        lane_row *row = &to->rows[r];
        row->column[lane] = row->kind == TR_EXACT_LAW ? -1 : turn->column[r];
        if (row->kind == TR_EXACT_LAW) {
            to->turn->beside[laws][lane] = turn->law[laws].value;
            read_law(p, row, lane, pin, &turn->law[laws++], 1.0);
            continue;
        }
        row->force[lane] =
            (double)trn_joint_impulse(joints, (uint32_t)turn->column[r], pin->row) * (double)step->solver->report.inv_h;
        if (row->kind == TR_EXACT_RUBBED)
            row->rub->most[lane] = (double)from->def.friction;
    }
    if (to->points > 0)
        lane_turn_read(p, to, lane, from);
    else
        to->turn->beside[0][lane] = -(double)from->def.length;
}

/* rows of one lane's joint as its equations say */
static void read_equations(lane_pack *p, lane_joint *to, int lane, const trn_exact_pin *pin, trn_exact_joint *from)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    trn_joint_pose pose;
    trn_equations equations;
    trn_exact_group groups[TR_EXACT_ROWS_MOST];
    for (uint32_t end = 0; end < 2; end++)
        if (from->at[end] != TR_ENDS)
            trn_exact_state_read(step->system->bodies, from->end[end], false, &step->exact->state[from->end[end]]);
    trn_exact_equations(step->exact, step->system, from, 0.0, &pose, &equations);
    (void)trn_exact_form(from->type, &equations, groups);
    for (uint32_t r = 0; r < to->row_count; r++) {
        lane_row *row = &to->rows[r];
        const trn_equation *own = &equations.row[groups[r].first];
        row->first[lane] = (int8_t)groups[r].first;
        row->column[lane] = row->kind == TR_EXACT_LAW ? -1 : (int8_t)own->column;
        if (row->kind == TR_EXACT_LAW) {
            const trn_exact_law law = trn_exact_law_of(&equations, &groups[r]);
            read_law(p, row, lane, pin, &law, own->length > 0.0 ? own->length : 1.0);
            continue;
        }
        if (own->column >= 0)
            row->force[lane] = (double)trn_joint_impulse(joints, (uint32_t)own->column, from->row) *
                               (double)step->solver->report.inv_h;
        if (row->kind == TR_EXACT_RUBBED)
            row->rub->most[lane] = own->most;
    }
    take_equations(to, lane, &pose, &equations);
    /* of lanes with an island of their own: each goes on once */
    if (lane < (int)p->count)
        trn_exact_follow(from, &pose);
}

/* the row of a body of one lane, and of all; and which of all joints one of its joints is */
TR_INLINE uint32_t row_of_body(const lane_pack *p, uint32_t lane, uint32_t b)
{
    return p->body_row[lane][p->cut != NULL ? p->cut->bodies[p->piece[lane]->first_body + b] : b];
}

TR_INLINE lane_places places_of_body(const lane_pack *p, uint32_t b)
{
    lane_places at;
    UNROLLED_LANES
    for (uint32_t lane = 0; lane < TR_DOUBLES; lane++)
        at.row[lane] = row_of_body(p, lane, b);
    note_beside(&at);
    return at;
}

TR_INLINE uint32_t number_of_joint(const lane_pack *p, uint32_t lane, uint32_t j)
{
    return p->own[lane]->first_joint + (p->cut != NULL ? p->cut->joints[p->piece[lane]->first_joint + j] : j);
}

/* whether a lane writes a body: of copies the first piece does */
static bool owns_body(const lane_pack *p, uint32_t lane, uint32_t b)
{
    const tr_program *program = p->program;
    uint32_t i = program->soon_count;
    if (!p->bodies[b].cut)
        return true;
    while (program->columns[i].node != b)
        i++;
    const uint32_t node = p->cut->late[p->piece[lane]->first_late + i - program->soon_count];
    return &p->cut->pieces[p->cut->owner[node]] == p->piece[lane];
}

/* Anchors of a joint in all lanes, in the axes of its bodies, and impulses of its point; of lanes with other types than the
   first one. */
static __attribute__((noinline)) void read_others(const lane_pack *p, lane_joint *to,
                                                  const trn_exact_pin *const pins[TR_DOUBLES])
{
    const trn_joints *const tables = p->step->system->joints;
    for (int lane = 1; lane < TR_DOUBLES; lane++) {
        const trn_joints *joints = &tables[pins[lane]->type];
        for (uint32_t i = 0; i < 2 * AXES && pins[lane]->type != pins[0]->type; i++) {
            const uint32_t bits =
                trn_joint_cell(joints, (trn_field)((uint32_t)TRN_FIELD_ANCHOR_A_X + i), pins[lane]->row);
            float number;
            memcpy(&number, &bits, sizeof number);
            to->anchor[i / AXES].x[i % AXES][lane] = (double)number;
        }
        for (uint32_t r = 0; r < to->points && pins[lane]->type != pins[0]->type; r++)
            to->force.x[r][lane] = (double)trn_joint_impulse(joints, r, pins[lane]->row);
    }
}

/* The same of all lanes, from the bodies' centres of mass and in the axes of their poses. Mostly all have the same type, so
   that columns are looked up once. */
static void read_point(const lane_pack *p, lane_joint *to, const trn_exact_pin *const pins[TR_DOUBLES])
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[pins[0]->type];
    const wd inv_h = wd_set((double)step->solver->report.inv_h);
    lane_places at;
    bool same = true;
    UNROLLED_LANES
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        at.row[lane] = pins[lane]->row;
        same = same && pins[lane]->type == pins[0]->type;
    }
    note_beside(&at);
    UNROLLED
    for (uint32_t i = 0; i < 2 * AXES; i++) {
        const trn_field field = (trn_field)((uint32_t)TRN_FIELD_ANCHOR_A_X + i);
        float preset;
        memcpy(&preset, &joints->preset[field], sizeof preset);
        to->anchor[i / AXES].x[i % AXES] = lane_floats(joints->field[field], &at, preset);
    }
    for (uint32_t r = 0; r < to->points; r++)
        to->force.x[r] = lane_floats(joints->impulse[r], &at, 0.0f);
    if (!same)
        read_others(p, to, pins);
    UNROLLED
    for (uint32_t end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[to->end[end]];
        to->anchor[end] = lv_minus(to->anchor[end], body->rest->local);
        if (pins[0]->body[end] != TR_NONE)
            lane_anchor(step->system->bodies, pins, end, &to->anchor[end], &body->pose);
    }
    for (uint32_t r = 0; r < to->points; r++)
        to->force.x[r] = to->force.x[r] * inv_h;
    for (uint32_t r = 0; r < to->points && p->watches; r++)
        to->rows[r].total[0] = to->rows[r].total[1] = wd_set(0.0);
}

/* what all lanes have of a joint */
static void begin_lane_joint(lane_pack *p, lane_joint *joint, uint32_t form)
{
    lane_rub *rub = NULL;
    joint->source = trn_exact_source_of(form);
    joint->row_count = form == TR_EXACT_FORM_POINT ? AXES : trn_exact_width(form);
    joint->points = trn_exact_points(form);
    joint->rows = p->rows + p->row_count;
    p->row_count += joint->row_count;
    for (uint32_t r = 0; r < AXES && form == TR_EXACT_FORM_POINT; r++) {
        lane_row *row = &joint->rows[r];
        row->kind = TR_EXACT_KEPT;
        row->linear = true;
        row->law = NULL;
        row->rub = NULL;
    }
    if (form == TR_EXACT_FORM_POINT)
        return;
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        row->kind = (trn_exact_row_kind)trn_exact_row_form(form, r);
        row->linear = trn_exact_row_is_linear(form, r);
        row->law = NULL;
        row->rub = NULL;
        row->force = row->total[0] = row->total[1] = wd_set(0.0);
        if (joint->source == TR_EXACT_BY_TURN && r >= AXES) {
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

/* where a joint's blocks are in the factor, after `edge` others; of how many there are then */
static uint32_t place_joint(lane_pack *p, uint32_t j, uint32_t edge)
{
    const trn_exact_shape *shape = p->shape;
    const uint32_t skipped = p->program->skipped;
    lane_joint *joint = &p->joints[j];
    joint->own = p->value + (shape->place[p->body_count + j] - skipped);
    joint->pushes = false;
    for (uint32_t end = 0; end < 2; end++) {
        joint->to[end] = NULL;
        if (joint->end[end] >= p->body_count)
            continue;
        joint->turned[end] = shape->turned[edge];
        if (!p->bodies[joint->end[end]].early) {
            joint->to[end] = p->value + (shape->place[edge] - skipped);
            joint->pushes = true;
        }
        edge++;
    }
    return edge;
}

/* a row that hangs something on bodies: exact_slow.c */
static bool hangs(const lane_joint *joint, uint32_t r)
{
    return r < joint->points || (joint->rows[r].kind == TR_EXACT_KEPT && joint->rows[r].linear);
}

/* A joint hangs something on bodies if it holds a point in all directions. */
static bool holds_point(const lane_joint *joint)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < joint->row_count; r++)
        count += hangs(joint, r) ? 1u : 0u;
    return count >= AXES;
}

/* the bodies that a joint is between: of each end that does not move there is one for it */
static void tie_joint(lane_pack *p, lane_joint *joint, const uint32_t ends[2])
{
    joint->grounded = false;
    for (uint32_t end = 0; end < 2; end++) {
        const bool moves = ends[end] != TR_NONE;
        joint->grounded = joint->grounded || !moves;
        joint->end[end] = moves ? ends[end] : p->all_bodies++;
        lane_body *body = &p->bodies[joint->end[end]];
        body->followed = moves && (body->followed || joint->source == TR_EXACT_BY_EQUATIONS);
        if (holds_point(joint))
            body->tied = (moves ? body->tied : 0) + 1;
    }
}

static const trn_exact_pin *pin_of(const lane_pack *p, uint32_t lane, uint32_t j)
{
    return p->pins[lane] + (p->cut != NULL ? p->cut->joints[p->piece[lane]->first_joint + j] : j);
}

/* What islands of a shape have in common, of all lanes. */
static void begin_structure(lane_pack *p)
{
    uint32_t number = p->body_count * DEGREES, edge = p->body_count + p->joint_count;
    p->all_bodies = p->body_count;
    p->row_count = p->law_count = p->rub_count = 0;
    p->levers = false;
    for (uint32_t b = 0; b < p->body_count + p->shape->fixed_count; b++)
        p->bodies[b].rest = &p->rests[b];
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        body->followed = body->early = false;
        body->cut = b >= first_copy(p);
        body->tied = 0;
        body->rest->mirrored = wd_set(0.0);
    }
    for (uint32_t i = 0; i < p->program->early_count; i++)
        p->bodies[p->program->columns[i].node].early = true;
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        const trn_exact_pin *pin = pin_of(p, 0, j);
        joint->number = number;
        joint->turn = &p->turns[j];
        begin_lane_joint(p, joint, pin->form);
        tie_joint(p, joint, p->cut != NULL ? p->cut->ends[p->piece[0]->first_joint + j] : pin->body);
        number += joint->row_count;
        edge = place_joint(p, j, edge);
    }
    for (uint32_t b = 0; b < p->all_bodies; b++)
        p->bodies[b].rest->ties = wd_set((double)p->bodies[b].tied);
    place_columns(p);
}

/* the numbers of a joint, and those of what does not move at its ends */
static void read_joint(lane_pack *p, uint32_t j)
{
    trn_exact *it = p->step->exact;
    lane_joint *joint = &p->joints[j];
    const trn_exact_pin *pins[TR_DOUBLES];
    for (uint32_t lane = 0; lane < TR_DOUBLES; lane++)
        pins[lane] = pin_of(p, lane, j);
    for (uint32_t end = 0; end < 2 && joint->grounded; end++) {
        lane_places at;
        if (joint->end[end] < p->body_count)
            continue;
        for (int lane = 0; lane < TR_DOUBLES; lane++)
            at.row[lane] = pins[lane]->end[end];
        note_beside(&at);
        read_body(p, &p->bodies[joint->end[end]], &at, false);
    }
    if (pins[0]->type == TRN_JOINT_DISTANCE)
        p->mirrors = (wdm)wd_set(0.0);
    if (joint->source != TR_EXACT_BY_EQUATIONS)
        read_point(p, joint, pins);
    for (int lane = 0; lane < TR_DOUBLES && joint->source != TR_EXACT_BY_POINT; lane++) {
        const uint32_t number = number_of_joint(p, (uint32_t)lane, j);
        if (joint->source == TR_EXACT_BY_TURN)
            read_turns(p, joint, lane, pins[lane], number);
        else
            read_equations(p, joint, lane, pins[lane], &it->joints[number]);
    }
}

/* as find_compliance() of exact_rows.c */
static wd find_compliance(const lane_pack *p)
{
    const double joints = (double)p->joint_count;
    wd least = p->bodies[0].rest->mass, most = least;
    if (p->cut != NULL)
        return wd_set(TR_EXACT_COMPLIANCE_LEAST);
    for (uint32_t b = 1; b < p->body_count; b++) {
        least = wd_min(least, p->bodies[b].rest->mass);
        most = wd_max(most, p->bodies[b].rest->mass);
    }
    const wd share = wd_set(TR_EXACT_COMPLIANCE_COSTS) * least / (wd_set(4.0 * joints * joints) * most);
    const wd own = wd_max(wd_min(share, wd_set(TR_EXACT_COMPLIANCE_MOST)), wd_set(TR_EXACT_COMPLIANCE_LEAST));
    return wd_select(p->touched, wd_set(TR_EXACT_COMPLIANCE_LEAST), own);
}

static void read_islands(lane_pack *p)
{
    for (uint32_t b = 0; b < p->body_count; b++) {
        const lane_places at = places_of_body(p, b);
        for (uint32_t lane = 0; lane < TR_DOUBLES && p->bodies[b].cut; lane++)
            p->bodies[b].rest->owned[lane] = owns_body(p, lane, b) ? -1 : 0;
        read_body(p, &p->bodies[b], &at, true);
    }
    p->compliance = find_compliance(p);
    for (uint32_t j = 0; j < p->joint_count; j++)
        read_joint(p, j);
    for (uint32_t b = p->body_count; b < p->all_bodies; b++) {
        lane_inertia(&p->bodies[b]);
        p->bodies[b].rest->mirrored = wd_set(1.0); /* what does not move does not make it less */
    }
}

/* sign: of the direction in which the impulse is counted */
static void write_impulse(const lane_pack *p, const trn_exact_pin *to, int32_t column, int lane, double sign, wd force,
                          const wd total[2])
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

/* As write_impulse() of all rows of a point, whose columns are theirs, of these lanes. */
static void write_point(const lane_pack *p, uint32_t j, uint32_t lanes)
{
    const lane_joint *joint = &p->joints[j];
    const wd none = wd_set(0.0), most = wd_set((double)TR_SANE_IMPULSE);
    wdf impulse[AXES];
    if (joint->points == 0)
        return;
    UNROLLED
    for (int r = 0; r < AXES; r++) {
        const wd all = none + joint->force.x[r] * wd_set(p->step->h);
        impulse[r] = wd_narrow(wd_select(wd_le(wd_abs(all), most), all, none));
    }
    if (lanes == ALL_LANES && !p->watches) {
        const trn_joints *tables = p->step->system->joints;
        lane_places at;
        const trn_joint_type type = pin_of(p, 0, j)->type;
        bool same = true;
        UNROLLED_LANES
        for (uint32_t lane = 0; lane < TR_DOUBLES; lane++) {
            const trn_exact_pin *to = pin_of(p, lane, j);
            at.row[lane] = to->row;
            same = same && to->type == type;
        }
        note_beside(&at);
        UNROLLED
        for (int r = 0; r < AXES && same; r++)
            if (tables[type].impulse[r] != NULL)
                lane_floats_write(tables[type].impulse[r], &at, ALL_LANES, impulse[r]);
        if (same)
            return;
    }
    for (uint32_t lane = 0; lane < p->count; lane++) {
        const trn_exact_pin *to = pin_of(p, lane, j);
        float *const *columns = p->step->system->joints[to->type].impulse;
        if ((lanes >> lane & 1) == 0)
            continue;
        UNROLLED
        for (int r = 0; r < AXES; r++) {
            if (p->watches)
                write_impulse(p, to, r, (int)lane, 1.0, joint->force.x[r], joint->rows[r].total);
            else if (columns[r] != NULL)
                columns[r][to->row] = impulse[r][lane];
        }
    }
}

/* of all other rows */
static void write_joint(const lane_pack *p, int lane, uint32_t j)
{
    trn_exact *it = p->step->exact;
    const lane_joint *joint = &p->joints[j];
    const uint32_t number = number_of_joint(p, (uint32_t)lane, j);
    const trn_exact_pin *to = &it->pins[number];
    if (joint->source == TR_EXACT_BY_TURN)
        lane_turn_write(joint, lane, &it->joints[number]);
    trn_exact_write_places(&it->joints[number], &p->step->system->joints[to->type]);
    for (uint32_t r = joint->points; r < joint->row_count; r++) {
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

/* states of a body in all lanes, for equations */
static void follow_body(const lane_pack *p, uint32_t b)
{
    for (int lane = 0; lane < (int)p->count; lane++)
        if (p->bad[lane] == 0)
            lane_state_write(p, &p->bodies[b], lane, row_of_body(p, (uint32_t)lane, b));
}

/* of lanes that have not failed */
static void write_islands(const lane_pack *p)
{
    uint32_t whole = 0;
    for (uint32_t lane = 0; lane < p->count; lane++)
        whole |= p->bad[lane] == 0 ? 1u << lane : 0u;
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_places at = places_of_body(p, b);
        uint32_t lanes = whole;
        for (uint32_t lane = 0; lane < TR_DOUBLES && p->bodies[b].cut; lane++)
            lanes &= p->bodies[b].rest->owned[lane] != 0 ? ALL_LANES : ~(1u << lane);
        if (lanes == ALL_LANES) {
            lane_rows_write(p, &p->bodies[b], &at, ALL_LANES);
            continue;
        }
        if (lanes == 0)
            continue;
        /* rows of the other lanes are another thread's to write, so that they are not even read */
        const uint32_t own = at.row[__builtin_ctz(lanes)];
        for (uint32_t lane = 0; lane < TR_DOUBLES; lane++)
            at.row[lane] = (lanes >> lane & 1) != 0 ? at.row[lane] : own;
        note_beside(&at);
        lane_rows_write(p, &p->bodies[b], &at, lanes);
    }
    for (uint32_t j = 0; j < p->joint_count; j++) {
        write_point(p, j, whole);
        for (int lane = 0; lane < (int)p->count && p->joints[j].source != TR_EXACT_BY_POINT; lane++)
            if (p->bad[lane] == 0)
                write_joint(p, lane, j);
    }
    for (int lane = 0; lane < (int)p->count && p->cut == NULL; lane++) {
        p->own[lane]->solves = (uint32_t)p->solves[lane];
        p->own[lane]->most = (uint32_t)p->most[lane];
        p->own[lane]->unsettled = 0;
    }
}
