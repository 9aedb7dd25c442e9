/* The linear algebra under the complementarity solver: kernels, factors, the interior point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcp/factor/factor.h"
#include "lcp/factor/tile.h"
#include "lcp/interior/interior.h"
#include "lcp/interior/least_norm.h"
#include "lcp_case.h"

/* ---- Kernels --------------------------------------------------------------------------------- */

enum { MOST = 44 };

/* Entry (i, k) of tiles of `columns` columns. */
static double *at(double *tiles, size_t columns, size_t i, size_t k)
{
    return tiles + i / CRM_LCP_TILE * CRM_LCP_TILE * columns + CRM_LCP_TILE * k + i % CRM_LCP_TILE;
}

/* L L' = A and X L' = B, C - X X', judged by multiplying back. */
static void test_block_elimination_multiplies_back(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    const crm_lcp_tile_kernels *kernels = crm_lcp_tile_of(crm_widest());
    for (size_t n = 4; n <= MOST; n += 4) {
        double block[MOST * (MOST + 8)] = {0}, rows[MOST * 16], was[MOST * 16], a[MOST * MOST];
        double pivot[MOST], inverse[MOST], left[32 * 2 * 3] = {0}, x[MOST + 8] = {0}, want[MOST];
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k <= i; k++) {
                a[i * n + k] = i == k ? (double)n : rng_uniform(&r, -1.0, 1.0);
                *at(block, n, i, k) = a[i * n + k];
            }
        }
        for (size_t k = 0; k < 16 * n; k++) {
            rows[k] = was[k] = rng_normal(&r);
        }
        assert_true(kernels->factor(n, 0, n, block, pivot, inverse));
        kernels->divide(n, 0, n, block, inverse, 2, rows);
        kernels->update(n, rows, 0, 0, 1, left);
        kernels->update(n, rows, 1, 0, 2, left);
        for (size_t i = 0; i < n; i++) {
            assert_near(pivot[i] * inverse[i] * inverse[i], 1.0, 1e-14);
            for (size_t k = 0; k <= i; k++) {
                double sum = 0.0;
                for (size_t m = 0; m <= k; m++) {
                    sum += *at(block, n, i, m) * *at(block, n, k, m);
                }
                assert_near(sum, a[i * n + k], 1e-13 * (double)n);
            }
            for (size_t k = i + 1; k < n; k++) {
                assert_near(*at(block, n, i, k), 0.0, 0.0);
            }
        }
        for (size_t i = 0; i < 16; i++) {
            for (size_t k = 0; k < n; k++) {
                double sum = 0.0;
                for (size_t m = 0; m <= k; m++) {
                    sum += *at(rows, n, i, m) * *at(block, n, k, m);
                }
                assert_near(sum, *at(was, n, i, k), 1e-13 * (double)n);
            }
            for (size_t j = 0; j <= i; j++) {
                double sum = 0.0;
                for (size_t m = 0; m < n; m++) {
                    sum += *at(rows, n, i, m) * *at(rows, n, j, m);
                }
                assert_near(left[32 * (i / 8) * (i / 8 + 1) + 8 * j + i % 8], -sum, 1e-12);
            }
        }
        for (size_t i = 0; i < n; i++) {
            want[i] = rng_normal(&r);
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                x[i] += a[i >= k ? i * n + k : k * n + i] * want[k];
            }
        }
        kernels->forward(n, block, inverse, x);
        kernels->backward(n, block, inverse, x);
        assert_all_near(x, want, n, 1e-13);
    }
}

