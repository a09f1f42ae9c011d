/* For tests of the program: what is in the pictures that it writes. */
#ifndef TR_TESTS_CLI_PICTURES_H
#define TR_TESTS_CLI_PICTURES_H

#include "program.h"

#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
#include <cairo.h>
#endif

static inline uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        ++count;
    }
    return count;
}

/* XML as far as it matters here: one root, every element closed in order */
static inline bool is_well_formed(const char *xml)
{
    char open[64][32];
    uint32_t depth = 0, roots = 0;
    for (const char *at = strchr(xml, '<'); at != NULL; at = strchr(at, '<')) {
        const char *end = strchr(at, '>');
        if (end == NULL) {
            return false;
        }
        size_t length = strcspn(at + 1, " \t\r\n/>");
        if (at[1] == '?' || at[1] == '!') {
            length = 0;
        } else if (at[1] == '/') {
            length = strcspn(at + 2, ">");
            if (depth == 0 || strlen(open[depth - 1]) != length || memcmp(open[--depth], at + 2, length) != 0) {
                return false;
            }
        } else if (end[-1] != '/') {
            if (depth == 64 || length >= sizeof open[0]) {
                return false;
            }
            memcpy(open[depth], at + 1, length);
            open[depth++][length] = 0;
            roots += depth == 1;
        }
        at = end;
    }
    return depth == 0 && roots == 1;
}

#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
/* how many different colours a PNG has, up to 64, and its size */
static inline uint32_t colors_of_png(const char *path, int *width, int *height)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    *width = cairo_image_surface_get_width(surface);
    *height = cairo_image_surface_get_height(surface);
    const unsigned char *pixels = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    uint32_t known[64], count = 0;
    for (int y = 0; y < *height && count < 64; ++y) {
        for (int x = 0; x < *width && count < 64; ++x) {
            uint32_t pixel, i = 0;
            memcpy(&pixel, pixels + y * stride + 4 * x, 4);
            while (i < count && known[i] != pixel) {
                ++i;
            }
            if (i == count) {
                known[count++] = pixel;
            }
        }
    }
    cairo_surface_destroy(surface);
    return count;
}
#endif

#endif
