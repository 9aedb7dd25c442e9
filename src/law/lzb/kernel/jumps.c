#include "law/lzb/kernel/jumps.h"

#include <string.h>

#include "law/lzb/window/block.h"

/* ---- Loops ---------------------------------------------------------------------------------- */

/* Marks a contact; more than the part of an indentation that the others are marked with. */
#define PRESSED_AGAIN 2.0

/* Only what presses is moved by what lets go. */
INLINE double made_way(double x, double way)
{
    double moved = x + way;
    return x > 0 ? (moved > 0 ? moved : 0.0) : 0.0;
}

/* At the end of a substep. PRESSED_AGAIN: it was on the way out; otherwise above 0: it has turned
 * to go out, and its brink is to be found.
 */
INLINE double turns(double lets_go, double c, double x, double brink)
{
    double against = brink > 0 ? c : -c, mark = brink > 0 ? PRESSED_AGAIN : lets_go;
    double pressed = x > 0 ? mark : 0.0;
    return against > 0 ? pressed : 0.0;
}

INLINE void make_way_on_line(size_t count, lzb_kind kind, const double *restrict stiffness,
                             const double *restrict below, const double *restrict diagonal,
                             const double *restrict above, const double *restrict ease,
                             double *restrict x, double *restrict force)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around = below[k] * ease[k - 1] + above[k] * ease[k + 1];
        double q = made_way(x[k], diagonal[k] * ease[k] + around);
        x[k] = q;
        force[k] = stiffness[k] * (kind == LZB_LINEAR ? q : q * __builtin_sqrt(q));
    }
}

#define LOOPS "law/lzb/kernel/jumps_loops.h"
#include "base/loops.h"
LOOP(move);
LOOP(make_way);
LOOP(turn);
LOOP(make_way_linear);
LOOP(make_way_hertz);
LOOP(kick_line);

static size_t count_of(lzb_part part)
{
    return part.blocks * LZB_BLOCK;
}

/* Contacts that are marked are few: they are listed so many at a time, without a branch for each.
 */
enum { CHUNK = 64 };

static size_t list_marked(const double *marks, size_t first, size_t end, size_t *list)
{
    size_t count = 0;
    for (size_t k = first; k < first + CHUNK && k < end; k++) {
        list[count] = k;
        count += marks[k] > 0;
    }
    return count;
}

/* ---- Letting go ----------------------------------------------------------------------------- */

/* A contact that comes to its brink: where that is, ... */
static double brink_of(const lzb_jumps *to, size_t k, double a, double c, double x)
{
    return to->brink[k] > 0 ? to->brink[k] : to->lets_go[k] * (x + 0.5 * c * c / -a);
}

/* ... and when it is there, at most h later. One on the way in turns round first; one that is at
 * its brink, or beyond, does not wait.
 */
static double time_to(double brink, double a, double c, double x, double h)
{
    double left = x - brink, root = sqrt(lzb_larger(c * c - 2 * a * left, 0));
    double when = c > 0 ? (c + root) / -a : left > 0 ? 2 * left / (root - c) : 0;
    return lzb_smaller(when, h);
}

/* Which of the two, letting go or being pressed again, was decided by so much indentation. */
static void note_margin(const lzb_window *w, const lzb_jumps *to, size_t k, double energy,
                        double indentation)
{
    if (energy * w->fixed.own[k] > to->at_stake && indentation > 0) {
        double *least = &to->margin[k];
        *least = *least > 0 ? lzb_smaller(*least, indentation) : indentation;
    }
}

/* Pressed by others (a > 0) it would have got only so much further. */
static double further(double a, double c, double left)
{
    return a > 0 ? 0.5 * (c * c - 2 * a * left) / a : 0;
}

static void let_go(const lzb_window *w, const lzb_jumps *to, size_t k, double h, double a, double c,
                   double f0, double *x)
{
    double brink = brink_of(to, k, a, c, *x), until = time_to(brink, a, c, *x, h), rest = h - until;
    double force = lzb_contact_force(w->fixed.stiffness[k], w->fixed.exponent[k], brink);
    to->lack[k] = 0.5 * (until * force - rest * f0);
    to->ease[k] = 0.5 * force * rest * rest;
    if (to->lost != NULL) {
        double energy = force * brink * w->fixed.per_power[k];
        to->lost[k] += energy;
        to->held[k] -= *x > 0 ? rest : 0; /* it is booked for all of the substep */
        note_margin(w, to, k, energy, further(a, c, *x - brink));
    }
    to->brink[k] = *x = 0;
}

void lzb_jumps_clear(lzb_part part, const lzb_jumps *to)
{
    memset(to->lack + part.first, 0, count_of(part) * sizeof *to->lack);
    memset(to->ease + part.first, 0, count_of(part) * sizeof *to->ease);
}

