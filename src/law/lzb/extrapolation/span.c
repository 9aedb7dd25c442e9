#include "law/lzb/extrapolation/span.h"

#include "law/lzb/extrapolation/kernel/kernel.h"

/* A contact is sure to open if it would travel more than this many times the remaining distance. */
static const double WAYS_TO_OPEN = 10;
/* The time over which other contacts' accelerations are nearly constant, as a fraction of the time
 * for which a contact is held.
 */
static const double FORESEEN_PART = 1e-2;

/* How much x' changes, per unit of c, when the closing speed changes its sign. Where the law jumps:
 * INFINITY. With e = 0 all of the indentation is given up; with mono-stiffness the point of opening
 * is put where it belongs by the depth at the end of the latest compression, however short.
 */
static double kink(const lzb_state *state, const lzb_span *s)
{
    if (s->mode == LZB_OPEN) {
        return 1;
    }
    double e = lzb_larger(s->e, state->least_restitution);
    return s->e == 0 || state->stiffness_model == LZB_MONO ? INFINITY : 1.0 / (e * e) - 1.0;
}

/* Error, in units of what is allowed, of acting on a sign change of c by a time tau too late or too
 * early: the indentation missed; where the law jumps, the impulse given meanwhile. An open contact
 * should have pressed meanwhile: with a small exponent it does so at once, and the impulse missed
 * is more than the indentation shows, though never more than to turn c round.
 */
double lzb_span_sign_change(const lzb_state *state, const lzb_window *w, const lzb_span *s,
                            double tau)
{
    double factor = kink(state, s), missed = 0.5 * fabs(s->c) * tau;
    if (factor == INFINITY) {
        double deepest = lzb_larger(s->x0, s->x);
        double allowed = lzb_larger(s->allowed_c, LZB_FINEST * state->speed);
        return state->model->d_diagonal[s->j] * lzb_span_force(w, s, deepest) * tau / allowed;
    }
    double cost = factor * missed / s->allowed_x;
    if (s->mode == LZB_OPEN && w->fixed.exponent[s->k] < 1) {
        double pressing =
            lzb_contact_force(w->fixed.stiffness[s->k], w->fixed.exponent[s->k], missed);
        double turned = state->model->d_diagonal[s->j] * pressing * tau;
        return lzb_larger(cost, lzb_smaller(turned, 2 * fabs(s->c)) / s->allowed_c);
    }
    return cost;
}

/* Will a contact open within the time tau that it takes at its present speed? What it keeps if
 * others turn it before that it is pressed from, and an indentation is an error like any other: the
 * force, which a large exponent makes nothing, does not tell. The forces of the others at that time
 * are foreseen, no further than the step that was just made reached, or a small part of the time
 * for which the contact would be held by itself.
 */
static bool is_sure_to_open(const lzb_state *state, const lzb_window *w, const lzb_span *s,
                            double tau)
{
    if (tau > lzb_larger(s->length, FORESEEN_PART * state->x_scale[s->j] / state->speed)) {
        return false;
    }
    double a = lzb_larger(s->a, lzb_dynamics_acceleration_ahead(w, s->k, tau));
    double way = a > 0 ? w->fixed.rate[s->k] * s->c * s->c / (2 * a) : INFINITY;
    return way >= WAYS_TO_OPEN * s->x;
}

/* So near to opening that the impulse still to come is within what is allowed, and either so is the
 * indentation or it is sure to open.
 */
bool lzb_span_about_to_open(const lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    if (!(s->c < 0) || s->x > 1e-2 * state->x_scale[s->j]) {
        return false;
    }
    double tau = s->x / (w->fixed.rate[s->k] * -s->c);
    return state->model->d_diagonal[s->j] * lzb_span_force(w, s, s->x) * tau <= s->allowed_c &&
           (s->x <= s->allowed_x || is_sure_to_open(state, w, s, tau));
}
