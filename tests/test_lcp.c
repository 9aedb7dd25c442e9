/* The complementarity solver: against known pairs, every active set, closed forms and itself.
 *
 * Nothing the solver reports is believed: residuals are recomputed here from D, q and p.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/lcp.h"
#include "lcp/descent.h"
#include "lcp/interior.h"
#include "support.h"

/* Of w, relative to the largest |q| plus the terms of D p: the solver promises rounding. */
static const double ROUNDING = 1e-13;

/* ---- Problems -------------------------------------------------------------------------------- */

/* D by rows, both triangles. */
typedef struct lcp_data {
    size_t size;
    size_t *start;
    uint32_t *column;
    double *value;
    double *q;
} lcp_data;

static lcp_data problem_allocate(size_t size, size_t entries)
{
    lcp_data made = {size, calloc(size + 1, sizeof(size_t)), calloc(entries + 1, sizeof(uint32_t)),
                     calloc(entries + 1, sizeof(double)), calloc(size + 1, sizeof(double))};
    assert_non_null(made.start);
    assert_non_null(made.column);
    assert_non_null(made.value);
    assert_non_null(made.q);
    return made;
}

static void problem_free(lcp_data *p)
{
    free(p->start);
    free(p->column);
    free(p->value);
    free(p->q);
}

static crm_sparse_view view(const lcp_data *p)
{
    return (crm_sparse_view){p->start, p->column, p->value};
}

