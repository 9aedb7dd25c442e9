#include "law/lzb/step/step.h"

#include <float.h>
#include <string.h>

#include "law/lzb/course/local.h"
#include "law/lzb/course/sweep.h"
#include "law/lzb/kernel/parts.h"

/* A step with less than this part of the error allowed needs no more rows, whatever was planned. */
static const double EASILY = 0.1;
enum { MOST_LOCATIONS = 60, MOST_AT_ONCE = 32, BESIDES = 6 };
enum { FEWEST = LZB_FEWEST_ROWS };

static unsigned evaluations_of_rows(unsigned rows)
{
    return rows * (rows + 1) / 2;
}

/* In evaluations; a step costs as much as some of them besides. */
static double cost_of_rows(unsigned rows)
{
    return BESIDES + evaluations_of_rows(rows);
}

/* ---- One step by extrapolation -------------------------------------------------------------- */

/* The error of a step is the largest of any contact; in a large window that of all contacts but a
 * few, which are then taken care of on their own (course/local.h). Found to a factor of 2, by
 * counting.
 */
static double error_but(const size_t *counts, size_t but)
{
    int bin = LZB_BINS - 1;
    for (size_t above = counts[bin]; above <= but && bin > 0; above += counts[bin]) {
        bin--;
    }
    return bin == LZB_BINS - 1 ? INFINITY : ldexp(1.0, bin - LZB_BIN_OF_ONE);
}

static double error_of_most(const lzb_window *w, size_t but)
{
    size_t counts[LZB_BINS] = {0};
    for (size_t k = 0; k < w->count; k++) {
        counts[lzb_error_bin(w->error[k])]++;
    }
    return error_but(counts, but);
}

static double error_of_all(const lzb_window *w)
{
    double worst = 0;
    for (size_t k = 0; k < w->count; k++) {
        if (!(w->error[k] < INFINITY)) {
            return INFINITY;
        }
        worst = lzb_larger(worst, w->error[k]);
    }
    return worst;
}

/* Rows up to `last` by the leapfrog, if they are not there yet. */
static crm_status make_rows(lzb_stepper *s, double length, unsigned last, crm_error *error)
{
    if (last < s->rows_made) {
        return CRM_OK;
    }
    unsigned first = s->rows_made;
    s->rows_made = last + 1;
    s->evaluations += evaluations_of_rows(last + 1) - evaluations_of_rows(first);
    return s->window->large ? CRM_OK /* make_large */
                            : lzb_window_leapfrog(s->state, s->window, length, first, last, error);
}

/* A large window: all rows that are not there yet, extrapolated, at once. Apart, since it needs
 * much of the stack, which would cost small windows time.
 */
static __attribute__((noinline)) void make_large(lzb_stepper *s, double length, unsigned row)
{
    lzb_window *w = s->window;
    bool apart = s->local != NULL && lzb_local_applies(w);
    lzb_row_errors errors;
    unsigned first = s->rows_extrapolated;
    lzb_parts_leapfrog(w, length, first, row, s->state->speed, s->tolerance, &errors);
    for (unsigned r = first > 0 ? first : 1; r <= row; r++) {
        s->error = apart ? error_but(errors.counts[r], w->count / LZB_LOCAL_FEW) : errors.worst[r];
        s->row_error[r + 1] = s->error;
    }
    s->rows_extrapolated = row + 1;
}

/* Where to begin looking at errors: a large window has its first rows at once. */
static unsigned first_row(const lzb_stepper *s)
{
    return s->window->large ? s->rows_made - 1 : 0;
}

/* Row `row` with all that are below it, extrapolated. */
static crm_status add_row(lzb_stepper *s, double length, unsigned row, crm_error *error)
{
    lzb_window *w = s->window;
    crm_status status = make_rows(s, length, row, error);
    if (status != CRM_OK) {
        return status;
    }
    if (w->large) {
        make_large(s, length, row);
    } else {
        lzb_window_extrapolate(w, row, s->state->speed, s->tolerance);
    }
    if (row > 0 && !w->large) {
        bool large = s->local != NULL && lzb_local_applies(w);
        s->error = large ? error_of_most(w, w->count / LZB_LOCAL_FEW) : error_of_all(w);
    }
    s->rows_used = row + 1;
    s->row_error[row + 1] = s->error;
    s->tried = length;
    return CRM_OK;
}

/* In small windows the leapfrog waits for its forces; then several rows cost hardly more than the
 * longest of them, and are made and extrapolated together.
 */
static bool takes_all_at_once(const lzb_stepper *s)
{
    return lzb_window_is_plain(s->window) && s->window->count <= MOST_AT_ONCE;
}

/* Across a kink the columns hardly get better from one to the next, and their difference tells only
 * a part of the error: that of a geometric series, at least.
 */
