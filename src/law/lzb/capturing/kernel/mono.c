#include "law/lzb/capturing/kernel/mono.h"

#include <string.h>

#include "law/lzb/extrapolation/window/block.h"

/* ---- All contacts --------------------------------------------------------------------------- */

/* The least indentation by which it was decided that a contact is released, or pressed again. */
INLINE double next_margin(double margin, double indentation, double energy, double decisive_energy)
{
    double less = margin < indentation ? margin : indentation;
    double least = margin > 0 ? less : indentation;
    double decided = energy > decisive_energy ? least : margin;
    return indentation > 0 ? decided : margin;
}

/* Has a contact on the way out been pressed again within the substep that ends here, and turned
 * once more? It is going out at both ends then. Its acceleration, rising from a0 as it did in the
 * substep before and falling to a1 at once where a neighbour is released, leaves c below two
 * straight lines through c0 and c1, and those meet above 0 if this is above 0.
 */
INLINE double hidden_press(double h, double rise, double a0, double a1, double c0, double c1)
{
    double up = a0 + rise, down = a1 - rise, meet = up * (c1 - h * down) - down * c0;
    double out = c0 < 0 && c1 < 0 ? meet : 0.0;
    return up > 0 && down < 0 ? out : 0.0;
}

/* Contacts pressed again on the way out. If it is uncertain whether a contact was, it gets the
 * release depth as if it was; rows of fewer substeps leave the depth unchanged, so that the step is
 * accepted only if that makes no difference.
 */
INLINE void decide(const lzb_window *w, size_t first, size_t last, const lzb_mono *to, double h,
                   const double *restrict a, const double *restrict c, const double *restrict f0,
                   const double *restrict x)
{
    double *restrict margin = to->margin, *restrict release_depth = to->release_depth,
                     *restrict earlier = to->earlier, *restrict rise = to->rise;
    const double *restrict before = to->before, *restrict release_fraction = to->release_fraction;
#pragma GCC ivdep
    for (size_t k = first; k < last; k++) {
        double energy = f0[k] * x[k] * w->fixed.per_power[k] * w->fixed.own[k];
        double a0 = earlier[k], change = a[k] - a0, out = release_depth[k], left = x[k] - out;
        double hidden = hidden_press(h, rise[k], a0, a[k], before[k], c[k]);
        double again = c[k] > 0 || hidden > 0 ? left : 0.0, pressed = out > 0 ? again : 0.0;
        margin[k] = next_margin(margin[k], pressed, energy, to->decisive_energy);
        double turned = hidden > 0 ? release_fraction[k] * x[k] : out;
        release_depth[k] = out > 0 ? turned : out;
        rise[k] = change > 0 ? change : 0.0;
        earlier[k] = a[k];
    }
}

/* What is known of contact k before a substep: top is that of one that has just turned, its x of
 * any other.
 */
INLINE void note(const lzb_mono *to, size_t k, double top, double x)
{
    double peak = to->peak[k], turned = top > to->counted[k] ? 1.0 : 0.0;
    to->peak[k] = peak > top ? peak : top;
    to->turns[k] += top > x ? turned : 0.0;
}

/* Above 0: it has turned to go out in the substep before. */
INLINE double has_turned(double before, double c, double x)
{
    double out = x > 0 ? -c : 0.0;
    return before > 0 ? out : 0.0;
}

/* The release depth, given that before: a contact may have turned round, or be pressed again. */
INLINE double next_release_depth(double release_fraction, double top, double c, double x,
                                 double release_depth)
{
    double found = c < 0 ? release_fraction * top : 0.0, kept = c > 0 ? 0.0 : release_depth;
    double out = release_depth > 0 ? kept : found;
    return x > 0 ? out : 0.0;
}

/* One division serves all that is asked of a contact, s/r. One that closes has been closed for s/r
 * at the end of the substep, s = c there and r = c', and is then at z = s/2 s/r; it would be
 * further if it was not open. One that has turned to go out did so h s/r before the start, s = c
 * there and r its change in the substep before, where x was less by h z: by a straight line, and
 * what that leaves out is of the third order. So z tells the two apart: it is above 0, or below.
 *
 * (s and r are found in a loop of their own because the compiler, if it sees how they come about,
 * divides once for each of the cases.)
 */
