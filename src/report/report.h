/* What is told of an impact: the answers of several laws side by side. */
#ifndef CRM_REPORT_H
#define CRM_REPORT_H

#include <stdio.h>

#include "carom/carom.h"
#include "field/field.h"
#include "scenario/scenario.h"

typedef struct crm_report_entry {
    const char *label;
    const crm_law *law;
    const crm_outcome *outcome; /* NULL: the law broke down before it had one */
    const char *reason;         /* then, why */
} crm_report_entry;

typedef struct crm_report {
    const char *title; /* "" when there is none */
    const crm_model *model;
    const double *velocity; /* before the impact */
    bool generalized;       /* coordinates that may be anything, rather than bodies in SI units */
    const crm_near_misses *misses; /* NULL: gaps are not known */
    const crm_doubts *doubts;      /* about what was read; NULL: none */
    size_t count;
    const crm_report_entry *entries;
    const struct crm_extract *extract; /* what JSON has of bodies and contacts; NULL: all of them */
} crm_report;

/* How a table is to look. */
typedef struct crm_style {
    bool colour;
    bool bars; /* small bars beside numbers; they take UTF-8 */
    int width; /* characters in a line: more laws than fit side by side go below one another */
} crm_style;

crm_style crm_style_plain(void); /* for files: no colour, no bars, 100 characters */

/* Each writes the whole report. What the stream refuses shows in ferror(); the status tells of
 * memory only.
 */
crm_status crm_report_table(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error);
crm_status crm_report_json(const crm_report *report, FILE *stream, crm_error *error);

/* One row per law and coordinate, one per law and contact, one per law:
 *   law, label, status, kind (coordinate | contact | impact), index (from 1), name,
 * then the fields of an outcome that have a column (field/outcome.c). Those that do not belong to
 * the row's kind, or that the law does not define, are empty.
 */
crm_status crm_report_csv(const crm_report *report, FILE *stream, crm_error *error);

/* What was read, but is hardly meant; near_misses: also that bodies were left apart which are
 * nearer to each other than anybody would put them.
 */
void crm_report_doubts(const crm_report *report, bool near_misses, FILE *stream);
/* What nearly touches, if anything. */
void crm_report_near_misses(const crm_report *report, FILE *stream);
/* The same in a sentence, for an impact in which nothing happens. False: nothing nearly touches. */
bool crm_report_hint(const crm_report *report, char *text, size_t size);

/* What the scenario was understood to be. */
crm_status crm_report_model(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error);

/* ---- Histories ---------------------------------------------------------------------------- */

/* How samples are written. */
typedef struct crm_history_format {
    void (*law)(void *to, const char *label); /* the samples that follow are of this law */
    bool (*sample)(void *to, const crm_sample *sample); /* false: it could not be written */
} crm_history_format;

/* Chooses the samples that are due; each is written at once. */
typedef struct crm_history {
    const crm_history_format *format;
    void *to;
    double interval; /* > 0: only samples at its multiples */
    uint64_t next;   /* the multiple that is due */
    uint64_t rows;
} crm_history;

/* Start of the next law. */
void crm_history_law(crm_history *history, const char *label);
/* For crm_recorder.record, with the history as its context. */
crm_status crm_history_record(void *context, const crm_sample *sample);

/* CSV, one row per sample: law (its label), time, primary, primary_impulse, v[1..n], force[1..s],
 * energy[1..s], closing_speed[1..s], impulse[1..s].
 */
typedef struct crm_history_csv {
    FILE *stream;
    const crm_model *model;
    const char *label; /* of the law that is running */
} crm_history_csv;

void crm_history_csv_begin(const crm_history_csv *csv); /* writes the heading */
extern const crm_history_format crm_history_as_csv;     /* to a crm_history_csv */

/* ---- Shared by the writers ---------------------------------------------------------------- */

/* Entry i of the report, for the fields of its outcome (field/field.h). */
crm_impact crm_entry_impact(const crm_report *report, size_t entry);
const char *crm_entry_status(const crm_report_entry *entry);
const char *crm_entry_reason(const crm_report_entry *entry); /* "" when solved */

/* A text as a field of CSV: quoted when it must be, with an apostrophe before it when a spreadsheet
 * would run it.
 */
void crm_csv_text(FILE *stream, const char *text);
const char *crm_csv_bare(const char *cell); /* the text of such a field, without its quotes */
/* 17 significant digits; nothing for NAN. */
void crm_csv_number(FILE *stream, double value);

#endif
