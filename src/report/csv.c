#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/report.h"

void crm_csv_text(FILE *stream, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"') {
            fputc('"', stream);
        }
        fputc(*at, stream);
    }
    fputc('"', stream);
}

void crm_csv_number(FILE *stream, double value)
{
    if (!isnan(value)) {
        fprintf(stream, "%.17g", value == 0 ? 0.0 : value); /* no "-0" */
    }
}

/* ---- The columns -------------------------------------------------------------------------- */

enum {
    VELOCITY_BEFORE,
    VELOCITY,
    GAP_BEFORE,
    GAP,
    IMPULSE,
    LOSS,
    PEAK_FORCE,
    CONTACT_DURATION,
    COMPRESSIONS,
    ENERGY_BEFORE,
    ENERGY_AFTER,
    DURATION,
    STEPS,
    NUMBERS
};

static const char *const number_names[NUMBERS] = {
    [VELOCITY_BEFORE] = "velocity_before",
    [VELOCITY] = "velocity",
    [GAP_BEFORE] = "gap_velocity_before",
    [GAP] = "gap_velocity",
    [IMPULSE] = "impulse",
    [LOSS] = "loss",
    [PEAK_FORCE] = "peak_force",
    [CONTACT_DURATION] = "contact_duration",
    [COMPRESSIONS] = "compressions",
    [ENERGY_BEFORE] = "energy_before",
    [ENERGY_AFTER] = "energy_after",
    [DURATION] = "duration",
    [STEPS] = "steps",
};

static void write_heading(FILE *stream)
{
    fputs("law,label,status,kind,index,name", stream);
    for (size_t i = 0; i < NUMBERS; i++) {
        fprintf(stream, ",%s", number_names[i]);
    }
    fputc('\n', stream);
}

static void clear(double *numbers)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        numbers[i] = NAN;
    }
}

static void write_row(FILE *stream, const crm_report_entry *entry, const char *kind, size_t index,
                      const char *name, const double *numbers)
{
    fprintf(stream, "%s,", entry->law->name);
    crm_csv_text(stream, entry->label);
    fprintf(stream, ",%s,%s,%zu,", crm_entry_status(entry), kind, index);
    crm_csv_text(stream, name);
    for (size_t i = 0; i < NUMBERS; i++) {
        fputc(',', stream);
        crm_csv_number(stream, numbers[i]);
    }
    fputc('\n', stream);
}

/* ---- The rows ----------------------------------------------------------------------------- */

static double at(const double *values, size_t index)
{
    return values != NULL ? values[index] : NAN;
}

static void write_coordinates(const crm_report *report, const crm_report_entry *entry, FILE *stream)
{
    char name[CRM_NAME_SIZE];
    double numbers[NUMBERS];
    clear(numbers);
    for (size_t i = 0; i < crm_model_coordinates(report->model); i++) {
        crm_coordinate_name(report->model, i, name, sizeof name);
        numbers[VELOCITY_BEFORE] = report->velocity[i];
        numbers[VELOCITY] = entry->outcome != NULL ? at(entry->outcome->velocity, i) : NAN;
        write_row(stream, entry, "coordinate", i + 1, name, numbers);
    }
}

static void fill_contact(const crm_outcome *outcome, size_t j, double *numbers)
{
    numbers[GAP] = at(outcome->gap_velocity, j);
    numbers[IMPULSE] = at(outcome->impulse, j);
    numbers[LOSS] = at(outcome->loss, j);
    numbers[PEAK_FORCE] = at(outcome->peak_force, j);
    numbers[CONTACT_DURATION] = at(outcome->contact_duration, j);
    numbers[COMPRESSIONS] =
        outcome->compressions != NULL ? (double)outcome->compressions[j] : (double)NAN;
}

static void write_contacts(const crm_report *report, const crm_report_entry *entry,
                           const double *gap_before, FILE *stream)
{
    char name[2 * CRM_NAME_SIZE];
    double numbers[NUMBERS];
    for (size_t j = 0; j < crm_model_contacts(report->model); j++) {
        clear(numbers);
        crm_contact_name(report->model, j, name, sizeof name);
        numbers[GAP_BEFORE] = gap_before[j];
        if (entry->outcome != NULL) {
            fill_contact(entry->outcome, j, numbers);
        }
        write_row(stream, entry, "contact", j + 1, name, numbers);
    }
}

static void write_impact(const crm_report *report, const crm_report_entry *entry, FILE *stream)
{
    double numbers[NUMBERS];
    clear(numbers);
    numbers[ENERGY_BEFORE] = crm_model_kinetic_energy(report->model, report->velocity);
    if (entry->outcome != NULL) {
        numbers[ENERGY_AFTER] = entry->outcome->energy_after;
        numbers[DURATION] = entry->outcome->duration;
        numbers[STEPS] = (double)entry->outcome->steps;
    }
    write_row(stream, entry, "impact", 1, report->title, numbers);
}

crm_status crm_report_csv(const crm_report *report, FILE *stream, crm_error *error)
{
    double *gap_before = CRM_NEW(double, crm_model_contacts(report->model));
    if (gap_before == NULL) {
        return crm_fail_memory(error);
    }
    crm_model_gap_velocity(report->model, report->velocity, gap_before);
    write_heading(stream);
    for (size_t i = 0; i < report->count; i++) {
        write_coordinates(report, &report->entries[i], stream);
        write_contacts(report, &report->entries[i], gap_before, stream);
        write_impact(report, &report->entries[i], stream);
    }
    free(gap_before);
    return CRM_OK;
}
