/* --history of a motion: states in time. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "cli/simulate/simulate.h"

bool crm_is_collection(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".pvd") == 0;
}

/* ---- HDF5 ------------------------------------------------------------------------------------ */

enum { TIME, POSITION, VELOCITY, SERIES };

/* "ball x", "ball y", ... of positions or velocities; to be freed. */
static char *list_names(const crm_scene_def *scene, bool velocity)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    crm_scene_walk walk = crm_scene_begin(scene, velocity);
    for (size_t k = 0; stream != NULL && crm_scene_next(&walk); k++) {
        char name[CRM_COORDINATE_SIZE];
        crm_scene_name(&walk, name, sizeof name);
        fprintf(stream, "%s%s", k > 0 ? "\n" : "", name);
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return text;
}

static int make_group(crm_states_file *file, const crm_told *told)
{
    static const char *const keys[] = {"unit", "columns"};
    for (int k = 0; k < 2; k++) {
        file->names[k] = list_names(file->scene, k == 1);
        if (file->names[k] == NULL) {
            return crm_say_memory();
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
                      file->positions,
                      {2, keys, file->about[POSITION]}},
        [VELOCITY] = {"velocity",
                      CRM_COLUMN_NUMBER,
                      false,
                      file->velocities,
                      {2, keys, file->about[VELOCITY]}}};
    return crm_rows_group(&file->rows, told, "states", series, SERIES);
}

/* ---- Any ------------------------------------------------------------------------------------- */

int crm_states_open(crm_states_file *file, const char *path, const crm_told *told,
                    const crm_mark *from)
{
    *file = (crm_states_file){.scene = &told->scenario->motion->scene};
    file->positions = crm_scene_coordinates(file->scene, false);
    file->velocities = crm_scene_coordinates(file->scene, true);
    if (crm_is_collection(path)) {
        return crm_collection_open(&file->collection, path, file->scene, from);
    }
    char *heading = crm_heading_text(crm_states_begin, file->scene);
    int status =
        heading != NULL ? crm_rows_open(&file->rows, path, heading, from) : crm_say_memory();
    free(heading);
    return status == CRM_EXIT_DONE && file->rows.module != NULL ? make_group(file, told) : status;
}

void crm_states_add(crm_states_file *file, double time, const double *position,
                    const double *velocity)
{
    if (file->collection != NULL) {
        crm_collection_add(file->collection, time, position, velocity);
        return;
    }
    file->rows.mark.rows++;
    if (file->rows.module != NULL) {
        const void *const row[SERIES] = {
            [TIME] = &time, [POSITION] = position, [VELOCITY] = velocity};
        crm_rows_append(&file->rows, row);
    } else {
        crm_states_row(file->rows.output.stream, time, file->positions, position, file->velocities,
                       velocity);
    }
}

bool crm_states_failed(const crm_states_file *file)
{
    return crm_rows_failed(&file->rows) || crm_collection_failed(file->collection);
}

crm_mark crm_states_mark(crm_states_file *file)
{
    return file->collection != NULL ? crm_collection_mark(file->collection)
                                    : crm_rows_mark(&file->rows);
}

int crm_states_commit(crm_states_file *file)
{
    return file->collection != NULL ? crm_collection_commit(file->collection)
                                    : crm_rows_commit(&file->rows);
}

void crm_states_abandon(crm_states_file *file)
{
    crm_collection_abandon(file->collection);
    file->collection = NULL;
    crm_rows_abandon(&file->rows);
    for (int k = 0; k < 2; k++) {
        free(file->names[k]);
        file->names[k] = NULL;
    }
}
