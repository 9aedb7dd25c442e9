/* --impacts: CSV with a row for every impact, HDF5 with one for every contact of each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/simulate/simulate.h"

/* ---- HDF5 ------------------------------------------------------------------------------------ */

enum { IMPACT, TIME, FIRST, SECOND, CLOSING_SPEED, IMPULSE, LOST, SOLVED, PEAK_FORCE, SERIES };

#define PEAK_FORCES "largest force in the contact; NaN: not defined by the law"
static const char *const keys[] = {"unit", "about"};
static const char *const about[SERIES][2] = {
    [IMPACT] = {"1", "number of the impact, from 1; a row for each of its contacts"},
    [TIME] = {"s", "of the impact"},
    [FIRST] = {"1", "body, from 1; walls follow the bodies"},
    [SECOND] = {"1", "the second body or wall"},
    [CLOSING_SPEED] = {"m/s", "before; negative: it opens"},
    [IMPULSE] = {"N s", "of the contact"},
    [LOST] = {"J", "in the whole impact, in the row of its first contact; 0 in the others"},
    [SOLVED] = {"1", "1: the law terminated"},
    [PEAK_FORCE] = {"N", PEAK_FORCES}};
/* Needed until the file is closed, too. */
static const char *const about_bare[2] = {crm_field_unit_relative, PEAK_FORCES};

static int make_group(crm_row_file *file, const crm_file_header *header, const crm_scene_def *scene)
{
    static const char *const names[SERIES] = {"impact", "time",          "first",
                                              "second", "closing_speed", "impulse",
                                              "lost",   "solved",        "peak_force"};
    bool bare = strcmp(crm_scene_force_unit(scene), crm_field_unit_relative) == 0;
    crm_series series[SERIES];
    for (size_t k = 0; k < SERIES; k++) {
        bool whole = k == IMPACT || k == FIRST || k == SECOND || k == SOLVED;
        series[k] = (crm_series){names[k],
                                 whole ? CRM_COLUMN_INTEGER : CRM_COLUMN_NUMBER,
                                 true,
                                 1,
                                 {2, keys, bare && k == PEAK_FORCE ? about_bare : about[k]}};
    }
    return crm_row_file_group(file, header, "impacts", series, SERIES);
}

static void add_contact(crm_row_file *file, const crm_impact_report *impact, size_t j)
{
    const uint64_t number = impact->number, first = impact->party[j][0] + 1,
                   second = impact->party[j][1] + 1, solved = impact->result == CRM_SOLVED;
    const double lost = j == 0 ? impact->lost : 0;
    const double peak = impact->peak_force != NULL ? impact->peak_force[j] : NAN;
    const void *const row[SERIES] = {[IMPACT] = &number,
                                     [TIME] = &impact->time,
                                     [FIRST] = &first,
                                     [SECOND] = &second,
                                     [CLOSING_SPEED] = &impact->closing_speed[j],
                                     [IMPULSE] = &impact->impulse[j],
                                     [LOST] = &lost,
                                     [SOLVED] = &solved,
                                     [PEAK_FORCE] = &peak};
    crm_row_file_append(file, row);
}

/* ---- Any ------------------------------------------------------------------------------------- */

static void write_heading(const void *of, FILE *stream)
{
    (void)of; /* the same for all */
    crm_motion_csv_impacts_heading(stream);
}

int crm_impacts_open(crm_row_file *file, const char *path, const crm_file_header *header,
                     const crm_mark *from)
{
    char *heading = crm_resumed_heading(write_heading, NULL);
    int status =
        heading != NULL ? crm_row_file_open(file, path, heading, from) : crm_message_memory();
    free(heading);
    return status == CRM_EXIT_DONE && file->module != NULL
               ? make_group(file, header, &header->scenario->motion->scene)
               : status;
}

void crm_impacts_add(crm_row_file *file, const crm_scene_def *scene,
                     const crm_impact_report *impact)
{
    file->mark.rows += file->module != NULL ? impact->contacts : 1;
    for (size_t j = 0; file->module != NULL && j < impact->contacts; j++) {
        add_contact(file, impact, j);
    }
    if (file->module == NULL) {
        file->out_of_memory |= !crm_motion_csv_impacts_row(scene, file->output.stream, impact);
    }
}
