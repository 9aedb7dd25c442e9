/* Derivatives as a table, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/inverse.h"
#include "report/inverse/common.h"

/* ---- Table and CSV --------------------------------------------------------------------------- */

enum { COLUMN_MOST = 28 };

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
    crm_sheet_heading(&sheet, "with respect to");
    for (size_t i = 0; i < t->of_count; i++) {
        crm_sheet_name(&sheet, t->of[i]);
        for (size_t j = first; j < first + count; j++) {
            double scale = t->at[j] != 0 ? size_of_list(t, i) / fabs(t->at[j]) : 0;
            crm_inverse_cell_beside(&sheet, t->derivative[i * t->to_count + j], scale);
        }
        crm_sheet_end_row(&sheet);
    }
}

static void print_derivatives(const crm_sheet *sheet, const crm_sensitivity *t)
{
    int room = sheet->width > 0 ? sheet->width - sheet->name_width - 2 : 1 << 20;
    crm_sheet columns = *sheet;
    columns.column_width =
        crm_inverse_widest(t->to, t->to_count, CRM_INVERSE_COLUMN_WIDTH, COLUMN_MOST);
    size_t side_by_side = crm_sheet_columns_per_part(room, columns.column_width + 2, t->to_count);
    for (size_t first = 0; first < t->to_count; first += side_by_side) {
        size_t left = t->to_count - first;
        print_columns(columns, t, first, left < side_by_side ? left : side_by_side);
    }
}

static void print_spreads(crm_sheet sheet, const crm_sensitivity *t)
{
    static const char *const titles[] = {"value", "+- (linear)", "mean of draws", "+- (draws)"};
    sheet.columns = sizeof titles / sizeof titles[0];
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "uncertainty");
    for (size_t i = 0; i < t->of_count; i++) {
        const crm_spread *s = &t->spread[i];
        crm_sheet_name(&sheet, t->of[i]);
        crm_inverse_cell(&sheet, t->value[i]);
        crm_inverse_cell(&sheet, s->first_order);
        crm_inverse_cell(&sheet, s->mean);
        crm_inverse_cell(&sheet, s->sampled);
        if (s->disagrees) {
            fputs("  ", sheet.stream);
            crm_sheet_text(&sheet, CRM_TONE_BAD, "*");
        }
        crm_sheet_end_row(&sheet);
    }
}

static void print_spread_notes(const crm_sheet *sheet, const crm_sensitivity *t)
{
    char text[2048] = "Input uncertainties:";
    size_t not_linear = 0;
    for (size_t j = 0; j < t->uncertain_count; j++) {
        crm_text_append(text, sizeof text, "%s %s +- %.4g", j > 0 ? "," : "", t->uncertain[j].name,
                        t->uncertain[j].deviation);
    }
    crm_text_append(text, sizeof text, "; %zu random draws.", t->samples);
    fputc('\n', sheet->stream);
    crm_inverse_print_sentence(sheet, text);
    for (size_t i = 0; i < t->of_count; i++) {
        not_linear += t->spread[i].disagrees;
    }
    if (not_linear > 0) {
        crm_inverse_print_sentence(
            sheet, "* The linear estimate and the draws differ by more than chance: the "
                   "outcome is not linear over these uncertainties. Trust the draws.");
    }
    if (t->unanswered > 0) {
        snprintf(text, sizeof text,
                 "%zu draws gave an invalid scenario or no answer and are left out.",
                 t->unanswered);
        crm_inverse_print_sentence(sheet, text);
    }
}

void crm_sensitivity_table(const crm_sensitivity *table, crm_style style, FILE *stream)
{
    crm_sheet sheet = crm_inverse_sheet(style, stream, table->of, table->of_count);
    sheet.name_width = sheet.name_width < 15 ? 15 : sheet.name_width;
    crm_inverse_print_head(&sheet, table->title, "sensitivities", table->law, table->exact);
    print_derivatives(&sheet, table);
    if (table->note[0] != '\0') {
        fputc('\n', stream);
        crm_inverse_print_sentence(&sheet, table->note);
    }
    if (table->uncertain_count > 0) {
        print_spreads(sheet, table);
        print_spread_notes(&sheet, table);
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

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *uncertain_fields(const crm_sensitivity *t)
{
    json_t *array = json_array();
    for (size_t j = 0; j < t->uncertain_count; j++) {
        json_t *one = json_object();
        crm_json_put(&one, "name", json_string(t->uncertain[j].name));
        crm_json_put(&one, "uncertainty", crm_json_number(t->uncertain[j].deviation));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *spreads(const crm_sensitivity *t)
{
    json_t *array = json_array();
    for (size_t i = 0; i < t->of_count; i++) {
        const crm_spread *s = &t->spread[i];
        json_t *one = json_object();
        crm_json_put(&one, "what", json_string(t->of[i]));
        crm_json_put(&one, "value", crm_json_number(t->value[i]));
        crm_json_put(&one, "first_order", crm_json_number(s->first_order));
        crm_json_put(&one, "mean", crm_json_number(s->mean));
        crm_json_put(&one, "sampled", crm_json_number(s->sampled));
        crm_json_put(&one, "linear", json_boolean(!s->disagrees));
        crm_json_add(&array, one);
    }
    return array;
}

static json_t *robustness(const crm_sensitivity *t)
{
    json_t *object = json_object();
    crm_json_put(&object, "fields", uncertain_fields(t));
    crm_json_put(&object, "samples", crm_inverse_json_size(t->samples));
    crm_json_put(&object, "unanswered", crm_inverse_json_size(t->unanswered));
    crm_json_put(&object, "outcomes", spreads(t));
    return object;
}

crm_status crm_sensitivity_json(const crm_sensitivity *table, FILE *stream, crm_error *error)
{
    json_t *object = crm_inverse_json_begin(table->title, table->law);
    crm_json_put(&object, "of", crm_inverse_json_texts(table->of, table->of_count));
    crm_json_put(&object, "to", crm_inverse_json_texts(table->to, table->to_count));
    crm_json_put(&object, "value", crm_inverse_json_numbers(table->value, table->of_count));
    crm_json_put(&object, "at", crm_inverse_json_numbers(table->at, table->to_count));
    crm_json_put(&object, "derivative",
                 crm_inverse_json_rows(table->derivative, table->of_count, table->to_count));
    crm_json_put(&object, "derivatives", json_string(crm_inverse_json_method(table->exact)));
    crm_json_put(&object, "note", json_string(table->note));
    if (table->uncertain_count > 0) {
        crm_json_put(&object, "uncertainty", robustness(table));
    }
    return crm_json_print(object, stream, error);
}
