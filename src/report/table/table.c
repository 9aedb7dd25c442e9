/* The report as a table: bodies in rows and laws in columns; then a summary with laws in rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/table/table.h"
#include "report/text/rows.h"

typedef void (*name_function)(const crm_report *report, size_t index, char *text, size_t size);
typedef bool (*called_function)(const crm_model *model, size_t index, const char *name);

crm_style crm_report_style_plain(void)
{
    return (crm_style){.width = 80};
}

/* ---- Sections: one row per coordinate or contact --------------------------------------------- */

typedef struct section {
    const crm_outcome_field *field;
    char heading[48];
    const crm_outcome_field *before; /* NULL: there is nothing before the impact */
    const char *unit;
    name_function name;
    size_t rows;
    const char *what; /* "contacts": what the rows are */
    called_function is_called;
    crm_scale scale;
    double largest;      /* a bar of full length */
    bool bars, negative; /* some go backward */
} section;

static void coordinate_row(const crm_report *report, size_t index, char *text, size_t size)
{
    crm_coordinate_name(report->model, index, text, size);
}

static void contact_row(const crm_report *report, size_t index, char *text, size_t size)
{
    crm_contact_name(report->model, index, text, size);
}

static void body_row(const crm_report *report, size_t index, char *text, size_t size)
{
    crm_model_body_name(report->model, index, text, size);
}

static void widen(const crm_outcome_field *field, const crm_impact *impact, section *s)
{
    if (crm_field_defined(field, impact)) {
        for (size_t i = 0; i < s->rows; i++) {
            double value = crm_field_value(field, impact, i);
            s->largest = fmax(s->largest, fabs(value));
            s->negative |= value < 0;
        }
    }
}

static crm_impact impact_before(const crm_report *report)
{
    return (crm_impact){.model = report->model, .velocity = report->velocity};
}

/* One scale for all laws, whichever block they are in. */
static void set_scale(const crm_report *report, section *s)
{
    crm_impact before = impact_before(report);
    if (s->before != NULL) {
        widen(s->before, &before, s);
    }
    for (size_t i = 0; i < report->count; i++) {
        crm_impact impact = crm_entry_impact(report, i);
        widen(s->field, &impact, s);
    }
    s->scale = crm_scale_for(s->largest);
}

/* The columns of a block; false: none of its laws defines the quantity. */
static bool gather(crm_table *t, const section *s)
{
    bool any = false;
    t->titles[0] = "before";
    t->cells[0] = impact_before(t->report);
    t->sheet.columns = 1 + t->to - t->from;
    t->sheet.first_titled = s->before != NULL;
    for (size_t i = t->from; i < t->to; i++) {
        size_t column = 1 + i - t->from;
        t->titles[column] = t->report->entries[i].label;
        t->cells[column] = crm_entry_impact(t->report, i);
        any = any || crm_field_defined(s->field, &t->cells[column]);
    }
    return any;
}

static void print_numbers(const crm_table *t, const section *s, size_t row)
{
    for (size_t c = 0; c < t->sheet.columns; c++) {
        const crm_outcome_field *field = c == 0 ? s->before : s->field;
        char text[40] = "";
        if (field == NULL || !crm_field_defined(field, &t->cells[c])) {
            crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, c > 0 ? "-" : "");
            continue;
        }
        double value = crm_field_value(field, &t->cells[c], row);
        crm_scale_format(s->scale, value, text, sizeof text);
        if (s->bars && s->largest > 0) {
            double part = fabs(value) > s->scale.zero ? value / s->largest : 0;
            crm_sheet_bar_cell(&t->sheet, text, part);
        } else {
            crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
        }
    }
    crm_sheet_end_row(&t->sheet);
}

/* ---- Which rows ------------------------------------------------------------------------------ */

typedef struct sizes {
    const crm_report *report;
    const section *of;
} sizes;

