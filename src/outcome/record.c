/* The last sample of a history. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/base.h"
#include "carom/outcome.h"

static const double AT_THE_END = 1e-9;

crm_status crm_record_end(const crm_recorder *recorder, const crm_outcome *outcome, double last,
                          crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(recorder, "recorder", error) ||
        crm_fail_if_null((const void *)(uintptr_t)recorder->record, "recorder.record", error) ||
        crm_fail_if_null(outcome, "outcome", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (isnan(outcome->duration) || last >= outcome->duration * (1 - AT_THE_END)) {
        return CRM_OK;
    }
    size_t contacts = outcome->contacts;
    double *noughts = CRM_NEW(double, 2 * contacts);
    if (noughts == NULL) {
        return crm_fail_memory(error);
    }
    double *closing = noughts + contacts;
    for (size_t j = 0; j < contacts; j++) {
        closing[j] = -outcome->gap_velocity[j];
    }
    const crm_sample end = {.time = outcome->duration,
                            .primary = SIZE_MAX,
                            .primary_impulse = NAN,
                            .force = noughts,
                            .stored_energy = noughts,
                            .closing_speed = closing,
                            .impulse = outcome->impulse,
                            .velocity = outcome->velocity};
    crm_status status = recorder->record(recorder->context, &end);
    free(noughts);
    return status == CRM_OK
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_STOPPED, "", "the recorder stopped the call");
}
