/* Dual active sets: D. Goldfarb, A. Idnani, Math. Program. 27 (1983), for the identity as matrix.
 *
 * From x = 0, the minimum without constraints, the most violated constraint is made active. The
 * multipliers of the active ones change on the way; a constraint whose multiplier reaches 0 is
 * deactivated. x'x grows with every constraint that is added, so that no active set repeats. The
 * active constraints are always independent: one that depends on them is met by changing
 * multipliers alone, until one is deactivated, or it shows that no x satisfies all. With i active,
 * c the new constraint, r = R^-1 Q'c and z = (I - QQ')c the step is x += t z, p_i -= t r_i, p_c +=
 * t.
 */
#include "lcp/dependent/least_distance.h"

#include <math.h>
#include <string.h>

/* Relative rounding of a sum of a few hundred terms in twice the working precision. */
static const double ROUNDING = 1e-28;
/* The same in doubles. */
static const double DOUBLE_ROUNDING = 1e-13;
/* The error of all columns together may be this many times that of the one observed. */
static const double COLUMN_ERROR_FACTOR = 8;

bool crm_least_distance_create(crm_pool *pool, crm_width width, size_t size, size_t count,
                               size_t equations, crm_least_distance *problem)
{
    size_t blocks = crm_row_blocks(size), row = blocks * CRM_ROW_BLOCK;
    *problem = (crm_least_distance){
        .width = width, .size = size, .blocks = blocks, .count = count, .equations = equations};
    problem->column = CRM_TAKE(pool, double, count *row);
    problem->bound = CRM_TAKE(pool, crm_twofold, count);
    problem->noise = CRM_TAKE(pool, double, count);
    problem->x = CRM_TAKE(pool, double, row);
    problem->p = CRM_TAKE(pool, crm_twofold, count);
    problem->set = CRM_TAKE(pool, size_t, size + 1);
    problem->is_active = CRM_TAKE(pool, bool, count);
    problem->basis = CRM_TAKE(pool, double, size *row);
    problem->triangle = CRM_TAKE(pool, double, size *row);
    problem->projection = CRM_TAKE(pool, double, row);
    problem->orthogonal = CRM_TAKE(pool, double, row);
    problem->rate = CRM_TAKE(pool, double, row);
    problem->part = CRM_TAKE(pool, crm_twofold, size);
    problem->accepted = CRM_TAKE(pool, bool, count);
    return problem->column != NULL && problem->bound != NULL && problem->noise != NULL &&
           problem->x != NULL && problem->p != NULL && problem->set != NULL &&
           problem->is_active != NULL && problem->basis != NULL && problem->triangle != NULL &&
           problem->projection != NULL && problem->orthogonal != NULL && problem->rate != NULL &&
           problem->part != NULL && problem->accepted != NULL;
}

static double *triangle_column(const crm_least_distance *problem, size_t k)
{
    return problem->triangle + k * problem->blocks * CRM_ROW_BLOCK;
}

static void clear(const crm_least_distance *problem, double *row)
{
    memset(row, 0, problem->blocks * CRM_ROW_BLOCK * sizeof *row);
}

static void copy(const crm_least_distance *problem, const double *from, double *to)
{
    memcpy(to, from, problem->blocks * CRM_ROW_BLOCK * sizeof *to);
}

static double length(const crm_least_distance *problem, const double *row)
{
    return sqrt(crm_row_rough_dot(problem->width, problem->blocks, row, row));
}

crm_twofold crm_least_distance_slack(const crm_least_distance *problem, size_t i)
{
    crm_twofold sum = crm_row_dot(problem->width, problem->blocks,
                                  crm_least_distance_column(problem, i), problem->x);
    return crm_twofold_difference(sum, problem->bound[i]);
}

/* ---- A constraint and the active ones -------------------------------------------------------- */

/* The component of `orthogonal` in the span of the basis is moved to `projection`. All dot products
 * come first: they are independent of each other.
 */
