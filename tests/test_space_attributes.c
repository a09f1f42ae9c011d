/*
 * All that readers of robots read, attribute by attribute: what they do not know is a notice with its line, and a number
 * that is none is an error with file, line, element and attribute. The documents have every element that is read.
 */
#include "instrumented.h"
#include "space_model.h"

#ifdef TR_WITH_XML

#define LINK(NAME)                                                                                                     \
    "<link name='" NAME "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"

static const char urdf[] =
    "<robot name='rich' version='1.0'>\n"
    "<link name='base'>\n"
    "<inertial>\n"
    "<origin xyz='0.1 0 0' rpy='0 0.1 0'/>\n"
    "<mass value='2'/>\n"
    "<inertia ixx='1' ixy='0.1' ixz='0.1' iyy='1' iyz='0.1' izz='1'/>\n"
    "</inertial>\n"
    "<visual name='seen'>\n"
    "<origin xyz='0 0 0.1' rpy='0 0 0.2'/>\n"
    "<geometry>\n"
    "<box size='1 2 3'/>\n"
    "</geometry>\n"
    "</visual>\n"
    "<visual><geometry>\n"
    "<cylinder radius='1' length='2'/>\n"
    "</geometry></visual>\n"
    "<collision name='hit'>\n"
    "<origin xyz='0 0 0.3' rpy='0 0 0.3'/>\n"
    "<geometry>\n"
    "<sphere radius='1.5'/>\n"
    "</geometry></collision>\n"
    "<collision><geometry>\n"
    "<capsule radius='1.5' length='4'/>\n"
    "</geometry></collision>\n"
    "</link>\n" LINK("a") LINK("b") LINK("c")
        LINK("d") "<joint name='turn' type='revolute'>\n"
                  "<parent link='base'/>\n"
                  "<child link='a'/>\n"
                  "<origin xyz='1 0 0' rpy='0 0 0.5'/>\n"
                  "<axis xyz='0 0 1'/>\n"
                  "<limit lower='-1' upper='1' effort='10' velocity='3'/>\n"
                  "<dynamics damping='0.1' friction='0.2'/>\n"
                  "</joint>\n"
                  "<joint name='follow' type='continuous'><parent link='base'/><child link='b'/>\n"
                  "<mimic joint='turn' multiplier='2' offset='0.1'/>\n"
                  "</joint>\n"
                  "<joint name='slide' type='prismatic'><parent link='base'/><child link='c'/>\n"
                  "<limit lower='0' upper='1' effort='10' velocity='3'/>\n"
                  "</joint>\n"
                  "<joint name='glide' type='planar'><parent link='base'/><child link='d'/>\n"
                  "<dynamics damping='8' friction='9'/>\n"
                  "</joint>\n"
                  "</robot>\n";

static const char mjcf[] =
    "<mujoco model='rich'>\n"
    "<compiler angle='radian' eulerseq='xyz' autolimits='true' inertiafromgeom='auto' coordinate='local'/>\n"
    "<option timestep='0.004' gravity='0 0 -9.5'>\n"
    "</option>\n"
    "<default>\n"
    "<geom density='900'/>\n"
    "<joint damping='0.1' armature='0.01'/>\n"
    "<motor gear='2'/>\n"
    "</default>\n"
    "<worldbody>\n"
    "<body name='a' pos='0 0 1' quat='1 0 0 0' gravcomp='0.5'>\n"
    "<freejoint name='free'/>\n"
    "<inertial pos='0 0 0.1' mass='1' diaginertia='1 1 1' quat='1 0 0 0'/>\n"
    "<geom name='box' type='box' size='0.1 0.2 0.3' pos='0 0 0.1' euler='0 0.1 0' mass='1'/>\n"
    "<geom type='sphere' size='0.5' density='10'/>\n"
    "<body name='b' pos='0 0 1' axisangle='0 0 1 0.3'>\n"
    "<joint name='h' axis='0 1 0' pos='0 0 0.1' range='-1 1' ref='0.1' stiffness='2' frictionloss='0.1' "
    "springref='0.2' actuatorfrcrange='-5 5'/>\n"
    "<geom type='capsule' fromto='0 0 0 0 0 0.5' size='0.05'/>\n"
    "<body name='c' pos='0 0 1' xyaxes='1 0 0 0 1 0'>\n"
    "<joint name='s' type='slide' axis='0 0 1' range='-1 1' springdamper='0.5 1'/>\n"
    "<geom type='ellipsoid' size='0.1 0.2 0.3'/>\n"
    "<frame pos='0 0 0.1' euler='0 0 0.1'>\n"
    "<geom type='cylinder' size='0.1 0.2' zaxis='0 1 1'/>\n"
    "</frame>\n"
    "</body>\n"
    "<body name='d' pos='0.5 0 1'>\n"
    "<joint name='ball' type='ball' range='0 1' damping='0.2'/>\n"
    "<inertial pos='0 0 0.1' mass='1' fullinertia='1 1 1 0.1 0.1 0.1'/>\n"
    "</body>\n"
    "<body name='e' pos='-0.5 0 1'>\n"
    "<joint name='x' axis='1 0 0'/>\n"
    "<joint name='y' axis='0 1 0'/>\n"
    "<geom type='capsule' size='0.05 0.2'/>\n"
    "</body>\n"
    "</body>\n"
    "</body>\n"
    "</worldbody>\n"
    "<contact>\n"
    "<exclude body1='a' body2='b'/>\n"
    "</contact>\n"
    "<equality>\n"
    "<connect body1='c' body2='d' anchor='0 0 0.1' active='true'/>\n"
    "<weld body1='c' body2='e' relpose='0 0 0 1 0 0 0' active='false'/>\n"
    "<joint joint1='h' joint2='s' polycoef='0 2 0 0 0'/>\n"
    "</equality>\n"
    "<tendon>\n"
    "<fixed name='one' limited='true' range='-1 1' stiffness='1' damping='0.1' springlength='0.1' frictionloss='0.1'>\n"
    "<joint joint='h' coef='1.5'/>\n"
    "</fixed>\n"
    "<fixed name='two' stiffness='1' damping='0.1' springlength='0.1'>\n"
    "<joint joint='h' coef='1.5'/><joint joint='s' coef='2.5'/>\n"
    "</fixed>\n"
    "</tendon>\n"
    "<actuator>\n"
    "<motor joint='h' ctrlrange='-1 1' ctrllimited='true' forcerange='-5 5'/>\n"
    "<velocity joint='s' kv='10' ctrlrange='-1 1'/>\n"
    "<position joint='x' kp='10' kv='0.1' forcerange='-3 3'/>\n"
    "<general joint='y' gainprm='1 0 0' biasprm='0 0 0'/>\n"
    "</actuator>\n"
    "</mujoco>\n";

