/* From the impulses of any law to everything that follows from them: velocities, energies, the
 * account of where the energy went, and the verdicts.
 */
#include "outcome/outcome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/impulse.h"

/* Verdicts allow for rounding: relative to the gap velocities there are or stored energy makes, to
 * the impulses and energies, ... */
static const double VERDICT_TOLERANCE = 1e-10;
/* ... and to the terms whose sums the gap velocities are. */
static const double VERDICT_ROUNDING = 1e-14;

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* ---- The energy account ------------------------------------------------------------------- */

/* T- - T+ = -sum p_j (u_j- + u_j+)/2 + sum p_j w-hat_j, exactly (Thomson and Tait): a share per
 * contact for laws that know no course of the impact. The same holds of tangents.
 */
static void share_by_mean_velocity(const crm_problem *problem, crm_outcome *outcome)
{
    unsigned d = outcome->tangents;
    for (size_t j = 0; j < outcome->contacts; j++) {
        outcome->loss[j] =
            problem->model->stored_energy[j] -
            0.5 * outcome->impulse[j] * (problem->gap_velocity[j] + outcome->gap_velocity[j]);
        for (size_t k = d * j; k < d * (j + 1); k++) {
            outcome->loss_friction[j] -= 0.5 * outcome->tangential_impulse[k] *
                                         (problem->slip_velocity[k] + outcome->slip_velocity[k]);
        }
        if (d > 0) {
            outcome->loss[j] += outcome->loss_friction[j];
        }
    }
}

/* What the integration itself gained or lost goes to the contacts in proportion to the energy
 * that passed through them; p_j times the mean of |u-| and |u+| measures that for all laws.
 */
static void share_residual(const crm_problem *problem, crm_outcome *outcome, double residual)
{
    double total = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        total += fabs(outcome->impulse[j]) *
                 (fabs(problem->gap_velocity[j]) + fabs(outcome->gap_velocity[j]));
    }
    for (size_t j = 0; j < outcome->contacts && total > 0; j++) {
        outcome->loss[j] += residual * fabs(outcome->impulse[j]) *
                            (fabs(problem->gap_velocity[j]) + fabs(outcome->gap_velocity[j])) /
                            total;
    }
}

static void close_account(const crm_problem *problem, crm_outcome *outcome, bool law_knows_loss)
{
    const crm_model *model = problem->model;
    outcome->energy_before = crm_model_kinetic_energy(model, problem->velocity);
    outcome->energy_after = crm_model_kinetic_energy(model, outcome->velocity);
    outcome->stored_before = sum_of(model->stored_energy, model->contacts);
    outcome->boundary_work = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        outcome->boundary_work -= outcome->impulse[j] * model->boundary_velocity[j];
    }
    for (size_t k = 0; k < model->contacts * model->tangents; k++) {
        outcome->boundary_work -= outcome->tangential_impulse[k] *
                                  model->directions->boundary_velocity[k + 1 + k / model->tangents];
    }
    if (!law_knows_loss) {
        share_by_mean_velocity(problem, outcome);
        return;
    }
    double available = outcome->energy_before + outcome->stored_before + outcome->boundary_work;
    double residual = available - outcome->energy_after - outcome->energy_held -
                      sum_of(outcome->loss, outcome->contacts);
    outcome->energy_error = available > 0 ? fabs(residual) / available : 0;
    share_residual(problem, outcome, residual);
}

/* ---- Verdicts ------------------------------------------------------------------------------- */

/* The size of what u_j of before and after are sums of. */
static double summed(const crm_problem *problem, const crm_outcome *outcome, size_t j)
{
    const crm_model *model = problem->model;
    double sum = 2 * fabs(model->boundary_velocity[j]);
    for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
        size_t i = model->w_row[k];
        sum += fabs(model->w_value[k]) * (fabs(problem->velocity[i]) + fabs(outcome->velocity[i]));
    }
    return sum;
}

/* Rounding, and the error of the integration: as the law measured it, else as that of the
 * velocities suggests, T being of second degree in them.
 */
static double energy_allowance(const crm_outcome *outcome, double scale)
{
    if (!isnan(outcome->energy_unaccounted)) {
        return VERDICT_TOLERANCE * scale + outcome->energy_unaccounted;
    }
    double estimate = isnan(outcome->error_estimate) ? 0 : 2 * outcome->error_estimate;
    return fmax(VERDICT_TOLERANCE, estimate) * scale;
}

/* The largest gap velocity on the way. Stored energy E0 alone makes up to u_j = sqrt(2 E0 D_jj),
 * the largest w_j'v of all v with v'Mv/2 = E0.
 */
