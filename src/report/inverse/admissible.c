/* What is admissible, as a table, CSV and JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/inverse.h"
#include "report/inverse/common.h"

static const char *kind_text(crm_admissible_kind kind)
{
    static const char *const texts[] = {[CRM_ADMISSIBLE_REGION] = "region",
                                        [CRM_ADMISSIBLE_SINGLE] = "single",
                                        [CRM_ADMISSIBLE_EMPTY] = "empty"};
    return texts[kind];
}

/* ---- Table ----------------------------------------------------------------------------------- */

enum { COLUMN_MOST = 20, LEAST = 0, MOST = 1, FIRST_LAW = 2 };

/* Column k: the least, the greatest, then what the laws give. */
static double value_at(const crm_admissible_table *t, size_t row, size_t column)
{
    const crm_admissible_range *range = &t->ranges[row];
    return column == LEAST  ? range->least.value
           : column == MOST ? range->most.value
                            : t->outcomes[column - FIRST_LAW].values[row];
}

/* The size of what is in the rows of the same list. */
static double size_of_list(const crm_admissible_table *t, size_t row)
{
    size_t length = strcspn(t->ranges[row].what, "[");
    double most = 0;
    for (size_t i = 0; i < t->range_count; i++) {
        const char *what = t->ranges[i].what;
        bool same = strcspn(what, "[") == length && strncmp(what, t->ranges[row].what, length) == 0;
        for (size_t k = LEAST; same && k <= MOST; k++) {
            double value = fabs(value_at(t, i, k));
            most = isfinite(value) && value > most ? value : most;
        }
    }
    return most;
}

/* What the proof leaves open, of numbers of this size, is 0 to the reader. */
static const double SHOWN = 1e-9 / 1e-13;

static void print_cells(const crm_sheet *sheet, const crm_admissible_table *t, size_t first)
{
    for (size_t i = 0; i < t->range_count; i++) {
        double scale = size_of_list(t, i) * SHOWN;
        crm_sheet_name(sheet, t->ranges[i].what);
        for (size_t k = first; k < first + sheet->columns; k++) {
            crm_inverse_cell_beside(sheet, value_at(t, i, k), scale);
        }
        crm_sheet_end_row(sheet);
    }
}

static void print_ranges(crm_sheet sheet, const crm_admissible_table *t, const char **titles)
{
    size_t columns = FIRST_LAW + t->outcome_count;
    int room = sheet.width > 0 ? sheet.width - sheet.name_width - 2 : 1 << 20;
    sheet.column_width = crm_inverse_widest(titles, columns, CRM_INVERSE_COLUMN_WIDTH, COLUMN_MOST);
    size_t beside = crm_sheet_columns_per_part(room, sheet.column_width + 2, columns);
    for (size_t first = 0; first < columns; first += sheet.columns) {
        sheet.columns = columns - first < beside ? columns - first : beside;
        sheet.titles = titles + first;
        crm_sheet_heading(&sheet, "quantity");
        print_cells(&sheet, t, first);
    }
}

static void print_outcomes(crm_sheet sheet, const crm_admissible_table *t)
{
    static const char *const titles[] = {"", "distance"};
    if (t->outcome_count == 0) {
        return;
    }
    sheet.columns = 2;
    sheet.titles = titles;
    crm_sheet_heading(&sheet, "outcome");
    for (size_t i = 0; i < t->outcome_count; i++) {
        const crm_admissible_outcome *o = &t->outcomes[i];
        crm_sheet_name(&sheet, o->label);
        crm_sheet_cell(&sheet,
                       !o->judged  ? CRM_TONE_FAINT
                       : o->inside ? CRM_TONE_GOOD
                                   : CRM_TONE_BAD,
                       !o->judged  ? "no answer"
                       : o->inside ? "inside"
                                   : "outside");
        crm_inverse_cell(&sheet, o->distance);
        crm_sheet_end_row(&sheet);
        if (o->reason[0] != '\0') {
            fputs("    ", sheet.stream);
            crm_text_wrap(sheet.stream, sheet.width, o->reason, 4, 4);
        }
    }
}

/* The largest difference between a value and its bound, beside the range. */
static double largest_gap(const crm_admissible_table *t)
{
    double most = 0;
    for (size_t i = 0; i < t->range_count; i++) {
        const crm_extreme *a = &t->ranges[i].least, *b = &t->ranges[i].most;
        double size = fmax(fabs(a->value), fabs(b->value));
        double gap = fmax(a->value - a->bound, b->bound - b->value);
        if (isfinite(gap) && isfinite(size) && size > 0) {
            most = fmax(most, gap / size);
        }
    }
    return most;
}

