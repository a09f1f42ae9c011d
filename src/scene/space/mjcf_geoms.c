/* MJCF: geoms and the mass that they give; <inertial>. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <string.h>

#include "base/angle.h"

typedef enum mjcf_geom_type {
    MJCF_SPHERE,
    MJCF_CAPSULE,
    MJCF_CYLINDER,
    MJCF_BOX,
    MJCF_ELLIPSOID,
    MJCF_PLANE,
    MJCF_MESH,
    MJCF_HFIELD,
    MJCF_SDF,
    MJCF_GEOM_TYPE_COUNT
} mjcf_geom_type;

static const char *const type_names[MJCF_GEOM_TYPE_COUNT] = {
    [MJCF_SPHERE] = "sphere", [MJCF_CAPSULE] = "capsule",     [MJCF_CYLINDER] = "cylinder",
    [MJCF_BOX] = "box",       [MJCF_ELLIPSOID] = "ellipsoid", [MJCF_PLANE] = "plane",
    [MJCF_MESH] = "mesh",     [MJCF_HFIELD] = "hfield",       [MJCF_SDF] = "sdf"};

static tr_status read_type(const mjcf *it, const mjcf_at *at, mjcf_geom_type *out)
{
    const uint32_t node = tr3_mjcf_holder(it, at, "type");
    *out = MJCF_SPHERE;
    if (node == MJCF_NONE)
        return TR_OK;
    const char *name = tr_xml_get(it->model->xml, node, "type");
    for (uint32_t i = 0; i < MJCF_GEOM_TYPE_COUNT; i++) {
        if (strcmp(name, type_names[i]) == 0) {
            *out = (mjcf_geom_type)i;
            return TR_OK;
        }
    }
    return tr3_model_fail(it->model, node, "type", "there is no geom of the type \"%.30s\"", name);
}

/* how many sizes a type has; by fromto, one */
static uint32_t sizes_of(mjcf_geom_type type)
{
    return type == MJCF_SPHERE ? 1 : type == MJCF_CAPSULE || type == MJCF_CYLINDER ? 2 : 3;
}

/* sizes and frame; by fromto z goes along it, and the first size is that of the directions across */
static tr_status read_size(const mjcf *it, const mjcf_at *at, mjcf_geom_type type, double size[3], tr3_frame *frame)
{
    const tr3_model *model = it->model;
    double ends[6];
    uint32_t found = 0, count = 0;
    tr_status status = TR_OK;
    if (type != MJCF_SPHERE)
        status = tr3_mjcf_numbers(it, at, "fromto", 6, 6, ends, &count);
    const uint32_t sizes = sizes_of(type), wanted = count > 0 ? 1 : sizes, node = tr3_mjcf_holder(it, at, "size");
    if (status == TR_OK && node == MJCF_NONE)
        return tr3_model_fail(model, at->node, "size", "is missing");
    if (status == TR_OK)
        status = tr3_model_numbers(model, node, "size", 1, 3, size, &found);
    if (status != TR_OK)
        return status;
    if (found < wanted)
        return tr3_model_fail(model, node, "size", "a %s has %u sizes, found %u", type_names[type], wanted, found);
    if (count == 0)
        return tr3_mjcf_frame(it, at, frame);
    const tr_dvec3 a = {ends[0], ends[1], ends[2]}, b = {ends[3], ends[4], ends[5]}, d = tr3_minus(b, a);
    const double length = sqrt(tr3_dot(d, d));
    if (!(length > 1e-15))
        return tr3_model_fail(model, tr3_mjcf_holder(it, at, "fromto"), "fromto", "has no length");
    size[1] = size[0];
    size[sizes - 1] = 0.5 * length;
    *frame = (tr3_frame){tr3_times(0.5, tr3_plus(a, b)), tr3_mjcf_turn_z(tr3_over(d, length))};
    return TR_OK;
}

