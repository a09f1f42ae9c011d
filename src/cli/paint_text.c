#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES

#include "cli/paint_text.h"

void paint_color(cairo_t *cairo, uint32_t color, double alpha)
{
    cairo_set_source_rgba(cairo, ((color >> 16) & 0xff) / 255.0, ((color >> 8) & 0xff) / 255.0, (color & 0xff) / 255.0,
                          alpha);
}

void paint_text(cairo_t *cairo, double x, double y, double size, uint32_t color, const char *text)
{
    paint_color(cairo, color, 1.0);
    cairo_set_font_size(cairo, size);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
}

double paint_text_width(cairo_t *cairo, double size, const char *text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(cairo, size);
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

#else
typedef int paint_text_is_not_built; /* ISO C forbids an empty translation unit */
#endif
