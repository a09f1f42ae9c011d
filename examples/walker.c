/* A character walks through a level: up stairs, against a crate, onto a lift, and through a ledge from below. */
#include <stdio.h>
#include <trammel/trammel.h>

static const float dt = 1.0f / 60.0f;

/* values of the shapes' user data */
enum { NOTHING, FLOOR, STAIRS, CRATE, LIFT, LEDGE, KINDS };
static const char *const names[KINDS] = {"nothing", "the floor", "the stairs", "the crate", "the lift", "the ledge"};

typedef struct level {
    tr2_world *world;
    tr2_body ground, crate, lift;
} level;

static tr_status make_body(level *it, tr_body_type type, double x, double y, tr2_body *out)
{
    tr2_body_def def = tr2_body_def_default();
    def.type = type;
    def.position = (tr_dvec2){x, y};
    return tr2_world_create_body(it->world, &def, out);
}

static tr2_shape_def shape_of(tr2_shape_def def, uint64_t kind)
{
    def.user_data = kind;
    return def;
}

static tr_status make_level(level *it)
{
    tr_status status = make_body(it, TR_STATIC, 0.0, 0.0, &it->ground);
    if (status == TR_OK)
        status = make_body(it, TR_DYNAMIC, 6.0, 1.3, &it->crate);
    if (status == TR_OK)
        status = make_body(it, TR_KINEMATIC, 12.2, 0.8, &it->lift);
    if (status != TR_OK)
        return status;
    tr2_shape_def defs[] = {
        shape_of(tr2_offset_box_on(it->ground, 20.0f, 0.5f, (tr_vec2){0.0f, -0.5f}, 1.0f, 0.0f), FLOOR),
        shape_of(tr2_offset_box_on(it->ground, 4.4f, 0.15f, (tr_vec2){6.4f, 0.15f}, 1.0f, 0.0f), STAIRS),
        shape_of(tr2_offset_box_on(it->ground, 4.2f, 0.15f, (tr_vec2){6.6f, 0.45f}, 1.0f, 0.0f), STAIRS),
        shape_of(tr2_offset_box_on(it->ground, 4.0f, 0.15f, (tr_vec2){6.8f, 0.75f}, 1.0f, 0.0f), STAIRS),
        shape_of(tr2_box_on(it->crate, 0.4f, 0.4f), CRATE),
        shape_of(tr2_box_on(it->lift, 1.3f, 0.1f), LIFT),
    };
    defs[4].density = 100.0f;
    defs[4].surface.friction = 0.3f;
    status = tr2_world_create_shapes(it->world, defs, sizeof defs / sizeof defs[0], NULL);
    /* a chain segment is solid from above only */
    const tr_vec2 ends[2] = {{17.0f, 4.6f}, {13.6f, 4.6f}};
    tr2_chain_def ledge = tr2_chain_def_default();
    ledge.points = ends;
    ledge.count = 2;
    ledge.shape.body = it->ground;
    ledge.shape.user_data = LEDGE;
    return status == TR_OK ? tr2_world_create_chain(it->world, &ledge, NULL) : status;
}

static uint64_t kind_of(const tr2_world *world, tr2_shape shape)
{
    uint64_t kind = NOTHING;
    (void)tr2_shape_get_user_data(world, shape, &kind);
    return kind;
}

/* the lift waits, rises by 2 m, and waits again */
static tr_status drive(level *it, int step)
{
    float speed = step >= 420 && step < 540 ? 1.0f : 0.0f;
    return tr2_body_set_velocity(it->world, it->lift, (tr_vec2){0.0f, speed}, 0.0f);
}

/* what the player's hands do: walk to the lift, wait, go right, jump once */
static void steer(int step, bool on_ground, tr_vec2 *velocity)
{
    velocity->x = step < 390 ? 2.0f : step < 560 ? 0.0f : 1.5f;
    if (step == 620 && on_ground)
        velocity->y = 6.5f;
}

static tr_status play(level *it)
{
    tr2_character_def def = tr2_character_def_default();
    tr2_character walker = tr2_character_at(&def, (tr_dvec2){0.0, 0.05});
    tr2_character_result now = {0};
    tr_vec2 velocity = {0.0f, 0.0f};
    uint64_t stood_on = KINDS;
    bool pushes = false;
    tr_status status = TR_OK;
    for (int step = 0; step < 780 && status == TR_OK; step++) {
        status = drive(it, step);
        if (status == TR_OK)
            status = tr2_world_step(it->world, (double)dt, 4);
        /* the velocity of the last move, the player, gravity */
        steer(step, now.on_ground, &velocity);
        velocity.y -= 9.81f * dt;
        if (status == TR_OK)
            status = tr2_character_move(it->world, &walker, velocity, dt, &now);
        velocity = now.velocity;

        uint64_t stands_on = now.on_ground ? kind_of(it->world, now.ground_shape) : NOTHING;
        if (status == TR_OK && stands_on != stood_on)
            printf("%5.2f s  at (%5.2f, %4.2f) on %s\n", (step + 1) / 60.0, now.position.x, now.position.y,
                   names[stands_on]);
        stood_on = stands_on;
        for (uint32_t i = 0; i < now.hit_count && !pushes; i++) {
            pushes = now.hits[i].impulse.x > 0.0f;
            if (pushes)
                printf("%5.2f s  pushes %s\n", (step + 1) / 60.0, names[kind_of(it->world, now.hits[i].shape)]);
        }
    }
    return status;
}

int main(void)
{
    level it = {0};
    tr_error error = {TR_OK, ""};
    tr2_world_def def = tr2_world_def_default();
    if (tr2_world_create(&def, &it.world, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_status status = make_level(&it);
    if (status == TR_OK)
        status = play(&it);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", tr2_world_last_error(it.world)->message);
    tr2_world_destroy(it.world);
    return status != TR_OK;
}
