#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "model/model.h"
#include "scenario/number/number.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

crm_status crm_reader_fail(crm_reader *reader, const crm_node *node, const char *format, ...)
{
    char path[256], message[1024];
    crm_yaml_path(node, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return crm_reader_fail_bare(reader, node, "%s %s", path, message);
}

crm_status crm_reader_fail_bare(crm_reader *reader, const crm_node *node, const char *format, ...)
{
    char message[1536];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->failed_node = node;
    return crm_yaml_fail(reader->tree, node, reader->error, "%s", message);
}

crm_status crm_reader_fail_value(crm_reader *reader, const crm_node *node, const char *allowed)
{
    char value[128];
    crm_yaml_show(node, value, sizeof value);
    return crm_reader_fail(reader, node, "is %s; must be %s", value, allowed);
}

void crm_reader_warn(crm_reader *reader, const crm_node *node, const char *format, ...)
{
    crm_warnings *warnings = reader->warnings;
    if (warnings->count == CRM_WARNINGS_MOST) {
        return;
    }
    char path[96], *text = warnings->text[warnings->count++];
    crm_yaml_path(node, path, sizeof path);
    int used = snprintf(text, CRM_WARNING_SIZE, "%s ", path);
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(text + used, CRM_WARNING_SIZE - (size_t)used, format, arguments);
    va_end(arguments);
}

crm_status crm_reader_fail_memory(crm_reader *reader)
{
    return crm_yaml_fail_memory(reader->tree, reader->error);
}

crm_status crm_reader_check_bytes(crm_reader *reader, const crm_node *node, double system)
{
    double bytes = 2 * system, most = reader->tree->limits.memory;
    if (!(most > 0 && bytes > most)) {
        return CRM_OK;
    }
    crm_error error;
    crm_fail_bytes(&error, NULL, bytes, most);
    crm_reader_fail(reader, node, "%s (--max-memory)", error.message);
    if (reader->error != NULL) {
        reader->error->status = CRM_ERROR_MEMORY;
    }
    return CRM_ERROR_MEMORY;
}

crm_status crm_reader_fail_missing(crm_reader *reader, const crm_node *mapping, const char *field)
{
    return crm_reader_fail(reader, mapping, "has no field '%s', which is required", field);
}

crm_status crm_reader_fail_library(crm_reader *reader, const crm_node *from, const crm_error *error)
{
    if (error->status == CRM_ERROR_MEMORY) {
        return crm_reader_fail_memory(reader);
    }
    char path[256];
    const crm_node *node = crm_yaml_locate(from, error->place, NULL);
    crm_yaml_path(node, path, sizeof path);
    return crm_reader_fail_bare(reader, node, "%s: %s", path, error->message);
}

/* ---- Mappings ----------------------------------------------------------------------------- */

/* "none, left or right" */
static void list_words(const char *const *words, size_t count, const char *last, char *text,
                       size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; i++) {
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : last;
        used += (size_t)snprintf(text + used, size - used, "%s%s", between, words[i]);
    }
}

/* The blocks of a scenario that have a field of this name; how many. */
static size_t list_blocks(const char *name, char *text, size_t size)
{
    const char *blocks[CRM_BLOCKS];
    size_t count = 0;
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        const crm_block *b = crm_block_at(i);
        for (size_t k = 0; k < b->count; k++) {
            if (strcmp(b->fields[k].name, name) == 0) {
                blocks[count++] = i == CRM_BLOCK_TOP ? "scenario" : b->name;
            }
        }
    }
    list_words(blocks, count, " and ", text, size);
    return count;
}

/* Suggests the field with the nearest name, *meant, or lists all where none is near. *broken: field
 * and value were run together (missing space), so that there is no field to suggest.
 */