/* The largest by any law. */
static double size_of(const void *context, size_t row)
{
    const sizes *s = context;
    double size = 0;
    for (size_t i = 0; i < s->report->count; i++) {
        crm_impact impact = crm_entry_impact(s->report, i);
        if (crm_field_defined(s->of->field, &impact)) {
            size = fmax(size, fabs(crm_field_value(s->of->field, &impact, row)));
        }
    }
    return size;
}

static bool is_called(const void *context, size_t row, const char *name)
{
    const sizes *s = context;
    return s->of->is_called(s->report->model, row, name);
}

static crm_status choose_rows(const crm_table *t, const section *s, crm_rows *rows)
{
    const sizes context = {t->report, s};
    const crm_listed list = {.context = &context,
                             .total = s->rows,
                             .what = s->what,
                             .size = size_of,
                             .is_called = is_called};
    return crm_rows_choose(&list, t->style.rows,
                           t->style.summary ? CRM_ROWS_SUMMARY : CRM_ROWS_MOST, rows, t->error);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* The longest heading; a number with its sign; a law's name, which is broken when it is longer. */
enum { NAME_LEAST = 18, COLUMN_LEAST = 11, COLUMN_MOST = 12, BAR = 6, SIGNED_BAR = 9 };

/* Names so long that not two columns are left beside them have lines of their own. */
static int name_width(const crm_table *t, const section *s, const crm_rows *rows)
{
    int most = t->style.width - 2 - 2 * (t->sheet.column_width + 2), width = NAME_LEAST;
    for (size_t i = 0; i < rows->count; i++) {
        char text[2 * CRM_NAME_SIZE];
        s->name(t->report, rows->index[i], text, sizeof text);
        int length = crm_text_width(text);
        width = length > width && length <= most ? length : width;
    }
    return width;
}

/* As many laws side by side as fit, in blocks of about the same size. */
static size_t share_out(const crm_table *t, int bar_width)
{
    int column = t->sheet.column_width + 2 + (bar_width > 0 ? bar_width + 1 : 0);
    int room = t->style.width - (t->sheet.name_width + 2) - column; /* that of `before` */
    return crm_sheet_columns_per_part(room, column, t->report->count);
}

static void lay_out(crm_table *t, const section *s, const crm_rows *rows)
{
    t->sheet.column_width = COLUMN_LEAST;
    for (size_t i = 0; i < t->report->count; i++) {
        int width = crm_sheet_title_width(t->report->entries[i].label, COLUMN_MOST);
        t->sheet.column_width = width > t->sheet.column_width ? width : t->sheet.column_width;
    }
    t->sheet.name_width = name_width(t, s, rows);
    /* Bars only where there is room. */
    int bar = s->negative ? SIGNED_BAR : BAR;
    bool bars = t->style.bars && s->bars && share_out(t, bar) == t->report->count;
    t->sheet.bar_signed = s->negative;
    t->sheet.bar_width = bars ? bar : 0;
    t->per_block = share_out(t, t->sheet.bar_width);
}

/* ---- Printing -------------------------------------------------------------------------------- */

static void print_rows(const crm_table *t, const section *s, const crm_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        char text[2 * CRM_NAME_SIZE];
        s->name(t->report, rows->index[i], text, sizeof text);
        crm_sheet_name(&t->sheet, text);
        print_numbers(t, s, rows->index[i]);
        crm_rows_print_omission(rows, i, s->what, &t->sheet);
    }
}

/* Block after block. What was before the impact is shown even if no law has an answer. */
static void print_blocks(crm_table *t, const section *s, const crm_rows *rows)
{
    char heading[48];
    crm_table_column_title(s->heading, s->unit, heading, sizeof heading);
    for (t->from = 0; t->from < t->report->count; t->from = t->to) {
        size_t rest = t->report->count - t->from;
        t->to = t->from + (rest < t->per_block ? rest : t->per_block);
        if (gather(t, s) || s->before != NULL) {
            crm_sheet_heading(&t->sheet, heading);
            print_rows(t, s, rows);
        }
    }
}

