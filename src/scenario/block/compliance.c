/* Contacts beyond one power and one number: loading and unloading curves, restitution by the
 * impact.
 */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "scenario/number/number.h"
#include "scenario/reader.h"

enum { CRM_CURVE_FIELDS(CRM_FIELD_INDEX) CURVE_FIELDS };
enum { CRM_BOUNDED_FIELDS(CRM_FIELD_INDEX) BOUNDED_FIELDS };
enum { CRM_RESTITUTION_FIELDS(CRM_FIELD_INDEX) RESTITUTION_FIELDS };

enum { TERMS = TERM_YIELD }; /* fields of a term */

/* Lists of pairs as two lists. */
static crm_status read_points(crm_reader *reader, const crm_node *node, const char *what,
                              size_t *count, const double **first, const double **second)
{
    if (node->kind != CRM_NODE_SEQUENCE || node->count == 0) {
        return crm_reader_fail_value(reader, node, what);
    }
    double *a = CRM_ARENA_NEW(&reader->scratch, double, node->count),
           *b = CRM_ARENA_NEW(&reader->scratch, double, node->count);
    if (a == NULL || b == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t k = 0; status == CRM_OK && k < node->count; k++) {
        const crm_node *point = node->items[k];
        if (point->kind != CRM_NODE_SEQUENCE || point->count != 2) {
            return crm_reader_fail_value(reader, point, "a point: a list of two numbers");
        }
        status = crm_reader_number(reader, point->items[0], &a[k]);
        if (status == CRM_OK) {
            status = crm_reader_number(reader, point->items[1], &b[k]);
        }
    }
    *count = node->count;
    *first = a;
    *second = b;
    return status;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static crm_status read_term(crm_reader *reader, const crm_node *node, crm_block_index block,
                            double *stiffness, double *exponent, double *yield)
{
    const crm_node *fields[BOUNDED_FIELDS] = {0};
    crm_status status = crm_reader_block(reader, node, block, fields);
    if (status == CRM_OK && fields[TERM_STIFFNESS] == NULL) {
        return crm_reader_fail_missing(reader, node, "stiffness");
    }
    if (status == CRM_OK && yield != NULL && fields[TERM_YIELD] == NULL) {
        return crm_reader_fail_missing(reader, node, "yield");
    }
    if (status == CRM_OK) {
        status = crm_reader_number(reader, fields[TERM_STIFFNESS], stiffness);
    }
    if (status == CRM_OK && fields[TERM_EXPONENT] != NULL) {
        status = crm_reader_number(reader, fields[TERM_EXPONENT], exponent);
    }
    return status == CRM_OK && yield != NULL ? crm_reader_number(reader, fields[TERM_YIELD], yield)
                                             : status;
}

static crm_status read_terms(crm_reader *reader, const crm_node *const *fields, crm_curve_def *def)
{
    const crm_node *sum = fields[CURVE_SUM], *bounded = fields[CURVE_BOUNDED];
    if (sum != NULL && (sum->kind != CRM_NODE_SEQUENCE || sum->count == 0)) {
        return crm_reader_fail_value(reader, sum, "a list of powers: - {stiffness, exponent}");
    }
    def->form = bounded != NULL ? CRM_CURVE_BOUNDED : CRM_CURVE_SUM;
    def->count = sum != NULL ? sum->count : 1;
    double *stiffness = CRM_ARENA_NEW(&reader->scratch, double, def->count),
           *exponent = CRM_ARENA_NEW(&reader->scratch, double, def->count);
    if (stiffness == NULL || exponent == NULL) {
        return crm_reader_fail_memory(reader);
    }
    def->stiffness = stiffness;
    def->exponent = exponent;
    crm_status status = CRM_OK;
    for (size_t k = 0; status == CRM_OK && k < def->count; k++) {
        stiffness[k] = 1;
        exponent[k] = 1.5;
        if (sum != NULL) {
            status =
                read_term(reader, sum->items[k], CRM_BLOCK_TERM, &stiffness[k], &exponent[k], NULL);
        }
    }
    if (bounded != NULL) {
        return read_term(reader, bounded, CRM_BLOCK_BOUNDED, stiffness, exponent, &def->yield);
    }
    if (status == CRM_OK && fields[CURVE_STIFFNESS] != NULL) {
        status = crm_reader_number(reader, fields[CURVE_STIFFNESS], stiffness);
    }
    return status == CRM_OK && fields[CURVE_EXPONENT] != NULL
               ? crm_reader_number(reader, fields[CURVE_EXPONENT], exponent)
               : status;
}

/* A function of the caller's; NULL, and a status: there is none. */
static crm_status find_function(crm_reader *reader, const crm_node *node,
                                const crm_named_function **found)
{
    const char *name = "";
    crm_status status = crm_reader_text(reader, node, &name);
    if (status != CRM_OK) {
        return status;
    }
    *found = crm_tree_function(reader->tree, name);
    return *found != NULL
               ? CRM_OK
               : crm_reader_fail_value(reader, node,
                                       "the name of a function that is handed over with the "
                                       "scenario, by a program in C or Python");
}

static crm_status read_function(crm_reader *reader, const crm_node *const *fields,
                                crm_curve_def *def)
{
    const crm_named_function *found = NULL;
    const crm_node *node = fields[CURVE_FUNCTION];
    crm_status status = find_function(reader, node, &found);
    if (status == CRM_OK && found->curve == NULL) {
        status = crm_reader_fail_value(reader, node, "a function that is a curve");
    }
    double *exponent = CRM_ARENA_NEW(&reader->scratch, double, 1);
    if (status == CRM_OK && exponent == NULL) {
        return crm_reader_fail_memory(reader);
    }
    if (status != CRM_OK) {
        return status;
    }
    *exponent = 1.5;
    def->form = CRM_CURVE_FUNCTION;
    def->exponent = exponent;
    def->function = found->curve;
    def->context = found->context;
    return fields[CURVE_EXPONENT] != NULL
               ? crm_reader_number(reader, fields[CURVE_EXPONENT], exponent)
               : CRM_OK;
}

static crm_status read_curve(crm_reader *reader, const crm_node *node, const crm_curve_def **curve)
{
    const crm_node *fields[CURVE_FIELDS];
    crm_curve_def *def = CRM_ARENA_NEW(&reader->scratch, crm_curve_def, 1);
    if (def == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_CURVE, fields);
    if (status != CRM_OK) {
        return status;
    }
    int forms = (fields[CURVE_TABLE] != NULL) + (fields[CURVE_SUM] != NULL) +
                (fields[CURVE_BOUNDED] != NULL) + (fields[CURVE_STIFFNESS] != NULL) +
                (fields[CURVE_FUNCTION] != NULL);
    bool power = fields[CURVE_STIFFNESS] != NULL || fields[CURVE_FUNCTION] != NULL;
    if (forms != 1 || (fields[CURVE_EXPONENT] != NULL && !power)) {
        return crm_reader_fail(reader, node,
                               "must have exactly one of table, sum, bounded, function, and "
                               "stiffness with exponent");
    }
    *curve = def;
    if (fields[CURVE_FUNCTION] != NULL) {
        return read_function(reader, fields, def);
    }
    if (fields[CURVE_TABLE] != NULL) {
        def->form = CRM_CURVE_TABLE;
        return read_points(reader, fields[CURVE_TABLE], "a list of points: [[0, 0], [x, F], ...]",
                           &def->count, &def->x, &def->force);
    }
    return read_terms(reader, fields, def);
}

/* ---- Restitution by the impact --------------------------------------------------------------- */

/* What the text comes to with this number for s or W; NAN, and *problem: nothing. */
static double evaluate(const char *text, const char *name, double at, char *problem, size_t size)
{
    const crm_symbol symbol = {name, {.value = crm_wide_of(at)}};
    crm_quantity q;
    if (!crm_expression_compute(text, (crm_symbols){&symbol, 1}, &q, problem, size)) {
        return NAN;
    }
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        if (q.dimension[d] != 0) {
            crm_snprintf(problem, size, "it has a unit");
            return NAN;
        }
    }
    return crm_wide_narrow(q.value);
}

