/* How good LZB is for contacts of any rising curve, with e by the impact and with unloading curves:
 * random systems of such contacts, judged by an independent integrator
 * (tests/support/judge/curve_judge.h).
 *
 *     campaign_curves [SYSTEMS] [SEED] [TOLERANCE] [FIRST]      (default 2000 1 1e-8 0)
 *
 * Every second system is of mono-stiffness. Prints the systems that were not solved, whose error is
 * above the tolerance or ten estimates, or whose account does not close; and those, as sensitive,
 * where the judge's own answer moves by more than 1e-7 with velocities changed by 1e-11.
 */
#include <stdio.h>
#include <stdlib.h>

#include "curve_judge.h"

int main(int argc, char **argv)
{
    size_t systems = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    double tolerance = argc > 3 ? strtod(argv[3], NULL) : 1e-8;
    size_t first = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    curve_tally t = curve_judge_campaign(seed, first, systems, tolerance);
    printf("%zu systems at %g: %zu not solved, %zu the judge left, %zu sensitive, %zu above the "
           "tolerance, %zu above ten estimates, %zu accounts open; worst %.2g, %.2g of the "
           "estimate\n",
           t.systems, tolerance, t.unsolved, t.unjudged, t.sensitive, t.above_tolerance,
           t.above_estimate, t.wrong_account, t.worst, t.worst_of_estimate);
    return t.unsolved + t.above_estimate + t.wrong_account > 0;
}
