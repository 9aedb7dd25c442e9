/* Turns, openings, re-entries: acting on events, and what it comes to that they were met where
 * closing speeds and indentations are not quite 0.
 *
 * To leading order that is known, and made up for. A contact said to turn at c = d instead of 0
 * goes the way d^2/2a on the wrong side, with the rate of the wrong mode; one that enters has come
 * the way d^2/2a; one let go at x gives the impulse E(x) / |x'| that was still to come.
 */
#include <math.h>

#include "law/lzb/engine/engine.h"

/* Of the error of a step, what may be wrong by meeting an event inexactly. */
static const double MET_SHARE = 0.05;
/* A plastic contact jumps at its turn, one of mono-stiffness at its re-entry: no way to make up. */
static const double JUMP_SHARE = 0.2;
/* Of the indentation, how far it may go on the wrong side. */
static const double MOST_WAY = 1e-2;
/* A contact is sure to open that would go on for so many times the way it has to go. */
static const double WAYS_TO_OPEN = 10;
/* Of the time for which a contact is held: so far ahead others hardly change their accelerations.
 */
static const double FORESEEN_PART = 1e-2;
/* An indentation is next to nothing that is less than so many ignored speeds, each as a part of the
 * scale of the impact.
 */
static const double NEGLIGIBLE_DEPTHS = 3;
enum { MOST_ROUNDS = 8 };

/* ---- What it comes to ------------------------------------------------------------------------ */

/* Its own frequency at this x; where there is next to no force yet, that of the impact. */
double lzb_engine_frequency(const lzb_engine *e, const lzb_site *site, double x)
{
    double depth = x + site->open, usual = e->state->speed / e->state->x_scale[site->contact];
    if (!(depth > 0)) {
        return usual;
    }
    double slope = lzb_contact_slope(site->exponent, lzb_site_force(site, x), depth);
    return lzb_larger(sqrt(site->own * slope), usual);
}

/* The difference of the rates in expansion and compression. */
static double change_of_rate(const lzb_engine *e, const lzb_site *site)
{
    double restitution = lzb_larger(site->restitution, e->state->least_held);
    return e->state->stiffness == LZB_MONO ? 0 : 1 / (restitution * restitution) - 1;
}

double lzb_engine_kink(const lzb_engine *e, const lzb_site *site)
{
    bool elastic = site->turns && site->restitution == 1; /* what a change of that would make */
    return e->state->stiffness == LZB_MONO || elastic ? 1 : change_of_rate(e, site);
}

double lzb_engine_band(const lzb_engine *e, const lzb_site *site, double c, double accel, double x)
{
    bool mono = e->state->stiffness == LZB_MONO;
    bool jumps = site->restitution == 0 || (mono && site->mode == LZB_EXPANDING);
    double a = fabs(accel);
    if (jumps || !(a > 0)) {
        return jumps ? JUMP_SHARE * e->small : 0;
    }
    double frequency = lzb_engine_frequency(e, site, x),
           change = lzb_larger(frequency, fabs(site->jerk) / a);
    double way = 0.5 * c * c / a, time = fabs(c) / a;
    double cost = lzb_engine_kink(e, site) * frequency * way * change * time;
    double floor = LZB_SIGNLESS * e->state->speed;
    bool met = cost <= MET_SHARE * e->small && way <= MOST_WAY * x;
    return met ? lzb_larger(fabs(c), floor) : floor;
}

/* What a contact keeps if others turn it before it opens it is pressed from, and an indentation is
 * an error like any other: a force, which a large exponent makes nothing, does not tell. So either
 * the indentation is next to nothing, too, or the contact would go on for many times the way, with
 * the forces of the others now and with those foreseen, no further ahead than the step reached.
 */
static bool is_sure_to_open(const lzb_engine *e, size_t i, double accel, double time)
{
    const lzb_site *site = &e->window.site[i];
    const lzb_state *state = e->state;
    double scale = state->x_scale[site->contact];
    if (site->x1 * state->speed <= MET_SHARE * e->small * scale) {
        return true;
    }
    double a = lzb_larger(accel, lzb_engine_accel_after(e, i, time));
    double way = a > 0 ? site->rate * site->c1 * site->c1 / (2 * a) : INFINITY;
    return time <= lzb_larger(e->trial.length, FORESEEN_PART * scale / state->speed) &&
           way >= WAYS_TO_OPEN * site->x1;
}

