/* solve: one multiple impact by every law asked for. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/cli.h"
#include "cli/command/run.h"
#include "cli/history/history.h"
#include "cli/limits.h"
#include "cli/picture/live.h"
#include "cli/picture/picture.h"

typedef struct solve {
    const crm_options *options;
    crm_scenario *scenario;
    crm_report_entry *entries;
    crm_run *runs;
    crm_output output;
    crm_history_file history;
    crm_output page, figure;
    char *solver;            /* for --live */
    crm_solve_figure plot;   /* what the figure shows */
    crm_recording recording; /* for both */
} solve;

/* Outputs are opened first, so that nobody waits for a result that cannot be written. */
static int open_outputs(solve *s)
{
    int status = crm_output_open(&s->output, s->options->output);
    if (status == CRM_EXIT_DONE && s->options->history != NULL) {
        status = crm_history_file_open(&s->history, s->options->history, s->scenario);
    }
    if (status == CRM_EXIT_DONE && s->options->report != NULL) {
        status = crm_output_open(&s->page, s->options->report);
    }
    status = status == CRM_EXIT_DONE ? crm_live_load(s->options, &s->solver) : status;
    const crm_canvas_tools *tools; /* checked before anything is computed */
    if (status == CRM_EXIT_DONE) {
        status = crm_figure_choose(s->options->plot_of, &s->plot);
    }
    if (status == CRM_EXIT_DONE && s->options->plot != NULL) {
        status = crm_figure_tools(s->options->plot, &tools);
    }
    if (status == CRM_EXIT_DONE && s->options->plot != NULL) {
        status = crm_output_open(&s->figure, s->options->plot);
    }
    return status;
}

static int prepare(solve *s)
{
    int status = crm_run_load(s->options, &s->scenario);
    if (status == CRM_EXIT_DONE) {
        status = crm_run_make_entries(s->scenario, &s->entries);
    }
    if (status == CRM_EXIT_DONE) {
        s->runs = CRM_NEW(crm_run, s->scenario->law_count);
        status = s->runs != NULL ? open_outputs(s) : crm_message_memory();
    }
    return status;
}

static void report_error(const solve *s, size_t law)
{
    crm_read_error error;
    crm_scenario_fail_law(s->scenario, law, &s->runs[law].error, &error);
    crm_message_line(error.text);
}

/* A law that does not fit the system, or ran out of memory, is reported, and the answers of the
 * others are kept; if there are none, the scenario is at fault.
 */
static int judge_runs(solve *s)
{
    int status = CRM_EXIT_DONE;
    size_t answers = 0, mistakes = 0, out_of_memory = 0;
    for (size_t i = 0; i < s->scenario->law_count; i++) {
        const crm_run *run = &s->runs[i];
        s->entries[i].outcome = run->outcome;
        s->entries[i].reason =
            run->error.message[0] != '\0' ? run->error.message : crm_status_text(run->status);
        if (crm_run_is_mistake(run->status)) {
            report_error(s, i);
            mistakes++;
        }
        if (run->outcome == NULL || run->outcome->result != CRM_SOLVED) {
            status = CRM_EXIT_NO_ANSWER;
        }
        answers += run->outcome != NULL;
        out_of_memory += run->status == CRM_ERROR_MEMORY;
    }
    if (out_of_memory > 0) {
        return CRM_EXIT_MEMORY;
    }
    return mistakes > 0 && answers == 0 ? CRM_EXIT_SCENARIO : status;
}

