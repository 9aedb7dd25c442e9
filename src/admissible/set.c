/* The admissible set of a model and the velocities before. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "admissible/set.h"
#include "base/arithmetic.h"
#include "carom/lcp.h"

crm_admissible_def crm_admissible_def_default(void)
{
    return (crm_admissible_def){.energy_ratio = 1};
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static crm_status check_model(const crm_model *model, const double *velocity, const double *u,
                              crm_error *error)
{
    crm_status status = crm_ranges_check_impact(model, velocity, u, error);
    if (status != CRM_OK) {
        return status;
    }
    for (size_t j = 0; model->gap != NULL && j < model->contacts; j++) {
        if (model->gap[j] > 0) {
            return crm_fail(error, CRM_ERROR_MODEL, "gap",
                            "contact %zu is %g apart; the admissible set is known of contacts that "
                            "touch",
                            j + 1, model->gap[j]);
        }
    }
    if (!crm_model_has_delassus(model)) {
        return crm_fail(error, CRM_ERROR_MODEL, NULL,
                        "the Delassus matrix of the %zu contacts is too full to be stored, and the "
                        "admissible set needs it",
                        model->contacts);
    }
    return CRM_OK;
}

/* D, the problem without pinched contacts, and the iteration take about five matrices. */
static crm_status check_memory(const crm_admissible *set, crm_error *error)
{
    double bytes = 5.0 * (double)set->s * (double)set->s * sizeof(double);
    bool limited = set->watch.bytes > 0 && bytes > set->watch.bytes;
    return limited ? crm_fail_bytes(error, "the admissible set", bytes, set->watch.bytes) : CRM_OK;
}

/* ---- Making ---------------------------------------------------------------------------------- */

static bool take_arrays(crm_admissible *set)
{
    size_t s = set->s;
    set->velocity = CRM_NEW(double, set->n);
    set->u = CRM_NEW(double, 4 * s);
    set->d = CRM_NEW(double, s *s);
    set->pinched.is = CRM_NEW(bool, s);
    set->pinched.z = CRM_NEW(double, s);
    if (set->u != NULL) {
        set->root = set->u + s;
        set->plastic = set->root + s;
        set->work = set->plastic + s;
    }
    return set->velocity != NULL && set->u != NULL && set->d != NULL && set->pinched.is != NULL &&
           set->pinched.z != NULL;
}

static void fill(crm_admissible *set, double energy_ratio)
{
    const crm_model *model = set->model;
    set->energy_before = crm_model_kinetic_energy(model, set->velocity);
    crm_model_gap_velocity(model, set->velocity, set->u);
    set->allowed = (energy_ratio - 1) * set->energy_before;
    for (size_t j = 0; j < set->s; j++) {
        set->allowed += model->stored_energy[j];
        set->root[j] = sqrt(model->d_diagonal[j]);
    }
    for (size_t j = 0; j < set->s; j++) {
        size_t count;
        const uint32_t *column;
        const double *value;
        crm_model_delassus_row(model, j, &count, &column, &value);
        for (size_t k = 0; k < count; k++) {
            set->d[j * set->s + column[k]] = value[k] / (set->root[j] * set->root[column[k]]);
        }
        set->d[j * set->s + j] = 1;
        set->u[j] /= set->root[j];
    }
}

/* The plastic impact leaves the least energy among all p >= 0 with u+ >= 0: its conditions are
 * those of min u-'p + p'Dp/2 over p >= 0, and it has u+ >= 0.
 */
static crm_status solve_plastic(crm_admissible *set, crm_error *error)
{
    crm_lcp *lcp = NULL;
    crm_lcp_info info = {0};
    double *q = set->work;
    for (size_t j = 0; j < set->s; j++) {
        q[j] = set->u[j] * set->root[j];
    }
    crm_lcp_options options = crm_lcp_options_default();
    options.watch = set->watching.watch;
    crm_status status = crm_lcp_create_for_model(set->model, &lcp, error);
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, q, &options, set->plastic, NULL, &info, error);
    }
    crm_lcp_free(lcp);
    if (status == CRM_OK && info.result == CRM_LCP_NOT_TERMINATED) {
        return crm_watch_interrupts(&set->watching, CRM_WATCH_WORK)
                   ? crm_fail(error, CRM_ERROR_STOPPED, NULL, "interrupted")
                   : crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                              "the complementarity solver gave up at a relative residual of %.2g",
                              info.relative_residual);
    }
    if (status == CRM_OK && info.result == CRM_LCP_INFEASIBLE) {
        set->kind = CRM_ADMISSIBLE_EMPTY;
    }
    return status;
}

