/* Frames as JSON in a page: integer multiples of a unit, and of every frame only what has changed.
 */
#include <math.h>
#include <stdlib.h>

#include "base/locale.h"
#include "report/page/parts.h"

/* A unit is this part of the span of its track; of frames with many numbers the coarser one. */
static const double FINE = 1e-6, COARSE = 1e-4;
enum { LONG_FRAME = 2000 };

bool crm_frames_json_is_coarse(const crm_frames *frames)
{
    return frames->peak_start == frames->width && frames->width > LONG_FRAME;
}

static double part_of(const crm_frames *frames)
{
    return crm_frames_json_is_coarse(frames) ? COARSE : FINE;
}

static double unit_of(const crm_frames *frames, size_t track)
{
    return crm_frames_span(frames, track) * part_of(frames);
}

static long units_at(const crm_frames *frames, size_t track, size_t frame, size_t i)
{
    double unit = unit_of(frames, track);
    return unit > 0 ? lround(crm_frames_values(frames, track, frame)[i] / unit) : 0;
}

/* Before the first frame all is 0. */
static bool has_changed(const crm_frames *frames, size_t track, size_t frame, size_t i)
{
    long before = frame > 0 ? units_at(frames, track, frame - 1, i) : 0;
    return units_at(frames, track, frame, i) != before;
}

/* The end of a run of changed numbers from i on; short gaps are included. */
static size_t stretch(const crm_frames *frames, size_t track, size_t frame, size_t i)
{
    enum { ALONG = 3 };
    size_t end = i + 1, count = frames->def.tracks[track].count;
    for (size_t k = end; k < count && k < end + ALONG; k++) {
        end = has_changed(frames, track, frame, k) ? k + 1 : end;
    }
    return end;
}

/* The frame as start, count, values, start, ...; stream NULL: only how many numbers it takes. */
static size_t write_frame(FILE *stream, const crm_frames *frames, size_t track, size_t frame)
{
    size_t numbers = 0;
    for (size_t i = 0; i < frames->def.tracks[track].count; i++) {
        if (!has_changed(frames, track, frame, i)) {
            continue;
        }
        size_t end = stretch(frames, track, frame, i);
        if (stream != NULL) {
            fprintf(stream, "%s%zu,%zu", numbers > 0 ? "," : "", i, end - i);
        }
        numbers += 2 + end - i;
        for (; i < end; i++) {
            if (stream != NULL) {
                fprintf(stream, ",%ld", units_at(frames, track, frame, i));
            }
        }
        i--;
    }
    return numbers;
}

/* Of each number the time and value of its least (where that is kept) and of its largest. */
static void write_extremes(FILE *stream, const crm_frames *frames, size_t track)
{
    enum { TIME_DIGITS = 12, VALUE_DIGITS = 8 };
    const crm_frames_track *of = &frames->def.tracks[track];
    fputs(",\"extremes\":[", stream);
    for (size_t i = 0; i < of->count; i++) {
        const double *extreme = crm_frames_extreme(frames, track, i);
        for (unsigned k = 2 - of->extremes; k < 2; k++) {
            fputs(i > 0 || k > 2 - of->extremes ? "," : "", stream);
            crm_page_number(stream, extreme[2 * k], TIME_DIGITS);
            fputc(',', stream);
            crm_page_number(stream, extreme[2 * k + 1], VALUE_DIGITS);
        }
    }
    fputc(']', stream);
}

static bool has_rates(const crm_frames *frames)
{
    bool any = false;
    for (size_t k = 0; k < frames->def.track_count; k++) {
        any = any || frames->def.tracks[k].rate > 0;
    }
    return any;
}

/* 0: a line, 1: a curve, 2: a curve that ends in a jump of rates. */
static void write_joins(FILE *stream, const crm_frames *frames)
{
    fputs(",\"joins\":[", stream);
    for (size_t frame = 0; frame < frames->count; frame++) {
        fprintf(stream, "%s%d", frame > 0 ? "," : "", frames->join[frame]);
    }
    fputc(']', stream);
}

static void write_track(FILE *stream, const crm_frames *frames, size_t track)
{
    crm_fprintf(stream, ",\"%s\":{\"unit\":%.17g,\"width\":%zu,\"frames\":[",
                frames->def.tracks[track].name, unit_of(frames, track),
                frames->def.tracks[track].count);
    for (size_t frame = 0; frame < frames->count; frame++) {
        fputs(frame > 0 ? ",[" : "[", stream);
        write_frame(stream, frames, track, frame);
        fputc(']', stream);
    }
    fputc(']', stream);
    if (frames->def.tracks[track].extremes > 0) {
        write_extremes(stream, frames, track);
    }
    fputc('}', stream);
}

static size_t count_numbers(const crm_frames *frames)
{
    size_t numbers = 0;
    for (size_t k = 0; k < frames->def.track_count; k++) {
        for (size_t frame = 0; frame < frames->count; frame++) {
            numbers += write_frame(NULL, frames, k, frame);
        }
    }
    return numbers;
}

static void write_series(FILE *stream, const crm_frames *frames, size_t series)
{
    fprintf(stream, ",\"%s\":[", frames->def.series[series]);
    for (size_t frame = 0; frame < frames->count; frame++) {
        fputs(frame > 0 ? "," : "", stream);
        crm_page_number(stream, crm_frames_series(frames, series, frame), 12);
    }
    fputc(']', stream);
}

void crm_frames_json_write(FILE *stream, crm_frames *frames, size_t most)
{
    enum { FRAMES_LEAST = 32 };
    while (frames->count > FRAMES_LEAST && count_numbers(frames) > most) {
        crm_frames_thin(frames);
    }
    crm_fprintf(stream, "\"samples\":%llu,\"count\":%zu,\"resolution\":%g,\"time\":[",
                (unsigned long long)frames->samples, frames->count, part_of(frames));
    for (size_t frame = 0; frame < frames->count; frame++) {
        fputs(frame > 0 ? "," : "", stream);
        crm_page_number(stream, frames->time[frame], 17);
    }
    fputc(']', stream);
    if (has_rates(frames)) {
        write_joins(stream, frames);
    }
    for (size_t k = 0; k < frames->def.series_count; k++) {
        write_series(stream, frames, k);
    }
    for (size_t k = 0; k < frames->def.track_count; k++) {
        write_track(stream, frames, k);
    }
}