typedef struct place {
    char element[32];
    uint32_t line;
    const char *after; /* the element's name */
} place;

/* the next start of an element from here on; false: there is none */
static bool next_element(const char *text, const char *from, place *out)
{
    do {
        from = strchr(from, '<');
        if (from == NULL)
            return false;
        from++;
    } while (*from == '/');
    const size_t length = strcspn(from, " />\n");
    assert_true(length < sizeof out->element);
    memcpy(out->element, from, length);
    out->element[length] = '\0';
    out->line = 1;
    for (const char *c = text; c < from; c++)
        out->line += *c == '\n' ? 1 : 0;
    out->after = from + length;
    return true;
}

/* the text with something else in place of a part of it */
static char *with(const char *text, const char *at, size_t without, const char *what)
{
    char *out = malloc(strlen(text) + strlen(what) + 1);
    assert_non_null(out);
    memcpy(out, text, (size_t)(at - text));
    strcpy(out + (at - text), what);
    strcat(out, at + without);
    return out;
}

static void unknown_ones_are_said(const char *text)
{
    place at = {.after = text};
    for (uint32_t count = 0; next_element(text, at.after, &at); count++) {
        char want[96], *changed = with(text, at.after, 0, " other='1'");
        tr3_scene *scene = model(changed);
        snprintf(want, sizeof want, "line %u: <%s> other: is not read", at.line, at.element);
        model_want_notice(scene, want);
        tr3_scene_destroy(scene);
        free(changed);
        /* and elements inside */
        const char *end = strchr(at.after, '>');
        char close[48];
        const bool empty = end[-1] == '/';
        snprintf(close, sizeof close, empty ? "><other/></%s>" : "><other/>", at.element);
        changed = with(text, empty ? end - 1 : end, empty ? 2 : 1, close);
        scene = model(changed);
        model_want_notice(scene, "<other>: is not ");
        tr3_scene_destroy(scene);
        free(changed);
    }
}

static void what_is_not_known_is_said(void **state)
{
    (void)state;
    unknown_ones_are_said(urdf);
    unknown_ones_are_said(mjcf);
}

/* attributes of numbers are those that begin with one */
static void numbers_are_checked(const char *text)
{
    static const char *const wrong[] = {"1 x", "", "nan", "1e39"};
    place at = {.after = text};
    uint32_t tried = 0;
    while (next_element(text, at.after, &at)) {
        const char *c = at.after, *end = strchr(c, '>');
        while ((c = strchr(c, '\'')) != NULL && c < end) {
            const char *value = c + 1, *name = c;
            const size_t length = strcspn(value, "'");
            while (name[-1] != ' ')
                name--;
            c = value + length + 1;
            const bool number = strspn(value, "-.0123456789 ") == length;
            for (size_t i = 0; number && strcmp(at.element, "robot") != 0 && i < sizeof wrong / sizeof wrong[0]; i++) {
                char want[96], *changed = with(text, value, length, wrong[i]);
                snprintf(want, sizeof want, "test:%u: <%s> %.*s: ", at.line, at.element, (int)(value - 2 - name), name);
                model_refused(changed, NULL, TR_ERROR_PARSE, want);
                free(changed);
                tried++;
            }
        }
    }
    assert_true(tried > 100);
}

static void what_is_no_number_is_an_error(void **state)
{
    (void)state;
    numbers_are_checked(urdf);
    numbers_are_checked(mjcf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_known_is_said),
        cmocka_unit_test(what_is_no_number_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