static lcp_data from_dense(size_t size, const double *d)
{
    lcp_data made = problem_allocate(size, size * size);
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

static lcp_data tridiagonal(size_t size, const double *diagonal, const double *above)
{
    lcp_data made = problem_allocate(size, 3 * size);
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
static lcp_data chain(size_t balls, const double *mass)
{
    double *diagonal = calloc(balls, sizeof(double));
    double *above = calloc(balls, sizeof(double));
    for (size_t j = 0; j + 1 < balls; j++) {
        diagonal[j] = 1.0 / mass[j] + 1.0 / mass[j + 1];
        above[j] = -1.0 / mass[j + 1];
    }
    lcp_data made = tridiagonal(balls - 1, diagonal, above);
    free(diagonal);
    free(above);
    return made;
}

/* D = W'W for `size` random directions in n coordinates. Few distinct entries when `coarse`, so
 * that equal numbers, zeros and dependent directions are common.
 */
static void random_delassus(rng *r, size_t n, size_t size, bool coarse, double *w, double *d)
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

/* Equal or unequal balls in a triangular lattice of side x side, and a velocity for each. */
typedef struct lattice {
    size_t bodies;
    size_t contacts;
    size_t (*pair)[2];
    double (*normal)[2];
    double *mass;
} lattice;

static lattice lattice_make(size_t side, rng *r, double decades)
{
    lattice made = {.bodies = side * side};
    made.pair = calloc(3 * made.bodies, sizeof *made.pair);
    made.normal = calloc(3 * made.bodies, sizeof *made.normal);
    made.mass = calloc(made.bodies, sizeof(double));
    for (size_t y = 0; y < side; y++) {
        for (size_t x = 0; x < side; x++) {
            size_t here = y * side + x;
            size_t shift = y % 2;
            made.mass[here] = decades > 0.0 ? pow(10.0, rng_uniform(r, -decades, decades)) : 1.0;
            const struct {
                bool there;
                size_t other;
                double nx, ny;
            } next[3] = {
                {x + 1 < side, here + 1, 1.0, 0.0},
                {y + 1 < side && x + shift < side, here + side + shift, 0.5, sqrt(0.75)},
                {y + 1 < side && x + shift >= 1, here + side + shift - 1, -0.5, sqrt(0.75)}};
            for (size_t k = 0; k < 3; k++) {
                if (next[k].there) {
                    made.pair[made.contacts][0] = here;
                    made.pair[made.contacts][1] = next[k].other;
                    made.normal[made.contacts][0] = next[k].nx;
                    made.normal[made.contacts++][1] = next[k].ny;
                }
            }
        }
    }
    return made;
}

static void lattice_free(lattice *l)
{
    free(l->pair);
    free(l->normal);
    free(l->mass);
}

static lcp_data lattice_problem(const lattice *l)
{
    size_t *touching = calloc(l->bodies * 6, sizeof(size_t));
    size_t *count = calloc(l->bodies, sizeof(size_t));
    lcp_data made = problem_allocate(l->contacts, 11 * l->contacts);
    size_t entry = 0;
    for (size_t j = 0; j < l->contacts; j++) {
        for (size_t side = 0; side < 2; side++) {
            size_t body = l->pair[j][side];
            touching[6 * body + count[body]++] = j;
        }
    }
    for (size_t j = 0; j < l->contacts; j++) {
        made.column[entry] = (uint32_t)j;
        made.value[entry++] = 1.0 / l->mass[l->pair[j][0]] + 1.0 / l->mass[l->pair[j][1]];
        for (size_t side = 0; side < 2; side++) {
            size_t body = l->pair[j][side];
            for (size_t k = 0; k < count[body]; k++) {
                size_t o = touching[6 * body + k];
                double sign = l->pair[o][side] == body ? 1.0 : -1.0;
                double cosine =
                    l->normal[j][0] * l->normal[o][0] + l->normal[j][1] * l->normal[o][1];
                if (o != j) {
                    made.column[entry] = (uint32_t)o;
                    made.value[entry++] = sign * cosine / l->mass[body];
                }
            }
        }
        made.start[j + 1] = entry;
    }
    free(touching);
    free(count);
    return made;
}

/* q_j = n_j . (v_b - v_a) */
static void lattice_speeds(const lattice *l, const double *velocity, double *q)
{
    for (size_t j = 0; j < l->contacts; j++) {
        const double *a = velocity + 2 * l->pair[j][0];
        const double *b = velocity + 2 * l->pair[j][1];
        q[j] = (b[0] - a[0]) * l->normal[j][0] + (b[1] - a[1]) * l->normal[j][1];
    }
}

/* ---- Solving and judging --------------------------------------------------------------------- */

typedef struct answer {
    crm_lcp_info info;
    double *p;
    double *w;
} answer;

static void answer_free(answer *a)
{
    free(a->p);
    free(a->w);
}

static answer solve_with(crm_lcp *lcp, const lcp_data *problem, const crm_lcp_options *options,
                         const double *start)
{
    crm_error error = {0};
    answer made = {.p = calloc(problem->size + 1, sizeof(double)),
                   .w = calloc(problem->size + 1, sizeof(double))};
    for (size_t j = 0; j < problem->size; j++) {
        made.p[j] = start != NULL ? start[j] : NAN;
    }
    assert_ok(crm_lcp_solve(lcp, problem->q, options, made.p, made.w, &made.info, &error), &error);
    return made;
}

static answer solve(const lcp_data *problem)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    crm_sparse_view d = view(problem);
    assert_ok(crm_lcp_create(problem->size, &d, &lcp, &error), &error);
    assert_int_equal(crm_lcp_size(lcp), problem->size);
    answer made = solve_with(lcp, problem, NULL, NULL);
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
static crm_lcp_info residuals(const lcp_data *problem, const double *p, double *largest_terms)
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
static void check_solved(const lcp_data *problem, const answer *a)
{
    double terms;
    crm_lcp_info found = residuals(problem, a->p, &terms);
    double allowed = WIDE * terms;
    assert_string_equal(crm_lcp_result_text(a->info.result), "solved");
    assert_true(found.min_p >= 0.0);
    assert_true(found.relative_residual <= ROUNDING);
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
static void check_w(const lcp_data *problem, const answer *a, const double *want, double tolerance)
{
    for (size_t i = 0; i < problem->size; i++) {
        double terms = largest_size(problem->q, problem->size);
        for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
            terms += fabs(problem->value[k]) * a->p[problem->column[k]];
        }
        assert_near(a->w[i], want[i], tolerance * terms);
    }
}

/* ---- Known pairs -------------------------------------------------------------------------------
 */

/* q = w* - D p* for p* w* = 0, with contacts where both are 0, and more contacts than freedoms. */
static void test_known_complementary_pairs_are_found(void **state)
{
    (void)state;
    enum { MOST = 80 };
    rng r = rng_seeded(7);
    double w[MOST * MOST], d[MOST * MOST], p_known[MOST], w_known[MOST];
    for (unsigned trial = 0; trial < 300; trial++) {
        size_t size = 1 + rng_below(&r, MOST);
        size_t n = 1 + rng_below(&r, size + 3 < MOST ? size + 3 : MOST);
        random_delassus(&r, n, size, trial % 3 == 0, w, d);
        lcp_data problem = from_dense(size, d);
        for (size_t j = 0; j < size; j++) {
            unsigned kind = (unsigned)rng_below(&r, 3);
            p_known[j] = kind == 0 ? rng_uniform(&r, 0.0, 2.0) : 0.0;
            w_known[j] = kind == 1 ? rng_uniform(&r, 0.0, 2.0) : 0.0;
        }
        for (size_t i = 0; i < size; i++) {
            problem.q[i] = w_known[i];
            for (size_t j = 0; j < size; j++) {
                problem.q[i] -= d[i * size + j] * p_known[j];
            }
        }
        answer a = solve(&problem);
        check_solved(&problem, &a);
        check_w(&problem, &a, w_known, 100.0 * ROUNDING);
        answer_free(&a);
        problem_free(&problem);
    }
}

/* ---- Every active set --------------------------------------------------------------------------
 */

enum { FEW = 10 };

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
static bool enumerate(size_t size, const double *d, const double *q, double *w)
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
static void check_infeasible(const lcp_data *problem, const answer *a)
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

static void test_agrees_with_trying_every_active_set(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    size_t infeasible = 0;
    size_t dependent = 0;
    for (unsigned trial = 0; trial < 1500; trial++) {
        double w[FEW * FEW], d[FEW * FEW], velocity[FEW], want[FEW];
        size_t size = 1 + rng_below(&r, trial % 50 == 0 ? FEW : 7);
        size_t n = 1 + rng_below(&r, trial % 5 == 4 ? 3 : FEW);
        bool coarse = trial % 2 == 0;
        random_delassus(&r, n, size, coarse, w, d);
        lcp_data problem = from_dense(size, d);
        for (size_t k = 0; k < n; k++) {
            velocity[k] = coarse ? (double)rng_below(&r, 3) - 1.0 : rng_normal(&r);
        }
        for (size_t j = 0; j < size; j++) {
            /* In the range of W', or anything. */
            problem.q[j] = trial % 5 == 4 ? rng_normal(&r) : 0.0;
            for (size_t k = 0; trial % 5 != 4 && k < n; k++) {
                problem.q[j] += w[j * n + k] * velocity[k];
            }
        }
        bool feasible = enumerate(size, d, problem.q, want);
        answer a = solve(&problem);
        if (feasible) {
            check_solved(&problem, &a);
            check_w(&problem, &a, want, 100.0 * ROUNDING);
            dependent += !a.info.unique;
        } else {
            check_infeasible(&problem, &a);
            infeasible++;
        }
        answer_free(&a);
        problem_free(&problem);
    }
    /* The trials are worth something only if all kinds occurred. */
    assert_true(infeasible > 50);
    assert_true(dependent > 50);
}

/* ---- Infeasible --------------------------------------------------------------------------------
 */

/* A ball between two walls that close in on it. */
static void test_closing_walls_are_infeasible(void **state)
{
    (void)state;
    const double d[4] = {1.0, -1.0, -1.0, 1.0};
    lcp_data problem = from_dense(2, d);
    problem.q[0] = -1.0;
    problem.q[1] = 0.5;
    answer a = solve(&problem);
    check_infeasible(&problem, &a);
    assert_near(a.p[0], a.p[1], 1e-12);
    answer_free(&a);
    problem.q[1] = 1.0;
    a = solve(&problem);
    check_solved(&problem, &a);
    answer_free(&a);
    problem_free(&problem);
}

static void test_contact_that_moves_nothing(void **state)
{
    (void)state;
    const double d[9] = {2.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 2.0};
    lcp_data problem = from_dense(3, d);
    problem.q[0] = -1.0;
    problem.q[1] = 0.25;
    answer a = solve(&problem);
    const double p_want[3] = {2.0 / 3.0, 0.0, 1.0 / 3.0};
    const double w_want[3] = {0.0, 0.25, 0.0};
    check_solved(&problem, &a);
    assert_all_near(a.p, p_want, 3, 1e-15);
    assert_all_near(a.w, w_want, 3, 1e-15);
    answer_free(&a);
    problem.q[1] = -0.25;
    a = solve(&problem);
    check_infeasible(&problem, &a);
    assert_near(a.p[1], 1.0, 0.0);
    answer_free(&a);
    problem_free(&problem);
}

/* ---- Lines of balls ------------------------------------------------------------------------- */

/* n equal balls, the first at speed 1: p = (n-1, ..., 1)/n. */
static void test_equal_balls_closed_form(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 3, 10, 25, 1000, 100000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        size_t n = sizes[k];
        double *mass = calloc(n, sizeof(double));
        for (size_t i = 0; i < n; i++) {
            mass[i] = 1.0;
        }
        lcp_data problem = chain(n, mass);
        problem.q[0] = -1.0;
        answer a = solve(&problem);
        check_solved(&problem, &a);
        assert_true(a.info.unique);
        for (size_t j = 0; j + 1 < n; j++) {
            assert_near(a.p[j], (double)(n - 1 - j) / (double)n, 4e-16);
        }
        answer_free(&a);
        problem_free(&problem);
        free(mass);
    }
}

/* The plastic impact of a line of balls is isotonic regression: blocks of balls that move on
 * together, found by pooling neighbours that would collide.
 */
static void pool(size_t n, const double *mass, const double *velocity, double *after)
{
    size_t *first = calloc(n + 1, sizeof(size_t));
    long double *momentum = calloc(n, sizeof(long double));
    long double *total = calloc(n, sizeof(long double));
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        first[count] = i;
        total[count] = mass[i];
        momentum[count++] = (long double)mass[i] * velocity[i];
        while (count > 1 &&
               momentum[count - 2] / total[count - 2] >= momentum[count - 1] / total[count - 1]) {
            momentum[count - 2] += momentum[count - 1];
            total[count - 2] += total[count - 1];
            count--;
        }
    }
    first[count] = n;
    for (size_t b = 0; b < count; b++) {
        for (size_t i = first[b]; i < first[b + 1]; i++) {
            after[i] = (double)(momentum[b] / total[b]);
        }
    }
    free(first);
    free(momentum);
    free(total);
}

