/* States, impacts and the last state as CSV. */
#include "report/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/bodies/touches.h"

const char *crm_motion_scheme_text(crm_motion_scheme scheme)
{
    return scheme == CRM_TIME_STEPPING ? "time-stepping" : "event-driven";
}

/* ---- States ---------------------------------------------------------------------------------- */

static void write_names(const crm_scene_def *scene, const bool *chosen, bool velocity, FILE *stream)
{
    for (crm_scene_walk walk = crm_scene_begin(scene, velocity); crm_scene_next(&walk);) {
        char name[CRM_COORDINATE_SIZE];
        if (chosen != NULL && !chosen[walk.body]) {
            continue;
        }
        crm_scene_name(&walk, name, sizeof name);
        fputc(',', stream);
        crm_csv_text(stream, name);
    }
}

static void write_numbers(FILE *stream, size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        crm_csv_number(stream, values[i]);
    }
}

void crm_motion_csv_states_heading(const crm_scene_def *scene, const bool *chosen, FILE *stream)
{
    fputs("time", stream);
    write_names(scene, chosen, false, stream);
    write_names(scene, chosen, true, stream);
    fputc('\n', stream);
}

void crm_motion_csv_states_row(FILE *stream, double time, size_t positions, const double *position,
                               size_t velocities, const double *velocity)
{
    crm_csv_number(stream, time);
    write_numbers(stream, positions, position);
    write_numbers(stream, velocities, velocity);
    fputc('\n', stream);
}

void crm_motion_report_csv(const crm_motion_report *report, FILE *stream)
{
    size_t index = 0;
    fputs("index,name,position,velocity\n", stream);
    for (crm_scene_pairs pairs = {0}; crm_scene_next_pair(&pairs, report->moved.scene);) {
        fprintf(stream, "%zu,", ++index);
        crm_csv_text(stream, pairs.name);
        write_numbers(stream, 1,
                      pairs.has[0] ? &report->moved.position[pairs.index[0]] : &(double){NAN});
        write_numbers(stream, 1,
                      pairs.has[1] ? &report->moved.velocity[pairs.index[1]] : &(double){NAN});
        fputc('\n', stream);
    }
}

/* ---- Impacts --------------------------------------------------------------------------------- */

void crm_motion_csv_impacts_heading(FILE *stream)
{
    fputs("impact,time,contacts,closing_speed,lost,impulse,status,kinematic,kinetic,energetic,"
          "unique,peak_force\n",
          stream);
}

/* Quoted when one of the names must be. False: no memory. */
static bool write_contacts(const crm_scene_def *scene, FILE *stream,
                           const crm_impact_report *impact)
{
    char *text = NULL;
    size_t size = 0;
    FILE *names = open_memstream(&text, &size);
    for (size_t j = 0; names != NULL && j < impact->contacts; j++) {
        char name[2 * CRM_NAME_SIZE + 32];
        crm_impact_contact_name(scene, impact->party[j], crm_impact_contact_number(impact, j), name,
                                sizeof name);
        fprintf(names, "%s%s", j > 0 ? ";" : "", name);
    }
    bool whole = names != NULL && !ferror(names);
    whole = names != NULL && fclose(names) == 0 && text != NULL && whole;
    if (whole) {
        crm_csv_text(stream, text);
    }
    free(text);
    return whole;
}

static void write_joined(FILE *stream, size_t count, const double *values)
{
    for (size_t j = 0; j < count; j++) {
        fputs(j > 0 ? ";" : "", stream);
        crm_csv_number(stream, values[j]);
    }
}

bool crm_motion_csv_impacts_row(const crm_scene_def *scene, FILE *stream,
                                const crm_impact_report *impact)
{
    fprintf(stream, "%llu,", (unsigned long long)impact->number);
    crm_csv_number(stream, impact->time);
    fputc(',', stream);
    bool whole = write_contacts(scene, stream, impact);
    fputc(',', stream);
    write_joined(stream, impact->contacts, impact->closing_speed);
    fputc(',', stream);
    crm_csv_number(stream, impact->lost);
    fputc(',', stream);
    write_joined(stream, impact->contacts, impact->impulse);
    fprintf(stream, ",%s,%d,%d,%d,%d,", crm_result_text(impact->result), impact->kinematic,
            impact->kinetic, impact->energetic, impact->unique);
    write_joined(stream, impact->peak_force != NULL ? impact->contacts : 0, impact->peak_force);
    fputc('\n', stream);
    return whole;
}
