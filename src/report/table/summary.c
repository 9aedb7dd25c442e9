/* The summary, laws in rows: energies and measures, then duration, steps and error. */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "report/table/table.h"

/* ---- Values ---------------------------------------------------------------------------------- */

typedef const crm_outcome_field column;

static double energy_before(const crm_table *t)
{
    return crm_model_kinetic_energy(t->report->model, t->report->velocity);
}

/* The sum over a list; otherwise the value. */
static double total(column *c, const crm_impact *impact)
{
    if (c->of == CRM_OF_IMPACT) {
        return crm_field_value(c, impact, 0);
    }
    double sum = 0;
    for (size_t i = 0; i < crm_field_count(c, impact->model); i++) {
        sum += crm_field_value(c, impact, i);
    }
    return sum;
}

/* NAN: nothing to show. */
static double value_of(const crm_table *t, column *c, size_t law)
{
    crm_impact impact = crm_entry_impact(t->report, law);
    bool blank = impact.outcome == NULL || !crm_field_defined(c, &impact) ||
                 (c->summary.blank != NULL && c->summary.blank(&impact));
    return blank ? (double)NAN : total(c, &impact);
}

double crm_table_energy(const crm_table *t)
{
    double most = energy_before(t);
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        if (outcome != NULL) {
            most = fmax(most, fmax(outcome->stored_before, fabs(outcome->boundary_work)));
        }
    }
    return most;
}

static void format_energy(const crm_table *t, double value, char *text, size_t size)
{
    double most = crm_table_energy(t);
    crm_scale scale = crm_scale_for(most);
    scale.zero = 1e-9 * most;
    crm_scale_format(scale, value, text, size);
}

static void format(const crm_table *t, crm_field_look look, double value, char *text, size_t size)
{
    switch (look) {
    case CRM_LOOK_ENERGY:
        format_energy(t, value, text, size);
        break;
    case CRM_LOOK_RATIO:
        crm_snprintf(text, size, "%.6f", value);
        break;
    case CRM_LOOK_PLAIN:
        crm_snprintf(text, size, "%.4f", value);
        break;
    case CRM_LOOK_SHORT: /* rounding relative to 1 is 0 */
        crm_snprintf(text, size, "%.4g", fabs(value) < 1e-10 ? 0.0 : value);
        break;
    case CRM_LOOK_TIME:
        crm_snprintf(text, size, "%.4g", value);
        break;
    case CRM_LOOK_ERROR:
        crm_snprintf(text, size, value != 0 ? "%.1e" : "%.0f", value);
        break;
    case CRM_LOOK_WHOLE:
        crm_snprintf(text, size, "%.0f", value);
        break;
    case CRM_LOOK_OF_BODIES:
        crm_snprintf(text, size, "%.0f of %zu", value, crm_model_bodies(t->report->model));
        break;
    }
}

void crm_table_column_title(const char *words, const char *unit, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", words, unit != NULL ? ", " : "", unit != NULL ? unit : "");
}

/* ---- Which columns are shown ----------------------------------------------------------------- */

static bool any_law(const crm_table *t, column *c, bool also_zero)
{
    for (size_t i = 0; i < t->report->count; i++) {
        double value = value_of(t, c, i);
        if (!isnan(value) && (also_zero || value != 0)) {
            return true;
        }
    }
    return false;
}

static bool several_bodies(const crm_table *t)
{
    return crm_model_bodies(t->report->model) > 1 && !t->report->generalized;
}

/* Only on a line is there a forward direction. */
static bool is_line(const crm_model *model)
{
    return crm_model_bodies(model) == crm_model_coordinates(model);
}

/* With equal masses, a sum of velocities is a sum of momenta. */
static bool equal_masses(const crm_model *model)
{
    bool equal = true;
    double first = crm_model_mass(model, 0, 0);
    for (size_t i = 1; i < crm_model_bodies(model) && equal; i++) {
        size_t at = crm_model_body_start(model, i);
        equal = fabs(crm_model_mass(model, at, at) - first) <= 1e-9 * first;
    }
    return equal;
}

/* Without a wall to rebound from, the sum of the velocities does not change. */
static bool has_walls(const crm_table *t)
{
    const crm_model *model = t->report->model;
    bool walls = false;
    for (size_t j = 0; j < crm_model_contacts(model) && !walls; j++) {
        walls = crm_model_party(model, j, 1) >= crm_model_bodies(model);
    }
    return walls && !t->report->generalized && equal_masses(model);
}

static bool is_shown(const crm_table *t, column *c)
{
    switch (c->summary.shown) {
    case CRM_SHOWN_NONZERO:
        return any_law(t, c, false);
    case CRM_SHOWN_SEVERAL_LAWS:
        return t->report->count > 1;
    case CRM_SHOWN_SEVERAL_BODIES:
        return several_bodies(t);
    case CRM_SHOWN_LINE:
        return several_bodies(t) && is_line(t->report->model) && any_law(t, c, false);
    case CRM_SHOWN_REBOUND:
        return has_walls(t) && any_law(t, c, true);
    default:
        return any_law(t, c, true);
    }
}

