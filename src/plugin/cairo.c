/* Figures by Cairo, as a module of their own: it brings a dozen libraries with it. */
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/status.h"
#include "report/figure/canvas.h"

struct crm_canvas {
    cairo_surface_t *surface;
    cairo_t *cairo;
    crm_canvas_format format;
    crm_canvas_sink *sink;
    void *context;
    bool mute; /* letters came out without a width: there is no font */
};

static const double QUARTER_TURN = 1.57079632679489661923;
/* The resolution of bitmaps that journals ask for. */
static const double DOTS_PER_INCH = 300, POINTS_PER_INCH = 72;

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned count)
{
    const crm_canvas *canvas = closure;
    return canvas->sink(canvas->context, bytes, count) ? CAIRO_STATUS_SUCCESS
                                                       : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *make_surface(crm_canvas *canvas, double width, double height)
{
    double scale = DOTS_PER_INCH / POINTS_PER_INCH;
    switch (canvas->format) {
    case CRM_CANVAS_PDF:
        return cairo_pdf_surface_create_for_stream(write_bytes, canvas, width, height);
    case CRM_CANVAS_SVG:
        return cairo_svg_surface_create_for_stream(write_bytes, canvas, width, height);
    default:
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * scale),
                                          (int)ceil(height * scale));
    }
}

static crm_canvas *canvas_open(crm_canvas_format format, double width, double height,
                               double font_size, crm_canvas_sink *sink, void *context)
{
    crm_canvas *canvas = calloc(1, sizeof *canvas);
    if (canvas == NULL) {
        return NULL;
    }
    *canvas = (crm_canvas){.format = format, .sink = sink, .context = context};
    canvas->surface = make_surface(canvas, width, height);
    canvas->cairo = cairo_create(canvas->surface);
    if (format == CRM_CANVAS_PNG) {
        double scale = DOTS_PER_INCH / POINTS_PER_INCH;
        cairo_scale(canvas->cairo, scale, scale);
    }
    cairo_set_source_rgb(canvas->cairo, 1, 1, 1);
    cairo_paint(canvas->cairo);
    cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(canvas->cairo, font_size);
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    return canvas;
}

static void canvas_stroke(crm_canvas *canvas, const crm_xy *points, size_t count, crm_pen pen)
{
    cairo_t *c = canvas->cairo;
    bool on = false;
    cairo_new_path(c); /* a text before it has left its end */
    for (size_t i = 0; i < count; i++) {
        bool good = isfinite(points[i].x) && isfinite(points[i].y);
        if (good && on) {
            cairo_line_to(c, points[i].x, points[i].y);
        } else if (good) {
            cairo_move_to(c, points[i].x, points[i].y);
        }
        on = good;
    }
    cairo_set_source_rgb(c, pen.grey, pen.grey, pen.grey);
    cairo_set_line_width(c, pen.width);
    cairo_set_dash(c, pen.dash, (int)pen.dash_count, 0);
    cairo_stroke(c);
}

static void canvas_fill(crm_canvas *canvas, const crm_xy *points, size_t count, double grey)
{
    cairo_t *c = canvas->cairo;
    cairo_new_path(c);
    for (size_t i = 0; i < count; i++) {
        cairo_line_to(c, points[i].x, points[i].y);
    }
    cairo_close_path(c);
    cairo_set_source_rgb(c, grey, grey, grey);
    cairo_fill(c);
}

static double canvas_text_width(crm_canvas *canvas, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(canvas->cairo, text, &extents);
    canvas->mute = canvas->mute || (text[0] != '\0' && !(extents.x_advance > 0));
    return extents.x_advance;
}

static void canvas_text(crm_canvas *canvas, crm_xy at, const char *text, crm_anchor anchor,
                        bool upwards)
{
    static const double parts[] = {
        [CRM_ANCHOR_LEFT] = 0, [CRM_ANCHOR_MIDDLE] = 0.5, [CRM_ANCHOR_RIGHT] = 1};
    cairo_t *c = canvas->cairo;
    cairo_save(c);
    cairo_translate(c, at.x, at.y);
    if (upwards) {
        cairo_rotate(c, -QUARTER_TURN);
    }
    cairo_move_to(c, -parts[anchor] * canvas_text_width(canvas, text), 0);
    cairo_set_source_rgb(c, 0, 0, 0);
    cairo_show_text(c, text);
    cairo_restore(c);
}

/* Each cell a sharp rectangle, however large. */
static void canvas_image(crm_canvas *canvas, crm_xy corner, crm_xy size, const unsigned char *cells,
                         size_t columns, size_t rows)
{
    cairo_t *c = canvas->cairo;
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)columns, (int)rows);
    unsigned char *data = cairo_image_surface_get_data(image);
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (size_t y = 0; data != NULL && y < rows; y++) {
        for (size_t x = 0; x < columns; x++) {
            unsigned char *pixel = data + y * stride + 4 * x;
            pixel[0] = pixel[1] = pixel[2] = cells[y * columns + x];
        }
    }
    cairo_surface_mark_dirty(image);
    cairo_save(c);
    cairo_translate(c, corner.x, corner.y);
    cairo_scale(c, size.x / (double)columns, size.y / (double)rows);
    cairo_set_source_surface(c, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(c), CAIRO_EXTEND_PAD);
    cairo_new_path(c);
    cairo_rectangle(c, 0, 0, (double)columns, (double)rows);
    cairo_fill(c);
    cairo_restore(c);
    cairo_surface_destroy(image);
}

static void canvas_clip(crm_canvas *canvas, crm_xy corner, crm_xy size)
{
    cairo_new_path(canvas->cairo);
    cairo_rectangle(canvas->cairo, corner.x, corner.y, size.x, size.y);
    cairo_clip(canvas->cairo);
}

static void canvas_unclip(crm_canvas *canvas)
{
    cairo_reset_clip(canvas->cairo);
}

static bool canvas_close(crm_canvas *canvas, char *problem, size_t size)
{
    cairo_status_t status = cairo_status(canvas->cairo);
    if (status == CAIRO_STATUS_SUCCESS && canvas->format == CRM_CANVAS_PNG) {
        status = cairo_surface_write_to_png_stream(canvas->surface, write_bytes, canvas);
    }
    cairo_destroy(canvas->cairo);
    cairo_surface_finish(canvas->surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_status(canvas->surface);
    }
    cairo_surface_destroy(canvas->surface);
    bool good = status == CAIRO_STATUS_SUCCESS && !canvas->mute;
    snprintf(problem, size, "%s",
             canvas->mute ? "there is no font to write with" : cairo_status_to_string(status));
    free(canvas);
    return good;
}

extern CRM_API const crm_canvas_tools crm_cairo;
const crm_canvas_tools crm_cairo = {.open = canvas_open,
                                    .stroke = canvas_stroke,
                                    .fill = canvas_fill,
                                    .text = canvas_text,
                                    .text_width = canvas_text_width,
                                    .image = canvas_image,
                                    .clip = canvas_clip,
                                    .unclip = canvas_unclip,
                                    .close = canvas_close};
