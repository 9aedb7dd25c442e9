/* Memory runs out at every allocation of every call and command in turn (tests/torture/torture.h).
 *
 *     test_torture              some allocations of the calls and of a few commands, for every day
 *     test_torture all [NAME [STRIDE]]
 *                               all, of calls and commands whose names contain NAME; many minutes;
 *                               every STRIDE-th allocation
 *     test_torture trace NAME   says where each allocation was asked for
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "torture.h"

/* Strides that no loop of allocations has for its period. */
enum { SOME = 7, FEW = 41 };

static torture_plan plan_of(int argc, char **argv)
{
    bool quick = getenv("CAROM_TEST_QUICK") != NULL;
    torture_plan plan = {.stride = quick ? FEW : SOME, .daily = quick ? SOME : 1};
    if (argc > 1) {
        plan.daily = 0;
        plan.tells = true;
        plan.traces = strcmp(argv[1], "trace") == 0;
        plan.only = argc > 2 ? argv[2] : NULL;
        plan.stride = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
        plan.stride = plan.stride > 0 ? plan.stride : 1;
    }
    return plan;
}

/* Files of a run are synchronized with the disk; a folder in memory, where there is one, need not
 * wait for it.
 */
static void move_to_memory(fixture *f)
{
    char folder[] = "/dev/shm/carom-test-XXXXXX";
    if (mkdtemp(folder) != NULL) {
        rmdir(f->folder);
        strcpy(f->folder, folder);
    }
}

int main(int argc, char **argv)
{
    torture_plan plan = plan_of(argc, argv);
    torture_tally calls = {0}, commands = {0};
    void *state = NULL;
    torture_calls(&plan, &calls);
    torture_print("calls of the library", &calls);
    set_up(&state);
    move_to_memory(state);
    torture_commands(&plan, ((fixture *)state)->folder, &commands);
    tear_down(&state);
    torture_print("commands of the program", &commands);
    return torture_faults(&calls) + torture_faults(&commands) > 0;
}
