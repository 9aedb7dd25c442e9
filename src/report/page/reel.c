/* A film as it stands in a page: whole numbers of a unit, and of every row what has changed. */
#include <math.h>
#include <stdlib.h>

#include "report/page/parts.h"

/* A unit is this part of the largest of its kind. */
static const double UNIT = 1e-6;

/* One of the kinds of numbers that a row has. */
typedef struct track {
    const char *name;
    const double *(*row)(const crm_film *film, size_t row);
    size_t count;
    double unit;
} track;

enum { TRACKS = 3 };

static void list_tracks(const crm_film *film, track tracks[TRACKS])
{
    static const char *const names[TRACKS] = {"velocity", "force", "energy"};
    const crm_extract *e = film->extract;
    const size_t counts[TRACKS] = {e->coordinate_count, e->contact_count, e->contact_count};
    const double *(*const rows[TRACKS])(const crm_film *, size_t) = {
        crm_film_velocity, crm_film_force, crm_film_energy};
    for (size_t k = 0; k < TRACKS; k++) {
        tracks[k] = (track){names[k], rows[k], counts[k], film->scale[k] * UNIT};
    }
}

static long units_at(const crm_film *film, const track *t, size_t row, size_t i)
{
    return t->unit > 0 ? lround(t->row(film, row)[i] / t->unit) : 0;
}

/* Before the first row all is 0. */
static bool has_changed(const crm_film *film, const track *t, size_t row, size_t i)
{
    long before = row > 0 ? units_at(film, t, row - 1, i) : 0;
    return units_at(film, t, row, i) != before;
}

/* From i on, what has changed; a few that have not are taken along rather than counted anew. */
static size_t stretch(const crm_film *film, const track *t, size_t row, size_t i)
{
    enum { ALONG = 3 };
    size_t end = i + 1;
    for (size_t k = end; k < t->count && k < end + ALONG; k++) {
        end = has_changed(film, t, row, k) ? k + 1 : end;
    }
    return end;
}

/* The row as start, count, values, start, ...; stream NULL: only how many numbers it takes. */
static size_t write_row(FILE *stream, const crm_film *film, const track *t, size_t row)
{
    size_t numbers = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!has_changed(film, t, row, i)) {
            continue;
        }
        size_t end = stretch(film, t, row, i);
        if (stream != NULL) {
            fprintf(stream, "%s%zu,%zu", numbers > 0 ? "," : "", i, end - i);
        }
        numbers += 2 + end - i;
        for (; i < end; i++) {
            if (stream != NULL) {
                fprintf(stream, ",%ld", units_at(film, t, row, i));
            }
        }
        i--;
    }
    return numbers;
}

static void write_track(FILE *stream, const crm_film *film, const track *t)
{
    fprintf(stream, ",\"%s\":{\"unit\":%.17g,\"count\":%zu,\"rows\":[", t->name, t->unit, t->count);
    for (size_t row = 0; row < film->rows; row++) {
        fputs(row > 0 ? ",[" : "[", stream);
        write_row(stream, film, t, row);
        fputc(']', stream);
    }
    fputs("]}", stream);
}

static size_t count_numbers(const crm_film *film)
{
    track tracks[TRACKS];
    list_tracks(film, tracks);
    size_t numbers = 0;
    for (size_t k = 0; k < TRACKS; k++) {
        for (size_t row = 0; row < film->rows; row++) {
            numbers += write_row(NULL, film, &tracks[k], row);
        }
    }
    return numbers;
}

static void write_times(FILE *stream, const crm_film *film)
{
    fputs(",\"time\":[", stream);
    for (size_t row = 0; row < film->rows; row++) {
        fprintf(stream, "%s%.17g", row > 0 ? "," : "", film->time[row]);
    }
    fputs("],\"primary\":[", stream);
    for (size_t row = 0; row < film->rows; row++) {
        fprintf(stream, "%s%u", row > 0 ? "," : "", (unsigned)film->primary[row]);
    }
    fputc(']', stream);
}

void crm_page_film(FILE *stream, size_t result, crm_film *film, size_t most)
{
    enum { ROWS_LEAST = 32 };
    while (film->rows > ROWS_LEAST && count_numbers(film) > most) {
        crm_film_thin(film);
    }
    track tracks[TRACKS];
    list_tracks(film, tracks);
    fprintf(stream, "{\"result\":%zu,\"samples\":%llu,\"rows\":%zu", result,
            (unsigned long long)film->samples, film->rows);
    write_times(stream, film);
    crm_page_numbers(stream, "primary_impulse", film->primary_impulse, film->rows);
    crm_page_numbers(stream, "kinetic", film->kinetic, film->rows);
    crm_page_numbers(stream, "stored", film->stored, film->rows);
    for (size_t k = 0; k < TRACKS; k++) {
        write_track(stream, film, &tracks[k]);
    }
    fputc('}', stream);
}
