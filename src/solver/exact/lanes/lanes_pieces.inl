/*
 * A step of one island that is cut (exact_cut.c): its pieces side by side (solver/exact/lanes/lanes.inl). Bodies at which it is
 * cut are in each of their pieces and do the same in all of them. What joints do to them there is summed in the order of
 * pieces, which is that of no instruction set.
 */

typedef struct cut_island {
    const trn_exact_cut *cut;
    lane_pack *packs;
    uint32_t *first;  /* piece of each pack */
    double *scales;   /* by which the motion of each is scaled; */
    double scale;     /* of all */
    wd (*weighed)[2]; /* of each pack, gain_by_curves() */
    double gain;      /* by the first solution of a kick */
    double part;      /* of curves, for the next one, if there is to be one: */
    bool again;
    uint32_t solves, most; /* solutions; of a kick at most */
    uint32_t pack_count;
    bool failed;
    bool same;       /* the memory has what pieces had in the step before */
    bool slows;      /* some piece has, in this kick */
    lane_pack trunk; /* of which all lanes do the same */
    /* of each body of the trunk */
    double (*sums)[DEGREES > SPINS *SPINS ? DEGREES : SPINS *SPINS];
} cut_island;

/* how many pieces from one on are solved side by side */
static uint32_t twin_count(const trn_exact_cut *cut, uint32_t first)
{
    uint32_t count = 1;
    while (count < TR_DOUBLES && first + count < cut->piece_count &&
           cut->pieces[first + count].shape == cut->pieces[first].shape)
        count++;
    return count;
}

static uint32_t count_packs(const trn_exact_cut *cut)
{
    uint32_t packs = 0;
    for (uint32_t first = 0; first < cut->piece_count; first += twin_count(cut, first))
        packs++;
    return packs;
}

/* `it` is at the beginning of the memory */
static size_t lay_out_cut(cut_island *it, const trn_exact_cut *cut, unsigned char *memory)
{
    const tr_program *program = &cut->program;
    lane_pack pack, *trunk = &it->trunk;
    size_t used = 0;
    (void)lane_part(memory, &used, 1, sizeof *it);
    it->cut = cut;
    it->pack_count = count_packs(cut);
    it->packs = lane_part(memory, &used, it->pack_count, sizeof *it->packs);
    it->first = lane_part(memory, &used, it->pack_count, sizeof *it->first);
    it->scales = lane_part(memory, &used, it->pack_count, sizeof *it->scales);
    it->sums = lane_part(memory, &used, cut->body_count, sizeof *it->sums);
    it->weighed = lane_part(memory, &used, it->pack_count, sizeof *it->weighed);
    trunk->program = program;
    trunk->columns = lane_part(memory, &used, program->column_count, sizeof *trunk->columns);
    trunk->value = lane_part(memory, &used, program->value_count, sizeof *trunk->value);
    trunk->x = lane_part(memory, &used, program->number_count, sizeof *trunk->x);
    trunk->scratch = lane_part(memory, &used, (size_t)program->rows * WIDTH_MOST, sizeof *trunk->scratch);
    for (uint32_t first = 0, i = 0; first < cut->piece_count; first += twin_count(cut, first), i++) {
        lane_pack *to = memory != NULL ? &it->packs[i] : &pack;
        if (memory != NULL)
            it->first[i] = first;
        used += lay_out_pack(to, &cut->shapes[cut->pieces[first].shape], memory != NULL ? memory + used : NULL);
    }
    return used;
}

/* the piece in a lane */
static const trn_exact_piece *piece_of(const lane_pack *p, uint32_t lane)
{
    return p->piece[lane < p->count ? lane : 0];
}

/* numbers of a body that copies share, and how many */
typedef enum lane_shared { SHARED_STIFFNESS, SHARED_TIES, SHARED_CHANGE } lane_shared;

static wd *shared_numbers(lane_body *body, lane_shared what, uint32_t *count)
{
    *count = what == SHARED_STIFFNESS ? SPINS * SPINS : what == SHARED_TIES ? 1 : DEGREES;
    return what == SHARED_STIFFNESS ? body->stiffness[0] : what == SHARED_TIES ? &body->rest->ties : body->rest->change;
}

