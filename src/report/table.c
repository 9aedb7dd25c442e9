/* The report as a table: bodies down, laws across; then what sums them up, laws down. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/table.h"

typedef void (*name_function)(const crm_report *report, size_t index, char *text, size_t size);

crm_style crm_style_plain(void)
{
    return (crm_style){.width = 100};
}

/* ---- Sections: one row per coordinate or contact ------------------------------------------ */

typedef struct section {
    const crm_outcome_field *field;
    const crm_outcome_field *before; /* NULL: there is nothing before the impact */
    const char *unit;
    name_function name;
    size_t rows;
    const char *what; /* the rows are */
    crm_scale scale;
    double largest; /* a bar of full length */
    bool bars;
} section;

static void coordinate_row(const crm_report *report, size_t index, char *text, size_t size)
{
    crm_coordinate_name(report->model, index, text, size);
}

static void contact_row(const crm_report *report, size_t index, char *text, size_t size)
{
    if (report->generalized) {
        snprintf(text, size, "contact %zu", index + 1); /* its w may move any number of things */
    } else {
        crm_contact_name(report->model, index, text, size);
    }
}

static double largest_of(const crm_outcome_field *field, const crm_impact *impact)
{
    double largest = 0;
    if (crm_field_defined(field, impact)) {
        for (size_t i = 0; i < crm_field_count(field, impact->model); i++) {
            largest = fmax(largest, fabs(crm_field_value(field, impact, i)));
        }
    }
    return largest;
}

static crm_impact impact_before(const crm_report *report)
{
    return (crm_impact){.model = report->model, .velocity = report->velocity};
}

/* Over all laws: one scale, whichever block a law stands in. */
static void set_scale(const crm_report *report, section *s)
{
    crm_impact before = impact_before(report);
    s->largest = s->before != NULL ? largest_of(s->before, &before) : 0;
    for (size_t i = 0; i < report->count; i++) {
        crm_impact impact = crm_entry_impact(report, i);
        s->largest = fmax(s->largest, largest_of(s->field, &impact));
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
            crm_sheet_bar_cell(&t->sheet, text, value / s->largest);
        } else {
            crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
        }
    }
    crm_sheet_end_row(&t->sheet);
}

static void print_rows(const crm_table *t, const section *s)
{
    for (size_t i = 0, next; i < s->rows; i = next) {
        char text[2 * CRM_NAME_SIZE];
        s->name(t->report, i, text, sizeof text);
        crm_sheet_name(&t->sheet, text);
        print_numbers(t, s, i);
        next = crm_sheet_next_row(i, s->rows);
        crm_sheet_gap(&t->sheet, i, next, s->what);
    }
}

/* Block after block. What was before the impact is shown even if no law has an answer. */
static void print_section(crm_table *t, const section *s)
{
    char heading[48];
    crm_field_title(s->field->heading, s->unit, heading, sizeof heading);
    for (t->from = 0; t->from < t->report->count; t->from = t->to) {
        size_t rest = t->report->count - t->from;
        t->to = t->from + (rest < t->per_block ? rest : t->per_block);
        if (gather(t, s) || s->before != NULL) {
            crm_sheet_heading(&t->sheet, heading);
            print_rows(t, s);
        }
    }
}

/* ---- The sections ------------------------------------------------------------------------- */

/* The table's own sections; every other list with a heading gets one like that of impulses. */
static const char VELOCITY[] = "velocity", VELOCITY_BEFORE[] = "velocity_before", LOSS[] = "loss";

static const crm_outcome_field *field_called(const char *name)
{
    return crm_outcome_field_find(name, strlen(name));
}

static section section_of(const crm_report *report, const crm_outcome_field *field,
                          const crm_outcome_field *before)
{
    bool contacts = field->of == CRM_OF_CONTACT;
    section s = {.field = field,
                 .before = before,
                 .unit = report->generalized ? NULL : field->unit,
                 .name = contacts ? contact_row : coordinate_row,
                 .rows = crm_field_count(field, report->model),
                 .what = contacts ? "contacts" : "coordinates"};
    set_scale(report, &s);
    return s;
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
    /* The coordinates of a system may be angles, or anything. */
    if (!report->generalized && has_angles(report->model)) {
        s.unit = "m/s, rad/s";
    }
    print_section(t, &s);
}

/* Elastic impacts lose nothing, and then a list of noughts would say less than one. */
static void print_losses(crm_table *t)
{
    const crm_model *model = t->report->model;
    double before = crm_model_kinetic_energy(model, t->report->velocity);
    section s = section_of(t->report, field_called(LOSS), NULL);
    if (s.rows < 2 || !(s.largest > 1e-6 * before)) {
        return;
    }
    s.unit = s.field->unit;                           /* an energy is one in any coordinates */
    s.scale = crm_scale_for(fmax(s.largest, before)); /* beside the energies above */
    s.scale.zero = 1e-9 * before;
    print_section(t, &s);
}

static void print_lists(crm_table *t)
{
    const crm_outcome_field *own[] = {field_called(VELOCITY), field_called(LOSS)};
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (field->heading != NULL && field != own[0] && field != own[1]) {
            section s = section_of(t->report, field, NULL);
            print_section(t, &s);
        }
    }
}

