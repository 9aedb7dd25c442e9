/* Who sticks and who slips.
 *
 * Of the contacts that press those with u_t = 0 may stick. Coulomb's law on accelerations is the
 * condition of the least of f'Af/2 + f'q over |f_j| <= mu_j lambda_j: A f + q = a is unique, and
 * where it is 0 the contact sticks, where it is not the contact begins to slip along a. A may be
 * singular: then f is not unique, and whether all can stick is a question to the whole problem, not
 * to one f.
 */
#include <math.h>
#include <string.h>

#include "law/lzb/engine/friction/friction.h"

/* Forces are taken so far ahead, as a part of the next step, that those that begin are not 0. */
static const double SOON = 1e-6;
/* a is 0 if it is less than this part of what it is summed from. */
static const double AT_REST = 1e-10;
/* Pivots below this part of what they were are 0. */
static const double RANK_TOLERANCE = 1e-12;

/* ---- The matrix of those that may stick ------------------------------------------------------ */

static double entry_of(const crm_model *all, size_t row, size_t column)
{
    return crm_model_delassus(all, row, column);
}

static size_t direction_of(const lzb_engine *e, size_t place, unsigned k)
{
    return e->window.member[place].contact * (1 + (size_t)e->friction->d) + 1 + k;
}

static bool take_matrices(lzb_engine *e, size_t m)
{
    lzb_sticking *held = &e->friction->sticking;
    if (m * m > held->room) {
        held->room = 2 * m * m;
        held->matrix = CRM_TAKE(e->state->pool, double, held->room);
        held->factor = CRM_TAKE(e->state->pool, double, held->room);
    }
    return m == 0 || (held->matrix != NULL && held->factor != NULL);
}

/* Cholesky's factor in the order of the largest pivots: L L' = A. Row p of L is factor[p m ...]. */
static void factorize(lzb_sticking *held, size_t m)
{
    double *l = held->factor, *left = held->a;
    for (size_t p = 0; p < m; p++) {
        held->pivot[p] = (uint32_t)p;
        left[p] = held->matrix[p * m + p];
    }
    held->rank = 0;
    for (size_t p = 0; p < m; p++) {
        size_t best = m;
        double most = 0;
        for (size_t r = p; r < m; r++) {
            size_t i = held->pivot[r];
            double part = left[i] / held->matrix[i * m + i];
            if (held->matrix[i * m + i] > 0 && part > RANK_TOLERANCE && part > most) {
                best = r;
                most = part;
            }
        }
        if (best == m) {
            return;
        }
        uint32_t chosen = held->pivot[best];
        held->pivot[best] = held->pivot[p];
        held->pivot[p] = chosen;
        double root = sqrt(left[chosen]);
        l[chosen * m + p] = root;
        for (size_t r = p + 1; r < m; r++) {
            size_t i = held->pivot[r];
            double sum = held->matrix[i * m + chosen];
            for (size_t c = 0; c < p; c++) {
                sum -= l[i * m + c] * l[chosen * m + c];
            }
            l[i * m + p] = sum / root;
            left[i] -= l[i * m + p] * l[i * m + p];
        }
        held->rank++;
    }
}

/* x := f with A f = x; what A leaves undetermined is 0. */
void lzb_friction_solve(const lzb_sticking *held, size_t m, double *x)
{
    const double *l = held->factor;
    double *y = held->f;
    for (size_t p = 0; p < held->rank; p++) {
        size_t i = held->pivot[p];
        double sum = x[i];
        for (size_t c = 0; c < p; c++) {
            sum -= l[i * m + c] * y[c];
        }
        y[p] = sum / l[i * m + p];
    }
    memset(x, 0, m * sizeof *x);
    for (size_t p = held->rank; p-- > 0;) {
        double sum = y[p];
        for (size_t r = p + 1; r < held->rank; r++) {
            sum -= l[held->pivot[r] * m + p] * x[held->pivot[r]];
        }
        x[held->pivot[p]] = sum / l[held->pivot[p] * m + p];
    }
}

/* The matrix of the places that are listed, and its factor. */
static crm_status begin(lzb_engine *e, crm_error *error)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    size_t m = held->count * f->d;
    crm_coulomb_free(held->solver);
    held->solver = NULL;
    held->rank = 0;
    if (!take_matrices(e, m)) {
        return crm_fail_memory(error);
    }
    for (size_t r = 0; r < m; r++) {
        for (size_t c = 0; c < m; c++) {
            held->matrix[r * m + c] =
                entry_of(f->all, direction_of(e, held->place[r / f->d], (unsigned)(r % f->d)),
                         direction_of(e, held->place[c / f->d], (unsigned)(c % f->d)));
        }
    }
    factorize(held, m);
    return CRM_OK;
}

/* ---- The convex problem ---------------------------------------------------------------------- */

/* A with a normal at each contact that nothing else moves: D_nn r_n = D_nn radius. */
static crm_status make_solver(lzb_engine *e, crm_error *error)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    size_t d = f->d, m = held->count * d, size = held->count * (1 + d);
    size_t *start = CRM_TAKE(e->state->pool, size_t, size + 1);
    uint32_t *row = CRM_TAKE(e->state->pool, uint32_t, size + size * m);
    double *value = CRM_TAKE(e->state->pool, double, size + size * m);
    if (start == NULL || row == NULL || value == NULL) {
        return crm_fail_memory(error);
    }
    size_t filled = 0;
    for (size_t c = 0; c < size; c++) {
        size_t contact = c / (1 + d), t = c % (1 + d);
        start[c] = filled;
        if (t == 0) {
            double mean = 0;
            for (size_t k = 0; k < d; k++) {
                mean += held->matrix[(contact * d + k) * (m + 1)] / (double)d;
            }
            row[filled] = (uint32_t)c;
            value[filled++] = held->normal[contact] = mean > 0 ? mean : 1;
            continue;
        }
        for (size_t r = 0; r < m; r++) {
            double entry = held->matrix[r * m + contact * d + t - 1];
            if (entry != 0) {
                row[filled] = (uint32_t)(r / d * (1 + d) + 1 + r % d);
                value[filled++] = entry;
            }
        }
    }
    start[size] = filled;
    const crm_sparse_view view = {start, row, value};
    return crm_coulomb_create(held->count, 1 + d, &view, &held->solver, error);
}