/* The active set of a line is found without trying: what is left is to ask whether D is definite,
 * and a set or two more where rounding decided.
 */
enum { LINE_FACTORIZATIONS = 8 };

/* Masses from 10^-decades to 10^decades. A line of light balls between heavy ones: D_jj and D_jj+1
 * cancel but for the heavy balls' share, so rounding D to doubles changes w by that much of the
 * greatest ratio of masses. (For 16 decades D knows nothing of the heavy balls.)
 */
static void check_line(rng *r, size_t n, double decades)
{
    double tolerance = 100.0 * ROUNDING + 1e-15 * pow(10.0, 2.0 * decades);
    double *mass = calloc(n, sizeof(double));
    double *velocity = calloc(n, sizeof(double));
    double *after = calloc(n, sizeof(double));
    double *want = calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        mass[i] = pow(10.0, rng_uniform(r, -decades, decades));
        velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    pool(n, mass, velocity, after);
    lcp_data problem = chain(n, mass);
    for (size_t j = 0; j + 1 < n; j++) {
        problem.q[j] = velocity[j + 1] - velocity[j];
        want[j] = after[j + 1] - after[j];
    }
    answer a = solve(&problem);
    check_solved(&problem, &a);
    check_w(&problem, &a, want, tolerance);
    assert_true(a.info.factorizations <= LINE_FACTORIZATIONS);
    answer_free(&a);
    problem_free(&problem);
    free(mass);
    free(velocity);
    free(after);
    free(want);
}