static void project(crm_least_distance *problem)
{
    for (size_t k = 0; k < problem->active; k++) {
        problem->part[k] = crm_row_dot(problem->width, problem->blocks,
                                       crm_least_distance_basis(problem, k), problem->orthogonal);
    }
    for (size_t k = 0; k < problem->active; k++) {
        crm_twofold part = problem->part[k];
        crm_row_set(problem->projection, k,
                    crm_twofold_sum(crm_row_get(problem->projection, k), part));
        crm_row_add(problem->width, problem->blocks, problem->orthogonal,
                    crm_twofold_negative(part), crm_least_distance_basis(problem, k));
    }
}

/* Back substitution: rate = R^-1 projection. */
static void find_rate(crm_least_distance *problem)
{
    copy(problem, problem->projection, problem->rate);
    for (size_t k = problem->active; k-- > 0;) {
        const double *r = triangle_column(problem, k);
        crm_twofold rate = crm_twofold_quotient(crm_row_get(problem->rate, k), crm_row_get(r, k));
        crm_row_add(problem->width, crm_row_blocks(k), problem->rate, crm_twofold_negative(rate),
                    r);
        crm_row_set(problem->rate, k, rate);
    }
}

/* 1 + sum |r_k|: by how much errors of the columns are multiplied in c - sum r_k c_k. */
static double coefficient_sum(const crm_least_distance *problem)
{
    double sum = 1;
    for (size_t k = 0; k < problem->active; k++) {
        sum += fabs(crm_row_get(problem->rate, k).high);
    }
    return sum;
}

bool crm_least_distance_is_dependent(crm_least_distance *problem, size_t i)
{
    copy(problem, crm_least_distance_column(problem, i), problem->orthogonal);
    clear(problem, problem->projection);
    project(problem);
    if (length(problem, problem->orthogonal) < 0.1) { /* cancellation: orthogonalize again */
        project(problem);
    }
    find_rate(problem);
    return problem->active == problem->size ||
           length(problem, problem->orthogonal) <=
               CRM_LEAST_DISTANCE_COLUMN_ERROR * coefficient_sum(problem);
}

/* An estimate of the error of the columns: c_i = sum r_k c_k + z, and where c_i depends on the
 * others z is nothing but that error. It needs more coordinates than columns to show; without
 * these, and in whole numbers, z = 0, and the data count as exact.
 */
static double column_error(const crm_least_distance *problem)
{
    return length(problem, problem->orthogonal) + ROUNDING * coefficient_sum(problem);
}

/* How far rounding of the data alone may take c_i'x - b_i below 0, for the constraint that was just
 * found dependent.
 *
 * c_i'x - b_i = z'x + sum r_k b_k - b_i. The b are products of the columns with v-, so that the
 * last terms are z'v- where they would be 0 in exact arithmetic.
 */
static double slack_error(const crm_least_distance *problem)
{
    double most = 0;
    for (size_t k = 0; k < problem->count; k++) {
        most = fmax(most, problem->noise[k]);
    }
    return COLUMN_ERROR_FACTOR * column_error(problem) * (most + length(problem, problem->x));
}

/* ---- The set --------------------------------------------------------------------------------- */

void crm_least_distance_activate(crm_least_distance *problem, size_t i)
{
    size_t k = problem->active++;
    crm_twofold far = crm_twofold_root(
        crm_row_dot(problem->width, problem->blocks, problem->orthogonal, problem->orthogonal));
    crm_row_scale(problem->width, problem->blocks, crm_twofold_quotient(crm_twofold_of(1), far),
                  problem->orthogonal, crm_least_distance_basis(problem, k));
    copy(problem, problem->projection, triangle_column(problem, k));
    crm_row_set(triangle_column(problem, k), k, far);
    problem->set[k] = i;
    problem->is_active[i] = true;
}

