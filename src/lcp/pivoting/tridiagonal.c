/* The active set of a line of contacts.
 *
 * For a line of contacts that only pass impulses on (D tridiagonal, couplings <= 0) a contact
 * that has once come under load never loses it when others come under load too: activating any
 * contact with w < 0, in any order, leads to the answer without a step back (R. Chandrasekaran
 * 1970; in linear time for tridiagonal matrices C. W. Cryer 1983). For equal e this is the pool of
 * adjacent violators of isotonic regression.
 *
 * From left to right, runs of adjoining active contacts are kept on a stack. Of a run a..b only
 * its ends matter: the impulses p_a, p_b, and how they answer to a push at an end, the corner
 * entries aa, ab, bb of the inverse of D over the run. Joining two runs is then O(1).
 */
#include "lcp/pivoting/tridiagonal.h"

#include <string.h>

typedef struct run {
    size_t a, b;
    double p_a, p_b;
    double aa, ab, bb;
} run;

size_t crm_lcp_tridiagonal_bytes(const crm_lcp_matrix *matrix)
{
    return matrix->structure == CRM_LCP_TRIDIAGONAL ? matrix->size * sizeof(run) : 1;
}

/* D(i, i-1); 0 when i begins a line. */
static double coupling(const crm_lcp_matrix *matrix, size_t i)
{
    size_t m = matrix->start[i];
    return matrix->column[m] < i ? matrix->value[m] : 0.0;
}

static bool only_passes_on(const crm_lcp_matrix *matrix)
{
    if (matrix->structure != CRM_LCP_TRIDIAGONAL) {
        return false;
    }
    for (size_t i = 0; i < matrix->size; i++) {
        if (coupling(matrix, i) > 0.0) {
            return false;
        }
    }
    return true;
}

typedef struct tridiagonal_problem {
    const crm_lcp_matrix *matrix;
    const double *q;
    double delta;
    const double *centre;
    double singular; /* a determinant that is 0 but for rounding */
} tridiagonal_problem;

static double right_side(const tridiagonal_problem *problem, size_t i)
{
    return problem->q[i] - problem->delta * problem->matrix->diagonal[i] * problem->centre[i];
}

static run single(const tridiagonal_problem *problem, size_t i)
{
    double inverse = 1.0 / (problem->matrix->diagonal[i] * (1.0 + problem->delta));
    double p = -right_side(problem, i) * inverse;
    return (run){i, i, p, p, inverse, inverse, inverse};
}

/* Runs l = a..c and r = c+1..b coupled by D(c, c+1) = d:
 *     p_c     = l.p_b - d l.bb p_{c+1},
 *     p_{c+1} = r.p_a - d r.aa p_c,      determinant 1 - d^2 l.bb r.aa.
 */
static bool join(const run *l, const run *r, double d, double singular, run *joined)
{
    double determinant = 1.0 - d * d * l->bb * r->aa;
    if (!(determinant > singular)) {
        return false;
    }
    double p_c = (l->p_b - d * l->bb * r->p_a) / determinant;
    double p_next = (r->p_a - d * r->aa * l->p_b) / determinant;
    *joined = (run){.a = l->a,
                    .b = r->b,
                    .p_a = l->p_a - d * l->ab * p_next,
                    .p_b = r->p_b - d * r->ab * p_c,
                    .aa = l->aa + d * d * l->ab * l->ab * r->aa / determinant,
                    .ab = -d * l->ab * r->ab / determinant,
                    .bb = r->bb + d * d * r->ab * r->ab * l->bb / determinant};
    return true;
}

/* Put a run on the stack, joined with the one before if they adjoin. false, and nothing changed,
 * when together they are singular: a line active from wall to wall.
 */
static bool push(const tridiagonal_problem *problem, const run *added, run *stack, size_t *count)
{
    if (*count > 0 && stack[*count - 1].b + 1 == added->a) {
        run left = stack[*count - 1];
        return join(&left, added, coupling(problem->matrix, added->a), problem->singular,
                    &stack[*count - 1]);
    }
    stack[(*count)++] = *added;
    return true;
}

/* w of the inactive contact before the top run. */
static double speed_before(const tridiagonal_problem *problem, const run *stack, size_t count)
{
    const crm_lcp_matrix *matrix = problem->matrix;
    const run *top = &stack[count - 1];
    double w = right_side(problem, top->a - 1) + coupling(matrix, top->a) * top->p_a;
    if (count > 1 && stack[count - 2].b + 2 == top->a) {
        w += coupling(matrix, top->a - 1) * stack[count - 2].p_b;
    }
    return w;
}

/* The contact before the top run comes under load. false, and nothing changed, when this is
 * singular.
 */
static bool extend_back(const tridiagonal_problem *problem, run *stack, size_t *count)
{
    run top = stack[*count - 1];
    run left = *count > 1 ? stack[*count - 2] : top;
    size_t left_count = *count - 1;
    run before = single(problem, top.a - 1);
    *count = left_count;
    if (push(problem, &before, stack, count) && push(problem, &top, stack, count)) {
        return true;
    }
    *count = left_count;
    if (left_count > 0) {
        stack[left_count - 1] = left;
    }
    stack[(*count)++] = top;
    return false;
}

/* A contact whose load would make its run singular is left with w = 0 to rounding, or, if w < 0 in
 * earnest, shows to the caller as wrong.
 */
static void sweep(const tridiagonal_problem *problem, run *stack, size_t *count)
{
    const crm_lcp_matrix *matrix = problem->matrix;
    *count = 0;
    for (size_t i = 0; i < matrix->size; i++) {
        bool after_run = *count > 0 && stack[*count - 1].b + 1 == i;
        double w = right_side(problem, i);
        w += after_run ? coupling(matrix, i) * stack[*count - 1].p_b : 0.0;
        if (!(w < 0.0)) {
            continue;
        }
        run added = single(problem, i);
        bool regular = push(problem, &added, stack, count);
        /* Contact i's load may bring the one before its run under load, and so on back. */
        while (regular && stack[*count - 1].a > 0 && speed_before(problem, stack, *count) < 0.0) {
            regular = extend_back(problem, stack, count);
        }
    }
}

bool crm_lcp_tridiagonal(const crm_lcp_matrix *matrix, const double *q, double delta,
                         const double *centre, bool definite, void *work, bool *active)
{
    /* Rounding adds up along the line. */
    double singular = definite || delta > 0.0 ? 0.0 : 1e-15 * (double)(matrix->size + 10);
    tridiagonal_problem problem = {matrix, q, delta, centre, singular};
    run *stack = work;
    size_t count = 0;
    if (!only_passes_on(matrix)) {
        return false;
    }
    sweep(&problem, stack, &count);
    memset(active, 0, matrix->size * sizeof *active);
    for (size_t r = 0; r < count; r++) {
        for (size_t k = stack[r].a; k <= stack[r].b; k++) {
            active[k] = true;
        }
    }
    return true;
}
