/* Newton's family of laws: one complementarity problem. */
#include "law/complementarity/complementarity.h"

#include <math.h>

typedef struct newton_work {
    crm_twofold *rebound, *q, *p, *after;
    double *noise;
} newton_work;

static bool take_work(const crm_outcome *outcome, crm_pool *pool, newton_work *work)
{
    size_t s = outcome->contacts * (1 + outcome->tangents);
    crm_twofold *all = CRM_TAKE(pool, crm_twofold, 4 * s);
    *work = (newton_work){all, all + s, all + 2 * s, all + 3 * s, CRM_TAKE(pool, double, s)};
    return all != NULL && work->noise != NULL;
}

/* q = u- - rebound; its noise is that of both, the rebound's by the same rule. Tangents have no
 * rebound.
 */
static void fill_newton(const crm_stages *stages, crm_rebound_function *find, const void *data,
                        newton_work *work)
{
    size_t s = stages->outcome->contacts;
    for (size_t j = 0; j < s; j++) {
        work->q[j] = crm_twofold_of(stages->noise[j]);
    }
    find(stages->problem, data, work->q, work->rebound);
    for (size_t j = 0; j < s; j++) {
        work->noise[j] = stages->noise[j] + fabs(work->rebound[j].high);
    }
    find(stages->problem, data, stages->gap_velocity, work->rebound);
    for (size_t j = 0; j < s; j++) {
        work->q[j] = crm_twofold_difference(stages->gap_velocity[j], work->rebound[j]);
    }
    for (size_t k = s; k < stages->entries; k++) {
        work->q[k] = stages->gap_velocity[k];
    }
}

static crm_status run_newton(crm_stages *stages, const crm_newton_law *law, newton_work *work,
                             crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    fill_newton(stages, law->find, law->data, work);
    crm_status status = crm_stages_solve(stages, work->q, work->noise, crm_twofold_of(1), work->p,
                                         work->after, error);
    for (size_t j = 0; j < outcome->contacts && status == CRM_OK; j++) {
        outcome->impulse[j] = work->p[j].high;
        work->after[j] = crm_twofold_sum(work->after[j], work->rebound[j]);
    }
    for (size_t k = outcome->contacts; k < stages->entries && status == CRM_OK; k++) {
        outcome->tangential_impulse[k - outcome->contacts] = work->p[k].high;
    }
    if (status == CRM_OK) {
        crm_stages_note(stages, work->after, law->causes);
        status = crm_stages_judge_answers(stages, work->q, NULL, error);
    }
    if (status == CRM_OK) {
        status = crm_stages_finish(stages, error);
    }
    return status;
}

crm_status crm_complementarity_solve_newton(const crm_problem *problem, const crm_newton_law *law,
                                            crm_outcome *outcome, crm_error *error)
{
    crm_stages stages = {.problem = problem, .outcome = outcome, .every_answer = law->every_answer};
    newton_work work;
    crm_status status = take_work(outcome, problem->pool, &work) ? crm_stages_begin(&stages, error)
                                                                 : crm_fail_memory(error);
    for (bool again = true; again && status == CRM_OK;) {
        status = run_newton(&stages, law, &work, error);
        again = false;
        if (status == CRM_OK) {
            status = crm_stages_need_repeat(&stages, &again, error);
        }
    }
    crm_stages_end(&stages);
    return status;
}
