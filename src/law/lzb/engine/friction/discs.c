#include "law/lzb/engine/friction/discs.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Pivots below this part of what they were are 0. */
static const double RANK_TOLERANCE = 1e-12;
/* Gradients below this part of what they are summed from are 0. */
static const double CONVERGED = 2e-15;
enum { MOST_STEPS_EACH = 40, MOST_HALVINGS = 40 };

/* ---- Factors --------------------------------------------------------------------------------- */

size_t lzb_discs_factorize(const double *matrix, size_t m, double *factor, uint32_t *pivot,
                           double *left)
{
    for (size_t p = 0; p < m; p++) {
        pivot[p] = (uint32_t)p;
        left[p] = matrix[p * m + p];
    }
    for (size_t p = 0; p < m; p++) {
        size_t best = m;
        double most = RANK_TOLERANCE;
        for (size_t r = p; r < m; r++) {
            double whole = matrix[pivot[r] * m + pivot[r]], part = left[pivot[r]] / whole;
            if (whole > 0 && part > most) {
                best = r;
                most = part;
            }
        }
        if (best == m) {
            return p;
        }
        uint32_t chosen = pivot[best];
        pivot[best] = pivot[p];
        pivot[p] = chosen;
        double root = factor[chosen * m + p] = sqrt(left[chosen]);
        for (size_t r = p + 1; r < m; r++) {
            size_t i = pivot[r];
            double sum = matrix[i * m + chosen];
            for (size_t c = 0; c < p; c++) {
                sum -= factor[i * m + c] * factor[chosen * m + c];
            }
            factor[i * m + p] = sum / root;
            left[i] -= factor[i * m + p] * factor[i * m + p];
        }
    }
    return m;
}

void lzb_discs_solve_factor(const double *factor, const uint32_t *pivot, size_t rank, size_t m,
                            double *x, double *work)
{
    for (size_t p = 0; p < rank; p++) {
        size_t i = pivot[p];
        double sum = x[i];
        for (size_t c = 0; c < p; c++) {
            sum -= factor[i * m + c] * work[c];
        }
        work[p] = sum / factor[i * m + p];
    }
    memset(x, 0, m * sizeof *x);
    for (size_t p = rank; p-- > 0;) {
        double sum = work[p];
        for (size_t r = p + 1; r < rank; r++) {
            sum -= factor[pivot[r] * m + p] * x[pivot[r]];
        }
        x[pivot[p]] = sum / factor[pivot[p] * m + p];
    }
}

/* ---- The problem ----------------------------------------------------------------------------- */

bool lzb_discs_take(lzb_discs *s, size_t most, unsigned d, crm_pool *pool)
{
    size_t m = most * d;
    s->d = d;
    s->f = CRM_TAKE(pool, double, m);
    s->a = CRM_TAKE(pool, double, m);
    s->bound = CRM_TAKE(pool, bool, most);
    s->hessian = CRM_TAKE(pool, double, m *m);
    s->factor = CRM_TAKE(pool, double, m *m);
    s->step = CRM_TAKE(pool, double, m);
    s->trial = CRM_TAKE(pool, double, m);
    s->left = CRM_TAKE(pool, double, m);
    s->pivot = CRM_TAKE(pool, uint32_t, m);
    return s->f != NULL && s->a != NULL && s->bound != NULL && s->hessian != NULL &&
           s->factor != NULL && s->step != NULL && s->trial != NULL && s->left != NULL &&
           s->pivot != NULL;
}

static double size_of(const double *v, unsigned d)
{
    return d == 1 ? fabs(v[0]) : sqrt(v[0] * v[0] + v[1] * v[1]);
}

/* a = A f + q */
static void find_gradient(lzb_discs *s)
{
    size_t m = s->count * s->d;
    s->size = 0;
    for (size_t r = 0; r < m; r++) {
        double sum = s->q[r], size = fabs(s->q[r]);
        for (size_t c = 0; c < m; c++) {
            double term = s->matrix[r * m + c] * s->f[c];
            sum += term;
            size += fabs(term);
        }
        s->a[r] = sum;
        s->size = fmax(s->size, size);
    }
}

