/* A file of rows: CSV or HDF5 by its name, written row by row, completely or not at all. */
#include <stdlib.h>

#include "cli/plugin.h"
#include "cli/simulate/simulate.h"

/* HDF5 changes a copy: what is there stays until the new one is whole. */
static int take_over(crm_row_file *rows, const char *path, crm_mark from)
{
    int status = crm_resumed_copy_all(path, rows->output.stream, &rows->resumed);
    rows->mark.rows = rows->resumed ? from.rows : 0;
    return rows->resumed && from.bytes > 0 ? crm_resumed_refuse(path) : status;
}

int crm_row_file_open(crm_row_file *rows, const char *path, const char *heading,
                      const crm_mark *from)
{
    *rows = (crm_row_file){0};
    int status = crm_plugin_is_hdf5(path) ? crm_plugin_hdf5(path, &rows->module) : CRM_EXIT_DONE;
    status = status == CRM_EXIT_DONE ? crm_output_open(&rows->output, path) : status;
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (rows->module != NULL) {
        return from != NULL ? take_over(rows, path, *from) : CRM_EXIT_DONE;
    }
    return crm_resumed_copy(path, heading, from, rows->output.stream, &rows->mark);
}

static int go_on(crm_row_file *rows, const crm_file_header *header, const char *name,
                 const crm_series *series, size_t count)
{
    char problem[512];
    rows->stream =
        rows->module->reopen(rows->output.temporary, name, series, count, (size_t)rows->mark.rows,
                             header->time, problem, sizeof problem);
    return rows->stream != NULL ? CRM_EXIT_DONE : crm_resumed_refuse(rows->output.target);
}

int crm_row_file_group(crm_row_file *rows, const crm_file_header *header, const char *name,
                       const crm_series *series, size_t count)
{
    static const char *const names[] = {"carom", "title", "scenario", "set"};
    const char *const values[] = {crm_version(), header->scenario->title, header->text,
                                  header->sets};
    const crm_texts about = {sizeof names / sizeof names[0], names, values}, none = {0};
    char problem[512];
    if (rows->output.temporary == NULL) {
        return crm_output_refuse_for(rows->output.target != NULL ? rows->output.target
                                                                 : "standard output",
                                     "HDF5 needs a regular file, not a device or a pipe");
    }
    if (rows->resumed) {
        return go_on(rows, header, name, series, count);
    }
    rows->stream = rows->module->open(rows->output.temporary, &about, problem, sizeof problem);
    if (rows->stream == NULL) {
        return crm_output_refuse_for(rows->output.target, problem);
    }
    /* To put it in its place says why not, before HDF5 is asked for anything else. */
    rows->failed = !rows->module->group(rows->stream, name, &none, series, count);
    return rows->failed ? crm_row_file_commit(rows) : CRM_EXIT_DONE;
}

void crm_row_file_append(crm_row_file *rows, const void *const *row)
{
    rows->failed = rows->failed || !rows->module->append(rows->stream, row);
}

bool crm_row_file_failed(const crm_row_file *rows)
{
    return rows->failed || rows->out_of_memory ||
           (rows->output.stream != NULL && ferror(rows->output.stream));
}

crm_mark crm_row_file_mark(crm_row_file *rows)
{
    bool text = rows->output.stream != NULL && rows->module == NULL;
    long bytes = text ? ftell(rows->output.stream) : 0;
    rows->mark.bytes = bytes > 0 ? (uint64_t)bytes : 0;
    return rows->mark;
}

/* HDF5 wrote to the temporary file by its name; the output only has to put it in its place. */
int crm_row_file_commit(crm_row_file *rows)
{
    if (rows->stream != NULL) {
        char problem[512];
        bool good = rows->module->close(rows->stream, problem, sizeof problem);
        rows->stream = NULL;
        if (!good) {
            return crm_output_refuse_for(rows->output.target, problem);
        }
    }
    return crm_output_commit(&rows->output);
}

void crm_row_file_abandon(crm_row_file *rows)
{
    if (rows->stream != NULL) {
        rows->module->abandon(rows->stream);
        rows->stream = NULL;
    }
    crm_output_abandon(&rows->output);
}
