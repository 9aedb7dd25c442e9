#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Short runs are repeated: the least of MOST_REPEATS, or of what fits into REPEAT_SECONDS. */
enum { MOST_REPEATS = 20 };
static const double REPEAT_SECONDS = 0.5;

static double *room_for(size_t count)
{
    double *room = calloc(count, sizeof *room);
    if (room == NULL) {
        exit(1);
    }
    return room;
}

static double largest_difference(const double *a, const double *b, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* Steps to the horizon, 0 without one. */
static uint64_t steps_to_horizon(const bench_case *about, double step)
{
    return (uint64_t)ceil(about->horizon / step);
}

/* The reference, and time-euler in search of its step, stop at the horizon. */
static void run_to_horizon(const trial *t, runner run, double step, answer *a)
{
    run(&t->chain, step, steps_to_horizon(t->about, step), a);
    if (t->about->horizon > 0) {
        chain_project(&t->chain, a->velocity);
    }
}

void trial_begin(trial *t, const bench_case *about)
{
    *t = (trial){.about = about, .chain = about->make(about->balls), .duration = NAN};
    t->velocity = room_for(about->balls);
    if (about->reference_step > 0) {
        t->reference = room_for(about->balls);
        answer fine = {.velocity = t->reference}, coarse = {.velocity = t->velocity};
        run_to_horizon(t, run_reference, about->reference_step, &fine);
        run_to_horizon(t, run_reference, 2 * about->reference_step, &coarse);
        t->uncertainty = largest_difference(fine.velocity, coarse.velocity, about->balls);
        t->duration = fine.duration;
    }
}

void trial_end(trial *t)
{
    chain_release(&t->chain);
    free(t->reference);
    free(t->velocity);
}

static bool within(double error, double allowed)
{
    return isnan(allowed) || error <= allowed;
}

static void judge(const trial *t, row *r)
{
    const bench_case *about = t->about;
    const double *v = t->velocity, *reference = t->reference;
    size_t end = about->balls - 1;
    if (t->chain.restitution == 1) {
        double before = chain_energy(&t->chain, t->chain.velocity);
        r->energy = fabs(chain_energy(&t->chain, v) / before - 1);
    }
    r->last = fabs(v[end] - (reference != NULL ? reference[end] : about->last));
    r->worst = reference != NULL ? largest_difference(v, reference, about->balls)
                                 : fmax(fabs(v[0] - about->first), r->last);
    r->acceptable = within(r->energy, about->energy_allowed) &&
                            within(r->last, about->last_allowed) &&
                            within(r->worst, about->worst_allowed)
                        ? OK
                        : NOT_OK;
}

static row empty_row(const trial *t, const char *code)
{
    return (row){.what = t->about->name,
                 .balls = t->about->balls,
                 .code = code,
                 .ratio = NAN,
                 .energy = NAN,
                 .last = NAN,
                 .worst = NAN};
}

row trial_measure(trial *t, const char *code, runner run, double setting, const char *unit,
                  uint64_t budget)
{
    row r = empty_row(t, code);
    answer a = {.velocity = t->velocity};
    double total = 0;
    r.seconds = INFINITY;
    for (int k = 0; k < MOST_REPEATS && total < REPEAT_SECONDS; k++) {
        run(&t->chain, setting, budget, &a);
        r.seconds = fmin(r.seconds, a.seconds);
        total += a.seconds;
    }
    snprintf(r.setting, sizeof r.setting, "%s %.3g", unit, setting);
    r.value = setting;
    if (a.finished) {
        judge(t, &r);
        t->duration = a.duration;
    } else {
        r.seconds *= t->duration / a.duration;
        r.scaled = true;
    }
    return r;
}

row trial_search_euler(trial *t, double wanted, double most_seconds, double *found)
{
    double step = t->about->euler_step;
    row r = empty_row(t, "carom time-euler");
    answer a = {.velocity = t->velocity};
    for (;; step /= 3) {
        run_to_horizon(t, run_time_euler, step, &a);
        judge(t, &r);
        if (r.worst <= wanted || 3 * a.seconds > most_seconds) {
            break;
        }
    }
    double shorter = fmax(r.worst / wanted, 1);
    r.seconds = a.seconds * shorter;
    r.scaled = shorter > 1;
    r.worst /= shorter;
    r.last = NAN;
    r.energy = NAN;
    r.acceptable = NOT_JUDGED;
    *found = step / shorter;
    snprintf(r.setting, sizeof r.setting, "step %.2g for %.0e", *found, wanted);
    return r;
}

row trial_measure_to_horizon(trial *t, double tolerance)
{
    row r = empty_row(t, "carom, to the horizon");
    answer a = {.velocity = t->velocity};
    double total = 0;
    r.seconds = INFINITY;
    for (int k = 0; k < MOST_REPEATS && total < REPEAT_SECONDS; k++) {
        run_carom_until(&t->chain, tolerance, t->about->horizon, &a);
        r.seconds = fmin(r.seconds, a.seconds);
        total += a.seconds;
    }
    chain_project(&t->chain, a.velocity);
    judge(t, &r);
    snprintf(r.setting, sizeof r.setting, "tolerance %.3g", tolerance);
    return r;
}

/* CPU time of a step in which every contact presses: all of them close from the start. */
static double euler_seconds_per_step(const trial *t, double step)
{
    enum { STEPS = 4000 };
    chain c = t->chain;
    answer a = {.velocity = room_for(c.balls)};
    c.velocity = room_for(c.balls);
    for (size_t i = 0; i < c.balls; i++) {
        c.velocity[i] = 1 - (double)i / (double)c.balls;
    }
    run_time_euler(&c, step, STEPS, &a);
    free(a.velocity);
    free(c.velocity);
    return a.seconds / STEPS;
}

row trial_euler_to_end(const trial *t, const row *to_horizon, double step, double wanted,
                       double *until)
{
    row r = *to_horizon;
    *until = carom_settling_time(&t->chain, wanted, t->reference, wanted);
    r.code = "time-euler, to its end";
    r.seconds += (*until - t->about->horizon) / step * euler_seconds_per_step(t, step);
    r.scaled = true;
    return r;
}
