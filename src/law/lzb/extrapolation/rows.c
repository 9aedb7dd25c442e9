/* The rows of a step: made by the leapfrog, extrapolated, and their errors. */
#include "law/lzb/extrapolation/rows.h"

#include <string.h>

/* A step with less than this part of the error allowed needs no more rows, whatever was planned. */
static const double ERROR_AMPLE = 0.1;
/* Windows of at most this many contacts make all their rows at once. */
enum { CONTACTS_AT_ONCE = 32 };

static unsigned evaluations_of_rows(unsigned rows)
{
    return rows * (rows + 1) / 2;
}

/* The error of a step is the largest of any contact; in a large window that of all contacts but a
 * few, which take the step on their own (lzb_stepper.exempt). Found to a factor of 2, by counting.
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
        counts[lzb_waves_bin(w->trial.error[k])]++;
    }
    return error_but(counts, but);
}

static double error_of_all(const lzb_window *w)
{
    double worst = 0;
    for (size_t k = 0; k < w->count; k++) {
        if (!(w->trial.error[k] < INFINITY)) {
            return INFINITY;
        }
        worst = lzb_larger(worst, w->trial.error[k]);
    }
    return worst;
}

/* The error of the step: of all contacts, or of all but a few. */
static double error_of_step(const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    return s->exempt > 0 ? error_of_most(w, w->count / s->exempt) : error_of_all(w);
}

/* ---- Making them ---------------------------------------------------------------------------- */

/* Rows up to `last` by the leapfrog, if they are not there yet. Those of a window in parts are made
 * when they are extrapolated: make_in_waves.
 */
static crm_status make_rows(lzb_stepper *s, double length, unsigned last, crm_error *error)
{
    if (last < s->rows_made) {
        return CRM_OK;
    }
    unsigned first = s->rows_made;
    s->rows_made = last + 1;
    s->evaluations += evaluations_of_rows(last + 1) - evaluations_of_rows(first);
    return lzb_partition_is_divided(s->window)
               ? CRM_OK
               : lzb_leapfrog(s->state, s->window, length, first, last, error);
}

/* A window in parts: all rows that are not there yet, extrapolated, at once. Apart, since it needs
 * much of the stack, which would cost small windows time.
 */
static __attribute__((noinline)) void make_in_waves(lzb_stepper *s, double length, unsigned row)
{
    lzb_window *w = s->window;
    lzb_row_errors errors;
    unsigned first = s->rows_extrapolated;
    lzb_waves_leapfrog(w, length, first, row, s->state->speed, s->tolerance, &errors);
    for (unsigned r = first > 0 ? first : 1; r <= row; r++) {
        s->error =
            s->exempt > 0 ? error_but(errors.counts[r], w->count / s->exempt) : errors.worst[r];
        s->row_error[r + 1] = s->error;
    }
    s->rows_extrapolated = row + 1;
}

/* Row `row` with all that are below it, extrapolated. */
static crm_status add_row(lzb_stepper *s, double length, unsigned row, crm_error *error)
{
    crm_status status = make_rows(s, length, row, error);
    if (status != CRM_OK) {
        return status;
    }
    if (lzb_partition_is_divided(s->window)) {
        make_in_waves(s, length, row);
    } else {
        lzb_extrapolate(s->window, row, s->state->speed, s->tolerance);
        s->error = row > 0 ? error_of_step(s) : s->error;
    }
    s->rows_used = row + 1;
    s->row_error[row + 1] = s->error;
    s->tried = length;
    return CRM_OK;
}

/* Several rows may be made at once on a line, where the leapfrog waits for its forces, and in
 * parts.
 */
static bool makes_several(const lzb_window *w)
{
    return w->coupling.product == LZB_LINE || lzb_partition_is_divided(w);
}

/* In small windows several rows cost hardly more than the longest of them, and are made and
 * extrapolated together.
 */
static bool takes_all_at_once(const lzb_stepper *s)
{
    return makes_several(s->window) && s->window->count <= CONTACTS_AT_ONCE;
}

/* Across a kink the columns hardly get better from one to the next, and their difference tells only
 * a part of the error: that of a geometric series, at least.
 */
static double slowness(double error, double error_before)
{
    const double slowest = 0.9, quick = 0.1; /* ratios of a series; above the second it counts */
    double ratio = lzb_smaller(error / error_before, slowest);
    return ratio > quick ? 1.0 / (1.0 - ratio) : 1;
}

