# The table of errors against the length of a sub-step, of the cases steps/KIND-SIZE/trammel/METHOD/NxM. Load after results.awk
# and methods.awk.

# at 60 N sub-steps per second
function rate_of(setting) {
    sub(/x.*/, "", setting)
    return thousands(60 * setting)
}

END {
    row = header = ""
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 1) != "steps" || !(name in repetitions))
            continue
        of = part(name, 2) "/" part(name, 4)
        if (!(of in line_of)) {
            lines[++line_count] = of
            line_of[of] = "| " part(name, 2) " | " words(part(name, 4)) " |"
        }
        line_of[of] = line_of[of] " " sprintf("%.2g", v[name, "rms_mm"]) " |"
        if (!seen_rate[rate_of(part(name, 5))]++) {
            header = header " " rate_of(part(name, 5)) " |"
            row = row "---|"
        }
    }
    if (line_count > 0)
        printf "\n**Error against step**, mm rms, at sub-steps per second\n\n| scene | method |%s\n|---|---|%s\n", header, row
    for (i = 1; i <= line_count; i++)
        print line_of[lines[i]]
}
