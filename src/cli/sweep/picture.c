/* The pictures of a study: --report and --plot. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/picture/picture.h"
#include "cli/sweep/sweep.h"
#include "report/figure/sweep.h"

/* By its name, or a list by the name of which entries are recorded. */
static int choose_quantity(const crm_study *study, const char *name, size_t *quantity)
{
    size_t count = crm_study_quantities(study);
    char known[512] = "";
    *quantity = 0;
    for (size_t i = 0; i < count; i++) {
        const char *here = crm_study_quantity(study, i);
        if (name == NULL || strcmp(name, here) == 0) {
            *quantity = i;
            return CRM_EXIT_DONE;
        }
        crm_text_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", here);
    }
    return crm_sweep_figure_list_entries(study, name) > 0
               ? CRM_EXIT_DONE
               : crm_message(CRM_EXIT_USAGE,
                             "--plot-of is '%s'; must be one of the recorded quantities: %s", name,
                             known);
}

int crm_sweep_pictures_open(crm_sweep_pictures *pictures, const crm_study *study,
                            const crm_options *options)
{
    const crm_canvas_tools *tools; /* checked before anything is computed */
    int status = choose_quantity(study, options->plot_of, &pictures->quantity);
    if (status == CRM_EXIT_DONE && options->report != NULL) {
        status = crm_output_open(&pictures->page, options->report);
    }
    if (status == CRM_EXIT_DONE && options->plot != NULL) {
        status = crm_figure_tools(options->plot, &tools);
    }
    if (status == CRM_EXIT_DONE && options->plot != NULL) {
        status = crm_output_open(&pictures->figure, options->plot);
    }
    return status;
}

static int write_page(crm_sweep_pictures *pictures, const crm_study_view *view,
                      const crm_options *options)
{
    crm_error error = {0};
    char *command = crm_picture_command_line("sweep", options);
    const crm_page_source source =
        crm_picture_source(options, crm_study_text(view->study), command, NULL);
    bool good = command != NULL &&
                crm_sweep_page_write(view, &source, pictures->page.stream, &error) == CRM_OK;
    free(command);
    return good ? crm_output_commit(&pictures->page) : crm_message_memory();
}

static int write_figure(crm_sweep_pictures *pictures, const crm_study_view *view,
                        const crm_options *options)
{
    const char *path = options->plot, *list = options->plot_of;
    char problem[256];
    crm_figure_target target = {.format = crm_figure_format(path),
                                .sink = crm_figure_sink,
                                .context = pictures->figure.stream};
    int status = crm_figure_tools(path, &target.tools);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    bool is_list = list != NULL && crm_sweep_figure_list_entries(view->study, list) > 0;
    bool drawn =
        is_list ? crm_sweep_figure_draw_list(view, list, &target, problem, sizeof problem)
                : crm_sweep_figure_draw(view, pictures->quantity, &target, problem, sizeof problem);
    if (drawn && problem[0] != '\0') {
        crm_message(CRM_EXIT_DONE, "%s %s", path, problem);
    }
    return drawn ? crm_output_commit(&pictures->figure) : crm_output_refuse_for(path, problem);
}

int crm_sweep_pictures_write(crm_sweep_pictures *pictures, const crm_study *study,
                             crm_journal *journal, const crm_options *options)
{
    if (options->report == NULL && options->plot == NULL) {
        return CRM_EXIT_DONE;
    }
    crm_study_table table = {0};
    int status = crm_sweep_table(study, journal, &table) ? CRM_EXIT_DONE : crm_message_memory();
    const crm_study_view view = {.study = study, .table = &table, .first = journal->first};
    if (status == CRM_EXIT_DONE && options->report != NULL) {
        status = write_page(pictures, &view, options);
    }
    if (status == CRM_EXIT_DONE && options->plot != NULL) {
        status = write_figure(pictures, &view, options);
    }
    crm_study_table_free(&table);
    return status;
}

void crm_sweep_pictures_abandon(crm_sweep_pictures *pictures)
{
    crm_output_abandon(&pictures->page);
    crm_output_abandon(&pictures->figure);
}
