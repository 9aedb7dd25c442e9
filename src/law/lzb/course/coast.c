#include "law/lzb/course/coast.h"

#include <string.h>

#include "base/elementary.h"
#include "law/lzb/state/course.h"
#include "law/lzb/state/tail.h"
#include "model/impulse.h"

/* By how much speeds fall from LZB_CROWD_AMPLITUDE until it is tried again. */
static const double FALL = 5;
/* The first substeps, in radians of the quickest compression that the contacts could make: with bi-
 * and mono-stiffness, at this tolerance, and as a power of it between the least and the most. So
 * velocities at the end are known to some 1e-6, and in proportion to the root of the tolerance; who
 * leaves by less than that may be missed (docs/decisions/lossy-chains.md). With shorter ones than
 * the least single precision does no better.
 */
typedef struct strides {
    double bi, mono, power, least, most;
} strides;

static const double STRIDE_TOLERANCE = 1e-6;
/* Of substeps of kernel/kinks.h, and of kernel/glide.h. */
static const strides SECOND_ORDER = {0.0125, 0.0075, 1.0 / 4, 0.004, 0.04},
                     THIRD_ORDER = {0.075, 0.04, 1.0 / 8, 0.015, 0.2};

static double stride_of(const strides *of, const lzb_state *state, double tolerance)
{
    double stride = (state->stiffness == LZB_MONO ? of->mono : of->bi) *
                    crm_pow(tolerance / STRIDE_TOLERANCE, of->power);
    return fmin(fmax(stride, of->least), of->most);
}

void lzb_coast_begin(lzb_coast *coast, const lzb_state *state, bool stiff, double tolerance)
{
    *coast = (lzb_coast){.next = !stiff && lzb_crowd_possible(state) ? LZB_CROWD_AMPLITUDE : 0,
                         .stride = stride_of(&SECOND_ORDER, state, tolerance),
                         .long_stride = stride_of(&THIRD_ORDER, state, tolerance)};
}

bool lzb_coast_is_due(const lzb_coast *coast, const lzb_stepper *s)
{
    return coast->next > 0 && lzb_sweep_suits(s, lzb_crowd_fewest(s->steps)) &&
           lzb_sweep_amplitude(s) < coast->next;
}

static crm_status make_room(lzb_coast *coast, const lzb_state *state, crm_error *error)
{
    coast->still = CRM_TAKE(state->pool, double, state->contacts);
    coast->last = CRM_TAKE(state->pool, double, state->contacts);
    coast->change = CRM_TAKE(state->pool, double, state->contacts);
    coast->work = CRM_TAKE(state->pool, double, 3 * state->model->coordinates);
    bool there =
        coast->still != NULL && coast->last != NULL && coast->change != NULL && coast->work != NULL;
    return there ? CRM_OK : crm_fail_memory(error);
}

crm_status lzb_coast_leave(lzb_coast *coast, lzb_stepper *s, lzb_tactics *tactics, crm_error *error)
{
    crm_status status = coast->work != NULL ? CRM_OK : make_room(coast, s->state, error);
    if (status == CRM_OK) {
        status = lzb_snapshot_take(&coast->start, s->state, error);
    }
    if (status == CRM_OK) {
        status = lzb_tail_foresee(s->state, s->state->model, coast->still, &coast->foreseen, error);
    }
    coast->stepper = *s;
    coast->tactics = *tactics;
    coast->quiet = s->window->search.quiet;
    coast->halo = s->window->search.halo;
    coast->proved = coast->margin;
    coast->margin = lzb_state_margin(s->state);
    tactics->sweep.stride = coast->stride;
    tactics->sweep.long_stride = coast->long_stride;
    tactics->sweep.from = lzb_sweep_amplitude(s);
    return status;
}

/* In gap velocities, relative. */
static crm_status difference_from(lzb_coast *coast, const lzb_state *state, const double *impulse,
                                  double *difference, crm_error *error)
{
    for (size_t j = 0; j < state->contacts; j++) {
        coast->change[j] = state->p[j] - impulse[j];
    }
    crm_status status = crm_model_change_as_gap_speed(state->model, state->p, coast->change,
                                                      coast->work, difference, error);
    *difference /= state->speed;
    return status;
}

crm_status lzb_coast_compare(lzb_coast *coast, const lzb_state *state, double *difference,
                             crm_error *error)
{
    crm_status status = CRM_OK;
    double from_still = INFINITY, from_last = INFINITY;
    if (coast->foreseen) {
        status = difference_from(coast, state, coast->still, &from_still, error);
    }
    if (status == CRM_OK && coast->tried && state->stiffness == LZB_BI) {
        status = difference_from(coast, state, coast->last, &from_last, error);
    }
    if (from_still <= from_last) {
        coast->proved = coast->margin;
    }
    *difference = fmin(from_still, from_last);
    memcpy(coast->last, state->p, state->contacts * sizeof *coast->last);
    coast->tried = true;
    return status;
}

/* Steps count, whatever became of them. */
void lzb_coast_return(lzb_coast *coast, lzb_stepper *s, lzb_tactics *tactics)
{
    uint64_t steps = s->steps, evaluations = s->evaluations;
    lzb_snapshot_restore(&coast->start, s->state);
    *s = coast->stepper;
    s->steps = steps;
    s->evaluations = evaluations;
    *tactics = coast->tactics;
    lzb_window_look_closer(s->window, coast->quiet);
    lzb_window_widen(s->window, coast->halo);
    coast->next /= FALL;
}
