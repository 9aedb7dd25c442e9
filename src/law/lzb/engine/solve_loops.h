/* What goes through the nodes: the loops of solve.c, for each width of vectors (base/loops.h). */
#include "law/lzb/nodes/apply_loops.h"

INLINE void WIDE(force_at)(const lzb_member *member, const lzb_nodal *x, lzb_nodal *force)
{
    lzb_nodal depth = *x + member->open;
    if (member->branch.curve != NULL) {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            (*force)[l] = crm_curve_force_on(member->branch.curve, member->branch.piece, depth[l]);
        }
        return;
    }
    if (member->kind == LZB_LINEAR) { /* goes on below 0, where openings are looked for */
        *force = member->stiffness * depth;
        return;
    }
    double power[LZB_NODES];
    depth = (lzb_nodal)((lzb_nodal_bits)depth & (depth > 0.0));
    memcpy(power, &depth, sizeof power);
    if (member->kind == LZB_HERTZ) {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            power[l] = power[l] * __builtin_sqrt(power[l]);
        }
    } else {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            power[l] = lzb_power(power[l], member->exponent);
        }
    }
    memcpy(&depth, power, sizeof power);
    *force = member->stiffness * depth;
}

/* The first guess: the forces at the indentations foreseen at the start of the step. */
static void WIDE(guess)(lzb_engine *e)
{
    const lzb_engine_window *w = &e->window;
    lzb_nodal t = e->trial.length * lzb_engine_table(e)->time;
    for (size_t i = 0; i < w->pressing; i++) {
        const lzb_member *member = &w->member[i];
        lzb_nodal way = t * (member->c + t * (0.5 * member->accel + t * (member->jerk / 6)));
        lzb_nodal x = member->x + member->rate * way;
        WIDE(force_at)(member, &x, &e->force[i]);
    }
}

/* Each contact in turn: x from the forces as they are now, and its force from x. Returns the
 * largest change of a force, by what it does to its own contact.
 */
static double WIDE(sweep)(lzb_engine *e)
{
    const lzb_engine_window *w = &e->window;
    const lzb_table *table = lzb_engine_table(e);
    double h = e->trial.length, largest = 0;
    lzb_nodal time = h * table->time, worst = {0}, twice, force;
    for (size_t i = 0; i < w->pressing; i++) {
        const lzb_member *member = &w->member[i];
        lzb_nodal pull = {0};
        for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
            pull += w->value[k] * e->force[w->column[k]];
        }
        WIDE(apply)(table->twice, &pull, &twice);
        lzb_nodal x = member->x + member->rate * (time * member->c - h * h * twice);
        WIDE(force_at)(member, &x, &force);
        lzb_nodal change = member->own * (force - e->force[i]);
        change = (lzb_nodal)((lzb_nodal_bits)change & INT64_MAX);
        lzb_nodal_bits higher = ~(change <= worst) & (worst == worst); /* NaN stays */
        worst = (lzb_nodal)(((lzb_nodal_bits)change & higher) | ((lzb_nodal_bits)worst & ~higher));
        e->force[i] = force;
    }
    for (unsigned l = 0; l < LZB_NODES && largest == largest; l++) {
        largest = worst[l] > largest || worst[l] != worst[l] ? worst[l] : largest;
    }
    return largest;
}
