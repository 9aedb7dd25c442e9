#include "cli/command/run.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/elementary.h"
#include "cli/limits.h"
#include "cli/terminal/progress.h"
#include "solve/call.h"

/* ---- Before ------------------------------------------------------------------------------- */

int crm_run_load(const crm_options *options, crm_scenario **scenario)
{
    crm_read_error error = {0};
    crm_yaml_limits limits = crm_limits_for_scenario();
    if (crm_scenario_read(options->operands[0], options->sets, options->set_count, &limits,
                          scenario, &error) != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    if (options->laws != NULL &&
        crm_scenario_choose_laws(*scenario, options->laws, &error) != CRM_OK) {
        return error.status == CRM_ERROR_MEMORY ? crm_message_memory()
                                                : crm_message(CRM_EXIT_USAGE, "%s", error.text);
    }
    return CRM_EXIT_DONE;
}

int crm_run_make_entries(const crm_scenario *scenario, crm_report_entry **entries)
{
    *entries = CRM_NEW(crm_report_entry, scenario->law_count);
    if (*entries == NULL) {
        return crm_message_memory();
    }
    for (size_t i = 0; i < scenario->law_count; i++) {
        (*entries)[i] = (crm_report_entry){.label = scenario->laws[i].label,
                                           .law = crm_settings_law(scenario->laws[i].settings),
                                           .settings = scenario->laws[i].settings,
                                           .reason = ""};
    }
    return CRM_EXIT_DONE;
}

crm_report crm_run_make_report(const crm_scenario *scenario, const crm_report_entry *entries)
{
    return (crm_report){.title = scenario->title,
                        .model = scenario->model,
                        .velocity = scenario->velocity,
                        .generalized = scenario->generalized,
                        .near_contacts = scenario->near_contacts,
                        .warnings = &scenario->warnings,
                        .count = scenario->law_count,
                        .entries = entries};
}

bool crm_run_is_mistake(crm_status status)
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

/* A call of one law. */
typedef struct law_call {
    work *work;
    const char *label;
    crm_run_progress law_progress;
} law_call;

/* Below this fraction of the initial speed contacts only settle. */
static const double IMPACT_OVER = 0.1;
/* The rate is estimated only after this many seconds, and once errors fell to this fraction. */
static const double RATE_SECONDS = 2, RATE_DECAY = 0.7;

/* Seconds until `left` is `goal`, at the rate so far; NAN: not known. */
static double seconds_to(const crm_run_progress *c, const crm_watch_report *report, double goal)
{
    double passed = report->seconds - c->since;
    if (passed < RATE_SECONDS || !(report->left < RATE_DECAY * c->spread)) {
        return NAN;
    }
    return passed * crm_log(report->left / goal) / crm_log(c->spread / report->left);
}

static void add_forecast(const crm_run_progress *c, const crm_watch_report *report, char *text,
                         size_t size)
{
    static const double ROUGH = 1e-4;
    char span[48];
    double rest = seconds_to(c, report, c->tolerance), rough = seconds_to(c, report, ROUGH);
    if (rest > 0) {
        crm_progress_format_time(rest, span, sizeof span);
        crm_text_append(text, size, "; about %s to %.0e", span, c->tolerance);
    }
    if (rest > 0 && rough > 0 && c->tolerance < ROUGH) {
        crm_progress_format_time(rough, span, sizeof span);
        crm_text_append(text, size, ", %s to %.0e", span, ROUGH);
    }
}

static void note_decay(crm_run_progress *c, const crm_watch_report *report)
{
    if (c->spread == 0 && report->left < IMPACT_OVER) {
        c->since = report->seconds;
        c->spread = report->left;
    }
}

static void add_progress(const crm_run_progress *c, const crm_watch_report *report, char *text,
                         size_t size)
{
    bool seconds = strcmp(c->unit, "s") == 0;
    if (!isnan(report->time)) {
        crm_text_append(text, size, "t = %.4g%s, ", report->time, seconds ? " s" : "");
    }
    crm_text_append(text, size, "%zu active contacts", report->working);
    if (!isnan(report->left)) {
        crm_text_append(text, size, ", closing at up to %.1g of the initial speed", report->left);
    }
}

void crm_run_describe_progress(crm_run_progress *c, const crm_watch_report *report, char *text,
                               size_t size)
{
    text[0] = '\0';
    note_decay(c, report);
    if (c->loses && report->left < IMPACT_OVER && report->working > 1) {
        crm_text_append(text, size, "%zu contacts settle, %.1g of the speed left", report->working,
                        report->left);
        add_forecast(c, report, text, size);
    } else {
        add_progress(c, report, text, size);
    }
}

static bool go_on(void *context, const crm_watch_report *report)
{
    law_call *c = context;
    char text[256];
    crm_run_describe_progress(&c->law_progress, report, text, sizeof text);
    crm_progress_show_text(&c->work->progress, c->label, text);
    return !crm_interrupt_caught();
}

static bool loses_energy(const crm_model *model)
{
    bool loses = false;
    for (size_t j = 0; j < crm_model_contacts(model) && !loses; j++) {
        loses = crm_model_restitution(model)[j] < 1;
    }
    return loses;
}

static void call_law(work *w, size_t i, const crm_recorder *recorder, crm_run *run)
{
    const crm_scenario *scenario = w->scenario;
    law_call c = {
        .work = w,
        .label = scenario->laws[i].label,
        .law_progress = {.unit = crm_field_unit(scenario->model, "s"),
                         .loses = loses_energy(scenario->model),
                         .tolerance = crm_settings_tolerance(scenario->laws[i].settings)}};
    const crm_watch watch = {.seconds = crm_limits_time_for_call(),
                             .bytes = crm_limits_memory(),
                             .context = &c,
                             .go_on = go_on};
    run->status = crm_solve_on(w->threads, &watch, scenario->model, scenario->velocity,
                               scenario->laws[i].settings, recorder, &run->outcome, &run->error);
}

static void run_law(work *w, size_t i)
{
    const crm_scenario *scenario = w->scenario;
    const crm_recorder recorder = {.context = w->history,
                                   .interval = scenario->history_interval,
                                   .only_multiples = scenario->history_interval > 0,
                                   .record = crm_history_record};
    if (w->history != NULL) {
        crm_history_law(w->history, scenario->laws[i].label);
    }
    crm_run *run = &w->runs[i];
    call_law(w, i, w->history != NULL ? &recorder : NULL, run);
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

/* If threads cannot be started, this one does their work. */
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
    unsigned jobs = crm_limits_jobs(options);
    size_t most = history != NULL || options->jobs == 0 ? 1 : scenario->law_count;
    unsigned side_by_side = jobs < most ? jobs : (unsigned)most;
    w.threads = side_by_side > 0 ? jobs / side_by_side : 1;
    crm_progress_begin(&w.progress, "laws", scenario->law_count, options->quiet);
    crm_interrupt_catch();
    crm_limits_begin_polling();
    run_threads(&w, side_by_side);
    crm_progress_end(&w.progress);
}

void crm_run_recorded(const crm_scenario *scenario, const crm_options *options, size_t law,
                      const crm_recorder *recorder, crm_run *run)
{
    work w = {.scenario = scenario, .options = options, .threads = crm_limits_jobs(options)};
    *run = (crm_run){0};
    crm_progress_begin(&w.progress, "pictures", 1, options->quiet);
    call_law(&w, law, recorder, run);
    crm_progress_end(&w.progress);
}
