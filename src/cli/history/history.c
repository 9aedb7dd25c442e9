#include "cli/history/history.h"

#include <stdlib.h>

#include "base/base.h"
#include "carom/carom.h"
#include "cli/plugin.h"

static void open_csv(crm_history_file *file, const crm_scenario *scenario)
{
    file->csv = (crm_history_csv){.stream = file->output.stream,
                                  .model = scenario->model,
                                  .generalized = scenario->generalized,
                                  .choice = &file->choice};
    file->history.format = &crm_history_as_csv;
    file->history.to = &file->csv;
    crm_history_csv_begin(&file->csv);
}

static int open_hdf5(crm_history_file *file, const char *path, const crm_scenario *scenario)
{
    if (file->output.temporary == NULL) {
        return crm_output_refuse_for(path, "HDF5 needs a regular file, not a device or a pipe");
    }
    static const char *const names[] = {"carom", "title"};
    const char *const values[] = {crm_version(), scenario->title};
    const crm_texts about = {2, names, values};
    crm_history_hdf5 *hdf5 = &file->hdf5;
    char problem[512];
    hdf5->stream = hdf5->module->open(file->output.temporary, &about, problem, sizeof problem);
    if (hdf5->stream == NULL) {
        return crm_output_refuse_for(path, problem);
    }
    hdf5->coordinates = file->choice.coordinates;
    hdf5->contacts = file->choice.contacts;
    hdf5->generalized = scenario->generalized;
    if (!crm_history_hdf5_names(hdf5, scenario->model, &file->choice)) {
        return crm_message_memory();
    }
    file->history.format = &crm_history_as_hdf5;
    file->history.to = hdf5;
    return CRM_EXIT_DONE;
}

/* What it is of; where that is not everything, with room to put it side by side. */
static int choose(crm_history_file *file, const crm_scenario *scenario)
{
    crm_error error = {0};
    const char *list = scenario->history_of;
    if (crm_choice_make(scenario->model, list, &file->choice, &error) != CRM_OK) {
        crm_read_error where;
        if (error.status == CRM_ERROR_MEMORY) {
            return crm_message_memory();
        }
        crm_scenario_fail_at(scenario, "history.of", &error, &where);
        return crm_message_read_error(CRM_EXIT_SCENARIO, &where);
    }
    if (list != NULL) {
        file->history.choice = file->choice;
        file->history.room = CRM_NEW(double, file->choice.coordinates + 4 * file->choice.contacts);
    }
    return list == NULL || file->history.room != NULL ? CRM_EXIT_DONE : crm_message_memory();
}

int crm_history_file_open(crm_history_file *file, const char *path, const crm_scenario *scenario)
{
    *file = (crm_history_file){.history.interval = scenario->history_interval};
    bool as_hdf5 = crm_plugin_is_hdf5(path);
    int status = choose(file, scenario);
    status =
        status == CRM_EXIT_DONE && as_hdf5 ? crm_plugin_hdf5(path, &file->hdf5.module) : status;
    status = status == CRM_EXIT_DONE ? crm_output_open(&file->output, path) : status;
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (as_hdf5) {
        return open_hdf5(file, path, scenario);
    }
    open_csv(file, scenario);
    return CRM_EXIT_DONE;
}

bool crm_history_file_failed(const crm_history_file *file)
{
    return file->hdf5.failed || (file->csv.stream != NULL && ferror(file->csv.stream));
}

/* HDF5 wrote to the temporary file by its name; the output only has to put it in its place. */
int crm_history_file_commit(crm_history_file *file)
{
    if (file->hdf5.stream != NULL) {
        char problem[512];
        bool good = file->hdf5.module->close(file->hdf5.stream, problem, sizeof problem);
        file->hdf5.stream = NULL;
        if (!good) {
            return crm_output_refuse_for(file->output.target, problem);
        }
    }
    return crm_output_commit(&file->output);
}

void crm_history_file_abandon(crm_history_file *file)
{
    if (file->hdf5.stream != NULL) {
        file->hdf5.module->abandon(file->hdf5.stream);
        file->hdf5.stream = NULL;
    }
    crm_output_abandon(&file->output);
    free(file->history.room);
    file->history.room = NULL;
    free(file->hdf5.names[0]);
    free(file->hdf5.names[1]);
    file->hdf5.names[0] = file->hdf5.names[1] = NULL;
    crm_choice_free(&file->choice);
}
