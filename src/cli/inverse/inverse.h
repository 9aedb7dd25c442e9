/* What the commands that go back from outcomes to fields have in common. */
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
    char so_far[96]; /* what else there is to tell of it */
    crm_watch watch; /* over the work: minds interrupts and the time, and tells progress */
} crm_inverse_call;

/* Both return an exit status, having said what went wrong. To be ended also after an error. */
int crm_inverse_begin(crm_inverse_call *call, const crm_options *options);
int crm_inverse_refuse(const crm_inverse_call *call, const crm_read_error *error);
void crm_inverse_end(crm_inverse_call *call);

/* Before and after the work. */
void crm_inverse_start(crm_inverse_call *call);
void crm_inverse_stop(crm_inverse_call *call);

#endif