/* Numbers of bodies at which the island is cut: of all their copies the sums, in all of them. */
static void sum_copies(cut_island *it, lane_shared what)
{
    memset(it->sums, 0, it->cut->body_count * sizeof *it->sums);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t k = 0; k < it->pack_count; k++) {
            const lane_pack *p = &it->packs[k];
            const uint32_t soon = p->program->soon_count;
            for (uint32_t lane = 0; lane < (round == 0 ? p->count : TR_DOUBLES); lane++)
                for (uint32_t i = soon; i < p->program->column_count; i++) {
                    const tr_program_column *column = &p->program->columns[i];
                    if (column->joint)
                        continue;
                    uint32_t count;
                    wd *own = shared_numbers(&p->bodies[column->node], what, &count);
                    double *sum = it->sums[it->cut->late[piece_of(p, lane)->first_late + i - soon]];
                    for (uint32_t n = 0; n < count; n++) {
                        if (round == 0)
                            sum[n] += own[n][lane];
                        else
                            own[n][lane] = sum[n];
                    }
                }
        }
}

/* the numbers of a body of the trunk by itself, which are those of its copy in a lane */
static void put_trunk_body(cut_island *it, const lane_body *body, uint32_t lane, uint32_t node)
{
    wd own[DEGREES * DEGREES], x[DEGREES][2], *to = it->trunk.value + it->cut->own[node];
    wd(*to_x)[2] = it->trunk.x + it->cut->number[node];
    memset(own, 0, sizeof own);
    put_inertia(body, own, x);
    for (uint32_t i = 0; i < DEGREES * DEGREES; i++)
        to[i] = to[i] + wd_set(own[i][lane]);
    for (uint32_t i = 0; i < DEGREES; i++)
        to_x[i][0] = to_x[i][0] + wd_set(x[i][0][lane]);
}

/* what a piece leaves of its late nodes */
static void add_piece(cut_island *it, const lane_pack *p, uint32_t lane)
{
    const trn_exact_cut *cut = it->cut;
    const trn_exact_piece *piece = p->piece[lane];
    const tr_program *program = p->program;
    const uint32_t *target = cut->target + piece->first_target, *late = cut->late + piece->first_late;
    for (uint32_t i = program->soon_count; i < program->column_count; i++) {
        const tr_program_column *column = &program->columns[i];
        const uint32_t node = *late++, width = column->width;
        const wd *from = p->value + column->start;
        if (!column->joint && &cut->pieces[cut->owner[node]] == piece)
            put_trunk_body(it, &p->bodies[column->node], lane, node);
        wd(*x)[2] = it->trunk.x + cut->number[node];
        for (uint32_t c = 0; c < width; c++)
            for (uint32_t side = 0; side < 2; side++)
                x[c][side] = x[c][side] + wd_set(p->x[column->number + c][side][lane]);
        for (uint32_t b = 0; b <= column->count; b++, target++) {
            const uint32_t rows = b == 0 ? width : p->program->blocks[column->first + b - 1].size;
            wd *to = it->trunk.value + *target / 2;
            for (uint32_t r = 0; r < rows; r++)
                for (uint32_t c = 0; c < width; c++) {
                    wd *at = &to[*target % 2 != 0 ? c * rows + r : r * width + c];
                    *at = *at + wd_set(from[r * width + c][lane]);
                }
            from += (size_t)rows * width;
        }
    }
}

static void solve_trunk(cut_island *it)
{
    lane_pack *trunk = &it->trunk;
    memset(trunk->value, 0, trunk->program->value_count * sizeof *trunk->value);
    memset(trunk->x, 0, trunk->program->number_count * sizeof *trunk->x);
    for (uint32_t k = 0; k < it->pack_count; k++)
        for (uint32_t lane = 0; lane < it->packs[k].count; lane++)
            add_piece(it, &it->packs[k], lane);
    factor_pack(trunk);
    solve_pack(trunk);
}

static void take_trunk(const cut_island *it, lane_pack *p)
{
    const tr_program *program = p->program;
    for (uint32_t i = program->soon_count; i < program->column_count; i++)
        for (uint32_t lane = 0; lane < TR_DOUBLES; lane++) {
            const uint32_t node = it->cut->late[piece_of(p, lane)->first_late + i - program->soon_count];
            const wd(*from)[2] = (const wd(*)[2])it->trunk.x + it->cut->number[node];
            for (uint32_t c = 0; c < program->columns[i].width; c++)
                for (uint32_t side = 0; side < 2; side++)
                    p->x[program->columns[i].number + c][side][lane] = from[c][side][0];
        }
}

