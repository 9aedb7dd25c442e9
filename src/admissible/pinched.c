/* Contacts that are pinched, and the problem without them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "admissible/set.h"
#include "carom/lcp.h"

/* Entries of a direction z, whose largest is about 1, that are more than rounding. */
static const double PRESSES = 1e-9;
/* |R_j|^2 left of 1 after projection, up to which a contact is in the span of others. */
static const double DEPENDENT = 1e-11;
/* |M^-1/2 W z| / |z| up to which z moves nothing: z'Dz is rounding then, of which this is the root.
 */
static const double MOVES_NOTHING = 1e-7;
/* |h| from which on it may be along such a z. */
static const double SINGULAR = 1e10;
/* z'w-hat of walls beside its terms: 0. */
static const double RESTING = 1e-12;

/* ---- Which --------------------------------------------------------------------------------- */

/* Walls part along z: the body between them is free, though W z = 0. */
static crm_status check_walls(const crm_admissible *set, const double *direction, crm_error *error)
{
    double sum = 0, size = 0;
    for (size_t j = 0; j < set->s; j++) {
        double part = direction[j] * set->model->boundary_velocity[j] / set->root[j];
        sum += part;
        size += fabs(part);
    }
    if (fabs(sum) <= RESTING * size) {
        return CRM_OK;
    }
    return crm_fail(error, CRM_ERROR_MODEL, "boundary_velocity",
                    "moving walls release a body that they held from several sides; the admissible "
                    "set is known for walls that do not");
}

/* Whether the largest entries of h >= 0 move nothing. They become z, the others 0. */
static crm_status is_null(const crm_admissible *set, double *h, bool *null, crm_error *error)
{
    double most = 0, size = 0;
    double *impulse = CRM_NEW(double, set->s), *velocity = CRM_NEW(double, set->n);
    crm_status status = impulse != NULL && velocity != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t j = 0; j < set->s; j++) {
        most = fmax(most, h[j]);
    }
    for (size_t j = 0; j < set->s && status == CRM_OK; j++) {
        double part = h[j] / most > PRESSES ? h[j] / most : 0;
        impulse[j] = part / set->root[j];
        size += part;
    }
    if (status == CRM_OK) {
        status = crm_model_apply_impulse(set->model, impulse, velocity, error);
    }
    *null = status == CRM_OK &&
            sqrt(2 * crm_model_kinetic_energy(set->model, velocity)) <= MOVES_NOTHING * size;
    for (size_t j = 0; j < set->s && *null; j++) {
        h[j] = impulse[j] * set->root[j];
    }
    free(impulse);
    free(velocity);
    return status;
}

static crm_status fail_unresolved(crm_error *error)
{
    return crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                    "contacts depend on each other to the rounding of the Delassus matrix, but not "
                    "by their gradients: no bounds can be given");
}

/* Another z is in h. *found: with contacts that were not pinched before. */
static crm_status take_direction(crm_admissible *set, const crm_lcp_info *info, double *h,
                                 bool *found, crm_error *error)
{
    crm_status status = is_null(set, h, found, error);
    if (status == CRM_OK && *found) {
        status = check_walls(set, h, error);
    }
    bool more = false;
    for (size_t j = 0; j < set->s && *found; j++) {
        more |= h[j] > 0 && !set->pinched.is[j];
        set->pinched.is[j] |= h[j] > 0;
        set->pinched.z[j] += h[j];
    }
    *found = more;
    if (status == CRM_OK && !more && info->result != CRM_LCP_SOLVED) {
        status = fail_unresolved(error);
    }
    return status;
}

/* 0 <= h, D h - 1 >= 0, complementary, has a solution unless there is a z >= 0 with D z = 0, sum
 * of z > 0, and the solver then gives such a z; or, where rounding hides that D is singular, an h
 * beyond all measure along z. Contacts found are asked for nothing in the next attempt.
 */
static crm_status search(crm_admissible *set, crm_lcp *lcp, double *h, crm_error *error)
{
    size_t s = set->s;
    double *q = CRM_NEW(double, s);
    crm_status status = q != NULL ? CRM_OK : crm_fail_memory(error);
    crm_lcp_options options = crm_lcp_options_default();
    options.least_norm = false;
    for (bool again = true; again && status == CRM_OK;) {
        crm_lcp_info info;
        double most = 0;
        for (size_t j = 0; j < s; j++) {
            q[j] = set->pinched.is[j] ? 0 : -1;
        }
        status = crm_lcp_solve(lcp, q, &options, h, NULL, &info, error);
        for (size_t j = 0; j < s && status == CRM_OK; j++) {
            most = fmax(most, h[j]);
        }
        again = status == CRM_OK && (info.result != CRM_LCP_SOLVED || most > SINGULAR);
        if (again) {
            status = take_direction(set, &info, h, &again, error);
        }
    }
    free(q);
    return status;
}

