/* The legend of the table: labels that are not names of laws, the dispersion, the unit K=1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "law/law.h"
#include "report/table/table.h"

enum { NAME_COLUMN = 19, TEXT_SIZE = 512 };

typedef struct legend {
    const crm_table *table;
    bool started;
} legend;

static void print_term(legend *l, const char *name, const char *text)
{
    const crm_table *t = l->table;
    if (!l->started) {
        fputc('\n', t->sheet.stream);
        crm_sheet_text(&t->sheet, CRM_TONE_STRONG, "legend");
        fputc('\n', t->sheet.stream);
    }
    l->started = true;
    crm_text_entry(t->sheet.stream, t->style.width, name, NAME_COLUMN, text);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static const char *choice_of(const crm_parameter *p, const crm_settings *settings, size_t option,
                             int *length)
{
    const char *word = p->choices;
    for (size_t k = crm_settings_choice(settings, option); k > 0; k--) {
        word += strcspn(word, "|") + 1;
    }
    *length = (int)strcspn(word, "|");
    return word;
}

/* Whether laws of the same name are shown with different choices of an option, or a label is one.
 */
static bool is_compared(const crm_report *report, const crm_law *law, size_t option)
{
    size_t choices[2] = {0, 0}, count = 0;
    bool compared = false;
    for (size_t i = 0; i < report->count; i++) {
        const crm_report_entry *entry = &report->entries[i];
        int length;
        if (entry->law == law && entry->settings != NULL) {
            const char *word =
                choice_of(&law->parameters[option], entry->settings, option, &length);
            bool is_label =
                strncmp(entry->label, word, (size_t)length) == 0 && entry->label[length] == '\0';
            choices[count > 0] = crm_settings_choice(entry->settings, option);
            compared = compared || is_label || (count > 0 && choices[1] != choices[0]);
            count++;
        }
    }
    return compared;
}

/* "bi: lzb with stiffness_model bi" */
static void print_label(legend *l, const crm_report_entry *entry)
{
    const crm_law *law = entry->law;
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s", law->name);
    for (size_t k = 0; entry->settings != NULL && k < law->parameter_count; k++) {
        const crm_parameter *p = &law->parameters[k];
        const char *joint = strstr(text, " with ") == NULL ? " with" : ",";
        double number = NAN;
        int length;
        if (p->kind == CRM_PARAMETER_CHOICE) {
            const char *word = choice_of(p, entry->settings, k, &length);
            if (crm_settings_choice(entry->settings, k) > 0 ||
                is_compared(l->table->report, law, k)) {
                crm_text_append(text, sizeof text, "%s %s %.*s", joint, p->name, length, word);
            }
        } else if (p->kind != CRM_PARAMETER_LIST && p->kind != CRM_PARAMETER_MATRIX) {
            number = crm_settings_number(entry->settings, k);
        }
        if (!isnan(number) && number != p->standard) {
            crm_text_append(text, sizeof text, "%s %s %.6g", joint, p->name, number);
        }
    }
    print_term(l, entry->label, text);
}

/* The meaning of such choices, once for all entries of a law: at the first of them. */
static void print_choices(legend *l, size_t entry)
{
    const crm_report *report = l->table->report;
    const crm_law *law = report->entries[entry].law;
    for (size_t i = 0; i < entry; i++) {
        if (report->entries[i].law == law) {
            return;
        }
    }
    for (size_t k = 0; k < law->parameter_count; k++) {
        if (law->parameters[k].kind == CRM_PARAMETER_CHOICE && is_compared(report, law, k)) {
            print_term(l, law->parameters[k].name, law->parameters[k].text);
        }
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool any_duration(const crm_report *report)
{
    bool any = false;
    for (size_t i = 0; i < report->count && !any; i++) {
        any = report->entries[i].outcome != NULL && !isnan(report->entries[i].outcome->duration);
    }
    return any;
}

void crm_table_legend(const crm_table *t)
{
    static const char DISPERSION[] = "dispersion";
    const crm_report *report = t->report;
    legend l = {.table = t};
    for (size_t i = 0; i < report->count; i++) {
        if (strcmp(report->entries[i].label, report->entries[i].law->name) != 0) {
            print_label(&l, &report->entries[i]);
        }
    }
    for (size_t i = 0; i < report->count; i++) {
        print_choices(&l, i);
    }
    const crm_outcome_field *dispersion = crm_field_find(DISPERSION, strlen(DISPERSION));
    if (crm_table_has_column(t, dispersion)) {
        print_term(&l, DISPERSION, dispersion->text);
    }
    if (any_duration(report) &&
        strcmp(crm_field_unit(report->model, "N"), crm_field_unit_relative) == 0) {
        print_term(&l, crm_field_unit_relative,
                   "times and forces are those of contacts whose stiffness is 1, as none is given");
    }
}
