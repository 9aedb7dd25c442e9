/* One step: as long as its error allows, or to the first event. */
#include <math.h>
#include <string.h>

#include "law/compliant/compliant.h"
#include "law/lzb/state/power.h"

/* Errors are kept below what is allowed by so much. */
static const double SAFE = 0.85;
/* The most that a step may be longer than the last, the least of that where the last one was slow
 * at its start.
 */
static const double LONGER = 2, AFTER_START = 1.5;
/* Steps of linear contacts, and of what yields or resists: longer ones have other solutions than
 * the right one, or take too many sweeps.
 */
static const double MOST_PHASE = 2.6, MOST_DECAY = 3;
/* How errors fall with the length of a step, without a slow end and with one. */
static const double PLAIN_ORDER = 12, SLOW_ORDER = 6;
/* First step as a fraction of the time in which a struck contact would stop by itself, and the
 * error that makes, as a fraction of its speed.
 */
static const double STRIKE_PART = 0.6, STRIKE_ERROR = 1e-6;
/* Contacts that part at less than this fraction of the step error count as touching. */
static const double TOUCHING = 0.05;
enum {
    MOST_ATTEMPTS = 60,
    MOST_AIMS = 12,
    MOST_JOININGS = 8,
    MANY_SWEEPS = 9,
    TOO_MANY_SWEEPS = 11,
    MOST_ROUNDS = 16
};

crm_status compliant_step_create(lzb_state *state, compliant_active *active,
                                 const compliant_contact *of, double small, compliant_step *step,
                                 crm_error *error)
{
    crm_pool *pool = state->pool;
    size_t s = state->contacts;
    *step = (compliant_step){.state = state,
                             .active = active,
                             .of = of,
                             .site = CRM_TAKE(pool, compliant_site, s),
                             .force = CRM_TAKE(pool, lzb_nodal, s),
                             .arm = CRM_TAKE(pool, lzb_nodal, s),
                             .sum = CRM_TAKE(pool, double, 2 * s),
                             .change = CRM_TAKE(pool, double, 2 * s),
                             .small = small};
    bool complete = step->site != NULL && step->force != NULL && step->arm != NULL &&
                    step->sum != NULL && step->change != NULL;
    if (complete && !crm_model_has_delassus(state->model)) {
        step->pull = CRM_TAKE(pool, lzb_nodal, s);
        step->spread = CRM_TAKE(pool, double, s);
        step->product = CRM_TAKE(pool, double, s);
        complete = step->pull != NULL && step->spread != NULL && step->product != NULL;
    }
    return complete ? CRM_OK : crm_fail_memory(error);
}

/* ---- Maps ------------------------------------------------------------------------------------ */

static bool is_smooth(const compliant_site *site)
{
    return site->of.exponent == floor(site->of.exponent);
}

static bool is_half_integer(double exponent)
{
    return 2 * exponent == floor(2 * exponent);
}

static lzb_map map_of(bool start, bool end, bool cubed)
{
    static const lzb_map maps[2][2][2] = {
        {{LZB_MAP_PLAIN, LZB_MAP_PLAIN}, {LZB_MAP_END, LZB_MAP_END_CUBED}},
        {{LZB_MAP_START, LZB_MAP_START_CUBED}, {LZB_MAP_BOTH, LZB_MAP_BOTH_CUBED}}};
    return maps[start][end][cubed];
}

/* Does a force begin that is not analytic? */
static lzb_map start_map(const compliant_step *step)
{
    bool start = false, cubed = false;
    for (size_t i = 0; i < step->active->pressing; i++) {
        const compliant_site *site = &step->site[i];
        if (!(site->x > 0) && !is_smooth(site)) {
            cubed |= !is_half_integer(site->of.exponent);
            start |= cubed || site->c > step->ignored;
        }
    }
    return map_of(start, false, cubed);
}

/* The same where the force of this contact ends. */
static lzb_map end_map(const compliant_step *step, lzb_map map)
{
    const compliant_happening *aim = &step->trial.aim;
    const compliant_site *site = &step->site[aim->place];
    if (aim->what != COMPLIANT_ZERO_X || is_smooth(site) || site->mode == COMPLIANT_OPEN ||
        site->mode == COMPLIANT_RELEASED) {
        return map;
    }
    bool start = map == LZB_MAP_START || map == LZB_MAP_START_CUBED;
    return map_of(start, true, map == LZB_MAP_START_CUBED || !is_half_integer(site->of.exponent));
}

/* ---- How long -------------------------------------------------------------------------------- */

/* The time in which a struck contact would stop by itself. */
static double time_to_stop(const compliant_site *site)
{
    const compliant_contact *of = &site->of;
    return lzb_contact_indentation(of->stiffness, of->exponent,
                                   site->c * site->c / (2 * site->own)) /
           site->c;
}

