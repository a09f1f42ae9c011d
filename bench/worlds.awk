# Tables in Markdown of worlds that collide, of what results.awk has read; engines.awk goes before it.

function ratio(name, reference) {
    return reference + 0 > 0 ? sprintf("%.2f", v[name, "step_us"] / reference) : ""
}

END {
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
            printf "\n\n| engine | ms per step | times Trammel on one thread | deepest overlap, mm: worst, mean | moved aside, mm |\n"
            printf "|---|---|---|---|---|\n"
            last = scene
        }
        if (name in failed)
            printf "| %s | failed: %s | | | |\n", setting(name), failed[name]
        else
            printf "| %s | %.2f | %s | %s, %s | %s |\n", setting(name), v[name, "step_us"] / 1e3, ratio(name, reference),
                   millimetres(v[name, "deepest_mm"]), millimetres(v[name, "mean_deepest_mm"]),
                   v[name, "moved_mm"] != "" ? millimetres(v[name, "moved_mm"]) : ""
    }
}
