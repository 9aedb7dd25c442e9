#include "cli/picture/course.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

/* Instants besides the steps of the law; of a large system those alone, since to gather a state
 * costs as much as a step.
 */
enum { INSTANTS = 400, LARGE = 20000 };

int crm_course_begin(crm_course *course, const crm_scenario *scenario)
{
    crm_error error = {0};
    *course = (crm_course){.count = scenario->law_count};
    course->frames = CRM_NEW(crm_frames, scenario->law_count);
    if (course->frames == NULL ||
        crm_model_subset_make(scenario->model, scenario->velocity, CRM_MODEL_SUBSET_MOST,
                              &course->subset, &error) != CRM_OK) {
        return crm_say_memory();
    }
    return CRM_EXIT_DONE;
}

typedef struct recording {
    crm_frames *frames;
    const crm_model *model;
    const crm_model_subset *subset;
} recording;

static crm_status add_sample(void *context, const crm_sample *sample)
{
    const recording *f = context;
    crm_impact_frames_add(f->frames, f->model, f->subset, sample);
    return CRM_OK;
}

static crm_status record_law(crm_course *course, const crm_scenario *scenario,
                             const crm_options *options, size_t law, double duration)
{
    recording f = {&course->frames[law], scenario->model, &course->subset};
    crm_run again = {0};
    crm_status status = crm_impact_frames_create(&course->subset, f.frames, &again.error);
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

int crm_course_record(crm_course *course, const crm_scenario *scenario, const crm_options *options,
                      const crm_run *runs)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < course->count && !crm_interrupted(); i++) {
        double duration = runs[i].outcome != NULL ? runs[i].outcome->duration : NAN;
        if (isfinite(duration) && duration > 0 && status != CRM_ERROR_MEMORY) {
            status = record_law(course, scenario, options, i, duration);
        }
    }
    return status == CRM_ERROR_MEMORY ? crm_say_memory() : CRM_EXIT_DONE;
}

void crm_course_free(crm_course *course)
{
    for (size_t i = 0; course->frames != NULL && i < course->count; i++) {
        crm_frames_free(&course->frames[i]);
    }
    free(course->frames);
    crm_model_subset_free(&course->subset);
    *course = (crm_course){0};
}
