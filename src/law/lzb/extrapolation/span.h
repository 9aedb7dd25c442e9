/* A contact over a step, for finding events (extrapolation/events.c) and acting on them
 * (extrapolation/commit.c). Internal.
 */
#ifndef CRM_LZB_SPAN_H
#define CRM_LZB_SPAN_H

#include "law/lzb/extrapolation/events.h"

/* Share of the tolerance that passing an event may cost. */
static const double LZB_EVENT_SHARE = 0.05;

/* Decisions of mono-stiffness about contacts that could make less speed than this do not count: it
 * is as little as is ignored, in terms of the tolerance of a step.
 */
static inline double lzb_span_stake(const lzb_state *state, double tolerance)
{
    return LZB_IGNORED_SHARE / LZB_STEP_SHARE * tolerance * state->speed;
}

/* A contact at both ends of a step. */
typedef struct lzb_span {
    size_t k; /* place in the window */
    size_t j; /* contact of the model */
    lzb_mode mode;
    double e;
    double x0, c0, a0, x, c, a; /* x above the point of opening, which is at `offset` */
    double offset;
    double length;
    double allowed_x, allowed_c;
    double stake;    /* see above */
    double signless; /* a closing speed below this has no sign */
} lzb_span;

static inline lzb_span lzb_span_of(const lzb_state *state, const lzb_window *w, size_t k,
                                   double length, double tolerance)
{
    size_t j = w->contact[k];
    return (lzb_span){.k = k,
                      .j = j,
                      .mode = (lzb_mode)state->mode[j],
                      .e = state->restitution[j],
                      .x0 = w->trial.x0[k],
                      .c0 = w->trial.c0[k],
                      .a0 = w->trial.a0[k],
                      .x = w->trial.x[k],
                      .c = w->trial.c[k],
                      .a = w->trial.a[k],
                      .offset = w->fixed.offset[k],
                      .length = length,
                      .allowed_x = LZB_EVENT_SHARE * tolerance / w->fixed.per_scale[k],
                      .allowed_c = LZB_EVENT_SHARE * tolerance * state->speed,
                      .stake = lzb_span_stake(state, tolerance),
                      .signless = LZB_SIGNLESS * state->speed};
}

static inline double lzb_span_force(const lzb_window *w, const lzb_span *s, double x)
{
    return lzb_contact_force(w->fixed.stiffness[s->k], w->fixed.exponent[s->k], x + s->offset);
}

/* Error, in units of what is allowed, of acting on a sign change of c by a time tau too late or too
 * early.
 */
double lzb_span_sign_change(const lzb_state *state, const lzb_window *window, const lzb_span *span,
                            double tau);

/* So near to opening that what is still to come is within what is allowed, and sure to open. */
bool lzb_span_about_to_open(const lzb_state *state, const lzb_window *window, const lzb_span *span);

#endif
