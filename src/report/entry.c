/* One law of a report. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "report/report.h"

const char *crm_entry_status(const crm_report_entry *entry)
{
    return crm_result_text(entry->outcome != NULL ? entry->outcome->result : CRM_FAILED);
}

/* Remaining closing speeds, relative to those before: less than this is a tail, unless contacts
 * hold energy that is neither kinetic nor lost.
 */
static const double TAIL = 1e-6;

/* The outcome of an entry that has an answer, or a state that was reached; else NULL. */
static const crm_outcome *answer(const crm_report_entry *entry)
{
    const crm_outcome *outcome = entry->outcome;
    bool any =
        outcome != NULL && (outcome->result == CRM_SOLVED || outcome->result == CRM_NOT_TERMINATED);
    return any ? outcome : NULL;
}

crm_end crm_entry_end(const crm_report *report, size_t entry)
{
    static const char CLOSING_LEFT[] = "closing_left";
    crm_impact impact = crm_entry_impact(report, entry);
    if (impact.outcome == NULL) {
        return CRM_END_NONE;
    }
    if (impact.outcome->result == CRM_SOLVED) {
        return CRM_END_SOLVED;
    }
    const crm_outcome_field *field = crm_field_find(CLOSING_LEFT, sizeof CLOSING_LEFT - 1);
    double value = crm_field_value(field, &impact, 0);
    bool held = impact.outcome->energy_error > TAIL;
    return value > 0 && value < TAIL && !held ? CRM_END_TAIL : CRM_END_BROKEN;
}

const char *crm_entry_reason(const crm_report_entry *entry)
{
    return entry->outcome != NULL ? entry->outcome->reason : entry->reason;
}

static size_t count_closing(const crm_model *model, const double *gap_velocity)
{
    size_t count = 0;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        count += gap_velocity[j] < 0;
    }
    return count;
}

static double stored_in(const crm_model *model)
{
    double sum = 0;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        sum += crm_model_stored_energy(model)[j];
    }
    return sum;
}

bool crm_report_nothing_happens(const crm_model *model, const double *gap_velocity)
{
    return count_closing(model, gap_velocity) == 0 && stored_in(model) == 0;
}

void crm_report_approach_text(const crm_model *model, const double *gap_velocity, char *text,
                              size_t size)
{
    size_t closing = count_closing(model, gap_velocity);
    double stored = stored_in(model);
    snprintf(text, size, "%zu closing", closing);
    if (closing == 0 && stored > 0) {
        crm_text_append(text, size, ", %.6g J stored in contacts", stored);
    } else if (closing == 0) {
        crm_text_append(text, size, ", nothing happens");
    }
}

crm_impact crm_entry_impact(const crm_report *report, size_t entry)
{
    return (crm_impact){.model = report->model,
                        .velocity = report->velocity,
                        .outcome = answer(&report->entries[entry]),
                        .first = answer(&report->entries[0])};
}
