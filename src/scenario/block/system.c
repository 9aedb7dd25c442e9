/* system: any Lagrangian system, given by M and W. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/reader.h"

enum {
    /* A file of a few kilobytes can ask for any number of entries by aliases: M in full beyond
     * this many rows, or W listed beyond this many entries, is refused before it is allocated. */
    FULL_MASS_MOST = 10000,
    LISTED_W_MOST = 200000000
};

enum { CRM_SYSTEM_FIELDS(CRM_FIELD_INDEX) SYSTEM_FIELDS };

enum { CRM_SYSTEM_CONTACT_FIELDS(CRM_FIELD_INDEX) CONTACT_FIELDS };

/* ---- Coordinates -------------------------------------------------------------------------- */

/* The first list there is says how many coordinates there are. */
static crm_status count_coordinates(crm_reader *reader, const crm_node *node,
                                    const crm_node *const *fields, size_t *count)
{
    static const size_t order[] = {SYSTEM_MASS, SYSTEM_VELOCITY, SYSTEM_NAMES};
    for (size_t i = 0; i < CRM_COUNT(order); i++) {
        const crm_node *list = fields[order[i]];
        if (list != NULL && list->kind == CRM_NODE_SEQUENCE && list->count > 0) {
            *count = list->count;
            return *count <= reader->tree->limits.bodies
                       ? CRM_OK
                       : crm_reader_fail(reader, list, "has %zu entries; at most %zu are allowed",
                                         *count, reader->tree->limits.bodies);
        }
    }
    return crm_reader_fail(reader, node,
                           "must list mass or velocity, to say how many coordinates "
                           "there are");
}

static crm_status read_coordinate_names(crm_reader *reader, const crm_node *node, size_t count,
                                        crm_names *sorted, crm_system_def *def)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE || node->count != count) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a list of %zu names, one per coordinate", count);
        reader->coordinates_reported = reader->mistakes != NULL;
        return crm_reader_fail_value(reader, node, allowed);
    }
    const char **names = CRM_ARENA_NEW(&reader->scratch, const char *, count);
    sorted->sorted = CRM_ARENA_NEW(&reader->scratch, crm_name, count);
    if (names == NULL || sorted->sorted == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = crm_mistakes_pass(reader, crm_reader_name(reader, node->items[i], &names[i]));
        sorted->unsure = sorted->unsure || names[i] == NULL;
        sorted->sorted[i] = (crm_name){.text = names[i], .index = i, .node = node->items[i]};
    }
    if (status != CRM_OK || sorted->unsure) {
        return status;
    }
    sorted->count = count;
    def->coordinate_names = names;
    return crm_names_sort(reader, sorted, "coordinate");
}

/* ---- Mass --------------------------------------------------------------------------------- */

static bool all_rows_have(const crm_node *rows, size_t entries)
{
    bool all = true;
    for (size_t i = 0; i < rows->count && all; i++) {
        all = rows->items[i]->kind == CRM_NODE_SEQUENCE && rows->items[i]->count == entries;
    }
    return all;
}

static crm_status read_full_mass(crm_reader *reader, const crm_node *node, size_t n,
                                 crm_system_def *def)
{
    if (n > FULL_MASS_MOST) {
        return crm_reader_fail(reader, node, "has %zu rows; a full matrix may have at most %d", n,
                               FULL_MASS_MOST);
    }
    size_t wide = node->items[0]->count;
    if (wide != n && n > 0 && all_rows_have(node, wide)) {
        return crm_reader_fail(reader, node,
                               "has %zu rows of %zu entries; the matrix must have as many rows as "
                               "columns: %s",
                               n, wide, n < wide ? "a row is missing" : "there are too many rows");
    }
    double *mass = CRM_ARENA_NEW(&reader->scratch, double, n *n);
    if (mass == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < n && status == CRM_OK; i++) {
        status = crm_reader_list(reader, node->items[i], n, "coordinate (the matrix is square)",
                                 mass + i * n);
    }
    def->mass_dense = mass;
    return status;
}

