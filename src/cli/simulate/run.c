/* The run: rows, progress, pauses.
 *
 * The run is paused and continued whenever something is needed that only a paused motion gives: the
 * state after an impact, a checkpoint, or a frame for pictures. Pausing does not change the motion.
 */
#include <time.h>

#include "cli/limits.h"
#include "cli/simulate/simulate.h"

/* Parts of the duration after which interrupts are polled, and in which progress is shown. */
enum { POLLS = 1000, PROGRESS = 100 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool keeps_states(const crm_simulation *s)
{
    return s->options->history != NULL;
}

static bool after_impacts(const crm_simulation *s)
{
    return keeps_states(s) && s->scenario->motion->output_every == 0;
}

/* ---- Progress and interrupts ----------------------------------------------------------------- */

static size_t percent(const crm_simulation *s, double time)
{
    double part = time / s->scenario->motion->duration;
    return part < 1 ? (size_t)(PROGRESS * part) : PROGRESS;
}

static bool checkpoint_is_due(const crm_simulation *s)
{
    return s->options->checkpoint != NULL && now() - s->saved >= s->options->checkpoint_every;
}

static bool must_stop(crm_simulation *s)
{
    s->late = crm_limits_time_left() == 0;
    return s->late || crm_interrupt_caught();
}

/* Called many times a second, also within an impact. */
static bool go_on(void *context, const crm_watch_report *report)
{
    (void)report;
    return !must_stop(context);
}

/* Whether to pause or stop here. */
static crm_status poll(crm_simulation *s, double time, bool row)
{
    crm_progress_show(&s->progress, percent(s, time));
    s->paused = row || checkpoint_is_due(s);
    bool failed = crm_states_failed(&s->states) || crm_row_file_failed(&s->impacts);
    return must_stop(s) || s->paused || failed ? CRM_ERROR_STOPPED : CRM_OK;
}

static crm_status on_state(void *context, double time, const double *position,
                           const double *velocity)
{
    crm_simulation *s = context;
    if (keeps_states(s) && !after_impacts(s)) {
        crm_states_add(&s->states, crm_history_time(time, s->scenario->motion->output_every),
                       position, velocity);
    }
    return poll(s, time, false);
}

static crm_status on_impact(void *context, const crm_impact_report *impact)
{
    crm_simulation *s = context;
    crm_motion_add_impact(&s->report.moved, impact);
    if (s->options->impacts != NULL) {
        crm_impacts_add(&s->impacts, &s->scenario->motion->scene, impact);
    }
    s->row_due = after_impacts(s);
    s->picture_due = crm_pictures_add_impact(&s->pictures, impact);
    return poll(s, impact->time, s->row_due || s->picture_due);
}

/* ---- Pauses ---------------------------------------------------------------------------------- */

static void add_row(crm_simulation *s)
{
    size_t positions = crm_motion_positions(s->motion);
    crm_motion_read(s->motion, s->state, s->state + positions);
    crm_states_add(&s->states, crm_motion_time(s->motion), s->state, s->state + positions);
    s->row_due = false;
}

int crm_simulate_save(crm_simulation *s)
{
    if (s->options->checkpoint == NULL) {
        return CRM_EXIT_DONE;
    }
    const crm_checkpoint checkpoint = {.states = crm_states_mark(&s->states),
                                       .impacts = crm_row_file_mark(&s->impacts),
                                       .strongest = s->report.moved.strongest,
                                       .unsolved = s->report.moved.unsolved};
    int status = crm_checkpoint_write(s->options->checkpoint, &checkpoint, s->motion);
    s->saved = now();
    return status;
}

static int at_pause(crm_simulation *s)
{
    if (s->row_due) {
        add_row(s);
    }
    if (s->picture_due || crm_motion_time(s->motion) >= s->pictures.next) {
        crm_pictures_add_state(&s->pictures, s->motion, s->state);
        s->picture_due = false;
    }
    return checkpoint_is_due(s) ? crm_simulate_save(s) : CRM_EXIT_DONE;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Whether the run was only paused. */
static bool continues(const crm_simulation *s, double until)
{
    crm_motion_stop stopped = s->report.moved.stopped;
    bool pause = s->paused && stopped == CRM_STOP_INTERRUPTED;
    bool look = stopped == CRM_STOP_DURATION && until < s->scenario->motion->duration;
    return (pause || look) && !s->late && !crm_interrupt_caught();
}

crm_status crm_simulate_run(crm_simulation *s, int *end, crm_error *error)
{
    const crm_scenario_motion *m = s->scenario->motion;
    bool rows = m->output_every > 0 && keeps_states(s);
    crm_observer observer = {.context = s,
                             .every = rows ? m->output_every : m->duration / POLLS,
                             .state = on_state,
                             .impact = on_impact};
    const crm_watch watch = {.context = s, .go_on = go_on};
    crm_status status;
    double until;
    s->saved = now();
    crm_limits_begin_polling();
    crm_motion_watch(s->motion, &watch);
    crm_progress_begin(&s->progress, "% of the duration", PROGRESS, s->options->quiet);
    s->progress.before = percent(s, crm_motion_time(s->motion));
    do {
        s->paused = false;
        until = s->pictures.next < m->duration ? s->pictures.next : m->duration;
        status = crm_motion_run(s->motion, until, &observer, &s->report.moved.stopped, error);
        *end = status == CRM_OK ? at_pause(s) : CRM_EXIT_DONE;
    } while (status == CRM_OK && *end == CRM_EXIT_DONE && continues(s, until));
    crm_progress_end(&s->progress);
    return status;
}
