#include "motion/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "solve/solve.h"

double crm_indentation(double stiffness, double exponent, double delassus, double closing_speed)
{
    double energy = 0.5 * closing_speed * closing_speed / delassus;
    return crm_pow((exponent + 1) * energy / stiffness, 1 / (exponent + 1));
}

/* ---- One law after the other ----------------------------------------------------------------- */

crm_status crm_impact_begin(crm_blow *blow, crm_error *error)
{
    blow->kinetic = blow->energetic = blow->unique = true;
    blow->work = blow->lost = blow->losses = 0;
    blow->result = CRM_RESULT_COUNT;
    blow->forceful = false;
    memset(blow->impulse, 0, blow->system.contacts * sizeof *blow->impulse);
    memset(blow->peak_force, 0, blow->system.contacts * sizeof *blow->peak_force);
    return crm_model_from_system(&blow->system, &blow->model, error);
}

void crm_impact_end(crm_blow *blow)
{
    crm_model_free(blow->model);
    blow->model = NULL;
}

void crm_impact_find_closing_speeds(crm_blow *blow)
{
    crm_model_gap_velocity(blow->model, blow->velocity, blow->closing_speed);
    for (size_t j = 0; j < blow->system.contacts; j++) {
        blow->closing_speed[j] = -blow->closing_speed[j];
    }
}

/* The first law's result and the last one's kinematics; the rest must be true of all. */
static void take(crm_blow *blow, const crm_outcome *outcome)
{
    memcpy(blow->velocity, outcome->velocity, outcome->coordinates * sizeof *blow->velocity);
    for (size_t j = 0; j < outcome->contacts; j++) {
        blow->impulse[j] += outcome->impulse[j];
        blow->losses += outcome->loss[j];
        if (outcome->peak_force != NULL) {
            blow->peak_force[j] = fmax(blow->peak_force[j], outcome->peak_force[j]);
        }
        if (blow->gap_velocity != NULL) {
            blow->gap_velocity[j] = outcome->gap_velocity[j];
        }
    }
    blow->forceful |= outcome->peak_force != NULL;
    blow->result = blow->result == CRM_RESULT_COUNT ? outcome->result : blow->result;
    blow->kinematic = outcome->kinematic;
    blow->kinetic &= outcome->kinetic;
    blow->energetic &= outcome->energetic;
    blow->unique &= outcome->unique;
    blow->work += outcome->boundary_work;
    blow->lost += outcome->energy_before + outcome->boundary_work - outcome->energy_after;
}

static crm_blow_end judge(crm_motion *motion, const crm_blow *blow, const crm_outcome *outcome)
{
    if (outcome->result == CRM_SOLVED) {
        return CRM_BLOW_DONE;
    }
    if (outcome->result == CRM_NOT_TERMINATED) {
        return motion->watching != NULL && motion->watching->over ? CRM_BLOW_CUT : CRM_BLOW_DONE;
    }
    crm_snprintf(motion->reason, sizeof motion->reason,
                 "the law %s has no answer to the impact of %zu contacts at t = %.17g (%s): %s",
                 outcome->law->name, outcome->contacts, blow->time,
                 crm_result_text(outcome->result), outcome->reason);
    return CRM_BLOW_NO_ANSWER;
}

crm_status crm_impact_apply(crm_motion *motion, crm_blow *blow, const crm_settings *law,
                            crm_blow_end *end, crm_error *error)
{
    const crm_outcome *outcome;
    motion->workspace->watching_batch = motion->watching;
    crm_status status =
        crm_solve_with(motion->workspace, blow->model, blow->velocity, law, NULL, &outcome, error);
    motion->workspace->watching_batch = NULL;
    *end = status == CRM_OK ? judge(motion, blow, outcome) : CRM_BLOW_NO_ANSWER;
    if (*end == CRM_BLOW_DONE) {
        take(blow, outcome);
    }
    return status;
}

crm_status crm_impact_tell(const crm_blow *blow, uint64_t number, double lost,
                           const crm_observer *observer)
{
    if (observer == NULL || observer->impact == NULL) {
        return CRM_OK;
    }
    const crm_impact_report report = {.number = number,
                                      .time = blow->time,
                                      .contacts = blow->system.contacts,
                                      .gap = blow->gap,
                                      .party = blow->party,
                                      .closing_speed = blow->closing_speed,
                                      .impulse = blow->impulse,
                                      .peak_force = blow->forceful ? blow->peak_force : NULL,
                                      .lost = lost,
                                      .result = blow->result,
                                      .kinematic = blow->kinematic,
                                      .kinetic = blow->kinetic,
                                      .energetic = blow->energetic,
                                      .unique = blow->unique};
    return observer->impact(observer->context, &report);
}

/* ---- All of it ------------------------------------------------------------------------------- */

crm_status crm_impact_resolve(crm_motion *motion, crm_blow *blow, const crm_observer *observer,
                              crm_blow_end *end, crm_error *error)
{
    crm_status status = crm_impact_begin(blow, error);
    if (status == CRM_OK) {
        crm_impact_find_closing_speeds(blow);
        status = crm_impact_apply(motion, blow, motion->law, end, error);
    }
    if (status == CRM_OK && *end == CRM_BLOW_DONE) {
        motion->lost += blow->lost;
        motion->impact_work += blow->work;
        motion->impacts++;
        if (crm_impact_tell(blow, motion->impacts, blow->lost, observer) != CRM_OK) {
            *end = CRM_BLOW_INTERRUPTED;
        }
    }
    crm_impact_end(blow);
    return status;
}
