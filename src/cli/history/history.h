/* The file of --history: CSV or HDF5 by its name, written row by row, completely or not at all. */
#ifndef CRM_CLI_HISTORY_H
#define CRM_CLI_HISTORY_H

#include "cli/cli.h"
#include "plugin/plugin.h"
#include "report/report.h"
#include "scenario/scenario.h"

enum { CRM_HISTORY_SERIES = 8, CRM_HISTORY_TEXTS = 3 };

/* Samples as HDF5: a group for each law. */
typedef struct crm_history_hdf5 {
    const crm_hdf5_module *module;
    crm_hdf5_stream *stream;
    const crm_model *model;
    size_t coordinates, contacts;
    bool generalized; /* no units: coordinates may be anything */
    char *names[2];   /* of coordinates and contacts, in lines */
    const char *texts[CRM_HISTORY_SERIES][CRM_HISTORY_TEXTS]; /* attributes of each series */
    bool failed;
} crm_history_hdf5;

/* Names the columns; false: no memory. */
bool crm_history_hdf5_names(crm_history_hdf5 *to, const crm_model *model, const crm_choice *choice);

extern const crm_history_format crm_history_as_hdf5; /* to a crm_history_hdf5 */

typedef struct crm_history_file {
    crm_history history;
    crm_choice choice;
    crm_output output;
    crm_history_csv csv;   /* one of these two */
    crm_history_hdf5 hdf5; /* module NULL: the other */
} crm_history_file;

/* The same as for crm_output: an exit status, after printing what went wrong. */
int crm_history_file_open(crm_history_file *file, const char *path, const crm_scenario *scenario);
int crm_history_file_commit(crm_history_file *file);
void crm_history_file_abandon(crm_history_file *file); /* also after a commit, or zeroed */
/* Whether something could not be written; then a commit says why. */
bool crm_history_file_failed(const crm_history_file *file);

#endif
