/* admissible: what any law may give. */
#include "inverse/admissible/problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/command/run.h"
#include "cli/inverse/inverse.h"
#include "cli/picture/picture.h"
#include "report/figure/admissible.h"
#include "report/inverse.h"
#include "report/page/admissible/admissible_page.h"

typedef struct admissible {
    crm_inverse_call call;
    crm_scenario *scenario;
    crm_admissible_problem problem;
    crm_admissible_table *table;
    crm_admissible_picture *picture;
    crm_output output, page, figure;
} admissible;

static bool plots_numbers(const admissible *a)
{
    const char *dot = strrchr(a->call.options->plot, '.');
    return dot != NULL && strcmp(dot, ".csv") == 0;
}

/* ---- Before ---------------------------------------------------------------------------------- */

static int check_plane(const admissible *a)
{
    if (a->problem.plane_count == 2 || a->call.options->plot == NULL) {
        return CRM_EXIT_DONE;
    }
    return crm_message(CRM_EXIT_SCENARIO,
                       "--plot needs two quantities that are linear, such as velocities; name "
                       "them in admissible.plane");
}

static int open_outputs(admissible *a)
{
    const crm_options *options = a->call.options;
    const crm_canvas_tools *tools; /* checked before anything is computed */
    int status = crm_output_open(&a->output, options->output);
    if (status == CRM_EXIT_DONE && options->report != NULL) {
        status = crm_output_open(&a->page, options->report);
    }
    if (status == CRM_EXIT_DONE && options->plot != NULL && !plots_numbers(a)) {
        status = crm_figure_tools(options->plot, &tools);
    }
    if (status == CRM_EXIT_DONE && options->plot != NULL) {
        status = crm_output_open(&a->figure, options->plot);
    }
    return status;
}

static int prepare(admissible *a)
{
    crm_read_error error = {0};
    int status = crm_run_load(a->call.options, &a->scenario);
    if (status == CRM_EXIT_DONE &&
        crm_admissible_open(&a->problem, a->scenario, &error) != CRM_OK) {
        status = crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    status = status == CRM_EXIT_DONE ? check_plane(a) : status;
    a->picture = status == CRM_EXIT_DONE ? CRM_NEW(crm_admissible_picture, 1) : NULL;
    if (status == CRM_EXIT_DONE && a->picture == NULL) {
        status = crm_message_memory();
    }
    return status == CRM_EXIT_DONE ? open_outputs(a) : status;
}

/* ---- The work -------------------------------------------------------------------------------- */

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
    const crm_options *options = a->call.options;
    bool drawn = options->plot != NULL || options->report != NULL;
    crm_inverse_start(&a->call);
    crm_status status = crm_admissible_make_table(&a->problem, &a->call.watch, &a->table, &error);
    if (status == CRM_OK && drawn && a->problem.plane_count == 2) {
        status = crm_admissible_draw(&a->problem, a->table, &a->call.watch, a->picture, &error);
    }
    crm_inverse_stop(&a->call);
    error.status = status;
    return status == CRM_OK ? CRM_EXIT_DONE : refuse(a, &error);
}

/* ---- After ----------------------------------------------------------------------------------- */

static int write_page(admissible *a)
{
    crm_error error = {0};
    const crm_options *options = a->call.options;
    char *command = crm_picture_command_line("admissible", options);
    const crm_page_source source = crm_picture_source(options, a->scenario->text, command, NULL);
    bool good = command != NULL && crm_admissible_page_write(a->table, a->picture, &source,
                                                             a->page.stream, &error) == CRM_OK;
    free(command);
    return good ? crm_output_commit(&a->page) : crm_message_memory();
}

static int write_figure(admissible *a)
{
    char problem[256];
    const char *path = a->call.options->plot;
    if (plots_numbers(a)) {
        crm_admissible_picture_csv(a->picture, a->figure.stream);
        return crm_output_commit(&a->figure);
    }
    crm_figure_target target = {
        .format = crm_figure_format(path), .sink = crm_figure_sink, .context = a->figure.stream};
    int status = crm_figure_tools(path, &target.tools);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    return crm_admissible_figure_draw(a->picture, &target, problem, sizeof problem)
               ? crm_output_commit(&a->figure)
               : crm_output_refuse_for(path, problem);
}

static int write_pictures(admissible *a)
{
    int status = CRM_EXIT_DONE;
    if (a->call.options->report != NULL) {
        status = write_page(a);
    }
    return status == CRM_EXIT_DONE && a->call.options->plot != NULL ? write_figure(a) : status;
}

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
    if (status != CRM_OK) {
        return crm_message_error(CRM_EXIT_NO_ANSWER, &error);
    }
    int written = write_pictures(a);
    return written == CRM_EXIT_DONE ? crm_output_commit(&a->output) : written;
}

/* A law without an answer is reported, as by solve; the table has said so itself. */
static int judge(const admissible *a)
{
    int status = CRM_EXIT_DONE;
    bool table = a->call.options->format == CRM_FORMAT_TABLE;
    for (size_t i = 0; i < a->table->outcome_count; i++) {
        const crm_admissible_outcome *o = &a->table->outcomes[i];
        if (o->reason[0] != '\0') {
            status = CRM_EXIT_NO_ANSWER;
            if (!table && !a->call.options->quiet) {
                crm_message(0, "law %s: %s", o->label, o->reason);
            }
        }
    }
    return status;
}

int crm_cli_admissible(const crm_options *options)
{
    admissible a = {.call.options = options};
    int status = prepare(&a);
    status = status == CRM_EXIT_DONE ? compute(&a) : status;
    status = status == CRM_EXIT_DONE ? write(&a) : status;
    status = status == CRM_EXIT_DONE ? judge(&a) : status;
    crm_output_abandon(&a.output);
    crm_output_abandon(&a.page);
    crm_output_abandon(&a.figure);
    if (a.picture != NULL) {
        crm_admissible_picture_free(a.picture);
    }
    free(a.picture);
    crm_admissible_table_free(a.table);
    crm_admissible_close(&a.problem);
    crm_scenario_free(a.scenario);
    crm_inverse_end(&a.call);
    return status;
}
