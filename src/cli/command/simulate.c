/* simulate: motion in time with impacts. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/cli.h"
#include "cli/plugin.h"
#include "cli/progress.h"
#include "report/motion.h"
#include "scenario/scenario.h"

/* The part of the duration after which it is looked whether someone wants to stop, and how far it
 * is told to be.
 */
enum { LOOKS = 1000, PROGRESS = 100 };

typedef struct simulate {
    const crm_options *options;
    crm_scenario *scenario;
    const crm_scenario_law *law;
    crm_motion *motion;
    crm_output output, history, impacts;
    crm_motion_report report;
    double *state; /* positions, then velocities */
    crm_progress progress;
    bool paused;  /* by us, for a row after an impact */
    bool starved; /* of memory for the row of an impact */
} simulate;

/* ---- Before --------------------------------------------------------------------------------- */

static int blame(const simulate *s, const crm_error *cause)
{
    crm_read_error error;
    if (cause->status == CRM_ERROR_MEMORY) {
        return crm_say_memory();
    }
    crm_scenario_blame_motion(s->scenario, s->law, cause, &error);
    crm_say_text(error.text);
    return CRM_EXIT_SCENARIO;
}

/* Of several laws in the file the first is meant; on the command line there is no reason to name
 * a second.
 */
static int choose_law(simulate *s)
{
    crm_scenario *scenario = s->scenario;
    const char *names = s->options->laws;
    crm_read_error error;
    if (names == NULL) {
        bool own = scenario->motion->law.settings != NULL;
        s->law = own ? &scenario->motion->law : &scenario->laws[0];
        return CRM_EXIT_DONE;
    }
    if (crm_scenario_choose_laws(scenario, names, &error) != CRM_OK) {
        return error.status == CRM_ERROR_MEMORY ? crm_say_memory()
                                                : crm_say(CRM_EXIT_USAGE, "%s", error.text);
    }
    s->law = &scenario->laws[0];
    return scenario->law_count == 1
               ? CRM_EXIT_DONE
               : crm_say(CRM_EXIT_USAGE, "--law is '%s'; a motion is by one law", names);
}

static int load(simulate *s)
{
    const crm_options *o = s->options;
    crm_read_error error = {0};
    if (crm_motion_scenario_read(o->operands[0], o->sets, o->set_count, &s->scenario, &error) !=
        CRM_OK) {
        return crm_say_read_error(CRM_EXIT_SCENARIO, &error);
    }
    return choose_law(s);
}

static bool anything_moves(const crm_scene_def *scene)
{
    bool moves = scene->spring_count > 0;
    for (size_t k = 0; k < crm_scene_velocities(scene); k++) {
        moves |= scene->velocity[k] != 0;
    }
    for (unsigned d = 0; d < scene->bodies.dimension; d++) {
        moves |= scene->gravity[d] != 0;
    }
    for (size_t k = 0; k < scene->bodies.wall_count; k++) {
        const double *v = scene->bodies.walls[k].velocity;
        moves |= v[0] != 0 || v[1] != 0 || v[2] != 0 || scene->wall_motion[k].amplitude != 0;
    }
    return moves;
}

static int check_scene(const simulate *s)
{
    const crm_scene_def *scene = &s->scenario->motion->scene;
    crm_error error = {.status = CRM_ERROR_MODEL, .place = "bodies"};
    if (crm_scene_velocities(scene) == 0) {
        snprintf(error.message, sizeof error.message, "all bodies are fixed: nothing can move");
        return blame(s, &error);
    }
    if (!anything_moves(scene)) {
        snprintf(error.message, sizeof error.message,
                 "nothing moves: no body has a velocity, and there is no gravity, spring or moving "
                 "wall");
        return blame(s, &error);
    }
    return CRM_EXIT_DONE;
}

