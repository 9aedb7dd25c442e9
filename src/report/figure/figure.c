#include "report/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/elementary.h"
#include "base/locale.h"

/* A column of a journal, 8.6 cm. */
static const double WIDTH = 244, PLOT_HEIGHT = 150, FONT = 8, AIR = 4, TICK = 3;
static const double THICK = 1;
static const double LEGEND_ROW = 11, SAMPLE = 20, MARK = 1.8;
static const double SCALE_WIDTH = 8; /* of a map */

typedef struct drawing {
    const crm_figure *figure;
    const crm_canvas_tools *tools;
    crm_canvas *canvas;
    crm_figure_axis x, y; /* with their ranges */
    crm_xy corner, size;  /* of the rectangle within the axes */
    double legend;        /* height of it */
    double x_ticks[CRM_TICKS_MOST], y_ticks[CRM_TICKS_MOST];
    size_t x_count, y_count;
    crm_xy *points; /* for the longest curve */
} drawing;

/* ---- How lines look -------------------------------------------------------------------------- */

static const double DASHES[][4] = {{0},    {4, 2}, {1, 1.5}, {6, 2, 1, 2},
                                   {8, 3}, {2, 2}, {0},      {4, 2}};
static const size_t DASH_COUNTS[] = {0, 2, 2, 4, 2, 2, 0, 2};
static const double GREYS[] = {0, 0, 0, 0, 0.45, 0.45, 0.55, 0.6};

static crm_pen pen_of(size_t curve)
{
    size_t k = curve % CRM_FIGURE_CURVES_MOST;
    return (crm_pen){.width = THICK,
                     .grey = GREYS[k],
                     .dash = DASH_COUNTS[k] > 0 ? DASHES[k] : NULL,
                     .dash_count = DASH_COUNTS[k]};
}

static const crm_pen THIN = {.width = 0.5};
static const crm_pen FAINT = {.width = 0.3, .grey = 0.8};

/* Circle, square, diamond, triangle, filled and open in turn; then each the other way. */
static void draw_mark(const drawing *d, crm_xy at, size_t curve)
{
    static const double shapes[4][2][8] = {
        {{1, .71, 0, -.71, -1, -.71, 0, .71}, {0, .71, 1, .71, 0, -.71, -1, -.71}},
        {{-.9, .9, .9, -.9}, {-.9, -.9, .9, .9}},
        {{0, 1.2, 0, -1.2}, {-1.2, 0, 1.2, 0}},
        {{0, 1.1, -1.1}, {-1.2, .8, .8}}};
    static const size_t corners[4] = {8, 4, 4, 3};
    size_t shape = curve % 4;
    crm_xy outline[9];
    for (size_t k = 0; k <= corners[shape]; k++) {
        size_t corner = k % corners[shape];
        outline[k] = (crm_xy){at.x + MARK * shapes[shape][0][corner],
                              at.y + MARK * shapes[shape][1][corner]};
    }
    bool open = (curve + curve / 4) % 2 == 1;
    d->tools->fill(d->canvas, outline, corners[shape], open ? 1 : 0);
    d->tools->stroke(d->canvas, outline, corners[shape] + 1, THIN);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static void widen(const double *values, size_t count, bool positive, double *low, double *high)
{
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i]) && (values[i] > 0 || !positive)) {
            *low = fmin(*low, values[i]);
            *high = fmax(*high, values[i]);
        }
    }
}

/* As given, or what the curves span, with some air above and below. */
static crm_figure_axis fit_axis(const crm_figure *figure, bool upright)
{
    /* What varies by less is constant: the labels of an axis could not tell its values apart. */
    static const double MARGIN = 0.05, FLAT = 1e-6;
    crm_figure_axis axis = upright ? figure->y : figure->x;
    if (axis.low < axis.high) {
        return axis;
    }
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < figure->curve_count; i++) {
        const crm_curve *c = &figure->curves[i];
        widen(upright ? c->y : c->x, c->count, axis.logarithmic, &low, &high);
    }
    if (!(low <= high)) {
        low = axis.logarithmic ? 1 : 0;
        high = low + 1;
    }
    double least = upright ? FLAT * fmax(fabs(low), fabs(high)) : 0;
    if (high - low <= least) {
        double half = low != 0 ? 0.5 * fabs(low) : 0.5;
        low -= half;
        high += half;
    }
    double air = axis.logarithmic || !upright ? 0 : MARGIN * (high - low);
    axis.low = low - air;
    axis.high = high + air;
    return axis;
}

