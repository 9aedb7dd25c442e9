/* What happens within a step: an opening, a release, a turn, each where a quantity that is linear
 * in x, c and z passes 0. Within a step they are polynomials in tau, which stay above the least of
 * their Bernstein coefficients.
 */
#include <math.h>
#include <string.h>

#include "law/compliant/compliant.h"
#include "law/lzb/nodes/bernstein.h"

/* Maximum error from passing an event, as a fraction of the step error. */
static const double PASSED_SHARE = 0.05;
/* Events within this fraction of a step from its start count as past. */
static const double SOON = 1e-13;
static const double NEAR_END = 5e-3;
/* Contacts may turn twice at one instant, when another's event undoes their own; not for ever. */
enum { MOST_TURNS = 4, MOST_ROUNDS = 16, LAST = LZB_NODES, KINDS = 3 };

static const compliant_zero kinds[KINDS] = {COMPLIANT_ZERO_X, COMPLIANT_ZERO_C, COMPLIANT_ZERO_G};

/* ---- What is watched ------------------------------------------------------------------------- */

static compliant_watch pull_watch(const compliant_contact *of, double sign)
{
    switch (of->model) {
    case COMPLIANT_KELVIN_VOIGT:
        return (compliant_watch){.x = sign * of->stiffness, .c = sign * of->damping};
    case COMPLIANT_HUNT_CROSSLEY:
        return (compliant_watch){.constant = sign, .c = sign * of->damping};
    default:
        return (compliant_watch){.x = sign * of->stiffness, .z = sign * of->arm};
    }
}

/* A contact tired of turning rests as it is. */
bool compliant_watch_of(const compliant_step *step, const compliant_site *site, compliant_zero what,
                        compliant_watch *watch)
{
    bool tired = step->active->turns[site->contact] >= MOST_TURNS;
    bool releases = compliant_can_release(&site->of);
    *watch = (compliant_watch){0};
    switch (what) {
    case COMPLIANT_ZERO_X: /* a dashpot's force is 0 before x is */
        if (site->mode == COMPLIANT_OPEN) {
            watch->constant = compliant_active_onset(step->state, step->active, site->contact);
            watch->x = -1;
            return !tired;
        }
        watch->x = 1;
        return site->mode == COMPLIANT_RELEASED || !releases ||
               site->of.model == COMPLIANT_HUNT_CROSSLEY;
    case COMPLIANT_ZERO_C:
        watch->c = site->mode == COMPLIANT_EXPANDING ? -1 : 1;
        return site->of.model == COMPLIANT_HYSTERETIC && compliant_presses(site->mode) && !tired;
    case COMPLIANT_ZERO_G:
        *watch = pull_watch(&site->of, site->mode == COMPLIANT_RELEASED ? -1 : 1);
        return releases && site->mode != COMPLIANT_OPEN &&
               !(tired && site->mode == COMPLIANT_RELEASED);
    default:
        return false;
    }
}

static double value_of(const compliant_watch *watch, double x, double c, double z)
{
    return watch->constant + watch->x * x + watch->c * c + watch->z * z;
}

/* Its first two derivatives now. */
static void slopes_of(const compliant_site *site, const compliant_watch *watch, double *first,
                      double *second)
{
    double yields = site->of.model == COMPLIANT_ZENER ? compliant_yield(&site->of, 0) : 0;
    double z_rate = site->c - yields * site->z;
    *first = watch->x * (site->rate * site->c - site->yield * site->force) +
             watch->c * site->accel + watch->z * z_rate;
    *second = watch->x * site->rate * site->accel + watch->c * site->jerk +
              watch->z * (site->accel - yields * z_rate);
    if (site->yield > 0) {
        double slope = compliant_slope(&site->of, site->x, site->c, site->z);
        *second -= watch->x * site->yield * slope * (site->c - site->yield * site->force);
    }
}

/* ---- Foreseen from the start ----------------------------------------------------------------- */

/* The first time after 0 at which a parabola falls through 0. */
static double fall_to_zero(double value, double first, double second)
{
    double square = first * first - 2 * value * second;
    double time = square >= 0 ? 2 * value / (sqrt(square) - first) : INFINITY;
    return time > 0 ? time : INFINITY;
}

