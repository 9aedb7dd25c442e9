/* Derivatives, fits and designs for people. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/inverse.h"
#include "report/text/sheet.h"

enum { COLUMN_LEAST = 12, COLUMN_MOST = 28, NAME_MOST = 34, NUMBER_SIZE = 48 };
/* Names of a list that is made for them. */
enum { NAMES_MOST = 1000 };

/* ---- Shared --------------------------------------------------------------------------------- */

static int widest(const char *const *names, size_t count, int least, int most)
{
    int width = least;
    for (size_t i = 0; i < count; i++) {
        int own = crm_text_width(names[i]);
        width = own > width ? own : width;
    }
    return width < most ? width : most;
}

static crm_sheet sheet_of(crm_style style, FILE *stream, const char *const *names, size_t count)
{
    crm_sheet sheet = {.stream = stream,
                       .colour = style.colour,
                       .width = style.width,
                       .first_titled = true,
                       .column_width = COLUMN_LEAST};
    sheet.name_width = widest(names, count, 0, NAME_MOST);
    return sheet;
}

/* Numbers below this part of what they are made of are rounding. */
static const double ROUNDING = 1e-13;

/* `scale`: how large the terms are whose sum it is. */
static void number_cell_beside(const crm_sheet *sheet, double value, double scale)
{
    char text[NUMBER_SIZE] = "-";
    value = fabs(value) <= ROUNDING * scale ? 0 : value;
    if (!isnan(value)) {
        crm_snprintf(text, sizeof text, "%.6g", value);
    }
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
}

static void number_cell(const crm_sheet *sheet, double value)
{
    number_cell_beside(sheet, value, 0);
}

static void print_head(const crm_sheet *sheet, const char *title, const char *what, const char *law,
                       bool exact)
{
    char text[256];
    if (title[0] != '\0') {
        crm_sheet_title(sheet, sheet->width, title);
    }
    snprintf(text, sizeof text, "%s by %s; derivatives %s", what, law,
             exact ? "along the course of the impact" : "by differences of whole solves");
    crm_text_wrap(sheet->stream, sheet->width, text, 0, 2);
}

static void print_sentence(const crm_sheet *sheet, const char *text)
{
    crm_text_wrap(sheet->stream, sheet->width, text, 0, 2);
}

/* ---- Derivatives ---------------------------------------------------------------------------- */

/* The largest value among the entries of the list that quantity i is of. */
static double size_of_list(const crm_sensitivity *t, size_t i)
{
    size_t length = strcspn(t->of[i], "[");
    double most = 0;
    for (size_t k = 0; k < t->of_count; k++) {
        bool same = strcspn(t->of[k], "[") == length && strncmp(t->of[k], t->of[i], length) == 0;
        most = same ? fmax(most, fabs(t->value[k])) : most;
    }
    return most;
}

/* Some of the columns, side by side. */
static void print_columns(crm_sheet sheet, const crm_sensitivity *t, size_t first, size_t count)
{
    sheet.columns = count;
    sheet.titles = t->to + first;
    crm_sheet_heading(&sheet, "derivative to");
    for (size_t i = 0; i < t->of_count; i++) {
        crm_sheet_name(&sheet, t->of[i]);
        for (size_t j = first; j < first + count; j++) {
            double scale = t->at[j] != 0 ? size_of_list(t, i) / fabs(t->at[j]) : 0;
            number_cell_beside(&sheet, t->derivative[i * t->to_count + j], scale);
        }
        crm_sheet_end_row(&sheet);
    }
}

static void print_derivatives(const crm_sheet *sheet, const crm_sensitivity *t)
{
    int room = sheet->width > 0 ? sheet->width - sheet->name_width - 2 : 1 << 20;
    crm_sheet columns = *sheet;
    columns.column_width = widest(t->to, t->to_count, COLUMN_LEAST, COLUMN_MOST);
    size_t side_by_side = crm_sheet_columns_per_part(room, columns.column_width + 2, t->to_count);
    for (size_t first = 0; first < t->to_count; first += side_by_side) {
        size_t left = t->to_count - first;
        print_columns(columns, t, first, left < side_by_side ? left : side_by_side);
    }
}

