/* A small platform game: a lift moved by the application, a one-way ledge, a door with a sensor, a fast shot, and
   the events that they cause. */
#include <stdio.h>
#include <trammel/trammel.h>

/* values of the shapes' user data */
enum { NOTHING, FLOOR, LIFT, LEDGE, DOOR, PLAYER, TARGET, SHOT, KINDS };
static const char *const names[KINDS] = {"nothing", "floor", "lift", "ledge", "door", "player", "target", "shot"};

/* category bits: the door's sensor detects players only */
enum { SOLID = 1, PERSON = 2 };

typedef struct level {
    tr2_world *world;
    tr2_body ground, lift, player, shot, target;
} level;

static tr_status make_body(level *it, tr_body_type type, double x, double y, tr2_body *out)
{
    tr2_body_def def = tr2_body_def_default();
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.fixed_rotation = true;
    return tr2_world_create_body(it->world, &def, out);
}

static tr_status make_bodies(level *it)
{
    tr_status status = make_body(it, TR_STATIC, 0.0, 0.0, &it->ground);
    if (status == TR_OK)
        status = make_body(it, TR_KINEMATIC, 4.0, 0.25, &it->lift);
    if (status == TR_OK)
        status = make_body(it, TR_DYNAMIC, 0.0, 1.0, &it->player);
    if (status == TR_OK)
        status = make_body(it, TR_DYNAMIC, 14.0, 0.5, &it->target);
    if (status == TR_OK)
        status = make_body(it, TR_DYNAMIC, 11.0, 0.6, &it->shot);
    if (status == TR_OK)
        status = tr2_body_set_bullet(it->world, it->shot, true);
    /* the shot is not affected by gravity */
    return status == TR_OK ? tr2_body_set_gravity_scale(it->world, it->shot, 0.0f) : status;
}

static tr2_shape_def shape_of(tr2_shape_def def, uint64_t kind, uint64_t category)
{
    def.user_data = kind;
    def.filter.category = category;
    return def;
}

static tr_status make_shapes(level *it)
{
    tr2_shape_def defs[] = {
        shape_of(tr2_segment_on(it->ground, (tr_vec2){-20.0f, 0.0f}, (tr_vec2){20.0f, 0.0f}), FLOOR, SOLID),
        shape_of(tr2_box_on(it->lift, 1.0f, 0.2f), LIFT, SOLID),
        shape_of(tr2_offset_box_on(it->ground, 1.0f, 0.2f, (tr_vec2){0.0f, 2.6f}, 1.0f, 0.0f), LEDGE, SOLID),
        shape_of(tr2_offset_box_on(it->ground, 0.3f, 1.0f, (tr_vec2){5.6f, 3.9f}, 1.0f, 0.0f), DOOR, SOLID),
        shape_of(tr2_capsule_on(it->player, (tr_vec2){0.0f, -0.5f}, (tr_vec2){0.0f, 0.5f}, 0.4f), PLAYER, PERSON),
        shape_of(tr2_box_on(it->target, 0.02f, 0.5f), TARGET, SOLID),
        shape_of(tr2_circle_on(it->shot, (tr_vec2){0.0f, 0.0f}, 0.05f), SHOT, SOLID),
    };
    enum { FIRST_LEDGE = 2, FIRST_DOOR, FIRST_PLAYER, FIRST_TARGET, FIRST_SHOT };
    defs[FIRST_LEDGE].custom_filter = true;
    defs[FIRST_DOOR].sensor = true;
    defs[FIRST_DOOR].filter.mask = PERSON;
    defs[FIRST_PLAYER].density = 60.0f;
    defs[FIRST_TARGET].density = 100.0f;
    defs[FIRST_SHOT].density = 2000.0f;
    defs[FIRST_SHOT].hit_events = true;
    return tr2_world_create_shapes(it->world, defs, sizeof defs / sizeof defs[0], NULL);
}

/* the ledge is solid for bodies that already stand on it or land on it from above */
static bool is_solid(const tr2_shape_contact *contact, void *context)
{
    const level *it = context;
    uint64_t kind = NOTHING;
    if (contact->impulse.total[0] > 0.0f || tr2_shape_get_user_data(it->world, contact->shape_a, &kind) != TR_OK)
        return true;
    bool ledge_first = kind == LEDGE;
    tr_vec2 velocity = {0.0f, 0.0f};
    float spin;
    (void)tr2_body_get_velocity(it->world, ledge_first ? contact->body_b : contact->body_a, &velocity, &spin);
    float up = ledge_first ? contact->normal.y : -contact->normal.y;
    return up > 0.7f && velocity.y <= 0.0f && contact->separation[0] > -0.1f;
}

static void print_touches(const tr2_world *world, double time)
{
    static const char *const verbs[] = {"touches", "leaves", "hits", "sees", "loses sight of"};
    tr2_touch_view touches = tr2_world_touches(world);
    for (uint32_t i = 0; i < touches.count; i++) {
        const tr2_touch_event *event = &touches.event[i];
        printf("%5.2f s  %s %s %s", time, names[event->user_data_a], verbs[event->kind], names[event->user_data_b]);
        if (event->kind == TR2_TOUCH_HIT)
            printf(" at %.0f m/s", (double)event->speed);
        printf("\n");
    }
}

/* jump, walk, ride the lift, walk through the door; sets the speed along x and leaves y to gravity */
static tr_status control(level *it, int step)
{
    tr_vec2 velocity;
    float spin;
    tr_status status = tr2_body_get_velocity(it->world, it->player, &velocity, &spin);
    if (step == 30)
        velocity.y = 8.0f; /* jump through the ledge from below */
    if (step >= 120)
        velocity.x = step < 180 ? 4.0f : step < 300 ? 0.0f : 2.0f; /* leave the ledge, wait on the lift, leave it */
    if (status == TR_OK && (step == 30 || step >= 120))
        status = tr2_body_set_velocity(it->world, it->player, velocity, spin);
    /* the lift rises by 2.4 m and stops */
    if (status == TR_OK)
        status =
            tr2_body_set_velocity(it->world, it->lift, (tr_vec2){0.0f, step >= 200 && step < 320 ? 1.2f : 0.0f}, 0.0f);
    /* 300 m/s is five metres per step; the target is 4 cm wide */
    if (status == TR_OK && step == 10)
        status = tr2_body_set_velocity(it->world, it->shot, (tr_vec2){300.0f, 0.0f}, 0.0f);
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
    tr_status status = make_bodies(&it);
    if (status == TR_OK)
        status = make_shapes(&it);
    if (status == TR_OK)
        status = tr2_world_set_contact_filter(it.world, is_solid, &it);
    for (int step = 0; step < 480 && status == TR_OK; step++) {
        status = control(&it, step);
        if (status == TR_OK)
            status = tr2_world_step(it.world, 1.0 / 60.0, 4);
        if (status == TR_OK)
            print_touches(it.world, (step + 1) / 60.0);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", tr2_world_last_error(it.world)->message);
    tr2_world_destroy(it.world);
    return status != TR_OK;
}
