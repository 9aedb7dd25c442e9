/* The driver of LZB with error control: which of the two integrators follows an impact.
 *
 *     island ──► engine/      few contacts: Gauss collocation from event to event
 *       │          │
 *       │          ▼ many lossy contacts at work
 *       └────► extrapolation.c  many contacts, or stiff ones: extrapolated leapfrog; substeps that
 *                               pass through events (capturing/)
 *
 * Both work on the same state (state/state.h), so that one can continue where the other stops.
 * Where errors may have grown the impact is repeated with other steps (repeat.c).
 */
#include "law/lzb/driver/integrator.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "law/lzb/bonds/bonds.h"
#include "law/lzb/driver/extrapolation.h"
#include "law/lzb/driver/islands.h"
#include "law/lzb/engine/gauss.h"
#include "law/lzb/state/bodies.h"
#include "law/lzb/state/line.h"
#include "model/impulse.h"

/* An outcome known to no better than this is not known. */
static const double MOST_ERROR = 0.1;
/* Up to so many contacts the engine takes less time (bench_few): two to four times less, but for
 * lines of contacts, in which the extrapolated leapfrog takes a multiplication or two for each. Of
 * those fewer are for the engine where the tolerance is loose, since its steps are no longer for
 * it, and where most of the energy is lost by so many that they can be captured at the end.
 */
enum { FEW_CONTACTS = 20, FEW_TO_BE_CAPTURED = 12, FEW_IF_LOOSE = 12, FEW_IF_COARSE = 6 };
static const double LOOSE_TOLERANCE = 1e-5, COARSE_TOLERANCE = 3e-4;
/* The mean of e, in the logarithm, below which a group loses most of its energy. */
static const double MOST_LOST = 0.75;

/* What is kept for the next impact is what extrapolation keeps. */
crm_status lzb_integrator_create_kept(void **kept, crm_error *error)
{
    *kept = CRM_NEW(lzb_extrapolation *, 1);
    return *kept != NULL ? CRM_OK : crm_fail_memory(error);
}

void lzb_integrator_free_kept(void *kept)
{
    if (kept != NULL) {
        lzb_extrapolation_free(*(lzb_extrapolation **)kept);
        free(kept);
    }
}

static bool loses_most(const lzb_state *state)
{
    double sum = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        sum += crm_log(fmax(state->model->restitution[j], DBL_MIN));
    }
    return sum < (double)state->contacts * crm_log(MOST_LOST);
}

/* Of a line. */
static size_t few_contacts(const lzb_options *options, const lzb_state *state)
{
    if (options->tolerance > LOOSE_TOLERANCE) {
        return options->tolerance > COARSE_TOLERANCE ? FEW_IF_COARSE : FEW_IF_LOOSE;
    }
    bool captured = state->contacts > FEW_TO_BE_CAPTURED && loses_most(state);
    return captured ? FEW_TO_BE_CAPTURED : FEW_CONTACTS;
}

static bool are_few(const lzb_options *options, const lzb_state *state)
{
    return state->contacts <= FEW_IF_COARSE ||
           (state->contacts <= FEW_CONTACTS &&
            (state->contacts <= few_contacts(options, state) || !lzb_line_fits(state->model)));
}

static bool is_for_engine(const lzb_options *options, const lzb_state *state)
{
    return options->scheme == LZB_GAUSS || state->memory != NULL ||
           state->model->friction != NULL ||
           (crm_model_has_delassus(state->model) && are_few(options, state) &&
            !lzb_bonds_suit(state));
}

