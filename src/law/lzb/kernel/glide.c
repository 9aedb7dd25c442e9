#include "law/lzb/kernel/glide.h"

#include <string.h>

#include "law/lzb/kernel/bundle.h"
#include "law/lzb/window/block.h"

/* Indentations are added up in substeps of c: where a contact swings this much slower than another,
 * a hundredth of that in a substep is still far above rounding.
 */
static const double MOST_SLOWER = 1e3;
/* A contact that gives back less is as good as rigid when it expands (course/sweep.c): where it is
 * within a substep then does not matter.
 */
static const float MOST_RATE = 100;
/* Impulses of so many substeps are added up in single precision. */
enum { ADDED = 32 };

#define LOOPS "law/lzb/kernel/glide_loops.h"
#include "base/loops.h"
LOOP(place_linear);
LOOP(place_hertz);
LOOP(swing_linear);
LOOP(swing_hertz);
LOOP(jump_linear);
LOOP(jump_hertz);
LOOP(let_go_linear);
LOOP(let_go_hertz);
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

enum { ROWS = 4 };
_Static_assert(ROWS + 1 < LZB_ROWS, "there is room");

static glide make_room(const lzb_window *w)
{
    float *row[ROWS];
    size_t bundles = (w->count + LZB_BUNDLE - 1) / LZB_BUNDLE, bordered = w->tableau.bordered;
    for (size_t i = 0; i < ROWS; i++) {
        row[i] = (float *)(w->tableau.force + (i + 1) * bordered);
        row[i][-1] = row[i][bundles * LZB_BUNDLE] = 0;
        memset(row[i], 0, bundles * LZB_BUNDLE * sizeof *row[i]);
    }
    memset(w->tableau.bundles, 0, bundles * sizeof(bundle));
    uint32_t *leaving = (uint32_t *)(w->tableau.force + (ROWS + 1) * bordered);
    uint32_t *left = leaving + 2 * bundles;
    memset(left, 0, 2 * bundles * sizeof *left);
    return (glide){.bundle = (bundle *)w->tableau.bundles,
                   .guess = row[0],
                   .force = row[1],
                   .lack = row[2],
                   .ease = row[3],
                   .leaving = {leaving, leaving + bundles},
                   .left = {left, left + bundles}};
}

/* df/dt of one that is at `at`, or closes there, and goes at the speed c. */
static float change_of_force(const lzb_window *w, const bundle *t, size_t i, float c)
{
    float at = positive(t->at[i]), rate = c < 0 ? t->rate[i] : 1;
    return at > 0 || c > 0 ? slope_of(w->fixed.kind, t->stiffness[i], at) * rate * c : 0;
}

/* Contact k becomes number i of a bundle. Speeds are half a substep behind. */
static void enter(const lzb_window *w, const lzb_kinks *to, const units *u, size_t k, bundle *t,
                  size_t i, float *force, float *change)
{
    double stiffness = stiffness_of(w, k, u), at = w->trial.x0[k] * u->per_length;
    double power = w->fixed.kind == LZB_LINEAR ? at : at * sqrt(at);
    double c = w->trial.c0[k] - 0.5 * u->time * w->trial.a0[k];
    *force = (float)(stiffness * power);
    t->stiffness[i] = (float)stiffness;
    t->below[i] = (float)(w->coupling.below[k] * u->per_d);
    t->diagonal[i] = (float)(w->coupling.diagonal[k] * u->per_d);
    t->above[i] = (float)(w->coupling.above[k] * u->per_d);
    t->back[i] = (float)(to->jumping ? to->lets_go : to->returns)[k];
    t->rate[i] = to->jumping ? 1 : fminf(t->back[i], MOST_RATE);
    t->counted[i] = (float)(to->counted[k] * u->per_length);
    t->at[i] = (float)at;
    t->c[i] = (float)(c * u->per_speed);
    *change = change_of_force(w, t, i, (float)(w->trial.c0[k] * u->per_speed));
    t->p[i] = TWELFTH * *change - 0.5f * *force;
    t->brink[i] = (float)(to->start[k] * u->per_length);
    t->peak[i] = t->at[i];
}

