# The name of an engine's case in tables.

function setting(name,  engine, what, discrete) {
    engine = part(name, 3)
    what = part(name, 4)
    if (engine == "trammel") {
        what = part(name, 5)
        sub(/threads-/, "", what)
        return "Trammel, " part(name, 4) ", " what (what == 1 ? " thread" : " threads")
    }
    engine = engine == "box2d" ? "Box2D 2.4.1" : "Chipmunk 7"
    if (what == "substeps-4")
        return engine ", 4 sub-steps of " (engine ~ /Box2D/ ? "1+1 iterations" : "1 iteration")
    discrete = sub(/-discrete$/, "", what)
    sub(/iterations-/, "", what)
    sub(/-/, "+", what)
    return engine ", " what " iterations" (discrete ? ", continuous collision off" : "")
}
