/* The state of an impact by the LZB law: how it starts, how it is shown, how its tail is closed. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "carom/lcp.h"
#include "law/lzb.h"

/* ---- Start ---------------------------------------------------------------------------------- */

static double speed_scale(const crm_problem *problem)
{
    const crm_model *model = problem->model;
    double speed = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double stored = sqrt(2.0 * model->stored_energy[j] * model->d_diagonal[j]);
        speed = fmax(speed, fmax(-problem->gap_velocity[j], stored));
    }
    return speed;
}

/* A precompressed contact that is let go starts in expansion. At rest (c = 0) the forces decide. */
static lzb_mode first_mode(const lzb_state *state, size_t j, double acceleration)
{
    double c = state->c[j];
    if (!(state->x[j] > 0)) {
        return c < 0 ? LZB_OPEN : LZB_COMPRESSING;
    }
    bool closing = c > 0 || (c == 0 && acceleration >= 0);
    return closing || state->model->restitution[j] == 1.0 ? LZB_COMPRESSING : LZB_EXPANDING;
}

static crm_status start_precompressed(lzb_state *state, crm_error *error)
{
    const crm_model *model = state->model;
    size_t s = state->contacts;
    double *force = CRM_NEW(double, s), *product = CRM_NEW(double, s);
    if (force == NULL || product == NULL) {
        free(force);
        free(product);
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        force[j] = lzb_force(model->stiffness[j], model->exponent[j], state->x[j]);
    }
    crm_status status = crm_model_delassus_apply(model, force, product, error);
    for (size_t j = 0; status == CRM_OK && j < s; j++) {
        double e = model->restitution[j];
        state->mode[j] = (uint8_t)first_mode(state, j, -product[j]);
        state->peak[j] = state->x[j];
        if (state->mode[j] == LZB_EXPANDING && e == 0) {
            state->loss[j] += model->stored_energy[j];
            state->x[j] = 0;
            state->mode[j] = (uint8_t)(state->c[j] < 0 ? LZB_OPEN : LZB_COMPRESSING);
        } else if (state->mode[j] == LZB_EXPANDING && state->stiffness == LZB_MONO) {
            double depth = state->x[j];
            state->x[j] = depth * lzb_part_given_back(e, model->exponent[j]);
            state->x_open[j] = depth - state->x[j];
        }
    }
    free(force);
    free(product);
    return status;
}

crm_status lzb_state_create(const crm_problem *problem, lzb_stiffness stiffness, lzb_state *state,
                            crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    size_t s = model->contacts;
    *state = (lzb_state){.model = model,
                         .stiffness = stiffness,
                         .contacts = s,
                         .speed = speed_scale(problem),
                         .x = CRM_NEW(double, s),
                         .c = CRM_NEW(double, s),
                         .p = outcome->impulse,
                         .mode = CRM_NEW(uint8_t, s),
                         .x_open = CRM_NEW(double, s),
                         .x_scale = CRM_NEW(double, s),
                         .loss = crm_outcome_want(&outcome->loss, s),
                         .peak = crm_outcome_want(&outcome->peak_force, s),
                         .held = crm_outcome_want(&outcome->contact_duration, s),
                         .compressions = outcome->compressions = CRM_NEW(uint32_t, s)};
    if (state->x == NULL || state->c == NULL || state->mode == NULL || state->x_open == NULL ||
        state->x_scale == NULL || state->loss == NULL || state->peak == NULL ||
        state->held == NULL || state->compressions == NULL) {
        return crm_fail_memory(error);
    }
    bool stored = false;
    for (size_t j = 0; j < s; j++) {
        state->c[j] = -problem->gap_velocity[j];
        state->x_scale[j] =
            lzb_indentation(model->stiffness[j], model->exponent[j],
                            state->speed * state->speed / (2.0 * model->d_diagonal[j]));
        state->mode[j] = (uint8_t)(state->c[j] < 0 ? LZB_OPEN : LZB_COMPRESSING);
        if (model->stored_energy[j] > 0) {
            state->x[j] =
                lzb_indentation(model->stiffness[j], model->exponent[j], model->stored_energy[j]);
            stored = true;
        }
    }
    return stored ? start_precompressed(state, error) : CRM_OK;
}

void lzb_state_finish(lzb_state *state)
{
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        state->peak[j] = lzb_force(model->stiffness[j], model->exponent[j], state->peak[j]);
    }
}

void lzb_state_release(lzb_state *state)
{
    free(state->x);
    free(state->c);
    free(state->mode);
    free(state->x_open);
    free(state->x_scale);
}

/* ---- History -------------------------------------------------------------------------------- */