/* A number for all, the diagonal, or rows of the full matrix. */
static crm_status read_mass(crm_reader *reader, const crm_node *node, size_t n, crm_system_def *def)
{
    if (node->kind == CRM_NODE_SEQUENCE && node->count == n &&
        node->items[0]->kind == CRM_NODE_SEQUENCE) {
        return read_full_mass(reader, node, n, def);
    }
    double *mass = CRM_ARENA_NEW(&reader->scratch, double, n);
    if (mass == NULL) {
        return crm_reader_fail_memory(reader);
    }
    def->mass_diagonal = mass;
    if (node->kind == CRM_NODE_SCALAR) {
        double all = 0;
        crm_status status = crm_reader_number(reader, node, &all);
        for (size_t i = 0; i < n; i++) {
            mass[i] = all;
        }
        return status;
    }
    return crm_reader_list(reader, node, n, "coordinate", mass);
}

/* ---- Contacts ----------------------------------------------------------------------------- */

/* A matrix by columns, while they are read. */
typedef struct matrix {
    size_t columns;
    size_t *seen; /* per coordinate: the last column that named it, from 1 */
    size_t *start;
    uint32_t *row;
    double *value;
} matrix;

/* W and T, and what the contacts are made of. */
typedef struct columns {
    size_t n;
    const crm_names *names;
    matrix w, t;
    unsigned tangents; /* of each contact; 0: none is given */
    double *given[CRM_CONTACT_NUMBERS];
    crm_compliance_def *compliance;
    double *boundary_velocity, *gap, *friction, *tangential_velocity;
    crm_name *contact_names;
} columns;

/* One column: w, or a tangent. What is no list is refused when it is read. */
static crm_status count_entries(crm_reader *reader, const crm_node *column, size_t n,
                                size_t *listed)
{
    if (column == NULL || column->kind == CRM_NODE_SCALAR) {
        return CRM_OK;
    }
    if (column->kind == CRM_NODE_SEQUENCE && column->count != n &&
        crm_reader_coordinates_reported(reader)) {
        return CRM_ERROR_MODEL;
    }
    if (column->kind == CRM_NODE_SEQUENCE && column->count != n) {
        return crm_reader_fail(reader, column,
                               "has %zu entries; must have %zu, one per coordinate, or "
                               "be a mapping {coordinate: value}",
                               column->count, n);
    }
    *listed += column->count;
    return *listed > LISTED_W_MOST
               ? crm_reader_fail(reader, column,
                                 "makes more than %d entries; use {coordinate: value}",
                                 LISTED_W_MOST)
               : CRM_OK;
}

/* t is one tangent, or a list of them. */
static bool is_list_of_tangents(const crm_node *t)
{
    return t->kind == CRM_NODE_SEQUENCE && t->count > 0 && t->items[0]->kind != CRM_NODE_SCALAR;
}

static const crm_node *tangent_at(const crm_node *t, unsigned k)
{
    return t == NULL ? NULL : is_list_of_tangents(t) ? t->items[k] : t;
}

/* The first t says how many tangents there are. */
static crm_status count_tangents(crm_reader *reader, const crm_node *t, unsigned *tangents)
{
    size_t own = is_list_of_tangents(t) ? t->count : 1;
    if (own > 2) {
        return crm_reader_fail(reader, t, "has %zu tangents; must be one (plane) or two (space)",
                               own);
    }
    if (*tangents != 0 && *tangents != own) {
        return crm_reader_fail(reader, t, "has %zu tangent%s; those of contacts before have %u",
                               own, own == 1 ? "" : "s", *tangents);
    }
    *tangents = (unsigned)own;
    return CRM_OK;
}

/* Entries of W and of T. */
static crm_status count_all(crm_reader *reader, const crm_node *contacts, size_t n, size_t count[2],
                            unsigned *tangents)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; j < contacts->count && status == CRM_OK; j++) {
        const crm_node *t = crm_yaml_find(contacts->items[j], "t");
        status = count_entries(reader, crm_yaml_find(contacts->items[j], "w"), n, &count[0]);
        if (status == CRM_OK && t != NULL) {
            status = count_tangents(reader, t, tangents);
        }
        for (unsigned k = 0; t != NULL && k < *tangents && status == CRM_OK; k++) {
            status = count_entries(reader, tangent_at(t, k), n, &count[1]);
        }
    }
    return status;
}

