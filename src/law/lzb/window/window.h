/* The contacts that matter in the present step, gathered into flat arrays. Internal.
 *
 * A contact with x = 0 that does not close does nothing; only contacts at work, and those they
 * can set to work within the step, are integrated. So the cost of a step is that of the wave, not
 * of the chain.
 *
 * All arrays of the window are padded to whole blocks of LZB_BLOCK contacts with contacts that do
 * nothing, so that the inner loops have no remainders.
 */
#ifndef CRM_LZB_WINDOW_H
#define CRM_LZB_WINDOW_H

#include "law/lzb/state/state.h"

/* The tableau has at most this many rows: order 2 * LZB_ROWS. So many are always planned: the first
 * ones are cheap, and tell little of those to come.
 */
enum { LZB_ROWS = 8, LZB_FEWEST_ROWS = 4, LZB_BLOCK = 8 };

/* Rows of a large window that go side by side. */
enum { LZB_ABREAST = 4 };

/* How D is applied. */
typedef enum lzb_product {
    LZB_LINE,    /* a contact meets only the one before and the one after: three diagonals */
    LZB_SPARSE,  /* rows */
    LZB_OPERATOR /* D is not stored: the window is all contacts */
} lzb_product;

/* Contacts outside the window that press on it in a known way: their indentations are polynomials
 * of the time since the start of an enclosing step, in units of its length.
 */
typedef struct lzb_drive_source {
    double polynomial[8];
    double offset, stiffness, exponent;
} lzb_drive_source;

typedef struct lzb_drive_link {
    uint32_t place; /* in the window */
    uint32_t source;
    double d; /* entry of D */
} lzb_drive_link;

typedef struct lzb_drive {
    double length; /* of the enclosing step */
    double begin;  /* where in it the window's step begins */
    size_t sources, links, source_room, link_room;
    lzb_drive_source *source;
    lzb_drive_link *link;
    double *force; /* of the sources */
} lzb_drive;

/* The indentation, in units of x_scale, below which (x / x_scale)^power is less than a limit; kept
 * because a power is dear and exponents are mostly the same.
 */
typedef struct lzb_threshold {
    double power, limit, ratio;
} lzb_threshold;

/* Rows of a sparse matrix: row k has entries start[k] to end[k] - 1. */
typedef struct lzb_rows {
    const size_t *start, *end;
    const uint32_t *column;
    const double *value;
} lzb_rows;