static void test_lines_are_isotonic_regressions(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    for (unsigned trial = 0; trial < 200; trial++) {
        check_line(&r, 2 + rng_below(&r, 60), 0.5);
    }
    check_line(&r, 20000, 0.5);
}

/* Masses from 1e-8 to 1e8 in one line. */
static void test_masses_of_very_different_size(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    for (unsigned trial = 0; trial < 300; trial++) {
        check_line(&r, 2 + rng_below(&r, 100), trial % 3 == 0 ? 2.0 : trial % 3 == 1 ? 4.0 : 6.0);
    }
}

/* Balls between two walls: the contacts are dependent. Three balls, the middle one moving: the
 * outer contacts of a line at rest can be squeezed by any amount, least squeezed is not at all.
 */
static void test_line_between_walls(void **state)
{
    (void)state;
    const double diagonal[4] = {1.0, 2.0, 2.0, 1.0};
    const double above[3] = {-1.0, -1.0, -1.0};
    lcp_data problem = tridiagonal(4, diagonal, above);
    /* Ball 2 moves right at 1: gaps (0, +1, -1, 0). Everything stops but for what opens. */
    const double q[4] = {0.0, 1.0, -1.0, 0.0};
    memcpy(problem.q, q, sizeof q);
    answer a = solve(&problem);
    /* D p = -q on the closed side: ball 3 is stopped by the wall, so p = (0, 0, 1, 1), w = 0. */
    const double p_want[4] = {0.0, 0.0, 1.0, 1.0};
    const double w_want[4] = {0.0, 0.0, 0.0, 0.0};
    check_solved(&problem, &a);
    assert_false(a.info.unique);
    assert_all_near(a.w, w_want, 4, 1e-15);
    assert_all_near(a.p, p_want, 4, 1e-8);
    assert_true(a.info.norm_excess < 1e-6);
    answer_free(&a);
    problem_free(&problem);
}

/* Lines between walls, all of whose contacts together are dependent, against every active set;
 * walls that move may make them infeasible.
 */
static void test_lines_between_walls_agree_with_every_set(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    size_t infeasible = 0;
    for (unsigned trial = 0; trial < 600; trial++) {
        double diagonal[8], above[8], d[64] = {0}, velocity[10], want[FEW];
        size_t balls = 1 + rng_below(&r, 7);
        size_t size = balls + 1;
        double mass[9] = {INFINITY};
        for (size_t i = 1; i <= balls; i++) {
            mass[i] = trial % 2 == 0 ? 1.0 : rng_uniform(&r, 0.5, 2.0);
        }
        mass[balls + 1] = INFINITY;
        for (size_t i = 0; i <= balls + 1; i++) {
            bool wall = i == 0 || i == balls + 1;
            velocity[i] = wall && trial % 4 != 0 ? 0.0 : (double)rng_below(&r, 5) - 2.0;
        }
        for (size_t j = 0; j < size; j++) {
            double left = j == 0 ? 0.0 : 1.0 / mass[j];
            double right = j == balls ? 0.0 : 1.0 / mass[j + 1];
            diagonal[j] = left + right;
            above[j] = -right;
            d[j * size + j] = diagonal[j];
            if (j < balls) {
                d[j * size + j + 1] = above[j];
                d[(j + 1) * size + j] = above[j];
            }
        }
        lcp_data problem = tridiagonal(size, diagonal, above);
        for (size_t j = 0; j < size; j++) {
            problem.q[j] = velocity[j + 1] - velocity[j];
        }
        bool feasible = enumerate(size, d, problem.q, want);
        answer a = solve(&problem);
        if (feasible) {
            check_solved(&problem, &a);
            check_w(&problem, &a, want, 100.0 * ROUNDING);
        } else {
            check_infeasible(&problem, &a);
            infeasible++;
        }
        answer_free(&a);
        problem_free(&problem);
    }
    assert_true(infeasible > 20);
}

/* ---- Which p -------------------------------------------------------------------------------- */

/* Among many p one is singled out by numbers of size 1e-10: they leave six digits. */
static const double SHARED = 1e-5;

/* One contact entered twice, the second gap function c times the first: each is to do half of the
 * work, whatever c, for D_11 p_1^2 + D_22 p_2^2 is least at p_1 = c p_2.
 */
static void test_least_norm_shares_evenly(void **state)
{
    (void)state;
    const double factors[] = {1.0, 3.0, 1e-3, 1e3};
    for (size_t k = 0; k < 4; k++) {
        double c = factors[k];
        const double d[4] = {2.0, 2.0 * c, 2.0 * c, 2.0 * c * c};
        lcp_data problem = from_dense(2, d);
        problem.q[0] = -1.0;
        problem.q[1] = -c;
        answer a = solve(&problem);
        check_solved(&problem, &a);
        assert_false(a.info.unique);
        assert_near(a.p[0], 0.25, SHARED);
        assert_near(c * a.p[1], 0.25, SHARED);
        assert_true(a.info.norm_excess < 1e-8);
        answer_free(&a);
        problem_free(&problem);
    }
}

static double squared_norm(const lcp_data *problem, const double *p)
{
    double sum = 0.0;
    for (size_t i = 0; i < problem->size; i++) {
        for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
            sum += problem->column[k] == i ? problem->value[k] * p[i] * p[i] : 0.0;
        }
    }
    return sum;
}

