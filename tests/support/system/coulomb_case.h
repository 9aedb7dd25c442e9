/* Problems with Coulomb's law, written out in full; random ones of many kinds, hard ones among
 * them. D = H' M^-1 H of bodies that touch, so that it is as rank-deficient as mechanics makes it.
 */
#ifndef CAROM_TEST_COULOMB_CASE_H
#define CAROM_TEST_COULOMB_CASE_H

#include <stdbool.h>

#include "carom/model.h"
#include "rng.h"

/* D dense, size = contacts * dim, symmetric or not: d[i * size + j]. */
typedef struct coulomb_data {
    size_t contacts, dim, size;
    double *d, *q, *mu;
    double *r; /* a solution, where the kind has a known one; else NULL */
} coulomb_data;

typedef enum coulomb_kind {
    COULOMB_REGULAR,   /* D regular, a solution known */
    COULOMB_DEPENDENT, /* D rank-deficient, a solution known */
    COULOMB_OBJECT,    /* one body with many contacts */
    COULOMB_STACK,     /* boxes on each other, each on four corners (two in the plane) */
    COULOMB_CAPSULES,  /* bodies in a heap, two contacts near each other for each pair */
    COULOMB_UNEVEN,    /* a heap with masses from 1e-3 to 1e3 */
    COULOMB_WEDGED,    /* wedges with friction enough to hold what is in them */
    COULOMB_STICKY,    /* a heap with mu up to 5 */
    COULOMB_SKEW,      /* a heap, D unsymmetric by 1e-3 */
    COULOMB_KINDS
} coulomb_kind;

const char *coulomb_kind_name(coulomb_kind kind);

/* A problem with about this many contacts. */
coulomb_data coulomb_random(rng *r, coulomb_kind kind, size_t dim, size_t contacts);
coulomb_data coulomb_allocate(size_t contacts, size_t dim);
void coulomb_data_free(coulomb_data *data);

/* D by columns. */
typedef struct coulomb_columns {
    size_t *start;
    uint32_t *row;
    double *value;
} coulomb_columns;

coulomb_columns coulomb_columns_of(const coulomb_data *data);
crm_sparse_view coulomb_view(const coulomb_columns *columns);
void coulomb_columns_free(coulomb_columns *columns);

/* |r - P(r - (u + mu |u_t| n))| / |q|, with u = D r + q in long double: the natural map. */
double coulomb_residual(const coulomb_data *data, const double *r);

#endif
