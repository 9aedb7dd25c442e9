#include "report/page/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Numbers held at a time, and rows at most and at least. */
enum { NUMBERS_MOST = 6000000, ROWS_MOST = 2400, ROWS_LEAST = 64 };

/* ---- Making and freeing --------------------------------------------------------------------- */

static void measure(crm_film *film)
{
    size_t at = 0;
    film->peak_start = SIZE_MAX;
    for (size_t k = 0; k < film->def.track_count; k++) {
        film->start[k] = at;
        if (film->def.tracks[k].peaks && film->peak_start == SIZE_MAX) {
            film->peak_start = at;
        }
        at += film->def.tracks[k].count;
    }
    film->width = at;
    film->peak_start = film->peak_start < at ? film->peak_start : at;
    size_t rows = NUMBERS_MOST / (2 * at - film->peak_start + 1);
    film->capacity = rows > ROWS_MOST ? ROWS_MOST : rows < ROWS_LEAST ? ROWS_LEAST : rows;
}

static size_t peak_width(const crm_film *film)
{
    return film->width - film->peak_start;
}

crm_status crm_film_create(const crm_film_def *def, crm_film *film, crm_error *error)
{
    *film = (crm_film){.def = *def};
    measure(film);
    size_t rows = film->capacity;
    film->time = CRM_NEW(double, rows);
    film->series = CRM_NEW(double, rows * def->series_count);
    film->values = CRM_NEW(double, rows * film->width);
    film->peaks = CRM_NEW(double, rows *peak_width(film));
    film->cost = CRM_NEW(double, rows);
    film->sorted = CRM_NEW(double, rows);
    if (film->time == NULL || film->series == NULL || film->values == NULL || film->peaks == NULL ||
        film->cost == NULL || film->sorted == NULL) {
        crm_film_free(film);
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void crm_film_free(crm_film *film)
{
    free(film->time);
    free(film->series);
    free(film->values);
    free(film->peaks);
    free(film->cost);
    free(film->sorted);
    *film = (crm_film){0};
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static double *row_at(const crm_film *film, size_t row)
{
    return film->values + row * film->width;
}

static double *peaks_at(const crm_film *film, size_t row)
{
    return film->peaks + row * peak_width(film);
}

static double *series_at(const crm_film *film, size_t row)
{
    return film->series + row * film->def.series_count;
}

const double *crm_film_at(const crm_film *film, size_t track, size_t row)
{
    size_t start = film->start[track];
    return start < film->peak_start ? row_at(film, row) + start
                                    : peaks_at(film, row) + (start - film->peak_start);
}

double crm_film_span(const crm_film *film, size_t track)
{
    return film->def.tracks[track].shifted ? film->most[track] - film->least[track]
                                           : fmax(-film->least[track], film->most[track]);
}

double crm_film_series(const crm_film *film, size_t series, size_t row)
{
    return series_at(film, row)[series];
}

void crm_film_begin(crm_film *film, double time)
{
    if (film->rows > 0 && !(time > film->time[film->rows - 1])) {
        film->time[film->rows - 1] = time;
        return;
    }
    if (film->rows == film->capacity) {
        crm_film_thin(film);
    }
    film->samples++;
    film->time[film->rows++] = time;
}

void crm_film_put(crm_film *film, size_t track, const double *values, const size_t *which)
{
    size_t row = film->rows - 1, start = film->start[track], count = film->def.tracks[track].count;
    double *to = row_at(film, row) + start;
    for (size_t i = 0; i < count; i++) {
        to[i] = values[which != NULL ? which[i] : i];
        bool first = film->samples == 1 && i == 0;
        film->least[track] = first ? to[i] : fmin(film->least[track], to[i]);
        film->most[track] = first ? to[i] : fmax(film->most[track], to[i]);
    }
    if (start >= film->peak_start && count > 0) {
        memcpy(peaks_at(film, row) + (start - film->peak_start), to, count * sizeof *to);
    }
}

void crm_film_put_series(crm_film *film, size_t series, double value)
{
    series_at(film, film->rows - 1)[series] = value;
}

/* ---- Leaving out ---------------------------------------------------------------------------- */

static double stray(const double *before, const double *at, const double *after, size_t count,
                    double part)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(at[i] - (before[i] + part * (after[i] - before[i]))));
    }
    return most;
}

/* How far a row strays from the line between its neighbours, beside the largest there is. */
static double cost_of(const crm_film *film, size_t row)
{
    const double *t = film->time + row;
    double part = (t[0] - t[-1]) / (t[1] - t[-1]), most = 0;
    for (size_t k = 0; k < film->def.track_count; k++) {
        const double *at = row_at(film, row) + film->start[k];
        double span = crm_film_span(film, k);
        if (span > 0) {
            double away =
                stray(at - film->width, at, at + film->width, film->def.tracks[k].count, part);
            most = fmax(most, away / span);
        }
    }
    return most;
}

/* Rows at which a series is largest or least cost more than any other. */
static void hold_extremes(crm_film *film)
{
    for (size_t k = 0; k < film->def.series_count; k++) {
        size_t least = 0, most = 0;
        for (size_t row = 1; row < film->rows; row++) {
            double value = crm_film_series(film, k, row);
            least = value < crm_film_series(film, k, least) ? row : least;
            most = value > crm_film_series(film, k, most) ? row : most;
        }
        film->cost[least] = film->cost[most] = INFINITY;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What a row had of peaks, to the nearer of its neighbours. */
static void leave_peaks(const crm_film *film, size_t row)
{
    const double *t = film->time + row;
    size_t nearer = t[0] - t[-1] <= t[1] - t[0] ? row - 1 : row + 1;
    const double *from = peaks_at(film, row);
    double *to = peaks_at(film, nearer);
    for (size_t i = 0; i < peak_width(film); i++) {
        to[i] = fmax(to[i], from[i]);
    }
}

static void move_row(crm_film *film, size_t from, size_t to)
{
    if (from == to) {
        return;
    }
    film->time[to] = film->time[from];
    memcpy(series_at(film, to), series_at(film, from), film->def.series_count * sizeof(double));
    memcpy(row_at(film, to), row_at(film, from), film->width * sizeof(double));
    memcpy(peaks_at(film, to), peaks_at(film, from), peak_width(film) * sizeof(double));
}

/* The cheaper half, but no two neighbours; the first and the last row stay. */
void crm_film_thin(crm_film *film)
{
    if (film->rows < 3) {
        return;
    }
    size_t last = film->rows - 1, kept = 1;
    for (size_t row = 1; row < last; row++) {
        film->cost[row] = cost_of(film, row);
    }
    hold_extremes(film);
    memcpy(film->sorted, film->cost + 1, (last - 1) * sizeof *film->sorted);
    qsort(film->sorted, last - 1, sizeof *film->sorted, compare);
    double limit = film->sorted[(last - 1) / 2];
    bool left_before = false;
    for (size_t row = 1; row < last; row++) {
        left_before = !left_before && film->cost[row] <= limit && film->cost[row] < INFINITY;
        film->cost[row] = left_before;
        if (left_before) {
            leave_peaks(film, row);
        }
    }
    for (size_t row = 1; row < last; row++) {
        if (film->cost[row] == 0) {
            move_row(film, row, kept++);
        }
    }
    move_row(film, last, kept++);
    film->rows = kept;
}
