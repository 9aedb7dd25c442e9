/* fields: what a scenario may say and what an outcome or a motion has, printed from their
 * descriptions.
 */
#include <string.h>

#include "base/base.h"
#include "cli/cli.h"
#include "field/motion.h"
#include "report/text/sheet.h"
#include "scenario/block/blocks.h"

static const char OUTCOME[] = "outcome",
                  OUTCOME_TEXT[] = "quantities of an impact, which studies can record";
static const char MOTION[] = "motion",
                  MOTION_TEXT[] = "quantities of a motion, which studies of motions can record";

static void list_blocks(void)
{
    int width = crm_terminal_width(stdout);
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        const crm_block *block = crm_block_at(i);
        crm_text_entry(stdout, width, block->name, 25, block->text);
    }
    fputc('\n', stdout);
    crm_text_entry(stdout, width, OUTCOME, 25, OUTCOME_TEXT);
    crm_text_entry(stdout, width, MOTION, 25, MOTION_TEXT);
    fputc('\n', stdout);
    crm_text_wrap(
        stdout, width,
        "'carom fields BLOCK' describes a block: the type, default and meaning of each field.", 0,
        0);
}

/* ---- One block ------------------------------------------------------------------------------ */

/* "a number, from 1e-60 to 1e60, in kg", "one of none, left and right" */
void crm_fields_add_type(const crm_field *field, char *text, size_t size)
{
    const char *kind = crm_block_kind_text(field->kind);
    bool phrase = field->kind == CRM_KIND_COUNT || field->kind == CRM_KIND_TEXT ||
                  field->kind == CRM_KIND_WORD || field->kind == CRM_KIND_MAPPING ||
                  field->kind == CRM_KIND_LISTED;
    crm_text_append(text, size, "%s", kind);
    if (field->allowed != NULL) {
        crm_text_append(text, size, "%s%s",
                        kind[0] == '\0' ? ""
                        : phrase        ? " "
                                        : ", ",
                        field->allowed);
    }
    if (field->unit != NULL) {
        crm_text_append(text, size, ", in %s", field->unit);
    }
}

/* The type of a field, and below it the meaning: scripts distinguish them by their indentation. */
static void print_both(const char *taken, const char *text)
{
    int width = crm_terminal_width(stdout);
    fputs("  ", stdout);
    crm_text_wrap(stdout, width, taken, 2, 10);
    fputs("      ", stdout);
    crm_text_wrap(stdout, width, text, 6, 6);
}

static void print_heading(const char *name, const char *text)
{
    printf("%s: ", name);
    crm_text_wrap(stdout, crm_terminal_width(stdout), text, (int)strlen(name) + 2, 2);
    puts("\nfields");
}

static void print_block(const crm_block *block)
{
    print_heading(block->name, block->text);
    for (size_t i = 0; i < block->count; i++) {
        const crm_field *field = &block->fields[i];
        char taken[512];
        snprintf(taken, sizeof taken, "%s: ", field->name);
        crm_fields_add_type(field, taken, sizeof taken);
        crm_text_append(taken, sizeof taken,
                        field->standard != NULL ? "; default: %s" : "; required%s",
                        field->standard != NULL ? field->standard : "");
        print_both(taken, field->text);
    }
}

/* ---- What comes out ------------------------------------------------------------------------- */

static void print_field(const char *name, const char *index, crm_field_kind kind, const char *unit,
                        const char *text)
{
    static const char *const kinds[] = {[CRM_FIELD_NUMBER] = "a number",
                                        [CRM_FIELD_COUNT] = "a whole number",
                                        [CRM_FIELD_FLAG] = "1 or 0",
                                        [CRM_FIELD_PATH] = "a whole number"};
    char taken[128];
    snprintf(taken, sizeof taken, "%s%s: %s%s%s", name, index, kinds[kind],
             unit != NULL ? ", in " : "", unit != NULL ? unit : "");
    print_both(taken, text);
}

static void print_outcome(void)
{
    static const char *const indices[] = {[CRM_OF_IMPACT] = "",
                                          [CRM_OF_COORDINATE] = "[i]",
                                          [CRM_OF_CONTACT] = "[j]",
                                          [CRM_OF_BODY] = "[i]",
                                          [CRM_OF_TANGENT] = "[j]"};
    print_heading(OUTCOME, OUTCOME_TEXT);
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        print_field(field->name, indices[field->of], field->kind, field->unit, field->text);
    }
}

static void print_motion(void)
{
    print_heading(MOTION, MOTION_TEXT);
    for (size_t i = 0; i < crm_motion_fields(); i++) {
        const crm_motion_field *field = crm_motion_field_at(i);
        print_field(field->name, field->of == CRM_OF_MOTION ? "" : "[i]", field->kind, field->unit,
                    field->text);
    }
}

/* ---- Which ---------------------------------------------------------------------------------- */

/* What the name has before "[]", ".NAME" or ".PATH" will do. */
static bool is_called(const crm_block *block, const char *text)
{
    size_t length = strlen(text);
    return strncmp(block->name, text, length) == 0 &&
           (block->name[length] == '\0' || strcmp(block->name + length, "[]") == 0 ||
            strcmp(block->name + length, ".NAME") == 0 ||
            strcmp(block->name + length, ".PATH") == 0);
}

int crm_cli_fields(const crm_options *options)
{
    if (options->operand_count == 0) {
        list_blocks();
        return CRM_EXIT_DONE;
    }
    if (strcmp(options->operands[0], OUTCOME) == 0) {
        print_outcome();
        return CRM_EXIT_DONE;
    }
    if (strcmp(options->operands[0], MOTION) == 0) {
        print_motion();
        return CRM_EXIT_DONE;
    }
    const char *names[CRM_BLOCKS + 2] = {[CRM_BLOCKS] = OUTCOME, [CRM_BLOCKS + 1] = MOTION};
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        names[i] = crm_block_at(i)->name;
        if (is_called(crm_block_at(i), options->operands[0])) {
            print_block(crm_block_at(i));
            return CRM_EXIT_DONE;
        }
    }
    return crm_message_unknown("unknown block", options->operands[0], names, CRM_BLOCKS + 2,
                               "carom fields");
}
