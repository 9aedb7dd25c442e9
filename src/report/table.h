/* The parts of the table. Internal to src/report. */
#ifndef CRM_TABLE_H
#define CRM_TABLE_H

#include "report/report.h"
#include "report/sheet.h"

typedef struct crm_table {
    const crm_report *report;
    crm_sheet sheet; /* columns: before, then the laws */
    const char **titles;
    const double **cells; /* one array per column, for the block being printed */
} crm_table;

/* Whether the answers keep to mechanics, and what the laws have to say about them. */
void crm_table_verdicts(const crm_table *t);
void crm_table_remarks(const crm_table *t);

#endif