static double by_speed(void *context, double at)
{
    char problem[128];
    return evaluate(context, "s", at, problem, sizeof problem);
}

static double by_work(void *context, double at)
{
    char problem[128];
    return evaluate(context, "W", at, problem, sizeof problem);
}

/* The text is the tree's, which outlives the model. */
static crm_status read_expression(crm_reader *reader, const crm_node *node,
                                  crm_restitution_def *def)
{
    char problem[128] = "it is no text", other[128];
    bool text = node->kind == CRM_NODE_SCALAR && node->text != NULL;
    bool speed = text && !isnan(evaluate(node->text, "s", 1, problem, sizeof problem));
    bool work = text && !isnan(evaluate(node->text, "W", 1, other, sizeof other));
    if (!speed && !work) {
        return crm_reader_fail(reader, node, "must be an expression of s or of W: %s", problem);
    }
    def->form = CRM_RESTITUTION_FUNCTION;
    def->of_work = !speed;
    def->function = speed ? by_speed : by_work;
    def->context = (void *)(uintptr_t)node->text;
    return CRM_OK;
}

static crm_status read_restitution_function(crm_reader *reader, const crm_node *const *fields,
                                            crm_restitution_def *def)
{
    static const char *const of[] = {"speed", "work"};
    const crm_named_function *found = NULL;
    const crm_node *node = fields[RESTITUTION_FUNCTION];
    size_t which = 0;
    crm_status status = find_function(reader, node, &found);
    if (status == CRM_OK && found->restitution == NULL) {
        status = crm_reader_fail_value(reader, node, "a function that is a restitution");
    }
    if (status == CRM_OK && fields[RESTITUTION_OF] != NULL) {
        status = crm_reader_choice(reader, fields[RESTITUTION_OF], of, 2, &which);
    }
    if (status == CRM_OK) {
        def->form = CRM_RESTITUTION_FUNCTION;
        def->of_work = which == 1;
        def->function = found->restitution;
        def->context = found->context;
    }
    return status;
}

