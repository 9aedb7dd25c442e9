/* Quantities of the course of an impact: the peaks of a force, their period, the width of a wave.
 *
 *   peaks(force[-1])             how many peaks it has (ripples below 1 % of the largest are none)
 *   period(force[-1])            mean time between them
 *   second_peak(force[-1])       the second of them, relative to the first
 *   peak_time(force[3])          when it is largest
 *   end_time(force[1])           when it was last above nothing
 *   crossings(closing_speed[1])  how often it changes its sign
 *   largest(velocity[9])         its largest size
 *   working(force[8])            contacts at work (0.1 % of this force) when this force is largest
 */
#ifndef CRM_REPRODUCE_TRACE_H
#define CRM_REPRODUCE_TRACE_H

#include <stdbool.h>

#include "carom/carom.h"

enum { CRM_TRACE_PEAKS_MOST = 256 };

typedef struct crm_trace {
    /* What is asked for. */
    int function;
    int signal;
    long index; /* from 1; from the end when negative */

    /* How it went so far. */
    size_t entry; /* in the signal's array */
    size_t samples;
    double valley; /* least since the last peak */
    size_t peaks;
    double peak[CRM_TRACE_PEAKS_MOST];
    double peak_time[CRM_TRACE_PEAKS_MOST];
    double largest, largest_time;
    size_t working;
    double end_time;
    int sign;
    size_t crossings;
} crm_trace;

/* False: the name is no quantity of this kind. */
bool crm_trace_parse(const char *name, crm_trace *trace);
/* Forget what was seen. False: the model has no such entry. */
bool crm_trace_begin(crm_trace *trace, const crm_model *model);
void crm_trace_add(crm_trace *trace, const crm_model *model, const crm_sample *sample);
double crm_trace_value(const crm_trace *trace); /* NAN: never seen, or too few peaks */

#endif
