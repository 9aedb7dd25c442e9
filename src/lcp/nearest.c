/* Dual active sets: D. Goldfarb, A. Idnani, Math. Program. 27 (1983), for the identity as matrix.
 *
 * From x = 0, the least of all without constraints, the one violated most is brought to hold. The
 * multipliers of those already held change on the way; one that reaches 0 is let go. x'x grows with
 * every constraint brought in, so that no set comes back, and what is held is independent always: a
 * constraint that depends on them is met by changing multipliers alone, until one is let go, or
 * shows that no x does it. With constraints i held, c the new one, r = R^-1 Q'c and z = (I - QQ')c
 * the way is x += t z, p_i -= t r_i, p_c += t.
 */
#include "lcp/nearest.h"

#include <math.h>
#include <string.h>

/* Rounding of a sum of this arithmetic, with room for a few hundred terms. */
static const double ROUNDING = 1e-28;
/* The rounding of one column seen, that of all may be so many times as much. */
static const double DOUBTS = 8;

bool crm_nearest_create(crm_room *room, size_t size, size_t count, size_t equations,
                        crm_nearest *nearest)
{
    *nearest = (crm_nearest){.size = size, .count = count, .equations = equations};
    nearest->column = CRM_TAKE(room, crm_twofold, count * size);
    nearest->bound = CRM_TAKE(room, crm_twofold, count);
    nearest->noise = CRM_TAKE(room, double, count);
    nearest->x = CRM_TAKE(room, crm_twofold, size);
    nearest->p = CRM_TAKE(room, crm_twofold, count);
    nearest->set = CRM_TAKE(room, size_t, size + 1);
    nearest->is_held = CRM_TAKE(room, bool, count);
    nearest->basis = CRM_TAKE(room, crm_twofold, size * size);
    nearest->corners = CRM_TAKE(room, crm_twofold, size * size);
    nearest->along = CRM_TAKE(room, crm_twofold, size);
    nearest->across = CRM_TAKE(room, crm_twofold, size);
    nearest->rate = CRM_TAKE(room, crm_twofold, size);
    nearest->passed = CRM_TAKE(room, bool, count);
    return nearest->column != NULL && nearest->bound != NULL && nearest->noise != NULL &&
           nearest->x != NULL && nearest->p != NULL && nearest->set != NULL &&
           nearest->is_held != NULL && nearest->basis != NULL && nearest->corners != NULL &&
           nearest->along != NULL && nearest->across != NULL && nearest->rate != NULL &&
           nearest->passed != NULL;
}

static double length(const crm_twofold *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i].high * x[i].high;
    }
    return sqrt(sum);
}

static const crm_twofold *column_of(const crm_nearest *nearest, size_t i)
{
    return nearest->column + i * nearest->size;
}

crm_twofold crm_nearest_slack(const crm_nearest *nearest, size_t i)
{
    crm_twofold sum = crm_twofold_dot(column_of(nearest, i), nearest->x, nearest->size);
    return crm_twofold_difference(sum, nearest->bound[i]);
}

/* ---- A constraint beside those that are held ---------------------------------------------------
 */

/* What `across` has along the basis goes to `along`. */
static void take_out(crm_nearest *nearest)
{
    size_t n = nearest->size;
    for (size_t k = 0; k < nearest->held; k++) {
        const crm_twofold *q = nearest->basis + k * n;
        crm_twofold part = crm_twofold_dot(q, nearest->across, n);
        nearest->along[k] = crm_twofold_sum(nearest->along[k], part);
        crm_twofold_add_multiple(nearest->across, crm_twofold_negative(part), q, n);
    }
}

static void find_rate(crm_nearest *nearest)
{
    for (size_t k = nearest->held; k-- > 0;) {
        crm_twofold sum = nearest->along[k];
        for (size_t l = k + 1; l < nearest->held; l++) {
            crm_twofold corner = nearest->corners[l * nearest->size + k];
            sum = crm_twofold_difference(sum, crm_twofold_product(corner, nearest->rate[l]));
        }
        nearest->rate[k] = crm_twofold_quotient(sum, nearest->corners[k * nearest->size + k]);
    }
}

/* 1 + sum |r_k|: of the columns of length 1 that make up c, or would if it depended on them. */
static double reach(const crm_nearest *nearest)
{
    double sum = 1;
    for (size_t k = 0; k < nearest->held; k++) {
        sum += fabs(nearest->rate[k].high);
    }
    return sum;
}