static crm_status read_restitution(crm_reader *reader, const crm_node *node,
                                   const crm_restitution_def **restitution)
{
    const crm_node *fields[RESTITUTION_FIELDS];
    crm_restitution_def *def = CRM_ARENA_NEW(&reader->scratch, crm_restitution_def, 1);
    if (def == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_RESTITUTION, fields);
    if (status != CRM_OK) {
        return status;
    }
    size_t given = 0, which = 0;
    for (size_t i = 0; i < RESTITUTION_OF; i++) {
        given += fields[i] != NULL;
        which = fields[i] != NULL ? i : which;
    }
    if (given != 1 || (fields[RESTITUTION_OF] != NULL && which != RESTITUTION_FUNCTION)) {
        return crm_reader_fail(reader, node,
                               "must have exactly one of speed, work, expression, "
                               "yield_speed, viscoelastic and function, to which alone 'of' "
                               "belongs");
    }
    *restitution = def;
    switch (which) {
    case RESTITUTION_FUNCTION:
        return read_restitution_function(reader, fields, def);
    case RESTITUTION_EXPRESSION:
        return read_expression(reader, fields[which], def);
    case RESTITUTION_YIELD_SPEED:
        def->form = CRM_RESTITUTION_YIELD;
        return crm_reader_number(reader, fields[which], &def->speed);
    case RESTITUTION_VISCOELASTIC:
        def->form = CRM_RESTITUTION_VISCOELASTIC;
        return crm_reader_number(reader, fields[which], &def->loss);
    default:
        def->form = CRM_RESTITUTION_TABLE;
        def->of_work = which == RESTITUTION_WORK;
        return read_points(reader, fields[which], "a list of points: [[0.1, 0.95], [10, 0.6]]",
                           &def->count, &def->at, &def->value);
    }
}

/* ---- Of a contact ---------------------------------------------------------------------------- */

static crm_status refuse_both(crm_reader *reader, const crm_node *const *fields)
{
    const crm_node *loading = fields[CRM_CONTACT_LOADING],
                   *unloading = fields[CRM_CONTACT_UNLOADING];
    if (loading != NULL &&
        (fields[CRM_CONTACT_STIFFNESS] != NULL || fields[CRM_CONTACT_EXPONENT] != NULL)) {
        return crm_reader_fail(reader, loading,
                               "is given beside stiffness or exponent, which it replaces");
    }
    if (unloading != NULL && fields[CRM_CONTACT_RESTITUTION] != NULL) {
        return crm_reader_fail(reader, unloading,
                               "is given beside restitution, which with an "
                               "unloading curve is an outcome");
    }
    return CRM_OK;
}

/* Rules for lists of numbers are mappings, too. */
static bool is_series(const crm_node *mapping)
{
    const crm_block *series = crm_block_at(CRM_BLOCK_SERIES);
    for (size_t k = 0; k < mapping->count; k++) {
        for (size_t i = 0; i < series->count; i++) {
            if (strcmp(mapping->keys[k]->text, series->fields[i].name) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool crm_compliance_is_by_impact(const crm_node *restitution)
{
    return restitution != NULL && restitution->kind == CRM_NODE_MAPPING && !is_series(restitution);
}

crm_status crm_compliance_read(crm_reader *reader, const crm_node *const *fields,
                               crm_compliance_def *compliance)
{
    crm_status status = refuse_both(reader, fields);
    if (status == CRM_OK && fields[CRM_CONTACT_LOADING] != NULL) {
        status = read_curve(reader, fields[CRM_CONTACT_LOADING], &compliance->loading);
    }
    if (status == CRM_OK && fields[CRM_CONTACT_UNLOADING] != NULL) {
        status = read_curve(reader, fields[CRM_CONTACT_UNLOADING], &compliance->unloading);
    }
    const crm_node *restitution = fields[CRM_CONTACT_RESTITUTION];
    if (status == CRM_OK && crm_compliance_is_by_impact(restitution)) {
        status = read_restitution(reader, restitution, &compliance->restitution);
    }
    return crm_mistakes_pass(reader, status);
}
