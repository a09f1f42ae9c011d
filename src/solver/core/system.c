/* The tables of bodies and joints: columns, conversion of rows to definitions and back, values derived from a row. */
#include "solver/core/system.h"

#include <string.h>

#include "base/angle.h"
#include "base/finite.h"
#include "solver/core/kernels.h"

/*
 * Bodies
 */
#define SIZE(type, name) (uint32_t)sizeof(type),
#define LOW(name)        (uint32_t)sizeof(float),
static const uint32_t body_sizes[] = {sizeof(uint32_t), TRN_BODY_COLUMNS(SIZE) TRN_BODY_LOW(LOW)};
#undef LOW
static const uint32_t joint_sizes[] = {TR_JOINT_COLUMNS(SIZE)};
#undef SIZE

#define BODY_COLUMN_COUNT  (uint32_t)(sizeof body_sizes / sizeof body_sizes[0])
#define JOINT_COLUMN_COUNT (uint32_t)(sizeof joint_sizes / sizeof joint_sizes[0])

enum {
    BODY_slot,
#define COLUMN(type, name) BODY_##name,
    TRN_BODY_COLUMNS(COLUMN)
#undef COLUMN
#define COLUMN(name) BODY_##name,
        TRN_BODY_LOW(COLUMN)
#undef COLUMN
};

/* columns that are left out until a body needs them, and their presets */
#define OPTIONAL(name, preset) {BODY_##name, preset},
static const struct {
    uint32_t column;
    float preset; /* 0: all bytes are 0, of any type */
} body_optional[] = {TRN_BODY_OPTIONAL(OPTIONAL)};
#undef OPTIONAL

#define BODY_OPTIONAL_COUNT (sizeof body_optional / sizeof body_optional[0])

bool trn_bodies_init(trn_bodies *bodies, tr_memory *memory)
{
    if (!tr_table_init(&bodies->table, memory, body_sizes, BODY_COLUMN_COUNT))
        return false;
    for (size_t i = 0; i < BODY_OPTIONAL_COUNT; i++)
        tr_table_leave_out(&bodies->table, body_optional[i].column);
#define LEAVE_OUT(name) tr_table_leave_out(&bodies->table, BODY_##name);
    TRN_BODY_LOW(LEAVE_OUT)
#undef LEAVE_OUT
    tr_table_stays(&bodies->table, BODY_slot);
#define MOVES(type, name)
#define STAYS(type, name) tr_table_stays(&bodies->table, BODY_##name);
    TRN_BODY_COLUMNS_OF(MOVES, STAYS)
#undef STAYS
    trn_bodies_refresh(bodies);
    return true;
}

/* null: zeros */
static const float *preset_of(uint32_t column)
{
    for (size_t i = 0; i < BODY_OPTIONAL_COUNT; i++) {
        if (body_optional[i].column == column && body_optional[i].preset != 0.0f)
            return &body_optional[i].preset;
    }
    return NULL;
}

/* Adds columns, all or none. Several threads may request views: writes nothing if the columns exist. */
static bool hold_body_columns(trn_bodies *bodies, const uint32_t *columns, uint32_t count)
{
    tr_held_column held[BODY_COLUMN_COUNT];
    uint32_t missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bodies->table.left_out[columns[i]])
            held[missing++] = (tr_held_column){columns[i], preset_of(columns[i])};
    }
    if (missing == 0)
        return true;
    bool ok = tr_table_hold(&bodies->table, held, missing);
    trn_bodies_refresh(bodies);
    return ok;
}

/* adds a column to a list of `count` needed ones */
#define NEED(name) needed[count++] = BODY_##name;

bool trn_bodies_hold(trn_bodies *bodies, const trn_body_def *def)
{
    uint32_t needed[BODY_COLUMN_COUNT] = {0}, count = 0;
    if (!trn_is_same(def->center, (trn_vec){0})) {
        TRN_BODY_CENTERS(NEED)
    }
    if (trn_inertia_tilts(def->inertia)) {
        TRN_BODY_FRAMES(NEED)
    }
    if (def->gravity_scale != 1.0f)
        NEED(gravity_scale)
    if (def->linear_damping != 0.0f)
        NEED(linear_damping)
    if (def->angular_damping != 0.0f)
        NEED(angular_damping)
    if (def->sleep_scale != 1.0f)
        NEED(sleep_scale)
    if (def->user_data != 0)
        NEED(user_data)
    if (!hold_body_columns(bodies, needed, count))
        return false;
    bodies->uneven =
        bodies->uneven || def->gravity_scale != 1.0f || def->linear_damping != 0.0f || def->angular_damping != 0.0f;
    return true;
}

