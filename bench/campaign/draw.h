/* Random systems for the campaigns: each is a function of a seed and its index alone, so that any
 * of them can be drawn again by itself.
 */
#ifndef CAROM_CAMPAIGN_DRAW_H
#define CAROM_CAMPAIGN_DRAW_H

#include "support.h"

/* Name, how many in a round of draws, text. Those that are in no round are tried in turn from index
 * DRAW_HARD on.
 */
#define DRAW_LIST(X)                                                                               \
    X(DRAW_CHAIN, 2, "free chain")                                                                 \
    X(DRAW_WALL, 2, "chain on a wall")                                                             \
    X(DRAW_LOSSY, 4, "lossy Hertz chain")                                                          \
    X(DRAW_SOFT, 1, "exponents below 1")                                                           \
    X(DRAW_PATCH, 2, "patch of discs")                                                             \
    X(DRAW_RING, 1, "ring of discs")                                                               \
    X(DRAW_STACK, 1, "triangle on a floor")                                                        \
    X(DRAW_SPACE, 1, "balls in space")                                                             \
    X(DRAW_DENSE, 2, "dense M and W")                                                              \
    X(DRAW_SIMULTANEOUS, 1, "simultaneous events")                                                 \
    X(DRAW_DECADES, 1, "over decades")                                                             \
    X(DRAW_PARALLEL, 1, "nearly parallel")                                                         \
    X(DRAW_DEPENDENT, 1, "dependent")                                                              \
    X(DRAW_PINCHED, 1, "pinched")                                                                  \
    X(DRAW_DISJOINT, 1, "disjoint systems")                                                        \
    X(DRAW_UNITS, 1, "other units")                                                                \
    X(DRAW_STORED, 1, "stored energy")                                                             \
    X(DRAW_MOVING, 1, "moving walls")                                                              \
    X(DRAW_WEAK, 0, "weakly loaded, high exponents")                                               \
    X(DRAW_PLASTIC, 0, "nearly plastic")                                                           \
    X(DRAW_MIXED, 0, "dense and mixed")

#define DRAW_ENUM(name, share, text) name,
typedef enum draw_kind { DRAW_LIST(DRAW_ENUM) DRAW_KINDS } draw_kind;
#undef DRAW_ENUM

const char *draw_kind_text(draw_kind kind);

enum { DRAW_HARD = 1000000, DRAW_FIRST_HARD = DRAW_WEAK };

typedef struct draw {
    draw_kind kind;
    bool mono;
    small_system system; /* some contact closes, or stores energy */
} draw;

draw draw_system(uint64_t seed, size_t index);
/* The largest closing speed, or what a stored energy could give: what errors are relative to. */
double draw_speed(const small_system *system);
double draw_energy(const small_system *system); /* T and what is stored */

/* A scenario that `carom solve` reads. */
void draw_dump(const draw *d, double tolerance, const char *title);

#endif