INLINE void prepare(size_t first, size_t last, const lzb_mono *to, double h,
                    const double *restrict a, const double *restrict c, const double *restrict x)
{
    const double *restrict before = to->before;
    double *restrict dividend = to->dividend, *restrict divisor = to->divisor;
#pragma GCC ivdep
    for (size_t k = first; k < last; k++) {
        double a0 = a[k], c0 = c[k], c1 = c0 + h * a0, b = before[k];
        double turned = has_turned(b, c0, x[k]), closes = c0 < 0 ? c1 : 0.0;
        double rate = closes > 0 ? a0 : 1.0, speed = closes > 0 ? c1 : 0.0;
        dividend[k] = turned > 0 ? c0 : speed;
        divisor[k] = turned > 0 ? c0 - b : rate;
    }
}

/* marks[k] = 1 if contact k may be released in the substep: it gets no lower than `low`, and is not
 * released above `at`. Where it was is left in `dividend`.
 */
INLINE size_t move_on(size_t first, size_t last, const lzb_mono *to, bool counting, double h,
                      const double *restrict a, const double *restrict c, double *restrict x)
{
    double *restrict before = to->before, *restrict release_depth = to->release_depth,
                     *restrict held = to->held, *restrict dividend = to->dividend;
    uint64_t *restrict marks = to->marks;
    double half = 0.5 * h;
    size_t found = 0;
#pragma GCC ivdep
    for (size_t k = first; k < last; k++) {
        double s = dividend[k], q = s / to->divisor[k], z = 0.5 * s * q, least = z > 0 ? z : 0.0;
        double c0 = c[k], x0 = x[k], release_fraction = to->release_fraction[k],
               top = x0 - h * (z < 0 ? z : 0.0);
        double out = next_release_depth(release_fraction, top, c0, x0, release_depth[k]);
        double way = half * c0, on = way + half * h * a[k], low = x0 + way + (on < 0 ? on : 0.0);
        double most = x0 + (way > 0 ? way : 0.0), in = release_fraction * most,
               at = out > 0 ? out : in;
        double end = x0 + way + on, gap = most > 0 ? low - at : 1.0;
        if (counting) {
            note(to, k, top, x0);
            double part = z > 0 ? q : 0.0, pressed = c0 > 0 ? h : part;
            held[k] += x0 > 0 ? h : pressed;
        }
        x[k] = end > least ? end : least;
        release_depth[k] = out;
        before[k] = c0;
        dividend[k] = x0;
        marks[k] = gap <= 0 ? 1 : 0;
        found += marks[k];
    }
    return found;
}

/* At the end of the last substep. */
INLINE void turn_after(size_t count, const lzb_mono *to, bool counting, double h,
                       const double *restrict c, const double *restrict x)
{
    double *restrict release_depth = to->release_depth;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double b = to->before[k], c0 = c[k], x0 = x[k], turned = has_turned(b, c0, x0);
        double r = turned > 0 ? b - c0 : 1.0, s = turned > 0 ? c0 : 0.0;
        double top = x0 + 0.5 * h * s * s / r;
        if (counting) {
            note(to, k, top, x0);
        }
        release_depth[k] =
            next_release_depth(to->release_fraction[k], top, c0, x0, release_depth[k]);
    }
}

/* A release moves only what is in contact. */
INLINE double corrected(double x, double way)
{
    double moved = x + way;
    return x > 0 ? (moved > 0 ? moved : 0.0) : 0.0;
}

INLINE void apply_release_on_line(size_t count, lzb_kind kind, const double *restrict stiffness,
                                  const double *restrict below, const double *restrict diagonal,
                                  const double *restrict above,
                                  const double *restrict position_correction, double *restrict x,
                                  double *restrict force)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around =
            below[k] * position_correction[k - 1] + above[k] * position_correction[k + 1];
        double q = corrected(x[k], diagonal[k] * position_correction[k] + around);
        x[k] = q;
        force[k] = stiffness[k] * (kind == LZB_LINEAR ? q : q * __builtin_sqrt(q));
    }
}

