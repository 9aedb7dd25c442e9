/* A substep of coasting (glide.h) for some contacts side by side. Internal.
 *
 * Speeds are kept half a substep ahead of indentations, c = c_n - d_n / 2. Then Verlet's substep is
 *
 *     c -= d,   d = D f,      x += c,      f = K x^eta
 *
 * and depends on the forces of now alone. At its start the speed is c + d/2, at its end c - d/2.
 */
#ifndef CRM_LZB_BUNDLE_H
#define CRM_LZB_BUNDLE_H

#include <stdint.h>
#include <string.h>

#include "base/width.h"
#include "law/lzb/state/contact.h"

/* As many as the widest vectors have numbers. */
enum { LZB_BUNDLE = 16 };

typedef struct bundle {
    float stiffness[LZB_BUNDLE], below[LZB_BUNDLE], diagonal[LZB_BUNDLE], above[LZB_BUNDLE];
    float back[LZB_BUNDLE]; /* bi-stiffness: 1/e^2; mono-stiffness: the brink, as part of the top */
    float counted[LZB_BUNDLE];
    float x[LZB_BUNDLE], c[LZB_BUNDLE], p[LZB_BUNDLE], brink[LZB_BUNDLE];
    /* as in lzb_kinks; energies with jumps times 1 + eta */
    float held[LZB_BUNDLE], peak[LZB_BUNDLE], lost[LZB_BUNDLE], turns[LZB_BUNDLE];
} bundle;

/* All of them; with forces and the like one after the other, 0 before and after. */
typedef struct glide {
    bundle *bundle;
    float *force[2]; /* now, and after the substep */
    float *lack[2];  /* as in lzb_jumps, as is the next: of the substep before, and of this one */
    float *ease;
} glide;

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
    int32_t bits = bits_of(a), one = bits_of(1);
    return positive(of_bits(bits < one ? bits : one));
}

/* ---- Both stiffness models ------------------------------------------------------------------ */

INLINE float force_of(lzb_kind kind, float stiffness, float x)
{
    return stiffness * (kind == LZB_LINEAR ? x : x * __builtin_sqrtf(x));
}

/* A compression has ended that counts, the speed half a substep before being the first, and that
 * half a substep after it no longer inwards, or the contact open.
 */
INLINE float has_ended(float before, bool after, float x, float counted)
{
    bool ended = (before > 0) & after & (x > counted);
    return ended ? 1.0f : 0.0f;
}

/* Time in contact: of substeps at whose end it is, all; what that is too much or too little for the
 * first and the last one, `enter` and `leave` of glide.c know.
 */
INLINE float time_held(float x)
{
    return x > 0 ? 1.0f : 0.0f;
}

/* ---- Bi-stiffness --------------------------------------------------------------------------- */

/* See `moved` and `account` of kinks.c. */
INLINE void swing(bundle *restrict t, const float *restrict now, float *restrict next,
                  lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_BUNDLE; i++) {
        float f = now[i], around = t->below[i] * *(now + i - 1) + t->above[i] * now[i + 1];
        float d = t->diagonal[i] * f + around, before = t->c[i], c = before - d;
        float c0 = before - 0.5f * d, c1 = c - 0.5f * d, x0 = t->x[i];
        bool in_first = c0 > 0, in_last = c1 > 0, turns = in_first != in_last;
        /* the way in: all, none, or that until or since c = 0 */
        float most = larger(c0, c1), rate = turns ? magnitude(d) : 1;
        float part = 0.5f * most * most / rate, whole = positive(c), in = turns ? part : whole;
        float out = t->back[i] * positive(in - c); /* rounding may make that below 0 */
        float high = x0 + in, fallen = positive(high - out), risen = positive(x0 - out) + in;
        float x1 = in_first ? fallen : risen, f1 = force_of(kind, t->stiffness[i], x1);
        float top = larger(in_first ? high : x0, x1);
        t->held[i] += time_held(x1);
        t->peak[i] = larger(t->peak[i], top);
        t->lost[i] += 0.5f * (f + f1) * (top - x1);
        t->turns[i] += has_ended(before, c <= 0, x0, t->counted[i]);
        t->c[i] = c;
        t->p[i] += f;
        t->x[i] = x1;
        next[i] = f1;
    }
}

