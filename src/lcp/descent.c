/* Descent over active sets: the bold step of block pivoting where it lowers f, the cautious one
 * of C. L. Lawson and R. J. Hanson (Solving Least Squares Problems, 1974, ch. 23) where not.
 *
 * Let x be the solution that belongs to the set F. Bold: p := max(x, 0), F := everything active or
 * with v < 0; taken only if f falls. Cautious: from a p that is minimal over its own F, one
 * contact with v < 0 joins F; p moves towards x until a contact is about to pull, which leaves F;
 * again until x is reached, p being minimal over its F once more and f lower than before.
 */
#include "lcp/descent.h"

#include <math.h>
#include <string.h>

typedef struct descent {
    crm_lcp_pivoting *pivoting;
    size_t size;
    double *point; /* p >= 0 */
    double *v;     /* of point */
    double *trial; /* max(x, 0) */
    double *trial_v;
    size_t last_iteration;
} descent;

/* v and size of any p >= 0, by way of the pivoting's own arrays. */
static void evaluate(const descent *search, const double *p, double *v)
{
    crm_lcp_pivoting *pivoting = search->pivoting;
    memcpy(pivoting->p, p, search->size * sizeof(double));
    crm_lcp_matrix_residual(pivoting->matrix, pivoting->p, pivoting->q, pivoting->floor,
                            pivoting->w, pivoting->size);
    for (size_t k = 0; k < search->size; k++) {
        v[k] = crm_lcp_pivot_v(pivoting, k);
    }
}

/* Whether f(trial) - f(point) = (trial - point)'(v_trial + v_point) / 2 is negative, beyond the
 * rounding of this sum.
 */
static bool is_lower(const descent *search)
{
    double sum = 0.0;
    double terms = 0.0;
    for (size_t k = 0; k < search->size; k++) {
        double term = (search->trial[k] - search->point[k]) * (search->trial_v[k] + search->v[k]);
        sum += term;
        terms += fabs(term);
    }
    return sum < -1e-14 * terms;
}

static void adopt_trial(descent *search)
{
    memcpy(search->point, search->trial, search->size * sizeof(double));
    memcpy(search->v, search->trial_v, search->size * sizeof(double));
}

typedef enum joining { JOIN_NONE, JOIN_WORST, JOIN_ALL } joining;

/* F = {p > 0}, joined by no contact of wrong v, the worst (relative to its terms) or all. Expects
 * the pivoting's arrays to hold the point. Returns whether any has a wrong v.
 */
static bool choose_set(descent *search, joining join)
{
    crm_lcp_pivoting *pivoting = search->pivoting;
    size_t worst = SIZE_MAX;
    double least = 0.0;
    for (size_t k = 0; k < search->size; k++) {
        pivoting->active[k] = false;
        bool wrong = search->point[k] <= 0.0 && crm_lcp_pivot_wrong(pivoting, k);
        pivoting->active[k] = search->point[k] > 0.0 || (wrong && join == JOIN_ALL);
        if (wrong && search->v[k] / pivoting->size[k] < least) {
            least = search->v[k] / pivoting->size[k];
            worst = k;
        }
    }
    if (worst != SIZE_MAX && join == JOIN_WORST) {
        pivoting->active[worst] = true;
        pivoting->pivots++;
    }
    return worst != SIZE_MAX;
}

/* The point moves towards x = pivoting->p as far as it stays >= 0; contacts that reach 0 leave F.
 * Returns whether x was reached.
 */
static bool walk_towards(descent *search)
{
    crm_lcp_pivoting *pivoting = search->pivoting;
    double part = 1.0;
    for (size_t k = 0; k < search->size; k++) {
        if (pivoting->active[k] && crm_lcp_pivot_wrong(pivoting, k)) {
            part = fmin(part, search->point[k] / (search->point[k] - pivoting->p[k]));
        }
    }
    for (size_t k = 0; k < search->size; k++) {
        bool leaves = false;
        if (pivoting->active[k] && crm_lcp_pivot_wrong(pivoting, k)) {
            leaves = search->point[k] / (search->point[k] - pivoting->p[k]) <= part;
        }
        double moved = search->point[k] + part * (pivoting->p[k] - search->point[k]);
        search->point[k] = leaves ? 0.0 : fmax(part == 1.0 ? pivoting->p[k] : moved, 0.0);
        pivoting->pivots += leaves;
        search->trial[k] = leaves ? 0.0 : 1.0; /* pivoting->active is still being read */
    }
    for (size_t k = 0; k < search->size; k++) {
        pivoting->active[k] = pivoting->active[k] && search->trial[k] > 0.0;
    }
    return part == 1.0;
}

