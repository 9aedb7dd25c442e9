/* laws: printed from the laws' own descriptors. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "carom/carom.h"
#include "cli/cli.h"
#include "report/text/sheet.h"

static void list_laws(void)
{
    int width = crm_terminal_width(stdout);
    for (size_t i = 0; i < crm_law_count(); i++) {
        const crm_law *law = crm_law_at(i);
        crm_text_entry(stdout, width, law->name, 23, law->summary);
    }
    puts("\n'carom laws NAME' describes a law: equation, assumptions, parameters, reference.");
}

static void print_paragraph(const char *heading, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        printf("\n%s\n  ", heading);
        crm_text_wrap(stdout, crm_terminal_width(stdout), text, 2, 2);
    }
}

/* A line after the other, as they stand: an equation is not wrapped. */
static void print_equation(const char *text)
{
    if (text == NULL) {
        return;
    }
    puts("\nequation");
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        printf("  %.*s\n", (int)length, text);
    }
}

static void add_allowed(const crm_parameter *p, char *text, size_t size)
{
    const char *noun = p->kind == CRM_PARAMETER_INTEGER  ? "a whole number"
                       : p->kind == CRM_PARAMETER_LIST   ? "numbers, one per contact"
                       : p->kind == CRM_PARAMETER_MATRIX ? "numbers, a row and a column per contact"
                       : p->each                         ? "a number, or one per contact,"
                                                         : "a number";
    if (p->kind == CRM_PARAMETER_CHOICE) {
        crm_text_append(text, size, "one of %s", p->choices);
        return;
    }
    bool each = p->kind == CRM_PARAMETER_LIST || p->kind == CRM_PARAMETER_MATRIX;
    bool limited = isfinite(p->least) || isfinite(p->most);
    crm_text_append(text, size, "%s%s", noun, each && limited ? ", each" : "");
    if (isfinite(p->least) && isfinite(p->most) && !p->open_least) {
        crm_text_append(text, size, " between %g and %g", p->least, p->most);
        return;
    }
    if (isfinite(p->least)) {
        crm_text_append(text, size, " %s %g", p->open_least ? "above" : "of at least", p->least);
    }
    if (isfinite(p->most)) {
        crm_text_append(text, size, "%s at most %g", isfinite(p->least) ? " and" : " of", p->most);
    }
}

static void add_default(const crm_parameter *p, char *text, size_t size)
{
    if (p->standard_text != NULL) {
        crm_text_append(text, size, "; default: %s", p->standard_text);
    } else if (p->kind == CRM_PARAMETER_CHOICE) {
        crm_text_append(text, size, "; default: %.*s", (int)strcspn(p->choices, "|"), p->choices);
    } else if (isnan(p->standard)) {
        crm_text_append(text, size, "; optional");
    } else if (p->kind == CRM_PARAMETER_NUMBER || p->kind == CRM_PARAMETER_INTEGER) {
        crm_text_append(text, size, "; default: %g", p->standard);
    }
}

static void print_parameters(const crm_law *law)
{
    int width = crm_terminal_width(stdout);
    puts("\nparameters");
    if (law->parameter_count == 0) {
        puts("  none");
    }
    for (size_t i = 0; i < law->parameter_count; i++) {
        const crm_parameter *p = &law->parameters[i];
        char taken[512];
        snprintf(taken, sizeof taken, "%s: ", p->name);
        add_allowed(p, taken, sizeof taken);
        add_default(p, taken, sizeof taken);
        fputs("  ", stdout);
        crm_text_wrap(stdout, width, taken, 2, 10);
        fputs("      ", stdout);
        crm_text_wrap(stdout, width, p->text, 6, 6);
    }
}

int crm_cli_laws(const crm_options *options)
{
    if (options->operand_count == 0) {
        list_laws();
        return CRM_EXIT_DONE;
    }
    const char *name = options->operands[0];
    const crm_law *law = crm_law_find(name);
    if (law == NULL) {
        const char *nearest = crm_law_nearest(name);
        return crm_message_unknown("unknown law", name, &nearest, 1, "carom laws");
    }
    printf("%s: ", law->name);
    crm_text_wrap(stdout, crm_terminal_width(stdout), law->summary, (int)strlen(law->name) + 2, 2);
    print_paragraph("description", law->description);
    print_equation(law->equation);
    print_paragraph("assumptions", law->assumptions);
    print_paragraph("restitution", law->restitution);
    print_parameters(law);
    print_paragraph("reference", law->reference);
    return CRM_EXIT_DONE;
}
