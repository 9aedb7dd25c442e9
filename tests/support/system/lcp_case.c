#include "lcp_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Problems -------------------------------------------------------------------------------- */

lcp_data lcp_allocate(size_t size, size_t entries)
{
    lcp_data made = {size, calloc(size + 1, sizeof(size_t)), calloc(entries + 1, sizeof(uint32_t)),
                     calloc(entries + 1, sizeof(double)), calloc(size + 1, sizeof(double))};
    assert_non_null(made.start);
    assert_non_null(made.column);
    assert_non_null(made.value);
    assert_non_null(made.q);
    return made;
}

void lcp_data_free(lcp_data *p)
{
    free(p->start);
    free(p->column);
    free(p->value);
    free(p->q);
}

crm_sparse_view lcp_view(const lcp_data *p)
{
    return (crm_sparse_view){p->start, p->column, p->value};
}

lcp_data lcp_from_dense(size_t size, const double *d)
{
    lcp_data made = lcp_allocate(size, size * size);
    size_t entry = 0;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            if (d[i * size + j] != 0.0) {
                made.column[entry] = (uint32_t)j;
                made.value[entry++] = d[i * size + j];
            }
        }
        made.start[i + 1] = entry;
    }
    return made;
}

lcp_data lcp_tridiagonal(size_t size, const double *diagonal, const double *above)
{
    lcp_data made = lcp_allocate(size, 3 * size);
    size_t entry = 0;
    for (size_t i = 0; i < size; i++) {
        if (i > 0) {
            made.column[entry] = (uint32_t)(i - 1);
            made.value[entry++] = above[i - 1];
        }
        made.column[entry] = (uint32_t)i;
        made.value[entry++] = diagonal[i];
        if (i + 1 < size) {
            made.column[entry] = (uint32_t)(i + 1);
            made.value[entry++] = above[i];
        }
        made.start[i + 1] = entry;
    }
    return made;
}

/* Balls in a line, contact j between j and j+1. */
lcp_data lcp_chain(size_t balls, const double *mass)
{
    double *diagonal = calloc(balls, sizeof(double));
    double *above = calloc(balls, sizeof(double));
    for (size_t j = 0; j + 1 < balls; j++) {
        diagonal[j] = 1.0 / mass[j] + 1.0 / mass[j + 1];
        above[j] = -1.0 / mass[j + 1];
    }
    lcp_data made = lcp_tridiagonal(balls - 1, diagonal, above);
    free(diagonal);
    free(above);
    return made;
}

/* D = W'W for `size` random directions in n coordinates. Few distinct entries when `coarse`, so
 * that equal numbers, zeros and dependent directions are common.
 */
void lcp_random_delassus(rng *r, size_t n, size_t size, bool coarse, double *w, double *d)
{
    for (size_t k = 0; k < n * size; k++) {
        w[k] = coarse ? (double)rng_below(r, 3) - 1.0 : rng_normal(r);
    }
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            d[i * size + j] = 0.0;
            for (size_t k = 0; k < n; k++) {
                d[i * size + j] += w[i * n + k] * w[j * n + k];
            }
        }
    }
}

lcp_data lcp_packing(const packing *p, packing_motion motion, rng *r)
{
    lcp_data made = lcp_allocate(p->contacts, p->start[p->contacts]);
    double *velocity = calloc(3 * p->balls, sizeof *velocity);
    memcpy(made.start, p->start, (p->contacts + 1) * sizeof *made.start);
    memcpy(made.column, p->column, p->start[p->contacts] * sizeof *made.column);
    memcpy(made.value, p->value, p->start[p->contacts] * sizeof *made.value);
    packing_velocities(p, motion, r, velocity);
    packing_speeds(p, velocity, made.q);
    free(velocity);
    return made;
}

/* ---- Solving and judging --------------------------------------------------------------------- */

void lcp_answer_free(lcp_answer *a)
{
    free(a->p);
    free(a->w);
}

lcp_answer lcp_solve_with(crm_lcp *lcp, const lcp_data *problem, const crm_lcp_options *options,
                          const double *start)
{
    crm_error error = {0};
    lcp_answer made = {.p = calloc(problem->size + 1, sizeof(double)),
                       .w = calloc(problem->size + 1, sizeof(double))};
    for (size_t j = 0; j < problem->size; j++) {
        made.p[j] = start != NULL ? start[j] : NAN;
    }
    assert_ok(crm_lcp_solve(lcp, problem->q, options, made.p, made.w, &made.info, &error), &error);
    return made;
}

lcp_answer lcp_solve(const lcp_data *problem)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    crm_sparse_view d = lcp_view(problem);
    assert_ok(crm_lcp_create(problem->size, &d, &lcp, &error), &error);
    assert_int_equal(crm_lcp_size(lcp), problem->size);
    lcp_answer made = lcp_solve_with(lcp, problem, NULL, NULL);
    crm_lcp_free(lcp);
    return made;
}

/* high + low, to some 106 bits: residuals are judged by other means than the solver's own. */
typedef struct wide {
    double high, low;
} wide;

static wide wide_add_product(wide sum, double a, double b)
{
    double product = a * b;
    double product_low = fma(a, b, -product);
    double high = sum.high + product;
    double shadow = high - sum.high;
    double low = (sum.high - (high - shadow)) + (product - shadow);
    return (wide){high, sum.low + (low + product_low)};
}