static double speed_scale(const crm_problem *problem, const crm_outcome *outcome)
{
    double speed = fmax(largest(problem->gap_velocity, outcome->contacts),
                        largest(outcome->gap_velocity, outcome->contacts));
    for (size_t j = 0; outcome->stored_before > 0 && j < outcome->contacts; j++) {
        double made = sqrt(2 * outcome->stored_before) * sqrt(problem->model->d_diagonal[j]);
        speed = fmax(speed, made);
    }
    return speed;
}

/* Is |Q| <= mu p? Impulses are added up at one contact: a rounding of p counts. */
static bool is_in_cone(const crm_problem *problem, const crm_outcome *outcome, size_t j,
                       double slack)
{
    double square = 0;
    for (unsigned k = 0; k < outcome->tangents; k++) {
        double q = outcome->tangential_impulse[j * outcome->tangents + k];
        square += q * q;
    }
    double most = outcome->tangents > 0 ? problem->model->friction[j] * outcome->impulse[j] : 0;
    return sqrt(square) <= most + slack;
}

static void judge(const crm_problem *problem, crm_outcome *outcome)
{
    double speed = speed_scale(problem, outcome);
    double impulse = largest(outcome->impulse, outcome->contacts);
    outcome->kinematic = true;
    outcome->kinetic = true;
    for (size_t j = 0; j < outcome->contacts; j++) {
        double slack = VERDICT_TOLERANCE * speed + VERDICT_ROUNDING * summed(problem, outcome, j);
        outcome->kinematic &= outcome->gap_velocity[j] >= -slack;
        outcome->kinetic &= outcome->impulse[j] >= -VERDICT_TOLERANCE * impulse &&
                            is_in_cone(problem, outcome, j, VERDICT_TOLERANCE * impulse);
    }
    double available = outcome->energy_before + outcome->stored_before + outcome->boundary_work;
    double scale = outcome->energy_before + outcome->stored_before + fabs(outcome->boundary_work);
    outcome->energetic = outcome->energy_after <= available + energy_allowance(outcome, scale);
}

/* ---- Overflow and NAN ------------------------------------------------------------------ */

static bool all_finite(const double *values, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        finite &= isfinite(values[i]) != 0;
    }
    return finite;
}

static void clear(double *values, size_t count)
{
    if (values != NULL) {
        memset(values, 0, count * sizeof *values);
    }
}

/* Numbers that are not finite are no answer, whatever led to them: the velocities stay as before.
 */
static void refuse_overflow(const crm_problem *problem, crm_outcome *outcome)
{
    size_t n = outcome->coordinates, s = outcome->contacts;
    size_t tangential = s * outcome->tangents;
    if (all_finite(outcome->impulse, s) && all_finite(outcome->velocity, n) &&
        all_finite(outcome->tangential_impulse, tangential) &&
        isfinite(crm_model_kinetic_energy(problem->model, outcome->velocity))) {
        return;
    }
    if (outcome->result == CRM_SOLVED || outcome->reason[0] == '\0') {
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the velocities or impulses grew beyond all numbers");
    }
    outcome->result = CRM_FAILED;
    outcome->error_estimate = NAN;
    outcome->duration = NAN;
    memcpy(outcome->velocity, problem->velocity, n * sizeof *outcome->velocity);
    clear(outcome->impulse, s);
    clear(outcome->loss, s);
    clear(outcome->tangential_impulse, tangential);
    clear(outcome->loss_friction, s);
    outcome->energy_held = 0;
    clear(outcome->peak_force, s);
    clear(outcome->contact_duration, s);
    clear(outcome->contact_restitution, s);
}

/* ---- All together --------------------------------------------------------------------------- */

static crm_status create_tangential(const crm_problem *problem, crm_outcome *outcome,
                                    crm_error *error)
{
    size_t count = outcome->contacts * outcome->tangents;
    outcome->tangential_impulse = CRM_TAKE(problem->outcome_pool, double, count);
    outcome->slip_velocity = CRM_TAKE(problem->outcome_pool, double, count);
    return outcome->tangential_impulse == NULL || outcome->slip_velocity == NULL ||
                   crm_outcome_want(problem, &outcome->loss_friction) == NULL
               ? crm_fail_memory(error)
               : CRM_OK;
}

static crm_status create(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    *outcome = (crm_outcome){.law = problem->settings->law,
                             .coordinates = model->coordinates,
                             .contacts = model->contacts,
                             .energy_error = NAN,
                             .energy_unaccounted = NAN,
                             .duration = NAN,
                             .error_estimate = NAN,
                             .unique = true,
                             .tangents = model->tangents,
                             .tangential_unique = true};
    outcome->velocity = CRM_TAKE(problem->outcome_pool, double, model->coordinates);
    if (outcome->velocity == NULL || crm_outcome_want(problem, &outcome->impulse) == NULL ||
        crm_outcome_want(problem, &outcome->gap_velocity) == NULL) {
        return crm_fail_memory(error);
    }
    memcpy(outcome->velocity, problem->velocity, model->coordinates * sizeof *outcome->velocity);
    return model->tangents > 0 ? create_tangential(problem, outcome, error) : CRM_OK;
}

