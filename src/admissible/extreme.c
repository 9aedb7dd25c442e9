/* Extremes of quantities over the admissible set.
 *
 * T+ = T- + (u- - w-hat)'p + p'Dp/2, w-hat the prescribed velocities. Its least value is a convex
 * programme, at rest walls that of the plastic impact. Its greatest, at rest walls, is T- + E0:
 * from the plastic impact along h, D h >= 1, p and u+ stay >= 0 and the energy grows without bound,
 * so that it passes through all that is allowed. With moving walls that way gives a value that is
 * attained, and the bound is T- + E0 plus the greatest work of the walls.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "admissible/set.h"
#include "base/arithmetic.h"
#include "model/impulse.h"

/* c'z beside its terms: 0. */
static const double INDIFFERENT = 1e-9;

/* theta (u-'p + p'Dp/2) + c'p + constant, c by pi. */
typedef struct objective {
    double theta, constant;
    double *c;
} objective;

/* ---- Objectives ------------------------------------------------------------------------------ */

/* velocity'(v- + M^-1 W p): c = W'M^-1 velocity. */
static crm_status add_velocity(const crm_admissible *set, const double *weight, double sign,
                               objective *f, crm_error *error)
{
    const crm_model *model = set->model;
    double *x = crm_memory_copy_doubles(weight, set->n);
    if (x == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < set->n; i++) {
        f->constant += sign * weight[i] * set->velocity[i];
    }
    crm_status status = crm_mass_solve(&model->mass, x, error);
    for (size_t j = 0; j < set->s && status == CRM_OK; j++) {
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            f->c[j] += sign * model->w_value[k] * x[model->w_row[k]] / set->root[j];
        }
    }
    free(x);
    return status;
}

/* sign times the quantity. */
static crm_status make_objective(const crm_admissible *set, const crm_admissible_quantity *quantity,
                                 double sign, objective *f, crm_error *error)
{
    f->constant = sign * quantity->constant;
    for (size_t j = 0; quantity->impulse != NULL && j < set->s; j++) {
        f->c[j] += sign * quantity->impulse[j] / set->root[j];
    }
    if (quantity->energy > 0) {
        f->theta = quantity->energy;
        f->constant += quantity->energy * set->energy_before;
        for (size_t j = 0; j < set->s; j++) {
            f->c[j] -= quantity->energy * set->model->boundary_velocity[j] / set->root[j];
        }
    }
    return quantity->velocity != NULL ? add_velocity(set, quantity->velocity, sign, f, error)
                                      : CRM_OK;
}

/* How the objective changes along the impulses that nothing bounds: 0, or the sign of the change;
 * NAN: of both.
 */
static double drift(const crm_admissible *set, const objective *f)
{
    double least = 0, most = 0, size = 0, sum = 0;
    for (size_t j = 0; j < set->s; j++) {
        double part = f->c[j] * set->pinched.z[j];
        size = fmax(size, fabs(part));
        sum += part;
        least = fmin(least, part);
        most = fmax(most, part);
    }
    return fabs(sum) <= INDIFFERENT * size ? 0 : sum > 0 ? 1 : -1;
}

/* ---- The least of an objective --------------------------------------------------------------- */

static double value_of(const crm_admissible *set, const objective *f, const double *p,
                       const double *change)
{
    double sum = f->constant;
    for (size_t j = 0; j < set->s; j++) {
        double pi = p[j] * set->root[j];
        sum += f->c[j] * pi + f->theta * pi * (set->u[j] + 0.5 * change[j]);
    }
    return sum;
}

/* The largest violation of p, in the speed that energies make. `change`: D pi, to be filled. */
static double violation_of(const crm_admissible *set, const double *p, double *change)
{
    double worst = 0, energy = 0, scale = set->speed;
    for (size_t j = 0; j < set->s; j++) {
        change[j] = 0;
        for (size_t k = 0; k < set->s; k++) {
            change[j] += set->d[j * set->s + k] * p[k] * set->root[k];
        }
        double pi = p[j] * set->root[j];
        worst = fmax(worst, fmax(-pi, -(set->u[j] + change[j])));
        energy += pi * (set->u[j] + 0.5 * change[j]);
    }
    double over = energy - set->allowed;
    if (!(scale > 0)) {
        return 0;
    }
    return fmax(fmax(worst / scale, over / (scale * scale)), 0);
}

