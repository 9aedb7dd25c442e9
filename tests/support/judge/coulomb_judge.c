#include "coulomb_judge.h"

#include <math.h>
#include <string.h>

enum { MOST = 2 * COULOMB_JUDGE_CONTACTS, OPEN, STICK, FORWARD, BACKWARD };

typedef long double row[MOST + 1];

/* Gauss with exchange of rows; false: singular. */
static bool eliminate(size_t n, row *a)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++) {
            best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
        }
        if (fabsl(a[best][k]) < 1e-12L) {
            return false;
        }
        row kept;
        memcpy(kept, a[k], sizeof kept);
        memcpy(a[k], a[best], sizeof kept);
        memcpy(a[best], kept, sizeof kept);
        for (size_t i = 0; i < n; i++) {
            long double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (size_t j = k; j <= n && factor != 0; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        a[k][n] /= a[k][k];
    }
    return true;
}

/* Two equations for each contact: r_n = 0 or u_n = 0; r_t = 0, u_t = 0 or r_t = -+mu r_n. */
static bool solve(const coulomb_data *data, const int *mode, long double *r)
{
    row a[MOST];
    size_t n = data->size;
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < n; i++) {
        int own = mode[i / 2];
        if (own == OPEN) {
            a[i][i] = 1;
        } else if (i % 2 == 0 || own == STICK) {
            for (size_t j = 0; j < n; j++) {
                a[i][j] = data->d[i * n + j];
            }
            a[i][n] = -data->q[i];
        } else {
            a[i][i] = 1;
            a[i][i - 1] = (own == FORWARD ? 1 : -1) * (long double)data->mu[i / 2];
        }
    }
    if (!eliminate(n, a)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        r[i] = a[i][n];
    }
    return true;
}

static bool is_answer(const coulomb_data *data, const int *mode, const long double *r)
{
    const long double ROUNDING = 1e-12L;
    for (size_t j = 0; j < data->contacts; j++) {
        long double u[2];
        for (size_t a = 0; a < 2; a++) {
            u[a] = data->q[2 * j + a];
            for (size_t k = 0; k < data->size; k++) {
                u[a] += data->d[(2 * j + a) * data->size + k] * r[k];
            }
        }
        bool fine = mode[j] == OPEN    ? u[0] >= -ROUNDING
                    : r[2 * j] < 0     ? false
                    : mode[j] == STICK ? fabsl(r[2 * j + 1]) <= data->mu[j] * r[2 * j] + ROUNDING
                                       : (mode[j] == FORWARD ? u[1] : -u[1]) >= -ROUNDING;
        if (!fine) {
            return false;
        }
    }
    return true;
}

size_t coulomb_judge_all(const coulomb_data *data, double *answer)
{
    size_t found = 0, combinations = (size_t)1 << (2 * data->contacts);
    for (size_t c = 0; c < combinations && found < COULOMB_JUDGE_ANSWERS; c++) {
        int mode[COULOMB_JUDGE_CONTACTS] = {OPEN};
        long double r[MOST];
        for (size_t j = 0; j < data->contacts; j++) {
            mode[j] = OPEN + (int)(c >> (2 * j) & 3);
        }
        if (!solve(data, mode, r) || !is_answer(data, mode, r)) {
            continue;
        }
        bool seen = false;
        for (size_t k = 0; k < found; k++) {
            double apart = 0;
            for (size_t i = 0; i < data->size; i++) {
                apart = fmax(apart, fabs((double)r[i] - answer[k * data->size + i]));
            }
            seen = seen || apart < 1e-8;
        }
        for (size_t i = 0; i < data->size && !seen; i++) {
            answer[found * data->size + i] = (double)r[i];
        }
        found += !seen;
    }
    return found;
}