crm_status lzb_history_create(const crm_problem *problem, lzb_history *history, crm_error *error)
{
    *history = (lzb_history){.recorder = problem->recorder,
                             .velocity_before = problem->velocity,
                             .primary = SIZE_MAX,
                             .next = INFINITY};
    if (problem->recorder == NULL) {
        return CRM_OK;
    }
    size_t n = problem->model->coordinates, s = problem->model->contacts;
    history->force = CRM_NEW(double, s);
    history->energy = CRM_NEW(double, s);
    history->impulse_before = CRM_NEW(double, s);
    history->velocity = CRM_NEW(double, n);
    if (problem->recorder->interval > 0) {
        history->next = problem->recorder->interval;
    }
    return history->force != NULL && history->energy != NULL && history->impulse_before != NULL &&
                   history->velocity != NULL
               ? CRM_OK
               : crm_fail_memory(error);
}

void lzb_history_release(lzb_history *history)
{
    free(history->force);
    free(history->energy);
    free(history->impulse_before);
    free(history->velocity);
}

/* The primary impulse grows by what the contact that was primary at the last sample received. */
static void follow_primary(lzb_history *history, const lzb_state *state)
{
    if (history->primary != SIZE_MAX) {
        history->primary_impulse +=
            state->p[history->primary] - history->impulse_before[history->primary];
    }
    double most = 0;
    history->primary = SIZE_MAX;
    for (size_t j = 0; j < state->contacts; j++) {
        if (history->energy[j] > most) {
            most = history->energy[j];
            history->primary = j;
        }
    }
    if (history->primary == SIZE_MAX) { /* nothing stored yet: the fastest closing one, P4 (2.3) */
        for (size_t j = 0; j < state->contacts; j++) {
            if (state->c[j] > most) {
                most = state->c[j];
                history->primary = j;
            }
        }
    }
    memcpy(history->impulse_before, state->p, state->contacts * sizeof *state->p);
}

crm_status lzb_history_record(lzb_history *history, const lzb_state *state, crm_error *error)
{
    const crm_recorder *recorder = history->recorder;
    if (recorder == NULL) {
        return CRM_OK;
    }
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        double depth = lzb_depth(state, j);
        history->force[j] = lzb_force(model->stiffness[j], model->exponent[j], depth);
        history->energy[j] = lzb_energy(model->stiffness[j], model->exponent[j], depth);
    }
    follow_primary(history, state);
    memcpy(history->velocity, history->velocity_before,
           model->coordinates * sizeof *history->velocity);
    crm_status status = crm_model_apply_impulse(model, state->p, history->velocity, error);
    if (status != CRM_OK) {
        return status;
    }
    while (history->next <= state->time * (1.0 + 4 * DBL_EPSILON)) {
        history->next += recorder->interval;
    }
    const crm_sample sample = {.time = state->time,
                               .primary = history->primary,
                               .primary_impulse = history->primary_impulse,
                               .force = history->force,
                               .stored_energy = history->energy,
                               .closing_speed = state->c,
                               .impulse = state->p,
                               .velocity = history->velocity};
    if (recorder->record(recorder->context, &sample) != CRM_OK) {
        return crm_fail(error, CRM_ERROR_STOPPED, NULL, "stopped by the recorder at t = %g",
                        state->time);
    }
    return CRM_OK;
}

/* ---- The tail ------------------------------------------------------------------------------- */

/* What closing would change: the projection's own change of the gap velocities, and the speed that
 * the energy still stored could give.
 */
static double change_by_closing(const lzb_state *state, const double *after)
{
    const crm_model *model = state->model;
    double most = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        double energy = lzb_energy(model->stiffness[j], model->exponent[j], lzb_depth(state, j));
        most = fmax(most, fabs(after[j] + state->c[j]) + sqrt(2.0 * energy * model->d_diagonal[j]));
    }
    return most;
}

static void close_contacts(lzb_state *state, const double *p, const double *after)
{
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        state->loss[j] += lzb_energy(model->stiffness[j], model->exponent[j], lzb_depth(state, j)) -
                          0.5 * p[j] * (after[j] - state->c[j]);
        state->p[j] += p[j];
        state->c[j] = -after[j];
        state->x[j] = state->x_open[j] = 0;
        state->mode[j] = LZB_OPEN;
    }
}

crm_status lzb_close_tail(lzb_state *state, double limit, bool *closed, double *moved,
                          crm_error *error)
{
    *closed = false;
    *moved = 0;
    if (!crm_model_has_delassus(state->model)) {
        return CRM_OK;
    }
    size_t s = state->contacts;
    double *q = CRM_NEW(double, s), *p = CRM_NEW(double, s), *after = CRM_NEW(double, s);
    crm_lcp *lcp = NULL;
    crm_lcp_info info;
    crm_status status = q != NULL && p != NULL && after != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        for (size_t j = 0; j < s; j++) {
            q[j] = -state->c[j];
        }
        status = crm_lcp_create_for_model(state->model, &lcp, error);
    }
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, q, NULL, p, after, &info, error);
    }
    if (status == CRM_OK && info.result == CRM_LCP_SOLVED) {
        double change = change_by_closing(state, after) / state->speed;
        if (change <= limit) {
            close_contacts(state, p, after);
            *closed = true;
            *moved = change;
        }
    }
    crm_lcp_free(lcp);
    free(q);
    free(p);
    free(after);
    return status;
}
