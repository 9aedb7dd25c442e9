/* The leapfrog of a large window.
 *
 * Rows of the tableau go side by side, LZB_ABREAST numbers for each contact, so that an entry of D
 * fetched once serves all of them. A row of few substeps is followed by another in the same lane:
 * of 7 rows the longest has 7 substeps, and so have 6 + 1, 5 + 2 and 4 + 3.
 *
 * A substep of a part waits for the substep before only within the reach of D. So the substeps
 * follow each other through the window like waves, as close as D allows: what one has fetched into
 * the cache the next ones still find there, and the memory is gone through once, not once for each
 * substep. All parts of different substeps that may be done at the same time are one job.
 */
#include <stdatomic.h>

#include "law/lzb/extrapolation/kernel/kernel.h"
#include "law/lzb/extrapolation/window/block.h"
#include "law/lzb/state/power.h"

/* Parts of one substep that a thread does between two barriers; the most parts between the first
 * substep under way and the last for which the cache is expected to suffice: ten megabytes for each
 * thread, twenty at least; and a window of fewer parts than that stays in the cache anyway.
 */
enum { BATCH = 2, MOST_SPAN = 64, FEWEST_PARTS = 128 };
enum { NO_ROW = LZB_ROWS };

_Static_assert(2 * LZB_ABREAST <= LZB_ROWS, "forces of two substeps fit into tableau.force");

/* One number for each lane. */
typedef double lanes __attribute__((vector_size(LZB_ABREAST * sizeof(double))));

INLINE void load(lanes *to, const double *memory)
{
    memcpy(to, memory, sizeof *to);
}

INLINE void store(const lanes *from, double *memory)
{
    memcpy(memory, from, sizeof *from);
}

/* What the lanes do in one substep. */
typedef struct substep {
    double h[LZB_ABREAST], onward[LZB_ABREAST]; /* length of the kick and of the drift; 0: idle */
    unsigned begins[LZB_ABREAST];               /* row whose first substep this is */
    unsigned ends[LZB_ABREAST];                 /* row whose last substep this is */
} substep;

/* Rows to be extrapolated, and their errors. */
typedef struct extrapolation {
    unsigned first, last; /* rows */
    double speed, tolerance;
    atomic_size_t counts[LZB_ROWS][LZB_BINS]; /* whole numbers: added up in any order */
} extrapolation;

/* The worst error of each row in a part. */
typedef struct worst_errors {
    double row[LZB_ROWS];
} worst_errors;

_Static_assert(sizeof(worst_errors) <= LZB_TALLY, "a tally has its size");

typedef struct leapfrog {
    lzb_window *w;
    substep substeps[LZB_ROWS];
    unsigned count;        /* of them */
    bool range;            /* the first lane holds the finest row */
    double half[LZB_ROWS]; /* of each row's substep */
    double *x, *c, *p;
    double *force[2]; /* of even and odd substeps */
    extrapolation extrapolation;
    bool last; /* no rows are left for another round */

    unsigned stages;
    size_t threads;
    size_t shift; /* parts that a stage stays behind the one before */
    size_t now;   /* wave, or stage */
} leapfrog;

/* ---- One part ------------------------------------------------------------------------------- */

/* x, c and p from the sums over the rows of D. */
INLINE void move_on(const lanes *h, const lanes *onward, double rate, const lanes *sum,
                    const double *force, double *x, double *c, double *p)
{
    lanes here, speed, impulse, depth;
    load(&here, force);
    load(&speed, c);
    load(&impulse, p);
    load(&depth, x);
    speed -= *h * *sum;
    impulse += *h * here;
    depth += *onward * rate * speed;
    store(&speed, c);
    store(&impulse, p);
    store(&depth, x);
}

