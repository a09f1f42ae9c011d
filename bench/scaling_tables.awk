# Tables in Markdown: ns per joint against joints, threads and instruction sets. Load after results.awk, engines.awk and
# scaling.awk.

function by_joints(  i, j) {
    if (size_count == 0)
        return
    printf "\n| grids, one thread, ns per joint and step | joints |"
    for (j = 1; j <= series_count; j++)
        printf " %s |", series_words(series[j])
    printf "\n|---|---|"
    for (j = 1; j <= series_count; j++)
        printf "---|"
    printf "\n"
    for (i = 1; i <= size_count; i++) {
        printf "| %s | %s |", sizes[i], thousands(joints_of[sizes[i]])
        for (j = 1; j <= series_count; j++)
            printf " %s |", (sizes[i], series[j]) in scaling_ns ? sprintf("%.1f", scaling_ns[sizes[i], series[j]]) : "-"
        printf "\n"
    }
}

function by_threads(  i, name, started, one) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!measured(name, "threads"))
            continue
        if (!started++)
            printf "\n| %s | ns per joint and step | times one thread |\n|---|---|---|\n", part(name, 2)
        one = name
        sub(/threads-[0-9]+$/, "threads-1", one)
        printf "| %s | %.1f | %.2f |\n", setting(name), v[name, "ns_per_joint"],
               v[one, "ns_per_joint"] / v[name, "ns_per_joint"]
    }
}

function by_set(  i, name, started, scalar) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!measured(name, "engines") || part(name, 3) != "trammel" || part(name, 2) !~ /^grid/ || name !~ /threads-1$/)
            continue
        if (!started++)
            printf "\n| one thread | ns per joint and step | times scalar |\n|---|---|---|\n"
        scalar = v["engines/" part(name, 2) "/trammel/scalar/threads-1", "ns_per_joint"]
        printf "| %s, %s | %.1f | %s |\n", part(name, 2), part(name, 4), v[name, "ns_per_joint"],
               (scalar + 0 > 0) ? sprintf("%.2f", scalar / v[name, "ns_per_joint"]) : ""
    }
}

END {
    read_scaling()
    by_joints()
    by_threads()
    by_set()
}