static double longest_length(const compliant_step *step, double longest)
{
    for (size_t i = 0; i < step->active->indented; i++) {
        const compliant_site *site = &step->site[i];
        const compliant_contact *of = &site->of;
        double decay =
            lzb_larger(compliant_yield(of, site->x), site->own * compliant_resistance(of, site->x));
        longest = decay > 0 ? lzb_smaller(longest, MOST_DECAY / decay) : longest;
        if (i >= step->active->pressing) {
            continue;
        }
        if (of->kind == LZB_LINEAR) {
            double arm = of->model == COMPLIANT_ZENER ? of->arm : 0;
            longest = lzb_smaller(
                longest, MOST_PHASE / sqrt(site->own * (of->stiffness + arm) * site->rate));
        }
        if (!(site->x > 0) && site->c > step->ignored) {
            double ratio = lzb_smaller(1, step->small / (STRIKE_ERROR * site->c));
            double part = STRIKE_PART * lzb_near_power(ratio, 1 / SLOW_ORDER);
            longest = lzb_smaller(longest, part * time_to_stop(site));
        }
    }
    return longest;
}

/* ---- The guess ------------------------------------------------------------------------------- */

/* Open contacts that touch, and are driven together by the impulses foreseen, press from the start:
 * the front of a wave needs no event. *joined: there were some.
 */
static crm_status foresee_forces(compliant_step *step, bool *joined, crm_error *error)
{
    *joined = false;
    crm_status status = compliant_step_guess(step, error);
    for (size_t i = step->active->indented; i < step->active->count && status == CRM_OK; i++) {
        const compliant_site *site = &step->site[i];
        double touches = 1e-14 * step->state->x_scale[site->contact];
        if (site->x >= -touches && site->c >= -TOUCHING * step->small &&
            site->c - step->change[i] > step->ignored) {
            compliant_step_join(step, i);
            *joined = true;
        }
    }
    return status;
}

static crm_status refresh(compliant_step *step, crm_error *error)
{
    crm_status status = CRM_OK;
    if (step->active->stale) {
        status = compliant_active_rebuild(step->state, step->active, error);
    }
    return status == CRM_OK ? compliant_step_load(step, error) : status;
}

/* ---- Attempts -------------------------------------------------------------------------------- */

/* How often a step was tried, and with what. */
typedef struct attempts {
    unsigned aims, joinings;
    bool fresh;    /* the forces are to be foreseen from the start */
    bool refused;  /* too long without any aim */
    bool stopped;  /* an aim was given up */
    double length; /* before events were found on the way */
    lzb_map map;   /* but for the end */
    unsigned sweeps;
} attempts;

static void begin_anew(compliant_step *step, attempts *a, double factor)
{
    bool aimed = step->trial.aim.what != COMPLIANT_NO_ZERO;
    a->refused |= !aimed;
    a->stopped |= aimed;
    a->length = factor * (a->aims > 0 ? a->length : step->trial.length);
    step->trial.length = a->length;
    step->trial.aim = (compliant_happening){.what = COMPLIANT_NO_ZERO, .time = INFINITY};
    step->trial.map = a->map;
    a->fresh = true;
    a->aims = 0;
}

static void aim_at(compliant_step *step, attempts *a, const compliant_happening *next)
{
    a->length = a->aims == 0 ? step->trial.length : a->length;
    if (++a->aims > MOST_AIMS) {
        begin_anew(step, a, 0.5);
        return;
    }
    step->trial.aim = *next;
    double length = lzb_larger(next->time, 1e-13 * step->trial.length);
    compliant_step_resample(step, length, end_map(step, a->map));
}

static double by_error(const compliant_step *step)
{
    double ratio = step->small / step->trial.error;
    double order = step->trial.map == LZB_MAP_PLAIN ? PLAIN_ORDER : SLOW_ORDER;
    return ratio < 1e100 ? SAFE * lzb_near_power(ratio, 1.0 / order) : LONGER;
}

static void choose_next(compliant_step *step, const attempts *a)
{
    double factor = by_error(step);
    factor = a->sweeps > TOO_MANY_SWEEPS ? lzb_smaller(factor, 0.9)
             : a->sweeps > MANY_SWEEPS   ? lzb_smaller(factor, 1.05)
                                         : factor;
    bool after_start = a->map != LZB_MAP_PLAIN; /* the end of which is no longer near it */
    factor = lzb_larger(after_start ? AFTER_START : 0.3,
                        lzb_smaller(factor, a->refused && !after_start ? 1 : LONGER));
    double next = step->trial.length * factor;
    bool cut = (a->stopped || step->trial.aim.what != COMPLIANT_NO_ZERO) && !a->refused;
    step->next_length =
        cut ? lzb_larger(next, step->next_length * lzb_smaller(1, lzb_larger(factor, 0.5))) : next;
}