static crm_status refuse_unknown(crm_reader *reader, const crm_node *mapping, const crm_node *key,
                                 const char *const *names, size_t count, size_t *meant,
                                 bool *broken)
{
    *meant = count;
    char shown[64], path[256], known[512] = "", hint[160];
    bool digits = key->text[strspn(key->text, "0123456789")] == '\0';
    if (digits) {
        snprintf(hint, sizeof hint, "decimals are written with a point, as in 0.%.9s", key->text);
    }
    if (digits || crm_yaml_hint(key->text, hint, sizeof hint)) {
        *broken = true;
        crm_yaml_show_text(key->text, shown, sizeof shown);
        crm_yaml_path(mapping, path, sizeof path);
        return crm_reader_fail_bare(reader, key, "unknown field '%s' in %s; %s", shown, path, hint);
    }
    const char *nearest = names[crm_text_nearest(key->text, names, count)];
    crm_yaml_show_text(key->text, shown, sizeof shown);
    crm_yaml_path(mapping, path, sizeof path);
    if (crm_text_is_near(key->text, nearest)) {
        *meant = crm_text_nearest(key->text, names, count);
        return crm_reader_fail_bare(reader, key, "unknown field '%s' in %s; did you mean '%s'?",
                                    shown, path, nearest);
    }
    size_t others = list_blocks(key->text, known, sizeof known);
    if (others > 0) {
        return crm_reader_fail_bare(reader, key, "unknown field '%s' in %s; it is a field of %s",
                                    shown, path, known);
    }
    list_words(names, count, " and ", known, sizeof known);
    return crm_reader_fail_bare(reader, key, "unknown field '%s' in %s; known are %s", shown, path,
                                known);
}

static size_t field_of(const char *key, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], key) != 0) {
        i++;
    }
    return i;
}

crm_status crm_reader_fields(crm_reader *reader, const crm_node *mapping, const char *const *names,
                             size_t count, const crm_node **fields)
{
    for (size_t i = 0; i < count; i++) {
        fields[i] = NULL;
    }
    if (mapping->kind != CRM_NODE_MAPPING) {
        char allowed[768], known[512], hint[160];
        list_words(names, count, " and ", known, sizeof known);
        bool swallowed =
            mapping->kind == CRM_NODE_SCALAR && crm_yaml_hint(mapping->text, hint, sizeof hint);
        snprintf(allowed, sizeof allowed, "a mapping; %s%s", swallowed ? "" : "its fields are ",
                 swallowed ? hint : known);
        return crm_reader_fail_value(reader, mapping, allowed);
    }
    bool broken = false;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < mapping->count && status == CRM_OK; i++) {
        size_t field = field_of(mapping->keys[i]->text, names, count);
        if (field < count) {
            fields[field] = mapping->items[i];
            continue;
        }
        status = crm_mistakes_pass(reader, refuse_unknown(reader, mapping, mapping->keys[i], names,
                                                          count, &field, &broken));
        if (status == CRM_OK && field < count && fields[field] == NULL) {
            fields[field] = mapping->items[i]; /* continue as if it had been written correctly */
        }
    }
    return status == CRM_OK && broken ? CRM_ERROR_MODEL : status;
}

crm_status crm_reader_check_unit(crm_reader *reader, const crm_node *node, const char *unit)
{
    if (node->kind == CRM_NODE_SCALAR) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, unit != NULL ? "in %s" : "a number without unit", unit);
        return crm_number_fits(node, unit) ? CRM_OK : crm_reader_fail_value(reader, node, allowed);
    }
    crm_status status = CRM_OK;
    bool list = node->kind == CRM_NODE_SEQUENCE;
    for (size_t i = 0; list && i < node->count && status == CRM_OK; i++) {
        status = crm_reader_check_unit(reader, node->items[i], unit);
    }
    return status;
}

/* A field of some other kind may have texts that are units by chance. */
static bool has_numbers(const crm_field *field)
{
    return field->unit != NULL || field->kind <= CRM_KIND_COUNT;
}

crm_status crm_reader_block(crm_reader *reader, const crm_node *mapping, crm_block_index block,
                            const crm_node **fields)
{
    const crm_block *b = crm_block_at(block);
    const char *names[CRM_FIELDS_MOST];
    for (size_t i = 0; i < b->count; i++) {
        names[i] = b->fields[i].name;
    }
    crm_status status = crm_reader_fields(reader, mapping, names, b->count, fields);
    for (size_t i = 0; i < b->count && status == CRM_OK; i++) {
        if (fields[i] != NULL && has_numbers(&b->fields[i])) {
            status = crm_mistakes_pass(reader,
                                       crm_reader_check_unit(reader, fields[i], b->fields[i].unit));
        }
    }
    return status;
}

/* ---- Values ------------------------------------------------------------------------------- */

/* Whether a text that is no number was meant to be one. */
static bool looks_computed(const char *text)
{
    return strchr(text, '(') != NULL || strchr("+-.0123456789", text[0]) != NULL;
}

