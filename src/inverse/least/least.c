#include "inverse/least/least.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "inverse/least/svd.h"

enum { ITERATIONS_MOST = 200, TRIALS_MOST = 40 };
/* Converged when no step is predicted to reduce the sum of squares by more than this part: the
 * unknowns would change by a ten thousandth of their uncertainties.
 */
static const double FALL_LEAST = 1e-8;
/* Where no step reduces the sum, which is never quite smooth, this part is near enough. */
static const double NEAR = 1e-4;
/* Steps by this part of an unknown change nothing. */
static const double STEP = 1e-12;
/* Dampings that are tried, relative to the largest singular value squared: from practically none,
 * by this factor, up to steps along the gradient.
 */
static const double DAMPING_LEAST = 1e-12, DAMPING_FACTOR = 100, DAMPING_MOST = 1e4;
/* Residuals are as good as linear if every step reduces the sum as predicted within this part,
 * except steps with a predicted fall below that part of the first sum.
 */
static const double LINEAR = 0.1, COUNTS = 1e-4;
/* The damping at the beginning, beside the largest singular value squared. */
static const double DAMPING = 1e-3;

typedef struct search {
    const crm_least *problem;
    double *x, *r, *jacobian;
    double *norm;         /* of each column, the largest so far */
    double *a, *s, *v;    /* of the scaled Jacobian: A = U S V' */
    double *along;        /* U'r */
    double *step, *trial; /* unknowns */
    double *trial_r;      /* residuals */
    bool *held;
    double sum, damping;
    double first; /* the sum at the beginning */
    bool nonlinear;
} search;

static double square(const double *r, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += r[i] * r[i];
    }
    return sum;
}

/* ---- The local problem ---------------------------------------------------------------------- */

static void scale(search *s)
{
    size_t n = s->problem->unknowns, m = s->problem->residuals;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++) {
            sum += s->jacobian[i * n + j] * s->jacobian[i * n + j];
        }
        s->norm[j] = fmax(s->norm[j], sqrt(sum));
    }
}

/* Unknowns at a bound that descent would cross. */
static void find_held(search *s)
{
    const crm_least *p = s->problem;
    for (size_t j = 0; j < p->unknowns; j++) {
        double slope = 0;
        for (size_t i = 0; i < p->residuals; i++) {
            slope += s->jacobian[i * p->unknowns + j] * s->r[i];
        }
        s->held[j] = (s->x[j] <= p->from[j] && slope > 0) || (s->x[j] >= p->to[j] && slope < 0) ||
                     s->norm[j] == 0;
    }
}

/* The scaled Jacobian of those that are free, taken apart. */
static void factor(search *s)
{
    size_t n = s->problem->unknowns, m = s->problem->residuals;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            s->a[i * n + j] = s->held[j] ? 0 : s->jacobian[i * n + j] / s->norm[j];
        }
    }
    crm_svd(m, n, s->a, s->s, s->v);
    for (size_t k = 0; k < n; k++) {
        s->along[k] = 0;
        for (size_t i = 0; i < m && s->s[k] > 0; i++) {
            s->along[k] += s->a[i * n + k] / s->s[k] * s->r[i];
        }
    }
}

/* The damped step, cut at the bounds. */
static void take_step(search *s, double damping)
{
    const crm_least *p = s->problem;
    size_t n = p->unknowns;
    for (size_t j = 0; j < n; j++) {
        double step = 0;
        for (size_t k = 0; k < n && !s->held[j]; k++) {
            double sk = s->s[k];
            step -= sk > 0 ? s->v[j * n + k] * sk / (sk * sk + damping) * s->along[k] : 0;
        }
        double x = s->held[j] ? s->x[j] : s->x[j] + step / s->norm[j];
        s->trial[j] = fmin(fmax(x, p->from[j]), p->to[j]);
        s->step[j] = s->trial[j] - s->x[j];
    }
}

/* By how much the sum of squares would fall if the residuals were linear. */
static double predicted_fall(const search *s)
{
    size_t n = s->problem->unknowns, m = s->problem->residuals;
    double sum = 0;
    for (size_t i = 0; i < m; i++) {
        double r = s->r[i];
        for (size_t j = 0; j < n; j++) {
            r += s->jacobian[i * n + j] * s->step[j];
        }
        sum += r * r;
    }
    return s->sum - sum;
}

