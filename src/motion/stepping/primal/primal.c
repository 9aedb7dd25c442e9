/* From the proximal problem to the problem itself.
 *
 * The proximal point method (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976)): the solution for
 * one centre is the next centre. It converges for every delta, each time by the factor
 * delta/(delta + smallest nonzero eigenvalue of D); the residual is delta (p - c). Contacts may
 * depend on each other: p moves along the dependences only as far as signs require.
 */
#include "motion/stepping/primal/primal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/twofold.h"
#include "motion/stepping/primal/internal.h"

/* Residuals: at rounding; so small that no other method is tried; accepted as a solution. */
static const double ROUNDED = 1e-15, GOOD = 1e-11, SOLVED = 1e-10;
/* Small beside the nonzero eigenvalues of D, so that few centres are needed; refinement still
 * corrects the loss of accuracy of the condensed matrix.
 */
static const double DELTA = 1e-8;
static const double MOST_DELTA = 1e-4, WIDER = 100;
/* Limits of sets and centres: from a guess that should be nearly right, and from the interior-point
 * method, from which a set that converges does so within a dozen.
 */
enum { NEAR_SETS = 5, NEAR_CENTRES = 6, FAR_SETS = 15, FAR_CENTRES = 30 };

/* ---- Life ------------------------------------------------------------------------------------ */

