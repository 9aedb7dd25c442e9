/* help and version: made from the tables of commands and options. */
#include "base/base.h"
#include "carom/carom.h"
#include "cli/cli.h"
#include "cli/plugin.h"
#include "inverse/design/search.h"
#include "report/figure/canvas.h"
#include "report/text/sheet.h"

static const crm_exit exits[] = {
    {CRM_EXIT_DONE, "done"},
    {CRM_EXIT_USAGE, "bad command line"},
    {CRM_EXIT_SCENARIO, "bad scenario"},
    {CRM_EXIT_NO_ANSWER, "some law gave no answer or did not terminate"},
    {CRM_EXIT_WRITE, "a file could not be written"},
    {CRM_EXIT_MEMORY, "out of memory"},
    {CRM_EXIT_INTERRUPTED, "interrupted"},
};

enum { EXITS = sizeof exits / sizeof exits[0] };

const crm_exit *crm_help_exit_at(size_t index)
{
    return index < EXITS ? &exits[index] : NULL;
}

static void print_exits(FILE *stream)
{
    char text[512] = "Exit status: ";
    for (size_t i = 0; i < EXITS; i++) {
        crm_text_append(text, sizeof text, "%s%d %s", i == 0 ? "" : ", ", exits[i].status,
                        exits[i].text);
    }
    crm_text_wrap(stream, crm_terminal_width(stream), text, 0, 0);
}

void crm_help_print(FILE *stream)
{
    int width = crm_terminal_width(stream);
    fprintf(stream,
            "carom %s: multiple impacts of rigid bodies, impact laws side by side\n\n"
            "usage: carom COMMAND [OPTION...] [FILE]\n\n",
            crm_version());
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        const crm_command *command = crm_command_at(i);
        char usage[64];
        snprintf(usage, sizeof usage, "%-11s %s", command->name, command->operands);
        crm_text_entry(stream, width, usage, 24, command->summary);
    }
    fputs("\n'carom help COMMAND' describes a command. A first impact:\n"
          "  carom examples newton_cradle -o cradle.yaml && carom solve cradle.yaml\n",
          stream);
    print_exits(stream);
}

void crm_help_print_command(FILE *stream, const crm_command *command)
{
    fprintf(stream, "usage: carom %s [OPTION...]%s%s\n\n", command->name,
            command->operands[0] != '\0' ? " " : "", command->operands);
    crm_text_wrap(stream, crm_terminal_width(stream), command->text, 0, 0);
    if (command->options != 0) {
        fputc('\n', stream);
        crm_options_describe(stream, command);
    }
}

int crm_cli_help(const crm_options *options)
{
    if (options->operand_count == 0) {
        crm_help_print(stdout);
        return CRM_EXIT_DONE;
    }
    const crm_command *command = crm_command_find(options->operands[0]);
    if (command == NULL) {
        return crm_message(CRM_EXIT_USAGE, "unknown command '%s'; 'carom help' lists them",
                           options->operands[0]);
    }
    crm_help_print_command(stdout, command);
    return CRM_EXIT_DONE;
}

/* Modules are optional when carom is built; which of them are here decides what it can write. */
int crm_cli_version(const crm_options *options)
{
    static const struct {
        const char *module, *purpose;
    } modules[] = {{CRM_CAIRO_MODULE, "figures (Cairo)"},
                   {CRM_HDF5_MODULE, "tables and histories as HDF5"},
                   {CRM_NLOPT_MODULE, "designs (NLopt)"},
                   {CRM_MPI_MODULE, "studies on several MPI ranks"}};
    (void)options;
    printf("carom %s\n", crm_version());
    for (size_t k = 0; k < sizeof modules / sizeof modules[0]; k++) {
        char problem[512];
        const void *table;
        int status = crm_plugin_load(modules[k].module, &table, problem, sizeof problem);
        if (status == CRM_EXIT_MEMORY) {
            return status;
        }
        printf("  %-30s %s%s\n", modules[k].purpose,
               status == CRM_EXIT_DONE ? "yes" : "no: ", status == CRM_EXIT_DONE ? "" : problem);
    }
    return CRM_EXIT_DONE;
}
