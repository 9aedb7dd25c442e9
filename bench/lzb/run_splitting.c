/* The limit to compare with: one problem (elastic Hertz contacts, equal beads, struck at one end),
 * one method, nothing else. A Runge-Kutta-Nystrom splitting of Blanes and Moan (J. Comput. Appl.
 * Math. 142 (2002) 313-330, table 3: SRKN_11^b, order 6) in the closing speeds c and the overlaps
 * d, only for the contacts of the wave: WIDTH of them, held in registers, with the vectors as wide
 * as the compiler was told that the machine has them.
 *
 * No error control, no other law, exponent, mass or geometry: what generality costs is the ratio
 * to this.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "runner.h"

#ifndef SPLITTING_NAME
#define SPLITTING_NAME run_splitting
#endif

#if defined(__AVX__) /* eight lanes, where there are any, were slower: the wave fills 12 */
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
/* The wave is nine contacts wide, and one more on either side moves with it. */
enum { STAGES = 11, WIDTH = 12, PARTS = WIDTH / LANES };

typedef double vec __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));
typedef int64_t lanes __attribute__((vector_size(LANES * sizeof(double))));

/* Kicks b_1 ... b_6 b_6 ... b_1 around drifts a_1 ... a_6 ... a_1. The last kick of a step is the
 * first of the next.
 */
static const double KICK[STAGES + 1] = {
    0.0414649985182624,  0.198128671918067,   -0.0400061921041533, 0.0752539843015807,
    -0.0115113874206879, 0.2366699247869311,  0.2366699247869311,  -0.0115113874206879,
    0.0752539843015807,  -0.0400061921041533, 0.198128671918067,   0.0414649985182624};
static const double DRIFT[STAGES] = {0.123229775946271,  0.290553797799558,  -0.127049212625417,
                                     -0.246331761062075, 0.357208872795928,  0.2047770542914700,
                                     0.357208872795928,  -0.246331761062075, -0.127049212625417,
                                     0.290553797799558,  0.123229775946271};

/* A contact joins the wave when the one before it has this overlap, as a part of the length scale,
 * and leaves it below the other: about 1e-8 of the speed is still in it.
 */
static const double FRONT = 1e-9, TAIL = 1e-6;
/* Contacts open with speed only near the ends of the chain; in between the wave is smooth, and
 * larger steps do.
 */
enum { EDGE = 11 };
static const double FINER = 16;

/* The lanes of two neighbours, moved by one. */
static vec from_left(vec left, vec here)
{
#if defined(__AVX__)
    return __builtin_shuffle(left, here, (lanes){3, 4, 5, 6});
#else
    return __builtin_shuffle(left, here, (lanes){1, 2});
#endif
}

static vec from_right(vec here, vec right)
{
#if defined(__AVX__)
    return __builtin_shuffle(here, right, (lanes){1, 2, 3, 4});
#else
    return __builtin_shuffle(here, right, (lanes){1, 2});
#endif
}

static vec hertz(vec d, double strength)
{
    vec held = (vec)((lanes)d & (d > 0)), root;
    for (size_t k = 0; k < LANES; k++) {
        root[k] = sqrt(held[k]);
    }
    return strength * held * root;
}

/* c and d of WIDTH contacts over one step; outside of them nothing pushes. `carried` is what the
 * step before left of its last kick.
 */
static void advance(double *speeds, double *overlaps, double rate, double h, double carried)
{
    vec c[PARTS], d[PARTS], f[PARTS + 2];
    memcpy(c, speeds, sizeof c);
    memcpy(d, overlaps, sizeof d);
    f[0] = f[PARTS + 1] = (vec){0};
    for (size_t k = 0; k < STAGES; k++) {
        double strength = rate * (KICK[k] * h + (k == 0 ? carried : 0));
        for (size_t i = 0; i < PARTS; i++) {
            f[i + 1] = hertz(d[i], strength);
        }
        for (size_t i = 0; i < PARTS; i++) {
            c[i] += from_left(f[i], f[i + 1]) + from_right(f[i + 1], f[i + 2]) - 2 * f[i + 1];
            d[i] += h * DRIFT[k] * c[i];
        }
    }
    memcpy(speeds, c, sizeof c);
    memcpy(overlaps, d, sizeof d);
}

/* Momentum and the closing speeds give the velocities. */
static void find_velocities(const chain *c, const double *speeds, double *v)
{
    double before = 0, after = 0;
    v[0] = 0;
    for (size_t i = 0; i < c->balls; i++) {
        v[i] = i > 0 ? v[i - 1] - speeds[i - 1] : 0;
        before += c->velocity[i];
        after += v[i];
    }
    for (size_t i = 0; i < c->balls; i++) {
        v[i] += (before - after) / (double)c->balls;
    }
}

typedef struct wave {
    size_t first, last; /* contacts that are at work: first .. last - 1 */
    double *c, *d;
} wave;

/* The front comes in, what has opened goes out. */
static void move_on(wave *w, size_t contacts, double scale)
{
    while (w->last < contacts && w->d[w->last - 1] > FRONT * scale) {
        w->last++;
    }
    while (w->first < w->last && w->d[w->first] < TAIL * scale) {
        w->first++;
    }
}

/* Past the last contact there is nothing to touch; the arrays go on all the same. */
static void steps(const chain *c, wave *w, double step, uint64_t budget, answer *result)
{
    double scale = chain_time(c), rate = c->stiffness[0] / c->mass[0], carried = 0;
    while (w->first < w->last && (budget == 0 || result->steps < budget)) {
        bool near_end = w->last < EDGE || w->last + EDGE > c->contacts;
        double h = near_end ? step / FINER : step;
        size_t begin = w->first > 0 ? w->first - 1 : 0; /* its left ball is still pushed */
        advance(w->c + begin, w->d + begin, rate, h, carried);
        carried = KICK[STAGES] * h;
        result->duration += h;
        result->steps++;
        move_on(w, c->contacts, scale);
    }
}

void SPLITTING_NAME(const chain *c, double step, uint64_t budget, answer *result)
{
    size_t room = c->balls + 2 * WIDTH;
    wave w = {.last = 1, .c = calloc(room, sizeof *w.c), .d = calloc(room, sizeof *w.d)};
    if (w.c == NULL || w.d == NULL) {
        exit(1);
    }
    for (size_t j = 0; j < c->contacts; j++) {
        w.c[j] = c->velocity[j] - c->velocity[j + 1];
    }
    for (size_t j = c->contacts; j < room; j++) {
        w.d[j] = -1;
    }
    result->steps = 0;
    result->duration = 0;
    double begin = cpu_seconds();
    steps(c, &w, step, budget, result);
    find_velocities(c, w.c, result->velocity);
    result->seconds = cpu_seconds() - begin;
    result->finished = w.first == w.last;
    free(w.c);
    free(w.d);
}
