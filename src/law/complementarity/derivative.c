/* Derivatives on the active set: docs/sensitivity.md. */
#include "law/complementarity/derivative.h"

#include <math.h>
#include <string.h>

#include "lcp/factor/factor.h"

/* A contact is between pressing and parting when both its speeds are below this, relative. */
static const double TOO_NEAR = 1e-9;
/* Pivots below this, relative, are those of contacts that depend on each other; ... */
static const double DEPENDENT = 1e-10;
/* ... which get this part of the diagonal more, so that there is an answer. */
static const double ADDED = 1e-13;
static const double NO_PART = 1e-9;

static const char kink[] =
    "it neither presses nor parts, or hardly: the outcome has a kink where it begins to";
static const char not_unique[] =
    "it depends on other contacts: impulses are not unique, and changes of W part them";

/* One problem: q, p, w, and the linear system on those with p > 0. */
typedef struct stage {
    double *q, *p, *w;
    bool *active; /* by rows of the matrix */
    crm_lcp_factor *factor;
    double pivot; /* the least */
} stage;

typedef struct trace {
    const crm_model *model;
    crm_complementarity_rule rule;
    const double *u;
    crm_lcp_matrix matrix;
    bool has_matrix;
    stage stages[2];
    double *pushed;               /* (1 + e) p of the first stage */
    double *dq, *dp, *work, *row; /* s each */
    double *dpushed;
    double speed;
} trace;

static double restitution(const trace *t, size_t j)
{
    return t->rule.restitution != NULL ? t->rule.restitution[j] : t->rule.common;
}

/* out += D x, of any matrix with the entries of D */
static void multiply(const crm_model *model, const double *entries, const double *x, double *out)
{
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            out[j] += entries[e] * x[model->d_column[e]];
        }
    }
}

/* ---- The trace ------------------------------------------------------------------------------- */

static bool take(trace *t, crm_pool *pool)
{
    size_t s = t->model->contacts;
    double **arrays[] = {&t->stages[0].q, &t->stages[0].p, &t->stages[0].w, &t->stages[1].q,
                         &t->stages[1].p, &t->stages[1].w, &t->pushed,      &t->dq,
                         &t->dp,          &t->work,        &t->row,         &t->dpushed};
    bool got = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = CRM_TAKE(pool, double, s);
        got = got && *arrays[i] != NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        t->stages[i].active = CRM_TAKE(pool, bool, s);
        got = got && t->stages[i].active != NULL;
    }
    return got;
}

static crm_status make_stage(trace *t, crm_lcp *lcp, stage *of, crm_error *error)
{
    crm_lcp_info info;
    crm_status status = crm_lcp_solve(lcp, of->q, NULL, of->p, of->w, &info, error);
    if (status == CRM_OK && info.result != CRM_LCP_SOLVED) {
        return crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                        "the law has no answer to this impact, so that there is no derivative");
    }
    if (status == CRM_OK) {
        status = crm_lcp_factor_create(&t->matrix, &of->factor, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    for (size_t k = 0; k < t->matrix.size; k++) {
        of->active[k] = of->p[t->matrix.contact[k]] > 0;
    }
    of->pivot = crm_lcp_factor_set(of->factor, of->active, 0, NULL);
    if (of->pivot < DEPENDENT) {
        crm_lcp_factor_set(of->factor, of->active, ADDED, NULL);
    }
    return CRM_OK;
}

static void fill_first(trace *t)
{
    size_t s = t->model->contacts;
    for (size_t j = 0; j < s; j++) {
        double sum = t->u[j], factor = t->rule.expands ? 0 : restitution(t, j);
        for (size_t k = 0; t->rule.matrix != NULL && k < s; k++) {
            sum += t->rule.matrix[j * s + k] * t->u[k];
        }
        t->stages[0].q[j] = t->rule.matrix != NULL ? sum : (1 + factor) * t->u[j];
        t->speed = fmax(t->speed, fabs(t->stages[0].q[j]));
    }
}

static void fill_second(trace *t)
{
    for (size_t j = 0; j < t->model->contacts; j++) {
        t->pushed[j] = (1 + restitution(t, j)) * t->stages[0].p[j];
        t->stages[1].q[j] = t->u[j];
    }
    multiply(t->model, t->model->d_value, t->pushed, t->stages[1].q);
}

static crm_status make(trace *t, const crm_problem *problem, crm_lcp *lcp, double *impulse,
                       crm_error *error)
{
    size_t s = t->model->contacts;
    const crm_sparse_view d = {t->model->d_start, t->model->d_column, t->model->d_value};
    crm_status status = crm_lcp_matrix_create(s, &d, (crm_lcp_limits){0}, &t->matrix, error);
    t->has_matrix = status == CRM_OK;
    fill_first(t);
    t->speed = crm_smoothness_scale(problem, t->speed, TOO_NEAR);
    if (status == CRM_OK) {
        status = make_stage(t, lcp, &t->stages[0], error);
    }
    memcpy(impulse, t->stages[0].p, s * sizeof *impulse);
    if (status == CRM_OK && t->rule.expands) {
        fill_second(t);
        status = make_stage(t, lcp, &t->stages[1], error);
        for (size_t j = 0; j < s; j++) {
            impulse[j] = t->pushed[j] + t->stages[1].p[j];
        }
    }
    return status;
}

void crm_complementarity_free_trace(void *memory)
{
    trace *t = memory;
    if (t != NULL) {
        crm_lcp_factor_free(t->stages[0].factor);
        crm_lcp_factor_free(t->stages[1].factor);
        if (t->has_matrix) {
            crm_lcp_matrix_free(&t->matrix);
        }
    }
}

crm_status crm_complementarity_create_trace(const crm_problem *problem,
                                            const crm_complementarity_rule *rule, void **memory,
                                            double *impulse, crm_error *error)
{
    trace *t = CRM_TAKE(problem->pool, trace, 1);
    *memory = NULL;
    if (t == NULL) {
        return crm_fail_memory(error);
    }
    *t = (trace){.model = problem->model, .rule = *rule, .u = problem->gap_velocity};
    crm_lcp *lcp = NULL;
    crm_status status = take(t, problem->pool) ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = crm_lcp_create_for_model(problem->model, &lcp, error);
    }
    if (status == CRM_OK) {
        status = make(t, problem, lcp, impulse, error);
    }
    crm_lcp_free(lcp);
    if (status != CRM_OK) {
        crm_complementarity_free_trace(t);
        return status;
    }
    *memory = t;
    return CRM_OK;
}

