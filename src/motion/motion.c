/* What all motions have in common: options, and the calls that go to their kind. */
#include "motion/motion.h"

#include <math.h>

#include "model/model.h"

static const double DEFAULT_TOLERANCE = 1e-9, DEFAULT_CLOSURE = 1e-9, DEFAULT_STEP = 1e-3;
/* What is further apart than a hundredth of its size does not touch in any sense. */
static const double MOST_CLOSURE = 0.01;

const char *crm_motion_stop_text(crm_motion_stop stop)
{
#define CRM_MOTION_STOP_TEXT(name, text) text,
    static const char *const texts[] = {CRM_MOTION_STOP_LIST(CRM_MOTION_STOP_TEXT)};
#undef CRM_MOTION_STOP_TEXT
    return (unsigned)stop < CRM_MOTION_STOP_COUNT ? texts[stop] : "unknown reason to stop";
}

crm_motion_options crm_motion_options_default(void)
{
    return (crm_motion_options){.scheme = CRM_EVENT_DRIVEN,
                                .tolerance = DEFAULT_TOLERANCE,
                                .step = DEFAULT_STEP,
                                .closure_kind = CRM_CLOSURE_DISTANCE,
                                .closure = DEFAULT_CLOSURE};
}

crm_scene_def crm_scene_def_default(void)
{
    return (crm_scene_def){.bodies = crm_bodies_def_default()};
}

static crm_status check_number(const char *name, double value, double least, double most,
                               crm_error *error)
{
    if (value >= least && value <= most) {
        return CRM_OK;
    }
    return crm_fail(error, CRM_ERROR_ARGUMENT, name, "%s is %g, must be between %g and %g", name,
                    value, least, most);
}

crm_status crm_check_motion_options(const crm_motion_options *options, crm_error *error)
{
    crm_status status = crm_check_choice(options->scheme, CRM_TIME_STEPPING + 1, "scheme", error);
    if (status == CRM_OK) {
        status =
            crm_check_choice(options->closure_kind, CRM_CLOSURE_INDENTATION + 1, "closure", error);
    }
    if (status == CRM_OK) {
        status = check_number("tolerance", options->tolerance, 1e-14, 0.1, error);
    }
    if (status == CRM_OK) {
        status = check_number("closure", options->closure, 0, MOST_CLOSURE, error);
    }
    if (status == CRM_OK && options->scheme == CRM_TIME_STEPPING) {
        status = check_number("step", options->step, 1e-300, 1e300, error);
    }
    return status;
}

crm_status crm_motion_run(crm_motion *motion, double time, const crm_observer *observer,
                          crm_motion_stop *stopped, crm_error *error)
{
    if (!isfinite(time) || time < motion->time) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "time",
                        "time is %g, must be a number and not before %g, where the motion is", time,
                        motion->time);
    }
    if (observer != NULL && !(observer->every >= 0 && isfinite(observer->every))) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "every", "every is %g, must be 0 or positive",
                        observer->every);
    }
    crm_motion_stop ignored;
    return motion->kind->run(motion, time, observer, stopped != NULL ? stopped : &ignored, error);
}

void crm_motion_free(crm_motion *motion)
{
    if (motion != NULL) {
        motion->kind->free(motion);
    }
}

double crm_motion_time(const crm_motion *motion)
{
    return motion->time;
}

size_t crm_motion_positions(const crm_motion *motion)
{
    return motion->positions;
}

size_t crm_motion_velocities(const crm_motion *motion)
{
    return motion->velocities;
}

void crm_motion_read(const crm_motion *motion, double *position, double *velocity)
{
    motion->kind->read(motion, position, velocity);
}

const char *crm_motion_reason(const crm_motion *motion)
{
    return motion->reason;
}

crm_motion_summary crm_motion_summarize(const crm_motion *motion)
{
    return motion->kind->summarize(motion);
}