bool lzb_jumps_move(const lzb_window *w, lzb_part part, const lzb_jumps *to, double h,
                    const double *a, const double *c, const double *f0, double *x)
{
    size_t at = part.first, end = at + count_of(part), list[CHUNK];
    size_t found = move[w->width](count_of(part), h, to->lets_go + at, a + at, c + at,
                                  to->brink + at, x + at, to->marks + at);
    for (size_t first = at; found > 0 && first < end; first += CHUNK) {
        size_t count = list_marked(to->marks, first, end, list);
        for (size_t i = 0; i < count; i++) {
            size_t k = list[i];
            let_go(w, to, k, h, a[k], c[k], f0[k], &x[k]);
        }
    }
    return found > 0;
}

/* ---- What that does to others ---------------------------------------------------------------- */

void lzb_jumps_ease(const lzb_window *w, lzb_part part, const lzb_jumps *to, double *room,
                    double *x)
{
    lzb_dynamics_part_accelerate(w, part, to->ease, room);
    make_way[w->width](count_of(part), room + part.first, x + part.first);
}

void lzb_jumps_ease_line(const lzb_window *w, const lzb_jumps *to, double *x, double *force)
{
    const lzb_coupling *d = &w->coupling;
    (w->fixed.kind == LZB_HERTZ ? make_way_hertz : make_way_linear)[w->width](
        w->blocks * LZB_BLOCK, w->fixed.stiffness, d->below, d->diagonal, d->above, to->ease, x,
        force);
}

void lzb_jumps_kick(const lzb_window *w, lzb_part part, const lzb_jumps *to, double *c, double *p)
{
    lzb_dynamics_part_kick(w, part, 1.0, to->lack, c);
    lzb_dynamics_part_impulse(w, part, 1.0, to->lack, p);
}

/* ---- Turning round ----------------------------------------------------------------------------
 */

/* How deep x was when the closing speed went through 0 within the substep: by the parabola through
 * c0 at its start, c and its derivative a at its end.
 */
static double deepest(double h, double c0, double c, double a, double x)
{
    double bend = (c0 - c + a * h) / (h * h), since = h * c / (c - c0);
    for (int i = 0; i < 2; i++) { /* c - a since + bend since^2 = 0 */
        double slope = a - bend * since;
        since = slope < 0 ? lzb_smaller(c / slope, h) : since;
    }
    return x - since * (c - since * (0.5 * a - since * bend / 3));
}

/* Pressed again, on the way out. */
static void press_again(const lzb_window *w, const lzb_jumps *to, size_t k, double x)
{
    if (to->lost != NULL) {
        double energy = lzb_contact_energy(w->fixed.stiffness[k], w->fixed.exponent[k], x);
        note_margin(w, to, k, energy, x - to->brink[k]);
    }
    to->brink[k] = 0;
}

/* Those that have turned. */
static void find_brinks(const lzb_window *w, const lzb_jumps *to, lzb_part part, double h,
                        const double *c0, const double *c, const double *a, const double *x)
{
    size_t end = part.first + count_of(part), list[CHUNK];
    for (size_t first = part.first; first < end; first += CHUNK) {
        size_t count = list_marked(to->marks, first, end, list);
        for (size_t i = 0; i < count; i++) {
            size_t k = list[i];
            if (to->marks[k] == PRESSED_AGAIN) {
                press_again(w, to, k, x[k]);
            } else {
                double top = c0[k] > 0 ? deepest(h, c0[k], c[k], a[k], x[k]) : x[k];
                to->brink[k] = to->lets_go[k] * top;
            }
        }
    }
}

void lzb_jumps_turn(const lzb_window *w, lzb_part part, const lzb_jumps *to, double h,
                    const double *c0, const double *c, const double *a, const double *x)
{
    size_t at = part.first;
    if (turn[w->width](count_of(part), to->lets_go + at, c + at, x + at, to->brink + at,
                       to->marks + at)) {
        find_brinks(w, to, part, h, c0, c, a, x);
    }
}

void lzb_jumps_kick_line(const lzb_window *w, const lzb_jumps *to, double h, const double *f0,
                         const double *f1, const double *x, double *a, double *c, double *p,
                         double *c0)
{
    const lzb_coupling *d = &w->coupling;
    size_t count = w->blocks * LZB_BLOCK;
    if (kick_line[w->width](count, h, d->below, d->diagonal, d->above, to->lets_go, x, f0, f1,
                            to->lack, a, c, p, c0, to->brink, to->marks)) {
        find_brinks(w, to, (lzb_part){0, w->blocks}, h, c0, c, a, x);
    }
}
