/* What the machine's own libraries make of numbers.
 *
 * The C library has variants of pow and its like for several processors, whose last bits differ;
 * OpenBLAS has kernels for each. Of both the calls that the library makes are tried, at arguments
 * of the sizes that it has.
 */
#include <cholmod.h>
#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"
#include "support.h"

const char *const bits_need_names[BITS_NEEDS] = {"libm", "blas"};

static bits_hash probe_libm(void)
{
    enum { ARGUMENTS = 400 };
    rng r = rng_seeded(1);
    bits_hash hash = bits_empty;
    for (size_t i = 0; i < ARGUMENTS; i++) {
        double x = ldexp(rng_uniform(&r, 1, 2), (int)rng_below(&r, 80) - 60);
        double y = rng_uniform(&r, 0.01, 4), z = rng_uniform(&r, -1, 1);
        const double values[] = {pow(x, y),  pow(x, 1 / y), pow(x, -y), exp(z),       log(x),
                                 expm1(z),   log1p(z),      acos(z),    hypot(z, y),  sin(3 * z),
                                 cos(3 * z), log10(x),      cbrt(x),    exp2(10 * z), log2(x)};
        bits_add_numbers(&hash, values, sizeof values / sizeof values[0]);
    }
    return hash;
}

/* Symmetric, the diagonal larger than the rest of a row; column by column. */
static double *dense_matrix(size_t size)
{
    rng r = rng_seeded(size);
    double *a = malloc(size * size * sizeof *a);
    assert_non_null(a);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k <= i; k++) {
            a[i * size + k] = a[k * size + i] = rng_uniform(&r, -1, 1);
        }
        a[i * size + i] = (double)size + rng_uniform(&r, 0, 1);
    }
    return a;
}

static void probe_dense(bits_hash *hash, size_t size)
{
    lapack_int n = (lapack_int)size;
    double *a = dense_matrix(size), *b = malloc(size * sizeof *b);
    assert_non_null(b);
    for (size_t i = 0; i < size; i++) {
        b[i] = 1.0 / (double)(i + 3);
    }
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a, n), 0);
    assert_int_equal(LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, a, n, b, n), 0);
    bits_add_numbers(hash, a, size * size);
    bits_add_numbers(hash, b, size);
    free(a);
    a = dense_matrix(size);
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, b), 0);
    bits_add_numbers(hash, b, size);
    free(a);
    free(b);
}

/* A band: narrow, with few entries, or wide enough for blocks. */
static cholmod_sparse *sparse_matrix(size_t size, size_t band, cholmod_common *common)
{
    cholmod_triplet *t =
        cholmod_l_allocate_triplet(size, size, size * (band + 1), -1, CHOLMOD_REAL, common);
    assert_non_null(t);
    int64_t *row = t->i, *column = t->j;
    double *value = t->x;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = i; k < size && k <= i + band; k++) {
            row[t->nnz] = (int64_t)k;
            column[t->nnz] = (int64_t)i;
            value[t->nnz++] = k == i ? 2.0 * (double)band + 0.01 : 1.0 / (double)(k - i);
        }
    }
    cholmod_sparse *matrix = cholmod_l_triplet_to_sparse(t, t->nnz, common);
    cholmod_l_free_triplet(&t, common);
    return matrix;
}

static void probe_sparse(bits_hash *hash, size_t size, size_t band)
{
    cholmod_common common;
    cholmod_l_start(&common);
    cholmod_sparse *matrix = sparse_matrix(size, band, &common);
    cholmod_factor *factor = cholmod_l_analyze(matrix, &common);
    assert_true(cholmod_l_factorize(matrix, factor, &common));
    cholmod_dense *right = cholmod_l_ones(size, 1, CHOLMOD_REAL, &common);
    cholmod_dense *solution = cholmod_l_solve(CHOLMOD_A, factor, right, &common);
    assert_non_null(solution);
    bits_add_numbers(hash, solution->x, size);
    cholmod_l_free_dense(&right, &common);
    cholmod_l_free_dense(&solution, &common);
    cholmod_l_free_factor(&factor, &common);
    cholmod_l_free_sparse(&matrix, &common);
    cholmod_l_finish(&common);
}

static bits_hash probe_blas(void)
{
    bits_hash hash = bits_empty;
    const size_t sizes[] = {1, 2, 3, 5, 8, 13, 16, 40, 130};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        probe_dense(&hash, sizes[k]);
    }
    probe_sparse(&hash, 200, 1);
    probe_sparse(&hash, 300, 40);
    return hash;
}

bits_hash bits_probe(bits_need need)
{
    return need == BITS_LIBM ? probe_libm() : probe_blas();
}