/* q of the places that stick, and the largest sum of sizes that it is made of. */
static double sum_others(lzb_engine *e, const double *forces)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    const crm_model *all = f->all;
    double largest = 0;
    for (size_t r = 0; r < held->count * f->d; r++) {
        size_t row = direction_of(e, held->place[r / f->d], (unsigned)(r % f->d));
        double sum = 0, size = 0;
        for (size_t l = all->d_start[row]; l < all->d_start[row + 1]; l++) {
            size_t contact = all->d_column[l] / (1 + f->d), t = all->d_column[l] % (1 + f->d);
            size_t i = e->window.place[contact];
            if (i == 0 || i > e->window.pressing) {
                continue;
            }
            double force = t == 0 ? forces[i - 1] : 0;
            if (t > 0 && lzb_friction_acts(e, i - 1) && lzb_friction_grip(e, i - 1) == LZB_SLIPS) {
                force = lzb_friction_slipping_force(e, i - 1, (unsigned)t - 1, forces);
            }
            sum += all->d_value[l] * force;
            size += fabs(all->d_value[l] * force);
        }
        held->q[r] = sum;
        largest = fmax(largest, size);
    }
    return largest;
}

crm_status lzb_friction_hold(lzb_engine *e, const double *forces, double *moves, crm_error *error)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    size_t d = f->d;
    *moves = 0;
    if (held->count == 0) {
        return CRM_OK;
    }
    crm_status status = held->solver == NULL ? make_solver(e, error) : CRM_OK;
    if (status != CRM_OK) {
        return status;
    }
    double size = sum_others(e, forces), *q = held->solver_q, *r = q + held->count * (1 + d);
    for (size_t j = 0; j < held->count; j++) {
        size_t i = held->place[j];
        double most = f->coefficient[e->window.member[i].contact] * forces[i];
        q[j * (1 + d)] = -held->normal[j] * fmax(most, 0);
        memcpy(q + j * (1 + d) + 1, held->q + j * d, d * sizeof *q);
        held->mu[j] = 1;
    }
    crm_coulomb_info info;
    status = crm_coulomb_solve(held->solver, q, held->mu, NULL, r, q, &info, error);
    for (size_t j = 0; j < held->count && status == CRM_OK; j++) {
        double square = 0;
        for (size_t k = 0; k < d; k++) {
            held->f[j * d + k] = r[j * (1 + d) + 1 + k];
            double a = held->a[j * d + k] = q[j * (1 + d) + 1 + k];
            square += a * a;
        }
        *moves = fmax(*moves, size > 0 ? sqrt(square) / size : 0);
    }
    held->size = size;
    return status;
}

bool lzb_friction_sticks(double moves)
{
    return moves <= AT_REST;
}

/* ---- Deciding -------------------------------------------------------------------------------- */

static double size_of(const double *v, unsigned d)
{
    return d == 1 ? fabs(v[0]) : hypot(v[0], v[1]);
}

static void set_direction(lzb_friction *f, size_t j, const double *along)
{
    double size = size_of(along, f->d);
    for (unsigned k = 0; k < f->d; k++) {
        f->direction[j * f->d + k] = along[k] / size;
    }
    f->grip[j] = LZB_SLIPS;
}

/* Those that slip have their directions; the others are listed. */
static void list_still(lzb_engine *e)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    held->count = 0;
    for (size_t i = 0; i < e->window.pressing; i++) {
        size_t j = e->window.member[i].contact;
        if (!lzb_friction_acts(e, i)) {
            continue;
        }
        if (size_of(f->slip + j * f->d, f->d) > f->band) {
            set_direction(f, j, f->slip + j * f->d);
        } else if (!f->begins[j]) {
            f->grip[j] = LZB_STICKS;
            held->place[held->count++] = (uint32_t)i;
        }
        f->begins[j] = false;
    }
}

static void foresee(const lzb_engine *e, double *forces)
{
    for (size_t i = 0; i < e->window.pressing; i++) {
        const lzb_member *member = &e->window.member[i];
        double x = member->x + member->rate * member->c * SOON * e->next_length;
        forces[i] = lzb_member_force(member, fmax(x, 0));
    }
}

crm_status lzb_friction_decide(lzb_engine *e, crm_error *error)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    double moves;
    f->stale = false;
    list_still(e);
    memset(f->sum, 0, f->contacts * (1 + f->d) * sizeof *f->sum);
    foresee(e, f->sum);
    crm_status status = begin(e, error);
    if (status == CRM_OK) {
        status = lzb_friction_hold(e, f->sum, &moves, error);
    }
    memset(f->sum, 0, e->window.pressing * sizeof *f->sum);
    if (status != CRM_OK || lzb_friction_sticks(moves)) {
        return status;
    }
    size_t count = 0;
    for (size_t r = 0; r < held->count; r++) {
        const double *a = held->a + r * f->d;
        if (size_of(a, f->d) > AT_REST * held->size) {
            set_direction(f, e->window.member[held->place[r]].contact, a);
        } else {
            held->place[count++] = held->place[r];
        }
    }
    held->count = count;
    return begin(e, error);
}
