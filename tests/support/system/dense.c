#include "dense.h"

#include <math.h>
#include <string.h>

#include "support.h"

bool dense_factorize(long double *a, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k <= i; k++) {
            long double sum = a[i * SMALL + k];
            for (size_t l = 0; l < k; l++) {
                sum -= a[i * SMALL + l] * a[k * SMALL + l];
            }
            if (i == k) {
                if (!(sum > 1e-15L * fabsl(a[i * SMALL + i]))) {
                    return false;
                }
                a[i * SMALL + i] = sqrtl(sum);
            } else {
                a[i * SMALL + k] = sum / a[k * SMALL + k];
            }
        }
    }
    return true;
}

void dense_solve(const long double *a, size_t size, long double *b)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t l = 0; l < i; l++) {
            b[i] -= a[i * SMALL + l] * b[l];
        }
        b[i] /= a[i * SMALL + i];
    }
    for (size_t i = size; i-- > 0;) {
        for (size_t l = i + 1; l < size; l++) {
            b[i] -= a[l * SMALL + i] * b[l];
        }
        b[i] /= a[i * SMALL + i];
    }
}

void dense_project(const long double *d, size_t count, long double still, const long double *c,
                   long double *p)
{
    bool active[SMALL] = {false}, barred[SMALL] = {false};
    memset(p, 0, SMALL * sizeof *p);
    for (int round = 0; round < 20 * SMALL; round++) {
        size_t worst = SMALL;
        long double most = still;
        for (size_t j = 0; j < count; j++) {
            long double closing = c[j];
            for (size_t k = 0; k < count; k++) {
                closing -= d[j * SMALL + k] * p[k];
            }
            if (!active[j] && !barred[j] && closing > most) {
                most = closing;
                worst = j;
            }
        }
        if (worst == SMALL) {
            return;
        }
        active[worst] = true;
        for (bool inside = false; !inside;) {
            size_t index[SMALL], size = 0;
            long double a[SMALL * SMALL], b[SMALL];
            for (size_t j = 0; j < count; j++) {
                if (active[j]) {
                    index[size++] = j;
                }
            }
            for (size_t i = 0; i < size; i++) {
                b[i] = c[index[i]];
                for (size_t k = 0; k < size; k++) {
                    a[i * SMALL + k] = d[index[i] * SMALL + index[k]];
                }
            }
            if (!dense_factorize(a, size)) { /* depends on the others: already taken care of */
                active[worst] = false;
                barred[worst] = true;
                break;
            }
            dense_solve(a, size, b);
            long double share = 1.0L;
            size_t limiting = SMALL;
            for (size_t i = 0; i < size; i++) {
                if (b[i] <= 0.0L && p[index[i]] / (p[index[i]] - b[i]) < share) {
                    share = p[index[i]] / (p[index[i]] - b[i]);
                    limiting = index[i];
                }
            }
            for (size_t i = 0; i < size; i++) {
                p[index[i]] += share * (b[i] - p[index[i]]);
            }
            inside = limiting == SMALL;
            if (!inside) {
                p[limiting] = 0.0L;
                active[limiting] = false;
            }
        }
        if (!barred[worst]) {
            memset(barred, 0, sizeof barred);
        }
    }
}
