/* What a scenario was understood to be: bodies, contacts, how they are coupled. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/elementary.h"
#include "report/report.h"
#include "report/sheet.h"

enum { LABEL_SIZE = 2 * CRM_NAME_SIZE + 24 };

typedef struct check {
    const crm_report *report;
    const crm_model *model;
    FILE *stream;
    double *gap; /* u-, per contact */
    bool colour;
} check;

static crm_sheet sheet_of(const check *c, int name_width, size_t columns, const char *const *titles)
{
    return (crm_sheet){.stream = c->stream,
                       .colour = c->colour,
                       .name_width = name_width,
                       .columns = columns,
                       .titles = titles,
                       .first_titled = true,
                       .column_width = 11};
}

static void number_cell(const crm_sheet *sheet, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
}

typedef void (*label_function)(const check *c, size_t index, char *text, size_t size);

static void body_label(const check *c, size_t body, char *text, size_t size)
{
    crm_model_body_name(c->model, body, text, size);
}

static void contact_label(const check *c, size_t contact, char *text, size_t size)
{
    char name[2 * CRM_NAME_SIZE];
    crm_contact_name(c->model, contact, name, sizeof name);
    snprintf(text, size, "%zu: %s", contact + 1, name);
}

/* Room for the labels that are shown. */
static int label_width(const check *c, size_t count, label_function label)
{
    int width = 24;
    for (size_t i = 0; i < count; i = crm_sheet_next_row(i, count)) {
        char text[LABEL_SIZE];
        label(c, i, text, sizeof text);
        width = crm_text_width(text) > width ? crm_text_width(text) : width;
    }
    return width;
}

/* ---- Bodies ------------------------------------------------------------------------------- */

/* The mass that a coordinate moves: twice the kinetic energy at unit speed. `unit` is zero
 * everywhere, and is again afterwards. */
static double mass_of(const check *c, size_t body, size_t coordinate, double *unit)
{
    unit[coordinate] = 1;
    double mass = 2 * crm_model_body_energy(c->model, body, unit);
    unit[coordinate] = 0;
    return mass;
}

enum { BODY_COLUMNS = 10 }; /* mass, up to three velocities, spins and inertias */

/* The most coordinates of a body, and angles among them, which are the last. */
static size_t find_dimension(const crm_model *model, size_t *angles)
{
    size_t most = 1;
    *angles = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        size_t start = crm_model_body_start(model, i), count = 0;
        size_t all = crm_model_body_start(model, i + 1) - start;
        for (size_t k = 0; k < all; k++) {
            count += crm_model_is_angle(model, start + k);
        }
        most = all - count > most ? all - count : most;
        *angles = count > *angles ? count : *angles;
    }
    return most < 3 ? most : 3;
}

static void print_body(const check *c, const crm_sheet *sheet, size_t body, double *unit)
{
    size_t start = crm_model_body_start(c->model, body);
    size_t end = crm_model_body_start(c->model, body + 1);
    number_cell(sheet, mass_of(c, body, start, unit));
    for (size_t k = start; k < end; k++) {
        number_cell(sheet, c->report->velocity[k]);
    }
    for (size_t k = start; k < end; k++) {
        if (crm_model_is_angle(c->model, k)) {
            number_cell(sheet, mass_of(c, body, k, unit));
        }
    }
}

static void print_bodies(const check *c, double *unit)
{
    bool bare = c->report->generalized;
    size_t angles, dimension = find_dimension(c->model, &angles);
    const char *titles[BODY_COLUMNS + 1] = {
        bare ? "mass" : "mass, kg", bare ? "v" : "v, m/s", "", "", "", "", "", "", "", "", ""};
    if (angles > 0) {
        titles[1 + dimension] = "spin, rad/s";
        titles[1 + dimension + angles] = "inertia";
    }
    size_t bodies = crm_model_bodies(c->model);
    crm_sheet sheet =
        sheet_of(c, label_width(c, bodies, body_label), 1 + dimension + 2 * angles, titles);
    crm_sheet_heading(&sheet, bare ? "coordinates" : "bodies");
    for (size_t i = 0, next; i < bodies; i = next) {
        char name[LABEL_SIZE];
        body_label(c, i, name, sizeof name);
        crm_sheet_name(&sheet, name);
        print_body(c, &sheet, i, unit);
        crm_sheet_end_row(&sheet);
        next = crm_sheet_next_row(i, bodies);
        crm_sheet_gap(&sheet, i, next, "bodies");
    }
}

/* ---- Contacts ----------------------------------------------------------------------------- */

static const char *motion(double gap_velocity)
{
    return gap_velocity < 0 ? "approaching" : gap_velocity > 0 ? "separating" : "resting";
}

static void print_contact(const check *c, const crm_sheet *sheet, size_t j)
{
    char name[LABEL_SIZE];
    contact_label(c, j, name, sizeof name);
    crm_sheet_name(sheet, name);
    number_cell(sheet, crm_model_stiffness(c->model)[j]);
    number_cell(sheet, crm_model_exponent(c->model)[j]);
    number_cell(sheet, crm_model_restitution(c->model)[j]);
    number_cell(sheet, crm_model_stored_energy(c->model)[j]);
    number_cell(sheet, c->gap[j]);
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, motion(c->gap[j]));
    crm_sheet_end_row(sheet);
}

