/* The file of --report: what is gathered for it while the laws run, and written at the end. */
#ifndef CRM_CLI_PAGE_H
#define CRM_CLI_PAGE_H

#include "cli/cli.h"
#include "cli/command/run.h"
#include "report/page/page.h"

typedef struct crm_page_file {
    const crm_scenario *scenario;
    crm_output output;
    crm_extract extract;
    crm_film *films; /* one for each law; empty for those that do not go through time */
    bool starved;    /* there was no memory for them */
} crm_page_file;

/* The same as for crm_output: an exit status, having said what went wrong. */
int crm_page_file_open(crm_page_file *file, const char *path, const crm_scenario *scenario);
/* Laws that go through the impact in time do so again, at instants that are known now that their
 * duration is; what they answered stays as it is.
 */
void crm_page_file_record(crm_page_file *file, const crm_options *options, const crm_run *runs);
int crm_page_file_commit(crm_page_file *file, const crm_options *options, const crm_report *report);
void crm_page_file_abandon(crm_page_file *file); /* also after a commit, or zeroed */

/* The command line in short, as it would be typed; to be freed, NULL: out of memory. */
char *crm_command_text(const char *command, const crm_options *options);

#endif
