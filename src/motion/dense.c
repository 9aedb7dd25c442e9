#include "motion/dense.h"

#include <math.h>

double crm_dense_dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

bool crm_dense_cholesky(double *matrix, size_t size, double least)
{
    for (size_t j = 0; j < size; j++) {
        double *row = matrix + j * size;
        double entry = row[j];
        double pivot = entry - crm_dense_dot(row, row, j);
        if (!(pivot > least * entry) || !(entry > 0) || !isfinite(entry)) {
            return false;
        }
        row[j] = sqrt(pivot);
        for (size_t i = j + 1; i < size; i++) {
            double *below = matrix + i * size;
            below[j] = (below[j] - crm_dense_dot(below, row, j)) / row[j];
        }
    }
    return true;
}

void crm_dense_forward(const double *factor, size_t size, double *x)
{
    for (size_t i = 0; i < size; i++) {
        x[i] = (x[i] - crm_dense_dot(factor + i * size, x, i)) / factor[i * size + i];
    }
}

void crm_dense_backward(const double *factor, size_t size, double *x)
{
    for (size_t i = size; i-- > 0;) {
        x[i] /= factor[i * size + i];
        for (size_t k = 0; k < i; k++) {
            x[k] -= factor[i * size + k] * x[i];
        }
    }
}