bool lzb_engine_may_open(const lzb_engine *e, size_t i, double accel, lzb_release *release)
{
    const lzb_site *site = &e->window.site[i];
    double speed = site->rate * -site->c1, h = e->trial.length;
    if (!(speed > 0)) {
        return false;
    }
    double time = site->x1 / speed, rest = site->open > 0
                                               ? lzb_site_force(site, 0) * time
                                               : lzb_site_energy(site, fabs(site->x1)) / speed;
    double kick = site->own * fabs(rest), away = fabs(accel * time);
    if (e->observer != NULL && site->open == 0 &&
        site->x1 > e->observer->near * e->state->x_scale[site->contact]) {
        return false;
    }
    bool without_force = time < 0 && site->open == 0 && site->kind != LZB_LINEAR;
    *release = (lzb_release){.impulse = without_force ? 0 : rest,
                             .time = site->x1 / (speed + 0.5 * site->rate * kick)};
    double wrong = kick * (kick + away) / -site->c1 + kick * fabs(time) / h;
    return wrong <= MET_SHARE * e->small && away <= -0.1 * site->c1 &&
           (release->time <= 0 || is_sure_to_open(e, i, accel, time));
}

/* ---- Acting ---------------------------------------------------------------------------------- */

void lzb_engine_join(lzb_engine *e, size_t i, double x)
{
    uint32_t j = e->window.site[i].contact;
    e->state->mode[j] = LZB_COMPRESSING;
    e->state->x[j] = x;
    e->state->restitution[j] = e->state->model->restitution[j];
    e->window.stale = true;
    lzb_engine_tell(e, &e->window.site[i], LZB_ENTERS, 0);
}

static void open_contact(lzb_engine *e, uint32_t j, double loss, double later)
{
    lzb_state *state = e->state;
    state->held[j] += later;
    state->loss[j] += loss;
    state->x[j] = state->x_open[j] = 0;
    state->mode[j] = LZB_OPEN;
    state->opened = lzb_larger(state->opened, state->time + later);
    e->window.stale = true;
}

/* A contact of mono-stiffness opens, or is pressed again just before: which of the two, the law
 * jumps at. It was decided by so much indentation.
 */
static void note_margin(const lzb_engine *e, const lzb_site *site, double indentation)
{
    lzb_state *state = e->state;
    size_t j = site->contact;
    double speed = sqrt(2 * site->own * lzb_site_energy(site, site->x));
    if (state->stiffness == LZB_MONO && indentation > 0 && speed > e->ignored) {
        double margin = indentation / state->x_scale[j], *least = &state->margin[j];
        *least = *least > 0 ? lzb_smaller(*least, margin) : margin;
    }
}

/* Do others hold the contact while it expands? The work of their pressure on the way to its opening
 * is then more than what it stores, and it turns before it gets there.
 */
static bool is_held(const lzb_site *site)
{
    double pressure = site->accel + site->own * site->force;
    return pressure * site->x > site->own * lzb_site_energy(site, site->x);
}

/* Choose the e with which it expands. As it goes to 0 only how far down it gets while others hold
 * it matters, which has a limit.
 */
static bool opens_at_once(lzb_state *state, const lzb_site *site)
{
    size_t j = site->contact;
    double e = state->model->restitution[j];
    state->restitution[j] = e;
    if (e == 0 || e >= state->least_held || state->stiffness == LZB_MONO) {
        return e == 0;
    }
    if (is_held(site)) {
        state->restitution[j] = state->least_held;
        return false;
    }
    state->step_error[j] += e < LZB_LEAST_GIVEN_BACK ? e : 0;
    return e < LZB_LEAST_GIVEN_BACK;
}

/* The way on the other side of c = 0. */
static double way_of(const lzb_engine *e, const lzb_site *site)
{
    double band = lzb_engine_band(e, site, site->c, site->accel, site->x);
    return fabs(site->c) <= band && site->accel != 0 ? 0.5 * site->c * site->c / fabs(site->accel)
                                                     : 0;
}

