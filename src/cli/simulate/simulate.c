/* simulate: motion in time with impacts. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/limits.h"
#include "cli/simulate/simulate.h"

/* ---- Before --------------------------------------------------------------------------------- */

static int report_error(const crm_simulation *s, const crm_error *cause)
{
    crm_read_error error;
    if (cause->status == CRM_ERROR_MEMORY) {
        return crm_message_memory();
    }
    crm_scenario_fail_motion(s->scenario, s->law, cause, &error);
    crm_message_line(error.text);
    return CRM_EXIT_SCENARIO;
}

/* A second law on the command line is that of the motion beside, in the page. */
static int choose_beside(crm_simulation *s)
{
    const crm_options *o = s->options;
    if (s->scenario->law_count == 1) {
        return CRM_EXIT_DONE;
    }
    if (s->scenario->law_count > 2 || o->report == NULL || o->resume_from != NULL) {
        return crm_message(CRM_EXIT_USAGE,
                           "--law is '%s'; a motion takes one law, and a second one to show beside "
                           "it in the page of --report, not with --resume",
                           o->laws);
    }
    s->beside = &s->scenario->laws[1];
    return CRM_EXIT_DONE;
}

/* Of several laws in the file the first is used. */
static int choose_law(crm_simulation *s)
{
    crm_scenario *scenario = s->scenario;
    const char *names = s->options->laws;
    crm_read_error error;
    if (names == NULL) {
        s->law = crm_scenario_motion_law(scenario);
        return CRM_EXIT_DONE;
    }
    if (crm_scenario_choose_laws(scenario, names, &error) != CRM_OK) {
        return error.status == CRM_ERROR_MEMORY ? crm_message_memory()
                                                : crm_message(CRM_EXIT_USAGE, "%s", error.text);
    }
    s->law = &scenario->laws[0];
    return choose_beside(s);
}

static crm_status read_scenario(crm_simulation *s, crm_read_error *error)
{
    const crm_options *o = s->options;
    const char *path = o->operands[0];
    crm_yaml_limits limits = crm_limits_for_scenario();
    crm_tree *tree = NULL;
    size_t length;
    crm_status status = crm_file_read(path, &s->text, &length, error);
    if (status == CRM_OK) {
        const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
        status = crm_yaml_parse(s->text, length, source, &limits, &tree, error);
    }
    for (size_t i = 0; i < o->set_count && status == CRM_OK; i++) {
        status = crm_yaml_set(tree, o->sets[i], error);
    }
    status = status == CRM_OK ? crm_scenario_motion_from_tree(tree, &s->scenario, error) : status;
    if (status != CRM_OK) {
        crm_tree_free(tree);
    }
    return status;
}

/* Line by line, to be freed; NULL: no memory. */
static char *join_overrides(const crm_options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream != NULL && i < options->set_count; i++) {
        fprintf(stream, "%s%s", i > 0 ? "\n" : "", options->sets[i]);
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return text;
}

static int load(crm_simulation *s)
{
    crm_read_error error = {0};
    if (read_scenario(s, &error) != CRM_OK) {
        return crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    }
    s->sets = join_overrides(s->options);
    return s->sets != NULL ? choose_law(s) : crm_message_memory();
}

static int make_motion(crm_simulation *s)
{
    crm_error error = {0};
    if (crm_scenario_begin_motion(s->scenario, s->law, &s->motion, &error) != CRM_OK) {
        return report_error(s, &error);
    }
    s->state = CRM_NEW(double, crm_motion_positions(s->motion) + crm_motion_velocities(s->motion));
    return s->state != NULL ? CRM_EXIT_DONE : crm_message_memory();
}

static int resume(crm_simulation *s, crm_checkpoint *checkpoint)
{
    int status = crm_checkpoint_read(s->options->resume_from, checkpoint, s->motion);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    double duration = s->scenario->motion->duration, time = crm_motion_time(s->motion);
    s->report.moved.strongest = checkpoint->strongest;
    s->report.moved.unsolved = checkpoint->unsolved;
    return duration >= time ? CRM_EXIT_DONE
                            : crm_message(CRM_EXIT_USAGE,
                                          "--resume '%s' is at %.9g s; simulate.duration is %g s "
                                          "and must be at least that",
                                          s->options->resume_from, time, duration);
}