INLINE void make_forces(lzb_kind kind, const lzb_window *w, size_t first, size_t end,
                        const double *restrict x, double *restrict force)
{
    for (size_t k = first; k < end; k++) {
        double stiffness = w->fixed.stiffness[k], exponent = w->fixed.exponent[k],
               offset = w->fixed.offset[k];
#pragma GCC ivdep
        for (size_t i = k * LZB_ABREAST; i < (k + 1) * LZB_ABREAST; i++) {
            double depth = x[i] > 0 ? x[i] : 0;
            force[i] = kind == LZB_LINEAR  ? stiffness * depth
                       : kind == LZB_HERTZ ? stiffness * depth * __builtin_sqrt(depth)
                                           : stiffness * lzb_power(x[i] + offset, exponent);
        }
    }
}

#define LOOPS "law/lzb/extrapolation/kernel/waves_loops.h"
#include "base/loops.h"
LOOP(substep_sparse);
LOOP(substep_line);
LOOP(forces_of);
LOOP(note_range);
LOOP(take_lane);
LOOP(begin_lanes);

/* A row is complete: into the tableau with it. */
static void end_row(const leapfrog *l, unsigned row, unsigned lane, size_t first, size_t end)
{
    size_t width = l->w->blocks * LZB_BLOCK, from = first * LZB_ABREAST + lane;
    double *x = lzb_window_row(l->w, row), *c = x + width, *p = c + width;
    take_lane[l->w->width](end - first, l->x + from, x + first);
    take_lane[l->w->width](end - first, l->c + from, c + first);
    take_lane[l->w->width](end - first, l->p + from, p + first);
    for (size_t k = end; end == l->w->count && k < width; k++) {
        x[k] = c[k] = p[k] = 0; /* the padding */
    }
}

/* The first drift of a row. */
static void begin_row(const leapfrog *l, unsigned row, unsigned lane, size_t first, size_t end)
{
    const lzb_window *w = l->w;
    double half = l->half[row];
    for (size_t k = first; k < end; k++) {
        size_t i = k * LZB_ABREAST + lane;
        l->c[i] = w->trial.c0[k];
        l->x[i] = w->trial.x0[k] + half * w->fixed.rate[k] * w->trial.c0[k];
        l->p[i] = 0;
    }
}

static void begin_rows(const leapfrog *l, unsigned at, size_t first, size_t end)
{
    if (at == 0) {
        begin_lanes[l->w->width](l, first, end);
        if (l->range) {
            size_t size = (end - first) * sizeof *l->w->trial.c0;
            memcpy(l->w->tableau.low + first, l->w->trial.c0 + first, size);
            memcpy(l->w->tableau.high + first, l->w->trial.c0 + first, size);
        }
        return;
    }
    for (unsigned lane = 0; lane < LZB_ABREAST; lane++) {
        unsigned row = l->substeps[at].begins[lane];
        if (row < NO_ROW) {
            begin_row(l, row, lane, first, end);
        }
    }
}

static void make_substep(const leapfrog *l, unsigned at, size_t first, size_t end)
{
    const substep *s = &l->substeps[at];
    (l->w->coupling.product == LZB_LINE ? substep_line : substep_sparse)[l->w->width](
        l, s, first, end, l->force[at % 2]);
    if (l->range) {
        note_range[l->w->width](end - first, l->c + first * LZB_ABREAST, l->w->tableau.low + first,
                                l->w->tableau.high + first);
    }
    for (unsigned lane = 0; lane < LZB_ABREAST; lane++) {
        if (s->ends[lane] < NO_ROW) {
            end_row(l, s->ends[lane], lane, first, end);
        }
    }
}

/* ---- Errors --------------------------------------------------------------------------------- */

static double count_errors(leapfrog *l, lzb_part part, unsigned row)
{
    const double *error = l->w->trial.error;
    uint16_t counts[LZB_BINS] = {0};
    double worst = 0;
    for (size_t k = part.first; k < lzb_part_end(l->w, part); k++) {
        counts[lzb_waves_bin(error[k])]++;
        worst = !(error[k] < INFINITY) ? INFINITY : error[k] > worst ? error[k] : worst;
    }
    for (size_t bin = 0; bin < LZB_BINS; bin++) {
        if (counts[bin] > 0) {
            atomic_fetch_add_explicit(&l->extrapolation.counts[row][bin], counts[bin],
                                      memory_order_relaxed);
        }
    }
    return worst;
}

