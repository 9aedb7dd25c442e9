#include "law/lzb/bonds/bonds.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "law/lzb/bonds/inner.h"

/* Contacts that are not faster than this part of the slowest are bonds only for their exponents. */
static const double FAST_PART = 1e-3;
/* A contact is bonded only if it would swing this many times (radians) while the slowest contact
 * comes and goes: bonds are for what costs steps. The first is so high that exponents which cost
 * few steps without bonds do not meet them; the second holds once too many steps have been taken.
 */
static const double SWINGS_AT_FIRST = 1e5, SWINGS_AFTERWARDS = 300;
/* Bonded at this part of the speed that breaks it, so that it does not alternate. */
static const double BONDING_PART = 0.5;
/* Contacts that cannot be held are taken out from the fastest down to this fraction of its speed.
 */
static const double FASTEST_PART = 0.1;
/* No more than this is ever given up for a single contact. */
static const double MOST_GIVEN_UP = 1e-2;

/* Steps after which progress is checked. */
enum { STEPS_BETWEEN_LOOKS = 1000 };
/* As soon as it has gone this part of its way, a contact presses. */
static const double PRESSING_PART = 1e-6;

/* ---- One contact ---------------------------------------------------------------------------- */

static double rest_at(const crm_model *model, size_t j, double force)
{
    return crm_pow(force / model->stiffness[j], 1.0 / model->exponent[j]);
}

double lzb_bonds_swing(const crm_model *model, size_t j, double force)
{
    return force > 0 ? sqrt(2.0 * model->d_diagonal[j] * force * rest_at(model, j, force)) : 0;
}

static double frequency(const crm_model *model, size_t j, double force)
{
    double x = rest_at(model, j, force);
    return x > 0 ? sqrt(model->exponent[j] * model->d_diagonal[j] * force / x) : INFINITY;
}

/* Speed that the contact has now, or could have from the energy it stores. */
static double own_speed(const lzb_bonds *b, const lzb_state *state, size_t j)
{
    double energy =
        lzb_contact_energy(b->full->stiffness[j], b->full->exponent[j], lzb_state_depth(state, j));
    return sqrt(state->c[j] * state->c[j] + 2.0 * b->full->d_diagonal[j] * energy);
}

static void set_limits(lzb_bonds *b, const lzb_state *state)
{
    for (size_t j = 0; j < state->contacts; j++) {
        double speed = b->slow * state->speed;
        double eta = b->full->exponent[j];
        double energy = speed * speed / (2.0 * b->full->d_diagonal[j] * (1.0 + eta));
        double x = lzb_contact_indentation(b->full->stiffness[j], eta, energy);
        b->most[j] = lzb_contact_force(b->full->stiffness[j], eta, x);
    }
}

/* ---- Begin and end -------------------------------------------------------------------------- */

bool lzb_bonds_suit(const lzb_state *state)
{
    double shortest = INFINITY, longest = 0, least = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        double scale = state->x_scale[j] / state->speed;
        longest = fmax(longest, scale);
        shortest = fmin(shortest, scale);
        least = fmin(least, state->model->exponent[j]);
    }
    return crm_model_has_delassus(state->model) &&
           (least < LZB_BONDS_HARD || shortest < FAST_PART * longest);
}

static double longest_scale(const lzb_state *state)
{
    double longest = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        longest = fmax(longest, state->x_scale[j] / state->speed);
    }
    return longest;
}

static crm_status take_room(lzb_bonds *b, const lzb_state *state, crm_error *error)
{
    crm_pool *pool = state->pool;
    size_t s = state->contacts;
    b->member = CRM_TAKE(pool, uint32_t, s);
    b->trial = CRM_TAKE(pool, uint32_t, s);
    b->place = CRM_TAKE(pool, size_t, s);
    b->pressing = CRM_TAKE(pool, double, s);
    b->force = CRM_TAKE(pool, double, s);
    b->ended = CRM_TAKE(pool, double, s);
    b->most = CRM_TAKE(pool, double, s);
    b->top = CRM_TAKE(pool, double, s);
    b->highest = CRM_TAKE(pool, double, s);
    b->given_up = CRM_TAKE(pool, double, s);
    b->phase = CRM_TAKE(pool, double, s);
    b->shift = CRM_TAKE(pool, double, s);
    b->work = CRM_TAKE(pool, double, s);
    b->reduced.d_start = CRM_TAKE(pool, size_t, s + 1);
    bool all = b->member != NULL && b->trial != NULL && b->place != NULL && b->pressing != NULL &&
               b->force != NULL && b->ended != NULL && b->most != NULL && b->top != NULL &&
               b->highest != NULL && b->given_up != NULL && b->phase != NULL && b->shift != NULL &&
               b->work != NULL && b->reduced.d_start != NULL;
    return all ? CRM_OK : crm_fail_memory(error);
}

