/* The rows of the journal as columns for the HDF5 module. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "carom/carom.h"
#include "cli/plugin.h"
#include "cli/sweep/sweep.h"

/* ---- Columns -------------------------------------------------------------------------------- */

typedef struct source {
    const crm_study *study;
    size_t count;
    crm_column *columns;
    crm_cells cells;
    const char **texts; /* of the points, borrowed from the journal */
    size_t *lengths;
    size_t known; /* points whose text was noted */
    size_t point; /* the next to be cut into cells */
} source;

static void name_columns(source *s)
{
    size_t at = 0;
    s->columns[at++] = (crm_column){"point", CRM_COLUMN_INTEGER, 0};
    for (size_t i = 0; i < crm_study_fields(s->study); i++) {
        s->columns[at++] = (crm_column){
            crm_study_field(s->study, i),
            crm_study_is_numeric(s->study, i) ? CRM_COLUMN_NUMBER : CRM_COLUMN_TEXT, 1};
    }
    s->columns[at++] = (crm_column){"law", CRM_COLUMN_TEXT, 1};
    s->columns[at++] = (crm_column){"status", CRM_COLUMN_TEXT, 1};
    for (size_t i = 0; i < crm_study_quantities(s->study); i++) {
        s->columns[at++] = (crm_column){crm_study_quantity(s->study, i), CRM_COLUMN_NUMBER, 0};
    }
    s->columns[at++] = (crm_column){"reason", CRM_COLUMN_TEXT, 1};
}

/* Texts have the width of the longest. */
static bool measure(void *context, const char *text, size_t length)
{
    source *s = context;
    if (!crm_cells_load(&s->cells, text, length)) {
        return false;
    }
    s->texts[s->known] = text;
    s->lengths[s->known++] = length;
    while (*s->cells.at != '\0') {
        for (size_t i = 0; i < s->count; i++) {
            size_t width = strlen(crm_csv_bare(crm_cells_next(&s->cells)));
            if (s->columns[i].width < width) {
                s->columns[i].width = width;
            }
        }
    }
    return true;
}

static void put_cell(const crm_column *column, char *cell, void *block, size_t row)
{
    switch (column->kind) {
    case CRM_COLUMN_INTEGER:
        ((uint64_t *)block)[row] = strtoull(cell, NULL, 10);
        break;
    case CRM_COLUMN_NUMBER:
        ((double *)block)[row] = cell[0] != '\0' ? crm_strtod(cell, NULL) : NAN;
        break;
    default:
        cell = crm_csv_bare(cell);
        memset((char *)block + row * column->width, 0, column->width);
        memcpy((char *)block + row * column->width, cell, strlen(cell));
        break;
    }
}

static bool fill(void *context, size_t count, void *const *blocks)
{
    source *s = context;
    for (size_t row = 0; row < count; row++) {
        while (*s->cells.at == '\0') {
            if (s->point == s->known ||
                !crm_cells_load(&s->cells, s->texts[s->point], s->lengths[s->point])) {
                return false;
            }
            s->point++;
        }
        for (size_t i = 0; i < s->count; i++) {
            put_cell(&s->columns[i], crm_cells_next(&s->cells), blocks[i], row);
        }
    }
    return true;
}

/* ---- The file ------------------------------------------------------------------------------- */

typedef struct writing {
    source source;
    const crm_hdf5_module *module;
    const char *path;
    size_t first, points;
    bool good;
    char problem[512];
} writing;

static bool write_all(writing *w)
{
    source *s = &w->source;
    char signature[CRM_SIGNATURE_SIZE];
    crm_sweep_sign(s->study, w->first, w->first + w->points, signature);
    const char *const names[] = {"carom", "scenario", CRM_SIGNATURE_NAME};
    const char *const values[] = {crm_version(), crm_study_text(s->study), signature};
    crm_hdf5_table table = {.rows = w->points * crm_study_laws(s->study),
                            .column_count = s->count,
                            .columns = s->columns,
                            .attributes = {3, names, values},
                            .context = s,
                            .fill = fill};
    return w->module->write(w->path, &table, w->problem, sizeof w->problem);
}

/* The texts are borrowed while the journal is read: with the last of them everything is there. */
static bool on_rows(void *context, const char *text, size_t length)
{
    writing *w = context;
    if (!measure(&w->source, text, length)) {
        return false;
    }
    if (w->source.known == w->points) {
        w->source.cells.at = w->source.cells.copy;
        *w->source.cells.at = '\0';
        w->good = write_all(w);
    }
    return true;
}

int crm_sweep_write_hdf5(const crm_study *study, crm_journal *journal, const char *path,
                         const char *target)
{
    writing w = {.path = path, .first = journal->first, .points = journal->last - journal->first};
    source *s = &w.source;
    int status = crm_plugin_hdf5(target, &w.module);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    snprintf(w.problem, sizeof w.problem, "%s", crm_status_text(CRM_ERROR_MEMORY));
    s->study = study;
    s->count = 4 + crm_study_fields(study) + crm_study_quantities(study);
    s->columns = CRM_NEW(crm_column, s->count);
    s->texts = CRM_NEW(const char *, w.points);
    s->lengths = CRM_NEW(size_t, w.points);
    if (s->columns != NULL && s->texts != NULL && s->lengths != NULL) {
        name_columns(s);
        crm_journal_read(journal, on_rows, &w);
        w.good = w.points > 0 ? w.good : write_all(&w);
    }
    free(s->columns);
    free(s->texts);
    free(s->lengths);
    free(s->cells.copy);
    return w.good ? CRM_EXIT_DONE : crm_output_refuse_for(target, w.problem);
}