/* The impulses of all directions, normal and tangential, contact after contact. */
static double *gather_impulses(const crm_problem *problem, const crm_outcome *outcome)
{
    unsigned d = outcome->tangents;
    double *all = CRM_TAKE(problem->pool, double, outcome->contacts *(1 + d));
    for (size_t j = 0; all != NULL && j < outcome->contacts; j++) {
        double *own = all + j * (1 + d);
        own[0] = outcome->impulse[j];
        memcpy(own + 1, outcome->tangential_impulse + d * j, d * sizeof *own);
    }
    return all;
}

static crm_status find_velocity(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    double *work = CRM_TAKE(problem->pool, double, 2 * outcome->coordinates);
    double *impulse = outcome->tangents > 0 ? gather_impulses(problem, outcome) : outcome->impulse;
    return work == NULL || impulse == NULL
               ? crm_fail_memory(error)
               : crm_model_add_impulse(outcome->tangents > 0 ? model->directions : model, impulse,
                                       outcome->velocity, work, error);
}

crm_status crm_outcome_finish(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    crm_status status = *problem->velocity_known ? CRM_OK : find_velocity(problem, outcome, error);
    if (status != CRM_OK) {
        return status;
    }
    refuse_overflow(problem, outcome);
    crm_model_gap_velocity(problem->model, outcome->velocity, outcome->gap_velocity);
    crm_model_slip_velocity(problem->model, outcome->velocity, outcome->slip_velocity);
    bool law_knows_loss = outcome->loss != NULL;
    if (!law_knows_loss && crm_outcome_want(problem, &outcome->loss) == NULL) {
        return crm_fail_memory(error);
    }
    close_account(problem, outcome, law_knows_loss);
    judge(problem, outcome);
    return CRM_OK;
}

/* Most laws know only the instant of impact, in which no gap changes. */
crm_status crm_outcome_check_gaps(const crm_law *law, const crm_model *model, crm_error *error)
{
    const double *gap = law->gaps ? NULL : model->gap;
    for (size_t j = 0; gap != NULL && j < model->contacts; j++) {
        if (gap[j] > 0) {
            return crm_fail(error, CRM_ERROR_OPTION, "gap",
                            "law %s knows contacts that touch alone, but contact %zu is %g apart; "
                            "compliant follows it across",
                            law->name, j + 1, gap[j]);
        }
    }
    return CRM_OK;
}

/* Friction is not left out in silence. */
static crm_status check_friction(const crm_law *law, const crm_model *model, crm_error *error)
{
    size_t j = 0;
    if (law->friction || model->friction == NULL) {
        return CRM_OK;
    }
    while (model->friction[j] == 0) {
        j++;
    }
    return crm_fail(error, CRM_ERROR_OPTION, "friction",
                    "law %s has no friction, but contact %zu has %g; lzb, moreau, newton, poisson "
                    "and binary take it",
                    law->name, j + 1, model->friction[j]);
}

/* u_t of a model without friction is empty. */
static crm_status find_slip(crm_problem *problem, crm_error *error)
{
    const crm_model *model = problem->model;
    problem->slip_velocity = NULL;
    if (model->tangents == 0) {
        return CRM_OK;
    }
    double *slip = CRM_TAKE(problem->pool, double, model->contacts * model->tangents);
    if (slip == NULL) {
        return crm_fail_memory(error);
    }
    crm_model_slip_velocity(model, problem->velocity, slip);
    problem->slip_velocity = slip;
    return CRM_OK;
}

crm_status crm_outcome_start(crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    double *gap_velocity = CRM_TAKE(problem->pool, double, model->contacts);
    if (gap_velocity == NULL) {
        return crm_fail_memory(error);
    }
    crm_model_gap_velocity(model, problem->velocity, gap_velocity);
    problem->gap_velocity = gap_velocity;
    *problem->velocity_known = false;
    crm_status status = crm_ranges_check_impact(model, problem->velocity, gap_velocity, error);
    if (status == CRM_OK) {
        status = crm_outcome_check_gaps(problem->settings->law, model, error);
    }
    if (status == CRM_OK) {
        status = check_friction(problem->settings->law, model, error);
    }
    if (status == CRM_OK) {
        status = find_slip(problem, error);
    }
    return status == CRM_OK ? create(problem, outcome, error) : status;
}