/* Rows k and k + 1 of R, columns k and k + 1 of Q, turned so that R is triangular there again. */
static void rotate(crm_least_distance *problem, size_t k)
{
    crm_twofold a = crm_row_get(triangle_column(problem, k), k),
                b = crm_row_get(triangle_column(problem, k), k + 1);
    crm_twofold far = crm_twofold_root(crm_twofold_add_product(crm_twofold_product(a, a), b, b));
    crm_twofold c = crm_twofold_quotient(a, far), s = crm_twofold_quotient(b, far);
    for (size_t l = k; l < problem->active; l++) {
        crm_twofold x = crm_row_get(triangle_column(problem, l), k);
        crm_twofold y = crm_row_get(triangle_column(problem, l), k + 1);
        crm_row_set(triangle_column(problem, l), k,
                    crm_twofold_add_product(crm_twofold_product(c, x), s, y));
        crm_row_set(triangle_column(problem, l), k + 1,
                    crm_twofold_difference(crm_twofold_product(c, y), crm_twofold_product(s, x)));
    }
    crm_row_set(triangle_column(problem, k), k + 1, crm_twofold_of(0));
    crm_row_rotate(problem->width, problem->blocks, c, s, crm_least_distance_basis(problem, k),
                   crm_least_distance_basis(problem, k + 1));
}

static void deactivate(crm_least_distance *problem, size_t place)
{
    problem->is_active[problem->set[place]] = false;
    problem->p[problem->set[place]] = crm_twofold_of(0);
    problem->active--;
    for (size_t k = place; k < problem->active; k++) {
        problem->set[k] = problem->set[k + 1];
        copy(problem, triangle_column(problem, k + 1), triangle_column(problem, k));
    }
    for (size_t k = place; k < problem->active; k++) {
        rotate(problem, k);
    }
}

/* ---- One constraint -------------------------------------------------------------------------- */

/* The first active inequality whose multiplier reaches 0, and at which t; SIZE_MAX: none does. A
 * rate counts only above its error, which is that of the data for a dependent constraint.
 */
static size_t find_blocking(const crm_least_distance *problem, bool dependent, crm_twofold *time)
{
    double least = dependent ? COLUMN_ERROR_FACTOR * column_error(problem)
                             : ROUNDING * coefficient_sum(problem);
    size_t blocking = SIZE_MAX;
    for (size_t k = 0; k < problem->active; k++) {
        if (problem->set[k] < problem->equations || !(crm_row_get(problem->rate, k).high > least)) {
            continue;
        }
        crm_twofold t =
            crm_twofold_quotient(problem->p[problem->set[k]], crm_row_get(problem->rate, k));
        if (blocking == SIZE_MAX || crm_twofold_difference(t, *time).high < 0) {
            blocking = k;
            *time = t;
        }
    }
    return blocking;
}

static void move(crm_least_distance *problem, size_t i, crm_twofold time, bool dependent)
{
    for (size_t k = 0; k < problem->active; k++) {
        crm_twofold *p = &problem->p[problem->set[k]];
        *p = crm_twofold_difference(*p, crm_twofold_product(time, crm_row_get(problem->rate, k)));
    }
    problem->p[i] = crm_twofold_sum(problem->p[i], time);
    if (!dependent) {
        crm_row_add(problem->width, problem->blocks, problem->x, time, problem->orthogonal);
    }
    problem->steps++;
}

/* No multiplier limits the step, and c depends on the active constraints: c - sum r_k c_k = 0. */
static void find_infeasible_direction(crm_least_distance *problem, size_t i)
{
    memset(problem->p, 0, problem->count * sizeof *problem->p);
    problem->p[i] = crm_twofold_of(1);
    for (size_t k = 0; k < problem->active; k++) {
        problem->p[problem->set[k]] = crm_twofold_of(fmax(-crm_row_get(problem->rate, k).high, 0));
    }
}

/* The work of one exchange: about one product for each number stored. */
static bool is_interrupted(const crm_least_distance *problem)
{
    return crm_watch_interrupts(problem->watching,
                                1 + (problem->active + problem->count) * problem->blocks / 8);
}