static worst_errors *worst_of_part(const leapfrog *l, size_t index)
{
    return (worst_errors *)(l->w->partition.tally + index * LZB_TALLY);
}

/* Extrapolate row after row, and find the errors of each. */
static void extrapolate_rows(leapfrog *l, size_t index)
{
    const extrapolation *e = &l->extrapolation;
    worst_errors *worst = worst_of_part(l, index);
    lzb_part part = lzb_part_at(l->w, index);
    for (unsigned row = e->first; row <= e->last; row++) {
        lzb_extrapolate_part(l->w, part, row, e->speed, e->tolerance);
        worst->row[row] = row > 0 ? count_errors(l, part, row) : 0;
    }
}

/* When all parts are done. */
static void note_errors(const leapfrog *l, lzb_row_errors *errors)
{
    const extrapolation *e = &l->extrapolation;
    for (unsigned row = e->first; row <= e->last; row++) {
        errors->worst[row] = 0;
        for (size_t i = 0; i < l->w->partition.parts; i++) {
            errors->worst[row] = fmax(errors->worst[row], worst_of_part(l, i)->row[row]);
        }
        for (size_t bin = 0; bin < LZB_BINS; bin++) {
            errors->counts[row][bin] = atomic_load(&e->counts[row][bin]);
        }
    }
}

/* ---- Stages --------------------------------------------------------------------------------- */

/* The result of all rows, and the forces there. */
static void take_result(lzb_window *w, lzb_part part)
{
    size_t width = w->blocks * LZB_BLOCK, size = part.blocks * LZB_BLOCK * sizeof *w->trial.x;
    const double *x = lzb_window_row(w, 0) + part.first;
    memcpy(w->trial.x + part.first, x, size);
    memcpy(w->trial.c + part.first, x + width, size);
    memcpy(w->trial.p + part.first, x + 2 * width, size);
    lzb_dynamics_part_forces(w, part, w->trial.x, w->trial.f);
}

/* Stage 0 is the first drift; stage i brings substep i - 1, and the forces for the next. They go
 * where those of this one are not needed, nor any longer those of the one before. After the last
 * substep comes the result; its accelerations are one stage more.
 */
static void make_stage(leapfrog *l, unsigned stage, size_t index)
{
    lzb_part part = lzb_part_at(l->w, index);
    size_t first = part.first, end = lzb_part_end(l->w, part);
    if (stage > l->count) {
        lzb_dynamics_part_accelerate(l->w, part, l->w->trial.f, l->w->trial.a);
        return;
    }
    if (stage > 0) {
        make_substep(l, stage - 1, first, end);
    }
    if (stage < l->count) {
        begin_rows(l, stage, first, end);
        forces_of[l->w->width](l->w, first, end, l->x, l->force[stage % 2]);
    } else if (l->last) {
        extrapolate_rows(l, index);
        take_result(l->w, part);
    }
}

/* ---- Waves ---------------------------------------------------------------------------------- */

/* In wave n, stage s is done for as many parts as all threads do between two barriers, from n BATCH
 * threads - s shift on. With a shift of that number and the reach of D together this is later than
 * stage s - 1 of all parts within reach. A part stays with one thread at all stages, and in its
 * cache: BATCH parts are the first thread's, the next BATCH the second one's, and so on.
 */
static void wave_part(void *context, size_t index)
{
    leapfrog *l = context;
    size_t each = (size_t)BATCH * l->stages, all = BATCH * l->threads;
    size_t stage = index % each / BATCH, own = index / each * BATCH + index % BATCH;
    size_t ahead = l->now * all, behind = stage * l->shift;
    size_t part =
        ahead + (own + behind) % all; /* the only one of the range that is it modulo all */
    if (part >= behind && part - behind < l->w->partition.parts) {
        make_stage(l, (unsigned)stage, part - behind);
    }
}