/* All arrays have `count` entries in use, `blocks` * LZB_BLOCK with the padding. */
typedef struct lzb_window {
    size_t count, blocks, room;
    uint32_t *contact; /* ascending; memory of the state */
    double *memory;    /* all that follows, in one piece */
    double *stiffness, *exponent, *rate;
    double *offset;    /* indentation at which it opens: force = stiffness (x + offset)^exponent */
    double *scale;     /* x_scale */
    double *per_scale; /* 1 / x_scale */
    double *own;       /* diagonal of D */
    double *back;      /* part of the energy stored now that comes back: 1 / rate, 0 if open */
    double *per_power; /* 1 / (1 + exponent): energy = force * indentation * this */
    double *x0, *c0;   /* at the start of the step */
    double *x, *c, *p; /* at its end; p: impulse of the step */
    double *a0, *a;    /* c' at its start and end */
    double *f0, *f;    /* forces likewise */
    double *force; /* work space of the leapfrog, one for each row, `bordered` apart; zeros before
                      and after */
    size_t bordered;
    double *error;      /* difference of the last two columns, in units of the tolerance */
    double *correction; /* work space: change of x for the sake of energy */
    double *low, *high; /* least and largest c at the substeps of the finest row */
    unsigned finest;    /* row made of the most substeps; it stays as the leapfrog made it */
    double *tableau;    /* LZB_ROWS rows of (x, c, p) */
    double *below, *diagonal, *above; /* LZB_LINE */
    uint8_t *edge;                    /* the window was cut behind this contact */
    uint8_t *settled;                 /* its step has been made and booked already */
    bool edged, any_settled;          /* some are */
    lzb_kind kind;                    /* of all contacts; LZB_POWER if mixed, or with offsets */
    lzb_kind model_kind;              /* of all contacts of the model */
    bool elastic;                     /* so are all contacts of the model */
    bool line;                        /* each contact of the model meets just the ones beside it */
    lzb_product product;

    /* LZB_SPARSE: D between the contacts of the window; contacts that cannot carry a force may be
     * left out.
     */
    lzb_rows rows;
    size_t *row_start, *row_end; /* memory for them, unless they are the model's */
    uint32_t *column;
    double *value;
    size_t row_room, entry_room;

    const lzb_drive *drive; /* NULL: nothing presses from outside */

    /* A large window is gone through in parts, on several threads if there are: kernel/parts.h. */
    bool large;
    size_t parts;
    crm_threads *threads;   /* those allowed; NULL: never large */
    struct crm_team *team;  /* them; NULL: the caller alone */
    size_t reach;           /* how many parts before and after a part D looks */
    const crm_model *model; /* of the impact */
    size_t model_reach;     /* with all contacts of that model; SIZE_MAX: not known */
    double *abreast; /* work space of the leapfrog: x, c, p, LZB_ABREAST numbers for each contact */
    size_t abreast_room;
    unsigned char *tally; /* of each part: what it found */
    size_t tally_room;

    /* For building: by contact of the model, memory of the state. */
    uint32_t *stamp;
    uint32_t *place;
    uint32_t *depth;
    uint32_t now;
    uint32_t halo;   /* how many contacts ahead of the working ones are taken in */
    uint32_t spared; /* steps since the outermost of them were of use */
    double quiet;    /* a contact that closes, or could open, slower than this is left alone */
    double faint;    /* the window may be cut behind a contact with less force than this */
    lzb_threshold is_quiet, is_faint;
    bool through; /* open contacts count as pressing: they may close within the step */
    bool all;     /* look for working contacts among all, not only in the last window */
    uint32_t *working;
    size_t working_count;
    double *spread; /* operator only: s entries */
} lzb_window;

/* Make a window ready for an impact; {0}, or one of an impact before, of which what it has grown to
 * is kept. quiet and faint are relative to the speed and force scales of the impact.
 */
crm_status lzb_window_begin(const lzb_state *state, double quiet, double faint, lzb_window *window,
                            crm_error *error);
void lzb_window_release(lzb_window *window);

/* Gather the present state. The working contacts are taken from the last window (the first time,
 * and after lzb_window_look_closer, from all). working_count = 0: nothing is at work.
 */
crm_status lzb_window_build(const lzb_state *state, lzb_window *window, crm_error *error);

/* Gather the present state of just the contacts listed in window->contact (ascending, count of
 * them, each with its place set), pressed by window->drive.
 */
crm_status lzb_window_gather(const lzb_state *state, lzb_window *window, crm_error *error);

/* Can the contact carry a force within the step? */
static inline bool lzb_window_carries(const lzb_state *state, const lzb_window *w, size_t j)
{
    return w->through || state->mode[j] != LZB_OPEN;
}

/* Are its contacts neighbours on a line, none missing in between? */
static inline bool lzb_window_is_piece(const lzb_window *w)
{
    return w->line && w->contact[w->count - 1] - w->contact[0] + 1 == w->count;
}

/* Lower what counts as quiet, and look at all contacts again. */
void lzb_window_look_closer(lzb_window *window, double quiet);

/* What gathering finds out about contacts. */
typedef struct lzb_gathered {
    bool edged, shifted, not_linear, not_hertz;
} lzb_gathered;

/* Gather the contacts at these places, where room has been made. Adds to *found. */
void lzb_window_gather_places(const lzb_state *state, lzb_window *window, size_t first, size_t end,
                              lzb_gathered *found);
void lzb_window_note_gathered(lzb_window *window, lzb_gathered found);
/* Their rows of D: three diagonals, if that is all there is (false: it is not); or as a list from
 * `filled` on.
 */