static double part_of(const crm_figure_axis *axis, double value)
{
    return axis->logarithmic ? crm_log(value / axis->low) / crm_log(axis->high / axis->low)
                             : (value - axis->low) / (axis->high - axis->low);
}

static double x_at(const drawing *d, double x)
{
    return d->corner.x + d->size.x * part_of(&d->x, x);
}

static double y_at(const drawing *d, double y)
{
    return d->corner.y + d->size.y * (1 - part_of(&d->y, y));
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static double widest_tick(const drawing *d)
{
    double widest = 0;
    for (size_t i = 0; i < d->y_count; i++) {
        char text[CRM_TICK_TEXT];
        crm_ticks_text(d->y_ticks[i], text, sizeof text);
        widest = fmax(widest, d->tools->text_width(d->canvas, text));
    }
    return widest;
}

static void line(const drawing *d, double x0, double y0, double x1, double y1, crm_pen pen)
{
    const crm_xy points[] = {{x0, y0}, {x1, y1}};
    d->tools->stroke(d->canvas, points, 2, pen);
}

static void draw_axes(const drawing *d)
{
    char text[CRM_TICK_TEXT];
    double left = d->corner.x, top = d->corner.y;
    double right = left + d->size.x, bottom = top + d->size.y;
    const crm_xy box[] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
    d->tools->stroke(d->canvas, box, 5, THIN);
    for (size_t i = 0; i < d->x_count; i++) {
        double x = x_at(d, d->x_ticks[i]);
        crm_ticks_text(d->x_ticks[i], text, sizeof text);
        line(d, x, bottom, x, bottom - TICK, THIN);
        x = fmin(x, WIDTH - 0.5 * d->tools->text_width(d->canvas, text)); /* within the figure */
        d->tools->text(d->canvas, (crm_xy){x, bottom + FONT + 2}, text, CRM_ANCHOR_MIDDLE, false);
    }
    for (size_t i = 0; i < d->y_count; i++) {
        double y = y_at(d, d->y_ticks[i]);
        crm_ticks_text(d->y_ticks[i], text, sizeof text);
        line(d, left, y, left + TICK, y, THIN);
        d->tools->text(d->canvas, (crm_xy){left - 3, y + 0.35 * FONT}, text, CRM_ANCHOR_RIGHT,
                       false);
    }
    d->tools->text(d->canvas, (crm_xy){0.5 * (left + right), bottom + 2 * FONT + 6}, d->x.title,
                   CRM_ANCHOR_MIDDLE, false);
    d->tools->text(d->canvas, (crm_xy){AIR + FONT - 1, 0.5 * (top + bottom)}, d->y.title,
                   CRM_ANCHOR_MIDDLE, true);
}

/* ---- The legend ------------------------------------------------------------------------------ */

enum { LABEL_SIZE = 64 };

/* The first `length` bytes of a label, or one less rather than part of a letter. */
static void cut_label(const char *label, size_t length, char text[LABEL_SIZE])
{
    while (length > 0 && ((unsigned char)label[length] & 0xc0) == 0x80) {
        length--;
    }
    snprintf(text, LABEL_SIZE, "%.*s...", (int)length, label);
}

/* No longer than a line has room for. */
static void fit_label(const drawing *d, const char *label, char text[LABEL_SIZE])
{
    size_t length = strlen(label);
    if (length < LABEL_SIZE) {
        snprintf(text, LABEL_SIZE, "%s", label);
    } else {
        cut_label(label, length = LABEL_SIZE - 4, text);
    }
    while (length > 8 && d->tools->text_width(d->canvas, text) > WIDTH - SAMPLE - 4 * AIR) {
        cut_label(label, length -= 4, text);
    }
}

/* In rows above; returns how high it is. Without `shown` it is only measured. */
static double draw_legend(const drawing *d, bool shown)
{
    double x = AIR, y = AIR;
    if (d->figure->curve_count < 2) {
        return 0;
    }
    for (size_t i = 0; i < d->figure->curve_count; i++) {
        char text[LABEL_SIZE];
        const crm_curve *curve = &d->figure->curves[i];
        fit_label(d, curve->label, text);
        double width = SAMPLE + 3 + d->tools->text_width(d->canvas, text) + 8;
        if (x > AIR && x + width > WIDTH) {
            x = AIR;
            y += LEGEND_ROW;
        }
        if (shown) {
            double middle = y + 0.5 * LEGEND_ROW;
            if (curve->line) {
                line(d, x, middle, x + SAMPLE, middle, pen_of(i));
            }
            if (curve->marks) {
                draw_mark(d, (crm_xy){x + 0.5 * SAMPLE, middle}, i);
            }
            d->tools->text(d->canvas, (crm_xy){x + SAMPLE + 3, middle + 0.35 * FONT}, text,
                           CRM_ANCHOR_LEFT, false);
        }
        x += width;
    }
    return y + LEGEND_ROW;
}

/* ---- Curves and maps ------------------------------------------------------------------------- */

static void draw_curve(const drawing *d, size_t i)
{
    const crm_curve *curve = &d->figure->curves[i];
    for (size_t k = 0; k < curve->count; k++) {
        d->points[k] = (crm_xy){x_at(d, curve->x[k]), y_at(d, curve->y[k])};
    }
    if (curve->line) {
        d->tools->stroke(d->canvas, d->points, curve->count, pen_of(i));
    }
    for (size_t k = 0; curve->marks && k < curve->count; k++) {
        if (isfinite(d->points[k].x) && isfinite(d->points[k].y)) {
            draw_mark(d, d->points[k], i);
        }
    }
}

/* A point that is not known: a cross at the foot of its place, one row for each curve. */
static void draw_missing(const drawing *d, size_t i)
{
    const crm_curve *curve = &d->figure->curves[i];
    double y = d->corner.y + d->size.y - 2 * MARK - 3 * MARK * (double)i;
    for (size_t k = 0; k < curve->count; k++) {
        double x = x_at(d, curve->x[k]);
        if (isnan(curve->y[k]) && isfinite(x)) {
            const crm_xy cross[] = {{x - MARK, y - MARK},
                                    {x + MARK, y + MARK},
                                    {NAN, NAN},
                                    {x - MARK, y + MARK},
                                    {x + MARK, y - MARK}};
            d->tools->stroke(d->canvas, cross, 5, THIN);
        }
    }
}

static void draw_curves(const drawing *d)
{
    if (d->figure->curve_count > 0 && d->y.low < 0 && d->y.high > 0 && !d->y.logarithmic) {
        line(d, d->corner.x, y_at(d, 0), d->corner.x + d->size.x, y_at(d, 0), FAINT);
    }
    for (size_t i = 0; i < d->figure->curve_count; i++) {
        draw_curve(d, i);
    }
    for (size_t i = 0; i < d->figure->curve_count; i++) {
        draw_missing(d, i);
    }
}

/* From white for the least to black for the largest. */
static unsigned char cell_of(const crm_figure_map *map, double value)
{
    double part = (value - map->low) / (map->high > map->low ? map->high - map->low : 1);
    return (unsigned char)lround(255 * (1 - fmin(1, fmax(0, part))));
}

static void cross_out(const drawing *d, size_t column, size_t row)
{
    const crm_figure_map *map = &d->figure->map;
    double w = d->size.x / (double)map->columns, h = d->size.y / (double)map->rows;
    double x = d->corner.x + w * (double)column;
    double y = d->corner.y + d->size.y - h * (double)(row + 1);
    line(d, x, y, x + w, y + h, THIN);
    line(d, x, y + h, x + w, y, THIN);
}

static void draw_scale(const drawing *d)
{
    enum { STEPS = 64 };
    const crm_figure_map *map = &d->figure->map;
    unsigned char cells[STEPS];
    char text[CRM_TICK_TEXT];
    for (size_t k = 0; k < STEPS; k++) {
        cells[k] = (unsigned char)(255 * k / (STEPS - 1));
    }
    double x = d->corner.x + d->size.x + 2 * AIR, y = d->corner.y;
    crm_xy size = {SCALE_WIDTH, d->size.y};
    d->tools->image(d->canvas, (crm_xy){x, y}, size, cells, 1, STEPS);
    const crm_xy box[] = {
        {x, y}, {x + size.x, y}, {x + size.x, y + size.y}, {x, y + size.y}, {x, y}};
    d->tools->stroke(d->canvas, box, 5, THIN);
    crm_figure_axis axis = {.low = map->low, .high = map->high};
    double ticks[CRM_TICKS_MOST];
    size_t count = crm_ticks(&axis, 5, ticks);
    for (size_t i = 0; i < count; i++) {
        double at = y + size.y * (1 - part_of(&axis, ticks[i]));
        crm_ticks_text(ticks[i], text, sizeof text);
        line(d, x + size.x, at, x + size.x - TICK, at, THIN);
        d->tools->text(d->canvas, (crm_xy){x + size.x + 2, at + 0.35 * FONT}, text, CRM_ANCHOR_LEFT,
                       false);
    }
    d->tools->text(d->canvas, (crm_xy){WIDTH - AIR, y + 0.5 * size.y}, map->title,
                   CRM_ANCHOR_MIDDLE, true);
}

static bool draw_map(const drawing *d)
{
    const crm_figure_map *map = &d->figure->map;
    unsigned char *cells = CRM_NEW(unsigned char, map->columns * map->rows);
    if (cells == NULL) {
        return false;
    }
    for (size_t row = 0; row < map->rows; row++) {
        for (size_t column = 0; column < map->columns; column++) {
            double value = map->values[row * map->columns + column];
            cells[(map->rows - 1 - row) * map->columns + column] =
                isfinite(value) ? cell_of(map, value) : 255;
        }
    }
    d->tools->image(d->canvas, d->corner, d->size, cells, map->columns, map->rows);
    for (size_t i = 0; i < map->columns * map->rows; i++) {
        if (!isfinite(map->values[i])) {
            cross_out(d, i % map->columns, i / map->columns);
        }
    }
    free(cells);
    return true;
}

/* ---- Together -------------------------------------------------------------------------------- */

static void lay_out(drawing *d)
{
    bool map = d->figure->map.values != NULL;
    d->x_count = crm_ticks(&d->x, 6, d->x_ticks);
    d->y_count = crm_ticks(&d->y, 6, d->y_ticks);
    d->legend = draw_legend(d, false);
    d->corner.x = AIR + FONT + 4 + widest_tick(d) + 3;
    d->corner.y = d->legend + 2 * AIR;
    double right = map ? SCALE_WIDTH + 2 * AIR + 36 : 2 * AIR + 4;
    d->size = (crm_xy){WIDTH - d->corner.x - right, PLOT_HEIGHT};
}

static bool draw_all(drawing *d)
{
    bool map = d->figure->map.values != NULL, good = true;
    lay_out(d);
    draw_legend(d, true);
    d->tools->clip(d->canvas, d->corner, d->size);
    if (map) {
        good = draw_map(d);
    }
    draw_curves(d);
    d->tools->unclip(d->canvas);
    if (map) {
        draw_scale(d);
    }
    draw_axes(d);
    return good;
}

/* The height follows from the legend, whose width only a canvas knows: it is measured on one that
 * goes nowhere.
 */
static bool discard(void *context, const unsigned char *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
    return true;
}

static double measure_legend(drawing *d)
{
    char problem[64];
    d->canvas = d->tools->open(CRM_CANVAS_SVG, WIDTH, WIDTH, FONT, discard, NULL);
    if (d->canvas == NULL) {
        return 0;
    }
    double height = draw_legend(d, false);
    d->tools->close(d->canvas, problem, sizeof problem);
    return height;
}

static size_t longest_curve(const crm_figure *figure)
{
    size_t most = 1;
    for (size_t i = 0; i < figure->curve_count; i++) {
        most = figure->curves[i].count > most ? figure->curves[i].count : most;
    }
    return most;
}

bool crm_figure_draw(const crm_figure *figure, const crm_canvas_tools *tools,
                     crm_canvas_format format, crm_canvas_sink *sink, void *context, char *problem,
                     size_t size)
{
    drawing d = {.figure = figure,
                 .tools = tools,
                 .x = fit_axis(figure, false),
                 .y = fit_axis(figure, true),
                 .points = CRM_NEW(crm_xy, longest_curve(figure))};
    double height = measure_legend(&d) + PLOT_HEIGHT + 2 * FONT + 6 * AIR;
    d.canvas = d.points != NULL ? tools->open(format, WIDTH, height, FONT, sink, context) : NULL;
    bool good = d.canvas != NULL && draw_all(&d);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (d.canvas != NULL) {
        char why[128];
        bool closed = tools->close(d.canvas, why, sizeof why);
        if (good && !closed) {
            snprintf(problem, size, "%s", why);
        }
        good = good && closed;
    }
    free(d.points);
    return good;
}