/* No known solution has a smaller norm than the answer, beyond what the answer admits. */
static void test_norm_excess_is_a_bound(void **state)
{
    (void)state;
    enum { SIZE = 30, FREEDOMS = 12 };
    rng r = rng_seeded(13);
    for (unsigned trial = 0; trial < 100; trial++) {
        double w[SIZE * FREEDOMS], d[SIZE * SIZE], known[SIZE];
        random_delassus(&r, FREEDOMS, SIZE, trial % 2 == 0, w, d);
        lcp_data problem = from_dense(SIZE, d);
        for (size_t j = 0; j < SIZE; j++) {
            known[j] = rng_below(&r, 2) == 0 ? rng_uniform(&r, 0.0, 1.0) : 0.0;
        }
        for (size_t i = 0; i < SIZE; i++) {
            for (size_t j = 0; j < SIZE; j++) {
                problem.q[i] -= d[i * SIZE + j] * known[j];
            }
        }
        answer a = solve(&problem);
        check_solved(&problem, &a);
        assert_true(squared_norm(&problem, a.p) <=
                    squared_norm(&problem, known) * (1.0 + a.info.norm_excess + 1e-12));
        assert_true(a.info.norm_excess < 1e-4);
        answer_free(&a);
        problem_free(&problem);
    }
}

/* ---- Packings ------------------------------------------------------------------------------- */

static void test_packings(void **state)
{
    (void)state;
    const size_t sides[] = {3, 7, 15, 30};
    const double decades[] = {0.0, 1.0, 3.0};
    rng r = rng_seeded(17);
    for (size_t k = 0; k < 12; k++) {
        lattice l = lattice_make(sides[k % 4], &r, decades[k / 4]);
        lcp_data problem = lattice_problem(&l);
        double *velocity = calloc(2 * l.bodies, sizeof(double));
        for (unsigned kind = 0; kind < 3; kind++) {
            for (size_t i = 0; i < l.bodies; i++) {
                velocity[2 * i] = kind == 0 ? rng_normal(&r) : 0.0;
                velocity[2 * i + 1] =
                    kind == 0 ? rng_normal(&r) : (kind == 1 ? i == sides[k % 4] / 2 : i < 10);
            }
            lattice_speeds(&l, velocity, problem.q);
            answer a = solve(&problem);
            check_solved(&problem, &a);
            answer_free(&a);
        }
        free(velocity);
        problem_free(&problem);
        lattice_free(&l);
    }
}

/* ---- Invariance ----------------------------------------------------------------------------- */

/* The contacts in another order: the same w, and the same p. */
static void test_order_of_contacts_does_not_matter(void **state)
{
    (void)state;
    rng r = rng_seeded(19);
    lattice l = lattice_make(8, &r, 0.5);
    lcp_data first = lattice_problem(&l);
    size_t size = first.size;
    double *velocity = calloc(2 * l.bodies, sizeof(double));
    size_t *order = calloc(size, sizeof(size_t));
    lattice shuffled = l;
    shuffled.pair = calloc(size, sizeof *shuffled.pair);
    shuffled.normal = calloc(size, sizeof *shuffled.normal);
    for (size_t i = 0; i < 2 * l.bodies; i++) {
        velocity[i] = rng_normal(&r);
    }
    rng_shuffle(&r, order, size);
    for (size_t j = 0; j < size; j++) {
        memcpy(shuffled.pair[j], l.pair[order[j]], sizeof *l.pair);
        memcpy(shuffled.normal[j], l.normal[order[j]], sizeof *l.normal);
    }
    lcp_data second = lattice_problem(&shuffled);
    lattice_speeds(&l, velocity, first.q);
    lattice_speeds(&shuffled, velocity, second.q);
    answer a = solve(&first);
    answer b = solve(&second);
    check_solved(&first, &a);
    check_solved(&second, &b);
    double largest = largest_size(a.p, size);
    for (size_t j = 0; j < size; j++) {
        assert_near(b.w[j], a.w[order[j]], 1e-11);
        assert_near(b.p[j], a.p[order[j]], 1e-5 * largest);
    }
    answer_free(&a);
    answer_free(&b);
    problem_free(&first);
    problem_free(&second);
    free(shuffled.pair);
    free(shuffled.normal);
    free(velocity);
    free(order);
    lattice_free(&l);
}

/* Units of mass and speed by powers of two: the same bits. */
static void test_units_do_not_matter(void **state)
{
    (void)state;
    rng r = rng_seeded(23);
    lattice l = lattice_make(5, &r, 1.0);
    lcp_data problem = lattice_problem(&l);
    double velocity[50];
    for (size_t i = 0; i < 50; i++) {
        velocity[i] = rng_normal(&r);
    }
    lattice_speeds(&l, velocity, problem.q);
    answer a = solve(&problem);
    const int mass_power = 80;
    const int speed_power = -120;
    for (size_t k = 0; k < problem.start[problem.size]; k++) {
        problem.value[k] = ldexp(problem.value[k], -mass_power);
    }
    for (size_t j = 0; j < problem.size; j++) {
        problem.q[j] = ldexp(problem.q[j], speed_power);
    }
    answer b = solve(&problem);
    for (size_t j = 0; j < problem.size; j++) {
        assert_true(b.p[j] == ldexp(a.p[j], speed_power + mass_power));
        assert_true(b.w[j] == ldexp(a.w[j], speed_power));
    }
    answer_free(&a);
    answer_free(&b);
    problem_free(&problem);
    lattice_free(&l);
}

/* ---- Methods that ordinary problems seldom need
 * ------------------------------------------------------
 */

