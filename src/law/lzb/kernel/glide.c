#include "law/lzb/kernel/glide.h"

#include <string.h>

#include "law/lzb/kernel/bundle.h"
#include "law/lzb/window/block.h"

/* Indentations are added up in substeps of c: where a contact swings this much slower than another,
 * a hundredth of that in a substep is still far above rounding.
 */
static const double MOST_SLOWER = 1e3;
/* Impulses of so many substeps are added up in single precision. */
enum { ADDED = 32 };

#define LOOPS "law/lzb/kernel/glide_loops.h"
#include "base/loops.h"
LOOP(swing_linear);
LOOP(swing_hertz);
LOOP(jump_linear);
LOOP(jump_hertz);
LOOP(make_way_linear);
LOOP(make_way_hertz);

bool lzb_glide_suits(const lzb_window *w)
{
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < w->count; k++) {
        least = lzb_smaller(least, w->fixed.scale[k]);
        most = lzb_larger(most, w->fixed.scale[k]);
    }
    return w->coupling.product == LZB_LINE && w->fixed.kind != LZB_POWER &&
           most <= MOST_SLOWER * least;
}

/* ---- Units ---------------------------------------------------------------------------------- */

typedef struct units {
    double time, speed, length, d;
    double per_speed, per_length, per_d;
    double full; /* speed, of x_scale */
} units;

static units units_of(const lzb_window *w, double substep, double speed, double full)
{
    units u = {.time = substep, .speed = speed, .length = substep * speed, .full = full};
    for (size_t k = 0; k < w->count; k++) {
        u.d = lzb_larger(u.d, w->fixed.own[k]);
    }
    u.per_speed = 1 / u.speed;
    u.per_length = 1 / u.length;
    u.per_d = 1 / u.d;
    return u;
}

/* K L^eta d T/V, of ratios alone: with X the scale of x, K X^(eta+1) / (eta+1) = full^2 / 2D. */
static double stiffness_of(const lzb_window *w, size_t k, const units *u)
{
    double speeds = u->full * u->per_speed, way = u->length / w->fixed.scale[k];
    double power = w->fixed.kind == LZB_LINEAR ? way * way : way * way * sqrt(way);
    return 0.5 * (w->fixed.exponent[k] + 1) * u->d / w->fixed.own[k] * speeds * speeds * power;
}

/* ---- There and back ------------------------------------------------------------------------- */

static glide make_room(const lzb_window *w)
{
    float *row[5];
    size_t bundles = (w->count + LZB_BUNDLE - 1) / LZB_BUNDLE;
    for (size_t i = 0; i < 5; i++) {
        row[i] = (float *)(w->tableau.force + (i + 1) * w->tableau.bordered);
        row[i][-1] = row[i][bundles * LZB_BUNDLE] = 0;
    }
    memset(w->tableau.bundles, 0, bundles * sizeof(bundle));
    memset(row[0], 0, bundles * LZB_BUNDLE * sizeof *row[0]);
    memset(row[2], 0, bundles * LZB_BUNDLE * sizeof *row[2]);
    return (glide){.bundle = (bundle *)w->tableau.bundles,
                   .force = {row[0], row[1]},
                   .lack = {row[2], row[3]},
                   .ease = row[4]};
}

/* Contact k becomes number i of a bundle. Speeds are half a substep behind. */
static void enter(const lzb_window *w, const lzb_kinks *to, const units *u, size_t k, bundle *t,
                  size_t i, float *force)
{
    double stiffness = stiffness_of(w, k, u), x = w->trial.x0[k] * u->per_length;
    double power = w->fixed.kind == LZB_LINEAR ? x : x * sqrt(x);
    double c = w->trial.c0[k] - 0.5 * u->time * w->trial.a0[k];
    *force = (float)(stiffness * power);
    t->stiffness[i] = (float)stiffness;
    t->below[i] = (float)(w->coupling.below[k] * u->per_d);
    t->diagonal[i] = (float)(w->coupling.diagonal[k] * u->per_d);
    t->above[i] = (float)(w->coupling.above[k] * u->per_d);
    t->back[i] = (float)(to->jumping ? to->lets_go : to->returns)[k];
    t->counted[i] = (float)(to->counted[k] * u->per_length);
    t->x[i] = (float)x;
    t->c[i] = (float)(c * u->per_speed);
    t->p[i] = -0.5f * *force;
    t->brink[i] = (float)(to->start[k] * u->per_length);
    t->held[i] = 0.5f * time_held(t->x[i]);
    t->peak[i] = t->x[i];
}

