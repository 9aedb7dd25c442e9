/* Two motions of one scene, impact by impact. */
#include "motion_beside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support.h"

/* The next impact, if one was seen. */
typedef struct next {
    bool seen, failed;
    double time;
    size_t contacts, party[2];
    double closing;
} next;

static crm_status see(void *context, const crm_impact_report *impact)
{
    next *seen = context;
    *seen = (next){true,
                   false,
                   impact->time,
                   impact->contacts,
                   {impact->party[0][0], impact->party[0][1]},
                   impact->closing_speed[0]};
    return CRM_ERROR_STOPPED;
}

static next next_impact(crm_motion *motion, double end)
{
    next seen = {0};
    const crm_observer observer = {.context = &seen, .impact = see};
    crm_error error = {0};
    crm_motion_stop stopped;
    assert_ok(crm_motion_run(motion, end, &observer, &stopped, &error), &error);
    seen.failed = stopped == CRM_STOP_FAILED;
    return seen;
}

static bool same_parties(next a, next b)
{
    size_t low[2] = {a.party[0] < a.party[1] ? a.party[0] : a.party[1],
                     b.party[0] < b.party[1] ? b.party[0] : b.party[1]};
    return low[0] == low[1] && a.party[0] + a.party[1] == b.party[0] + b.party[1];
}

/* Impacts that follow each other at once, or graze, may or may not be separate. */
static bool ambiguous(next seen, double before)
{
    return !seen.seen || seen.contacts != 1 || seen.closing < 1e-2 || seen.time - before < 1e-4;
}

double motions_apart(const crm_motion *a, const crm_motion *b)
{
    size_t n = crm_motion_positions(a), m = crm_motion_velocities(a);
    double *state = calloc(2 * (n + m), sizeof *state);
    assert_non_null(state);
    double *x[2] = {state, state + n}, *v[2] = {state + 2 * n, state + 2 * n + m};
    crm_motion_read(a, x[0], v[0]);
    crm_motion_read(b, x[1], v[1]);
    double apart = fmax(largest_difference(x[0], x[1], n), largest_difference(v[0], v[1], m));
    free(state);
    return apart;
}

/* Both came to the end without one more; unless the other's impact is that of the end itself. */
static void compare_ends(crm_motion *motion[3], const next seen[3], double end, comparison *all)
{
    assert_true(!seen[1].seen || seen[1].time > end - 1e-6);
    if (!seen[1].seen && !seen[1].failed && !seen[2].seen && !seen[2].failed) {
        double grown = fmax(1, motions_apart(motion[0], motion[2]) / BESIDE_OFF);
        all->worst = fmax(all->worst, motions_apart(motion[0], motion[1]) / grown);
        all->ends++;
    }
}

static void compare_impacts(crm_motion *motion[3], const next seen[3], double grown,
                            comparison *all)
{
    if (!seen[1].seen || !same_parties(seen[0], seen[1])) {
        print_message("impact at %.15g: %zu %zu, and at %.15g: %zu %zu %s\n", seen[0].time,
                      seen[0].party[0], seen[0].party[1], seen[1].time, seen[1].party[0],
                      seen[1].party[1], crm_motion_reason(motion[1]));
        fail();
    }
    all->worst = fmax(all->worst, fabs(seen[0].time - seen[1].time) / grown);
    all->worst = fmax(all->worst, motions_apart(motion[0], motion[1]) / grown);
    all->impacts++;
}

void follow_beside(crm_motion *motion[3], double end, comparison *all)
{
    static const double MOST_GROWN = 1e4;
    double before = 0;
    for (;;) {
        next seen[3];
        for (int m = 0; m < 3; m++) {
            seen[m] = next_impact(motion[m], end);
        }
        if (!seen[0].seen && !seen[0].failed) {
            compare_ends(motion, seen, end, all);
            return;
        }
        double apart = fmax(motions_apart(motion[0], motion[2]), fabs(seen[2].time - seen[0].time));
        double grown = fmax(1, apart / BESIDE_OFF);
        if (ambiguous(seen[0], before) || ambiguous(seen[2], before) ||
            !same_parties(seen[0], seen[2]) || grown > MOST_GROWN) {
            return;
        }
        compare_impacts(motion, seen, grown, all);
        before = seen[0].time;
    }
}