static void print_section(crm_table *t, const section *s)
{
    crm_rows rows;
    if (choose_rows(t, s, &rows) == CRM_OK) {
        t->rows_cut |= rows.left_out > 0;
        if (rows.count > 0) {
            lay_out(t, s, &rows);
            print_blocks(t, s, &rows);
        }
    } else {
        t->out_of_memory = true;
    }
    crm_rows_free(&rows);
}

/* ---- The sections ---------------------------------------------------------------------------- */

/* The table's own sections; every other list with a heading gets one like that of impulses. */
static const char VELOCITY[] = "velocity", VELOCITY_BEFORE[] = "velocity_before", LOSS[] = "loss",
                  IMPULSE[] = "impulse";

static const crm_outcome_field *field_called(const char *name)
{
    return crm_field_find(name, strlen(name));
}

static section section_of(const crm_report *report, const crm_outcome_field *field,
                          const crm_outcome_field *before)
{
    static const struct {
        name_function name;
        called_function is_called;
        const char *what;
    } of[] = {[CRM_OF_COORDINATE] = {coordinate_row, crm_coordinate_is_called, "coordinates"},
              [CRM_OF_CONTACT] = {contact_row, crm_contact_is_called, "contacts"},
              [CRM_OF_BODY] = {body_row, crm_body_is_called, "bodies"}};
    section s = {.field = field,
                 .before = before,
                 .unit = report->generalized ? NULL : crm_field_unit(report->model, field->unit),
                 .name = of[field->of].name,
                 .is_called = of[field->of].is_called,
                 .rows = crm_field_count(field, report->model),
                 .what = of[field->of].what};
    snprintf(s.heading, sizeof s.heading, "%s",
             field->heading != NULL ? field->heading : field->name);
    for (char *at = s.heading; *at != '\0'; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    set_scale(report, &s);
    return s;
}

/* Rounding is measured by the speed that the available energy gives the heaviest body, and by the
 * impulse that gives this speed to the lightest one, so that a body at rest shows 0.
 */
static void set_zero_by_energy(const crm_table *t, section *s, bool impulses)
{
    const crm_model *model = t->report->model;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        least = fmin(least, crm_model_mass(model, i, i));
        most = fmax(most, crm_model_mass(model, i, i));
    }
    double speed = sqrt(2 * crm_table_energy(t) / most);
    s->scale.zero = 1e-12 * fmax(s->largest, impulses ? least * speed : speed);
}

static bool has_angles(const crm_model *model)
{
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        if (crm_model_is_angle(model, i)) {
            return true;
        }
    }
    return false;
}

static void print_velocities(crm_table *t)
{
    const crm_report *report = t->report;
    section s = section_of(report, field_called(VELOCITY), field_called(VELOCITY_BEFORE));
    s.bars = true;
    set_zero_by_energy(t, &s, false);
    /* The coordinates of a system may be angles, or anything. */
    if (!report->generalized && has_angles(report->model)) {
        s.unit = "m/s, rad/s";
    }
    print_section(t, &s);
}

/* An elastic impact gets no list of zeros. */
static void print_losses(crm_table *t)
{
    double most = crm_table_energy(t);
    section s = section_of(t->report, field_called(LOSS), NULL);
    bool asked = t->style.show != NULL;
    if (!asked && (s.rows < 2 || !(s.largest > 1e-6 * most))) {
        return;
    }
    s.unit = s.field->unit;                         /* an energy is one in any coordinates */
    s.scale = crm_scale_for(fmax(s.largest, most)); /* beside the energies above */
    s.scale.zero = 1e-9 * most;
    print_section(t, &s);
}

static bool has_own_section(const crm_outcome_field *field)
{
    return field == field_called(VELOCITY) || field == field_called(LOSS);
}

/* Lists without a heading are shown when they are asked for. */
static void print_lists(crm_table *t)
{
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        bool listed = field->of != CRM_OF_IMPACT && !has_own_section(field);
        if (listed && crm_table_shows(t, field->name, field->heading != NULL)) {
            section s = section_of(t->report, field, NULL);
            if (field == field_called(IMPULSE)) {
                set_zero_by_energy(t, &s, true);
            }
            print_section(t, &s);
        }
    }
}

