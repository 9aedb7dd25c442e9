#include "law/lzb/engine/nodes.h"

#include <math.h>
#include <stdlib.h>

/* Roots of the Legendre polynomial of degree 8 in [-1, 1], and the Gauss weights: the upper half.
 */
static const double roots[] = {0.18343464249564980494, 0.52553240991632898582,
                               0.79666647741362673959, 0.96028985649753623168};
static const double weights[] = {0.36268378337836198297, 0.31370664587788728734,
                                 0.22238103445337447054, 0.10122853629037625915};

static bool is_cubed(lzb_map map)
{
    return map >= LZB_MAP_START_CUBED;
}

double lzb_nodes_time(lzb_map map, double t)
{
    double rest = 1 - t;
    switch (map) {
    case LZB_MAP_START:
        return t * t;
    case LZB_MAP_END:
        return 1 - rest * rest;
    case LZB_MAP_BOTH:
        return t * t * (3 - 2 * t);
    case LZB_MAP_START_CUBED:
        return t * t * t;
    case LZB_MAP_END_CUBED:
        return 1 - rest * rest * rest;
    case LZB_MAP_BOTH_CUBED:
        return t * t * t * (10 - 15 * t + 6 * t * t);
    default:
        return t;
    }
}

static double pace_of(lzb_map map, double t)
{
    double rest = 1 - t;
    switch (map) {
    case LZB_MAP_START:
        return 2 * t;
    case LZB_MAP_END:
        return 2 * rest;
    case LZB_MAP_BOTH:
        return 6 * t * rest;
    case LZB_MAP_START_CUBED:
        return 3 * t * t;
    case LZB_MAP_END_CUBED:
        return 3 * rest * rest;
    case LZB_MAP_BOTH_CUBED:
        return 30 * t * t * rest * rest;
    default:
        return 1;
    }
}

/* Newton's method between bounds. */
double lzb_nodes_tau(lzb_map map, double time)
{
    enum { MOST = 60 };
    if (map == LZB_MAP_PLAIN) {
        return time;
    }
    if (!(time > 0)) {
        return 0;
    }
    if (time >= 1) {
        return 1;
    }
    double low = 0, high = 1, tau = is_cubed(map) ? 0.5 : sqrt(time);
    for (int i = 0; i < MOST && high - low > 1e-14; i++) {
        double off = lzb_nodes_time(map, tau) - time, pace = pace_of(map, tau);
        *(off > 0 ? &high : &low) = tau;
        double next = pace > 0 ? tau - off / pace : low;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - tau) < 1e-14) {
            return next;
        }
        tau = next;
    }
    return tau;
}

/* P_0 to P_8 at s in [-1, 1] */
static void legendre(double s, double *p)
{
    p[0] = 1;
    p[1] = s;
    for (int k = 1; k < LZB_NODES; k++) {
        p[k + 1] = ((2 * k + 1) * s * p[k] - k * p[k - 1]) / (k + 1);
    }
}

/* Bernstein coefficients, of degree 8, of the integral of P_k(2 tau - 1) from 0: those of P_k
 * itself are (-1)^(k-i) (k over i); those of an integral are sums; and the degree is raised.
 */
static void integral_of_legendre(int k, double *b)
{
    double over = 1;
    b[0] = 0;
    for (int i = 0; i <= k; i++) {
        b[i + 1] = b[i] + ((k - i) % 2 == 0 ? over : -over) / (k + 1);
        over = over * (k - i) / (i + 1);
    }
    for (int degree = k + 1; degree < LZB_NODES; degree++) {
        b[degree + 1] = b[degree];
        for (int i = degree; i > 0; i--) {
            b[i] += (b[i - 1] - b[i]) * i / (degree + 1);
        }
    }
}

