/* Derivatives along a sequence of collisions: docs/sensitivity.md. */
#include "law/collisions/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative gap velocities, and differences between competing ones, below which a place is noted,
 * ... */
static const double WORTH_NOTING = 1e-2;
/* ... and below which the outcome counts as not differentiable. */
static const double TOO_NEAR = 1e-9;
static const double NO_PART = 1e-9;

static const char kink[] =
    "its gap velocity is near 0: the sequence is another one where that changes its sign";
static const char contest[] =
    "it closes as fast as another contact: which of them collides first, the outcome jumps at";

typedef struct collision {
    uint32_t contact;
    double closing; /* its speed */
    double lead;    /* over the next fastest that feels it, relative; INFINITY: does not matter */
} collision;

typedef struct trace {
    const crm_model *model;
    const crm_collision_plan *plan;
    collision *list;
    size_t count, capacity;
    bool out_of_memory;
    double scale;            /* of the sequence */
    double speed;            /* crm_smoothness_scale */
    const double *before;    /* u- */
    double *u, *du, *dp;     /* s each */
    crm_collisions *running; /* while it is made */
} trace;

/* ---- The trace ------------------------------------------------------------------------------- */

/* How far ahead of the others that feel it, and are felt, contact j is. */
static double lead_of(const trace *t, size_t j)
{
    const double *u = t->running->gap_velocity;
    const crm_model *model = t->model;
    double lead = INFINITY;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        size_t k = model->d_column[e];
        if (k != j && model->d_value[e] != 0 && u[k] < 0) {
            lead = fmin(lead, u[k] - u[j]);
        }
    }
    return lead;
}

static void on_collision(void *context, size_t j, double closing)
{
    trace *t = context;
    if (t->count == t->capacity) {
        size_t capacity = t->capacity + t->capacity / 2 + 64;
        collision *list = crm_memory_resize(t->list, capacity, sizeof *list);
        if (list == NULL) {
            t->out_of_memory = true;
            return;
        }
        t->list = list;
        t->capacity = capacity;
    }
    t->list[t->count++] =
        (collision){(uint32_t)j, closing * t->scale,
                    t->plan->order == CRM_ORDER_FASTEST ? lead_of(t, j) : INFINITY};
}

void crm_collisions_free_trace(void *memory)
{
    trace *t = memory;
    if (t != NULL) {
        free(t->list);
    }
}

static crm_status run(trace *t, const crm_problem *problem, double *impulse, crm_error *error)
{
    crm_collisions collisions;
    crm_status status = crm_collisions_create(problem, &collisions, error);
    if (status == CRM_OK) {
        t->scale = collisions.scale;
        t->running = &collisions;
        collisions.on_collision = on_collision;
        collisions.context = t;
        status = crm_collisions_run(&collisions, t->plan, error);
    }
    double speed = t->scale; /* where nothing closes, that of what parts */
    for (size_t j = 0; t->scale == 0 && j < problem->model->contacts; j++) {
        speed = fmax(speed, t->before[j]);
    }
    t->speed = crm_smoothness_scale(problem, speed, TOO_NEAR);
    size_t contact;
    if (status == CRM_OK && t->out_of_memory) {
        status = crm_fail_memory(error);
    } else if (status == CRM_OK && crm_collisions_left(&collisions, &contact) > 0) {
        status = crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                          "the collisions do not come to an end, so that there is no derivative");
    }
    for (size_t j = 0; status == CRM_OK && j < collisions.contacts; j++) {
        impulse[j] = collisions.scale * collisions.impulse[j];
    }
    crm_collisions_release(&collisions);
    t->running = NULL;
    return status;
}

crm_status crm_collisions_create_trace(const crm_problem *problem, const crm_collision_plan *plan,
                                       void **memory, double *impulse, crm_error *error)
{
    size_t s = problem->model->contacts;
    trace *t = CRM_TAKE(problem->pool, trace, 1);
    double *arrays = CRM_TAKE(problem->pool, double, 3 * s);
    *memory = NULL;
    if (t == NULL || arrays == NULL) {
        return crm_fail_memory(error);
    }
    *t = (trace){.model = problem->model,
                 .plan = plan,
                 .before = problem->gap_velocity,
                 .u = arrays,
                 .du = arrays + s,
                 .dp = arrays + 2 * s};
    crm_status status = run(t, problem, impulse, error);
    t->plan = NULL;
    if (status != CRM_OK) {
        crm_collisions_free_trace(t);
        return status;
    }
    *memory = t;
    return CRM_OK;
}

/* ---- Where it is not differentiable ---------------------------------------------------------- */

/* The gap velocity of contact k has come to be u: is it near 0, and `part`, what changes it or what
 * it is worth, not?
 */
static void note(const trace *t, size_t k, double part, double least, crm_smoothness *smooth)
{
    double margin = crm_smoothness_margin(fabs(t->u[k]), t->speed);
    if (margin < WORTH_NOTING && fabs(part) > least) {
        crm_smoothness_note(smooth, k, margin, TOO_NEAR, kink);
    }
}