/* Counts one set; false when there have been too many. */
static bool may_go_on(const descent *search, crm_lcp_pivot_end *end)
{
    crm_lcp_pivoting *pivoting = search->pivoting;
    if (pivoting->iterations >= pivoting->max_iterations) {
        *end = CRM_LCP_PIVOT_LIMIT;
        return false;
    }
    if (pivoting->iterations >= search->last_iteration) {
        *end = CRM_LCP_PIVOT_UNSETTLED;
        return false;
    }
    pivoting->iterations++;
    return true;
}

static bool all_right(const crm_lcp_pivoting *pivoting)
{
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (crm_lcp_pivot_wrong(pivoting, k)) {
            return false;
        }
    }
    return true;
}

/* What a step came to. */
typedef enum headway { SOLVED, LOWER, NO_LOWER, STOPPED } headway;

/* Block step. SOLVED leaves the solution in the pivoting's arrays. */
static crm_status step_boldly(descent *search, headway *made, crm_lcp_pivot_end *end,
                              crm_error *error)
{
    crm_lcp_pivoting *pivoting = search->pivoting;
    bool regular = true;
    choose_set(search, JOIN_ALL);
    *made = STOPPED;
    if (!may_go_on(search, end)) {
        return CRM_OK;
    }
    crm_status status = crm_lcp_pivot_basic(pivoting, &regular, error);
    if (status != CRM_OK || !regular) {
        *end = CRM_LCP_PIVOT_SINGULAR;
        return status;
    }
    if (all_right(pivoting)) {
        *made = SOLVED;
        return CRM_OK;
    }
    for (size_t k = 0; k < search->size; k++) {
        search->trial[k] = fmax(pivoting->p[k], 0.0);
    }
    evaluate(search, search->trial, search->trial_v);
    *made = is_lower(search) ? LOWER : NO_LOWER;
    if (*made == LOWER) {
        adopt_trial(search);
    }
    evaluate(search, search->point, search->v);
    return CRM_OK;
}

/* To a point that is minimal over its own set, beginning with the set chosen. */
static crm_status step_cautiously(descent *search, headway *made, crm_lcp_pivot_end *end,
                                  crm_error *error)
{
    bool reached = false;
    *made = STOPPED;
    while (!reached) {
        bool regular = true;
        if (!may_go_on(search, end)) {
            return CRM_OK;
        }
        crm_status status = crm_lcp_pivot_basic(search->pivoting, &regular, error);
        if (status != CRM_OK || !regular) {
            *end = CRM_LCP_PIVOT_SINGULAR;
            return status;
        }
        reached = walk_towards(search);
    }
    evaluate(search, search->point, search->v);
    *made = all_right(search->pivoting) ? SOLVED : LOWER;
    return CRM_OK;
}

crm_status crm_lcp_descent(crm_lcp_pivoting *pivoting, size_t budget, crm_lcp_pivot_end *end,
                           crm_error *error)
{
    size_t size = pivoting->matrix->size;
    double *work = pivoting->point_work;
    descent search = {pivoting,
                      size,
                      work,
                      work + size,
                      work + 2 * size,
                      work + 3 * size,
                      pivoting->iterations + budget};
    headway made = LOWER;
    crm_status status = CRM_OK;
    *end = CRM_LCP_PIVOT_DONE;
    evaluate(&search, search.point, search.v);
    while (status == CRM_OK && made == LOWER) {
        status = step_boldly(&search, &made, end, error);
        if (status == CRM_OK && made == NO_LOWER) {
            choose_set(&search, JOIN_NONE);
            status = step_cautiously(&search, &made, end, error);
            if (status == CRM_OK && made == LOWER) {
                choose_set(&search, JOIN_WORST);
                status = step_cautiously(&search, &made, end, error);
            }
        }
    }
    return status;
}
