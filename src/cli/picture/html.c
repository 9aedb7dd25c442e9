#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/picture/picture.h"
#include "report/page/solve/solve_page.h"

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

char *crm_picture_command_line(const char *command, const crm_options *options)
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

crm_page_source crm_picture_source(const crm_options *options, const char *scenario,
                                   const char *command, const char *solver)
{
    bool standard = strcmp(options->operands[0], "-") == 0;
    return (crm_page_source){.file = standard ? "" : options->operands[0],
                             .scenario = scenario,
                             .command = command,
                             .solver = solver,
                             .laws = options->laws,
                             .sets = options->sets,
                             .set_count = options->set_count};
}

/* ---- Writing -------------------------------------------------------------------------------- */

static int write_page(crm_output *output, const crm_report *report, const crm_layout *layout,
                      crm_frames *frames, const crm_page_source *source)
{
    crm_error error = {0};
    const crm_solve_page page = {
        .report = report, .layout = layout, .frames = frames, .source = *source};
    return crm_solve_page_write(&page, output->stream, &error) == CRM_OK ? CRM_EXIT_DONE
                                                                         : crm_message_memory();
}

int crm_picture_write_page(crm_output *output, const crm_options *options,
                           const crm_scenario *scenario, const char *solver, const crm_report *of,
                           crm_recording *recording)
{
    crm_report report = *of;
    report.subset = &recording->subset;
    crm_layout layout;
    crm_read_error error = {0};
    int status = crm_layout_make(scenario, recording->subset.bodies, recording->subset.body_count,
                                 &layout, &error) == CRM_OK
                     ? CRM_EXIT_DONE
                     : crm_message_read_error(CRM_EXIT_SCENARIO, &error);
    char *command = crm_picture_command_line("solve", options);
    if (status == CRM_EXIT_DONE && command == NULL) {
        status = crm_message_memory();
    }
    if (status == CRM_EXIT_DONE) {
        const crm_page_source source = crm_picture_source(options, scenario->text, command, solver);
        status = write_page(output, &report, &layout, recording->frames, &source);
    }
    free(command);
    crm_layout_free(&layout);
    return status == CRM_EXIT_DONE ? crm_output_commit(output) : status;
}
