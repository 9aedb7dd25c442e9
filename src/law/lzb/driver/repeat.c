/* How accurate is an outcome in which contacts were held as bonds (bonds/bonds.h)?
 *
 * A contact that is given up at a speed v may have been anywhere in its swing, and the bound on
 * what that does to the outcome, v for every time, is most often far too large: a swing dies away
 * with the force on it (its action v^3/f stays the same while the force goes slowly), and is seldom
 * cut short at its highest speed. Sometimes it is too small: a light ball between others multiplies
 * errors. So, when the bound is above the tolerance, the impact is repeated with less effort, and
 * the difference of the outcomes estimates the error of the better one. While that is not enough,
 * and steps are cheap, more effort is made.
 */
#include "law/lzb/driver/repeat.h"

#include "model/impulse.h"

/* From one run to the next the speeds of the swings that are followed go down by about this factor.
 */
static const double FURTHER = 4;
/* The coarser of two outcomes has the larger error; but both may have the same one in common. */
static const double SAFETY = 2;
/* The tolerance goes down with more effort, so that not even the first steps are the same; but not
 * to where speeds that count as none would be rounding errors.
 */
static const double FINEST_TOLERANCE = 1e-12;
/* No further effort that would take more steps than this, times contacts: some seconds. */
static const double WORTH_IT = 4e6;

/* The same impact from the beginning. */
static crm_status repeat(const crm_problem *problem, const lzb_options *options,
                         const crm_outcome *blank, lzb_run *run, crm_outcome *outcome,
                         crm_error *error)
{
    *outcome = *blank;
    if (crm_outcome_want(problem, &outcome->impulse) == NULL) {
        return crm_fail_memory(error);
    }
    return lzb_integrator_follow(problem, options, run, outcome, error);
}

/* The largest difference of a velocity, relative to the closing speed. */
static crm_status compare(const crm_problem *problem, const crm_outcome *a, const lzb_run *to_a,
                          const crm_outcome *b, const lzb_run *to_b, double *difference,
                          crm_error *error)
{
    const crm_model *model = problem->model;
    crm_pool *pool = problem->pool;
    size_t each = 1 + model->tangents;
    double *work = CRM_TAKE(pool, double, 3 * model->coordinates),
           *change = CRM_TAKE(pool, double, model->contacts *each),
           *impulse = each > 1 ? CRM_TAKE(pool, double, model->contacts *each) : a->impulse;
    if (work == NULL || change == NULL || impulse == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts; j++) {
        impulse[j * each] = a->impulse[j];
        change[j * each] =
            (a->impulse[j] - b->impulse[j]) + (to_a->remainder[j] - to_b->remainder[j]);
        for (size_t k = 1; k < each; k++) {
            size_t t = j * model->tangents + k - 1;
            impulse[j * each + k] = a->tangential_impulse[t];
            change[j * each + k] = a->tangential_impulse[t] - b->tangential_impulse[t];
        }
    }
    crm_status status = crm_model_change_as_gap_speed(each > 1 ? model->directions : model, impulse,
                                                      change, work, difference, error);
    *difference /= to_a->speed;
    return status;
}

/* Would more effort help? The errors of the steps themselves grow with their number. */
static bool needs_effort(const crm_problem *problem, const lzb_options *options, const lzb_run *run,
                         double difference, const crm_outcome *outcome)
{
    return SAFETY * difference > fmax(options->tolerance, run->known) &&
           FURTHER * (double)outcome->steps * (double)problem->model->contacts < WORTH_IT;
}

crm_status lzb_repeat_stiff(const crm_problem *problem, const lzb_options *options,
                            const crm_outcome *blank, lzb_run *run, crm_outcome *outcome,
                            crm_error *error)
{
    lzb_options rougher = *options, finer = *options;
    rougher.tolerance *= FURTHER;
    lzb_run rough = {.effort = run->effort / FURTHER, .coarseness = 1};
    crm_outcome other;
    double difference;
    crm_status status = repeat(problem, &rougher, blank, &rough, &other, error);
    if (status != CRM_OK || other.result != CRM_SOLVED) {
        return status; /* nothing learnt: the bound stays */
    }
    status = compare(problem, outcome, run, &other, &rough, &difference, error);
    outcome->error_estimate = run->known + SAFETY * difference;
    while (status == CRM_OK && needs_effort(problem, options, run, difference, outcome)) {
        lzb_run next = {.effort = FURTHER * run->effort, .coarseness = run->coarseness};
        finer.tolerance = fmax(finer.tolerance / FURTHER, FINEST_TOLERANCE);
        status = repeat(problem, &finer, blank, &next, &other, error);
        if (status != CRM_OK || other.result != CRM_SOLVED || other.steps == outcome->steps) {
            return status; /* it makes no difference */
        }
        status = compare(problem, outcome, run, &other, &next, &difference, error);
        other.error_estimate = next.known + SAFETY * difference;
        *outcome = other;
        *run = next;
    }
    return status;
}