bool trn_bodies_hold_forces(trn_bodies *bodies)
{
    uint32_t needed[BODY_COLUMN_COUNT] = {0}, count = 0;
    TRN_BODY_FORCES(NEED)
    if (!hold_body_columns(bodies, needed, count))
        return false;
    bodies->uneven = true;
    return true;
}

bool trn_bodies_hold_all(trn_bodies *bodies)
{
    uint32_t needed[BODY_COLUMN_COUNT] = {0}, count = 0;
    for (size_t i = 0; i < BODY_OPTIONAL_COUNT; i++)
        needed[count++] = body_optional[i].column;
    return hold_body_columns(bodies, needed, count);
}

bool trn_bodies_hold_low(trn_bodies *bodies)
{
    uint32_t needed[BODY_COLUMN_COUNT] = {0}, count = 0;
    TRN_BODY_LOW(NEED)
    return hold_body_columns(bodies, needed, count);
}
#undef NEED

void trn_bodies_round(trn_bodies *bodies, uint32_t flags)
{
#define CLEAR(name)                                                                                                    \
    for (uint32_t row = 0; bodies->name != NULL && row < bodies->table.count; row++)                                   \
        if ((bodies->flags[row] & flags) == 0)                                                                         \
            bodies->name[row] = 0.0f;
    TRN_BODY_LOW(CLEAR)
#undef CLEAR
}

void trn_bodies_round_row(trn_bodies *bodies, uint32_t row)
{
#define CLEAR(name)                                                                                                    \
    if (bodies->name != NULL)                                                                                          \
        bodies->name[row] = 0.0f;
    TRN_BODY_LOW(CLEAR)
#undef CLEAR
}

/* zeroes a column; what sleeps has no forces */
static void clear_awake(const trn_bodies *bodies, float *column)
{
    uint32_t first = bodies->rest_first < bodies->rest_end ? bodies->rest_first : bodies->table.count;
    memset(column, 0, first * sizeof *column);
    if (first < bodies->table.count)
        memset(column + bodies->rest_end, 0, (bodies->table.count - bodies->rest_end) * sizeof *column);
}

void trn_bodies_clear_forces(trn_bodies *bodies)
{
#define CLEAR(name)                                                                                                    \
    if (bodies->name != NULL)                                                                                          \
        clear_awake(bodies, bodies->name);
    TRN_BODY_FORCES(CLEAR)
#undef CLEAR
}

void trn_body_clear_force(trn_bodies *bodies, uint32_t row)
{
#define CLEAR(name)                                                                                                    \
    if (bodies->name != NULL)                                                                                          \
        bodies->name[row] = 0.0f;
    TRN_BODY_FORCES(CLEAR)
#undef CLEAR
}

void trn_bodies_refresh(trn_bodies *bodies)
{
    void **column = bodies->table.columns;
    bodies->slot = *column++;
#define COLUMN(type, name) bodies->name = *column++;
    TRN_BODY_COLUMNS(COLUMN)
#undef COLUMN
#define COLUMN(name) bodies->name = *column++;
    TRN_BODY_LOW(COLUMN)
#undef COLUMN
}

void trn_body_update_inverse(trn_bodies *bodies, uint32_t row)
{
    if (bodies->inverse_mass != NULL)
        bodies->inverse_mass[row] = trn_body_inverse_mass(bodies, row);
    if (trn_body_has_inverse(bodies))
        trn_body_write_inverse(bodies, row);
}

void trn_body_quarantine(trn_bodies *bodies, uint32_t row)
{
    trn_body_write_velocity(bodies, row, (trn_vec){0}, (trn_spin){0});
    bodies->flags[row] = (bodies->flags[row] | TR_BODY_QUARANTINED) & ~TR_BODY_LATE;
    trn_body_update_inverse(bodies, row);
}