typedef struct workpiece {
    crm_lcp_matrix matrix;
    crm_lcp_pivoting pivoting;
    double *q;
    double *floor;
} workpiece;

static void lay_out(workpiece *b, const lcp_data *problem, double delta)
{
    crm_error error = {0};
    crm_sparse_view d = view(problem);
    double fastest = largest_size(problem->q, problem->size);
    b->q = calloc(problem->size, sizeof(double));
    b->floor = calloc(problem->size, sizeof(double));
    assert_ok(crm_lcp_matrix_create(problem->size, &d, &b->matrix, &error), &error);
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

/* max |min(p, w)| of the pivoting's p against D + delta diag(D). */
static double proximal_residual(const workpiece *b)
{
    double largest = 0.0;
    for (size_t k = 0; k < b->matrix.size; k++) {
        largest = fmax(largest, fabs(fmin(b->pivoting.p[k], crm_lcp_pivot_v(&b->pivoting, k))));
    }
    return largest;
}

static lcp_data random_lattice_problem(rng *r, size_t side)
{
    lattice l = lattice_make(side, r, 1.0);
    lcp_data problem = lattice_problem(&l);
    double *velocity = calloc(2 * l.bodies, sizeof(double));
    for (size_t i = 0; i < 2 * l.bodies; i++) {
        velocity[i] = rng_normal(r);
    }
    lattice_speeds(&l, velocity, problem.q);
    free(velocity);
    lattice_free(&l);
    return problem;
}

/* Downhill from p = 0 with nothing else to help. */
static void test_descent_always_arrives(void **state)
{
    (void)state;
    rng r = rng_seeded(47);
    for (unsigned trial = 0; trial < 40; trial++) {
        crm_error error = {0};
        crm_lcp_pivot_end end;
        lcp_data problem = random_lattice_problem(&r, 2 + rng_below(&r, 7));
        workpiece b;
        lay_out(&b, &problem, trial % 2 == 0 ? 1e-3 : 1e-7);
        assert_ok(crm_lcp_descent(&b.pivoting, 100000, &end, &error), &error);
        assert_int_equal(end, CRM_LCP_PIVOT_DONE);
        assert_true(proximal_residual(&b) < 1e-11);
        put_away(&b);
        problem_free(&problem);
    }
}

static void test_descent_keeps_to_its_budget(void **state)
{
    (void)state;
    rng r = rng_seeded(53);
    crm_error error = {0};
    crm_lcp_pivot_end end;
    lcp_data problem = random_lattice_problem(&r, 8);
    workpiece b;
    lay_out(&b, &problem, 1e-7);
    assert_ok(crm_lcp_descent(&b.pivoting, 2, &end, &error), &error);
    assert_int_equal(end, CRM_LCP_PIVOT_UNSETTLED);
    assert_int_equal(b.pivoting.iterations, 2);
    put_away(&b);
    problem_free(&problem);
}

/* The central path of the problem itself ends in a solution. */
static void test_interior_point_solves_the_problem_itself(void **state)
{
    (void)state;
    rng r = rng_seeded(59);
    for (unsigned trial = 0; trial < 20; trial++) {
        crm_error error = {0};
        lcp_data problem = random_lattice_problem(&r, 3 + rng_below(&r, 10));
        workpiece b;
        lay_out(&b, &problem, 1e-10);
        assert_ok(crm_lcp_interior(&b.pivoting, false, &error), &error);
        double *p = calloc(problem.size, sizeof(double));
        double terms;
        for (size_t k = 0; k < b.matrix.size; k++) {
            p[b.matrix.contact[k]] = b.matrix.scale[k] * b.pivoting.point_work[k];
        }
        crm_lcp_info found = residuals(&problem, p, &terms);
        assert_true(found.min_p >= 0.0);
        assert_true(found.relative_residual < ROUNDING);
        free(p);
        put_away(&b);
        problem_free(&problem);
    }
}

/* A line pivoted on from the worst set: the answer is fetched directly. */
static void test_pivoting_on_a_line_from_a_bad_set(void **state)
{
    (void)state;
    enum { BALLS = 2000 };
    rng r = rng_seeded(61);
    crm_error error = {0};
    crm_lcp_pivot_end end;
    double *mass = calloc(BALLS, sizeof(double));
    for (size_t i = 0; i < BALLS; i++) {
        mass[i] = 1.0;
    }
    lcp_data problem = chain(BALLS, mass);
    for (size_t j = 0; j < problem.size; j++) {
        problem.q[j] = sin(0.02 * (double)j) + 0.1 * rng_normal(&r);
    }
    workpiece b;
    lay_out(&b, &problem, 0.0);
    for (size_t k = 0; k < b.matrix.size; k++) {
        b.pivoting.active[k] = b.q[k] > 0.0;
    }
    b.pivoting.definite = true;
    assert_ok(crm_lcp_pivot(&b.pivoting, false, &end, &error), &error);
    assert_int_equal(end, CRM_LCP_PIVOT_DONE);
    assert_true(b.pivoting.iterations < 20);
    put_away(&b);
    problem_free(&problem);
    free(mass);
}

/* ---- Models
 * ------------------------------------------------------------------------------------------ */

/* Three equal balls: p = (2, 1)/3 for the first at speed 1. */
static void test_problem_of_a_model(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    crm_lcp_info info;
    const double velocity[3] = {1.0, 0.0, 0.0};
    const double want[2] = {2.0 / 3.0, 1.0 / 3.0};
    double q[2], p[2];
    def.count = 3;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    crm_model_gap_velocity(model, velocity, q);
    assert_ok(crm_lcp_create_for_model(model, &lcp, &error), &error);
    assert_ok(crm_lcp_solve(lcp, q, NULL, p, NULL, &info, &error), &error);
    assert_int_equal(info.result, CRM_LCP_SOLVED);
    assert_all_near(p, want, 2, 1e-15);
    assert_int_equal(crm_lcp_create_for_model(NULL, &lcp, &error), CRM_ERROR_ARGUMENT);
    crm_lcp_free(lcp);
    crm_model_free(model);
}

/* ---- Reuse ---------------------------------------------------------------------------------- */

static void test_warm_start_is_the_same_with_less_work(void **state)
{
    (void)state;
    rng r = rng_seeded(29);
    lattice l = lattice_make(12, &r, 0.3);
    lcp_data problem = lattice_problem(&l);
    crm_sparse_view d = view(&problem);
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    double *velocity = calloc(2 * l.bodies, sizeof(double));
    for (size_t i = 0; i < 2 * l.bodies; i++) {
        velocity[i] = rng_normal(&r);
    }
    lattice_speeds(&l, velocity, problem.q);
    assert_ok(crm_lcp_create(problem.size, &d, &lcp, &error), &error);
    crm_lcp_options warm = crm_lcp_options_default();
    warm.warm_start = true;
    answer cold = solve_with(lcp, &problem, NULL, NULL);
    answer again = solve_with(lcp, &problem, &warm, cold.p);
    check_solved(&problem, &again);
    check_w(&problem, &again, cold.w, 100.0 * ROUNDING);
    assert_true(2 * again.info.factorizations < cold.info.factorizations);
    /* Another start, however bad, changes nothing but the work. */
    double *bad = calloc(problem.size, sizeof(double));
    for (size_t j = 0; j < problem.size; j += 2) {
        bad[j] = 1.0;
    }
    answer from_bad = solve_with(lcp, &problem, &warm, bad);
    check_solved(&problem, &from_bad);
    check_w(&problem, &from_bad, cold.w, 100.0 * ROUNDING);
    free(bad);
    answer_free(&cold);
    answer_free(&again);
    answer_free(&from_bad);
    crm_lcp_free(lcp);
    free(velocity);
    problem_free(&problem);
    lattice_free(&l);
}

/* Solving in between leaves no trace: the second answer has the bits of the first. */
static void test_solving_leaves_no_trace(void **state)
{
    (void)state;
    rng r = rng_seeded(31);
    lattice l = lattice_make(6, &r, 0.3);
    lcp_data problem = lattice_problem(&l);
    crm_sparse_view d = view(&problem);
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    double velocity[72];
    double *q = calloc(problem.size, sizeof(double));
    assert_ok(crm_lcp_create(problem.size, &d, &lcp, &error), &error);
    for (size_t i = 0; i < 72; i++) {
        velocity[i] = rng_normal(&r);
    }
    lattice_speeds(&l, velocity, problem.q);
    answer first = solve_with(lcp, &problem, NULL, NULL);
    memcpy(q, problem.q, problem.size * sizeof(double));
    for (size_t j = 0; j < problem.size; j++) {
        problem.q[j] = rng_normal(&r);
    }
    answer between = solve_with(lcp, &problem, NULL, NULL);
    memcpy(problem.q, q, problem.size * sizeof(double));
    answer last = solve_with(lcp, &problem, NULL, NULL);
    assert_memory_equal(first.p, last.p, problem.size * sizeof(double));
    assert_memory_equal(first.w, last.w, problem.size * sizeof(double));
    assert_int_equal(first.info.iterations, last.info.iterations);
    assert_int_equal(first.info.pivots, last.info.pivots);
    answer_free(&first);
    answer_free(&between);
    answer_free(&last);
    crm_lcp_free(lcp);
    free(q);
    problem_free(&problem);
    lattice_free(&l);
}

static void test_limit_is_reported(void **state)
{
    (void)state;
    rng r = rng_seeded(37);
    lattice l = lattice_make(12, &r, 1.0);
    lcp_data problem = lattice_problem(&l);
    crm_sparse_view d = view(&problem);
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    double *velocity = calloc(2 * l.bodies, sizeof(double));
    for (size_t i = 0; i < 2 * l.bodies; i++) {
        velocity[i] = rng_normal(&r);
    }
    lattice_speeds(&l, velocity, problem.q);
    assert_ok(crm_lcp_create(problem.size, &d, &lcp, &error), &error);
    crm_lcp_options hasty = crm_lcp_options_default();
    hasty.max_iterations = 0;
    answer a = solve_with(lcp, &problem, &hasty, NULL);
    assert_string_equal(crm_lcp_result_text(a.info.result), "not_terminated");
    assert_true(a.info.min_p >= 0.0);
    double terms;
    crm_lcp_info found = residuals(&problem, a.p, &terms);
    assert_near(a.info.natural_residual, found.natural_residual, 1e-12 * found.natural_residual);
    answer_free(&a);
    crm_lcp_free(lcp);
    free(velocity);
    problem_free(&problem);
    lattice_free(&l);
}

/* ---- Misuse --------------------------------------------------------------------------------- */

static crm_status create_status(size_t size, const size_t *start, const uint32_t *column,
                                const double *value, crm_error *error)
{
    crm_sparse_view d = {start, column, value};
    crm_lcp *lcp = NULL;
    crm_status status = crm_lcp_create(size, &d, &lcp, error);
    assert_true((status == CRM_OK) == (lcp != NULL));
    crm_lcp_free(lcp);
    return status;
}

static void test_bad_matrices_are_refused(void **state)
{
    (void)state;
    crm_error error = {0};
    const size_t start[3] = {0, 2, 4};
    const uint32_t column[4] = {1, 0, 0, 1}; /* any order within a row */
    const uint32_t outside[4] = {1, 2, 0, 1};
    const uint32_t twice[4] = {0, 0, 0, 1};
    const size_t half_start[3] = {0, 2, 3};
    const uint32_t half[3] = {0, 1, 1};
    const double good[4] = {-1.0, 2.0, -1.0, 2.0};
    const double asymmetric[4] = {-1.0, 2.0, -0.5, 2.0};
    const double negative[4] = {0.0, -1.0, 0.0, 2.0};
    const double indefinite[4] = {-3.0, 2.0, -3.0, 2.0};
    const double coupled_zero[4] = {-1.0, 0.0, -1.0, 2.0};
    const double endless[4] = {-1.0, INFINITY, -1.0, 2.0};
    assert_int_equal(create_status(2, start, column, good, &error), CRM_OK);
    assert_int_equal(create_status(2, start, outside, good, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(create_status(2, start, twice, good, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(create_status(2, half_start, half, good, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, asymmetric, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "symmetric"));
    assert_int_equal(create_status(2, start, column, negative, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, indefinite, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, coupled_zero, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, endless, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, NULL, column, good, &error), CRM_ERROR_ARGUMENT);
}

static void test_bad_calls_are_refused(void **state)
{
    (void)state;
    crm_error error = {0};
    const double d[1] = {2.0};
    lcp_data problem = from_dense(1, d);
    crm_sparse_view rows = view(&problem);
    crm_lcp *lcp = NULL;
    double p = 0.0;
    assert_ok(crm_lcp_create(1, &rows, &lcp, &error), &error);
    problem.q[0] = NAN;
    assert_int_equal(crm_lcp_solve(lcp, problem.q, NULL, &p, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    problem.q[0] = -1.0;
    crm_lcp_options options = crm_lcp_options_default();
    options.tolerance = 0.0;
    assert_int_equal(crm_lcp_solve(lcp, problem.q, &options, &p, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_lcp_solve(lcp, NULL, NULL, &p, NULL, NULL, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_lcp_solve(lcp, problem.q, NULL, &p, NULL, NULL, NULL), CRM_OK);
    assert_near(p, 0.5, 0.0);
    crm_lcp_free(lcp);
    crm_lcp_free(NULL);
    problem_free(&problem);
}

static void test_nothing_to_solve(void **state)
{
    (void)state;
    lcp_data problem = problem_allocate(0, 0);
    answer a = solve(&problem);
    assert_string_equal(crm_lcp_result_text(a.info.result), "solved");
    assert_near(a.info.natural_residual, 0.0, 0.0);
    assert_near(a.info.min_w, 0.0, 0.0);
    answer_free(&a);
    problem_free(&problem);
}

/* Everything separates or rests: nothing happens. */
static void test_nothing_closes(void **state)
{
    (void)state;
    rng r = rng_seeded(41);
    lattice l = lattice_make(6, &r, 0.0);
    lcp_data problem = lattice_problem(&l);
    for (size_t j = 0; j < problem.size; j++) {
        problem.q[j] = j % 3 == 0 ? 0.0 : 1.0;
    }
    answer a = solve(&problem);
    check_solved(&problem, &a);
    assert_near(largest_size(a.p, problem.size), 0.0, 0.0);
    answer_free(&a);
    memset(problem.q, 0, problem.size * sizeof(double));
    a = solve(&problem);
    check_solved(&problem, &a);
    assert_near(largest_size(a.p, problem.size), 0.0, 0.0);
    answer_free(&a);
    problem_free(&problem);
    lattice_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_complementary_pairs_are_found),
        cmocka_unit_test(test_agrees_with_trying_every_active_set),
        cmocka_unit_test(test_closing_walls_are_infeasible),
        cmocka_unit_test(test_contact_that_moves_nothing),
        cmocka_unit_test(test_equal_balls_closed_form),
        cmocka_unit_test(test_lines_are_isotonic_regressions),
        cmocka_unit_test(test_masses_of_very_different_size),
        cmocka_unit_test(test_line_between_walls),
        cmocka_unit_test(test_lines_between_walls_agree_with_every_set),
        cmocka_unit_test(test_least_norm_shares_evenly),
        cmocka_unit_test(test_norm_excess_is_a_bound),
        cmocka_unit_test(test_packings),
        cmocka_unit_test(test_order_of_contacts_does_not_matter),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_descent_always_arrives),
        cmocka_unit_test(test_descent_keeps_to_its_budget),
        cmocka_unit_test(test_interior_point_solves_the_problem_itself),
        cmocka_unit_test(test_pivoting_on_a_line_from_a_bad_set),
        cmocka_unit_test(test_problem_of_a_model),
        cmocka_unit_test(test_warm_start_is_the_same_with_less_work),
        cmocka_unit_test(test_solving_leaves_no_trace),
        cmocka_unit_test(test_limit_is_reported),
        cmocka_unit_test(test_bad_matrices_are_refused),
        cmocka_unit_test(test_bad_calls_are_refused),
        cmocka_unit_test(test_nothing_to_solve),
        cmocka_unit_test(test_nothing_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
