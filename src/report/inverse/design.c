/* A design as a table, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/inverse.h"
#include "report/inverse/common.h"

/* ---- Table and CSV --------------------------------------------------------------------------- */

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
        crm_inverse_cell(&sheet, d->best[j]);
        crm_inverse_cell(&sheet, d->own[j]);
        if (is_at(d->best[j], d->from[j], range) || is_at(d->best[j], d->to[j], range)) {
            fputs("  ", sheet.stream);
            crm_sheet_text(&sheet, CRM_TONE_FAINT, "at its bound");
        }
        crm_sheet_end_row(&sheet);
    }
}

static void print_gain(const crm_sheet *sheet, const crm_design *d)
{
    char text[512];
    crm_snprintf(text, sizeof text, "%s = %.9g; at the start %.9g", d->what, d->value,
                 d->own_value);
    if (d->own_value != 0) {
        crm_text_append(text, sizeof text, " (ratio %.4g)", d->value / d->own_value);
    }
    crm_text_append(text, sizeof text, ".");
    fputc('\n', sheet->stream);
    crm_inverse_print_sentence(sheet, text);
    if (d->moved) {
        crm_inverse_print_sentence(
            sheet, "The scenario's own values violate the constraints; the start is the "
                   "nearest point that satisfies them.");
    }
}

/* How many starts reached the best optimum, and what the others reached. */
static void print_ends(const crm_sheet *sheet, const crm_design *d)
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
    snprintf(text, sizeof text, "%zu of %zu starts reached this value", same, d->end_count);
    if (same + none < d->end_count) {
        crm_text_append(text, sizeof text, ", the others worse optima, the worst %.9g", worst);
    }
    if (none > 0) {
        crm_text_append(text, sizeof text, "; %zu reached none", none);
    }
    crm_text_append(text, sizeof text, "; %zu solves, method %s.", d->evaluations, d->method);
    crm_inverse_print_sentence(sheet, text);
}

void crm_design_table(const crm_design *design, crm_style style, FILE *stream)
{
    char what[160];
    crm_sheet sheet = crm_inverse_sheet(style, stream, design->names, design->field_count);
    sheet.name_width = sheet.name_width < 11 ? 11 : sheet.name_width;
    snprintf(what, sizeof what, "%s of %.100s", design->largest ? "maximum" : "minimum",
             design->what);
    crm_inverse_print_head(&sheet, design->title, what, design->law, design->exact);
    print_fields(sheet, design);
    print_gain(&sheet, design);
    print_ends(&sheet, design);
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

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *chosen(const crm_design *design)
{
    json_t *array = json_array();
    for (size_t j = 0; j < design->field_count; j++) {
        json_t *one = json_object();
        crm_json_put(&one, "name", json_string(design->names[j]));
        crm_json_put(&one, "value", crm_json_number(design->best[j]));
        crm_json_put(&one, "start", crm_json_number(design->own[j]));
        crm_json_put(&one, "from", crm_json_number(design->from[j]));
        crm_json_put(&one, "to", crm_json_number(design->to[j]));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *ends(const crm_design *design)
{
    json_t *array = json_array();
    for (size_t k = 0; k < design->end_count; k++) {
        json_t *one = json_object();
        crm_json_put(&one, "start", crm_json_number(design->ends[k].start));
        crm_json_put(&one, "value", crm_json_number(design->ends[k].value));
        crm_json_put(&one, "converged", json_boolean(design->ends[k].converged));
        crm_json_add(&array, one);
    }
    return array;
}

crm_status crm_design_json(const crm_design *design, FILE *stream, crm_error *error)
{
    json_t *object = crm_inverse_json_begin(design->title, design->law);
    crm_json_put(&object, design->largest ? "maximize" : "minimize", json_string(design->what));
    crm_json_put(&object, "value", crm_json_number(design->value));
    crm_json_put(&object, "start_value", crm_json_number(design->own_value));
    crm_json_put(&object, "start_moved", json_boolean(design->moved));
    crm_json_put(&object, "fields", chosen(design));
    crm_json_put(&object, "starts", ends(design));
    crm_json_put(&object, "method", json_string(design->method));
    crm_json_put(&object, "derivatives", json_string(crm_inverse_json_method(design->exact)));
    crm_json_put(&object, "solves", crm_inverse_json_size(design->evaluations));
    return crm_json_print(object, stream, error);
}
