#include "law/lzb/step/span.h"

/* A contact is sure to open that would go on for so many times the way it has to go. */
static const double WAYS_TO_OPEN = 10;

/* How much x' changes, per unit of c, when the closing speed changes its sign. Where the law jumps:
 * INFINITY. With e = 0 all of the indentation is given up; with mono-stiffness the point of opening
 * is put where it belongs by the depth at the end of the latest compression, however short.
 */
static double kink(const lzb_state *state, const lzb_span *s)
{
    if (s->mode == LZB_OPEN) {
        return 1;
    }
    return s->e == 0 || state->stiffness == LZB_MONO ? INFINITY : 1.0 / (s->e * s->e) - 1.0;
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

/* So near to opening that the impulse still to come is within what is allowed, and sure to open:
 * with a large exponent the force may be nothing while the indentation is not, and a contact that
 * others slow down may turn before it opens and go on from there.
 */
bool lzb_span_about_to_open(const lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    if (!(s->c < 0) || s->x > 1e-2 * state->x_scale[s->j]) {
        return false;
    }
    double way = s->a > 0 ? w->fixed.rate[s->k] * s->c * s->c / (2 * s->a) : INFINITY;
    if (s->x > s->allowed_x && way < WAYS_TO_OPEN * s->x) {
        return false;
    }
    double tau = s->x / (w->fixed.rate[s->k] * -s->c);
    return state->model->d_diagonal[s->j] * lzb_span_force(w, s, s->x) * tau <= s->allowed_c;
}
