/* admissible: what any law may give. */
#include "inverse/admissible/problem.h"

#include <string.h>

#include "cli/command/run.h"
#include "cli/inverse/inverse.h"
#include "report/inverse.h"

typedef struct admissible {
    crm_inverse_call call;
    crm_scenario *scenario;
    crm_admissible_problem problem;
    crm_admissible_table *table;
    crm_output output;
} admissible;

static int write(admissible *a)
{
    crm_error error = {0};
    crm_status status = CRM_OK;
    FILE *stream = a->output.stream;
    switch (a->call.options->format) {
    case CRM_FORMAT_JSON:
        status = crm_admissible_json(a->table, stream, &error);
        break;
    case CRM_FORMAT_CSV:
        crm_admissible_csv(a->table, stream);
        break;
    default:
        status = crm_admissible_print(a->table, crm_style_of_output(&a->output), stream, &error);
    }
    return status == CRM_OK ? crm_output_commit(&a->output)
                            : crm_message_error(CRM_EXIT_NO_ANSWER, &error);
}

/* What the numbers do not allow is no fault of the command line. */
static int refuse(const admissible *a, const crm_error *error)
{
    crm_read_error failure = {.status = error->status};
    if (error->status == CRM_ERROR_STOPPED) {
        return crm_inverse_refuse(&a->call, &failure);
    }
    return error->status == CRM_ERROR_MEMORY
               ? crm_message_memory()
               : crm_message_error(error->status == CRM_ERROR_NUMERICS ? CRM_EXIT_NO_ANSWER
                                                                       : CRM_EXIT_SCENARIO,
                                   error);
}

static int compute(admissible *a)
{
    crm_error error = {0};
    crm_inverse_start(&a->call);
    crm_status status = crm_admissible_make_table(&a->problem, &a->call.watch, &a->table, &error);
    crm_inverse_stop(&a->call);
    error.status = status;
    return status == CRM_OK ? CRM_EXIT_DONE : refuse(a, &error);
}

/* A law without an answer is reported, as by solve. */
static int judge(const admissible *a)
{
    int status = CRM_EXIT_DONE;
    for (size_t i = 0; i < a->table->outcome_count; i++) {
        const crm_admissible_outcome *o = &a->table->outcomes[i];
        if (o->reason[0] != '\0') {
            status = CRM_EXIT_NO_ANSWER;
            if (!a->call.options->quiet) {
                crm_message(0, "law %s: %s", o->label, o->reason);
            }
        }
    }
    return status;
}

int crm_cli_admissible(const crm_options *options)
{
    admissible a = {.call.options = options};
    crm_read_error error = {0};
    int status = crm_run_load(options, &a.scenario);
    if (status == CRM_EXIT_DONE && crm_admissible_open(&a.problem, a.scenario, &error) != CRM_OK) {
        status = crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_output_open(&a.output, options->output);
    }
    status = status == CRM_EXIT_DONE ? compute(&a) : status;
    status = status == CRM_EXIT_DONE ? write(&a) : status;
    status = status == CRM_EXIT_DONE ? judge(&a) : status;
    crm_output_abandon(&a.output);
    crm_admissible_table_free(a.table);
    crm_admissible_close(&a.problem);
    crm_scenario_free(a.scenario);
    crm_inverse_end(&a.call);
    return status;
}