bool lzb_window_gather_line(const lzb_state *state, lzb_window *window, size_t first, size_t end);
void lzb_window_gather_rows(const lzb_state *state, lzb_window *window, size_t first, size_t end,
                            size_t filled);
/* Zeros before and after the forces. */
void lzb_window_clear_borders(lzb_window *window);
crm_status lzb_window_reserve_rows(lzb_window *window, size_t rows, size_t entries,
                                   crm_error *error);

/* Put window->contact in order: first come those at work, in order, then others. */
void lzb_window_sort(lzb_window *window);

/* Is contact j at work? `is_quiet` may be kept from call to call. */
bool lzb_window_at_work(const lzb_state *state, const lzb_window *window, size_t j,
                        lzb_threshold *is_quiet);

/* Did a force appear behind which the window was cut? Then it must be wider. */
bool lzb_window_too_narrow(lzb_window *window);

/* Take in no more contacts ahead next time than this step showed to be of use. */
void lzb_window_narrow(lzb_window *window);

/* The impulses of the step act on the contacts that the window was cut in front of, too. */
void lzb_window_pass_on(lzb_state *state, lzb_window *window);

/* Energy stored at the start and at the end of the step. */
static inline double lzb_window_energy_before(const lzb_window *w, size_t k)
{
    return w->f0[k] * (w->x0[k] + w->offset[k]) * w->per_power[k];
}

static inline double lzb_window_energy_after(const lzb_window *w, size_t k)
{
    return w->f[k] * (w->x[k] + w->offset[k]) * w->per_power[k];
}

/* Energy that a contact takes up in the step: of what it stores, the part it will give back. */
static inline double lzb_window_energy_taken(const lzb_window *w, size_t k)
{
    return w->back[k] * (lzb_window_energy_after(w, k) - lzb_window_energy_before(w, k));
}

/* ---- The leapfrog (kernel/leapfrog.c) ----------------------------------------------------------
 */

/* Row of the tableau: x, then c, then p, each of whole blocks. */
static inline double *lzb_window_row(const lzb_window *w, unsigned row)
{
    return w->tableau + (size_t)(3 * row) * w->blocks * LZB_BLOCK;
}

/* Leapfrog over the length from (x0, c0) into rows first to last of the tableau; row r is made of
 * r + 1 substeps.
 */
crm_status lzb_window_leapfrog(const lzb_state *state, lzb_window *window, double length,
                               unsigned first, unsigned last, crm_error *error);

/* Does it pay to make several rows at once? */
bool lzb_window_is_plain(const lzb_window *window);

/* The forces act for a time h: c -= h D force, p += h force. */
crm_status lzb_window_kick(const lzb_state *state, lzb_window *window, double h,
                           const double *force, double *c, double *p, crm_error *error);

/* Forces and a = c' at indentations x, `at` a time since the start of the step. */
crm_status lzb_window_accelerate(const lzb_state *state, lzb_window *window, const double *x,
                                 double at, double *force, double *a, crm_error *error);

/* Entry k of D times a vector over the window. */
double lzb_window_row_product(const lzb_window *window, size_t k, const double *vector);

/* ---- Its extrapolation (kernel/extrapolate.c) --------------------------------------------------
 */

/* Row `row` has just been filled with `row + 1` substeps: extrapolate to substep 0. Afterwards row
 * 0 holds the result of the highest order and row 1 the next lower; their difference goes to
 * window->error, in units of `tolerance`.
 */
void lzb_window_extrapolate(lzb_window *window, unsigned row, double speed, double tolerance);

/* The same for rows 0 to rows - 1 in one go, LZB_FEWEST_ROWS of them at least: row_error[r] is the
 * largest error of any contact with r rows, INFINITY if something overflowed.
 */
void lzb_window_extrapolate_all(lzb_window *window, unsigned rows, double speed, double tolerance,
                                double *row_error);

#endif
