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

#include "base/elementary.h"
#include "law/lzb/engine/friction/friction.h"

/* Forces are taken so far ahead, as a part of the next step, that those that begin are not 0. */
static const double SOON = 1e-6;
/* a is 0 if it is less than this part of what it is summed from. */
static const double AT_REST = 1e-10;

static double size_of(const double *v, unsigned d)
{
    return d == 1 ? fabs(v[0]) : crm_hypot(v[0], v[1]);
}

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
    if (held->count > held->discs_room) {
        held->discs_room = 2 * held->count;
        if (!lzb_discs_take(&held->discs, held->discs_room, e->friction->d, e->state->pool)) {
            return false;
        }
    }
    return held->matrix != NULL && held->factor != NULL;
}

/* The matrix of the places that are listed, and its factor. */
static crm_status begin(lzb_engine *e, crm_error *error)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    size_t m = held->count * f->d;
    held->rank = 0;
    if (m == 0) {
        return CRM_OK;
    }
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
    held->rank = lzb_discs_factorize(held->matrix, m, held->factor, held->pivot, held->work);
    held->discs.count = held->count;
    held->discs.matrix = held->matrix;
    held->discs.q = held->q;
    held->discs.radius = held->radius;
    memset(held->discs.f, 0, m * sizeof *held->discs.f);
    return CRM_OK;
}

/* ---- The convex problem ---------------------------------------------------------------------- */

/* q of the places that stick. */
static void sum_others(lzb_engine *e, const double *forces)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    const crm_model *all = f->all;
    for (size_t r = 0; r < held->count * f->d; r++) {
        size_t row = direction_of(e, held->place[r / f->d], (unsigned)(r % f->d));
        double sum = 0;
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
        }
        held->q[r] = sum;
    }
}

double lzb_friction_hold(lzb_engine *e, const double *forces)
{
    lzb_friction *f = e->friction;
    lzb_sticking *held = &f->sticking;
    lzb_discs *discs = &held->discs;
    double moves = 0;
    if (held->count == 0) {
        return 0;
    }
    sum_others(e, forces);
    for (size_t j = 0; j < held->count; j++) {
        size_t i = held->place[j];
        held->radius[j] = fmax(f->coefficient[e->window.member[i].contact] * forces[i], 0);
    }
    lzb_discs_solve(discs);
    for (size_t j = 0; j < held->count; j++) {
        moves = fmax(moves, size_of(discs->a + j * f->d, f->d));
    }
    return discs->size > 0 ? moves / discs->size : 0;
}

bool lzb_friction_sticks(double moves)
{
    return moves <= AT_REST;
}

/* ---- Deciding -------------------------------------------------------------------------------- */

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
            continue;
        }
        memset(f->slip + j * f->d, 0, f->d * sizeof *f->slip);
        bool begins = f->begins[j] && f->grip[j] == LZB_SLIPS; /* else only seen, in a trial */
        if (!begins) {
            f->grip[j] = LZB_STICKS;
            held->place[held->count++] = (uint32_t)i;
        }
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
    f->stale = false;
    list_still(e);
    memset(f->sum, 0, f->contacts * (1 + f->d) * sizeof *f->sum);
    foresee(e, f->sum);
    crm_status status = begin(e, error);
    double moves = status == CRM_OK ? lzb_friction_hold(e, f->sum) : 0;
    memset(f->sum, 0, e->window.pressing * sizeof *f->sum);
    if (status != CRM_OK || lzb_friction_sticks(moves)) {
        return status;
    }
    size_t count = 0;
    for (size_t r = 0; r < held->count; r++) {
        const double *a = held->discs.a + r * f->d;
        if (size_of(a, f->d) > AT_REST * held->discs.size) {
            set_direction(f, e->window.member[held->place[r]].contact, a);
        } else {
            held->place[count++] = held->place[r];
        }
    }
    held->count = count;
    return begin(e, error);
}
