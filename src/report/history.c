#include <math.h>

#include "report/report.h"

/* ---- Which samples -------------------------------------------------------------------------- */

void crm_history_law(crm_history *history, const char *label)
{
    history->next = 0;
    history->format->law(history->to, label);
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

crm_status crm_history_record(void *context, const crm_sample *sample)
{
    crm_history *history = context;
    if (!is_due(history, sample->time)) {
        return CRM_OK;
    }
    history->rows++;
    return history->format->sample(history->to, sample) ? CRM_OK : CRM_ERROR_STOPPED;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void write_names(FILE *stream, const char *name, size_t count)
{
    for (size_t i = 1; i <= count; i++) {
        fprintf(stream, ",%s[%zu]", name, i);
    }
}

void crm_history_csv_begin(const crm_history_csv *csv)
{
    size_t s = crm_model_contacts(csv->model);
    fputs("law,time,primary,primary_impulse", csv->stream);
    write_names(csv->stream, "v", crm_model_coordinates(csv->model));
    write_names(csv->stream, "force", s);
    write_names(csv->stream, "energy", s);
    write_names(csv->stream, "closing_speed", s);
    write_names(csv->stream, "impulse", s);
    fputc('\n', csv->stream);
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

static void begin_law(void *to, const char *label)
{
    crm_history_csv *csv = to;
    csv->label = label;
}

static bool write_sample(void *to, const crm_sample *sample)
{
    const crm_history_csv *csv = to;
    FILE *stream = csv->stream;
    size_t s = crm_model_contacts(csv->model);
    crm_csv_text(stream, csv->label);
    fputc(',', stream);
    crm_csv_number(stream, sample->time);
    fputc(',', stream);
    if (sample->primary != SIZE_MAX) {
        fprintf(stream, "%zu", sample->primary + 1);
    }
    fputc(',', stream);
    crm_csv_number(stream, sample->primary_impulse);
    write_numbers(stream, sample->velocity, crm_model_coordinates(csv->model));
    write_numbers(stream, sample->force, s);
    write_numbers(stream, sample->stored_energy, s);
    write_numbers(stream, sample->closing_speed, s);
    write_numbers(stream, sample->impulse, s);
    fputc('\n', stream);
    return !ferror(stream);
}

const crm_history_format crm_history_as_csv = {.law = begin_law, .sample = write_sample};
