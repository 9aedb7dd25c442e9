/* What the writers of the record share. */
#ifndef CRM_REPRODUCE_PRINT_H
#define CRM_REPRODUCE_PRINT_H

#include "reproduce/record.h"

/* The reasons of an item's errata, each once. */
enum { CRM_REASONS_MOST = 26 };

typedef struct crm_reasons {
    size_t count;
    const char *texts[CRM_REASONS_MOST];
} crm_reasons;

/* The reasons of the findings that differ from the printed value or are not judged. */
crm_reasons crm_print_reasons(const crm_record *record);
/* The letter of a finding's reason; 0: none. */
char crm_print_reason_letter(const crm_reasons *reasons, const crm_finding *finding);

/* "+1.2e-05", or "" when there is none. */
void crm_print_deviation(const crm_finding *finding, char *text, size_t size);
/* ", 0.251 by it": what the paper's scheme gives; or "". */
void crm_print_scheme(const crm_finding *finding, char *text, size_t size);
/* "all 44 rows as printed", "31 of 44 rows as printed, 13 differ for a stated reason" */
void crm_print_counts(const crm_record *record, char *text, size_t size);

#endif
