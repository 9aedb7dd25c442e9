/* One figure for a paper: curves, marks or a map over two axes, as wide as a column, in black and
 * white.
 */
#ifndef CRM_FIGURE_H
#define CRM_FIGURE_H

#include "report/figure/canvas.h"

enum { CRM_FIGURE_CURVES_MOST = 8 };

typedef struct crm_curve {
    const char *label;
    size_t count;
    const double *x, *y; /* NAN in y: a gap, and a cross at the foot */
    bool marks;          /* a mark at every point */
    bool line;           /* from point to point */
} crm_curve;

/* Values on cells that divide the ranges of the axes evenly: values[row * columns + column], the
 * first row lowest. NAN: not known, drawn crossed out.
 */
typedef struct crm_figure_map {
    size_t columns, rows;
    const double *values; /* NULL: no map */
    double low, high;     /* white, and black */
    const char *title;    /* of its scale */
} crm_figure_map;

typedef struct crm_figure_axis {
    const char *title; /* with its unit */
    double low, high;  /* equal: as the curves are */
    bool whole;        /* only whole numbers are marked */
    bool logarithmic;  /* by powers of ten; its numbers are above 0 */
} crm_figure_axis;

typedef struct crm_figure {
    crm_figure_axis x, y;
    size_t curve_count; /* beyond CRM_FIGURE_CURVES_MOST their looks repeat */
    const crm_curve *curves;
    crm_figure_map map;
} crm_figure;

/* Where the figure goes. */
typedef struct crm_figure_target {
    const crm_canvas_tools *tools;
    crm_canvas_format format;
    crm_canvas_sink *sink;
    void *context;
} crm_figure_target;

/* The whole file, to the sink. False: `problem` says why not. */
bool crm_figure_draw(const crm_figure *figure, const crm_canvas_tools *tools,
                     crm_canvas_format format, crm_canvas_sink *sink, void *context, char *problem,
                     size_t size);

/* ---- Units ----------------------------------------------------------------------------------- */

/* "time, µs" and 1e6 for values up to 1e-4 s; unit NULL: "time" and 1. */
double crm_figure_unit(const char *words, const char *unit, double largest, char *title,
                       size_t size);

/* ---- Ticks ----------------------------------------------------------------------------------- */

enum { CRM_TICKS_MOST = 24 };

/* Round numbers within a range, about `wanted` of them; how many there are. */
size_t crm_ticks(const crm_figure_axis *axis, size_t wanted, double ticks[CRM_TICKS_MOST]);
enum { CRM_TICK_TEXT = 48 }; /* bytes */
/* Five digits as printed in papers: a minus sign rather than a hyphen, 2·10⁻⁵ rather than 2e-05. */
void crm_ticks_text(double value, char *text, size_t size);

#endif
