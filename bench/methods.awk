# Functions common to the tables and the pictures of the comparisons of methods (the variable `report` is their group of
# cases: methods or exact); load after results.awk.

# whether a case of the comparison has results, or why not
function compared(name) {
    return part(name, 1) == report && (name in repetitions || name in failed)
}

# over a twentieth of the energy that moved is gain: the result is not a motion of the scene
function wild(name) {
    return v[name, "energy_gain"] + 0 > 0.05
}

function words(id) {
    gsub(/_/, " ", id)
    return id
}

# in the order of the list: scenes, methods, and the settings of each method, e.g. "4x1"
function read_names(  i, name, scene, method, setting) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!compared(name))
            continue
        scene = part(name, 2)
        method = part(name, 4)
        setting = part(name, 5)
        if (!seen_scene[scene]++)
            scenes[++scene_count] = scene
        if (!seen_method[method]++)
            methods[++method_count] = method
        if (!seen_setting[method, setting]++)
            settings[method, ++setting_count[method]] = setting
    }
}

function name_of(scene, method, setting) {
    return report "/" scene "/trammel/" method "/" setting
}