static double slowness(double error, double error_before)
{
    double ratio = lzb_smaller(error / error_before, 0.9);
    return ratio > 0.1 ? 1.0 / (1.0 - ratio) : 1;
}

static crm_status take_rows(lzb_stepper *s, double length, unsigned rows, crm_error *error)
{
    s->rows_made = 0;
    crm_status status = make_rows(s, length, rows - 1, error);
    if (status == CRM_OK) {
        lzb_window_extrapolate_all(s->window, rows, s->state->speed, s->tolerance, s->row_error);
        double slow = slowness(s->row_error[rows], s->row_error[rows - 1]);
        for (size_t k = 0; k < s->window->count && slow > 1; k++) {
            s->window->error[k] *= slow;
        }
        s->error = s->row_error[rows] *= slow;
        s->rows_used = rows;
        s->tried = length;
    }
    return status;
}

/* Start a step for which so many rows will be wanted for certain. */
static crm_status begin_rows(lzb_stepper *s, double length, unsigned rows, crm_error *error)
{
    s->rows_made = s->rows_extrapolated = 0;
    return lzb_window_is_plain(s->window) ? make_rows(s, length, rows - 1, error) : CRM_OK;
}

static crm_status take_result(lzb_stepper *s, double length, crm_error *error)
{
    lzb_window *w = s->window;
    if (w->large) { /* make_large has done it */
        s->evaluations++;
        return CRM_OK;
    }
    size_t width = w->blocks * LZB_BLOCK;
    const double *x = lzb_window_row(w, 0), *c = x + width, *p = c + width;
    memcpy(w->x, x, width * sizeof *x);
    memcpy(w->c, c, width * sizeof *c);
    memcpy(w->p, p, width * sizeof *p);
    s->evaluations++;
    return lzb_window_accelerate(s->state, w, w->x, length, w->f, w->a, error);
}

/* The step again, shorter, for finding events: no more rows than it took before, fewer if they do.
 */
static crm_status repeat(lzb_stepper *s, double length, unsigned rows, crm_error *error)
{
    if (takes_all_at_once(s)) {
        crm_status taken = take_rows(s, length, rows < FEWEST ? FEWEST : rows, error);
        return taken == CRM_OK ? take_result(s, length, error) : taken;
    }
    unsigned at_first = rows < 3 ? rows : s->window->large ? 2 : rows - 1;
    crm_status status = begin_rows(s, length, at_first, error);
    unsigned first = first_row(s);
    for (unsigned row = first; row < rows && (row <= first || row < 2 || s->error > EASILY);
         row++) {
        if (status == CRM_OK) {
            status = add_row(s, length, row, error);
        }
        if (status != CRM_OK) {
            return status;
        }
    }
    return take_result(s, length, error);
}

/* The length for which k rows would just do, from their error with the present length. */
static double length_for_rows(const lzb_stepper *s, unsigned k)
{
    double error = s->row_error[k];
    if (!(error < INFINITY)) {
        return 0.05 * s->tried;
    }
    double grow =
        error > 0 ? 0.94 * powf((float)(0.65 / error), 1.0F / (2.0F * (float)k - 1.0F)) : 8.0;
    return s->tried * lzb_smaller(lzb_larger(grow, 0.02), 8.0);
}

/* Evaluations per unit of time. */
static double work_of_rows(const lzb_stepper *s, unsigned k)
{
    return cost_of_rows(k) / length_for_rows(s, k);
}

/* Is there no hope that the remaining rows bring the error down? (Hairer, Norsett, Wanner, II.9) */
static bool hopeless(const lzb_stepper *s, unsigned k)
{
    double ratio = k + 1 == s->rows ? (k + 1.0) * (k + 2.0) : k == s->rows ? k + 1.0 : 1.0;
    return !(s->error <= ratio * ratio);
}

static bool is_enough(const lzb_stepper *s, unsigned k)
{
    return s->row_error[k] <= (k + 1 >= s->rows ? 1 : EASILY);
}

/* How many rows to make to begin with. A plain window is quick; in a large one, where rows are made
 * several at once, those that the last step did with, which may have been cut short.
 */
static unsigned rows_at_first(const lzb_stepper *s)
{
    bool fewer = s->window->large && s->rows_used >= 2 && s->rows_used < s->rows;
    return fewer ? s->rows_used : s->rows - 1;
}

