/* The end of the table: whether the answers keep to mechanics, and what the laws say of them. */
#include <stddef.h>

#include "report/table.h"

static bool flag_of(const crm_outcome *outcome, size_t offset)
{
    return *(const bool *)((const char *)outcome + offset);
}

static void print_verdict(const crm_table *t, const char *name, size_t offset)
{
    crm_sheet_name(&t->sheet, name);
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, "");
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_outcome *outcome = t->report->entries[i].outcome;
        bool holds = outcome != NULL && flag_of(outcome, offset);
        crm_sheet_cell(&t->sheet, outcome == NULL || holds ? CRM_TONE_PLAIN : CRM_TONE_BAD,
                       outcome == NULL ? "-"
                       : holds         ? "yes"
                                       : "NO");
    }
    crm_sheet_end_row(&t->sheet);
}

static void print_status(const crm_table *t)
{
    crm_sheet_name(&t->sheet, "solved");
    crm_sheet_cell(&t->sheet, CRM_TONE_PLAIN, "");
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_report_entry *entry = &t->report->entries[i];
        bool solved = entry->outcome != NULL && entry->outcome->result == CRM_SOLVED;
        crm_sheet_cell(&t->sheet, solved ? CRM_TONE_PLAIN : CRM_TONE_BAD, solved ? "yes" : "NO");
    }
    crm_sheet_end_row(&t->sheet);
}

typedef struct verdict {
    const char *name;
    size_t offset; /* of the flag in an outcome */
} verdict;

static const verdict verdicts[] = {
    {"no contact still closes", offsetof(crm_outcome, kinematic)},
    {"no contact pulls", offsetof(crm_outcome, kinetic)},
    {"no energy from nowhere", offsetof(crm_outcome, energetic)},
    {"one answer only", offsetof(crm_outcome, unique)},
};

enum { VERDICTS = sizeof verdicts / sizeof verdicts[0] };

static bool all_hold(const crm_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const crm_outcome *outcome = report->entries[i].outcome;
        if (outcome == NULL || outcome->result != CRM_SOLVED) {
            return false;
        }
        for (size_t k = 0; k < VERDICTS; k++) {
            if (!flag_of(outcome, verdicts[k].offset)) {
                return false;
            }
        }
    }
    return true;
}

/* When all is well one line says so; a table is for what is not. */
void crm_table_verdicts(const crm_table *t)
{
    if (all_hold(t->report)) {
        fputc('\n', t->sheet.stream);
        crm_sheet_text(&t->sheet, CRM_TONE_STRONG, "checks: ");
        fputs("solved", t->sheet.stream);
        for (size_t k = 0; k < VERDICTS; k++) {
            fprintf(t->sheet.stream, ", %s", verdicts[k].name);
        }
        fputc('\n', t->sheet.stream);
        return;
    }
    crm_sheet_heading(&t->sheet, "checks");
    print_status(t);
    for (size_t k = 0; k < VERDICTS; k++) {
        print_verdict(t, verdicts[k].name, verdicts[k].offset);
    }
}

static void print_remark(const crm_table *t, crm_tone tone, const char *label, const char *text)
{
    crm_sheet_text(&t->sheet, tone, label);
    fputs(": ", t->sheet.stream);
    crm_text_wrap(t->sheet.stream, text, crm_text_width(label) + 2, 4);
}

void crm_table_remarks(const crm_table *t)
{
    FILE *stream = t->sheet.stream;
    bool begun = false;
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_report_entry *entry = &t->report->entries[i];
        const char *note = entry->outcome != NULL ? entry->outcome->note : "";
        if (!begun && (crm_entry_reason(entry)[0] != '\0' || note[0] != '\0')) {
            fputc('\n', stream);
            begun = true;
        }
        if (crm_entry_reason(entry)[0] != '\0') {
            print_remark(t, CRM_TONE_BAD, entry->label, crm_entry_reason(entry));
        }
        if (note[0] != '\0') {
            print_remark(t, CRM_TONE_STRONG, entry->label, note);
        }
    }
}