static void note_contest(const collision *at, crm_smoothness *smooth)
{
    if (at->lead < WORTH_NOTING) {
        crm_smoothness_note(smooth, at->contact, at->lead, TOO_NEAR, contest);
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

static double part(const double *array, size_t j)
{
    return array != NULL ? array[j] : 0;
}

/* ---- Forwards -------------------------------------------------------------------------------- */

/* A collision at j: u += D_j r with r = (1 + e) closing / D_jj. */
static void forward_collision(trace *t, const collision *at, const crm_data_change *by,
                              double least, crm_smoothness *smooth)
{
    const crm_model *model = t->model;
    size_t j = at->contact;
    double e = model->restitution[j], own = model->d_diagonal[j],
           impulse = (1 + e) * at->closing / own;
    double change = (part(by->restitution, j) * at->closing - (1 + e) * t->du[j]) / own;
    for (size_t k = model->d_start[j]; by->delassus != NULL && k < model->d_start[j + 1]; k++) {
        change -= model->d_column[k] == j ? impulse * by->delassus[k] / own : 0;
    }
    t->dp[j] += change;
    for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
        size_t i = model->d_column[k];
        t->u[i] = i == j ? e * at->closing : t->u[i] + model->d_value[k] * impulse;
        t->du[i] += model->d_value[k] * change + part(by->delassus, k) * impulse;
        if (model->d_value[k] != 0 && !(i == j && e == 0)) {
            note(t, i, t->du[i], least, smooth);
        }
    }
    note_contest(at, smooth);
}

crm_status crm_collisions_forward(void *memory, const crm_data_change *by,
                                  crm_answer_change *change, crm_smoothness *smooth,
                                  crm_error *error)
{
    (void)error;
    trace *t = memory;
    size_t s = t->model->contacts;
    memcpy(t->u, t->before, s * sizeof *t->u);
    memcpy(t->du, by->gap_velocity, s * sizeof *t->du);
    memset(t->dp, 0, s * sizeof *t->dp);
    double least = NO_PART * largest(t->du, s);
    for (size_t j = 0; j < s; j++) {
        note(t, j, t->du[j], least, smooth);
    }
    for (size_t i = 0; i < t->count; i++) {
        forward_collision(t, &t->list[i], by, least, smooth);
    }
    memcpy(change->impulse, t->dp, s * sizeof *t->dp);
    return CRM_OK;
}

/* ---- Backwards ------------------------------------------------------------------------------- */

/* At contact j: of p, and of what it does to u. */
static double weight_of_impulse(const trace *t, size_t j, const double *of_p)
{
    const crm_model *model = t->model;
    double weight = of_p[j];
    for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
        weight += model->d_value[k] * t->du[model->d_column[k]];
    }
    return weight;
}

/* t->u goes back to what it was, t->du has the weights of u. */
static void reverse_collision(trace *t, const collision *at, const double *of_p, double least,
                              crm_data_change *to, crm_smoothness *smooth)
{
    const crm_model *model = t->model;
    size_t j = at->contact;
    double e = model->restitution[j], own = model->d_diagonal[j],
           impulse = (1 + e) * at->closing / own, weight = weight_of_impulse(t, j, of_p);
    for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
        size_t i = model->d_column[k];
        if (model->d_value[k] != 0 && !(i == j && e == 0)) {
            note(t, i, weight_of_impulse(t, i, of_p), least, smooth);
        }
    }
    for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
        size_t i = model->d_column[k];
        t->u[i] = i == j ? -at->closing : t->u[i] - model->d_value[k] * impulse;
    }
    for (size_t k = model->d_start[j]; to->delassus != NULL && k < model->d_start[j + 1]; k++) {
        size_t i = model->d_column[k];
        to->delassus[k] += t->du[i] * impulse - (i == j ? impulse / own * weight : 0);
    }
    if (to->restitution != NULL) {
        to->restitution[j] += at->closing / own * weight;
    }
    t->du[j] -= (1 + e) / own * weight;
    note_contest(at, smooth);
}

crm_status crm_collisions_reverse(void *memory, const crm_answer_change *weights,
                                  crm_data_change *to, crm_smoothness *smooth, crm_error *error)
{
    (void)error;
    trace *t = memory;
    const crm_model *model = t->model;
    size_t s = model->contacts;
    memset(t->du, 0, s * sizeof *t->du);
    memcpy(t->u, t->before, s * sizeof *t->u);
    for (size_t i = 0; i < t->count; i++) {
        size_t j = t->list[i].contact;
        double e = model->restitution[j],
               impulse = (1 + e) * t->list[i].closing / model->d_diagonal[j];
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            size_t m = model->d_column[k];
            t->u[m] = m == j ? e * t->list[i].closing : t->u[m] + model->d_value[k] * impulse;
        }
    }
    double least = NO_PART * largest(weights->impulse, s);
    for (size_t i = t->count; i-- > 0;) {
        reverse_collision(t, &t->list[i], weights->impulse, least, to, smooth);
    }
    for (size_t j = 0; j < s; j++) {
        if (to->gap_velocity != NULL) {
            note(t, j, weight_of_impulse(t, j, weights->impulse), least, smooth);
            to->gap_velocity[j] += t->du[j];
        }
    }
    return CRM_OK;
}
