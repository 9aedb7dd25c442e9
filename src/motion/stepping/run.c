/* The run, and reading between two steps.
 *
 * Steps depend neither on where a run ends nor on an observer: a motion in several runs is bit for
 * bit the motion in one. So the last step may end after the run by less than a step. Within a step
 * positions are the cubic through the positions and velocities of both ends, which is the step's
 * parabola unless overlaps were removed, and velocities are interpolated linearly.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/stepping/stepping.h"

/* A time within this part of a step of its end counts as the end. */
static const double NEARLY = 1e-9;

/* ---- Reading --------------------------------------------------------------------------------- */

static void read_at(const stepping *s, double t, double *position, double *velocity)
{
    double h = s->common.options.step, end = stepping_time(s, s->steps);
    double part = s->steps == 0 || end - t <= NEARLY * h ? 1 : fmax(0, 1 - (end - t) / h);
    for (size_t k = 0; k < s->scene->velocities; k++) {
        velocity[k] = part < 1 ? s->v0[k] + part * (s->v[k] - s->v0[k]) : s->v[k];
    }
    memcpy(position, s->q, s->scene->positions * sizeof *position);
    if (part >= 1) {
        return;
    }
    double *begin = s->end_rates, *finish = s->end_rates + s->scene->positions;
    scene_kinematics(s->scene, s->q0, s->v0, begin);
    scene_kinematics(s->scene, s->q, s->v, finish);
    double rest = 1 - part;
    for (size_t k = 0; k < s->scene->positions; k++) {
        position[k] = rest * rest * (1 + 2 * part) * s->q0[k] +
                      part * part * (1 + 2 * rest) * s->q[k] +
                      h * part * rest * (rest * begin[k] - part * finish[k]);
    }
    scene_normalize(s->scene, position);
}

static void read(const crm_motion *motion, double *position, double *velocity)
{
    read_at((const stepping *)motion, motion->time, position, velocity);
}

static crm_motion_summary summarize(const crm_motion *motion)
{
    const stepping *s = (const stepping *)motion;
    double *q = s->state, *v = s->state + s->scene->positions;
    read_at(s, motion->time, q, v);
    crm_motion_summary summary = crm_motion_sum_up(
        motion, (crm_motion_account){.kinetic_after = stepping_kinetic(s, v),
                                     .potential_after = scene_potential(s->scene, q),
                                     .work = s->work_done.sum + s->work_done.remainder,
                                     .correction = s->correction.sum + s->correction.remainder});
    if (summary.at_rest_since > motion->time) {
        summary.at_rest_since = NAN;
    }
    return summary;
}

/* ---- The observer ---------------------------------------------------------------------------- */

/* States at the multiples of `every` up to `until` that the observer has not had yet. */
static void notify_states(stepping *s, double until)
{
    const crm_observer *o = s->observer;
    if (o == NULL || o->state == NULL || !(o->every > 0)) {
        return;
    }
    for (double k = fmax(0, floor(s->common.time / o->every)); !s->interrupted; k++) {
        double t = k * o->every;
        if (t > until) {
            return;
        }
        if (t <= s->notified_until || t < s->common.time) {
            continue;
        }
        double *q = s->state, *v = s->state + s->scene->positions;
        read_at(s, t, q, v);
        s->notified_until = s->common.time = t;
        s->interrupted = o->state(o->context, t, q, v) != CRM_OK;
    }
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Whether the run ends here; states before are given to the observer. */
static bool ends(stepping *s, double end, crm_motion_stop *stopped)
{
    double reached = stepping_time(s, s->steps);
    bool there = reached >= end - NEARLY * s->common.options.step;
    const crm_motion_options *options = &s->common.options;
    bool rests = options->stop_at_rest && !isnan(s->common.at_rest_since);
    bool enough = options->stop_impacts > 0 && s->common.impacts >= options->stop_impacts;
    if (!s->interrupted) {
        notify_states(s, there ? end : reached);
    }
    if (s->interrupted) {
        *stopped = CRM_STOP_INTERRUPTED;
        return true;
    }
    s->common.time = fmax(s->common.time, there ? end : reached);
    *stopped = rests ? CRM_STOP_AT_REST : enough ? CRM_STOP_IMPACTS : CRM_STOP_DURATION;
    return there || rests || enough;
}

static crm_status run(crm_motion *motion, double end, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error)
{
    stepping *s = (stepping *)motion;
    crm_status status = CRM_OK;
    s->observer = observer;
    s->interrupted = false;
    while (status == CRM_OK && !ends(s, end, stopped)) {
        status = stepping_take(s, stopped, error);
        if (motion->failed) {
            break;
        }
    }
    s->common.lost = s->lost.sum + s->lost.remainder;
    s->observer = NULL;
    return status;
}

const crm_motion_kind crm_stepping_kind = {.name = "time-stepping",
                                           .run = run,
                                           .free = crm_stepping_free,
                                           .read = read,
                                           .summarize = summarize,
                                           .archive = stepping_archive};