/* x := (D on the active set)^-1 x, 0 elsewhere */
static void solve_active(trace *t, stage *of, double *x)
{
    const crm_lcp_matrix *matrix = &t->matrix;
    for (size_t k = 0; k < matrix->size; k++) {
        t->row[k] = of->active[k] ? matrix->scale[k] * x[matrix->contact[k]] : 0;
    }
    crm_lcp_factor_solve(of->factor, t->row);
    memset(x, 0, t->model->contacts * sizeof *x);
    for (size_t k = 0; k < matrix->size; k++) {
        x[matrix->contact[k]] = matrix->scale[k] * t->row[k];
    }
}

/* Contacts at which the set is about to change; `by`: what changes there, or what it is worth. */
static void note_stage(const trace *t, const stage *of, const double *by, double least,
                       crm_smoothness *smooth)
{
    for (size_t j = 0; j < t->model->contacts; j++) {
        double speed = fmax(t->model->d_diagonal[j] * of->p[j], of->w[j]);
        if (fabs(by[j]) > least && speed <= 1e-2 * t->speed) {
            crm_smoothness_note(smooth, j, crm_smoothness_margin(speed, t->speed), TOO_NEAR, kink);
        }
        if (of->pivot < DEPENDENT && of->p[j] > 0 && fabs(by[j]) > least) {
            crm_smoothness_note(smooth, j, 0, TOO_NEAR, not_unique);
        }
    }
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t j = 0; j < count; j++) {
        most = fmax(most, fabs(values[j]));
    }
    return most;
}

/* ---- Forwards -------------------------------------------------------------------------------- */

/* dp = -D_AA^-1 (dq + dD p)_A; t->dq becomes dq + dD p, which is what w changes by without p. */
static void forward_stage(trace *t, stage *of, const crm_data_change *by, double *dp,
                          crm_smoothness *smooth)
{
    size_t s = t->model->contacts;
    if (by->delassus != NULL) {
        multiply(t->model, by->delassus, of->p, t->dq);
    }
    for (size_t j = 0; j < s; j++) {
        dp[j] = -t->dq[j];
    }
    solve_active(t, of, dp);
    note_stage(t, of, t->dq, NO_PART * largest(t->dq, s), smooth);
}

static double part(const double *array, size_t j)
{
    return array != NULL ? array[j] : 0;
}