static crm_status read_coordinate(crm_reader *reader, const crm_node *key, const columns *c,
                                  uint32_t *coordinate)
{
    double number;
    /* JSON has quoted keys only, so quotes make no difference here. */
    if (crm_yaml_text_number(key->text, &number) && number >= 1 && number <= (double)c->n &&
        number == floor(number)) {
        *coordinate = (uint32_t)number - 1;
        return CRM_OK;
    }
    const crm_name *name = crm_names_find(c->names, key->text);
    if (name == NULL && (c->names->unsure || crm_reader_coordinates_reported(reader))) {
        return CRM_ERROR_MODEL;
    }
    if (name == NULL) {
        char shown[64];
        crm_yaml_show_text(key->text, shown, sizeof shown);
        return crm_reader_fail(reader, key,
                               "is about coordinate '%s'; must be a whole number from 1 "
                               "to %zu or one of 'names'",
                               shown, c->n);
    }
    *coordinate = (uint32_t)name->index;
    return CRM_OK;
}

/* Keys differ as texts, yet 2, 02 and a name can be the same coordinate. */
static crm_status mark_seen(crm_reader *reader, const crm_node *key, matrix *m, uint32_t coordinate)
{
    if (m->seen[coordinate] == m->columns) {
        return crm_reader_fail(reader, key, "is about coordinate %u, which is given twice",
                               (unsigned)coordinate + 1);
    }
    m->seen[coordinate] = m->columns;
    return CRM_OK;
}

static crm_status read_sparse(crm_reader *reader, const crm_node *column, const columns *c,
                              matrix *m)
{
    crm_status status = CRM_OK;
    size_t *end = &m->start[m->columns];
    for (size_t i = 0; i < column->count && status == CRM_OK; i++) {
        status = read_coordinate(reader, column->keys[i], c, &m->row[*end]);
        if (status == CRM_OK) {
            status = mark_seen(reader, column->keys[i], m, m->row[*end]);
        }
        if (status == CRM_OK) {
            status = crm_reader_number(reader, column->items[i], &m->value[*end]);
        }
        *end += 1;
    }
    return status;
}

static crm_status read_listed(crm_reader *reader, const crm_node *column, matrix *m)
{
    crm_status status = CRM_OK;
    size_t *end = &m->start[m->columns];
    for (size_t i = 0; i < column->count && status == CRM_OK; i++) {
        double value = 0;
        status = crm_reader_number(reader, column->items[i], &value);
        if (value != 0) {
            m->row[*end] = (uint32_t)i;
            m->value[*end] = value;
            *end += 1;
        }
    }
    return status;
}

/* The next column; NULL: of zeros. */
static crm_status read_column(crm_reader *reader, const crm_node *column, const columns *c,
                              matrix *m)
{
    m->columns++;
    m->start[m->columns] = m->start[m->columns - 1];
    if (column == NULL) {
        return CRM_OK;
    }
    switch (column->kind) {
    case CRM_NODE_SEQUENCE:
        return read_listed(reader, column, m);
    case CRM_NODE_MAPPING:
        return read_sparse(reader, column, c, m);
    default:
        return crm_reader_fail_value(reader, column,
                                     "a list with one entry per coordinate, or a mapping "
                                     "{coordinate: value}");
    }
}

/* A contact without friction needs no tangents: its columns are 0. */
static crm_status read_tangents(crm_reader *reader, const crm_node *contact,
                                const crm_node *const *fields, size_t j, columns *c)
{
    const crm_node *t = fields[CONTACT_T], *slip = fields[CONTACT_TANGENTIAL_VELOCITY];
    crm_status status = CRM_OK;
    if (t == NULL && slip != NULL) {
        return crm_reader_fail(reader, slip, "is given without 't', to which it is added");
    }
    if (t == NULL && c->friction[j] > 0) {
        return crm_reader_fail(reader, contact,
                               "has friction and no field 't', the direction in which it slips");
    }
    for (unsigned k = 0; k < c->tangents && status == CRM_OK; k++) {
        status = read_column(reader, tangent_at(t, k), c, &c->t);
    }
    return status == CRM_OK && slip != NULL && c->tangents > 0
               ? crm_reader_vector(reader, slip, c->tangents,
                                   c->tangential_velocity + j * c->tangents)
               : status;
}

/* Those that are not named go by their number. */
static crm_status read_contact_name(crm_reader *reader, const crm_node *contact,
                                    const crm_node *given, size_t j, crm_name *name)
{
    enum { NUMBERED_SIZE = 32 };
    *name = (crm_name){.index = j, .node = given != NULL ? given : contact};
    if (given != NULL) {
        return crm_reader_name(reader, given, &name->text);
    }
    char *text = CRM_ARENA_NEW(&reader->scratch, char, NUMBERED_SIZE);
    if (text == NULL) {
        return crm_reader_fail_memory(reader);
    }
    snprintf(text, NUMBERED_SIZE, "contact %zu", j + 1);
    name->text = text;
    return CRM_OK;
}

