/* The text of rows back into numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "cli/sweep/sweep.h"

/* The row's last cell ends at a line's end. */
char *crm_cells_next(crm_cells *c)
{
    char *start = c->at, *to = c->at;
    bool quoted = *c->at == '"';
    c->at += quoted;
    for (;; c->at++) {
        if (quoted && c->at[0] == '"' && c->at[1] == '"') {
            c->at++;
        } else if (quoted && *c->at == '"') {
            quoted = false;
            continue;
        } else if (!quoted && (*c->at == ',' || *c->at == '\n' || *c->at == '\0')) {
            break;
        }
        *to++ = *c->at;
    }
    c->at += *c->at != '\0';
    *to = '\0';
    return start;
}

bool crm_cells_load(crm_cells *c, const char *text, size_t length)
{
    if (length + 1 > c->size) {
        char *grown = crm_memory_resize(c->copy, length + 1, 1);
        if (grown == NULL) {
            return false;
        }
        c->copy = grown;
        c->size = length + 1;
    }
    memcpy(c->copy, text, length);
    c->copy[length] = '\0';
    c->at = c->copy;
    return true;
}

/* ---- The whole table ------------------------------------------------------------------------ */

typedef struct reading {
    const crm_study *study;
    crm_study_table *table;
    crm_cells cells;
    size_t row;
} reading;

static crm_result result_of(const char *text)
{
    size_t k = 0;
    while (k + 1 < CRM_RESULT_COUNT && strcmp(text, crm_result_text((crm_result)k)) != 0) {
        k++;
    }
    return (crm_result)k;
}

static bool read_row(reading *r)
{
    crm_study_table *table = r->table;
    for (size_t i = 0; i < crm_study_fields(r->study) + 2; i++) {
        crm_cells_next(&r->cells); /* the point, its fields, the law */
    }
    table->result[r->row] = result_of(crm_cells_next(&r->cells));
    for (size_t k = 0; k < table->quantities; k++) {
        const char *cell = crm_cells_next(&r->cells);
        table->values[r->row * table->quantities + k] =
            cell[0] != '\0' ? crm_strtod(cell, NULL) : NAN;
    }
    table->reason[r->row] = crm_memory_copy_text(crm_csv_bare(crm_cells_next(&r->cells)));
    return table->reason[r->row++] != NULL;
}

static bool read_point(void *context, const char *text, size_t length)
{
    reading *r = context;
    bool good = crm_cells_load(&r->cells, text, length);
    while (good && *r->cells.at != '\0') {
        good = r->row < r->table->rows && read_row(r);
    }
    return good;
}

bool crm_sweep_table(const crm_study *study, crm_journal *journal, crm_study_table *table)
{
    size_t rows = (journal->last - journal->first) * crm_study_laws(study);
    size_t quantities = crm_study_quantities(study);
    *table = (crm_study_table){.rows = rows,
                               .quantities = quantities,
                               .result = CRM_NEW(crm_result, rows),
                               .reason = CRM_NEW(char *, rows),
                               .values = CRM_NEW(double, rows *quantities)};
    reading r = {.study = study, .table = table};
    bool good = table->result != NULL && table->reason != NULL && table->values != NULL &&
                crm_journal_read(journal, read_point, &r);
    free(r.cells.copy);
    return good;
}