/* Try a step; *accepted says whether its error is within the tolerance. */
static crm_status attempt(lzb_stepper *s, double length, bool *accepted, crm_error *error)
{
    *accepted = false;
    unsigned most = s->rows < LZB_ROWS ? s->rows + 1 : LZB_ROWS, first;
    crm_status status;
    if (takes_all_at_once(s)) {
        first = s->rows;
        status = take_rows(s, length, s->rows, error);
        *accepted = s->error <= 1;
        most = *accepted || hopeless(s, s->rows) ? first : most;
    } else {
        status = begin_rows(s, length, rows_at_first(s), error);
        first = first_row(s);
    }
    for (unsigned row = first; row < most; row++) {
        if (status == CRM_OK) {
            status = add_row(s, length, row, error);
        }
        if (status != CRM_OK) {
            return status;
        }
        unsigned k = row + 1;
        if (k < 2) {
            continue;
        }
        unsigned enough = row == first ? 2 : k;
        while (enough < k && !is_enough(s, enough)) {
            enough++;
        }
        if (is_enough(s, enough)) {
            s->rows_used = enough;
            *accepted = true;
            break;
        }
        if (k >= FEWEST && k + 1 >= s->rows && hopeless(s, k)) {
            break;
        }
    }
    return status == CRM_OK ? take_result(s, length, error) : status;
}

/* ---- Order and length of the next step ------------------------------------------------------ */

/* The order falls slowly: a step across a kink says nothing about the smooth stretch before it. */
static void plan_after_rejection(lzb_stepper *s)
{
    unsigned k = s->rows_used < s->rows ? s->rows_used : s->rows;
    if (k > FEWEST && work_of_rows(s, k - 1) < 0.8 * work_of_rows(s, k)) {
        k--;
    }
    s->length = length_for_rows(s, k);
    s->rows = k < FEWEST ? FEWEST : k;
    s->rejected = true;
}

static unsigned best_rows(const lzb_stepper *s)
{
    unsigned used = s->rows_used;
    if (used <= 2) {
        return 3;
    }
    double work = work_of_rows(s, used), work_below = work_of_rows(s, used - 1);
    if (used <= s->rows) {
        return work_below < 0.8 * work ? used - 1 : work < 0.9 * work_below ? used + 1 : used;
    }
    unsigned best = used - 1;
    double least = work_below;
    if (used > 3 && work_of_rows(s, used - 2) < 0.8 * work_below) {
        best = used - 2;
        least = work_of_rows(s, used - 2);
    }
    return work < 0.9 * least ? used : best;
}

static void plan_after_acceptance(lzb_stepper *s)
{
    unsigned used = s->rows_used, best = best_rows(s);
    best = best < FEWEST ? FEWEST : best >= LZB_ROWS ? LZB_ROWS - 1 : best;
    double length = best <= used
                        ? length_for_rows(s, best)
                        : length_for_rows(s, used) * cost_of_rows(best) / cost_of_rows(used);
    if (s->rejected) { /* after a rejection neither may grow */
        best = best < used ? best : used < FEWEST ? FEWEST : used;
        length = lzb_smaller(length, length_for_rows(s, used));
    }
    s->rows = best;
    s->length = length;
    s->rejected = false;
}

/* ---- Landing on events ---------------------------------------------------------------------- */

/* The step of this length passed an event by too much. Find the length that ends at the event:
 * Newton's method from either side, kept between a length known to be early and one known to be
 * late. Any length that is not late is a valid step, so stopping before the event is reached is
 * only slower.
 */
static crm_status land_on_event(lzb_stepper *s, double *length, lzb_lateness late, crm_error *error)
{
    unsigned rows = s->rows_used;
    double early = 0, too_late = *length, guess = late.earliest;
    size_t target = late.place;
    bool last_is_late = true, slow = false;
    double shortest = 4 * DBL_EPSILON * (s->state->time + *length);
    for (int i = 0; i < MOST_LOCATIONS && too_late - early > shortest; i++) {
        double width = too_late - early;
        if (slow || !late.bracketed || !(guess > early) || !(guess < too_late)) {
            guess = early + 0.5 * width;
        }
        *length = guess;
        crm_status status = repeat(s, guess, rows, error);
        if (status != CRM_OK) {
            return status;
        }
        late = lzb_events_examine(s->state, s->window, guess, s->tolerance);
        last_is_late = late.place != SIZE_MAX;
        if (last_is_late) {
            too_late = guess;
            target = late.place;
            guess = late.earliest;
            slow = i > 2 && too_late - early > 0.5 * width;
            continue;
        }
        early = guess;
        slow = i > 2 && too_late - early > 0.5 * width;
        double ahead = lzb_events_ahead(s->state, s->window, target, guess, s->tolerance);
        if (!(ahead > 0) || guess < 0.5 * ahead) {
            return CRM_OK; /* there, or so far from it that another step is the better approach */
        }
        guess += ahead;
    }
    if (last_is_late && early > 0) {
        *length = early;
        return repeat(s, early, rows, error);
    }
    s->error_late += last_is_late ? late.worst : 0; /* cannot be had better: say so */
    return CRM_OK;
}