/* A node that is not taken for a number. */
static crm_status refuse_number(crm_reader *reader, const crm_node *node, const char *allowed)
{
    double inside;
    char problem[128], wanted[320];
    crm_quantity quantity;
    bool scalar = node->kind == CRM_NODE_SCALAR;
    if (scalar && crm_yaml_text_number(node->text, &inside)) {
        return crm_reader_fail_value(
            reader, node,
            isfinite(inside) ? "a number, without quotes"
                             : "a finite number: 0, or from 2.3e-308 to 1.7e308 in size, in "
                               "hexadecimal or octal digits up to 64 bits");
    }
    if (!scalar || node->count == 0 || !looks_computed(node->text) ||
        crm_expression_read(node->text, &quantity, problem, sizeof problem)) {
        return crm_reader_fail_value(reader, node, allowed);
    }
    snprintf(wanted, sizeof wanted, "%s, but %s", allowed, problem);
    return crm_reader_fail_value(reader, node, wanted);
}

crm_status crm_reader_number(crm_reader *reader, const crm_node *node, double *value)
{
    double number;
    if (!crm_number_value(node, &number) || !isfinite(number)) {
        return crm_mistakes_pass(reader, refuse_number(reader, node, "a finite number"));
    }
    *value = number;
    return CRM_OK;
}

crm_status crm_reader_in_range(crm_reader *reader, const crm_node *node, crm_range range,
                               double *value)
{
    double number;
    if (!crm_number_value(node, &number)) {
        return crm_mistakes_pass(reader, refuse_number(reader, node, range.text));
    }
    if (!isfinite(number) || number < range.least || number > range.most ||
        (range.open_least && number == range.least)) {
        return crm_mistakes_pass(reader, crm_reader_fail_value(reader, node, range.text));
    }
    *value = number;
    return CRM_OK;
}

crm_status crm_reader_count(crm_reader *reader, const crm_node *node, size_t most, size_t *value)
{
    double number;
    if (!crm_number_value(node, &number) || !(number >= 1) || number > (double)most ||
        number != floor(number)) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a whole number from 1 to %zu", most);
        return crm_reader_fail_value(reader, node, allowed);
    }
    *value = (size_t)number;
    return CRM_OK;
}

crm_status crm_reader_seed(crm_reader *reader, const crm_node *node, uint64_t *seed)
{
    static const crm_range seeds = {0, 0x1p53, false, "a whole number from 0 to 2^53"};
    double number = 0;
    crm_status status = crm_reader_in_range(reader, node, seeds, &number);
    if (status == CRM_OK && number != floor(number)) {
        status = crm_reader_fail_value(reader, node, seeds.text);
    }
    *seed = (uint64_t)number;
    return status;
}

crm_status crm_reader_text(crm_reader *reader, const crm_node *node, const char **value)
{
    if (node->kind != CRM_NODE_SCALAR || node->count == 0 || crm_yaml_is_null(node)) {
        return crm_reader_fail_value(reader, node, "text");
    }
    if (crm_text_hides(node->text)) {
        return crm_reader_fail_value(reader, node, "one line without control or format characters");
    }
    *value = node->text;
    return CRM_OK;
}

crm_status crm_reader_name(crm_reader *reader, const crm_node *node, const char **name)
{
    double number;
    crm_status status = crm_reader_text(reader, node, name);
    if (status == CRM_OK && node->count > CRM_NAME_MOST) {
        status = crm_reader_fail(reader, node, "has %zu bytes; a name has at most %d", node->count,
                                 CRM_NAME_MOST);
    }
    if (status == CRM_OK && crm_yaml_text_number(*name, &number)) {
        status = crm_reader_fail_value(reader, node, "a name that does not look like a number");
    }
    return status;
}

crm_status crm_reader_choice(crm_reader *reader, const crm_node *node, const char *const *choices,
                             size_t count, size_t *value)
{
    size_t i = 0;
    while (i < count && (node->kind != CRM_NODE_SCALAR || strcmp(node->text, choices[i]) != 0)) {
        i++;
    }
    if (i == count) {
        char allowed[256];
        list_words(choices, count, " or ", allowed, sizeof allowed);
        return crm_reader_fail_value(reader, node, allowed);
    }
    *value = i;
    return CRM_OK;
}

