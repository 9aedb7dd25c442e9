/* compliant: springs and dashpots with real gaps, the second-order reference. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "law/compliant/compliant.h"
#include "model/impulse.h"

/* A step is held to this part of the tolerance asked for, and to no less than rounding allows. */
static const double STEP_SHARE = 2e-4;
static const double FINEST = 1e-15;
/* The error is estimated from a second run that is asked for this much less. If it is too large,
 * the next is asked for this much more.
 */
static const double COARSER = 100;
/* A third run beside the finest. */
static const double THIRD = 4;
static const double MOST_ERROR = 0.1;

/* ---- Error estimate ------------------------------------------------------------------------- */

/* The largest term of a sum that a gap velocity is. */
static double largest_term(const crm_model *model, const double *velocity)
{
    double most = 0;
    for (size_t k = 0; k < model->w_start[model->contacts]; k++) {
        double term = fabs(model->w_value[k] * velocity[model->w_row[k]]);
        most = term > most ? term : most; /* gcc 12 for arm64 crashes at a loop of fmax */
    }
    return most;
}

/* Largest difference of the velocities that two sets of impulses lead to, as a speed of gaps. */
static crm_status velocity_difference(const crm_model *model, const double *p, const double *q,
                                      double *difference, crm_error *error)
{
    double *change = CRM_NEW(double, model->contacts),
           *work = CRM_NEW(double, 3 * model->coordinates);
    crm_status status = change != NULL && work != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        for (size_t j = 0; j < model->contacts; j++) {
            change[j] = p[j] - q[j];
        }
        status = crm_model_change_as_gap_speed(model, p, change, work, difference, error);
    }
    free(change);
    free(work);
    return status;
}

/* One integration. */
typedef struct attempt {
    double step_tolerance;
    crm_outcome outcome;
    compliant_account account;
} attempt;

/* `empty`: an outcome without results. */
static crm_status try_once(const crm_problem *problem, const compliant_options *options,
                           double step_tolerance, const crm_outcome *empty, attempt *a,
                           crm_error *error)
{
    *a = (attempt){.step_tolerance = step_tolerance, .outcome = *empty};
    if (crm_outcome_want(problem, &a->outcome.impulse) == NULL) {
        return crm_fail_memory(error);
    }
    compliant_options matched = *options;
    matched.tolerance *= step_tolerance / options->step_tolerance;
    return compliant_run(problem, &matched, step_tolerance, &a->outcome, &a->account, error);
}

/* A small error early on may grow on the way, in flights above all: a run that is allowed larger
 * ones shows by how much. Its difference from this run is some COARSER times the error of this one,
 * and taken whole, for the proportion is rough and two errors may agree by chance. For the same
 * reason what the steps are known to have left is added, with the closed tail and rounding.
 */
static crm_status estimate(const crm_problem *problem, const attempt *fine, const attempt *other,
                           double *result, crm_error *error)
{
    const crm_outcome *outcome = &fine->outcome;
    double difference = 0, speed = fine->account.speed;
    crm_status status = velocity_difference(problem->model, outcome->impulse,
                                            other->outcome.impulse, &difference, error);
    double terms = largest_term(problem->model, problem->velocity);
    double rounding = DBL_EPSILON * sqrt((double)outcome->steps) * fmax(1, terms / speed);
    *result = other->outcome.result == CRM_SOLVED
                  ? difference / speed + fine->account.defect + outcome->tail_speed + rounding
                  : INFINITY;
    return status;
}

/* Where rounding is what grows, two runs are as good as each other: a third shows whether they
 * agree by chance.
 */
static crm_status compare_with_third(const crm_problem *problem, const compliant_options *options,
                                     const crm_outcome *empty, attempt *fine, crm_error *error)
{
    attempt third;
    double beside = 0;
    crm_status status =
        try_once(problem, options, THIRD * fine->step_tolerance, empty, &third, error);
    if (status == CRM_OK) {
        status = estimate(problem, fine, &third, &beside, error);
        fine->outcome.error_estimate = fmax(fine->outcome.error_estimate, beside);
        fine->outcome.evaluations += third.outcome.evaluations;
    }
    return status;
}

