#include "scenario/mistakes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"
#include "scenario/number/number.h"
#include "scenario/reader.h"

/* ---- Keeping ------------------------------------------------------------------------------ */

void crm_mistakes_begin(crm_reader *reader, crm_mistakes *mistakes)
{
    if (reader->error == NULL) {
        return; /* errors are not reported */
    }
    mistakes->first = reader->error;
    mistakes->first->status = CRM_OK;
    mistakes->first->text[0] = mistakes->first->more[0] = '\0';
    mistakes->next.status = CRM_OK;
    mistakes->count = mistakes->mark = 0;
    reader->mistakes = mistakes;
    reader->failed_node = NULL;
}

static bool is_in_list(const crm_node *node, const crm_node *list)
{
    return list != NULL && list->kind == CRM_NODE_SEQUENCE && node->parent == list;
}

/* A list and its entries are one thing. */
static bool was_blamed(const crm_mistakes *m, const crm_node *node)
{
    for (size_t i = 0; node != NULL && i < m->count; i++) {
        const crm_node *other = m->at[i];
        if (other == node ||
            (other != NULL && (is_in_list(other, node) ||
                               (is_in_list(node, other) && node->kind == CRM_NODE_SCALAR)))) {
            return true;
        }
    }
    return false;
}

/* One more line, with nothing in it that a terminal would act on. */
static void add_line(crm_read_error *first, const char *text)
{
    char piece[CRM_ESCAPE_SIZE];
    crm_text_append(first->more, sizeof first->more, "%s", first->more[0] != '\0' ? "\n" : "");
    while (*text != '\0') {
        text += crm_text_escape(text, piece);
        crm_text_append(first->more, sizeof first->more, "%s", piece);
    }
}

/* A status that is not CRM_OK although nothing new was said comes of what is kept already. */
static void keep(crm_reader *reader, crm_mistakes *m)
{
    bool new = m->count == 0 || (m->next.status != CRM_OK && !was_blamed(m, reader->failed_node));
    if (new) {
        m->at[m->count++] = reader->failed_node;
        if (m->count > 1 && m->count <= CRM_MISTAKES_LISTED) {
            add_line(m->first, m->next.text);
        }
    }
    m->next.status = CRM_OK;
    reader->error = &m->next;
    reader->failed_node = NULL;
}

crm_status crm_mistakes_pass(crm_reader *reader, crm_status status)
{
    crm_mistakes *m = reader->mistakes;
    if (status == CRM_OK || m == NULL || status == CRM_ERROR_MEMORY ||
        m->count >= CRM_MISTAKES_MOST) {
        return status;
    }
    keep(reader, m);
    return m->count < CRM_MISTAKES_MOST ? CRM_OK : status;
}

void crm_mistakes_mark(crm_reader *reader)
{
    if (reader->mistakes != NULL) {
        reader->mistakes->mark = reader->mistakes->count;
    }
}

bool crm_mistakes_any(const crm_reader *reader)
{
    return reader->mistakes != NULL && reader->mistakes->count > reader->mistakes->mark;
}

size_t crm_mistakes_count(const crm_reader *reader)
{
    return reader->mistakes != NULL ? reader->mistakes->count : 0;
}

crm_status crm_mistakes_end(crm_reader *reader, crm_status status)
{
    crm_mistakes *m = reader->mistakes;
    if (m == NULL || (status != CRM_OK && m->count == 0)) {
        return status;
    }
    if (status != CRM_OK && m->count < CRM_MISTAKES_MOST) {
        keep(reader, m);
    }
    if (m->count > CRM_MISTAKES_LISTED) {
        char text[64];
        size_t others = m->count - CRM_MISTAKES_LISTED;
        bool all = m->count < CRM_MISTAKES_MOST;
        snprintf(text, sizeof text, "and %zu more%s", others, all ? "" : " at least");
        add_line(m->first, text);
    }
    reader->error = m->first;
    reader->mistakes = NULL;
    return m->count > 0 ? m->first->status : CRM_OK;
}

/* ---- Ranges ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    crm_datum datum;
} ranged[] = {
    {"mass", CRM_DATUM_MASS},
    {"radius", CRM_DATUM_RADIUS},
    {"stiffness", CRM_DATUM_STIFFNESS},
    {"exponent", CRM_DATUM_EXPONENT},
    {"restitution", CRM_DATUM_RESTITUTION},
    {"energy", CRM_DATUM_STORED_ENERGY},
};

static void check_scalar(crm_reader *reader, const crm_node *node, crm_datum datum)
{
    double value;
    crm_error error = {0};
    if (crm_number_value(node, &value) && isfinite(value) &&
        crm_ranges_check(datum, value, "", 0, &error) != CRM_OK) {
        (void)crm_mistakes_pass(reader, crm_reader_fail_library(reader, node, &error));
    }
}

static void check_field(crm_reader *reader, const crm_node *mapping, size_t field)
{
    const char *name = mapping->keys[field]->text;
    const crm_node *value = mapping->items[field];
    bool rod = crm_yaml_find(mapping, "length") != NULL; /* whose radius may be 0 */
    for (size_t i = 0; i < CRM_COUNT(ranged); i++) {
        if (strcmp(name, ranged[i].name) != 0 || (rod && ranged[i].datum == CRM_DATUM_RADIUS)) {
            continue;
        }
        if (value->kind == CRM_NODE_SCALAR) {
            check_scalar(reader, value, ranged[i].datum);
        }
        for (size_t k = 0; value->kind == CRM_NODE_SEQUENCE && k < value->count; k++) {
            if (value->items[k]->kind == CRM_NODE_SCALAR) {
                check_scalar(reader, value->items[k], ranged[i].datum);
            }
        }
    }
}

static bool has_fields(const crm_node *node)
{
    bool list = node->kind == CRM_NODE_SEQUENCE && node->count > 0;
    return (list ? node->items[0]->kind : node->kind) == CRM_NODE_MAPPING;
}

/* Blocks, lists of them, and blocks in them. */
static void check_below(crm_reader *reader, const crm_node *node, unsigned levels)
{
    const crm_mistakes *m = reader->mistakes;
    for (size_t i = 0; has_fields(node) && i < node->count && m->count < CRM_MISTAKES_MOST; i++) {
        if (node->kind == CRM_NODE_MAPPING) {
            check_field(reader, node, i);
        }
        if (levels > 1) {
            check_below(reader, node->items[i], levels - 1);
        }
    }
}

void crm_mistakes_check_ranges(crm_reader *reader, const crm_node *node)
{
    enum { LEVELS = 3 };
    if (node != NULL && crm_mistakes_any(reader)) {
        check_below(reader, node, LEVELS);
    }
}
