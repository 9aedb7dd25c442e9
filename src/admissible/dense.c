/* Dense symmetric systems by Cholesky, by rows. */
#include <math.h>

#include "admissible/set.h"

double crm_admissible_dot(const double *a, const double *b, size_t m)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Directions that are lost in rounding, which change nothing, get what rounding leaves. */
static const double ROUNDING = 1e-15;

void crm_admissible_factorize(double *a, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        double *row = a + i * size;
        for (size_t j = 0; j < i; j++) {
            row[j] = (row[j] - crm_admissible_dot(row, a + j * size, j)) / a[j * size + j];
        }
        row[i] = sqrt(fmax(row[i] - crm_admissible_dot(row, row, i), ROUNDING * row[i]));
    }
}

void crm_admissible_solve_lower(const double *a, size_t size, double *x)
{
    for (size_t i = 0; i < size; i++) {
        x[i] = (x[i] - crm_admissible_dot(a + i * size, x, i)) / a[i * size + i];
    }
}

void crm_admissible_solve_upper(const double *a, size_t size, double *x)
{
    for (size_t i = size; i-- > 0;) {
        x[i] /= a[i * size + i];
        for (size_t j = 0; j < i; j++) {
            x[j] -= a[i * size + j] * x[i];
        }
    }
}

void crm_admissible_solve_factor(const double *a, size_t size, double *x)
{
    crm_admissible_solve_lower(a, size, x);
    crm_admissible_solve_upper(a, size, x);
}
