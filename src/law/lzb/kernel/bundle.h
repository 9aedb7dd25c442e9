/* A substep of coasting (glide.h) for some contacts side by side. Internal.
 *
 * Speeds are kept half a substep ahead of indentations, c = c_n + a_n / 2. Then Verlet's substep is
 *
 *     c += a,   a = -D f,      x += c,      f = K x^eta
 *
 * and depends on the forces of now alone. At its start the speed is c - a/2, at its end c + a/2.
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

/* ---- Truth in bits ----------------------------------------------------------------------------
 *
 * All bits, or none: to choose by them is one vector instruction. (Other choices the compiler takes
 * apart again, along the paths that it finds through them.)
 */
typedef uint32_t truth;

INLINE truth bits_of(float a)
{
    truth bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

INLINE float keep(truth where, float a)
{
    truth bits = bits_of(a) & where;
    memcpy(&a, &bits, sizeof a);
    return a;
}

INLINE float pick(truth where, float a, float b)
{
    truth bits = (bits_of(a) & where) | (bits_of(b) & ~where);
    memcpy(&a, &bits, sizeof a);
    return a;
}

INLINE truth less(float a, float b)
{
    return -(truth)(a < b);
}

INLINE float positive(float a)
{
    return keep(less(0, a), a);
}

INLINE float larger(float a, float b)
{
    return pick(less(a, b), b, a);
}

/* ---- Both stiffness models ------------------------------------------------------------------ */

INLINE float force_of(lzb_kind kind, float stiffness, float x)
{
    return stiffness * (kind == LZB_LINEAR ? x : x * __builtin_sqrtf(x));
}

/* A compression has ended that counts, the speeds being those half a substep before and after. */
INLINE float has_ended(float before, float after, float x, float counted)
{
    return keep(less(0, before) & ~less(0, after) & less(counted, x), 1);
}

/* Time in contact, of a contact that was pressed at the start or at the end alone half of it. */
INLINE float time_held(float x0, float x1)
{
    return keep(less(0, x0), 0.5f) + keep(less(0, x1), 0.5f);
}

/* ---- Bi-stiffness --------------------------------------------------------------------------- */

/* See `moved` and `account` of kinks.c. */
INLINE void swing(bundle *restrict t, const float *restrict now, float *restrict next,
                  lzb_kind kind, bool counting)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_BUNDLE; i++) {
        float f = now[i], around = t->below[i] * *(now + i - 1) + t->above[i] * now[i + 1];
        float a = -(t->diagonal[i] * f + around), before = t->c[i], c = before + a;
        float c0 = c - 0.5f * a, c1 = c + 0.5f * a, x0 = t->x[i];
        truth in_first = less(0, c0), in_last = less(0, c1), turns = in_first ^ in_last;
        /* the way in: all, none, or that until or since c = 0 */
        float most = pick(in_first, c0, c1), rate = pick(in_first, -a, a);
        float part = 0.5f * most * most / pick(turns, rate, 1);
        float in = pick(turns, part, keep(in_first, c));
        float out = -(t->back[i] * positive(in - c)); /* rounding may make that above 0 */
        float x1 = pick(in_first, positive(x0 + in + out), positive(x0 + out) + in);
        float f1 = force_of(kind, t->stiffness[i], x1);
        if (counting) {
            float top = larger(x0 + keep(in_first, in), x1);
            t->held[i] += time_held(x0, x1);
            t->peak[i] = larger(t->peak[i], top);
            t->lost[i] += keep(~(in_first & in_last), 0.5f * (f + f1) * (top - x1));
            t->turns[i] += has_ended(before, c, x0, t->counted[i]);
        }
        t->c[i] = c;
        t->p[i] += f;
        t->x[i] = x1;
        next[i] = f1;
    }
}

/* ---- Mono-stiffness -------------------------------------------------------------------------
 *
 * As in jumps.h, but all contacts are asked when they would let go. c = 0 is where a contact
 * turns, behind or ahead of it, or where an open one closes: c^2 / 2a away.
 */

INLINE float half_inverse(float a)
{
    return 0.5f / pick(less(a, 0) | less(0, a), a, 1);
}

/* How far above a contact its top is, if it has just turned or is about to; it cannot be further
 * than the way of a substep at half the speed.
 */
INLINE float above_now(float a, float c, float half_per_a)
{
    float up = -(c * c * half_per_a), most = 0.5f * pick(less(c, 0), -c, c);
    return keep(less(a, 0), pick(less(up, most), up, most));
}

/* When it comes to the brink, `left` away. */
INLINE float time_to_brink(float a, float c, float left, float half_per_a)
{
    float root = __builtin_sqrtf(positive(c * c - 2 * a * left)), speed = root - c;
    float on_way = 2 * positive(left) / pick(less(0, speed), speed, 1);
    float when = pick(less(0, c), -2 * half_per_a * (c + root), on_way);
    return pick(less(when, 1), when, 1);
}

INLINE void jump(bundle *restrict t, const float *restrict now, const float *restrict lacked,
                 float *restrict lack, float *restrict ease, lzb_kind kind, bool counting)
{
#pragma GCC ivdep
    for (size_t i = 0; i < LZB_BUNDLE; i++) {
        float f = now[i], below = t->below[i], above = t->above[i], diagonal = t->diagonal[i];
        float a = -(diagonal * f + (below * *(now + i - 1) + above * now[i + 1]));
        float kick = diagonal * lacked[i] + (below * *(lacked + i - 1) + above * lacked[i + 1]);
        float before = t->c[i], c = before - kick + a, c0 = c - 0.5f * a, c1 = c + 0.5f * a;
        float x0 = t->x[i], end = x0 + c, q = half_inverse(a), b = t->brink[i];
        truth pressed = less(0, x0), out = less(c0, 0), turns = less(c1, 0);
        /* the brink: that of now, 0 on the way in; and that in this substep */
        float found = t->back[i] * (x0 + above_now(a, c0, q));
        float kept = keep(out, pick(less(0, b), b, found));
        float at = pick(out, kept, keep(turns, found));
        float low = pick(out & less(0, c1), x0 - c0 * c0 * q, end);
        truth leaves = pressed & (out | turns) & ~less(at, low);
        float until = time_to_brink(a, c0, x0 - at, q), rest = 1 - until;
        float force = force_of(kind, t->stiffness[i], at);
        float closed = keep(less(0, c1), c1 * c1 * q);
        float x1 = pick(out & ~pressed, closed, positive(end));
        if (counting) {
            t->held[i] += pick(leaves, until, time_held(x0, x1));
            t->peak[i] = larger(t->peak[i], larger(x0, x1));
            t->lost[i] += keep(leaves, force * at);
            t->turns[i] += has_ended(before, c, x0, t->counted[i]);
        }
        t->c[i] = c;
        t->p[i] += f + lacked[i];
        t->x[i] = keep(~leaves, x1);
        t->brink[i] = keep(pressed & ~leaves, kept);
        lack[i] = keep(leaves, 0.5f * (until * force - rest * f));
        ease[i] = keep(leaves, 0.5f * force * rest * rest);
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
        t->x[i] = keep(less(0, x0), x);
        next[i] = force_of(kind, t->stiffness[i], t->x[i]);
    }
}

#endif
