/* Lists by rule: what a field with one value per ball or contact may say instead of a list.
 *
 *     mass: {formula: "1 + a*i", with: {a: 0.1}}         i from 1 to n
 *     mass: {pattern: [1, 0.5]}                          over and over
 *     stiffness: {disorder: {normal: [1, 0.05], seed: 3}}
 *
 * Disorder multiplies what formula or pattern gives (1 without either). A draw is a pure function
 * of the seed, the field's name and the entry (base/random.h): the same on every machine, and the
 * same for the first entries of a longer chain.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/locale.h"
#include "scenario/block/distribution.h"
#include "scenario/number/number.h"
#include "scenario/reader.h"

enum { CRM_SERIES_FIELDS(CRM_FIELD_INDEX) SERIES_FIELDS };
enum { CRM_DISORDER_FIELDS(CRM_FIELD_INDEX) DISORDER_FIELDS };

/* ---- Formula -------------------------------------------------------------------------------- */

/* The first two are the entry and how many there are. */
enum { NUMBER, LENGTH, OWN };

static crm_status read_symbol(crm_reader *reader, const crm_node *key, const crm_node *node,
                              crm_symbol *symbol)
{
    char problem[128];
    double number;
    symbol->name = key->text;
    if (!crm_expression_name_is_free(key->text) || strcmp(key->text, "i") == 0 ||
        strcmp(key->text, "n") == 0) {
        return crm_reader_fail_bare(reader, key,
                                    "'%s' cannot name a number of a formula; must be letters that "
                                    "are not i, n, a unit, a constant or a function",
                                    key->text);
    }
    crm_status status = crm_reader_number(reader, node, &number);
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        if (!crm_expression_read(node->text, &symbol->quantity, problem, sizeof problem)) {
            symbol->quantity = (crm_quantity){.value = crm_wide_of(number)}; /* hexadecimal */
        }
    }
    return status;
}

static crm_status read_symbols(crm_reader *reader, const crm_node *with, size_t count,
                               crm_symbols *symbols)
{
    if (with != NULL && with->kind != CRM_NODE_MAPPING) {
        return crm_reader_fail_value(reader, with, "a mapping from names to numbers");
    }
    size_t own = with != NULL ? with->count : 0;
    crm_symbol *entries = CRM_ARENA_NEW(&reader->scratch, crm_symbol, OWN + own);
    if (entries == NULL) {
        return crm_reader_fail_memory(reader);
    }
    entries[NUMBER] = (crm_symbol){.name = "i", .quantity = {.value = crm_wide_of(1)}};
    entries[LENGTH] = (crm_symbol){.name = "n", .quantity = {.value = crm_wide_of((double)count)}};
    *symbols = (crm_symbols){entries, OWN + own};
    crm_status status = CRM_OK;
    for (size_t k = 0; k < own && status == CRM_OK; k++) {
        status = crm_mistakes_pass(
            reader, read_symbol(reader, with->keys[k], with->items[k], &entries[OWN + k]));
    }
    return status;
}

/* A unit that depends on the entry is wrong at one of them. */
static crm_status compute(crm_reader *reader, const crm_node *formula, const char *unit,
                          crm_symbols symbols, double *value)
{
    char problem[128], allowed[200];
    crm_quantity q;
    double number = crm_wide_narrow(symbols.entries[NUMBER].quantity.value);
    if (!crm_expression_compute(formula->text, symbols, &q, problem, sizeof problem)) {
        snprintf(allowed, sizeof allowed, "an expression in i, n and the names in with, but %s",
                 problem);
        return crm_reader_fail_value(reader, formula, allowed);
    }
    if (!crm_number_fits_quantity(&q, unit)) {
        snprintf(allowed, sizeof allowed, unit != NULL ? "in %s" : "a number without unit", unit);
        return crm_reader_fail_value(reader, formula, allowed);
    }
    *value = crm_wide_narrow(q.value);
    if (!isfinite(*value)) {
        crm_snprintf(allowed, sizeof allowed,
                     "a finite number for every entry, but is none for i = %.0f", number);
        return crm_reader_fail_value(reader, formula, allowed);
    }
    return CRM_OK;
}

/* A name that the formula can do without is a slip. */
static crm_status refuse_idle_name(crm_reader *reader, const crm_node *const *fields,
                                   crm_symbols symbols)
{
    char problem[128];
    crm_quantity q;
    crm_symbol *own = (crm_symbol *)symbols.entries;
    for (size_t k = OWN; k < symbols.count; k++) {
        crm_symbol kept = own[k];
        own[k].name = "";
        bool idle = crm_expression_compute(fields[SERIES_FORMULA]->text, symbols, &q, problem,
                                           sizeof problem);
        own[k] = kept;
        if (idle) {
            return crm_reader_fail_bare(reader, fields[SERIES_WITH]->keys[k - OWN],
                                        "'%s' does not occur in the formula", kept.name);
        }
    }
    return CRM_OK;
}