static void turn(lzb_engine *e, const lzb_site *site)
{
    lzb_state *state = e->state;
    size_t j = site->contact;
    double way = way_of(e, site), top = site->x + way;
    state->peak[j] = lzb_larger(state->peak[j], top);
    state->compressions[j] += top > LZB_COUNTED_INDENTATION * state->x_scale[j];
    bool stops = opens_at_once(state, site);
    lzb_engine_tell(e, site, stops ? LZB_STOPS : LZB_TURNS, site->accel);
    if (stops) {
        open_contact(e, site->contact, lzb_site_energy(site, site->x), 0);
        return;
    }
    lzb_depth left = lzb_contact_turn(state->stiffness, site->restitution, site->exponent, top);
    double missed = (change_of_rate(e, site) + 1) * way;
    state->mode[j] = LZB_EXPANDING;
    state->x[j] = lzb_larger(left.above - missed, 0.5 * left.above);
    state->x_open[j] = left.open;
}

static void press_again(lzb_engine *e, const lzb_site *site)
{
    lzb_state *state = e->state;
    size_t j = site->contact;
    note_margin(e, site, site->x);
    double missed = change_of_rate(e, site) * way_of(e, site);
    lzb_engine_tell(e, site, LZB_RETURNS, site->accel);
    state->mode[j] = LZB_COMPRESSING;
    state->restitution[j] = state->model->restitution[j];
    state->recompressions[j]++;
    state->x[j] = lzb_larger(site->x - missed, 0.5 * site->x) + site->open;
    state->x_open[j] = 0;
}

/* Is c, which is on the side of the present mode where sign * c > 0, to be taken for past 0? */
static bool has_passed(const lzb_engine *e, const lzb_site *site, double sign)
{
    double c = sign * site->c, a = sign * site->accel;
    double band = lzb_engine_band(e, site, site->c, site->accel, site->x);
    if (c > 0 || a < 0) {
        return a < 0 && c <= band;
    }
    return c < -band; /* else it is on its way back, and nearly there */
}

/* Do contacts that are at work press this one? */
static bool is_pressed(const lzb_engine *e, size_t i)
{
    const lzb_window_of_sites *w = &e->window;
    double push = 0;
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        const lzb_site *other = &w->site[w->column[k]];
        bool works = fabs(other->c) > e->ignored ||
                     other->x * e->state->speed > e->ignored * e->state->x_scale[other->contact];
        push -= w->column[k] != i && works ? w->value[k] * other->force : 0;
    }
    return push > 0;
}

/* As slow as what is left alone, with next to nothing stored, and about to stay so? */
static bool is_negligible(const lzb_engine *e, size_t i)
{
    const lzb_site *site = &e->window.site[i];
    if (site->mode == LZB_OPEN || fabs(site->c) > e->ignored ||
        fabs(site->accel) * e->next_length > e->ignored) {
        return false;
    }
    double stored = lzb_site_energy(site, site->x), scale = e->state->x_scale[site->contact];
    return 2 * site->own * stored <= e->ignored * e->ignored &&
           site->x * e->state->speed <= NEGLIGIBLE_DEPTHS * e->ignored * scale;
}

static bool settle_site(lzb_engine *e, size_t i)
{
    const lzb_site *site = &e->window.site[i];
    if (is_negligible(e, i) && !(e->observer != NULL && is_pressed(e, i))) {
        lzb_engine_tell(e, site, LZB_FADES, site->accel);
        open_contact(e, site->contact, lzb_site_energy(site, site->x), 0);
        return true;
    }
    switch (site->mode) {
    case LZB_OPEN:
        if (site->c > e->ignored) {
            lzb_engine_join(e, i, 0);
            return true;
        }
        return false;
    case LZB_COMPRESSING:
        if (!(site->x > 0)) {
            if (site->c < 0 && site->accel <= 0) {
                lzb_engine_tell(e, site, LZB_FADES, site->accel);
                open_contact(e, site->contact, 0, 0);
                return true;
            }
            return false;
        }
        if (site->turns && has_passed(e, site, 1)) {
            turn(e, site);
            return true;
        }
        return false;
    case LZB_EXPANDING:
        if (has_passed(e, site, -1)) {
            press_again(e, site);
            return true;
        }
    }
    return false;
}

