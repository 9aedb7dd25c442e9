/* The complementarity solver on problems whose answer is known: built from a complementary pair,
 * found by trying every set of active contacts, or in closed form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "carom/lcp.h"
#include "support.h"

enum { MOST = 40 };

/* w is unique and exact to rounding; D p of the answer is compared, since p itself may not be. */
static const double rounding = 1e-11;

/* D = W'W of n x s, stored full. */
typedef struct gram_problem {
    size_t s;
    double d[MOST * MOST];
    double q[MOST];
} gram_problem;

static void gram(rng *r, size_t n, size_t s, double *d)
{
    double w[MOST * MOST];
    for (size_t k = 0; k < n * s; k++) {
        w[k] = rng_uniform(r, -1, 1);
    }
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            d[i * s + j] = 0;
            for (size_t k = 0; k < n; k++) {
                d[i * s + j] += w[i * n + k] * w[j * n + k];
            }
        }
    }
}

static crm_lcp_info solve(const gram_problem *problem, double *p, double *w)
{
    size_t s = problem->s, start[MOST + 1];
    uint32_t column[MOST * MOST];
    for (size_t j = 0; j <= s; j++) {
        start[j] = j * s;
    }
    for (size_t k = 0; k < s * s; k++) {
        column[k] = (uint32_t)(k % s);
    }
    crm_sparse_view view = {start, column, problem->d};
    crm_lcp *lcp = NULL;
    crm_lcp_info info;
    crm_error error = {0};
    assert_ok(crm_lcp_create(s, &view, &lcp, &error), &error);
    assert_ok(crm_lcp_solve(lcp, problem->q, NULL, p, w, &info, &error), &error);
    crm_lcp_free(lcp);
    return info;
}

/* Residuals, independently of what the solver says of itself. */
static void check_complementary(const gram_problem *problem, const double *p, const double *w)
{
    size_t s = problem->s;
    for (size_t i = 0; i < s; i++) {
        double sum = problem->q[i], size = fabs(problem->q[i]) + 1e-300;
        for (size_t j = 0; j < s; j++) {
            sum += problem->d[i * s + j] * p[j];
            size += fabs(problem->d[i * s + j] * p[j]);
        }
        assert_near(w[i], sum, rounding * size);
        assert_true(p[i] >= 0);
        assert_true(sum >= -rounding * size);
        assert_true(p[i] == 0 || fabs(sum) <= rounding * size);
    }
}

static void known_pairs_are_found(void **state)
{
    (void)state;
    rng r = rng_seeded(101);
    for (int trial = 0; trial < 600; trial++) {
        gram_problem problem = {.s = 1 + (size_t)rng_uniform(&r, 0, MOST - 1)};
        size_t s = problem.s;
        /* every third one has fewer coordinates than contacts: D is singular */
        size_t n = trial % 3 == 0 ? 1 + s / 2 : s + 2 < MOST ? s + 2 : MOST;
        gram(&r, n, s, problem.d);
        double p_known[MOST], w_known[MOST], p[MOST], w[MOST];
        for (size_t i = 0; i < s; i++) {
            double choice = rng_uniform(&r, 0, 1); /* a tenth of the contacts have p = w = 0 */
            p_known[i] = choice < 0.45 ? rng_uniform(&r, 0.1, 2) : 0;
            w_known[i] = choice > 0.55 ? rng_uniform(&r, 0.1, 2) : 0;
        }
        for (size_t i = 0; i < s; i++) {
            problem.q[i] = w_known[i];
            for (size_t j = 0; j < s; j++) {
                problem.q[i] -= problem.d[i * s + j] * p_known[j];
            }
        }
        crm_lcp_info info = solve(&problem, p, w);
        assert_int_equal(info.result, CRM_LCP_SOLVED);
        check_complementary(&problem, p, w);
        for (size_t i = 0; i < s; i++) {
            assert_near(w[i], w_known[i], 1e-9); /* q itself is rounded: sqrt of eps on ties */
        }
    }
}

