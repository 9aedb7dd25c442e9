/* The energy account of a step.
 *
 * By the law itself, kinetic energy plus stored energy (of which expansion gives back only the part
 * e^2) does not change in a step. The sums go by lane, so that vectors of any width give the same
 * bits.
 */
#include "law/lzb/extrapolation/step.h"
#include "law/lzb/extrapolation/window/block.h"

/* The largest relative correction for the sake of energy, in units of a step's tolerance. */
static const double MOST_CORRECTION = 100;

static double sum_of_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

#define LOOPS "law/lzb/extrapolation/energy_loops.h"
#include "base/loops.h"
LOOP(add_residual);
LOOP(find_direction);
LOOP(go_along);

typedef struct energy_account {
    lzb_window *w;
    double per_speed;
    double share; /* how far to go in that direction */
} energy_account;

/* What was gained, and what a unit of the direction gains. */
typedef struct energy_tally {
    double residual, norm;
} energy_tally;

INLINE void account_for_part(void *context, lzb_part part, void *found)
{
    const energy_account *e = context;
    const lzb_window *w = e->w;
    size_t first = part.first / LZB_BLOCK, end = first + part.blocks;
    double residual[LZB_BLOCK] = {0}, gained[LZB_BLOCK] = {0};
    add_residual[w->width](w, first, end, residual);
    find_direction[w->width](w, first, end, e->per_speed, w->tableau.force, w->trial.correction,
                             gained);
    *(energy_tally *)found = (energy_tally){sum_of_lanes(residual), sum_of_lanes(gained)};
}

static void join_tally(void *total, const void *found)
{
    energy_tally *all = total;
    const energy_tally *more = found;
    all->residual += more->residual;
    all->norm += more->norm;
}

/* Go `share` of the direction. */
INLINE void correct_part(void *context, lzb_part part, void *found)
{
    const energy_account *e = context;
    lzb_window *w = e->w;
    (void)found;
    go_along[w->width](part.blocks, e->share, w->trial.correction + part.first,
                       w->trial.x + part.first);
    lzb_dynamics_part_impulse(w, part, e->share, w->tableau.force, w->trial.p);
    lzb_dynamics_part_kick(w, part, e->share, w->tableau.force, w->trial.c);
}

static crm_status correct(const lzb_state *state, energy_account *e, crm_error *error)
{
    lzb_window *w = e->w;
    if (w->coupling.product == LZB_OPERATOR) {
        go_along[w->width](w->blocks, e->share, w->trial.correction, w->trial.x);
        return lzb_dynamics_kick(state, w, e->share, w->tableau.force, w->trial.c, w->trial.p,
                                 error);
    }
    lzb_partition_do(w, correct_part, NULL, e, NULL);
    return CRM_OK;
}

/* Project the step onto the energy it must have, moving speeds (through impulses of the contacts
 * that pressed) and indentations as little as possible, each on its own scale, and by no more than
 * a small part of themselves (so that a weak contact never pays for a strong one's error); the rest
 * is made up for in later steps. So the account closes to rounding, and a single contact gives back
 * exactly e.
 */
crm_status lzb_energy_conserve(lzb_stepper *s, crm_error *error)
{
    lzb_window *w = s->window;
    energy_account e = {.w = w, .per_speed = 1.0 / s->state->speed};
    energy_tally found = {0};
    lzb_partition_do(w, account_for_part, join_tally, &e, &found);
    s->energy_debt += found.residual + s->energy_apart;
    s->energy_apart = 0;
    double most = MOST_CORRECTION * s->tolerance + s->bonds_share,
           share = found.norm > 0 ? s->energy_debt / found.norm : 0;
    share = share < -most ? -most : share > most ? most : share;
    s->energy_debt -= share * found.norm;
    e.share = share;
    return correct(s->state, &e, error);
}
