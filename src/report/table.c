/* The report as a table: bodies down, laws across. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/table.h"

typedef void (*name_function)(const crm_report *report, size_t index, char *text, size_t size);

/* ---- Blocks: one row per coordinate or contact -------------------------------------------- */

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

static double largest_in(const crm_table *t, size_t rows)
{
    double largest = 0;
    for (size_t c = 0; c < t->sheet.columns; c++) {
        for (size_t i = 0; t->cells[c] != NULL && i < rows; i++) {
            largest = fmax(largest, fabs(t->cells[c][i]));
        }
    }
    return largest;
}

static void print_numbers(const crm_table *t, crm_scale scale, size_t row)
{
    for (size_t c = 0; c < t->sheet.columns; c++) {
        char text[40] = "";
        if (t->cells[c] != NULL) {
            crm_scale_format(scale, t->cells[c][row], text, sizeof text);
        } else if (c > 0) {
            crm_scale_format(scale, NAN, text, sizeof text);
        }
        crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    }
    crm_sheet_end_row(&t->sheet);
}

static void print_rows(const crm_table *t, crm_scale scale, size_t rows, name_function name,
                       const char *what)
{
    for (size_t i = 0, next; i < rows; i = next) {
        char text[2 * CRM_NAME_SIZE];
        name(t->report, i, text, sizeof text);
        crm_sheet_name(&t->sheet, text);
        print_numbers(t, scale, i);
        next = crm_sheet_next_row(i, rows);
        crm_sheet_gap(&t->sheet, i, next, what);
    }
}

/* Where an outcome keeps one of its arrays. */
typedef const double *(*array_function)(const crm_outcome *outcome);

static const double *velocity_of(const crm_outcome *outcome)
{
    return outcome->velocity;
}

static const double *loss_of(const crm_outcome *outcome)
{
    return outcome->loss;
}

static const double *impulse_of(const crm_outcome *outcome)
{
    return outcome->impulse;
}

static const double *peak_force_of(const crm_outcome *outcome)
{
    return outcome->peak_force;
}

/* False: no law defines it. */
static bool gather(crm_table *t, const double *before, array_function array)
{
    bool any = false;
    t->cells[0] = before;
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        t->cells[i + 1] = outcome != NULL ? array(outcome) : NULL;
        any = any || t->cells[i + 1] != NULL;
    }
    return any;
}

/* ---- Single rows -------------------------------------------------------------------------- */

typedef double (*number_function)(const crm_outcome *outcome);

static double energy_after(const crm_outcome *outcome)
{
    return outcome->energy_after;
}

static double energy_ratio(const crm_outcome *outcome)
{
    return outcome->energy_after / outcome->energy_before;
}

static double stored_before(const crm_outcome *outcome)
{
    return outcome->stored_before;
}

static double boundary_work(const crm_outcome *outcome)
{
    return outcome->boundary_work;
}

static double duration(const crm_outcome *outcome)
{
    return outcome->duration;
}

static double total_loss(const crm_outcome *outcome)
{
    double total = 0;
    for (size_t j = 0; outcome->loss != NULL && j < outcome->contacts; j++) {
        total += outcome->loss[j];
    }
    return outcome->loss != NULL ? total : NAN;
}

static double compressions(const crm_outcome *outcome)
{
    double total = 0;
    for (size_t j = 0; outcome->compressions != NULL && j < outcome->contacts; j++) {
        total += outcome->compressions[j];
    }
    return outcome->compressions != NULL ? total : NAN;
}

static double estimated_error(const crm_outcome *outcome)
{
    return outcome->error_estimate;
}

static bool any_worth_showing(const crm_table *t, number_function number)
{
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        if (outcome != NULL && !isnan(number(outcome)) && number(outcome) != 0) {
            return true;
        }
    }
    return false;
}

typedef enum number_style { STYLE_RATIO, STYLE_SHORT, STYLE_WHOLE, STYLE_MAGNITUDE } number_style;

static void format_number(number_style style, double value, char *text, size_t size)
{
    switch (style) {
    case STYLE_RATIO:
        snprintf(text, size, "%.6f", value);
        break;
    case STYLE_SHORT:
        snprintf(text, size, "%.4g", value);
        break;
    case STYLE_WHOLE:
        snprintf(text, size, "%.0f", value);
        break;
    case STYLE_MAGNITUDE:
        snprintf(text, size, "%.1e", value);
        break;
    }
}

/* A row of one number per law in a style of its own; nothing if no law has it. */
static void print_row(const crm_table *t, const char *name, number_style style,
                      number_function number)
{
    if (!any_worth_showing(t, number)) {
        return;
    }
    crm_sheet_name(&t->sheet, name);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, "");
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        double value = outcome != NULL ? number(outcome) : NAN;
        char text[40] = "-";
        if (!isnan(value)) {
            format_number(style, value, text, sizeof text);
        }
        crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    }
    crm_sheet_end_row(&t->sheet);
}

/* A row in the scale of the energies. */
static void print_energy(const crm_table *t, const char *name, crm_scale scale, double before,
                         number_function number)
{
    char text[40] = "";
    crm_sheet_name(&t->sheet, name);
    if (!isnan(before)) {
        crm_scale_format(scale, before, text, sizeof text);
    }
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        crm_scale_format(scale, outcome != NULL ? number(outcome) : NAN, text, sizeof text);
        crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    }
    crm_sheet_end_row(&t->sheet);
}

/* ---- Sections ----------------------------------------------------------------------------- */

