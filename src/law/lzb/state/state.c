/* The state of an impact by the LZB law: how it starts, and what its course tells of errors. */
#include <float.h>

#include "base/elementary.h"
#include "law/lzb/contact/fall.h"
#include "law/lzb/state/state.h"

double lzb_state_speed(const crm_problem *problem)
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

void lzb_state_fall(lzb_state *state, size_t j, double x, double held)
{
    const crm_model *model = state->model;
    double exponent = model->exponent[j], stiffness = model->stiffness[j],
           below = x * lzb_fall(exponent, held),
           lost = lzb_contact_energy(stiffness, exponent, x) -
                  lzb_contact_energy(stiffness, exponent, below);
    state->x[j] = below;
    state->loss[j] += lost;
    state->recompressions[j]++;
    state->step_error[j] +=
        model->restitution[j] * sqrt(2 * model->d_diagonal[j] * lost) / state->speed;
}

double lzb_state_force(const lzb_state *state, size_t j)
{
    const lzb_memory *memory = lzb_state_memory(state, j);
    double x = lzb_state_depth(state, j);
    return memory != NULL ? lzb_branch_force_now(state->model, j, memory, x)
                          : lzb_branch_force(state->model, j, x);
}

double lzb_state_stored(const lzb_state *state, size_t j)
{
    const lzb_memory *memory = lzb_state_memory(state, j);
    double x = lzb_state_depth(state, j);
    return memory != NULL ? lzb_branch_stored(state->model, j, memory, x)
                          : lzb_branch_energy(state->model, j, x);
}

/* The e of a contact, or that of its last compression. */
static double last_restitution(const lzb_state *state, size_t j)
{
    const lzb_memory *memory = lzb_state_memory(state, j);
    return memory == NULL || !isnan(state->model->restitution[j]) ? state->model->restitution[j]
           : memory->work > 0 ? sqrt(memory->returned / memory->work)
                              : 1;
}

static crm_status start_precompressed(lzb_state *state, crm_error *error)
{
    const crm_model *model = state->model;
    size_t s = state->contacts;
    double *force = CRM_TAKE(state->pool, double, s), *product = CRM_TAKE(state->pool, double, s);
    if (force == NULL || product == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        force[j] = lzb_branch_force(model, j, state->x[j]);
    }
    crm_status status = crm_model_delassus_apply(model, force, product, error);
    for (size_t j = 0; status == CRM_OK && j < s; j++) {
        double e = model->restitution[j];
        lzb_memory *memory = lzb_state_memory(state, j);
        state->mode[j] = (uint8_t)first_mode(state, j, -product[j]);
        state->peak[j] = state->x[j];
        if (memory != NULL && state->mode[j] == LZB_EXPANDING) {
            status =
                lzb_branch_end_compression(model, j, memory, state->x[j], &state->x[j], &e, error);
            state->restitution[j] = e;
            state->loss[j] += memory->lost;
        }
        if (state->mode[j] == LZB_EXPANDING && e == 0) {
            state->loss[j] += model->stored_energy[j];
            state->x[j] = 0;
            state->mode[j] = (uint8_t)(state->c[j] < 0 ? LZB_OPEN : LZB_COMPRESSING);
        } else if (state->mode[j] == LZB_EXPANDING && state->stiffness_model == LZB_MONO &&
                   !(memory != NULL && memory->unloading)) {
            lzb_depth left = lzb_branch_turn(LZB_MONO, e, model, j, state->x[j]);
            state->x[j] = left.above;
            state->x_open[j] = left.open;
        }
    }
    return status;
}

crm_status lzb_state_create(const crm_problem *problem, lzb_stiffness_model stiffness_model,
                            lzb_state *state, crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = problem->model;
    crm_pool *pool = problem->pool;
    size_t s = model->contacts;
    *state =
        (lzb_state){.model = model,
                    .width = problem->settings->width,
                    .stiffness_model = stiffness_model,
                    .contacts = s,
                    .pool = pool,
                    .watching = problem->watching,
                    .velocity = problem->velocity,
                    .speed = lzb_state_speed(problem),
                    .x = CRM_TAKE(pool, double, s),
                    .c = CRM_TAKE(pool, double, s),
                    .p = outcome->impulse,
                    .remainder = CRM_TAKE(pool, double, s),
                    .mode = CRM_TAKE(pool, uint8_t, s),
                    .restitution = CRM_TAKE(pool, double, s),
                    .x_open = CRM_TAKE(pool, double, s),
                    .x_scale = CRM_TAKE(pool, double, s),
                    .step_error = CRM_TAKE(pool, double, s),
                    .margin = CRM_TAKE(pool, double, s),
                    .recompressions = CRM_TAKE(pool, uint32_t, s),
                    .memory = model->compliance.of != NULL ? CRM_TAKE(pool, lzb_memory, s) : NULL,
                    .loss = crm_outcome_want(problem, &outcome->loss),
                    .peak = crm_outcome_want(problem, &outcome->peak_force),
                    .contact_time = crm_outcome_want(problem, &outcome->contact_duration),
                    .compressions = crm_outcome_want_counts(problem, &outcome->compressions)};
    state->effective =
        state->memory != NULL ? crm_outcome_want(problem, &outcome->contact_restitution) : NULL;
    if (state->x == NULL || state->c == NULL || state->remainder == NULL || state->mode == NULL ||
        state->restitution == NULL || state->x_open == NULL || state->x_scale == NULL ||
        (state->effective == NULL && model->compliance.of != NULL) || state->step_error == NULL ||
        state->margin == NULL || state->recompressions == NULL || state->loss == NULL ||
        state->peak == NULL || state->contact_time == NULL || state->compressions == NULL) {
        return crm_fail_memory(error);
    }
    bool stored = false;
    for (size_t j = 0; j < s; j++) {
        state->c[j] = -problem->gap_velocity[j];
        state->restitution[j] = isnan(model->restitution[j]) ? 1 : model->restitution[j];
        state->x_scale[j] = lzb_branch_indentation(
            model, j, state->speed * state->speed / (2.0 * model->d_diagonal[j]));
        state->mode[j] = (uint8_t)(state->c[j] < 0 ? LZB_OPEN : LZB_COMPRESSING);
        if (model->stored_energy[j] > 0) {
            state->x[j] = lzb_branch_indentation(model, j, model->stored_energy[j]);
            stored = true;
            if (lzb_branch_loading(model, j) != NULL) {
                state->memory[j].piece =
                    (uint32_t)crm_curve_piece(lzb_branch_loading(model, j), state->x[j]);
            }
        }
    }
    return stored ? start_precompressed(state, error) : CRM_OK;
}

