/* What the laws by complementarity share: the call to the solver, and an honest note. */
#include "law/complementarity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Energy made and speeds of closing below these parts of what the impact handles are rounding. */
static const double GAIN_TOLERANCE = 1e-10;
static const double CLOSING_TOLERANCE = 1e-10;
/* A norm this much larger than the least is worth a word. */
static const double NORM_TOLERANCE = 1e-6;
/* Contacts whose part in an impossible demand is smaller are not named. */
static const double PART_TOLERANCE = 1e-6;
enum { CONTACTS_NAMED = 6 };

/* ---- Not solved ----------------------------------------------------------------------------- */

/* d >= 0 with D d = 0 and q'd < 0: whatever p, d'(D p + q) = q'd < 0, so that the contacts with
 * d_j > 0 cannot all have w_j >= 0.
 */
static void refuse_infeasible(const crm_model *model, const double *d, crm_outcome *outcome)
{
    char names[128] = "";
    size_t length = 0, named = 0, more = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double part = d[j] * (model->d_diagonal[j] > 0 ? sqrt(model->d_diagonal[j]) : 1.0);
        if (part <= PART_TOLERANCE) {
            continue;
        }
        if (named == CONTACTS_NAMED) {
            more++;
            continue;
        }
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%zu",
                                   named++ > 0 ? ", " : "", j + 1);
    }
    if (more > 0) {
        snprintf(names + length, sizeof names - length, " and %zu more", more);
    }
    outcome->result = CRM_INFEASIBLE;
    snprintf(outcome->reason, sizeof outcome->reason,
             "no impulses do what the law asks: contact%s %s cannot all part as fast as it demands",
             named > 1 ? "s" : "", names);
}

static void refuse_endless(const crm_lcp_info *info, crm_outcome *outcome)
{
    outcome->result = CRM_NOT_TERMINATED;
    snprintf(outcome->reason, sizeof outcome->reason,
             "the complementarity solver gave up after %zu sets of contacts, at a relative "
             "residual of %.2g",
             info->iterations, info->relative_residual);
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        if (!isfinite(values[j])) {
            return false;
        }
    }
    return true;
}

/* ---- One problem after another -------------------------------------------------------------- */

crm_status crm_stages_begin(crm_stages *stages, crm_error *error)
{
    const crm_model *model = stages->problem->model;
    crm_outcome *outcome = stages->outcome;
    if (!crm_model_has_delassus(model)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the Delassus matrix of the %zu contacts is too full to be stored, and law %s "
                 "needs it",
                 model->contacts, outcome->law->name);
        return CRM_OK;
    }
    return crm_lcp_create_for_model(model, &stages->lcp, error);
}

void crm_stages_end(crm_stages *stages)
{
    crm_lcp_free(stages->lcp);
    stages->lcp = NULL;
}

static void account(crm_stages *stages, const crm_lcp_info *info)
{
    crm_outcome *outcome = stages->outcome;
    outcome->steps += info->pivots;
    outcome->unique &= info->unique;
    outcome->error_estimate = fmax(outcome->error_estimate, info->relative_residual); /* from NAN */
    stages->norm_excess = fmax(stages->norm_excess, info->norm_excess);
}

crm_status crm_stages_solve(crm_stages *stages, const double *q, double *p, double *w,
                            crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    size_t s = outcome->contacts;
    if (outcome->result != CRM_SOLVED) {
        return CRM_OK;
    }
    if (!all_finite(q, s)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the velocities are too large to be computed with");
        return CRM_OK;
    }
    crm_lcp_info info;
    crm_status status = crm_lcp_solve(stages->lcp, q, NULL, p, w, &info, error);
    if (status != CRM_OK) {
        return status;
    }
    account(stages, &info);
    if (info.result == CRM_LCP_INFEASIBLE) {
        refuse_infeasible(stages->problem->model, p, outcome);
        memset(p, 0, s * sizeof *p);
        memcpy(w, q, s * sizeof *w);
    } else if (info.result == CRM_LCP_NOT_TERMINATED) {
        refuse_endless(&info, outcome);
    }
    for (size_t j = 0; j < s; j++) {
        w[j] = p[j] > 0 ? 0 : w[j];
    }
    return CRM_OK;
}

/* ---- The note ------------------------------------------------------------------------------- */