/* *done: the step may be accepted. */
static crm_status attempt(compliant_step *step, attempts *a, bool *done, crm_error *error)
{
    crm_status status = CRM_OK;
    bool joined = a->fresh;
    for (; status == CRM_OK && joined && a->joinings < MOST_JOININGS; a->joinings++) {
        status = foresee_forces(step, &joined, error);
        if (status == CRM_OK && joined) {
            status = refresh(step, error);
            a->map = start_map(step);
            step->trial.map = end_map(step, a->map);
        }
    }
    if (status == CRM_OK && joined) {
        status = compliant_step_guess(step, error);
    }
    a->fresh = false;
    if (status == CRM_OK) {
        status = compliant_step_solve(step, &a->sweeps, error);
    }
    if (status == CRM_OK && a->sweeps > 0) {
        status = compliant_step_finish(step, error);
    }
    if (status != CRM_OK || a->sweeps == 0) {
        begin_anew(step, a, 0.5);
        return status;
    }
    if (!(step->trial.error <= step->small)) {
        begin_anew(step, a, lzb_larger(0.2, lzb_smaller(by_error(step), 0.9)));
        return status;
    }
    compliant_happening next = compliant_step_look(step);
    if (next.what == COMPLIANT_NO_ZERO && next.time < INFINITY) {
        begin_anew(step, a, next.time / step->trial.length);
    } else if (next.time < INFINITY) {
        aim_at(step, a, &next);
    } else {
        *done = true;
    }
    return status;
}

crm_status compliant_step_begin(compliant_step *step, crm_error *error)
{
    crm_status status = refresh(step, error);
    for (int round = 0; round < MOST_ROUNDS && status == CRM_OK; round++) {
        compliant_step_settle(step);
        if (!step->active->stale) {
            break;
        }
        status = refresh(step, error);
    }
    return status;
}

/* The aim at the start, if an event is foreseen within about the length. */
static void choose_aim(compliant_step *step, double *length)
{
    compliant_happening first = compliant_step_foresee(step);
    if (first.time <= *length) {
        *length = first.time;
        step->trial.aim = first;
    } else if (first.time < 1.6 * *length) {
        *length = 0.6 * first.time;
    }
}

crm_status compliant_step_find(compliant_step *step, double longest, bool *found, crm_error *error)
{
    bool done = false;
    crm_status status = CRM_OK;
    attempts a = {.fresh = true, .map = start_map(step)};
    double length = longest_length(step, lzb_smaller(step->next_length, longest));
    step->trial = (compliant_trial){.map = a.map, .aim = {.time = INFINITY}};
    choose_aim(step, &length);
    step->trial.length = length;
    step->trial.map = end_map(step, a.map);
    for (unsigned tries = 0; tries < MOST_ATTEMPTS && status == CRM_OK && !done; tries++) {
        status = attempt(step, &a, &done, error);
    }
    *found = done;
    if (done) {
        choose_next(step, &a);
        step->left += step->trial.left;
    }
    return status;
}

/* ---- Its end --------------------------------------------------------------------------------- */

/* By Gauss's quadrature, which is exact for c times f phi': what the bodies lose is what the
 * contacts take up, to rounding.
 */
static double work_on(const compliant_step *step, size_t i)
{
    const lzb_table *table = compliant_step_table(step);
    lzb_nodal pull, c, x_rate;
    double work = 0;
    compliant_step_pull(step, i, &pull);
    compliant_step_speeds(step, i, &pull, &c, &x_rate);
    for (unsigned l = 0; l < LZB_NODES; l++) {
        work += table->impulse[l] * step->force[i][l] * c[l];
    }
    return work * step->trial.length;
}

void compliant_step_end(compliant_step *step)
{
    for (size_t i = 0; i < step->active->pressing; i++) {
        compliant_site *site = &step->site[i];
        site->work = work_on(step, i);
        double deep = lzb_larger(site->x, 0);
        /* x off by a rounding swings with it */
        step->rounding += 1e-16 * 1e-16 * site->own * site->of.exponent * fabs(site->force) * deep;
    }
}

crm_status compliant_step_within(compliant_step *step, double time, crm_error *error)
{
    unsigned sweeps;
    compliant_trial whole = step->trial;
    step->trial.aim = (compliant_happening){.what = COMPLIANT_NO_ZERO, .time = INFINITY};
    if (time != whole.length) {
        compliant_step_resample(step, time, whole.map);
    }
    crm_status status = compliant_step_solve(step, &sweeps, error);
    if (status == CRM_OK) {
        status = compliant_step_finish(step, error);
    }
    step->trial.aim = whole.aim;
    return status;
}
