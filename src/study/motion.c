/* A point of a study that is a motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "study/parts.h"

/* A watch is polled after every impact, and after this part of the duration. */
enum { POLLS = 1000 };

typedef struct course {
    crm_motion_state *moved;
    const crm_watch *watch; /* NULL: none */
} course;

static crm_status poll(const course *c, double time)
{
    const crm_watch_report progress = {.time = time, .left = NAN};
    return c->watch == NULL || c->watch->go_on(c->watch->context, &progress) ? CRM_OK
                                                                             : CRM_ERROR_STOPPED;
}

static crm_status on_impact(void *context, const crm_impact_report *impact)
{
    const course *c = context;
    crm_motion_add_impact(c->moved, impact);
    return poll(c, impact->time);
}

static crm_status on_state(void *context, double time, const double *position,
                           const double *velocity)
{
    (void)position, (void)velocity;
    return poll(context, time);
}

static void fill(const crm_motion *motion, double *state, crm_motion_state *moved)
{
    size_t positions = crm_motion_positions(motion);
    crm_motion_read(motion, state, state + positions);
    moved->time = crm_motion_time(motion);
    moved->summary = crm_motion_summarize(motion);
    moved->position = state;
    moved->velocity = state + positions;
}

/* How it went, as a result of a law. */
static crm_result judge(const crm_motion *motion, const crm_motion_state *moved, char *reason,
                        size_t size)
{
    if (moved->stopped == CRM_STOP_FAILED) {
        crm_snprintf(reason, size, "failed at %.9g s: %s", moved->time, crm_motion_reason(motion));
        return CRM_FAILED;
    }
    if (moved->unsolved > 0) {
        snprintf(reason, size, "the law did not terminate in %llu of %llu impacts",
                 (unsigned long long)moved->unsolved, (unsigned long long)moved->summary.impacts);
        return CRM_NOT_TERMINATED;
    }
    return CRM_SOLVED;
}

static crm_status run(crm_motion *motion, double duration, const crm_watch *watch,
                      crm_motion_state *moved, crm_error *error)
{
    course c = {moved, watch};
    crm_observer observer = {.context = &c, .impact = on_impact};
    if (watch != NULL) {
        observer.every = duration / POLLS;
        observer.state = on_state;
    }
    crm_status status = crm_motion_run(motion, duration, &observer, &moved->stopped, error);
    size_t count = crm_motion_positions(motion) + crm_motion_velocities(motion);
    double *state = status == CRM_OK ? CRM_NEW(double, count) : NULL;
    if (status == CRM_OK && state == NULL) {
        return crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        fill(motion, state, moved);
    }
    return status;
}

crm_status crm_study_run_motion(const crm_scenario *scenario, const crm_scenario_law *law,
                                const crm_watch *watch, crm_motion_state *moved, crm_result *result,
                                char *reason, size_t size, crm_error *error)
{
    crm_motion *motion = NULL;
    crm_error cause = {0};
    *moved = (crm_motion_state){.scene = &scenario->motion->scene};
    crm_status status = crm_scenario_begin_motion(scenario, law, &motion, &cause);
    if (status == CRM_OK) {
        status = run(motion, scenario->motion->duration, watch, moved, &cause);
    }
    if (status == CRM_OK) {
        *result = judge(motion, moved, reason, size);
    } else {
        *result = CRM_FAILED;
        snprintf(reason, size, "%s", cause.message);
    }
    crm_motion_free(motion);
    return status == CRM_ERROR_MEMORY ? crm_fail_memory(error) : CRM_OK;
}

void crm_study_release_moved(crm_motion_state *moved)
{
    free((double *)moved->position);
    moved->position = moved->velocity = NULL;
}
