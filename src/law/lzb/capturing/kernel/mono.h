/* Substeps of mono-stiffness (capturing/kernel/substep.h). Internal.
 *
 * A contact presses with K x^eta on the way in and on the way out, so that the end of a compression
 * is no kink. But it is released when x has fallen to its release depth, a fraction of x at the
 * latest end of a compression, and then its force jumps to 0. Verlet's substep, with the forces at
 * both ends, would be wrong by a first order. So the time tau of the release is found on the path
 *
 *     x_0 + c_0 t + a_0 t^2/2 = release depth,
 *
 * and the substep ends there for this contact: its impulse is that of tau, and the effect of its
 * force f after tau on the positions of the others is taken back,
 *
 *     p = tau (f_0 + f) / 2,     x_1 of all contacts  += D f (h - tau)^2/2.
 *
 * A neighbour that is released later in the same substep, at t, is then deeper by D f (t -
 * tau)^2/2, and presses until it has come up from there: without that it would be wrong by a second
 * order, and alike in rows of which a substep begins at the same time, so that their differences do
 * not show it. What is left is of the third order, as with a kink. The release depth depends on x
 * at the end of the compression, found from the closing speeds at both ends of a substep, to the
 * same order. A contact without loss has its release depth at x = 0, where no force is left to
 * jump.
 *
 * In a group that evens out one contact of ten is released in each substep, as many turn round and
 * as many close again. So there is no branch for any of this. What is asked of every contact is
 * asked in one loop with one division, which is the time since it turned in the substep before, or
 * that since it closes in this one. Contacts that are released are then gathered and worked on side
 * by side.
 */
#ifndef CRM_LZB_MONO_H
#define CRM_LZB_MONO_H

#include "law/lzb/extrapolation/kernel/kernel.h"

/* By place. */
typedef struct lzb_mono {
    const double *release_fraction; /* the release depth, as a part of the deepest indentation; 0:
                                       at no force */
    double *release_depth;          /* 0: not on the way out */
    double *before;                 /* closing speeds a substep ago; at first those of now */
    uint64_t *marks;                /* room: 1 for those that may be released; ... */
    double *dividend, *divisor;     /* ... and more room, ... */
    double *released_at, *by_depth; /* ... the same, later: the time of a release, and the impulse
                                       that a deeper indentation would add */
    double *missing_impulse; /* impulse that Verlet's substep misses; 0 where none is released, as
                                ... */
    double *position_correction; /* ... the correction of the others' positions, f (h - tau)^2/2,
                                    before D */
    bool counting;               /* account is kept of: */
    double *held, *peak, *lost, *turns; /* as in lzb_account, as are the next */
    const double *counted;
    double *margin; /* as in lzb_state, not relative, of contacts that store more than ... */
    double decisive_energy; /* ... this, times their entry of D; INFINITY: of none */
    double *earlier, *rise; /* to find those: closing accelerations a substep ago, and by how much
                               they had risen in the one before; at first those of now, and 0 */
} lzb_mono;

/* No contact is released as yet: to be called before a row, and before a substep after one with
 * releases.
 */
void lzb_mono_clear(lzb_part part, const lzb_mono *mono);

/* Closing speeds c, their derivatives a and forces f0 at the start of a substep of length h: which
 * contacts have turned in the one before? Move x to its end. Is any contact released?
 */
bool lzb_mono_move(const lzb_window *window, lzb_part part, const lzb_mono *mono, double h,
                   const double *a, const double *c, const double *f0, double *x);

/* Effect on the others: indentations are corrected, `room` being work space; ... */
void lzb_mono_correct(const lzb_window *window, lzb_part part, const lzb_mono *mono, double h,
                      double *room, double *x);

/* ... missing impulses are added to closing speeds and impulses, to which those of the plain
 * substep have been added.
 */
void lzb_mono_kick(const lzb_window *window, lzb_part part, const lzb_mono *mono, double *c,
                   double *p);

/* The last substep has been made: which contacts have turned in it, and to which release depth? */
void lzb_mono_end(const lzb_window *window, const lzb_mono *mono, double h, const double *a,
                  const double *c, const double *f0, const double *x);

/* The commonest case in fewer passes, a line of contacts with linear or Hertz' law in one part:
 * indentations are corrected, and the forces found; all kicks.
 */
void lzb_mono_correct_line(const lzb_window *window, const lzb_mono *mono, double h, double *x,
                           double *force);
void lzb_mono_kick_line(const lzb_window *window, const lzb_mono *mono, double h, const double *f0,
                        const double *f1, double *a, double *c, double *p);

#endif