bool crm_nearest_is_dependent(crm_nearest *nearest, size_t i)
{
    size_t n = nearest->size;
    memcpy(nearest->across, column_of(nearest, i), n * sizeof *nearest->across);
    memset(nearest->along, 0, nearest->held * sizeof *nearest->along);
    take_out(nearest);
    if (length(nearest->across, n) < 0.1) { /* much was taken out: what is left is orthogonal only
                                               to the rounding of that */
        take_out(nearest);
    }
    find_rate(nearest);
    return nearest->held == n || length(nearest->across, n) <= CRM_NEAREST_DOUBT * reach(nearest);
}

/* c_i = sum r_k c_k + z, where z is the rounding of the columns: how large it is where they depend
 * on each other shows how well they are known. More coordinates than columns it needs to show;
 * where there are none left over, and in whole numbers, it is 0, and everything is meant as it
 * stands.
 */
static double doubt(const crm_nearest *nearest)
{
    return length(nearest->across, nearest->size) + ROUNDING * reach(nearest);
}

/* c_i'x - b_i = z'x + sum r_k b_k - b_i. The b are products of the columns with v-, so that the
 * last terms are z'v- where they are meant to be 0.
 */
double crm_nearest_slip(const crm_nearest *nearest)
{
    double most = 0;
    for (size_t k = 0; k < nearest->count; k++) {
        most = fmax(most, nearest->noise[k]);
    }
    return DOUBTS * doubt(nearest) * (most + length(nearest->x, nearest->size));
}

/* ---- The set --------------------------------------------------------------------------------- */

void crm_nearest_hold(crm_nearest *nearest, size_t i)
{
    size_t n = nearest->size, k = nearest->held++;
    crm_twofold *q = nearest->basis + k * n, *r = nearest->corners + k * n;
    crm_twofold far = crm_twofold_root(crm_twofold_dot(nearest->across, nearest->across, n));
    for (size_t l = 0; l < n; l++) {
        q[l] = crm_twofold_quotient(nearest->across[l], far);
    }
    memcpy(r, nearest->along, k * sizeof *r);
    r[k] = far;
    nearest->set[k] = i;
    nearest->is_held[i] = true;
}

/* a, b := c a + s b, c b - s a */
static void rotate(crm_twofold c, crm_twofold s, crm_twofold *a, crm_twofold *b)
{
    crm_twofold first = crm_twofold_add_product(crm_twofold_product(c, *a), s, *b);
    *b = crm_twofold_difference(crm_twofold_product(c, *b), crm_twofold_product(s, *a));
    *a = first;
}

/* Rows k and k + 1 of R, columns k and k + 1 of Q, turned so that R is triangular there again. */
static void straighten(crm_nearest *nearest, size_t k)
{
    size_t n = nearest->size;
    crm_twofold a = nearest->corners[k * n + k], b = nearest->corners[k * n + k + 1];
    crm_twofold far = crm_twofold_root(crm_twofold_add_product(crm_twofold_product(a, a), b, b));
    crm_twofold c = crm_twofold_quotient(a, far), s = crm_twofold_quotient(b, far);
    for (size_t l = k; l < nearest->held; l++) {
        rotate(c, s, &nearest->corners[l * n + k], &nearest->corners[l * n + k + 1]);
    }
    for (size_t l = 0; l < n; l++) {
        rotate(c, s, &nearest->basis[k * n + l], &nearest->basis[(k + 1) * n + l]);
    }
}

static void let_go(crm_nearest *nearest, size_t place)
{
    size_t n = nearest->size;
    nearest->is_held[nearest->set[place]] = false;
    nearest->p[nearest->set[place]] = crm_twofold_of(0);
    nearest->held--;
    for (size_t k = place; k < nearest->held; k++) {
        nearest->set[k] = nearest->set[k + 1];
        memcpy(nearest->corners + k * n, nearest->corners + (k + 1) * n,
               (k + 2) * sizeof *nearest->corners);
    }
    for (size_t k = place; k < nearest->held; k++) {
        straighten(nearest, k);
    }
}

/* ---- One constraint ----------------------------------------------------------------------------
 */

/* The first held inequality whose multiplier reaches 0, and when; SIZE_MAX: none does. Rates are
 * not 0 only above their rounding, which is that of the data where these are asked to be dependent.
 */
static size_t find_blocking(const crm_nearest *nearest, bool dependent, crm_twofold *time)
{
    double least = dependent ? DOUBTS * doubt(nearest) : ROUNDING * reach(nearest);
    size_t blocking = SIZE_MAX;
    for (size_t k = 0; k < nearest->held; k++) {
        if (nearest->set[k] < nearest->equations || !(nearest->rate[k].high > least)) {
            continue;
        }
        crm_twofold t = crm_twofold_quotient(nearest->p[nearest->set[k]], nearest->rate[k]);
        if (blocking == SIZE_MAX || crm_twofold_difference(t, *time).high < 0) {
            blocking = k;
            *time = t;
        }
    }
    return blocking;
}

