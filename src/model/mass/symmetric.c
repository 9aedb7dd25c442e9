#include "model/mass/symmetric.h"

#include <float.h>
#include <math.h>

/* Four independent sums, which a processor adds in parallel. */
static double dot(size_t count, const double *a, const double *b)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < count; i++) {
        s0 += a[i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
}

/* ---- L L' ------------------------------------------------------------------------------------ */

/* Subtracts four columns at a time, so that the target column is loaded less often; each entry gets
 * them one after another.
 */
static void subtract_four(size_t count, size_t size, const double *restrict l, double *restrict to)
{
    const double *l0 = l, *l1 = l + size, *l2 = l1 + size, *l3 = l2 + size;
    double f0 = l0[0], f1 = l1[0], f2 = l2[0], f3 = l3[0];
    for (size_t i = 0; i < count; i++) {
        to[i] = (((to[i] - f0 * l0[i]) - f1 * l1[i]) - f2 * l2[i]) - f3 * l3[i];
    }
}

static void subtract(size_t count, double factor, const double *restrict from, double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] -= factor * from[i];
    }
}

size_t crm_symmetric_factor(size_t size, double *a)
{
    for (size_t j = 0; j < size; j++) {
        double *column = a + j * size + j;
        size_t count = size - j, k = 0;
        for (; k + 4 <= j; k += 4) {
            subtract_four(count, size, a + k * size + j, column);
        }
        for (; k < j; k++) {
            const double *l = a + k * size + j;
            subtract(count, l[0], l, column);
        }
        if (!(column[0] > 0)) {
            return j;
        }
        double root = sqrt(column[0]);
        for (size_t i = 0; i < count; i++) {
            column[i] /= root;
        }
    }
    return size;
}

void crm_symmetric_solve(size_t size, const double *l, double *x)
{
    for (size_t j = 0; j < size; j++) {
        const double *column = l + j * size;
        x[j] /= column[j];
        subtract(size - j - 1, x[j], column + j + 1, x + j + 1);
    }
    for (size_t j = size; j-- > 0;) {
        const double *column = l + j * size + j;
        x[j] = (x[j] - dot(size - j - 1, column + 1, x + j + 1)) / column[0];
    }
}

/* ---- Eigenvalues ----------------------------------------------------------------------------- */

/* A (1 - b v v') from both sides, on a square of `count` rows: A - v w' - w v' with
 *
 *     p = b A v,  w = p - b (p.v)/2 v.
 */
static void reflect(size_t count, size_t size, const double *v, double b, double *a, double *w)
{
    for (size_t i = 0; i < count; i++) {
        w[i] = b * dot(count, a + i * size, v);
    }
    subtract(count, 0.5 * b * dot(count, w, v), v, w);
    for (size_t i = 0; i < count; i++) {
        subtract(count, v[i], w, a + i * size);
        subtract(count, w[i], v, a + i * size);
    }
}

/* By Householder's reflections to three diagonals, square[i] being that of the entry between i and
 * i + 1.
 */
static void make_tridiagonal(size_t size, double *a, double *square, double *w)
{
    for (size_t k = 0; k + 1 < size; k++) {
        double *v = a + k * size + k + 1;
        size_t count = size - k - 1;
        square[k] = dot(count, v, v);
        double length = sqrt(square[k]), first = v[0];
        if (count == 1 || length == fabs(first)) {
            continue;
        }
        v[0] += copysign(length, first); /* v.v = 2 length (length + |first|) */
        reflect(count, size, v, 1 / (length * (length + fabs(first))), v + size, w);
    }
}

/* J. J. Sylvester: as many as the positive pivots of A - limit. */
size_t crm_symmetric_count_above(size_t size, double *a, double limit, double *work)
{
    make_tridiagonal(size, a, work, work + size);
    size_t above = 0;
    double pivot = 1, square = 0;
    for (size_t i = 0; i < size; i++) {
        pivot = a[i * size + i] - limit - square / pivot;
        pivot = pivot == 0 ? -DBL_MIN : pivot;
        above += pivot > 0;
        square = work[i];
    }
    return above;
}