/* ---- Mono-stiffness -------------------------------------------------------------------------
 *
 * As in jumps.h, but all contacts are asked when they would let go.
 */

/* How far from here c = 0, where a contact turns, behind or ahead of it, or an open one closes:
 * c^2 / 2a, but no further than the way of a substep at half the speed. NaN at rest.
 */
INLINE float way_to_turn(float a, float c)
{
    return 0.5f * (c * c) / larger(magnitude(a), magnitude(c));
}

/* When x0 + c t - d t^2/2 is less by `left`. */
INLINE float time_to_brink(float d, float c, float left)
{
    float twice = left + left, root = __builtin_sqrtf(positive(c * c + d * twice));
    return as_part(twice / (root - c));
}

INLINE void jump(bundle *restrict t, const float *restrict now, const float *restrict lacked,
                 float *restrict lack, float *restrict ease, lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_BUNDLE; i++) {
        float f = now[i], below = t->below[i], above = t->above[i], diagonal = t->diagonal[i];
        float d = diagonal * f + (below * *(now + i - 1) + above * now[i + 1]);
        float kick = diagonal * lacked[i] + (below * *(lacked + i - 1) + above * lacked[i + 1]);
        float before = t->c[i] - kick, c = before - d, c0 = before - 0.5f * d, c1 = c - 0.5f * d;
        float x0 = t->x[i], end = x0 + c, b = t->brink[i], turn = way_to_turn(d, c0);
        bool pressed = x0 > 0, out = c0 < 0, out_last = c1 < 0, returns = out & !out_last;
        /* the brink: that of before, or of the top just seen; and the lowest point */
        float found = t->back[i] * (x0 + turn), bottom = x0 - turn;
        float at = out & (b > 0) ? b : found, low = returns ? bottom : end;
        bool leaves = pressed & (out | out_last) & (low <= at);
        float until = time_to_brink(d, c0, x0 - at), rest = 1 - until;
        float force = force_of(kind, t->stiffness[i], at);
        float closed = turn + c, on = positive(end), x1 = returns & !pressed ? closed : on;
        float held = time_held(x1), shorter = until - 0.5f, stored = force * at;
        t->held[i] += leaves ? shorter : held;
        t->peak[i] = larger(t->peak[i], x1);
        t->lost[i] += leaves ? stored : 0;
        t->turns[i] += has_ended(t->c[i], (c <= 0) | leaves, x0, t->counted[i]);
        float missing = 0.5f * (until * force - rest * f), room = 0.5f * force * rest * rest;
        t->c[i] = c;
        t->p[i] += f + lacked[i];
        t->x[i] = leaves ? 0 : x1;
        t->brink[i] = pressed & out & !leaves ? at : 0;
        lack[i] = leaves ? missing : 0;
        ease[i] = leaves ? room : 0;
    }
}

/* What presses makes way, and the forces then. (To do that a substep later would spare this pass;
 * but in chains of equal balls fronts grew by it that keep time with the substeps.)
 */
INLINE void make_way(bundle *restrict t, const float *restrict ease, float *restrict next,
                     lzb_kind kind)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_BUNDLE; i++) {
        float around = t->below[i] * *(ease + i - 1) + t->above[i] * ease[i + 1];
        float x0 = t->x[i], x = positive(x0 + (t->diagonal[i] * ease[i] + around));
        x = x0 > 0 ? x : 0;
        t->x[i] = x;
        next[i] = force_of(kind, t->stiffness[i], x);
    }
}

#endif
