#include <math.h>

#include "report/report.h"

static void write_names(FILE *stream, const char *name, size_t count)
{
    for (size_t i = 1; i <= count; i++) {
        fprintf(stream, ",%s[%zu]", name, i);
    }
}

void crm_history_begin(crm_history *history)
{
    size_t s = crm_model_contacts(history->model);
    fputs("law,time,primary,primary_impulse", history->stream);
    write_names(history->stream, "v", crm_model_coordinates(history->model));
    write_names(history->stream, "force", s);
    write_names(history->stream, "energy", s);
    write_names(history->stream, "closing_speed", s);
    write_names(history->stream, "impulse", s);
    fputc('\n', history->stream);
}

void crm_history_law(crm_history *history, const char *label)
{
    history->label = label;
    history->next = 0;
}

/* A time is a multiple of the interval when it is one to rounding. */
static const double MULTIPLE_TOLERANCE = 1e-9;

/* A law samples at every step and at the multiples; with an interval only those are wanted. */
static bool is_due(crm_history *history, double time)
{
    if (!(history->interval > 0)) {
        return true;
    }
    double multiple = time / history->interval;
    if (multiple < (double)history->next - MULTIPLE_TOLERANCE * fmax(1, multiple)) {
        return false;
    }
    if (fabs(multiple - round(multiple)) > MULTIPLE_TOLERANCE * fmax(1, multiple)) {
        return false;
    }
    history->next = (uint64_t)round(multiple) + 1;
    return true;
}

static void write_numbers(FILE *stream, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        if (values != NULL) {
            crm_csv_number(stream, values[i]);
        }
    }
}

crm_status crm_history_record(void *context, const crm_sample *sample)
{
    crm_history *history = context;
    if (!is_due(history, sample->time)) {
        return CRM_OK;
    }
    FILE *stream = history->stream;
    size_t s = crm_model_contacts(history->model);
    crm_csv_text(stream, history->label);
    fputc(',', stream);
    crm_csv_number(stream, sample->time);
    fputc(',', stream);
    if (sample->primary != SIZE_MAX) {
        fprintf(stream, "%zu", sample->primary + 1);
    }
    fputc(',', stream);
    crm_csv_number(stream, sample->primary_impulse);
    write_numbers(stream, sample->velocity, crm_model_coordinates(history->model));
    write_numbers(stream, sample->force, s);
    write_numbers(stream, sample->stored_energy, s);
    write_numbers(stream, sample->closing_speed, s);
    write_numbers(stream, sample->impulse, s);
    fputc('\n', stream);
    history->rows++;
    return ferror(stream) ? CRM_ERROR_STOPPED : CRM_OK;
}