static int make_motion(simulate *s)
{
    crm_scenario_motion *m = s->scenario->motion;
    crm_error error = {0};
    size_t positions = crm_scene_positions(&m->scene);
    size_t velocities = crm_scene_velocities(&m->scene);
    m->options.law = s->law->settings;
    if (crm_motion_from_scene(&m->scene, &m->options, &s->motion, &error) != CRM_OK) {
        return blame(s, &error);
    }
    if (crm_motion_positions(s->motion) != positions ||
        crm_motion_velocities(s->motion) != velocities) {
        error = (crm_error){.status = CRM_ERROR_MODEL,
                            .place = "bodies",
                            .message = "suspended bodies cannot be moved by this library"};
        return blame(s, &error);
    }
    s->state = CRM_NEW(double, positions + velocities);
    return s->state != NULL ? CRM_EXIT_DONE : crm_say_memory();
}

/* Files are opened first: nobody should wait for an answer that cannot be kept. */
static int open_outputs(simulate *s)
{
    const crm_scene_def *scene = &s->scenario->motion->scene;
    int status = crm_output_open(&s->output, s->options->output);
    if (status == CRM_EXIT_DONE && s->options->history != NULL) {
        status = crm_output_open(&s->history, s->options->history);
    }
    if (status == CRM_EXIT_DONE && s->options->impacts != NULL) {
        status = crm_output_open(&s->impacts, s->options->impacts);
    }
    if (status == CRM_EXIT_DONE && s->options->history != NULL) {
        crm_states_begin(scene, s->history.stream);
    }
    if (status == CRM_EXIT_DONE && s->options->impacts != NULL) {
        crm_impacts_begin(s->impacts.stream);
    }
    return status;
}

static int prepare(simulate *s)
{
    if (s->options->history != NULL && crm_is_hdf5(s->options->history)) {
        return crm_say(CRM_EXIT_USAGE, "--history is '%s'; of a motion it must end in .csv",
                       s->options->history);
    }
    int status = load(s);
    status = status == CRM_EXIT_DONE ? check_scene(s) : status;
    status = status == CRM_EXIT_DONE ? make_motion(s) : status;
    return status == CRM_EXIT_DONE ? open_outputs(s) : status;
}

/* ---- On the way ----------------------------------------------------------------------------- */

static void show_progress(simulate *s, double time)
{
    double part = time / s->scenario->motion->duration;
    crm_progress_show(&s->progress, part < 1 ? (size_t)(PROGRESS * part) : PROGRESS);
}

static crm_status on_state(void *context, double time, const double *position,
                           const double *velocity)
{
    simulate *s = context;
    size_t count = crm_motion_positions(s->motion);
    if (s->history.stream != NULL && s->scenario->motion->output_every > 0) {
        crm_states_row(s->history.stream, time, count, position, crm_motion_velocities(s->motion),
                       velocity);
    }
    show_progress(s, time);
    return crm_interrupted() ? CRM_ERROR_STOPPED : CRM_OK;
}

static void find_strongest(crm_strongest *strongest, const crm_impact_report *impact)
{
    for (size_t j = 0; j < impact->contacts; j++) {
        if (strongest->number == 0 || impact->closing_speed[j] > strongest->closing_speed) {
            *strongest = (crm_strongest){.number = impact->number,
                                         .time = impact->time,
                                         .closing_speed = impact->closing_speed[j],
                                         .party = {impact->party[j][0], impact->party[j][1]}};
        }
    }
}

/* The state after an impact can only be read when the run is over: it is let go on then. */
static crm_status on_impact(void *context, const crm_impact_report *impact)
{
    simulate *s = context;
    find_strongest(&s->report.strongest, impact);
    s->report.unsolved += impact->result != CRM_SOLVED;
    if (s->impacts.stream != NULL) {
        s->starved |= !crm_impacts_row(&s->scenario->motion->scene, s->impacts.stream, impact);
    }
    show_progress(s, impact->time);
    s->paused = s->history.stream != NULL && s->scenario->motion->output_every == 0;
    return s->paused || s->starved || crm_interrupted() ? CRM_ERROR_STOPPED : CRM_OK;
}

static void write_state(simulate *s)
{
    size_t count = crm_motion_positions(s->motion);
    crm_motion_read(s->motion, s->state, s->state + count);
    crm_states_row(s->history.stream, crm_motion_time(s->motion), count, s->state,
                   crm_motion_velocities(s->motion), s->state + count);
}

