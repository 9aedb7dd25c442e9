/* The contacts that matter in the present step, gathered into flat arrays. Internal.
 *
 * A contact with x = 0 that does not close does nothing; only contacts *at work* (with a force, or
 * closing, of a size that is not ignored) and those they can set to work within the step are
 * integrated. So the cost of a step is that of the wave, not
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

/* Rows of a window in parts that go side by side. */
enum { LZB_ABREAST = 4 };

/* Numbers that a contact takes in a pack (capturing/kernel/pack.h). */
enum { LZB_PACKED = 8 };

/* ---- Its members (members.c) ----------------------------------------------------------------- */

typedef struct lzb_members {
    uint32_t *stamp; /* by contact of the model: `now` if it is in, ... */
    uint32_t *place; /* ... and then its place in the window, ... */
    uint32_t *depth; /* ... and how far it is from a contact at work */
    uint32_t now;
    uint8_t *edge;             /* by place: the window was cut behind this contact */
    uint8_t *committed;        /* by place: its step has been written back already */
    bool edged, any_committed; /* some are */
} lzb_members;

/* The indentation, in units of x_scale, below which (x / x_scale)^power is less than a limit; kept
 * because a power is expensive and exponents are mostly the same.
 */
typedef struct lzb_threshold {
    double power, limit, ratio;
} lzb_threshold;

/* How the next window is looked for. */
typedef struct lzb_search {
    uint32_t lookahead;   /* how many contacts ahead of the working ones are taken in */
    uint32_t unused;      /* steps since the outermost of them were needed */
    double ignored_speed; /* a contact that closes, or could open, more slowly is ignored */
    double cut_force;     /* the window may be cut off behind a contact with less force */
    lzb_threshold for_speed, for_force; /* as indentations */
    bool with_open; /* open contacts count as pressing: they may close within the step */
    bool all;       /* look for working contacts among all, not only in the last window */
    uint32_t *working;
    size_t working_count;
} lzb_search;

/* What is the same for all windows of a model. */
typedef struct lzb_whole {
    const crm_model *model; /* as it is at the start of the impact */
    lzb_kind kind;          /* of all its contacts; LZB_POWER if mixed */
    bool elastic;           /* so are all its contacts */
    bool line;              /* each contact meets just the ones beside it */
    size_t reach; /* of a window of all contacts, see lzb_partition; SIZE_MAX: not known */
} lzb_whole;

/* ---- Their constants (gather.c) -------------------------------------------------------------- */

/* By place; fixed for the length of a step. */
typedef struct lzb_fixed {
    double *stiffness, *exponent, *rate;
    double *offset;    /* indentation at which it opens: force = stiffness (x + offset)^exponent; 0
                          with search.with_open, and x is the whole indentation */
    double *scale;     /* x_scale */
    double *per_scale; /* 1 / x_scale, or more where errors weigh more */
    double *own;       /* diagonal of D */
    double *back;      /* part of the energy stored now that comes back: 1 / rate, 0 if open */
    double *per_power; /* 1 / (1 + exponent): energy = force * indentation * this */
    lzb_kind kind;     /* of all contacts; LZB_POWER if mixed, or with offsets */
    bool hertz;        /* all are Hertz', with offsets */
} lzb_fixed;

/* ---- How they press on each other (coupling.c) ----------------------------------------------- */

/* How D is applied. */
typedef enum lzb_product {
    LZB_LINE,    /* a contact meets only the one before and the one after: three diagonals */
    LZB_SPARSE,  /* entry by entry */
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
    lzb_drive_link *link; /* by place, ascending */
    double *force;        /* of the sources */
} lzb_drive;

/* A sparse matrix: row k has entries start[k] to end[k] - 1. */
typedef struct lzb_sparse {
    const size_t *start, *end;
    const uint32_t *column;
    const double *value;
} lzb_sparse;