/*
 * Joints
 */
enum {
#define COLUMN(type, name) COLUMN_##name,
    TR_JOINT_COLUMNS(COLUMN)
#undef COLUMN
};

/* columns of carriers, if the type has them, come before the fields */
static uint32_t carrier_columns(const trn_joint_type_info *info)
{
    return info->has_carriers ? TR_ENDS - 2 : 0;
}

static uint32_t field_column(const trn_joint_type_info *info, uint32_t field)
{
    const bool beyond = field >= TR_MASK_BITS;
    trn_mask before = beyond ? info->fields : info->fields & (TR_BIT(field) - 1);
    return JOINT_COLUMN_COUNT + carrier_columns(info) + trn_mask_count(before) + (beyond ? field - info->beyond : 0);
}

static uint32_t impulse_column(const trn_joint_type_info *info, uint32_t impulse)
{
    return JOINT_COLUMN_COUNT + carrier_columns(info) + trn_mask_count(info->fields) + info->beyond_count +
           info->own_count + impulse;
}

/* leaves out columns until a joint needs them; fields of types with complete() are always held, because it sets them
   after room was made */
static void leave_out(trn_joints *joints, trn_joint_type type)
{
    const trn_joint_type_info *info = trn_joint_types[type];
    tr_table *table = &joints->table;
    tr_table_leave_out(table, COLUMN_id);
    if (type == TR_CONTACT)
        return;
    tr_table_leave_out(table, COLUMN_body_a);
    tr_table_leave_out(table, COLUMN_body_b);
    joints->left_out = info->complete == NULL ? info->fields & ~TRN_ALWAYS_HELD : 0;
    for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++) {
        if ((joints->left_out & TR_BIT(field)) != 0)
            tr_table_leave_out(table, field_column(info, field));
    }
    tr_table_leave_out(table, COLUMN_user_data);
    tr_table_leave_out(table, COLUMN_turn);
    tr_table_leave_out(table, COLUMN_flags);
    for (uint32_t i = 0; i < carrier_columns(info); i++)
        tr_table_leave_out(table, JOINT_COLUMN_COUNT + i);
    /* the columns of kernels are the same on every instruction set */
    for (uint32_t i = trn_kernels_scalar.joints[trn_kernel_of(type, false)].impulse_count; i < info->impulse_count; i++)
        tr_table_leave_out(table, impulse_column(info, i));
}

static void stay(tr_table *table, const trn_joint_type_info *info)
{
#define STAYS(type, name) tr_table_stays(table, COLUMN_##name);
    TR_JOINT_COLUMNS_OF(MOVES, STAYS)
#undef STAYS
#undef MOVES
    uint32_t end = JOINT_COLUMN_COUNT + carrier_columns(info) + trn_mask_count(info->fields) + info->beyond_count;
    for (uint32_t i = JOINT_COLUMN_COUNT; i < end; i++)
        tr_table_stays(table, i);
}

bool trn_joints_init(trn_joints *joints, tr_memory *memory, trn_joint_type type, const trn_joint_def *preset)
{
    const trn_joint_type_info *info = trn_joint_types[type];
    /* the dimension has no such table: it stays without columns */
    if (info == NULL)
        return true;
    uint32_t sizes[JOINT_COLUMN_COUNT + TR_ENDS + TRN_FIELD_COUNT + TRN_MAX_OWN + TRN_MAX_IMPULSES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < JOINT_COLUMN_COUNT; i++)
        sizes[count++] = joint_sizes[i];
    for (uint32_t i = 0; i < carrier_columns(info); i++)
        sizes[count++] = sizeof(trn_body);
    for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++) {
        joints->preset[field] = trn_field_read(preset, (trn_field)field);
        if (trn_joint_has(type, (trn_field)field))
            sizes[count++] = (uint32_t)trn_field_size((trn_field)field);
    }
    for (uint32_t i = 0; i < info->own_count + info->impulse_count; i++)
        sizes[count++] = sizeof(float);
    if (!tr_table_init(&joints->table, memory, sizes, count))
        return false;
    leave_out(joints, type);
    /* those of contacts are written in each step */
    if (type != TR_CONTACT)
        stay(&joints->table, info);
    trn_joints_refresh(joints, type);
    return true;
}

