# Makes one C file of the blocks of C in Markdown pages. A block becomes the body of a function, without its functions
# (from `static` at the start of a line to `}` at the start of a line), which come before it. Whole programs, blocks with
# a main(), are left to the test of the installed package, which also runs them.
function flush_block()
{
    if (whole)
        return
    ++count
    printf "%s", functions
    printf "void block_%d(void);\nvoid block_%d(void)\n{\n%s}\n", count, count, statements
}
BEGIN { print "#include \"blocks.h\"" }
FNR == 1 { inside = 0 }
# a list's blocks are indented, by what comes before the fence
/^ *```/ && inside {
    if (is_c)
        flush_block()
    inside = 0
    next
}
/^ *```/ {
    inside = 1
    indent = index($0, "`") - 1
    is_c = substr($0, indent + 1) == "```c"
    whole = in_function = 0
    # the compiler then names the page and its line
    functions = statements = sprintf("#line %d \"%s\"\n", FNR + 1, FILENAME)
    next
}
inside && is_c {
    for (i = 0; i < indent && /^ /; i++)
        sub(/^ /, "")
    if ($0 ~ /^int main\(/)
        whole = 1
    if ($0 ~ /^static /)
        in_function = 1
    if ($0 ~ /^ *#include /) # within a function the compiler takes headers only without optimisation
        functions = functions $0 "\n"
    else
        functions = functions (in_function ? $0 : "") "\n"
    # a line of one part is an empty line of the other, so that both keep their numbers
    statements = statements (in_function || $0 ~ /^ *#include / ? "" : $0) "\n"
    if ($0 == "}")
        in_function = 0
}
END {
    if (count == 0)
        print "#error no page has a block of C"
}