/* The widest vectors and the plain code: the same bits. */
static void test_all_kernels_have_the_same_bits(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    const crm_lcp_tile_kernels *kinds[] = {crm_lcp_tile_of(CRM_WIDTH_16),
                                           crm_lcp_tile_of(crm_widest())};
    enum { N = 20, TILES = 3 };
    static double block[2][24 * N], rows[2][8 * TILES * N], left[2][32 * TILES * (TILES + 1)];
    static double pivot[2][N], inverse[2][N], x[2][24], y[2][8 * TILES], work[8 * N];
    for (size_t k = 0; k < 24 * N; k++) {
        block[0][k] = rng_uniform(&r, -1.0, 1.0);
    }
    for (size_t i = 0; i < N; i++) {
        *at(block[0], N, i, i) = 2.0 * N;
        x[0][i] = rng_normal(&r);
    }
    for (size_t k = 0; k < 8 * TILES * N; k++) {
        rows[0][k] = rng_normal(&r);
    }
    memcpy(block[1], block[0], sizeof block[0]);
    memcpy(rows[1], rows[0], sizeof rows[0]);
    memcpy(x[1], x[0], sizeof x[0]);
    for (size_t v = 0; v < 2; v++) {
        assert_true(kinds[v]->factor(N, 0, N, block[v], pivot[v], inverse[v]));
        kinds[v]->divide(N, 0, N, block[v], inverse[v], TILES, rows[v]);
        for (size_t t = 0; t < TILES; t++) {
            kinds[v]->update(N, rows[v], t, 0, t + 1, left[v]);
        }
        kinds[v]->forward(N, block[v], inverse[v], x[v]);
        kinds[v]->apply(N, rows[v], TILES, x[v], y[v]);
        kinds[v]->apply_transposed(N, 0, N, rows[v], TILES, y[v], x[v], work);
        kinds[v]->backward(N, block[v], inverse[v], x[v]);
    }
    assert_memory_equal(block[0], block[1], sizeof block[0]);
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
    assert_memory_equal(left[0], left[1], sizeof left[0]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(y[0], y[1], sizeof y[0]);
}

/* Panel by panel, each divided out of the tiles below: the same bits as all at once. */
static void test_panels_make_the_same_factor(void **state)
{
    enum { COLUMNS = 44, TILES = 6, PANEL = 16 };
    (void)state;
    rng r = rng_seeded(4);
    const crm_lcp_tile_kernels *kernels = crm_lcp_tile_of(crm_widest());
    static double whole[8 * TILES * COLUMNS], parts[8 * TILES * COLUMNS];
    double pivot[COLUMNS], inverse[COLUMNS], pivot_of[COLUMNS], inverse_of[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) {
        for (size_t k = 0; k <= i; k++) {
            *at(whole, COLUMNS, i, k) = i == k ? COLUMNS : rng_uniform(&r, -1.0, 1.0);
        }
    }
    memcpy(parts, whole, sizeof parts);
    assert_true(kernels->factor(COLUMNS, 0, COLUMNS, whole, pivot, inverse));
    for (size_t begin = 0; begin < COLUMNS; begin += PANEL) {
        size_t end = begin + PANEL < COLUMNS ? begin + PANEL : COLUMNS, below = crm_lcp_tiles(end);
        assert_true(kernels->factor(COLUMNS, begin, end, parts, pivot_of, inverse_of));
        kernels->divide(COLUMNS, begin, end, parts, inverse_of, TILES - below,
                        parts + 8 * COLUMNS * below);
    }
    assert_memory_equal(parts, whole, sizeof parts);
    assert_memory_equal(pivot_of, pivot, sizeof pivot);
    assert_memory_equal(inverse_of, inverse, sizeof inverse);
}

static void test_a_block_that_is_not_definite_is_refused(void **state)
{
    (void)state;
    double block[32] = {0}, pivot[4], inverse[4];
    for (size_t k = 0; k < 4; k++) {
        *at(block, 4, k, k) = 1.0;
    }
    *at(block, 4, 3, 1) = 1.0;
    assert_false(crm_lcp_tile_of(crm_widest())->factor(4, 0, 4, block, pivot, inverse));
}

/* ---- Factors of active submatrices ----------------------------------------------------------- */

/* (D_FF + delta diag(D_FF) + diag(added)) x = b, judged by multiplying back. */
static void check_factor(const crm_lcp_matrix *matrix, crm_lcp_factor *factor, rng *r)
{
    size_t size = matrix->size;
    bool *active = calloc(size, sizeof *active);
    double *added = calloc(size, sizeof *added);
    double *b = calloc(size, sizeof *b);
    double *x = calloc(size, sizeof *x);
    const double delta = 1e-3;
    for (size_t k = 0; k < size; k++) {
        active[k] = rng_below(r, 3) > 0;
        added[k] = rng_log(r, 1e-3, 1e6);
        b[k] = x[k] = rng_normal(r);
    }
    double smallest = crm_lcp_factor_set(factor, active, delta, added);
    assert_true(smallest > 0.0 && smallest <= 1.0);
    crm_lcp_factor_solve(factor, x);
    for (size_t k = 0; k < size; k++) {
        double sum = (delta * matrix->diagonal[k] + added[k]) * x[k];
        double terms = fabs(sum) + 1.0;
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            sum += matrix->value[m] * x[matrix->column[m]];
            terms += fabs(matrix->value[m] * x[matrix->column[m]]);
        }
        if (active[k]) {
            assert_near(sum, b[k], 1e-13 * terms);
        } else {
            assert_near(x[k], 0.0, 0.0);
        }
    }
    free(active);
    free(added);
    free(b);
    free(x);
}