/* Steps before more is given up, and steps that one coming and going of the slowest contact may
 * take: a constant, and a number for each contact. Chosen so that the chain of 100 on a wall takes
 * seconds (docs/accuracy.md).
 */
static lzb_bonds_pace pace_of(double effort, double contacts)
{
    const double budget = 20000, budget_each = 200, affordable = 50000, affordable_each = 500;
    uint64_t steps = (uint64_t)(effort * (budget + budget_each * contacts));
    return (lzb_bonds_pace){.budget = steps,
                            .next = steps,
                            .affordable = effort * (affordable + affordable_each * contacts)};
}

crm_status lzb_bonds_begin(lzb_state *state, double slow, double effort, lzb_bonds **bonds,
                           crm_error *error)
{
    if (*bonds == NULL) {
        *bonds = CRM_NEW(lzb_bonds, 1);
        if (*bonds == NULL) {
            return crm_fail_memory(error);
        }
    }
    lzb_bonds *b = *bonds;
    b->full = state->model;
    b->count = 0;
    b->slow = slow;
    b->swings = SWINGS_AT_FIRST;
    b->pace = pace_of(effort, (double)state->contacts);
    b->longest = longest_scale(state);
    b->possible = lzb_bonds_suit(state);
    if (!b->possible) {
        return CRM_OK;
    }
    b->reduced = *b->full;
    crm_status status = take_room(b, state, error);
    if (status != CRM_OK) {
        return status;
    }
    for (size_t j = 0; j < state->contacts; j++) {
        b->place[j] = SIZE_MAX;
    }
    set_limits(b, state);
    state->bond = b->force;
    return CRM_OK;
}

void lzb_bonds_free(lzb_bonds *b)
{
    if (b != NULL) {
        lzb_skyline_release(&b->skyline);
        free(b->column);
        free(b->value);
        free(b);
    }
}

bool lzb_bonds_possible(const lzb_bonds *b)
{
    return b->possible;
}

bool lzb_bonds_any(const lzb_bonds *b)
{
    return b->count > 0;
}

/* At the present pace, would one coming and going of the slowest contact take too many steps? */
static bool too_slow(lzb_bonds *b, const lzb_state *state, uint64_t steps)
{
    if (steps < b->pace.looked + STEPS_BETWEEN_LOOKS) {
        return false;
    }
    double pace = (state->time - b->pace.looked_at) / (double)(steps - b->pace.looked);
    b->pace.looked = steps;
    b->pace.looked_at = state->time;
    return pace * b->pace.affordable < b->longest;
}

void lzb_bonds_relax(lzb_bonds *b, const lzb_state *state, uint64_t steps)
{
    if (!b->possible) {
        return;
    }
    bool late = steps >= b->pace.next;
    if (late || too_slow(b, state, steps)) {
        b->slow = fmin(2.0 * b->slow, MOST_GIVEN_UP);
        b->swings = SWINGS_AFTERWARDS;
        b->pace.next += late ? b->pace.budget : 0;
        set_limits(b, state);
    }
}

/* Where in its swing a contact was when it became a bond, or would be when it breaks, has nothing
 * to do with the last time.
 */
static void give_up(lzb_bonds *b, size_t j, double speed)
{
    b->given_up[j] = crm_hypot(b->given_up[j], speed);
}

static void forget(lzb_bonds *b, lzb_state *state, size_t j)
{
    give_up(b, j, lzb_bonds_swing(b->full, j, b->top[j]) / state->speed);
    b->highest[j] = fmax(b->highest[j], b->top[j]);
    b->top[j] = b->force[j] = 0;
}

void lzb_bonds_end(lzb_bonds *b, lzb_state *state)
{
    state->model = b->full;
    if (!b->possible) {
        return;
    }
    for (size_t i = 0; i < b->count; i++) {
        state->compressions[b->member[i]]++;
        forget(b, state, b->member[i]);
    }
    for (size_t j = 0; j < state->contacts; j++) {
        state->peak[j] = fmax(state->peak[j], b->highest[j]);
        state->step_error[j] += b->shift[j] + b->given_up[j];
    }
    b->count = 0;
}

