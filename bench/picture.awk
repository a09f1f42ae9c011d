# Functions common to the pictures: two rows of three panels with logarithmic axes and marks. The plot of a panel starts
# at (left, top), has width and height, and shows x_low to x_high and y_low to y_high, in decades.

function log10(x) {
    return log(x) / log(10)
}

function picture_begin(title) {
    width = 270
    height = 240
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1010 670\" font-family=\"sans-serif\" font-size=\"13\" " \
           "fill=\"#222222\">\n<title>%s</title>\n<rect width=\"1010\" height=\"670\" fill=\"#ffffff\"/>\n", title
    text(1000, 664, "end", origin, " font-size=\"11\" fill=\"#666666\"")
}

function picture_end() {
    print "</svg>"
}

# left edge and top of a panel's plot
function place(panel) {
    left = 70 + 330 * ((panel - 1) % 3)
    top = 50 + 320 * int((panel - 1) / 3)
}

function at_x(ns) {
    return left + width * (log10(ns) - x_low) / (x_high - x_low)
}

function at_y(mm) {
    return top + height * (y_high - log10(mm)) / (y_high - y_low)
}

function text(x, y, anchor, what, style) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", x, y, anchor, style, what
}

function nice(x) {
    return x >= 1e6 ? sprintf("%gM", x / 1e6) : x >= 1e4 ? sprintf("%gk", x / 1e3) : \
           x < 9e-4 ? sprintf("1e%.0f", log10(x)) : sprintf("%g", x)
}

# an empty range
function range_begin() {
    x_low = y_low = 99
    x_high = y_high = -99
}

function range_add(x, y) {
    x = log10(x)
    y = log10(y)
    x_low = x < x_low ? x : x_low
    x_high = x > x_high ? x : x_high
    y_low = y < y_low ? y : y_low
    y_high = y > y_high ? y : y_high
}

# grid lines at 1, 2 and 5 of each decade if there are few decades, else one per decade
function grid(  d, i, steps, x, y, across, up) {
    split("1 2 5", steps, " ")
    across = x_high - x_low < 2.2 ? 3 : 1
    up = y_high - y_low < 1.7 ? 3 : 1
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888888\"/>\n", left, top, width, height
    for (d = -7; d <= 7; d++) {
        for (i = 1; i <= across; i++) {
            x = steps[i] * 10 ^ d
            if (log10(x) < x_low || log10(x) > x_high)
                continue
            printf "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#dddddd\"/>\n", at_x(x), top, top + height
            text(at_x(x), top + height + 17, "middle", nice(x), "")
        }
        for (i = 1; i <= up; i++) {
            y = steps[i] * 10 ^ d
            if (log10(y) < y_low || log10(y) > y_high)
                continue
            printf "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#dddddd\"/>\n", left, at_y(y), left + width
            text(left - 6, at_y(y) + 4, "end", nice(y), "")
        }
    }
}

function mark(x, y, color, hollow) {
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", x, y,
           hollow ? "#ffffff" : color, color
}

function cross(x, y, color) {
    printf "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\" stroke=\"%s\" stroke-width=\"2\"/>\n", x - 4, y - 4, color
}