static crm_status take_rows(lzb_stepper *s, double length, unsigned rows, crm_error *error)
{
    s->rows_made = 0;
    crm_status status = make_rows(s, length, rows - 1, error);
    if (status == CRM_OK) {
        lzb_extrapolate_all(s->window, rows, s->state->speed, s->tolerance, s->row_error);
        double slow = slowness(s->row_error[rows], s->row_error[rows - 1]);
        for (size_t k = 0; k < s->window->count && slow > 1; k++) {
            s->window->trial.error[k] *= slow;
        }
        s->error = s->row_error[rows] *= slow;
        s->rows_used = rows;
        s->tried = length;
    }
    return status;
}

/* Start a step that will certainly need `rows` rows; *first: the row from which on errors are
 * examined.
 */
static crm_status begin_rows(lzb_stepper *s, double length, unsigned rows, unsigned *first,
                             crm_error *error)
{
    s->rows_made = s->rows_extrapolated = 0;
    crm_status status = makes_several(s->window) ? make_rows(s, length, rows - 1, error) : CRM_OK;
    *first = lzb_partition_is_divided(s->window) ? s->rows_made - 1 : 0; /* those below at once */
    return status;
}

static crm_status take_result(lzb_stepper *s, double length, crm_error *error)
{
    lzb_window *w = s->window;
    s->evaluations++;
    if (lzb_partition_is_divided(w)) { /* the waves have done it */
        return CRM_OK;
    }
    size_t width = w->blocks * LZB_BLOCK;
    const double *x = lzb_window_row(w, 0), *c = x + width, *p = c + width;
    memcpy(w->trial.x, x, width * sizeof *x);
    memcpy(w->trial.c, c, width * sizeof *c);
    memcpy(w->trial.p, p, width * sizeof *p);
    return lzb_dynamics_accelerate(s->state, w, w->trial.x, length, w->trial.f, w->trial.a, error);
}

/* ---- A step --------------------------------------------------------------------------------- */

/* How many rows to make to begin with. One after the other is quick; in a window in parts, where
 * several are made at once, those that the last step did with, which may have been cut short.
 */
static unsigned rows_at_first(const lzb_stepper *s)
{
    bool fewer = lzb_partition_is_divided(s->window) && s->rows_used >= 2 && s->rows_used < s->rows;
    return fewer ? s->rows_used : s->rows - 1;
}

/* The same for a step that is taken again. */
static unsigned rows_to_repeat(const lzb_stepper *s, unsigned rows)
{
    return rows < 3 ? rows : lzb_partition_is_divided(s->window) ? 2 : rows - 1;
}

crm_status lzb_rows_repeat(lzb_stepper *s, double length, unsigned rows, crm_error *error)
{
    if (takes_all_at_once(s)) {
        crm_status taken =
            take_rows(s, length, rows < LZB_FEWEST_ROWS ? LZB_FEWEST_ROWS : rows, error);
        return taken == CRM_OK ? take_result(s, length, error) : taken;
    }
    unsigned first;
    crm_status status = begin_rows(s, length, rows_to_repeat(s, rows), &first, error);
    for (unsigned row = first; row < rows && (row <= first || row < 2 || s->error > ERROR_AMPLE);
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

/* Can the remaining rows not bring the error down? (Hairer, Norsett, Wanner, II.9) */
static bool hopeless(const lzb_stepper *s, unsigned k)
{
    double ratio = k + 1 == s->rows ? (k + 1.0) * (k + 2.0) : k == s->rows ? k + 1.0 : 1.0;
    return !(s->error <= ratio * ratio);
}

static bool is_enough(const lzb_stepper *s, unsigned k)
{
    return s->row_error[k] <= (k + 1 >= s->rows ? 1 : ERROR_AMPLE);
}

crm_status lzb_rows_attempt(lzb_stepper *s, double length, bool *accepted, crm_error *error)
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
        status = begin_rows(s, length, rows_at_first(s), &first, error);
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
        if (k >= LZB_FEWEST_ROWS && k + 1 >= s->rows && hopeless(s, k)) {
            break;
        }
    }
    return status == CRM_OK ? take_result(s, length, error) : status;
}