/* Gaussian elimination with pivoting; false when the set's matrix is singular. */
static bool solve_on_set(const gram_problem *problem, unsigned set, double *p)
{
    size_t s = problem->s, member[MOST], m = 0;
    for (size_t i = 0; i < s; i++) {
        p[i] = 0;
        if (set >> i & 1) {
            member[m++] = i;
        }
    }
    double a[10][11];
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            a[i][j] = problem->d[member[i] * s + member[j]];
        }
        a[i][m] = -problem->q[member[i]];
    }
    for (size_t k = 0; k < m; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < m; i++) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        if (fabs(a[best][k]) < 1e-9) {
            return false;
        }
        for (size_t j = 0; j <= m; j++) {
            double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        for (size_t i = 0; i < m; i++) {
            double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (size_t j = k; j <= m; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (size_t k = 0; k < m; k++) {
        p[member[k]] = a[k][m] / a[k][k];
    }
    return true;
}

/* Smallest violation over all sets of active contacts. */
static bool solve_by_enumeration(const gram_problem *problem, double *w_best)
{
    size_t s = problem->s;
    double p[MOST];
    bool found = false;
    for (unsigned set = 0; set < 1u << s && !found; set++) {
        if (!solve_on_set(problem, set, p)) {
            continue;
        }
        found = true;
        for (size_t i = 0; i < s; i++) {
            w_best[i] = problem->q[i];
            for (size_t j = 0; j < s; j++) {
                w_best[i] += problem->d[i * s + j] * p[j];
            }
            found &= p[i] >= -1e-10 && w_best[i] >= -1e-10;
        }
    }
    return found;
}

static void enumeration_agrees(void **state)
{
    (void)state;
    rng r = rng_seeded(102);
    int compared = 0;
    for (int trial = 0; trial < 500; trial++) {
        gram_problem problem = {.s = 1 + (size_t)rng_uniform(&r, 0, 8)};
        size_t s = problem.s, n = trial % 2 == 0 ? s : 1 + s / 2;
        gram(&r, n, s, problem.d);
        double direction[MOST], p[MOST], w[MOST], w_enumerated[MOST];
        for (size_t i = 0; i < s; i++) { /* q in the range of D: always solvable */
            direction[i] = rng_uniform(&r, -1, 1);
        }
        for (size_t i = 0; i < s; i++) {
            problem.q[i] = 0;
            for (size_t j = 0; j < s; j++) {
                problem.q[i] += problem.d[i * s + j] * direction[j];
            }
        }
        crm_lcp_info info = solve(&problem, p, w);
        assert_int_equal(info.result, CRM_LCP_SOLVED);
        check_complementary(&problem, p, w);
        if (solve_by_enumeration(&problem, w_enumerated)) {
            compared++;
            for (size_t i = 0; i < s; i++) {
                assert_near(w[i], w_enumerated[i], 1e-8);
            }
        }
    }
    assert_true(compared > 450);
}

static void an_impossible_problem_is_called_infeasible(void **state)
{
    (void)state;
    /* Two contacts that oppose each other and must both open: D (1,1) = 0, q'(1,1) < 0. */
    gram_problem problem = {.s = 2, .d = {1, -1, -1, 1}, .q = {-1, -1}};
    double p[MOST], w[MOST];
    assert_int_equal(solve(&problem, p, w).result, CRM_LCP_INFEASIBLE);
}

/* n equal balls, the first at speed 1, e = 0: p = (n-1, n-2, ..., 1)/n (theory section 3). */
static void a_plastic_chain_is_solved_in_closed_form(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 200000; n = 1 + n * 3) {
        crm_chain_def def = crm_chain_def_default();
        def.count = n;
        crm_model *model = NULL;
        crm_lcp *lcp = NULL;
        crm_error error = {0};
        size_t s = n - 1;
        double *q = calloc(s, sizeof *q), *p = calloc(s, sizeof *p);
        assert_ok(crm_model_from_chain(&def, &model, &error), &error);
        assert_ok(crm_lcp_create_for_model(model, &lcp, &error), &error);
        q[0] = -1;
        crm_lcp_info info;
        assert_ok(crm_lcp_solve(lcp, q, NULL, p, NULL, &info, &error), &error);
        assert_int_equal(info.result, CRM_LCP_SOLVED);
        for (size_t j = 0; j < s; j++) { /* the condition of D grows as n^2 */
            assert_near(p[j], (double)(s - j) / (double)n, 1e-15 * (double)n + 1e-13);
        }
        crm_lcp_free(lcp);
        crm_model_free(model);
        free(q);
        free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_pairs_are_found),
        cmocka_unit_test(enumeration_agrees),
        cmocka_unit_test(an_impossible_problem_is_called_infeasible),
        cmocka_unit_test(a_plastic_chain_is_solved_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
