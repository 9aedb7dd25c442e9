/* Whether the law has other answers, with friction in the plane: by trying all combinations of
 * modes, for Poisson's law in expansion for each answer of compression.
 */
#include <math.h>
#include <string.h>

#include "coulomb/plane.h"
#include "law/complementarity/stages/stages.h"
#include "model/impulse.h"

/* Contacts for which it is decided unasked; the work grows like 4^contacts. */
enum { DECIDED_UNASKED = 3, LISTED = 8 };
/* Speeds and impulses of which two are different answers. */
static const double DIFFERENT = 1e-7;
/* Velocities that are written as 0. */
static const double NOTHING = 1e-12;

typedef struct listing {
    const crm_stages *stages;
    crm_plane first, second;
    crm_plane_answers begun, ended;
    crm_plane_answers all; /* of the law; r of all impulses together */
    double speed;
} listing;

static void add_total(listing *l, const double *before, const double *r, const double *u)
{
    crm_plane_answers *all = &l->all;
    size_t rows = 2 * l->first.contacts;
    for (size_t k = 0; k < all->count; k++) {
        double apart = 0;
        for (size_t i = 0; i < rows; i++) {
            apart = fmax(apart, fabs(all->u[k][i] - u[i]));
        }
        if (apart <= DIFFERENT * l->speed) {
            return;
        }
    }
    if (all->count == CRM_PLANE_ANSWERS) {
        all->complete = false;
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        all->r[all->count][i] = r[i] + (before != NULL ? before[i] : 0);
    }
    memcpy(all->u[all->count++], u, rows * sizeof *u);
}

/* Expansion after answer k of compression. */
static void expand(listing *l, size_t k, const double *restitution)
{
    l->second = l->first;
    memcpy(l->second.q, l->begun.u[k], sizeof l->second.q);
    for (size_t j = 0; j < l->first.contacts; j++) {
        l->second.pressed[j] = restitution[j] * l->begun.r[k][2 * j];
    }
    crm_plane_find(&l->second, &l->ended);
    l->all.complete &= l->ended.complete;
    l->all.normals_differ |= l->ended.normals_differ;
    for (size_t m = 0; m < l->ended.count; m++) {
        add_total(l, l->begun.r[k], l->ended.r[m], l->ended.u[m]);
    }
}

static void find_all(listing *l, const double *restitution)
{
    crm_plane_find(&l->first, &l->begun);
    l->all.complete = l->begun.complete;
    l->all.normals_differ = l->begun.normals_differ;
    for (size_t k = 0; k < l->begun.count; k++) {
        if (restitution != NULL) {
            expand(l, k, restitution);
        } else {
            add_total(l, NULL, l->begun.r[k], l->begun.u[k]);
        }
    }
    /* What compression leaves open changes what expansion returns. */
    l->all.complete &= restitution == NULL || !l->begun.normals_differ;
    l->all.complete &= l->all.count > 0;
}

static void fill(listing *l, const crm_twofold *q)
{
    const crm_model *model = l->stages->problem->model, *all = model->directions;
    size_t s = model->contacts;
    l->first.contacts = s;
    for (size_t i = 0; i < 2 * s; i++) {
        for (size_t k = all->d_start[i]; k < all->d_start[i + 1]; k++) {
            l->first.d[i][all->d_column[k]] = all->d_value[k];
        }
        l->first.q[i] = q[i % 2 == 0 ? i / 2 : s + i / 2].high;
        l->first.mu[i / 2] = model->friction[i / 2];
        l->speed = fmax(l->speed, fabs(l->first.q[i]));
    }
}

/* ---- What is said of it ---------------------------------------------------------------------- */

static crm_status list_others(const listing *l, size_t own, crm_error *error)
{
    const crm_problem *problem = l->stages->problem;
    crm_outcome *outcome = l->stages->outcome;
    size_t n = outcome->coordinates, listed = 0;
    double *v = CRM_TAKE(problem->pool, double, 3 * n);
    crm_status status = v != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t k = 0; k < l->all.count && status == CRM_OK && listed < LISTED; k++) {
        if (k == own) {
            continue;
        }
        memcpy(v, problem->velocity, n * sizeof *v);
        status = crm_model_add_impulse(problem->model->directions, l->all.r[k], v, v + n, error);
        crm_note_continue(outcome, listed++ == 0 ? ": (" : ", (");
        for (size_t i = 0; i < n && status == CRM_OK; i++) {
            crm_note_continue(outcome, i == 0 ? "%.6g" : " %.6g",
                              fabs(v[i]) <= NOTHING * l->speed ? 0 : v[i]);
        }
        crm_note_continue(outcome, ")");
    }
    return status;
}

