/* The end of the table: whether the answers satisfy mechanics, and the remarks of the laws. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/locale.h"
#include "report/table/table.h"

#define VERDICTS "solved, no contact still closing, none pulling, no energy created, unique answer"
static const char ALL_HOLD[] = VERDICTS, CHECKS[] = "(" VERDICTS ")",
                  NOTHING[] = "nothing to check: no contact is closing or stores energy";

/* ---- Failed checks, in words ----------------------------------------------------------------- */

typedef struct sentence {
    char text[512];
    size_t used;
} sentence;

__attribute__((format(printf, 2, 3))) static void append_clause(sentence *w, const char *format,
                                                                ...)
{
    if (w->used > 0 && w->used + 2 < sizeof w->text) {
        w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "; ");
    }
    va_list arguments;
    va_start(arguments, format);
    int written = crm_vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
    va_end(arguments);
    size_t room = sizeof w->text - w->used - 1;
    w->used += written < 0 ? 0 : (size_t)written < room ? (size_t)written : room;
}

/* Values that a verdict accepts as rounding are not counted. */
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

static void append_closing(sentence *w, const crm_report *report, const crm_outcome *outcome)
{
    double least;
    size_t count = count_below(outcome->gap_velocity, outcome->contacts, &least);
    append_clause(w, "%zu contact%s still closing, at up to %.3g%s", count, count == 1 ? "" : "s",
                  -least, report->generalized ? "" : " m/s");
}

static void append_pulling(sentence *w, const crm_report *report, const crm_outcome *outcome)
{
    double least;
    size_t count = count_below(outcome->impulse, outcome->contacts, &least);
    if (count == 0) {
        append_clause(w, "a tangential impulse beyond its friction cone");
        return;
    }
    append_clause(w, "%zu contact%s pulling, by up to %.3g%s", count, count == 1 ? "" : "s", -least,
                  report->generalized ? "" : " N s");
}

static void append_energy(sentence *w, const crm_outcome *outcome)
{
    double available = outcome->energy_before + outcome->stored_before + outcome->boundary_work;
    append_clause(w, "%.3g J of energy created", outcome->energy_after - available);
}

static void append_end(sentence *w, const crm_report *report, size_t entry)
{
    switch (crm_entry_end(report, entry)) {
    case CRM_END_TAIL:
        append_clause(w, "an infinite tail of ever smaller motion, cut off where it is negligible");
        break;
    case CRM_END_BROKEN:
        append_clause(w, "stopped early (the state reached is given)");
        break;
    case CRM_END_NONE:
        append_clause(w, "no answer (%s)", crm_entry_status(&report->entries[entry]));
        break;
    case CRM_END_SOLVED:
        break;
    }
}

static void describe(const crm_report *report, size_t entry, sentence *w)
{
    const crm_outcome *outcome = crm_entry_impact(report, entry).outcome;
    *w = (sentence){0};
    append_end(w, report, entry);
    if (outcome == NULL) {
        return;
    }
    if (!outcome->kinematic) {
        append_closing(w, report, outcome);
    }
    if (!outcome->kinetic) {
        append_pulling(w, report, outcome);
    }
    if (!outcome->energetic) {
        append_energy(w, outcome);
    }
    if (!outcome->unique && !outcome->unique_unknown) {
        append_clause(w, "answer not unique (the law allows others)");
    }
}

/* ---- The list -------------------------------------------------------------------------------- */

bool crm_table_all_hold(const crm_table *t)
{
    sentence w;
    bool hold = true;
    for (size_t i = 0; i < t->report->count && hold; i++) {
        describe(t->report, i, &w);
        const crm_outcome *outcome = crm_entry_impact(t->report, i).outcome;
        hold = w.used == 0 && !(outcome != NULL && outcome->unique_unknown);
    }
    return hold;
}

static void print_verdict(const crm_table *t, const crm_sheet *sheet, size_t entry)
{
    sentence w;
    describe(t->report, entry, &w);
    crm_sheet_name(sheet, t->report->entries[entry].label);
    fputs("  ", sheet->stream);
    if (w.used == 0) {
        const crm_outcome *outcome = crm_entry_impact(t->report, entry).outcome;
        bool decided = outcome == NULL || !outcome->unique_unknown;
        crm_sheet_text(sheet, CRM_TONE_GOOD,
                       decided ? "all passed" : "passed; unique answer not proved");
    } else {
        crm_sheet_text(sheet, CRM_TONE_BAD, "FAILED");
        fputs(": ", sheet->stream);
        int indent = sheet->name_width + 4;
        crm_text_wrap(sheet->stream, t->style.width, w.text, indent + 8, indent);
        return;
    }
    crm_sheet_end_row(sheet);
}

/* One line where all checks pass; else a line for each law. */
void crm_table_verdicts(const crm_table *t)
{
    FILE *stream = t->sheet.stream;
    fputc('\n', stream);
    crm_sheet_text(&t->sheet, CRM_TONE_STRONG, "checks");
    if (crm_table_all_hold(t)) {
        fputs(": ", stream);
        crm_text_wrap(stream, t->style.width, t->nothing_happens ? NOTHING : ALL_HOLD, 8, 2);
        return;
    }
    fputc(' ', stream);
    crm_text_wrap(stream, t->style.width, CHECKS, 7, 2);
    crm_sheet sheet = crm_table_law_sheet(t);
    for (size_t i = 0; i < t->report->count; i++) {
        print_verdict(t, &sheet, i);
    }
}

/* ---- Remarks --------------------------------------------------------------------------------- */

static void print_remark(const crm_table *t, crm_tone tone, const char *label, const char *text)
{
    crm_sheet_text(&t->sheet, tone, label);
    fputs(": ", t->sheet.stream);
    crm_text_wrap(t->sheet.stream, t->style.width, text, crm_text_width(label) + 2, 4);
}

typedef const char *(*remark_function)(const crm_report_entry *entry);

static const char *note_of(const crm_report_entry *entry)
{
    return entry->outcome != NULL ? entry->outcome->note : "";
}

/* The remark of each law that has one. */
static void print_remarks(const crm_table *t, crm_tone tone, remark_function remark)
{
    bool started = false;
    for (size_t i = 0; i < t->report->count; i++) {
        const crm_report_entry *entry = &t->report->entries[i];
        if (remark(entry)[0] != '\0') {
            fputs(started ? "" : "\n", t->sheet.stream);
            print_remark(t, tone, entry->label, remark(entry));
            started = true;
        }
    }
}

void crm_table_reasons(const crm_table *t)
{
    print_remarks(t, CRM_TONE_BAD, crm_entry_reason);
}

void crm_table_notes(const crm_table *t)
{
    print_remarks(t, CRM_TONE_STRONG, note_of);
}
