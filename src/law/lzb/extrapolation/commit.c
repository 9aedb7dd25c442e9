/* Commit a step: modes changed, and everything booked. */
#include <float.h>

#include "law/lzb/extrapolation/kernel/kernel.h"
#include "law/lzb/extrapolation/span.h"
#include "law/lzb/extrapolation/window/block.h"

/* ---- Acting on events ----------------------------------------------------------------------- */

static double energy_at(const lzb_state *state, size_t j, double x)
{
    return lzb_contact_energy(state->model->stiffness[j], state->model->exponent[j], x);
}

/* The rest of the indentation is given up. */
static void release(lzb_state *state, const lzb_span *s, double depth)
{
    if (state->stiffness_model == LZB_MONO || s->e < LZB_LEAST_RESTITUTION_FREE) {
        state->loss[s->j] += energy_at(state, s->j, depth);
    }
    state->x[s->j] = state->x_open[s->j] = 0;
    state->mode[s->j] = (uint8_t)(s->c < 0 ? LZB_OPEN : LZB_COMPRESSING);
}

/* Could the energy stored in the contact make a speed that counts? */
static bool is_at_stake(const lzb_state *state, const lzb_span *s)
{
    double energy = energy_at(state, s->j, lzb_state_depth(state, s->j));
    return 2 * energy * state->model->d_diagonal[s->j] > s->stake * s->stake;
}

/* A contact of mono-stiffness opens, or is pressed again just before: between the two the law
 * jumps. This indentation decided it.
 */
static void note_margin(lzb_state *state, const lzb_span *s, double indentation)
{
    size_t j = s->j;
    if (state->stiffness_model == LZB_MONO && indentation > 0 && is_at_stake(state, s)) {
        double margin = indentation / state->x_scale[j], *least = &state->margin[j];
        *least = *least > 0 ? lzb_smaller(*least, margin) : margin;
    }
}

/* It opens, slowed down by others (c' > 0): how much further it would have got. */
static void note_opening(lzb_state *state, const lzb_span *s)
{
    if (s->a > 0) {
        note_margin(state, s, 0.5 * s->c * s->c / s->a);
    }
}

/* Do others hold the contact while it expands? The work of their pressure on the way to its opening
 * is then more than what it stores, and it turns before it gets there.
 */
static bool is_held(const lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    double d = state->model->d_diagonal[s->j], pressure = s->a + d * lzb_span_force(w, s, s->x);
    return pressure * s->x > d * energy_at(state, s->j, s->x);
}

/* Choose the e with which it expands: with bi-stiffness it matters only while it is held whether
 * that is tiny or nothing, and then only how far down it gets, which has a limit.
 */
static bool releases_at_once(lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    double e = state->model->restitution[s->j];
    state->restitution[s->j] = e;
    if (e == 0 || e >= state->least_restitution || state->stiffness_model == LZB_MONO) {
        return e == 0;
    }
    if (is_held(state, w, s)) {
        state->restitution[s->j] = state->least_restitution;
        return false;
    }
    state->step_error[s->j] += e < LZB_LEAST_RESTITUTION_FREE ? e : 0;
    return e < LZB_LEAST_RESTITUTION_FREE;
}

static void end_compression(lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    double exponent = state->model->exponent[s->j];
    state->compressions[s->j] += s->x > LZB_COUNTED_INDENTATION * state->x_scale[s->j];
    /* c is 0 here only to within what is allowed: it stands for an indentation of half of c^2/a. */
    double missed = s->a < 0 ? -0.5 * s->c * s->c / s->a : 0;
    double left = s->x;
    if (state->stiffness_model == LZB_MONO) {
        left = (s->x + missed) * lzb_contact_given_back(s->e, exponent) - missed;
    }
    if (releases_at_once(state, w, s) || left <= 0) {
        release(state, s, s->x);
        return;
    }
    state->mode[s->j] = LZB_EXPANDING;
    state->x_open[s->j] = s->x - left;
    state->x[s->j] = left;
}

static void compress_again(lzb_state *state, const lzb_span *s)
{
    size_t j = s->j;
    note_margin(state, s, state->x[j]);
    state->mode[j] = LZB_COMPRESSING;
    state->recompressions[j]++;
    state->x[j] += state->x_open[j];
    state->x_open[j] = 0;
}

