#include "cli/command/run.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "solve/call.h"

/* ---- Before ------------------------------------------------------------------------------- */

int crm_load_scenario(const crm_options *options, crm_scenario **scenario)
{
    crm_read_error error = {0};
    crm_limits limits = crm_limits_of_scenario();
    if (crm_scenario_read(options->operands[0], options->sets, options->set_count, &limits,
                          scenario, &error) != CRM_OK) {
        return crm_say_read_error(CRM_EXIT_SCENARIO, &error);
    }
    if (options->laws != NULL &&
        crm_scenario_choose_laws(*scenario, options->laws, &error) != CRM_OK) {
        return error.status == CRM_ERROR_MEMORY ? crm_say_memory()
                                                : crm_say(CRM_EXIT_USAGE, "%s", error.text);
    }
    return CRM_EXIT_DONE;
}

int crm_make_entries(const crm_scenario *scenario, crm_report_entry **entries)
{
    *entries = CRM_NEW(crm_report_entry, scenario->law_count);
    if (*entries == NULL) {
        return crm_say_memory();
    }
    for (size_t i = 0; i < scenario->law_count; i++) {
        (*entries)[i] = (crm_report_entry){.label = scenario->laws[i].label,
                                           .law = crm_settings_law(scenario->laws[i].settings),
                                           .settings = scenario->laws[i].settings,
                                           .reason = ""};
    }
    return CRM_EXIT_DONE;
}

crm_report crm_make_report(const crm_scenario *scenario, const crm_report_entry *entries)
{
    return (crm_report){.title = scenario->title,
                        .model = scenario->model,
                        .velocity = scenario->velocity,
                        .generalized = scenario->generalized,
                        .misses = scenario->misses,
                        .doubts = &scenario->doubts,
                        .count = scenario->law_count,
                        .entries = entries};
}

bool crm_is_scenario_mistake(crm_status status)
{
    return status == CRM_ERROR_OPTION || status == CRM_ERROR_ARGUMENT || status == CRM_ERROR_MODEL;
}

/* ---- The work ----------------------------------------------------------------------------- */

typedef struct work {
    const crm_scenario *scenario;
    const crm_options *options;
    crm_history *history;
    crm_run *runs;
    crm_progress progress;
    size_t threads; /* for one law */
    atomic_size_t next, done;
} work;

/* One law at work. */
typedef struct course {
    work *work;
    const char *label;
} course;

static bool go_on(void *context, const crm_watch_report *report)
{
    const course *c = context;
    char text[128] = "";
    if (!isnan(report->time)) {
        crm_append(text, sizeof text, "t = %.4g s, ", report->time);
    }
    crm_append(text, sizeof text, "%zu contacts at work", report->working);
    if (!isnan(report->left)) {
        crm_append(text, sizeof text, " at up to %.1g of the speed", report->left);
    }
    crm_progress_tell(&c->work->progress, c->label, text);
    return !crm_interrupted();
}

static void run_law(work *w, size_t i)
{
    const crm_scenario *scenario = w->scenario;
    crm_recorder recorder = {.context = w->history,
                             .interval = scenario->history_interval,
                             .only_multiples = scenario->history_interval > 0,
                             .record = crm_history_record};
    if (w->history != NULL) {
        crm_history_law(w->history, scenario->laws[i].label);
    }
    course c = {.work = w, .label = scenario->laws[i].label};
    const crm_watch watch = {
        .seconds = crm_time_for_call(), .bytes = crm_memory_most(), .context = &c, .go_on = go_on};
    crm_run *run = &w->runs[i];
    run->status = crm_solve_on(w->threads, &watch, scenario->model, scenario->velocity,
                               scenario->laws[i].settings, w->history != NULL ? &recorder : NULL,
                               &run->outcome, &run->error);
    if (w->history != NULL && run->status == CRM_OK) {
        run->status = crm_history_end(w->history, run->outcome, &run->error);
    }
}

static void *run_laws(void *context)
{
    work *w = context;
    size_t count = w->scenario->law_count;
    for (size_t i = atomic_fetch_add(&w->next, 1); i < count; i = atomic_fetch_add(&w->next, 1)) {
        run_law(w, i);
        crm_progress_show(&w->progress, atomic_fetch_add(&w->done, 1) + 1);
    }
    return NULL;
}

/* Threads that cannot be started are done without: this one takes what is left. */
static void run_threads(work *w, unsigned jobs)
{
    pthread_t *threads = CRM_NEW(pthread_t, jobs);
    unsigned started = 0;
    while (threads != NULL && started + 1 < jobs &&
           pthread_create(&threads[started], NULL, run_laws, w) == 0) {
        started++;
    }
    run_laws(w);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
}

void crm_run_all(const crm_scenario *scenario, const crm_options *options, crm_history *history,
                 crm_run *runs)
{
    work w = {.scenario = scenario, .options = options, .history = history, .runs = runs};
    unsigned jobs = options->jobs;
    size_t most = history != NULL ? 1 : scenario->law_count;
    unsigned side_by_side = jobs < most ? jobs : (unsigned)most;
    w.threads = jobs > side_by_side && side_by_side > 0 ? jobs / side_by_side : 1;
    crm_progress_begin(&w.progress, "laws", scenario->law_count, options->quiet);
    crm_interrupt_catch();
    crm_time_is_watched();
    run_threads(&w, side_by_side);
    crm_progress_end(&w.progress);
}