crm_status crm_complementarity_forward(void *memory, const crm_data_change *by,
                                       crm_answer_change *change, crm_smoothness *smooth,
                                       crm_error *error)
{
    (void)error;
    trace *t = memory;
    size_t s = t->model->contacts;
    const double *du = by->gap_velocity, *de = t->rule.of_contacts ? by->restitution : NULL;
    for (size_t j = 0; j < s; j++) {
        t->dq[j] = du[j];
        if (t->rule.matrix != NULL) {
            for (size_t k = 0; k < s; k++) {
                t->dq[j] += t->rule.matrix[j * s + k] * du[k];
            }
        } else if (!t->rule.expands) {
            t->dq[j] = (1 + restitution(t, j)) * du[j] + part(de, j) * t->u[j];
        }
    }
    forward_stage(t, &t->stages[0], by, t->dp, smooth);
    if (t->rule.expands) {
        for (size_t j = 0; j < s; j++) {
            t->dpushed[j] = (1 + restitution(t, j)) * t->dp[j] + part(de, j) * t->stages[0].p[j];
            t->dq[j] = du[j];
        }
        multiply(t->model, t->model->d_value, t->dpushed, t->dq);
        if (by->delassus != NULL) {
            multiply(t->model, by->delassus, t->pushed, t->dq);
        }
        forward_stage(t, &t->stages[1], by, t->dp, smooth);
        for (size_t j = 0; j < s; j++) {
            t->dp[j] += t->dpushed[j];
        }
    }
    memcpy(change->impulse, t->dp, s * sizeof *t->dp);
    return CRM_OK;
}

/* ---- Backwards ------------------------------------------------------------------------------- */

/* What it is worth that a contact takes part: beside those that do, the weight of its impulse with
 * what they answer; and of those that do, that of their q, as an impulse.
 */
static void weigh_contacts(trace *t)
{
    const crm_model *model = t->model;
    memcpy(t->row, t->dp, model->contacts * sizeof *t->row);
    multiply(model, model->d_value, t->dq, t->row);
    for (size_t j = 0; j < model->contacts; j++) {
        t->row[j] = fabs(t->row[j]) + model->d_diagonal[j] * fabs(t->dq[j]);
    }
}

/* From the weights of p (in t->dp) to those of q (in t->dq); D gets its part. */
static void reverse_stage(trace *t, stage *of, crm_data_change *to, crm_smoothness *smooth)
{
    const crm_model *model = t->model;
    size_t s = model->contacts;
    for (size_t j = 0; j < s; j++) {
        t->dq[j] = -t->dp[j];
    }
    solve_active(t, of, t->dq);
    weigh_contacts(t);
    note_stage(t, of, t->row, NO_PART * largest(t->dp, s), smooth);
    for (size_t j = 0; to->delassus != NULL && j < s; j++) {
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            to->delassus[e] += t->dq[j] * of->p[model->d_column[e]];
        }
    }
}

/* Weights of the impulses (1 + e) p that the second stage starts from, to those of p. */
static void reverse_push(trace *t, const double *weights, crm_data_change *to)
{
    const crm_model *model = t->model;
    for (size_t j = 0; j < model->contacts; j++) {
        t->work[j] = weights[j];
        if (to->gap_velocity != NULL) {
            to->gap_velocity[j] += t->dq[j];
        }
        for (size_t e = model->d_start[j]; to->delassus != NULL && e < model->d_start[j + 1]; e++) {
            to->delassus[e] += t->dq[j] * t->pushed[model->d_column[e]];
        }
    }
    multiply(model, model->d_value, t->dq, t->work);
    for (size_t j = 0; j < model->contacts; j++) {
        t->dp[j] = (1 + restitution(t, j)) * t->work[j];
        if (to->restitution != NULL) {
            to->restitution[j] += t->stages[0].p[j] * t->work[j];
        }
    }
}

static void reverse_first(const trace *t, crm_data_change *to)
{
    size_t s = t->model->contacts;
    for (size_t j = 0; j < s; j++) {
        double q = t->dq[j];
        bool own = t->rule.of_contacts && !t->rule.expands && to->restitution != NULL;
        if (own) {
            to->restitution[j] += q * t->u[j];
        }
        if (to->gap_velocity == NULL) {
            continue;
        }
        bool plain = t->rule.expands || t->rule.matrix != NULL;
        to->gap_velocity[j] += plain ? q : (1 + restitution(t, j)) * q;
        for (size_t k = 0; t->rule.matrix != NULL && k < s; k++) {
            to->gap_velocity[k] += t->rule.matrix[j * s + k] * q;
        }
    }
}

crm_status crm_complementarity_reverse(void *memory, const crm_answer_change *weights,
                                       crm_data_change *to, crm_smoothness *smooth,
                                       crm_error *error)
{
    (void)error;
    trace *t = memory;
    memcpy(t->dp, weights->impulse, t->model->contacts * sizeof *t->dp);
    if (t->rule.expands) {
        reverse_stage(t, &t->stages[1], to, smooth);
        reverse_push(t, weights->impulse, to);
    }
    reverse_stage(t, &t->stages[0], to, smooth);
    reverse_first(t, to);
    return CRM_OK;
}