/* An open contact that enters a time tau too early goes below 0 first, and comes back: with a small
 * exponent the force belonging to that way is not small.
 */
static double cost_of_false_entry(const lzb_state *state, const lzb_window *w, const lzb_span *s,
                                  double tau)
{
    double force = s->mode == LZB_OPEN ? lzb_span_force(w, s, 0.5 * fabs(s->c) * tau) : 0;
    return state->model->d_diagonal[s->j] * force * tau / s->allowed_c;
}

/* Is the contact closing, as far as its law is concerned? So close to c = 0 that either answer
 * costs nothing, or is rounding, the acceleration decides; then contacts that are mirror images
 * change together.
 */
static bool closing(const lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    double tau = s->a != 0 ? fabs(s->c / s->a) : INFINITY;
    bool free = fabs(s->c) < 1e-2 * state->speed && lzb_span_sign_change(state, w, s, tau) <= 1;
    if ((free || fabs(s->c) <= s->signless) && cost_of_false_entry(state, w, s, tau) <= 1) {
        return s->a > 0;
    }
    return s->c > 0;
}

/* A step that is to be written back, or to begin. */
typedef struct commitment {
    lzb_state *state;
    const lzb_window *w;
    double length, tolerance;
} commitment;

typedef struct changes {
    size_t count;  /* of contacts that have another mode */
    double opened; /* when the last contact so far was released */
} changes;

static void join_changes(void *total, const void *found)
{
    changes *all = total;
    const changes *more = found;
    all->count += more->count;
    all->opened = fmax(all->opened, more->opened);
}

/* Is the mode of the contact clearly that to which its closing speed leads? */
static bool is_plain(const lzb_window *w, size_t k, lzb_mode mode)
{
    double c0 = w->trial.c0[k], a0 = w->trial.a0[k];
    return (mode == LZB_COMPRESSING && (w->trial.x0[k] > 0 || (c0 >= 0 && a0 >= 0))) ||
           (mode == LZB_OPEN && c0 < 0 && a0 <= 0);
}

/* Returns how often it changed. */
static size_t refine(lzb_state *state, const lzb_window *w, size_t k, double tolerance)
{
    size_t count = 0;
    lzb_span s = lzb_span_of(state, w, k, 0, tolerance);
    s.x = s.x0;
    s.c = s.c0;
    s.a = s.a0;
    lzb_mode wanted = s.mode;
    if (!(s.x > 0)) {
        s.mode = LZB_OPEN; /* what is at stake is an indentation missed from 0 on */
        wanted = s.c == 0 && s.a == 0    ? LZB_COMPRESSING
                 : closing(state, w, &s) ? LZB_COMPRESSING
                                         : LZB_OPEN;
    } else if (s.mode == LZB_EXPANDING && closing(state, w, &s)) {
        wanted = LZB_COMPRESSING;
        compress_again(state, &s);
        count++;
    }
    count += (lzb_mode)state->mode[s.j] != wanted;
    state->mode[s.j] = (uint8_t)wanted;
    return count;
}

INLINE void refine_part(void *context, lzb_part part, void *found)
{
    const commitment *y = context;
    size_t count = 0;
    for (size_t k = part.first, end = lzb_part_end(y->w, part); k < end; k++) {
        if (!is_plain(y->w, k, (lzb_mode)y->state->mode[y->w->contact[k]])) {
            count += refine(y->state, y->w, k, y->tolerance);
        }
    }
    *(changes *)found = (changes){.count = count};
}

size_t lzb_commit_update_modes(lzb_state *state, const lzb_window *w, double tolerance)
{
    commitment y = {.state = state, .w = w, .tolerance = tolerance};
    changes found = {0};
    lzb_partition_do(w, refine_part, join_changes, &y, &found);
    return found.count;
}

static void commit_mode(lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    switch (s->mode) {
    case LZB_OPEN:
        state->mode[s->j] = (uint8_t)(s->c < 0 ? LZB_OPEN : LZB_COMPRESSING);
        return;
    case LZB_COMPRESSING:
        if (!(s->x > 0) || (s->e == 1 && lzb_span_about_to_open(state, w, s))) {
            release(state, s, 0);
        } else if (s->e < 1 && !closing(state, w, s)) {
            end_compression(state, w, s);
        }
        return;
    case LZB_EXPANDING:
        if (s->x <= 0 || lzb_span_about_to_open(state, w, s)) {
            note_opening(state, s);
            release(state, s, lzb_larger(s->x + s->offset, 0));
        } else if (closing(state, w, s)) {
            compress_again(state, s);
        }
    }
}