static bool is_short(const search *s)
{
    for (size_t j = 0; j < s->problem->unknowns; j++) {
        if (fabs(s->step[j]) > STEP * fabs(s->x[j])) {
            return false;
        }
    }
    return true;
}

/* ---- From point to point -------------------------------------------------------------------- */

typedef enum move { MOVED, ARRIVED, STUCK } move;

/* By how much the sum could still fall. A step that is cut at the bounds may have no predicted fall
 * where a shorter one has.
 */
static double fall_left(search *s)
{
    double most = 0;
    for (double damping = DAMPING_LEAST; damping < DAMPING_MOST; damping *= DAMPING_FACTOR) {
        take_step(s, damping * s->s[0] * s->s[0]);
        most = fmax(most, predicted_fall(s));
    }
    return most;
}

/* Whether a step that counts in the whole made the sum fall otherwise than linear residuals do. */
static bool is_nonlinear(const search *s, double predicted, double ratio)
{
    return predicted > COUNTS * s->first && !(fabs(ratio - 1) <= LINEAR);
}

static void damp(search *s, double ratio) /* Nielsen's rule */
{
    double t = 2 * ratio - 1;
    s->damping *= fmax(1.0 / 3, 1 - t * t * t);
}

/* One step that makes the sum of squares fall, with as much damping as that takes. */
static crm_status advance(search *s, move *how, crm_error *error)
{
    const crm_least *p = s->problem;
    double up = 2, rest = fall_left(s);
    *how = rest <= FALL_LEAST * s->sum + p->rounding ? ARRIVED : STUCK;
    for (int trial = 0; trial < TRIALS_MOST && *how == STUCK; trial++) {
        take_step(s, s->damping);
        double predicted = predicted_fall(s);
        if (is_short(s)) {
            break;
        }
        crm_status status = predicted > 0
                                ? p->evaluate(p->context, s->trial, s->trial_r, NULL, error)
                                : CRM_ERROR_MODEL;
        if (status != CRM_OK && status != CRM_ERROR_MODEL) {
            return status;
        }
        double sum = status == CRM_OK ? square(s->trial_r, p->residuals) : INFINITY;
        double ratio = (s->sum - sum) / predicted;
        s->nonlinear = s->nonlinear || is_nonlinear(s, predicted, ratio);
        if (ratio > 1e-4) {
            damp(s, ratio);
            memcpy(s->x, s->trial, p->unknowns * sizeof *s->x);
            *how = MOVED;
            return CRM_OK;
        }
        s->damping *= up;
        up *= 2;
    }
    *how = rest <= NEAR * s->sum ? ARRIVED : *how;
    return CRM_OK;
}

static crm_status refresh(search *s, crm_error *error)
{
    const crm_least *p = s->problem;
    crm_status status = p->evaluate(p->context, s->x, s->r, s->jacobian, error);
    if (status == CRM_OK) {
        s->sum = square(s->r, p->residuals);
        scale(s);
        find_held(s);
        factor(s);
    }
    return status;
}

static crm_status search_all(search *s, crm_least_end *end, crm_error *error)
{
    crm_status status = refresh(s, error);
    s->damping = status == CRM_OK ? DAMPING * s->s[0] * s->s[0] : 0;
    s->first = s->sum;
    move how = MOVED;
    for (end->iterations = 0; end->iterations < ITERATIONS_MOST && status == CRM_OK;
         end->iterations++) {
        status = advance(s, &how, error);
        if (status != CRM_OK || how != MOVED) {
            break;
        }
        status = refresh(s, error);
    }
    end->converged = status == CRM_OK && how == ARRIVED;
    end->sum = s->sum;
    end->linear = !s->nonlinear;
    return status;
}

crm_status crm_least_solve(const crm_least *problem, double *x, double *r, double *jacobian,
                           crm_least_end *end, crm_error *error)
{
    size_t n = problem->unknowns, m = problem->residuals;
    double *room = CRM_NEW(double, n *m + n * n + 5 * n + m);
    bool *held = CRM_NEW(bool, n);
    *end = (crm_least_end){0};
    crm_status status = room != NULL && held != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        search s = {.problem = problem, .x = x, .r = r, .jacobian = jacobian, .held = held};
        s.a = room;
        s.v = s.a + n * m;
        s.s = s.v + n * n;
        s.norm = s.s + n;
        s.along = s.norm + n;
        s.step = s.along + n;
        s.trial = s.step + n;
        s.trial_r = s.trial + n;
        status = search_all(&s, end, error);
    }
    free(room);
    free(held);
    return status;
}
