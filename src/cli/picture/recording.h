/* An impact recorded in time, by every law, for pictures. */
#ifndef CRM_CLI_RECORDING_H
#define CRM_CLI_RECORDING_H

#include "cli/command/run.h"
#include "report/page/solve/impact_frames.h"

typedef struct crm_recording {
    size_t count; /* of laws */
    crm_model_subset subset;
    crm_frames *frames; /* one per law; empty: it does not resolve the impact in time */
} crm_recording;

/* An exit status, after printing that there is no memory. */
int crm_recording_begin(crm_recording *recording, const crm_scenario *scenario);
/* Laws that resolve the impact in time are run again, recorded at instants that follow from the
 * duration; their answers stay as they are.
 */
int crm_recording_make(crm_recording *recording, const crm_scenario *scenario,
                       const crm_options *options, const crm_run *runs);
void crm_recording_free(crm_recording *recording); /* also zeroed */

#endif