/* Finer and finer, until the tolerance is met or rounding is all there is. */
static crm_status refine(const crm_problem *problem, const compliant_options *options,
                         const crm_outcome *empty, attempt *fine, crm_error *error)
{
    double step_tolerance = COARSER * options->step_tolerance;
    crm_status status = try_once(problem, options, step_tolerance, empty, fine, error);
    if (status != CRM_OK || !(fine->account.speed > 0)) {
        fine->outcome.error_estimate = 0;
        return status;
    }
    do {
        attempt coarse = *fine;
        step_tolerance = fmax(step_tolerance / COARSER, FINEST);
        status = try_once(problem, options, step_tolerance, empty, fine, error);
        fine->outcome.evaluations += coarse.outcome.evaluations;
        if (status != CRM_OK || fine->outcome.result != CRM_SOLVED) {
            if (!isnan(
                    coarse.outcome.error_estimate)) { /* an answer, if not as good as asked for */
                *fine = coarse;
            }
            return status;
        }
        status = estimate(problem, fine, &coarse, &fine->outcome.error_estimate, error);
        if (status != CRM_OK || fine->outcome.error_estimate <= options->tolerance) {
            return status;
        }
    } while (step_tolerance > FINEST);
    return compare_with_third(problem, options, empty, fine, error);
}

/* An answer that may be wrong by a tenth of the motion is none. */
static void refuse_guesses(crm_outcome *outcome)
{
    if (outcome->result == CRM_SOLVED && !(outcome->error_estimate <= MOST_ERROR)) {
        outcome->result = CRM_FAILED;
        crm_snprintf(
            outcome->reason, sizeof outcome->reason,
            "compliant: errors grow on the way to %.2g of the closing speed; the state reached "
            "is given",
            outcome->error_estimate);
    }
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    compliant_options options;
    attempt best, shown;
    crm_status status = compliant_options_read(problem, &options, outcome, error);
    if (status != CRM_OK) {
        return status;
    }
    options.step_tolerance = fmax(STEP_SHARE * options.tolerance, FINEST);
    crm_problem unwatched = *problem;
    unwatched.recorder = NULL;
    status = refine(&unwatched, &options, outcome, &best, error);
    if (status == CRM_OK && problem->recorder != NULL) { /* shown the run that counts, no other */
        status = try_once(problem, &options, best.step_tolerance, outcome, &shown, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    *outcome = best.outcome;
    outcome->energy_unaccounted = best.account.energy;
    if (best.account.speed > 0) {
        refuse_guesses(outcome);
    }
    return CRM_OK;
}

extern const crm_law crm_law_compliant;
const crm_law crm_law_compliant = {
    .name = "compliant",
    .summary = "Springs and dashpots at the contacts, with gaps that open and close: the reference",
    .description =
        "Each contact is a spring K x^eta, with one of several models of how it loses energy, that "
        "pushes only while it is compressed; the motion is integrated until all contacts have "
        "separated for good. A contact that opened has to close its gap before it acts again, "
        "which is the one difference from lzb where contacts are elastic or hysteretic. Without "
        "damping and with one exponent the outcome depends on stiffness ratios, not on stiffness.",
    .equation = "M v' = W λ,  x' = c = −(Wᵀv + ŵ)  unless said otherwise,  λ ≥ 0 always\n"
                "elastic:        λ = K x^η\n"
                "kelvin-voigt:   λ = K x^η + C x^(η−1) c\n"
                "hunt-crossley:  λ = K x^η (1 + χ c)\n"
                "maxwell:        λ = K x^η,  x' = c − λ/C\n"
                "zener:          λ = x^(η−1) (K x + K₁ z),  z' = c − (K₁/C) z\n"
                "hysteretic:     λ = K x^η,  x' = c/e² where c < 0\n"
                "x ≤ 0:          λ = 0, z = 0",
    .assumptions =
        "Gap rates are W'v with the W at the instant of impact; no friction. With a restitution "
        "below 1 and no model chosen contacts are hysteretic. Damping that is not given is the one "
        "with which a contact alone, struck at the largest closing speed of those connected, "
        "rebounds with its restitution; given damping leaves the restitution without use. Always "
        "u+ >= 0, p >= 0 and T+ <= T-. Histories show only the ends of free flights.",
    .restitution =
        "energetic or none, by model: e of a contact alone, at any speed where hysteretic",
    .reference =
        "V. Acary, B. Brogliato, Proc. MIT Conf. on Computational Fluid and Solid Mechanics "
        "(2003) 1836-1841, and C. Liu, Z. Zhao, B. Brogliato, Proc. R. Soc. A 465 (2009) "
        "1-23, for chains without damping.",
    .parameters = compliant_options_table,
    .parameter_count = COMPLIANT_PARAMETERS,
    .solve = solve,
    .single = compliant_options_single,
    .gaps = true};