/* Ahead of a wave that is cut short an impulse may be rounding, of either sign. */
void lzb_state_finish(lzb_state *state)
{
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        crm_twofold whole = crm_two_sum(state->p[j], state->remainder[j]);
        state->p[j] = whole.high < 0 ? 0 : whole.high;
        state->remainder[j] = whole.high < 0 ? 0 : whole.low;
        state->peak[j] = lzb_branch_force(model, j, state->peak[j]);
        if (state->effective != NULL) {
            state->effective[j] = state->compressions[j] > 0 ? last_restitution(state, j) : NAN;
        }
    }
}

/* Is a body's share of D, w^2/m, lost in the rounding of that of another? One of so small a part of
 * D is no matter: with an impulse of at most 2 V/D a swing it moves nothing by as much as D may be
 * off, however many swings are followed. Such are the cos(pi/2) of walls that stand upright.
 */
bool lzb_state_is_uneven(const crm_model *model, double tolerance)
{
    const double off = 1e-3; /* what D may be off by, as a part of the tolerance */
    const double most_swings = 1e6;
    const double most = DBL_EPSILON / (off * tolerance),
                 least = 0.5 * off * tolerance / most_swings;
    for (size_t j = 0; j < model->contacts; j++) {
        double d = model->d_diagonal[j];
        for (size_t e = model->w_start[j]; e < model->w_start[j + 1]; e++) {
            double w = model->w_value[e], m = crm_mass_alone(&model->mass, model->w_row[e]);
            if (!(m > 0)) {
                return false;
            }
            double share = w * w;
            if (share < most * d * m && share > least * d * m) {
                return true;
            }
        }
    }
    return false;
}

bool lzb_state_is_elastic(const lzb_state *state)
{
    const double *restitution = state->model->restitution;
    size_t j = 0;
    while (j < state->contacts && restitution[j] == 1) {
        j++;
    }
    return j == state->contacts;
}

bool lzb_state_magnifies(const lzb_state *state)
{
    double growth = 0, compressions = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        compressions += state->compressions[j];
        growth += state->recompressions[j] * -crm_log(fmax(last_restitution(state, j), DBL_MIN));
    }
    return growth > crm_log(LZB_GROWTH_UNMEASURED) ||
           compressions > LZB_COMPRESSIONS_UNMEASURED * (double)state->contacts;
}

/* With mono-stiffness a contact expands as it was compressed, and neither the turn nor being
 * pressed again magnifies anything. But one that lets go a time dx/c too late gives its neighbours
 * an impulse f dx/c more, and what is pressed again has been turned by neighbours that let go: the
 * more often, the longer errors have been handed on in this way.
 */
static bool is_handed_on(const lzb_state *state)
{
    double count = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        count += state->recompressions[j];
    }
    return count > LZB_COMPRESSIONS_UNMEASURED * (double)state->contacts;
}

/* In the measure of energy an error of x is multiplied by e when a contact begins to expand, and
 * divided by e when it is pressed again. If the one follows the other at once, nothing comes of
 * both. If its phase has nothing to do with either, an error becomes longer by the factor
 * (e^(1/2) + e^(-1/2)) / 2 by each of them, in the mean of the logarithm. What lies between, one
 * such factor for both, is taken; the most that could be is 1/e.
 */
bool lzb_state_magnifies_on_average(const lzb_state *state)
{
    if (state->stiffness_model == LZB_MONO) {
        return is_handed_on(state);
    }
    double growth = 0, restitution = 1, each = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        double e = last_restitution(state, j);
        if (e != restitution) {
            double root = sqrt(fmax(e, DBL_MIN));
            restitution = e;
            each = crm_log(0.5 * (root + 1 / root));
        }
        growth += state->recompressions[j] * each;
    }
    return growth > crm_log(LZB_GROWTH_UNMEASURED);
}

double lzb_state_margin(const lzb_state *state)
{
    double least = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        least = state->margin[j] > 0 ? fmin(least, state->margin[j]) : least;
    }
    return least;
}