crm_status crm_primal_create(crm_primal **out, crm_error *error)
{
    *out = NULL;
    crm_primal *primal = CRM_NEW(crm_primal, 1);
    if (primal == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_primal_factor_create(&primal->factor, error);
    if (status != CRM_OK) {
        crm_primal_free(primal);
        return status;
    }
    *out = primal;
    return CRM_OK;
}

static void release(crm_primal *primal)
{
    free(primal->active);
    free(primal->factored);
    free(primal->b);
    free(primal->p);
    free(primal->centre);
    free(primal->best);
    free(primal->start);
    free(primal->slack);
    free(primal->change);
    free(primal->weight);
    free(primal->interior);
    free(primal->x);
    free(primal->dx);
    free(primal->low);
    free(primal->target);
}

void crm_primal_free(crm_primal *primal)
{
    if (primal != NULL) {
        release(primal);
        crm_primal_factor_free(primal->factor);
        free(primal);
    }
}

static crm_status make_room(crm_primal *primal, size_t contacts, size_t coordinates,
                            crm_error *error)
{
    if (contacts <= primal->contacts && coordinates <= primal->coordinates) {
        return CRM_OK;
    }
    release(primal);
    contacts += contacts / 2;
    coordinates += coordinates / 2;
    primal->active = CRM_NEW(bool, contacts);
    primal->factored = CRM_NEW(bool, contacts);
    primal->b = CRM_NEW(double, contacts);
    primal->p = CRM_NEW(double, contacts);
    primal->centre = CRM_NEW(double, contacts);
    primal->best = CRM_NEW(double, contacts);
    primal->start = CRM_NEW(double, contacts);
    primal->slack = CRM_NEW(double, contacts);
    primal->change = CRM_NEW(double, contacts);
    primal->weight = CRM_NEW(double, contacts);
    primal->interior = CRM_NEW(double, CRM_PRIMAL_INTERIOR *contacts);
    primal->x = CRM_NEW(double, coordinates);
    primal->dx = CRM_NEW(double, coordinates);
    primal->low = CRM_NEW(double, coordinates);
    primal->target = CRM_NEW(double, coordinates);
    bool made = primal->active != NULL && primal->factored != NULL && primal->b != NULL &&
                primal->p != NULL && primal->centre != NULL && primal->best != NULL &&
                primal->start != NULL && primal->slack != NULL && primal->change != NULL &&
                primal->weight != NULL && primal->interior != NULL && primal->x != NULL &&
                primal->dx != NULL && primal->low != NULL && primal->target != NULL;
    primal->contacts = made ? contacts : 0;
    primal->coordinates = made ? coordinates : 0;
    return made ? CRM_OK : crm_fail_memory(error);
}

/* ---- Products -------------------------------------------------------------------------------- */

static uint32_t count_of(const crm_primal_shape *shape, uint32_t block)
{
    return shape->first[block + 1] - shape->first[block];
}

double crm_primal_dot(const crm_primal_problem *problem, size_t j, const double *x)
{
    const crm_primal_contact *c = &problem->contact[j];
    const double *value = problem->value + c->start;
    double sum = 0;
    for (unsigned side = 0; side < 2 && c->block[side] != CRM_PRIMAL_NOBODY; side++) {
        const double *own = x + problem->shape.first[c->block[side]];
        uint32_t count = count_of(&problem->shape, c->block[side]);
        for (uint32_t k = 0; k < count; k++) {
            sum += value[k] * own[k];
        }
        value += count;
    }
    return sum;
}

void crm_primal_apply(const crm_primal_problem *problem, const double *p, double *x)
{
    memset(x, 0, crm_primal_coordinates(&problem->shape) * sizeof *x);
    for (size_t j = 0; j < problem->contacts; j++) {
        const crm_primal_contact *c = &problem->contact[j];
        const double *value = problem->value + c->start;
        for (unsigned side = 0; side < 2 && p[j] != 0 && c->block[side] != CRM_PRIMAL_NOBODY;
             side++) {
            double *own = x + problem->shape.first[c->block[side]];
            uint32_t count = count_of(&problem->shape, c->block[side]);
            for (uint32_t k = 0; k < count; k++) {
                own[k] += value[k] * p[j];
            }
            value += count;
        }
    }
}

void crm_primal_slack(const crm_primal *primal, const crm_primal_problem *problem, const double *x,
                      double *slack)
{
    for (size_t j = 0; j < problem->contacts; j++) {
        slack[j] = crm_primal_dot(problem, j, x) - primal->b[j];
    }
}

/* The same in twice the working precision: the signs of p and w depend on sums that cancel and are
 * divided by delta.
 */
static void add_exactly(const crm_primal_problem *problem, size_t j, double p, double *x,
                        double *low)
{
    const crm_primal_contact *c = &problem->contact[j];
    const double *value = problem->value + c->start;
    for (unsigned side = 0; side < 2 && c->block[side] != CRM_PRIMAL_NOBODY; side++) {
        size_t first = problem->shape.first[c->block[side]];
        uint32_t count = count_of(&problem->shape, c->block[side]);
        for (uint32_t k = 0; k < count; k++) {
            crm_twofold product = crm_two_product(value[k], p);
            crm_twofold sum = crm_two_sum(x[first + k], product.high);
            x[first + k] = sum.high;
            low[first + k] += sum.low + product.low;
        }
        value += count;
    }
}

static double slack_exactly(const crm_primal_problem *problem, size_t j, double b, const double *x,
                            const double *low)
{
    const crm_primal_contact *c = &problem->contact[j];
    const double *value = problem->value + c->start;
    double high = -b, rest = 0;
    for (unsigned side = 0; side < 2 && c->block[side] != CRM_PRIMAL_NOBODY; side++) {
        size_t first = problem->shape.first[c->block[side]];
        uint32_t count = count_of(&problem->shape, c->block[side]);
        for (uint32_t k = 0; k < count; k++) {
            crm_twofold product = crm_two_product(value[k], x[first + k]);
            crm_twofold sum = crm_two_sum(high, product.high);
            high = sum.high;
            rest += sum.low + product.low + value[k] * low[first + k];
        }
        value += count;
    }
    return high + rest;
}

void crm_primal_exact_residual(crm_primal *primal, const crm_primal_problem *problem,
                               const double *p, double *x)
{
    size_t size = crm_primal_coordinates(&problem->shape);
    memset(x, 0, size * sizeof *x);
    memset(primal->low, 0, size * sizeof *x);
    for (size_t j = 0; j < problem->contacts; j++) {
        if (p[j] != 0) {
            add_exactly(problem, j, p[j], x, primal->low);
        }
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->slack[j] = slack_exactly(problem, j, primal->b[j], x, primal->low);
    }
}

/* ---- Residuals ------------------------------------------------------------------------------- */

/* The residual of given p >= 0; x and slack are set to match. p_j is less than what is summed in
 * w_j, so that the residual is over- rather than underestimated.
 */
static double residual_of(crm_primal *primal, const crm_primal_problem *problem, const double *p)
{
    double worst = 0, top = 0;
    crm_primal_exact_residual(primal, problem, p, primal->x);
    for (size_t j = 0; j < problem->contacts; j++) {
        top = fmax(top, fabs(primal->b[j]));
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        worst = fmax(worst, fabs(fmin(p[j], primal->slack[j])) / (top + p[j]));
    }
    return isfinite(worst) ? worst : INFINITY;
}

/* The p in hand, cut to p >= 0, is the best if it is. */
static double keep_if_better(crm_primal *primal, const crm_primal_problem *problem)
{
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->centre[j] = fmax(0, primal->p[j]);
    }
    double residual = residual_of(primal, problem, primal->centre);
    if (residual < primal->info->residual) {
        primal->info->residual = residual;
        memcpy(primal->best, primal->centre, problem->contacts * sizeof *primal->best);
    }
    return residual;
}

/* ---- Centre by centre ------------------------------------------------------------------------ */

static bool iterate_centres(crm_primal *primal, const crm_primal_problem *problem, double delta,
                            unsigned centres, unsigned sets_most)
{
    double last = INFINITY;
    for (unsigned count = 0; count < centres; count++) {
        if (!crm_primal_exchange(primal, problem, delta, sets_most)) {
            break;
        }
        double residual = keep_if_better(primal, problem);
        if (residual <= ROUNDED || residual > 0.9 * last) {
            break;
        }
        last = residual;
    }
    return primal->info->residual <= GOOD;
}

