# Tables in Markdown from what results.awk has read; load after engines.awk.

function engines(  i, name, scene, last, reference, failure) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 1) != "engines" || !(name in repetitions) && !(name in failed))
            continue
        scene = part(name, 2)
        reference = v["engines/" scene "/trammel/avx2/threads-1", "ns_per_joint"]
        if (scene != last) {
            printf "\n**%s**, %s joints", scene, thousands(v[name, "joints"])
            if (v[name, "colors"] != "")
                printf "; in Trammel %d colours, %.1f %% of the lanes filled, %.0f bytes per joint held, " \
                       "%.0f streamed per joint and sub-step", v[name, "colors"], 100 * v[name, "lane_fill"],
                       v[name, "bytes_per_joint"], v[name, "stream_bytes"]
            printf "\n\n| engine | ns per joint and step | times avx2 | rms, mm | max, mm | rms at the end, mm |\n"
            printf "|---|---|---|---|---|---|\n"
            last = scene
        }
        if (name in failed) {
            printf "| %s | failed: %s | | | | |\n", setting(name), failed[name]
            continue
        }
        printf "| %s | %.0f | %s | ", setting(name), v[name, "ns_per_joint"],
               (reference + 0 > 0) ? sprintf("%.2f", v[name, "ns_per_joint"] / reference) : ""
        if (v[name, "exploded"] + 0 > 0)
            printf "explodes in step %d | | |\n", v[name, "steps"]
        else
            printf "%s | %s | %s |\n", millimetres(v[name, "rms_mm"]), millimetres(v[name, "max_mm"]),
                   millimetres(v[name, "rms_last_mm"])
    }
}

function stages(  i, name, s, started) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 3) != "trammel" || part(name, 1) != "engines" || part(name, 2) !~ /^grid/ || !(name in repetitions))
            continue
        if (!started++)
            printf "\n| Trammel, ns per joint and step | prepare | integrate | warm start | solve | relax | finish |\n" \
                   "|---|---|---|---|---|---|---|\n"
        s = setting(name)
        sub(/Trammel/, part(name, 2), s)
        printf "| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", s, v[name, "prepare_ns"], v[name, "integrate_ns"],
               v[name, "warm_start_ns"], v[name, "solve_ns"], v[name, "relax_ns"], v[name, "finish_ns"]
    }
}

function plan_row(name, what) {
    if (name in repetitions)
        printf "| %s | %.2f | %.0f |\n", what, v[name, "real_time"] / 1e3, 1e3 * v[name, "real_time"] / v[name, "joints"]
}

function plans(  one, edges) {
    one = "plan/world/one-joint"
    edges = "plan/graph/edges"
    if (!(one in repetitions))
        return
    printf "\n| a grid of %s joints | ms | ns per joint |\n|---|---|---|\n", thousands(v[one, "joints"])
    plan_row("plan/world/create-joints", "create the joints in one batch")
    plan_row("plan/world/first-step", "the first step: plan, order, lay out, allocate, step")
    plan_row("plan/world/optimize", "`tr2_world_optimize`: a full plan, the tables in its order, and the layout")
    plan_row("plan/graph/optimize", "of which the graph alone: islands, order, colours")
    printf "\n| one joint | us |\n|---|---|\n"
    printf "| create it (with the first edge after a full plan) | %.2f |\n", v[one, "add_us"]
    printf "| destroy it | %.2f |\n", v[one, "remove_us"]
    printf "| the step after, less a step without a change (%.2f ms) | %.0f |\n", v[one, "plain_step_us"] / 1e3,
           v[one, "changed_step_us"] - v[one, "plain_step_us"]
    printf "| in the plan alone: one edge more, of 1,000 | %.3f |\n", v[edges, "add_ns"] / 1e3
    printf "| in the plan alone: one edge less, of 1,000 | %.3f |\n", v[edges, "remove_ns"] / 1e3
}

function contact_row(name, counter, what) {
    if (name in repetitions)
        printf "| %s | %.0f |\n", what, v[name, counter]
}

function joint_cost(name) {
    return ((name, "ns_per_visit") in v) ? sprintf("%.2f (%.1f)", v[name, "ns_per_visit"], v[name, "ns_per_visit"] / v["joints/revolute/plain", "ns_per_visit"]) : "-"
}

# each type next to the plain revolute joint
function joints(  i, parts, heading) {
    if (!(("joints/revolute/plain", "ns_per_visit") in v))
        return
    for (i = 1; i <= cases; i++) {
        if (order[i] !~ /^joints\/.*\/plain$/)
            continue
        if (!heading++)
            printf "\n| joints on a 50x50 grid, one thread | plain, ns per visit (times the revolute) | with all features |\n|---|---|---|\n"
        split(order[i], parts, "/")
        printf "| %s | %s | %s |\n", parts[2], joint_cost(order[i]), joint_cost("joints/" parts[2] "/featured")
    }
}

