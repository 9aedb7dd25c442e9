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

/* The first law that resolves the impact in time. */
static const crm_frames *choose_frames(const crm_recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        if (recording->frames[i].count > 1) {
            return &recording->frames[i];
        }
    }
    return NULL;
}

int crm_figure_choose(const char *name, crm_solve_figure *plot)
{
    *plot = CRM_SOLVE_FIGURE_VELOCITIES;
    for (size_t i = 0; i < CRM_SOLVE_FIGURE_COUNT; i++) {
        if (name == NULL || strcmp(name, crm_solve_figure_name((crm_solve_figure)i)) == 0) {
            *plot = (crm_solve_figure)i;
            return CRM_EXIT_DONE;
        }
    }
    return crm_message(CRM_EXIT_USAGE,
                       "--plot-of is '%s'; must be velocities, forces, wave or energy", name);
}

int crm_figure_write(crm_output *output, const char *path, crm_solve_figure plot,
                     const crm_report *of, const crm_recording *recording)
{
    char problem[256];
    crm_report report = *of;
    report.subset = &recording->subset;
    crm_figure_target target = {
        .format = crm_figure_format(path), .sink = crm_figure_sink, .context = output->stream};
    const crm_frames *frames = choose_frames(recording);
    int status = crm_figure_tools(path, &target.tools);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    if (frames == NULL && crm_solve_figure_needs_frames(plot)) {
        return crm_message(CRM_EXIT_NO_ANSWER,
                           "%s was not written: none of the laws resolves the impact in time, "
                           "which --plot-of %s needs",
                           path, crm_solve_figure_name(plot));
    }
    if (!crm_solve_figure_draw(plot, &report, frames, &target, problem, sizeof problem)) {
        return crm_output_refuse_for(path, problem);
    }
    return crm_output_commit(output);
}
