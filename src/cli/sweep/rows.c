/* The table of a study as text: point, the fields, law, status, the quantities, reason. */
#include <math.h>
#include <stdlib.h>

#include "cli/sweep/sweep.h"
#include "report/report.h"

void crm_sweep_heading(const crm_study *study, FILE *stream)
{
    fputs("point", stream);
    for (size_t i = 0; i < crm_study_fields(study); i++) {
        fputc(',', stream);
        crm_csv_text(stream, crm_study_field(study, i));
    }
    fputs(",law,status", stream);
    for (size_t i = 0; i < crm_study_quantities(study); i++) {
        fputc(',', stream);
        crm_csv_text(stream, crm_study_quantity(study, i));
    }
    fputs(",reason\n", stream);
}

/* ---- Values of fields ----------------------------------------------------------------------- */

/* A list or a mapping in one line, as it might stand in the scenario. */
static void write_flow(FILE *stream, const crm_node *node)
{
    if (node->kind == CRM_NODE_SCALAR) {
        fputs(node->text, stream);
        return;
    }
    bool mapping = node->kind == CRM_NODE_MAPPING;
    fputc(mapping ? '{' : '[', stream);
    for (size_t i = 0; i < node->count; i++) {
        fputs(i > 0 ? ", " : "", stream);
        if (mapping) {
            fprintf(stream, "%s: ", node->keys[i]->text);
        }
        write_flow(stream, node->items[i]);
    }
    fputc(mapping ? '}' : ']', stream);
}

static void write_node(FILE *stream, const crm_node *node)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory != NULL) {
        write_flow(memory, node);
        fclose(memory);
        crm_csv_text(stream, text != NULL ? text : "");
    }
    free(text);
}

static void write_value(FILE *stream, crm_study_value value)
{
    if (value.node != NULL && isnan(value.number)) {
        write_node(stream, value.node);
    } else {
        crm_csv_number(stream, value.number);
    }
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static void write_values(const crm_study *study, size_t point, FILE *stream)
{
    fprintf(stream, "%zu", point + 1);
    for (size_t i = 0; i < crm_study_fields(study); i++) {
        fputc(',', stream);
        write_value(stream, crm_study_value_at(study, point, i));
    }
    fputc(',', stream);
}

static void write_row(const crm_study *study, size_t point, const crm_study_row *row, FILE *stream)
{
    write_values(study, point, stream);
    crm_csv_text(stream, row->label);
    fprintf(stream, ",%s", crm_result_text(row->result));
    for (size_t k = 0; k < crm_study_quantities(study); k++) {
        fputc(',', stream);
        crm_csv_number(stream, row->values[k]);
    }
    fputc(',', stream);
    crm_csv_text(stream, row->reason);
    fputc('\n', stream);
}

/* The text of a stream in memory, when it is closed; NULL: out of memory. */
static char *close_memory(FILE *memory, char **text)
{
    bool good = ferror(memory) == 0;
    good = fclose(memory) == 0 && good;
    if (!good) {
        free(*text);
        *text = NULL;
    }
    return *text;
}

char *crm_sweep_values(const crm_study *study, size_t point, size_t *length)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, length);
    if (memory == NULL) {
        return NULL;
    }
    write_values(study, point, memory);
    return close_memory(memory, &text);
}

char *crm_sweep_rows(const crm_study *study, size_t point, const crm_study_row *rows,
                     size_t *length, size_t *unsolved)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, length);
    if (memory == NULL) {
        return NULL;
    }
    *unsolved = 0;
    for (size_t i = 0; i < crm_study_laws(study); i++) {
        write_row(study, point, &rows[i], memory);
        *unsolved += rows[i].result != CRM_SOLVED;
    }
    return close_memory(memory, &text);
}
