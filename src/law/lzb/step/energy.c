/* The energy account of a step.
 *
 * By the law itself, kinetic energy plus stored energy (of which expansion gives back only the part
 * e^2) does not change in a step. The sums go by lane, so that vectors of any width give the same
 * bits.
 */
#include "law/lzb/step/step.h"
#include "law/lzb/window/block.h"

/* The largest relative correction for the sake of energy, in units of a step's tolerance. */
static const double MOST_CORRECTION = 100;

static double sum_of_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* What the step just made gained: T1 - T0 = -sum p (c0 + c1)/2 exactly, as c1 = c0 - D p. */
static WIDE void add_residual(const lzb_window *w, size_t first, size_t end, double *restrict sum)
{
    for (size_t block = first; block < end; block++) {
        for (EACH(k)) {
            double taken = w->members.settled[k] ? 0 : lzb_window_energy_taken(w, k);
            sum[k % LZB_BLOCK] += taken - 0.5 * w->trial.p[k] * (w->trial.c0[k] + w->trial.c[k]);
        }
    }
}

/* The direction in which speeds (through impulses p) and indentations move, each on its own scale,
 * and the energy gained by going along it.
 */
static WIDE void find_direction(const lzb_window *w, size_t first, size_t end, double per_speed,
                                double *restrict p, double *restrict x, double *restrict sum)
{
    for (size_t block = first; block < end; block++) {
        for (EACH(k)) {
            /* contacts whose errors weigh more (lzb_bonds_weigh) move less */
            double weighed = (1 + 1e-9) / w->fixed.per_scale[k], now = w->trial.x[k];
            double whole = weighed < w->fixed.scale[k] ? weighed : w->fixed.scale[k];
            double reach = w->fixed.offset[k] > 0 && now < whole ? now : whole;
            double scale = reach * per_speed, pressing = w->trial.f[k] * w->fixed.back[k];
            bool pressed =
                w->fixed.rate[k] > 0 && !w->members.settled[k] && (w->trial.x0[k] > 0 || now > 0);
            p[k] = pressed ? w->trial.c[k] / w->fixed.own[k] : 0;
            x[k] = pressed ? -pressing * w->fixed.own[k] * scale * scale : 0;
            sum[k % LZB_BLOCK] += p[k] * w->trial.c[k] - x[k] * pressing;
        }
    }
}

static WIDE void go_along(size_t blocks, double share, const double *restrict direction,
                          double *restrict x)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            x[k] += share * direction[k];
        }
    }
}

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
    add_residual(w, first, end, residual);
    find_direction(w, first, end, e->per_speed, w->tableau.force, w->trial.correction, gained);
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
    go_along(part.blocks, e->share, w->trial.correction + part.first, w->trial.x + part.first);
    lzb_dynamics_part_impulse(part, e->share, w->tableau.force, w->trial.p);
    lzb_dynamics_part_kick(w, part, e->share, w->tableau.force, w->trial.c);
}

static crm_status correct(const lzb_state *state, energy_account *e, crm_error *error)
{
    lzb_window *w = e->w;
    if (w->coupling.product == LZB_OPERATOR) {
        go_along(w->blocks, e->share, w->trial.correction, w->trial.x);
        return lzb_dynamics_kick(state, w, e->share, w->tableau.force, w->trial.c, w->trial.p,
                                 error);
    }
    lzb_partition_do(w, correct_part, NULL, e, NULL);
    return CRM_OK;
}

/* Project the step onto the energy it must have, moving speeds (through impulses of the contacts
 * that pressed) and indentations as little as possible, each on its own scale, and by no more than
 * a small part of themselves (so that a weak contact never pays for a strong one's error); what
 * is left over is made up for in later steps. What is gained is
 * that the account closes to rounding, and that a single contact gives back exactly e.
 */
crm_status lzb_energy_conserve(lzb_stepper *s, crm_error *error)
{
    lzb_window *w = s->window;
    energy_account e = {.w = w, .per_speed = 1.0 / s->state->speed};
    energy_tally found = {0};
    lzb_partition_do(w, account_for_part, join_tally, &e, &found);
    s->energy_debt += found.residual + s->energy_local;
    s->energy_local = 0;
    double most = MOST_CORRECTION * s->tolerance + s->bonds_share,
           share = found.norm > 0 ? s->energy_debt / found.norm : 0;
    share = share < -most ? -most : share > most ? most : share;
    s->energy_debt -= share * found.norm;
    e.share = share;
    return correct(s->state, &e, error);
}
