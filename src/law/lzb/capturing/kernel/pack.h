/* A substep of settling in single precision (single.h) for the contacts of a pack, side by side.
 * Internal.
 *
 * Speeds are kept half a substep behind indentations, c = c_n + d_n / 2. Then Verlet's substep is
 *
 *     c -= d,   d = D f,      x += r c,      f = K x^eta
 *
 * with r = 1 but for bi-stiffness on the way out, and depends on the present forces alone. At its
 * start the speed is c - d/2 with the old c, at its end with the new one.
 *
 * With times in substeps the motion that it makes is, to the fourth order, that of
 *
 *     H + (1/12) d(c V')/dt + (1/24) V' D V',     V' = f.
 *
 * The last part is undone by forces not at x but at (Takahashi and Imada)
 *
 *     at = x - r D f(x) / 12,
 *
 * and the other is a change of variables: where the motion is at `at` with the speed v, there are
 *
 *     x = at + r D f / 12,     c = v - D (df/dt) / 12.
 *
 * So substeps are of the fourth order as long as nothing happens. At an event, `at` and v are
 * continuous, and x and c follow the new r and f: that is all there is to contacts that turn,
 * close, open or are released, and what is left then is of the third order.
 */
#ifndef CRM_LZB_PACK_H
#define CRM_LZB_PACK_H

#include <stdint.h>
#include <string.h>

#include "base/width.h"
#include "law/lzb/contact/contact.h"

/* As many as the widest vectors have numbers. */
enum { LZB_PACK = 16 };

typedef struct pack {
    float stiffness[LZB_PACK], below[LZB_PACK], diagonal[LZB_PACK], above[LZB_PACK];
    float back[LZB_PACK]; /* bi-stiffness: 1/e^2; mono-stiffness: the release fraction */
    float rate[LZB_PACK]; /* r on the way out */
    float counted[LZB_PACK];
    float x[LZB_PACK]; /* OPENED: not in contact */
    float at[LZB_PACK], c[LZB_PACK], p[LZB_PACK], release_depth[LZB_PACK];
    /* as in lzb_account; with mono-stiffness energies times 1 + eta */
    float held[LZB_PACK], peak[LZB_PACK], lost[LZB_PACK], turns[LZB_PACK];
} pack;

/* Far below all indentations, so that x may be below 0 while `at` is not. */
static const float OPENED = -1e30f;

static const float TWELFTH = 1.0f / 12;

/* All of them; forces and the like are arrays, with 0 before and after. */
typedef struct packed_line {
    pack *pack;
    float *guess;           /* the forces at x ... */
    float *force;           /* ... and at `at` */
    float *missing_impulse; /* as in lzb_mono, as is the next */
    float *position_correction;
    /* in each part of the window, at its first pack: the packs with a release, and their number; in
     * this substep and in the one before, in turn
     */
    uint32_t *releasing[2], *releases[2];
} packed_line;

/* ---- Choices ----------------------------------------------------------------------------------
 *
 * Of numbers as integers, of which none or one is below 0, the larger is known by one vector
 * instruction, what is not a number included: below 0, or above all others. Everything else is a
 * choice between two numbers that are both there, so that a vector can choose.
 */
