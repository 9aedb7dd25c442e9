/* Mono-stiffness in substeps that go through kinks (kernel/kinks.h). Internal.
 *
 * A contact presses with K x^eta on the way in and on the way out, so that the end of a compression
 * is no kink. But it lets go when x has fallen to its brink, a part of what it was at the latest
 * end of a compression, and then its force jumps to 0. Verlet's substep, which takes the force as
 * it is at both ends, would be wrong by a first order. So the time tau of the jump is found on the
 * way
 *
 *     x_0 + c_0 t + a_0 t^2/2 = brink,
 *
 * and the substep ends there for this contact: its impulse is that of tau, and what its force f
 * would have done afterwards is taken back,
 *
 *     p = tau (f_0 + f) / 2,     x_1 of all contacts  += D f (h - tau)^2/2.
 *
 * What is left is of the third order, as with a kink. Where the brink is depends on x at the end of
 * the compression, found from the closing speeds at both ends of a substep, to the same order. A
 * contact that loses nothing has its brink at x = 0, where there is no force left to jump.
 *
 * In a group that evens out one contact of ten lets go in each substep, as many turn round and as
 * many close again. So there is no branch for any of this. What is asked of every contact is asked
 * in one loop with one division, which is the time since it turned in the substep before, or that
 * since it closes in this one. Those that let go are then put together and worked on side by side.
 */
#ifndef CRM_LZB_JUMPS_H
#define CRM_LZB_JUMPS_H

#include "law/lzb/kernel/kernel.h"

/* By place. */
typedef struct lzb_jumps {
    const double *lets_go; /* the brink, as a part of the deepest indentation; 0: at no force */
    double *brink;         /* 0: not on the way out */
    double *before;        /* closing speeds a substep ago; at first those of now */
    uint64_t *marks;       /* room: 1 for those that may let go; ... */
    double *dividend, *divisor; /* ... and more room */
    double *lack;  /* impulse that Verlet's substep would lack; 0 where none lets go, as ... */
    double *ease;  /* ... what makes way for the others: f (h - tau)^2/2 */
    bool counting; /* account is kept of: */
    double *held, *peak, *lost, *turns; /* as in lzb_kinks, as are the next */
    const double *counted;
    double *margin;  /* as in lzb_state, not relative. Of those contacts ... */
    double at_stake; /* ... that store more than this, times their entry of D; INFINITY: of none */
    double *earlier, *rise; /* to find those: closing accelerations a substep ago, and by how much
                               they had risen in the one before; at first those of now, and 0 */
} lzb_jumps;

/* Nobody lets go so far: to be called before a row, and before a substep after one with jumps. */
void lzb_jumps_clear(lzb_part part, const lzb_jumps *jumps);

/* Closing speeds c, their derivatives a and forces f0 at the start of a substep of length h: who
 * has turned in the one before? Move x to its end. Does any contact let go?
 */
bool lzb_jumps_move(const lzb_window *window, lzb_part part, const lzb_jumps *jumps, double h,
                    const double *a, const double *c, const double *f0, double *x);

/* What that means for the others: indentations make way, `room` being work space; ... */
void lzb_jumps_ease(const lzb_window *window, lzb_part part, const lzb_jumps *jumps, double *room,
                    double *x);

/* ... closing speeds and impulses, to which those of the substep without jumps have been added. */
void lzb_jumps_kick(const lzb_window *window, lzb_part part, const lzb_jumps *jumps, double *c,
                    double *p);

/* The last substep has been made: who has turned in it, and to which brink? */
void lzb_jumps_end(const lzb_window *window, const lzb_jumps *jumps, double h, const double *a,
                   const double *c, const double *f0, const double *x);

/* The commonest case in fewer passes, a line of contacts with linear or Hertz' law in one part:
 * indentations make way, and the forces then; all that kicks.
 */
void lzb_jumps_ease_line(const lzb_window *window, const lzb_jumps *jumps, double *x,
                         double *force);
void lzb_jumps_kick_line(const lzb_window *window, const lzb_jumps *jumps, double h,
                         const double *f0, const double *f1, double *a, double *c, double *p);

#endif