compliant_happening compliant_step_foresee(const compliant_step *step)
{
    compliant_happening next = {.what = COMPLIANT_NO_ZERO, .time = INFINITY};
    for (size_t i = 0; i < step->active->indented; i++) {
        const compliant_site *site = &step->site[i];
        for (int k = 0; k < KINDS; k++) {
            compliant_watch watch;
            double first, second;
            if (step->active->zero[site->contact] == kinds[k] ||
                !compliant_watch_of(step, site, kinds[k], &watch)) {
                continue;
            }
            slopes_of(site, &watch, &first, &second);
            double time = fall_to_zero(value_of(&watch, site->x, site->c, site->z), first, second);
            if (time < next.time) {
                next = (compliant_happening){kinds[k], i, time};
            }
        }
    }
    return next;
}

/* ---- As polynomials -------------------------------------------------------------------------- */

static void integrate(const compliant_step *step, const lzb_nodal *y, double start, double *b)
{
    const lzb_table *table = compliant_step_table(step);
    lzb_nodal sum = {0};
    for (unsigned j = 0; j < LZB_NODES; j++) {
        sum += table->bernstein[j] * (*y)[j];
    }
    b[0] = start;
    for (unsigned i = 0; i < LZB_NODES; i++) {
        b[i + 1] = start + step->trial.length * sum[i];
    }
}

/* At its end it is as good as the step. */
static void polynomial_of(const compliant_step *step, size_t i, const compliant_watch *watch,
                          double *b)
{
    const compliant_site *site = &step->site[i];
    lzb_nodal pull, c, x_rate, rate = {0};
    compliant_step_pull(step, i, &pull);
    compliant_step_speeds(step, i, &pull, &c, &x_rate);
    rate = watch->x * x_rate - watch->c * pull;
    if (watch->z != 0) {
        rate += watch->z * (c - compliant_yield(&site->of, 0) * step->arm[i]);
    }
    integrate(step, &rate, value_of(watch, site->x, site->c, site->z), b);
    b[LAST] = value_of(watch, site->x1, site->c1, site->z1);
}

/* b is 0 at the start: the rest, b/tau, which is of one degree less, is raised again. */
static void divide_by_tau(double *b)
{
    double rest[LZB_BERNSTEIN];
    for (unsigned i = 0; i < LAST; i++) {
        rest[i] = b[i + 1] * LAST / (i + 1.0);
    }
    b[0] = rest[0];
    for (unsigned i = 1; i < LAST; i++) {
        b[i] = (i * rest[i - 1] + (LAST - i) * rest[i]) / LAST;
    }
    b[LAST] = rest[LAST - 1];
}

/* ---- Looking --------------------------------------------------------------------------------- */

/* What it costs, as a speed, to pass an event by so much: a force, or a rate, is wrong for at most
 * the whole step.
 */
static double cost_of_passing(const compliant_step *step, const compliant_site *site,
                              compliant_zero what, double beyond)
{
    double h = step->trial.length, usual = step->state->speed / step->state->x_scale[site->contact];
    const compliant_contact *of = &site->of;
    if (what == COMPLIANT_ZERO_C) {
        bool stops = of->restitution == 0;
        double rate = stops ? 0 : 1 / (of->restitution * of->restitution);
        return stops ? beyond : rate * beyond * h * usual;
    }
    if (what == COMPLIANT_ZERO_G) {
        double deep = lzb_larger(lzb_larger(site->x, site->x1), 0);
        double by_pull = of->model == COMPLIANT_HUNT_CROSSLEY
                             ? lzb_contact_force(of->stiffness, of->exponent, deep)
                             : compliant_shape(of, deep);
        return site->own * h * by_pull * beyond;
    }
    double c = lzb_larger(fabs(site->c), fabs(site->c1));
    double force = fabs(compliant_force(of, beyond, c, beyond));
    return site->own * h * force + (site->mode == COMPLIANT_OPEN ? 0 : beyond * beyond * usual / h);
}

/* Need its polynomial not be looked at? */
static bool is_safe(const compliant_step *step, const compliant_site *site, compliant_zero what)
{
    double h = step->trial.length;
    if (what != COMPLIANT_ZERO_X) {
        return what == COMPLIANT_ZERO_C &&
               (site->mode == COMPLIANT_EXPANDING ? site->high < 0 : site->low > 0);
    }
    if (site->mode == COMPLIANT_OPEN) {
        return site->x + h * lzb_larger(site->high, 0) <=
               compliant_active_onset(step->state, step->active, site->contact);
    }
    bool turns = site->high > 0 && site->low < 0;
    return site->x1 > 0 && site->yield == 0 && (!turns || site->x + h * site->rate * site->low > 0);
}

