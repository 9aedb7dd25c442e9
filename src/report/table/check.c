/* The table of `carom check`: bodies, contacts, coupling and laws as they were read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/elementary.h"
#include "base/locale.h"
#include "report/report.h"
#include "report/text/rows.h"
#include "report/text/sheet.h"

enum { LABEL_SIZE = 2 * CRM_NAME_SIZE + 24 };

typedef struct check {
    const crm_report *report;
    const crm_model *model;
    FILE *stream;
    double *gap;  /* u-, per contact */
    double *unit; /* a velocity of zeros, for unit vectors */
    crm_style style;
    crm_error *error;
    crm_status status;
} check;

static void print_line(const check *c, const char *text)
{
    crm_text_wrap(c->stream, c->style.width, text, 0, 2);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

typedef void (*text_function)(const check *c, size_t row, size_t which, char *text, size_t size);

typedef struct column {
    const char *title;
    text_function write;
    size_t which;
} column;

enum { COLUMNS_MOST = 10 }; /* of bodies: mass, up to three velocities, spins and inertias */

typedef struct listing {
    const char *heading, *what;
    size_t rows;
    text_function label;
    size_t count;
    column columns[COLUMNS_MOST];
    bool (*is_called)(const void *context, size_t row, const char *name);
} listing;

static void add_column(listing *l, const char *title, text_function write, size_t which)
{
    l->columns[l->count++] = (column){title, write, which};
}

static int wider(int width, const char *text)
{
    int own = crm_text_width(text);
    return own > width ? own : width;
}

/* Every column as wide as its widest text. */
static void measure(const check *c, const listing *l, const crm_rows *rows, int *name, int *widths)
{
    enum { NAME_LEAST = 12, COLUMN_LEAST = 5 };
    char text[LABEL_SIZE];
    *name = wider(NAME_LEAST, l->heading);
    for (size_t k = 0; k < l->count; k++) {
        widths[k] = wider(COLUMN_LEAST, l->columns[k].title);
    }
    for (size_t i = 0; i < rows->count; i++) {
        l->label(c, rows->index[i], 0, text, sizeof text);
        *name = wider(*name, text);
        for (size_t k = 0; k < l->count; k++) {
            l->columns[k].write(c, rows->index[i], l->columns[k].which, text, sizeof text);
            widths[k] = wider(widths[k], text);
        }
    }
}

/* The columns from `from` on that fit beside the names. */
static size_t fit(int room, const int *widths, size_t from, size_t count)
{
    size_t to = from;
    while (to < count && room >= widths[to] + 2) {
        room -= widths[to++] + 2;
    }
    return to > from ? to : from + 1;
}

static void print_part(const check *c, const listing *l, const crm_rows *rows, crm_sheet *sheet,
                       size_t from)
{
    const int *widths = sheet->widths;
    crm_sheet_heading(sheet, l->heading);
    for (size_t i = 0; i < rows->count; i++) {
        char text[LABEL_SIZE];
        l->label(c, rows->index[i], 0, text, sizeof text);
        crm_sheet_name(sheet, text);
        for (size_t k = 0; k < sheet->columns; k++) {
            const column *at = &l->columns[from + k];
            at->write(c, rows->index[i], at->which, text, sizeof text);
            sheet->column_width = widths[k];
            crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
        }
        crm_sheet_end_row(sheet);
        crm_rows_print_omission(rows, i, l->what, sheet);
    }
}

static void print_parts(const check *c, const listing *l, const crm_rows *rows)
{
    int name, widths[COLUMNS_MOST];
    const char *titles[COLUMNS_MOST];
    measure(c, l, rows, &name, widths);
    int most = c->style.width * 5 / 8;
    name = name < most ? name : most;
    for (size_t k = 0; k < l->count; k++) {
        titles[k] = l->columns[k].title;
    }
    for (size_t from = 0, to; from < l->count; from = to) {
        to = fit(c->style.width - name - 2, widths, from, l->count);
        crm_sheet sheet = {.stream = c->stream,
                           .colour = c->style.colour,
                           .width = c->style.width,
                           .name_width = name,
                           .columns = to - from,
                           .titles = titles + from,
                           .widths = widths + from,
                           .first_titled = true};
        print_part(c, l, rows, &sheet, from);
    }
}

static void print_listing(check *c, const listing *l)
{
    const crm_listed list = {
        .context = c, .total = l->rows, .what = l->what, .is_called = l->is_called};
    crm_rows rows;
    crm_status status = crm_rows_choose(&list, c->style.rows, CRM_ROWS_MOST, &rows, c->error);
    if (status == CRM_OK && rows.count > 0) {
        print_parts(c, l, &rows);
    }
    c->status = c->status == CRM_OK ? status : c->status;
    crm_rows_free(&rows);
}

static void write_number(double value, char *text, size_t size)
{
    crm_snprintf(text, size, "%.6g", value);
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static void body_label(const check *c, size_t body, size_t which, char *text, size_t size)
{
    (void)which;
    crm_model_body_name(c->model, body, text, size);
}

static bool body_is_called(const void *context, size_t body, const char *name)
{
    return crm_body_is_called(((const check *)context)->model, body, name);
}

/* The mass that a coordinate of a body moves: twice the kinetic energy at unit speed. */
static void write_mass(const check *c, size_t body, size_t which, char *text, size_t size)
{
    size_t coordinate = crm_model_body_start(c->model, body) + which;
    text[0] = '\0';
    if (coordinate < crm_model_body_start(c->model, body + 1)) {
        c->unit[coordinate] = 1;
        write_number(2 * crm_model_body_energy(c->model, body, c->unit), text, size);
        c->unit[coordinate] = 0;
    }
}

static void write_velocity(const check *c, size_t body, size_t which, char *text, size_t size)
{
    size_t coordinate = crm_model_body_start(c->model, body) + which;
    text[0] = '\0';
    if (coordinate < crm_model_body_start(c->model, body + 1)) {
        write_number(c->report->velocity[coordinate], text, size);
    }
}

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

static void print_bodies(check *c)
{
    static const char *const axes[] = {"x", "y", "z"};
    bool bare = c->report->generalized;
    size_t angles, dimension = find_dimension(c->model, &angles);
    char titles[3][16];
    listing l = {.heading = bare ? "coordinates" : "bodies",
                 .what = bare ? "coordinates" : "bodies",
                 .rows = crm_model_bodies(c->model),
                 .label = body_label,
                 .is_called = body_is_called};
    add_column(&l, bare ? "mass" : "mass, kg", write_mass, 0);
    for (size_t d = 0; d < dimension; d++) {
        snprintf(titles[d], sizeof titles[d], "v%s%s%s", dimension > 1 ? " " : "",
                 dimension > 1 ? axes[d] : "", bare ? "" : ", m/s");
        add_column(&l, titles[d], write_velocity, d);
    }
    for (size_t a = 0; a < angles; a++) {
        add_column(&l, a == 0 ? "spin, rad/s" : "", write_velocity, dimension + a);
    }
    for (size_t a = 0; a < angles; a++) {
        add_column(&l, a == 0 ? "inertia" : "", write_mass, dimension + a);
    }
    print_listing(c, &l);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static void contact_label(const check *c, size_t contact, size_t which, char *text, size_t size)
{
    (void)which;
    char name[2 * CRM_NAME_SIZE];
    crm_contact_name(c->model, contact, name, sizeof name);
    snprintf(text, size, "%zu: %s", contact + 1, name);
}

static bool contact_is_called(const void *context, size_t contact, const char *name)
{
    return crm_contact_is_called(((const check *)context)->model, contact, name);
}

enum { STIFFNESS, EXPONENT, RESTITUTION, STORED, GAP, GAP_VELOCITY, FRICTION };

static const double *values_of(const check *c, size_t which)
{
    switch (which) {
    case STIFFNESS:
        return crm_model_stiffness(c->model);
    case EXPONENT:
        return crm_model_exponent(c->model);
    case RESTITUTION:
        return crm_model_restitution(c->model);
    case STORED:
        return crm_model_stored_energy(c->model);
    case GAP:
        return crm_model_gap(c->model);
    case FRICTION:
        return crm_model_friction(c->model);
    default:
        return c->gap;
    }
}

static void write_value(const check *c, size_t contact, size_t which, char *text, size_t size)
{
    write_number(values_of(c, which)[contact], text, size);
}

static void write_state(const check *c, size_t contact, size_t which, char *text, size_t size)
{
    (void)which;
    double u = c->gap[contact];
    snprintf(text, size, "%s", u < 0 ? "closing" : u > 0 ? "opening" : "at rest");
}

static void write_critical(const check *c, size_t contact, size_t which, char *text, size_t size)
{
    (void)which;
    double least = crm_model_critical_friction(c->model, contact);
    if (isinf(least)) {
        snprintf(text, size, "none");
    } else {
        write_number(least, text, size);
    }
}

static bool any_stored(const crm_model *model)
{
    bool any = false;
    for (size_t j = 0; j < crm_model_contacts(model) && !any; j++) {
        any = crm_model_stored_energy(model)[j] > 0;
    }
    return any;
}

static void print_contacts(check *c)
{
    listing l = {.heading = "contacts",
                 .what = "contacts",
                 .rows = crm_model_contacts(c->model),
                 .label = contact_label,
                 .is_called = contact_is_called};
    add_column(&l, "K", write_value, STIFFNESS);
    add_column(&l, "eta", write_value, EXPONENT);
    add_column(&l, "e", write_value, RESTITUTION);
    if (crm_model_friction(c->model) != NULL) {
        add_column(&l, "mu", write_value, FRICTION);
        add_column(&l, "jams from mu", write_critical, 0);
    }
    if (any_stored(c->model)) {
        add_column(&l, "energy, J", write_value, STORED);
    }
    if (crm_model_gap(c->model) != NULL) {
        add_column(&l, c->report->generalized ? "gap" : "gap, m", write_value, GAP);
    }
    add_column(&l, c->report->generalized ? "u" : "u, m/s", write_value, GAP_VELOCITY);
    add_column(&l, "state", write_state, 0);
    print_listing(c, &l);
}

/* ---- Coupling -------------------------------------------------------------------------------- */

static void print_angle(const check *c, const crm_sheet *sheet, size_t j, size_t k, double d)
{
    const double degree = crm_acos(-1) / 180;
    char name[64], text[40];
    double angle = crm_model_kinetic_angle(c->model, j, k);
    snprintf(name, sizeof name, "contacts %zu and %zu", j + 1, k + 1);
    crm_sheet_name(sheet, name);
    crm_snprintf(text, sizeof text, "%.6f", angle);
    crm_sheet_cell(sheet, CRM_TONE_PLAIN, text);
    crm_snprintf(text, sizeof text, "%.3f", angle / degree);
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
        const uint32_t *other;
        const double *value;
        crm_model_delassus_row(c->model, j, &count, &other, &value);
        for (size_t i = 0; i < count; i++) {
            if (other[i] > j && value[i] != 0) {
                visit(c, j, other[i], value[i], context);
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
    crm_rows rows;
    size_t seen, shown; /* pairs */
} angles;

static void show_pair(const check *c, size_t j, size_t k, double d, void *context)
{
    angles *a = context;
    if (a->shown < a->rows.count && a->seen == a->rows.index[a->shown]) {
        print_angle(c, &a->sheet, j, k, d);
        crm_rows_print_omission(&a->rows, a->shown, "coupled pairs", &a->sheet);
        a->shown++;
    }
    a->seen++;
}

static void print_angles(check *c)
{
    static const char *const titles[] = {"rad", "degrees", "passes impulse"};
    angles a = {.sheet = {.stream = c->stream,
                          .colour = c->style.colour,
                          .name_width = 24,
                          .columns = 3,
                          .titles = titles,
                          .first_titled = true,
                          .column_width = 14}};
    crm_listed list = {.what = "coupled pairs"};
    visit_pairs(c, count_pair, &list.total);
    crm_status status = crm_rows_choose(&list, NULL, CRM_ROWS_MOST, &a.rows, c->error);
    if (status == CRM_OK && list.total > 0) {
        crm_sheet_heading(&a.sheet, "kinetic angles");
        visit_pairs(c, show_pair, &a);
    }
    c->status = c->status == CRM_OK ? status : c->status;
    crm_rows_free(&a.rows);
}

static crm_status print_rank(const check *c)
{
    char text[600];
    crm_error error = {0};
    size_t rank = 0, contacts = crm_model_contacts(c->model);
    crm_status status = crm_model_rank(c->model, &rank, &error);
    if (status == CRM_ERROR_MEMORY) {
        return crm_fail_memory(c->error);
    }
    if (status != CRM_OK) {
        snprintf(text, sizeof text, "rank of D: unknown (%s)", error.message);
    } else {
        snprintf(text, sizeof text, "rank of D: %zu of %zu%s", rank, contacts,
                 rank < contacts ? "; the contacts are dependent: the velocities are determined, "
                                   "the impulses are not"
                                 : ", the contacts are independent");
    }
    fputc('\n', c->stream);
    print_line(c, text);
    return CRM_OK;
}

/* ---- Friction -------------------------------------------------------------------------------- */

static void print_tangent_rank(const check *c)
{
    char text[256];
    crm_error error = {0};
    size_t rank = 0;
    size_t count = crm_model_contacts(c->model) * crm_model_tangents(c->model);
    if (crm_model_tangent_rank(c->model, &rank, &error) != CRM_OK) {
        snprintf(text, sizeof text, "rank of T: unknown (%.200s)", error.message);
    } else {
        snprintf(text, sizeof text, "rank of T: %zu of %zu%s", rank, count,
                 rank < count ? "; where dependent contacts stick, only what their tangential "
                                "impulses do together is determined"
                              : "");
    }
    print_line(c, text);
}

/* The largest entries of what proves it, by name. */
static void append_witness(const check *c, bool motion, const double *witness, char *text,
                           size_t size)
{
    enum { SHOWN_MOST = 6 };
    size_t count = motion ? crm_model_coordinates(c->model) : crm_model_contacts(c->model);
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        char name[2 * CRM_NAME_SIZE], number[32];
        if (fabs(witness[i]) < 1e-12) {
            continue;
        }
        if (shown++ == SHOWN_MOST) {
            crm_text_append(text, size, ", ...");
            return;
        }
        motion ? crm_coordinate_name(c->model, i, name, sizeof name)
               : crm_contact_name(c->model, i, name, sizeof name);
        write_number(witness[i], number, sizeof number);
        crm_text_append(text, size, "%s%s %s", shown > 1 ? ", " : "", name, number);
    }
}

static crm_status print_wedging(const check *c)
{
    char text[1024];
    size_t n = crm_model_coordinates(c->model), s = crm_model_contacts(c->model);
    crm_coulomb_wedging wedging = CRM_COULOMB_WEDGING_UNKNOWN;
    double *witness = CRM_NEW(double, n > s ? n : s);
    crm_status status = witness != NULL
                            ? crm_coulomb_find_wedging(c->model, &wedging, witness, c->error)
                            : crm_fail_memory(c->error);
    if (status == CRM_OK && wedging == CRM_COULOMB_WEDGING_UNKNOWN) {
        snprintf(text, sizeof text, "wedging: not decided (too many contacts, or too near)");
    } else if (status == CRM_OK) {
        bool motion = wedging == CRM_COULOMB_WEDGING_IMPOSSIBLE;
        snprintf(text, sizeof text, "%s",
                 motion
                     ? "wedging: impossible; every contact opens by more than mu |u_t| at the "
                       "velocities "
                     : "wedging: possible; with friction these normal impulses are in balance: ");
        append_witness(c, motion, witness, text, sizeof text);
    }
    if (status == CRM_OK) {
        print_line(c, text);
    }
    free(witness);
    return status;
}

static crm_status print_friction(const check *c)
{
    if (crm_model_friction(c->model) == NULL) {
        return CRM_OK;
    }
    print_tangent_rank(c);
    return print_wedging(c);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void print_counts(const check *c)
{
    char text[160] = "";
    size_t contacts = crm_model_contacts(c->model);
    char approach[80];
    crm_report_approach_text(c->model, c->gap, approach, sizeof approach);
    if (!c->report->generalized) {
        size_t bodies = crm_model_bodies(c->model);
        crm_text_append(text, sizeof text, "%zu %s, ", bodies, bodies == 1 ? "body" : "bodies");
    }
    crm_text_append(text, sizeof text, "%zu coordinates, %zu %s, %s",
                    crm_model_coordinates(c->model), contacts,
                    contacts == 1 ? "contact" : "contacts", approach);
    print_line(c, text);
}

/* With the options as they were read. */
static void print_laws(const check *c)
{
    fputs("\nlaws\n", c->stream);
    for (size_t i = 0; i < c->report->count; i++) {
        const crm_report_entry *entry = &c->report->entries[i];
        char text[1024], options[768];
        bool named = strcmp(entry->label, entry->law->name) == 0;
        crm_settings_text(entry->settings, options, sizeof options);
        snprintf(text, sizeof text, "%s%s%s%s%s%s", entry->label, named ? "" : " (",
                 named ? "" : entry->law->name, named ? "" : ")", options[0] != '\0' ? ": " : "",
                 options);
        if (entry->law->restitution != NULL) {
            size_t word = strcspn(entry->law->restitution, ":,;");
            crm_text_append(text, sizeof text, "%srestitution: %.*s",
                            options[0] != '\0' ? "; " : ": ", (int)word, entry->law->restitution);
        }
        fputs("  ", c->stream);
        crm_text_wrap(c->stream, c->style.width, text, 2, 6);
        if (entry->reason != NULL && entry->reason[0] != '\0') {
            snprintf(text, sizeof text, "does not apply: %s", entry->reason);
            fputs("      ", c->stream);
            crm_text_wrap(c->stream, c->style.width, text, 6, 6);
        }
    }
}

static void print_title(const check *c)
{
    const crm_sheet sheet = {.stream = c->stream, .colour = c->style.colour};
    if (c->report->title[0] != '\0') {
        crm_sheet_title(&sheet, c->style.width, c->report->title);
    }
    print_counts(c);
    crm_fprintf(c->stream, "kinetic energy %.6g J\n",
                crm_model_kinetic_energy(c->model, c->report->velocity));
}

static crm_status print_all(check *c)
{
    crm_model_gap_velocity(c->model, c->report->velocity, c->gap);
    print_title(c);
    print_bodies(c);
    print_contacts(c);
    crm_report_near_contacts(c->report, c->style.width, c->stream);
    print_angles(c);
    print_laws(c);
    crm_status status = c->status == CRM_OK ? print_rank(c) : c->status;
    status = status == CRM_OK ? print_friction(c) : status;
    crm_report_warnings(c->report, false, c->style.width, c->stream);
    return status;
}

crm_status crm_report_model(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error)
{
    check c = {.report = report,
               .model = report->model,
               .stream = stream,
               .style = style,
               .error = error,
               .gap = CRM_NEW(double, crm_model_contacts(report->model)),
               .unit = CRM_NEW(double, crm_model_coordinates(report->model))};
    crm_status status = c.gap == NULL || c.unit == NULL ? crm_fail_memory(error) : print_all(&c);
    free(c.gap);
    free(c.unit);
    return status;
}
