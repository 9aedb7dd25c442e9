/* How the course of an impact is shown to a recorder. */
#include "law/lzb/state/history.h"

#include <float.h>
#include <string.h>

#include "model/impulse.h"

crm_status lzb_history_create(const crm_problem *problem, lzb_history *history, crm_error *error)
{
    *history = (lzb_history){.recorder = problem->recorder,
                             .velocity_before = problem->velocity,
                             .primary = SIZE_MAX,
                             .next = INFINITY};
    if (problem->recorder == NULL) {
        return CRM_OK;
    }
    crm_pool *pool = problem->pool;
    size_t n = problem->model->coordinates, s = problem->model->contacts;
    history->force = CRM_TAKE(pool, double, s);
    history->energy = CRM_TAKE(pool, double, s);
    history->velocity = CRM_TAKE(pool, double, n);
    history->work = CRM_TAKE(pool, double, 2 * n);
    history->impulse = CRM_TAKE(pool, double, s *(1 + problem->model->tangents));
    if (problem->recorder->interval > 0) {
        history->next = problem->recorder->interval;
    }
    return history->force != NULL && history->energy != NULL && history->velocity != NULL &&
                   history->work != NULL && history->impulse != NULL
               ? CRM_OK
               : crm_fail_memory(error);
}

/* The contact of those listed with the most of a measure; SIZE_MAX: none has any. */
static size_t first_in(const lzb_state *state, const uint32_t *contacts, size_t count,
                       double (*measure)(const lzb_state *state, size_t j))
{
    size_t first = SIZE_MAX;
    double most = 0;
    for (size_t k = 0; k < count; k++) {
        size_t j = contacts != NULL ? contacts[k] : k;
        double m = measure(state, j);
        if (m > most) {
            most = m;
            first = j;
        }
    }
    return first;
}

static double stored_energy(const lzb_state *state, size_t j)
{
    return lzb_state_stored(state, j);
}

static double closing_speed(const lzb_state *state, size_t j)
{
    return state->c[j];
}

/* The primary impulse grows by what the contact that was primary after the last step received. */
static void follow_primary(lzb_history *history, const lzb_state *state, const uint32_t *contacts,
                           size_t count)
{
    if (history->primary != SIZE_MAX) {
        history->primary_impulse += state->p[history->primary] - history->impulse_before;
    }
    history->primary = first_in(state, contacts, count, stored_energy);
    if (history->primary == SIZE_MAX) { /* nothing stored yet: the fastest closing one, P4 (2.3) */
        history->primary = first_in(state, contacts, count, closing_speed);
    }
    if (history->primary != SIZE_MAX) {
        history->impulse_before = state->p[history->primary];
    }
}

/* Is a sample wanted now? history->next is the next multiple of the interval. */
static bool is_due(const lzb_history *history, const lzb_state *state)
{
    bool at_multiple = history->next <= state->time * (1.0 + 4 * DBL_EPSILON);
    return !history->recorder->only_multiples || at_multiple || state->time == 0;
}

/* v now: by the normal impulses, and those of friction. */
static crm_status add_impulses(lzb_history *history, const lzb_state *state, crm_error *error)
{
    const crm_model *model = state->model;
    if (state->tangential == NULL) {
        return crm_model_add_impulse(model, state->p, history->velocity, history->work, error);
    }
    size_t d = model->tangents;
    for (size_t j = 0; j < model->contacts; j++) {
        double *own = history->impulse + j * (1 + d);
        own[0] = state->p[j];
        memcpy(own + 1, state->tangential + j * d, d * sizeof *own);
    }
    return crm_model_add_impulse(model->directions, history->impulse, history->velocity,
                                 history->work, error);
}

crm_status lzb_history_record(lzb_history *history, const lzb_state *state,
                              const uint32_t *contacts, size_t count, crm_error *error)
{
    const crm_recorder *recorder = history->recorder;
    if (recorder == NULL) {
        return CRM_OK;
    }
    const crm_model *model = state->model;
    follow_primary(history, state, contacts, contacts != NULL ? count : state->contacts);
    if (!is_due(history, state)) {
        return CRM_OK;
    }
    for (size_t j = 0; j < state->contacts; j++) {
        history->force[j] = lzb_state_force(state, j);
        history->energy[j] = stored_energy(state, j);
        if (state->bond != NULL) {
            history->force[j] += state->bond[j];
        }
    }
    memcpy(history->velocity, history->velocity_before,
           model->coordinates * sizeof *history->velocity);
    crm_status status = add_impulses(history, state, error);
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
