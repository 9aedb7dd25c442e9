/* F, F' and E of a curve, and what inverts them. */
#include <math.h>

#include "base/elementary.h"
#include "model/compliance/compliance.h"

enum { MOST_NEWTON = 100, MOST_DOUBLINGS = 1100 };

double crm_curve_start(const crm_curve *c, size_t piece)
{
    return piece == 0 ? 0 : piece < c->pieces ? c->cubic[piece].start : INFINITY;
}

size_t crm_curve_piece(const crm_curve *c, double x)
{
    size_t low = 0, high = c->pieces;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(crm_curve_start(c, middle) <= x ? &low : &high) = middle;
    }
    return low;
}

static double power(double x, double eta)
{
    return eta == 1 ? x : eta == 1.5 ? x * sqrt(x) : crm_pow(x, eta);
}

typedef struct values {
    double force, slope, energy;
} values;

static values on_terms(const crm_curve *c, double x)
{
    values sum = {0};
    for (size_t k = 0; k < c->terms; k++) {
        double force = c->stiffness[k] * power(x, c->eta[k]);
        sum.force += force;
        sum.slope += c->eta[k] * force / x;
        sum.energy += force * x / (1 + c->eta[k]);
    }
    return sum;
}

static values on_cubic(const crm_cubic *c, double x)
{
    const double *a = c->a;
    double d = x - c->start;
    return (values){.force = a[0] + d * (a[1] + d * (a[2] + d * a[3])),
                    .slope = a[1] + d * (2 * a[2] + d * 3 * a[3]),
                    .energy =
                        c->energy + d * (a[0] + d * (a[1] / 2 + d * (a[2] / 3 + d * (a[3] / 4))))};
}

static values on_piece(const crm_curve *c, size_t piece, double x)
{
    values v = {0};
    if (!(x > 0)) {
        return v;
    }
    if (piece == 0 && c->function != NULL) {
        c->function(c->context, x, &v.force, &v.slope, &v.energy);
        return v;
    }
    return piece == 0 && c->terms > 0 ? on_terms(c, x) : on_cubic(&c->cubic[piece], x);
}

double crm_curve_force_on(const crm_curve *c, size_t piece, double x)
{
    return on_piece(c, piece, x).force;
}

double crm_curve_slope_on(const crm_curve *c, size_t piece, double x)
{
    return on_piece(c, piece, x).slope;
}

double crm_curve_force(const crm_curve *c, double x)
{
    return on_piece(c, crm_curve_piece(c, x), x).force;
}

double crm_curve_energy(const crm_curve *c, double x)
{
    return on_piece(c, crm_curve_piece(c, x), x).energy;
}

/* ---- Inverses -------------------------------------------------------------------------------- */

typedef enum wanted { OF_FORCE, OF_ENERGY } wanted;

static double value_of(const crm_curve *c, wanted what, double x, double *rate)
{
    values v = on_piece(c, crm_curve_piece(c, x), x);
    *rate = what == OF_FORCE ? v.slope : v.force;
    return what == OF_FORCE ? v.force : v.energy;
}

/* An x above which the value is reached: that of the single term which reaches it first. */
static double first_guess(const crm_curve *c, wanted what, double value)
{
    double least = c->terms > 0 ? INFINITY : 1;
    for (size_t k = 0; k < c->terms; k++) {
        double eta = c->eta[k];
        double x = what == OF_FORCE ? crm_pow(value / c->stiffness[k], 1 / eta)
                                    : crm_pow((1 + eta) * value / c->stiffness[k], 1 / (1 + eta));
        least = x < least ? x : least;
    }
    return least;
}

/* Newton's method on the logarithms, in which powers are straight lines, between bounds. */
static double invert(const crm_curve *c, wanted what, double value)
{
    double rate, low = first_guess(c, what, value), high = low;
    if (!(value > 0)) {
        return 0;
    }
    for (int k = 0; k < MOST_DOUBLINGS && value_of(c, what, low, &rate) > value; k++) {
        high = low;
        low *= 0.5;
    }
    for (int k = 0; k < MOST_DOUBLINGS && value_of(c, what, high, &rate) < value; k++) {
        low = high;
        high *= 2;
    }
    double x = low == high ? low : sqrt(low) * sqrt(high);
    for (int k = 0; k < MOST_NEWTON; k++) {
        double v = value_of(c, what, x, &rate);
        if (v == value || !isfinite(v)) {
            return isfinite(v) ? x : NAN;
        }
        *(v > value ? &high : &low) = x;
        double next = x * crm_exp(v / (x * rate) * crm_log(value / v));
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - x) <= 1e-16 * x || next == x) {
            return next;
        }
        x = next;
    }
    return x;
}

double crm_curve_at_energy(const crm_curve *c, double energy)
{
    return invert(c, OF_ENERGY, energy);
}

double crm_curve_at_force(const crm_curve *c, double force)
{
    return invert(c, OF_FORCE, force);
}

/* ---- The way back ---------------------------------------------------------------------------- */

/* The integral of F on a piece, by Gauss's formula of five nodes: right to rounding over a small
 * part of x.
 */
static double short_integral(const crm_curve *c, size_t piece, double from, double to)
{
    static const double node[] = {0.53846931010568309104, 0.90617984593866399280};
    static const double weight[] = {0.47862867049936646804, 0.23692688505618908751};
    double half = 0.5 * (to - from), middle = from + half;
    double sum = 0.56888888888888888889 * crm_curve_force_on(c, piece, middle);
    for (int k = 0; k < 2; k++) {
        sum += weight[k] * (crm_curve_force_on(c, piece, middle - half * node[k]) +
                            crm_curve_force_on(c, piece, middle + half * node[k]));
    }
    return half * sum;
}

/* E(x) - E(x - way), which for a short way cancel. */
static double given_back(const crm_curve *c, double x, double way)
{
    if (way > 0.05 * x) {
        return crm_curve_energy(c, x) - crm_curve_energy(c, x - way);
    }
    double sum = 0, end = x - way, to = x;
    for (size_t piece = crm_curve_piece(c, x); to > end; piece--) {
        double start = crm_curve_start(c, piece), from = start > end ? start : end;
        bool all = from == end && to == x; /* whose length is known better than its ends */
        sum += from < to ? short_integral(c, piece, from, to) * (all ? way / (to - from) : 1) : 0;
        to = from;
    }
    return sum;
}

double crm_curve_way_back(const crm_curve *c, double x, double energy)
{
    double low = 0, high = x, way = energy / crm_curve_force(c, x);
    if (!(energy > 0)) {
        return 0;
    }
    if (!(energy < crm_curve_energy(c, x))) {
        return x;
    }
    for (int k = 0; k < MOST_NEWTON; k++) {
        way = way > low && way < high ? way : 0.5 * (low + high);
        double back = given_back(c, x, way);
        *(back > energy ? &high : &low) = way;
        double next = way - (back - energy) / crm_curve_force(c, x - way);
        if (fabs(next - way) <= 1e-16 * way) {
            return next < x ? next : x;
        }
        way = next;
    }
    return way;
}