/* From the motion to what substeps make of it; df/dt is where `ease` will be. */
static void set_off(const lzb_window *w, const glide *y, size_t k)
{
    bundle *t = &y->bundle[k / LZB_BUNDLE];
    size_t i = k % LZB_BUNDLE;
    float d = product(t, i, y->force + k - i), rate = w->trial.c0[k] < 0 ? t->rate[i] : 1;
    t->x[i] = t->at[i] > 0 ? t->at[i] + TWELFTH * (rate * d) : OPENED;
    t->c[i] -= TWELFTH * product(t, i, y->ease + k - i);
    y->guess[k] = force_of(w->fixed.kind, t->stiffness[i], positive(t->x[i]));
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

/* Back to the motion: the second half of the last kick, and the brink of one that has just turned.
 */
static void finish(const lzb_window *w, const glide *y, size_t k, bool jumping)
{
    bundle *t = &y->bundle[k / LZB_BUNDLE];
    size_t i = k % LZB_BUNDLE;
    float d = product(t, i, y->force + k - i), c = t->c[i] - 0.5f * d;
    t->p[i] += 0.5f * y->force[k] - TWELFTH * change_of_force(w, t, i, c);
    if (jumping) {
        float b = t->brink[i], found = t->back[i] * (t->at[i] + way_to_turn(time_to_turn(d, c), c));
        t->brink[i] = t->at[i] > 0 && c < 0 ? (b > 0 ? b : found) : 0;
    }
}

static void leave(const lzb_window *w, const lzb_kinks *to, const units *u, size_t k,
                  const bundle *t, size_t i)
{
    double energy = u->speed * u->speed * u->per_d * (to->jumping ? w->fixed.per_power[k] : 1);
    lzb_window_row(w, 0)[k] = positive(t->at[i]) * u->length;
    to->held[k] += t->held[i] * u->time;
    to->peak[k] = lzb_larger(to->peak[k], larger(t->peak[i], t->at[i]) * u->length);
    to->released[k] += t->lost[i] * energy;
    to->turns[k] += t->turns[i];
    to->brink[k] = t->brink[i] * u->length;
    to->out[k] = t->brink[i] > 0 ? 1 : 0;
}

/* ---- Substeps ------------------------------------------------------------------------------- */

typedef __typeof__(swing_linear_16) *pass;

typedef struct passes {
    pass move, let_go, place; /* let_go: NULL where none does */
} passes;

static passes passes_of(const lzb_window *w, bool jumping)
{
    bool linear = w->fixed.kind == LZB_LINEAR;
    crm_width of = w->width;
    return jumping ? (passes){.move = (linear ? jump_linear : jump_hertz)[of],
                              .let_go = (linear ? let_go_linear : let_go_hertz)[of],
                              .place = (linear ? make_way_linear : make_way_hertz)[of]}
                   : (passes){.move = (linear ? swing_linear : swing_hertz)[of],
                              .place = (linear ? place_linear : place_hertz)[of]};
}

typedef struct substep {
    const glide *y;
    pass pass;
    unsigned turn;
} substep;

INLINE void make_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    size_t first = part.first / LZB_BUNDLE, end = part.first + part.blocks * LZB_BLOCK;
    (void)found;
    t->pass(t->y, first, (end + LZB_BUNDLE - 1) / LZB_BUNDLE, t->turn);
}

_Static_assert(sizeof(bundle) == LZB_BUNDLED * LZB_BUNDLE * sizeof(double), "there is room");
_Static_assert(LZB_PART % LZB_BUNDLE == 0, "no bundle is in two parts");

static void make_pass(const lzb_window *w, const glide *y, pass one, unsigned turn)
{
    substep t = {.y = y, .pass = one, .turn = turn};
    lzb_partition_do(w, make_part, NULL, &t, NULL);
}

static void make_substep(const lzb_window *w, const glide *y, const passes *of, unsigned turn)
{
    make_pass(w, y, of->move, turn);
    if (of->let_go != NULL) {
        make_pass(w, y, of->let_go, turn);
    }
    make_pass(w, y, of->place, turn);
}

static void begin(const lzb_window *w, const lzb_kinks *to, const units *u, const glide *y)
{
    for (size_t k = 0; k < w->count; k++) {
        enter(w, to, u, k, &y->bundle[k / LZB_BUNDLE], k % LZB_BUNDLE, &y->force[k], &y->ease[k]);
    }
    for (size_t k = 0; k < w->count; k++) {
        set_off(w, y, k);
    }
    memset(y->ease, 0, w->count * sizeof *y->ease);
}

void lzb_glide(lzb_window *w, const lzb_kinks *to, unsigned substeps, double length, double speed,
               double full)
{
    const units u = units_of(w, length / substeps, speed, full);
    const glide y = make_room(w);
    const passes of = passes_of(w, to->jumping);
    memset(lzb_window_row(w, 0), 0, 3 * w->blocks * LZB_BLOCK * sizeof(double));
    begin(w, to, &u, &y);
    make_pass(w, &y, of.place, 0);
    for (unsigned i = 0; i < substeps; i++) {
        make_substep(w, &y, &of, i);
        if (i % ADDED == ADDED - 1) {
            add_impulses(w, &u, &y);
        }
    }
    for (size_t k = 0; k < w->count; k++) {
        finish(w, &y, k, to->jumping);
        leave(w, to, &u, k, &y.bundle[k / LZB_BUNDLE], k % LZB_BUNDLE);
    }
    add_impulses(w, &u, &y);
}
