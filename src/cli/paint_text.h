/* Colours and texts on a cairo surface. */
#ifndef TR_CLI_PAINT_TEXT_H
#define TR_CLI_PAINT_TEXT_H

#include <cairo.h>
#include <stdint.h>

/* `color`: 0xRRGGBB. */
void paint_color(cairo_t *cairo, uint32_t color, double alpha);
/* Texts of `size` pixels with their baseline's left end at x, y; and how wide they are. */
void paint_text(cairo_t *cairo, double x, double y, double size, uint32_t color, const char *text);
double paint_text_width(cairo_t *cairo, double size, const char *text);

#endif
