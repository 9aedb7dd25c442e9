#include "report/figure/admissible.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"

enum { CURVES_MOST = CRM_ADMISSIBLE_CURVES_MOST, LABEL_SIZE = 128 };

typedef struct plot {
    const crm_admissible_picture *picture;
    crm_figure figure;
    crm_curve curves[CURVES_MOST];
    char labels[CURVES_MOST][LABEL_SIZE];
    double *x, *y; /* of the levels, one after the other, with gaps */
} plot;

static crm_curve *add(plot *p, const char *label, size_t count, const double *x, const double *y)
{
    size_t i = p->figure.curve_count++;
    snprintf(p->labels[i], LABEL_SIZE, "%s", label);
    p->curves[i] = (crm_curve){.label = p->labels[i], .count = count, .x = x, .y = y};
    return &p->curves[i];
}

/* All levels in one line with gaps. */
static bool add_levels(plot *p)
{
    size_t room = 0, count = 0, levels = 0;
    double least = 1, most = 0;
    const crm_admissible_picture *picture = p->picture;
    for (size_t i = 0; i < picture->count; i++) {
        room += picture->curves[i].count + 1;
    }
    p->x = CRM_NEW(double, room);
    p->y = CRM_NEW(double, room);
    if (p->x == NULL || p->y == NULL) {
        return false;
    }
    for (size_t i = 0; i < picture->count; i++) {
        const crm_admissible_curve *c = &picture->curves[i];
        if (c->kind != CRM_ADMISSIBLE_LEVEL || c->count == 0) {
            continue;
        }
        memcpy(p->x + count, c->x, c->count * sizeof(double));
        memcpy(p->y + count, c->y, c->count * sizeof(double));
        count += c->count;
        p->x[count] = p->y[count] = NAN;
        count++;
        levels++;
        least = fmin(least, c->value[0]);
        most = fmax(most, c->value[0]);
    }
    if (levels > 0) {
        char label[LABEL_SIZE];
        crm_snprintf(label, sizeof label, "energy ratio %.2f to %.2f", least, most);
        add(p, label, count, p->x, p->y)->line = true;
    }
    return true;
}

static void add_others(plot *p)
{
    for (size_t i = 0; i < p->picture->count; i++) {
        const crm_admissible_curve *c = &p->picture->curves[i];
        char label[LABEL_SIZE];
        bool locus = c->kind == CRM_ADMISSIBLE_LOCUS || c->kind == CRM_ADMISSIBLE_POINTS;
        if ((!locus && c->kind != CRM_ADMISSIBLE_OUTCOME) || c->count == 0) {
            continue;
        }
        crm_snprintf(label, sizeof label, locus ? "%s, %s" : "%s", c->label, c->parameter);
        crm_curve *curve = add(p, label, c->count, c->x, c->y);
        curve->line = c->kind == CRM_ADMISSIBLE_LOCUS;
        curve->marks = !curve->line;
    }
}

/* Some air about what is drawn. */
static crm_figure_axis axis_of(const plot *p, const char *title, bool upright)
{
    static const double AIR = 0.06;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < p->figure.curve_count; i++) {
        for (size_t k = 0; k < p->curves[i].count; k++) {
            double value = upright ? p->curves[i].y[k] : p->curves[i].x[k];
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    double air = high > low ? AIR * (high - low) : 0.5;
    return (crm_figure_axis){.title = title, .low = low - air, .high = high + air};
}

static void write_title(const char *name, const char *unit, char title[LABEL_SIZE])
{
    snprintf(title, LABEL_SIZE, unit != NULL ? "%s, %s" : "%s", name, unit);
}

bool crm_admissible_figure_draw(const crm_admissible_picture *picture,
                                const crm_figure_target *target, char *problem, size_t size)
{
    char x[LABEL_SIZE], y[LABEL_SIZE];
    plot *p = CRM_NEW(plot, 1);
    bool good = p != NULL;
    if (good) {
        p->picture = picture;
        p->figure.curves = p->curves;
        for (size_t i = 0; i < picture->count; i++) {
            const crm_admissible_curve *c = &picture->curves[i];
            if (c->kind == CRM_ADMISSIBLE_OUTLINE && c->count > 0) {
                add(p, "any law", c->count, c->x, c->y)->line = true;
            }
        }
        good = add_levels(p);
    }
    if (!good) {
        snprintf(problem, size, "out of memory");
    } else {
        add_others(p);
        write_title(picture->x_name, picture->x_unit, x);
        write_title(picture->y_name, picture->y_unit, y);
        p->figure.x = axis_of(p, x, false);
        p->figure.y = axis_of(p, y, true);
        good = crm_figure_draw(&p->figure, target->tools, target->format, target->sink,
                               target->context, problem, size);
    }
    if (p != NULL) {
        free(p->x);
        free(p->y);
    }
    free(p);
    return good;
}
