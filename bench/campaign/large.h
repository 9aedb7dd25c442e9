/* Random systems of 65 to 300 contacts, all bodies moving: for campaign_large. Each is a function
 * of a seed and its index alone.
 */
#ifndef CAROM_CAMPAIGN_LARGE_H
#define CAROM_CAMPAIGN_LARGE_H

#include <stdint.h>
#include <stdio.h>

#include "series.h"

enum { LARGE_CONTACTS = 300, LARGE_COORDINATES = 2 * LARGE_CONTACTS };

#define LARGE_LIST(X)                                                                              \
    X(LARGE_CHAIN, "chain")                                                                        \
    X(LARGE_WALL, "chain on a wall")                                                               \
    X(LARGE_PACKING, "discs")                                                                      \
    X(LARGE_FLOOR, "discs on a floor")                                                             \
    X(LARGE_LOOSE, "clusters of discs")                                                            \
    X(LARGE_WAVE, "chain, few struck")

#define LARGE_ENUM(name, text) name,
typedef enum large_kind { LARGE_LIST(LARGE_ENUM) LARGE_KINDS } large_kind;
#undef LARGE_ENUM

/* At most two coordinates each of two bodies. */
typedef struct large_contact {
    size_t entries;
    uint32_t row[4];
    double value[4];
} large_contact;

typedef struct large_system {
    large_kind kind;
    bool mono;
    double tolerance;
    size_t n, s;
    double mass[LARGE_COORDINATES], velocity[LARGE_COORDINATES];
    large_contact contact[LARGE_CONTACTS];
    double stiffness[LARGE_CONTACTS], exponent[LARGE_CONTACTS], restitution[LARGE_CONTACTS];
} large_system;

const char *large_kind_text(large_kind kind);
void large_draw(uint64_t seed, size_t index, large_system *system);
/* The largest closing speed. */
double large_speed(const large_system *system);
crm_model *large_model(const large_system *system);
/* By the judge; false: it gave up. *tail: no velocity would have changed more, relative. */
bool large_judge(const large_system *system, double tail, unsigned long limit, double *velocity,
                 double *left);
/* A scenario that `carom solve` reads. */
void large_dump(const large_system *system, const char *title);

#endif
