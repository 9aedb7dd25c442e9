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
    course->films = CRM_NEW(crm_film, scenario->law_count);
    if (course->films == NULL ||
        crm_extract_make(scenario->model, scenario->velocity, CRM_EXTRACT_MOST, &course->extract,
                         &error) != CRM_OK) {
        return crm_say_memory();
    }
    return CRM_EXIT_DONE;
}

typedef struct filming {
    crm_film *film;
    const crm_model *model;
    const crm_extract *extract;
} filming;

static crm_status add_sample(void *context, const crm_sample *sample)
{
    const filming *f = context;
    crm_shots_add(f->film, f->model, f->extract, sample);
    return CRM_OK;
}

static crm_status record_law(crm_course *course, const crm_scenario *scenario,
                             const crm_options *options, size_t law, double duration)
{
    filming f = {&course->films[law], scenario->model, &course->extract};
    crm_run again = {0};
    crm_status status = crm_shots_create(&course->extract, f.film, &again.error);
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
    for (size_t i = 0; course->films != NULL && i < course->count; i++) {
        crm_film_free(&course->films[i]);
    }
    free(course->films);
    crm_extract_free(&course->extract);
    *course = (crm_course){0};
}
