/* How many threads to use. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>

#include "base/team.h"
#include "cli/cli.h"

/* Those this process may run on: a batch system or mpirun may have given it only some. */
static unsigned cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    return (unsigned)crm_team_processors();
}

unsigned crm_limits_jobs(const crm_options *options)
{
    return options->jobs > 0 ? options->jobs : cores();
}
