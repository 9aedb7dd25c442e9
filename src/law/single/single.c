#include "law/single/single.h"
#include "base/elementary.h"

#include <float.h>
#include <math.h>

#include "carom/outcome.h"
#include "law/single/curve.h"

/* D_nn - D_nt^2 / D_tt below this part of D_nn is the rounding of a singular D. */
static const double SINGULAR = 16 * DBL_EPSILON;

static double coupling(const crm_single *contact)
{
    return contact->tangents == 1 ? fabs(contact->d[0][1])
                                  : crm_hypot(contact->d[0][1], contact->d[0][2]);
}

double crm_single_critical_friction(const crm_single *contact)
{
    double b = coupling(contact);
    return b > 0 ? contact->d[0][0] / b : INFINITY;
}

/* Q and energy of friction along a straight way of impulse `way`, at the rate `gain` of slip. */
static void rub(crm_single_state *state, double way, double gain)
{
    double mu = state->contact->friction;
    double next = state->slip + gain * way;
    state->impulse[0] += way;
    state->impulse[1] -= mu * way * state->along[0];
    state->impulse[2] -= mu * way * state->along[1];
    state->rubbed += 0.5 * mu * way * (state->slip + next);
    state->slip = next;
}

/* ---- At rest --------------------------------------------------------------------------------- */

/* (s + shift)^-1 b, s = factor D_tt; in the plane its first component. */
static void solve_shifted(const crm_single *contact, double factor, double shift, double *x)
{
    const double(*d)[CRM_SINGLE_ROWS] = contact->d;
    double p = factor * d[1][1] + shift, b = d[1][0];
    x[1] = 0;
    if (contact->tangents == 1) {
        x[0] = p > 0 ? b / p : 0;
        return;
    }
    double q = factor * d[1][2], r = factor * d[2][2] + shift, c = d[2][0];
    double determinant = p * r - q * q;
    x[0] = determinant > 0 ? (r * b - q * c) / determinant : 0;
    x[1] = determinant > 0 ? (p * c - q * b) / determinant : 0;
}

/* The direction in which it slips from rest: D_tn - mu D_tt t = g t, so that with |t| = 1
 * t = (mu D_tt + g)^-1 D_tn, of which the length falls as g > 0 grows.
 */
static void find_direction(const crm_single *contact, double *t)
{
    enum { HALVINGS = 100 };
    double low = 0, high = coupling(contact); /* there |t| <= 1 */
    for (int k = 0; contact->tangents == 2 && k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        solve_shifted(contact, contact->friction, middle, t);
        if (crm_hypot(t[0], t[1]) > 1) {
            low = middle;
        } else {
            high = middle;
        }
    }
    solve_shifted(contact, contact->friction, high, t);
    double length = crm_hypot(t[0], t[1]);
    if (!(length > 0)) { /* mu = 0 and D_nt = 0: no slip at all */
        t[0] = 1;
        t[1] = 0;
        return;
    }
    t[0] /= length;
    t[1] /= length;
}

/* While it sticks f = -D_tt^-1 D_tn and c falls at this rate; 0: u_n vanishes with u_t, and the
 * contact locks.
 */
static double slope_of_stick(const crm_single *contact, const double *friction)
{
    double slope =
        contact->d[0][0] - (contact->d[0][1] * friction[0] + contact->d[0][2] * friction[1]);
    return slope > SINGULAR * contact->d[0][0] ? slope : 0;
}

static void follow_stick(crm_single_state *state, const double *friction)
{
    double slope = slope_of_stick(state->contact, friction);
    double way = crm_stronge_follow(&state->stronge, slope, INFINITY);
    state->impulse[0] += way;
    state->impulse[1] -= way * friction[0];
    state->impulse[2] -= way * friction[1];
}

/* Slip that does not turn, until it stops or the impact has ended. `locks`: when it stops. */
static void follow_slip(crm_single_state *state, bool locks)
{
    double gain, across, slope = crm_single_slope(state->contact, state->along);
    crm_single_rates(state->contact, state->along, &gain, &across);
    double stop = gain < 0 ? -state->slip / gain : INFINITY, way = stop;
    crm_stronge *stronge = &state->stronge;
    state->jammed |= slope < 0;
    if (locks && stop < INFINITY && !stronge->expands) {
        stronge->work += 0.5 * stronge->closing * stop;
        stronge->closing = 0;
        stronge->locked = true;
    } else {
        way = crm_stronge_follow(stronge, slope, stop);
    }
    rub(state, way, gain);
    if (!(way < stop)) {
        state->slip = 0;
    }
}

/* ---- All together ---------------------------------------------------------------------------- */

static crm_single_end end_of(const crm_single_state *state, unsigned path)
{
    const crm_stronge *stronge = &state->stronge;
    crm_single_end end = {.impulse = {state->impulse[0], state->impulse[1], state->impulse[2]},
                          .u = {-stronge->closing, 0, 0},
                          .loss_restitution = stronge->lost,
                          .loss_friction = state->rubbed,
                          .path = path | (state->jammed ? CRM_PATH_JAM : 0),
                          .locked = stronge->locked};
    end.u[1] = state->slip * state->along[0];
    end.u[2] = state->slip * state->along[1];
    if (stronge->locked) {
        end.u[0] = 0;
        end.held = stronge->work;
    }
    return end;
}

crm_single_end crm_single_solve(const crm_single *contact)
{
    crm_single_state state = {
        .contact = contact,
        .stronge = {.restitution = contact->restitution, .closing = -contact->u[0]},
        .along = {1, 0}};
    double u[2] = {contact->u[1], contact->tangents == 2 ? contact->u[2] : 0}, friction[2];
    unsigned path = 0;
    solve_shifted(contact, 1, 0, friction);
    bool sticks = crm_hypot(friction[0], friction[1]) <= contact->friction;
    bool locks = sticks && !(slope_of_stick(contact, friction) > 0);
    state.slip = contact->tangents == 2 ? crm_hypot(u[0], u[1]) : fabs(u[0]);
    if (state.slip > 0) {
        path |= CRM_PATH_SLIP;
        state.along[0] = u[0] / state.slip;
        state.along[1] = u[1] / state.slip;
        if (contact->tangents == 2) {
            crm_single_follow_curve(&state);
        }
        if (state.slip > 0 && !state.stronge.ended) {
            follow_slip(&state, locks);
        }
    }
    if (state.stronge.ended || state.stronge.locked) {
        return end_of(&state, path);
    }
    state.slip = 0;
    if (sticks) {
        follow_stick(&state, friction);
        return end_of(&state, path | CRM_PATH_STICK);
    }
    find_direction(contact, state.along);
    follow_slip(&state, false);
    return end_of(&state, path != 0 ? path | CRM_PATH_REVERSED : CRM_PATH_SLIP);
}
