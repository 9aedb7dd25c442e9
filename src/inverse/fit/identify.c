/* What measured quantities say about unknowns, from the weighed Jacobian. */
#include <math.h>
#include <string.h>

#include "inverse/fit/fit.h"
#include "inverse/least/svd.h"

/* A change of an unknown by its scale that moves what was measured by less than this part of it
 * moves it not at all: solvers and derivatives are no better.
 */
static const double INSENSITIVE = 1e-6;
/* Parts of a combination below this fraction of its largest are not mentioned. */
static const double NEGLIGIBLE = 0.02;

bool crm_identify_moves(const double *null, size_t unknown)
{
    return fabs(null[unknown]) > NEGLIGIBLE;
}

/* Combinations as short as can be, each with 1 at an unknown that no other has. */
static void reduce(double *null, size_t rows, size_t columns)
{
    for (size_t r = 0; r < rows; r++) {
        size_t best = 0;
        for (size_t j = 0; j < columns; j++) {
            best = fabs(null[r * columns + j]) > fabs(null[r * columns + best]) ? j : best;
        }
        double pivot = null[r * columns + best];
        for (size_t j = 0; j < columns; j++) {
            null[r * columns + j] /= pivot;
        }
        for (size_t other = 0; other < rows; other++) {
            double times = other != r ? null[other * columns + best] : 0;
            for (size_t j = 0; j < columns && times != 0; j++) {
                null[other * columns + j] -= times * null[r * columns + j];
            }
        }
    }
}

static void fill_covariance(const crm_identify_problem *p, const double *s, const double *v,
                            size_t rank, double *covariance)
{
    size_t n = p->unknowns;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < rank; k++) {
                sum += v[i * n + k] * v[j * n + k] / (s[k] * s[k]);
            }
            covariance[i * n + j] = sum * p->scale[i] * p->scale[j];
        }
    }
}

size_t crm_identify(const crm_identify_problem *problem, double *room, double *covariance,
                    double *null)
{
    size_t n = problem->unknowns, m = problem->residuals, rank = 0;
    double *a = room, *v = a + n * m, *s = v + n * n;
    for (size_t i = 0; i < m * n; i++) {
        a[i] = problem->jacobian[i] * problem->scale[i % n];
    }
    crm_svd(m, n, a, s, v);
    while (rank < n && s[rank] > INSENSITIVE * problem->size) {
        rank++;
    }
    for (size_t k = rank; k < n; k++) {
        for (size_t j = 0; j < n; j++) {
            null[(k - rank) * n + j] = v[j * n + k];
        }
    }
    reduce(null, n - rank, n);
    fill_covariance(problem, s, v, rank, covariance);
    return n - rank;
}
