/* Monotone cubic interpolation. */
#include <math.h>

#include "model/compliance/compliance.h"

static double secant(const double *x, const double *y, size_t k)
{
    return (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
}

/* Slopes are the means of the secants on both sides, 0 where these have not the same sign. A cubic
 * with the slopes a d and b d at its ends, d its secant, is monotone if a^2 + b^2 <= 9; else both
 * are shortened to the circle.
 */
void crm_monotone_slopes(size_t count, const double *x, const double *y, double *slope)
{
    slope[0] = secant(x, y, 0);
    slope[count - 1] = secant(x, y, count - 2);
    for (size_t k = 1; k + 1 < count; k++) {
        double before = secant(x, y, k - 1), after = secant(x, y, k);
        slope[k] = before * after > 0 ? 0.5 * (before + after) : 0;
    }
    for (size_t k = 0; k + 1 < count; k++) {
        double d = secant(x, y, k), a = slope[k] / d, b = slope[k + 1] / d;
        double square = d != 0 ? a * a + b * b : 0;
        if (d == 0) {
            slope[k] = slope[k + 1] = 0;
        } else if (square > 9) {
            slope[k] = 3 * a / sqrt(square) * d;
            slope[k + 1] = 3 * b / sqrt(square) * d;
        }
    }
}
