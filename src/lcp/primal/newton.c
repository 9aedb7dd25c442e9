/* The proximal problem by Newton's method with exact line search.
 *
 * p = max(0, c - (C'x - b)/delta) turns it into the unconstrained minimum of
 *
 *     f(x) = x'x/2 + (delta/2) sum_j max(0, c_j - (c_j'x - b_j)/delta)^2,
 *
 * strongly convex and quadratic in pieces, with a piece for each set A of contacts at work.
 * Newton's method asks for the minimum of the piece in hand, (I + C_A C_A'/delta) x = C_A (c +
 * b/delta); the search along the way there makes f fall in each step, so that no piece comes back
 * and the method ends after finitely many, from any start (D. P. Bertsekas, Constrained
 * Optimization and Lagrange Multiplier Methods (1982); X. Li, D. Sun, K.-C. Toh, SIAM J. Optim. 28
 * (2018)). From a set that is nearly right it ends in a few.
 *
 * The condensed matrix has lost 1/delta of the digits; the answer has not, because corrections are
 * made from residuals of C'C p - b + delta (p - c), which knows nothing of the condensing.
 */
#include <math.h>
#include <string.h>

#include "lcp/primal/inner.h"

/* Residuals of the linear system, relative to its terms, that need no correction. */
static const double REFINED = 2.3e-16;
enum { MAX_REFINEMENTS = 6 };
/* A sign is wrong only beyond this part of the terms. */
static const double SIGN = 1e-14;
/* The search along a line: where its slope has fallen to this part, in so many steps. */
static const double FLAT = 1e-9;
enum { MAX_SEARCH = 40 };

/* ---- The minimum of one piece ---------------------------------------------------------------- */

static double largest(const double *x, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* What is missing of C'C p - b + delta (p - c) = 0 in the set, to `change`; the largest of it. */
static double find_missing(crm_primal *primal, size_t contacts, double delta)
{
    for (size_t j = 0; j < contacts; j++) {
        primal->change[j] = primal->active[j]
                                ? -(primal->slack[j] + delta * (primal->p[j] - primal->centre[j]))
                                : 0;
    }
    return largest(primal->change, contacts);
}

/* (D_AA + delta) dp = r by (I + C_A C_A'/delta) d = C_A r/delta, dp = (r - C_A'd)/delta. */
static void correct(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    size_t size = crm_primal_coordinates(&problem->shape);
    crm_primal_apply(problem, primal->change, primal->dx);
    for (size_t i = 0; i < size; i++) {
        primal->dx[i] /= delta;
    }
    crm_primal_factor_solve(primal->factor, primal->dx);
    for (size_t j = 0; j < problem->contacts; j++) {
        if (primal->active[j]) {
            double along = crm_primal_dot(problem, j, primal->dx);
            primal->p[j] += (primal->change[j] - along) / delta;
        }
    }
}

static void look(crm_primal *primal, const crm_primal_problem *problem)
{
    crm_primal_apply(problem, primal->p, primal->target);
    crm_primal_slack(primal, problem, primal->target, primal->slack);
}

static bool factor(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    size_t bytes = problem->contacts * sizeof *primal->active;
    if (primal->has_factor && primal->factored_delta == delta &&
        memcmp(primal->factored, primal->active, bytes) == 0) {
        return true;
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->weight[j] = primal->active[j] ? 1 / delta : 0;
    }
    primal->has_factor = crm_primal_factor_set(primal->factor, problem, primal->weight);
    primal->factored_delta = delta;
    memcpy(primal->factored, primal->active, bytes);
    primal->info->factorizations++;
    return primal->has_factor;
}

/* p, target = C p and slack of the piece of primal->active. */
static bool solve_piece(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    if (!factor(primal, problem, delta)) {
        return false;
    }
    primal->info->sets++;
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->p[j] = primal->active[j] ? primal->centre[j] : 0;
    }
    look(primal, problem);
    double missing = find_missing(primal, problem->contacts, delta);
    for (unsigned round = 0; round <= MAX_REFINEMENTS; round++) {
        double last = missing;
        correct(primal, problem, delta);
        look(primal, problem);
        missing = find_missing(primal, problem->contacts, delta);
        double terms = 1 + largest(primal->target, crm_primal_coordinates(&problem->shape));
        if (missing <= REFINED * terms || missing > 0.5 * last) {
            break;
        }
    }
    return isfinite(missing);
}