/* ---- Contacts that are released -------------------------------------------------------------- */

/* How many are collected at a time. */
enum { FEW = 64 };
/* A mark: 1 for those that may be released. */
enum { RELEASED = 2 };

typedef struct releasing {
    size_t place[FEW];
    double a[FEW], c[FEW], f0[FEW], x[FEW], stiffness[FEW], exponent[FEW];
    double top[FEW]; /* that is still to come; 0: on the way out */
    double release_depth[FEW];
    double until[FEW], force[FEW]; /* when it is released, and its force then; ... */
    double speed[FEW];             /* how fast it opens then */
    double missing_impulse[FEW], position_correction[FEW]; /* ... as in lzb_mono */
} releasing;

/* A contact at its release depth, or beyond, does not wait. */
INLINE void find_release(size_t count, lzb_kind kind, double h, releasing *restrict to)
{
#pragma GCC ivdep
    for (size_t i = 0; i < count; i++) {
        double c = to->c[i], a = to->a[i], release_depth = to->release_depth[i],
               left = to->x[i] - release_depth;
        double square = c * c - 2 * a * left, root = __builtin_sqrt(square > 0 ? square : 0.0);
        double way = c > 0 ? c + root : left > 0 ? 2 * left : 0.0, speed = c > 0 ? -a : root - c;
        double when = way / (speed > 0 ? speed : 1.0);
        double until = when < h ? when : h, rest = h - until;
        double power = kind == LZB_LINEAR  ? release_depth
                       : kind == LZB_HERTZ ? release_depth * __builtin_sqrt(release_depth)
                                           : lzb_power(release_depth, to->exponent[i]);
        double force = to->stiffness[i] * power;
        double turns = (a > 0 ? a : -a) * h;
        to->until[i] = until;
        to->force[i] = force;
        to->speed[i] = root > turns ? root : turns;
        to->missing_impulse[i] = 0.5 * (until * force - rest * to->f0[i]);
        to->position_correction[i] = 0.5 * force * rest * rest;
    }
}

#define LOOPS "law/lzb/capturing/kernel/mono_loops.h"
#include "base/loops.h"
LOOP(note_pressed);
LOOP(move);
LOOP(move_counting);
LOOP(turn_last);
LOOP(turn_last_counting);
LOOP(release_linear);
LOOP(release_hertz);
LOOP(release_power);
LOOP(apply_release);
LOOP(apply_release_linear);
LOOP(apply_release_hertz);
LOOP(kick_line);

static size_t count_of(lzb_part part)
{
    return part.blocks * LZB_BLOCK;
}

/* The next of those that are marked, without a branch for each contact. */
static size_t list_marked(const uint64_t *marks, size_t *next, size_t last, size_t *list)
{
    size_t count = 0, block = *next;
    for (; block < last && count <= FEW - LZB_BLOCK; block += LZB_BLOCK) {
        for (size_t k = block; k < block + LZB_BLOCK; k++) {
            list[count] = k;
            count += marks[k];
        }
    }
    *next = block;
    return count;
}

/* Distance left to the release depth in a substep from c0 to c1: all the time on the way out,
 * turned round before its end, or on the way out only after the end of a compression; without a
 * release depth, to x = 0. `end` is where that path would lead.
 */
static double distance_left(double release_fraction, double release_depth, double a, double c0,
                            double c1, double x, double end)
{
    if (release_depth > 0) {
        return c1 > 0 && c0 < 0 ? 2 * a * (x - release_depth) - c0 * c0 : end - release_depth;
    }
    if (c1 >= 0) {
        return INFINITY;
    }
    return c0 > 0 ? -2 * a * (end - release_fraction * x) - release_fraction * c0 * c0 : end;
}

