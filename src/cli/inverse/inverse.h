/* Shared by the commands sensitivity, fit and design. */
#ifndef CRM_CLI_INVERSE_H
#define CRM_CLI_INVERSE_H

#include "cli/cli.h"
#include "cli/terminal/progress.h"
#include "study/study.h"

typedef struct crm_inverse_call {
    const crm_options *options;
    char *text; /* of the scenario */
    crm_yaml_limits limits;
    crm_study_def def; /* made of them */
    crm_progress progress;
    char so_far[96]; /* more text for the progress line */
    crm_watch watch; /* polls interrupts and the time limit, and shows progress */
} crm_inverse_call;

/* Both return an exit status, after printing what went wrong. To be ended also after an error. */
int crm_inverse_begin(crm_inverse_call *call, const crm_options *options);
int crm_inverse_refuse(const crm_inverse_call *call, const crm_read_error *error);
void crm_inverse_end(crm_inverse_call *call);

/* Before and after the work. */
void crm_inverse_start(crm_inverse_call *call);
void crm_inverse_stop(crm_inverse_call *call);

#endif