static void look_at(const compliant_step *step, size_t i, compliant_zero what,
                    compliant_happening *next)
{
    const compliant_site *site = &step->site[i];
    compliant_watch watch;
    double b[LZB_BERNSTEIN];
    if (!compliant_watch_of(step, site, what, &watch) || is_safe(step, site, what)) {
        return;
    }
    polynomial_of(step, i, &watch, b);
    double beyond = -lzb_bernstein_least(b), end = b[LAST];
    bool from_zero = step->active->zero[site->contact] == what;
    if (!(beyond > 0) || cost_of_passing(step, site, what, beyond) <= PASSED_SHARE * step->small) {
        return;
    }
    if (from_zero) {
        divide_by_tau(b);
    } else if (b[0] <= 0) {
        b[0] = 0; /* rounding: it would have happened */
        divide_by_tau(b);
        from_zero = true;
    }
    double tau = lzb_bernstein_first_root(b);
    if (tau > 1 && end < 0) { /* below the rounding of the polynomial */
        tau = 1;
    }
    if (tau == 0 && from_zero) {
        tau = 0.5; /* look closer */
        what = COMPLIANT_NO_ZERO;
    }
    double time = step->trial.length * lzb_nodes_time(step->trial.map, tau);
    if (tau <= 1 && time < next->time) {
        *next = (compliant_happening){what, i, time};
    }
}

compliant_happening compliant_step_look(compliant_step *step)
{
    compliant_happening next = {.what = COMPLIANT_NO_ZERO, .time = INFINITY};
    const compliant_happening *aim = &step->trial.aim;
    for (size_t i = 0; i < step->active->count; i++) {
        for (int k = 0; k < KINDS; k++) {
            if (!(aim->what == kinds[k] && aim->place == i)) {
                look_at(step, i, kinds[k], &next);
            }
        }
    }
    return next;
}

/* ---- Acting ---------------------------------------------------------------------------------- */

static void open_contact(compliant_step *step, const compliant_site *site)
{
    lzb_state *state = step->state;
    uint32_t j = site->contact;
    state->loss[j] += compliant_stored(&site->of, lzb_larger(state->x[j], 0), step->active->arm[j]);
    state->mode[j] = COMPLIANT_OPEN;
    state->x[j] = step->active->arm[j] = 0;
}

/* From where it is, or from 0 if that makes no difference. */
static void enter(compliant_step *step, const compliant_site *site)
{
    lzb_state *state = step->state;
    uint32_t j = site->contact;
    double usual = state->speed / state->x_scale[j];
    bool from_zero = usual * fabs(state->x[j]) <= PASSED_SHARE * step->small;
    state->x[j] = from_zero ? 0 : state->x[j];
    state->mode[j] = COMPLIANT_PRESSING;
    step->active->zero[j] = from_zero ? COMPLIANT_ZERO_X : COMPLIANT_NO_ZERO;
    step->active->stale = true;
}

void compliant_step_join(compliant_step *step, size_t i)
{
    enter(step, &step->site[i]);
}

/* As slow as what is left alone, with next to nothing stored, and about to stay so? */
static bool is_negligible(const compliant_step *step, const compliant_site *site)
{
    return compliant_presses(site->mode) && site->x > 0 && site->z == 0 &&
           fabs(site->c) <= step->ignored &&
           fabs(site->accel) * step->next_length <= step->ignored &&
           site->x < compliant_active_least_indentation(step->state, step->active, site->contact);
}

