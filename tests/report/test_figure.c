/* Figures: what is drawn, seen through a canvas that records what is drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "report/figure/motion.h"
#include "report/figure/sweep.h"

/* ---- The canvas ----------------------------------------------------------------------------- */

enum { STROKES = 400, TEXTS = 200, POINTS = 64 };

struct crm_canvas {
    double width, height;
    size_t strokes, texts, images;
    struct {
        size_t count;
        crm_xy points[POINTS];
        crm_pen pen;
    } stroke[STROKES];
    struct {
        crm_xy at;
        char text[64];
        crm_anchor anchor;
        bool upwards;
    } text[TEXTS];
    struct {
        crm_xy corner, size;
        size_t columns, rows;
        unsigned char cells[4096];
    } image[2];
};

static crm_canvas drawn; /* the last one */

static crm_canvas *fake_open(crm_canvas_format format, double width, double height,
                             double font_size, crm_canvas_sink *sink, void *context)
{
    (void)format, (void)font_size, (void)sink, (void)context;
    drawn = (crm_canvas){.width = width, .height = height};
    return &drawn;
}

static void fake_stroke(crm_canvas *c, const crm_xy *points, size_t count, crm_pen pen)
{
    assert_true(c->strokes < STROKES && count <= POINTS);
    c->stroke[c->strokes].count = count;
    c->stroke[c->strokes].pen = pen;
    memcpy(c->stroke[c->strokes++].points, points, count * sizeof *points);
}

static void fake_fill(crm_canvas *c, const crm_xy *points, size_t count, double grey)
{
    (void)c, (void)points, (void)count, (void)grey;
}

static void fake_text(crm_canvas *c, crm_xy at, const char *text, crm_anchor anchor, bool upwards)
{
    assert_true(c->texts < TEXTS);
    c->text[c->texts].at = at;
    c->text[c->texts].anchor = anchor;
    c->text[c->texts].upwards = upwards;
    snprintf(c->text[c->texts++].text, sizeof c->text[0].text, "%s", text);
}

static double fake_width(crm_canvas *c, const char *text)
{
    (void)c;
    return 4.5 * (double)strlen(text);
}

static void fake_image(crm_canvas *c, crm_xy corner, crm_xy size, const unsigned char *cells,
                       size_t columns, size_t rows)
{
    assert_true(c->images < 2 && columns * rows <= sizeof c->image[0].cells);
    c->image[c->images].corner = corner;
    c->image[c->images].size = size;
    c->image[c->images].columns = columns;
    c->image[c->images].rows = rows;
    memcpy(c->image[c->images++].cells, cells, columns * rows);
}

static void fake_clip(crm_canvas *c, crm_xy corner, crm_xy size)
{
    (void)c, (void)corner, (void)size;
}

static void fake_unclip(crm_canvas *c)
{
    (void)c;
}

static bool fake_close(crm_canvas *c, char *problem, size_t size)
{
    (void)c;
    snprintf(problem, size, "none");
    return true;
}

static const crm_canvas_tools fake = {fake_open,  fake_stroke, fake_fill,   fake_text, fake_width,
                                      fake_image, fake_clip,   fake_unclip, fake_close};

static void draw(const crm_figure *figure)
{
    char problem[64];
    assert_true(crm_figure_draw(figure, &fake, CRM_CANVAS_SVG, NULL, NULL, problem, 64));
}

/* ---- Reading the figure as a person would --------------------------------------------------- */

/* What a place along an axis means, from the two outermost numbers that stand beside it. */
typedef struct reading {
    double at[2], value[2];
    size_t count;
} reading;

static reading read_axis(bool upright)
{
    reading r = {0};
    for (size_t i = 0; i < drawn.texts; i++) {
        char *end;
        double value = strtod(drawn.text[i].text, &end);
        crm_anchor anchor = upright ? CRM_ANCHOR_RIGHT : CRM_ANCHOR_MIDDLE;
        bool number = end != drawn.text[i].text && *end == '\0';
        if (!number || drawn.text[i].anchor != anchor || drawn.text[i].upwards) {
            continue;
        }
        /* Letters stand 0.35 of their size of 8 below the middle. */
        double at = upright ? drawn.text[i].at.y - 0.35 * 8 : drawn.text[i].at.x;
        size_t k = r.count == 0 ? 0 : 1;
        r.at[k] = at;
        r.value[k] = value;
        r.count++;
    }
    assert_true(r.count >= 2);
    return r;
}

