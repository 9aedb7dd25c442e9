/* Problems with friction: u = D r + q and Coulomb's law between r and u at every contact.
 *
 * In the expansion of Poisson's law normal impulses g >= 0 are given; z >= 0 may come on top, and
 * friction is of both: |Q| <= mu (z + g), opposite to u_t. That is friction of two contacts in the
 * same directions, Q = Q_1 + Q_2 with |Q_1| <= mu z and |Q_2| <= mu g, each opposite to u_t. The
 * second is a contact with a normal of its own, which moves nothing else: with D_nn > 0 and
 * q_n = -D_nn g alone in its row it carries r_n = g. So each contact with g > 0 gets a *double*,
 * and the problem is one of Coulomb's law again.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "law/complementarity/stages/stages.h"

/* Contacts whose tangential part of an impossible demand is less, relative, do not wedge. */
static const double NO_FRICTION = 1e-9;
/* Speeds of contacts beyond this are not computed with (carom/coulomb.h). */
static const double MOST_SPEED = 1e150;
/* Residual that is wanted; what rounding of D r + q allows is enough (docs/coulomb.md). */
static const double RESIDUAL = 1e-14;
/* |Q| below this part of mu P sticks. */
static const double ON_THE_CONE = 1 - 1e-12;

/* ---- The problem ----------------------------------------------------------------------------- */

/* What the solver gets: contacts and then doubles, their components one after another. */
typedef struct cone_problem {
    size_t dim, contacts, doubles;
    uint32_t *original; /* contacts + doubles: of which contact each is */
    uint32_t *twin;     /* contacts: its double; itself: it has none */
    crm_sparse_view d;
    double *q, *r, *u, *mu;
} cone_problem;

/* Where the arrays of stages have component `a` of a contact. */
static size_t entry_of(const crm_stages *stages, size_t contact, size_t a)
{
    size_t s = stages->outcome->contacts;
    return a == 0 ? contact : s + contact * stages->outcome->tangents + a - 1;
}

static double pressed(const crm_stages *stages, size_t contact)
{
    return stages->pressed != NULL ? stages->pressed[contact].high : 0;
}

static crm_status take_problem(const crm_stages *stages, cone_problem *c, crm_error *error)
{
    size_t s = stages->outcome->contacts;
    crm_pool *pool = stages->problem->pool;
    *c = (cone_problem){.dim = 1 + stages->outcome->tangents, .contacts = s};
    c->original = CRM_TAKE(pool, uint32_t, 3 * s);
    if (c->original == NULL) {
        return crm_fail_memory(error);
    }
    c->twin = c->original + 2 * s;
    for (size_t j = 0; j < s; j++) {
        c->original[j] = c->twin[j] = (uint32_t)j;
        if (pressed(stages, j) > 0) {
            c->twin[j] = (uint32_t)(s + c->doubles);
            c->original[s + c->doubles++] = (uint32_t)j;
        }
    }
    size_t all = s + c->doubles, size = all * c->dim;
    double *values = CRM_TAKE(pool, double, 3 * size + all);
    c->q = values;
    c->r = values + size;
    c->u = values + 2 * size;
    c->mu = values + 3 * size;
    return values != NULL ? CRM_OK : crm_fail_memory(error);
}

/* Column `c` of contact or double i: D of its original, in the rows of each contact and, but for
 * normals, of its double.
 */
typedef struct column_writer {
    const cone_problem *problem;
    const crm_model *directions;
    size_t *start;
    uint32_t *row;
    double *value;
    size_t count;
} column_writer;

static void add_entry(column_writer *to, size_t row, double value)
{
    to->row[to->count] = (uint32_t)row;
    to->value[to->count++] = value;
}

static void add_column(column_writer *to, size_t i, size_t a)
{
    const cone_problem *c = to->problem;
    const crm_model *all = to->directions;
    size_t from = c->original[i] * c->dim + a;
    bool alone = i >= c->contacts && a == 0;
    if (alone) {
        add_entry(to, i * c->dim, all->d_diagonal[from]);
    }
    for (size_t k = all->d_start[from]; k < all->d_start[from + 1] && !alone; k++) {
        size_t other = all->d_column[k] / c->dim, b = all->d_column[k] % c->dim;
        add_entry(to, all->d_column[k], all->d_value[k]);
        if (b > 0 && c->twin[other] != other) {
            add_entry(to, c->twin[other] * c->dim + b, all->d_value[k]);
        }
    }
    to->start[i * c->dim + a + 1] = to->count;
}