crm_status crm_reader_flag(crm_reader *reader, const crm_node *node, bool *value)
{
    static const char *const answers[] = {"false", "true"};
    size_t answer = *value;
    crm_status status =
        node != NULL ? crm_reader_choice(reader, node, answers, 2, &answer) : CRM_OK;
    *value = answer == 1;
    return crm_mistakes_pass(reader, status);
}

bool crm_reader_coordinates_reported(const crm_reader *reader)
{
    return reader->coordinates_reported && crm_mistakes_any(reader);
}

/* Lists that have too many coordinates or too few: one of them may be what is wrong. */
static bool is_reported_already(crm_reader *reader, const char *per)
{
    bool coordinates = strncmp(per, "coordinate", strlen("coordinate")) == 0;
    bool reported = coordinates && crm_reader_coordinates_reported(reader);
    reader->coordinates_reported = reported || (coordinates && reader->mistakes != NULL);
    return reported;
}

crm_status crm_reader_list(crm_reader *reader, const crm_node *node, size_t count, const char *per,
                           double *values)
{
    bool fits = node->kind == CRM_NODE_SEQUENCE && node->count == count;
    if (!fits && is_reported_already(reader, per)) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE) {
        char allowed[96];
        snprintf(allowed, sizeof allowed, "a list of %zu numbers, one per %s", count, per);
        return crm_mistakes_pass(reader, crm_reader_fail_value(reader, node, allowed));
    }
    if (node->count != count) {
        return crm_mistakes_pass(reader, crm_reader_fail(reader, node,
                                                         "has %zu entries; must have %zu, one "
                                                         "per %s",
                                                         node->count, count, per));
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = crm_reader_number(reader, node->items[i], &values[i]);
    }
    return status;
}

crm_status crm_reader_vector(crm_reader *reader, const crm_node *node, unsigned dimension,
                             double *vector)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (dimension == 1 && node->kind == CRM_NODE_SCALAR) {
        return crm_reader_number(reader, node, vector);
    }
    return crm_reader_list(reader, node, dimension, "coordinate", vector);
}

crm_status crm_reader_velocity(crm_reader *reader, const crm_node *node, unsigned dimension,
                               double *velocity)
{
    crm_status status = crm_reader_vector(reader, node, dimension, velocity);
    for (unsigned d = 0; node != NULL && d < dimension && status == CRM_OK; d++) {
        crm_error error = {0};
        if (crm_ranges_check(CRM_DATUM_VELOCITY, velocity[d], "[%zu]", d + 1, &error) != CRM_OK) {
            status = crm_mistakes_pass(reader, crm_reader_fail_library(reader, node, &error));
        }
    }
    return status;
}

crm_status crm_reader_values(crm_reader *reader, const crm_node *node, const crm_field *field,
                             size_t count, const char *per, crm_values *values)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind == CRM_NODE_SCALAR) {
        return crm_reader_number(reader, node, &values->all);
    }
    bool series = node->kind == CRM_NODE_MAPPING;
    bool each_given = series || node->kind == CRM_NODE_SEQUENCE;
    double *each = CRM_ARENA_NEW(&reader->scratch, double, each_given ? count : 0);
    if (each == NULL) {
        return crm_reader_fail_memory(reader);
    }
    values->each = each;
    return series ? crm_series_read(reader, node, field->unit, count, each)
                  : crm_reader_list(reader, node, count, per, each);
}

crm_status crm_reader_contact(crm_reader *reader, const crm_node *const *fields,
                              crm_contact_def *contact)
{
    double *const values[CRM_CONTACT_NUMBERS] = {
        [CRM_CONTACT_STIFFNESS] = &contact->stiffness,
        [CRM_CONTACT_EXPONENT] = &contact->exponent,
        [CRM_CONTACT_RESTITUTION] = &contact->restitution,
        [CRM_CONTACT_ENERGY] = &contact->stored_energy,
        [CRM_CONTACT_FORCE] = &contact->force,
    };
    crm_status status = crm_compliance_read(reader, fields, &contact->compliance);
    for (size_t i = 0; i < CRM_CONTACT_NUMBERS && status == CRM_OK; i++) {
        bool by_impact = i == CRM_CONTACT_RESTITUTION && crm_compliance_is_by_impact(fields[i]);
        if (fields[i] != NULL && !by_impact) {
            status = crm_reader_number(reader, fields[i], values[i]);
        }
    }
    return status;
}