/* The multiplier times r^2. */
static double multiplier(const lzb_discs *s, size_t j)
{
    double sum = 0;
    for (unsigned k = 0; k < s->d; k++) {
        sum -= s->f[j * s->d + k] * s->a[j * s->d + k];
    }
    return sum;
}

/* What the function changes by from f to trial: (f + trial)/2 - f times A is in the middle. */
static double change(const lzb_discs *s)
{
    size_t m = s->count * s->d;
    double sum = 0;
    for (size_t r = 0; r < m; r++) {
        double way = s->trial[r] - s->f[r], middle = s->a[r];
        for (size_t c = 0; c < m && way != 0; c++) {
            middle += 0.5 * s->matrix[r * m + c] * (s->trial[c] - s->f[c]);
        }
        sum += way * middle;
    }
    return sum;
}

/* What of that is rounding: on the way of a force to its small circle, or along it, the others
 * hardly change.
 */
static double rounding_of_change(const lzb_discs *s)
{
    double sum = 0;
    for (size_t r = 0; r < s->count * s->d; r++) {
        sum += fabs(s->a[r] * s->f[r]);
    }
    return 4 * DBL_EPSILON * sum; /* of the operations that put a force back on its circle */
}

/* ---- Newton's method on a face --------------------------------------------------------------- */

/* The direction in which variable v of contact j moves it: a coordinate, or along its circle. */
static double along(const lzb_discs *s, size_t j, unsigned v, unsigned k)
{
    if (!s->bound[j]) {
        return v == k;
    }
    double size = size_of(s->f + j * s->d, s->d);
    return k == 0 ? -s->f[j * 2 + 1] / size : s->f[j * 2] / size;
}

static unsigned variables(const lzb_discs *s, size_t j)
{
    return !s->bound[j] ? s->d : s->radius[j] > 0 ? s->d - 1 : 0;
}

/* step := -H^-1 gradient by variable, of which *count are; returns the largest gradient. Along a
 * circle H has |a|/r in the place of the multiplier: they differ by the square of the gradient, and
 * where f_j pushes the wrong way its step is no longer than its circle all the same.
 */
static double find_step(lzb_discs *s, size_t *count)
{
    unsigned d = s->d;
    size_t m = s->count * d, n = 0;
    double largest = 0;
    for (size_t j = 0; j < s->count; j++) {
        for (unsigned v = 0; v < variables(s, j); v++) {
            double gradient = 0;
            for (unsigned k = 0; k < d; k++) {
                gradient += along(s, j, v, k) * s->a[j * d + k];
            }
            s->step[n++] = -gradient;
            largest = fmax(largest, fabs(gradient));
        }
    }
    size_t row = 0;
    for (size_t i = 0; i < s->count; i++) {
        for (unsigned u = 0; u < variables(s, i); u++, row++) {
            size_t column = 0;
            for (size_t j = 0; j < s->count; j++) {
                for (unsigned v = 0; v < variables(s, j); v++, column++) {
                    double sum = 0;
                    for (unsigned k = 0; k < d; k++) {
                        for (unsigned l = 0; l < d; l++) {
                            sum += along(s, i, u, k) * s->matrix[(i * d + k) * m + j * d + l] *
                                   along(s, j, v, l);
                        }
                    }
                    bool curved = i == j && s->bound[i];
                    sum += curved ? size_of(s->a + i * d, d) / s->radius[i] : 0;
                    s->hessian[row * n + column] = sum;
                }
            }
        }
    }
    size_t rank = lzb_discs_factorize(s->hessian, n, s->factor, s->pivot, s->left);
    lzb_discs_solve_factor(s->factor, s->pivot, rank, n, s->step, s->left);
    *count = n;
    return largest;
}