static crm_status minimise(crm_admissible *set, const objective *f, crm_extreme *extreme, double *p,
                           crm_error *error)
{
    size_t m = set->program.m;
    double *x = CRM_NEW(double, m + set->s), value, bound;
    if (x == NULL) {
        return crm_fail_memory(error);
    }
    double *c = x + m;
    double constant = crm_admissible_reduce_linear(set, f->c, c) + f->constant;
    double unit = set->speed * set->speed;
    /* u-'p + p'Dp/2 = allowed - t unit, with t = limit - ... of the reduced problem */
    constant += f->theta * (set->allowed - set->program.limit * unit);
    crm_status status = crm_admissible_minimise(&set->program, f->theta * unit, c, &set->watching,
                                                x, &value, &bound, error);
    if (status == CRM_OK) {
        crm_admissible_expand(set, x, p);
        extreme->bound = constant + bound;
    }
    free(x);
    return status;
}

/* The only outcome there is. */
static void take_single(const crm_admissible *set, double *p)
{
    for (size_t j = 0; j < set->s; j++) {
        p[j] = set->plastic[j] / set->root[j];
    }
}

static crm_status find_least(crm_admissible *set, const objective *f, crm_extreme *extreme,
                             double *p, crm_error *error)
{
    double along = drift(set, f);
    crm_status status = CRM_OK;
    bool single = set->kind == CRM_ADMISSIBLE_SINGLE;
    if (single || along != 0) {
        take_single(set, p);
    } else {
        status = minimise(set, f, extreme, p, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    double *change = set->work;
    extreme->violation = violation_of(set, p, change);
    extreme->value = value_of(set, f, p, change);
    if (single && along == 0) {
        extreme->bound = extreme->value;
    } else if (along != 0) {
        extreme->value = along < 0 ? -INFINITY : NAN;
        extreme->bound = -INFINITY;
    }
    return CRM_OK;
}

/* ---- The greatest energy --------------------------------------------------------------------- */

/* From the plastic impact along h to t = 0: a root of a quadratic. */
static void walk_out(crm_admissible *set, double *x)
{
    const crm_program *p = &set->program;
    double b = 0, a = 0, energy = 0;
    for (size_t i = 0; i < p->m; i++) {
        x[i] = set->plastic[set->kept[i]] / set->scale[i];
    }
    for (size_t i = 0; i < p->m; i++) {
        double of_x = 0, of_h = 0;
        for (size_t j = 0; j < p->m; j++) {
            of_x += p->d[i * p->m + j] * x[j];
            of_h += p->d[i * p->m + j] * p->h[j];
        }
        energy += x[i] * (p->u[i] + 0.5 * of_x);
        b += p->h[i] * (p->u[i] + of_x);
        a += p->h[i] * of_h;
    }
    double t = fmax(p->limit - energy, 0);
    double k = 2 * t / (b + sqrt(b * b + 2 * a * t));
    for (size_t i = 0; i < p->m; i++) {
        x[i] += k * p->h[i];
    }
}

static crm_status find_most_energy(crm_admissible *set, double weight, crm_extreme *extreme,
                                   double *p, crm_error *error)
{
    objective work = {.c = CRM_NEW(double, set->s)};
    double *x = CRM_NEW(double, set->program.m);
    crm_status status = work.c != NULL && x != NULL ? CRM_OK : crm_fail_memory(error);
    bool moves = false;
    if (status == CRM_OK) {
        for (size_t j = 0; j < set->s; j++) { /* that the walls do not do */
            work.c[j] = set->model->boundary_velocity[j] / set->root[j];
            moves |= work.c[j] != 0;
        }
        extreme->bound = 0;
    }
    if (status == CRM_OK && moves) {
        status = find_least(set, &work, extreme, p, error);
    }
    if (status == CRM_OK) {
        if (set->kind == CRM_ADMISSIBLE_SINGLE) {
            take_single(set, p);
        } else {
            walk_out(set, x);
            crm_admissible_expand(set, x, p);
        }
        extreme->violation = violation_of(set, p, set->work);
        objective energy = {.theta = 1, .constant = set->energy_before, .c = work.c};
        for (size_t j = 0; j < set->s; j++) {
            energy.c[j] = -energy.c[j];
        }
        extreme->value = weight * value_of(set, &energy, p, set->work);
        extreme->bound = weight * (set->energy_before + set->allowed - extreme->bound);
        if (set->kind == CRM_ADMISSIBLE_SINGLE) {
            extreme->bound = extreme->value;
        }
    }
    free(work.c);
    free(x);
    return status;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static crm_status check(const crm_admissible *set, const crm_admissible_quantity *quantity,
                        const crm_extreme *extreme, crm_error *error)
{
    if (crm_fail_if_null(set, "set", error) || crm_fail_if_null(quantity, "quantity", error) ||
        crm_fail_if_null(extreme, "extreme", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (set->kind == CRM_ADMISSIBLE_EMPTY) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "set",
                        "no outcome is admissible: the set is "
                        "empty");
    }
    bool linear = quantity->velocity != NULL || quantity->impulse != NULL;
    if (!(quantity->energy >= 0) || (quantity->energy > 0 && linear)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "quantity",
                        "a quantity is the energy times a number that is not negative, or linear "
                        "in velocities and impulses, and not both");
    }
    return CRM_OK;
}

static crm_status move_by(const crm_admissible *set, const double *p, double *v, crm_error *error)
{
    memcpy(v, set->velocity, set->n * sizeof *v);
    return crm_model_apply_impulse(set->model, p, v, error);
}

/* sign 1: the least; -1: the greatest, as the least of what is opposite. */
static crm_status find(crm_admissible *set, const crm_admissible_quantity *quantity, double sign,
                       crm_extreme *extreme, double *p, double *v, crm_error *error)
{
    crm_status status = check(set, quantity, extreme, error);
    if (status != CRM_OK) {
        return status;
    }
    *extreme = (crm_extreme){.value = NAN, .bound = NAN};
    set->watching = crm_watch_begin(set->watching.watch);
    objective f = {.c = CRM_NEW(double, 2 * set->s)};
    if (f.c == NULL) {
        return crm_fail_memory(error);
    }
    double *impulse = p != NULL ? p : f.c + set->s;
    if (sign < 0 && quantity->energy > 0) {
        status = find_most_energy(set, quantity->energy, extreme, impulse, error);
        extreme->value += quantity->constant;
        extreme->bound += quantity->constant;
        sign = 1;
    } else {
        status = make_objective(set, quantity, sign, &f, error);
        status = status == CRM_OK ? find_least(set, &f, extreme, impulse, error) : status;
    }
    extreme->value *= sign;
    extreme->bound *= sign;
    if (status == CRM_OK && v != NULL) {
        status = move_by(set, impulse, v, error);
    }
    free(f.c);
    return status;
}

crm_status crm_admissible_least(crm_admissible *set, const crm_admissible_quantity *quantity,
                                crm_extreme *extreme, double *p, double *v, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return find(set, quantity, 1, extreme, p, v, error);
}

crm_status crm_admissible_most(crm_admissible *set, const crm_admissible_quantity *quantity,
                               crm_extreme *extreme, double *p, double *v, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return find(set, quantity, -1, extreme, p, v, error);
}

/* (p - o)'D(p - o)/2 = (u-'p + p'Dp/2) - u_o+'p + o'Do/2 */
crm_status crm_admissible_distance(crm_admissible *set, const double *p, crm_extreme *distance,
                                   crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    static const crm_admissible_quantity nothing = {0};
    crm_status status = check(set, &nothing, distance, error);
    if (status != CRM_OK || crm_fail_if_null(p, "p", error)) {
        return status != CRM_OK ? status : CRM_ERROR_ARGUMENT;
    }
    size_t s = set->s;
    objective f = {.theta = 1, .c = CRM_NEW(double, 2 * s)};
    if (f.c == NULL) {
        return crm_fail_memory(error);
    }
    set->watching = crm_watch_begin(set->watching.watch);
    for (size_t j = 0; j < s; j++) {
        double sum = 0;
        for (size_t k = 0; k < s; k++) {
            sum += set->d[j * s + k] * p[k] * set->root[k];
        }
        f.c[j] = -(set->u[j] + sum);
        f.constant += 0.5 * p[j] * set->root[j] * sum;
    }
    *distance = (crm_extreme){.value = NAN, .bound = NAN};
    status = find_least(set, &f, distance, f.c + s, error);
    distance->value = sqrt(fmax(distance->value, 0) / set->energy_before);
    distance->bound = sqrt(fmax(distance->bound, 0) / set->energy_before);
    free(f.c);
    return status;
}
