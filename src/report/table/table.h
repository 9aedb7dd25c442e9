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

/* Whether a part is shown: as it was asked for, or by itself. */
bool crm_table_shows(const crm_table *t, const char *part, bool by_itself);

/* The energy beside which others are rounding: the largest of what there is before. */
double crm_table_energy(const crm_table *t);

/* Laws down: energies and measures, then how the impact went. */
void crm_table_summary(const crm_table *t);
/* Whether the answers keep to mechanics, why there is none, what the laws say about them. */
bool crm_table_all_hold(const crm_table *t);
void crm_table_verdicts(const crm_table *t);
void crm_table_reasons(const crm_table *t);
void crm_table_notes(const crm_table *t);

/* "impulse, N s"; unit NULL: "impulse" */
void crm_table_column_title(const char *words, const char *unit, char *text, size_t size);
/* A sheet with the laws down. */
crm_sheet crm_table_law_sheet(const crm_table *t);

#endif
