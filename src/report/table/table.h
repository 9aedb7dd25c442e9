/* The parts of the table. Internal to src/report/table. */
#ifndef CRM_TABLE_H
#define CRM_TABLE_H

#include "report/report.h"
#include "report/text/sheet.h"

typedef struct crm_table {
    const crm_report *report;
    crm_style style;
    crm_sheet sheet;      /* columns: before, then the laws of a block */
    size_t per_block;     /* laws side by side */
    size_t from, to;      /* the laws of the block being printed */
    const char **titles;  /* of its columns */
    crm_impact *cells;    /* whose numbers a column shows */
    bool nothing_happens; /* see crm_report_nothing_happens */
    bool rows_cut;        /* some are left out */
    bool out_of_memory;   /* memory ran out on the way */
    crm_error *error;
} crm_table;

/* Whether a part is shown: as --show says, or by default. */
bool crm_table_shows(const crm_table *t, const char *part, bool by_default);

/* The largest energy available before the impact, by which rounding is judged. */
double crm_table_energy(const crm_table *t);

/* Laws in rows: energies and measures, then duration, steps and error. */
void crm_table_summary(const crm_table *t);
/* Whether the answers satisfy mechanics, why one is missing, remarks of the laws. */
bool crm_table_all_hold(const crm_table *t);
void crm_table_verdicts(const crm_table *t);
void crm_table_reasons(const crm_table *t);
void crm_table_notes(const crm_table *t);
/* Terms in the table that a reader may not know. */
void crm_table_legend(const crm_table *t);
/* Whether the summary has the column of a field. */
bool crm_table_has_column(const crm_table *t, const crm_outcome_field *field);

/* "impulse, N s"; unit NULL: "impulse" */
void crm_table_column_title(const char *words, const char *unit, char *text, size_t size);
/* A sheet with the laws in rows. */
crm_sheet crm_table_law_sheet(const crm_table *t);

#endif
