/* A fit as a table, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/inverse.h"
#include "report/inverse/common.h"

/* ---- Table and CSV --------------------------------------------------------------------------- */

/* Names of parameters and residuals that set the width of a table. */
enum { NAMES_MOST = 1000 };

static void interval_cell(const crm_sheet *sheet, const crm_fit_parameter *p)
{
    char text[2 * CRM_INVERSE_NUMBER_SIZE];
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
        crm_inverse_cell(&sheet, p->value);
        crm_inverse_cell(&sheet, p->uncertainty);
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
        return; /* one correlates with nothing, and many are for programs */
    }
    sheet.name_width += 4;
    sheet.column_width = WIDTH;
    sheet.columns = n;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "correlation");
    for (size_t i = 0; i < n; i++) {
        char name[CRM_INVERSE_NAME_WIDTH_MOST + 8], text[CRM_INVERSE_NUMBER_SIZE];
        snprintf(name, sizeof name, "%zu: %.*s", i + 1, CRM_INVERSE_NAME_WIDTH_MOST,
                 fit->parameters[i].name);
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
    crm_sheet sheet = crm_inverse_sheet(style, stream, names, fit->residual_count);
    sheet.name_width = sheet.name_width < 9 ? 9 : sheet.name_width;
    sheet.columns = 4;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "quantity");
    for (size_t i = 0; i < fit->residual_count; i++) {
        const crm_fit_residual *r = &fit->residuals[i];
        crm_sheet_name(&sheet, r->what);
        crm_inverse_cell(&sheet, r->measured);
        crm_inverse_cell(&sheet, r->uncertainty);
        crm_inverse_cell(&sheet, r->fitted);
        double size = fmax(fabs(r->measured), fabs(r->fitted));
        crm_inverse_cell_beside(&sheet, r->deviation,
                                r->uncertainty > 0 ? size / r->uncertainty : size);
        crm_sheet_end_row(&sheet);
    }
}

static void print_quality(const crm_sheet *sheet, const crm_fit *fit)
{
    char text[256];
    const char *degrees = fit->degrees_of_freedom == 1 ? "degree" : "degrees";
    if (fit->weighed) {
        crm_snprintf(text, sizeof text, "chi2 = %.6g with %zu %s of freedom.", fit->chi2,
                     fit->degrees_of_freedom, degrees);
    } else if (fit->degrees_of_freedom == 0) {
        snprintf(text, sizeof text,
                 "No uncertainties were given and there are no more values than parameters, so the "
                 "uncertainties of the parameters cannot be estimated. Give uncertainties or more "
                 "measurements.");
    } else {
        crm_snprintf(text, sizeof text,
                     "No uncertainties were given; the residuals have a standard deviation of %.4g "
                     "with %zu %s of freedom.",
                     fit->scatter, fit->degrees_of_freedom, degrees);
    }
    fputc('\n', sheet->stream);
    crm_inverse_print_sentence(sheet, text);
    for (size_t k = 0; k < fit->note_count; k++) {
        crm_inverse_print_sentence(sheet, fit->notes[k]);
    }
}

void crm_fit_table(const crm_fit *fit, crm_style style, FILE *stream)
{
    const char *names[NAMES_MOST];
    size_t parameters = fit->parameter_count < NAMES_MOST ? fit->parameter_count : NAMES_MOST;
    for (size_t j = 0; j < parameters; j++) {
        names[j] = fit->parameters[j].name;
    }
    crm_sheet sheet = crm_inverse_sheet(style, stream, names, parameters);
    sheet.name_width = sheet.name_width < 11 ? 11 : sheet.name_width;
    crm_inverse_print_head(&sheet, fit->title, "fit", fit->law, fit->exact);
    print_parameters(sheet, fit);
    print_correlation(sheet, fit);
    size_t residuals = fit->residual_count < NAMES_MOST ? fit->residual_count : NAMES_MOST;
    for (size_t i = 0; i < residuals; i++) {
        names[i] = fit->residuals[i].what;
    }
    print_residuals(style, stream, fit, names);
    print_quality(&sheet, fit);
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

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *parameters(const crm_fit *fit)
{
    json_t *array = json_array();
    for (size_t j = 0; j < fit->parameter_count; j++) {
        const crm_fit_parameter *p = &fit->parameters[j];
        json_t *one = json_object();
        crm_json_put(&one, "name", json_string(p->name));
        crm_json_put(&one, "value", crm_json_number(p->value));
        crm_json_put(&one, "uncertainty", crm_json_number(p->uncertainty));
        crm_json_put(&one, "interval", crm_inverse_json_numbers(p->interval, 2));
        crm_json_put(&one, "determined", json_boolean(p->determined));
        crm_json_put(&one, "at_bound", json_boolean(p->at_bound));
        crm_json_put(&one, "start", crm_json_number(p->start));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *residuals(const crm_fit *fit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < fit->residual_count; i++) {
        const crm_fit_residual *r = &fit->residuals[i];
        json_t *one = json_object();
        crm_json_put(&one, "what", json_string(r->what));
        crm_json_put(&one, "measured", crm_json_number(r->measured));
        crm_json_put(&one, "uncertainty", crm_json_number(r->uncertainty));
        crm_json_put(&one, "fitted", crm_json_number(r->fitted));
        crm_json_put(&one, "deviation", crm_json_number(r->deviation));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *minima(const crm_fit *fit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < fit->minimum_count; i++) {
        json_t *one = json_object();
        crm_json_put(&one, "chi2", crm_json_number(fit->minima[i].chi2));
        crm_json_put(&one, "starts", crm_inverse_json_size(fit->minima[i].starts));
        crm_json_put(&one, "values",
                     crm_inverse_json_numbers(fit->minima[i].values, fit->parameter_count));
        crm_json_add(&array, one);
    }
    return array;
}

json_t *crm_fit_object(const crm_fit *fit)
{
    json_t *object = crm_inverse_json_begin(fit->title, fit->law);
    crm_json_put(&object, "parameters", parameters(fit));
    crm_json_put(
        &object, "correlation",
        crm_inverse_json_rows(fit->correlation, fit->parameter_count, fit->parameter_count));
    crm_json_put(&object, "residuals", residuals(fit));
    crm_json_put(&object, "chi2", crm_json_number(fit->chi2));
    crm_json_put(&object, "degrees_of_freedom", crm_inverse_json_size(fit->degrees_of_freedom));
    crm_json_put(&object, "converged", json_boolean(fit->converged));
    crm_json_put(&object, "scatter", crm_json_number(fit->scatter));
    crm_json_put(&object, "derivatives", json_string(crm_inverse_json_method(fit->exact)));
    crm_json_put(&object, "starts", crm_inverse_json_size(fit->starts));
    crm_json_put(&object, "failed", crm_inverse_json_size(fit->failed));
    crm_json_put(&object, "minima", minima(fit));
    crm_json_put(&object, "notes", crm_inverse_json_texts(fit->notes, fit->note_count));
    return object;
}

crm_status crm_fit_json(const crm_fit *fit, FILE *stream, crm_error *error)
{
    return crm_json_print(crm_fit_object(fit), stream, error);
}
