/* --live: the program for browsers, which pages that solve have in them. */
#ifndef CRM_CLI_LIVE_H
#define CRM_CLI_LIVE_H

#include "cli/cli.h"
#include "report/page/page.h"

/* *solver is its text, to be freed; NULL, where --live is not asked for. An exit status, after
 * printing why there is none.
 */
int crm_live_load(const crm_options *options, char **solver);

#endif
