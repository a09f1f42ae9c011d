# Takes the whole programs out of Markdown: every block of C with a main() goes to `folder`/<page>-<n>.c, and the next block
# of `text`, what the page says that it prints, to <page>-<n>.txt.
FNR == 1 {
    page = FILENAME
    sub(/.*\//, "", page)
    sub(/\.md$/, "", page)
    block = waits = ""
}
/^```/ && block == "" {
    block = substr($0, 4) == "" ? "plain" : substr($0, 4)
    content = ""
    next
}
/^```/ {
    if (block == "c" && content ~ /int main\(/) {
        waits = sprintf("%s/%s-%d", folder, page, ++number[page])
        printf "%s", content > (waits ".c")
    } else if (block == "text" && waits != "") {
        printf "%s", content > (waits ".txt")
        waits = ""
    }
    block = ""
    next
}
block != "" { content = content $0 "\n" }