static tr3_scene_shape_type shape_of(mjcf_geom_type type)
{
    return type == MJCF_SPHERE     ? TR3_SCENE_SPHERE
           : type == MJCF_CAPSULE  ? TR3_SCENE_CAPSULE
           : type == MJCF_CYLINDER ? TR3_SCENE_CYLINDER
                                   : TR3_SCENE_BOX;
}

/* of density 1, in its own frame */
static tr3_mass unit_mass(mjcf_geom_type type, const double size[3])
{
    if (type == MJCF_ELLIPSOID) {
        const double x = size[0] * size[0], y = size[1] * size[1], z = size[2] * size[2];
        const double mass = 4.0 / 3.0 * TR_PI * size[0] * size[1] * size[2];
        const tr_dsym3 inertia = {0.2 * mass * (y + z), 0.2 * mass * (z + x), 0.2 * mass * (x + y), 0.0, 0.0, 0.0};
        return (tr3_mass){mass, {0.0, 0.0, 0.0}, inertia};
    }
    tr3_scene_shape shape = {.type = shape_of(type), .rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .density = 1.0f};
    shape.radius = (float)size[0];
    shape.half = (tr_vec3){(float)size[0], (float)size[1], (float)size[2]};
    shape.from.z = -(float)size[1];
    shape.to.z = (float)size[1];
    const tr3_scene scene = {.shapes = &shape, .shape_count = 1};
    return tr3_scene_mass(&scene, 0, 1);
}

static tr_status check_sizes(const mjcf *it, const mjcf_at *at, mjcf_geom_type type, const double size[3])
{
    for (uint32_t i = 0; i < sizes_of(type); i++) {
        if (!((float)size[i] > 0.0f))
            return tr3_model_fail(it->model, at->node, "size", "expected numbers above 0, found %g", size[i]);
    }
    return TR_OK;
}

/* the mass of a geom; *density is what it comes to */
static tr_status read_mass(const mjcf *it, const mjcf_at *at, mjcf_geom_type type, const double size[3],
                           double *density, tr3_mass *out)
{
    double mass = -1.0;
    *density = 1000.0;
    *out = unit_mass(type, size);
    tr_status status = tr3_mjcf_number(it, at, "density", density);
    if (status == TR_OK)
        status = tr3_mjcf_number(it, at, "mass", &mass);
    const bool has_mass = tr3_mjcf_holder(it, at, "mass") != MJCF_NONE;
    if (status == TR_OK && (*density < 0.0 || (has_mass && mass < 0.0)))
        return tr3_model_fail(it->model, at->node, has_mass ? "mass" : "density", "expected a number from 0, found %g",
                              has_mass ? mass : *density);
    if (has_mass)
        *density = mass / out->mass;
    if (status == TR_OK && !(*density * out->mass <= TR3_MODEL_GREATEST && *density <= TR3_MODEL_GREATEST))
        return tr3_model_fail(it->model, at->node, has_mass ? "mass" : "density", "is too large for its size");
    out->mass *= *density;
    tr_dsym3 *own = &out->inertia;
    double *const parts[3] = {&own->xx, &own->yy, &own->zz};
    for (int i = 0; i < 3; i++)
        *parts[i] *= *density;
    return status;
}

static tr_status keep_geom(mjcf *it, const mjcf_geom *geom)
{
    void *array = it->geoms;
    tr_status status =
        tr_scene_grow(&array, &it->geom_capacity, it->geom_count + 1, sizeof *it->geoms, it->model->error);
    it->geoms = array;
    if (status == TR_OK)
        it->geoms[it->geom_count++] = *geom;
    return status;
}

/* what says how geoms touch and look is of no use here */
const char *const tr3_mjcf_geom_known[] = {
    "name",   "class",  "type",     "contype", "conaffinity", "condim",   "group",     "priority",
    "size",   "fromto", "material", "rgba",    "friction",    "mass",     "density",   "solmix",
    "solref", "solimp", "margin",   "gap",     "pos",         "quat",     "axisangle", "xyaxes",
    "zaxis",  "euler",  "mesh",     "hfield",  "user",        "fitscale", NULL};