/* D between the contacts of the window; contacts that cannot carry a force may be left out. */
typedef struct lzb_coupling {
    lzb_product product;
    double *below, *diagonal, *above; /* LZB_LINE */
    lzb_sparse sparse;                /* LZB_SPARSE */
    size_t *start, *end;              /* memory for it, unless it is the model's */
    uint32_t *column;
    double *value;
    size_t start_room, entry_room;
    double *spread;         /* LZB_OPERATOR: room for a product, by contact of the model */
    const lzb_drive *drive; /* NULL: nothing presses from outside */
} lzb_coupling;

/* ---- The step under way (filled by kernel/) ------------------------------------------------- */

/* By place. */
typedef struct lzb_trial {
    double *x0, *c0;    /* at the start of the step */
    double *a0, *f0;    /* c' and forces there */
    double *x, *c, *p;  /* at its end; p: impulse of the step */
    double *a, *f;      /* c' and forces there */
    double *error;      /* difference of the last two columns, in units of the tolerance */
    double *correction; /* work space: change of x for the sake of energy */
} lzb_trial;

/* Rows of (x, c, p), each by another number of substeps, which are extrapolated. */
typedef struct lzb_tableau {
    double *row;
    double *force; /* work space, one for each row, `bordered` apart; zeros before and after */
    size_t bordered;
    double *low, *high; /* least and largest c at the substeps of the finest row */
    unsigned finest;    /* row made of the most substeps; it stays as the leapfrog made it */
    double *abreast;    /* of a window in parts: x, c, p, LZB_ABREAST numbers for each contact */
    size_t abreast_room;
    double *packs; /* LZB_PACKED numbers for each contact, for capturing/kernel/pack.h */
} lzb_tableau;

/* ---- Its parts (partition.h) ---------------------------------------------------------------- */

typedef struct lzb_partition {
    size_t parts;           /* 1: all of it, in the caller's thread */
    size_t each;            /* blocks in a part */
    size_t reach;           /* how many parts before and after a part D looks */
    crm_team_lazy *threads; /* those allowed; NULL: always one part */
    struct crm_team *team;  /* them; NULL: the caller alone */
    unsigned char *tally;   /* of each part: what it found */
    size_t tally_room;
} lzb_partition;

/* ---- All of it ------------------------------------------------------------------------------ */

/* Arrays by place have `count` entries in use, `blocks` * LZB_BLOCK with the padding. */
typedef struct lzb_window {
    crm_width width; /* of the vectors it is computed with */
    size_t count, blocks, room;
    uint32_t *contact; /* ascending; memory of the state */
    double *memory;    /* of all numbers by place, in one piece */
    lzb_members members;
    lzb_search search;
    lzb_whole whole;
    lzb_fixed fixed;
    lzb_coupling coupling;
    lzb_trial trial;
    lzb_tableau tableau;
    lzb_partition partition;
} lzb_window;

/* Make a window ready for an impact; {0}, or one of an impact before, of which what it has grown to
 * is kept. ignored_speed and cut_force are relative to the speed and force scales of the impact.
 * `threads`: those that a large window may use; NULL: none.
 */
crm_status lzb_window_begin(const lzb_state *state, double ignored_speed, double cut_force,
                            crm_team_lazy *threads, lzb_window *window, crm_error *error);
void lzb_window_release(lzb_window *window);

/* Find the contacts that matter and gather their present state: all but the forces, and what they
 * do (extrapolation/kernel/kernel.h). The working contacts are taken from the last window (the
 * first time, and after lzb_window_lower_ignored, from all). working_count = 0: nothing is at work.
 */
crm_status lzb_window_build(const lzb_state *state, lzb_window *window, crm_error *error);

/* Lower the speed that is ignored, and look at all contacts again. */
void lzb_window_lower_ignored(lzb_window *window, double ignored_speed);

/* How the next windows are built: with the couplings of open contacts, which may close within the
 * step; with this lookahead of contacts ahead of the working ones.
 */
