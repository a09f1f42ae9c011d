/*
 * A step of one island that is cut (exact_cut.c): its pieces side by side (solver/exact/lanes.inl). Bodies at which it is
 * cut are in each of their pieces and do the same in all of them. What joints do to them there is summed in the order of
 * pieces, which is that of no instruction set.
 */

typedef struct cut_island {
    const trn_exact_cut *cut;
    lane_pack *packs;
    uint32_t pack_count;
    lane_pack trunk;                                                 /* of which all lanes do the same */
    double (*sums)[DEGREES > SPINS *SPINS ? DEGREES : SPINS *SPINS]; /* of each body of the trunk */
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

static size_t lay_out_cut(cut_island *it, const trn_exact_cut *cut, unsigned char *memory)
{
    const tr_program *program = &cut->program;
    lane_pack pack, *trunk = &it->trunk;
    size_t used = 0;
    it->cut = cut;
    it->pack_count = count_packs(cut);
    it->packs = lane_part(memory, &used, it->pack_count, sizeof *it->packs);
    it->sums = lane_part(memory, &used, cut->body_count, sizeof *it->sums);
    trunk->program = program;
    trunk->sizes = lane_part(memory, &used, program->column_count, sizeof *trunk->sizes);
    trunk->value = lane_part(memory, &used, program->value_count, sizeof *trunk->value);
    trunk->x = lane_part(memory, &used, program->number_count, sizeof *trunk->x);
    trunk->scratch = lane_part(memory, &used, (size_t)program->rows * WIDTH_MOST, sizeof *trunk->scratch);
    for (uint32_t first = 0, i = 0; first < cut->piece_count; first += twin_count(cut, first), i++) {
        lane_pack *to = memory != NULL ? &it->packs[i] : &pack;
        used += lay_out_pack(to, &cut->shapes[cut->pieces[first].shape], memory != NULL ? memory + used : NULL);
    }
    return used;
}

/* the piece in a lane */
static const trn_exact_piece *piece_of(const lane_pack *p, uint32_t lane)
{
    return p->piece[lane < p->count ? lane : 0];
}

/* Numbers of bodies at which the island is cut: of all their copies the sums, in all of them. `first`: of a body, where these
   are in it. */
static void sum_copies(cut_island *it, size_t first, uint32_t count)
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
                    wd *own = (wd *)(void *)((unsigned char *)&p->bodies[column->node] + first);
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

/* The rest of a kick of all pieces, but for their motion: that is scaled by what is returned. */
static double solve_pieces(cut_island *it, const lane_kick *kick)
{
    double scale = 1.0;
    sum_copies(it, offsetof(lane_body, stiffness), SPINS * SPINS);
    for (uint32_t k = 0; k < it->pack_count; k++) {
        form_rows(&it->packs[k], kick);
        put_lanes(&it->packs[k]);
        factor_pack(&it->packs[k]);
    }
    solve_trunk(it);
    for (uint32_t k = 0; k < it->pack_count; k++) {
        lane_pack *p = &it->packs[k];
        take_trunk(it, p);
        release_lanes(p);
        for (uint32_t j = 0; j < p->joint_count; j++)
            take_joint(p, &p->joints[j]);
        p->solves += 1;
        p->most = p->most * 0 + 1;
        push_lanes(p, kick);
    }
    sum_copies(it, offsetof(lane_body, change), DEGREES);
    for (uint32_t k = 0; k < it->pack_count; k++) {
        const wd own = scale_of_shift(&it->packs[k], kick);
        for (uint32_t lane = 0; lane < it->packs[k].count; lane++)
            scale = own[lane] < scale ? own[lane] : scale;
    }
    return scale;
}

/* Whether it has failed: then nothing has changed, as in run_pack(). */
static bool run_cut(const trn_exact_step *step, void *memory, uint32_t island)
{
    const trn_exact *exact = step->exact;
    const trn_exact_cut *cut = exact->shapes[exact->islands[island].lane_shape].cut;
    cut_island it = {.trunk = {.step = step}};
    (void)lay_out_cut(&it, cut, memory);
    for (uint32_t k = 0, first = 0; k < it.pack_count; first += it.packs[k++].count) {
        lane_pack *p = &it.packs[k];
        const uint32_t islands[1] = {island};
        begin_pack(p, step, islands, 1);
        p->cut = cut;
        p->count = twin_count(cut, first);
        for (uint32_t lane = 0; lane < TR_DOUBLES; lane++)
            p->piece[lane] = &cut->pieces[first + (lane < p->count ? lane : 0)];
        read_pack(p);
    }
    lane_kick kick = {0};
    double scale = 1.0;
    for (uint32_t s = 0; s <= step->substeps; s++) {
        const lane_kick next = lane_kick_of(step, s);
        for (uint32_t k = 0; k < it.pack_count; k++) {
            if (s > 0)
                move_lanes(&it.packs[k], &kick, wd_set(scale));
            evaluate_lanes(&it.packs[k], &next);
        }
        kick = next;
        scale = solve_pieces(&it, &kick);
    }
    wdm bad = it.trunk.bad;
    for (uint32_t k = 0; k < it.pack_count; k++) {
        move_lanes(&it.packs[k], &kick, wd_set(scale));
        bad |= it.packs[k].bad;
    }
    if (wd_any(bad))
        return true;
    for (uint32_t k = 0; k < it.pack_count; k++)
        write_islands(&it.packs[k]);
    return false;
}
