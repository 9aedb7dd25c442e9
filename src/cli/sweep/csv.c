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

/* The text of a stream in memory, when it is closed; NULL: out of memory, then or before. */
static char *close_memory(FILE *memory, char **text, bool good)
{
    good = ferror(memory) == 0 && good;
    good = fclose(memory) == 0 && good;
    if (!good) {
        free(*text);
        *text = NULL;
    }
    return *text;
}

/* This, and all that follow, return false when out of memory. */
static bool write_node(FILE *stream, const crm_node *node)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL) {
        return false;
    }
    crm_yaml_write_node(node, memory);
    if (close_memory(memory, &text, true) == NULL) {
        return false;
    }
    crm_csv_text(stream, text);
    free(text);
    return true;
}

static bool write_value(FILE *stream, crm_study_value value)
{
    if (value.node != NULL && isnan(value.number)) {
        return write_node(stream, value.node);
    }
    crm_csv_number(stream, value.number);
    return true;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static bool write_values(const crm_study *study, size_t point, FILE *stream)
{
    bool good = true;
    fprintf(stream, "%zu", point + 1);
    for (size_t i = 0; i < crm_study_fields(study) && good; i++) {
        fputc(',', stream);
        good = write_value(stream, crm_study_value_at(study, point, i));
    }
    fputc(',', stream);
    return good;
}

static bool write_row(const crm_study *study, size_t point, const crm_study_row *row, FILE *stream)
{
    bool good = write_values(study, point, stream);
    crm_csv_text(stream, row->label);
    fprintf(stream, ",%s", crm_result_text(row->result));
    for (size_t k = 0; k < crm_study_quantities(study); k++) {
        fputc(',', stream);
        crm_csv_number(stream, row->values[k]);
    }
    fputc(',', stream);
    crm_csv_text(stream, row->reason);
    fputc('\n', stream);
    return good;
}

char *crm_sweep_values(const crm_study *study, size_t point, size_t *length)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, length);
    if (memory == NULL) {
        return NULL;
    }
    bool good = write_values(study, point, memory);
    return close_memory(memory, &text, good);
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
    bool good = true;
    for (size_t i = 0; i < crm_study_laws(study); i++) {
        good = write_row(study, point, &rows[i], memory) && good;
        *unsolved += rows[i].result != CRM_SOLVED;
    }
    return close_memory(memory, &text, good);
}
