/* Memory runs out at every allocation of every call in turn (tests/support/torture.h).
 *
 *     test_torture              some of them, for every day
 *     test_torture all [NAME]   all, of deeds whose names contain NAME; minutes
 *     test_torture trace NAME   says where each allocation was asked for
 */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torture.h"

/* Strides that no loop of allocations has for its period. */
enum { SOME = 7, FEW = 41 };

static torture_plan plan_of(int argc, char **argv)
{
    torture_plan plan = {.stride = getenv("CAROM_TEST_QUICK") != NULL ? FEW : SOME};
    if (argc > 1) {
        plan.stride = 1;
        plan.tells = true;
        plan.traces = strcmp(argv[1], "trace") == 0;
        plan.only = argc > 2 ? argv[2] : NULL;
    }
    return plan;
}

int main(int argc, char **argv)
{
    torture_plan plan = plan_of(argc, argv);
    torture_tally calls = {0};
    openblas_set_num_threads(1);
    torture_calls(&plan, &calls);
    torture_print("calls of the library", &calls);
    return torture_faults(&calls) > 0;
}
