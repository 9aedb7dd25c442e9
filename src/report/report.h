/* The report on one impact: the outcomes of several laws side by side. */
#ifndef CRM_REPORT_H
#define CRM_REPORT_H

#include <stdio.h>

#include "carom/carom.h"
#include "field/field.h"
#include "scenario/scenario.h"

typedef struct crm_report_entry {
    const char *label;
    const crm_law *law;
    const crm_outcome *outcome;   /* NULL: the law failed before it had one */
    const char *reason;           /* then, why */
    const crm_settings *settings; /* NULL: not known */
} crm_report_entry;

typedef struct crm_report {
    const char *title; /* "" when there is none */
    const crm_model *model;
    const double *velocity; /* before the impact */
    bool generalized;       /* coordinates that may be anything, rather than bodies in SI units */
    const crm_near_contacts *near_contacts; /* bodies that nearly touch; NULL: gaps are not known */
    const crm_warnings *warnings;           /* warnings about what was read; NULL: none */
    size_t count;
    const crm_report_entry *entries;
    const struct crm_model_subset
        *subset; /* what JSON has of bodies and contacts; NULL: all of them */
} crm_report;

/* How a table looks. */
typedef struct crm_style {
    bool colour;
    bool bars;    /* small bars beside numbers, in UTF-8 */
    int width;    /* characters in a line: more laws than fit side by side go below one another */
    bool summary; /* only the summary and the largest velocities */
    const char *show; /* which parts, "velocity,energy"; NULL: all there are */
    const char *rows; /* which rows of lists, "1-5,-1,cue"; NULL: all, or the largest of many */
} crm_style;

/* The parts of the table: "energy", "course", "checks", "notes", "all", and the lists among the
 * fields of an outcome. NULL past the end.
 */
const char *crm_table_part_name(size_t index);
/* Whether `rows` is a list of row numbers, from the end when negative, ranges and names. */
bool crm_rows_are_valid(const char *rows);

/* Some of the coordinates and contacts. */
typedef struct crm_choice {
    size_t coordinates, contacts; /* how many */
    size_t *coordinate, *contact; /* which, in order */
} crm_choice;

/* Those that such a list names, by numbers or by names of bodies and contacts; NULL: all. On
 * CRM_OK to be freed. CRM_ERROR_OPTION: it names none.
 */
crm_status crm_choice_make(const crm_model *model, const char *list, crm_choice *choice,
                           crm_error *error);
void crm_choice_free(crm_choice *choice);

/* Longer lists than CRM_ROWS_MOST are cut to CRM_ROWS_CUT rows; in a summary to CRM_ROWS_SUMMARY.
 */
enum { CRM_ROWS_MOST = 40, CRM_ROWS_CUT = 20, CRM_ROWS_SUMMARY = 6 };

crm_style crm_report_style_plain(void); /* for files: no colour, no bars, 80 characters */

/* Each writes the whole report. What the stream refuses shows in ferror(); the status tells of
 * memory only.
 */
crm_status crm_report_table(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error);
crm_status crm_report_json(const crm_report *report, FILE *stream, crm_error *error);

/* One row per law and coordinate, one per law and contact, one per law:
 *   law, label, status, kind (coordinate | contact | impact), index (from 1), name,
 * then the fields of an outcome that have a column (field/outcome.c), and the law's options, the
 * reason why it has no answer and its note. Those that do not belong to the row's kind, or that the
 * law does not define, are empty.
 */
crm_status crm_report_csv(const crm_report *report, FILE *stream, crm_error *error);

/* Warnings about what was read; near_misses: also about bodies with a gap so small that it is
 * hardly intended.
 */
void crm_report_warnings(const crm_report *report, bool near_misses, int width, FILE *stream);
/* A list of the bodies that nearly touch, if there are any. */
void crm_report_near_contacts(const crm_report *report, int width, FILE *stream);
/* The same in a sentence. False: no bodies nearly touch. */
bool crm_report_near_contact_hint(const crm_report *report, char *text, size_t size);

