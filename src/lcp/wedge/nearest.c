/* Dual active sets: D. Goldfarb, A. Idnani, Math. Program. 27 (1983), for the identity as matrix.
 *
 * From x = 0, the minimum without constraints, the most violated constraint is made active. The
 * multipliers of the active ones change on the way; a constraint whose multiplier reaches 0 is
 * deactivated. x'x grows with every constraint that is added, so that no active set repeats. The
 * active constraints are always independent: one that depends on them is met by changing
 * multipliers alone, until one is deactivated, or it shows that no x satisfies all. With i active,
 * c the new constraint, r = R^-1 Q'c and z = (I - QQ')c the step is x += t z, p_i -= t r_i, p_c +=
 * t.
 */
#include "lcp/wedge/nearest.h"

#include <math.h>
#include <string.h>

/* Relative rounding of a sum of a few hundred terms in twice the working precision. */
static const double ROUNDING = 1e-28;
/* The same in doubles. */
static const double ROUGH = 1e-13;
/* The error of all columns together may be so many times that of the one observed. */
static const double DOUBTS = 8;

bool crm_nearest_create(crm_pool *pool, crm_width width, size_t size, size_t count,
                        size_t equations, crm_nearest *nearest)
{
    size_t blocks = crm_row_blocks(size), row = blocks * CRM_ROW_BLOCK;
    *nearest = (crm_nearest){
        .width = width, .size = size, .blocks = blocks, .count = count, .equations = equations};
    nearest->column = CRM_TAKE(pool, double, count *row);
    nearest->bound = CRM_TAKE(pool, crm_twofold, count);
    nearest->noise = CRM_TAKE(pool, double, count);
    nearest->x = CRM_TAKE(pool, double, row);
    nearest->p = CRM_TAKE(pool, crm_twofold, count);
    nearest->set = CRM_TAKE(pool, size_t, size + 1);
    nearest->is_held = CRM_TAKE(pool, bool, count);
    nearest->basis = CRM_TAKE(pool, double, size *row);
    nearest->corners = CRM_TAKE(pool, double, size *row);
    nearest->along = CRM_TAKE(pool, double, row);
    nearest->across = CRM_TAKE(pool, double, row);
    nearest->rate = CRM_TAKE(pool, double, row);
    nearest->part = CRM_TAKE(pool, crm_twofold, size);
    nearest->passed = CRM_TAKE(pool, bool, count);
    return nearest->column != NULL && nearest->bound != NULL && nearest->noise != NULL &&
           nearest->x != NULL && nearest->p != NULL && nearest->set != NULL &&
           nearest->is_held != NULL && nearest->basis != NULL && nearest->corners != NULL &&
           nearest->along != NULL && nearest->across != NULL && nearest->rate != NULL &&
           nearest->part != NULL && nearest->passed != NULL;
}

static double *corner(const crm_nearest *nearest, size_t k)
{
    return nearest->corners + k * nearest->blocks * CRM_ROW_BLOCK;
}

static void clear(const crm_nearest *nearest, double *row)
{
    memset(row, 0, nearest->blocks * CRM_ROW_BLOCK * sizeof *row);
}

static void copy(const crm_nearest *nearest, const double *from, double *to)
{
    memcpy(to, from, nearest->blocks * CRM_ROW_BLOCK * sizeof *to);
}

static double length(const crm_nearest *nearest, const double *row)
{
    return sqrt(crm_row_rough_dot(nearest->width, nearest->blocks, row, row));
}

crm_twofold crm_nearest_slack(const crm_nearest *nearest, size_t i)
{
    crm_twofold sum =
        crm_row_dot(nearest->width, nearest->blocks, crm_nearest_column(nearest, i), nearest->x);
    return crm_twofold_difference(sum, nearest->bound[i]);
}

/* ---- A constraint and the active ones -------------------------------------------------------- */

/* The component of `orthogonal` in the span of the basis is moved to `projection`. All dot products
 * come first: they are independent of each other.
 */
static void take_out(crm_nearest *nearest)
{
    for (size_t k = 0; k < nearest->held; k++) {
        nearest->part[k] = crm_row_dot(nearest->width, nearest->blocks,
                                       crm_nearest_basis(nearest, k), nearest->across);
    }
    for (size_t k = 0; k < nearest->held; k++) {
        crm_twofold part = nearest->part[k];
        crm_row_set(nearest->along, k, crm_twofold_sum(crm_row_get(nearest->along, k), part));
        crm_row_add(nearest->width, nearest->blocks, nearest->across, crm_twofold_negative(part),
                    crm_nearest_basis(nearest, k));
    }
}

