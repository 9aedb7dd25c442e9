/* Packings of balls that touch, as complementarity problems: D, and q from velocities. */
#ifndef CAROM_TEST_PACKING_H
#define CAROM_TEST_PACKING_H

#include "support.h"

/* Contact j is between the balls pair[j][0] and pair[j][1], its normal points from the first to
 * the second. D by rows, both triangles.
 */
typedef struct packing {
    size_t balls;
    size_t contacts;
    size_t (*pair)[2];
    double (*normal)[3];
    double *mass;
    size_t *start;
    uint32_t *column;
    double *value;
} packing;

typedef enum packing_kind {
    PACKING_HEXAGONAL, /* discs in the plane, side x side: six neighbours */
    PACKING_DENSE,     /* balls in space, side x side x side, close packed: twelve neighbours */
    PACKING_KINDS
} packing_kind;

/* Masses from 10^-decades to 10^decades, at random; all 1 for 0 decades. */
packing packing_make(packing_kind kind, size_t side, double decades, rng *r);
/* The same balls with the contacts renumbered: contact j of the result is order[j]. */
packing packing_renumbered(const packing *from, const size_t *order);
void packing_free(packing *p);

crm_sparse_view packing_delassus(const packing *p);

typedef enum packing_motion {
    PACKING_ALL_MOVE, /* every ball, at random */
    PACKING_STRUCK,   /* the first ball, into the others */
    PACKING_ROW,      /* the first ten balls, likewise */
    PACKING_MOTIONS
} packing_motion;

/* velocity: 3 for each ball. */
void packing_velocities(const packing *p, packing_motion motion, rng *r, double *velocity);
/* q_j = n_j . (v_b - v_a) */
void packing_speeds(const packing *p, const double *velocity, double *q);

#endif
