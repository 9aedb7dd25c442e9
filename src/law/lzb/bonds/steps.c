/* Bonds from step to step. */
#include "law/lzb/bonds/inner.h"

#include "base/elementary.h"

/* A relative error of its speed puts a contact out of step by this many times as much a swing. */
static const double RADIANS_A_SWING = 6.283;
/* The part of that speed which breaking too late may cost. */
static const double LATENESS_PART = 0.03;

/* ---- Errors --------------------------------------------------------------------------------- */

/* An error may move a contact of almost no indentation and load to where it presses hard: the force
 * there, if the error brings this much energy.
 */
static double force_of_error(const lzb_window *w, size_t k, double energy)
{
    double eta = w->fixed.exponent[k];
    return w->fixed.stiffness[k] * crm_pow(energy / w->fixed.stiffness[k], eta / (1.0 + eta));
}

/* An error of x is one of energy, force times dx, and shows as a speed: D f dx / c, with the speed
 * c at which the contact moves or swings. For an exponent below 1 that may be far more than
 * dx / x_scale, on which the steps are judged otherwise.
 */
void lzb_bonds_weigh(const lzb_bonds *b, const lzb_stepper *s)
{
    lzb_window *w = s->window;
    double h = s->length, speed = s->state->speed, slow = b->slow * speed;
    if (!b->possible) {
        return;
    }
    double *ahead = w->trial.correction; /* forces that there will be within the step */
    for (size_t k = 0; k < w->count; k++) {
        double x =
            w->trial.x0[k] + w->fixed.offset[k] + h * w->fixed.rate[k] * fmax(w->trial.c0[k], 0);
        ahead[k] = w->fixed.rate[k] > 0
                       ? lzb_contact_force(w->fixed.stiffness[k], w->fixed.exponent[k], x)
                       : 0;
    }
    for (size_t k = 0; k < w->count; k++) {
        size_t j = w->contact[k];
        if (!(w->fixed.exponent[k] < LZB_BONDS_HARD) || !(w->fixed.rate[k] > 0)) {
            continue;
        }
        double d = b->full->d_diagonal[j];
        double pull = fmax(fabs(w->trial.a0[k]), fabs(lzb_coupling_product(w, k, ahead)));
        double x =
            w->trial.x0[k] + w->fixed.offset[k] + w->fixed.rate[k] * h * fabs(w->trial.c0[k]);
        double far = x + 0.5 * w->fixed.rate[k] * h * h * pull;
        double force = fmin(lzb_contact_force(w->fixed.stiffness[k], w->fixed.exponent[k], far),
                            fmax(w->trial.f0[k], pull / d));
        double swings = sqrt(w->trial.c0[k] * w->trial.c0[k] + 2.0 * d * force * x + slow * slow);
        force = fmax(force, force_of_error(w, k, s->tolerance * speed * swings / d));
        w->fixed.per_scale[k] = fmax(1.0 / s->state->x_scale[j], d * force / (swings * speed));
    }
}

/* ---- Steps ---------------------------------------------------------------------------------- */

bool lzb_bonds_hold(lzb_bonds *b, const lzb_stepper *s, double *length)
{
    lzb_window *w = s->window;
    double shortest = 1e-13 * (s->state->time + *length), part = 1;
    lzb_bonds_press(b, w, w->trial.f);
    lzb_bonds_mark(b, b->member, b->count, true);
    lzb_bonds_forces(b, b->member, b->count, b->ended);
    lzb_bonds_mark(b, b->member, b->count, false);
    lzb_bonds_press(b, w, NULL);
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        double bound = b->ended[i] < 0 ? 0 : b->most[j], force = b->force[j];
        double beyond = fmax(-b->ended[i], b->ended[i] - b->most[j]);
        double cost = b->full->d_diagonal[j] * beyond * *length / s->state->speed;
        if (cost > LATENESS_PART * b->slow) {
            part = fmin(part, fmax(0.05, 0.9 * (bound - force) / (b->ended[i] - force)));
        }
    }
    if (part < 1 && *length > shortest) {
        *length *= part;
        return false;
    }
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        double beyond = fmax(0, fmax(-b->ended[i], b->ended[i] - b->most[j]));
        b->force[j] = fmax(b->ended[i], 0);
        s->state->step_error[j] += b->full->d_diagonal[j] * beyond * *length / s->state->speed;
    }
    return true;
}

/* An error of the speed at which a contact swings is one of its frequency: with every swing it is
 * more out of step, until it is by all of its speed.
 */
static void follow_swings(lzb_bonds *b, const lzb_state *state, const lzb_window *w)
{
    for (size_t k = 0; k < w->count; k++) {
        size_t j = w->contact[k];
        bool turned = w->trial.c0[k] > 0 && !(w->trial.c[k] > 0);
        if (turned && w->fixed.exponent[k] < LZB_BONDS_HARD) {
            double speed = lzb_bonds_swing(b->full, j, w->trial.f[k]) / state->speed;
            b->phase[j] = fmin(b->phase[j] + RADIANS_A_SWING * state->step_error[j], speed);
            b->shift[j] = fmax(b->shift[j], b->phase[j]);
        }
    }
}

void lzb_bonds_follow(lzb_bonds *b, const lzb_stepper *s, double length)
{
    lzb_state *state = s->state;
    const lzb_window *w = s->window;
    if (b->possible) {
        follow_swings(b, state, w);
    }
    if (b->count == 0) {
        return;
    }
    lzb_bonds_press(b, w, w->trial.p);
    lzb_bonds_mark(b, b->member, b->count, true);
    lzb_bonds_forces(b, b->member, b->count, b->work);
    lzb_bonds_mark(b, b->member, b->count, false);
    lzb_bonds_press(b, w, NULL);
    for (size_t i = 0; i < b->count; i++) {
        size_t j = b->member[i];
        lzb_state_add_impulse(state, j, b->work[i]);
        state->contact_time[j] += length;
    }
}