/* Back substitution: rate = R^-1 projection. */
static void find_rate(crm_nearest *nearest)
{
    copy(nearest, nearest->along, nearest->rate);
    for (size_t k = nearest->held; k-- > 0;) {
        const double *r = corner(nearest, k);
        crm_twofold rate = crm_twofold_quotient(crm_row_get(nearest->rate, k), crm_row_get(r, k));
        crm_row_add(nearest->width, crm_row_blocks(k), nearest->rate, crm_twofold_negative(rate),
                    r);
        crm_row_set(nearest->rate, k, rate);
    }
}

/* 1 + sum |r_k|: by how much errors of the columns are multiplied in c - sum r_k c_k. */
static double reach(const crm_nearest *nearest)
{
    double sum = 1;
    for (size_t k = 0; k < nearest->held; k++) {
        sum += fabs(crm_row_get(nearest->rate, k).high);
    }
    return sum;
}

bool crm_nearest_is_dependent(crm_nearest *nearest, size_t i)
{
    copy(nearest, crm_nearest_column(nearest, i), nearest->across);
    clear(nearest, nearest->along);
    take_out(nearest);
    if (length(nearest, nearest->across) < 0.1) { /* cancellation: orthogonalize again */
        take_out(nearest);
    }
    find_rate(nearest);
    return nearest->held == nearest->size ||
           length(nearest, nearest->across) <= CRM_NEAREST_DOUBT * reach(nearest);
}

/* An estimate of the error of the columns: c_i = sum r_k c_k + z, and where c_i depends on the
 * others z is nothing but that error. It needs more coordinates than columns to show; without
 * these, and in whole numbers, z = 0, and the data count as exact.
 */
static double doubt(const crm_nearest *nearest)
{
    return length(nearest, nearest->across) + ROUNDING * reach(nearest);
}

/* How far rounding of the data alone may take c_i'x - b_i below 0, for the constraint that was just
 * found dependent.
 *
 * c_i'x - b_i = z'x + sum r_k b_k - b_i. The b are products of the columns with v-, so that the
 * last terms are z'v- where they would be 0 in exact arithmetic.
 */
static double crm_nearest_slip(const crm_nearest *nearest)
{
    double most = 0;
    for (size_t k = 0; k < nearest->count; k++) {
        most = fmax(most, nearest->noise[k]);
    }
    return DOUBTS * doubt(nearest) * (most + length(nearest, nearest->x));
}

/* ---- The set --------------------------------------------------------------------------------- */

void crm_nearest_hold(crm_nearest *nearest, size_t i)
{
    size_t k = nearest->held++;
    crm_twofold far = crm_twofold_root(
        crm_row_dot(nearest->width, nearest->blocks, nearest->across, nearest->across));
    crm_row_scale(nearest->width, nearest->blocks, crm_twofold_quotient(crm_twofold_of(1), far),
                  nearest->across, crm_nearest_basis(nearest, k));
    copy(nearest, nearest->along, corner(nearest, k));
    crm_row_set(corner(nearest, k), k, far);
    nearest->set[k] = i;
    nearest->is_held[i] = true;
}

/* Rows k and k + 1 of R, columns k and k + 1 of Q, turned so that R is triangular there again. */
static void straighten(crm_nearest *nearest, size_t k)
{
    crm_twofold a = crm_row_get(corner(nearest, k), k), b = crm_row_get(corner(nearest, k), k + 1);
    crm_twofold far = crm_twofold_root(crm_twofold_add_product(crm_twofold_product(a, a), b, b));
    crm_twofold c = crm_twofold_quotient(a, far), s = crm_twofold_quotient(b, far);
    for (size_t l = k; l < nearest->held; l++) {
        crm_twofold x = crm_row_get(corner(nearest, l), k);
        crm_twofold y = crm_row_get(corner(nearest, l), k + 1);
        crm_row_set(corner(nearest, l), k,
                    crm_twofold_add_product(crm_twofold_product(c, x), s, y));
        crm_row_set(corner(nearest, l), k + 1,
                    crm_twofold_difference(crm_twofold_product(c, y), crm_twofold_product(s, x)));
    }
    crm_row_set(corner(nearest, k), k + 1, crm_twofold_of(0));
    crm_row_rotate(nearest->width, nearest->blocks, c, s, crm_nearest_basis(nearest, k),
                   crm_nearest_basis(nearest, k + 1));
}

