#include "law/lzb/capturing/phase_step.h"

#include <string.h>

#include "base/elementary.h"
#include "law/lzb/capturing/kernel/substep.h"
#include "law/lzb/extrapolation/window/block.h"

/* A contact of a smaller restitution is as good as rigid when it expands: its force is gone within
 * a substep, and none shorter are made for it. (Of 1/e^2.)
 */
static const double MOST_RETURN = 100;

/* Squares of the frequencies are in proportion to this power of the amplitude. */
static double stiffening(double exponent, double amplitude, lzb_threshold *kept)
{
    double power = 0.5 * (exponent + 1);
    return crm_pow(lzb_members_threshold(kept, power, amplitude), exponent - 1);
}

/* Neighbouring contacts are mostly alike: of those with one exponent the deepest tells, by one
 * power.
 */
double lzb_phase_step_amplitude(const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    double most = w->search.ignored_speed, exponent = 1, deepest = 0;
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        double x = lzb_state_depth(s->state, j) / s->state->x_scale[j],
               c = fabs(s->state->c[j]) / s->state->speed;
        if (s->state->model->exponent[j] != exponent) {
            most = fmax(most, crm_pow(deepest, 0.5 * (1 + exponent)));
            exponent = s->state->model->exponent[j];
            deepest = 0;
        }
        deepest = fmax(deepest, x);
        if (c > most && (x > 0 || s->state->c[j] > 0)) {
            most = c;
        }
    }
    return fmax(most, crm_pow(deepest, 0.5 * (1 + exponent)));
}

/* dF/dx of contact j at the indentation that goes with the amplitude. With K X^(eta+1) / (eta+1) =
 * V^2 / 2D at the full speed V that is eta (eta+1) / 2D (V/X)^2, less by the power above.
 */
static double slope_of_force(const lzb_state *state, uint32_t j, double stiffening_now)
{
    double eta = state->model->exponent[j], rate = state->speed / state->x_scale[j];
    return 0.5 * eta * (eta + 1) / state->model->d_diagonal[j] * rate * rate * stiffening_now;
}

/* Row k of D, signs left out, times a vector. */
static double sum_of_magnitudes(const lzb_window *w, size_t k, const double *vector)
{
    const lzb_coupling *d = &w->coupling;
    if (d->product == LZB_LINE) {
        return fabs(d->diagonal[k]) * vector[k] + fabs(d->below[k]) * vector[k - 1] +
               fabs(d->above[k]) * vector[k + 1];
    }
    double sum = 0;
    for (size_t l = d->sparse.start[k]; l < d->sparse.end[k]; l++) {
        sum += fabs(d->sparse.value[l]) * vector[d->sparse.column[l]];
    }
    return sum;
}

/* Bounds on the frequencies of x'' = -r D dF/dx x: the largest sum of a row. */
typedef struct quickest {
    double in, out; /* of swings with r = 1; and with the r of expansion */
} quickest;

static quickest find_quickest(const lzb_stepper *s, double amplitude)
{
    lzb_window *w = s->window;
    double *slope = w->tableau.force, in = 0, out = 0, power = 1, exponent = NAN;
    lzb_threshold kept = {0};
    lzb_account to = lzb_account_of(w, s->state->stiffness_model == LZB_MONO);
    memset(slope, 0, w->blocks * LZB_BLOCK * sizeof *slope);
    for (size_t k = 0; k < w->count; k++) {
        if (w->fixed.exponent[k] != exponent) {
            exponent = w->fixed.exponent[k];
            power = stiffening(exponent, amplitude, &kept);
        }
        slope[k] = slope_of_force(s->state, w->contact[k], power);
    }
    for (size_t k = 0; k < w->count; k++) {
        double sum = sum_of_magnitudes(w, k, slope);
        in = fmax(in, sum);
        out = fmax(out, fmin(to.returns[k], MOST_RETURN) * sum);
    }
    return (quickest){sqrt(in), sqrt(out)};
}

/* The errors of the substeps go as phase_step^2 times the amplitude, or as phase_step^3: with the
 * square root or the cube root they stay the same. But with mono-stiffness most of the error of an
 * outcome comes from the first of them (theory, section 2.6): there phase steps begin shorter, and
 * grow faster until the amplitude has fallen to this part.
 */
static const double BEGINNING = 1.0 / 30, FASTER = 0.6 - 1.0 / 3;

static double growth_of_phase_step(const lzb_state *state, bool single, double fallen)
{
    if (!single) {
        return sqrt(fallen);
    }
    double at_first = state->stiffness_model == LZB_MONO ? fmin(fallen, 1 / BEGINNING) : 1;
    return crm_pow(fallen, 1.0 / 3) * crm_pow(at_first, FASTER);
}

/* The longest phase steps. With bi-stiffness an expansion must still be resolved. With
 * mono-stiffness contacts come back as they went, and substeps of the third order are stable up to
 * the root of 12: the force at x - h^2 D f / 12 is that of a spring weaker by (w h)^2 / 12. Less by
 * as much as swings of three times the amplitude are faster.
 */
static double longest_phase_step(const lzb_state *state, bool single)
{
    return !single ? 1.1 : state->stiffness_model == LZB_MONO ? 2.8 : 2;
}

double lzb_phase_step_time(const lzb_capturing_steps *steps, const lzb_stepper *s, bool single,
                           double amplitude)
{
    const lzb_state *state = s->state;
    quickest swing = find_quickest(s, amplitude);
    double fallen = fmax(steps->from / amplitude, 1);
    double phase_step = (single ? steps->long_phase_step : steps->phase_step) *
                        growth_of_phase_step(state, single, fallen);
    return fmin(phase_step / swing.in, longest_phase_step(state, single) / swing.out);
}
