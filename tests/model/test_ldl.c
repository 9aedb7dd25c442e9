/* L D L' of sparse symmetric matrices: solutions and inertia against elimination of the full matrix
 * in long doubles, and sparse mass matrices that are not symmetric or not definite.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "model/mass/ldl.h"
#include "support.h"

typedef struct matrix {
    size_t n;
    double *full;
    size_t *start;
    uint32_t *row;
    double *value;
} matrix;

static matrix matrix_of(size_t n, double *full, rng *r)
{
    matrix m = {.n = n, .full = full};
    m.start = test_calloc(n + 1, sizeof *m.start);
    m.row = test_calloc(n * n, sizeof *m.row);
    m.value = test_calloc(n * n, sizeof *m.value);
    size_t *rows = test_calloc(n, sizeof *rows), kept = 0;
    for (size_t j = 0; j < n; j++) {
        rng_shuffle(r, rows, n); /* rows in any order */
        for (size_t i = 0; i < n; i++) {
            if (full[j * n + rows[i]] != 0) {
                m.row[kept] = (uint32_t)rows[i];
                m.value[kept++] = full[j * n + rows[i]];
            }
        }
        m.start[j + 1] = kept;
    }
    test_free(rows);
    return m;
}

static void matrix_free(matrix *m)
{
    test_free(m->full);
    test_free(m->start);
    test_free(m->row);
    test_free(m->value);
}

/* Entries here and there, in parts that do not hang together, in sizes over `decades`. The diagonal
 * outweighs its row, so that any order of elimination is stable; its signs are those wanted.
 */
