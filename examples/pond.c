/* Rafts, a sail and stones in a pond: they float or sink, the wind drives the sail, a charge goes off under them. */
#include <stdio.h>
#include <trammel/trammel.h>

enum { RAFT, PLANK, STONE, SAIL, BODIES };
static const char *const names[BODIES] = {"raft", "plank", "stone", "boat"};

static tr_status make(tr2_world *world, tr2_body bodies[BODIES])
{
    static const float half_x[BODIES] = {1.0f, 1.5f, 0.3f, 1.2f}, half_y[BODIES] = {0.3f, 0.1f, 0.3f, 0.25f};
    static const float density[BODIES] = {300.0f, 600.0f, 2500.0f, 250.0f}; /* kg/m^2; of the water 1000 */
    tr_status status = TR_OK;
    for (int i = 0; i < BODIES && status == TR_OK; i++) {
        tr2_body_def def = tr2_body_def_default();
        def.position = (tr_dvec2){-9.0 + 6.0 * i, 0.5};
        status = tr2_world_create_body(world, &def, &bodies[i]);
        tr2_shape_def box = tr2_box_on(bodies[i], half_x[i], half_y[i]);
        box.density = density[i];
        if (status == TR_OK)
            status = tr2_world_create_shape(world, &box, NULL);
    }
    /* a sail has no mass, and the wind meets it on both sides */
    tr2_shape_def sail = tr2_segment_on(bodies[SAIL], (tr_vec2){0.0f, 0.25f}, (tr_vec2){0.0f, 1.5f});
    if (status == TR_OK)
        status = tr2_world_create_shape(world, &sail, NULL);
    tr2_body_def ground = tr2_body_def_default();
    tr2_body bed = {0};
    ground.type = TR_STATIC;
    if (status == TR_OK)
        status = tr2_world_create_body(world, &ground, &bed);
    tr2_shape_def floor = tr2_segment_on(bed, (tr_vec2){-50.0f, -4.0f}, (tr_vec2){50.0f, -4.0f});
    return status == TR_OK ? tr2_world_create_shape(world, &floor, NULL) : status;
}

static tr_status print(const tr2_world *world, const tr2_body bodies[BODIES], const tr2_fluid *water, double time)
{
    printf("%4.1f s", time);
    tr_status status = TR_OK;
    for (int i = 0; i < BODIES && status == TR_OK; i++) {
        tr2_transform at;
        tr2_submersion wet;
        status = tr2_body_get_transform(world, bodies[i], &at);
        if (status == TR_OK)
            status = tr2_body_submersion(world, bodies[i], water, &wet, NULL);
        if (status == TR_OK)
            printf("   %s (%5.2f, %5.2f), %.2f m2 wet", names[i], at.position.x, at.position.y, wet.area);
    }
    printf("\n");
    return status;
}

static tr_status run(tr2_world *world)
{
    tr2_body bodies[BODIES];
    tr2_fluid water = tr2_fluid_default();
    tr2_wind wind = tr2_wind_default();
    wind.velocity.x = 8.0f;
    const float dt = 1.0f / 60.0f;
    tr_status status = make(world, bodies);
    for (int step = 0; step < 600 && status == TR_OK; step++) {
        status = tr2_world_apply_buoyancy(world, &water, NULL, TR2_ALL_BODIES, dt);
        if (status == TR_OK)
            status = tr2_world_apply_wind(world, &wind, &bodies[SAIL], 1, dt);
        if (status == TR_OK && step == 480) {
            tr2_explosion charge = tr2_explosion_default();
            charge.position = (tr_dvec2){-6.0, -1.5};
            charge.impulse_per_length = 800.0f;
            status = tr2_world_explode(world, &charge);
            printf("a charge goes off between raft and plank\n");
        }
        if (status == TR_OK)
            status = tr2_world_step(world, (double)dt, 4);
        if (status == TR_OK && step % 120 == 119)
            status = print(world, bodies, &water, (step + 1) / 60.0);
    }
    return status;
}

int main(void)
{
    tr_error error = {TR_OK, ""};
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    if (tr2_world_create(&def, &world, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_status status = run(world);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", tr2_world_last_error(world)->message);
    tr2_world_destroy(world);
    return status != TR_OK;
}
