#include "report/figure/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"

enum { MOST = CRM_FIGURE_CURVES_MOST, TITLE_SIZE = 192, MARKED_MOST = 25 };

struct placed {
    double x;
    size_t point;
};

typedef struct plot {
    const crm_study_view *view;
    size_t quantity, points, fields, laws;
    double *values;       /* distinct ones of every field: fields * points, ascending */
    size_t *counts;       /* of them */
    size_t x, y;          /* fields; y: of a map */
    struct placed *order; /* points of a curve, by x */
    double *xs, *ys;      /* of the curves, or the cells */
    bool is_map;
    bool left_out; /* more curves than there is room for */
    crm_curve curves[MOST];
    char labels[MOST][TITLE_SIZE];
    char title[TITLE_SIZE], x_title[TITLE_SIZE], y_title[TITLE_SIZE];
    crm_figure figure;
} plot;

/* ---- Values of fields ------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double field_at(const plot *p, size_t point, size_t field)
{
    return crm_study_view_field(p->view, point, field);
}

static void list_values(plot *p, size_t field)
{
    double *values = p->values + field * p->points;
    size_t count = 0;
    for (size_t i = 0; i < p->points; i++) {
        values[i] = field_at(p, i, field);
    }
    if (!crm_study_is_numeric(p->view->study, field)) {
        p->counts[field] = 0;
        return;
    }
    qsort(values, p->points, sizeof *values, ascending);
    for (size_t i = 0; i < p->points; i++) {
        if (count == 0 || values[i] != values[count - 1]) {
            values[count++] = values[i];
        }
    }
    p->counts[field] = count;
}

/* The field of numbers with most values, or with most after that one. */
static size_t choose_field(const plot *p, size_t without)
{
    size_t best = p->fields;
    for (size_t f = 0; f < p->fields; f++) {
        bool better = best == p->fields || p->counts[f] > p->counts[best];
        if (f != without && p->counts[f] > 1 && better) {
            best = f;
        }
    }
    return best;
}

