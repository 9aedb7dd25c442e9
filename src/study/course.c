#include "study/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "solve/call.h"

/* Samples of an impact, beside those at events. */
static const double SAMPLES = 1024;
/* A peak counts if the force falls by this part of the largest before it rises again. */
static const double RIPPLE = 0.01;
/* A contact is reached when it has this part of its largest force. */
static const double ARRIVED = 0.01;

/* A contact at a sample. */
typedef struct instant {
    double time, force, impulse, c, slope; /* slope: c' */
} instant;

/* A contact while the impact goes on. */
typedef struct watched {
    instant now[3]; /* the last three samples, the latest first */
    size_t samples;
    double peak, peak_time, valley; /* of the last peak, and the least force since */
    double first_time;              /* of the first one */
    size_t peaks;
    double largest;
} watched;

typedef struct follower {
    const crm_model *model;
    const crm_outcome *outcome;
    bool turns; /* largest forces are at zeros of c */
    crm_course *course;
    watched *contact;
    double *slope;
} follower;

/* ---- Between samples ------------------------------------------------------------------------- */

/* The cubic with the values and slopes at both ends, at the part s of the way. */
static double cubic(const instant *a, const instant *b, double s)
{
    double h = b->time - a->time, r = 1 - s;
    return r * r * ((1 + 2 * s) * a->c + s * h * a->slope) +
           s * s * ((3 - 2 * s) * b->c - r * h * b->slope);
}

/* Where c falls through 0 between two samples. */
static double turning_time(const instant *a, const instant *b)
{
    double low = 0, high = 1;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(cubic(a, b, middle) > 0 ? &low : &high) = middle;
    }
    return a->time + 0.5 * (low + high) * (b->time - a->time);
}

/* The highest point of the parabola through three samples. */
static double summit_time(const instant *now)
{
    double before = now[1].time - now[2].time, after = now[0].time - now[1].time;
    double fall = (now[1].force - now[2].force) / before,
           rise = (now[0].force - now[1].force) / after;
    double bend = fall - rise;
    return bend > 0 ? now[1].time + 0.5 * (fall * after + rise * before) / bend : now[1].time;
}

/* Where the force reaches a value between two samples: the parabola with both forces and the
 * impulse.
 */
static double reaching_time(const instant *a, const instant *b, double force)
{
    double h = b->time - a->time, low = 0, high = 1;
    double bend = 3 * (a->force + b->force) - 6 * (b->impulse - a->impulse) / h;
    for (int k = 0; k < 60; k++) {
        double s = 0.5 * (low + high);
        double value = a->force + s * (b->force - a->force) - bend * s * (1 - s);
        *(value < force ? &low : &high) = s;
    }
    return a->time + 0.5 * (low + high) * h;
}

/* ---- A contact ------------------------------------------------------------------------------- */

/* When the force was largest about the sample before the last. */
static double peak_time(const follower *f, const watched *w)
{
    const instant *now = w->now;
    if (!f->turns) {
        return w->samples >= 3 ? summit_time(now) : now[1].time;
    }
    if (w->samples >= 3 && now[2].c > 0 && now[1].c <= 0) {
        return turning_time(&now[2], &now[1]);
    }
    return now[1].c > 0 && now[0].c <= 0 ? turning_time(&now[1], &now[0]) : now[1].time;
}

/* As long as the force has not fallen well below it a higher one takes its place; a new one begins
 * only after such a fall and a rise. `force` is that of the sample before the last.
 */
static void note_peak(const follower *f, watched *w, size_t j, double force)
{
    double ripple = RIPPLE * f->outcome->peak_force[j];
    bool begins = w->peaks == 0 || (w->valley < w->peak - ripple && force > w->valley + ripple);
    if (force > 0 && (begins || force > w->peak)) {
        w->peaks += begins;
        w->peak = w->valley = force;
        w->peak_time = peak_time(f, w);
        w->first_time = w->peaks == 1 ? w->peak_time : w->first_time;
        if (force > w->largest) {
            w->largest = force;
            f->course->peak_time[j] = w->peak_time;
        }
    }
    w->valley = fmin(w->valley, force);
}

static void look(const follower *f, size_t j, instant now)
{
    watched *w = &f->contact[j];
    double reached = ARRIVED * f->outcome->peak_force[j];
    if (w->samples > 0 && now.time <= w->now[0].time) {
        w->now[0] = now; /* the same instant, after what happened at it */
        return;
    }
    memmove(&w->now[1], &w->now[0], 2 * sizeof w->now[0]);
    w->now[0] = now;
    w->samples++;
    if (reached > 0 && isnan(f->course->arrival[j]) && now.force >= reached) {
        f->course->arrival[j] =
            w->samples > 1 ? reaching_time(&w->now[1], &now, reached) : now.time;
    }
    if (w->samples > 1) {
        note_peak(f, w, j, w->now[1].force);
    }
    f->course->period[j] =
        w->peaks > 1 ? (w->peak_time - w->first_time) / (double)(w->peaks - 1) : NAN;
}

static crm_status record(void *context, const crm_sample *sample)
{
    follower *f = context;
    crm_status status = crm_model_delassus_apply(f->model, sample->force, f->slope, NULL);
    for (size_t j = 0; status == CRM_OK && j < f->model->contacts; j++) {
        look(f, j,
             (instant){sample->time, sample->force[j], sample->impulse[j], sample->closing_speed[j],
                       -f->slope[j]});
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

bool crm_course_is_needed(const crm_recorded *recorded)
{
    bool needs = false;
    for (size_t k = 0; recorded->kind == &crm_recordable_impact && k < recorded->factor_count;
         k++) {
        needs = needs || crm_outcome_field_at(recorded->factors[k].field)->of_course;
    }
    return needs;
}

static void forget(double *values, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        values[j] = NAN;
    }
}

crm_status crm_course_follow(const crm_model *model, const double *velocity,
                             const crm_settings *settings, const crm_watch *watch,
                             const crm_outcome *outcome, crm_course *course, crm_error *error)
{
    size_t s = model->contacts;
    *course = (crm_course){CRM_NEW(double, s), CRM_NEW(double, s), CRM_NEW(double, s)};
    follower f = {.model = model,
                  .outcome = outcome,
                  .turns = strcmp(crm_settings_law(settings)->name, "lzb") == 0,
                  .course = course,
                  .contact = CRM_NEW(watched, s),
                  .slope = CRM_NEW(double, s)};
    crm_status status = CRM_OK;
    if (course->peak_time == NULL || course->arrival == NULL || course->period == NULL ||
        f.contact == NULL || f.slope == NULL) {
        status = crm_fail_memory(error);
    } else {
        forget(course->peak_time, s);
        forget(course->arrival, s);
        forget(course->period, s);
    }
    const crm_recorder recorder = {
        .context = &f, .interval = outcome->duration / SAMPLES, .record = record};
    if (status == CRM_OK && outcome->peak_force != NULL && outcome->duration > 0) {
        crm_outcome *again = NULL;
        status = crm_solve_on(1, watch, model, velocity, settings, &recorder, &again, error);
        crm_outcome_free(again);
    }
    free(f.contact);
    free(f.slope);
    return status;
}

void crm_course_release(crm_course *course)
{
    free(course->peak_time);
    free(course->arrival);
    free(course->period);
    *course = (crm_course){0};
}