/* The column at a place of the sheet; NULL: past its end. */
static column *column_at(bool course, size_t place)
{
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        column *c = crm_outcome_field_at(i);
        if (c->summary.place == place && c->summary.course == course) {
            return c;
        }
    }
    return NULL;
}

/* ---- One sheet ------------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 24, TITLE_SIZE = 48 };

typedef struct choice {
    size_t count;
    column *columns[COLUMNS_MOST];
    char words[COLUMNS_MOST][TITLE_SIZE];
    const char *titles[COLUMNS_MOST];
} choice;

static void choose(const crm_table *t, bool course, choice *s)
{
    s->count = 0;
    for (size_t place = 1; s->count < COLUMNS_MOST; place++) {
        column *c = column_at(course, place);
        if (c == NULL) {
            return;
        }
        if (is_shown(t, c)) {
            crm_table_column_title(c->summary.title, crm_field_unit(t->report->model, c->unit),
                                   s->words[s->count], TITLE_SIZE);
            s->titles[s->count] = s->words[s->count];
            s->columns[s->count++] = c;
        }
    }
}

/* ---- Printing -------------------------------------------------------------------------------- */

enum { LABEL_LEAST = 8, LABEL_MOST = 40, CELL = 11, COURSE_CELL = 12, RATIO_BAR = 8 };

crm_sheet crm_table_law_sheet(const crm_table *t)
{
    crm_sheet sheet = {.stream = t->sheet.stream,
                       .colour = t->sheet.colour,
                       .width = t->style.width,
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

/* The energy ratio as a bar. */
static void print_ratio_bar(const crm_sheet *sheet, double ratio)
{
    char bar[CRM_BAR_BYTES * RATIO_BAR + 1] = "";
    if (!isnan(ratio)) {
        crm_text_bar(ratio, RATIO_BAR, bar, sizeof bar);
    }
    fputc(' ', sheet->stream);
    crm_sheet_text(sheet, ratio > 1 + 1e-9 ? CRM_TONE_BAD : CRM_TONE_FORWARD, bar);
    fprintf(sheet->stream, "%*s", RATIO_BAR - crm_text_width(bar), "");
}

static void print_cells(const crm_table *t, const crm_sheet *sheet, column *const *columns,
                        size_t law)
{
    crm_sheet bare = *sheet;
    bare.bar_width = 0;
    for (size_t c = 0; c < sheet->columns; c++) {
        double value = value_of(t, columns[c], law);
        char text[48] = "-";
        if (!isnan(value)) {
            format(t, columns[c]->summary.look, value, text, sizeof text);
        }
        crm_sheet_cell(&bare, CRM_TONE_PLAIN, text);
        if (c + 1 == sheet->bar_after) {
            print_ratio_bar(&bare, value);
        }
    }
}

static void print_laws(const crm_table *t, const crm_sheet *sheet, column *const *columns)
{
    for (size_t i = 0; i < t->report->count; i++) {
        crm_sheet_name(sheet, t->report->entries[i].label);
        print_cells(t, sheet, columns, i);
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
    size_t each = crm_sheet_columns_per_part(t->style.width - sheet->name_width - 2,
                                             sheet->column_width + 2, count);
    return each > 0 ? each : 1;
}

/* Behind the ratio of energies, where there is room for it. */
static void place_bar(const crm_table *t, column *const *columns, crm_sheet *sheet)
{
    int used = sheet->name_width + 2 + (int)sheet->columns * (sheet->column_width + 2);
    if (!t->style.bars || used + 1 + RATIO_BAR > t->style.width) {
        return;
    }
    for (size_t c = 0; c < sheet->columns; c++) {
        if (strcmp(columns[c]->name, "energy_ratio") == 0) {
            sheet->bar_after = c + 1;
            sheet->bar_width = RATIO_BAR;
        }
    }
}

static void print_part(const crm_table *t, const crm_sheet *sheet, const char *heading,
                       column *const *columns, bool energies)
{
    crm_sheet barred = *sheet;
    place_bar(t, columns, &barred);
    crm_sheet_heading(&barred, heading);
    if (energies) {
        print_before(t, sheet);
    }
    print_laws(t, &barred, columns);
}

static void print_sheet(const crm_table *t, const char *heading, int column_width, bool course)
{
    choice chosen;
    crm_sheet part = crm_table_law_sheet(t);
    part.column_width = column_width;
    choose(t, course, &chosen);
    size_t each = part_size(t, &part, chosen.count);
    for (size_t from = 0; from < chosen.count; from += each) {
        part.titles = chosen.titles + from;
        part.columns = chosen.count - from < each ? chosen.count - from : each;
        bool energies = chosen.columns[from]->summary.place == 1 && !course;
        print_part(t, &part, from == 0 ? heading : "measures", chosen.columns + from, energies);
    }
}

bool crm_table_has_column(const crm_table *t, const crm_outcome_field *field)
{
    return crm_table_shows(t, field->summary.course ? "course" : "energy", true) &&
           is_shown(t, field);
}

void crm_table_summary(const crm_table *t)
{
    if (crm_table_shows(t, "energy", true)) {
        print_sheet(t, "energy", CELL, false);
    }
    if (crm_table_shows(t, "course", true)) {
        print_sheet(t, "course", COURSE_CELL, true);
    }
}
