/* What sums the laws' answers up, laws down: energies and measures, and how the impact went. */
#include <math.h>
#include <string.h>

#include "report/table.h"

/* ---- Columns ------------------------------------------------------------------------------ */

/* One number of a law's answer, in words. `shown`: whether there is anything to tell. */
typedef struct column {
    const char *title;
    double (*value)(const crm_table *t, const crm_outcome *outcome);
    void (*format)(const crm_table *t, double value, char *text, size_t size);
    bool (*shown)(const crm_table *t); /* NULL: whenever some law defines it */
} column;

static double energy_before(const crm_table *t)
{
    return crm_model_kinetic_energy(t->report->model, t->report->velocity);
}

static void format_energy(const crm_table *t, double value, char *text, size_t size)
{
    crm_scale scale = crm_scale_for(energy_before(t));
    scale.zero = 1e-9 * energy_before(t);
    crm_scale_format(scale, value, text, size);
}

static void format_ratio(const crm_table *t, double value, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "%.6f", value);
}

/* What is rounding beside 1 is 0. */
static void format_short(const crm_table *t, double value, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "%.4g", fabs(value) < 1e-10 ? 0.0 : value);
}

static void format_time(const crm_table *t, double value, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "%.4g", value);
}

static void format_plain(const crm_table *t, double value, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "%.4f", value);
}

static void format_magnitude(const crm_table *t, double value, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "%.1e", value);
}

static void format_count(const crm_table *t, double value, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "%.0f", value);
}

static void format_bodies(const crm_table *t, double value, char *text, size_t size)
{
    snprintf(text, size, "%.0f of %zu", value, crm_model_bodies(t->report->model));
}

static double energy_after(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->energy_after;
}

static double total_loss(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    double total = 0;
    for (size_t j = 0; outcome->loss != NULL && j < outcome->contacts; j++) {
        total += outcome->loss[j];
    }
    return outcome->loss != NULL ? total : NAN;
}

static double stored_before(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->stored_before;
}

static double boundary_work(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->boundary_work;
}

static double energy_ratio(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->energy_before > 0 ? outcome->energy_after / outcome->energy_before : NAN;
}

/* Of what is left; rounding is not spread in any way. */
static double dispersion(const crm_table *t, const crm_outcome *outcome)
{
    bool at_rest = outcome->energy_after <= 1e-18 * outcome->energy_before;
    return at_rest ? (double)NAN : crm_measure_dispersion(t->report->model, outcome->velocity);
}

static double gap_percent(const crm_table *t, const crm_outcome *outcome)
{
    const crm_outcome *first = t->report->entries[0].outcome;
    return first != NULL
               ? crm_measure_gap_percent(t->report->model, outcome->velocity, first->velocity)
               : (double)NAN;
}

static double forward(const crm_table *t, const crm_outcome *outcome)
{
    return (double)crm_measure_forward(t->report->model, outcome->velocity);
}

static double effective_restitution(const crm_table *t, const crm_outcome *outcome)
{
    return crm_measure_effective_restitution(t->report->model, t->report->velocity,
                                             outcome->velocity);
}

static double duration(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->duration;
}

static double compressions(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    double total = 0;
    for (size_t j = 0; outcome->compressions != NULL && j < outcome->contacts; j++) {
        total += outcome->compressions[j];
    }
    return outcome->compressions != NULL ? total : NAN;
}

static double steps(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->steps > 0 ? (double)outcome->steps : (double)NAN;
}

static double estimated_error(const crm_table *t, const crm_outcome *outcome)
{
    (void)t;
    return outcome->error_estimate;
}

/* ---- What is worth showing ------------------------------------------------------------------ */

static bool any_law(const crm_table *t, const column *c, bool also_zero)
{
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        double value = outcome != NULL ? c->value(t, outcome) : (double)NAN;
        if (!isnan(value) && (also_zero || value != 0)) {
            return true;
        }
    }
    return false;
}

static bool several_laws(const crm_table *t)
{
    return t->report->count > 1;
}

static bool several_bodies(const crm_table *t)
{
    return crm_model_bodies(t->report->model) > 1 && !t->report->generalized;
}

static bool any_forward(const crm_table *t)
{
    const column c = {.value = forward};
    return several_bodies(t) && any_law(t, &c, false);
}

static bool any_stored(const crm_table *t)
{
    const column c = {.value = stored_before};
    return any_law(t, &c, false);
}

static bool any_boundary_work(const crm_table *t)
{
    const column c = {.value = boundary_work};
    return any_law(t, &c, false);
}

/* Without something to rebound from, the sum of the velocities tells nothing. */
static bool rebounds(const crm_table *t)
{
    const crm_model *model = t->report->model;
    const column c = {.value = effective_restitution};
    bool walls = false;
    for (size_t j = 0; j < crm_model_contacts(model) && !walls; j++) {
        walls = crm_model_party(model, j, 1) >= crm_model_bodies(model);
    }
    return walls && !t->report->generalized && any_law(t, &c, true);
}

static const column outcome_columns[] = {
    {"kinetic, J", energy_after, format_energy, NULL},
    {"lost, J", total_loss, format_energy, NULL},
    {"stored before, J", stored_before, format_energy, any_stored},
    {"work of walls, J", boundary_work, format_energy, any_boundary_work},
    {"ratio", energy_ratio, format_ratio, NULL},
    {"dispersion", dispersion, format_plain, several_bodies},
    {"forward", forward, format_bodies, any_forward},
    {"effective restitution", effective_restitution, format_short, rebounds},
    {"away from first, %", gap_percent, format_short, several_laws},
};

