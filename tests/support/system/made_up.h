/* An impact made up for the purpose: no solver is needed to write it down. */
#ifndef CAROM_TEST_MADE_UP_H
#define CAROM_TEST_MADE_UP_H

#include <stdio.h>

#include "report/report.h"

static const double ODD = 0.1 + 0.2; /* 0.30000000000000004: needs all 17 digits */

typedef struct made_up_impact {
    crm_model *model;
    double velocity[3], after[3], impulse[2], gap[2], loss[2], force[2];
    uint32_t compressions[2];
    crm_outcome outcome;
    crm_report_entry entries[2];
    crm_report report;
} made_up_impact;

/* For cmocka: *state is such an impact. */
int make_up(void **state);
int drop_made_up(void **state);

/* What a writer writes, to be freed. */
typedef crm_status (*writer)(const crm_report *report, FILE *stream, crm_error *error);
char *written(writer write, const crm_report *report);
size_t count_lines(const char *text);

#endif