static void test_factors_solve_their_systems(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    for (packing_kind kind = 0; kind < PACKING_KINDS; kind++) {
        for (size_t side = 2; side <= (kind == PACKING_DENSE ? 6 : 20); side += 2) {
            crm_error error = {0};
            crm_lcp_matrix matrix;
            crm_lcp_factor *factor = NULL;
            packing p = packing_make(kind, side, 0.5, &r);
            crm_sparse_view d = packing_delassus(&p);
            assert_ok(crm_lcp_matrix_create(p.contacts, &d, (crm_lcp_limits){0}, &matrix, &error),
                      &error);
            assert_ok(crm_lcp_factor_create(&matrix, &factor, &error), &error);
            check_factor(&matrix, factor, &r);
            check_factor(&matrix, factor, &r);
            crm_lcp_factor_free(factor);
            crm_lcp_matrix_free(&matrix);
            packing_free(&p);
        }
    }
}

/* D of a packing with more contacts than freedoms is singular: no factor of it. */
static void test_dependent_contacts_are_seen(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    crm_error error = {0};
    crm_lcp_matrix matrix;
    crm_lcp_factor *factor = NULL;
    packing p = packing_make(PACKING_HEXAGONAL, 6, 0.0, &r);
    crm_sparse_view d = packing_delassus(&p);
    assert_true(p.contacts > 2 * p.balls);
    assert_ok(crm_lcp_matrix_create(p.contacts, &d, (crm_lcp_limits){0}, &matrix, &error), &error);
    assert_ok(crm_lcp_factor_create(&matrix, &factor, &error), &error);
    assert_true(crm_lcp_factor_set(factor, NULL, 0.0, NULL) < 1e-11);
    assert_true(crm_lcp_factor_set(factor, NULL, 1e-6, NULL) > 0.9e-6);
    crm_lcp_factor_free(factor);
    crm_lcp_matrix_free(&matrix);
    packing_free(&p);
}

/* ---- The interior point ---------------------------------------------------------------------- */

typedef struct workpiece {
    crm_lcp_matrix matrix;
    crm_lcp_pivoting pivoting;
    double *q;
    double *floor;
} workpiece;

static void lay_out(workpiece *b, const lcp_data *problem, double delta)
{
    crm_error error = {0};
    crm_sparse_view d = lcp_view(problem);
    double fastest = largest_size(problem->q, problem->size);
    b->q = calloc(problem->size, sizeof(double));
    b->floor = calloc(problem->size, sizeof(double));
    assert_ok(crm_lcp_matrix_create(problem->size, &d, (crm_lcp_limits){0}, &b->matrix, &error),
              &error);
    assert_ok(crm_lcp_pivoting_create(&b->matrix, &b->pivoting, &error), &error);
    for (size_t k = 0; k < b->matrix.size; k++) {
        b->q[k] = b->matrix.scale[k] * problem->q[b->matrix.contact[k]];
        b->floor[k] = b->matrix.scale[k] * fastest;
    }
    b->pivoting.q = b->q;
    b->pivoting.floor = b->floor;
    b->pivoting.delta = delta;
    b->pivoting.max_iterations = 100000;
}

static void put_away(workpiece *b)
{
    crm_lcp_pivoting_free(&b->pivoting);
    crm_lcp_matrix_free(&b->matrix);
    free(b->q);
    free(b->floor);
}

/* The central path of the problem itself ends in a solution. */
static void test_interior_point_solves_the_problem_itself(void **state)
{
    (void)state;
    rng r = rng_seeded(59);
    for (unsigned trial = 0; trial < 20; trial++) {
        packing packed = packing_make(PACKING_HEXAGONAL, 3 + rng_below(&r, 10), 1.0, &r);
        lcp_data problem = lcp_packing(&packed, PACKING_ALL_MOVE, &r);
        workpiece b;
        double terms;
        lay_out(&b, &problem, 1e-10);
        assert_true(crm_lcp_interior(&b.pivoting, (crm_lcp_interior_options){.to_rounding = true}));
        double *p = calloc(problem.size, sizeof(double));
        for (size_t k = 0; k < b.matrix.size; k++) {
            p[b.matrix.contact[k]] = b.matrix.scale[k] * b.pivoting.point_work[k];
        }
        crm_lcp_info found = lcp_residuals(&problem, p, &terms);
        assert_true(found.min_p >= 0.0);
        assert_true(found.relative_residual < ROUNDING);
        free(p);
        put_away(&b);
        lcp_data_free(&problem);
        packing_free(&packed);
    }
}