INLINE int32_t bits_of(float a)
{
    int32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

INLINE float of_bits(int32_t bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

INLINE float larger(float a, float b)
{
    int32_t first = bits_of(a), second = bits_of(b);
    return of_bits(first > second ? first : second);
}

/* One of which is not below 0, as above. */
INLINE float smaller(float a, float b)
{
    int32_t first = bits_of(a), second = bits_of(b);
    return of_bits(first < second ? first : second);
}

INLINE float positive(float a)
{
    return larger(a, 0);
}

INLINE float magnitude(float a)
{
    return __builtin_fabsf(a);
}

/* Between 0 and 1. */
INLINE float as_part(float a)
{
    return positive(smaller(a, 1));
}

/* ---- Both stiffness models ------------------------------------------------------------------ */

INLINE float force_of(lzb_kind kind, float stiffness, float x)
{
    return stiffness * (kind == LZB_LINEAR ? x : x * __builtin_sqrtf(x));
}

/* dF/dx. */
INLINE float slope_of(lzb_kind kind, float stiffness, float x)
{
    return stiffness * (kind == LZB_LINEAR ? 1 : 1.5f * __builtin_sqrtf(x));
}

/* Row i of D times a vector that begins with the pack. */
INLINE float product(const pack *t, size_t i, const float *vector)
{
    float around = t->below[i] * *(vector + i - 1) + t->above[i] * vector[i + 1];
    return t->diagonal[i] * vector[i] + around;
}

/* The missing impulses of a substep, and their effect on the others. */
INLINE void apply_missing_impulse(pack *restrict t, const float *restrict missing_impulse, size_t i)
{
    t->c[i] -= product(t, i, missing_impulse);
    t->p[i] += missing_impulse[i];
}

/* The positions of contacts, and the forces there. */
INLINE void find_forces(pack *restrict t, const float *restrict guess,
                        const float *restrict missing_impulse, float *restrict force, lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_PACK; i++) {
        if (kind == LZB_LINEAR) {
            apply_missing_impulse(t, missing_impulse, i);
        }
        float d = product(t, i, guess), rate = t->rate[i];
        float r = t->c[i] < 0.5f * d ? rate : 1, at = t->x[i] - TWELFTH * (r * d);
        t->at[i] = at;
        force[i] = force_of(kind, t->stiffness[i], positive(at));
    }
}

/* A compression has ended that counts, the speed half a substep before being the first, and that
 * half a substep after it no longer inwards, or the contact open.
 */
INLINE float has_ended(float before, bool after, float x, float counted)
{
    bool ended = (before > 0) & after & (x > counted);
    return ended ? 1.0f : 0.0f;
}

/* ---- Bi-stiffness --------------------------------------------------------------------------- */

/* See `moved` and `account` of substep.c. Of a linear contact that opens df/dt jumps. */
INLINE void substep_bi(pack *restrict t, const float *restrict now, float *restrict missing_impulse,
                       float *restrict guess, lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_PACK; i++) {
        float f = now[i], d = product(t, i, now), before = t->c[i];
        float c = before - d;
        float c0 = before - 0.5f * d, c1 = c - 0.5f * d, shift = TWELFTH * d, rate = t->rate[i];
        bool in_first = c0 > 0, in_last = c1 > 0, turns = in_first != in_last;
        float at = t->at[i], at0 = positive(at), x = t->x[i], x0 = at > 0 ? x : shift;
        /* the time until or since c = 0 or, with the way out, until it opens */
        float most = larger(c0, c1), over = t->back[i] * magnitude(c), whole = positive(c);
        float time = (turns ? most : at0) / (turns ? magnitude(d) : over), opens = as_part(time);
        /* the way in: all, none, or that of this time */
        float part = 0.5f * most * time, in = turns ? part : whole;
        float out = t->back[i] * positive(in - c); /* rounding may make that below 0 */
        /* in and out, or out and in; and what that leaves of the indentation at the least */
        float way = in - out, high = at0 + in, top = in_first ? high : at0;
        float end = at0 + way, low = at0 - out, least = in_first ? end : low;
        float bend = rate * shift - shift, ahead = in_first ? bend : -bend, none = 0;
        float on = (x0 + way) + (turns ? ahead : none), anew = in + shift;
        float otherwise = in_last ? anew : OPENED, x1 = least > 0 ? on : otherwise;
        float f1 = force_of(kind, t->stiffness[i], positive(x1));
        float held = (at > 0) | !turns ? 1 : time, until = turns ? 0.5f : opens;
        float gone = at > 0 ? until : 0;
        t->held[i] += x1 > OPENED ? held : gone;
        t->peak[i] = larger(t->peak[i], top);
        t->lost[i] += 0.5f * (f + f1) * smaller(out, top);
        t->turns[i] += has_ended(before, c <= 0, at, t->counted[i]);
        t->c[i] = c;
        t->p[i] += f;
        t->x[i] = x1;
        guess[i] = f1;
        if (kind == LZB_LINEAR) {
            float change = t->stiffness[i] * (rate * c);
            float missing = -0.5f * (1 - until) * f - TWELFTH * change;
            float opening = at > 0 ? missing : 0;
            missing_impulse[i] = x1 > OPENED ? 0 : opening;
        }
    }
}

/* ---- Mono-stiffness -------------------------------------------------------------------------
 *
 * As in mono.h. Packs with a release are listed, since a branch on them would be hard to predict.
 */

/* The time from here to where c = 0 and a contact turns, behind or ahead of it, or an open one
 * closes: c / a, but no more than a substep. NaN at rest.
 */
INLINE float time_to_turn(float a, float c)
{
    return magnitude(c) / larger(magnitude(a), magnitude(c));
}

/* How far that is. */
INLINE float distance_to_turn(float time, float c)
{
    return 0.5f * magnitude(c) * time;
}

/* When x0 + c t - d t^2/2 is less by `left`. */
INLINE float time_to_release(float d, float c, float left)
{
    float twice = left + left, root = __builtin_sqrtf(positive(c * c + d * twice));
    return as_part(twice / (root - c));
}

