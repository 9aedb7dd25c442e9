#include "law/lzb/course/coast.h"

#include <string.h>

#include "model/impulse.h"

/* The speeds at which it is tried for the first time, relative, and by how much they fall until it
 * is tried again.
 */
static const double FIRST_AMPLITUDE = 0.1, FALL = 5;
/* The substeps, in radians of the quickest swing that the contacts could make: of the first time,
 * and of the next; by turns, so that no two in succession find the swings in the same places.
 */
static const double STRIDES[] = {1.1, 0.88};

/* Exponents below 1 make contacts stiffer without bound as they open: no number of substeps is
 * enough for a swing. Those far above 1.5 hardly press any more when they are still indented, and
 * may let go long after all others are still: a ball at 1e-7 was missed by both ends of a chain of
 * 9 with exponent 3, and none in those tried with exponents up to 2.5 (docs/accuracy.md).
 */
static const double LEAST_EXPONENT = 1, MOST_EXPONENT = 2.5;

static bool is_coasted(const lzb_state *state)
{
    const double *exponent = state->model->exponent;
    size_t j = 0;
    while (j < state->contacts && exponent[j] >= LEAST_EXPONENT && exponent[j] <= MOST_EXPONENT) {
        j++;
    }
    return j == state->contacts;
}

void lzb_coast_begin(lzb_coast *coast, const lzb_state *state, bool stiff)
{
    *coast = (lzb_coast){.next = !stiff && is_coasted(state) ? FIRST_AMPLITUDE : 0,
                         .stride = STRIDES[0]};
}

bool lzb_coast_is_due(const lzb_coast *coast, const lzb_stepper *s)
{
    return coast->next > 0 && lzb_sweep_suits(s) && lzb_sweep_amplitude(s) < coast->next;
}

crm_status lzb_coast_leave(lzb_coast *coast, lzb_stepper *s, lzb_tactics *tactics, crm_error *error)
{
    crm_status status = lzb_snapshot_take(&coast->start, s->state, error);
    coast->stepper = *s;
    coast->tactics = *tactics;
    coast->quiet = s->window->search.quiet;
    coast->halo = s->window->search.halo;
    coast->proved = coast->margin;
    coast->margin = lzb_state_margin(s->state);
    tactics->sweep.stride = coast->stride;
    tactics->sweep.blindly = coast->tried == 0;
    return status;
}

static crm_status make_room(lzb_coast *coast, const lzb_state *state, crm_error *error)
{
    coast->last = CRM_TAKE(state->room, double, state->contacts);
    coast->change = CRM_TAKE(state->room, double, state->contacts);
    coast->work = CRM_TAKE(state->room, double, 3 * state->model->coordinates);
    bool there = coast->last != NULL && coast->change != NULL && coast->work != NULL;
    return there ? CRM_OK : crm_fail_memory(error);
}

crm_status lzb_coast_compare(lzb_coast *coast, const lzb_state *state, double *difference,
                             crm_error *error)
{
    crm_status status = coast->work != NULL ? CRM_OK : make_room(coast, state, error);
    *difference = INFINITY;
    if (status == CRM_OK && coast->tried > 0) {
        for (size_t j = 0; j < state->contacts; j++) {
            coast->change[j] = state->p[j] - coast->last[j];
        }
        status = crm_model_change_as_gap_speed(state->model, state->p, coast->change, coast->work,
                                               difference, error);
        *difference /= state->speed;
    }
    if (status == CRM_OK) {
        memcpy(coast->last, state->p, state->contacts * sizeof *coast->last);
        coast->tried++;
    }
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
    coast->stride = STRIDES[coast->tried % 2];
}
