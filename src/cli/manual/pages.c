/* Pages in the language of man(7). */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "carom/carom.h"
#include "cli/manual/manual.h"
#include "scenario/block/blocks.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Roff ----------------------------------------------------------------------------------- */

/* A line of text: nothing in it is an instruction, and a dash is one that can be typed. */
static void print_text(FILE *stream, const char *text)
{
    if (text[0] == '.' || text[0] == '\'') {
        fputs("\\&", stream);
    }
    for (; *text != '\0'; text++) {
        if (*text == '\\') {
            fputs("\\e", stream);
        } else if (*text == '-') {
            fputs("\\-", stream);
        } else {
            fputc(*text, stream);
        }
    }
    fputc('\n', stream);
}

static void print_heading(FILE *stream, const char *heading)
{
    fprintf(stream, ".SH %s\n", heading);
}

static void print_title(FILE *stream, const char *name, const char *section, const char *summary)
{
    fputs(".TH ", stream);
    for (const char *c = name; *c != '\0'; c++) {
        fputc(crm_toupper(*c), stream);
    }
    fprintf(stream, " %s \"\" \"carom %s\" \"carom\"\n", section, crm_version());
    print_heading(stream, "NAME");
    fprintf(stream, "%s \\- ", name);
    print_text(stream, summary);
}

/* A tag in bold and what it stands for. */
static void print_item(FILE *stream, const char *tag, const char *text)
{
    fputs(".TP\n.B ", stream);
    print_text(stream, tag);
    print_text(stream, text);
}

static void print_reference(FILE *stream, const char *const *pages, size_t count)
{
    print_heading(stream, "SEE ALSO");
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, ".BR %.*s (%s)%s\n", (int)(strlen(pages[i]) - 2), pages[i],
                pages[i] + strlen(pages[i]) - 1, i + 1 < count ? "," : "");
    }
}

/* ---- The program ---------------------------------------------------------------------------- */

static void print_statuses(FILE *stream)
{
    print_heading(stream, "EXIT STATUS");
    for (size_t i = 0; crm_help_exit_at(i) != NULL; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", crm_help_exit_at(i)->status);
        print_item(stream, number, crm_help_exit_at(i)->text);
    }
}

void crm_manual_print_program(FILE *stream)
{
    static const char *const pages[] = {"carom-solve.1", "carom-simulate.1", "carom-sweep.1",
                                        "carom-scenario.5"};
    print_title(stream, "carom", "1", "multiple impacts of rigid bodies, impact laws side by side");
    print_heading(stream, "SYNOPSIS");
    fputs(".B carom\n.I COMMAND\n.RI [ OPTION ...]\n.RI [ FILE ]\n", stream);
    print_heading(stream, "DESCRIPTION");
    print_text(stream, "Computes the outcome of an impact on several frictionless rigid bodies "
                       "that touch each other, by ten impact laws.");
    print_heading(stream, "COMMANDS");
    for (size_t i = 0; crm_command_at(i) != NULL; i++) {
        const crm_command *command = crm_command_at(i);
        char tag[64];
        snprintf(tag, sizeof tag, "%s %s", command->name, command->operands);
        print_item(stream, tag, command->summary);
    }
    print_heading(stream, "EXAMPLES");
    fputs(".nf\ncarom examples newton_cradle \\-o cradle.yaml\ncarom solve cradle.yaml\n.fi\n",
          stream);
    print_statuses(stream);
    print_reference(stream, pages, COUNT(pages));
}

/* ---- A command ------------------------------------------------------------------------------ */

static void print_options(FILE *stream, const crm_command *command)
{
    print_heading(stream, "OPTIONS");
    for (size_t i = 0; i < CRM_OPTION_COUNT; i++) {
        if (crm_option_applies(command, i)) {
            char tag[CRM_OPTION_TAG];
            crm_option_tag(crm_option_at(i), "", tag, sizeof tag);
            print_item(stream, tag, crm_option_at(i)->text);
        }
    }
}

void crm_manual_print_command(FILE *stream, const crm_command *command)
{
    static const char *const pages[] = {"carom.1", "carom-scenario.5"};
    char name[64];
    snprintf(name, sizeof name, "carom-%s", command->name);
    print_title(stream, name, "1", command->summary);
    print_heading(stream, "SYNOPSIS");
    fprintf(stream, ".B carom %s\n.RI [ OPTION ...]\n", command->name);
    if (command->operands[0] != '\0') {
        print_text(stream, command->operands);
    }
    print_heading(stream, "DESCRIPTION");
    print_text(stream, command->text);
    print_options(stream, command);
    print_statuses(stream);
    print_reference(stream, pages, COUNT(pages));
}

/* ---- The scenario --------------------------------------------------------------------------- */

static void print_field(FILE *stream, const crm_field *field)
{
    char text[2048] = "";
    crm_fields_add_type(field, text, sizeof text);
    crm_text_append(text, sizeof text, "; %s%s. %s.",
                    field->standard != NULL ? "default: " : "required",
                    field->standard != NULL ? field->standard : "", field->text);
    print_item(stream, field->name, text);
}

void crm_manual_print_scenario(FILE *stream)
{
    static const char *const pages[] = {"carom.1", "carom-fields.1", "carom-check.1"};
    print_title(stream, "carom-scenario", "5", "format of the scenario files of carom");
    print_heading(stream, "DESCRIPTION");
    print_text(stream,
               "A scenario is a YAML or JSON file that describes bodies, their contacts and "
               "velocities, and the laws to use. Its blocks and fields are listed below. Numbers "
               "may be expressions and carry a unit: 2*sqrt(3), 3 deg, 1 cm.");
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        const crm_block *block = crm_block_at(i);
        fputs(".SH \"", stream);
        fprintf(stream, "%s\"\n", block->name);
        print_text(stream, block->text);
        for (size_t k = 0; k < block->count; k++) {
            print_field(stream, &block->fields[k]);
        }
    }
    print_reference(stream, pages, COUNT(pages));
}
