/* The energy account of a step.
 *
 * By the law itself, kinetic energy plus stored energy (of which expansion gives back only the part
 * e^2) does not change in a step. The sums go by lane, so that vectors of any width give the same
 * bits.
 */
#include "law/lzb/kernel/parts.h"
#include "law/lzb/kernel/wide.h"
#include "law/lzb/step/step.h"

/* The largest relative correction for the sake of energy, in units of a step's tolerance. */
static const double CORRECTION = 100;

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
            double taken = w->settled[k] ? 0 : lzb_window_energy_taken(w, k);
            sum[k % LZB_BLOCK] += taken - 0.5 * w->p[k] * (w->c0[k] + w->c[k]);
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
            double weighed = (1 + 1e-9) / w->per_scale[k], now = w->x[k];
            double whole = weighed < w->scale[k] ? weighed : w->scale[k];
            double reach = w->offset[k] > 0 && now < whole ? now : whole;
            double scale = reach * per_speed, pressing = w->f[k] * w->back[k];
            bool pressed = w->rate[k] > 0 && !w->settled[k] && (w->x0[k] > 0 || now > 0);
            p[k] = pressed ? w->c[k] / w->own[k] : 0;
            x[k] = pressed ? -pressing * w->own[k] * scale * scale : 0;
            sum[k % LZB_BLOCK] += p[k] * w->c[k] - x[k] * pressing;
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
    double residual, norm; /* what was gained, and what a unit of the direction gains */
    double share;          /* how far to go in that direction */
} energy_account;

typedef struct energy_tally {
    double residual, norm;
} energy_tally;

static energy_tally account_for(const energy_account *e, size_t first, size_t end)
{
    double residual[LZB_BLOCK] = {0}, gained[LZB_BLOCK] = {0};
    add_residual(e->w, first, end, residual);
    find_direction(e->w, first, end, e->per_speed, e->w->force, e->w->correction, gained);
    return (energy_tally){sum_of_lanes(residual), sum_of_lanes(gained)};
}

static void account_for_part(void *context, size_t index)
{
    const energy_account *e = context;
    lzb_part part = lzb_part_at(e->w, index);
    size_t first = part.first / LZB_BLOCK;
    energy_tally *tally = lzb_part_tally(e->w, index);
    *tally = account_for(e, first, first + part.blocks);
}

static void account_for_all(energy_account *e)
{
    lzb_window *w = e->w;
    if (!w->large) {
        energy_tally tally = account_for(e, 0, w->blocks);
        e->residual = tally.residual;
        e->norm = tally.norm;
        return;
    }
    lzb_parts_run(w, account_for_part, e);
    for (size_t i = 0; i < w->parts; i++) {
        const energy_tally *tally = lzb_part_tally(w, i);
        e->residual += tally->residual;
        e->norm += tally->norm;
    }
}

static void correct_part(void *context, size_t index)
{
    const energy_account *e = context;
    lzb_window *w = e->w;
    lzb_part part = lzb_part_at(w, index);
    go_along(part.blocks, e->share, w->correction + part.first, w->x + part.first);
    lzb_part_gather_impulse(part, e->share, w->force, w->p);
    lzb_part_kick(w, part, e->share, w->force, w->c);
}

static crm_status correct(const lzb_state *state, energy_account *e, crm_error *error)
{
    lzb_window *w = e->w;
    if (w->large) {
        lzb_parts_run(w, correct_part, e);
        return CRM_OK;
    }
    go_along(w->blocks, e->share, w->correction, w->x);
    return lzb_window_kick(state, w, e->share, w->force, w->c, w->p, error);
}

/* Project the step onto the energy it must have, moving speeds (through impulses of the contacts
 * that pressed) and indentations as little as possible, each on its own scale, and by no more than
 * a small part of themselves (so that a weak contact never pays for a strong one's error); what
 * is left over is made up for in later steps. What is gained is
 * that the account closes to rounding, and that a single contact gives back exactly e.
 */
crm_status lzb_step_conserve_energy(lzb_stepper *s, crm_error *error)
{
    lzb_window *w = s->window;
    energy_account e = {.w = w, .per_speed = 1.0 / s->state->speed};
    account_for_all(&e);
    s->energy_debt += e.residual + s->energy_local;
    s->energy_local = 0;
    double most = CORRECTION * s->tolerance + s->bonds_share,
           share = e.norm > 0 ? s->energy_debt / e.norm : 0;
    share = share < -most ? -most : share > most ? most : share;
    s->energy_debt -= share * e.norm;
    e.share = share;
    return correct(s->state, &e, error);
}