static crm_status search_scaled(crm_admissible *set, double *h, crm_error *error)
{
    size_t s = set->s;
    crm_lcp *lcp = NULL;
    size_t *start = CRM_NEW(size_t, s + 1);
    uint32_t *column = CRM_NEW(uint32_t, s * s);
    crm_status status = start != NULL && column != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t i = 0; i < s && status == CRM_OK; i++) {
        start[i + 1] = start[i] + s;
        for (size_t j = 0; j < s; j++) {
            column[i * s + j] = (uint32_t)j;
        }
    }
    if (status == CRM_OK) {
        const crm_sparse_view view = {start, column, set->d};
        status = crm_lcp_create(s, &view, &lcp, error);
    }
    if (status == CRM_OK) {
        status = search(set, lcp, h, error);
    }
    crm_lcp_free(lcp);
    free(start);
    free(column);
    return status;
}

/* ---- A basis of them ------------------------------------------------------------------------ */

/* Cholesky with pivots: the contact that is least in the span of those before is next. `rest` is
 * |R_j|^2 outside the span; rows of the factor are kept for all contacts.
 */
static crm_status choose_basis(crm_admissible *set, crm_error *error)
{
    crm_pinched *p = &set->pinched;
    size_t s = set->s;
    double *row = CRM_NEW(double, s *s), *rest = CRM_NEW(double, s);
    p->basis = CRM_NEW(size_t, s);
    if (row == NULL || rest == NULL || p->basis == NULL) {
        free(row);
        free(rest);
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        rest[j] = 1;
    }
    for (;;) {
        size_t best = s;
        for (size_t j = 0; j < s; j++) {
            bool wanted = p->is[j] && rest[j] > DEPENDENT;
            best = wanted && (best == s || rest[j] > rest[best]) ? j : best;
        }
        if (best == s) {
            break;
        }
        size_t k = p->count++;
        p->basis[k] = best;
        double root = sqrt(rest[best]);
        for (size_t j = 0; j < s; j++) {
            double sum = set->d[best * s + j];
            for (size_t i = 0; i < k; i++) {
                sum -= row[best * s + i] * row[j * s + i];
            }
            row[j * s + k] = sum / root;
            rest[j] -= row[j * s + k] * row[j * s + k];
        }
        rest[best] = 0;
    }
    p->factor = CRM_NEW(double, p->count * p->count);
    for (size_t i = 0; i < p->count && p->factor != NULL; i++) {
        memcpy(p->factor + i * p->count, row + p->basis[i] * s, (i + 1) * sizeof *row);
    }
    free(row);
    free(rest);
    return p->factor != NULL ? CRM_OK : crm_fail_memory(error);
}

crm_status crm_admissible_find_pinched(crm_admissible *set, double *h, crm_error *error)
{
    crm_status status = search_scaled(set, h, error);
    return status == CRM_OK ? choose_basis(set, error) : status;
}

/* ---- Without them ---------------------------------------------------------------------------- */

/* D_BB^-1 of what `of` is in the contacts of the basis; `out` has their number. */
static void solve_basis(const crm_admissible *set, const double *of, double *out)
{
    const crm_pinched *p = &set->pinched;
    for (size_t i = 0; i < p->count; i++) {
        out[i] = of[p->basis[i]];
    }
    crm_admissible_solve_factor(p->factor, p->count, out);
}

static double coupled(const crm_admissible *set, size_t contact, const double *of_basis)
{
    double sum = 0;
    for (size_t i = 0; i < set->pinched.count; i++) {
        sum += set->d[contact * set->s + set->pinched.basis[i]] * of_basis[i];
    }
    return sum;
}

/* D~ = D - D_rB D_BB^-1 D_Br, of the contacts `kept`. `work`: s and the basis. */
static void project(const crm_admissible *set, size_t count, double *d, double *work)
{
    for (size_t i = 0; i < count; i++) {
        const double *row = set->d + set->kept[i] * set->s;
        solve_basis(set, row, work);
        for (size_t j = 0; j < count; j++) {
            d[i * count + j] = row[set->kept[j]] - coupled(set, set->kept[j], work);
        }
    }
}

/* Contacts that are neither pinched nor held by those that are. */
static void choose_kept(crm_admissible *set, double *work)
{
    size_t count = 0;
    for (size_t j = 0; j < set->s; j++) {
        const double *row = set->d + j * set->s;
        solve_basis(set, row, work);
        if (!set->pinched.is[j] && 1 - coupled(set, j, work) > DEPENDENT) {
            set->kept[count++] = j;
        }
    }
    set->program.m = count;
}

