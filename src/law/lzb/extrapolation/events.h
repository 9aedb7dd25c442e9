/* Where a contact changes its law within a step: end of compression, recompression, opening,
 * re-entry. Internal.
 *
 * A step integrates with the modes frozen. Having passed an event by a time tau makes an error
 * that is known to leading order; a step may be kept when that error is a small part of the
 * tolerance (lateness <= 1), otherwise it is taken again, ending at the event.
 */
#ifndef CRM_LZB_EVENTS_H
#define CRM_LZB_EVENTS_H

#include "law/lzb/extrapolation/window/partition.h"

/* ---- Finding them (events.c) ----------------------------------------------------------------- */

/* The step just tried, of the given length: the largest lateness of any contact, and the length
 * at which the earliest too-late event is expected (by Newton's method from the end of the step).
 */
typedef struct lzb_lateness {
    double worst;
    double earliest;
    size_t place;   /* in the window, of the earliest; SIZE_MAX: none too late */
    bool bracketed; /* the event lies between the ends of the step for certain */
} lzb_lateness;

lzb_lateness lzb_events_examine(const lzb_state *state, const lzb_window *window, double length,
                                double tolerance);

/* Has this contact passed an event by too much? */
bool lzb_events_is_late(const lzb_state *state, const lzb_window *window, size_t place,
                        double length, double tolerance);

/* The step ends before the event that contact `place` is heading for: how much longer it would
 * have to be (Newton's method; INFINITY when it is not heading for one), 0 if it ends so near that
 * acting at once costs nothing.
 */
double lzb_events_ahead(const lzb_state *state, const lzb_window *window, size_t place,
                        double length, double tolerance);

/* A force x^eta whose exponent is no whole number is smooth up to the point of opening but no
 * further, and steps that end there, or beyond, converge slowly. The longest step that is worth
 * trying: a part of the time until a contact opens that still presses.
 */
double lzb_events_approach(const lzb_state *state, const lzb_window *window, double tolerance);

/* ---- Acting on them (commit.c) --------------------------------------------------------------- */

/* Before a step: contacts whose closing speed is 0, as far as can be told, take the mode that their
 * acceleration leads to. (It may have changed since they were committed: another contact was
 * released.) Returns how many changed; the window must then be built again. (Of engine/:
 * lzb_engine_update_modes.)
 */
size_t lzb_commit_update_modes(lzb_state *state, const lzb_window *window, double tolerance);

/* Write the accepted step back: states, modes, errors, losses, peaks, durations, counts; of
 * contacts that are committed already only the closing speed. Returns how many contacts changed
 * their mode.
 */
size_t lzb_commit(lzb_state *state, lzb_window *window, double length, double tolerance);

#endif