static double value_at(const reading *r, double at, bool logarithmic)
{
    double part = (at - r->at[0]) / (r->at[1] - r->at[0]);
    return logarithmic ? r->value[0] * pow(r->value[1] / r->value[0], part)
                       : r->value[0] + part * (r->value[1] - r->value[0]);
}

static void check_curve(size_t stroke, const crm_curve *curve, bool logarithmic)
{
    reading x = read_axis(false), y = read_axis(true);
    assert_int_equal(drawn.stroke[stroke].count, curve->count);
    for (size_t k = 0; k < curve->count; k++) {
        crm_xy at = drawn.stroke[stroke].points[k];
        if (isnan(curve->y[k])) {
            assert_true(isnan(at.y));
            continue;
        }
        double size = fabs(x.value[1]) + fabs(x.value[0]);
        assert_true(fabs(value_at(&x, at.x, logarithmic) - curve->x[k]) < 1e-6 * size);
        size = fabs(y.value[1]) + fabs(y.value[0]);
        assert_true(fabs(value_at(&y, at.y, false) - curve->y[k]) < 1e-6 * size);
    }
}

static size_t find_text(const char *text)
{
    size_t i = 0;
    while (i < drawn.texts && strcmp(drawn.text[i].text, text) != 0) {
        i++;
    }
    return i;
}

/* ---- Curves --------------------------------------------------------------------------------- */

static const double times[] = {0, 0.5, 1, 3, 7.3}, ups[] = {-2.2, 0, 11, NAN, 3},
                    downs[] = {5, 4, 3, 2, 1};

static void curves_are_where_their_axes_say(void **state)
{
    (void)state;
    const crm_curve curves[] = {
        {.label = "up", .count = 5, .x = times, .y = ups, .line = true},
        {.label = "down", .count = 5, .x = times, .y = downs, .line = true}};
    const crm_figure figure = {
        .x = {.title = "time, s"}, .y = {.title = "y"}, .curve_count = 2, .curves = curves};
    draw(&figure);
    assert_true(fabs(drawn.width - 8.6 / 2.54 * 72) < 0.5);
    /* The samples of the legend, the line of zero, then the curves. */
    check_curve(3, &curves[0], false);
    check_curve(4, &curves[1], false);
    /* A cross where a point is missing. */
    reading x = read_axis(false);
    assert_int_equal(drawn.stroke[5].count, 5);
    double cross = (drawn.stroke[5].points[0].x + drawn.stroke[5].points[1].x) / 2;
    assert_true(fabs(value_at(&x, cross, false) - times[3]) < 1e-6);
    assert_null(drawn.stroke[3].pen.dash);
    assert_non_null(drawn.stroke[4].pen.dash);
    const char *const words[] = {"up", "down", "time, s", "y"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(find_text(words[i]) < drawn.texts);
    }
    assert_true(drawn.text[find_text("y")].upwards);
}

static void a_logarithmic_axis_is_one(void **state)
{
    (void)state;
    static const double x[] = {0.01, 0.5, 20, 300}, y[] = {1, 2, 3, 4};
    const crm_curve curve = {.label = "c", .count = 4, .x = x, .y = y, .line = true};
    const crm_figure figure = {.x = {.title = "x", .logarithmic = true},
                               .y = {.title = "y"},
                               .curve_count = 1,
                               .curves = &curve};
    draw(&figure);
    check_curve(0, &curve, true);
}

static void the_number_at_the_end_of_an_axis_stays_within_the_figure(void **state)
{
    (void)state;
    static const double x[] = {1e-6, 1e-5, 1e-4}, y[] = {1, 2, 3};
    const crm_curve curve = {.label = "c", .count = 3, .x = x, .y = y, .line = true};
    const crm_figure figure = {.x = {.title = "x", .logarithmic = true},
                               .y = {.title = "y"},
                               .curve_count = 1,
                               .curves = &curve};
    draw(&figure);
    size_t last = find_text("0.0001");
    assert_true(last < drawn.texts);
    assert_true(drawn.text[last].at.x + 0.5 * fake_width(&drawn, "0.0001") <= drawn.width);
}

