/* The files of --report and --plot, written when all is computed. */
#ifndef CRM_CLI_PICTURE_H
#define CRM_CLI_PICTURE_H

#include "cli/cli.h"
#include "cli/picture/recording.h"
#include "report/figure/solve.h"
#include "report/page/page.h"

/* All return an exit status, after printing what went wrong. The output is open, and is committed.
 */
int crm_picture_write_page(crm_output *output, const crm_options *options,
                           const crm_scenario *scenario, const char *solver,
                           const crm_report *report, crm_recording *recording);

/* Before anything is computed: whether figures can be drawn here. */
int crm_figure_tools(const char *path, const crm_canvas_tools **tools);
crm_canvas_format crm_figure_format(const char *path); /* by how it ends */
bool crm_figure_sink(void *stream, const unsigned char *bytes, size_t count);
/* By its name; NULL: the usual one. */
int crm_figure_choose(const char *name, crm_solve_figure *plot);
int crm_figure_write(crm_output *output, const char *path, crm_solve_figure plot,
                     const crm_report *report, const crm_recording *recording);

/* The command line in short, as it would be typed; to be freed, NULL: out of memory. */
char *crm_picture_command_line(const char *command, const crm_options *options);
/* What a page says of its origin: its command line, and what it solves with (NULL: it does not). */
crm_page_source crm_picture_source(const crm_options *options, const char *scenario,
                                   const char *command, const char *solver);

#endif
