/* Frames: states at instants of an impact or a motion, as many as a page has room for.
 *
 * A frame has tracks (lists of numbers, such as all velocities) and series (single numbers, such as
 * an energy). Frames are added as they are computed until there is no room; then those go that
 * interpolation between their neighbours reproduces best, so that the remaining ones are as they
 * were computed. Frames at which a series is largest or least stay. Of a track with extremes, the
 * largest of each number (and the least) is known with its time, whichever frames stay. A track
 * with peaks is an envelope: when a frame goes, the nearer of its neighbours takes over larger
 * values. It is for pictures in which no peak may be missing, not for values at a time.
 *
 * Between two frames values follow a line, or a curve where rates are known: see crm_frames_join.
 */
#ifndef CRM_FRAMES_H
#define CRM_FRAMES_H

#include "carom/carom.h"

enum { CRM_FRAMES_TRACKS_MOST = 4, CRM_FRAMES_SERIES_MOST = 6 };

typedef struct crm_frames_track {
    const char *name;
    size_t count;
    bool peaks;        /* after the tracks without */
    bool shifted;      /* their range counts, not their size: positions */
    unsigned extremes; /* kept: 0 none, 1 the largest of each number, 2 the least, too */
    size_t
        rate; /* 0: none is known; else the track of the rates of these numbers, counted from 1 */
} crm_frames_track;

/* How a frame is joined to the one before. */
typedef enum crm_frames_join {
    CRM_FRAMES_LINE,  /* nothing is known in between */
    CRM_FRAMES_CURVE, /* smooth: numbers with rates p(t) go along the cubic by both ends' p and p'
                       */
    CRM_FRAMES_IMPACT /* smooth up to this frame, at which p' jumps: the parabola by p, p' and p
                       */
} crm_frames_join;

typedef struct crm_frames_def {
    size_t track_count, series_count;
    crm_frames_track tracks[CRM_FRAMES_TRACKS_MOST];
    const char *series[CRM_FRAMES_SERIES_MOST]; /* names */
} crm_frames_def;

typedef struct crm_frames {
    crm_frames_def def;
    size_t start[CRM_FRAMES_TRACKS_MOST]; /* of a track in a frame */
    size_t width, peak_start;             /* of a frame; from where on it has peaks */
    size_t capacity, count;
    uint64_t samples; /* there were, at different times */
    double *time;
    double *series;        /* frame by frame */
    double *values;        /* frame by frame, as they were at the time */
    double *peaks;         /* the largest since, frame by frame */
    unsigned char *join;   /* crm_frames_join of each frame */
    double *extreme;       /* of each number: time and value of its least, its largest */
    double *cost, *sorted; /* of leaving frames out */
    double least[CRM_FRAMES_TRACKS_MOST]; /* there was, of each track */
    double most[CRM_FRAMES_TRACKS_MOST];
} crm_frames;

/* Zeroed by a failure, and by crm_frames_free. Names must outlive it. */
crm_status crm_frames_create(const crm_frames_def *def, crm_frames *frames, crm_error *error);
void crm_frames_free(crm_frames *frames);

/* Add frames in the order of time: begin one, then put its tracks and series. A frame at the time
 * of the one before replaces it.
 */
void crm_frames_begin(crm_frames *frames, double time);
/* Of the current frame. Of two at one time a jump at either counts. */
void crm_frames_set_join(crm_frames *frames, crm_frames_join join);
/* values[which[i]]; `which` NULL: values[i] */
void crm_frames_put(crm_frames *frames, size_t track, const double *values, const size_t *which);
void crm_frames_put_series(crm_frames *frames, size_t series, double value);

/* Leave out at least a quarter of the frames: those that interpolation reproduces best. */
void crm_frames_thin(crm_frames *frames);

/* The largest absolute value of a track; of a shifted track the range. */
double crm_frames_span(const crm_frames *frames, size_t track);
/* A track of a frame; if it has peaks, including those of frames left out beside it. */
const double *crm_frames_values(const crm_frames *frames, size_t track, size_t frame);
double crm_frames_series(const crm_frames *frames, size_t series, size_t frame);
/* Time and value of the least, then time and value of the largest there was of a number. */
const double *crm_frames_extreme(const crm_frames *frames, size_t track, size_t number);
/* A number as a curve: the frames, and `fine` points of each part of it that is none of lines, both
 * ends of a jump, and the extremes kept. crm_frames_curve_points_most is how many there
 * may be.
 */
size_t crm_frames_curve_points_most(const crm_frames *frames, unsigned fine);
size_t crm_frames_curve(const crm_frames *frames, size_t track, size_t number, unsigned fine,
                        double *x, double *y);

#endif
