#include "law/lzb/capturing/kernel/single.h"

#include <string.h>

#include "law/lzb/capturing/kernel/pack.h"
#include "law/lzb/extrapolation/window/block.h"

/* Indentations are added up in substeps of c: where a contact swings this much slower than another,
 * a hundredth of that in a substep is still far above rounding.
 */
static const double MOST_SLOWER = 1e3;
/* A contact that gives back less is as good as rigid when it expands (capturing/phase_step.h):
 * where it is within a substep then does not matter.
 */
static const float MOST_RATE = 100;
/* Number of substeps whose impulses are added up in single precision. */
enum { ADDED = 32 };

#define LOOPS "law/lzb/capturing/kernel/single_loops.h"
#include "base/loops.h"
LOOP(forces_linear);
LOOP(forces_hertz);
LOOP(bi_linear);
LOOP(bi_hertz);
LOOP(mono_linear);
LOOP(mono_hertz);
LOOP(release_linear);
LOOP(release_hertz);
LOOP(apply_release_linear);
LOOP(apply_release_hertz);

bool lzb_single_suits(const lzb_window *w)
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

/* ---- Packing and unpacking ------------------------------------------------------------------ */

enum { ROWS = 4 };
_Static_assert(ROWS + 1 < LZB_ROWS, "there is room");

static packed_line make_room(const lzb_window *w)
{
    float *row[ROWS];
    size_t packs = (w->count + LZB_PACK - 1) / LZB_PACK, bordered = w->tableau.bordered;
    for (size_t i = 0; i < ROWS; i++) {
        row[i] = (float *)(w->tableau.force + (i + 1) * bordered);
        row[i][-1] = row[i][packs * LZB_PACK] = 0;
        memset(row[i], 0, packs * LZB_PACK * sizeof *row[i]);
    }
    memset(w->tableau.packs, 0, packs * sizeof(pack));
    uint32_t *releasing = (uint32_t *)(w->tableau.force + (ROWS + 1) * bordered);
    uint32_t *releases = releasing + 2 * packs;
    memset(releases, 0, 2 * packs * sizeof *releases);
    return (packed_line){.pack = (pack *)w->tableau.packs,
                         .guess = row[0],
                         .force = row[1],
                         .missing_impulse = row[2],
                         .position_correction = row[3],
                         .releasing = {releasing, releasing + packs},
                         .releases = {releases, releases + packs}};
}

/* df/dt of one that is at `at`, or closes there, and goes at the speed c. */
static float change_of_force(const lzb_window *w, const pack *t, size_t i, float c)
{
    float at = positive(t->at[i]), rate = c < 0 ? t->rate[i] : 1;
    return at > 0 || c > 0 ? slope_of(w->fixed.kind, t->stiffness[i], at) * rate * c : 0;
}

/* Contact k becomes number i of a pack. Speeds are half a substep behind. */
static void pack_contact(const lzb_window *w, const lzb_account *to, const units *u, size_t k,
                         pack *t, size_t i, float *force, float *change)
{
    double stiffness = stiffness_of(w, k, u), at = w->trial.x0[k] * u->per_length;
    double power = w->fixed.kind == LZB_LINEAR ? at : at * sqrt(at);
    double c = w->trial.c0[k] - 0.5 * u->time * w->trial.a0[k];
    *force = (float)(stiffness * power);
    t->stiffness[i] = (float)stiffness;
    t->below[i] = (float)(w->coupling.below[k] * u->per_d);
    t->diagonal[i] = (float)(w->coupling.diagonal[k] * u->per_d);
    t->above[i] = (float)(w->coupling.above[k] * u->per_d);
    t->back[i] = (float)(to->mono ? to->release_fraction : to->returns)[k];
    t->rate[i] = to->mono ? 1 : fminf(t->back[i], MOST_RATE);
    t->counted[i] = (float)(to->counted[k] * u->per_length);
    t->at[i] = (float)at;
    t->c[i] = (float)(c * u->per_speed);
    *change = change_of_force(w, t, i, (float)(w->trial.c0[k] * u->per_speed));
    t->p[i] = TWELFTH * *change - 0.5f * *force;
    t->release_depth[i] = (float)(to->start[k] * u->per_length);
    t->peak[i] = t->at[i];
}

/* From the motion to the variables of the substeps; df/dt is kept in `position_correction`. */
static void transform(const lzb_window *w, const packed_line *y, size_t k)
{
    pack *t = &y->pack[k / LZB_PACK];
    size_t i = k % LZB_PACK;
    float d = product(t, i, y->force + k - i), rate = w->trial.c0[k] < 0 ? t->rate[i] : 1;
    t->x[i] = t->at[i] > 0 ? t->at[i] + TWELFTH * (rate * d) : OPENED;
    t->c[i] -= TWELFTH * product(t, i, y->position_correction + k - i);
    y->guess[k] = force_of(w->fixed.kind, t->stiffness[i], positive(t->x[i]));
}

