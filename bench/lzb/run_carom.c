#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runner.h"

double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void demand(crm_status status, const crm_error *error)
{
    if (status != CRM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

static void solve(const chain *c, const crm_settings *settings, answer *result)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    crm_model *model = chain_model(c);
    if (model == NULL) {
        exit(1);
    }
    double begin = cpu_seconds();
    demand(crm_solve(model, c->velocity, settings, NULL, &outcome, &error), &error);
    result->seconds = cpu_seconds() - begin;
    result->finished = outcome->result == CRM_SOLVED;
    result->duration = outcome->duration;
    result->steps = outcome->steps;
    memcpy(result->velocity, outcome->velocity, c->balls * sizeof *result->velocity);
    crm_outcome_free(outcome);
    crm_model_free(model);
}

static crm_settings *settings_for(const char *scheme, double tolerance, uint64_t budget)
{
    crm_error error = {0};
    crm_settings *settings = NULL;
    demand(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    demand(crm_settings_set_text(settings, "scheme", scheme, &error), &error);
    demand(crm_settings_set_number(settings, "tolerance", tolerance, &error), &error);
    if (budget > 0) {
        demand(crm_settings_set_number(settings, "max_steps", (double)budget, &error), &error);
    }
    return settings;
}

void run_carom(const chain *c, double tolerance, uint64_t budget, answer *result)
{
    crm_settings *settings = settings_for("auto", tolerance, budget);
    solve(c, settings, result);
    crm_settings_free(settings);
}

/* A tail slower than this is closed: a tenth of the error the scheme is wanted for. */
static const double EULER_TAIL = 1e-5;

void run_time_euler(const chain *c, double step, uint64_t budget, answer *result)
{
    crm_error error = {0};
    crm_settings *settings = settings_for("time-euler", EULER_TAIL, budget);
    demand(crm_settings_set_number(settings, "step", step, &error), &error);
    solve(c, settings, result);
    crm_settings_free(settings);
}
