/* The end of the table: whether the answers keep to mechanics, and what the laws say of them. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/table.h"

static const char ALL_HOLD[] = "solved, no contact still closes, no contact pulls, no energy from "
                               "nowhere, one answer only";

/* ---- What is wrong, in words ---------------------------------------------------------------- */

typedef struct words {
    char text[512];
    size_t used;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *w, const char *format, ...)
{
    if (w->used > 0 && w->used + 2 < sizeof w->text) {
        w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "; ");
    }
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
    va_end(arguments);
    size_t room = sizeof w->text - w->used - 1;
    w->used += written < 0 ? 0 : (size_t)written < room ? (size_t)written : room;
}

/* What a verdict forgives as rounding is not worth a number here. */
static size_t count_below(const double *values, size_t count, double *least)
{
    size_t below = 0;
    *least = 0;
    for (size_t i = 0; values != NULL && i < count; i++) {
        *least = fmin(*least, values[i]);
    }
    for (size_t i = 0; values != NULL && i < count; i++) {
        below += values[i] < 1e-6 * *least;
    }
    return below;
}

static void say_closing(words *w, const crm_report *report, const crm_outcome *outcome)
{
    double least;
    size_t count = count_below(outcome->gap_velocity, outcome->contacts, &least);
    say(w, "%zu contact%s, at up to %.3g%s", count, count == 1 ? " still closes" : "s still close",
        -least, report->generalized ? "" : " m/s");
}

static void say_pulling(words *w, const crm_report *report, const crm_outcome *outcome)
{
    double least;
    size_t count = count_below(outcome->impulse, outcome->contacts, &least);
    say(w, "%zu contact%s, by up to %.3g%s", count, count == 1 ? " pulls" : "s pull", -least,
        report->generalized ? "" : " N s");
}

static void say_energy(words *w, const crm_outcome *outcome)
{
    double available = outcome->energy_before + outcome->stored_before + outcome->boundary_work;
    say(w, "%.3g J from nowhere", outcome->energy_after - available);
}

static void describe(const crm_report *report, const crm_report_entry *entry, words *w)
{
    const crm_outcome *outcome = entry->outcome;
    *w = (words){0};
    if (outcome == NULL || outcome->result != CRM_SOLVED) {
        char status[32];
        snprintf(status, sizeof status, "%s", crm_entry_status(entry));
        for (char *at = status; *at != '\0'; at++) {
            *at = *at == '_' ? ' ' : *at;
        }
        say(w, "no answer (%s)", status);
    }
    if (outcome == NULL) {
        return;
    }
    if (!outcome->kinematic) {
        say_closing(w, report, outcome);
    }
    if (!outcome->kinetic) {
        say_pulling(w, report, outcome);
    }
    if (!outcome->energetic) {
        say_energy(w, outcome);
    }
    if (!outcome->unique) {
        say(w, "not the only answer of this law");
    }
}

/* ---- The list ------------------------------------------------------------------------------- */

static bool all_hold(const crm_report *report)
{
    words w;
    bool hold = true;
    for (size_t i = 0; i < report->count && hold; i++) {
        describe(report, &report->entries[i], &w);
        hold = w.used == 0;
    }
    return hold;
}

static void print_verdict(const crm_table *t, const crm_sheet *sheet, const crm_report_entry *entry)
{
    words w;
    describe(t->report, entry, &w);
    crm_sheet_name(sheet, entry->label);
    fputs("  ", sheet->stream);
    if (w.used == 0) {
        crm_sheet_text(sheet, CRM_TONE_GOOD, "all hold");
    } else {
        crm_sheet_text(sheet, CRM_TONE_BAD, "NO");
        fprintf(sheet->stream, ": %s", w.text);
    }
    crm_sheet_end_row(sheet);
}

/* When all is well one line says so; a list is for what is not. */
void crm_table_verdicts(const crm_table *t)
{
    FILE *stream = t->sheet.stream;
    fputc('\n', stream);
    crm_sheet_text(&t->sheet, CRM_TONE_STRONG, "checks");
    if (all_hold(t->report)) {
        fprintf(stream, ": %s\n", ALL_HOLD);
        return;
    }
    fprintf(stream, " (%s)\n", ALL_HOLD);
    crm_sheet sheet = crm_table_law_sheet(t);
    for (size_t i = 0; i < t->report->count; i++) {
        print_verdict(t, &sheet, &t->report->entries[i]);
    }
}

/* ---- Remarks -------------------------------------------------------------------------------- */

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
