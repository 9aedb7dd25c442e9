/* Which contacts are at work: see compliant_active in compliant.h. */
#include <stdlib.h>
#include <string.h>

#include "law/compliant/compliant.h"

#include "base/elementary.h"

static const uint32_t NOWHERE = UINT32_MAX;

/* ---- Sleep ---------------------------------------------------------------------------------- */

/* Behind a wave contacts come together at speeds of rounding, in long chains thousands of them. One
 * that comes slowly is left alone up to the indentation whose energy could open it at a speed that
 * counts, sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2).
 */
double compliant_active_least_indentation(const lzb_state *state, const compliant_active *active,
                                          size_t j)
{
    double part = crm_pow(active->slow, 2.0 / (1.0 + state->model->exponent[j]));
    return part * state->x_scale[j];
}

double compliant_active_onset(const lzb_state *state, const compliant_active *active, size_t j)
{
    return state->c[j] > active->slow * state->speed
               ? 0
               : compliant_active_least_indentation(state, active, j);
}

static double touches_at(const lzb_state *state, const compliant_active *active, size_t j)
{
    double onset = compliant_active_onset(state, active, j);
    return active->since[j] + fmax(onset - state->x[j], 0) / state->c[j];
}

/* Sleepers that come no nearer are not waited for. */
static void wait_for(const lzb_state *state, compliant_active *active, uint32_t j)
{
    if (state->c[j] > 0) {
        crm_heap_put(&active->sleepers, j, -touches_at(state, active, j));
    }
}

static void fall_asleep(const lzb_state *state, compliant_active *active, uint32_t j)
{
    active->asleep[j] = 1;
    active->since[j] = state->time;
    wait_for(state, active, j);
}

/* ---- Creation ------------------------------------------------------------------------------- */

/* Contacts that are indented from the beginning are taken in, all others sleep. */
static void start(lzb_state *state, const compliant_contact *of, compliant_active *active)
{
    for (uint32_t j = 0; j < state->contacts; j++) {
        double x = state->x[j], c = state->c[j];
        bool presses = compliant_pull(&of[j], x, c, 0) > 0;
        bool expands = of[j].model == COMPLIANT_HYSTERETIC && c < 0;
        active->place[j] = NOWHERE;
        state->mode[j] = (uint8_t)(!(x > 0)   ? COMPLIANT_OPEN
                                   : !presses ? COMPLIANT_RELEASED
                                   : expands  ? COMPLIANT_EXPANDING
                                              : COMPLIANT_PRESSING);
        if (x > 0) {
            active->contact[active->count++] = j;
        } else {
            fall_asleep(state, active, j);
        }
    }
}

crm_status compliant_active_create(lzb_state *state, const compliant_contact *of, double slow,
                                   compliant_active *active, crm_error *error)
{
    size_t s = state->contacts;
    *active = (compliant_active){.slow = slow,
                                 .contact = CRM_NEW(uint32_t, s),
                                 .place = CRM_NEW(uint32_t, s),
                                 .since = CRM_NEW(double, s),
                                 .arm = CRM_NEW(double, s),
                                 .asleep = CRM_NEW(uint8_t, s),
                                 .zero = CRM_NEW(uint8_t, s),
                                 .turns = CRM_NEW(uint8_t, s),
                                 .start = CRM_NEW(size_t, s + 1),
                                 .old = CRM_NEW(uint32_t, s)};
    if (active->contact == NULL || active->place == NULL || active->since == NULL ||
        active->arm == NULL || active->asleep == NULL || active->zero == NULL ||
        active->turns == NULL || active->start == NULL || active->old == NULL ||
        !crm_heap_create(&active->sleepers, s)) {
        return crm_fail_memory(error);
    }
    start(state, of, active);
    return compliant_active_rebuild(state, active, error);
}

void compliant_active_release(compliant_active *active)
{
    crm_heap_release(&active->sleepers);
    free(active->contact);
    free(active->place);
    free(active->since);
    free(active->arm);
    free(active->asleep);
    free(active->zero);
    free(active->turns);
    free(active->start);
    free(active->by);
    free(active->value);
    free(active->old);
}

/* ---- Waking --------------------------------------------------------------------------------- */

static void wake_up(lzb_state *state, compliant_active *active, uint32_t j)
{
    if (!active->asleep[j]) {
        return;
    }
    active->asleep[j] = 0;
    crm_heap_drop(&active->sleepers, j);
    if (state->time > active->since[j]) { /* what was at 0 then is not any more */
        active->zero[j] = COMPLIANT_NO_ZERO;
        active->turns[j] = 0;
    }
    state->x[j] += (state->time - active->since[j]) * state->c[j];
}