static void print_velocities(crm_table *t)
{
    gather(t, t->report->velocity, velocity_of);
    t->sheet.first_titled = true;
    /* The coordinates of a system may be angles, or anything. */
    crm_sheet_heading(&t->sheet, t->report->generalized ? "velocity" : "velocity, m/s");
    size_t n = crm_model_coordinates(t->report->model);
    print_rows(t, crm_scale_for(largest_in(t, n)), n, coordinate_row, "coordinates");
}

/* Elastic impacts lose nothing, and then a list of noughts would say less than one. */
static bool loses(const crm_table *t, double energy)
{
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        for (size_t j = 0; outcome != NULL && outcome->loss != NULL && j < outcome->contacts; j++) {
            if (fabs(outcome->loss[j]) > 1e-6 * energy) {
                return true;
            }
        }
    }
    return false;
}

static void print_energies(crm_table *t)
{
    double before = crm_model_kinetic_energy(t->report->model, t->report->velocity);
    crm_scale scale = crm_scale_for(before);
    scale.zero = 1e-9 * before;
    crm_sheet_heading(&t->sheet, "energy, J");
    print_energy(t, "kinetic", scale, before, energy_after);
    print_row(t, "after / before", STYLE_RATIO, energy_ratio);
    if (any_worth_showing(t, stored_before)) {
        print_energy(t, "stored before", scale, NAN, stored_before);
    }
    if (any_worth_showing(t, boundary_work)) {
        print_energy(t, "work of walls", scale, NAN, boundary_work);
    }
    print_energy(t, "lost", scale, NAN, total_loss);
    t->sheet.first_titled = false;
    if (crm_model_contacts(t->report->model) > 1 && loses(t, before) && gather(t, NULL, loss_of)) {
        crm_sheet_heading(&t->sheet, "lost at, J");
        print_rows(t, scale, crm_model_contacts(t->report->model), contact_row, "contacts");
    }
}

static void print_contacts(crm_table *t)
{
    size_t contacts = crm_model_contacts(t->report->model);
    if (gather(t, NULL, impulse_of)) {
        crm_sheet_heading(&t->sheet, t->report->generalized ? "impulse" : "impulse, N s");
        print_rows(t, crm_scale_for(largest_in(t, contacts)), contacts, contact_row, "contacts");
    }
    if (gather(t, NULL, peak_force_of)) {
        crm_sheet_heading(&t->sheet, t->report->generalized ? "peak force" : "peak force, N");
        print_rows(t, crm_scale_for(largest_in(t, contacts)), contacts, contact_row, "contacts");
    }
}

static void print_course(const crm_table *t)
{
    if (!any_worth_showing(t, duration) && !any_worth_showing(t, compressions)) {
        return;
    }
    crm_sheet_heading(&t->sheet, "course");
    print_row(t, "duration, s", STYLE_SHORT, duration);
    print_row(t, "compressions", STYLE_WHOLE, compressions);
    print_row(t, "relative error", STYLE_MAGNITUDE, estimated_error);
}

/* How far the laws are apart: what one compares them for. */
static void print_comparison(const crm_table *t)
{
    const crm_outcome *first = t->report->entries[0].outcome;
    if (t->report->count < 2 || first == NULL) {
        return;
    }
    char heading[CRM_NAME_SIZE + 32];
    snprintf(heading, sizeof heading, "away from %.*s, %%", CRM_NAME_SIZE,
             t->report->entries[0].label);
    crm_sheet_heading(&t->sheet, "comparison");
    crm_sheet_name(&t->sheet, heading);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, "");
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        char text[40] = "-";
        if (outcome != NULL) {
            snprintf(text, sizeof text, "%.4g",
                     crm_measure_gap_percent(t->report->model, outcome->velocity, first->velocity));
        }
        crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, text);
    }
    crm_sheet_end_row(&t->sheet);
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

/* The longest fixed name of a row, and of a number with its sign. */
enum { NAME_LEAST = 23, COLUMN_LEAST = 11 };

static void lay_out(crm_table *t)
{
    const crm_model *model = t->report->model;
    int names[] = {NAME_LEAST, widest(t->report, crm_model_coordinates(model), coordinate_row),
                   widest(t->report, crm_model_contacts(model), contact_row)};
    for (size_t i = 0; i < 3; i++) {
        t->sheet.name_width = names[i] > t->sheet.name_width ? names[i] : t->sheet.name_width;
    }
    t->sheet.column_width = COLUMN_LEAST;
    t->titles[0] = "before";
    for (size_t i = 0; i < t->report->count; i++) {
        int width = crm_text_width(t->report->entries[i].label);
        t->titles[i + 1] = t->report->entries[i].label;
        t->sheet.column_width = width > t->sheet.column_width ? width : t->sheet.column_width;
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
    print_title(t, count_approaching(t->report->model, t->report->velocity, gap));
    print_velocities(t);
    print_energies(t);
    print_contacts(t);
    print_course(t);
    print_comparison(t);
    crm_table_verdicts(t);
    crm_table_remarks(t);
    print_cut(t);
}

crm_status crm_report_table(const crm_report *report, bool colour, FILE *stream, crm_error *error)
{
    size_t columns = report->count + 1;
    crm_table t = {.report = report,
                   .titles = CRM_NEW(const char *, columns),
                   .cells = CRM_NEW(const double *, columns)};
    double *gap = CRM_NEW(double, crm_model_contacts(report->model));
    crm_status status = CRM_OK;
    if (t.titles == NULL || t.cells == NULL || gap == NULL) {
        status = crm_fail_memory(error);
    } else {
        t.sheet =
            (crm_sheet){.stream = stream, .colour = colour, .columns = columns, .titles = t.titles};
        print_all(&t, gap);
    }
    free(t.titles);
    free(t.cells);
    free(gap);
    return status;
}
