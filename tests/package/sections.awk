# Says which links of Markdown pages lead to a section that is not there: `page.md#section`, named as the heading is, in lower
# case, without punctuation, with hyphens for spaces.
function slug(heading)
{
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}
# the target of a link from a page, without what goes up again
function resolve(page, target)
{
    if (target == "")
        return page
    sub(/[^\/]*$/, target, page)
    while (sub(/[^\/.][^\/]*\/\.\.\//, "", page))
        ;
    return page
}
FNR == 1 { code = 0 }
/^```/ {
    code = !code
    next
}
code { next }
/^#+ / {
    heading = $0
    sub(/^#+ /, "", heading)
    section[FILENAME "#" slug(heading)] = 1
}
{
    line = $0
    while (match(line, /\]\([^)#]*#[^)]+\)/)) {
        link = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        hash = index(link, "#")
        wanted[resolve(FILENAME, substr(link, 1, hash - 1)) substr(link, hash)] = FILENAME ": " link
    }
}
END {
    for (name in wanted)
        if (name !~ /^https?:/ && name ~ /\.md#/ && !(name in section))
            print wanted[name]
}