static crm_least_distance_result satisfy(crm_least_distance *problem, size_t i)
{
    for (size_t count = 0; count <= problem->size && !is_interrupted(problem); count++) {
        bool dependent = crm_least_distance_is_dependent(problem, i);
        crm_twofold slack = crm_least_distance_slack(problem, i), time = {0, 0};
        if (dependent && count == 0 && slack.high >= -slack_error(problem)) {
            problem->accepted[i] = true;
            return CRM_LEAST_DISTANCE_FOUND;
        }
        size_t blocking = find_blocking(problem, dependent, &time);
        if (dependent && blocking == SIZE_MAX) {
            find_infeasible_direction(problem, i);
            return CRM_LEAST_DISTANCE_INFEASIBLE;
        }
        crm_twofold whole = {INFINITY, 0};
        if (!dependent) {
            crm_twofold square = crm_row_dot(problem->width, problem->blocks, problem->orthogonal,
                                             problem->orthogonal);
            whole = crm_twofold_quotient(crm_twofold_negative(slack), square);
        }
        bool blocked = blocking != SIZE_MAX && time.high < whole.high;
        move(problem, i, blocked ? time : whole, dependent);
        if (!blocked) {
            crm_least_distance_activate(problem, i);
            memset(problem->accepted, 0, problem->count * sizeof *problem->accepted);
            return CRM_LEAST_DISTANCE_FOUND;
        }
        deactivate(problem, blocking);
    }
    return CRM_LEAST_DISTANCE_NOT_TERMINATED;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Equations in turn, of either sign of violation. */
static void satisfy_equations(crm_least_distance *problem)
{
    for (size_t i = 0; i < problem->equations && !is_interrupted(problem); i++) {
        if (crm_least_distance_is_dependent(problem, i)) {
            continue;
        }
        crm_twofold square =
            crm_row_dot(problem->width, problem->blocks, problem->orthogonal, problem->orthogonal);
        crm_twofold slack = crm_least_distance_slack(problem, i);
        move(problem, i, crm_twofold_quotient(crm_twofold_negative(slack), square), false);
        crm_least_distance_activate(problem, i);
    }
}

/* The most violated one, by doubles; in twice the precision where doubles cannot decide. */
static size_t find_violated(const crm_least_distance *problem)
{
    size_t worst = SIZE_MAX;
    double least = 0, far = length(problem, problem->x);
    for (size_t i = problem->equations; i < problem->count; i++) {
        if (problem->is_active[i] || problem->accepted[i]) {
            continue;
        }
        double terms = far + fabs(problem->bound[i].high);
        double slack = crm_row_rough_dot(problem->width, problem->blocks,
                                         crm_least_distance_column(problem, i), problem->x) -
                       problem->bound[i].high;
        if (fabs(slack) < DOUBLE_ROUNDING * terms) {
            slack = crm_least_distance_slack(problem, i).high;
        }
        if (slack < least && slack < -ROUNDING * (far + problem->noise[i])) {
            least = slack;
            worst = i;
        }
    }
    return worst;
}

crm_least_distance_result crm_least_distance_solve(crm_least_distance *problem)
{
    size_t most = 100 * (problem->count + problem->size) + 100;
    problem->active = problem->steps = 0;
    clear(problem, problem->x);
    memset(problem->p, 0, problem->count * sizeof *problem->p);
    memset(problem->is_active, 0, problem->count * sizeof *problem->is_active);
    memset(problem->accepted, 0, problem->count * sizeof *problem->accepted);
    satisfy_equations(problem);
    for (size_t count = 0; count < most; count++) {
        size_t i = find_violated(problem);
        if (i == SIZE_MAX) {
            return CRM_LEAST_DISTANCE_FOUND;
        }
        crm_least_distance_result result = satisfy(problem, i);
        if (result != CRM_LEAST_DISTANCE_FOUND) {
            return result;
        }
    }
    return CRM_LEAST_DISTANCE_NOT_TERMINATED;
}
