#include "cli/picture/recording.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

/* Instants besides the steps of the law; of a large system those alone, since to gather a state
 * costs as much as a step.
 */
enum { INSTANTS = 400, LARGE = 20000 };

int crm_recording_begin(crm_recording *recording, const crm_scenario *scenario)
{
    crm_error error = {0};
    *recording = (crm_recording){.count = scenario->law_count};
    recording->frames = CRM_NEW(crm_frames, scenario->law_count);
    if (recording->frames == NULL ||
        crm_model_subset_make(scenario->model, scenario->velocity, CRM_MODEL_SUBSET_MOST,
                              &recording->subset, &error) != CRM_OK) {
        return crm_message_memory();
    }
    return CRM_EXIT_DONE;
}

typedef struct sampling {
    crm_frames *frames;
    const crm_model *model;
    const crm_model_subset *subset;
} sampling;

static crm_status add_sample(void *context, const crm_sample *sample)
{
    const sampling *f = context;
    crm_impact_frames_add(f->frames, f->model, f->subset, sample);
    return CRM_OK;
}

static crm_status record_law(crm_recording *recording, const crm_scenario *scenario,
                             const crm_options *options, size_t law, double duration)
{
    sampling f = {&recording->frames[law], scenario->model, &recording->subset};
    crm_run again = {0};
    crm_status status = crm_impact_frames_create(&recording->subset, f.frames, &again.error);
    if (status != CRM_OK) {
        return status;
    }
    const crm_recorder recorder = {.context = &f,
                                   .interval = duration / INSTANTS,
                                   .only_multiples = crm_model_contacts(scenario->model) > LARGE,
                                   .record = add_sample};
    crm_run_recorded(scenario, options, law, &recorder, &again);
    crm_outcome_free(again.outcome);
    return again.status;
}

int crm_recording_make(crm_recording *recording, const crm_scenario *scenario,
                       const crm_options *options, const crm_run *runs)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < recording->count && !crm_interrupt_caught(); i++) {
        double duration = runs[i].outcome != NULL ? runs[i].outcome->duration : NAN;
        if (isfinite(duration) && duration > 0 && status != CRM_ERROR_MEMORY) {
            status = record_law(recording, scenario, options, i, duration);
        }
    }
    return status == CRM_ERROR_MEMORY ? crm_message_memory() : CRM_EXIT_DONE;
}

void crm_recording_free(crm_recording *recording)
{
    for (size_t i = 0; recording->frames != NULL && i < recording->count; i++) {
        crm_frames_free(&recording->frames[i]);
    }
    free(recording->frames);
    crm_model_subset_free(&recording->subset);
    *recording = (crm_recording){0};
}