double compliant_active_next_touch(const compliant_active *active)
{
    const crm_heap *sleepers = &active->sleepers;
    return sleepers->count > 0 ? -sleepers->key[sleepers->entry[0]] : INFINITY;
}

void compliant_active_update_sleepers(lzb_state *state, compliant_active *active)
{
    for (uint32_t j = 0; j < state->contacts; j++) {
        if (active->asleep[j]) {
            state->x[j] += (state->time - active->since[j]) * state->c[j];
            active->since[j] = state->time;
            wait_for(state, active, j);
        }
    }
}

/* ---- Coming in ------------------------------------------------------------------------------ */

static void place_contact(compliant_active *active, uint32_t j)
{
    active->place[j] = (uint32_t)active->count;
    active->contact[active->count++] = j;
}

static void place_indented(const lzb_state *state, compliant_active *active, size_t old)
{
    active->count = 0;
    for (size_t i = 0; i < old; i++) {
        if (compliant_presses(state->mode[active->old[i]])) {
            place_contact(active, active->old[i]);
        }
    }
    active->pressing = active->count;
    for (size_t i = 0; i < old; i++) {
        if (state->mode[active->old[i]] == COMPLIANT_RELEASED) {
            place_contact(active, active->old[i]);
        }
    }
    active->indented = active->count;
}

/* D's graph. A contact comes in awake. */
static void place_neighbours(lzb_state *state, compliant_active *active)
{
    const crm_model *model = state->model;
    for (size_t i = 0; i < active->pressing; i++) {
        uint32_t j = active->contact[i];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t k = model->d_column[l];
            if (active->place[k] == NOWHERE) {
                place_contact(active, k);
            }
        }
    }
}

static void place_all(const lzb_state *state, compliant_active *active)
{
    for (uint32_t j = 0; j < state->contacts; j++) {
        if (active->place[j] == NOWHERE) {
            place_contact(active, j);
        }
    }
}

/* For each active contact, the entries of D's row in the columns of pressing ones. */
static crm_status gather_rows(const crm_model *model, compliant_active *active, crm_error *error)
{
    size_t needed = 0, used = 0;
    for (size_t i = 0; i < active->count; i++) {
        uint32_t j = active->contact[i];
        needed += model->d_start[j + 1] - model->d_start[j];
    }
    if (needed > active->capacity) {
        free(active->by);
        free(active->value);
        active->capacity = 2 * needed;
        active->by = CRM_NEW(uint32_t, active->capacity);
        active->value = CRM_NEW(double, active->capacity);
    }
    if (needed > 0 && (active->by == NULL || active->value == NULL)) {
        active->capacity = 0;
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < active->count; i++) {
        uint32_t j = active->contact[i];
        active->start[i] = used;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t place = active->place[model->d_column[l]];
            if (place < active->pressing) {
                active->by[used] = place;
                active->value[used++] = model->d_value[l];
            }
        }
    }
    active->start[active->count] = used;
    return CRM_OK;
}

crm_status compliant_active_rebuild(lzb_state *state, compliant_active *active, crm_error *error)
{
    size_t old = active->count;
    bool has_delassus = crm_model_has_delassus(state->model);
    active->stale = false;
    memcpy(active->old, active->contact, old * sizeof *active->old);
    for (size_t i = 0; i < old; i++) {
        active->place[active->old[i]] = NOWHERE;
    }
    place_indented(state, active, old);
    if (has_delassus) {
        place_neighbours(state, active);
    } else if (active->pressing > 0) {
        place_all(state, active); /* the neighbours are not known */
    }
    for (size_t i = active->indented; i < active->count; i++) {
        wake_up(state, active, active->contact[i]);
    }
    for (size_t i = 0; i < old; i++) {
        if (active->place[active->old[i]] == NOWHERE) {
            fall_asleep(state, active, active->old[i]);
        }
    }
    return has_delassus ? gather_rows(state->model, active, error) : CRM_OK;
}

crm_status compliant_active_touch(lzb_state *state, compliant_active *active, crm_error *error)
{
    while (compliant_active_next_touch(active) <= state->time) {
        uint32_t j = active->sleepers.entry[0];
        bool from_zero =
            state->x[j] <= 0 && compliant_active_onset(state, active, j) == 0; /* exactly */
        state->x[j] = from_zero ? 0 : state->x[j] + (state->time - active->since[j]) * state->c[j];
        state->mode[j] = COMPLIANT_PRESSING;
        active->zero[j] = from_zero ? COMPLIANT_ZERO_X : COMPLIANT_NO_ZERO;
        active->turns[j] = 0;
        active->asleep[j] = 0;
        crm_heap_drop(&active->sleepers, j);
        active->contact[active->count++] = j;
    }
    return compliant_active_rebuild(state, active, error);
}
