#include "law/lzb/contact/fall.h"

#include "base/elementary.h"

/* Newton's method for the least root of (1 - r^n)/n - held (1 - r), n = 1 + exponent. It is
 * concave, so that no step goes too far. The other root is 1.
 */
enum { MOST_STEPS = 100 };

double lzb_fall(double exponent, double held)
{
    double n = 1 + exponent, r = 0;
    if (!(held * n > 1)) {
        return 0;
    }
    for (int k = 0; k < MOST_STEPS; k++) {
        double power = r > 0 ? crm_pow(r, exponent) : 0;
        double next = r - ((1 - r * power) / n - held * (1 - r)) / (held - power);
        if (!(next > r && next < 1)) {
            return r;
        }
        r = next;
    }
    return r;
}
