/* What is told of one law. */
#include "report/report.h"

const char *crm_entry_status(const crm_report_entry *entry)
{
    return crm_result_text(entry->outcome != NULL ? entry->outcome->result : CRM_FAILED);
}

const char *crm_entry_reason(const crm_report_entry *entry)
{
    return entry->outcome != NULL ? entry->outcome->reason : entry->reason;
}

crm_impact crm_entry_impact(const crm_report *report, size_t entry)
{
    return (crm_impact){.model = report->model,
                        .velocity = report->velocity,
                        .outcome = report->entries[entry].outcome,
                        .first = report->entries[0].outcome};
}
