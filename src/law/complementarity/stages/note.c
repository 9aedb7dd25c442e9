/* What a careful reader should know of an answer. */
#include <math.h>

#include "law/complementarity/stages/stages.h"

/* Energy made and speeds of closing below these parts of what the impact handles are rounding. */
static const double GAIN_TOLERANCE = 1e-10;
static const double CLOSING_TOLERANCE = 1e-10;
/* A norm this much larger than the least is worth a word. */
static const double NORM_TOLERANCE = 1e-6;

/* The impulse, and the velocity before, of a normal or tangent. */
static double impulse_of(const crm_stages *stages, size_t entry)
{
    const crm_outcome *outcome = stages->outcome;
    size_t s = outcome->contacts;
    return entry < s ? outcome->impulse[entry] : outcome->tangential_impulse[entry - s];
}

static double velocity_of(const crm_stages *stages, size_t entry)
{
    const crm_problem *problem = stages->problem;
    size_t s = stages->outcome->contacts;
    return entry < s ? problem->gap_velocity[entry] : problem->slip_velocity[entry - s];
}

/* T+ - T- - (work of the boundaries) = sum p_j (u_j- + u_j+)/2, exactly. With u_j+ what the law
 * prescribes where p_j > 0, nothing is left of the solver's rounding, which the many contacts of a
 * long chain would add up.
 */
static void note_gain(const crm_stages *stages, const crm_twofold *after, const char *cause)
{
    crm_outcome *outcome = stages->outcome;
    double gain = 0, handled = 0;
    for (size_t k = 0; k < stages->entries; k++) {
        double half = 0.5 * impulse_of(stages, k), before = velocity_of(stages, k);
        gain += half * (before + after[k].high);
        handled += fabs(half) * (fabs(before) + fabs(after[k].high));
    }
    if (cause != NULL && gain > GAIN_TOLERANCE * handled) {
        double energy = crm_model_kinetic_energy(stages->problem->model, stages->problem->velocity);
        crm_note_add(outcome,
                     "The law makes %.4g J of energy from nothing (%.3g J before), because %s.",
                     gain, energy, cause);
    }
}

static void note_closing(const crm_stages *stages, const crm_twofold *after, const char *cause)
{
    crm_outcome *outcome = stages->outcome;
    const double *before = stages->problem->gap_velocity;
    double speed = 0;
    size_t worst = 0, count = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        speed = fmax(speed, fmax(fabs(before[j]), fabs(after[j].high)));
    }
    for (size_t j = 0; j < outcome->contacts; j++) {
        count += after[j].high < -CLOSING_TOLERANCE * speed;
        worst = after[j].high < after[worst].high ? j : worst;
    }
    if (cause != NULL && count > 0) {
        crm_note_add(outcome,
                     "%zu contact%s close%s after the impact (contact %zu at %.4g m/s), because "
                     "%s.",
                     count, count > 1 ? "s" : "", count > 1 ? "" : "s", worst + 1,
                     -after[worst].high, cause);
    }
}

static void note_choice(const crm_stages *stages)
{
    crm_outcome *outcome = stages->outcome;
    if (outcome->unique || stages->cones != NULL) {
        return; /* what friction leaves open is said in answers.c */
    }
    crm_note_add(outcome, "The contacts depend on each other, so that the impulses are not "
                          "unique; those with the least sum of D_jj p_j^2 are given.");
    if (stages->norm_excess > NORM_TOLERANCE) {
        crm_note_add(outcome, "(That sum is within a part %.1g of the least.)",
                     stages->norm_excess);
    }
}

static void note_stored_energy(const crm_stages *stages)
{
    const crm_model *model = stages->problem->model;
    double stored = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        stored += model->stored_energy[j];
    }
    if (stored > 0) {
        crm_note_add(stages->outcome,
                     "The law knows no stored energy: the %.4g J in the contacts count as lost.",
                     stored);
    }
}

void crm_stages_note(const crm_stages *stages, const crm_twofold *after,
                     const crm_law_causes *causes)
{
    if (stages->outcome->result == CRM_SOLVED) {
        note_gain(stages, after, stages->cones != NULL ? causes->gain_by_friction : causes->gain);
        note_closing(stages, after, causes->closing);
        note_choice(stages);
    }
    note_stored_energy(stages);
}
