/* The state of an impact by the LZB law: how it starts, how it is shown, how its tail is closed. */
#include <float.h>
#include <string.h>

#include "carom/lcp.h"
#include "law/lzb/state/state.h"
#include "law/lzb/state/tail.h"
#include "model/impulse.h"

/* ---- Start ---------------------------------------------------------------------------------- */

double lzb_speed_scale(const crm_problem *problem)
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
    double *force = CRM_TAKE(state->room, double, s), *product = CRM_TAKE(state->room, double, s);
    if (force == NULL || product == NULL) {
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
    return status;
}

crm_status lzb_state_create(const crm_problem *problem, lzb_stiffness stiffness, lzb_state *state,
                            crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    crm_room *room = problem->room;
    size_t s = model->contacts;
    *state = (lzb_state){.model = model,
                         .stiffness = stiffness,
                         .contacts = s,
                         .room = room,
                         .velocity = problem->velocity,
                         .speed = lzb_speed_scale(problem),
                         .x = CRM_TAKE(room, double, s),
                         .c = CRM_TAKE(room, double, s),
                         .p = outcome->impulse,
                         .mode = CRM_TAKE(room, uint8_t, s),
                         .x_open = CRM_TAKE(room, double, s),
                         .x_scale = CRM_TAKE(room, double, s),
                         .doubt = CRM_TAKE(room, double, s),
                         .margin = CRM_TAKE(room, double, s),
                         .recompressions = CRM_TAKE(room, uint32_t, s),
                         .loss = crm_outcome_want(problem, &outcome->loss),
                         .peak = crm_outcome_want(problem, &outcome->peak_force),
                         .held = crm_outcome_want(problem, &outcome->contact_duration),
                         .compressions = crm_outcome_want_counts(problem, &outcome->compressions)};
    if (state->x == NULL || state->c == NULL || state->mode == NULL || state->x_open == NULL ||
        state->x_scale == NULL || state->doubt == NULL || state->margin == NULL ||
        state->recompressions == NULL || state->loss == NULL || state->peak == NULL ||
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

bool lzb_state_magnifies(const lzb_state *state)
{
    double growth = 0, compressions = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        compressions += state->compressions[j];
        growth += state->recompressions[j] * -log(fmax(state->model->restitution[j], DBL_MIN));
    }
    return growth > log(LZB_GROWTH_UNSEEN) ||
           compressions > LZB_COMPRESSIONS_UNSEEN * (double)state->contacts;
}

double lzb_state_margin(const lzb_state *state)
{
    double least = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        least = state->margin[j] > 0 ? fmin(least, state->margin[j]) : least;
    }
    return least;
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
    crm_room *room = problem->room;
    size_t n = problem->model->coordinates, s = problem->model->contacts;
    history->force = CRM_TAKE(room, double, s);
    history->energy = CRM_TAKE(room, double, s);
    history->velocity = CRM_TAKE(room, double, n);
    history->work = CRM_TAKE(room, double, 2 * n);
    if (problem->recorder->interval > 0) {
        history->next = problem->recorder->interval;
    }
    return history->force != NULL && history->energy != NULL && history->velocity != NULL &&
                   history->work != NULL
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
    const crm_model *model = state->model;
    return lzb_energy(model->stiffness[j], model->exponent[j], lzb_depth(state, j));
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
        history->force[j] = lzb_force(model->stiffness[j], model->exponent[j], lzb_depth(state, j));
        history->energy[j] = stored_energy(state, j);
        if (state->bond != NULL) {
            history->force[j] += state->bond[j];
        }
    }
    memcpy(history->velocity, history->velocity_before,
           model->coordinates * sizeof *history->velocity);
    crm_status status =
        crm_model_add_impulse(model, state->p, history->velocity, history->work, error);
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

/* What closing would change: gap velocities, by the projection and by what the energy still stored
 * could give; ...
 */