static void print_spreads(crm_sheet sheet, const crm_sensitivity *t)
{
    static const char *const titles[] = {"value", "by derivatives +-", "mean of draws",
                                         "of draws +-"};
    sheet.columns = sizeof titles / sizeof titles[0];
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "uncertainty");
    for (size_t i = 0; i < t->of_count; i++) {
        const crm_spread *s = &t->spread[i];
        crm_sheet_name(&sheet, t->of[i]);
        number_cell(&sheet, t->value[i]);
        number_cell(&sheet, s->first_order);
        number_cell(&sheet, s->mean);
        number_cell(&sheet, s->sampled);
        if (s->disagrees) {
            fputs("  ", sheet.stream);
            crm_sheet_text(&sheet, CRM_TONE_BAD, "*");
        }
        crm_sheet_end_row(&sheet);
    }
}

static void tell_spreads(const crm_sheet *sheet, const crm_sensitivity *t)
{
    char text[2048] = "From";
    size_t not_linear = 0;
    for (size_t j = 0; j < t->uncertain_count; j++) {
        crm_text_append(text, sizeof text, "%s %s +- %.4g", j > 0 ? "," : "", t->uncertain[j].name,
                        t->uncertain[j].deviation);
    }
    crm_text_append(text, sizeof text, "; %zu draws.", t->samples);
    fputc('\n', sheet->stream);
    print_sentence(sheet, text);
    for (size_t i = 0; i < t->of_count; i++) {
        not_linear += t->spread[i].disagrees;
    }
    if (not_linear > 0) {
        print_sentence(sheet, "* Derivatives and draws disagree by more than chance: over these "
                              "uncertainties the outcome is not linear, and the draws are right.");
    }
    if (t->unanswered > 0) {
        snprintf(text, sizeof text,
                 "%zu of the draws are no scenario, or have no answer, and are left out.",
                 t->unanswered);
        print_sentence(sheet, text);
    }
}

void crm_sensitivity_table(const crm_sensitivity *table, crm_style style, FILE *stream)
{
    crm_sheet sheet = sheet_of(style, stream, table->of, table->of_count);
    sheet.name_width = sheet.name_width < 13 ? 13 : sheet.name_width;
    print_head(&sheet, table->title, "how outcomes change", table->law, table->exact);
    print_derivatives(&sheet, table);
    if (table->doubt[0] != '\0') {
        fputc('\n', stream);
        print_sentence(&sheet, table->doubt);
    }
    if (table->uncertain_count > 0) {
        print_spreads(sheet, table);
        tell_spreads(&sheet, table);
    }
}

void crm_sensitivity_csv(const crm_sensitivity *table, FILE *stream)
{
    bool spread = table->uncertain_count > 0;
    fputs("of,value", stream);
    for (size_t j = 0; j < table->to_count; j++) {
        fputc(',', stream);
        crm_csv_text(stream, table->to[j]);
    }
    fputs(spread ? ",first_order,mean,sampled\n" : "\n", stream);
    for (size_t i = 0; i < table->of_count; i++) {
        crm_csv_text(stream, table->of[i]);
        fputc(',', stream);
        crm_csv_number(stream, table->value[i]);
        for (size_t j = 0; j < table->to_count; j++) {
            fputc(',', stream);
            crm_csv_number(stream, table->derivative[i * table->to_count + j]);
        }
        const crm_spread *s = spread ? &table->spread[i] : NULL;
        for (int k = 0; spread && k < 3; k++) {
            fputc(',', stream);
            crm_csv_number(stream, k == 0 ? s->first_order : k == 1 ? s->mean : s->sampled);
        }
        fputc('\n', stream);
    }
}

/* ---- Fits ----------------------------------------------------------------------------------- */

static void interval_cell(const crm_sheet *sheet, const crm_fit_parameter *p)
{
    char text[2 * NUMBER_SIZE];
    crm_snprintf(text, sizeof text, "%.6g ... %.6g", p->interval[0], p->interval[1]);
    fputs("  ", sheet->stream);
    crm_sheet_text(sheet, p->determined ? CRM_TONE_PLAIN : CRM_TONE_BAD,
                   p->determined ? text : "not determined");
}