/* The Lagrange polynomial of node j is w_j sum of (2k+1) P_k(s_j) P_k; its integral up to tau. */
static double integral_of_lagrange(const double *at_node, double weight, double tau)
{
    double p[LZB_BERNSTEIN], sum = tau;
    legendre(2 * tau - 1, p);
    for (int k = 1; k < LZB_NODES; k++) {
        sum += at_node[k] * (p[k + 1] - p[k - 1]) / 2;
    }
    return weight * sum;
}

static void fill_column(const lzb_nodes *nodes, lzb_map map, int j, double weight, lzb_table *table)
{
    double p[LZB_BERNSTEIN], b[LZB_BERNSTEIN], pace = pace_of(map, nodes->at[j]);
    legendre(2 * nodes->at[j] - 1, p);
    table->time[j] = lzb_nodes_time(map, nodes->at[j]);
    table->impulse[j] = weight * pace;
    for (int i = 0; i < LZB_NODES; i++) {
        table->once[j][i] = pace * integral_of_lagrange(p, weight, nodes->at[i]);
        table->bernstein[j][i] = 0;
    }
    for (int k = 0; k < LZB_NODES; k++) {
        integral_of_legendre(k, b);
        for (int i = 0; i < LZB_NODES; i++) {
            table->bernstein[j][i] += weight * pace * (2 * k + 1) * p[k] * b[i + 1];
        }
    }
    for (int k = 0; k < 2; k++) {
        int degree = LZB_NODES - 1 - k;
        table->highest[k][j] = (2 * degree + 1) * weight * p[degree] * pace;
    }
}

static void fill_twice(lzb_table *table)
{
    for (int j = 0; j < LZB_NODES; j++) {
        table->moment[j] = 0;
        for (int i = 0; i < LZB_NODES; i++) {
            table->moment[j] += table->impulse[i] * table->once[j][i];
            table->twice[j][i] = 0;
            for (int k = 0; k < LZB_NODES; k++) {
                table->twice[j][i] += table->once[k][i] * table->once[j][k];
            }
        }
    }
}

static void fill_weights(lzb_nodes *nodes)
{
    for (int j = 0; j < LZB_NODES; j++) {
        double product = 1, at_end = 1;
        for (int k = 0; k < LZB_NODES; k++) {
            product *= k == j ? 1 : nodes->at[j] - nodes->at[k];
            at_end *= k == j ? 1 : 1 - nodes->at[k];
        }
        nodes->weight[j] = 1 / product;
        nodes->end[j] = at_end / product;
    }
}

crm_status lzb_nodes_create(lzb_nodes **made, crm_error *error)
{
    enum { HALF = LZB_NODES / 2 };
    lzb_nodes *nodes = *made = CRM_NEW(lzb_nodes, 1);
    if (nodes == NULL) {
        return crm_fail_memory(error);
    }
    double weight[LZB_NODES];
    for (int k = 0; k < HALF; k++) {
        nodes->at[HALF + k] = 0.5 * (1 + roots[k]);
        nodes->at[HALF - 1 - k] = 0.5 * (1 - roots[k]);
        weight[HALF + k] = weight[HALF - 1 - k] = 0.5 * weights[k];
    }
    fill_weights(nodes);
    for (int map = 0; map < LZB_MAPS; map++) {
        for (int j = 0; j < LZB_NODES; j++) {
            fill_column(nodes, (lzb_map)map, j, weight[j], &nodes->map[map]);
        }
        fill_twice(&nodes->map[map]);
    }
    return CRM_OK;
}

void lzb_nodes_interpolate(const lzb_nodes *nodes, const double *places, lzb_nodal *columns)
{
    lzb_nodal left[LZB_NODES], right = {0}, place;
    for (int i = 0; i < LZB_NODES; i++) {
        place[i] = places[i];
        left[0][i] = right[i] = 1;
    }
    for (int k = 1; k < LZB_NODES; k++) {
        left[k] = left[k - 1] * (place - nodes->at[k - 1]);
    }
    for (int j = LZB_NODES - 1; j >= 0; j--) {
        columns[j] = nodes->weight[j] * left[j] * right;
        right *= place - nodes->at[j];
    }
}
