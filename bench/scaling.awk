# Functions common to the tables and the picture of scaling; load after results.awk.

# the line in the picture and the column in the table of a case: an instruction set of Trammel, or another engine
function series_of(name) {
    return part(name, 3) == "trammel" ? part(name, 4) : part(name, 3)
}

function series_words(id) {
    return id == "box2d" ? "Box2D 2.4.1" : id == "chipmunk" ? "Chipmunk 7" : "Trammel, " id
}

function measured(name, group) {
    return part(name, 1) == group && name in repetitions
}

# sizes and series of the group "scaling", in the order of the list
function read_scaling(  i, name, size, s) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!measured(name, "scaling"))
            continue
        size = part(name, 2)
        s = series_of(name)
        if (!seen_size[size]++) {
            sizes[++size_count] = size
            joints_of[size] = v[name, "joints"]
        }
        if (!seen_series[s]++)
            series[++series_count] = s
        scaling_ns[size, s] = v[name, "ns_per_joint"]
    }
}

# the data of error against time: every method at every setting, and the peers on the same scenes
function is_error_case(name, scene) {
    if (!(name in repetitions) || part(name, 2) != scene || (name, "rms_mm") in v == 0 && v[name, "exploded"] + 0 == 0)
        return 0
    return part(name, 1) == "methods" || part(name, 1) == "engines" && part(name, 3) != "trammel"
}

function error_group(name) {
    return part(name, 3) == "trammel" ? part(name, 4) : part(name, 3)
}

function words(id) {
    gsub(/_/, " ", id)
    return id
}
