/* The contacts that matter in the present step, gathered into flat arrays. Internal.
 *
 * A contact with x = 0 that does not close does nothing; only contacts at work, and those they
 * can set to work within the step, are integrated. So the cost of a step is that of the wave, not
 * of the chain.
 */
#ifndef CRM_LZB_WINDOW_H
#define CRM_LZB_WINDOW_H

#include "law/lzb.h"

/* The tableau has at most this many rows: order 2 * LZB_ROWS. */
enum { LZB_ROWS = 8 };

/* All arrays have `count` entries in use. */
typedef struct lzb_window {
    size_t count, room;
    uint32_t *contact; /* ascending */
    uint8_t *edge;     /* the window was cut behind this contact */
    double *stiffness, *exponent, *rate;
    double *x0, *c0;    /* at the start of the step */
    double *x, *c, *p;  /* at its end; p: impulse of the step */
    double *a0, *a;     /* c' at its start and end */
    double *force;      /* work space of the leapfrog */
    double *tableau;    /* LZB_ROWS rows of (x, c, p) */
    double *correction; /* work space: change of x for the sake of energy */
    lzb_kind kind;      /* of all contacts, LZB_POWER if mixed */

    /* D between the contacts of the window; only columns that can carry a force. */
    bool whole; /* D is not stored: the window is all contacts, D is applied as an operator */
    size_t *row_start;
    uint32_t *column;
    double *value;
    size_t entry_room;

    /* For building: by contact of the model. */
    uint32_t *stamp;
    uint32_t *place;
    uint32_t *depth;
    uint32_t now;
    uint32_t halo; /* how many contacts ahead of the working ones are taken in */
    double quiet;  /* a contact that closes, or could open, slower than this is left alone */
    double faint;  /* the window may be cut behind a contact with less force than this */
    bool all;      /* look for working contacts among all, not only in the last window */
    uint32_t *working;
    size_t working_count;
    double *spread; /* operator only: s entries */
} lzb_window;

/* quiet and faint are relative to the speed and force scales of the impact. */
crm_status lzb_window_create(const lzb_state *state, double quiet, double faint, lzb_window *window,
                             crm_error *error);
void lzb_window_release(lzb_window *window);

/* Gather the present state. The working contacts are taken from the last window (the first time,
 * and after lzb_window_look_closer, from all). working_count = 0: nothing is at work.
 */
crm_status lzb_window_build(const lzb_state *state, lzb_window *window, crm_error *error);

/* Lower what counts as quiet, and look at all contacts again. */
void lzb_window_look_closer(lzb_window *window, double quiet);

/* Leapfrog in n substeps over H from (x0, c0) into row `row` of the tableau. */
crm_status lzb_window_leapfrog(const lzb_state *state, lzb_window *window, double length,
                               unsigned substeps, unsigned row, crm_error *error);

/* The forces act for a time h: c -= h D force, p += h force. */
crm_status lzb_window_kick(const lzb_state *state, lzb_window *window, double h,
                           const double *force, double *c, double *p, crm_error *error);

/* a = c' at indentations x. */
crm_status lzb_window_accelerate(const lzb_state *state, lzb_window *window, const double *x,
                                 double *a, crm_error *error);

/* Did a force appear behind which the window was cut? Then it must be wider. */
bool lzb_window_too_narrow(const lzb_state *state, const lzb_window *window);

#endif
