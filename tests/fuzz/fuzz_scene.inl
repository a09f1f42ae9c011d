/* What is true of every scene that was read, once for each dimension: IN(x) is tr2_x or tr3_x. */

/* builds it into a world of its own, which takes all of it, or nothing and says why */
static void IN(check_build)(const IN(scene) * scene)
{
    tr_error error = {TR_OK, ""};
    IN(world) *world = NULL;
    IN(world_def) def = IN(scene_world_def)(scene);
    def.threads = 1;
    if (IN(world_create)(&def, &world, &error) != TR_OK) {
        require(error.message[0] != '\0', "a world is refused without a reason", &error);
        return;
    }
    tr_status status = IN(scene_build)(scene, world, NULL, NULL, &error);
    tr_statistics statistics = IN(world_statistics)(world);
    require(status == TR_OK || (error.status == status && error.message[0] != '\0'), "refused without a reason",
            &error);
    require(statistics.bodies == (status == TR_OK ? scene->body_count : 0), "bodies of half a scene", &error);
    require(statistics.joints == (status == TR_OK ? scene->joint_count : 0), "joints of half a scene", &error);
#ifdef TR_FUZZ_REPLAY
    /* only where kernels are compiled to be run */
    for (uint32_t i = 0; i < 3 && status == TR_OK; i++) {
        tr_status step = IN(world_step)(world, 1.0 / 60.0, 2);
        require(step == TR_OK, "cannot be stepped", IN(world_last_error)(world));
    }
#endif
    IN(world_destroy)(world);
}

/* writes it, reads that and writes it again: the texts are equal */
static void IN(check_scene)(const IN(scene) * scene)
{
    tr_error error = {TR_OK, ""};
    IN(scene) *again = NULL;
    char *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0;
    require(IN(scene_write)(scene, &first, &first_size, &error) == TR_OK, "a read scene cannot be written", &error);
    require(IN(scene_parse)(first, first_size, "again", &again, &error) == TR_OK, "a written scene cannot be read",
            &error);
    require(IN(scene_write)(again, &second, &second_size, &error) == TR_OK, "cannot be written twice", &error);
    require(first_size == second_size && memcmp(first, second, first_size) == 0, "the two texts differ", &error);
    require(scene->body_count == again->body_count && scene->joint_count == again->joint_count &&
                scene->shape_count == again->shape_count,
            "counts differ", &error);
    free(first);
    free(second);
    IN(check_build)(scene);
    IN(scene_destroy)(again);
}