void trn_joints_refresh(trn_joints *joints, trn_joint_type type)
{
    const trn_joint_type_info *info = trn_joint_types[type];
    void **column = joints->table.columns;
    if (info == NULL)
        return;
#define COLUMN(kind, name) joints->name = *column++;
    TR_JOINT_COLUMNS(COLUMN)
#undef COLUMN
    joints->carrier_a = info->has_carriers ? *column++ : NULL;
    joints->carrier_b = info->has_carriers ? *column++ : NULL;
    for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++)
        joints->field[field] = trn_joint_has(type, (trn_field)field) ? *column++ : NULL;
    for (uint32_t i = 0; i < TRN_MAX_OWN; i++)
        joints->own[i] = i < info->own_count ? *column++ : NULL;
    for (uint32_t i = 0; i < TRN_MAX_IMPULSES; i++)
        joints->impulse[i] = i < info->impulse_count ? *column++ : NULL;
}

bool trn_joints_hold(trn_joints *joints, const trn_joint_def *def, double turn)
{
    const trn_joint_type_info *info = trn_joint_types[def->type];
    tr_held_column held[TRN_FIELD_COUNT + TR_ENDS + 3 + TRN_MAX_IMPULSES];
    uint32_t count = 0;
    trn_mask fields = 0;
    for (trn_mask left = joints->left_out; left != 0; left &= left - 1) {
        uint32_t field = trn_mask_first(left);
        if (trn_field_read(def, (trn_field)field) == joints->preset[field])
            continue;
        fields |= TR_BIT(field);
        held[count++] = (tr_held_column){field_column(info, field), &joints->preset[field]};
    }
    bool flagged = def->collide_connected || !def->enabled, featured = info->is_featured(def);
    bool carried = trn_def_end(def, 2).index != 0 || trn_def_end(def, 3).index != 0;
    if (def->user_data != 0)
        held[count++] = (tr_held_column){COLUMN_user_data, NULL};
    if (turn != 0)
        held[count++] = (tr_held_column){COLUMN_turn, NULL};
    if (flagged)
        held[count++] = (tr_held_column){COLUMN_flags, NULL};
    for (uint32_t i = 0; carried && i < carrier_columns(info); i++)
        held[count++] = (tr_held_column){JOINT_COLUMN_COUNT + i, NULL};
    for (uint32_t i = 0; featured && i < info->impulse_count; i++)
        held[count++] = (tr_held_column){impulse_column(info, i), NULL};
    /* most joints need none */
    if (count == 0)
        return true;
    if (!tr_table_hold(&joints->table, held, count))
        return false;
    joints->left_out &= ~fields;
    trn_joints_refresh(joints, def->type);
    return true;
}

bool trn_joints_hold_ids(trn_joints *joints, trn_joint_type type)
{
    static const tr_held_column ids[] = {{COLUMN_id, NULL}, {COLUMN_body_a, NULL}, {COLUMN_body_b, NULL}};
    bool ok = tr_table_hold(&joints->table, ids, sizeof ids / sizeof ids[0]);
    trn_joints_refresh(joints, type);
    return ok;
}

/* columns may hold other types than float (booleans, kinds, doubles), so copy the bytes */
static void column_read(const float *column, uint32_t row, trn_joint_def *def, trn_field field)
{
    uint32_t bits;
    double value;
    if (trn_field_infos[field].kind == TR_KIND_DOUBLE) {
        memcpy(&value, (const double *)(const void *)column + row, sizeof value);
        trn_field_write_double(def, field, value);
    } else {
        memcpy(&bits, column + row, sizeof bits);
        trn_field_write(def, field, bits);
    }
}

trn_mask trn_joint_fields_held(const trn_joints *joints, trn_joint_type type)
{
    trn_mask held = 0;
    for (trn_mask left = trn_joint_types[type]->fields; left != 0; left &= left - 1) {
        if (joints->field[trn_mask_first(left)] != NULL)
            held |= left & -left;
    }
    return held;
}