static void stage_part(void *context, size_t index)
{
    leapfrog *l = context;
    make_stage(l, (unsigned)l->now, index);
}

static void go_through(leapfrog *l)
{
    lzb_window *w = l->w;
    l->stages = l->count + (l->last ? 2 : 1);
    l->threads = crm_team_threads(w->partition.team);
    size_t all = BATCH * l->threads;
    l->shift = all + w->partition.reach;
    size_t span = l->stages * l->shift, most = MOST_SPAN * (l->threads > 1 ? l->threads : 2);
    if (span > most || 2 * span > w->partition.parts || w->partition.parts < FEWEST_PARTS) {
        for (l->now = 0; l->now < l->stages; l->now++) {
            crm_team_run(w->partition.team, w->partition.parts, stage_part, l);
        }
        return;
    }
    size_t waves = (w->partition.parts + (l->stages - 1) * l->shift + all - 1) / all;
    for (l->now = 0; l->now < waves; l->now++) {
        crm_team_run(w->partition.team, l->stages * all, wave_part, l);
    }
}

/* ---- Rows in lanes --------------------------------------------------------------------------- */

static void put_row(leapfrog *l, double h, unsigned row, unsigned lane, unsigned from)
{
    for (unsigned i = 0; i <= row; i++) { /* row r makes r + 1 substeps */
        l->substeps[from + i].h[lane] = h;
        l->substeps[from + i].onward[lane] = i < row ? h : 0.5 * h;
    }
    l->substeps[from].begins[lane] = row;
    l->substeps[from + row].ends[lane] = row;
    l->half[row] = 0.5 * h;
}

/* Rows first to last, the longest first, as long as there is room; returns how many are left. */
static unsigned plan(leapfrog *l, double length, unsigned first, unsigned last)
{
    unsigned used[LZB_ABREAST] = {0};
    l->count = last + 1;
    for (unsigned i = 0; i < l->count; i++) {
        for (unsigned lane = 0; lane < LZB_ABREAST; lane++) {
            l->substeps[i].h[lane] = l->substeps[i].onward[lane] = 0;
            l->substeps[i].begins[lane] = l->substeps[i].ends[lane] = NO_ROW;
        }
    }
    for (unsigned left = last + 1 - first; left > 0; left--) {
        unsigned row = first + left - 1, lane = 0;
        while (lane < LZB_ABREAST && used[lane] + row + 1 > l->count) {
            lane++;
        }
        if (lane == LZB_ABREAST) {
            return left;
        }
        put_row(l, length / (row + 1), row, lane, used[lane]);
        used[lane] += row + 1;
    }
    return 0;
}

/* Beside the first and the last contact there is nothing. */
static void clear_borders(const leapfrog *l)
{
    size_t count = l->w->count;
    for (unsigned i = 0; i < 2; i++) {
        memset(l->force[i] - LZB_ABREAST, 0, LZB_ABREAST * sizeof(double));
        memset(l->force[i] + count * LZB_ABREAST, 0, LZB_ABREAST * sizeof(double));
    }
}

void lzb_waves_leapfrog(lzb_window *w, double length, unsigned first, unsigned last, double speed,
                        double tolerance, lzb_row_errors *errors)
{
    size_t all = w->blocks * LZB_BLOCK * LZB_ABREAST;
    leapfrog l = {
        .w = w,
        .range = true,
        .x = w->tableau.abreast,
        .c = w->tableau.abreast + all,
        .p = w->tableau.abreast + 2 * all,
        .force = {w->tableau.force, w->tableau.force + LZB_ABREAST * w->tableau.bordered},
        .extrapolation = {.first = first, .last = last, .speed = speed, .tolerance = tolerance}};
    w->tableau.finest = last;
    clear_borders(&l);
    for (unsigned left = last + 1 - first; left > 0; l.range = false) {
        left = plan(&l, length, first, first + left - 1);
        l.last = left == 0;
        go_through(&l);
    }
    note_errors(&l, errors);
    lzb_gather_borders(w);
}
