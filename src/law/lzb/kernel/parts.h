/* A large window, gone through in parts on several threads. Internal.
 *
 * Parts are of LZB_PART contacts whatever the number of threads; what is summed up is summed up in
 * each part and then over the parts in their order. So the number of threads does not change a bit.
 * Small windows know nothing of this.
 *
 * A part is small enough that what one loop has fetched is still in the cache for the next; so the
 * loops over whole windows become sequences of short loops over a part, with as few meetings of
 * the threads as the products with D allow.
 */
#ifndef CRM_LZB_PARTS_H
#define CRM_LZB_PARTS_H

#include <stdatomic.h>

#include "base/team.h"
#include "law/lzb/state/power.h"
#include "law/lzb/window/window.h"

/* Threads begin to pay at LZB_LARGE contacts. A part's tally is what it has found, to be put
 * together with the others': any structure of at most LZB_TALLY bytes.
 */
enum { LZB_PART = 512, LZB_LARGE = 2048, LZB_TALLY = 64 };

typedef struct lzb_part {
    size_t first, blocks; /* place of its first contact, and its length */
} lzb_part;

static inline lzb_part lzb_part_whole(const lzb_window *w)
{
    return (lzb_part){0, w->blocks};
}

static inline lzb_part lzb_part_at(const lzb_window *w, size_t index)
{
    size_t first = index * (LZB_PART / LZB_BLOCK), left = w->blocks - first;
    return (lzb_part){first * LZB_BLOCK, left < LZB_PART / LZB_BLOCK ? left : LZB_PART / LZB_BLOCK};
}

/* Behind its last contact, padding left out. */
static inline size_t lzb_part_end(const lzb_window *w, lzb_part part)
{
    size_t end = part.first + part.blocks * LZB_BLOCK;
    return end < w->count ? end : w->count;
}

static inline void *lzb_part_tally(const lzb_window *w, size_t index)
{
    return w->tally + index * LZB_TALLY;
}

/* Do all parts. */
static inline void lzb_parts_run(const lzb_window *w, crm_team_part *part, void *context)
{
    crm_team_run(w->team, w->parts, part, context);
}

/* ---- One part (kernel/leapfrog.c); arrays are those of the window, from its first contact on
 * -----
 */

void lzb_part_forces(const lzb_window *w, lzb_part part, const double *x, double *force);
/* c -= h D force */
void lzb_part_kick(const lzb_window *w, lzb_part part, double h, const double *force, double *c);
/* p += h force */
void lzb_part_gather_impulse(lzb_part part, double h, const double *force, double *p);
/* kernel/extrapolate.c */
void lzb_part_extrapolate(const lzb_window *w, lzb_part part, unsigned row, double speed,
                          double tolerance);

/* kernel/parts.c: a = -D force */
void lzb_part_accelerate(const lzb_window *w, lzb_part part, const double *force, double *a);

/* ---- Errors of the rows of the tableau ---------------------------------------------------------
 */

/* Errors, counted by powers of 2. */
enum { LZB_BINS = 128, LZB_BIN_OF_ONE = 64 };

/* An error in bin b is at most 2^(b - LZB_BIN_OF_ONE); in the last bin, whatever is larger. */
static inline size_t lzb_error_bin(double error)
{
    if (!(error < 0x1p60)) {
        return LZB_BINS - 1;
    }
    const unsigned bias = 1022; /* of the exponents in the bits of numbers */
    return error < 0x1p-60 ? 0 : (lzb_to_bits(error) >> 52) + LZB_BIN_OF_ONE - bias;
}

typedef struct lzb_row_errors {
    double worst[LZB_ROWS]; /* INFINITY also for what is no number */
    size_t counts[LZB_ROWS][LZB_BINS];
} lzb_row_errors;

typedef struct lzb_extrapolation {
    lzb_window *w;
    unsigned first, last; /* rows */
    double speed, tolerance;
    atomic_size_t counts[LZB_ROWS][LZB_BINS]; /* whole numbers: added up in any order */
} lzb_extrapolation;

/* Tally of a part. */
typedef struct lzb_worst_errors {
    double row[LZB_ROWS];
} lzb_worst_errors;

/* Extrapolate row after row, and find the errors of each. */
void lzb_part_extrapolate_rows(lzb_extrapolation *e, size_t index);
/* When all parts are done. */
void lzb_parts_note_errors(const lzb_extrapolation *e, lzb_row_errors *errors);

/* ---- The steps of a large window (kernel/parts.c)
 * ------------------------------------------------
 */

/* x = NULL: the forces are there already. */
void lzb_parts_accelerate(lzb_window *w, const double *x, double *force, double *a);
void lzb_parts_kick(lzb_window *w, double h, const double *force, double *c, double *p);
/* One row, made otherwise. */
void lzb_parts_extrapolate(lzb_window *w, unsigned row, double speed, double tolerance);

/* Rows first to last by the leapfrog, extrapolated; x, c and p at the end of the step, with forces
 * and accelerations (kernel/parts_leapfrog.c).
 */
void lzb_parts_leapfrog(lzb_window *w, double length, unsigned first, unsigned last, double speed,
                        double tolerance, lzb_row_errors *errors);

/* ---- Building it (window/parts_build.c)
 * ----------------------------------------------------------
 */

/* Is the window, whose size is known, a large one? Then make what it needs. */
crm_status lzb_parts_begin(lzb_window *w, crm_error *error);
void lzb_parts_find_working(const lzb_state *state, lzb_window *w);
void lzb_parts_spread_out(const lzb_state *state, lzb_window *w);
crm_status lzb_parts_gather(const lzb_state *state, lzb_window *w, crm_error *error);

#endif