static void print_title(const crm_table *t, const double *gap)
{
    const crm_model *model = t->report->model;
    size_t bodies = crm_model_bodies(model), contacts = crm_model_contacts(model);
    const char *one = t->report->generalized ? "coordinate" : "body";
    const char *many = t->report->generalized ? "coordinates" : "bodies";
    if (t->report->title[0] != '\0') {
        crm_sheet_title(&t->sheet, t->style.width, t->report->title);
    }
    char approach[80], hint[512];
    crm_report_approach_text(model, gap, approach, sizeof approach);
    fprintf(t->sheet.stream, "%zu %s, %zu %s, %s\n", bodies, bodies == 1 ? one : many, contacts,
            contacts == 1 ? "contact" : "contacts", approach);
    if (t->nothing_happens && crm_report_near_contact_hint(t->report, hint, sizeof hint)) {
        crm_text_wrap(t->sheet.stream, t->style.width, hint, 0, 0);
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* How to see the parts that are left out. */
static void print_omissions(const crm_table *t)
{
    const char *text = NULL;
    if (t->style.summary) {
        text = "Summary only: --show all prints every part, --rows 1-5,-1 selects rows (-1 is the "
               "last), "
               "--format csv or json gives every number.";
    } else if (t->rows_cut) {
        text =
            "Long lists are shortened to their largest entries: --rows 1-50 selects rows, --format "
            "csv or json gives all.";
    }
    if (text != NULL) {
        fputc('\n', t->sheet.stream);
        crm_text_wrap(t->sheet.stream, t->style.width, text, 0, 0);
    }
}

/* Failed checks come first, before the numbers they concern. */
static void print_checks(const crm_table *t, bool first)
{
    bool fails = !crm_table_all_hold(t);
    if (fails == first && crm_table_shows(t, "checks", true)) {
        crm_table_verdicts(t);
        crm_table_reasons(t);
    }
}

static void print_all(crm_table *t, double *gap)
{
    bool whole = !t->style.summary;
    crm_model_gap_velocity(t->report->model, t->report->velocity, gap);
    t->nothing_happens = crm_report_nothing_happens(t->report->model, gap);
    print_title(t, gap);
    print_checks(t, true);
    if (crm_table_shows(t, VELOCITY, true)) {
        print_velocities(t);
    }
    crm_table_summary(t);
    if (crm_table_shows(t, LOSS, whole)) {
        print_losses(t);
    }
    if (whole) {
        print_lists(t);
    }
    print_checks(t, false);
    if (crm_table_shows(t, "notes", true)) {
        crm_table_notes(t);
        crm_report_warnings(t->report, !t->nothing_happens, t->style.width, t->sheet.stream);
        crm_table_legend(t);
    }
    print_omissions(t);
}

/* Before anything is written. */
static crm_status check_rows(const crm_report *report, const char *rows, crm_error *error)
{
    crm_choice choice;
    crm_status status =
        rows != NULL ? crm_choice_make(report->model, rows, &choice, error) : CRM_OK;
    if (rows != NULL && status == CRM_OK) {
        crm_choice_free(&choice);
    }
    return status;
}

crm_status crm_report_table(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error)
{
    size_t columns = report->count + 1;
    crm_table t = {.report = report,
                   .style = style,
                   .error = error,
                   .titles = CRM_NEW(const char *, columns),
                   .cells = CRM_NEW(crm_impact, columns)};
    double *gap = CRM_NEW(double, crm_model_contacts(report->model));
    crm_status status = check_rows(report, style.rows, error);
    if (t.titles == NULL || t.cells == NULL || gap == NULL) {
        status = crm_fail_memory(error);
    } else if (status == CRM_OK) {
        t.sheet = (crm_sheet){
            .stream = stream, .colour = style.colour, .width = style.width, .titles = t.titles};
        print_all(&t, gap);
        status = t.out_of_memory ? CRM_ERROR_MEMORY : CRM_OK;
    }
    free(t.titles);
    free(t.cells);
    free(gap);
    return status;
}
