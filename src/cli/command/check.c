/* check: how a scenario was read, and whether the commands it is for would accept it. */
#include <stdlib.h>

#include "base/base.h"
#include "base/locale.h"
#include "cli/cli.h"
#include "cli/command/run.h"
#include "cli/inverse/check.h"
#include "cli/limits.h"
#include "report/text/sheet.h"
#include "solve/call.h"
#include "study/study.h"

typedef struct check {
    const crm_options *options;
    char *text;
    size_t length;
    crm_tree *tree;         /* what the scenarios are read from, and do not free */
    crm_scenario *scenario; /* NULL: it is for motions only */
    crm_scenario *moving;   /* NULL: it has no `simulate` */
    crm_study *study;       /* NULL: it has no `sweep` */
    crm_inverse_blocks inverse;
    crm_report_entry *entries;
    crm_error *problems; /* of each law; without a message: it accepts the system */
    int laws;            /* exit status by them */
    crm_output output;
} check;

static int report_error(const crm_read_error *error)
{
    return crm_message_read_error(CRM_EXIT_SCENARIO, error);
}

static const char *source_of(const check *c)
{
    const char *path = c->options->operands[0];
    return path[0] == '-' && path[1] == '\0' ? "standard input" : path;
}

static int read_tree(check *c)
{
    crm_read_error error = {0};
    crm_yaml_limits limits = crm_limits_for_scenario();
    crm_status status = crm_file_read(c->options->operands[0], &c->text, &c->length, &error);
    if (status == CRM_OK) {
        status = crm_yaml_parse(c->text, c->length, source_of(c), &limits, &c->tree, &error);
    }
    for (size_t i = 0; i < c->options->set_count && status == CRM_OK; i++) {
        status = crm_yaml_set(c->tree, c->options->sets[i], &error);
    }
    return status == CRM_OK ? CRM_EXIT_DONE : report_error(&error);
}

/* ---- As carom simulate ---------------------------------------------------------------------- */

static int begin_motion(const crm_scenario *moving)
{
    crm_error error = {0};
    crm_read_error where = {0};
    crm_motion *motion = NULL;
    const crm_scenario_law *law = crm_scenario_motion_law(moving);
    crm_status status = crm_scenario_begin_motion(moving, law, &motion, &error);
    crm_motion_free(motion);
    if (status == CRM_OK) {
        return CRM_EXIT_DONE;
    }
    crm_scenario_fail_motion(moving, law, &error, &where);
    return report_error(&where);
}

/* The tree is lent to it, for the impact to be read from, too. */
static int read_motion(check *c)
{
    crm_read_error error = {0};
    if (crm_yaml_find(c->tree->root, "simulate") == NULL) {
        return CRM_EXIT_DONE;
    }
    if (crm_scenario_motion_from_tree(c->tree, &c->moving, &error) != CRM_OK) {
        return report_error(&error);
    }
    return begin_motion(c->moving);
}

static void print_motion(const check *c)
{
    if (c->moving != NULL) {
        const crm_scenario_motion *m = c->moving->motion;
        bool steps = m->options.scheme == CRM_TIME_STEPPING;
        char text[256];
        crm_snprintf(
            text, sizeof text, "simulate: %g s of %zu %s, %s, impacts by %s", m->duration,
            m->scene.bodies.body_count, m->scene.bodies.body_count == 1 ? "body" : "bodies",
            steps ? "time-stepping" : "event-driven", crm_scenario_motion_law(c->moving)->label);
        fputc('\n', c->output.stream);
        crm_text_wrap(c->output.stream, crm_style_of_output(&c->output).width, text, 0, 2);
    }
}

/* ---- As carom solve ------------------------------------------------------------------------- */

/* What only motions have (strings, say) is not an error in a scenario for motions. */
static int read_impact(check *c)
{
    crm_read_error error = {0};
    crm_status status = crm_scenario_from_tree(c->tree, &c->scenario, &error);
    if (status == CRM_OK) {
        return CRM_EXIT_DONE;
    }
    return c->moving != NULL && status != CRM_ERROR_MEMORY ? CRM_EXIT_DONE : report_error(&error);
}

static int choose_laws(check *c)
{
    crm_read_error error = {0};
    if (c->options->laws == NULL || c->scenario == NULL ||
        crm_scenario_choose_laws(c->scenario, c->options->laws, &error) == CRM_OK) {
        return CRM_EXIT_DONE;
    }
    return error.status == CRM_ERROR_MEMORY ? crm_message_memory()
                                            : crm_message(CRM_EXIT_USAGE, "%s", error.text);
}

static bool never(void *context, const crm_watch_report *progress)
{
    (void)context, (void)progress;
    return false;
}

/* Each law is called, and stopped as soon as it has accepted its options. As with solve, those that
 * do not fit are reported, and the others go on; if there are none, the scenario is at fault.
 */