static void print_parameters(crm_sheet sheet, const crm_fit *fit)
{
    static const char *const titles[] = {"value", "+-", "95 %"};
    sheet.columns = 3;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "parameter");
    for (size_t j = 0; j < fit->parameter_count; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        crm_sheet_name(&sheet, p->name);
        number_cell(&sheet, p->value);
        number_cell(&sheet, p->uncertainty);
        interval_cell(&sheet, p);
        crm_sheet_end_row(&sheet);
    }
}

/* Columns are numbered as the rows are: names are long. */
static void print_correlation(crm_sheet sheet, const crm_fit *fit)
{
    enum { WIDTH = 6 };
    static const char *const titles[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    size_t n = fit->parameter_count;
    if (n < 2 || n > sizeof titles / sizeof titles[0]) {
        return; /* one need not be told, and many are for programs */
    }
    sheet.name_width += 4;
    sheet.column_width = WIDTH;
    sheet.columns = n;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "correlation");
    for (size_t i = 0; i < n; i++) {
        char name[NAME_MOST + 8], text[NUMBER_SIZE];
        snprintf(name, sizeof name, "%zu: %.*s", i + 1, NAME_MOST, fit->parameters[i].name);
        crm_sheet_name(&sheet, name);
        for (size_t j = 0; j < n; j++) {
            double value = fit->correlation[i * n + j];
            crm_snprintf(text, sizeof text, "%.3f", value);
            crm_sheet_cell(&sheet, CRM_TONE_PLAIN, isnan(value) ? "-" : text);
        }
        crm_sheet_end_row(&sheet);
    }
}

static void print_residuals(crm_style style, FILE *stream, const crm_fit *fit,
                            const char *const *names)
{
    static const char *const titles[] = {"measured", "+-", "fitted", "deviation"};
    crm_sheet sheet = sheet_of(style, stream, names, fit->residual_count);
    sheet.name_width = sheet.name_width < 9 ? 9 : sheet.name_width;
    sheet.columns = 4;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "quantity");
    for (size_t i = 0; i < fit->residual_count; i++) {
        const crm_fit_residual *r = &fit->residuals[i];
        crm_sheet_name(&sheet, r->what);
        number_cell(&sheet, r->measured);
        number_cell(&sheet, r->uncertainty);
        number_cell(&sheet, r->fitted);
        double size = fmax(fabs(r->measured), fabs(r->fitted));
        number_cell_beside(&sheet, r->deviation, r->uncertainty > 0 ? size / r->uncertainty : size);
        crm_sheet_end_row(&sheet);
    }
}

static void tell_sums(const crm_sheet *sheet, const crm_fit *fit)
{
    char text[256];
    if (fit->weighed) {
        crm_snprintf(text, sizeof text, "chi2 is %.6g for %zu degrees of freedom.", fit->chi2,
                     fit->degrees_of_freedom);
    } else if (fit->degrees_of_freedom == 0) {
        snprintf(text, sizeof text,
                 "No uncertainties were given, and there are no more values than parameters: how "
                 "well they are known cannot be told. Give uncertainties, or measure more.");
    } else {
        crm_snprintf(text, sizeof text,
                     "No uncertainties were given: the values scatter by %.4g, from %zu degrees of "
                     "freedom.",
                     fit->scatter, fit->degrees_of_freedom);
    }
    fputc('\n', sheet->stream);
    print_sentence(sheet, text);
    for (size_t k = 0; k < fit->note_count; k++) {
        print_sentence(sheet, fit->notes[k]);
    }
}

void crm_fit_table(const crm_fit *fit, crm_style style, FILE *stream)
{
    const char *names[NAMES_MOST];
    size_t parameters = fit->parameter_count < NAMES_MOST ? fit->parameter_count : NAMES_MOST;
    for (size_t j = 0; j < parameters; j++) {
        names[j] = fit->parameters[j].name;
    }
    crm_sheet sheet = sheet_of(style, stream, names, parameters);
    sheet.name_width = sheet.name_width < 11 ? 11 : sheet.name_width;
    print_head(&sheet, fit->title, "fit", fit->law, fit->exact);
    print_parameters(sheet, fit);
    print_correlation(sheet, fit);
    size_t residuals = fit->residual_count < NAMES_MOST ? fit->residual_count : NAMES_MOST;
    for (size_t i = 0; i < residuals; i++) {
        names[i] = fit->residuals[i].what;
    }
    print_residuals(style, stream, fit, names);
    tell_sums(&sheet, fit);
}

