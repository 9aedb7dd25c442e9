/* Which contacts are at work: see compliant_active in compliant.h. */
#include <stdlib.h>
#include <string.h>

#include "law/compliant/compliant.h"

#include "base/elementary.h"

static const uint32_t NOWHERE = UINT32_MAX;

/* ---- Sleep ---------------------------------------------------------------------------------- */

static double touches_at(const lzb_state *state, const compliant_active *active, size_t j)
{
    return active->since[j] + fmax(active->onset[j] - state->x[j], 0) / state->c[j];
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

/* Indented by x_scale, a contact's force is changed by a part x_f/x_scale: that acts as long as the
 * contact presses and is held to the error of a step. The neglected energy could open a contact at
 * a part (x_f/x_scale)^((1+eta)/2) of the speed: that happens once, and is held to the error of as
 * many steps as an impact takes at least.
 */
static double cutoff_indentation(double exponent, double step_tolerance)
{
    const double steps = 30;
    return fmin(step_tolerance, crm_pow(steps * step_tolerance, 2.0 / (1.0 + exponent)));
}

static void set_cutoff(const lzb_state *state, double step_tolerance, compliant_active *active)
{
    double exponent = NAN, part = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        if (state->model->exponent[j] != exponent) {
            exponent = state->model->exponent[j];
            part = cutoff_indentation(exponent, step_tolerance);
        }
        active->cutoff[j] = active->onset[j] = part * state->x_scale[j];
    }
}

/* Contacts that are indented from the beginning are taken in, all others sleep. */
static void start(lzb_state *state, double damping, compliant_active *active)
{
    const crm_model *model = state->model;
    for (uint32_t j = 0; j < state->contacts; j++) {
        double x = state->x[j] - active->cutoff[j];
        bool indented = x > 0, presses = model->stiffness[j] * x + damping * state->c[j] > 0;
        active->place[j] = NOWHERE;
        state->mode[j] = (uint8_t)(!indented ? COMPLIANT_OPEN
                                   : presses ? COMPLIANT_PRESSING
                                             : COMPLIANT_RELEASED);
        if (indented) {
            active->contact[active->count++] = j;
        } else {
            fall_asleep(state, active, j);
        }
    }
}

crm_status compliant_active_create(lzb_state *state, double step_tolerance, double damping,
                                   double slow, compliant_active *active, crm_error *error)
{
    size_t s = state->contacts;
    *active = (compliant_active){.slow = slow,
                                 .contact = CRM_NEW(uint32_t, s),
                                 .place = CRM_NEW(uint32_t, s),
                                 .cutoff = CRM_NEW(double, s),
                                 .onset = CRM_NEW(double, s),
                                 .since = CRM_NEW(double, s),
                                 .asleep = CRM_NEW(uint8_t, s),
                                 .zero = CRM_NEW(uint8_t, s),
                                 .turns = CRM_NEW(uint8_t, s),
                                 .start = CRM_NEW(size_t, s + 1),
                                 .old = CRM_NEW(uint32_t, s)};
    if (active->contact == NULL || active->place == NULL || active->cutoff == NULL ||
        active->onset == NULL || active->since == NULL || active->asleep == NULL ||
        active->zero == NULL || active->turns == NULL || active->start == NULL ||
        active->old == NULL || !crm_heap_create(&active->sleepers, s)) {
        return crm_fail_memory(error);
    }
    set_cutoff(state, step_tolerance, active);
    start(state, damping, active);
    return compliant_active_rebuild(state, active, error);
}

void compliant_active_release(compliant_active *active)
{
    crm_heap_release(&active->sleepers);
    free(active->contact);
    free(active->place);
    free(active->cutoff);
    free(active->onset);
    free(active->since);
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
    state->x[j] = fmin(state->x[j], active->onset[j]);
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

static void place_those(const lzb_state *state, compliant_active *active, size_t old,
                        compliant_mode mode, bool power)
{
    for (size_t i = 0; i < old; i++) {
        uint32_t j = active->old[i];
        if (state->mode[j] == mode &&
            (lzb_contact_kind(state->model->exponent[j]) != LZB_LINEAR) == power) {
            place_contact(active, j);
        }
    }
}

static void place_indented(const lzb_state *state, compliant_active *active, size_t old)
{
    active->count = 0;
    place_those(state, active, old, COMPLIANT_PRESSING, true);
    active->powers = active->count;
    place_those(state, active, old, COMPLIANT_PRESSING, false);
    active->pressing = active->count;
    place_those(state, active, old, COMPLIANT_RELEASED, true);
    place_those(state, active, old, COMPLIANT_RELEASED, false);
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

/* Of each active contact, the part of D's row that belongs to pressing ones. */
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

/* The indentation whose energy could open the contact at a speed that counts,
 * sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2).
 */
static double onset_of_slow(const lzb_state *state, const compliant_active *active, uint32_t j)
{
    double part = crm_pow(active->slow, 2.0 / (1.0 + state->model->exponent[j]));
    return fmax(part * state->x_scale[j], active->cutoff[j]);
}

/* Behind a wave contacts come together at speeds of rounding, in long chains thousands of them. One
 * that comes slowly is left alone until its energy counts.
 */
void compliant_active_reach_onset(lzb_state *state, compliant_active *active, uint32_t j)
{
    bool first = active->onset[j] == active->cutoff[j];
    double onset = onset_of_slow(state, active, j);
    if (first && state->c[j] < active->slow * state->speed && onset > active->cutoff[j]) {
        active->onset[j] = onset;
        active->zero[j] = COMPLIANT_NO_ZERO;
        return;
    }
    state->x[j] = active->onset[j];
    state->mode[j] = COMPLIANT_PRESSING;
    active->zero[j] = first ? COMPLIANT_ZERO_X : COMPLIANT_NO_ZERO;
}

/* For the same reason a contact that has nearly recovered, and hardly moves, opens: its force would
 * stay negligible until the end.
 */
bool compliant_active_drop_negligible(lzb_state *state, compliant_active *active)
{
    bool any = false;
    for (size_t i = 0; i < active->pressing; i++) {
        uint32_t j = active->contact[i];
        if (fabs(state->c[j]) < active->slow * state->speed &&
            state->x[j] < onset_of_slow(state, active, j)) {
            active->onset[j] = onset_of_slow(state, active, j);
            state->mode[j] = COMPLIANT_OPEN;
            any = true;
        }
    }
    return any;
}

crm_status compliant_active_touch(lzb_state *state, compliant_active *active, crm_error *error)
{
    while (compliant_active_next_touch(active) <= state->time) {
        uint32_t j = active->sleepers.entry[0];
        double x = active->onset[j];
        compliant_active_reach_onset(state, active, j);
        if (state->mode[j] == COMPLIANT_PRESSING) {
            state->contact_time[j] += x / state->c[j]; /* since the gap was closed */
            active->turns[j] = 0;
            active->asleep[j] = 0;
            crm_heap_drop(&active->sleepers, j);
            active->contact[active->count++] = j;
        } else {
            wait_for(state, active, j); /* for its later onset */
        }
    }
    return compliant_active_rebuild(state, active, error);
}