/* Rounding fills no axis: a curve that varies by a billionth is level. */
static void what_varies_by_rounding_is_drawn_level(void **state)
{
    (void)state;
    static const double nearly_three[] = {3, 3 * (1 + 1e-9), 3, 3 * (1 - 1e-9), 3};
    const crm_curve curve = {.label = "v", .count = 5, .x = times, .y = nearly_three, .line = true};
    const crm_figure figure = {
        .x = {.title = "t"}, .y = {.title = "y"}, .curve_count = 1, .curves = &curve};
    draw(&figure);
    size_t k = 0;
    while (k < drawn.strokes && drawn.stroke[k].count != 5) {
        k++;
    }
    assert_true(k < drawn.strokes);
    for (size_t i = 1; i < 5; i++) {
        assert_true(fabs(drawn.stroke[k].points[i].y - drawn.stroke[k].points[0].y) < 1e-3);
    }
}

static void long_names_stay_within_the_column(void **state)
{
    (void)state;
    char name[3000] = "a";
    for (size_t i = 1; i + 2 < sizeof name; i += 2) {
        memcpy(name + i, "\xc3\xa9", 2); /* a letter of two bytes, from an odd place on */
    }
    const crm_curve curves[] = {{.label = name, .count = 5, .x = times, .y = downs, .line = true},
                                {.label = "x", .count = 5, .x = times, .y = downs, .line = true}};
    const crm_figure figure = {
        .x = {.title = "t"}, .y = {.title = "y"}, .curve_count = 2, .curves = curves};
    draw(&figure);
    const char *shown = drawn.text[0].text;
    assert_true(drawn.text[0].at.x + fake_width(&drawn, shown) < drawn.width);
    size_t letters = strlen(shown) - strlen("...");
    assert_int_equal(letters % 2, 1);
    assert_string_equal(shown + letters, "...");
}

/* ---- Maps ----------------------------------------------------------------------------------- */

static void a_map_has_its_first_row_below_and_crosses_out_what_is_missing(void **state)
{
    (void)state;
    static const double values[] = {0, 1, 2, 3, NAN, 4};
    const crm_figure figure = {
        .x = {.title = "x", .low = 0, .high = 3},
        .y = {.title = "y", .low = 0, .high = 2},
        .map = {.columns = 3, .rows = 2, .values = values, .low = 0, .high = 4, .title = "z"}};
    draw(&figure);
    const unsigned char cells[] = {64, 255, 0, 255, 191, 128};
    assert_int_equal(drawn.images, 2); /* the map and its scale */
    for (size_t i = 0; i < 6; i++) {
        assert_in_range(drawn.image[0].cells[i] + 1, cells[i], cells[i] + 2);
    }
    /* Two strokes from corner to corner of the middle cell above. */
    double left = drawn.image[0].corner.x + drawn.image[0].size.x / 3;
    assert_true(fabs(drawn.stroke[0].points[0].x - left) < 1e-9);
    assert_true(fabs(drawn.stroke[0].points[1].y - drawn.stroke[1].points[0].y) < 1e-9);
    assert_true(drawn.image[1].cells[0] == 0 && drawn.image[1].cells[63] == 255);
}

/* ---- Ticks and units ------------------------------------------------------------------------ */

/* Each a power of ten, evenly spaced, and about as many as wanted. */
static void many_decades_have_few_ticks(void **state)
{
    (void)state;
    for (int decades = 3; decades < 60; decades++) {
        crm_figure_axis axis = {
            .logarithmic = true, .low = 1e-20, .high = 1e-20 * pow(10, decades)};
        double ticks[CRM_TICKS_MOST];
        size_t count = crm_ticks(&axis, 6, ticks);
        assert_true(count >= 3 && count <= 7);
        for (size_t k = 2; k < count; k++) {
            assert_true(fabs(log10(ticks[k] / ticks[k - 1] * ticks[0] / ticks[1])) < 1e-9);
        }
        assert_true(fabs(log10(ticks[0]) - round(log10(ticks[0]))) < 1e-9);
    }
}