void crm_fit_csv(const crm_fit *fit, FILE *stream)
{
    fputs("parameter,value,uncertainty,from,to,determined\n", stream);
    for (size_t j = 0; j < fit->parameter_count; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        const double numbers[] = {p->value, p->uncertainty, p->interval[0], p->interval[1]};
        crm_csv_text(stream, p->name);
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            fputc(',', stream);
            crm_csv_number(stream, numbers[k]);
        }
        fputs(p->determined ? ",true\n" : ",false\n", stream);
    }
}

/* ---- Designs -------------------------------------------------------------------------------- */

static bool is_at(double value, double bound, double range)
{
    return fabs(value - bound) <= 1e-9 * range;
}

static void print_fields(crm_sheet sheet, const crm_design *d)
{
    static const char *const titles[] = {"best", "start"};
    sheet.columns = 2;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "field");
    for (size_t j = 0; j < d->field_count; j++) {
        double range = d->to[j] - d->from[j];
        crm_sheet_name(&sheet, d->names[j]);
        number_cell(&sheet, d->best[j]);
        number_cell(&sheet, d->own[j]);
        if (is_at(d->best[j], d->from[j], range) || is_at(d->best[j], d->to[j], range)) {
            fputs("  ", sheet.stream);
            crm_sheet_text(&sheet, CRM_TONE_FAINT, "at its bound");
        }
        crm_sheet_end_row(&sheet);
    }
}

static void tell_gain(const crm_sheet *sheet, const crm_design *d)
{
    char text[512];
    crm_snprintf(text, sizeof text, "%s is %.9g, at the start %.9g", d->what, d->value,
                 d->own_value);
    if (d->own_value != 0) {
        crm_text_append(text, sizeof text, ": %.4g times as much", d->value / d->own_value);
    }
    crm_text_append(text, sizeof text, ".");
    fputc('\n', sheet->stream);
    print_sentence(sheet, text);
    if (d->moved) {
        print_sentence(sheet, "The scenario's own values break the rules; the start is the nearest "
                              "that keeps them.");
    }
}

/* Of the starts, how many came to the best, and what the others came to. */
static void tell_ends(const crm_sheet *sheet, const crm_design *d)
{
    static const double SAME = 1e-6;
    char text[512];
    size_t same = 0, none = 0;
    double worst = d->value;
    for (size_t k = 0; k < d->end_count; k++) {
        double value = d->ends[k].value;
        none += isnan(value);
        same += fabs(value - d->value) <= SAME * fabs(d->value);
        worst = isnan(value)                                      ? worst
                : d->largest == (value < worst) && value != worst ? value
                                                                  : worst;
    }
    snprintf(text, sizeof text, "%zu of %zu starts came to it", same, d->end_count);
    if (same + none < d->end_count) {
        crm_text_append(text, sizeof text, ", the others to less good ones, down to %.9g", worst);
    }
    if (none > 0) {
        crm_text_append(text, sizeof text, "; %zu came to none", none);
    }
    crm_text_append(text, sizeof text, "; %zu solves, by %s.", d->evaluations, d->method);
    print_sentence(sheet, text);
}

void crm_design_table(const crm_design *design, crm_style style, FILE *stream)
{
    char what[160];
    crm_sheet sheet = sheet_of(style, stream, design->names, design->field_count);
    sheet.name_width = sheet.name_width < 11 ? 11 : sheet.name_width;
    snprintf(what, sizeof what, "%s of %.100s", design->largest ? "largest" : "least",
             design->what);
    print_head(&sheet, design->title, what, design->law, design->exact);
    print_fields(sheet, design);
    tell_gain(&sheet, design);
    tell_ends(&sheet, design);
}

void crm_design_csv(const crm_design *design, FILE *stream)
{
    fputs("field,value,start,from,to\n", stream);
    for (size_t j = 0; j < design->field_count; j++) {
        const double numbers[] = {design->best[j], design->own[j], design->from[j], design->to[j]};
        crm_csv_text(stream, design->names[j]);
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            fputc(',', stream);
            crm_csv_number(stream, numbers[k]);
        }
        fputc('\n', stream);
    }
}