/* How far f_j may go along its step until it meets its circle. */
static double way_to_circle(const double *f, const double *step, double radius, unsigned d)
{
    double square = 0, across = 0, room = radius * radius;
    for (unsigned k = 0; k < d; k++) {
        square += step[k] * step[k];
        across += step[k] * f[k];
        room -= f[k] * f[k];
    }
    room = fmax(room, 0);
    double root = sqrt(across * across + square * room);
    return square > 0 ? (across > 0 ? room / (across + root) : (root - across) / square) : INFINITY;
}

static double longest_way(const lzb_discs *s, size_t *meets)
{
    double longest = 1;
    *meets = s->count;
    for (size_t j = 0, n = 0; j < s->count; n += variables(s, j), j++) {
        double way = s->bound[j] ? INFINITY
                                 : way_to_circle(s->f + j * s->d, s->step + n, s->radius[j], s->d);
        if (way < longest) {
            longest = way;
            *meets = j;
        }
    }
    return longest;
}

static void go(lzb_discs *s, double way)
{
    unsigned d = s->d;
    memcpy(s->trial, s->f, s->count * d * sizeof *s->trial);
    for (size_t j = 0, n = 0; j < s->count; n += variables(s, j), j++) {
        double *to = s->trial + j * d;
        const double *f = s->f + j * d;
        if (!s->bound[j]) {
            for (unsigned k = 0; k < d; k++) {
                to[k] += way * s->step[n + k];
            }
        } else if (variables(s, j) == 1) { /* f + w t, back on the circle */
            double x = f[0] + way * s->step[n] * along(s, j, 0, 0),
                   y = f[1] + way * s->step[n] * along(s, j, 0, 1), size = sqrt(x * x + y * y);
            to[0] = s->radius[j] * x / size;
            to[1] = s->radius[j] * y / size;
        }
    }
}

static void put_on_circle(lzb_discs *s, size_t j)
{
    double size = size_of(s->f + j * s->d, s->d);
    s->bound[j] = size > 0 || !(s->radius[j] > 0);
    for (unsigned k = 0; k < s->d && size > 0; k++) {
        s->f[j * s->d + k] *= s->radius[j] / size;
    }
}

/* The one whose multiplier is most negative is let go; false: none is. */
static bool release(lzb_discs *s)
{
    size_t worst = s->count;
    double least = 0;
    for (size_t j = 0; j < s->count; j++) {
        double pull = s->bound[j] && s->radius[j] > 0 ? multiplier(s, j) / s->radius[j] : 0;
        if (pull < least - CONVERGED * s->size) {
            least = pull;
            worst = j;
        }
    }
    if (worst < s->count) {
        s->bound[worst] = false;
    }
    return worst < s->count;
}

void lzb_discs_solve(lzb_discs *s)
{
    for (size_t j = 0; j < s->count; j++) {
        s->bound[j] = !(size_of(s->f + j * s->d, s->d) < s->radius[j]);
        if (s->bound[j]) {
            put_on_circle(s, j);
        }
    }
    size_t most = MOST_STEPS_EACH * (s->count + 1);
    for (size_t n = 0; n < most; n++) {
        size_t variables_there, meets;
        find_gradient(s);
        double largest = find_step(s, &variables_there);
        double way = variables_there > 0 ? longest_way(s, &meets) : 0;
        bool moved = false;
        if (variables_there > 0 && largest > CONVERGED * s->size) {
            for (int halving = 0; halving < MOST_HALVINGS && !moved; halving++) {
                go(s, way);
                double most_change = halving == 0 ? rounding_of_change(s) : 0;
                moved = change(s) < most_change;
                meets = moved || way == 0 ? meets : s->count;
                way *= moved ? 1 : 0.5;
            }
            if (meets < s->count && (moved || way == 0)) {
                if (moved) {
                    memcpy(s->f, s->trial, s->count * s->d * sizeof *s->f);
                }
                put_on_circle(s, meets);
                continue;
            }
        }
        if (moved) {
            memcpy(s->f, s->trial, s->count * s->d * sizeof *s->f);
        } else if (!release(s)) {
            break;
        }
    }
    find_gradient(s);
}
