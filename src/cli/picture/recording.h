/* The course of an impact by every law, for pictures of it. */
#ifndef CRM_CLI_RECORDING_H
#define CRM_CLI_RECORDING_H

#include "cli/command/run.h"
#include "report/page/solve/impact_frames.h"

typedef struct crm_recording {
    size_t count; /* of laws */
    crm_model_subset subset;
    crm_frames *frames; /* one for each law; empty for those that do not go through time */
} crm_recording;

/* An exit status, having said that there is no memory. */
int crm_recording_begin(crm_recording *recording, const crm_scenario *scenario);
/* Laws that go through the impact in time do so again, at instants that are known now that their
 * duration is; what they answered stays as it is.
 */
int crm_recording_make(crm_recording *recording, const crm_scenario *scenario,
                       const crm_options *options, const crm_run *runs);
void crm_recording_free(crm_recording *recording); /* also zeroed */

#endif
