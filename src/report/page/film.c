#include "report/page/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Numbers held at a time, and rows at most and at least. */
enum { NUMBERS_MOST = 6000000, ROWS_MOST = 2400, ROWS_LEAST = 64 };

enum { VELOCITY, FORCE, ENERGY };

/* ---- Making and freeing --------------------------------------------------------------------- */

static size_t capacity_of(size_t width)
{
    size_t rows = NUMBERS_MOST / (2 * width + 1);
    return rows > ROWS_MOST ? ROWS_MOST : rows < ROWS_LEAST ? ROWS_LEAST : rows;
}

crm_status crm_film_create(const crm_model *model, const crm_extract *extract, crm_film *film,
                           crm_error *error)
{
    size_t width = extract->coordinate_count + 2 * extract->contact_count;
    size_t rows = capacity_of(width);
    *film = (crm_film){.model = model,
                       .extract = extract,
                       .width = width,
                       .capacity = rows,
                       .time = CRM_NEW(double, rows),
                       .primary_impulse = CRM_NEW(double, rows),
                       .kinetic = CRM_NEW(double, rows),
                       .stored = CRM_NEW(double, rows),
                       .primary = CRM_NEW(uint32_t, rows),
                       .values = CRM_NEW(double, rows *width),
                       .peaks = CRM_NEW(double, 2 * rows * extract->contact_count),
                       .cost = CRM_NEW(double, rows),
                       .sorted = CRM_NEW(double, rows)};
    if (film->time == NULL || film->primary_impulse == NULL || film->kinetic == NULL ||
        film->stored == NULL || film->primary == NULL || film->values == NULL ||
        film->peaks == NULL || film->cost == NULL || film->sorted == NULL) {
        crm_film_free(film);
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void crm_film_free(crm_film *film)
{
    free(film->time);
    free(film->primary_impulse);
    free(film->kinetic);
    free(film->stored);
    free(film->primary);
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
    return film->peaks + 2 * row * film->extract->contact_count;
}

const double *crm_film_velocity(const crm_film *film, size_t row)
{
    return row_at(film, row);
}

const double *crm_film_force(const crm_film *film, size_t row)
{
    return peaks_at(film, row);
}

const double *crm_film_energy(const crm_film *film, size_t row)
{
    return crm_film_force(film, row) + film->extract->contact_count;
}

static void gather(const double *values, const size_t *which, size_t count, double *to,
                   double *largest)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = values[which[i]];
        *largest = fmax(*largest, fabs(to[i]));
    }
}

static double sum(const double *values, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += values[i];
    }
    return total;
}

static void put_row(crm_film *film, size_t row, const crm_sample *sample)
{
    const crm_extract *e = film->extract;
    double *at = row_at(film, row);
    film->time[row] = sample->time;
    film->primary_impulse[row] = sample->primary_impulse;
    film->primary[row] = sample->primary != SIZE_MAX ? (uint32_t)(sample->primary + 1) : 0;
    film->kinetic[row] = crm_model_kinetic_energy(film->model, sample->velocity);
    film->stored[row] = sum(sample->stored_energy, crm_model_contacts(film->model));
    gather(sample->velocity, e->coordinates, e->coordinate_count, at, &film->scale[VELOCITY]);
    at += e->coordinate_count;
    gather(sample->force, e->contacts, e->contact_count, at, &film->scale[FORCE]);
    at += e->contact_count;
    gather(sample->stored_energy, e->contacts, e->contact_count, at, &film->scale[ENERGY]);
    memcpy(peaks_at(film, row), at - e->contact_count, 2 * e->contact_count * sizeof(double));
}

/* Of two samples at one time the later one is what the impact goes on from. */
void crm_film_add(crm_film *film, const crm_sample *sample)
{
    film->samples++;
    bool again = film->rows > 0 && !(sample->time > film->time[film->rows - 1]);
    if (again) {
        put_row(film, film->rows - 1, sample);
        return;
    }
    if (film->rows == film->capacity) {
        crm_film_thin(film);
    }
    put_row(film, film->rows++, sample);
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
    double part = (t[0] - t[-1]) / (t[1] - t[-1]);
    const double *at = row_at(film, row);
    size_t counts[3] = {film->extract->coordinate_count, film->extract->contact_count,
                        film->extract->contact_count};
    double most = 0;
    for (size_t k = 0; k < 3; k++) {
        if (film->scale[k] > 0) {
            double away = stray(at - film->width, at, at + film->width, counts[k], part);
            most = fmax(most, away / film->scale[k]);
        }
        at += counts[k];
    }
    return most;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What a row had of forces and energies, to the nearer of its neighbours. */
static void leave_peaks(const crm_film *film, size_t row)
{
    const double *t = film->time + row;
    size_t nearer = t[0] - t[-1] <= t[1] - t[0] ? row - 1 : row + 1;
    const double *from = peaks_at(film, row);
    double *to = peaks_at(film, nearer);
    for (size_t i = 0; i < 2 * film->extract->contact_count; i++) {
        to[i] = fmax(to[i], from[i]);
    }
}

static void move_row(crm_film *film, size_t from, size_t to)
{
    if (from == to) {
        return;
    }
    film->time[to] = film->time[from];
    film->primary_impulse[to] = film->primary_impulse[from];
    film->kinetic[to] = film->kinetic[from];
    film->stored[to] = film->stored[from];
    film->primary[to] = film->primary[from];
    memcpy(row_at(film, to), row_at(film, from), film->width * sizeof(double));
    memcpy(peaks_at(film, to), peaks_at(film, from),
           2 * film->extract->contact_count * sizeof(double));
}

/* The cheaper half, but no two neighbours; the first and the last row stay. */
void crm_film_thin(crm_film *film)
{
    if (film->rows < 3) {
        return;
    }
    size_t inner = film->rows - 2;
    for (size_t k = 0; k < inner; k++) {
        film->cost[k] = film->sorted[k] = cost_of(film, k + 1);
    }
    qsort(film->sorted, inner, sizeof *film->sorted, compare);
    double limit = film->sorted[inner / 2];
    bool left_before = false;
    size_t kept = 1;
    for (size_t k = 0; k < inner; k++) {
        bool leave = !left_before && film->cost[k] <= limit;
        film->cost[k] = leave;
        left_before = leave;
        if (leave) {
            leave_peaks(film, k + 1);
        }
    }
    for (size_t k = 0; k < inner; k++) {
        if (film->cost[k] == 0) {
            move_row(film, k + 1, kept++);
        }
    }
    move_row(film, film->rows - 1, kept++);
    film->rows = kept;
}
