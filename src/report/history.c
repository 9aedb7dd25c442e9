/* The samples of a history, and how they are written as CSV. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/report.h"

/* ---- Which samples --------------------------------------------------------------------------- */

void crm_history_law(crm_history *history, const char *label)
{
    history->next = 0;
    history->started = false;
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

/* To as many digits as a double keeps of any decimal number. */
static double as_written(double value)
{
    char text[32];
    crm_snprintf(text, sizeof text, "%.15g", value);
    return crm_strtod(text, NULL);
}

/* Multiples of an interval without a short decimal form, such as 1/3, stay as they are. */
double crm_history_time(double time, double interval)
{
    if (!(interval > 0) || as_written(interval) != interval) {
        return time;
    }
    double rounded = as_written(round(time / interval) * interval);
    return fabs(rounded - time) <= MULTIPLE_TOLERANCE * fmax(interval, time) ? rounded : time;
}

/* ---- Of which bodies and contacts ------------------------------------------------------------ */

static const double *gather(const double *values, size_t count, const size_t *which, double **room)
{
    double *out = *room;
    for (size_t i = 0; i < count && values != NULL; i++) {
        out[i] = values[which[i]];
    }
    *room += count;
    return values != NULL ? out : NULL;
}

static crm_sample chosen_part(const crm_history *history, const crm_sample *sample)
{
    const crm_choice *c = &history->choice;
    double *room = history->room;
    crm_sample part = *sample;
    if (room != NULL) {
        part.velocity = gather(sample->velocity, c->coordinates, c->coordinate, &room);
        part.force = gather(sample->force, c->contacts, c->contact, &room);
        part.stored_energy = gather(sample->stored_energy, c->contacts, c->contact, &room);
        part.closing_speed = gather(sample->closing_speed, c->contacts, c->contact, &room);
        part.impulse = gather(sample->impulse, c->contacts, c->contact, &room);
    }
    return part;
}

/* ---- Recording ------------------------------------------------------------------------------- */

static crm_status write_row(crm_history *history, const crm_sample *sample)
{
    crm_sample part = chosen_part(history, sample);
    history->rows++;
    history->started = true;
    history->last = sample->time;
    part.time = crm_history_time(sample->time, history->interval);
    return history->format->sample(history->to, &part) ? CRM_OK : CRM_ERROR_STOPPED;
}

crm_status crm_history_record(void *context, const crm_sample *sample)
{
    crm_history *history = context;
    return is_due(history, sample->time) ? write_row(history, sample) : CRM_OK;
}

static crm_status record_anyway(void *context, const crm_sample *sample)
{
    return write_row(context, sample);
}

crm_status crm_history_end(crm_history *history, const crm_outcome *outcome, crm_error *error)
{
    const crm_recorder recorder = {.context = history, .record = record_anyway};
    return outcome != NULL && history->started
               ? crm_record_end(&recorder, outcome, history->last, error)
               : CRM_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

typedef void (*name_function)(const crm_model *model, size_t index, char *text, size_t size);

/* "force[ball 1 - ball 2] (N)" */
static void write_names(const crm_history_csv *csv, const char *what, const char *unit,
                        bool contacts)
{
    const crm_choice *c = csv->choice;
    name_function name = contacts ? crm_contact_name : crm_coordinate_name;
    for (size_t i = 0; i < (contacts ? c->contacts : c->coordinates); i++) {
        size_t which = contacts ? c->contact[i] : c->coordinate[i];
        char own[2 * CRM_NAME_SIZE], text[2 * CRM_NAME_SIZE + 32];
        name(csv->model, which, own, sizeof own);
        bool spins = !contacts && crm_model_is_angle(csv->model, which);
        snprintf(text, sizeof text, "%s[%s]", what, own);
        if (!csv->generalized) {
            crm_text_append(text, sizeof text, " (%s)",
                            spins ? "rad/s" : crm_field_unit(csv->model, unit));
        }
        fputc(',', csv->stream);
        crm_csv_text(csv->stream, text);
    }
}

void crm_history_csv_begin(const crm_history_csv *csv)
{
    fputs("law,time,primary,primary_impulse", csv->stream);
    write_names(csv, "v", "m/s", false);
    write_names(csv, "force", "N", true);
    write_names(csv, "energy", "J", true);
    write_names(csv, "closing_speed", "m/s", true);
    write_names(csv, "impulse", "N s", true);
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
    size_t s = csv->choice->contacts;
    crm_csv_text(stream, csv->label);
    fputc(',', stream);
    crm_csv_number(stream, sample->time);
    fputc(',', stream);
    if (sample->primary != SIZE_MAX) {
        fprintf(stream, "%zu", sample->primary + 1);
    }
    fputc(',', stream);
    crm_csv_number(stream, sample->primary_impulse);
    write_numbers(stream, sample->velocity, csv->choice->coordinates);
    write_numbers(stream, sample->force, s);
    write_numbers(stream, sample->stored_energy, s);
    write_numbers(stream, sample->closing_speed, s);
    write_numbers(stream, sample->impulse, s);
    fputc('\n', stream);
    return !ferror(stream);
}

const crm_history_format crm_history_as_csv = {.law = begin_law, .sample = write_sample};
