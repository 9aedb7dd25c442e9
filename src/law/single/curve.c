/* u_t = rho t, t a unit vector, n across it. With dP = rho dtau
 *     t' = h n,   h = n'b - mu n'D_tt t,   rho' = g rho,   g = t'b - mu t'D_tt t,
 *     c' = -(a - mu b't) rho,   Q' = -mu rho t,
 * and the work of c is the integral of c rho. All right sides are polynomials, nothing is singular
 * where the slip ends (tau goes to infinity, rho to 0 like an exponential), and the power series of
 * all in tau follow from one another, coefficient by coefficient.
 */
#include "law/single/curve.h"
#include "base/elementary.h"

#include <math.h>

enum { ORDER = 24, COUNT = ORDER + 1 };
/* A turn that moves u by less than this part of what friction and P do, and speeds of slip below
 * this part of the first, are none.
 */
static const double NO_TURN = 1e-16, NO_SLIP = 1e-18;
/* Part of a series that its last term may be. */
static const double LAST_TERM = 1e-23;
/* A step, in units of the time in which slip may turn. */
static const double LONGEST = 8;
enum { MOST_STEPS = 4000, PARTS = 8, HALVINGS = 1100 };

void crm_single_rates(const crm_single *contact, const double *t, double *along, double *across)
{
    double rate[2] = {0, 0};
    for (unsigned i = 0; i < contact->tangents; i++) {
        rate[i] = contact->d[1 + i][0];
        for (unsigned k = 0; k < contact->tangents; k++) {
            rate[i] -= contact->friction * contact->d[1 + i][1 + k] * t[k];
        }
    }
    *along = rate[0] * t[0] + rate[1] * t[1];
    *across = rate[1] * t[0] - rate[0] * t[1];
}

double crm_single_slope(const crm_single *contact, const double *t)
{
    double slope = contact->d[0][0];
    for (unsigned i = 0; i < contact->tangents; i++) {
        slope -= contact->friction * contact->d[0][1 + i] * t[i];
    }
    return slope;
}

/* ---- Series ---------------------------------------------------------------------------------- */

typedef double series[COUNT];

typedef struct motion {
    series x, y, slip;        /* t, rho */
    series turn, gain, slope; /* h, g, a - mu b't */
    series closing, work;     /* c, integral of c rho */
    series impulse, q[2], rubbed;
} motion;

/* Coefficient k of a product. */
static double product(const double *a, const double *b, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++) {
        sum += a[i] * b[k - i];
    }
    return sum;
}

static void expand_rates(const crm_single *contact, motion *m, int k)
{
    const double(*d)[CRM_SINGLE_ROWS] = contact->d;
    double mu = contact->friction, x = m->x[k], y = m->y[k];
    double xx = product(m->x, m->x, k), xy = product(m->x, m->y, k), yy = product(m->y, m->y, k);
    m->turn[k] = d[2][0] * x - d[1][0] * y - mu * ((d[2][2] - d[1][1]) * xy + d[1][2] * (xx - yy));
    m->gain[k] = d[1][0] * x + d[2][0] * y - mu * (d[1][1] * xx + 2 * d[1][2] * xy + d[2][2] * yy);
    m->slope[k] = (k == 0 ? d[0][0] : 0) - mu * (d[0][1] * x + d[0][2] * y);
}

static void expand_motion(const crm_single_state *state, motion *m)
{
    double mu = state->contact->friction;
    m->x[0] = state->along[0];
    m->y[0] = state->along[1];
    m->slip[0] = state->slip;
    m->closing[0] = state->stronge.closing;
    m->work[0] = m->impulse[0] = m->q[0][0] = m->q[1][0] = m->rubbed[0] = 0;
    for (int k = 0; k < ORDER; k++) {
        expand_rates(state->contact, m, k);
        double next = k + 1;
        m->x[k + 1] = -product(m->turn, m->y, k) / next;
        m->y[k + 1] = product(m->turn, m->x, k) / next;
        m->closing[k + 1] = -product(m->slope, m->slip, k) / next;
        m->work[k + 1] = product(m->closing, m->slip, k) / next;
        m->impulse[k + 1] = m->slip[k] / next;
        m->q[0][k + 1] = -mu * product(m->slip, m->x, k) / next;
        m->q[1][k + 1] = -mu * product(m->slip, m->y, k) / next;
        m->rubbed[k + 1] = mu * product(m->slip, m->slip, k) / next;
        m->slip[k + 1] = product(m->gain, m->slip, k) / next;
    }
}