static double change_of_gaps(const lzb_state *state, const double *after)
{
    const crm_model *model = state->model;
    double most = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        double energy = lzb_energy(model->stiffness[j], model->exponent[j], lzb_depth(state, j));
        most = fmax(most, fabs(after[j] + state->c[j]) + sqrt(2.0 * energy * model->d_diagonal[j]));
    }
    return most;
}

/* What a contact of the projection loses by Thomson and Tait's rule, p times its mean closing
 * speed; in a wedge one may gain by it what the other loses.
 */
static double loss_by_projection(const lzb_state *state, const double *p, const double *after,
                                 size_t j)
{
    return 0.5 * p[j] * (state->c[j] - after[j]);
}

/* The whole loss goes to those that lose. */
static double share_of_losers(const lzb_state *state, const double *p, const double *after)
{
    double all = 0, losers = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        double loss = loss_by_projection(state, p, after, j);
        all += loss;
        losers += fmax(loss, 0);
    }
    return losers > 0 ? fmax(all, 0) / losers : 0;
}

static void close_contacts(lzb_state *state, const double *p, const double *after)
{
    const crm_model *model = state->model;
    double share = share_of_losers(state, p, after);
    for (size_t j = 0; j < state->contacts; j++) {
        state->loss[j] += lzb_energy(model->stiffness[j], model->exponent[j], lzb_depth(state, j)) +
                          share * fmax(loss_by_projection(state, p, after, j), 0);
    }
    for (size_t j = 0; j < state->contacts; j++) {
        state->p[j] += p[j];
        state->c[j] = -after[j];
        state->x[j] = state->x_open[j] = 0;
        state->mode[j] = LZB_OPEN;
    }
}

static crm_status project(const crm_model *model, const double *q, double *p, double *w,
                          bool *projected, crm_error *error)
{
    *projected = lzb_project_on_line(model, q, p, w);
    if (*projected) {
        return CRM_OK;
    }
    crm_lcp *lcp = NULL;
    crm_lcp_info info;
    crm_status status = crm_lcp_create_for_model(model, &lcp, error);
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, q, NULL, p, w, &info, error);
    }
    *projected = status == CRM_OK && info.result == CRM_LCP_SOLVED;
    crm_lcp_free(lcp);
    return status;
}

/* The gap velocities of the present velocities, which are consistent with each other to rounding
 * where contacts depend on each other; the closing speeds, each with errors of its own, would make
 * a problem without solution. `work` has 3 n entries.
 */
static crm_status present_gap_velocity(const lzb_state *state, double *work, double *u,
                                       crm_error *error)
{
    size_t n = state->model->coordinates;
    memcpy(work, state->velocity, n * sizeof *work);
    crm_status status = crm_model_add_impulse(state->model, state->p, work, work + n, error);
    crm_model_gap_velocity(state->model, work, u);
    return status;
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
    if (state->closing == NULL) {
        state->closing = CRM_TAKE(state->room, double, 3 * (s + state->model->coordinates));
        if (state->closing == NULL) {
            return crm_fail_memory(error);
        }
    }
    double *q = state->closing, *p = q + s, *after = p + s, *velocity = after + s;
    bool projected = false;
    crm_status status = present_gap_velocity(state, velocity, q, error);
    if (status == CRM_OK) {
        status = project(state->model, q, p, after, &projected, error);
    }
    if (!projected) {
        return status;
    }
    /* ... and velocities, which in a narrow wedge may have to change when gaps do not. */
    double change = change_of_gaps(state, after), change_of_velocities = 0;
    if (change <= limit * state->speed) {
        status = crm_model_change_as_gap_speed(state->model, state->p, p, velocity,
                                               &change_of_velocities, error);
        change = fmax(change, change_of_velocities);
    }
    if (status == CRM_OK && change <= limit * state->speed) {
        close_contacts(state, p, after);
        *closed = true;
        *moved = change / state->speed;
    }
    return status;
}
