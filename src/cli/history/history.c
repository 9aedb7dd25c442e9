#include "cli/history/history.h"

#include "carom/carom.h"
#include "cli/plugin.h"

static void open_csv(crm_history_file *file, const crm_scenario *scenario)
{
    file->csv = (crm_history_csv){.stream = file->output.stream, .model = scenario->model};
    file->history.format = &crm_history_as_csv;
    file->history.to = &file->csv;
    crm_history_csv_begin(&file->csv);
}

static int open_hdf5(crm_history_file *file, const char *path, const crm_scenario *scenario)
{
    if (file->output.temporary == NULL) {
        return crm_output_refuse_for(path, "HDF5 needs a file of its own, not a device or a pipe");
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
    hdf5->coordinates = crm_model_coordinates(scenario->model);
    hdf5->contacts = crm_model_contacts(scenario->model);
    hdf5->generalized = scenario->generalized;
    file->history.format = &crm_history_as_hdf5;
    file->history.to = hdf5;
    return CRM_EXIT_DONE;
}

int crm_history_file_open(crm_history_file *file, const char *path, const crm_scenario *scenario)
{
    *file = (crm_history_file){.history.interval = scenario->history_interval};
    bool as_hdf5 = crm_is_hdf5(path);
    int status = as_hdf5 ? crm_plugin_hdf5(path, &file->hdf5.module) : CRM_EXIT_DONE;
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
}
