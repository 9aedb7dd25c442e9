/* sensitivity: how outcomes change with the fields of a scenario. */
#include "inverse/sensitivity/sensitivity.h"

#include "cli/inverse/inverse.h"
#include "report/inverse.h"

static int write(const crm_sensitivity *table, const crm_options *options, crm_output *output)
{
    crm_error error = {0};
    crm_status status = CRM_OK;
    switch (options->format) {
    case CRM_FORMAT_JSON:
        status = crm_sensitivity_json(table, output->stream, &error);
        break;
    case CRM_FORMAT_CSV:
        crm_sensitivity_csv(table, output->stream);
        break;
    default:
        crm_sensitivity_table(table, crm_style_of_output(output), output->stream);
    }
    return status == CRM_OK ? crm_output_commit(output)
                            : crm_message_error(CRM_EXIT_NO_ANSWER, &error);
}

static int run(crm_inverse_call *call, crm_sensitivity_problem *problem, crm_output *output)
{
    crm_read_error error = {0};
    crm_sensitivity *table = NULL;
    crm_inverse_start(call);
    crm_status status = crm_sensitivity_run(problem, &call->watch, &table, &error);
    crm_inverse_stop(call);
    error.status = status;
    int exit =
        status == CRM_OK ? write(table, call->options, output) : crm_inverse_refuse(call, &error);
    crm_sensitivity_free(table);
    return exit;
}

int crm_cli_sensitivity(const crm_options *options)
{
    crm_inverse_call call = {0};
    crm_sensitivity_problem problem = {0};
    crm_output output = {0};
    crm_read_error error = {0};
    int status = crm_inverse_begin(&call, options);
    if (status == CRM_EXIT_DONE && crm_sensitivity_open(&problem, &call.def, &error) != CRM_OK) {
        status = crm_inverse_refuse(&call, &error);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_output_open(&output, options->output);
    }
    if (status == CRM_EXIT_DONE) {
        status = run(&call, &problem, &output);
    }
    crm_output_abandon(&output);
    crm_sensitivity_close(&problem);
    crm_inverse_end(&call);
    return status;
}
