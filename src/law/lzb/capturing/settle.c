#include "law/lzb/capturing/settle.h"

#include <string.h>

#include "base/elementary.h"
#include "law/lzb/capturing/phase_step.h"
#include "law/lzb/state/run.h"
#include "law/lzb/state/tail.h"
#include "model/impulse.h"

/* By how much speeds fall from LZB_CAPTURING_AMPLITUDE until it is tried again. */
static const double FALL = 5;
/* The first phase steps, in radians of the fastest compression: with bi- and mono-stiffness, at
 * this tolerance, and as a power of it between the least and the most. So velocities at the end are
 * known to some 1e-6, and in proportion to the root of the tolerance; bodies that separate at less
 * than that may be missed (docs/decisions/lossy-chains.md). With shorter ones than the least single
 * precision does no better.
 */
typedef struct phase_steps {
    double bi, mono, power, least, most;
} phase_steps;

static const double PHASE_STEP_TOLERANCE = 1e-6;
/* Phase steps for substeps in double precision (capturing/kernel/substep.h) and in single
 * (capturing/kernel/single.h).
 */
static const phase_steps SECOND_ORDER = {0.0125, 0.0075, 1.0 / 4, 0.004, 0.04},
                         THIRD_ORDER = {0.075, 0.04, 1.0 / 8, 0.015, 0.2};

/* With bi-stiffness an expansion is 1/e times as fast as the compression, and phase steps are to be
 * right for it, too, from this e on.
 */
static const double USUAL_RESTITUTION = 0.3;

static double part_of_expansions(const lzb_state *state)
{
    double least = USUAL_RESTITUTION;
    for (size_t j = 0; j < state->contacts && state->stiffness_model == LZB_BI; j++) {
        double e = state->model->restitution[j];
        least = e > 0 ? fmin(least, e) : least;
    }
    return least / USUAL_RESTITUTION;
}

static double phase_step_of(const phase_steps *of, const lzb_state *state, double tolerance)
{
    double phase_step = (state->stiffness_model == LZB_MONO ? of->mono : of->bi) *
                        crm_pow(tolerance / PHASE_STEP_TOLERANCE, of->power);
    return fmin(fmax(phase_step, of->least), of->most) * part_of_expansions(state);
}

void lzb_settle_begin(lzb_settling *settling, const lzb_state *state, bool stiff, double tolerance)
{
    *settling =
        (lzb_settling){.next = !stiff && lzb_settling_possible(state) ? LZB_CAPTURING_AMPLITUDE : 0,
                       .phase_step = phase_step_of(&SECOND_ORDER, state, tolerance),
                       .long_phase_step = phase_step_of(&THIRD_ORDER, state, tolerance)};
}

bool lzb_settle_is_due(const lzb_settling *settling, const lzb_stepper *s)
{
    return settling->next > 0 && lzb_capturing_suits(s, lzb_capturing_fewest(s->steps)) &&
           lzb_phase_step_amplitude(s) < settling->next;
}

static crm_status make_room(lzb_settling *settling, const lzb_state *state, crm_error *error)
{
    settling->still = CRM_TAKE(state->pool, double, state->contacts);
    settling->last = CRM_TAKE(state->pool, double, state->contacts);
    settling->change = CRM_TAKE(state->pool, double, state->contacts);
    settling->work = CRM_TAKE(state->pool, double, 3 * state->model->coordinates);
    bool there = settling->still != NULL && settling->last != NULL && settling->change != NULL &&
                 settling->work != NULL;
    return there ? CRM_OK : crm_fail_memory(error);
}

crm_status lzb_settle_start(lzb_settling *settling, lzb_stepper *s, lzb_capturing_steps *capturing,
                            crm_error *error)
{
    crm_status status = settling->work != NULL ? CRM_OK : make_room(settling, s->state, error);
    if (status == CRM_OK) {
        status = lzb_snapshot_take(&settling->start, s->state, error);
    }
    if (status == CRM_OK) {
        status = lzb_tail_foresee(s->state, s->state->model, settling->still, &settling->foreseen,
                                  error);
    }
    settling->stepper = *s;
    settling->ignored_speed = s->window->search.ignored_speed;
    settling->window_lookahead = s->window->search.lookahead;
    settling->proved = settling->margin;
    settling->margin = lzb_state_margin(s->state);
    capturing->phase_step = settling->phase_step;
    capturing->long_phase_step = settling->long_phase_step;
    capturing->from = lzb_phase_step_amplitude(s);
    return status;
}

/* In gap velocities, relative. */
static crm_status difference_from(lzb_settling *settling, const lzb_state *state,
                                  const double *impulse, double *difference, crm_error *error)
{
    for (size_t j = 0; j < state->contacts; j++) {
        settling->change[j] = state->p[j] - impulse[j];
    }
    crm_status status = crm_model_change_as_gap_speed(state->model, state->p, settling->change,
                                                      settling->work, difference, error);
    *difference /= state->speed;
    return status;
}

crm_status lzb_settle_compare(lzb_settling *settling, const lzb_state *state, double *difference,
                              crm_error *error)
{
    crm_status status = CRM_OK;
    double from_still = INFINITY, from_last = INFINITY;
    if (settling->foreseen) {
        status = difference_from(settling, state, settling->still, &from_still, error);
    }
    if (status == CRM_OK && settling->tried && state->stiffness_model == LZB_BI) {
        status = difference_from(settling, state, settling->last, &from_last, error);
    }
    if (from_still <= from_last) {
        settling->proved = settling->margin;
    }
    *difference = fmin(from_still, from_last);
    memcpy(settling->last, state->p, state->contacts * sizeof *settling->last);
    settling->tried = true;
    return status;
}

/* Steps count, whatever became of them. */
void lzb_settle_undo(lzb_settling *settling, lzb_stepper *s)
{
    uint64_t steps = s->steps, evaluations = s->evaluations;
    lzb_snapshot_restore(&settling->start, s->state);
    *s = settling->stepper;
    s->steps = steps;
    s->evaluations = evaluations;
    lzb_window_lower_ignored(s->window, settling->ignored_speed);
    lzb_window_widen(s->window, settling->window_lookahead);
    settling->next /= FALL;
}