/* The residuals anew. */
crm_lcp_info lcp_residuals(const lcp_data *problem, const double *p, double *largest_terms)
{
    crm_lcp_info found = {.min_p = INFINITY, .min_w = INFINITY};
    double fastest = largest_size(problem->q, problem->size);
    *largest_terms = 0.0;
    for (size_t i = 0; i < problem->size; i++) {
        wide sum = {problem->q[i], 0.0};
        double terms = fastest;
        double diagonal = 0.0;
        for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
            sum = wide_add_product(sum, problem->value[k], p[problem->column[k]]);
            terms += fabs(problem->value[k] * p[problem->column[k]]);
            diagonal = problem->column[k] == i ? problem->value[k] : diagonal;
        }
        double w = sum.high + sum.low;
        double natural = fabs(fmin(diagonal * p[i], w));
        *largest_terms = fmax(*largest_terms, terms);
        found.min_p = fmin(found.min_p, p[i]);
        found.min_w = fmin(found.min_w, w);
        found.max_product = fmax(found.max_product, fabs(w * p[i]));
        found.natural_residual = fmax(found.natural_residual, natural);
        if (natural > 0.0) {
            found.relative_residual = fmax(found.relative_residual, natural / terms);
        }
        found.active += p[i] > 0.0;
    }
    return found;
}

/* Two sums in twice the working precision, relative to the terms summed. */
static const double WIDE = 1e-28;

/* Solved, exactly; and the report tells the truth. */
void lcp_check_solved(const lcp_data *problem, const lcp_answer *a, double tolerance)
{
    double terms;
    crm_lcp_info found = lcp_residuals(problem, a->p, &terms);
    double allowed = WIDE * terms;
    assert_string_equal(crm_lcp_result_text(a->info.result), "solved");
    assert_true(found.min_p >= 0.0);
    assert_true(found.relative_residual <= tolerance);
    assert_near(a->info.min_p, found.min_p, 0.0);
    assert_near(a->info.min_w, found.min_w, allowed + 1e-15 * fabs(found.min_w));
    assert_near(a->info.max_product, found.max_product,
                allowed * largest_size(a->p, problem->size) + 1e-15 * found.max_product);
    assert_near(a->info.natural_residual, found.natural_residual,
                allowed + 1e-15 * found.natural_residual);
    assert_near(a->info.relative_residual, found.relative_residual,
                1e-12 * found.relative_residual + WIDE);
    assert_int_equal(a->info.active, found.active);
    assert_true(a->info.unique || a->info.norm_excess >= 0.0);
}

/* |w - want| relative to the largest |q| and the terms. */
void lcp_check_w(const lcp_data *problem, const lcp_answer *a, const double *want, double tolerance)
{
    for (size_t i = 0; i < problem->size; i++) {
        double terms = largest_size(problem->q, problem->size);
        for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
            terms += fabs(problem->value[k]) * a->p[problem->column[k]];
        }
        assert_near(a->w[i], want[i], tolerance * terms);
    }
}

/* D_FF x = -q_F by elimination with pivoting; false when D_FF is singular. */
static bool solve_set(size_t size, const double *d, const double *q, unsigned set, double *p)
{
    double a[FEW][FEW + 1];
    size_t member[FEW];
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        p[i] = 0.0;
        if (set >> i & 1U) {
            member[count++] = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            a[i][j] = d[member[i] * size + member[j]];
        }
        a[i][count] = -q[member[i]];
    }
    for (size_t k = 0; k < count; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < count; i++) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        if (fabs(a[best][k]) < 1e-9) {
            return false;
        }
        for (size_t j = 0; j <= count; j++) {
            double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        for (size_t i = 0; i < count; i++) {
            double factor = i == k ? 0.0 : a[i][k] / a[k][k];
            for (size_t j = k; i != k && j <= count; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (size_t k = 0; k < count; k++) {
        p[member[k]] = a[k][count] / a[k][k];
    }
    return true;
}

/* A solution with independent active contacts exists if any does: so trying every such set decides
 * feasibility, and gives w.
 */
bool lcp_enumerate(size_t size, const double *d, const double *q, double *w)
{
    double p[FEW];
    for (unsigned set = 0; set < 1U << size; set++) {
        bool right = solve_set(size, d, q, set, p);
        for (size_t i = 0; right && i < size; i++) {
            w[i] = q[i];
            for (size_t j = 0; j < size; j++) {
                w[i] += d[i * size + j] * p[j];
            }
            right = p[i] > -1e-9 && w[i] > -1e-9;
        }
        if (right) {
            return true;
        }
    }
    return false;
}

/* d >= 0, D d = 0, q'd < 0, found here. */
void lcp_check_infeasible(const lcp_data *problem, const lcp_answer *a)
{
    double product = 0.0;
    double largest = largest_size(a->p, problem->size);
    assert_string_equal(crm_lcp_result_text(a->info.result), "infeasible");
    assert_true(largest > 0.0);
    for (size_t i = 0; i < problem->size; i++) {
        double moved = 0.0;
        double terms = 0.0;
        for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
            moved += problem->value[k] * a->p[problem->column[k]];
            terms += fabs(problem->value[k]) * largest;
        }
        assert_true(a->p[i] >= 0.0);
        assert_near(moved, 0.0, 1e-12 * terms);
        product += problem->q[i] * a->p[i];
    }
    assert_true(product < 0.0);
}

double lcp_squared_norm(const lcp_data *problem, const double *p)
{
    double sum = 0.0;
    for (size_t i = 0; i < problem->size; i++) {
        for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
            sum += problem->column[k] == i ? problem->value[k] * p[i] * p[i] : 0.0;
        }
    }
    return sum;
}