static double value(const double *a, double at)
{
    double sum = 0;
    for (int k = ORDER; k >= 0; k--) {
        sum = sum * at + a[k];
    }
    return sum;
}

/* How far the series of a number of size 1 can be trusted. */
static double reach(const double *a, double size)
{
    double last = fmax(fabs(a[ORDER]), fabs(a[ORDER - 1])) / size;
    return last > 0 ? crm_pow(LAST_TERM / last, 1.0 / ORDER) : INFINITY;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* What is positive until the next event: c, or -c; and the work that is left to be returned. */
static double until_turn(const crm_stronge *stronge, const motion *m, double at)
{
    double c = value(m->closing, at);
    return stronge->expands ? -c : c;
}

static double until_end(const crm_stronge *stronge, const motion *m, double at)
{
    return stronge->expands ? stronge->work + value(m->work, at) : 1;
}

static bool is_before(const crm_stronge *stronge, const motion *m, double at)
{
    return until_turn(stronge, m, at) > 0 && until_end(stronge, m, at) > 0;
}

/* Where the next event is, up to `length`; *found: there is one. At an event c = 0 may come from
 * the last one, so the search begins a little later.
 */
static double find_event(const crm_stronge *stronge, const motion *m, double length, bool *found)
{
    double low = 0, high = 0;
    for (int part = 1; part <= PARTS; part++) {
        high = length * part / PARTS;
        if (!is_before(stronge, m, high)) {
            break;
        }
        low = high;
    }
    *found = low < length;
    for (int k = 0; *found && k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high) {
            break;
        }
        if (is_before(stronge, m, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return *found ? high : length;
}

static void move_to(crm_single_state *state, const motion *m, double at)
{
    crm_stronge *stronge = &state->stronge;
    double x = value(m->x, at), y = value(m->y, at), unit = crm_hypot(x, y);
    state->along[0] = x / unit;
    state->along[1] = y / unit;
    state->slip = value(m->slip, at);
    state->impulse[0] += value(m->impulse, at);
    state->impulse[1] += value(m->q[0], at);
    state->impulse[2] += value(m->q[1], at);
    state->rubbed += value(m->rubbed, at);
    stronge->work += value(m->work, at); /* of c: falls while it opens */
    stronge->closing = value(m->closing, at);
}

/* One step, at most to the next event. size: of rates. */
static void step(crm_single_state *state, double size)
{
    motion m;
    crm_stronge *stronge = &state->stronge;
    expand_motion(state, &m);
    double length = fmin(fmin(reach(m.x, 1), reach(m.y, 1)), reach(m.slip, state->slip));
    length = fmin(length, LONGEST / size); /* terms may be too small for numbers */
    bool event;
    state->jammed |= m.slope[0] < 0;
    double at = find_event(stronge, &m, length, &event);
    bool ends = event && until_end(stronge, &m, at) <= 0;
    move_to(state, &m, at);
    if (ends) {
        stronge->work = 0;
        stronge->ended = true;
    } else if (event) {
        crm_stronge_turn(stronge);
    }
}

void crm_single_follow_curve(crm_single_state *state)
{
    const crm_single *contact = state->contact;
    double first = state->slip;
    double size = contact->d[0][0] + fabs(contact->d[1][0]) + fabs(contact->d[2][0]) +
                  contact->friction * (contact->d[1][1] + contact->d[2][2]);
    for (int k = 0; k < MOST_STEPS && !state->stronge.ended; k++) {
        double along, across;
        crm_single_rates(contact, state->along, &along, &across);
        if (fabs(across) <= NO_TURN * size) {
            return;
        }
        if (state->slip <= NO_SLIP * first) {
            state->slip = 0;
            return;
        }
        step(state, size);
    }
}