static void let_go(crm_nearest *nearest, size_t place)
{
    nearest->is_held[nearest->set[place]] = false;
    nearest->p[nearest->set[place]] = crm_twofold_of(0);
    nearest->held--;
    for (size_t k = place; k < nearest->held; k++) {
        nearest->set[k] = nearest->set[k + 1];
        copy(nearest, corner(nearest, k + 1), corner(nearest, k));
    }
    for (size_t k = place; k < nearest->held; k++) {
        straighten(nearest, k);
    }
}

/* ---- One constraint -------------------------------------------------------------------------- */

/* The first active inequality whose multiplier reaches 0, and at which t; SIZE_MAX: none does. A
 * rate counts only above its error, which is that of the data for a dependent constraint.
 */
static size_t find_blocking(const crm_nearest *nearest, bool dependent, crm_twofold *time)
{
    double least = dependent ? DOUBTS * doubt(nearest) : ROUNDING * reach(nearest);
    size_t blocking = SIZE_MAX;
    for (size_t k = 0; k < nearest->held; k++) {
        if (nearest->set[k] < nearest->equations || !(crm_row_get(nearest->rate, k).high > least)) {
            continue;
        }
        crm_twofold t =
            crm_twofold_quotient(nearest->p[nearest->set[k]], crm_row_get(nearest->rate, k));
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
        *p = crm_twofold_difference(*p, crm_twofold_product(time, crm_row_get(nearest->rate, k)));
    }
    nearest->p[i] = crm_twofold_sum(nearest->p[i], time);
    if (!dependent) {
        crm_row_add(nearest->width, nearest->blocks, nearest->x, time, nearest->across);
    }
    nearest->steps++;
}

/* No multiplier limits the step, and c depends on the active constraints: c - sum r_k c_k = 0. */
static void show_conflict(crm_nearest *nearest, size_t i)
{
    memset(nearest->p, 0, nearest->count * sizeof *nearest->p);
    nearest->p[i] = crm_twofold_of(1);
    for (size_t k = 0; k < nearest->held; k++) {
        nearest->p[nearest->set[k]] = crm_twofold_of(fmax(-crm_row_get(nearest->rate, k).high, 0));
    }
}

/* The work of one exchange: about one product for each number stored. */
static bool is_told_to_end(const crm_nearest *nearest)
{
    return crm_watch_interrupts(nearest->watching,
                                1 + (nearest->held + nearest->count) * nearest->blocks / 8);
}

static crm_nearest_result bring_in(crm_nearest *nearest, size_t i)
{
    for (size_t count = 0; count <= nearest->size && !is_told_to_end(nearest); count++) {
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
            crm_twofold square =
                crm_row_dot(nearest->width, nearest->blocks, nearest->across, nearest->across);
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

/* ---- All of them ----------------------------------------------------------------------------- */

/* Equations in turn, of either sign of violation. */
static void bring_in_equations(crm_nearest *nearest)
{
    for (size_t i = 0; i < nearest->equations && !is_told_to_end(nearest); i++) {
        if (crm_nearest_is_dependent(nearest, i)) {
            continue;
        }
        crm_twofold square =
            crm_row_dot(nearest->width, nearest->blocks, nearest->across, nearest->across);
        crm_twofold slack = crm_nearest_slack(nearest, i);
        move(nearest, i, crm_twofold_quotient(crm_twofold_negative(slack), square), false);
        crm_nearest_hold(nearest, i);
    }
}

/* The most violated one, by doubles; in twice the precision where doubles cannot decide. */
static size_t find_violated(const crm_nearest *nearest)
{
    size_t worst = SIZE_MAX;
    double least = 0, far = length(nearest, nearest->x);
    for (size_t i = nearest->equations; i < nearest->count; i++) {
        if (nearest->is_held[i] || nearest->passed[i]) {
            continue;
        }
        double terms = far + fabs(nearest->bound[i].high);
        double slack = crm_row_rough_dot(nearest->width, nearest->blocks,
                                         crm_nearest_column(nearest, i), nearest->x) -
                       nearest->bound[i].high;
        if (fabs(slack) < ROUGH * terms) {
            slack = crm_nearest_slack(nearest, i).high;
        }
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
    clear(nearest, nearest->x);
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