/* No two of the same name. */
static crm_status name_contacts(crm_reader *reader, size_t count, const columns *c,
                                crm_system_def *def)
{
    const char **names = CRM_ARENA_NEW(&reader->scratch, const char *, count);
    if (names == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t j = 0; j < count; j++) {
        names[j] = c->contact_names[j].text;
    }
    def->contact_names = names;
    crm_names sorted = {.sorted = c->contact_names, .count = count};
    return crm_names_sort(reader, &sorted, "contact");
}

static crm_status read_system_contact(crm_reader *reader, const crm_node *node, size_t j,
                                      columns *c)
{
    /* Defaults of crm_system_def; a list for all contacts needs them spelled out. */
    crm_contact_def contact = {
        .stiffness = 1, .exponent = 1.5, .restitution = 1, .stored_energy = 0};
    const crm_node *fields[CONTACT_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SYSTEM_CONTACT, fields);
    if (status == CRM_OK && fields[CONTACT_W] == NULL) {
        status = crm_reader_fail_missing(reader, node, "w");
    }
    if (status == CRM_OK) {
        status = crm_reader_contact(reader, fields, &contact);
    }
    if (status == CRM_OK) {
        status = crm_reader_friction(reader, fields[CONTACT_FRICTION], &contact);
    }
    if (status == CRM_OK && fields[CONTACT_BOUNDARY_VELOCITY] != NULL) {
        status =
            crm_reader_number(reader, fields[CONTACT_BOUNDARY_VELOCITY], &c->boundary_velocity[j]);
    }
    if (status == CRM_OK && fields[CONTACT_GAP] != NULL) {
        status = crm_reader_number(reader, fields[CONTACT_GAP], &c->gap[j]);
    }
    if (status == CRM_OK) {
        status = read_contact_name(reader, node, fields[CONTACT_NAME], j, &c->contact_names[j]);
    }
    c->given[CRM_CONTACT_STIFFNESS][j] = contact.stiffness;
    c->given[CRM_CONTACT_EXPONENT][j] = contact.exponent;
    c->given[CRM_CONTACT_RESTITUTION][j] = contact.restitution;
    c->given[CRM_CONTACT_ENERGY][j] = contact.stored_energy;
    c->given[CRM_CONTACT_FORCE][j] = contact.force;
    c->compliance[j] = contact.compliance;
    c->friction[j] = isnan(contact.friction) ? 0 : contact.friction;
    if (status == CRM_OK) {
        status = read_column(reader, fields[CONTACT_W], c, &c->w);
    }
    return status == CRM_OK ? read_tangents(reader, node, fields, j, c) : status;
}

static bool allocate_matrix(crm_arena *arena, size_t n, size_t count, size_t entries, matrix *m)
{
    m->seen = CRM_ARENA_NEW(arena, size_t, n);
    m->start = CRM_ARENA_NEW(arena, size_t, count + 1);
    m->row = CRM_ARENA_NEW(arena, uint32_t, entries);
    m->value = CRM_ARENA_NEW(arena, double, entries);
    return m->seen != NULL && m->start != NULL && m->row != NULL && m->value != NULL;
}

static bool allocate_columns(crm_reader *reader, size_t contacts, const size_t entries[2],
                             columns *c)
{
    crm_arena *arena = &reader->scratch;
    c->boundary_velocity = CRM_ARENA_NEW(arena, double, contacts);
    c->gap = CRM_ARENA_NEW(arena, double, contacts);
    c->friction = CRM_ARENA_NEW(arena, double, contacts);
    c->tangential_velocity = CRM_ARENA_NEW(arena, double, contacts * c->tangents);
    c->contact_names = CRM_ARENA_NEW(arena, crm_name, contacts);
    c->compliance = CRM_ARENA_NEW(arena, crm_compliance_def, contacts);
    bool enough = allocate_matrix(arena, c->n, contacts, entries[0], &c->w) &&
                  allocate_matrix(arena, c->n, contacts * c->tangents, entries[1], &c->t) &&
                  c->boundary_velocity != NULL && c->gap != NULL && c->friction != NULL &&
                  c->tangential_velocity != NULL && c->contact_names != NULL &&
                  c->compliance != NULL;
    for (size_t i = 0; i < CRM_CONTACT_NUMBERS; i++) {
        c->given[i] = CRM_ARENA_NEW(arena, double, contacts);
        enough = enough && c->given[i] != NULL;
    }
    return enough;
}

