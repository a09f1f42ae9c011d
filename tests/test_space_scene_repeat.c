/* Copies of a scene in space in one world. */
#include "scene_repeated.h"

static void copies_move_as_one_does(void **state)
{
    (void)state;
    repeat_moves_alike(TR_SCENES_DIR "/space/joints/pulley.json", 0.05);
    repeat_moves_alike(TR_SCENES_DIR "/space/joints/gear.json", 0.01);
    repeat_moves_alike(TR_SCENES_DIR "/space/legs.xml", 0.01);
}

static void what_cannot_be_repeated_is_refused(void **state)
{
    (void)state;
    repeat_refuses(TR_SCENES_DIR "/space/joints/pulley.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_move_as_one_does),
        cmocka_unit_test(what_cannot_be_repeated_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
