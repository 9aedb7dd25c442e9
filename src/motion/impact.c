#include "motion/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double crm_indentation(double stiffness, double exponent, double delassus, double closing_speed)
{
    double energy = 0.5 * closing_speed * closing_speed / delassus;
    return pow((exponent + 1) * energy / stiffness, 1 / (exponent + 1));
}

static void find_closing_speeds(const crm_model *model, const crm_blow *blow)
{
    crm_model_gap_velocity(model, blow->velocity, blow->closing_speed);
    for (size_t j = 0; j < blow->system.contacts; j++) {
        blow->closing_speed[j] = -blow->closing_speed[j];
    }
}

/* T- + boundary work = T+ + lost: whatever the law says of itself, the velocities decide. */
static double book(crm_motion *motion, const crm_outcome *outcome)
{
    double lost = outcome->energy_before + outcome->boundary_work - outcome->energy_after;
    motion->lost += lost;
    motion->impact_work += outcome->boundary_work;
    motion->impacts++;
    return lost;
}

static crm_status tell(const crm_motion *motion, const crm_blow *blow, const crm_outcome *outcome,
                       double lost, const crm_observer *observer)
{
    const crm_impact_report report = {.number = motion->impacts,
                                      .time = blow->time,
                                      .contacts = blow->system.contacts,
                                      .gap = blow->gap,
                                      .party = blow->party,
                                      .closing_speed = blow->closing_speed,
                                      .impulse = outcome->impulse,
                                      .peak_force = outcome->peak_force,
                                      .lost = lost,
                                      .result = outcome->result,
                                      .kinematic = outcome->kinematic,
                                      .kinetic = outcome->kinetic,
                                      .energetic = outcome->energetic,
                                      .unique = outcome->unique};
    return observer->impact(observer->context, &report);
}

static bool answered(const crm_outcome *outcome)
{
    return outcome->result == CRM_SOLVED || outcome->result == CRM_NOT_TERMINATED;
}

crm_status crm_impact_resolve(crm_motion *motion, const crm_blow *blow,
                              const crm_observer *observer, crm_blow_end *end, crm_error *error)
{
    crm_model *model;
    const crm_outcome *outcome = NULL;
    crm_status status = crm_model_from_system(&blow->system, &model, error);
    if (status == CRM_OK) {
        find_closing_speeds(model, blow);
        status = crm_solve_with(motion->workspace, model, blow->velocity, motion->law, NULL,
                                &outcome, error);
    }
    *end = CRM_BLOW_DONE;
    if (status == CRM_OK && !answered(outcome)) {
        *end = CRM_BLOW_NO_ANSWER;
        snprintf(motion->reason, sizeof motion->reason,
                 "the law %s has no answer to the impact at t = %.17g (%s): %s", outcome->law->name,
                 blow->time, crm_result_text(outcome->result), outcome->reason);
    } else if (status == CRM_OK) {
        double lost = book(motion, outcome);
        memcpy(blow->velocity, outcome->velocity, outcome->coordinates * sizeof(double));
        if (observer != NULL && observer->impact != NULL &&
            tell(motion, blow, outcome, lost, observer) != CRM_OK) {
            *end = CRM_BLOW_INTERRUPTED;
        }
    }
    crm_model_free(model);
    return status;
}