static crm_status fill_matrix(const crm_stages *stages, cone_problem *c, crm_error *error)
{
    const crm_model *all = stages->problem->model->directions;
    crm_pool *pool = stages->problem->pool;
    if (c->doubles == 0) {
        c->d = (crm_sparse_view){all->d_start, all->d_column, all->d_value};
        return CRM_OK;
    }
    size_t size = (c->contacts + c->doubles) * c->dim;
    size_t room = 4 * all->d_start[c->contacts * c->dim] + c->doubles;
    column_writer to = {.problem = c,
                        .directions = all,
                        .start = CRM_TAKE(pool, size_t, size + 1),
                        .row = CRM_TAKE(pool, uint32_t, room),
                        .value = CRM_TAKE(pool, double, room)};
    if (to.start == NULL || to.row == NULL || to.value == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < c->contacts + c->doubles; i++) {
        for (size_t a = 0; a < c->dim; a++) {
            add_column(&to, i, a);
        }
    }
    c->d = (crm_sparse_view){to.start, to.row, to.value};
    return CRM_OK;
}

static void fill_right_side(const crm_stages *stages, const crm_twofold *q, cone_problem *c)
{
    const crm_model *model = stages->problem->model;
    for (size_t i = 0; i < c->contacts + c->doubles; i++) {
        size_t j = c->original[i];
        for (size_t a = 0; a < c->dim; a++) {
            c->q[i * c->dim + a] = q[entry_of(stages, j, a)].high;
        }
        if (i >= c->contacts) {
            c->q[i * c->dim] = -model->directions->d_diagonal[j * c->dim] * pressed(stages, j);
        }
        c->mu[i] = model->friction[j];
    }
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* A contact and its double are one. w is 0 where an impulse acts or the contact sticks. */
static void gather_answer(const crm_stages *stages, cone_problem *c, crm_twofold *p, crm_twofold *w)
{
    for (size_t j = 0; j < c->contacts; j++) {
        double *r = c->r + j * c->dim, friction = 0;
        const double *other = c->r + c->twin[j] * c->dim;
        for (size_t a = 1; a < c->dim; a++) {
            r[a] += c->twin[j] != j ? other[a] : 0;
            friction = crm_hypot(friction, r[a]);
        }
        bool sticks = friction < ON_THE_CONE * c->mu[j] * (r[0] + pressed(stages, j));
        for (size_t a = 0; a < c->dim; a++) {
            bool zero = a == 0 ? r[0] > 0 : sticks;
            p[entry_of(stages, j, a)] = crm_twofold_of(r[a]);
            w[entry_of(stages, j, a)] = crm_twofold_of(zero ? 0 : c->u[j * c->dim + a]);
        }
        r[0] += pressed(stages, j);
    }
}

/* What is unique is found with D alone. A proof for that holds of the problem with doubles, too:
 * for two of its answers sum (r - r')'(u - u') is bounded in the same way (coulomb/unique.c).
 */
static void judge_choice(crm_stages *stages, const cone_problem *c, const crm_coulomb_info *info)
{
    if (stages->pressed == NULL) {
        stages->unique = info->unique;
    }
    stages->outcome->tangential_unique &=
        !crm_coulomb_shares_friction(stages->cones->solver[CRM_CONES_OWN], c->mu, c->r);
}

/* ---- No answer ------------------------------------------------------------------------------- */

static void refuse(const crm_stages *stages, const crm_coulomb_info *info, const cone_problem *c,
                   crm_twofold *p)
{
    crm_outcome *outcome = stages->outcome;
    if (info->result == CRM_COULOMB_NOT_TERMINATED) {
        outcome->result = CRM_NOT_TERMINATED;
        crm_snprintf(outcome->reason, sizeof outcome->reason,
                     "the solver of Coulomb's law gave up after %zu steps, at a relative residual "
                     "of %.2g",
                     info->sweeps + info->iterations, info->residual);
        return;
    }
    double friction = 0, normal = 0;
    for (size_t j = 0; j < c->contacts; j++) {
        for (size_t a = 0; a < c->dim; a++) {
            double size = fabs(c->r[j * c->dim + a]);
            friction = a > 0 ? fmax(friction, size) : friction;
            normal = a == 0 ? fmax(normal, size) : normal;
        }
        p[j] = crm_twofold_of(c->r[j * c->dim]);
    }
    crm_stages_refuse_infeasible(
        stages->problem->model, p,
        friction <= NO_FRICTION * normal ? "cannot all part as fast as it demands" : "wedge",
        outcome);
    memset(p, 0, stages->entries * sizeof *p);
}

/* ---- All together ---------------------------------------------------------------------------- */

crm_status crm_stages_begin_friction(crm_stages *stages, crm_error *error)
{
    (void)error;
    stages->cones = stages->problem->kept;
    stages->searched = true; /* D of contacts with friction is taken as it is */
    return CRM_OK;
}

static bool is_too_large(const cone_problem *c)
{
    for (size_t i = 0; i < (c->contacts + c->doubles) * c->dim; i++) {
        if (!(fabs(c->q[i]) <= MOST_SPEED)) {
            return true;
        }
    }
    return false;
}

static crm_status solve_cones(crm_stages *stages, cone_problem *c, crm_coulomb_info *info,
                              crm_error *error)
{
    crm_cones_use use = stages->pressed != NULL ? CRM_CONES_PRESSED : CRM_CONES_OWN;
    crm_coulomb_options options = crm_coulomb_options_default();
    options.tolerance = RESIDUAL;
    options.check_unique = use == CRM_CONES_OWN;
    crm_status status =
        crm_cones_make(stages->cones, use, c->contacts + c->doubles, c->dim, &c->d, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_coulomb *solver = stages->cones->solver[use];
    crm_coulomb_watch(solver, stages->problem->watching);
    status = crm_coulomb_solve(solver, c->q, c->mu, &options, c->r, c->u, info, error);
    crm_coulomb_watch(solver, NULL);
    return status;
}

crm_status crm_stages_solve_friction(crm_stages *stages, const crm_twofold *q, crm_twofold *p,
                                     crm_twofold *w, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    cone_problem c;
    crm_coulomb_info info;
    crm_status status = take_problem(stages, &c, error);
    if (status == CRM_OK) {
        status = fill_matrix(stages, &c, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    fill_right_side(stages, q, &c);
    if (is_too_large(&c)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the velocities are too large to be computed with");
        return CRM_OK;
    }
    status = solve_cones(stages, &c, &info, error);
    if (status != CRM_OK) {
        return status;
    }
    outcome->steps += info.sweeps + info.iterations;
    outcome->error_estimate = fmax(outcome->error_estimate, fmax(info.residual, DBL_EPSILON));
    if (info.result == CRM_COULOMB_INFEASIBLE) {
        refuse(stages, &info, &c, p);
        memcpy(w, q, stages->entries * sizeof *w);
        return CRM_OK;
    }
    gather_answer(stages, &c, p, w);
    if (info.result == CRM_COULOMB_SOLVED) {
        judge_choice(stages, &c, &info);
    } else {
        refuse(stages, &info, &c, p);
    }
    return CRM_OK;
}

void crm_stages_push_friction(const crm_stages *stages, const crm_twofold *p, crm_twofold *w)
{
    const crm_model *all = stages->problem->model->directions;
    size_t dim = 1 + stages->outcome->tangents;
    for (size_t i = 0; i < all->contacts; i++) {
        crm_twofold *to = &w[entry_of(stages, i / dim, i % dim)];
        for (size_t k = all->d_start[i]; k < all->d_start[i + 1]; k++) {
            size_t column = all->d_column[k];
            crm_twofold by = p[entry_of(stages, column / dim, column % dim)];
            *to = crm_twofold_add_product(*to, crm_twofold_of(all->d_value[k]), by);
        }
    }
}