/* ---- Bookkeeping ---------------------------------------------------------------------------- */

/* A polynomial of degree 7 in the time since the start of a step, in units of its length. */
typedef struct septic {
    double q[8];
} septic;

/* That which matches x, c, c' and, where it is at hand, c'' at both ends. */
static septic indentation_within(const lzb_window *w, const lzb_span *s)
{
    double h = s->length, rate = w->fixed.rate[s->k], h2 = rate * h * h, h3 = h2 * h;
    double d0 = rate * s->c0 * h, a0 = s->a0 * h2;
    double j0 = h3 * lzb_dynamics_jerk(w, s->k, false, h);
    double j1 = h3 * lzb_dynamics_jerk(w, s->k, true, h);
    double rise = s->x - s->x0 - d0 - 0.5 * a0;
    double slope = rate * s->c * h - d0 - a0, bend = s->a * h2 - a0;
    if (isnan(j0 + j1)) {
        return (septic){{s->x0, d0, 0.5 * a0, 10 * rise - 4 * slope + 0.5 * bend,
                         -15 * rise + 7 * slope - bend, 6 * rise - 3 * slope + 0.5 * bend}};
    }
    rise -= j0 / 6;
    slope -= 0.5 * j0;
    bend -= j0;
    double twist = j1 - j0;
    return (septic){{s->x0, d0, 0.5 * a0, j0 / 6, 35 * rise - 15 * slope + 2.5 * bend - twist / 6,
                     -84 * rise + 39 * slope - 7 * bend + 0.5 * twist,
                     70 * rise - 34 * slope + 6.5 * bend - 0.5 * twist,
                     -20 * rise + 10 * slope - 2 * bend + twist / 6}};
}

/* Largest x within a step in which c changed from closing to opening. */
static double peak_indentation(const lzb_window *w, const lzb_span *s)
{
    septic x = indentation_within(w, s);
    double low = 0, high = 1, t = s->c0 / (s->c0 - s->c);
    for (int i = 0; i < 8; i++) { /* Newton's method, kept between the ends */
        double slope = 0, bend = 0;
        for (int k = 7; k > 0; k--) {
            bend = bend * t + slope;
            slope = slope * t + k * x.q[k];
        }
        *(slope > 0 ? &low : &high) = t;
        double next = bend < 0 ? t - slope / bend : low;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - t) < 1e-9) { /* x is stationary there */
            break;
        }
        t = next;
    }
    double highest = 0;
    for (int k = 7; k >= 0; k--) {
        highest = highest * t + x.q[k];
    }
    return highest;
}

/* At the end of a step after which the contact is open; < 0: x has not yet reached 0, if that is
 * how it opens.
 */
static double time_since_opening(const lzb_window *w, const lzb_span *s)
{
    bool expands = s->e == 1 || s->mode == LZB_EXPANDING;
    if (!(s->c < 0) || (s->x > 0 && !expands)) {
        return 0;
    }
    double since = s->x / (w->fixed.rate[s->k] * s->c);
    return lzb_larger(lzb_smaller(since, s->length), -s->length);
}

static void book(lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    size_t j = s->j;
    double highest = lzb_larger(s->x0, s->x);
    bool turned = s->c0 > 0 && s->c <= 0 && highest > LZB_COUNTED_INDENTATION * state->x_scale[j];
    if (turned) { /* below e = 1 the end of compression is an event, counted there */
        state->compressions[j] += s->e == 1;
        highest = lzb_larger(highest, peak_indentation(w, s));
    }
    state->peak[j] = lzb_larger(state->peak[j], highest + s->offset);
    if (s->x > 0) {
        state->contact_time[j] += s->length;
    } else if (s->x0 > 0) {
        state->contact_time[j] += s->length - time_since_opening(w, s);
    }
    if (s->mode == LZB_EXPANDING && state->stiffness_model == LZB_BI) {
        double released = lzb_window_energy_before(w, s->k) - lzb_window_energy_after(w, s->k);
        state->loss[j] += (1.0 - s->e * s->e) * released;
    }
}