static int try_laws(check *c)
{
    size_t mistakes = 0, laws = c->scenario != NULL ? c->scenario->law_count : 0;
    c->problems = CRM_NEW(crm_error, laws);
    if (c->problems == NULL) {
        return crm_message_memory();
    }
    const crm_watch watch = {.every = 1e-9, .bytes = crm_limits_memory(), .go_on = never};
    for (size_t i = 0; i < laws; i++) {
        crm_error error = {0};
        crm_read_error where = {0};
        crm_outcome *outcome = NULL;
        crm_status status = crm_solve_on(1, &watch, c->scenario->model, c->scenario->velocity,
                                         c->scenario->laws[i].settings, NULL, &outcome, &error);
        crm_outcome_free(outcome);
        if (status == CRM_ERROR_MEMORY) {
            return crm_message_memory();
        }
        if (crm_run_is_mistake(status)) {
            crm_scenario_fail_law(c->scenario, i, &error, &where);
            report_error(&where);
            c->problems[i] = error;
            mistakes++;
        }
    }
    c->laws = mistakes > 0 ? CRM_EXIT_NO_ANSWER : CRM_EXIT_DONE;
    return mistakes > 0 && mistakes == laws ? CRM_EXIT_SCENARIO : CRM_EXIT_DONE;
}

/* ---- As carom sweep, sensitivity, fit and design --------------------------------------------- */

static int read_study(check *c)
{
    crm_read_error error = {0};
    crm_yaml_limits limits = crm_limits_for_scenario();
    const crm_study_def def = {.text = c->text,
                               .length = c->length,
                               .source = source_of(c),
                               .overrides = c->options->sets,
                               .override_count = c->options->set_count,
                               .laws = c->options->laws,
                               .limits = &limits};
    crm_status status = CRM_OK;
    if (crm_yaml_find(c->tree->root, "sweep") != NULL) {
        status = crm_study_read(&def, &c->study, &error);
    }
    if (status == CRM_OK) {
        status = crm_check_read(&c->inverse, &def, c->tree, &error);
    }
    return status == CRM_OK ? CRM_EXIT_DONE : report_error(&error);
}

static void print_list(const check *c, const char *what, size_t count,
                       const char *(*name)(const crm_study *study, size_t index))
{
    char text[2048] = "";
    for (size_t i = 0; i < count; i++) {
        crm_text_append(text, sizeof text, "%s%s", i > 0 ? ", " : "", name(c->study, i));
    }
    crm_text_entry(c->output.stream, crm_style_of_output(&c->output).width, what, 9, text);
}

static void print_study(const check *c)
{
    if (c->study == NULL) {
        return;
    }
    FILE *stream = c->output.stream;
    fprintf(stream, "\nsweep: %zu points by %zu %s\n", crm_study_points(c->study),
            crm_study_laws(c->study), crm_study_laws(c->study) == 1 ? "law" : "laws");
    print_list(c, "over", crm_study_fields(c->study), crm_study_field);
    print_list(c, "record", crm_study_quantities(c->study), crm_study_quantity);
}

/* ---- The whole ------------------------------------------------------------------------------ */

static int read_all(check *c)
{
    int status = read_tree(c);
    if (status == CRM_EXIT_DONE) {
        status = read_study(c);
    }
    if (status == CRM_EXIT_DONE) {
        status = read_motion(c);
    }
    if (status == CRM_EXIT_DONE) {
        status = read_impact(c);
    }
    if (status == CRM_EXIT_DONE) {
        status = choose_laws(c);
    }
    return status == CRM_EXIT_DONE ? try_laws(c) : status;
}

static int print_model(check *c)
{
    crm_error error = {0};
    if (c->scenario == NULL) {
        return CRM_EXIT_DONE;
    }
    int status = crm_run_make_entries(c->scenario, &c->entries);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    for (size_t i = 0; i < c->scenario->law_count; i++) {
        c->entries[i].reason = c->problems[i].message;
    }
    crm_report report = crm_run_make_report(c->scenario, c->entries);
    crm_style style = crm_style_of_output(&c->output);
    style.rows = c->options->rows;
    bool json = c->options->format == CRM_FORMAT_JSON;
    return (json ? crm_report_model_json(&report, c->output.stream, &error)
                 : crm_report_model(&report, style, c->output.stream, &error)) == CRM_OK
               ? CRM_EXIT_DONE
               : crm_message_error(CRM_EXIT_NO_ANSWER, &error);
}

static int write(check *c)
{
    int status = crm_output_open(&c->output, c->options->output);
    if (status == CRM_EXIT_DONE) {
        status = print_model(c);
    }
    if (status == CRM_EXIT_DONE && c->options->format != CRM_FORMAT_JSON) {
        print_motion(c);
        print_study(c);
        crm_check_print(&c->inverse, crm_style_of_output(&c->output).width, c->output.stream);
    }
    status = status == CRM_EXIT_DONE ? crm_output_commit(&c->output) : status;
    crm_output_abandon(&c->output);
    return status;
}

static void clean_up(check *c)
{
    crm_tree *tree = c->tree;
    free(c->entries);
    free(c->problems);
    if (c->scenario != NULL) {
        c->scenario->tree = NULL;
    }
    if (c->moving != NULL) {
        c->moving->tree = NULL;
    }
    crm_scenario_free(c->scenario);
    crm_scenario_free(c->moving);
    crm_study_free(c->study);
    crm_check_free(&c->inverse);
    crm_tree_free(tree);
    free(c->text);
}

int crm_cli_check(const crm_options *options)
{
    check c = {.options = options};
    if (options->format == CRM_FORMAT_CSV) {
        return crm_message(CRM_EXIT_USAGE, "check: --format must be table or json");
    }
    int status = read_all(&c);
    if (status == CRM_EXIT_DONE) {
        status = write(&c);
    }
    clean_up(&c);
    return status == CRM_EXIT_DONE ? c.laws : status;
}
