/* design: the fields that make a quantity largest or least. */
#include "inverse/design/design.h"
#include "base/locale.h"

#include <string.h>

#include "cli/inverse/inverse.h"
#include "cli/plugin.h"
#include "report/inverse.h"

/* The report goes to standard output; a file is the scenario. */
static int check_output(const char *path)
{
    const char *dot = path != NULL ? strrchr(path, '.') : ".yaml";
    bool good = dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
    return good
               ? CRM_EXIT_DONE
               : crm_message(CRM_EXIT_USAGE,
                             "design: -o is '%s'; must end in .yaml, because the scenario with the "
                             "best values is written there (the report goes to standard output)",
                             path);
}

static int load_searcher(const char *file, const crm_searcher **searcher)
{
    const void *table;
    int status = crm_plugin_need(CRM_NLOPT_MODULE, file, "cannot search for designs",
                                 "install libnlopt-dev and build again", &table);
    *searcher = table;
    return status;
}

static int write_report(const crm_design *design, const crm_options *options)
{
    crm_error error = {0};
    crm_output output = {0};
    int status = crm_output_open(&output, NULL);
    crm_status printed = CRM_OK;
    if (status == CRM_EXIT_DONE && options->format == CRM_FORMAT_JSON) {
        printed = crm_design_json(design, output.stream, &error);
    } else if (status == CRM_EXIT_DONE && options->format == CRM_FORMAT_CSV) {
        crm_design_csv(design, output.stream);
    } else if (status == CRM_EXIT_DONE) {
        crm_design_table(design, crm_style_of_output(&output), output.stream);
    }
    if (printed != CRM_OK) {
        status = crm_message_error(CRM_EXIT_NO_ANSWER, &error);
    }
    status = status == CRM_EXIT_DONE ? crm_output_commit(&output) : status;
    crm_output_abandon(&output);
    return status;
}

static int write_scenario(crm_design_problem *problem, const crm_design *design, crm_output *output)
{
    if (output->stream == NULL) {
        return CRM_EXIT_DONE;
    }
    crm_design_write(problem, design, output->stream);
    return crm_output_commit(output);
}

static void show_start(void *context, size_t starts, double best)
{
    crm_inverse_call *call = context;
    crm_snprintf(call->so_far, sizeof call->so_far, "%zu starts done, best so far %.6g", starts,
                 best);
}

static int run(crm_inverse_call *call, crm_design_problem *problem, const crm_searcher *searcher,
               crm_output *output)
{
    crm_read_error error = {0};
    crm_design design;
    const crm_design_progress progress = {call, show_start};
    crm_inverse_start(call);
    crm_status status = crm_design_run(problem, searcher, &call->watch, &progress, &design, &error);
    crm_inverse_stop(call);
    if (status != CRM_OK) {
        error.status = status;
        return crm_inverse_refuse(call, &error);
    }
    int written = write_scenario(problem, &design, output);
    return written == CRM_EXIT_DONE ? write_report(&design, call->options) : written;
}

int crm_cli_design(const crm_options *options)
{
    crm_inverse_call call = {0};
    crm_design_problem problem = {0};
    crm_output output = {0};
    crm_read_error error = {0};
    const crm_searcher *searcher = NULL;
    int status = check_output(options->output);
    if (status == CRM_EXIT_DONE) {
        status = crm_inverse_begin(&call, options);
    }
    if (status == CRM_EXIT_DONE && crm_design_open(&problem, &call.def, &error) != CRM_OK) {
        status = crm_inverse_refuse(&call, &error);
    }
    if (status == CRM_EXIT_DONE) {
        status = load_searcher(options->operands[0], &searcher);
    }
    if (status == CRM_EXIT_DONE && options->output != NULL) {
        status = crm_output_open(&output, options->output);
    }
    if (status == CRM_EXIT_DONE) {
        status = run(&call, &problem, searcher, &output);
    }
    crm_output_abandon(&output);
    crm_design_close(&problem);
    crm_inverse_end(&call);
    return status;
}
