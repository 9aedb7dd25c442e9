/* From a scenario to the laws' answers: shared by the commands that compute. */
#ifndef CRM_RUN_H
#define CRM_RUN_H

#include "cli/cli.h"
#include "report/report.h"
#include "scenario/scenario.h"

/* Both return an exit status, after printing what went wrong. */
int crm_run_load(const crm_options *options, crm_scenario **scenario);
/* One entry per law, without outcomes yet; to be freed with free(). */
int crm_run_make_entries(const crm_scenario *scenario, crm_report_entry **entries);

crm_report crm_run_make_report(const crm_scenario *scenario, const crm_report_entry *entries);

/* An option that does not fit this system is a mistake in the scenario, like any other value. */
bool crm_run_is_mistake(crm_status status);

/* The result of one law. */
typedef struct crm_run {
    crm_status status;
    crm_error error;      /* when the status is not CRM_OK */
    crm_outcome *outcome; /* NULL then */
} crm_run;

/* The state behind the progress line of a law. */
typedef struct crm_run_progress {
    const char *unit;     /* of times in the impact; "s", or anything else for none */
    bool loses;           /* some contact dissipates: contacts settle ever more slowly */
    double tolerance;     /* NAN: it has none */
    double since, spread; /* when settling began, at which part of the speed; 0: not yet */
} crm_run_progress;

/* As text; once contacts only settle, with a forecast from the rate so far. */
void crm_run_describe_progress(crm_run_progress *law_progress, const crm_watch_report *report,
                               char *text, size_t size);

/* Run every law, as many at a time as options->jobs says; one at a time when a history is kept (it
 * may be NULL), and when that is 0: then no more memory is taken than by one. Jobs that are left
 * over (0: of all cores) are threads within each law. The same bits for any number of jobs. At the
 * time limit, or on SIGINT, laws end with what they have computed.
 */
void crm_run_all(const crm_scenario *scenario, const crm_options *options, crm_history *history,
                 crm_run *runs);

/* One law again, with its samples recorded; with all jobs. */
void crm_run_recorded(const crm_scenario *scenario, const crm_options *options, size_t law,
                      const crm_recorder *recorder, crm_run *run);

#endif