static void change(compliant_step *step, const compliant_site *site, compliant_zero what)
{
    lzb_state *state = step->state;
    uint32_t j = site->contact;
    step->active->stale = true;
    step->active->turns[j]++;
    step->active->zero[j] = (uint8_t)what;
    switch (what) {
    case COMPLIANT_ZERO_X:
        if (site->mode == COMPLIANT_OPEN) {
            enter(step, site);
        } else {
            open_contact(step, site);
        }
        break;
    case COMPLIANT_ZERO_C:
        state->mode[j] =
            (uint8_t)(site->mode == COMPLIANT_EXPANDING ? COMPLIANT_PRESSING : COMPLIANT_EXPANDING);
        if (site->of.restitution == 0 && state->mode[j] == COMPLIANT_EXPANDING) {
            open_contact(step, site);
            step->active->zero[j] = COMPLIANT_ZERO_X;
        }
        break;
    default:
        state->mode[j] =
            (uint8_t)(site->mode == COMPLIANT_RELEASED ? COMPLIANT_PRESSING : COMPLIANT_RELEASED);
    }
}

/* A contact that has not closed yet, or is opening: its force is negligible. */
static bool is_parting(const compliant_site *site, double first, double second)
{
    return site->mode != COMPLIANT_OPEN && !(site->x > 0) && first <= 0 && second <= 0;
}

void compliant_step_meet(compliant_step *step, const compliant_happening *aim)
{
    const compliant_site *site = &step->site[aim->place];
    lzb_state *state = step->state;
    uint32_t j = site->contact;
    if (aim->what == COMPLIANT_ZERO_X && state->c[j] > step->ignored) {
        state->x[j] = 0;
    }
    change(step, site, aim->what);
}

/* Is it over, or will it be within rounding of the time? */
static bool has_happened(const compliant_step *step, const compliant_site *site,
                         compliant_zero what)
{
    compliant_watch watch;
    double first, second;
    if (!compliant_watch_of(step, site, what, &watch)) {
        return false;
    }
    slopes_of(site, &watch, &first, &second);
    bool comes = what == COMPLIANT_ZERO_X && site->mode != COMPLIANT_OPEN;
    double least = comes ? -PASSED_SHARE * step->small : 0;
    if (what == COMPLIANT_ZERO_X && is_parting(site, first, second)) {
        return true;
    }
    double value = value_of(&watch, site->x, site->c, site->z);
    bool at_zero = step->active->zero[site->contact] == what;
    return first < least && (at_zero || value <= -SOON * step->next_length * first);
}

void compliant_step_settle(compliant_step *step)
{
    for (size_t i = 0; i < step->active->count; i++) {
        const compliant_site *site = &step->site[i];
        if (is_negligible(step, site)) {
            step->state->mode[site->contact] = COMPLIANT_OPEN;
            step->active->stale = true;
            continue;
        }
        for (int k = 0; k < KINDS; k++) {
            if (has_happened(step, site, kinds[k])) {
                change(step, site, kinds[k]);
                break;
            }
        }
    }
}

/* ---- The largest force ----------------------------------------------------------------------- */

static double interpolated(const lzb_nodal *values, double tau)
{
    const lzb_nodes *nodes = &lzb_nodes_gauss;
    double above = 0, below = 0;
    for (unsigned l = 0; l < LZB_NODES; l++) {
        double off = tau - nodes->at[l];
        if (off == 0) {
            return (*values)[l];
        }
        double part = nodes->weight[l] / off;
        above += part * (*values)[l];
        below += part;
    }
    return above / below;
}

/* Between the neighbours of the largest node: a step is too short for more than one peak. */
double compliant_step_peak(const compliant_step *step, size_t i)
{
    const compliant_site *site = &step->site[i];
    const lzb_nodal *force = &step->force[i];
    double ends = lzb_larger(site->force, compliant_force(&site->of, site->x1, site->c1, site->z1));
    unsigned top = 0;
    for (unsigned l = 1; l < LZB_NODES; l++) {
        top = (*force)[l] > (*force)[top] ? l : top;
    }
    bool inside = (*force)[top] > ends || interpolated(force, 1 - NEAR_END) > ends ||
                  interpolated(force, NEAR_END) > ends;
    if (!inside) {
        return ends;
    }
    const double *at = lzb_nodes_gauss.at;
    double low = top > 0 ? at[top - 1] : 0, high = top + 1 < LZB_NODES ? at[top + 1] : 1;
    for (int n = 0; n < 24; n++) { /* a peak is flat: half the digits of its time are enough */
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        bool rises = interpolated(force, left) < interpolated(force, right);
        low = rises ? left : low;
        high = rises ? high : right;
    }
    return lzb_larger(ends, interpolated(force, 0.5 * (low + high)));
}