/* A contact whose mode clearly stays: pressed throughout, or at no time. It has only to be booked.
 */
static bool goes_on(const lzb_state *state, const lzb_window *w, size_t k, size_t j)
{
    double x0 = w->trial.x0[k], x = w->trial.x[k], c0 = w->trial.c0[k], c = w->trial.c[k];
    switch ((lzb_mode)state->mode[j]) {
    case LZB_OPEN:
        return c < 0 && x0 == 0 && x == 0;
    case LZB_COMPRESSING:
        if (state->model->restitution[j] < 1) {
            return x > 0 && c0 > 0 && c > 1e-2 * state->speed;
        }
        return (x > 0 && c0 > 0 && c > 0) || (x > 1e-2 * w->fixed.scale[k] && c0 < 0 && c < 0) ||
               (x == 0 && x0 == 0 && c == 0);
    case LZB_EXPANDING:
        break;
    }
    return false;
}

static void book_going_on(lzb_state *state, const lzb_window *w, size_t k, size_t j, double length)
{
    double deepest = lzb_larger(w->trial.x0[k], w->trial.x[k]);
    if (deepest > 0) {
        state->peak[j] = lzb_larger(state->peak[j], deepest);
        state->contact_time[j] += length;
        state->x[j] = w->trial.x[k];
    }
}

#define LOOPS "law/lzb/extrapolation/commit_loops.h"
#include "base/loops.h"
LOOP(book_piece);

static void book_places(lzb_state *state, const lzb_window *w, size_t first, size_t end,
                        double tolerance)
{
    for (size_t k = first; k < end; k++) {
        size_t j = w->contact[k];
        state->c[j] = w->trial.c[k];
        if (!w->members.committed[k]) {
            lzb_state_add_impulse(state, j, w->trial.p[k]);
            state->step_error[j] += w->trial.error[k] * tolerance;
        }
    }
}

/* A contact to which something may have happened. */
static void commit_contact(const commitment *y, size_t k, changes *found)
{
    lzb_state *state = y->state;
    const lzb_window *w = y->w;
    lzb_span s = lzb_span_of(state, w, k, y->length, y->tolerance);
    size_t j = s.j;
    book(state, w, &s);
    state->x[j] = lzb_larger(s.x, 0);
    state->step_error[j] += s.x < 0 && s.c > 0 ? -s.x * w->fixed.per_scale[k] : 0;
    commit_mode(state, w, &s);
    if (state->x[j] == 0 && (s.x0 > 0 || s.x > 0)) {
        double since = time_since_opening(w, &s);
        found->opened = lzb_larger(found->opened, state->time + y->length - since);
        state->contact_time[j] += s.x > 0 ? -since : 0; /* else it is booked */
    }
    /* entered or released too early (lzb_commit_update_modes), and back again: no event has come */
    bool too_early = s.x0 == 0 && (s.mode == LZB_COMPRESSING ? s.c0 < 0 : s.c0 > 0);
    found->count += (lzb_mode)state->mode[j] != s.mode && !too_early;
}

INLINE void commit_part(void *context, lzb_part part, void *found)
{
    const commitment *y = context;
    const lzb_window *w = y->w;
    size_t end = lzb_part_end(w, part);
    changes here = {0};
    bool plain = lzb_window_is_piece(w) && !w->members.any_committed;
    (plain ? book_piece[w->width] : book_places)(y->state, w, part.first, end, y->tolerance);
    for (size_t k = part.first; k < end; k++) {
        size_t j = w->contact[k];
        if (w->members.committed[k]) {
            continue;
        }
        if (goes_on(y->state, w, k, j)) {
            book_going_on(y->state, w, k, j, y->length);
        } else {
            commit_contact(y, k, &here);
        }
    }
    *(changes *)found = here;
}

size_t lzb_commit(lzb_state *state, lzb_window *w, double length, double tolerance)
{
    commitment y = {.state = state, .w = w, .length = length, .tolerance = tolerance};
    changes found = {0};
    lzb_partition_do(w, commit_part, join_changes, &y, &found);
    state->opened = lzb_larger(state->opened, found.opened);
    lzb_window_pass_on(state, w);
    state->time += length;
    return found.count;
}
