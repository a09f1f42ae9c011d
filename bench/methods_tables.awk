# The tables of docs/methods.md. Load after results.awk and methods.awk.

function percent(x) {
    x += 0
    return x > -5e-4 && x < 5e-4 ? "0 %" : sprintf("%+.1f %%", 100 * x)
}

function cell(name) {
    if (name in failed)
        return "failed: " failed[name]
    if (!(name in repetitions))
        return ""
    if (v[name, "exploded"] + 0 > 0)
        return "explodes"
    return millimetres(v[name, "rms_mm"]) " mm, " sprintf("%.0f", v[name, "least_ns_per_joint"]) " ns" \
           (wild(name) ? " (wild)" : "")
}

# methods of one sweep; columns are sub-steps
function by_substeps(  s, m, i, first, setting, scene) {
    first = methods[1]
    for (s = 1; s <= scene_count; s++) {
        scene = scenes[s]
        printf "\n**%s**, %s joints; sub-steps\n\n| method |", scene,
               thousands(v[name_of(scene, first, settings[first, 1]), "joints"])
        for (i = 1; i <= setting_count[first]; i++) {
            setting = settings[first, i]
            sub(/x.*/, "", setting)
            printf " %s |", setting
        }
        printf "\n|---|"
        for (i = 1; i <= setting_count[first]; i++)
            printf "---|"
        printf "\n"
        for (m = 1; m <= method_count; m++) {
            if (methods[m] == "sequential_impulses")
                continue
            printf "| %s |", words(methods[m])
            for (i = 1; i <= setting_count[first]; i++)
                printf " %s |", cell(name_of(scene, methods[m], settings[first, i]))
            printf "\n"
        }
    }
}

function classic(  s, i, m) {
    m = "sequential_impulses"
    if (!seen_method[m])
        return
    printf "\n**%s**; sub-steps x sweeps\n\n| scene |", words(m)
    for (i = 1; i <= setting_count[m]; i++)
        printf " %s |", settings[m, i]
    printf "\n|---|"
    for (i = 1; i <= setting_count[m]; i++)
        printf "---|"
    printf "\n"
    for (s = 1; s <= scene_count; s++) {
        printf "| %s |", scenes[s]
        for (i = 1; i <= setting_count[m]; i++)
            printf " %s |", cell(name_of(scenes[s], m, settings[m, i]))
        printf "\n"
    }
}

function energy_cell(name) {
    if (!(name in repetitions))
        return ""
    if (v[name, "exploded"] + 0 > 0)
        return "explodes"
    return percent(v[name, "energy_drift"]) " (" percent(v[name, "energy_gain"]) ")"
}

function energies(  s, m, i, count, pick) {
    count = split("4x1 8x1 16x1", pick, " ")
    printf "\n**Energy** at the end against the start, in brackets the highest it rose above the start; in percent of " \
           "what was exchanged (the largest kinetic energy or change of the potential one)\n\n| scene | method | 4 sub-steps | 8 | 16 |\n|---|---|---|---|---|\n"
    for (s = 1; s <= scene_count; s++)
        for (m = 1; m <= method_count; m++) {
            printf "| %s | %s |", m == 1 ? scenes[s] : "", words(methods[m])
            if (methods[m] == "sequential_impulses") {
                printf " 1 sub-step of 8 sweeps: %s | | |\n", energy_cell(name_of(scenes[s], methods[m], "1x8"))
                continue
            }
            for (i = 1; i <= count; i++)
                printf " %s |", energy_cell(name_of(scenes[s], methods[m], pick[i]))
            printf "\n"
        }
}

END {
    read_names()
    by_substeps()
    classic()
    energies()
}