static void print_contacts(const check *c)
{
    static const char *const titles[] = {"K", "eta", "e", "energy, J", "u, m/s", "gap"};
    size_t contacts = crm_model_contacts(c->model);
    crm_sheet sheet = sheet_of(c, label_width(c, contacts, contact_label),
                               sizeof titles / sizeof titles[0], titles);
    crm_sheet_heading(&sheet, "contacts");
    for (size_t j = 0, next; j < contacts; j = next) {
        print_contact(c, &sheet, j);
        next = crm_sheet_next_row(j, contacts);
        crm_sheet_gap(&sheet, j, next, "contacts");
    }
}

/* ---- Coupling ----------------------------------------------------------------------------- */

static void print_angle(const check *c, const crm_sheet *sheet, size_t j, size_t k, double d)
{
    const double degree = crm_acos(-1) / 180;
    char name[64], text[40];
    double angle = crm_model_kinetic_angle(c->model, j, k);
    snprintf(name, sizeof name, "contacts %zu and %zu", j + 1, k + 1);
    crm_sheet_name(sheet, name);
    snprintf(text, sizeof text, "%.6f", angle);
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
    snprintf(text, sizeof text, "%.3f", angle / degree);
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, d < 0 ? "yes" : "no");
    crm_sheet_end_row(sheet);
}

typedef void (*pair_function)(const check *c, size_t j, size_t k, double d, void *context);

/* Every pair of contacts that share something that moves, in order. */
static void visit_pairs(const check *c, pair_function visit, void *context)
{
    for (size_t j = 0; j < crm_model_contacts(c->model); j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(c->model, j, &count, &column, &value);
        for (size_t i = 0; i < count; i++) {
            if (column[i] > j && value[i] != 0) {
                visit(c, j, column[i], value[i], context);
            }
        }
    }
}

static void count_pair(const check *c, size_t j, size_t k, double d, void *context)
{
    (void)c, (void)j, (void)k, (void)d;
    *(size_t *)context += 1;
}

typedef struct angles {
    crm_sheet sheet;
    size_t total, seen, next; /* pairs; the next one to be shown */
} angles;

static void show_pair(const check *c, size_t j, size_t k, double d, void *context)
{
    angles *a = context;
    if (a->seen == a->next) {
        print_angle(c, &a->sheet, j, k, d);
        a->next = crm_sheet_next_row(a->seen, a->total);
        crm_sheet_gap(&a->sheet, a->seen, a->next, "coupled pairs");
    }
    a->seen++;
}

static void print_angles(const check *c)
{
    static const char *const titles[] = {"rad", "degrees", "impulse passes"};
    angles a = {.sheet = sheet_of(c, 24, 3, titles)};
    a.sheet.column_width = 14;
    visit_pairs(c, count_pair, &a.total);
    if (a.total > 0) {
        crm_sheet_heading(&a.sheet, "kinetic angles");
        visit_pairs(c, show_pair, &a);
    }
}

static crm_status print_rank(const check *c, crm_error *error)
{
    size_t rank = 0, contacts = crm_model_contacts(c->model);
    crm_status status = crm_model_rank(c->model, &rank, error);
    if (status == CRM_ERROR_MEMORY) {
        return status;
    }
    if (status != CRM_OK) {
        fprintf(c->stream, "\nrank of D: not known (%s)\n",
                error != NULL ? error->message : crm_status_text(status));
        return CRM_OK;
    }
    fprintf(c->stream, "\nrank of D: %zu of %zu%s\n", rank, contacts,
            rank < contacts
                ? "; the contacts depend on one another: the velocities are determined, "
                  "the impulses are not"
                : ", the contacts are independent");
    return CRM_OK;
}

/* ---- The whole ---------------------------------------------------------------------------- */

static void print_title(const check *c)
{
    crm_sheet sheet = sheet_of(c, 0, 0, NULL);
    size_t approaching = 0, contacts = crm_model_contacts(c->model);
    for (size_t j = 0; j < contacts; j++) {
        approaching += c->gap[j] < 0;
    }
    if (c->report->title[0] != '\0') {
        crm_sheet_text(&sheet, CRM_TONE_STRONG, c->report->title);
        fputc('\n', c->stream);
    }
    if (!c->report->generalized) {
        size_t bodies = crm_model_bodies(c->model);
        fprintf(c->stream, "%zu %s, ", bodies, bodies == 1 ? "body" : "bodies");
    }
    fprintf(c->stream, "%zu coordinates, %zu contacts, %zu approaching%s\n",
            crm_model_coordinates(c->model), contacts, approaching,
            approaching == 0 ? ": nothing happens" : "");
    fprintf(c->stream, "kinetic energy %.6g J\nlaws:",
            crm_model_kinetic_energy(c->model, c->report->velocity));
    for (size_t i = 0; i < c->report->count; i++) {
        fprintf(c->stream, "%s %s", i == 0 ? "" : ",", c->report->entries[i].label);
    }
    fputc('\n', c->stream);
}

crm_status crm_report_model(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error)
{
    check c = {.report = report,
               .model = report->model,
               .stream = stream,
               .colour = style.colour,
               .gap = CRM_NEW(double, crm_model_contacts(report->model))};
    double *unit = CRM_NEW(double, crm_model_coordinates(report->model));
    crm_status status = CRM_OK;
    if (c.gap == NULL || unit == NULL) {
        status = crm_fail_memory(error);
    } else {
        crm_model_gap_velocity(c.model, report->velocity, c.gap);
        print_title(&c);
        print_bodies(&c, unit);
        print_contacts(&c);
        crm_report_near_misses(report, stream);
        print_angles(&c);
        status = print_rank(&c, error);
        crm_report_doubts(report, false, stream);
    }
    free(c.gap);
    free(unit);
    return status;
}