/* ---- Steps that are accepted ---------------------------------------------------------------- */

static crm_status widen(lzb_stepper *s, crm_error *error)
{
    s->window->halo += s->window->halo / 2;
    return lzb_window_build(s->state, s->window, error);
}

/* One accepted step, all contacts together. */
static crm_status advance_together(lzb_stepper *s, double longest, double *length, crm_error *error)
{
    double shortest = 1e-14 * (s->state->time + s->length);
    longest = lzb_smaller(longest, lzb_events_approach(s->state, s->window, s->tolerance));
    for (;;) {
        double planned = s->length;
        *length = lzb_smaller(planned, longest);
        bool accepted;
        crm_status status = attempt(s, *length, &accepted, error);
        if (status != CRM_OK) {
            return status;
        }
        if (lzb_window_too_narrow(s->window)) {
            status = widen(s, error);
            if (status != CRM_OK) {
                return status;
            }
            continue;
        }
        lzb_lateness late = lzb_events_examine(s->state, s->window, *length, s->tolerance);
        if (accepted && !late.bracketed && *length > shortest) {
            s->length = 0.5 * *length; /* several events of one contact: look closer */
            s->rejected = true;
            continue;
        }
        if (!accepted && *length > shortest) {
            double to_event = late.place != SIZE_MAX && late.bracketed ? late.earliest : 0;
            plan_after_rejection(s);
            if (to_event > s->length && to_event < 0.95 * *length) {
                s->length = to_event;
            }
            continue;
        }
        bool cut = *length < planned;
        if (late.place != SIZE_MAX) {
            double before = *length;
            status = land_on_event(s, length, late, error);
            if (status != CRM_OK) {
                return status;
            }
            if (!(s->error <= 1) && *length > shortest) {
                s->length = 0.5 * *length;
                s->rejected = true;
                continue;
            }
            cut |= *length < before;
        }
        if (cut) {
            s->length = planned; /* an event or a sampling time cut it: nothing was learnt */
        } else {
            plan_after_acceptance(s);
        }
        return CRM_OK;
    }
}

/* The same for a large window: the few contacts that are in trouble (an event, or too large an
 * error) take this step on their own with their neighbours. *done = false: they could not be kept
 * apart; then all must go together.
 */
static crm_status advance_apart(lzb_stepper *s, double longest, double *length, bool *done,
                                crm_error *error)
{
    enum { TRIES = 4 };
    double shortest = 1e-14 * (s->state->time + s->length);
    *done = false;
    for (int failures = 0; failures < TRIES && s->length > shortest;) {
        double planned = s->length;
        *length = lzb_smaller(lzb_smaller(planned, s->longest), longest);
        bool accepted;
        crm_status status = attempt(s, *length, &accepted, error);
        if (status == CRM_OK && lzb_window_too_narrow(s->window)) {
            status = widen(s, error);
            if (status == CRM_OK) {
                continue;
            }
        }
        if (status != CRM_OK) {
            return status;
        }
        if (!accepted) {
            plan_after_rejection(s);
            continue;
        }
        status = lzb_local_settle(s, *length, done, error);
        if (status != CRM_OK) {
            return status;
        }
        if (*done) {
            s->longest = lzb_larger(s->longest, 1.5 * *length);
            if (*length < planned) {
                s->length = planned; /* nothing was learnt */
            } else {
                plan_after_acceptance(s);
            }
            return CRM_OK;
        }
        failures++;
        s->longest = 0.5 * *length;
    }
    return CRM_OK;
}

crm_status lzb_step_advance(lzb_stepper *s, double longest, double *length, crm_error *error)
{
    struct lzb_local *local = s->local;
    s->swept = false;
    if (local != NULL && lzb_sweep_applies(s)) {
        crm_status status = lzb_sweep_advance(s, longest, length, &s->swept, error);
        if (status != CRM_OK || s->swept) {
            return status;
        }
    } else if (s->window->through) {
        s->window->through = false;
        crm_status status = lzb_window_build(s->state, s->window, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    if (local != NULL && lzb_local_applies(s->window)) {
        bool done;
        crm_status status = advance_apart(s, longest, length, &done, error);
        if (status != CRM_OK || done) {
            return status;
        }
    }
    s->local = NULL;
    s->energy_local = 0;
    crm_status status = advance_together(s, longest, length, error);
    s->local = local;
    return status;
}

void lzb_step_finish(lzb_stepper *s, double length)
{
    lzb_window_narrow(s->window);
    size_t changes = lzb_events_settle(s->state, s->window, length, s->tolerance);
    if (changes == 0) { /* shortened for an event that did not come: approach it in strides */
        s->length = lzb_smaller(s->length, 8.0 * length);
    }
    s->steps++;
}