/* Collects the contacts released among those listed, which were at x; returns their number. */
static size_t collect(const lzb_window *w, const lzb_mono *to, size_t count, double h,
                      const double *a, const double *c, const double *f0, const double *x,
                      releasing *some)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = some->place[i];
        double c0 = c[k], x0 = x[k], release_fraction = to->release_fraction[k],
               release_depth = to->release_depth[k];
        double c1 = c0 + h * a[k], end = x0 + 0.5 * h * (c0 + c1);
        some->place[kept] = k;
        some->a[kept] = a[k];
        some->c[kept] = c0;
        some->f0[kept] = f0[k];
        some->x[kept] = x0;
        some->stiffness[kept] = w->fixed.stiffness[k];
        some->exponent[kept] = w->fixed.exponent[k];
        some->top[kept] = c0 > 0 ? x0 + 0.5 * c0 * c0 / -a[k] : 0;
        some->release_depth[kept] = c0 > 0 ? release_fraction * some->top[kept] : release_depth;
        kept += distance_left(release_fraction, release_depth, a[k], c0, c1, x0, end) <= 0;
    }
    return kept;
}

/* Places without a contact: contacts at rest. */
static void fill_up(releasing *some, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        some->a[i] = some->c[i] = some->f0[i] = some->x[i] = some->release_depth[i] = 0;
        some->stiffness[i] = some->exponent[i] = 0;
    }
}

/* Pressed by others (a > 0) it would have got only so much further. */
static double further(double a, double c, double left)
{
    return a > 0 ? 0.5 * (c * c - 2 * a * left) / a : 0;
}

/* The energy given up. As time in contact all of the substep has been booked. */
static void book(const lzb_window *w, const lzb_mono *to, double h, const releasing *some, size_t i)
{
    size_t k = some->place[i];
    double energy = some->force[i] * some->release_depth[i] * w->fixed.per_power[k];
    to->lost[k] += energy;
    to->held[k] -= h - some->until[i];
    to->peak[k] = lzb_larger(to->peak[k], some->top[i]);
    to->turns[k] += some->top[i] > to->counted[k] ? 1 : 0;
    if (to->decisive_energy < INFINITY) {
        double left = further(some->a[i], some->c[i], some->x[i] - some->release_depth[i]);
        to->margin[k] =
            next_margin(to->margin[k], left, energy * w->fixed.own[k], to->decisive_energy);
    }
}

static void release(const lzb_window *w, const lzb_mono *to, size_t count, double h,
                    releasing *some, double *x)
{
    size_t whole = (count + LZB_BLOCK - 1) / LZB_BLOCK * LZB_BLOCK;
    fill_up(some, count, whole);
    (w->fixed.kind == LZB_HERTZ    ? release_hertz
     : w->fixed.kind == LZB_LINEAR ? release_linear
                                   : release_power)[w->width](whole, h, some);
    for (size_t i = 0; i < count; i++) {
        size_t k = some->place[i];
        to->missing_impulse[k] = some->missing_impulse[i];
        to->position_correction[k] = some->position_correction[i];
        to->marks[k] = RELEASED;
        to->released_at[k] = some->until[i];
        to->by_depth[k] = some->speed[i] > 0 ? some->force[i] / some->speed[i] : 0;
        to->release_depth[k] = x[k] = 0;
    }
    for (size_t i = 0; to->counting && i < count; i++) {
        book(w, to, h, some, i);
    }
}

/* ---- Substeps -------------------------------------------------------------------------------- */

void lzb_mono_clear(lzb_part part, const lzb_mono *to)
{
    memset(to->missing_impulse + part.first, 0, count_of(part) * sizeof *to->missing_impulse);
    memset(to->position_correction + part.first, 0,
           count_of(part) * sizeof *to->position_correction);
}

