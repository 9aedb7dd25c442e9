/* What is common to every kind of motion. */
#include "motion/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/locale.h"
#include "base/precondition.h"
#include "model/model.h"

const char *crm_motion_stop_text(crm_motion_stop stop)
{
#define CRM_MOTION_STOP_CASE(name, text) text,
    static const char *const TEXTS[] = {CRM_MOTION_STOP_LIST(CRM_MOTION_STOP_CASE)};
#undef CRM_MOTION_STOP_CASE
    return (unsigned)stop < CRM_MOTION_STOP_COUNT ? TEXTS[stop] : "unknown";
}

crm_motion_options crm_motion_options_default(void)
{
    return (crm_motion_options){.scheme = CRM_EVENT_DRIVEN,
                                .tolerance = 1e-9,
                                .step = 1e-3,
                                .closure_kind = CRM_CLOSURE_DISTANCE,
                                .closure = 1e-9};
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Smaller tolerances are below rounding, larger ones meaningless. */
static const double TOLERANCE_LEAST = 1e-13, TOLERANCE_MOST = 1e-2;
static const double CLOSURE_MOST = 0.1;

static crm_status check_options(const crm_motion_options *options, crm_error *error)
{
    if (!(options->tolerance >= TOLERANCE_LEAST && options->tolerance <= TOLERANCE_MOST)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "tolerance",
                        "tolerance is %g, must be from %g to %g", options->tolerance,
                        TOLERANCE_LEAST, TOLERANCE_MOST);
    }
    if (!(options->closure >= 0 && options->closure <= CLOSURE_MOST)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "closure", "closure is %g, must be from 0 to %g",
                        options->closure, CLOSURE_MOST);
    }
    if (options->scheme == CRM_TIME_STEPPING && !(options->step > 0 && isfinite(options->step))) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "step", "step is %g, must be positive",
                        options->step);
    }
    crm_status status =
        crm_ranges_check_choice(options->scheme, CRM_TIME_STEPPING + 1, "scheme", error);
    return status == CRM_OK
               ? crm_ranges_check_choice(options->closure_kind, CRM_CLOSURE_INDENTATION + 1,
                                         "closure_kind", error)
               : status;
}

crm_status crm_motion_begin(crm_motion *motion, const crm_motion_options *options, crm_error *error)
{
    motion->options = options != NULL ? *options : crm_motion_options_default();
    motion->at_rest_since = NAN;
    crm_status status = check_options(&motion->options, error);
    if (status == CRM_OK) {
        status = crm_workspace_create(&motion->workspace, error);
    }
    if (status == CRM_OK && motion->options.law == NULL) {
        status = crm_settings_create(crm_law_find("lzb"), &motion->own_law, error);
    }
    motion->law = motion->options.law != NULL ? motion->options.law : motion->own_law;
    if (status == CRM_OK) {
        status = crm_settings_create(crm_law_find("moreau"), &motion->plastic, error);
    }
    return status == CRM_OK ? crm_settings_set_number(motion->plastic, "restitution", 0, error)
                            : status;
}

void crm_motion_end(crm_motion *motion)
{
    crm_workspace_free(motion->workspace);
    crm_settings_free(motion->own_law);
    crm_settings_free(motion->plastic);
    crm_motion_rules_free(motion->rules);
}

void crm_motion_free(crm_motion *motion)
{
    if (motion != NULL) {
        motion->kind->free(motion);
    }
}

/* ---- Moving ---------------------------------------------------------------------------------- */

crm_status crm_motion_fail(crm_motion *motion, crm_motion_stop *stopped, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(motion->reason, sizeof motion->reason, format, arguments); /* NOLINT */
    va_end(arguments);
    motion->failed = true;
    *stopped = CRM_STOP_FAILED;
    return CRM_OK;
}

void crm_motion_watch(crm_motion *motion, const crm_watch *watch)
{
    CRM_PRECONDITION(motion != NULL);
    motion->watch = watch != NULL ? *watch : (crm_watch){0};
}

bool crm_motion_must_end(crm_motion *motion)
{
    const crm_watch_report progress = {.time = motion->time, .left = NAN, .steps = motion->impacts};
    return crm_watch_ends(motion->watching, &progress);
}

/* A multiple that equals `after` within rounding counts as `after`. */
double crm_motion_next_sample(const crm_observer *observer, double after)
{
    if (observer == NULL || observer->state == NULL || !(observer->every > 0)) {
        return INFINITY;
    }
    double count = floor(after / observer->every);
    while (count * observer->every <= after) {
        count += 1;
    }
    return count * observer->every;
}

crm_status crm_motion_run(crm_motion *motion, double time, const crm_observer *observer,
                          crm_motion_stop *stopped, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    crm_motion_stop ignored;
    stopped = stopped != NULL ? stopped : &ignored;
    *stopped = CRM_STOP_FAILED;
    if (crm_fail_if_null(motion, "motion", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!isfinite(time) || time < motion->time) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "time",
                        "time is %g, must be finite and not before %g, where the motion is", time,
                        motion->time);
    }
    if (observer != NULL && !(observer->every >= 0 && isfinite(observer->every))) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "every", "every is %g, must be 0 or positive",
                        observer->every);
    }
    if (motion->failed) {
        return CRM_OK;
    }
    bool watched = motion->watch.seconds > 0 || motion->watch.go_on != NULL;
    motion->run = crm_watch_begin(watched ? &motion->watch : NULL);
    motion->watching = watched ? &motion->run : NULL;
    crm_status status = motion->kind->run(motion, time, observer, stopped, error);
    motion->watching = NULL;
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

double crm_motion_time(const crm_motion *motion)
{
    CRM_PRECONDITION(motion != NULL);
    return motion->time;
}

size_t crm_motion_positions(const crm_motion *motion)
{
    CRM_PRECONDITION(motion != NULL);
    return motion->positions;
}

size_t crm_motion_velocities(const crm_motion *motion)
{
    CRM_PRECONDITION(motion != NULL);
    return motion->velocities;
}

void crm_motion_read(const crm_motion *motion, double *position, double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(motion != NULL);
    motion->kind->read(motion, position, velocity);
}

const char *crm_motion_reason(const crm_motion *motion)
{
    CRM_PRECONDITION(motion != NULL);
    return motion->reason;
}

crm_motion_summary crm_motion_summarize(const crm_motion *motion)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(motion != NULL);
    return motion->kind->summarize(motion);
}

crm_motion_summary crm_motion_sum_up(const crm_motion *motion, crm_motion_account now)
{
    crm_motion_account account = now;
    account.kinetic_before = motion->kinetic_before;
    account.potential_before = motion->potential_before;
    account.lost = motion->lost;
    account.work += motion->impact_work;
    account.error = account.kinetic_before + account.potential_before + account.work +
                    account.correction - account.kinetic_after - account.potential_after -
                    account.lost;
    return (crm_motion_summary){.impacts = motion->impacts,
                                .at_rest_since = motion->at_rest_since,
                                .max_penetration = motion->max_penetration,
                                .energy = account};
}
