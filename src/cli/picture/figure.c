/* The file of --plot. */
#include <string.h>
#include <strings.h>

#include "cli/picture/picture.h"
#include "cli/plugin.h"
#include "report/figure/solve.h"

int crm_figure_tools(const char *path, const crm_canvas_tools **tools)
{
    const void *table;
    int status = crm_plugin_need(CRM_CAIRO_MODULE, path, "cannot draw figures",
                                 "install libcairo2-dev and build again", &table);
    *tools = table;
    return status;
}

crm_canvas_format crm_figure_format(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".pdf") == 0   ? CRM_CANVAS_PDF
           : dot != NULL && strcasecmp(dot, ".png") == 0 ? CRM_CANVAS_PNG
                                                         : CRM_CANVAS_SVG;
}

bool crm_figure_sink(void *stream, const unsigned char *bytes, size_t count)
{
    return fwrite(bytes, 1, count, stream) == count;
}

/* The first law that goes through time. */
static const crm_film *choose_film(const crm_course *course)
{
    for (size_t i = 0; i < course->count; i++) {
        if (course->films[i].rows > 1) {
            return &course->films[i];
        }
    }
    return NULL;
}

int crm_figure_choose(const char *name, crm_plot *plot)
{
    *plot = CRM_PLOT_VELOCITIES;
    for (size_t i = 0; i < CRM_PLOT_COUNT; i++) {
        if (name == NULL || strcmp(name, crm_plot_name((crm_plot)i)) == 0) {
            *plot = (crm_plot)i;
            return CRM_EXIT_DONE;
        }
    }
    return crm_say(CRM_EXIT_USAGE, "--plot-of is '%s'; must be velocities, forces, wave or energy",
                   name);
}

int crm_figure_write(crm_output *output, const char *path, crm_plot plot, const crm_report *of,
                     const crm_course *course)
{
    char problem[256];
    crm_report report = *of;
    report.extract = &course->extract;
    crm_figure_target target = {
        .format = crm_figure_format(path), .sink = crm_figure_sink, .context = output->stream};
    const crm_film *film = choose_film(course);
    int status = crm_figure_tools(path, &target.tools);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (film == NULL && crm_plot_needs_course(plot)) {
        return crm_say(CRM_EXIT_NO_ANSWER,
                       "%s is not written: none of the laws goes through the impact in time, which "
                       "--plot-of %s needs",
                       path, crm_plot_name(plot));
    }
    if (!crm_plot_solve(plot, &report, film, &target, problem, sizeof problem)) {
        return crm_output_refuse_for(path, problem);
    }
    return crm_output_commit(output);
}