/* Contacts that are released are marked by a release depth below 0 (-0, too) until the next
 * substep; `release` completes them.
 */
INLINE void substep_mono(pack *restrict t, const float *restrict now, float *restrict guess,
                         lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_PACK; i++) {
        float f = now[i], d = product(t, i, now), before = t->c[i], c = before - d;
        float c0 = before - 0.5f * d, c1 = c - 0.5f * d;
        float time = time_to_turn(d, c0), turn = distance_to_turn(time, c0);
        float x0 = t->x[i], at = t->at[i], b = t->release_depth[i];
        bool pressed = at > 0, out = c0 < 0, out_last = c1 < 0, returns = out & !out_last;
        /* the release depth, known or of the top just seen; and the lowest point */
        float top = at + turn, found = t->back[i] * top, bottom = at - turn, end = at + c;
        bool known = out & (b > 0);
        float release_depth = known ? b : found, low = returns ? bottom : end;
        bool releases = pressed & (out | out_last) & (low <= release_depth);
        /* one that is open and goes in has closed when c = 0, or just now */
        float since = out ? turn : 0, closed = (since + c) + TWELFTH * d;
        float on = x0 + c, other = c1 > 0 ? closed : OPENED, x1 = pressed ? on : other;
        float after = 1 - time, share = pressed | !out ? 1 : after, held = x1 > OPENED ? share : 0;
        float high = out & !known ? top : at, x = releases ? OPENED : x1;
        float kept = pressed & out ? release_depth : 0;
        t->held[i] += releases ? 0 : held;
        t->peak[i] = larger(t->peak[i], high);
        t->turns[i] += has_ended(before, (c <= 0) | releases, at, t->counted[i]);
        t->c[i] = c;
        t->p[i] += f;
        t->x[i] = x;
        t->release_depth[i] = releases ? -release_depth : kept;
        guess[i] = force_of(kind, t->stiffness[i], positive(x));
    }
}

/* Is a contact of the pack released? */
INLINE uint32_t has_release(const pack *t)
{
    int32_t any = 0;
#pragma GCC unroll 1
    for (size_t i = 0; i < LZB_PACK; i++) {
        any |= bits_of(t->release_depth[i]);
    }
    return any < 0 ? 1 : 0;
}

/* The missing impulse and the position correction are those of mono.h, with the jumps of x and c of
 * the others that go with the force.
 */
INLINE void release(pack *restrict t, const float *restrict now, float *restrict missing_impulse,
                    float *restrict position_correction, lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_PACK; i++) {
        float f = now[i], d = product(t, i, now), c0 = t->c[i] + 0.5f * d;
        float b = t->release_depth[i], release_depth = magnitude(b), none = 0;
        float until = time_to_release(d, c0, t->at[i] - release_depth), rest = 1 - until;
        float force = force_of(kind, t->stiffness[i], release_depth);
        float change = slope_of(kind, t->stiffness[i], release_depth) * (c0 - d * until);
        float missing = 0.5f * (until * force - rest * f) - TWELFTH * change;
        float room = force * (0.5f * rest * rest - TWELFTH);
        bool releases = bits_of(b) < 0;
        t->held[i] += releases ? until : none;
        t->lost[i] += releases ? force * release_depth : none;
        missing_impulse[i] = releases ? missing : none;
        position_correction[i] = releases ? room : none;
    }
}

/* The releases of the substep before have been applied. */
INLINE void clear_release(float *restrict missing_impulse, float *restrict position_correction)
{
    memset(missing_impulse, 0, LZB_PACK * sizeof *missing_impulse);
    memset(position_correction, 0, LZB_PACK * sizeof *position_correction);
}

/* Apply releases to the contacts in contact (one that is open stays: what is added to OPENED is
 * lost in rounding), and find positions and forces; for D f / 12 the forces before the correction
 * will do. (To correct a substep later would be simpler, but lets fronts grow in chains of equal
 * balls that are in step with the substeps.)
 */
INLINE void apply_release(pack *restrict t, const float *restrict guess,
                          const float *restrict missing_impulse,
                          const float *restrict position_correction, float *restrict force,
                          lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_PACK; i++) {
        apply_missing_impulse(t, missing_impulse, i);
        float x = t->x[i] + product(t, i, position_correction),
              at = x - TWELFTH * product(t, i, guess);
        t->x[i] = x;
        t->at[i] = at;
        force[i] = force_of(kind, t->stiffness[i], positive(at));
    }
}

#endif
