# Reads the list of cases (--benchmark_list_tests), then Google Benchmark's JSON, for the scripts that make tables and
# pictures: order[1 .. cases] are the names, v[name, counter] the values, failed[name] the reason of a failure. A time
# is the least of all repetitions; other counters are the same in each.

function plain(name) {
    sub(/\/iterations:.*/, "", name)
    return name
}

# the list gives the order, because the results are interleaved
FNR == NR {
    order[++cases] = plain($1)
    next
}

function value(line) {
    sub(/^[^:]*: */, "", line)
    sub(/,$/, "", line)
    gsub(/"/, "", line)
    return line
}

function keep(name, key, number, least) {
    if (!((name, key) in v) || (least && number + 0 < v[name, key] + 0))
        v[name, key] = number
}

/^    \{/ { delete field }
/^      "[a-z_0-9]+": / {
    key = $1
    gsub(/[":]/, "", key)
    field[key] = value($0)
}
/^    \}/ {
    if (field["run_type"] == "iteration") {
        name = plain(field["name"])
        if (field["error_occurred"] == "true")
            failed[name] = field["error_message"]
        else {
            repetitions[name]++
            for (key in field)
                keep(name, key, field[key], key ~ /^(real_time|(least_)?ns_per_(joint|visit|ray|pair|body)|.*_us|.*_ns)$/ && key != "extra_us")
        }
    }
}

function part(name, n,  p) {
    split(name, p, "/")
    return p[n]
}

function thousands(n,  s) {
    n = sprintf("%d", n)
    while (length(n) > 3) {
        s = "," substr(n, length(n) - 2) s
        n = substr(n, 1, length(n) - 3)
    }
    return n s
}

function millimetres(mm) {
    return mm + 0 >= 100 ? sprintf("%.0f", mm) : mm + 0 >= 1 ? sprintf("%.1f", mm) : \
           mm + 0 >= 5e-4 || mm + 0 == 0 ? sprintf("%.3f", mm) : sprintf("%.0e", mm)
}