void lzb_engine_settle(lzb_engine *e)
{
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        lzb_engine_load(e);
        changed = false;
        for (size_t i = 0; i < e->window.count; i++) {
            changed |= settle_site(e, i);
        }
    }
    if (changed) {
        lzb_engine_load(e);
    }
}

/* ---- The end of a step ----------------------------------------------------------------------- */

/* The impulse that was still to come is given at once. */
static void give_rest(lzb_engine *e, const lzb_site *site, double rest)
{
    const crm_model *model = e->state->model;
    size_t j = site->contact;
    lzb_state_press(e->state, j, rest);
    for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
        uint32_t place = e->window.place[model->d_column[k]];
        if (place > 0) {
            e->window.site[place - 1].c1 -= model->d_value[k] * rest;
        }
    }
}

static void book_energy(const lzb_engine *e, const lzb_site *site)
{
    lzb_state *state = e->state;
    double back = lzb_contact_returned(state->stiffness, site->restitution);
    if (site->mode == LZB_EXPANDING && back < 1) {
        state->loss[site->contact] +=
            (1 - back) * (lzb_site_energy(site, site->x) - lzb_site_energy(site, site->x1));
    }
}

static void accept_pressing(lzb_engine *e, size_t i)
{
    lzb_state *state = e->state;
    lzb_site *site = &e->window.site[i];
    size_t j = site->contact;
    state->held[j] += e->trial.length;
    state->step_error[j] += e->sum[i] / state->speed;
    lzb_state_press(state, j, site->impulse);
    double highest = lzb_larger(site->x, site->x1);
    bool turns_unseen = site->mode == LZB_COMPRESSING && !site->turns;
    if (turns_unseen && site->low < 0 && site->high > 0) {
        double least = LZB_COUNTED_INDENTATION * state->x_scale[j];
        state->compressions[j] += lzb_engine_count_turns(e, i, least, &highest);
    }
    state->peak[j] = lzb_larger(state->peak[j], highest + site->open);
    lzb_release release;
    double accel = lzb_site_gives_back(site) ? lzb_engine_accel_after(e, i, 0) : 0;
    if (lzb_site_gives_back(site) && lzb_engine_may_open(e, i, accel, &release)) {
        note_margin(e, site, accel > 0 ? 0.5 * site->c1 * site->c1 / accel : 0);
        lzb_engine_tell(e, site, LZB_OPENS, accel);
        give_rest(e, site, release.impulse);
        site->x1 = 0;
        book_energy(e, site);
        open_contact(e, site->contact, lzb_site_energy(site, 0), release.time);
        return;
    }
    site->x1 = lzb_larger(site->x1, 0);
    book_energy(e, site);
    state->x[j] = site->x1;
}

/* x off by a rounding of r x makes a swing of frequency w, w^2 = D rate F', in which c goes to
 * r x w / rate.
 */
static double rounding_of(const lzb_site *site)
{
    return site->own * site->exponent * site->force * (site->x + site->open) / site->rate;
}

void lzb_engine_accept(lzb_engine *e)
{
    lzb_state *state = e->state;
    lzb_window_of_sites *w = &e->window;
    if (e->observer != NULL) {
        e->observer->step(e->observer->self, e);
    }
    state->time += e->trial.length;
    double rounding = 0;
    for (size_t i = 0; i < w->pressing; i++) {
        rounding += rounding_of(&w->site[i]);
        accept_pressing(e, i);
    }
    e->rounding += rounding;
    e->left += e->trial.left;
    for (size_t i = 0; i < w->count; i++) {
        const lzb_site *site = &w->site[i];
        state->c[site->contact] = site->c1;
        if (site->mode == LZB_OPEN && site->c1 > e->ignored) {
            double accel = lzb_engine_accel_after(e, i, 0);
            double since_zero = accel > 0 ? 0.5 * site->c1 * site->c1 / accel : 0;
            lzb_engine_join(e, i, site->c >= -e->ignored ? lzb_larger(site->x1, 0) : since_zero);
        }
    }
    e->steps++;
}