/* The answer that is the outcome's. */
static size_t find_own(const listing *l)
{
    const crm_outcome *outcome = l->stages->outcome;
    size_t own = 0;
    double nearest = INFINITY;
    for (size_t k = 0; k < l->all.count; k++) {
        double apart = 0;
        for (size_t i = 0; i < 2 * l->first.contacts; i++) {
            double r = i % 2 == 0 ? outcome->impulse[i / 2] : outcome->tangential_impulse[i / 2];
            apart += fabs(l->all.r[k][i] - r);
        }
        if (apart < nearest) {
            nearest = apart;
            own = k;
        }
    }
    return own;
}

static crm_status say(const listing *l, crm_error *error)
{
    crm_outcome *outcome = l->stages->outcome;
    size_t count = l->all.count;
    if (count < 2) {
        return CRM_OK;
    }
    crm_note_add(outcome, "The law allows %s%zu velocities after this impact",
                 l->all.complete ? "" : "at least ", count);
    crm_status status = CRM_OK;
    if (l->stages->every_answer) {
        crm_note_continue(outcome, "; the others are");
        status = list_others(l, find_own(l), error);
    } else {
        crm_note_continue(outcome, " (answers: all)");
    }
    crm_note_continue(outcome, ".");
    return status;
}

static crm_status check_size(const crm_stages *stages, crm_error *error)
{
    const crm_outcome *outcome = stages->outcome;
    if (outcome->tangents == 1 && outcome->contacts <= CRM_PLANE_CONTACTS) {
        return CRM_OK;
    }
    return crm_fail(error, CRM_ERROR_OPTION, "answers",
                    "law %s finds all answers with friction in the plane, of up to %d contacts; "
                    "there are %zu, %s",
                    outcome->law->name, (int)CRM_PLANE_CONTACTS, outcome->contacts,
                    outcome->tangents == 1 ? "in the plane" : "in space");
}

static crm_status enumerate(crm_stages *stages, const crm_twofold *q, const double *restitution,
                            crm_coulomb_unique *unique, crm_error *error)
{
    listing *l = CRM_TAKE(stages->problem->pool, listing, 1);
    if (l == NULL) {
        return crm_fail_memory(error);
    }
    l->stages = stages;
    fill(l, q);
    find_all(l, restitution);
    if (l->all.count > 1 || l->all.normals_differ) {
        *unique = CRM_COULOMB_NOT_UNIQUE;
    } else if (l->all.complete) {
        *unique = CRM_COULOMB_UNIQUE;
    }
    return say(l, error);
}

crm_status crm_stages_judge_answers(crm_stages *stages, const crm_twofold *q,
                                    const double *restitution, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    if (stages->cones == NULL || outcome->result != CRM_SOLVED) {
        return CRM_OK;
    }
    if (!outcome->tangential_unique) {
        crm_note_add(outcome, "The tangents of contacts that stick depend on each other: only what "
                              "their tangential impulses do together is determined.");
    }
    crm_coulomb_unique unique = stages->unique;
    crm_status status = stages->every_answer ? check_size(stages, error) : CRM_OK;
    bool few = outcome->tangents == 1 && outcome->contacts <= DECIDED_UNASKED;
    if (status == CRM_OK && (stages->every_answer || (few && unique != CRM_COULOMB_UNIQUE))) {
        status = enumerate(stages, q, restitution, &unique, error);
    }
    outcome->unique = unique == CRM_COULOMB_UNIQUE;
    outcome->unique_unknown = unique == CRM_COULOMB_UNIQUE_UNKNOWN;
    if (unique == CRM_COULOMB_NOT_UNIQUE) {
        crm_note_add(outcome, "There are other impulses that the law allows; these are reached "
                              "from none.");
    } else if (unique == CRM_COULOMB_UNIQUE_UNKNOWN) {
        crm_note_add(outcome, "Whether the law allows other impulses is not known.");
    }
    return status;
}
