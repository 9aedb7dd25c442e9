#include "law/lzb/state/run.h"

#include "base/locale.h"

/* Settling needs FEWEST contacts at work; with less than MANY it waits for FEWEST_STEPS steps. To
 * look for an end in vain takes as long as these do, and in small groups that fall apart the end is
 * often nearer.
 */
enum { FEWEST = 12, MANY = 40, FEWEST_STEPS = 250 };
/* Exponents below 1 make contacts stiffer without bound as they open: no number of substeps is
 * enough for a swing. Those far above 1.5 hardly press any more when they are still indented, and
 * may let go long after all others are still: a ball at 1e-7 was missed by both ends of a chain of
 * 9 with exponent 3, and none in those tried with exponents up to 2.5.
 */
static const double LEAST_EXPONENT = 1, MOST_EXPONENT = 2.5;
/* Least e of bi-stiffness that is settled. An expansion is 1/e times as fast as the compression,
 * and substeps are shorter by e / 0.3 for it (part_of_expansions in capturing/settle.c): thirty
 * times as many with this e, which is what settling gains over error control where it gains least
 * (docs/decisions/lossy-chains.md). With e = 0 there is no expansion. The bounds of
 * capturing/step.c and batch/batch.c have other reasons.
 */
static const double LEAST_SETTLED_RESTITUTION = 0.01;

static bool may_be_settled(const lzb_state *state, size_t j)
{
    double exponent = state->model->exponent[j], e = state->model->restitution[j];
    bool too_quick = state->stiffness_model == LZB_BI && e > 0 && e < LEAST_SETTLED_RESTITUTION;
    return exponent >= LEAST_EXPONENT && exponent <= MOST_EXPONENT && !too_quick;
}

bool lzb_settling_possible(const lzb_state *state)
{
    size_t j = 0;
    while (j < state->contacts && may_be_settled(state, j)) {
        j++;
    }
    return j == state->contacts;
}

size_t lzb_capturing_fewest(uint64_t steps)
{
    return steps < FEWEST_STEPS ? MANY : FEWEST;
}

bool lzb_capturing_is_due(const lzb_activity *activity, const lzb_state *state)
{
    return activity->working >= lzb_capturing_fewest(activity->steps) &&
           activity->amplitude < LZB_CAPTURING_AMPLITUDE && lzb_settling_possible(state);
}

void lzb_run_report_unfinished(size_t pressing, crm_outcome *outcome)
{
    outcome->result = CRM_NOT_TERMINATED;
    crm_snprintf(outcome->reason, sizeof outcome->reason,
                 "%zu contact%s still at work after %llu steps; the state reached is given",
                 pressing, pressing == 1 ? "" : "s", (unsigned long long)outcome->steps);
}