/* ---- From piece to piece --------------------------------------------------------------------- */

/* Contacts on the wrong side; all of them change sides. */
static size_t exchange(crm_primal *primal, size_t contacts, double delta)
{
    size_t wrong = 0;
    for (size_t j = 0; j < contacts; j++) {
        double size = 1 + primal->p[j];
        bool is_wrong = primal->active[j]
                            ? primal->p[j] < -SIGN * size
                            : primal->slack[j] - delta * primal->centre[j] < -SIGN * size;
        primal->active[j] ^= is_wrong;
        wrong += is_wrong;
    }
    return wrong;
}

/* A line x + t d: its slack, and f along it. */
typedef struct line {
    const crm_primal *primal;
    size_t contacts;
    double delta;
    const double *slack, *change;
    double x_d, d_d;
} line;

static double slope(const line *l, double t, double *curvature)
{
    double sum = l->x_d + t * l->d_d, bend = l->d_d;
    for (size_t j = 0; j < l->contacts; j++) {
        double p = l->primal->centre[j] - (l->slack[j] + t * l->change[j]) / l->delta;
        if (p > 0) {
            sum -= l->change[j] * p;
            bend += l->change[j] * l->change[j] / l->delta;
        }
    }
    *curvature = bend;
    return sum;
}

/* Where f is least in (0, 1]: its slope is linear in pieces and grows. */
static double search(const line *l)
{
    double bend, low = 0, high = 1;
    double first = slope(l, 0, &bend), now = slope(l, 1, &bend), t = 1;
    for (unsigned count = 0; count < MAX_SEARCH && now > FLAT * fabs(first); count++) {
        high = t;
        double next = t - now / bend; /* of the piece at t; not beyond the root on its other side */
        t = next > low && next < high ? next : 0.5 * (low + high);
        now = slope(l, t, &bend);
        while (now < -FLAT * fabs(first) && count++ < MAX_SEARCH) {
            low = t;
            next = t - now / bend;
            t = next > low && next < high ? next : 0.5 * (low + high);
            now = slope(l, t, &bend);
        }
    }
    return t;
}

/* From x towards the target; slack follows, and the set. `slack` is that of the target on entry. */
static void go(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    size_t size = crm_primal_coordinates(&problem->shape);
    line l = {.primal = primal, .contacts = problem->contacts, .delta = delta};
    for (size_t i = 0; i < size; i++) {
        primal->dx[i] = primal->target[i] - primal->x[i];
        l.x_d += primal->x[i] * primal->dx[i];
        l.d_d += primal->dx[i] * primal->dx[i];
    }
    crm_primal_slack(primal, problem, primal->x, primal->change); /* where it begins */
    for (size_t j = 0; j < problem->contacts; j++) {
        double there = primal->slack[j];
        primal->slack[j] = primal->change[j];
        primal->change[j] = there - primal->change[j];
    }
    l.slack = primal->slack;
    l.change = primal->change;
    double t = search(&l);
    for (size_t i = 0; i < size; i++) {
        primal->x[i] += t * primal->dx[i];
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        double slack = primal->slack[j] + t * primal->change[j];
        primal->active[j] = slack < delta * primal->centre[j];
    }
}

bool crm_primal_newton(crm_primal *primal, const crm_primal_problem *problem, double delta,
                       unsigned patience)
{
    size_t bytes = crm_primal_coordinates(&problem->shape) * sizeof(double);
    for (unsigned count = 0; count < patience; count++) {
        if (!solve_piece(primal, problem, delta)) {
            return false;
        }
        if (exchange(primal, problem->contacts, delta) == 0) {
            memcpy(primal->x, primal->target, bytes);
            return true;
        }
        if (count == 0) { /* nowhere to begin a line yet */
            memcpy(primal->x, primal->target, bytes);
        } else {
            go(primal, problem, delta);
        }
    }
    return false;
}