static void print_notes(const crm_sheet *sheet, const crm_admissible_table *t)
{
    char text[512];
    fputc('\n', sheet->stream);
    if (t->kind == CRM_ADMISSIBLE_EMPTY) {
        crm_inverse_print_sentence(sheet, "No outcome is admissible: whatever the impulses, a "
                                          "contact would still close.");
        return;
    }
    if (t->kind == CRM_ADMISSIBLE_SINGLE) {
        crm_inverse_print_sentence(sheet, "There is one outcome only, whatever the law: nothing "
                                          "closes, or the contacts leave no choice.");
    }
    if (t->pinched > 0) {
        crm_snprintf(text, sizeof text,
                     "%zu of %zu contacts press against each other: their impulses have no upper "
                     "bound, and they do not open.",
                     t->pinched, t->contacts);
        crm_inverse_print_sentence(sheet, text);
    }
    crm_snprintf(text, sizeof text,
                 "Each value is attained by impulses that any law may give, and none exceeds it by "
                 "more than %.1g of its size: the bounds of the dual problem are in JSON and CSV.",
                 fmax(largest_gap(t), 1e-16));
    crm_inverse_print_sentence(sheet, text);
}

crm_status crm_admissible_print(const crm_admissible_table *table, crm_style style, FILE *stream,
                                crm_error *error)
{
    size_t rows = table->range_count + table->outcome_count;
    const char **names = CRM_NEW(const char *, rows + FIRST_LAW + table->outcome_count);
    if (names == NULL) {
        return crm_fail_memory(error);
    }
    const char **titles = names + rows;
    titles[LEAST] = "least";
    titles[MOST] = "most";
    for (size_t i = 0; i < table->range_count; i++) {
        names[i] = table->ranges[i].what;
    }
    for (size_t i = 0; i < table->outcome_count; i++) {
        names[table->range_count + i] = titles[FIRST_LAW + i] = table->outcomes[i].label;
    }
    crm_sheet sheet = crm_inverse_sheet(style, stream, names, rows);
    sheet.name_width = sheet.name_width < 8 ? 8 : sheet.name_width;
    if (table->title[0] != '\0') {
        crm_sheet_title(&sheet, sheet.width, table->title);
    }
    crm_text_wrap(stream, sheet.width, "what any law may give: p >= 0, u+ >= 0, no energy created",
                  0, 2);
    if (table->range_count > 0) {
        print_ranges(sheet, table, titles);
    }
    print_outcomes(sheet, table);
    print_notes(&sheet, table);
    free(names);
    return CRM_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_flags(const crm_admissible_table *t, FILE *stream)
{
    fputs("inside,,,,,", stream);
    for (size_t i = 0; i < t->outcome_count; i++) {
        fprintf(stream, ",%s", !t->outcomes[i].judged ? "" : t->outcomes[i].inside ? "1" : "0");
    }
    fputs("\ndistance,,,,,", stream);
    for (size_t i = 0; i < t->outcome_count; i++) {
        fputc(',', stream);
        crm_csv_number(stream, t->outcomes[i].distance);
    }
    fputc('\n', stream);
}

void crm_admissible_csv(const crm_admissible_table *table, FILE *stream)
{
    fputs("quantity,unit,least,least_bound,most,most_bound", stream);
    for (size_t i = 0; i < table->outcome_count; i++) {
        fputc(',', stream);
        crm_csv_text(stream, table->outcomes[i].label);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < table->range_count; i++) {
        const crm_admissible_range *range = &table->ranges[i];
        const double numbers[] = {range->least.value, range->least.bound, range->most.value,
                                  range->most.bound};
        crm_csv_text(stream, range->what);
        fputc(',', stream);
        crm_csv_text(stream, range->unit != NULL ? range->unit : "");
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            fputc(',', stream);
            crm_csv_number(stream, numbers[k]);
        }
        for (size_t k = 0; k < table->outcome_count; k++) {
            fputc(',', stream);
            crm_csv_number(stream, table->outcomes[k].values[i]);
        }
        fputc('\n', stream);
    }
    csv_flags(table, stream);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *numbers_or_null(const double *values, size_t count)
{
    return values != NULL ? crm_inverse_json_numbers(values, count) : json_null();
}

static json_t *range_object(const crm_admissible_table *t, const crm_admissible_range *range)
{
    json_t *one = json_object();
    crm_json_put(&one, "what", json_string(range->what));
    crm_json_put(&one, "unit", range->unit != NULL ? json_string(range->unit) : json_null());
    crm_json_put(&one, "least", crm_json_number(range->least.value));
    crm_json_put(&one, "most", crm_json_number(range->most.value));
    crm_json_put(&one, "least_bound", crm_json_number(range->least.bound));
    crm_json_put(&one, "most_bound", crm_json_number(range->most.bound));
    crm_json_put(&one, "least_unbounded", json_boolean(range->least.value == -INFINITY));
    crm_json_put(&one, "most_unbounded", json_boolean(range->most.value == INFINITY));
    crm_json_put(&one, "least_impulse", numbers_or_null(range->least_impulse, t->contacts));
    crm_json_put(&one, "most_impulse", numbers_or_null(range->most_impulse, t->contacts));
    crm_json_put(&one, "least_velocity", numbers_or_null(range->least_velocity, t->coordinates));
    crm_json_put(&one, "most_velocity", numbers_or_null(range->most_velocity, t->coordinates));
    return one;
}

static json_t *outcome_object(const crm_admissible_table *t, const crm_admissible_outcome *o)
{
    json_t *one = json_object();
    crm_json_put(&one, "label", json_string(o->label));
    crm_json_put(&one, "inside", o->judged ? json_boolean(o->inside) : json_null());
    crm_json_put(&one, "distance", crm_json_number(o->distance));
    crm_json_put(&one, "reason", json_string(o->reason));
    crm_json_put(&one, "values", crm_inverse_json_numbers(o->values, t->range_count));
    return one;
}

json_t *crm_admissible_object(const crm_admissible_table *table)
{
    json_t *object = json_object(), *ranges = json_array(), *outcomes = json_array();
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", json_string(table->title));
    crm_json_put(&object, "kind", json_string(kind_text(table->kind)));
    crm_json_put(&object, "pinched", crm_inverse_json_size(table->pinched));
    for (size_t i = 0; i < table->range_count; i++) {
        crm_json_add(&ranges, range_object(table, &table->ranges[i]));
    }
    for (size_t i = 0; i < table->outcome_count; i++) {
        crm_json_add(&outcomes, outcome_object(table, &table->outcomes[i]));
    }
    crm_json_put(&object, "quantities", ranges);
    crm_json_put(&object, "outcomes", outcomes);
    return object;
}

crm_status crm_admissible_json(const crm_admissible_table *table, FILE *stream, crm_error *error)
{
    return crm_json_print(crm_admissible_object(table), stream, error);
}

/* ---- The picture ----------------------------------------------------------------------------- */

void crm_admissible_picture_csv(const crm_admissible_picture *picture, FILE *stream)
{
    fputs("kind,label,parameter,value,", stream);
    crm_csv_text(stream, picture->x_name);
    fputc(',', stream);
    crm_csv_text(stream, picture->y_name);
    fputc('\n', stream);
    for (size_t i = 0; i < picture->count; i++) {
        const crm_admissible_curve *c = &picture->curves[i];
        for (size_t k = 0; k < c->count; k++) {
            fprintf(stream, "%s,", crm_admissible_curve_text(c->kind));
            crm_csv_text(stream, c->label);
            fputc(',', stream);
            crm_csv_text(stream, c->parameter);
            const double numbers[] = {c->value[k], c->x[k], c->y[k]};
            for (size_t m = 0; m < 3; m++) {
                fputc(',', stream);
                crm_csv_number(stream, numbers[m]);
            }
            fputc('\n', stream);
        }
    }
}

json_t *crm_admissible_picture_object(const crm_admissible_picture *picture)
{
    json_t *object = json_object(), *curves = json_array();
    if (picture->count == 0) {
        json_decref(curves);
        json_decref(object);
        return json_null();
    }
    crm_json_put(&object, "x", json_string(picture->x_name));
    crm_json_put(&object, "y", json_string(picture->y_name));
    crm_json_put(&object, "x_unit",
                 picture->x_unit != NULL ? json_string(picture->x_unit) : json_null());
    crm_json_put(&object, "y_unit",
                 picture->y_unit != NULL ? json_string(picture->y_unit) : json_null());
    for (size_t i = 0; i < picture->count; i++) {
        const crm_admissible_curve *c = &picture->curves[i];
        json_t *one = json_object();
        crm_json_put(&one, "kind", json_string(crm_admissible_curve_text(c->kind)));
        crm_json_put(&one, "label", json_string(c->label));
        crm_json_put(&one, "parameter", json_string(c->parameter));
        crm_json_put(&one, "value", crm_inverse_json_numbers(c->value, c->count));
        crm_json_put(&one, "x", crm_inverse_json_numbers(c->x, c->count));
        crm_json_put(&one, "y", crm_inverse_json_numbers(c->y, c->count));
        crm_json_add(&curves, one);
    }
    crm_json_put(&object, "curves", curves);
    return object;
}