/* No contact is closing and none stores energy: nothing happens by any law. */
bool crm_report_nothing_happens(const crm_model *model, const double *gap_velocity);
/* "1 closing", and what follows if none is. */
void crm_report_approach_text(const crm_model *model, const double *gap_velocity, char *text,
                              size_t size);

/* The scenario as it was read: the table of `carom check`. */
crm_status crm_report_model(const crm_report *report, crm_style style, FILE *stream,
                            crm_error *error);

/* The same as JSON: what `solve` says of the system, its rank, what nearly touches, and the laws
 * with their options.
 */
crm_status crm_report_model_json(const crm_report *report, FILE *stream, crm_error *error);

/* ---- Histories ------------------------------------------------------------------------------- */

/* How samples are written. */
typedef struct crm_history_format {
    void (*law)(void *to, const char *label); /* the samples that follow are of this law */
    bool (*sample)(void *to, const crm_sample *sample); /* false: it could not be written */
} crm_history_format;

/* Chooses the samples that are due and the chosen part of each, and writes it at once. */
typedef struct crm_history {
    const crm_history_format *format;
    void *to;
    double interval;   /* > 0: only samples at its multiples, and the end */
    crm_choice choice; /* borrowed; zeros: everything */
    double *room;      /* coordinates + 4 contacts of the choice; NULL: everything */
    uint64_t next;     /* the multiple that is due */
    uint64_t rows;
    bool started; /* the law that is running has a row, ... */
    double last;  /* ... the last of them of this time */
} crm_history;

/* Start of the next law. */
void crm_history_law(crm_history *history, const char *label);
/* For crm_recorder.record, with the history as its context. */
crm_status crm_history_record(void *context, const crm_sample *sample);
/* The end of a law that has rows: the state after the impact, if it is not there already. */
crm_status crm_history_end(crm_history *history, const crm_outcome *outcome, crm_error *error);

/* A time that is a multiple of the interval, to rounding, as one would write it: 0.3 rather than
 * 0.30000000000000004. Any other as it is.
 */
double crm_history_time(double time, double interval);

/* CSV, one row per sample: law (its label), time, primary, primary_impulse, then for each that is
 * chosen v[name], force[name], energy[name], closing_speed[name], impulse[name], with units.
 */
typedef struct crm_history_csv {
    FILE *stream;
    const crm_model *model;
    bool generalized; /* no units: coordinates may be anything */
    const crm_choice *choice;
    const char *label; /* of the current law */
} crm_history_csv;

void crm_history_csv_begin(const crm_history_csv *csv); /* writes the heading */
extern const crm_history_format crm_history_as_csv;     /* to a crm_history_csv */

/* ---- Shared by the writers ------------------------------------------------------------------- */

/* Entry i of the report, for the fields of its outcome (field/field.h). */
crm_impact crm_entry_impact(const crm_report *report, size_t entry);
const char *crm_entry_status(const crm_report_entry *entry);

/* How a law ended. */
typedef enum crm_end {
    CRM_END_SOLVED,
    CRM_END_TAIL,   /* an infinite tail was cut off where it is negligible */
    CRM_END_BROKEN, /* stopped early; the state reached is given */
    CRM_END_NONE    /* no answer at all */
} crm_end;

crm_end crm_entry_end(const crm_report *report, size_t entry);
const char *crm_entry_reason(const crm_report_entry *entry); /* "" when solved */
/* "tolerance 1e-08, stiffness_model bi"; "" without options. */
void crm_settings_text(const crm_settings *settings, char *text, size_t size);
double crm_settings_tolerance(const crm_settings *settings); /* NAN: it has no such option */

/* A text as a field of CSV: quoted when it must be, with an apostrophe before what a spreadsheet
 * would run, at its beginning or behind what may separate cells.
 */
void crm_csv_text(FILE *stream, const char *text);
char *crm_csv_bare(char *cell); /* the text again, in place, of such a field without its quotes */
/* 17 significant digits; nothing for NAN. */
void crm_csv_number(FILE *stream, double value);

#endif