static matrix draw(rng *r, size_t n, double share, double decades, bool definite)
{
    double *full = test_calloc(n * n, sizeof *full), *size = test_calloc(n, sizeof *size);
    for (size_t i = 0; i < n; i++) {
        size[i] = rng_log(r, pow(10, -decades / 2), pow(10, decades / 2));
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double entry = rng_uniform(r, 0, 1) < share ? rng_uniform(r, -1, 1) : 0;
            full[i * n + j] = full[j * n + i] = entry * sqrt(size[i] * size[j]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double others = 1;
        for (size_t j = 0; j < n; j++) {
            others += j != i ? fabs(full[i * n + j]) / sqrt(size[i] * size[j]) : 0;
        }
        full[i * n + i] = size[i] * others * (definite || rng_below(r, 2) == 0 ? 1 : -1);
    }
    test_free(size);
    return matrix_of(n, full, r);
}

/* By elimination without pivoting: A x = b, and how many pivots are positive. */
static size_t eliminate(const matrix *m, long double *x)
{
    size_t n = m->n, positive = 0;
    long double *a = test_calloc(n * n, sizeof *a);
    for (size_t i = 0; i < n * n; i++) {
        a[i] = m->full[i];
    }
    for (size_t k = 0; k < n; k++) {
        positive += a[k * n + k] > 0;
        for (size_t i = k + 1; i < n; i++) {
            long double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n && factor != 0; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            x[i] -= a[i * n + j] * x[j];
        }
        x[i] /= a[i * n + i];
    }
    test_free(a);
    return positive;
}

static void check(const matrix *m, rng *r)
{
    crm_ldl_matrix a = {m->n, m->start, m->row, m->value};
    crm_ldl ldl;
    double *x = test_calloc(m->n, sizeof *x), *work = test_calloc(m->n, sizeof *work);
    long double *truth = test_calloc(m->n, sizeof *truth);
    assert_int_equal(crm_ldl_create(&a, &ldl, NULL), CRM_OK);
    assert_int_equal(ldl.pivots, m->n);
    size_t positive = 0;
    for (size_t k = 0; k < m->n; k++) {
        positive += ldl.pivot[k] > 0;
        x[k] = rng_uniform(r, -1, 1) * sqrt(fabs(m->full[k * m->n + k]));
        truth[k] = x[k];
    }
    assert_int_equal(positive, eliminate(m, truth));
    crm_ldl_solve(&ldl, x, work);
    for (size_t k = 0; k < m->n; k++) {
        double unit =
            1 / sqrt(fabs(m->full[k * m->n + k])); /* of x: entries are of the size of b/A */
        assert_true(fabs(x[k] - (double)truth[k]) <= 1e-13 * (double)m->n * unit);
    }
    crm_ldl_release(&ldl);
    test_free(x);
    test_free(work);
    test_free(truth);
}

static void solutions_and_inertia_are_those_of_elimination(void **state)
{
    (void)state;
    rng r = rng_seeded(91);
    for (size_t k = 0; k < 300; k++) {
        size_t n = 1 + rng_below(&r, 60);
        double share = k % 3 == 0 ? 1.5 / (double)n : k % 3 == 1 ? 0.2 : 1;
        matrix m = draw(&r, n, share, k % 2 == 0 ? 0 : 20, k % 4 < 2);
        check(&m, &r);
        matrix_free(&m);
    }
}

static void no_pivot_is_seen(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    double *full = test_calloc(9, sizeof *full);
    memcpy(full, (double[]){1, 1, 0, 1, 1, 0, 0, 0, 2}, 9 * sizeof *full);
    matrix m = matrix_of(3, full, &r);
    crm_ldl_matrix a = {m.n, m.start, m.row, m.value};
    crm_ldl ldl;
    assert_int_equal(crm_ldl_create(&a, &ldl, NULL), CRM_OK);
    assert_true(ldl.pivots < 3);
    crm_ldl_release(&ldl);
    matrix_free(&m);
}

/* ---- Mass matrices --------------------------------------------------------------------------- */

enum { LARGE = 600 }; /* more than are kept as a full block */

/* Three diagonals; `lower` and `upper` stand beside the diagonal of 2. */
static crm_status make_model(double lower, double upper, double last, crm_error *error)
{
    size_t start[LARGE + 1] = {0}, kept = 0;
    uint32_t row[3 * LARGE];
    double value[3 * LARGE], w[LARGE] = {1};
    for (size_t j = 0; j < LARGE; j++) {
        if (j + 1 < LARGE) { /* rows need not ascend */
            row[kept] = (uint32_t)j + 1;
            value[kept++] = lower;
        }
        row[kept] = (uint32_t)j;
        value[kept++] = j + 1 < LARGE ? 2 : last;
        if (j > 0) {
            row[kept] = (uint32_t)j - 1;
            value[kept++] = upper;
        }
        start[j + 1] = kept;
    }
    crm_sparse_view sparse = {start, row, value};
    crm_system_def def = crm_system_def_default();
    def.coordinates = LARGE;
    def.contacts = 1;
    def.mass_sparse = &sparse;
    def.w_dense = w;
    crm_model *model = NULL;
    crm_status status = crm_model_from_system(&def, &model, error);
    if (status == CRM_OK) {
        /* (M^-1)_11 of the matrix of n rows with 2 and -1: n/(n + 1). */
        assert_true(fabs(crm_model_delassus(model, 0, 0) - LARGE / (LARGE + 1.0)) < 1e-12);
    }
    crm_model_free(model);
    return status;
}

static void large_masses_are_checked(void **state)
{
    (void)state;
    crm_error error = {0};
    assert_int_equal(make_model(-1, -1, 2, &error), CRM_OK);
    assert_int_equal(make_model(-1, -1.001, 2, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "not symmetric"));
    assert_string_equal(error.place, "mass[2][1]");
    assert_int_equal(make_model(-1, 0, 2, &error), CRM_ERROR_MODEL);
    assert_int_equal(make_model(-1, -1, 0.5, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "not positive definite"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_and_inertia_are_those_of_elimination),
        cmocka_unit_test(no_pivot_is_seen),
        cmocka_unit_test(large_masses_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
