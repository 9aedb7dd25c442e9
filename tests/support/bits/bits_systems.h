/* The systems whose bits are kept: each made from its number alone, by arithmetic that is the same
 * on every machine (no function of the C library but sqrt).
 */
#ifndef CAROM_TEST_BITS_SYSTEMS_H
#define CAROM_TEST_BITS_SYSTEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

typedef struct bits_impact {
    crm_model *model;
    double *velocity;
} bits_impact;

void bits_impact_free(bits_impact *impact);

/* Values lie between two numbers; equal ones: the same everywhere. */
typedef struct bits_contacts {
    double exponent[2], stiffness[2], mass[2];
    double restitution[2]; /* the first below 0: of 0, 1e-3, .5, .9 and 1 in turn */
    double stored_energy;  /* up to this, in every second contact */
} bits_contacts;

extern const bits_contacts bits_hertz; /* elastic, all alike */

typedef struct bits_chain {
    const char *name;
    bits_contacts contacts;
    crm_wall_side wall;
    double wall_velocity;
} bits_chain;

/* One end struck, or everything in motion, by turns of the number. */
bits_impact bits_chain_of(const bits_chain *chain, size_t balls, size_t number);

/* Discs of a hexagonal patch on a floor, a moving wall at their side; spheres heaped in a corner;
 * rods and discs.
 */
bits_impact bits_discs(const bits_contacts *contacts, size_t number);
bits_impact bits_spheres(const bits_contacts *contacts, size_t number);
bits_impact bits_rods(const bits_contacts *contacts, size_t number);

/* Full M and W; more contacts than coordinates when `dependent`, small whole numbers in W. */
bits_impact bits_dense(const bits_contacts *contacts, size_t number, bool dependent);
/* Two or three chains that do not touch, numbered in turn. */
bits_impact bits_apart(const bits_contacts *contacts, size_t number);
/* A sparse M with so full an inverse that D is not stored. */
bits_impact bits_operator(size_t size);

typedef enum bits_motion { BITS_STRUCK, BITS_SQUEEZED } bits_motion;

/* A packing, hit by a projectile, or everything in it moving together. */
bits_impact bits_packing(const bits_contacts *contacts, size_t columns, size_t rows,
                         crm_packing_walls walls, bits_motion motion);

#endif