/* ---- Forces of bonds ------------------------------------------------------------------------ */

void lzb_bonds_forces(const lzb_bonds *b, const uint32_t *set, size_t count, double *force)
{
    const crm_model *m = b->full;
    for (size_t i = 0; i < count; i++) {
        size_t j = set[i];
        double sum = 0;
        for (size_t l = m->d_start[j]; l < m->d_start[j + 1]; l++) {
            uint32_t r = m->d_column[l];
            sum -= b->place[r] == SIZE_MAX ? m->d_value[l] * b->pressing[r] : 0;
        }
        force[i] = sum;
    }
    lzb_skyline_solve(&b->skyline, force);
}

/* ---- Making and breaking -------------------------------------------------------------------- */

/* A contact that closes from 0 presses in no time. */
static void press_ahead(lzb_bonds *b, const lzb_state *state, const lzb_window *w)
{
    for (size_t k = 0; k < w->count; k++) {
        if (w->trial.x0[k] == 0 && w->trial.c0[k] > 0) {
            size_t j = w->contact[k];
            double x = PRESSING_PART * state->x_scale[j] * w->trial.c0[k] / state->speed;
            b->pressing[j] = lzb_contact_force(w->fixed.stiffness[k], w->fixed.exponent[k], x);
        }
    }
}

/* The set to be tried: the bonds there are, and the contacts that may become bonds. */
static void choose_trial(lzb_bonds *b, const lzb_state *state, const lzb_window *w)
{
    size_t i = 0;
    b->trial_count = 0;
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        double c = state->c[j], slow = BONDING_PART * b->slow * state->speed;
        bool pressed = state->x[j] > 0 && state->p[j] * b->full->d_diagonal[j] > -2 * c;
        bool entering = state->x[j] == 0 && state->mode[j] == LZB_COMPRESSING;
        if (!(fabs(c) <= slow) || !(c >= 0 || pressed || entering) ||
            !(own_speed(b, state, j) <= slow)) {
            continue;
        }
        while (i < b->count && b->member[i] < j) {
            b->trial[b->trial_count++] = b->member[i++];
        }
        b->trial[b->trial_count++] = j;
    }
    while (i < b->count) {
        b->trial[b->trial_count++] = b->member[i++];
    }
}

static bool is_bond(const lzb_bonds *b, size_t j)
{
    return b->top[j] > 0;
}

static bool may_stay(const lzb_bonds *b, const lzb_state *state, size_t j, double force)
{
    if (is_bond(b, j)) {
        return force >= 0 && force <= b->most[j];
    }
    return force > 0 && force <= b->most[j] &&
           lzb_bonds_swing(b->full, j, force) <= BONDING_PART * b->slow * state->speed &&
           frequency(b->full, j, force) * b->longest > b->swings;
}

/* A bond that breaks by too large a force goes on from where it was at rest just before, however
 * suddenly the force has grown.
 */
static void break_bond(lzb_bonds *b, lzb_stepper *s, size_t j, double force)
{
    lzb_state *state = s->state;
    bool opens = !(force > b->most[j]);
    state->mode[j] = opens ? LZB_OPEN : LZB_COMPRESSING;
    state->x[j] = opens ? 0 : rest_at(b->full, j, b->most[j]);
    b->pressing[j] = opens ? 0 : b->most[j];
    s->energy_debt += lzb_contact_energy(b->full->stiffness[j], b->full->exponent[j], state->x[j]);
    if (opens) {
        state->compressions[j]++;
        state->opened = fmax(state->opened, state->time);
    }
    forget(b, state, j);
}

/* The speed from which on contacts of the trial set that cannot be bonds are taken out: one that
 * moves while others are held next to it may be the only obstacle.
 */
static double speed_to_go(const lzb_bonds *b, const lzb_state *state)
{
    double fastest = 0;
    for (size_t i = 0; i < b->trial_count; i++) {
        if (!may_stay(b, state, b->trial[i], b->work[i])) {
            fastest = fmax(fastest, own_speed(b, state, b->trial[i]));
        }
    }
    return FASTEST_PART * fastest;
}