/* Warn of more rows than the disk can hold, at this many bytes a number; the run may be meant to
 * end earlier.
 */
static void warn_of_states(const crm_simulation *s)
{
    enum { LEAST_EACH = 2 }; /* "0," */
    const crm_scenario_motion *m = s->scenario->motion;
    size_t numbers = 1 + s->states.position.count + s->states.velocity.count;
    double left = m->duration - crm_motion_time(s->motion);
    if (m->output_every > 0 && !s->options->quiet) {
        crm_limits_disk_allows(left / m->output_every * (double)numbers * LEAST_EACH,
                               s->options->history);
    }
}

/* Outputs are opened first, so that nobody waits for a result that cannot be written. */
static int open_outputs(crm_simulation *s, const crm_checkpoint *from)
{
    const crm_options *o = s->options;
    const crm_file_header header = {s->scenario, s->text, s->sets, crm_motion_time(s->motion)};
    int status = crm_output_open(&s->output, o->output);
    if (status == CRM_EXIT_DONE && o->history != NULL) {
        status =
            crm_states_open(&s->states, o->history, &header, from != NULL ? &from->states : NULL);
        if (status == CRM_EXIT_DONE) {
            warn_of_states(s);
        }
    }
    if (status == CRM_EXIT_DONE && o->impacts != NULL) {
        status = crm_impacts_open(&s->impacts, o->impacts, &header,
                                  from != NULL ? &from->impacts : NULL);
    }
    if (status == CRM_EXIT_DONE) {
        status =
            crm_pictures_open(&s->pictures, o, s->scenario->motion, crm_motion_time(s->motion));
    }
    return status;
}

static int prepare(crm_simulation *s)
{
    crm_checkpoint checkpoint;
    bool resumes = s->options->resume_from != NULL;
    int status = load(s);
    status = status == CRM_EXIT_DONE ? make_motion(s) : status;
    status = status == CRM_EXIT_DONE && resumes ? resume(s, &checkpoint) : status;
    return status == CRM_EXIT_DONE ? open_outputs(s, resumes ? &checkpoint : NULL) : status;
}

/* ---- Afterwards ----------------------------------------------------------------------------- */

static void fill_report(crm_simulation *s)
{
    const crm_scenario_motion *m = s->scenario->motion;
    size_t positions = crm_motion_positions(s->motion);
    crm_motion_read(s->motion, s->state, s->state + positions);
    crm_motion_report *r = &s->report;
    r->title = s->scenario->title;
    r->scheme = m->options.scheme;
    r->law = s->law->label;
    r->duration = m->duration;
    r->reason = crm_motion_reason(s->motion);
    r->warnings = &s->scenario->warnings;
    r->moved.scene = &m->scene;
    r->moved.time = crm_motion_time(s->motion);
    r->moved.summary = crm_motion_summarize(s->motion);
    r->moved.position = s->state;
    r->moved.velocity = s->state + positions;
}

static crm_status write_table(const crm_simulation *s, crm_error *error)
{
    crm_style style = crm_style_of_output(&s->output);
    style.summary = s->options->summary;
    style.rows = s->options->rows;
    return crm_motion_report_table(&s->report, style, s->output.stream, error);
}

static crm_status write_report(crm_simulation *s, crm_error *error)
{
    switch (s->options->format) {
    case CRM_FORMAT_JSON:
        return crm_motion_report_json(&s->report, s->output.stream, error);
    case CRM_FORMAT_CSV:
        crm_motion_report_csv(&s->report, s->output.stream);
        return CRM_OK;
    default:
        return write_table(s, error);
    }
}

/* The run ended because a file could not be written: committing that file reports the reason. The
 * other files are incomplete, too.
 */
static int refuse_failed(crm_simulation *s)
{
    int status = CRM_EXIT_DONE;
    if (s->options->history != NULL && crm_states_failed(&s->states)) {
        status = crm_states_commit(&s->states);
    } else if (s->options->impacts != NULL && crm_row_file_failed(&s->impacts)) {
        status = crm_row_file_commit(&s->impacts);
    }
    return status;
}

/* The report first: without memory for it no file is replaced. A motion that failed cannot be
 * continued, so its last checkpoint is kept.
 */
