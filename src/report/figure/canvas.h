/* Drawing functions for figures: a table, so that the library behind it is loaded only when it is
 * used (src/plugin/cairo.c). Lengths in points, 1/72 inch, from the upper left corner.
 */
#ifndef CRM_CANVAS_H
#define CRM_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct crm_canvas crm_canvas;

typedef enum crm_canvas_format { CRM_CANVAS_SVG, CRM_CANVAS_PDF, CRM_CANVAS_PNG } crm_canvas_format;

typedef struct crm_xy {
    double x, y;
} crm_xy;

typedef struct crm_pen {
    double width;
    double grey;        /* 0 black, 1 white */
    const double *dash; /* NULL: none */
    size_t dash_count;
} crm_pen;

typedef enum crm_anchor { CRM_ANCHOR_LEFT, CRM_ANCHOR_MIDDLE, CRM_ANCHOR_RIGHT } crm_anchor;

/* Takes the bytes of the file; false: they could not be written. */
typedef bool crm_canvas_sink(void *context, const unsigned char *bytes, size_t count);

typedef struct crm_canvas_tools {
    /* NULL: no memory. */
    crm_canvas *(*open)(crm_canvas_format format, double width, double height, double font_size,
                        crm_canvas_sink *sink, void *context);
    /* A line from point to point, with gaps where a coordinate is NAN. */
    void (*stroke)(crm_canvas *canvas, const crm_xy *points, size_t count, crm_pen pen);
    /* The inside of a polygon. */
    void (*fill)(crm_canvas *canvas, const crm_xy *points, size_t count, double grey);
    /* The anchor is on the line that letters stand on; upwards: turned to the left. */
    void (*text)(crm_canvas *canvas, crm_xy at, const char *text, crm_anchor anchor, bool upwards);
    double (*text_width)(crm_canvas *canvas, const char *text);
    /* Cells of grey (0 black, 255 white), row by row from above, over a rectangle. */
    void (*image)(crm_canvas *canvas, crm_xy corner, crm_xy size, const unsigned char *cells,
                  size_t columns, size_t rows);
    /* Draw within a rectangle only, until unclip. */
    void (*clip)(crm_canvas *canvas, crm_xy corner, crm_xy size);
    void (*unclip)(crm_canvas *canvas);
    /* Ends it. False: `problem` says why the file is not whole. */
    bool (*close)(crm_canvas *canvas, char *problem, size_t size);
} crm_canvas_tools;

#define CRM_CAIRO_MODULE "crm_cairo"

#endif