void lzb_window_include_open(lzb_window *window, bool with_open);
void lzb_window_widen(lzb_window *window, uint32_t lookahead);

/* The model that the state refers to has changed; is it laid out as a line? */
void lzb_window_forget_model(lzb_window *window, bool line);

/* Has a force appeared where the window was cut off? Then it must be wider. */
bool lzb_window_too_narrow(lzb_window *window);

/* Take in no more contacts ahead next time than this step showed to be of use. */
void lzb_window_narrow(lzb_window *window);

/* The impulses of the step act on the contacts that the window was cut in front of, too. */
void lzb_window_pass_on(lzb_state *state, lzb_window *window);

/* Where D does not tell closing speeds (state/bodies.h), what the rounding of an indentation at the
 * end of a step does to speeds, squared, as a multiple of (the rounding of a number times the speed
 * scale)^2.
 */
double lzb_window_rounding(const lzb_state *state, const lzb_window *window);

/* ---- Between the files of this folder ----------------------------------------------------------
 */

/* Those at work, and then those that matter to them (members.c). */
void lzb_members_find_working(const lzb_state *state, lzb_window *window);
void lzb_members_spread(const lzb_state *state, lzb_window *window);

/* Is contact j at work? `for_speed` may be kept from call to call. */
bool lzb_members_at_work(const lzb_state *state, const lzb_search *search, size_t j,
                         lzb_threshold *for_speed);
double lzb_members_threshold(lzb_threshold *threshold, double power, double limit);

/* Three diagonals of a piece of a line (coupling.c); or what there is. */
void lzb_coupling_gather_piece(const lzb_state *state, lzb_window *window);
crm_status lzb_coupling_gather(const lzb_state *state, lzb_window *window, size_t open,
                               crm_error *error);
void lzb_coupling_release(lzb_coupling *coupling);

/* ---- For all --------------------------------------------------------------------------------- */

/* Gather the present state of just the contacts listed in window->contact (ascending, count of
 * them), pressed by window->coupling.drive (gather.c).
 */
crm_status lzb_gather(const lzb_state *state, lzb_window *window, crm_error *error);
/* Zeros before and after the forces. */
void lzb_gather_borders(lzb_window *window);

/* Can the contact carry a force within the step? */
static inline bool lzb_window_carries(const lzb_state *state, const lzb_window *w, size_t j)
{
    return w->search.with_open || state->mode[j] != LZB_OPEN;
}

static inline bool lzb_window_has(const lzb_window *w, uint32_t contact)
{
    return w->members.stamp[contact] == w->members.now;
}

/* Are its contacts neighbours on a line, none missing in between? */
static inline bool lzb_window_is_piece(const lzb_window *w)
{
    return w->whole.line && w->contact[w->count - 1] - w->contact[0] + 1 == w->count;
}

/* Row of the tableau: x, then c, then p, each of whole blocks. */
static inline double *lzb_window_row(const lzb_window *w, unsigned row)
{
    return w->tableau.row + (size_t)(3 * row) * w->blocks * LZB_BLOCK;
}

/* Entry k of D times a vector over the window. */
double lzb_coupling_product(const lzb_window *window, size_t k, const double *vector);

/* Energy stored at the start and at the end of the step. */
static inline double lzb_window_energy_before(const lzb_window *w, size_t k)
{
    return w->trial.f0[k] * (w->trial.x0[k] + w->fixed.offset[k]) * w->fixed.per_power[k];
}

static inline double lzb_window_energy_after(const lzb_window *w, size_t k)
{
    return w->trial.f[k] * (w->trial.x[k] + w->fixed.offset[k]) * w->fixed.per_power[k];
}

/* Energy that a contact takes up in the step: of what it stores, the part it will give back. */
static inline double lzb_window_energy_taken(const lzb_window *w, size_t k)
{
    return w->fixed.back[k] * (lzb_window_energy_after(w, k) - lzb_window_energy_before(w, k));
}

#endif
