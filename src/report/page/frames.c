#include "report/page/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Numbers held at a time; frames at most and at least. */
enum { NUMBERS_MOST = 6000000, FRAMES_MOST = 2400, FRAMES_LEAST = 64 };

/* ---- Making and freeing ---------------------------------------------------------------------- */

static void measure(crm_frames *frames)
{
    size_t at = 0;
    frames->peak_start = SIZE_MAX;
    for (size_t k = 0; k < frames->def.track_count; k++) {
        frames->start[k] = at;
        if (frames->def.tracks[k].peaks && frames->peak_start == SIZE_MAX) {
            frames->peak_start = at;
        }
        at += frames->def.tracks[k].count;
    }
    frames->width = at;
    frames->peak_start = frames->peak_start < at ? frames->peak_start : at;
    size_t capacity = NUMBERS_MOST / (2 * at - frames->peak_start + 1);
    frames->capacity = capacity > FRAMES_MOST    ? FRAMES_MOST
                       : capacity < FRAMES_LEAST ? FRAMES_LEAST
                                                 : capacity;
}

static size_t peak_width(const crm_frames *frames)
{
    return frames->width - frames->peak_start;
}

crm_status crm_frames_create(const crm_frames_def *def, crm_frames *frames, crm_error *error)
{
    *frames = (crm_frames){.def = *def};
    measure(frames);
    size_t capacity = frames->capacity;
    frames->time = CRM_NEW(double, capacity);
    frames->series = CRM_NEW(double, capacity * def->series_count);
    frames->values = CRM_NEW(double, capacity * frames->width);
    frames->peaks = CRM_NEW(double, capacity *peak_width(frames));
    frames->join = CRM_NEW(unsigned char, capacity);
    frames->extreme = CRM_NEW(double, 4 * frames->width);
    frames->cost = CRM_NEW(double, capacity);
    frames->sorted = CRM_NEW(double, capacity);
    if (frames->time == NULL || frames->series == NULL || frames->values == NULL ||
        frames->peaks == NULL || frames->join == NULL || frames->extreme == NULL ||
        frames->cost == NULL || frames->sorted == NULL) {
        crm_frames_free(frames);
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void crm_frames_free(crm_frames *frames)
{
    free(frames->time);
    free(frames->series);
    free(frames->values);
    free(frames->peaks);
    free(frames->join);
    free(frames->extreme);
    free(frames->cost);
    free(frames->sorted);
    *frames = (crm_frames){0};
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static double *frame_at(const crm_frames *frames, size_t frame)
{
    return frames->values + frame * frames->width;
}

static double *peaks_at(const crm_frames *frames, size_t frame)
{
    return frames->peaks + frame * peak_width(frames);
}

static double *series_at(const crm_frames *frames, size_t frame)
{
    return frames->series + frame * frames->def.series_count;
}

const double *crm_frames_values(const crm_frames *frames, size_t track, size_t frame)
{
    size_t start = frames->start[track];
    return start < frames->peak_start ? frame_at(frames, frame) + start
                                      : peaks_at(frames, frame) + (start - frames->peak_start);
}

double crm_frames_span(const crm_frames *frames, size_t track)
{
    return frames->def.tracks[track].shifted ? frames->most[track] - frames->least[track]
                                             : fmax(-frames->least[track], frames->most[track]);
}

double crm_frames_series(const crm_frames *frames, size_t series, size_t frame)
{
    return series_at(frames, frame)[series];
}

void crm_frames_begin(crm_frames *frames, double time)
{
    if (frames->count > 0 && !(time > frames->time[frames->count - 1])) {
        frames->time[frames->count - 1] = time;
        return;
    }
    if (frames->count == frames->capacity) {
        crm_frames_thin(frames);
    }
    frames->samples++;
    frames->join[frames->count] = CRM_FRAMES_CURVE;
    frames->time[frames->count++] = time;
}

void crm_frames_set_join(crm_frames *frames, crm_frames_join join)
{
    unsigned char *kept = &frames->join[frames->count - 1];
    *kept = join == CRM_FRAMES_CURVE || *kept == CRM_FRAMES_LINE ? *kept : (unsigned char)join;
}

const double *crm_frames_extreme(const crm_frames *frames, size_t track, size_t number)
{
    return frames->extreme + 4 * (frames->start[track] + number);
}

static void update_extremes(double *extreme, double time, double value, bool first)
{
    for (int k = 0; k < 2; k++) {
        double *kept = extreme + 2 * k;
        if (first || (k == 0 ? value < kept[1] : value > kept[1])) {
            kept[0] = time;
            kept[1] = value;
        }
    }
}

void crm_frames_put(crm_frames *frames, size_t track, const double *values, const size_t *which)
{
    size_t frame = frames->count - 1, start = frames->start[track],
           count = frames->def.tracks[track].count;
    double *to = frame_at(frames, frame) + start;
    for (size_t i = 0; i < count; i++) {
        to[i] = values[which != NULL ? which[i] : i];
        bool first = frames->samples == 1 && i == 0;
        frames->least[track] = first ? to[i] : fmin(frames->least[track], to[i]);
        frames->most[track] = first ? to[i] : fmax(frames->most[track], to[i]);
        update_extremes(frames->extreme + 4 * (start + i), frames->time[frame], to[i],
                        frames->samples == 1);
    }
    if (start >= frames->peak_start && count > 0) {
        memcpy(peaks_at(frames, frame) + (start - frames->peak_start), to, count * sizeof *to);
    }
}

void crm_frames_put_series(crm_frames *frames, size_t series, double value)
{
    series_at(frames, frames->count - 1)[series] = value;
}

/* ---- Between frames -------------------------------------------------------------------------- */

typedef struct stretch {
    const crm_frames *frames;
    size_t from, to; /* frames */
    crm_frames_join join;
} stretch;

/* The track whose rates this one is; SIZE_MAX: none. */
static size_t track_of_rates(const crm_frames *frames, size_t track)
{
    size_t k = 0;
    while (k < frames->def.track_count && frames->def.tracks[k].rate != track + 1) {
        k++;
    }
    return k < frames->def.track_count ? k : SIZE_MAX;
}

/* p at a part s of the stretch, or its rate; by p and p' at both ends, or p' at its beginning. */
static double along(const stretch *at, size_t track, size_t i, double s, bool rate)
{
    const crm_frames *frames = at->frames;
    size_t place = frames->start[track] + i;
    size_t speed = frames->start[frames->def.tracks[track].rate - 1] + i;
    double h = frames->time[at->to] - frames->time[at->from];
    double p0 = frame_at(frames, at->from)[place], rise = frame_at(frames, at->to)[place] - p0;
    double d0 = h * frame_at(frames, at->from)[speed];
    double d1 = at->join == CRM_FRAMES_CURVE ? h * frame_at(frames, at->to)[speed] : 2 * rise - d0;
    double b = 3 * rise - 2 * d0 - d1, c = d0 + d1 - 2 * rise;
    return rate ? (d0 + s * (2 * b + s * 3 * c)) / h : p0 + s * (d0 + s * (b + s * c));
}

static double value_between(const stretch *at, size_t track, size_t i, double s)
{
    const crm_frames *frames = at->frames;
    bool curved = at->join != CRM_FRAMES_LINE;
    size_t of_rates = curved ? track_of_rates(frames, track) : SIZE_MAX;
    if (curved && frames->def.tracks[track].rate > 0) {
        return along(at, track, i, s, false);
    }
    if (of_rates != SIZE_MAX) {
        return along(at, of_rates, i, s, true);
    }
    size_t place = frames->start[track] + i;
    double a = frame_at(frames, at->from)[place], b = frame_at(frames, at->to)[place];
    return a + s * (b - a);
}

/* ---- As a curve ------------------------------------------------------------------------------ */

typedef struct curve {
    size_t count;
    double *x, *y;
} curve;

static void add_point(curve *c, double x, double y)
{
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

/* Points between two frames: those of a curve, and extremes in between. */
static void add_stretch(curve *c, const stretch *at, size_t track, size_t i, unsigned fine)
{
    const crm_frames *frames = at->frames;
    const crm_frames_track *of = &frames->def.tracks[track];
    double from = frames->time[at->from], h = frames->time[at->to] - from;
    bool curved =
        at->join != CRM_FRAMES_LINE && (of->rate > 0 || track_of_rates(frames, track) != SIZE_MAX);
    unsigned last = at->join == CRM_FRAMES_IMPACT ? fine : fine - 1;
    for (unsigned k = 1; curved && k <= last; k++) {
        double s = (double)k / fine;
        add_point(c, from + s * h, value_between(at, track, i, s));
    }
    const double *extreme = crm_frames_extreme(frames, track, i);
    bool swapped = extreme[0] > extreme[2];
    for (unsigned k = 0; !curved && of->extremes > 0 && k < 2; k++) {
        unsigned which = (k == 0) == swapped ? 1 : 0;
        double when = extreme[2 * which];
        if ((which == 1 || of->extremes == 2) && when > from && when < from + h) {
            add_point(c, when, extreme[2 * which + 1]);
        }
    }
}

size_t crm_frames_curve_points_most(const crm_frames *frames, unsigned fine)
{
    return frames->count * (fine + 1) + 2;
}

size_t crm_frames_curve(const crm_frames *frames, size_t track, size_t number, unsigned fine,
                        double *x, double *y)
{
    curve c = {0, x, y};
    for (size_t frame = 0; frame < frames->count; frame++) {
        if (frame > 0) {
            const stretch at = {frames, frame - 1, frame, (crm_frames_join)frames->join[frame]};
            add_stretch(&c, &at, track, number, fine);
        }
        add_point(&c, frames->time[frame], frame_at(frames, frame)[frames->start[track] + number]);
    }
    return c.count;
}

/* ---- Leaving out ----------------------------------------------------------------------------- */

/* How the next frame is joined to the previous one when this one is left out. */
static crm_frames_join join_without(const crm_frames *frames, size_t frame)
{
    return frames->join[frame] == CRM_FRAMES_CURVE ? (crm_frames_join)frames->join[frame + 1]
                                                   : CRM_FRAMES_LINE;
}

/* The deviation of a frame from interpolation between its neighbours, relative to the largest
 * values. */
static double cost_of(const crm_frames *frames, size_t frame)
{
    const double *t = frames->time + frame;
    const stretch between = {frames, frame - 1, frame + 1, join_without(frames, frame)};
    double part = (t[0] - t[-1]) / (t[1] - t[-1]), most = 0;
    for (size_t k = 0; k < frames->def.track_count; k++) {
        const double *at = frame_at(frames, frame) + frames->start[k];
        double span = crm_frames_span(frames, k), away = 0;
        for (size_t i = 0; span > 0 && i < frames->def.tracks[k].count; i++) {
            away = fmax(away, fabs(at[i] - value_between(&between, k, i, part)));
        }
        most = span > 0 ? fmax(most, away / span) : most;
    }
    return most;
}

/* Frames at which a series is largest or least are never left out. */
static void keep_extremes(crm_frames *frames)
{
    for (size_t k = 0; k < frames->def.series_count; k++) {
        size_t least = 0, most = 0;
        for (size_t frame = 1; frame < frames->count; frame++) {
            double value = crm_frames_series(frames, k, frame);
            least = value < crm_frames_series(frames, k, least) ? frame : least;
            most = value > crm_frames_series(frames, k, most) ? frame : most;
        }
        frames->cost[least] = frames->cost[most] = INFINITY;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The peaks of a frame, to the nearer of its neighbours. */
static void leave_peaks(const crm_frames *frames, size_t frame)
{
    const double *t = frames->time + frame;
    size_t nearer = t[0] - t[-1] <= t[1] - t[0] ? frame - 1 : frame + 1;
    const double *from = peaks_at(frames, frame);
    double *to = peaks_at(frames, nearer);
    for (size_t i = 0; i < peak_width(frames); i++) {
        to[i] = fmax(to[i], from[i]);
    }
}

static void move_frame(crm_frames *frames, size_t from, size_t to)
{
    if (from == to) {
        return;
    }
    frames->time[to] = frames->time[from];
    frames->join[to] = frames->join[from];
    memcpy(series_at(frames, to), series_at(frames, from),
           frames->def.series_count * sizeof(double));
    memcpy(frame_at(frames, to), frame_at(frames, from), frames->width * sizeof(double));
    memcpy(peaks_at(frames, to), peaks_at(frames, from), peak_width(frames) * sizeof(double));
}

/* The half of least cost, but no two neighbours; the first and the last frame stay. */
void crm_frames_thin(crm_frames *frames)
{
    if (frames->count < 3) {
        return;
    }
    size_t last = frames->count - 1, kept = 1;
    for (size_t frame = 1; frame < last; frame++) {
        frames->cost[frame] = cost_of(frames, frame);
    }
    keep_extremes(frames);
    memcpy(frames->sorted, frames->cost + 1, (last - 1) * sizeof *frames->sorted);
    qsort(frames->sorted, last - 1, sizeof *frames->sorted, compare);
    double limit = frames->sorted[(last - 1) / 2];
    bool left_before = false;
    for (size_t frame = 1; frame < last; frame++) {
        left_before =
            !left_before && frames->cost[frame] <= limit && frames->cost[frame] < INFINITY;
        frames->cost[frame] = left_before;
        if (left_before) {
            leave_peaks(frames, frame);
            frames->join[frame + 1] = (unsigned char)join_without(frames, frame);
        }
    }
    for (size_t frame = 1; frame < last; frame++) {
        if (frames->cost[frame] == 0) {
            move_frame(frames, frame, kept++);
        }
    }
    move_frame(frames, last, kept++);
    frames->count = kept;
}