/* A line pivoted on from the worst set: the answer is fetched directly. */
static void test_pivoting_on_a_line_from_a_bad_set(void **state)
{
    (void)state;
    enum { BALLS = 2000 };
    rng r = rng_seeded(61);
    double *mass = calloc(BALLS, sizeof(double));
    for (size_t i = 0; i < BALLS; i++) {
        mass[i] = 1.0;
    }
    lcp_data problem = lcp_chain(BALLS, mass);
    for (size_t j = 0; j < problem.size; j++) {
        problem.q[j] = sin(0.02 * (double)j) + 0.1 * rng_normal(&r);
    }
    workpiece b;
    lay_out(&b, &problem, 0.0);
    for (size_t k = 0; k < b.matrix.size; k++) {
        b.pivoting.active[k] = b.q[k] > 0.0;
    }
    b.pivoting.definite = true;
    assert_true(crm_lcp_pivot(&b.pivoting, 1));
    assert_true(b.pivoting.iterations < 20);
    put_away(&b);
    lcp_data_free(&problem);
    free(mass);
}

/* ---- The bound on the norm ------------------------------------------------------------------- */

/* The same contact several times: any p >= 0 with the sum 1 solves it, and the least is the even
 * one. Whatever the multipliers are, the bound must not be below what a p exceeds that by; for the
 * even one with its multipliers it is nothing.
 */
static void test_the_bound_on_the_norm_holds(void **state)
{
    (void)state;
    enum { COPIES = 5, TRIALS = 2000 };
    double ones[COPIES * COPIES];
    for (size_t i = 0; i < COPIES * COPIES; i++) {
        ones[i] = 1;
    }
    lcp_data problem = lcp_from_dense(COPIES, ones);
    crm_sparse_view d = lcp_view(&problem);
    crm_lcp_matrix matrix;
    crm_lcp_solver solver;
    crm_error error = {0};
    assert_ok(crm_lcp_matrix_create(COPIES, &d, (crm_lcp_limits){0}, &matrix, &error), &error);
    assert_ok(crm_lcp_solver_create(&matrix, &solver, &error), &error);
    rng r = rng_seeded(17);
    double tightest = INFINITY;
    for (int trial = 0; trial < TRIALS; trial++) {
        double sum = 0, norm = 0;
        for (size_t k = 0; k < COPIES; k++) {
            solver.q[k] = -1;
            solver.floor[k] = 1;
            solver.p[k] = trial == 0 ? 1 : rng_below(&r, 2) == 0 ? 0 : rng_uniform(&r, 0.1, 1);
            solver.multiplier[k] =
                trial == 0 ? 1.0 / (COPIES * COPIES) : rng_uniform(&r, -0.1, 0.2);
            sum += solver.p[k];
        }
        for (size_t k = 0; k < COPIES && sum > 0; k++) {
            solver.p[k] /= sum;
            norm += solver.p[k] * solver.p[k];
        }
        double excess = norm - 1.0 / COPIES, bound = crm_lcp_least_norm_excess(&solver, 1e-12);
        if (trial == 0) {
            assert_near(bound, 0, 1e-14);
        } else if (sum > 0) {
            assert_true(bound >= excess - 1e-14);
            tightest = fmin(tightest, bound / fmax(excess, 1e-300));
        }
    }
    assert_true(tightest < 10); /* and it says something */
    crm_lcp_solver_free(&solver);
    crm_lcp_matrix_free(&matrix);
    lcp_data_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_elimination_multiplies_back),
        cmocka_unit_test(test_all_kernels_have_the_same_bits),
        cmocka_unit_test(test_panels_make_the_same_factor),
        cmocka_unit_test(test_a_block_that_is_not_definite_is_refused),
        cmocka_unit_test(test_factors_solve_their_systems),
        cmocka_unit_test(test_dependent_contacts_are_seen),
        cmocka_unit_test(test_interior_point_solves_the_problem_itself),
        cmocka_unit_test(test_pivoting_on_a_line_from_a_bad_set),
        cmocka_unit_test(test_the_bound_on_the_norm_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