void crm_note_add(crm_outcome *outcome, const char *format, ...)
{
    size_t length = strlen(outcome->note);
    if (length > 0 && length + 1 < sizeof outcome->note) {
        outcome->note[length++] = ' ';
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->note + length, sizeof outcome->note - length, format, arguments);
    va_end(arguments);
}

/* T+ - T- - (work of the boundaries) = sum p_j (u_j- + u_j+)/2, exactly. With u_j+ what the law
 * prescribes where p_j > 0, nothing is left of the solver's rounding, which the many contacts of a
 * long chain would add up.
 */
static void remark_gain(const crm_stages *stages, const double *after, const char *cause)
{
    crm_outcome *outcome = stages->outcome;
    const double *before = stages->problem->gap_velocity;
    double gain = 0, handled = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        double half = 0.5 * outcome->impulse[j];
        gain += half * (before[j] + after[j]);
        handled += half * (fabs(before[j]) + fabs(after[j]));
    }
    if (cause != NULL && gain > GAIN_TOLERANCE * handled) {
        double energy = crm_model_kinetic_energy(stages->problem->model, stages->problem->velocity);
        crm_note_add(outcome,
                     "The law makes %.4g J of energy from nothing (%.3g J before), because %s.",
                     gain, energy, cause);
    }
}

static void remark_closing(const crm_stages *stages, const double *after, const char *cause)
{
    crm_outcome *outcome = stages->outcome;
    const double *before = stages->problem->gap_velocity;
    double speed = 0;
    size_t worst = 0, count = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        speed = fmax(speed, fmax(fabs(before[j]), fabs(after[j])));
    }
    for (size_t j = 0; j < outcome->contacts; j++) {
        count += after[j] < -CLOSING_TOLERANCE * speed;
        worst = after[j] < after[worst] ? j : worst;
    }
    if (cause != NULL && count > 0) {
        crm_note_add(outcome,
                     "%zu contact%s close%s after the impact (contact %zu at %.4g m/s), because "
                     "%s.",
                     count, count > 1 ? "s" : "", count > 1 ? "" : "s", worst + 1, -after[worst],
                     cause);
    }
}

static void remark_choice(const crm_stages *stages)
{
    crm_outcome *outcome = stages->outcome;
    if (outcome->unique) {
        return;
    }
    crm_note_add(outcome, "The contacts depend on each other, so that the impulses are not "
                          "unique; those with the least sum of D_jj p_j^2 are given.");
    if (stages->norm_excess > NORM_TOLERANCE) {
        crm_note_add(outcome, "(That sum is within a part %.1g of the least.)",
                     stages->norm_excess);
    }
}

static void remark_stored_energy(const crm_stages *stages)
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

void crm_stages_remark(const crm_stages *stages, const double *after, const crm_law_causes *causes)
{
    if (stages->outcome->result == CRM_SOLVED) {
        remark_gain(stages, after, causes->gain);
        remark_closing(stages, after, causes->closing);
        remark_choice(stages);
    }
    remark_stored_energy(stages);
}

/* ---- Newton's family --------------------------------------------------------------------------
 */

/* q and after: s entries of work space each. */
static crm_status solve_newton(crm_stages *stages, const double *rebound, double *q, double *after,
                               const crm_law_causes *causes, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    for (size_t j = 0; j < outcome->contacts; j++) {
        q[j] = stages->problem->gap_velocity[j] - rebound[j];
    }
    crm_status status = crm_stages_solve(stages, q, outcome->impulse, after, error);
    if (status != CRM_OK) {
        return status;
    }
    for (size_t j = 0; j < outcome->contacts; j++) {
        after[j] += rebound[j];
    }
    crm_stages_remark(stages, after, causes);
    return CRM_OK;
}

crm_status crm_newton_solve(const crm_problem *problem, const double *rebound,
                            const crm_law_causes *causes, crm_outcome *outcome, crm_error *error)
{
    double *q = CRM_NEW(double, outcome->contacts);
    double *after = CRM_NEW(double, outcome->contacts);
    crm_stages stages = {.problem = problem, .outcome = outcome};
    crm_status status =
        q != NULL && after != NULL ? crm_stages_begin(&stages, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = solve_newton(&stages, rebound, q, after, causes, error);
    }
    crm_stages_end(&stages);
    free(q);
    free(after);
    return status;
}