bool lzb_mono_move(const lzb_window *w, lzb_part part, const lzb_mono *to, double h,
                   const double *a, const double *c, const double *f0, double *x)
{
    size_t next = part.first, end = next + count_of(part), releases = 0;
    if (to->counting && to->decisive_energy < INFINITY) {
        note_pressed[w->width](w, next, end, to, h, a, c, f0, x);
    }
    size_t found = (to->counting ? move_counting : move)[w->width](next, end, to, h, a, c, x);
    releasing some;
    while (found > 0 && next < end) {
        size_t count = list_marked(to->marks, &next, end, some.place);
        count = collect(w, to, count, h, a, c, f0, to->dividend, &some);
        release(w, to, count, h, &some, x);
        releases += count;
    }
    return releases > 0;
}

void lzb_mono_end(const lzb_window *w, const lzb_mono *to, double h, const double *a,
                  const double *c, const double *f0, const double *x)
{
    size_t count = w->blocks * LZB_BLOCK;
    if (to->counting && to->decisive_energy < INFINITY) {
        note_pressed[w->width](w, 0, count, to, h, a, c, f0, x);
    }
    (to->counting ? turn_last_counting : turn_last)[w->width](count, to, h, c, x);
}

/* ---- Effect on others ------------------------------------------------------------------------ */

/* How much deeper contact k is when it is released because i, tied to it by d, is released before
 * it: d f t^2/2 a time t later. 0 if i is not.
 */
static double deeper_by(const lzb_mono *to, size_t k, size_t i, double d, double h)
{
    double later = to->released_at[k] - to->released_at[i], rest = h - to->released_at[i];
    if (i == k || to->marks[i] != RELEASED || !(later > 0) || !(rest > 0)) {
        return 0;
    }
    double part = later / rest;
    return d * to->position_correction[i] * part * part;
}

/* One of a line looks at those before and after it, any other along its row of D. */
static double deeper(const lzb_window *w, const lzb_mono *to, size_t k, double h)
{
    const lzb_coupling *d = &w->coupling;
    double sum = 0;
    if (d->product == LZB_LINE) {
        sum += k > 0 ? deeper_by(to, k, k - 1, d->below[k], h) : 0;
        return sum + (k + 1 < w->count ? deeper_by(to, k, k + 1, d->above[k], h) : 0);
    }
    for (size_t l = d->sparse.start[k]; l < d->sparse.end[k]; l++) {
        sum += deeper_by(to, k, d->sparse.column[l], d->sparse.value[l], h);
    }
    return sum;
}

/* Each presses until it has come up from there. */
static void prolong(const lzb_window *w, lzb_part part, const lzb_mono *to, double h)
{
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        if (to->marks[k] == RELEASED) {
            to->missing_impulse[k] += to->by_depth[k] * deeper(w, to, k, h);
        }
    }
}

void lzb_mono_correct(const lzb_window *w, lzb_part part, const lzb_mono *to, double h,
                      double *room, double *x)
{
    prolong(w, part, to, h);
    lzb_dynamics_part_accelerate(w, part, to->position_correction, room);
    apply_release[w->width](count_of(part), room + part.first, x + part.first);
}

void lzb_mono_correct_line(const lzb_window *w, const lzb_mono *to, double h, double *x,
                           double *force)
{
    const lzb_coupling *d = &w->coupling;
    prolong(w, (lzb_part){0, w->blocks}, to, h);
    (w->fixed.kind == LZB_HERTZ ? apply_release_hertz : apply_release_linear)[w->width](
        w->blocks * LZB_BLOCK, w->fixed.stiffness, d->below, d->diagonal, d->above,
        to->position_correction, x, force);
}

void lzb_mono_kick(const lzb_window *w, lzb_part part, const lzb_mono *to, double *c, double *p)
{
    lzb_dynamics_part_kick(w, part, 1.0, to->missing_impulse, c);
    lzb_dynamics_part_impulse(w, part, 1.0, to->missing_impulse, p);
}

void lzb_mono_kick_line(const lzb_window *w, const lzb_mono *to, double h, const double *f0,
                        const double *f1, double *a, double *c, double *p)
{
    const lzb_coupling *d = &w->coupling;
    kick_line[w->width](w->blocks * LZB_BLOCK, h, d->below, d->diagonal, d->above, f0, f1,
                        to->missing_impulse, a, c, p);
}