/* Take out of the trial set what cannot be a bond, until the rest can; forces in b->work. */
static crm_status thin_out(lzb_bonds *b, lzb_stepper *s, bool *broke, crm_error *error)
{
    *broke = false;
    for (bool stable = false; !stable;) {
        size_t singular, kept = 0;
        lzb_bonds_mark(b, b->trial, b->trial_count, true);
        crm_status status = lzb_skyline_factorize(&b->skyline, b->full, b->trial, b->trial_count,
                                                  b->place, &singular, error);
        if (status != CRM_OK) {
            return status;
        }
        if (singular == SIZE_MAX) {
            lzb_bonds_forces(b, b->trial, b->trial_count, b->work);
        }
        lzb_bonds_mark(b, b->trial, b->trial_count, false);
        double too_fast = singular == SIZE_MAX ? speed_to_go(b, s->state) : 0;
        for (size_t i = 0; i < b->trial_count; i++) {
            uint32_t j = b->trial[i];
            bool stays = singular == SIZE_MAX ? may_stay(b, s->state, j, b->work[i]) ||
                                                    own_speed(b, s->state, j) < too_fast
                                              : i != singular;
            if (stays) {
                b->trial[kept++] = j;
            } else if (is_bond(b, j)) {
                break_bond(b, s, j, singular == SIZE_MAX ? b->work[i] : b->force[j]);
                *broke = true;
            }
        }
        stable = kept == b->trial_count;
        b->trial_count = kept;
    }
    return CRM_OK;
}

/* The new bonds come to rest, by impulses of all bonds: their energy is given up, to the other
 * contacts if the new ones never lose any.
 */
static void come_to_rest(lzb_bonds *b, lzb_stepper *s)
{
    lzb_state *state = s->state;
    const crm_model *m = b->full;
    for (size_t i = 0; i < b->count; i++) {
        b->work[i] = state->c[b->member[i]];
    }
    lzb_skyline_solve(&b->skyline, b->work);
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        double given_up =
            lzb_contact_energy(m->stiffness[j], m->exponent[j], lzb_state_depth(state, j)) +
            0.5 * b->work[i] * state->c[j];
        if (m->restitution[j] == 1) {
            s->energy_debt -= given_up;
        } else {
            state->loss[j] += given_up;
        }
        if (!is_bond(b, j)) {
            give_up(b, j, own_speed(b, state, j) / state->speed);
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        lzb_state_add_impulse(state, j, b->work[i]);
        for (size_t l = m->d_start[j]; l < m->d_start[j + 1]; l++) {
            state->c[m->d_column[l]] -= m->d_value[l] * b->work[i];
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        state->x[j] = state->x_open[j] = state->c[j] = 0;
        state->mode[j] = LZB_OPEN;
    }
}

static void note_forces(lzb_bonds *b)
{
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        b->force[j] = b->work[i];
        b->top[j] = fmax(b->top[j], b->work[i]);
    }
}

crm_status lzb_bonds_adjust(lzb_bonds *b, lzb_stepper *s, bool *changed, crm_error *error)
{
    *changed = false;
    if (!b->possible) {
        return CRM_OK;
    }
    lzb_window *w = s->window;
    bool broke = false;
    choose_trial(b, s->state, w);
    if (b->trial_count == 0) {
        return CRM_OK;
    }
    lzb_bonds_press(b, w, w->trial.f0);
    press_ahead(b, s->state, w);
    crm_status status = thin_out(b, s, &broke, error);
    *changed = broke || b->trial_count != b->count;
    s->bonds_share = fmin(10.0 * b->slow, 1.0) * b->slow;
    b->line = b->count == 0 ? w->whole.line : b->line;
    if (status == CRM_OK && *changed) {
        memcpy(b->member, b->trial, b->trial_count * sizeof *b->member);
        b->count = b->trial_count;
        memcpy(b->ended, b->work, b->count * sizeof *b->ended);
        come_to_rest(b, s);
        memcpy(b->work, b->ended, b->count * sizeof *b->work);
    }
    note_forces(b);
    if (status == CRM_OK && *changed) {
        lzb_bonds_mark(b, b->member, b->count, true);
        status = lzb_bonds_reduce(b, s->state, error);
        lzb_bonds_mark(b, b->member, b->count, false);
        lzb_window_forget_model(w, b->line && b->count == 0); /* D_eff is laid out otherwise */
    }
    lzb_bonds_press(b, w, NULL);
    return status;
}
