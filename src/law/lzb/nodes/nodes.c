#include "law/lzb/nodes/nodes.h"

#include <math.h>

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

void lzb_nodes_interpolate(const double *places, lzb_nodal *columns)
{
    const lzb_nodes *nodes = &lzb_nodes_gauss;
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