/* Positive values over more than a decade whose ratios are equal. */
static bool is_logarithmic(const plot *p, size_t field)
{
    const double *v = p->values + field * p->points;
    size_t n = p->counts[field];
    if (n < 3 || !(v[0] > 0) || !(v[n - 1] > 10 * v[0])) {
        return false;
    }
    for (size_t i = 2; i < n; i++) {
        if (fabs(v[i] / v[i - 1] - v[1] / v[0]) > 1e-6 * (v[1] / v[0])) {
            return false;
        }
    }
    return true;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

/* A randomly drawn field: its values form no groups. */
static bool is_random(const plot *p, size_t field)
{
    return 2 * p->counts[field] > p->points && p->points > MOST;
}

/* Points that differ only in x have the same values of all other fields. */
static bool are_together(const plot *p, size_t a, size_t b)
{
    for (size_t f = 0; f < p->fields; f++) {
        if (f == p->x || is_random(p, f)) {
            continue;
        }
        if (p->counts[f] > 0 && field_at(p, a, f) != field_at(p, b, f)) {
            return false;
        }
        char first[128], second[128];
        if (p->counts[f] == 0) {
            const crm_study_view *q = p->view;
            crm_study_value_text(q->study, q->first + a, f, first, sizeof first);
            crm_study_value_text(q->study, q->first + b, f, second, sizeof second);
            if (strcmp(first, second) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* The groups of such points, by one point of each; at most MOST + 1 are found. */
static size_t find_groups(const plot *p, size_t groups[MOST + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < p->points && count <= MOST; i++) {
        size_t g = 0;
        while (g < count && !are_together(p, groups[g], i)) {
            g++;
        }
        if (g == count) {
            groups[count++] = i;
        }
    }
    return count;
}

/* "lzb, exponent 1.5": the law where there are several, the last word of each other field. */
static void name_curve(const plot *p, size_t law, size_t point, bool several_groups, char *label)
{
    const crm_study *study = p->view->study;
    bool several_laws = p->laws > 1;
    label[0] = '\0';
    if (several_laws || !several_groups) {
        crm_text_append(label, TITLE_SIZE, "%s", crm_study_label(study, law));
    }
    for (size_t f = 0; f < p->fields && several_groups; f++) {
        if (f == p->x || is_random(p, f)) {
            continue;
        }
        char value[96];
        const char *name = crm_study_field(study, f), *dot = strrchr(name, '.');
        crm_study_value_text(study, p->view->first + point, f, value, sizeof value);
        if (p->counts[f] > 0) {
            crm_snprintf(value, sizeof value, "%g", field_at(p, point, f));
        }
        crm_text_append(label, TITLE_SIZE, "%s%s %s", label[0] != '\0' ? ", " : "",
                        dot != NULL ? dot + 1 : name, value);
    }
}

static int by_x(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x)
                        : (p->point > q->point) - (p->point < q->point);
}

/* The points of a group along x, by one law. */
static void add_curve(plot *p, size_t law, size_t group, bool several_groups)
{
    size_t k = p->figure.curve_count, count = 0;
    double *x = p->xs + k * p->points, *y = p->ys + k * p->points;
    bool scattered = false;
    for (size_t f = 0; f < p->fields; f++) {
        scattered = scattered || (f != p->x && is_random(p, f));
    }
    for (size_t i = 0; i < p->points; i++) {
        if (are_together(p, group, i)) {
            p->order[count++] = (struct placed){field_at(p, i, p->x), i};
        }
    }
    qsort(p->order, count, sizeof *p->order, by_x);
    for (size_t i = 0; i < count; i++) {
        x[i] = p->order[i].x;
        y[i] = crm_study_view_value(p->view, p->order[i].point, law, p->quantity);
    }
    name_curve(p, law, group, several_groups, p->labels[k]);
    p->curves[k] = (crm_curve){.label = p->labels[k],
                               .count = count,
                               .x = x,
                               .y = y,
                               .marks = scattered || count <= MARKED_MOST,
                               .line = !scattered};
    p->figure.curve_count++;
}

static bool make_curves(plot *p, const size_t *groups, size_t group_count)
{
    p->xs = CRM_NEW(double, MOST * p->points);
    p->ys = CRM_NEW(double, MOST * p->points);
    p->order = CRM_NEW(struct placed, p->points);
    if (p->xs == NULL || p->ys == NULL || p->order == NULL) {
        return false;
    }
    for (size_t g = 0; g < group_count; g++) {
        for (size_t law = 0; law < p->laws && p->figure.curve_count < MOST; law++) {
            add_curve(p, law, groups[g], group_count > 1);
        }
    }
    p->left_out = group_count * p->laws > p->figure.curve_count;
    p->figure.x.logarithmic = is_logarithmic(p, p->x);
    snprintf(p->y_title, TITLE_SIZE, "%s", p->title);
    return true;
}

/* ---- Maps ------------------------------------------------------------------------------------ */

/* Cells as wide as the steps between the values, which are even on the axis; false: they are not.
 */
static bool make_cells(const plot *p, size_t field, crm_figure_axis *axis)
{
    const double *v = p->values + field * p->points;
    size_t n = p->counts[field];
    axis->logarithmic = is_logarithmic(p, field);
    if (axis->logarithmic) {
        double half = sqrt(v[1] / v[0]);
        axis->low = v[0] / half;
        axis->high = v[n - 1] * half;
        return true;
    }
    double step = (v[n - 1] - v[0]) / (double)(n - 1);
    for (size_t i = 1; i < n; i++) {
        if (fabs(v[i] - v[i - 1] - step) > 1e-6 * step) {
            return false;
        }
    }
    axis->low = v[0] - 0.5 * step;
    axis->high = v[n - 1] + 0.5 * step;
    return true;
}

static size_t place_among(const plot *p, size_t field, double value)
{
    const double *v = p->values + field * p->points;
    const double *found = bsearch(&value, v, p->counts[field], sizeof *v, ascending);
    return found != NULL ? (size_t)(found - v) : 0;
}

/* Where several points share a cell the first one counts. */
static void fill_cells(plot *p)
{
    size_t columns = p->counts[p->x], cells = columns * p->counts[p->y];
    crm_figure_map *map = &p->figure.map;
    map->low = INFINITY;
    map->high = -INFINITY;
    for (size_t i = 0; i < cells; i++) {
        p->ys[i] = NAN;
    }
    for (size_t i = p->points; i-- > 0;) {
        size_t column = place_among(p, p->x, field_at(p, i, p->x));
        size_t row = place_among(p, p->y, field_at(p, i, p->y));
        double value = crm_study_view_value(p->view, i, 0, p->quantity);
        p->ys[row * columns + column] = value;
        if (isfinite(value)) {
            map->low = fmin(map->low, value);
            map->high = fmax(map->high, value);
        }
    }
}

static bool make_map(plot *p)
{
    size_t columns = p->counts[p->x], rows = p->counts[p->y];
    p->ys = CRM_NEW(double, columns *rows);
    if (p->ys == NULL) {
        return false;
    }
    fill_cells(p);
    p->figure.map.columns = columns;
    p->figure.map.rows = rows;
    p->figure.map.values = p->ys;
    p->figure.map.title = p->title;
    snprintf(p->y_title, TITLE_SIZE, "%s", crm_study_field(p->view->study, p->y));
    return true;
}

/* ---- Together -------------------------------------------------------------------------------- */

static bool make_figure(plot *p)
{
    size_t groups[MOST + 1], count = find_groups(p, groups);
    p->y = choose_field(p, p->x);
    bool crowded = count * p->laws > MOST && p->y < p->fields && !is_random(p, p->y);
    if (crowded && make_cells(p, p->x, &p->figure.x) && make_cells(p, p->y, &p->figure.y)) {
        p->is_map = true;
        return make_map(p);
    }
    p->figure.x = p->figure.y = (crm_figure_axis){0};
    return make_curves(p, groups, count); /* of one group too many, the last has no room */
}

static bool begin(plot *p)
{
    p->values = CRM_NEW(double, p->fields * p->points);
    p->counts = CRM_NEW(size_t, p->fields);
    if (p->values == NULL || p->counts == NULL) {
        return false;
    }
    for (size_t f = 0; f < p->fields; f++) {
        list_values(p, f);
    }
    const crm_study *study = p->view->study;
    const char *unit = crm_study_view_unit(p->view, p->quantity);
    snprintf(p->title, TITLE_SIZE, "%s%s%s", crm_study_quantity(study, p->quantity),
             unit != NULL ? ", " : "", unit != NULL ? unit : "");
    p->x = choose_field(p, p->fields);
    return true;
}

static bool draw(plot *p, const crm_figure_target *target, char *problem, size_t size)
{
    if (p->x == p->fields) {
        snprintf(problem, size, "no field takes more than one numeric value");
        return false;
    }
    if (!make_figure(p)) {
        return false;
    }
    snprintf(p->x_title, TITLE_SIZE, "%s", crm_study_field(p->view->study, p->x));
    p->figure.x.title = p->x_title;
    p->figure.y.title = p->y_title;
    p->figure.curves = p->curves;
    return crm_figure_draw(&p->figure, target->tools, target->format, target->sink, target->context,
                           problem, size);
}

static plot *create(const crm_study_view *view)
{
    plot *p = CRM_NEW(plot, 1);
    if (p != NULL) {
        p->view = view;
        p->points = crm_study_view_points(view);
        p->fields = crm_study_fields(view->study);
        p->laws = crm_study_laws(view->study);
    }
    return p;
}

static void destroy(plot *p)
{
    free(p->values);
    free(p->counts);
    free(p->order);
    free(p->xs);
    free(p->ys);
    free(p);
}

/* What the figure leaves out. */
static void describe_omissions(const plot *p, char *problem, size_t size)
{
    snprintf(problem, size, "%s", "");
    if (p->left_out) {
        snprintf(problem, size, "shows only %zu of the curves; --report has all of them",
                 p->figure.curve_count);
    } else if (p->is_map && p->laws > 1) {
        snprintf(problem, size, "is a map of the first law only; --report has all %zu", p->laws);
    }
}

bool crm_sweep_figure_draw(const crm_study_view *view, size_t quantity,
                           const crm_figure_target *target, char *problem, size_t size)
{
    plot *p = create(view);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (p == NULL) {
        return false;
    }
    p->quantity = quantity;
    bool good = begin(p) && draw(p, target, problem, size);
    if (good) {
        describe_omissions(p, problem, size);
    }
    destroy(p);
    return good;
}

/* ---- A list ---------------------------------------------------------------------------------- */

/* The number of an entry of the list; 0: it is none. */
static long entry_of(const crm_study *study, size_t quantity, const char *list)
{
    const char *name = crm_study_quantity(study, quantity);
    size_t length = strlen(list);
    char *end;
    if (strncmp(name, list, length) != 0 || name[length] != '[') {
        return 0;
    }
    long entry = strtol(name + length + 1, &end, 10);
    return entry > 0 && strcmp(end, "]") == 0 ? entry : 0;
}

size_t crm_sweep_figure_list_entries(const crm_study *study, const char *list)
{
    size_t count = 0;
    for (size_t q = 0; q < crm_study_quantities(study); q++) {
        count += entry_of(study, q, list) > 0;
    }
    return count;
}

/* The entries at a point by a law. */
static void add_list(plot *p, const char *list, size_t entries, size_t point, size_t law)
{
    const crm_study *study = p->view->study;
    size_t k = p->figure.curve_count++, count = 0;
    double *x = p->xs + k * entries, *y = p->ys + k * entries;
    for (size_t q = 0; q < crm_study_quantities(study); q++) {
        long entry = entry_of(study, q, list);
        if (entry > 0) {
            x[count] = (double)entry;
            y[count++] = crm_study_view_value(p->view, point, law, q);
        }
    }
    name_curve(p, law, point, true, p->labels[k]);
    p->curves[k] = (crm_curve){.label = p->labels[k],
                               .count = count,
                               .x = x,
                               .y = y,
                               .marks = count <= MARKED_MOST,
                               .line = true};
}

static bool draw_list(plot *p, const char *list, const crm_figure_target *target, char *problem,
                      size_t size)
{
    size_t entries = crm_sweep_figure_list_entries(p->view->study, list);
    size_t room = p->laws < MOST ? MOST / p->laws : 1, shown = p->points < room ? p->points : room;
    p->xs = CRM_NEW(double, MOST *entries);
    p->ys = CRM_NEW(double, MOST *entries);
    if (p->xs == NULL || p->ys == NULL || !begin(p)) {
        return false;
    }
    p->x = p->fields; /* all of them are in the names of the curves */
    p->left_out = shown < p->points || p->laws > MOST;
    for (size_t i = 0; i < shown; i++) {
        size_t point = shown > 1 ? i * (p->points - 1) / (shown - 1) : 0;
        for (size_t law = 0; law < p->laws && p->figure.curve_count < MOST; law++) {
            add_list(p, list, entries, point, law);
        }
    }
    const char *unit = crm_study_view_unit(p->view, p->quantity);
    snprintf(p->y_title, TITLE_SIZE, "%s%s%s", list, unit != NULL ? ", " : "",
             unit != NULL ? unit : "");
    p->figure.x = (crm_figure_axis){.title = "entry", .whole = true};
    p->figure.y.title = p->y_title;
    p->figure.curves = p->curves;
    return crm_figure_draw(&p->figure, target->tools, target->format, target->sink, target->context,
                           problem, size);
}

bool crm_sweep_figure_draw_list(const crm_study_view *view, const char *list,
                                const crm_figure_target *target, char *problem, size_t size)
{
    plot *p = create(view);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (p == NULL) {
        return false;
    }
    while (entry_of(view->study, p->quantity, list) == 0) {
        p->quantity++; /* the first of them, for its unit */
    }
    bool good = draw_list(p, list, target, problem, size);
    if (good) {
        describe_omissions(p, problem, size);
    }
    destroy(p);
    return good;
}
