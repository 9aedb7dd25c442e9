#include "inverse/least/svd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Sweeps converge quadratically; a few do. */
enum { SWEEPS_MOST = 60 };

static void rotate(double *a, size_t rows, size_t columns, size_t p, size_t q, double c, double s)
{
    for (size_t i = 0; i < rows; i++) {
        double *row = a + i * columns, x = row[p], y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
    }
}

/* Make columns p and q of A orthogonal; false: they were. */
static bool straighten(size_t rows, size_t columns, double *a, double *v, size_t p, size_t q)
{
    double pp = 0, qq = 0, pq = 0;
    for (size_t i = 0; i < rows; i++) {
        double x = a[i * columns + p], y = a[i * columns + q];
        pp += x * x;
        qq += y * y;
        pq += x * y;
    }
    if (fabs(pq) <= DBL_EPSILON * sqrt(pp * qq)) {
        return false;
    }
    double zeta = (qq - pp) / (2 * pq);
    double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + t * t);
    rotate(a, rows, columns, p, q, c, c * t);
    rotate(v, columns, columns, p, q, c, c * t);
    return true;
}

static double norm(size_t rows, size_t columns, const double *a, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < rows; i++) {
        sum += a[i * columns + j] * a[i * columns + j];
    }
    return sqrt(sum);
}

static void swap(double *a, size_t rows, size_t columns, size_t p, size_t q)
{
    rotate(a, rows, columns, p, q, 0, 1); /* which turns the sign of one: of A and V alike */
}

static void sort(size_t rows, size_t columns, double *a, double *s, double *v)
{
    for (size_t i = 0; i < columns; i++) {
        size_t most = i;
        for (size_t j = i + 1; j < columns; j++) {
            most = s[j] > s[most] ? j : most;
        }
        if (most != i) {
            double kept = s[i];
            s[i] = s[most];
            s[most] = kept;
            swap(a, rows, columns, i, most);
            swap(v, columns, columns, i, most);
        }
    }
}

void crm_svd(size_t rows, size_t columns, double *a, double *s, double *v)
{
    for (size_t i = 0; i < columns * columns; i++) {
        v[i] = i % (columns + 1) == 0 ? 1 : 0;
    }
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS_MOST && turned; sweep++) {
        turned = false;
        for (size_t p = 0; p + 1 < columns; p++) {
            for (size_t q = p + 1; q < columns; q++) {
                turned = straighten(rows, columns, a, v, p, q) || turned;
            }
        }
    }
    for (size_t j = 0; j < columns; j++) {
        s[j] = norm(rows, columns, a, j);
    }
    sort(rows, columns, a, s, v);
}
