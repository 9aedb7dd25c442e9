#include "reproduce/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A peak counts if the curve falls by this part of its largest value before it rises again. */
static const double RIPPLE = 0.01;
/* A contact works if its force is above this part of the peak. */
static const double AT_WORK = 0.001;

enum { PEAKS, PERIOD, SECOND_PEAK, PEAK_TIME, END_TIME, CROSSINGS, LARGEST, WORKING, FUNCTIONS };
enum { FORCE, STORED_ENERGY, CLOSING_SPEED, IMPULSE, VELOCITY, SIGNALS };

static const char *const function_names[FUNCTIONS] = {
    [PEAKS] = "peaks",         [PERIOD] = "period",     [SECOND_PEAK] = "second_peak",
    [PEAK_TIME] = "peak_time", [END_TIME] = "end_time", [CROSSINGS] = "crossings",
    [LARGEST] = "largest",     [WORKING] = "working",
};

static const char *const signal_names[SIGNALS] = {
    [FORCE] = "force",     [STORED_ENERGY] = "stored_energy", [CLOSING_SPEED] = "closing_speed",
    [IMPULSE] = "impulse", [VELOCITY] = "velocity",
};

/* ---- Names ---------------------------------------------------------------------------------- */

/* Index of the name that `text` begins with, up to `end`; -1: none. */
static int name_before(const char *text, char end, const char *const *names, int count,
                       const char **after)
{
    size_t length = strcspn(text, "([");
    for (int i = 0; i < count && text[length] == end; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) {
            *after = text + length + 1;
            return i;
        }
    }
    return -1;
}

bool crm_trace_parse(const char *name, crm_trace *trace)
{
    const char *at = NULL;
    *trace = (crm_trace){0};
    trace->function = name_before(name, '(', function_names, FUNCTIONS, &at);
    if (trace->function < 0) {
        return false;
    }
    trace->signal = name_before(at, '[', signal_names, SIGNALS, &at);
    if (trace->signal < 0) {
        return false;
    }
    char *end;
    trace->index = strtol(at, &end, 10);
    return end != at && strcmp(end, "])") == 0 && trace->index != 0;
}

bool crm_trace_begin(crm_trace *trace, const crm_model *model)
{
    size_t count =
        trace->signal == VELOCITY ? crm_model_coordinates(model) : crm_model_contacts(model);
    size_t place = (size_t)labs(trace->index);
    if (place > count) {
        return false;
    }
    *trace = (crm_trace){.function = trace->function,
                         .signal = trace->signal,
                         .index = trace->index,
                         .entry = trace->index > 0 ? place - 1 : count - place};
    return true;
}

/* ---- Seeing --------------------------------------------------------------------------------- */

static double signal_value(const crm_trace *trace, const crm_sample *sample)
{
    const double *const arrays[SIGNALS] = {
        [FORCE] = sample->force,
        [STORED_ENERGY] = sample->stored_energy,
        [CLOSING_SPEED] = sample->closing_speed,
        [IMPULSE] = sample->impulse,
        [VELOCITY] = sample->velocity,
    };
    return arrays[trace->signal][trace->entry];
}

static size_t count_working(const crm_model *model, const crm_sample *sample, double force)
{
    size_t count = 0;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        count += sample->force[j] > AT_WORK * force;
    }
    return count;
}

/* The last peak is taken back as long as the curve has not fallen well below it and a higher
 * value comes; a new one begins only after such a fall and rise.
 */
static void add_peak(crm_trace *trace, double value, double time)
{
    double depth = RIPPLE * trace->largest;
    if (trace->peaks == 0 ||
        (trace->valley < trace->peak[trace->peaks - 1] - depth && value > trace->valley + depth)) {
        if (value > 0 && trace->peaks < CRM_TRACE_PEAKS_MOST) {
            trace->peak[trace->peaks] = value;
            trace->peak_time[trace->peaks] = time;
            trace->peaks++;
            trace->valley = value;
        }
    } else if (value > trace->peak[trace->peaks - 1]) {
        trace->peak[trace->peaks - 1] = value;
        trace->peak_time[trace->peaks - 1] = time;
        trace->valley = value;
    }
    trace->valley = fmin(trace->valley, value);
}

void crm_trace_add(crm_trace *trace, const crm_model *model, const crm_sample *sample)
{
    double value = signal_value(trace, sample);
    if (fabs(value) > trace->largest) {
        trace->largest = fabs(value);
        trace->largest_time = sample->time;
        trace->working = trace->function == WORKING && trace->signal == FORCE
                             ? count_working(model, sample, value)
                             : 0;
    }
    if (value > 0) {
        trace->end_time = sample->time;
    }
    int sign = (value > 0) - (value < 0);
    trace->crossings += sign != 0 && trace->sign != 0 && sign != trace->sign;
    trace->sign = sign != 0 ? sign : trace->sign;
    add_peak(trace, value, sample->time);
    trace->samples++;
}

double crm_trace_value(const crm_trace *trace)
{
    if (trace->samples == 0) {
        return NAN;
    }
    switch (trace->function) {
    case PEAKS:
        return (double)trace->peaks;
    case PERIOD:
        return trace->peaks < 2 ? NAN
                                : (trace->peak_time[trace->peaks - 1] - trace->peak_time[0]) /
                                      (double)(trace->peaks - 1);
    case SECOND_PEAK:
        return trace->peaks < 2 ? NAN : trace->peak[1] / trace->peak[0];
    case PEAK_TIME:
        return trace->largest_time;
    case END_TIME:
        return trace->end_time;
    case CROSSINGS:
        return (double)trace->crossings;
    case LARGEST:
        return trace->largest;
    default:
        return (double)trace->working;
    }
}
