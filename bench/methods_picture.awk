# The pictures of docs/methods.md and docs/exact.md as SVG: error against time, with a panel per scene and a line per method.
# Load after results.awk, methods.awk and picture.awk.

# the range of a panel's values, in decades, with a margin
function range(scene,  i, name, x, y) {
    x_low = y_low = 99
    x_high = y_high = -99
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!(name in repetitions) || part(name, 1) != report || part(name, 2) != scene)
            continue
        x = log10(v[name, "least_ns_per_joint"])
        x_low = x < x_low ? x : x_low
        x_high = x > x_high ? x : x_high
        if (v[name, "exploded"] + 0 > 0)
            continue
        y = log10(v[name, "rms_mm"])
        y_low = y < y_low ? y : y_low
        y_high = y > y_high ? y : y_high
    }
    x_low -= 0.06
    x_high += 0.06 + 0.05 * (x_high - x_low)
    y_low -= 0.2
    y_high += 0.2 * (y_high - y_low)
}

# labels the points with their sub-steps, each method on its own side
function line(scene, m,  i, name, setting, path, x, y, marks, n) {
    path = ""
    for (i = 1; i <= setting_count[methods[m]]; i++) {
        setting = settings[methods[m], i]
        name = name_of(scene, methods[m], setting)
        if (!(name in repetitions) || v[name, "exploded"] + 0 > 0)
            continue
        # points of the classic method with other sub-steps are not on its line of sweeps
        if (setting ~ /^1x/ || methods[m] != "sequential_impulses")
            path = path (path == "" ? "M" : "L") sprintf("%.1f %.1f", at_x(v[name, "least_ns_per_joint"]), at_y(v[name, "rms_mm"]))
    }
    if (path != "")
        printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, color[methods[m]]
    for (i = 1; i <= setting_count[methods[m]]; i++) {
        setting = settings[methods[m], i]
        name = name_of(scene, methods[m], setting)
        if (!(name in repetitions))
            continue
        x = at_x(v[name, "least_ns_per_joint"])
        if (v[name, "exploded"] + 0 > 0) {
            cross(x, top + 8 + 10 * (m - 1), color[methods[m]])
            continue
        }
        y = at_y(v[name, "rms_mm"])
        mark(x, y, color[methods[m]], wild(name))
        sub(/x1$/, "", setting)
        text(x + shift_x[methods[m]], y + shift_y[methods[m]],
             shift_x[methods[m]] < 0 ? "end" : shift_x[methods[m]] > 0 ? "start" : "middle", setting,
             " font-size=\"11\" fill=\"" color[methods[m]] "\"")
    }
}

function legend(  m, y) {
    place(6)
    y = top + 10
    for (m = 1; m <= method_count; m++) {
        printf "<path d=\"M%d %dh36\" stroke=\"%s\" stroke-width=\"2\"/>\n", left, y - 4, color[methods[m]]
        mark(left + 18, y - 4, color[methods[m]], 0)
        text(left + 48, y, "start", words(methods[m]), " font-size=\"15\"")
        y += 25
    }
    mark(left + 18, y - 4, "#444444", 1)
    text(left + 48, y, "start", "gains energy: runs wild", "")
    cross(left + 18, y + 21, "#444444")
    text(left + 48, y + 25, "start", "explodes (a joint opens by 100 m)", "")
    text(left, y + 58, "start", "Numbers at points: sub-steps of 1/60 s" (seen_method["sequential_impulses"] ? "," : "."), "")
    text(left, y + 76, "start", (seen_method["sequential_impulses"] ? "or sub-steps x sweeps. " : "") "Lower left is better.", "")
    text(left, y + 94, "start", "Across: ns per joint and step, one thread.", "")
    if (report == "exact") {
        text(left, y + 112, "start", "Up: rms error of joints, mm; of the linkage", "")
        text(left, y + 130, "start", "the distance from its true motion.", "")
    } else
        text(left, y + 112, "start", "Up: rms error of joints, 500 steps, mm.", "")
}

function look(method, its_color, across, up) {
    color[method] = its_color
    shift_x[method] = across
    shift_y[method] = up
}

function draw(  s) {
    look("soft_step", "#c8501e", 0, -8)
    look("small_step", "#1565c0", -6, 12)
    look("position_based", "#2e7d32", 6, -3)
    look("sequential_impulses", "#7b3fa0", 0, 17)
    look("direct", "#222222", 5, -5)
    picture_begin("Error against time of " method_count " methods on " scene_count " scenes")
    for (s = 1; s <= scene_count && s <= 5; s++) {
        place(s)
        range(scenes[s])
        text(left, top - 12, "start", scenes[s], " font-size=\"15\" font-weight=\"bold\"")
        text(left + width, top - 12, "end", "mm against ns", "")
        grid()
        for (m = method_count; m >= 1; m--)
            line(scenes[s], m)
    }
    legend()
    picture_end()
}

END {
    read_names()
    draw()
}