static void print_cut(const crm_table *t)
{
    size_t n = crm_model_coordinates(t->report->model), s = crm_model_contacts(t->report->model);
    if (n > CRM_ROWS_MOST || s > CRM_ROWS_MOST) {
        crm_sheet_text(
            &t->sheet, CRM_TONE_FAINT,
            "\nLong lists are cut here; --format csv and --format json give every row.\n");
    }
}

static void print_title(const crm_table *t, size_t approaching)
{
    const crm_model *model = t->report->model;
    size_t bodies = crm_model_bodies(model), contacts = crm_model_contacts(model);
    const char *one = t->report->generalized ? "coordinate" : "body";
    const char *many = t->report->generalized ? "coordinates" : "bodies";
    if (t->report->title[0] != '\0') {
        crm_sheet_text(&t->sheet, CRM_TONE_STRONG, t->report->title);
        fputc('\n', t->sheet.stream);
    }
    fprintf(t->sheet.stream, "%zu %s, %zu %s, %zu approaching%s\n", bodies,
            bodies == 1 ? one : many, contacts, contacts == 1 ? "contact" : "contacts", approaching,
            approaching == 0 ? ": nothing happens" : "");
    char hint[512];
    if (approaching == 0 && crm_report_hint(t->report, hint, sizeof hint)) {
        crm_text_wrap(t->sheet.stream, hint, 0, 0);
    }
}

/* ---- Layout ------------------------------------------------------------------------------- */

static int widest(const crm_report *report, size_t count, name_function name)
{
    int width = 0;
    for (size_t i = 0; i < count; i = crm_sheet_next_row(i, count)) {
        char text[2 * CRM_NAME_SIZE];
        name(report, i, text, sizeof text);
        int length = crm_text_width(text);
        width = length > width ? length : width;
    }
    return width;
}

/* The longest heading; a number with its sign; a law's name, which is broken when it is longer. */
enum { NAME_LEAST = 18, COLUMN_LEAST = 11, COLUMN_MOST = 12, BAR = 6 };

/* As many laws side by side as fit, in blocks of about the same size. */
static size_t share_out(const crm_table *t, int bar_width)
{
    int column = t->sheet.column_width + 2 + (bar_width > 0 ? bar_width + 1 : 0);
    int room = t->style.width - (t->sheet.name_width + 2) - column;
    size_t fit = room >= column ? (size_t)(room / column) : 1;
    size_t count = t->report->count, blocks = (count + fit - 1) / fit;
    return blocks > 1 ? (count + blocks - 1) / blocks : count;
}

static void lay_out(crm_table *t)
{
    const crm_model *model = t->report->model;
    int names[] = {NAME_LEAST, widest(t->report, crm_model_coordinates(model), coordinate_row),
                   widest(t->report, crm_model_contacts(model), contact_row)};
    for (size_t i = 0; i < 3; i++) {
        t->sheet.name_width = names[i] > t->sheet.name_width ? names[i] : t->sheet.name_width;
    }
    t->sheet.column_width = COLUMN_LEAST;
    for (size_t i = 0; i < t->report->count; i++) {
        int width = crm_title_width(t->report->entries[i].label, COLUMN_MOST);
        t->sheet.column_width = width > t->sheet.column_width ? width : t->sheet.column_width;
    }
    /* Bars are for when there is room. */
    t->per_block = t->style.bars ? share_out(t, BAR) : 0;
    if (t->style.bars && t->per_block == t->report->count) {
        t->sheet.bar_width = BAR;
    } else {
        t->per_block = share_out(t, 0);
    }
}

static size_t count_approaching(const crm_model *model, const double *velocity, double *gap)
{
    size_t count = 0;
    crm_model_gap_velocity(model, velocity, gap);
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        count += gap[j] < 0;
    }
    return count;
}

static void print_all(crm_table *t, double *gap)
{
    lay_out(t);
    size_t approaching = count_approaching(t->report->model, t->report->velocity, gap);
    print_title(t, approaching);
    print_velocities(t);
    crm_table_summary(t);
    print_losses(t);
    print_lists(t);
    crm_table_verdicts(t);
    crm_table_remarks(t);
    crm_report_doubts(t->report, approaching > 0, t->sheet.stream);
    print_cut(t);
}

crm_status crm_report_table(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error)
{
    size_t columns = report->count + 1;
    crm_table t = {.report = report,
                   .style = style,
                   .titles = CRM_NEW(const char *, columns),
                   .cells = CRM_NEW(crm_impact, columns)};
    double *gap = CRM_NEW(double, crm_model_contacts(report->model));
    crm_status status = CRM_OK;
    if (t.titles == NULL || t.cells == NULL || gap == NULL) {
        status = crm_fail_memory(error);
    } else {
        t.sheet = (crm_sheet){.stream = stream, .colour = style.colour, .titles = t.titles};
        print_all(&t, gap);
    }
    free(t.titles);
    free(t.cells);
    free(gap);
    return status;
}
