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
    film->join = CRM_NEW(unsigned char, rows);
    film->extreme = CRM_NEW(double, 4 * film->width);
    film->cost = CRM_NEW(double, rows);
    film->sorted = CRM_NEW(double, rows);
    if (film->time == NULL || film->series == NULL || film->values == NULL || film->peaks == NULL ||
        film->join == NULL || film->extreme == NULL || film->cost == NULL || film->sorted == NULL) {
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
    free(film->join);
    free(film->extreme);
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
    film->join[film->rows] = CRM_FILM_CURVE;
    film->time[film->rows++] = time;
}

void crm_film_joined(crm_film *film, crm_film_join join)
{
    unsigned char *kept = &film->join[film->rows - 1];
    *kept = join == CRM_FILM_CURVE || *kept == CRM_FILM_LINE ? *kept : (unsigned char)join;
}

const double *crm_film_extreme(const crm_film *film, size_t track, size_t number)
{
    return film->extreme + 4 * (film->start[track] + number);
}

static void look_at_extremes(double *extreme, double time, double value, bool first)
{
    for (int k = 0; k < 2; k++) {
        double *kept = extreme + 2 * k;
        if (first || (k == 0 ? value < kept[1] : value > kept[1])) {
            kept[0] = time;
            kept[1] = value;
        }
    }
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
        look_at_extremes(film->extreme + 4 * (start + i), film->time[row], to[i],
                         film->samples == 1);
    }
    if (start >= film->peak_start && count > 0) {
        memcpy(peaks_at(film, row) + (start - film->peak_start), to, count * sizeof *to);
    }
}

void crm_film_put_series(crm_film *film, size_t series, double value)
{
    series_at(film, film->rows - 1)[series] = value;
}

/* ---- Between rows --------------------------------------------------------------------------- */

typedef struct stretch {
    const crm_film *film;
    size_t from, to; /* rows */
    crm_film_join join;
} stretch;

/* The track whose rates this one is; SIZE_MAX: none. */
static size_t track_of_rates(const crm_film *film, size_t track)
{
    size_t k = 0;
    while (k < film->def.track_count && film->def.tracks[k].rate != track + 1) {
        k++;
    }
    return k < film->def.track_count ? k : SIZE_MAX;
}

/* p at a part s of the stretch, or its rate; by p and p' at both ends, or p' at its beginning. */
static double along(const stretch *at, size_t track, size_t i, double s, bool rate)
{
    const crm_film *film = at->film;
    size_t place = film->start[track] + i;
    size_t speed = film->start[film->def.tracks[track].rate - 1] + i;
    double h = film->time[at->to] - film->time[at->from];
    double p0 = row_at(film, at->from)[place], rise = row_at(film, at->to)[place] - p0;
    double d0 = h * row_at(film, at->from)[speed];
    double d1 = at->join == CRM_FILM_CURVE ? h * row_at(film, at->to)[speed] : 2 * rise - d0;
    double b = 3 * rise - 2 * d0 - d1, c = d0 + d1 - 2 * rise;
    return rate ? (d0 + s * (2 * b + s * 3 * c)) / h : p0 + s * (d0 + s * (b + s * c));
}

static double value_between(const stretch *at, size_t track, size_t i, double s)
{
    const crm_film *film = at->film;
    bool curved = at->join != CRM_FILM_LINE;
    size_t of_rates = curved ? track_of_rates(film, track) : SIZE_MAX;
    if (curved && film->def.tracks[track].rate > 0) {
        return along(at, track, i, s, false);
    }
    if (of_rates != SIZE_MAX) {
        return along(at, of_rates, i, s, true);
    }
    size_t place = film->start[track] + i;
    double a = row_at(film, at->from)[place], b = row_at(film, at->to)[place];
    return a + s * (b - a);
}

/* ---- As a curve ----------------------------------------------------------------------------- */

typedef struct curve {
    size_t count;
    double *x, *y;
} curve;

static void add_point(curve *c, double x, double y)
{
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

/* Points between two rows: those of a curve, and extremes that were there. */
static void add_stretch(curve *c, const stretch *at, size_t track, size_t i, unsigned fine)
{
    const crm_film *film = at->film;
    const crm_film_track *of = &film->def.tracks[track];
    double from = film->time[at->from], h = film->time[at->to] - from;
    bool curved =
        at->join != CRM_FILM_LINE && (of->rate > 0 || track_of_rates(film, track) != SIZE_MAX);
    unsigned last = at->join == CRM_FILM_STRUCK ? fine : fine - 1;
    for (unsigned k = 1; curved && k <= last; k++) {
        double s = (double)k / fine;
        add_point(c, from + s * h, value_between(at, track, i, s));
    }
    const double *extreme = crm_film_extreme(film, track, i);
    bool swapped = extreme[0] > extreme[2];
    for (unsigned k = 0; !curved && of->extremes > 0 && k < 2; k++) {
        unsigned which = (k == 0) == swapped ? 1 : 0;
        double when = extreme[2 * which];
        if ((which == 1 || of->extremes == 2) && when > from && when < from + h) {
            add_point(c, when, extreme[2 * which + 1]);
        }
    }
}

size_t crm_film_points(const crm_film *film, unsigned fine)
{
    return film->rows * (fine + 1) + 2;
}

size_t crm_film_curve(const crm_film *film, size_t track, size_t number, unsigned fine, double *x,
                      double *y)
{
    curve c = {0, x, y};
    for (size_t row = 0; row < film->rows; row++) {
        if (row > 0) {
            const stretch at = {film, row - 1, row, (crm_film_join)film->join[row]};
            add_stretch(&c, &at, track, number, fine);
        }
        add_point(&c, film->time[row], row_at(film, row)[film->start[track] + number]);
    }
    return c.count;
}

/* ---- Leaving out ---------------------------------------------------------------------------- */

/* How the next row is joined to the one before this one when this one goes. */
static crm_film_join join_without(const crm_film *film, size_t row)
{
    return film->join[row] == CRM_FILM_CURVE ? (crm_film_join)film->join[row + 1] : CRM_FILM_LINE;
}

/* How far a row strays from the course between its neighbours, beside the largest there is. */
static double cost_of(const crm_film *film, size_t row)
{
    const double *t = film->time + row;
    const stretch between = {film, row - 1, row + 1, join_without(film, row)};
    double part = (t[0] - t[-1]) / (t[1] - t[-1]), most = 0;
    for (size_t k = 0; k < film->def.track_count; k++) {
        const double *at = row_at(film, row) + film->start[k];
        double span = crm_film_span(film, k), away = 0;
        for (size_t i = 0; span > 0 && i < film->def.tracks[k].count; i++) {
            away = fmax(away, fabs(at[i] - value_between(&between, k, i, part)));
        }
        most = span > 0 ? fmax(most, away / span) : most;
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
    film->join[to] = film->join[from];
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
            film->join[row + 1] = (unsigned char)join_without(film, row);
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