tr_status tr3_mjcf_read_geom(mjcf *it, uint32_t node, uint32_t body, uint32_t class, const tr3_frame *around)
{
    static const char *const none[] = {NULL};
    tr3_model *model = it->model;
    mjcf_at at;
    mjcf_geom_type type;
    tr3_model_known(model, node, tr3_mjcf_geom_known, none);
    tr_status status = tr3_mjcf_at_of(it, MJCF_GEOM, node, class, &at);
    if (status == TR_OK)
        status = read_type(it, &at, &type);
    if (status != TR_OK)
        return status;
    /* a solid that is to be fitted to a mesh has no size */
    if (type < MJCF_PLANE && tr3_mjcf_holder(it, &at, "mesh") != MJCF_NONE)
        type = MJCF_MESH;
    if (type >= MJCF_PLANE) {
        /* a plane is always of the world, and has no mass */
        if (type == MJCF_PLANE)
            tr3_model_notice(model, node, NULL, "a plane is not drawn: nothing collides in space yet");
        else
            tr3_model_notice(model, node, NULL, "a %s gives no mass and is not drawn", type_names[type]);
        return TR_OK;
    }
    double size[3] = {0.0, 0.0, 0.0}, density = 0.0;
    tr3_frame own;
    tr3_mass mass = {0};
    status = read_size(it, &at, type, size, &own);
    if (status == TR_OK)
        status = check_sizes(it, &at, type, size);
    if (status == TR_OK)
        status = read_mass(it, &at, type, size, &density, &mass);
    if (status != TR_OK)
        return status;
    const tr3_frame frame = tr3_frame_in(around, &own);
    mjcf_body *of = &it->bodies[body];
    if (!it->never_geoms && (it->always_geoms || !of->has_inertial)) {
        const tr3_mass placed = tr3_mass_in(&frame, &mass);
        tr3_mass_add(&of->mass, &placed);
    } else
        density = 0.0;
    if (type == MJCF_ELLIPSOID) {
        tr3_model_notice(model, node, NULL, "an ellipsoid gives mass and is not drawn");
        return TR_OK;
    }
    const mjcf_geom geom = {node, body, shape_of(type), {size[0], size[1], size[2]}, density, frame};
    return keep_geom(it, &geom);
}

tr_status tr3_mjcf_read_inertial(mjcf *it, uint32_t node, uint32_t body)
{
    static const char *const known[] = {"pos",  "quat",  "axisangle",   "xyaxes",      "zaxis", "euler",
                                        "mass", "class", "diaginertia", "fullinertia", NULL};
    static const char *const none[] = {NULL};
    tr3_model *model = it->model;
    const mjcf_at at = {MJCF_OTHER, node, MJCF_NONE};
    tr3_frame frame;
    tr3_mass own = {0};
    double parts[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    tr3_model_known(model, node, known, none);
    if (it->always_geoms)
        return TR_OK;
    if (tr_xml_get(model->xml, node, "mass") == NULL || tr_xml_get(model->xml, node, "pos") == NULL)
        return tr3_model_fail(model, node, tr_xml_get(model->xml, node, "pos") == NULL ? "pos" : "mass", "is missing");
    const bool full = tr_xml_get(model->xml, node, "fullinertia") != NULL;
    tr_status status = tr3_mjcf_frame(it, &at, &frame);
    if (status == TR_OK)
        status = tr3_model_number(model, node, "mass", &own.mass);
    if (status == TR_OK && own.mass < 0.0)
        return tr3_model_fail(model, node, "mass", "expected a number from 0, found %g", own.mass);
    if (status == TR_OK)
        status = full ? tr3_model_numbers(model, node, "fullinertia", 6, 6, parts, NULL)
                      : tr3_model_numbers(model, node, "diaginertia", 3, 3, parts, NULL);
    own.inertia = (tr_dsym3){parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]};
    if (status == TR_OK)
        status = tr3_model_mend(model, node, &own);
    if (status == TR_OK)
        it->bodies[body].mass = tr3_mass_in(&frame, &own);
    return status;
}

#endif