static int write_outputs(crm_simulation *s, crm_simulation *second)
{
    const crm_simulate_beside beside = {&second->report, &second->pictures};
    crm_error error = {0};
    crm_limits_begin_writing();
    int refused = refuse_failed(s);
    if (refused != CRM_EXIT_DONE) {
        return refused;
    }
    if (write_report(s, &error) != CRM_OK) {
        return crm_message_error(CRM_EXIT_NO_ANSWER, &error);
    }
    int status = s->report.moved.stopped != CRM_STOP_FAILED ? crm_simulate_save(s) : CRM_EXIT_DONE;
    if (status == CRM_EXIT_DONE && s->options->history != NULL) {
        status = crm_states_commit(&s->states);
    }
    if (status == CRM_EXIT_DONE && s->options->impacts != NULL) {
        status = crm_row_file_commit(&s->impacts);
    }
    if (status == CRM_EXIT_DONE) {
        status = crm_pictures_write(&s->pictures, s->options, &s->report, s->text,
                                    s->beside != NULL ? &beside : NULL);
    }
    return status == CRM_EXIT_DONE ? crm_output_commit(&s->output) : status;
}

static int exit_status(const crm_simulation *s)
{
    switch (s->report.moved.stopped) {
    case CRM_STOP_INTERRUPTED:
        return crm_interrupt_caught()
                   ? crm_interrupt_status()
                   : crm_message(CRM_EXIT_NO_ANSWER,
                                 "time limit of %.3g s reached; the motion is at %.9g s",
                                 s->options->max_seconds, s->report.moved.time);
    case CRM_STOP_FAILED:
        return crm_message(CRM_EXIT_NO_ANSWER, "the motion failed at %.9g s: %s",
                           s->report.moved.time, s->report.reason);
    default:
        return s->report.moved.unsolved == 0
                   ? CRM_EXIT_DONE
                   : crm_message(CRM_EXIT_NO_ANSWER, "law %s did not terminate in %llu impact%s",
                                 s->report.law, (unsigned long long)s->report.moved.unsolved,
                                 s->report.moved.unsolved == 1 ? "" : "s");
    }
}

/* From the first frame to the last; the report is that of the end. */
static int move(crm_simulation *s)
{
    crm_error error = {0};
    int end;
    crm_pictures_add_state(&s->pictures, s->motion, s->state);
    if (crm_simulate_run(s, &end, &error) != CRM_OK) {
        return report_error(s, &error);
    }
    if (s->impacts.out_of_memory) {
        return crm_message_memory();
    }
    if (end == CRM_EXIT_DONE) {
        crm_pictures_add_state(&s->pictures, s->motion, s->state);
        fill_report(s);
    }
    return end;
}

/* The motion by the second law, of which there are only pictures. */
static int move_beside(const crm_simulation *s, crm_options *options, crm_simulation *second)
{
    *options = *s->options;
    options->history = options->impacts = options->checkpoint = options->plot = NULL;
    *second = (crm_simulation){
        .options = options, .scenario = s->scenario, .text = s->text, .law = s->beside};
    int status = make_motion(second);
    status = status == CRM_EXIT_DONE
                 ? crm_pictures_plan(&second->pictures, options, s->scenario->motion, 0)
                 : status;
    return status == CRM_EXIT_DONE ? move(second) : status;
}

static void free_motion(crm_simulation *s)
{
    crm_pictures_abandon(&s->pictures);
    crm_motion_free(s->motion);
    free(s->state);
}

static int run(crm_simulation *s)
{
    crm_simulation second = {0};
    crm_options options;
    crm_interrupt_catch();
    int status = move(s);
    if (status == CRM_EXIT_DONE && s->beside != NULL) {
        status = move_beside(s, &options, &second);
    }
    if (status == CRM_EXIT_DONE) {
        int written = write_outputs(s, &second);
        status = written == CRM_EXIT_DONE ? exit_status(s) : written;
    }
    free_motion(&second);
    return status;
}

int crm_cli_simulate(const crm_options *options)
{
    crm_simulation s = {.options = options};
    int status = prepare(&s);
    if (status == CRM_EXIT_DONE) {
        status = run(&s);
    }
    crm_output_abandon(&s.output);
    crm_states_abandon(&s.states);
    crm_row_file_abandon(&s.impacts);
    free_motion(&s);
    free(s.text);
    free(s.sets);
    crm_scenario_free(s.scenario);
    return status;
}