static void add_impulses(const lzb_window *w, const units *u, const glide *y)
{
    double *p = lzb_window_row(w, 0) + 2 * w->blocks * LZB_BLOCK, unit = u->speed * u->per_d;
    for (size_t k = 0; k < w->count; k++) {
        float *added = &y->bundle[k / LZB_BUNDLE].p[k % LZB_BUNDLE];
        p[k] += *added * unit;
        *added = 0;
    }
}

static float product(const bundle *t, size_t i, const float *vector)
{
    return t->diagonal[i] * *vector + (t->below[i] * *(vector - 1) + t->above[i] * *(vector + 1));
}

/* The second half of the last kick, and the brink of one that has just turned. */
static void finish(bundle *t, size_t i, const float *force, const float *lack, bool jumping)
{
    t->p[i] += 0.5f * *force;
    if (jumping) {
        float d = product(t, i, force), c = t->c[i] - product(t, i, lack) - 0.5f * d;
        float b = t->brink[i], found = t->back[i] * (t->x[i] + way_to_turn(d, c));
        t->p[i] += *lack;
        t->brink[i] = t->x[i] > 0 && c < 0 ? (b > 0 ? b : found) : 0;
    }
}

static void leave(const lzb_window *w, const lzb_kinks *to, const units *u, size_t k,
                  const bundle *t, size_t i)
{
    double energy = u->speed * u->speed * u->per_d * (to->jumping ? w->fixed.per_power[k] : 1);
    lzb_window_row(w, 0)[k] = t->x[i] * u->length;
    to->held[k] += (t->held[i] - 0.5f * time_held(t->x[i])) * u->time;
    to->peak[k] = lzb_larger(to->peak[k], t->peak[i] * u->length);
    to->released[k] += t->lost[i] * energy;
    to->turns[k] += t->turns[i];
    to->brink[k] = t->brink[i] * u->length;
    to->out[k] = t->brink[i] > 0 ? 1 : 0;
}

/* ---- Substeps ------------------------------------------------------------------------------- */

typedef __typeof__(swing_linear_16) *pass;

static pass first_pass(const lzb_window *w, bool jumping)
{
    bool linear = w->fixed.kind == LZB_LINEAR;
    return jumping ? (linear ? jump_linear : jump_hertz)[w->width]
                   : (linear ? swing_linear : swing_hertz)[w->width];
}

static pass second_pass(const lzb_window *w)
{
    return (w->fixed.kind == LZB_LINEAR ? make_way_linear : make_way_hertz)[w->width];
}

typedef struct substep {
    const glide *y;
    pass pass;
    unsigned from;
} substep;

INLINE void make_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    size_t first = part.first / LZB_BUNDLE, end = part.first + part.blocks * LZB_BLOCK;
    (void)found;
    t->pass(t->y, first, (end + LZB_BUNDLE - 1) / LZB_BUNDLE, t->from);
}

_Static_assert(sizeof(bundle) == LZB_BUNDLED * LZB_BUNDLE * sizeof(double), "there is room");
_Static_assert(LZB_PART % LZB_BUNDLE == 0, "no bundle is in two parts");

static void make_substep(const lzb_window *w, const glide *y, pass first, pass second,
                         unsigned from)
{
    substep t = {.y = y, .pass = first, .from = from};
    lzb_partition_do(w, make_part, NULL, &t, NULL);
    if (second != NULL) {
        t.pass = second;
        lzb_partition_do(w, make_part, NULL, &t, NULL);
    }
}

void lzb_glide(lzb_window *w, const lzb_kinks *to, unsigned substeps, double length, double speed,
               double full)
{
    const units u = units_of(w, length / substeps, speed, full);
    const glide y = make_room(w);
    pass first = first_pass(w, to->jumping), second = to->jumping ? second_pass(w) : NULL;
    memset(lzb_window_row(w, 0), 0, 3 * w->blocks * LZB_BLOCK * sizeof(double));
    for (size_t k = 0; k < w->count; k++) {
        enter(w, to, &u, k, &y.bundle[k / LZB_BUNDLE], k % LZB_BUNDLE, &y.force[0][k]);
    }
    for (unsigned i = 0; i < substeps; i++) {
        make_substep(w, &y, first, second, i % 2);
        if (i % ADDED == ADDED - 1) {
            add_impulses(w, &u, &y);
        }
    }
    unsigned at = substeps % 2;
    for (size_t k = 0; k < w->count; k++) {
        bundle *t = &y.bundle[k / LZB_BUNDLE];
        finish(t, k % LZB_BUNDLE, &y.force[at][k], &y.lack[at][k], to->jumping);
        leave(w, to, &u, k, t, k % LZB_BUNDLE);
    }
    add_impulses(w, &u, &y);
}