static crm_status fill_by_formula(crm_reader *reader, const crm_node *const *fields,
                                  const char *unit, size_t count, double *each)
{
    const crm_node *formula = fields[SERIES_FORMULA];
    crm_symbols symbols;
    if (formula->kind != CRM_NODE_SCALAR || formula->count == 0) {
        return crm_reader_fail_value(reader, formula, "an expression, such as 1 + 0.1*i");
    }
    crm_status status = read_symbols(reader, fields[SERIES_WITH], count, &symbols);
    crm_symbol *number = (crm_symbol *)symbols.entries;
    for (size_t i = 0; status == CRM_OK && !crm_mistakes_any(reader) && i < count; i++) {
        number->quantity.value = crm_wide_of((double)(i + 1));
        status = compute(reader, formula, unit, symbols, &each[i]);
    }
    return status == CRM_OK ? refuse_idle_name(reader, fields, symbols) : status;
}

/* ---- Pattern and disorder ------------------------------------------------------------------- */

static crm_status fill_by_pattern(crm_reader *reader, const crm_node *pattern, const char *unit,
                                  size_t count, double *each)
{
    if (pattern->kind != CRM_NODE_SEQUENCE || pattern->count == 0) {
        return crm_reader_fail_value(reader, pattern, "a list of numbers");
    }
    size_t length = pattern->count < count ? pattern->count : count;
    crm_status status = crm_reader_check_unit(reader, pattern, unit);
    for (size_t i = 0; i < length && status == CRM_OK; i++) {
        status = crm_reader_number(reader, pattern->items[i], &each[i]);
    }
    for (size_t i = length; i < count; i++) {
        each[i] = each[i - length];
    }
    return status;
}

static uint32_t field_number(const crm_node *node)
{
    char path[256];
    crm_yaml_path(node, path, sizeof path);
    return (uint32_t)crm_hash(CRM_HASH_START, path, strlen(path));
}

static crm_status disturb(crm_reader *reader, const crm_node *series, const crm_node *node,
                          size_t count, double *each)
{
    const crm_node *fields[DISORDER_FIELDS];
    crm_distribution distribution = {0};
    crm_random_place place = {.seed = 1, .field = field_number(series)};
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_DISORDER, fields);
    if (status == CRM_OK) {
        status = crm_distribution_read(reader, node, fields, &distribution);
    }
    if (status == CRM_OK && fields[DISORDER_SEED] != NULL) {
        status = crm_reader_seed(reader, fields[DISORDER_SEED], &place.seed);
    }
    for (size_t i = 0; status == CRM_OK && i < count; i++) {
        place.entry = (uint32_t)i;
        each[i] *= crm_distribution_draw(&distribution, place);
    }
    return status;
}

/* ---- The field ------------------------------------------------------------------------------ */

static crm_status read_series(crm_reader *reader, const crm_node *node, const char *unit,
                              size_t count, double *each)
{
    const crm_node *fields[SERIES_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SERIES, fields);
    if (status != CRM_OK) {
        return status;
    }
    bool formula = fields[SERIES_FORMULA] != NULL, pattern = fields[SERIES_PATTERN] != NULL;
    if (formula ? pattern : !pattern && fields[SERIES_DISORDER] == NULL) {
        return crm_reader_fail(reader, node,
                               "must have one of formula and pattern, or disorder, or disorder "
                               "with one of them");
    }
    if (fields[SERIES_WITH] != NULL && !formula) {
        return crm_reader_fail(reader, fields[SERIES_WITH], "is for a formula; there is none");
    }
    if (formula) {
        status = fill_by_formula(reader, fields, unit, count, each);
    } else if (pattern) {
        status = fill_by_pattern(reader, fields[SERIES_PATTERN], unit, count, each);
    }
    return status == CRM_OK && fields[SERIES_DISORDER] != NULL
               ? disturb(reader, node, fields[SERIES_DISORDER], count, each)
               : status;
}

crm_status crm_series_read(crm_reader *reader, const crm_node *node, const char *unit, size_t count,
                           double *each)
{
    for (size_t i = 0; i < count; i++) {
        each[i] = 1;
    }
    return crm_mistakes_pass(reader, read_series(reader, node, unit, count, each));
}