static void set_friction(const columns *c, crm_sparse_view *view, crm_system_def *def)
{
    *view = (crm_sparse_view){c->t.start, c->t.row, c->t.value};
    def->friction = c->friction;
    def->tangents = c->tangents;
    if (c->tangents > 0) {
        def->t_sparse = view;
        def->tangential_velocity = c->tangential_velocity;
    }
}

static crm_status read_contacts(crm_reader *reader, const crm_node *node, const crm_names *names,
                                crm_sparse_view view[2], crm_system_def *def)
{
    if (node->kind != CRM_NODE_SEQUENCE || node->count == 0) {
        return crm_reader_fail_value(reader, node, "a list of contacts: - {w: [...], ...}");
    }
    columns c = {.n = def->coordinates, .names = names};
    size_t entries[2] = {0};
    crm_status status = count_all(reader, node, c.n, entries, &c.tangents);
    if (status == CRM_OK && !allocate_columns(reader, node->count, entries, &c)) {
        status = crm_reader_fail_memory(reader);
    }
    for (size_t j = 0; j < node->count && status == CRM_OK; j++) {
        c.contact_names[j].text = "";
        status = crm_mistakes_pass(reader, read_system_contact(reader, node->items[j], j, &c));
    }
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        status = name_contacts(reader, node->count, &c, def);
    }
    view[0] = (crm_sparse_view){c.w.start, c.w.row, c.w.value};
    def->contacts = node->count;
    def->w_sparse = &view[0];
    set_friction(&c, &view[1], def);
    def->stiffness = c.given[CRM_CONTACT_STIFFNESS];
    def->exponent = c.given[CRM_CONTACT_EXPONENT];
    def->restitution = c.given[CRM_CONTACT_RESTITUTION];
    def->stored_energy = c.given[CRM_CONTACT_ENERGY];
    def->force = c.given[CRM_CONTACT_FORCE];
    def->compliance = c.compliance;
    def->boundary_velocity = c.boundary_velocity;
    def->gap = c.gap;
    return status;
}

/* ---- Together ----------------------------------------------------------------------------- */

static crm_status read_velocity(crm_reader *reader, const crm_node *node, size_t n,
                                crm_scenario *scenario)
{
    scenario->velocity = CRM_NEW(double, n);
    if (scenario->velocity == NULL) {
        return crm_reader_fail_memory(reader);
    }
    return node != NULL ? crm_reader_list(reader, node, n, "coordinate", scenario->velocity)
                        : CRM_OK;
}

static crm_status refuse_incomplete(crm_reader *reader, const crm_node *node,
                                    const crm_node *const *fields)
{
    if (fields[SYSTEM_MASS] == NULL) {
        return crm_reader_fail_missing(reader, node, "mass");
    }
    return fields[SYSTEM_CONTACTS] == NULL ? crm_reader_fail_missing(reader, node, "contacts")
                                           : CRM_OK;
}

crm_status crm_system_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario)
{
    crm_system_def def = crm_system_def_default();
    crm_sparse_view view[2];
    crm_names names = {0};
    const crm_node *fields[SYSTEM_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SYSTEM, fields);
    if (status == CRM_OK) {
        status = refuse_incomplete(reader, node, fields);
    }
    if (status == CRM_OK) {
        status = count_coordinates(reader, node, fields, &def.coordinates);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_coordinate_names(reader, fields[SYSTEM_NAMES],
                                                                 def.coordinates, &names, &def));
        names.unsure = crm_mistakes_any(reader);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader,
                                   read_mass(reader, fields[SYSTEM_MASS], def.coordinates, &def));
    }
    if (status == CRM_OK) {
        status = read_velocity(reader, fields[SYSTEM_VELOCITY], def.coordinates, scenario);
    }
    if (status == CRM_OK) {
        status = read_contacts(reader, fields[SYSTEM_CONTACTS], &names, view, &def);
    }
    if (status != CRM_OK || crm_mistakes_any(reader)) {
        return status;
    }
    crm_error error = {0};
    if (crm_model_from_system(&def, &scenario->model, &error) != CRM_OK) {
        return crm_reader_fail_library(reader, node, &error);
    }
    return CRM_OK;
}
