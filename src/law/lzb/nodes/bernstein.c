/* See bernstein.h. */
#include "law/lzb/nodes/bernstein.h"

#include <math.h>
#include <string.h>

enum { LAST = LZB_NODES, MOST_NEWTON = 60 };

double lzb_bernstein_least(const double *b)
{
    double least = b[0];
    for (unsigned i = 1; i <= LAST; i++) {
        least = b[i] < least ? b[i] : least;
    }
    return least;
}

double lzb_bernstein_value(const double *b, double t, double *slope)
{
    double q[LZB_BERNSTEIN];
    memcpy(q, b, sizeof q);
    for (unsigned k = LAST; k > 1; k--) {
        for (unsigned i = 0; i < k; i++) {
            q[i] += t * (q[i + 1] - q[i]);
        }
    }
    *slope = LAST * (q[1] - q[0]);
    return q[0] + t * (q[1] - q[0]);
}

double lzb_bernstein_only_root(const double *b)
{
    double low = 0, high = 1, t = b[0] / (b[0] - b[LAST]), slope;
    for (int k = 0; k < MOST_NEWTON && high - low > 1e-14; k++) {
        double value = lzb_bernstein_value(b, t, &slope), next = t - value / slope;
        *(value > 0 ? &low : &high) = t;
        if (fabs(next - t) < 1e-13) {
            break;
        }
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
}

void lzb_bernstein_halve(const double *b, double *left, double *right)
{
    memcpy(left, b, LZB_BERNSTEIN * sizeof *b);
    for (unsigned j = 0; j <= LAST; j++) {
        right[LAST - j] = left[LAST];
        for (unsigned i = LAST; i > j; i--) {
            left[i] = 0.5 * (left[i] + left[i - 1]);
        }
    }
}

static double first_root_in(const double *b, unsigned halvings)
{
    unsigned changes = 0;
    for (unsigned i = 1; i <= LAST; i++) {
        changes += (b[i] < 0) != (b[i - 1] < 0);
    }
    if (b[0] < 0) {
        return 0;
    }
    if (changes == 0 || halvings == LZB_BERNSTEIN_HALVINGS) {
        return 2;
    }
    if (changes == 1) {
        return lzb_bernstein_only_root(b);
    }
    double left[LZB_BERNSTEIN], right[LZB_BERNSTEIN];
    lzb_bernstein_halve(b, left, right);
    double t = first_root_in(left, halvings + 1);
    if (t <= 1) {
        return 0.5 * t;
    }
    t = first_root_in(right, halvings + 1);
    return t <= 1 ? 0.5 + 0.5 * t : 2;
}

double lzb_bernstein_first_root(const double *b)
{
    return first_root_in(b, 0);
}