crm_status lzb_integrator_follow(const crm_problem *problem, const lzb_options *options,
                                 lzb_run *run, crm_outcome *outcome, crm_error *error)
{
    lzb_extrapolation **extrapolation = problem->kept;
    lzb_state state;
    lzb_history history;
    crm_status status = lzb_state_create(problem, options->stiffness_model, &state, outcome, error);
    outcome->duration = 0;
    outcome->error_estimate = 0;
    if (status != CRM_OK || !(state.speed > 0)) {
        return status;
    }
    run->speed = state.speed;
    run->known = run->unmeasured = run->step = 0;
    status = problem->model->friction == NULL ? lzb_bodies_begin(&state, options->tolerance, error)
                                              : CRM_OK;
    if (status == CRM_OK) {
        status = lzb_history_create(problem, &history, error);
    }
    bool left = true;
    if (status == CRM_OK && is_for_engine(options, &state)) {
        status = lzb_gauss_follow(problem, options, run, &state, &history, &left, outcome, error);
    }
    return status == CRM_OK && left ? lzb_extrapolation_follow(problem, options, extrapolation, run,
                                                               &state, &history, outcome, error)
                                    : status;
}

/* One island, and what is known of its outcome. */
static crm_status solve_island(const crm_problem *problem, const lzb_options *options,
                               crm_outcome *outcome, const double **remainder, crm_error *error)
{
    crm_outcome blank = *outcome;
    lzb_run run = {.effort = 1, .coarseness = 1};
    crm_status status = lzb_integrator_follow(problem, options, &run, outcome, error);
    bool solved = status == CRM_OK && outcome->result == CRM_SOLVED;
    if (solved && run.stiff && outcome->error_estimate > options->tolerance) {
        status = lzb_repeat_stiff(problem, options, &blank, &run, outcome, error);
    } else if (solved && (run.magnifies || lzb_repeat_is_undecided(&run, outcome))) {
        status = lzb_repeat_finer(problem, options, &blank, &run, outcome, error);
    }
    *remainder = run.remainder;
    return status;
}

/* v+ of the impulses and of what rounding has left of them. */
static crm_status move(const crm_problem *problem, const double *remainder, crm_outcome *outcome,
                       crm_error *error)
{
    double *work = CRM_TAKE(problem->pool, double, 2 * outcome->coordinates);
    if (work == NULL) {
        return crm_fail_memory(error);
    }
    *problem->velocity_known = true;
    return crm_model_add_split_impulse(problem->model, outcome->impulse, remainder,
                                       outcome->velocity, work, error);
}

static void refuse_guesses(crm_outcome *outcome)
{
    if (outcome->result == CRM_SOLVED && outcome->error_estimate > MOST_ERROR) {
        outcome->result = CRM_NOT_TERMINATED;
        crm_snprintf(outcome->reason, sizeof outcome->reason,
                     "known only to %.2g of the largest closing speed; the state reached is given",
                     outcome->error_estimate);
    }
}

/* A history is a run of its own, all islands together, whose outcome is discarded: to be watched
 * changes nothing. It comes first, for the recorder may have seen enough before the end.
 */
static crm_status show(const crm_problem *problem, const lzb_options *options,
                       const crm_outcome *blank, crm_error *error)
{
    crm_outcome shown = *blank;
    lzb_run run = {.effort = 1, .coarseness = 1};
    if (crm_outcome_want(problem, &shown.impulse) == NULL) {
        return crm_fail_memory(error);
    }
    return lzb_integrator_follow(problem, options, &run, &shown, error);
}

crm_status lzb_integrator_solve(const crm_problem *problem, const lzb_options *options,
                                crm_outcome *outcome, crm_error *error)
{
    bool compliance = crm_model_has_compliance(problem->model);
    if ((options->scheme == LZB_GAUSS || compliance) && !crm_model_has_delassus(problem->model)) {
        return crm_fail(error, CRM_ERROR_OPTION, "scheme",
                        "gauss needs D, which is too full here to be stored: %s",
                        compliance ? "contacts with a compliance of their own cannot be followed"
                                   : "use auto");
    }
    crm_status status = problem->recorder != NULL ? show(problem, options, outcome, error) : CRM_OK;
    crm_problem unwatched = *problem;
    unwatched.recorder = NULL;
    const double *remainder = NULL;
    if (status == CRM_OK) {
        status = lzb_islands_solve(&unwatched, options, solve_island, outcome, &remainder, error);
    }
    if (status == CRM_OK && remainder != NULL && problem->model->friction == NULL) {
        status = move(problem, remainder, outcome, error);
    }
    refuse_guesses(outcome);
    return status;
}
