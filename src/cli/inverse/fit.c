/* fit: parameters from what was measured. */
#include "inverse/fit/fit.h"

#include <stdlib.h>
#include <string.h>

#include "cli/inverse/inverse.h"
#include "cli/picture/picture.h"
#include "report/inverse.h"
#include "report/page/fit/fit_page.h"

typedef struct outputs {
    crm_output result, page;
} outputs;

static int write_page(const crm_inverse_call *call, const crm_fit *fit, crm_output *page)
{
    const crm_options *options = call->options;
    crm_error error = {0};
    if (options->report == NULL) {
        return CRM_EXIT_DONE;
    }
    char *command = crm_picture_command_line("fit", options);
    const crm_page_source source = crm_picture_source(options, call->text, command, NULL);
    bool good = command != NULL && crm_fit_page_write(fit, &source, page->stream, &error) == CRM_OK;
    free(command);
    return good ? crm_output_commit(page) : crm_message_memory();
}

static int write(const crm_inverse_call *call, const crm_fit *fit, outputs *to)
{
    const crm_options *options = call->options;
    crm_output *output = &to->result;
    crm_error error = {0};
    crm_status status = CRM_OK;
    switch (options->format) {
    case CRM_FORMAT_JSON:
        status = crm_fit_json(fit, output->stream, &error);
        break;
    case CRM_FORMAT_CSV:
        crm_fit_csv(fit, output->stream);
        break;
    default:
        crm_fit_table(fit, crm_style_of_output(output), output->stream);
    }
    if (status != CRM_OK) {
        return crm_message_error(CRM_EXIT_NO_ANSWER, &error);
    }
    int written = write_page(call, fit, &to->page);
    return written == CRM_EXIT_DONE ? crm_output_commit(output) : written;
}

static int run(crm_inverse_call *call, crm_fit_problem *problem, outputs *to)
{
    crm_read_error error = {0};
    crm_fit *fit = NULL;
    crm_inverse_start(call);
    crm_status status = crm_fit_run(problem, &call->watch, &fit, &error);
    crm_inverse_stop(call);
    error.status = status;
    int exit = status == CRM_OK ? write(call, fit, to) : crm_inverse_refuse(call, &error);
    if (exit == CRM_EXIT_DONE && !fit->converged) {
        exit = crm_message(CRM_EXIT_NO_ANSWER, "the fit did not converge");
    }
    crm_fit_free(fit);
    return exit;
}

int crm_cli_fit(const crm_options *options)
{
    crm_inverse_call call = {0};
    crm_fit_problem problem = {0};
    outputs to = {0};
    crm_read_error error = {0};
    int status = crm_inverse_begin(&call, options);
    if (status == CRM_EXIT_DONE && crm_fit_open(&problem, &call.def, &error) != CRM_OK) {
        status = crm_inverse_refuse(&call, &error);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_output_open(&to.result, options->output);
    }
    if (status == CRM_EXIT_DONE && options->report != NULL) {
        status = crm_output_open(&to.page, options->report);
    }
    if (status == CRM_EXIT_DONE) {
        status = run(&call, &problem, &to);
    }
    crm_output_abandon(&to.result);
    crm_output_abandon(&to.page);
    crm_fit_close(&problem);
    crm_inverse_end(&call);
    return status;
}
