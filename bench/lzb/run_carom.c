#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../clock.h"
#include "runner.h"

static void solve(const chain *c, const crm_settings *settings, answer *result)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    crm_model *model = chain_model(c);
    if (model == NULL) {
        exit(1);
    }
    double begin = cpu_seconds();
    check(crm_solve(model, c->velocity, settings, NULL, &outcome, &error), &error);
    result->seconds = cpu_seconds() - begin;
    result->finished = outcome->result == CRM_SOLVED;
    result->duration = outcome->duration;
    result->steps = outcome->steps;
    result->evaluations = outcome->evaluations;
    result->estimate = outcome->error_estimate;
    memcpy(result->velocity, outcome->velocity, c->balls * sizeof *result->velocity);
    crm_outcome_free(outcome);
    crm_model_free(model);
}

static crm_settings *settings_for(const char *scheme, double tolerance, uint64_t budget)
{
    crm_error error = {0};
    crm_settings *settings = NULL;
    check(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    check(crm_settings_set_text(settings, "scheme", scheme, &error), &error);
    check(crm_settings_set_number(settings, "tolerance", tolerance, &error), &error);
    if (budget > 0) {
        check(crm_settings_set_number(settings, "max_steps", (double)budget, &error), &error);
    }
    return settings;
}

void run_carom(const chain *c, double tolerance, uint64_t budget, answer *result)
{
    crm_settings *settings = settings_for("auto", tolerance, budget);
    solve(c, settings, result);
    crm_settings_free(settings);
}

void run_carom_gauss(const chain *c, double tolerance, uint64_t budget, answer *result)
{
    crm_settings *settings = settings_for("gauss", tolerance, budget);
    solve(c, settings, result);
    crm_settings_free(settings);
}

void run_carom_mono(const chain *c, double tolerance, uint64_t budget, answer *result)
{
    crm_error error = {0};
    crm_settings *settings = settings_for("auto", tolerance, budget);
    check(crm_settings_set_text(settings, "stiffness_model", "mono", &error), &error);
    solve(c, settings, result);
    crm_settings_free(settings);
}

/* ---- Looking on ------------------------------------------------------------------------------ */

typedef struct onlooker {
    size_t balls;
    double until;        /* stop there */
    double *velocity;    /* of the last sample */
    const double *final; /* or NULL */
    double error;
    double time; /* of the last sample, or of the last that was not within `error` of `final` */
} onlooker;

static crm_status look_on(void *context, const crm_sample *sample)
{
    onlooker *o = context;
    bool away = o->final == NULL;
    for (size_t i = 0; i < o->balls && !away; i++) {
        away = fabs(sample->velocity[i] - o->final[i]) > o->error;
    }
    o->time = away ? sample->time : o->time;
    if (o->velocity != NULL && sample->time >= o->until) {
        memcpy(o->velocity, sample->velocity, o->balls * sizeof *o->velocity);
    }
    return sample->time < o->until ? CRM_OK : CRM_ERROR_STOPPED;
}

/* Returns the CPU time. */
static double solve_watched(const chain *c, double tolerance, onlooker *o)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    crm_settings *settings = settings_for("auto", tolerance, 0);
    crm_model *model = chain_model(c);
    crm_recorder recorder = {.context = o, .interval = o->until, .record = look_on};
    if (model == NULL) {
        exit(1);
    }
    double begin = cpu_seconds();
    crm_status status = crm_solve(model, c->velocity, settings, &recorder, &outcome, &error);
    double seconds = cpu_seconds() - begin;
    if (status != CRM_ERROR_STOPPED) {
        check(status, &error);
        crm_outcome_free(outcome);
    }
    crm_model_free(model);
    crm_settings_free(settings);
    return seconds;
}

void run_carom_until(const chain *c, double tolerance, double until, answer *result)
{
    onlooker o = {.balls = c->balls, .until = until, .velocity = result->velocity};
    result->seconds = solve_watched(c, tolerance, &o);
    result->duration = o.time;
    result->finished = o.time >= until;
}

double carom_settling_time(const chain *c, double tolerance, const double *final, double error)
{
    onlooker o = {.balls = c->balls, .until = 1e30, .final = final, .error = error};
    solve_watched(c, tolerance, &o);
    return o.time;
}

/* ---- The published scheme -------------------------------------------------------------------- */

/* A tail slower than this is closed: a tenth of the error the scheme is wanted for. */
static const double EULER_TAIL = 1e-5;

void run_time_euler(const chain *c, double step, uint64_t budget, answer *result)
{
    crm_error error = {0};
    crm_settings *settings = settings_for("time-euler", EULER_TAIL, budget);
    check(crm_settings_set_number(settings, "step", step, &error), &error);
    solve(c, settings, result);
    crm_settings_free(settings);
}
