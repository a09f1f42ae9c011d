# Tables in Markdown of worlds that collide, from what results.awk has read; load after engines.awk.

function ratio(name, reference) {
    return reference + 0 > 0 ? sprintf("%.2f", v[name, "step_us"] / reference) : ""
}

# the last column for the scene that starts with this case
function column(i,  scene) {
    scene = part(order[i], 2)
    for (; i <= cases && part(order[i], 2) == scene; i++) {
        if ((order[i], "moved_mm") in v)
            return "moved_mm"
        if ((order[i], "held") in v)
            return "held"
    }
    return ""
}

function entry(name) {
    if (last_column == "")
        return ""
    if (!((name, last_column) in v))
        return " |"
    return " " (last_column == "held" ? thousands(v[name, "held"]) " of " thousands(v[name, "welds"]) : millimetres(v[name, "moved_mm"])) " |"
}

END {
    heading["moved_mm"] = "moved aside, mm"
    heading["held"] = "welds that hold"
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 1) != "worlds" || !(name in repetitions) && !(name in failed))
            continue
        scene = part(name, 2)
        if (scene != last) {
            reference = ""
            for (k = i; k <= cases && part(order[k], 2) == scene; k++)
                if (order[k] ~ /\/trammel\/[^\/]*\/threads-1$/)
                    reference = v[order[k], "step_us"]
            printf "\n**%s**, %s bodies", scene, thousands(v[name, "bodies"])
            if (v[name, "contacts"] != "")
                printf ", %s contacts in Trammel at the end", thousands(v[name, "contacts"])
            # print the last column only if it has a value
            last_column = column(i)
            printf "\n\n| engine | ms per step | times Trammel on one thread | deepest overlap, mm: worst, mean |%s\n",
                   last_column == "" ? "" : " " heading[last_column] " |"
            printf "|---|---|---|---|%s\n", last_column == "" ? "" : "---|"
            last = scene
        }
        if (name in failed)
            printf "| %s | failed: %s | | |%s\n", setting(name), failed[name], last_column == "" ? "" : " |"
        else
            printf "| %s | %.2f | %s | %s, %s |%s\n", setting(name), v[name, "step_us"] / 1e3, ratio(name, reference),
                   millimetres(v[name, "deepest_mm"]), millimetres(v[name, "mean_deepest_mm"]), entry(name)
    }
}