/* false: rounding has left no h. */
static bool scale_program(crm_admissible *set, const double *h, double *work)
{
    crm_program *p = &set->program;
    size_t m = p->m;
    double least = INFINITY, energy = 0;
    solve_basis(set, set->u, work);
    for (size_t i = 0; i < m; i++) {
        set->scale[i] = 1 / sqrt(p->d[i * m + i]);
        p->u[i] = (set->u[set->kept[i]] - coupled(set, set->kept[i], work)) * set->scale[i];
        p->h[i] = h[set->kept[i]] / set->scale[i];
    }
    for (size_t i = 0; i < set->pinched.count; i++) {
        energy += 0.5 * set->u[set->pinched.basis[i]] * work[i];
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            p->d[i * m + j] *= set->scale[i] * set->scale[j];
        }
    }
    for (size_t i = 0; i < m; i++) { /* D h >= 1 again, in this scale */
        double sum = 0;
        for (size_t j = 0; j < m; j++) {
            sum += p->d[i * m + j] * p->h[j];
        }
        least = fmin(least, sum);
    }
    for (size_t i = 0; i < m; i++) {
        p->h[i] /= least;
        p->u[i] /= set->speed;
        set->scale[i] *= set->speed;
    }
    p->limit = (set->allowed + energy) / (set->speed * set->speed);
    return least > 0;
}

/* From the plastic impact, at which t = 1/2, a way into the interior: along h, then along 1. */
static void start_inside(crm_admissible *set, double *work)
{
    crm_program *p = &set->program;
    size_t m = p->m;
    double *x = p->start, widest = 0;
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++) {
            sum += fabs(p->d[i * m + j]);
        }
        widest = fmax(widest, sum);
    }
    for (double part = 1; part > 0; part *= 0.5) {
        double energy = 0;
        for (size_t i = 0; i < m; i++) {
            double plastic = set->plastic[set->kept[i]] / set->scale[i];
            x[i] = plastic + part * (p->h[i] + 0.5 / widest);
        }
        for (size_t i = 0; i < m; i++) {
            work[i] = 0;
            for (size_t j = 0; j < m; j++) {
                work[i] += p->d[i * m + j] * x[j];
            }
            energy += x[i] * (p->u[i] + 0.5 * work[i]);
        }
        if (p->limit - energy >= 0.25) {
            break;
        }
    }
}

crm_status crm_admissible_reduce(crm_admissible *set, const double *h, crm_error *error)
{
    crm_program *p = &set->program;
    size_t s = set->s;
    double *work = CRM_NEW(double, s);
    bool good = true;
    set->kept = CRM_NEW(size_t, s);
    set->scale = CRM_NEW(double, s);
    if (work == NULL || set->kept == NULL || set->scale == NULL) {
        free(work);
        return crm_fail_memory(error);
    }
    choose_kept(set, work);
    p->d = CRM_NEW(double, p->m * p->m);
    p->u = CRM_NEW(double, 3 * p->m);
    if (p->d != NULL && p->u != NULL) {
        p->start = p->u + p->m;
        p->h = p->start + p->m;
        project(set, p->m, p->d, work);
        good = scale_program(set, h, work);
        start_inside(set, work);
    }
    free(work);
    if (p->d == NULL || p->u == NULL) {
        return crm_fail_memory(error);
    }
    if (!good) {
        return fail_unresolved(error);
    }
    return crm_admissible_find_centre(p, &set->watching, error);
}

/* ---- Between the two ------------------------------------------------------------------------- */

double crm_admissible_reduce_linear(crm_admissible *set, const double *c, double *of_x)
{
    const crm_pinched *p = &set->pinched;
    double constant = 0;
    solve_basis(set, c, set->work);
    for (size_t i = 0; i < set->program.m; i++) {
        size_t j = set->kept[i];
        of_x[i] = (c[j] - coupled(set, j, set->work)) * set->scale[i];
    }
    for (size_t i = 0; i < p->count; i++) {
        constant -= set->u[p->basis[i]] * set->work[i];
    }
    return constant;
}

void crm_admissible_expand(crm_admissible *set, const double *x, double *p)
{
    const crm_pinched *pinched = &set->pinched;
    double *at_basis = set->work, more = 0;
    memset(p, 0, set->s * sizeof *p);
    for (size_t i = 0; i < set->program.m; i++) {
        p[set->kept[i]] = set->scale[i] * x[i];
    }
    for (size_t i = 0; i < pinched->count; i++) {
        const double *row = set->d + pinched->basis[i] * set->s;
        at_basis[i] = -set->u[pinched->basis[i]];
        for (size_t k = 0; k < set->program.m; k++) {
            at_basis[i] -= row[set->kept[k]] * p[set->kept[k]];
        }
    }
    crm_admissible_solve_factor(pinched->factor, pinched->count, at_basis);
    for (size_t i = 0; i < pinched->count; i++) {
        size_t j = pinched->basis[i];
        p[j] = at_basis[i];
        more = fmax(more, -p[j] / pinched->z[j]);
    }
    for (size_t j = 0; j < set->s; j++) {
        p[j] = (p[j] + more * pinched->z[j]) / set->root[j];
    }
}