static void move(crm_nearest *nearest, size_t i, crm_twofold time, bool dependent)
{
    for (size_t k = 0; k < nearest->held; k++) {
        crm_twofold *p = &nearest->p[nearest->set[k]];
        *p = crm_twofold_difference(*p, crm_twofold_product(time, nearest->rate[k]));
    }
    nearest->p[i] = crm_twofold_sum(nearest->p[i], time);
    if (!dependent) {
        crm_twofold_add_multiple(nearest->x, time, nearest->across, nearest->size);
    }
    nearest->steps++;
}

/* No multiplier stops c, and c depends on what is held: c - sum r_k c_k = 0. */
static void show_conflict(crm_nearest *nearest, size_t i)
{
    memset(nearest->p, 0, nearest->count * sizeof *nearest->p);
    nearest->p[i] = crm_twofold_of(1);
    for (size_t k = 0; k < nearest->held; k++) {
        nearest->p[nearest->set[k]] = crm_twofold_of(fmax(-nearest->rate[k].high, 0));
    }
}

static crm_nearest_result bring_in(crm_nearest *nearest, size_t i)
{
    for (size_t count = 0; count <= nearest->size; count++) {
        bool dependent = crm_nearest_is_dependent(nearest, i);
        crm_twofold slack = crm_nearest_slack(nearest, i), time = {0, 0};
        if (dependent && count == 0 && slack.high >= -crm_nearest_slip(nearest)) {
            nearest->passed[i] = true;
            return CRM_NEAREST_FOUND;
        }
        size_t blocking = find_blocking(nearest, dependent, &time);
        if (dependent && blocking == SIZE_MAX) {
            show_conflict(nearest, i);
            return CRM_NEAREST_NONE;
        }
        crm_twofold whole = {INFINITY, 0};
        if (!dependent) {
            crm_twofold square = crm_twofold_dot(nearest->across, nearest->across, nearest->size);
            whole = crm_twofold_quotient(crm_twofold_negative(slack), square);
        }
        bool blocked = blocking != SIZE_MAX && time.high < whole.high;
        move(nearest, i, blocked ? time : whole, dependent);
        if (!blocked) {
            crm_nearest_hold(nearest, i);
            memset(nearest->passed, 0, nearest->count * sizeof *nearest->passed);
            return CRM_NEAREST_FOUND;
        }
        let_go(nearest, blocking);
    }
    return CRM_NEAREST_ENDLESS;
}

/* ---- All of them -------------------------------------------------------------------------------
 */

/* Equations in turn, whichever way round they are violated. */
static void bring_in_equations(crm_nearest *nearest)
{
    for (size_t i = 0; i < nearest->equations; i++) {
        if (crm_nearest_is_dependent(nearest, i)) {
            continue;
        }
        crm_twofold square = crm_twofold_dot(nearest->across, nearest->across, nearest->size);
        crm_twofold slack = crm_nearest_slack(nearest, i);
        move(nearest, i, crm_twofold_quotient(crm_twofold_negative(slack), square), false);
        crm_nearest_hold(nearest, i);
    }
}

static size_t find_violated(const crm_nearest *nearest)
{
    size_t worst = SIZE_MAX;
    double least = 0, far = length(nearest->x, nearest->size);
    for (size_t i = nearest->equations; i < nearest->count; i++) {
        if (nearest->is_held[i] || nearest->passed[i]) {
            continue;
        }
        double slack = crm_nearest_slack(nearest, i).high;
        if (slack < least && slack < -ROUNDING * (far + nearest->noise[i])) {
            least = slack;
            worst = i;
        }
    }
    return worst;
}

crm_nearest_result crm_nearest_solve(crm_nearest *nearest)
{
    size_t most = 100 * (nearest->count + nearest->size) + 100;
    nearest->held = nearest->steps = 0;
    memset(nearest->x, 0, nearest->size * sizeof *nearest->x);
    memset(nearest->p, 0, nearest->count * sizeof *nearest->p);
    memset(nearest->is_held, 0, nearest->count * sizeof *nearest->is_held);
    memset(nearest->passed, 0, nearest->count * sizeof *nearest->passed);
    bring_in_equations(nearest);
    for (size_t count = 0; count < most; count++) {
        size_t i = find_violated(nearest);
        if (i == SIZE_MAX) {
            return CRM_NEAREST_FOUND;
        }
        crm_nearest_result result = bring_in(nearest, i);
        if (result != CRM_NEAREST_FOUND) {
            return result;
        }
    }
    return CRM_NEAREST_ENDLESS;
}
