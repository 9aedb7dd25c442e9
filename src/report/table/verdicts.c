/* The end of the table: whether the answers keep to mechanics, and what the laws say of them. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/locale.h"
#include "report/table/table.h"

#define VERDICTS                                                                                   \
    "solved, no contact still closes, no contact pulls, no energy from nowhere, one answer only"
static const char ALL_HOLD[] = VERDICTS, ASKED[] = "(" VERDICTS ")",
                  NOTHING[] = "there is nothing to judge, since no contact closes or stores energy";

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
    int written = crm_vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
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

static void say_end(words *w, const crm_report *report, size_t entry)
{
    switch (crm_entry_end(report, entry)) {
    case CRM_END_TAIL:
        say(w, "an endless tail, left where it is too small to be seen");
        break;
    case CRM_END_BROKEN:
        say(w, "broken off before its end, the state reached is given");
        break;
    case CRM_END_NONE:
        say(w, "no answer (%s)", crm_entry_status(&report->entries[entry]));
        break;
    case CRM_END_SOLVED:
        break;
    }
}

static void describe(const crm_report *report, size_t entry, words *w)
{
    const crm_outcome *outcome = report->entries[entry].outcome;
    *w = (words){0};
    say_end(w, report, entry);
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

bool crm_table_all_hold(const crm_table *t)
{
    words w;
    bool hold = true;
    for (size_t i = 0; i < t->report->count && hold; i++) {
        describe(t->report, i, &w);
        hold = w.used == 0;
    }
    return hold;
}

static void print_verdict(const crm_table *t, const crm_sheet *sheet, size_t entry)
{
    words w;
    describe(t->report, entry, &w);
    crm_sheet_name(sheet, t->report->entries[entry].label);
    fputs("  ", sheet->stream);
    if (w.used == 0) {
        crm_sheet_text(sheet, CRM_TONE_GOOD, "all hold");
    } else {
        crm_sheet_text(sheet, CRM_TONE_BAD, "NO");
        fputs(": ", sheet->stream);
        int used = sheet->name_width + 4 + 4;
        crm_text_wrap(sheet->stream, t->style.width, w.text, used, used - 4);
        return;
    }
    crm_sheet_end_row(sheet);
}

/* When all is well one line says so; a list is for what is not. */
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
    crm_text_wrap(stream, t->style.width, ASKED, 7, 2);
    crm_sheet sheet = crm_table_law_sheet(t);
    for (size_t i = 0; i < t->report->count; i++) {
        print_verdict(t, &sheet, i);
    }
}

/* ---- Remarks -------------------------------------------------------------------------------- */

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

/* Each law's, if any has one. */
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