static crm_status move(simulate *s, crm_error *error)
{
    const crm_scenario_motion *m = s->scenario->motion;
    crm_observer observer = {.context = s,
                             .every = m->output_every > 0 && s->options->history != NULL
                                          ? m->output_every
                                          : m->duration / LOOKS,
                             .state = on_state,
                             .impact = on_impact};
    crm_status status;
    do {
        s->paused = false;
        status = crm_motion_run(s->motion, m->duration, &observer, &s->report.stopped, error);
        if (s->paused) {
            write_state(s);
        }
    } while (status == CRM_OK && s->paused && !s->starved &&
             s->report.stopped == CRM_STOP_INTERRUPTED && !crm_interrupted());
    return status;
}

/* ---- Afterwards ----------------------------------------------------------------------------- */

static void fill_report(simulate *s)
{
    const crm_scenario_motion *m = s->scenario->motion;
    size_t count = crm_motion_positions(s->motion);
    crm_motion_read(s->motion, s->state, s->state + count);
    crm_motion_report *r = &s->report;
    r->title = s->scenario->title;
    r->scene = &m->scene;
    r->scheme = m->options.scheme;
    r->law = s->law->label;
    r->time = crm_motion_time(s->motion);
    r->duration = m->duration;
    r->reason = crm_motion_reason(s->motion);
    r->summary = crm_motion_summarize(s->motion);
    r->position = s->state;
    r->velocity = s->state + count;
}

static int write_report(simulate *s)
{
    crm_error error = {0};
    switch (s->options->format) {
    case CRM_FORMAT_JSON:
        return crm_motion_report_json(&s->report, s->output.stream, &error) == CRM_OK
                   ? CRM_EXIT_DONE
                   : crm_say_error(CRM_EXIT_NO_ANSWER, &error);
    case CRM_FORMAT_CSV:
        crm_motion_report_csv(&s->report, s->output.stream);
        return CRM_EXIT_DONE;
    default:
        crm_motion_report_table(&s->report, crm_output_style(&s->output), s->output.stream);
        return CRM_EXIT_DONE;
    }
}

static int write_outputs(simulate *s)
{
    int status = write_report(s);
    if (status == CRM_EXIT_DONE && s->options->history != NULL) {
        status = crm_output_commit(&s->history);
    }
    if (status == CRM_EXIT_DONE && s->options->impacts != NULL) {
        status = crm_output_commit(&s->impacts);
    }
    return status == CRM_EXIT_DONE ? crm_output_commit(&s->output) : status;
}

static int exit_status(const simulate *s)
{
    switch (s->report.stopped) {
    case CRM_STOP_INTERRUPTED:
        return CRM_EXIT_INTERRUPTED;
    case CRM_STOP_FAILED:
        return crm_say(CRM_EXIT_NO_ANSWER, "the motion failed at %.9g s: %s", s->report.time,
                       s->report.reason);
    default:
        return s->report.unsolved == 0
                   ? CRM_EXIT_DONE
                   : crm_say(CRM_EXIT_NO_ANSWER, "law %s did not come to the end of %llu impact%s",
                             s->report.law, (unsigned long long)s->report.unsolved,
                             s->report.unsolved == 1 ? "" : "s");
    }
}

static int run(simulate *s)
{
    crm_error error = {0};
    crm_interrupt_catch();
    crm_progress_begin(&s->progress, "% of the time", PROGRESS, s->options->quiet);
    crm_status status = move(s, &error);
    crm_progress_end(&s->progress);
    if (status != CRM_OK) {
        return blame(s, &error);
    }
    if (s->starved) {
        return crm_say_memory();
    }
    fill_report(s);
    int written = write_outputs(s);
    return written == CRM_EXIT_DONE ? exit_status(s) : written;
}

int crm_run_simulate(const crm_options *options)
{
    simulate s = {.options = options};
    int status = prepare(&s);
    if (status == CRM_EXIT_DONE) {
        status = run(&s);
    }
    crm_output_abandon(&s.output);
    crm_output_abandon(&s.history);
    crm_output_abandon(&s.impacts);
    crm_motion_free(s.motion);
    free(s.state);
    crm_scenario_free(s.scenario);
    return status;
}
