#include "motion/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "model/compliance/compliance.h"
#include "solve/solve.h"

static crm_contact_numbers numbers_of(const crm_contact_def *c)
{
    return (crm_contact_numbers){c->stiffness, c->exponent, c->restitution};
}

double crm_impact_indentation(const crm_contact_def *contact, double delassus, double closing_speed)
{
    return crm_compliance_indentation(contact->compliance.made, numbers_of(contact),
                                      0.5 * closing_speed * closing_speed / delassus);
}

double crm_impact_restitution(const crm_contact_def *contact, double delassus, double closing_speed)
{
    return crm_compliance_effective(contact->compliance.made, numbers_of(contact),
                                    0.5 * closing_speed * closing_speed / delassus, delassus);
}

/* ---- One law after the other ----------------------------------------------------------------- */

crm_status crm_impact_begin(crm_impact_problem *impact, crm_error *error)
{
    impact->kinetic = impact->energetic = impact->unique = true;
    impact->work = impact->lost = impact->losses = 0;
    impact->result = CRM_RESULT_COUNT;
    impact->has_forces = false;
    memset(impact->impulse, 0, impact->system.contacts * sizeof *impact->impulse);
    memset(impact->peak_force, 0, impact->system.contacts * sizeof *impact->peak_force);
    return crm_model_from_system(&impact->system, &impact->model, error);
}

void crm_impact_end(crm_impact_problem *impact)
{
    crm_model_free(impact->model);
    impact->model = NULL;
}

void crm_impact_find_closing_speeds(crm_impact_problem *impact)
{
    crm_model_gap_velocity(impact->model, impact->velocity, impact->closing_speed);
    for (size_t j = 0; j < impact->system.contacts; j++) {
        impact->closing_speed[j] = -impact->closing_speed[j];
    }
}

/* The result is the first law's, `kinematic` the last one's; the other verdicts must hold for all.
 */
static void add_outcome(crm_impact_problem *impact, const crm_outcome *outcome)
{
    memcpy(impact->velocity, outcome->velocity, outcome->coordinates * sizeof *impact->velocity);
    for (size_t j = 0; j < outcome->contacts; j++) {
        impact->impulse[j] += outcome->impulse[j];
        impact->losses += outcome->loss[j];
        if (outcome->peak_force != NULL) {
            impact->peak_force[j] = fmax(impact->peak_force[j], outcome->peak_force[j]);
        }
        if (impact->gap_velocity != NULL) {
            impact->gap_velocity[j] = outcome->gap_velocity[j];
        }
    }
    impact->has_forces |= outcome->peak_force != NULL;
    impact->result = impact->result == CRM_RESULT_COUNT ? outcome->result : impact->result;
    impact->kinematic = outcome->kinematic;
    impact->kinetic &= outcome->kinetic;
    impact->energetic &= outcome->energetic;
    impact->unique &= outcome->unique;
    impact->work += outcome->boundary_work;
    impact->lost += outcome->energy_before + outcome->boundary_work - outcome->energy_after;
}

static crm_impact_ending ending_of(crm_motion *motion, const crm_impact_problem *impact,
                                   const crm_outcome *outcome)
{
    if (outcome->result == CRM_SOLVED) {
        return CRM_IMPACT_DONE;
    }
    if (outcome->result == CRM_NOT_TERMINATED) {
        return motion->watching != NULL && motion->watching->over ? CRM_IMPACT_CUT_SHORT
                                                                  : CRM_IMPACT_DONE;
    }
    crm_snprintf(motion->reason, sizeof motion->reason,
                 "the law %s has no answer to the impact of %zu contacts at t = %.17g (%s): %s",
                 outcome->law->name, outcome->contacts, impact->time,
                 crm_result_text(outcome->result), outcome->reason);
    return CRM_IMPACT_NO_ANSWER;
}

crm_status crm_impact_apply(crm_motion *motion, crm_impact_problem *impact, const crm_settings *law,
                            crm_impact_ending *end, crm_error *error)
{
    const crm_outcome *outcome;
    motion->workspace->watching_batch = motion->watching;
    motion->workspace->negligible_speed = impact->negligible_speed;
    motion->workspace->allowed_error = impact->allowed_error;
    crm_status status = crm_solve_with(motion->workspace, impact->model, impact->velocity, law,
                                       NULL, &outcome, error);
    motion->workspace->watching_batch = NULL;
    motion->workspace->negligible_speed = motion->workspace->allowed_error = 0;
    *end = status == CRM_OK ? ending_of(motion, impact, outcome) : CRM_IMPACT_NO_ANSWER;
    if (*end == CRM_IMPACT_DONE) {
        add_outcome(impact, outcome);
    }
    return status;
}

crm_status crm_impact_stop(crm_motion *motion, crm_impact_problem *impact, crm_impact_ending *end,
                           crm_error *error)
{
    crm_impact_ending stopped;
    crm_status status = crm_impact_apply(motion, impact, motion->plastic, &stopped, error);
    if (stopped == CRM_IMPACT_NO_ANSWER) {
        motion->reason[0] = '\0';
    }
    *end = stopped == CRM_IMPACT_CUT_SHORT ? stopped : CRM_IMPACT_DONE;
    return status;
}

crm_status crm_impact_notify(const crm_impact_problem *impact, uint64_t number, double lost,
                             const crm_observer *observer)
{
    if (observer == NULL || observer->impact == NULL) {
        return CRM_OK;
    }
    const crm_impact_report report = {.number = number,
                                      .time = impact->time,
                                      .contacts = impact->system.contacts,
                                      .gap = impact->gap,
                                      .party = impact->party,
                                      .closing_speed = impact->closing_speed,
                                      .impulse = impact->impulse,
                                      .peak_force = impact->has_forces ? impact->peak_force : NULL,
                                      .lost = lost,
                                      .result = impact->result,
                                      .kinematic = impact->kinematic,
                                      .kinetic = impact->kinetic,
                                      .energetic = impact->energetic,
                                      .unique = impact->unique};
    return observer->impact(observer->context, &report);
}
