/* The complementarity solver beside Siconos' numerics library: Lemke's method, projected
 * Gauss-Seidel and enumeration, on random and degenerate problems. w is unique, so it must be the
 * same; p need not be.
 *
 * Lemke's method may end on a secondary ray, and projected Gauss-Seidel may not converge: an
 * answer is compared only if it is one, by its own residual computed here.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/lcp.h"
#include "siconos_peer.h"
#include "support.h"

enum { MOST = 40 };

typedef struct instance {
    size_t size;
    double d[MOST * MOST];
    double q[MOST];
} instance;

/* D = W'W, q = W'v: solvable. Coarse numbers make ties, zeros and dependent contacts common. */
static instance random_instance(rng *r, size_t most, bool coarse)
{
    double w[MOST * MOST];
    double v[MOST];
    instance made = {.size = 1 + rng_below(r, most)};
    size_t n = 1 + rng_below(r, made.size + 2);
    for (size_t k = 0; k < n; k++) {
        v[k] = coarse ? (double)rng_below(r, 3) - 1.0 : rng_normal(r);
    }
    for (size_t k = 0; k < n * made.size; k++) {
        w[k] = coarse ? (double)rng_below(r, 3) - 1.0 : rng_normal(r);
    }
    for (size_t i = 0; i < made.size; i++) {
        for (size_t j = 0; j < made.size; j++) {
            for (size_t k = 0; k < n; k++) {
                made.d[i * made.size + j] += w[i * n + k] * w[j * n + k];
            }
        }
        for (size_t k = 0; k < n; k++) {
            made.q[i] += w[i * n + k] * v[k];
        }
    }
    return made;
}

static crm_lcp_info solve_ours(const instance *problem, double *p, double *w)
{
    size_t start[MOST + 1];
    uint32_t column[MOST * MOST];
    size_t size = problem->size;
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    crm_lcp_info info;
    for (size_t i = 0; i <= size; i++) {
        start[i] = i * size;
    }
    for (size_t k = 0; k < size * size; k++) {
        column[k] = (uint32_t)(k % size);
    }
    crm_sparse_view view = {start, column, problem->d};
    assert_ok(crm_lcp_create(size, &view, &lcp, &error), &error);
    assert_ok(crm_lcp_solve(lcp, problem->q, NULL, p, w, &info, &error), &error);
    crm_lcp_free(lcp);
    return info;
}

/* max |min(p, D p + q)|, and w = D p + q. */
static double residual(const instance *problem, const double *p, double *w)
{
    double largest = 0.0;
    for (size_t i = 0; i < problem->size; i++) {
        w[i] = problem->q[i];
        for (size_t j = 0; j < problem->size; j++) {
            w[i] += problem->d[i * problem->size + j] * p[j];
        }
        largest = fmax(largest, fabs(fmin(p[i], w[i])));
    }
    return largest;
}

/* Siconos' p, and w as computed here. Returns its residual. */
static double solve_theirs(const instance *problem, siconos_solver solver, double *p, double *w)
{
    siconos_solve(solver, problem->size, problem->d, problem->q, 1e-13, p, w);
    return residual(problem, p, w);
}

/* A residual of e leaves w uncertain by about its root when D is semidefinite: with the energy norm
 * |w - w*|^2 <= |D| (p - p*)'D(p - p*) and (p - p*)'(w - w*) <= |p| e + |w| e.
 */
static double allowed(const instance *problem, const double *p, double theirs)
{
    double scale = 1.0 + largest_size(problem->q, problem->size);
    double norm = largest_size(problem->d, problem->size * problem->size);
    double extent = 1.0 + largest_size(p, problem->size);
    return 1e-11 * scale +
           sqrt((double)problem->size * norm * (extent + scale) * fmax(theirs, 1e-15));
}

/* Returns how many answers of the method were good enough to be compared. */
static size_t compare(siconos_solver solver, size_t trials, size_t most, double good)
{
    rng r = rng_seeded((uint64_t)solver);
    size_t compared = 0;
    for (size_t trial = 0; trial < trials; trial++) {
        double p[MOST], w[MOST], their_p[MOST], their_w[MOST];
        instance problem = random_instance(&r, most, trial % 2 == 0);
        crm_lcp_info info = solve_ours(&problem, p, w);
        assert_string_equal(crm_lcp_result_text(info.result), "solved");
        double theirs = solve_theirs(&problem, solver, their_p, their_w);
        if (theirs <= good) {
            assert_all_near(w, their_w, problem.size, allowed(&problem, their_p, theirs));
            compared++;
        }
    }
    printf("%s: %zu of %zu answers compared\n", siconos_name(solver), compared, trials);
    return compared;
}

static void test_agrees_with_lemke(void **state)
{
    (void)state;
    assert_true(compare(SICONOS_LEMKE, 400, MOST, 1e-9) > 200);
}

static void test_agrees_with_gauss_seidel(void **state)
{
    (void)state;
    assert_true(compare(SICONOS_GAUSS_SEIDEL, 200, MOST, 1e-9) > 100);
}

static void test_agrees_with_enumeration(void **state)
{
    (void)state;
    assert_true(compare(SICONOS_ENUMERATION, 200, 8, 1e-9) > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_lemke),
        cmocka_unit_test(test_agrees_with_gauss_seidel),
        cmocka_unit_test(test_agrees_with_enumeration),
    };
    if (!siconos_is_there()) {
        puts("skipped: Siconos' numerics library is not installed");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