static int run(solve *s)
{
    crm_history *history = s->options->history != NULL ? &s->history.history : NULL;
    crm_run_all(s->scenario, s->options, history, s->runs);
    if (crm_history_file_failed(&s->history)) {
        return crm_history_file_commit(&s->history); /* says why */
    }
    return judge_runs(s);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

/* Whether a terminal shows all of it at once. */
static crm_status fits_screen(const crm_report *report, crm_style style, int height, bool *fits,
                              crm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    crm_status status =
        stream != NULL ? crm_report_table(report, style, stream, error) : crm_fail_memory(error);
    bool whole = stream != NULL && fclose(stream) == 0;
    if (status == CRM_OK && !whole) {
        status = crm_fail_memory(error);
    }
    *fits = status != CRM_OK || count_lines(text) < (size_t)height;
    free(text);
    return status;
}

/* A table longer than the screen is replaced by its summary, unless options select what to show. */
static crm_status write_table(const solve *s, const crm_report *report, crm_error *error)
{
    const crm_options *o = s->options;
    crm_style style = crm_style_of_output(&s->output);
    int height = crm_terminal_height(s->output.stream);
    style.summary = o->summary;
    style.show = o->show;
    style.rows = o->rows;
    if (!o->summary && o->show == NULL && o->rows == NULL && height > 0) {
        bool fits;
        crm_status status = fits_screen(report, style, height, &fits, error);
        if (status != CRM_OK) {
            return status;
        }
        style.summary = !fits;
    }
    return crm_report_table(report, style, s->output.stream, error);
}

static crm_status write_report(const solve *s, crm_error *error)
{
    crm_report report = crm_run_make_report(s->scenario, s->entries);
    switch (s->options->format) {
    case CRM_FORMAT_JSON:
        return crm_report_json(&report, s->output.stream, error);
    case CRM_FORMAT_CSV:
        return crm_report_csv(&report, s->output.stream, error);
    default:
        return write_table(s, &report, error);
    }
}

static int write_pictures(solve *s)
{
    const crm_options *o = s->options;
    crm_report report = crm_run_make_report(s->scenario, s->entries);
    int status = CRM_EXIT_DONE;
    if (o->report != NULL) {
        status =
            crm_picture_write_page(&s->page, o, s->scenario, s->solver, &report, &s->recording);
    }
    if (status == CRM_EXIT_DONE && o->plot != NULL) {
        status = crm_figure_write(&s->figure, o->plot, s->plot, &report, &s->recording);
    }
    return status;
}

static int write_outputs(solve *s)
{
    crm_error error = {0};
    crm_limits_begin_writing();
    crm_status printed = write_report(s, &error);
    if (printed != CRM_OK) {
        return printed == CRM_ERROR_OPTION
                   ? crm_message(CRM_EXIT_USAGE, "--rows: %s", error.message)
                   : crm_message_error(CRM_EXIT_NO_ANSWER, &error);
    }
    int status = CRM_EXIT_DONE;
    if (s->options->history != NULL) {
        status = crm_history_file_commit(&s->history);
    }
    status = status == CRM_EXIT_DONE ? write_pictures(s) : status;
    return status == CRM_EXIT_DONE ? crm_output_commit(&s->output) : status;
}

/* Failures are repeated on standard error, except under a table on the terminal, which begins with
 * them.
 */
static void report_failures(const solve *s)
{
    bool seen = s->options->format == CRM_FORMAT_TABLE && crm_terminal_shows(s->output.stream);
    if (seen || s->options->quiet) {
        return;
    }
    crm_report report = crm_run_make_report(s->scenario, s->entries);
    for (size_t i = 0; i < s->scenario->law_count; i++) {
        const crm_report_entry *entry = &s->entries[i];
        if (crm_run_is_mistake(s->runs[i].status)) {
            continue; /* said with its place */
        }
        if (entry->outcome == NULL || entry->outcome->result != CRM_SOLVED) {
            crm_message(0, "law %s %s (%s): %s", entry->label,
                        crm_entry_end(&report, i) == CRM_END_NONE ? "gave no answer"
                                                                  : "did not terminate",
                        crm_entry_status(entry), crm_entry_reason(entry));
        }
    }
}

static void report_empty_history(const solve *s)
{
    if (s->options->history != NULL && s->history.history.rows == 0 && !s->options->quiet) {
        crm_message(0, "%s has no rows: none of the laws resolves the impact in time",
                    s->options->history);
    }
}

static bool nothing_happens(const solve *s)
{
    size_t size = crm_model_coordinates(s->scenario->model) * sizeof(double);
    for (size_t i = 0; i < s->scenario->law_count; i++) {
        const crm_outcome *outcome = s->entries[i].outcome;
        if (outcome == NULL || memcmp(outcome->velocity, s->scenario->velocity, size) != 0) {
            return false;
        }
    }
    return true;
}

/* The table has said so itself. */
static void report_near_contacts(const solve *s)
{
    char hint[512];
    crm_report report = crm_run_make_report(s->scenario, s->entries);
    bool table = s->options->format == CRM_FORMAT_TABLE;
    if (!table && !s->options->quiet && nothing_happens(s) &&
        crm_report_near_contact_hint(&report, hint, sizeof hint)) {
        crm_message(0, "nothing happens: %s", hint);
    }
}

static void clean_up(solve *s)
{
    crm_output_abandon(&s->output);
    crm_history_file_abandon(&s->history);
    crm_output_abandon(&s->page);
    crm_output_abandon(&s->figure);
    free(s->solver);
    crm_recording_free(&s->recording);
    for (size_t i = 0; s->runs != NULL && i < s->scenario->law_count; i++) {
        crm_outcome_free(s->runs[i].outcome);
    }
    free(s->runs);
    free(s->entries);
    crm_scenario_free(s->scenario);
}

/* What a run has reached that was interrupted, or ran out of memory, is printed, but replaces no
 * file.
 */
static bool is_for_files(const solve *s)
{
    const crm_options *o = s->options;
    return s->output.target != NULL || o->history != NULL || o->report != NULL || o->plot != NULL;
}

/* Samples in time, for pictures. */
static int make_recording(solve *s)
{
    const crm_options *o = s->options;
    bool figure = o->plot != NULL && crm_solve_figure_needs_frames(s->plot);
    if (o->report == NULL && !figure) {
        return CRM_EXIT_DONE;
    }
    int status = crm_recording_begin(&s->recording, s->scenario);
    return status == CRM_EXIT_DONE ? crm_recording_make(&s->recording, s->scenario, o, s->runs)
                                   : status;
}

static int run_and_write(solve *s)
{
    int status = run(s);
    if (status == CRM_EXIT_DONE || status == CRM_EXIT_NO_ANSWER) {
        int recorded = make_recording(s);
        if (recorded != CRM_EXIT_DONE) {
            return recorded;
        }
    }
    if (crm_interrupt_caught() && is_for_files(s)) {
        crm_message(0, "interrupted; files are unchanged");
        return crm_interrupt_status();
    }
    if (status == CRM_EXIT_MEMORY && is_for_files(s)) {
        report_failures(s);
        return crm_message_memory();
    }
    if (status == CRM_EXIT_SCENARIO || status == CRM_EXIT_WRITE) {
        return status;
    }
    int written = write_outputs(s);
    if (written != CRM_EXIT_DONE) {
        return written;
    }
    report_failures(s);
    report_empty_history(s);
    report_near_contacts(s);
    return crm_interrupt_caught() ? crm_interrupt_status() : status;
}

int crm_cli_solve(const crm_options *options)
{
    solve s = {.options = options};
    int status = prepare(&s);
    if (status == CRM_EXIT_DONE) {
        status = run_and_write(&s);
    }
    clean_up(&s);
    return status;
}