function contacts(  step) {
    step = "contacts/step"
    if (!(step in repetitions))
        return
    printf "\n| %s contacts of the host, one thread | ns per contact |\n|---|---|\n", thousands(v[step, "contacts"])
    contact_row("contacts/set/same", "set_ns_per_contact", "the same set again")
    contact_row("contacts/set/tenth-new", "set_ns_per_contact", "a set of which a tenth is new and a tenth gone")
    contact_row(step, "set_ns_per_contact", "the set of a step, where contacts move and none comes")
    contact_row(step, "step_ns_per_contact", "the step, 4 sub-steps")
}

# strained islands over sub-steps
function strained(  i, name, started) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 1) != "strained" || !(name in repetitions))
            continue
        if (!started++)
            printf "\n| solved directly, one thread | joints | sub-steps | ns per joint and step | rms, mm | max, mm |\n" \
                   "|---|---|---|---|---|---|\n"
        printf "| %s | %s | %s | %.0f | %s | %s |\n", part(name, 2), thousands(v[name, "joints"]),
               substr(part(name, 4), length("substeps-") + 1), v[name, "least_ns_per_joint"], millimetres(v[name, "rms_mm"]),
               millimetres(v[name, "max_mm"])
    }
}

# the same grid with its bodies in row order and in random order
function orders(  i, name, other, started) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 1) != "order" || part(name, 2) !~ /^grid/)
            continue
        other = name
        sub(/\/grid/, "/shuffled-grid", other)
        if (!(name in repetitions) || !(other in repetitions))
            continue
        if (!started++)
            printf "\n| one thread, least step, ns per joint | bodies in order | in any order |\n|---|---|---|\n"
        printf "| %s | %.1f | %.1f |\n", part(name, 2), v[name, "least_ns_per_joint"], v[other, "least_ns_per_joint"]
    }
}

function ray_cost(size, engine,  name) {
    name = "rays/" size "/" engine
    return name in repetitions ? sprintf("%.0f", v[name, "ns_per_ray"]) : "-"
}

function rays(  i, size, started) {
    for (i = 1; i <= cases; i++) {
        if (order[i] !~ /^rays\/[0-9]+\/trammel$/ || !(order[i] in repetitions))
            continue
        if (!started++)
            printf "\n| ns per ray of 40 m, one thread | Trammel | Box2D 2.4.1 | Chipmunk 7 |\n|---|---|---|---|\n"
        size = part(order[i], 2)
        printf "| among %s fixed shapes | %s | %s | %s |\n", thousands(size), ray_cost(size, "trammel"),
               ray_cost(size, "box2d"), ray_cost(size, "chipmunk")
    }
}

# pairs of shapes; the names of batched cases end in /many
function pairs(  i, name, what, started) {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (part(name, 1) != "collide" || !(name in repetitions))
            continue
        if (!started++)
            printf "\n| a pair of shapes, one thread | ns |\n|---|---|\n"
        what = substr(name, length("collide/") + 1)
        sub(/\/many$/, ", many at once", what)
        sub(/^distance\//, "distance: ", what)
        sub(/^impact\//, "time of impact: ", what)
        printf "| %s | %.1f |\n", what, v[name, "ns_per_pair"]
    }
}

function broad_cost(kind, count, way,  name) {
    name = "broad/" kind "-" count "/" way
    return name in repetitions ? sprintf("%.0f", v[name, "ns_per_body"]) : "-"
}

# finding neighbours by trees, and by a grid
function neighbours(  count, started, one) {
    for (count = 1000; count <= 1000000; count *= 10) {
        one = "broad/alike-" count "/trees"
        if (!(one in repetitions) && !(("broad/mixed-" count "/trees") in repetitions))
            continue
        if (!started++)
            printf "\n| neighbours of moving discs, ns per disc and step | alike: trees | grid | sizes 1 to 16: trees | grids |\n" \
                   "|---|---|---|---|---|\n"
        printf "| %s | %s | %s | %s | %s |\n", thousands(count), broad_cost("alike", count, "trees"),
               broad_cost("alike", count, "grid"), broad_cost("mixed", count, "trees"), broad_cost("mixed", count, "grid")
    }
}

END {
    engines()
    stages()
    plans()
    contacts()
    joints()
    strained()
    orders()
    neighbours()
    pairs()
    rays()
}
