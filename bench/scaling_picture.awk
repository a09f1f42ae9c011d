# The picture of docs/benchmarks-scaling.md: time per joint against the number of joints, threads and lanes, and error
# against time. Load after results.awk, scaling.awk and picture.awk.

function color_of(id) {
    return id in colors ? colors[id] : "#555555"
}

function heading(what, unit) {
    text(left, top - 12, "start", what, " font-size=\"15\" font-weight=\"bold\"")
    text(left + width, top - 12, "end", unit, "")
}

function polyline(points, color, dashes) {
    if (points != "")
        printf "<path d=\"M%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", points, color,
               dashes ? " stroke-dasharray=\"5 4\"" : ""
}

function join(points, x, y) {
    return points (points == "" ? "" : "L") sprintf("%.1f %.1f", x, y)
}

# adds a margin around the data
function range_widen() {
    x_low -= 0.08
    x_high += 0.08
    y_low -= 0.12
    y_high += 0.12
}

function panel_joints(  i, j, points) {
    place(1)
    heading("joints", "ns per joint and step")
    range_begin()
    for (i = 1; i <= size_count; i++)
        for (j = 1; j <= series_count; j++)
            if ((sizes[i], series[j]) in scaling_ns)
                range_add(joints_of[sizes[i]], scaling_ns[sizes[i], series[j]])
    range_widen()
    grid()
    for (j = 1; j <= series_count; j++) {
        points = ""
        for (i = 1; i <= size_count; i++)
            if ((sizes[i], series[j]) in scaling_ns) {
                points = join(points, at_x(joints_of[sizes[i]]), at_y(scaling_ns[sizes[i], series[j]]))
                mark(at_x(joints_of[sizes[i]]), at_y(scaling_ns[sizes[i], series[j]]), color_of(series[j]), 0)
            }
        polyline(points, color_of(series[j]), 0)
    }
}

# with ideal scaling as a dashed line
function panel_threads(  i, name, s, points, ideal, one, n, last) {
    place(2)
    heading("threads", "ns per joint and step")
    range_begin()
    for (i = 1; i <= cases; i++)
        if (measured(order[i], "threads")) {
            n = part(order[i], 5)
            sub(/threads-/, "", n)
            range_add(n, v[order[i], "ns_per_joint"])
            one = v["threads/" part(order[i], 2) "/trammel/" part(order[i], 4) "/threads-1", "ns_per_joint"]
            range_add(n, one / n)
            series_seen[part(order[i], 4)]
        }
    if (x_low > x_high)
        return
    range_widen()
    grid()
    for (s in series_seen) {
        points = ideal = ""
        for (i = 1; i <= cases; i++) {
            name = order[i]
            if (!measured(name, "threads") || part(name, 4) != s)
                continue
            n = part(name, 5)
            sub(/threads-/, "", n)
            one = v["threads/" part(name, 2) "/trammel/" s "/threads-1", "ns_per_joint"]
            points = join(points, at_x(n), at_y(v[name, "ns_per_joint"]))
            ideal = join(ideal, at_x(n), at_y(one / n))
            mark(at_x(n), at_y(v[name, "ns_per_joint"]), color_of(s), 0)
        }
        polyline(points, color_of(s), 0)
        polyline(ideal, color_of(s), 1)
    }
}

function panel_sets(  i, name, count, bars, most, h, x, y) {
    place(3)
    heading("instruction sets", "ns, grid-100")
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (measured(name, "engines") && part(name, 2) == "grid-100" && part(name, 3) == "trammel" && name ~ /threads-1$/) {
            bars[++count] = name
            most = v[name, "ns_per_joint"] + 0 > most + 0 ? v[name, "ns_per_joint"] : most
        }
    }
    for (i = 1; i <= count; i++) {
        h = (height - 24) * v[bars[i], "ns_per_joint"] / most
        x = left + width * (i - 0.85) / count
        y = top + height - h
        printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, 0.7 * width / count, h,
               color_of(part(bars[i], 4))
        text(x + 0.35 * width / count, y - 5, "middle", sprintf("%.1f", v[bars[i], "ns_per_joint"]), "")
        text(x + 0.35 * width / count, top + height + 17, "middle", part(bars[i], 4), "")
    }
    printf "<path d=\"M%d %dh%d\" stroke=\"#888888\"/>\n", left, top + height, width
}

function panel_error(panel, scene,  i, name, id, last, points) {
    place(panel)
    heading("error, " scene, "mm against ns")
    range_begin()
    for (i = 1; i <= cases; i++)
        if (is_error_case(order[i], scene) && v[order[i], "exploded"] + 0 == 0)
            range_add(v[order[i], "ns_per_joint"], v[order[i], "rms_mm"])
    if (x_low > x_high)
        return
    range_widen()
    grid()
    points = last = ""
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!is_error_case(name, scene))
            continue
        id = error_group(name)
        if (id != last) {
            polyline(points, color_of(last), 0)
            points = ""
        }
        last = id
        if (v[name, "exploded"] + 0 > 0)
            continue
        # the settings of the classic method and of the peers are points, not a line
        if (part(name, 1) == "methods" && (part(name, 5) ~ /^1x/ || id != "sequential_impulses"))
            points = join(points, at_x(v[name, "ns_per_joint"]), at_y(v[name, "rms_mm"]))
        mark(at_x(v[name, "ns_per_joint"]), at_y(v[name, "rms_mm"]), color_of(id), 0)
    }
    polyline(points, color_of(last), 0)
}

function entry(id, what) {
    printf "<path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"2\"/>\n", left, entry_y - 4, color_of(id)
    mark(left + 12, entry_y - 4, color_of(id), 0)
    text(left + 34, entry_y, "start", what, "")
    entry_y += 20
}

function legend(  i, n, ids) {
    place(6)
    entry_y = top + 8
    for (i = 1; i <= series_count; i++)
        entry(series[i], series_words(series[i]))
    n = split("soft_step small_step position_based sequential_impulses", ids, " ")
    for (i = 1; i <= n; i++)
        entry(ids[i], "Trammel, " words(ids[i]))
    text(left, entry_y + 4, "start", "Dashed: one thread's time, divided.", "")
    text(left, entry_y + 22, "start", "Error: rms over 500 steps of 1/60 s; a run", "")
    text(left, entry_y + 38, "start", "that explodes has no point.", "")
}

END {
    n = split("scalar #90a4ae sse2 #26a69a avx2 #1565c0 avx512 #c8501e neon #26a69a box2d #8d6e63 chipmunk #d4a017 " \
              "soft_step #c8501e small_step #1565c0 position_based #2e7d32 sequential_impulses #7b3fa0", list, " ")
    for (i = 1; i < n; i += 2)
        colors[list[i]] = list[i + 1]
    read_scaling()
    picture_begin("The time of a joint against joints, threads, instruction sets and error")
    panel_joints()
    panel_threads()
    panel_sets()
    panel_error(4, "grid-100")
    panel_error(5, "chains-1000")
    legend()
    picture_end()
}
