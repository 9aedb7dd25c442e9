#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

int crm_page_file_open(crm_page_file *file, const char *path, const crm_scenario *scenario)
{
    crm_error error = {0};
    *file = (crm_page_file){.scenario = scenario};
    int status = crm_output_open(&file->output, path);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    file->films = CRM_NEW(crm_film, scenario->law_count);
    if (file->films == NULL ||
        crm_extract_make(scenario->model, scenario->velocity, CRM_EXTRACT_MOST, &file->extract,
                         &error) != CRM_OK) {
        return crm_say_memory();
    }
    return CRM_EXIT_DONE;
}

/* ---- The course ----------------------------------------------------------------------------- */

/* Instants besides the steps of the law; of a large system those alone, since to gather a state
 * costs as much as a step.
 */
enum { INSTANTS = 400, LARGE = 20000 };

static crm_status add_sample(void *context, const crm_sample *sample)
{
    crm_film_add(context, sample);
    return CRM_OK;
}

static void record_law(crm_page_file *file, const crm_options *options, size_t law, double duration)
{
    const crm_model *model = file->scenario->model;
    crm_film *film = &file->films[law];
    crm_error error = {0};
    crm_run again = {0};
    if (crm_film_create(model, &file->extract, film, &error) != CRM_OK) {
        file->starved = true;
        return;
    }
    const crm_recorder recorder = {.context = film,
                                   .interval = duration / INSTANTS,
                                   .only_multiples = crm_model_contacts(model) > LARGE,
                                   .record = add_sample};
    crm_run_recorded(file->scenario, options, law, &recorder, &again);
    file->starved = again.status == CRM_ERROR_MEMORY;
    crm_outcome_free(again.outcome);
}

void crm_page_file_record(crm_page_file *file, const crm_options *options, const crm_run *runs)
{
    for (size_t i = 0; i < file->scenario->law_count && !crm_interrupted(); i++) {
        double duration = runs[i].outcome != NULL ? runs[i].outcome->duration : NAN;
        if (isfinite(duration) && duration > 0 && !file->starved) {
            record_law(file, options, i, duration);
        }
    }
}

/* ---- What was typed ------------------------------------------------------------------------- */

/* A word for a shell, within quotes where it needs them. */
static void write_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=.,/:+@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\''", stream);
        } else {
            fputc(*word, stream);
        }
    }
    fputc('\'', stream);
}

char *crm_command_text(const char *command, const crm_options *options)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) {
        return NULL;
    }
    fprintf(stream, "carom %s", command);
    for (size_t i = 0; i < options->operand_count; i++) {
        fputc(' ', stream);
        write_word(stream, options->operands[i]);
    }
    if (options->laws != NULL) {
        fputs(" --law ", stream);
        write_word(stream, options->laws);
    }
    for (size_t i = 0; i < options->set_count; i++) {
        fputs(" --set ", stream);
        write_word(stream, options->sets[i]);
    }
    if (fclose(stream) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static int write_page(crm_page_file *file, const crm_report *report, const crm_layout *layout,
                      const crm_page_source *source)
{
    crm_error error = {0};
    const crm_solve_page page = {
        .report = report, .layout = layout, .films = file->films, .source = *source};
    return crm_page_solve(&page, file->output.stream, &error) == CRM_OK ? CRM_EXIT_DONE
                                                                        : crm_say_memory();
}

int crm_page_file_commit(crm_page_file *file, const crm_options *options, const crm_report *of)
{
    if (file->starved) {
        return crm_say_memory();
    }
    crm_report report = *of;
    report.extract = &file->extract;
    crm_layout layout;
    crm_read_error error = {0};
    int status = crm_scenario_lay_out(file->scenario, file->extract.bodies,
                                      file->extract.body_count, &layout, &error) == CRM_OK
                     ? CRM_EXIT_DONE
                     : crm_say_read_error(CRM_EXIT_SCENARIO, &error);
    char *command = crm_command_text("solve", options);
    if (status == CRM_EXIT_DONE && command == NULL) {
        status = crm_say_memory();
    }
    if (status == CRM_EXIT_DONE) {
        bool standard = strcmp(options->operands[0], "-") == 0;
        const crm_page_source source = {.file = standard ? "" : options->operands[0],
                                        .scenario = file->scenario->text,
                                        .command = command};
        status = write_page(file, &report, &layout, &source);
    }
    free(command);
    crm_layout_free(&layout);
    return status == CRM_EXIT_DONE ? crm_output_commit(&file->output) : status;
}

void crm_page_file_abandon(crm_page_file *file)
{
    crm_output_abandon(&file->output);
    for (size_t i = 0; file->films != NULL && i < file->scenario->law_count; i++) {
        crm_film_free(&file->films[i]);
    }
    free(file->films);
    crm_extract_free(&file->extract);
    *file = (crm_page_file){0};
}