static size_t bytes_of_cut(const trn_exact_cut *cut)
{
    cut_island it;
    return lay_out_cut(&it, cut, NULL);
}

static void begin_cut(const trn_exact_cut *cut, void *memory, bool same)
{
    cut_island *it = memory;
    it->same = same;
    if (!same) {
        (void)lay_out_cut(it, cut, memory);
        place_columns(&it->trunk);
    }
    it->trunk.bad = (wdm)wd_set(0.0);
    it->scale = 1.0;
    it->failed = it->again = it->slows = false;
    it->solves = it->most = 0;
}

static void read_pieces(cut_island *it, const trn_exact_step *step, uint32_t island, uint32_t pack)
{
    const trn_exact_cut *cut = it->cut;
    lane_pack *p = &it->packs[pack];
    begin_pack(p, step, &island, 1);
    p->cut = cut;
    p->touched = p->mirrors = (wdm)wd_set(0.0);
    p->count = twin_count(cut, it->first[pack]);
    for (uint32_t lane = 0; lane < TR_DOUBLES; lane++)
        p->piece[lane] = &cut->pieces[it->first[pack] + (lane < p->count ? lane : 0)];
    read_pack(p, it->same && p->points);
    /* to be summed in the first kick */
    for (uint32_t b = first_copy(p); b < p->body_count; b++)
        p->bodies[b].rest->ties = wd_set((double)p->bodies[b].tied);
}

/* While its numbers are in the caches a piece of points is factored, as if no copy were slowed down. */
static void factor_ahead(lane_pack *p, const lane_kick *kick)
{
    p->ahead = p->points && moves_freely(p, kick, false);
    if (!p->ahead)
        return;
    p->slows = (wdm)wd_set(0.0);
    p->bends = false;
    p->free = true;
    put_lanes(p);
    factor_pack(p);
}

/* Whether some pieces are still to be factored, now that it is known how stiff copies are. */
static bool leaves_factors(cut_island *it, const lane_kick *kick)
{
    bool some = false;
    for (uint32_t k = 0; k < it->pack_count; k++) {
        lane_pack *p = &it->packs[k];
        for (uint32_t b = first_copy(p); b < p->body_count && p->ahead; b++)
            p->hindered |= is_hindered(kick, &p->bodies[b]);
        p->ahead = p->ahead && !wd_any(p->hindered);
        some = some || !p->ahead;
    }
    return some;
}

/* What a piece leaves of itself to the trunk: in the first solution of a kick, or with less of the curves of bodies. */
static void factor_pieces(const cut_island *it, const lane_kick *kick, uint32_t pack, uint32_t round)
{
    lane_pack *p = &it->packs[pack];
    if (round == 0 && p->ahead)
        return;
    if (round == 0)
        form_rows(p, kick);
    else
        bend_lanes(p, kick, wd_set(it->part));
    put_lanes(p);
    factor_pack(p);
}

/* whether the kick may be solved again, because of the curves of bodies that are slowed down */
static bool may_gain(const cut_island *it, const lane_kick *kick)
{
    return it->slows && !kick->last;
}

/* Impulses of a piece when the trunk is known, and what they gain. */
static void release_pieces(cut_island *it, const lane_kick *kick, uint32_t pack)
{
    lane_pack *p = &it->packs[pack];
    take_trunk(it, p);
    release_lanes(p);
    if (!p->points)
        take_joints(p);
    if (may_gain(it, kick)) {
        if (p->free && p->fused)
            release_points(p);
        leave_free(p, kick);
        it->weighed[pack][0] = gain_by_curves(p, &it->weighed[pack][1]);
    }
}