static void ticks_are_written_as_in_papers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.5, "\u22120.5"},
                 {12345, "12345"},
                 {1e-5, "10\u207b\u2075"},
                 {-2e-15, "\u22122\u00b710\u207b\u00b9\u2075"},
                 {3e20, "3\u00b710\u00b2\u2070"},
                 {1e100, "10\u00b9\u2070\u2070"},
                 {-1.2345e-300, "\u22121.2345\u00b710\u207b\u00b3\u2070\u2070"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[CRM_TICK_TEXT];
        crm_ticks_text(cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void ticks_are_round_and_within(void **state)
{
    (void)state;
    static const double ranges[][2] = {{0, 1}, {-3.7, 12.2}, {1e-9, 3e-9}, {99, 101}, {-5e7, 1e8}};
    for (size_t i = 0; i < 5; i++) {
        crm_figure_axis axis = {.low = ranges[i][0], .high = ranges[i][1]};
        double ticks[CRM_TICKS_MOST];
        size_t count = crm_ticks(&axis, 5, ticks);
        assert_in_range(count, 3, 7);
        double step = ticks[1] - ticks[0];
        double digit = step / pow(10, floor(log10(step) + 1e-9));
        assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
        for (size_t k = 0; k < count; k++) {
            assert_true(ticks[k] >= axis.low - 1e-9 * step && ticks[k] <= axis.high + 1e-9 * step);
            assert_true(fabs(ticks[k] / step - round(ticks[k] / step)) < 1e-6);
        }
    }
}

static void units_have_the_prefix_that_fits(void **state)
{
    (void)state;
    static const struct {
        double largest, factor;
        const char *title;
    } cases[] = {{1.5e-4, 1e6, "time, µs"}, {2, 1, "time, s"},       {999, 1, "time, s"},
                 {1000, 1e-3, "time, ks"},  {1e-3, 1e3, "time, ms"}, {0, 1, "time, s"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char title[64];
        double factor = crm_figure_unit("time", "s", cases[i].largest, title, sizeof title);
        assert_true(fabs(factor / cases[i].factor - 1) < 1e-12);
        assert_string_equal(title, cases[i].title);
    }
    char title[64];
    assert_true(crm_figure_unit("time", NULL, 1e-9, title, sizeof title) == 1);
    assert_string_equal(title, "time");
    assert_true(crm_figure_unit("force", "K=1", 4e7, title, sizeof title) == 1); /* it is none */
    assert_string_equal(title, "force, K=1");
}

/* ---- Studies -------------------------------------------------------------------------------- */

typedef struct studied {
    crm_study *study;
    crm_study_table table;
} studied;

static studied run_study(const char *text)
{
    studied s = {0};
    crm_error error;
    const crm_source source = {.text = text, .length = strlen(text)};
    if (crm_study_load(&source, NULL, 0, &s.study, &error) != CRM_OK ||
        crm_study_solve_all(s.study, 1, NULL, &s.table, &error) != CRM_OK) {
        fail_msg("%s", error.message);
    }
    return s;
}

static void draw_study(const studied *s, size_t quantity)
{
    char problem[64];
    const crm_study_view picture = {.study = s->study, .table = &s->table};
    const crm_figure_target target = {.tools = &fake, .format = CRM_CANVAS_SVG};
    assert_true(crm_sweep_figure_draw(&picture, quantity, &target, problem, sizeof problem));
}

static void free_study(studied *s)
{
    crm_study_table_free(&s->table);
    crm_study_free(s->study);
}

/* Moreau's law for two equal balls: v2 = (1 + e)/2. */
static void a_study_of_one_field_is_a_curve_for_each_law(void **state)
{
    (void)state;
    studied s = run_study("laws: [moreau, {law: lzb, max_steps: 1}]\n"
                          "chain: {count: 2, velocity: [1]}\n"
                          "sweep: {grid: {chain.restitution: [0.9, 0, 0.25, 0.5]}, "
                          "record: ['velocity[1]', 'velocity[2]']}\n");
    static const double e[] = {0, 0.25, 0.5, 0.9}, v[] = {0.5, 0.625, 0.75, 0.95};
    draw_study(&s, 1);
    const crm_curve expected = {.count = 4, .x = e, .y = v};
    size_t curve = 0; /* the first stroke of four points within the axes, after the legend */
    while (curve < drawn.strokes && drawn.stroke[curve].count != 4) {
        curve++;
    }
    assert_true(curve < drawn.strokes);
    check_curve(curve, &expected, false);
    assert_true(find_text("moreau") < drawn.texts && find_text("lzb") < drawn.texts);
    assert_true(find_text("velocity[2], m/s") < drawn.texts);
    assert_true(find_text("chain.restitution") < drawn.texts);
    free_study(&s);
}

/* v2 = (1 + e) m / (m + 1) of a ball of mass m that strikes one of mass 1. */
/* By Moreau's law the first of three leaves with (1 - 2e)/3, the others with (1 + e)/3. */
static void a_list_is_a_curve_for_each_point(void **state)
{
    (void)state;
    studied s = run_study("laws: [moreau]\nchain: {count: 3, velocity: [1]}\n"
                          "sweep: {grid: {chain.restitution: [0, 0.5, 1]}, "
                          "record: [dispersion, forward, 'velocity[1..3]']}\n");
    static const double x[] = {1, 2, 3}, e[] = {0, 0.5, 1};
    char problem[64];
    const crm_study_view picture = {.study = s.study, .table = &s.table};
    const crm_figure_target target = {.tools = &fake, .format = CRM_CANVAS_SVG};
    assert_int_equal(crm_sweep_figure_list_entries(s.study, "velocity"), 3);
    assert_int_equal(crm_sweep_figure_list_entries(s.study, "dispersion"), 0);
    assert_true(crm_sweep_figure_draw_list(&picture, "velocity", &target, problem, sizeof problem));
    for (size_t k = 0, curve = 0; k < 3; k++, curve++) {
        const double v[] = {(1 - 2 * e[k]) / 3, (1 + e[k]) / 3, (1 + e[k]) / 3};
        const crm_curve expected = {.count = 3, .x = x, .y = v};
        while (curve < drawn.strokes && drawn.stroke[curve].count != 3) {
            curve++;
        }
        assert_true(curve < drawn.strokes);
        check_curve(curve, &expected, false);
    }
    assert_true(find_text("velocity, m/s") < drawn.texts && find_text("entry") < drawn.texts);
    assert_true(find_text("restitution 0.5") < drawn.texts);
    free_study(&s);
}

static void a_study_of_two_fields_is_a_map(void **state)
{
    (void)state;
    enum { COLUMNS = 11, ROWS = 9 };
    studied s =
        run_study("laws: [moreau]\nchain: {count: 2, mass: [1, 1], velocity: [1]}\n"
                  "sweep: {grid: {chain.restitution: {from: 0, to: 1, steps: 11}, "
                  "'chain.mass[1]': {from: 1, to: 5, steps: 9}}, record: ['velocity[2]']}\n");
    draw_study(&s, 0);
    assert_int_equal(drawn.images, 2);
    assert_int_equal(drawn.image[0].columns, COLUMNS);
    assert_int_equal(drawn.image[0].rows, ROWS);
    double least = 0.5, most = 2 * 5.0 / 6;
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t column = 0; column < COLUMNS; column++) {
            double m = 1 + 0.5 * (double)row, e = 0.1 * (double)column;
            double part = ((1 + e) * m / (m + 1) - least) / (most - least);
            int cell = drawn.image[0].cells[(ROWS - 1 - row) * COLUMNS + column];
            assert_true(fabs(cell - 255 * (1 - part)) <= 1);
        }
    }
    assert_true(find_text("chain.mass[1]") < drawn.texts);
    free_study(&s);
}

static void values_of_another_field_make_curves_of_their_own(void **state)
{
    (void)state;
    studied s =
        run_study("laws: [moreau]\nchain: {count: 2, mass: [1, 1], velocity: [1]}\n"
                  "sweep: {grid: {'chain.mass[1]': [1, 3], "
                  "chain.restitution: {from: 0, to: 1, steps: 5}}, record: ['velocity[2]']}\n");
    draw_study(&s, 0);
    assert_true(find_text("mass[1] 1") < drawn.texts && find_text("mass[1] 3") < drawn.texts);
    free_study(&s);
}

/* ---- A motion -------------------------------------------------------------------------------- */

/* ---- Motions -------------------------------------------------------------------------------- */

/* A ball thrown along x at 2 m/s, falling from 5 m: x = 2 t, y = 5 - g t^2/2. */
static void a_motion_is_drawn_against_time(void **state)
{
    (void)state;
    enum { ROWS = 5 };
    static const double G = 9.81;
    crm_body_def ball = {.name = "ball", .shape = CRM_SHAPE_SPHERE, .radius = 0.1, .mass = 1};
    crm_scene_def scene = crm_scene_def_default();
    scene.bodies.dimension = 2;
    scene.bodies.body_count = 1;
    scene.bodies.bodies = &ball;
    crm_scene_subset subset;
    crm_frames frames;
    assert_int_equal(crm_scene_subset_make(&scene, 10, &subset, NULL), CRM_OK);
    assert_int_equal(crm_motion_frames_create(&subset, &frames, NULL), CRM_OK);
    double t[ROWS], x[ROWS], y[ROWS], kinetic[ROWS], potential[ROWS];
    for (size_t k = 0; k < ROWS; k++) {
        t[k] = 1 + 0.25 * (double)k / (ROWS - 1);
        x[k] = 2 * t[k];
        y[k] = 5 - 0.5 * G * t[k] * t[k];
        kinetic[k] = 0.5 * (4 + G * G * t[k] * t[k]);
        potential[k] = G * y[k];
        const double q[] = {x[k], y[k]}, v[] = {2, -G * t[k]};
        const crm_motion_account energy = {.kinetic_after = kinetic[k],
                                           .potential_after = potential[k]};
        crm_motion_frames_add(&frames, &subset,
                              &(crm_motion_frame){t[k], q, v, energy, 0, CRM_FRAMES_LINE});
    }
    static const struct {
        crm_motion_figure plot;
        const char *names[2], *title;
    } figures[] = {{CRM_MOTION_FIGURE_POSITIONS, {"ball x", "ball y"}, "position, m"},
                   {CRM_MOTION_FIGURE_ENERGY, {"kinetic", "potential"}, "energy, J"}};
    const double *const curves[2][2] = {{x, y}, {kinetic, potential}};
    for (size_t i = 0; i < 2; i++) {
        char problem[64];
        const crm_figure_target target = {.tools = &fake, .format = CRM_CANVAS_SVG};
        assert_true(crm_motion_figure_draw(figures[i].plot, &scene, &subset, &frames, &target,
                                           problem, sizeof problem));
        for (size_t k = 0, curve = 0; k < 2; k++, curve++) {
            const crm_curve expected = {.count = ROWS, .x = t, .y = curves[i][k]};
            while (curve < drawn.strokes && drawn.stroke[curve].count != ROWS) {
                curve++;
            }
            assert_true(curve < drawn.strokes);
            check_curve(curve, &expected, false);
            assert_true(find_text(figures[i].names[k]) < drawn.texts);
        }
        assert_true(find_text(figures[i].title) < drawn.texts &&
                    find_text("time, s") < drawn.texts);
        assert_true(find_text("lost (cumulative)") == drawn.texts);
    }
    assert_false(crm_motion_figure_is_available(CRM_MOTION_FIGURE_ANGLES, &subset));
    crm_frames_free(&frames);
    crm_scene_subset_free(&subset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_where_their_axes_say),
        cmocka_unit_test(a_logarithmic_axis_is_one),
        cmocka_unit_test(the_number_at_the_end_of_an_axis_stays_within_the_figure),
        cmocka_unit_test(what_varies_by_rounding_is_drawn_level),
        cmocka_unit_test(long_names_stay_within_the_column),
        cmocka_unit_test(a_map_has_its_first_row_below_and_crosses_out_what_is_missing),
        cmocka_unit_test(many_decades_have_few_ticks),
        cmocka_unit_test(ticks_are_written_as_in_papers),
        cmocka_unit_test(ticks_are_round_and_within),
        cmocka_unit_test(units_have_the_prefix_that_fits),
        cmocka_unit_test(a_study_of_one_field_is_a_curve_for_each_law),
        cmocka_unit_test(a_list_is_a_curve_for_each_point),
        cmocka_unit_test(a_study_of_two_fields_is_a_map),
        cmocka_unit_test(a_motion_is_drawn_against_time),
        cmocka_unit_test(values_of_another_field_make_curves_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