/* From the loaded contacts of the guess. */
static bool solve_near(crm_primal *primal, const crm_primal_problem *problem)
{
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->active[j] = primal->centre[j] > 0 || primal->b[j] > 0;
    }
    return iterate_centres(primal, problem, DELTA, NEAR_CENTRES, NEAR_SETS);
}

/* From the best there is. */
static void restart(crm_primal *primal, const crm_primal_problem *problem)
{
    memcpy(primal->centre, primal->best, problem->contacts * sizeof *primal->best);
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->active[j] = primal->best[j] > 0;
    }
}

/* From the end of the central path. Where the set does not settle, a larger delta makes a problem
 * that is easier, at the price of more centres, or of a second try from where that ends.
 */
static bool solve_far(crm_primal *primal, const crm_primal_problem *problem)
{
    memcpy(primal->centre, primal->start, problem->contacts * sizeof *primal->centre);
    crm_primal_interior(primal, problem);
    memcpy(primal->p, primal->centre, problem->contacts * sizeof *primal->p);
    keep_if_better(primal, problem);
    bool solved = iterate_centres(primal, problem, DELTA, FAR_CENTRES, FAR_SETS);
    for (double delta = WIDER * DELTA; delta <= MOST_DELTA && !solved; delta *= WIDER) {
        restart(primal, problem);
        solved = iterate_centres(primal, problem, delta, FAR_CENTRES, FAR_SETS);
        if (!solved) {
            restart(primal, problem);
            solved = iterate_centres(primal, problem, DELTA, FAR_CENTRES, FAR_SETS);
        }
    }
    return solved;
}

static crm_status solve_by_dual(crm_primal *primal, const crm_primal_problem *problem,
                                bool *infeasible, crm_error *error)
{
    primal->info->by_dual = true;
    crm_status status = crm_primal_solve_dual(problem, primal->b, primal->p, infeasible, error);
    if (status == CRM_OK && !*infeasible) {
        keep_if_better(primal, problem);
    }
    return status;
}

/* ---- The call -------------------------------------------------------------------------------- */

/* b with its largest entry near 1, by a power of two. Returns the unit; 0: nothing closes. */
static double scale_in(crm_primal *primal, const crm_primal_problem *problem)
{
    double top = 0;
    bool closes = false;
    for (size_t j = 0; j < problem->contacts; j++) {
        top = fmax(top, fabs(problem->contact[j].bound));
        closes |= problem->contact[j].bound > 0;
    }
    int exponent = 0;
    frexp(top, &exponent);
    double unit = closes ? ldexp(1, exponent) : 0;
    for (size_t j = 0; j < problem->contacts && closes; j++) {
        primal->b[j] = problem->contact[j].bound / unit;
        double start = problem->p[j] / unit;
        primal->centre[j] = start > 0 && isfinite(start) ? start : 0;
        primal->start[j] = primal->centre[j];
        primal->best[j] = 0;
    }
    return unit;
}

static void scale_out(crm_primal *primal, const crm_primal_problem *problem, double unit)
{
    primal->info->residual = residual_of(primal, problem, primal->best);
    for (size_t j = 0; j < problem->contacts; j++) {
        problem->p[j] = primal->best[j] * unit;
    }
    crm_primal_apply(problem, problem->p, problem->x);
}

static crm_status solve(crm_primal *primal, const crm_primal_problem *problem, double unit,
                        crm_error *error)
{
    bool infeasible = false;
    primal->has_factor = false;
    primal->info->residual = INFINITY;
    crm_status status = crm_primal_factor_shape(primal->factor, &problem->shape, error);
    if (status == CRM_OK && !solve_near(primal, problem) && !solve_far(primal, problem) &&
        primal->info->residual > SOLVED) {
        status = solve_by_dual(primal, problem, &infeasible, error);
    }
    if (status == CRM_OK) {
        scale_out(primal, problem, unit);
        primal->info->result = infeasible                         ? CRM_PRIMAL_INFEASIBLE
                               : primal->info->residual <= SOLVED ? CRM_PRIMAL_SOLVED
                                                                  : CRM_PRIMAL_FAILED;
    }
    return status;
}

crm_status crm_primal_solve(crm_primal *primal, const crm_primal_problem *problem,
                            crm_primal_info *info, crm_error *error)
{
    size_t coordinates = crm_primal_coordinates(&problem->shape);
    *info = (crm_primal_info){.result = CRM_PRIMAL_SOLVED};
    primal->info = info;
    crm_status status = make_room(primal, problem->contacts, coordinates, error);
    if (status != CRM_OK) {
        return status;
    }
    double unit = scale_in(primal, problem);
    if (unit == 0) { /* x = 0 will do */
        memset(problem->p, 0, problem->contacts * sizeof *problem->p);
        memset(problem->x, 0, coordinates * sizeof *problem->x);
        return CRM_OK;
    }
    return solve(primal, problem, unit, error);
}