/* ---- Errors that grow ------------------------------------------------------------------------ */

/* How much finer than the other the steps of one of two runs are. */
static const double FINER = 25;
/* Errors fall with those of the steps, in proportion or, where the run comes close to events that
 * it might have missed, less so; with their root at least.
 */
static const double FINER_AT_LEAST = 5;
/* The part of the tolerance that the error may take up before finer steps are tried. */
static const double ENOUGH = 0.3;

/* The margin of a decision must be so many times the error: the estimate is of the outcome's
 * velocities, not of that instant.
 */
static const double CLEARLY = 30;

bool lzb_repeat_is_undecided(const lzb_run *run, const crm_outcome *outcome)
{
    return run->margin < CLEARLY * (outcome->error_estimate - run->unmeasured);
}

static bool is_small(const crm_outcome *outcome)
{
    return outcome->contacts <= LZB_CONFIRMED_CONTACTS;
}

static bool can_be_finer(const lzb_run *run)
{
    return run->step > 2 * LZB_FINEST;
}

static bool is_doubtful(const lzb_options *options, const lzb_run *run, const crm_outcome *outcome)
{
    return (is_small(outcome) && outcome->error_estimate > ENOUGH * options->tolerance) ||
           lzb_repeat_is_undecided(run, outcome);
}

/* Runs that end with other numbers of compressions have diverged on the way; that two outcomes
 * agree may then be chance, if their velocities are few.
 */
static bool have_diverged(const crm_outcome *a, const crm_outcome *b)
{
    const double alike = 0.02;
    double all = 0, apart = 0;
    for (size_t j = 0; j < a->contacts; j++) {
        all += a->compressions[j];
        apart += fabs((double)a->compressions[j] - b->compressions[j]);
    }
    return apart > alike * all;
}

/* *difference: the largest so far. */
static crm_status compare_third(const crm_problem *problem, const lzb_options *options,
                                const crm_outcome *blank, const lzb_run *run,
                                const crm_outcome *outcome, double *difference, crm_error *error)
{
    lzb_run third = {.effort = run->effort, .coarseness = FINER_AT_LEAST * run->coarseness};
    crm_outcome other;
    double another;
    crm_status status = repeat(problem, options, blank, &third, &other, error);
    if (status != CRM_OK || other.result != CRM_SOLVED) {
        return status;
    }
    status = compare(problem, outcome, run, &other, &third, &another, error);
    *difference = fmax(*difference, another);
    return status;
}

/* Errors of a step grow by a factor that is not known. They do so in a run with coarser steps
 * alike: the difference tells.
 */
crm_status lzb_repeat_finer(const crm_problem *problem, const lzb_options *options,
                            const crm_outcome *blank, lzb_run *run, crm_outcome *outcome,
                            crm_error *error)
{
    lzb_run coarse = {.effort = run->effort, .coarseness = FINER * run->coarseness};
    crm_outcome other;
    double difference;
    crm_status status = repeat(problem, options, blank, &coarse, &other, error);
    if (status != CRM_OK || other.result != CRM_SOLVED) {
        return status;
    }
    status = compare(problem, outcome, run, &other, &coarse, &difference, error);
    if (status == CRM_OK && is_small(outcome) && have_diverged(outcome, &other)) {
        status = compare_third(problem, options, blank, run, outcome, &difference, error);
    }
    outcome->error_estimate += difference / FINER_AT_LEAST;
    while (status == CRM_OK && is_doubtful(options, run, outcome) && can_be_finer(run)) {
        lzb_run next = {.effort = run->effort, .coarseness = run->coarseness / FINER};
        status = repeat(problem, options, blank, &next, &other, error);
        if (status != CRM_OK || other.result != CRM_SOLVED) {
            return status;
        }
        status = compare(problem, outcome, run, &other, &next, &difference, error);
        other.error_estimate += difference / FINER_AT_LEAST;
        *outcome = other;
        *run = next;
    }
    return status;
}
