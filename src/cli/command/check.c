/* check: what a scenario was understood to be. */
#include <stdlib.h>

#include "base/base.h"
#include "cli/cli.h"
#include "cli/command/run.h"

int crm_run_check(const crm_options *options)
{
    crm_scenario *scenario = NULL;
    crm_report_entry *entries = NULL;
    crm_output output = {0};
    int status = crm_load_scenario(options, &scenario);
    if (status == CRM_EXIT_DONE) {
        status = crm_make_entries(scenario, &entries);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_output_open(&output, options->output);
    }
    if (status == CRM_EXIT_DONE) {
        crm_report report = crm_make_report(scenario, entries);
        crm_error error = {0};
        status =
            crm_report_model(&report, crm_output_style(&output), output.stream, &error) == CRM_OK
                ? crm_output_commit(&output)
                : crm_say_error(CRM_EXIT_NO_ANSWER, &error);
    }
    crm_output_abandon(&output);
    free(entries);
    crm_scenario_free(scenario);
    return status;
}
