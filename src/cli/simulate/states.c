/* --history of a motion: states in time. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "cli/simulate/simulate.h"

/* Whether the file is for ParaView, by its name. */
static bool is_collection(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".pvd") == 0;
}

/* ---- Of which bodies ------------------------------------------------------------------------- */

static bool is_chosen(const crm_states_file *file, size_t body)
{
    return file->chosen == NULL || file->chosen[body];
}

/* Those of the bodies chosen; false: no memory. */
static bool select_numbers(const crm_states_file *file, bool velocity, crm_selection *selection)
{
    size_t all = crm_scene_coordinates(file->scene, velocity);
    *selection = (crm_selection){.count = all};
    if (file->chosen == NULL) {
        return true;
    }
    selection->count = 0;
    selection->place = CRM_NEW(size_t, all);
    selection->value = CRM_NEW(double, all);
    if (selection->place == NULL || selection->value == NULL) {
        return false;
    }
    crm_scene_walk walk = crm_scene_begin(file->scene, velocity);
    for (size_t k = 0; crm_scene_next(&walk); k++) {
        if (is_chosen(file, walk.body)) {
            selection->place[selection->count++] = k;
        }
    }
    return true;
}

static const double *values_of(const crm_selection *selection, const double *state)
{
    if (selection->place == NULL) {
        return state;
    }
    for (size_t k = 0; k < selection->count; k++) {
        selection->value[k] = state[selection->place[k]];
    }
    return selection->value;
}

static int report_error(const crm_scenario *scenario, const crm_error *error)
{
    crm_read_error where;
    crm_scenario_fail_at(scenario, "history.of", error, &where);
    return crm_message_read_error(CRM_EXIT_SCENARIO, &where);
}

/* What the scenario's history.of names. */
static int choose(crm_states_file *file, const crm_scenario *scenario)
{
    crm_error error = {0};
    if (scenario->history_of != NULL) {
        file->chosen = CRM_NEW(bool, file->scene->bodies.body_count);
        crm_status status =
            file->chosen == NULL
                ? CRM_ERROR_MEMORY
                : crm_scene_choose(file->scene, scenario->history_of, file->chosen, &error);
        if (status != CRM_OK) {
            return status == CRM_ERROR_MEMORY ? crm_message_memory()
                                              : report_error(scenario, &error);
        }
    }
    bool good =
        select_numbers(file, false, &file->position) && select_numbers(file, true, &file->velocity);
    return good ? CRM_EXIT_DONE : crm_message_memory();
}

/* ---- HDF5 ------------------------------------------------------------------------------------ */

enum { TIME, POSITION, VELOCITY, SERIES };

/* "ball x", "ball y", ... of positions or velocities; to be freed. */
static char *list_names(const crm_states_file *file, bool velocity)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    crm_scene_walk walk = crm_scene_begin(file->scene, velocity);
    const char *between = "";
    while (stream != NULL && crm_scene_next(&walk)) {
        char name[CRM_COORDINATE_SIZE];
        if (is_chosen(file, walk.body)) {
            crm_scene_name(&walk, name, sizeof name);
            fprintf(stream, "%s%s", between, name);
            between = "\n";
        }
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return text;
}

static int make_group(crm_states_file *file, const crm_file_header *header)
{
    static const char *const keys[] = {"unit", "columns"};
    for (int k = 0; k < 2; k++) {
        file->names[k] = list_names(file, k == 1);
        if (file->names[k] == NULL) {
            return crm_message_memory();
        }
    }
    const char *const about[SERIES][2] = {[TIME] = {"s", "time"},
                                          [POSITION] = {"m; rad of an angle", file->names[0]},
                                          [VELOCITY] = {"m/s; rad/s of a spin", file->names[1]}};
    memcpy(file->about, about, sizeof about);
    const crm_series series[SERIES] = {
        [TIME] = {"time", CRM_COLUMN_NUMBER, true, 1, {2, keys, file->about[TIME]}},
        [POSITION] = {"position",
                      CRM_COLUMN_NUMBER,
                      false,
                      file->position.count,
                      {2, keys, file->about[POSITION]}},
        [VELOCITY] = {"velocity",
                      CRM_COLUMN_NUMBER,
                      false,
                      file->velocity.count,
                      {2, keys, file->about[VELOCITY]}}};
    return crm_row_file_group(&file->rows, header, "states", series, SERIES);
}

/* ---- Any ------------------------------------------------------------------------------------- */

static void write_heading(const void *of, FILE *stream)
{
    const crm_states_file *file = of;
    crm_motion_csv_states_heading(file->scene, file->chosen, stream);
}

int crm_states_open(crm_states_file *file, const char *path, const crm_file_header *header,
                    const crm_mark *from)
{
    *file = (crm_states_file){.scene = &header->scenario->motion->scene};
    int status = choose(file, header->scenario);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (is_collection(path)) {
        return crm_collection_open(&file->collection, path, file->scene, file->chosen, from);
    }
    if (file->chosen != NULL && file->position.count + file->velocity.count == 0) {
        const crm_error error = {.status = CRM_ERROR_OPTION, .message = "names fixed bodies only"};
        return report_error(header->scenario, &error);
    }
    char *heading = crm_resumed_heading(write_heading, file);
    status = heading != NULL ? crm_row_file_open(&file->rows, path, heading, from)
                             : crm_message_memory();
    free(heading);
    return status == CRM_EXIT_DONE && file->rows.module != NULL ? make_group(file, header) : status;
}

void crm_states_add(crm_states_file *file, double time, const double *position,
                    const double *velocity)
{
    if (file->collection != NULL) {
        crm_collection_add(file->collection, time, position, velocity);
        return;
    }
    file->rows.mark.rows++;
    const double *places = values_of(&file->position, position);
    const double *speeds = values_of(&file->velocity, velocity);
    if (file->rows.module != NULL) {
        const void *const row[SERIES] = {[TIME] = &time, [POSITION] = places, [VELOCITY] = speeds};
        crm_row_file_append(&file->rows, row);
    } else {
        crm_motion_csv_states_row(file->rows.output.stream, time, file->position.count, places,
                                  file->velocity.count, speeds);
    }
}

bool crm_states_failed(const crm_states_file *file)
{
    return crm_row_file_failed(&file->rows) || crm_collection_failed(file->collection);
}

crm_mark crm_states_mark(crm_states_file *file)
{
    return file->collection != NULL ? crm_collection_mark(file->collection)
                                    : crm_row_file_mark(&file->rows);
}

int crm_states_commit(crm_states_file *file)
{
    return file->collection != NULL ? crm_collection_commit(file->collection)
                                    : crm_row_file_commit(&file->rows);
}

static void drop(crm_selection *selection)
{
    free(selection->place);
    free(selection->value);
    *selection = (crm_selection){0};
}

void crm_states_abandon(crm_states_file *file)
{
    crm_collection_abandon(file->collection);
    file->collection = NULL;
    crm_row_file_abandon(&file->rows);
    drop(&file->position);
    drop(&file->velocity);
    free(file->chosen);
    file->chosen = NULL;
    for (int k = 0; k < 2; k++) {
        free(file->names[k]);
        file->names[k] = NULL;
    }
}