/* As find_along_curves() has it: whether the kick is to be solved again, and with what part of the curves. */
static void weigh_pieces(cut_island *it, const lane_kick *kick, uint32_t round)
{
    double gain = 0.0, moved = 0.0;
    it->again = (round == 0 || it->again) && may_gain(it, kick);
    for (uint32_t k = 0; k < it->pack_count && it->again; k++) {
        for (uint32_t lane = 0; lane < it->packs[k].count; lane++) {
            gain += it->weighed[k][0][lane];
            moved += it->weighed[k][1][lane];
        }
    }
    if (round == 0) {
        it->gain = gain;
        it->again = it->again && gain > TR_EXACT_GAIN_MOST * moved;
        it->part = 0.0;
    } else {
        it->again = it->again && gain < 0.0;
        it->part = it->again ? gain / (gain - it->gain) : 0.0;
    }
    it->solves += it->again ? 1 : 0;
    it->most = it->again && round + 2 > it->most ? round + 2 : it->most;
}

/* What impulses do to the bodies of a piece, and the share of the correction by which none moves too far. */
static void push_pieces(cut_island *it, const lane_kick *kick, uint32_t pack)
{
    lane_pack *p = &it->packs[pack];
    push_lanes(p, kick);
    const wd own = scale_of_shift(p, kick);
    it->scales[pack] = 1.0;
    for (uint32_t lane = 0; lane < p->count; lane++)
        it->scales[pack] = own[lane] < it->scales[pack] ? own[lane] : it->scales[pack];
}

/* Counts what the island took; whether some piece has failed. */
static bool check_pieces(cut_island *it, const trn_exact_step *step, uint32_t island)
{
    wdm bad = it->trunk.bad;
    trn_exact_island *own = &step->exact->islands[island];
    for (uint32_t k = 0; k < it->pack_count; k++)
        bad |= it->packs[k].bad;
    it->failed = wd_any(bad);
    own->solves = step->substeps + 1 + it->solves;
    own->most = it->most > 1 ? it->most : 1;
    own->unsettled = 0;
    return it->failed;
}

static bool run_pieces(const trn_exact_step *step, void *memory, uint32_t island, trn_exact_work work, uint32_t pack)
{
    cut_island *it = memory;
    lane_pack *p = &it->packs[pack];
    const lane_kick kick = lane_kick_of(step, work.kick);
    switch (work.phase) {
    case TR_EXACT_READ:
        read_pieces(it, step, island, pack);
        break;
    case TR_EXACT_EVALUATE:
        if (work.kick > 0) {
            const lane_kick before = lane_kick_of(step, work.kick - 1);
            leave_kick(p, &before, wd_set(it->scale));
        }
        evaluate_lanes(p, &kick);
        factor_ahead(p, &kick);
        break;
    case TR_EXACT_SHARE_STIFFNESS:
        sum_copies(it, SHARED_STIFFNESS);
        if (work.kick == 0)
            sum_copies(it, SHARED_TIES);
        return leaves_factors(it, &kick);
    case TR_EXACT_FACTOR:
        if (work.round == 0 || it->again)
            factor_pieces(it, &kick, pack, work.round);
        break;
    case TR_EXACT_TRUNK:
        it->slows = it->slows && work.round > 0;
        for (uint32_t k = 0; k < it->pack_count && work.round == 0; k++)
            it->slows = it->slows || wd_any(it->packs[k].slows);
        if (work.round == 0 || it->again)
            solve_trunk(it);
        return may_gain(it, &kick);
    case TR_EXACT_RELEASE:
        if (work.round == 0 || it->again)
            release_pieces(it, &kick, pack);
        if (work.round == 0 && !may_gain(it, &kick))
            push_pieces(it, &kick, pack);
        break;
    case TR_EXACT_WEIGH:
        weigh_pieces(it, &kick, work.round);
        return it->again;
    case TR_EXACT_PUSH:
        if (may_gain(it, &kick))
            push_pieces(it, &kick, pack);
        break;
    case TR_EXACT_SHARE_CHANGE:
        sum_copies(it, SHARED_CHANGE);
        it->scale = 1.0;
        for (uint32_t k = 0; k < it->pack_count; k++)
            it->scale = it->scales[k] < it->scale ? it->scales[k] : it->scale;
        break;
    case TR_EXACT_MOVE:
        leave_kick(p, &kick, wd_set(it->scale));
        break;
    case TR_EXACT_CHECK:
        return check_pieces(it, step, island);
    case TR_EXACT_WRITE:
        if (!it->failed)
            write_islands(p);
        break;
    default:
        break;
    }
    return false;
}
