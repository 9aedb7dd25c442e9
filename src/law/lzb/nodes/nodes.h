/* Gauss collocation on [0, 1], in a time that may be slow at an end. Internal.
 *
 * t = h phi(tau). Where a force begins as t^eta or ends as (h - t)^eta it is no polynomial in t,
 * but with phi = tau^2 it is one in tau for eta = 3/2, 5/2, ..., and with phi = tau^3 smooth enough
 * for any eta. (docs/theory/lzb-collocation.md)
 */
#ifndef CRM_LZB_NODES_H
#define CRM_LZB_NODES_H

#include "base/base.h"

enum { LZB_NODES = 8, LZB_BERNSTEIN = LZB_NODES + 1 };

/* A quantity at the nodes. (Handed over by address: how it is passed would depend on the width.) */
typedef double lzb_nodal __attribute__((vector_size(LZB_NODES * sizeof(double)), aligned(8)));

/* Which end is slow: the map for half-integer exponents, and that for others. */
typedef enum lzb_map {
    LZB_MAP_PLAIN,
    LZB_MAP_START,
    LZB_MAP_END,
    LZB_MAP_BOTH,
    LZB_MAP_START_CUBED,
    LZB_MAP_END_CUBED,
    LZB_MAP_BOTH_CUBED,
    LZB_MAPS
} lzb_map;

/* What is linear in the values y of a quantity at the nodes: a column for each. */
typedef struct lzb_table {
    lzb_nodal time;                 /* phi at the nodes */
    lzb_nodal impulse;              /* integral of y phi' */
    lzb_nodal moment;               /* integral of that */
    lzb_nodal once[LZB_NODES];      /* integral of y phi' up to each node */
    lzb_nodal twice[LZB_NODES];     /* integral of that */
    lzb_nodal bernstein[LZB_NODES]; /* coefficients 1 to 8 of the integral, a polynomial in tau */
    lzb_nodal highest[2];           /* Legendre coefficients 7 and 6 of y phi' */
} lzb_table;

typedef struct lzb_nodes {
    double at[LZB_NODES];
    double weight[LZB_NODES]; /* barycentric, for interpolation */
    lzb_nodal end;            /* y(1) */
    lzb_table map[LZB_MAPS];
} lzb_nodes;

extern const lzb_nodes lzb_nodes_gauss; /* tables.c */

double lzb_nodes_time(lzb_map map, double tau);
/* The tau of a time, at most a little beyond 1. */
double lzb_nodes_tau(lzb_map map, double time);

/* Columns that take values at the nodes to those at other places. */
void lzb_nodes_interpolate(const double *places, lzb_nodal *columns);

#endif