/* What is between the least energy and the one allowed: u-'p + p'Dp/2 = -p'Dp/2 = u-'p/2 at the
 * plastic impact.
 */
static void find_speed(crm_admissible *set)
{
    double least = 0;
    for (size_t j = 0; j < set->s; j++) {
        set->plastic[j] *= set->root[j];
        least += 0.5 * set->u[j] * set->plastic[j];
    }
    double room = set->allowed - least;
    set->speed = room > 0 ? sqrt(2 * room) : 0;
    set->kind = room > 0   ? CRM_ADMISSIBLE_REGION
                : room < 0 ? CRM_ADMISSIBLE_EMPTY
                           : CRM_ADMISSIBLE_SINGLE;
}

static crm_status build(crm_admissible *set, crm_error *error)
{
    double *h = CRM_NEW(double, set->s);
    crm_status status = h != NULL ? solve_plastic(set, error) : crm_fail_memory(error);
    if (status == CRM_OK && set->kind != CRM_ADMISSIBLE_EMPTY) {
        find_speed(set);
        status = crm_admissible_find_pinched(set, h, error);
    }
    if (status == CRM_OK && set->kind == CRM_ADMISSIBLE_REGION) {
        status = crm_admissible_reduce(set, h, error);
    }
    if (set->kind == CRM_ADMISSIBLE_REGION && set->program.m == 0) {
        set->kind = CRM_ADMISSIBLE_SINGLE;
    }
    free(h);
    return status;
}

crm_status crm_admissible_create(const crm_admissible_def *def, crm_admissible **set,
                                 crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(set, "set", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *set = NULL;
    if (crm_fail_if_null(def, "def", error) || crm_fail_if_null(def->model, "model", error) ||
        crm_fail_if_null(def->velocity, "velocity", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!(def->energy_ratio >= 0 && def->energy_ratio <= 1)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "energy_ratio",
                        "energy_ratio is %g, must be from 0 to 1", def->energy_ratio);
    }
    crm_admissible *made = CRM_NEW(crm_admissible, 1);
    if (made == NULL) {
        return crm_fail_memory(error);
    }
    made->model = def->model;
    made->n = def->model->coordinates;
    made->s = def->model->contacts;
    made->watch = def->watch != NULL ? *def->watch : (crm_watch){0};
    made->watching = crm_watch_begin(def->watch != NULL ? &made->watch : NULL);
    crm_status status = check_memory(made, error);
    if (status == CRM_OK && !take_arrays(made)) {
        status = crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        memcpy(made->velocity, def->velocity, made->n * sizeof *made->velocity);
        crm_model_gap_velocity(def->model, made->velocity, made->u);
        status = check_model(def->model, made->velocity, made->u, error);
    }
    if (status == CRM_OK) {
        fill(made, def->energy_ratio);
        status = build(made, error);
    }
    if (status == CRM_OK) {
        *set = made;
    } else {
        crm_admissible_free(made);
    }
    return status;
}

void crm_admissible_free(crm_admissible *set)
{
    if (set != NULL) {
        free(set->velocity);
        free(set->u);
        free(set->d);
        free(set->pinched.is);
        free(set->pinched.z);
        free(set->pinched.basis);
        free(set->pinched.factor);
        free(set->kept);
        free(set->scale);
        free(set->program.d);
        free(set->program.u);
        free(set);
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

crm_admissible_kind crm_admissible_kind_of(const crm_admissible *set)
{
    return set->kind;
}

const bool *crm_admissible_pinched(const crm_admissible *set)
{
    return set->pinched.is;
}