static void add_impulses(const lzb_window *w, const units *u, const packed_line *y)
{
    double *p = lzb_window_row(w, 0) + 2 * w->blocks * LZB_BLOCK, unit = u->speed * u->per_d;
    for (size_t k = 0; k < w->count; k++) {
        float *added = &y->pack[k / LZB_PACK].p[k % LZB_PACK];
        p[k] += *added * unit;
        *added = 0;
    }
}

/* Back to the motion: the second half of the last kick, and the release depth of a contact that has
 * just turned.
 */
static void transform_back(const lzb_window *w, const packed_line *y, size_t k, bool mono)
{
    pack *t = &y->pack[k / LZB_PACK];
    size_t i = k % LZB_PACK;
    float d = product(t, i, y->force + k - i), c = t->c[i] - 0.5f * d;
    t->p[i] += 0.5f * y->force[k] - TWELFTH * change_of_force(w, t, i, c);
    if (mono) {
        float b = t->release_depth[i],
              found = t->back[i] * (t->at[i] + distance_to_turn(time_to_turn(d, c), c));
        t->release_depth[i] = t->at[i] > 0 && c < 0 ? (b > 0 ? b : found) : 0;
    }
}

static void unpack_contact(const lzb_window *w, const lzb_account *to, const units *u, size_t k,
                           const pack *t, size_t i)
{
    double energy = u->speed * u->speed * u->per_d * (to->mono ? w->fixed.per_power[k] : 1);
    lzb_window_row(w, 0)[k] = positive(t->at[i]) * u->length;
    to->held[k] += t->held[i] * u->time;
    to->peak[k] = lzb_larger(to->peak[k], larger(t->peak[i], t->at[i]) * u->length);
    to->released[k] += t->lost[i] * energy;
    to->turns[k] += t->turns[i];
    to->release_depth[k] = t->release_depth[i] * u->length;
    to->out[k] = t->release_depth[i] > 0 ? 1 : 0;
}

/* ---- Substeps ------------------------------------------------------------------------------- */

typedef __typeof__(bi_linear_16) *pass;

typedef struct passes {
    pass move, release, forces; /* release: NULL with bi-stiffness */
} passes;

static passes passes_of(const lzb_window *w, bool mono)
{
    bool linear = w->fixed.kind == LZB_LINEAR;
    crm_width of = w->width;
    return mono ? (passes){.move = (linear ? mono_linear : mono_hertz)[of],
                           .release = (linear ? release_linear : release_hertz)[of],
                           .forces = (linear ? apply_release_linear : apply_release_hertz)[of]}
                : (passes){.move = (linear ? bi_linear : bi_hertz)[of],
                           .forces = (linear ? forces_linear : forces_hertz)[of]};
}

typedef struct substep {
    const packed_line *y;
    pass pass;
    unsigned turn;
} substep;

INLINE void make_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    size_t first = part.first / LZB_PACK, end = part.first + part.blocks * LZB_BLOCK;
    (void)found;
    t->pass(t->y, first, (end + LZB_PACK - 1) / LZB_PACK, t->turn);
}

_Static_assert(sizeof(pack) == LZB_PACKED * LZB_PACK * sizeof(double), "there is room");
_Static_assert(LZB_PART % LZB_PACK == 0, "no pack is in two parts");

static void make_pass(const lzb_window *w, const packed_line *y, pass one, unsigned turn)
{
    substep t = {.y = y, .pass = one, .turn = turn};
    lzb_partition_do(w, make_part, NULL, &t, NULL);
}

static void make_substep(const lzb_window *w, const packed_line *y, const passes *of, unsigned turn)
{
    make_pass(w, y, of->move, turn);
    if (of->release != NULL) {
        make_pass(w, y, of->release, turn);
    }
    make_pass(w, y, of->forces, turn);
}

static void begin(const lzb_window *w, const lzb_account *to, const units *u, const packed_line *y)
{
    for (size_t k = 0; k < w->count; k++) {
        pack_contact(w, to, u, k, &y->pack[k / LZB_PACK], k % LZB_PACK, &y->force[k],
                     &y->position_correction[k]);
    }
    for (size_t k = 0; k < w->count; k++) {
        transform(w, y, k);
    }
    memset(y->position_correction, 0, w->count * sizeof *y->position_correction);
}

void lzb_single_substeps(lzb_window *w, const lzb_account *to, unsigned substeps, double length,
                         double speed, double full)
{
    const units u = units_of(w, length / substeps, speed, full);
    const packed_line y = make_room(w);
    const passes of = passes_of(w, to->mono);
    memset(lzb_window_row(w, 0), 0, 3 * w->blocks * LZB_BLOCK * sizeof(double));
    begin(w, to, &u, &y);
    make_pass(w, &y, of.forces, 0);
    for (unsigned i = 0; i < substeps; i++) {
        make_substep(w, &y, &of, i);
        if (i % ADDED == ADDED - 1) {
            add_impulses(w, &u, &y);
        }
    }
    for (size_t k = 0; k < w->count; k++) {
        transform_back(w, &y, k, to->mono);
        unpack_contact(w, to, &u, k, &y.pack[k / LZB_PACK], k % LZB_PACK);
    }
    add_impulses(w, &u, &y);
}