static void column_write(trn_joints *joints, uint32_t row, const trn_joint_def *def, trn_field field)
{
    float *column = tr_table_edit(&joints->table, joints->field[field]);
    if (trn_field_infos[field].kind == TR_KIND_DOUBLE) {
        double value = trn_field_read_double(def, field);
        memcpy((double *)(void *)column + row, &value, sizeof value);
    } else {
        uint32_t bits = trn_field_read(def, field);
        memcpy(column + row, &bits, sizeof bits);
    }
}

bool trn_joints_hold_flags(trn_joints *joints, uint32_t type)
{
    static const tr_held_column flags = {COLUMN_flags, NULL};
    bool ok = tr_table_hold(&joints->table, &flags, 1);
    trn_joints_refresh(joints, (trn_joint_type)type);
    return ok;
}

void trn_joint_row_get(const trn_joints *joints, trn_mask held, uint32_t row, trn_joint_def *out)
{
    for (trn_mask left = held; left != 0; left &= left - 1) {
        uint32_t field = trn_mask_first(left);
        column_read(joints->field[field], row, out, (trn_field)field);
    }
    for (uint32_t field = TR_MASK_BITS; field < TRN_FIELD_COUNT; field++)
        if (joints->field[field] != NULL)
            column_read(joints->field[field], row, out, (trn_field)field);
}

void trn_joint_row_set(trn_joints *joints, trn_joint_type type, uint32_t row, const trn_joint_def *def)
{
    for (trn_mask left = trn_joint_types[type]->fields; left != 0; left &= left - 1) {
        uint32_t field = trn_mask_first(left);
        if (joints->field[field] != NULL)
            column_write(joints, row, def, (trn_field)field);
    }
    for (uint32_t i = 0; i < trn_joint_types[type]->beyond_count; i++) {
        uint32_t field = trn_joint_types[type]->beyond + i;
        column_write(joints, row, def, (trn_field)field);
    }
}

void trn_joint_pose_get(const trn_bodies *bodies, const uint32_t rows[TR_ENDS], const trn_joint_def *def, double turn,
                        trn_joint_pose *out)
{
    trn_body_state state[TR_ENDS];
    const trn_body_state *body[TR_ENDS] = {NULL};
    for (uint32_t i = 0; i < TR_ENDS; i++) {
        if (rows[i] == TR_NONE)
            continue;
        state[i] = trn_body_state_of(bodies, rows[i]);
        body[i] = &state[i];
    }
    trn_joint_pose_of(body, def, turn, out);
}

/*
 * Archives
 */
void trn_bodies_archive(trn_bodies *bodies, tr_archive *archive)
{
    tr_table_archive(&bodies->table, archive, INT32_MAX, TR_TABLE_NO_COLUMN);
    if (tr_archive_reads(archive))
        trn_bodies_refresh(bodies);
    tr_archive_flag(archive, &bodies->uneven);
    tr_archive_flag(archive, &bodies->off_center);
    tr_archive_value(archive, bodies->bullets);
    tr_archive_value(archive, bodies->disabled);
    tr_archive_value(archive, bodies->direct);
    tr_archive_value(archive, bodies->rest_first);
    tr_archive_value(archive, bodies->rest_end);
}

void trn_joints_archive(trn_joints *joints, tr_archive *archive, trn_joint_type type)
{
    const trn_joint_type_info *info = trn_joint_types[type];
    if (info == NULL)
        return;
    tr_table_archive(&joints->table, archive, TR_EDGES_MAX, TR_TABLE_NO_COLUMN);
    if (!tr_archive_reads(archive))
        return;
    trn_joints_refresh(joints, type);
    joints->left_out = 0;
    for (trn_mask left = info->fields; left != 0; left &= left - 1) {
        uint32_t field = trn_mask_first(left);
        if (joints->table.left_out[field_column(info, field)])
            joints->left_out |= TR_BIT(field);
    }
}

bool trn_joints_serve(const trn_joints *joints, uint32_t kernel)
{
    const trn_joint_type_info *info = trn_joint_types[trn_kernel_type(kernel)];
    if (info == NULL)
        return false;
    bool serve = true;
    for (uint32_t i = 0; i < info->impulse_count && trn_kernel_is_featured(kernel); i++)
        serve = serve && joints->impulse[i] != NULL;
    return serve;
}