static const column course_columns[] = {
    {"duration, s", duration, format_time, NULL},
    {"compressions", compressions, format_count, NULL},
    {"steps", steps, format_count, NULL},
    {"relative error", estimated_error, format_magnitude, NULL},
};

enum {
    OUTCOME_COLUMNS = sizeof outcome_columns / sizeof outcome_columns[0],
    COURSE_COLUMNS = sizeof course_columns / sizeof course_columns[0],
    COLUMNS_MOST = OUTCOME_COLUMNS
};

static size_t choose(const crm_table *t, const column *all, size_t count, const column **chosen,
                     const char **titles)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].shown != NULL ? all[i].shown(t) : any_law(t, &all[i], true)) {
            titles[kept] = all[i].title;
            chosen[kept++] = &all[i];
        }
    }
    return kept;
}

/* ---- Printing ----------------------------------------------------------------------------- */

enum { LABEL_LEAST = 8, LABEL_MOST = 40, CELL = 11, COURSE_CELL = 12, RATIO_BAR = 8 };

crm_sheet crm_table_law_sheet(const crm_table *t)
{
    crm_sheet sheet = {.stream = t->sheet.stream,
                       .colour = t->sheet.colour,
                       .name_width = LABEL_LEAST,
                       .first_titled = true,
                       .column_width = CELL};
    for (size_t i = 0; i < t->report->count; i++) {
        int width = crm_text_width(t->report->entries[i].label);
        width = width < LABEL_MOST ? width : LABEL_MOST;
        sheet.name_width = width > sheet.name_width ? width : sheet.name_width;
    }
    return sheet;
}

static void print_cells(const crm_table *t, const crm_sheet *sheet, const column *const *columns,
                        const crm_outcome *outcome)
{
    for (size_t c = 0; c < sheet->columns; c++) {
        double value = outcome != NULL ? columns[c]->value(t, outcome) : (double)NAN;
        char text[48] = "-";
        if (!isnan(value)) {
            columns[c]->format(t, value, text, sizeof text);
        }
        crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
    }
}

/* How much of the energy is left, at a glance. */
static void print_ratio_bar(const crm_table *t, const crm_sheet *sheet, const crm_outcome *outcome)
{
    double ratio = outcome != NULL ? energy_ratio(t, outcome) : (double)NAN;
    if (!isnan(ratio)) {
        char bar[CRM_BAR_BYTES * RATIO_BAR + 1];
        crm_bar(ratio, RATIO_BAR, bar, sizeof bar);
        fputs("  ", sheet->stream);
        crm_sheet_text(sheet, ratio > 1 + 1e-9 ? CRM_TONE_BAD : CRM_TONE_FORWARD, bar);
    }
}

static void print_laws(const crm_table *t, const crm_sheet *sheet, const column *const *columns,
                       bool bars)
{
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        crm_sheet_name(sheet, t->report->entries[i].label);
        print_cells(t, sheet, columns, outcome);
        if (bars) {
            print_ratio_bar(t, sheet, outcome);
        }
        crm_sheet_end_row(sheet);
    }
}

static void print_before(const crm_table *t, const crm_sheet *sheet)
{
    char text[48];
    format_energy(t, energy_before(t), text, sizeof text);
    crm_sheet_name(sheet, "before");
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
    crm_sheet_end_row(sheet);
}

/* Columns that do not fit side by side go below, in parts of about the same size. */
static size_t part_size(const crm_table *t, const crm_sheet *sheet, size_t count)
{
    int room = (t->style.width - sheet->name_width - 2) / (sheet->column_width + 2);
    size_t fit = room > 1 ? (size_t)room : 1, parts = (count + fit - 1) / fit;
    return parts > 0 ? (count + parts - 1) / parts : 1;
}

static void print_part(const crm_table *t, const crm_sheet *sheet, const char *heading,
                       const column *const *columns)
{
    int used = sheet->name_width + 2 + (int)sheet->columns * (sheet->column_width + 2);
    bool energies = columns[0]->value == energy_after;
    crm_sheet_heading(sheet, heading);
    if (energies) {
        print_before(t, sheet);
    }
    print_laws(t, sheet, columns,
               energies && t->style.bars && used + 2 + RATIO_BAR <= t->style.width);
}

static void print_columns(const crm_table *t, const char *heading, int column_width,
                          const column *all, size_t count)
{
    const column *columns[COLUMNS_MOST];
    const char *titles[COLUMNS_MOST];
    crm_sheet sheet = crm_table_law_sheet(t);
    sheet.column_width = column_width;
    size_t shown = choose(t, all, count, columns, titles);
    size_t each = part_size(t, &sheet, shown);
    for (size_t from = 0; from < shown; from += each) {
        sheet.titles = titles + from;
        sheet.columns = shown - from < each ? shown - from : each;
        print_part(t, &sheet, from == 0 ? heading : "measures", columns + from);
    }
}

void crm_table_summary(const crm_table *t)
{
    print_columns(t, "energy", CELL, outcome_columns, OUTCOME_COLUMNS);
    print_columns(t, "course", COURSE_CELL, course_columns, COURSE_COLUMNS);
}
