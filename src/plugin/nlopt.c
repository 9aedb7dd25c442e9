/* Searches by NLopt: sequential quadratic programming with bounds and linear rules (Kraft's SLSQP),
 * in unknowns that go from 0 to 1 between their bounds.
 */
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "carom/status.h"
#include "inverse/design/search.h"

/* What is kept to, of rules whose unknowns go from 0 to 1. */
static const double KEPT = 1e-10;
static const double SETTLED = 1e-8;

typedef struct call {
    const crm_search *search;
    nlopt_opt method;
    double *x, *gradient; /* in the search's own units */
    double *rows, *right; /* the rules in those from 0 to 1, equal ones first */
    size_t equal, unequal;
    double scale; /* of the value */
    bool stopped;
} call;

static double width(const call *c, size_t j)
{
    return c->search->to[j] - c->search->from[j];
}

static double objective(unsigned count, const double *z, double *gradient, void *context)
{
    call *c = context;
    double value = NAN;
    for (unsigned j = 0; j < count; j++) {
        c->x[j] = fmin(fmax(c->search->from[j] + width(c, j) * z[j], c->search->from[j]),
                       c->search->to[j]);
    }
    if (!c->search->value(c->search->context, c->x, &value,
                          gradient != NULL ? c->gradient : NULL)) {
        c->stopped = true;
        nlopt_force_stop(c->method);
        return HUGE_VAL;
    }
    if (c->scale == 0 && isfinite(value)) {
        c->scale = fabs(value) > 0 ? fabs(value) : 1;
    }
    for (unsigned j = 0; gradient != NULL && j < count; j++) {
        gradient[j] = c->gradient[j] * width(c, j) / c->scale;
    }
    return isfinite(value) ? value / c->scale : 1e10;
}

static void apply(const double *rows, const double *right, unsigned constraints, double *result,
                  unsigned count, const double *z, double *gradient)
{
    for (unsigned i = 0; i < constraints; i++) {
        result[i] = -right[i];
        for (unsigned j = 0; j < count; j++) {
            result[i] += rows[i * count + j] * z[j];
        }
    }
    if (gradient != NULL) {
        memcpy(gradient, rows, constraints * count * sizeof *gradient);
    }
}

static void equal_rules(unsigned constraints, double *result, unsigned count, const double *z,
                        double *gradient, void *context)
{
    const call *c = context;
    apply(c->rows, c->right, constraints, result, count, z, gradient);
}

static void unequal_rules(unsigned constraints, double *result, unsigned count, const double *z,
                          double *gradient, void *context)
{
    const call *c = context;
    apply(c->rows + c->equal * count, c->right + c->equal, constraints, result, count, z, gradient);
}

/* Each rule in unknowns from 0 to 1, its largest factor 1. */
static void scale_rule(call *c, size_t from, size_t to)
{
    const crm_search *s = c->search;
    const double *row = s->rows + from * s->count;
    double *scaled = c->rows + to * s->count, largest = 0;
    c->right[to] = s->right[from];
    for (size_t j = 0; j < s->count; j++) {
        scaled[j] = row[j] * width(c, j);
        c->right[to] -= row[j] * s->from[j];
        largest = fmax(largest, fabs(scaled[j]));
    }
    for (size_t j = 0; j < s->count; j++) {
        scaled[j] /= largest;
    }
    c->right[to] /= largest;
}

static void scale_rules(call *c)
{
    const crm_search *s = c->search;
    for (size_t i = 0; i < s->constraint_count; i++) {
        c->equal += s->equal[i];
    }
    size_t equal = 0, unequal = c->equal;
    for (size_t i = 0; i < s->constraint_count; i++) {
        scale_rule(c, i, s->equal[i] ? equal++ : unequal++);
    }
    c->unequal = s->constraint_count - c->equal;
}

static nlopt_result set_up(call *c, const double *kept)
{
    nlopt_result result = nlopt_set_min_objective(c->method, objective, c);
    result = result > 0 ? nlopt_set_lower_bounds1(c->method, 0) : result;
    result = result > 0 ? nlopt_set_upper_bounds1(c->method, 1) : result;
    result = result > 0 ? nlopt_set_ftol_rel(c->method, SETTLED) : result;
    result = result > 0 ? nlopt_set_xtol_abs1(c->method, SETTLED) : result;
    result = result > 0 ? nlopt_set_maxeval(c->method, (int)c->search->evaluations) : result;
    if (result > 0 && c->equal > 0) {
        result =
            nlopt_add_equality_mconstraint(c->method, (unsigned)c->equal, equal_rules, c, kept);
    }
    if (result > 0 && c->unequal > 0) {
        result = nlopt_add_inequality_mconstraint(c->method, (unsigned)c->unequal, unequal_rules, c,
                                                  kept);
    }
    return result;
}

static nlopt_result run(call *c, double *x, double *z, const double *kept)
{
    const crm_search *s = c->search;
    double least = 0;
    nlopt_result result = set_up(c, kept);
    if (result < 0) {
        return result;
    }
    for (size_t j = 0; j < s->count; j++) {
        z[j] = (x[j] - s->from[j]) / width(c, j);
    }
    result = nlopt_optimize(c->method, z, &least);
    for (size_t j = 0; j < s->count; j++) {
        x[j] = fmin(fmax(s->from[j] + width(c, j) * z[j], s->from[j]), s->to[j]);
    }
    return c->stopped ? NLOPT_FORCED_STOP : result;
}

/* What rounding keeps from falling any further is the end, too. */
static bool is_converged(nlopt_result result)
{
    return (result > 0 && result != NLOPT_MAXEVAL_REACHED) || result == NLOPT_ROUNDOFF_LIMITED;
}

static crm_status minimize(const crm_search *search, double *x)
{
    size_t n = search->count, constraints = search->constraint_count;
    double *room = calloc(3 * n + (n + 2) * constraints + 1, sizeof *room);
    nlopt_opt method = nlopt_create(NLOPT_LD_SLSQP, (unsigned)n);
    nlopt_result result = NLOPT_OUT_OF_MEMORY;
    if (room != NULL && method != NULL) {
        call c = {.search = search, .method = method, .x = room, .gradient = room + n};
        double *z = room + 2 * n, *kept = z + n;
        c.rows = kept + constraints;
        c.right = c.rows + constraints * n;
        for (size_t i = 0; i < constraints; i++) {
            kept[i] = KEPT;
        }
        scale_rules(&c);
        result = run(&c, x, z, kept);
    }
    nlopt_destroy(method);
    free(room);
    return result == NLOPT_OUT_OF_MEMORY ? CRM_ERROR_MEMORY
           : is_converged(result)        ? CRM_OK
                                         : CRM_ERROR_MODEL;
}

/* NLopt has thread-local data. When there is no memory for them the loader ends the program: that
 * is to be here, while no file is open.
 */
__attribute__((constructor)) static void make_thread_local_data(void)
{
    nlopt_srand(1);
}

extern CRM_API const crm_searcher crm_nlopt;
const crm_searcher crm_nlopt = {.name = "sequential quadratic programming (NLopt)",
                                .minimize = minimize};
